"""The shapes of what stands on the board, as the simulated camera and its lamps see them. Nothing is drawn
here.

Points are (N, 3) in the plan frame of `optics`, in mm. z points down: what stands on the board has z < 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

import numpy as np

from uckers_table.simulator.arrays import Numbers
from uckers_table.simulator.look import Lamp
from uckers_table.simulator.scene import DIE_MM, PIECE_DIAMETER_MM, Die, Hand, WoodenPiece

_PIP = DIE_MM * 0.25
"""The distance (mm) between neighbouring pips."""
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    5: ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of each face lie, in units of a quarter of its edge from its middle."""
PIP_RADIUS_MM = 1.45

_FACES: dict[int, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    1: ((0, 0, -1), (1, 0, 0)),
    2: ((0, -1, 0), (0, 0, 1)),
    3: ((-1, 0, 0), (0, 1, 0)),
    4: ((1, 0, 0), (0, 1, 0)),
    5: ((0, 1, 0), (0, 0, 1)),
    6: ((0, 0, 1), (1, 0, 0)),
}
"""Each face's outward normal and one axis along its edge, on a die that shows 1. Opposite faces sum to 7."""


def ring(x_mm: float, y_mm: float, z_mm: float, radius_mm: float, points: int) -> Numbers:
    """A level circle (points, 3)."""
    return np.asarray(_unit_ring(points) * radius_mm + (x_mm, y_mm, z_mm), np.float64)


@lru_cache
def _unit_ring(points: int) -> Numbers:
    angles = np.linspace(0.0, 2 * np.pi, points, endpoint=False)
    return np.column_stack([np.cos(angles), np.sin(angles), np.zeros(points)])


def piece_hull(piece: WoodenPiece, height_mm: float) -> Numbers:
    """The lower and the upper rim of a piece (48, 3)."""
    low, radius = -piece.level * height_mm, PIECE_DIAMETER_MM / 2
    return np.vstack([ring(piece.x_mm, piece.y_mm, z, radius, 24) for z in (low, low - height_mm)])


@dataclass(frozen=True)
class DieFace:
    """One face of a die.

    `normal`: points outward (3,).
    `corners`: (4, 3). `pips`: the middles of its pips (value, 3).
    `axes`: two unit vectors (3,) in its plane.
    """

    value: int
    normal: Numbers
    corners: Numbers
    pips: Numbers
    axes: tuple[Numbers, Numbers]


def die_faces(die: Die) -> tuple[DieFace, ...]:
    """The six faces of a die as it lies, with its lowest corner, edge or face on the board."""
    turn = _die_turn(die)
    half = DIE_MM / 2
    cube = np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)])
    sunk = float((cube @ turn.T)[:, 2].max())
    centre = np.array([die.x_mm, die.y_mm, -sunk])
    faces = []
    for value, (outward, along) in _FACES.items():
        normal, u = turn @ np.array(outward, float), turn @ np.array(along, float)
        v = np.cross(normal, u)
        middle = centre + half * normal
        corners = np.stack([middle + half * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        pips = np.stack([middle + _PIP * (a * u + b * v) for a, b in PIPS[value]])
        faces.append(DieFace(value, normal, corners, pips, (u, v)))
    return tuple(faces)


def _die_turn(die: Die) -> Numbers:
    """The rotation (3, 3) that brings the die's value up (towards -z), turns it and leans it."""
    outward, along = _FACES[die.value]
    up, u = -np.array(outward, float), np.array(along, float)
    to_top = np.stack([u, np.cross(up, u), up])
    yaw, tilt, lean = radians(die.yaw_deg), radians(die.tilt_deg), radians(die.lean_deg)
    spin = np.array([[cos(yaw), -sin(yaw), 0], [sin(yaw), cos(yaw), 0], [0, 0, 1]])
    axis = np.array([sin(lean), -cos(lean), 0.0])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    leaning = np.eye(3) + sin(tilt) * cross + (1 - cos(tilt)) * cross @ cross
    return np.asarray(leaning @ spin @ to_top, np.float64)


@dataclass(frozen=True)
class Limb:
    """A part of an arm: a ball rolled from `start` (3,) to `end` (3,). Its radius changes from `start_mm` to
    `end_mm`. `cloth`: it is sleeve.
    """

    start: Numbers
    end: Numbers
    start_mm: float
    end_mm: float
    cloth: bool = False


@lru_cache(maxsize=16)
def hand_limbs(hand: Hand) -> tuple[Limb, ...]:
    """A hand that is about to pinch a piece under its fingertips, from the shoulder's side to the tips."""
    away = np.array([cos(radians(hand.from_deg)), sin(radians(hand.from_deg)), 0.0])
    side = np.array([-away[1], away[0], 0.0])

    def at(back: float, aside: float, up: float) -> Numbers:
        tips = np.array([hand.x_mm, hand.y_mm, -up])
        return np.asarray(tips + back * away + aside * side, np.float64)

    wrist, elbow = at(178, -6, 66), at(760, 70, 150)
    limbs = [
        Limb(wrist, at(290, 6, 76), 25, 31),
        Limb(at(262, 3, 76), elbow, 40, 58, cloth=True),
    ]
    for aside, up in ((26, 52), (9, 57), (-9, 58), (-26, 55)):
        limbs.append(Limb(at(158, aside * 0.55 - 4, 62), at(88, aside, up), 19, 14.5))
    for knuckle, middle, tip in (
        (at(86, 26, 54), at(58, 27, 48), at(36, 20, 30)),
        (at(84, 9, 60), at(44, 11, 58), at(16, 11, 30)),
    ):
        limbs += [Limb(knuckle, middle, 11.5, 10), Limb(middle, tip, 10, 8)]
    limbs += [
        Limb(at(140, -30, 58), at(82, -44, 46), 17, 12),
        Limb(at(82, -44, 46), at(36, -36, 36), 12, 10.5),
        Limb(at(36, -36, 36), at(6, -15, 20), 10.5, 8),
    ]
    limbs += [
        Limb(at(84, -9, 62), at(40, -8, 62), 12, 10.5),
        Limb(at(40, -8, 62), at(9, 6, 26), 10.5, 8),
    ]
    return tuple(limbs)


def shadow_on_board(points: Numbers, light: Lamp) -> Numbers:
    """Where the shadows of points (N, 3) fall on the board's top (N, 3)."""
    up = -points[:, 2]
    lamp = np.array([light.x_mm, light.y_mm])
    flat = points[:, :2] + (points[:, :2] - lamp) * (up / (light.height_mm - up))[:, None]
    return np.column_stack([flat, np.zeros(len(points))])


def brightness(normal: Numbers, x_mm: float, y_mm: float, lights: Sequence[Lamp]) -> float:
    """The light on a small surface at (x, y) with this unit normal (3,), in parts of what one facing up gets
    there.
    """
    ambient = 1.0 - sum(light.share for light in lights)
    total = ambient * (0.62 - 0.38 * normal[2])
    for light in lights:
        way = np.array([light.x_mm - x_mm, light.y_mm - y_mm, -light.height_mm])
        total += light.share * max(0.0, float(normal @ way) / light.height_mm)
    return float(total)
