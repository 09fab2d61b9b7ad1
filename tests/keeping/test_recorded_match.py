"""Matches that were recorded, judged again: what is owed was written down by whoever made the recording.

`recordings/` holds small ones, from sightings. The camera's frames of one of them are not part of the
project; where they are at hand (UCKERS_TABLE_MATERIAL names the folder) it is judged from the pixels too.
"""

import io
import json
import os
from pathlib import Path

import pytest

from uckers_table.commands.replay import replay_recording

RECORDINGS = sorted(
    path.parent for path in (Path(__file__).parents[1] / "recordings").glob("*/recording.toml")
)
JUDGED = {
    "legal",
    "illegal",
    "timber_shift",
    "pass",
    "put_right",
    "cocked",
    "dropped",
    "stood",
    "won",
    "penalty",
}
MATERIAL = os.environ.get("UCKERS_TABLE_MATERIAL")


def judged(folder):
    """The rulings of a recording on play and dice, in order."""
    out, err = io.StringIO(), io.StringIO()
    assert replay_recording(folder, json_lines=True, out=out, err=err) == 0
    assert err.getvalue() == ""
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    return [line for line in lines if line["ruling"] in JUDGED]


def hold_against_what_is_owed(folder):
    owed = [json.loads(line) for line in (folder / "expected.jsonl").read_text().splitlines()]
    got = judged(folder)
    assert [line["ruling"] for line in got] == [line["ruling"] for line in owed]
    for have, want in zip(got, owed, strict=True):
        want = want | {"position": {c: sorted(s) for c, s in want.get("position", have["position"]).items()}}
        assert {key: have[key] for key in want} == want


@pytest.mark.parametrize("folder", RECORDINGS, ids=lambda folder: folder.name)
def test_a_recording_is_ruled_as_is_owed(folder):
    hold_against_what_is_owed(folder)


@pytest.mark.skipif(MATERIAL is None, reason="UCKERS_TABLE_MATERIAL names no folder with camera frames")
@pytest.mark.parametrize("name", ["match1", "match2"])
def test_a_match_is_ruled_from_photo_real_frames_as_is_owed(name):
    hold_against_what_is_owed(Path(MATERIAL) / "frames" / name)


def test_accusations_fall_due_between_one_and_a_half_and_three_and_a_half_seconds():
    folder = next(folder for folder in RECORDINGS if folder.name == "opening")
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    for line in judged(folder):
        if line["ruling"] in ("illegal", "timber_shift"):
            # The board it was about: how long it had been seen just as it was then.
            seen = [event for event in events if event["kind"] == "sighting" and event["t"] <= line["t"]]
            pieces = [{c: event[c] for c in ("red", "green", "yellow", "blue")} for event in seen]
            first = next(k for k in range(len(seen) - 1, -1, -1) if k == 0 or pieces[k - 1] != pieces[-1])
            assert 1.5 <= line["t"] - seen[first]["t"] <= 3.5
