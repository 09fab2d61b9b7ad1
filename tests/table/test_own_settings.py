"""What the page sets of the table is kept beside the record, and counts over the configuration."""

import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.ids import begins
from tests.patience import HANGS_S
from tests.table.test_table_faults import START, Evening, at_page
from uckers_table.config import OWN_FILE, SET_ON_PAGE, Config, with_own_settings
from uckers_table.devices.absent import NoTower
from uckers_table.devices.base import Lost, Pressed
from uckers_table.errors import DeviceError, InputError, RecordError
from uckers_table.table import own_settings, reopening
from uckers_table.table.bench import AT_NEXT_START, NOT_NOW
from uckers_table.table.news import Reopened
from uckers_table.table.own_settings import DEVICE_OF, FIXED, OwnSettings, devices_of
from uckers_table.web.commands import (
    CHOICES,
    DEVICE_NAMES,
    NUMBERS,
    Answer,
    AsConfigured,
    Choose,
    StartAnew,
    StartMatch,
)

TRAY_CAM = "ACME_Tray_0001"


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.setattr(own_settings, "plugged_in", lambda: (TRAY_CAM,))
    monkeypatch.setattr(own_settings, "cards_there", lambda: ("UACDemo",))
    return Config(record=tmp_path)


def test_what_is_set_counts_at_the_next_start_and_the_rest_is_as_configured(config):
    chosen = OwnSettings(config).choose(config, {"volume": 40, "tray_camera": TRAY_CAM, "mains_hz": 60})
    assert (chosen.volume, chosen.tray_camera, chosen.mains_hz) == (40, TRAY_CAM, 60)
    configured = replace(config, volume=90, voice="espeak")
    assert with_own_settings(configured) == (replace(chosen, voice="espeak"), "")
    # What is set later is set beside it.
    chosen = OwnSettings(chosen).choose(chosen, {"volume": 50})
    assert with_own_settings(config) == (chosen, "")
    own = OwnSettings(chosen)
    assert own.shown(chosen).own == ("mains_hz", "tray_camera", "volume")
    own.forget()
    assert with_own_settings(config) == (config, "")
    assert own.shown(chosen).waiting == ("mains_hz", "tray_camera", "volume")


BAD = [
    ("volume = ", "not TOML"),
    ("volume = 101", ":1: key 'volume' is 101; it goes from 0 to 100"),
    ("volume = 50\nvoice = 'shout'", ":2: key 'voice' is 'shout'; known are"),
    ("record = '/'", ":1: key 'record' is not set on the page"),
    ("switch_off = 'reboot'", ":1: key 'switch_off' is not set on the page"),
    ("tower = 'none'", "key 'dice' is 'tower', but 'tower' is 'none'"),
    ("volume = true", ":1: key 'volume' is true, not a whole number"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=begins)
def test_a_file_that_makes_no_sense_is_said_in_a_line_and_counts_for_nothing(config, text, said):
    path = config.record / OWN_FILE
    path.write_text(text)
    same, line = with_own_settings(config)
    assert same == config
    assert line.startswith(str(path)) and said in line and "\n" not in line
    own = OwnSettings(config)
    assert own.trouble == line
    # The page writes it anew.
    own.choose(config, {"volume": 30})
    assert with_own_settings(config) == (replace(config, volume=30), "")
    assert not own.trouble


@pytest.mark.parametrize("content", [b"\x00\xff" * 50, b"a = 1\n" * 500_000], ids=["rubbish", "large"])
def test_a_file_of_rubbish_or_of_any_size_counts_for_nothing(config, content):
    (config.record / OWN_FILE).write_bytes(content)
    same, line = with_own_settings(config)
    assert (same, bool(line)) == (config, True)


def test_a_card_that_takes_nothing_is_said_and_nothing_is_changed(config):
    nowhere = replace(config, record=Path("/proc/nowhere"))
    with pytest.raises(RecordError, match="cannot be kept"):
        OwnSettings(nowhere).choose(nowhere, {"volume": 40})


def test_only_what_is_plugged_in_can_be_named(config):
    own = OwnSettings(config)
    for values in ({"tray_camera": "/etc/passwd"}, {"sound_card": "HDMI"}, {"camera_source": "../film.mp4"}):
        with pytest.raises(InputError, match="nothing is plugged in"):
            own.choose(config, values)
    named = replace(config, sound_card="as configured")
    assert own.choose(named, {"sound_card": "as configured"}).sound_card == "as configured"


DICE = [
    ({"tower": "none"}, {}, "camera"),
    ({"tower": "none"}, {"camera": "none"}, "buttons"),
    ({"camera": "none"}, {"dice": "both"}, "tower"),
    ({"camera": "none"}, {"tower": "none", "dice": "camera"}, "buttons"),
    ({"tower": "serial"}, {"tower": "none", "dice": "camera"}, "tower"),
    ({"tower": "none", "dice": "buttons"}, {}, "buttons"),
]


@pytest.mark.parametrize(("values", "was", "dice"), DICE)
def test_who_reads_the_dice_follows_from_what_there_is(config, values, was, dice):
    before = replace(config, **was)
    assert OwnSettings(config).choose(before, values).dice == dice
    assert with_own_settings(before)[0].dice == dice


def test_what_does_not_go_together_is_refused_and_not_kept(config):
    with pytest.raises(InputError, match="'tower' is 'none'"):
        OwnSettings(config).choose(config, {"tower": "none", "dice": "both"})
    assert not (config.record / OWN_FILE).exists()


def test_a_simulated_table_has_nothing_to_be_chosen(config):
    simulated = replace(config, camera="simulated")
    (config.record / OWN_FILE).write_text("camera = 'webcam'")
    assert with_own_settings(simulated) == (simulated, "")
    own = OwnSettings(simulated)
    assert own.shown(simulated).fixed == FIXED
    with pytest.raises(InputError, match="simulated"):
        own.choose(simulated, {"volume": 40})


def test_every_key_that_the_page_sets_may_be_set_and_is_taken():
    assert {*CHOICES, *NUMBERS, *DEVICE_NAMES, "tray_settings"} == set(SET_ON_PAGE)
    assert devices_of(dict.fromkeys(SET_ON_PAGE)) == {"tower", "voice", "buttons", "display"}
    others = {"camera", "camera_source", "mains_hz", "dice", "tower_cocked"}
    assert set(SET_ON_PAGE) - DEVICE_OF.keys() == others


# ---------------------------------------------------------------------- at the table


class Opened:
    """A device that was opened, and is closed."""

    def __init__(self, name):
        self.name, self.closed, self.listener = name, False, None

    def listen(self, listener):
        self.listener = listener

    def close(self):
        self.closed = True

    def show(self, *what, **how):
        pass

    def say(self, *what, **how):
        pass

    def light(self, names):
        pass

    def expect(self, dice):
        pass


@pytest.fixture
def evening(tmp_path, monkeypatch):
    """A table whose devices are opened anew as the test has it: `opened` are those that were."""

    def made(*steps, fails=False):
        table = Evening(tmp_path, monkeypatch, steps)
        table.opened, waiting, post = [], threading.Event(), table.inbox.post

        def open_it(name, config):
            if fails:
                raise DeviceError("nothing is there: is its lead in?")
            table.opened.append((name, config, Opened(name)))
            return table.opened[-1][2]

        def doors(config, profile, clock, listener):
            names = ("tower", "buttons", "display", "voice")
            return SimpleNamespace(**{name: lambda name=name: open_it(name, config) for name in names})

        def posted(news, t=None):
            post(news, t)
            if isinstance(news, Reopened):
                waiting.set()

        monkeypatch.setattr(reopening, "openers", doors)
        table.inbox.post = posted
        table.camera.waits = False
        table.camera.steps += [(2.5, lambda: waiting.wait(HANGS_S)), (3.0, START)]
        return table

    return made


def shown_display(table):
    (display,) = (each for each in table.page.feed.latest().devices if each.name == "display")
    return display.state, display.what_to_try


def test_a_louder_voice_is_taken_in_the_middle_of_a_match(evening):
    table = evening((1.0, START))
    _, answers = at_page(table, [(0.5, StartMatch("br4006", to_play="red")), (2.0, Choose({"volume": 30}))])
    assert answers == [Answer(True)] * 2
    ((name, config, voice),) = table.opened
    assert (name, config.volume) == ("voice", 30)
    assert table.parts.voice is voice
    shown = table.page.feed.latest()
    assert (shown.settings.values["volume"], shown.settings.own) == (30, ("volume",))
    assert shown.match == 1


def test_a_tower_that_is_chosen_between_matches_is_listened_to(evening):
    table = evening((1.0, START))
    old = table.parts.tower = Opened("tower")
    table.config = replace(table.config, tower="none", dice="camera")
    at_page(table, [(2.0, Choose({"tower": "serial"}))])
    ((_, config, tower),) = table.opened
    assert (config.tower, config.dice) == ("serial", "tower")
    assert old.closed and table.parts.tower is tower and tower.listener is not None
    assert table.page.feed.latest().dice_from == "tower"


def test_a_device_that_is_not_there_is_lost_with_what_to_try(evening, monkeypatch):
    table = evening((1.0, START), fails=True)
    at_page(table, [(2.0, Choose({"display": "sh1106"}))])
    assert shown_display(table) == ("lost", "nothing is there: is its lead in?")


def test_a_device_that_was_lost_is_back_when_another_is_chosen(evening):
    table = evening((1.0, START), (1.5, Lost("display", "no panel")))
    at_page(table, [(2.0, Choose({"display": "sh1106"}))])
    assert shown_display(table) == ("works", "")


def test_buttons_that_are_opened_anew_are_heard(evening):
    table = evening((1.0, START))
    table.camera.steps += [(3.5, lambda: table.opened[0][2].listener(Pressed("done"))), (4.0, START)]
    table.config = replace(table.config, buttons="none")
    outcome, _ = at_page(table, [(2.0, Choose({"buttons": "gpio"}))])
    assert outcome.match_id == 1


def test_what_waits_is_shown_as_chosen_and_the_running_table_keeps_what_it_has(config):
    before = replace(config, camera="none", tower="none", dice="buttons")
    own = OwnSettings(before)
    running = own.choose(before, {"camera": "webcam"})
    assert (running.camera, own.shown(running).values["camera"]) == ("none", "webcam")
    running = own.choose(running, {"dice": "camera"})
    assert (running.dice, own.shown(running).waiting) == ("buttons", ("camera", "dice"))
    assert with_own_settings(before)[0].dice == "camera"
    # Chosen back, nothing waits.
    running = own.choose(running, {"camera": "none"})
    assert (running, own.shown(running).waiting) == (before, ())


@pytest.fixture
def plain(tmp_path, monkeypatch):
    return lambda *steps: Evening(tmp_path, monkeypatch, steps)


@pytest.mark.parametrize("values", [{"tower": "none"}, {"display": "none"}, {"buttons": "none"}])
def test_what_a_match_is_played_with_is_not_changed_under_it(plain, values):
    table = plain((1.0, START), (3.0, START))
    _, answers = at_page(table, [(0.5, StartMatch("br4006", to_play="red")), (2.0, Choose(values))])
    assert answers[1] == Answer(False, NOT_NOW)
    assert not (table.config.record / OWN_FILE).exists()


def test_another_camera_waits_for_the_next_start_which_can_be_had_from_the_page(plain):
    table = plain((1.0, START), (4.0, START))
    _, answers = at_page(table, [(2.0, Choose({"camera": "webcam"})), (3.0, StartAnew())])
    assert answers == [Answer(True, AT_NEXT_START), Answer(True)]
    assert table.table.starts_anew and not table.table.is_switched_off
    assert table.page.feed.latest().settings.waiting == ("camera",)
    assert with_own_settings(table.config)[0].camera == "webcam"
    assert isinstance(table.parts.tower, NoTower), "nothing was opened anew"


def test_a_file_that_does_not_count_is_a_reminder_until_the_page_sets_something(plain, tmp_path):
    (tmp_path / OWN_FILE).write_text("volume = 'loud'")
    table = plain((1.0, START))
    at_page(table, [])
    (reminder,) = table.page.feed.latest().reminders
    assert (reminder.title, "'volume' is 'loud'" in reminder.sentence) == ("SETTINGS", True)
    table = plain((1.0, START), (3.0, START))
    _, answers = at_page(table, [(2.0, Choose({"tower_cocked": "fault"})), (2.5, AsConfigured())])
    assert answers[0] == Answer(True)
    assert table.page.feed.latest().reminders == ()
