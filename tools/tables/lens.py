"""Where the camera sees things: a lens, by the formula that the labels state."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from tools.tables.look import View
from uckers_table.vision.picture.arrays import Floats, Map

_ROUNDS = 25
"""How often a bend is undone step by step. A wide lens needs twenty."""


@dataclass(frozen=True)
class Lens:
    """X_cam = R X_plan + t; distorted x_d = x (1 + k1 r² + k2 r⁴); integer coordinates are pixel centres.

    Points of the plan are (x, y, z) in mm, with z down into the board: what is above it has z below 0.
    """

    focal: float
    centre: tuple[float, float]
    k1: float
    rotation: Floats
    translation: Floats
    k2: float = 0.0
    size: tuple[int, int] = (2304, 1296)
    wider: float = 1.1

    @classmethod
    def of(cls, view: View, push: tuple[float, ...] | None = None) -> Lens:
        """The lens of a camera that has been pushed by (dx, dy, dz) mm and turned by two small angles."""
        dx, dy, dz, turn_x, turn_y = push or (0.0,) * 5
        tilt, azimuth, yaw = radians(view.tilt_deg), radians(view.tilt_az_deg), radians(view.yaw_deg)
        away = np.array([sin(tilt) * cos(azimuth), sin(tilt) * sin(azimuth), cos(tilt)])
        right = np.array([cos(yaw), sin(yaw), 0.0])
        right -= away * (right @ away)
        right /= np.linalg.norm(right)
        at = np.array([*view.aim_mm, 0.0]) - away * (view.height_mm / away[2]) + np.array([dx, dy, dz])
        rotation = np.stack([right, np.cross(away, right), away])
        small, _ = cv2.Rodrigues(np.radians([turn_x, turn_y, (turn_x + turn_y) / 2]))
        rotation = small @ rotation
        lens = view.k2, view.size_px, view.wider
        return cls(view.focal_px, view.centre_px, view.k1, rotation, -rotation @ at, *lens)

    @property
    def place(self) -> Floats:
        """Where the lens is in the plan, (3,)."""
        return -self.rotation.T @ self.translation

    def straight(self, points: npt.ArrayLike) -> Floats:
        """Points (N, 3) of the plan as seen without distortion (N, 2), at focal length 1."""
        x, y, z = self.rotation @ np.asarray(points, float).reshape(-1, 3).T + self.translation[:, None]
        return np.stack([x / z, y / z], axis=1)

    def project(self, points: npt.ArrayLike) -> Floats:
        """Pixels (N, 2) of points (N, 3) of the plan."""
        xy = self.straight(points)
        r2 = (xy**2).sum(axis=1, keepdims=True)
        seen = xy * (1 + self.k1 * r2 + self.k2 * r2 * r2) * self.focal + self.centre
        return np.asarray(seen, float)

    def wide(self, points: npt.ArrayLike) -> Floats:
        """Pixels (N, 2) of points (N, 3) in the wider picture without distortion."""
        return self.straight(points) * self.focal + self.wide_centre

    @property
    def wide_size(self) -> tuple[int, int]:
        """Width and height of the wider picture."""
        width, height = self.size
        return round(width * self.wider / 6) * 6, round(height * self.wider / 6) * 6

    @property
    def wide_centre(self) -> Floats:
        """The middle of the wider picture, (2,)."""
        return (np.array(self.wide_size) - 1) / 2

    def bend(self, wide: Map) -> Map:
        """The picture (height, width, 3) that the lens makes of a wider one without distortion."""
        width, height = self.size
        v, u = np.mgrid[:height, :width].astype(np.float64)
        bent = np.stack([(u - self.centre[0]) / self.focal, (v - self.centre[1]) / self.focal], axis=-1)
        flat = bent.copy()
        for _ in range(_ROUNDS):
            r2 = (flat**2).sum(axis=-1, keepdims=True)
            flat = bent / (1 + self.k1 * r2 + self.k2 * r2 * r2)
        at = (flat * self.focal + self.wide_centre).astype(np.float32)
        seen = cv2.remap(wide, at, np.empty(0), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)

    def label(self) -> dict[str, Any]:
        """What the labels say of the camera."""
        return {
            "width": self.size[0],
            "height": self.size[1],
            "fx": self.focal,
            "fy": self.focal,
            "cx": self.centre[0],
            "cy": self.centre[1],
            "k1": self.k1,
            **({"k2": self.k2} if self.k2 else {}),
            "R": self.rotation.round(8).tolist(),
            "t": self.translation.round(4).tolist(),
        }
