"""Why a board does not follow from the throw: the first reason that alone explains it (RULES 2.10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_

from uckers_table.game.board import BASE
from uckers_table.game.causes import blobs_on, held_back, nearest, overshooting
from uckers_table.game.match import Match
from uckers_table.game.moved import differences, moved_seats
from uckers_table.game.plays import Licence, Lister, Play, legal_boards
from uckers_table.game.position import Position
from uckers_table.game.ruling import Cause, Hold, Move, Reason
from uckers_table.game.suckback import must_move_on
from uckers_table.game.turn import Piece


@dataclass(frozen=True)
class Explanation:
    """Why a board does not follow, what was moved as that reason sees it, and what it is about."""

    reason: Reason
    moves: tuple[Move, ...]
    cause: Cause


def explain(match: Match, seen: Position) -> Explanation:
    """Why `seen` does not follow from a match in which a play is due, and what would have."""
    case = _Case(match, seen)
    found = next(case.explanations())
    plays = case.open_plays()
    cause = replace(
        found.cause,
        nearest=nearest(plays, seen, match.setting.owned[match.to_play]),
        is_only=len(match.plays) == 1,
        only_challenge=not match.plays,
    )
    return replace(found, cause=cause)


_LICENCES = (
    (Reason.NO_SIX_TO_COME_OUT, Licence(any_die_exits=True)),
    (Reason.THROUGH_BLOB, Licence(pass_barriers=True)),
    (Reason.ONTO_BLOB, Licence(land_on_barriers=True)),
    (Reason.PAST_HOME, Licence(past_home=True)),
)
"""What would have to be allowed, for the reasons that one licence explains."""


class _Case:
    """One board that does not follow, and the questions asked of it."""

    def __init__(self, match: Match, seen: Position) -> None:
        self.match = match
        self.situation = match.situation
        self.setting = match.setting
        self.position = match.position
        self.side = match.to_play
        self.movers = match.movers
        self.dice = match.thrown
        self.seen = seen
        captured = {seat for mover in self.movers for seat in self.setting.captured[mover]}
        self.captured = sorted(captured - set(self.movers))
        self.plain = Lister(self.situation)

    def open_plays(self) -> dict[Position, tuple[Move, ...]]:
        """What would have been legal, as moves by the board it leads to."""
        boards = legal_boards(self.situation, self.dice)
        return {
            board: _moves(self.position, boards[board], board)
            for board in self.match.plays
            if board in boards and board != self.position
        }

    def explanations(self) -> Iterator[Explanation]:
        """The questions of RULES 2.10 in their order, then some of them again with one die left unplayed."""
        yield from self._with_a_die_left()
        yield from self._locked()
        for reason, licence in _LICENCES:
            lister = Lister(self.situation, licence)
            yield from self._among(reason, lister, lister.plays(self.dice))
        yield from self._not_sent_back()
        lister = Lister(self.situation, Licence(splits=True))
        yield from self._among(Reason.SINGLE_PIECE_SPLITS, lister, lister.plays(self.dice))
        yield from self._sent_back_unearned()
        yield from self._not_your_piece()
        lister = Lister(self.situation, Licence(unheld=True))
        yield from self._among(Reason.CANNOT_MOVE_NOW, lister, lister.plays(self.dice))
        for reason, licence in _LICENCES:
            lister = Lister(self.situation, licence)
            one_die = (play for die in self.dice for play in lister.one_die_plays(die))
            yield from self._among(reason, lister, one_die)
        yield from self._half_way()
        moves = differences(self.position, self.seen, self.dice)
        reason = Reason.WRONG_COUNT if self._is_wrong_count(moves) else Reason.UNREACHABLE
        yield Explanation(reason, moves, Cause())

    # ------------------------------------------------------------------ the questions

    def _with_a_die_left(self) -> Iterator[Explanation]:
        """One die alone was played, though both can be; or the lower, though the higher can be."""
        higher, lower = max(self.dice), min(self.dice)
        if len(self.dice) == 2 and self.plain.two_dice_plays(self.dice):
            yield from self._one_of_two(lambda play: self.plain.after(play) == self.seen)
        elif lower < higher and self.plain.one_die_plays(higher):
            play = self._leading(self.plain.one_die_plays(lower))
            if play is not None:
                yield self._explanation(Reason.HIGHER_DIE_FIRST, play, Cause(die=higher))

    def _half_way(self) -> Iterator[Explanation]:
        """One die alone was played, and what the play knocks off still stands, or has gone already."""
        if self.seen in self.match.halfway:
            yield from self._one_of_two(lambda play: self._stands_alike(self.plain.after(play)))

    def _one_of_two(self, leads: Callable[[Play], bool]) -> Iterator[Explanation]:
        """The play of one die that `leads` to the board, the higher one's first, with both owed."""
        higher, lower = max(self.dice), min(self.dice)
        ways = [(die, next(filter(leads, self.plain.one_die_plays(die)), None)) for die in (higher, lower)]
        played = [(die, play) for die, play in ways if play is not None]
        if played:
            left = lower if played[0][0] == higher else higher
            either = len(played) == 2 and higher != lower
            yield self._explanation(Reason.BOTH_DICE_OWED, played[0][1], Cause(die=None if either else left))

    def _locked(self) -> Iterator[Explanation]:
        """It would follow, but a challenge is forced, or a piece must move on after its suckbacks."""
        for play in self.plain.plays(self.dice):
            if self.plain.after(play) == self.seen:
                cause = Cause(hold=Hold.CHALLENGE)
                if not self.match.must_challenge:
                    cause = Cause(must_move_on(self.situation, self.match.visits), hold=Hold.MOVE_ON)
                yield self._explanation(Reason.CANNOT_MOVE_NOW, play, cause)

    def _among(self, reason: Reason, lister: Lister, plays: Iterable[Play]) -> Iterator[Explanation]:
        """It would be one of these plays; barriers landed on may have been sent back or left standing."""
        spared = lister.field.barriers if reason is Reason.ONTO_BLOB else 0
        play = self._leading(plays, lister, spared)
        if play is not None:
            yield self._explanation(reason, play, self._cause(reason, play, lister.field.barriers))

    def _not_sent_back(self) -> Iterator[Explanation]:
        """It is a play's board, but for some that it knocked off and that still stand."""
        for play in self.plain.plays(self.dice):
            after = self.plain.after(play)
            standing = self._sent(self.seen, after)
            if standing and self._stands_alike(after) and self._sent(self.position, self.seen) is not None:
                yield self._explanation(Reason.NOT_SENT_BACK, play, Cause(standing))

    def _sent_back_unearned(self) -> Iterator[Explanation]:
        """It is a play's board, but for enemies in base on whom nobody landed."""
        for play in self.plain.plays(self.dice):
            after = self.plain.after(play)
            unearned = self._sent(after, self.seen)
            if unearned and self._stands_alike(after):
                yield self._explanation(Reason.SENT_BACK_UNEARNED, play, Cause(unearned))

    def _not_your_piece(self) -> Iterator[Explanation]:
        """Nothing but the partner's pieces was moved, or it would follow if they were the thrower's."""
        partners = set(self.setting.teams[self.side]) - {self.side, *self.movers}
        lister = Lister(self.situation._replace(movers=self.setting.teams[self.side]))
        play = self._leading(lister.plays(self.dice), lister)
        if play is not None:
            moves = _moves(self.position, play, self.seen)
        elif set(moved_seats(self.position, self.seen)) <= partners:
            moves = differences(self.position, self.seen, self.dice)
        else:
            return
        pieces = tuple((move.seat, move.start) for move in moves if move.seat in partners)
        yield Explanation(Reason.NOT_YOUR_PIECE, moves, Cause(pieces))

    def _is_wrong_count(self, moves: Sequence[Move]) -> bool:
        """Whether the thrower's pieces went forward by other numbers, knocking off those they landed on."""
        own = [move for move in moves if move.seat in self.movers]
        if not own or any(move.end <= move.start for move in own):
            return False
        distances = Counter(move.end - max(move.start, BASE) for move in own)
        if distances <= Counter(self.dice) or distances == Counter([sum(self.dice)]):
            return False
        bit = self.setting.ways.bit
        landings = {bit[move.seat][move.end] for move in own}
        sent = [move for move in moves if move.seat not in self.movers]
        return all(move.end == BASE and bit[move.seat][move.start] in landings - {0} for move in sent)

    # ------------------------------------------------------------------ their parts

    def _leading(self, plays: Iterable[Play], lister: Lister | None = None, spared: int = 0) -> Play | None:
        """A play that leads to the board, enemies on the squares of `spared` sent back or left standing."""
        lister = lister or self.plain
        for play in plays:
            if lister.after(play) == self.seen or (spared and lister.after(play, spared) == self.seen):
                return play
        return None

    def _explanation(self, reason: Reason, play: Play, cause: Cause) -> Explanation:
        return Explanation(reason, _moves(self.position, play, self.seen), cause)

    def _cause(self, reason: Reason, play: Play, barriers: int) -> Cause:
        """What a reason that a licence explains is about."""
        own = [Move(move.seat, move.start, move.end) for move in play]
        match reason:
            case Reason.THROUGH_BLOB:
                passed = reduce(or_, (move.passed for move in play)) & barriers
                return Cause(blobs=blobs_on(self.situation, passed))
            case Reason.ONTO_BLOB:
                landed = reduce(or_, (move.landings for move in play)) & barriers
                blobs = blobs_on(self.situation, landed)
                # A blob that was rightly taken, and left standing.
                is_taken = self.plain.after(play) in self.match.plays
                return Cause(tuple(chain.from_iterable(blobs)) if is_taken else (), blobs)
            case Reason.PAST_HOME:
                return Cause(overshooting(own, self.dice, self.setting.board.home))
            case Reason.SINGLE_PIECE_SPLITS:
                bit = self.setting.ways.bit
                ends = {bit[move.seat][move.end] for move in play}
                sent = self._sent(self.position, self.seen) or ()
                return Cause(tuple((seat, steps) for seat, steps in sent if bit[seat][steps] not in ends))
            case Reason.CANNOT_MOVE_NOW:
                hold, pieces = held_back(self.situation, own)
                return Cause(pieces, hold=hold)
        return Cause()

    def _stands_alike(self, after: Position) -> bool:
        """Whether all stand as after the play but those whom the thrower captures."""
        return all(four == self.seen[seat] for seat, four in enumerate(after) if seat not in self.captured)

    def _sent(self, before: Position, after: Position) -> tuple[Piece, ...] | None:
        """The enemies that went to base between two boards; None when one of them differs in another way."""
        sent: list[Piece] = []
        for seat in self.captured:
            here, there = Counter(before[seat]), Counter(after[seat])
            if set(there - here) - {BASE}:
                return None
            sent += [(seat, steps) for steps in sorted((here - there).elements())]
        return tuple(sent)


def _moves(position: Position, play: Play, seen: Position) -> tuple[Move, ...]:
    """The moves of a play, and what else was moved to come to the board."""
    between = [list(four) for four in position]
    for move in play:
        between[move.seat].remove(move.start)
        between[move.seat].append(move.end)
    own = [Move(move.seat, move.start, move.end) for move in play if move.start != move.end]
    others = differences(tuple(tuple(sorted(four)) for four in between), seen)
    return tuple(sorted((*own, *others), key=lambda move: (move.seat, move.start, move.end)))
