"""Which discs are taken for tops, one by one."""

from types import SimpleNamespace

import numpy as np

from uckers_table.vision import pieces
from uckers_table.vision.camera import Camera
from uckers_table.vision.flat import Canvas
from uckers_table.vision.shape import Shape
from uckers_table.vision.tops import Discs

CAMERA = Camera(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
SHAPE = Shape(CAMERA, Canvas(610.0), 18.0, 20.4)
SIZE = SHAPE.canvas.size


class Like:
    """Discs of one colour whose log-odds of being tops are these, whatever hides their edge."""

    def __init__(self, odds):
        self.odds, self.colours = np.array(odds), np.zeros(len(odds), dtype=np.intp)

    def where(self, order):
        return Like(self.odds[order])

    def log_odds(self, free, some=slice(None)):
        return self.odds[some]


def chosen(at_px, odds, solid=0.0, edge=9.0):
    """Which of these discs, with so much of an edge all round, are claimed, where all round there is so much
    evidence for things.
    """
    at = np.array(at_px)
    seen = SimpleNamespace(
        now=np.zeros((SIZE, SIZE, 3), np.uint8), solid=np.full((SIZE // 2, SIZE // 2), solid, np.float32)
    )
    discs = Discs(at, np.full((len(at), 24), edge, np.float32))
    by_dice = np.zeros((SIZE, SIZE), np.uint8)
    tops, _ = pieces._chosen(seen, discs, Like(odds), SHAPE, None, by_dice, 0.3)
    return [tuple(top.at_px.tolist()) for top in tops]


def test_two_tops_of_one_height_are_no_nearer_to_each_other_than_pieces_can_stand() -> None:
    piece, beyond = (500.0, 365.0), (500.0, 379.0)
    assert chosen([piece, beyond], [6.0, 1.2]) == [piece]
    assert chosen([piece, (500.0, 385.0)], [6.0, 1.2]) == [piece, (500.0, 385.0)]
    # Tops of stacks lie nearer to others' where they lean over them.
    assert chosen([piece, beyond], [6.0, 1.2], solid=2.0) == [piece, beyond]


def test_the_outer_of_two_plain_discs_is_the_top_and_the_inner_its_foot() -> None:
    """Near the lens they lie 3 mm apart: its shadow makes the foot look better, which hides neighbours."""
    foot = np.array((500.0, 365.0))
    out = SHAPE.outward(foot)
    top, nearer = (tuple((foot + far * out).tolist()) for far in (3.5, 1.5))
    assert chosen([tuple(foot), top], [3.3, 2.9], edge=40.0) == [top]
    # Where edges are faint, and nearer together, the better place is that of the same disc.
    assert chosen([tuple(foot), top], [3.3, 2.9], edge=9.0) == [tuple(foot)]
    assert chosen([tuple(foot), nearer], [3.3, 2.9], edge=40.0) == [tuple(foot)]
