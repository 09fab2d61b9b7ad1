"""Buttons, lamps, the tower and its tray are tried out from the page, and no match hears of it."""

import threading

import cv2
import numpy as np
import pytest

from tests.patience import HANGS_S, until
from tests.table.test_table_faults import START, Evening, at_page
from tests.vision.dice.test_tray import PICTURE, PX_MM
from uckers_table.config import OWN_FILE
from uckers_table.devices.absent import NoButtons, NoDisplay, NoTower
from uckers_table.devices.base import (
    Cocked,
    Dropped,
    HeldDown,
    Lost,
    NoThrow,
    Pressed,
    ThrowRead,
    TowerReads,
)
from uckers_table.devices.dice_tower import SerialDiceTower
from uckers_table.devices.pins import BUTTONS, SWITCHES_OFF
from uckers_table.devices.simulated_buttons import SimulatedButtons
from uckers_table.devices.simulated_tower import SimulatedTower
from uckers_table.errors import DeviceError, InputError
from uckers_table.table import trying_out
from uckers_table.table.bench import NOT_NOW, NOT_TAKEN, TRAY_KEPT
from uckers_table.table.news import TrayLocked, TrayMeasured
from uckers_table.table.trying_out import DROPPED_OUT, LEASE_S, TEST_READOUT, Trials
from uckers_table.web.commands import Answer, LeaveMatch, StartMatch, TryOut

PRESS, STAY, END = TryOut("buttons", "press"), TryOut("all", "stay"), TryOut("all", "end")
BEGIN = StartMatch("br4006", to_play="red")


class Devices:
    """The devices of a table without any, but for those given."""

    def __init__(self, **devices):
        self.tower, self.buttons, self.display = NoTower(), NoButtons(), NoDisplay()
        vars(self).update(devices)


class Tower(NoTower):
    """A tower that is scripted: what it says of itself, and what its tray's camera is locked at."""

    def __init__(self, reads=None, locked=None):
        self.reads, self.tray_picture, self.locked, self.told = reads, None, locked, []

    def show(self, text):
        self.told.append(text)

    def ask(self):
        self.told.append("ask")

    def learn(self, shade):
        self.told.append(shade)

    def lock_tray(self, *, mains_hz=50):
        if isinstance(self.locked, Exception):
            raise self.locked
        return self.locked


class Watch:
    """Time as a test lets it pass."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def trials():
    made = []

    def trials_of(clock=None, **devices):
        news, ended = [], []
        tried = Trials(Devices(**devices), news.append, lambda: ended.append(1), clock=clock or Watch())
        tried.news, tried.ended = news, ended
        made.append(tried)
        return tried

    before = set(threading.enumerate())
    yield trials_of
    for each in made:
        each.close()
    assert set(threading.enumerate()) == before


def test_each_button_is_ticked_as_it_comes_and_the_missing_are_named(trials):
    box = SimulatedButtons()
    tried = trials(buttons=box)
    assert not tried.takes(Pressed("done")), "before the test it is a press"
    tried.begin(PRESS)
    taken = []
    box.listen(lambda news: taken.append(tried.takes(news)))
    for name in [name for name in BUTTONS if name != "accept"]:
        box.press(name)
    assert taken == [True] * (len(BUTTONS) - 1)
    assert tried.shown().missing == ("accept",)
    assert not tried.are_pressed
    box.press("accept")
    assert (tried.shown().pressed, tried.shown().missing) == (tuple(BUTTONS), ())
    assert tried.are_pressed
    box.close()


def test_a_button_that_is_held_in_the_test_switches_nothing_off(trials):
    tried = trials()
    tried.begin(PRESS)
    assert tried.takes(HeldDown(SWITCHES_OFF))
    assert SWITCHES_OFF in tried.shown().pressed


def test_it_ends_by_itself_when_no_page_asks_for_more(trials):
    clock = Watch()
    tried = trials(clock)
    tried.begin(PRESS)
    clock.now = LEASE_S - 0.1
    tried.begin(STAY)
    clock.now = 2 * LEASE_S - 0.2
    tried.tick()
    assert tried.is_on and not tried.ended
    clock.now = 2 * LEASE_S
    tried.tick()
    assert not tried.is_on and tried.ended == [1]
    assert not tried.takes(Pressed("done"))
    with pytest.raises(InputError, match="has ended"):
        tried.begin(STAY)


def test_time_passes_by_itself_while_something_is_tried_out(trials, monkeypatch):
    monkeypatch.setattr(trying_out, "TICK_S", 0.001)
    tried = trials()
    tried.begin(PRESS)
    until(lambda: tried.news)
    tried.begin(END)
    assert tried.ended == [1]


def test_lamps_are_lit_all_or_one_after_the_other(trials):
    box = SimulatedButtons()
    tried = trials(buttons=box)
    tried.begin(TryOut("buttons", "lamps"))
    assert box.lit == frozenset(BUTTONS)
    tried.begin(TryOut("buttons", "each"))
    lit = []
    for _ in BUTTONS:
        lit.append((*box.lit, tried.shown().lit))
        tried.tick()
    assert lit == [(name, name) for name in BUTTONS]
    assert box.lit == {next(iter(BUTTONS))}
    box.close()


READ = [
    (ThrowRead((6, 3)), (6, 3), "6 and 3."),
    (Cocked(), (), "One lies tilted."),
    (Dropped(), (), DROPPED_OUT),
    (NoThrow("jam"), (), "A die is stuck in the tower. No throw."),
]


@pytest.mark.parametrize(("news", "dice", "words"), READ)
def test_dice_that_are_dropped_in_are_shown_as_they_were_read_with_the_picture(trials, news, dice, words):
    tower = Tower(TowerReads("tray", (False, True), True))
    tried = trials(tower=tower)
    tried.begin(TryOut("tower", "drop"))
    assert (tried.shown().beams, tried.shown().lamp) == (("clear", "dark"), "lit")
    assert tower.told[0] == TEST_READOUT
    assert tried.shown().readout == TEST_READOUT
    tower.tray_picture = np.zeros((4, 4, 3), np.uint8)
    # It is told to whoever listens, too: between matches that is nobody.
    assert not tried.takes(news)
    shown = tried.shown()
    assert (shown.waits, shown.dice, shown.thrown, shown.picture) == (False, dice, words, 1)
    tower.tray_picture = np.ones((4, 4, 3), np.uint8)
    tried.tick()
    assert (tried.tray(read=True).number, tried.tray(read=False).number) == (1, 2)


def test_a_lamp_that_fails_is_no_answer_to_dice(trials):
    tried = trials(tower=Tower(TowerReads("tray")))
    tried.begin(TryOut("tower", "drop"))
    tried.takes(NoThrow("dark"))
    assert tried.shown().waits and not tried.shown().thrown


def test_a_card_is_learnt_by_a_tower_with_sensors_alone(trials):
    tower = Tower(TowerReads("array", learnt=("white", 4)))
    tried = trials(tower=tower)
    tried.begin(TryOut("tower", "black"))
    assert "black" in tower.told and not tried.shown().learnt
    tower.reads = TowerReads("array", learnt=("black", 5))
    tried.tick()
    assert (tried.shown().learnt, tried.shown().line) == ("black", "The black card is learnt.")
    tower.reads = TowerReads("tray")
    with pytest.raises(InputError, match="sensors"):
        tried.begin(TryOut("tower", "white"))


@pytest.mark.parametrize("deed", ["look", "drop", "white"])
def test_without_a_tower_there_is_none_to_be_tried(trials, deed):
    with pytest.raises(InputError, match="no tower"):
        trials().begin(TryOut("tower", deed))


def test_the_simulated_tower_says_what_it_reads_and_learns_a_card(trials):
    simulated = SimulatedTower(patience_s=HANGS_S)
    tower = SerialDiceTower(lambda: simulated.port)
    tower.listen(lambda news: None)
    tried = trials(tower=tower)
    tried.begin(TryOut("tower", "look"))

    def seen():
        tried.tick()
        return tried.shown().reader

    until(seen)
    shown = tried.shown()
    assert (shown.reader, shown.beams, shown.lamp) == ("array", ("clear", "clear"), "lit")
    until(lambda: simulated.readout == TEST_READOUT)
    tried.begin(TryOut("tower", "white"))

    def learnt():
        tried.tick()
        return tried.shown().learnt

    assert until(learnt) == "white"
    tower.close()
    simulated.close()


def measured(tried):
    return until(lambda: [news for news in tried.news if isinstance(news, TrayMeasured)])[0]


def test_the_tray_s_scale_is_measured_in_its_picture_or_it_is_said_why_not(trials):
    tower = Tower(TowerReads("tray"))
    tried = trials(tower=tower)
    with pytest.raises(InputError, match="no picture"):
        tried.begin(TryOut("tray", "scale"))
    tower.tray_picture = cv2.imread(str(PICTURE))
    tried.begin(TryOut("tray", "scale"))
    assert measured(tried).px_mm == pytest.approx(PX_MM, rel=0.1)
    with pytest.raises(InputError, match="wait"):
        tried.begin(TryOut("tray", "lock"))
    tried.worked("it is kept")
    assert tried.shown().line == "It is kept"
    tried.news.clear()
    tower.tray_picture = np.full((40, 40, 3), 128, np.uint8)
    tried.begin(TryOut("tray", "scale"))
    assert "lay two" in measured(tried).why


# ---------------------------------------------------------------------- at the table


@pytest.fixture
def evening(tmp_path, monkeypatch):
    return lambda *steps: Evening(tmp_path, monkeypatch, steps)


def test_a_test_press_begins_no_match_and_a_test_throw_is_none_of_the_next(evening):
    table = evening(
        (1.1, Pressed("done")), (1.2, Pressed("undo")), (1.3, ThrowRead((6, 6))), (3.0, START), (4.0, START)
    )
    _, answers = at_page(table, [(1.0, PRESS), (1.05, TryOut("buttons", "lamps")), (3.5, BEGIN)])
    assert answers == [Answer(True)] * 3
    assert [kind for _, kind in table.recorded()] == ["sighting"]
    shown = table.page.feed.latest().trying_out
    assert shown.pressed == ("done", "undo")
    assert not (shown.presses or shown.lamps), "a match has begun"


def test_in_a_match_nothing_is_tried_out(evening):
    table = evening((1.0, START), (4.0, START))
    no = Answer(False, NOT_NOW)
    _, answers = at_page(
        table, [(0.5, BEGIN), (2.0, PRESS), (2.1, TryOut("tower", "drop")), (3.0, LeaveMatch())]
    )
    assert answers[1:3] == [no, no]


@pytest.mark.parametrize(("asked", "lost"), [(PRESS, "buttons"), (TryOut("tray", "lock"), "tower")])
def test_what_is_not_connected_is_not_tried_and_the_answer_says_why(evening, asked, lost):
    table = evening((1.0, Lost(lost, "is its lead in?")), (3.0, START))
    _, answers = at_page(table, [(2.0, asked)])
    assert answers == [Answer(False, "is its lead in?")]


def test_the_display_shows_its_test_page_and_then_what_is_its_own(evening):
    table, shown = evening((1.1, START), (2.1, START)), []
    table.parts.display.show = lambda picture, *, stays=False: shown.append(picture.tobytes())
    at_page(table, [(1.0, TryOut("display", "page")), (2.0, END)])
    test_page = trying_out.draw(trying_out.TEST_PAGE).tobytes()
    assert shown[0] == shown[-1] != test_page
    assert shown.count(test_page) == 1


@pytest.mark.parametrize(
    ("locked", "line"),
    [
        ({"exposure_us": 20000.0}, TRAY_KEPT),
        ({}, NOT_TAKEN),
        (
            DeviceError("the tray camera gives no pictures: is its cable in?"),
            "the tray camera gives no pictures",
        ),
    ],
    ids=["kept", "takes none", "lost"],
)
def test_the_tray_s_camera_is_locked_and_stays_so_at_the_next_start(evening, locked, line):
    table = evening()
    table.parts.tower = Tower(TowerReads("tray"), locked)
    waiting = threading.Event()
    post = table.inbox.post

    def posted(news, t=None):
        post(news, t)
        if isinstance(news, TrayLocked):
            waiting.set()

    table.inbox.post = posted
    table.camera.steps += [(2.0, lambda: waiting.wait(HANGS_S)), (3.0, START)]
    at_page(table, [(1.0, TryOut("tray", "lock"))])
    assert table.page.feed.latest().trying_out.line.lower().startswith(line.lower())
    kept = table.config.record / OWN_FILE
    assert kept.exists() is (line == TRAY_KEPT)
    if kept.exists():
        assert "tray-settings.toml" in kept.read_text()
        assert "exposure_us = 20000.0" in (table.config.record / "tray-settings.toml").read_text()
