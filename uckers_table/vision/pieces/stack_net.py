"""What two small nets say of what stands under a top: how many pieces, and of which partner's colour.

They see the top and the side that shows below it, towards the point under the lens. They see it in the bare
board's light, and the bare board there. They are told how far each point is off the paint of the top's own
colour and of its partner's. They are told how many pieces' sides down it would be, and whether it is another
top.

One net sees it `COARSE`, with less noise. The other sees it `FINE`, with the rims of pieces whose sides
hardly show. On tops that neither has learned, the average of both is right more often than either.

`tools/fit.py` fitted them on path-traced tables: some full of towers, some as games leave them, and
the labelled ones. `tools/fits/data.toml` names them.

Places beside a top are given along the way to the point under the lens and across it. They are in millimetres
on the plane of a single piece's top.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uckers_table.vision.dice.faces import Patch
from uckers_table.vision.dice.spots import Smoothed
from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.nets.net import Net, Patches
from uckers_table.vision.picture.arrays import Floats, Map, Places
from uckers_table.vision.picture.channels import places_at
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.place.camera import CameraModel

HIGHEST = 4
"""The most pieces of a stack that are looked for."""
CHANNELS, OUTPUTS = 10, 2 * HIGHEST - 1
"""How many values a net sees of each pixel, and how many it says. It gives a score to each height. To the
second, third and fourth piece it gives a score of the partner's colour against the top's own.
"""
OTHERS = 6
"""How many of the nearest tops a net is told."""
SHARE, LEAST = 0.85, -8.0
"""The share of what the nets say that is believed; and the nats of the least likely height against the
likeliest, below which none goes. With these, 1115 tops of 31 tables on which nothing was fitted come out
best, together with the shadows that they cast.
"""
FURTHER = 5.0
"""Nats against each piece after the first one above the likeliest height. Without them, a height that can
hardly be told from the likeliest would explain three missing pieces at once.
"""
_FINE_FROM = 1.5
"""Pixels a millimetre that a picture must have for the fine net. It learned from 1.8, and in a picture with
fewer it sees nothing more.
"""
_AT_A_TIME = 4
"""How many tops are looked at together. What all of them take at once would stay in a service's memory."""
_LEAST_LEAN_MM = 0.2
"""No side is taken to reach less far."""
_FARTHEST = -1.0, 4.5
"""How far down the side a net is told that a point is, at least and at most: in pieces' sides from the top's
rim.
"""
_DARKEST, _OTHER_HUE = 0.02, 0.3
"""The least level of a channel, in parts of white, from which a hue is told; and the distance between hues
that counts half way to another paint.
"""


@dataclass(frozen=True)
class TopWindow:
    """The part of the picture that a net sees of a top.

    It has `long` pixels along and `wide` pixels across, `px_per_mm` to a millimetre. Along, it begins at
    `first_mm`.
    """

    long: int
    wide: int
    first_mm: float
    px_per_mm: float

    @property
    def along_mm(self) -> Floats:
        """The middles of its pixels along (long,), in mm."""
        return np.asarray(self.first_mm + (np.arange(self.long) + 0.5) / self.px_per_mm)

    @property
    def across_mm(self) -> Floats:
        """The middles of its pixels across (wide,), in mm."""
        return np.asarray((np.arange(self.wide) + 0.5 - self.wide / 2) / self.px_per_mm)


COARSE, FINE = TopWindow(56, 32, -14.0, 1.2), TopWindow(96, 56, -14.0, 2.0)
"""What the nets see. No picture shows more than 2 pixels a millimetre."""
_NETS = {COARSE: Net("stack_net.onnx"), FINE: Net("stack_net_fine.onnx")}
_WEIGHTS = {COARSE: 0.35, FINE: 0.65}
"""How much each net counts. They were compared on 5214 tops of 53 tables that neither had learned. Alone,
they tell 2.9 and 3.1 % of heights wrongly, at 0.090 and 0.086 nats, and 22 and 12 of 634 colours. With half
of each it is 2.6 %, 0.075 nats and 18 colours; with 0.3 and 0.7 it is 2.7 %, 0.076 and 13.
"""


@dataclass(frozen=True)
class Towers:
    """N tops as the nets see them.

    `now` and `bare` (N, 3, long, wide) are the picture and the bare board, with white paint = 1. `own` and
    `partner` (N, 3) are the paints of each top's colour and of its partner's. `lean_mm` (N,) is how far a
    piece's side reaches, and `radius_mm` (N,) how far a top does. `others` (N, OTHERS, 2) is where the
    nearest other tops are, in mm along and across; infinity for none.
    """

    now: Map
    bare: Map
    own: Floats
    partner: Floats
    lean_mm: Floats
    radius_mm: Floats
    others: Floats

    def where(self, some: Places) -> Towers:
        """Only some of the tops."""
        return Towers(*(values[some] for values in vars(self).values()))


def partners(seats: Places, count: int) -> Places:
    """The seats opposite these, of `count` seats: as `Board.partner`, for arrays."""
    return np.asarray((seats + count // 2) % count)


def towers(
    scene: SeenScene,
    seen: Evidence,
    shape: Shape,
    tops_px: Floats,
    seats: Places,
    paints: Floats,
    others_px: Floats,
    window: TopWindow,
) -> Towers:
    """The tops with these centres (N, 2) in the flat picture, of these `seats` (N,), as a net sees them.

    `paints` (seats, 3) are all seats' colours as reflected. `others_px` (M, 2) are the centres of other tops
    in the flat picture, and may include these.
    """
    parts = []
    for top_px, seat in zip(tops_px, seats, strict=True):
        foot = shape.foot_mm(top_px)
        view = _View.of(scene.camera, foot, shape, window)
        (row,), (column,), _ = places_at(top_px[None], len(seen.now))
        now = seen.in_its_light(view.laid(scene.now, scene.camera, foot, shape.height_mm), row, column)
        below = scene.camera.lifted(foot[None], shape.height_mm)[0]
        swell = scene.camera.swell(shape.height_mm)
        bare = view.laid(scene.bare, scene.bare_camera, below, 0.0, swell)
        white = seen.board.white_at(np.array([row * len(seen.now) + column]))
        beside = (shape.canvas.mm(others_px) - shape.canvas.mm(top_px[None])) / swell @ view.axes.T
        others = _nearest(beside, shape.diameter_mm / 4)
        own, partner = paints[seat], paints[partners(seat, len(paints))]
        parts.append((now, bare / white[..., None], own, partner, view.lean_mm, others))
    now, bare, own, partner, lean_mm, others = (np.array(values) for values in zip(*parts, strict=True))
    return Towers(now, bare, own, partner, lean_mm, np.full(len(parts), shape.diameter_mm / 2), others)


def _nearest(off: Floats, least: float) -> Floats:
    """The nearest (OTHERS, 2) of the places (N, 2) that are farther off than `least`; infinity where there
    are fewer.
    """
    far = np.hypot(off[:, 0], off[:, 1])
    best = far.argsort()
    best = best[far[best] > least][:OTHERS]
    out = np.full((OTHERS, 2), np.inf)
    out[: len(best)] = off[best]
    return out


def features(some: Towers, window: TopWindow) -> Patches:
    """What a net sees of these tops: (N, CHANNELS, long, wide)."""
    long, wide = some.now.shape[2:]
    along, across = window.along_mm, window.across_mm
    lean, radius = (values[:, None, None] for values in (some.lean_mm, some.radius_mm))
    rim = np.sqrt(np.maximum(radius**2 - across**2, 0))
    down = np.clip((along[:, None] - rim) / np.maximum(lean, _LEAST_LEAN_MM), *_FARTHEST)
    is_other = np.zeros(down.shape, dtype=bool)
    for x, y in some.others.transpose(1, 2, 0)[..., None, None]:
        off = (along[:, None] - x) ** 2 + (across - y) ** 2
        is_other |= off < radius**2
    out = np.empty((len(down), CHANNELS, long, wide), dtype=np.float32)
    out[:, :3], out[:, 3:6] = some.now, some.bare
    out[:, 6], out[:, 7] = (_off_hue(some.now, paint) for paint in (some.own, some.partner))
    out[:, 8], out[:, 9] = down / 2, is_other
    return out


def under(said: Floats) -> Floats:
    """Log-likelihoods (N, HIGHEST - 1, 2), in nats, of a second, third and fourth piece against none.

    The last axis is for the top's own colour and for its partner's. `said` (N, OUTPUTS) is what the nets say.
    """
    heights = SHARE * said[:, :HIGHEST]
    likeliest = heights.argmax(axis=1)[:, None]
    heights = np.maximum(heights, heights.max(axis=1, keepdims=True) + LEAST)
    further = np.diff(heights, axis=1)
    further = np.where(np.arange(HIGHEST - 1) > likeliest, np.minimum(further, -FURTHER), further)
    of_partner = said[:, HIGHEST:]
    colours = np.stack([-np.logaddexp(0, of_partner), -np.logaddexp(0, -of_partner)], axis=-1)
    return np.asarray(further[..., None] + np.maximum(colours, LEAST))


def say_of_tops(
    scene: SeenScene,
    seen: Evidence,
    shape: Shape,
    tops_px: Floats,
    seats: Places,
    paints: Floats,
    others_px: Floats,
) -> Floats:
    """What `under` gives for tops as `towers` has them. The nets see each twice, once in a mirror."""
    weights = _WEIGHTS if scene.camera.px_per_mm > _FINE_FROM else {COARSE: 1.0}
    said = np.zeros((len(tops_px), OUTPUTS))
    for first in range(0, len(tops_px), _AT_A_TIME):
        some = slice(first, first + _AT_A_TIME)
        for window, weight in weights.items():
            net = _NETS[window]
            few = towers(scene, seen, shape, tops_px[some], seats[some], paints, others_px, window)
            shown = features(few, window)
            both = net.say(shown) + net.say(np.ascontiguousarray(shown[..., ::-1]))
            said[some] += weight / 2 * both
    return under(said)


@dataclass(frozen=True)
class _View:
    """Where the points lie that a net sees of a top.

    `grid` (long, wide, 2) is their places from the top's foot, in mm of the plan. `axes` (2, 2) are the
    directions along and across. `lean_mm` is how far along a piece's side reaches.
    """

    grid: Floats
    axes: Floats
    lean_mm: float

    @classmethod
    def of(cls, camera: CameraModel, foot: Floats, shape: Shape, window: TopWindow) -> _View:
        toward = camera.centre_mm[:2] - foot
        far = float(np.hypot(*toward))
        toward = toward / max(far, 1e-6)
        axes = np.array([toward, [-toward[1], toward[0]]])
        grid = np.stack(np.meshgrid(window.along_mm, window.across_mm, indexing="ij"), axis=-1) @ axes
        return cls(grid, axes, far * shape.height_mm / -float(camera.centre_mm[2]))

    def laid(
        self, picture: Smoothed, camera: CameraModel, place: Floats, height_mm: float, swell: float = 1.0
    ) -> Map:
        """What a picture shows (3, long, wide) round a place of the plan at a height, with the grid `swell`
        times as large.
        """
        patch = Patch.cut(picture, camera, place, height_mm)
        return np.asarray(patch.laid(self.grid * swell), dtype=np.float32)


def _off_hue(colours: Map, paint: Floats) -> Floats:
    """How far the hues (N, long, wide) of colours (N, 3, long, wide) are off those of paints (N, 3).

    It is -1 for the same hue and 1 for the hue of another paint.
    """
    seen, own = (np.maximum(values, _DARKEST) for values in (colours, paint))
    seen, own = (values / np.linalg.norm(values, axis=1, keepdims=True) for values in (seen, own))
    off = np.linalg.norm(seen - own[:, :, None, None], axis=1)
    return np.asarray(np.minimum(off, 2 * _OTHER_HUE) / _OTHER_HUE - 1)
