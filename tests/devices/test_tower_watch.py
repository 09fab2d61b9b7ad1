"""When dice in the tower are a throw, a fault, or none: one test for each state of the watch."""

import pytest

from uckers_table.devices.pico import watch as states
from uckers_table.devices.pico.watch import ARRAY_STILL_MS, TRAY_STILL_MS, Watch


class Tray:
    """A watch that is looked after every 50 ms."""

    def __init__(self, *, array=False):
        self.watch = Watch(ARRAY_STILL_MS if array else TRAY_STILL_MS, array)
        self.now_ms = 1000
        self.told = []
        self.lie(300)

    def lie(self, ms, *dice, **more):
        """What the reader sees, for so long."""
        end = self.now_ms + ms
        while self.now_ms < end:
            self.now_ms += 50
            self.watch.see(self.now_ms, dice, **more)
            self.watch.tick(self.now_ms)
            self.take()

    def roll(self, ms=400):
        """Things move, for so long."""
        self.now_ms += ms
        self.watch.see(self.now_ms, None)
        self.take()

    def beams(self, *told):
        self.watch.hear(self.now_ms, told)
        self.take()

    def throw(self, ins=2, outs=2):
        self.beams("begun")
        self.roll()
        self.beams("ended", ins, outs)

    def take(self):
        self.told += [event for _, event in self.watch.take()]


@pytest.fixture
def tray():
    return Tray()


@pytest.fixture
def read(tray):
    """Six and three were thrown and lie there."""
    tray.throw()
    tray.lie(1000, 6, 3)
    assert tray.told == [("begun",), ("throw", "6 3")]
    tray.told.clear()
    return tray


def test_a_throw_begins_at_the_in_beam_and_ends_when_the_dice_have_lain_still(tray):
    assert tray.watch.state == states.EMPTY
    tray.throw()
    assert (tray.told, tray.watch.state) == ([("begun",)], states.ROLLING)
    tray.lie(TRAY_STILL_MS, 6, 3)
    assert tray.told == [("begun",)]
    tray.lie(50, 6, 3)
    assert (tray.told[1:], tray.watch.state, tray.watch.text) == ([("throw", "6 3")], states.LYING, "6 3")


def test_an_array_needs_less_long(tray):
    array = Tray(array=True)
    array.throw()
    array.lie(ARRAY_STILL_MS + 50, 6, 3)
    assert array.told == [("begun",), ("throw", "6 3")]


def test_two_dice_that_passed_as_one_break_are_a_throw(tray):
    tray.throw(ins=1, outs=1)
    tray.lie(500, 6, 3)
    assert tray.told[-1] == ("throw", "6 3")


def test_a_second_die_that_comes_late_belongs_to_the_throw(tray):
    tray.throw(ins=1, outs=1)
    tray.lie(1000, 6)
    tray.throw(ins=1, outs=1)
    tray.lie(1000, 6, 3)
    assert tray.told == [("begun",), ("throw", "6 3")]


def test_nothing_is_read_while_the_beams_have_not_come_to_rest(tray):
    tray.beams("begun")
    tray.lie(5000, 6, 3)
    assert tray.told == [("begun",)]


def test_a_reading_that_flickers_is_no_throw_until_it_stays(tray):
    tray.throw()
    for _ in range(10):
        tray.lie(200, 6, 3)
        tray.lie(200, 4, 3)
    assert tray.told == [("begun",)]
    tray.lie(500, 4, 3)
    assert tray.told[-1] == ("throw", "4 3")


def test_one_die_is_a_throw_where_one_is_due(tray):
    tray.watch.dice_due = 1
    tray.throw(1, 1)
    tray.lie(500, 4)
    assert tray.told[-1] == ("throw", "4")


@pytest.mark.parametrize("where", ["in", "out"])
def test_jam_a_beam_that_stays_dark(tray, where):
    tray.beams("begun")
    tray.beams("jam", where)
    assert (tray.told[-1], tray.watch.state, tray.watch.text) == (("jam", where), states.STUCK, "StuC")
    tray.lie(10_000)
    assert tray.watch.state == states.STUCK
    tray.beams("freed")
    tray.lie(300)
    assert (tray.told[-1], tray.watch.state) == (("jam", where), states.EMPTY)


def test_jam_more_went_in_than_came_out_and_fewer_than_two_lie_there(tray):
    tray.throw(ins=2, outs=1)
    tray.lie(states.MISSING_MS - 100, 6)
    assert tray.told == [("begun",)]
    tray.lie(200, 6)
    assert tray.told[-1] == ("jam", "between")
    # It comes loose: no throw, until all has been lifted.
    tray.beams("ended", 0, 1)
    tray.lie(5000, 6, 3)
    assert (tray.told[-1], tray.watch.state) == (("jam", "between"), states.STUCK)
    tray.lie(300)
    assert tray.watch.state == states.EMPTY


def test_one_out_break_missed_is_no_jam_where_both_dice_lie_there(tray):
    tray.throw(ins=2, outs=1)
    tray.lie(500, 6, 3)
    assert tray.told[-1] == ("throw", "6 3")


def test_one_die_short(tray):
    tray.throw()
    tray.lie(states.SHORT_MS, 6)
    assert tray.told == [("begun",)]
    tray.lie(50, 6)
    assert (tray.told[-1], tray.watch.state, tray.watch.text) == (("dropped",), states.SHORT, "droP")


def test_both_dice_jumped_out(tray):
    tray.throw()
    tray.lie(states.SHORT_MS + 50)
    assert tray.told[-1] == ("dropped",)


def test_dice_that_are_seen_late_have_not_jumped_out(tray):
    tray.lie(5000)
    tray.beams("begun")
    tray.beams("ended", 2, 2)
    tray.lie(states.SHORT_MS - 50)
    assert tray.told == [("begun",)]
    tray.lie(500, 6, 3)
    assert tray.told == [("begun",), ("throw", "6 3")]


@pytest.mark.parametrize("doubt", ["tilted", "stacked", "unsure"])
def test_cocked_on_another_or_in_doubt(tray, doubt):
    tray.throw()
    tray.lie(states.DOUBT_MS, 6, 0, doubt=doubt)
    assert tray.told == [("begun",)]
    tray.lie(50, 6, 0, doubt=doubt)
    assert (tray.told[-1], tray.watch.state, tray.watch.text) == (("cocked", doubt), states.COCKED, "Coc")
    tray.lie(5000, 6, 3)
    assert tray.told[-1] == ("cocked", doubt)


@pytest.mark.parametrize("before", ["read", "cocked", "short", "spoilt"])
def test_dice_thrown_onto_dice_that_were_not_lifted(tray, before):
    tray.throw()
    tray.lie(2000, *{"read": (6, 3), "cocked": (6, 0), "short": (6,), "spoilt": (6, 3, 1)}[before])
    tray.told.clear()
    tray.throw()
    assert (tray.told, tray.watch.state, tray.watch.text) == ([("lift",)], states.UNLIFTED, "LIFt")
    tray.lie(5000, 1, 2, 3, 4)
    tray.lie(5000, 1, 2)
    assert tray.told == [("lift",)]


def test_dice_lifted_while_the_beams_have_not_come_to_rest_may_not_be_thrown_yet(read):
    read.beams("begun")
    read.lie(1000)
    # No throw can begin within the passage that was none.
    assert (read.told, read.watch.state, read.watch.text) == ([("lift",)], states.UNLIFTED, "LIFt")
    read.beams("ended", 1, 1)
    read.lie(50)
    assert read.watch.state == states.EMPTY
    read.throw()
    read.lie(1000, 2, 1)
    assert read.told == [("lift",), ("begun",), ("throw", "2 1")]


def test_lifted_dice_can_be_thrown_again(read):
    read.roll(500)
    read.lie(250)
    assert read.watch.state == states.EMPTY
    read.throw()
    read.lie(1000, 2, 1)
    assert read.told == [("begun",), ("throw", "2 1")]


def test_dice_thrown_over_a_floor_just_seen_empty_count(read):
    read.lie(50)
    read.throw()
    assert read.told == [("begun",)]


def test_a_third_die_or_a_coin(tray):
    tray.throw()
    tray.lie(500, 6, 3, 0)
    assert (tray.told[-1], tray.watch.state, tray.watch.text) == (("spoilt", "crowd"), states.SPOILT, "LIFt")


def test_more_breaks_than_two_where_the_reader_sees_pockets_only():
    array = Tray(array=True)
    array.throw(ins=3, outs=3)
    array.lie(500, 6, 3)
    assert array.told[-1] == ("spoilt", "crowd")


def test_a_hand_in_the_tray_before_it_was_read(tray):
    tray.throw()
    tray.lie(1000, 6, 3, hand=True)
    assert tray.told == [("begun",)]
    tray.lie(500, 6, 4)
    assert (tray.told[-1], tray.watch.state) == (("spoilt", "hand"), states.SPOILT)


def test_a_die_turned_after_reading(read):
    read.lie(200, 6, 6, hand=True)
    read.lie(states.DOUBT_MS + 200, 6, 6)
    assert (read.told, read.watch.state, read.watch.text) == ([("handled",)], states.TURNED, "LIFt")
    assert read.watch.value == (6, 3)
    read.lie(5000, 6, 5)
    assert read.told == [("handled",)]


@pytest.mark.parametrize("dice", [(3, 6), (6, 0), (6,), (3,), (0, 0)])
def test_dice_pushed_in_doubt_or_lifted_one_by_one_were_not_turned(read, dice):
    read.lie(5000, *dice)
    assert (read.told, read.watch.state) == ([], states.LYING)


def test_a_reader_that_is_blind_reads_nothing_and_says_so(tray):
    tray.throw()
    for _ in range(states.BLIND_MS // 50 + 1):
        tray.watch.blind(tray.now_ms)
        tray.now_ms += 50
        tray.watch.tick(tray.now_ms)
    tray.take()
    assert (tray.told[-1], tray.watch.state, tray.watch.text) == (("spoilt", "blind"), states.BLIND, "LIFt")
    # It sees again: what lies there was never a throw.
    tray.lie(5000, 6, 3)
    assert (tray.told[-1], tray.watch.state) == (("spoilt", "blind"), states.BLIND)
    tray.lie(300)
    assert tray.watch.state == states.EMPTY


def test_a_blink_of_the_reader_delays_the_throw(tray):
    tray.throw()
    tray.lie(200, 6, 3)
    tray.watch.blind(tray.now_ms)
    tray.lie(500, 6, 3)
    assert tray.told == [("begun",), ("throw", "6 3")]


def test_dice_laid_there_by_hand_are_no_throw(tray):
    tray.lie(3000, 6, 6)
    assert (tray.told, tray.watch.state, tray.watch.text) == ([], states.UNLIFTED, "LIFt")


def test_a_throw_that_is_seen_before_it_is_told_is_one(tray):
    began_ms = tray.now_ms
    tray.roll()
    tray.lie(3000, 6, 3)
    assert tray.watch.state == states.UNLIFTED
    tray.watch.hear(began_ms, ("begun",))
    tray.watch.hear(began_ms + 100, ("ended", 2, 2))
    tray.lie(50, 6, 3)
    assert (tray.told, tray.watch.state) == ([("begun",), ("throw", "6 3")], states.LYING)


def test_dice_thrown_onto_dice_laid_there_by_hand_are_no_throw(tray):
    tray.lie(3000, 6, 6)
    tray.throw()
    tray.lie(3000, 6, 3)
    assert (tray.told, tray.watch.state) == ([("lift",)], states.UNLIFTED)


def test_a_die_that_comes_out_without_having_gone_in_is_no_throw(tray):
    tray.beams("ended", 0, 1)
    tray.lie(3000, 6)
    assert tray.told == []


def test_beams_lost_in_the_middle_of_a_throw_leave_none(tray):
    tray.throw()
    tray.watch.abandon(tray.now_ms)
    tray.lie(3000, 6, 3)
    assert (tray.told, tray.watch.state) == ([("begun",)], states.SPOILT)


def test_a_throw_from_just_before_the_first_look_is_one():
    watch = Watch(TRAY_STILL_MS, False)
    watch.see(1000, ())
    watch.hear(950, ("begun",))
    assert (watch.state, [event for _, event in watch.take()]) == (states.ROLLING, [("begun",)])


def fingers(tray):
    """Fingers in the in-beam, and nothing falls."""
    tray.beams("begun")
    tray.beams("ended", 0, 0)


def test_fingers_alone_are_no_throw_no_jam_and_nothing_dropped(tray):
    fingers(tray)
    tray.lie(states.MISSING_MS - 100)
    assert tray.watch.state == states.ROLLING
    tray.lie(300)
    assert (tray.told, tray.watch.state, tray.watch.text) == ([("begun",)], states.EMPTY, "")
    tray.throw()
    tray.lie(500, 6, 3)
    assert tray.told == [("begun",), ("begun",), ("throw", "6 3")]


def test_dice_that_were_held_before_they_fell_are_a_throw(tray):
    fingers(tray)
    tray.roll(600)
    tray.beams("ended", 0, 2)
    tray.lie(500, 6, 3)
    assert tray.told == [("begun",), ("throw", "6 3")]


def unseen(tray, *dice, outs=2, lies_ms=states.UNSEEN_MS + 600, **more):
    """Dice fall, and the in-beam sees nothing of it; they are lifted at the end."""
    tray.roll()
    if outs:
        tray.beams("ended", 0, outs)
    tray.lie(lies_ms, *dice, **more)
    read = list(tray.told)
    tray.told.clear()
    tray.roll(300)
    tray.lie(1000)
    return read


def test_an_in_beam_that_sees_nothing_is_noticed_and_the_out_beam_does_for_it(tray):
    assert (unseen(tray, 6, 3), tray.watch.misses_dice) == ([], False)
    # The second time it counts as blind, and the dice that lie there as thrown.
    assert unseen(tray, 5, 4) == [("begun",), ("throw", "5 4")]
    assert tray.watch.misses_dice
    assert unseen(tray, 2, 1, lies_ms=states.TRAY_STILL_MS + 100) == [("begun",), ("throw", "2 1")]
    assert unseen(tray, 2, 0) == [("begun",), ("cocked", "unsure")]
    assert unseen(tray, 2, outs=1) == [("begun",), ("dropped",)]
    assert unseen(tray, 2, 1, 1, outs=3) == [("begun",), ("spoilt", "crowd")]


def test_one_that_sees_some_throws_is_noticed_too_and_one_that_sees_again_is_well(tray):
    for _ in range(2):
        unseen(tray, 6, 3)
        assert not tray.watch.misses_dice
        tray.throw()
        tray.lie(500, 6, 3)
        tray.roll(300)
        tray.lie(1000)
    tray.told.clear()
    assert unseen(tray, 6, 3) == [("begun",), ("throw", "6 3")]
    assert tray.watch.misses_dice
    tray.throw()
    assert not tray.watch.misses_dice


def test_dice_that_neither_beam_sees_are_no_throw_and_that_is_noticed(tray):
    for _ in range(3):
        assert unseen(tray, 6, 3, outs=0) == []
    assert tray.watch.misses_dice


def test_dice_that_a_hand_has_laid_there_tell_nothing_of_the_beam_and_are_no_throw(tray):
    for _ in range(3):
        tray.watch.see(tray.now_ms, None, hand=True)
        assert unseen(tray, 6, 3) == []
    assert not tray.watch.misses_dice
    for _ in range(2):
        unseen(tray, 6, 3)
    tray.watch.see(tray.now_ms, None, hand=True)
    assert (unseen(tray, 6, 3), tray.watch.misses_dice) == ([], True)


def test_dice_that_a_hand_has_touched_since_are_no_throw(tray):
    for _ in range(2):
        unseen(tray, 6, 3)
    tray.roll()
    tray.lie(1000, 6, 3)
    tray.lie(100, 6, 3, hand=True)
    tray.beams("ended", 0, 1)
    tray.lie(1000, 6, 5)
    assert tray.told == []


def test_an_old_break_of_the_out_beam_makes_no_throw_of_dice(tray):
    for _ in range(2):
        unseen(tray, 6, 3)
    tray.beams("ended", 0, 1)
    tray.lie(states.COMES_MS + 100)
    assert unseen(tray, 6, 3, outs=0) == []


def test_dice_that_came_while_the_line_was_lost_tell_nothing_of_the_beam():
    tray = Tray()
    for _ in range(3):
        tray.watch.abandon(tray.now_ms)
        tray.lie(3000, 6, 3)
        tray.lie(1000)
    assert not tray.watch.misses_dice
    watch = Watch(TRAY_STILL_MS, False)
    for now_ms in range(1000, 6000, 50):
        watch.see(now_ms, (6, 3))
    assert watch._missed == 0


@pytest.mark.parametrize("is_told", [True, False])
def test_an_in_beam_that_stays_dark_is_no_jam_for_ever(tray, is_told):
    tray.beams("jam", "in")
    tray.lie(states.FAULT_MS - 100)
    assert (tray.watch.state, tray.watch.text) == (states.STUCK, "StuC")
    if is_told:
        tray.watch.without("in")
    tray.lie(300)
    assert (tray.watch.state, tray.watch.dark_beam) == (states.EMPTY, "in")
    tray.told.clear()
    assert unseen(tray, 6, 3, lies_ms=states.TRAY_STILL_MS + 100) == [("begun",), ("throw", "6 3")]
    for _ in range(2):
        assert unseen(tray, 6, 3, outs=0) == []
    tray.beams("freed")
    # What it could not see while it was dark is nothing that it misses.
    assert (tray.watch.dark_beam, tray.watch.misses_dice) == ("", False)


def test_an_out_beam_that_stays_dark_is_no_jam_for_ever(tray):
    tray.beams("jam", "out")
    tray.lie(states.FAULT_MS + 300)
    tray.throw(ins=2, outs=0)
    tray.lie(500, 6, 3)
    assert tray.told[-1] == ("throw", "6 3")


def test_pockets_see_no_hands_and_doubt_no_beam():
    array = Tray(array=True)
    for _ in range(3):
        assert unseen(array, 6, 3) == []
    assert not array.watch.misses_dice
