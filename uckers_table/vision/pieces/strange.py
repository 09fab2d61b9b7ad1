"""The piece of a base whose paint is not that of its three mates: painted anew, worn to the brass, or a coin
instead of a lost one.

It is told among the discs that were first seen, before colours are known. What else lies in a base, such as a
shadow where the fourth piece is missing, has another colour too: so the net of discs is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.game.board import PIECES
from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Floats, Map
from uckers_table.vision.picture.channels import doubled
from uckers_table.vision.pieces.disc_net import DiscNet
from uckers_table.vision.pieces.first_seen import colours_at
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.tops import ALIKE, paint_off

_PIECE, _ON_ITS_OWN_PAINT = 1.2, 3.5
"""Log-odds (nats) from which the net's word makes a disc a piece: where something plainly lies, and where the
board may be bare by its paint. Pieces painted anew had 2.8 and 3.5 at least; what lay where one was missing
had -1.0 and 2.7 at most (`python -m tools.tables.repainted` on the tables of `ALIKE`).
"""
_LIES = 0.5
"""The mean evidence (nats) on a disc from which something plainly lies there."""
NAMES = {
    "white": (232, 230, 224),
    "grey": (150, 150, 148),
    "black": (22, 22, 24),
    "red": (178, 30, 40),
    "orange": (232, 124, 32),
    "yellow": (224, 184, 44),
    "brass": (190, 156, 90),
    "brown": (100, 62, 38),
    "light green": (150, 204, 80),
    "green": (34, 112, 58),
    "turquoise": (44, 154, 154),
    "light blue": (120, 180, 224),
    "blue": (36, 72, 150),
    "purple": (110, 44, 130),
    "pink": (230, 132, 152),
}
"""What people call paints: red, green and blue in sRGB, where white paper has 255."""


@dataclass(frozen=True)
class StrangePiece:
    """A piece of another paint than its mates' in a seat's base. `paint` (3,), BGR, white = 1.

    `like`: the seat whose pieces cannot be told from it; None without.
    """

    seat: int
    stack: Stack
    paint: Floats
    like: int | None

    def is_at(self, stack: Stack, shape: Shape) -> bool:
        """Whether a stack is this piece."""
        return float(np.hypot(stack.x_mm - self.stack.x_mm, stack.y_mm - self.stack.y_mm)) < (
            shape.diameter_mm / 2
        )


@dataclass(frozen=True)
class Disc:
    """One of the four likeliest discs in a seat's base.

    `off`: how far its paint (3,) is off its mates' (see `paint_off`). `mates_off`: how far these are off each
    other at most. `off_others`: how far it is off the nearest of the other seats' pieces, those of `like`.
    `nats`: what the net says of it as a piece of its own paint. `lies`: whether something plainly lies there.
    """

    seat: int
    stack: Stack
    paint: Floats
    off: float
    mates_off: float
    off_others: float
    like: int
    nats: float
    lies: bool


def strange_pieces(
    standing: Sequence[Sequence[Stack]], seen: Evidence, shape: Shape, scene: SeenScene, lit: Map
) -> list[StrangePiece]:
    """The strange pieces, one a base at most. `standing`: per seat at least four discs, the likeliest first;
    `lit` as in `first_seen`.
    """
    return [
        StrangePiece(disc.seat, disc.stack, disc.paint, disc.like if disc.off_others < ALIKE else None)
        for disc in discs(standing, seen, shape, scene, lit)
        if disc.off > ALIKE > disc.mates_off and disc.nats > (_PIECE if disc.lies else _ON_ITS_OWN_PAINT)
    ]


def discs(
    standing: Sequence[Sequence[Stack]], seen: Evidence, shape: Shape, scene: SeenScene, lit: Map
) -> list[Disc]:
    """The discs, four a base, and how they are alike; see `strange_pieces`."""
    best = [stacks[:PIECES] for stacks in standing]
    at = shape.top_px(np.array([[(s.x_mm, s.y_mm) for s in stacks] for stacks in best]).reshape(-1, 2))
    tops = colours_at(lit, at, shape).reshape(len(best), PIECES, 3)
    usual = np.median(tops, axis=1)
    partners = usual[(np.arange(len(usual)) + len(usual) // 2) % len(usual)]
    paints = np.concatenate([tops.reshape(-1, 3), np.repeat(partners, PIECES, axis=0)])
    net = DiscNet(scene, seen, shape, paints, np.empty((0, 2)))
    nats = net.say(at, np.arange(len(at))).log_odds.reshape(len(best), PIECES)
    out = []
    for seat, stacks in enumerate(best):
        others = [k for k in range(len(best)) if k != seat]
        for k, stack in enumerate(stacks):
            mates = np.delete(tops[seat], k, axis=0)
            middle = np.median(mates, axis=0)
            off_others = [paint_off(tops[seat, k], usual[other]) for other in others]
            out.append(
                Disc(
                    seat,
                    stack,
                    tops[seat, k],
                    paint_off(tops[seat, k], middle),
                    max(paint_off(mate, middle) for mate in mates),
                    min(off_others),
                    others[int(np.argmin(off_others))],
                    float(nats[seat, k]),
                    lies_at(seen, stack, shape) > _LIES,
                )
            )
    return out


def lies_at(seen: Evidence, stack: Stack, shape: Shape) -> float:
    """The mean evidence (nats) that anything at all lies where a top was found."""
    top = np.zeros(seen.now.shape[:2], dtype=np.uint8)
    x, y = np.rint(shape.top_px(np.array([stack.x_mm, stack.y_mm]))).astype(int)
    cv2.circle(top, (int(x), int(y)), round(shape.top_radius_px * 0.7), 1, -1)
    return float(doubled(np.maximum(seen.solid, seen.strange))[top > 0].mean())


def paint_word(paint: Floats) -> str:
    """What people call a paint (3,), BGR, white = 1."""
    named = np.array([*NAMES.values()], dtype=np.float32)[:, ::-1] / 255
    both = np.vstack([np.clip(paint, 0, 1)[None], named]).astype(np.float32)
    lab = cv2.cvtColor(both[None], cv2.COLOR_BGR2Lab)[0]
    return list(NAMES)[int(np.linalg.norm(lab[1:] - lab[0], axis=1).argmin())]
