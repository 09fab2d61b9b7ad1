"""The slips that hands make: each kind gives the boards that it leads to from a match in which a play is due.

A slip is made by counting squares, as hands do. Whether a board is wrong is for the engine to say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from uckers_table.game.board import BASE, CORNER, DOORSTEP
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import moves_between
from uckers_table.game.ways import EXIT_DICE, SIX

_Boards = Iterator[Position]
_WaysToSlip = Callable[[Match, random.Random], _Boards]
_PLAYS = 5
"""So many legal plays are gone wrong with: more are no other slips."""


def moved_piece(position: Position, seat: int, start: int, end: int) -> Position:
    """The board with one piece put elsewhere."""
    four = list(position[seat])
    four[four.index(start)] = end
    return (*position[:seat], tuple(sorted(four)), *position[seat + 1 :])


def _on(match: Match, steps: int, by: int) -> int | None:
    """So many squares on, or back; None past home, past the doorstep, and of a piece in base or home."""
    if steps in (BASE, match.board.home):
        return None
    end = (BASE if steps == CORNER else steps) + by
    return end if BASE < end <= match.board.home else None


def _numbers(match: Match) -> set[int]:
    """What a hand may count off in one go: each die, and both."""
    return {*match.thrown, sum(match.thrown)}


def _walks(
    match: Match, position: Position, seats: tuple[int, ...], by: int
) -> Iterator[tuple[int, int, int]]:
    for seat in seats:
        for steps in sorted(set(position[seat])):
            end = _on(match, steps, by)
            if end is not None:
                yield seat, steps, end


def _standing(match: Match, position: Position, seat: int, steps: int) -> list[tuple[int, int]]:
    """The enemies on the square of a piece."""
    square = match.board.square(seat, steps)
    return [
        (enemy, each)
        for enemy in match.setting.captured[seat]
        for each in position[enemy]
        if square is not None and match.board.square(enemy, each) == square
    ]


def _knocked(match: Match, position: Position, seat: int, steps: int) -> Position:
    """The board with whoever stands there sent back."""
    for enemy, each in _standing(match, position, seat, steps):
        position = moved_piece(position, enemy, each, BASE)
    return position


def _put(match: Match, position: Position, seat: int, start: int, end: int) -> Position:
    """A piece put elsewhere, and whoever is there sent back."""
    return _knocked(match, moved_piece(position, seat, start, end), seat, end)


def _plays(match: Match, rng: random.Random) -> list[Position]:
    """Some legal plays."""
    plays = sorted(match.plays)
    return rng.sample(plays, min(_PLAYS, len(plays)))


def _is_blob(match: Match, seat: int, steps: int) -> bool:
    return len(_standing(match, match.position, seat, steps)) > 1


def _doorstep_counted(match: Match, rng: random.Random) -> _Boards:
    for seat in match.movers:
        for die in match.thrown:
            if BASE in match.position[seat] and SIX in match.thrown and die > 1:
                yield _put(match, match.position, seat, BASE, die)


def _one_die_twice(match: Match, rng: random.Random) -> _Boards:
    for die in set(match.thrown):
        for first in _walks(match, match.position, match.movers, die):
            half = _put(match, match.position, *first)
            for second in _walks(match, half, match.movers, die):
                yield _put(match, half, *second)


def _six_twice(match: Match, rng: random.Random) -> _Boards:
    for seat in match.movers:
        if BASE in match.position[seat] and SIX in match.thrown:
            out = _put(match, match.position, seat, BASE, DOORSTEP)
            for walk in _walks(match, out, match.movers, SIX):
                yield _put(match, out, *walk)


def _through_a_blob(match: Match, rng: random.Random) -> _Boards:
    for number in _numbers(match):
        for seat, start, end in _walks(match, match.position, match.movers, number):
            if any(_is_blob(match, seat, steps) for steps in range(max(start, BASE) + 1, end)):
                yield _put(match, match.position, seat, start, end)
    yield from _both_dice(
        match,
        lambda seat, start, end: any(
            _is_blob(match, seat, steps) for steps in range(max(start, BASE) + 1, end)
        ),
    )


def _both_dice(match: Match, is_meant: Callable[[int, int, int], bool]) -> _Boards:
    """Each die on a piece of its own, one of them in a way that is meant."""
    if len(match.thrown) == 1:
        return
    for one, other in (match.thrown, match.thrown[::-1]):
        for first in _walks(match, match.position, match.movers, one):
            if is_meant(*first):
                half = _put(match, match.position, *first)
                for second in _walks(match, half, match.movers, other):
                    yield _put(match, half, *second)


def _onto_a_blob(match: Match, rng: random.Random) -> _Boards:
    for number in _numbers(match):
        for seat, start, end in _walks(match, match.position, match.movers, number):
            if _is_blob(match, seat, end):
                yield moved_piece(match.position, seat, start, end)
                yield _put(match, match.position, seat, start, end)
    yield from _both_dice(match, lambda seat, start, end: _is_blob(match, seat, end))


def _blob_taken_apart(match: Match, rng: random.Random) -> _Boards:
    for number in _numbers(match):
        for seat, start, end in _walks(match, match.position, match.movers, number):
            if _is_blob(match, seat, end):
                enemy, steps = _standing(match, match.position, seat, end)[0]
                yield moved_piece(moved_piece(match.position, seat, start, end), enemy, steps, BASE)


def _sent(match: Match, play: Position) -> list[tuple[int, int]]:
    """Whom a play knocks off."""
    own = match.setting.teams[match.to_play]
    return [
        (move.seat, move.start)
        for move in moves_between(match.position, play)
        if move.end == BASE and move.seat not in own
    ]


def _not_sent_back(match: Match, rng: random.Random) -> _Boards:
    for play in sorted(match.plays):
        for seat, steps in _sent(match, play):
            yield moved_piece(play, seat, BASE, steps)


def _another_sent_back(match: Match, rng: random.Random) -> _Boards:
    for play in sorted(match.plays):
        for seat, steps in _sent(match, play):
            stands = moved_piece(play, seat, BASE, steps)
            for other in match.setting.enemies[match.to_play]:
                for each in set(stands[other]) - {BASE, steps, match.board.home}:
                    yield moved_piece(stands, other, each, BASE)


def _sent_back_in_passing(match: Match, rng: random.Random) -> _Boards:
    for play in _plays(match, rng):
        for move in moves_between(match.position, play):
            if move.end > move.start:
                for steps in range(max(move.start, BASE) + 1, move.end):
                    yield _knocked(match, play, move.seat, steps)


def _too_many_sent_back(match: Match, rng: random.Random) -> _Boards:
    for play in _plays(match, rng):
        for enemy in match.setting.enemies[match.to_play]:
            for steps in set(play[enemy]) - {BASE, match.board.home}:
                yield moved_piece(play, enemy, steps, BASE)


def _put_elsewhere_than_base(match: Match, rng: random.Random) -> _Boards:
    for play in sorted(match.plays):
        for seat, steps in _sent(match, play):
            for by in (-2, -1, 1, 2):
                if (end := _on(match, steps, by)) is not None:
                    yield moved_piece(play, seat, BASE, end)


def _mates(match: Match) -> tuple[int, ...]:
    return tuple(seat for seat in match.setting.teams[match.to_play] if seat not in match.movers)


def _mates_piece(match: Match, rng: random.Random) -> _Boards:
    for number in _numbers(match):
        for walk in _walks(match, match.position, _mates(match), number):
            yield _put(match, match.position, *walk)
    yield from _brought_out(match, _mates(match))


def _brought_out(match: Match, seats: tuple[int, ...]) -> _Boards:
    for seat in seats:
        if BASE in match.position[seat]:
            yield _put(match, match.position, seat, BASE, DOORSTEP)


def _one_die_for(match: Match, seats: tuple[int, ...]) -> _Boards:
    """One die on an own piece, the other on a piece of some other seats."""
    if len(match.thrown) == 1:
        return
    for one, other in (match.thrown, match.thrown[::-1]):
        for first in _walks(match, match.position, match.movers, one):
            half = _put(match, match.position, *first)
            for second in _walks(match, half, seats, other):
                yield _put(match, half, *second)


def _mates_piece_by_one_die(match: Match, rng: random.Random) -> _Boards:
    yield from _one_die_for(match, _mates(match))


def _helped_too_early(match: Match, rng: random.Random) -> _Boards:
    """The mate's piece by the die that the last one home left over, or by a throw for the six."""
    if not match.movers:
        yield from _mates_piece(match, rng)
    elif len(match.thrown) == 2:
        home = match.board.home
        for one, other in (match.thrown, match.thrown[::-1]):
            for seat, start, end in _walks(match, match.position, match.movers, one):
                come_home = moved_piece(match.position, seat, start, end)
                if end == home and {*come_home[seat]} == {home}:
                    for walk in _walks(match, come_home, _mates(match), other):
                        yield _put(match, come_home, *walk)


def _enemys_piece(match: Match, rng: random.Random) -> _Boards:
    enemies = match.setting.enemies[match.to_play]
    for number in _numbers(match):
        for walk in _walks(match, match.position, enemies, number):
            yield moved_piece(match.position, *walk)
    yield from _one_die_for(match, enemies)


def _counted_wrong(match: Match, rng: random.Random, by: tuple[int, ...]) -> _Boards:
    team = match.setting.teams[match.to_play]
    for play in _plays(match, rng):
        for move in moves_between(match.position, play):
            if move.end != BASE and move.seat in team:
                for off in by:
                    end = _on(match, move.end, off)
                    if end is not None:
                        stands = moved_piece(match.position, move.seat, move.start, end)
                        others = [each for each in moves_between(match.position, play) if each != move]
                        for other in others:
                            if other.seat in team and other.start in stands[other.seat]:
                                stands = moved_piece(stands, other.seat, other.start, other.end)
                                stands = _knocked(match, stands, other.seat, other.end)
                        yield _knocked(match, stands, move.seat, end)
                        yield stands


def _over_count(match: Match, rng: random.Random) -> _Boards:
    yield from _counted_wrong(match, rng, (1, 2))


def _under_count(match: Match, rng: random.Random) -> _Boards:
    yield from _counted_wrong(match, rng, (-1, -2))


def _wrong_direction(match: Match, rng: random.Random) -> _Boards:
    for number in _numbers(match):
        for walk in _walks(match, match.position, match.movers, -number):
            yield _put(match, match.position, *walk)
    if len(match.thrown) == 2:
        for one, other in (match.thrown, match.thrown[::-1]):
            for first in _walks(match, match.position, match.movers, one):
                half = _put(match, match.position, *first)
                for second in _walks(match, half, match.movers, -other):
                    yield _put(match, half, *second)


def _one_die_alone(match: Match, rng: random.Random) -> _Boards:
    for die in match.thrown:
        for walk in _walks(match, match.position, match.movers, die):
            yield _put(match, match.position, *walk)
        if die == SIX:
            yield from _brought_out(match, match.movers)


def _out_without_a_six(match: Match, rng: random.Random) -> _Boards:
    for seat in match.movers:
        if BASE in match.position[seat]:
            out = _put(match, match.position, seat, BASE, DOORSTEP)
            yield out
            for die in match.thrown:
                for walk in _walks(match, out, match.movers, die):
                    yield _put(match, out, *walk)


def _two_out_on_one_six(match: Match, rng: random.Random) -> _Boards:
    for seat in match.movers:
        if match.position[seat].count(BASE) > 1 and SIX in match.thrown:
            both = _put(match, moved_piece(match.position, seat, BASE, DOORSTEP), seat, BASE, DOORSTEP)
            yield both
            for die in match.thrown:
                for walk in _walks(match, both, match.movers, die):
                    yield _put(match, both, *walk)


def _home_on_too_much(match: Match, rng: random.Random) -> _Boards:
    home = match.board.home
    for number in _numbers(match):
        for seat in match.movers:
            for steps in set(match.position[seat]):
                if home - number < steps < home:
                    stands = moved_piece(match.position, seat, steps, home)
                    yield stands
                    for die in match.thrown:
                        for walk in _walks(match, stands, match.movers, die):
                            yield _put(match, stands, *walk)


def _past_own_chute(match: Match, rng: random.Random) -> _Boards:
    board = match.board
    for number in _numbers(match):
        for seat in match.movers:
            for steps in set(match.position[seat]):
                end = steps + number - board.track
                if steps <= board.mouth and end > BASE:
                    yield _put(match, match.position, seat, steps, end)


def _another_piece_besides(match: Match, rng: random.Random) -> _Boards:
    for play in _plays(match, rng):
        for by in (-1, 1, 2, 3):
            for seat, start, end in _walks(match, play, tuple(range(match.board.arms)), by):
                yield moved_piece(play, seat, start, end)
        for seat, four in enumerate(play):
            if BASE in four:
                yield moved_piece(play, seat, BASE, DOORSTEP)


def _taken_half_way(match: Match, rng: random.Random) -> _Boards:
    if len(match.thrown) == 2:
        for die in match.thrown:
            for seat, start, end in _walks(match, match.position, match.movers, sum(match.thrown)):
                half = _on(match, start, die)
                if half is not None and _standing(match, match.position, seat, half):
                    yield _knocked(match, _put(match, match.position, seat, start, end), seat, half)


def _misread_die(match: Match, rng: random.Random) -> _Boards:
    for walk in _walks(match, match.position, match.movers, rng.randint(1, 2 * SIX)):
        yield _put(match, match.position, *walk)


def _third_piece(match: Match, rng: random.Random) -> _Boards:
    """Two of a blob moved together by what was thrown for one."""
    for number in _numbers(match):
        for seat in match.movers:
            for steps in set(match.position[seat]):
                end = _on(match, steps, number)
                if end is not None and match.position[seat].count(steps) > 1:
                    yield _put(match, moved_piece(match.position, seat, steps, end), seat, steps, end)


def _played_to_the_end(match: Match, rng: random.Random) -> _Boards:
    """Any number that brings out has brought one out and walked it on."""
    for seat in match.movers:
        if BASE in match.position[seat] and EXIT_DICE[match.rules.exit_throw] & {*match.thrown}:
            for number in _numbers(match):
                yield _put(match, match.position, seat, BASE, min(DOORSTEP + number, match.board.home))


def _no_play_due(match: Match, rng: random.Random) -> _Boards:
    for by in (-2, -1, 1, 2, 3, SIX):
        for walk in _walks(match, match.position, tuple(range(match.board.arms)), by):
            yield moved_piece(match.position, *walk)
    for seat, four in enumerate(match.position):
        yield from _brought_out(match, (seat,))
        for steps in set(four) - {BASE, match.board.home}:
            yield moved_piece(match.position, seat, steps, BASE)


OUT_OF_TURN: Mapping[str, _WaysToSlip] = {"moved when no play was due": _no_play_due}
"""What goes wrong while a throw is awaited."""
SLIPS: Mapping[str, _WaysToSlip] = {
    "doorstep counted": _doorstep_counted,
    "one die twice": _one_die_twice,
    "six twice": _six_twice,
    "through a blob": _through_a_blob,
    "onto a blob": _onto_a_blob,
    "blob taken apart": _blob_taken_apart,
    "not sent back": _not_sent_back,
    "another sent back": _another_sent_back,
    "sent back in passing": _sent_back_in_passing,
    "too many sent back": _too_many_sent_back,
    "put elsewhere than base": _put_elsewhere_than_base,
    "mate's piece": _mates_piece,
    "mate's piece by one die": _mates_piece_by_one_die,
    "helped too early": _helped_too_early,
    "enemy's piece": _enemys_piece,
    "over-count": _over_count,
    "under-count": _under_count,
    "wrong direction": _wrong_direction,
    "one die alone": _one_die_alone,
    "out without a six": _out_without_a_six,
    "two out on one six": _two_out_on_one_six,
    "home on too much": _home_on_too_much,
    "past one's own chute": _past_own_chute,
    "another piece besides": _another_piece_besides,
    "taken half-way": _taken_half_way,
    "misread die": _misread_die,
    "two of a blob by one number": _third_piece,
    "out and on": _played_to_the_end,
}
"""What goes wrong with a throw in hand, or with one that was passed."""
