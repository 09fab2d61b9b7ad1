"""From tops found to pieces claimed: who stands where, what else it might be, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np

from uckers_table.game.board import BASE, PIECES, Plan
from uckers_table.sighting import ASTRAY, LEAST_COST, Alternative, Stray
from uckers_table.vision.pieces.across import across_a_line
from uckers_table.vision.pieces.hidden import Added, share_out
from uckers_table.vision.pieces.pieces import MIN_SCORE, Stack
from uckers_table.vision.place.camera import CameraModel

_DOUBT = 4.0
"""Alternatives that cost more nats than this are not told."""
_MIXED = 0.7
"""Nats against pieces of partners on each other, rather than pieces of one colour."""
_STACKED, _HIGHER = 2.3, 1.0
"""Nats against a piece under another, and against each further one. Of sixteen pieces one or two lie under
others.
"""
_BESIDE = 3.0
"""Nats against a stack on a square that other tops share. People put pieces either beside each other or on
each other.
"""
_OFF_MM, _OFF_BESIDE_MM = 4.5, 9.0
"""How far off the middle of a square pieces are put, in x and in y (the standard deviation): alone, and
beside others.
"""
_DOUBTFUL = 0.6
"""Nats taken off a top that is too doubtful to be claimed for its looks, if it is to stand for a missing
piece. Most tops like that are shadows and dirt.
"""
_CLAIMED = 2.0
"""Nats that a claimed top has besides its own score: it was chosen before others, as one of four at most. On
degraded frames one claim in hundreds is wrong; by the scores alone one in twelve would be. In somebody's
shadow nothing is added.
"""
_POOREST = -2.4
"""The least log-odds (nats) of a top that stands for a missing piece. Of poorer ones too few are pieces."""
_ANYWHERE = 1.0
"""Nats against a foot at home, where pieces stand anywhere, compared with the middle of a square."""
_HARDLY_SHOWS = 0.5
"""Nats that a side says at most against each unseen piece at home. The nets of stacks learned none there, and
the lens is nearly above. They spoke by 2.5 nats and more against a second piece at 10 of 11 single pieces,
but also at 6 of 11 stacks. Where the shadows told anything, they were right at 14 of 14 (W701, `--full-of
homes --count 4`).
"""
_ASTRAY = 5.0
"""Nats against a piece that stands where its colour never does."""
_LOST = 5.0
"""Nats against a piece that is neither seen nor under a top. Of 832 labelled pieces 5 lay on the floor."""


@dataclass(frozen=True)
class Settled:
    """The pieces of one frame.

    `pieces` are those claimed, as steps per colour, and `stray` those that stand where their colour never
    does. `alternatives` say what else places may hold. `odds` (nats) are those that the board is right where
    it is least sure: a claim, a choice between two tops, or what else a place may hold. Where a piece is
    missing, it stands as likely unseen on the board as beside it. They are -inf if nothing is claimed. Odds
    and costs are as reckoned here (`vision.sureness` sets them right).
    """

    pieces: dict[str, tuple[int, ...]]
    stray: tuple[Stray, ...]
    alternatives: tuple[Alternative, ...]
    odds: float


@dataclass(frozen=True)
class _Explained:
    """What a place holds besides its sure pieces.

    `added` is claimed. `others` has what else it may hold, and the cost in nats. A cost is below 0 where a
    content is likelier than what is claimed, but the place itself does not show it.
    """

    added: Added = ()
    others: Mapping[Added, float] = field(default_factory=dict)


@dataclass(frozen=True)
class _Claim:
    """A top, the pieces claimed with it, what else it may be, and its foot on the plan (mm). A top that is
    too doubtful has no pieces claimed with it.
    """

    top: Stack
    explained: _Explained
    x_mm: float
    y_mm: float

    @cached_property
    def seats(self) -> Counter[int]:
        return self.having(self.explained.added)

    def having(self, added: Added) -> Counter[int]:
        """How many pieces of each seat stand there if `added` ones join what is sure."""
        return Counter([self.top.colour] * self.top.is_sure) + Counter(added)


def settle(
    stacks: Sequence[Stack], plan: Plan, camera: CameraModel, piece_height_mm: float, hand: bool
) -> Settled:
    """The pieces that these tops show.

    With a `hand` over the board only tops beyond doubt are claimed, and no unseen pieces.
    """
    table = _Table(plan, camera, piece_height_mm)
    claimed = [s for s in stacks if s.is_sure or (s.is_claimed and not hand)]
    tops = most_four(claimed)
    doubtful = [s for s in stacks if not s.is_claimed]
    claims = []
    for top, explained in zip([*tops, *doubtful], _explained(tops, doubtful, table, hand), strict=True):
        height = max(1, len(explained.added) + top.is_sure)
        claims.append(_Claim(top, explained, *table.foot(top, height)))
    seats = plan.board.seats
    pieces: dict[str, list[int]] = {colour: [] for colour in seats}
    strays: list[Stray] = []
    held: dict[str, Counter[int]] = {}
    for claim in claims:
        for seat in claim.seats.elements():
            steps = steps_under(plan, seat, claim.x_mm, claim.y_mm)
            if steps is None:
                strays.append(Stray(seats[seat], plan.cell_at(claim.x_mm, claim.y_mm)))
            else:
                pieces[seats[seat]].append(steps)
        place = _place(plan, claim.top.colour, claim.x_mm, claim.y_mm)
        if place is not None:
            held.setdefault(place, Counter()).update(claim.seats)
    instead = list(_instead(claims, [s for s in claimed if s not in tops]))
    odds = [*(_odds(claim.top) for claim in claims if claim.seats), *(cost for _, _, cost in instead)]
    odds += [max(LEAST_COST, cost) for claim in claims for cost in claim.explained.others.values()]
    found = Counter(seats[seat] for claim in claims for seat in claim.seats.elements())
    if not hand and any(0 < n < PIECES for n in found.values()):
        odds.append(LEAST_COST)
    return Settled(
        {colour: tuple(sorted(steps)) for colour, steps in pieces.items()},
        tuple(strays),
        _alternatives(claims, instead, table, held),
        min(odds, default=-np.inf),
    )


def steps_under(plan: Plan, seat: int, x_mm: float, y_mm: float) -> int | None:
    """The steps of a seat's piece at this place of the plan (mm); None where its colour never stands."""
    cell = plan.cell_at(x_mm, y_mm)
    if cell is None:
        return None
    if plan.base_of(cell) == seat:
        return BASE
    if plan.is_home(cell):
        return plan.board.home
    return plan.steps_by_cell[seat].get(cell)


@dataclass(frozen=True)
class _Table:
    plan: Plan
    camera: CameraModel
    height_mm: float

    def foot(self, top: Stack, height: int) -> tuple[float, float]:
        """The foot (x, y) of a stack of this height, in pieces. A higher stack with the same top stands
        nearer to the lens.
        """
        if height == 1:
            return top.x_mm, top.y_mm
        seen = self.camera.lifted([(top.x_mm, top.y_mm)], self.height_mm)
        x, y = self.camera.grounded(seen, self.height_mm * height)[0]
        return float(x), float(y)

    def fits(self, is_high: bool, is_beside: bool, x_mm: float, y_mm: float) -> float:
        """The log-odds (nats) of a foot at this place of the plan, for pieces whose colours may stand there.

        `is_high` means that a stack stands on it, and `is_beside` that other pieces stand beside it. A stack
        in base gives -inf.
        """
        cell = self.plan.cell_at(x_mm, y_mm)
        if cell is None:
            return -_ASTRAY
        if self.plan.base_of(cell) is not None:
            return -np.inf if is_high else 0.0
        if self.plan.is_home(cell):
            return -_ANYWHERE
        x, y = self.plan.centre_mm(cell)
        spread = _OFF_BESIDE_MM if is_beside else _OFF_MM
        return -((x_mm - x) ** 2 + (y_mm - y) ** 2) / (2 * spread**2)


def most_four(stacks: Iterable[Stack]) -> list[Stack]:
    """At most four tops of each colour, the best ones. In somebody's shadow a claim is worth less."""
    tops, count = [], Counter[int]()
    for top in sorted(stacks, key=lambda s: -_odds(s)):
        if count[top.colour] < PIECES:
            count[top.colour] += 1
            tops.append(top)
    return tops


def _odds(top: Stack) -> float:
    """The log-odds (nats) of a top that is claimed."""
    return top.score + _CLAIMED * top.is_lit


def _instead(claims: Sequence[_Claim], left: Iterable[Stack]) -> Iterator[tuple[Stack, _Claim, float]]:
    """Yields the tops that were `left` because their colour has four better ones.

    Each comes with the poorest claim of its colour and the cost in nats of taking it instead.
    """
    for top in left:
        poorest = min(
            (claim for claim in claims if claim.seats and claim.top.colour == top.colour),
            key=lambda claim: _odds(claim.top),
            default=None,
        )
        if poorest is not None:
            yield top, poorest, _odds(poorest.top) - _odds(top)


def _explained(
    tops: Sequence[Stack], doubtful: Sequence[Stack], table: _Table, hand: bool
) -> list[_Explained]:
    """What is under each top, and whether a top that is not sure is there at all.

    Each colour has four pieces. A missing one makes every place that may hold it likelier. But an unseen
    piece is claimed only where its place itself shows it, and as surely as that: the missing piece may lie on
    the floor. Elsewhere it is told.
    """
    board = table.plan.board
    places = [*tops, *doubtful]
    out = [_Explained()] * len(places)
    if hand:
        return out
    count = Counter(top.colour for top in tops)
    sure = Counter(top.colour for top in tops if top.is_sure)
    on_cell = Counter(table.plan.cell_at(top.x_mm, top.y_mm) for top in tops)
    for seat in range(board.arms // 2):
        pair = seat, board.partner(seat)
        # A colour of which nothing is seen is hardly in the game: none of its pieces are missing.
        one, other = ((PIECES - sure[each]) * (count[each] > 0) for each in pair)
        missing = one, other
        if missing == (0, 0):
            continue
        ours = [
            k
            for k, top in enumerate(places)
            if top.colour in pair and count[top.colour] and (top.is_claimed or top.score > _POOREST)
        ]
        gains = [_gains(places[k], pair, table, on_cell) for k in ours]
        shown = [_shown(of, places[k]) for k, of in zip(ours, gains, strict=True)]
        claimed = share_out(shown, pair, missing, _LOST)
        likely = share_out(gains, pair, missing, _LOST)
        for k, of, here, by_count in zip(ours, gains, claimed, likely, strict=True):
            out[k] = _with_others(here.added, of, by_count.costs, places[k])
    return out


def _shown(gains: Mapping[Added, float], top: Stack) -> dict[Added, float]:
    """The contents that are likelier by themselves than any with fewer unseen pieces."""
    return {
        u: gain
        for u, gain in gains.items()
        if all(gain > other for v, other in gains.items() if _unseen(v, top) < _unseen(u, top))
        or not _unseen(u, top)
    }


def _with_others(
    added: Added, gains: Mapping[Added, float], costs: Mapping[Added, float], top: Stack
) -> _Explained:
    """What is claimed at a top's place, and what all else costs. `costs` are by the count of pieces."""
    others = {u: cost - costs[added] for u, cost in costs.items() if u != added}
    for u in others:
        if _unseen(u, top) < _unseen(added, top):
            others[u] = min(others[u], gains[added] - gains[u])
    return _Explained(added, others)


def _unseen(added: Added, top: Stack) -> int:
    """How many of the pieces added at a top's place would stand unseen under it."""
    return len(added) - (bool(added) and not top.is_sure)


def _gains(
    top: Stack, pair: tuple[int, int], table: _Table, on_cell: Counter[tuple[int, int] | None]
) -> dict[Added, float]:
    """The log-likelihood (nats) of everything that may be under a top, against nothing. A top that is not
    sure counts as a part of it.
    """
    plan = table.plan
    here = plan.cell_at(top.x_mm, top.y_mm)

    def fits(count: int, x_mm: float, y_mm: float) -> float:
        if steps_under(plan, top.colour, x_mm, y_mm) is None:
            return -_ASTRAY
        cell = plan.cell_at(x_mm, y_mm)
        is_beside = on_cell[cell] > (top.is_claimed and cell == here)
        fit = table.fits(count > 0, is_beside, x_mm, y_mm)
        return fit - _BESIDE * (count > 0 and is_beside)

    alone = fits(0, top.x_mm, top.y_mm)
    gains: dict[Added, float] = {(): 0.0}
    own = _odds(top) - alone if top.is_claimed else top.score - _DOUBTFUL
    if top.is_claimed and not top.is_sure:
        gains[top.colour,] = own + alone
    for count in range(len(top.under) + 1):
        x, y = table.foot(top, 1 + count)
        fit = fits(count, x, y)
        if fit == -np.inf or steps_under(plan, top.colour, x, y) is None:
            continue
        is_home = steps_under(plan, top.colour, x, y) == plan.board.home
        may = [
            seat
            for seat in pair
            if steps_under(plan, seat, x, y) is not None and not (is_home and seat != top.colour)
        ]
        for under in product(may, repeat=count):
            shadow = sum(top.shadow[:count])
            side = sum(top.under[k][seat] for k, seat in enumerate(under)) - shadow
            gain = fit + shadow + (max(side, -_HARDLY_SHOWS * count) if is_home else side)
            gain -= (
                _MIXED * (len({top.colour, *under}) > 1)
                + _STACKED * (count > 0)
                + _HIGHER * max(0, count - 1)
            )
            if not top.is_sure:
                gains[top.colour, *under] = gain + own
            elif count:
                gains[under] = gain - alone
    return gains


def _place(plan: Plan, seat: int, x_mm: float, y_mm: float) -> str | None:
    """A place as `Alternative` names it: a track square, or a colour's own base, chute or home. None where
    this seat's pieces never stand.
    """
    steps = steps_under(plan, seat, x_mm, y_mm)
    return plan.board.place(seat, steps) if steps is not None else None


def _alternatives(
    claims: Sequence[_Claim],
    instead: Iterable[tuple[Stack, _Claim, float]],
    table: _Table,
    held: dict[str, Counter[int]],
) -> tuple[Alternative, ...]:
    """What else places may hold, and what that costs, up to `_DOUBT` nats."""
    seats = table.plan.board.seats
    least: dict[tuple[str, frozenset[tuple[int, int]], str], Alternative] = {}

    def tell(place: str, contents: Counter[int], cost: float, across: str = "") -> None:
        key = place, frozenset(contents.items()), across
        if contents != held.get(place, Counter()) and cost < (least[key].cost if key in least else _DOUBT):
            named = {seats[seat]: n for seat, n in sorted(contents.items())}
            least[key] = Alternative(place, named, max(LEAST_COST, cost), across)

    for claim in claims:
        colour = claim.top.colour
        place = _place(table.plan, colour, claim.x_mm, claim.y_mm)
        rest = held.get(place, Counter()) - claim.seats if place is not None else Counter()
        beyond = across_a_line(table.plan, colour, claim.x_mm, claim.y_mm) if claim.seats else ()
        for x, y, cost in beyond:
            other = _place(table.plan, colour, x, y)
            if other is not None:
                tell(other, held.get(other, Counter()) + claim.seats, cost, place or ASTRAY)
            if other is not None and place is not None:
                tell(place, rest, cost, other)
        if place is None:
            continue
        if claim.top.is_claimed and claim.seats == Counter([colour]):
            tell(place, rest, _odds(claim.top))
        elif not claim.seats and not claim.top.is_claimed:
            tell(place, rest + Counter([colour]), MIN_SCORE - claim.top.score)
        for added, cost in claim.explained.others.items():
            tell(place, rest + claim.having(added), cost)
    for top, poorest, cost in instead:
        one = Counter([top.colour])
        here, there = (_place(table.plan, top.colour, at.x_mm, at.y_mm) for at in (top, poorest))
        if here == there:
            continue
        if here is not None:
            tell(here, held.get(here, Counter()) + one, cost)
        if there is not None and poorest.seats == one:
            tell(there, held[there] - one, cost)
    return tuple(least.values())
