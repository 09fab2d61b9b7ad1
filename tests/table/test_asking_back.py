"""The undo button of the box, and what display and page ask and say of it."""

from dataclasses import replace

import pytest

from tests.referee.scripted import Table
from tests.table.test_table_faults import COLOURS, LAST_PLAY, START, WON, Evening, at_page
from uckers_table.announce.oled import draw
from uckers_table.devices.base import Pressed, ThrowRead
from uckers_table.game.board import PIECES
from uckers_table.game.match import begin
from uckers_table.game.setting import load_setting
from uckers_table.keeping.resume import pick_up
from uckers_table.machine.messages import Message
from uckers_table.referee.events import ButtonPressed, Resumed
from uckers_table.referee.taking_back import at_stake
from uckers_table.sighting import Sighting
from uckers_table.table.asking_back import AGAIN_S, ASKED_S, AskingBack, button_for, found
from uckers_table.web.commands import Answer, AskBack, Press, PutBack, TakeBack

RED = (10, 20, 57, 57)
PLAYED = Sighting(dict(zip(COLOURS, ((15, 22, 57, 57), *([(0,) * PIECES] * 3)), strict=True)))


def played():
    """A referee that has ruled red's 5 and 2 legal, and read green's 6 and 3."""
    return Table(red=RED).throw(5, 2).hand(red=(15, 22, 57, 57)).see(1.2).throw(6, 3)


def press(table, asking):
    """The button of the box is pressed: what is asked then, and what the referee has heard."""
    asking, heard = asking.pressed(table.t, table.referee)
    if heard:
        table.press(heard)
        if heard != "redo":
            asking = AskingBack.taken(table.referee.undone[-1].matter, table.t)
    return asking, heard


def test_one_press_takes_back_and_the_next_puts_back():
    table, asking, heard = played(), AskingBack(), []
    was = table.match
    for _ in range(4):
        asking, name = press(table, asking)
        heard.append(name)
    assert (heard, table.match) == (["undo", "redo", "undo", "redo"], was)


def test_some_seconds_later_the_next_press_takes_back_one_more():
    table, asking = played(), AskingBack()
    table.hand(green=(4, 0, 0, 0)).see(1.2)
    asking, _ = press(table, asking)
    table.wait(AGAIN_S)
    assert asking.page(table.t, table.referee, table.board) is None
    assert press(table, asking)[1] == "undo"
    assert len(table.referee.undone) == 2


def test_what_is_new_on_record_ends_the_offer_to_put_back():
    table, asking = played(), AskingBack()
    asking, _ = press(table, asking)
    table.hand(red=(12, 25, 57, 57)).see(1.2)
    assert not asking.is_shown(table.t, table.referee)
    assert asking.pressed(table.t, table.referee)[1] == "undo"


def test_the_display_says_what_was_taken_back_and_how_it_is_put_back():
    table = played()
    asking, _ = press(table, AskingBack())
    words = "Red's play, 5 and 2. Press undo again to put it back."
    assert asking.page(table.t, table.referee, table.board) == Message("TAKEN BACK", words)


def test_dice_that_a_person_told_are_asked_about_and_the_next_press_is_yes():
    table = Table(red=RED, dice_from="buttons").throw(6, 4, source="buttons")
    asking, heard = press(table, AskingBack())
    assert (heard, table.match.thrown) == ("", (6, 4))
    words = "Red's 6 and 4? Press undo, or answer on the page."
    assert asking.page(table.t, table.referee, table.board) == Message("TAKE BACK?", words)
    assert press(table, asking)[1] == "undo"
    assert table.kinds == ["taken_back"]


def test_a_question_that_nobody_answers_is_asked_anew():
    table = Table(red=RED, dice_from="buttons").throw(6, 4, source="buttons")
    asking, _ = press(table, AskingBack())
    table.wait(ASKED_S)
    assert asking.page(table.t, table.referee, table.board) is None
    assert press(table, asking)[1] == ""


def test_a_phone_takes_back_what_it_asked_about_and_nothing_else():
    table = played()
    number, throw = at_stake(table.referee).number, table.referee.history[-1].number
    assert (button_for(table.referee, number), button_for(table.referee, throw)) == ("undo", "undo_throw")
    table.hand(green=(4, 0, 0, 0)).see(1.2)
    assert button_for(table.referee, number) == ""
    assert found(table.referee, at_stake(table.referee).number) == at_stake(table.referee)


# ---------------------------------------------------------------------- at the table


@pytest.fixture
def evening(tmp_path, monkeypatch):
    """A table that shows what its display shows, at a match where red is to throw."""
    match = begin(load_setting("br4006"), to_play="red", position=(RED, *([(0,) * PIECES] * 3)))
    monkeypatch.setattr("uckers_table.table.loop.first_match", lambda config: match)
    return lambda *steps: at_display(Evening(tmp_path, monkeypatch, steps))


def at_display(table):
    """The table, and the titles of the messages on its display, in order."""
    table.shown = []
    table.parts.display.show = lambda picture, *, stays=False: table.shown.append(picture.tobytes())
    return table


def pixels(title, words):
    return draw(Message(title, words)).tobytes()


TAKEN = pixels("TAKEN BACK", "Red's play, 5 and 2. Press undo again to put it back.")
ASKED = pixels("TAKE BACK?", "Red's play, 5 and 2? Press undo, or answer on the page.")
PLAY = (
    *(
        (0.5, Sighting(dict(zip(COLOURS, (RED, *([(0,) * PIECES] * 3)), strict=True)))),
        (1.0, ThrowRead((5, 2))),
    ),
    *((t, PLAYED) for t in (2.0, 2.2, 2.4, 2.6)),
)


def test_the_box_takes_back_and_puts_back_and_the_display_says_so(evening):
    table = evening(*PLAY, (3.0, Pressed("undo")), (4.0, Pressed("undo")), (5.0, PLAYED))
    table.run()
    assert table.ruled() == ["legal", "taken_back", "put_back"]
    assert table.shown.count(TAKEN) == 1


def test_after_a_power_cut_what_was_taken_back_can_still_be_put_back(tmp_path, monkeypatch):
    out = replace(START, pieces=START.pieces | {"red": (0, 0, 0, 6)})
    board = (0.5, START), (1.0, ThrowRead((6, 5))), *((t, out) for t in (2.0, 2.2, 2.4, 2.6))
    table = Evening(tmp_path, monkeypatch, (*board, (3.0, Pressed("undo")), (3.5, out)))
    table.config = replace(table.config, to_play="red")
    table.run()
    picked_up = pick_up(tmp_path)
    resumed = picked_up.referee.handle(Resumed(picked_up.t + 1.0, "tower")).referee
    again = resumed.handle(ButtonPressed(picked_up.t + 2.0, "redo")).referee
    assert [each.match.position[0] for each in (resumed, again)] == [(0, 0, 0, 0), (0, 0, 0, 6)]


def test_the_offer_goes_from_the_display_after_some_seconds(evening):
    table = evening(*PLAY, (3.0, Pressed("undo")), (20.0, PLAYED), (21.0, PLAYED))
    table.run()
    assert TAKEN in table.shown[:-1]
    assert table.shown[-1] != TAKEN


def test_the_page_asks_and_the_display_asks_too(evening):
    asked = [AskBack(2), TakeBack(2), PutBack(), TakeBack(9)]
    table = evening(*PLAY, (9.0, PLAYED))
    _, answers = at_page(table, [(3.0 + at, each) for at, each in enumerate(asked)], begins=True)
    stale = "something else has happened meanwhile; look again at what is taken back"
    assert answers == [Answer(True)] * 3 + [Answer(False, stale)]
    assert ASKED in table.shown
    assert table.ruled() == ["legal", "taken_back", "put_back"]
    snapshot = table.page.feed.latest()
    assert [(each.number, each.words) for each in snapshot.take_back] == [(2, "red's play, 5 and 2")]
    assert (snapshot.asks_back, snapshot.put_back) == (None, "")


def test_who_leaves_the_question_is_asked_no_more(evening):
    table = evening(*PLAY, (5.0, PLAYED))
    at_page(table, [(3.0, AskBack(2)), (4.0, AskBack(None))], begins=True)
    assert ASKED in table.shown[:-1]
    assert table.shown[-1] != ASKED
    assert table.ruled() == ["legal"]


def test_an_old_page_that_presses_undo_is_understood(evening):
    table = evening(*PLAY, (5.0, PLAYED))
    _, answers = at_page(table, [(3.0, Press("undo"))], begins=True)
    assert answers == [Answer(True)]
    assert table.ruled() == ["legal", "taken_back"]


def test_the_end_of_a_match_is_asked_about_and_waits_for_the_answer(tmp_path, monkeypatch):
    match = begin(load_setting("br4006"), to_play="red", position=LAST_PLAY)
    monkeypatch.setattr("uckers_table.table.loop.first_match", lambda config: match)
    steps = ((1.0, ThrowRead((3, 2))), *((t, WON) for t in (2.0, 2.2, 2.4)))
    asks = (3.0, Pressed("undo")), (14.0, START), (15.0, Pressed("undo")), (60.0, START)
    table = Evening(tmp_path, monkeypatch, (*steps, *asks))
    outcome = table.run()
    assert table.ruled()[:2] == ["won", "taken_back"]
    assert (outcome.winner, table.recorded()[-1]) == ((), (60.0, "sighting"))
