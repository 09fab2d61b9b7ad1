#!/usr/bin/env python3
"""Writes labelled tables as another camera, light or paint would show them: the reader's margins.

    python scripts/alter_tables.py TABLE_DIR… OUT_DIR [--as warm noise …]

A table's folder holds empty.jpg, start.jpg, other frames and labels.json. Each table is written once for each
alteration, calibration pictures and frames alike, as OUT_DIR/ALTERATION/TABLE: the scorer of labelled frames
reads an alteration's folder. What stands where stays true; pixels in the labels do not where `turned` or
`smaller`.
"""

from __future__ import annotations

import argparse
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from uckers_table.vision.camera import Image

Alteration = Callable[[Image, np.random.Generator], Image]

GAMMA = 2.2
"""Light is so manieth a power of grey levels, nearly."""
HUES_DEG = {"red": 0, "yellow": 40, "green": 140, "blue": 215}
HUE_REACH_DEG, HUE_SOFT_DEG = 32, 12
"""Hues so near to a paint's are its, ever less towards the end."""
QUALITY = 95


def lit(*gains: float) -> Alteration:
    """Light times one gain, or one for blue, green and red each."""
    return lambda picture, _: _bytes((picture / 255) ** GAMMA * gains, 1 / GAMMA)


def toned(gamma: float) -> Alteration:
    """Another tone curve."""
    return lambda picture, _: _bytes(picture / 255, gamma)


def contrast(times: float, middle: float = 110 / 255) -> Alteration:
    """Grey levels farther from the middle, or nearer."""
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
    """One paint with so much of its saturation left."""

    def altered(picture: Image, _: np.random.Generator) -> Image:
        hsv = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2HSV)
        hsv[..., 1] = hsv[..., 1] * (1 - (1 - left) * _is_of(hsv, name))
        return _bytes(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))

    return altered


def shaded(least: float, towards_deg: float) -> Alteration:
    """Light that falls off to so much on one side."""

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
    """With so many grey levels of noise."""
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
}


def _is_of(hsv: np.ndarray, name: str) -> np.ndarray:
    """How much each pixel's hue is a paint's, 0 … 1."""
    off = np.abs((hsv[..., 0] - HUES_DEG[name] + 180) % 360 - 180)
    return np.asarray(np.clip((HUE_REACH_DEG - off) / HUE_SOFT_DEG, 0, 1))


def _bytes(parts: np.ndarray, power: float = 1.0) -> Image:
    """Parts of white, to a power, as grey levels."""
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
                altered = ALTERATIONS[name](picture, random)
                cv2.imwrite(str(folder / path.name), altered, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            print(folder)


if __name__ == "__main__":
    main()
