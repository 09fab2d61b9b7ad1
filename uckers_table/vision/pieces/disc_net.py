"""What a small net says of a disc that may be a piece's top: whether it is one, and where its middle is.

Edge, paint and evenness of discs are weighed by rules (`tops`), and what is round by `rings`; the net has
learned what the whole of a piece looks like, its bevel, primer, side and shadow, in noise, in people's
shadows and on paint of its own colour. It was fitted by `scripts/fit_discs.py` on path-traced tables full of
pieces, and went on from there as `stack_net` did. It sees what that does, but a square round the disc.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uckers_table.vision.dice.stance import Scene
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.nets.net import Net
from uckers_table.vision.picture.arrays import Floats, Places
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.stack_net import CHANNELS, Window, features, towers

SIZE, PX_PER_MM = 44, 1.2
"""Of what is seen: pixels along and across, and a millimetre."""
WINDOW = Window(SIZE, SIZE, -SIZE / 2 / PX_PER_MM, PX_PER_MM)
"""A square round the disc."""
OUTPUTS, OFF_MM = 3, 4.0
"""What it says: log-odds, and where the middle is, along and across; and how many millimetres a unit of that
means.
"""
STRIDES = (1, 2, 1, 2, 2)
"""Of the net's convolutions."""
SHAPE = CHANNELS, SIZE, SIZE
"""Of what it sees of a disc."""
_CLEARLY_NONE, _CLEARLY_ONE = -3.0, 5.0
"""Log-odds that looking once more would not change enough to count."""
_AT_A_TIME = 8
"""So many discs are looked at a time: what all of them take would stay in a service's memory."""
_MAY_BE, _APART = -1.0, 0.4
"""Log-odds from which there may be a top, and how near to a better one, in radii, it is the same."""
_NET = Net("disc_net.npz", STRIDES)


@dataclass(frozen=True)
class Said:
    """Of discs: `log_odds` (N,) of a top within some millimetres, and where in the flat picture its middle is
    then, `at_px` (N, 2).
    """

    log_odds: Floats
    at_px: Floats


@dataclass(frozen=True)
class DiscNet:
    """The net, for who looks at one frame. `paints` (seats, 3) are the pieces', `plain_px` (M, 2) where tops
    are beyond doubt in the flat picture.
    """

    scene: Scene
    seen: Evidence
    shape: Shape
    paints: Floats
    plain_px: Floats

    def say(self, at_px: Floats, seats: Places) -> Said:
        """Of discs (N, 2) of these seats' colours; those that are in doubt are looked at in a mirror too."""
        said = np.empty((len(at_px), OUTPUTS))
        for first in range(0, len(at_px), _AT_A_TIME):
            some = slice(first, first + _AT_A_TIME)
            said[some] = self._said(at_px[some], seats[some])
        return Said(said[:, 0], at_px + self.shape.beside_px(at_px, said[:, 1:] * OFF_MM))

    def likely(self, at_px: Floats, seats: Places) -> tuple[Floats, Places]:
        """Tops that may be near places (N, 2), of these seats' colours: where each is, and its seat."""
        said = self.say(at_px, seats)
        apart = _APART * self.shape.top_radius_px
        found: list[int] = []
        for k in np.argsort(-said.log_odds)[: np.count_nonzero(said.log_odds > _MAY_BE)]:
            off = said.at_px[found] - said.at_px[k]
            if (np.hypot(off[:, 0], off[:, 1]) > apart).all():
                found.append(int(k))
        return said.at_px[found], seats[found]

    def _said(self, at_px: Floats, seats: Places) -> Floats:
        """What it says (N, OUTPUTS) of a few discs."""
        some = towers(self.scene, self.seen, self.shape, at_px, seats, self.paints, self.plain_px, WINDOW)
        seen = features(some, WINDOW)
        said = _NET.say(seen)
        doubt = np.flatnonzero((said[:, 0] > _CLEARLY_NONE) & (said[:, 0] < _CLEARLY_ONE))
        mirrored = _NET.say(np.ascontiguousarray(seen[doubt][..., ::-1]))
        mirrored[:, 2] *= -1
        said[doubt] = (said[doubt] + mirrored) / 2
        return said
