"""What a small net says of a place in a picture: no die is there, or one that lies flat, or one that leans.

Pips, edges and sides are each asked by rules elsewhere (`dice`, `faces`, `stance`); the net has learned what
the whole of a die looks like, whatever hides, blurs or mirrors some of it. It was fitted by
`scripts/fit_dice.py` on path-traced tables full of dice, on which nothing else here was set or measured.

It sees a square of 33 mm on the plane of dice's upper faces, in the picture and on the bare board, in parts
of the grey level of white paint, and from which side the lens looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from uckers_table.vision.camera import Camera, Floats
from uckers_table.vision.faces import Patch
from uckers_table.vision.net import Net, Patches
from uckers_table.vision.spots import Smoothed
from uckers_table.vision.stance import Scene

SIZE, PX_PER_MM = 40, 1.2
"""Of the square that is seen: pixels a side, and a millimetre."""
NONE, LEANS = 0, 7
"""Of what the net says, besides values: no die, and one that does not lie flat."""
CLASSES, OFF_MM = 8, 4.0
"""How much it tells apart; and how far off the place one of its units of where the die's middle is means."""
STRIDES = (1, 2, 1, 2, 1, 2)
"""Of its convolutions."""
_NET = Net("dice_net.npz", STRIDES)


@dataclass(frozen=True)
class Said:
    """Of places (N,): log-probabilities (N, 8) of no die, of a flat one to a flat six, of one that leans; and
    where its upper face's middle is, `off` (N, 2) mm from the place.
    """

    odds: Floats
    off: Floats


def patches(scene: Scene, places_mm: Floats, heights_mm: Sequence[float], size: int = SIZE) -> Patches:
    """What the net sees (N, 8, size, size) of plan places (N, 2) at these heights above the board: the
    picture's blue, green and red, the bare board's, and how far the lens is off to the side, in parts of its
    height.
    """
    out = np.empty((len(places_mm), 8, size, size), dtype=np.float32)
    eye = scene.camera.centre_mm
    for patch, place, height in zip(out, places_mm, heights_mm, strict=True):
        patch[:3] = _laid(scene.now, scene.camera, place, height, size) / scene.white
        if scene.camera is scene.bare_camera:
            patch[3:6] = _laid(scene.bare, scene.camera, place, height, size) / scene.white
        else:
            below = scene.camera.lifted(place[None], height)[0]
            swell = scene.camera.swell(height)
            patch[3:6] = _laid(scene.bare, scene.bare_camera, below, 0.0, size, swell) / scene.white
        patch[6:] = ((place - eye[:2]) / (-eye[2] - height))[:, None, None]
    return out


def say(seen: Patches) -> Said:
    """What the net says of patches."""
    out = _NET.say(seen)
    scores = out[:, :CLASSES] - out[:, :CLASSES].max(axis=1, keepdims=True)
    odds = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return Said(odds, out[:, CLASSES:] * OFF_MM)


def say_closely(seen: Patches) -> Said:
    """The same, as if each were looked at from all four sides and in a mirror: a die is the same die then."""
    odds, off = np.zeros((len(seen), CLASSES)), np.zeros((len(seen), 2))
    ways = list(_ways())
    for way in ways:
        said = say(_turned(seen, way))
        odds += said.odds / len(ways)
        off += said.off @ way / len(ways)
    return Said(odds - np.log(np.exp(odds).sum(axis=1, keepdims=True)), off)


def _laid(
    picture: Smoothed, camera: Camera, place: Floats, height_mm: float, size: int, swell: float = 1.0
) -> Floats:
    """A square (3, size, size) of a picture round a plan place at a height; `swell` times as large."""
    along = (np.arange(size) + 0.5 - size / 2) * swell / PX_PER_MM
    grid = np.stack(np.meshgrid(along, along), axis=-1)
    return Patch.cut(picture, camera, place, height_mm).laid(grid)


def _ways() -> Iterator[Floats]:
    """Turns and mirror images (2, 2) of the square: where in it is shown what comes to (x, y)."""
    for swapped in (False, True):
        for x in (1.0, -1.0):
            for y in (1.0, -1.0):
                way = np.diag([x, y])
                yield way[:, ::-1].copy() if swapped else way


def _turned(seen: Patches, way: Floats) -> Patches:
    """Patches that show at each point u of theirs what was at u @ way."""
    x, y = (int(row.sum()) for row in way)
    out = seen if way[0, 0] else seen.transpose(0, 1, 3, 2)
    out = np.ascontiguousarray(out[:, :, ::y, ::x])
    out[:, 6:] = np.einsum("nchw,cd->ndhw", seen[:, 6:], way.T)
    return out
