"""What the camera's sensor makes of light: exposure, white balance, noise, sharpening."""

from __future__ import annotations

import random
from dataclasses import dataclass

import cv2
import numpy as np

from tools.tables.look import Sensor
from uckers_table.vision.picture.arrays import AnyFloats, Flags, Image, Map


@dataclass(frozen=True)
class Locked:
    """What the camera settled on when the table was calibrated: gains (3,), blue first."""

    gains: AnyFloats

    @classmethod
    def on(cls, bare: Map, white: Flags, sensor: Sensor) -> Locked:
        """Settles on the bare board's light (H, W, 3), by where in it white paint is (H, W)."""
        seen = np.median(bare[white], axis=0)
        balance = (seen.mean() / seen) ** sensor.balance
        return cls(balance * sensor.white / float((seen * balance).mean()))


def expose(light: Map, locked: Locked, sensor: Sensor, gain: float, seed: str) -> tuple[Image, int]:
    """An 8-bit BGR picture of linear light (H, W, 3), and the JPEG quality to save it with."""
    rng = np.random.default_rng(list(seed.encode()))
    height, width = light.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    far = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / (width / 2) ** 2
    seen = light * locked.gains.astype(np.float32) * gain * (1 - sensor.vignette * far / 1.3)[..., None]
    seen = cv2.GaussianBlur(seen, (0, 0), sensor.blur_px)
    # Shot noise and read noise of single pixels, blurred as the filling in of colours does.
    level = (sensor.noise / 255) * 0.95
    spread = level * np.sqrt(0.15 + np.clip(seen, 0, 1.2) * 1.9)
    noise = rng.standard_normal(seen.shape, np.float32) * np.array([1.5, 1.0, 1.4], np.float32) * spread
    seen = seen + cv2.GaussianBlur(noise, (0, 0), 0.6) * 1.5
    grey = seen.mean(axis=2, keepdims=True)
    seen = np.clip(grey + (seen - grey) * sensor.saturation, 0, None)
    # Cameras have a shoulder where others would have a hard white.
    seen = np.where(seen > 0.8, 0.8 + 0.2 * np.tanh((seen - 0.8) / 0.2 * 0.9), seen)
    out = np.where(seen <= 0.0031308, seen * 12.92, 1.055 * np.maximum(seen, 1e-6) ** (1 / 2.4) - 0.055) * 255
    out = out + sensor.sharpen * (out - cv2.GaussianBlur(out, (0, 0), 1.2))
    quality = random.Random(seed).randint(*sensor.jpeg)
    return np.clip(np.rint(out), 0, 255).astype(np.uint8), quality
