"""What else may have happened than the record says: plays not seen yet, plays misread, turns out of step.

A guess is a match as it would stand if that had happened. Guesses are not said. They wait beside the record
until a board tells them apart. A guess that fits takes the record's place where the record does not fit.
Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import inf
from typing import NamedTuple

from uckers_table.errors import RulesError
from uckers_table.game import judging, playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.open_calls import open_calls
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Move, moves_between
from uckers_table.referee.crosscheck import DiceEvent
from uckers_table.referee.events import ButtonPressed, CallMade, DiceFault, ThrowMade
from uckers_table.referee.explaining import FITS, Found, explained
from uckers_table.referee.matching import Account, Away, OnLine, Reading, Window, places_moved

MOST = 12
"""How many guesses are kept at a time."""
MISREAD_PIECES = 2
"""How many pieces are misread or set down wrong at a time: one, and another that it seems to knock off."""
NEARLY_ALIKE = 1.0
"""A play that costs at most this much more (nats) than the one recognised may have been made instead."""
TRIED = 24
"""How many plays, the likeliest first, are tried for a play that nobody saw."""

Guesses = tuple[Match, ...]
Held = DiceEvent | CallMade | ButtonPressed
"""What may wait for a board: dice, a call, or the button for whatever can be called before the throw."""


def dice_of(held: Iterable[Held]) -> tuple[DiceEvent, ...]:
    """What the dice did, of what is held."""
    return tuple(told for told in held if isinstance(told, ThrowMade | DiceFault))


def taken(match: Match, told: Held, *, by_the_rules: bool = False) -> Match | None:
    """The match after dice or a call. None where they make no sense in it, or might mean several things.

    With `by_the_rules` a throw that nobody should have made makes no sense either.
    """
    if match.awaiting is Awaiting.OVER:
        return None
    try:
        match told:
            case ThrowMade():
                step = playing.throw(match, told.dice)
                is_void = any(ruling.kind is Kind.VOID for ruling in step.rulings)
                return None if by_the_rules and is_void else step.match
            case DiceFault():
                return playing.fault(match, told.kind, deliberate=told.deliberate).match
            case _:
                calls = meant(match, told)
                return playing.call(match, calls[0]).match if len(calls) == 1 else None
    except RulesError:
        return None


def taken_in_turn(match: Match, told: Iterable[Held]) -> Match | None:
    """The match after one event after the other. None where one of them makes no sense."""
    after: Match | None = match
    for each in told:
        after = taken(after, each) if after is not None else None
    return after


def all_taken(matches: Iterable[Match], told: Held) -> Guesses:
    """The guesses after dice or a call. Those in which it makes no sense are left out."""
    return _few(after for match in matches if (after := taken(match, told)) is not None)


def meant(match: Match, made: CallMade | ButtonPressed) -> tuple[Call, ...]:
    """The open calls that a player may mean. The button means any call that is made before the throw."""
    if isinstance(made, ButtonPressed):
        return open_calls(match) if match.awaiting is Awaiting.THROW else ()
    return tuple(each for each in open_calls(match) if _may_mean(made.call, each))


def _may_mean(call: Call, full: Call) -> bool:
    """Whether a call, which may leave out its piece and number, can mean the `full` one."""
    return (
        call.kind == full.kind
        and call.seat in (None, full.seat)
        and call.steps in (None, full.steps)
        and (call.target is None or (call.target, call.double) == (full.target, full.double))
    )


def owes_a_play(match: Match) -> bool:
    """Whether pieces are to be moved before dice are thrown again."""
    return match.awaiting is Awaiting.PLAY and bool(match.plays) and match.wrong_board is None


def first_unseen(
    match: Match, held: Sequence[Held], reading: Reading | Window, within: float = FITS
) -> Position | None:
    """The likeliest of `firsts_unseen`. None where no plays of these dice lead to what is seen."""
    return next(firsts_unseen(match, held, reading, within=within), None)


def firsts_unseen(
    match: Match, held: Sequence[Held], reading: Reading | Window, within: float = FITS
) -> Iterator[Position]:
    """The boards that may be the first on the way to the one seen, the nearest to it first.

    All held dice were thrown on that way. The first board is a play of the throw in hand, or the record where
    no play is owed. From there, plays of the held dice must lead to what is seen at a cost up to `within`
    (nats).
    """
    return _firsts(match, held, reading, match.position, within=within)


def _firsts(
    match: Match,
    held: Sequence[Held],
    reading: Reading | Window,
    record: Position,
    *,
    by_the_rules: bool = False,
    within: float = FITS,
) -> Iterator[Position]:
    if not held:
        return
    told, *rest = held
    boards: list[Position] = []
    if match.awaiting is Awaiting.PLAY:
        boards = sorted(match.plays, key=lambda play: reading.cost(play, record))[: TRIED // len(held)]
    if not owes_a_play(match):
        # What was called wrong was thrown on as it stands, or put right and played.
        boards.insert(0, match.position)
    for board in boards:
        played = playing.see(match, board).match if board != match.position else match
        after = taken(played, told, by_the_rules=by_the_rules)
        if after is None:
            continue
        later = _firsts(after, rest, reading, record, by_the_rules=by_the_rules, within=within)
        if _shows(after, reading, record, within) or next(later, None) is not None:
            yield board


def first_beside(match: Match, told: Held, shown: Position) -> Position | None:
    """The play of the throw in hand that leads to a board with a play of held dice and one more piece moved.

    None where plays of the throw in hand alone come as near to it, or where that piece may be any of several.
    """
    if not owes_a_play(match):
        return None
    nearest = sorted((len(moves_between(play, shown)), k) for k, play in enumerate(match.plays))
    if nearest[0][0] < 2:
        return None
    found: dict[tuple[Move, ...], Position] = {}
    for play in (match.plays[k] for _, k in nearest[:TRIED]):
        after = taken(playing.see(match, play).match, told, by_the_rules=True)
        if after is None or not owes_a_play(after):
            continue
        for last in after.plays:
            beside = moves_between(last, shown)
            if len(beside) == 1:
                found.setdefault(beside, play)
    return next(iter(found.values())) if len(found) == 1 else None


class Suspect(NamedTuple):
    """What looked wrong from `since` (seconds) until somebody threw.

    `boards`: how the wrong board was read. `excused`: readings for which nobody is to blame if something else
    had happened than is on record. `in_doubt`: readings that may be the record, or plays of the throw in
    hand, not read quite right.
    """

    match: Match
    since: float
    boards: tuple[Position, ...]
    excused: tuple[Position, ...]
    in_doubt: tuple[Position, ...]

    @property
    def all_wrong(self) -> tuple[Position, ...]:
        """The boards that are wrong if all is as on record, excused or not."""
        return (*self.boards, *self.excused)


class SeenBefore(NamedTuple):
    """The board on record, and how it was read before the first hand came over it."""

    record: Position
    reading: Reading

    def instead_of(self, match: Match) -> Match | None:
        """The match if the board was as it was seen then. None if that is the record."""
        if match.position != self.record:
            return None
        seen = self.reading.bare.completed(self.record)
        return playing.corrected(match, seen).match if seen not in (None, self.record) else None


class Gone(NamedTuple):
    """A piece that was seen in a stack until a hand came, and has not been `since` (seconds).

    The board counts as on record, because the stack may hide it.
    """

    account: Account
    since: float


def is_played_from(match: Match, wrong: Position, held: Sequence[Held], reading: Reading) -> bool:
    """Whether held dice, played by the rules on a wrong board, lead to the board seen."""
    after = playing.see(match, wrong).match
    # An accusation that rests on the dice thrown since must not need a void throw as well.
    return after.wrong_board is not None and (
        next(_firsts(after, held, reading, wrong, by_the_rules=True), None) is not None
    )


def wrong_before(match: Match, held: Sequence[Held], reading: Reading, shown: Position) -> Position | None:
    """The wrong board on which the held dice were thrown, if they were played by the rules since.

    None if unknown. Then the sides whose dice these were moved rightly. The pieces of as many sides as
    possible are taken back to where they stood. The others' stand as shown.
    """
    changed = [seat for seat, (was, now) in enumerate(zip(match.position, shown, strict=True)) if was != now]
    for number in range(len(changed) - 1, 0, -1):
        for seats in combinations(changed, number):
            board = _before(match, shown, seats)
            if is_played_from(match, board, held, reading):
                return board
    return None


def _before(match: Match, shown: Position, seats: Sequence[int]) -> Position:
    """The board before some seats moved: theirs as on record, and what they knocked off put back."""
    board = match.board
    come = {
        board.square(seat, steps)
        for seat in seats
        for steps in (Counter(shown[seat]) - Counter(match.position[seat]))
    }
    before = []
    for seat, (was, now) in enumerate(zip(match.position, shown, strict=True)):
        four = list(was if seat in seats else now)
        if seat not in seats:
            for steps in (Counter(was) - Counter(now)).elements():
                if BASE in four and steps != BASE and board.square(seat, steps) in come - {None}:
                    four[four.index(BASE)] = steps
        before.append(tuple(sorted(four)))
    return tuple(before)


def _shows(match: Match, reading: Reading | Window, record: Position, within: float) -> bool:
    """Whether a reading shows a match's board, or a play of its throw, or half of one."""
    least = reading.least_costs(match.position)

    def may_show(board: Position) -> bool:
        # Most boards of a long search differ from the reading at places where the play moves nothing. They
        # cost too much for that alone.
        moved = places_moved(match.board, match.position, board)
        return sum(cost for place, cost in least.items() if place not in moved) <= within

    boards = chain((match.position, *match.plays), match.halfway if match.awaiting is Awaiting.PLAY else ())
    return any(may_show(board) and reading.cost(board, record) <= within for board in boards)


def all_seen(matches: Iterable[Match], reading: Reading) -> Guesses:
    """The guesses after a board on which the record was right. Those that it rules out are left out."""
    # What the record is excused for, guesses are not.
    return _few(after for match in matches if (after := _seen(match, reading.bare)) is not None)


def _seen(match: Match, reading: Reading) -> Match | None:
    found, board = explained(match, reading, was_reached_over=True)
    if found is Found.LEGAL or (found is Found.DOUBTFUL and owes_a_play(match)):
        # What was in doubt before stays in doubt: the guess goes on with what fits best.
        return playing.see(match, board).match if board not in (None, match.position) else match
    return match if found is not Found.WRONG else None


def as_may_be(match: Match) -> list[Position]:
    """The boards that nobody is to blame for by a match: its own, and each play that is owed."""
    return [match.position, *(match.plays if match.awaiting is Awaiting.PLAY else ())]


def fewest_moves(boards: Iterable[Position], shown: Position) -> tuple[Move, ...]:
    """The fewest moves of single pieces that lead from any of these boards to another one."""
    return min((moves_between(board, shown) for board in boards), key=len)


def that_fits(
    matches: Iterable[Match],
    reading: Reading | Window,
    *,
    or_half: bool = False,
    but: Position | None = None,
) -> Match | None:
    """The guess whose board, or a play of it, the reading shows. With `or_half` half a play counts too.

    Of several, the best. A guess does not count if only the board `but` fits, which is on record.
    """
    fitting: list[tuple[float, int, Match]] = []
    for match in matches:
        boards = as_may_be(match)
        if or_half and match.awaiting is Awaiting.PLAY:
            boards += match.halfway
        cost = min((reading.cost(board, match.position) for board in boards if board != but), default=inf)
        if cost <= FITS:
            fitting.append((cost, len(fitting), match))
    return min(fitting)[2] if fitting else None


def fits_any(matches: Iterable[Match], reading: Reading | Window) -> bool:
    """Whether by any guess nobody is to blame for what the reading shows. Half a play counts too."""
    return any(explained(match, reading, was_reached_over=True)[0] is not Found.WRONG for match in matches)


def plays_alike(match: Match, chosen: Position, reading: Reading, within: float = FITS) -> Guesses:
    """The match after each other play that looks like the chosen one: its cost is at most `within` (nats)."""
    return _few(
        playing.see(match, play).match
        for play in match.plays
        if play != chosen and reading.cost(play, match.position) <= within
    )


def as_played(match: Match) -> Match | None:
    """The match if the throw in hand has been played, and led to this board. None if none is owed."""
    return judging.made(match, match.position).match if owes_a_play(match) else None


def as_made(matches: Iterable[Match], play: Position | None) -> Guesses:
    """The matches after a board that is a play of their throw in hand. The others are left out."""
    return tuple(playing.see(match, play).match for match in matches if play in match.plays)


def as_seen(match: Match, reading: Reading) -> Guesses:
    """The match if the board is just what is seen, and what is seen nowhere is in base, or at home."""
    seen = reading.completed(match.position)
    if seen is None:
        return ()
    home = match.board.home
    boards = [seen]
    for seat, (was, now) in enumerate(zip(match.position, seen, strict=True)):
        gone = now.count(BASE) - was.count(BASE)
        if gone == 1 and reading.seen[seat].count(BASE) <= was.count(BASE):
            boards.append((*seen[:seat], tuple(sorted((*now[1:], home))), *seen[seat + 1 :]))
    # Where a play is due, the board may have been so before the dice were thrown.
    before = [playing.corrected(match, board).match for board in boards] if owes_a_play(match) else []
    since = (playing.see(match, board).match if board != match.position else match for board in boards)
    return _few((*before, *since))


def elsewhere(match: Match, away: Away) -> Iterator[Match]:
    """The match if a piece out of play that was not seen there is out of play elsewhere: in base or at home.

    A colour that has all its pieces home by that may also have thrown the six that lets it help.
    """
    home, setting = match.board.home, match.setting
    for seat, not_seen in enumerate(away):
        for number, was, now in zip(not_seen, (BASE, home), (home, BASE), strict=True):
            if number and was in match.position[seat]:
                position = with_one_at(match.position, seat, was, now)
                yield playing.corrected(match, position).match
                if setting.has_gate and setting.is_home(position, seat):
                    yield playing.corrected(replace(match, helping=match.helping | {seat}), position).match


def across_lines(match: Match, on_lines: Iterable[OnLine]) -> Iterator[Match]:
    """The match if a piece near a line counted beyond it, and if all that stand there together did."""
    for seat, steps, beyond in on_lines:
        position = match.position
        while steps in position[seat]:
            position = with_one_at(position, seat, steps, beyond)
            yield playing.corrected(match, position).match


def with_one_at(position: Position, seat: int, was: int, now: int) -> Position:
    """A position in which a piece that stood at `was` stands at `now`."""
    four = list(position[seat])
    four[four.index(was)] = now
    return (*position[:seat], tuple(sorted(four)), *position[seat + 1 :])


def _next_turns(match: Match) -> Guesses:
    """The match if the turn were the next side's, the one after, and so on round to its own."""
    turns = []
    for _ in match.setting.sides:
        match = match.turn_done()
        turns.append(match)
    return tuple(turns)


def other_turns(match: Match, *, near: bool = False) -> Guesses:
    """The match if it were another side's throw, or if the last throw was another side's.

    With `near`, only the next side's, the last one's and its own again: one throw was missed, or taken for
    two.
    """
    out = _next_turns(match)
    if near:
        out = _few((out[0], *out[-2:]))
    if owes_a_play(match):
        played = as_played(match)
        thrown = (taken(turn, ThrowMade(0.0, match.thrown)) for turn in out)
        return _few(after for after in (played, *thrown) if after is not None)
    return out


def if_counted(match: Match, told: Held) -> Guesses:
    """The match if dice that came too early were due: the play was made, or it was another side's throw."""
    played = as_played(match) or match
    turns = (played, *_next_turns(played))
    return _few(after for turn in turns if (after := taken(turn, told, by_the_rules=True)) is not None)


@dataclass(frozen=True)
class LastThrow:
    """The match before and after the throw that the camera read last.

    `guesses` and `turns` are those of before it.
    """

    before: Match
    after: Match
    guesses: Guesses
    turns: Guesses


@dataclass(frozen=True)
class LastPlay:
    """The match before the play recognised last, as long as that may have been another play.

    `or_by`: that match by what else the dice were read as, or by where else a piece near a line may have
    stood. `told`: the dice since the play. `is_from_unseen`: a piece was played from where none had been
    seen.

    `seen`: how the board was then read for longer than an error lasts. From then on only pieces near lines
    are in doubt. `is_seen_again`: it was read so again after another hand.
    """

    match: Match
    or_by: Guesses = ()
    told: tuple[DiceEvent, ...] = ()
    is_from_unseen: bool = False
    seen: Reading | None = None
    is_seen_again: bool = False

    @property
    def unfinished(self) -> Guesses:
        """The match before, if half of the play may still be all that was made."""
        return () if self.told else (self.match,)

    def may_go_on(self, play: Position, shown: Position) -> bool:
        """Whether only what the play moved stands elsewhere, and nobody knows how far that may go."""
        ends = {(move.seat, move.end) for move in moves_between(self.match.position, play)}
        moves = moves_between(play, shown)
        return self.is_from_unseen and all((move.seat, move.start) in ends for move in moves)

    def others(self, but: Position) -> Iterator[Match]:
        """The match now, if the play was another one.

        Once dice have been thrown on the play, another one may differ by MISREAD_PIECES at most.
        """
        most = MISREAD_PIECES if self.told else inf
        for match in (self.match, *self.or_by):
            for play in match.plays:
                if play == but or len(moves_between(play, but)) > most:
                    continue
                if self.seen is not None and self.seen.cost(play, match.position) > FITS:
                    continue
                after = taken_in_turn(playing.see(match, play).match, self.told)
                if after is not None:
                    yield after


def _few(matches: Iterable[Match]) -> Guesses:
    few: list[Match] = []
    for match in matches:
        if match not in few and match.awaiting is not Awaiting.OVER:
            few.append(match)
        if len(few) == MOST:
            break
    return tuple(few)
