"""The camera: where it looks, by the formula that the labels state, and what its sensor makes of light."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np
from looks import Sensor, View

WIDTH, HEIGHT = 2304, 1296
WIDER = 1.1
"""How much larger than the picture the one without distortion is, from which it is made."""


@dataclass(frozen=True)
class Lens:
    """X_cam = R X_plan + t; distorted x_d = x (1 + k1 r²); integer coordinates are pixel centres."""

    focal: float
    centre: tuple[float, float]
    k1: float
    rotation: np.ndarray
    translation: np.ndarray

    @classmethod
    def of(cls, view: View, push: tuple[float, ...] | None = None) -> Lens:
        dx, dy, dz, turn_x, turn_y = push or (0.0,) * 5
        tilt, azimuth, yaw = radians(view.tilt), radians(view.tilt_az), radians(view.yaw)
        away = np.array([sin(tilt) * cos(azimuth), sin(tilt) * sin(azimuth), cos(tilt)])
        right = np.array([cos(yaw), sin(yaw), 0.0])
        right -= away * (right @ away)
        right /= np.linalg.norm(right)
        at = np.array([*view.aim, 0.0]) - away * (view.height / away[2]) + np.array([dx, dy, dz])
        rotation = np.stack([right, np.cross(away, right), away])
        small, _ = cv2.Rodrigues(np.radians([turn_x, turn_y, (turn_x + turn_y) / 2]))
        rotation = small @ rotation
        return cls(view.focal_px, view.centre_px, view.k1, rotation, -rotation @ at)

    @property
    def place(self) -> np.ndarray:
        """The lens in the plan, (3,)."""
        return -self.rotation.T @ self.translation

    def straight(self, points: np.ndarray) -> np.ndarray:
        """Points (N, 3) of the plan without distortion, focal length 1."""
        x, y, z = self.rotation @ np.asarray(points, float).reshape(-1, 3).T + self.translation[:, None]
        return np.stack([x / z, y / z], axis=1)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels (N, 2) of points (N, 3) of the plan."""
        xy = self.straight(points)
        return xy * (1 + self.k1 * (xy**2).sum(axis=1, keepdims=True)) * self.focal + self.centre

    def wide(self, points: np.ndarray) -> np.ndarray:
        """Pixels (N, 2) in the larger picture without distortion."""
        return self.straight(points) * self.focal + self.wide_centre

    @property
    def wide_size(self) -> tuple[int, int]:
        return round(WIDTH * WIDER / 6) * 6, round(HEIGHT * WIDER / 6) * 6

    @property
    def wide_centre(self) -> np.ndarray:
        return (np.array(self.wide_size) - 1) / 2

    def bend(self, wide: np.ndarray) -> np.ndarray:
        """The picture (HEIGHT, WIDTH, 3) that the lens makes of one without distortion."""
        v, u = np.mgrid[:HEIGHT, :WIDTH].astype(np.float64)
        bent = np.stack([(u - self.centre[0]) / self.focal, (v - self.centre[1]) / self.focal], axis=-1)
        flat = bent.copy()
        for _ in range(6):
            flat = bent / (1 + self.k1 * (flat**2).sum(axis=-1, keepdims=True))
        at = (flat * self.focal + self.wide_centre).astype(np.float32)
        return cv2.remap(wide, at, np.empty(0), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)

    def label(self) -> dict[str, object]:
        return {
            "width": WIDTH,
            "height": HEIGHT,
            "fx": self.focal,
            "fy": self.focal,
            "cx": self.centre[0],
            "cy": self.centre[1],
            "k1": self.k1,
            "R": self.rotation.round(8).tolist(),
            "t": self.translation.round(4).tolist(),
        }


@dataclass(frozen=True)
class Locked:
    """What the camera settled on when the table was calibrated: gains (3,), blue first."""

    gains: np.ndarray

    @classmethod
    def on(cls, bare: np.ndarray, white: np.ndarray, sensor: Sensor) -> Locked:
        """By the bare board's picture and where in it white paint is (mask)."""
        seen = np.median(bare[white], axis=0)
        balance = (seen.mean() / seen) ** sensor.balance
        return cls(balance * sensor.white / float((seen * balance).mean()))


def expose(
    light: np.ndarray, locked: Locked, sensor: Sensor, gain: float, seed: str
) -> tuple[np.ndarray, int]:
    """An 8-bit BGR picture of linear light (H, W, 3), and the JPEG quality to save it with."""
    rng = np.random.default_rng(list(seed.encode()))
    y, x = np.mgrid[: light.shape[0], : light.shape[1]].astype(np.float32)
    far = ((x - WIDTH / 2) ** 2 + (y - HEIGHT / 2) ** 2) / (WIDTH / 2) ** 2
    seen = light * locked.gains.astype(np.float32) * gain * (1 - sensor.vignette * far / 1.3)[..., None]
    seen = cv2.GaussianBlur(seen, (0, 0), sensor.blur_px)
    # Shot noise and read noise on the Bayer grid, blurred by the filling in of colours.
    level = (sensor.noise / 255) * 0.95
    spread = level * np.sqrt(0.15 + np.clip(seen, 0, 1.2) * 1.9)
    noise = rng.standard_normal(seen.shape, np.float32) * np.array([1.5, 1.0, 1.4], np.float32) * spread
    seen = seen + cv2.GaussianBlur(noise, (0, 0), 0.6) * 1.5
    grey = seen.mean(axis=2, keepdims=True)
    seen = np.clip(grey + (seen - grey) * sensor.saturation, 0, None)
    # A shoulder, as cameras have, in place of a hard white.
    seen = np.where(seen > 0.8, 0.8 + 0.2 * np.tanh((seen - 0.8) / 0.2 * 0.9), seen)
    out = np.where(seen <= 0.0031308, seen * 12.92, 1.055 * np.maximum(seen, 1e-6) ** (1 / 2.4) - 0.055) * 255
    out = out + sensor.sharpen * (out - cv2.GaussianBlur(out, (0, 0), 1.2))
    quality = random.Random(seed).randint(*sensor.jpeg)
    return np.clip(np.rint(out), 0, 255).astype(np.uint8), quality
