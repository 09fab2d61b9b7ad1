#!/usr/bin/env python3
"""Fits the net of `uckers_table.vision.hand_net` on labelled tables, and says how well it tells others.

    python scripts/fit_hands.py TABLE_DIR… --held TABLE_DIR… --out uckers_table/vision/hand_net.npz

A table's folder holds empty.jpg, start.jpg, other frames and labels.json. Of points of the board's edge it
learns whether a hand hides them: `tests/vision/path_traced … --full-of hands` says which those are. Tables
without hands are learned besides, for their shadows.

It needs torch, which nothing else here does: pip install torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from labelled import START, LabelledTable
from learned import ConvNet, OtherLight, Tensor, asked, functional, learn, torch

from uckers_table.vision.appearance import Evidence
from uckers_table.vision.camera import Floats, Image
from uckers_table.vision.hand_net import CHANNELS, OUTPUTS, SIZE, STRIDES, points, sides, windows
from uckers_table.vision.net import Patches
from uckers_table.vision.reader import Reader

HIDDEN_MM, CLEAR_MM = 7.0, 16.0
"""A point of the edge is hidden if one so near is, within and without; and is not if none so near is."""
BESIDE_MM = 5.0
"""So far from the edge, within and without, labels tell of it."""
NONE_A_SIDE = 7
"""So many points that no hand hides where most has changed, and as many others."""
WIDTHS, INNER = (16, 24, 32, 48, 48), 48
"""Of the convolutions, and of the layer after them."""
AT_ONCE = 100
"""Examples of each step."""
BALANCE, DEEPEST = 0.5, 0.9
MOVED_PX = 3
STORED = SIZE + 2 * MOVED_PX
"""Pixels a side of what is kept of a point: enough to be moved."""
SMOOTHED = 0.01


@dataclass(frozen=True)
class Examples:
    """Points of the edge as they are seen (N, CHANNELS, STORED, STORED), and whether a hand hides them."""

    seen: npt.NDArray[np.floating]
    is_hidden: npt.NDArray[np.bool_]

    def where(self, some: npt.NDArray[np.intp]) -> Examples:
        """Only those."""
        return Examples(self.seen[some], self.is_hidden[some])

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """All of them."""
        return cls(np.concatenate([p.seen for p in parts]), np.concatenate([p.is_hidden for p in parts]))


def examples(folder: Path, draw: np.random.Generator) -> Iterator[Examples]:
    """Those of one table, side by side of each frame."""
    noted: list[Evidence] = []

    def note(reader: Reader, seen: Evidence, soft: Image) -> None:
        noted.append(seen)

    Reader._hand = note  # type: ignore[method-assign]
    table = LabelledTable(folder)
    canvas = table.reader.canvas
    columns = points(canvas)
    along_mm = canvas.mm(2.0 * columns + 0.5)
    for frame in table.frames(with_hands=True):
        hides_mm = [] if frame.hand is None else frame.hand.get("hides_mm")
        if frame.file == START or hides_mm is None:
            continue
        noted.clear()
        table.reader.look(frame.image)
        for quarter, side in enumerate(sides(noted[0], canvas) if noted else ()):
            seen = windows(side, columns, canvas, STORED)
            far = far_from_hidden(hides_mm, quarter, canvas.side_mm, along_mm)
            none = np.flatnonzero(far > CLEAR_MM)
            change = np.abs(seen[none, :3] - seen[none, 3:6]).mean(axis=(1, 2, 3))
            most = none[np.argsort(-change)]
            kept = np.concatenate([most[:NONE_A_SIDE], draw.permutation(most[NONE_A_SIDE:])[:NONE_A_SIDE]])
            some = np.concatenate([np.flatnonzero(far < HIDDEN_MM), kept])
            yield Examples(seen[some].astype(np.float16), far[some] < HIDDEN_MM)


def far_from_hidden(
    hides_mm: Sequence[Sequence[float]], quarter: int, side_mm: float, along_mm: Floats
) -> Floats:
    """How far (N,) points of a side's edge lie from what of it a hand hides, within and without."""
    hidden = set()
    for x, y in hides_mm:
        hidden.add(((x, y), (y, side_mm - x), (side_mm - x, side_mm - y), (side_mm - y, x))[quarter])
    over = [along for along, out in hidden if out == -BESIDE_MM and (along, BESIDE_MM) in hidden]
    if not over:
        return np.full(len(along_mm), np.inf)
    return np.asarray(np.abs(along_mm[:, None] - np.array(over)).min(axis=1))


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
    return torch.cat([light.seen(now) * known, light.on(bare) * known, known], 1)


def drawn(some: Examples, count: int, draw: np.random.Generator) -> Iterator[Examples]:
    """So many examples again and again, half of them hidden."""
    chance = np.where(some.is_hidden, 1 / some.is_hidden.sum(), 1 / (~some.is_hidden).sum()) / 2
    while True:
        yield some.where(draw.choice(len(chance), count, p=chance))


def loss(net: ConvNet, some: Examples) -> Tensor:
    """How badly it tells examples."""
    said = net(altered(some.seen))[:, 0]
    is_hidden = torch.from_numpy(some.is_hidden).float()
    return functional.binary_cross_entropy_with_logits(said, is_hidden * (1 - 2 * SMOOTHED) + SMOOTHED)


def scored(net: ConvNet, held: Examples) -> str:
    """How many of those held back it tells rightly."""
    said = net.said(cut(held.seen))[:, 0]
    parts = []
    for name, some in (("hidden", held.is_hidden), ("not hidden", ~held.is_hidden)):
        wrong = (said[some] > 0) != held.is_hidden[some]
        nats = np.logaddexp(0, np.where(held.is_hidden[some], -1, 1) * said[some]).mean()
        parts.append(f"{wrong.sum()} of {some.sum()} {name} wrong, {nats:.3f} nats")
    return f"held back: {'; '.join(parts)}"


def main() -> None:
    """Fits, prints and writes."""
    args = asked(__doc__, may_simulate=False)
    draw = np.random.default_rng(0)
    held, known = (
        Examples.joined([part for table in some for part in examples(table, draw)])
        for some in (args.held, args.tables)
    )
    print(f"{len(known.is_hidden)} points, {known.is_hidden.sum()} hidden", flush=True)
    net = ConvNet((CHANNELS, SIZE, SIZE), WIDTHS, STRIDES, INNER, OUTPUTS)
    each = drawn(known, AT_ONCE, draw)
    learn(net, lambda: loss(net, next(each)), args.steps, partial(scored, net, held))
    net.save(args.out)


if __name__ == "__main__":
    main()
