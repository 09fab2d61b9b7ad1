"""Which discs are taken for tops, one by one."""

from types import SimpleNamespace

import numpy as np
import pytest

from uckers_table.vision.pieces import pieces
from uckers_table.vision.pieces.disc_net import DiscsSaid
from uckers_table.vision.pieces.shape import Shape, draw_disc
from uckers_table.vision.pieces.tops import Discs
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

CAMERA = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
SHAPE = Shape(CAMERA, Canvas(610.0), 18.0, 20.4)
SIZE = SHAPE.canvas.size
FROM_LOW = Shape(CAMERA.moved(CAMERA.rvec, (-305.0, -305.0, 620.0)), SHAPE.canvas, 18.0, 20.4)


class Like:
    """Discs of one colour whose log-odds of being tops are these, whatever hides their edge."""

    def __init__(self, odds):
        self.odds, self.colours = np.array(odds), np.zeros(len(odds), dtype=np.intp)

    def where(self, order):
        return Like(self.odds[order])

    def log_odds(self, free, some=slice(None)):
        return self.odds[some]


class FakeNet:
    """Says the same of all discs: so likely tops, which lie 2 mm further right and 1 mm lower."""

    def __init__(self, log_odds):
        self.log_odds, self.asked = log_odds, []

    def say(self, at_px, seats):
        self.asked += [tuple(at) for at in at_px.tolist()]
        return DiscsSaid(np.full(len(at_px), self.log_odds), at_px + np.array([2.0, 1.0]))


class Edged(Like):
    """Such discs whose log-odds are less the more others hide of their edge."""

    def where(self, order):
        return Edged(self.odds[order])

    def log_odds(self, free, some=slice(None)):
        return self.odds[some] - 20.0 * (1 - free.mean(axis=1))


def chosen(at_px, odds, solid=0.0, edge=9.0, net=None, kind=Like, shape=SHAPE):
    """Which of these discs, with so much of an edge all round, are claimed, where all round there is so much
    evidence for things, if this net is asked.
    """
    at = np.array(at_px)
    seen = SimpleNamespace(
        now=np.zeros((SIZE, SIZE, 3), np.uint8), solid=np.full((SIZE // 2, SIZE // 2), solid, np.float32)
    )
    discs = Discs(at, np.full((len(at), 24), edge, np.float32))
    by_dice = np.zeros((SIZE, SIZE), np.uint8)
    tops, _ = pieces._chosen(seen, discs, kind(odds), shape, None, by_dice, 0.3, net=net)
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


def test_of_discs_in_doubt_a_net_tells_which_are_tops_and_where() -> None:
    plain, in_doubt, hopeless = (200.0, 365.0), (500.0, 365.0), (365.0, 200.0)
    for says, moved in ((4.0, [(502.0, 366.0)]), (-4.0, [])):
        net = FakeNet(says)
        assert chosen([plain, in_doubt, hopeless], [6.0, 0.0, -9.0], net=net) == [plain, *moved]
        assert net.asked == [in_doubt]
    # Rules alone would take the one, and leave the other.
    assert chosen([plain, in_doubt], [6.0, 2.0], net=FakeNet(-4.0)) == [plain]
    assert chosen([plain, in_doubt], [6.0, 2.0]) == [plain, in_doubt]


def test_a_disc_that_the_net_moves_onto_a_plain_top_is_no_other() -> None:
    assert chosen([(502.0, 366.0), (500.0, 365.0)], [6.0, 0.0], net=FakeNet(2.0)) == [(502.0, 366.0)]


def test_a_plain_disc_where_a_neighbour_seems_to_be_a_stack_is_asked_about() -> None:
    """Four pieces stand close together: what is seen of one was taken for the side of the one beside it."""
    neighbour, piece = (690.0, 365.0), (664.0, 365.0)
    for says, there in ((4.0, [neighbour, piece]), (-4.0, [neighbour])):
        net = FakeNet(says)
        assert chosen([neighbour, piece], [6.0, 3.2], solid=2.0, net=net, kind=Edged) == there
        assert net.asked == [piece]
    assert chosen([neighbour, piece], [6.0, 3.2], solid=2.0, kind=Edged) == [neighbour]


def test_no_pieces_side_hides_the_top_of_one_that_is_as_high() -> None:
    """It stands before its neighbour's side, seen from the lens."""
    far, near = (690.0, 60.0), (675.0, 75.0)
    net = FakeNet(4.0)
    assert chosen([far, near], [6.0, 3.2], solid=2.0, net=net, kind=Edged, shape=FROM_LOW) == [far, near]


@pytest.mark.parametrize("height", [1, 2, 3, 4])
@pytest.mark.parametrize("foot_mm", [(60.0, 70.0), (500.0, 300.0), (305.0, 590.0)])
def test_a_stack_is_as_high_as_its_side_shows(height: int, foot_mm: tuple[float, float]) -> None:
    """Where it leans 5 to 8 mm a piece from under the lens, and differs from the board to its foot."""
    top_px = SHAPE.top_px(np.array(foot_mm))
    covers = np.zeros((SIZE, SIZE), np.uint8)
    SHAPE.draw(covers, top_px, (height,))
    solid = np.where(covers[::2, ::2] > 0, 4.0, -2.0).astype(np.float32)
    seen = SimpleNamespace(now=np.zeros((SIZE, SIZE, 3), np.uint8), solid=solid)
    assert pieces._first_heights(top_px[None], seen, SHAPE).tolist() == [height]


def test_of_a_stack_under_the_lens_one_piece_shows() -> None:
    seen = SimpleNamespace(
        now=np.zeros((SIZE, SIZE, 3), np.uint8), solid=np.full((SIZE // 2, SIZE // 2), 4.0, np.float32)
    )
    under = SHAPE.top_px(np.array([305.0, 305.0]))
    assert pieces._first_heights(under[None], seen, SHAPE).tolist() == [1]


@pytest.mark.parametrize("short_mm", [0.0, 1.5, 3.0])
@pytest.mark.parametrize("beside", ["nothing", "another"])
def test_a_top_found_too_far_in_is_moved_out_to_where_its_colour_ends(short_mm: float, beside: str) -> None:
    at = np.array([600.0, 500.0])
    way = SHAPE.outward(at[None])[0]
    like = np.zeros((SIZE, SIZE), np.uint8)
    draw_disc(like, at, SHAPE.top_radius_px)
    owners = np.zeros((SIZE, SIZE), np.uint8)
    if beside == "another":
        draw_disc(owners, at + way * 8.0, SHAPE.top_radius_px, 9)
    llr = np.where(like > 0, 3.0, -2.0)
    seen = SimpleNamespace(llr=lambda colours, rows, columns: llr[rows, columns])
    top = pieces._Top(at - way * short_mm, 0, 5.0, SHAPE)
    (moved,) = pieces._beyond(seen, [top], owners, 1, SHAPE)
    np.testing.assert_allclose(moved, 0.0 if beside == "another" else way * short_mm, atol=0.8)
