"""The whole table, end to end: rendered frames, a pseudo-terminal, mock pins, and a record on disk.

The referee gets nothing but what camera, tower and buttons gave it.
"""

import io
import json
from dataclasses import replace

import pytest

from uckers_table.announce.loudness import Loudness
from uckers_table.announce.oled import draw
from uckers_table.commands.replay import replay_recording
from uckers_table.config import Config, SimulatorConfig
from uckers_table.devices.simulated_tower import SimulatedTower
from uckers_table.record.library import Library
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table
from uckers_table.table.parts import build_parts

SIMULATED = Config(
    camera="simulated", tower="simulated", buttons="simulated", display="picture", voice="silent", page_port=0
)
RULED = {"legal", "illegal", "timber_shift", "pass", "put_right", "stood", "won", "challenge", "throw_off"}


class Kept:
    """A view that keeps what it is shown."""

    def __init__(self):
        self.lines, self.pages = [], []

    def show(self, glimpse):
        self.lines += glimpse.rulings
        self.pages.append(draw(glimpse.screen))

    def close(self):
        pass


def referee(folder, dice="tower", loudness=Loudness.CALLS, **simulator):
    """A match at a simulated table, its record under `folder`: what was shown, its end, and the truth."""
    config = replace(
        SIMULATED,
        record=folder,
        dice=dice,
        loudness=loudness,
        tower="none" if dice == "camera" else "simulated",
        simulator=SimulatorConfig(**({"seed": 3, "speed": 1e9, "cheats": 0, "throws": 12} | simulator)),
    )
    inbox, view = Inbox(), Kept()
    parts = build_parts(config, inbox.post)
    with pytest.MonkeyPatch.context() as patch:
        # So that a match as short as these has room for all its cheats, whatever its dice.
        patch.setattr("uckers_table.simulator.world.CHEAT_CHANCE", 0.25)
        outcome = Table(config, parts, inbox, view).run()
    return view, outcome, [(happening.what, happening.kind) for happening in parts.truth()]


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Forty throws with cheats among them."""
    return referee(tmp_path_factory.mktemp("evening"), throws=40, cheats=3)


def kinds(view):
    return [line["ruling"] for line in view.lines]


def test_every_cheat_is_called_and_nobody_is_accused_falsely(evening):
    view, outcome, truth = evening
    planted = [kind for what, kind in truth if what == "cheat"]
    assert len(planted) == 3
    assert [what for what, _ in truth if what in ("called", "accused")] == ["called"] * 3
    assert sum(kind in ("illegal", "timber_shift") for kind in kinds(view)) == 3
    assert kinds(view).count("legal") == sum(what == "play" for what, _ in truth)
    assert outcome.rulings == len(view.lines)


def test_everything_said_is_in_the_record_with_its_evidence(evening):
    view, outcome, _ = evening
    library = Library(outcome.record.parent)
    match = library.match(outcome.match_id)
    assert [each.line() for each in match.rulings] == view.lines
    assert len(match.throws) >= 40
    disputed = [
        number for number, kind in enumerate(kinds(view), start=1) if kind in ("illegal", "timber_shift")
    ]
    assert len(disputed) == 3
    for number in disputed:
        kept = [each.what for each in match.pictures[number]]
        assert sorted(set(kept)) == ["after", "before", "frame", "marked"]
        for what in ("before", "after", "marked"):
            assert library.evidence_file(outcome.match_id, number, what).stat().st_size > 10_000
        around = [each.t for each in library.frames_around(outcome.match_id, number)]
        assert len(around) == kept.count("frame") > 3
        assert around == sorted(around)
        assert around[0] < match.rulings[number - 1].t


def test_a_replay_of_the_recording_rules_the_same(evening):
    view, outcome, _ = evening
    out = io.StringIO()
    assert replay_recording(outcome.recording, json_lines=True, out=out, err=io.StringIO()) == 0
    assert [json.loads(line) for line in out.getvalue().splitlines()] == view.lines


@pytest.mark.parametrize("dice", ["camera", "both"])
def test_dice_on_the_board_are_read_by_the_camera_and_replayed_by_it(tmp_path, dice):
    view, outcome, truth = referee(tmp_path, dice, seed=4, throws=7)
    thrown = [kind for what, kind in truth if what == "throw"]
    match = Library(outcome.record.parent).match(outcome.match_id)
    kept = [(sorted(throw.dice), throw.source) for throw in match.throws]
    assert kept == [(sorted(map(int, dice_.split())), "camera") for dice_ in thrown]
    assert f'dice = "{dice}"' in (outcome.recording / "recording.toml").read_text()
    out = io.StringIO()
    assert replay_recording(outcome.recording, json_lines=True, out=out, err=io.StringIO()) == 0
    assert [json.loads(line) for line in out.getvalue().splitlines()] == view.lines


def test_the_same_seed_gives_the_same_match(evening, tmp_path):
    view, _, _ = evening
    again, _, _ = referee(tmp_path, throws=12, cheats=3)
    assert len(again.lines) >= 12
    assert again.lines == view.lines[: len(again.lines)]


@pytest.mark.parametrize("loudness", [Loudness.QUIET, Loudness.CHATTY])
def test_a_louder_or_quieter_table_rules_the_same_and_tells_of_it_otherwise(evening, tmp_path, loudness):
    view, outcome, truth = referee(tmp_path, loudness=loudness, throws=12, cheats=3)
    kept = [each.line() for each in Library(outcome.record.parent).match(outcome.match_id).rulings]
    assert len(kept) >= 12
    usual = evening[0].lines[: len(kept)]
    assert [line | {"say": ""} for line in kept] == [line | {"say": ""} for line in usual]
    throws = [line for line in view.lines if line["ruling"] == "throw"]
    if loudness is Loudness.QUIET:
        assert {line["ruling"] for line in view.lines} <= {"illegal", "timber_shift"}
        assert sum(bool(line["say"]) for line in kept) == len(view.lines)
    else:
        # All but the throws for start, which the rulings themselves read out.
        thrown = sum(what == "throw" for what, _ in truth)
        assert len(throws) == thrown - sum(bool(line["say"].endswith("for start.")) for line in kept)
        assert all(line["say"].startswith(f"{line['side'].capitalize()} throws") for line in throws)


def test_the_display_follows(evening):
    view, _, _ = evening
    assert {page.size for page in view.pages} == {(128, 64)}
    assert len({page.tobytes() for page in view.pages}) > 10


def test_a_covered_lens_is_said_and_nothing_is_ruled(tmp_path):
    view, outcome, _ = referee(tmp_path, cover_lens=True)
    assert kinds(view) == ["cannot_see"]
    assert view.lines[0]["say"] == "It is too dark."
    assert outcome.winner == ()


def test_a_tower_whose_cable_is_kicked_in_mid_throw_is_said_to_be_lost_and_back(tmp_path, monkeypatch):
    throw, thrown = SimulatedTower.throw, []

    def clumsy(tower, dice):
        thrown.append(dice)
        if len(thrown) == 3:
            tower.begin()
            tower.cut()
            return False
        if len(thrown) == 5:
            tower.plug()
        return throw(tower, dice)

    monkeypatch.setattr(SimulatedTower, "throw", clumsy)
    view, _, _ = referee(tmp_path, throws=8)
    said = [line["say"] for line in view.lines]
    assert "Tower lost. Dice from the camera." in said
    # Of eight throws the third was cut and the fourth had no tower to fall through.
    assert kinds(view).count("device_lost") == 1
