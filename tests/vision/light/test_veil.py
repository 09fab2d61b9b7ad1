"""A veil over all pictures of a table: told by what is darkest, and read through."""

import numpy as np
import pytest

from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.light.veil import veil_of, without
from uckers_table.vision.reader import Reader

CONTRAST, LIFT = 0.8, 26.0
"""As a camera whose black is a dark grey shows it."""


def veiled(picture):
    return np.rint(picture * CONTRAST + LIFT).astype(np.uint8)


def room(black, white):
    """A picture with all grey levels from black to white, a few of each."""
    ramp = np.linspace(black, white, 400)
    return np.repeat(np.repeat(ramp[None, :, None], 400, axis=0), 3, axis=2).astype(np.uint8)


def test_a_room_with_black_in_it_has_no_veil():
    picture = room(6, 200)
    assert not veil_of(picture).any()
    assert without(veil_of(picture), picture) is picture


@pytest.mark.parametrize("lift", [30, 60])
def test_what_the_darkest_has_too_much_is_taken_off(lift):
    veil = veil_of(room(lift, 200))
    assert veil == pytest.approx(lift - 10, abs=3)
    assert without(veil, room(lift, 200)).min() == pytest.approx(10, abs=3)


def test_one_colour_that_is_bright_everywhere_is_light_and_no_veil():
    picture = room(4, 200)
    picture[..., 2] = 150
    assert not veil_of(picture).any()


def test_paints_are_learned_as_if_there_were_no_veil(table):
    renderer = table.renderer
    profile = calibrate(veiled(renderer.empty), veiled(renderer.start), renderer.plan.board.seats)
    assert np.array(profile.piece_colours) == pytest.approx(np.array(table.profile.piece_colours), abs=0.08)
    sighting = Reader(profile).read(veiled(renderer.start))
    assert set(sighting.pieces.values()) == {(0, 0, 0, 0)}
