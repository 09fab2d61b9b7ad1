"""Whether a die lies flat or leans: all that the camera sees of it is compared with either.

The pips of its upper face tell where a die is. From that follows what else shows if it lies flat: how much of
which sides, and where the board begins. A die that leans shows more of one side and less of the face.

How badly the picture goes with either is counted in nats, point by point, on the plane of a flat die's upper
face. Things lower or higher are taken where they are seen on that plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.vision.dice.faces import DIE_MM, DIM, PITCH_MM, Face, Patch
from uckers_table.vision.dice.pips import PATTERNS, SITES
from uckers_table.vision.dice.spots import Smoothed
from uckers_table.vision.picture.arrays import Flags, Floats
from uckers_table.vision.picture.channels import channel_sum, medians
from uckers_table.vision.place.camera import CameraModel

_REACH_MM = 17.0
"""How far (mm) round the middle of its upper face a die is looked at, every millimetre."""
_HALF_MM, _SHOWN = DIE_MM / 2, 0.95
"""The distance (mm) from a die's middle to a face; and the part of a face that is seen as flat, since edges
are round.
"""
_SOFT_MM = 0.75
"""Half the width (mm) of an edge in the picture."""
_TILTS = np.radians([15.0, 20.0, 25.0, 30.0, 36.0])
_WAYS = np.arange(4) * np.pi / 2
"""How far dice lean, and over which of their edges, in radians."""
_TURNS = np.radians(np.arange(-45, 45, 7.5))
_LIKELY_TURNS = 4
"""The turns (radians) that are tried for a face with one pip, which tells no turn. For a leaning die this
many of them are tried, the likeliest.
"""
_FACE_OFF, _SIDE_OFF, _PIP_OFF = 0.065, 0.17, 0.15
"""The standard deviations of colours from what is expected, in parts of the level. They are for the upper
face and the board, for a side, whose light falls off, and, on top, for pips, which differ in size.
"""
_ODD_FACE, _ODD_SIDE, _ODD_RIM, _ODD_BOARD = 5.0, 2.0, 0.8, 3.0
"""The most nats that a point costs. Something may lie on the face. A side may mirror the room. A die's edges
may show anything. A piece may stand on the board.
"""
_ASLANT, _RIM_MM = 0.35, 1.7
"""A side seen more aslant than this (cosine) mirrors what is round it. Edges are `_RIM_MM` wide."""
_PIP_MM, _SIDE_PIP_MM, _ANY_PIP = 1.45, 1.9, 0.3
"""The radii (mm) of pips on the upper face, and on a side, with what they may be off there. A point of a side
costs `_ANY_PIP` nats more if pips are assumed on it.
"""
_LEAST_LIT, _MOST_LIT, _SAME_LIT = 0.05, 1.5, 0.8
"""The least and the most light that the board may have left. Each point has at least `_SAME_LIT` of its
surroundings' light, and at most that much more.
"""
_BESIDE_MM, _LEAST_TINT = 12.0, 0.7
"""Farther (mm) than this from a face's middle, the board tells how the light has changed in colour. A channel
keeps at least `_LEAST_TINT`.
"""
_LEVEL = 0.5
"""Colours are compared in parts of a level. It is at least this part of the board's white."""
_SIDE_LIT, _DULL, _GLOSS = (0.15, 1.25), 0.7, 0.5
"""The light of a side, in parts of the face's: the range, and the value where hardly any of it is seen.
`_GLOSS` is the grey that it may mirror, in parts of the level.
"""
_OTHERS_MM, _OTHERS_PIP_MM = 11.0, 6.5
"""Nothing is compared this near (mm) to the middle of another die, since its sides show, or to another die's
pip, since its face does.
"""
_UP = np.array([0.0, 0.0, 1.0])
_AS_COMPLEX = np.array([1, 1j])


@dataclass(frozen=True)
class SeenScene:
    """One frame beside the bare board.

    `now`, `camera`: the picture, and the camera that took it.
    `bare`, `bare_camera`: the same of the bare board.
    `white`: the green grey level of white paint on the bare board.
    """

    now: Smoothed
    camera: CameraModel
    bare: Smoothed
    bare_camera: CameraModel
    white: float


def leaning(scene: SeenScene, face: Face, others: Sequence[Face], others_pips: Floats) -> float:
    """The nats for a die leaning rather than lying flat on the board. `face` is its upper face if it lies
    flat.

    Where `others` lie, and round `others_pips` (N, 2, in plan mm), which are not its own, nothing is
    compared.
    """
    view = _View.of(scene, face, others, others_pips)
    turns = face.yaw + (_TURNS if face.value == 1 else np.zeros(1))
    flat = view.costs(np.column_stack([turns, np.zeros((len(turns), 2))]))
    likely = turns[np.argsort(flat)[:_LIKELY_TURNS]]
    leans = view.costs(np.array([(turn, tilt, way) for turn in likely for tilt in _TILTS for way in _WAYS]))
    return float(flat.min() - leans.min())


def _hidden(places: Floats, face: Face, others: Sequence[Face], pips: Floats) -> Flags:
    """Whether other dice lie at plan places (N, 2), or their sides may be seen there: (N,)."""
    out = np.zeros(len(places), dtype=bool)
    for other in others:
        out |= np.abs((places - other.middle) @ other.axes.T).max(axis=1) < _OTHERS_MM
    for pip in pips:
        out |= np.linalg.norm(places - pip, axis=1) < _OTHERS_PIP_MM
    own = np.abs((places - face.middle) @ face.axes.T).max(axis=1) < _HALF_MM
    return np.asarray(out & ~own)


@dataclass(frozen=True)
class _View:
    """What is seen round a face, at N points on the plane of its upper face, in mm from its middle.

    `eye`: the lens (3,): x, y and height above the board.
    `points`: (N, 2). `seen`: their colours now (N, 3), in grey levels.
    `bare`: the bare board's colours there (N, 3). `lit`: how much of its light is left (N,).
    `colour`, `pip`: the colours (3,) of the face and of its pips. `pattern`: which `SITES` have pips (9,).
    `level`: the grey level that differences are parts of.
    `noise`: the picture's noise in each channel (3,), in grey levels.
    """

    face: Face
    eye: Floats
    points: Floats
    seen: Floats
    bare: Floats
    lit: Floats
    colour: Floats
    pip: Floats
    pattern: Flags
    level: float
    noise: Floats

    @classmethod
    def of(cls, scene: SeenScene, face: Face, others: Sequence[Face], pips: Floats) -> _View:
        """The view round a face. Points on other dice, and round other dice's `pips` (N, 2), are left out."""
        grid = np.arange(-_REACH_MM, _REACH_MM + 0.5)
        points = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
        patch = Patch.cut(scene.now, scene.camera, face.middle, DIE_MM)
        seen = patch.at((points + face.middle)[None])[0]
        below = scene.camera.lifted(face.middle[None], DIE_MM)[0]
        board = Patch.cut(scene.bare, scene.bare_camera, below, 0.0)
        bare = board.at((points * scene.camera.swell(DIE_MM) + below)[None])[0]
        lit = channel_sum(seen * bare) / np.maximum(channel_sum(bare * bare), 1.0)
        away = np.linalg.norm(points, axis=1)
        beside = away > _BESIDE_MM
        # A shadow takes a different share of each channel, and what varnish mirrors.
        tint = np.median(seen[beside] / np.maximum(lit[beside, None] * bare[beside], 1.0), axis=0)
        bare = bare * np.clip(tint, _LEAST_TINT, 1 / _LEAST_TINT)
        levels = np.clip(lit, _LEAST_LIT, _MOST_LIT).astype(np.float32).reshape(len(grid), -1)
        lit = np.asarray(cv2.medianBlur(levels, 5), dtype=np.float64).ravel()
        kept = (away <= _REACH_MM) & ~_hidden(points + face.middle, face, others, pips)
        colour, white = np.array(face.colour), _LEVEL * scene.white
        patterns = [pattern for value, pattern in PATTERNS if value == face.value]
        shown = [patch.at(face.on_plan(SITES[pattern] * face.pitch_mm)[None])[0] for pattern in patterns]
        best = max(range(len(shown)), key=lambda k: float(np.abs(shown[k] - colour).max(axis=1).min()))
        local = points @ face.axes.T
        off = np.linalg.norm(local[:, None] - SITES[patterns[best]] * face.pitch_mm, axis=2)
        plain = seen[(np.abs(local).max(axis=1) < _HALF_MM - 2) & (off.min(axis=1) > _PIP_MM + 1)]
        noise = 1.48 * np.median(np.abs(plain - medians(plain)), axis=0)
        x, y, z = scene.camera.centre_mm
        return cls(
            face=face,
            eye=np.array([x - face.x_mm, y - face.y_mm, -z]),
            points=points[kept],
            seen=seen[kept],
            bare=bare[kept],
            lit=lit[kept],
            colour=colour,
            pip=medians(shown[best]),
            pattern=patterns[best],
            level=max(*face.colour, DIM, white),
            noise=np.maximum(noise, 1.5),
        )

    def costs(self, poses: Floats) -> Floats:
        """How badly (N,), in nats, the picture goes with a die in each of these poses (N, 3). A pose is the
        die's turn, how far it leans, and which way from its turn, in radians.
        """
        axes, middles, pitch = self._fitted(poses)
        shape = len(poses), len(self.points)
        die, side, pips, odd = np.zeros((4, *shape))
        shown, mottled = np.zeros((2, *shape, 3))
        for k, way in ((2, 1), (0, 1), (0, -1), (1, 1), (1, -1)):
            normal = axes[:, k] * way
            view = self.eye - (middles + _HALF_MM * normal)
            aslant = (view * normal).sum(axis=1) / np.linalg.norm(view, axis=1)
            on = np.flatnonzero(aslant > 0.02)
            if not len(on):
                continue
            local, inside = self._on_face(middles[on] + _HALF_MM * normal[on], np.delete(axes[on], k, axis=1))
            part = np.clip(0.5 + inside / (2 * _SOFT_MM), 0, 1)
            site = np.clip(np.rint(local / pitch[on, None, None]), -1, 1)
            from_pip = np.hypot(*np.moveaxis(local - site * pitch[on, None, None], 2, 0))
            if k == 2:
                has_pip = self.pattern[((site[..., 1] + 1) * 3 + site[..., 0] + 1).astype(np.intp)]
                pip = part * has_pip * np.clip(0.5 + (_PIP_MM - from_pip) / (2 * _SOFT_MM), 0, 1)
                shown[on] += part[..., None] * self.colour + pip[..., None] * (self.pip - self.colour)
                pips[on] += pip
                most = np.full((len(on), 1), _ODD_FACE)
            else:
                level, gloss = self._side_light(inside)
                pip = part * np.clip(0.5 + (_SIDE_PIP_MM - from_pip) / (2 * _SOFT_MM), 0, 1)
                shown[on] += part[..., None] * (level * self.colour + gloss)[:, None]
                mottled[on] += pip[..., None] * (level * (self.pip - self.colour))[:, None]
                side[on] += part
                most = _ODD_SIDE * np.minimum(aslant[on] / _ASLANT, 1)[:, None]
            die[on] += part
            odd[on] += part * np.where(inside < _RIM_MM, np.minimum(_ODD_RIM, most), most)
        board = 1 - np.minimum(die, 1)
        odd += board * _ODD_BOARD
        off = np.where(side > 0.5, _SIDE_OFF, _FACE_OFF) ** 2 + (_PIP_OFF * pips) ** 2
        level = np.maximum(self.seen.max(axis=1), self.level)
        spread = 2 * ((off * level**2)[..., None] + self.noise**2)
        power = np.maximum((self.bare * self.bare).sum(axis=1), 1.0)

        def cost(shown: Floats) -> Floats:
            left = self.seen - shown
            lit = channel_sum(left * self.bare) / power / np.maximum(board, 0.05)
            lit = board * np.clip(lit, _SAME_LIT * self.lit, self.lit / _SAME_LIT)
            left -= lit[..., None] * self.bare
            blue, green, red = np.moveaxis(left * left / spread, 2, 0)
            return np.asarray(np.minimum(np.maximum(np.maximum(blue, green), red), odd))

        with_pips = np.minimum(cost(shown + mottled), cost(shown + mottled / 2)) + _ANY_PIP * side
        return np.asarray(np.minimum(cost(shown), with_pips).sum(axis=1))

    def _fitted(self, poses: Floats) -> tuple[Floats, Floats, Floats]:
        """The axes (N, 3, 3) and middles (N, 3) of dice in these poses (N, 3), and the distances of their
        pips (N,). The dice are turned so that the pips of their upper faces come where they are seen.
        """
        poses, pitch = poses.copy(), np.full(len(poses), self.face.pitch_mm)
        axes, middles = self._placed(poses)
        sites = SITES[self.pattern]
        if len(sites) == 1:
            return axes, middles, pitch
        seen = (sites * self.face.pitch_mm) @ self.face.axes @ _AS_COMPLEX
        for _ in range(2):
            on_face = np.einsum("pk,nkc->npc", sites, axes[:, :2]) * pitch[:, None, None]
            there = self._projected((middles + _HALF_MM * axes[:, 2])[:, None] + on_face) @ _AS_COMPLEX
            there -= there.mean(axis=1, keepdims=True)
            turned = (there.conj() * (seen - seen.mean())).sum(axis=1) / (np.abs(there) ** 2).sum(axis=1)
            pitch = np.clip(pitch * np.abs(turned), *PITCH_MM)
            poses[:, 0] += np.angle(turned)
            axes, middles = self._placed(poses)
        return axes, middles, pitch

    def _placed(self, poses: Floats) -> tuple[Floats, Floats]:
        """The axes (N, 3, 3) and middles (N, 3) of dice in these poses (N, 3). The upper face's axis is the
        last. Places are (x, y, up) in mm, from the face's middle and the board.
        """
        turn, tilt, way = poses[:, 0], poses[:, 1], poses[:, 0] + poses[:, 2]
        none = np.zeros(len(poses))
        towards = np.column_stack([np.cos(way), np.sin(way), none])
        across = np.column_stack([-towards[:, 1], towards[:, 0], none])
        c, s = np.cos(tilt)[:, None], np.sin(tilt)[:, None]
        down = c * towards - s * _UP
        level = np.stack(
            [
                np.column_stack([np.cos(turn), np.sin(turn), none]),
                np.column_stack([-np.sin(turn), np.cos(turn), none]),
            ]
        )
        sides = [
            (axis * towards).sum(axis=1, keepdims=True) * down
            + (axis * across).sum(axis=1, keepdims=True) * across
            for axis in level
        ]
        axes = np.stack([*sides, c * _UP + s * towards], axis=1)
        # The die's lowest corners lie on the board.
        middle = _HALF_MM * np.abs(axes[:, :, 2]).sum(axis=1)
        top = middle + _HALF_MM * axes[:, 2, 2]
        shrunk = (self.eye[2] - top) / (self.eye[2] - DIE_MM)
        at = self.eye[:2] * (1 - shrunk[:, None])
        return axes, np.column_stack([at, top]) - _HALF_MM * axes[:, 2]

    def _projected(self, places: Floats) -> Floats:
        """Where places (…, 3), in mm, are seen on the plane of a flat die's upper face: (…, 2)."""
        swell = (self.eye[2] - DIE_MM) / (self.eye[2] - places[..., 2])
        return np.asarray(self.eye[:2] + (places[..., :2] - self.eye[:2]) * swell[..., None])

    def _on_face(self, middles: Floats, axes: Floats) -> tuple[Floats, Floats]:
        """Where the points are on N faces with these middles (N, 3) and axes (N, 2, 3), in mm: (N, points,
        2). Also how far inside the faces they are seen, in mm: (N, points).
        """
        origin = self._projected(middles)
        steps = self._projected(middles[:, None] + _HALF_MM * axes) - origin[:, None]
        local = (self.points - origin[:, None]) @ np.linalg.inv(steps)
        area = np.abs(np.linalg.det(steps))[:, None]
        lengths = np.linalg.norm(steps, axis=2)[:, ::-1]
        along, across = np.moveaxis((_SHOWN - np.abs(local)) * (area / lengths)[:, None], 2, 0)
        return local * _HALF_MM, np.minimum(along, across)

    def _side_light(self, inside: Floats) -> tuple[Floats, Floats]:
        """How much of the face's light a side has, and how much grey it mirrors, in grey levels: (N, 1) each.
        `inside` tells how far inside each of N sides the points are, in mm: (N, points).
        """
        power = max(float(self.colour @ self.colour), 1.0)
        out = np.empty((2, len(inside), 1))
        for k, depth in enumerate(inside):
            own = depth > 0.5
            usual = medians(self.seen[own]) if own.sum() >= 3 else _DULL * self.colour
            level = np.clip(usual @ self.colour / power, *_SIDE_LIT)
            out[:, k, 0] = level, np.clip((usual - level * self.colour).min(), 0, _GLOSS * self.level)
        return out[0], out[1]
