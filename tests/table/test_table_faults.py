"""What goes wrong round a match: buttons, dice, cards, cameras. Nothing is drawn; the camera is scripted."""

import errno
import json
import os
import shutil
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Queue
from types import SimpleNamespace

import numpy as np
import pytest

import uckers_table.table.loop as table_module
from tests.patience import HANGS_S, until
from uckers_table.announce.oled import draw
from uckers_table.announce.tower_sentences import TOWER_ALOUD, TOWER_SENTENCES
from uckers_table.commands.cli import main
from uckers_table.commands.replay import replay_recording
from uckers_table.config import Config
from uckers_table.devices import cameras, live, tower_judges
from uckers_table.devices.absent import NoDisplay, NoTower
from uckers_table.devices.awaited import AwaitedButtons
from uckers_table.devices.base import (
    Back,
    Cocked,
    Frame,
    HeldDown,
    Lost,
    NoThrow,
    Pressed,
    Remark,
    ThrowRead,
)
from uckers_table.devices.pico.messages import EVENTS, WORDS
from uckers_table.devices.pins import BUTTONS, READMITS
from uckers_table.devices.voice import SilentVoice
from uckers_table.errors import ConfigError, DeviceError, ProfileError, RecordError, RulesError
from uckers_table.foreign.documents import lines_of
from uckers_table.game import playing
from uckers_table.game.board import COLOURS
from uckers_table.game.events import Call
from uckers_table.game.match import begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting
from uckers_table.keeping.dating import Dating
from uckers_table.keeping.gallery import Gallery
from uckers_table.keeping.rebuilding import Rebuilding
from uckers_table.keeping.resume import pick_up
from uckers_table.machine import threads
from uckers_table.machine.clock import SimulatedClock
from uckers_table.machine.health import Health, warnings
from uckers_table.machine.messages import Invitation, Message, Reminder
from uckers_table.machine.moment import Moment
from uckers_table.machine.progress import Progress
from uckers_table.record.backup import backup
from uckers_table.record.library import Library
from uckers_table.record.mending import mend
from uckers_table.record.recording import RecordingWriter
from uckers_table.record.store import MatchStore
from uckers_table.referee.events import ButtonPressed, CallMade, DiceFault
from uckers_table.referee.referee import Referee
from uckers_table.sighting import Sighting
from uckers_table.table import running
from uckers_table.table.inbox import Inbox
from uckers_table.table.left_out import UNREAD, between_matches
from uckers_table.table.loop import Table
from uckers_table.table.news import Asked, event_of, lit_buttons
from uckers_table.table.parts import Parts, build_parts
from uckers_table.table.serving import OpenPage
from uckers_table.web.commands import (
    Answer,
    Backup,
    EnterPlay,
    EnterThrow,
    LeaveMatch,
    Press,
    SetClock,
    StartMatch,
)
from uckers_table.web.feed import TableState

START = Sighting(dict.fromkeys(COLOURS, (0, 0, 0, 0)))
HOME = (57, 57, 57, 57)
LAST_PLAY = ((57, 57, 57, 52), (0, 0, 0, 0), HOME, (0, 0, 0, 0))
WON = Sighting(dict(zip(COLOURS, (HOME, (), HOME, ()), strict=True)))


class Script:
    """A camera that plays what it is given, (time, what): sightings, news of other devices, or errors."""

    name, waits = "camera", True
    strange = None

    def __init__(self, steps, inbox):
        self.steps, self.inbox, self.now, self.closed = list(steps), inbox, 0.0, False
        self.seen = None

    def read(self):
        while self.steps:
            t, what = self.steps.pop(0)
            self.now = max(self.now, t)
            if isinstance(what, DeviceError):
                raise what
            if callable(what):
                what()
                continue
            if isinstance(what, Sighting | Exception):
                self.seen = what
                return Frame(t, np.zeros((8, 8, 3), np.uint8))
            self.inbox.post(what, t)
        return None

    def see(self, image):
        if isinstance(self.seen, Exception):
            raise self.seen
        return self.seen

    def close(self):
        self.closed = True


class Buttons:
    name = "buttons"

    def listen(self, listener):
        pass

    def light(self, names):
        self.lit = names

    def close(self):
        pass


class Profile:
    def __init__(self, seats=COLOURS):
        self.seats, self.settings = seats, {}

    def save(self, path):
        path.write_text("")


class Kept:
    """A view that keeps the lines it is shown."""

    def __init__(self):
        self.lines, self.closed = [], False

    def show(self, glimpse):
        self.lines += glimpse.rulings

    def close(self):
        self.closed = True


class Unwatched:
    """Nobody looks after this machine's own health."""

    def __init__(self, record, listener, **how):
        pass

    def close(self):
        pass


class Evening:
    """A table in a folder, its camera scripted; `run` it."""

    def __init__(self, folder, monkeypatch, steps):
        self.view, self.said, self.inbox = Kept(), [], Inbox()
        self.camera = Script(steps, self.inbox)
        monkeypatch.setattr("uckers_table.table.watcher.LiveReader", lambda profile: self.camera)
        monkeypatch.setattr(
            "uckers_table.table.refereeing.board_window", lambda profile, margin_mm: np.s_[:, :]
        )
        monkeypatch.setattr("uckers_table.table.watcher.CAMERA_RETRY_S", 0.0)
        monkeypatch.setattr("uckers_table.table.loop.HealthWatch", Unwatched)
        self.config = Config(record=folder, table=Path("table.toml"))
        self.page = OpenPage(invitation=Invitation("http://table.local:8080", "123456"))
        clock = SimulatedClock(lambda: self.camera.now)
        voice = SilentVoice(self.said.append)
        self.parts = Parts(self.camera, NoTower(), Buttons(), NoDisplay(), voice, clock, Profile())

    def run(self):
        self.table = Table(self.config, self.parts, self.inbox, self.view)
        return self.table.run()

    def recorded(self):
        lines = (self.config.record / "0001/recording/events.jsonl").read_text().splitlines()
        return [(line["t"], line["kind"]) for line in map(json.loads, lines)]

    def ruled(self):
        return [line["ruling"] for line in self.view.lines]


@pytest.fixture
def evening(tmp_path, monkeypatch):
    return lambda *steps: Evening(tmp_path, monkeypatch, steps)


@pytest.fixture
def won(evening, monkeypatch):
    """A match that its last play wins, and what comes after."""
    setting = load_setting("br4006", {}, seats=COLOURS, players=4)
    match = begin(setting, to_play="red", position=LAST_PLAY)
    monkeypatch.setattr(table_module, "first_match", lambda config: match)
    return lambda *after: evening((1.0, ThrowRead((3, 2))), *((t, WON) for t in (2.0, 2.2, 2.4)), *after)


def test_the_places_are_read_anew_before_anybody_is_accused(evening, monkeypatch):
    """Where the camera's reader numbers its readings."""
    setting = load_setting("br4006", {}, seats=COLOURS, players=4)
    position = position_from(setting.board, {"red": (10, 20, 57, 57)})
    match = begin(setting, to_play="red", position=position)
    monkeypatch.setattr(table_module, "first_match", lambda config: match)
    wrong = replace(START, pieces=START.pieces | {"red": (16, 22, 57, 57)}, confidence=0.9, reading=1)
    hand = replace(wrong, pieces={}, hand=True)
    looks = [(round(2.0 + n / 10, 1), wrong) for n in range(26)]
    table = evening((1.0, ThrowRead((5, 2))), (1.5, hand), *looks)
    table.camera.read_again = lambda places: read_again.append(sorted(places))
    read_again = []
    table.run()
    # Red 15 and 16: six were moved, or five.
    assert read_again[0] == ["14", "15"]
    assert table.ruled() == []


# ---------------------------------------------------------------------- buttons and dice


@pytest.mark.parametrize("name", BUTTONS)
def test_every_button_of_the_box_means_something_to_the_referee(name):
    event = event_of(1.0, Pressed(name))
    expected = {
        **dict.fromkeys(("done", "undo", "accept", "timber_shifting"), ButtonPressed(1.0, name)),
        "challenge": CallMade(1.0, Call("challenge")),
        "suckback": ButtonPressed(1.0, "call"),
        "cocked_dropped": DiceFault(1.0, "cocked", "buttons"),
    }
    assert event == expected[name]
    setting = load_setting("br4006", {}, seats=COLOURS, players=4)
    Referee(begin(setting, to_play="red")).handle(event)


@pytest.mark.parametrize(("name", "number"), [("done", "1"), ("undo", "2"), ("timber_shifting", "6")])
def test_while_a_number_is_asked_six_of_the_buttons_are_numbers(name, number):
    assert event_of(1.0, Pressed(name), asks_number=True) == ButtonPressed(1.0, number)


def test_the_seventh_button_stays_what_it_is_while_a_number_is_asked():
    assert event_of(1.0, Pressed("cocked_dropped"), asks_number=True) == DiceFault(1.0, "cocked", "buttons")


def test_the_lamps_show_what_can_be_called_and_then_which_numbers_can_be_pressed():
    setting = load_setting("wafu", {}, seats=COLOURS, players=4)
    # Red stands on green's mouth: green has pieces on the third and the fifth square of its chute.
    prey = ((0, 0, 0, 12), (0, 0, 54, 56), (0, 0, 0, 0), (0, 0, 0, 0))
    referee = Referee(begin(setting, to_play="red", position=prey, turns_taken=1))
    assert lit_buttons(referee) == {"timber_shifting", "cocked_dropped", "suckback"}
    asking = referee.handle(event_of(1.0, Pressed("suckback"))).referee
    # The third and the fifth of the buttons that are numbers.
    assert lit_buttons(asking) == {"accept", "suckback"}
    called = asking.handle(event_of(2.0, Pressed("suckback"), asks_number=True)).referee
    assert called.match.turn.attempt.number == 5
    assert lit_buttons(called) == {"timber_shifting", "cocked_dropped", "undo"}


def test_a_button_of_another_name_is_one_line_and_the_match_goes_on(evening):
    table = evening((0.5, Pressed("panic")), (1.0, START))
    table.run()
    assert table.ruled() == ["device_fault"]
    assert "'panic'" in table.view.lines[0]["say"]
    assert table.recorded() == [(1.0, "sighting")]


def test_the_lamp_for_a_cocked_die_is_lit_while_a_throw_is_due():
    setting = load_setting("br4006", {}, seats=COLOURS, players=4)
    match = begin(setting, to_play="red", position=LAST_PLAY)
    assert "cocked_dropped" in lit_buttons(Referee(begin(setting)))
    assert "cocked_dropped" in lit_buttons(Referee(match))
    assert "cocked_dropped" not in lit_buttons(Referee(playing.throw(match, (3, 2)).match))


def recorded(table, *kinds):
    """The lines of these kinds in the recording."""
    lines = (table.config.record / "0001/recording/events.jsonl").read_text().splitlines()
    return [line for line in map(json.loads, lines) if line["kind"] in kinds]


def told(table):
    """The throws and faults in the recording: dice or kind, and who told them."""
    return [(line.get("dice", line["kind"]), line["source"]) for line in recorded(table, "throw", "cocked")]


def test_where_nothing_reads_the_dice_the_buttons_do(evening):
    names = ["cocked_dropped", "timber_shifting", "accept", "cocked_dropped", "cocked_dropped"]
    table = evening(*((0.1 * t, Pressed(name)) for t, name in enumerate(names)), (1.0, START))
    table.config = replace(table.config, dice="buttons")
    table.run()
    assert told(table) == [([6, 3], "buttons"), ("cocked", "buttons")]
    assert table.ruled() == ["throw_off", "cocked"]
    assert table.said == ["Red throws 9 for start.", "Cocked. Throw again."]


def test_buttons_tell_the_dice_only_while_tower_and_camera_are_lost(evening):
    numbers = [Pressed("cocked_dropped"), Pressed("timber_shifting"), Pressed("accept")]
    table = evening(
        (0.1, Lost("tower", "no cable")),
        (0.2, Lost("camera", "no cable")),
        *((0.3, number) for number in numbers),
        (0.4, Pressed("cocked_dropped")),
        (0.5, Back("camera")),
        # The camera reads again: a number half told is dropped, and the button is a call of cocked dice.
        (0.6, Pressed("cocked_dropped")),
        (1.0, START),
    )
    table.run()
    assert told(table) == [([6, 3], "buttons"), ("cocked", "buttons")]


def test_dice_that_the_tower_leaves_cocked_are_thrown_again_and_nobodys_fault(evening):
    table = evening((0.1, Cocked()), (0.2, NoThrow("jam")), (0.3, ThrowRead((6, 3))), (1.0, START))
    table.run()
    assert told(table) == [([6, 3], "tower")]
    assert [line["why"] for line in recorded(table, "no_throw")] == ["cocked", "jam"]
    assert table.said[:2] == [TOWER_ALOUD["cocked"], TOWER_ALOUD["jam"]]
    assert table.ruled() == ["device_fault", "device_fault", "throw_off"]


def test_what_a_device_says_aloud_of_itself_is_spoken_once_and_its_line_is_shown(evening):
    table = evening((0.1, Remark("tower", "The in-beam stays dark.", "A beam fails.")), (1.0, START))
    table.run()
    assert table.said.count("A beam fails.") == 1
    assert table.said[0] == "A beam fails."
    shown = [line["say"] for line in table.view.lines if line["ruling"] == "device_fault"]
    assert shown == ["The in-beam stays dark."]


def test_dice_that_the_tower_leaves_cocked_are_a_fault_where_the_table_says_so(evening):
    table = evening((0.1, Cocked()), (1.0, START))
    table.config = replace(table.config, tower_cocked="fault")
    table.run()
    assert told(table) == [("cocked", "tower")]


def test_a_throw_is_on_the_card_before_the_tower_hears_that_it_is_taken(evening):
    table, taken, kept = evening((1.0, START)), Queue(), []
    # As a live camera: nobody waits for anything else.
    table.camera.waits = False
    read = table.camera.read

    class Tower(NoTower):
        def listen(self, listener):
            def throw():
                listener(ThrowRead((6, 3)))
                taken.put(told(table))

            threading.Thread(target=throw).start()

    def look():
        if not kept:
            kept.append(taken.get(timeout=HANGS_S))
        return read()

    table.parts.tower, table.camera.read = Tower(), look
    table.run()
    assert kept == [[([6, 3], "tower")]]


def test_everything_that_keeps_dice_in_the_tower_from_being_a_throw_has_its_sentence():
    kinds = set(EVENTS) - {"throw", "cocked", "dropped", "spoilt"}
    why = {news.why for kind in kinds for news in tower_judges._news(kind, (), "")}
    assert why | {*WORDS["why"], "cocked"} == set(TOWER_SENTENCES) == set(TOWER_ALOUD)


def test_the_button_held_ends_the_evening_with_everything_kept(evening, capsys):
    shown = []
    table = evening((0.5, ThrowRead((6, 3))), (0.8, HeldDown("undo")), (1.0, ThrowRead((5, 3))), (1.5, START))
    table.parts.display.show = lambda picture, *, stays=False: shown.append((picture, stays))
    table.run()
    assert table.table.is_switched_off
    assert told(table) == [([6, 3], "tower")]
    picture, stays = shown[-1]
    assert (picture.tobytes(), stays) == (draw(table_module.SWITCHING_OFF).tobytes(), True)
    assert table.camera.closed


def test_a_machine_that_cannot_be_switched_off_says_so(tmp_path):
    left = tmp_path / "left"
    running._switch_off(f"touch '{left}'")
    assert left.exists()
    for command in ("false", "no-such-program now", "'torn"):
        with pytest.raises(ConfigError, match=r"the machine was not switched off .*'switch_off' is"):
            running._switch_off(command)


def test_a_throw_of_too_few_dice_is_said_and_the_match_goes_on(evening):
    table = evening((0.5, ThrowRead((6,))), (1.0, ThrowRead((6, 4))), (1.5, START))
    outcome = table.run()
    assert table.ruled() == ["wrong_dice", "throw_off"]
    assert table.said == ["One die. Throw again.", table.view.lines[1]["say"]]
    assert [kind for _, kind in table.recorded()] == ["throw", "throw", "sighting"]
    match = Library(table.config.record).match(outcome.match_id)
    assert [each.line() for each in match.rulings] == table.view.lines
    assert [throw.dice for throw in match.throws] == [(6, 4)]


# ---------------------------------------------------------------------- the recording


def test_an_event_on_which_the_referee_fails_is_on_the_recording_to_mend_it_by(evening, monkeypatch):
    def stumble(referee, event):
        raise ZeroDivisionError

    table = evening((0.5, ThrowRead((6, 4))))
    monkeypatch.setattr(Referee, "handle", stumble)
    with pytest.raises(ZeroDivisionError):
        table.run()
    assert table.recorded() == [(0.5, "throw")]


def test_times_never_go_back_so_that_the_recording_can_be_judged_again(evening, capsys):
    table = evening((0.1, START), (0.4, Pressed("done")), (0.2, START), (0.5, START))
    outcome = table.run()
    assert table.recorded() == [(0.1, "sighting"), (0.4, "button"), (0.4, "sighting"), (0.5, "sighting")]
    assert replay_recording(outcome.recording, json_lines=True, out=None, err=None) == 0


def test_what_a_ruling_rests_on_is_on_the_card_before_it_is_said(won, monkeypatch):
    table, synced = won(), []

    def sync(writer):
        synced.append((table.camera.now, *table.ruled()))

    monkeypatch.setattr(RecordingWriter, "sync", sync)
    table.run()
    assert table.ruled() == ["won"]
    assert synced == [(1.0,), (2.4,)]


def test_the_record_names_the_recording_and_a_folder_is_never_used_twice(evening, tmp_path):
    evening((1.0, START)).run()
    # Of the first match nothing is known any more, and what lies in its folder is evidence.
    for file in (*tmp_path.glob("record.sqlite*"), tmp_path / "0001/recording/recording.toml"):
        file.unlink()
    second = evening((1.0, START), (2.0, START))
    outcome = second.run()
    assert outcome.recording == tmp_path / "0002/recording"
    assert second.recorded() == [(1.0, "sighting")]
    with sqlite3.connect(outcome.record) as database:
        assert database.execute("SELECT id, recording FROM match").fetchall() == [(2, "0002/recording")]
    database.close()


@pytest.fixture
def card(monkeypatch):
    """A card that takes nothing while it `is_full`: neither for the recording nor for the record."""
    card = SimpleNamespace(is_full=False)
    sync, insert = os.fdatasync, MatchStore._insert_entries

    def may_sync(descriptor):
        if card.is_full:
            raise OSError(28, "No space left on device")
        sync(descriptor)

    def may_insert(store, match_id, entries):
        if card.is_full:
            raise sqlite3.OperationalError("database or disk is full")
        insert(store, match_id, entries)

    monkeypatch.setattr(os, "fdatasync", may_sync)
    monkeypatch.setattr(MatchStore, "_insert_entries", may_insert)
    monkeypatch.setattr("uckers_table.record.backlog.RETRY_S", 0.0)
    return card


def test_a_full_card_is_said_once_and_the_match_is_kept_once_there_is_room(evening, card):
    def fill():
        card.is_full = True

    def empty():
        card.is_full = False

    table = evening(
        (0.5, ThrowRead((6, 4))),
        (0.6, fill),
        (1.0, ThrowRead((5, 4))),
        (1.5, ThrowRead((4, 4))),
        (1.6, empty),
        (2.0, ThrowRead((3, 2))),
        (3.0, START),
    )
    outcome = table.run()
    assert table.ruled() == [
        *("throw_off", "throw_off", "device_fault", "throw_off", "throw_off", "throw_off", "device_fault"),
    ]
    faults = [line["say"] for line in table.view.lines if line["ruling"] == "device_fault"]
    assert faults[0].startswith("Rulings are not recorded: ")
    assert faults[1] == "Rulings are recorded again."
    match = Library(table.config.record).match(outcome.match_id)
    assert [each.line() for each in match.rulings] == table.view.lines
    assert [each.dice for each in match.throws] == [(6, 4), (5, 4), (4, 4), (3, 2)]
    assert [kind for _, kind in table.recorded()] == ["throw"] * 4 + ["sighting"]


def test_a_match_is_refereed_also_where_no_record_can_be_begun_at_all(evening, tmp_path):
    (tmp_path / "file").write_text("in the way")
    table = evening((0.5, ThrowRead((6, 4))), (3.0, START))
    table.config = replace(table.config, record=tmp_path / "file" / "record")
    outcome = table.run()
    assert table.ruled() == ["throw_off", "device_fault"]
    assert outcome.match_id == 0


def test_a_damaged_record_is_kept_aside_and_its_matches_are_found_again(evening, tmp_path):
    table = evening((0.5, ThrowRead((6, 4))), (1.0, START))
    table.config = replace(table.config, names={"red": "Jack"})
    table.run()
    before = Library(tmp_path).match(1)
    database = tmp_path / "record.sqlite"
    database.write_bytes(DAMAGED)
    table = evening((0.5, ThrowRead((5, 4))), (1.0, START))
    table.config = replace(table.config, resumes=False)
    outcome = table.run()
    assert (tmp_path / "record-damaged-1.sqlite").read_bytes() == DAMAGED
    assert table.ruled()[:2] == ["device_fault"] * 2
    assert "a new record begun with 1 match, to be judged again" in table.view.lines[0]["say"]
    assert table.view.lines[1]["say"] == "1 match is being judged again from the recordings."
    assert outcome.match_id == 2
    # That may take longer than such an evening: what is left goes on at the next start.
    assert rebuilt(tmp_path, match_on=2) in ([], ["1 match is on record again."])
    library = Library(tmp_path)
    assert [each.number for each in library.matches()] == [1, 2]
    assert library.match(1).recording == "0001/recording"
    assert library.match(1).entries == before.entries
    assert (library.match(1).summary.terms, library.match(1).summary.begun) == (
        before.summary.terms,
        before.summary.begun,
    )
    assert library.match(1).summary.winner == ()


DAMAGED = b"not a database, but long enough to be read as one" * 40


def rebuilt(record, match_on=None):
    """What is told of the matches that are put on record again, now."""
    told = []
    rebuilding = Rebuilding(record, lambda rebuilt: told.append(rebuilt.line))
    if rebuilding.begin(match_on):
        until(lambda: told)
    rebuilding.close()
    return told


def test_every_recorded_match_is_judged_again_and_a_bad_one_is_named_once(won, evening, tmp_path):
    assert won((4.0, WON), (60.0, WON)).run().winner == ("red", "yellow")
    for number, text in ((2, "{"), (3, '{"t": 1, "kind": "sneeze"}\n{}\n')):
        folder = tmp_path / f"{number:04d}" / "recording"
        folder.mkdir(parents=True)
        (folder / "recording.toml").write_text('rules = "br4006"')
        (folder / "events.jsonl").write_text(text)
    (tmp_path / "0004").mkdir()
    (tmp_path / "record.sqlite").write_bytes(DAMAGED)
    assert "begun with 3 matches" in mend(tmp_path)
    assert rebuilt(tmp_path, match_on=2) == [
        "1 match is on record again. The recordings of these cannot be judged again: 3."
    ]
    assert [each.winner for each in Library(tmp_path).matches()] == [(), None, ()]
    assert rebuilt(tmp_path) == ["1 match is on record again."]
    assert rebuilt(tmp_path) == []


def test_a_match_that_nobody_ended_is_not_closed_while_none_is_on(evening, tmp_path):
    evening((0.5, ThrowRead((6, 4))), (1.0, START)).run()
    assert rebuilt(tmp_path) == []
    assert Library(tmp_path).unfinished() == [1]


def test_a_recording_that_cannot_be_read_now_closes_no_match(evening, tmp_path, monkeypatch):
    for _ in range(3):
        table = evening((0.5, ThrowRead((6, 4))), (1.0, START))
        table.config = replace(table.config, resumes=False)
        table.run()
    with closing(MatchStore(tmp_path)) as store:
        store._db.execute("UPDATE match SET winner = NULL")
    real = lines_of

    def refuse(path, *most):
        if "0001" in path.parts:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return real(path, *most)

    monkeypatch.setattr("uckers_table.record.recording.lines_of", refuse)
    (said,) = rebuilt(tmp_path, match_on=3)
    assert said == "1 match is on record again. The recordings of these cannot be read now: 1."
    assert Library(tmp_path).unfinished() == [1, 3]
    monkeypatch.undo()
    assert rebuilt(tmp_path, match_on=3) == ["1 match is on record again."]
    assert Library(tmp_path).unfinished() == [3]


@pytest.mark.parametrize("what", ["last_played", "unfinished", "match"])
def test_a_last_match_that_cannot_be_looked_at_is_offered(evening, tmp_path, monkeypatch, what):
    evening((0.5, ThrowRead((6, 4))), (1.0, START)).run()

    def refuse(library, *_):
        raise RecordError(f"{library.path}: the match record cannot be read (disk I/O error)")

    monkeypatch.setattr(Library, what, refuse)
    table = evening((1.0, START))
    table.config = replace(table.config, resumes=True)
    at_page(table, [])
    monkeypatch.undo()
    offered = [each for each in table.table._reminders.on_page if each.offer]
    assert [(each.title, each.offer) for each in offered] == [("CAN'T GO ON", "match")]
    assert Library(tmp_path).unfinished() == [1]
    assert [each.number for each in Library(tmp_path).matches()] == [1]


def unread_once(monkeypatch):
    """The first look for the last match fails; the next are as ever."""
    real, looks = Library.last_played, []

    def refuse(library):
        looks.append(library)
        if len(looks) == 1:
            raise RecordError(f"{library.path}: the match record cannot be read (database is locked)")
        return real(library)

    monkeypatch.setattr(Library, "last_played", refuse)


@pytest.mark.parametrize("presses", [("done", "done"), ("done", "accept", "done")], ids=["go on", "another"])
def test_without_a_page_the_buttons_say_what_becomes_of_a_match_that_is_unread(
    evening, tmp_path, monkeypatch, presses
):
    evening((0.5, ThrowRead((6, 4))), (1.0, START)).run()
    unread_once(monkeypatch)
    shown, table = [], evening((1.0, START))
    table.config = replace(table.config, resumes=True, buttons="gpio")
    table.parts.display.show = lambda picture, **how: shown.append(picture)
    steps = [(2.0 + each, Pressed(name)) for each, name in enumerate(presses)]
    table.camera.steps += [*steps, (5.0, lambda: until(lambda: table.table._match_on)), (6.0, START)]
    table.run()
    unread = between_matches(Reminder(1, *vars(UNREAD).values(), "match"))
    # What is wrong with the record is told first, and seen by any press.
    assert draw(unread).tobytes() in [each.tobytes() for each in shown[:2]]
    kept = [(each.number, each.winner) for each in Library(tmp_path).matches()]
    assert kept == ([(1, None)] if len(presses) == 2 else [(1, None), (2, None)])


@pytest.mark.parametrize("is_emptied", [True, False])
def test_a_record_that_was_lost_knows_its_matches_again(won, tmp_path, is_emptied):
    assert won((4.0, WON), (60.0, WON)).run().winner == ("red", "yellow")
    for file in tmp_path.glob("record.sqlite*"):
        file.unlink()
    if is_emptied:
        (tmp_path / "record.sqlite").touch()
    assert "did not know 1 match, to be judged again" in mend(tmp_path)
    assert mend(tmp_path) == ""
    # It was over, and nobody goes on with it.
    assert pick_up(tmp_path) is None
    assert rebuilt(tmp_path) == ["1 match is on record again."]
    (match,) = Library(tmp_path).matches()
    assert match.winner is not None and match.throws == 1


def test_a_match_that_is_judged_again_ended_when_it_did(won, tmp_path, monkeypatch):
    monkeypatch.setattr("uckers_table.machine.moment.is_clock_right", lambda: True)
    won((4.0, WON), (60.0, WON)).run()
    (before,) = Library(tmp_path).matches()
    assert before.ended >= before.begun
    (tmp_path / "record.sqlite").write_bytes(DAMAGED)
    mend(tmp_path)
    monkeypatch.setattr("uckers_table.machine.moment.now", lambda: Moment("2099-01-01T00:00:00", "b", 0.0))
    rebuilt(tmp_path)
    (after,) = Library(tmp_path).matches()
    assert (after.begun, after.ended) == (before.begun, before.ended)


def test_damage_that_shows_in_the_middle_of_a_match_is_mended_as_soon_as_it_is_over(evening, tmp_path):
    def damage():
        record = tmp_path / "record.sqlite"
        with closing(sqlite3.connect(record)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with record.open("r+b") as file:
            file.write(DAMAGED)

    throws = [(6, 4), (5, 4), (4, 4), (3, 2), (6, 1)]
    made = [(0.1 * k, ThrowRead(throw)) for k, throw in enumerate(throws[:4], start=1)]
    table = evening(
        made[0], (0.15, damage), *made[1:], (1.0, ThrowRead(throws[4])), (1.5, START), (3.0, START)
    )
    at_page(table, [(0.05, StartMatch("br4006")), (0.8, LeaveMatch()), (0.9, StartMatch("br4006"))])
    faults = [line["say"] for line in table.view.lines if line["ruling"] == "device_fault"]
    assert faults[0].endswith("it is mended after the match")
    assert "a new record begun with 1 match," in faults[1]
    assert (tmp_path / "record-damaged-1.sqlite").exists()
    assert rebuilt(tmp_path, match_on=2) in ([], ["1 match is on record again."])
    library = Library(tmp_path)
    assert [each.dice for each in library.match(1).throws] == throws[:4]
    assert [each.dice for each in library.match(2).throws] == throws[4:]
    # The rulings are there as they were told, but for what was no ruling.
    told = [line for line in table.view.lines if line["ruling"] != "device_fault"]
    kept = [each.line() for number in (1, 2) for each in library.match(number).rulings]
    assert [line for line in kept if line["ruling"] != "device_fault"] == told
    assert [each.winner for each in library.matches()] == [(), None]


def test_a_match_that_was_on_when_its_record_was_damaged_goes_on(evening, tmp_path):
    evening((0.5, ThrowRead((6, 4))), (1.0, START)).run()
    (tmp_path / "record.sqlite").write_bytes(DAMAGED)
    table = evening((0.5, ThrowRead((5, 4))), (1.0, START))
    outcome = table.run()
    assert outcome.match_id == 1
    match = Library(tmp_path).match(1)
    assert [each.dice for each in match.throws] == [(6, 4), (5, 4)]


def test_while_a_match_is_on_nobody_else_writes_it(evening, tmp_path, capsys):
    record, found = tmp_path / "record", {}
    # The same record as it would be put back.
    other = evening((0.5, ThrowRead((6, 4))), (1.0, START))
    other.config = replace(other.config, record=record)
    other.run()
    backup(record, tmp_path)
    shutil.rmtree(record)

    def meanwhile():
        before = Library(record).match(1).entries
        for words in (["recover"], ["restore", str(tmp_path)]):
            status = main([*words, "--record", str(record)])
            found[words[0]] = status, capsys.readouterr().err
        found["picked up"], found["rebuilt"] = pick_up(record), rebuilt(record)
        found["the same"] = Library(record).match(1).entries == before

    table = evening((0.5, ThrowRead((6, 4))), (1.0, START), (1.2, meanwhile), (1.4, START))
    table.config = replace(table.config, record=record)
    table.run()
    for status, line in (found["recover"], found["restore"]):
        assert (status, line.count("\n")) == (2, 1)
        assert f"{record / '0001'}: a table is at this match" in line
    assert (found["picked up"], found["rebuilt"], found["the same"]) == (None, [], True)
    # The table is gone: its match can be gone on with.
    assert pick_up(record).number == 1


def test_pictures_that_cannot_be_kept_hold_back_no_ruling_and_are_said_once(won, monkeypatch):
    def full(path, jpeg):
        raise RecordError(f"{path}: cannot be written (No space left on device)")

    def at_once(gallery, evidence):
        try:
            gallery._keep(evidence)
        except RecordError as error:
            gallery.trouble = str(error)

    table = won((3.0, Pressed("undo")), (3.5, Pressed("undo")), (4.0, Pressed("done")))
    monkeypatch.setattr("uckers_table.keeping.gallery.write_picture", full)
    monkeypatch.setattr(Gallery, "keep", at_once)
    table.run()
    assert table.ruled().count("won") == 2
    assert table.ruled().count("device_fault") == 1
    assert table.ruled().index("won") < table.ruled().index("device_fault")
    fault = next(line["say"] for line in table.view.lines if line["ruling"] == "device_fault")
    assert fault.startswith("Pictures are not recorded: ")


# ---------------------------------------------------------------------- the camera


def test_pictures_that_do_not_fit_the_profile_end_the_match(evening):
    table = evening((0.5, START), (1.0, ProfileError("the picture is 8 × 8")))
    with pytest.raises(ProfileError, match="8 × 8"):
        table.run()
    assert table.camera.closed
    assert table.view.closed


@pytest.mark.parametrize("trouble", [DeviceError("unplugged"), ZeroDivisionError("a bug")])
def test_a_camera_that_fails_is_said_to_be_lost_and_tried_again(evening, trouble):
    table = evening((0.5, START), (1.0, trouble), (1.5, trouble), (2.0, START))
    table.run()
    assert table.ruled() == ["device_lost", "device_back"]
    assert table.recorded()[-1] == (2.0, "sighting")


# ---------------------------------------------------------------------- opening and closing


def test_a_win_taken_back_does_not_close_the_table(won):
    table = won((3.0, Pressed("undo")), (4.0, Pressed("undo")), (30.0, START), (60.0, START))
    outcome = table.run()
    assert "won" in table.ruled()
    assert table.recorded()[-1] == (60.0, "sighting")
    assert outcome.winner == ()


def test_a_win_closes_the_table_a_little_later(won):
    table = won((3.0, START), (30.0, START), (60.0, START))
    outcome = table.run()
    assert outcome.winner == ("red", "yellow")
    assert table.recorded()[-1] == (30.0, "sighting")


def test_a_table_that_cannot_be_built_closes_what_it_was_given(evening, monkeypatch):
    def refuse(config):
        raise RulesError("no")

    table = evening()
    monkeypatch.setattr(table_module, "first_match", refuse)
    with pytest.raises(RulesError):
        table.run()
    assert table.camera.closed
    assert table.view.closed


def test_a_table_that_cannot_start_says_why(evening):
    def refuse(listener):
        raise DeviceError("the buttons are taken")

    table = evening()
    table.parts.buttons.listen = refuse
    with pytest.raises(DeviceError, match="the buttons are taken"):
        table.run()


@pytest.fixture
def opened(monkeypatch):
    """The cameras that were opened."""
    made = []

    def camera(folder):
        made.append(Script([], None))
        return made[-1]

    monkeypatch.setattr(cameras, "FolderCamera", camera)
    return made


def folder_config(**changes):
    real = {"camera": "folder", "tower": "none", "display": "none", "voice": "silent"}
    return Config(**(real | {"buttons": "none", "table": Path("table.toml")} | changes))


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"players": 3}, RulesError), ({"to_play": "mauve"}, RulesError), ({"page_port": 0}, ProfileError)],
)
def test_what_makes_no_sense_is_said_before_a_device_is_opened(opened, changes, error):
    with pytest.raises(error):
        build_parts(folder_config(**changes), print)
    assert opened == []


def test_a_calibration_that_cannot_be_used_is_made_anew_on_the_page(opened, tmp_path, caplog):
    torn = tmp_path / "table.toml"
    torn.write_text('seats = ["red", "gre')
    parts = build_parts(folder_config(table=torn), print)
    parts.close()
    assert parts.profile is None
    assert "the calibration cannot be used" in caplog.text


def test_a_device_that_is_not_there_leaves_no_other_open(opened, monkeypatch):
    def absent():
        raise DeviceError("no pins")

    monkeypatch.setattr("uckers_table.table.parts.TableProfile.load", lambda path: Profile())
    monkeypatch.setattr("uckers_table.devices.buttons.GpioButtonBox", absent)
    with pytest.raises(DeviceError, match="no pins"):
        build_parts(folder_config(buttons="gpio", page_port=0), print)
    assert [camera.closed for camera in opened] == [True]


def test_a_table_with_a_page_does_without_what_is_not_there_and_looks_for_it(opened, monkeypatch):
    is_there, told = [], Queue()

    def box():
        if not is_there:
            raise DeviceError("no pins")
        return Buttons()

    monkeypatch.setattr("uckers_table.table.parts.TableProfile.load", lambda path: Profile())
    monkeypatch.setattr("uckers_table.table.parts.profile_file", lambda config: Path(__file__))
    monkeypatch.setattr("uckers_table.devices.buttons.GpioButtonBox", box)
    monkeypatch.setattr(AwaitedButtons.__init__, "__kwdefaults__", {"retry_s": 0.001})
    parts = build_parts(folder_config(buttons="gpio"), told.put)
    try:
        assert told.get(timeout=HANGS_S) == Lost("buttons", "no pins")
        is_there.append(True)
        assert told.get(timeout=HANGS_S) == Back("buttons")
    finally:
        parts.close()


def test_pictures_that_are_not_there_are_not_waited_for(monkeypatch, tmp_path):
    config = folder_config(camera_source=str(tmp_path), table=tmp_path / "none")
    with pytest.raises(DeviceError, match="holds no pictures"):
        build_parts(config, print)


# ---------------------------------------------------------------------- what hangs


class LiveScript(Script):
    """A script as a live camera plays it: each picture has noise of its own. It stalls as `stall` says."""

    waits = False

    def __init__(self, steps, inbox):
        super().__init__(steps, inbox)
        self.noise = np.random.default_rng(7)

    def read(self):
        frame = super().read()
        return frame and replace(frame, image=self.noise.integers(0, 255, (8, 8, 3), dtype=np.uint8))


def test_a_throw_while_the_camera_hangs_is_kept_and_judged_when_it_sees_again(evening, monkeypatch):
    position = tuple((0, 0, 5, 20 + 2 * seat) for seat in range(4))
    match = begin(load_setting("br4006", {}, seats=COLOURS, players=4), to_play="red", position=position)
    monkeypatch.setattr(table_module, "first_match", lambda config: match)
    monkeypatch.setattr(live, "SILENT_S", 0.3)
    board = replace(START, pieces=dict(zip(COLOURS, position, strict=True)))
    played = replace(board, pieces=board.pieces | {"red": (0, 0, 11, 20)})
    table = evening()

    def stall():
        """The camera hangs; red plays, green throws; then it is noticed, and then the camera sees again."""
        table.camera.now = 10.0
        table.inbox.post(ThrowRead((3, 1)), 10.0)
        until(lambda: "device_lost" in table.ruled())

    seen = [(t / 5, board) for t in range(1, 20)]
    table.camera = LiveScript(
        [
            *seen[:8],
            (1.7, ThrowRead((4, 2))),
            *seen[9:],
            (9.0, stall),
            *((20 + t / 5, played) for t in range(20)),
        ],
        table.inbox,
    )
    table.parts = replace(table.parts, camera=table.camera, clock=SimulatedClock(lambda: table.camera.now))
    monkeypatch.setattr("uckers_table.table.watcher.LiveReader", lambda profile: table.camera)
    table.run()
    assert told(table) == [([4, 2], "tower"), ([3, 1], "tower")]
    assert "void" not in table.ruled()
    assert {"device_lost", "device_back", "legal"} <= {*table.ruled()}
    assert table.table._refereeing.referee.match.thrown == (3, 1)


def test_a_device_that_does_not_close_keeps_no_other_open_nor_the_evening(evening, monkeypatch, caplog):
    monkeypatch.setattr(threads, "CLOSE_ALL_S", 1.0)
    table, is_over = evening((1.0, START)), threading.Event()
    table.parts.voice.close = lambda: is_over.wait(HANGS_S)
    table.run()
    is_over.set()
    assert table.camera.closed
    assert table.view.closed
    assert "the voice does not close and is left behind" in caplog.text


def test_a_line_on_a_tower_that_works_is_told_at_the_match_and_on_the_page(evening):
    line = "A second dice tower is plugged in: unplug one."
    shown = []

    def look():
        shown.append(
            next(each for each in table.page.feed.latest().devices if each.name == "tower").what_to_try
        )

    table = evening((0.5, Remark("tower", line)), (1.0, START), (1.1, look), (1.2, Remark("tower", "")))
    table.camera.steps += [(1.3, START), (1.4, look)]
    table.config = replace(table.config, tower="serial")
    at_page(table, [], begins=True)
    assert [said["say"] for said in table.view.lines if said["ruling"] == "device_fault"] == [line]
    assert shown == [line, ""]


def test_the_page_keeps_the_last_sentences_and_which_are_urgent(evening):
    beams = [(0.1 + number / 100, Remark("tower", "", f"Beam {number}.")) for number in range(12)]
    table = evening(*beams, (1.0, START))
    at_page(table, [], begins=True)
    spoken = table.page.feed.latest().spoken
    assert [(line.number, line.say, line.is_urgent) for line in spoken] == [
        (number, f"Beam {number - 1}.", False) for number in range(5, 13)
    ]


def test_a_remark_that_says_nothing_new_is_not_logged(evening, caplog):
    again = Remark("voice", "ours: the computer speaks for red.wav: missing")
    table = evening((0.1, Remark("voice", "")), (0.2, again), (0.3, again), (1.0, START))
    table.run()
    assert [record.message for record in caplog.records if "voice" in record.message] == [
        "voice: ours: the computer speaks for red.wav: missing"
    ]


def test_a_line_on_a_tower_is_told_in_a_match_that_begins_later(evening):
    line = "A second dice tower is plugged in: unplug one."
    table = evening((0.5, Remark("tower", line)), (2.0, START))
    at_page(table, [(1.0, StartMatch("br4006", to_play="red"))])
    assert [said["say"] for said in table.view.lines if said["ruling"] == "device_fault"] == [line]


def test_how_far_a_copy_to_a_stick_has_got_is_shown_and_then_how_it_ended(evening):
    shown = []
    copying = Progress("Copying", 3, 16, "files")
    table = evening(
        # What is shown by then was published after the one before.
        (0.5, copying),
        (0.55, Remark("tower", "")),
        (0.6, lambda: shown.append(table.page.feed.latest().backup)),
        (0.7, Message("BACKED UP", "1 match.")),
        (0.75, Remark("tower", "")),
        (0.8, lambda: shown.append(table.page.feed.latest().backup)),
    )
    at_page(table, [])
    assert shown == ["Copying: 3 of 16 files.", "Backed up: 1 match."]


# ---------------------------------------------------------------------- with a page


def at_page(table, asking, *, begins=False):
    """A table with a page, on which people are `asking` for things, each at its time; the answers."""
    answers = []
    for t, command in asking:
        asked = Asked(command)
        answers.append(asked.answer)
        table.camera.steps.append((t, asked))
    table.camera.steps.sort(key=lambda step: step[0])
    table.table = Table(
        table.config,
        table.parts,
        table.inbox,
        table.view,
        page=table.page,
        begins=begins,
    )
    outcome = table.table.run()
    return outcome, [answer.result(timeout=0) for answer in answers]


def test_between_matches_the_table_waits_for_the_next_and_each_has_its_own_time(evening):
    start = StartMatch("br4006", names={"red": "Jack"}, to_play="red")
    table = evening((0.5, START), (3.5, START))
    outcome, answers = at_page(
        table,
        [(1.0, start), (2.0, EnterThrow((6, 3))), (3.0, LeaveMatch()), (4.0, start), (5.0, LeaveMatch())],
    )
    assert answers == [Answer(True)] * 5
    assert outcome.match_id == 2
    # The first match began when the table's clock showed one second.
    assert table.recorded() == [(1.0, "throw")]
    match = Library(table.config.record).match(1)
    assert (match.summary.winner, match.summary.honours) == ((), ())


def test_the_button_begins_a_match_as_the_last_one_was(evening):
    table = evening((1.0, Pressed("done")), (1.5, START))
    outcome, _ = at_page(table, [])
    assert outcome.match_id == 1
    assert table.recorded() == [(0.5, "sighting")]


@pytest.mark.parametrize(("pressed", "matches"), [(6.0, 1), (9.0, 2)])
def test_who_answers_a_question_of_a_match_that_was_just_left_begins_no_other(
    evening, monkeypatch, pressed, matches
):
    position = tuple((0, 0, 5, 20 + 2 * seat) for seat in range(4))
    match = begin(load_setting("br4006", {}, seats=COLOURS, players=4), to_play="red", position=position)
    monkeypatch.setattr(table_module, "first_match", lambda config: match)
    board = replace(START, pieces=dict(zip(COLOURS, position, strict=True)))
    bare = replace(START, pieces=dict.fromkeys(COLOURS, ()))
    seen = ((t / 2, board if t < 3 else bare) for t in range(1, 11))
    table = evening(*seen, (pressed, Pressed("done")))
    outcome, _ = at_page(table, [(5.5, LeaveMatch())], begins=True)
    assert "upboard_asked" in table.ruled()
    assert outcome.match_id == matches


def test_rules_and_players_are_chosen_and_a_match_begun_with_the_buttons_alone(evening):
    shown = []
    presses = ["accept", "challenge", *["accept"] * 8, "challenge", "done"]
    table = evening(*((0.1 * n, Pressed(name)) for n, name in enumerate(presses, start=1)), (3.0, START))
    table.parts.display.show = lambda picture, *, stays=False: shown.append(picture.tobytes())
    outcome, _ = at_page(table, [])
    snapshot = table.page.feed.latest()
    assert (snapshot.rules, snapshot.players, snapshot.state) == ("couk", 2, TableState.PLAYING)
    assert outcome.match_id == 1
    assert draw(Message("PLAYERS", "2, each with two colours.")).tobytes() in shown


def test_what_makes_no_sense_on_the_page_is_answered_and_changes_nothing(evening):
    start = StartMatch("br4006", to_play="red")
    asking = [
        (0.5, EnterThrow((6, 3))),
        (0.6, StartMatch("whist")),
        (0.7, StartMatch("br4006", seats=("red", "blue", "yellow", "green"))),
        (1.0, start),
        (1.1, start),
        (1.2, EnterThrow((6, 7))),
        (1.3, EnterThrow((6,))),
        (1.4, EnterThrow((6, 3))),
        (1.5, EnterPlay(((3, 0, 0, 0), *((0, 0, 0, 0),) * 3))),
        (1.6, Press("panic")),
        (1.65, Press("challenge")),
        (1.7, EnterPlay(((0, 0, 0, 4), *((0, 0, 0, 0),) * 3))),
    ]
    table = evening((2.0, START))
    _, answers = at_page(table, asking)
    assert [answer.is_done for answer in answers] == [
        *(False, False, False, True, False, False, False, True, False, False, False, True)
    ]
    assert [bool(answer.line) for answer in answers] == [not answer.is_done for answer in answers]
    assert "no match is on" in answers[0].line
    assert "whist" in answers[1].line
    assert table.recorded() == [(0.4, "throw"), (0.65, "call"), (0.7, "play"), (1.0, "sighting")]
    assert table.page.feed.latest().position[0] == (0, 0, 0, 4)


def test_a_device_lost_between_matches_is_told_at_the_start_of_the_next(evening):
    table = evening((0.5, Lost("tower", "no cable")), (1.5, START))
    at_page(table, [(1.0, StartMatch("br4006"))])
    assert table.ruled() == ["device_lost"]
    devices = {device.name: device for device in table.page.feed.latest().devices}
    assert (devices["tower"].state, devices["tower"].what_to_try) == ("lost", "no cable")
    assert devices["camera"].is_well


def test_the_page_is_shown_what_is_played_and_what_may_be(evening):
    table = evening((3.0, START))
    at_page(table, [(1.0, StartMatch("wafu", to_play="red")), (2.0, EnterThrow((6, 3)))])
    shown = table.page.feed.latest()
    assert (shown.state, shown.match, shown.rules, shown.throw) == (TableState.PLAYING, 1, "wafu", (6, 3))
    assert shown.plays
    assert shown.screen[0] == "RED"
    assert (shown.seen.found, shown.seen.of) == (16, 16)
    assert "done" in shown.lit


def test_what_is_serious_about_the_machine_is_shown_until_somebody_does_something(evening):
    low = Health(is_under_voltage=True, temperature_c=50.0)
    shown = []
    table = evening((1.0, low), (1.5, replace(low, temperature_c=51.0)), (2.0, Pressed("undo")), (2.5, START))
    table.parts.display.show = lambda picture, *, stays=False: shown.append(picture.tobytes())
    at_page(table, [])
    page = draw(Invitation("http://table.local:8080", "123456")).tobytes()
    warning = draw(warnings(low)[0]).tobytes()
    # Pulled before the page comes back: the same warning is no news at the next look.
    assert [each for each in shown if each in (page, warning)] == [page, warning, page]
    assert table.page.feed.latest().health.temperature_c == 51.0


def test_how_a_backup_ended_is_on_the_display_and_the_page(evening, monkeypatch):
    monkeypatch.setattr("uckers_table.keeping.backing_up.sticks", lambda: [Path("/nowhere/stick")])
    table = evening((0.5, START), (1.5, lambda: until(lambda: "is no folder" in told())), (2.0, START))

    def told():
        return table.page.feed.latest().backup

    _, answers = at_page(table, [(1.0, Backup())], begins=True)
    assert answers[0].is_done
    assert told().startswith("No backup: /nowhere/stick")


def test_a_phone_with_the_pin_tells_the_time(evening, monkeypatch):
    monkeypatch.setattr("uckers_table.machine.moment.is_clock_right", lambda: False)
    no_network = partial(Dating, is_clock_right=lambda: False)
    monkeypatch.setattr("uckers_table.table.loop.Dating", no_network)
    table = evening((0.5, Pressed("done")), (2.0, START))
    _, answers = at_page(table, [(1.0, SetClock(5.0)), (1.5, SetClock(1.8e9))])
    assert [answer.is_done for answer in answers] == [False, True]
    assert "1970" in answers[0].line
    assert table.page.feed.latest().health.is_clock_known
    assert Library(table.config.record).matches()[0].begun.startswith("2027-01-15T0")


def test_a_long_press_lets_every_phone_try_again_and_has_the_pin_said(evening):
    readmitted, spoken = [], []
    table = evening(
        *((0.5, HeldDown(READMITS)), (1.2, START), (1.5, ThrowRead((6, 3))), (1.8, HeldDown(READMITS))),
        (1.85, Remark("tower", "", "A beam fails.")),
    )
    look = lambda: spoken.extend(line.say for line in table.page.feed.latest().spoken)  # noqa: E731
    table.camera.steps += [(1.9, START), (2.0, look)]
    table.page = replace(table.page, readmit=lambda: readmitted.append(table.table._match_on is not None))
    at_page(table, [(1.0, StartMatch("br4006", to_play="red"))])
    assert readmitted == [False, True]
    assert table.said.count("The PIN is 1, 2, 3, 4, 5, 6.") == 2
    assert not table.table.is_switched_off
    assert told(table) == [([6, 3], "tower")], "it is no dice fault"
    # Whoever watches the page is told all that is said in the match, and no PIN.
    assert spoken == [said for said in table.said if "PIN" not in said] == ["A beam fails."]


def test_the_pin_that_is_said_and_shown_is_the_one_that_counts_now(evening):
    shown = []
    table = evening((0.5, Pressed("undo")), (0.6, HeldDown(READMITS)))
    table.parts.display.show = lambda picture, *, stays=False: shown.append(picture.tobytes())
    now = Invitation("http://table.local:8080", "482755019326")
    table.page = replace(table.page, renewed=lambda _: now)
    at_page(table, [])
    assert table.said == ["The PIN is 4, 8, 2, 7, 5, 5, 0, 1, 9, 3, 2, 6."] * 2
    assert shown == [draw(now).tobytes()]


def test_between_matches_the_undo_button_has_the_pin_said_aloud(evening):
    table = evening((0.5, Pressed("undo")), (1.5, Pressed("undo")), (2.0, START))
    at_page(table, [(1.0, StartMatch("br4006", to_play="red"))])
    assert table.said == ["The PIN is 1, 2, 3, 4, 5, 6.", "Refused: not now."]
