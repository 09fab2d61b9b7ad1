"""The terminal view: pictures made of characters, held against the pixels they stand for."""

import io
from collections import deque

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from uckers_table.machine.messages import Invitation
from uckers_table.table.running import view_for
from uckers_table.table.serving import OpenPage
from uckers_table.table.terminal import TerminalView, _progress, braille, half_blocks
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


def test_the_whole_screen_shows_the_sentence_the_display_and_how_far_everybody_is():
    console = Console(width=150, height=44, file=io.StringIO(), record=True, force_terminal=True)
    view = TerminalView(
        console, OpenPage(invitation=Invitation("http://table.local:8080/", "123456")).in_a_line
    )
    view.close()
    view._lines = deque([LINE])
    picture, oled = np.full((864, 1536, 3), 128, np.uint8), Image.new("1", (128, 64), 1)
    layout = view.layout(Glimpse([], picture, oled, {"red": 0.5}, "match 1"))
    console.export_text(clear=True)
    console.print(layout)
    shown = console.export_text()
    assert "Illegal. Red moved 7; the dice said 6 and 2." in shown
    assert "⣿" * 64 in shown
    assert "50%" in shown
    assert "match 1" in shown
    assert "http://table.local:8080/  PIN 123456" in shown


@pytest.mark.parametrize("colour", ["red", "black", "white", "orange", "pink", "heliotrope"])
def test_colours_that_no_terminal_knows_are_drawn_all_the_same(colour):
    console = Console(width=100, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(_progress({colour: 0.5}))
    assert "50%" in console.file.getvalue()


def test_plain_lines_tell_the_time_the_side_and_the_sentence():
    out = io.StringIO()
    view = PlainView(out)
    view.show(Glimpse([LINE], None, Image.new("1", (128, 64)), {}, ""))
    assert out.getvalue() == "  1:15.0  red     Illegal. Red moved 7; the dice said 6 and 2.\n"


def test_no_terminal_means_plain_lines():
    assert isinstance(view_for(io.StringIO(), headless=False), PlainView)
