"""Pictures cut to what was moved: what is in them, and where it is said to be."""

import cv2
import numpy as np
import pytest

from uckers_table.errors import InputError, ProfileError
from uckers_table.foreign.pictures import decoded
from uckers_table.simulator.scene import Scene, WoodenPiece
from uckers_table.vision.evidence import WHITE, close_up, lightened

SEAT, FROM, TO = 1, 16, 20


@pytest.fixture(scope="module")
def game(table):
    """One piece of a seat on the square TO, and where it is seen: its foot, in pixels of the picture."""
    plan = table.renderer.plan
    foot = plan.centre_mm(plan.cell(SEAT, TO))
    picture = table.renderer.frame(Scene((WoodenPiece(SEAT, TO, *foot),)))
    return picture, table.renderer.view.project([(*foot, 0.0)])[0]


def test_a_place_is_where_the_cut_picture_shows_it(table, game):
    picture, foot = game
    made = close_up(picture, table.profile, [(SEAT, FROM), (SEAT, TO)])
    cut = decoded(made.jpeg)
    assert made.size == cut.shape[1::-1]
    assert made.size[0] < picture.shape[1] / 2 and made.size[1] < picture.shape[0]
    # What is round the place in the cut is found again in the whole, round the piece's foot.
    x, y = (round(number) for number in made.places[1].middle)
    around = cut[y - 20 : y + 20, x - 20 : x + 20]
    *_, found = cv2.minMaxLoc(cv2.matchTemplate(picture, around, cv2.TM_CCOEFF_NORMED))
    assert np.hypot(*(np.array(found) + 20 - foot)) < 3
    (left, top), _, (right, bottom), _ = made.places[1].corners
    assert np.allclose(((left + right) / 2, (top + bottom) / 2), made.places[1].middle, atol=0.5)


def test_places_are_found_on_a_board_that_was_knocked(table, game):
    picture, _ = game
    turn = cv2.getRotationMatrix2D((768.0, 432.0), 3.0, 1.0)
    turn[:, 2] += 25.0, -12.0
    knocked = cv2.warpAffine(picture, turn, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    places = [(SEAT, FROM), (SEAT, TO)]
    still, moved = (close_up(each, table.profile, places).places for each in (picture, knocked))
    way = [np.subtract(seen[1].middle, seen[0].middle) for seen in (still, moved)]
    turned = np.degrees(np.arctan2(*way[0][::-1]) - np.arctan2(*way[1][::-1]))
    assert (turned + 180) % 360 - 180 == pytest.approx(3.0, abs=0.5)


def test_one_square_is_shown_with_what_is_around_it(table, game):
    made = close_up(game[0], table.profile, [(SEAT, TO)])
    side = np.hypot(*np.subtract(made.places[0].corners[1], made.places[0].corners[0]))
    assert min(made.size) > 6.5 * side


@pytest.mark.parametrize("gain", [1.0, 0.3])
def test_a_dark_picture_is_lightened_and_a_light_one_is_left(gain):
    picture = np.full((40, 40, 3), round(WHITE * gain), np.uint8)
    picture[:20] //= 2
    light = lightened(picture)
    assert light[30, 30].tolist() == pytest.approx([WHITE] * 3, abs=2)
    assert light[10, 10].tolist() == pytest.approx([WHITE / 2] * 3, abs=3)
    assert np.array_equal(lightened(np.zeros((9, 9, 3), np.uint8)), np.zeros((9, 9, 3)))


def test_a_picture_without_the_board_is_refused_in_one_line(table, game):
    picture, _ = game
    with pytest.raises(InputError, match="the board is not found"):
        close_up(np.full_like(picture, 60), table.profile, [(SEAT, TO)])
    with pytest.raises(ProfileError, match="the picture is 99 × 90"):
        close_up(np.zeros((90, 99, 3), np.uint8), table.profile, [(SEAT, TO)])
