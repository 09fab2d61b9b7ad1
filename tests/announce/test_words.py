"""What squares, pieces and numbers are called."""

import pytest

from uckers_table.announce.words import (
    blobs_of,
    colours,
    count,
    listed,
    ordinal,
    pieces_in_words,
    pieces_of,
    place,
    place_in_words,
    the_dice_said,
)
from uckers_table.game.board import Board

BOARD = Board()
RED, GREEN, YELLOW, BLUE = range(4)


@pytest.mark.parametrize(
    ("seat", "steps", "words"),
    [
        (RED, 1, "red's doorstep"),
        (RED, 14, "green's doorstep"),
        (RED, 23, "the ninth square after green's doorstep"),
        (GREEN, 1, "green's doorstep"),
        (RED, 51, "red's mouth"),
        (RED, -1, "the twelfth square after blue's doorstep"),
        (BLUE, 54, "the third square of blue's chute"),
        (BLUE, 57, "home"),
        (BLUE, 0, "base"),
    ],
)
def test_squares_are_named_so_that_one_can_point_at_them(seat, steps, words):
    assert place(BOARD, seat, steps) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", ""),
        ("13", "green's doorstep"),
        ("22", "the ninth square after green's doorstep"),
        ("red 0", "red's base"),
        ("red 53", "the second square of red's chute"),
    ],
)
def test_places_of_a_sighting_are_named_alike(name, words):
    assert place_in_words(BOARD, name) == words


def test_long_arms_need_long_ordinals():
    assert place(Board(arm_length=12), RED, 22) == "the 21st square after red's doorstep"
    numbers = (1, 16, 17, 20, 21, 22, 23, 24, 31, 101, 111, 112, 113)
    assert [ordinal(number) for number in numbers] == [
        *("first", "sixteenth", "17th", "20th", "21st", "22nd", "23rd", "24th", "31st"),
        *("101st", "111th", "112th", "113th"),
    ]


@pytest.mark.parametrize(
    ("throw", "words"),
    [
        ((6, 2), "the dice said 6 and 2"),
        ((4, 4), "the dice said double 4"),
        ((5,), "the die said 5"),
    ],
)
def test_throws_are_read_out(throw, words):
    assert the_dice_said(throw) == words


def test_pieces_are_counted_by_colour():
    board = Board(seats=("red", "orange", "white", "black"))
    assert pieces_of(board, [1]) == "an orange piece"
    assert pieces_of(board, [3, 2, 3]) == "two black pieces and a white piece"
    assert pieces_in_words(BOARD, [(GREEN, 5), (BLUE, 0)]) == (
        "the green piece on the fourth square after green's doorstep and the blue piece in base"
    )
    assert pieces_in_words(BOARD, [(RED, 57), (RED, 57)]) == "the two red pieces at home"


@pytest.mark.parametrize(
    ("blobs", "words"),
    [
        ([], "a blob"),
        ([[(RED, 5), (RED, 5), (RED, 5)]], "red's blob"),
        ([[(RED, 5), (RED, 5)], [(RED, 9), (RED, 9)]], "two of red's blobs"),
        ([[(RED, 5), (RED, 5)], [(BLUE, 9), (BLUE, 9)]], "red's blob and blue's"),
        ([[(GREEN, 5), (BLUE, 31)]], "green and blue's blob"),
    ],
)
def test_blobs_are_their_owners(blobs, words):
    assert blobs_of(BOARD, blobs) == words


def test_lists_and_counts():
    assert [listed(["a", "b", "c"][:number]) for number in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert [count(number) for number in (0, 1, 10, 11)] == ["no", "one", "ten", "11"]
    assert colours(BOARD, [RED, None, YELLOW]) == "Red and yellow"
