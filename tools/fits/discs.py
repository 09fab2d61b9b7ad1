"""What the net of `disc_net` learns: whether a disc is a piece's top, and where that is.

It learns each disc about which the reader asks the net where a piece is missing, and each top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tools.fits.examples import Examples, chances, wrong_and_nats
from tools.fits.labelled import START, LabelledTable, Piece
from tools.fits.learning import ConvNet, Layers
from tools.fits.net_fit import NetFit, Says
from tools.fits.towers import Learned, dealt, kept, simulated_table, stacked
from tools.fits.watching import put_in_place
from uckers_table.game.board import Board, Plan
from uckers_table.vision.picture.arrays import Flags, Floats, Image, Places
from uckers_table.vision.pieces import pieces
from uckers_table.vision.pieces.disc_net import OFF_MM, OUTPUTS, SHAPE, WINDOW, DiscNet, DiscsSaid
from uckers_table.vision.pieces.stack_net import Towers, features, towers
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.reader import Reader

LEARNED = Learned(WINDOW, (4.0, 4.0))
NEAR_MM, FAR_MM = 6.0, 9.0
"""A disc nearer to a top of its colour than the first is that top, one farther off than the second is none.
Discs between are left out.
"""
LEAST_SEEN = 0.3
"""A top of which less shows is no example."""
MOST_A_FRAME = 150
"""How many discs of a frame that are no tops are learned, at most."""
FRAMES_SIMULATED = 6
"""Frames of each simulated table."""
LAYERS = Layers(SHAPE, (16, 24, 32, 48, 48), (1, 2, 1, 2, 2), 48, OUTPUTS)
PLAIN = 0.4
"""How often a top that nobody asked about comes up, for one that the reader asked about."""
SMOOTHED, OFF_WEIGHT = 0.01, 0.5

Place = tuple[float, float]


@dataclass(frozen=True)
class Discs(Examples):
    """Discs, whether they are tops, and whether the reader asked about them (N,); and where tops lie off
    those that are (N, 2), mm along and across.
    """

    discs: Towers
    is_top: Flags
    is_asked: Flags
    off_mm: Floats


@dataclass(frozen=True)
class Top:
    """A top: where on the board's plane it is seen (2,), its seat, and how much of it is seen."""

    at_mm: Floats
    seat: int
    share: float = 1.0


class Noted:
    """About what the reader last asked the net.

    It takes all pieces for missing, so that it is in doubt of all discs.
    """

    def __init__(self) -> None:
        self._net: DiscNet | None = None
        self._asked: tuple[Floats, Places] = np.empty((0, 2)), np.empty(0, dtype=np.intp)
        noted = self

        def say(net: DiscNet, at_px: Floats, seats: Places) -> DiscsSaid:
            noted._net, noted._asked = net, (at_px, seats)
            return DiscsSaid(np.zeros(len(at_px)), at_px)

        put_in_place(DiscNet, say=say)
        put_in_place(
            pieces,
            _missing=lambda tops, colours: np.arange(colours),
            _in_doubt=lambda stacks, colours: [],
        )

    def examples(
        self,
        reader: Reader,
        picture: Image,
        tops: Callable[[CameraModel], list[Top]],
        draw: np.random.Generator,
    ) -> Discs | None:
        """Those of one picture, in which its camera sees `tops`; None where it asked nothing."""
        self._net = None
        camera, net = reader.look(picture).camera, self._net
        if net is None or camera is None:
            return None
        there, (asked_px, asked_seats) = tops(camera), self._asked
        tops_px = net.shape.canvas.px(np.array([top.at_mm for top in there]).reshape(-1, 2))
        seats = np.array([top.seat for top in there], dtype=np.intp)
        is_seen = np.array([top.share >= LEAST_SEEN for top in there], dtype=bool)
        at_px = np.concatenate([tops_px[is_seen], asked_px])
        of_seat = np.concatenate([seats[is_seen], asked_seats])
        is_asked = np.arange(len(at_px)) >= np.count_nonzero(is_seen)
        off_px = tops_px - at_px[:, None]
        off_mm = net.shape.beside_mm(np.repeat(at_px, len(tops_px), axis=0), off_px.reshape(-1, 2))
        off_mm = off_mm.reshape(off_px.shape)
        far = np.where(of_seat[:, None] == seats, np.hypot(off_mm[..., 0], off_mm[..., 1]), np.inf)
        nearest, each = far.argmin(axis=1), np.arange(len(at_px))
        is_top = (far[each, nearest] < NEAR_MM) & is_seen[nearest]
        none = np.flatnonzero(far[each, nearest] > FAR_MM)
        some = np.concatenate([np.flatnonzero(is_top), draw.permutation(none)[:MOST_A_FRAME]])
        seen = towers(
            net.scene,
            net.seen,
            net.shape,
            at_px[some],
            of_seat[some],
            net.paints,
            net.plain_px,
            LEARNED.stored,
        )
        seen = kept(seen)
        off_mm = off_mm[each, nearest][some] * is_top[some, None]
        return Discs(seen, is_top[some], is_asked[some], off_mm)


def examples(folder: Path, noted: Noted, draw: np.random.Generator) -> Iterator[Discs]:
    """Those of one table, frame by frame."""
    table = LabelledTable(folder)
    order = table.reader.profile.seats

    def tops(pieces: Sequence[Piece], camera: CameraModel) -> list[Top]:
        upper = [stack[0] for stack in stacked([piece for piece in pieces if piece["place"] != "floor"])]
        at_mm = camera.unproject(np.array([piece["px"] for piece in upper], dtype=np.float64))
        return [
            Top(at, order.index(piece["colour"]), piece["visible"])
            for at, piece in zip(at_mm, upper, strict=True)
        ]

    for frame in table.frames(with_hands=True):
        if frame.file != START:
            part = noted.examples(table.reader, frame.image, partial(tops, frame.pieces), draw)
            if part is not None:
                yield part


def of_simulated(seed: int, noted: Noted, draw: np.random.Generator) -> Iterator[Discs]:
    """Those of one simulated table."""
    plan = Plan(Board())
    renderer, reader = simulated_table(seed, plan)
    height = reader.profile.piece_height_mm

    def tops(stacks: Sequence[tuple[Place, Sequence[int]]], camera: CameraModel) -> list[Top]:
        return [Top(camera.lifted(np.array([at]), height * len(seats))[0], seats[0]) for at, seats in stacks]

    for _ in range(FRAMES_SIMULATED):
        scene, stacks = dealt(plan, draw)
        part = noted.examples(reader, renderer.frame(scene), partial(tops, stacks), draw)
        if part is not None:
            yield part


def altered(some: Discs) -> tuple[Towers, Floats]:
    """Examples as other tables might show them, and where tops lie off them then."""
    # What is moved lies elsewhere as others do.
    with_top = replace(some.discs, others=np.concatenate([some.discs.others, some.off_mm[:, None]], axis=1))
    out = LEARNED.altered(with_top)
    return replace(out, others=out.others[:, :-1]), out.others[:, -1]


class DiscFit(NetFit[Discs]):
    """The fit of the net of discs."""

    file, kind, layers, at_once = "disc_net.onnx", Discs, LAYERS, 120

    def __init__(self) -> None:
        super().__init__()
        self._noted = Noted()

    def of_table(self, folder: Path) -> Iterator[Discs]:
        return examples(folder, self._noted, self.draw)

    def of_simulated(self, seed: int) -> Iterator[Discs]:
        return of_simulated(seed, self._noted, self.draw)

    def chances(self, some: Discs) -> Floats:
        often = np.where(some.is_asked, 1.0, PLAIN)
        return chances([some.is_top, ~some.is_top], [0.5, 0.5], often)

    def described(self, some: Discs) -> str:
        return f"{len(some.is_top)} discs, {some.is_top.sum()} tops"

    def altered(self, some: Discs) -> Tensor:
        return torch.from_numpy(features(altered(some)[0], WINDOW))

    def loss(self, net: ConvNet, some: Discs) -> Tensor:
        seen, off_mm = altered(some)
        said = net(torch.from_numpy(features(seen, WINDOW)))
        is_top = torch.from_numpy(some.is_top).float()
        wanted = is_top * (1 - 2 * SMOOTHED) + SMOOTHED
        told = functional.binary_cross_entropy_with_logits(said[:, 0], wanted)
        off = torch.from_numpy(off_mm / OFF_MM).float()
        away = functional.smooth_l1_loss(said[:, 1:], off, reduction="none").sum(1)
        return told + OFF_WEIGHT * (away * is_top).sum() / is_top.sum().clamp(min=1)

    def scored(self, says: Says, held: Discs) -> str:
        said = says(features(LEARNED.cut(held.discs), WINDOW))
        parts = []
        for name, some in (("asked about", held.is_asked), ("other tops", ~held.is_asked)):
            for kind, is_kind in (("tops", held.is_top), ("none", ~held.is_top)):
                of = some & is_kind
                if of.any():
                    wrong, nats = wrong_and_nats(said[of, 0], held.is_top[of])
                    parts.append(f"{name}, {kind}: {wrong} of {of.sum()} wrong, {nats:.3f} nats")
        asked = held.is_top & held.is_asked
        if asked.any():
            off, was = (
                np.sqrt((values[asked] ** 2).sum(axis=1).mean())
                for values in (said[:, 1:] * OFF_MM - held.off_mm, held.off_mm)
            )
            parts.append(f"{off:.2f} mm off in place of {was:.2f}")
        return "; ".join(parts)
