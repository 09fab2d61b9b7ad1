"""The referee at a scripted table: what is said, and when. Times and expectations are worked out by hand."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uckers_table.announce.lines import ruling_line
from uckers_table.announce.sentences import say
from uckers_table.game.board import CORNER, Plan
from uckers_table.game.match import Awaiting, Call, begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import (
    ButtonPressed,
    CallMade,
    Correction,
    DeviceChanged,
    DiceFault,
    Due,
    Seen,
    ThrowMade,
)
from uckers_table.referee.referee import Referee
from uckers_table.sighting import ASTRAY, Alternative, Sighting, Stray

SETTING = load_setting("br4006")
BOARD = SETTING.board
STEP_S = 0.3


class Scripted:
    """A table whose camera shows what it is told to, every STEP_S, and a referee that watches it."""

    setting = SETTING

    def __init__(self, to_play="red", **pieces):
        self.pieces = {"red": [0] * 4, "green": [0] * 4, "yellow": [0] * 4, "blue": [0] * 4} | pieces
        self.t = 0.0
        self.heard = []
        position = position_from(BOARD, self.pieces)
        self.referee = Referee(begin(self.setting, to_play=to_play, position=position))
        self.watch(1.0)

    def take(self, event):
        response = self.referee.handle(event)
        self.referee = response.referee
        self.heard += response.rulings
        return response

    def watch(self, seconds, *, hand=False, trouble=(), confidence=1.0, alternatives=(), stray=(), **pieces):
        """Move pieces, then let the camera look for so long."""
        self.pieces |= pieces
        end = self.t + seconds
        while self.t < end:
            self.t = round(self.t + STEP_S, 3)
            shown = {} if hand or trouble else self.pieces
            seen = {colour: tuple(sorted(steps)) for colour, steps in shown.items()}
            self.take(Seen(self.t, Sighting(seen, stray, (), hand, trouble, confidence, alternatives)))
        return self

    def throw(self, *dice):
        self.t = round(self.t + STEP_S, 3)
        self.take(ThrowMade(self.t, dice))
        return self

    def press(self, name):
        self.t = round(self.t + STEP_S, 3)
        self.take(ButtonPressed(self.t, name))
        return self

    @property
    def kinds(self):
        return [timed.ruling.kind.value for timed in self.heard]

    def position(self, colour):
        return list(self.referee.match.position[BOARD.seat(colour)])


def test_a_legal_play_counts_within_half_a_second_of_stillness():
    table = Scripted().throw(6, 3)
    began = table.t
    table.watch(2.0, red=[0, 0, 0, 4])
    assert table.kinds == ["legal"]
    first_seen_still = began + STEP_S
    assert table.heard[0].t - first_seen_still <= 0.5
    assert (table.position("red"), table.referee.match.awaiting) == ([0, 0, 0, 4], Awaiting.THROW)


def test_an_illegal_board_is_called_once_between_one_and_a_half_and_three_and_a_half_seconds():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2)
    began = table.t + STEP_S
    table.watch(8.0, red=[16, 22, 57, 57])
    assert table.kinds == ["illegal"]
    assert table.heard[0].ruling.reason == "wrong_count"
    assert 1.5 <= table.heard[0].t - began <= 3.5


def test_a_player_who_corrects_himself_in_time_is_not_accused():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2)
    table.watch(1.2, red=[16, 22, 57, 57]).watch(1.0, hand=True).watch(3.0, red=[15, 22, 57, 57])
    assert table.kinds == ["legal"]


def test_an_illegal_board_put_right_is_thanked_for_and_then_played():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(3.0, red=[16, 22, 57, 57])
    table.watch(1.0, red=[10, 20, 57, 57]).watch(1.0, red=[10, 27, 57, 57])
    assert table.kinds == ["illegal", "put_right", "legal"]


def test_an_illegal_board_may_be_mended_without_going_back():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(3.0, red=[16, 22, 57, 57])
    assert table.watch(1.0, red=[15, 22, 57, 57]).kinds == ["illegal", "legal"]


def test_half_a_play_is_never_accused_by_time_alone():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(30.0, red=[15, 20, 57, 57])
    assert table.kinds == []
    assert table.watch(1.0, red=[15, 22, 57, 57]).kinds == ["legal"]


def test_half_a_play_is_accused_when_the_player_says_done():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(3.0, red=[15, 20, 57, 57]).press("done")
    assert table.kinds == ["illegal"]
    assert table.heard[0].ruling.reason == "both_dice_owed"


def test_half_a_play_stands_after_the_next_throw():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0])
    table.throw(5, 2).watch(3.0, red=[15, 20, 57, 57]).throw(3, 1)
    assert table.kinds == ["illegal", "stood"]
    assert table.referee.match.to_play == BOARD.seat("green")
    assert table.position("red") == [15, 20, 57, 57]


def test_a_hand_over_the_board_stops_the_clock():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2)
    for _ in range(6):
        table.watch(0.9, red=[16, 22, 57, 57]).watch(0.9, hand=True)
    assert table.kinds == []


def test_a_shift_between_turns_is_called_and_thanked_for_when_put_back():
    table = Scripted(red=[10, 20, 57, 57], yellow=[12, 0, 0, 0])
    table.watch(4.0, yellow=[14, 0, 0, 0]).watch(1.0, yellow=[12, 0, 0, 0])
    assert table.kinds == ["timber_shift", "put_right"]
    shift = table.heard[0].ruling
    assert (BOARD.seats[shift.seat], shift.reason) == ("yellow", "not_your_turn")
    assert [(m.start, m.end) for m in shift.moves] == [(12, 14)]


def test_a_shift_that_nobody_minds_stands_with_the_next_throw():
    table = Scripted(red=[10, 20, 57, 57], yellow=[12, 0, 0, 0]).watch(4.0, yellow=[14, 0, 0, 0]).throw(5, 2)
    assert table.kinds == ["timber_shift", "stood"]
    assert table.position("yellow") == [0, 0, 0, 14]
    assert table.watch(1.0, red=[17, 20, 57, 57]).kinds[-1] == "legal"


def test_a_throw_before_the_last_play_was_seen_is_held_and_counts_if_the_play_is_legal():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).watch(0.9, hand=True).throw(3, 1)
    assert table.kinds == ["throw_held"]
    table.watch(1.0, red=[15, 22, 57, 57])
    assert table.kinds == ["throw_held", "legal"]
    match = table.referee.match
    assert (BOARD.seats[match.to_play], match.thrown, match.awaiting) == ("green", (3, 1), Awaiting.PLAY)


def test_a_held_throw_is_void_if_nothing_was_played():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.9, hand=True).throw(3, 1).watch(1.0)
    assert table.kinds == ["throw_held", "void"]
    assert table.referee.match.thrown == (5, 2)


def test_a_throw_while_the_board_is_seen_unplayed_is_void_at_once():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(1.0).throw(6, 6)
    assert table.kinds == ["void"]
    assert table.referee.match.thrown == (5, 2)


@pytest.mark.parametrize("trouble", ["too_dark", "colours_indistinct", "board_not_found"])
def test_a_blind_camera_is_said_once_and_then_nothing_is_ruled(trouble):
    table = (
        Scripted(red=[10, 20, 57, 57])
        .watch(3.0, trouble=(trouble,))
        .throw(1, 1)
        .watch(2.0, trouble=(trouble,))
    )
    assert table.kinds == ["cannot_see"]
    assert table.heard[0].ruling.about == trouble
    assert table.watch(1.0).kinds == ["cannot_see", "sees_again"]


def test_a_hand_that_rests_on_the_board_is_no_blindness():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(9.0, hand=True, trouble=("occluded",))
    assert table.watch(1.0, red=[15, 22, 57, 57]).kinds == ["legal"]


@pytest.mark.parametrize("trouble", ["blurred", "board_not_found"])
def test_a_blink_of_the_camera_or_a_knock_is_not_mentioned(trouble):
    # Until two seconds are over, it may be an error of the reader's.
    assert Scripted().watch(2.1, trouble=(trouble,)).watch(1.0).kinds == []


def test_pieces_missing_from_base_and_home_accuse_nobody():
    table = Scripted(red=[10, 20, 57, 57], green=[0, 0, 0, 5])
    assert table.watch(10.0, red=[10, 20], green=[0, 5]).kinds == []
    assert table.throw(5, 2).watch(1.0, red=[15, 22]).kinds == ["legal"]
    assert table.position("red") == [15, 22, 57, 57]


def test_a_piece_come_out_onto_a_stack_is_not_taken_for_one_lost_from_base():
    table = Scripted(red=[0, 0, 1, 5]).throw(5, 6)
    # Of the two on red's doorstep the camera sees one, and one less in base than before.
    table.watch(1.0, red=[0, 1, 10])
    assert table.kinds == ["legal"]
    assert table.position("red") == [0, 1, 1, 10]


def test_a_piece_sent_back_may_have_flown_off_the_board():
    table = Scripted(red=[10, 20, 57, 57], green=[4, 0, 0, 0])
    # Red's 10 and 7 land on the square of green's fourth step.
    assert BOARD.square(0, 17) == BOARD.square(1, 4)
    table.throw(5, 2).watch(1.0, red=[17, 20, 57, 57], green=[0, 0, 0])
    assert table.kinds == ["legal"]
    assert table.position("green") == [0, 0, 0, 0]


def test_a_reading_that_the_camera_itself_doubts_is_asked_about_and_one_press_settles_it():
    table = Scripted(red=[10, 10, 57, 57], green=[0, 0, 0, 5]).throw(5, 2)
    # Red played both; the reader still sees one where they stood, and says that it may be none.
    doubt = Alternative(str(BOARD.square(0, 10)), {}, 3.0)
    table.watch(4.0, red=[10, 12, 15, 57], alternatives=(doubt,))
    assert table.kinds == ["check"]
    table.press("done")
    assert table.kinds == ["check", "legal"]
    assert table.position("red") == [12, 15, 57, 57]


def test_a_piece_that_is_seen_nowhere_is_asked_about_and_accuses_nobody():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).watch(6.0, green=[0, 0, 0])
    assert table.kinds == ["check"]
    assert table.heard[0].ruling.about == str(BOARD.square(1, 5))
    # It was the camera: the piece is seen again, and nothing more is said.
    assert table.watch(6.0, green=[5, 0, 0, 0]).kinds == ["check"]


def test_a_stack_that_hides_a_piece_is_remembered():
    table = Scripted(red=[10, 10, 57, 57]).watch(3.0, red=[10, 57, 57])
    assert table.throw(5, 2).kinds == []
    # One goes on alone: now three are seen, and the one it left is the one seen before.
    assert table.watch(1.0, red=[10, 17, 57, 57]).kinds == ["legal"]


def test_a_question_that_was_answered_is_not_asked_again():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).watch(3.0, green=[0, 0, 0]).press("done")
    assert table.watch(3.0).watch(0.9, hand=True).watch(9.0).kinds == ["check"]


# A red piece under a yellow one on red's 27 (yellow's doorstep), which the camera takes for yellow alone.
MIXED = Alternative("26", {"red": 1, "yellow": 1}, 3.1)


def test_a_doubt_that_was_settled_is_no_doubt_of_the_next_plays():
    table = Scripted(red=[10, 27, 57, 57], yellow=[1, 0, 0, 0], green=[30, 57, 57, 57])
    table.throw(5, 2).watch(6.0, red=[17, 57, 57], alternatives=(MIXED,))
    assert table.kinds == ["check"]
    table.press("done").throw(2, 1).watch(3.0, green=[33, 57, 57, 57], alternatives=(MIXED,))
    assert table.kinds == ["check", "legal", "legal"]
    assert table.position("red") == [17, 27, 57, 57]


def test_what_was_settled_hides_no_shift_elsewhere():
    table = Scripted(red=[10, 27, 57, 57], yellow=[1, 0, 0, 0], green=[30, 57, 57, 57])
    table.throw(5, 2).watch(6.0, red=[17, 57, 57], alternatives=(MIXED,)).press("done")
    table.watch(6.0, green=[32, 57, 57, 57], alternatives=(MIXED,))
    assert table.kinds == ["check", "legal", "timber_shift"]


def test_a_stack_of_partners_read_as_two_of_the_upper_colour_accuses_nobody():
    # Yellow's 39 is red's 13.
    table = Scripted(to_play="yellow", red=[13, 57, 57, 57], yellow=[33, 0, 0, 0]).throw(4, 2)
    table.watch(6.0, red=[57, 57, 57], yellow=[39, 39, 0, 0, 0])
    assert table.kinds == ["legal"]
    assert (table.position("red"), table.position("yellow")) == ([13, 57, 57, 57], [0, 0, 0, 39])


def test_a_partners_piece_that_stands_elsewhere_is_not_under_a_stack():
    table = Scripted(to_play="yellow", red=[13, 57, 57, 57], yellow=[33, 0, 0, 0]).throw(4, 2)
    table.watch(6.0, red=[14, 57, 57, 57], yellow=[39, 0, 0, 0])
    assert table.kinds == ["illegal"]


def test_a_piece_under_a_stack_and_doubtfully_seen_elsewhere_is_under_the_stack():
    # Green's pair lands on blue's piece (blue's 33 is green's 7), and a second blue one is made out on 56.
    doubt = Alternative("blue 56", {"blue": 1}, 2.52)
    table = Scripted(to_play="green", green=[2, 3, 57, 57], blue=[0, 33, 41, 56]).throw(5, 4)
    table.watch(6.0, green=[7, 7, 57, 57], blue=[0, 41, 56, 56], alternatives=(doubt,))
    assert table.kinds == ["check"]
    assert table.press("done").kinds == ["check", "legal"]
    assert (table.position("green"), table.position("blue")) == ([7, 7, 57, 57], [0, 33, 41, 56])


def test_the_next_throw_tells_that_the_other_half_went_under_a_stack():
    # With a six a piece comes out under yellow's pair (yellow's 27 is red's doorstep); the five is seen.
    under = Alternative("0", {"red": 1, "yellow": 2}, 2.9)
    table = Scripted(red=[49, 0, 57, 57], yellow=[27, 27, 0, 0]).throw(6, 5).watch(0.9, hand=True)
    table.watch(3.0, red=[54, 57, 57], alternatives=(under,))
    assert table.kinds == []
    table.throw(2, 1)
    assert table.kinds == ["legal"]
    assert table.position("red") == [1, 54, 57, 57]


def test_a_piece_walked_on_is_called_though_neither_square_is_quite_sure():
    doubt = Alternative(str(BOARD.square(2, 14)), {}, 3.99)
    table = Scripted(yellow=[12, 0, 0, 0]).watch(6.0, yellow=[14, 0, 0, 0], alternatives=(doubt,))
    assert table.kinds == ["timber_shift"]


def test_of_several_likelihoods_of_the_same_the_best_counts():
    twice = [Alternative(str(BOARD.square(0, 17)), {"red": 2}, cost) for cost in (3.9, 0.4, 3.4)]
    table = Scripted(red=[10, 17, 57, 57]).throw(5, 2).watch(3.0, red=[17, 57, 57], alternatives=tuple(twice))
    assert table.kinds == ["legal"]
    assert table.position("red") == [17, 17, 57, 57]


def test_two_doubts_are_no_certainty():
    # Red's stack on 5 is read as one, and a red piece under yellow's 6, which is red's 32: that one is none.
    doubts = (
        Alternative(str(BOARD.square(0, 5)), {"red": 2}, 2.96),
        Alternative(str(BOARD.square(0, 32)), {"yellow": 1}, 2.96),
    )
    table = Scripted(to_play="yellow", red=[5, 5, 0, 0], yellow=[2, 0, 0, 0]).throw(3, 1)
    table.watch(6.0, red=[5, 32, 0, 0], yellow=[6, 0, 0, 0], alternatives=doubts)
    assert table.kinds == ["check"]
    assert table.press("done").kinds == ["check", "legal"]
    assert (table.position("red"), table.position("yellow")) == ([0, 0, 5, 5], [0, 0, 0, 6])


def test_a_piece_gone_from_one_stack_onto_another_that_hides_it_was_played():
    table = Scripted(red=[10, 10, 15, 57], green=[30, 57, 57, 57]).throw(4, 1).watch(0.9, hand=True)
    # Both stacks show one: 10 showed two until now, so it is there that something has changed.
    table.watch(2.0, red=[10, 15, 57])
    assert table.kinds == ["legal"]
    assert table.position("red") == [10, 15, 15, 57]


def test_without_a_hand_over_the_board_nothing_is_taken_for_played_that_may_stand_as_it_stood():
    table = Scripted(red=[10, 10, 15, 57], green=[30, 57, 57, 57]).throw(4, 1).watch(2.0, red=[10, 15, 57])
    assert table.kinds == []


def test_the_next_throw_tells_that_a_piece_came_out_onto_a_stack():
    table = Scripted(red=[4, 0, 0, 0], green=[30, 57, 57, 57]).throw(6, 3)
    two = Alternative(str(BOARD.square(0, 4)), {"red": 2}, 3.08)
    table.watch(0.9, hand=True).watch(3.0, red=[4, 0, 0], alternatives=(two,))
    assert table.kinds == []
    table.throw(5, 2)
    assert table.kinds == ["legal"]
    assert table.position("red") == [0, 0, 4, 4]


def test_half_a_play_is_not_asked_about_by_time_alone_however_doubtful_another_square_is():
    table = Scripted(red=[10, 20, 57, 57], green=[30, 57, 57, 57]).throw(5, 2)
    doubt = Alternative(str(BOARD.square(1, 30)), {"green": 1}, 3.1)
    # Green's piece is not made out; red has moved the five and thinks.
    table.watch(8.0, red=[15, 20, 57, 57], green=[57, 57, 57], alternatives=(doubt,))
    assert table.kinds == []
    table.watch(6.0, red=[15, 22, 57, 57], alternatives=(doubt,))
    assert table.kinds == ["check"]


def test_a_shift_is_called_though_a_stack_elsewhere_hides_a_piece():
    table = Scripted(red=[10, 10, 57, 57], green=[0, 0, 0, 22]).watch(2.0, red=[10, 57, 57])
    table.watch(4.0, green=[0, 0, 0, 20])
    assert table.kinds == ["timber_shift"]
    assert [(m.seat, m.start, m.end) for m in table.heard[0].ruling.moves] == [(1, 22, 20)]


def test_a_reading_without_confidence_never_accuses():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(6.0, confidence=0.3, red=[16, 22, 57, 57])
    assert table.kinds == ["check"]


def test_an_accusation_does_not_fall_due_on_a_camera_that_stopped():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.9, red=[16, 22, 57, 57])
    table.take(Due(table.t + 5))
    assert table.kinds == []


def test_the_referee_names_the_time_at_which_an_accusation_falls_due():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2)
    first_still = table.t + STEP_S
    table.watch(2.1, red=[16, 22, 57, 57])
    assert table.kinds == []
    deadline = table.referee.deadline
    assert deadline is not None
    assert 1.5 <= deadline - first_still <= 3.5
    assert [timed.t for timed in table.take(Due(deadline)).rulings] == [deadline]


def test_a_board_that_lags_behind_a_challenge_won_is_left_in_peace():
    table = Scripted(to_play="blue", red=[16, 16, 0, 0], blue=[28, 57, 57, 57]).throw(6, 3)
    table.t += 1
    table.take(CallMade(table.t, Call("challenge")))
    table.throw(6, 2).throw(6, 1)
    assert table.kinds == ["challenge", "challenge_throw", "challenge_won"]
    table.watch(8.0).watch(4.0, blue=[29, 57, 57, 57]).watch(4.0, red=[16, 0, 0, 0]).watch(4.0, red=[0] * 4)
    assert table.kinds[3:] == []
    assert table.position("blue") == [29, 57, 57, 57]
    assert table.referee.match.behind is None


def test_pieces_ucked_may_go_to_base_after_people_have_said_that_the_board_is_right():
    table = Scripted(to_play="blue", red=[16, 16, 0, 0], blue=[28, 57, 57, 57], green=[9, 0, 0, 0]).throw(
        6, 3
    )
    table.t += 1
    table.take(CallMade(table.t, Call("challenge")))
    table.throw(6, 2).throw(6, 1).throw(2, 1)
    # Green has moved one too far, and one of red's pieces is still there.
    table.watch(0.6, hand=True).watch(3.0, red=[16, 0, 0, 0], blue=[29, 57, 57, 57], green=[13, 0, 0, 0])
    assert table.kinds[3:] == ["pass", "check"]
    table.press("done").watch(0.6, hand=True).watch(3.0, red=[0] * 4)
    assert table.kinds[5:] == ["trusted", "revised"]


def a_winner_left_behind():
    """Blue has won a challenge, and red's pieces are in base; green plays, and blue's has not moved up."""
    table = Scripted(to_play="blue", red=[16, 16, 0, 0], blue=[28, 57, 57, 57], green=[9, 0, 0, 0])
    table.throw(6, 3)
    table.t += 1
    table.take(CallMade(table.t, Call("challenge")))
    table.throw(6, 2).throw(6, 1).throw(2, 1)
    table.watch(0.6, hand=True).watch(3.0, red=[0] * 4).throw(3, 1)
    table.watch(0.6, hand=True).watch(3.0, green=[13, 0, 0, 0])
    assert table.kinds[2:] == ["challenge_won", "pass"]
    return table.throw(5, 4)


def test_the_winner_of_a_challenge_that_has_not_moved_up_when_others_throw_again_is_asked_about():
    table = a_winner_left_behind()
    assert table.kinds[4:] == ["check", "throw_held"]
    assert say(table.heard[4].ruling, BOARD) == "Check the first square after green's doorstep."
    table.watch(0.6, hand=True).watch(3.0, blue=[29, 57, 57, 57])
    assert table.kinds[6:] == ["legal", "pass"]


def test_whoever_moves_up_what_was_said_to_be_right_where_it_stood_is_asked():
    table = a_winner_left_behind().press("done")
    assert table.position("blue") == [28, 57, 57, 57]
    table.watch(0.6, hand=True).watch(3.0, blue=[29, 57, 57, 57])
    assert table.kinds[6:] == ["trusted", "stood", "pass", "check"]


def test_a_play_made_while_somebody_still_looks_for_ucked_pieces_counts_when_they_are_back():
    table = Scripted(to_play="blue", red=[16, 16, 0, 0], blue=[28, 57, 57, 57], yellow=[2] * 4).throw(6, 3)
    table.t += 1
    table.take(CallMade(table.t, Call("challenge")))
    # Red's throw brings nobody out, green's neither, and yellow moves while red's blob is not yet gone.
    table.throw(6, 2).throw(6, 1).throw(2, 1).throw(2, 1)
    assert (table.kinds[2:], table.referee.match.to_play) == (["challenge_won", "pass", "pass"], 2)
    table.throw(4, 3).watch(6.0, yellow=[2, 2, 5, 6]).watch(4.0, blue=[29, 57, 57, 57])
    assert table.kinds[5:] == []
    table.watch(4.0, red=[0] * 4)
    assert table.kinds[5:] == ["legal"]
    assert table.position("yellow") == [2, 2, 5, 6]


def test_a_play_counts_though_a_piece_sent_back_before_it_is_seen_nowhere():
    table = Scripted(to_play="blue", red=[16, 16, 40, 57], blue=[28, 57, 57, 57]).throw(6, 3)
    table.t += 1
    table.take(CallMade(table.t, Call("challenge")))
    table.throw(6, 2).throw(6, 1).throw(3, 2)
    assert (table.kinds, table.referee.match.to_play) == (
        ["challenge", "challenge_throw", "challenge_won"],
        0,
    )
    # One of the two is in base and the other on the floor: it might stand under blue's piece, but need not.
    table.watch(0.9, hand=True).watch(1.2, red=[0, 45, 57], blue=[29, 57, 57, 57])
    assert table.kinds[3:] == ["legal"]
    assert table.position("red") == [0, 0, 45, 57]


def test_undo_takes_back_a_ruling_and_does_not_repeat_it():
    table = (
        Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(3.0, red=[16, 22, 57, 57]).press("undo").watch(5.0)
    )
    assert table.kinds == ["illegal", "taken_back"]
    assert table.referee.match.wrong_board is None


def test_a_board_that_was_forgiven_accuses_nobody_again_and_play_goes_on_from_the_likeliest_play():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).watch(3.0, red=[16, 22, 57, 57])
    table.press("undo").watch(0.9, hand=True).watch(9.0)
    assert table.kinds == ["illegal", "taken_back"]
    # Of 15 and 22, 12 and 25, 17 or 27, the first is one square from what the camera makes of it.
    table.throw(3, 1)
    assert table.kinds == ["illegal", "taken_back", "legal"]
    assert (table.position("red"), table.referee.match.thrown) == ([15, 22, 57, 57], (3, 1))


def test_out_of_step_is_said_instead_of_a_second_mistake_and_one_press_ends_it():
    table = Scripted(red=[10, 20, 57, 57]).watch(3.0, red=[12, 20, 57, 57]).press("undo")
    table.watch(9.0, red=[13, 20, 57, 57])
    assert table.kinds == ["timber_shift", "taken_back", "out_of_step", "put_this_right"]
    table.press("done").watch(3.0)
    assert table.kinds[4:] == ["trusted"]
    assert table.position("red") == [13, 20, 57, 57]
    # Back in step, it calls what is wrong again.
    assert table.watch(3.5, red=[14, 20, 57, 57]).kinds[5:] == ["timber_shift"]


def test_the_rest_of_a_play_may_follow_though_more_than_its_half_was_taken_as_it_stands():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.6, hand=True)
    table.watch(3.0, red=[15, 20, 57, 57], green=[1, 0, 0, 0]).press("trust_board")
    table.watch(0.6, hand=True).watch(4.0, red=[15, 22, 57, 57])
    assert table.kinds[-3:] == ["stood", "revised", "legal"]


def test_a_board_on_which_a_fifth_piece_is_read_is_trusted_as_it_was_read_otherwise():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.6, hand=True)
    table.watch(2.1, red=[16, 22, 30, 57, 57]).watch(0.3, red=[16, 22, 57, 57]).press("trust_board")
    assert (table.kinds, table.position("red")) == (["trusted", "stood"], [16, 22, 57, 57])


def test_a_board_on_which_a_fifth_piece_is_always_read_is_not_trusted_and_nothing_is_taken_for_a_play():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.6, hand=True)
    table.watch(4.0, red=[16, 22, 30, 57, 57]).throw(3, 1)
    assert table.kinds == ["check", "call_refused", "throw_held"]
    assert table.position("red") == [10, 20, 57, 57]


def test_a_question_that_was_answered_with_a_hand_over_the_board_is_not_asked_again():
    # Six out of base and two on is seen a square short, and may be right.
    may_be = (Alternative("1", {}, 1.1, "2"), Alternative("2", {"red": 1}, 1.1, "1"))
    table = Scripted(red=[0, 57, 57, 57]).throw(6, 2).watch(0.6, hand=True)
    table.watch(2.7, red=[2, 57, 57, 57], alternatives=may_be).watch(0.6, hand=True).press("done")
    assert (table.kinds, table.position("red")) == (["check", "legal"], [3, 57, 57, 57])
    assert table.watch(5.0, alternatives=may_be).kinds == ["check", "legal"]


def test_trust_board_takes_the_board_as_it_stands():
    table = Scripted(red=[10, 20, 57, 57]).watch(3.0, red=[30, 31, 57, 57]).press("trust_board")
    assert table.kinds == ["timber_shift", "trusted", "stood"]
    assert table.position("red") == [30, 31, 57, 57]
    # Once is enough.
    assert [say(timed.ruling, BOARD) for timed in table.heard[1:]] == ["Taken as it stands.", ""]


def test_what_a_board_that_is_taken_as_it_stands_is_called_is_said():
    table = Scripted(red=[10, 0, 0, 0], green=[4] * 4, blue=[30] * 4).throw(5, 1).watch(0.6, hand=True)
    table.watch(3.0, red=[17, 0, 0, 0], green=[0] * 4, blue=[0] * 4).press("trust_board")
    said = [say(timed.ruling, BOARD) for timed in table.heard[1:]]
    assert said == ["Taken as it stands.", "The board stands as it is. Eight-piece dicking."]


def test_a_correction_puts_the_pieces_where_a_person_says():
    table = Scripted(red=[10, 20, 57, 57])
    table.take(Correction(table.t, position_from(BOARD, {"red": [1, 2, 3, 4]}, table.referee.match.position)))
    assert table.position("red") == [1, 2, 3, 4]


def test_a_lost_tower_is_said():
    table = Scripted()
    table.take(DeviceChanged(table.t, "tower", "lost"))
    table.take(DeviceChanged(table.t, "tower", "back"))
    assert [(k, timed.ruling.about) for k, timed in zip(table.kinds, table.heard, strict=True)] == [
        ("device_lost", "tower"),
        ("device_back", "tower"),
    ]


def test_faults_are_ruled_when_a_throw_is_due_and_not_otherwise():
    table = Scripted(red=[10, 20, 57, 57])
    table.take(DiceFault(table.t, "cocked"))
    table.throw(5, 2)
    table.take(DiceFault(table.t, "dropped"))
    assert table.kinds == ["cocked"]


def test_pressing_timber_shifting_when_nothing_was_shifted_is_refused():
    assert Scripted(red=[10, 20, 57, 57]).press("timber_shifting").kinds == ["call_refused"]


def test_a_stray_on_its_own_corner_is_a_piece_of_the_board():
    table = Scripted(red=[10, 20, 57, 57])
    table.watch(4.0, red=[20, 57, 57], stray=(Stray("red", (0, 6)),))
    assert table.kinds == ["timber_shift"]
    assert table.referee.match.wrong_board[0] == (-1, 20, 57, 57)


def test_a_piece_that_flickers_in_base_stops_no_judging():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2)
    for k in range(6):
        table.watch(0.3, red=[15, 22, 57, 57], green=[0] * (4 - k % 2))
    assert table.kinds == ["legal"]


def test_a_question_about_pieces_that_vanished_can_be_answered():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 9, 0, 0]).watch(3.0, green=[0, 0]).press("done")
    assert table.kinds == ["check", "trusted"]
    assert table.position("green") == [0, 0, 0, 0]


def test_what_was_seen_a_minute_ago_accuses_nobody():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.9, red=[16, 22, 57, 57])
    table.t += 60
    assert table.throw(3, 1).kinds == ["throw_held"]


def test_of_two_throws_on_an_unseen_play_the_second_is_void():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).watch(0.9, hand=True)
    table.throw(3, 1).throw(6, 6).watch(1.0, red=[15, 22, 57, 57])
    assert table.kinds == ["throw_held", "legal", "void"]
    assert table.referee.match.thrown == (3, 1)


def test_two_plays_that_nobody_saw_are_told_by_the_board_after_both():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).watch(0.9, hand=True)
    table.throw(4, 1).watch(0.9, hand=True).throw(6, 6)
    table.watch(1.0, red=[15, 22, 57, 57], green=[10, 0, 0, 0])
    assert table.kinds == ["throw_held", "legal", "legal"]
    assert (table.referee.match.thrown, table.referee.match.to_play) == ((6, 6), BOARD.seat("yellow"))


class OneDie(Scripted):
    """The same table with rules for one die, and each for himself."""

    setting = load_setting("masters_ludo")


def test_a_call_among_quick_plays_is_no_play():
    table = OneDie(
        to_play="green", red=[55, 57, 57, 57], green=[4, 57, 0, 0], yellow=[18, 0, 0, 0], blue=[33, 0, 0, 0]
    )
    for die in (4, 3, 4):
        table.throw(die).watch(0.9, hand=True)
    table.press("call").throw(2).watch(0.9, hand=True)
    table.watch(3.0, red=[57] * 4, green=[8, 57, 0, 0], yellow=[21, 0, 0, 0], blue=[37, 0, 0, 0])
    assert table.kinds == ["throw_held", "legal", "legal", "legal", "call_accepted", "won"]


def test_a_call_on_a_play_that_was_not_seen_counts_though_the_board_was_taken_as_it_stands():
    table = OneDie(to_play="green", green=[20, 0, 0, 0], yellow=[54, 57, 57, 57], red=[9, 0, 0, 0]).throw(4)
    table.watch(0.6, hand=True).watch(0.6, green=[25, 0, 0, 0]).press("call").throw(1).watch(0.6, hand=True)
    table.watch(3.0, yellow=[55, 57, 57, 57], red=[8, 0, 0, 0], confidence=0.3).press("done")
    assert table.kinds == ["throw_held", "check", "trusted", "stood", "call_accepted"]


def test_a_play_home_that_is_not_seen_is_taken_for_made_by_dice_thrown_on_it_though_others_are_misread_then():
    home = {"red": [19, 57, 57, 57], "yellow": [56, 57, 57, 57], "blue": [56, 57, 57, 57]}
    table = OneDie(to_play="green", green=[26, 56, 56, 57], **home).throw(1).watch(0.6, hand=True)
    # Of green's pieces at home the camera counts one too few, and there may be two in the chute still.
    table.watch(1.2, green=[26, 56, 57]).watch(0.6, blue=[57, 57, 57]).throw(5)
    table.watch(3.0, blue=[56, 57, 57, 57]).throw(4).throw(5)
    table.watch(0.6, hand=True).watch(1.2, red=[24, 57, 57, 57])
    assert table.kinds == ["throw_held", "legal", "pass", "pass", "legal"]
    assert table.position("green") == [26, 56, 57, 57]


def test_a_play_that_was_misread_as_another_legal_one_is_mended_without_a_word():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).watch(0.9, hand=True)
    table.watch(0.9, red=[15, 22, 57, 57]).watch(3.0, red=[12, 25, 57, 57])
    assert table.kinds == ["legal", "revised"]
    assert table.position("red") == [12, 25, 57, 57]
    assert table.referee.match.to_play == BOARD.seat("green")


def revised_in_red_s_play(**pieces):
    """Red's play looked like another one at first: it may be that more than that is not as on record."""
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0], **pieces).throw(5, 2).watch(0.6, hand=True)
    table.watch(0.9, red=[15, 22, 57, 57]).watch(3.0, red=[12, 25, 57, 57]).watch(0.6, hand=True)
    assert table.kinds == ["legal", "revised"]
    return table


def test_nobody_is_called_while_more_than_a_play_may_not_be_as_on_record():
    shifted = revised_in_red_s_play(yellow=[9, 0, 0, 0]).watch(3.0, yellow=[12, 0, 0, 0])
    assert shifted.kinds[2:] == ["out_of_step", "put_this_right"]
    padded = revised_in_red_s_play(yellow=[9, 0, 0, 0]).watch(0.6).throw(3, 1).watch(0.6, hand=True)
    assert padded.watch(3.0, green=[10, 0, 0, 0]).kinds[2:] == ["out_of_step", "put_this_right"]


def test_what_may_be_another_s_turn_is_asked_about_while_that_is_in_doubt():
    table = revised_in_red_s_play(yellow=[9, 0, 0, 0]).watch(0.6).throw(3, 1).watch(0.6, hand=True)
    assert table.watch(3.0, yellow=[13, 0, 0, 0]).kinds[2:] == ["out_of_step", "put_this_right"]


def test_a_piece_that_may_have_been_misread_when_the_record_was_mended_accuses_nobody():
    table = revised_in_red_s_play().watch(3.0, red=[13, 25, 57, 57])
    assert table.kinds[2:] == ["out_of_step", "put_this_right"]


def test_plays_that_were_missed_accuse_nobody():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).watch(9.0, hand=True)
    # Red plays, green throws and plays, yellow throws: all under a hand, or what the camera takes for one.
    table.throw(3, 1).watch(9.0, hand=True).throw(6, 6).watch(9.0, red=[15, 22, 57, 57], green=[9, 0, 0, 0])
    assert table.kinds == ["throw_held", "out_of_step", "put_this_right"]
    table.press("done")
    assert table.kinds[3:5] == ["trusted", "stood"]
    assert (table.position("red"), table.position("green")) == ([15, 22, 57, 57], [0, 0, 0, 9])
    assert table.referee.match.to_play != BOARD.seat("red")


def test_cocked_dice_on_an_unseen_play_are_ruled_once_it_is_seen():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).watch(0.9, hand=True)
    table.take(DiceFault(table.t, "cocked"))
    table.watch(1.0, red=[15, 22, 57, 57])
    assert table.kinds == ["throw_held", "legal", "cocked"]
    assert table.heard[-1].ruling.seat == BOARD.seat("green")


def test_a_legal_play_is_ruled_in_time_though_the_frames_stop():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2)
    began = table.t + 0.1
    for t in (began, began + 0.1):
        pieces = {"red": (15, 22, 57, 57), "green": (0,) * 4, "yellow": (0,) * 4, "blue": (0,) * 4}
        table.take(Seen(t, Sighting(pieces)))
    deadline = table.referee.deadline
    assert deadline is not None
    assert deadline - began <= 0.5
    table.take(Due(deadline))
    assert table.kinds == ["legal"]


def test_undo_passes_over_what_nobody_heard():
    table = Scripted(to_play="blue", red=[16, 16, 0, 0], blue=[28, 57, 57, 57]).throw(6, 3)
    table.take(CallMade(table.t, Call("challenge")))
    table.throw(6, 2).throw(6, 1).watch(2.0, blue=[29, 57, 57, 57], red=[0] * 4).press("undo")
    assert table.kinds[-1] == "taken_back"
    assert table.position("blue") == [28, 57, 57, 57]


# ---------------------------------------------------------------- whatever happens

_STEPS = st.lists(st.integers(-1, 57), max_size=5).map(tuple)
_SIGHTINGS = st.builds(
    Sighting,
    st.fixed_dictionaries(dict.fromkeys(BOARD.seats, _STEPS)),
    hand=st.booleans(),
    trouble=st.sampled_from([(), ("too_dark",), ("board_moved",)]),
)
_POSITIONS = st.lists(st.lists(st.integers(0, 57), min_size=4, max_size=4), min_size=4, max_size=4).map(
    lambda seats: tuple(tuple(sorted(pieces)) for pieces in seats)
)
_EVENTS = st.one_of(
    st.builds(Seen, st.just(0.0), _SIGHTINGS),
    st.builds(ThrowMade, st.just(0.0), st.tuples(st.integers(1, 6), st.integers(1, 6))),
    st.builds(DiceFault, st.just(0.0), st.sampled_from(["cocked", "dropped"])),
    st.builds(
        CallMade,
        st.just(0.0),
        st.builds(Call, st.sampled_from(["challenge", "stand_up_finish", "suckback", "upboard"])),
    ),
    st.builds(
        ButtonPressed,
        st.just(0.0),
        st.sampled_from(["done", "undo", "timber_shifting", "trust_board", "accept"]),
    ),
    st.builds(
        DeviceChanged, st.just(0.0), st.sampled_from(["camera", "tower"]), st.sampled_from(["lost", "back"])
    ),
    st.builds(Correction, st.just(0.0), _POSITIONS),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(_EVENTS, st.integers(1, 4), st.floats(0, 3)), max_size=25))
def test_no_sequence_of_events_makes_the_referee_raise_or_lose_a_piece(events):
    referee, t = Referee(begin(SETTING)), 0.0
    for event, times, gap in events:
        for _ in range(times):
            t += gap
            referee = referee.handle(replace(event, t=t)).referee
            assert [len(pieces) for pieces in referee.match.position] == [4, 4, 4, 4]


def test_a_play_that_looks_like_another_is_recorded_with_it(monkeypatch):
    def other(match, chosen, reading):
        return (match.see(position_from(BOARD, {"red": [12, 25, 57, 57]}, match.position)).match,)

    monkeypatch.setattr("uckers_table.referee.judging.alike", other)
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(1.0, red=[15, 22, 57, 57])
    line = ruling_line(table.heard[-1], BOARD)
    assert (line["ruling"], [board["red"] for board in line["alike"]]) == ("legal", [[12, 25, 57, 57]])
    monkeypatch.undo()
    plain = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(1.0, red=[15, 22, 57, 57])
    assert "alike" not in ruling_line(plain.heard[-1], BOARD)


def test_half_a_play_of_a_throw_that_was_held_is_left_its_time():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0]).throw(5, 2).watch(0.6, hand=True)
    # Green throws before red's play has been seen, and plays one of the two dice.
    table.throw(3, 4).watch(0.6, hand=True).watch(9.0, red=[15, 22, 57, 57], green=[8, 30, 0, 0])
    assert table.kinds == ["throw_held", "legal"]
    assert table.watch(1.0, green=[8, 34, 0, 0]).kinds[2:] == ["legal"]


def test_nobody_says_where_a_piece_has_gone_while_it_is_seen_now_here_now_there():
    table = Scripted(red=[10, 20, 57, 57]).watch(0.6, hand=True)
    for _ in range(3):
        table.watch(0.6, red=[10, 29, 57, 57]).watch(0.6, red=[10, 30, 57, 57])
    assert table.kinds == []
    assert table.watch(2.4).kinds == ["timber_shift"]
    assert [(move.start, move.end) for move in table.heard[0].ruling.moves] == [(20, 30)]


def test_an_accusation_of_what_has_been_thrown_on_is_taken_back_and_the_match_goes_on():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0])
    table.watch(0.6, hand=True).watch(0.6, yellow=[7, 0, 0, 0]).throw(5, 2)
    table.watch(0.6, hand=True).watch(3.0, red=[15, 22, 57, 57])
    assert table.kinds == ["throw_held", "timber_shift", "stood", "legal"]
    table.press("undo")
    assert table.kinds[4:] == ["taken_back"]
    assert (table.position("yellow"), table.position("red")) == ([0, 0, 0, 7], [15, 22, 57, 57])
    assert table.throw(1, 3).watch(1.0, green=[6, 33, 0, 0]).kinds[5:] == ["legal"]


def test_the_rest_of_a_play_may_follow_though_its_half_was_taken_as_it_stands():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(3.0, red=[15, 20, 57, 57]).press("trust_board")
    table.watch(0.6, hand=True).watch(4.0, red=[15, 22, 57, 57])
    assert table.kinds == ["trusted", "stood", "revised", "legal"]


def test_half_a_play_that_owes_a_one_is_called_once_it_was_seen_for_long():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 1).watch(0.6, hand=True)
    table.watch(4.0, red=[15, 20, 57, 57]).press("done")
    assert table.kinds == ["illegal"]


def on_the_line(colour, here, beyond, cost):
    """What the reader tells of a piece that it reads on one square, near the line to another."""
    seat = BOARD.seat(colour)
    places = [str(BOARD.square(seat, steps)) for steps in (here, beyond)]
    return (
        Alternative(places[0], {}, cost, places[1]),
        Alternative(places[1], {colour: 1}, cost, places[0]),
    )


def test_a_piece_put_down_across_a_line_is_on_the_square_that_the_dice_say():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.6, hand=True)
    table.watch(1.0, red=[15, 23, 57, 57], alternatives=on_the_line("red", 23, 22, 0.9))
    assert table.kinds == ["legal"]
    assert table.position("red") == [15, 22, 57, 57]
    # It still lies there when others have played, and is no matter.
    table.watch(9.0, alternatives=on_the_line("red", 23, 22, 0.9))
    table.throw(5, 4).watch(4.0, alternatives=on_the_line("red", 23, 22, 0.9)).throw(6, 1)
    table.watch(0.6, hand=True)
    table.watch(4.0, yellow=[2, 0, 0, 0], alternatives=on_the_line("red", 23, 22, 0.9))
    assert table.kinds == ["legal", "pass", "legal"]


def test_one_that_lies_further_beyond_the_line_is_asked_about():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.6, hand=True)
    table.watch(6.0, red=[15, 23, 57, 57], alternatives=on_the_line("red", 23, 22, 2.0))
    assert table.kinds == ["check"]


def test_a_piece_on_a_line_is_on_one_of_the_two_squares():
    table = Scripted(green=[0, 0, 0, 27], to_play="green").throw(6, 2).watch(0.6, hand=True)
    # Two have come out; by the dice one may, to the third square, or to the first and another moves.
    table.watch(4.0, green=[0, 2, 3, 27], alternatives=on_the_line("green", 2, 1, 0.5))
    assert table.kinds == ["illegal"]


def test_half_a_play_whose_piece_lies_on_the_line_to_the_whole_is_taken_for_it_on_the_next_throw():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 1).watch(0.6, hand=True)
    table.watch(4.0, red=[15, 20, 57, 57], alternatives=on_the_line("red", 15, 16, 0.6)).throw(3, 2)
    assert table.kinds == ["legal", "pass"]
    assert table.position("red") == [16, 20, 57, 57]


def test_what_is_known_of_a_piece_on_a_line_is_kept_when_the_board_is_taken_as_it_stands():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.6, hand=True)
    line = on_the_line("red", 23, 22, 0.9)
    table.watch(1.0, red=[15, 23, 57, 57], alternatives=line).watch(0.6, hand=True)
    table.watch(1.0, yellow=[7, 0, 0, 0], alternatives=line).press("trust_board")
    assert table.position("red") == [15, 22, 57, 57]
    assert table.position("yellow") == [0, 0, 0, 7]


def test_a_piece_on_a_line_is_where_the_dice_took_it_though_one_thought_to_be_under_another_is_home():
    under = BOARD.steps_on(BOARD.seat("yellow"), BOARD.square(BOARD.seat("red"), 15))
    table = Scripted(red=[10, 15, 20, 57], yellow=[0, 0, 0, under]).watch(2.0, yellow=[0, 0, 0])
    table.throw(5, 2).watch(0.6, hand=True)
    line = on_the_line("red", 26, 25, 0.9)
    table.watch(4.0, red=[12, 15, 26, 57], yellow=[0, 0, 0], alternatives=line)
    assert table.kinds == ["legal"]
    table.watch(1.0, yellow=[0, 0, 0, 57], alternatives=line).press("trust_board")
    assert table.position("red") == [12, 15, 25, 57]
    assert table.position("yellow") == [0, 0, 0, 57]


def test_one_that_lies_further_off_the_line_is_asked_about_before_half_a_play_is_called():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 1).watch(0.6, hand=True)
    table.watch(4.0, red=[15, 20, 57, 57], alternatives=on_the_line("red", 15, 16, 1.2)).press("done")
    assert table.kinds == ["check"]
    table.press("done")
    assert table.kinds == ["check", "legal"]
    assert table.position("red") == [16, 20, 57, 57]


def test_a_piece_that_stood_on_a_line_may_have_been_on_the_other_side_of_it():
    table = Scripted(red=[10, 20, 57, 57]).watch(2.0, alternatives=on_the_line("red", 20, 21, 1.0))
    table.throw(3, 2).watch(0.6, hand=True).watch(4.0, red=[13, 23, 57, 57])
    assert table.kinds == ["revised", "legal"]


def test_that_holds_though_the_throw_in_hand_would_bring_it_there_too():
    table = Scripted(red=[10, 20, 57, 57]).watch(2.0, alternatives=on_the_line("red", 20, 21, 1.0))
    # From 21 the 1 leads to 22; from 20, where it was taken to stand, to 21.
    table.throw(3, 1).watch(0.6, hand=True).watch(4.0, red=[13, 22, 57, 57])
    assert table.kinds == ["revised", "legal"]


def test_a_play_that_is_doubtful_for_a_line_is_asked_about_however_fast_the_others_throw():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0]).throw(5, 2).watch(0.6, hand=True)
    line = on_the_line("red", 23, 22, 1.3)
    table.watch(0.6, red=[15, 23, 57, 57], alternatives=line).throw(3, 1).watch(0.6, hand=True)
    table.watch(4.0, green=[8, 31, 0, 0], alternatives=line)
    assert table.kinds == ["throw_held", "check"]


def test_a_piece_on_the_line_between_its_doorstep_and_its_corner_has_come_out():
    corner = Plan(BOARD).cell(BOARD.seat("red"), CORNER)
    beyond = Alternative(str(BOARD.square(0, 1)), {"red": 1}, 0.5, ASTRAY)
    table = Scripted(red=[0, 20, 57, 57]).throw(6, 2).watch(0.6, hand=True)
    table.watch(4.0, red=[22, 57, 57], stray=(Stray("red", corner),), alternatives=(beyond,))
    assert table.kinds == ["legal"]
    assert table.position("red") == [1, 22, 57, 57]


def test_a_throw_that_was_void_counts_if_the_play_before_it_turns_out_to_have_been_made():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0]).throw(5, 2).watch(0.6, hand=True)
    # For a moment the camera reads what red has played as if nothing were.
    table.watch(1.0).throw(3, 1)
    assert table.kinds == ["void"]
    table.watch(0.6, hand=True).watch(4.0, red=[15, 22, 57, 57], green=[8, 31, 0, 0])
    assert table.kinds == ["void", "legal", "legal"]


def test_what_people_once_said_was_nothing_excuses_nothing_that_comes_there_later():
    ghost = Alternative(str(BOARD.square(2, 9)), {}, 0.4)
    table = Scripted(red=[10, 20, 57, 57]).watch(0.6, hand=True)
    table.watch(4.0, yellow=[9, 0, 0, 0], alternatives=(ghost,)).press("done")
    assert table.kinds == ["check"]
    table.watch(0.6, hand=True).watch(4.0, yellow=[0, 0, 0, 0])
    table.watch(0.6, hand=True).watch(4.0, yellow=[9, 0, 0, 0])
    assert table.kinds == ["check", "check"]


def test_half_a_play_read_as_a_whole_one_for_a_moment_is_half_a_play():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(0.6, hand=True)
    # Only the 5 has been moved.
    table.watch(0.6, red=[15, 22, 57, 57]).watch(9.0, red=[15, 20, 57, 57])
    assert table.kinds == ["legal", "revised"]
    assert table.watch(0.6, hand=True).watch(1.0, red=[15, 22, 57, 57]).kinds[2:] == ["legal"]


def test_a_board_is_taken_as_it_was_seen_to_stand_not_as_it_is_misread_for_a_moment():
    table = Scripted(red=[10, 20, 57, 57]).watch(0.6, hand=True).watch(1.5, red=[10, 29, 57, 57])
    table.watch(0.3, red=[10, 30, 57, 57]).press("trust_board")
    assert table.position("red") == [10, 29, 57, 57]


def test_what_is_put_right_is_no_play_though_a_piece_is_not_seen_back_in_base():
    table = Scripted(red=[0, 6, 57, 57]).throw(6, 5).watch(0.6, hand=True).watch(3.0, red=[1, 13, 57, 57])
    assert table.kinds == ["illegal"]
    # One that came out with the six would stand on the other, at the sixth square.
    table.watch(0.6, hand=True).watch(3.0, red=[6, 57, 57])
    assert table.kinds == ["illegal", "put_right"]


def test_a_piece_that_was_not_seen_for_a_moment_is_missed_when_it_has_gone():
    there = Alternative("red 55", {"red": 1}, 0.5)
    table = Scripted(red=[10, 55, 57, 57]).watch(0.6, hand=True)
    table.watch(1.2, red=[10, 57, 57], alternatives=(there,)).watch(0.6, hand=True)
    table.watch(1.2, red=[10, 55, 57, 57]).throw(4, 2).watch(0.6, hand=True).watch(3.0, red=[14, 57, 57])
    assert table.kinds == ["legal"]
    assert table.position("red") == [14, 57, 57, 57]


def test_a_shift_that_shows_under_the_plays_of_several_throws_is_called_though_it_was_never_seen_for_long():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0])
    table.watch(0.6, hand=True).watch(0.6, yellow=[7, 0, 0, 0]).throw(5, 2)
    # Red plays on; green throws, and plays, before the board was seen for as long as it takes to accuse.
    table.watch(2.1, hand=True).watch(0.3, red=[15, 22, 57, 57]).throw(1, 3)
    table.watch(2.1, hand=True).watch(0.9, green=[6, 33, 0, 0])
    assert table.kinds == ["throw_held", "timber_shift", "stood", "legal", "legal"]
    assert [table.position(colour) for colour in ("red", "green", "yellow")] == [
        [15, 22, 57, 57],
        [0, 0, 6, 33],
        [0, 0, 0, 7],
    ]


def test_a_play_that_was_seen_for_long_was_made_and_is_no_half_play_when_its_piece_goes_back():
    table = Scripted(red=[10, 20, 57, 57]).throw(5, 2).watch(3.0, red=[17, 20, 57, 57])
    table.watch(0.6, hand=True).watch(3.0, red=[15, 20, 57, 57])
    assert table.kinds == ["legal", "timber_shift"]


def test_a_throw_that_was_void_may_have_been_good_though_the_play_before_it_is_seen_only_then():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0]).throw(5, 2).watch(0.6, hand=True)
    # Red has played, but is read for a moment as if it had not.
    table.watch(0.9).throw(1, 3).watch(0.9, red=[15, 22, 57, 57])
    assert table.kinds == ["void", "legal"]
    assert table.watch(0.6, hand=True).watch(3.0, green=[6, 33, 0, 0]).kinds[2:] == ["revised", "legal"]


def test_a_throw_that_surely_came_before_the_play_is_not_played_after_it_unasked():
    table = Scripted(red=[0, 0, 0, 39], green=[5, 30, 0, 0]).throw(6, 5).watch(0.6, hand=True)
    table.watch(3.0).throw(6, 2).watch(0.6, hand=True).watch(1.2, red=[0, 0, 6, 39])
    assert table.kinds == ["void", "legal"]
    assert table.watch(0.6, hand=True).watch(3.6, red=[0, 3, 6, 39]).kinds[2:] == ["check"]


def test_who_was_done_was_so_with_the_play_before_though_no_hand_was_seen_since():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0]).throw(5, 2).watch(0.6, hand=True)
    table.watch(0.9, red=[15, 22, 57, 57]).press("done").throw(2, 4)
    assert table.watch(8.0, green=[0, 0, 7, 30]).kinds == ["legal"]


def test_a_play_made_on_a_shift_that_was_called_and_left_is_a_play():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0]).throw(5, 2)
    table.watch(0.6, hand=True).watch(4.0, green=[7, 30, 0, 0])
    table.watch(0.6, hand=True).watch(4.0, red=[15, 22, 57, 57])
    assert table.kinds == ["timber_shift", "stood", "legal"]


def test_a_piece_called_for_standing_on_is_gone_when_it_is_seen_neither_there_nor_in_base():
    # Red's 22 is green's 9: what red lands on is left standing under it.
    table = Scripted(red=[10, 20, 57, 57], green=[9, 0, 0, 0]).throw(5, 2)
    table.watch(0.6, hand=True).watch(4.0, red=[15, 22, 57, 57])
    table.watch(0.6, hand=True).watch(1.2, green=[0, 0, 0])
    assert (table.kinds, table.position("green")) == (["illegal", "legal"], [0, 0, 0, 0])


def test_a_throw_on_half_a_play_that_owes_a_six_accuses_for_no_piece_is_read_out_of_base_by_mistake():
    table = Scripted(red=[10, 0, 57, 57]).throw(6, 5).watch(0.6, hand=True).watch(2.4, red=[15, 0, 57, 57])
    assert table.throw(1, 3).kinds == ["illegal", "stood"]


def test_a_throw_on_a_board_that_is_not_quite_seen_tells_of_no_play_that_explains_none_of_that():
    table = Scripted(red=[55, 0, 0, 0], green=[30, 30, 0, 0]).throw(1, 1).watch(0.6, hand=True)
    doubt = Alternative("red 55", {}, 1.5)
    table.watch(2.4, red=[55, 0, 0, 0], green=[30, 0, 0], alternatives=(doubt,)).throw(3, 1)
    assert table.kinds == ["void"]


def test_dice_thrown_on_a_wrong_board_tell_that_it_was_wrong_before_though_no_hand_was_seen():
    table = Scripted(red=[10, 20, 57, 57]).watch(1.5, yellow=[7, 0, 0, 0]).throw(5, 2).watch(4.0)
    assert table.kinds == ["throw_held", "timber_shift", "stood"]
    # Nobody is told to put back what stands.
    assert [say(timed.ruling, BOARD) for timed in table.heard[1:]] == [
        "Timber shift. A yellow piece has moved from base to the sixth square after yellow's doorstep.",
        "The board stands as it is.",
    ]


def test_a_board_on_which_dice_were_thrown_is_none_that_they_led_to_however_it_was_read_between():
    table = Scripted(red=[0] * 4).throw(6, 5).watch(0.6, hand=True).watch(0.6, red=[6, 1, 0, 0])
    # One of the two pieces is read a square short for a moment, and the next dice come meanwhile.
    table.watch(0.9, red=[5, 1, 0, 0]).throw(6, 6).watch(0.9).watch(2.4, red=[6, 1, 0, 0])
    assert "legal" not in table.kinds


def test_what_was_shown_before_a_throw_is_asked_about_if_it_and_a_play_lead_to_the_same_board():
    table = Scripted(red=[0] * 4).throw(6, 5).watch(0.6, hand=True).watch(0.9, red=[6, 1, 0, 0]).throw(6, 6)
    table.watch(0.6, hand=True).watch(3.0, red=[6, 1, 1, 0])
    assert table.kinds == ["throw_held", "check"]


def test_dice_that_were_held_on_a_wrong_board_may_have_come_too_early_and_not_count():
    table = Scripted(
        red=[10, 20, 57, 57], green=[5, 30, 0, 0], blue=[7, 0, 0, 0], yellow=[20, 0, 0, 0]
    ).throw(5, 2)
    table.watch(0.6, hand=True).watch(0.9, blue=[9, 0, 0, 0]).throw(3, 1)
    table.watch(0.6, hand=True).watch(3.0, red=[15, 22, 57, 57]).throw(4, 2)
    assert table.kinds == ["throw_held", "illegal", "stood"]
    table.watch(0.6, hand=True).watch(3.0, green=[5, 36, 0, 0])
    assert table.kinds[3:] == ["revised", "legal"]


def test_a_piece_that_people_said_was_nothing_is_one_if_it_stands_there_still_when_others_have_played():
    table = Scripted(red=[10, 0, 0, 0]).throw(3, 4).watch(0.6, hand=True)
    # Nobody has seen it come out, and the reader says that it may be none.
    doubt = Alternative("0", {}, 0.4)
    table.watch(3.0, red=[17, 1, 0, 0], alternatives=(doubt,))
    assert table.kinds == ["check"]
    table.press("done")
    assert (table.kinds[1:], table.position("red")) == (["legal"], [0, 0, 0, 17])
    table.throw(6, 5).watch(0.6, hand=True).watch(0.9, green=[6, 0, 0, 0], alternatives=(doubt,))
    assert table.kinds[2:] == ["revised", "legal"]
    assert (table.position("red"), table.position("green")) == ([0, 0, 1, 17], [0, 0, 0, 6])


def test_a_piece_that_is_read_under_others_is_believed_less_than_people_who_say_that_their_play_is_right():
    table = Scripted(red=[1, 0, 0, 0], green=[30, 30, 0, 0]).throw(2, 4).watch(0.6, hand=True)
    # Where red has come to, nothing is seen, and of green's two pieces one is taken for a red one.
    doubts = (Alternative("42", {"green": 2}, 1.6), Alternative("6", {"red": 1}, 3.4))
    table.watch(3.0, red=[43, 0, 0, 0], green=[30, 30, 0, 0], alternatives=doubts)
    assert table.kinds == ["check"]
    table.press("done")
    assert (table.kinds[1:], table.position("red")) == (["legal"], [0, 0, 0, 7])
    table.throw(6, 5).watch(0.6, hand=True)
    table.watch(0.9, red=[43, 0, 0, 0], green=[30, 30, 6, 0], alternatives=doubts)
    assert table.kinds[2:] == ["legal"]
    assert table.position("red") == [0, 0, 0, 7]


def test_more_of_a_shift_that_is_seen_only_after_it_was_called_is_no_play_made_on_it():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0]).throw(5, 2)
    table.watch(0.6, hand=True).watch(3.0, green=[7, 30, 0, 0])
    # Now a red piece is seen elsewhere too, as a play would have it, and nobody was there.
    table.watch(1.2, red=[15, 22, 57, 57])
    assert table.kinds == ["timber_shift"]
    table.watch(0.6, hand=True).watch(1.2, red=[10, 20, 57, 57], green=[5, 30, 0, 0])
    assert table.kinds == ["timber_shift", "put_right"]


def test_whoever_was_called_may_put_back_the_play_before_it_too_and_play_anew():
    table = Scripted(red=[10, 20, 57, 57], green=[5, 30, 0, 0]).throw(5, 2).watch(0.6, hand=True)
    table.watch(3.0, red=[15, 22, 57, 57]).watch(0.6, hand=True).watch(3.0, green=[7, 30, 0, 0])
    table.watch(0.6, hand=True).watch(3.0, red=[10, 20, 57, 57], green=[5, 30, 0, 0])
    assert table.kinds == ["legal", "timber_shift", "revised"]
    assert table.watch(0.6, hand=True).watch(3.0, red=[17, 20, 57, 57]).kinds[3:] == ["legal"]


def test_a_piece_on_its_way_to_where_it_should_be_has_not_been_taken_back_to_base():
    table = Scripted(red=[0, 57, 57, 57]).throw(6, 3).watch(0.6, hand=True)
    table.watch(3.0, red=[4, 57, 57, 57]).throw(2, 3).watch(0.6, hand=True)
    # It is red's again after a six; the piece goes too far, is called, and is seen nowhere while it is moved.
    table.watch(3.0, red=[12, 57, 57, 57]).watch(0.6, hand=True).watch(0.6, red=[57, 57, 57])
    table.watch(0.9, red=[9, 57, 57, 57])
    assert table.kinds == ["legal", "illegal", "legal"]


class UnderCouk(Scripted):
    """The same table where any double earns another throw."""

    setting = load_setting("couk")


def test_dice_thrown_before_a_called_board_was_seen_may_have_been_void_and_blame_nobody_for_half_a_play():
    table = UnderCouk(red=[10, 17, 57, 57], green=[5, 57, 57, 57], yellow=[0, 0, 20, 57])
    # A yellow piece is shifted while red owes a play, and red throws again instead of playing: that is void.
    table.throw(1, 3).watch(0.9).watch(1.0, hand=True).watch(0.6, yellow=[0, 0, 24, 57])
    table.throw(1, 1).watch(3.0, hand=True).watch(3.0, red=[13, 18, 57, 57])
    assert table.kinds == ["throw_held", "illegal"]
    # Green plays 1 and 2 with one piece, which looks like a double 1 played and half of what it earned.
    table.watch(0.6, hand=True).throw(1, 2).watch(4.0, hand=True).watch(3.0, green=[8, 57, 57, 57])
    table.throw(5, 3).watch(2.0)
    assert table.kinds.count("illegal") == 1
    assert "out_of_step" in table.kinds


def test_where_people_throw_on_all_that_is_clear_by_itself_is_asked_about():
    """Blue's piece comes out between turns, and the reader is not quite sure of it; then a red one does."""
    unsure = (Alternative(BOARD.place(3, 6), {}, 1.6),)
    table = Scripted(red=[0, 10, 15, 57], blue=[0, 7, 16, 57]).watch(0.6, hand=True)
    table.watch(0.9, alternatives=unsure, blue=[6, 7, 16, 57]).throw(6, 2).watch(0.6, hand=True)
    table.watch(0.9, alternatives=unsure, red=[3, 10, 15, 57]).throw(6, 3)
    assert table.kinds == ["throw_held", "check"]
    assert {*table.heard[-1].ruling.places} == {BOARD.place(3, 6), BOARD.place(0, 3)}
