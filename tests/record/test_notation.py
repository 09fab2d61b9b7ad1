"""The text form of a match: what is written and read again is the same, and what makes no sense is named."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ids import begins
from tests.record.simulated_matches import simulated_match
from uckers_table.errors import RecordingError
from uckers_table.game.rules import known_rules
from uckers_table.record.exchange import from_json, to_csv, to_json
from uckers_table.record.match_record import DISPUTED, Called, MatchRecord, Moved, Ruled, Thrown
from uckers_table.record.notation import to_text
from uckers_table.record.notation_reader import from_text

DOCUMENT = Path(__file__).parents[2] / "docs/notation.md"
HEAD = '[Format "uckers-table match 1"]\n[Seats "red" "green" "yellow" "blue"]\n\n'


@pytest.mark.parametrize("rules", known_rules())
def test_what_is_written_and_read_again_is_the_same_match(rules):
    match = simulated_match(rules, "notation", throws=60, ends="upboard")
    assert len(match.rulings) > 30
    assert from_text(to_text(match), "text") == match
    assert from_json(_dumped(match), "json") == match


def test_a_match_of_two_players_with_what_stood_is_the_same_too():
    match = simulated_match("br4006", "two players", players=2, throws=120)
    assert match.stood
    assert from_text(to_text(match), "text") == match


def _dumped(match):
    return json.dumps(to_json(match))


def example():
    """The match in the document."""
    return DOCUMENT.read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]


def test_the_example_of_the_document_says_what_it_says():
    match = from_text(example(), "docs")
    assert match.started == "red"
    assert match.summary.winner is None
    assert [throw.dice for throw in match.throws] == [
        (4, 3),
        (2, 5),
        (1, 1),
        (3, 2),
        (6, 2),
        (5, 3),
        (),
        (6, 1),
    ]
    assert [each.ruling for each in match.rulings[5:]] == [
        *("illegal", "put_right", "legal", "pass", "cocked", "timber_shift", "stood", "legal"),
    ]
    assert match.rulings[-1] == Ruled(
        96.1,
        "legal",
        None,
        "green",
        "",
        {"red": (0, 0, 0, 3), "green": (0, 0, 0, 2), "yellow": (0, 0, 0, 0), "blue": (0, 0, 0, 0)},
        "green",
        "throw",
        (6, 1),
        (Moved("green", 0, 2),),
        (),
        {"owed": 1},
    )
    assert from_text(to_text(match), "again") == match


def test_everything_that_may_be_said_of_an_entry_comes_back():
    standing = {"red": (0, 0, 0, 4), "green": (0, 0, 0, 0), "yellow": (0, 0, 0, 57), "blue": (-1, -1, 0, 0)}
    alike = standing | {"red": (0, 0, 2, 2)}
    blank = {"say": "", "position": standing, "to_play": "red", "awaiting": "play"}
    entries = (
        Ruled(0.0, "device_lost", None, None, 'The "tower" is lost; [so].', standing, "red", "play"),
        Called(0.5, "red", "suckback", "red", 4, 3, True),
        Called(0.5, "blue", "upboard"),
        Thrown(1.0, "red", (6,), "good", "camera", "suckback"),
        Thrown(1.0, "red", (), "dropped", "buttons", "nothing"),
        Thrown(1.25, "red", (1, 2), "void", "tower", "nothing"),
        Thrown(1.25, "red", (1, 2), "good", "tower", ""),
        Ruled(2.0, "legal", None, "red", **blank, throw=(1, 2), moves=(Moved("red", 4, 4),), alike=(alike,)),
        Ruled(3.0, "pass", None, "red", **blank, throw=(5, 5), facts={"tries_left": 0, "why": 'a "b" = c ;'}),
        Ruled(3.0, "pass", None, "red", **blank | {"awaiting": "over"}, throw=()),
    )
    match = simulated_match("couk", "notation", throws=2)
    summary = replace(
        match.summary, throws=4, rulings=4, lasted_s=3.0, winner=None, begun="2026-01-01T20:00:00Z"
    )
    assert from_text(to_text(MatchRecord(summary, entries)), "text") == MatchRecord(summary, entries)
    closed = replace(summary, winner=(), lasted_s=99.5, clock="told")
    assert from_text(to_text(MatchRecord(closed, entries)), "text") == MatchRecord(closed, entries)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Format"),
        ('[Format "chess"]\n0:01 red throws 6-3', ":2: no match of a form known here"),
        ('[Format "uckers-table match 1"]\n0:01 red throws 6-3', ":2: tag Seats"),
        ('[Format "uckers-table match 1"\n', ":1: a tag ends with ]"),
        ("[Format uckers]\n", ":1: tag Format"),
        (HEAD + "red throws 6-3", ":4: a line begins with its time"),
        (HEAD + "0:01 red throws 7-3", ":4: '7-3' is no throw"),
        (HEAD + "0:01 red throws", ":4: red throws, but not what"),
        (HEAD + "0:01 red throws 6-3 sideways", ":4: 'sideways' says nothing of a throw"),
        (HEAD + "0:01 red eats", ":4: red 'eats'"),
        (HEAD + "0:01 pink throws 6-3", ":4: 'pink' is none of the seats"),
        (HEAD + "0:01 red calls bingo", ":4: red calls one of"),
        (HEAD + "0:01 red: legal 0>1", ":4: the first ruling has to say whose turn is next"),
        (HEAD + "0:01 red: legal 5>6 next red", ":4: 5>6: no piece stands where it is moved from"),
        (HEAD + "0:01 red: legal pink.0>6 next red", ":4: 'pink.0>6': say whose piece"),
        (HEAD + "0:01 red: legal next pink", ":4: next is 'pink'"),
        (HEAD + "0:01 red: legal next red at red@1,2", ":4: red has 4 pieces"),
        (HEAD + '0:01 red: legal next red "Thank', ":4: a quoted sentence has no end"),
        (HEAD + "0:01 red: legal next red why=so", ":4: Expecting value"),
        (HEAD + "0:01 red: legal next red ; ;", ":4: between semicolons"),
    ],
    ids=begins,
)
def test_a_line_that_makes_no_sense_is_named(text, said):
    with pytest.raises(RecordingError) as raised:
        from_text(text, "match.txt")
    assert said in str(raised.value)
    assert str(raised.value).startswith("match.txt")


@settings(max_examples=150)
@given(st.data())
def test_a_damaged_text_is_read_or_refused_in_one_line(data):
    text = to_text(simulated_match("wafu", "notation", throws=12))
    at = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(at, min(len(text), at + 12)))
    put = data.draw(st.text(alphabet='0123456789>.@,;:"[]=-+ abredx\n\\', max_size=6))
    try:
        from_text(text[:at] + put + text[end:], "text")
    except RecordingError as error:
        assert "\n" not in str(error)


def test_json_says_what_was_sent_back_and_may_say_more_than_is_known():
    match = simulated_match("br4006", "notation", throws=60, ends="upboard")
    data = to_json(match)
    captured = [each["captured"] for each in data["entries"] if each["kind"] == "ruling"]
    assert [len(each) for each in captured] == [len(each.captured) for each in match.rulings]
    assert sum(map(len, captured)) > 0
    data["entries"][0]["weather"] = "fair"
    assert from_json(json.dumps(data), "json") == match


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.pop("entries"), "no key 'entries'"),
        (lambda d: d.update(format="chess"), "'format'"),
        (lambda d: d["entries"][0].update(kind="sneeze"), "entry 1: 'kind' is 'sneeze'"),
        (lambda d: d["entries"][0].update(t="x"), "entry 1:"),
        (lambda d: d["entries"][0].update(dice=[1.5]), "entry 1: [1.5] are not all whole numbers"),
        (lambda d: d["entries"].append([]), "entry"),
        (lambda d: d["summary"]["terms"].update(seats=[]), "'seats' is empty"),
    ],
)
def test_json_that_makes_no_sense_is_named(change, said):
    data = to_json(simulated_match("wafu", "notation", throws=12))
    change(data)
    with pytest.raises(RecordingError) as raised:
        from_json(json.dumps(data), "match.json")
    assert said in str(raised.value)
    with pytest.raises(RecordingError, match=r"match\.json: "):
        from_json("[" * 100_000, "match.json")


def test_a_table_has_a_row_for_each_entry():
    match = from_text(example(), "docs")
    rows = to_csv(match).splitlines()
    assert len(rows) == 1 + len(match.entries)
    assert rows[0].startswith("number,t,kind,side,dice")
    assert rows[-1] == "21,96.100,ruling,green,6-1,,,,legal,,green 0>2,,green,throw,"


def test_what_follows_from_the_entries_is_worked_out_of_them():
    match = simulated_match("br4006", "notation", throws=60, ends="upboard")
    assert match.upboard == "yellow"
    assert match.is_over
    assert match.started == next(each.side for each in match.rulings if each.facts.get("why") == "starts")
    taken_back = [place for place, each in enumerate(match.rulings) if each.ruling == "taken_back"]
    assert match.taken_back
    assert max(match.taken_back) <= max(taken_back)
    assert {*match.overruled} == {each for each in match.taken_back if ruled(match, each) in DISPUTED}


def ruled(match, number):
    return match.rulings[number - 1].ruling
