"""The terminal view: pictures made of characters, held against the pixels they stand for."""

import io
import os
from collections import Counter, deque
from unittest import mock

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from uckers_table.announce.oled import Headline
from uckers_table.game import playing
from uckers_table.game.board import Board, Plan
from uckers_table.game.match import begin
from uckers_table.game.setting import load_setting
from uckers_table.machine.messages import Invitation
from uckers_table.table.characters import (
    DIE_ROWS,
    SQUARES,
    board_in_letters,
    braille,
    dice_faces,
    half_blocks,
)
from uckers_table.table.running import view_for
from uckers_table.table.serving import OpenPage
from uckers_table.table.terminal import TerminalView, _way_home
from uckers_table.table.views import Glimpse, PlainView

LINE = {
    "t": 75.0,
    "ruling": "illegal",
    "reason": "wrong_count",
    "side": "red",
    "say": "Illegal. Red moved 7; the dice said 6 and 2.",
    "position": {},
    "to_play": "red",
    "awaiting": "play",
}


def test_two_pixels_make_one_character_of_their_colours():
    picture = np.zeros((2, 1, 3), np.uint8)
    picture[0, 0] = (0, 0, 255)  # red above, in BGR
    picture[1, 0] = (255, 0, 0)  # blue below
    text = half_blocks(picture, 1, 1)
    assert text.plain == "▀\n"
    assert str(text.spans[0].style) == "#ff0000 on #0000ff"


def test_a_picture_keeps_its_shape_in_the_room_it_is_given():
    wide = half_blocks(np.zeros((864, 1536, 3), np.uint8), 90, 40).plain.splitlines()
    # 90 columns are 90 pixels wide; 16 to 9 makes that 50 pixels high, two to a row.
    assert ({len(line) for line in wide}, len(wide)) == ({90}, 25)
    low = half_blocks(np.zeros((864, 1536, 3), np.uint8), 90, 18).plain.splitlines()
    assert ({len(line) for line in low}, len(low)) == ({64}, 18)


@pytest.mark.parametrize(
    ("lit", "character"),
    [((0, 0), "⠁"), ((0, 1), "⠂"), ((1, 0), "⠈"), ((0, 3), "⡀"), ((1, 3), "⢀")],
)
def test_eight_pixels_make_one_braille_character(lit, character):
    picture = Image.new("1", (2, 4))
    picture.putpixel(lit, 1)
    assert braille(picture).plain == character


@pytest.mark.parametrize("thrown", [(6, 3), (1,), (5, 5), (4, 2)])
def test_a_die_shows_as_many_pips_as_were_thrown(thrown):
    rows = dice_faces(thrown).plain.splitlines()
    assert len(rows) == DIE_ROWS
    width = len(rows[0]) // len(thrown) + 1
    for number, value in enumerate(thrown):
        assert sum(row[number * width :][: width - 1].count("●") for row in rows) == value


def at_cell(shown, square, column, row):
    """What a drawing has on a square of the plan, letters and numbers only."""
    wide, high = square
    lines = shown.plain.splitlines()[row * high :][:high]
    return "".join(line[column * wide :][:wide] for line in lines).strip(" ·")


@pytest.mark.parametrize("square", SQUARES)
def test_the_board_has_every_piece_on_its_square_of_the_plan(square):
    board, plan = Board(), Plan()
    position = ((0, 1, 17, 17), (5, 51, 53, 56), (13, 14, 0, 0), (27, 40, 57, 57))
    shown = board_in_letters(board, position, square)
    assert {len(line) for line in shown.plain.splitlines()} == {15 * square[0]}
    assert len(shown.plain.splitlines()) == 15 * square[1]
    for seat, pieces in enumerate(position):
        for steps, count in Counter(pieces).items():
            if (cell := plan.cell(seat, steps)) is not None:
                letter = board.letters[seat] + (str(count) if count > 1 else "")
                # Red's 17 is green's 4 and yellow's 43: no two colours stand on one square here.
                assert at_cell(shown, square, *cell) == letter, (seat, steps)
    assert "".join(sorted(filter(str.isalnum, shown.plain))) == "".join(sorted("RRR2GGGGYYYYBBB2"))


def test_two_colours_on_a_square_are_both_there():
    board = Board()
    # Red's 14 is green's doorstep.
    position = ((14, 14, 0, 0), (1, 0, 0, 0), (0,) * 4, (0,) * 4)
    assert at_cell(board_in_letters(board, position, (4, 2)), (4, 2), *Plan().cell(1, 1)) == "R2G"
    assert at_cell(board_in_letters(board, position, (2, 1)), (2, 1), *Plan().cell(1, 1)) == "RG"


def test_six_arms_are_drawn_and_no_piece_hides_another():
    board = Board(("red", "green", "yellow", "blue", "white", "black"))
    position = tuple((0, 1, 30, board.home) for _ in board.seats)
    shown = board_in_letters(board, position, (4, 2)).plain
    assert Counter(filter(str.isalpha, shown)) == Counter(dict.fromkeys(board.letters, 4))


def screen(size, match, picture=None, lines=(), status="match 1"):
    """The lines of a terminal of this size."""
    console = Console(width=size[0], height=size[1], file=io.StringIO(), record=True, force_terminal=True)
    view = TerminalView(
        console, OpenPage(invitation=Invitation("http://table.local:8080/", "123456")).in_a_line
    )
    view.close()
    view._lines = deque(lines)
    layout = view.layout(Glimpse([], picture, Headline("RED", "6 and 2"), match, status))
    console.export_text(clear=True)
    console.print(layout)
    return console.export_text().splitlines()


@pytest.fixture
def match():
    """Red is to play 6 and 2, its first piece on its way."""
    position = ((0, 0, 5, 57), *[(0,) * 4] * 3)
    begun = begin(load_setting("br4006"), to_play="red", position=position)
    return playing.throw(begun, (6, 2)).match


CAMERA = np.full((864, 1100, 3), 128, np.uint8)
SIZES = (80, 24), (100, 30), (120, 34), (130, 40), (170, 48), (190, 50)


@pytest.mark.parametrize("size", SIZES)
def test_a_screen_of_any_size_shows_board_dice_and_the_sentence_whole(match, size):
    rows = screen(size, match, CAMERA, [LINE])
    assert (len(rows), {len(row) for row in rows}) == (size[1], {size[0]})
    shown = "\n".join(rows)
    assert shown.count("●") == 8
    assert "match 1" in shown
    assert "27%" in shown
    # Not a word is broken, however many lines it takes.
    words = LINE["say"].split()
    told = [word for row in rows for word in row.rpartition("││")[2].strip("│ ").split()]
    assert any(told[k : k + len(words)] == words for k in range(len(told)))
    is_seen = size[0] >= 170
    assert ("▀" * 90 in shown, "the board on record" in shown) == (is_seen, not is_seen)
    if not is_seen:
        assert "R" in rows[next(k for k, row in enumerate(rows) if "G" in row.split("││")[0])]


def test_a_table_without_a_camera_shows_its_board(match):
    shown = "\n".join(screen((190, 50), match))
    assert "the board on record" in shown


@pytest.mark.parametrize(("size", "is_drawn"), [((80, 24), False), ((130, 40), True)])
def test_the_display_is_drawn_where_it_has_room_and_its_words_stand_for_it_elsewhere(match, size, is_drawn):
    shown = "\n".join(screen(size, match))
    assert ("⣿" in shown, "6 and 2" in shown) == (is_drawn, not is_drawn)
    assert "PIN 123456" in shown


@pytest.mark.parametrize("colour", ["red", "black", "white", "orange", "pink", "heliotrope"])
def test_colours_that_no_terminal_knows_are_drawn_all_the_same(colour):
    seats = (colour, "green", "yellow", "blue")
    console = Console(width=100, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    match = begin(
        load_setting("br4006", seats=seats), to_play=colour, position=((57, 57, 0, 0), *[(0,) * 4] * 3)
    )
    console.print(_way_home(match))
    console.print(board_in_letters(match.board, match.position, (2, 1)))
    assert "50%" in console.file.getvalue()


def test_plain_lines_tell_the_time_the_side_and_the_sentence():
    out = io.StringIO()
    view = PlainView(out)
    view.show(Glimpse([LINE], None, Headline("RED"), begin(load_setting("br4006")), ""))
    assert out.getvalue() == "  1:15.0  red     Illegal. Red moved 7; the dice said 6 and 2.\n"


class Terminal(io.StringIO):
    """Somewhere to write that says it is a terminal."""

    def isatty(self):
        return True


def test_plain_lines_on_a_terminal_break_between_words():
    out = Terminal()
    with mock.patch.dict(os.environ, {"COLUMNS": "54", "LINES": "20"}):
        PlainView(out).show(Glimpse([LINE], None, Headline("RED"), begin(load_setting("br4006")), ""))
    assert out.getvalue() == (
        "  1:15.0  red     Illegal. Red moved 7; the dice said\n                  6 and 2.\n"
    )


def test_no_terminal_means_plain_lines():
    assert isinstance(view_for(io.StringIO(), headless=False), PlainView)
