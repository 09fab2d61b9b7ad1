"""The plug is pulled in the middle of a match, at any moment; the table starts again and goes on with it.

`make torture` pulls it more often: TORTURE is how many times.
"""

import io
import json
import os
import random
import signal
import time
from contextlib import closing
from dataclasses import replace

import pytest

from tests import warmed
from tests.patience import HANGS_S
from tests.unpainted import unpainted
from uckers_table.commands.recover import recover
from uckers_table.commands.replay import replay_recording
from uckers_table.config import simulated_config
from uckers_table.keeping.resume import FAULT, BrokenOffError, pick_up
from uckers_table.record.heading import read_heading
from uckers_table.record.identity import new_identity
from uckers_table.record.library import Library
from uckers_table.record.match_record import Ruled
from uckers_table.record.recording import EVENTS
from uckers_table.record.store import MatchStore, match_folder
from uckers_table.referee.events import ButtonPressed
from uckers_table.referee.referee import Referee
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table

KILLS = int(os.environ.get("TORTURE", "20"))


def run_table(folder, seed, *, lines):
    """What a table told people before it was killed, soon after so many lines, or was done."""
    dice, told = random.Random(f"{seed} {lines}"), []
    with closing(warmed.Program("tests.table_to_kill", folder, seed)) as table:
        for line in table.stdout:
            told.append(line)
            if len(told) == lines:
                time.sleep(dice.choice([0.0, 0.0, dice.uniform(0.0, 0.05)]))
                table.send_signal(signal.SIGKILL)
        assert table.wait() in (0, -signal.SIGKILL)
    # The last line may have been cut by the kill.
    whole = [line.split() for line in told if line.endswith("\n")]
    return [(float(line[0]), line[1]) for line in whole]


def recorded(folder, number):
    """The rulings of a match as they are on record."""
    return [(ruled.t, ruled.ruling) for ruled in Library(folder).match(number).rulings]


def first_lacking(many, few):
    """The first of few that is not among many, in their order; None where all are."""
    rest = iter(many)
    return next((each for each in few if each not in rest), None)


@pytest.mark.timeout(HANGS_S * KILLS)
def test_killed_at_any_moment_no_ruling_told_is_lost_or_doubled(tmp_path):
    dice = random.Random(7)
    told, on_record, is_over, seed, number = [], [], False, 0, 1
    for _ in range(KILLS):
        seed += 1
        told += run_table(tmp_path, seed, lines=dice.randint(1, 60))
        now = recorded(tmp_path, number)
        assert now[: len(on_record)] == on_record, "what was on record has changed"
        assert first_lacking(now, told) is None, f"told and not on record, after kill {seed}: {now[-5:]}"
        on_record = now
        # It may have been killed when all was on record, and nobody had been told that it was over.
        is_over = bool(Library(tmp_path).match(number).summary.winner)
        if is_over:
            check_replays(tmp_path, number)
            told, on_record, number = [], [], number + 1
    while not is_over:
        seed += 1
        told += run_table(tmp_path, seed, lines=-1)
        is_over = bool(Library(tmp_path).match(number).summary.winner)
    assert first_lacking(recorded(tmp_path, number), told) is None
    check_replays(tmp_path, number)
    assert Library(tmp_path).match(number).summary.winner
    assert Library(tmp_path).unfinished() == []


def check_replays(folder, number):
    """What the record holds is what judging the recording again leads to: nothing twice, nothing left out."""
    out = io.StringIO()
    record = Library(folder).match(number)
    assert replay_recording(folder / record.recording, json_lines=True, out=out, err=io.StringIO()) == 0
    replayed = [json.loads(line) for line in out.getvalue().splitlines()]
    kept = [entry for entry in record.rulings if entry.ruling != FAULT]
    assert [(line["t"], line["ruling"]) for line in replayed] == [(each.t, each.ruling) for each in kept]


# ---------------------------------------------------------------------- one kill, looked at


class StoppedError(Exception):
    pass


class Until:
    """A view that stops the evening after so many lines."""

    def __init__(self, lines):
        self.left, self.said = lines, []

    def show(self, glimpse):
        self.said += [line["say"] for line in glimpse.rulings]
        self.left -= len(glimpse.rulings)
        if self.left <= 0:
            raise StoppedError

    def close(self):
        pass


@pytest.fixture
def broken_off(tmp_path):
    """The record of a match that was broken off, and its configuration."""
    config = replace(simulated_config(seed=3), record=tmp_path, resumes=True)
    with unpainted(config) as around, pytest.raises(StoppedError):
        Table(config, around.parts, Inbox(), Until(40)).run()
    return config


def go_on(config, lines):
    """What is said by a table that goes on for so many lines."""
    view = Until(lines)
    with unpainted(config) as around, pytest.raises(StoppedError):
        Table(config, around.parts, Inbox(), view).run()
    return view.said


def test_a_match_goes_on_by_its_own_rules_and_says_so(broken_off):
    before = pick_up(broken_off.record)
    said = go_on(replace(broken_off, rules="wafu"), 5)
    assert said[0].startswith("Match resumed. ")
    assert Library(broken_off.record).matches()[-1].number == 1
    match = before.referee.match
    assert match.board.seats[match.to_play] in said[0].lower()
    assert Library(broken_off.record).match(1).summary.terms.rules == "br4006"


def test_the_rulings_before_the_power_went_keep_their_words_and_pictures(broken_off):
    with unpainted(broken_off) as around, pytest.raises(StoppedError):
        played = Table(broken_off, around.parts, Inbox(), Until(5))
        played.run()
    before = played._refereeing.latest
    assert all(line.say for line in before)
    with unpainted(broken_off) as around:
        again = Table(broken_off, around.parts, Inbox(), Until(1000))
        after = {line.number: line for line in again._refereeing.latest}
        again._closing.close()
    shared = [line for line in before if line.number in after]
    assert shared
    assert [after[line.number].say for line in shared] == [line.say for line in shared]
    kept = Library(broken_off.record).match(1)
    assert [after[line.number].evidence for line in shared] == [kept.evidence(line.number) for line in shared]


def test_what_the_record_lacks_is_made_up_from_the_recording(broken_off):
    whole = Library(broken_off.record).match(1)
    with closing(MatchStore(broken_off.record)) as store:
        for table in ("throw", "call", "ruling"):
            store._db.execute(f"DELETE FROM {table} WHERE place > ?", (len(whole.entries) - 3,))
    picked_up = pick_up(broken_off.record)
    assert picked_up.missing == whole.entries[-3:]
    go_on(broken_off, 3)
    after = Library(broken_off.record).match(1)
    assert after.entries[: len(whole.entries)] == whole.entries


def test_a_torn_last_line_is_cut_off_and_the_recording_can_be_judged_again(broken_off):
    events = broken_off.record / "0001/recording" / EVENTS
    with events.open("a") as file:
        file.write('{"t": 9999.0, "kind": "thr')
    go_on(broken_off, 3)
    check_replays(broken_off.record, 1)


def test_a_record_that_tells_another_story_is_said_and_the_recording_is_gone_by(broken_off):
    with closing(MatchStore(broken_off.record)) as store:
        store._db.execute("UPDATE ruling SET kind = 'won' WHERE id = 5")
    picked_up = pick_up(broken_off.record)
    assert picked_up.missing == ()
    assert picked_up.doubt.startswith("match 1: from ")
    assert go_on(broken_off, 2)[0] == picked_up.doubt


def tear(config, after):
    """Write what is no event into a recording, after so many lines. The lines that it had."""
    events = config.record / "0001/recording" / EVENTS
    lines = events.read_text().splitlines(keepends=True)
    events.write_text("".join([*lines[:after], "torn\n", *lines[after:]]))
    return lines


def test_a_match_whose_recording_is_torn_in_the_middle_goes_on_from_its_last_ruling(broken_off, caplog):
    library = Library(broken_off.record)
    before = library.match(1)
    lines = tear(broken_off, 5)
    with pytest.raises(BrokenOffError, match=r"events\.jsonl:6") as broken:
        pick_up(broken_off.record)
    assert (broken.value.number, broken.value.last) == (1, before.rulings[-1])
    assert any("resumed" in said for said in go_on(broken_off, 3))
    assert "events.jsonl:6" in caplog.text
    # It is the same match, and whatever was ruled before is on record still.
    after = library.match(1)
    assert [match.number for match in library.matches()] == [1]
    assert after.entries[: len(before.entries)] == before.entries
    assert after.rulings[len(before.rulings)].position == before.rulings[-1].position
    # The recording that broke off is as it was, and the match goes on in another, again and again.
    events = broken_off.record / "0001/recording" / EVENTS
    assert events.read_text().splitlines(keepends=True) == [*lines[:5], "torn\n", *lines[5:]]
    assert after.recording == "0001/recording-2"
    picked_up = pick_up(broken_off.record)
    assert picked_up.doubt == picked_up.left_out == ""
    assert picked_up.t >= before.rulings[-1].t
    assert picked_up.rulings == after.rulings
    go_on(broken_off, 3)
    assert library.match(1).rulings[: len(after.rulings)] == after.rulings


def test_a_match_that_went_on_in_another_recording_is_found_again_by_both(broken_off):
    tear(broken_off, 100)
    go_on(broken_off, 5)
    library = Library(broken_off.record)
    whole = [each for each in library.match(1).rulings if each.ruling != FAULT]
    database = library.path
    database.write_bytes(bytes(100) + database.read_bytes()[100:])
    assert recover(broken_off.record, io.StringIO()) == 0
    again = library.match(1)
    assert again.recording == "0001/recording-2"
    found = [(each.t, each.ruling) for each in again.rulings]
    assert found == [(each.t, each.ruling) for each in whole if (each.t, each.ruling) in found]
    # The first recording led to some of them before it broke off, and the second leads to the rest.
    assert found[0] == (whole[0].t, whole[0].ruling)
    assert found[-1] == (whole[-1].t, whole[-1].ruling)


def test_what_cannot_be_judged_and_nobody_heard_of_is_left_out_and_kept_aside(broken_off):
    lines = tear(broken_off, 5)
    with closing(MatchStore(broken_off.record)) as store:
        for table in ("throw", "call", "ruling"):
            store._db.execute(f"DELETE FROM {table}")
    picked_up = pick_up(broken_off.record)
    assert picked_up.judged == 5
    assert "events.jsonl:6" in picked_up.left_out
    assert picked_up.left_out in go_on(broken_off, 3)
    folder = broken_off.record / "0001/recording"
    assert (folder / EVENTS).read_text().splitlines(keepends=True)[:5] == lines[:5]
    assert (folder / "left-out-1.jsonl").read_text().splitlines(keepends=True) == ["torn\n", *lines[5:]]
    assert pick_up(broken_off.record).left_out == ""


@pytest.mark.parametrize("content", ["", "rules = 7", "\0\0\0\0"])
def test_settings_that_cannot_be_read_are_those_on_record(broken_off, content):
    settings = broken_off.record / "0001/recording/recording.toml"
    before = settings.read_text()
    settings.write_text(content)
    assert any("resumed" in said for said in go_on(broken_off, 3))
    assert settings.read_text() == before
    check_replays(broken_off.record, 1)


def test_an_event_on_which_the_program_fails_ends_no_match(broken_off, monkeypatch):
    events = broken_off.record / "0001/recording" / EVENTS
    with events.open("a") as file:
        file.write('{"t": 9999.0, "kind": "button", "name": "timber_shifting"}\n')
    handle = Referee.handle

    def failing(self, event):
        if event == ButtonPressed(9999.0, "timber_shifting"):
            raise ZeroDivisionError("a riddle")
        return handle(self, event)

    monkeypatch.setattr(Referee, "handle", failing)
    said = go_on(broken_off, 3)
    assert any("cannot be judged (ZeroDivisionError: a riddle)" in line for line in said)
    assert any("resumed" in line for line in said)


def test_an_event_that_lacks_only_its_line_s_end_is_one(broken_off):
    events = broken_off.record / "0001/recording" / EVENTS
    events.write_text(events.read_text().removesuffix("\n"))
    before = pick_up(broken_off.record).judged
    go_on(broken_off, 3)
    assert pick_up(broken_off.record).judged > before
    check_replays(broken_off.record, 1)


def test_each_match_of_a_table_has_an_identity_of_its_own(broken_off):
    go_on(replace(broken_off, resumes=False), 2)
    library = Library(broken_off.record)
    own = [each.identity for each in library.matches()]
    assert len(own) == len(set(own) - {""}) == 2
    assert [read_heading(match_folder(broken_off.record, number)).identity for number in (1, 2)] == own


def test_an_unfinished_match_from_elsewhere_is_no_match_to_go_on_with(broken_off, caplog):
    library = Library(broken_off.record)
    with closing(MatchStore(broken_off.record)) as store:
        match = library.match(1)
        summary = replace(match.summary, identity=new_identity())
        store.take_in(replace(match, summary=summary, recording=""))
    assert library.matches()[1].winner is None
    assert go_on(broken_off, 2)[0].startswith("Match resumed. ")
    # Nor is it given up, or judged again.
    go_on(replace(broken_off, resumes=False), 2)
    assert [each.number for each in library.matches()] == [1, 2, 3]
    assert library.matches()[1].winner is None
    assert "cannot" not in caplog.text


def test_a_match_that_is_over_or_left_is_not_picked_up(broken_off):
    with closing(MatchStore(broken_off.record)) as store:
        store._db.execute("UPDATE match SET winner = '[]'")
    assert pick_up(broken_off.record) is None


def test_a_table_that_does_not_resume_begins_anew(broken_off):
    assert not any("resumed" in said for said in go_on(replace(broken_off, resumes=False), 5))
    assert Library(broken_off.record).matches()[-1].number == 2
    assert isinstance(Library(broken_off.record).match(2).rulings[0], Ruled)
