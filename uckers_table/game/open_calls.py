"""The calls that the side to play could make now, spelled out: for buttons, their lamps, and players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.ruling import Kind
from uckers_table.game.suckback import BLOWBACK, SUCKBACK

MOST = 6
"""As many calls as are told apart by number: a box has six buttons for it."""
AT_ONCE = 2
"""No throw moves more pieces than this, so a stand-up finish is out of reach while more are on their way."""


def open_calls(match: Match) -> tuple[Call, ...]:
    """The calls that `Match.call` accepts, with piece and number; as a double only where it must be one.

    A challenge is open once its six shows, all others before the throw. Left out are upboard, which nobody
    wants offered, snake eyes where they count uncalled, and declining what one can as well not play.
    """
    candidates = _before_throw(match) if match.awaiting is Awaiting.THROW else _challenges(match)
    return tuple(call for each in candidates if (call := _accepted(match, each)) is not None)


def numbered(calls: Sequence[Call]) -> Mapping[int, Call]:
    """By which number each of at most six calls is chosen: the number it names, where all differ in that.

    >>> sorted(numbered([Call("suckback", 0, 14, 5), Call("suckback", 0, 14, 3)]))
    [3, 5]
    >>> sorted(numbered([Call("challenge", 0, 14), Call("challenge", 0, 0)]))
    [1, 2]
    """
    named = {call.target: call for call in calls if call.target is not None and 1 <= call.target <= MOST}
    if len(named) == len(calls):
        return {number: call for number, call in named.items() if number is not None}
    return dict(enumerate(calls[:MOST], start=1))


def _challenges(match: Match) -> Iterator[Call]:
    return (Call("challenge", seat, steps) for seat, steps in match.challengers)


def _before_throw(match: Match) -> Iterator[Call]:
    """What may be worth trying: pieces in the right places, with every number there is."""
    rules, board = match.rules, match.board
    pieces = [(seat, steps) for seat in match.movers for steps in sorted(set(match.position[seat]))]
    if rules.suckback:
        for piece in pieces:
            mouths = {board.square(enemy, board.mouth) for enemy in match.setting.captured[piece[0]]}
            if board.square(*piece) in mouths:
                yield from (Call(SUCKBACK, *piece, number) for number in range(1, len(board.chute) + 1))
    if rules.blowback:
        yield from (Call(BLOWBACK, *piece) for piece in pieces if piece[1] in board.chute)
    is_called = match.turn.called or match.opening.called_for_all
    if rules.snake_eyes_call != "not_needed" and not is_called:
        yield Call("snake_eyes")
    if rules.throw_off_winner_chooses:
        yield from (Call("colours", seat, BASE) for seat in match.setting.sides if seat != match.to_play)
    team = match.setting.teams[match.to_play]
    if (
        not match.turn.called
        and sum(steps != board.home for seat in team for steps in match.position[seat]) <= AT_ONCE
    ):
        yield Call("stand_up_finish")
    if match.extra and not rules.extra_mandatory:
        yield Call("decline")


def _accepted(match: Match, call: Call) -> Call | None:
    """The call as the rules take it, with its number; None where they refuse it also as a double."""
    for double in (False, True) if call.kind in (SUCKBACK, BLOWBACK) else (False,):
        called = replace(call, double=double)
        ruling = playing.call(match, called).rulings[-1]
        if ruling.kind is not Kind.CALL_REFUSED:
            return replace(called, target=ruling.wanted) if call.kind in (SUCKBACK, BLOWBACK) else called
    return None
