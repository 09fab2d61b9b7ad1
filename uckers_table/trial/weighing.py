"""What a referee ruled in a match, weighed against what really happened at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import permutations
from math import inf
from typing import NamedTuple

from uckers_table.announce.accusations import besides
from uckers_table.announce.sentences import say
from uckers_table.game.board import Board
from uckers_table.game.position import Position, all_in_base
from uckers_table.game.ruling import Kind, Move, Ruling, after_moves, moves_between
from uckers_table.referee.rulings import CHECK_DICE, Misplaced, Notice, NoticeKind, TimedRuling
from uckers_table.simulator.people import Happening, Planted

ACCUSATIONS = (Kind.ILLEGAL, Kind.TIMBER_SHIFT)
QUESTIONS = (NoticeKind.CHECK, NoticeKind.OUT_OF_STEP)
FATES = ("called", "asked", "missed")
"""What becomes of a cheat."""
PUT_DOWN_S = 0.3
"""From the hand's leaving to the entry of a play or a cheat in the simulator's log."""
SETTLING = (Kind.LEGAL, Kind.PUT_RIGHT, Kind.STOOD, Kind.WON)
"""After these the board is as on record. A later call is not about what was done before."""
MOVING = ("play", "slip", "first_thought", "cheat", "put_right", "kicked")
"""Entries of the log after which all pieces stand."""
LATE_S = 15.0
"""An accusation counts for a cheat up to this long after people let the cheat stand."""
TURNED_BACK_S = 3.0
"""A call of a turned die counts up to this long after the die was turned back."""


class Heard(NamedTuple):
    """A ruling, and the time since when the table had not changed."""

    timed: TimedRuling
    still_since: float


class Who(IntEnum):
    """Whose line of a match's log one is. At one time they stand in this order."""

    TRUTH = 0
    REFEREE = 1
    JUDGE = 2


class LogLine(NamedTuple):
    """A line of a match's log: when (seconds), whose, and what."""

    t: float
    who: Who
    what: str

    def __str__(self) -> str:
        before = "    referee: " if self.who is Who.REFEREE else ""
        return f"{self.t:8.1f}  {before}{self.what}"


@dataclass
class MatchAccount:
    """A match in numbers. `said`: its sentences, each with the truth beside it."""

    plays: int = 0
    misjudged: int = 0
    """Plays that were never ruled legal exactly as they were made."""
    false_accusations: int = 0
    cheats: dict[str, list[int]] = field(default_factory=dict)
    """By kind, how many were called, asked about and missed."""
    inexact: int = 0
    """Right accusations that named more or less than the cheat."""
    questions: int = 0
    lost_throws: int = 0
    """Good throws that were taken for void."""
    in_step: bool = False
    refused: bool = False
    """The table could not be calibrated, and nothing was played there."""
    ruling_s: list[float] = field(default_factory=list)
    """From the first still picture of a play to its ruling."""
    call_s: list[float] = field(default_factory=list)
    """From the first still picture of a cheat to the accusation."""
    accusation_words: list[int] = field(default_factory=list)
    """How many words each accusation has, as it is heard."""
    said: list[LogLine] = field(default_factory=list)


def weigh(
    board: Board,
    log: Sequence[Happening],
    planted: Sequence[Planted],
    rulings: Sequence[Heard],
    *,
    in_step: bool = False,
) -> MatchAccount:
    """Hold what was ruled against the log of what happened and the cheats that were planted."""
    weighing = _Weighing(board, log, planted, rulings, MatchAccount(in_step=in_step))
    weighing.weigh()
    return weighing.account


@dataclass
class _Weighing:
    """The truth of a match, what was ruled, and what came of comparing them."""

    board: Board
    log: Sequence[Happening]
    planted: Sequence[Planted]
    rulings: Sequence[Heard]
    account: MatchAccount
    marks: list[tuple[float, str]] = field(default_factory=list)
    """Times and marks (`!!`) of what was said wrongly, or not said."""

    def weigh(self) -> None:
        """Fill the account."""
        account, kinds = self.account, [heard.timed.ruling.kind for heard in self.rulings]
        account.questions = sum(kind in QUESTIONS for kind in kinds)
        account.lost_throws = max(0, kinds.count(Kind.VOID) - sum(h.what == "void" for h in self.log))
        self._weigh_plays()
        self._weigh_cheats()
        self._weigh_rigging()
        self._write_down()

    def _weigh_plays(self) -> None:
        plays = [(h.t, h.position) for h in self.log if h.what == "play"]
        self.account.plays = len(plays)
        ends = [t for t, _ in plays[2:]] + [float("inf")] * 2
        for (t, position), end in zip(plays, ends, strict=False):
            ruled = self._ruled(t, end, position)
            if ruled is None:
                self.account.misjudged += 1
            else:
                self.account.ruling_s.append(ruled)

    def _ruled(self, t: float, end: float, position: Position) -> float | None:
        """Seconds from a play's first still picture to its ruling; None if it was never ruled legal."""
        for timed, still in self.rulings:
            ruling = timed.ruling
            if not (t - 2.0 <= timed.t <= end) or ruling.kind not in (Kind.LEGAL, Kind.WON, Kind.STOOD):
                continue
            if isinstance(ruling, Ruling) and ruling.position == position:
                return max(0.0, timed.t - max(still, t - PUT_DOWN_S))
        return None

    def _weigh_cheats(self) -> None:
        """What became of each cheat: the best that any ruling made of it."""
        fates = ["missed"] * len(self.planted)
        for heard in self.rulings:
            ruling = heard.timed.ruling
            if isinstance(ruling, Ruling) and ruling.kind in ACCUSATIONS:
                self._weigh_accusation(heard, ruling, fates)
            elif isinstance(ruling, Notice):
                for k in self._asked_by(heard.timed.t, ruling):
                    fates[k] = "asked" if fates[k] == "missed" else fates[k]
        for each, fate in zip(self.planted, fates, strict=True):
            tally = self.account.cheats.setdefault(each.kind, [0, 0, 0])
            tally[FATES.index(fate)] += 1
            if fate != "called":
                self.marks.append((each.t, f"!! {fate}: {each.kind}"))

    def _weigh_accusation(self, heard: Heard, said: Ruling, fates: list[str]) -> None:
        """An accusation calls the cheats that it means. It is false if it means none."""
        account, t = self.account, heard.timed.t
        if words := say(said, self.board):
            account.accusation_words.append(len(words.split()))
        in_force = self._in_force(t)
        open_ones = self._open(t, in_force, fates)
        exact = next((k for k in open_ones if _is_of(self.planted[k], t, said)), None)
        if exact is None and in_force is not None:
            account.inexact += 1
            self.marks.append((t, "!! inexact"))
        meant = self._named(open_ones, t, said) | self._shown(heard.timed, open_ones)
        meant |= {k for k in (exact, in_force) if k is not None}
        if not meant:
            account.false_accusations += 1
            self.marks.append((t, "!! false accusation"))
        for k in meant:
            if fates[k] != "called":
                account.call_s.append(t - max(heard.still_since, self.planted[k].t - PUT_DOWN_S))
            fates[k] = "called"

    def _open(self, t: float, in_force: int | None, fates: Sequence[str]) -> list[int]:
        """The cheats that an accusation may be of: the one in force, those not called or put right yet, and
        those that still stand.
        """
        stands = self._stood(t)
        return [
            k
            for k, each in enumerate(self.planted)
            if k == in_force
            or (fates[k] != "called" and not self._is_put_right(k, t))
            or _stands(each, stands)
        ]

    def _asked_by(self, t: float, notice: Notice) -> set[int]:
        """The cheats that a question is about, or of which a piece is to be put right."""
        planted, in_force = self.planted, self._in_force(t)
        if notice.kind in QUESTIONS:
            return {k for k, each in enumerate(planted) if k == in_force or self._is_asked(each, t, notice)}
        if (piece := notice.piece) is None:
            return set()
        return {k for k, each in enumerate(planted) if _is_moved_in(each, t, piece)}

    def _in_force(self, t: float) -> int | None:
        """The latest cheat, while an accusation can still be of it; None once it is put right, or too old."""
        begun = [k for k, each in enumerate(self.planted) if each.t - PUT_DOWN_S <= t]
        if not begun:
            return None
        is_late = begun[-1] < len(self._ends_of) and t > self._ends_of[begun[-1]].t + LATE_S
        return None if is_late or self._is_put_right(begun[-1], t) else begun[-1]

    @cached_property
    def _ends_of(self) -> list[Happening]:
        """When each cheat was spoken of, or was let stand by the next throw. The last may have no entry."""
        return [h for h in self.log if h.what in ("called", "asked", "stood")]

    def _is_put_right(self, number: int, t: float) -> bool:
        """Whether a cheat had been spoken of by a time, and its pieces were back where they had stood."""
        if number >= len(self._ends_of) or self._ends_of[number].what == "stood":
            return False
        cheat, stood, spoken_t = self.planted[number], self._stood(t), self._ends_of[number].t
        is_moved = any(h.what in MOVING and spoken_t < h.t <= t for h in self.log)
        is_back = all(move.start in stood[move.seat] for move in cheat.ruling.moves)
        return is_moved and is_back and not _stands(cheat, stood)

    def _weigh_rigging(self) -> None:
        """A turned die can be called, or asked about, while it lies so and for TURNED_BACK_S after."""
        account, log = self.account, self.log
        back = [h.t for h in log if h.what == "turned_back"]
        rigged = [h.t for h in log if h.what == "rigged"]
        spans = [(t, end + TURNED_BACK_S) for t, end in zip(rigged, [*back, inf], strict=False)]
        called, asked = set[int](), set[int]()
        for timed, _ in self.rulings:
            meant = {k for k, (start, end) in enumerate(spans) if start <= timed.t <= end}
            if timed.ruling == CHECK_DICE:
                asked |= meant
            if timed.ruling.kind is not NoticeKind.DICE_TURNED:
                continue
            called |= meant
            if not meant:
                account.false_accusations += 1
                self.marks.append((timed.t, "!! false accusation"))
        if spans:
            fates = [
                "called" if k in called else "asked" if k in asked else "missed" for k in range(len(spans))
            ]
            account.cheats["rigged"] = [fates.count(fate) for fate in FATES]
            for fate, (start, _) in zip(fates, spans, strict=True):
                if fate != "called":
                    self.marks.append((start, f"!! {fate}: rigged"))

    def _shown(self, timed: TimedRuling, cheats: Sequence[int]) -> set[int]:
        """The cheats since the last settled board, if the accusation names the whole true board."""
        ruling = timed.ruling
        assert isinstance(ruling, Ruling)
        if after_moves(ruling.position, ruling.moves) != self._stood(timed.t):
            return set()
        since = self._settled(timed.t)
        return {k for k in cheats if since < self.planted[k].t <= timed.t + PUT_DOWN_S}

    def _named(self, cheats: Sequence[int], t: float, said: Ruling) -> set[int]:
        """The cheats that an accusation names: it names every move of them, and may name more.

        A piece may have been moved on since. One move from its first square to its last then names the cheat;
        if another cheat moved it on, it names both. A move may also begin where the play before the cheat
        took the piece from: of a piece moved back after its play, the referee may say that only part of the
        play was made.
        """
        planted = self.planted
        past = [
            (k, move) for k in cheats if planted[k].t - PUT_DOWN_S <= t for move in planted[k].ruling.moves
        ]
        ends = {(k, move): self._ends(planted[k], move, t) for k, move in past}
        starts = {(k, move): {move.start, *self._played_from(move, planted[k].t)} for k, move in past}
        for (k, first), (j, then) in permutations(past, 2):
            if k < j and first.seat == then.seat and then.start in ends[k, first]:
                starts[j, then].add(first.start)
        told = {(move.seat, move.start, move.end) for move in said.moves}
        names = {
            (k, move): {(move.seat, start, end) for start in starts[k, move] for end in ends[k, move]}
            for k, move in past
        }
        return {k for k, _ in past if all(of & told for (each, _), of in names.items() if each == k)}

    def _played_from(self, move: Move, t: float) -> set[int]:
        """The square from which the last play before a time brought the piece that is moved then."""
        plays = [on for h, on in self._moved() if h.what == "play" and h.t < t]
        return {
            each.start for on in plays[-1:] for each in on if (each.seat, each.end) == (move.seat, move.start)
        }

    def _ends(self, planted: Planted, move: Move, t: float) -> set[int]:
        """All squares on which a piece moved in a cheat has stood up to a time: it may have been moved on."""
        ends = {move.end}
        for h, on in self._moved():
            if planted.t < h.t <= t:
                ends |= {each.end for each in on if each.seat == move.seat and each.start in ends}
        return ends

    def _is_asked(self, planted: Planted, t: float, question: Notice) -> bool:
        """Whether a question is about a cheat that is not on record yet.

        One about the whole board is. Any other is if it names a place where a piece of the cheat stands.
        """
        if planted.t > t + PUT_DOWN_S or self._is_settled(planted, t):
            return False
        board, stands = self.board, self._stood(t)
        return not question.about or any(
            board.place(move.seat, end) in question.places
            for move in planted.ruling.moves
            for end in self._ends(planted, move, t)
            if end in stands[move.seat]
        )

    def _is_settled(self, planted: Planted, t: float) -> bool:
        """Whether a ruling before a time has the pieces as the cheat left them, or as they moved on since."""
        return any(
            all(
                self._ends(planted, move, each.t) & {*each.position[move.seat]}
                for move in planted.ruling.moves
            )
            for each, _ in self.rulings
            if each.ruling.kind in SETTLING and planted.t <= each.t < t
        )

    def _settled(self, t: float) -> float:
        """When a ruling before a time last had the board as on record."""
        return max(
            (each.t for each, _ in self.rulings if each.ruling.kind in SETTLING and each.t < t), default=0.0
        )

    def _moved(self) -> Iterator[tuple[Happening, tuple[Move, ...]]]:
        """All entries of the log, each with the moves since the entry before it that had a board."""
        stood = all_in_base(self.board)
        for h in self.log:
            if h.what in MOVING:
                yield h, moves_between(stood, h.position)
                stood = h.position
            else:
                yield h, ()

    def _stood(self, t: float) -> Position:
        """The board as it truly stood at a time."""
        return next(
            (h.position for h in reversed(self.log) if h.what in MOVING and h.t <= t),
            all_in_base(self.board),
        )

    def _write_down(self) -> None:
        """The sentences said, with the truth beside each."""
        board = self.board
        said = [
            LogLine(timed.t, Who.REFEREE, say(timed.ruling, board) or timed.ruling.kind.value)
            for timed, _ in self.rulings
        ]
        truth = []
        for h, moves in self._moved():
            moved = ", ".join(f"{board.seats[move.seat]} {move.start} → {move.end}" for move in moves)
            if h.what != "heard":
                truth.append(LogLine(h.t, Who.TRUTH, f"{h.what} {h.kind} {moved}"))
        marks = [LogLine(t, Who.JUDGE, what) for t, what in self.marks]
        self.account.said += sorted([*said, *truth, *marks], key=lambda line: line[:2])


def _stands(planted: Planted, stood: Position) -> bool:
    """Whether all pieces of a cheat still stand where it put them."""
    moves = planted.ruling.moves
    return bool(moves) and all(move.end in stood[move.seat] for move in moves)


def _is_of(planted: Planted, t: float, said: Ruling) -> bool:
    """Whether an accusation is of exactly that cheat, alone or beside the play that was made."""
    truth = planted.ruling
    same = (truth.kind, truth.seat, set(truth.moves)) == (said.kind, said.seat, set(said.moves))
    return (same or set(besides(said)) == set(truth.moves)) and planted.t - PUT_DOWN_S <= t


def _is_moved_in(planted: Planted, t: float, piece: Misplaced) -> bool:
    """Whether a piece that is to be put right was moved in that cheat."""
    moved = {(move.seat, move.end, move.start) for move in planted.ruling.moves}
    return planted.t - PUT_DOWN_S <= t and (piece.seat, piece.stands, piece.belongs) in moved
