"""A camera that trembles: how far it has swung is told, and taken back."""

import cv2
import numpy as np
import pytest

from tests.calibrated import calibrated
from uckers_table.game.board import Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Hand, Scene, WoodenPiece
from uckers_table.vision.place.flat import Canvas, Laying
from uckers_table.vision.place.trembling import Trembling
from uckers_table.vision.stillness import PX_PER_MM, differs, moved

PLAN = Plan()


@pytest.fixture(scope="module")
def renderer():
    return Renderer(PLAN, look_for(2), seed=2)


@pytest.fixture(scope="module")
def laying(renderer):
    camera = calibrated(renderer.empty, renderer.start, PLAN.board.seats).camera
    return Laying.of(camera, Canvas(PLAN.side_mm, PX_PER_MM))


def swung(picture, x_px, y_px):
    """The same view a part of a pixel beside its place."""
    way = np.array([[1.0, 0.0, x_px], [0.0, 1.0, y_px]])
    return cv2.warpAffine(picture, way, picture.shape[1::-1], flags=cv2.INTER_CUBIC)


def grainy(picture, seed):
    """With the sensor's noise."""
    return np.clip(picture + np.random.default_rng(seed).normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def changed(one, other):
    """How many pixels changed by more than noise does."""
    return np.count_nonzero(cv2.absdiff(one, other).max(axis=2) > 14)


def shifts(trembling, smalls):
    """By how much each picture was laid back."""
    found = []
    for small in smalls:
        trembling.stilled(small, is_other=True)
        found.append(trembling.shaken_px)
    return found


@pytest.mark.parametrize("off_px", [(0.8, 0.0), (-0.3, 0.5), (0.0, -0.8)])
@pytest.mark.parametrize("what", ["as it was", "in half the light", "with a hand over it"])
def test_a_picture_is_laid_back_where_it_was(renderer, laying, off_px, what):
    clear = renderer.frame(Scene())
    picture = renderer.frame(Scene(hands=(Hand(305.0, 300.0, 90.0),))) if "hand" in what else clear
    if "half" in what:
        picture = (picture * 0.5).astype(np.uint8)
    here, there = (laying.lay(grainy(swung(picture, *off), 2)) for off in ((0.0, 0.0), off_px))
    trembling = Trembling(laying.lay(grainy(clear, 1)))
    unshaken, back = (trembling.stilled(small, is_other=True) for small in (here, there))
    assert 10 * changed(back, unshaken) < changed(there, here)


def test_how_far_it_was_laid_back_is_told(renderer, laying):
    clear = renderer.frame(Scene())
    trembling = Trembling(laying.lay(clear))
    px_a_pixel = PX_PER_MM / calibrated(renderer.empty, renderer.start, PLAN.board.seats).camera.px_per_mm
    told = shifts(trembling, [laying.lay(swung(clear, x_px, 0.0)) for x_px in (0.5, 0.25, 0.0, 0.0)])
    assert told == pytest.approx([0.5 * px_a_pixel, 0.5 * px_a_pixel, 0.25 * px_a_pixel, 0.0], abs=0.03)


def test_a_picture_that_is_no_other_is_given_as_it_is(renderer, laying):
    small = laying.lay(renderer.frame(Scene()))
    trembling = Trembling(small)
    assert trembling.stilled(small, is_other=False) is small
    assert trembling.shaken_px == 0.0


def test_a_board_that_slid_far_is_left_where_it_is(renderer, laying):
    clear = renderer.frame(Scene())
    small = laying.lay(swung(clear, 8.0, 0.0))
    assert Trembling(laying.lay(clear)).stilled(small, is_other=True) is small


def test_a_piece_that_stands_elsewhere_is_seen_there_though_the_camera_trembles(renderer, laying):
    def standing(steps):
        piece = WoodenPiece(0, steps, *PLAN.centre_mm(PLAN.cell(0, steps)))
        return renderer.frame(Scene((piece,)))

    before = laying.lay(standing(10))
    trembling = Trembling(before)
    still = trembling.stilled(laying.lay(swung(standing(10), 0.5, -0.4)), is_other=True)
    assert differs(still, laying.lay(standing(10)))
    assert not moved(still, before, trembling.shaken_px).any()
    played = trembling.stilled(laying.lay(swung(standing(11), -0.3, 0.5)), is_other=True)
    assert moved(played, before, trembling.shaken_px).any()


def test_what_stays_off_was_bumped_and_what_comes_back_was_not(renderer, laying):
    clear = renderer.frame(Scene())
    way = np.random.default_rng(4).normal(0, 0.3, (64, 2))
    trembling = Trembling(laying.lay(clear))
    for off in way:
        trembling.stilled(laying.lay(swung(clear, *off)), is_other=True)
        assert not trembling.is_bumped
    told = []
    for off in way[:20]:
        trembling.stilled(laying.lay(swung(clear, off[0] + 1.5, off[1])), is_other=True)
        told.append(trembling.is_bumped)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (False, True)
