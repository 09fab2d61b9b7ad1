"""Every play that a throw allows (RULES 2.2, 2.3).

A *die play* uses one die on one piece; a *two-dice play* both. If any two-dice play exists one of them
must be played, else the higher die, else the lower. What is listed here are plays as moves and the
squares captured on; `after` turns them into the boards that follow.

Single and mixed enemies are captured and never bar, so a capture with one die changes nothing for the
other: the die plays of both dice can be listed first and then paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from uckers_table.game.board import BASE, DOORSTEP, PIECES
from uckers_table.game.position import Position
from uckers_table.game.situation import Situation
from uckers_table.game.ways import DieMove, Reach, walk, walk_back

SIX = 6
"""The number that brings a piece out and earns a throw."""
ANY_DIE = frozenset(range(1, SIX + 1))
EXIT_DICE = {"6": frozenset({SIX}), "1_or_6": frozenset({1, SIX})}
"""What brings a piece out, by `exit_throw`."""


Play = tuple[DieMove, ...]
"""One move or two, on different pieces."""


@dataclass(frozen=True)
class Licence:
    """What the enumeration lets pass though the rules do not: how `explain` asks "would it follow if …".

    `any_die_exits`: any number brings a piece out. `pass_barriers`, `land_on_barriers`: blobs stop
    nobody passing, or landing. `past_home`: home needs no exact score. `splits`: one piece may capture
    on its half-way square. `unheld`: pieces held back may move.
    """

    any_die_exits: bool = False
    pass_barriers: bool = False
    land_on_barriers: bool = False
    past_home: bool = False
    splits: bool = False
    unheld: bool = False


NO_LICENCE = Licence()


class Field(NamedTuple):
    """What a side meets on the track, as bits of squares."""

    once: tuple[int, ...]
    """For each seat, the squares on which it has a piece."""
    enemies: int
    """The squares on which landing captures."""
    barriers: int


def survey(situation: Situation) -> Field:
    """The track as the side to throw meets it."""
    setting, rules, position = situation.setting, situation.setting.rules, situation.position
    ways = setting.ways
    once = [
        bits[first] | bits[second] | bits[third] | bits[last]
        for bits, (first, second, third, last) in zip(ways.bit, position, strict=True)
    ]
    enemies = barriers = 0
    for seat in setting.enemies[situation.side]:
        first, second, third, last = position[seat]
        # Steps ascend, so pieces on one square are neighbours.
        if first == second or second == third or third == last:
            bits = ways.bit[seat]
            twice = bits[second] * (second in (first, third)) | bits[last] * (third == last)
            if not rules.mixed_blocks:
                # Two colours on a square are mixed and never a barrier (BR r9; ruling A49).
                for other, squares in enumerate(once):
                    if other != seat:
                        twice &= ~squares
            barriers |= twice
        if rules.mixed_blocks:
            barriers |= enemies & once[seat]
        enemies |= once[seat]
    if rules.safe_squares == "all_coloured":
        return Field(tuple(once), enemies & ~ways.doorsteps, barriers & ~ways.doorsteps)
    return Field(tuple(once), enemies, barriers)


def legal_boards(situation: Situation, dice: Sequence[int]) -> dict[Position, Play]:
    """Every board that may follow a throw, each with a play that leads to it."""
    if EXIT_DICE[situation.setting.rules.exit_throw].isdisjoint(dice):
        resting = {BASE, situation.setting.board.home}
        if all(resting.issuperset(situation.position[seat]) for seat in situation.movers):
            return {}
    lister = Lister(situation)
    return {lister.after(play): play for play in lister.plays(dice)}


class Lister:
    """Lists plays in one situation."""

    def __init__(self, situation: Situation, licence: Licence = NO_LICENCE) -> None:
        self.situation = situation
        self.setting = situation.setting
        self.rules = situation.setting.rules
        self.board = situation.setting.board
        self.home = situation.setting.board.home
        self.position = situation.position
        self.licence = licence
        self.ways = self.setting.ways
        self.field = survey(situation)
        self.closed_to_pass = 0 if licence.pass_barriers else self.field.barriers
        self.closed_to_land = 0 if licence.land_on_barriers else self.field.barriers
        self.exit_dice = ANY_DIE if licence.any_die_exits else EXIT_DICE[self.rules.exit_throw]
        self.stacks = {} if licence.unheld else dict(situation.stacks)
        self.starts = [
            (seat, steps)
            for seat in situation.movers
            for steps in set(self.position[seat])
            if steps != self.home
        ]
        if self.stacks or (self.rules.may_hold_back and not licence.unheld):
            self.starts = [start for start in self.starts if not self._held_back(*start)]

    def plays(self, dice: Sequence[int]) -> list[Play]:
        """All plays that the dice allow; empty when nothing can move."""
        if len(dice) == 1:
            return self.one_die_plays(dice[0]) + self._pair_plays(dice[0])
        two = self.two_dice_plays(dice)
        if two:
            return two + self._spared_dice(dice, two)
        return self.one_die_plays(max(dice)) or self._lower_die_plays(min(dice))

    def die_moves(self, die: int) -> list[DieMove]:
        """Every piece that one die moves."""
        moves: list[DieMove] = []
        for seat, start in self.starts:
            moves += self._exit(seat, die) if start == BASE else self._onward(seat, start, die)
        return moves

    def one_die_plays(self, die: int) -> list[Play]:
        """Every way of using one die alone."""
        return [(move,) for move in self.die_moves(die) if self._room_for((move,))]

    def two_dice_plays(self, dice: Sequence[int]) -> list[Play]:
        """Every way of using both dice."""
        plays = [*self._pairs(dice), *self._totals(dice)]
        if not self.exit_dice.isdisjoint(dice):
            plays += self._exits_walked_on(dice)
        if self.stacks:
            plays += self._uncovered_pairs(dice)
        if dice[0] == dice[1]:
            plays += self._joint_moves(dice[0])
        if not self.rules.superblob_allowed:
            plays = [play for play in plays if self._room_for(play)]
        return plays

    def after(self, play: Play, spared: int = 0) -> Position:
        """The board after a play; enemies on the squares of `spared` are left standing."""
        pieces = [*self.position]
        landings = 0
        for seat, start, end, landed, _ in play:
            four = [*pieces[seat]]
            four[four.index(start)] = end
            four.sort()
            pieces[seat] = tuple(four)
            landings |= landed
        sent = landings & self.field.enemies & ~spared
        if sent:
            for seat in self.setting.enemies[self.situation.side]:
                if self.field.once[seat] & sent:
                    bits = self.ways.bit[seat]
                    pieces[seat] = tuple(sorted(BASE if bits[s] & sent else s for s in self.position[seat]))
        return tuple(pieces)

    def _held_back(self, seat: int, steps: int) -> bool:
        """Whether a piece that could otherwise move may not."""
        rules = self.rules
        if (
            rules.superblob_mobility == "frozen"
            and self._on_way(steps)
            and self.position[seat].count(steps) > 2
        ):
            return True
        if self.stacks and seat != self.stacks.get(self.ways.bit[seat][steps], (seat,))[-1]:
            return True
        if not rules.partner_tube_frozen or steps not in self.board.chute:
            return False
        return seat not in self.setting.owned(self.situation.side)

    def _on_way(self, steps: int) -> bool:
        """Whether a piece is neither in base nor home."""
        return steps != BASE and steps != self.home

    def _onward(self, seat: int, start: int, squares: int) -> Sequence[DieMove]:
        """A piece outside base going on by so many squares: its move, if it may."""
        if self.rules.home_exact == "bounce":
            return self._onward_bouncing(seat, start, squares)
        reach = self.ways.forward[seat][start][squares]
        if reach is None:
            if not (self.licence.past_home or self.rules.home_exact == "excess_allowed"):
                return ()
            reach = self.ways.forward[seat][start][self.home - start]
            assert reach is not None
        move, passed = reach
        return () if passed & self.closed_to_pass or move.landings & self.closed_to_land else (move,)

    def _onward_bouncing(self, seat: int, start: int, squares: int) -> Sequence[DieMove]:
        """The same where pieces turn round at home: two ways for two pieces of which one has bounced."""
        backing = self.situation.backing.count((seat, start))
        ways = [walk(self.board, seat, start, squares, True)] if backing else []
        if not backing or backing < self.position[seat].count(start):
            ways.append(walk(self.board, seat, start, squares, False))
        return [reach.move for reach in ways if self._is_open(reach)]

    def _is_open(self, reach: Reach) -> bool:
        """Whether no barrier stands in the way."""
        move, passed = reach
        return not (passed & self.closed_to_pass or move.landings & self.closed_to_land)

    def _exit(self, seat: int, die: int) -> Sequence[DieMove]:
        """A piece coming out of base with a die: its move, if it may."""
        if die not in self.exit_dice:
            return ()
        end = DOORSTEP if self.rules.exit_square == "doorstep" else SIX
        landing = self.ways.bit[seat][end]
        if landing & self.closed_to_land:
            return ()
        if self.rules.single_piece_total_blocks_exit:
            out = sum(
                self._on_way(steps) for mover in self.situation.movers for steps in self.position[mover]
            )
            if out == 1:
                return ()
        return (DieMove(seat, BASE, end, landing),)

    def _pairs(self, dice: Sequence[int]) -> Iterator[Play]:
        """One die on one piece, the other on another."""
        first_moves = self.die_moves(dice[0])
        double = dice[0] == dice[1]
        second_moves = first_moves if double else self.die_moves(dice[1])
        exit_binds = self.rules.exit_other_die == "same_piece"
        for index, first in enumerate(first_moves):
            # On a double either order is the same play.
            for second in second_moves[index:] if double else second_moves:
                if first.start == second.start and first.seat == second.seat:
                    if not self._two_may_leave(first.seat, first.start):
                        continue
                elif exit_binds and BASE in (first.start, second.start):
                    continue
                yield first, second

    def _two_may_leave(self, seat: int, start: int) -> bool:
        """Whether two pieces of a colour may leave a square with one throw."""
        stack = self.stacks.get(self.ways.bit[seat][start])
        if stack is not None:
            return stack[-2] == seat
        return self.position[seat].count(start) > 1

    def _uncovered_pairs(self, dice: Sequence[int]) -> Iterator[Play]:
        """The top piece of a mixed square with one die, then the one that lay under it with the other.

        Only where a player moves two colours; of one colour `_pairs` lists them.
        """
        for square, stack in self.stacks.items():
            top, under = stack[-1], stack[-2]
            if top == under or not {top, under} <= set(self.situation.movers):
                continue
            orders = {(dice[0], dice[1]), (dice[1], dice[0])}
            if self.rules.high_die_order == "high_first":
                orders = {(max(dice), min(dice))}
            for first_die, second_die in orders:
                first = self._onward(top, self._steps_on(top, square), first_die)
                second = self._onward(under, self._steps_on(under, square), second_die)
                yield from ((one, other) for one in first for other in second)

    def _steps_on(self, seat: int, square: int) -> int:
        """The steps of a seat's piece on the square of a bit."""
        return self.board.steps_on(seat, square.bit_length() - 1)

    def _totals(self, dice: Sequence[int]) -> Iterator[Play]:
        """One piece outside base going on by both dice, touching down half-way only where that is allowed."""
        total = dice[0] + dice[1]
        splits = self.rules.intermediate_capture or self.licence.splits
        for seat, start in self.starts:
            if start == BASE:
                continue
            for move in self._onward(seat, start, total):
                yield (move,)
                if splits:
                    for half in (half for die in set(dice) for half in self._onward(seat, start, die)):
                        if half.landings & self.field.enemies:
                            yield (move._replace(landings=move.landings | half.landings),)

    def _exits_walked_on(self, dice: Sequence[int]) -> Iterator[Play]:
        """A piece brought out by one die and walked on by the other."""
        for seat, start in self.starts:
            if start != BASE:
                continue
            for die, other in {(dice[0], dice[1]), (dice[1], dice[0])}:
                for out in self._exit(seat, die):
                    if self._room_for((out,)):
                        for on in self._onward(seat, out.end, other):
                            yield (DieMove(seat, BASE, on.end, out.landings | on.landings),)

    def _joint_moves(self, die: int) -> Iterator[Play]:
        """On a double, two pieces of an unmixed blob going together (RULES 2.3, 2.2.7)."""
        rules = self.rules
        jumps = rules.blob_takes_blob or rules.blob_jump != "off"
        if not (jumps or rules.blob_backward_on_double):
            return
        for seat, start in self.starts:
            if not self._is_blob(seat, start):
                continue
            forward = self.ways.forward[seat][start][die] if jumps else None
            if forward is not None and self._jointly(seat, start, forward):
                yield forward.move, forward.move
            if rules.blob_backward_on_double:
                back = walk_back(self.board, seat, start, die)
                if self._is_open(back):
                    yield back.move, back.move

    def _is_blob(self, seat: int, steps: int) -> bool:
        """Whether two or more of a colour stand alone on a track square."""
        square = self.ways.bit[seat][steps]
        if not square or self.position[seat].count(steps) < 2:
            return False
        return not any(once & square for other, once in enumerate(self.field.once) if other != seat)

    def _jointly(self, seat: int, start: int, reach: Reach) -> bool:
        """Whether a blob may go where its pieces singly may not: by taking a blob, or by jumping one."""
        rules, barriers = self.rules, self.field.barriers
        between = reach.passed & barriers
        if between and rules.blob_jump != "any":
            # Only the one on the very next square may be jumped, and by a rule set that says so.
            next_square = self.ways.forward[seat][start][1]
            adjacent = (
                rules.blob_jump == "adjacent"
                and next_square is not None
                and between == next_square.move.landings
            )
            if not adjacent or reach.move.landings & barriers:
                return False
        if reach.move.landings & barriers:
            return rules.blob_takes_blob and (
                rules.btb_size == "any" or self._pair_meets_pair(seat, start, reach)
            )
        return bool(between)

    def _pair_meets_pair(self, seat: int, start: int, reach: Reach) -> bool:
        """Whether exactly two attack exactly two (SUB b1; ruling A35)."""
        target = sum(
            self.ways.bit[enemy][steps] == reach.move.landings
            for enemy in self.setting.enemies[self.situation.side]
            for steps in self.position[enemy]
        )
        return self.position[seat].count(start) == 2 and target == 2

    def _pair_plays(self, die: int) -> list[Play]:
        """Two tokens of one square going half an even throw each, barred by nothing (WL p11-p13)."""
        if not self.rules.pair_move or die % 2:
            return []
        squares = die // 2 if self.rules.pair_distance == "half" else die
        reaches = (
            self.ways.forward[seat][start][squares]
            for seat, start in self.starts
            if self._on_way(start) and self.position[seat].count(start) > 1
        )
        return [(reach.move, reach.move) for reach in reaches if reach is not None]

    def _spared_dice(self, dice: Sequence[int], two: Sequence[Play]) -> list[Play]:
        """Plays of one die that are allowed though both could be used."""
        if not self.rules.both_dice_forced:
            return self.one_die_plays(max(dice))
        if not self.rules.break_barrier_forced and all(map(self._breaks_blob, two)):
            for die in (max(dice), min(dice)):
                spared = [play for play in self.one_die_plays(die) if not self._breaks_blob(play)]
                if spared:
                    return spared
        if self.rules.home_exact == "bounce" and self.rules.last_piece_one_die:
            return [p for die in set(dice) for p in self.one_die_plays(die) if self._brings_last_home(p[0])]
        return []

    def _breaks_blob(self, play: Play) -> bool:
        """Whether a play leaves fewer than two where a blob stood (BR r8f)."""
        leavers = [(move.seat, move.start) for move in play]
        return any(
            self._is_blob(seat, start) and self.position[seat].count(start) - leavers.count((seat, start)) < 2
            for seat, start in leavers
        )

    def _lower_die_plays(self, die: int) -> list[Play]:
        """What the lower die may do when neither both nor the higher can be played."""
        plays = self.one_die_plays(die)
        if self.rules.lower_die_fallback:
            return plays
        if not self.rules.last_piece_one_die:
            return []
        return [play for play in plays if self._brings_last_home(play[0])]

    def _brings_last_home(self, move: DieMove) -> bool:
        """Whether a move brings a colour's last piece home (BR r10b)."""
        home = self.home
        return move.end == home and self.position[move.seat].count(home) == PIECES - 1

    def _room_for(self, play: Play) -> bool:
        """Whether a play puts no third piece of a colour on a square where that is forbidden."""
        if self.rules.superblob_allowed:
            return True
        for seat, _, end, _, _ in play:
            four = list(self.position[seat])
            for mover in play:
                if mover.seat == seat:
                    four[four.index(mover.start)] = mover.end
            if self._on_way(end) and four.count(end) > 2:
                return False
        return True
