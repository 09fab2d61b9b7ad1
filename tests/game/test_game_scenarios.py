"""The rules cases in tests/scenarios, and how scenario files are read and judged.

The files named `own_*` were worked out by hand from the rule texts; the others came with the rules.
"""

import io
import json
import os
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ids import begins
from uckers_table.commands.cli import main
from uckers_table.errors import RulesError
from uckers_table.game.board import COLOURS
from uckers_table.game.options import SWITCHES
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Kind, Reason
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


@pytest.fixture(scope="module")
def scenarios():
    """Every scenario of ours."""
    return [scenario for path in FILES for scenario in read_scenarios(path)]


def expected_somewhere(scenarios, key):
    return {
        event.expected[key] for scenario in scenarios for event in scenario.events if key in event.expected
    }


def test_every_ruling_is_expected_somewhere(scenarios):
    assert {str(kind) for kind in Kind} - expected_somewhere(scenarios, "ruling") == set()


def test_every_reason_is_expected_somewhere(scenarios):
    assert {str(reason) for reason in Reason} - expected_somewhere(scenarios, "reason") == set()


def test_every_honour_and_every_state_is_expected_somewhere(scenarios):
    honours = {
        honour
        for scenario in scenarios
        for event in scenario.events
        for honour in event.expected.get("honours", ())
    }
    assert honours == {"eight_piecer", "in_harbour", "dicking_midgame"}
    assert expected_somewhere(scenarios, "awaiting") == {"throw_off", "throw", "play", "over"}


def test_every_rule_set_switch_and_shape_of_board_is_judged_somewhere(scenarios):
    settings = [scenario.match.setting for scenario in scenarios]
    assert {setting.rules.name for setting in settings} == set(known_rules())
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    assert {switch for switch in SWITCHES if f"{switch} = true" in text} == set(SWITCHES)
    assert {setting.players for setting in settings} == {2, 4, 6}
    assert {(setting.board.arms, setting.board.arm_length) for setting in settings} == {
        (4, 2),
        (4, 6),
        (4, 8),
        (6, 6),
        (6, 8),
    }
    assert any(setting.board.arm_end_doorstep for setting in settings)
    assert any(setting.board.seats not in (COLOURS, (*COLOURS, "white", "black")) for setting in settings)


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
    ids=begins,
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


def judge_command(capsys, path):
    """The command's exit status, the objects on its standard output, the lines on its standard error."""
    status = main(["judge", str(path), "--json"])
    done = capsys.readouterr()
    return status, [json.loads(line) for line in done.out.splitlines()], done.err.splitlines()


NEEDLE = """
[[scenario]]
name = "one six short"
rules = "br4006"
start = { to_play = "blue", red = [16,16,0,0], green = [0,0,0,0], yellow = [0,0,0,0], blue = [28,57,57,57] }
events = [{ throw = [6,3] }, { call = "challenge" }, { throw = [6,1] }, { throw = [6,2] }]
"""


def test_touch_wood_is_said_when_one_six_is_missing_and_only_then(tmp_path, capsys):
    path = tmp_path / "needle.toml"
    path.write_text(NEEDLE)
    status, events, _ = judge_command(capsys, path)
    assert status == 0
    assert ["touch wood" in event["say"].lower() for event in events] == [False, False, True, False]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('name = "a case"', 'name = "a case', "case.toml"),
        ('name = "a case"', 'name = "a case"\nname = "again"', "case.toml"),
        ('name = "a case"', "name = 5", "name"),
        ("[[scenario]]", "[scenario]", "case.toml"),
        ('rules = "br4006"', "rules = 4006", "rules"),
        ('rules = "br4006"', 'rules = "br4006"\nsource = 8', "source"),
        ('rules = "br4006"', 'rules = "br4006"\nseats = ["red", "red", "blue", "green"]', "seats"),
        ('rules = "br4006"', 'rules = "br4006"\nseats = "red"', "seats"),
        ('rules = "br4006"', 'rules = "br4006"\noptions = [1]', "options"),
        ('rules = "br4006"', 'rules = "br4006"\noptions = { arm_length = 8.5 }', "arm_length"),
        ('rules = "br4006"', 'rules = "br4006"\noptions = { var_d = true, var_g = true }', "var_g"),
        ('rules = "br4006"', 'rules = "masters_ludo"', "events[0].throw"),
        ('to_play = "red"', "to_play = 1", "start.to_play"),
        ('to_play = "red"', 'to_play = "red", helping = "red"', "start.helping"),
        ('to_play = "red"', 'to_play = "red", stacks = { "99" = ["red"] }', "start"),
        ('to_play = "red"', 'to_play = "red", turns_taken = true', "start.turns_taken"),
        ("red = [10,30,57,57]", "red = [10,30,57,57,57]", "start"),
        ("red = [10,30,57,57]", 'red = [10,30,57,"home"]', "start"),
        ("events = [", "moves = [", "moves"),
        ("{ throw = [6,2]", '{ throw = "6-2"', "events[0].throw"),
        ("{ throw = [6,2]", "{ throw = [6,2,1]", "events[0].throw"),
        ("{ throw = [6,2]", '{ call = "suckback", target = "three"', "events[0].target"),
        ("{ throw = [6,2]", '{ call = "challenge", piece = { steps = 10 }', "events[0].piece.colour"),
        ("{ throw = [6,2]", '{ call = "challenge", double = 1', "events[0].double"),
        ("{ throw = [6,2]", "{ throw_off = { purple = [6,2] }", "events[0].throw_off"),
        ("plays = [{ red = [18,30,57,57] }]", "plays = [5]", "events[0].plays"),
        ("plays = [{ red = [18,30,57,57] }]", "plays = { red = [18,30,57,57] }", "events[0].plays"),
        ("plays = [{ red = [18,30,57,57] }]", "say = 'Legal.'", "events[0].say"),
        ("extra = 1", "extra = -1", "events[0].extra"),
        ("extra = 1", "awaiting = 'tea'", "events[0].awaiting"),
        ("extra = 1", "winner = ['purple']", "events[0].winner"),
        ('reason = "wrong_count"', 'reason = "wrong count"', "events[1].reason"),
        ("board = { red = [19,30,57,57] }", "board = [19,30,57,57]", "events[1].board"),
    ],
    ids=begins,
)
def test_the_command_says_in_one_line_what_cannot_be_used(tmp_path, capsys, old, new, place):
    path = tmp_path / "case.toml"
    assert old in CASE
    path.write_text(CASE.replace(old, new, 1))
    status, events, complaints = judge_command(capsys, path)
    assert (status, events, len(complaints)) == (2, [], 1)
    assert str(path) in complaints[0]
    assert place in complaints[0]


def test_the_command_says_in_one_line_which_file_cannot_be_read(tmp_path, capsys):
    latin = tmp_path / "latin.toml"
    latin.write_bytes('name = "Z\xfcrich"'.encode("latin-1"))
    for path in (tmp_path / "absent.toml", tmp_path, latin):
        status, events, complaints = judge_command(capsys, path)
        assert (status, events, len(complaints)) == (2, [], 1)
        assert str(path) in complaints[0]


OURS = [
    f"[[scenario]]\n{text}"
    for path in FILES
    if path.stem.startswith("own_")
    for text in path.read_text(encoding="utf-8").split("[[scenario]]\n")[1:]
]
WORD = re.compile(r'\[[^\[\]]*\]|"[^"\n]*"|\b\d+\b|\btrue\b|\b[a-z_]+\b')
SLIPS = [
    *("-1", "0", "7", "58", "99999999999999999999", "3.5", "nan", "1979-05-27", "true", '"x"', '""', '"red"'),
    *("[]", "{}", "[[]]", "[1,2]", "[true,1]", "[6,6]", '["red"]', "[0,0,0,0]", "{ red = [0,0,0,0] }"),
    *("throw", "board", "call", "dice", "red", "ruling", "stacks", "helping", "piece", "target", "start"),
]


@settings(derandomize=True, max_examples=300)
@given(st.integers(0, 2**32))
def test_a_slip_of_the_pen_is_judged_or_refused_in_one_line(tmp_path_factory, seed):
    rng = Random(seed)
    text = rng.choice(OURS)
    for _ in range(rng.choice((1, 2))):
        word = rng.choice([*WORD.finditer(text)])
        text = text[: word.start()] + rng.choice(SLIPS) + text[word.end() :]
    path = tmp_path_factory.getbasetemp() / "slip.toml"
    path.write_text(text, encoding="utf-8")
    try:
        assert judge_files([path], True, io.StringIO(), kind) in (0, 1)
    except RulesError as error:
        assert str(path) in str(error)
        assert "\n" not in str(error)
