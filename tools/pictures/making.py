"""Which pictures there are, what each is made from, and how to tell that one is old."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from PIL import Image, PngImagePlugin

from tools.pictures.browser import browser_open, drawn
from tools.pictures.display import PAGES, contact_sheet, document
from tools.pictures.evening import Moment, caught

ROOT = Path(__file__).parents[2]
COMMAND = "make pictures"
MADE_FROM, MADE_BY = "made from", "made by"
"""In a picture's own data: the mark of what it was made from, and the command."""
DEMO, DISPLAY, ICON = "docs/demo.png", "docs/display.png", "uckers_table/web/static/icon.png"
PHONES = {"docs/page-live.png": "live", "docs/page-dispute.png": "dispute"}
"""Pictures of the page, and which of the moment's pages each is."""
PICTURES = (DEMO, DISPLAY, ICON, *PHONES)
ICON_PX, ICON_GROUND = 180, "#14202b"
"""An iPhone's icon has this size, and no transparent corners: it rounds them itself."""
DRAWING = ROOT / "uckers_table/web/static/icon.svg"
INKS = 128
"""So many colours make a phone's picture a third as large, and look the same."""


def made_from() -> Mapping[str, str]:
    """What each picture is made from that needs no evening."""
    icon = f"{ICON_PX} px on {ICON_GROUND}: {DRAWING.read_text(encoding='utf-8')}"
    return {DISPLAY: repr(PAGES), ICON: icon}


def shown_at(moment: Moment) -> Mapping[str, str]:
    """The words in each picture of an evening's moment; of the page only if a phone has looked at it."""
    phones = {file: moment.phone[page][0] for file, page in PHONES.items() if page in moment.phone}
    return {DEMO: moment.words, **phones}


def why_old(file: str, source: str, root: Path = ROOT) -> str:
    """One line if a picture was not made from this; empty if it was."""
    try:
        with Image.open(root / file) as picture:
            mark = picture.info.get(MADE_FROM)
    except OSError:
        return f"{file} is not there: `{COMMAND}` makes it"
    return "" if mark == _mark(source) else f"{file} is old, the program shows something else: `{COMMAND}`"


def make_all(root: Path = ROOT) -> None:
    """Make every picture anew, and docs/display.md."""
    (root / "docs/display.md").write_text(document(), encoding="utf-8")
    sources = dict(made_from())
    with browser_open() as browser, tempfile.TemporaryDirectory() as folder:
        moment = caught(Path(folder), is_painted=True, browser=browser)
        sources |= shown_at(moment)
        pictures = {
            DEMO: _opened(drawn(browser, moment.svg, {"width": 2340, "height": 1260})),
            DISPLAY: contact_sheet(),
            ICON: _opened(drawn(browser, _icon(), {"width": ICON_PX, "height": ICON_PX}, ICON_GROUND)),
            **{file: _with_few_inks(_opened(moment.phone[page][1])) for file, page in PHONES.items()},
        }
    for file, picture in pictures.items():
        about = PngImagePlugin.PngInfo()
        about.add_text(MADE_FROM, _mark(sources[file]))
        about.add_text(MADE_BY, COMMAND)
        picture.save(root / file, pnginfo=about, optimize=True)
        print(f"{file}: {(root / file).stat().st_size / 1000:.0f} kB")


def _icon() -> str:
    return DRAWING.read_text(encoding="utf-8")


def _mark(source: str) -> str:
    return sha256(source.encode()).hexdigest()


def _opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _with_few_inks(picture: Image.Image) -> Image.Image:
    return picture.quantize(INKS)
