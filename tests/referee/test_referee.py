"""The referee, from outside: people play, the camera looks, and it rules in time."""

from dataclasses import replace
from functools import partial

import pytest

from tests.referee.scripted import BOARD, PLACES_MM, Table, die, match_of, near_line, setting_of, sighting_of
from uckers_table.errors import RulesError
from uckers_table.game.events import Call
from uckers_table.game.position import position_from
from uckers_table.game.throws import Purpose
from uckers_table.referee.events import (
    CallMade,
    DeviceChanged,
    DiceFault,
    Due,
    Played,
    Resumed,
    Seen,
    ThrowMade,
)
from uckers_table.referee.referee import Referee
from uckers_table.referee.rulings import Notice, NoticeKind

RED, GREEN, YELLOW, BLUE = range(4)
EVERY_S = 0.1
TWO_OUT, LEGAL, WRONG = [10, 20, 57, 57], [15, 22, 57, 57], [16, 22, 57, 57]
"""With 5 and 2 on the first, the second is a play. In the third a piece went 6."""
GREEN_OUT, GREEN_ON = [30, 0, 0, 0], [34, 0, 0, 0]
"""Far from red's pieces, before and after 3 and 1."""
LONG_S = 6.0
NEAR = near_line("red", 16, 15, 4.0)
"""The reader takes a piece to stand on red's 16, near the line to 15."""


def table_of(dice_from="tower", **pieces):
    """A scripted table that the camera has watched for a second."""
    table = Table(dice_from=dice_from, every=EVERY_S, **({"red": TWO_OUT} | pieces))
    table.referee = Referee(table.match, dice_from)
    return table.see(1.0)


def moved(table, **pieces):
    """A hand moves pieces. Comes with the time at which the board is first seen still."""
    table.hand(**pieces)
    return table, table.t + EVERY_S


def when(table, kind):
    """When the only ruling or notice of a kind fell."""
    (timed,) = (timed for timed in table.ruled if timed.ruling.kind.value == kind)
    return timed.t


def accused(**pieces):
    """A table at which red has just been accused of moving 6 and 2 by 5 and 2."""
    table, _ = moved(table_of(**pieces).throw(5, 2), red=WRONG)
    table.see(3.6)
    assert table.kinds == ["illegal"]
    return table


def asked(**pieces):
    """A table at which a question is open about red's piece near a line."""
    table, _ = moved(table_of(**pieces).throw(5, 2), red=WRONG)
    table.see(LONG_S, alternatives=NEAR)
    assert table.kinds == ["check"]
    return table


def whose_and_what(table):
    return table.match.to_play, table.match.awaiting.value


# ---- plays


@pytest.mark.parametrize("red", [LEGAL, [12, 25, 57, 57], [17, 20, 57, 57], [10, 27, 57, 57]])
def test_a_legal_play_is_ruled_within_half_a_second_of_stillness(red):
    table, still = moved(table_of().throw(5, 2), red=red)
    table.see(1.0)
    assert table.kinds == ["legal"]
    assert when(table, "legal") - still <= 0.5
    assert table.position("red") == red
    assert whose_and_what(table) == (GREEN, "throw")


def test_a_legal_play_is_ruled_in_time_though_the_frames_stop():
    table, still = moved(table_of().throw(5, 2), red=LEGAL)
    table.see(0.2)
    deadline = table.referee.deadline
    assert deadline - still <= 0.5
    table.take(Due(deadline))
    assert table.kinds == ["legal"]


def test_a_board_that_nobody_touches_is_never_spoken_of():
    assert table_of().see(LONG_S).kinds == []
    assert table_of().throw(5, 2).see(LONG_S).kinds == []


def test_a_hand_that_moves_nothing_is_never_spoken_of():
    assert table_of().hand().see(LONG_S).kinds == []
    assert table_of().throw(5, 2).hand().see(LONG_S).kinds == []


def test_half_a_play_is_waited_for():
    table, _ = moved(table_of().throw(5, 2), red=[15, 20, 57, 57])
    assert table.see(LONG_S).kinds == []
    moved(table, red=LEGAL)[0].see(1.0)
    assert table.kinds == ["legal"]


def test_half_a_play_is_called_at_once_when_the_player_is_done():
    table, _ = moved(table_of().throw(5, 2), red=[15, 20, 57, 57])
    table.see(1.0).press("done")
    assert table.kinds == ["illegal"]


def test_a_throw_that_nobody_can_use_is_passed():
    table = table_of(red=[0, 0, 0, 0]).throw(5, 2)
    assert table.kinds == ["pass"]
    assert whose_and_what(table) == (GREEN, "throw")


def test_a_play_changed_before_the_next_throw_is_the_play():
    table = moved(table_of(green=GREEN_OUT).throw(5, 2), red=LEGAL)[0].see(1.0)
    moved(table, red=[17, 20, 57, 57])[0].see(LONG_S)
    assert table.kinds == ["legal", "legal"]
    assert table.position("red") == [17, 20, 57, 57]
    assert whose_and_what(table) == (GREEN, "throw")


def test_a_play_changed_after_the_next_throw_is_called():
    table = moved(table_of(green=GREEN_OUT).throw(5, 2), red=LEGAL)[0].see(1.0).throw(1, 2)
    moved(table, red=[17, 20, 57, 57])[0].see(LONG_S)
    assert table.kinds == ["legal", "timber_shift"]
    assert table.position("red") == LEGAL


# ---- accusations


def test_an_illegal_play_is_called_in_time():
    table, still = moved(table_of().throw(5, 2), red=WRONG)
    table.see(LONG_S)
    assert table.kinds == ["illegal"]
    assert 1.5 <= when(table, "illegal") - still <= 3.5
    assert table.position("red") == TWO_OUT
    assert whose_and_what(table) == (RED, "play")


def test_an_illegal_play_is_called_once_however_long_it_stands():
    assert accused().see(20.0).kinds == ["illegal"]


def test_an_illegal_play_that_is_gone_in_time_is_never_called():
    table, _ = moved(table_of().throw(5, 2), red=WRONG)
    moved(table.see(1.0), red=LEGAL)[0].see(LONG_S)
    assert table.kinds == ["legal"]


def test_a_piece_moved_when_no_play_is_due_is_a_timber_shift():
    table, still = moved(table_of(yellow=[8, 9, 0, 0]), yellow=[8, 12, 0, 0])
    table.see(LONG_S)
    assert table.kinds == ["timber_shift"]
    assert 1.5 <= when(table, "timber_shift") - still <= 3.5
    assert table.ruled[0].ruling.seat == YELLOW
    assert sorted(table.position("yellow")) == [0, 0, 8, 9]


def test_a_piece_of_the_partners_moved_beside_a_legal_play_is_called():
    table, _ = moved(table_of(yellow=[8, 9, 0, 0]).throw(5, 2), red=LEGAL, yellow=[8, 12, 0, 0])
    table.see(LONG_S)
    assert table.kinds == ["illegal"]


def test_what_was_called_is_thanked_for_when_it_is_put_right():
    table, _ = moved(accused(), red=TWO_OUT)
    table.see(LONG_S)
    assert table.kinds == ["illegal", "put_right"]
    assert whose_and_what(table) == (RED, "play")
    moved(table, red=LEGAL)[0].see(1.0)
    assert table.kinds[2:] == ["legal"]


def test_what_was_called_may_be_changed_for_a_legal_play_straight_away():
    table, _ = moved(accused(), red=LEGAL)
    table.see(LONG_S)
    assert table.kinds == ["illegal", "legal"]
    assert whose_and_what(table) == (GREEN, "throw")


def test_what_was_called_stands_when_the_next_throw_is_made():
    table = accused(green=GREEN_OUT).throw(3, 1)
    assert table.kinds == ["illegal", "stood"]
    assert table.position("red") == WRONG
    assert whose_and_what(table) == (GREEN, "play")
    assert table.see(LONG_S).kinds == ["illegal", "stood"]


def test_undo_takes_an_accusation_back_and_it_is_not_said_again():
    table = accused().press("undo")
    assert table.kinds[1] == "taken_back"
    table.see(20.0).hand().see(LONG_S)
    assert table.kinds.count("illegal") == 1
    assert "timber_shift" not in table.kinds


def test_a_board_whose_accusation_was_taken_back_is_played_on_from():
    table = accused(green=GREEN_OUT).press("undo").see(LONG_S).throw(3, 1)
    assert table.position("red") == WRONG
    assert whose_and_what(table) == (GREEN, "play")
    moved(table, green=GREEN_ON)[0].see(1.0)
    assert table.kinds[-1] == "legal"
    assert table.kinds.count("illegal") == 1


def test_undo_takes_a_timber_shift_back_and_it_is_not_said_again():
    table, _ = moved(table_of(yellow=[8, 9, 0, 0]), yellow=[8, 12, 0, 0])
    table.see(3.6).press("undo").see(LONG_S).throw(5, 2)
    moved(table, red=LEGAL)[0].see(LONG_S)
    assert table.kinds.count("timber_shift") == 1
    assert table.kinds[-1] == "legal"
    assert sorted(table.position("yellow")) == [0, 0, 8, 12]


def test_an_accusation_taken_back_stops_no_later_one():
    table = accused(green=GREEN_OUT).press("undo").see(LONG_S).throw(3, 1)
    moved(table, green=[35, 0, 0, 0])[0].see(LONG_S)
    assert table.kinds.count("illegal") == 2


def test_who_takes_an_accusation_back_and_puts_the_pieces_back_is_to_play_on():
    table = accused().hand(red=TWO_OUT).press("undo").see(LONG_S)
    assert table.kinds == ["illegal", "taken_back"]
    assert whose_and_what(table) == (RED, "play")


def test_where_nothing_was_called_there_is_nothing_to_take_back():
    assert table_of().press("undo").kinds == ["call_refused"]


# ---- questions


def test_in_doubt_people_are_asked_by_six_seconds_and_told_where():
    table, still = moved(table_of().throw(5, 2), red=WRONG)
    table.see(LONG_S + 1.0, alternatives=NEAR)
    assert table.kinds == ["check"]
    assert when(table, "check") - still <= 6.0
    # Red's 16 is square 15.
    assert table.ruled[0].ruling.places == ("15",)


def test_people_are_asked_once():
    assert asked().see(20.0, alternatives=NEAR).kinds == ["check"]


def test_while_a_question_is_open_nothing_is_on_record():
    table = asked()
    assert table.position("red") == TWO_OUT
    assert isinstance(table.referee.open_point, Notice)


@pytest.mark.parametrize("button", ["done", "accept"])
def test_done_says_that_the_board_asked_about_is_right(button):
    table = asked().press(button)
    assert table.kinds[:2] == ["check", "trusted"]
    assert table.position("red") in (LEGAL, WRONG)
    assert whose_and_what(table) == (GREEN, "throw")
    assert not table.referee.is_asking


def test_what_people_have_said_is_right_is_never_called():
    table = asked(green=GREEN_OUT).press("done").see(LONG_S, alternatives=NEAR).see(LONG_S)
    moved(table.throw(3, 1), green=GREEN_ON)[0].see(LONG_S)
    assert not {"illegal", "timber_shift"} & set(table.kinds)
    assert table.kinds.count("check") == 1
    assert table.kinds[-1] == "legal"


def test_who_throws_on_over_a_question_has_said_that_all_is_right():
    table = asked(green=GREEN_OUT).throw(3, 1).see(LONG_S)
    moved(table, green=GREEN_ON)[0].see(LONG_S)
    assert not {"illegal", "timber_shift"} & set(table.kinds)
    assert table.kinds[-1] == "legal"


def test_a_question_thrown_on_is_no_accusation_when_the_piece_moves_on():
    """Nobody else can move. Red then plays on from where it was asked about."""
    table = asked()
    for _ in range(3):
        table.throw(4, 3).see(1.0)
    moved(table.throw(2, 1), red=[19, 22, 57, 57])[0].see(LONG_S)
    assert not {"illegal", "timber_shift"} & set(table.kinds)
    assert table.position("red") == [19, 22, 57, 57]
    assert whose_and_what(table) == (GREEN, "throw")


def test_a_question_is_over_when_the_reader_puts_itself_right():
    table = asked().see(2.0, red=LEGAL)
    assert table.kinds == ["check", "legal"]
    assert not table.referee.is_asking


def test_a_question_is_over_when_people_put_the_piece_right():
    table, _ = moved(asked(), red=LEGAL)
    table.see(2.0)
    assert table.kinds == ["check", "legal"]
    assert not table.referee.is_asking


def test_time_alone_turns_no_question_into_an_accusation():
    assert asked().see(30.0).kinds == ["check"]


# ---- dice before the play was seen


def test_a_throw_under_a_hand_is_held_until_the_play_is_seen():
    table = table_of(green=GREEN_OUT).throw(5, 2).hand(red=LEGAL).throw(3, 1)
    assert table.kinds == ["throw_held"]
    table.hand().see(2.0)
    assert table.kinds == ["throw_held", "legal"]
    assert table.match.thrown == (3, 1)
    assert whose_and_what(table) == (GREEN, "play")


def test_a_throw_under_a_hand_counts_though_the_hand_stays_for_the_next_play():
    table = table_of(green=GREEN_OUT).throw(5, 2).hand(red=LEGAL).throw(3, 1)
    table.hand(green=GREEN_ON).see(3.0)
    assert table.kinds[0] == "throw_held"
    assert (table.position("red"), sorted(table.position("green"))) == (LEGAL, sorted(GREEN_ON))
    assert whose_and_what(table) == (YELLOW, "throw")


def test_a_throw_that_is_due_is_not_held_by_a_hand():
    table = table_of().hand().throw(5, 2)
    assert table.kinds == []
    assert whose_and_what(table) == (RED, "play")


def test_dice_on_dice_that_nobody_has_played_are_void():
    table = table_of().throw(5, 2).see(1.0).throw(3, 1)
    assert table.kinds == ["void"]
    assert table.match.thrown == (5, 2)


# ---- the camera


def test_in_the_dark_it_says_once_that_it_cannot_see():
    table = table_of()
    dark_since = table.t + EVERY_S
    table.see(10.0, trouble=["too_dark"])
    assert table.kinds == ["cannot_see"]
    assert table.ruled[0].ruling.about == "too_dark"
    assert when(table, "cannot_see") > dark_since + 1.0


def test_when_it_is_light_again_it_says_so_and_rules_as_ever():
    table = table_of().see(10.0, trouble=["too_dark"]).see(3.0)
    assert table.kinds == ["cannot_see", "sees_again"]
    moved(table.throw(5, 2), red=LEGAL)[0].see(1.0)
    assert table.kinds[2:] == ["legal"]


def test_a_frame_or_two_that_show_nothing_are_not_spoken_of():
    table = table_of().see(0.4, trouble=["blurred"]).see(LONG_S)
    assert table.kinds == []


def test_frames_that_stop_coming_are_said_to_be_blindness():
    table = table_of()
    table.take(Due(table.t + 10.0))
    assert table.kinds == ["cannot_see"]


def test_in_the_dark_nobody_is_accused():
    table, _ = moved(table_of().throw(5, 2), red=WRONG)
    table.see(10.0, trouble=["too_dark"])
    assert table.kinds == ["cannot_see"]


def test_a_camera_lost_and_back_is_told_and_nothing_else():
    table = table_of().tell(DeviceChanged, "camera", "lost").wait(30.0)
    table.take(Due(table.t))
    assert table.kinds == ["device_lost"]
    table.tell(DeviceChanged, "camera", "back").see(LONG_S)
    assert table.kinds == ["device_lost", "device_back"]


def test_a_play_made_while_the_camera_was_lost_is_ruled_when_it_is_back():
    table = table_of().throw(5, 2).tell(DeviceChanged, "camera", "lost").move(red=LEGAL).wait(30.0)
    table.tell(DeviceChanged, "camera", "back").see(3.0)
    assert table.kinds == ["device_lost", "device_back", "legal"]
    assert table.position("red") == LEGAL


def test_what_people_moved_while_the_camera_was_lost_accuses_nobody():
    table = table_of(green=GREEN_OUT).tell(DeviceChanged, "camera", "lost").wait(30.0)
    table.move(green=GREEN_ON).tell(DeviceChanged, "camera", "back").see(10.0)
    assert not {"illegal", "timber_shift"} & set(table.kinds)


def test_dice_thrown_while_no_frame_comes_wait_for_the_board():
    """The camera hangs. Red plays, and green throws, before anybody notices."""
    table = table_of(green=GREEN_OUT).throw(5, 2).move(red=LEGAL).wait(6.0).throw(3, 1)
    assert table.kinds == ["throw_held"]
    table.see(1.0)
    assert (table.kinds[1:], table.match.thrown) == (["legal"], (3, 1))


def test_a_camera_that_does_not_come_back_is_not_waited_for():
    table = table_of().tell(DeviceChanged, "camera", "lost")
    assert table.referee.deadline is None


# ---- readings

TOO_FAR = [19, 20, 57, 57]
"""With 5 and 2 a piece went 9."""


def read_on(table, number, **seen):
    """One more sighting of a reading, with alternatives or confidence as told. What is to be read again."""
    table.t += EVERY_S
    sighting = sighting_of(table.pieces, reading=number, **seen)
    return table.take(Seen(table.t, sighting)).read_again


def test_before_anybody_is_accused_the_places_are_read_again():
    table = table_of()
    read_on(table, 1)
    table.throw(5, 2).hand(red=TOO_FAR)
    wanted = [read_on(table, 2, confidence=0.95) for _ in range(20)]
    assert "illegal" not in table.kinds
    assert wanted[-1] == {table.board.place(RED, 17), table.board.place(RED, 19)}
    wanted = [read_on(table, 3, confidence=0.95) for _ in range(15)]
    assert table.kinds == ["illegal"]
    assert wanted[-1] == frozenset()


def test_what_is_read_otherwise_at_the_next_reading_accuses_nobody():
    table = table_of()
    read_on(table, 1)
    table.throw(5, 2).hand(red=TOO_FAR)
    assert [again for _ in range(20) if (again := read_on(table, 2, confidence=0.3))]
    table.pieces["red"] = [17, 20, 57, 57]
    for _ in range(20):
        read_on(table, 3, confidence=0.95)
    assert table.kinds == ["legal"]


def test_where_no_further_reading_comes_an_accusation_does_not_wait_for_ever():
    table, seen_at = moved(table_of().throw(5, 2), red=TOO_FAR)
    for _ in range(35):
        read_on(table, 2, confidence=0.95)
    assert when(table, "illegal") - seen_at <= 3.5


# ---- dice on the board


def test_dice_that_were_thrown_and_played_under_an_arm_accuse_nobody():
    """The camera first sees the dice when their play is made."""
    table = table_of("camera")
    table.lying = (die(5), die(2, PLACES_MM["there"]))
    table.hand(8.0, red=LEGAL).see(4.0)
    assert not {"illegal", "timber_shift"} & {*table.kinds}
    assert table.position("red") == LEGAL


def test_a_turned_die_is_asked_about_until_many_dice_were_read_rightly(monkeypatch):
    """It may have been misread before the hand came: that was counted, and somebody would be accused."""
    monkeypatch.setattr("tests.referee.scripted.sighting_of", partial(sighting_of, reading=1))
    ruled = {}
    for dice, misread in ((20, 0), (600, 0), (600, 3)):
        table = table_of("camera", red=[10, 57, 57, 57])
        root = table.referee.histories[0]
        root = replace(root, reader=root.reader._replace(dice=dice, misread=misread))
        table.referee = replace(table.referee, roots=(root,))
        table.lie(die(5), die(2, PLACES_MM["there"])).see(3.0)
        table.hand().lie(die(3), die(2, PLACES_MM["there"])).see(6.0)
        ruled[dice, misread] = table.kinds[-1]
        assert table.taken == [(5, 2)]
    assert ruled == {(20, 0): "check", (600, 0): "dice_turned", (600, 3): "check"}


def test_a_wrong_count_is_asked_about_by_the_first_dice_and_called_by_later_ones(monkeypatch):
    """A die may be misread, until many were read that fitted their plays."""
    monkeypatch.setattr("tests.referee.scripted.sighting_of", partial(sighting_of, reading=1))
    ruled = []
    for dice in (2, 60):
        table = table_of("camera", red=[10, 57, 57, 57])
        root = table.referee.histories[0]
        root = replace(root, reader=root.reader._replace(dice=dice))
        table.referee = replace(table.referee, roots=(root,))
        table.lying = (die(5), die(2, PLACES_MM["there"]))
        table.see(1.0).hand(red=[18, 57, 57, 57]).see(LONG_S)
        ruled.append(table.kinds[-1])
    assert ruled == ["check", "illegal"]


# ---- what people press while a hand is over the board


def test_an_accusation_that_is_taken_back_under_a_hand_is_not_made_again():
    table = accused()
    table.hand(1.0).press("undo").hand(1.0).see(LONG_S)
    assert table.kinds.count("illegal") == 1
    assert "taken_back" in table.kinds


def test_a_question_that_is_answered_under_a_hand_is_not_asked_again():
    table = asked()
    table.hand(1.0).press("done").hand(1.0).see(LONG_S, alternatives=NEAR)
    assert table.kinds.count("check") == 1
    assert "illegal" not in table.kinds


def test_who_goes_on_after_a_mistake_is_said():
    table = accused().press("undo")
    (taken_back,) = (timed.ruling for timed in table.ruled if timed.ruling.kind.value == "taken_back")
    assert (taken_back.about, taken_back.numbers) == ("green", ())


# ---- shifts that only players call, and challenges that are forced


def quiet_table():
    """Red is to throw, at a mess where players call timber shifting. A green piece has walked two on."""
    setting = setting_of("wiki", (("timber_caller", "players"),))
    table = Table(setting=setting, every=EVERY_S, red=[0, 0, 0, 5], green=[0, 0, 0, 7])
    table.referee = Referee(table.match, "tower")
    return table.see(1.0).hand(green=[0, 0, 0, 9]).see(6.0)


def test_a_shift_that_players_call_is_told_when_they_do():
    table = quiet_table()
    assert (table.kinds, table.referee.open_point) == ([], None)
    table.press("timber_shifting").press("timber_shifting")
    assert table.kinds == ["timber_shift", "call_refused"]
    assert table.ruled[0].t < table.t - 2.0
    assert table.hand(green=[0, 0, 0, 7]).see(1.5).kinds[2:] == ["put_right"]


def test_a_shift_that_nobody_called_is_spoken_of_to_nobody():
    assert quiet_table().hand(green=[0, 0, 0, 7]).see(1.5).kinds == []
    table = quiet_table().throw(2, 1)
    assert [(timed.ruling.kind.value, timed.ruling.unspoken) for timed in table.ruled] == [("stood", True)]


def test_a_challenge_that_is_forced_is_said():
    setting = setting_of("submariners")
    match = match_of(setting, "blue", red=(16, 16, 0, 0), blue=(28, 56, 57, 57))
    heard = [timed.ruling for timed in Referee(match).handle(ThrowMade(0.5, (6, 5))).rulings]
    assert heard == [Notice(NoticeKind.MUST_CHALLENGE, "blue")]


# ---- what is taken


def test_what_is_taken_is_told_with_whose_it_was_and_after_which_ruling():
    """A throw in time, one under a hand, a fault, the throw after it, and a call."""
    table, found = table_of(blue=[0, 0, 0, 5]), []

    def takes(told):
        found.extend(table.take(told).taken)

    table.see(1.0)
    takes(ThrowMade(table.t + 0.05, (5, 2)))
    table.hand(red=LEGAL)
    takes(ThrowMade(table.t + 0.05, (3, 1)))
    for _ in range(20):
        table.t += EVERY_S
        takes(Seen(table.t, sighting_of(table.pieces)))
    takes(DiceFault(table.t + 0.05, "cocked"))
    takes(ThrowMade(table.t + 0.06, (4, 1)))
    takes(CallMade(table.t + 0.07, Call("challenge")))
    dice = [getattr(each.told, "dice", None) for each in found]
    assert dice == [(5, 2), (3, 1), None, (4, 1), None]
    # Green and yellow cannot move. So it is yellow who throws badly and again, and blue who calls.
    assert [BOARD.seats[each.seat] for each in found] == ["red", "green", "yellow", "yellow", "blue"]
    # What was held comes after the play that was seen.
    assert [each.place for each in found] == [0, 1, 0, 0, 0]
    assert [each.purpose for each in found] == [*[Purpose.PLAY] * 4, None]


# ---- dice thrown on a board in doubt


def test_dice_thrown_on_a_board_in_doubt_wait_until_it_is_seen_for_long():
    table, _ = moved(table_of(green=GREEN_OUT).throw(5, 2), red=WRONG)
    table.see(0.5).throw(3, 1)
    assert (table.kinds, [told.dice for told in table.referee.held]) == (["throw_held"], [(3, 1)])
    table.see(LONG_S)
    assert table.kinds == ["throw_held", "illegal", "stood"]
    assert table.match.thrown == (3, 1)


def test_dice_held_on_a_board_that_comes_to_be_read_right_are_taken():
    table, _ = moved(table_of(green=GREEN_OUT).throw(5, 2), red=LEGAL)
    table.see(0.4, red=[16, 22, 57, 57]).throw(3, 1).see(1.0)
    assert table.kinds == ["throw_held", "legal"]
    assert (table.match.thrown, table.referee.held) == ((3, 1), ())


def test_a_wrong_seen_again_after_the_next_play_is_called_though_dice_come_soon():
    table, _ = moved(table_of(green=GREEN_OUT).throw(5, 2), red=[18, 26, 57, 57])
    table.see(0.5).throw(3, 1)
    moved(table, green=GREEN_ON)[0].see(0.5).throw(6, 4)
    assert [kind for kind in table.kinds if kind in ("illegal", "stood", "legal")] == [
        "illegal",
        "stood",
        "legal",
    ]


# ---- taken back and put back; out of step


def test_a_play_taken_back_and_put_back_is_on_record_as_before():
    table = moved(table_of(green=GREEN_OUT).throw(5, 2), red=LEGAL)[0].see(1.0).throw(3, 1)
    was = table.match
    table.press("undo")
    assert whose_and_what(table) == (RED, "play")
    table.press("redo")
    assert table.match == was
    assert table.kinds == ["legal", "taken_back", "put_back"]


def test_done_after_a_needless_undo_says_that_the_play_was_made():
    table, _ = moved(table_of().throw(5, 2), red=LEGAL)
    table.see(1.0).press("undo").see(LONG_S).press("done")
    assert table.kinds == ["legal", "taken_back", "legal"]


def test_what_is_new_cannot_be_put_back_over():
    table = moved(table_of().throw(5, 2), red=LEGAL)[0].see(1.0).press("undo")
    moved(table, red=[12, 25, 57, 57])[0].see(2.0).press("redo")
    assert table.kinds == ["legal", "taken_back", "legal", "call_refused"]


def test_after_a_time_unwatched_pieces_are_named_and_nobody_is_accused():
    table = table_of().wait(600.0)
    table.tell(Resumed, "tower").see(LONG_S, red=[12, 20, 57, 57])
    assert table.kinds == ["resumed", "out_of_step", "put_this_right"]
    assert table.press("done").position("red") == [12, 20, 57, 57]
    assert not table.referee.is_out_of_step


def test_pieces_that_are_put_right_end_that_it_is_out_of_step():
    table = table_of().wait(600.0).tell(Resumed, "tower").move(red=[12, 20, 57, 57]).see(LONG_S)
    moved(table, red=TWO_OUT)[0].see(3.0)
    assert table.kinds == ["resumed", "out_of_step", "put_this_right", "back_in_step"]


def test_a_throw_that_is_told_once_more_is_taken_once():
    table = table_of(red=[0, 0, 0, 0]).throw(5, 2, told="7").throw(5, 2, told="7")
    assert table.kinds == ["pass"]
    assert table.throw(5, 2, told="8").kinds == ["pass", "pass"]


def test_a_play_that_a_person_tells_is_taken_and_another_is_refused():
    table = table_of().throw(5, 2)
    table.tell(Played, position_from(BOARD, {"red": LEGAL}))
    assert (table.kinds, table.position("red")) == (["legal"], LEGAL)
    with pytest.raises(RulesError, match="correct"):
        table.tell(Played, position_from(BOARD, {"red": WRONG}))


def test_a_board_with_a_fifth_piece_is_not_taken_as_it_stands():
    table = table_of().see(1.0, red=[10, 20, 30, 57, 57]).press("trust_board")
    assert table.kinds == ["call_refused"]
