"""What does not change during a match: the rules, the board, how many play, and so who plays with whom.

A *side* is what throws together: a seat, or with two players and combined turns both of a player's
seats, called by the first of them. A *team* is what wins together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product

from uckers_table.errors import RulesError
from uckers_table.foreign.words import as_typed
from uckers_table.game.board import ARMS, COLOURS, PIECES, Board
from uckers_table.game.options import RuleSet
from uckers_table.game.position import Position
from uckers_table.game.rules import load_rules
from uckers_table.game.ways import EXIT_DICE, SIX, Ways, ways_of

SIX_COLOURS = (*COLOURS, "white", "black")
"""The usual seats of the six-armed board, clockwise (Wikipedia, Uckers; ruling A08)."""

Dice = tuple[int, ...]

GEOMETRY = {"arms": ARMS, "arm_length": range(2, 21), "doorstep_position": ("one_in", "arm_end")}
"""What can be said of the board beside the options of a rule set, and the values of each."""


Seats = tuple[int, ...]
"""Seats (0 …, clockwise)."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Rules, board and players of one match; the questions about seats that follow from them.

    What is asked with every throw is worked out at once: reading it is what matches are played out of.
    """

    rules: RuleSet
    board: Board
    players: int = 4

    ways: Ways = field(init=False, repr=False, compare=False)
    """Where every step leads on the board, under the rules of leaving base and coming home."""
    sides: Seats = field(init=False, repr=False, compare=False)
    """The seats that throw, clockwise from seat 0."""
    next_side: Seats = field(init=False, repr=False, compare=False)
    """For each side, whose turn comes next: the next seat clockwise."""
    teams: tuple[Seats, ...] = field(init=False, repr=False, compare=False)
    """For each seat, the seats of its team: itself first, then clockwise."""
    owned: tuple[Seats, ...] = field(init=False, repr=False, compare=False)
    """For each side, the seats whose pieces are its own."""
    enemies: tuple[Seats, ...] = field(init=False, repr=False, compare=False)
    """For each seat, the seats of the other teams."""
    captured: tuple[Seats, ...] = field(init=False, repr=False, compare=False)
    """For each seat, the seats whose pieces it sends back (partner_immune)."""
    barring: tuple[Seats, ...] = field(init=False, repr=False, compare=False)
    """For each seat, the seats whose blobs stop its pieces (blob_blocks)."""
    all_home: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """A colour's pieces when all are home."""
    earned: Mapping[Dice, int] = field(init=False, repr=False, compare=False)
    """Every throw of the dice, and the extra throws it earns (BR r6, CO r6; rulings A26, A27)."""
    played_at_once: frozenset[Dice] = field(init=False, repr=False, compare=False)
    """The throws that mean nothing but a play, and are played before the next is made."""
    has_plain_blobs: bool = field(init=False, repr=False, compare=False)
    """Whether two of one colour bar, alone on any square of the track, and nothing else does."""
    has_halves: bool = field(init=False, repr=False, compare=False)
    """Whether any rule asks what a piece that goes the total does half-way."""
    counts_turns: bool = field(init=False, repr=False, compare=False)
    """Whether any rule asks how many turns a side has had."""
    punishes_runs: bool = field(init=False, repr=False, compare=False)
    """Whether any rule sends pieces to base for too many doubles or sixes in a turn."""
    may_spare_a_die: bool = field(init=False, repr=False, compare=False)
    """Whether any rule lets a die be left though both could be used."""
    may_hold_back: bool = field(init=False, repr=False, compare=False)
    """Whether any rule keeps a piece that the dice fit from moving."""

    def __post_init__(self) -> None:
        arms = self.board.arms
        possible = (2, 4) if arms == 4 else (arms,)
        if self.players not in possible:
            raise RulesError(
                f"{self.players} players cannot sit at {arms} seats: "
                f"'players' is {' or '.join(map(str, possible))} (ruling A06)"
            )
        rules = self.rules
        sides = tuple(range(arms // 2 if self.combined else arms))
        teams = _teams(rules, arms, self.players)
        enemies = tuple(tuple(seat for seat in range(arms) if seat not in team) for team in teams)
        # Of two players each owns two colours, so that nobody else is left to be sent back or to bar.
        others = enemies if self.players == 2 else tuple(_all_but(seat, arms) for seat in range(arms))
        earned = _earned(rules)
        for name, value in {
            "ways": ways_of(
                self.board,
                EXIT_DICE[rules.exit_throw],
                rules.exit_square,
                rules.exit_captures,
                rules.home_exact,
            ),
            "sides": sides,
            "next_side": (*sides[1:], sides[0]),
            "teams": teams,
            "owned": teams if self.combined else tuple((seat,) for seat in range(arms)),
            "enemies": enemies,
            "captured": enemies if rules.partner_immune else others,
            "barring": enemies if rules.blob_blocks == "opponents_only" else others,
            "all_home": (self.board.home,) * PIECES,
            "earned": earned,
            "played_at_once": _played_at_once(rules, earned),
            "has_plain_blobs": (
                not rules.mixed_blocks
                and rules.mixed_with_two_of_a_colour == "no_barrier"
                and rules.blob_min == 2
                and rules.safe_squares == "chute_only"
            ),
            "has_halves": rules.intermediate_capture or rules.capturing_piece_stops,
            "counts_turns": rules.snake_eyes_out and rules.snake_eyes_window == "double_of_turn",
            "punishes_runs": rules.three_doubles_to_base or rules.five_sixes_to_base,
            "may_spare_a_die": (
                not (rules.both_dice_forced and rules.break_barrier_forced and rules.exit_other_die_forced)
                or rules.home_exact == "bounce"
            ),
            "may_hold_back": (
                rules.superblob_mobility == "frozen"
                or rules.partner_tube_frozen
                or rules.single_piece_total_blocks_exit
            ),
        }.items():
            object.__setattr__(self, name, value)

    @property
    def combined(self) -> bool:
        """Whether a side throws for two colours at once (ruling A07)."""
        return self.players == 2 and self.rules.two_player_turns == "combined"

    @property
    def also_out(self) -> tuple[int, ...]:
        """The numbers that bring a piece out beside a six (exit_throw)."""
        return tuple(sorted(EXIT_DICE[self.rules.exit_throw] - {SIX}))

    @property
    def has_partners(self) -> bool:
        """Whether seats play together."""
        return len(self.teams[0]) > 1

    @property
    def has_eights(self) -> bool:
        """Whether a team can be eight-pieced: it has eight, and the game is not Ludo (RULES 2.8)."""
        return self.has_partners and self.rules.dice_per_throw == 2

    @property
    def has_gate(self) -> bool:
        """Whether a six must open the gate before one throws for one's partner (BR r11; ruling A07)."""
        return self.players != 2 or self.rules.partner_gate_two_player

    def is_home(self, position: Position, seat: int) -> bool:
        """Whether all of a colour's pieces are home."""
        return position[seat] == self.all_home

    def come_home(self, position: Position) -> frozenset[int]:
        """The colours that have all their pieces home."""
        return frozenset(seat for seat in range(len(position)) if self.is_home(position, seat))

    def waits_for_partner(self, position: Position, side: int) -> bool:
        """Whether a side has no piece of its own left to play, and throws, if at all, for its partner."""
        return self.is_home(position, side) and not self.combined and self.has_partners

    def helped(self, position: Position, side: int) -> int:
        """The partner for whom a side that is home throws: the next of its team clockwise that is not home.

        With everybody home it is the next of all.
        """
        partners = self.teams[side][1:]
        return next((seat for seat in partners if not self.is_home(position, seat)), partners[0])


def _teams(rules: RuleSet, arms: int, players: int) -> tuple[Seats, ...]:
    """For each seat, the seats of its team: itself first, then clockwise."""
    together = rules.hex6_teams if arms == 6 else "pairs"
    apart = 2 if together == "two_threes" else arms // 2
    if together == "singles" or (rules.partner_seats == "none" and players != 2):
        apart = arms
    return tuple(tuple((seat + on) % arms for on in range(0, arms, apart)) for seat in range(arms))


def _all_but(seat: int, arms: int) -> Seats:
    return tuple(other for other in range(arms) if other != seat)


def _earned(rules: RuleSet) -> dict[Dice, int]:
    """Every throw of the dice, and the extra throws it earns."""
    earned = {}
    for dice in product(range(1, SIX + 1), repeat=rules.dice_per_throw):
        is_double = len(dice) == 2 and dice[0] == dice[1]
        if SIX in dice:
            earned[dice] = rules.extra_for_double_six if is_double else 1
        else:
            earned[dice] = int(is_double and rules.extra_any_double)
    return earned


def _played_at_once(rules: RuleSet, throws: Iterable[Dice]) -> frozenset[Dice]:
    """The throws that mean nothing but a play, and are played before the next is made."""
    if rules.extra_timing != "move_then_throw" or rules.last_piece_dice != "usual":
        return frozenset()
    counts_sixes = rules.three_sixes_penalty != "none" or rules.five_sixes_to_base
    last_double = 0
    if rules.snake_eyes_out:
        last_double = SIX if rules.snake_eyes_window == "double_of_turn" else 1
    if rules.three_doubles_to_base:
        last_double = SIX
    doubles = {(number, number) for number in range(1, last_double + 1)}
    return frozenset(dice for dice in throws if dice not in doubles and not (counts_sixes and SIX in dice))


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
    geometry = {name: options.pop(name) for name in GEOMETRY if name in options}
    for name, value in geometry.items():
        if isinstance(value, bool) or value not in GEOMETRY[name]:
            raise RulesError(
                f"{name} cannot be {as_typed(value)}: it may be 4 or 6 arms, 2 to 20 squares, "
                "one_in or arm_end"
            )
    if seats is None:
        seats = SIX_COLOURS if geometry.get("arms") == 6 else COLOURS
    if geometry.get("arms", len(seats)) != len(seats):
        raise RulesError(f"arms = {geometry['arms']} does not go with {len(seats)} seats: check 'seats'")
    arm_length = geometry.get("arm_length", 6)
    assert isinstance(arm_length, int)
    board = Board(seats, arm_length, geometry.get("doorstep_position") == "arm_end")
    return Setting(load_rules(rules, options), board, board.arms if players is None else players)
