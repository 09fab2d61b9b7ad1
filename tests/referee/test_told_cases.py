"""Told cases: recordings of what happens at a table, each with what must be ruled and what must not.

`case.toml` says why, which rulings are owed in order, which must never fall, and how the match ends.
"""

import io
import json
import tomllib
from pathlib import Path

import pytest

from uckers_table.commands.replay import replay_recording

CASES = sorted(Path(__file__).parent.glob("cases/*/case.toml"))
HOME = 57


def lines_of(folder):
    out, err = io.StringIO(), io.StringIO()
    assert replay_recording(folder, json_lines=True, out=out, err=err) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


def is_so(line, entry):
    """Whether a printed ruling is one that an entry of a case means."""
    if line["ruling"] not in entry.get("any_of", [entry.get("ruling")]):
        return False
    if not entry.get("after", 0.0) <= line["t"] <= entry.get("before", line["t"]):
        return False
    if any(line[key] != entry[key] for key in ("side", "reason", "to_play") if key in entry):
        return False
    stands = entry.get("position", {})
    return all(sorted(line["position"][colour]) == sorted(steps) for colour, steps in stands.items())


def ends_so(line, ends):
    for key, wanted in ends.items():
        colour, _, home = key.partition("_home")
        if key in ("to_play", "awaiting"):
            assert line[key] == wanted
        elif key == colour:
            assert sorted(line["position"][colour]) == sorted(wanted)
        else:
            assert line["position"][colour].count(HOME) == wanted, home


def test_there_are_cases():
    assert len(CASES) == 34


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_a_case_comes_out_as_told(path):
    case = tomllib.loads(path.read_text())
    lines = lines_of(path.parent)
    left = iter(lines)
    for owed in case.get("owed", []):
        assert any(is_so(line, owed) for line in left), f"{owed} is owed: {case['why']}"
    for never in case.get("never", []):
        assert [line for line in lines if is_so(line, never)] == [], case["why"]
    ends_so(lines[-1], case.get("ends", {}))


def test_a_recorded_opening_is_ruled_as_it_must_be():
    """Its sightings are some seconds apart where nothing changed."""
    folder = Path(__file__).parents[1] / "recordings" / "opening"
    owed = [json.loads(line) for line in (folder / "expected.jsonl").read_text().splitlines()]
    left = iter(lines_of(folder))
    for ruling in owed:
        assert any(is_so(line, ruling) for line in left), ruling
