"""A still scene, developed again and again: one labelled picture becomes as many frames as are wanted.

The picture's own grain is smoothed away, and each frame gets fresh grain of the same strength. Light, camera
and people's soft shadows change from frame to frame. Nobody touches the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Image, Map

GAMMA = 2.2
_POOL, _PAD_PX = 3, 16
"""How many fields of grain a size of picture has, and how far each may be shifted."""


@dataclass(frozen=True)
class Shadow:
    """A soft shadow of a head and shoulders. `at` is its middle, as shares of the picture's width and height;
    `radius` is a share of the width; `deep` is the share of light that it takes in its middle.
    """

    at: tuple[float, float]
    radius: float
    deep: float


@dataclass(frozen=True)
class Moment:
    """What light and camera do in one frame.

    `gain` and `warmth` act on light: `warmth` 0.03 is 3 % more red and 3 % less blue. `shift_px` is (x, y).
    `jpeg` is the quality at which the frame is packed; None if it is not.
    """

    gain: float = 1.0
    warmth: float = 0.0
    shadow: Shadow | None = None
    shift_px: tuple[float, float] = (0.0, 0.0)
    jpeg: int | None = None


class Scene:
    """One picture (BGR) that can be developed many times."""

    def __init__(self, picture: Image) -> None:
        once = cv2.bilateralFilter(picture, 5, 9, 1.6)
        self._smooth = np.asarray(cv2.bilateralFilter(once, 5, 7, 1.6), dtype=np.uint8)
        grey = cv2.GaussianBlur(cv2.cvtColor(self._smooth, cv2.COLOR_BGR2GRAY), (0, 0), 4)
        # Darker places are noisier in display values: 1.3 times at 40, 0.8 times at 200.
        by_level = np.clip(1.45 - np.arange(256) / 300, 0.5, 1.45).astype(np.float32)
        self._sd: Map = np.asarray(cv2.merge([cv2.LUT(grey, by_level)] * 3))
        left, wanted = grain_of(self._smooth), grain_of(picture)
        for _ in range(3):
            got = grain_of(self._grainy(self._smooth, 0, (_PAD_PX, _PAD_PX)))
            self._sd *= max(0.1, wanted**2 - left**2) ** 0.5 / max(0.1, got**2 - left**2) ** 0.5

    def develop(self, moment: Moment, rng: np.random.Generator) -> Image:
        """A frame of the scene. Equal moments and generators in equal states give equal frames."""
        picture: Any = self._smooth
        light = moment.gain * np.array([1 - moment.warmth, 1.0, 1 + moment.warmth])
        if (light != 1.0).any():
            levels = np.arange(256)[:, None] * light ** (1 / GAMMA)
            picture = cv2.LUT(picture, np.clip(levels + 0.5, 0, 255).astype(np.uint8)[None])
        if moment.shadow is not None:
            left = _light_left(picture.shape[0], picture.shape[1], moment.shadow)
            picture = cv2.multiply(picture, cv2.merge([left] * 3), dtype=cv2.CV_8U)
        if moment.shift_px != (0.0, 0.0):
            way = np.array([[1, 0, moment.shift_px[0]], [0, 1, moment.shift_px[1]]])
            size = picture.shape[1], picture.shape[0]
            picture = cv2.warpAffine(
                picture, way, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
            )
        field, x, y = (int(n) for n in rng.integers(0, [_POOL, 2 * _PAD_PX + 1, 2 * _PAD_PX + 1]))
        picture = self._grainy(picture, field, (x, y))
        if moment.jpeg is not None:
            packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, moment.jpeg])[1]
            picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
        return np.asarray(picture, dtype=np.uint8)

    def _grainy(self, picture: Image, field: int, at_px: tuple[int, int]) -> Image:
        height, width = picture.shape[:2]
        x, y = at_px
        noise = _grain(height, width)[field][y : y + height, x : x + width]
        return np.asarray(cv2.add(picture, cv2.multiply(noise, self._sd), dtype=cv2.CV_8U), dtype=np.uint8)


def grain_of(picture: Image) -> float:
    """How strongly neighbouring pixels differ by chance, in grey levels (robust)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = grey - cv2.GaussianBlur(grey, (0, 0), 1.2)
    return float(np.median(np.abs(fine[::3, ::3])) * 1.4826)


@lru_cache(maxsize=1)
def _grain(height: int, width: int) -> tuple[Map, ...]:
    """Fields of grain as a colour sensor leaves it, of luminance and of colour, larger than the picture."""
    rng = np.random.default_rng(height * 10007 + width)
    rows, columns = height + 2 * _PAD_PX, width + 2 * _PAD_PX
    fields = []
    for _ in range(_POOL):
        luma = cv2.GaussianBlur(rng.standard_normal((rows, columns), dtype=np.float32), (0, 0), 0.55) * 1.75
        coarse = rng.standard_normal((rows // 2, columns // 2, 3), dtype=np.float32)
        chroma = cv2.resize(cv2.GaussianBlur(coarse, (0, 0), 0.9) * 2.6, (columns, rows))
        fields.append(luma[..., None] * np.float32(0.85) + chroma * np.float32(0.4))
    return tuple(fields)


def _light_left(height: int, width: int, shadow: Shadow) -> Map:
    """What a shadow leaves of each display value (height, width), 0 to 1."""
    y, x = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
    across, down = x / width - shadow.at[0], (y / height - shadow.at[1]) * height / width
    away = np.hypot(across, down) / shadow.radius
    left = (1 - shadow.deep / (1 + np.exp((away - 1) * 7))) ** (1 / GAMMA)
    return np.asarray(cv2.resize(left.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR))


def weather(
    rng: np.random.Generator, rate_hz: float, wobble_px: float, shadows_a_minute: float
) -> Iterator[Moment]:
    """Frame after frame: a camera that wobbles, light that drifts by 10 %, shadows of 1.5 to 4 s."""
    step_s, keep = 1 / rate_hz, float(np.exp(-2 / rate_hz))  # The wobble forgets in half a second.
    phases, periods_s = rng.uniform(0, 2 * np.pi, 2), rng.uniform([20, 40], [45, 120])
    at_px = rng.normal(0, wobble_px, 2)
    now_s, began_s, lasts_s = 0.0, 0.0, 0.0
    start, aim, radius, deep = np.zeros(2), np.zeros(2), 0.0, 0.0
    while True:
        now_s += step_s
        at_px = at_px * keep + rng.normal(0, wobble_px * (1 - keep**2) ** 0.5, 2)
        waves = np.sin(2 * np.pi * now_s / periods_s + phases)
        gain = 1 + 0.10 * waves[0] + rng.normal(0, 0.006)
        shadow = None
        if now_s < began_s + lasts_s:
            reach = np.sin(np.pi * (now_s - began_s) / lasts_s)
            x, y = start + (aim - start) * reach
            shadow = Shadow((float(x), float(y)), radius, deep)
        elif rng.random() < shadows_a_minute / 60 * step_s:
            began_s, lasts_s = now_s, rng.uniform(1.5, 4.0)
            along, aim = rng.random(), rng.uniform(0.25, 0.75, 2)
            start = np.array([(-0.1, along), (1.1, along), (along, -0.1), (along, 1.1)][rng.integers(4)])
            radius, deep = rng.uniform(0.10, 0.28), rng.uniform(0.2, 0.55)
        yield Moment(gain, 0.03 * waves[1], shadow, (float(at_px[0]), float(at_px[1])))
