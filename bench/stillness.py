"""Prints what the limits of `vision/stillness.py` and `vision/place/trembling.py` lie between.

    python -m bench.stillness FOLDER …

A folder is a labelled table. Boards of it are developed as frames of a still scene. A firm camera wobbles by
0.1 pixels while people's shadows pass, a trembling one by 0.3 pixels. None of that is movement. On the other
side pieces are lifted or moved by a square or more, and dice go.

A crowd is how many changed pixels lie within a square of 22 mm, where most do. Pixels are those of the small
flat picture.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from unittest import mock

import cv2
import numpy as np

from tools.reader.editing import goals, lone, put, without
from tools.reader.measure import CAMERAS, RATE_HZ
from tools.reader.still import Moment, Scene, weather
from tools.reader.tables import EMPTY, Stand, Table
from uckers_table.vision import stillness
from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.place import trembling
from uckers_table.vision.place.bump import Follower
from uckers_table.vision.place.flat import Canvas, Laying
from uckers_table.vision.place.trembling import Trembling

BOARDS, SECONDS, PIECES = 2, 20, 3
"""Boards of a table, seconds that each camera watches one, and pieces of a board that are moved."""
ROUND_MM = 50.0
"""How far round a change it is looked for."""
OTHERWISE: dict[str, dict[str, float]] = {
    "": {},
    ", _OFF_LEVELS = 0": {"stillness._OFF_LEVELS": 0.0},
    ", _BLURRED = 0": {"stillness._BLURRED": 0.0},
    ", _SOFT_PX = 0": {"place.trembling._SOFT_PX": 0.05},
    ", not laid back": {"place.trembling._MOST_PX": 0.0},
}
"""What is measured with another limit."""


class Figures:
    """Figures by name."""

    def __init__(self) -> None:
        self._all = defaultdict[str, list[float]](list)

    def add(self, name: str, figure: float) -> None:
        self._all[name].append(figure)

    def say(self) -> None:
        for name, figures in sorted(self._all.items()):
            least, low, middle, high, most = np.quantile(figures, (0, 0.05, 0.5, 0.95, 1)).round(3)
            print(f"{name:48} {len(figures):5}  {least:9} {low:9} {middle:9} {high:9} {most:9}")


def main(folders: list[str]) -> None:
    """Measures each table, and prints the figures of all."""
    cv2.setNumThreads(1)
    figures = Figures()
    for folder in folders:
        table = Table(Path(folder))
        stands = [stand for stand in table.stands if not stand.is_bumped]
        for stand in stands[:BOARDS]:
            untouched(table, stand, figures)
        for stand in stands:
            touched(table, stand, figures)
    print(f"{'':48} {'n':>5}  {'least':>9} {'5 %':>9} {'median':>9} {'95 %':>9} {'most':>9}")
    figures.say()


def untouched(table: Table, stand: Stand, figures: Figures) -> None:
    """What changes while nobody touches the board."""
    picture, profile = table.picture(stand.file), table.reader.profile
    follower = Follower(profile.bare, profile.camera, profile.plan)
    canvas = Canvas(profile.plan.side_mm, stillness.PX_PER_MM)
    scene = Scene(picture)
    for name, (wobble_px, shadows) in CAMERAS.items():
        rng = np.random.default_rng(1)
        moments = list(islice(weather(rng, RATE_HZ, wobble_px, shadows), round(SECONDS * RATE_HZ)))
        frames = [scene.develop(moment, rng) for moment in moments]
        laying = Laying.of(follower.follow(frames[0]).camera or profile.camera, canvas)
        smalls = [laying.lay(frame) for frame in frames]
        for what, limits in OTHERWISE.items():
            with limited(limits):
                for crowd in crowds(smalls):
                    figures.add(f"crowd, untouched, {name}{what}", crowd)
        stilled, offs = laid_back(smalls)
        for k in range(1, len(smalls)):
            if moments[k].shadow is None and moments[k - 1].shadow is None:
                figures.add(f"light, frame to frame, {name}", stillness.relit(stilled[k], stilled[k - 1]))
        figures.add(f"off at most (px), {name}", float(np.linalg.norm(offs, axis=1).max()))
        for k in range(trembling._FRAMES, len(smalls)):
            median = np.median(offs[k + 1 - trembling._FRAMES : k + 1], axis=0)
            figures.add(f"off in the median (px), {name}", float(np.linalg.norm(median)))


def touched(table: Table, stand: Stand, figures: Figures) -> None:
    """What changes where a piece is lifted or moved, or a die goes."""
    profile, rng = table.reader.profile, np.random.default_rng(2)
    picture, bare = table.picture(stand.file), table.picture(EMPTY)
    canvas = Canvas(profile.plan.side_mm, stillness.PX_PER_MM)
    laying = Laying.of(profile.camera, canvas)
    before = laying.lay(Scene(picture).develop(Moment(), rng))
    for name, at, changed in changes(table, stand, picture, bare):
        after = Scene(changed)
        middle = np.rint(canvas.px([at])[0]).astype(int)
        reach = round(ROUND_MM * stillness.PX_PER_MM)
        here = tuple(slice(max(0, k - reach), k + reach + 1) for k in (middle[1], middle[0]))
        for camera, (wobble_px, _) in CAMERAS.items():
            x, y = rng.normal(0, wobble_px * 2**0.5, 2)
            frame = laying.lay(after.develop(replace(Moment(), shift_px=(float(x), float(y))), rng))
            figures.add(f"crowd, {name}, {camera}", crowds([before, frame], here)[0])


def changes(
    table: Table, stand: Stand, picture: Image, bare: Image
) -> Iterator[tuple[str, tuple[float, float], Image]]:
    """What is changed, where (mm), and the picture with it."""
    profile = table.reader.profile
    for piece in lone(stand)[:PIECES]:
        gone = without(picture, bare, profile.camera, piece.xy_mm)
        yield "lifted", piece.xy_mm, gone
        for cell in islice(goals(table.plan, stand, piece), 1):
            there = table.plan.centre_mm(cell)
            yield "moved", there, put(picture, gone, profile, piece.xy_mm, there)
    for die in stand.dice:
        if all(np.abs(np.subtract(piece.xy_mm, die.xy_mm)).max() > ROUND_MM for piece in stand.pieces):
            yield "die gone", die.xy_mm, without(picture, bare, profile.camera, die.xy_mm)


def crowds(smalls: list[Image], here: tuple[slice, ...] = (slice(None), slice(None))) -> list[int]:
    """For each picture but the first, the most changed places that lie together."""
    most, trembles = [], Trembling(smalls[0])
    for small in smalls[1:]:
        laid = trembles.stilled(small, is_other=True)
        changed = stillness._changed(laid, smalls[0], trembles.shaken_px)
        most.append(0 if changed is None else int(stillness._crowd(changed)[here].max()))
    return most


def laid_back(smalls: list[Image]) -> tuple[list[Image], np.ndarray]:
    """The pictures laid back on the first, and by how much each was."""
    trembles, offs = Trembling(smalls[0]), []
    stilled = []
    for small in smalls:
        stilled.append(trembles.stilled(small, is_other=True))
        offs.append(trembles._offs[-1])
    return stilled, np.array(offs)


@contextmanager
def limited(limits: dict[str, float]) -> Iterator[None]:
    """Some limits otherwise, while it lasts."""
    with ExitStack() as otherwise:
        for name, value in limits.items():
            otherwise.enter_context(mock.patch(f"uckers_table.vision.{name}", value))
        yield


if __name__ == "__main__":
    main(sys.argv[1:])
