"""A table is shown to its camera from the page: between matches, in the middle of one, for the first time."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import uckers_table.table.loop as table_module
from tests.patience import HANGS_S, until
from tests.table.test_table_faults import START, Evening, at_page
from uckers_table.announce.oled import draw
from uckers_table.config import Config, SimulatorConfig
from uckers_table.devices.base import Pressed, ThrowRead
from uckers_table.errors import InputError, ProfileError
from uckers_table.game.board import COLOURS
from uckers_table.machine.messages import Invitation
from uckers_table.sighting import Sighting
from uckers_table.table.desk import TableDesk
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import LOOKING_AWAY, Table
from uckers_table.table.parts import build_parts, profile_file
from uckers_table.table.serving import OpenPage
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import StrangePaint
from uckers_table.web.commands import (
    AcceptCalibration,
    Answer,
    LearnPaint,
    SetCorners,
    StartMatch,
    SwitchOff,
    TakePicture,
)
from uckers_table.web.feed import CalibrationProgress

BARE = Sighting(dict.fromkeys(("red", "green", "yellow", "blue"), ()))
WRONG = Sighting({**START.pieces, "red": (0, 0, 0, 9)})


class Learned:
    """A profile that was learned."""

    def __init__(self, seats):
        self.seats, self.settings = tuple(seats), {}

    def save(self, path):
        path.write_text("learned")


class Learner:
    """Learns from whatever it is shown."""

    def __init__(self, seats, tell):
        self.shown, self.corners, self.seats = [], [], seats

    def show(self, shown):
        self.shown.append(shown.what)

    def set_corners(self, corners):
        self.corners.append(corners)

    def accepted(self):
        if self.shown != ["empty", "start"]:
            raise InputError("nothing to be accepted")
        return Learned(self.seats)

    def set_seats(self, seats):
        self.seats = seats

    def close(self):
        pass


@pytest.fixture
def evening(tmp_path, monkeypatch):
    monkeypatch.setattr(table_module, "Calibrating", Learner)

    def made(*steps):
        table = Evening(tmp_path, monkeypatch, steps)
        table.config = replace(table.config, table=tmp_path / "profile.toml")
        table.shown = []
        table.parts.display.show = lambda picture, *, stays=False: table.shown.append(picture.tobytes())
        return table

    return made


def pixels(screen):
    return draw(screen).tobytes()


def frames(first, last, sighting):
    """Ten frames a second."""
    return tuple((t / 10, sighting) for t in range(round(first * 10), round(last * 10)))


def test_in_the_middle_of_a_match_nobody_is_accused_while_the_table_is_shown(evening):
    table = evening(
        *(
            (0.5, ThrowRead((4, 3))),
            (0.6, ThrowRead((6, 5))),
            (0.7, ThrowRead((2, 1))),
            (0.8, ThrowRead((2, 1))),
        ),
        *frames(1.0, 3.0, START),
        *frames(3.2, 9.0, BARE),
        *frames(9.2, 14.0, START),
        *frames(14.2, 18.0, WRONG),
    )
    asking = [(3.1, TakePicture("empty")), (9.1, TakePicture("start")), (14.1, AcceptCalibration())]
    _, answers = at_page(table, asking, begins=True)
    said = Answer(True, "The board is read by these pictures from now on.")
    assert answers == [Answer(True), Answer(True), said]
    ruled = table.ruled()
    # A piece that stands elsewhere after that is named, and nobody is blamed for it.
    after = ruled[ruled.index("resumed") :]
    assert "out_of_step" in after
    assert not {"illegal", "timber_shift", "upboard_asked"} & set(ruled)
    # The board was not looked at for the match meanwhile.
    assert not [t for t, kind in table.recorded() if kind == "sighting" and 3.1 < t < 14.1]
    assert (table.config.table).read_text() == "learned"
    assert isinstance(table.parts.profile, Learned)
    assert pixels(LOOKING_AWAY) in table.shown


def test_the_match_goes_on_as_it_was_when_somebody_presses_done_instead(evening):
    table = evening(
        *((t, START) for t in (0.5, 1.5, 2.0)), (2.5, Pressed("done")), (3.0, START), (3.5, START)
    )
    at_page(table, [(1.0, TakePicture("empty"))], begins=True)
    assert "resumed" in table.ruled()
    assert [t for t, kind in table.recorded() if kind == "sighting"] == [0.5, 3.0, 3.5]
    assert table.shown[-1] != pixels(LOOKING_AWAY)
    assert not table.config.table.exists()


class Painted(Learned):
    """A profile that knows further paints."""

    def __init__(self, seats, paints=()):
        super().__init__(seats)
        self.paints = paints

    def with_paint(self, base, paint):
        return Painted(self.seats, (*self.paints, (base, paint)))


def test_a_piece_of_a_strange_colour_counts_as_what_people_say(evening):
    table = evening(*frames(0.5, 4.0, START))
    table.parts.profile = Painted(COLOURS)
    table.camera.strange = StrangePaint("red", (0.1, 0.5, 0.9))
    asked = [LearnPaint("blue", "blue"), LearnPaint("red", "blue"), LearnPaint("red", "red")]
    _, answers = at_page(table, [(1.0 + k, each) for k, each in enumerate(asked)])
    assert answers == [
        Answer(False, "no piece of an unknown colour is seen in blue’s base now"),
        Answer(False, "it stands in red’s base; put it in blue’s, and you are asked again"),
        Answer(True, "That piece counts as red from now on."),
    ]
    assert table.parts.profile.paints == (("red", (0.1, 0.5, 0.9)),)
    assert table.config.table.read_text() == "learned"
    assert table.page.feed.latest().seen.strange_in == "red"


def test_what_cannot_be_done_is_said(evening):
    table = evening((0.5, START), (3.0, START))
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    _, answers = at_page(table, [(1.0, AcceptCalibration()), (1.5, SetCorners(corners))])
    assert answers == [Answer(False, "nothing to be accepted"), Answer(True)]
    without = evening((0.5, START), (3.0, START))
    without.config = replace(without.config, camera="none")
    without.steps = without.camera.steps
    table = Table(without.config, without.parts, without.inbox, without.view, begins=False)
    with pytest.raises(InputError, match="no camera"):
        table._learner()


def test_a_profile_that_cannot_be_kept_is_not_used(evening, monkeypatch):
    def full(profile, path):
        raise ProfileError("No space left on device")

    monkeypatch.setattr(Learned, "save", full)
    table = evening(*frames(0.5, 1.0, START), *frames(1.1, 3.0, START))
    before = table.parts.profile
    asking = [(1.0, TakePicture("empty")), (1.5, TakePicture("start")), (2.0, AcceptCalibration())]
    _, answers = at_page(table, asking)
    assert answers[-1] == Answer(False, "No space left on device")
    assert table.parts.profile is before


def test_a_table_that_was_never_shown_waits_for_that(evening):
    table = evening((0.5, START), (1.5, Pressed("done")), (2.0, START))
    table.parts.profile = None
    _, answers = at_page(table, [(1.0, StartMatch("br4006"))])
    assert [(answer.is_done, "calibrate on the page" in answer.line) for answer in answers] == [(False, True)]
    assert table.ruled() == []
    camera = next(line for line in table.page.feed.latest().devices if line.name == "camera")
    assert (camera.state, camera.is_well) == ("not calibrated", False)
    assert table.page.feed.latest().seen is None
    # The code on the display leads there.
    assert pixels(Invitation("http://table.local:8080setup", "123456")) == table.shown[0]


MIRRORED = ("red", "blue", "yellow", "green")


def test_the_board_has_the_seats_that_it_was_shown_with(evening):
    table = evening(*frames(0.5, 12.0, START))
    start = StartMatch("br4006", seats=MIRRORED, to_play="red")
    asking = [
        (1.0, start),
        (2.05, TakePicture("empty", MIRRORED)),
        (4.05, TakePicture("start", MIRRORED)),
        (8.05, AcceptCalibration()),
        (9.05, start),
        (10.05, TakePicture("empty", COLOURS)),
    ]
    _, answers = at_page(table, asking)
    assert [answer.is_done for answer in answers] == [False, True, True, True, True, False]
    assert "has learned the seats red, green, yellow, blue" in answers[0].line
    assert answers[5].line == "a match is on, with the seats red, blue, yellow, green; leave it first"
    shown = table.page.feed.latest()
    assert (shown.board.seats, shown.match) == (MIRRORED, 1)


def test_after_the_next_start_too_the_seats_are_those_that_the_camera_has_learned(evening):
    table = evening((0.5, START))
    table.config = replace(table.config, names={"red": "Jack"}, to_play="green")
    table.parts.profile = Learned(("red", "black", "yellow", "white"))
    at_page(table, [])
    shown = table.page.feed.latest()
    assert (shown.board.seats, shown.names) == (("red", "black", "yellow", "white"), {"red": "Jack"})


def waited_for(feed, is_there):
    """The first snapshot of that kind."""

    def look():
        shown = feed.latest()
        return shown if is_there(shown) else None

    return until(look, lambda: str(feed.latest().calibration))


def test_a_table_is_shown_for_the_first_time_and_a_match_begins(tmp_path):
    simulated = Config(
        camera="simulated",
        tower="simulated",
        buttons="simulated",
        display="picture",
        voice="silent",
        record=tmp_path,
        page_port=8080,
        simulator=SimulatorConfig(seed=3, speed=1e9, cheats=0, throws=6, width=1152, height=648),
    )
    inbox = Inbox()
    parts = build_parts(simulated, inbox.post)
    parts.profile = None
    page = OpenPage(invitation=Invitation("http://table.local/", "123456"))
    table = Table(simulated, parts, inbox, Quiet(), page=page, begins=False)
    do = TableDesk(inbox).do
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(table.run)
        try:
            assert not do(StartMatch("br4006")).is_done
            for what in ("empty", "start"):
                assert do(TakePicture(what)) == Answer(True)
                waited_for(page.feed, lambda shown, what=what: taken(shown.calibration, what))
            shown = waited_for(page.feed, lambda shown: shown.calibration.is_acceptable)
            assert shown.calibration.trouble == ""
            assert do(AcceptCalibration()).is_done
            assert do(StartMatch("br4006", to_play="red")) == Answer(True)
            waited_for(page.feed, lambda shown: any(each.ruling == "legal" for each in shown.rulings))
        finally:
            do(SwitchOff())
            running.result(timeout=HANGS_S)
    kept = TableProfile.load(profile_file(simulated))
    assert np.abs(np.array(kept.base_spots_mm) - np.array(parts.profile.base_spots_mm)).max() < 0.01


def taken(calibration: CalibrationProgress | None, what: str) -> bool:
    return calibration is not None and what in calibration.taken


class Quiet:
    """A view that shows nothing."""

    def show(self, glimpse):
        pass

    def close(self):
        pass
