"""Eyes for a table that nobody paints: the scene as a reader would report it, errors and doubts included."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from uckers_table.game.board import PIECES, Plan
from uckers_table.sighting import SeenDie, Sighting
from uckers_table.simulator.scene import Die, Scene, WoodenPiece
from uckers_table.trial.noise import (
    COSTS_WHEN_RIGHT,
    COSTS_WHEN_WRONG,
    FEWER_TOLD,
    GONE_TOLD,
    MORE_TOLD,
    SURE_WHEN_RIGHT,
    SURE_WHEN_WRONG,
    TOLD_WHEN_WRONG,
    Noise,
)
from uckers_table.trial.places import CellOrPen, OffBoard, PieceCount, PlacesOfPlan, is_under, plumb


@dataclass(frozen=True)
class _Error:
    """A misread place: what it is taken for, and until when. `moved`: where its piece is read instead."""

    kind: str
    until: float
    moved: CellOrPen | None = None
    seat: int = 0


@dataclass
class _Spot:
    """A place while the same pieces stand there: its error if any, and its doubts by cost in nats."""

    contents: PieceCount
    error: _Error | None
    doubts: dict[str, float]


class NoisyEyes:
    """Reads one scene after the other. Errors come, last and go; the same seed gives the same errors."""

    def __init__(self, plan: Plan, noise: Noise, rng: random.Random) -> None:
        self._plan, self._board, self._noise, self._rng = plan, plan.board, noise, rng
        self._spots: dict[CellOrPen, _Spot] = {}
        self._places, self._off_board = PlacesOfPlan(plan), OffBoard(plan.board.home, rng)
        self._last = Scene()
        self._t = 0.0
        self._hand_missed_until = 0.0
        self._bumped_until = 0.0
        self._sure, self._unsure = 1.0, 0.4
        self._dice: dict[int, tuple[int | None, float]] = {}
        self._readings = 0
        self._read: Sighting | None = None
        self._anew: tuple[str, ...] | None = None
        self._wanted = set[str]()

    def see(self, scene: Scene, t: float) -> Sighting:
        """The scene at a time (seconds), as it is read. A reading lasts until something else is read."""
        seen = self._seen(scene, t)
        if not seen.hand and (seen != self._read or self._wanted):
            self._anew = tuple(sorted(self._wanted)) if seen == self._read else None
            self._readings, self._read, self._wanted = self._readings + 1, seen, set()
        return replace(seen, reading=self._readings, anew=self._anew)

    def read_again(self, places: Iterable[str]) -> None:
        """Have places read again; only the thread that sees may ask. It ends no error."""
        self._wanted |= set(places)

    def _seen(self, scene: Scene, t: float) -> Sighting:
        passed, self._t = t - self._t, t
        trouble = "too_dark" if scene.is_dark else "board_not_found" if self._is_bumped(passed) else ""
        if trouble:
            nothing: dict[str, tuple[int, ...]] = dict.fromkeys(self._board.seats, ())
            return Sighting(nothing, trouble=(trouble,), confidence=0.0)
        pieces = self._off_board.present(scene, t, self._noise.share(self._noise.looked_for))
        hand = self._is_hand_seen(scene)
        if scene.hands:
            pieces = [p for p in pieces if not any(is_under(p, hand_) for hand_ in scene.hands)]
        if scene.pieces != self._last.pieces:
            self._sure, self._unsure = self._rng.choice(SURE_WHEN_RIGHT), self._rng.choice(SURE_WHEN_WRONG)
        dice = tuple(self._die(i, die, passed) for i, die in enumerate(scene.dice))
        self._last = scene
        if hand:
            # As the real reader: under a hand, nothing that is not seen is evidence.
            return Sighting(dict.fromkeys(self._board.seats, ()), dice=dice, hand=True, confidence=0.0)
        return replace(self._board_as_read(plumb(pieces), passed), dice=dice)

    # ------------------------------------------------------------------ hands, bumps and what lies about

    def _is_bumped(self, passed_s: float) -> bool:
        chance = self._noise.begins(self._noise.bump, passed_s, self._noise.away)
        if self._t >= self._bumped_until and self._rng.random() < chance:
            self._bumped_until = self._t + self._noise.away.drawn_s(self._rng)
        return self._t < self._bumped_until

    def _is_hand_seen(self, scene: Scene) -> bool:
        if not scene.hands:
            return False
        if not self._last.hands and self._rng.random() < self._noise.share(self._noise.hand_missed):
            self._hand_missed_until = self._t + self._noise.away.drawn_s(self._rng)
        return self._t >= self._hand_missed_until

    def _die(self, number: int, die: Die, passed_s: float) -> SeenDie:
        """A die as it is read: wrongly for a while, now and then."""
        wrong, until = self._dice.get(number, (None, 0.0))
        lay = next((d for i, d in enumerate(self._last.dice) if i == number), None)
        chance = self._noise.begins(self._noise.die_wrong, passed_s, self._noise.lasting)
        if lay != die:
            chance, until = self._noise.share(self._noise.die_wrong), 0.0
        if self._t >= until and self._rng.random() < chance:
            wrong = self._rng.choice([None, *(set(range(1, 7)) - {die.value})])
            until = self._t + self._noise.lasting.drawn_s(self._rng)
        self._dice[number] = wrong, until
        return SeenDie(wrong if self._t < until else die.value, die.state, die.x_mm, die.y_mm)

    # ------------------------------------------------------------------ the pieces

    def _board_as_read(self, pieces: list[WoodenPiece], passed_s: float) -> Sighting:
        held, stacked = self._places.laid_out(pieces)
        unseen = Counter(
            {seat: PIECES - sum(c[seat] for c in held.values()) for seat in range(self._board.arms)}
        )
        for place in [place for place in self._spots if place not in held]:
            del self._spots[place]
        read = {place: Counter(contents) for place, contents in held.items()}
        for seat in self._off_board.looked_for.values():
            if (among := self._places.most_of_side(held, seat)) is not None:
                read[among][seat] += 1
                unseen[seat] -= 1
        alternatives: list[tuple[CellOrPen, PieceCount, float]] = []
        wrong = False
        for place, contents in held.items():
            spot = self._spot(place, contents, place in stacked, passed_s)
            if spot.error is not None:
                wrong = self._misread(place, spot, read, unseen) or wrong
        for place, contents in held.items():
            spot = self._spots[place]
            if read[place] != contents:
                if "truth" in spot.doubts:
                    alternatives.append((place, contents, spot.doubts["truth"]))
            else:
                alternatives += self._doubts(place, spot, place in stacked, unseen)
        seen = self._places.sighting(read, alternatives, self._unsure if wrong else self._sure)
        across = self._places.across(pieces, read)
        return replace(seen, alternatives=(*seen.alternatives, *across)) if across else seen

    def _spot(self, place: CellOrPen, contents: PieceCount, is_stack: bool, passed_s: float) -> _Spot:
        """What is remembered of a place, with errors begun and ended as of now."""
        spot = self._spots.get(place)
        rate = self._noise.off_by_one if is_stack else self._noise.misread
        if spot is None or spot.contents != contents:
            is_wrong = self._rng.random() < self._noise.share(rate)
            spot = _Spot(contents, self._error(place, contents, is_stack) if is_wrong else None, {})
            self._doubt(spot, is_stack)
            self._spots[place] = spot
        elif spot.error is not None and self._t >= spot.error.until:
            spot.error = None
        elif spot.error is None and self._rng.random() < self._noise.begins(
            rate, passed_s, self._noise.lasting
        ):
            spot.error = self._error(place, contents, is_stack)
        return spot

    def _doubt(self, spot: _Spot, is_stack: bool) -> None:
        """Draw the reader's doubts of a place. They stay while the same pieces stand there."""
        rng = self._rng
        if rng.random() < TOLD_WHEN_WRONG:
            spot.doubts["truth"] = rng.choice(COSTS_WHEN_WRONG)
        if sum(spot.contents.values()) == 1 and rng.random() < GONE_TOLD:
            spot.doubts["gone"] = rng.choice(COSTS_WHEN_RIGHT)
        if rng.random() < MORE_TOLD:
            spot.doubts["more"] = rng.choice(COSTS_WHEN_RIGHT)
        if is_stack and rng.random() < FEWER_TOLD:
            spot.doubts["fewer"] = rng.choice(COSTS_WHEN_RIGHT)

    def _error(self, place: CellOrPen, contents: PieceCount, is_stack: bool) -> _Error:
        until = self._t + self._noise.lasting.drawn_s(self._rng)
        seat = self._rng.choice(sorted(contents))
        if isinstance(place, str):
            return _Error("unseen", until, seat=seat)
        if is_stack:
            kind = self._rng.choice(("fewer", "fewer", "more"))
            return _Error(kind, self._unseen_until() if kind == "fewer" else until, seat=seat)
        kind = self._rng.choice(("neighbour", "neighbour", "unseen", "colour", "more"))
        moved: CellOrPen | None = None
        if kind == "neighbour":
            moved = self._rng.choice(list(self._beside(place, seat)) or [None])
        elif kind == "unseen" and self._rng.random() < 0.5:
            # The real reader mostly puts a piece that it misses under another one.
            kinsmen = seat, self._board.partner(seat)
            others = [p for p, s in self._spots.items() if p != place and not isinstance(p, str)]
            moved = self._rng.choice(
                [p for p in others if any(self._spots[p].contents[k] for k in kinsmen)] or [None]
            )
        if kind == "unseen" and moved is None:
            until = self._unseen_until()
        others_seats = [s for s in range(self._board.arms) if s != seat]
        return _Error(kind, until, moved, self._rng.choice(others_seats) if kind == "colour" else seat)

    def _unseen_until(self) -> float:
        """The time until which a piece stays unseen, from now."""
        return self._t + self._noise.unseen_s(self._rng)

    def _beside(self, place: tuple[int, int], seat: int) -> Iterator[tuple[int, int]]:
        """The squares next to one on a seat's way."""
        steps = self._plan.steps_by_cell[seat].get(place)
        for each in (steps - 1, steps + 1) if steps is not None else ():
            if 1 <= each < self._board.home:
                yield self._places.cell(seat, each)

    def _misread(
        self, place: CellOrPen, spot: _Spot, read: dict[CellOrPen, PieceCount], unseen: PieceCount
    ) -> bool:
        """Put a place's error into what is read. True if that changes anything."""
        error = spot.error
        assert error is not None
        seat = error.seat
        here = read[place]
        match error.kind:
            case "neighbour" | "unseen":
                here[seat] -= 1
                if error.moved is not None:
                    read.setdefault(error.moved, Counter())[seat] += 1
            case "colour":
                whose = next(iter(+here))
                if not self._places.may_stand(place, seat):
                    return False
                here[whose] -= 1
                here[seat] += 1
            case "fewer":
                here[seat] -= 1
            case "more":
                kin = [s for s in (seat, self._board.partner(seat)) if unseen[s] > 0]
                if not kin or not self._places.may_stand(place, kin[0]):
                    return False
                here[kin[0]] += 1
                unseen[kin[0]] -= 1
        return True

    def _doubts(
        self, place: CellOrPen, spot: _Spot, is_stack: bool, unseen: PieceCount
    ) -> Iterator[tuple[CellOrPen, PieceCount, float]]:
        """The alternatives of a place that is read rightly."""
        contents = spot.contents
        (seat, *_) = sorted(contents)
        if "gone" in spot.doubts:
            yield place, Counter(), spot.doubts["gone"]
        if isinstance(place, str):
            return
        if "more" in spot.doubts:
            kin = [s for s in (seat, self._board.partner(seat)) if unseen[s] > 0]
            if kin:
                yield place, contents + Counter([kin[0]]), spot.doubts["more"]
        if "fewer" in spot.doubts and is_stack:
            yield place, contents - Counter([seat]), spot.doubts["fewer"]
