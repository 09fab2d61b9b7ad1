"""What the camera shows between two visits of a hand, and what must be misread if a board is true.

A `Mismatch` is a piece that stands in one place and is read in another. Either the reader made it
(`ReadBoard.price`), or a person did (`stories`). There is nothing else to weigh.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from uckers_table.game.board import BASE, CORNER, Board, Plan
from uckers_table.game.position import Position
from uckers_table.referee import prices
from uckers_table.sighting import ASTRAY, Sighting

NOWHERE, NOBODY = -9, -8
"""The end of a piece that is not seen, and the start of one more than there are. Neither is a step."""
PRICELESS = 99.0
"""Dearer than anything that is weighed (nats)."""
RUNS = 6
"""So many different readings of a look are kept: the last ones."""
CACHED = 16384
"""So many answers are kept that would be the same again."""

_Contents = frozenset[tuple[str, int]]
"""What a place holds: colours, each with how many."""


class Mismatch(NamedTuple):
    """A piece of a seat that stands on step `start` and is read on step `end`."""

    seat: int
    start: int
    end: int


_Mismatches = frozenset[Mismatch]


class Misread(NamedTuple):
    """What is known of the reader. What it misreads: `now`, since the last ruling; `once`, and the piece
    has not been moved since. `trust`: what each error costs more on this table than usual (nats). `stood`:
    where the pieces stood at the last ruling. All but `now` was read rightly there; () if nothing was read.
    """

    now: _Mismatches = frozenset()
    once: _Mismatches = frozenset()
    trust: float = 0.0
    stood: Position = ()


class Priced(NamedTuple):
    """What the reader misread, and its price (nats) at one reading.

    `is_near_a_line`: the piece is said to lie near the line across which it is read. `was_right`: nothing has
    changed where it stands, nor where it is read, since that was read rightly.
    """

    mismatch: Mismatch
    nats: float
    is_near_a_line: bool
    was_right: bool


class TrackRecord(NamedTuple):
    """How the reader has done at this table: `errors` in so many `plays`, and so many `dice` `misread`."""

    errors: float = 0.0
    plays: int = 0
    dice: int = 0
    misread: int = 0

    @property
    def trust(self) -> float:
        """What each error costs more than usual (nats)."""
        return prices.trust(self.errors, self.plays)

    @property
    def die(self) -> float:
        """What it costs that a die on the board shows a certain other face (nats)."""
        return prices.die(self.dice, self.misread)


UNTRIED = TrackRecord()


@dataclass
class ReadBoard:
    """One sighting, laid out. `seen`: the steps per seat. `number`: of the reading, as in `Sighting`; 0 for a
    frame that says of no reading that it is new.
    """

    board: Board
    seen: Position
    told: Mapping[tuple[str, _Contents], float]
    """What else a place may hold, with its cost (nats)."""
    lines: Mapping[tuple[str, str], float]
    """From a place to the place across a line, or ASTRAY if that is no place, with the cost (nats)."""
    number: int = 0
    doubt: float = 0.0
    """What it costs more that anything is misread here, as sure as the reader is (nats)."""
    found: dict[tuple[Position, _Mismatches], tuple[Mismatch, ...]] = field(
        default_factory=dict, compare=False
    )
    """The mismatches of the boards that were asked for."""
    priced: dict[tuple[Position, Misread], tuple[Priced, ...]] = field(default_factory=dict, compare=False)
    """What was asked for of `priced_further`."""

    @classmethod
    def of(cls, board: Board, sighting: Sighting) -> ReadBoard:
        """A sighting on a board. Left out are strays that are not on their own corner, and alternatives on
        squares where no piece of the game stands.
        """
        told: dict[tuple[str, _Contents], float] = {}
        lines: dict[tuple[str, str], float] = {}
        for each in sighting.alternatives:
            if each.across:
                across = each.place, each.across
                lines[across] = min(each.cost, lines.get(across, PRICELESS))
            else:
                key = each.place, frozenset((colour, n) for colour, n in each.contents.items() if n)
                told[key] = min(each.cost, told.get(key, PRICELESS))
        at_corners = _at_corners(board, sighting)
        seen = tuple(
            tuple(sorted((*sighting.pieces.get(colour, ()), *at_corners.get(colour, ()))))
            for colour in board.seats
        )
        doubt = next(cost for least, cost in prices.SURENESS if sighting.confidence >= least)
        is_counted = sighting.reading > 0
        return cls(board, seen, told, lines, sighting.reading, doubt if is_counted else min(0.0, doubt))

    def mismatches(self, position: Position, known: _Mismatches = frozenset()) -> tuple[Mismatch, ...]:
        """What was misread if the pieces stand so: the fewest, and of as few those that are known."""
        key = position, known
        found = self.found.get(key)
        if found is None:
            found = self.found[key] = tuple(
                mismatch
                for seat, (stands, seen) in enumerate(zip(position, self.seen, strict=True))
                if stands != seen
                for mismatch in _paired_as_known(self.board.home, seat, stands, seen, known)
            )
        return found

    def further(self, position: Position, known: _Mismatches) -> list[Mismatch]:
        """What was misread if the pieces stand so, beyond what is known."""
        return [each for each in self.mismatches(position, known) if each not in known]

    def priced_further(self, position: Position, known: Misread) -> tuple[Priced, ...]:
        """The same, each with its price."""
        key = position, known
        priced = self.priced.get(key)
        if priced is None:
            priced = self.priced[key] = tuple(
                self.price(each, position, known) for each in self.further(position, known.now)
            )
        return priced

    def price(self, mismatch: Mismatch, position: Position, known: Misread) -> Priced:
        """What it costs that the reader, and nobody else, made this mismatch."""
        cost, was_right = self._if_untold(mismatch, position), False
        if self.number:
            was_right = self._was_right(mismatch, position, known)
            cost = max(prices.ONCE_MORE, cost + known.trust + prices.RIGHT_BEFORE * was_right)
        if mismatch in known.once:
            cost = min(cost, prices.ONCE_MORE)
        told = self.told_price(mismatch, position)
        if told is not None and told <= cost:
            cost, was_right = told, False
        return Priced(mismatch, cost, self.is_near_a_line(mismatch), was_right)

    def _was_right(self, mismatch: Mismatch, position: Position, known: Misread) -> bool:
        """Whether its two places hold what they held when they were read rightly."""
        if not known.stood:
            return False
        was, now = contents(self.board, known.stood), contents(self.board, position)
        wrong = {place for each in known.now | known.once for place in self._places(each)}
        return all(
            was.get(place) == now.get(place) and place not in wrong for place in self._places(mismatch)
        )

    def _places(self, mismatch: Mismatch) -> list[str]:
        """Where it stands and where it is read, as far as that is a place."""
        seat, start, end = mismatch
        return [self.board.place(seat, steps) for steps in (start, end) if steps not in (NOWHERE, NOBODY)]

    def told_price(self, mismatch: Mismatch, position: Position) -> float | None:
        """The same where the reader offers the truth as an alternative; None where it does not."""
        across = self._across(mismatch)
        if across is not None:
            return self._prices["across"][0] + across
        if mismatch.start == NOBODY:
            return None
        here = self.board.place(mismatch.seat, mismatch.start)
        # "Here may stand one more" is seldom said where none does.
        cost = self.told.get((here, contents(self.board, position).get(here, frozenset())))
        return None if cost is None else self._prices[self._kind(mismatch, position)][1] + cost

    def is_near_a_line(self, mismatch: Mismatch) -> bool:
        """Whether the piece is said to lie near the line across which it is read."""
        return self._across(mismatch) is not None

    def _across(self, mismatch: Mismatch) -> float | None:
        """What it costs that a piece that is said to lie near a line is read across it (nats)."""
        seat, start, end = mismatch
        if start == NOBODY:
            return None
        here = self.board.place(seat, start)
        there = ASTRAY if end == NOWHERE else self.board.place(seat, end)
        return self.lines.get((there, here), self.lines.get((here, there)))

    def _if_untold(self, mismatch: Mismatch, position: Position) -> float:
        board, (seat, start, end) = self.board, mismatch
        kind = self._kind(mismatch, position)
        untold = self._prices[kind][0]
        if self.number and kind in ("under", "base"):
            untold = self._prices[self._unseen(board.place(seat, start), position)][0] + prices.PUT_THERE
        if end == NOWHERE:
            return untold
        there = board.place(seat, end)
        cost = self.told.get((there, contents(board, position).get(there, frozenset())))
        # "Here may stand one fewer" is said of every fourth piece that does stand there.
        return untold if cost is None else min(untold, untold - prices.FEWER[0] + prices.FEWER[1] * cost)

    @property
    def _prices(self) -> Mapping[str, tuple[float, float]]:
        return prices.READER if self.number else prices.FRAMES

    def total(self, position: Position, known: Misread) -> float:
        """What is misread here costs, if the pieces stand so (nats)."""
        found = self.priced_further(position, known)
        return self.doubted({each.mismatch: each.nats for each in found}, position, known)

    def doubted(self, costs: Mapping[Mismatch, float], position: Position, known: Misread) -> float:
        """What errors cost together, as sure as the reader is (nats).

        How sure it is says whether anything is misread, not how much. So it is no evidence of further errors
        where one is known, and one unsureness makes only the cheapest cheaper. Of a piece that it says may
        lie across a line it has said how sure it is.
        """
        cost = summed(costs.items())
        misread = [price for each, price in costs.items() if not self.is_near_a_line(each)]
        if not misread:
            return cost
        explained = self._explained(position, known)
        if self.doubt > 0:
            return cost + self.doubt * (explained > 0)
        return max(prices.LEAST, cost - min(-self.doubt, explained, min(misread) - prices.LEAST))

    def _explained(self, position: Position, known: Misread) -> float:
        """The least that errors cost which are read here whatever else is (nats): those that are known, and
        pieces in base or at home that are not seen there, if that is told.
        """
        if not known.now.isdisjoint(self.mismatches(position, known.now)):
            return 0.0
        return min(
            (
                cost
                for seat, pen, number, cost in self._told_short
                if self.seen[seat].count(pen) < number <= position[seat].count(pen)
            ),
            default=PRICELESS,
        )

    @cached_property
    def _told_short(self) -> list[tuple[int, int, int, float]]:
        """The seat, the step (of base or home), how many of its pieces may be there, and the cost (nats)."""
        board, short = self.board, self._prices["short"][1]
        pens = {
            (board.place(seat, pen), colour): (seat, pen)
            for seat, colour in enumerate(board.seats)
            for pen in (BASE, board.home)
        }
        return [
            (*pens[place, colour], number, short + cost)
            for (place, held), cost in self.told.items()
            for colour, number in (held if len(held) == 1 else ())
            if (place, colour) in pens
        ]

    def lying_near(self, position: Position) -> list[tuple[Mismatch, float]]:
        """The pieces that lie near a line, from where they stand to its other side. With each the cost of
        this side, where it is read on the other (nats).
        """
        found = []
        for seat, start in {(seat, steps) for seat, four in enumerate(position) for steps in four}:
            for end in (start - 1, start + 1):
                if not BASE < end < self.board.home:
                    continue
                mismatch = Mismatch(seat, start, end)
                cost = self._across(mismatch)
                if cost is not None:
                    is_read_there = start not in self.seen[seat] and end in self.seen[seat]
                    found.append((mismatch, cost if is_read_there else 0.0))
        return found

    def is_looked_for(self, mismatch: Mismatch, position: Position) -> bool:
        """Whether a piece that lies nowhere on the board is taken to be under its own side's."""
        is_off = mismatch.start in (BASE, self.board.home) and mismatch.end != NOWHERE
        return is_off and self._kind(mismatch, position) == "more"

    def _kind(self, mismatch: Mismatch, position: Position) -> str:
        """The row of READER that prices it."""
        board, (seat, start, end) = self.board, mismatch
        out = (BASE, board.home)
        if start == NOBODY:
            return "extra"
        if end == NOWHERE:
            return self._unseen(board.place(seat, start), position)
        if end in out:
            return "base" if end == BASE else "home"
        place = board.place(seat, end)
        stands = dict(contents(board, position).get(place, ()))
        is_side = bool(stands) and bool({board.seats[seat], board.seats[board.partner(seat)]} & stands.keys())
        if start not in out and not is_side:
            return "beside" if abs(start - end) == 1 else "far"
        if start not in out:
            return "under"
        if is_side:
            return "more"
        return "colour" if stands and not self._held(place).keys() & stands.keys() else "ghost"

    def _unseen(self, place: str, position: Position) -> str:
        seen = self._held(place)
        if not seen:
            return "missed"
        if not any(colour in seen for colour, _ in contents(self.board, position).get(place, ())):
            return "colour"
        return "short"

    def _held(self, place: str) -> dict[str, int]:
        return dict(contents(self.board, self.seen).get(place, ()))


@lru_cache(maxsize=CACHED)
def _paired_as_known(
    home: int, seat: int, stands: tuple[int, ...], seen: tuple[int, ...], known: _Mismatches
) -> tuple[Mismatch, ...]:
    """The fewest new mismatches of one colour, and with as few those that are known."""
    plain = _paired(home, seat, stands, seen)
    was, now, again = Counter(stands), Counter(seen), list[Mismatch]()
    for each in sorted(known):
        is_read = each.end == NOWHERE or now[each.end] > 0
        if each.seat == seat and each not in plain and each.start != NOBODY and was[each.start] and is_read:
            again.append(each)
            was[each.start] -= 1
            if each.end != NOWHERE:
                now[each.end] -= 1
    if not again:
        return plain
    rest = _paired(home, seat, tuple(sorted(was.elements())), tuple(sorted(now.elements())))
    # One piece more than there are is read as good as never: one that was missed has been moved, then.
    is_as_few = _strange(rest, known) <= _strange(plain, known)
    return (*again, *rest) if is_as_few else plain


def _strange(found: tuple[Mismatch, ...], known: _Mismatches) -> tuple[int, int]:
    """How many mismatches are of more pieces than there are, and how many are not known."""
    return sum(each.start == NOBODY for each in found), len(set(found) - known)


@lru_cache(maxsize=CACHED)
def _paired(home: int, seat: int, stands: tuple[int, ...], seen: tuple[int, ...]) -> tuple[Mismatch, ...]:
    """The fewest mismatches of one colour. Pieces in base and at home need not be seen there."""
    out = (BASE, home)
    was, now = Counter(stands), Counter(seen)
    lost = sorted(steps for steps in (was - now).elements() if steps not in out)
    more = sorted((now - was).elements())
    found = []
    for near in (True, False):
        for end in [*more]:
            starts = [s for s in lost if not near or (abs(s - end) == 1 and end not in out)]
            if starts:
                start = min(starts, key=lambda steps: abs(steps - end))
                found.append(Mismatch(seat, start, end))
                lost.remove(start)
                more.remove(end)
    unseen = was - now
    for end in more:
        start = next((steps for steps in out if unseen[steps] > 0 and steps != end), NOBODY)
        unseen[start] -= 1
        found.append(Mismatch(seat, start, end))
    return (*found, *(Mismatch(seat, start, NOWHERE) for start in lost))


def _at_corners(board: Board, sighting: Sighting) -> Mapping[str, tuple[int, ...]]:
    """The pieces on their own corner, which no piece uses: the reader tells them as strays."""
    if board.arms != 4:
        return {}
    astray = {colour for each in sighting.alternatives if each.across == ASTRAY for colour in each.contents}
    found: dict[str, tuple[int, ...]] = {}
    for stray in sighting.stray:
        colour = stray.colour
        if colour in board.seats and colour not in astray:
            is_there = stray.cell == Plan(board).cell(board.seat(colour), CORNER)
            found[colour] = (*found.get(colour, ()), *((CORNER,) if is_there else ()))
    return found


@lru_cache(maxsize=CACHED)
def contents(board: Board, position: Position) -> Mapping[str, _Contents]:
    """What each place holds."""
    held: dict[str, Counter[str]] = {}
    for seat, (colour, pieces) in enumerate(zip(board.seats, position, strict=True)):
        for steps in pieces:
            held.setdefault(board.place(seat, steps), Counter())[colour] += 1
    return {place: frozenset(counts.items()) for place, counts in held.items()}


class SameBoard(NamedTuple):
    """The same board read for a while (seconds): in so many sightings, of so many readings."""

    reading: ReadBoard
    since: float
    until: float
    times: int = 1
    readings: int = 1


@dataclass(frozen=True)
class LongLook:
    """All sightings since a hand was last over the board, or since something was ruled."""

    runs: tuple[SameBoard, ...]
    began: float

    @classmethod
    def first(cls, t: float, reading: ReadBoard) -> LongLook:
        """A look that begins with this reading."""
        return cls((SameBoard(reading, t, t),), t)

    def then(self, t: float, reading: ReadBoard) -> LongLook:
        """The look with one more sighting."""
        last = self.last
        if last.reading.seen != reading.seen:
            return LongLook((*self.runs[1 - RUNS :], SameBoard(reading, t, t)), self.began)
        readings = last.readings + (reading.number != last.reading.number)
        if readings > last.readings:
            # Readings of one board are one witness, as sure as they are on the whole.
            doubt = last.reading.doubt + (reading.doubt - last.reading.doubt) / readings
            reading = replace(reading, doubt=doubt)
        elif reading.number or reading == last.reading:
            reading = last.reading
        return LongLook(
            (*self.runs[:-1], SameBoard(reading, last.since, t, last.times + 1, readings)), self.began
        )

    def waited(self, was: float, t: float, times: int) -> LongLook:
        """The look that ended with a sighting at `was`, with so many more of the same until `t` (seconds)."""
        last = self.last
        if last.until != was:
            return self
        return LongLook((*self.runs[:-1], last._replace(until=t, times=last.times + times)), self.began)

    def from_last(self, began: float) -> LongLook:
        """What goes on after a ruling: the last run alone."""
        return LongLook((self.last,), began)

    @property
    def last(self) -> SameBoard:
        """What is read now."""
        return self.runs[-1]

    def alike(self, position: Position) -> tuple[float, int]:
        """Since when, and in how many sightings, the same is misread as now if the pieces stand so.

        A piece in base or at home need not be seen there.
        """
        now, since, times = self.last.reading.mismatches(position), self.last.since, 0
        for run in reversed(self.runs):
            if run.reading.mismatches(position) != now:
                break
            since, times = run.since, times + run.times
        return since, times

    @property
    def times(self) -> int:
        """How many sightings there were."""
        return sum(run.times for run in self.runs)

    def may_be_read_again(self, most: int) -> bool:
        """Whether what is read now rests on fewer readings than this, and another can be had."""
        return self.last.reading.number > 0 and self.last.readings < most

    def passing(self, position: Position, known: _Mismatches, before: Position = ()) -> _Mismatches:
        """What was misread for a while, and is no longer, if the pieces stood so all the time.

        `before`: where they stood at first, if they may have been moved meanwhile. What is read like that is
        no error.
        """
        found = (
            each
            for run in self.runs[:-1]
            if not before or not _is_nearer(run.reading, before, position, known)
            for each in run.reading.mismatches(position, known)
        )
        return frozenset(found) - {*self.last.reading.mismatches(position, known)}

    def cost(
        self,
        position: Position,
        known: Misread,
        t: float,
        runs: tuple[SameBoard, ...] | None = None,
    ) -> float:
        """What the reader must have misread up to a time if the pieces stand so (nats).

        Each error counts once, by its kind and by how long it has lasted. `runs`: of these runs only.
        """
        spans: dict[Mismatch, _Span] = {}
        strayed = {each.seat for each in known.now if self.last.reading.is_looked_for(each, position)}
        runs = self.runs if runs is None else runs
        misread_at, ends = self.last.reading, [*(run.since for run in runs[1:]), t]
        for (reading, since, _, _, readings), until in zip(runs, ends, strict=True):
            for mismatch, price, is_near_a_line, was_right in reading.priced_further(position, known):
                span = spans.get(mismatch, _NO_SPAN)
                if price <= span.price:
                    span = span._replace(price=price, was_right=was_right)
                if mismatch.seat in strayed and reading.is_looked_for(mismatch, position):
                    span = span._replace(price=prices.ELSEWHERE)
                lasted = until - since + (span.lasted if span.until == since else 0.0)
                read = span.readings + readings
                if is_near_a_line:
                    # Where a piece lies does not end with time, nor with another reading.
                    lasted, read = 0.0, 1
                spans[mismatch] = span._replace(
                    lasted=lasted, until=until, readings=read, is_counted=reading.number > 0
                )
                misread_at = reading
        costs = {each: span.cost for each, span in spans.items()}
        return misread_at.doubted(costs, position, known)


def _is_nearer(reading: ReadBoard, one: Position, other: Position, known: _Mismatches) -> bool:
    return len(reading.mismatches(one, known)) < len(reading.mismatches(other, known))


class _Span(NamedTuple):
    """One error: its price, how long it lasted up to a time (seconds), at how many readings."""

    price: float = PRICELESS
    was_right: bool = False
    lasted: float = 0.0
    until: float = -1.0
    readings: int = 0
    is_counted: bool = False

    @property
    def cost(self) -> float:
        """The price with what it costs that it lasts: by readings, where they are counted (nats)."""
        if self.is_counted:
            return self.price + prices.again(self.was_right, 1, self.readings - 1)
        return self.price + prices.lasting(self.lasted)


_NO_SPAN = _Span()


def summed(costs: Iterable[tuple[Mismatch, float]]) -> float:
    """The sum (nats). All pieces that are not seen cost at most what a hand costs that was not noticed."""
    unseen = seen = 0.0
    for mismatch, price in costs:
        if mismatch.end == NOWHERE:
            unseen += price
        else:
            seen += price
    return seen + min(unseen, prices.COVERED)
