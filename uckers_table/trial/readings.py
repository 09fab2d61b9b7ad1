"""A simulated reader that errs as the real one does: at each reading, by the law that was measured."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from uckers_table.game.board import BASE, PIECES, Plan
from uckers_table.sighting import SeenDie, Sighting
from uckers_table.simulator.scene import Die, Scene, WoodenPiece
from uckers_table.trial.law import GAINING, LOSING, Law, Way
from uckers_table.trial.places import CellOrPen, OffBoard, PieceCount, PlacesOfPlan, plumb
from uckers_table.vision.again import read_anew

MOST = 0.7
"""The largest share of things that err in one way, whatever the noise."""
_DIE_THINGS = {"flat": "die", "cocked": "cocked", "off_board": "off_board"}
"""What `tools/reader` calls a die in each state."""


@dataclass(frozen=True)
class _Error:
    """How a thing is misread, with what chance at each reading, and what the truth costs there if it is told.

    `seat`: of the piece that is missing, or too many. `there`: where it is read instead.
    """

    way: str
    chance: float
    seat: int = 0
    there: CellOrPen | None = None
    cost: float | None = None


@dataclass
class _Spot:
    """A place while the same pieces stand there. `doubts`: ways told as alternatives, and their costs.

    `more_at`: what a missing piece costs there, if it is told.
    """

    contents: PieceCount
    is_stack: bool
    error: _Error | None = None
    doubts: dict[str, float] = field(default_factory=dict)
    more_at: float | None = None


class MeasuredEyes:
    """Reads one scene after the other. A reading lasts until something changes, or a hand has gone.

    `times` multiplies how much errs. The same chance gives the same errors.
    """

    def __init__(self, plan: Plan, law: Law, rng: random.Random, times: float = 1.0) -> None:
        self._plan, self._board, self._law, self._rng = plan, plan.board, law, rng
        self._places, self._off_board = PlacesOfPlan(plan), OffBoard(plan.board.home, rng)
        tables, numbers = zip(*law.tables, strict=True)
        self._times, self._much = times, times * float(rng.choices(tables, numbers)[0])
        self._dice_law = _on_one_table(law, rng.random())
        pens = [f"{colour} {steps}" for colour in self._board.seats for steps in (BASE, self._board.home)]
        cells = sorted({cell for steps_by_cell in plan.steps_by_cell for cell in steps_by_cell})
        places: list[CellOrPen] = [*cells, *pens]
        self._spots = {place: _Spot(Counter(), False) for place in places}
        self._dice: dict[int, tuple[Die, _Error | None]] = {}
        self._shows: tuple[list[WoodenPiece], tuple[Die, ...]] = [], ()
        self._read: Sighting | None = None
        self._readings, self._t, self._is_stale = 0, 0.0, False
        self._wanted = set[str]()

    def see(self, scene: Scene, t: float) -> Sighting:
        """The scene at a time (seconds), as it is read."""
        passed_s, self._t = t - self._t, t
        shows = (
            plumb(self._off_board.present(scene, t, _share(self._law.lifted_elsewhere, self._much))),
            scene.dice,
        )
        if scene.hands or scene.is_dark:
            self._is_stale = True
            trouble = ("too_dark",) if scene.is_dark else ()
            nothing: dict[str, tuple[int, ...]] = dict.fromkeys(self._board.seats, ())
            return Sighting(
                nothing, hand=not trouble, trouble=trouble, confidence=0.0, reading=self._readings
            )
        is_due = self._rng.random() < self._law.readings_a_minute * passed_s / 60
        if self._read is None or self._is_stale or shows != self._shows or is_due:
            self._read = self._reading(*shows)
        elif self._wanted:
            self._read = read_anew(self._read, self._reading(*shows), self._wanted, self._plan)
        else:
            return self._read
        self._shows, self._is_stale, self._wanted = shows, False, set()
        return self._read

    def read_again(self, places: Iterable[str]) -> None:
        """Have places read again; only the thread that sees may ask."""
        self._wanted |= set(places)

    def _reading(self, pieces: list[WoodenPiece], dice: Sequence[Die]) -> Sighting:
        """Everything read anew."""
        held, stacked = self._places.laid_out(pieces)
        # As the real reader: a colour of which nothing is seen is not in the game.
        found = Counter(piece.seat for piece in pieces)
        missing = Counter({seat: PIECES - number for seat, number in found.items()})
        feet = {self._places.place(piece): piece for piece in pieces if piece.level == 0}
        for place, spot in self._spots.items():
            contents, is_stack = held.get(place, Counter()), place in stacked
            if (spot.contents, spot.is_stack) != (contents, is_stack):
                self._spots[place] = self._drawn(place, contents, is_stack, held, feet.get(place))
        read = {place: Counter(contents) for place, contents in held.items()}
        self._look_for(read, missing)
        self._misread(read, missing)
        wrong = {place for place, spot in self._spots.items() if read.get(place, Counter()) != spot.contents}
        told = [each for place in self._spots for each in self._told(place, place in wrong, missing)]
        self._readings += 1
        seen = self._places.sighting(read, told, self._sure(bool(wrong)))
        across = self._places.across(pieces, read)
        return replace(
            seen,
            dice=tuple(self._dice_read(dice)),
            alternatives=(*seen.alternatives, *across),
            reading=self._readings,
        )

    # ------------------------------------------------------------------ what a place draws when it changes

    def _thing(self, place: CellOrPen, contents: PieceCount, is_stack: bool) -> str:
        """What `tools/reader` calls what stands there."""
        if isinstance(place, str):
            return "base" if place.endswith(f" {BASE}") else "home_stack" if is_stack else "home"
        if not contents:
            return "empty"
        if is_stack:
            return "stack"
        return "single" if contents.total() == 1 else "group"

    def _drawn(
        self,
        place: CellOrPen,
        contents: PieceCount,
        is_stack: bool,
        held: dict[CellOrPen, PieceCount],
        foot: WoodenPiece | None,
    ) -> _Spot:
        """A place with new contents: whether it will err, and how; what it will be doubted to be."""
        rng, ways = self._rng, self._law.ways.get(self._thing(place, contents, is_stack), {})
        spot = _Spot(Counter(contents), is_stack)
        named = self._one_of(ways, self._much)
        if named is not None:
            spot.error = self._error(place, contents, named, ways[named], held, foot)
        for name, way in ways.items():
            if rng.random() < way.offered:
                spot.doubts[name] = rng.choice(way.offered_at)
        if self._law.more_offered_at and rng.random() < self._law.more_offered:
            spot.more_at = rng.choice(self._law.more_offered_at)
        return spot

    def _one_of(self, ways: Mapping[str, Way], times: float) -> str | None:
        """The way in which a thing has a chance to be misread; None for most. `times`: of what is usual."""
        at = self._rng.random()
        for name, way in ways.items():
            at -= _share(way.ever, times)
            if at < 0:
                return name
        return None

    def _error(
        self,
        place: CellOrPen,
        contents: PieceCount,
        name: str,
        way: Way,
        held: dict[CellOrPen, PieceCount],
        foot: WoodenPiece | None,
    ) -> _Error | None:
        """One way to misread a place; None where there is nothing to misread so."""
        rng, there = self._rng, None
        seats = sorted(contents) or [*range(self._board.arms)]
        seat = rng.choice(seats)
        if name in LOSING and not contents:
            return None
        if name in LOSING and rng.random() < self._law.elsewhere:
            there = self._among_its_side(place, seat, held)
        elif name == "beyond_a_line":
            beyond = self._places.beyond(foot) if foot is not None and not isinstance(place, str) else []
            if not beyond:
                return None
            x, y, _ = rng.choice(beyond)
            there = self._plan.cell_at(x, y)
        elif name == "colour":
            seat = rng.choice([other for other in range(self._board.arms) if other not in contents] or seats)
        cost = rng.choice(way.costs) if way.costs and rng.random() < way.told else None
        return _Error(name, self._chance(), seat, there, cost)

    def _chance(self) -> float:
        """At how many readings of 1 a place that errs is misread."""
        chances, numbers = zip(*self._law.chances, strict=True)
        return float(self._rng.choices(chances, numbers)[0])

    def _among_its_side(
        self, place: CellOrPen, seat: int, held: dict[CellOrPen, PieceCount]
    ) -> CellOrPen | None:
        """A square where a seat's side stands; None where there is no other."""
        side = {seat, self._board.partner(seat)}
        others = [
            other
            for other, contents in held.items()
            if other != place and side & contents.keys() and self._places.may_stand(other, seat)
        ]
        return self._rng.choice(others or [None])

    # ------------------------------------------------------------------ what is read of it

    def _look_for(self, read: dict[CellOrPen, PieceCount], missing: PieceCount) -> None:
        """Pieces off the board that are read among others of their side."""
        for seat in self._off_board.looked_for.values():
            among = self._places.most_of_side(read, seat)
            if missing[seat] > 0 and among is not None:
                read[among][seat] += 1
                missing[seat] -= 1

    def _misread(self, read: dict[CellOrPen, PieceCount], missing: PieceCount) -> None:
        """Errors of this reading. A piece too many is one that is missing elsewhere, so those come first."""
        due = [
            (place, spot.error, spot.contents)
            for place, spot in self._spots.items()
            if spot.error is not None and self._rng.random() < spot.error.chance
        ]
        for place, error, contents in sorted(due, key=lambda each: each[1].way in GAINING):
            here, seat = read.setdefault(place, Counter()), error.seat
            match error.way:
                case "unseen" | "beyond_a_line":
                    missing.update(here)
                    read[place] = Counter()
                case "fewer":
                    here[seat] -= 1
                    missing[seat] += 1
                case "colour":
                    whose = next(iter(contents))
                    if isinstance(place, str) or self._places.may_stand(place, seat):
                        here[whose] -= 1
                        here[seat] += 1
                case _:
                    self._add(here, place, seat, missing)
            if error.there is not None and missing[seat] > 0:
                read.setdefault(error.there, Counter())[seat] += 1
                missing[seat] -= 1

    def _add(self, here: PieceCount, place: CellOrPen, seat: int, missing: PieceCount) -> None:
        """One piece too many: of the same side, and a missing one."""
        for each in (seat, self._board.partner(seat)):
            is_own = isinstance(place, str) and place.startswith(f"{self._board.seats[each]} ")
            if missing[each] > 0 and (is_own or self._places.may_stand(place, each)):
                here[each] += 1
                missing[each] -= 1
                return

    def _told(
        self, place: CellOrPen, is_wrong: bool, missing: PieceCount
    ) -> Iterator[tuple[CellOrPen, PieceCount, float]]:
        """What else a place may hold."""
        spot = self._spots[place]
        contents = spot.contents
        if is_wrong:
            if spot.error is not None and spot.error.cost is not None:
                yield place, contents, spot.error.cost
            return
        for name, cost in spot.doubts.items():
            if name == "unseen" and contents:
                yield place, Counter(), cost
            elif name == "fewer" and contents:
                yield place, contents - Counter([sorted(contents)[0]]), cost
            elif (
                name == "invented"
                and (seat := self._lost(place, range(self._board.arms), missing)) is not None
            ):
                yield place, Counter([seat]), cost
        if spot.more_at is not None and contents and not isinstance(place, str):
            kin = [each for seat in contents for each in (seat, self._board.partner(seat))]
            if (seat := self._lost(place, kin, missing)) is not None:
                yield place, contents + Counter([seat]), spot.more_at

    def _lost(self, place: CellOrPen, seats: Iterable[int], missing: PieceCount) -> int | None:
        """The first of some seats of which a piece is missing that may stand there."""
        return next((s for s in seats if missing[s] > 0 and self._places.may_stand(place, s)), None)

    def _sure(self, is_wrong: bool) -> float:
        """How confident it is of the whole board."""
        bins = self._law.sure_when_wrong if is_wrong else self._law.sure_when_right
        bins = tuple(each for each in bins if each[2]) or self._law.sure_when_right
        low, high, _ = self._rng.choices(bins, [number for _, _, number in bins])[0]
        return self._rng.uniform(low, high)

    def _dice_read(self, dice: Sequence[Die]) -> Iterator[SeenDie]:
        """The dice as they are read."""
        rng = self._rng
        for number, die in enumerate(dice):
            known, error = self._dice.get(number, (None, None))
            if known != die:
                name = self._one_of(self._dice_law[_DIE_THINGS[die.state]], self._times)
                error = _Error(name, self._chance()) if name is not None else None
                self._dice[number] = die, error
            way = error.way if error is not None and rng.random() < error.chance else ""
            if way != "unseen":
                value = (
                    rng.choice([v for v in range(1, 7) if v != die.value]) if way == "value" else die.value
                )
                state = {"cocked": "cocked", "flat": "flat", "on_board": "flat"}.get(way, die.state)
                yield SeenDie(value, state, die.x_mm, die.y_mm)


def _on_one_table(law: Law, at: float) -> dict[str, dict[str, Way]]:
    """How dice are misread on the table that stands at this share of all: in some ways often, or never."""
    return {
        thing: {
            name: replace(way, ever=way.ever / way.tables)
            for name, way in law.ways.get(thing, {}).items()
            if at < way.tables
        }
        for thing in _DIE_THINGS.values()
    }


def _share(usual: float, times: float) -> float:
    return min(MOST, usual * times)
