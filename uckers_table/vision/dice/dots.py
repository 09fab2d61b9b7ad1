"""Dots in any picture: round or elliptic patches of one colour, each on a ground of another.

Nothing is known here of dice, nor of scale: every dot of a size in between two limits is measured, by
looking from its middle outwards along rays for where its colour ends. Pips are dots; so is a whole small
die on a plain table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Flags, Floats, Image

Planes = npt.NDArray[np.float32]
"""A picture (rows, columns, 4): blue, green, red, and by how much red exceeds green. In the last one red
pips on black dice stand out, and lights mirrored in them do not.
"""

_SIGMAS = (1.4, 1.98, 2.8)
_DISC = 1.7
"""Blurs, in pixels of a level of the pyramid; the difference of two neighbours answers most to discs of 1.7
times the first. Each level is half as large as the one before."""
_LEAST_STEP = 4.0
"""Grey levels by which a dot stands out in such a difference: half as much is noise of a phone's picture."""
_MOST = 700
"""Of more dots than this on a level the strongest are looked at: the rest are texture."""
_RAYS = 16
_ANGLES = np.arange(_RAYS) * 2 * np.pi / _RAYS
WAYS = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_CONIC = np.column_stack([WAYS[:, 0] ** 2, 2 * WAYS[:, 0] * WAYS[:, 1], WAYS[:, 1] ** 2])
_FAR, _STEPS = 2.5, 21
"""How far rays go, in radii of the disc that a level answers to, and in how many samples."""
_REACH = _FAR * np.arange(_STEPS) / (_STEPS - 1)
_SEEN = 0.75
"""So much of the rim must be seen; where pips nearly touch, or glare lies on one, some is not."""
_MOST_OFF = 0.16
"""Median deviation of the rim from an ellipse, in pixels of the level, of 2 to 5 pixels' radius."""
_LEAST_ASPECT = 0.4
"""Of an ellipse's axes."""
LEAST_CONTRAST = 0.18
DIM = 60.0
"""Contrast is a share of the brighter of dot and ground, or of this level where both are darker."""
_INSIDE, _OUTSIDE = 0.35, 1.35
"""Where a dot's colour and its ground's are looked at, in radii: clear of the blurred rim, and before the
next pip begins."""
_SAME_AWAY, _SAME_SIZE = 0.5, 0.6
"""Two dots nearer than this, in radii, and as large as each other within this ratio's logarithm, are one."""


@dataclass(frozen=True)
class Dots:
    """Dots by pixel (N, 2); `shape` (N, 2, 2) is each one's ellipse, x' shape⁻¹ x = 1 on its rim, `radius`
    (N,) the root of the product of its half axes. `colour` and `ground` (N, 4) are of the planes, `contrast`
    (N,) is the share by which they differ, `uneven` (N,) the ground's spread round the dot as a part of that
    difference, and `off` (N,) the rim's deviation from the ellipse in radii.
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
        """Only those marked, or in this order."""
        return Dots(*(getattr(self, field.name)[kept] for field in fields(self)))

    @classmethod
    def joined(cls, parts: list[Dots]) -> Dots:
        """All of several."""
        return cls(*(np.concatenate([getattr(p, field.name) for p in parts]) for field in fields(cls)))


def planes_of(picture: Image) -> Planes:
    """A BGR picture as planes."""
    level = picture.astype(np.float32)
    return np.dstack([level, level[..., 2] - level[..., 1]])


def samples(planes: npt.NDArray[np.float32], px: Floats) -> Floats:
    """Planes at places (N, M, 2), bilinear: (N, M) or (N, M, channels)."""
    if not len(px):
        return np.empty((0, px.shape[1], *planes.shape[2:]))
    # cv2.remap takes at most 32767 rows.
    parts = np.array_split(px.astype(np.float32), len(px) // 30000 + 1)
    seen = [
        cv2.remap(planes, p, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for p in parts
    ]
    return np.concatenate(seen)


def find_dots(planes: Planes, radii_px: tuple[float, float]) -> Dots:
    """The dots whose radius lies between two limits."""
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
    """The dots of a level of the pyramid as dots of the picture."""
    return replace(dots, px=dots.px * scale, shape=dots.shape * scale**2, radius=dots.radius * scale)


def _peaks(step: Planes) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Where each plane of a difference of blurs peaks, either way: pixels (N, 2), and which plane (N,)."""
    size = np.abs(step)
    peak = (size >= cv2.dilate(size, np.ones((3, 3), np.uint8))) & (size > _LEAST_STEP)
    # Several times as fast as a search in three dimensions.
    places = np.flatnonzero(peak)
    strongest = places[np.argsort(-size.ravel()[places])[:_MOST]]
    rows, columns, channels = np.unravel_index(strongest, size.shape)
    return np.column_stack([columns, rows]).astype(np.float64), channels


def _measured(planes: Planes, px: Floats, channels: npt.NDArray[np.intp], radius: float) -> Dots:
    """The dots of about this radius at those places (N, 2), seen in those planes, as far as there are any."""
    rim, seen = np.empty((len(px), _RAYS)), np.zeros((len(px), _RAYS), dtype=bool)
    apart = cv2.split(planes)
    for _ in range(2):
        for channel, plane in enumerate(apart):
            own = channels == channel
            places = px[own, None, None] + radius * _REACH[:, None] * WAYS[:, None]
            rays = samples(np.asarray(plane, dtype=np.float32), places.reshape(-1, _RAYS * _STEPS, 2))
            rim[own], seen[own] = _rims(rays.reshape(-1, _RAYS, _STEPS), radius)
        # Opposite rays of different length show that the dot's own middle lies aside.
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
    """How far along rays (N, rays, steps) each dot reaches, in pixels, and whether that is seen."""
    if not len(rays):
        return np.empty(rays.shape[:2]), np.empty(rays.shape[:2], dtype=bool)
    middle = np.median(rays[:, :, :3].reshape(len(rays), -1), axis=1)[:, None, None]
    away = rays - middle
    away *= np.sign(np.median(away[:, :, -8], axis=1))[:, None, None]
    # Half way to what most rays see at its plainest: neighbours hide the ground from some.
    level = np.median(away.max(axis=2), axis=1)[:, None] / 2
    out = away > level[..., None]
    first = out.argmax(axis=2)
    index = np.maximum(first, 1)[..., None]
    after, before = (np.take_along_axis(away, index - k, axis=2)[..., 0] for k in (0, 1))
    part = np.clip((level - before) / np.maximum(after - before, 1e-3), 0, 1)
    return (index[..., 0] - 1 + part) * _FAR / (_STEPS - 1) * radius, first > 0


def _ellipses(rim: Floats, seen: Flags) -> tuple[Floats, Floats]:
    """Ellipses (N, 3) through rims, a xx + 2 b xy + c yy = 1, and their median deviation in pixels."""
    weight = seen.astype(np.float64)
    for _ in range(3):
        # 1 / rim² is linear in the conic; weighted by rim⁴ rays count by their deviation in pixels.
        share = weight * rim**4
        left = np.einsum("nr,ri,rj->nij", share, _CONIC, _CONIC) + 1e-9 * np.eye(3)
        right = np.einsum("nr,ri->ni", share / np.maximum(rim, 0.3) ** 2, _CONIC)
        conic = np.linalg.solve(left, right[..., None])[..., 0]
        off = np.abs(1 / np.sqrt(np.maximum(conic @ _CONIC.T, 1e-6)) - rim)
        usual = np.median(np.where(seen, off, 1e3), axis=1)
        weight = np.where(seen, 1 / (1 + (off / np.maximum(2 * usual[:, None], 0.02 * rim + 1e-6)) ** 2), 0.0)
    return conic, usual


def _distinct(dots: Dots) -> Dots:
    """One of each: a dot is seen on two levels and in several planes."""
    dots = dots.where(np.argsort(dots.off + dots.uneven - dots.contrast))
    left = np.ones(len(dots.px), dtype=bool)
    for k in range(len(left)):
        if left[k]:
            near = np.linalg.norm(dots.px - dots.px[k], axis=1) < _SAME_AWAY * dots.radius[k]
            near &= np.abs(np.log(dots.radius / dots.radius[k])) < _SAME_SIZE
            near[: k + 1] = False
            left &= ~near
    return dots.where(left)
