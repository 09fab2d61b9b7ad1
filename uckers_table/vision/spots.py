"""Spots of a pip's size in a picture: what a die shows wherever it lies, and painted boards seldom do."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.camera import Camera, Floats, Image

Grey = npt.NDArray[np.uint8]

_SPOT_MM, _ROUND_MM, _APART_MM, _RING_MM = 1.6, 5.0, 2.4, 2.5
"""Pips of 16 mm dice measure 2.6 to 3.5 mm and lie 3.2 to 5 mm apart: a box inside one, a box round one,
how near two spots may be, and the radius of a ring that lies on the face all round."""
_STEP, _STEP_SHARE = 8, 0.15
"""What a spot must differ by from what is round it, grey levels and share: weeds out noise early."""
_DARK_FLOOR = 80.0
"""Contrast is a share of the brighter part, or of this level where all is dark, and noise strong."""
CLEAR, FAINT = 0.28, 0.15
"""Least contrasts: pips on upper faces have 0.5 to 0.9, glossy dice under a lamp 0.18."""
_OLD_SHARE = 0.5
"""A spot that the bare board shows with half the contrast is the board's."""
_MOST = 400
"""More spots than this and the rest are texture: the strongest are kept."""

_ANGLES = np.linspace(0, 2 * np.pi, 12, endpoint=False)
_RING = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])


@dataclass(frozen=True)
class Spots:
    """Spots by pixel (N, 2): darker than what is round them or not (N,), by what share of the brighter (N,),
    and that surround, BGR (N, 3).
    """

    px: Floats
    dark: npt.NDArray[np.bool_]
    contrast: Floats
    around: Floats

    def where(self, kept: npt.NDArray[np.bool_]) -> Spots:
        """Only those marked."""
        return Spots(self.px[kept], self.dark[kept], self.contrast[kept], self.around[kept])


def sample(picture: Image, px: Floats) -> Floats:
    """The picture at places (N, M, 2), bilinear: (N, M) or (N, M, channels)."""
    places = np.ascontiguousarray(px, dtype=np.float32)
    seen = cv2.remap(picture, places, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.float64)


@dataclass(frozen=True)
class Smoothed:
    """A picture's green channel (red, blue and black dice are all dark in it), averaged over boxes of a
    pip's inside (`soft`) and of what is round a pip (`wide`).
    """

    soft: Grey
    wide: Grey

    @classmethod
    def of(cls, picture: Image, scale: float) -> Smoothed:
        """Of a BGR picture of so many pixels a millimetre."""
        green = cv2.extractChannel(picture, 1)
        soft, wide = (cv2.blur(green, _box(size, scale)) for size in (_SPOT_MM, _ROUND_MM))
        return cls(np.asarray(soft, dtype=np.uint8), np.asarray(wide, dtype=np.uint8))


def find_spots(
    picture: Image, camera: Camera, bare: Smoothed, bare_camera: Camera, least: float = CLEAR
) -> Spots:
    """Spots of so much contrast that a picture has and the bare board, seen by its own camera, has not."""
    scale = camera.px_per_mm
    now = Smoothed.of(picture, scale)
    rows, columns = _peaks(now, bare, scale)
    px = np.column_stack([columns, rows]).astype(np.float64)
    dark, contrast = _contrast(now.soft, px, scale)
    order = np.argsort(-contrast)[:_MOST]
    order = order[contrast[order] > least]
    px, dark, contrast = px[order], dark[order], contrast[order]
    # After a bump the paint has moved and what lies round the board has not: either may explain a spot.
    views = [px] if camera is bare_camera else [px, bare_camera.project(camera.unproject(px))]
    for view in views:
        was_dark, was = _contrast(bare.soft, view, scale)
        old = (was_dark == dark) & (was > _OLD_SHARE * contrast)
        contrast = np.where(old, 0.0, contrast)
    new = (contrast > 0) & ~_repeated(px, _APART_MM / 2 * scale)
    px, dark, contrast = px[new], dark[new], contrast[new]
    around = (
        np.median(sample(picture, px[:, None] + _RING * _RING_MM * scale), axis=1)
        if len(px)
        else np.empty((0, 3))
    )
    return Spots(_centred(now.soft, px, dark), dark, contrast, around)


def _box(size_mm: float, scale: float) -> tuple[int, int]:
    size = max(3, round(size_mm * scale) | 1)
    return size, size


def _repeated(px: Floats, near_px: float) -> npt.NDArray[np.bool_]:
    """Which places (N, 2), the best first, lie as near as that to an earlier one: flat tops peak twice."""
    away = np.linalg.norm(px[:, None] - px[None], axis=2)
    return np.asarray(np.tril(away < near_px, -1).any(axis=1))


def _peaks(
    picture: Smoothed, bare: Smoothed, scale: float
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Rows and columns where a picture differs most from what is round it, and the bare board does not."""
    soft, wide = picture.soft, picture.wide
    step = cv2.absdiff(soft, wide)
    highest = cv2.dilate(step, np.ones(_box(_APART_MM, scale), np.uint8))
    peaks = cv2.findNonZero(cv2.compare(step, np.maximum(highest, np.uint8(_STEP)), cv2.CMP_GE))
    if peaks is None:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    columns, rows = peaks[:, 0].T.astype(np.intp)
    now = soft[rows, columns].astype(np.int16) - wide[rows, columns]
    then = bare.soft[rows, columns].astype(np.int16) - bare.wide[rows, columns]
    new = np.abs(now - then) > _OLD_SHARE * np.abs(now)
    new &= np.abs(now) >= np.rint(_STEP + _STEP_SHARE * np.maximum(soft[rows, columns], wide[rows, columns]))
    return rows[new], columns[new]


def _contrast(soft: Grey, px: Floats, scale: float) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Whether each place (N, 2) is darker than a ring round it, and by what share nearly all of the ring."""
    if not len(px):
        return np.zeros(0, dtype=bool), np.zeros(0)
    ring = px[:, None] + _RING * _RING_MM * scale
    # cv2.remap takes at most 32767 rows.
    seen = np.concatenate([sample(soft, part) for part in np.array_split(ring, len(ring) // 30000 + 1)])
    rows, columns = (np.clip(np.rint(px[:, k]).astype(np.intp), 0, soft.shape[1 - k] - 1) for k in (1, 0))
    middle = soft[rows, columns].astype(np.float64)
    step = seen - middle[:, None]
    dark = np.median(step, axis=1) > 0
    step = np.sort(step * np.where(dark, 1, -1)[:, None], axis=1)[:, 2]
    return dark, step / np.maximum(np.maximum(middle, np.median(seen, axis=1)), _DARK_FLOOR)


def _centred(soft: Grey, px: Floats, dark: npt.NDArray[np.bool_]) -> Floats:
    """The spots' places to a fraction of a pixel: the middle of what stands out within two pixels."""
    if not len(px):
        return px
    reach = np.arange(-2, 3)
    offsets = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
    seen = sample(soft, px[:, None] + offsets) * np.where(dark, -1, 1)[:, None]
    weight = np.clip(seen - np.median(seen, axis=1, keepdims=True), 0, None) + 1e-6
    return np.asarray(px + (weight[..., None] * offsets).sum(axis=1) / weight.sum(axis=1, keepdims=True))
