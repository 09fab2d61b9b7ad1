"""Small words for solid geometry on top of manifold3d, and the STL file. Millimetres; z is up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from manifold3d import CrossSection, FillRule, Manifold

Range = tuple[float, float]
Points = Sequence[tuple[float, float]]
ROUND = 40
"""Corners of what stands for a circle."""
_GRID_MM = 1 / 1024
"""Flat parts have their corners on a grid that floating numbers hold exactly: faces that are meant to lie in
one plane do, and no slivers come of joining them."""


def _on_grid(value: float) -> float:
    return round(value / _GRID_MM) * _GRID_MM


def box(x: Range, y: Range, z: Range) -> Manifold:
    """An upright box."""
    near = [_on_grid(span[0]) for span in (x, y, z)]
    far = [_on_grid(span[1]) for span in (x, y, z)]
    return Manifold.cube([b - a for a, b in zip(near, far, strict=True)]).translate(near)


def along_x(outline_yz: Points, x: Range) -> Manifold:
    """An outline in (y, z), drawn out along x."""
    return _drawn(outline_yz, x).transform([[0, 0, 1, _on_grid(x[0])], [1, 0, 0, 0], [0, 1, 0, 0]])


def along_y(outline_xz: Points, y: Range) -> Manifold:
    """An outline in (x, z), drawn out along y."""
    return _drawn(outline_xz, y).transform([[1, 0, 0, 0], [0, 0, 1, _on_grid(y[0])], [0, 1, 0, 0]])


def _drawn(outline: Points, span: Range) -> Manifold:
    corners = [(_on_grid(a), _on_grid(b)) for a, b in outline]
    return CrossSection([corners], FillRule.NonZero).extrude(_on_grid(span[1]) - _on_grid(span[0]))


def rod(axis: str, at: tuple[float, float], span: Range, width_mm: float, corners: int = ROUND) -> Manifold:
    """A round rod along "x", "y" or "z"; `at` are its two other coordinates, in their usual order."""
    upright = Manifold.cylinder(span[1] - span[0], width_mm / 2, -1.0, corners).translate((0, 0, span[0]))
    a, b = at
    turns = {
        "x": [[0, 0, 1, 0], [1, 0, 0, a], [0, 1, 0, b]],
        "y": [[1, 0, 0, a], [0, 0, 1, 0], [0, 1, 0, b]],
        "z": [[1, 0, 0, a], [0, 1, 0, b], [0, 0, 1, 0]],
    }
    return upright.transform(turns[axis])


def joined(*solids: Manifold) -> Manifold:
    """All of them as one."""
    out = Manifold()
    for solid in solids:
        out += solid
    return out


def mirrored_too(solid: Manifold) -> Manifold:
    """A solid and its mirror image across the plane x = 0."""
    return solid + solid.mirror((1, 0, 0))


def triangles(solid: Manifold) -> npt.NDArray[np.float64]:
    """Its surface: (n, 3, 3), corners anticlockwise from outside."""
    mesh = solid.to_mesh()
    corners: npt.NDArray[np.float64] = np.asarray(mesh.vert_properties, np.float64)[:, :3]
    return np.asarray(corners[np.asarray(mesh.tri_verts)])


def write_stl(solid: Manifold, path: Path, name: str) -> None:
    """The solid as binary STL."""
    corners = triangles(solid)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # A triangle that is a line has no normal; a printer takes 0, 0, 0 for "work it out yourself".
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    facets = np.zeros(len(corners), np.dtype([("floats", "<f4", 12), ("spare", "<u2")]))
    facets["floats"] = np.concatenate([normals[:, None], corners], axis=1).reshape(-1, 12)
    path.write_bytes(name.encode().ljust(80)[:80] + np.uint32(len(corners)).tobytes() + facets.tobytes())
