"""A pinhole camera with two radial terms, and the views of the plan made with it.

Frame of reference: plan millimetres, x right, y down, z down into the table, origin at the board's
top-left corner, so a point h above the board has z = -h. Pixels: integer coordinates are pixel centres.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Floats, Maps
from uckers_table.vision.place.lens import Lens, usual_lens


def fixed_point(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> Maps:
    """Maps for cv2.remap of these pixel columns and rows."""
    first, second = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return np.asarray(first, dtype=np.int16), np.asarray(second, dtype=np.uint16)


_MOST_ROUNDS, _SETTLED = 20, 1e-7
"""Going back through the lens ends once no place moves by more, in focal lengths, or after so many rounds."""


@dataclass(frozen=True)
class CameraModel:
    """X_cam = R(rvec) X_plan + t; x_d = x (1 + k1 r² + k2 r⁴); px = focal * x_d + (cx, cy)."""

    width: int
    height: int
    focal_px: float
    cx_px: float
    cy_px: float
    k1: float
    rvec: tuple[float, float, float]
    t_mm: tuple[float, float, float]
    k2: float = 0.0

    @cached_property
    def rotation(self) -> Floats:
        """The 3 × 3 rotation from plan to camera axes."""
        return np.asarray(cv2.Rodrigues(np.array(self.rvec))[0], dtype=np.float64)

    @cached_property
    def centre_mm(self) -> Floats:
        """Where the lens is, on the plan: (x, y, z), z negative above the board."""
        return np.asarray(-self.rotation.T @ np.array(self.t_mm), dtype=np.float64)

    @property
    def px_per_mm(self) -> float:
        """The picture's scale at the board, straight under the camera."""
        return self.focal_px / -float(self.centre_mm[2])

    def project(self, points_mm: npt.ArrayLike) -> Floats:
        """Pixels (N, 2) of plan points (N, 2) on the board or (N, 3) anywhere."""
        points = np.asarray(points_mm, dtype=np.float64)
        # Axis by axis: numpy is several times slower with rows of three.
        x, y, z = self.rotation[:, : points.shape[1]] @ points.T + np.array(self.t_mm)[:, None]
        u, v = x / z, y / z
        r2 = u * u + v * v
        bend = self.focal_px * (1 + r2 * (self.k1 + self.k2 * r2))
        return np.column_stack([u * bend + self.cx_px, v * bend + self.cy_px])

    def unproject(self, points_px: npt.ArrayLike, height_mm: float = 0.0) -> Floats:
        """Plan points (N, 2) at a height above the board that are seen at these pixels (N, 2)."""
        points = np.asarray(points_px, dtype=np.float64)
        x_d = (points - np.array([self.cx_px, self.cy_px])) / self.focal_px
        x = x_d.copy()
        for _ in range(_MOST_ROUNDS):
            r2 = (x**2).sum(axis=1, keepdims=True)
            before, x = x, x_d / (1 + r2 * (self.k1 + self.k2 * r2))
            if np.abs(x - before).max(initial=0.0) < _SETTLED:
                break
        rays = np.column_stack([x, np.ones(len(x))]) @ self.rotation
        eye = self.centre_mm
        along = (-height_mm - eye[2]) / rays[:, 2]
        return np.asarray(eye[:2] + rays[:, :2] * along[:, None])

    def lifted(self, points_mm: npt.ArrayLike, height_mm: float | Floats) -> Floats:
        """Where points (…, 2) at a height appear when the picture is laid on the board's plane. The height is
        one for all, or one for each (…, 1).
        """
        points = np.asarray(points_mm, dtype=np.float64)
        eye = self.centre_mm
        return np.asarray(eye[:2] + (points - eye[:2]) * self._swell(height_mm))

    def grounded(self, points_mm: npt.ArrayLike, height_mm: float | Floats) -> Floats:
        """The inverse of `lifted`."""
        points = np.asarray(points_mm, dtype=np.float64)
        eye = self.centre_mm
        return np.asarray(eye[:2] + (points - eye[:2]) / self._swell(height_mm))

    def swell(self, height_mm: float) -> float:
        """How many times as large a thing at a height appears as one on the board."""
        return float(self._swell(height_mm))

    def _swell(self, height_mm: float | Floats) -> float | Floats:
        above = -float(self.centre_mm[2])
        return above / (above - height_mm)

    def moved(self, rvec: npt.ArrayLike, t_mm: npt.ArrayLike) -> CameraModel:
        """The same lens at another pose."""
        r, t = np.ravel(rvec), np.ravel(t_mm)
        return replace(
            self, rvec=(float(r[0]), float(r[1]), float(r[2])), t_mm=(float(t[0]), float(t[1]), float(t[2]))
        )

    def maps(
        self,
        x0_mm: float,
        y0_mm: float,
        width_mm: float,
        height_mm: float,
        px_per_mm: float,
        z_mm: float = 0.0,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Maps for cv2.remap that lay part of the plan (at depth z) out flat.

        Sample (row, column) is the plan point (x0 + (column + 0.5) / px_per_mm, y0 + …): a sample stands
        for the middle of its square, so that halving with INTER_AREA keeps places.
        """
        columns, rows = round(width_mm * px_per_mm), round(height_mm * px_per_mm)
        x = (np.arange(columns, dtype=np.float32) + 0.5) / px_per_mm + x0_mm
        y = (np.arange(rows, dtype=np.float32) + 0.5) / px_per_mm + y0_mm
        r, t = self.rotation, self.t_mm
        # Separable sums keep the temporaries few: these maps are the largest arrays of a read.
        seen = [
            (np.float32(r[i, 0]) * x)[None, :]
            + (np.float32(r[i, 1]) * y + np.float32(r[i, 2] * z_mm + t[i]))[:, None]
            for i in range(3)
        ]
        u, v = seen[0] / seen[2], seen[1] / seen[2]
        r2 = u * u + v * v
        bend = np.float32(self.focal_px) * (1 + r2 * (np.float32(self.k1) + np.float32(self.k2) * r2))
        return (
            np.asarray(u * bend + np.float32(self.cx_px), dtype=np.float32),
            np.asarray(v * bend + np.float32(self.cy_px), dtype=np.float32),
        )


def from_homography(plan_to_px: Floats, width: int, height: int, lens: Lens | None = None) -> CameraModel:
    """The camera with this lens, a Module 3's if left out, that sees the plan so."""
    lens = lens or usual_lens(width, height)
    focal = lens.focal_px
    cx, cy = (width - 1) / 2, (height - 1) / 2
    k = np.array([[focal, 0, cx], [0, focal, cy], [0, 0, 1.0]])
    m = np.linalg.inv(k) @ plan_to_px
    m /= (np.linalg.norm(m[:, 0]) + np.linalg.norm(m[:, 1])) / 2
    if m[2, 2] < 0:
        m = -m
    u, _, vt = np.linalg.svd(np.column_stack([m[:, 0], m[:, 1], np.cross(m[:, 0], m[:, 1])]))
    rotation = u @ np.diag([1, 1, np.linalg.det(u @ vt)]) @ vt
    rvec = np.ravel(cv2.Rodrigues(rotation)[0])
    return CameraModel(
        width, height, focal, cx, cy, lens.k1, (float(rvec[0]), float(rvec[1]), float(rvec[2])),
        (float(m[0, 2]), float(m[1, 2]), float(m[2, 2])),
    )  # fmt: skip


_LENS_SIGMA = np.array([0.04, 12.0, 12.0, 0.1, 0.02])
"""Standard deviations from the nominal lens: of focal length (relative), principal point (px), k1 and k2. The
last two are wide: the board's own lines tell them. Of 12 wide tables the corners were 0.7 mm off on average,
1.0 mm with k2 held at 0; of 32 others 0.5 mm either way (`python -m tools.tables.turns`, its "corner").
"""


def fit(
    camera: CameraModel,
    points_mm: Floats,
    points_px: Floats,
    sigma_px: float,
    lens: bool,
    directions: Floats | None = None,
) -> CameraModel:
    """The camera that best sees plan points (N, 2) at pixels (N, 2): Gauss-Newton with Huber weights.

    `directions` (N, 2), unit vectors in the picture: each point was measured along its own only. `lens` lets
    focal length, principal point, k1 and k2 move too, as far as a nominal lens allows.
    """
    nominal = np.array([camera.focal_px, camera.cx_px, camera.cy_px, camera.k1, camera.k2])
    scale = np.array([camera.focal_px, 1.0, 1.0, 1.0, 1.0])

    def built(v: Floats) -> CameraModel:
        out = camera.moved(v[:3], v[3:6])
        if lens:
            inner = nominal + v[6:] * scale
            out = replace(
                out,
                focal_px=float(inner[0]),
                cx_px=float(inner[1]),
                cy_px=float(inner[2]),
                k1=float(inner[3]),
                k2=float(inner[4]),
            )
        return out

    def residuals(v: Floats) -> Floats:
        off = (built(v).project(points_mm) - points_px) / sigma_px
        return np.asarray((off * directions).sum(axis=1) if directions is not None else off.ravel())

    v = np.array([*camera.rvec, *camera.t_mm, *([0.0] * 5 if lens else [])])
    step = np.array([1e-5, 1e-5, 1e-5, 1e-2, 1e-2, 1e-2, *([1e-4, 1e-2, 1e-2, 1e-4, 1e-4] if lens else [])])
    for _ in range(12):
        off = residuals(v)
        slope = np.column_stack(
            [(residuals(v + np.eye(len(v))[i] * step[i]) - off) / step[i] for i in range(len(v))]
        )
        weight = 1 / np.maximum(1.0, np.abs(off) / 1.5)
        normal = slope.T @ (slope * weight[:, None])
        right = -slope.T @ (weight * off)
        if lens:
            normal[6:, 6:] += np.diag(1 / _LENS_SIGMA**2)
            right[6:] -= v[6:] / _LENS_SIGMA**2
        try:
            change = np.linalg.solve(normal + 1e-9 * np.diag(np.diag(normal)), right)
        except np.linalg.LinAlgError:
            # No pose fits these points. The caller sees that this one fits badly.
            break
        v = v + change
        if np.all(np.abs(change) < 1e-2 * step):
            break
    return built(v)
