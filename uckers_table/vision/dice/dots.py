"""Dots in any picture: round or elliptic patches of one colour, each on a ground of another.

Nothing is known here of dice or of scale. Every dot between two sizes is measured: rays from its middle
outwards tell where its colour ends. Pips are dots. A whole small die on a plain table is a dot too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Flags, Floats, Image
from uckers_table.vision.picture.channels import remapped

Planes = npt.NDArray[np.float32]
"""A picture (rows, columns, 4), in grey levels: blue, green, red, and red less green. In the last one red
pips on black dice stand out; lights mirrored in those dice do not.
"""

_SIGMAS = (1.4, 1.98, 2.8)
"""The blurs of a level of the pyramid, in its pixels. Each level is half as large as the one before."""
_DISC = 1.7
"""The difference of two neighbouring blurs answers most to a disc with this many times the first one's
radius.
"""
_LEAST_STEP = 4.0
"""Grey levels by which a dot stands out in such a difference. Noise of a phone's picture reaches half."""
_MOST = 700
"""The most dots of a level that are looked at, the strongest first. The rest are texture."""
_RAYS = 16
_ANGLES = np.arange(_RAYS) * 2 * np.pi / _RAYS
WAYS = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
"""The unit vectors (16, 2) along which rays go out from a dot's middle."""
_CONIC = np.column_stack([WAYS[:, 0] ** 2, 2 * WAYS[:, 0] * WAYS[:, 1], WAYS[:, 1] ** 2])
"""For each ray (16, 3), the factors of a, b and c in a xx + 2 b xy + c yy at distance 1."""
_FAR, _STEPS = 2.5, 21
"""The length of rays, in radii of the disc that a level answers to; and the samples along each."""
_REACH = _FAR * np.arange(_STEPS) / (_STEPS - 1)
_SEEN = 0.75
"""The part of the rim that must be seen. Where pips nearly touch, or glare lies on one, some of it is not."""
_MOST_OFF = 0.16
"""The largest median deviation of a rim from its ellipse, in pixels of the level. The radius is 2 to 5 of
these.
"""
_LEAST_ASPECT = 0.4
"""The least ratio of an ellipse's axes, the shorter over the longer."""
LEAST_CONTRAST = 0.18
"""The least contrast of a dot with its ground, as a share of the brighter of the two."""
DIM = 60.0
"""Where dot and ground are both darker than this grey level, contrast is a share of this level."""
_INSIDE, _OUTSIDE = 0.35, 1.35
"""Where the colours of a dot and of its ground are taken, in radii: clear of the blurred rim, and nearer than
the next pip.
"""
_SAME_AWAY, _SAME_SIZE = 0.5, 0.6
"""Two dots are one if they lie nearer than the first, in radii, and are of one size. Sizes are one if the
logarithm of their ratio is below the second.
"""


@dataclass(frozen=True)
class Dots:
    """N dots. Colours are those of `Planes`.

    `px`: their middles (N, 2) in pixels, (x, y).
    `shape`: each one's ellipse (N, 2, 2), in pixels squared; x' shape⁻¹ x = 1 on the rim.
    `radius`: the root of the product of the half axes (N,), in pixels.
    `colour`, `ground`: the colours (N, 4) of the dot and of what is round it.
    `contrast`: their largest difference (N,), as a share of the brighter.
    `uneven`: the spread of the ground's colour (N,), in parts of that difference.
    `off`: the median deviation of the rim from the ellipse (N,), in radii.
    """

    px: Floats
    shape: Floats
    radius: Floats
    colour: Floats
    ground: Floats
    contrast: Floats
    uneven: Floats
    off: Floats

    def where(self, kept: Flags | npt.NDArray[np.intp]) -> Dots:
        """Only the dots marked by flags (N,), or those at these indices, in this order."""
        return Dots(*(getattr(self, field.name)[kept] for field in fields(self)))

    @classmethod
    def joined(cls, parts: list[Dots]) -> Dots:
        """All dots of several, in order."""
        return cls(*(np.concatenate([getattr(p, field.name) for p in parts]) for field in fields(cls)))


def planes_of(picture: Image) -> Planes:
    """A BGR picture (rows, columns, 3) as planes."""
    level = picture.astype(np.float32)
    return np.dstack([level, level[..., 2] - level[..., 1]])


def samples(planes: npt.NDArray[np.float32], px: Floats) -> Floats:
    """What planes (rows, columns[, channels]) hold at pixels (N, M, 2), bilinear: (N, M[, channels])."""
    if not len(px):
        return np.empty((0, px.shape[1], *planes.shape[2:]))
    return remapped(planes, px.astype(np.float32), np.empty(0, np.float32))


def find_dots(planes: Planes, radii_px: tuple[float, float]) -> Dots:
    """The dots of a picture whose radius, in pixels, lies between two limits."""
    least, most = radii_px
    found = [_measured(planes, np.empty((0, 2)), np.empty(0, dtype=np.intp), 1.0)]
    for scale, level in _pyramid(planes, most):
        blurred = [cv2.GaussianBlur(level, (0, 0), sigma) for sigma in _SIGMAS]
        for sigma, small, large in zip(_SIGMAS, blurred, blurred[1:], strict=False):
            radius = _DISC * sigma
            if least / 1.5 < radius * scale < most * 1.5:
                found.append(_enlarged(_measured(level, *_peaks(small - large), radius), scale))
    dots = Dots.joined(found)
    return _distinct(dots.where((dots.radius >= least) & (dots.radius <= most)))


def _pyramid(planes: Planes, most_px: float) -> Iterator[tuple[float, Planes]]:
    scale = 1.0
    while _DISC * _SIGMAS[0] * scale < 1.5 * most_px and min(planes.shape[:2]) > 8 * _SIGMAS[-1]:
        yield scale, np.asarray(cv2.GaussianBlur(planes, (0, 0), 0.6), dtype=np.float32)
        planes = np.asarray(cv2.pyrDown(planes), dtype=np.float32)
        scale *= 2


def _enlarged(dots: Dots, scale: float) -> Dots:
    """The dots of a level of the pyramid, with sizes and places in pixels of the whole picture."""
    return replace(dots, px=dots.px * scale, shape=dots.shape * scale**2, radius=dots.radius * scale)


def _peaks(step: Planes) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Where the planes (rows, columns, 4) of a difference of blurs peak, up or down: pixels (N, 2), and the
    plane (N,).
    """
    size = np.abs(step)
    peak = (size >= cv2.dilate(size, np.ones((3, 3), np.uint8))) & (size > _LEAST_STEP)
    # A search in three dimensions would take several times as long.
    places = np.flatnonzero(peak)
    strongest = places[np.argsort(-size.ravel()[places])[:_MOST]]
    rows, columns, channels = np.unravel_index(strongest, size.shape)
    return np.column_stack([columns, rows]).astype(np.float64), channels


def _measured(planes: Planes, px: Floats, channels: npt.NDArray[np.intp], radius: float) -> Dots:
    """The dots of about this radius, in pixels, at places (N, 2) of the planes `channels` (N,). Places with
    no dot are left out.
    """
    rim, seen = np.empty((len(px), _RAYS)), np.zeros((len(px), _RAYS), dtype=bool)
    apart = cv2.split(planes)
    for _ in range(2):
        for channel, plane in enumerate(apart):
            own = channels == channel
            places = px[own, None, None] + radius * _REACH[:, None] * WAYS[:, None]
            rays = samples(np.asarray(plane, dtype=np.float32), places.reshape(-1, _RAYS * _STEPS, 2))
            rim[own], seen[own] = _rims(rays.reshape(-1, _RAYS, _STEPS), radius)
        # If opposite rays differ in length, the dot's own middle lies to one side.
        both = seen & np.roll(seen, _RAYS // 2, axis=1)
        shift = (np.where(both, rim, 0.0)[..., None] * WAYS).sum(axis=1) * 2 / _RAYS
        px = px + np.clip(shift, -radius, radius)
    conic, off = _ellipses(rim, seen)
    det = conic[:, 0] * conic[:, 2] - conic[:, 1] ** 2
    half = (conic[:, 0] + conic[:, 2]) / 2
    low = half - np.sqrt(np.maximum(half**2 - det, 0.0))
    fit = (low > _LEAST_ASPECT**2 * (2 * half - low)) & (low > 1e-6) & (off < _MOST_OFF)
    fit &= seen.mean(axis=1) >= _SEEN
    px, conic, det, off = px[fit], conic[fit], det[fit], off[fit]
    reach = 1 / np.sqrt(conic @ _CONIC.T)
    ring = samples(planes, px[:, None] + (_OUTSIDE * reach)[..., None] * WAYS)
    core = samples(planes, px[:, None] + (_INSIDE * reach)[..., None] * WAYS)
    ground, colour = np.median(ring, axis=1), np.median(core, axis=1)
    step = np.abs(colour - ground).max(axis=1)
    spread = np.sort(np.abs(ring - ground[:, None]).max(axis=2), axis=1)[:, int(0.7 * _RAYS)]
    dots = Dots(
        px,
        np.asarray(np.linalg.inv(conic[:, [0, 1, 1, 2]].reshape(-1, 2, 2)), dtype=np.float64),
        det**-0.25,
        colour,
        ground,
        step / np.maximum(np.maximum(colour, ground)[:, :3].max(axis=1), DIM),
        spread / np.maximum(step, 1.0),
        off * det**0.25,
    )
    return dots.where(dots.contrast > LEAST_CONTRAST)


def _rims(rays: Floats, radius: float) -> tuple[Floats, Flags]:
    """How far, in pixels, each dot reaches along rays (N, rays, steps), and whether its end is seen: (N,
    rays) each.
    """
    if not len(rays):
        return np.empty(rays.shape[:2]), np.empty(rays.shape[:2], dtype=bool)
    middle = np.median(rays[:, :, :3].reshape(len(rays), -1), axis=1)[:, None, None]
    away = rays - middle
    away *= np.sign(np.median(away[:, :, -8], axis=1))[:, None, None]
    # The level is half way to the plainest ground of most rays: neighbours hide the ground from some.
    level = np.median(away.max(axis=2), axis=1)[:, None] / 2
    out = away > level[..., None]
    first = out.argmax(axis=2)
    index = np.maximum(first, 1)[..., None]
    after, before = (np.take_along_axis(away, index - k, axis=2)[..., 0] for k in (0, 1))
    part = np.clip((level - before) / np.maximum(after - before, 1e-3), 0, 1)
    return (index[..., 0] - 1 + part) * _FAR / (_STEPS - 1) * radius, first > 0


def _ellipses(rim: Floats, seen: Flags) -> tuple[Floats, Floats]:
    """Ellipses (N, 3) through rims (N, rays), and their median deviation (N,) in pixels. An ellipse is a xx +
    2 b xy + c yy = 1.
    """
    weight = seen.astype(np.float64)
    for _ in range(3):
        # 1 / rim² is linear in a, b and c. With weights of rim⁴, rays count by their deviation in pixels.
        share = weight * rim**4
        left = np.einsum("nr,ri,rj->nij", share, _CONIC, _CONIC) + 1e-9 * np.eye(3)
        right = np.einsum("nr,ri->ni", share / np.maximum(rim, 0.3) ** 2, _CONIC)
        conic = np.linalg.solve(left, right[..., None])[..., 0]
        off = np.abs(1 / np.sqrt(np.maximum(conic @ _CONIC.T, 1e-6)) - rim)
        usual = np.median(np.where(seen, off, 1e3), axis=1)
        weight = np.where(seen, 1 / (1 + (off / np.maximum(2 * usual[:, None], 0.02 * rim + 1e-6)) ** 2), 0.0)
    return conic, usual


def _distinct(dots: Dots) -> Dots:
    """One of each: a dot may be seen on two levels and in several planes."""
    dots = dots.where(np.argsort(dots.off + dots.uneven - dots.contrast))
    left = np.ones(len(dots.px), dtype=bool)
    for k in range(len(left)):
        if left[k]:
            near = np.linalg.norm(dots.px - dots.px[k], axis=1) < _SAME_AWAY * dots.radius[k]
            near &= np.abs(np.log(dots.radius / dots.radius[k])) < _SAME_SIZE
            near[: k + 1] = False
            left &= ~near
    return dots.where(left)
