#!/usr/bin/env python3
"""Fits the net of `disc_net` on labelled tables, and says how well it tells others.

    python scripts/fit_discs.py TABLE_DIR… --held TABLE_DIR… --out uckers_table/vision/disc_net.npz

A table's folder holds empty.jpg, start.jpg, other frames and labels.json. Those that it was fitted on are
full of pieces, dice and hands: `tests/vision/path_traced … --full-of own`, `towers` and others. Of each disc
about which the reader asks the net where a piece is missing it learns whether it is a piece's top, and where
that is; and of each top that it is one. Some simulated tables are learned besides.

It needs torch, which nothing else here does: pip install torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from labelled import START, LabelledTable, Piece
from learned import ConvNet, Tensor, asked, functional, keep, known, learn, mixed, torch
from towers import Learned, dealt, joined, kept, simulated_table, stacked

from uckers_table.game.board import Board, Plan
from uckers_table.vision.picture.arrays import Floats, Image, Places
from uckers_table.vision.pieces import disc_net, pieces
from uckers_table.vision.pieces.disc_net import OFF_MM, OUTPUTS, SHAPE, STRIDES, WINDOW, DiscNet, DiscsSaid
from uckers_table.vision.pieces.stack_net import Towers, features, towers
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.reader import Reader

LEARNED = Learned(WINDOW, (4.0, 4.0))
NEAR_MM, FAR_MM = 6.0, 9.0
"""A disc that lies as near to a top of its colour is that top, and none if it lies farther off than that."""
LEAST_SEEN = 0.3
"""A top of which less shows is no example of one."""
MOST_A_FRAME = 150
"""Discs that are none."""
FRAMES_SIMULATED = 6
"""Of each simulated table."""
WIDTHS, INNER = (16, 24, 32, 48, 48), 48
"""Of the convolutions, and of the layer after them."""
AT_ONCE, EASY = 120, 12
"""Examples of each step, and those of simulated tables among them."""
PLAIN = 0.4
"""So often tops that nobody asked about come up, for one that was."""
SMOOTHED, OFF_WEIGHT = 0.01, 0.5

Place = tuple[float, float]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Examples:
    """Discs, whether they are tops, and whether the reader asked about them (N,); and where tops lie off
    those that are (N, 2), mm along and across.
    """

    discs: Towers
    is_top: Flags
    is_asked: Flags
    off_mm: Floats

    def where(self, some: npt.NDArray[np.intp]) -> Examples:
        """Only those."""
        return Examples(self.discs.where(some), self.is_top[some], self.is_asked[some], self.off_mm[some])

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """All of them."""
        others = (np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)[1:])
        return cls(joined([part.discs for part in parts]), *others)


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

        disc_net.DiscNet.say = say  # type: ignore[method-assign]
        pieces._missing = lambda tops, colours: np.arange(colours)  # type: ignore[assignment]
        pieces._in_doubt = lambda stacks, colours: []  # type: ignore[assignment]

    def examples(
        self,
        reader: Reader,
        picture: Image,
        tops: Callable[[CameraModel], list[Top]],
        draw: np.random.Generator,
    ) -> Examples | None:
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
        return Examples(seen, is_top[some], is_asked[some], off_mm)


def examples(folder: Path, noted: Noted, draw: np.random.Generator) -> Iterator[Examples]:
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


def of_simulated(seed: int, noted: Noted, draw: np.random.Generator) -> Iterator[Examples]:
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


def altered(some: Examples) -> tuple[Towers, Floats]:
    """Examples as other tables might show them, and where tops lie off them then."""
    # What is moved lies elsewhere as others do.
    with_top = replace(some.discs, others=np.concatenate([some.discs.others, some.off_mm[:, None]], axis=1))
    out = LEARNED.altered(with_top)
    return replace(out, others=out.others[:, :-1]), out.others[:, -1]


def drawn(some: Examples, count: int, draw: np.random.Generator) -> Iterator[Examples]:
    """So many examples again and again, half of them tops."""
    chance = np.where(some.is_asked, 1.0, PLAIN)
    for kind in (some.is_top, ~some.is_top):
        chance[kind] /= chance[kind].sum()
    while True:
        yield some.where(draw.choice(len(chance), count, p=chance / chance.sum()))


def loss(net: ConvNet, some: Examples) -> Tensor:
    """How badly it tells examples, and where their tops are."""
    seen, off_mm = altered(some)
    said = net(torch.from_numpy(features(seen, WINDOW)))
    is_top = torch.from_numpy(some.is_top).float()
    told = functional.binary_cross_entropy_with_logits(said[:, 0], is_top * (1 - 2 * SMOOTHED) + SMOOTHED)
    off = torch.from_numpy(off_mm / OFF_MM).float()
    away = functional.smooth_l1_loss(said[:, 1:], off, reduction="none").sum(1)
    return told + OFF_WEIGHT * (away * is_top).sum() / is_top.sum().clamp(min=1)


def scored(net: ConvNet, held: Examples) -> str:
    """How many of those held back it tells rightly."""
    said = net.said(features(LEARNED.cut(held.discs), WINDOW))
    parts = []
    for name, some in (("asked about", held.is_asked), ("other tops", ~held.is_asked)):
        for kind, is_kind in (("tops", held.is_top), ("none", ~held.is_top)):
            of = some & is_kind
            if of.any():
                wrong = (said[of, 0] > 0) != held.is_top[of]
                nats = np.logaddexp(0, np.where(held.is_top[of], -1, 1) * said[of, 0]).mean()
                parts.append(f"{name}, {kind}: {wrong.sum()} of {of.sum()} wrong, {nats:.3f} nats")
    off, was = (
        np.sqrt((values[held.is_top & held.is_asked] ** 2).sum(axis=1).mean())
        for values in (said[:, 1:] * OFF_MM - held.off_mm, held.off_mm)
    )
    return f"held back: {'; '.join(parts)}; {off:.2f} mm off in place of {was:.2f}"


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
    counts = (f"{len(some.is_top)} discs, {some.is_top.sum()} tops" for some, _ in sources)
    print("; ".join(counts), flush=True)
    net = ConvNet(SHAPE, WIDTHS, STRIDES, INNER, OUTPUTS)
    each = mixed([drawn(some, count, draw) for some, count in sources], Examples.joined)
    if args.go_on_from:
        seen, _ = altered(next(each))
        net.go_on_from(args.go_on_from, torch.from_numpy(features(seen, WINDOW)))
    learn(net, lambda: loss(net, next(each)), args, partial(scored, net, held))
    keep(net, args)


if __name__ == "__main__":
    main()
