"""Why a throw is passed: what keeps each piece from moving by each of the dice.

What two dice do together needs no bar of its own: a piece that can go so far can go by one of them first,
or is kept from it by what bars that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uckers_table.game.board import BASE, DOORSTEP
from uckers_table.game.causes import blobs_on, hold_of
from uckers_table.game.outlook import Outlook
from uckers_table.game.plays import Lister
from uckers_table.game.ruling import Bar, Hold, Reason
from uckers_table.game.situation import Situation
from uckers_table.game.turn import Piece
from uckers_table.game.ways import SIX, DieMove, walk


def what_bars(lister: Lister, dice: Sequence[int]) -> tuple[Bar, ...]:
    """What bars each piece that is not home, by each number that the dice show, where a throw is passed.

    Of several pieces of a colour on one square, one is told of. By seat from the side to play, each seat's
    hindmost piece first, the higher number first.
    """
    situation = lister.situation
    home = situation.setting.board.home
    numbers = sorted(set(dice), reverse=True)
    return tuple(
        _bar(lister, (seat, steps), die)
        for seat in situation.movers
        for steps in sorted(set(situation.position[seat]))
        if steps != home
        for die in numbers
    )


def barred_out(situation: Situation, seats: Iterable[int], die: int) -> tuple[Bar, ...]:
    """The blobs on the doorsteps of seats that have pieces in base, where a rule brings all of them out."""
    lister = Lister(situation)
    return tuple(
        Bar((seat, BASE), die, Reason.ONTO_BLOB, _blob(lister, square))
        for seat in seats
        if BASE in situation.position[seat]
        if (square := lister.ways.bit[seat][DOORSTEP] & lister.field.barriers)
    )


def _bar(lister: Lister, piece: Piece, die: int) -> Bar:
    """What keeps one piece from moving by one die."""
    seat, steps = piece
    if lister.is_held_back(seat, steps):
        # No number would move it.
        return Bar(piece, die, Reason.CANNOT_MOVE_NOW, hold=hold_of(lister.situation, piece, 1))
    move = _way(lister, piece, die)
    if move is None and steps == BASE:
        move = _barred_whatever_the_die(lister, seat)
    if move is None and steps == BASE:
        return Bar(piece, die, Reason.NO_SIX_TO_COME_OUT)
    odd = Hold.ODD_PAIR if _is_of_a_pair(lister, piece) and die % 2 else None
    if move is None:
        return Bar(piece, die, Reason.PAST_HOME, hold=odd)
    barriers = lister.field.barriers
    if passed := move.passed & barriers:
        # One in base that captures nobody by coming out passes over the square on which it stops.
        reason = Reason.ONTO_BLOB if steps == BASE else Reason.THROUGH_BLOB
        return Bar(piece, die, reason, _blob(lister, _first_on_the_way(lister, piece, die, passed)), odd)
    if landed := move.landings & barriers:
        return Bar(piece, die, Reason.ONTO_BLOB, _blob(lister, landed), odd)
    hold = Hold.LOWER_DIE if lister.has_room((move,)) else Hold.NO_ROOM
    return Bar(piece, die, Reason.CANNOT_MOVE_NOW, hold=hold)


def _is_of_a_pair(lister: Lister, piece: Piece) -> bool:
    """Whether a piece may go with another of its square on an even throw, barred by nothing."""
    seat, steps = piece
    return lister.rules.pair_move and steps != BASE and lister.situation.position[seat].count(steps) > 1


def _barred_whatever_the_die(lister: Lister, seat: int) -> DieMove | None:
    """The way out of base where no six would serve: blobs bar it, and the doorstep's cannot be challenged."""
    ways, field = lister.ways, lister.field
    out = ways.moves[seat][BASE][SIX]
    if out is None or not (out.passed | out.landings) & field.barriers:
        return None
    enemy_blobs = field.barriers & field.enemies
    can_challenge = lister.rules.dice_per_throw == 2 and ways.bit[seat][DOORSTEP] & enemy_blobs
    return None if can_challenge else out


def _way(lister: Lister, piece: Piece, die: int) -> DieMove | None:
    """Where a piece would go if nothing were in its way; backwards where all of its square have bounced."""
    seat, steps = piece
    situation = lister.situation
    bounced = situation.backing.count(piece)
    if bounced and bounced == situation.position[seat].count(steps):
        return walk(situation.setting.board, seat, steps, die, backwards=True)
    return lister.ways.moves[seat][steps][die]


def _first_on_the_way(lister: Lister, piece: Piece, die: int, squares: int) -> int:
    """The first of some squares (as bits) that a piece comes to."""
    on_the_way = (_way(lister, piece, number) for number in range(1, die))
    return next((move.landings & squares for move in on_the_way if move and move.landings & squares), squares)


def _blob(lister: Lister, square: int) -> tuple[Piece, ...]:
    """The pieces of the blob on a square (as a bit)."""
    situation = lister.situation
    return blobs_on(situation, Outlook(situation.setting, situation.side), square)[0]
