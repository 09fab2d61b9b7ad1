"""What vision tells the referee, there and back as JSON."""

import json
from dataclasses import replace

import pytest

from uckers_table.errors import InputError
from uckers_table.game.board import COLOURS
from uckers_table.sighting import Alternative, Sighting

SEEN = Sighting(
    {"red": (0, 0, 4, 57), "green": (), "yellow": (53,), "blue": ()},
    alternatives=(Alternative("15", {"red": 2}, 1.5),),
    reading=3,
    anew=("15", "red 0", "yellow 53"),
)


def there_and_back(sighting):
    return Sighting.from_json(json.loads(json.dumps(sighting.to_json())), COLOURS)


@pytest.mark.parametrize("sighting", [SEEN, replace(SEEN, anew=None), replace(SEEN, anew=())])
def test_a_reading_keeps_its_name(sighting):
    assert there_and_back(sighting) == sighting


def test_a_frame_that_was_read_by_itself_is_told_as_ever():
    cold = replace(SEEN, reading=0, anew=None)
    assert cold.to_json().keys() == {
        *COLOURS,
        *("stray", "dice", "hand", "trouble", "confidence", "alternatives"),
    }
    assert there_and_back(cold) == cold


def test_a_line_from_before_readings_had_names_is_of_none():
    told = Sighting.from_json({"red": [0, 4]}, COLOURS)
    assert (told.reading, told.anew) == (0, None)


def test_two_readings_that_say_the_same_are_two():
    assert replace(SEEN, reading=4) != SEEN
    assert replace(SEEN, anew=None) != SEEN


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("reading", bad) for bad in (-1, 1.5, True, "3", None, [1])),
        *(
            ("anew", bad)
            for bad in ("15", 15, {"15": 1}, [15], [None], [""], ["white 53"], ["red"], ["red x"])
        ),
    ],
)
def test_a_reading_that_makes_no_sense_is_refused_in_one_line(key, value):
    with pytest.raises(InputError) as raised:
        Sighting.from_json(SEEN.to_json() | {key: value}, COLOURS)
    assert f"key '{key}' of a sighting" in str(raised.value)
    assert "\n" not in str(raised.value)
