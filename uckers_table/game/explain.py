"""Why a board does not follow from the throw: the first reason that alone explains it (RULES 2.10).

Nothing here depends on the order of the dice, on which seat plays, or on the order of a colour's pieces: of
several plays that explain a board alike, and of several pieces, the first as the side to play sees them is
taken (`Outlook`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_

from uckers_table.game.board import BASE
from uckers_table.game.causes import blobs_on, held_back, nearest, overshooting
from uckers_table.game.counting import Count, came_out, exits_of
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.moved import differences, moved_seats
from uckers_table.game.outlook import Outlook
from uckers_table.game.plays import Licence, Lister, Play
from uckers_table.game.position import Position
from uckers_table.game.ruling import Cause, Hold, Kind, Move, Reason, Ruling, Slip, after_moves
from uckers_table.game.suckback import must_move_on
from uckers_table.game.turn import Piece
from uckers_table.game.ways import DieMove


@dataclass(frozen=True)
class Explanation:
    """Why a board does not follow, what was moved as that reason sees it, and what it is about."""

    reason: Reason
    moves: tuple[Move, ...]
    cause: Cause


def explain(match: Match, seen: Position) -> Explanation:
    """Why `seen` does not follow from a match in which a play is due, and what would have."""
    case = _Case(match, seen)
    found = next(case.explanations(), None) or case.in_part() or case.by_the_count()
    plays = case.open_plays()
    cause = replace(
        found.cause,
        nearest=nearest(plays, seen, case.view),
        is_only=len(match.plays) == 1,
        only_challenge=bool(match.challengers) and not match.plays,
        also_out=match.setting.also_out,
    )
    return replace(found, cause=cause)


def open_to(match: Match, pieces: Collection[Piece]) -> tuple[Piece, ...]:
    """Where the throw in hand takes these pieces by the rules, each by seat and steps: in any play that is
    open, as far as it goes in that. Base is left out.
    """
    case = _Case(match, match.position)
    ends = {
        (move.seat, move.end)
        for moves in case.open_plays().values()
        for move in case.told(moves)
        if (move.seat, move.start) in pieces and move.end != BASE
    }
    return tuple(sorted(ends))


def open_instead(ruling: Ruling, match: Match) -> tuple[Piece, ...] | None:
    """Where the dice take the pieces of an illegal play by the rules, as `open_to`.

    None of anything else, and where the match has gone on: other dice are in hand then.
    """
    then = (Kind.ILLEGAL, False, Awaiting.PLAY, ruling.throw, ruling.position)
    now = (ruling.kind, ruling.thrown_on, match.awaiting, match.thrown, match.position)
    return open_to(match, {(move.seat, move.start) for move in ruling.moves}) if now == then else None


_LICENCES = (
    (Reason.THROUGH_BLOB, Licence(pass_barriers=True)),
    (Reason.ONTO_BLOB, Licence(land_on_barriers=True)),
    (Reason.PAST_HOME, Licence(past_home=True)),
)
"""What would have to be allowed, for the reasons that one licence explains."""
_UNBARRED = Licence(pass_barriers=True, land_on_barriers=True)
"""Blobs stop nobody."""


class _Case:
    """One board that does not follow, and the questions asked of it.

    `in_part`: what is asked is how the thrower's own side moved. Enemies may be in base, or still stand, for
    a second reason.
    """

    def __init__(self, match: Match, seen: Position, *, in_part: bool = False) -> None:
        self.match = match
        self.situation = match.situation
        self.setting = match.setting
        self.position = match.position
        self.side = match.to_play
        self.movers = match.movers
        self.dice = match.thrown
        self.seen = seen
        self.view = Outlook(match.setting, match.to_play)
        captured = {seat for mover in self.movers for seat in self.setting.captured[mover]}
        self.captured = self.view.seats_in_order(captured - set(self.movers))
        self.plain = Lister(self.situation)
        self.is_in_part = in_part

    def open_plays(self) -> dict[Position, tuple[Move, ...]]:
        """What would have been legal, as moves by the board it leads to."""
        plays: dict[Position, list[Play]] = {}
        for play in self.plain.plays(self.dice):
            plays.setdefault(self.plain.after(play), []).append(play)
        return {
            board: self._moves(first, board)
            for board in self.match.plays
            if board != self.position and (first := self.view.first_of(plays.get(board, ())))
        }

    def explanations(self) -> Iterator[Explanation]:
        """The questions of RULES 2.10 in their order, then some of them again with one die left unplayed.

        Too many pieces out of base are the reason whatever else is wrong, so they are asked about first. No
        board has them that a question before that of the six explains.
        """
        yield from self._too_many_out()
        yield from self._not_brought_out()
        yield from self._with_a_die_left()
        yield from self._locked()
        yield from self._out_on_another_die()
        for reason, licence in _LICENCES:
            lister = Lister(self.situation, licence)
            plays = lister.plays(self.dice)
            if reason is Reason.ONTO_BLOB:
                plays += self._past_what_was_taken()
            yield from self._among(reason, lister, plays)
        yield from self._not_sent_back(alone=True)
        lister = Lister(self.situation, Licence(splits=True))
        yield from self._among(Reason.SINGLE_PIECE_SPLITS, lister, lister.plays(self.dice))
        yield from self._sent_back_unearned()
        yield from self._not_sent_back(alone=False)
        yield from self._not_your_piece()
        lister = Lister(self.situation, Licence(unheld=True))
        yield from self._among(Reason.CANNOT_MOVE_NOW, lister, lister.plays(self.dice))
        for reason, licence in (*_LICENCES, (Reason.CANNOT_MOVE_NOW, Licence(unheld=True))):
            lister = Lister(self.situation, licence)
            one_die = (play for die in self.dice for play in lister.one_die_plays(die))
            yield from self._among(reason, lister, one_die)
        yield from self._half_way()

    def by_the_count(self) -> Explanation:
        """Last, pieces went forward by numbers that the dice do not show; or the partner's were moved too; or
        nothing explains the board.
        """
        moves = self._differences()
        own = [move for move in moves if move.seat in self.movers]
        onward = list(map(self._onward, own))
        count = Count(self.setting.rules, self.setting.ways.out, onward, self.dice)
        is_forward = bool(own) and all(move.end > move.start for move in onward)
        if is_forward and self._is_sent_by(own, moves) and not count.is_shown:
            return Explanation(Reason.WRONG_COUNT, moves, Cause(slip=count.slip))
        if theirs := self._partners_walked(moves):
            return self._of_partners(theirs, moves)
        return Explanation(Reason.UNREACHABLE, moves, self._in_the_way())

    def _in_the_way(self) -> Cause:
        """What forbids moves that the dice show, where no reason alone explains them."""
        if self.situation.backing:
            forward = Lister(self.situation._replace(backing=()))
            if self._leading(forward.plays(self.dice), forward) is not None:
                return Cause(hold=Hold.BOUNCED)
        lister = Lister(self.situation, _UNBARRED)
        barriers = lister.field.barriers
        play = self._leading(lister.plays(self.dice), lister, barriers)
        if play is None:
            return Cause()
        met = reduce(or_, (move.passed | move.landings for move in play)) & barriers
        return Cause(blobs=blobs_on(self.situation, self.view, met))

    def in_part(self) -> Explanation | None:
        """What explains the moves of the thrower's own side, where nothing alone explains the board."""
        if self._sent(self.position, self.seen) is None:
            return None
        return next(_Case(self.match, self.seen, in_part=True).explanations(), None)

    # ------------------------------------------------------------------ the questions

    def _too_many_out(self) -> Iterator[Explanation]:
        """More came out than it has sixes, or other dice that bring out; or any on barred snake eyes."""
        exits = exits_of(self.setting.rules, self.dice)
        barred = [bar for bar in self.match.barred if came_out(self.position, self.seen, bar.piece[:1])]
        if barred:
            cause = Cause(blobs=tuple(bar.blob for bar in barred))
            yield Explanation(Reason.ONTO_BLOB, self._differences(), cause)
        if came_out(self.position, self.seen, self.movers) > len(exits):
            yield Explanation(Reason.NO_SIX_TO_COME_OUT, self._differences(), Cause())

    def _not_brought_out(self) -> Iterator[Explanation]:
        """A six moved another piece, though it has to bring one out and can."""
        owed = max(map(_exits, self.plain.plays(self.dice)), default=0)
        if self.setting.rules.exit_optional is True or not owed:
            return
        lister, sixes = (
            Lister(self.situation, Licence(stays_in=True)),
            exits_of(self.setting.rules, self.dice),
        )
        plays = lister.plays(self.dice)
        if owed == len(sixes):
            # Else one of them may move another, with the next still to be played.
            alone = (play for die in sixes for play in lister.one_die_plays(die))
            plays += [play for play in alone if not _exits(play)]
        yield from self._among(Reason.NO_SIX_TO_COME_OUT, lister, plays)

    def _with_a_die_left(self) -> Iterator[Explanation]:
        """One die alone was played, though both can be; or the lower, though the higher can be, or though the
        lower alone is lost.
        """
        higher, lower = max(self.dice), min(self.dice)
        if len(self.dice) == 2 and self.plain.two_dice_plays(self.dice):
            yield from self._one_of_two(lambda play: self._follows(self.plain.after(play)))
        elif lower < higher:
            play = self._leading(self.plain.one_die_plays(lower))
            if play is None:
                return
            if self.plain.one_die_plays(higher):
                yield self._explanation(Reason.HIGHER_DIE_FIRST, play, Cause(die=higher))
            elif not self.setting.rules.lower_die_fallback:
                yield self._explanation(Reason.CANNOT_MOVE_NOW, play, Cause(hold=Hold.LOWER_DIE))

    def _half_way(self) -> Iterator[Explanation]:
        """One die alone was played, and what the play knocks off still stands, or has gone already."""
        if self.seen in self.match.halfway:
            yield from self._one_of_two(lambda play: self._stands_alike(self.plain.after(play)))

    def _one_of_two(self, leads: Callable[[Play], bool]) -> Iterator[Explanation]:
        """The play of one die that `leads` to the board, the higher one's first, with both owed."""
        higher, lower = max(self.dice), min(self.dice)
        ways = [
            (die, self.view.first_of(filter(leads, self.plain.one_die_plays(die)))) for die in (higher, lower)
        ]
        played = [(die, play) for die, play in ways if play is not None]
        if played:
            left = lower if played[0][0] == higher else higher
            either = len(played) == 2 and higher != lower
            # What can go nowhere after the die that was played is not left to play.
            is_left = not either and self.seen in self.match.halfway
            yield self._explanation(Reason.BOTH_DICE_OWED, played[0][1], Cause(die=left if is_left else None))

    def _locked(self) -> Iterator[Explanation]:
        """It would follow, but a challenge, a piece that must move on, or what a ruling moved comes first."""
        play = self._leading(self.plain.plays(self.dice))
        if play is None:
            return
        cause = Cause()
        if self.match.barred:
            cause = Cause(hold=Hold.SNAKE_EYES)
        elif self.match.must_challenge:
            cause = Cause(hold=Hold.CHALLENGE)
        elif bound := must_move_on(self.situation, self.match.visits):
            cause = Cause(self.view.pieces_in_order(bound), hold=Hold.MOVE_ON)
        elif self.match.behind is not None:
            cause = Cause(hold=Hold.RULING)
        yield self._explanation(Reason.CANNOT_MOVE_NOW, play, cause)

    def _out_on_another_die(self) -> Iterator[Explanation]:
        """There was a six, but it moved another piece than the one that came out."""
        lister = Lister(self.situation, Licence(any_die_exits=True))
        # Of one piece that came out and went on by the six, the six was counted twice.
        pairs = [play for play in lister.plays(self.dice) if len(self.told(map(_as_move, play))) == 2]
        for found in self._among(Reason.NO_SIX_TO_COME_OUT, lister, pairs):
            yield replace(found, cause=Cause(slip=Slip.SIX_TWICE))

    def _past_what_was_taken(self) -> Iterator[Play]:
        """One die takes a blob that it may not, and the other goes past where that stood."""
        lister = Lister(self.situation, _UNBARRED)
        for play in lister.plays(self.dice):
            taken = [move.landings & lister.field.barriers & lister.field.enemies for move in play]
            passed = [move.passed & lister.field.barriers for move in play]
            if len(play) == 2 and any(passed) and not (passed[0] & ~taken[1] or passed[1] & ~taken[0]):
                yield play

    def _among(self, reason: Reason, lister: Lister, plays: Iterable[Play]) -> Iterator[Explanation]:
        """It would be one of these plays; barriers landed on may have been sent back or left standing."""
        spared = lister.field.barriers if reason is Reason.ONTO_BLOB else 0
        play = self._leading(plays, lister, spared)
        if play is not None:
            yield self._explanation(reason, play, self._cause(reason, play, lister.field.barriers))

    def _not_sent_back(self, *, alone: bool) -> Iterator[Explanation]:
        """It is a play's board, but for some that it knocked off and that still stand. `alone`: nobody is
        in base on whom nobody landed.
        """
        gone = self._sent(self.position, self.seen)
        if gone is None:
            return
        standing: dict[Play, Cause] = {}
        for play in self._plays_alike():
            landed_on = Counter(self._sent(self.position, self.plain.after(play)))
            left, unearned = landed_on - Counter(gone), Counter(gone) - landed_on
            if left and not (alone and unearned):
                standing[play] = Cause((*left.elements(),), others=(*unearned.elements(),))
        if first := self.view.first_of(standing):
            yield self._explanation(Reason.NOT_SENT_BACK, first, standing[first])

    def _sent_back_unearned(self) -> Iterator[Explanation]:
        """It is a play's board, but for enemies in base on whom nobody landed."""
        alike = {play: self.plain.after(play) for play in self._plays_alike()}
        unearned = {play: sent for play, after in alike.items() if (sent := self._sent(after, self.seen))}
        fewest = min(map(len, unearned.values()), default=0)
        if play := self.view.first_of(play for play, sent in unearned.items() if len(sent) == fewest):
            yield self._explanation(Reason.SENT_BACK_UNEARNED, play, Cause(unearned[play]))

    def _not_your_piece(self) -> Iterator[Explanation]:
        """Nothing but the partner's pieces was moved, or it would follow if they were the thrower's."""
        partners = set(self.setting.teams[self.side]) - {self.side, *self.movers}
        if not partners:
            return
        lister = Lister(self.situation._replace(movers=self.setting.teams[self.side]), Licence(partners=True))
        play = self._leading(lister.plays(self.dice), lister)
        if play is not None:
            moves = self.told(self._moves(play, self.seen))
        elif set(moved_seats(self.position, self.seen)) <= partners:
            moves = self._differences()
        else:
            return
        yield self._of_partners([move for move in moves if move.seat in partners], moves)

    def _partners_walked(self, moves: Sequence[Move]) -> list[Move]:
        """The partner's pieces that were moved in place of the throw's, if no enemy was moved but to base."""
        team = self.setting.teams[self.side]
        if any(move.seat not in team and move.end != BASE for move in moves):
            return []
        own = {self.side, *self.movers}
        after = map(self.plain.after, self.plain.plays(self.dice))
        if any(all(stands[seat] == self.seen[seat] for seat in own) for stands in after):
            # The whole throw was played, and anybody may have moved those.
            return []
        return [move for move in moves if move.seat in team and move.seat not in own]

    def _of_partners(self, theirs: Sequence[Move], moves: tuple[Move, ...]) -> Explanation:
        """Some of the moves were of the partner's pieces."""
        pieces = tuple((move.seat, move.start) for move in theirs)
        cause = Cause(pieces, others=self._back_with(theirs, moves))
        if self.setting.has_gate and self.setting.is_home(self.seen, self.side):
            cause = replace(cause, hold=Hold.GATE)
        return Explanation(Reason.NOT_YOUR_PIECE, moves, cause)

    def _back_with(self, some: Sequence[Move], moves: Sequence[Move]) -> tuple[Piece, ...]:
        """What goes back with some of the moves: whom these knocked off, or all, if the rest is no part of a
        play.
        """
        bit, out = self.setting.ways.bit, self.setting.ways.out
        landed = {bit[move.seat][move.end] for move in some}
        landed |= {bit[move.seat][out] for move in some if move.start == BASE}
        others = [move for move in moves if move not in some]
        with_them = [move for move in others if move.end == BASE and bit[move.seat][move.start] in landed]
        rest = after_moves(self.position, [move for move in others if move not in with_them])
        is_right = rest == self.position or rest in self.match.plays or rest in self.match.halfway
        return tuple((move.seat, move.start) for move in (with_them if is_right else others))

    # ------------------------------------------------------------------ their parts

    def _onward(self, move: Move) -> Move:
        """A move as it would be if no piece ever turned round at home (VAR D)."""
        home = self.setting.board.home
        if self.setting.rules.home_exact != "bounce" or move.end > move.start:
            return move
        if (move.seat, move.start) in self.situation.backing:
            return replace(move, end=2 * move.start - move.end)
        return replace(move, end=2 * home - move.end) if home - move.start < sum(self.dice) else move

    def _is_sent_by(self, own: Sequence[Move], moves: Sequence[Move]) -> bool:
        """Whether nobody else was moved but to base, from squares that the thrower's pieces landed on."""
        bit, out = self.setting.ways.bit, self.setting.ways.out
        landings = {bit[move.seat][move.end] for move in own}
        landings |= {bit[move.seat][out] for move in own if move.start == BASE}
        sent = [move for move in moves if move.seat not in self.movers]
        return all(move.end == BASE and bit[move.seat][move.start] in landings - {0} for move in sent)

    def _leading(self, plays: Iterable[Play], lister: Lister | None = None, spared: int = 0) -> Play | None:
        """A play that leads to the board, enemies on the squares of `spared` sent back or left standing."""
        after = (lister or self.plain).after
        return self.view.first_of(
            play
            for play in plays
            if self._follows(after(play)) or (spared and after(play, spared) == self.seen)
        )

    def _follows(self, after: Position) -> bool:
        """Whether the board is that after a play, as far as it is asked about."""
        return after == self.seen or (self.is_in_part and self._stands_alike(after))

    def _plays_alike(self) -> list[Play]:
        """The plays after which all stand as seen but those whom the thrower captures."""
        return [play for play in self.plain.plays(self.dice) if self._stands_alike(self.plain.after(play))]

    def _explanation(self, reason: Reason, play: Play, cause: Cause) -> Explanation:
        return Explanation(reason, self.told(self._moves(play, self.seen)), cause)

    def _cause(self, reason: Reason, play: Play, barriers: int) -> Cause:
        """What a reason that a licence explains is about."""
        own = self.view.moves_in_order(map(_as_move, play))
        match reason:
            case Reason.THROUGH_BLOB:
                passed = reduce(or_, (move.passed for move in play)) & barriers
                by = tuple((move.seat, move.start) for move in play if move.passed & barriers)
                return Cause(by=by, blobs=blobs_on(self.situation, self.view, passed))
            case Reason.ONTO_BLOB:
                landed = reduce(or_, (move.landings for move in play)) & barriers
                blobs = blobs_on(self.situation, self.view, landed)
                # A blob that was rightly taken, and left standing.
                is_taken = self.plain.after(play) in self.match.plays
                by = tuple((move.seat, move.start) for move in play if move.landings & barriers)
                return Cause(tuple(chain.from_iterable(blobs)) if is_taken else (), by=by, blobs=blobs)
            case Reason.PAST_HOME:
                return Cause(overshooting(own, self.dice, self.setting.board.home))
            case Reason.SINGLE_PIECE_SPLITS:
                bit = self.setting.ways.bit
                ends = {bit[move.seat][move.end] for move in play}
                sent = self._sent(self.position, self.seen) or ()
                return Cause(tuple((seat, steps) for seat, steps in sent if bit[seat][steps] not in ends))
            case Reason.CANNOT_MOVE_NOW:
                if stopped := [move for move in play if self._is_stopped(move)]:
                    return Cause(tuple((move.seat, move.start) for move in stopped), hold=Hold.CAPTURED)
                hold, pieces = held_back(self.situation, own)
                return Cause(pieces, hold=hold)
        return Cause()

    def _is_stopped(self, move: DieMove) -> bool:
        """Whether it is for what it knocked off that a piece may not go on, and it was free to come out."""
        return self.plain.is_stopped(move) and not self.plain.is_held_back(move.seat, move.start)

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

    def _differences(self) -> tuple[Move, ...]:
        """What was moved, as the board alone tells it."""
        moves = differences(self.position, self.seen, self.dice, self.setting.ways.out)
        return self.view.moves_in_order(moves)

    def _moves(self, play: Play, board: Position) -> tuple[Move, ...]:
        """The moves of a play, and what else was moved to come to a board."""
        between = [list(four) for four in self.position]
        for move in play:
            between[move.seat].remove(move.start)
            between[move.seat].append(move.end)
        own = [move for move in map(_as_move, play) if move.start != move.end]
        others = differences(tuple(tuple(sorted(four)) for four in between), board)
        return self.view.moves_in_order((*own, *others))

    def told(self, moves: Iterable[Move]) -> tuple[Move, ...]:
        """Moves as the board alone tells of them.

        Where one piece stops on the square that another of its colour leaves, one piece went all the way.
        """
        joined: tuple[Move, ...] = ()
        for move in moves:
            joined = _joined(joined, move)
        return self.view.moves_in_order(joined)


def _exits(play: Play) -> int:
    """How many pieces a play brings out."""
    return sum(move.start == BASE for move in play)


def _as_move(move: DieMove) -> Move:
    return Move(move.seat, move.start, move.end)


def _joined(moves: tuple[Move, ...], move: Move) -> tuple[Move, ...]:
    """Moves with one more, which goes on from where another ended, or ends where another began."""
    for other in moves:
        if other.seat == move.seat and (other.end == move.start or other.start == move.end):
            first, then = (other, move) if other.end == move.start else (move, other)
            return _joined(_without(moves, other), Move(move.seat, first.start, then.end))
    return moves if move.start == move.end else (*moves, move)


def _without(moves: tuple[Move, ...], one: Move) -> tuple[Move, ...]:
    at = moves.index(one)
    return (*moves[:at], *moves[at + 1 :])
