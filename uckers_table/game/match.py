"""The match: an immutable state, and what each event does to it.

Every method takes an event and returns a `Step`: the state after it and the rulings it caused, in order.
Nothing is ever changed in place, so a caller can ask what a board *would* be by calling `see` and
looking at the rulings of a step it does not take.

What each kind of event does is written in `throws`, `calls` and `judging`; the state and the passing of
the turn are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from uckers_table.errors import RulesError
from uckers_table.game import calls, judging, throws
from uckers_table.game.board import Board
from uckers_table.game.challenge import Challenge, challengers, steps_ahead, still_stands
from uckers_table.game.events import CALLS, Awaiting, Call, Step
from uckers_table.game.explain import differences
from uckers_table.game.halfway import halfway_positions
from uckers_table.game.options import RuleSet
from uckers_table.game.plays import Lister
from uckers_table.game.position import Position, all_in_base
from uckers_table.game.ruling import Kind, Move, Ruling
from uckers_table.game.setting import Setting
from uckers_table.game.situation import Situation, Stacks, restacked, stacks_from
from uckers_table.game.snake_eyes import BroughtOut
from uckers_table.game.suckback import Visit, still_visits
from uckers_table.game.turn import Piece, Turn
from uckers_table.game.ways import SIX

__all__ = ["CALLS", "Awaiting", "Call", "Match", "Step", "begin", "new_match"]


@dataclass(frozen=True)
class Match:
    """A match between two events. Build one with `new_match`.

    `extra` counts the throws still to come, the one in hand left out. `thrown` is the throw in hand (or
    the last one). `plays` are the boards that may follow it. `wrong_board` is a board that was ruled
    illegal or a timber shift and has neither been put right nor stood.
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
    must_challenge: bool = False
    """The throw in hand is good for nothing but a challenge that the rule set forces."""
    helping: frozenset[int] = frozenset()
    """Colours that are home and may throw for their partner."""
    challenges: tuple[Challenge, ...] = ()
    visits: tuple[Visit, ...] = ()
    """Pieces that have called suckback or blowback from where they stand."""
    stacks: Stacks = ()
    faults: tuple[int, ...] = ()
    """For each seat, its dice faults so far."""
    yet_to_throw: frozenset[int] = frozenset()
    """The sides that have still to make their first throw of the match."""
    brought_out: tuple[tuple[int, BroughtOut], ...] = ()
    """What snake eyes brought out, by side, until that side's next throw."""
    starters: tuple[int, ...] = ()
    """The seats that throw for start in this round."""
    scores: tuple[tuple[int, ...], ...] = ()
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
            return (self.setting.helped(self.position, self.to_play),)
        return ()

    @property
    def situation(self) -> Situation:
        """What listing plays needs to know."""
        return Situation(
            self.setting, self.position, self.to_play, self.movers, self.stacks, self.turn.backing
        )

    @property
    def challenge(self) -> Challenge | None:
        """The challenge that the side to play is throwing for."""
        return next((each for each in self.challenges if each.side == self.to_play), None)

    @property
    def halfway(self) -> frozenset[Position]:
        """Positions that a hand passes through on the way to a legal play: one die moved, the other owed."""
        if self.awaiting is not Awaiting.PLAY or len(self.thrown) != 2:
            return frozenset()
        return halfway_positions(Lister(self.situation), self.thrown) - {self.position, *self.plays}

    @property
    def challengers(self) -> tuple[Piece, ...]:
        """The pieces (seat, steps) that may challenge now, with the throw in hand."""
        if self.awaiting is not Awaiting.PLAY or SIX not in self.thrown:
            return ()
        return challengers(self.situation, self.turn, self.thrown)

    def onto(self, seat: int, steps: int) -> int:
        """Where a piece that challenges would go."""
        return steps_ahead(self.situation, seat, steps)

    # Events

    def throw(self, dice: Sequence[int]) -> Step:
        """A good throw by the seat that is to play (in the throw-off: for start).

        RulesError for impossible dice.
        """
        thrown = self._checked(dice)
        return self._settled_first(lambda match: throws.throw(match, thrown))

    def throw_off(self, round_of_throws: Mapping[int, Sequence[int]]) -> Step:
        """A whole round of the throw-off at once, by seat; RulesError when others throw than are due."""
        due = self.starters[len(self.scores) :]
        if self.awaiting is not Awaiting.THROW_OFF or set(round_of_throws) != set(due):
            seats = ", ".join(self.board.seats[seat] for seat in due) or "nobody"
            raise RulesError(f"it is for {seats} to throw for start, and for nobody else")
        step = Step(self)
        for seat in due:
            thrown = step.match.throw(round_of_throws[seat])
            step = Step(thrown.match, step.rulings + thrown.rulings)
        return step

    def fault(self, kind: str, *, deliberate: bool = False) -> Step:
        """Dice 'cocked' or 'dropped', the latter on purpose if players judge so."""
        if kind not in (Kind.COCKED, Kind.DROPPED):
            raise RulesError(f"dice are 'cocked' or 'dropped', not {kind!r}")
        if deliberate and kind != Kind.DROPPED:
            raise RulesError("only dropped dice can be deliberate, not cocked ones")
        return self._settled_first(lambda match: throws.fault(match, Kind(kind), deliberate=deliberate))

    def call(self, call: Call) -> Step:
        """A call; the ruling CALL_REFUSED says why it changes nothing."""
        return calls.call(self, call)

    def see(self, position: Position) -> Step:
        """The board as it now stands; no ruling when it stands as on record and nothing is owed to say."""
        return judging.see(self, position)

    def placed(self, position: Position) -> Step:
        """The board as people say that it stands, to be trusted (a button, or a correction on the page)."""
        return judging.placed(self, position)

    def _checked(self, dice: Sequence[int]) -> tuple[int, ...]:
        wanted = {self.rules.dice_per_throw}
        if self.turn.attempt is not None and self.rules.suckback_dice == "one":
            wanted.add(1)
        if len(dice) not in wanted or any(isinstance(d, bool) or d not in range(1, 7) for d in dice):
            number = " or ".join(map(str, sorted(wanted)))
            raise RulesError(f"{list(dice)} is no throw: it takes {number} dice showing 1 to 6")
        return tuple(dice)

    def _settled_first(self, event: Callable[[Match], Step]) -> Step:
        """An event of the dice, which first settles what was left as it stands."""
        if self.wrong_board is not None:
            if self.rules.timber_unchallenged == "never":
                return Step(self, (self.ruling(Kind.VOID, throw=self.thrown),))
            before = judging.stood(self, self.wrong_board)
        elif self.position in self.plays:
            # A play that leaves the board as it was (VAR D) is made by throwing on, and so is a throw left.
            is_left = self.rules.pass_allowed
            before = throws.left(self) if is_left else judging.played(self, self.position, Kind.LEGAL)
        else:
            before = Step(self)
        after = event(before.match)
        return Step(after.match, before.rulings + after.rulings)

    def but(self, **changes: Any) -> Match:
        """The state with some fields changed: `dataclasses.replace` at a fraction of its cost.

        A throw makes several states, so this decides how many matches a second can be played out.
        """
        assert changes.keys() <= self.__dict__.keys()
        state: Match = object.__new__(Match)
        state.__dict__.update(self.__dict__, **changes)
        return state

    # The passing of the turn, for the modules that say what events do

    def throw_done(self) -> Match:
        """The throw in hand is used up: the same side throws again if it is owed a throw."""
        if not self.extra:
            return self.turn_done()
        return self.but(awaiting=Awaiting.THROW, plays=(), must_challenge=False)

    def turn_done(self) -> Match:
        """The turn passes to the next side; what was owed lapses."""
        return self.but(
            awaiting=Awaiting.THROW,
            plays=(),
            must_challenge=False,
            extra=0,
            to_play=self.setting.next_side(self.to_play),
            turn=Turn(self.position),
        )

    def moved_to(self, position: Position, *, is_seen: bool = False) -> Match:
        """The state with the pieces elsewhere; where a ruling moved them the board has still to catch up.

        What was remembered of pieces that are gone lapses: challenges, attempts, the right to help.
        """
        moved = self.but(
            position=position,
            behind=self.behind if is_seen or position == self.position else self.behind or self.position,
            stacks=restacked(self.setting, self.stacks, self.position, position),
        )
        if not (self.challenges or self.visits or self.helping):
            return moved
        situation = moved.situation
        return moved.but(
            challenges=tuple(each for each in self.challenges if still_stands(self.setting, position, each)),
            visits=tuple(visit for visit in self.visits if still_visits(situation, visit)),
            helping=frozenset(seat for seat in self.helping if self.setting.is_home(position, seat)),
        )

    def moves_since(self, before: Match) -> tuple[Move, ...]:
        """What was moved between two states, as far as it can be told."""
        return differences(before.position, self.position, before.thrown)

    def without(self, challenge: Challenge) -> Match:
        """The state with a challenge given up."""
        return self.but(challenges=tuple(each for each in self.challenges if each != challenge))

    def with_faults(self, count: int) -> tuple[int, ...]:
        """The fault counts with that of the side to play set."""
        return (*self.faults[: self.to_play], count, *self.faults[self.to_play + 1 :])

    def ruling(self, kind: Kind, **facts: Any) -> Ruling:
        """A ruling on the side to play, on the board as on record."""
        return Ruling(kind, self.to_play, self.position, **facts)


def new_match(
    rules: RuleSet,
    board: Board,
    *,
    players: int | None = None,
    to_play: str | None = None,
    position: Position | None = None,
) -> Match:
    """A match about to begin with the throw-off, or, where `to_play` names a colour, with its throw.

    `players` left out is one a seat. RulesError for what makes no sense.
    """
    setting = Setting(rules, board, board.arms if players is None else players)
    return begin(setting, to_play=to_play, position=position)


def begin(
    setting: Setting,
    *,
    to_play: str | None = None,
    position: Position | None = None,
    turns_taken: int = 0,
    helping: Iterable[str] = (),
    faults: int = 0,
    stacks: Mapping[str, Sequence[str]] | None = None,
) -> Match:
    """`new_match` for a setting, at any point of a match.

    `turns_taken` are turns that every side has finished before; `helping` colours that are home and
    already entitled to throw for their partner; `faults` the dice faults on the account of the side to
    play; `stacks` the colours on mixed squares, bottom to top, by track square.
    """
    board = setting.board
    position = all_in_base(board) if position is None else position
    helpers = frozenset(board.seat(colour) for colour in helping)
    for seat in helpers:
        if not setting.waits_for_partner(position, seat):
            raise RulesError(f"{board.seats[seat]} is not home, so it cannot help: check 'helping'")
    side = setting.sides[0] if to_play is None else board.seat(to_play)
    if side not in setting.sides:
        raise RulesError(f"{to_play} does not throw: with two players a side is called by its first seat")
    return Match(
        setting=setting,
        position=position,
        awaiting=Awaiting.THROW_OFF if to_play is None else Awaiting.THROW,
        to_play=side,
        turn=Turn(position),
        helping=helpers,
        stacks=stacks_from(setting, position, stacks or {}),
        faults=tuple(faults if seat == side else 0 for seat in range(board.arms)),
        yet_to_throw=frozenset() if turns_taken else frozenset(setting.sides),
        starters=setting.sides if to_play is None else (),
    )
