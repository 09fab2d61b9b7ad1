"""Simulated tables at which one piece has another paint than its mates."""

from dataclasses import replace
from unittest import mock

from uckers_table.game.board import BASE
from uckers_table.simulator.drawing import Draughtsman
from uckers_table.simulator.scene import Scene, WoodenPiece

ORANGE, WHITE, BRASS, BLACK, PURPLE = (
    (230, 120, 30),
    (235, 232, 225),
    (196, 160, 88),
    (20, 20, 22),
    (110, 40, 130),
)
_STRANGE = 1000
"""Grains from here on are of pieces painted anew: the renderer takes pieces of one grain for the same."""


def painted(renderer, paint, seat=0, spot=2, places=None, without=()):
    """All sixteen in their bases, one of them of another `paint` (sRGB): the `spot`th of a seat.

    `places` are where that seat's pieces stand, if not on its spots; `without` (seat, spot) are away.
    """
    pieces = tuple(
        WoodenPiece(k, BASE, x, y, grain=_STRANGE + sum(paint) if (k, n) == (seat, spot) else 4 * k + n)
        for k in range(4)
        for n, (x, y) in enumerate((places if k == seat else None) or renderer.spots(k))
        if (k, n) not in without
    )
    colour = renderer.plan.board.seats[seat]
    look = replace(renderer.look, piece_paints={**renderer.look.piece_paints, colour: paint})
    usual = Draughtsman._draw_piece

    def draw(self, sheet, piece):
        usual(replace(self, look=look) if piece.grain >= _STRANGE else self, sheet, piece)

    with mock.patch.object(Draughtsman, "_draw_piece", draw):
        return renderer.frame(Scene(pieces))
