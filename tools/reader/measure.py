"""The four parts that read boards: each makes lines, one a look, that `figures` counts.

A line is JSON: `table`, `board` (its file), `part`, `key` (which look of the part), and what was seen. These
four seed all that is random, so a line is the same whenever it is made.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

import cv2
import numpy as np

from tools.reader.editing import goals, lifted, lone, moved, put, without
from tools.reader.still import Moment, Scene, Shadow, weather
from tools.reader.tables import EMPTY, Stand, Table
from tools.reader.wrong import UNREAD, Truth, Wrong
from uckers_table.sighting import Sighting
from uckers_table.vision.live import LiveReader
from uckers_table.vision.overlay import draw_overlay
from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.picture.files import save_picture
from uckers_table.vision.reader import Reader

Line = dict[str, Any]

CAMERAS = {"firm": (0.1, 10.0), "trembling": (0.3, 0.0)}
"""How much each camera wobbles (pixels), and how many people's shadows pass in a minute."""
RATE_HZ = 4.0
"""How many frames a second the live reader sees."""


@dataclass(frozen=True)
class Amount:
    """How much is read: cold looks a board; pieces lifted and moved a board; boards a table that are watched
    live, and for how many seconds a camera.
    """

    looks: int = 7
    lifts: int = 2
    plays: int = 1
    watched: int = 2
    seconds: int = 20


class Looking:
    """One board of a table, while it is read."""

    def __init__(self, table: Table, stand: Stand, wrong_to: Path) -> None:
        self.table, self.stand, self._wrong_to = table, stand, wrong_to
        self.truth = Truth(table.plan, stand)

    def rng(self, *names: object) -> np.random.Generator:
        """Chance that is the same for the same board and names."""
        said = "/".join(map(str, (self.table.name, self.stand.file, *names)))
        return np.random.default_rng(zlib.crc32(said.encode()))

    @cached_property
    def picture(self) -> Image:
        """Its picture as it is."""
        return self.table.picture(self.stand.file)

    @cached_property
    def scene(self) -> Scene:
        """What is developed from it."""
        return Scene(self.picture)

    @cached_property
    def before(self) -> list[Wrong]:
        """What is wrong before a piece is lifted or moved."""
        return self.truth.wrong(self.table.reader.read(self.scene.develop(Moment(), self.rng("before"))))

    def read(self, part: str, picture: Image, truth: Truth | None = None) -> tuple[Sighting, list[Wrong]]:
        """What is seen, and what is wrong. The first wrong picture of a part is kept, with what was read."""
        seen = self.table.reader.read(picture)
        wrong = (truth or self.truth).wrong(seen)
        kept = self._wrong_to / f"{self.table.name}-{Path(self.stand.file).stem}-{part}.png"
        if wrong and not kept.exists():
            save_picture(kept, self._drawn(picture, seen, wrong))
        return seen, wrong

    def _drawn(self, picture: Image, seen: Sighting, wrong: list[Wrong]) -> Image:
        reader = self.table.reader
        drawn = draw_overlay(picture, reader.profile, seen, reader.look(picture))
        small = cv2.resize(drawn, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        for row, each in enumerate(wrong):
            text = f"{each.place}: {each.kind}, {dict(each.want)} read as {dict(each.got)}"
            at = (8, small.shape[0] - 10 - 18 * row)
            for ink, thick in (((0, 0, 0), 3), ((255, 255, 255), 1)):
                cv2.putText(small, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, thick, cv2.LINE_AA)
        return np.asarray(small, dtype=np.uint8)


class Part(Protocol):
    """One thing that is measured."""

    def keys(self, board: Looking, number: int, amount: Amount) -> tuple[str, ...]:
        """The looks at a board, the table's `number`th. Nothing is read for it."""

    def line(self, board: Looking, key: str, amount: Amount) -> Line:
        """What one look says."""


class Looks:
    """Cold readings of the still board: as it is, with fresh grain, and as if people were about."""

    def keys(self, board: Looking, number: int, amount: Amount) -> tuple[str, ...]:
        return tuple(map(str, range(amount.looks)))

    def line(self, board: Looking, key: str, amount: Amount) -> Line:
        look, rng = int(key), board.rng("looks", key)
        moment = Moment()
        if look > amount.looks // 2:
            x, y, radius, deep = rng.uniform([0.2, 0.2, 0.10, 0.2], [0.8, 0.8, 0.28, 0.55])
            gain, warmth, quality = rng.uniform([0.9, -0.03, 75], [1.1, 0.03, 93])
            shift_px = rng.normal(0, 0.3, 2)
            moment = Moment(
                gain,
                warmth,
                Shadow((x, y), radius, deep) if look % 2 else None,
                (float(shift_px[0]), float(shift_px[1])),
                int(quality),
            )
        seen, wrong = board.read("looks", board.scene.develop(moment, rng) if look else board.picture)
        return {
            "seats": board.table.plan.board.seats,
            "confidence": round(seen.confidence, 6),
            "pieces": seen.pieces,
            "stray": [[stray.colour, stray.cell] for stray in seen.stray],
            "wrong": list(map(asdict, wrong)),
            "alternatives": board.truth.alternatives(seen),
            "of": board.truth.to_misread,
        }


class Lifts:
    """One plainly visible lone piece is lifted off: is it put under or beside another of its colour?"""

    def keys(self, board: Looking, number: int, amount: Amount) -> tuple[str, ...]:
        pieces = [] if board.stand.is_bumped else lone(board.stand)
        some = board.rng("lifts").permutation(len(pieces))[: amount.lifts]
        return tuple(str(board.stand.pieces.index(pieces[n])) for n in some)

    def line(self, board: Looking, key: str, amount: Amount) -> Line:
        piece, table = board.stand.pieces[int(key)], board.table
        gone = without(board.picture, table.picture(EMPTY), table.reader.profile.camera, piece.xy_mm)
        truth = Truth(table.plan, lifted(board.stand, piece))
        seen, wrong = board.read("lifts", Scene(gone).develop(Moment(), board.rng("before")), truth)
        before = {each.place for each in board.before if _is_too_many(each, piece.colour)}
        elsewhere = [w for w in wrong if _is_too_many(w, piece.colour) and w.place not in before]
        return {
            "colour": piece.colour,
            "confidence": round(seen.confidence, 6),
            "elsewhere": list(map(asdict, elsewhere)),
            "wrong": list(map(asdict, wrong)),
            "side": truth.squares_of_side(piece.colour),
            "alternatives": truth.alternatives(seen),
        }


def _is_too_many(wrong: Wrong, colour: str) -> bool:
    return wrong.got.get(colour, 0) > wrong.want.get(colour, 0)


class Plays:
    """One lone piece is moved one to four squares: what does that change elsewhere, beside fresh grain?"""

    def keys(self, board: Looking, number: int, amount: Amount) -> tuple[str, ...]:
        if board.stand.is_bumped:
            return ()
        plan, stand, rng = board.table.plan, board.stand, board.rng("plays")
        found = [
            (str(stand.pieces.index(piece)), cell)
            for piece in lone(stand)
            for cell in goals(plan, stand, piece)
        ]
        some = islice((found[n] for n in rng.permutation(len(found))), amount.plays)
        return tuple(f"{piece} {column} {row}" for piece, (column, row) in some)

    def line(self, board: Looking, key: str, amount: Amount) -> Line:
        number, column, row = map(int, key.split())
        piece, cell, table, plan = board.stand.pieces[number], (column, row), board.table, board.table.plan
        profile, there = table.reader.profile, moved(plan, piece, cell)
        gone = without(board.picture, table.picture(EMPTY), profile.camera, piece.xy_mm)
        picture = Scene(put(board.picture, gone, profile, piece.xy_mm, there.xy_mm))
        left = lifted(board.stand, piece)
        after = Truth(plan, replace(left, pieces=(*left.pieces, there)))
        _, wrong = board.read("plays", picture.develop(Moment(), board.rng("before")), after)
        _, again = board.read("looks", board.scene.develop(Moment(), board.rng("plays", "again")))
        squares = [str(plan.track_cells.index(at)) for at in (piece.cell or cell, cell)]
        looks = {"before": board.before, "again": again, "after": wrong}
        return {"squares": squares, **{name: list(map(asdict, each)) for name, each in looks.items()}}


class Live:
    """The live reader on a board that nobody touches: how often it reads anew, and how long errors stay."""

    def keys(self, board: Looking, number: int, amount: Amount) -> tuple[str, ...]:
        return tuple(CAMERAS) if number < amount.watched else ()

    def line(self, board: Looking, key: str, amount: Amount) -> Line:
        wobble_px, shadows = CAMERAS[key]
        rng, live = board.rng("live", key), LiveReader(board.table.reader.profile)
        hands, began, ended = 0, dict[tuple[str, str], float](), list[tuple[str, str, float, float | None]]()
        with counted_readings() as readings:
            moments = weather(rng, RATE_HZ, wobble_px, shadows)
            for number, moment in enumerate(islice(moments, round(amount.seconds * RATE_HZ))):
                now_s = number / RATE_HZ
                seen = live.see(board.scene.develop(moment, rng))
                hands += seen.hand
                wrong = {(w.kind, w.place) for w in board.truth.wrong(seen)}
                if any(kind in UNREAD for kind, _ in wrong):
                    continue
                for gone in began.keys() - wrong:
                    ended.append((*gone, began.pop(gone), now_s))
                began.update((come, now_s) for come in wrong - began.keys())
        spells = sorted([*ended, *((*each, at_s, None) for each, at_s in began.items())], key=str)
        return {
            "seconds": amount.seconds,
            "readings": max(0, readings[0] - 1),
            "frames": round(amount.seconds * RATE_HZ),
            "hands": hands,
            "spells": spells,
        }


PARTS: dict[str, Part] = {"looks": Looks(), "lifts": Lifts(), "plays": Plays(), "live": Live()}


@contextmanager
def counted_readings() -> Iterator[list[int]]:
    """How often a whole board is read while it lasts, in a list of one number."""
    readings, look = [0], Reader.look

    def counted(self: Reader, *args: Any, **kwargs: Any) -> Any:
        readings[0] += 1
        return look(self, *args, **kwargs)

    with mock.patch.object(Reader, "look", counted):
        yield readings
