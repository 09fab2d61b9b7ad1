#!/usr/bin/env python3
"""Fits the net of `dice_net` on labelled tables, and says how well it tells others.

    python scripts/fit_dice.py TABLE_DIR… --held TABLE_DIR… --out uckers_table/vision/dice_net.npz

A table's folder holds empty.jpg, start.jpg, other frames and labels.json. Those that it was fitted on are
full of dice: `tests/vision/path_traced … --full-of dice`. Of each frame it learns what is at all spots that
may be pips, round dice, on pieces and anywhere; turned, mirrored, in other light and colours, with noise.
Some simulated tables are learned besides, where dice touch.

It needs torch, which nothing else here does: pip install torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from labelled import LabelledTable
from learned import ConvNet, OtherLight, Tensor, asked, functional, keep, learn, torch

from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Scene, WoodenPiece
from uckers_table.vision.dice import dice, dice_net
from uckers_table.vision.dice.dice_net import (
    CLASSES,
    LEANS,
    NONE,
    PX_PER_MM,
    SIZE,
    STRIDES,
    from_lens,
    patches,
)
from uckers_table.vision.dice.second_look import Height
from uckers_table.vision.dice.stance import SeenScene as Look
from uckers_table.vision.picture.arrays import Floats
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.place.camera import CameraModel

STORED, TURNED = 56, np.radians(12)
"""Pixels a side of what is kept of a place: enough to be turned by so much either way."""
OWN_MM, CLOSE_MM = 8.0, 19.0
"""A place so near a die's middle is of that die, and one that is not so far away of nothing that is sure."""
ROUND_A_DIE, ANYWHERE = 3, 12
"""More places of each die and of each frame."""
SEATS = ("red", "green", "yellow", "blue")
FRAMES_SIMULATED, LEANING_MM, ALONE = 6, 19.0, 4
"""Of each simulated table; how far a die is from the piece that it leans on; and how many lean on nothing."""
WIDTHS, INNER = (16, 24, 32, 48, 64, 64), 64
"""Of the convolutions, and of the layer after them."""
DICE, OTHERS = 80, 48
"""Of each step's examples."""
BALANCE, DEEPEST, GRADATION = 0.5, 1.1, 0.5
SMOOTHED, OFF_WEIGHT = 0.02, 0.03


@dataclass(frozen=True)
class Examples:
    """Patches (N, 8, 60, 60), what is there (N,), and where the die's middle is, mm from the place (N, 2)."""

    seen: npt.NDArray[np.float16]
    what: npt.NDArray[np.intp]
    off: npt.NDArray[np.float32]


class Noted:
    """Where spots were last found, and in which picture."""

    scene: Look | None = None
    spots_mm: Floats
    height_mm: Height

    def seen(self, finder: dice.DiceFinder, *args: Any) -> dice.Shown:
        """As `DiceFinder.seen`, but without a net, and noted."""
        shown = finder.by_pips(*args)
        self.scene, self.spots_mm, self.height_mm = shown.scene, shown.pips_mm, finder.height_at
        return shown

    def watch(self) -> None:
        """From now on."""
        dice.DiceFinder.seen = lambda finder, *args: self.seen(finder, *args)
        dice.DiceFinder.with_unseen = lambda finder, shown, tops: shown.dice


def examples(folder: Path, draw: np.random.Generator) -> Examples:
    """Those of one table."""
    noted = Noted()
    noted.watch()
    table = LabelledTable(folder)
    parts = []
    for frame in table.frames():
        noted.scene = None
        table.reader.look(frame.image)
        if noted.scene is None:
            continue
        lying = [(value_of(die), middle_of(noted, die)) for die in frame.dice if is_there(die)]
        pieces = [seen_at(noted, piece["px"], dice.DIE_MM) for piece in frame.pieces]
        parts.append(of_frame(noted, lying, pieces, table.reader.plan.side_mm, draw))
    return joined(parts)


def simulated(seed: int, draw: np.random.Generator) -> Examples:
    """Those of one simulated table, where dice may touch each other."""
    noted, plan = Noted(), Plan(Board(SEATS))
    noted.watch()
    renderer = Renderer(plan, look_for(seed), seed=seed)
    view = renderer.view
    middle_px = (view.width - 1) / 2, (view.height - 1) / 2
    lens = CameraModel(view.width, view.height, view.focal_px, *middle_px, view.k1, (0.0,) * 3, (0.0,) * 3)
    camera = lens.moved(cv2.Rodrigues(view.rotation)[0], view.translation)
    finder = dice.DiceFinder(renderer.empty, camera, plan.side_mm)
    parts = []
    for _ in range(FRAMES_SIMULATED):
        scene = dealt(draw)
        finder.seen(Halves(renderer.frame(scene)), camera)
        lying = []
        for die in scene.dice:
            tilt, lean = np.radians(die.tilt_deg), np.radians(die.lean_deg)
            up = dice.DIE_MM / 2 * (2 * np.cos(tilt) + np.sin(tilt))
            aside = dice.DIE_MM / 2 * np.sin(tilt) * np.array([np.cos(lean), np.sin(lean)])
            seen = camera.project([[die.x_mm + aside[0], die.y_mm + aside[1], -up]])
            value = LEANS if die.state == "cocked" else die.value
            lying.append((value, camera.unproject(seen, dice.DIE_MM)[0]))
        pieces = [np.array([piece.x_mm, piece.y_mm]) for piece in scene.pieces]
        parts.append(of_frame(noted, lying, pieces, plan.side_mm, draw))
    return joined(parts)


def dealt(draw: np.random.Generator) -> Scene:
    """A simulated board with pieces anywhere, dice that lean on some of them and dice that lie flat."""
    taken: list[tuple[float, float]] = []

    def place(apart_mm: float, near: tuple[float, float] | None = None) -> tuple[float, float] | None:
        for _ in range(100):
            x, y = draw.uniform(25, 585, 2)
            if near is not None:
                way = draw.uniform(0, 2 * np.pi)
                x, y = near[0] + LEANING_MM * np.cos(way), near[1] + LEANING_MM * np.sin(way)
            others = [other for other in taken if other != near]
            if all(np.hypot(x - a, y - b) > apart_mm for a, b in others) and 12 < min(x, y) < max(x, y) < 598:
                taken.append((float(x), float(y)))
                return taken[-1]
        return None

    pieces = [WoodenPiece(k % 4, 1, *at, grain=k) for k in range(14) if (at := place(26))]
    lying = []
    for piece in pieces[:5]:
        if at := place(24, (piece.x_mm, piece.y_mm)):
            lean = float(np.degrees(np.arctan2(at[1] - piece.y_mm, at[0] - piece.x_mm)))
            tilt = draw.uniform(18, 38)
            lying.append(Die(int(draw.integers(1, 7)), *at, lean, float(tilt), lean, "cocked"))
    for _ in range(ALONE):
        if at := place(24):
            turn, tilt, lean = (float(draw.uniform(*span)) for span in ((0, 90), (18, 38), (0, 360)))
            lying.append(Die(int(draw.integers(1, 7)), *at, turn, tilt, lean, "cocked"))
    for k in range(8):
        near = (lying[-1].x_mm, lying[-1].y_mm) if k % 3 == 2 and lying[-1].state == "flat" else None
        if at := place(24, near):
            lying.append(Die(int(draw.integers(1, 7)), *at, float(draw.uniform(0, 90))))
    return Scene(tuple(pieces), tuple(lying))


def of_frame(
    noted: Noted,
    lying: Sequence[tuple[int, Floats]],
    pieces: Sequence[Floats],
    side_mm: float,
    draw: np.random.Generator,
) -> Examples:
    """Those of one frame: `lying` says what dice are and where their upper faces' middles are seen."""
    assert noted.scene is not None
    middles = np.array([at for _, at in lying]).reshape(-1, 2)
    places = [
        *noted.spots_mm,
        *(at + draw.uniform(-7, 7, 2) for at in middles for _ in range(ROUND_A_DIE)),
        *(at + draw.uniform(-9, 9, 2) for at in pieces),
        *draw.uniform(5, side_mm - 5, (ANYWHERE, 2)),
    ]
    seen, what, off = [], [], []
    for place in places:
        away = np.linalg.norm(middles - place, axis=1)
        nearest = int(away.argmin()) if len(away) else 0
        least = float(away.min(initial=np.inf))
        if OWN_MM <= least < CLOSE_MM:
            continue
        at, height = place[None], [noted.height_mm(place)]
        seen.append(patches(noted.scene, at, height, size=STORED)[0].astype(np.float16))
        what.append(lying[nearest][0] if least < OWN_MM else NONE)
        axes = from_lens(noted.scene.camera, at, height)[1][0]
        off.append(axes @ (middles[nearest] - place) if least < OWN_MM else np.zeros(2))
    return Examples(np.array(seen), np.array(what), np.array(off, dtype=np.float32))


def joined(parts: Sequence[Examples]) -> Examples:
    """All of them."""
    return Examples(*(np.concatenate(part) for part in zip(*(vars(p).values() for p in parts), strict=True)))


def value_of(die: dict[str, Any]) -> int:
    """What the net is to say of a labelled die."""
    return LEANS if die["state"] == "cocked" else int(die["value"])


def is_there(die: dict[str, Any]) -> bool:
    """Whether a labelled die lies where the camera sees some of it."""
    return die["state"] != "absent" and die["visible"] > 0


def middle_of(noted: Noted, die: dict[str, Any]) -> Floats:
    """Where on the plan the middle of its upper face is seen, as if it lay flat there."""
    return seen_at(noted, die["px"], noted.height_mm(np.array(die["xy_mm"])))


def seen_at(noted: Noted, px: Sequence[float], height_mm: float) -> Floats:
    """Where on the plan something of that height is that is seen there."""
    assert noted.scene is not None
    return noted.scene.camera.unproject(np.array([px], dtype=np.float64), height_mm)[0]


def altered(some: Examples) -> tuple[Tensor, Tensor]:
    """Patches (N, 8, 40, 40) of examples and where in them the dice are, as other tables might show them."""
    seen, off = torch.from_numpy(some.seen.astype(np.float32)), torch.from_numpy(some.off)
    count = len(seen)
    # What comes to u (mm from the middle) was at `way` u + `shift`.
    turn, mirror = (torch.rand(count) * 2 - 1) * TURNED, (torch.rand(count) < 0.5).float() * 2 - 1
    c, s = torch.cos(turn), torch.sin(turn)
    turned = torch.stack([torch.stack([c, -s * mirror], -1), torch.stack([s, c * mirror], -1)], 1)
    way = turned * (1 + 0.16 * (torch.rand(count) - 0.5))[:, None, None]
    shift = (torch.rand(count, 2) - 0.5) * 3
    along = (torch.arange(SIZE) + 0.5 - SIZE / 2) / PX_PER_MM
    places = torch.stack(torch.meshgrid(along, along, indexing="xy"), -1).reshape(1, -1, 2)
    at = (places @ way.transpose(1, 2) + shift[:, None]) * PX_PER_MM / (STORED / 2)
    off = torch.linalg.solve(way, off - shift)
    lens = (seen[:, 6:, 0, 0][:, None] @ turned)[:, 0]
    colours = functional.grid_sample(
        seen[:, :6], at.reshape(count, SIZE, SIZE, 2), padding_mode="border", align_corners=False
    )
    light = OtherLight(count, BALANCE, DEEPEST, GRADATION)
    now, bare = light.seen(colours[:, :3]), light.on(colours[:, 3:])
    return torch.cat([now, bare, lens[:, :, None, None].expand(-1, -1, SIZE, SIZE)], 1), off


def batches(some: Examples, draw: np.random.Generator) -> Iterator[Examples]:
    """Examples for step after step, dice and others."""
    others, own = (np.flatnonzero(mask) for mask in (some.what == NONE, some.what != NONE))
    while True:
        chosen = np.concatenate([draw.choice(own, DICE), draw.choice(others, OTHERS)])
        yield Examples(*(values[chosen] for values in vars(some).values()))


def loss(net: ConvNet, some: Examples) -> Tensor:
    """How badly it tells dice, and where they are."""
    seen, off = altered(some)
    what, said = torch.from_numpy(some.what), net(seen)
    told = functional.cross_entropy(said[:, :CLASSES], what, label_smoothing=SMOOTHED)
    is_die = (what != NONE).float()
    placed = ((said[:, CLASSES:] - off / dice_net.OFF_MM).abs().sum(1) * is_die).sum() / is_die.sum()
    return told + OFF_WEIGHT * placed


def scored(net: ConvNet, held: Examples) -> str:
    """How many of the places held back it tells rightly."""
    first = (STORED - SIZE) // 2
    part = slice(first, first + SIZE)
    said = net.said(held.seen[:, :, part, part].astype(np.float32))[:, :CLASSES].argmax(axis=1)
    own, right = held.what != NONE, said == held.what
    flat = own & (held.what != LEANS)
    return (
        f"held back: {right[own].mean():.2%} of {own.sum()} on dice, {right[~own].mean():.2%} of others; "
        f"{(said[flat] == LEANS).mean():.2%} of flat dice seem to lean, "
        f"{(said[own & ~flat] == LEANS).mean():.2%} of those that do"
    )


def main() -> None:
    """Fits, prints and writes."""
    args = asked(__doc__, may_go_on=True)
    draw = np.random.default_rng(0)
    held = joined([examples(table, draw) for table in args.held])
    some = joined(
        [
            *(examples(table, draw) for table in args.tables),
            *(simulated(seed, draw) for seed in range(args.simulated)),
        ]
    )
    print(f"{len(some.what)} places, {(some.what != NONE).sum()} on dice", flush=True)
    net = ConvNet((8, SIZE, SIZE), WIDTHS, STRIDES, INNER, CLASSES + 2)
    each = batches(some, draw)
    if args.go_on_from:
        net.go_on_from(args.go_on_from, torch.cat([altered(next(each))[0] for _ in range(4)]))
    learn(net, lambda: loss(net, next(each)), args, partial(scored, net, held))
    keep(net, args)


if __name__ == "__main__":
    main()
