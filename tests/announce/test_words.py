"""What squares, pieces and numbers are called."""

import pytest

from uckers_table.announce.words import (
    blobs_of,
    colours,
    count,
    listed,
    pieces_of,
    place,
    place_in_words,
    the_dice_said,
    where,
)
from uckers_table.game.board import Board

BOARD = Board()
RED, GREEN, YELLOW, BLUE = range(4)


@pytest.mark.parametrize(
    ("seat", "steps", "words"),
    [
        (RED, 1, "red's doorstep"),
        (RED, 14, "green's doorstep"),
        (RED, 16, "two on from green's doorstep"),
        (RED, 19, "five on from green's doorstep"),
        (RED, 20, "five short of yellow's mouth"),
        (RED, 24, "one short of yellow's mouth"),
        (RED, 25, "yellow's mouth"),
        (RED, 26, "one short of yellow's doorstep"),
        (GREEN, 1, "green's doorstep"),
        (RED, 51, "red's mouth"),
        (RED, -1, "one short of red's doorstep"),
        (BLUE, 52, "five short of home"),
        (BLUE, 56, "one short of home"),
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
        ("22", "two short of yellow's mouth"),
        ("red 0", "red's base"),
        ("red 53", "red, four short of home"),
    ],
)
def test_places_of_a_sighting_are_named_alike(name, words):
    assert place_in_words(BOARD, name) == words


def test_other_boards_have_other_squares():
    long = Board(arm_length=12)
    assert place(long, RED, 12) == "eleven on from red's doorstep"
    assert place(long, RED, 13) == "eleven short of green's mouth"
    # Where the doorstep lies at the end of the arm, the mouth is the square before it.
    plain = Board(arm_end_doorstep=True)
    assert [place(plain, RED, steps) for steps in (13, 14)] == ["green's mouth", "green's doorstep"]


def test_no_two_squares_of_a_board_have_one_name():
    for board in (BOARD, Board(seats=("a", "b", "c", "d", "e", "f")), Board(arm_end_doorstep=True)):
        names = [place(board, RED, steps) for steps in range(1, board.home + 1)]
        assert len(set(names)) == len(names)


def test_where_a_piece_is():
    words = [where(BOARD, RED, steps) for steps in (0, 1, 3, 51, 55, 57)]
    assert words == [
        *("in base", "on red's doorstep", "two on from red's doorstep", "on red's mouth"),
        *("two short of home", "at home"),
    ]


@pytest.mark.parametrize(
    ("throw", "words"),
    [
        ((6, 2), "the dice said 6 and 2"),
        ((4, 4), "the dice said double 4"),
        ((5,), "the die showed 5"),
    ],
)
def test_throws_are_read_out(throw, words):
    assert the_dice_said(throw) == words


def test_pieces_are_counted_by_colour():
    board = Board(seats=("red", "orange", "white", "black"))
    assert pieces_of(board, [1]) == "an orange piece"
    assert pieces_of(board, [3, 2, 3]) == "two black pieces and a white piece"


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
    assert [count(number) for number in (0, 1, 12, 13)] == ["no", "one", "twelve", "13"]
    assert colours(BOARD, [RED, None, YELLOW]) == "Red and yellow"
