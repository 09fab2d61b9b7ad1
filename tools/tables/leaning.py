"""How right odds of leaning dice are: `python -m tools.tables.leaning [TABLE_DIR…] [--simulated 741-745]`.

Of labelled tables and of simulated ones it prints, for dice that pips show or the net alone sees:

- how many of each kind have which nats of the net, and which of the stance;
- the constants of `uckers_table/vision/dice/lean.py` that fit them best (`--fit`);
- how many have which odds with the constants that stand there, beside how often such odds are right;
- how many are read as what, by how far they lean.

Dice of which the camera sees less than half the face are left out. Simulated tables are seen by worse cameras
than the net learned: soft, noisy, with a coarse JPEG.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tools.fits.labelled import LabelledTable
from tools.fits.tops import logistic
from tools.fits.watching import put_in_place
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Scene, WoodenPiece
from uckers_table.vision.dice import dice, lean
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.dice.second_look import SecondLook, closely, dice_elsewhere
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.place.camera import CameraModel

FACE, OFF_GRID, UNSEEN, BESIDE = "flat face", "no flat face", "net alone", "beside"
"""What pips show of a die: a flat face, pips that fit none, nothing, or a flat face beside the board."""
NEAR_MM = 9.0
"""A die is the labelled one whose face is seen so near (mm)."""
SEEN = 0.5
"""The least part of a die's face that the camera sees."""
FRAMES, LEANS_DEG = 2, (12.0, 38.0)
"""Frames of each simulated table, and how far dice lean in them."""
BLURS_PX, NOISES, QUALITIES = (0.0, 0.0, 0.4, 0.6, 0.75), (0.0, 2.0, 4.0, 6.0), (95, 90, 80, 70)
"""What a simulated camera has of each: one is drawn for a table. Softened more, pictures are refused."""
BANDS = (-99, -5, -4, -3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 99)
STANCES = (-999, -20, 0, 10, 20, 30, 40, 60, 80, 120, 999)
TILTS = (0, 1, 15, 20, 25, 30, 45)
SEATS = ("red", "green", "yellow", "blue")
PIECES, ON_PIECES, ALONE, FLAT, FLAT_BESIDE = 14, 4, 3, 6, 3
"""What a simulated frame has at most: pieces; dice that lean on some of them, and on nothing; dice that lie
flat anywhere, and beside a piece.
"""
LEANING_MM, BESIDE_MM, APART_MM = 19.0, 20.0, 24.0
"""From a piece's middle to that of a die that leans on it, of a flat one beside it, and of all else."""


@dataclass(frozen=True)
class Claim:
    """A die that is seen.

    `net`: its nats of leaning. `by`: what else shows of it. `others`: the log-odds (nats) by that.
    `stance`: the nats of its stance, nan where there is none. `leans`, `tilt_deg`: the truth.
    """

    net: float
    by: str
    others: float
    stance: float
    leans: bool
    tilt_deg: float

    @property
    def odds(self) -> float:
        """The log-odds (nats) of its leaning."""
        return lean.log_odds(self.net, self.others)


Truth = tuple[bool, float, Floats]
"""Whether a die leans, by how many degrees (nan: unknown), and where its face is seen (2,), in plan mm."""


def claims(shown: dice.Shown, finder: dice.DiceFinder, truth: Sequence[Truth]) -> Iterator[Claim]:
    """Those of one frame."""
    some = (*shown.dice.doubtful, *shown.dice.sure)
    at = np.array([(die.x_mm, die.y_mm) for die in some]).reshape(-1, 2)
    looks = closely(shown.scene, at, finder.height_at)
    seen: list[tuple[SecondLook, str, float]] = []
    for die, look in zip(some, looks, strict=True):
        by = OFF_GRID if die.value is None else BESIDE if die.state == "off_board" else FACE
        seen.append((look, by, shown.leans[die]))
    alone = dice_elsewhere(shown.scene, shown.pips_mm, finder.height_at, list(at))
    seen += [(look, UNSEEN, lean.UNSEEN) for look in alone]
    for leans, tilt, place in truth:
        own = [each for each in seen if np.hypot(*(each[0].middle - place)) < NEAR_MM]
        if own:
            look, by, others = min(own, key=lambda each: -each[0].is_die)
            stance = (others - lean.by_stance(0.0)) / lean.STANCE if by == FACE else np.nan
            yield Claim(look.leans, by, others, stance, leans, tilt)


class Noted:
    """What a finder of dice last saw by pips."""

    shown: dice.Shown | None = None
    finder: dice.DiceFinder

    def seen(self, finder: dice.DiceFinder, *args: Any) -> dice.Shown:
        """As `DiceFinder.seen`, but without a net, and noted."""
        self.finder, self.shown = finder, finder.by_pips(*args)
        return self.shown


def of_table(folder: Path) -> Iterator[Claim]:
    """Those of a labelled table."""
    noted = Noted()
    put_in_place(
        dice.DiceFinder,
        seen=lambda finder, *args: noted.seen(finder, *args),
        with_unseen=lambda finder, shown, tops: shown.dice,
    )
    table = LabelledTable(folder)
    for frame in table.frames():
        noted.shown = None
        if frame.dice:
            table.reader.look(frame.image)
        if noted.shown is not None:
            there = [die for die in frame.dice if die["state"] != "absent" and die["visible"] >= SEEN]
            camera, height = noted.shown.scene.camera, noted.finder.height_at
            truth = [
                (
                    die["state"] == "cocked",
                    die.get("tilt", np.nan),
                    camera.unproject(np.array([die["px"]]), height(np.array(die["xy_mm"])))[0],
                )
                for die in there
            ]
            yield from claims(noted.shown, noted.finder, truth)


def dealt(draw: np.random.Generator) -> Scene:
    """A simulated board with pieces anywhere, and dice that lean or lie flat."""
    taken: list[tuple[float, float]] = []

    def place(near: WoodenPiece | None = None, away_mm: float = 0.0) -> tuple[float, float, float] | None:
        """A free place, and the azimuth there from the piece that it is near."""
        for _ in range(100):
            way = draw.uniform(0, 2 * np.pi)
            x, y = draw.uniform(25, 585, 2)
            if near is not None:
                x, y = near.x_mm + away_mm * np.cos(way), near.y_mm + away_mm * np.sin(way)
            others = [at for at in taken if near is None or at != (near.x_mm, near.y_mm)]
            free = all(np.hypot(x - a, y - b) > APART_MM for a, b in others)
            if free and 12 < min(x, y) < max(x, y) < 598:
                taken.append((float(x), float(y)))
                return *taken[-1], float(np.degrees(way))
        return None

    pieces = [WoodenPiece(k % 4, 1, *at[:2], grain=k) for k in range(PIECES) if (at := place())]
    where = [place(piece, LEANING_MM) for piece in pieces[:ON_PIECES]] + [place() for _ in range(ALONE)]
    lying = [
        Die(
            int(draw.integers(1, 7)),
            x,
            y,
            float(draw.uniform(0, 90)),
            float(draw.uniform(*LEANS_DEG)),
            way,
            "cocked",
        )
        for x, y, way in (at for at in where if at)
    ]
    where = [place(piece, BESIDE_MM) for piece in pieces[-FLAT_BESIDE:]] + [place() for _ in range(FLAT)]
    lying += [Die(int(draw.integers(1, 7)), *at[:2], float(draw.uniform(0, 90))) for at in where if at]
    return Scene(tuple(pieces), tuple(lying))


def camera_of(renderer: Renderer) -> CameraModel:
    """The camera that takes a renderer's pictures, exactly where it is."""
    view = renderer.view
    middle_px = (view.width - 1) / 2, (view.height - 1) / 2
    lens = CameraModel(view.width, view.height, view.focal_px, *middle_px, view.k1, (0.0,) * 3, (0.0,) * 3)
    return lens.moved(cv2.Rodrigues(view.rotation)[0], view.translation)


def face_of(die: Die, camera: CameraModel) -> Floats:
    """Where on the plan the middle of a simulated die's upper face is seen, as if it lay flat there."""
    tilt, lean = np.radians(die.tilt_deg), np.radians(die.lean_deg)
    up = DIE_MM / 2 * (2 * np.cos(tilt) + np.sin(tilt))
    aside = DIE_MM / 2 * np.sin(tilt) * np.array([np.cos(lean), np.sin(lean)])
    seen = camera.project([[die.x_mm + aside[0], die.y_mm + aside[1], -up]])
    return np.asarray(camera.unproject(seen, DIE_MM)[0])


def simulated(seed: int) -> Iterator[Claim]:
    """Those of a simulated table."""
    draw, plan = np.random.default_rng(seed), Plan(Board(SEATS))
    renderer = Renderer(plan, look_for(seed), seed=seed)
    camera = camera_of(renderer)
    blur, noise, quality = (float(draw.choice(some)) for some in (BLURS_PX, NOISES, QUALITIES))

    def taken(picture: Image) -> Image:
        soft = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
        grained = np.clip(soft + draw.normal(0, noise, soft.shape), 0, 255).astype(np.uint8)
        jpeg = cv2.imencode(".jpg", grained, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])[1]
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)

    finder = dice.DiceFinder(taken(renderer.empty), camera, plan.side_mm)
    for _ in range(FRAMES):
        scene = dealt(draw)
        shown = finder.by_pips(Halves(taken(renderer.frame(scene))), camera)
        truth = [(die.state == "cocked", die.tilt_deg, face_of(die, camera)) for die in scene.dice]
        yield from claims(shown, finder, truth)


def print_bands(title: str, values: Sequence[float], leans: Sequence[bool], bands: Sequence[float]) -> None:
    print(f"{title:24} flat  leaning")
    for low, high in pairwise(bands):
        inside = Counter(lean for value, lean in zip(values, leans, strict=True) if low <= value < high)
        if inside:
            print(f"{low:8} to {high:<8}     {inside[False]:6} {inside[True]:6}")


def fitted(some: Sequence[Claim]) -> None:
    """Prints the constants that fit best, both kinds weighing the same."""
    kinds = FACE, OFF_GRID, UNSEEN, BESIDE
    looks = [
        [c.net, 0.0 if c.by != FACE else c.stance, *(float(c.by == kind) for kind in kinds)] for c in some
    ]
    leans = np.array([c.leans for c in some])
    weights, even = logistic(np.array(looks), leans)
    even -= np.log(leans.sum() / (~leans).sum())
    print(f"worth of a nat: net {weights[0]:.2f}, stance {weights[1]:.4f}; log-odds:")
    print(", ".join(f"{kind} {even + w:.2f}" for kind, w in zip(kinds, weights[2:], strict=True)))


def main() -> None:
    """Prints all of it."""
    ap = argparse.ArgumentParser(prog="python -m tools.tables.leaning", description=__doc__)
    ap.add_argument("tables", nargs="*", type=Path)
    ap.add_argument("--simulated", help="seeds from and to, as 701-720")
    ap.add_argument("--fit", action="store_true")
    args = ap.parse_args()
    some = [claim for folder in args.tables for claim in of_table(folder)]
    if args.simulated:
        first, last = map(int, args.simulated.split("-"))
        some += [claim for seed in range(first, last + 1) for claim in simulated(seed)]
    leans = [c.leans for c in some]
    print_bands("nats of the net", [c.net for c in some], leans, BANDS)
    for by in (FACE, OFF_GRID, UNSEEN, BESIDE):
        own = [c for c in some if c.by == by]
        if by == FACE:
            print_bands("nats of the stance", [c.stance for c in own], [c.leans for c in own], STANCES)
        print_bands(f"odds, {by}", [c.odds for c in own], [c.leans for c in own], BANDS)
    if args.fit:
        fitted(some)
    print_bands("odds", [c.odds for c in some], leans, BANDS)
    print("leans by      read flat  not told  cocked")
    for low, high in pairwise(TILTS):
        odds = [c.odds for c in some if low <= (c.tilt_deg if c.leans else 0.0) < high]
        flat, cocked = sum(o < lean.FLAT for o in odds), sum(o > lean.LEANS for o in odds)
        print(f"{low:2} to {high:2} deg {flat:10} {len(odds) - flat - cocked:9} {cocked:7}")


if __name__ == "__main__":
    main()
