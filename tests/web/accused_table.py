"""The record of one match in which red is accused, with pictures of a rendered table behind it."""

from __future__ import annotations

from dataclasses import replace

import cv2

from tests.calibrated import calibrated
from tests.web.fakes import PIN, FakeLibrary
from uckers_table.game.board import Plan
from uckers_table.keeping.closeups import cut_to
from uckers_table.record.match_record import EVIDENCE, Moved, Picture
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Scene, WoodenPiece
from uckers_table.vision.evidence import mark_moves
from uckers_table.vision.picture.files import save_picture
from uckers_table.web.app import Page
from uckers_table.web.gate import Gate
from uckers_table.web.server import PageServer

RED, FROM, TO = 0, 10, 17
"""Red goes seven squares, round the corner from its own arm into green's."""
LEGAL = (12, 16, 18)
"""Where 6 and 2 take that piece: two on, six on, or both."""
INNOCENT = 18
"""Where it stands by the likeliest story in which nobody did wrong."""


def rendered():
    """A table calibrated, and its pictures before and after red's piece was moved."""
    plan = Plan()
    renderer = Renderer(plan, look_for(3), size=(1536, 864), seed=3)
    profile = calibrated(renderer.empty, renderer.start, plan.board.seats)

    def shown(steps):
        pieces = [WoodenPiece(RED, steps, *plan.centre_mm(plan.cell(RED, steps)))]
        pieces += [WoodenPiece(seat, 0, *spot) for seat in range(4) for spot in renderer.spots(seat)[1:]]
        return renderer.frame(Scene(tuple(pieces)))

    return profile, shown(FROM), shown(TO)


class AccusedLibrary(FakeLibrary):
    """Its third ruling accuses red of the move that its pictures show; `is_old` keeps no table with them."""

    def __init__(self, folder, table, *, is_old=False):
        super().__init__(folder)
        profile, before, after = table
        marked = mark_moves(after, profile, [(RED, FROM, TO)])
        for what, picture in zip(EVIDENCE, (before, after, marked), strict=True):
            save_picture(self.folder / f"{what}.jpg", cv2.convertScaleAbs(picture, alpha=0.5))
        if not is_old:
            profile.save(self.folder / "table.toml")
        first, played, illegal, won = self.record.entries
        # A record of an older program has what it had then.
        pictures = tuple(Picture(what, 29.0 if what == "before" else 31.0) for what in EVIDENCE)
        stands = {"red": (0, 0, 0, FROM), **dict.fromkeys(("green", "yellow", "blue"), (0, 0, 0, 0))}
        accused = replace(illegal, position=stands, moves=(Moved("red", FROM, TO),))
        if not is_old:
            legal = [{"colour": "red", "steps": steps} for steps in LEGAL]
            said = zip(accused.facts["stories"], (TO, INNOCENT), strict=True)
            stories = [{**each, "position": stands | {"red": (0, 0, 0, steps)}} for each, steps in said]
            accused = replace(accused, facts={"stories": stories, "legal": legal})
        entries = (first, replace(played, position=stands), accused, won)
        self.record = replace(self.record, entries=entries, pictures={3: pictures})

    def table_file(self, match):
        return self.folder / "table.toml"


def serve_accused(table, library):
    """The page of a fake table with that record."""
    page = Page(table.feed, table, library, Gate(PIN, lambda: 0.0), cut_to=cut_to)
    return PageServer(page, 0, "127.0.0.1")
