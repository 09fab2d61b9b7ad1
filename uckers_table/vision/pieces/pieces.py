"""Finds pieces and stacks: first tops, each hiding the board behind it, then what stands under them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np

from uckers_table.game.board import PIECES
from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.light.appearance import Evidence, in_squares
from uckers_table.vision.picture.arrays import AnyFloats, Flags, Floats, Map, Mask, Places
from uckers_table.vision.picture.channels import gathered, places_at
from uckers_table.vision.pieces import cast, stack_net
from uckers_table.vision.pieces.disc_net import DiscNet, DiscsSaid
from uckers_table.vision.pieces.lamps import Lamps
from uckers_table.vision.pieces.rings import own_paint, round_places, shaded_places, square_px
from uckers_table.vision.pieces.shadows import Shadows
from uckers_table.vision.pieces.shape import Shape, draw_disc, paste
from uckers_table.vision.pieces.stack_net import HIGHEST
from uckers_table.vision.pieces.tops import (
    EDGE_CAP,
    FEW_PLACES,
    MANY_PLACES,
    SOME_PLACES,
    Discs,
    Likeness,
    Rims,
    are_lit,
    disc_places,
    discs_at,
    find_discs,
    placed_tops,
)

MIN_SCORE = 0.3
"""Log-odds (nats) from which a piece is claimed."""
SURE, SURE_IN_SHADOW = 3.0, 4.0
"""Log-odds (nats) from which a claimed piece is there beyond doubt, in the light and in somebody's shadow. Of
72 tops claimed in shadows with less, 41 are none: they are shapes of noise, and of lamps' images that are
gone. Of 70 with more, one is none.
"""
_DOUBTFUL = 3.0
"""A top with up to this many nats too few to be claimed is still told, as a doubt."""
_MIN_FREE = 0.4
"""The share of a top's edge that other pieces must leave free."""
_STRONG = 1.0
"""The least log-odds (nats) of a top within what looks like the side of a stack."""
_DIE_RADIUS_MM = 10.0
"""How far round the middle of its upper face a die covers the board."""
_OTHERS = 255
"""The value that marks, in masks, what dice and tops cover."""
_FIRM = 1.0
"""The least mean evidence (nats) of a stretch of side that is surely one."""


@dataclass(frozen=True)
class Stack:
    """A top, and what may stand under it.

    `colour` is the top's seat, and `score` its log-odds (nats) of being a top. `x_mm` and `y_mm` are the foot
    of a single piece with that top, on the plan. `under` (HIGHEST - 1, seats) is for the second, third and
    fourth piece from the top: the log-likelihood (nats) of each colour there, against bare board. `shadow`
    (HIGHEST - 1) is the part of it that follows from the shadow, whatever the colour.

    A stack that is not claimed is too doubtful, and told only as what else there might be. One that is not
    `is_lit` is in somebody's shadow.
    """

    colour: int
    x_mm: float
    y_mm: float
    score: float
    under: tuple[tuple[float, ...], ...] = ()
    shadow: tuple[float, ...] = (0.0,) * (HIGHEST - 1)
    is_claimed: bool = True
    is_lit: bool = True

    @property
    def pieces(self) -> int:
        """How many pieces high the stack is, by its side alone."""
        likely = [0.0, *accumulate(max(colours) for colours in self.under)]
        return 1 + likely.index(max(likely))

    @property
    def is_sure(self) -> bool:
        """Whether it is a stack beyond doubt, even if its piece could be explained otherwise."""
        return self.is_claimed and self.score > (SURE if self.is_lit else SURE_IN_SHADOW)


@dataclass(frozen=True)
class _Top:
    """A top that was found, and what of its window the pieces that may stand there cover."""

    at_px: Floats
    colour: int
    score: float
    shape: Shape

    @cached_property
    def window(self) -> tuple[int, int, int]:
        """The corner (x, y) and the side of the window, in pixels of the flat picture."""
        return self.shape.window(self.at_px)

    @cached_property
    def pieces(self) -> Mask:
        """What each piece of the highest stack covers in the window (see `Shape.stretches`)."""
        return self.shape.stretches(self.at_px, range(1, HIGHEST + 1))

    @cached_property
    def alone(self) -> Flags:
        """What the top's piece covers in the window if nothing is under it."""
        return self.shape.outline(self.at_px, 1).view(np.bool_)

    def covers(self, height: int) -> Flags:
        """What a stack of this `height`, in pieces, covers in the window."""
        return self.alone if height == 1 else np.asarray((self.pieces > 0) & (self.pieces <= height))


def find(
    seen: Evidence,
    shape: Shape,
    colours: Map,
    likely: AnyFloats | None = None,
    dice_px: Sequence[Floats] = (),
    min_score: float = MIN_SCORE,
    may_be_dice_px: Sequence[Floats] = (),
    is_clear: bool = True,
    scene: SeenScene | None = None,
) -> list[Stack]:
    """Finds all stacks in a frame, those that are claimed first.

    `colours` are as reflected: (seats, 3), or of several paints (paints, seats, 3). `likely` (size, size) is
    added to the log-odds (nats) of a piece by where its foot is. `dice_px` are the centres (2,) of dice's
    upper faces in the flat picture, and `may_be_dice_px` those of doubtful dice. A top is claimed from
    `min_score` nats on.

    What stands under tops is told only if there is a `scene`. The board `is_clear` if no hand is over it.
    Otherwise missing pieces are not looked for, since they may lie under the hand. Tops in somebody's shadow
    must then look like tops to the net.
    """
    by_dice = np.zeros(seen.now.shape[:2], dtype=np.uint8)
    _draw_dice(by_dice, dice_px, shape)
    places = disc_places(seen, shape)
    discs = find_discs(seen, places[: FEW_PLACES if is_clear else SOME_PLACES], shape)
    if not len(discs):
        return []
    like = Likeness(discs, seen, colours, shape)
    tops, doubts = _chosen(seen, discs, like, shape, likely, by_dice, min_score)
    paints = colours if colours.ndim == 2 else colours[0]
    thrown = None
    plainly = [top for top in tops if top.score >= min_score + _BARELY]
    if is_clear and (_counts(plainly, colours.shape[-2]) != PIECES).any():
        if len(places) > FEW_PLACES:
            discs = find_discs(seen, places[:MANY_PLACES], shape)
        like = Likeness(discs, seen, colours, shape, may_mirror=True)
        discs, like = placed_tops(discs, like, seen, colours, shape, _PLAIN)
        thrown = _Thrown.by(tops, seen, shape, by_dice, may_be_dice_px)
        net, is_round = None, np.zeros(len(discs), dtype=bool)
        if scene is not None:
            net = _net(scene, seen, shape, paints, tops)
            own = own_paint(seen, colours, *_not_plain(tops, seen, colours, by_dice), shape)
            round_ones = net.likely(*_in_doubt_on(own, seen, likely, shape))
            discs, like = _with_round(discs, like, *round_ones, seen, colours, shape)
            is_round = np.arange(len(discs)) >= len(is_round)
        tops, doubts = _chosen(seen, discs, like, shape, likely, by_dice, min_score, thrown, net, is_round)
    tops, doubts = _pushed_out(seen, tops, doubts, shape)
    if scene is not None and not is_clear:
        tops = _lit_or_like_tops(tops, seen, _net(scene, seen, shape, paints, tops))
    lamps = None if thrown is None else thrown.lamps
    stacks = _as_stacks(seen, tops, doubts, shape)
    some = _in_doubt(stacks, len(paints)) if is_clear else []
    if scene is not None and some:
        sides, shadows = _under(scene, seen, tops, doubts, some, shape, paints, by_dice, lamps)
        for k, side, shadow in zip(some, sides, shadows, strict=True):
            under = tuple(tuple(row) for row in (side + shadow[:, None]).tolist())
            stacks[k] = replace(stacks[k], under=under, shadow=tuple(shadow.tolist()))
    return stacks


def _with_round(
    discs: Discs,
    like: Likeness,
    at_px: Floats,
    seats: Places,
    seen: Evidence,
    colours: Map,
    shape: Shape,
) -> tuple[Discs, Likeness]:
    """The discs, and behind them those at further places (N, 2), which are of these seats (N,)."""
    if not len(at_px):
        return discs, like
    more = discs_at(at_px, seen.change, shape)
    like_more = Likeness(more, seen, colours, shape, may_mirror=True)
    return discs.joined(more), like.joined(like_more.of(seats))


def _as_stacks(seen: Evidence, tops: Sequence[_Top], doubts: Sequence[_Top], shape: Shape) -> list[Stack]:
    """The stacks of `tops`, which are claimed, and of `doubts`, which are not. What stands under them is not
    told yet.
    """
    found = [*tops, *doubts]
    at_px = _places(found)
    feet, is_lit = shape.foot_mm(at_px), are_lit(seen, at_px)
    return [
        Stack(
            top.colour,
            float(x),
            float(y),
            top.score,
            is_claimed=k < len(tops),
            is_lit=bool(is_lit[k]),
        )
        for k, (top, (x, y)) in enumerate(zip(found, feet, strict=True))
    ]


def _plain(tops: Sequence[_Top]) -> list[_Top]:
    """The tops that are tops beyond doubt."""
    return [top for top in tops if top.score > _PLAIN]


def _places(tops: Sequence[_Top]) -> Floats:
    """Where the tops are in the flat picture (N, 2)."""
    return np.array([top.at_px for top in tops], dtype=np.float64).reshape(-1, 2)


def _net(scene: SeenScene, seen: Evidence, shape: Shape, paints: Map, tops: Sequence[_Top]) -> DiscNet:
    """The net of discs, with the places of the plain tops."""
    return DiscNet(scene, seen, shape, paints.astype(np.float64), _places(_plain(tops)))


def _lit_or_like_tops(tops: Sequence[_Top], seen: Evidence, net: DiscNet) -> list[_Top]:
    """The tops without those in somebody's shadow that look like none to the net.

    In 32 pictures with hands, the rules were sure of one top in a shadow that was none; the net gives it -3.5
    nats. The other 118 were tops. To those of which the rules were sure, the net gives 3.5 nats or more.
    """
    at_px, seats = _places(tops), np.array([top.colour for top in tops])
    is_like = are_lit(seen, at_px)
    in_shadow = np.flatnonzero(~is_like)
    is_like[in_shadow] = net.say(at_px[in_shadow], seats[in_shadow]).log_odds > 0
    return [top for top, kept in zip(tops, is_like, strict=True) if kept]


def _counts(tops: Sequence[_Top | Stack], colours: int) -> Places:
    """How many tops each colour (seats,) has."""
    return np.bincount([top.colour for top in tops], minlength=colours)


def _missing(tops: Sequence[_Top | Stack], colours: int) -> Places:
    """The seats of the colours of which some piece has no top."""
    return np.flatnonzero(_counts(tops, colours) < PIECES)


def _in_doubt(stacks: Sequence[Stack], colours: int) -> list[int]:
    """The numbers of the stacks that may have other pieces under them. These are all stacks of the teams of
    which some piece has no sure top.
    """
    missing = _missing([stack for stack in stacks if stack.is_sure], colours) % (colours // 2)
    return [k for k, stack in enumerate(stacks) if stack.colour % (colours // 2) in missing]


def _not_plain(tops: Sequence[_Top], seen: Evidence, colours: Map, by_dice: Mask) -> tuple[Places, Mask]:
    """The seats of the colours of which some piece has no plain top, and the mask (size, size) of what plain
    tops and dice cover.
    """
    plain = _plain(tops)
    return _missing(plain, colours.shape[-2]), np.maximum(_owners(seen, plain), by_dice)


def _in_doubt_on(
    own: tuple[Places, Places], seen: Evidence, likely: AnyFloats | None, shape: Shape
) -> tuple[Floats, Places]:
    """Where (N, 2) on missing pieces' `own_paint` the net is to be asked, and about which seats (N,).

    First come the places where pieces are usually put: the roundest ones, then some all over what lies in a
    shadow. The roundest ones elsewhere follow.
    """
    places, of_places = own
    is_usual = _at(likely, shape.feet_px(square_px(places, seen).astype(np.float64))) >= 0
    usual, odd = ((places[some], of_places[some]) for some in (is_usual, ~is_usual))
    asked = (
        round_places(seen, usual, shape, _MOST_ROUND),
        shaded_places(seen, usual, shape),
        round_places(seen, odd, shape, _MOST_ROUND_ELSEWHERE),
    )
    return np.concatenate([at for at, _ in asked]), np.concatenate([seats for _, seats in asked])


_MOST_ROUND, _MOST_ROUND_ELSEWHERE = 150, 50
"""How many of the roundest places are asked about at most, where pieces are usually put and elsewhere. In
noise there are always more, most of them in bases.
"""


def _draw_dice(target: Mask, dice_px: Sequence[Floats], shape: Shape) -> None:
    """Draws what dice cover whose upper faces have these centres (2,) in the flat picture."""
    for die in dice_px:
        draw_disc(target, die, _DIE_RADIUS_MM * shape.canvas.px_per_mm, _OTHERS)


class _Thrown:
    """The shadows of plain tops, and what other shadows say while more and more tops are found."""

    def __init__(self, shadows: Shadows, others: Mask) -> None:
        self._shadows, self._others = shadows, others
        self._clear = shadows.clear.copy()

    @classmethod
    def by(
        cls,
        tops: Sequence[_Top],
        seen: Evidence,
        shape: Shape,
        by_dice: Mask,
        may_be_dice_px: Sequence[Floats],
    ) -> _Thrown | None:
        """The shadows of the plain ones among these tops; None if nothing can be learned from them."""
        plain = _plain(tops)
        owners = np.maximum(_owners(seen, plain), by_dice)
        shadows = Shadows.learned(seen, _places(plain), shape, owners)
        if shadows is None:
            return None
        # A disc on a stack's side seems to cast the stack's shadow, and one on a die the die's. So a shadow
        # is no sign of a top there.
        others = np.zeros_like(by_dice)
        for top in plain:
            paste(others, top.pieces, top.window, _OTHERS)
        _draw_dice(others, may_be_dice_px, shape)
        out = cls(shadows, others)
        for top in plain:
            out.take(top)
        return out

    @property
    def lamps(self) -> Lamps:
        """The lamps that cast the shadows."""
        return self._shadows.lamps

    def take(self, top: _Top) -> None:
        """From now on this top's shadow is a sign of no other top."""
        self._shadows.take(top.at_px, self._clear)

    def looks(self, at_px: Floats) -> Floats:
        """Log-odds (N,), in nats, that discs (N, 2) are tops, by the shadows that they cast or lack."""
        looks = self._shadows.looks(at_px, self._clear)
        rows, columns, _ = places_at(at_px, len(self._others))
        return np.where(self._others[rows, columns] > 0, np.minimum(looks, 0), looks)


def _chosen(
    seen: Evidence,
    discs: Discs,
    like: Likeness,
    shape: Shape,
    likely: AnyFloats | None,
    by_dice: Mask,
    min_score: float,
    thrown: _Thrown | None = None,
    net: DiscNet | None = None,
    is_round: Flags | bool = False,
) -> tuple[list[_Top], list[_Top]]:
    """The discs that are tops, and those that may be tops.

    The surest disc is taken first. Each hides what it covers, and its shadow is no sign of another. The `net`
    is asked about discs in doubt, and about those that are round (N,).
    """
    by_place = _at(likely, shape.feet_px(discs.at_px))
    rims = Rims(discs, shape)
    scores = like.log_odds(rims.free(by_dice)) + by_place
    by_shadow = np.zeros(len(discs))
    may_throw = (scores > _NO_PIECE) & (scores < _PLAIN) & (thrown is not None)
    if thrown is not None:
        by_shadow[may_throw] = thrown.looks(discs.at_px[may_throw])
        scores += by_shadow
    by_net = np.full(len(discs), np.nan)
    if net is not None:
        in_doubt = np.flatnonzero((scores > _NO_PIECE) & (scores < _PLAIN) & ~is_round)
        in_doubt = in_doubt[np.argsort(-scores[in_doubt], kind="stable")][:_MOST_ASKED]
        some = np.concatenate([in_doubt, np.flatnonzero(is_round)])
        said = net.say(discs.at_px[some], like.colours[some])
        by_net[some] = _by_net(said, by_place[some])
        scores[some] = by_net[some] + _BY_SHADOW * by_shadow[some]
        there = said.log_odds > 0
        discs = discs.moved(some[there], said.at_px[there])
        rims = Rims(discs, shape)
    shared = _shared(discs, like, scores, shape)
    best = np.argsort(-(scores + shared), kind="stable")
    discs = discs.where(best)
    choosing = _Choosing(
        discs,
        rims.where(best),
        like.where(best),
        shape,
        _first_heights(discs.at_px, seen, shape),
        by_dice,
        is_plain=scores[best] > _PLAIN,
        by_place=by_place[best],
        shared=shared[best],
        by_shadow=by_shadow[best],
        may_throw=may_throw[best],
        by_net=by_net[best],
        thrown=thrown,
        net=net,
    )
    tops = list(choosing.take(min_score, is_claimed=True))
    return tops, list(choosing.take(min_score - _DOUBTFUL, is_claimed=False))


class _Choosing:
    """Takes discs (N,) one by one, the surest first. Each hides what it covers, and its shadow is no sign of
    another.

    `heights` are those of the stacks that the discs would be tops of, in pieces. `by_dice` (size, size) is
    what dice cover. `is_plain` marks discs that are plain tops where nothing hides them. The rest are
    log-odds (nats): `by_place` by where a foot is, `shared` by the neighbours, `by_shadow` by the shadow,
    `by_net` by the net. `by_net` is NaN where the net was not asked.
    """

    def __init__(
        self,
        discs: Discs,
        rims: Rims,
        like: Likeness,
        shape: Shape,
        heights: Places,
        by_dice: Mask,
        *,
        is_plain: Flags,
        by_place: Floats,
        shared: Floats,
        by_shadow: Floats,
        may_throw: Flags,
        by_net: Floats,
        thrown: _Thrown | None,
        net: DiscNet | None,
    ) -> None:
        self._discs, self._like, self._shape, self._heights = discs, like, shape, heights
        self._rims = rims
        self._is_plain, self._by_place, self._shared = is_plain, by_place, shared
        self._by_shadow, self._may_throw, self._by_net = by_shadow, may_throw, by_net
        self._thrown, self._net = thrown, net
        self._claimed, self._singly, self._tops_alone = by_dice.copy(), by_dice.copy(), by_dice.copy()
        count = len(discs)
        self._share, self._scores = np.empty(count), np.empty(count)
        self._is_hidden, self._is_stale = np.zeros(count, dtype=bool), np.ones(count, dtype=bool)
        self._single: list[Floats] = []
        self._nearest = _NEAREST * shape.diameter_mm * shape.canvas.px_per_mm

    def take(self, least: float, is_claimed: bool) -> Iterator[_Top]:
        """Yields the discs that are tops by what is found by now, with at least these log-odds (nats)."""
        k = self._next_top(0, least)
        while k is not None:
            at_px, colour = self._discs.at_px[k], int(self._like.colours[k])
            top = _Top(at_px, colour, float(self._scores[k]), self._shape)
            off = top.at_px - np.array(self._single).reshape(-1, 2)
            is_near = bool((np.hypot(off[:, 0], off[:, 1]) < self._nearest).any())
            height = int(self._heights[k]) if is_claimed or is_near else 1
            if is_near and height == 1:
                k = self._next_top(k + 1, least)
                continue
            yield top
            if is_claimed and height == 1:
                self._single.append(top.at_px)
            self._hide_behind(top, k, height if is_claimed else 1, is_claimed)
            k = self._next_top(k + 1, least)

    def _hide_behind(self, top: _Top, k: int, height: int, is_claimed: bool) -> None:
        """Marks what a top of this height covers as free no more, and its shadow as no sign of another."""
        paste(self._claimed, top.covers(height), top.window, _OTHERS)
        paste(self._singly, top.alone, top.window, _OTHERS)
        draw_disc(self._tops_alone, top.at_px, self._shape.top_radius_px, _OTHERS)
        at_px = self._discs.at_px
        beside = np.abs(at_px - top.at_px).max(axis=1) < top.window[2]
        if self._thrown is not None and self._may_throw[k] and is_claimed:
            self._thrown.take(top)
            others = np.flatnonzero(beside & self._may_throw)
            self._by_shadow[others] = self._thrown.looks(at_px[others])
        self._is_stale[beside] = True

    def _next_top(self, start: int, least: float) -> int | None:
        """The first disc from `start` on that is a top; None if there is no more.

        A disc beside a new top is weighed again when it is its turn.
        """
        while True:
            needed = np.where(self._is_hidden[start:], max(least, _STRONG), least)
            good = (self._share[start:] >= _MIN_FREE) & (self._scores[start:] >= needed)
            first = int(good.argmax()) if good.any() else len(good)
            stale = np.flatnonzero(self._is_stale[start:])
            if not len(stale) or stale[0] > first:
                return start + first if first < len(good) else None
            self._weigh_again(start + stale)

    def _weigh_again(self, some: Places) -> None:
        """Sets these discs' free share and score by what is found by now."""
        self._is_stale[some] = False
        free = self._rims.free(self._claimed, some)
        self._share[some] = free.mean(axis=1)
        hidden = self._share[some] < _MIN_FREE
        if hidden.any():
            # What looks like a stack's side may be a neighbour: four pieces side by side, for example. So
            # these discs are weighed among single pieces. The side of a piece hides no top of its own height;
            # only its top does.
            free[hidden] = self._rims.free(self._singly, some[hidden], self._tops_alone)
            self._share[some] = free.mean(axis=1)
            self._ask(some[hidden & (self._share[some] >= _MIN_FREE)])
        placed, by_shadow = self._by_place[some] + self._shared[some], self._by_shadow[some]
        by_rules = self._like.log_odds(free, some) + placed + by_shadow
        told = self._by_net[some] + self._shared[some] + _BY_SHADOW * by_shadow
        self._scores[some] = np.where(np.isnan(told), by_rules, told)
        self._is_hidden[some] = hidden

    def _ask(self, some: Places) -> None:
        """Asks the net about those of these discs that are plain where nothing hides them, once each."""
        unasked = some[self._is_plain[some] & np.isnan(self._by_net[some])]
        if self._net is not None and len(unasked):
            said = self._net.say(self._discs.at_px[unasked], self._like.colours[unasked])
            self._by_net[unasked] = _by_net(said, self._by_place[unasked])


def _by_net(said: DiscsSaid, by_place: Floats) -> Floats:
    """Log-odds (N,), in nats, of discs by what the net says of them and by where they lie."""
    return _BY_NET * said.log_odds - _AGAINST + _BY_PLACE * by_place


_NEAREST = 0.72
"""The least distance, in diameters, between tops of the same height. What is found nearer is no other piece.
Of five pairs that were nearer on 36 tables, none was two pieces. The nearest two pieces were found 0.80
apart.
"""
_BARELY = 1.7
"""Log-odds (nats) above the least that is claimed. A top with less may be none: its piece may be missing."""
_MOST_ASKED = 250
"""The net is asked about this many discs in doubt at most. In noise and a shadow there are a thousand."""
_BY_NET, _AGAINST, _BY_PLACE, _BY_SHADOW = 1.2, 1.5, 0.6, 0.8
"""How a disc in doubt is weighed once the net was asked. `_BY_NET`, `_BY_PLACE` and `_BY_SHADOW` are the
weights of what the net says, of where the disc lies and of its shadow. `_AGAINST` nats speak against every
disc: the net learned from as many tops as others, and in pictures there are fewer tops.
"""
_PLAIN, _NO_PIECE = 3.0, -6.0
"""Log-odds (nats). Above `_PLAIN` a top is plain: its shadow tells what others cast. Below `_NO_PIECE` no
shadow makes a disc a top.
"""


def _pushed_out(
    seen: Evidence, tops: Sequence[_Top], doubts: Sequence[_Top], shape: Shape
) -> tuple[list[_Top], list[_Top]]:
    """The tops and the doubts, each moved outward as far as there is more of its colour beyond its edge.

    Highlights draw discs in by some millimetres, and a stack's lower pieces look like tops too.
    """
    found = [*tops, *doubts]
    owners = _owners(seen, tops)
    out: list[_Top] = []
    for first in range(0, len(found), _PUSHED_AT_ONCE):
        some = found[first : first + _PUSHED_AT_ONCE]
        for top, off_px in zip(some, _beyond(seen, some, owners, first + 1, shape), strict=True):
            out.append(replace(top, at_px=top.at_px + off_px) if off_px.any() else top)
    return out[: len(tops)], out[len(tops) :]


def _beyond(seen: Evidence, tops: Sequence[_Top], owners: Mask, first: int, shape: Shape) -> Floats:
    """How far outward (N, 2), in pixels, there is more of the tops' colours beyond their edges; 0 if it is
    not enough.

    Points that belong to another of the `owners` (size, size) do not count. These tops are numbered there
    from `first` up.
    """
    radius, scale = shape.top_radius_px, shape.canvas.px_per_mm
    at_px, colours = _places(tops), np.array([top.colour for top in tops], dtype=np.intp)
    away = shape.outward(at_px)
    farthest = np.hypot(*shape.lean_px(at_px).T) + _ASTRAY_MM * scale
    # How far the disc must move to cover what lies in front of its core: (tops, across, steps).
    across = _spread(_CORE * radius, round(2 * _CORE * radius))
    move = _PUSH_PX * np.arange(0.5, farthest.max() / _PUSH_PX + 0.5)
    along = move + np.sqrt(radius**2 - across**2)[:, None]
    rows, columns, inside = _turned(at_px, away, along, across[:, None], len(owners))
    owner = owners[rows, columns]
    me = np.arange(first, first + len(tops))[:, None, None]
    counts = inside & (move < farthest[:, None, None]) & ((owner == 0) | (owner == me))
    llr = seen.llr(colours[:, None, None], rows, columns)
    each_px = 2 * _CORE * radius / len(across) * _PUSH_PX
    gains = each_px * ((llr - _PUSH_COST) * counts).sum(axis=1).cumsum(axis=1)
    best = np.where(gains.max(axis=1) > _PUSH_LEAST * scale**2, gains.argmax(axis=1) + 1, 0)
    return np.asarray(away * (best * _PUSH_PX)[:, None])


_PUSHED_AT_ONCE = 16
"""How many tops are weighed at a time. Each takes some 100 kB meanwhile."""
_ASTRAY_MM, _PUSH_PX, _CORE = 3.0, 0.5, 0.8
"""A disc may be found short of its place by a piece's lean and `_ASTRAY_MM`. It is moved in steps of
`_PUSH_PX`. Only the part `_CORE` of its radius, to either side of its middle, counts.
"""
_PUSH_COST, _PUSH_LEAST = 1.0, 30.0
"""A point is more of the same top if its evidence is above `_PUSH_COST` nats. All points together must have
more than `_PUSH_LEAST` nats × mm² above that.
"""


def _owners(seen: Evidence, tops: Sequence[_Top]) -> Mask:
    """The number, from 1, of the top whose piece covers each pixel (size, size); 0 where none does. Of two,
    the one that was found first counts.
    """
    owners = np.zeros(seen.now.shape[:2], dtype=np.uint8)
    for me, top in reversed(list(enumerate(tops, 1))):
        paste(owners, top.alone, top.window, me)
    return owners


def _under(
    scene: SeenScene,
    seen: Evidence,
    tops: Sequence[_Top],
    doubts: Sequence[_Top],
    some: Sequence[int],
    shape: Shape,
    paints: Map,
    by_dice: Mask,
    lamps: Lamps | None,
) -> tuple[Floats, Floats]:
    """What sides (N, HIGHEST - 1, seats) and shadows (N, HIGHEST - 1) say of what is under `some` of the tops
    and doubts, which are numbered through. Both are log-likelihoods (nats), and add up.
    """
    owners = _owners(seen, tops)
    found = [*tops, *doubts]
    at_px, seats = _places(found), np.array([found[k].colour for k in some])
    said = stack_net.say_of_tops(
        scene, seen, shape, at_px[some], seats, paints.astype(np.float64), at_px[: len(tops)]
    )
    sides = np.full((len(some), HIGHEST - 1, len(paints)), stack_net.LEAST)
    for k, colours in enumerate((seats, stack_net.partners(seats, len(paints)))):
        sides[np.arange(len(some)), :, colours] = said[:, :, k]
    by_shadow = np.zeros((len(found), HIGHEST - 1))
    shadows = Shadows.learned(seen, _places(_plain(tops)), shape, np.maximum(owners, by_dice), lamps)
    if shadows is not None:
        by_shadow += shadows.further(at_px, len(tops), HIGHEST)
    lamp = cast.learn(seen, at_px[: len(tops)], shape, owners)
    if lamp is not None:
        by_shadow += _SHADOW * cast.lengths(lamp, seen, at_px, shape, owners, HIGHEST, len(tops))
    return sides, by_shadow[some]


_SHADOW = 3.0
"""Nats that a hard lamp's shadow adds for a further piece at most, or takes away (see `cast.lengths`). Of 305
places without a further piece under a lamp, 287 had a lit -0.6 or less. Of 43 places with one, 37 had a dark
0.6 or more.
"""


def _at(layer: AnyFloats | None, px: Floats) -> Floats:
    """A layer's values (N,) at places (N, 2) of the flat picture; 0 if there is no layer."""
    if layer is None:
        return np.zeros(len(px))
    columns, rows = np.clip(np.rint(px).astype(np.intp), 0, layer.shape[0] - 1).T
    return np.asarray(layer[rows, columns], dtype=np.float64)


def _shared(discs: Discs, like: Likeness, scores: Floats, shape: Shape) -> Floats:
    """What to add to the scores (N,) of discs, so that a piece's top has the best score of all discs on its
    side.

    A side has edges too, and discs of its colour. Of two discs on one side the outer is the top, unless it is
    much worse. The inner stays as a doubt. If neither has a plain edge, noise and shadows can put discs of
    one top far apart: near the lens, as far as the foot is from the top.
    """
    added = np.zeros(len(discs))
    worth = np.flatnonzero(scores > _NO_TOP)
    at, scale = discs.at_px[worth], shape.canvas.px_per_mm
    lean = shape.feet_px(at) - at
    length = np.linalg.norm(lean, axis=1)
    out = -lean / np.maximum(length, 1e-6)[:, None]
    off = at[None] - at[:, None]
    along = (off * out[:, None]).sum(axis=2) / scale
    beside = np.abs(off[..., 0] * out[:, None, 1] - off[..., 1] * out[:, None, 0]) / scale
    plain = discs.edge[worth] > _PLAIN_EDGE * EDGE_CAP
    least = np.where(plain & plain[:, None], _SIDE_LEAST_PLAIN_MM, _SIDE_LEAST_MM)
    outer = (along > least) & (along < _APART * shape.diameter_mm) & (beside < _SIDE_SLACK_MM)
    worse = np.where(along < length[:, None] / scale + _FOUND_MM, _MUCH_WORSE, 0.0)
    outer &= scores[worth] > scores[worth, None] - worse
    outer &= like.colours[worth] == like.colours[worth, None]
    best_first = np.argsort(-scores[worth])
    for k in best_first[outer.any(axis=1)[best_first]]:
        if added[worth[k]] >= 0:
            top = worth[np.where(outer[k], scores[worth], -np.inf).argmax()]
            added[top] = max(added[top], scores[worth[k]] - scores[top])
            added[worth[k]] = -_INNER
    return added


_SIDE_LEAST_MM, _SIDE_SLACK_MM = 5.5, 4.0
_SIDE_LEAST_PLAIN_MM, _PLAIN_EDGE = 2.5, 0.96
"""A disc that lies at least `_SIDE_LEAST_MM` farther out is another one, and not another place of the same.
`_SIDE_LEAST_PLAIN_MM` is enough if both have at least `_PLAIN_EDGE` of the plainest edge that there is.
"""
_FOUND_MM = 2.0
"""How exactly discs are placed. An outer disc may be much worse only if it lies within one piece's side, give
or take this.
"""
_MUCH_WORSE = 2.6
"""Log-odds (nats) by which the outer disc may be worse and still be the top. In 20 of 140 pairs on four
tables the outer disc was worse by up to this. It was the top in 14 of them, and in nearly all pairs in which
it was better. Farther out than one piece's side it must be the better.
"""
_INNER = 1.5
"""Nats against a disc that lies on the side of a better one. It may be a neighbour after all."""
_NO_TOP = -1.5
"""Log-odds (nats) below which a disc is no top, wherever it lies."""
_APART = 0.8
"""Diameters from which an outer disc is another piece's top. Two tops of one height are a diameter apart, and
each is found to a tenth of that.
"""


def _first_heights(tops_px: Floats, seen: Evidence, shape: Shape) -> Places:
    """How many pieces high (N,) the stacks seem to be, if these are tops (N, 2), before their neighbours are
    known.

    It counts how far down the side there is evidence for anything at all. Pieces whose side would not show do
    not count.
    """
    lean, radius = shape.lean_px(tops_px), shape.diameter_mm / 2 * shape.canvas.px_per_mm
    length = np.hypot(lean[:, 0], lean[:, 1])
    # Where each piece's side would end if it were the lowest: (tops, across, pieces below the first · along).
    across = _spread(radius, _ACROSS)
    below = 1 + np.arange(0.5, (HIGHEST - 1) * _ALONG) / _ALONG
    along = length[:, None, None] * below + np.sqrt(radius**2 - across**2)[:, None]
    rows, columns, _ = _turned(tops_px, -shape.outward(tops_px), along, across[:, None], len(seen.now))
    solid = gathered(seen.solid, *in_squares(rows, columns))
    means = solid.reshape(len(lean), _ACROSS, HIGHEST - 1, _ALONG).mean(axis=(1, 3))
    is_side = (means >= _FIRM) & (length > _SHOWS_PX)[:, None]
    return np.asarray(1 + np.cumprod(is_side, axis=1, dtype=np.intp).sum(axis=1))


_ACROSS, _ALONG = 10, 2
"""How many points tell whether a side is there: across the stack, and along each piece's side."""
_SHOWS_PX = 0.5
"""A side of which less than this shows is taken for hidden."""


def _spread(reach: float, count: int) -> Floats:
    """The middles (count,) of as many equal parts from -reach to reach."""
    return np.asarray(reach * ((np.arange(count) * 2 + 1) / count - 1))


def _turned(
    origins_px: Floats, ways: Floats, along: Floats, across: Floats, size: int
) -> tuple[Places, Places, Flags]:
    """`places_at` of points this far `along` the directions `ways` (N, 2) from `origins_px` (N, 2), and this
    far `across` them. Both distances (…, A, B) are in pixels.
    """
    (x, y), (dx, dy) = (axes.T[..., None, None] for axes in (origins_px, ways))
    return places_at(np.stack([x + dx * along - dy * across, y + dy * along + dx * across], axis=-1), size)
