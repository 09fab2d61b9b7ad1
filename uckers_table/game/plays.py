"""Every play that a throw allows (RULES 2.2, 2.3).

A *die play* uses one die on one piece; a *two-dice play* both. If any two-dice play exists one of them
must be played, else the higher die, else the lower. What is listed here are plays as moves and the
squares captured on; `after` turns them into the boards that follow.

Single and mixed enemies are captured and never bar, so a capture with one die changes nothing for the
other: the die plays of both dice can be listed first and then paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from uckers_table.game.board import BASE
from uckers_table.game.position import Position
from uckers_table.game.situation import Situation
from uckers_table.game.survey import survey
from uckers_table.game.turn import Piece
from uckers_table.game.ways import ANY_DIE, EXIT_DICE, DieMove, Moves, Ways, both, walk, walk_back, ways_of

Play = tuple[DieMove, ...]
"""One move or two, on different pieces."""
NOTHING_MOVED: Play = ()
"""A throw that is left though it could be played (pass_allowed)."""


@dataclass(frozen=True)
class Licence:
    """What the enumeration lets pass though the rules do not: how `explain` asks "would it follow if …".

    `any_die_exits`: any number brings a piece out. `pass_barriers`, `land_on_barriers`: blobs stop
    nobody passing, or landing. `past_home`: home needs no exact score. `splits`: one piece may capture
    on its half-way square. `unheld`: pieces held back may move. `partners`: the partner's are one's own.
    `stays_in`: nobody is made to come out.
    """

    any_die_exits: bool = False
    pass_barriers: bool = False
    land_on_barriers: bool = False
    past_home: bool = False
    splits: bool = False
    unheld: bool = False
    partners: bool = False
    stays_in: bool = False


NO_LICENCE = Licence()


class Lister:
    """Lists plays in one situation."""

    def __init__(self, situation: Situation, licence: Licence = NO_LICENCE) -> None:
        self.situation = situation
        self.setting = situation.setting
        self.rules = situation.setting.rules
        self.position = situation.position
        self.licence = licence
        self.ways = self.setting.ways if licence is NO_LICENCE else _ways_with(licence, situation)
        self.field = survey(situation)
        self.is_hindered = bool(self.field.barriers or situation.backing)
        self.stacks: dict[int, tuple[int, ...]] = {}
        self.holds_back = False
        moves = self.ways.moves
        self.moves = [moves[seat][steps] for seat in situation.movers for steps in set(self.position[seat])]
        if (situation.stacks or self.setting.may_hold_back) and not licence.unheld:
            self.holds_back = True
            self.stacks = dict(situation.stacks)
            self.moves = self._moves_not_held_back()

    def plays(self, dice: Sequence[int]) -> list[Play]:
        """All plays that the dice allow; empty when nothing can move.

        No two lead to the same board, save where a rule makes two dice do the same to a piece (a one brings
        out as a six does, or both are enough to come home).
        """
        is_free = self.rules.exit_optional is True or self.licence.stays_in
        return self._plays(dice) if is_free else self._coming_out(dice)

    def _plays(self, dice: Sequence[int]) -> list[Play]:
        """The plays where nobody is made to come out."""
        if len(dice) == 1:
            return self.one_die_plays(dice[0]) + self._pair_plays(dice[0])
        two = self.two_dice_plays(dice)
        if two:
            return two + self._spared_dice(dice, two) if self.setting.may_spare_a_die else two
        higher = self.one_die_plays(max(dice))
        if not higher:
            return self._lower_die_plays(min(dice))
        return higher + [play for play in self._home_on_one_die(dice) if play not in higher]

    def _coming_out(self, dice: Sequence[int]) -> list[Play]:
        """The plays where a six that can bring a piece out must, though the other die be lost by it."""
        plays = self._plays(dice)
        exits = [[move.start for move in play].count(BASE) for play in plays]
        if any(exits):
            return [play for play, number in zip(plays, exits, strict=True) if number == max(exits)]
        return self._exits_alone(dice) or plays

    def _exits_alone(self, dice: Sequence[int]) -> list[Play]:
        """A piece brought out, and nothing else done with the throw."""
        exits = dict.fromkeys(move for die in dice for move in self.moves_with(die) if move.start == BASE)
        return self._with_room([(move,) for move in exits])

    def moves_with(self, die: int) -> list[DieMove]:
        """Every move of one piece with one die."""
        return self._open_moves(die, die)

    def _open_moves(self, index: int, squares: int) -> list[DieMove]:
        """The moves at an index of the tables, so many squares on, that no barrier stands in the way of."""
        moves = [move for each in self.moves if (move := each[index])]
        return self._unhindered(moves, squares) if self.is_hindered else moves

    def _unhindered(self, moves: list[DieMove], squares: int) -> list[DieMove]:
        """Those moves that no barrier stands in the way of, bounced pieces going backwards."""
        if self.situation.backing:
            moves = self._turned_back(moves, squares)
        return [move for move in moves if self._is_open(move)]

    def one_die_plays(self, die: int) -> list[Play]:
        """Every way of using one die alone."""
        return self._with_room([(move,) for move in self.moves_with(die)])

    def two_dice_plays(self, dice: Sequence[int]) -> list[Play]:
        """Every way of using both dice."""
        one, other = dice
        firsts = self._open_moves(one, one)
        seconds = firsts if one == other else self._open_moves(other, other)
        totals = self._open_moves(both(one, other), one + other)
        if (
            self.rules.exit_throw != "6"
            and one != other
            and EXIT_DICE[self.rules.exit_throw].issuperset(dice)
        ):
            # Either die brings a piece out, and the other walks it on.
            totals += [m for m in self._open_moves(both(other, one), one + other) if m.start == BASE]
        plays = self._pairs(firsts, seconds)
        if self.setting.has_halves or self.licence.splits:
            plays += self._one_piece_plays(totals, firsts if one == other else firsts + seconds)
        else:
            plays += [(move,) for move in totals]
        if self.stacks:
            plays += self._uncovered_pairs(dice)
        if one == other:
            plays += self._joint_moves(one)
        return self._with_room(plays)

    def after(self, play: Play, spared: int = 0) -> Position:
        """The board after a play; enemies on the squares of `spared` are left standing."""
        pieces = [*self.position]
        landings = 0
        for move in play:
            four = [*pieces[move.seat]]
            four[four.index(move.start)] = move.end
            four.sort()
            pieces[move.seat] = tuple(four)
            landings |= move.landings
        sent = landings & self.field.enemies & ~spared
        if sent:
            for seat in self.setting.captured[play[0].seat]:
                bits = self.ways.bit[seat]
                pieces[seat] = tuple(sorted(BASE if bits[s] & sent else s for s in pieces[seat]))
        return tuple(pieces)

    def _has_lone_piece(self) -> bool:
        """Whether just one of the pieces to be moved is between base and home (BR r5b; ruling A19)."""
        ways = (self._on_way(steps) for seat in self.situation.movers for steps in self.position[seat])
        return sum(ways) == 1

    def _moves_not_held_back(self) -> list[Moves]:
        """The moves of those pieces that could move if they were free to."""
        return [
            self.ways.moves[seat][steps]
            for seat in self.situation.movers
            for steps in set(self.position[seat])
            if not self.is_held_back(seat, steps)
        ]

    def is_held_back(self, seat: int, steps: int) -> bool:
        """Whether a piece that could otherwise move may not."""
        rules = self.rules
        if steps == BASE:
            return rules.single_piece_total_blocks_exit and self._has_lone_piece()
        if (
            rules.superblob_mobility == "frozen"
            and self._on_way(steps)
            and self.position[seat].count(steps) > 2
        ):
            return True
        if self.stacks and seat != self.stacks.get(self.ways.bit[seat][steps], (seat,))[-1]:
            return True
        if not rules.partner_tube_frozen or steps not in self.setting.board.chute or self.licence.partners:
            return False
        return seat not in self.setting.owned[self.situation.side]

    def _on_way(self, steps: int) -> bool:
        """Whether a piece is neither in base nor home."""
        return steps not in (BASE, self.setting.board.home)

    def _is_open(self, move: DieMove) -> bool:
        """Whether no barrier stands in the way."""
        barriers = self.field.barriers
        return not (
            (move.passed & barriers and not self.licence.pass_barriers)
            or (move.landings & barriers and not self.licence.land_on_barriers)
        )

    def _turned_back(self, moves: list[DieMove], squares: int) -> list[DieMove]:
        """The moves with those pieces going backwards that have bounced off home in this turn (VAR D)."""
        backing = self.situation.backing
        kept = [
            move
            for move in moves
            if self.position[move.seat].count(move.start) > backing.count((move.seat, move.start))
        ]
        return kept + [
            walk(self.setting.board, *piece, squares, backwards=True) for piece in dict.fromkeys(backing)
        ]

    def _pairs(self, firsts: Sequence[DieMove], seconds: Sequence[DieMove]) -> list[Play]:
        """One die on one piece, the other on another; of a double either order is the same play.

        Where one piece stops on the square that another leaves, the board is that of one piece's total,
        and is listed as such.
        """
        double = firsts is seconds
        exit_binds = self.rules.exit_other_die == "same_piece"
        relays_are_totals = self.rules.superblob_allowed and self.rules.home_exact != "bounce"
        plays: list[Play] = []
        for index, first in enumerate(firsts):
            for second in seconds[index:] if double else seconds:
                if first.seat == second.seat:
                    if first.start == second.start:
                        if self._are_two(first, second):
                            plays.append((first, second))
                        continue
                    if relays_are_totals and self._is_relay(first, second):
                        continue
                if exit_binds and (first.start == BASE) != (second.start == BASE):
                    continue
                plays.append((first, second))
        return plays

    def _is_relay(self, first: DieMove, second: DieMove) -> bool:
        """Whether one piece stops where the other stood, with nobody there whom a wrong board left."""
        enemies = self.field.enemies
        return (first.end == second.start and not first.landings & enemies) or (
            second.end == first.start and not second.landings & enemies
        )

    def _are_two(self, first: DieMove, second: DieMove) -> bool:
        """Whether two pieces of a colour may leave a square so with one throw, going each its own way."""
        seat, start = first.seat, first.start
        bounced, back = self.situation.backing.count((seat, start)), first.was_backing + second.was_backing
        if back > bounced or 2 - back > self.position[seat].count(start) - bounced:
            return False
        stack = self.stacks.get(self.ways.bit[seat][start])
        return stack is None or stack[-2] == seat

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
                for first in self._moves_from(top, square, first_die):
                    for second in self._moves_from(under, square, second_die):
                        yield first, second

    def _moves_from(self, seat: int, square: int, die: int) -> list[DieMove]:
        """A seat's piece on the square of a bit going on, if it may."""
        steps = self.setting.board.steps_on(seat, square.bit_length() - 1)
        move = self.ways.moves[seat][steps][die]
        return [move] if move and self._is_open(move) else []

    def _one_piece_plays(self, totals: Sequence[DieMove], halves: Sequence[DieMove]) -> Iterator[Play]:
        """One piece going the total, where rules ask what it does half-way."""
        yield from ((move,) for move in totals if self.licence.unheld or not self.is_stopped(move))
        if self.licence.splits or not self.rules.capturing_piece_stops:
            yield from self._touching_down(totals, halves)

    def is_stopped(self, move: DieMove) -> bool:
        """Whether a piece goes on from where it comes out, and must not: it knocks somebody off there."""
        if not self.rules.capturing_piece_stops or move.start != BASE or move.end == self.ways.out:
            return False
        return bool(move.landings & self.ways.bit[move.seat][self.ways.out] & self.field.enemies)

    def _touching_down(self, totals: Sequence[DieMove], halves: Sequence[DieMove]) -> Iterator[Play]:
        """One piece going die by die, capturing where it touches down half-way (VAR A; ruling A21)."""
        for whole in totals:
            for half in halves:
                is_same_piece = half.seat == whole.seat and half.start == whole.start != BASE
                if is_same_piece and half.landings & self.field.enemies:
                    yield (whole._replace(landings=whole.landings | half.landings),)

    def _joint_moves(self, die: int) -> Iterator[Play]:
        """On a double, two pieces of an unmixed blob going together (RULES 2.3, 2.2.7)."""
        rules = self.rules
        jumps = rules.blob_takes_blob or rules.blob_jump != "off"
        if not (jumps or rules.blob_backward_on_double):
            return
        for seat, start in self._blobs():
            forward = self.ways.moves[seat][start][die] if jumps else None
            if forward and self._jointly(forward):
                yield forward, forward
            if rules.blob_backward_on_double:
                back = walk_back(self.setting.board, seat, start, die)
                if self._is_open(back) and self._may_come_back_to(back):
                    yield back, back

    def _may_come_back_to(self, back: DieMove) -> bool:
        """Whether a blob that goes back past its doorstep may end so far behind it (ruling A54)."""
        if self.rules.blob_backward_entry == "at_or_behind_mouth":
            return True
        return not back.start < back.end < self.setting.board.mouth

    def _blobs(self) -> list[Piece]:
        """The blobs of the pieces to be moved, save those held back."""
        return [
            (seat, steps)
            for seat in self.situation.movers
            for steps in sorted(set(self.position[seat]))
            if self._is_blob(seat, steps) and not (self.holds_back and self.is_held_back(seat, steps))
        ]

    def _is_blob(self, seat: int, steps: int) -> bool:
        """Whether two or more of a colour stand alone on a track square."""
        square = self.ways.bit[seat][steps]
        if not square or self.position[seat].count(steps) < 2:
            return False
        return all(
            bits[s] != square
            for other, (bits, pieces) in enumerate(zip(self.ways.bit, self.position, strict=True))
            if other != seat
            for s in pieces
        )

    def _jointly(self, forward: DieMove) -> bool:
        """Whether a blob may go where its pieces singly may not: by taking a blob, or by jumping one."""
        rules, barriers = self.rules, self.field.barriers
        between = forward.passed & barriers
        if between and rules.blob_jump != "any":
            # Only the one on the very next square may be jumped, and by a rule set that says so.
            ahead = self.ways.moves[forward.seat][forward.start][1]
            adjacent = rules.blob_jump == "adjacent" and ahead is not None and between == ahead.landings
            if not adjacent or forward.landings & barriers:
                return False
        return self._may_take(forward) if forward.landings & barriers else bool(between)

    def _may_take(self, forward: DieMove) -> bool:
        """Whether a blob may take the one it would land on (ruling A35)."""
        rules = self.rules
        if not rules.blob_takes_blob or not forward.landings & self.field.enemies:
            return False
        if rules.btb_distance == "adjacent" and forward.passed:
            return False
        return rules.btb_size == "any" or self._pair_meets_pair(forward)

    def _pair_meets_pair(self, forward: DieMove) -> bool:
        """Whether exactly two attack exactly two (SUB b1; ruling A35)."""
        target = sum(
            self.ways.bit[enemy][steps] == forward.landings
            for enemy in self.setting.captured[forward.seat]
            for steps in self.position[enemy]
        )
        return self.position[forward.seat].count(forward.start) == 2 and target == 2

    def _pair_plays(self, die: int) -> list[Play]:
        """Two tokens of one square going half an even throw each, barred by nothing (WL p11-p13)."""
        if not self.rules.pair_move or die % 2:
            return []
        squares = die // 2 if self.rules.pair_distance == "half" else die
        return [
            (move, move)
            for seat in self.situation.movers
            for start in set(self.position[seat]) - {BASE}
            if self.position[seat].count(start) > 1
            if (move := self.ways.moves[seat][start][squares])
        ]

    def _spared_dice(self, dice: Sequence[int], two: Sequence[Play]) -> list[Play]:
        """Plays of one die that are allowed though both could be used."""
        spared = self._spared_by_choice(dice, two)
        if not self.rules.exit_other_die_forced:
            spared += [play for play in self._exits_alone(dice) if play not in spared]
        return spared

    def _spared_by_choice(self, dice: Sequence[int], two: Sequence[Play]) -> list[Play]:
        """The same, save for what an exit leaves over."""
        if not self.rules.both_dice_forced:
            return self.one_die_plays(max(dice))
        if not self.rules.break_barrier_forced and all(map(self._breaks_blob, two)):
            for die in (max(dice), min(dice)):
                spared = [play for play in self.one_die_plays(die) if not self._breaks_blob(play)]
                if spared:
                    return spared
        return self._home_on_one_die(dice)

    def _home_on_one_die(self, dice: Sequence[int]) -> list[Play]:
        """The last piece going home on exactly one die, where it need not bounce (VAR D)."""
        if self.rules.home_exact != "bounce" or not self.rules.last_piece_one_die:
            return []
        return [p for die in set(dice) for p in self.one_die_plays(die) if self._brings_last_home(p[0])]

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
        """Whether a move brings the last piece home: the colour's, or the team's (BR r10b)."""
        home = self.setting.board.home
        seats = self.setting.teams[move.seat] if self.rules.last_piece_meaning == "team" else (move.seat,)
        return move.end == home and sum(s != home for seat in seats for s in self.position[seat]) == 1

    def _with_room(self, plays: list[Play]) -> list[Play]:
        """Those plays that put no third piece of a colour on a square where that is forbidden."""
        return plays if self.rules.superblob_allowed else [play for play in plays if self.has_room(play)]

    def has_room(self, play: Play) -> bool:
        """Whether no third piece of a colour comes to a square where that is forbidden."""
        if self.rules.superblob_allowed:
            return True
        after = self.after(play)
        if any(self._on_way(move.end) and after[move.seat].count(move.end) > 2 for move in play):
            return False
        # A piece that is brought out and walks on has come to the doorstep first.
        (seat, start, end, *_) = play[0]
        goes_on = len(play) == 1 and start == BASE and end != self.ways.out
        return not goes_on or self.position[seat].count(self.ways.out) < 2


@dataclass
class Offer:
    """What a throw allows in one situation: plays, the boards that they lead to, challenges."""

    lister: Lister = field(repr=False, compare=False)
    plays: tuple[Play, ...]
    challengers: tuple[Piece, ...] = ()
    """The pieces that may challenge instead of being moved."""
    must_challenge: bool = False
    """Nothing may be played because the rule set forces the challenge."""

    @cached_property
    def boards(self) -> dict[Position, Play]:
        """Every board that may follow, each with the play that leads to it."""
        return {self.lister.after(play): play for play in self.plays}


def _ways_with(licence: Licence, situation: Situation) -> Ways:
    """The board's tables with what the licence lets pass."""
    setting = situation.setting
    rules = setting.rules
    return ways_of(
        setting.board,
        ANY_DIE if licence.any_die_exits else EXIT_DICE[rules.exit_throw],
        rules.exit_square,
        rules.exit_captures,
        "excess_allowed" if licence.past_home else rules.home_exact,
    )
