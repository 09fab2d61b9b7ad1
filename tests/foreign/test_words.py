"""What strangers wrote, on a terminal and in a spreadsheet."""

import io

import pytest

from uckers_table.foreign.words import STAND_IN, PlainStream, cell, printable


@pytest.mark.parametrize(
    "word", ["\x1b", "\0", "\n", "\t", "\r", "\x7f", "\x9b", "\u202e", "\u2066", "\u2028", "\ud800"]
)
def test_what_would_command_a_terminal_is_not_shown(word):
    assert printable(f"a{word}b") == f"a{STAND_IN}b"


def test_people_s_names_stay_as_they_are():
    for name in ("Jones", "Zoë O’Neill", "李", "a\N{NO-BREAK SPACE}b", "→ 5", "\N{PILE OF POO}"):
        assert printable(name) == cell(name) == name


@pytest.mark.parametrize("words", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\N{NO-BREAK SPACE}=1"])
def test_no_cell_is_a_formula(words):
    assert cell(words) == f"'{words}"


@pytest.mark.parametrize("words", ["\t=1", "\r=1", "\n=1"])
def test_no_cell_begins_with_a_break(words):
    assert cell(words) == f"{STAND_IN}=1"


def test_a_plain_stream_takes_lines_and_nothing_that_moves_a_cursor():
    out = io.StringIO()
    stream = PlainStream(out)
    print("one\x1b[2J", "two\rthree", file=stream, flush=True)
    stream.writelines(["four\n", "five\u202e\n"])
    assert out.getvalue() == f"one{STAND_IN}[2J two{STAND_IN}three\nfour\nfive{STAND_IN}\n"
    assert not stream.isatty()
