"""What a side meets on the track: whom it would send back, and what bars its way (RULES 2.1; ruling A49)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from uckers_table.game.board import BASE
from uckers_table.game.situation import Situation


class Field(NamedTuple):
    """What a side meets on the track, as bits of squares: where landing captures, and what bars it."""

    enemies: int
    barriers: int


def survey(situation: Situation) -> Field:
    """The track as the side to throw meets it."""
    setting, position = situation.setting, situation.position
    bit = setting.ways.bit
    # Who helps his partner moves as the partner does.
    mover = situation.movers[0] if situation.movers else situation.side
    captured, barring = setting.captured[mover], setting.barring[mover]
    stand = blobs = 0
    for seat in barring:
        # Steps ascend, so pieces on one square are neighbours.
        first, second, third, last = position[seat]
        if first == last == BASE:
            continue
        bits = bit[seat]
        stand |= bits[first] | bits[second] | bits[third] | bits[last]
        if first == second or second == third:
            blobs |= bits[second]
        if third == last:
            blobs |= bits[last]
    enemies = stand if captured is barring else _squares_of(situation, captured)
    if setting.has_plain_blobs:
        # Squares that hold several colours are never a barrier (BR r9; ruling A49).
        return Field(enemies, blobs & ~_mixed(situation) if blobs else 0)
    return _by_option(situation, Field(enemies, blobs), stand, barring)


def _by_option(situation: Situation, field: Field, stand: int, barring: Sequence[int]) -> Field:
    """The same where a rule set has other barriers; `stand` are the squares of those that may bar."""
    enemies, blobs = field
    rules, doorsteps = situation.setting.rules, situation.setting.ways.doorsteps
    if rules.mixed_blocks:
        blobs |= _mixed(situation, barring)
    elif rules.mixed_with_two_of_a_colour == "no_barrier":
        blobs &= ~_mixed(situation)
    if rules.blob_min == 1:
        blobs |= stand & ~_mixed(situation)
    if rules.safe_squares == "all_coloured":
        return Field(enemies & ~doorsteps, blobs & ~doorsteps)
    return Field(enemies, blobs)


def _squares_of(situation: Situation, seats: Sequence[int]) -> int:
    """The squares on which these seats have pieces."""
    squares = 0
    for seat in seats:
        for steps in situation.position[seat]:
            squares |= situation.setting.ways.bit[seat][steps]
    return squares


def _mixed(situation: Situation, seats: Sequence[int] | None = None) -> int:
    """The squares that several of these colours share; left out, of all."""
    once = mixed = 0
    for seat in range(situation.setting.board.arms) if seats is None else seats:
        stands = _squares_of(situation, (seat,))
        mixed |= once & stands
        once |= stands
    return mixed
