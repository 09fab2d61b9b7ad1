"""Tops of pieces, for who fits nets that see them: more than is seen of each, in other light and moved; and
where pieces stand on labelled and simulated tables.

It needs torch, which no table does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tools.fits.labelled import Piece
from tools.fits.learning import OtherLight
from uckers_table.game.board import PIECES, Plan
from uckers_table.simulator import scene as simulated
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.arrays import Floats
from uckers_table.vision.pieces.stack_net import TopWindow, Towers
from uckers_table.vision.reader import Reader

MARGIN_MM = 6.0
"""How much more is kept of a top on each side than a net sees: enough to move and stretch it."""
STACKED_MM = 7.0
"""Pieces whose middles are nearer than this stand on each other."""
HEIGHTS = (1, 1, 2, 2, 3, 4)
"""How many pieces stand together on simulated tables."""
STRETCHED, SHEARED = 0.1, 0.1
BALANCE, DEEPEST = 0.5, 0.9


@dataclass(frozen=True)
class Learned:
    """What a net sees of a top, and how far off it the top may lie, at most, along and across (2,) when it
    learns (mm).
    """

    seen: TopWindow
    moved_mm: tuple[float, float]

    @property
    def margin_px(self) -> int:
        """How much more is kept of a top."""
        return int(MARGIN_MM * self.seen.px_per_mm)

    @property
    def stored(self) -> TopWindow:
        """What is kept of it."""
        margin, seen = self.margin_px, self.seen
        first_mm = seen.first_mm - margin / seen.px_per_mm
        return TopWindow(seen.long + 2 * margin, seen.wide + 2 * margin, first_mm, seen.px_per_mm)

    def cut(self, some: Towers) -> Towers:
        """Stored tops as the net sees them."""
        along, across = (
            slice(self.margin_px, self.margin_px + size) for size in (self.seen.long, self.seen.wide)
        )
        now, bare = (pictures[..., along, across].astype(np.float32) for pictures in (some.now, some.bare))
        return replace(some, now=now, bare=bare)

    def altered(self, some: Towers) -> Towers:
        """Stored tops as the net sees them, as other tables might show them."""
        count = len(some.now)
        moved = Moved.anyhow(count, self.moved_mm)
        pictures = torch.from_numpy(np.concatenate([some.now, some.bare], axis=1).astype(np.float32))
        seen = functional.grid_sample(
            pictures, moved.was_at(self.seen, self.stored), padding_mode="border", align_corners=False
        )
        now, bare = seen.split(3, 1)
        light = OtherLight(count, BALANCE, DEEPEST)
        own, partner = (
            light.on(torch.from_numpy(paint.astype(np.float32))[:, :, None, None])[:, :, 0, 0]
            for paint in (some.own, some.partner)
        )
        scale = moved.stretch.numpy()
        return Towers(
            light.seen(now).numpy(),
            light.on(bare).numpy(),
            own.numpy(),
            partner.numpy(),
            some.lean_mm / scale,
            some.radius_mm / scale,
            moved.points(some.others),
        )


@dataclass(frozen=True)
class Moved:
    """What comes to (x, y), along and across in mm, was at `way` (x, y) + `shift`: mirrored, or stretched by
    `stretch`, sheared and shifted.
    """

    way: Tensor
    shift: Tensor
    stretch: Tensor

    @classmethod
    def anyhow(cls, count: int, most_mm: tuple[float, float]) -> Moved:
        """So many tops, each moved by so much at most along and across."""
        mirror = (torch.rand(count) < 0.5).float() * 2 - 1
        stretch = 1 + STRETCHED * (torch.rand(count) - 0.5)
        shear = SHEARED * (torch.rand(count) - 0.5)
        shift = (torch.rand(count, 2) - 0.5) * torch.tensor(most_mm)
        along = torch.stack([stretch, torch.zeros(count)], -1)
        across = torch.stack([shear * stretch, stretch * mirror], -1)
        return cls(torch.stack([along, across], 1), shift, stretch)

    def was_at(self, seen: TopWindow, stored: TopWindow) -> Tensor:
        """Where each pixel of what is seen was in what is stored (N, long, wide, 2), for `grid_sample`."""
        mm = (torch.from_numpy(mm.astype(np.float32)) for mm in (seen.along_mm, seen.across_mm))
        places = torch.stack(torch.meshgrid(*mm, indexing="ij"), -1).reshape(1, -1, 2)
        was = places @ self.way.transpose(1, 2) + self.shift[:, None]
        across = was[..., 1] * seen.px_per_mm / (stored.wide / 2)
        along = (was[..., 0] - stored.first_mm) * seen.px_per_mm / (stored.long / 2) - 1
        return torch.stack([across, along], -1).reshape(len(was), seen.long, seen.wide, 2)

    def points(self, mm: Floats) -> Floats:
        """Where points (N, count, 2) come to, infinity for none."""
        way, shift = self.way.numpy(), self.shift.numpy()
        points = np.linalg.solve(way[:, None], np.where(np.isfinite(mm), mm, 1e6)[..., None])
        return np.asarray(points[..., 0] - np.linalg.solve(way, shift[..., None]).transpose(0, 2, 1))


def kept(some: Towers) -> Towers:
    """The same with pictures in half the memory."""
    return replace(some, now=some.now.astype(np.float16), bare=some.bare.astype(np.float16))


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


def simulated_table(seed: int, plan: Plan) -> tuple[Renderer, Reader]:
    """A table of the simulator, and who reads it."""
    renderer = Renderer(plan, look_for(seed), seed=seed)
    return renderer, Reader(calibrate(renderer.empty, renderer.start, plan.board.seats))


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
            standing.append(simulated.WoodenPiece(seat, 1, float(at[0]), float(at[1]), level, grain))
        stacks.append(((float(x), float(y)), seats[::-1]))
    return simulated.Scene(tuple(standing)), stacks
