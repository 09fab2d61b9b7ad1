"""What does not change during a match: the rules, the board, how many play, and so who plays with whom.

A *side* is what throws together: a seat, or with two players and combined turns both of a player's
seats, called by the first of them. A *team* is what wins together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from uckers_table.errors import RulesError
from uckers_table.game.board import COLOURS, PIECES, Board
from uckers_table.game.options import RuleSet
from uckers_table.game.position import Position
from uckers_table.game.rules import load_rules
from uckers_table.game.ways import EXIT_DICE, SIX, Ways, ways_of

SIX_COLOURS = (*COLOURS, "white", "black")
"""The usual seats of the six-armed board, clockwise (Wikipedia, Uckers; ruling A08)."""

_GEOMETRY = {"arms": (4, 6), "arm_length": range(2, 21), "doorstep_position": ("one_in", "arm_end")}


@dataclass(frozen=True)
class Setting:
    """Rules, board and players of one match; the questions about seats that follow from them."""

    rules: RuleSet
    board: Board
    players: int = 4

    def __post_init__(self) -> None:
        possible = (2, 4) if self.board.arms == 4 else (self.board.arms,)
        if self.players not in possible:
            raise RulesError(
                f"{self.players} players cannot sit at {self.board.arms} seats: "
                f"'players' is {' or '.join(map(str, possible))} (ruling A06)"
            )

    @cached_property
    def ways(self) -> Ways:
        """Where every step leads on the board, under the rules of leaving base and coming home."""
        rules = self.rules
        return ways_of(
            self.board, EXIT_DICE[rules.exit_throw], rules.exit_square, rules.exit_captures, rules.home_exact
        )

    @cached_property
    def combined(self) -> bool:
        """Whether a side throws for two colours at once (ruling A07)."""
        return self.players == 2 and self.rules.two_player_turns == "combined"

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The seats that throw, clockwise from seat 0."""
        return tuple(range(self.board.arms // 2 if self.combined else self.board.arms))

    @cached_property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """For each seat, the seats of its team: itself first, then clockwise."""
        arms = self.board.arms
        together = self.rules.hex6_teams if arms == 6 else "pairs"
        apart = 2 if together == "two_threes" else arms // 2
        if together == "singles" or (self.rules.partner_seats == "none" and self.players != 2):
            apart = arms
        return tuple(tuple((seat + on) % arms for on in range(0, arms, apart)) for seat in range(arms))

    @cached_property
    def has_partners(self) -> bool:
        """Whether seats play together."""
        return len(self.teams[0]) > 1

    @cached_property
    def enemies(self) -> tuple[tuple[int, ...], ...]:
        """For each seat, the seats of the other teams."""
        return tuple(
            tuple(other for other in range(self.board.arms) if other not in team) for team in self.teams
        )

    @cached_property
    def captured(self) -> tuple[tuple[int, ...], ...]:
        """For each seat, the seats whose pieces it sends back (partner_immune)."""
        return self.enemies if self.rules.partner_immune else self._other_players

    @cached_property
    def barring(self) -> tuple[tuple[int, ...], ...]:
        """For each seat, the seats whose blobs stop its pieces (blob_blocks)."""
        return self.enemies if self.rules.blob_blocks == "opponents_only" else self._other_players

    @cached_property
    def _other_players(self) -> tuple[tuple[int, ...], ...]:
        """For each seat, the seats of everybody else: of two players each owns two."""
        return tuple(
            enemies if self.players == 2 else tuple(s for s in range(self.board.arms) if s != seat)
            for seat, enemies in enumerate(self.enemies)
        )

    @cached_property
    def owned(self) -> tuple[tuple[int, ...], ...]:
        """For each side, the seats whose pieces are its own."""
        return self.teams if self.combined else tuple((seat,) for seat in range(self.board.arms))

    @cached_property
    def next_side(self) -> tuple[int, ...]:
        """For each side, whose turn comes next: the next seat clockwise."""
        return (*self.sides[1:], self.sides[0])

    @cached_property
    def all_home(self) -> tuple[int, ...]:
        """A colour's pieces when all are home."""
        return (self.board.home,) * PIECES

    def is_home(self, position: Position, seat: int) -> bool:
        """Whether all of a colour's pieces are home."""
        return position[seat] == self.all_home

    def waits_for_partner(self, position: Position, side: int) -> bool:
        """Whether a side has no piece of its own left to play, and throws, if at all, for its partner."""
        return self.is_home(position, side) and not self.combined and self.has_partners

    @cached_property
    def earned(self) -> Mapping[tuple[int, ...], int]:
        """Every throw of the dice, and the extra throws it earns (BR r6, CO r6; rulings A26, A27)."""
        rules = self.rules
        earned = {}
        for dice in product(range(1, SIX + 1), repeat=rules.dice_per_throw):
            is_double = len(dice) == 2 and dice[0] == dice[1]
            if SIX in dice:
                earned[dice] = rules.extra_for_double_six if is_double else 1
            else:
                earned[dice] = int(is_double and rules.extra_any_double)
        return earned

    def helped(self, position: Position, side: int) -> int:
        """The partner for whom a side that is home throws: the next of its team clockwise that is not home.

        With everybody home it is the next of all.
        """
        partners = self.teams[side][1:]
        return next((seat for seat in partners if not self.is_home(position, seat)), partners[0])

    @cached_property
    def played_at_once(self) -> frozenset[tuple[int, ...]]:
        """The throws that mean nothing but a play, and are played before the next is made."""
        rules = self.rules
        if rules.extra_timing != "move_then_throw" or rules.three_sixes_penalty != "none":
            return frozenset()
        return frozenset(self.earned) - ({(1, 1)} if rules.snake_eyes_out else set())

    @cached_property
    def has_gate(self) -> bool:
        """Whether a six must open the gate before one throws for one's partner (BR r11; ruling A07)."""
        return self.players != 2 or self.rules.partner_gate_two_player


def load_setting(
    rules: str,
    options: Mapping[str, object] | None = None,
    *,
    seats: tuple[str, ...] | None = None,
    players: int | None = None,
) -> Setting:
    """The setting that a rule set's name, options (those of the board among them) and seats describe.

    `players` left out is one a seat. RulesError for anything that makes no sense.
    """
    options = dict(options or {})
    geometry = {name: options.pop(name) for name in _GEOMETRY if name in options}
    for name, value in geometry.items():
        if isinstance(value, bool) or value not in _GEOMETRY[name]:
            raise RulesError(
                f"{name} cannot be {value!r} (it may be 4 or 6 arms, 2 to 20 squares, one_in or arm_end)"
            )
    if seats is None:
        seats = SIX_COLOURS if geometry.get("arms") == 6 else COLOURS
    if geometry.get("arms", len(seats)) != len(seats):
        raise RulesError(f"arms = {geometry['arms']} does not go with {len(seats)} seats: check 'seats'")
    arm_length = geometry.get("arm_length", 6)
    assert isinstance(arm_length, int)
    board = Board(seats, arm_length, geometry.get("doorstep_position") == "arm_end")
    return Setting(load_rules(rules, options), board, board.arms if players is None else players)
