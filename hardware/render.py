"""Pictures of solids: a small renderer with hidden surfaces, soft shading and drawn edges.

Needs no graphics card and gives the same picture on every machine. Colours are (red, green, blue), 0 … 255.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians, tan

import cv2
import numpy as np
import numpy.typing as npt
from manifold3d import Manifold

from hardware.solids import triangles

Rgb = tuple[int, int, int]
Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

PAPER: Rgb = (255, 255, 255)
_CREASE_COS = 0.88
"""Faces that meet at less than 28° are one smooth face: no edge is drawn between them."""
_FINER = 2
_LIGHTS = (
    (np.array([-0.45, -0.65, 0.75]), 0.58),
    (np.array([0.8, -0.2, 0.35]), 0.24),
    (np.array([0.2, 0.9, 0.3]), 0.30),
)
_AMBIENT = 0.34


@dataclass(frozen=True)
class Thing:
    """A solid and its colour; what is `plain` has neither shades nor edges: marks, and what shines."""

    solid: Manifold
    colour: Rgb
    plain: bool = False


@dataclass(frozen=True)
class View:
    """From where one looks: eye and target in millimetres, the view across the picture in degrees."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    across_deg: float = 28.0
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)

    def project(self, points: Floats, size: tuple[int, int]) -> Floats:
        """Points (…, 3) as (…, 3): pixel x, pixel y, and depth in millimetres."""
        eye = np.array(self.eye, np.float64)
        ahead = np.array(self.target) - eye
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, self.up)
        right /= np.linalg.norm(right)
        down = np.cross(ahead, right)
        away = points - eye
        depth = away @ ahead
        focal = size[0] / 2 / tan(radians(self.across_deg) / 2)
        return np.stack(
            [
                size[0] / 2 + focal * (away @ right) / depth,
                size[1] / 2 + focal * (away @ down) / depth,
                depth,
            ],
            axis=-1,
        )


def render(things: Sequence[Thing], view: View, size: tuple[int, int]) -> Image:
    """The picture (height, width, 3), red first, on white paper."""
    fine = (size[0] * _FINER, size[1] * _FINER)
    corners = np.concatenate([triangles(thing.solid) for thing in things])
    owner = np.concatenate([np.full(thing.solid.num_tri(), i) for i, thing in enumerate(things)])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    depth, face = _z_buffer(view.project(corners, fine), fine)
    seen = face >= 0
    light = np.full(len(corners), _AMBIENT)
    for direction, share in _LIGHTS:
        light += share * np.clip(normals @ (direction / np.linalg.norm(direction)), 0.0, 1.0)
    plain = np.array([thing.plain for thing in things])[owner]
    light[plain] = 1.0
    paints = np.array([thing.colour for thing in things], np.float64)[owner]
    picture = np.full((*face.shape, 3), PAPER, np.float64)
    picture[seen] = np.clip(paints * light[:, None], 0, 255)[face[seen]]
    picture[_edges(face, depth, normals, owner) & ~(seen & plain[face])] *= 0.25
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.rint(small).astype(np.uint8)


def _z_buffer(drawn: Floats, size: tuple[int, int]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """For each pixel the depth and the index of the triangle in front; -1 for none."""
    width, height = size
    depth = np.full((height, width), np.inf)
    face = np.full((height, width), -1, np.int64)
    for index, ((ax, ay, az), (bx, by, bz), (cx, cy, cz)) in enumerate(drawn.tolist()):
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        # Back faces have their corners the other way round; behind the eye nothing is drawn.
        if area >= -1e-9 or min(az, bz, cz) <= 1.0:
            continue
        x0, x1 = max(0, int(min(ax, bx, cx))), min(width - 1, int(max(ax, bx, cx)) + 1)
        y0, y1 = max(0, int(min(ay, by, cy))), min(height - 1, int(max(ay, by, cy)) + 1)
        if x0 > x1 or y0 > y1:
            continue
        xs, ys = np.arange(x0, x1 + 1)[None, :] + 0.5, np.arange(y0, y1 + 1)[:, None] + 0.5
        b = ((xs - ax) * (cy - ay) - (ys - ay) * (cx - ax)) / area
        c = ((bx - ax) * (ys - ay) - (by - ay) * (xs - ax)) / area
        inside = (b >= -1e-9) & (c >= -1e-9) & (b + c <= 1 + 1e-9)
        # The inverse of depth is linear across the picture.
        near = 1.0 / ((1 - b - c) / az + b / bz + c / cz)
        window = (slice(y0, y1 + 1), slice(x0, x1 + 1))
        nearer = inside & (near < depth[window])
        depth[window][nearer] = near[nearer]
        face[window][nearer] = index
    return depth, face


def _edges(
    face: npt.NDArray[np.int64], depth: Floats, normals: Floats, owner: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Where neighbouring pixels belong to different parts, to faces that meet sharply, or lie far apart."""
    out = np.zeros(face.shape, bool)
    for a, b in (
        ((slice(None), slice(1, None)), (slice(None), slice(None, -1))),
        ((slice(1, None), slice(None)), (slice(None, -1), slice(None))),
    ):
        one, two = face[a], face[b]
        both = (one >= 0) & (two >= 0)
        differ = (one >= 0) != (two >= 0)
        bent = np.einsum("ijk,ijk->ij", normals[one], normals[two]) < _CREASE_COS
        with np.errstate(invalid="ignore"):
            apart = np.abs(depth[a] - depth[b]) > 6.0
        differ |= both & ((owner[one] != owner[two]) | bent | apart)
        out[a] |= differ
    return out
