"""The page in a real browser: matches watched, started, corrected, gone through, by finger and keyboard."""

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.patience import until
from tests.web.browsing import (
    DESK,
    PHONE,
    WAIT_MS,
    asked_for,
    needs_chromium,
    see,
    show_pin,
)
from tests.web.fakes import CORNERS, PIN, FakeTable, serve
from uckers_table.game.events import Awaiting
from uckers_table.game.position import by_colour, position_from
from uckers_table.machine.messages import Reminder
from uckers_table.sighting import Sighting, Stray
from uckers_table.web import app, commands
from uckers_table.web.app import SHELLS
from uckers_table.web.feed import CalibrationProgress, LastSeen, TableState

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = needs_chromium
SMALL, ON_ITS_SIDE = {"width": 320, "height": 640}, {"width": 844, "height": 390}
CUT_OFF = """() => [...document.querySelectorAll("main *")].filter((each) => {
    const { width, left, right } = each.getBoundingClientRect();
    const isHidden = each.closest(".for-readers, svg, thead");
    return width && !isHidden && (left < 0 || right > innerWidth + 1);
}).map((each) => each.outerHTML.slice(0, 120))"""
"""What lies off the screen, or is cut off by its edge."""
PAGES = [path.replace("{match:int}", "7").replace("{ruling:int}", "3") for path in SHELLS]
PAGES += [f"/setup#{step}" for step in ("seats", "camera", "calibration", "sound", "done")]


@pytest.fixture(scope="module")
def busy_server(tmp_path_factory):
    """A table in the middle of a match, for those who only look."""
    table = FakeTable()
    table.base = replace(table.base, reminders=(Reminder(1, "NO BACKUP", "It is full.", "camera"),))
    in_play(table)
    server = serve(table, tmp_path_factory.mktemp("record"))
    yield server
    server.close()


def test_a_match_is_watched_as_it_is_played(phone, table):
    phone.goto("/")
    see(phone.get_by_role("heading", name="No match is being played")).to_be_visible()
    table.do(commands.StartMatch("br4006", to_play="red", names={"red": "Nobby"}))
    see(phone.locator("#turn-who")).to_have_text("Red")
    see(phone.locator("#turn-what")).to_have_text("Nobby to throw")
    table.do(commands.EnterThrow((6, 3)))
    see(phone.locator("#turn-dice").get_by_role("img")).to_have_count(2)
    see(phone.locator("#turn-owed")).to_have_text("1 more")
    see(phone.locator("#board .wood").first).to_be_attached()
    before = phone.locator("#board [data-colour=red][data-steps='0']").count()
    table.do(commands.EnterPlay(table.match.plays[0]))
    see(phone.get_by_role("log").get_by_text("red: legal")).to_be_visible()
    see(phone.locator("#board [data-colour=red][data-steps='0']")).to_have_count(before - 1)
    see(phone.locator("#camera-words")).to_contain_text("16 of 16 pieces seen.")
    see(phone.locator("#camera")).to_have_attribute("data-frame", "1")


def test_a_wrong_pin_is_said_and_the_right_one_starts_a_match(phone, table):
    began = int(time.time())
    phone.goto("/new")
    phone.locator("#rules-chosen").click()
    phone.get_by_role("radio", name="wafu").check()
    phone.locator("#switched").click()
    phone.get_by_role("checkbox", name="Variation E").check()
    see(phone.locator("#switched")).to_have_text("Variation E")
    phone.get_by_label("Name of who plays red").fill("Nobby")
    phone.get_by_role("radio", name="only faults and questions").check()
    see(phone.locator("#counted")).to_have_text("16 of 16")
    phone.get_by_role("button", name="Start the match").click()
    show_pin(phone, "000000")
    see(phone.get_by_role("alert")).to_have_text("That is not the PIN. The display shows it.")
    assert table.commands == []
    show_pin(phone, PIN)
    phone.wait_for_url("**/")
    assert began <= table.date <= time.time(), "whoever has the PIN tells the date"
    assert table.commands == [
        commands.StartMatch("wafu", {"var_e": True}, names={"red": "Nobby"}, loudness="quiet")
    ]
    see(phone.locator("#turn-what")).to_have_text("Nobby to throw for start")
    phone.goto("/new")
    see(phone.locator("#switched")).to_have_text("Variation E")
    see(phone.locator("#rules-chosen")).to_contain_text("wafu")
    see(phone.get_by_role("radio", name="only faults and questions")).to_be_checked()


def test_no_rule_can_be_ticked_until_the_chosen_rules_are_here(phone):
    phone.goto("/new")
    phone.locator("#rules-chosen").click()
    see(phone.get_by_role("radio", name="submariners")).to_be_checked()
    phone.locator("#switched").click()
    see(phone.get_by_role("checkbox", name="Variation E")).to_have_count(1)
    asked = asked_for(phone, "**/api/rules/wafu")
    phone.get_by_role("radio", name="wafu").check()
    see(phone.get_by_role("checkbox", name="Variation E")).to_have_count(0)
    asked().continue_()
    see(phone.get_by_role("checkbox", name="Variation E")).to_have_count(1)


def in_play(table):
    """A match under way: red has thrown 6 and 3, and has pieces out."""
    table.do(commands.StartMatch("br4006", to_play="red"))
    board = table.match.board
    steps = {
        "red": [14, 17, 17, 0],
        "green": [1, 4, 57, 57],
        "yellow": [30, 30, 30, 53],
        "blue": [0, 0, 14, 28],
    }
    table.do(commands.Correct(position_from(board, steps)))
    table.do(commands.EnterThrow((6, 3)))


def test_no_match_is_begun_while_one_is_on(phone, table):
    phone.goto("/new")
    see(phone.get_by_role("button", name="Start the match")).to_be_enabled()
    in_play(table)
    see(phone.get_by_role("button", name="Start the match")).to_be_disabled()
    phone.get_by_role("link", name="to the match").click()
    see(phone.locator("#turn-who")).to_have_text("Red")


def test_how_a_backup_ended_is_said_where_it_was_asked_for(phone, table):
    phone.goto("/health")
    see(phone.locator("#devices")).to_contain_text("Camera")
    see(phone.locator("#backup")).to_be_hidden()
    table.base = replace(table.base, backup="No backup: it is read-only.")
    table.publish()
    see(phone.locator("#backup")).to_have_text("No backup: it is read-only.")


def test_what_people_must_know_stays_on_every_page_until_they_say_so(phone, table):
    in_play(table)
    first = Reminder(1, "NO BACKUP", "It is full.")
    other = Reminder(2, "SAFE START", "Started without the camera.", "camera")
    table.base = replace(table.base, reminders=(first, other))
    table.publish()
    for address in ("/", "/health"):
        phone.goto(address)
        told = phone.get_by_role("region", name="What you should know")
        see(told).to_have_attribute("aria-live", "assertive")
        see(told).to_contain_text("NO BACKUP It is full.")
        see(told).to_contain_text("SAFE START Started without the camera.")
    table.base = replace(table.base, backup="Backed up.")
    table.publish()
    see(phone.locator("#backup")).to_have_text("Backed up.")
    table.commands.clear()
    phone.get_by_role("button", name="Seen: NO BACKUP").focus()
    phone.keyboard.press("Enter")
    show_pin(phone, PIN)
    see(told).not_to_contain_text("NO BACKUP")
    see(told).to_contain_text("SAFE START")
    phone.get_by_role("button", name="Try again: the camera").click()
    until(lambda: len(table.commands) == 2, pause=lambda: phone.wait_for_timeout(20))
    assert table.commands == [commands.Dismiss(1), commands.TryAgain("camera")]


def test_a_misread_is_put_right_by_pointing(phone, table):
    in_play(table)
    phone.goto("/")
    phone.get_by_role("button", name="Correct the board").click()
    phone.locator("#board [data-colour=blue][data-steps='14']").click()
    see(phone.locator("#mode")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.get_by_role("button", name="To One on from red's doorstep").click()
    phone.get_by_role("button", name="The board stands like this").click()
    show_pin(phone, PIN)
    see(phone.locator("#mode")).to_be_hidden()
    see(phone.locator("#board [data-colour=blue][data-steps='15']")).to_have_count(1)
    assert by_colour(table.match.board, table.match.position)["blue"] == [0, 0, 15, 28]


def test_a_whole_play_is_entered_with_the_keyboard_alone(phone, table):
    in_play(table)
    phone.goto("/")
    enter = phone.get_by_role("button", name="Enter the play")
    see(enter).to_have_attribute("aria-disabled", "false")
    enter.press("Enter")
    piece = phone.locator("#board [data-colour=red][data-steps='14']")
    see(piece).to_have_attribute("aria-pressed", "false")
    piece.press("Enter")
    see(piece).to_have_attribute("aria-pressed", "true")
    targets = [int(each.get_attribute("data-to")) for each in phone.locator("#board [data-to]").all()]
    legal = {
        move
        for play in table.match.plays
        for move in by_colour(table.match.board, play)["red"]
        if 14 not in by_colour(table.match.board, play)["red"] or move != 14
    }
    assert set(targets) == {17, 20, 23} & legal
    phone.locator("#board [data-to='23']").press("Enter")
    see(phone.locator("#mode")).to_contain_text("Is that the play?")
    phone.get_by_role("button", name="Yes, play it").press("Enter")
    phone.get_by_label("Six digits").press_sequentially(PIN)
    phone.keyboard.press("Enter")
    see(phone.get_by_role("log").get_by_text("red: legal")).to_be_visible()
    assert by_colour(table.match.board, table.match.position)["red"] == [0, 17, 17, 23]


def test_a_play_half_entered_is_kept_when_the_phone_was_dark_for_a_while(phone, table):
    in_play(table)
    phone.goto("/")
    phone.get_by_role("button", name="Enter the play").click()
    phone.locator("#board [data-colour=red][data-steps='14']").click()
    for hidden in ("true", "false"):
        value = f"{{ value: {hidden}, configurable: true }}"
        phone.evaluate(f"Object.defineProperty(document, 'hidden', {value})")
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        table.base = replace(table.base, loudness="quiet")
        table.publish()
    see(phone.get_by_label("How much is said aloud")).to_have_value("quiet")
    see(phone.locator("#board [data-to='23']")).to_have_count(1)
    see(phone.locator("#mode")).to_have_text("Where does it go?")


def test_a_play_is_entered_that_was_begun_before_the_board_was_drawn(phone, table):
    in_play(table)
    asked = asked_for(phone, "**/api/plan?*")
    phone.goto("/")
    held = asked()
    table.base = replace(table.base, loudness="quiet")
    table.publish()
    phone.get_by_role("button", name="Enter the play").click()
    held.continue_()
    see(phone.locator("#board [data-colour=red][data-steps='14']")).to_have_attribute("aria-pressed", "false")


def test_a_board_is_turned_before_it_is_drawn(phone, table):
    in_play(table)
    piece = phone.locator("#board [data-colour=yellow][data-steps='53']")
    phone.goto("/")
    as_it_lies = piece.get_attribute("transform")
    asked = asked_for(phone, "**/api/plan?*")
    phone.goto("/")
    held = asked()
    phone.get_by_role("button", name="Turn the board").click()
    held.continue_()
    see(piece).to_be_attached()
    see(piece).not_to_have_attribute("transform", as_it_lies)


def test_a_throw_is_told_by_hand_where_the_tower_is_lost(phone, table):
    table.do(commands.StartMatch("br4006", to_play="green"))
    phone.goto("/")
    phone.get_by_role("button", name="Enter the throw").click()
    for die, value in (("Die 1", "6"), ("Die 2", "5")):
        phone.get_by_role("radiogroup", name=die).get_by_role("radio", name=value).click()
    phone.get_by_role("button", name="Enter", exact=True).click()
    show_pin(phone, PIN)
    see(phone.locator("#turn-what")).to_have_text("to play")
    assert table.match.thrown == (6, 5)


def test_a_question_is_answered(phone, table):
    in_play(table)
    table.base = table.base.__class__(
        **{**vars(table.base), "is_asking": True, "question": "Check green's doorstep."}
    )
    table.publish()
    phone.goto("/")
    see(phone.locator("#asked")).to_contain_text("Check green's doorstep.")
    phone.get_by_role("button", name="Right as it stands").click()
    with phone.expect_response(lambda answer: "press" in (answer.request.post_data or "") and answer.ok):
        show_pin(phone, PIN)
    assert table.commands[-1] == commands.Press("accept")


@pytest.mark.parametrize(
    ("address", "what", "question", "no", "yes", "done"),
    [
        ("/", "Leave the match", "Leave this match?", "Play on", "Leave it", commands.LeaveMatch()),
        (
            *("/", "Upboard!", "Who tipped the board up?", "Nobody: play on", "Blue"),
            commands.MakeCall(commands.Call("upboard", 3)),
        ),
        ("/health", "Switch off", "Switch the table off?", "Stay on", "Switch off", commands.SwitchOff()),
    ],
    ids=["leave", "upboard", "switch_off"],
)
def test_what_cannot_be_given_back_asks_first(phone, table, address, what, question, no, yes, done):
    in_play(table)
    phone.goto(address)
    more = phone.get_by_text("More", exact=True)
    if address == "/":
        more.click()
    table.commands.clear()
    opener = phone.get_by_role("button", name=what, exact=True)
    asked = phone.get_by_role("alertdialog", name=question)
    opener.click()
    # A second tap, and a key pressed too fast, meet the harmless answer.
    see(asked.get_by_role("button", name=no)).to_be_focused()
    phone.keyboard.press("Enter")
    see(asked).to_have_count(0)
    see(opener).to_be_focused()
    opener.click()
    phone.keyboard.press("Escape")
    see(asked).to_have_count(0)
    assert table.commands == []
    opener.click()
    asked.get_by_role("button", name=yes, exact=True).click()
    show_pin(phone, PIN)
    until(lambda: table.commands, pause=lambda: phone.wait_for_timeout(20))
    assert table.commands == [done]


def test_whoever_tipped_the_board_up_is_named_and_has_lost(phone, table):
    table.do(commands.StartMatch("br4006", to_play="red", names={"red": "Nobby", "blue": "Dusty"}))
    phone.goto("/")
    phone.get_by_text("More", exact=True).click()
    phone.get_by_role("button", name="Upboard!").click()
    asked = phone.get_by_role("alertdialog", name="Who tipped the board up?")
    answers = ["Nobody: play on", "Red: Nobby", "Green", "Yellow", "Blue: Dusty"]
    see(asked.get_by_role("button")).to_have_text(answers)
    asked.get_by_role("button", name="Blue: Dusty").click()
    show_pin(phone, PIN)
    # It was red's turn.
    see(phone.locator("#turn-who")).to_have_text("Red and yellow won")


def test_take_back_says_what_it_takes_back_and_can_be_left_or_put_back(phone, table):
    in_play(table)
    thrown = table.match
    table.do(commands.EnterPlay(thrown.plays[0]))
    phone.goto("/")
    phone.get_by_role("button", name="Take back", exact=True).click()
    show_pin(phone, PIN)
    question = phone.get_by_role("alertdialog", name="Take back: red's play, 6 and 3?")
    see(question).to_contain_text("Green keeps 5 and 2.")
    see(question.get_by_role("button", name="Leave it")).to_be_focused()
    see(phone.locator("#asked")).to_be_hidden()
    assert table.commands[-1] == commands.AskBack(len(table.history)), "the display asks too"
    with phone.expect_response(lambda answer: "ask_back" in (answer.request.post_data or "") and answer.ok):
        question.get_by_role("button", name="Leave it").click()
    see(question).to_have_count(0)
    see(phone.locator("#asked")).to_be_hidden()
    assert table.commands[-1] == commands.AskBack(None)
    assert table.match is not thrown
    phone.get_by_role("button", name="Take back", exact=True).click()
    question.get_by_role("button", name="Take it back").click()
    see(phone.locator("#turn-dice").get_by_role("img")).to_have_count(2)
    assert table.match is thrown
    phone.get_by_role("button", name="Put back: red's 6 and 3").click()
    see(phone.get_by_role("button", name="Put back: red's 6 and 3")).to_have_count(0)
    assert table.match is not thrown


def test_what_the_box_asks_to_take_back_is_answered_on_the_page(phone, table):
    in_play(table)
    thrown = table.match
    table.do(commands.EnterPlay(thrown.plays[0]))
    table.do(commands.AskBack(len(table.history)))
    phone.goto("/")
    see(phone.locator("#asked-title")).to_have_text("Take back?")
    see(phone.locator("#asked-words")).to_have_text("Red's play, 6 and 3? Green keeps 5 and 2.")
    phone.locator("#asked").get_by_role("button", name="Take it back").click()
    show_pin(phone, PIN)
    see(phone.locator("#turn-dice").get_by_role("img")).to_have_count(2)
    assert table.match is thrown


def test_a_match_that_is_over_says_who_won(phone, table):
    in_play(table)
    table.do(commands.MakeCall(commands.Call("upboard")))
    assert table.match.awaiting is Awaiting.OVER
    phone.goto("/")
    see(phone.locator("#turn-who")).to_have_text("Green and blue won")
    see(phone.locator("#turn-what")).to_have_text("Eight piecer")
    see(phone.get_by_role("link", name="Start a match")).to_be_visible()
    # So it does while the last ruling can still be taken back.
    table.feed.publish(replace(table.snapshot(), state=TableState.PLAYING))
    see(phone.get_by_role("button", name="Take back")).to_be_visible()
    see(phone.locator("#turn-who")).to_have_text("Green and blue won")


def test_a_corner_is_dragged_and_moved_by_arrow_keys(phone, table):
    phone.goto("/calibrate")
    see(phone.locator(".colours")).to_have_text("red, green, yellow, blue")
    see(phone.get_by_role("link", name="set the table up")).to_have_attribute("href", "/setup")
    phone.get_by_role("button", name="Take the bare board").click()
    show_pin(phone, PIN)
    see(phone.locator("#step-empty")).to_have_class("done")
    see(phone.get_by_role("button", name="Use this")).to_be_disabled()
    phone.get_by_role("button", name="Take it with the pieces").click()
    see(phone.get_by_role("button", name="Use this")).to_be_enabled()
    see(phone.locator("#quality")).to_contain_text("16 of 16")
    # The picture moves what is around it when it comes.
    see(phone.locator("#picture")).to_have_attribute("data-frame", "1")
    phone.locator("#picture").evaluate("image => image.decode()")
    corner = phone.get_by_role("slider", name="Corner 3")
    corner.scroll_into_view_if_needed()
    box, outline = corner.bounding_box(), phone.locator("#outline").bounding_box()
    phone.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.mouse.down()
    phone.mouse.move(box["x"] + box["width"] / 2 - 30, box["y"] + box["height"] / 2 - 20, steps=4)
    with phone.expect_response("**/api/do"):
        phone.mouse.up()
    per_px = 640 / outline["width"]
    wanted = (CORNERS[2][0] - 30 * per_px, CORNERS[2][1] - 20 * per_px)
    assert table.commands[-1].corners[2] == pytest.approx(wanted, abs=2)
    assert table.commands[-1].corners[:2] == CORNERS[:2]
    before = table.commands[-1].corners[0]
    corner = phone.get_by_role("slider", name="Corner 1")
    with phone.expect_response("**/api/do"):
        corner.press("Shift+ArrowRight")
    see(corner).to_have_attribute("aria-valuetext", f"{before[0] + 10:.0f}, {before[1]:.0f}")
    see(corner).to_be_focused()
    assert table.commands[-1].corners[0] == (before[0] + 10, before[1])
    with phone.expect_response("**/api/do"):
        phone.get_by_role("button", name="Use this").click()
    see(phone.get_by_role("alert")).to_be_hidden()
    assert table.commands[-1] == commands.AcceptCalibration()


def test_how_far_a_calibration_has_got_is_seen_wherever_one_is_on_the_page(phone, table):
    phone.goto("/calibrate")
    see(phone.locator(".colours")).to_have_text("red, green, yellow, blue")
    working = CalibrationProgress((640, 480), ("empty", "start"), CORNERS, ("Reading back (step 2 of 2) …",))
    table.base = replace(table.base, calibration=working)
    table.publish()
    see(phone.locator(".toast")).to_have_text("Reading back (step 2 of 2) …")
    see(phone.locator(".toast")).to_be_in_viewport()
    table.base = replace(table.base, calibration=replace(working, quality=("Light: even.",)))
    table.publish()
    see(phone.locator(".toast")).to_have_count(0)


def test_whose_base_is_at_the_top_left_is_asked_and_answered_with_a_button(phone, table):
    seats = table.base.board.seats
    phone.goto("/calibrate")
    phone.get_by_role("button", name="Take the bare board").click()
    show_pin(phone, PIN)
    see(phone.locator("#step-empty")).to_have_class("done")
    see(phone.locator("#top-left")).to_be_hidden()
    asking = CalibrationProgress(
        (640, 480), ("empty", "start"), CORNERS, (), "Which way round?", False, seats
    )
    table.base = replace(table.base, calibration=asking)
    table.publish()
    see(phone.locator("#top-left")).to_contain_text("Whose base is at the picture’s top left?")
    see(phone.locator("#top-left").get_by_role("button")).to_have_text([seat.capitalize() for seat in seats])
    for width in (320, 390, 1366):
        phone.set_viewport_size({"width": width, "height": 844})
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with phone.expect_response("**/api/do"):
        phone.locator("#top-left").get_by_role("button", name="Yellow").click()
    assert table.commands[-1] == commands.SetTopLeft("yellow")
    see(phone.locator("#top-left")).to_be_hidden()


def test_a_strange_piece_is_asked_about_at_calibration(phone, table):
    seats = table.base.board.seats
    phone.goto("/calibrate")
    phone.get_by_role("button", name="Take the bare board").click()
    show_pin(phone, PIN)
    see(phone.locator("#step-empty")).to_have_class("done")
    see(phone.locator("#strange-piece")).to_be_hidden()
    said = "One piece in red’s base is orange."
    asking = CalibrationProgress((640, 480), ("empty", "start"), CORNERS, (), said, may_count_as=seats)
    table.base = replace(table.base, calibration=asking)
    table.publish()
    see(phone.locator("#trouble")).to_have_text(said)
    see(phone.locator("#strange-piece")).to_contain_text("What colour does it count as?")
    for width in (320, 390, 1366):
        phone.set_viewport_size({"width": width, "height": 844})
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with phone.expect_response("**/api/do"):
        phone.locator("#strange-piece").get_by_role("button", name="Red").click()
    assert table.commands[-1] == commands.CountAs("red")


def test_a_strange_piece_is_asked_about_where_the_pieces_are_counted(phone, table):
    phone.goto("/new")
    see(phone.locator("#counted")).to_have_text("16 of 16")
    see(phone.locator("#counts-as")).to_be_hidden()
    pieces = {**table.base.seen.sighting.pieces, "red": (0, 0, 0)}
    seen = LastSeen(Sighting(pieces, (Stray(None, (2, 2)),)), 15, 16, "red")
    table.base = replace(table.base, seen=seen)
    table.publish()
    see(phone.locator("#counted")).to_have_text("15 of 16")
    see(phone.locator("#counted-words")).to_have_text(
        "One piece in red’s base has a colour that I don’t know. What colour does it count as?"
    )
    for width in (320, 390, 1366):
        phone.set_viewport_size({"width": width, "height": 844})
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.locator("#counts-as").get_by_role("button", name="Red").click()
    show_pin(phone, PIN)
    until(lambda: table.commands)
    assert table.commands[-1] == commands.LearnPaint("red", "red")


@pytest.mark.parametrize(
    ("pieces", "trouble", "counted", "words"),
    [
        ({}, (), "16 of 16", "All pieces are in their bases."),
        (
            {"red": (0, 0, 4, 9), "yellow": (0, 0, 57)},
            (),
            "12 of 16",
            "Not in their bases: 2 of red, 2 of yellow.",
        ),
        (
            dict.fromkeys(("red", "green", "yellow", "blue"), ()),
            ("occluded",),
            "The pieces are not counted",
            "Something reaches over the board.",
        ),
    ],
    ids=["in_base", "on_the_way", "under_a_hand"],
)
def test_before_a_match_the_pieces_in_their_bases_are_counted(phone, table, pieces, trouble, counted, words):
    sighting = Sighting({**table.base.seen.sighting.pieces, **pieces}, trouble=trouble)
    table.base = replace(table.base, seen=LastSeen(sighting, 16))
    table.publish()
    for width in (320, 390, 844, 1366):
        phone.set_viewport_size({"width": width, "height": 844})
        phone.goto("/new")
        see(phone.locator("#counted")).to_have_text(counted)
        see(phone.locator("#counted-words")).to_have_text(words)
        see(phone.locator("#pieces")).to_be_visible()


def test_a_table_is_set_up_from_a_phone_step_by_step_to_its_first_match(phone, table):
    table.forget_calibration()
    phone.goto("/")
    phone.get_by_role("link", name="Set up the table").click()
    onward, steps = phone.get_by_role("button", name="Next"), phone.get_by_role("navigation", name="Steps")
    see(steps.get_by_role("listitem")).to_have_text(
        ["Rules", "Seats", "Camera", "Calibration", "Sound", "Done"]
    )

    see(phone.get_by_role("heading", name="By which rules?")).to_be_visible()
    phone.locator("#rules-chosen").click()
    phone.get_by_role("radio", name=re.compile("^wafu")).check()
    see(phone.locator("#rules-chosen")).to_contain_text("wafu")
    onward.click()

    # A mirrored board, said by exchanging two colours.
    see(phone.get_by_role("heading", name="Who sits where?")).to_be_focused()
    phone.get_by_label("Seat 2, clockwise").select_option("blue")
    see(phone.get_by_label("Seat 4, clockwise")).to_have_value("green")
    phone.get_by_label("Name of who plays blue").fill("Dusty")
    onward.click()

    see(phone.locator("#camera-state")).to_have_text(re.compile("gives pictures"))
    see(phone.locator("#picture")).to_have_attribute("data-frame", "1")
    onward.click()

    phone.get_by_role("button", name="Take the bare board").click()
    show_pin(phone, PIN)
    see(phone.locator("#step-empty")).to_have_class("done")
    mirrored = ("red", "blue", "yellow", "green")
    assert table.commands[-1] == commands.TakePicture("empty", mirrored)
    phone.get_by_role("button", name="Take it with the pieces").click()
    see(phone.locator("#quality")).to_contain_text("16 of 16")
    phone.get_by_role("button", name="Use this").click()
    see(phone.locator("#calibration-state")).to_contain_text("It knows this table.")
    onward.click()

    phone.get_by_role("button", name="Test the sound").click()
    see(phone.locator("#sound-state")).to_contain_text("It has said")
    phone.get_by_role("button", name="I hear nothing").click()
    see(phone.locator("#silent")).to_contain_text("loudspeaker")
    phone.get_by_role("button", name="I hear it").click()
    see(phone.locator("#silent")).to_be_hidden()
    phone.get_by_role("radio", name="everything, throws too").check()
    onward.click()

    see(phone.locator("#summary li")).to_contain_text(
        ["wafu", "Red, Blue, Yellow, Green; 4 players", "It knows the table.", "You hear it.", "lost"]
    )
    phone.get_by_role("button", name="Start the match").click()
    phone.wait_for_url("**/")
    see(phone.locator("#turn-who")).to_be_visible()
    (begun,) = (each for each in table.commands if isinstance(each, commands.StartMatch))
    assert (begun.rules, begun.seats, begun.loudness) == ("wafu", mirrored, "chatty")
    assert begun.names == {"blue": "Dusty"}


def test_setting_up_has_every_part_of_the_pages_that_it_leads_through():
    static = Path(app.__file__).parent / "static"
    parts = {
        name: set(re.findall(r'id="([^"]+)"', (static / f"{name}.html").read_text()))
        for name in ("new", "calibrate", "setup")
    }
    assert (parts["new"] | parts["calibrate"]) - parts["setup"] == set()


def test_setting_up_leads_back_and_does_not_begin_before_the_table_was_shown(phone, table):
    table.forget_calibration()
    phone.goto("/setup#done")
    see(phone.get_by_role("button", name="Start the match")).to_be_disabled()
    phone.locator("#summary").get_by_role("link", name="Go there").first.click()
    see(phone.get_by_role("heading", name="Show the table to the camera")).to_be_focused()
    phone.get_by_role("button", name="Back").click()
    see(phone.get_by_role("heading", name="Does the camera see the board?")).to_be_visible()
    # The phone's own way back leads a step back, too.
    phone.go_back()
    see(phone.get_by_role("heading", name="Show the table to the camera")).to_be_visible()
    # Typing a name and pressing Enter begins nothing.
    phone.get_by_role("navigation", name="Steps").get_by_role("link", name="Seats").click()
    phone.get_by_label("Name of who plays red").fill("Nobby")
    phone.get_by_label("Name of who plays red").press("Enter")
    assert table.commands == []


def test_a_table_without_camera_is_set_up_without_it(phone, table):
    _, *others = table.base.devices
    none = table.base.devices[0].__class__("camera", "none", True)
    table.base = table.base.__class__(**{**vars(table.base), "devices": (none, *others), "seen": None})
    table.publish()
    phone.goto("/setup")
    steps = phone.get_by_role("navigation", name="Steps").get_by_role("listitem")
    see(steps).to_have_text(["Rules", "Seats", "Sound", "Done"])
    for _ in range(3):
        phone.get_by_role("button", name="Next").click()
    see(phone.locator("#summary")).to_contain_text("None: plays are entered on this page.")
    see(phone.get_by_role("button", name="Start the match")).to_be_enabled()


def test_a_match_is_gone_through_with_the_slider_and_a_ruling_looked_into(phone):
    phone.goto("/matches")
    phone.get_by_role("link", name="Red and yellow won").click()
    see(phone.locator("#say")).to_have_text("Red starts.")
    slider = phone.get_by_role("slider", name="Ruling")
    slider.fill("2")
    see(phone.locator("#say")).to_have_text("Illegal. Red moved 7; the dice said 6 and 2.")
    see(phone.locator("#meta")).to_contain_text("3 of 4")
    see(phone.locator("#board [data-colour=green][data-steps='14']")).to_have_attribute(
        "aria-label", re.compile("^2 green pieces")
    )
    phone.get_by_role("link", name="See the pictures of this ruling").click()
    see(phone.get_by_role("button", name="Close up")).to_have_attribute("aria-pressed", "true")
    see(phone.locator("#stories li")).to_have_text(
        [
            "Somebody did wrong (the likeliest). Somebody moved a red piece 7 on.",
            "Nobody did wrong (1,840 times less likely). The dice were misread.",
        ]
    )
    phone.get_by_role("button", name="Step through").click()
    phone.get_by_role("slider", name="Picture").fill("0")
    see(phone.locator("#time")).to_have_text("1 of 3: 1.0 seconds before the ruling")
    assert phone.locator("#picture").evaluate("image => image.decode().then(() => image.naturalWidth)") == 640


@pytest.mark.parametrize(
    ("link", "ending", "begins"),
    [("as a film of a minute", "gif", b"GIF89a"), ("smaller, as WebP", "webp", b"RIFF")],
    ids=["gif", "webp"],
)
def test_a_film_tells_how_far_it_has_got_until_it_is_there(phone, link, ending, begins):
    phone.goto("/matches/7")
    # Until all its rulings are there, the page grows under the finger.
    see(phone.locator("#meta")).to_contain_text("1 of ")
    asked = asked_for(phone, f"**/export/{ending}")
    phone.route(
        "**/matches/7/film", lambda route: route.fulfill(json={"line": "Drawing the film: 2 of 9 pictures"})
    )
    phone.get_by_role("link", name=link).click()
    see(phone.locator("#film")).to_have_text("Making the film …")
    see(phone.locator("#film")).to_have_text("Drawing the film: 2 of 9 pictures.")
    with phone.expect_download() as download:
        asked().continue_()
    assert download.value.suggested_filename == f"match-7.{ending}"
    assert Path(download.value.path()).read_bytes().startswith(begins)
    see(phone.locator("#film")).to_have_text("The film is made.")


def test_the_statistics_the_board_s_back_and_the_machine_are_shown(phone):
    phone.goto("/statistics")
    phone.get_by_text("In figures").last.click()
    see(phone.get_by_role("table", name="The dice")).to_contain_text("How often")
    # What people ask about first comes first.
    see(phone.get_by_role("table").first.get_by_role("columnheader")).to_have_text(
        ["name", "caught", "luck", "won", "sent back", "throws", "sixes", "doubles", "stood"]
    )
    phone.goto("/honours")
    see(phone.locator("#inscriptions")).to_contain_text("Dusty and Blue eight-pieced by Nobby and Yellow")
    assert phone.locator("#drawn").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    phone.goto("/health")
    see(phone.locator("#devices")).to_contain_text("Plug the tower's USB lead in again.")
    see(phone.locator("#machine")).to_contain_text("too little power")


def test_the_board_can_be_turned_and_the_theme_stays(phone, table):
    in_play(table)
    phone.goto("/")
    piece = phone.locator("#board [data-colour=yellow][data-steps='53']")
    before = piece.get_attribute("transform")
    phone.get_by_role("button", name="Turn the board").click()
    see(piece).not_to_have_attribute("transform", before)
    phone.get_by_text("Menu", exact=True).click()
    phone.get_by_label("Theme").select_option("night")
    phone.goto("/matches")
    see(phone.locator("html")).to_have_attribute("data-theme", "night")


@pytest.mark.parametrize(
    ("size", "theme"),
    [(SMALL, "light"), (PHONE, "light"), (PHONE, "night"), (ON_ITS_SIDE, "light"), (DESK, "dark")],
    ids=["small", "light", "night", "on_its_side", "desk"],
)
def test_every_page_fits_its_screen_and_axe_finds_no_fault_in_it(chromium, busy_server, size, theme):
    context = chromium.new_context(viewport=size, base_url=f"http://127.0.0.1:{busy_server.port}")
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    page = context.new_page()
    for path in PAGES:
        page.goto(path)
        page.locator("main :is(.list li, table, .wood, .sets label, #picture[data-frame])").first.wait_for(
            state="attached"
        )
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
        assert page.evaluate(CUT_OFF) == [], path
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == [], path
    context.close()
