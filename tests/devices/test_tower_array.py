"""The under-floor array: what it reads, and all that it refuses."""

import itertools
import json

import pytest

from uckers_table.devices.pico.array import FACES, FULL, Calibration, face_of, read_array
from uckers_table.devices.tower_judges import ArrayJudge
from uckers_table.devices.tower_link import Told

WHITE, BLACK = 30000, 4000
EMPTY = "ooooooooo"


def levels(picture, ambient=200):
    return [BLACK if char == "o" else WHITE for char in picture] + [WHITE, BLACK, ambient]


@pytest.fixture
def learnt():
    calibration = Calibration()
    calibration.learn("white", [levels("." * 9)] * 2)
    calibration.learn("black", [levels(EMPTY)] * 2)
    return calibration


def shares(picture):
    return [None if char == "?" else 0.0 if char == "o" else 1.0 for char in picture]


def test_the_faces_are_those_of_a_die_on_the_pip_grid():
    assert {face: {picture.count("o") for picture in pictures} for face, pictures in FACES.items()} == {
        face: {face} for face in range(1, 7)
    }
    turned = {
        face: {"".join(p[k] for k in (6, 3, 0, 7, 4, 1, 8, 5, 2)) for p in pictures}
        for face, pictures in FACES.items()
    }
    assert turned == {face: set(pictures) for face, pictures in FACES.items()}


def test_of_all_512_pictures_only_the_nine_of_a_flat_die_are_a_face():
    known = {picture: face for face, pictures in FACES.items() for picture in pictures}
    assert len(known) == 9
    for chars in itertools.product("o.", repeat=9):
        picture = "".join(chars)
        assert face_of(shares(picture)) == (None if picture == EMPTY else known.get(picture, 0))


def test_one_wrong_bit_is_refused_but_for_the_centre():
    """Six of 81, as the decision for nine sensors reckoned."""
    silent = 0
    for face, pictures in FACES.items():
        for picture in pictures:
            for place in range(9):
                wrong = picture[:place] + ("." if picture[place] == "o" else "o") + picture[place + 1 :]
                silent += face_of(shares(wrong)) not in (0, face)
    assert silent == 6


@pytest.mark.parametrize("place", [0, 1, 2, 3, 5, 6, 7, 8])
def test_with_one_dead_sensor_that_is_not_the_centre_every_face_is_read(place):
    for face, pictures in FACES.items():
        for picture in pictures:
            assert face_of(shares(picture[:place] + "?" + picture[place + 1 :])) == face


@pytest.mark.parametrize("share", [0.36, 0.5, 0.64, -0.4, 1.4])
def test_a_level_that_is_neither_pip_nor_white_is_refused(share):
    four = shares(FACES[4][0])
    four[0] = share
    assert face_of(four) == 0


def test_dice_in_both_pockets(learnt):
    for one, other in itertools.product(range(1, 7), repeat=2):
        scan = [levels(FACES[one][-1]), levels(FACES[other][0])]
        assert read_array(learnt, scan) == ((one, other), "")
    assert read_array(learnt, [levels(EMPTY), levels(FACES[5][0])]) == ((5,), "")
    assert read_array(learnt, [levels(EMPTY), levels(EMPTY)]) == ((), "")
    assert read_array(learnt, [levels("o.o...o.."), levels(FACES[5][0])]) == ((0, 5), "")


def test_each_sensor_is_weighed_by_itself():
    calibration = Calibration()
    white = [levels("." * 9), levels("." * 9)]
    black = [levels(EMPTY), levels(EMPTY)]
    white[0][0], black[0][0] = 9000, 1000
    calibration.learn("white", white)
    calibration.learn("black", black)
    scan = [levels(FACES[6][0]), levels(FACES[1][0])]
    scan[0][0] = 1500
    assert read_array(calibration, scan) == ((6, 1), "")


def test_before_the_cards_were_learnt_it_is_blind():
    assert read_array(Calibration(), [levels(EMPTY)] * 2) == ((), "unlearnt")


@pytest.mark.parametrize(
    ("channel", "level", "why"),
    [(9, 15000, "white"), (9, 45000, "white"), (10, 15000, "dark"), (11, 40000, "ambient")],
)
def test_references_or_sunlight_out_of_range_make_it_blind(learnt, channel, level, why):
    scan = [levels(FACES[6][0]), levels(FACES[3][0])]
    scan[1][channel] = level
    assert read_array(learnt, scan) == ((), why)


def test_a_dead_centre_makes_it_blind(learnt):
    learnt.white[1][4] = learnt.black[1][4] + 100
    assert read_array(learnt, [levels(FACES[6][0])] * 2) == ((), "sensor")


def test_what_was_learnt_is_the_same_after_the_flash(learnt):
    again = Calibration()
    assert again.load(json.loads(json.dumps(learnt.to_json())))
    assert again.to_json() == learnt.to_json()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: None,
        lambda data: [],
        lambda data: data.pop("white") and data,
        lambda data: {**data, "white": data["white"][:1]},
        lambda data: {**data, "black": [[1] * 8, [1] * 9]},
        lambda data: {**data, "black": [["1"] * 9, [1] * 9]},
        lambda data: {**data, "black": [[FULL + 1] * 9, [1] * 9]},
        lambda data: {**data, "references": []},
    ],
)
def test_what_is_damaged_in_flash_is_not_taken(learnt, spoil):
    fresh = Calibration()
    assert not fresh.load(spoil(learnt.to_json()))
    assert not fresh.is_complete


def test_a_throw_bears_the_tower_s_own_number_which_it_keeps_when_told_again():
    heard = [ArrayJudge("3fa9c1d2").hear(Told("throw", ("6 3",), t, 7)) for t in (1.0, 60.0)]
    assert [[(event.dice, event.told) for event in events] for events in heard] == [
        [((6, 3), "3fa9c1d2/7")]
    ] * 2
    other = ArrayJudge("3fa9c1d2").hear(Told("throw", ("6 3",), 1.0, 8))
    assert other[0].told == "3fa9c1d2/8"
