"""The rules cases in tests/scenarios, and how scenario files are read and judged.

The files named `own_*` were worked out by hand from the rule texts; the others came with the rules.
"""

import io
import json
import os
from pathlib import Path

import pytest

from uckers_table.errors import RulesError
from uckers_table.game.scenario import judge, judge_files
from uckers_table.game.scenario_file import read_scenarios

SCENARIOS = Path(__file__).parent.parent / "scenarios"
FILES = sorted(SCENARIOS.glob("*.toml"))
MATERIAL = os.environ.get("UCKERS_TABLE_MATERIAL")


def kind(ruling, board):
    """A sentence that shows which rulings were spoken."""
    return f"{ruling.kind}."


def failures(path):
    """Every expectation of a file that does not hold, as (scenario, event, key, expected, found)."""
    return [
        (found.scenario, found.index, key, found.event.expected[key], found.found[key])
        for scenario in read_scenarios(path)
        for found in judge(scenario, kind)
        for key in found.failed
    ]


def test_there_are_scenario_files():
    assert {"own_reasons.toml", "partner.toml", "random_plays.toml"} <= {path.name for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_expectation_holds(path):
    assert failures(path) == []


@pytest.mark.skipif(MATERIAL is None, reason="UCKERS_TABLE_MATERIAL names no folder with further scenarios")
def test_every_expectation_of_the_material_holds():
    paths = sorted(Path(MATERIAL, "scenarios").glob("*.toml"))
    assert paths
    assert [failure for path in paths for failure in failures(path)] == []


CASE = """
[[scenario]]
name = "a case"
rules = "br4006"
start = { to_play = "red", red = [10,30,57,57], green = [0,0,0,0], yellow = [0,0,0,0], blue = [41,0,0,0] }
events = [
  { throw = [6,2], plays = [{ red = [18,30,57,57] }], extra = 1 },
  { board = { red = [19,30,57,57] }, ruling = "illegal", reason = "wrong_count" },
]
"""


def judged(tmp_path, text, json_lines=True):
    path = tmp_path / "case.toml"
    path.write_text(text)
    out = io.StringIO()
    status = judge_files([path], json_lines, out, kind)
    return status, out.getvalue()


def test_an_event_is_judged_in_json(tmp_path):
    status, out = judged(tmp_path, CASE)
    first, second = map(json.loads, out.splitlines())
    rest = {"green": [0, 0, 0, 0], "yellow": [0, 0, 0, 0], "blue": [0, 0, 0, 41]}
    assert status == 1
    assert first.pop("plays") != [] and not first.pop("ok")
    assert first == {
        "scenario": "a case",
        "event": 0,
        "position": {"red": [10, 30, 57, 57], **rest},
        "ruling": None,
        "reason": None,
        "say": "",
        "to_play": "red",
        "awaiting": "play",
        "extra": 1,
        "winner": [],
        "honours": [],
    }
    assert (second["ruling"], second["reason"], second["say"], second["ok"]) == (
        "illegal",
        "wrong_count",
        "illegal.",
        True,
    )


def test_the_table_names_what_does_not_hold(tmp_path):
    status, out = judged(tmp_path, CASE, json_lines=False)
    assert status == 1
    assert "NOT   0  throw 6-2" in out
    assert "plays: expected" in out
    assert "ok    1  board red [19, 30, 57, 57]" in out
    assert out.endswith("2 events judged, 1 where not all expectations hold\n")


def test_all_held_is_status_0(tmp_path):
    held = CASE.replace(", plays = [{ red = [18,30,57,57] }]", "")
    assert judged(tmp_path, held)[0] == 0


def test_colours_left_out_of_a_position_stand_as_on_the_board_last_shown(tmp_path):
    event = "{ board = { red = [18,30,57,57] }, ruling = 'legal', position = { red = [18,30,57,57] } },"
    text = CASE.replace(
        '{ board = { red = [19,30,57,57] }, ruling = "illegal", reason = "wrong_count" },', event
    )
    assert json.loads(judged(tmp_path, text)[1].splitlines()[1])["ok"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[[scenario]]", "[[scenarios]]", "key 'scenarios' is not known"),
        ("name =", "title =", "key 'name': is missing"),
        ('rules = "br4006"', 'rules = "br4007"', "there is no rule set 'br4007'"),
        ('rules = "br4006"', 'rules = "br4006"\nrulez = 1', "key 'rulez': is none of"),
        ('rules = "br4006"', 'rules = "br4006"\nplayers = 3', "3 players cannot sit at 4 seats"),
        ('rules = "br4006"', 'rules = "br4006"\nplayers = "two"', "key 'players': must be a whole number"),
        ('rules = "br4006"', 'rules = "br4006"\nseats = ["red", "green"]', "a board has four or six arms"),
        ('rules = "br4006"', 'rules = "br4006"\noptions = { var_h = true }', "there is no option 'var_h'"),
        ('rules = "br4006"', 'rules = "br4006"\noptions = { var_c = 1 }', "var_c cannot be 1"),
        ('rules = "br4006"', 'rules = "br4006"\noptions = { arms = 5 }', "arms cannot be 5"),
        ('to_play = "red"', 'to_play = "white"', "key 'start': no 'white' at this table"),
        ('to_play = "red", ', "", "key 'start.to_play': is missing"),
        ("red = [10,30,57,57]", "red = [10,30,57]", "red has 3 pieces, not 4"),
        ("red = [10,30,57,57]", "red = [10,30,57,58]", "red cannot stand on step 58"),
        ("red = [10,30,57,57]", "red = 10", "key 'start': must be steps by colour"),
        (
            "red = [10,30,57,57],",
            "red = [10,30,57,57], purple = [0,0,0,0],",
            "key 'start.purple': is none of",
        ),
        ("red = [10,30,57,57],", "red = [10,30,57,57], dropped = -1,", "key 'start.dropped': cannot be -1"),
        ("red = [10,30,57,57],", "red = [10,30,57,57], helping = ['red'],", "red is not home"),
        (
            "red = [10,30,57,57],",
            "red = [10,30,57,57], stacks = { '9' = ['red', 'yellow'] },",
            "do not stand on square 9",
        ),
        ("throw = [6,2],", "throw = [6,7],", "key 'events[0].throw': must be one or two dice showing 1 to 6"),
        ("throw = [6,2],", "throw = [6],", "key 'events[0].throw': [6] is no throw: it takes 2 dice"),
        ("throw = [6,2],", "throw_off = { green = [6,2] },", "it is for red, green, yellow, blue to throw"),
        ("throw = [6,2],", "dice = 'broken',", "key 'events[0].dice': dice are 'cocked' or 'dropped'"),
        ("throw = [6,2],", "call = 'bingo',", "key 'events[0].call': 'bingo' is none of"),
        (
            "throw = [6,2],",
            "call = 'challenge', piece = { color = 'red' },",
            "key 'events[0].piece.color': is none of colour, steps",
        ),
        ("throw = [6,2],", "throw = [6,2], dice = 'cocked',", "key 'events[0]': an event has one of"),
        ("throw = [6,2],", "", "an event has one of throw, throw_off, dice, call, board, not 0 of them"),
        ("extra = 1", "extras = 1", "key 'events[0].extras': is none of"),
        ("extra = 1", "extra = true", "key 'events[0].extra': must be a number of throws"),
        ('ruling = "illegal"', 'ruling = "fishy"', "key 'events[1].ruling': 'fishy' is none of"),
        ('ruling = "illegal"', 'honours = ["knight"]', "key 'events[1].honours': must be a list out of"),
        ("plays = [{ red", "plays = [{ purple", "no 'purple' at this table"),
    ],
)
def test_a_file_that_makes_no_sense_names_the_place(tmp_path, old, new, complaint):
    assert old in CASE
    with pytest.raises(RulesError) as error:
        judged(tmp_path, CASE.replace(old, new, 1))
    assert complaint in str(error.value)
    assert str(tmp_path / "case.toml") in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["scenario = 1", "", "[[scenario]\n", "scenario = [1]"])
def test_what_holds_no_scenarios_is_refused(tmp_path, text):
    with pytest.raises(RulesError):
        judged(tmp_path, text)


def test_nothing_is_printed_when_a_later_file_is_refused(tmp_path):
    good, out = tmp_path / "good.toml", io.StringIO()
    good.write_text(CASE)
    with pytest.raises(RulesError):
        judge_files([good, tmp_path / "absent.toml"], True, out, kind)
    assert out.getvalue() == ""
