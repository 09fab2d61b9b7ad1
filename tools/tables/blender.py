"""Blender as a Python module, and its units: one unit is 100 mm, x is the plan's, y and z are turned round.

It needs `bpy`, which nothing else here does: pip install bpy.
"""

from __future__ import annotations

import sys

import numpy as np

from tools.tables.look import Rgb

try:
    import bpy  # isort: skip  # It brings the other two.
    import bmesh
    from mathutils import Matrix, Vector
except ImportError:
    sys.exit("Blender's module is missing: pip install bpy, as tools/tables/README.md says")

__all__ = ["UNIT", "Matrix", "Vector", "bmesh", "bpy", "linear", "linked", "world"]

UNIT = 100.0


def world(x: float, y: float, up: float) -> Vector:
    """A place of the plan, so high above the board's top, all in mm, in Blender's units."""
    return Vector((x / UNIT, -y / UNIT, up / UNIT))


def linear(rgb: Rgb) -> tuple[float, float, float, float]:
    """A paint as Blender wants it: linear, opaque."""
    c = np.array(rgb) / 255
    r, g, b = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(r), float(g), float(b), 1.0


def linked(name: str, data: object) -> bpy.types.Object:
    """A new thing in the scene, made of a mesh or a light; of None, a handle to turn others by."""
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    return thing
