"""What a small net says of a place in a picture: no die, a flat die with its value, or a die that leans.

Rules elsewhere (`dice`, `faces`, `stance`) ask pips, edges and sides one by one. The net has learned what a
whole die looks like, even if part of it is hidden, blurred or mirrors something. `tools/fit.py` fitted
it on path-traced tables full of dice, and then on some with as few dice as games have.
`tools/fits/data.toml` names them.

The net sees a square of 33 mm at the height of dice's upper faces, in the picture and on the bare board. Its
colours are parts of the grey level of white paint. The square is turned so that the lens is on its left. A
flat die then shows its sides on the same side wherever it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from uckers_table.vision.dice.faces import Patch
from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.nets.net import Net, Patches
from uckers_table.vision.picture.arrays import Floats
from uckers_table.vision.place.camera import CameraModel

SIZE, PX_PER_MM = 40, 1.2
"""The square that is seen: pixels a side, and pixels a millimetre."""
NONE, LEANS = 0, 7
"""Classes that are no value: no die, and a die that leans. Classes 1 to 6 are the values of flat dice."""
CLASSES, OFF_MM = 8, 4.0
"""The number of classes; and the millimetres of one unit of the net's two outputs for the die's middle."""
_TURNS = np.radians([-10.0, 0.0, 10.0])
"""The turns (radians) of a closer look, each also taken in a mirror."""
_MIRROR = np.array([1.0, -1.0])
_NET = Net("dice_net.onnx")


@dataclass(frozen=True)
class DiceSaid:
    """What the net says of N places.

    `odds`: log-probabilities (N, 8) of no die, a flat one to a flat six, and a die that leans.
    `off`: from each place to the middle of the die's upper face (N, 2), in mm on the plan.
    """

    odds: Floats
    off: Floats


def patches(
    scene: SeenScene, places_mm: Floats, heights_mm: Sequence[float], turn: float = 0.0, size: int = SIZE
) -> Patches:
    """What the net sees (N, 8, size, size) of plan places (N, 2) at these heights (N,) above the board, in
    mm.

    Channels 0 to 2 are the picture's blue, green and red, channels 3 to 5 the bare board's, in parts of
    white. Channels 6 and 7 are how far to the side of the lens the place is, in parts of the lens's height
    above it. `turn` (radians) turns the square further.
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


def say_of_places(scene: SeenScene, places_mm: Floats, heights_mm: Sequence[float]) -> DiceSaid:
    """What the net says of plan places (N, 2) at these heights (N,) above the board, in mm."""
    _, axes = from_lens(scene.camera, places_mm, heights_mm)
    return _said(patches(scene, places_mm, heights_mm), axes)


def say_closely(scene: SeenScene, places_mm: Floats, heights_mm: Sequence[float]) -> DiceSaid:
    """The mean of what the net says at several turns and in a mirror: a die is the same die in each."""
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
    return DiceSaid(odds - np.log(np.exp(odds).sum(axis=1, keepdims=True)), off)


def _said(seen: Patches, axes: Floats) -> DiceSaid:
    """What the net says of patches (N, 8, size, size) whose axes on the plan are the rows of `axes` (N, 2,
    2).
    """
    out = _NET.say(seen)
    scores = out[:, :CLASSES] - out[:, :CLASSES].max(axis=1, keepdims=True)
    odds = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return DiceSaid(odds, np.einsum("nk,nkc->nc", out[:, CLASSES:] * OFF_MM, axes))


def from_lens(
    camera: CameraModel, places_mm: Floats, heights_mm: Sequence[float], turn: float = 0.0
) -> tuple[Floats, Floats]:
    """How far to the side of the lens places are, and the axes of squares that are turned to the lens.

    The first (N, 2) is in parts of the lens's height above the places (N, 2, in mm, at these heights). The
    axes (N, 2, 2) are rows: the first points away from the lens, turned by `turn` radians.
    """
    eye = camera.centre_mm
    beside = (places_mm - eye[:2]) / (-eye[2] - np.asarray(heights_mm))[:, None]
    way = np.arctan2(beside[:, 1], beside[:, 0]) + turn
    c, s = np.cos(way), np.sin(way)
    return beside, np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
