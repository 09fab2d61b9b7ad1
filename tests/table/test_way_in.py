"""How phones get in is on the display at any time: at the start, in a match, and after a power cut."""

from dataclasses import replace

import pytest

from tests.patience import until
from tests.table.test_reminders import NO_BACKUP, WELL, pictured
from tests.table.test_table_faults import START, Evening, at_page
from uckers_table.announce.oled import Headline, draw
from uckers_table.devices.base import HeldDown, Pressed, ThrowRead
from uckers_table.devices.pins import READMITS
from uckers_table.game.board import COLOURS
from uckers_table.game.match import begin
from uckers_table.game.setting import load_setting
from uckers_table.machine.clock import WallClock
from uckers_table.machine.messages import Invitation, Joining
from uckers_table.table.screens import TURN_S
from uckers_table.web.commands import StartMatch

WAY_IN = Invitation("http://table.local:8080", "123456")
RED, FOR_START = Headline("RED", "to throw"), Headline("RED", "to throw", "for start")
THROWN = Headline("RED", "6 and 3", "1 more throw")
BEGIN = StartMatch("br4006", to_play="red")


@pytest.fixture
def evening(tmp_path, monkeypatch):
    return lambda *steps: Evening(tmp_path, monkeypatch, steps)


def upboard_asked(monkeypatch):
    """What the camera sees of a board that is tipped up: the match asks whether it was."""
    position = tuple((0, 0, 5, 20 + 2 * seat) for seat in range(4))
    match = begin(load_setting("br4006", {}, seats=COLOURS, players=4), to_play="red", position=position)
    monkeypatch.setattr("uckers_table.table.loop.first_match", lambda config: match)
    board = replace(START, pieces=dict(zip(COLOURS, position, strict=True)))
    bare = replace(START, pieces=dict.fromkeys(COLOURS, ()))
    return [(t / 2, board if t < 3 else bare) for t in range(1, 11)]


BACK = ["way in", "red"]
NAMES = {
    draw(screen).tobytes(): name
    for screen, name in ((WAY_IN, "way in"), (RED, "red"), (FOR_START, "red"), (THROWN, "6 and 3"))
}


def named(shown):
    """What was on the display, of the way in and a match's first screens."""
    return [NAMES[each] for each in shown if each in NAMES]


def test_a_long_press_shows_the_way_in_though_dice_are_thrown(evening):
    table = evening(
        *((0.5, START), (1.0, HeldDown(READMITS)), (2.0, ThrowRead((6, 3))), (3.0, START)),
        *((4.0, Pressed("accept")), (5.0, START)),
    )
    shown = pictured(table)
    at_page(table, [(0.4, BEGIN)])
    assert named(shown)[-4:] == ["way in", "6 and 3", "way in", "6 and 3"]


def test_the_match_is_shown_again_after_a_while_though_nothing_comes_in(evening, monkeypatch):
    monkeypatch.setattr("uckers_table.table.screens.INVITED_S", 0.2)
    table = evening((0.0, HeldDown(READMITS)), (0.0, lambda: until(lambda: named(shown)[-2:] == BACK)))
    table.parts.clock = WallClock()
    shown = pictured(table)
    at_page(table, [], begins=True)
    assert named(shown)[-2:] == BACK
    # No sighting, and nothing else, is on the recording for that.
    assert table.recorded() == []


def test_a_long_press_shows_it_over_what_the_match_asks_and_only_over_that(evening, monkeypatch):
    asking = upboard_asked(monkeypatch)
    table = evening(*asking, (7.0, HeldDown(READMITS)), (8.0, Pressed("accept")), (8.5, asking[-1][1]))
    shown = pictured(table)
    at_page(table, [], begins=True)
    *_, question, way_in, after = shown
    assert NAMES.get(way_in) == "way in"
    assert shown.count(way_in) == 2, "at the start, and by the press"
    # Nobody answers what he does not see: the press is for the display.
    assert question not in NAMES
    assert after == question
    assert table.ruled() == ["upboard_asked"]


def test_a_match_that_goes_on_after_a_power_cut_shows_the_way_in_first(evening):
    evening((0.5, ThrowRead((6, 4))), (1.0, START)).run()
    table = evening((1.0, START), (2.0, ThrowRead((2, 1))), (3.0, START))
    shown = pictured(table)
    at_page(table, [])
    assert "way in" in named(shown)


def test_a_network_of_the_table_s_own_and_its_page_are_shown_in_turn(evening):
    looks = ((TURN_S * (turn + 0.5), START) for turn in range(1, 7))
    table = evening((0.5, START), (1.0, HeldDown(READMITS)), *looks)
    network = Joining("Uckers table", "secret word")
    table.page = replace(table.page, joining=lambda invitation: network)
    shown = pictured(table)
    at_page(table, [(0.4, BEGIN)])
    codes = [draw(network).tobytes(), draw(WAY_IN).tobytes()]
    turns = [codes.index(each) for each in shown if each in codes]
    assert turns[-4:] == [0, 1, 0, 1]


def test_between_matches_a_press_at_the_way_in_answers_nothing_that_it_hides(evening):
    table = evening(
        *((0.5, NO_BACKUP), (1.0, HeldDown(READMITS)), (2.0, Pressed("done")), (2.5, WELL), (3.0, START)),
    )
    shown = pictured(table)
    outcome, _ = at_page(table, [])
    assert named(shown) == ["way in", "way in"], "before the message came, and over it"
    assert outcome is None
    assert [each.message for each in table.page.feed.latest().reminders] == [NO_BACKUP]


def test_a_table_without_a_page_has_no_way_in(evening):
    table = evening((0.5, START), (1.0, HeldDown(READMITS)), (2.0, START))
    shown = pictured(table)
    table.run()
    assert "way in" not in named(shown)
