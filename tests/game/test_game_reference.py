"""The list of plays held against a second one, written from the rule texts alone and for plainness only.

`Reference` knows no bits, no tables and no cleverness: it puts pieces down square by square, tries both
dice in both orders on every piece, and looks at the whole board after each of them. It shares no code
with the engine; only the values of the options are read from the rule set.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from uckers_table.game import playing
from uckers_table.game.events import Awaiting
from uckers_table.game.match import begin
from uckers_table.game.rules import known_rules
from uckers_table.game.setting import load_setting

ROUNDS = int(os.environ.get("UCKERS_TABLE_REFERENCE_ROUNDS", "12"))
"""Positions a setting; thousands for a thorough run."""
THROWS = 30
"""Throws of a match at most, where it is counted who throws next."""

BASE, DOORSTEP, CORNER, SIX = 0, 1, -1, 6


class Reference:
    """One position and who may move what on it (BR r4 to r10, and the options that touch moving)."""

    def __init__(self, setting, position, side, movers, stacks=None):
        self.rules = setting.rules
        self.seats, length = len(position), setting.board.arm_length
        self.width = 2 * length + 1
        self.track = self.seats * self.width
        self.mouth = self.track - (not setting.board.arm_end_doorstep)
        self.home = self.mouth + length
        self.position, self.side, self.movers = position, side, movers
        partners = setting.players == 2 or self.rules.partner_seats == "opposite"
        partners = partners and not (self.seats == 6 and self.rules.hex6_teams == "singles")
        self.team = {side, (side + self.seats // 2) % self.seats} if partners else {side}
        self.owned = self.team if setting.players == 2 and setting.combined else {side}
        strangers = set(range(self.seats)) - (self.team if setting.players == 2 else {movers[0]})
        opponents = set(range(self.seats)) - self.team
        self.captured = opponents if self.rules.partner_immune else strangers
        self.barring = opponents if self.rules.blob_blocks == "opponents_only" else strangers
        self.stacks = self.known_order(stacks or {})

    # The board

    def square(self, seat, steps):
        """The square of the track on which a piece stands, None off the track."""
        if steps == CORNER:
            return (self.width * seat - 1) % self.track
        if DOORSTEP <= steps <= self.mouth:
            return (self.width * seat + steps - 1) % self.track
        return None

    def standing(self, position, square):
        """How many pieces of which seats stand on a square."""
        return Counter(
            seat for seat, four in enumerate(position) for s in four if self.square(seat, s) == square
        )

    def is_safe(self, square):
        """WL p10: a coloured square is safe, and the doorsteps are coloured."""
        return self.rules.safe_squares == "all_coloured" and square % self.width == 0

    def bars(self, position, square):
        """BR r8a and r9: two of one enemy colour and nobody else; WL p9: two enemies of any colour."""
        if square is None or self.is_safe(square):
            return False
        standing = self.standing(position, square)
        barring = [number for seat, number in standing.items() if seat in self.barring]
        if self.rules.mixed_blocks:
            return sum(barring) >= 2
        if self.rules.mixed_with_two_of_a_colour == "barrier" and max(barring, default=0) >= 2:
            return True
        return len(standing) == 1 and sum(barring) >= self.rules.blob_min

    def known_order(self, given):
        """Squares whose order from bottom to top is known: those given, and those of one colour."""
        if self.rules.mixed_stack_order == "free":
            return {}
        order = {int(square): tuple(seats) for square, seats in given.items()}
        for square in range(self.track):
            standing = self.standing(self.position, square)
            if len(standing) == 1:
                order[square] = tuple(standing.elements())
        return order

    # One piece

    def way(self, steps, number, backwards=False):
        """The steps touched on the way of so many squares; None where home is overshot."""
        way = []
        for _ in range(number):
            if steps == self.home and not backwards:
                if self.rules.home_exact == "exact":
                    return None
                if self.rules.home_exact == "excess_allowed":
                    break
                backwards = True
            elif steps == DOORSTEP and backwards:
                backwards = False
            if backwards:
                steps -= 1
            else:
                steps = DOORSTEP if steps == CORNER else steps + 1
            way.append(steps)
        return way

    def is_held(self, state, seat, steps):
        """Whether a piece may not be touched: frozen superblob, partner's tube, under another."""
        position, stacks = state
        if self.rules.superblob_mobility == "frozen" and position[seat].count(steps) > 2 and steps > BASE:
            return True
        if self.rules.partner_tube_frozen and seat not in self.owned and steps > self.mouth:
            return True
        stack = stacks.get(self.square(seat, steps))
        return stack is not None and stack[-1] != seat

    def put(self, state, seat, start, landings, end):
        """The board after a piece went from `start` to `end`, landing on the way where `landings` says."""
        position, stacks = [list(four) for four in state[0]], dict(state[1])
        left = self.square(seat, start)
        if left in stacks:
            stacks[left] = stacks[left][:-1]
            if not stacks[left]:
                del stacks[left]
        position[seat][position[seat].index(start)] = end
        for steps in landings:
            square = self.square(seat, steps)
            if square is None or self.is_safe(square):
                continue
            for enemy in self.captured:
                position[enemy] = [BASE if self.square(enemy, s) == square else s for s in position[enemy]]
            if square in stacks:
                stacks[square] = tuple(s for s in stacks[square] if s not in self.captured)
        square = self.square(seat, end)
        if square is not None and self.rules.mixed_stack_order == "top_first":
            others = self.standing(position, square) - Counter([seat])
            if square in stacks or not others:
                stacks[square] = (*stacks.get(square, ()), seat)
        after = tuple(tuple(sorted(four)) for four in position)
        if not self.rules.superblob_allowed and DOORSTEP <= end < self.home and after[seat].count(end) > 2:
            return None
        return after, stacks

    def one_die(self, state, seat, start, die):
        """A piece moved with one die, or None."""
        if start == BASE:
            return self.brought_out(state, seat, die)
        return self.walked(state, seat, start, [die])

    def brought_out(self, state, seat, die):
        """BR r4: out with a six, onto the doorstep, unless a barrier stands there (r8e)."""
        if die not in ({SIX} if self.rules.exit_throw == "6" else {1, SIX}):
            return None
        if self.rules.single_piece_total_blocks_exit:
            out = [s for mover in self.movers for s in self.position[mover] if s not in (BASE, self.home)]
            if len(out) == 1:
                return None
        end = DOORSTEP if self.rules.exit_square == "doorstep" else 6
        if self.bars(state[0], self.square(seat, end)):
            return None
        return self.put(state, seat, BASE, [end] if self.rules.exit_captures else [], end)

    def walked(self, state, seat, start, parts, backwards=False):
        """A piece outside base going on by the parts of a throw, touching down after each."""
        if start in (BASE, self.home) or self.is_held(state, seat, start):
            return None
        way = self.way(start, sum(parts), backwards)
        if way is None or any(self.bars(state[0], self.square(seat, s)) for s in way):
            return None
        touched = [way[min(sum(parts[: n + 1]), len(way)) - 1] for n in range(len(parts))]
        return self.put(state, seat, start, touched, way[-1])

    # A throw

    def pieces(self, state):
        """The pieces that the thrower may move, as seat and steps."""
        return [(seat, steps) for seat in self.movers for steps in sorted(set(state[0][seat]))]

    def one_die_boards(self, die):
        """The boards after one die alone."""
        start = (self.position, self.stacks)
        after = [self.one_die(start, *piece, die) for piece in self.pieces(start)]
        return {state[0] for state in after if state}

    def two_dice_boards(self, dice):
        """The boards after both dice (RULES 2.2.2)."""
        start, boards = (self.position, self.stacks), []
        for high, low in {tuple(dice), tuple(dice)[::-1]}:
            for seat, steps in self.pieces(start):
                boards += self.on_two_pieces(start, seat, steps, high, low)
                if steps == BASE:
                    out = self.brought_out(start, seat, high)
                    end = DOORSTEP if self.rules.exit_square == "doorstep" else 6
                    if not (out and self.rules.capturing_piece_stops and self.has_captured(out)):
                        boards.append(out and self.walked_on(out, seat, end, low))
                else:
                    boards.append(self.walked(start, seat, steps, [high + low]))
                    if self.rules.intermediate_capture and not self.rules.capturing_piece_stops:
                        boards.append(self.walked(start, seat, steps, [high, low]))
        if dice[0] == dice[1]:
            boards += [
                self.together(start, *piece, dice[0], back) for piece in self.pieces(start) for back in (0, 1)
            ]
        return {state[0] for state in boards if state}

    def has_captured(self, after):
        """Whether somebody was sent back on the way to a board."""
        return any(after[0][seat] != self.position[seat] for seat in self.captured - set(self.movers))

    def walked_on(self, out, seat, end, die):
        """The piece just brought out going on; it lies on top of whatever stood there."""
        way = self.way(end, die)
        if any(self.bars(out[0], self.square(seat, s)) for s in way):
            return None
        return self.put(out, seat, end, [way[-1]], way[-1])

    def on_two_pieces(self, start, seat, steps, first_die, second_die):
        """One die on one piece, then the other die on another."""
        first = self.one_die(start, seat, steps, first_die)
        if first is None:
            return []
        boards = []
        for other, from_steps in self.pieces(start):
            if (other, from_steps) == (seat, steps) and start[0][seat].count(steps) < 2:
                continue
            comes_out = BASE in (steps, from_steps)
            both_out = steps == from_steps == BASE and first_die == second_die == SIX
            if comes_out and self.rules.exit_other_die == "same_piece" and not both_out:
                continue
            if first[0][other].count(from_steps):
                boards.append(self.one_die(first, other, from_steps, second_die))
        return boards

    def together(self, state, seat, start, die, backwards):
        """RULES 2.3 and 2.2.7: two of an unmixed blob by one die each."""
        position, square = state[0], self.square(seat, start)
        if square is None or position[seat].count(start) < 2 or len(self.standing(position, square)) > 1:
            return None
        if self.is_held(state, seat, start):
            return None
        if backwards:
            way = self.way_back(start, die)
            if not self.rules.blob_backward_on_double:
                return None
            if any(self.bars(position, self.square(seat, s)) for s in way):
                return None
            if self.rules.blob_backward_entry == "mouth" and start < way[-1] < self.mouth:
                return None
        else:
            exact = range(start + 1, start + die + 1) if start != CORNER else range(DOORSTEP, die + 1)
            way = list(exact)
            if way[-1] > self.home or not self.may_go_together(position, seat, start, way):
                return None
        once = self.put(state, seat, start, [way[-1]], way[-1])
        return once and self.put(once, seat, start, [way[-1]], way[-1])

    def way_back(self, steps, number):
        """… 2, 1, corner, mouth, mouth - 1 …; with nothing skipped there is no corner."""
        way = []
        for _ in range(number):
            if steps == DOORSTEP:
                steps = CORNER if self.mouth < self.track else self.mouth
            elif steps == CORNER:
                steps = self.mouth
            else:
                steps -= 1
            way.append(steps)
        return way

    def may_go_together(self, position, seat, start, way):
        """Whether an enemy barrier makes going together more than an ordinary throw."""
        *between, target = (self.bars(position, self.square(seat, s)) for s in way)
        if target:
            if not self.rules.blob_takes_blob or (any(between) and self.rules.blob_jump != "any"):
                return False
            if self.rules.btb_distance == "adjacent" and len(way) > 1:
                return False
            attacked = self.standing(position, self.square(seat, way[-1])).total()
            return self.rules.btb_size == "any" or (position[seat].count(start) == 2 and attacked == 2)
        if not any(between):
            return False
        return self.rules.blob_jump == "any" or (
            self.rules.blob_jump == "adjacent" and between[0] and sum(between) == 1
        )

    def as_pair(self, die):
        """WL p11 to p13: a pair goes half an even throw each, barred by nothing."""
        boards, start = set(), (self.position, self.stacks)
        for seat, steps in self.pieces(start):
            number = die // 2 if self.rules.pair_distance == "half" else die
            if die % 2 or steps in (BASE, self.home) or self.position[seat].count(steps) < 2:
                continue
            way = self.way(steps, number)
            if way:
                once = self.put(start, seat, steps, [way[-1]], way[-1])
                boards.add(self.put(once, seat, steps, [way[-1]], way[-1])[0])
        return boards

    def boards(self, dice):
        """Every board that may follow a throw."""
        boards = self.played_boards(dice)
        return boards | {self.position} if boards and self.rules.pass_allowed else boards

    def played_boards(self, dice):
        """Every board that a throw can be played to (RULES 2.2.3)."""
        if len(dice) == 1:
            return self.one_die_boards(*dice) | (self.as_pair(*dice) if self.rules.pair_move else set())
        both = self.two_dice_boards(dice)
        higher, lower = self.one_die_boards(max(dice)), self.one_die_boards(min(dice))
        last_home = {b for b in higher | lower if self.rules.last_piece_one_die and self.brings_last_home(b)}
        spared = last_home if self.rules.home_exact == "bounce" else set()
        if both and not self.rules.both_dice_forced:
            spared = spared | higher
        if both and not self.rules.exit_other_die_forced:
            spared = spared | {board for board in higher | lower if self.brings_out(board)}
        if both or higher:
            return (both or higher) | spared
        return lower if self.rules.lower_die_fallback else last_home

    def brings_out(self, board):
        """Whether a piece has come out of base."""
        return any(board[seat].count(BASE) < self.position[seat].count(BASE) for seat in self.movers)

    def brings_last_home(self, board):
        """Whether the last piece of a colour, or of the team, has come home (BR r10b)."""
        colours = [[seat] for seat in self.movers]
        together = [sorted(self.team)] if self.rules.last_piece_meaning == "team" else colours
        return any(
            sum(board[seat].count(self.home) for seat in seats) == 4 * len(seats)
            and sum(self.position[seat].count(self.home) for seat in seats) == 4 * len(seats) - 1
            for seats in together
        )


def random_stacks(setting, position, rng):
    """An order for every mixed square, as a scenario gives it: colours by square."""
    squares = {}
    for seat, four in enumerate(position):
        for steps in four:
            square = setting.board.square(seat, steps)
            if square is not None:
                squares.setdefault(square, []).append(seat)
    mixed = {square: seats for square, seats in squares.items() if len(set(seats)) > 1}
    return {square: rng.sample(seats, len(seats)) for square, seats in mixed.items()}


SETTINGS = [
    *((rules, {}, None) for rules in known_rules()),
    *((rules, {}, 2) for rules in ("br4006", "wiki", "wafu", "oldwiki_advanced")),
    ("br4006", {"var_a": True, "var_c": True}, None),
    ("br4006", {"var_d": True}, None),
    ("br4006", {"var_a": True, "var_d": True}, 2),
    ("br4006", {"arms": 6, "var_c": True}, None),
    ("couk", {"arm_length": 8, "var_a": True}, 2),
    ("wiki", {"doorstep_position": "arm_end", "blob_backward_on_double": True}, None),
    ("wiki", {"blob_backward_on_double": True, "var_c": True, "arm_length": 3}, None),
    ("oldwiki", {"superblob_allowed": False}, 2),
    ("oldwiki_advanced", {"superblob_mobility": "frozen"}, None),
    ("br4006", {"exit_other_die": "same_piece"}, None),
    ("br4006", {"exit_other_die": "same_piece"}, 2),
    ("br4006", {"single_piece_total_blocks_exit": True}, None),
    ("br4006", {"both_dice_forced": False, "lower_die_fallback": False}, None),
    ("br4006", {"lower_die_fallback": False, "last_piece_one_die": False}, None),
    ("br4006", {"home_exact": "excess_allowed"}, None),
    ("br4006", {"exit_throw": "1_or_6"}, None),
    ("masters_ludo", {"exit_square": "step_6", "exit_throw": "1_or_6"}, None),
    ("western_ludo", {"pair_distance": "full"}, None),
    ("br4006", {"blob_min": 1, "exit_captures": False}, None),
    ("br4006", {"mixed_with_two_of_a_colour": "barrier", "exit_other_die_forced": False}, 2),
    ("br4006", {"partner_immune": False, "blob_blocks": "all_others", "var_c": True}, None),
    ("br4006", {"partner_immune": False}, None),
    ("br4006", {"blob_blocks": "all_others", "pass_allowed": True}, 2),
    ("br4006", {"lower_die_fallback": False, "last_piece_meaning": "team"}, None),
    ("wiki", {"btb_distance": "adjacent"}, None),
    ("wiki", {"blob_backward_on_double": True, "blob_backward_entry": "mouth"}, None),
    ("br4006", {"arms": 6, "hex6_teams": "singles"}, None),
    ("br4006", {"capturing_piece_stops": True}, None),
    ("br4006", {"capturing_piece_stops": True, "var_a": True, "exit_square": "step_6"}, 2),
    ("br4006", {"last_piece_dice": "one_in_chute"}, None),
]


def named(value):
    """Options by their values alone; all else as it is."""
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


@pytest.mark.parametrize(("rules", "options", "players"), SETTINGS, ids=named)
def test_the_plays_are_those_that_the_plain_reading_finds(crowded, rules, options, players):
    setting = load_setting(rules, options, players=players)
    for number in range(ROUNDS):
        rng = Random(f"{rules} {options} {players} {number}")
        # Who lies on whom beside an enemy that was not sent back, nobody can say.
        shared = 0.1 if setting.rules.mixed_stack_order == "free" else 0.0
        match, reference = random_throw(setting, crowded(setting, rng, shared), rng)
        # A forced challenge leaves no plain play, whatever the reference finds.
        if not match.must_challenge:
            assert set(match.plays) == reference.boards(match.thrown), (number, match.position, match.thrown)


def random_throw(setting, position, rng):
    """A match with a throw in hand, and the reference for the same position; some sides help a partner."""
    board, side = setting.board, rng.choice(setting.sides)
    movers, helping = setting.teams[side] if setting.combined else (side,), []
    if setting.has_partners and not setting.combined and rng.random() < 0.2:
        position = with_colour(position, side, (board.home,) * 4)
        movers, helping = (board.partner(side),), [board.seats[side]]
    if len(movers) == 1 and setting.is_home(position, movers[0]):
        position = with_colour(position, movers[0], (BASE, BASE, BASE, board.mouth - 1))
    ordered = setting.rules.mixed_stack_order == "top_first"
    stacks = random_stacks(setting, position, rng) if ordered else {}
    match = begin(
        setting,
        to_play=board.seats[side],
        position=position,
        turns_taken=1,
        helping=helping,
        stacks={str(square): [board.seats[seat] for seat in seats] for square, seats in stacks.items()},
    )
    dice = [rng.randint(1, SIX) for _ in range(min(match.dice_wanted))]
    if rng.random() < 0.3:
        dice = dice[:1] * len(dice)
    return playing.throw(match, dice).match, Reference(setting, position, side, movers, stacks)


def with_colour(position, seat, pieces):
    """The position with one colour's pieces elsewhere."""
    return (*position[:seat], pieces, *position[seat + 1 :])


HOME_THROWS = {"base_throws": 3, "capture_extra_throw": True, "home_extra_throw": True}
TURNS = [
    *((rules, {}, None) for rules in ("house_ludo", "masters_ludo", "western_ludo")),
    ("house_ludo", {"three_sixes_penalty": "lose_turn"}, None),
    ("house_ludo", {"exit_throw": "1_or_6", "home_exact": "excess_allowed"}, 2),
    ("br4006", HOME_THROWS, None),
    ("br4006", HOME_THROWS, 2),
    ("couk", HOME_THROWS, None),
    *(("masters_ludo", {name: value}, None) for name, value in HOME_THROWS.items()),
]


class Turns:
    """Who throws, and how often yet, counted throw by throw from the rule texts (RULES 2.4)."""

    def __init__(self, setting, side, position):
        self.setting, self.rules, self.home = setting, setting.rules, setting.board.home
        self.begin(side, position)

    def begin(self, side, position):
        """The first throw of a turn is still to be made."""
        self.side, self.owed, self.throws, self.sixes = side, 0, 0, 0
        self.movers = self.setting.teams[side] if self.setting.combined else (side,)
        self.had_nothing_out = self.has_nothing_out(position)

    def has_nothing_out(self, position):
        return all(steps in (BASE, self.home) for seat in self.movers for steps in position[seat])

    def throw(self, dice):
        """A throw uses up one that was owed; a six earns one, and where it is so any double."""
        self.owed = max(self.owed - 1, 0) + (SIX in dice)
        self.owed += self.rules.extra_any_double and len({*dice}) < len(dice) and SIX not in dice
        self.throws, self.sixes = self.throws + 1, self.sixes + (SIX in dice)

    @property
    def is_third_six(self):
        """WL p7: the third six of a turn is not played, and the turn is lost."""
        return self.rules.three_sixes_penalty == "lose_turn" and self.sixes == 3

    def stay(self, position):
        """Nothing moves. Whoever has had nothing out all the turn has so many tries."""
        waits = self.had_nothing_out and self.has_nothing_out(position)
        if waits and not self.owed and self.throws < self.rules.base_throws:
            self.owed = 1
        self.end(position)

    def play(self, before, after, captured):
        """A play; who lost a piece to base by it, and who brought one home, is counted on the boards."""
        has_captured = any(after[seat].count(BASE) > before[seat].count(BASE) for seat in captured)
        brought_home = any(
            after[seat].count(self.home) > before[seat].count(self.home) for seat in self.movers
        )
        self.owed += has_captured and self.rules.capture_extra_throw
        self.owed += brought_home and self.rules.home_extra_throw
        self.end(after)

    def end(self, position):
        """The turn goes on while a throw is owed, else to the next side."""
        if not self.owed or self.is_third_six:
            sides = self.setting.sides
            self.begin(sides[(sides.index(self.side) + 1) % len(sides)], position)


@pytest.mark.parametrize(("rules", "options", "players"), TURNS, ids=named)
def test_who_throws_next_and_how_often_is_what_a_plain_count_gives(crowded, rules, options, players):
    setting = load_setting(rules, options, players=players)
    for number in range(ROUNDS):
        rng = Random(f"{rules} {options} {players} {number}")
        start = crowded(setting, rng) if number % 2 else ((BASE,) * 4,) * setting.board.arms
        for match, turns in counted_throws(setting, start, rng):
            assert (match.to_play, match.extra) == (turns.side, turns.owed), (number, match.position)


def counted_throws(setting, position, rng):
    """The throws of a match until a colour is home, and the plain count of each."""
    side = rng.choice(setting.sides)
    match = begin(setting, to_play=setting.board.seats[side], position=position, turns_taken=1)
    turns = Turns(setting, side, position)
    for _ in range(THROWS):
        if any(setting.is_home(position, seat) for seat in range(setting.board.arms)):
            return
        yield match, turns
        dice = tuple(rng.choice((1, 2, 3, 4, 5, SIX, SIX)) for _ in range(setting.rules.dice_per_throw))
        turns.throw(dice)
        reference = Reference(setting, position, turns.side, turns.movers)
        boards = set() if turns.is_third_six else reference.boards(dice)
        match = playing.throw(match, dice).match
        if boards:
            after = rng.choice(sorted(boards))
            match = playing.see(match, after).match
            turns.play(position, after, reference.captured)
            position = after
        elif match.awaiting is Awaiting.PLAY:
            return  # Only a challenge is open.
        else:
            turns.stay(position)
