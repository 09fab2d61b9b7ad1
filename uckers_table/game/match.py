"""The match: an immutable state, and what each event does to it.

Every method takes an event and returns a `Step`: the state after it and the rulings it caused, in order.
Nothing is ever changed in place, so a caller can ask what a board *would* be by calling `see` and
looking at the rulings of a step it does not take.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from uckers_table.errors import RulesError
from uckers_table.game.board import BASE, Board
from uckers_table.game.challenge import (
    Challenge,
    challengers,
    sixes_wanted,
    still_stands,
    won_position,
)
from uckers_table.game.explain import differences, explain, moved_seats
from uckers_table.game.finish import EIGHT_PIECER, honour_of_loss, honour_of_win, winners
from uckers_table.game.halfway import halfway_positions
from uckers_table.game.options import RuleSet
from uckers_table.game.plays import SIX, Lister
from uckers_table.game.position import Position, all_in_base
from uckers_table.game.ruling import Kind, Reason, Ruling
from uckers_table.game.setting import Setting
from uckers_table.game.turn import Turn

FAULT_LIMIT = 3
"""Dice faults that bring the penalty (CO r12b, SUB b8, WIKI)."""


CALLS = ("challenge", "suckback", "blowback", "snake_eyes", "stand_up_finish", "upboard")
"""What a player can call."""


class Awaiting(StrEnum):
    """What the match waits for."""

    THROW_OFF = "throw_off"
    THROW = "throw"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True)
class Call:
    """What a player declares: `kind` as in FORMATS; `seat` and `steps` say which piece makes it."""

    kind: str
    seat: int | None = None
    steps: int | None = None
    target: int | None = None
    double: bool = False


@dataclass(frozen=True)
class Step:
    """A state and the rulings that led to it."""

    match: Match
    rulings: tuple[Ruling, ...] = ()


@dataclass(frozen=True)
class Match:
    """A match between two events. Build one with `new_match`.

    `extra` counts the throws still to come, the one in hand left out. `thrown` is the throw in hand (or
    the last one). `plays` are the boards that may follow it. `wrong_board` is a board that was ruled
    illegal or timber-shifted and has neither been put right nor stood.
    """

    setting: Setting
    position: Position
    awaiting: Awaiting
    to_play: int
    turn: Turn
    extra: int = 0
    thrown: tuple[int, ...] = ()
    plays: tuple[Position, ...] = ()
    winner: tuple[int, ...] = ()
    honours: tuple[str, ...] = ()
    wrong_board: Position | None = None
    wrong_kind: Kind | None = None
    behind: Position | None = None
    """The board as it stood before a ruling moved pieces, until it is seen to have caught up."""
    helping: frozenset[int] = frozenset()
    """Colours that are home and may throw for their partner."""
    challenges: tuple[Challenge, ...] = ()
    faults: tuple[int, ...] = ()
    """For each seat, its dice faults so far."""
    starters: tuple[int, ...] = ()
    """The seats that throw for start in this round."""
    scores: tuple[int, ...] = ()
    """What they have thrown, as far as they have."""

    @property
    def board(self) -> Board:
        """The geometry."""
        return self.setting.board

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.setting.rules

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats whose pieces the side to play may move; none while it waits for the gate six."""
        if not self.setting.waits_for_partner(self.position, self.to_play):
            return self.setting.owned(self.to_play)
        if self.to_play in self.helping or not self.setting.has_gate:
            return (self.board.partner(self.to_play),)
        return ()

    @property
    def challenge(self) -> Challenge | None:
        """The challenge that the side to play is throwing for."""
        return next((each for each in self.challenges if each.side == self.to_play), None)

    @cached_property
    def halfway(self) -> frozenset[Position]:
        """Positions that a hand passes through on the way to a legal play: one die moved, the other owed."""
        if self.awaiting is not Awaiting.PLAY or len(self.thrown) != 2:
            return frozenset()
        return halfway_positions(self._lister(), self.thrown) - {self.position, *self.plays}

    @cached_property
    def challengers(self) -> tuple[tuple[int, int], ...]:
        """The pieces (seat, steps) that may challenge now, with the throw in hand."""
        if self.awaiting is not Awaiting.PLAY:
            return ()
        return challengers(self.setting, self.position, self.to_play, self.movers, self.turn, self.thrown)

    def throw(self, dice: tuple[int, ...]) -> Step:
        """A good throw by the seat that is to play (in the throw-off: for start). RulesError for impossible dice."""
        dice = tuple(dice)
        self._check_dice(dice)
        return self._standing_first(lambda match: match._throw(dice))

    def throw_off(self, throws: Mapping[int, tuple[int, ...]]) -> Step:
        """A whole round of the throw-off at once, by seat."""
        due = self.starters[len(self.scores) :]
        if self.awaiting is not Awaiting.THROW_OFF or set(throws) != set(due):
            seats = ", ".join(self.board.seats[seat] for seat in due) or "nobody"
            raise RulesError(f"{seats} must throw for start, and nobody else")
        match, rulings = self, list[Ruling]()
        for seat in due:
            step = match.throw(throws[seat])
            match, rulings = step.match, [*rulings, *step.rulings]
        return Step(match, tuple(rulings))

    def fault(self, kind: str) -> Step:
        """Dice 'cocked' or 'dropped'."""
        if kind not in (Kind.COCKED, Kind.DROPPED):
            raise RulesError(f"dice are cocked or dropped, not {kind!r}")
        return self._standing_first(lambda match: match._fault(Kind(kind)))

    def call(self, call: Call) -> Step:
        """A call; the ruling CALL_REFUSED says why it changes nothing."""
        match call.kind:
            case "challenge":
                return self._call_challenge(call)
            case "stand_up_finish":
                return self._call_stand_up_finish()
            case "upboard":
                return self._upboard(call)
            case "suckback" | "blowback" | "snake_eyes":
                return self._refused(f"{call.kind.replace('_', ' ')} is not played under these rules")
        raise RulesError(f"there is no call {call.kind!r}")

    def see(self, position: Position) -> Step:
        """The board as it now stands; no ruling when it stands as on record and nothing is owed to say."""
        if self.awaiting is Awaiting.OVER:
            return Step(self)
        if position == self.position:
            return self._seen_as_on_record()
        if self.awaiting is Awaiting.PLAY and position in self.plays:
            return self._played(position, Kind.LEGAL)
        if position == self.wrong_board or self._is_catching_up(position):
            return Step(self)
        return self._seen_wrong(position)

    def placed(self, position: Position) -> Step:
        """The pieces stand where a person says they do; a throw in hand is offered anew from there."""
        match = replace(self._right(), position=position)._settled()
        return match._offered() if self.awaiting is Awaiting.PLAY else Step(match)

    # What throws do

    def _check_dice(self, dice: tuple[int, ...]) -> None:
        wanted = self.rules.dice_per_throw
        if len(dice) != wanted or any(isinstance(d, bool) or d not in range(1, 7) for d in dice):
            raise RulesError(f"{list(dice)} is no throw: it takes {wanted} dice showing 1 to 6")

    def _throw(self, dice: tuple[int, ...]) -> Step:
        match self.awaiting:
            case Awaiting.OVER:
                return Step(self)
            case Awaiting.THROW_OFF:
                return self._throw_for_start(dice)
            case Awaiting.PLAY:
                if self.plays or self.rules.challenge_forced:
                    return Step(self, (self._ruling(Kind.VOID, throw=self.thrown),))
                # The challenge that was open is declined: the throw in hand is spent.
                return self._throw_done()._throw(dice)
        if self.challenge is not None:
            return self._throw_for_challenge(dice, self.challenge)
        if not self.movers:
            return self._throw_for_gate(dice)
        return self._counted(dice)._offered()

    def _counted(self, dice: tuple[int, ...]) -> Match:
        """The state with a throw in hand: one owed throw used up, what it earns added."""
        used = 1 if self.turn.throws else 0
        turn = replace(self.turn, throws=self.turn.throws + 1, sixes=self.turn.sixes + (SIX in dice))
        return replace(
            self,
            thrown=dice,
            turn=turn,
            extra=max(0, self.extra - used) + self._earned(dice),
            faults=self._faults_after_good_throw(),
        )

    def _earned(self, dice: tuple[int, ...]) -> int:
        """The extra throws that a throw earns (BR r6, CO r6; rulings A26, A27)."""
        double = len(dice) == 2 and dice[0] == dice[1]
        if SIX in dice:
            return self.rules.extra_for_double_six if double else 1
        return 1 if double and self.rules.extra_any_double else 0

    def _offered(self) -> Step:
        """The state with the plays of the throw in hand; passed on at once if it is good for nothing."""
        lost = self.rules.three_sixes_penalty == "lose_turn" and self.turn.sixes == 3 and SIX in self.thrown
        if lost:
            return self._passed(replace(self, extra=0))
        lister = self._lister()
        plays = tuple(lister.positions(lister.plays(self.thrown)))
        offered = replace(self, awaiting=Awaiting.PLAY, plays=plays)
        if self.rules.challenge_forced and offered.challengers and not self._has_use_for_six(lister):
            return Step(replace(offered, plays=()))
        if plays or offered.challengers:
            return Step(offered)
        return self._passed(self)

    def _has_use_for_six(self, lister: Lister) -> bool:
        """Whether some play uses the six (SUB b4)."""
        both = bool(lister.two_dice_plays(self.thrown))
        return both or bool(lister.one_die_plays(SIX))

    def _passed(self, match: Match) -> Step:
        """Nothing can move: the turn goes on, or on to the next side."""
        done = match._throw_done()
        return Step(done, (self._ruling(Kind.PASS, throw=self.thrown, owed=match.extra),))

    def _throw_done(self) -> Match:
        """The throw in hand is used up: the same side throws again if it is owed a throw."""
        if self.extra:
            return replace(self, awaiting=Awaiting.THROW, plays=())
        return self._turn_done()

    def _turn_done(self) -> Match:
        """The turn passes to the next side; what was owed lapses."""
        return replace(
            self,
            awaiting=Awaiting.THROW,
            plays=(),
            extra=0,
            to_play=self.setting.next_side(self.to_play),
            turn=Turn(self.position),
        )

    def _throw_for_gate(self, dice: tuple[int, ...]) -> Step:
        """A colour that is home throws for the six that lets it help (BR r11; ruling A55)."""
        helping = self.helping | {self.to_play} if SIX in dice else self.helping
        match = replace(self, thrown=dice, helping=helping, faults=self._faults_after_good_throw())
        return Step(match._turn_done(), (self._ruling(Kind.GATE, throw=dice),))

    def _throw_for_start(self, dice: tuple[int, ...]) -> Step:
        """One throw of the throw-off; the last of a round decides, or leaves the leaders to throw again."""
        thrown = self._ruling(Kind.THROW_OFF, throw=dice)
        scores = (*self.scores, sum(dice))
        if len(scores) < len(self.starters):
            return Step(replace(self, scores=scores, to_play=self.starters[len(scores)]), (thrown,))
        leaders = tuple(s for s, score in zip(self.starters, scores, strict=True) if score == max(scores))
        if len(leaders) > 1 and self.rules.throw_off_tie == "rethrow_tied":
            tied = replace(self, starters=leaders, scores=(), to_play=leaders[0])
            return Step(tied, (thrown, tied._ruling(Kind.THROW_OFF, why="tie")))
        started = replace(self, awaiting=Awaiting.THROW, to_play=leaders[0], starters=(), scores=())
        return Step(started, (thrown, started._ruling(Kind.THROW_OFF, why="starts")))

    # Challenges

    def _call_challenge(self, call: Call) -> Step:
        able = self.challengers
        if call.seat is not None:
            able = tuple(piece for piece in able if piece[0] == call.seat and call.steps in (None, piece[1]))
        if self.wrong_board is not None:
            return self._refused("put the board right first")
        if self.awaiting is not Awaiting.PLAY or SIX not in self.thrown:
            return self._refused("a challenge needs a six, and is called before anything moves")
        if not able:
            return self._refused("that piece has no blob to challenge directly ahead")
        if len(able) > 1:
            return self._refused("say which piece challenges")
        double = self.rules.challenge_opening_double_six == "counts_2" and self.thrown.count(SIX) == 2
        challenge = Challenge(self.to_play, *able[0], sixes=2 if double else 1)
        called = replace(
            self, awaiting=Awaiting.THROW, plays=(), extra=1, challenges=(*self.challenges, challenge)
        )
        return called._challenge_counted(challenge, Kind.CHALLENGE)

    def _throw_for_challenge(self, dice: tuple[int, ...], challenge: Challenge) -> Step:
        """A throw of a challenge: every six counts, no six is a miss (BR r8c; ruling A41)."""
        turn = replace(self.turn, throws=self.turn.throws + 1)
        match = replace(self, thrown=dice, turn=turn, extra=1, faults=self._faults_after_good_throw())
        if SIX in dice:
            counted = replace(challenge, sixes=challenge.sixes + dice.count(SIX))
            others = tuple(each for each in self.challenges if each != challenge)
            return replace(match, challenges=(*others, counted))._challenge_counted(
                counted, Kind.CHALLENGE_THROW
            )
        wanted = sixes_wanted(self.setting, self.position, challenge)
        if self.rules.challenge_persistence == "this_turn":
            match = match._without(challenge)
        return Step(match._turn_done(), (self._ruling(Kind.CHALLENGE_LOST, throw=dice, wanted=wanted),))

    def _challenge_counted(self, challenge: Challenge, kind: Kind) -> Step:
        """A challenge after a six was counted: won, or so many still wanted."""
        wanted = sixes_wanted(self.setting, self.position, challenge)
        if wanted > 0:
            return Step(self, (self._ruling(kind, throw=self.thrown, wanted=wanted, owed=1),))
        after = won_position(self.setting, self.position, challenge)
        return self._without(challenge)._moved_by_ruling(after, Kind.CHALLENGE_WON)

    def _without(self, challenge: Challenge) -> Match:
        return replace(self, challenges=tuple(each for each in self.challenges if each != challenge))

    def _moved_by_ruling(self, after: Position, kind: Kind, count: int = 0) -> Step:
        """A ruling that itself moves pieces and ends the turn; the board has still to catch up."""
        moves = differences(self.position, after)
        ruling = Ruling(kind, self.to_play, after, throw=self.thrown, moves=moves, count=count)
        behind = self.behind or self.position
        moved = replace(self, position=after, behind=behind if after != self.position else self.behind)
        return Step(moved._settled()._turn_done(), (ruling,))

    # Other calls

    def _refused(self, why: str) -> Step:
        return Step(self, (self._ruling(Kind.CALL_REFUSED, why=why),))

    def _call_stand_up_finish(self) -> Step:
        """Accepted when one throw could win (WIKI oth4; ruling A78); it changes no play."""
        if self.awaiting is not Awaiting.THROW or self.challenge is not None:
            return self._refused("a stand-up finish is called before the throw")
        if not self._could_win():
            return self._refused("no one throw can win yet")
        return Step(self, (self._ruling(Kind.CALL_ACCEPTED, why="a stand-up finish"),))

    def _could_win(self) -> bool:
        """Whether some throw, or some one die, has a play that wins."""
        if not self.movers:
            return False
        lister = self._lister()
        dice = range(1, SIX + 1)
        if self.rules.dice_per_throw == 1 or self.rules.stand_up_reach == "one_die":
            plays = [play for die in dice for play in lister.one_die_plays(die)]
        else:
            plays = [
                play for high in dice for low in range(1, high + 1) for play in lister.plays((high, low))
            ]
        return any(winners(self.setting, position) for position in lister.positions(plays))

    def _upboard(self, call: Call) -> Step:
        """The board tipped up: the match is lost, and recorded as eight-pieced (SUB b7, WIKI oth3)."""
        if self.awaiting is Awaiting.OVER:
            return self._refused("the match is over")
        loser = self.to_play if call.seat is None else call.seat
        over = replace(
            self,
            awaiting=Awaiting.OVER,
            plays=(),
            extra=0,
            winner=self.setting.enemies[loser],
            honours=(*self.honours, EIGHT_PIECER),
        )
        ruling = over._ruling(Kind.UPBOARD, winner=over.winner, honours=(EIGHT_PIECER,))
        return Step(over, (replace(ruling, seat=loser),))

    # Dice faults

    def _fault(self, kind: Kind) -> Step:
        if self.awaiting is Awaiting.OVER:
            return Step(self)
        if self.awaiting is Awaiting.PLAY:
            if self.plays or self.rules.challenge_forced:
                return Step(self, (self._ruling(Kind.VOID, throw=self.thrown),))
            return self._throw_done()._fault(kind)
        counts = self.rules.dice_fault_run != "none" and kind.value in self.rules.dice_fault_kinds
        if not counts or self.awaiting is Awaiting.THROW_OFF:
            return Step(self, (self._ruling(kind),))
        count = self.faults[self.to_play] + 1
        if count < FAULT_LIMIT:
            return Step(replace(self, faults=self._with_faults(count)), (self._ruling(kind, count=count),))
        return self._penalty(count)

    def _penalty(self, count: int) -> Step:
        """The third fault: all to base, or the go is lost (CO r12b, SUB b8, WIKI; ruling A71)."""
        match = replace(self, faults=self._with_faults(0), thrown=())
        if self.challenge is not None:
            match = match._without(self.challenge)
        after = list(self.position)
        if self.rules.dice_fault_penalty == "all_to_base":
            for seat in self.setting.owned(self.to_play):
                spared = self.board.home if self.rules.penalty_scope == "not_home" else None
                after[seat] = tuple(sorted(s if s == spared else BASE for s in self.position[seat]))
        return match._moved_by_ruling(tuple(after), Kind.PENALTY, count)

    def _with_faults(self, count: int) -> tuple[int, ...]:
        return (*self.faults[: self.to_play], count, *self.faults[self.to_play + 1 :])

    def _faults_after_good_throw(self) -> tuple[int, ...]:
        return self._with_faults(0) if self.rules.dice_fault_run == "consecutive" else self.faults

    # What boards do

    def _seen_as_on_record(self) -> Step:
        """The board stands as on record: put right, caught up with a ruling, or nothing new."""
        if self.wrong_board is not None:
            return Step(self._right(), (self._ruling(Kind.PUT_RIGHT),))
        if self.behind is not None:
            return Step(self._right(), (self._ruling(Kind.LEGAL),))
        return Step(self)

    def _right(self) -> Match:
        return replace(self, wrong_board=None, wrong_kind=None, behind=None)

    def _played(self, position: Position, kind: Kind) -> Step:
        """A play was made, or a board stands as if it had been: the turn goes on from there."""
        honours = honour_of_loss(self.setting, self.position, position)
        played = replace(
            self._right(),
            position=position,
            turn=replace(self.turn, moved=True),
            honours=tuple(dict.fromkeys((*self.honours, *honours))),
        )._settled()
        moves = differences(self.position, position, self.thrown)
        ruling = Ruling(kind, self.to_play, position, throw=self.thrown, moves=moves, honours=honours)
        winner = winners(self.setting, position)
        if winner:
            return self._won(played, winner, ruling)
        done = played._turn_done() if self._finishes_colour(position) else played._throw_done()
        return Step(done, (replace(ruling, owed=done.extra),))

    def _won(self, played: Match, winner: tuple[int, ...], ruling: Ruling) -> Step:
        honours = honour_of_win(self.setting, played.position, winner)
        over = replace(
            played,
            awaiting=Awaiting.OVER,
            plays=(),
            extra=0,
            winner=winner,
            honours=(*played.honours, *honours),
        )
        won = replace(ruling, kind=Kind.WON, winner=winner, honours=honours)
        return Step(over, (ruling, won) if ruling.kind is Kind.STOOD else (won,))

    def _finishes_colour(self, position: Position) -> bool:
        """Whether a colour's last piece has just come home, which ends the turn (BR r11; ruling A30)."""
        if self.setting.combined:
            return False
        return any(
            self.setting.is_home(position, seat) and not self.setting.is_home(self.position, seat)
            for seat in self.setting.teams[self.to_play]
        )

    def _settled(self) -> Match:
        """The state after pieces moved: challenges lapse whose piece or barrier is gone, helpers out of home too."""
        return replace(
            self,
            challenges=tuple(c for c in self.challenges if still_stands(self.setting, self.position, c)),
            helping=frozenset(s for s in self.helping if self.setting.is_home(self.position, s)),
        )

    def _is_catching_up(self, position: Position) -> bool:
        """Whether every piece stands where it stood before a ruling moved it, or where it put it."""
        if self.behind is None:
            return False
        for old, new, seen in zip(
            map(Counter, self.behind), map(Counter, self.position), position, strict=True
        ):
            if not old & new <= Counter(seen) <= old | new:
                return False
        return True

    def _seen_wrong(self, position: Position) -> Step:
        """A board that does not follow: illegal, or a timber shift (RULES 2.10)."""
        seats = moved_seats(self.position, position)
        team = self.setting.teams[self.to_play]
        moves = differences(self.position, position, self.thrown)
        reason: Reason | None
        if self.awaiting is Awaiting.PLAY and any(seat in team for seat in seats):
            kind, reason = Kind.ILLEGAL, self._reason(position)
            seat = self.to_play
        else:
            kind = Kind.TIMBER_SHIFT
            shifted = [move.seat for move in moves if move.end != BASE] or [move.seat for move in moves]
            seat = next((s for s in shifted if s not in self.setting.owned(self.to_play)), shifted[0])
            due = self.awaiting is not Awaiting.THROW_OFF and seat in self.setting.owned(self.to_play)
            reason = None if due else Reason.NOT_YOUR_TURN
        wrong = replace(self, wrong_board=position, wrong_kind=kind)
        ruling = Ruling(kind, seat, self.position, reason, self.thrown, moves, owed=self.extra)
        return Step(wrong, (ruling,))

    def _reason(self, position: Position) -> Reason:
        return explain(self.setting, self.position, self.to_play, self.movers, self.thrown, position)

    def _stood(self) -> Step:
        """A wrong board was left until the next throw: it stands (SUB b9, WIKI oth2; ruling A75)."""
        board = self.wrong_board
        assert board is not None
        if self.wrong_kind is Kind.ILLEGAL:
            return self._played(board, Kind.STOOD)
        shifted = replace(self._right(), position=board)._settled()
        ruling = shifted._ruling(Kind.STOOD, moves=differences(self.position, board))
        winner = winners(self.setting, board)
        if winner:
            return self._won(shifted, winner, ruling)
        if self.awaiting is Awaiting.PLAY:
            # The throw in hand is still to be played, on the board as it now is.
            step = shifted._offered()
            return Step(step.match, (ruling, *step.rulings))
        return Step(shifted, (ruling,))

    # Helpers

    def _standing_first(self, event: Callable[[Match], Step]) -> Step:
        """An event of the dice, before which a wrong board that was left comes to stand."""
        if self.wrong_board is None:
            return event(self)
        if self.rules.timber_unchallenged == "never":
            return Step(self, (self._ruling(Kind.VOID, throw=self.thrown),))
        stood = self._stood()
        step = event(stood.match)
        return Step(step.match, stood.rulings + step.rulings)

    def _lister(self) -> Lister:
        return Lister(self.setting, self.position, self.to_play, self.movers)

    def _ruling(self, kind: Kind, **facts: Any) -> Ruling:
        return Ruling(kind, self.to_play, self.position, **facts)


def new_match(
    rules: RuleSet,
    board: Board,
    *,
    players: int | None = None,
    to_play: str | None = None,
    position: Position | None = None,
    turns_taken: int | None = None,
    helping: Iterable[str] = (),
    faults: int = 0,
    stacks: Mapping[str, Sequence[str]] | None = None,
) -> Match:
    """A match about to begin with the throw-off, or, where `to_play` names a colour, with its throw.

    `players` left out is one a seat. `helping` are colours that are home and already entitled to throw
    for their partner; `faults` the dice faults that the side to play has on its account. RulesError for
    what makes no sense.
    """
    setting = Setting(rules, board, board.arms if players is None else players)
    return begin(
        setting,
        to_play=to_play,
        position=position,
        turns_taken=turns_taken,
        helping=helping,
        faults=faults,
        stacks=stacks,
    )


def begin(
    setting: Setting,
    *,
    to_play: str | None = None,
    position: Position | None = None,
    turns_taken: int | None = None,
    helping: Iterable[str] = (),
    faults: int = 0,
    stacks: Mapping[str, Sequence[str]] | None = None,
) -> Match:
    """`new_match` for a setting."""
    board = setting.board
    position = all_in_base(board) if position is None else position
    helpers = frozenset(board.seat(colour) for colour in helping)
    for seat in helpers:
        if not setting.waits_for_partner(position, seat):
            raise RulesError(f"{board.seats[seat]} is not home, so it cannot help: check 'helping'")
    side = setting.sides[0]
    if to_play is not None:
        side = board.seat(to_play)
        if side not in setting.sides:
            raise RulesError(f"{to_play} does not throw: with two players a side is called by its first seat")
    return Match(
        setting=setting,
        position=position,
        awaiting=Awaiting.THROW_OFF if to_play is None else Awaiting.THROW,
        to_play=side,
        turn=Turn(position),
        helping=helpers,
        faults=tuple(faults if seat == side else 0 for seat in range(board.arms)),
        starters=setting.sides if to_play is None else (),
    )
