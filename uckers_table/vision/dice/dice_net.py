"""What a small net says of a place in a picture: no die is there, or one that lies flat, or one that leans.

Pips, edges and sides are each asked by rules elsewhere (`dice`, `faces`, `stance`); the net has learned what
the whole of a die looks like, whatever hides, blurs or mirrors some of it. It was fitted by
`scripts/fit_dice.py` on path-traced tables full of dice, and went on from there on some as games come to:
`tests/vision/path_traced/README.md` names them.

It sees a square of 33 mm on the plane of dice's upper faces, in the picture and on the bare board, in parts
of the grey level of white paint; turned so that the lens is on its left: there a flat die shows its sides
then, wherever on the board it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from uckers_table.vision.dice.faces import Patch
from uckers_table.vision.dice.stance import Scene
from uckers_table.vision.nets.net import Net, Patches
from uckers_table.vision.picture.arrays import Floats
from uckers_table.vision.place.camera import Camera

SIZE, PX_PER_MM = 40, 1.2
"""Of the square that is seen: pixels a side, and a millimetre."""
NONE, LEANS = 0, 7
"""Of what the net says, besides values: no die, and one that does not lie flat."""
CLASSES, OFF_MM = 8, 4.0
"""How much it tells apart; and how far off the place one of its units of where the die's middle is means."""
_TURNS = np.radians([-10.0, 0.0, 10.0])
"""A closer look is one at as many turns, and in a mirror."""
_MIRROR = np.array([1.0, -1.0])
_NET = Net("dice_net.onnx")


@dataclass(frozen=True)
class Said:
    """Of places (N,): log-probabilities (N, 8) of no die, of a flat one to a flat six, of one that leans; and
    where its upper face's middle is, `off` (N, 2) mm from the place.
    """

    odds: Floats
    off: Floats


def patches(
    scene: Scene, places_mm: Floats, heights_mm: Sequence[float], turn: float = 0.0, size: int = SIZE
) -> Patches:
    """What the net sees (N, 8, size, size) of plan places (N, 2) at these heights above the board, turned by
    so much more: the picture's blue, green and red, the bare board's, and how far to the side of the lens it
    is, in parts of the lens's height.
    """
    out = np.empty((len(places_mm), 8, size, size), dtype=np.float32)
    beside, axes = from_lens(scene.camera, places_mm, heights_mm, turn)
    along = (np.arange(size) + 0.5 - size / 2) / PX_PER_MM
    square = np.stack(np.meshgrid(along, along), axis=-1)
    for patch, place, height, own in zip(out, places_mm, heights_mm, axes, strict=True):
        grid = square @ own
        patch[:3] = Patch.cut(scene.now, scene.camera, place, height).laid(grid) / scene.white
        below, up = place, height
        if scene.camera is not scene.bare_camera:
            below, up = scene.camera.lifted(place[None], height)[0], 0.0
            grid = grid * scene.camera.swell(height)
        patch[3:6] = Patch.cut(scene.bare, scene.bare_camera, below, up).laid(grid) / scene.white
    out[:, 6:] = np.einsum("nc,nkc->nk", beside, axes)[:, :, None, None]
    return out


def say(scene: Scene, places_mm: Floats, heights_mm: Sequence[float]) -> Said:
    """What the net says of plan places (N, 2) at these heights above the board."""
    _, axes = from_lens(scene.camera, places_mm, heights_mm)
    return _said(patches(scene, places_mm, heights_mm), axes)


def say_closely(scene: Scene, places_mm: Floats, heights_mm: Sequence[float]) -> Said:
    """The same, as if each were looked at from several sides and in a mirror: a die is the same die then."""
    looks = []
    for turn in _TURNS:
        seen = patches(scene, places_mm, heights_mm, turn)
        _, axes = from_lens(scene.camera, places_mm, heights_mm, turn)
        looks.append(_said(seen, axes))
        mirrored = np.ascontiguousarray(seen[:, :, ::-1])
        mirrored[:, 7] *= -1
        looks.append(_said(mirrored, axes * _MIRROR[:, None]))
    odds = np.mean([look.odds for look in looks], axis=0)
    off = np.mean([look.off for look in looks], axis=0)
    return Said(odds - np.log(np.exp(odds).sum(axis=1, keepdims=True)), off)


def _said(seen: Patches, axes: Floats) -> Said:
    """What the net says of patches whose own axes (N, 2, 2), as rows, these are on the plan."""
    out = _NET.say(seen)
    scores = out[:, :CLASSES] - out[:, :CLASSES].max(axis=1, keepdims=True)
    odds = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return Said(odds, np.einsum("nk,nkc->nc", out[:, CLASSES:] * OFF_MM, axes))


def from_lens(
    camera: Camera, places_mm: Floats, heights_mm: Sequence[float], turn: float = 0.0
) -> tuple[Floats, Floats]:
    """How far (N, 2) places (N, 2) at these heights are to the side of the lens, in parts of its height; and
    the axes (N, 2, 2), as rows, of what is turned by so much from that way.
    """
    eye = camera.centre_mm
    beside = (places_mm - eye[:2]) / (-eye[2] - np.asarray(heights_mm))[:, None]
    way = np.arctan2(beside[:, 1], beside[:, 0]) + turn
    c, s = np.cos(way), np.sin(way)
    return beside, np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
