"""What a small net says of a disc that may be a piece's top: whether it is one, and where its middle is.

`tops` weighs a disc's edge, paint and evenness by rules, and `rings` finds what is round. The net has learned
the look of a whole piece: its bevel, primer, side and shadow. It knows them in noise, in people's shadows and
on paint of the piece's own colour.

`tools/fit.py` fitted it on path-traced tables full of pieces, and then, from those weights on, on
games as they come. It sees the channels that `stack_net` sees, in a square round the disc.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.nets.net import Net
from uckers_table.vision.picture.arrays import Floats, Places
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.stack_net import CHANNELS, TopWindow, features, towers

SIZE, PX_PER_MM = 44, 1.2
"""Pixels along and across that the net sees, and its pixels a millimetre."""
WINDOW = TopWindow(SIZE, SIZE, -SIZE / 2 / PX_PER_MM, PX_PER_MM)
"""A square round the disc."""
OUTPUTS, OFF_MM = 3, 4.0
"""What the net says: log-odds, and where the middle is, along and across. One unit of the latter is 4 mm."""
SHAPE = CHANNELS, SIZE, SIZE
"""The shape of what the net sees of one disc."""
_CLEARLY_NONE, _CLEARLY_ONE = -3.0, 5.0
"""Log-odds (nats) below or above which a second look, in a mirror, would not change enough to count."""
_AT_A_TIME = 8
"""How many discs are looked at together. What all of them take at once would stay in a service's memory."""
_MAY_BE, _APART = -1.0, 0.4
"""Log-odds (nats) from which there may be a top. A place is the same top as a better one if it lies within
this distance of it, in radii of a top.
"""
_NET = Net("disc_net.onnx")


@dataclass(frozen=True)
class DiscsSaid:
    """What the net says of N discs.

    `log_odds` (N,), in nats, tells for a top within some millimetres. `at_px` (N, 2) is where its middle is
    then, in the flat picture.
    """

    log_odds: Floats
    at_px: Floats


@dataclass(frozen=True)
class DiscNet:
    """The net, with what it needs to look at one frame.

    `paints` (seats, 3) are the pieces' colours as reflected. `plain_px` (M, 2) is where tops are beyond
    doubt, in pixels of the flat picture.
    """

    scene: SeenScene
    seen: Evidence
    shape: Shape
    paints: Floats
    plain_px: Floats

    def say(self, at_px: Floats, seats: Places) -> DiscsSaid:
        """What the net says of discs (N, 2), in pixels of the flat picture, as tops of these `seats` (N,).
        Discs in doubt are looked at a second time, in a mirror.
        """
        said = np.empty((len(at_px), OUTPUTS))
        for first in range(0, len(at_px), _AT_A_TIME):
            some = slice(first, first + _AT_A_TIME)
            said[some] = self._said(at_px[some], seats[some])
        return DiscsSaid(said[:, 0], at_px + self.shape.beside_px(at_px, said[:, 1:] * OFF_MM))

    def likely(self, at_px: Floats, seats: Places) -> tuple[Floats, Places]:
        """Tops that may be near places (N, 2) in pixels of the flat picture, in the colours of these `seats`
        (N,). Gives their places (M, 2), the likeliest first, and their seats (M,).
        """
        said = self.say(at_px, seats)
        apart = _APART * self.shape.top_radius_px
        found: list[int] = []
        for k in np.argsort(-said.log_odds)[: np.count_nonzero(said.log_odds > _MAY_BE)]:
            off = said.at_px[found] - said.at_px[k]
            if (np.hypot(off[:, 0], off[:, 1]) > apart).all():
                found.append(int(k))
        return said.at_px[found], seats[found]

    def _said(self, at_px: Floats, seats: Places) -> Floats:
        """What the net says (N, OUTPUTS) of a few discs."""
        some = towers(self.scene, self.seen, self.shape, at_px, seats, self.paints, self.plain_px, WINDOW)
        seen = features(some, WINDOW)
        said = _NET.say(seen)
        doubt = np.flatnonzero((said[:, 0] > _CLEARLY_NONE) & (said[:, 0] < _CLEARLY_ONE))
        mirrored = _NET.say(np.ascontiguousarray(seen[doubt][..., ::-1]))
        mirrored[:, 2] *= -1
        said[doubt] = (said[doubt] + mirrored) / 2
        return said
