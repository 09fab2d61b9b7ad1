"""How well a sighting fits a position, and which position a sighting shows. Pure.

A cost is a log-likelihood ratio in nats. It is 0 where the camera read exactly what the position has. Where
the reader offered that as an alternative, the cost is the reader's own figure. Where the reader offered
nothing of the kind, it is MISREAD or another of the figures below.

A piece that is not seen in base or at home costs little. It costs nothing if it was not seen there before.
Pieces fly under lockers, and home gets swept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import repeat

from uckers_table.game.board import BASE, CORNER, PIECES, Board, Plan
from uckers_table.game.position import Position
from uckers_table.game.ruling import moves_between
from uckers_table.sighting import ASTRAY, Alternative, Sighting

MISREAD = 8.0
"""Cost (nats) of a place that is surely read as something that it is not: about once in 3,000."""
UNSEEN = 4.0
"""Cost (nats) of a piece that stands where it should and is seen nowhere. A reader misses a piece more easily
than it invents one."""
HIDDEN = 0.6
"""Cost (nats) of a piece that stands under or close behind another and is not seen. Stacks hide pieces: three
of these on one board still fit (`explaining.FITS`)."""
NO_LONGER = 0.3
"""Further cost (nats) of a hidden piece that was seen until now, where nothing is said to have moved."""
LOOKED_FOR = 2.5
"""Cost (nats) of a piece that was knocked off, is not back in base yet, and is taken to be under its own
side's. The reader looks for it there. People are asked whether it was put there."""
MISTAKEN = 0.6
"""Further cost (nats) of a piece in a stack that was read in the colour of the top one."""
NEWLY = 4.5
"""Further cost (nats) of a piece that the reader sees but says may be none, where none stood on record.
Ghosts seldom appear just when a hand was there."""
GROWN = 2.0
"""Further cost (nats) of a piece too many in a stack of its own kind, where nothing is said to have come."""
AWAY, AWAY_MOST = 0.9, 1.2
"""Cost (nats) of one piece that has gone unseen from base or home, and the most that all of them cost. It is
more than HIDDEN: a piece that came out onto a stack is not taken for one lost from base."""

LEFT = 2.0
"""Further cost (nats) of a knocked-off piece that is seen beside the piece that came, though the reader says
that it may be none."""
COVERED = 2.0
"""Further cost (nats) of a piece that has left its square and has come onto another colour's pieces, where
only those are seen. It would lie on top."""
STAYED = 1.0
"""Cost (nats) of a piece that counts as moved across a line but is seen near that line as before."""

Away = tuple[tuple[int, int], ...]
"""Per seat, how many pieces that should be in base, and how many that should be at home, have long not been
seen there."""

Contents = Mapping[str, int]
"""How many pieces of each colour a place holds."""

Account = tuple[str, frozenset[tuple[str, int]], frozenset[tuple[str, int]]]
"""A place, what is seen there, and what is known to stand there all the same."""


OnLine = tuple[int, int, int]
"""A piece near a line: its seat, the steps that it counts at, and the steps beyond the line."""


@dataclass(frozen=True)
class Reading:
    """A sighting laid out by place, ready to be compared with many positions."""

    board: Board
    sighting: Sighting
    away: Away = ()
    accounted: frozenset[Account] = frozenset()
    """Differences from the record that were already there when the board last agreed. They cost nothing."""
    on_lines: tuple[OnLine, ...] = ()
    """The pieces that stood near a line when the board last agreed. While they stay there, they count where
    they were taken to stand."""

    @cached_property
    def _seen(self) -> dict[str, tuple[int, ...]]:
        """Steps per colour. Strays on their own corner square are included."""
        seen = {colour: list(self.sighting.pieces.get(colour, ())) for colour in self.board.seats}
        on_line = {colour for a in self.sighting.alternatives if a.across == ASTRAY for colour in a.contents}
        for stray in self.sighting.stray:
            # A piece on the line to its doorstep has hardly been sent back to its corner.
            if stray.colour not in seen or stray.colour in on_line:
                continue
            if stray.cell == _corner_cell(self.board, stray.colour):
                seen[stray.colour].append(CORNER)
        return {colour: tuple(sorted(steps)) for colour, steps in seen.items()}

    @cached_property
    def seen(self) -> Position:
        """The steps of the pieces seen, per seat. There may be fewer than four, or more."""
        return tuple(self._seen.values())

    @property
    def bare(self) -> Reading:
        """The reading without what is known but not seen."""
        return replace(self, accounted=frozenset(), on_lines=())

    def if_also_away(self, seat: int) -> Reading:
        """The reading if one more of a seat's pieces in base had not been seen there."""
        before = self.away or ((0, 0),) * len(self.board.seats)
        in_base, at_home = before[seat]
        return replace(self, away=(*before[:seat], (in_base + 1, at_home), *before[seat + 1 :]))

    @cached_property
    def key(self) -> Position:
        """The pieces in play, on track and chute. The board counts as still while they stay the same."""
        return in_play(self.board, self.seen)

    @property
    def is_overfull(self) -> bool:
        """Whether more pieces of a colour are seen than there are."""
        return any(len(seen) > PIECES for seen in self.seen)

    @cached_property
    def places(self) -> dict[str, dict[str, int]]:
        """What is seen at each place where anything is seen."""
        return _layout(self.board, self.seen)

    @cached_property
    def _alternatives(self) -> dict[tuple[str, frozenset[tuple[str, int]]], list[Alternative]]:
        """The alternatives that the reader offers, by place and contents."""
        told: dict[tuple[str, frozenset[tuple[str, int]]], list[Alternative]] = {}
        for each in (*self.sighting.alternatives, *self._miscounted_across()):
            told.setdefault((each.place, as_contents(each.contents)), []).append(each)
        return told

    def _miscounted_across(self) -> Iterator[Alternative]:
        """What places hold if a piece near a line stands beyond it and they hold fewer than are counted."""
        for across in self.sighting.alternatives:
            if across.across in ("", ASTRAY):
                continue
            gone = Counter(self.places.get(across.place, {})) - Counter(across.contents)
            if not gone:
                continue
            for counted in self.sighting.alternatives:
                is_of_it = counted.place == across.place and not counted.across
                if is_of_it and gone <= Counter(counted.contents):
                    left = dict(Counter(counted.contents) - gone)
                    yield Alternative(across.place, left, across.cost + counted.cost, across.across)

    def cost(self, position: Position, record: Position) -> float:
        """How badly the sighting fits a position that may follow the record (nats). 0 is an exact fit."""
        return sum(cost for _, cost in self._differences(position, record)) + self.cost_gone(position)

    def costs(self, position: Position, record: Position) -> dict[str, float]:
        """The same by place (nats), without the pieces that have gone from base and home."""
        return dict(self._differences(position, record))

    def least_costs(self, position: Position) -> dict[str, float]:
        """A lower bound (nats) for each place, whatever stands elsewhere and on record.

        Every board that has the same at a place costs at least this there (`costs`).
        """
        least = ((place, self._least(place, *differs)) for place, *differs in self._differing(position))
        return {place: cost for place, cost in least if cost}

    def _least(self, place: str, seen: Contents, wanted: Contents) -> float:
        excused = (place, as_contents(seen), as_contents(wanted)) in self.accounted
        told = (place, as_contents(wanted)) in self._alternatives
        if excused or told or any(place in self._sides(line) for line in self.on_lines):
            return 0.0
        if seen:
            is_mistaken = len(seen) == 1 and seen.keys() < wanted.keys()
            is_more = any(n > wanted.get(c, 0) for c, n in seen.items())
            return 0.0 if is_mistaken or not is_more else LOOKED_FOR if wanted else MISREAD
        return UNSEEN

    def fits_better(self, position: Position, other: Position, record: Position) -> bool:
        """Whether anything seen fits a position better than another one. The whole may still fit worse."""
        costs = self.costs(position, record)
        is_anywhere = any(costs.get(place, 0.0) < cost for place, cost in self.costs(other, record).items())
        return is_anywhere or self.cost_gone(position) < self.cost_gone(other)

    def shows_rather(self, position: Position, other: Position, record: Position) -> bool:
        """Whether a position is read exactly wherever the other is not."""
        costs, others = self.costs(position, record), self.costs(other, record)
        places = [place for place, cost in others.items() if cost > 0]
        return bool(places) and not any(costs.get(place, 0.0) for place in places)

    def clearest(self, position: Position, record: Position) -> float:
        """The cost at the one place that fits worst (nats)."""
        return max((cost for _, cost in self._differences(position, record)), default=0.0)

    def shows_more(self, position: Position) -> bool:
        """Whether a piece is seen by itself where a position has none, and nothing accounts for it.

        A piece that is read under others does not count: it is more often the reader's error than there.
        """
        return any(seen and not wanted for _, seen, wanted, _ in self._unaccounted(position))

    def is_maybe(self, position: Position) -> bool:
        """Whether the reader itself says that each differing place may be as a position has it.

        A place where something is seen and the position has nothing makes this false.
        """
        return all(told and (wanted or not seen) for _, seen, wanted, told in self._unaccounted(position))

    def doubtful_places(self, position: Position, record: Position, clear: float) -> tuple[str, ...]:
        """The place where sighting and position differ most, and every other that differs clearly.

        `position` may follow `record`. A place differs clearly if it costs as much as the worst, or `clear`
        nats.
        """
        costs = self.costs(position, record)
        most = max(costs.values(), default=0.0)
        return tuple(place for place, cost in costs.items() if cost and (cost == most or cost >= clear))

    def accounts(self, position: Position, *, is_told: bool, is_new: bool) -> frozenset[Account]:
        """The differences of now and of before that are accounted for if the board is a position.

        A piece too many is accounted for only if people said that the board is right (`is_told`). If a hand
        was there (`is_new`), an earlier one too many must still be seen. Pieces near lines are not among
        these (`near_lines`).
        """
        layout = _layout(self.board, position)
        now = (
            (p, as_contents(seen), as_contents(wanted))
            for p, seen, wanted in self._differing(position)
            if (is_told or sum(seen.values()) <= sum(wanted.values()))
            and not any(told.across for told in self._told(p, layout))
        )
        return self.still_accounted(position, is_new=is_new).union(now)

    def still_accounted(self, position: Position, *, is_new: bool = False) -> frozenset[Account]:
        """What was accounted for before and still is, if the board is taken to be a position."""
        layout = _layout(self.board, position)
        return frozenset(each for each in self.accounted if self._still_holds(each, layout, is_new=is_new))

    def _still_holds(self, account: Account, layout: Mapping[str, Contents], *, is_new: bool) -> bool:
        """Whether an earlier difference is still accounted for."""
        place, seen, wanted = account
        is_less = sum(n for _, n in seen) <= sum(n for _, n in wanted)
        now = as_contents(self.places.get(place, {}))
        if is_less and now and (not seen or now == wanted):
            # A piece that was missed, and is seen again, is missed anew when it has gone.
            return False
        return wanted == as_contents(layout.get(place, {})) and (is_less or not is_new or seen == now)

    def _told(self, place: str, layout: Mapping[str, Contents]) -> Iterator[Alternative]:
        """The alternatives by which a place may be as a layout of the whole board has it."""
        wanted = layout.get(place, {})
        for told in self._alternatives.get((place, as_contents(wanted)), ()):
            beyond = self._alternatives.get((told.across, as_contents(layout.get(told.across, {}))), ())
            if told.across in ("", ASTRAY) or any(each.across == place for each in beyond):
                yield told
        for line in self.on_lines:
            if place == self._sides(line)[1] and self._is_still_near(line):
                # The piece seen here counts as standing beyond the line. The reader's word on the others
                # includes it.
                with_that = as_contents(Counter(wanted) + Counter([self.board.seats[line[0]]]))
                yield from (
                    each for each in self._alternatives.get((place, with_that), ()) if not each.across
                )

    def _is_counted(self, told: Alternative) -> bool:
        """Whether an alternative is of a line near which a piece counts where it is not seen."""
        return any({*self._sides(line)} == {told.place, told.across} for line in self.on_lines)

    def _sides(self, line: OnLine) -> tuple[str, str]:
        """The two squares at a line: first the one where the piece counts, then the one beyond."""
        seat, steps, beyond = line
        colour = self.board.seats[seat]
        return place_of(self.board, colour, steps), place_of(self.board, colour, beyond)

    def _is_still_near(self, line: OnLine) -> bool:
        """Whether a piece is still seen near a line."""
        sides = {*self._sides(line)}
        return any({told.place, told.across} == sides for told in self.sighting.alternatives)

    def _differing(self, position: Position) -> Iterator[tuple[str, Contents, Contents]]:
        """The places that differ: each with what is seen there and what a position has.

        Base and home differ only if they show too many pieces.
        """
        wanted_places = _layout(self.board, position)
        for place in sorted(self.places.keys() | wanted_places.keys()):
            seen, wanted = self.places.get(place, {}), wanted_places.get(place, {})
            if seen == wanted:
                continue
            if _is_out_of_play(self.board, place) and all(n <= wanted.get(c, 0) for c, n in seen.items()):
                continue
            yield place, seen, wanted

    def _unaccounted(
        self, position: Position
    ) -> Iterator[tuple[str, Contents, Contents, Sequence[Alternative]]]:
        """The differing places that nothing accounts for, each with the reader's alternatives that fit."""
        layout = _layout(self.board, position)
        for place, seen, wanted in self._differing(position):
            if self.accounted and (place, as_contents(seen), as_contents(wanted)) in self.accounted:
                continue
            told = [*self._told(place, layout)]
            if not any(each.across and self._is_counted(each) for each in told):
                yield place, seen, wanted, told

    def _differences(self, position: Position, record: Position) -> Iterator[tuple[str, float]]:
        stood = _layout(self.board, record)
        for place, seen, wanted, told in self._unaccounted(position):
            before = stood.get(place, {})
            covered = COVERED * self._is_covered(seen, wanted, before, record)
            if told:
                newly = NEWLY * (not wanted and not before) + GROWN * _has_grown(seen, wanted, before)
                further = covered + LEFT * _is_left(seen, wanted, before)
                yield place, further + min(each.cost + newly * (not each.across) for each in told)
            elif all(n <= wanted.get(c, 0) for c, n in seen.items()):
                missing = Counter(wanted) - Counter(seen)
                hidden = HIDDEN + NO_LONGER * (wanted == before)
                may_hide = {each for each in missing if seen and self._may_hide(place, each, stood)}
                # A piece that is seen elsewhere already costs something there.
                costs = (n * (hidden if each in may_hide else UNSEEN) for each, n in missing.items())
                yield place, covered + sum(costs)
            elif len(seen) == 1 and seen.keys() < wanted.keys():
                yield place, covered + self._cost_mistaken(seen, wanted)
            elif self._is_looked_for(seen, wanted, position, record):
                yield place, LOOKED_FOR
            else:
                yield place, MISREAD
        for place in self._stayed(position, record):
            yield place, STAYED

    def _is_covered(self, seen: Contents, wanted: Contents, stood: Contents, record: Position) -> bool:
        """Whether only others' pieces are seen where a piece that left the track has come to."""
        has_come = [colour for colour, n in wanted.items() if n > stood.get(colour, 0) and colour not in seen]
        return bool(seen) and any(self._unseen(self.board.seat(c), record).vanished for c in has_come)

    def _is_looked_for(self, seen: Contents, wanted: Contents, position: Position, record: Position) -> bool:
        """Whether the pieces too many at a place were knocked off and are not back in base yet.

        Their own side's pieces must stand there: the reader looks for them under those.
        """
        more = Counter(seen) - Counter(wanted)
        if not wanted or Counter(wanted) - Counter(seen):
            return False
        away = self.away_from(position)
        for colour, number in more.items():
            seat = self.board.seat(colour)
            stands = {colour, self.board.seats[self.board.partner(seat)]} & wanted.keys()
            knocked_off = position[seat].count(BASE) - record[seat].count(BASE)
            not_back = max(0, knocked_off) + (self.away[seat][0] if self.away else 0)
            if not stands or number > min(not_back, away[seat][0]):
                return False
        return True

    def stays_at_lines(self, position: Position, record: Position) -> bool:
        """Whether no piece counts as moved across a line while it is seen near that line as before."""
        return not any(self._stayed(position, record))

    def _stayed(self, position: Position, record: Position) -> Iterator[str]:
        """The squares just across a line to which a position moves a piece still seen near that line."""
        for line in self.on_lines:
            seat, steps, beyond = line
            is_left = position[seat].count(steps) < record[seat].count(steps)
            has_come = position[seat].count(beyond) > record[seat].count(beyond)
            if is_left and has_come and self._is_still_near(line):
                yield self._sides(line)[1]

    def _cost_mistaken(self, seen: Contents, wanted: Contents) -> float:
        """The cost (nats) of a stack whose lower pieces are read in the colour of the top one.

        The camera sees a stack's height from the side. It often sees its colours only from above.
        """
        ((top, number),) = seen.items()
        if number > sum(wanted.values()):
            return MISREAD
        under = sum(pieces for colour, pieces in wanted.items() if colour != top)
        return HIDDEN * under + MISTAKEN * max(0, number - wanted[top])

    def cost_gone(self, position: Position) -> float:
        """The cost (nats) of pieces that are no longer seen in base or at home."""
        before = self.away or ((0, 0),) * len(position)
        gone = sum(
            max(0, now - then)
            for now_both, then_both in zip(self.away_from(position), before, strict=True)
            for now, then in zip(now_both, then_both, strict=True)
        )
        return min(AWAY * gone, AWAY_MOST)

    def away_from(self, position: Position) -> Away:
        """How many pieces of a position are not seen in base, and how many not at home, per seat."""
        return tuple(
            (
                max(0, pieces.count(BASE) - seen.count(BASE)),
                max(0, pieces.count(self.board.home) - seen.count(self.board.home)),
            )
            for pieces, seen in zip(position, self._seen.values(), strict=True)
        )

    def differ_at_line(self, position: Position, other: Position) -> bool:
        """Whether a piece that two positions have on different squares is seen near a line.

        It may be meant for either.
        """
        at_lines = {told.place for told in self.sighting.alternatives if told.across}
        return not at_lines.isdisjoint(places_moved(self.board, position, other))

    def near_lines(self, position: Position) -> tuple[OnLine, ...]:
        """The pieces of a position that are seen near a line or just beyond it, one entry a piece."""
        found = []
        for told in self.sighting.alternatives:
            if told.across in ("", ASTRAY, told.place):
                continue
            more = Counter(told.contents) - Counter(self.places.get(told.place, {}))
            for colour, number in more.items():
                seat = self.board.seat(colour)
                ends = (steps_at(self.board, told.across, colour), steps_at(self.board, told.place, colour))
                for a, b in (ends, ends[::-1]):
                    found += [(seat, a, b)] * min(number, position[seat].count(a))
        return tuple(found)

    def vanished(self, record: Position) -> bool:
        """Whether a piece in play on record is seen nowhere and nothing can hide it or accounts for it."""
        known = self._as_known()
        return any(known._unseen(seat, record).vanished for seat in range(len(record)))

    def completed(self, record: Position) -> Position | None:
        """The whole position that the sighting shows. What cannot be seen is taken from the record.

        A piece that is seen nowhere stands where the record has it, if something there may hide it. Otherwise
        it is home if it was home, or if it was in its chute, where nobody is sent back. Otherwise it is in
        base. None if more pieces are seen than there are.
        """
        known = self._as_known()
        if known is not self:
            return known.completed(record)
        if self.is_overfull:
            return None
        pieces = []
        for seat, seen in enumerate(self.seen):
            unseen = self._unseen(seat, record)
            at_home = unseen.at_home + unseen.from_chute
            in_base = unseen.in_base + unseen.vanished - unseen.from_chute
            pieces.append((*seen, *unseen.hidden, *[self.board.home] * at_home, *[BASE] * in_base))
        return tuple(tuple(sorted(four)) for four in pieces)

    def as_likely(self, record: Position, within: float) -> Reading:
        """The reading with each place as on record where the reader says so at a cost up to `within` (nats).

        The reading itself if that makes more pieces than there are.
        """
        likely = {
            place: wanted
            for place, _, wanted, told in self._unaccounted(record)
            if any(not each.across and each.cost <= within for each in told)
        }
        as_likely = self._with({**self._known, **likely})
        return self if as_likely.is_overfull else as_likely

    @property
    def _known(self) -> dict[str, Contents]:
        """What is accounted for, by place."""
        return {
            place: dict(wanted)
            for place, seen, wanted in self.accounted
            if seen == as_contents(self.places.get(place, {}))
        }

    def _as_known(self) -> Reading:
        """The reading with what is accounted for put in, and with pieces near lines where they count.

        What is accounted for is left out if it makes more pieces than there are.
        """
        if not (self.accounted or self.on_lines):
            return self
        as_known = self._with(self._known)
        return self._with({}) if as_known.is_overfull else as_known

    def _with(self, known: Mapping[str, Contents]) -> Reading:
        """The reading with what is known of some places, and with pieces near lines where they count."""
        places = {place: Counter(held) for place, held in {**self.places, **known}.items()}
        for line in self.on_lines:
            colour, (here, beyond) = self.board.seats[line[0]], self._sides(line)
            if self._is_still_near(line) and places.get(beyond, Counter())[colour]:
                places[beyond][colour] -= 1
                places.setdefault(here, Counter())[colour] += 1
        pieces: dict[str, list[int]] = {colour: [] for colour in self.board.seats}
        for place, held in places.items():
            for colour in held.elements():
                pieces[colour].append(steps_at(self.board, place, colour))
        in_order = {colour: tuple(sorted(four)) for colour, four in pieces.items()}
        return replace(self, sighting=replace(self.sighting, pieces=in_order, stray=())).bare

    def _may_hide(self, place: str, colour: str, stood: Mapping[str, Contents]) -> bool:
        """Whether what is seen at a place may hide a piece. If not, it has knocked the piece off."""
        before = stood.get(place, {})
        team = colour, self.board.seats[self.board.partner(self.board.seat(colour))]
        return all(
            number <= before.get(each, 0) for each, number in self.places[place].items() if each not in team
        )

    def _unseen(self, seat: int, record: Position) -> _Unseen:
        """Where the unseen pieces of a seat most likely are, by the record."""
        before, seen = record[seat], self.seen[seat]
        missing = max(0, PIECES - len(seen))
        colour = self.board.seats[seat]
        left = sorted((Counter(before) - Counter(seen)).elements())
        covered = [
            steps
            for steps in left
            if steps not in (BASE, self.board.home) and place_of(self.board, colour, steps) in self.places
        ]
        stood = _layout(self.board, record)
        hidden = [at for at in covered if self._may_hide(place_of(self.board, colour, at), colour, stood)]
        knocked_off = len(covered) - len(hidden)
        # A piece that has long not been seen out of play is not what a stack hides.
        out_of_play = zip((BASE, self.board.home), self.away[seat] if self.away else (0, 0), strict=True)
        known = sum(min(number, left.count(steps)) for steps, number in out_of_play)
        hidden = hidden[: max(0, missing - known)]
        missing -= len(hidden)
        at_home = min(missing, left.count(self.board.home))
        in_base = min(missing - at_home, left.count(BASE) + knocked_off)
        vanished = missing - at_home - in_base
        from_chute = sum(at in self.board.chute for at in (Counter(left) - Counter(covered)).elements())
        return _Unseen(tuple(hidden), at_home, in_base, vanished, min(vanished, from_chute))


@dataclass(frozen=True)
class Window:
    """One board read again and again, oldest first. Each place counts as in its kindest reading.

    A reader may err for up to two seconds on end, at one place or another (`stillness.ERRS_S`). What was read
    otherwise for all of a longer time is no error. Equal readings in a row are stored once; `times` says how
    many each stands for. If it is empty, each stands for one.
    """

    readings: tuple[Reading, ...]
    times: tuple[int, ...] = ()

    def but(self, errors: Sequence[Reading]) -> Window:
        """The window without some of its readings. The window itself if none would be left."""
        times = self.times or (1,) * len(self.readings)
        left = [each for each in zip(self.readings, times, strict=True) if each[0] not in errors]
        return Window(*zip(*left, strict=True)) if left and errors else self

    def if_also_away(self, seat: int) -> Window:
        """As `Reading.if_also_away`."""
        return replace(self, readings=tuple(each.if_also_away(seat) for each in self.readings))

    def cost(self, position: Position, record: Position) -> float:
        """How badly the readings together fit a position (nats).

        Each place costs what it costs in its best reading.
        """
        gone = min(reading.cost_gone(position) for reading in self.readings)
        return sum(self._kindest(position, record).values()) + gone

    def clearest(self, position: Position, record: Position) -> float:
        """The cost at the one place that fits worst (nats)."""
        return max(self._kindest(position, record).values(), default=0.0)

    @property
    def confidence(self) -> float:
        """The highest confidence that the reader had in any of the readings."""
        return max(reading.sighting.confidence for reading in self.readings)

    def vanished(self, record: Position) -> bool:
        """Whether a piece that was in play on record was seen nowhere in any of the readings."""
        return all(reading.vanished(record) for reading in self.readings)

    def _kindest(self, position: Position, record: Position) -> dict[str, float]:
        return _kindest_of(reading.costs(position, record) for reading in self.readings)

    def least_costs(self, position: Position) -> dict[str, float]:
        """As `Reading.least_costs`."""
        return _kindest_of(reading.least_costs(position) for reading in self.readings)

    def typical(self, record: Position, *, if_any: bool = False) -> Reading:
        """One reading made of all.

        A place holds what the record has there if it was ever seen so, else what was seen most often. With
        `if_any` the record decides only at places where it has pieces.
        """
        last = self.readings[-1]
        if len(self.readings) == 1:
            return last
        stood = _layout(last.board, record)
        pieces = {colour: list[int]() for colour in last.board.seats}
        for place in sorted({place for reading in self.readings for place in reading.places}):
            seen = Counter[frozenset[tuple[str, int]]]()
            for reading, times in reversed(list(zip(self.readings, self.times or repeat(1), strict=False))):
                seen[as_contents(reading.places.get(place, {}))] += times
            on_record = as_contents(stood.get(place, {}))
            is_as_on_record = on_record in seen and bool(on_record or not if_any)
            for colour, number in on_record if is_as_on_record else seen.most_common(1)[0][0]:
                pieces[colour] += [steps_at(last.board, place, colour)] * number
        sorted_pieces = {colour: tuple(sorted(steps)) for colour, steps in pieces.items()}
        return replace(last, sighting=replace(last.sighting, pieces=sorted_pieces, stray=()))

    def has_more(self, position: Position) -> bool:
        """Whether every reading shows more pieces of some colour in play than a position has."""
        wanted = in_play(self.readings[-1].board, position)
        return any(
            min(len(reading.key[seat]) for reading in self.readings) > len(pieces)
            for seat, pieces in enumerate(wanted)
        )

    def shows_by_turns(self, position: Position) -> bool:
        """Whether each colour was seen in play as in a position at some time, though never all at once.

        A colour counts as seen if one reading shows all of it. It also counts if each of its places was seen
        in turn, with never too many pieces.
        """

        def is_seen(wanted: tuple[int, ...], seen: list[tuple[int, ...]]) -> bool:
            if wanted in seen:
                return True
            is_whole = all(any(each.count(s) >= wanted.count(s) for each in seen) for s in wanted)
            return is_whole and max(map(len, seen)) <= len(wanted)

        board = self.readings[-1].board
        return all(
            is_seen(wanted, [reading.key[seat] for reading in self.readings])
            for seat, wanted in enumerate(in_play(board, position))
        )

    def is_torn(self, typical: Reading) -> bool:
        """Whether the `typical` reading has fewer pieces of a colour than any of the readings, or more.

        Then a piece was seen now here, now there.
        """
        for seat, seen in enumerate(typical.seen):
            numbers = [len(reading.seen[seat]) for reading in self.readings]
            if not min(numbers) <= len(seen) <= max(numbers):
                return True
        return False


def looks_misread(board: Board, record: Position, shown: Position) -> bool:
    """Whether a board differs from the record by one piece on the next square, as readers err most."""
    gone = [Counter(was) - Counter(now) for was, now in zip(record, shown, strict=True)]
    come = [Counter(now) - Counter(was) for was, now in zip(record, shown, strict=True)]
    if sum(each.total() for each in gone) != 1 or sum(each.total() for each in come) != 1:
        return False
    (start,), (end,) = ([*each.elements()] for each in (sum(gone, Counter()), sum(come, Counter())))
    return _are_neighbours(board, start, end)


def _are_neighbours(board: Board, steps: int, others: int) -> bool:
    """Whether two squares of a colour's way lie next to each other. Base and home are no squares."""
    return abs(steps - others) == 1 and not {steps, others} & {BASE, board.home}


def next_to(reading: Reading, record: Position) -> Iterator[Reading]:
    """The readings with one piece, come somewhere since the record, put on the next square instead.

    Reading a piece on the next square is how readers err most. So one of these may be the true board.
    """
    board, pieces = reading.board, reading.sighting.pieces
    for colour, was in zip(board.seats, record, strict=True):
        seen = pieces.get(colour, ())
        for steps in Counter(seen) - Counter(was):
            for other in (steps - 1, steps + 1):
                if _are_neighbours(board, steps, other):
                    moved = [*seen]
                    moved[moved.index(steps)] = other
                    sighting = replace(reading.sighting, pieces={**pieces, colour: tuple(sorted(moved))})
                    yield replace(reading, sighting=sighting)


def may_be_error(board: Board, before: Position, now: Position) -> bool:
    """Whether an error of the reader's may turn one reading into the other, with no hand there.

    A reader may miss a piece, or see it on the next square. It may take a missed piece to be under another,
    think that a piece is under one, or mistake a colour.
    """
    was, is_now = _standing(board, before), _standing(board, now)
    gone, come = was - is_now, is_now - was
    if not come:
        return bool(gone)
    if come.total() > 1 or gone.total() > 1:
        return False
    ((seat, steps),) = come
    place = place_of(board, board.seats[seat], steps)
    if steps != board.home and any(place_of(board, board.seats[s], at) == place for s, at in was):
        return True
    return any(s == seat and _are_neighbours(board, at, steps) for s, at in gone)


def _standing(board: Board, seen: Position) -> Counter[tuple[int, int]]:
    """The pieces out of base, as (seat, steps)."""
    return Counter((seat, steps) for seat, pieces in enumerate(seen) for steps in pieces if steps != BASE)


@dataclass(frozen=True)
class _Unseen:
    """Pieces of one colour that are not seen.

    `hidden`: the steps of those in stacks. `at_home`, `in_base`, `vanished`: how many are home, in base, or
    gone from the track. `from_chute`: how many of the vanished were in the chute.
    """

    hidden: tuple[int, ...]
    at_home: int
    in_base: int
    vanished: int
    from_chute: int


def _kindest_of(costs: Iterable[dict[str, float]]) -> dict[str, float]:
    """What each place of the last reading costs at its kindest reading (nats)."""
    *others, last = costs
    return {
        place: min(cost, *(each.get(place, 0.0) for each in others), cost) for place, cost in last.items()
    }


@lru_cache(maxsize=512)
def _layout(board: Board, position: Position) -> dict[str, dict[str, int]]:
    """What each occupied place holds."""
    places: dict[str, dict[str, int]] = {}
    for colour, pieces in zip(board.seats, position, strict=True):
        for steps in pieces:
            place = places.setdefault(place_of(board, colour, steps), {})
            place[colour] = place.get(colour, 0) + 1
    return places


def places_moved(board: Board, before: Position, after: Position) -> set[str]:
    """The places that pieces leave or reach if one board is made into another."""
    return {
        board.place(move.seat, steps)
        for move in moves_between(before, after)
        for steps in (move.start, move.end)
    }


def in_play(board: Board, position: Position) -> Position:
    """The steps of the pieces on track and chute, per seat."""
    return tuple(tuple(s for s in pieces if s not in (BASE, board.home)) for pieces in position)


def place_of(board: Board, colour: str, steps: int) -> str:
    """The name of a place, as in `Alternative.place`: a track square's number, or colour and steps."""
    return board.place(board.seat(colour), steps)


def pieces_at(board: Board, position: Position, place: str) -> int:
    """How many pieces of all colours a place holds."""
    return sum(_layout(board, position).get(place, {}).values())


def side_at(board: Board, position: Position, seat: int, place: str) -> int:
    """How many pieces of a seat and its partner a place holds."""
    layout = _layout(board, position).get(place, {})
    return sum(layout.get(board.seats[each], 0) for each in {seat, board.partner(seat)})


def steps_at(board: Board, place: str, colour: str) -> int:
    """The steps at which a colour's piece stands on a place that `place_of` names."""
    _, space, steps = place.rpartition(" ")
    return int(steps) if space else board.steps_on(board.seat(colour), int(place))


@lru_cache
def _is_out_of_play(board: Board, place: str) -> bool:
    """Whether a place is base or home, where an unseen piece proves nothing."""
    _, space, steps = place.rpartition(" ")
    return bool(space) and int(steps) in (BASE, board.home)


@lru_cache
def _corner_cell(board: Board, colour: str) -> tuple[int, int] | None:
    return Plan(board).cell(board.seat(colour), CORNER) if board.arms == 4 else None


def as_contents(contents: Contents) -> frozenset[tuple[str, int]]:
    return frozenset((colour, n) for colour, n in contents.items() if n)


def _has_grown(seen: Contents, wanted: Contents, stood: Contents) -> bool:
    """Whether a stack that counts as unchanged is seen with more pieces of its own colours."""
    is_more = seen.keys() == wanted.keys() and sum(seen.values()) > sum(wanted.values())
    return sum(wanted.values()) > 1 and wanted == stood and is_more


def _is_left(seen: Contents, wanted: Contents, stood: Contents) -> bool:
    """Whether a place shows what has come there together with what stood there and should be gone."""
    has_come = wanted.keys() - stood.keys()
    should_be_gone = stood.keys() - wanted.keys()
    return bool(has_come and seen.keys() >= wanted.keys() and seen.keys() & should_be_gone)
