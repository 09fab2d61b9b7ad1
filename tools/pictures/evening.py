"""One evening at the demo's table, stopped while somebody is told off: what screen and phone show then.

The referee is told what stands on the board instead of reading pictures. So it is the same evening on any
machine, painted or not.
"""

from __future__ import annotations

import io
import random
import re
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from playwright.sync_api import Browser, Page
from rich.console import Console

from tools.pictures.browser import PHONE
from uckers_table.config import simulated_config
from uckers_table.devices.base import BgrImage
from uckers_table.sighting import Sighting
from uckers_table.simulator.render import Renderer
from uckers_table.soak.eyes import SparingPainter
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table
from uckers_table.table.news import News
from uckers_table.table.parts import build_parts
from uckers_table.table.serving import open_page
from uckers_table.table.terminal import TerminalView
from uckers_table.table.views import Glimpse
from uckers_table.trial.eyes import NoisyEyes
from uckers_table.trial.noise import Noise
from uckers_table.vision.reader import StrangePaint

SEED, CHEATS = 1, 8
SIZE = (190, 50)
EARLIEST_RULING = 60
"""Before this many rulings the board is still too empty to show much."""
PAINTED_BEFORE = 3
"""So many rulings earlier the board is painted, for the pictures that an accusation keeps."""
ACCUSED = ("illegal", "timber_shift")
SPEED = 1e6
"""How many times faster than life: as fast as the machine is."""
STILL, STILL_MS = 4, 400
"""A page has settled once it was the same so many times, so many milliseconds apart."""
_PIXELS = re.compile("[\u2500-\u257f\u2580-\u259f\u2800-\u28ff]+")
"""Lines, blocks and braille: what is drawn with characters."""


@dataclass
class Moment:
    """What is shown at the moment: the terminal's words and drawing (SVG), and on a phone, by page, the words
    and the picture (PNG).
    """

    words: str = ""
    svg: str = ""
    phone: dict[str, tuple[str, bytes]] = field(default_factory=dict)


class Stopped(KeyboardInterrupt):
    """The moment has been caught."""


class Told:
    """Implements `vision.live.Eyes`: sees what stands there, whatever is painted."""

    strange: StrangePaint | None = None

    def __init__(self, painter: SparingPainter, now: Callable[[], float]) -> None:
        nothing = Noise(0.0, stays=0.0, looked_for=0.0)
        self._painter, self._now = painter, now
        self._eyes = NoisyEyes(painter.plan, nothing, random.Random(SEED))

    def see(self, image: BgrImage) -> Sighting:
        """What stands on the board."""
        return self._eyes.see(self._painter.scene, self._now())

    def read_again(self, places: Iterable[str]) -> None:
        """Have places read again."""
        self._eyes.read_again(places)

    def marked(self, image: BgrImage) -> BgrImage:
        """The frame as it is."""
        return image


class Catching(TerminalView):
    """Shows nothing, and catches the moment: the first frame after an accusation that is late enough.

    `paint` is called once the moment may be near, `look_at_phone` at the moment, with the ruling's number.
    """

    def __init__(
        self, paint: Callable[[], None], look_at_phone: Callable[[int], Mapping[str, tuple[str, bytes]]]
    ) -> None:
        super().__init__(
            Console(
                width=SIZE[0],
                height=SIZE[1],
                file=io.StringIO(),
                record=True,
                force_terminal=True,
                color_system="truecolor",
            )
        )
        self._live.stop()
        self._paint, self._look_at_phone = paint, look_at_phone
        self._seen = self._accused = 0
        self.moment = Moment()

    def show(self, glimpse: Glimpse) -> None:
        """Catch the moment once it has come, and stop the evening."""
        for line in glimpse.rulings:
            self._lines.append(line)
            self._seen += 1
            if line["ruling"] in ACCUSED and self._seen >= EARLIEST_RULING:
                self._accused = self._accused or self._seen
        if self._seen >= EARLIEST_RULING - PAINTED_BEFORE:
            self._paint()
        if self._accused and not glimpse.rulings:
            self._console.export_text(clear=True)
            self._console.print(self.layout(glimpse))
            words = " ".join(_PIXELS.sub(" ", self._console.export_text(clear=False)).split())
            svg = self._console.export_svg(title="uckers-table demo", clear=True)
            self.moment = Moment(words, svg, dict(self._look_at_phone(self._accused)))
            raise Stopped


def caught(folder: Path, *, is_painted: bool, browser: Browser | None) -> Moment:
    """The moment of the evening, whose record lies in a folder. Phones are looked at through a `browser`."""
    port = _free_port() if browser is not None else 0
    config = simulated_config(seed=SEED, cheats=CHEATS, speed=SPEED, page_port=port)
    config = replace(config, record=folder / "matches")
    painters: list[SparingPainter] = []

    def paint(renderer: Renderer) -> SparingPainter:
        painters.append(SparingPainter(renderer))
        painters[0].is_painting = False
        return painters[0]

    def look_at_phone(accused: int) -> Mapping[str, tuple[str, bytes]]:
        return dict(_phone(browser, port, accused)) if browser is not None else {}

    def begin_painting() -> None:
        painters[0].is_painting = is_painted

    inbox, view = Inbox[News](), Catching(begin_painting, look_at_phone)
    parts = build_parts(config, inbox.post, paint=paint)
    parts = replace(parts, eyes=lambda profile: Told(painters[0], parts.clock.now))
    with ExitStack() as closing:
        page = open_page(config, inbox, closing, io.StringIO())
        with suppress(Stopped):
            Table(config, parts, inbox, view, page=page, begins=True).run()
    if not view.moment.words:
        raise AssertionError("nobody was accused: take another SEED")
    return view.moment


def _phone(browser: Browser, port: int, accused: int) -> Iterator[tuple[str, tuple[str, bytes]]]:
    """What a phone shows of the match, and of the ruling by which somebody is accused: words and picture."""
    for name, address in (("live", "/"), ("dispute", f"/matches/1/{accused}")):
        context = browser.new_context(
            viewport=PHONE, base_url=f"http://127.0.0.1:{port}", reduced_motion="reduce"
        )
        page = context.new_page()
        page.goto(address)
        page.get_by_text(re.compile("Illegal|Timber shift")).first.wait_for()
        page.locator(".piece").first.wait_for()
        if name == "dispute":
            page.locator("#picture").wait_for()
            page.locator("#picture").evaluate("image => image.decode()")
        yield name, _settled(page)
        context.close()


def _settled(page: Page) -> tuple[str, bytes]:
    """The words and the picture of a page on which nothing moves any more."""
    seen: list[tuple[str, bytes]] = []
    while len(seen) < STILL or any(each != seen[-1] for each in seen[-STILL:]):
        page.wait_for_timeout(STILL_MS)
        seen.append((" ".join(page.inner_text("main").split()), page.screenshot()))
    return seen[-1]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
