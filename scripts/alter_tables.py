#!/usr/bin/env python3
"""Writes labelled tables as another camera, light or paint would show them. It shows the reader's margins.

    python scripts/alter_tables.py TABLE_DIR… OUT_DIR [--as warm noise …]

A table's folder holds empty.jpg, start.jpg, other frames and labels.json. Each table is written once for each
alteration, as OUT_DIR/ALTERATION/TABLE. A scorer of labelled frames reads an alteration's folder. The
calibration pictures are altered like the frames, except by `LATER` alterations, which alter frames alone.
Labels in millimetres stay true. Labels in pixels become wrong under `turned`, `smaller` and `lens`.
"""

from __future__ import annotations

import argparse
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from uckers_table.vision.picture.arrays import Image

Alteration = Callable[[Image, np.random.Generator], Image]

GAMMA = 2.2
"""Light is about this power of grey levels."""
HUES_DEG = {"red": 0, "yellow": 40, "green": 140, "blue": 215}
HUE_REACH_DEG, HUE_SOFT_DEG = 32, 12
"""A hue this near to a paint's is that paint. Over the last `HUE_SOFT_DEG` it is so less and less."""
QUALITY = 95


def lit(*gains: float) -> Alteration:
    """Light times one gain, or times three: for blue, green and red."""
    return lambda picture, _: _bytes((picture / 255) ** GAMMA * gains, 1 / GAMMA)


def toned(gamma: float) -> Alteration:
    """Another tone curve."""
    return lambda picture, _: _bytes(picture / 255, gamma)


def contrast(times: float, middle: float = 110 / 255) -> Alteration:
    """Grey levels moved away from the middle, or towards it."""
    return lambda picture, _: _bytes((picture / 255 - middle) * times + middle)


def turned_hues(**turns_deg: float) -> Alteration:
    """Paints of other hues."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        hsv = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2HSV)
        coloured = np.clip(hsv[..., 1] * 4 - 0.6, 0, 1)
        turn = sum(turns_deg[name] * _is_of(hsv, name) for name in turns_deg)
        hsv[..., 0] = (hsv[..., 0] + turn * coloured) % 360
        return _bytes(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))

    return altered


def faded(name: str, left: float) -> Alteration:
    """One paint with this share of its saturation left."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        hsv = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2HSV)
        hsv[..., 1] = hsv[..., 1] * (1 - (1 - left) * _is_of(hsv, name))
        return _bytes(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))

    return altered


def shaded(least: float, towards_deg: float) -> Alteration:
    """Light that falls off to this share on one side."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        height, width = picture.shape[:2]
        y, x = np.mgrid[:height, :width]
        angle = np.radians(towards_deg)
        along = ((x - width / 2) * np.cos(angle) + (y - height / 2) * np.sin(angle)) / height
        t = np.clip(along + 0.5, 0, 1)
        gain = 1.2 * (least + (1 - least) * (3 * t**2 - 2 * t**3))
        return _bytes((picture / 255) ** GAMMA * gain[..., None], 1 / GAMMA)

    return altered


def blurred(sigma_px: float) -> Alteration:
    """Less sharp."""
    return lambda picture, _: np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), dtype=np.uint8)


def noisy(sigma: float) -> Alteration:
    """With noise of this many grey levels."""
    return lambda picture, random: _bytes((picture + random.normal(0, sigma, picture.shape)) / 255)


def packed(quality: int) -> Alteration:
    """As a JPEG of this quality."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)

    return altered


def turned(quarters: int) -> Alteration:
    """By a camera mounted another way round."""
    return lambda picture, _: np.ascontiguousarray(np.rot90(picture, quarters))


def smaller(times: float) -> Alteration:
    """By a camera of fewer pixels."""
    return lambda picture, _: np.asarray(
        cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )


def vignetted(corner: float) -> Alteration:
    """Light that falls off to this share in the picture's corners."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        gain = 1 - (1 - corner) * _off_middle(picture) ** 4
        return _bytes((picture / 255) ** GAMMA * gain[..., None], 1 / GAMMA)

    return altered


def sharpened(sigma_px: float, amount: float) -> Alteration:
    """With bright and dark halos along edges, as a camera's sharpening draws them."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        soft = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), sigma_px)
        return _bytes((picture + amount * (picture - soft)) / 255)

    return altered


def smeared(sigma: float, reach_px: int, middle_px: int) -> Alteration:
    """With grain and fine lines smeared, as a camera's noise filter does."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        smooth = cv2.bilateralFilter(picture, 2 * reach_px + 1, sigma, reach_px)
        return np.asarray(cv2.medianBlur(smooth, middle_px), dtype=np.uint8)

    return altered


def colour_blurred(sigma_px: float) -> Alteration:
    """Sharp in brightness alone."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        luma = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
        luma[..., 1:] = cv2.GaussianBlur(luma[..., 1:], (0, 0), sigma_px)
        return np.asarray(cv2.cvtColor(luma, cv2.COLOR_YCrCb2BGR), dtype=np.uint8)

    return altered


def fringed(corner_px: float) -> Alteration:
    """By a lens that draws red larger and blue smaller, by this many pixels in the corners."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        far = np.hypot(*picture.shape[:2]) / 2
        blue, green, red = cv2.split(picture)
        return np.dstack([
            _seen_through(blue, 1 - corner_px / far),
            green,
            _seen_through(red, 1 + corner_px / far),
        ])  # fmt: skip

    return altered


def by_lens(times: float, turn_deg: float, k1: float) -> Alteration:
    """By a camera that is turned a little, with a lens that bends by this share at half the width."""
    return lambda picture, _: _seen_through(picture, times, turn_deg, k1)


def one_by_one(*alterations: Alteration) -> Alteration:
    """Several, one after the other."""

    def altered(picture: Image, random: np.random.Generator) -> Image:
        for each in alterations:
            picture = each(picture, random)
        return picture

    return altered


ALTERATIONS: dict[str, Alteration] = {
    "warm": lit(0.85, 1.0, 1.15),
    "cool": lit(1.15, 1.0, 0.85),
    "brighter": lit(2**0.5),
    "darker": lit(2**-0.7),
    "gamma0.8": toned(0.8),
    "gamma1.25": toned(1.25),
    "flat": contrast(0.8),
    "red-yellow": turned_hues(red=8, yellow=-8),
    "yellow-red": turned_hues(red=-8, yellow=8),
    "green-blue": turned_hues(green=8, blue=-8),
    "blue-green": turned_hues(green=-8, blue=8),
    "fadedred": faded("red", 0.55),
    "fadedyellow": faded("yellow", 0.55),
    "fadedgreen": faded("green", 0.55),
    "fadedblue": faded("blue", 0.55),
    "shaded": shaded(0.4, 20),
    "shaded2": shaded(0.4, 200),
    "blur0.6": blurred(0.6),
    "blur0.9": blurred(0.9),
    "blur1.2": blurred(1.2),
    "noise3": noisy(3),
    "noise5": noisy(5),
    "jpeg60": packed(60),
    "jpeg80": packed(80),
    "turned": turned(1),
    "smaller": smaller(0.8),
    "vignette": vignetted(0.4),
    "halos": sharpened(1.2, 1.0),
    "jpeg40": packed(40),
    "lens": by_lens(0.95, 4, 0.03),
    "smear": smeared(25, 3, 3),
    "chroma": colour_blurred(2.5),
    "fringes": fringed(1.5),
    "cheap": one_by_one(blurred(0.8), noisy(4), packed(50)),
    "isp": one_by_one(noisy(4), smeared(20, 2, 3), sharpened(1.2, 0.8), colour_blurred(1.5), packed(75)),
    "later-darker": lit(2**-0.3),
    "later-brighter": lit(2**0.3),
    "later-warm": lit(0.9, 1.0, 1.1),
    "later-cool": lit(1.1, 1.0, 0.9),
    "later-noise": noisy(4),
    "later-blur": blurred(0.8),
}
LATER = frozenset(name for name in ALTERATIONS if name.startswith("later-"))
"""Alterations that come after calibration: the calibration pictures stay as they are."""


def _is_of(hsv: np.ndarray, name: str) -> np.ndarray:
    """How much each pixel's hue is a paint's (height, width), 0 to 1."""
    off = np.abs((hsv[..., 0] - HUES_DEG[name] + 180) % 360 - 180)
    return np.asarray(np.clip((HUE_REACH_DEG - off) / HUE_SOFT_DEG, 0, 1))


def _off_middle(picture: Image) -> np.ndarray:
    """How far each pixel lies from the picture's middle (height, width): 1 in the corners."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    return np.asarray(np.hypot(x - (width - 1) / 2, y - (height - 1) / 2) / (np.hypot(width, height) / 2))


def _seen_through(picture: Image, times: float, turn_deg: float = 0.0, k1: float = 0.0) -> Image:
    """A picture scaled about its middle, turned, and bent as by a lens."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = (x - (width - 1) / 2) / times, (y - (height - 1) / 2) / times
    bend = 1 - k1 * (x * x + y * y) / (width / 2) ** 2
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    there = [(c * x - s * y) * bend + (width - 1) / 2, (s * x + c * y) * bend + (height - 1) / 2]
    maps = [np.asarray(axis, dtype=np.float32) for axis in there]
    seen = cv2.remap(picture, *maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, dtype=np.uint8)


def _bytes(parts: np.ndarray, power: float = 1.0) -> Image:
    """Parts of white as grey levels, to a power."""
    return np.asarray(np.rint(np.clip(parts, 0, 1) ** power * 255), dtype=np.uint8)


def main() -> None:
    """Writes the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--as", nargs="+", dest="names", choices=ALTERATIONS, default=list(ALTERATIONS))
    args = parser.parse_args()
    for name in args.names:
        for table in args.tables:
            folder = args.out / name / table.name
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(table / "labels.json", folder / "labels.json")
            for path in sorted(table.glob("*.jpg")):
                picture = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
                random = np.random.default_rng(zlib.crc32(f"{table.name}/{path.name}".encode()))
                is_learned_from = path.stem in ("empty", "start")
                altered = picture if name in LATER and is_learned_from else ALTERATIONS[name](picture, random)
                cv2.imwrite(str(folder / path.name), altered, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            print(folder)


if __name__ == "__main__":
    main()
