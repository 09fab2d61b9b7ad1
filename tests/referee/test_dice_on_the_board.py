"""Dice that the camera sees: which are thrown, and which are only handled. Tables scripted by hand."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uckers_table.announce.sentences import say
from uckers_table.game.match import Call, begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import (
    ButtonPressed,
    CallMade,
    DeviceChanged,
    DiceFault,
    Seen,
    ThrowMade,
    ThrowVoid,
)
from uckers_table.referee.referee import Referee
from uckers_table.referee.rulings import NoticeKind
from uckers_table.referee.stillness import Flicker
from uckers_table.sighting import SeenDie, Sighting, Stray

STEP_S = 0.3
HERE, THERE, FAR = (100.0, 200.0), (300.0, 80.0), (450.0, 500.0)
BESIDE = (700.0, 300.0)


def die(value, place=HERE, state="flat"):
    return SeenDie(value, state, *place)


class DiceTable:
    """A table in the middle of a match whose camera shows the pieces and dice that it is told to."""

    def __init__(self, *, rules="br4006", setting=None, dice_from="camera", to_play="red", dice=(), **pieces):
        self.setting = setting or load_setting(rules)
        self.pieces = {"red": [0, 0, 0, 5], "green": [0] * 4, "yellow": [0] * 4, "blue": [0] * 4} | pieces
        match = begin(self.setting, to_play=to_play, position=position_from(self.setting.board, self.pieces))
        self.referee = Referee(match, dice_from=dice_from)
        self.t = 0.0
        self.dice = dice
        self.heard, self.taken = [], []
        self.watch(1.2)

    def take(self, event):
        response = self.referee.handle(event)
        self.referee = response.referee
        self.heard += response.rulings
        self.taken += [
            told.dice if isinstance(told, ThrowMade) else getattr(told, "kind", "call")
            for _, told, *_ in response.taken
        ]

    def watch(self, seconds, dice=None, *, hand=False, step=STEP_S, stray=(), **pieces):
        """Put dice and pieces elsewhere, then look for so long."""
        self.dice = self.dice if dice is None else dice
        self.pieces |= pieces
        end = self.t + seconds
        while self.t < end - 1e-9:
            self.t = round(self.t + step, 3)
            seen = {} if hand else {c: tuple(sorted(s)) for c, s in self.pieces.items()}
            self.take(Seen(self.t, Sighting(seen, stray, () if hand else self.dice, hand)))
        return self

    def tell(self, event):
        self.t = round(self.t + 0.1, 3)
        self.take(event(self.t))
        return self

    def position(self, colour):
        return list(self.referee.match.position[self.setting.board.seat(colour)])

    @property
    def kinds(self):
        return [timed.ruling.kind.value for timed in self.heard]


def after_a_throw(**setup):
    """Red has thrown 2 and 1 and played 3 with its one piece; green is to throw."""
    table = DiceTable(**setup).watch(1.5, (die(2), die(1, THERE))).watch(1.5, red=[0, 0, 0, 8])
    assert (table.taken, table.kinds) == ([(2, 1)], ["legal"])
    return table


def test_dice_that_come_to_rest_are_a_throw_and_are_taken_once():
    table = DiceTable()
    began = table.t
    table.watch(6.0, (die(2), die(1, THERE)))
    assert table.taken == [(2, 1)]
    assert table.referee.match.thrown == (2, 1)
    assert table.referee.dice.since == began + STEP_S


def test_a_throw_is_taken_within_a_second_of_lying_still():
    table = DiceTable().watch(0.9, (die(2), die(1, THERE)))
    assert table.taken == [(2, 1)]


def test_rolling_dice_are_no_throw():
    table = DiceTable()
    for step in range(8):
        table.watch(0.3, (die(1 + step % 6, (80.0 + 40 * step, 90.0)), die(3, (500.0 - 40 * step, 300.0))))
    assert table.taken == []


def test_what_lies_there_when_the_table_is_set_up_was_not_thrown():
    assert DiceTable(dice=(die(2), die(1, THERE))).watch(5.0).taken == []


def test_a_single_sighting_that_differs_is_passed_over():
    leaning = (die(2), die(None, THERE, "cocked"))
    table = DiceTable().watch(0.6, leaning).watch(0.3, (die(2),)).watch(0.3, leaning)
    assert table.taken == ["cocked"]


def test_dice_of_the_last_throw_are_none_when_the_next_is_due():
    assert after_a_throw().watch(10.0).taken == [(2, 1)]


def test_dice_picked_up_one_after_the_other_are_no_throw():
    table = after_a_throw().watch(0.6, hand=True).watch(2.4, (die(2),)).watch(0.6, hand=True).watch(3.0, ())
    assert (table.taken, table.kinds) == ([(2, 1)], ["legal"])


def test_dice_put_back_are_no_throw():
    table = after_a_throw().watch(0.6, hand=True).watch(3.0, ())
    table.watch(5.0, (die(2, (105.0, 206.0)), die(1, (295.0, 85.0))))
    assert (table.taken, table.kinds) == ([(2, 1)], ["legal"])


def test_a_die_pushed_by_a_sleeve_is_no_throw():
    table = after_a_throw().watch(0.6, hand=True).watch(4.0, (die(2), die(1, (340.0, 100.0))))
    assert (table.taken, table.kinds) == ([(2, 1)], ["legal"])


def test_the_same_numbers_elsewhere_are_the_next_throw():
    table = (
        after_a_throw().watch(0.6, hand=True).watch(1.5, ()).watch(1.5, (die(1, FAR), die(2, (60.0, 60.0))))
    )
    assert table.taken == [(2, 1), (2, 1)]


def test_one_die_may_come_to_lie_where_one_lay():
    assert after_a_throw().watch(1.5, (die(3), die(4, FAR))).taken == [(2, 1), (4, 3)]
    assert after_a_throw().watch(1.5, (die(2), die(4, FAR))).taken == [(2, 1), (4, 2)]


def test_both_may_when_nobody_looked_meanwhile():
    table = after_a_throw()
    table.t += 2.0
    assert table.watch(1.5, (die(3), die(4, THERE))).taken == [(2, 1), (4, 3)]


def test_both_may_when_they_were_lifted():
    assert after_a_throw().watch(1.5, ()).watch(0.6, (die(2), die(4, THERE))).taken == [(2, 1), (4, 2)]


def test_dice_moved_out_of_the_way_before_the_play_are_no_throw():
    table = DiceTable().watch(1.5, (die(2), die(1, THERE))).watch(0.6, hand=True)
    table.watch(1.5, (die(2, FAR), die(1, (60.0, 60.0)))).watch(1.5, red=[0, 0, 0, 8])
    assert (table.taken, table.kinds) == ([(2, 1)], ["legal"])


def test_other_dice_before_the_play_are_void():
    table = DiceTable().watch(1.5, (die(2), die(1, THERE))).watch(1.5, (die(6, FAR), die(5, (60.0, 60.0))))
    assert table.kinds == ["void"]
    assert table.watch(1.5, red=[0, 0, 0, 8]).watch(3.0).kinds == ["void", "legal"]


def test_dice_thrown_in_the_same_moment_as_the_play_is_made_count_after_it():
    table = DiceTable().watch(1.5, (die(2), die(1, THERE)))
    table.watch(0.9, hand=True).watch(1.5, (die(4, FAR), die(3, (60.0, 60.0))), red=[0, 0, 0, 8])
    assert (table.kinds, table.taken) == (["legal", "pass"], [(2, 1), (4, 3)])


@pytest.mark.parametrize("dice", [((2, 130), (1, 330)), ((2, 100), (3, 300))])
def test_dice_taken_to_be_put_back_or_turned_were_thrown_if_they_are_played(dice):
    (left, x_mm), (right, further_mm) = dice
    table = after_a_throw(green=[0, 0, 0, 5]).watch(0.6, hand=True)
    table.watch(3.0, (die(left, (x_mm, 200.0)), die(right, (further_mm, 80.0))))
    assert table.taken == [(2, 1)]
    table.watch(1.0, hand=True).watch(3.0, green=[0, 0, 0, 5 + left + right])
    assert [kind for kind in table.kinds if kind != "dice_turned"] == ["legal", "revised", "legal"]


def test_a_die_left_of_a_throw_may_lie_where_one_lay_and_what_is_played_after_it_accuses_nobody():
    """The third dropped throw of a game loses green its go, and the second looks like a die put back."""
    pieces = {"green": [0, 0, 0, 5], "yellow": [0, 0, 0, 10]}
    table = after_a_throw(rules="wiki", **pieces).watch(1.2, ()).watch(2.4, (die(6, FAR),))
    assert (table.taken, table.kinds) == ([(2, 1), "dropped"], ["legal", "dropped"])
    nudged = (FAR[0] + 6.0, FAR[1])
    table.watch(0.9, hand=True).watch(1.8, ()).watch(3.0, (die(6, nudged),)).watch(0.9, hand=True)
    table.watch(1.2, ()).watch(2.4, (die(2, HERE),))
    assert table.taken == [(2, 1), "dropped", "dropped"]
    table.watch(0.9, hand=True).watch(1.2, ()).watch(1.5, (die(1), die(3, THERE)))
    table.watch(0.9, hand=True).watch(4.0, yellow=[0, 0, 0, 14])
    assert table.kinds[-2:] == ["revised", "legal"]


def test_of_two_readings_none_is_longer_by_time_that_nobody_looked():
    table = DiceTable().watch(1.5, (die(2), die(1, THERE)))
    table.watch(2.0, (die(2), die(4, THERE)), step=0.5).watch(1.5, (die(2), die(1, THERE)), step=0.5)
    assert (table.taken, table.kinds) == ([(2, 1)], [])


def test_a_die_turned_by_hand_is_said_once_and_is_no_throw():
    table = after_a_throw().watch(0.6, hand=True).watch(6.0, (die(6, (108.0, 195.0)), die(1, THERE)))
    assert (table.kinds, table.taken) == (["legal", "dice_turned"], [(2, 1)])
    assert table.heard[-1].ruling.kind is NoticeKind.DICE_TURNED


def test_a_die_turned_before_the_play_is_said_and_the_throw_stands():
    table = DiceTable().watch(1.5, (die(2), die(1, THERE))).watch(0.6, hand=True)
    table.watch(3.0, (die(6), die(1, THERE))).watch(1.5, red=[0, 0, 0, 8])
    assert (table.kinds, table.taken) == (["dice_turned", "legal"], [(2, 1)])


def test_a_face_misread_for_two_seconds_is_nothing():
    table = after_a_throw().watch(2.0, (die(5), die(1, THERE))).watch(3.0, (die(2), die(1, THERE)))
    assert (table.kinds, table.taken) == (["legal"], [(2, 1)])


def test_a_die_not_seen_for_a_moment_is_nothing():
    table = (
        after_a_throw().watch(0.6, (die(2),)).watch(0.3, (die(1, THERE),)).watch(3.0, (die(2), die(1, THERE)))
    )
    assert (table.kinds, table.taken) == (["legal"], [(2, 1)])


@pytest.mark.parametrize(
    ("rules", "dice", "expected"),
    [
        ("br4006", (die(2), die(None, THERE, "cocked")), "cocked"),
        ("br4006", (die(2), die(4, BESIDE, "off_board")), (4, 2)),
        ("br4006", (die(2), die(None, BESIDE, "off_board")), "cocked"),
        ("submariners", (die(2), die(4, BESIDE, "off_board")), "dropped"),
        ("submariners", (die(None, FAR, "cocked"), die(4, BESIDE, "off_board")), "dropped"),
        ("wiki", (die(2), die(4, BESIDE, "off_board")), "dropped"),
        ("br4006", (die(2),), "dropped"),
    ],
)
def test_faulty_dice_are_judged_by_the_rule_set(rules, dice, expected):
    assert DiceTable(rules=rules).watch(2.4, dice).taken == [expected]


def test_three_faults_bring_the_penalty():
    table = DiceTable(rules="submariners")
    for place in (HERE, FAR, (60.0, 500.0)):
        table.watch(0.9, ()).watch(1.5, (die(3, (320.0, 320.0)), die(None, place, "cocked")))
    assert table.kinds == ["cocked", "cocked", "penalty"]


def test_a_fault_that_a_player_calls_too_is_one_fault():
    table = DiceTable(rules="submariners").watch(1.5, (die(3, THERE), die(None, HERE, "cocked")))
    table.tell(lambda t: DiceFault(t, "cocked", "buttons")).watch(1.5)
    assert table.kinds == ["cocked"]


def test_a_fault_that_a_player_calls_first_is_one_fault():
    table = DiceTable(rules="submariners").watch(0.6, (die(3, THERE), die(None, HERE, "cocked")))
    table.tell(lambda t: DiceFault(t, "cocked", "buttons")).watch(1.5)
    assert table.kinds == ["cocked"]


def test_a_leaning_die_that_falls_in_time_is_a_throw():
    table = DiceTable().watch(0.6, (die(2), die(None, THERE, "cocked"))).watch(1.5, (die(2), die(1, THERE)))
    assert table.taken == [(2, 1)]


def test_a_third_die_is_said_and_no_throw():
    table = DiceTable().watch(3.0, (die(2), die(1, THERE), die(5, FAR)))
    assert (table.kinds, table.taken) == (["wrong_dice"], [])
    assert table.heard[0].ruling.numbers == (3, 2)


def test_spare_dice_beside_the_board_are_no_part_of_a_throw():
    spare = die(5, BESIDE, "off_board")
    assert DiceTable(dice=(spare,)).watch(1.5, (spare, die(2), die(1, THERE))).taken == [(2, 1)]


def test_a_die_that_cannot_be_read_is_said():
    table = DiceTable().watch(3.0, (die(2), die(None, THERE)))
    assert (table.kinds, table.taken) == (["dice_unread"], [])
    # It may be read in the end.
    assert table.watch(3.0, (die(2), die(1, THERE))).taken == [(2, 1)]


def test_one_die_is_a_throw_in_ludo():
    table = DiceTable(rules="masters_ludo").watch(1.5, (die(6),))
    assert table.taken == [(6,)]


def test_a_throw_entered_by_hand_stands_for_the_dice_on_the_board():
    table = DiceTable().watch(0.3, (die(2), die(1, THERE)))
    table.tell(lambda t: ThrowMade(t, (2, 1), "buttons")).watch(4.0)
    assert (table.taken, table.kinds) == ([(2, 1)], [])


def test_a_throw_of_too_many_dice_is_said():
    table = DiceTable(dice_from="tower").tell(lambda t: ThrowMade(t, (2, 1, 5)))
    assert (table.kinds, table.taken) == (["wrong_dice"], [])


def test_dice_on_the_board_mean_nothing_where_the_tower_reads_them():
    assert DiceTable(dice_from="tower").watch(3.0, (die(2), die(1, THERE))).taken == []


# Tower and camera


def test_tower_and_camera_that_agree_make_one_throw():
    table = DiceTable(dice_from="both").tell(lambda t: ThrowMade(t, (1, 2)))
    assert table.taken == []
    table.watch(6.0, (die(2), die(1, THERE)))
    assert (table.taken, table.kinds) == ([(2, 1)], [])


def test_two_different_readings_are_said_and_neither_is_taken():
    table = (
        DiceTable(dice_from="both").tell(lambda t: ThrowMade(t, (2, 1))).watch(6.0, (die(3), die(1, THERE)))
    )
    assert (table.taken, table.kinds) == ([], ["dice_differ"])
    assert table.heard[0].ruling.readings == (("tower", (2, 1)), ("camera", (3, 1)))


def test_one_reading_is_enough_when_the_other_does_not_come():
    table = DiceTable(dice_from="both").tell(lambda t: ThrowMade(t, (2, 1))).watch(2.4)
    assert table.taken == [(2, 1)]
    table = DiceTable(dice_from="both").watch(3.0, (die(2), die(1, THERE)))
    assert table.taken == [(2, 1)]


def test_a_late_word_of_the_same_throw_is_no_other_throw():
    table = DiceTable(dice_from="both").tell(lambda t: ThrowMade(t, (2, 1))).watch(3.0)
    table.watch(4.0, (die(2), die(1, THERE)), red=[0, 0, 0, 8])
    assert (table.taken, table.kinds) == ([(2, 1)], ["legal"])


LEANING = (die(2), die(None, THERE, "cocked"))


@pytest.mark.parametrize("seen", [LEANING, (die(2), die(1, THERE))])
@pytest.mark.parametrize("before_s", [0.3, 1.8])
def test_what_the_tower_says_is_no_throw_is_none_by_the_camera_either(seen, before_s):
    # The camera has its word after 0.9 s: the tower's comes before it, or after.
    table = DiceTable(dice_from="both").watch(before_s, seen)
    table.tell(lambda t: ThrowVoid(t, "cocked")).watch(4.0)
    assert (table.taken, table.kinds) == ([], [])
    table.watch(0.6, hand=True).watch(0.6, ()).tell(lambda t: ThrowMade(t, (6, 3)))
    table.watch(2.4, (die(6), die(3, THERE)))
    assert (table.taken, table.kinds) == ([(6, 3)], [])


def test_a_throw_that_the_tower_has_read_stays_one_when_more_is_thrown_onto_it():
    table = DiceTable(dice_from="both").tell(lambda t: ThrowMade(t, (2, 1)))
    table.tell(lambda t: ThrowVoid(t, "lift"))
    assert table.taken == [(2, 1)]


@pytest.mark.parametrize("first", ["tower", "camera"])
def test_a_die_that_the_tower_misses_and_the_camera_sees_lie_was_not_dropped(first):
    table = DiceTable(dice_from="both", rules="submariners")
    if first == "tower":
        table.tell(lambda t: DiceFault(t, "dropped"))
    table.watch(1.5, (die(2), die(1, THERE)))
    if first == "camera":
        table.tell(lambda t: DiceFault(t, "dropped"))
    assert (table.taken, table.kinds) == ([(2, 1)], [])


def test_a_lost_tower_is_not_waited_for():
    table = DiceTable(dice_from="both").tell(lambda t: DeviceChanged(t, "tower", "lost"))
    assert table.watch(0.9, (die(2), die(1, THERE))).taken == [(2, 1)]


def test_done_pressed_among_lying_dice_rules_nothing():
    assert after_a_throw().tell(lambda t: ButtonPressed(t, "done")).kinds == ["legal"]


def test_the_camera_reads_the_dice_while_the_tower_is_lost():
    table = DiceTable(dice_from="tower").watch(1.5, (die(2), die(1, THERE)))
    table.tell(lambda t: DeviceChanged(t, "tower", "lost")).watch(3.0)
    assert table.taken == []
    table.watch(0.6, hand=True).watch(1.5, (die(4, FAR), die(3, (60.0, 60.0))))
    table.tell(lambda t: DeviceChanged(t, "tower", "back")).watch(1.5, (), red=[0, 0, 0, 12])
    table.watch(1.5, (die(6), die(5, THERE)))
    assert (table.taken, table.kinds) == ([(4, 3)], ["device_lost", "device_back", "legal"])


def test_dice_that_are_taken_for_something_else_are_said_and_are_no_fault():
    thing = (Stray(None, (11, 3)),)
    table = after_a_throw().watch(1.2, ()).watch(3.0, (), stray=thing)
    assert (table.kinds, table.taken) == (["legal", "dice_unread"], [(2, 1)])
    table = after_a_throw().watch(1.2, ()).watch(3.0, (die(4, FAR),), stray=thing)
    assert (table.kinds, table.taken) == (["legal", "dice_unread"], [(2, 1)])


def test_a_thing_put_down_beside_lying_dice_is_nothing():
    table = after_a_throw().watch(5.0, stray=(Stray(None, (11, 3)),))
    assert table.kinds == ["legal"]
    table.watch(1.2, (), stray=(Stray(None, (11, 3)),))
    assert table.watch(1.5, (die(6, FAR), die(5)), stray=(Stray(None, (11, 3)),)).taken == [(2, 1), (6, 5)]


def test_dice_may_be_seen_in_the_end():
    table = DiceTable().watch(1.2, (), stray=(Stray(None, (11, 3)),)).watch(1.5, (die(6, FAR), die(5)))
    assert (table.kinds, table.taken) == ([], [(6, 5)])


def test_of_two_readings_of_untouched_dice_the_longer_counts():
    table = DiceTable().watch(0.9, (die(5), die(1, THERE))).watch(1.8, (die(2), die(1, THERE)))
    assert table.referee.match.thrown == (5, 1)
    table.watch(0.6)
    assert (table.taken, table.kinds) == ([(5, 1), (2, 1)], ["dice_reread"])
    table.watch(1.5, red=[0, 0, 0, 8])
    assert table.kinds == ["dice_reread", "legal"]


def test_dice_misread_so_that_nothing_could_move_are_put_right():
    table = (
        DiceTable(red=[0, 0, 0, 0]).watch(0.9, (die(5), die(1, THERE))).watch(2.4, (die(6), die(1, THERE)))
    )
    assert table.kinds == ["pass", "dice_reread"]
    assert table.watch(1.5, red=[0, 0, 0, 2]).kinds == ["pass", "dice_reread", "legal"]


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        # Still nothing can be moved.
        ((4, 1), ["Red cannot move."]),
        # A six brings a piece out.
        ((6, 1), ["Red cannot move.", "I misread the dice. They say 6 and 1."]),
    ],
)
def test_what_is_the_same_of_dice_that_were_misread_is_not_said_again(dice, said):
    table = DiceTable(red=[0, 0, 0, 0]).watch(0.9, (die(5), die(1, THERE)))
    table.watch(2.4, (die(dice[0]), die(dice[1], THERE)))
    sentences = [say(timed.ruling, table.setting.board) for timed in table.heard]
    assert [each for each in sentences if each] == said
    assert table.referee.match.to_play == (0 if 6 in dice else 1)


def test_that_dice_were_misread_of_which_nothing_was_said_is_not_said_either():
    table = DiceTable().watch(0.9, (die(5), die(1, THERE))).watch(2.4, (die(2), die(1, THERE)))
    assert table.kinds == ["dice_reread"]
    assert say(table.heard[0].ruling, table.setting.board) == ""


@pytest.mark.parametrize(
    ("setup", "first", "then", "said"),
    [
        # Only a two or a one brings the piece home.
        (
            {"red": [55, 56, 57, 57]},
            (2, 1),
            (4, 3),
            ["I misread the dice. They say 4 and 3.", "Red cannot move."],
        ),
        # Without a six there is no challenge, forced or not.
        (
            {"rules": "submariners", "to_play": "blue", "red": [16, 16, 0, 0], "blue": [28, 56, 57, 57]},
            (6, 5),
            (4, 1),
            ["Blue must challenge.", "I misread the dice. They say 4 and 1."],
        ),
    ],
)
def test_that_dice_were_misread_is_said_where_something_else_follows(setup, first, then, said):
    table = DiceTable(**setup)
    for seconds, dice in ((0.9, first), (2.4, then)):
        table.watch(seconds, (die(dice[0]), die(dice[1], THERE)))
    sentences = [say(timed.ruling, table.setting.board) for timed in table.heard]
    assert [each for each in sentences if each] == said


def test_a_throw_for_start_that_was_misread_is_said_again():
    table = DiceTable(to_play=None, red=[0, 0, 0, 0]).watch(0.9, (die(5), die(1, THERE)))
    table.watch(2.4, (die(6), die(1, THERE)))
    assert [say(timed.ruling, table.setting.board) for timed in table.heard] == [
        "Red throws 6 for start.",
        "I misread the dice. They say 6 and 1.",
        "Red throws 7 for start.",
    ]


def test_what_is_another_thing_of_dice_that_were_misread_is_said():
    # Only a one brings these home, but a six earns another throw.
    table = DiceTable(red=[56, 56, 56, 57]).watch(0.9, (die(5), die(4, THERE)))
    table.watch(2.4, (die(6), die(4, THERE)))
    assert [say(timed.ruling, table.setting.board) for timed in table.heard] == [
        "Red cannot move.",
        "I misread the dice. They say 6 and 4.",
        "Red cannot move. Throw again.",
    ]


def test_a_reading_that_flickers_once_the_dice_were_read_for_long_is_nothing():
    table = DiceTable().watch(3.0, (die(2), die(1, THERE))).watch(2.1, (die(5), die(1, THERE)))
    assert (table.watch(3.0, (die(2), die(1, THERE))).kinds, table.taken) == ([], [(2, 1)])


def test_a_play_that_follows_from_the_dice_as_they_were_read_for_a_moment_accuses_nobody():
    table = DiceTable().watch(1.8, (die(5), die(1, THERE))).watch(0.6, (die(2), die(1, THERE)))
    table.watch(0.6, hand=True).watch(6.0, (), red=[0, 0, 0, 8])
    assert not {"illegal", "check"} & set(table.kinds)
    assert table.position("red") == [0, 0, 0, 8]


def test_a_slip_that_looks_like_the_play_of_dice_as_they_were_read_for_a_moment_may_be_mended():
    table = DiceTable().watch(1.8, (die(5), die(1, THERE))).watch(0.6, (die(2), die(1, THERE)))
    table.watch(0.6, hand=True).watch(3.0, (), red=[0, 0, 0, 8])
    assert table.kinds == ["revised", "legal"]
    table.watch(0.6, hand=True).watch(6.0, red=[0, 0, 0, 11])
    assert table.kinds == ["revised", "legal"] * 2
    assert table.position("red") == [0, 0, 0, 11]


def test_half_a_play_of_dice_misread_is_a_whole_one_of_the_dice_as_they_were():
    table = (
        DiceTable(red=[0, 0, 5, 5]).watch(0.6, (die(5), die(1, THERE))).watch(2.7, (die(6), die(1, THERE)))
    )
    assert (table.taken, table.referee.match.thrown) == ([(5, 1), (6, 1)], (6, 1))
    table.watch(0.6, hand=True).watch(3.0, (), red=[0, 0, 5, 11])
    table.watch(1.5, (die(4, FAR), die(3)))
    assert not {"illegal", "check", "void"} & set(table.kinds)
    assert table.position("red") == [0, 0, 5, 11]
    # Green cannot move with what it has thrown.
    assert table.referee.match.to_play == 2


def test_nobody_is_accused_by_dice_that_were_read_in_two_ways():
    table = DiceTable().watch(2.4, (die(2), die(1, THERE))).watch(0.6, (die(5), die(1, THERE)))
    table.watch(0.6, hand=True).watch(6.0, (die(2), die(1, THERE)), red=[0, 0, 0, 9])
    assert table.kinds == ["check"]
    assert say(table.heard[0].ruling, table.setting.board) == "Check the dice."
    table.tell(lambda t: ButtonPressed(t, "done"))
    assert table.position("red") == [0, 0, 0, 9]
    assert table.referee.match.to_play == 1


def test_a_piece_put_where_no_dice_take_it_is_called_though_the_dice_were_read_in_two_ways():
    """From base to the twelfth square; a six and a five bring it to the sixth at most."""
    for at, said in ((6, "check"), (12, "illegal")):
        table = DiceTable(red=[0] * 4).watch(2.4, (die(6), die(1, THERE))).watch(0.6, (die(5), die(1, THERE)))
        table.watch(0.6, hand=True).watch(6.0, (die(6), die(1, THERE)), red=[0, 0, 0, at])
        assert table.kinds == [said]


def test_dice_read_for_long_and_once_otherwise_are_asked_about_when_that_is_what_was_played():
    table = DiceTable().watch(3.0, (die(2), die(1, THERE))).watch(0.3, (die(5), die(1, THERE)))
    table.watch(0.6, (die(2), die(1, THERE))).watch(0.6, hand=True).watch(4.0, red=[0, 0, 0, 11])
    assert table.kinds == ["check"]
    assert say(table.heard[0].ruling, table.setting.board) == "Check the dice."


def test_dice_read_for_long_before_and_after_a_flicker_are_known_and_one_turned_by_hand_is_seen():
    table = (
        DiceTable(red=[0, 0, 0, 0]).watch(3.0, (die(2), die(1, THERE))).watch(0.6, (die(5), die(1, THERE)))
    )
    table.watch(2.7, (die(2), die(1, THERE))).watch(0.9, (), hand=True).watch(6.0, (die(6), die(1, THERE)))
    assert table.kinds == ["pass", "dice_turned"]


def test_dice_read_in_two_ways_excuse_nobody_who_moves_others_pieces():
    table = DiceTable(green=[9, 0, 0, 0])
    table.watch(2.4, (die(2), die(1, THERE))).watch(0.6, (die(5), die(1, THERE)))
    table.watch(0.6, hand=True).watch(4.0, (die(2), die(1, THERE)), green=[11, 0, 0, 0])
    assert table.kinds == ["timber_shift"]


@pytest.mark.parametrize(("red", "said"), [([0, 1, 0, 7], "illegal"), ([0, 0, 0, 8], "check")])
def test_dice_read_in_two_ways_excuse_nothing_that_is_moved_beside_a_play_of_them(red, said):
    """By 2 and 1 as by 5 and 1 nobody brings a piece out."""
    table = DiceTable(green=[9, 0, 0, 0], red=[0, 0, 0, 4])
    table.watch(2.4, (die(2), die(1, THERE))).watch(0.6, (die(5), die(1, THERE)))
    table.watch(0.6, hand=True).watch(4.0, (die(2), die(1, THERE)), red=red)
    assert table.kinds == [said]


def test_who_goes_on_to_what_refuted_dice_would_have_been_is_asked():
    """After the play they were read as told for so long that they cannot have been the others."""
    table = DiceTable(red=[0, 0, 0, 10]).watch(1.2, (die(2), die(4, THERE)))
    table.watch(1.5, (die(2), die(6, THERE))).watch(0.9, (die(2), die(4, THERE)), hand=True)
    table.watch(4.5, red=[0, 0, 0, 16]).watch(0.9, hand=True).watch(4.0, red=[0, 0, 0, 18])
    assert table.kinds == ["legal", "check"]


def test_dice_read_in_two_ways_accuse_nobody_though_the_next_come_before_the_play_is_read_rightly():
    table = DiceTable().watch(1.5, (die(5), die(1, THERE))).watch(1.2, (die(2), die(1, THERE)))
    table.watch(0.6, hand=True).watch(0.3, (), red=[0, 0, 0, 8])
    table.watch(0.6, (die(6, FAR), die(4, BESIDE)), red=[0, 0, 0, 14]).watch(3.0, red=[0, 0, 0, 8])
    assert table.kinds == ["throw_held", "check"]


@pytest.mark.parametrize(("read_s", "said"), [(1.5, "check"), (4.5, "illegal")])
def test_a_die_turned_for_a_better_play_does_not_make_it_legal(read_s, said):
    """Read for no longer than two errors last before the hand came, it may have been misread until then."""
    table = DiceTable().watch(read_s, (die(2), die(1, THERE))).watch(0.6, hand=True)
    table.watch(1.2, (die(3), die(1, THERE))).watch(0.6, hand=True).watch(6.0, red=[0, 0, 0, 9])
    assert sorted(table.kinds) == sorted(["dice_turned", said])
    assert table.position("red") == [0, 0, 0, 5]


@pytest.mark.parametrize(("read_s", "said"), [(2.1, ["check"]), (6.0, ["dice_turned"])])
def test_a_die_read_in_two_ways_before_a_hand_came_is_called_turned_only_if_it_was_read_rightly_for_long(
    read_s, said
):
    table = DiceTable().watch(0.6, (die(2), die(1, THERE))).watch(0.3, (die(5), die(1, THERE)))
    table.watch(read_s, (die(2), die(1, THERE))).watch(0.6, hand=True).watch(4.0, (die(3), die(1, THERE)))
    assert table.kinds == said


def test_a_die_read_in_two_ways_before_a_hand_came_and_in_one_of_them_afterwards_is_nothing():
    table = (
        DiceTable(red=[0, 0, 0, 0]).watch(1.5, (die(2), die(1, THERE))).watch(0.3, (die(5), die(1, THERE)))
    )
    table.watch(0.9, (die(2), die(1, THERE))).watch(0.6, hand=True).watch(6.0, (die(5), die(1, THERE)))
    assert table.kinds == ["pass"]


def test_a_reader_that_flickers_calls_no_die_turned_but_asks():
    table = DiceTable().watch(6.0, (die(2), die(1, THERE)))
    table.referee = replace(table.referee, flicker=Flicker(0.3, 400))
    table.watch(0.6, hand=True).watch(4.0, (die(3), die(1, THERE)))
    assert table.kinds == ["check"]
    assert say(table.heard[0].ruling, table.setting.board) == "Check the dice."


def test_a_die_turned_to_what_it_had_been_misread_as_for_a_moment_is_seen():
    table = (
        DiceTable(red=[0, 0, 0, 0]).watch(2.1, (die(2), die(1, THERE))).watch(1.2, (die(5), die(1, THERE)))
    )
    table.watch(4.2, (die(2), die(1, THERE))).watch(0.6, hand=True).watch(4.0, (die(5), die(1, THERE)))
    assert table.kinds == ["pass", "dice_turned"]


def test_dice_that_lie_as_they_were_taken_at_first_are_not_called_turned_though_they_were_misread_for_long():
    """They are taken for 3 and 3, read as 4 and 3 for longer than two errors last, and lie so no more."""
    table = DiceTable().watch(0.9, (die(3), die(3, THERE))).watch(4.2, (die(3), die(4, THERE)))
    table.watch(0.3, (die(3), die(3, THERE))).watch(0.6, hand=True).watch(4.0, (die(3), die(3, THERE)))
    assert table.kinds == ["dice_reread", "check"]


def test_a_die_that_shows_another_face_for_long_though_no_hand_was_seen_is_asked_about():
    table = DiceTable(red=[0, 0, 0, 0]).watch(6.0, (die(2), die(1, THERE)))
    assert table.watch(3.0, (die(5), die(1, THERE))).kinds == ["pass"]
    assert table.watch(0.9, (die(5), die(1, THERE))).kinds == ["pass", "check"]


def test_that_the_dice_are_as_they_should_be_does_not_say_that_the_play_is_done():
    table = (
        DiceTable(red=[0, 0, 5, 5]).watch(1.5, (die(2), die(1, THERE))).watch(0.3, (die(5), die(1, THERE)))
    )
    table.watch(1.2, (die(2), die(1, THERE))).watch(0.6, (), hand=True)
    table.watch(3.6, (die(6), die(1, THERE)), red=[0, 0, 5, 6])
    assert table.kinds == ["check"]
    table.tell(lambda t: ButtonPressed(t, "done"))
    assert table.kinds == ["check"]
    table.tell(lambda t: ButtonPressed(t, "done"))
    assert table.kinds == ["check", "check"]


def test_dice_that_changed_while_nobody_could_look_are_asked_about():
    table = DiceTable().watch(6.0, (die(2), die(1, THERE))).watch(0.6, (die(2), die(1, THERE)), hand=True)
    table.t += 1.2
    assert table.watch(4.0, (die(3), die(1, THERE))).kinds == ["check"]


def test_a_reader_whose_dice_flicker_is_believed_nothing_without_a_question():
    def called(flickers):
        table = DiceTable().watch(1.5, (die(2), die(1, THERE)))
        for _ in range(flickers):
            table.watch(0.6, (die(5), die(1, THERE))).watch(0.9, (die(2), die(1, THERE)))
        table.watch(3.3, (die(2), die(1, THERE))).watch(0.6, hand=True)
        return table.watch(4.0, red=[0, 0, 0, 12]).kinds

    assert (called(0), called(8)) == (["illegal"], ["check"])


def test_a_die_misread_twice_in_a_row_after_a_hand_was_there_was_not_turned():
    table = DiceTable().watch(3.0, (die(2), die(1, THERE))).watch(0.6, hand=True)
    table.watch(3.0, (die(3), die(1, THERE))).watch(6.0, (die(2), die(1, THERE)))
    assert table.kinds == []


def test_a_die_misread_for_long_while_it_is_played_as_it_was_told_is_asked_about():
    table = DiceTable().watch(3.0, (die(2), die(1, THERE))).watch(0.6, hand=True)
    table.watch(6.0, (die(3), die(1, THERE)), red=[0, 0, 0, 8])
    assert table.kinds == ["legal", "check"]


@pytest.mark.parametrize("dice_from", ["camera", "buttons"])
def test_a_die_misread_for_a_moment_before_a_hand_came_was_not_turned(dice_from):
    table = DiceTable().watch(3.0, (die(2), die(1, THERE)))
    if dice_from == "buttons":
        table = (
            DiceTable().tell(lambda t: ThrowMade(t, (2, 1), "buttons")).watch(3.0, (die(2), die(1, THERE)))
        )
    table.watch(2.4, (die(2), die(4, THERE))).watch(0.6, hand=True)
    table.watch(6.0, (die(2), die(1, THERE)), red=[0, 0, 0, 8])
    assert table.kinds == ["legal"]


def test_a_die_that_was_read_so_before_any_hand_came_was_not_turned():
    table = DiceTable().watch(0.6, (die(5), die(1, THERE))).watch(0.9, (die(2), die(1, THERE)))
    table.watch(0.6, hand=True).watch(6.0, red=[0, 0, 0, 8])
    assert "dice_turned" not in table.kinds
    assert table.position("red") == [0, 0, 0, 8]


def test_throwing_on_tells_that_dice_read_in_two_ways_allowed_no_play():
    table = DiceTable(red=[0] * 4).watch(0.9, (die(5), die(1, THERE))).watch(2.4, (die(6), die(1, THERE)))
    assert (table.kinds, table.referee.match.to_play) == (["pass", "dice_reread"], 0)
    table.watch(0.6, hand=True).watch(1.5, (die(4, FAR), die(3)))
    assert table.kinds == ["pass", "dice_reread", "revised", "pass"]
    assert table.referee.match.to_play == 2


def test_a_void_throw_that_is_read_again_changes_nothing():
    table = DiceTable().watch(1.5, (die(2), die(1, THERE))).watch(0.6, (die(6, FAR), die(5, (60.0, 60.0))))
    table.watch(3.0, (die(6, FAR), die(4, (60.0, 60.0))))
    assert (table.kinds, table.referee.match.thrown) == (["void"], (2, 1))


ANY_DIE = st.builds(
    SeenDie,
    st.sampled_from([None, 1, 2, 3, 6]),
    st.sampled_from(["flat", "flat", "flat", "cocked", "off_board"]),
    st.sampled_from([100.0, 108.0, 300.0, 640.0]),
    st.sampled_from([80.0, 200.0]),
)
ANY_LOOK = st.builds(
    lambda dice, red, hand, stray: ("look", tuple(dice), red, hand, stray),
    st.lists(ANY_DIE, max_size=3),
    st.sampled_from([(0, 0, 0, 5), (0, 0, 0, 8), (0, 0, 1, 5), ()]),
    st.sampled_from([False, False, False, True]),
    st.sampled_from([(), (), (Stray(None, (11, 3)),)]),
)
ANY_NEWS = st.sampled_from(
    [
        lambda t: ThrowMade(t, (6, 2)),
        lambda t: ThrowMade(t, (4,), "buttons"),
        lambda t: DiceFault(t, "dropped"),
        lambda t: ButtonPressed(t, "undo"),
        lambda t: ButtonPressed(t, "done"),
        lambda t: DeviceChanged(t, "tower", "lost"),
        lambda t: DeviceChanged(t, "camera", "back"),
        lambda t: ThrowVoid(t, "cocked"),
    ]
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["camera", "both", "tower"]),
    st.sampled_from(["br4006", "submariners", "couk_suckback", "masters_ludo"]),
    st.lists(st.tuples(st.sampled_from([0.0, 0.3, 0.3, 0.3, 3.0]), ANY_LOOK | ANY_NEWS), max_size=40),
)
def test_nothing_that_dice_may_do_confuses_the_referee(dice_from, rules, events):
    table = DiceTable(dice_from=dice_from, rules=rules)
    for after_s, event in events:
        table.t = round(table.t + after_s, 3)
        if callable(event):
            table.take(event(table.t))
            continue
        _, dice, red, hand, stray = event
        seen = {colour: tuple(steps) for colour, steps in table.pieces.items()} | {"red": red}
        table.take(Seen(table.t, Sighting(seen, stray, dice, hand)))
    assert [len(pieces) for pieces in table.referee.match.position] == [4] * 4
    assert all(timed.t <= table.t for timed in table.heard)


def test_a_die_thrown_that_falls_just_where_it_lay_is_told_by_what_is_played():
    table = DiceTable(rules="masters_ludo", red=[0, 0, 0, 5], green=[0, 0, 0, 9])
    table.watch(1.5, (die(3),)).watch(0.6, hand=True).watch(1.5, red=[0, 0, 0, 8])
    assert (table.taken, table.kinds) == ([(3,)], ["legal"])
    table.watch(0.6, hand=True).watch(2.0, ()).watch(2.0, (die(3, (104.0, 197.0)),))
    assert table.taken == [(3,)]
    table.watch(0.6, hand=True).watch(4.0, green=[0, 0, 0, 12])
    assert table.kinds == ["legal", "revised", "legal"]


def test_the_same_dice_elsewhere_before_the_play_is_seen_may_be_the_next_throw():
    table = DiceTable(rules="masters_ludo", red=[0, 0, 0, 5]).watch(1.5, (die(6),))
    # The piece that came out is overlooked at first.
    table.watch(0.6, hand=True).watch(0.6, ()).watch(1.2, (die(6, FAR),)).watch(0.6, red=[0, 0, 1, 5])
    assert (table.taken, table.kinds) == ([(6,)], ["legal"])
    table.watch(0.6, hand=True).watch(4.0, (), red=[0, 1, 1, 5])
    assert table.kinds == ["legal", "revised", "legal"]


def test_the_same_dice_taken_up_and_near_where_they_lay_before_the_play_is_seen_may_be_the_next_throw():
    table = DiceTable(green=[0, 0, 0, 9]).watch(1.5, (die(2), die(1, THERE)))
    table.watch(0.6, hand=True).watch(0.3, (), red=[0, 0, 0, 8])
    # Just when the dice come to lie there again, green's piece is misread.
    thrown = (die(2, (110.0, 230.0)), die(1, (310.0, 60.0)))
    table.watch(0.3, thrown, green=[0, 0, 0, 8]).watch(0.6, green=[0, 0, 0, 9])
    assert (table.taken, table.kinds) == ([(2, 1)], ["legal"])
    table.watch(0.6, hand=True).watch(4.0, (), green=[0, 0, 0, 12])
    assert table.kinds == ["legal", "revised", "legal"]


def test_a_die_turned_is_noticed_though_it_is_misread_itself_for_a_while():
    table = DiceTable(green=[0, 0, 0, 9]).watch(4.5, (die(2), die(1, THERE))).watch(0.9, hand=True)
    table.watch(1.5, (die(2), die(5, THERE))).watch(1.8, (die(2), die(4, THERE)))
    table.watch(0.9, (die(2), die(5, THERE)))
    assert table.kinds == []
    assert table.watch(1.2).kinds == ["dice_turned"]
    # It is known to be a 5 now, and misread for a moment.
    table.watch(0.9, (die(2), die(6, THERE))).watch(0.9, (die(2), die(5, THERE)))
    assert table.kinds == ["dice_turned"]


def test_a_die_misread_in_two_ways_in_a_row_was_not_turned():
    table = DiceTable(green=[0, 0, 0, 9]).watch(4.5, (die(2), die(1, THERE))).watch(0.9, hand=True)
    table.watch(2.1, (die(2), die(5, THERE))).watch(2.1, (die(2), die(4, THERE)))
    assert table.watch(3.0, (die(2), die(1, THERE))).kinds == []


def test_a_die_turned_is_noticed_though_the_other_one_is_misread_for_a_while():
    table = DiceTable().watch(4.0, (die(2), die(1, THERE))).watch(0.9, hand=True)
    table.watch(1.8, (die(2), die(6, THERE))).watch(1.8, (die(4), die(6, THERE)))
    assert (table.taken, table.kinds) == ([(2, 1)], ["dice_turned"])


def test_a_throw_near_where_the_last_one_lay_that_is_read_as_that_at_first_is_told_by_what_is_played():
    table = after_a_throw(green=[0, 0, 0, 9]).watch(2.4).watch(0.6, hand=True).watch(0.3, ())
    table.watch(0.9, (die(2, (120.0, 220.0)), die(1, (320.0, 60.0))))
    table.watch(2.7, (die(4, (120.0, 220.0)), die(1, (320.0, 60.0))))
    assert table.kinds == ["legal"]
    table.watch(0.6, hand=True).watch(3.0, (), green=[0, 0, 0, 14])
    assert table.kinds == ["legal", "revised", "legal"]


def test_nobody_is_accused_of_a_play_by_dice_that_may_have_been_thrown_whatever_they_show():
    table = after_a_throw(green=[0, 0, 0, 9]).watch(2.4).watch(0.6, hand=True).watch(0.3, ())
    table.watch(0.9, (die(2, (120.0, 220.0)), die(1, (320.0, 60.0))))
    assert table.watch(0.6, hand=True).watch(4.0, (), green=[0, 0, 0, 17]).kinds == ["legal", "check"]
    assert table.heard[-1].ruling.about == "dice"


def test_dice_that_show_others_once_they_were_played_are_asked_about_and_whose_turn_it_is_too():
    """Red threw double 2, read as 4 and 2 at first, and moved 6: one more throw is red's."""
    table = DiceTable(rules="couk", green=[0, 0, 0, 9]).watch(0.6, (die(4), die(2, THERE)))
    table.watch(0.6, (die(2), die(2, THERE))).watch(0.6, (die(3), die(2, THERE))).watch(0.9, hand=True)
    table.watch(3.0, (die(2), die(2, THERE)), red=[0, 0, 0, 11])
    assert (table.taken, table.kinds) == ([(4, 2)], ["legal", "dice_reread", "check"])
    table.tell(lambda t: ButtonPressed(t, "done")).watch(0.6, hand=True)
    table.watch(1.5, (die(2, FAR), die(1, HERE))).watch(0.9, hand=True).watch(3.0, red=[0, 0, 0, 14])
    assert table.kinds[3:] == ["check"]


def test_a_throw_with_which_nothing_could_be_moved_is_thought_of_also_where_the_next_one_is_held():
    """Red threw 1; green threw it again near there, and cannot move; then yellow's 1 is held for a moment."""
    table = DiceTable(rules="masters_ludo", yellow=[0, 0, 0, 20]).watch(1.5, (die(1),))
    table.watch(1.5, red=[0, 0, 0, 6]).watch(0.6, hand=True).watch(0.3, ()).watch(
        1.5, (die(1, (120.0, 220.0)),)
    )
    table.watch(0.6, hand=True).watch(0.6, (), red=[0, 0, 0, 7]).watch(0.6, (die(1, FAR),))
    table.watch(1.2, red=[0, 0, 0, 6])
    assert table.kinds == ["legal", "throw_held", "pass"]
    table.watch(0.6, hand=True).watch(3.0, (), yellow=[0, 0, 0, 21])
    assert table.kinds[3:] == ["revised", "legal"]


def test_dice_misread_of_which_nothing_could_be_moved_accuse_nobody_of_the_next_play():
    # With 4 and 1 it is red's turn, with snake eyes blue throws again.
    table = DiceTable(rules="couk_suckback", to_play="blue", red=[0, 0, 0, 1])
    table.watch(1.2, (die(4), die(1, THERE))).watch(1.2, (die(1), die(1, THERE)))
    table.watch(0.6, hand=True).watch(1.2, ()).watch(1.2, (die(6, FAR), die(5, (60.0, 60.0))))
    assert table.taken == [(4, 1), (6, 5)]
    table.watch(0.6, hand=True).watch(4.0, blue=[0, 0, 0, 6])
    assert table.kinds == ["pass", "revised", "legal"]


def test_dice_read_otherwise_after_a_bump_accuse_nobody():
    table = DiceTable(green=[0, 0, 0, 9], to_play="green")
    table.watch(2.4, (die(4), die(6, THERE)))
    # For two seconds nothing can be seen of the board.
    for _ in range(7):
        table.t = round(table.t + STEP_S, 3)
        table.take(Seen(table.t, Sighting({}, trouble=("board_not_found",), confidence=0.0)))
    table.watch(1.5, (die(4), die(1, THERE))).watch(0.6, hand=True).watch(4.0, green=[0, 0, 0, 14])
    assert "illegal" not in table.kinds
    assert table.position("green") == [0, 0, 0, 14]


def test_dice_that_were_held_and_are_read_again_are_not_taken_for_those_in_hand():
    table = (
        DiceTable().watch(1.5, (die(2), die(1, THERE))).watch(0.6, hand=True).watch(0.6, red=[0, 0, 0, 30])
    )
    # Where red's piece stands is seen now so, now so; green throws, and one die is misread at first.
    for k in range(6):
        second = die(5 if k < 2 else 1, FAR)
        table.watch(0.6, (die(3, (60.0, 60.0)), second), red=[0, 0, 0, 29 + k % 2])
    assert (table.kinds, table.referee.match.thrown) == (["throw_held", "dice_reread"], (2, 1))
    assert [told.dice for told in table.referee.held] == [(3, 1)]


def test_dice_accuse_nobody_if_they_were_glimpsed_otherwise_before_they_were_told():
    table = DiceTable().watch(0.3, (die(2), die(4, THERE))).watch(0.9, (die(2), die(6, THERE)))
    table.watch(0.6, hand=True).watch(0.6, (die(2), die(4, THERE)), red=[0, 0, 0, 11])
    table.tell(lambda t: ButtonPressed(t, "done"))
    assert (table.taken, table.kinds) == ([(6, 2)], ["revised", "legal"])


def test_dice_glimpsed_otherwise_before_a_hand_came_were_perhaps_another_throw():
    """Green's 6 is told as a 3, with which it cannot move, and is seen as a 6 once before the hand comes."""
    table = DiceTable(rules="western_ludo", to_play="green").watch(1.2, (die(3),)).watch(0.3, (die(6),))
    assert (table.taken, table.kinds) == ([(3,)], ["pass"])
    table.watch(1.5, hand=True).watch(0.9, (), green=[0, 0, 0, 1]).watch(3.0, (die(5, FAR),))
    assert table.kinds == ["pass", "revised", "legal"]
    assert table.position("green") == [0, 0, 0, 1]


def a_die_thrown_where_one_lay():
    """Red throws 2 and plays it; green's die, seen by nobody on its way, stops where red's lay, with a 4."""
    table = DiceTable(rules="masters_ludo", green=[0, 0, 0, 9]).watch(1.5, (die(2),)).watch(0.6, hand=True)
    table.watch(1.5, red=[0, 0, 0, 7]).watch(0.9, hand=True).watch(4.0, (die(4, (108.0, 195.0)),))
    assert (table.taken, table.kinds) == ([(2,)], ["legal"])
    return table


def test_a_die_thrown_to_where_one_lay_was_not_turned_and_its_play_is_legal():
    table = a_die_thrown_where_one_lay().watch(0.6, hand=True).watch(3.0, green=[0, 0, 0, 13])
    assert table.kinds == ["legal", "revised", "legal"]


def test_two_dice_thrown_to_where_two_lay_were_not_turned_though_one_shows_the_same_face():
    table = after_a_throw(green=[0, 0, 0, 9]).watch(0.6, hand=True).watch(0.3, ())
    table.watch(4.0, (die(2, (104.0, 205.0)), die(6, (305.0, 90.0))))
    table.watch(0.6, hand=True).watch(3.0, green=[0, 0, 0, 17])
    assert (table.taken, table.kinds) == ([(2, 1), (6, 2)], ["legal", "legal"])


def test_a_die_thrown_near_where_one_lay_is_a_throw_if_that_was_gone_from_sight():
    table = DiceTable(rules="masters_ludo", green=[0, 0, 0, 9]).watch(1.5, (die(2),)).watch(0.6, hand=True)
    table.watch(1.5, red=[0, 0, 0, 7]).watch(0.6, hand=True).watch(0.3, ())
    table.watch(0.9, (die(4, (119.0, 200.0)),))
    assert (table.taken, table.kinds) == ([(2,), (4,)], ["legal"])


def test_a_throw_after_dice_that_may_have_been_thrown_accuses_nobody_of_the_play_of_those():
    table = a_die_thrown_where_one_lay().watch(0.6, hand=True).watch(0.3, (), green=[0, 0, 0, 13])
    table.watch(4.0, (die(1, FAR),))
    assert not {"illegal", "timber_shift"} & set(table.kinds)
    assert table.position("green") == [0, 0, 0, 13]


def test_a_throw_too_many_after_dice_that_may_have_been_thrown_accuses_nobody_of_the_play_of_those():
    table = a_die_thrown_where_one_lay().watch(0.9, (), hand=True).watch(1.5, (die(1, FAR),))
    table.watch(0.6, hand=True).watch(4.0, green=[0, 0, 0, 13])
    assert not {"illegal", "timber_shift"} & set(table.kinds)


def test_whose_turn_it_is_stays_in_doubt_after_a_throw_that_was_taken_to_have_been_passed():
    """Red's dice were glimpsed as 2 and 4, with which it cannot move, before they were told as 6 and 2."""
    pieces = {"red": [0] * 4, "green": [0, 0, 0, 9], "yellow": [0, 0, 0, 10]}
    table = DiceTable(**pieces).watch(0.3, (die(2), die(4, THERE))).watch(1.2, (die(2), die(6, THERE)))
    table.watch(0.9, hand=True).watch(0.9, ()).watch(1.5, (die(3, FAR), die(1, (60.0, 60.0))))
    assert table.kinds == ["revised"]
    assert table.referee.match.board.seats[table.referee.match.to_play] == "green"
    table.watch(0.9, hand=True).watch(5.0, yellow=[0, 0, 0, 12])
    assert not {"illegal", "timber_shift"} & set(table.kinds)


def test_dice_read_as_told_for_long_are_what_they_were_told():
    table = DiceTable().watch(0.6, (die(5), die(1, THERE))).watch(6.0, (die(2), die(1, THERE)))
    table.watch(0.6, hand=True).watch(3.0, red=[0, 0, 0, 9])
    assert "check" not in table.kinds and table.kinds[-1] == "illegal"


def test_dice_that_fell_where_they_had_lain_may_be_the_next_throw():
    table = DiceTable(green=[0, 0, 0, 9]).watch(1.5, (die(2), die(1, THERE))).watch(1.5, red=[0, 0, 0, 8])
    # A hand takes them, and they roll to where they were, with the same faces.
    table.watch(0.6, (), hand=True).watch(0.9, (die(2), die(1, THERE)))
    table.watch(0.6, hand=True).watch(3.0, green=[0, 0, 0, 12])
    assert table.kinds == ["legal", "revised", "legal"]


def test_the_same_dice_elsewhere_may_be_another_throw_when_whose_turn_it_is_is_in_doubt():
    table = DiceTable(green=[0, 0, 0, 9]).watch(1.5, (die(2), die(1, THERE)))
    # Red's piece stays where it is: nobody saw that green threw the same dice after all.
    table.watch(0.6, (), hand=True).watch(1.5, (die(2, FAR), die(1, BESIDE)))
    table.watch(0.6, hand=True).watch(4.0, green=[0, 0, 0, 12])
    assert "timber_shift" not in table.kinds


def test_dice_read_in_two_ways_accuse_nobody_who_could_move_by_one_of_them_only():
    table = DiceTable(red=[0] * 4, yellow=[30, 0, 0, 0]).watch(1.5, (die(5), die(1, THERE)))
    assert (table.kinds, table.referee.match.to_play) == (["pass"], 1)
    table.watch(0.9, (die(6), die(1, THERE))).watch(0.6, hand=True).watch(1.8, (), red=[0, 0, 0, 2])
    # As it falls due to be called, a piece elsewhere is not seen.
    table.watch(0.9, yellow=[0, 0, 0])
    assert table.kinds[1:] == ["check"]


def test_half_a_play_of_dice_that_were_taken_to_be_put_back_accuses_nobody():
    table = after_a_throw(green=[0, 0, 5, 20]).watch(0.6, hand=True)
    table.watch(3.0, (die(2, (130.0, 200.0)), die(1, (330.0, 80.0)))).watch(0.9, hand=True)
    assert table.watch(3.0, green=[0, 0, 7, 20]).kinds == ["legal", "check"]


def test_after_a_throw_that_looked_void_because_the_dice_before_it_may_be_misread_nobody_is_accused():
    table = DiceTable(green=[0, 0, 0, 5]).watch(1.5, (die(2), die(1, THERE))).watch(0.9, hand=True)
    table.watch(1.2, ()).watch(1.5, (die(4, FAR), die(5, (60.0, 60.0)))).watch(0.9, hand=True)
    assert table.kinds == ["void"]
    assert "timber_shift" not in table.watch(3.0, green=[0, 0, 0, 12]).kinds
    assert table.kinds[1:2] == ["out_of_step"]


def test_where_people_have_not_moved_what_a_penalty_moved_nobody_is_accused():
    table = DiceTable(rules="couk", dice_from="tower", green=[0, 0, 0, 5], red=[0, 0, 0, 20])
    for _ in range(3):
        table.tell(lambda t: DiceFault(t, "dropped"))
    assert table.kinds == ["dropped", "dropped", "penalty"]
    table.tell(lambda t: ThrowMade(t, (2, 1))).watch(0.9, hand=True)
    assert table.watch(3.0, red=[0, 0, 0, 23]).kinds[3:] == ["check"]


def test_a_penalty_that_seems_paid_for_a_moment_has_not_been_paid():
    table = DiceTable(rules="couk", dice_from="tower", green=[0, 0, 0, 5], red=[0, 0, 0, 20])
    for _ in range(3):
        table.tell(lambda t: DiceFault(t, "dropped"))
    table.watch(0.9, hand=True).watch(1.2).watch(0.9, red=[0] * 4)
    assert table.watch(4.0, red=[0, 0, 0, 20]).kinds == ["dropped", "dropped", "penalty"]


def test_what_is_moved_when_a_penalty_has_been_paid_is_called():
    table = DiceTable(rules="couk", dice_from="tower", green=[0, 0, 0, 5], red=[0, 0, 0, 20])
    for _ in range(3):
        table.tell(lambda t: DiceFault(t, "dropped"))
    table.watch(0.9, hand=True).watch(0.3, red=[0] * 4).watch(0.9, hand=True)
    assert table.watch(3.0, green=[0, 0, 0, 8]).kinds[3:] == ["timber_shift"]


def a_piece_out_after(*throws, by="yellow"):
    """One die, all pieces in base: these throws, the last of them a six, and somebody brings a piece out."""
    table = DiceTable(rules="masters_ludo", red=[0] * 4)
    for number, value in enumerate(throws):
        table.watch(0.9, (), hand=True).watch(1.5, (die(value, (HERE, THERE)[number % 2]),))
    assert table.referee.match.thrown == (6,)
    return table.watch(0.9, hand=True).watch(4.0, **{by: [0, 0, 0, 1]})


def test_whose_turn_it_is_after_throws_that_moved_nothing_is_the_camera_s_word_alone():
    # Red could not move; green's throw was not seen.
    table = a_piece_out_after(2, 6)
    assert table.kinds == ["pass", "check"]


def test_whose_turn_it_is_is_the_camera_s_word_alone_though_a_shifted_piece_was_let_stand():
    table = DiceTable(rules="masters_ludo", red=[0] * 4, blue=[0, 0, 0, 20])
    table.watch(0.9, (), hand=True).watch(1.5, (die(2),))
    # Green's throw is not seen. Blue's piece is shifted, and left where it is.
    table.watch(0.9, hand=True).watch(4.0, blue=[0, 0, 0, 23])
    assert table.kinds == ["pass", "timber_shift"]
    table.watch(0.9, (), hand=True).watch(1.5, (die(6, THERE),))
    # Only so many guesses are kept, and this one may be among those that are not.
    table.referee = replace(table.referee, guesses=())
    table.watch(0.9, hand=True).watch(4.0, yellow=[0, 0, 0, 1])
    assert table.kinds[2:] == ["stood", "check"]


def test_a_whole_play_may_be_half_of_one_by_what_else_the_dice_were_read_as():
    table = DiceTable(red=[0, 53, 57, 57]).watch(0.6, (die(1), die(4, THERE)))
    table.watch(1.2, (die(6), die(4, THERE))).watch(0.9, (), hand=True).watch(3.9, red=[0, 57, 57, 57])
    assert table.kinds == ["legal"]
    table.watch(0.9, (), hand=True).watch(3.0, red=[1, 57, 57, 57])
    assert table.kinds == ["legal", "revised", "legal"]


def test_dice_that_nothing_could_be_moved_with_may_be_the_next_side_s_where_a_throw_went_unread():
    table = DiceTable(red=[0, 0, 0, 0], yellow=[20, 0, 0, 0]).watch(4.2, (die(2), die(1, THERE)))
    # Green throws, and nobody can read it; then yellow throws, and plays.
    table.watch(0.9, (), hand=True).watch(0.3, (die(4, FAR),)).watch(0.6, (), hand=True)
    table.watch(4.2, (die(5, FAR), die(4, BESIDE)))
    assert table.kinds == ["pass", "pass"]
    # Only so many guesses are kept, and this one may be among those that are not.
    table.referee = replace(table.referee, guesses=())
    assert table.watch(0.9, (), hand=True).watch(4.0, (), yellow=[29, 0, 0, 0]).kinds[2:] == ["check"]


def after_a_void_throw(dice=None, seconds=4.2):
    """Red has played 2 and 1; green has thrown 5 and 3, and somebody `dice` before that was played."""
    table = DiceTable(red=[0, 0, 0, 6], green=[20, 0, 0, 0], yellow=[30, 0, 0, 0])
    table.watch(4.2, (die(2), die(1, THERE))).watch(0.9, hand=True).watch(2.4, red=[0, 0, 0, 9])
    table.watch(0.9, (), hand=True).watch(4.2, (die(5, FAR), die(3, BESIDE)))
    table.watch(0.9, (), hand=True).watch(seconds, dice or (die(2), die(4, THERE)))
    assert table.kinds == ["legal", "void"]
    return table


def test_what_follows_from_none_of_the_dice_is_not_called_while_a_throw_was_void():
    table = after_a_void_throw().watch(0.9, (), hand=True).watch(4.0, (), yellow=[27, 0, 0, 0])
    assert table.kinds[2:] == ["out_of_step", "put_this_right"]


def test_void_dice_that_were_misread_are_those_that_they_are_read_as_for_longer():
    last = after_a_void_throw((die(6), die(5, THERE)), 0.9).watch(2.7, (die(3), die(5, THERE)))
    last.watch(0.9, (), hand=True).watch(3.0, (), yellow=[38, 0, 0, 0])
    assert last.kinds == ["legal", "void", "revised", "legal"]


def test_what_follows_from_void_dice_is_asked_about():
    assert after_a_void_throw().watch(0.9, (), hand=True).watch(4.0, (), yellow=[34, 0, 0, 0]).kinds[2:] == [
        "check"
    ]


def test_dice_that_came_and_went_unread_may_have_been_thrown():
    table = after_a_throw()
    assert not table.watch(0.6, hand=True).watch(0.9, ()).referee.dice.was_missed
    assert table.watch(0.3, (die(4, FAR),)).watch(0.6, (), hand=True).referee.dice.was_missed
    table.watch(1.5, (die(6), die(5, FAR))).watch(0.6, hand=True).watch(1.5, green=[6, 0, 0, 0])
    assert (table.kinds[-1], table.referee.dice.was_missed) == ("legal", False)


def test_a_piece_moved_out_of_turn_is_called_where_no_throw_can_have_been_missed():
    assert a_piece_out_after(6, by="green").kinds == ["timber_shift"]


def test_dice_read_in_two_ways_accuse_nobody_though_the_board_has_caught_up_with_a_ruling_since():
    """Green's piece stands still where a ruling took it from, when the dice are read."""
    table = DiceTable(rules="couk", green=[0, 0, 0, 5], red=[0, 0, 0, 20])
    match = table.referee.match
    behind = (match.position[0], (0, 0, 0, 9), *match.position[2:])
    table.referee = replace(table.referee, match=match.but(behind=behind))
    table.watch(1.5, (die(6), die(4, THERE)), green=[0, 0, 0, 9]).watch(1.2, (die(1), die(4, THERE)))
    table.watch(0.6, hand=True).watch(1.2, green=[0, 0, 0, 5]).watch(0.6, hand=True)
    table.watch(4.0, red=[0, 0, 0, 25])
    assert "illegal" not in table.kinds


def where_blue_seems_to_start(seconds):
    """Green's nine is the highest, but blue's eight is read as ten for so long at first."""
    table = DiceTable(to_play=None, red=[0] * 4)
    for values in ((2, 1), (3, 6), (1, 2)):
        table.watch(1.5, (die(values[0]), die(values[1], THERE))).watch(0.9, (), hand=True).watch(0.9)
    table.watch(seconds, (die(5), die(5, THERE))).watch(1.2, (die(5), die(3, THERE)))
    return table.watch(0.9, (), hand=True).watch(0.9)


def test_nobody_is_accused_by_dice_for_start_that_were_read_in_two_ways():
    table = where_blue_seems_to_start(3.0).watch(1.5, (die(6, FAR), die(1, HERE))).watch(0.9, hand=True)
    assert table.watch(4.0, green=[0, 0, 0, 2]).kinds[-2:] == ["revised", "legal"]


def test_what_else_may_have_happened_is_kept_in_mind_when_dice_turn_out_to_be_others():
    table = where_blue_seems_to_start(1.5).watch(0.9, (die(6, FAR), die(2, HERE)))
    table.watch(2.4, (die(6, FAR), die(1, HERE))).watch(0.9, hand=True)
    assert table.watch(4.0, green=[0, 0, 0, 2]).kinds[-3:] == ["dice_reread", "revised", "legal"]


def test_a_die_turned_to_what_it_was_misread_as_between_is_asked_about():
    table = DiceTable().watch(1.2, (die(2), die(1, THERE))).watch(1.5, (die(3), die(1, THERE)))
    table.watch(2.7, (die(2), die(1, THERE))).watch(0.9, hand=True)
    table.watch(4.5, (die(3), die(1, THERE)))
    assert (table.kinds, table.heard[-1].ruling.about) == (["check"], "dice")


def test_a_die_thrown_too_early_to_just_where_it_lay_was_not_turned():
    table = DiceTable(rules="masters_ludo").watch(1.5, (die(2),)).watch(0.6, hand=True).watch(0.9, ())
    table.watch(4.0, (die(5, (103.0, 203.0)),))
    assert (table.kinds, table.heard[-1].ruling.about) == (["check"], "dice")


def test_a_die_that_may_have_been_thrown_on_a_wrong_board_accuses_nobody_of_its_play():
    """Yellow's piece is shifted; green's die, seen by nobody on its way, stops where red's lay."""
    table = DiceTable(rules="masters_ludo", green=[0, 0, 0, 9], yellow=[0, 0, 0, 20]).watch(1.5, (die(2),))
    table.watch(0.6, hand=True).watch(1.5, red=[0, 0, 0, 7]).watch(0.9, hand=True)
    table.watch(4.0, (die(4, (108.0, 195.0)),), yellow=[0, 0, 0, 21])
    assert (table.taken, table.kinds) == ([(2,)], ["legal", "timber_shift"])
    assert table.watch(0.6, hand=True).watch(3.0, green=[0, 0, 0, 13]).kinds[2:] == ["check"]


def test_dice_of_which_one_was_glimpsed_otherwise_while_the_other_could_not_be_read_accuse_nobody():
    """Double 6 is read as 6 and 3; before the hand comes the 3 is read as a 6, and the 6 not at all."""
    table = DiceTable().watch(1.8, (die(3), die(6, THERE))).watch(0.3, (die(6), die(None, THERE)))
    table.watch(0.9, hand=True).watch(3.0, (die(6), die(6, THERE)), red=[0, 0, 0, 17])
    assert table.taken[0] == (6, 3)
    assert not {"illegal", "timber_shift", "dice_turned"} & set(table.kinds)
    assert table.position("red") == [0, 0, 0, 17]


def test_the_same_dice_thrown_before_the_play_of_others_that_they_were_misread_as_accuse_nobody():
    """Red throws a 5 that is read as a 6 at first, and then too early a 6."""
    table = DiceTable(rules="masters_ludo").watch(2.1, (die(6),)).watch(1.5, (die(5),))
    table.watch(0.9, (), hand=True).watch(0.9).watch(2.4, (die(6, FAR),))
    assert (table.taken, table.kinds) == ([(6,)], [])
    assert "illegal" not in table.watch(0.9, hand=True).watch(4.0, red=[0, 0, 0, 10]).kinds


def test_dice_that_were_read_again_are_believed_for_all_the_time_that_they_were_read_so():
    table = DiceTable(green=[0, 0, 0, 20]).watch(1.5, (die(6), die(5, THERE)))
    table.watch(3.6, (die(6), die(3, THERE))).watch(0.9, hand=True)
    assert table.watch(4.0, red=[0, 0, 0, 16]).kinds == ["dice_reread", "illegal"]


def test_the_same_dice_elsewhere_before_the_play_may_have_been_thrown_and_nobody_is_called_by_them():
    table = DiceTable().watch(4.5, (die(2), die(1, THERE))).watch(0.6, (), hand=True).watch(0.3, ())
    table.watch(1.5, (die(2, FAR), die(1))).watch(0.6, hand=True).watch(4.0, yellow=[27, 0, 0, 0])
    assert (table.taken, table.kinds) == ([(2, 1)], ["out_of_step", "put_this_right"])


def test_dice_read_otherwise_once_a_hand_had_been_there_accuse_nobody_who_throws_on():
    """Red threw 4 and 5; the 5 is read as a 1 until red's hand comes, and rightly when it has gone."""
    table = DiceTable().watch(2.4, (die(4), die(1, THERE))).watch(0.9, hand=True)
    table.watch(0.6, (die(4), die(5, THERE)), red=[0, 0, 0, 14]).watch(0.9, (), hand=True)
    table.watch(4.0, (die(1, FAR), die(3)))
    assert (table.taken, table.kinds) == ([(4, 1)], ["throw_held", "check"])


def test_the_same_dice_elsewhere_that_turn_out_to_be_others_are_not_those_in_hand():
    table = DiceTable().watch(4.5, (die(3), die(2, THERE))).watch(0.6, (), hand=True).watch(0.3, ())
    table.watch(0.9, (die(2, FAR), die(3))).watch(4.5, (die(4, FAR), die(3))).watch(0.6, hand=True)
    table.watch(4.0, red=[0, 0, 0, 10])
    assert (table.taken, table.kinds) == ([(3, 2)], ["legal"])


def reaches_over(table):
    """A hand plays that does not hide the dice."""
    return table.tell(lambda t: Seen(t, Sighting({}, (), table.dice, True)))


def test_a_die_thrown_to_where_the_last_one_lay_that_cannot_be_read_at_first_is_told_by_what_is_played():
    table = DiceTable(rules="masters_ludo", green=[0, 0, 0, 9]).watch(4.5, (die(2),))
    reaches_over(table).watch(1.5, red=[0, 0, 0, 7]).watch(0.6, (), hand=True).watch(1.2)
    table.watch(0.6, (die(None, (104.0, 200.0)),)).watch(4.5, (die(2, (104.0, 200.0)),))
    assert (table.taken, table.kinds) == ([(2,)], ["legal"])
    assert reaches_over(table).watch(4.0, green=[0, 0, 0, 11]).kinds == ["legal", "revised", "legal"]


def test_a_die_turned_is_noticed_though_it_cannot_be_read_between():
    table = DiceTable(green=[0, 0, 0, 9]).watch(4.5, (die(2), die(1, THERE))).watch(0.9, hand=True)
    table.watch(1.8, (die(2), die(5, THERE))).watch(0.6, (die(2), die(None, THERE)))
    assert table.watch(1.5, (die(2), die(5, THERE))).kinds == []
    assert table.watch(1.2).kinds == ["dice_turned"]


def test_dice_read_again_are_not_believed_for_the_time_in_which_they_were_read_otherwise():
    """Red throws 6 and 2, read as 5 and 2 by two errors of the reader's, with one sighting between."""
    table = (
        DiceTable(red=[0, 0, 5, 57]).watch(1.2, (die(6), die(2, THERE))).watch(1.8, (die(5), die(2, THERE)))
    )
    table.watch(0.3, (die(6), die(2, THERE))).watch(1.5, (die(5), die(2, THERE)))
    assert (table.taken, table.kinds) == ([(6, 2), (5, 2)], ["dice_reread"])
    table.watch(0.6, (die(6), die(2, THERE))).watch(0.9, hand=True).watch(4.0, red=[0, 3, 5, 57])
    assert "illegal" not in table.kinds


def test_a_play_that_is_one_by_misread_dice_too_tells_nothing_of_the_throw_that_these_would_earn():
    """Red cannot move 5 or 6. By 6 and 1 it would throw again; it threw 5 and 1, and green goes on."""
    table = DiceTable(red=[54, 57, 57, 57], green=[10, 0, 0, 0])
    table.watch(1.5, (die(6), die(1, THERE))).watch(0.9, (die(5), die(1, THERE)))
    reaches_over(table).watch(0.6, red=[55, 57, 57, 57])
    reaches_over(table).watch(0.6, ()).watch(1.5, (die(4, FAR), die(3, (60.0, 400.0))))
    assert (table.taken, table.kinds) == ([(6, 1), (4, 3)], ["legal", "pass"])
    assert reaches_over(table).watch(4.0, green=[17, 0, 0, 0]).kinds[2:] == ["revised", "legal"]


def test_a_die_thrown_to_where_the_last_one_lay_that_goes_before_it_was_read_for_long_may_have_been_thrown():
    """Green threw 4, which moves nothing, and yellow the 1 that it plays."""
    there = (104.0, 200.0)
    table = DiceTable(rules="masters_ludo", red=[0, 0, 0, 5], yellow=[0, 0, 0, 19]).watch(4.5, (die(1),))
    reaches_over(table).watch(1.5, red=[0, 0, 0, 6])
    reaches_over(table).watch(0.3, ()).watch(1.2, (die(4, there),)).watch(1.5, (die(6, there),))
    reaches_over(table).watch(0.9, ()).watch(4.5, (die(1, THERE),))
    assert (table.taken, table.kinds) == ([(1,), (1,)], ["legal", "pass"])
    assert reaches_over(table).watch(4.0, yellow=[0, 0, 0, 20]).kinds[2:] == ["check"]


def test_a_die_turned_by_hand_that_is_misread_as_it_was_for_a_while_is_asked_about_by_what_it_showed_twice():
    table = DiceTable(green=[0, 0, 0, 9]).watch(4.5, (die(5), die(4, THERE)))
    reaches_over(table).watch(2.4, (die(3), die(4, THERE))).watch(1.5, (die(5), die(4, THERE)))
    assert table.kinds == []
    assert table.watch(2.7, (die(3), die(4, THERE))).kinds == ["check"]


def test_what_else_dice_may_be_is_kept_when_others_are_dropped_before_they_have_been_played():
    """Red throws 3 and 1, which are 4 and 3 for a while, drops one of the next, and then plays 4 squares."""
    table = (
        DiceTable()
        .watch(1.8, (die(3), die(4, THERE)))
        .watch(1.8, (die(3), die(1, THERE)))
        .watch(0.9, (), hand=True)
        .watch(3.0, (die(3, FAR),))
    )
    table.watch(0.9, (), hand=True).watch(3.0, (), red=[0, 0, 0, 9]).watch(1.5, (die(4), die(5, BESIDE)))
    assert table.kinds == ["revised", "legal", "pass"]


def test_a_six_of_a_challenge_that_was_misread_is_kept_in_mind_when_a_board_is_taken_as_it_stands():
    """Green's 6 and 4 count as 3 and 4, and green's next throw as yellow's; so yellow's play is asked about.
    Minutes later green has the second six, and takes yellow's blob.
    """
    pieces = {"red": [0, 0, 10, 40], "yellow": [1, 1, 9, 32], "blue": [0, 0, 0, 14]}
    table = DiceTable(rules="masters_uckers", to_play="green", green=[0, 0, 5, 13], **pieces)
    table.watch(1.5, (die(6), die(3, THERE))).tell(lambda t: CallMade(t, Call("challenge")))
    table.watch(1.2, (), hand=True)
    table.watch(1.2, (die(4, FAR), die(3, THERE))).watch(1.2, (die(4, FAR), die(6, THERE)))
    table.watch(1.2, (), hand=True).watch(1.5, (die(4), die(2, FAR)))
    table.watch(1.2, (), hand=True).watch(3.0, (die(5, THERE), die(4, FAR)))
    table.watch(1.2, hand=True).watch(3.0, yellow=[1, 1, 9, 41])
    table.watch(1.2, (), hand=True).watch(1.2, (die(5), die(2, FAR)), yellow=[1, 1, 9, 42])
    table.watch(2.4, yellow=[1, 1, 9, 41]).tell(lambda t: ButtonPressed(t, "done"))
    table.watch(1.2, hand=True).watch(3.0, blue=[0, 0, 0, 21])
    table.watch(1.2, (), hand=True).watch(1.5, (die(3, THERE), die(1, FAR)))
    table.watch(1.2, hand=True).watch(3.0, red=[0, 0, 14, 40])
    table.watch(1.2, (), hand=True).watch(3.0, (die(6), die(3, THERE)))
    table.watch(1.2, (), hand=True).watch(3.0, (die(5), die(3, FAR)))
    table.watch(1.2, hand=True).watch(4.0, green=[0, 0, 5, 14], yellow=[0, 0, 9, 41])
    assert table.kinds[-2:] == ["challenge_lost", "revised"]
    assert "timber_shift" not in table.kinds


@pytest.mark.parametrize(("first", "thrown"), [((5, 4), (5, 4)), ((5, 3), (4, 2))])
def test_dice_read_again_as_they_were_before_they_were_told_are_read_right_at_once(first, thrown):
    """A reader errs once rather than twice in the same way."""
    table = DiceTable().watch(0.3, (die(first[0]), die(first[1], THERE)))
    table.watch(1.2, (die(4), die(2, THERE))).watch(0.9, (die(5), die(4, THERE)))
    assert table.referee.match.thrown == thrown


def test_pieces_moved_for_a_dropped_throw_that_looked_like_a_die_put_back_accuse_nobody():
    """The third one sends all of green's pieces back to base."""
    nudged = (FAR[0] + 6.0, FAR[1])
    table = DiceTable(rules="couk", to_play="green", green=[28, 56, 57, 57])
    for at in (HERE, FAR, nudged):
        table.watch(2.4, (die(1, at),)).watch(0.9, (), hand=True).watch(1.2)
    table.watch(0.9, hand=True).watch(4.0, green=[0, 0, 0, 0])
    assert table.kinds == ["dropped", "dropped", "revised"]
    assert table.referee.match.to_play == 2


def test_a_die_that_looked_put_back_until_it_was_read_as_what_it_shows_has_not_been_turned():
    near, there = (110.0, 225.0), (290.0, 105.0)
    table = after_a_throw(green=[0, 0, 0, 9]).watch(6.0).watch(0.6, hand=True).watch(0.3, ())
    table.watch(0.9, (die(2, near), die(1, there))).watch(1.8, (die(2, near), die(5, there)))
    table.watch(1.5, hand=True).watch(6.0, green=[0, 0, 0, 16])
    assert "dice_turned" not in table.kinds


def test_a_die_turned_by_hand_that_is_misread_as_it_was_between_is_asked_about():
    table = after_a_throw(green=[0, 0, 0, 9]).watch(6.0).watch(0.6, hand=True)
    table.watch(1.8, (die(2), die(5, THERE))).watch(1.2, (die(2), die(1, THERE)))
    assert "check" not in table.watch(1.8, (die(2), die(5, THERE))).kinds
    assert table.watch(0.9).kinds[1:] == ["check"]


def test_half_a_play_that_is_missed_just_when_others_throw_was_no_throw_by_which_nothing_can_be_moved():
    table = DiceTable(red=[0, 0, 0, 0]).watch(0.6, (die(6), die(1, THERE)))
    # One die is a five for a moment, by which nobody comes out.
    table.watch(0.3, (die(5), die(1, THERE))).watch(1.2, (die(6), die(1, THERE)))
    table.watch(0.6, hand=True).watch(3.0, red=[0, 0, 0, 1]).watch(0.6, hand=True).watch(2.6, ())
    table.watch(0.9, (die(2, FAR), die(3)), red=[0, 0, 0, 0]).watch(4.0, red=[0, 0, 0, 1])
    assert table.kinds == ["throw_held", "illegal", "stood"]


def test_dice_that_people_were_asked_about_may_be_played_as_they_are_read_since():
    # Misread for longer than two errors mostly last, and then read rightly for longer still.
    table = DiceTable(red=[0, 5, 20, 57]).watch(0.6, (die(5), die(1, THERE)))
    table.watch(3.6, (die(1), die(1, THERE))).watch(4.2, (die(5), die(1, THERE)))
    assert table.kinds == ["dice_reread", "check"]
    table.watch(0.9, hand=True).watch(3.9, red=[0, 6, 25, 57]).watch(0.9, (), hand=True).watch(3.0)
    assert "illegal" not in table.kinds
    assert table.referee.match.position[0] == (0, 6, 25, 57)


def test_a_play_of_a_die_that_looked_put_back_is_not_called_though_one_that_looked_so_before_hid_a_turn():
    """Green plays a 5; yellow throws one too, and red throws blue's 4, each just where that die lay."""
    table = DiceTable(
        rules="western_ludo", to_play="green", red=[1, 1, 23, 49], green=[13, 15, 18, 57], blue=[0, 0, 0, 11]
    )
    near = (HERE[0] + 30.0, HERE[1])
    table.watch(1.5, (die(5),)).watch(0.9, hand=True).watch(0.3, green=[15, 18, 18, 57])
    table.watch(0.9, (), hand=True).watch(0.3).watch(3.0, (die(5, near),))
    table.watch(0.9, (), hand=True).watch(0.3).watch(3.6, (die(4, FAR),))
    table.watch(0.9, (), hand=True).watch(0.3).watch(3.6, (die(4, (FAR[0] + 30.0, FAR[1])),))
    table.watch(1.2, hand=True).watch(6.0, red=[1, 1, 27, 49])
    assert table.kinds == ["legal", "pass", "check"]


def test_two_throws_that_looked_like_a_die_put_back_may_be_one_that_moves_nothing_and_the_next_sides():
    """Green, all in base, throws the 4 that red has played, and yellow too: each just where that die lay."""
    table = DiceTable(rules="western_ludo", red=[0, 0, 0, 5], yellow=[0, 0, 0, 8])
    table.watch(1.5, (die(4),)).watch(0.9, hand=True).watch(1.8, red=[0, 0, 0, 9])
    for at in ((HERE[0] - 5.0, HERE[1]), (HERE[0] - 2.0, HERE[1] + 4.0)):
        table.watch(0.9, (), hand=True).watch(0.9).watch(3.0, (die(4, at),))
    assert (table.taken, table.kinds) == ([(4,)], ["legal"])
    table.watch(1.2, hand=True).watch(6.0, yellow=[0, 0, 0, 12])
    assert table.kinds == ["legal", "revised", "legal"]
    assert table.referee.match.to_play == 3


def test_dice_misread_until_a_hand_came_are_asked_about_when_they_are_read_again_as_they_were_first():
    first, then = (die(5), die(1, THERE)), (die(3), die(1, THERE))
    table = DiceTable(red=[0, 5, 20, 57]).watch(2.1, first).watch(4.2, then)
    assert table.kinds == ["dice_reread"]
    table.watch(0.9, hand=True).watch(3.0, first, red=[0, 6, 25, 57])
    assert "illegal" not in table.kinds
    assert "check" in table.kinds


def test_a_shift_that_ends_where_dice_would_have_led_that_were_misread_at_first_is_asked_about():
    table = (
        DiceTable(red=[0, 0, 0, 42]).watch(1.5, (die(5), die(3, THERE))).watch(4.2, (die(2), die(3, THERE)))
    )
    table.watch(1.2, hand=True).watch(3.0, red=[0, 0, 0, 47])
    assert table.kinds == ["dice_reread", "legal"]
    table.watch(1.2, hand=True).watch(3.0, red=[0, 0, 0, 50])
    assert table.kinds == ["dice_reread", "legal", "check"]


def test_a_shift_that_makes_a_play_of_what_the_dice_were_misread_as_is_asked_about():
    table = DiceTable(red=[0, 0, 0, 5]).watch(1.5, (die(2), die(1, THERE)))
    table.watch(1.2, (die(4), die(1, THERE))).watch(0.9, hand=True).watch(1.2, red=[0, 0, 0, 8])
    assert table.kinds == ["legal"]
    table.watch(0.9, hand=True).watch(1.2, red=[0, 0, 0, 10])
    assert "check" in table.kinds


def test_of_a_play_beside_a_shift_only_the_shift_is_called_where_the_dice_may_have_been_what_was_played():
    """Blue's piece is shifted and seen where it was once more; then green plays 6 and 1, told as 2 and 1."""
    pieces = {"red": [0, 0, 9, 15], "yellow": [0, 0, 0, 57], "blue": [0, 0, 18, 41]}
    table = DiceTable(to_play="green", green=[22, 27, 27, 39], **pieces).watch(0.9, (), hand=True)
    table.watch(0.6, blue=[0, 0, 18, 42]).watch(1.5, (die(2), die(1, THERE)))
    table.watch(0.6, (die(6), die(1, THERE)), blue=[0, 0, 18, 41]).watch(1.2, blue=[0, 0, 18, 42])
    table.watch(1.5, hand=True).watch(0.6, green=[22, 27, 27, 46]).watch(0.9, (), hand=True).watch(0.3)
    table.watch(4.2, (die(5, FAR), die(5, HERE)))
    assert table.kinds == ["throw_held", "throw_held", "revised", "illegal", "stood"]
    assert "Besides the play, a blue piece" in say(table.heard[3].ruling, table.setting.board)
    # A six was among the dice that green played, so green is to play the two fives too.
    assert (table.referee.match.to_play, table.referee.match.thrown) == (1, (5, 5))
