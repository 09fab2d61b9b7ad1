#!/usr/bin/env python3
"""Fits a net of `stack_net` on labelled tables, and says how well it tells others.

    python scripts/fit_stacks.py TABLE_DIR… --held TABLE_DIR… --out uckers_table/vision/stack_net.npz

With `--fine` that which sees more finely, `stack_net_fine.npz`. A table's folder holds empty.jpg, start.jpg,
other frames and labels.json. Those that it was fitted on are full of towers: `tests/vision/path_traced …
--full-of towers`. Of each top that the reader finds it learns how many pieces stand there and whose;
mirrored, in other light and colours, with noise. Some simulated tables are learned besides.

It needs torch, which nothing else here does: pip install torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from labelled import START, LabelledTable
from learned import ConvNet, Tensor, asked, functional, keep, known, learn, mixed, torch
from towers import Learned, dealt, joined, kept, simulated_table, stacked

from uckers_table.game.board import Board, Plan
from uckers_table.vision import reader as reading
from uckers_table.vision.picture.arrays import Floats
from uckers_table.vision.pieces import pieces
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.stack_net import (
    CHANNELS,
    COARSE,
    FINE,
    HIGHEST,
    OUTPUTS,
    STRIDES,
    Towers,
    features,
    towers,
)
from uckers_table.vision.place.camera import CameraModel

MOVED_MM = 5.0, 3.0
NEAR_MM = 6.0
"""So far at most a top is found from where it is."""
FRAMES_SIMULATED = 6
"""Of each simulated table."""
WIDTHS, INNER = {COARSE: (16, 24, 32, 48, 48), FINE: (24, 24, 32, 48, 48)}, 48
"""Of the convolutions, and of the layer after them."""
AT_ONCE, EASY, BY_HEIGHT = 120, 24, np.array([1.0, 1.0, 1.0, 0.4])
"""Examples of each step, those of simulated tables among them, and how often those of each height come up."""
SMOOTHED, COLOUR_WEIGHT = 0.01, 0.6


@dataclass(frozen=True)
class Examples:
    """Tops, how many pieces stand there (N,), and which below the top are its partner's (N, HIGHEST - 1)."""

    tops: Towers
    count: npt.NDArray[np.intp]
    is_partner: Floats

    def where(self, some: npt.NDArray[np.intp]) -> Examples:
        """Only those."""
        return Examples(self.tops.where(some), self.count[some], self.is_partner[some])

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """All of them."""
        return cls(
            joined([part.tops for part in parts]),
            np.concatenate([part.count for part in parts]),
            np.concatenate([part.is_partner for part in parts]),
        )


class Noted:
    """What was last found, and what is needed to look at tops as the reader does."""

    found: Sequence[Stack]

    def __init__(self, learned: Learned) -> None:
        self.found, self.learned = (), learned

    def find(self, seen: Any, shape: Any, colours: Any, *args: Any, scene: Any, **more: Any) -> list[Stack]:
        """As `pieces.find`, and noted."""
        self.found = pieces.find(seen, shape, colours, *args, **more)
        self.towers = partial(towers, scene, seen, shape)
        self.shape, self.colours = shape, colours if colours.ndim == 2 else colours[0]
        return list(self.found)

    def examples(
        self, camera: CameraModel, stacks: Sequence[tuple[Floats, Sequence[int]]]
    ) -> Examples | None:
        """Those of all that was found; `stacks` are where on the plan tops seem to lie, and the seats of the
        pieces there, from the top down.
        """
        height = self.shape.height_mm
        tops_mm = camera.lifted(np.array([(s.x_mm, s.y_mm) for s in self.found]).reshape(-1, 2), height)
        at_px, truths = [], []
        for stack, top_mm in zip(self.found, tops_mm, strict=True):
            off = [float(np.hypot(*(at - top_mm))) for at, _ in stacks]
            nearest = int(np.argmin(off)) if off else 0
            if off and off[nearest] < NEAR_MM and stacks[nearest][1][0] == stack.colour:
                at_px.append(self.shape.canvas.px(top_mm[None])[0])
                truths.append(stacks[nearest][1])
        if not at_px:
            return None
        claimed = np.array([top for top, s in zip(tops_mm, self.found, strict=True) if s.is_claimed])
        seen = self.towers(
            np.array(at_px),
            np.array([truth[0] for truth in truths]),
            self.colours,
            self.shape.canvas.px(claimed.reshape(-1, 2)),
            self.learned.stored,
        )
        seen = kept(seen)
        is_partner = np.zeros((len(truths), HIGHEST - 1))
        for row, truth in zip(is_partner, truths, strict=True):
            lower = [seat != truth[0] for seat in truth[1:HIGHEST]]
            row[: len(lower)] = lower
        return Examples(seen, np.array([min(len(truth), HIGHEST) for truth in truths]), is_partner)


def examples(folder: Path, learned: Learned) -> Iterator[Examples]:
    """Those of one table, frame by frame."""
    noted, table = Noted(learned), LabelledTable(folder)
    reading.find = noted.find  # type: ignore[assignment]
    seats = table.reader.profile.seats
    for frame in table.frames():
        looked = table.reader.look(frame.image)
        if frame.file == START or looked.camera is None:
            continue
        standing = [piece for piece in frame.pieces if piece["place"] != "floor"]
        stacks = [
            (
                looked.camera.unproject(np.array([stack[0]["px"]], dtype=np.float64))[0],
                [seats.index(piece["colour"]) for piece in stack],
            )
            for stack in stacked(standing)
        ]
        part = noted.examples(looked.camera, stacks)
        if part is not None:
            yield part


def of_simulated(seed: int, draw: np.random.Generator, learned: Learned) -> Iterator[Examples]:
    """Those of one simulated table, frame by frame."""
    noted, plan = Noted(learned), Plan(Board())
    renderer, reader = simulated_table(seed, plan)
    reading.find = noted.find  # type: ignore[assignment]
    for _ in range(FRAMES_SIMULATED):
        scene, stacks = dealt(plan, draw)
        looked = reader.look(renderer.frame(scene))
        if looked.camera is not None:
            height = reader.profile.piece_height_mm
            seen = [
                (looked.camera.lifted(np.array([at]), height * len(seats))[0], seats) for at, seats in stacks
            ]
            part = noted.examples(looked.camera, seen)
            if part is not None:
                yield part


def drawn(some: Examples, count: int, draw: np.random.Generator) -> Iterator[Examples]:
    """So many examples again and again, each height as often as `BY_HEIGHT` says."""
    often = np.bincount(some.count - 1, minlength=HIGHEST)
    chance = (BY_HEIGHT / np.maximum(often, 1))[some.count - 1]
    while True:
        yield some.where(draw.choice(len(chance), count, p=chance / chance.sum()))


def altered(some: Examples, learned: Learned) -> Tensor:
    """What the net sees of examples, as other tables might show them."""
    return torch.from_numpy(features(learned.altered(some.tops), learned.seen))


def loss(net: ConvNet, some: Examples, learned: Learned) -> Tensor:
    """How badly it tells heights and colours of examples."""
    said = net(altered(some, learned))
    count, is_partner = torch.from_numpy(some.count), torch.from_numpy(some.is_partner).float()
    there = (torch.arange(1, HIGHEST)[None] < count[:, None]).float()
    heights = functional.cross_entropy(said[:, :HIGHEST], count - 1, label_smoothing=SMOOTHED)
    colours = functional.binary_cross_entropy_with_logits(said[:, HIGHEST:], is_partner, reduction="none")
    return heights + COLOUR_WEIGHT * (colours * there).sum() / there.sum().clamp(min=1)


def scored(net: ConvNet, held: Examples, learned: Learned) -> str:
    """How many of those held back it tells rightly."""
    said = net.said(features(learned.cut(held.tops), learned.seen))
    right = said[:, :HIGHEST].argmax(axis=1) == held.count - 1
    there = np.arange(1, HIGHEST) < held.count[:, None]
    colours = ((said[:, HIGHEST:] > 0) == held.is_partner)[there]
    shares = ", ".join(
        f"{right[held.count == k].mean():.1%} of {(held.count == k).sum()} {k} high"
        for k in range(1, HIGHEST + 1)
        if (held.count == k).any()
    )
    return f"held back: {shares}; {colours.mean():.1%} of {there.sum()} colours"


def main() -> None:
    """Fits, prints and writes."""
    args = asked(__doc__, may_go_on=True, may_be_fine=True)
    draw, window = np.random.default_rng(0), FINE if args.fine else COARSE
    learned = Learned(window, MOVED_MM)
    held, sources = known(
        args,
        lambda folder: examples(folder, learned),
        lambda seed: of_simulated(seed, draw, learned),
        Examples.joined,
        AT_ONCE,
        EASY,
    )
    print(
        "; ".join(f"{len(some.count)} tops, {(some.count > 1).sum()} of stacks" for some, _ in sources),
        flush=True,
    )
    shape = CHANNELS, window.long, window.wide
    net = ConvNet(shape, WIDTHS[window], STRIDES[window], INNER, OUTPUTS)
    each = mixed([drawn(some, count, draw) for some, count in sources], Examples.joined)
    # Heights that come up less often are no less likely.
    less = torch.from_numpy(np.log(BY_HEIGHT)).float()
    if args.go_on_from:
        net.go_on_from(args.go_on_from, altered(next(each), learned))
        net.outer.bias.data[:HIGHEST] += less
    learn(net, lambda: loss(net, next(each), learned), args, partial(scored, net, held, learned))
    net.outer.bias.data[:HIGHEST] -= less
    keep(net, args)


if __name__ == "__main__":
    main()
