"""A picture that should show the bare board, and does or does not."""

import numpy as np
import pytest

from uckers_table.errors import CalibrationError
from uckers_table.simulator.scene import Hand, Scene, WoodenPiece
from uckers_table.vision.bare import signs_of, standing_on
from uckers_table.vision.calibrate import CASE_HEAD_MM, find_board


def found(table, picture):
    return standing_on(picture, table.profile.camera, table.profile.plan, CASE_HEAD_MM)


def test_a_bare_board_is_bare(table):
    assert found(table, table.renderer.empty) is None


def test_pieces_in_the_bases_are_seen_on_one_picture_alone(table):
    standing = found(table, table.renderer.start)
    assert standing.is_piece
    (x, y), *_ = table.profile.camera.unproject([(standing.x_px, standing.y_px)])
    spots = np.concatenate([table.renderer.spots(seat) for seat in range(4)])
    assert np.linalg.norm(spots - (x, y), axis=1).min() < 6


def test_four_pieces_in_one_base_are_enough(table):
    pieces = tuple(WoodenPiece(2, 0, *spot, grain=k) for k, spot in enumerate(table.renderer.spots(2)))
    picture = table.renderer.frame(Scene(pieces=pieces))
    assert found(table, picture).is_piece
    signs = signs_of(picture, table.profile.camera, table.profile.plan, CASE_HEAD_MM)
    assert signs.fourth > 5.5


def test_a_hand_over_the_squares_is_seen_on_one_picture_alone(table):
    standing = found(table, table.renderer.frame(Scene(hands=(Hand(320.0, 300.0, 200.0),))))
    assert not standing.is_piece


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        ("start", "pieces stand in the bases in the empty picture, at pixel"),
        ("hand", "a hand, or something else, is on the board in the empty picture, at pixel"),
    ],
)
def test_a_board_that_is_not_bare_is_told_before_the_second_picture(table, picture, said):
    hand = table.renderer.frame(Scene(hands=(Hand(320.0, 300.0, 200.0),)))
    shown = table.renderer.start if picture == "start" else hand
    with pytest.raises(CalibrationError, match=said):
        find_board(shown, table.profile.seats)
    assert find_board(table.renderer.empty, table.profile.seats).px_per_mm > 1
