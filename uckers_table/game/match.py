"""The match between two events: an immutable value, and what it knows alone.

What happens to it is written in `playing`, which it does not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Concatenate, NamedTuple, ParamSpec

from uckers_table.errors import RulesError
from uckers_table.game.board import Board
from uckers_table.game.challenge import Challenge, steps_ahead, still_stands
from uckers_table.game.events import Awaiting
from uckers_table.game.halfway import halfway_positions
from uckers_table.game.moved import differences
from uckers_table.game.options import RuleSet
from uckers_table.game.plays import Offer
from uckers_table.game.position import Position, all_in_base
from uckers_table.game.ruling import Bar, Kind, Move, Ruling
from uckers_table.game.setting import Setting
from uckers_table.game.situation import Situation, Stacks, restacked, stacks_from
from uckers_table.game.suckback import Visit, still_visiting
from uckers_table.game.turn import Piece, Turn


class BroughtOut(NamedTuple):
    """What snake eyes brought out: the side that threw them, the number that the double showed, and for each
    colour how many of its pieces came to its doorstep: (seat, number).
    """

    side: int
    double: int
    pieces: tuple[Piece, ...]


class Opening(NamedTuple):
    """What the first throws of a match leave to be remembered (RULES 2.6).

    `yet_to_throw` are the sides that have still to make their first throw of the match. `brought_out` is what
    snake eyes brought out, until that side's next throw. `turns` are those that each seat has finished, where
    a rule asks for them. `called_for_all`: snake eyes were called for everybody. `is_thrown_off`: who starts
    was thrown for.
    """

    yet_to_throw: frozenset[int] = frozenset()
    brought_out: tuple[BroughtOut, ...] = ()
    turns: tuple[int, ...] = ()
    called_for_all: bool = False
    is_thrown_off: bool = False


_BEGUN = Opening()
_Facts = ParamSpec("_Facts")


def _on_side_to_play(
    ruling: Callable[Concatenate[Kind, int | None, Position, _Facts], Ruling],
) -> Callable[Concatenate[Match, Kind, _Facts], Ruling]:
    """A maker of rulings that takes seat and board from a match. The other facts keep their types."""

    def on(match: Match, kind: Kind, /, *args: _Facts.args, **facts: _Facts.kwargs) -> Ruling:
        return ruling(kind, match.to_play, match.position, *args, **facts)

    return on


@dataclass(slots=True)
class Match:
    """A match between two events. Build one with `new_match`.

    Nobody changes it: `dataclasses.replace` makes another. The one exception is a `copy`, which the function
    that made it may write to until it hands it on. It is not frozen because playing matches out is making
    matches, and `replace` is many times slower than a copy.

    `extra` counts the throws still to come, the one in hand left out. `thrown` is the throw in hand (or
    the last one), and `offer` what may be played with it. `wrong_board` is a board that was ruled illegal
    or a timber shift and has neither been put right nor stood.
    """

    setting: Setting
    position: Position
    awaiting: Awaiting
    to_play: int
    turn: Turn
    throws: int = 0
    """The good throws made in this turn."""
    sixes: int = 0
    """Those of them with a six."""
    extra: int = 0
    thrown: tuple[int, ...] = ()
    offer: Offer | None = None
    winner: tuple[int, ...] = ()
    honours: tuple[str, ...] = ()
    wrong_board: Position | None = None
    wrong_kind: Kind | None = None
    behind: Position | None = None
    """The board as it stood before a ruling moved pieces, until it is seen to have caught up."""
    helping: frozenset[int] = frozenset()
    """Colours that are home and may throw for their partner."""
    challenges: tuple[Challenge, ...] = ()
    visits: tuple[Visit, ...] = ()
    """Pieces that have called suckback or blowback from where they stand."""
    stacks: Stacks = ()
    faults: tuple[int, ...] = ()
    """For each seat, its dice faults so far."""
    opening: Opening = _BEGUN
    starters: tuple[int, ...] = ()
    """The seats that throw for start in this round."""
    scores: tuple[tuple[int, ...], ...] = ()
    """What they have thrown, as far as they have."""
    passed: Match | None = field(default=None, repr=False, compare=False)
    """The match in which the last throw was passed, with that throw in hand. None if the last throw was not
    passed, or once the pieces stand otherwise."""
    barred: tuple[Bar, ...] = ()
    """What barred the snake eyes in hand, in a match kept as `passed`. They were for coming out alone."""

    @property
    def board(self) -> Board:
        """The geometry."""
        return self.setting.board

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.setting.rules

    @property
    def plays(self) -> tuple[Position, ...]:
        """The boards that may follow the throw in hand."""
        return tuple(self.offer.boards) if self.offer else ()

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats whose pieces the side to play may move; none while it waits for the gate six."""
        setting, side = self.setting, self.to_play
        if self.position[side] != setting.all_home or not setting.waits_for_partner(self.position, side):
            return setting.owned[side]
        return (setting.helped(self.position, side),) if side in self.helping or not setting.has_gate else ()

    @property
    def situation(self) -> Situation:
        """What listing plays needs to know."""
        return Situation(
            self.setting, self.position, self.to_play, self.movers, self.stacks, self.turn.backing
        )

    @property
    def challenge(self) -> Challenge | None:
        """The challenge that the side to play is throwing for."""
        for challenge in self.challenges:
            if challenge.side == self.to_play:
                return challenge
        return None

    @property
    def owes_a_play(self) -> bool:
        """Whether pieces are to be moved before dice are thrown again."""
        return self.awaiting is Awaiting.PLAY and bool(self.plays) and self.wrong_board is None

    @property
    def halfway(self) -> frozenset[Position]:
        """Positions that a hand passes through on the way to a legal play: one die moved, the other owed."""
        if self.offer is None or len(self.thrown) != 2:
            return frozenset()
        return halfway_positions(self.offer.lister, self.thrown) - {self.position, *self.plays}

    @property
    def challengers(self) -> tuple[Piece, ...]:
        """The pieces (seat, steps) that may challenge now, with the throw in hand."""
        return self.offer.challengers if self.offer else ()

    @property
    def must_challenge(self) -> bool:
        """Whether the throw in hand is good for nothing but a challenge that the rule set forces."""
        return self.offer is not None and self.offer.must_challenge

    def onto(self, seat: int, steps: int) -> int:
        """Where a piece that challenges would go."""
        return steps_ahead(self.situation, seat, steps)

    @property
    def uncalled(self) -> Match:
        """The match with nothing called wrong on its board."""
        return self if self.wrong_board is None else replace(self, wrong_board=None, wrong_kind=None)

    @property
    def dice_wanted(self) -> frozenset[int]:
        """How many dice a throw may have now. Any number that the board decides, until it is seen."""
        usual, due = self.rules.dice_per_throw, self.dice_due
        if self.turn.attempt is not None:
            return frozenset({usual, due})
        is_pending = self.awaiting is Awaiting.PLAY or self.wrong_board is not None
        return frozenset({1, usual} if is_pending and self.rules.last_piece_dice != "usual" else {due})

    @property
    def dice_due(self) -> int:
        """How many dice whoever throws next takes up, as far as that is known."""
        rules = self.rules
        is_for_one = rules.suckback_dice == "one" if self.turn.attempt is not None else self._throws_one_die
        return 1 if is_for_one else rules.dice_per_throw

    @property
    def _throws_one_die(self) -> bool:
        """Whether only the last piece is left to be moved, in its chute, and one die is thrown for it."""
        if self.rules.last_piece_dice == "usual" or self.awaiting is not Awaiting.THROW:
            return False
        left = [s for seat in self.movers for s in self.position[seat] if s != self.board.home]
        return len(left) == 1 and left[0] in self.board.chute

    def copy(self) -> Match:
        """The same match again, for its maker to write to.

        Written out because the interpreter copies so in a fraction of the time.
        """
        match: Match = object.__new__(Match)
        match.setting = self.setting
        match.position = self.position
        match.awaiting = self.awaiting
        match.to_play = self.to_play
        match.turn = self.turn
        match.throws = self.throws
        match.sixes = self.sixes
        match.extra = self.extra
        match.thrown = self.thrown
        match.offer = self.offer
        match.winner = self.winner
        match.honours = self.honours
        match.wrong_board = self.wrong_board
        match.wrong_kind = self.wrong_kind
        match.behind = self.behind
        match.helping = self.helping
        match.challenges = self.challenges
        match.visits = self.visits
        match.stacks = self.stacks
        match.faults = self.faults
        match.opening = self.opening
        match.starters = self.starters
        match.scores = self.scores
        match.passed = self.passed
        match.barred = self.barred
        return match

    def having_passed(self, barred: tuple[Bar, ...] = ()) -> Match:
        """The match with the throw in hand remembered as passed; `barred` where it was snake eyes."""
        passed = self.copy()
        passed.offer = None
        passed.barred = barred
        remembered = self.copy()
        remembered.passed = passed
        return remembered

    # The passing of the turn, for the modules that say what events do.

    def throw_done(self) -> Match:
        """The throw in hand is used up: the same side throws again if it is owed a throw."""
        if not self.extra:
            return self.turn_done()
        done = self.copy()
        done.awaiting = Awaiting.THROW
        done.offer = None
        return done

    def turn_done(self) -> Match:
        """The turn passes to the next side; what was owed lapses."""
        setting = self.setting
        done = self.copy()
        done.awaiting = Awaiting.THROW
        done.offer = None
        done.extra = 0
        done.to_play = setting.next_side[self.to_play]
        done.throws = done.sixes = 0
        done.turn = Turn(self.position)
        if setting.counts_turns:
            turns = (number + (seat == self.to_play) for seat, number in enumerate(self.opening.turns))
            done.opening = self.opening._replace(turns=tuple(turns))
        return done

    def with_turn(self, turn: Turn) -> Match:
        """The match with something new to remember of the turn."""
        match = self.copy()
        match.turn = turn
        return match

    def moved_to(self, position: Position) -> Match:
        """The match with the pieces moved by a ruling, with which the board has still to catch up."""
        moved = replace(
            self,
            position=position,
            behind=self.behind if position == self.position else self.behind or self.position,
            stacks=restacked(self.setting, self.stacks, self.position, position),
            passed=None,
        )
        return moved.forgetting(self.position)

    def seen_at(self, position: Position, left: Counter[Piece] | None = None) -> Match:
        """The match with the pieces where they were seen: nothing is wrong, nothing has to catch up.

        `left` are the pieces that left their squares, where that is known.
        """
        seen = self.copy()
        seen.position = position
        seen.wrong_board = seen.wrong_kind = seen.behind = seen.passed = None
        if self.setting.rules.mixed_stack_order != "free":
            seen.stacks = restacked(self.setting, self.stacks, self.position, position)
        # Mostly there is nothing to forget, and playing matches out is making these.
        if seen.challenges or seen.visits or seen.helping:
            return seen.forgetting(self.position, left)
        return seen

    def knowing_order_of(self, before: Match) -> Match:
        """The match with nothing known of what lies under what, but where it was known, and is so, before."""
        return replace(self, stacks=tuple(stack for stack in self.stacks if stack in before.stacks))

    def forgetting(self, before: Position, left: Counter[Piece] | None = None) -> Match:
        """The match without what was remembered of pieces that are gone from where they stood `before`.

        That is challenges, attempts, and the right to help.
        """
        setting, position = self.setting, self.position
        return replace(
            self,
            challenges=tuple(each for each in self.challenges if still_stands(setting, position, each)),
            visits=still_visiting(before, self.situation, self.visits, left) if self.visits else (),
            helping=frozenset(seat for seat in self.helping if setting.is_home(position, seat)),
        )

    def moves_since(self, before: Match) -> tuple[Move, ...]:
        """What was moved between two states, as far as it can be told."""
        return differences(before.position, self.position, before.thrown, self.setting.ways.out)

    def without(self, challenge: Challenge) -> Match:
        """The match with a challenge given up."""
        return replace(self, challenges=tuple(each for each in self.challenges if each != challenge))

    def with_honours(self, honours: tuple[str, ...]) -> Match:
        """The match with honours gained in mid-game, each kept once."""
        return replace(self, honours=tuple(dict.fromkeys((*self.honours, *honours)))) if honours else self

    def with_faults(self, count: int) -> Match:
        """The match with so many dice faults of the side to play."""
        return replace(self, faults=(*self.faults[: self.to_play], count, *self.faults[self.to_play + 1 :]))

    ruling = _on_side_to_play(Ruling)
    """A ruling on the side to play, on the board as on record: a kind, and the facts of a `Ruling`."""


class Step(NamedTuple):
    """A match after an event, and the rulings that led to it."""

    match: Match
    rulings: tuple[Ruling, ...] = ()


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
        opening=Opening(
            yet_to_throw=frozenset() if turns_taken else frozenset(setting.sides),
            turns=(turns_taken,) * board.arms if setting.counts_turns else (),
        ),
        starters=setting.sides if to_play is None else (),
    )
