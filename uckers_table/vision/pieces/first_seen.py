"""The sixteen pieces of the start picture, told before their colours are known.

On a plain base in hard light a piece's shadow has sharper edges than the piece itself. So the net of discs
tells which discs are pieces: it has learned the look of a whole piece, on paint of its own colour too. It is
asked twice of each disc: as a piece of the colour that the disc shows, and as one of its seat's paint.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uckers_table.game.board import PIECES, Plan
from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Floats, Map, Places
from uckers_table.vision.pieces.disc_net import DiscNet
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.tops import disc_places, find_discs, ring_steps

_MOST = 240
"""How many discs in bases are looked at, those with the plainest edges first."""
_APART = 0.6
"""Two discs nearer than this, in diameters of a top, are one piece."""
_ALIKE_MM, _ALIKE = 10.0, 1.0
"""Most boards have the same spots in all bases. A place gains `_ALIKE` nats for each other base with a piece
within `_ALIKE_MM` of the same place.
"""


def first_seen(
    seen: Evidence, shape: Shape, scene: SeenScene, lit: Map, bare: Map, plan: Plan
) -> list[list[Stack]]:
    """Per seat, the discs in its base, the likeliest pieces first. A score is the sum of both answers (nats).

    `seen` weighs the start picture with no piece's colour known. `lit` and `bare` (size, size, 3) are the
    flat pictures of the pieces and of the bare board, as reflected, in one light.
    """
    places = disc_places(seen, shape)
    places = places[_bases(places, shape, plan) >= 0][:_MOST]
    at = find_discs(seen, places, shape).at_px
    seats = _bases(at, shape, plan)
    at, seats = at[seats >= 0], seats[seats >= 0]
    if not len(at):
        return [[] for _ in plan.board.seats]
    own = colours_at(lit, at, shape)
    paint = chute_colours(bare, shape, plan)
    none = np.empty((0, 2))
    partners = paint[(seats + len(paint) // 2) % len(paint)]
    by_disc = DiscNet(scene, seen, shape, np.concatenate([own, partners]), none).say(at, np.arange(len(at)))
    by_seat = DiscNet(scene, seen, shape, paint, none).say(at, seats)
    scores = by_disc.log_odds + by_seat.log_odds
    likelier = by_disc.log_odds > by_seat.log_odds
    at = np.where(likelier[:, None], by_disc.at_px, by_seat.at_px)
    chosen = _chosen(at, seats, scores, shape, plan)
    scores = scores + _alike(at, seats, chosen, shape, plan)
    feet = shape.foot_mm(at)
    return [
        [Stack(seat, float(feet[k, 0]), float(feet[k, 1]), float(scores[k])) for k in of_seat]
        for seat, of_seat in enumerate(_chosen(at, seats, scores, shape, plan))
    ]


_RADII_MM, _OFF_MM = np.arange(6.5, 20.1, 0.75), np.arange(-8.0, 8.1, 2.0)
"""Radii that are tried of a piece, and how far off its middle may be, along x and along y."""
_NARROW = 25
"""The percentile of the sixteen widths: a shadow's edge makes some seem wider."""


def width_seen(stacks: Sequence[Stack], seen: Evidence, shape: Shape) -> float:
    """How wide (mm) pieces at these places seem, of whatever width: the circles of the plainest edges."""
    scale = shape.canvas.px_per_mm
    off = np.stack(np.meshgrid(_OFF_MM, _OFF_MM), axis=-1).reshape(-1, 2) * scale
    radii = _RADII_MM * shape.camera.swell(shape.height_mm) * scale
    widths = []
    for stack in stacks:
        x, y = np.rint(shape.top_px(np.array([stack.x_mm, stack.y_mm])) + off).astype(np.intp).T
        steps = [ring_steps(seen.change, y, x, float(radius), scale).max() for radius in radii]
        widths.append(2 * _RADII_MM[int(np.argmax(steps))])
    return float(np.percentile(widths, _NARROW))


_KNOWN = -6.0
"""Log-odds (nats), by the rules and by the net together, from which a disc of the seat's learned colour is
one of its pieces. The least sure of sixteen had -4.4, the second least 4.4 (`python -m tools.tables.turns`,
on the tables named in `paint`). Of what else lay in bases of 13 of them the surest had -7.8.
"""


def known_pieces(
    stacks: Sequence[Stack], seen: Evidence, shape: Shape, scene: SeenScene, paints: Map
) -> list[Stack]:
    """Those of the stacks that are pieces by the net and the rules together. `paints` (seats, 3) are the
    pieces' colours, as reflected.
    """
    said = piece_nats(stacks, seen, shape, scene, paints)
    return [stack for stack, nats in zip(stacks, said, strict=True) if nats > _KNOWN]


def piece_nats(
    stacks: Sequence[Stack], seen: Evidence, shape: Shape, scene: SeenScene, paints: Map
) -> list[float]:
    """The log-odds (nats), by the net and the rules together, that stacks are pieces of their colours."""
    at = np.array([shape.top_px(np.array([stack.x_mm, stack.y_mm])) for stack in stacks]).reshape(-1, 2)
    net = DiscNet(scene, seen, shape, paints.astype(np.float64), at)
    said = net.say(at, np.array([stack.colour for stack in stacks], dtype=np.intp)).log_odds
    return [stack.score + float(nats) for stack, nats in zip(stacks, said, strict=True)]


def colours_at(lit: Map, tops_px: Floats, shape: Shape) -> Floats:
    """The median colours (N, 3), as reflected, of tops (N, 2) in the flat picture."""
    r = max(2, int(shape.top_radius_px * 0.6))
    return np.array([
        np.median(lit[y - r : y + r + 1, x - r : x + r + 1].reshape(-1, 3), axis=0)
        for x, y in np.rint(tops_px).astype(int)
    ], dtype=np.float64)  # fmt: skip


def chute_colours(bare: Map, shape: Shape, plan: Plan) -> Floats:
    """What the seats' chutes send back (seats, 3), BGR, white = 1."""
    r = round(plan.cell_mm * 0.2 * shape.canvas.px_per_mm)
    out = []
    for seat in range(len(plan.board.seats)):
        cells = [plan.centre_mm(plan.chute_cell(seat, steps)) for steps in plan.board.chute]
        out.append(
            np.median(
                [
                    np.median(bare[y - r : y + r + 1, x - r : x + r + 1].reshape(-1, 3), axis=0)
                    for x, y in np.rint(shape.canvas.px(cells)).astype(int)
                ],
                axis=0,
            )
        )
    return np.array(out, dtype=np.float64)


def _bases(tops_px: Floats, shape: Shape, plan: Plan) -> Places:
    """The seats (N,) in whose bases tops (N, 2) stand; -1 elsewhere."""
    out = np.full(len(tops_px), -1)
    for k, (x, y) in enumerate(shape.foot_mm(tops_px)):
        cell = plan.cell_at(float(x), float(y))
        seat = plan.base_of(cell) if cell is not None else None
        out[k] = -1 if seat is None else seat
    return out


def _chosen(at: Floats, seats: Places, scores: Floats, shape: Shape, plan: Plan) -> list[list[int]]:
    """Per seat, the numbers of its discs, the best first, each piece once."""
    apart = _APART * 2 * shape.top_radius_px
    out: list[list[int]] = [[] for _ in plan.board.seats]
    for k in np.argsort(-scores, kind="stable"):
        kept = out[int(seats[k])]
        if (np.hypot(*(at[kept] - at[k]).T) > apart).all():
            kept.append(int(k))
    return out


def _alike(at: Floats, seats: Places, chosen: list[list[int]], shape: Shape, plan: Plan) -> Floats:
    """What the discs (N,) gain by pieces at the same places of other bases."""
    middle = plan.side_mm / 2
    feet = shape.foot_mm(at) - middle
    # All bases turned onto seat 0's.
    turned = np.array([_turned_back(foot, int(seat)) for foot, seat in zip(feet, seats, strict=True)])
    gain = np.zeros(len(at))
    for seat, of_seat in enumerate(chosen):
        best = turned[of_seat[:PIECES]]
        if len(best):
            off = np.hypot(*np.moveaxis(turned[:, None] - best[None], -1, 0)).min(axis=1)
            gain += _ALIKE * ((off < _ALIKE_MM) & (seats != seat))
    return gain


def _turned_back(foot: Floats, quarters: int) -> Floats:
    for _ in range(quarters):
        foot = np.array([foot[1], -foot[0]])
    return foot
