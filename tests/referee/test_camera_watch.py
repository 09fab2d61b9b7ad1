"""What the camera shows, and when that is to be weighed again."""

from dataclasses import replace

from tests.referee.scripted import BOARD, sighting_of
from uckers_table.referee import prices
from uckers_table.referee.camera_watch import BLIND_AFTER_S, SILENT_AFTER_S, UNWATCHED_S, CameraWatch
from uckers_table.referee.looks import ReadBoard

EVERY_S = 0.4
"""How often the camera looks in these tests."""


def reading_of(*red):
    return ReadBoard.of(BOARD, sighting_of({"red": red}))


HERE, THERE = reading_of(10, 20, 57, 57), reading_of(15, 22, 57, 57)


def seeing(watch=None, reading=HERE, *, since=1.0, times=3):
    """A watch that has seen one board so many times."""
    watch = CameraWatch() if watch is None else watch
    for n in range(times):
        watch = watch.sees(since + n * EVERY_S, reading)
    return watch


def all_due(watch, *, upto):
    """When time alone changes something, if nothing is seen."""
    found = []
    while watch.due is not None and watch.due <= upto:
        found.append(watch.due)
        if watch.goes_blind(watch.due):
            return [*found, "blind"]
        watch = replace(watch, checks=watch.checks[1:])
    return found


# ---- the board is seen


def test_before_anything_is_seen_nothing_is_due_and_nobody_is_told():
    assert CameraWatch().due is None
    assert not CameraWatch().goes_blind(1000.0)


def test_one_board_seen_for_a_while_is_one_look():
    watch = seeing(since=1.0, times=3)
    assert watch.look is not None
    assert (watch.look.began, watch.look.times) == (1.0, 3)
    assert watch.look.last.since == 1.0


def test_another_board_without_a_hand_goes_on_in_the_same_look():
    watch = seeing(seeing(since=1.0), THERE, since=2.2, times=2)
    assert watch.look.began == 1.0
    assert watch.look.last.since == 2.2
    assert watch.look.last.reading is THERE
    assert not watch.touched


def test_a_new_board_is_weighed_again_at_each_of_the_times_for_that():
    assert seeing(since=1.0, times=1).checks == tuple(1.0 + after for after in prices.CHECKS_S)


def test_the_same_board_seen_again_puts_off_no_weighing():
    assert seeing(since=1.0, times=3).checks == seeing(since=1.0, times=1).checks


def test_another_board_is_weighed_from_when_it_was_first_seen():
    watch = seeing(seeing(since=1.0), THERE, since=2.2, times=1)
    assert watch.due == 2.2 + prices.CHECKS_S[0]


def test_a_board_that_is_dealt_with_is_not_weighed_anew_until_it_changes():
    watch = seeing(seeing().said(), since=2.2)
    assert watch.is_dealt_with
    assert not watch.sees(3.4, THERE).is_dealt_with


# ---- a hand


def test_a_hand_hides_the_board_and_ends_the_look():
    watch = seeing().hand(2.2)
    assert watch.look is None
    assert watch.touched
    assert watch.checks == ()


def test_what_the_player_said_of_a_play_is_over_when_he_reaches_over_it():
    watch = replace(seeing(), is_done=True, is_dealt_with=True)
    assert not watch.hand(2.2).is_done
    assert not watch.hand(2.2).is_dealt_with


def test_after_a_hand_a_new_look_begins_that_was_touched():
    watch = seeing(seeing().hand(2.2), since=2.6)
    assert watch.look.began == 2.6
    assert watch.touched


def test_a_hand_that_stays_is_no_blindness_while_frames_come():
    watch = seeing()
    for n in range(20):
        watch = watch.hand(2.2 + n * EVERY_S)
        assert not watch.is_blind
        assert not watch.goes_blind(2.2 + n * EVERY_S)


# ---- nothing is seen


def test_people_are_told_once_nothing_was_seen_for_long_enough():
    watch = seeing(times=1).dark(2.0, "too_dark").dark(2.4, "too_dark")
    assert watch.due == 2.0 + BLIND_AFTER_S
    assert not watch.goes_blind(2.0 + BLIND_AFTER_S - 0.1)
    assert watch.goes_blind(2.0 + BLIND_AFTER_S)
    assert watch.trouble == "too_dark"


def test_a_frame_that_shows_nothing_stops_the_weighing_and_keeps_the_look():
    watch = seeing(since=1.0).dark(2.2, "blurred")
    assert watch.checks == ()
    assert watch.look.began == 1.0
    assert not watch.touched


def test_one_good_frame_between_dark_ones_counts_from_anew():
    watch = seeing(times=1).dark(2.0, "too_dark").sees(3.0, HERE).dark(3.4, "too_dark")
    assert not watch.goes_blind(2.0 + BLIND_AFTER_S)
    assert watch.goes_blind(3.4 + BLIND_AFTER_S)


def test_frames_that_stop_coming_are_blindness_too():
    watch = seeing(since=1.0, times=1)
    assert all_due(watch, upto=20.0)[-2:] == [1.0 + SILENT_AFTER_S, "blind"]


def test_frames_that_stop_while_a_hand_is_there_are_blindness_too():
    assert seeing().hand(3.0).due == 3.0 + SILENT_AFTER_S


def test_the_blind_see_nothing_and_are_told_so_once():
    watch = seeing(times=1).dark(2.0, "too_dark").blind(3.0)
    assert watch.is_blind
    assert watch.look is None
    assert watch.touched
    assert watch.unwatched == 3.0
    assert watch.due is None
    assert not watch.goes_blind(100.0)


def test_who_sees_again_is_blind_no_longer_and_knows_that_nobody_watched():
    watch = seeing(times=1).dark(2.0, "too_dark").blind(3.0).sees(9.0, HERE)
    assert not watch.is_blind
    assert watch.trouble == ""
    assert watch.touched
    assert watch.unwatched == 3.0
    assert watch.look.began == 9.0


def test_a_lost_camera_is_not_waited_for():
    watch = seeing().lost(9.0)
    assert watch.due is None
    assert not watch.goes_blind(1000.0)
    assert watch.look is None
    assert watch.touched
    assert watch.unwatched == 9.0


def test_a_camera_that_is_back_shows_a_board_that_may_have_been_touched():
    watch = seeing(seeing().lost(9.0), since=20.0)
    assert watch.touched
    assert watch.look.began == 20.0
    assert watch.unwatched == 9.0


def test_a_gap_in_which_a_hand_may_have_come_and_gone_begins_a_new_look():
    before = seeing(since=1.0, times=1)
    gap = before.sees(1.0 + UNWATCHED_S + 0.1, THERE)
    assert gap.touched
    assert gap.look.began == 1.0 + UNWATCHED_S + 0.1


def test_a_gap_after_which_the_board_is_as_before_is_none():
    watch = seeing(since=1.0, times=1).sees(1.0 + UNWATCHED_S + 5.0, HERE)
    assert not watch.touched
    assert watch.look.began == 1.0


def test_a_gap_too_short_for_a_hand_is_none():
    watch = seeing(since=1.0, times=1).sees(1.0 + UNWATCHED_S - 0.1, THERE)
    assert not watch.touched
    assert watch.look.began == 1.0


# ---- something is ruled, or dice fall


def test_after_a_ruling_the_board_is_untouched_and_only_what_is_read_now_counts():
    watch = seeing(seeing(seeing().hand(2.2), since=2.6), THERE, since=3.8, times=2)
    said = watch.said()
    assert not said.touched
    assert said.unwatched is None
    assert said.is_dealt_with
    assert [run.reading for run in said.look.runs] == [THERE]


def test_after_a_throw_the_board_counts_as_untouched_and_is_still_to_be_weighed():
    watch = seeing(seeing(seeing().hand(2.2), since=2.6), THERE, since=3.8, times=2)
    thrown = watch.thrown_on()
    assert not thrown.touched
    assert not thrown.is_dealt_with
    assert (thrown.look.began, [run.reading for run in thrown.look.runs]) == (3.8, [THERE])
    assert thrown.checks == watch.checks


def test_a_throw_under_a_hand_leaves_the_board_touched():
    assert seeing().hand(2.2).thrown_on().touched


def test_a_throw_or_a_ruling_ends_the_time_in_which_nobody_watched():
    watch = seeing(seeing().lost(9.0), since=20.0)
    assert watch.thrown_on().unwatched is None
    assert watch.said().unwatched is None


def test_a_ruling_upon_nothing_seen_changes_nothing():
    watch = seeing().lost(9.0)
    assert watch.said() == watch
