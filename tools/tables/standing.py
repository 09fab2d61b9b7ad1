"""Where pieces stand: positions that a game might come to, set down as people set pieces down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, dist, pi, sin

from tools.tables.places import Places
from tools.tables.setting import Piece, Point
from uckers_table.game.board import PIECES, Cell, Plan
from uckers_table.simulator.outlines import base_spots

SINGLE_A_FRAME = 5
"""Full of stacks: at most so many pieces stand alone."""
TOWER_PIECES, TOWERS, SIDE_BY_SIDE = 15, (1, 1, 2, 2, 3, 3, 4), 0.15
"""Full of towers: the pieces of each colour, how many share a square, how often they stand side by side."""
ON_OWN_SQUARE, ELSEWHERE = (0, 0, 1, 1, 1, 1, 2, 2), 4
"""Full of pieces on their own paint: how many stand on each square of it, and how many of each colour at most
stand elsewhere on the track.
"""
CHUTE_TOWERS, PARTNERS, TOGETHER = (0, 1, 1, 2, 2, 3, 3, 4), 0.3, 0.85
"""Full of towers on their own paint: how many share a square, the share of a doorstep's pieces that are the
partner's, and how often they stand on each other.
"""
AT_HOME, PILED = (0, 1, 2, 2, 3, 3, 4, 4), 0.75
"""Full of pieces that are home: how many of a colour, and how often one is set on those that stand there."""
_RING = {2: 0.53, 3: 0.62, 4: 0.74}
"""How far pieces side by side stand from the middle of their square, in diameters, by how many there are."""


@dataclass
class Standing:
    """Sets the pieces of one frame down, into `pieces`."""

    plan: Plan
    spots_mm: float
    """From a base's middle to its spots."""
    diameter: float
    places: Places
    pieces: list[Piece] = field(default_factory=list)
    _waiting: list[int] = field(default_factory=list)
    """The seats of pieces that have no place yet."""
    _groups: dict[Cell, list[int]] = field(default_factory=dict)
    """The seats of the pieces on each square."""
    _stacked: set[Cell] = field(default_factory=set)
    """The squares where they stand on each other."""

    def start(self) -> None:
        """All pieces in their bases."""
        for seat in range(4):
            for spot in base_spots(self.plan, seat, self.spots_mm):
                self.pieces.append(Piece(seat, "base", None, self.places.near(spot, 3.0)))

    def position(self, wanted: frozenset[str], full_of: str = "") -> None:
        """Four pieces of each colour, or TOWER_PIECES: in base, on the track, in the chute or at home.
        Enemies never share a square.
        """
        each = TOWER_PIECES if full_of == "towers" else PIECES
        self._waiting = [seat for seat in range(4) for _ in range(each)]
        self.places.rng.shuffle(self._waiting)
        if "floor" in wanted:
            at = self.places.beside_board()
            self.pieces.append(Piece(self._waiting.pop(), "floor", None, at))
        for want in sorted(wanted & {"stack", "mixi", "crowd"}):
            self._group(want)
        if full_of == "stacks":
            self._stacks()
        if full_of == "towers":
            self._towers()
        if full_of == "homes":
            self._homes()
        self._singles("own_paint" in wanted)
        for cell, members in self._groups.items():
            self._put(cell, members, cell in self._stacked)

    def on_own_paint(self, on_square: Sequence[int], partners: float, stacked: float) -> None:
        """Many pieces of each colour in its base, at home, on its doorstep and in its chute, and some
        elsewhere on the track.

        `on_square` has how many may share a square of their own paint. `partners` is the share of a
        doorstep's pieces that are the partner's, `stacked` the share of groups that stand on each other.
        """
        rng, plan, groups = self.places.rng, self.plan, self._groups
        for seat in range(4):
            spots = base_spots(plan, seat, self.spots_mm)
            for spot in rng.sample(spots, rng.randrange(len(spots))):
                self.pieces.append(Piece(seat, "base", None, self.places.near(spot, 4.0)))
            for _ in range(rng.randrange(PIECES)):
                self.pieces.append(Piece(seat, "home", None, self._at_home(seat)))
            doorstep = self._doorstep(seat)
            for cell in (doorstep, *self._chute(seat)):
                groups[cell] = [seat] * rng.choice(on_square)
            if partners:
                ours = seat, plan.board.partner(seat)
                groups[doorstep] = [ours[rng.random() < partners] for _ in groups[doorstep]]
        for seat in range(4):
            for _ in range(rng.randrange(ELSEWHERE + 1)):
                groups.setdefault(self._free_cell(seat, "track"), []).append(seat)
        for cell, members in groups.items():
            if members:
                self._put(cell, members, rng.random() < stacked)

    def _group(self, want: str) -> None:
        """Two "stack"s, or one "mixi" or "crowd": pieces of one side on one square."""
        rng = self.places.rng
        # All are drawn, whichever is wanted: the same name gives the same frames for ever.
        count = {"stack": rng.choice((2, 2, 3, 3)), "mixi": rng.choice((2, 3)), "crowd": 4}[want]
        for _ in range(2 if want == "stack" else 1):
            side = rng.randrange(2)
            team = [seat for seat in self._waiting if seat % 2 == side]
            if want == "stack" and rng.random() < 0.7:
                team = [seat for seat in team if seat == team[0]]
            cell = self._together(rng.sample(team, min(count, len(team))))
            if want == "stack" or (want == "mixi" and rng.random() < 0.5):
                self._stacked.add(cell)

    def _stacks(self) -> None:
        """Stacks of all pieces that wait, but for SINGLE_A_FRAME."""
        rng = self.places.rng
        while len(self._waiting) > SINGLE_A_FRAME:
            side = rng.randrange(2)
            team = [seat for seat in self._waiting if seat % 2 == side] or self._waiting
            own = [seat for seat in team if seat == team[0]] if rng.random() < 0.75 else team
            members = rng.sample(own, min(rng.choice((2, 2, 3)), len(own)))
            self._stacked.add(self._together(members))

    def _towers(self) -> None:
        """Groups of all pieces that wait, but for four, most of them on each other."""
        rng, waiting = self.places.rng, self._waiting
        while len(waiting) > PIECES:
            team = [seat for seat in waiting if seat % 2 == waiting[0] % 2]
            own = [seat for seat in team if seat == team[0]] if rng.random() < 0.6 else team
            cell = self._together(rng.sample(own, min(rng.choice(TOWERS), len(own))))
            if rng.random() > SIDE_BY_SIDE:
                self._stacked.add(cell)

    def _homes(self) -> None:
        """Pieces that are home: each on the one before, or beside it while there is room."""
        rng = self.places.rng
        for seat in range(4):
            foot, level = self._at_home(seat), 0
            for _ in range(rng.choice(AT_HOME)):
                self._waiting.remove(seat)
                at = self.places.near(foot, 2.2, 0.6) if level else foot
                self.pieces.append(Piece(seat, "home", None, at, level))
                beside = None if rng.random() < PILED else self._room_at_home(seat)
                foot, level = (beside, 0) if beside else (foot, level + 1)

    def _singles(self, on_own_paint: bool) -> None:
        """The pieces that still wait, each on its own."""
        rng = self.places.rng
        homes: dict[int, int] = {}
        bases = {seat: list(base_spots(self.plan, seat, self.spots_mm)) for seat in range(4)}
        for spots in bases.values():
            rng.shuffle(spots)
        for seat in self._waiting:
            place = rng.choices(("base", "track", "chute", "home"), (0.3, 0.42, 0.16, 0.12))[0]
            if on_own_paint and rng.random() < 0.4:
                place = rng.choice(("doorstep", "chute", "home"))
            if place == "base":
                at = self.places.near(bases[seat].pop(), 4.0)
                self.pieces.append(Piece(seat, "base", None, at))
            elif place == "home" and homes.get(seat, 0) < 3:
                homes[seat] = homes.get(seat, 0) + 1
                self.pieces.append(Piece(seat, "home", None, self._at_home(seat)))
            else:
                self._groups.setdefault(self._free_cell(seat, place), []).append(seat)

    def _together(self, members: list[int]) -> Cell:
        """Gives pieces a free square on which all of them may stand."""
        own = [set(self.plan.steps_by_cell[member]) for member in members]
        shared = set.intersection(*own) & set(self.plan.track_cells) if len(set(members)) > 1 else own[0]
        cell = self.places.rng.choice(sorted(shared - set(self._groups)))
        for member in members:
            self._waiting.remove(member)
        self._groups[cell] = members
        return cell

    def _free_cell(self, seat: int, place: str) -> Cell:
        """A square on the "track", in the "chute" or on the "doorstep" that has room for one piece more."""
        groups, chute, doorstep = self._groups, self._chute(seat), self._doorstep(seat)
        if place == "doorstep" and (doorstep not in groups or set(groups[doorstep]) == {seat}):
            return doorstep
        cells = (
            chute
            if place in ("chute", "doorstep")
            else [c for c in self.plan.steps_by_cell[seat] if c not in chute]
        )
        good = [
            c
            for c in cells
            if all(s % 2 == seat % 2 for s in groups.get(c, ())) and len(groups.get(c, ())) < 2
        ]
        if place == "track" and self.places.rng.random() < 0.85:
            good = [c for c in good if c not in groups] or good
        return self.places.rng.choice(good)

    def _doorstep(self, seat: int) -> Cell:
        cell = self.plan.cell(seat, 1)
        assert cell is not None
        return cell

    def _chute(self, seat: int) -> list[Cell]:
        return [self.plan.chute_cell(seat, steps) for steps in self.plan.board.chute]

    def _put(self, cell: Cell, members: list[int], is_stacked: bool) -> None:
        """The pieces of one square: on each other, or side by side."""
        x, y = self.plan.centre_mm(cell)
        near = self.places.near
        kind = "track" if cell in self.plan.track_cells else "chute"
        if is_stacked or len(members) == 1:
            spread = 3.3 if len(members) == 1 else 2.5
            foot = near((x, y), 7.5, spread)
            for level, seat in enumerate(members):
                at = foot if level == 0 else near(foot, 2.2, 0.6)
                self.pieces.append(Piece(seat, kind, cell, at, level))
            return
        turn = self.places.rng.uniform(0.0, 2 * pi)
        radius = _RING[len(members)] * self.diameter
        if len(members) > 2:
            turn = pi / 4
        for k, seat in enumerate(members):
            angle = turn + 2 * pi * k / len(members)
            at = x + radius * cos(angle), y + radius * sin(angle)
            self.pieces.append(Piece(seat, kind, cell, near(at, 0.25)))

    def _at_home(self, seat: int) -> Point:
        if (at := self._room_at_home(seat)) is None:
            raise RuntimeError("no room at home")
        return at

    def _room_at_home(self, seat: int) -> Point | None:
        """A place at home that is free; None where none was found."""
        rng = self.places.rng
        out_x, out_y = ((-1, 0), (0, -1), (1, 0), (0, 1))[seat]
        for _ in range(400):
            out = rng.uniform(24.0, 50.0)
            aside = rng.uniform(-1.0, 1.0) * (out - 13.0)
            at = 305 + out_x * out - out_y * aside, 305 + out_y * out + out_x * aside
            if all(dist(at, p.at) > self.diameter + 0.4 for p in self.pieces if p.level == 0):
                return at
        return None
