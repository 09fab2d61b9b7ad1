"""How simulated players cheat. Each cheat is a board of one plain kind that the rules see through."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from uckers_table.game import playing
from uckers_table.game.board import BASE, DOORSTEP
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Reason, moves_between
from uckers_table.simulator.manners import PLAINLY


@dataclass(frozen=True)
class Cheat:
    """A board that breaks the rules, and its kind: a key of CROOKED or SHIFTS, or LATE_SWAP."""

    kind: str
    position: Position


LATE_SWAP = "late_swap"
"""A play that is swapped after the next throw."""
_WaysToCheat = Callable[[Match, random.Random], Iterator[Cheat]]
"""Gives all cheats of one way that a match offers."""


def crooked_play(match: Match, rng: random.Random, kinds: Sequence[str] = PLAINLY) -> Cheat | None:
    """A board put up instead of a legal play, of one of these kinds; None if there is none."""
    ways = list(dict.fromkeys(CROOKED[kind] for kind in kinds))
    rng.shuffle(ways)
    for way in ways:
        tries = list(way(match, rng))
        rng.shuffle(tries)
        for cheat in tries:
            if cheat.kind in kinds and _is_caught(match, cheat, Kind.ILLEGAL, Kind.TIMBER_SHIFT):
                return cheat
    return None


def timber_shift(
    match: Match,
    rng: random.Random,
    kinds: Sequence[str] = ("timber_shift",),
    played_from: Position | None = None,
) -> Cheat | None:
    """Pieces moved while nobody's play is due, in one of these ways; None if there is none.

    The board `played_from`, from which the last play was made, does not count. To put the pieces back there
    before the next throw is to think again.
    """
    if match.awaiting is not Awaiting.THROW:
        return None
    ways = [SHIFTS[kind] for kind in kinds]
    rng.shuffle(ways)
    for way in ways:
        tries = list(way(match, rng))
        rng.shuffle(tries)
        for cheat in tries:
            if cheat.position != played_from and _is_caught(match, cheat, Kind.TIMBER_SHIFT):
                return cheat
    return None


def late_swap(match: Match, last: Match, rng: random.Random) -> Cheat | None:
    """The last play, made in the match `last`, is swapped for another legal one after the next throw.

    None if there is no other, or if all would pass for a play of the next side.
    """
    if match.position not in last.plays or not match.plays:
        return None
    tries = [Cheat(LATE_SWAP, board) for board in sorted(last.plays)]
    rng.shuffle(tries)
    return next((cheat for cheat in tries if _is_caught(match, cheat, Kind.TIMBER_SHIFT)), None)


def slip(match: Match, play: Position, rng: random.Random) -> Position | None:
    """A play with its last piece set down a square or two off, as happens to anybody;
    None if there is none.
    """
    tries = [cheat for cheat in _off_by_some(match, play) if _is_caught(match, cheat, Kind.ILLEGAL)]
    return rng.choice(tries).position if tries else None


def nearly_back(match: Match, stands: Position, rng: random.Random) -> Position | None:
    """The board on record, but for a piece that stands elsewhere now: it is put one square off its place.
    None if there is no such piece, or no room.
    """
    moves = [(move.seat, move.end) for move in moves_between(stands, match.position)]
    tries = [_walked(match, match.position, seat, end, by) for seat, end in moves for by in (-1, 1)]
    return rng.choice([each for each in tries if each is not None] or [None])


def shaken(match: Match, position: Position, rng: random.Random, most: int, far: int) -> Position:
    """A board on which up to so many pieces have slid by up to so many squares, as after a kick. The same
    board if no piece can slide.
    """
    steps = [(seat, each) for seat, pieces in enumerate(position) for each in pieces if each != BASE]
    for seat, start in rng.sample(steps, min(len(steps), rng.randint(1, most))):
        by = rng.choice([by for by in range(-far, far + 1) if by])
        position = _walked(match, position, seat, start, by) or position
    return position


def _miscounts(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A legal play with its last piece set down a square or two off."""
    for play in rng.sample(sorted(match.plays), min(4, len(match.plays))):
        yield from _off_by_some(match, play)


def _off_by_some(match: Match, play: Position) -> Iterator[Cheat]:
    for move in moves_between(match.position, play):
        for by in (-2, -1, 1, 2):
            wrong = _walked(match, play, move.seat, move.end, by)
            if wrong is not None and move.end != BASE:
                yield Cheat("padded" if by > 0 else "trimmed", wrong)


def _wrong_sides(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """Another seat's piece moved by the dice."""
    for seat, pieces in enumerate(match.position):
        if seat == match.to_play:
            continue
        for steps in sorted(set(pieces)):
            moved = _walked(match, match.position, seat, steps, sum(match.thrown))
            if moved is not None:
                yield Cheat("wrong_side", moved)


def _slides(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A legal play, with another of the player's pieces slid on a little in the same reach."""
    for play in rng.sample(sorted(match.plays), min(4, len(match.plays))):
        moved = {(move.seat, move.end) for move in moves_between(match.position, play)}
        for seat in match.setting.owned[match.to_play]:
            for steps in sorted(set(play[seat])):
                for by in (-1, 1, 2):
                    slid = _walked(match, play, seat, steps, by)
                    if slid is not None and (seat, steps) not in moved:
                        yield Cheat("slide", slid)


def _meanwhile(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A legal play, with somebody else's piece walked on or back under cover of the player's hand."""
    for play in rng.sample(sorted(match.plays), min(4, len(match.plays))):
        for seat, pieces in enumerate(play):
            for steps in sorted(set(pieces)):
                for by in (-3, -2, -1, 1, 2, 3):
                    shifted = _walked(match, play, seat, steps, by)
                    if shifted is not None and seat not in match.setting.owned[match.to_play]:
                        yield Cheat("meanwhile", shifted)


def _quietly(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A legal play, with a piece brought out of base that no six had earned."""
    for play in rng.sample(sorted(match.plays), min(4, len(match.plays))):
        for seat in match.setting.owned[match.to_play]:
            out = _put(match, play, seat, BASE, DOORSTEP)
            if out is not None:
                yield Cheat("out_of_base", out)


def _homewards(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A legal play, with a piece put home."""
    for play in rng.sample(sorted(match.plays), min(4, len(match.plays))):
        for seat in match.setting.owned[match.to_play]:
            for steps in sorted(set(play[seat]) & {*range(match.board.mouth - 6, match.board.home)}):
                yield Cheat("put_home", _moved(play, seat, steps, match.board.home))


def _left_standing(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A legal play without what it does to an enemy: the piece that it knocks off is left standing."""
    for play in rng.sample(sorted(match.plays), min(6, len(match.plays))):
        for move in moves_between(match.position, play):
            if move.end == BASE:
                yield Cheat("left_standing", _moved(play, move.seat, BASE, move.start))


def _halves(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """One die played, and the other left though it could be used."""
    for half in rng.sample(sorted(match.halfway), min(6, len(match.halfway))):
        yield Cheat("half", half)


def _walks(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A piece on the track walked a few squares."""
    for seat, pieces in enumerate(match.position):
        for steps in sorted(set(pieces)):
            for by in (-2, -1, 1, 2, 3):
                moved = _walked(match, match.position, seat, steps, by)
                if moved is not None:
                    yield Cheat("timber_shift", moved)


def _back_on_track(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A piece in base put on the track, as if a piece that was knocked off were put back."""
    for seat in range(match.board.arms):
        for steps in rng.sample(range(DOORSTEP + 1, match.board.mouth), 4):
            back = _put(match, match.position, seat, BASE, steps)
            if back is not None:
                yield Cheat("put_back", back)


def _sneaks_out(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A piece brought out of base between turns."""
    for seat in range(match.board.arms):
        out = _put(match, match.position, seat, BASE, DOORSTEP)
        if out is not None:
            yield Cheat("sneaked_out", out)


def _sneaks_home(match: Match, rng: random.Random) -> Iterator[Cheat]:
    """A piece put home between turns."""
    for seat, pieces in enumerate(match.position):
        for steps in sorted(set(pieces) & {*range(match.board.mouth - 6, match.board.home)}):
            yield Cheat("sneaked_home", _moved(match.position, seat, steps, match.board.home))


CROOKED: Mapping[str, _WaysToCheat] = {
    "padded": _miscounts,
    "trimmed": _miscounts,
    "wrong_side": _wrong_sides,
    "slide": _slides,
    "meanwhile": _meanwhile,
    "out_of_base": _quietly,
    "put_home": _homewards,
    "left_standing": _left_standing,
    "half": _halves,
}
"""Crooked plays, by kind."""
SHIFTS: Mapping[str, _WaysToCheat] = {
    "timber_shift": _walks,
    "put_back": _back_on_track,
    "sneaked_out": _sneaks_out,
    "sneaked_home": _sneaks_home,
}
"""Timber shifts between turns, by kind."""


def _moved(position: Position, seat: int, start: int, end: int) -> Position:
    four = list(position[seat])
    four[four.index(start)] = end
    return (*position[:seat], tuple(sorted(four)), *position[seat + 1 :])


def _put(match: Match, position: Position, seat: int, start: int, end: int) -> Position | None:
    """The board with one piece put on a square of the track; None if the square is taken."""
    if start not in position[seat] or _is_taken(match, position, seat, end):
        return None
    return _moved(position, seat, start, end)


def _is_taken(match: Match, position: Position, seat: int, steps: int) -> bool:
    """Whether a piece stands on this square of the track, or did before the play."""
    board = match.board
    return board.square(seat, steps) in {
        board.square(other, at)
        for stood in (position, match.position)
        for other, pieces in enumerate(stood)
        for at in pieces
    }


def _walked(match: Match, position: Position, seat: int, steps: int, by: int) -> Position | None:
    """The board with one piece on the track walked to an empty square; None if it cannot be."""
    end = steps + by
    board = match.board
    if not (DOORSTEP <= steps <= board.mouth and DOORSTEP <= end <= board.mouth):
        return None
    if steps not in position[seat] or _is_taken(match, position, seat, end):
        return None
    return _moved(position, seat, steps, end)


def _is_caught(match: Match, cheat: Cheat, *kinds: Kind) -> bool:
    """Whether the rules see through the cheat and do not mistake it for another fault."""
    if cheat.kind != "half" and cheat.position in match.halfway:
        return False
    rulings = playing.see(match, cheat.position).rulings
    if not rulings or rulings[-1].kind not in kinds:
        return False
    return cheat.kind not in ("padded", "trimmed") or rulings[-1].reason is Reason.WRONG_COUNT
