"""What is on the table top, and the hands that move it, as parts of a script.

A part of a script yields the seconds that pass between one thing that is done and the next.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import replace
from math import cos, radians, sin

from uckers_table.game.board import BASE
from uckers_table.game.position import Position
from uckers_table.game.ruling import Move, moves_between
from uckers_table.simulator.placing import PlacedPieces, player_deg
from uckers_table.simulator.scene import Die, Hand, Scene, WoodenPiece

SECOND_THOUGHTS = 0.2
"""The chance that the hand leaves between the two dice of a play."""

TIDIED = 0.3
"""The chance, whenever a hand moves pieces, that it first puts a piece into base that lies elsewhere."""

TURNED_MM = 2.0
"""A die that is rolled over comes to lie at most this far (mm) away, along x and along y."""

Wait = Generator[float, None, None]
"""A part of a script. It yields seconds."""


class TableTop:
    """The pieces, the dice and the one hand that moves them. `leaning`: an arm that only lies over them.

    `across`, `across_twice`, `leaves_knocked`, `wrong_base`: the shares of pieces, as `Manners` has them.
    """

    def __init__(
        self,
        placed: PlacedPieces,
        rng: random.Random,
        across: float = 0.0,
        across_twice: float = 0.0,
        leaves_knocked: float = 0.0,
        wrong_base: float = 0.0,
    ) -> None:
        self.placed = placed
        self.dice: tuple[Die, ...] = ()
        self.hand: Hand | None = None
        self.leaning: Hand | None = None
        self.is_dark = False
        self._rng, self._across, self._across_twice = rng, across, across_twice
        self._leaves_knocked, self._wrong_base = leaves_knocked, wrong_base
        self._is_across = self._is_across_next = False

    @property
    def scene(self) -> Scene:
        """All that is on the table top, as a camera sees it."""
        hands = tuple(hand for hand in (self.hand, self.leaning) if hand is not None)
        return Scene(self.placed.pieces, self.dice, hands, self.is_dark)

    def pick_up_dice(self, seat: int) -> Wait:
        """A hand of `seat` takes the dice away."""
        if self.dice:
            yield from self.reach(self.dice[0].x_mm, self.dice[0].y_mm, player_deg(seat))
            self.dice = ()
            yield from self.withdraw()

    def turn_die(self, number: int, value: int, seat: int) -> Wait:
        """A hand of `seat` rolls the die with this index over, so that it shows `value`."""
        die = self.dice[number]
        yield from self.reach(die.x_mm, die.y_mm, player_deg(seat))
        off = [self._rng.uniform(-TURNED_MM, TURNED_MM) for _ in range(2)]
        turned = replace(die, value=value, x_mm=die.x_mm + off[0], y_mm=die.y_mm + off[1])
        self.dice = (*self.dice[:number], turned, *self.dice[number + 1 :])
        yield 0.4
        yield from self.withdraw()

    def put_as(
        self,
        position: Position,
        seat: int,
        may_pause: frozenset[Position] = frozenset(),
        *,
        clearly: bool = False,
    ) -> Wait:
        """A hand of `seat` moves pieces until they stand as in `position`, captured ones last.

        On a board in `may_pause` it may leave for a while before it goes on. If `clearly`, no piece is put on
        a line, where nobody could tell its square.
        """
        moves = sorted(
            moves_between(self.placed.position, position),
            key=lambda move: (move.end == BASE, move.seat != seat, -move.end),
        )
        if not moves:
            return
        from_deg = player_deg(seat) + self._rng.uniform(-18.0, 18.0)
        self._is_across, self._is_across_next = self._is_across_next, False
        yield from self._tidy(from_deg)
        for i, move in enumerate(moves):
            yield from self._move(move, from_deg, may_be_across=not clearly)
            halfway = self.placed.position
            if i + 1 < len(moves) and halfway in may_pause and self._rng.random() < SECOND_THOUGHTS:
                yield from self.withdraw()
                yield self._rng.uniform(1.0, 4.0)
        yield from self.withdraw()

    def _move(self, move: Move, from_deg: float, *, may_be_across: bool) -> Wait:
        piece = self.placed.find(move.seat, move.start)
        yield from self.reach(piece.x_mm, piece.y_mm, from_deg)
        self.placed.take(piece)
        yield 0.3
        yield from self._carry(piece, self._put(piece, move.end, may_be_across), from_deg)

    def _put(self, piece: WoodenPiece, steps: int, may_be_across: bool) -> WoodenPiece:
        """A lifted piece is put down: mostly where it belongs, and clear of the lines."""
        is_across = self._happens(self._across) or self._is_across
        if steps == BASE:
            if self._happens(self._leaves_knocked):
                return self.placed.drop(piece)
            if self._happens(self._wrong_base):
                others = [seat for seat in range(len(self.placed.position)) if seat != piece.seat]
                return self.placed.put(piece, BASE, base=self._rng.choice(others))
        elif may_be_across and self._happens(self._across_twice):
            is_across = self._is_across_next = True
        return self.placed.put(piece, steps, across=is_across and may_be_across)

    def _tidy(self, from_deg: float) -> Wait:
        """The hand may find a piece that lies elsewhere than in its base, and put it there."""
        for piece in self.placed.astray:
            if self._happens(TIDIED):
                yield from self.reach(piece.x_mm, piece.y_mm, from_deg)
                self.placed.take(piece)
                yield 0.3
                yield from self._carry(piece, self.placed.put(piece, BASE), from_deg)

    def _happens(self, chance: float) -> bool:
        return chance > 0.0 and self._rng.random() < chance

    def _carry(self, piece: WoodenPiece, down: WoodenPiece, from_deg: float) -> Wait:
        self.hand = Hand((piece.x_mm + down.x_mm) / 2, (piece.y_mm + down.y_mm) / 2, from_deg)
        yield 0.3
        self.hand = Hand(down.x_mm, down.y_mm, from_deg)
        yield 0.4

    def reach(self, x_mm: float, y_mm: float, from_deg: float) -> Wait:
        """A hand comes in over the edge from an azimuth of the plan, and stops over a point."""
        over = Hand(x_mm, y_mm, from_deg)
        if self.hand is None:
            self.hand = _drawn_back(over, 160.0)
            yield 0.3
        self.hand = over
        yield 0.4

    def withdraw(self) -> Wait:
        if self.hand is not None:
            self.hand = _drawn_back(self.hand, 220.0)
            yield 0.3
            self.hand = None
            yield 0.3


def _drawn_back(hand: Hand, by_mm: float) -> Hand:
    away = radians(hand.from_deg)
    return replace(hand, x_mm=hand.x_mm + by_mm * cos(away), y_mm=hand.y_mm + by_mm * sin(away))
