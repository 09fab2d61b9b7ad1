"""Which page the display shows, and what the tower's readout says, in each state of the match."""

from dataclasses import replace

from uckers_table.announce.oled import Headline
from uckers_table.announce.pages import page, readout
from uckers_table.game import playing
from uckers_table.game.events import Call
from uckers_table.game.match import begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting
from uckers_table.machine.messages import Message
from uckers_table.referee.camera_watch import CameraWatch
from uckers_table.referee.events import ButtonPressed, CallMade, DeviceChanged, Seen, ThrowMade
from uckers_table.referee.memory import Devices
from uckers_table.referee.referee import Referee
from uckers_table.sighting import Sighting

SETTING = load_setting("br4006")


def match(to_play="red", **pieces):
    position = position_from(SETTING.board, pieces) if pieces else None
    return begin(SETTING, to_play=to_play, position=position)


def test_throwing_for_start():
    assert page(Referee(begin(SETTING))) == Headline("RED", "to throw", "for start")


def test_whose_throw_the_throw_and_what_is_owed():
    started = match(red=[10, 20, 57, 57])
    assert page(Referee(started)) == Headline("RED", "to throw")
    thrown = playing.throw(started, (6, 3)).match
    assert page(Referee(thrown)) == Headline("RED", "6 and 3", "1 more throw")
    assert readout(Referee(thrown)) == "6 3"
    double = playing.throw(started, (4, 4)).match
    assert page(Referee(double)) == Headline("RED", "double 4")


def test_a_challenge_counts_its_sixes():
    called = playing.throw(match("blue", red=[16, 16, 0, 0], blue=[28, 57, 57, 57]), (6, 3)).match
    called = playing.call(called, Call("challenge")).match
    assert page(Referee(called)) == Headline("BLUE", "1 of 3", "two sixes wanted")
    assert readout(Referee(called)) == "SIX 2"
    once_more = playing.throw(called, (6, 1)).match
    assert page(Referee(once_more)) == Headline("BLUE", "2 of 3", "One six: touch wood")


def test_a_suckback_shows_its_number():
    prey = position_from(SETTING.board, {"red": [12, 0, 0, 0], "green": [54, 54, 56, 0]})
    with_suckback = begin(
        load_setting("br4006", {"var_g": True}), to_play="red", position=prey, turns_taken=1
    )
    called = playing.call(with_suckback, Call("suckback", target=5)).match
    assert page(Referee(called)) == Headline("RED", "suckback 5")
    assert readout(Referee(called)) == "SUCK 5"
    double = playing.call(with_suckback, Call("suckback", target=3, double=True)).match
    assert page(Referee(double)) == Headline("RED", "suckback 3", "both dice")
    one_die = begin(load_setting("couk_suckback"), to_play="red", position=prey, turns_taken=1)
    called = playing.call(one_die, Call("suckback", target=5)).match
    assert page(Referee(called)) == Headline("RED", "suckback 5", "one die")


def test_several_calls_are_shown_with_the_numbers_of_their_buttons():
    prey = position_from(SETTING.board, {"red": [12, 0, 0, 0], "green": [54, 54, 56, 0]})
    match = begin(load_setting("br4006", {"var_g": True}), to_play="red", position=prey, turns_taken=1)
    asking = Referee(match).handle(ButtonPressed(1.0, "call")).referee
    assert page(asking) == Message("WHICH ONE?", "3 suckback double, 5 suckback")


def test_calls_that_no_number_of_their_own_tells_apart_are_counted_and_placed():
    blobs = match("blue", red=[16, 16, 40, 40], blue=[28, 0, 57, 57])
    asking = Referee(playing.throw(blobs, (6, 3)).match).handle(CallMade(1.0, Call("challenge"))).referee
    assert page(asking) == Message(
        "WHICH ONE?", "1 challenge from blue's base, 2 challenge from one on from green's doorstep"
    )


def test_why_the_last_throw_moved_nothing():
    stuck = match(red=[20, 55, 57, 57], green=[9, 9, 0, 0])
    passed = Referee(playing.throw(stuck, (3, 5)).match)
    assert page(passed) == Headline("GREEN", "to throw", "red: green's blob")
    assert page(Referee(playing.throw(match(), (3, 5)).match)).note == "red: no six"
    two = match(red=[20, 30, 57, 57], green=[9, 9, 18, 18])
    assert page(Referee(playing.throw(two, (3, 2)).match)).note == "red: blocked by green"
    # Once there is another throw, there is no more to say of it.
    assert page(Referee(playing.throw(passed.match, (6, 5)).match)).note == "1 more throw"


def test_who_was_ucked_by_the_last_play():
    before = match(red=[10, 57, 57, 57], green=[3, 0, 0, 0])
    referee = Referee(playing.throw(before, (5, 1)).match)
    pieces = {"red": (16, 57, 57, 57)} | dict.fromkeys(("green", "yellow", "blue"), (0, 0, 0, 0))
    for t in (1.0, 1.3, 1.6):
        referee = referee.handle(Seen(t, Sighting(pieces))).referee
    assert page(referee) == Headline("GREEN", "to throw", "green ucked")
    # What comes next is no news of that play.
    assert page(referee.handle(ThrowMade(2.0, (6, 5))).referee) == Headline(
        "GREEN", "6 and 5", "1 more throw"
    )
    assert page(referee.handle(ThrowMade(2.0, (4, 5))).referee) == Headline(
        "YELLOW", "to throw", "green: no six"
    )


def test_the_last_warning_before_a_penalty():
    couk = begin(load_setting("couk"), to_play="red")
    twice = playing.fault(playing.fault(couk, "dropped").match, "dropped").match
    assert page(Referee(twice)) == Headline("RED", "to throw", "next fault: all to base")
    assert page(Referee(playing.fault(couk, "dropped").match)) == Headline("RED", "to throw")
    wiki = begin(load_setting("wiki"), to_play="red")
    twice = playing.fault(playing.fault(wiki, "dropped").match, "dropped").match
    assert page(Referee(twice)) == Headline("RED", "to throw", "next fault: go lost")


def test_a_challenge_that_must_be_made():
    position = position_from(SETTING.board, {"red": [15, 57, 57, 57], "green": [3, 3, 0, 0]})
    forced = begin(load_setting("submariners"), to_play="red", position=position, turns_taken=1)
    assert page(Referee(playing.throw(forced, (6, 3)).match)) == Headline("RED", "6 and 3", "must challenge")


def test_one_die_is_shown_alone():
    ludo = begin(load_setting("masters_ludo"), to_play="red")
    thrown = playing.throw(ludo, (6,)).match
    assert page(Referee(thrown)) == Headline("RED", "6", "1 more throw")
    assert readout(Referee(thrown)) == "6"


def test_a_mess_without_the_custom_is_not_told_to_touch_wood():
    setting = load_setting("br4006", {"needle_touch_wood": "off"})
    position = position_from(setting.board, {"red": [16, 16, 0, 0], "blue": [28, 57, 57, 57]})
    called = playing.call(
        playing.throw(begin(setting, to_play="blue", position=position), (6, 3)).match, Call("challenge")
    ).match
    assert page(Referee(playing.throw(called, (6, 1)).match)) == Headline("BLUE", "2 of 3", "one six wanted")


def test_a_wrong_board_keeps_its_sentence_on_show():
    thrown = playing.throw(match(red=[10, 20, 57, 57]), (6, 2)).match
    step = playing.see(thrown, position_from(SETTING.board, {"red": [17, 20, 57, 57]}, thrown.position))
    accused = Referee(step.match, open_point=step.rulings[0])
    shown = Message("ILLEGAL", "Red moved 7; the dice said 6 and 2.")
    assert page(accused) == shown
    # What happens besides does not take its place.
    assert page(accused.handle(DeviceChanged(1.0, "tower", "lost")).referee) == shown


def test_trouble_is_said_before_anything_else():
    referee = Referee(match())
    blind = replace(referee, watch=CameraWatch(is_blind=True, trouble="colours_indistinct"))
    assert page(blind) == Message("I CAN'T SEE", "I can't tell the colours. Press the buttons, or wait.")
    assert page(replace(referee, devices=Devices(frozenset({"tower"})))) == Message(
        "TOWER LOST", "Tower lost. Dice from the camera."
    )
    # Without these the play goes on as before.
    others = Devices(frozenset({"buttons", "display", "voice"}))
    assert page(replace(referee, devices=others)) == page(referee)
    assert page(replace(referee, astray=())).title == "OUT OF STEP"
