"""From tops found to pieces claimed: who stands where, what else it might be, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from uckers_table.game.board import BASE, PIECES, Plan
from uckers_table.sighting import Alternative, Stray
from uckers_table.vision.camera import Camera
from uckers_table.vision.pieces import MIN_SCORE, Stack

SURE = 1.5
"""Log-odds of a piece that is claimed although a hand is over the board."""
_MIN_LEVEL_GAIN = 1.0
"""Evidence for a higher stack, per square millimetre of side, from which it is believed: in even light
singles have up to 0.9, most stacks 1.2 and more."""
_ABOVE_SINGLES = 0.3
"""So much more than any single piece had at calibration it must be: under a lamp a shadow gives 3."""
_LEVEL_NATS = 3.0
"""How much that evidence weighs: what is seen of a side is all of one piece, not so many witnesses."""
_DOUBT = 4.0
"""Alternatives that cost more than this are no doubt worth telling."""


@dataclass(frozen=True)
class Settled:
    """Pieces claimed as steps per colour, strays, what else places may hold, and confidence (0 … 1)."""

    pieces: dict[str, tuple[int, ...]]
    stray: tuple[Stray, ...]
    alternatives: tuple[Alternative, ...]
    confidence: float


def settle(
    stacks: Sequence[Stack],
    plan: Plan,
    camera: Camera,
    piece_height_mm: float,
    single_gain: float,
    hand: bool,
) -> Settled:
    """The pieces that these tops show.

    `single_gain` is what single pieces showed of a second (see `TableProfile`). With a `hand` over the
    board only what is beyond doubt is claimed, and nothing that can't be seen.
    """
    least = SURE if hand else -np.inf
    gain = np.inf if hand else max(_MIN_LEVEL_GAIN, single_gain + _ABOVE_SINGLES)
    sure = [s for s in stacks if s.is_claimed and s.score > least]
    claimed = _claimed(sure, plan, gain)
    seats = plan.board.seats
    pieces: dict[str, list[int]] = {colour: [] for colour in seats}
    strays: list[Stray] = []
    held: dict[str, Counter[str]] = {}
    places: list[tuple[Stack, str | None]] = []
    for stack in claimed:
        x, y = _foot(stack, camera, piece_height_mm)
        for seat in stack.colours:
            steps = steps_at(plan, seat, x, y)
            if steps is None:
                strays.append(Stray(seats[seat], plan.cell_at(x, y)))
            else:
                pieces[seats[seat]].append(steps)
        place = _place(plan, stack.colours[-1], x, y)
        places.append((stack, place))
        if place is not None:
            held.setdefault(place, Counter()).update(seats[seat] for seat in stack.colours)
    alternatives = [
        a for stack, place in places if place for a in _others(stack, stacks, place, held[place], seats, gain)
    ]
    for stack in stacks:
        place = _place(plan, stack.colours[-1], stack.x_mm, stack.y_mm)
        if not stack.is_claimed and place is not None:
            more = held.get(place, Counter()) + Counter([seats[stack.colours[-1]]])
            alternatives.append(Alternative(place, dict(more), max(0.3, MIN_SCORE - stack.score)))
    doubts = [1 / (1 + np.exp(-stack.score)) for stack in claimed]
    return Settled(
        {colour: tuple(sorted(steps)) for colour, steps in pieces.items()},
        tuple(strays),
        tuple(a for a in alternatives if a.cost < _DOUBT),
        float(min(doubts, default=0.0)) * (0.5 if hand else 1.0),
    )


def steps_at(plan: Plan, seat: int, x_mm: float, y_mm: float) -> int | None:
    """The steps of a seat's piece that stands there; None where its colour never stands."""
    cell = plan.cell_at(x_mm, y_mm)
    if cell is None:
        return None
    if plan.base_of(cell) == seat:
        return BASE
    if plan.is_home(cell):
        return plan.board.home
    return plan.steps_by_cell[seat].get(cell)


def _foot(stack: Stack, camera: Camera, height_mm: float) -> tuple[float, float]:
    """Where a stack stands: the higher it is, the nearer to the lens than a single piece with that top."""
    if len(stack.colours) == 1:
        return stack.x_mm, stack.y_mm
    top = camera.lifted([(stack.x_mm, stack.y_mm)], height_mm)
    x, y = camera.grounded(top, height_mm * len(stack.colours))[0]
    return float(x), float(y)


def _claimed(stacks: Sequence[Stack], plan: Plan, min_gain: float) -> list[Stack]:
    """The stacks as claimed: four pieces of a colour at most, the best tops first, then what is under them.

    Pieces are claimed under a top only where pieces are missing elsewhere: a shadow looks like a side. In
    base and at home there is room beside each other, and a missing piece may lie under a locker.
    """
    left = [PIECES] * len(plan.board.seats)
    tops = []
    for stack in sorted(stacks, key=lambda s: -s.score):
        if left[stack.colours[-1]]:
            left[stack.colours[-1]] -= 1
            tops.append(stack)
    out = []
    for stack in sorted(tops, key=lambda s: -max(s.levels)):
        under: list[int] = []
        best = int(np.argmax(stack.levels))
        if stack.levels[best] > min_gain and _may_be_high(plan, stack):
            for seat in stack.colours[-2 : -2 - best : -1]:
                choice = seat if left[seat] else stack.colours[-1]
                if not left[choice]:
                    break
                left[choice] -= 1
                under.insert(0, choice)
        out.append(replace(stack, colours=(*under, stack.colours[-1])))
    return out


def _may_be_high(plan: Plan, stack: Stack) -> bool:
    cell = plan.cell_at(stack.x_mm, stack.y_mm)
    return cell is not None and plan.base_of(cell) is None and not plan.is_home(cell)


def _place(plan: Plan, seat: int, x_mm: float, y_mm: float) -> str | None:
    """A place as `Alternative` names it: a track square, or a colour's own base, chute or home."""
    steps = steps_at(plan, seat, x_mm, y_mm)
    if steps is None:
        return None
    square = plan.board.square(seat, steps)
    return str(square) if square is not None else f"{plan.board.seats[seat]} {steps}"


def _others(
    claimed: Stack, stacks: Sequence[Stack], place: str, held: Counter[str], seats: Sequence[str], gain: float
) -> list[Alternative]:
    """What else a claimed stack's place may hold: one piece fewer, or one more."""
    seen = next(s for s in stacks if (s.x_mm, s.y_mm) == (claimed.x_mm, claimed.y_mm))
    height = len(claimed.colours)
    out = []
    if height == 1:
        out.append(
            Alternative(place, dict(held - Counter([seats[claimed.colours[-1]]])), max(0.3, claimed.score))
        )
    else:
        fewer = (seen.levels[height - 1] - seen.levels[height - 2]) * _LEVEL_NATS
        out.append(Alternative(place, dict(held - Counter([seats[claimed.colours[0]]])), max(0.3, fewer)))
    if height < len(seen.levels):
        more = (gain + seen.levels[height - 1] - seen.levels[height]) * _LEVEL_NATS
        under = seats[seen.colours[-1 - height]]
        out.append(Alternative(place, dict(held + Counter([under])), max(0.3, more)))
    return out
