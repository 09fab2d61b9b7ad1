"""The numbers by which pieces went on, held against the numbers that the dice show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from uckers_table.game.board import BASE, DOORSTEP
from uckers_table.game.moved import numbers_used
from uckers_table.game.options import RuleSet
from uckers_table.game.position import Position
from uckers_table.game.ruling import Move, Slip
from uckers_table.game.ways import EXIT_DICE, SIX


def came_out(before: Position, after: Position, seats: Iterable[int]) -> int:
    """How many pieces of some seats have left base, as far as a board tells.

    A piece in base that stood elsewhere hides one that came out: by the board alone, a piece went back.
    """
    return sum(max(before[seat].count(BASE) - after[seat].count(BASE), 0) for seat in seats)


def exits_of(rules: RuleSet, dice: Sequence[int]) -> list[int]:
    """The dice of a throw that bring a piece out."""
    return [die for die in dice if die in EXIT_DICE[rules.exit_throw]]


@dataclass(frozen=True)
class Count:
    """Moves of one side's pieces, forward and out of base, and a throw.

    `out` are the steps of a piece that has just come out of base.
    """

    rules: RuleSet
    out: int
    moves: Sequence[Move]
    dice: tuple[int, ...]

    @property
    def is_shown(self) -> bool:
        """Whether the dice show the numbers. One die may be left over."""
        return self._is_shown_by(self.dice)

    @property
    def slip(self) -> Slip | None:
        """The slip behind numbers that the dice do not show, where it is plain."""
        brought_out = [move for move in self.moves if move.start == BASE]
        if self.is_shown or not brought_out or SIX not in self.dice:
            return None
        if self._is_shown_by((*self.dice, SIX)):
            return Slip.SIX_TWICE
        if self.out != DOORSTEP or len(brought_out) > 1 or not self._is_shown_from_base():
            return None
        # A die alone brings a piece out and no farther, wherever the count begins.
        return Slip.DOORSTEP_COUNTED if len(self.dice) > 1 else Slip.SIX_TWICE

    def _is_shown_by(self, dice: tuple[int, ...]) -> bool:
        """Whether some dice bring out what came out, and the others show how far pieces went on."""
        walked = Counter(
            squares
            for move in self.moves
            for squares in numbers_used(move.start, move.end, self.out)[move.start == BASE :]
        )
        number_out = sum(move.start == BASE for move in self.moves)
        return any(
            _covers(walked, Counter(dice) - Counter(spent))
            for spent in combinations(exits_of(self.rules, dice), number_out)
        )

    def _is_shown_from_base(self) -> bool:
        """Whether the dice show the numbers if the doorstep is counted as one."""
        return _covers(Counter(move.end - max(move.start, BASE) for move in self.moves), Counter(self.dice))


def _covers(walked: Counter[int], dice: Counter[int]) -> bool:
    """Whether dice show the squares that pieces went on: one each, or all on one piece."""
    return walked <= dice or walked == Counter([sum(dice.elements())])
