"""A scene's pieces by place, and sightings out of places: what all simulated readers share."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from math import cos, dist, radians, sin

from uckers_table.game.board import BASE, Plan
from uckers_table.sighting import ASTRAY, LEAST_COST, Alternative, Sighting, Stray
from uckers_table.simulator.scene import Hand, Scene, WoodenPiece
from uckers_table.vision.pieces.across import across_a_line

FLOWN = 0.3
"""Of pieces knocked off or come home: the piece is not put where it belongs for a while …"""
FLOWN_S = 5.0, 90.0
"""… for this long."""
ARM_MM = 45.0
"""An arm, or its hand, hides pieces as near as this."""
REACH_MM = 900.0
STACK_MM = 5.0
"""Pieces of one stack stand as near as this, seen from above."""

PieceCount = Counter[int]
"""How many pieces of each seat stand on a place."""
CellOrPen = tuple[int, int] | str
"""A cell of the plan, or a colour's base or home."""


class PlacesOfPlan:
    """The places of a board, and what sightings say of them."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.board = plan, plan.board
        self._near_lines: dict[tuple[int, float, float], list[tuple[float, float, float]]] = {}

    def laid_out(self, pieces: list[WoodenPiece]) -> tuple[dict[CellOrPen, PieceCount], set[CellOrPen]]:
        """The pieces on each place, and the places with stacks."""
        held: dict[CellOrPen, PieceCount] = {}
        stacked = set()
        for piece in pieces:
            place = self.place(piece)
            held.setdefault(place, Counter())[piece.seat] += 1
            if piece.level:
                stacked.add(place)
        return held, stacked

    def place(self, piece: WoodenPiece) -> CellOrPen:
        """Where a piece stands. One in another's base stands on a cell that is on no way of its own."""
        cell = self.plan.cell_at(piece.x_mm, piece.y_mm)
        if piece.steps == BASE and cell is not None and self.plan.base_of(cell) not in (None, piece.seat):
            return cell
        if piece.steps in (BASE, self.board.home):
            return f"{self.board.seats[piece.seat]} {piece.steps}"
        return cell if cell is not None else self.cell(piece.seat, piece.steps)

    def cell(self, seat: int, steps: int) -> tuple[int, int]:
        """The cell of a seat's square."""
        cell = self.plan.cell(seat, steps)
        assert cell is not None
        return cell

    def steps_at(self, place: CellOrPen, seat: int) -> int | None:
        """A seat's steps there; None where it never stands."""
        if isinstance(place, str):
            return int(place.rpartition(" ")[2])
        return self.plan.steps_by_cell[seat].get(place)

    def name(self, place: CellOrPen, contents: PieceCount) -> str | None:
        """A place as alternatives name it."""
        if isinstance(place, str):
            return place
        for seat in contents:
            steps = self.steps_at(place, seat)
            if steps is not None:
                return self.board.place(seat, steps)
        return None

    def may_stand(self, place: CellOrPen, seat: int) -> bool:
        """Whether a place is on a seat's way."""
        return not isinstance(place, str) and place in self.plan.steps_by_cell[seat]

    def most_of_side(self, held: Mapping[CellOrPen, PieceCount], seat: int) -> CellOrPen | None:
        """The place with most pieces of a seat's side: one of them may hide another. None without one."""
        side = {seat, self.board.partner(seat)}
        numbers = {
            place: number
            for place, contents in held.items()
            if self.may_stand(place, seat) and (number := sum(contents[each] for each in side))
        }
        return max(numbers, key=numbers.__getitem__, default=None)

    def sighting(
        self,
        read: dict[CellOrPen, PieceCount],
        alternatives: list[tuple[CellOrPen, PieceCount, float]],
        confidence: float,
    ) -> Sighting:
        """What is read on each place, and what else some may hold, as a sighting without dice."""
        seats = self.board.seats
        pieces: dict[str, list[int]] = {colour: [] for colour in seats}
        strays = []
        for place, contents in read.items():
            for seat in (+contents).elements():
                steps = self.steps_at(place, seat)
                if steps is None:
                    strays.append(Stray(seats[seat], None if isinstance(place, str) else place))
                else:
                    pieces[seats[seat]].append(steps)
        told = [self._told(place, contents, cost, read) for place, contents, cost in alternatives]
        return Sighting(
            {colour: tuple(sorted(steps)) for colour, steps in pieces.items()},
            tuple(strays),
            (),
            False,
            (),
            confidence,
            tuple(each for each in told if each is not None),
        )

    def _told(
        self,
        place: CellOrPen,
        contents: PieceCount,
        cost: float,
        read: dict[CellOrPen, PieceCount],
        across: str = "",
    ) -> Alternative | None:
        """An alternative; None for a place on no way of these pieces."""
        name = self.name(place, contents + read.get(place, Counter()))
        held = {self.board.seats[s]: n for s, n in sorted((+contents).items())}
        return Alternative(name, held, max(LEAST_COST, cost), across) if name is not None else None

    def across(self, pieces: list[WoodenPiece], read: dict[CellOrPen, PieceCount]) -> list[Alternative]:
        """The alternatives of pieces that stand near a line."""
        told = []
        for foot in (piece for piece in pieces if piece.level == 0):
            beyond = self.beyond(foot)
            here, one = self.place(foot), Counter([foot.seat])
            if not beyond or isinstance(here, str):
                continue
            here_too = Counter(p.seat for p in pieces if (p.x_mm, p.y_mm) == (foot.x_mm, foot.y_mm))
            if not here_too <= read[here]:
                continue
            for x, y, cost in beyond:
                there = self.plan.cell_at(x, y)
                assert there is not None
                more = read.get(there, Counter()) + here_too
                told += [
                    self._told(here, read[here] - here_too, cost, read, self.name(there, one) or ""),
                    self._told(there, more, cost, read, self.name(here, one) or ASTRAY),
                ]
        return [each for each in told if each is not None]

    def beyond(self, foot: WoodenPiece) -> list[tuple[float, float, float]]:
        """The places across the lines near a piece (x, y, cost). They stay the same while it stands there."""
        stands = foot.seat, foot.x_mm, foot.y_mm
        if stands not in self._near_lines:
            self._near_lines[stands] = [*across_a_line(self.plan, *stands)]
        return self._near_lines[stands]


class OffBoard:
    """Pieces that people have not put where they belong yet: some of those knocked off or come home.

    `looked_for` has the seats, by grain, of those that a reader counts among others of their side meanwhile.
    """

    def __init__(self, home: int, rng: random.Random) -> None:
        self._out_of_play, self._rng = (BASE, home), rng
        self._until: dict[int, float] = {}
        self._before: Mapping[int, int] = {}
        self.looked_for: dict[int, int] = {}

    def present(self, scene: Scene, t: float, chance: float) -> list[WoodenPiece]:
        """The pieces on the board at a time (seconds). `chance`: that a piece that goes is looked for."""
        before, present = self._before, []
        for piece in scene.pieces:
            was = before.get(piece.grain)
            if piece.steps not in self._out_of_play:
                self._until.pop(piece.grain, None)
            elif was is not None and was not in self._out_of_play and self._rng.random() < FLOWN:
                self._until[piece.grain] = t + self._rng.uniform(*FLOWN_S)
                if piece.steps == BASE and self._rng.random() < chance:
                    self.looked_for[piece.grain] = piece.seat
            if t >= self._until.get(piece.grain, 0.0):
                self.looked_for.pop(piece.grain, None)
                present.append(piece)
        self._before = {piece.grain: piece.steps for piece in scene.pieces}
        return present


def plumb(pieces: list[WoodenPiece]) -> list[WoodenPiece]:
    """The pieces, those of a stack moved to where its lowest stands: there a reader sees the stack."""
    if not any(piece.level for piece in pieces):
        return pieces
    feet = [piece for piece in pieces if piece.level == 0]
    out = []
    for piece in pieces:
        under = [f for f in feet if dist((f.x_mm, f.y_mm), (piece.x_mm, piece.y_mm)) < STACK_MM]
        foot = under[0] if piece.level and under else piece
        out.append(piece if foot is piece else replace(piece, x_mm=foot.x_mm, y_mm=foot.y_mm))
    return out


def is_under(piece: WoodenPiece, hand: Hand) -> bool:
    """Whether a hand, or the arm behind it, hides a piece."""
    x, y = piece.x_mm - hand.x_mm, piece.y_mm - hand.y_mm
    away = radians(hand.from_deg)
    along = min(max(x * cos(away) + y * sin(away), 0.0), REACH_MM)
    return dist((x, y), (along * cos(away), along * sin(away))) < ARM_MM
