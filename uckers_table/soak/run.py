"""The command `uckers-table soak`: a table runs for simulated days, is measured, and is judged."""

from __future__ import annotations

import json
import logging
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import cv2

from uckers_table.announce.loudness import Loudness
from uckers_table.config import Config, simulated_config
from uckers_table.devices.display import LumaDisplay
from uckers_table.devices.simulated_buttons import SimulatedButtons
from uckers_table.devices.voice import SpokenVoice
from uckers_table.errors import DeviceError, InputError
from uckers_table.machine.heap import share_heaps
from uckers_table.machine.notify import Supervisor
from uckers_table.record.library import Library
from uckers_table.record.store import MatchStore
from uckers_table.simulator.camera import SimulatedCamera
from uckers_table.simulator.evening import SimulatedEvening
from uckers_table.simulator.render import Renderer
from uckers_table.soak import picture
from uckers_table.soak.devices import HeardVoice, Mumble, SoakPanel, Speaker
from uckers_table.soak.eyes import SparingEyes, SparingPainter
from uckers_table.soak.figures import SoakFigures, soak_table
from uckers_table.soak.mess import Mess
from uckers_table.soak.meter import Meter, MeteredInbox, MeteringView
from uckers_table.soak.plan import Deed, Routine
from uckers_table.soak.visitors import Visitors
from uckers_table.table.loop import Table
from uckers_table.table.parts import MOST_HASTE, Pacer, build_parts
from uckers_table.table.serving import open_page

SAMPLES, TOLD_EVERY = 800, 20
"""The number of samples, and one of how many is told."""
CAMERA_PX = 1024, 576
"""The camera's picture, as small as the board can still be read. The simulator's painting is most of the
work.
"""
CHEATS = 5
"""The cheats in a match. Pictures behind their rulings are kept, and thinned out."""
PICTURES_MB = 10
"""The budget of pictures, small enough to be used up within a day or two."""


def run_soak(
    hours: float,
    faster: float,
    *,
    seed: int,
    painted: int,
    record: Path | None,
    file: Path | None,
    json_lines: bool,
    out: TextIO,
    err: TextIO,
) -> int:
    """Soaks a table, prints what was measured, and draws it. The exit status: 0 if nothing grew, else 1.

    The record goes to the folder `record`; None keeps no record. The picture goes to `file`; None draws none.
    Raises InputError if a number is not above 0.
    """
    if not (hours > 0 and faster > 0 and painted > 0):
        raise InputError("--hours, --faster and --painted must be above 0")

    def tell(line: str) -> None:
        print(line, file=err, flush=True)

    with ExitStack() as stack:
        folder = record or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        figures = soak(hours, faster, folder, seed=seed, plan=Routine(painted=painted), tell=tell)
    if file is not None:
        picture.save(figures, file)
    print(json.dumps(figures.to_json(), ensure_ascii=False) if json_lines else soak_table(figures), file=out)
    return 0 if figures.holds else 1


def soak(
    hours: float,
    faster: float,
    record: Path,
    *,
    seed: int = 1,
    plan: Routine = Routine(),  # noqa: B008 - it is never changed
    throws: int = 0,
    samples: int = SAMPLES,
    tell: Callable[[str], None] = lambda line: None,
) -> SoakFigures:
    """Runs a whole table for this many hours of the simulated clock, at most `faster` times faster than life.

    If `throws` is not 0, each match ends after that many. `tell` hears now and then how far the soak has got.
    The figures of the soak.
    """
    share_heaps()
    config = _config(record, faster, seed, throws)
    before_threads = cv2.getNumThreads()
    # One thread, so that work and yardstick are measured alike.
    cv2.setNumThreads(1)
    # A lost device is logged, and this mess loses devices all the time.
    logging.getLogger("uckers_table").setLevel(logging.CRITICAL)
    began = time.monotonic()
    try:
        with ExitStack() as stack:
            soaking = _Soaking(config, hours * 3600, seed, plan, samples, tell, stack)
            soaking.run()
    finally:
        cv2.setNumThreads(before_threads)
        logging.getLogger("uckers_table").setLevel(logging.NOTSET)
    took_s = time.monotonic() - began
    return SoakFigures(hours, took_s, seed, tuple(soaking.meter.samples), soaking.counts())


def _config(record: Path, faster: float, seed: int, throws: int) -> Config:
    simulated = simulated_config(seed=seed, speed=faster, cheats=CHEATS, loudness=Loudness.CHATTY)
    width, height = CAMERA_PX
    return replace(
        simulated,
        record=record,
        page_port=_free_port(),
        pictures_mb=PICTURES_MB,
        simulator=replace(simulated.simulator, width=width, height=height, throws=throws),
    )


class _Soaking:
    """A table, the mess around it, and the meter beside it."""

    def __init__(
        self,
        config: Config,
        end_s: float,
        seed: int,
        plan: Routine,
        samples: int,
        tell: Callable[[str], None],
        closing_: ExitStack,
    ) -> None:
        self._config, self._tell = config, tell
        self.meter = Meter()
        self._inbox = MeteredInbox(self.meter)
        self._view = MeteringView(self._inbox)
        haste = min(config.simulator.speed, MOST_HASTE)
        parts = build_parts(config, self._inbox.post, paint=self._painted_by)
        closing_.callback(parts.close)
        assert parts.simulated_tower is not None
        assert isinstance(parts.buttons, SimulatedButtons) and isinstance(parts.camera, SimulatedCamera)
        evening = parts.camera.table
        assert isinstance(evening, SimulatedEvening)
        leads = Path(closing_.enter_context(tempfile.TemporaryDirectory()))
        panel, speaker = SoakPanel(), Speaker(leads / "speaker")
        display = LumaDisplay(open_bus=panel.open_bus, listener=self._inbox.post, haste=haste)
        closing_.callback(display.close)
        voice = SpokenVoice(Mumble(), play=speaker.play, listener=self._inbox.post, haste=haste)
        closing_.callback(voice.close)
        self.mess = Mess(
            evening,
            plan.events(seed),
            end_s=end_s,
            every_s=end_s / samples,
            sample=self._sample,
            inbox=self._inbox,
            tower=parts.simulated_tower,
            buttons=parts.buttons,
            panel=panel,
            speaker=speaker,
            painter=self._painter,
            pause=Pacer(config.simulator.speed),
        )
        closing_.callback(self.mess.close)
        self._parts = replace(
            parts,
            camera=self.mess,
            display=display,
            voice=HeardVoice(voice, evening),
            eyes=lambda profile: SparingEyes(
                profile, self._painter, seed, evening.now, lambda: self.mess.light
            ),
        )

    def _painted_by(self, renderer: Renderer) -> SparingPainter:
        self._painter = SparingPainter(renderer)
        return self._painter

    def run(self) -> None:
        """Runs from the first event to the last. Raises DeviceError if the table's page cannot be served."""
        with ExitStack() as stack:
            told = stack.enter_context(tempfile.TemporaryFile("w", encoding="utf-8"))
            page = open_page(self._config, self._inbox, stack, told)
            if page.trouble or page.invitation is None:
                raise DeviceError("the table's page cannot be served, but a soak has it visited")
            visitors = Visitors(self._config.page_port, page.invitation.pin)
            stack.callback(visitors.close)
            self.mess.visitors = visitors
            Table(
                self._config, self._parts, self._inbox, self._view, page=page, supervisor=Supervisor({})
            ).run()

    def _sample(self, t: float) -> None:
        self.meter.sample(t)
        if len(self.meter.samples) % TOLD_EVERY == 0:
            newest = self.meter.samples[-1]
            # While the card takes nothing, the file that this goes to takes nothing either.
            with suppress(OSError):
                self._tell(
                    f"{t / 3600:.1f} h: match {self.mess.matches}, {newest.memory_mb:.1f} MB, "
                    f"{newest.handles} handles, {newest.threads} threads"
                )

    def counts(self) -> dict[str, int]:
        """How often each thing happened, by its name for people."""
        mess, inbox = self.mess, self._inbox
        matches = Library(self._config.record).matches()
        with closing(MatchStore(self._config.record)) as store:
            store.check()
        won = sum(bool(match.winner) for match in matches)
        left = sum(match.winner == () for match in matches)
        return {
            "matches begun": mess.matches,
            "matches on record": len(matches),
            "matches won": won,
            "matches given up": left,
            "matches refused": mess.refused_starts,
            "rulings on record": sum(match.rulings for match in matches),
            "rulings told": self._view.rulings,
            **{f"{name} lost": inbox.lost[name] for name in ("tower", "camera", "display", "voice")},
            **{f"{name} back": inbox.back[name] for name in ("tower", "camera", "display", "voice")},
            "times the card took nothing": mess.done[Deed.FILL, ""],
            "times it was dark": mess.done[Deed.LIGHT, "dark"],
            "times the light was red": mess.done[Deed.LIGHT, "red"],
            "times the page was visited": mess.done[Deed.VISIT, ""],
            "answers of the page": mess.answers.total(),
            "answers that were errors": sum(n for status, n in mess.answers.items() if status >= "500"),
        }


def _free_port() -> int:
    """A port that nobody has at this moment."""
    with socket.create_server(("", 0)) as probe:
        return int(probe.getsockname()[1])
