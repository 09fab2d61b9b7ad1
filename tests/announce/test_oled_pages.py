"""The display's pages beside this file: what each shows can be read back, and runs off no panel.

    python tests/announce/test_oled_pages.py

makes the stored pages again: look at each one. Pages are exact for one release of FreeType, which each file
names, with the command. `make pictures` makes docs/display.md and docs/display.png from the same pages.
"""

import doctest
import io
import shutil
import subprocess
from difflib import SequenceMatcher
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps, PngImagePlugin, features

from tests.patience import HANGS_S
from tools.pictures.display import LONGEST, PAGES, document
from uckers_table.announce import oled
from uckers_table.announce.oled import MM_A_METRE, PANELS, SIZE, Headline, draw, letters
from uckers_table.errors import InputError
from uckers_table.machine.messages import Invitation, Joining, Message

FOLDER = Path(__file__).parent / "pages"
DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "display.md"
COMMAND = "python tests/announce/test_oled_pages.py"
FREETYPE = str(features.version("freetype2"))
words = st.text(st.characters(codec="latin-1", categories=["L", "N", "P", "Zs"]), max_size=200)


def pixels(picture):
    return picture.convert("1").tobytes()


@pytest.mark.parametrize("name", PAGES)
def test_each_page_is_the_stored_one(name):
    with Image.open(FOLDER / f"{name}.png") as stored:
        if stored.info["freetype"] != FREETYPE:
            pytest.skip(f"stored with FreeType {stored.info['freetype']}, this is {FREETYPE}")
        assert pixels(draw(PAGES[name])) == pixels(stored)


def test_every_stored_page_belongs_to_a_test():
    assert {path.stem for path in FOLDER.glob("*.png")} == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_panel_takes_and_differs_from_all_others(name):
    picture = draw(PAGES[name])
    assert (picture.mode, picture.size) == ("1", SIZE)
    assert all(pixels(draw(page)) != pixels(picture) for other, page in PAGES.items() if other != name)


class Margins:
    """Draws on a larger sheet than the panel, so that what runs off can be seen."""

    def __init__(self, monkeypatch):
        self.sheet = Image.new("1", (SIZE[0] + 400, SIZE[1] + 400))
        pen = ImageDraw.Draw(self.sheet)

        class Shifted:
            fontmode = "1"

            def text(self, at, *args, **kwargs):
                pen.fontmode = "1"
                pen.text((at[0] + 200, at[1] + 200), *args, **kwargs)

            def rectangle(self, box, **kwargs):
                pen.rectangle(tuple(place + 200 for place in box), **kwargs)

        real = ImageDraw.Draw
        monkeypatch.setattr(
            oled.ImageDraw, "Draw", lambda picture: Shifted() if picture.size == SIZE else real(picture)
        )

    def outside(self, screen):
        """Where something is lit outside the panel; None when nothing is."""
        draw(screen)
        self.sheet.paste(0, (200, 200, 200 + SIZE[0], 200 + SIZE[1]))
        return self.sheet.getbbox()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_runs_off_the_panel(name, monkeypatch):
    assert Margins(monkeypatch).outside(PAGES[name]) is None


@settings(max_examples=60)
@given(title=words, line=words, note=words)
def test_no_words_whatever_run_off_the_panel(title, line, note):
    with pytest.MonkeyPatch.context() as monkeypatch:
        margins = Margins(monkeypatch)
        assert margins.outside(Headline(title, line, note)) is None
        assert margins.outside(Message(title, line)) is None


def test_the_longest_sentence_fits_whole_and_a_longer_one_is_seen_to_be_cut():
    width, height = SIZE[0], SIZE[1] - oled.BAR_PX - 2
    _, lines = oled._wrap(LONGEST, width, height)
    assert " ".join(lines) == LONGEST
    size, lines = oled._wrap(LONGEST * 3, width, height)
    assert size == oled.SMALLEST
    assert lines[-1].endswith("...")
    assert (LONGEST * 3).startswith(" ".join(lines).removesuffix("..."))


def test_a_word_longer_than_a_line_is_broken():
    _, lines = oled._wrap("x" * 60, 128, 50)
    assert "".join(lines) == "x" * 60
    assert len(lines) > 1


def test_a_seat_colour_can_be_read_across_a_table():
    largest = PANELS[0]
    for colour in ("RED", "GREEN", "YELLOW", "BLUE", "WHITE", "BLACK"):
        for screen in (Headline(colour), Headline(colour, "6 and 3", "1 more throw")):
            assert largest.mm(letters(screen)[0][1]) >= 1.2 * MM_A_METRE


@pytest.mark.parametrize("word", ["HELL", "EEL", "MIX"])
def test_a_line_is_as_high_as_it_is_said_to_be(word):
    top, bottom = draw(Headline(word)).getbbox()[1::2]
    ((said, rows),) = letters(Headline(word))
    # A stroke round a letter may be a dot more in one letter than in another.
    assert (said, bottom - top - rows) in {(word, 0), (word, 1)}


# ---------------------------------------------------------------------- one fact of each page, told by others


def read_back(line):
    """What tesseract reads in a picture of one line, light on dark."""
    scale, margin = 4, 40
    big = line.convert("L").resize((line.width * scale, line.height * scale), Image.Resampling.LANCZOS)
    big = ImageOps.invert(big.filter(ImageFilter.GaussianBlur(0.35 * scale)))
    png = io.BytesIO()
    ImageOps.expand(big, margin, 255).save(png, "png")
    command = ["tesseract", "-", "-", "--psm", "7", "-l", "eng"]
    done = subprocess.run(command, input=png.getvalue(), capture_output=True, check=True, timeout=HANGS_S)
    return done.stdout.decode().strip()


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_says_reads_back(name):
    screen = PAGES[name]
    picture = draw(screen)
    if isinstance(screen, Headline) and screen.flash:
        picture = ImageChops.invert(picture)
    left = SIZE[1] + 1 if isinstance(screen, Invitation | Joining) else 0
    read = []
    for placed in oled._layout(screen):
        top, bottom = placed.baseline + placed.line.top - 1, placed.baseline + placed.line.bottom + 1
        line = picture.crop((left, max(0, top), SIZE[0], min(bottom, SIZE[1])))
        read.append(read_back(line if placed.fill == oled.LIT else ImageChops.invert(line)))
    said = " ".join(text for text, _ in letters(screen))
    # It takes a capital I for a bar, and "1 of" for "10f".
    assert SequenceMatcher(None, said, " ".join(read)).ratio() >= 0.9, read


@pytest.mark.parametrize(
    ("screen", "text"),
    [
        *(
            (Invitation(address, "4827"), address)
            for address in ("http://192.168.4.1:8080", "http://uckers.local:8080/t", "http://x.y/" + "a" * 42)
        ),
        (Joining("Uckers table", "mw4kqgdjy7"), "WIFI:T:WPA;S:Uckers table;P:mw4kqgdjy7;;"),
    ],
)
def test_what_a_phone_needs_is_in_the_qr_code_and_everything_beside_it_is_dark(screen, text):
    picture = draw(screen)
    dots = np.array(picture.convert("L"))
    seen = cv2.copyMakeBorder(dots, 20, 20, 20, 20, cv2.BORDER_CONSTANT)
    seen = cv2.resize(seen, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    assert cv2.QRCodeDetector().detectAndDecode(seen)[0] == text
    # A light margin of at least a module, and the words leave it alone.
    assert dots[0, :64].all()
    assert dots[-1, :64].all()
    assert not dots[:, 64:67].any()


def test_an_address_that_is_too_long_is_refused():
    with pytest.raises(InputError, match="is too long for the display's QR code: 53 letters at most"):
        draw(Invitation("http://x.y/" + "a" * 43))


def test_a_flash_is_the_same_picture_the_other_way_round():
    plain, flash = (draw(Headline("BLUE", "3 of 3", flash=flash)) for flash in (False, True))
    assert pixels(flash) == pixels(ImageChops.invert(plain))


def test_the_example_in_the_documentation():
    assert doctest.testmod(oled).failed == 0


# ---------------------------------------------------------------------- how high letters are


def test_the_document_states_the_heights_as_they_are():
    with Image.open(FOLDER / "throw.png") as stored:
        if stored.info["freetype"] != FREETYPE:
            pytest.skip(f"made with FreeType {stored.info['freetype']}, this is {FREETYPE}")
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_every_stored_page_names_the_command_that_makes_it():
    for path in FOLDER.glob("*.png"):
        with Image.open(path) as stored:
            assert stored.info["made by"] == COMMAND


def make_pages():
    """Write every page again, with the release of FreeType that drew it."""
    FOLDER.mkdir(exist_ok=True)
    about = PngImagePlugin.PngInfo()
    about.add_text("freetype", FREETYPE)
    about.add_text("made by", COMMAND)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    for name, screen in PAGES.items():
        draw(screen).save(FOLDER / f"{name}.png", pnginfo=about)


if __name__ == "__main__":
    make_pages()
