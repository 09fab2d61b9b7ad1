"""What the two nets of `stack_net` learn: how many pieces stand under a top, and of whose colour.

Of each top that the reader finds they learn how many pieces stand there and whose; mirrored, in other light
and colours, with noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tools.fits.examples import Examples, chances
from tools.fits.labelled import START, LabelledTable
from tools.fits.learning import ConvNet, Layers
from tools.fits.net_fit import NetFit, Says
from tools.fits.towers import Learned, dealt, kept, simulated_table, stacked
from tools.fits.watching import put_in_place
from uckers_table.game.board import Board, Plan
from uckers_table.vision import reader as reading
from uckers_table.vision.picture.arrays import Floats, Places
from uckers_table.vision.pieces import pieces
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.stack_net import (
    CHANNELS,
    COARSE,
    FINE,
    HIGHEST,
    OUTPUTS,
    TopWindow,
    Towers,
    features,
    towers,
)
from uckers_table.vision.place.camera import CameraModel

MOVED_MM = 5.0, 3.0
"""How far tops are moved at most while a net learns, along and across."""
NEAR_MM = 6.0
"""A top is found at most this far from where it is."""
FRAMES_SIMULATED = 6
"""Frames of each simulated table."""
WIDTHS = {COARSE: (16, 24, 32, 48, 48), FINE: (24, 24, 32, 48, 48)}
STRIDES = {COARSE: (1, 2, 1, 2, 2), FINE: (2, 1, 2, 1, 2)}
INNER = 48
FILES = {COARSE: "stack_net.onnx", FINE: "stack_net_fine.onnx"}
BY_HEIGHT = np.array([1.0, 1.0, 1.0, 0.4])
"""How often tops of each height come up."""
SMOOTHED, COLOUR_WEIGHT = 0.01, 0.6


@dataclass(frozen=True)
class Tops(Examples):
    """Tops, how many pieces stand there (N,), and which below the top are its partner's (N, HIGHEST - 1)."""

    tops: Towers
    count: Places
    is_partner: Floats


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

    def examples(self, camera: CameraModel, stacks: Sequence[tuple[Floats, Sequence[int]]]) -> Tops | None:
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
        return Tops(seen, np.array([min(len(truth), HIGHEST) for truth in truths]), is_partner)


def examples(folder: Path, learned: Learned) -> Iterator[Tops]:
    """Those of one table, frame by frame."""
    noted, table = Noted(learned), LabelledTable(folder)
    put_in_place(reading, find=noted.find)
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


def of_simulated(seed: int, draw: np.random.Generator, learned: Learned) -> Iterator[Tops]:
    """Those of one simulated table, frame by frame."""
    noted, plan = Noted(learned), Plan(Board())
    renderer, reader = simulated_table(seed, plan)
    put_in_place(reading, find=noted.find)
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


class StackFit(NetFit[Tops]):
    """The fit of the net that sees stacks through this window."""

    kind, at_once = Tops, 120
    # Heights that come up less often are no less likely.
    favoured = np.concatenate([np.log(BY_HEIGHT), np.zeros(OUTPUTS - HIGHEST)])

    def __init__(self, window: TopWindow) -> None:
        super().__init__()
        self.file = FILES[window]
        self.layers = Layers(
            (CHANNELS, window.long, window.wide), WIDTHS[window], STRIDES[window], INNER, OUTPUTS
        )
        self._learned = Learned(window, MOVED_MM)

    def of_table(self, folder: Path) -> Iterator[Tops]:
        return examples(folder, self._learned)

    def of_simulated(self, seed: int) -> Iterator[Tops]:
        return of_simulated(seed, self.draw, self._learned)

    def chances(self, some: Tops) -> Floats:
        return chances([some.count == k for k in range(1, HIGHEST + 1)], BY_HEIGHT.tolist())

    def described(self, some: Tops) -> str:
        return f"{len(some.count)} tops, {(some.count > 1).sum()} of stacks"

    def altered(self, some: Tops) -> Tensor:
        return torch.from_numpy(features(self._learned.altered(some.tops), self._learned.seen))

    def loss(self, net: ConvNet, some: Tops) -> Tensor:
        said = net(self.altered(some))
        count, is_partner = torch.from_numpy(some.count), torch.from_numpy(some.is_partner).float()
        there = (torch.arange(1, HIGHEST)[None] < count[:, None]).float()
        heights = functional.cross_entropy(said[:, :HIGHEST], count - 1, label_smoothing=SMOOTHED)
        colours = functional.binary_cross_entropy_with_logits(said[:, HIGHEST:], is_partner, reduction="none")
        return heights + COLOUR_WEIGHT * (colours * there).sum() / there.sum().clamp(min=1)

    def scored(self, says: Says, held: Tops) -> str:
        said = says(features(self._learned.cut(held.tops), self._learned.seen))
        wrong = said[:, :HIGHEST].argmax(axis=1) != held.count - 1
        there = np.arange(1, HIGHEST) < held.count[:, None]
        colours = ((said[:, HIGHEST:] > 0) != held.is_partner)[there]
        heights = ", ".join(
            f"{wrong[held.count == k].sum()} of {(held.count == k).sum()} {k} high"
            for k in range(1, HIGHEST + 1)
            if (held.count == k).any()
        )
        return f"wrong are {heights}; {colours.sum()} of {there.sum()} colours"
