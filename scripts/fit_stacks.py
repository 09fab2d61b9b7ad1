#!/usr/bin/env python3
"""Fits the net of `uckers_table.vision.stack_net` on labelled tables, and says how well it tells others.

    python scripts/fit_stacks.py TABLE_DIR… --held TABLE_DIR… --out uckers_table/vision/stack_net.npz

A table's folder holds empty.jpg, start.jpg, other frames and labels.json. Those that it was fitted on are
full of towers: `tests/vision/path_traced … --full-of towers`. Of each top that the reader finds it learns how
many pieces stand there and whose; mirrored, in other light and colours, with noise. Some simulated tables are
learned besides.

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
from labelled import START, LabelledTable, Piece
from learned import ConvNet, OtherLight, Tensor, asked, functional, learn, torch

from uckers_table.game.board import PIECES, Board, Plan
from uckers_table.simulator import scene as simulated
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.vision import pieces
from uckers_table.vision import reader as reading
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.camera import Camera, Floats
from uckers_table.vision.pieces import Stack
from uckers_table.vision.reader import Reader
from uckers_table.vision.stack_net import (
    CHANNELS,
    FIRST_MM,
    HIGHEST,
    LONG,
    OUTPUTS,
    PX_PER_MM,
    STRIDES,
    WIDE,
    Towers,
    features,
    towers,
)

STORED, STORED_FIRST_MM = (LONG + 14, WIDE + 12), -20.0
"""What is kept of a top: enough to be moved and stretched."""
NEAR_MM = 6.0
"""So far at most a top is found from where it is."""
STACKED_MM = 7.0
"""Pieces whose middles are so near to each other's stand on each other."""
SEATS = ("red", "green", "yellow", "blue")
FRAMES_SIMULATED, HEIGHTS = 6, (1, 1, 2, 2, 3, 4)
"""Of each simulated table; and how many pieces stand together there."""
WIDTHS, INNER = (16, 24, 32, 48, 48), 48
"""Of the convolutions, and of the layer after them."""
AT_ONCE, BY_HEIGHT = 120, np.array([1.0, 1.0, 1.0, 0.4])
"""Examples of each step, and how often those of each height come up."""
BALANCE, DEEPEST = 0.5, 0.9
MOVED_MM, STRETCHED, SHEARED = (5.0, 3.0), 0.1, 0.1
SMOOTHED, COLOUR_WEIGHT = 0.01, 0.3


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
        tops = zip(*(vars(part.tops).values() for part in parts), strict=True)
        return cls(
            Towers(*(np.concatenate(values) for values in tops)),
            np.concatenate([part.count for part in parts]),
            np.concatenate([part.is_partner for part in parts]),
        )


class Noted:
    """What was last found, and what is needed to look at tops as the reader does."""

    found: Sequence[Stack]

    def __init__(self) -> None:
        self.found = ()

    def find(self, seen: Any, shape: Any, colours: Any, *args: Any, scene: Any, **more: Any) -> list[Stack]:
        """As `pieces.find`, and noted."""
        self.found = pieces.find(seen, shape, colours, *args, **more)
        self.towers = partial(towers, scene, seen, shape)
        self.shape, self.colours = shape, colours if colours.ndim == 2 else colours[0]
        return list(self.found)

    def examples(self, camera: Camera, stacks: Sequence[tuple[Floats, Sequence[int]]]) -> Examples | None:
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
            STORED,
            STORED_FIRST_MM,
        )
        is_partner = np.zeros((len(truths), HIGHEST - 1))
        for row, truth in zip(is_partner, truths, strict=True):
            lower = [seat != truth[0] for seat in truth[1:HIGHEST]]
            row[: len(lower)] = lower
        return Examples(seen, np.array([min(len(truth), HIGHEST) for truth in truths]), is_partner)


def examples(folder: Path) -> Examples:
    """Those of one table."""
    noted, table = Noted(), LabelledTable(folder)
    reading.find = noted.find  # type: ignore[assignment]
    seats, parts = table.reader.profile.seats, []
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
        parts.append(noted.examples(looked.camera, stacks))
    return Examples.joined([part for part in parts if part is not None])


def stacked(standing: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces that stand on each other, from the top down."""
    stacks: list[list[Piece]] = []
    for piece in sorted(standing, key=lambda piece: int(piece["stack_level"])):
        for stack in stacks:
            apart = np.hypot(*np.subtract(stack[0]["xy_mm"], piece["xy_mm"]))
            if piece["stack_level"] and stack[0]["cell"] == piece["cell"] and apart < STACKED_MM:
                stack.insert(0, piece)
                break
        else:
            stacks.append([piece])
    return stacks


def of_simulated(seed: int, draw: np.random.Generator) -> Examples:
    """Those of one simulated table."""
    noted, plan = Noted(), Plan(Board(SEATS))
    renderer = Renderer(plan, look_for(seed), seed=seed)
    reader = Reader(calibrate(renderer.empty, renderer.start, SEATS))
    reading.find = noted.find  # type: ignore[assignment]
    parts = []
    for _ in range(FRAMES_SIMULATED):
        scene, stacks = dealt(plan, draw)
        looked = reader.look(renderer.frame(scene))
        if looked.camera is not None:
            height = reader.profile.piece_height_mm
            seen = [
                (looked.camera.lifted(np.array([at]), height * len(seats))[0], seats) for at, seats in stacks
            ]
            parts.append(noted.examples(looked.camera, seen))
    return Examples.joined([part for part in parts if part is not None])


def dealt(
    plan: Plan, draw: np.random.Generator
) -> tuple[simulated.Scene, list[tuple[tuple[float, float], list[int]]]]:
    """A simulated board, all its pieces on the track; where, and whose from the top down."""
    cells = [plan.track_cells[k] for k in draw.permutation(len(plan.track_cells))]
    left = [seat for seat in range(4) for _ in range(PIECES)]
    standing, stacks = [], []
    while left:
        team = [seat for seat in left if seat % 2 == left[0] % 2]
        seats = [int(s) for s in draw.permutation(team)[: draw.choice(HEIGHTS)]]
        for seat in seats:
            left.remove(seat)
        x, y = np.array(plan.centre_mm(cells.pop())) + draw.normal(0, 3, 2)
        for level, seat in enumerate(seats):
            at = np.array([x, y]) + draw.normal(0, 0.5, 2) * (level > 0)
            grain = int(draw.integers(1_000_000))
            standing.append(simulated.Piece(seat, 1, float(at[0]), float(at[1]), level, grain))
        stacks.append(((float(x), float(y)), seats[::-1]))
    return simulated.Scene(tuple(standing)), stacks


def cut(some: Towers) -> Towers:
    """Stored tops as the net sees them."""
    start = round((FIRST_MM - STORED_FIRST_MM) * PX_PER_MM), (STORED[1] - WIDE) // 2
    part = ..., slice(start[0], start[0] + LONG), slice(start[1], start[1] + WIDE)
    return Towers(some.now[part], some.bare[part], *list(vars(some).values())[2:])


def altered(some: Towers) -> Towers:
    """Stored tops as the net sees them, as other tables might show them."""
    count = len(some.now)
    mirror = (torch.rand(count) < 0.5).float() * 2 - 1
    stretch = 1 + STRETCHED * (torch.rand(count) - 0.5)
    shear = SHEARED * (torch.rand(count) - 0.5)
    shift = (torch.rand(count, 2) - 0.5) * torch.tensor(MOVED_MM)
    along = FIRST_MM + (torch.arange(LONG) + 0.5) / PX_PER_MM
    across = (torch.arange(WIDE) + 0.5 - WIDE / 2) / PX_PER_MM
    # What comes to (x, y), along and across, was at `way` (x, y) + `shift`.
    way = torch.stack(
        [
            torch.stack([stretch, torch.zeros(count)], -1),
            torch.stack([shear * stretch, stretch * mirror], -1),
        ],
        1,
    )
    places = torch.stack(torch.meshgrid(along, across, indexing="ij"), -1).reshape(1, -1, 2)
    was = places @ way.transpose(1, 2) + shift[:, None]
    at = torch.stack(
        [
            was[..., 1] * PX_PER_MM / (STORED[1] / 2),
            (was[..., 0] - STORED_FIRST_MM) * PX_PER_MM / (STORED[0] / 2) - 1,
        ],
        -1,
    ).reshape(count, LONG, WIDE, 2)
    pictures = torch.from_numpy(np.concatenate([some.now, some.bare], axis=1).astype(np.float32))
    now, bare = functional.grid_sample(pictures, at, padding_mode="border", align_corners=False).split(3, 1)
    light = OtherLight(count, BALANCE, DEEPEST)
    own, partner = (
        light.on(torch.from_numpy(paint.astype(np.float32))[:, :, None, None])[:, :, 0, 0]
        for paint in (some.own, some.partner)
    )
    others = np.linalg.solve(
        way.numpy()[:, None], np.where(np.isfinite(some.others), some.others, 1e6)[..., None]
    )
    others = others[..., 0] - np.linalg.solve(way.numpy(), shift.numpy()[..., None]).transpose(0, 2, 1)
    scale = stretch.numpy()
    return Towers(
        light.seen(now).numpy(),
        light.on(bare).numpy(),
        own.numpy(),
        partner.numpy(),
        some.lean_mm / scale,
        some.radius_mm / scale,
        others,
    )


def drawn(some: Examples, count: int, draw: np.random.Generator) -> Iterator[Examples]:
    """So many examples again and again, each height as often as `BY_HEIGHT` says."""
    often = np.bincount(some.count - 1, minlength=HIGHEST)
    chance = (BY_HEIGHT / np.maximum(often, 1))[some.count - 1]
    while True:
        yield some.where(draw.choice(len(chance), count, p=chance / chance.sum()))


def loss(net: ConvNet, some: Examples) -> Tensor:
    """How badly it tells heights and colours of examples."""
    said = net(torch.from_numpy(features(altered(some.tops))))
    count, is_partner = torch.from_numpy(some.count), torch.from_numpy(some.is_partner).float()
    there = (torch.arange(1, HIGHEST)[None] < count[:, None]).float()
    heights = functional.cross_entropy(said[:, :HIGHEST], count - 1, label_smoothing=SMOOTHED)
    colours = functional.binary_cross_entropy_with_logits(said[:, HIGHEST:], is_partner, reduction="none")
    return heights + COLOUR_WEIGHT * (colours * there).sum() / there.sum().clamp(min=1)


def scored(net: ConvNet, held: Examples) -> str:
    """How many of those held back it tells rightly."""
    said = net.said(features(cut(held.tops)))
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
    args = asked(__doc__)
    draw = np.random.default_rng(0)
    held, rendered = (
        Examples.joined([examples(table) for table in some]) for some in (args.held, args.tables)
    )
    sources = [(rendered, AT_ONCE)]
    if args.simulated:
        easy = Examples.joined([of_simulated(seed, draw) for seed in range(args.simulated)])
        sources = [(rendered, AT_ONCE * 4 // 5), (easy, AT_ONCE // 5)]
    print(
        "; ".join(f"{len(some.count)} tops, {(some.count > 1).sum()} of stacks" for some, _ in sources),
        flush=True,
    )
    net = ConvNet((CHANNELS, LONG, WIDE), WIDTHS, STRIDES, INNER, OUTPUTS)
    each = [drawn(some, count, draw) for some, count in sources]
    learn(
        net,
        lambda: loss(net, Examples.joined([next(one) for one in each])),
        args.steps,
        partial(scored, net, held),
    )
    with torch.no_grad():
        # Heights that came up less often are no less likely.
        net.outer.bias[:HIGHEST] -= torch.from_numpy(np.log(BY_HEIGHT)).float()
    net.save(args.out)


if __name__ == "__main__":
    main()
