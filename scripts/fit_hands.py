#!/usr/bin/env python3
"""Fits the net of `hand_net` on labelled tables, and says how well it tells others.

    python scripts/fit_hands.py TABLE_DIR… --held TABLE_DIR… --out uckers_table/vision/hand_net.npz

A table's folder holds empty.jpg, start.jpg, other frames and labels.json. Of points of the board's edge it
learns whether a hand is there: `tests/vision/path_traced … --full-of hands` says what it hides. Tables
without hands are learned besides, for their shadows, and some simulated ones.

It needs torch, which nothing else here does: pip install torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from labelled import START, LabelledTable
from learned import ConvNet, OtherLight, Tensor, asked, functional, keep, known, learn, mixed, torch
from towers import dealt, simulated_table

from uckers_table.game.board import Board, Plan
from uckers_table.simulator.optics import Viewpoint
from uckers_table.simulator.scene import Hand
from uckers_table.simulator.solids import hand_limbs
from uckers_table.vision.hands.hand_net import CHANNELS, OUTPUTS, SIZE, STRIDES, points, strip, windows
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.nets.net import Patches
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.reader import Reader

HAND_MM, CLEAR_MM = 12.0, 55.0
"""At a point of the edge is a hand that hides anything so near it, within or without; and none if it hides
nothing so near.
"""
NONE_A_SIDE = 7
"""So many points that no hand hides where most has changed, and as many others."""
FRAMES_SIMULATED, TIPS_MM = 10, (-25.0, 635.0)
"""Of each simulated table; and where the finger tips are, down and across."""
WIDTHS, INNER = (16, 24, 32, 48, 48), 48
"""Of the convolutions, and of the layer after them."""
AT_ONCE, EASY = 100, 20
"""Examples of each step, and those of simulated tables among them."""
BALANCE, DEEPEST = 0.5, 0.9
CUT = 0.2
"""The share of points beside which little or nothing of the table is in the picture."""
MOVED_PX = 3
STORED = SIZE + 2 * MOVED_PX
"""Pixels a side of what is kept of a point: enough to be moved."""
SMOOTHED = 0.01


Place = tuple[float, float]


@dataclass(frozen=True)
class Examples:
    """Points of the edge as they are seen (N, CHANNELS, STORED, STORED), and whether a hand is there."""

    seen: npt.NDArray[np.floating]
    is_hand: npt.NDArray[np.bool_]

    def where(self, some: npt.NDArray[np.intp]) -> Examples:
        """Only those."""
        return Examples(self.seen[some], self.is_hand[some])

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """All of them."""
        return cls(np.concatenate([p.seen for p in parts]), np.concatenate([p.is_hand for p in parts]))


class Noted:
    """What the reader last saw when it looked for hands."""

    def __init__(self) -> None:
        self._seen: Evidence | None = None
        noted = self

        def note(reader: Reader, seen: Evidence, soft: Image) -> None:
            noted._seen = seen

        Reader._hand = note  # type: ignore[method-assign]

    def examples(
        self, reader: Reader, picture: Image, hides_mm: Sequence[Place], draw: np.random.Generator
    ) -> Iterator[Examples]:
        """Those of one picture, side by side; a hand hides these places of the plan."""
        self._seen = None
        reader.look(picture)
        if self._seen is None:
            return
        canvas = reader.canvas
        columns = points(canvas)
        along_mm = canvas.mm(2.0 * columns + 0.5)
        for quarter in range(4):
            seen = windows(strip(self._seen, canvas, quarter, STORED), columns)
            far = far_from_hidden(hides_mm, quarter, canvas.side_mm, along_mm)
            none = np.flatnonzero(far > CLEAR_MM)
            change = np.abs(seen[none, :3] - seen[none, 3:6]).mean(axis=(1, 2, 3))
            most = none[np.argsort(-change)]
            kept = np.concatenate([most[:NONE_A_SIDE], draw.permutation(most[NONE_A_SIDE:])[:NONE_A_SIDE]])
            some = np.concatenate([np.flatnonzero(far < HAND_MM), kept])
            yield Examples(seen[some].astype(np.float16), far[some] < HAND_MM)


def examples(folder: Path, noted: Noted, draw: np.random.Generator) -> Iterator[Examples]:
    """Those of one table, but of frames with a hand of which it is not told what it hides."""
    table = LabelledTable(folder)
    for frame in table.frames(with_hands=True):
        hides_mm = [] if frame.hand is None else frame.hand.get("hides_mm")
        if frame.file != START and hides_mm is not None:
            yield from noted.examples(table.reader, frame.image, [(x, y) for x, y in hides_mm], draw)


def of_simulated(seed: int, noted: Noted, draw: np.random.Generator) -> Iterator[Examples]:
    """Those of one simulated table, a hand over it in every frame."""
    plan = Plan(Board())
    renderer, reader = simulated_table(seed, plan)
    far = np.arange(-55.0, plan.side_mm + 56, 10)
    plane = np.stack(np.meshgrid(far, far), axis=-1).reshape(-1, 2)
    for _ in range(FRAMES_SIMULATED):
        hand = Hand(*draw.uniform(*TIPS_MM, 2).tolist(), float(draw.uniform(0, 360)))
        scene, _ = dealt(plan, draw)
        hides_mm = [(float(x), float(y)) for x, y in plane[hidden_by(hand, renderer.view, plane)]]
        yield from noted.examples(reader, renderer.frame(replace(scene, hands=(hand,))), hides_mm, draw)


def hidden_by(hand: Hand, view: Viewpoint, places: Floats) -> npt.NDArray[np.bool_]:
    """Which places of the plan (N, 2) a simulated hand hides."""
    seen = view.project(np.column_stack([places, np.zeros(len(places))]))
    out = np.zeros(len(places), dtype=bool)
    for limb in hand_limbs(hand):
        both = np.stack([limb.start, limb.end])
        depth = (both @ view.rotation.T + view.translation)[:, 2]
        wide = np.array([limb.start_mm, limb.end_mm]) * view.focal_px / depth
        start, end = view.project(both)
        along = end - start
        share = np.clip((seen - start) @ along / (along @ along), 0, 1)
        off = seen - start - share[:, None] * along
        out |= np.hypot(off[:, 0], off[:, 1]) < wide[0] + share * (wide[1] - wide[0])
    return out


def far_from_hidden(hides_mm: Sequence[Place], quarter: int, side_mm: float, along_mm: Floats) -> Floats:
    """How far (N,) points of a side's edge lie from what a hand hides."""
    if not hides_mm:
        return np.full(len(along_mm), np.inf)
    x, y = np.array(hides_mm, dtype=np.float64).T
    along, inside = ((x, y), (y, side_mm - x), (side_mm - x, side_mm - y), (side_mm - y, x))[quarter]
    return np.asarray(np.hypot(along_mm[:, None] - along, inside).min(axis=1))


def cut(seen: npt.NDArray[np.floating]) -> Patches:
    """Stored points as the net sees them."""
    return seen[:, :, MOVED_PX : MOVED_PX + SIZE, MOVED_PX : MOVED_PX + SIZE].astype(np.float32)


def altered(seen: npt.NDArray[np.floating]) -> Tensor:
    """Stored points as the net sees them, as other tables might show them."""
    moved = torch.randint(0, 2 * MOVED_PX + 1, (2,)).tolist()
    part = torch.from_numpy(
        seen[:, :, moved[0] : moved[0] + SIZE, moved[1] : moved[1] + SIZE].astype(np.float32)
    )
    is_mirrored = (torch.rand(len(part)) < 0.5)[:, None, None, None]
    part = torch.where(is_mirrored, part.flip(3), part)
    light = OtherLight(len(part), BALANCE, DEEPEST)
    now, bare, known = part.split((3, 3, 1), 1)
    # Of some the picture ends close beside the board: no more of the table, above its edge, is known.
    ends = torch.where(torch.rand(len(part)) < CUT, torch.randint(0, SIZE // 2, (len(part),)), 0)
    known = known * (torch.arange(SIZE)[:, None] >= ends[:, None, None, None])
    return torch.cat([light.seen(now) * known, light.on(bare) * known, known], 1)


def drawn(some: Examples, count: int, draw: np.random.Generator) -> Iterator[Examples]:
    """So many examples again and again, half of them hands'."""
    chance = np.where(some.is_hand, 1 / some.is_hand.sum(), 1 / (~some.is_hand).sum()) / 2
    while True:
        yield some.where(draw.choice(len(chance), count, p=chance))


def loss(net: ConvNet, some: Examples) -> Tensor:
    """How badly it tells examples."""
    said = net(altered(some.seen))[:, 0]
    is_hand = torch.from_numpy(some.is_hand).float()
    return functional.binary_cross_entropy_with_logits(said, is_hand * (1 - 2 * SMOOTHED) + SMOOTHED)


def scored(net: ConvNet, held: Examples) -> str:
    """How many of those held back it tells rightly."""
    said = net.said(cut(held.seen))[:, 0]
    parts = []
    for name, some in (("hands", held.is_hand), ("others", ~held.is_hand)):
        wrong = (said[some] > 0) != held.is_hand[some]
        nats = np.logaddexp(0, np.where(held.is_hand[some], -1, 1) * said[some]).mean()
        parts.append(f"{wrong.sum()} of {some.sum()} {name} wrong, {nats:.3f} nats")
    return f"held back: {'; '.join(parts)}"


def main() -> None:
    """Fits, prints and writes."""
    args = asked(__doc__, may_go_on=True)
    draw, noted = np.random.default_rng(0), Noted()
    held, sources = known(
        args,
        lambda folder: examples(folder, noted, draw),
        lambda seed: of_simulated(seed, noted, draw),
        Examples.joined,
        AT_ONCE,
        EASY,
    )
    counts = (f"{len(some.is_hand)} points, {some.is_hand.sum()} of hands" for some, _ in sources)
    print("; ".join(counts), flush=True)
    net = ConvNet((CHANNELS, SIZE, SIZE), WIDTHS, STRIDES, INNER, OUTPUTS)
    each = mixed([drawn(some, count, draw) for some, count in sources], Examples.joined)
    if args.go_on_from:
        net.go_on_from(args.go_on_from, torch.cat([altered(next(each).seen) for _ in range(4)]))
    learn(net, lambda: loss(net, next(each)), args, partial(scored, net, held))
    keep(net, args)


if __name__ == "__main__":
    main()
