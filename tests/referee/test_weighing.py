"""What the referee makes of readers that err for seconds on end, and of plays that nobody saw. By hand."""

import random
from dataclasses import replace

import pytest

from tests.referee.test_referee import on_the_line
from uckers_table.announce.sentences import say
from uckers_table.game.match import Awaiting, Call, begin
from uckers_table.game.position import all_in_base, position_from
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import ButtonPressed, CallMade, DiceFault, Seen, ThrowMade
from uckers_table.referee.guesses import firsts_unseen, fits_any, other_turns
from uckers_table.referee.matching import Reading, looks_misread, may_be_error
from uckers_table.referee.referee import Referee
from uckers_table.referee.stillness import Flicker
from uckers_table.sighting import Alternative, Sighting

SETTING = load_setting("br4006")
BOARD = SETTING.board
STEP_S = 0.4
BASES = {colour: [0, 0, 0, 0] for colour in BOARD.seats}


class Watched:
    """A referee that is shown boards every STEP_S, and what it ruled."""

    def __init__(self, to_play="red", setting=SETTING, **pieces):
        self.pieces = BASES | pieces
        self.referee = Referee(begin(setting, to_play=to_play, position=position_from(BOARD, self.pieces)))
        self.t, self.kinds, self.said = 0.0, [], []
        self.show(3.0)

    def take(self, event):
        response = self.referee.handle(event)
        self.referee = response.referee
        self.kinds += [timed.ruling.kind.value for timed in response.rulings]
        self.said += [words for timed in response.rulings if (words := say(timed.ruling, BOARD))]

    def show(self, seconds, *, hand=False, trouble=(), confidence=1.0, alternatives=(), **misread):
        """The board for so long, as it is or misread."""
        end = self.t + seconds
        while self.t < end - 1e-9:
            self.t = round(self.t + STEP_S, 3)
            pieces = {} if hand or trouble else self.pieces | misread
            seen = {colour: tuple(sorted(steps)) for colour, steps in pieces.items()}
            self.take(Seen(self.t, Sighting(seen, (), (), hand, trouble, confidence, alternatives)))
        return self

    def move(self, **pieces):
        self.show(0.8, hand=True)
        self.pieces |= pieces
        return self

    def throw(self, *dice):
        self.t = round(self.t + 0.1, 3)
        self.take(ThrowMade(self.t, dice))
        return self

    def press(self, name):
        self.t = round(self.t + 0.1, 3)
        self.take(ButtonPressed(self.t, name))
        return self


def test_a_play_misread_for_two_seconds_accuses_nobody_and_is_legal_then():
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2).move(red=[15, 22, 57, 57])
    table.show(2.0, red=[16, 22, 57, 57]).show(1.0)
    assert table.kinds == ["legal"]


def test_two_errors_one_after_the_other_at_two_places_accuse_nobody():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0])
    table.show(2.0, red=[11, 20, 57, 57]).show(2.0, green=[6, 0, 0, 0]).show(2.0, red=[10, 21, 57, 57])
    assert table.kinds == []


def test_a_play_that_was_seen_once_is_not_called_for_two_errors_that_come_to_the_same_place():
    """Green came out to 1 and went on from 48 to 50: read so, then both on 50, then yellow on 50."""
    yellow_there = BOARD.steps_on(BOARD.seat("yellow"), BOARD.square(BOARD.seat("green"), 50))
    table = Watched(to_play="green", green=[0, 9, 9, 48], yellow=[0, 33, 57, 57]).throw(6, 2)
    table.move(green=[1, 9, 9, 50]).show(0.4).show(2.0, green=[9, 9, 50, 50])
    table.show(0.8, green=[1, 9, 9], yellow=[0, 33, yellow_there, 57, 57])
    assert "illegal" not in table.kinds
    assert table.show(1.2).kinds[-1] == "legal"


def test_what_nobody_reached_for_is_called_a_little_later_when_it_looks_like_an_error():
    table = Watched(red=[10, 20, 57, 57]).show(2.4, red=[11, 20, 57, 57])
    assert table.kinds == []
    assert table.show(1.6, red=[11, 20, 57, 57]).kinds == ["timber_shift"]


def test_a_reader_that_flickers_all_the_time_is_not_believed_without_a_question():
    table = Watched(red=[10, 20, 57, 57], green=[30, 0, 0, 0])
    for _ in range(60):
        table.show(0.4, green=[31, 0, 0, 0]).show(0.4)
    table.throw(5, 2).move(red=[16, 22, 57, 57]).show(3.0)
    assert table.kinds == ["check"]


def test_a_reader_that_flickers_from_the_first_is_soon_believed_nothing_without_a_question():
    def called(flickers):
        table = Watched(red=[10, 20, 57, 57], green=[30, 0, 0, 0])
        for _ in range(flickers):
            table.show(0.4, green=[31, 0, 0, 0]).show(0.8)
        return table.throw(5, 2).move(red=[16, 22, 57, 57]).show(3.0).kinds

    assert (called(1), called(8)) == (["illegal"], ["check"])


def test_a_wrong_board_is_called_for_what_it_was_though_dice_were_thrown_and_played_on_it():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).move(red=[16, 22, 57, 57])
    table.show(1.2).throw(4, 1).move(green=[10, 0, 0, 0]).show(3.0)
    assert table.kinds == ["throw_held", "illegal", "stood", "legal"]
    position = table.referee.match.position
    assert (position[0], position[1]) == ((16, 22, 57, 57), (0, 0, 0, 10))
    assert table.referee.match.to_play == BOARD.seat("yellow")


def test_a_throw_of_too_many_dice_while_nothing_can_be_seen_is_said_when_it_can():
    table = Watched(red=[10, 20, 57, 57]).show(3.0, trouble=("board_not_found",)).throw(5, 2, 1).show(1.2)
    assert table.kinds == ["cannot_see", "sees_again", "wrong_dice"]
    assert table.throw(5, 2).referee.match.thrown == (5, 2)


def test_throws_while_nothing_can_be_seen_are_kept():
    table = Watched(red=[10, 20, 57, 57]).show(3.0, trouble=("board_not_found",)).throw(5, 2).show(1.2)
    assert table.kinds == ["cannot_see", "sees_again"]
    assert table.referee.match.thrown == (5, 2)


@pytest.mark.parametrize(
    ("shown", "is_likely"),
    [
        ({"red": [11, 20, 57, 57]}, True),
        ({"red": [12, 20, 57, 57]}, False),
        ({"red": [11, 21, 57, 57]}, False),
        ({}, False),
    ],
)
def test_readers_err_by_one_piece_and_one_square(shown, is_likely):
    record = position_from(BOARD, {"red": [10, 20, 57, 57]})
    assert looks_misread(BOARD, record, position_from(BOARD, shown, record)) is is_likely


def test_half_a_play_is_asked_about_where_the_other_half_is_one_square():
    table = Watched(red=[10, 20, 57, 57]).throw(5, 1).move(red=[15, 20, 57, 57]).show(3.0).throw(3, 1)
    assert table.kinds == ["check", "throw_held"]
    assert table.said == ["Check the sixth square after green's doorstep."]


@pytest.mark.parametrize(
    ("pieces", "where"),
    [
        # Two squares farther than the play that it comes nearest to.
        ({"red": [15, 24, 57, 57]}, "the tenth square after green's doorstep"),
        # Beside a whole play.
        ({"red": [15, 22, 57, 57], "yellow": [7, 8, 0, 0]}, "the sixth square after yellow's doorstep"),
        # Before any.
        ({"yellow": [7, 8, 0, 0]}, "the sixth square after yellow's doorstep"),
    ],
)
def test_what_is_asked_about_is_what_the_play_that_was_made_does_not_explain(pieces, where):
    table = Watched(red=[10, 20, 57, 57], yellow=[8, 8, 0, 0]).throw(5, 2).move(**pieces)
    assert table.show(2.8, confidence=0.3).said == [f"Check {where}."]


def test_a_piece_that_is_not_seen_for_two_seconds_was_not_played_home_though_the_dice_allow_it():
    table = Watched(red=[54, 0, 0, 0]).throw(2, 1).show(1.6, red=[0, 0, 0]).show(3.0)
    assert table.kinds == []
    assert table.show(2.8, red=[0, 0, 0]).kinds == ["legal"]


@pytest.mark.parametrize(
    ("shown", "is_likely"),
    [
        ({"red": [10, 0, 0, 0]}, True),
        ({"red": [10, 21, 0, 0]}, True),
        ({"red": [10, 10, 0, 0]}, True),
        ({"red": [10, 10, 20, 0]}, True),
        ({"red": [10, 22, 0, 0]}, False),
        ({"red": [10, 57, 0, 0]}, False),
        ({"red": [11, 21, 0, 0]}, False),
        ({"red": [10, 20, 1, 0]}, False),
        ({}, False),
    ],
)
def test_readers_miss_pieces_and_think_them_under_others(shown, is_likely):
    record = position_from(BOARD, {"red": [10, 20, 0, 0]})
    assert may_be_error(BOARD, record, position_from(BOARD, shown, record)) is is_likely


def test_half_a_play_is_called_once_dice_are_thrown_on_it_though_they_came_too_soon():
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2).move(red=[15, 20, 57, 57]).show(1.2).throw(4, 3)
    assert table.kinds == ["throw_held"]
    assert table.show(2.4).kinds[:3] == ["throw_held", "illegal", "stood"]


def test_a_play_seen_all_the_time_counts_though_a_piece_elsewhere_is_read_now_so_now_so():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).move(red=[15, 22, 57, 57])
    square = BOARD.square(1, 5)
    doubt = Alternative(str(square), {"green": 1}, 0.6)
    as_blue = [BOARD.steps_on(3, square), 0, 0, 0]
    table.show(STEP_S).show(2 * STEP_S, green=[0, 0, 0], blue=as_blue, alternatives=(doubt,))
    assert table.kinds == ["legal"]


def test_dice_thrown_on_a_board_were_not_played_there():
    table = Watched(red=[10, 20, 57, 57], green=[6, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 22, 57, 57], green=[10, 0, 0, 0]).show(0.8).throw(3, 1).show(3.0)
    assert table.kinds[:2] == ["throw_held", "illegal"]


def test_a_wrong_board_may_be_put_right_piece_by_piece():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0])
    table.move(red=[12, 20, 57, 57], green=[8, 0, 0, 0]).show(3.0)
    assert table.kinds == ["timber_shift"]
    assert table.move(green=[5, 0, 0, 0]).show(4.0).kinds == ["timber_shift"]
    assert table.move(red=[10, 20, 57, 57]).show(1.2).kinds == ["timber_shift", "put_right"]


def test_half_a_play_by_a_guess_is_a_board_that_nobody_is_to_blame_for():
    record = position_from(BOARD, BASES | {"red": [10, 20, 57, 57]})
    thrown = begin(SETTING, to_play="red", position=record).throw((5, 2)).match
    for red, is_innocent in (([15, 20, 57, 57], True), ([16, 20, 57, 57], False)):
        seen = {colour: tuple(steps) for colour, steps in (BASES | {"red": red}).items()}
        assert fits_any([thrown], Reading(BOARD, Sighting(seen))) is is_innocent


def test_nobody_is_accused_by_way_of_a_throw_that_would_have_been_void():
    table = Watched(red=[8, 10, 57, 57]).throw(3, 2).move(red=[11, 12, 57, 57]).throw(5, 5)
    table.move(green=[1, 0, 0, 0]).show(3.0)
    assert table.kinds == ["throw_held", "illegal"]


def test_a_board_read_now_so_now_so_with_no_hand_there_accuses_nobody_when_dice_are_thrown():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0])
    table.show(1.2, green=[6, 0, 0, 0], red=[10, 22, 57, 57])
    table.show(1.2, green=[7, 0, 0, 0], red=[10, 22, 57, 57])
    assert table.throw(5, 2).kinds == []


def test_a_piece_gone_from_where_it_was_not_seen_before_is_asked_about():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).show(6.0, green=[0, 0, 0])
    assert table.kinds == ["check"]
    table.take(ButtonPressed(table.t, "done"))
    table.show(1.2, green=[0, 0, 0]).throw(5, 2).move(red=[15, 22, 57, 57], green=[12, 0, 0, 0]).show(3.0)
    assert table.kinds == ["check", "check"]


def test_an_answer_about_a_piece_across_a_line_is_not_taken_back_by_what_is_seen_of_it_later():
    """Red played to 22, across the line to 23, where the camera has it: right as it stands, people said."""
    across = on_the_line("red", 23, 22, 1.1)
    table = Watched(red=[10, 20, 57, 57], green=[25, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 23, 57, 57]).show(2.8, alternatives=across)
    assert table.kinds == ["check"]
    table.press("done").show(1.6, alternatives=across).throw(4, 1)
    table.move(green=[30, 0, 0, 0]).show(1.6, alternatives=across)
    assert table.kinds == ["check", "legal", "legal"]
    assert table.referee.match.position[0] == (15, 22, 57, 57)


LEFT = (Alternative(str(BOARD.square(1, 6)), {}, 3.0),)
"""Of the piece that green has left, the reader says that it may be none."""


def asked_about_half_a_play():
    """Green left half of its double 1, and said that it was done; asked, it said that all was right."""
    table = Watched(to_play="green", green=[0, 0, 6, 6], yellow=[5, 0, 0, 0], red=[30, 40, 0, 0])
    table.throw(1, 1).move(green=[0, 0, 6, 7]).show(2.4, alternatives=LEFT)
    table.throw(4, 3).show(0.4, alternatives=LEFT).press("done").press("done")
    assert table.kinds == ["throw_held", "check", "legal"]
    assert table.referee.match.position[1] == (0, 0, 7, 7)
    return table


def test_a_piece_that_people_said_to_be_right_is_put_on_record_though_dice_were_held_meanwhile():
    table = asked_about_half_a_play().move(yellow=[12, 0, 0, 0]).show(0.8)
    assert table.kinds[3:] == ["revised", "legal"]
    assert table.referee.match.position[1] == (0, 0, 6, 7)


def test_what_was_seen_otherwise_than_on_record_before_a_hand_came_accuses_nobody():
    """For a moment it looks as if green had played all; then green plays on from where its pieces stand."""
    table = asked_about_half_a_play().show(0.8, green=[0, 0, 7, 7]).show(0.8, alternatives=LEFT)
    table.move(yellow=[12, 0, 0, 0]).show(0.8, alternatives=LEFT).throw(2, 1).throw(2, 1)
    table.move(red=[33, 40, 0, 0]).show(0.8, alternatives=LEFT).throw(6, 2)
    assert table.kinds[3:] == ["legal", "pass", "legal"]
    assert table.move(green=[0, 1, 7, 8]).show(3.2).kinds[6:] == ["check"]


def test_a_board_seen_to_be_right_before_the_next_hand_is_suspected_no_more():
    """Green stood as misread, one square too far, until just before red's play could be seen rightly."""
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).move(red=[15, 22, 57, 57])
    table.show(1.6, green=[6, 0, 0, 0]).throw(4, 2).show(0.4)
    # A slip of green's, which would be its play from where it was misread.
    table.move(green=[12, 0, 0, 0]).show(0.8)
    assert table.kinds == ["throw_held"]
    assert table.move(green=[11, 0, 0, 0]).show(0.8).kinds == ["throw_held", "legal", "legal"]


def test_a_throw_just_when_what_was_called_wrong_is_seen_to_be_right_is_held_for_it():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2)
    table.move(red=[16, 22, 57, 57]).show(2.8)
    table.move(red=[15, 22, 57, 57]).show(2.4, green=[6, 0, 0, 0]).show(0.4).throw(3, 1).show(0.8)
    assert table.kinds == ["illegal", "throw_held", "legal"]


def test_what_becomes_another_board_untouched_is_no_play_of_the_dice_that_are_held():
    """Red played half of its throw; the piece that is not seen for a moment may have gone under yellow's."""
    table = Watched(red=[10, 14, 57, 57], yellow=[47, 0, 0, 0]).throw(6, 1)
    table.move(red=[11, 14, 57, 57]).show(1.2).throw(3, 1).show(0.4)
    table.show(1.2, red=[11, 57, 57])
    assert "legal" not in table.kinds


@pytest.mark.parametrize("is_over", [True, False])
def test_an_answer_given_when_a_hand_is_over_the_board_again_is_of_the_board_that_was_asked_about(is_over):
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2)
    table.move(red=[16, 22, 57, 57]).show(2.8, confidence=0.3)
    assert table.kinds == ["check"]
    table.show(0.8, hand=True)
    if not is_over:
        table.show(0.4)
    table.press("done").show(1.2)
    assert table.kinds == ["check", "trusted", "stood"]
    assert table.referee.match.position[0] == (16, 22, 57, 57)


@pytest.mark.parametrize("red", [[10, 20, 57, 57], [15, 20, 57, 57]])
@pytest.mark.parametrize("seconds", [0.4, 0.8])
def test_done_after_a_question_answers_nothing_when_the_board_has_been_put_right(red, seconds):
    """As it was, or half of the play that the dice allow: nobody is to blame for that."""
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2)
    table.move(red=[16, 22, 57, 57]).show(2.8, confidence=0.3)
    table.move(red=red).show(seconds).press("done").show(0.4)
    assert table.kinds == ["check"]
    assert table.referee.match.position[0] == (10, 20, 57, 57)


def test_people_who_play_on_over_a_riddle_are_asked():
    """Neither what red did with 5 and 2 nor what green did with 3 and 1 follows from them."""
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0], yellow=[3, 0, 0, 0]).throw(5, 2)
    table.move(red=[16, 22, 57, 57]).show(0.4).throw(3, 1)
    table.move(green=[12, 0, 0, 0]).show(0.8)
    assert table.kinds == ["throw_held"]
    assert table.throw(2, 1).kinds == ["throw_held", "check"]


def test_people_who_play_on_over_two_wrong_moves_are_asked_about_both():
    table = Watched(red=[10, 20, 57, 57], yellow=[8, 8, 0, 0])
    table.move(yellow=[7, 8, 0, 0]).show(0.8).throw(5, 2).move(red=[10, 19, 57, 57]).show(0.8)
    assert table.throw(2, 1).kinds == ["throw_held", "check"]
    question = "Check the fifth square after green's doorstep and the sixth square after yellow's doorstep."
    assert say(table.referee.open_point, BOARD) == question


def test_people_who_play_on_over_a_board_that_is_asked_about_just_then_are_asked_once():
    """The board is asked about as it was read for two seconds, and not once more as it is read just now."""
    table = Watched(red=[10, 20, 57, 57], yellow=[8, 8, 0, 0])
    table.move(yellow=[7, 8, 0, 0]).show(0.8, confidence=0.3).throw(5, 2).move(red=[10, 19, 57, 57])
    table.show(2.0, confidence=0.3)
    seen = {colour: tuple(sorted(steps)) for colour, steps in (table.pieces | {"blue": [0, 0, 0, 4]}).items()}
    for _ in range(2):
        table.t += 0.23
        table.take(Seen(table.t, Sighting(seen, confidence=0.3)))
    # Nothing has fallen due yet.
    table.take(ThrowMade(table.t + 0.01, (2, 1)))
    assert table.kinds == ["throw_held", "check"]


def test_that_nothing_could_be_moved_is_not_said_once_dice_have_been_thrown_on_it():
    table = Watched(red=[10, 20, 57, 57], blue=[5, 0, 0, 0]).throw(5, 2)
    table.move(red=[10, 29, 57, 57]).show(0.8).throw(3, 1).throw(4, 1).throw(2, 1)
    table.move(blue=[8, 0, 0, 0]).show(2.4)
    assert table.kinds == ["throw_held", "illegal", "stood", "pass", "pass", "legal"]
    assert table.said == ["Illegal. Red moved 9; the dice said 5 and 2.", "The board stands as it is."]


def test_of_several_throws_that_came_too_early_one_is_said_to_have_come_so():
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2).show(0.4, hand=True)
    table.throw(3, 1).throw(4, 1).show(0.8)
    assert table.kinds == ["throw_held", "void", "void"]
    assert table.said == ["Not yet. Red has 5 and 2 in hand."]


@pytest.mark.parametrize("is_old", [True, False])
def test_that_nothing_could_be_moved_is_not_said_of_dice_before_a_board_that_people_say_is_right(is_old):
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2)
    table.move(red=[10, 29, 57, 57])
    if is_old:
        table.show(0.4).throw(3, 1).show(0.4, hand=True)
    table.show(1.2, confidence=0.3)
    if not is_old:
        table.throw(3, 1)
    table.show(2.0, confidence=0.3).press("done")
    assert table.kinds == ["throw_held", "check", "trusted", "stood", "pass"]
    assert ("Green cannot move." in table.said) == (not is_old)


def test_a_reader_that_errs_so_often_reads_dice_no_better():
    def called(dice_from):
        table = Watched(red=[10, 20, 57, 57])
        table.referee = replace(table.referee, dice_from=dice_from, flicker=Flicker(0.09, 400))
        return table.throw(5, 2).move(red=[16, 22, 57, 57]).show(3.0).kinds

    assert (called("tower"), called("camera")) == (["illegal"], ["check"])


def test_half_a_play_that_looks_like_a_misread_whole_one_is_called_when_it_has_been_seen_for_long():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(2, 1)
    table.move(red=[12, 20, 57, 57]).show(1.2).throw(4, 3).show(1.6)
    assert table.kinds == ["throw_held"]
    assert table.show(0.8).kinds[1:] == ["illegal", "stood"]


def test_another_play_of_the_same_dice_is_thought_of_though_a_piece_elsewhere_is_misread():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 22, 57, 57]).show(0.8)
    table.move(red=[17, 20, 57, 57]).show(0.4).show(2.4, green=[6, 0, 0, 0])
    assert table.kinds == ["legal", "check"]


def test_what_is_moved_by_the_hand_that_was_there_when_a_question_was_answered_accuses_nobody():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2)
    table.move(red=[16, 20, 57, 57]).show(2.8, confidence=0.3).show(0.4, hand=True).press("done")
    assert table.kinds == ["check", "trusted", "stood"]
    assert table.move(red=[16, 22, 57, 57]).show(3.2).kinds[3:] == ["check"]


def test_what_people_were_not_asked_about_when_they_said_that_the_board_is_right_accuses_nobody():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).show(0.8)
    table.move(green=[9, 0, 0, 0]).show(2.8, confidence=0.3)
    table.show(2.8, red=[10, 21, 57, 57], confidence=0.3).press("done")
    assert table.kinds == ["check", "trusted"]
    table.throw(5, 2).move(red=[15, 22, 57, 57])
    assert table.show(3.2).kinds[2:] == ["out_of_step", "put_this_right"]


def test_half_a_play_made_whole_after_others_have_played_on_it_is_asked_about_and_not_their_play():
    table = Watched(to_play="yellow", yellow=[0, 8, 11, 18], blue=[0, 12, 12, 40]).throw(1, 4)
    table.move(yellow=[0, 8, 15, 18]).show(5.2).show(0.2, yellow=[0, 8, 14, 18])
    table.show(0.2).show(0.8, yellow=[0, 8, 14, 18]).throw(2, 6)
    table.show(1.6).move(blue=[1, 12, 12, 42]).show(1.6).move(yellow=[0, 9, 15, 18]).show(3.2)
    assert table.kinds == ["throw_held", "check"]
    asked = "Check the first square after blue's doorstep and the eighth square after yellow's doorstep."
    assert table.said[-1] == asked


def test_who_puts_back_what_was_played_on_a_wrong_board_that_was_asked_about_is_accused_of_nothing():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2)
    table.move(green=[8, 0, 0, 0]).show(0.8).throw(4, 1)
    table.move(red=[15, 22, 57, 57], green=[5, 0, 0, 0]).show(0.8)
    assert table.kinds == ["throw_held", "legal", "check"]
    table.move(red=[10, 20, 57, 57], green=[8, 0, 0, 0])
    assert table.show(3.2).kinds[3:] == ["out_of_step", "put_this_right"]


def test_a_piece_that_the_dice_of_a_quick_play_took_over_a_line_is_not_played_from_before_it_unasked():
    across = on_the_line("red", 21, 22, 1.5)
    table = Watched(red=[10, 20, 57, 57], green=[30, 0, 0, 0]).throw(5, 2).move(red=[15, 21, 57, 57])
    table.throw(4, 3).move(green=[37, 0, 0, 0]).show(2.8, alternatives=across).press("done")
    table.throw(1, 2).throw(4, 1).throw(5, 3).move(red=[18, 26, 57, 57]).show(3.2)
    assert table.kinds[2:] == ["trusted", "legal", "legal", "pass", "pass", "check"]


def test_the_play_that_was_asked_about_is_what_people_say_is_right_though_another_piece_is_misread_then():
    line = on_the_line("red", 23, 22, 2.0)
    table = Watched(red=[10, 20, 57, 57], green=[30, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 23, 57, 57]).show(3.2, alternatives=line)
    table.show(0.4, green=[30, 8, 0, 0], alternatives=line).press("done")
    assert table.kinds == ["check", "legal"]
    assert table.referee.match.position[0] == (15, 22, 57, 57)


def test_a_shift_after_a_throw_is_no_other_play_of_the_dice_before_by_a_piece_that_stands_near_a_line():
    """Green's 31 went just short of 32, and its 38 to 42; its 37 goes on by one once yellow has thrown."""
    across = on_the_line("green", 32, 31, 0.5)
    table = Watched(to_play="green", green=[0, 31, 37, 38], blue=[11, 13, 18, 57]).throw(4, 1)
    table.move(green=[0, 32, 37, 42]).show(4.8, alternatives=across).throw(2, 4)
    table.move(green=[0, 32, 38, 42]).show(3.2, alternatives=across)
    assert table.kinds == ["legal", "pass", "timber_shift"]


def test_what_quick_plays_may_have_been_besides_is_kept_in_mind():
    """Green goes on by 6 and 4, then by 2 with the second; it may have been 4 and 6, and 2 with the first."""
    table = Watched(to_play="green", red=[0, 1, 14, 25], green=[6, 13, 13, 13]).throw(6, 4)
    # The piece that it knocks off is not seen in base at first.
    table.move(red=[0, 0, 1, 14], green=[12, 13, 13, 17]).throw(2, 2)
    table.move(green=[12, 13, 13, 19]).show(1.2, red=[0, 1, 14])
    table.move(green=[13, 13, 14, 19]).show(0.8).throw(3, 1)
    assert table.kinds == ["throw_held", "legal", "revised", "legal", "pass"]


def test_who_says_that_the_board_is_right_may_still_play_the_dice_in_hand():
    """Red's piece had stood on 20, not on 21, when 5 and 2 were thrown; it is 5 and then 2 from there."""
    table = Watched(red=[10, 21, 57, 57], green=[5, 0, 0, 0]).throw(5, 2)
    table.move(red=[10, 25, 57, 57]).show(2.8, confidence=0.3).press("done")
    assert table.kinds == ["check", "trusted", "stood"]
    assert table.move(red=[12, 25, 57, 57]).show(2.8).kinds[3:] == ["check"]


def test_a_piece_that_may_be_none_does_not_turn_a_whole_play_back_into_one_not_finished():
    """Blue's piece came from red's doorstep, where red brings one out: that it may be none tells nothing."""
    may_be_none = (Alternative(str(BOARD.square(0, 1)), {}, 0.5),)
    table = Watched(to_play="blue", blue=[0, 0, 1, 14]).throw(3, 6).move(blue=[0, 1, 1, 17]).show(1.6)
    table.move(red=[1, 0, 0, 0]).show(2.8, alternatives=may_be_none)
    assert table.kinds == ["legal", "timber_shift"]


@pytest.mark.parametrize(("cost", "said"), [(0.5, ["check", "throw_held"]), (2.5, ["illegal", "stood"])])
def test_half_a_play_is_asked_about_where_the_reader_calls_the_whole_one_likely(cost, said):
    """The 6 may have been played: the piece that may be none may have gone on under a friend."""
    may_be_none = (Alternative(str(BOARD.square(1, 24)), {}, cost),)
    table = Watched(to_play="green", green=[1, 1, 9, 24], blue=[4, 0, 0, 0]).throw(1, 6)
    table.move(green=[1, 2, 9, 24]).show(6.0, alternatives=may_be_none).throw(1, 1)
    assert table.kinds[:2] == said


def test_dice_thrown_while_a_board_was_misread_for_a_moment_are_taken_when_a_hand_comes():
    table = Watched(to_play="blue", red=[10, 20, 57, 57], green=[41, 0, 0, 0], blue=[3, 0, 0, 0])
    table.throw(4, 1).move(blue=[8, 0, 0, 0]).show(0.8).show(0.8, green=[40, 0, 0, 0]).throw(5, 2).show(0.4)
    table.move(red=[17, 20, 57, 57], green=[40, 0, 0, 0]).show(2.8)
    assert table.kinds == ["legal", "throw_held", "illegal"]
    assert table.move(green=[41, 0, 0, 0]).show(0.8).kinds[3:] == ["legal"]


def test_what_was_moved_beside_a_play_of_held_dice_is_called_and_the_play_before_is_taken():
    """Blue sent red back, and red came out again, before anything was seen of it."""
    table = Watched(to_play="blue", red=[4, 4, 17, 57], yellow=[13, 0, 0, 0], blue=[0, 1, 1, 29])
    table.throw(1, 2).move(red=[0, 4, 4, 57], blue=[0, 1, 3, 30]).throw(5, 6)
    table.move(red=[4, 4, 6, 57], yellow=[1, 13, 0, 0]).show(2.8)
    assert table.kinds == ["throw_held", "legal", "illegal"]
    assert table.move(yellow=[13, 0, 0, 0]).show(0.8).kinds[3:] == ["legal"]


def test_dice_thrown_too_early_on_a_board_misread_for_a_moment_are_void_when_a_hand_comes():
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2).show(0.8).show(0.4, red=[10, 19, 57, 57])
    table.throw(3, 1).show(0.4, red=[10, 19, 57, 57]).show(0.4).move(red=[15, 20, 57, 57]).show(4.0)
    assert table.kinds == ["throw_held", "void"]
    assert table.move(red=[15, 22, 57, 57]).show(0.8).kinds[2:] == ["legal"]


def test_of_two_wrong_moves_only_that_stands_which_dice_were_thrown_on():
    table = Watched(to_play="yellow", yellow=[4, 0, 0, 0], blue=[20, 0, 0, 0])
    table.move(green=[26, 0, 0, 0]).show(0.8).throw(5, 2)
    table.move(yellow=[11, 0, 0, 0]).show(0.4).move(blue=[1, 20, 0, 0]).show(2.8)
    assert table.kinds == ["throw_held", "timber_shift", "stood", "illegal"]
    assert table.move(blue=[20, 0, 0, 0]).show(0.8).kinds[4:] == ["legal"]


def test_a_piece_found_beyond_the_line_that_it_stood_near_is_asked_about():
    across = on_the_line("red", 22, 23, 1.1)
    table = Watched(red=[10, 20, 57, 57], green=[25, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 22, 57, 57]).show(2.4, alternatives=across).move(red=[15, 23, 57, 57]).show(2.8)
    assert table.kinds == ["legal", "check"]


def test_one_throw_missed_or_taken_for_two_makes_it_a_neighbours_turn():
    match = begin(SETTING, to_play="red", position=position_from(BOARD, BASES))
    turns = other_turns(match, near=True)
    assert [each.to_play for each in turns] == [BOARD.seat(colour) for colour in ("green", "blue", "red")]


def test_who_says_that_he_is_done_has_played_though_the_piece_was_never_seen():
    """It stood under red's blob, and now stands in home, of whose pieces the camera counts one too few."""
    under = next(steps for steps in range(1, 52) if BOARD.square(0, steps) == BOARD.square(2, 48))
    table = Watched(to_play="yellow", red=[under, under, 0, 0], yellow=[3, 48, 57, 57])
    table.show(2.4, yellow=[3, 57, 57]).throw(3, 6).move(yellow=[3, 57, 57, 57]).show(0.8, yellow=[3, 57, 57])
    table.press("done").show(1.2, yellow=[3, 57, 57]).throw(6, 5)
    assert table.kinds == ["legal"]
    assert table.referee.match.position[2] == (3, 57, 57, 57)
    assert table.referee.match.thrown == (6, 5)


def test_half_a_play_on_which_dice_were_thrown_while_the_camera_blinked_is_called():
    table = Watched(red=[0, 10, 57, 57]).throw(6, 2).move(red=[0, 12, 57, 57]).show(3.2)
    table.show(0.4, trouble=("board_not_found",)).throw(6, 4).show(0.8)
    assert table.kinds == ["throw_held", "illegal", "stood"]
    assert table.referee.match.thrown == (6, 4)


def test_a_piece_moved_clear_of_the_line_to_the_square_that_people_did_not_take_it_to_is_asked_about():
    across = on_the_line("red", 23, 22, 1.1)
    table = Watched(red=[10, 20, 57, 57], green=[25, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 23, 57, 57]).show(2.8, alternatives=across).press("done")
    table.throw(4, 1).move(green=[30, 0, 0, 0]).show(2.8, alternatives=across)
    assert table.kinds == ["check", "legal", "legal"]
    assert table.move().show(2.8).kinds[3:] == ["check"]


def test_half_a_play_is_not_made_whole_by_a_piece_that_stays_where_it_was_near_a_line():
    across = on_the_line("red", 23, 22, 1.1)
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2)
    table.move(red=[15, 23, 57, 57]).show(2.8, alternatives=across).press("done")
    for dice in ((4, 1), (3, 2), (5, 4), (5, 1)):
        table.throw(*dice).show(0.8, alternatives=across)
    assert table.kinds == ["check", "legal", "pass", "pass", "pass"]
    table.move(red=[20, 23, 57, 57]).show(4.0, alternatives=across)
    assert table.kinds[5:] == []
    assert table.throw(6, 2).show(2.8, alternatives=across).kinds[5:] == ["check", "throw_held"]


def test_what_was_called_and_put_right_and_misread_as_a_play_is_still_to_be_played():
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2).move(red=[15, 23, 57, 57]).show(2.8)
    table.move(red=[10, 20, 57, 57]).show(1.2, red=[15, 22, 57, 57]).show(2.4)
    table.move(red=[12, 25, 57, 57]).show(2.8)
    assert table.kinds == ["illegal", "legal", "revised"]
    assert table.referee.match.position[0] == (12, 25, 57, 57)


def test_what_seems_to_stand_where_it_was_knocked_off_is_asked_about_though_the_reader_doubts_it():
    """Red's 22 is green's 9."""
    doubt = Alternative(str(BOARD.square(0, 22)), {"red": 1}, 0.6)
    table = Watched(red=[10, 20, 57, 57], green=[9, 0, 0, 0]).throw(5, 2).move(red=[15, 22, 57, 57])
    assert table.show(2.8, alternatives=(doubt,)).kinds == ["check"]
    # Seen no more, it has gone.
    table = Watched(red=[10, 20, 57, 57], green=[9, 0, 0, 0]).throw(5, 2).move(red=[15, 22, 57, 57])
    assert table.show(1.2, alternatives=(doubt,)).show(0.8, green=[0, 0, 0]).kinds == ["legal"]


def test_what_is_overlooked_at_first_where_it_was_knocked_off_is_asked_about_once_it_is_seen_again():
    """Red's 22 is green's 9."""
    doubt = Alternative(str(BOARD.square(0, 22)), {"red": 1}, 1.2)
    table = Watched(red=[10, 20, 57, 57], green=[9, 0, 0, 0]).throw(5, 2).move(red=[15, 22, 57, 57])
    table.show(0.8, green=[0, 0, 0]).show(2.8, alternatives=(doubt,))
    assert table.kinds == ["legal", "check"]
    # People say that it is as it should be, or put it back.
    assert table.press("done").show(2.8, alternatives=(doubt,)).kinds == ["legal", "check"]
    assert table.referee.match.position[1] == (0, 0, 0, 0)


def test_a_play_of_dice_that_were_said_to_be_void_is_asked_about():
    """Red came out and moved 6 with the last throw; the others may have been those of people who cannot move.

    It might also be red's play of the first throw, and half of one of the second.
    """
    table = Watched(red=[0, 18, 18, 20]).throw(6, 3).show(2.0).throw(3, 2).show(2.0).throw(6, 6).show(2.0)
    table.move(red=[1, 18, 18, 26]).show(4.0)
    assert table.kinds == ["void", "void", "check"]


def test_pieces_moved_while_people_throw_for_start_accuse_nobody():
    """They had thrown for it already: one throw was not seen."""
    table = Watched(to_play=None).throw(5, 1).throw(4, 1).throw(3, 1).move(red=[1, 0, 0, 0]).show(2.8)
    table.throw(2, 1).show(2.8)
    assert not {"timber_shift", "illegal"} & {*table.kinds}
    assert table.kinds[-2:] == ["out_of_step", "put_this_right"]


def test_what_was_moved_beside_two_quick_plays_is_to_be_put_back_where_nothing_was_wrong_before_the_second():
    table = Watched(red=[0, 10, 57, 57], green=[21, 0, 0, 0]).throw(3, 1)
    table.move(red=[0, 14, 57, 57]).throw(2, 5).move(red=[1, 14, 57, 57], green=[28, 0, 0, 0]).show(2.8)
    assert table.kinds == ["throw_held", "legal", "illegal"]


def test_a_slip_that_looks_like_a_play_from_beyond_a_line_is_not_taken_for_that_at_once():
    table = Watched(red=[10, 20, 57, 57]).move().show(2.0, alternatives=on_the_line("red", 20, 21, 1.1))
    table.throw(5, 2).move(red=[15, 23, 57, 57]).show(1.2).move(red=[15, 22, 57, 57]).show(2.8)
    assert table.kinds == ["legal"]


def test_two_quick_plays_that_people_say_are_right_are_those_of_their_dice():
    across = on_the_line("red", 21, 22, 1.5)
    table = Watched(red=[10, 20, 57, 57], green=[30, 0, 0, 0]).throw(5, 2).move(red=[15, 21, 57, 57])
    table.throw(4, 3).move(green=[37, 0, 0, 0]).show(2.8, alternatives=across)
    assert table.kinds == ["throw_held", "check"]
    assert table.press("done").kinds[2:] == ["trusted", "legal", "legal"]
    # One more play tells that neither throw was void, and whoever cheats then is called.
    table.throw(6, 4).move(yellow=[5, 0, 0, 0]).show(2.8, alternatives=across)
    table.throw(2, 1).move(red=[16, 21, 57, 57]).show(2.8, alternatives=across)
    assert table.kinds[5:] == ["legal", "illegal"]


def test_dice_thrown_on_a_wrong_play_that_stands_may_have_been_void():
    """Red moved blue's piece, and then played: 5 and 3, thrown between, were void; 6 and 4 are green's."""
    table = Watched(red=[10, 20, 57, 57], yellow=[5, 0, 0, 0], blue=[30, 0, 0, 0]).throw(1, 3)
    table.move(blue=[34, 0, 0, 0]).show(0.8).throw(5, 3)
    table.move(red=[11, 23, 57, 57]).show(2.8).throw(6, 4)
    assert table.kinds == ["throw_held", "illegal", "stood", "pass"]
    assert table.move(green=[5, 0, 0, 0]).show(2.8).kinds[4:] == ["revised", "legal"]


def test_a_stack_counted_rightly_again_is_missed_when_a_piece_has_gone_home_from_it_unseen():
    table = Watched(to_play="yellow", yellow=[3, 57, 57, 57], blue=[18, 37, 56, 56]).throw(2, 1)
    table.move(yellow=[6, 57, 57, 57]).show(1.2, blue=[18, 37, 56]).show(2.4).throw(6, 1)
    table.move(blue=[24, 37, 56, 57]).show(4.0, blue=[24, 37, 56]).throw(3, 4)
    assert table.kinds == ["legal", "legal"]
    assert table.referee.match.position[BOARD.seat("blue")] == (24, 37, 56, 57)


def test_what_was_called_and_put_right_does_not_stand_though_dice_are_thrown_on_what_may_be_half_a_play():
    table = Watched(to_play="blue", yellow=[30, 0, 0, 0], blue=[10, 22, 57, 57]).throw(5, 1)
    table.move(yellow=[31, 0, 0, 0], blue=[15, 22, 57, 57]).show(2.8)
    table.move(yellow=[30, 0, 0, 0]).show(2.8).throw(4, 2)
    assert table.kinds == ["illegal", "check", "throw_held"]
    assert table.press("done").kinds[3:] == ["trusted", "stood", "pass"]
    assert table.referee.match.position[2:] == ((0, 0, 0, 30), (15, 22, 57, 57))


def test_beside_what_was_moved_a_piece_near_a_line_counts_as_played_to_the_square_beyond():
    across = on_the_line("blue", 22, 23, 1.2)
    table = Watched(to_play="blue", yellow=[30, 0, 0, 0], blue=[10, 22, 57, 57]).throw(5, 1)
    table.move(yellow=[31, 0, 0, 0], blue=[15, 22, 57, 57]).show(2.8, alternatives=across)
    assert say(table.referee.open_point, BOARD).startswith(
        "Illegal. Besides the play, a yellow piece has moved"
    )
    assert table.move(yellow=[30, 0, 0, 0]).show(0.8, alternatives=across).kinds == ["illegal", "legal"]
    assert table.referee.match.position[2:] == ((0, 0, 0, 30), (15, 23, 57, 57))


def test_a_wrong_play_put_right_and_played_on_before_anybody_saw_it_accuses_nobody():
    table = Watched(red=[0, 10, 18, 21], green=[13, 19, 41, 0]).throw(5, 4)
    table.move(red=[0, 12, 21, 23]).show(2.8)
    table.move(red=[0, 14, 18, 26], green=[0, 0, 19, 41]).throw(6, 4)
    table.move(red=[0, 0, 0, 26], green=[0, 5, 19, 41]).show(2.8)
    assert table.kinds == ["illegal", "throw_held", "legal", "legal"]


def test_a_piece_played_on_from_beyond_a_line_that_the_dice_did_not_take_it_to_is_asked_about():
    across = on_the_line("red", 22, 23, 1.1)
    table = Watched(red=[10, 20, 57, 57]).throw(6, 2)
    table.move(red=[16, 22, 57, 57]).show(2.8, alternatives=across).throw(3, 1)
    table.move(red=[19, 24, 57, 57]).show(2.8)
    assert table.kinds == ["legal", "check"]


def test_a_wrong_play_on_a_wrong_board_is_called_beside_that_board():
    table = Watched(to_play="yellow", yellow=[0, 0, 8, 14], red=[20, 0, 0, 0])
    table.move(yellow=[0, 0, 8, 12]).show(1.2).throw(5, 6).move(yellow=[0, 1, 8, 15]).show(2.8)
    assert table.kinds == ["throw_held", "timber_shift", "stood", "illegal"]
    assert table.move(yellow=[0, 1, 8, 17]).show(0.8).kinds[4:] == ["legal"]


def test_a_whole_play_that_may_be_half_of_one_for_a_line_leaves_the_other_half_to_be_played():
    across = on_the_line("red", 20, 19, 0.9)
    table = Watched(red=[15, 18, 57, 57]).throw(1, 1).move(red=[15, 20, 57, 57])
    table.show(3.2, alternatives=across).move(red=[16, 20, 57, 57]).show(1.2, alternatives=across).throw(3, 6)
    assert table.kinds == ["legal", "revised", "legal"]
    assert table.referee.match.position[0] == (16, 19, 57, 57)


def test_what_may_be_the_other_half_of_it_is_no_timber_shift_though_the_line_is_farther():
    across = on_the_line("red", 41, 40, 1.2)
    table = Watched(red=[25, 35, 57, 57]).throw(5, 1).move(red=[25, 41, 57, 57])
    table.show(3.2, alternatives=across).move(red=[26, 41, 57, 57]).show(2.8, alternatives=across)
    assert table.kinds == ["legal", "revised", "legal"]


def test_plays_of_held_dice_are_thought_of_though_a_piece_is_misread_since_they_were_seen():
    """Red played 0 to 1 and 17 to 18, then 2 to 6 and 5 to 6; but for a moment its 1 is read as 2."""
    table = Watched(red=[0, 2, 5, 17]).throw(1, 6).move(red=[1, 2, 5, 18]).show(0.4).throw(4, 1)
    table.move(red=[1, 6, 6, 18]).show(0.4).show(2.4, red=[2, 6, 6, 18])
    assert not {"illegal", "timber_shift"} & {*table.kinds}


def test_a_board_that_fits_a_guess_does_not_become_a_play_by_an_error():
    """The dice were 2 and 1, taken for double 1: so it fits until the piece is read one square short."""
    table = Watched(to_play="blue", blue=[3, 0, 0, 0]).throw(1, 1)
    other = begin(SETTING, to_play="blue", position=table.referee.match.position).throw((2, 1)).match
    table.referee = replace(table.referee, guesses=(other,))
    table.move(blue=[6, 0, 0, 0]).throw(3, 1).show(1.2).show(0.8, blue=[5, 0, 0, 0])
    assert table.kinds == ["throw_held"]


def test_a_board_taken_as_it_stands_is_not_taken_with_what_was_misread_until_now():
    table = Watched(red=[10, 20, 57, 57], blue=[1, 10, 0, 0]).throw(5, 2).move(red=[16, 22, 57, 57])
    table.show(2.4, blue=[10, 49, 0, 0]).show(0.4).press("trust_board")
    assert table.referee.match.position[3] == (0, 0, 1, 10)


def test_a_board_taken_as_it_stands_has_the_pieces_that_were_seen_on_it_though_they_are_overlooked_since():
    table = Watched(red=[10, 20, 57, 57], blue=[1, 10, 0, 0]).throw(5, 2).move(red=[16, 22, 57, 57])
    table.show(0.8).show(1.6, blue=[1, 0, 0]).press("trust_board")
    assert table.referee.match.position[0] == (16, 22, 57, 57)
    assert table.referee.match.position[3] == (0, 0, 1, 10)


def shifted_and_thrown_on():
    """Red shifts a piece, green throws 4 and 3 on that, and blue moves its own by as much."""
    table = Watched(red=[10, 20, 57, 57], green=[1, 30, 0, 0], blue=[22, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 22, 57, 57]).show(0.8).move(red=[15, 25, 57, 57]).show(0.8).throw(4, 3).show(2.0)
    assert table.kinds == ["legal", "throw_held", "timber_shift", "stood"]
    return table.move(blue=[29, 0, 0, 0])


def test_dice_that_others_play_on_a_shift_that_stood_may_be_theirs_and_people_are_asked():
    table = shifted_and_thrown_on().show(2.8)
    assert table.kinds[4:] == ["check"]
    assert table.press("done").kinds[5:] == ["revised", "legal"]
    assert table.referee.match.to_play == BOARD.seat("red")


def test_they_are_asked_also_where_they_throw_on_before_that():
    table = shifted_and_thrown_on().show(0.8).throw(6, 5)
    assert table.kinds[4:] == ["check", "revised", "legal"]
    assert (table.referee.match.to_play, table.referee.match.thrown) == (BOARD.seat("red"), (6, 5))


def test_whose_turn_it_is_since_a_board_was_taken_as_it_stands_people_are_asked_too():
    table = Watched(red=[10, 20, 57, 57], green=[1, 30, 0, 0], blue=[22, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 25, 57, 57]).show(2.8, confidence=0.3).press("done").show(0.8)
    assert table.kinds == ["check", "trusted", "stood"]
    table.throw(4, 3).move(blue=[29, 0, 0, 0]).show(2.8)
    assert table.kinds[3:] == ["check"]
    assert table.press("done").kinds[4:] == ["revised", "legal"]


def test_half_a_play_begun_after_dice_were_thrown_too_early_is_left_its_time():
    """Thrown under a hand that stays, or while green's piece is misread, before a hand that is not seen."""
    stays = Watched(red=[10, 20, 57, 57]).throw(5, 2).show(0.8).show(0.8, hand=True)
    stays.throw(4, 4).show(2.4, hand=True)
    not_seen = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).show(0.8)
    not_seen.show(0.8, green=[6, 0, 0, 0]).throw(4, 4).show(0.8, green=[6, 0, 0, 0])
    for table in (stays, not_seen):
        table.pieces["red"] = [12, 20, 57, 57]
        table.show(3.2).pieces["red"] = [12, 25, 57, 57]
        assert table.show(0.8).kinds[:2] == ["throw_held", "legal"]


def test_what_was_seen_to_be_wrong_when_dice_were_thrown_stood_and_a_wrong_play_on_it_is_called_too():
    """Two play, each with two colours: red's side trims yellow's piece by one, and with 1 and 5 moves 8."""
    setting = load_setting("br4006", players=2)
    pieces = {"red": [11, 20, 57, 57], "green": [0] * 4, "yellow": [22, 40, 57, 57], "blue": [0, 0, 0, 23]}
    table = Watched(setting=setting, **pieces).move(yellow=[23, 40, 57, 57]).show(0.8).throw(1, 5)
    table.move(red=[19, 20, 57, 57]).show(2.8)
    assert table.kinds == ["throw_held", "timber_shift", "stood", "illegal"]
    assert table.referee.match.position[2] == (23, 40, 57, 57)


def test_people_who_say_that_a_board_is_right_have_no_piece_where_none_is_seen():
    """Red played the 1 alone, green threw and played; the camera may see one too many in red's stack."""
    doubt = Alternative(str(BOARD.square(0, 1)), {"red": 1}, 0.5)
    table = Watched(red=[1, 1, 20, 57], green=[30, 0, 0, 0]).throw(4, 1).move(red=[1, 1, 21, 57])
    table.throw(5, 3).move(green=[38, 0, 0, 0]).show(2.8, alternatives=(doubt,))
    assert table.kinds == ["throw_held", "check"]
    table.press("done")
    assert table.referee.match.position[:2] == ((1, 1, 21, 57), (0, 0, 0, 38))


def test_dice_thrown_on_a_wrong_board_just_when_it_is_misread_are_held_for_it():
    table = Watched(red=[10, 20, 57, 57], green=[20, 0, 0, 0]).move(blue=[20, 0, 0, 0]).show(1.2)
    table.show(0.4, blue=[21, 0, 0, 0]).throw(6, 4).show(2.8)
    assert table.kinds == ["throw_held", "timber_shift", "stood"]


def test_a_piece_come_home_while_a_stack_shows_one_less_is_asked_about_though_one_was_not_seen_in_base():
    table = Watched(red=[10, 20, 57, 57], yellow=[0, 49, 49, 57]).show(1.2, yellow=[49, 49, 57]).throw(5, 2)
    table.move(red=[15, 22, 57, 57]).show(1.2, yellow=[49, 57])
    table.move().show(3.2, yellow=[49, 57, 57])
    assert table.kinds == ["legal", "check"]
    # Where the stack is seen whole, it was the one that should be in base.
    table = Watched(red=[10, 20, 57, 57], yellow=[0, 49, 49, 57]).show(1.2, yellow=[49, 49, 57]).throw(5, 2)
    table.move(red=[15, 22, 57, 57]).show(1.2, yellow=[49, 49, 57])
    table.move().show(3.2, yellow=[49, 49, 57, 57])
    assert table.kinds == ["legal", "revised"]


def test_a_piece_taken_to_be_under_another_may_be_in_base_when_that_is_played():
    table = Watched(red=[10, 20, 57, 57], yellow=[49, 49, 57, 57]).throw(5, 2).move(red=[15, 22, 57, 57])
    table.show(3.2, yellow=[49, 57, 57]).throw(4, 1).show(0.8, yellow=[49, 57, 57]).throw(1, 2)
    table.move(yellow=[0, 52, 57, 57]).show(2.8)
    assert table.kinds == ["legal", "pass", "check"]


def test_what_people_say_is_right_may_be_half_a_play_of_dice_that_were_said_to_be_void():
    """The dice before, which the referee takes for blue's, were those of somebody who could not move."""
    table = Watched(to_play="blue", blue=[0, 5, 10, 10]).throw(3, 2).show(1.2).throw(6, 4).show(1.2)
    table.move(blue=[0, 9, 10, 10]).show(2.8).press("done")
    assert table.kinds == ["void", "check", "trusted", "stood"]
    assert table.move(blue=[1, 9, 10, 10]).show(2.8).kinds[4:] == ["revised", "legal"]


def test_half_a_play_that_stood_puts_no_turn_in_doubt():
    table = Watched(red=[10, 20, 57, 57], green=[1, 0, 0, 0], blue=[22, 0, 0, 0])
    table.throw(5, 2).move(red=[15, 20, 57, 57]).show(3.2)
    table.throw(4, 5).show(0.4).move(blue=[31, 0, 0, 0]).show(2.8)
    assert table.kinds[:2] == ["illegal", "stood"]
    assert table.kinds[2:] == ["illegal"]


def test_what_stood_beside_a_play_puts_no_turn_in_doubt():
    table = Watched(red=[10, 20, 57, 57], green=[1, 0, 0, 0], blue=[22, 30, 0, 0]).throw(5, 2)
    table.move(red=[15, 22, 57, 57], blue=[23, 30, 0, 0]).show(3.2).throw(4, 3).show(0.4)
    assert table.kinds == ["illegal", "stood"]
    assert table.move(blue=[23, 37, 0, 0]).show(2.8).kinds[2:] == ["illegal"]


def test_a_whole_play_that_is_half_of_one_when_dice_are_thrown_is_called():
    table = (
        Watched(red=[5, 0, 0, 0], blue=[6, 0, 0, 0], to_play="blue")
        .throw(1, 3)
        .move(blue=[10, 0, 0, 0])
        .show(0.8)
    )
    table.move(blue=[9, 0, 0, 0]).show(4.4).throw(2, 4)
    assert table.kinds == ["legal", "revised", "illegal", "stood"]


def test_what_has_just_been_asked_about_with_more_is_not_asked_about_again():
    table = Watched(green=[5, 0, 0, 0], yellow=[8, 8, 0, 0]).move(yellow=[7, 8, 0, 0])
    table.show(2.8, confidence=0.3, green=[6, 0, 0, 0]).show(1.6, confidence=0.3)
    assert table.said == [
        "Check the fifth square after green's doorstep and the sixth square after yellow's doorstep."
    ]


def test_what_has_just_been_asked_about_is_not_asked_about_otherwise_once_dice_are_thrown_on_it():
    """Of half a play the other half may be misread; when dice are held for it, nobody thinks so any more."""
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 1).move(red=[15, 20, 57, 57])
    table.show(2.8, confidence=0.3).throw(3, 1).show(1.2, confidence=0.3)
    assert table.said == ["Check the sixth square after green's doorstep."]


def test_a_slip_of_the_hand_makes_no_void_dice_good():
    """The 6 and the 1 are played by two pieces; the one that comes out was set down a square too far."""
    table = Watched(red=[0, 20, 57, 57]).throw(1, 6).show(0.9).throw(1, 2)
    table.move(red=[2, 21, 57, 57]).show(0.8).move(red=[1, 21, 57, 57]).show(2.0)
    assert table.throw(4, 3).move(red=[5, 24, 57, 57]).show(4.0).kinds == ["void", "legal", "legal"]


def test_void_dice_that_looked_good_may_be_void_after_all():
    """What makes them look good is one set down a square too far, for long; another colour plays the 1."""
    pieces = {"red": [0, 20, 57, 57], "yellow": [17, 43, 57, 57], "green": [20, 30, 0, 0]}
    table = (
        Watched(setting=load_setting("submariners", players=2), **pieces).throw(1, 6).show(0.9).throw(1, 2)
    )
    table.move(red=[2, 20, 57, 57], yellow=[18, 43, 57, 57]).show(3.0).move(red=[1, 20, 57, 57]).show(4.0)
    assert table.kinds == ["void", "legal", "check", "revised", "legal"]


def test_dice_that_fell_while_nobody_had_played_are_asked_about_when_they_are_played_beside_the_play():
    """Green's 1 and 4 are played as 1; yellow, told that its throw was too early, plays that all the same."""
    table = Watched(to_play="green", yellow=[6, 44, 57, 57], green=[20, 57, 57, 57])
    table.throw(4, 1).show(2.0).throw(1, 1).move(yellow=[6, 46, 57, 57], green=[25, 57, 57, 57]).show(2.8)
    assert table.kinds == ["void", "legal", "check", "legal"]
    assert table.said[1:] == ["Check the sixth square after green's doorstep."]


def test_a_piece_further_back_than_dice_take_it_was_counted_where_it_was_not_and_is_asked_about():
    """Red's third was in base, from where it comes by 6 and 2; it had been counted on the other in the chute.
    Two squares back is a shift.
    """
    table = Watched(red=[56, 56, 57, 57]).throw(6, 2).move(red=[3, 56, 57, 57]).show(4.0)
    assert table.kinds == ["pass", "check"]
    table = Watched(red=[20, 56, 57, 57], to_play="green").move(red=[18, 56, 57, 57]).show(4.0)
    assert table.kinds == ["timber_shift"]


def test_no_more_plays_than_a_few_are_tried_on_a_board_that_is_read_otherwise_after_many_throws(monkeypatch):
    """Nobody's hand is there between the throws and another reading: to try them all would take minutes."""
    tried = []

    def firsts(match, held, reading):
        tried.append(len(held))
        return firsts_unseen(match, held, reading)

    monkeypatch.setattr("uckers_table.referee.supposing.firsts_unseen", firsts)
    table = Watched(red=[10, 20, 57, 57], green=[30, 0, 0, 0]).throw(5, 2).show(0.8, hand=True)
    table.show(0.4, red=[16, 23, 57, 57])
    for _ in range(6):
        table.throw(1, 4)
    table.show(4.0, red=[17, 24, 57, 57])
    assert table.kinds[0] == "throw_held"
    assert all(number <= 3 for number in tried)


def test_a_whole_play_seen_again_and_not_touched_since_does_not_become_half_of_one():
    """A stack of three is read as two when the next dice fall."""
    fewer = (Alternative(str(BOARD.square(2, 1)), {"yellow": 3}, 2.02),)
    others = {"red": [20, 57, 57, 57], "green": [47, 57, 57, 57], "blue": [31, 57, 57, 57]}
    table = Watched(to_play="yellow", yellow=[0, 1, 1, 1], **others).throw(6, 1)
    table.move(yellow=[1, 1, 1, 2]).show(1.2).show(0.8, hand=True).show(1.2)
    table.show(3.2, yellow=[1, 1, 2], alternatives=fewer).throw(5, 2)
    assert table.kinds == ["legal", "check"]


def test_a_piece_beyond_a_line_is_no_play_of_dice_that_were_void():
    """Blue has 3 in hand, and red has thrown a 4 too early."""
    pieces = {"blue": [5, 17, 17, 30], "red": [47, 47, 57, 57]}
    table = Watched(to_play="blue", setting=load_setting("western_ludo"), **pieces)
    near = on_the_line("blue", 21, 20, 0.8)
    table.throw(3).throw(4).move(blue=[5, 17, 21, 30]).show(1.2, alternatives=near)
    assert (table.kinds, table.referee.match.position[3]) == (["void", "legal"], (5, 17, 20, 30))


def test_a_piece_gone_from_a_stack_to_where_others_stood_is_asked_about_as_it_may_be_counted_there():
    """Of a play of green's; and blue's second on 14 is missed, and taken to be under the other at home."""
    table = Watched(to_play="green", green=[13, 57, 57, 57], blue=[0, 14, 14, 57]).throw(5, 2)
    table.move(green=[20, 57, 57, 57]).show(4.0, blue=[0, 14, 57, 57])
    assert table.kinds == ["check"]
    table = Watched(to_play="green", green=[13, 57, 57, 57], blue=[0, 14, 15, 57]).throw(5, 2)
    assert table.move(green=[20, 57, 57, 57], blue=[0, 15, 57, 57]).show(4.0).kinds == ["illegal"]


def test_a_piece_left_of_a_stack_that_is_counted_elsewhere_beside_a_play_from_there_is_asked_about():
    """Yellow's fourth is in base, and was counted under the one on 1; that goes on, and it is on 7 now."""
    table = Watched(to_play="yellow", yellow=[1, 1, 7, 9]).throw(4, 3)
    assert table.move(yellow=[5, 7, 7, 12]).show(4.0).kinds == ["check"]
    table = Watched(to_play="yellow", yellow=[1, 1, 7, 9]).throw(4, 3)
    assert table.move(yellow=[5, 7, 8, 12]).show(4.0).kinds == ["illegal"]


def test_a_piece_missed_as_the_board_was_taken_as_it_stood_is_no_longer_looked_for_once_it_is_seen():
    """Of yellow's two on 31 one was missed, and one misplaced; then both go on by a double."""
    table = Watched(to_play="green", green=[0, 5, 5, 14], yellow=[19, 31, 31, 43])
    table.move().show(4.0, yellow=[19, 32, 43], confidence=0.3).press("done")
    assert (table.kinds, table.referee.match.position[2]) == (["check", "trusted"], (0, 19, 32, 43))
    table.throw(1, 5).move(green=[0, 5, 5, 20]).show(2.0, yellow=[19, 32, 43])
    table.throw(4, 4).move(yellow=[19, 35, 35, 43]).show(4.0)
    assert table.kinds[2:] == ["legal", "check"]


def test_a_piece_sent_to_base_by_a_ruling_is_not_called_as_moved_before_the_next_dice():
    """Of blue's blob on 18 one is counted under green's blob, on 9, and on 13 when that has moved."""
    table = Watched(
        setting=load_setting("br4006", players=2),
        red=[0, 0, 0, 4],
        green=[9, 9, 9, 57],
        blue=[18, 18, 46, 57],
    )
    table.throw(2, 6).take(CallMade(table.t, Call("challenge")))
    table.throw(6, 6).move(red=[0, 0, 0, 5], blue=[0, 0, 46, 57]).show(0.4, blue=[0, 35, 46, 57])
    table.throw(4, 4).move(green=[9, 13, 13, 57]).show(0.8, blue=[0, 39, 46, 57])
    table.throw(5, 2).show(1.2, hand=True).move(red=[0, 0, 0, 12]).show(1.2, blue=[0, 39, 46, 57])
    assert table.kinds == ["challenge", "challenge_won", "throw_held"]


def test_what_another_cause_explains_is_asked_about_also_where_dice_were_thrown_and_played_on_it():
    """Red's third came out of base before, and had been counted on the other in the chute; or blue's second
    on 14 is missed, and taken to be under the other at home. Two squares in the chute are a shift.
    """

    def kinds(red, shown_red, blue, shown_blue):
        table = Watched("green", red=red, green=[13, 57, 57, 57], yellow=[5, 57, 57, 57], blue=blue).throw(
            5, 2
        )
        misread = {"red": shown_red, "blue": shown_blue}
        table.move(green=[20, 57, 57, 57]).show(1.2, **misread).throw(3, 4)
        return table.move(yellow=[12, 57, 57, 57]).show(4.0, **misread).kinds

    blue, red = [0, 14, 14, 57], [53, 56, 57, 57]
    assert kinds([56, 56, 57, 57], [3, 56, 57, 57], blue, blue) == ["throw_held", "check"]
    assert kinds(red, red, blue, [0, 14, 57, 57]) == ["throw_held", "check"]
    assert kinds(red, [55, 56, 57, 57], blue, blue) == ["throw_held", "illegal", "stood", "legal"]


def test_half_a_play_of_which_a_piece_is_missed_as_dice_fall_is_no_whole_one_that_a_stack_hides():
    """Red's second on 1 is missed as green throws, and throws again: it may be under yellow's on 6, but for
    what was seen since red's hand was there.
    """
    on_six = BOARD.steps_on(BOARD.seat("yellow"), BOARD.square(BOARD.seat("red"), 6))
    table = Watched(red=[1, 1, 14, 35], green=[0, 0, 0, 39], yellow=[0, 0, 13, on_six])
    table.throw(5, 3).move(red=[1, 1, 14, 38]).show(1.2).show(0.8, red=[1, 14, 38])
    table.throw(5, 2).show(0.4, red=[1, 14, 38]).throw(4, 1).show(0.4, red=[1, 14, 38])
    assert "legal" not in table.kinds
    assert "illegal" in table.show(6.0).kinds


def test_half_a_play_of_which_a_piece_in_base_is_missed_as_dice_fall_is_no_whole_one_that_a_stack_hides():
    """Red has brought out one of two; as the next dice are taken one in base is missed, as if under that."""
    table = Watched(red=[0, 0, 0, 3], green=[8, 8, 8, 8], blue=[0, 33, 57, 57])
    table.throw(6, 6).move(red=[0, 0, 1, 3]).show(4.0).show(0.4, red=[0, 1, 3]).throw(4, 3)
    assert "legal" not in table.kinds
    assert table.move(red=[0, 0, 1, 10]).show(4.0).kinds == ["throw_held", "illegal", "stood", "legal"]


def test_a_piece_that_was_not_seen_and_is_seen_again_is_missed_when_it_has_gone_home():
    """What is seen of home is one piece fewer, from the first."""
    table = Watched(red=[54, 57, 57, 57], yellow=[57, 57, 57, 57]).show(0.8, hand=True)
    table.show(1.6, red=[57, 57], alternatives=(Alternative("red 54", {"red": 1}, 0.3),)).throw(3, 6)
    table.show(1.6, red=[54, 57, 57]).move(red=[57, 57, 57, 57]).show(1.2, red=[57, 57, 57])
    assert table.kinds == ["won"]


def test_a_board_that_people_say_is_right_is_the_play_of_the_dice_beyond_a_line_near_which_a_piece_stands():
    """They are asked, lean over the board, and answer."""
    near = on_the_line("blue", 15, 16, 1.15)
    table = Watched(to_play="blue", blue=[0, 9, 57, 57]).throw(4, 3)
    table.move(blue=[0, 15, 57, 57]).show(2.8, alternatives=near)
    table.show(0.8, hand=True).show(0.4, alternatives=near)
    assert table.press("done").referee.match.position[3] == (0, 16, 57, 57)


def test_where_people_play_on_over_a_riddle_all_that_has_changed_is_asked_about():
    """Nobody saw the board between three throws: whichever blue played wrong, two places tell of it."""
    table = Watched(to_play="blue", blue=[0, 0, 12, 57]).throw(3, 6).show(0.8, hand=True)
    table.throw(4, 6).move(blue=[1, 1, 21, 57]).show(0.8).throw(5, 3)
    assert table.said == ["Check blue's doorstep and the seventh square after red's doorstep."]


def test_a_play_that_was_clearly_seen_was_no_other_one_by_which_a_cheat_would_be_none():
    """With 3 and 6 red knocks green off; had it played otherwise, green's piece would still stand there."""
    table = Watched(red=[11, 11, 27, 54], green=[1, 10, 10, 45]).throw(3, 6)
    table.move(red=[11, 14, 33, 54], green=[0, 10, 10, 45]).show(0.8).throw(3, 3)
    table.move(red=[11, 17, 33, 57]).show(0.4).move(green=[1, 10, 10, 45]).show(2.8)
    assert table.kinds == ["legal", "illegal"]
    assert table.referee.match.wrong_board is not None


def test_a_stack_that_people_said_is_right_where_the_reader_doubted_itself_is_right_when_misread_again():
    """A piece that is hidden is read under one stack or under another, now so, now so."""
    stack, chute = (BOARD.place(BOARD.seat("green"), steps) for steps in (18, 56))
    wrong, right = (
        tuple(Alternative(place, {"green": number}, cost) for place, number in numbers)
        for cost, numbers in ((1.4, ((stack, 3), (chute, 1))), (0.3, ((stack, 2), (chute, 2))))
    )
    misread = {"green": [18, 18, 56, 56], "alternatives": wrong}
    table = Watched(to_play="green", red=[1, 8, 57, 57], green=[9, 18, 18, 56]).throw(5, 4)
    table.move(green=[18, 18, 18, 56]).show(3.2, **misread).press("done")
    assert table.kinds == ["check", "legal"]
    table.throw(3, 1).show(1.2, **misread).throw(2, 1).show(1.2, **misread).throw(6, 5)
    table.move(red=[7, 13, 57, 57]).show(3.2, alternatives=right).throw(6, 1)
    table.move(red=[8, 19, 57, 57]).show(1.4, **misread).throw(1, 3).show(2.2, **misread)
    assert "revised" not in table.kinds
    assert table.referee.match.position[1] == (18, 18, 18, 56)


def test_dice_that_were_void_for_sure_excuse_nothing_once_those_before_them_are_played():
    """Green throws before anybody has touched the board, and brings a piece out quietly later."""
    table = Watched(red=[28, 57, 57, 57]).throw(5, 5).show(2.8).throw(4, 6).show(1.2)
    table.move(red=[38, 57, 57, 57]).show(0.8).throw(3, 1).show(0.8).move(green=[1, 0, 0, 0]).show(2.8)
    assert table.kinds == ["void", "legal", "pass", "timber_shift"]


def test_a_play_with_the_partners_pieces_alone_does_not_tell_whose_turn_it_is():
    """Blue, all home, helps: what it plays green might have played in its own turn."""
    table = Watched(setting=load_setting("couk"), to_play="blue", blue=[57] * 4, green=[26, 57, 57, 57])
    table.throw(6, 4).show(1.0).throw(4, 3).show(1.0)
    table.referee = replace(table.referee, doubts=2)
    table.throw(4, 3).move(green=[33, 57, 57, 57]).show(1.4).throw(2, 1).show(1.0)
    assert (table.kinds, table.referee.doubts) == (["gate", "pass", "legal", "pass"], 1)
    table.throw(4, 5).move(green=[42, 57, 57, 57]).show(2.0)
    assert (table.kinds[4:], table.referee.doubts) == (["legal"], 1)


def test_what_was_moved_before_the_dice_were_thrown_is_no_play_of_them_though_something_is_called():
    table = Watched(to_play="green", green=[20, 51, 57, 57]).move(green=[20, 57, 57, 57]).show(0.6)
    table.throw(3, 6).take(CallMade(table.t + 0.05, Call("challenge")))
    assert table.show(2.8).kinds[:3] == ["throw_held", "timber_shift", "stood"]


def test_a_piece_near_a_line_that_made_a_whole_play_may_have_made_half_of_one_however_long_it_is_seen():
    """Of 3 and 1 red plays the 3, to just across the line: that is a play of 4. Then yellow plays the 1."""
    across = on_the_line("red", 13, 12, 0.9)
    table = Watched(setting=load_setting("br4006", players=2), red=[9, 18, 57, 57], yellow=[4, 0, 0, 57])
    table.throw(3, 1).move(red=[13, 18, 57, 57]).show(2.8, alternatives=across)
    assert table.kinds == ["legal"]
    table.move().show(0.8, alternatives=across).move(yellow=[5, 0, 0, 57]).show(2.8, alternatives=across)
    assert table.throw(2, 1).kinds == ["legal", "revised", "legal", "pass"]
    assert table.referee.match.position[0] == (12, 18, 57, 57)


def test_dice_that_were_void_are_not_taken_for_good_once_others_have_been_thrown():
    """Red throws 6 6 too early, plays the 6 and 3 in its hand, throws again, and plays as if it had 6 6."""
    table = Watched(red=[0, 0, 0, 57]).throw(6, 3).show(0.8, hand=True).show(0.8).throw(6, 6)
    table.move(red=[0, 0, 4, 57]).show(2.0).throw(4, 2)
    assert table.kinds == ["void", "legal"]
    assert table.move(red=[0, 1, 10, 57]).show(2.8).kinds[2:] == ["check"]


def test_a_shifted_piece_that_the_dice_took_back_to_where_it_was_is_asked_about():
    """Nobody has played, it seems; but the piece was seen elsewhere when the dice were thrown."""
    table = Watched(red=[10, 20, 57, 57]).move(red=[10, 13, 57, 57]).show(0.8).throw(5, 2)
    table.move(red=[10, 20, 57, 57]).show(1.2)
    assert table.kinds == ["throw_held", "check"]
    assert table.said == ["Check the sixth square after green's doorstep."]


def test_half_a_play_is_called_though_whose_turn_it_is_was_in_doubt():
    """Who moves own pieces by one of the dice in hand, from where they were seen, has that turn."""
    table = Watched(red=[10, 20, 57, 57])
    table.referee = replace(table.referee, doubts=1)
    table.throw(5, 2).move(red=[15, 20, 57, 57]).show(3.2).throw(4, 3)
    assert table.kinds[:2] == ["illegal", "stood"]


def test_what_is_moved_beside_a_whole_play_is_called_though_whose_turn_it_is_was_in_doubt():
    """Who plays the dice in hand, whole and with own pieces, has that turn; nobody plays green's with it."""
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0])
    table.referee = replace(table.referee, doubts=1)
    table.throw(5, 2).move(red=[15, 22, 57, 57], green=[7, 0, 0, 0]).show(3.2)
    assert table.kinds == ["illegal"]


@pytest.mark.parametrize(
    ("rules", "said"), [("br4006", "timber_shift"), ("couk_suckback", "out_of_step"), ("wafu", "out_of_step")]
)
def test_a_piece_that_has_gone_back_is_called_though_whose_turn_it_is_was_in_doubt(rules, said):
    """Not where pieces may go back by the rules: with suckback, called or not."""
    table = Watched(setting=load_setting(rules), red=[10, 20, 57, 57], green=[5, 0, 0, 0])
    table.referee = replace(table.referee, doubts=1)
    assert table.move(green=[4, 0, 0, 0]).show(3.2).kinds[0] == said


def test_a_piece_that_has_gone_on_is_asked_about_while_whose_turn_it_is_is_in_doubt():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0])
    table.referee = replace(table.referee, doubts=1)
    assert "timber_shift" not in table.move(green=[8, 0, 0, 0]).show(3.2).kinds
    assert table.referee.is_out_of_step


@pytest.mark.parametrize(
    ("beside", "called"), [({"yellow": [5, 0, 0, 0]}, "illegal"), ({"green": [4, 0, 7, 0]}, "out_of_step")]
)
def test_on_a_board_that_was_taken_as_it_stood_only_what_was_moved_by_itself_is_called(beside, called):
    """Of a stack one was missed or seen too much just when people said that all is right."""
    table = Watched(red=[10, 20, 57, 57], green=[4, 0, 0, 0], yellow=[3, 0, 0, 0])
    table.move(green=[4, 4, 0, 0]).show(2.8, confidence=0.3).press("done").throw(1, 1).show(0.8)
    table.referee = replace(table.referee, guesses=(), turns=())
    assert (table.kinds, table.referee.doubts) == (["check", "trusted"], 1)
    assert called in table.move(red=[10, 22, 57, 57], **beside).show(3.2).kinds


def test_a_piece_seen_nowhere_that_dice_take_home_is_there_when_people_say_that_the_board_is_right():
    """Red and yellow have something between them; green went on from that and came home with 6 and 5."""
    table = Watched(red=[10, 20, 57, 57], green=[46, 0, 0, 0], yellow=[7, 0, 0, 0]).throw(5, 2)
    table.move(red=[15, 22, 57, 57], yellow=[9, 0, 0, 0]).show(0.8, confidence=0.3).throw(6, 5)
    table.move(green=[0, 0, 0]).show(3.2, confidence=0.3).press("done")
    assert table.kinds == ["throw_held", "check", "trusted", "stood"]
    assert table.referee.match.position[1] == (0, 0, 0, 57)


def test_others_that_play_dice_of_the_tower_which_were_said_to_be_void_are_asked_about():
    """Somebody's hand was there: red may have left its play, or green have no turn yet."""
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).move().show(2.8).throw(4, 1)
    table.show(0.8).move(green=[10, 0, 0, 0]).show(3.2)
    assert table.kinds == ["void", "check"]


def test_half_a_play_from_one_stack_to_another_of_its_colour_is_called():
    """A reader that counts a missed piece under another of its colour does so at any distance."""
    table = Watched(red=[10, 10, 14, 57]).throw(4, 1).move(red=[10, 14, 14, 57]).show(1.2).throw(4, 3)
    assert table.show(3.2).kinds[:3] == ["throw_held", "illegal", "stood"]


def test_a_piece_near_a_line_makes_no_play_whole_that_has_nothing_to_do_with_it():
    """The reader doubts the piece that red leaves where it is; yellow's may hide it where it should be."""
    line = on_the_line("green", 30, 29, 0.4)
    doubted = (*line, Alternative(BOARD.place(0, 15), {}, 0.5))
    hides = BOARD.steps_on(BOARD.seat("yellow"), BOARD.square(0, 17))
    table = Watched(red=[12, 15, 57, 57], green=[30, 0, 0, 0], yellow=[hides, 0, 0, 0]).move()
    table.show(1.2, alternatives=line).throw(6, 2).move(red=[15, 18, 57, 57])
    table.show(1.2, alternatives=doubted).throw(4, 3).show(2.8, alternatives=doubted)
    assert table.kinds == ["throw_held", "check"]


def test_a_piece_that_was_taken_for_none_and_stands_where_it_was_seen_before_is_not_called():
    """Yellow's piece leaves the square: no rule lets it, if the other has stood there all the time."""
    doubted = (Alternative(str(BOARD.square(BOARD.seat("green"), 29)), {"yellow": 1}, 0.3),)
    pieces = {"green": [0, 0, 19, 57], "yellow": [0, 8, 8, 16]}
    table = Watched("yellow", setting=load_setting("wafu"), **pieces).move()
    table.show(2.8, green=[0, 19, 29, 57], alternatives=doubted).throw(3, 1)
    assert table.move(yellow=[0, 8, 8, 20]).show(3.2, green=[0, 19, 29, 57]).kinds == ["check"]


def test_a_piece_that_a_play_knocks_off_is_no_reason_to_ask_about_what_is_moved_beside_it():
    knocked_off = BOARD.steps_on(BOARD.seat("blue"), BOARD.square(BOARD.seat("red"), 21))
    table = Watched(red=[1, 1, 15, 39], blue=[1, 1, 1, knocked_off]).throw(6, 1)
    assert table.move(red=[1, 2, 21, 39], blue=[0, 1, 1, 4]).show(3.2).kinds == ["illegal"]


def test_half_a_play_that_is_whole_if_a_stack_is_what_the_reader_says_it_may_be_is_asked_about():
    """Of two pieces on the square to which red played the 5 one is missed, however long, and one may be more
    elsewhere: then that was where a piece was played from.
    """
    missed = (Alternative(BOARD.place(0, 17), {"red": 2}, 2.02),)
    table = Watched(red=[8, 12, 12, 17]).throw(6, 5).move(red=[12, 14, 17, 17])
    table.show(0.8, red=[12, 14, 17], alternatives=missed).press("done")
    assert table.show(3.2, red=[12, 14, 17], alternatives=missed).kinds == ["check"]


def test_a_six_that_lets_somebody_help_is_in_doubt_if_whose_throw_it_was_is():
    """Blue may not help yet: with 5 and 6 it may from then on, and the next throw is red's."""
    table = Watched(to_play="blue", blue=[57] * 4, red=[4, 31, 57, 57], green=[56, 57, 57, 57])
    table.referee = replace(table.referee, doubts=1)
    table.throw(6, 2).show(1.2).throw(2, 1).move(red=[7, 31, 57, 57]).show(1.2)
    table.throw(4, 2).show(1.2).throw(2, 3).show(1.2)
    assert (table.kinds, table.referee.doubts) == (["gate", "legal", "pass", "pass"], 0)
    table.throw(5, 6).show(1.2).throw(4, 3).move(red=[14, 31, 57, 57]).show(2.8)
    assert table.kinds[4:] == ["pass", "pass", "revised", "legal"]
    assert table.referee.match.board.seats[table.referee.match.to_play] == "green"


def test_whoever_is_home_on_a_board_taken_as_it_stands_may_have_thrown_his_six_before():
    """Green's last piece had come home unnoticed; green helps already, and plays its double 6 for blue."""
    table = Watched(red=[40, 57, 57, 57], green=[56, 57, 57, 57], blue=[27, 57, 57, 57])
    table.move(green=[57] * 4).show(0.8).press("trust_board").throw(2, 1)
    table.move(red=[43, 57, 57, 57]).show(1.2).throw(6, 6).move(blue=[39, 57, 57, 57]).show(2.8)
    assert table.kinds == ["trusted", "legal", "gate", "revised", "legal"]


def test_a_play_that_was_only_supposed_to_have_been_made_tells_nothing_of_whose_turn_it_is():
    """People have said that the board is right, on which nothing was played, and throw again."""
    table = Watched(red=[10, 20, 57, 57], green=[5, 30, 57, 57]).throw(5, 2).show(1.2)
    forgiven = table.referee.still.reading.key
    table.referee = replace(table.referee, doubts=1, forgiven=forgiven)
    assert table.throw(3, 1).kinds == ["legal"]
    assert table.referee.doubts == 1


def test_who_came_last_onto_a_stack_of_a_board_taken_as_it_stands_is_not_known():
    """Under these rules the lower one may not move: but green came onto blue, or blue onto green."""
    setting = load_setting("wafu")
    assert setting.rules.mixed_stack_order == "top_first"
    pieces = {"green": [1, 5, 0, 0], "blue": [22, 0, 0, 0]}
    table = Watched(setting=setting, to_play="green", **pieces)
    table.move(green=[4, 5, 0, 0], blue=[30, 0, 0, 0]).show(0.8).press("trust_board").throw(4, 3)
    assert table.move(green=[8, 8, 0, 0]).show(2.8).kinds == ["trusted", "legal"]


def test_dice_that_were_void_are_not_taken_for_good_once_others_lie_cocked():
    table = Watched(red=[0, 0, 0, 57]).throw(6, 3).show(0.8, hand=True).show(0.8).throw(6, 6)
    table.move(red=[0, 0, 4, 57]).show(2.0).take(DiceFault(table.t + 0.1, "cocked"))
    assert table.kinds == ["void", "legal", "cocked"]
    assert table.move(red=[0, 1, 10, 57]).show(2.8).kinds[3:] == ["check"]


def test_what_is_seen_with_a_piece_too_many_for_a_moment_is_called_when_that_is_gone():
    table = Watched(green=[5, 0, 0, 0]).move(green=[6, 0, 0, 0]).show(2.8, yellow=[0, 0, 0, 0, 20])
    assert table.kinds == []
    assert table.show(2.4).kinds == ["timber_shift"]


def test_a_piece_too_many_that_lasts_is_asked_about():
    table = Watched(green=[5, 0, 0, 0]).move(green=[6, 0, 0, 0]).show(4.4, yellow=[0, 0, 0, 0, 20])
    assert table.kinds == ["check"]


def test_half_a_play_that_is_as_good_as_a_whole_one_is_asked_about_when_dice_are_thrown_on_it():
    """Blue's piece is seen nowhere: it may be home, or half way there under the one in the chute."""
    table = Watched(to_play="blue", blue=[50, 56, 57, 57], red=[1, 0, 0, 0]).throw(6, 1).show(0.8)
    table.move(blue=[56, 57, 57, 57]).show(2.4, blue=[56, 57, 57])
    # Just then something else is misread.
    table.show(0.4, blue=[56, 57, 57], red=[2, 0, 0, 0]).throw(6, 5).show(1.6, blue=[56, 57, 57])
    assert table.kinds == ["throw_held", "check"]


def test_a_piece_that_stays_near_a_line_as_before_makes_half_a_play_no_whole_one():
    """Red's 16 stands near the line to 15. Of double 1 red plays a single one, and not with that."""
    across = on_the_line("red", 16, 15, 0.9)
    table = Watched(setting=load_setting("br4006", players=2), red=[15, 31, 57, 57], green=[4, 0, 0, 57])
    table.throw(4, 1).move(red=[16, 35, 57, 57]).show(2.8, alternatives=across)
    table.throw(1, 1).move(green=[6, 0, 0, 57]).show(2.8, alternatives=across)
    table.throw(1, 1).move(red=[16, 36, 57, 57]).show(4.0, alternatives=across)
    assert (table.referee.match.awaiting, table.kinds) == (Awaiting.PLAY, ["legal", "legal"])
    assert table.throw(2, 1).kinds[2:] == ["check", "throw_held"]


def test_a_wrong_board_of_which_a_piece_is_missed_just_when_dice_are_thrown_is_called_all_the_same():
    """At its kindest it was a play; but it was never read so, and soon nothing tells of that any more."""
    table = Watched(to_play="red", red=[0] * 4).throw(6, 6).move(red=[1, 2, 0, 0]).show(0.8)
    table.show(0.6, red=[1, 0, 0]).throw(4, 3).show(2.4)
    assert table.kinds == ["throw_held"]
    assert table.show(2.0).kinds[1:] == ["illegal", "stood"]


def test_a_board_that_is_a_play_only_at_its_kindest_when_dice_are_thrown_leaves_the_record_in_doubt():
    """Two errors of the reader's, one after the other: each piece was read in its place, but never both."""
    table = Watched(red=[10, 20, 57, 57]).throw(5, 2).move(red=[15, 22, 57, 57])
    table.show(1.6, red=[16, 22, 57, 57]).show(1.2, red=[15, 23, 57, 57]).throw(4, 1)
    assert (table.kinds, table.referee.doubts) == (["legal", "pass"], 2)


def test_void_dice_that_may_have_been_played_accuse_nobody_where_a_piece_stands_near_a_line():
    """Blue's play of 2, to just across the line, is not seen before yellow throws and plays."""
    across = on_the_line("blue", 40, 41, 1.05)
    home = {colour: [57] * 4 for colour in ("red", "green")}
    table = Watched(
        setting=load_setting("western_ludo", players=2),
        to_play="green",
        yellow=[47, 50, 57, 57],
        blue=[39, 57, 57, 57],
        **home,
    )
    table.throw(2).show(0.8, hand=True).show(0.8).throw(3).move(
        yellow=[50, 50, 57, 57], blue=[40, 57, 57, 57]
    )
    assert table.show(4.0, alternatives=across).kinds == ["void", "check"]
    # Whoever throws on says that the board is right; where that piece stands is as doubtful as before.
    assert table.throw(5).kinds[2:] == ["trusted", "stood"]
    assert table.referee.on_lines == ((3, 40, 41),)
    table.show(0.4, alternatives=across).move(blue=[46, 57, 57, 57])
    assert table.show(4.0).kinds[4:] == ["check"]


def test_void_dice_taken_for_good_leave_the_record_in_doubt_and_half_of_their_play_is_not_called():
    """As above, but what is set down a square too far stays there when the next dice are thrown."""
    pieces = {"red": [0, 20, 57, 57], "yellow": [17, 43, 57, 57], "green": [20, 30, 0, 0]}
    table = (
        Watched(setting=load_setting("submariners", players=2), **pieces).throw(1, 6).show(0.9).throw(1, 2)
    )
    table.move(red=[2, 20, 57, 57], yellow=[18, 43, 57, 57]).show(3.0)
    assert (table.kinds, table.referee.doubts) == (["void", "legal", "check"], 2)
    assert "illegal" not in table.throw(3, 1).kinds


def test_the_rest_of_half_a_play_may_have_been_played_by_the_dice_thrown_on_it():
    """Of double 3 green plays one 3, and throws 2 and 1: what it plays then may be the other, or these."""
    table = Watched(to_play="green", setting=load_setting("couk"), green=[7, 57, 57, 57]).throw(3, 3)
    table.move(green=[10, 57, 57, 57]).show(0.8).throw(2, 1).move(green=[13, 57, 57, 57]).show(1.2)
    assert table.kinds == ["throw_held", "legal", "check"]
    assert table.said == ["Check the twelfth square after green's doorstep."]


def test_a_piece_that_may_have_been_left_standing_is_asked_about_though_dice_are_played_on_that():
    """Blue came to 23 on red's piece, which stands there still, and went on with the next dice. It might all
    have been played past that; but that is not how it was seen.
    """
    there = BOARD.square(BOARD.seat("blue"), 23)
    left = (Alternative(str(there), {"blue": 1}, 1.0),)
    table = Watched(to_play="blue", blue=[0, 17, 17, 19], red=[BOARD.steps_on(0, there), 0, 0, 0])
    table.throw(6, 1).move(blue=[0, 17, 20, 23]).show(1.2, alternatives=left)
    table.throw(4, 1).move(blue=[0, 17, 24, 24]).show(0.8)
    assert table.kinds == ["throw_held", "legal", "check", "legal"]


def test_a_piece_seen_now_here_now_there_is_not_left_out_of_what_is_called():
    """Blue came out, and green pieces were shifted. Then blue is read on the next square for a moment."""
    table = Watched(to_play="blue", green=[3, 2, 0, 0]).throw(6, 2)
    table.move(blue=[3, 0, 0, 0], green=[1, 2, 26, 0]).show(0.8).show(1.2, blue=[4, 0, 0, 0]).show(2.8)
    (said,) = table.said
    assert said.startswith("Illegal. Besides the play, a green piece has moved from base")


def test_two_pieces_misread_one_after_the_other_are_no_wrong_board_that_was_played_on():
    """Green came out to 3, read as 2 at first, and then went on to 10, read as 9: 7 on, as the dice said."""
    table = Watched(to_play="green").throw(6, 2).move(green=[3, 0, 0, 0]).show(0.4, green=[2, 0, 0, 0])
    table.throw(2, 6).move(green=[3, 3, 0, 0]).show(0.4).throw(3, 4)
    table.move(green=[3, 10, 0, 0]).show(1.2, green=[3, 9, 0, 0])
    assert table.kinds == ["throw_held"]
    assert table.show(2.8).throw(1, 2).kinds[1:] == ["check", "trusted", "legal", "legal", "legal", "pass"]


@pytest.mark.parametrize(("confidence", "is_suspect"), [(0.4, False), (0.5, True)])
def test_a_reader_that_is_sure_of_nothing_makes_nothing_suspect(confidence, is_suspect):
    table = Watched().throw(6, 2).move(red=[2, 0, 0, 0]).show(0.4, confidence=confidence).throw(2, 6)
    assert table.kinds == ["throw_held"]
    assert (table.referee.suspect is not None) is is_suspect


def test_a_piece_read_under_another_for_a_moment_has_not_been_played_there_and_back():
    """Red reached for its 14 and thought again: it was read under the 20, as if played by the 6."""
    table = Watched(red=[14, 20, 57, 57], green=[5, 57, 57, 57]).throw(4, 2).show(0.8, hand=True)
    table.show(1.6, red=[20, 20, 57, 57]).show(1.6).throw(3, 6).show(1.2)
    assert table.kinds == ["legal", "throw_held", "check"]


@pytest.mark.parametrize(
    ("moved", "kind"),
    [
        # A slip it was, by that square, that looked like a play.
        ({"green": [13, 0, 0, 0]}, "check"),
        ({"yellow": [21, 0, 0, 0]}, "timber_shift"),
    ],
)
def test_where_a_piece_goes_that_was_not_seen_before_is_asked_about_and_other_pieces_are_called(moved, kind):
    """Green was said to be in its place, and nobody saw whether it stood there or on the next square."""
    table = Watched(to_play="green", green=[5, 0, 0, 0], yellow=[20, 0, 0, 0]).show(6.0, green=[0, 0, 0])
    table.press("done").show(1.2, green=[0, 0, 0]).throw(4, 3).move(green=[12, 0, 0, 0]).show(1.2)
    assert table.kinds == ["check", "legal"]
    assert table.move(**moved).show(4.0).kinds[2:] == [kind]


def test_what_nobody_touched_since_it_was_seen_in_its_place_has_not_been_shifted():
    """Red's 22 is read as unplayed, and then green's 5 on the next square besides."""
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2).move(red=[15, 22, 57, 57])
    table.show(0.4, red=[15, 20, 57, 57]).show(2.4, red=[15, 20, 57, 57], green=[6, 0, 0, 0])
    assert table.throw(4, 3).kinds == ["check", "throw_held"]
    assert table.show(1.2).kinds[2:] == ["legal"]


@pytest.mark.parametrize(
    ("seen_s", "said"),
    [(0.0, ["void"] * 4 + ["check"]), (0.4, ["throw_held", "out_of_step", "put_this_right"])],
)
def test_after_more_throws_than_can_be_followed_nobody_is_called_for_a_play_of_the_last(seen_s, said):
    """Blue's play is missed just when four throws are made on it, and yellow plays the last of them."""
    table = Watched(to_play="blue", blue=[1, 1, 1, 1], yellow=[7, 7, 9, 9]).throw(4, 1)
    table.move(blue=[1, 1, 1, 6]).show(seen_s).show(0.8, blue=[1, 1, 1, 1])
    for dice in ((3, 5), (2, 2), (5, 4), (1, 5)):
        table.throw(*dice)
    assert table.show(0.4).move(yellow=[7, 9, 9, 13]).show(4.0).kinds == said


def test_half_a_play_that_is_missed_just_when_others_throw_is_called():
    table = Watched(red=[0, 1, 17, 45], blue=[0, 1, 10, 24]).throw(6, 2).move(red=[1, 1, 17, 45]).show(4.0)
    two = (Alternative(str(BOARD.square(0, 1)), {"red": 2}, 2.8),)
    table.show(0.8, red=[1, 17, 45], alternatives=two).throw(2, 1)
    table.show(0.8, red=[1, 17, 45], alternatives=two).show(4.0)
    assert table.kinds == ["throw_held", "illegal", "stood"]
    assert table.said == [
        "Illegal. Red played only the 6; both dice can be played.",
        "The board stands as it is.",
    ]


def test_a_piece_put_down_just_short_of_the_next_square_was_played_when_others_throw_on():
    """Red's 16 went on by 1, to a good 2 mm before the line; green throws, and it stays there."""
    across = on_the_line("red", 16, 17, 1.05)
    table = Watched(setting=load_setting("masters_ludo"), red=[16, 30, 57, 57], green=[54, 57, 57, 57])
    table.throw(1).show(0.8, hand=True).show(2.8, alternatives=across).throw(2)
    assert (table.kinds, table.referee.match.to_play) == (["legal"], BOARD.seat("green"))
    assert table.referee.match.position[0] == (17, 30, 57, 57)


def test_what_is_seen_stays_in_mind_though_people_say_that_the_board_they_were_asked_about_is_right():
    """Green's second piece on 11 is not seen, and stands on 13, which the reader doubts; the record keeps it
    on 11. Then green plays 4 and, after a while, 2, which by the record it has played with the 4.
    """
    doubted = (Alternative(str(BOARD.square(1, 13)), {"green": 1}, 3.5),)
    table = Watched(to_play="green", green=[9, 11, 13, 40]).throw(2, 1)
    table.move(green=[11, 11, 13, 41]).show(1.2, green=[11, 13, 41]).move(green=[11, 13, 13, 41])
    assert table.show(4.0, alternatives=doubted).press("done").kinds == ["legal", "check"]
    for _ in range(3):
        table.throw(4, 1).show(0.8, alternatives=doubted)
    table.throw(4, 2).move(green=[11, 13, 17, 41]).show(1.2)
    assert table.kinds == ["legal", "check", "pass", "pass", "pass", "legal"]
    assert table.move(green=[13, 13, 17, 41]).show(4.0).kinds[6:] == ["revised", "legal"]


def test_a_play_from_beyond_a_line_is_asked_about_after_one_from_this_side_was_seen():
    """Red's 15, taken for 16, is put on 24 by 6 and 2, and then on 23: a slip mended, if it was not 16
    that was moved on and is moved back.
    """
    table = Watched(red=[16, 20, 57, 57]).show(0.8, hand=True)
    table.show(1.2, alternatives=on_the_line("red", 16, 15, 0.9)).throw(6, 2)
    assert table.move(red=[20, 24, 57, 57]).show(1.2).kinds == ["legal"]
    assert table.move(red=[20, 23, 57, 57]).show(4.0).kinds == ["legal", "check", "revised"]
    assert table.referee.match.position[0] == (20, 23, 57, 57)


def test_a_piece_that_the_dice_took_to_this_side_of_a_line_with_another_is_not_played_from_beyond():
    """With 3 and 1 blue came to 4, and green moved 1; blue alone might have come to 5, where it is seen."""
    across = on_the_line("blue", 5, 4, 0.9)
    setting, own = load_setting("br4006", players=2), {"green": [18, 57, 57, 57], "blue": [1, 57, 57, 57]}
    table = Watched(to_play="green", setting=setting, red=[56, 57, 57, 57], **own)
    table.throw(3, 1).move(green=[19, 57, 57, 57], blue=[5, 57, 57, 57]).show(1.2, alternatives=across)
    table.throw(5, 3).show(0.8, alternatives=across).throw(5, 4)
    assert table.referee.match.position[3] == (4, 57, 57, 57)
    assert "revised" not in table.move(blue=[14, 57, 57, 57]).show(4.0).kinds


def test_what_is_seen_stays_in_mind_also_where_somebody_else_was_to_play_when_people_were_asked():
    doubted = (Alternative(str(BOARD.square(1, 13)), {"green": 1}, 3.5),)
    table = Watched(to_play="green", green=[9, 11, 13, 40], yellow=[20, 57, 57, 57]).throw(2, 1)
    table.move(green=[11, 11, 13, 41]).show(1.2, green=[11, 13, 41]).throw(4, 1)
    table.move(green=[11, 13, 13, 41]).show(4.0, alternatives=doubted).press("done")
    table.move(yellow=[25, 57, 57, 57]).show(1.2, alternatives=doubted)
    assert table.kinds == ["legal", "check", "legal"]
    for _ in range(2):
        table.throw(4, 1).show(0.8, alternatives=doubted)
    table.throw(4, 2).move(green=[11, 13, 17, 41]).show(1.2)
    assert table.kinds[3:] == ["pass", "pass", "legal"]
    assert table.move(green=[13, 13, 17, 41]).show(4.0).kinds[6:] == ["revised", "legal"]


@pytest.mark.parametrize(("third", "kind"), [(19, "check"), (0, "timber_shift")])
def test_a_knocked_off_piece_that_the_reader_had_put_elsewhere_may_have_stood_there_all_the_time(third, kind):
    """Red came to its 7 on green's piece, which is left standing: it is read under another of green's until
    it is seen. Seen in base at first, it has been put back.
    """
    there = BOARD.steps_on(BOARD.seat("green"), BOARD.square(BOARD.seat("red"), 7))
    below = (Alternative(str(BOARD.square(BOARD.seat("green"), 19)), {"green": 1}, 0.95),)
    table = Watched(red=[0, 4, 4, 12], green=[0, there, 4, 19], yellow=[0, 5, 57, 57]).throw(3, 4)
    table.move(red=[0, 4, 7, 16]).show(2.8, green=[0, 4, third, 19], alternatives=below)
    table.throw(3, 5).move(green=[0, there, 12, 19])
    table.show(2.8, green=[0, 12, third, 19], alternatives=below).show(4.0)
    assert table.kinds == ["legal", "legal", kind]


def test_what_comes_of_a_call_that_was_asked_about_and_not_answered_accuses_nobody():
    """Green may mean a blowback with 4 or 2, says neither, throws a 2, and sends red's attacker back."""
    table = Watched(to_play="green", setting=load_setting("wafu"), red=[12, 0, 0, 0], green=[53, 55, 0, 0])
    table.press("call").throw(2, 5).move(red=[0, 0, 0, 0]).show(4.0)
    assert table.kinds == ["which_call", "revised"]
    assert table.referee.match.position[0] == (0, 0, 0, 0)


def test_a_play_that_only_a_missed_piece_showed_was_none_though_dice_were_thrown_on_it():
    """Blue reaches for its 51, which 6 would take home, and is not done yet. Somebody throws too early."""
    table = Watched(to_play="blue", blue=[51, 57, 57, 57], red=[40, 57, 57, 57]).throw(6, 5)
    table.show(0.8, hand=True).show(1.2, blue=[57, 57, 57]).throw(5, 6).show(4.0)
    assert table.kinds == ["legal", "check"]


def test_a_shift_that_leaves_half_of_the_last_play_is_half_a_play_when_dice_are_thrown_on_it():
    """Green played 6 and 1, and took the 1 back a moment later: both are dice of green's."""
    table = Watched(to_play="green", green=[6, 21, 22, 57], red=[4, 14, 57, 57]).throw(6, 1)
    table.move(green=[12, 22, 22, 57]).show(0.8).move(green=[12, 21, 22, 57]).show(2.0)
    table.show(0.8, hand=True).show(4.0).throw(3, 6).show(1.2)
    assert table.kinds[:4] == ["legal", "revised", "illegal", "stood"]


def test_half_a_play_read_as_a_whole_one_for_a_moment_is_none_when_dice_are_thrown():
    """Yellow's 37 is taken to be under red's piece for a moment, which stands on its 40."""
    table = Watched(to_play="yellow", yellow=[8, 19, 19, 37], red=[6, 6, 14, 45]).throw(3, 2)
    table.move(yellow=[10, 19, 19, 37]).show(6.0).show(0.8, yellow=[10, 19, 19, 40]).show(0.8).throw(4, 1)
    assert table.kinds == ["check", "throw_held"]


def test_two_errors_one_after_the_other_call_no_play_wrong_when_dice_are_thrown_on_it():
    """Red's 19 is read a square on, then yellow's 43 a square back: neither for longer than errors last."""
    table = Watched(red=[4, 7, 24, 46], yellow=[16, 43, 57, 57]).throw(6, 6).move(red=[4, 19, 24, 46])
    table.show(0.8, red=[4, 20, 24, 46]).show(2.4, yellow=[16, 42, 57, 57]).throw(6, 1).show(1.2)
    assert table.kinds == ["throw_held", "legal"]


def test_a_blob_that_was_seen_all_the_time_may_be_one_though_it_is_on_record_as_a_single_piece():
    """Blue plays only its 3, for where the 2 would go from there two pieces are seen. No hand was noticed."""
    there = BOARD.steps_on(BOARD.seat("yellow"), BOARD.square(BOARD.seat("blue"), 15))
    single = (Alternative(str(BOARD.square(BOARD.seat("blue"), 15)), {"yellow": 1}, 1.64),)
    seen = {"alternatives": single, "yellow": [there, there, 57, 57]}
    table = Watched(to_play="blue", blue=[10, 57, 57, 57], yellow=[0, there, 57, 57])
    table.show(0.8, hand=True).show(1.2, yellow=[there, 57, 57]).show(4.0, **seen)
    table.throw(2, 3).show(2.0, **seen)
    table.pieces["blue"] = [13, 57, 57, 57]
    assert table.show(4.0, **seen).throw(2, 2).show(2.0, **seen).kinds[0] == "check"


def test_what_was_wrong_when_dice_were_thrown_is_asked_about_where_only_something_else_is_called():
    """Green plays red's 5 out of turn; on the next throw, too early, yellow goes 3."""
    table = Watched(red=[13, 57, 57, 57], green=[1, 0, 0, 57], yellow=[15, 19, 57, 57]).throw(1, 4)
    table.move(green=[6, 0, 0, 57]).show(0.8).throw(4, 1).move(yellow=[18, 19, 57, 57]).show(4.0)
    assert table.kinds[:3] == ["throw_held", "illegal", "stood"]
    assert table.said[0] == "Illegal. Red moved a yellow piece."
    assert table.said[2] == "Check the fifth square after green's doorstep."


def test_a_piece_that_is_seen_nowhere_since_it_was_played_has_not_been_taken_back_onto_another():
    """Green's 54 has gone home quietly, or is under green's 46 again, from where it came."""
    table = Watched(to_play="green", green=[46, 46, 57, 57]).throw(5, 3)
    table.move(green=[46, 54, 57, 57]).show(0.8).move(green=[46, 57, 57]).show(3.2)
    assert table.kinds == ["legal", "check"]


def test_whoever_leaves_what_was_called_and_plays_the_throw_beside_it_is_not_accused_again():
    table = Watched(red=[0, 8, 9, 9]).throw(5, 5).move(red=[1, 8, 9, 9]).show(2.8)
    assert table.kinds == ["illegal"]
    # It may have stood there before the dice were thrown.
    assert table.move(red=[6, 9, 9, 13]).show(3.2).kinds[1:] == ["check"]


@pytest.mark.parametrize(("dice", "green"), [((3, 1), 9), ((3, 2), 10)])
def test_half_of_a_play_that_was_not_seen_when_a_board_was_taken_as_it_stands_accuses_nobody(dice, green):
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2)
    table.move(red=[16, 20, 57, 57]).show(2.8, confidence=0.3).press("done")
    assert table.kinds == ["check", "trusted", "stood"]
    # Red had played the 2 with the other piece.
    table.throw(*dice).move(green=[green, 0, 0, 0], red=[16, 22, 57, 57])
    assert table.show(3.2).kinds[3:] == ["out_of_step", "put_this_right"]


def test_dice_thrown_though_nobody_was_seen_to_play_may_have_come_too_early_and_are_thrown_again():
    table = Watched(red=[7, 7, 14, 57], green=[0, 57, 57, 57], yellow=[30, 57, 57, 57]).throw(2, 4)
    # Two pieces are misread when green throws.
    table.show(0.8, red=[7, 13, 57]).throw(4, 5).move(red=[7, 7, 20, 57]).show(1.2)
    assert table.kinds == ["throw_held", "legal", "pass"]
    table.throw(6, 1).move(green=[2, 57, 57, 57])
    assert table.show(3.2).kinds[3:] == ["revised", "legal"]


def test_people_who_are_ahead_of_the_record_three_times_in_a_row_are_asked():
    table = Watched(red=[10, 20, 57, 57], green=[5, 0, 0, 0], yellow=[20, 0, 0, 0], blue=[30, 0, 0, 0])
    table.throw(5, 2).move(red=[15, 22, 57, 57]).show(0.4).throw(2, 1)
    table.show(0.4).move(green=[8, 0, 0, 0]).show(0.4).throw(3, 1)
    table.show(0.4).move(yellow=[24, 0, 0, 0]).show(0.4).throw(2, 3)
    table.show(0.4).move(blue=[36, 0, 0, 0]).show(0.4).throw(4, 1)
    table.kinds.clear()
    assert table.show(3.2).kinds == ["out_of_step", "put_this_right"]


def test_whoever_plays_his_throw_after_others_were_taken_to_have_played_it_is_asked():
    table = Watched("yellow", green=[0, 0, 8, 11], yellow=[0, 1, 1, 18])
    table.move(green=[0, 1, 8, 11]).show(2.8).throw(2, 3)
    assert table.kinds == ["timber_shift", "stood"]
    table.move(green=[0, 6, 8, 11]).show(2.8).press("done")
    assert table.kinds[2:] == ["check", "revised", "legal"]
    # It was yellow's throw, who now plays it; in between others have thrown, too early.
    table.throw(3, 5).move(yellow=[0, 1, 1, 23]).show(3.2).throw(1, 3)
    assert table.kinds[5:] == ["check", "revised", "legal", "pass"]


def test_a_shift_that_shows_beside_the_play_of_the_throw_in_hand_is_called_though_dice_were_thrown_on_it():
    table = Watched("green", green=[10, 10, 57, 57], yellow=[0, 0, 0, 27]).throw(3, 2)
    table.move(yellow=[0, 0, 0, 32]).show(1.6).throw(1, 1)
    # Green, who had still to play, does so when somebody else has thrown already; and that one throws again.
    table.move(green=[10, 15, 57, 57]).show(1.2).throw(6, 2)
    assert table.kinds == ["throw_held", "timber_shift", "stood", "void", "legal"]
    assert table.referee.match.position[1:3] == ((10, 15, 57, 57), (0, 0, 0, 32))
    # Whoever threw too early need not be told any more.
    assert table.said[1:] == ["The board stands as it is."]


def test_half_a_play_that_looked_whole_and_was_made_whole_just_before_the_next_throw_accuses_nobody():
    table = Watched("green", green=[1, 5, 14, 23], yellow=[0, 0, 30, 45]).throw(1, 4)
    # Another piece looks as if it had been played by the 1; one is, and takes yellow's.
    table.move(green=[1, 5, 18, 23]).show(0.8, green=[1, 5, 18, 24]).show(1.6)
    table.move(green=[1, 6, 18, 23], yellow=[0, 0, 0, 30]).show(0.4).throw(2, 4)
    table.move(yellow=[0, 0, 0, 36]).show(3.2)
    assert table.kinds == ["legal", "revised", "throw_held", "legal", "legal"]


def test_a_shift_that_shows_still_as_dice_are_thrown_again_is_called_though_the_board_was_seen_but_once():
    table = Watched(red=[10, 20, 57, 57], green=[5, 30, 0, 0])
    table.move(yellow=[7, 0, 0, 0]).show(0.8).throw(5, 2)
    table.show(2.0, hand=True).move(red=[15, 22, 57, 57]).show(0.4).throw(1, 3)
    assert table.kinds == ["throw_held", "timber_shift", "stood"]


def test_what_stands_may_have_been_a_play_of_those_whose_turn_it_was_instead():
    table = Watched("red")
    other = begin(SETTING, to_play="yellow", position=table.referee.match.position)
    table.referee = replace(table.referee, guesses=(other,))
    table.throw(6, 5).move(green=[1, 0, 0, 0], yellow=[6, 0, 0, 0]).show(2.8)
    table.move(green=[0, 0, 0, 0]).show(1.2).throw(4, 3)
    assert table.kinds == ["illegal", "stood", "pass"]
    assert table.move(yellow=[13, 0, 0, 0]).show(3.2).kinds[3:] == ["revised", "legal"]


def test_the_last_piece_that_is_seen_nowhere_any_more_has_come_home():
    # The 4 alone would bring it to where yellow's piece stands, which might hide it.
    table = Watched("green", red=[57] * 4, green=[47, 57, 57, 57], yellow=[38, 57, 57, 57], blue=[57] * 4)
    table.throw(4, 6).show(0.8, hand=True).pieces |= {"green": [57, 57, 57]}
    assert table.show(1.2).kinds == ["won"]


def test_a_piece_shifted_across_the_line_near_which_it_stood_is_asked_about_after_others_have_played():
    table = Watched(red=[5, 17, 57, 57])
    line = on_the_line("red", 5, 6, 1.1)
    # Red has played; green plays, and then red's piece is moved across the line.
    table.throw(2, 1).show(0.8, hand=True).pieces |= {"red": [5, 20, 57, 57]}
    table.show(2.8, alternatives=line).throw(5, 6).show(0.8, hand=True).pieces |= {"green": [6, 0, 0, 0]}
    table.show(1.6, alternatives=line)
    assert table.kinds == ["legal", "legal"]
    assert table.move(red=[6, 20, 57, 57]).show(2.8).kinds[2:] == ["check"]


def test_a_piece_said_to_have_come_onto_anothers_that_is_seen_nowhere_there_is_asked_about():
    """It would lie on top. It has been put home, and swept up."""
    table = Watched("green", green=[0, 0, 0, 44], blue=[0, 14, 14, 21])
    on_blues = (Alternative(str(BOARD.square(1, 47)), {"blue": 1, "green": 1}, 1.0),)
    table.throw(2, 1).show(0.8, hand=True).pieces |= {"green": [0, 0, 0]}
    assert table.show(6.0, alternatives=on_blues).kinds == ["check"]


def test_who_plays_on_from_beyond_a_line_to_where_half_a_play_would_have_come_is_asked():
    """Green plays both ones, to just before the line; rounds later a 4 and a 2, a step short."""
    table = Watched("green", green=[33, 57, 57, 57])
    table.throw(1, 1).move(green=[34, 57, 57, 57])
    table.show(2.8, alternatives=on_the_line("green", 34, 35, 0.9))
    table.throw(3, 1).throw(3, 2).throw(5, 1).throw(4, 2)
    assert table.kinds == ["legal", "pass", "pass", "pass"]
    assert table.move(green=[40, 57, 57, 57]).show(3.2).kinds[4:] == ["check"]


def test_a_stack_seen_with_a_piece_more_since_a_hand_was_there_is_asked_about_though_it_may_be_none():
    """Of 6 and 5 red's third piece has come out by the six, and yellow's too."""
    table = Watched(setting=load_setting("br4006", players=2), red=[0, 1, 1, 20], yellow=[0, 57, 57, 57])
    may_be_fewer = (Alternative(str(BOARD.square(0, 1)), {"red": 2}, 0.5),)
    table.throw(6, 5).show(0.8, hand=True).pieces |= {"red": [1, 1, 1, 25], "yellow": [1, 57, 57, 57]}
    assert table.show(3.2, alternatives=may_be_fewer).kinds == ["check"]


STACKS = {"red": [0, 3, 57, 57], "yellow": [9, 10, 10, 12]}
MAYBE_ONE = (Alternative(str(BOARD.square(2, 12)), {"yellow": 1}, 0.5),)
"""The reader thinks that the pieces on yellow's 12, where one stood, may be one."""


def test_a_play_that_was_seen_before_a_hand_came_is_not_another_by_errors_just_where_it_is_seen_still():
    """By 4 and 2 yellow's pieces come from 9 to 13, and onto the 12. Then red's moves by 2: that would be the
    play of the 2 if yellow's 10 hid one, and on its 12 there were none more.
    """
    table = Watched(setting=load_setting("br4006", players=2), **STACKS).throw(4, 2)
    table.move(yellow=[10, 12, 12, 13]).show(0.4).move(red=[0, 5, 57, 57])
    assert table.show(6.0, alternatives=MAYBE_ONE).kinds == ["check"]


def test_nor_once_it_has_been_recognised():
    table = Watched(setting=load_setting("br4006", players=2), **STACKS).throw(4, 2)
    table.move(yellow=[10, 12, 12, 13]).show(1.2).move(red=[0, 5, 57, 57])
    assert table.show(6.0, alternatives=MAYBE_ONE).kinds == ["legal", "check"]


def test_a_play_of_dice_that_were_void_is_not_called_for_being_misread_as_the_next_dice_fall():
    """Blue had played the 5 and 1 before red threw, unseen. What was right by red's dice is so still."""
    table = Watched("blue", red=[1, 8, 8, 22], blue=[0, 0, 18, 18])
    table.throw(5, 1).show(2.8).throw(2, 2)
    table.move(red=[3, 8, 8, 24]).show(1.2)
    table.pieces |= {"red": [3, 8, 8, 34]}
    assert table.show(2.3).throw(2, 1).kinds == ["void", "check", "throw_held"]


def test_a_piece_that_comes_from_nowhere_when_none_was_seen_in_base_is_asked_about():
    """Green's piece on yellow's doorstep was never seen there, and is in base on record; it goes on by 6."""
    table = Watched("green", green=[0, 4, 5, 12]).show(0.8, hand=True).show(2.8, green=[4, 5, 12])
    table.throw(4, 2).move(green=[4, 5, 12, 20])
    assert table.show(3.2).kinds == ["check"]


def out_of_step():
    """A table where an accusation was taken back, and green's piece stands elsewhere than on record."""
    table = Watched(red=[10, 20, 57, 57], green=[0, 0, 0, 5], blue=[0, 0, 43, 48])
    table.move(red=[12, 20, 57, 57]).show(3.2).press("undo")
    table.move(red=[10, 20, 57, 57], green=[0, 0, 0, 9]).show(3.2)
    assert table.kinds == ["timber_shift", "taken_back", "out_of_step", "put_this_right"]
    return table


def test_a_piece_moved_once_the_referee_is_out_of_step_is_named_though_another_was_before():
    table = out_of_step().move(blue=[0, 0, 43, 57]).show(3.2)
    assert table.said[-1].startswith("To put it right, move a blue piece from home")


def test_done_takes_the_board_that_was_named_though_a_hand_is_over_it_already():
    """What that hand does is not what people have said is right."""
    table = out_of_step().show(0.4, hand=True).press("done")
    assert table.kinds[4:] == ["trusted"]
    assert table.move(blue=[0, 0, 43, 57]).show(3.2).kinds[5:] == ["timber_shift"]


def lost_track_of_green():
    """Green has a piece on yellow's 12 that nobody sees as yellow plays; people say that it is right so."""
    table = Watched("yellow", green=[0, 4, 13, 26], yellow=[0, 0, 0, 31], blue=[0, 0, 1, 16])
    table.pieces |= {"green": [0, 4, 13]}
    table.show(2.0).throw(3, 1).move(yellow=[0, 0, 0, 35]).show(3.2).press("done")
    table.throw(4, 1).move(blue=[0, 0, 1, 21]).show(3.2).throw(1, 2)
    assert table.kinds == ["throw_held", "check", "trusted", "legal", "pass"]
    return table


def test_a_piece_that_was_seen_nowhere_when_people_said_that_all_is_right_may_stand_where_it_stood():
    table = lost_track_of_green().show(0.4).throw(4, 1).move(green=[0, 4, 18]).show(3.2)
    table.pieces |= {"green": [0, 4, 18, 26]}
    assert table.show(3.2).kinds[5:] == ["legal", "check"]


def test_nor_is_it_called_once_its_play_has_been_thrown_and_played_on():
    table = lost_track_of_green().show(0.4).throw(2, 1).move(green=[0, 4, 13, 29]).show(1.2)
    table.throw(3, 4).move(yellow=[0, 0, 0, 42])
    assert table.show(3.2).kinds[5:] == ["throw_held", "check"]


def test_a_piece_taken_to_be_under_anothers_is_not_called_for_coming_from_elsewhere():
    """Blue's from green's 36 is seen nowhere, nor is blue's on its 4, which is taken to be under green's."""
    table = Watched("blue", green=[0, 3, 21, 30], blue=[0, 4, 36, 57])
    table.pieces |= {"blue": [0, 4, 57]}
    table.show(2.0).throw(1, 2).move(blue=[0, 7, 57]).show(3.2).press("done")
    table.throw(1, 2).throw(3, 2).move(green=[0, 3, 26, 30]).show(3.2).throw(1, 2).throw(3, 5)
    assert table.kinds == ["throw_held", "check", "trusted", "pass", "legal", "pass"]
    assert table.move(blue=[0, 7, 49, 57]).show(3.2).kinds[6:] == ["check"]


def test_dice_that_fell_before_anybody_can_have_played_do_not_make_anothers_play_of_them_right_unasked():
    """Blue has the sixes in hand as six and six are thrown again, too early; it is green that plays them."""
    table = Watched("blue", red=[13, 14, 15, 55], green=[0, 0, 5, 5], yellow=[0, 8, 37, 57])
    table.throw(6, 6).show(1.2).throw(6, 6).show(1.2).move(green=[0, 0, 5, 17])
    assert table.show(3.2).kinds == ["void", "check"]


def test_a_piece_knocked_off_that_the_reader_looks_for_under_its_own_sides_is_asked_about():
    """Green takes yellow's by the 6; in its owner's hand it is taken to be in yellow's blob."""
    table = Watched("green", red=[6, 6, 6, 49], green=[0, 1, 5, 13], yellow=[1, 1, 5, 50], blue=[0, 0, 6, 15])
    table.throw(6, 3).move(green=[0, 1, 11, 13], yellow=[1, 1, 5]).show(3.2, yellow=[1, 1, 1, 5])
    # Half of the play is owed.
    assert table.kinds == []
    table.move(green=[0, 4, 11, 13]).show(3.2, yellow=[1, 1, 1, 5]).press("done")
    assert table.kinds == ["check", "legal"]
    assert table.referee.match.position[2] == (0, 1, 1, 5)


def test_a_piece_put_onto_a_blob_is_called_where_another_of_its_side_was_knocked_off():
    table = Watched("green", red=[6, 6, 6, 49], green=[0, 1, 5, 13], yellow=[1, 1, 5, 50], blue=[0, 0, 6, 15])
    table.throw(6, 3).move(green=[0, 4, 11, 13], yellow=[0, 1, 1, 1]).show(3.2)
    assert table.kinds == ["illegal"]


def test_a_shift_to_the_next_square_that_stands_still_under_the_play_of_the_next_dice_was_no_error():
    table = Watched(red=[4, 20, 57, 57]).throw(6, 1).move(red=[10, 21, 57, 57]).show(3.0)
    table.move(red=[11, 21, 57, 57]).show(1.2).throw(5, 2).move(red=[11, 28, 57, 57]).show(1.6)
    assert table.kinds == ["legal", "throw_held", "timber_shift", "stood", "legal"]
    table.move(red=[10, 28, 57, 57]).show(3.0)
    assert table.kinds[-1] == "timber_shift"


def test_a_piece_knocked_off_earlier_and_not_in_base_yet_is_looked_for_under_its_own_side_later_too():
    """Green's is nowhere since red took it; what it was taken to be under is played on."""
    table = Watched(red=[0, 0, 1, 16], green=[0, 8, 44, 57], yellow=[0, 0, 12, 17], blue=[0, 0, 0, 27])
    hidden = (Alternative("20", {"green": 1}, 0.57),)
    table.throw(4, 3).move(red=[0, 0, 5, 19], green=[8, 57])
    table.show(3.2, green=[0, 8, 8, 57], alternatives=hidden).throw(2, 5)
    assert table.kinds == ["legal"]
    assert table.move(green=[0, 1, 15, 57]).show(3.2).kinds == ["legal", "check"]
    assert table.press("done").kinds[-1] == "legal"
    assert table.referee.match.position[1] == (0, 0, 15, 57)


def test_a_piece_brought_out_onto_its_partners_is_called_where_all_in_base_had_been_seen():
    table = Watched(red=[0, 0, 1, 16], green=[0, 0, 8, 57], yellow=[0, 0, 12, 17], blue=[0, 0, 0, 27])
    table.throw(4, 3).move(red=[0, 0, 5, 19]).show(3.2).throw(2, 5)
    assert table.move(green=[0, 1, 15, 57]).show(3.2).kinds == ["legal", "illegal"]


def test_two_shifts_of_a_piece_that_come_to_a_play_of_the_dice_thrown_between_are_asked_about():
    table = Watched("green", green=[1, 35, 57, 57]).move(green=[3, 35, 57, 57]).show(0.8).throw(5, 3)
    table.move(green=[11, 35, 57, 57]).show(0.4).move(green=[9, 35, 57, 57]).show(3.2)
    assert table.kinds == ["throw_held", "check", "legal"]
    assert table.said[-1] == "Check the eighth square after green's doorstep."


def test_an_error_of_the_readers_as_dice_are_thrown_is_no_reason_to_ask_about_their_play():
    table = Watched("green", green=[1, 35, 57, 57]).show(0.8, green=[2, 35, 57, 57]).throw(5, 3)
    table.move(green=[9, 35, 57, 57]).show(3.2)
    assert "check" not in table.kinds


def test_a_piece_taken_to_be_under_its_partners_that_is_seen_in_base_instead_may_have_been_there():
    table = Watched("yellow", red=[4, 12, 18, 57], yellow=[0, 0, 0, 38]).throw(6, 3)
    table.move(red=[0, 4, 18, 57], yellow=[0, 0, 4, 38])
    assert table.show(3.2).kinds == ["check"]


def test_a_piece_that_stood_alone_and_is_put_into_base_beside_a_play_is_called():
    table = Watched("yellow", red=[4, 11, 18, 57], yellow=[0, 0, 0, 38]).throw(6, 3)
    table.move(red=[0, 4, 18, 57], yellow=[0, 0, 4, 38])
    assert table.show(3.2).kinds == ["illegal"]


def test_a_piece_looked_for_under_its_own_sides_is_not_named_beside_what_was_moved():
    table = Watched(red=[0, 0, 15, 44], green=[0, 4, 8, 57], yellow=[0, 0, 5, 5]).throw(4, 2)
    table.move(red=[0, 0, 21, 44], green=[4, 57]).show(3.2, green=[0, 4, 4, 57]).press("done")
    assert table.kinds == ["check", "legal"]
    table.throw(1, 4).move(green=[9, 57], yellow=[0, 5, 5, 28]).show(3.2, green=[0, 9, 9, 57])
    assert table.kinds == ["check", "legal", "illegal"]
    assert "yellow piece" in table.said[-1]
    assert "green piece" not in table.said[-1]


def test_a_piece_seen_now_here_now_there_is_asked_about_when_dice_are_thrown_on_a_play_beside_it():
    """Red's came out while blue's hand was there; read on the next square for a moment, it is at neither."""
    table = Watched("blue", red=[0, 0, 5, 10], yellow=[0, 0, 5, 7], blue=[0, 0, 0, 4]).throw(5, 6)
    table.move(blue=[0, 0, 1, 9], red=[0, 1, 5, 10]).show(1.6).show(0.2, red=[0, 2, 5, 10])
    table.show(0.2).show(1.0, red=[0, 2, 5, 10]).show(1.2)
    table.throw(4, 1)
    assert table.kinds == ["legal", "check"]
    assert table.said[-1] == "Check red's doorstep."


def test_a_piece_gone_from_its_chute_that_is_seen_nowhere_has_come_home_when_people_say_that_all_is_right():
    table = Watched("blue", red=[51, 57, 57, 57], green=[26, 57, 57, 57], yellow=[56, 57, 57, 57])
    table.move(yellow=[57, 57, 57]).show(3.2).press("trust_board")
    assert table.referee.match.position[2] == (57, 57, 57, 57)


def test_a_piece_gone_from_the_track_that_is_seen_nowhere_is_in_base_then():
    table = Watched("blue", red=[51, 57, 57, 57], green=[26, 57, 57, 57], yellow=[46, 57, 57, 57])
    table.move(yellow=[57, 57, 57]).show(3.2).press("trust_board")
    assert table.referee.match.position[2] == (0, 57, 57, 57)


def test_a_piece_taken_to_be_in_a_stack_is_not_called_in_base_once_the_other_has_been_played_on():
    table = Watched("yellow", yellow=[0, 19, 19, 57]).throw(4, 5).move(yellow=[0, 0, 28, 57])
    assert table.show(3.2).kinds == ["check"]


def test_done_takes_a_question_about_what_quick_plays_were_thrown_on_for_the_board_as_it_is_since():
    """A green piece is read as red's as yellow's dice fall; yellow plays two throws before it is seen."""
    table = Watched(
        "green",
        setting=load_setting("masters_ludo"),
        red=[0, 21, 57, 57],
        green=[10, 18, 25, 57],
        yellow=[0, 26, 57, 57],
        blue=[0, 15, 15, 28],
    )
    gone = (Alternative("30", {}, 0.52),)
    table.throw(2).move(green=[10, 20, 25, 57]).show(0.4)
    table.show(0.4, red=[0, 21, 38, 57], green=[10, 20, 57]).throw(6)
    table.move(yellow=[1, 26, 57, 57]).show(0.4).throw(4).move(yellow=[5, 26, 57, 57])
    table.show(0.8, alternatives=gone)
    assert table.kinds == ["throw_held", "legal", "legal", "legal", "check"]
    table.press("done")
    assert "timber_shift" not in table.kinds
    assert table.referee.match.position[2] == (5, 26, 57, 57)


def test_a_piece_taken_to_be_in_a_stack_may_have_come_out_of_base_by_the_dice():
    table = Watched("green", green=[5, 5, 34, 57]).throw(1, 6).move(green=[2, 5, 34, 57])
    assert table.show(3.2).kinds == ["check"]


def test_a_piece_of_a_stack_that_no_dice_bring_out_of_base_is_called():
    table = Watched("green", green=[5, 5, 34, 57]).throw(1, 6).move(green=[3, 5, 34, 57])
    assert table.show(3.2).kinds == ["illegal"]


def test_a_piece_brought_out_unseen_that_has_taken_another_is_named_though_the_reader_doubts_it_there():
    """It is not looked for there, as it would be under others of its side, and is called but once."""
    doubt = (Alternative("15", {}, 1.14),)
    table = Watched("green", red=[1, 1, 23, 47], green=[0, 0, 5, 11], yellow=[5, 9, 16, 42]).throw(2, 6)
    table.move(green=[0, 5, 19]).show(0.8).throw(3, 2)
    table.move(green=[0, 3, 5, 22], yellow=[0, 0, 5, 16]).show(3.2, alternatives=doubt)
    assert table.kinds == ["legal", "illegal"]
    assert table.said[-1].startswith("Illegal. Green came out and moved 2 and 3; the dice said 3 and 2.")
    table.throw(6, 6).move(yellow=[1, 1, 5, 16]).show(3.2, alternatives=doubt)
    assert table.kinds == ["legal", "illegal", "stood", "legal"]


def test_a_piece_gone_from_a_stack_while_a_hand_was_there_that_is_seen_nowhere_is_asked_about_after_a_while():
    table = Watched(blue=[30, 48, 48, 57]).move(blue=[30, 48, 57])
    assert table.show(6.0).kinds == []
    assert table.show(1.2).said == ["Check the eighth square after yellow's doorstep."]
    assert table.press("done").show(20.0).throw(5, 4).kinds == ["check", "pass"]


def test_a_piece_that_a_stack_hid_before_a_hand_came_is_not_asked_about():
    table = Watched(blue=[30, 48, 48, 57]).show(1.2, blue=[30, 48, 57])
    assert table.move().show(12.0, blue=[30, 48, 57]).kinds == []


def test_a_piece_gone_from_a_stack_that_is_seen_there_again_is_not_asked_about():
    table = Watched(blue=[30, 48, 48, 57]).move().show(4.0, blue=[30, 48, 57]).show(0.4)
    assert table.show(12.0, blue=[30, 48, 57]).kinds == []


def test_a_piece_that_has_come_onto_a_stack_and_is_hidden_by_it_is_not_asked_about():
    table = Watched("blue", blue=[30, 40, 48, 57]).throw(5, 3).move(blue=[30, 48, 57])
    assert table.show(12.0).kinds == ["legal"]


@pytest.mark.parametrize(("doubts", "kinds"), [((1.73,), ["check"]), ((), ["legal"])])
def test_a_piece_seen_beside_a_play_is_asked_about_where_it_is_seen_nowhere_and_may_be_there_still(
    doubts, kinds
):
    doubtful = tuple(Alternative("26", {"yellow": 1}, cost) for cost in doubts)
    table = Watched("yellow", yellow=[0, 3, 22, 25]).throw(5, 4).move(yellow=[1, 12, 22, 25]).show(1.6)
    table.show(3.2, yellow=[12, 22, 25], alternatives=doubtful)
    assert table.kinds == kinds
    if doubts:
        assert table.said == ["Check yellow's doorstep."]
        table.press("done")
    assert table.referee.match.position[2] == (0, 12, 22, 25)


def test_after_a_call_while_dice_were_held_a_play_of_those_is_asked_about_where_the_board_is_not_put_right():
    """Blue's piece is shifted back and dice are thrown, so that green seems to have played but a six."""
    table = Watched(
        "green",
        setting=load_setting("wiki", players=2),
        red=[0, 0, 5, 11],
        yellow=[0, 0, 0, 25],
        blue=[0, 0, 0, 17],
    )
    table.throw(2, 6).move(green=[0, 0, 0, 1], blue=[0, 0, 0, 19]).show(1.2)
    table.move(blue=[0, 0, 0, 17]).show(0.8).throw(3, 1).move(green=[0, 0, 0, 5], red=[0, 0, 3, 11]).show(3.2)
    assert table.kinds == ["legal", "revised", "throw_held", "illegal"]
    table.move(green=[0, 0, 0, 1], red=[0, 0, 5, 11]).show(3.2)
    table.move(green=[0, 0, 0, 4], blue=[0, 0, 0, 18], red=[0, 0, 0, 11]).show(3.2)
    assert table.kinds[4:] == ["check"]
    assert table.press("done").referee.match.to_play == 0


def test_dice_thrown_on_a_stack_that_looks_as_it_did_before_any_hand_came_are_void_and_nobody_played_half():
    """One of red's three is not seen any more; half a play would hide it under yellow's."""
    there = BOARD.steps_on(BOARD.seat("yellow"), BOARD.square(BOARD.seat("red"), 39))
    table = Watched(red=[8, 36, 36, 36], yellow=[there, 57, 57, 57]).throw(4, 3).show(3.2, red=[8, 36, 36])
    table.show(0.8, hand=True).show(4.0, red=[8, 36, 36]).throw(6, 4)
    assert table.kinds == ["void"]
    assert table.move(red=[8, 36, 36, 43]).show(3.2).kinds == ["void", "legal"]


def test_a_play_that_fits_nearly_as_well_is_kept_in_mind_through_the_plays_of_others():
    """Red's piece lies across a line, and the reader doubts the two behind it; that shows when it goes on."""
    doubts = (
        Alternative("9", {"red": 1}, 1.14),
        Alternative("10", {}, 1.12, "11"),
        Alternative("11", {"red": 1}, 1.12, "10"),
    )
    table = Watched(red=[6, 7, 10, 20], yellow=[0, 5, 23, 23]).throw(4, 5)
    table.move(red=[10, 10, 11, 20]).show(3.2, alternatives=doubts).throw(4, 5).throw(6, 6)
    assert table.referee.match.position[0] == (10, 11, 11, 20)
    table.move(yellow=[1, 11, 23, 23]).show(3.2, alternatives=doubts)
    table.throw(1, 3).move(yellow=[1, 12, 23, 26]).show(3.2, alternatives=doubts).throw(4, 2).throw(3, 1)
    table.move(red=[10, 10, 16, 20]).show(3.2)
    assert "illegal" not in table.kinds
    assert table.referee.match.position[0] == (10, 10, 16, 20)


def test_a_piece_seen_shifted_that_may_be_there_still_is_asked_about_though_a_stack_may_hide_it():
    table = Watched(green=[5, 5, 8, 13]).move(green=[5, 7, 8, 13]).show(1.6)
    table.show(3.2, green=[5, 8, 13], alternatives=(Alternative("19", {"green": 1}, 0.57),))
    assert table.said == ["Check the sixth square after green's doorstep."]


def test_two_pieces_that_stood_together_near_a_line_may_both_have_stood_beyond_it():
    near = Alternative("18", {}, 1.19, "17"), Alternative("17", {"red": 2}, 1.19, "18")
    table = Watched(red=[11, 14, 19, 19]).show(1.2, alternatives=near).throw(2, 6)
    one = Alternative("18", {}, 1.19, "17"), Alternative("17", {"red": 1}, 1.19, "18")
    table.move(red=[11, 14, 19, 26]).show(0.8, alternatives=one).throw(2, 6)
    table.move(red=[11, 20, 20, 26]).show(3.2)
    assert "illegal" not in table.kinds
    assert table.referee.match.position[0] == (11, 20, 20, 26)


def test_two_pieces_that_stand_together_beyond_a_line_both_count_where_the_dice_took_them():
    """They are seen beyond it, also when people say that the board is right on which another has moved."""
    near = Alternative("18", {}, 1.19, "17"), Alternative("17", {"red": 2}, 1.19, "18")
    table = Watched(red=[5, 16, 17, 57], green=[20, 57, 57, 57]).throw(1, 2)
    table.move(red=[5, 19, 19, 57]).show(3.2, alternatives=near).throw(3, 3)
    table.move(green=[26, 57, 57, 57]).show(1.2, alternatives=near)
    table.move(yellow=[40, 0, 0, 0]).show(1.2, alternatives=near)
    assert table.press("trust_board").referee.match.position[0] == (5, 18, 18, 57)


def test_a_piece_that_people_were_asked_for_where_none_is_seen_may_be_where_another_one_turns_up():
    """Yellow's is seen elsewhere since people said that all is right; then the other one comes there."""
    ghost = (Alternative("0", {"yellow": 1}, 0.3),)
    table = Watched(red=[0, 0, 5, 56], yellow=[0, 27, 31, 57]).throw(4, 1)
    table.move(red=[0, 0, 10, 56], yellow=[0, 27, 27, 57]).show(3.2, alternatives=ghost).press("done")
    assert table.kinds == ["check", "legal"]
    table.show(1.2, alternatives=ghost).throw(2, 1).throw(3, 1).move(yellow=[0, 31, 36, 57]).show(3.2)
    assert table.kinds == ["check", "legal", "pass", "check"]


def test_a_shift_that_makes_a_play_of_what_stood_before_another_was_called_is_asked_about():
    """Green's piece is shifted back and called when dice are thrown; they are played, and one is shifted."""
    table = Watched("green", green=[1, 1, 18, 20])
    # What was in doubt before has come to the same as the record.
    table.referee = replace(table.referee, guesses=(table.referee.match,))
    table.move(green=[1, 1, 17, 20]).show(1.6).throw(6, 1).show(0.8)
    assert table.kinds == ["throw_held", "timber_shift", "stood"]
    table.move(green=[1, 1, 18, 26]).show(0.4).move(green=[1, 2, 18, 26]).show(3.2)
    assert table.kinds[3:] == ["check", "revised", "legal"]
    assert table.said[-1] == "Check the first square after green's doorstep."


def test_a_piece_brought_out_that_is_seen_now_here_now_there_is_not_taken_to_be_in_base():
    table = Watched(blue=[0, 0, 13, 20]).move(blue=[0, 1, 13, 20]).show(1.2)
    table.show(0.2, blue=[0, 2, 13, 20]).show(0.2).show(0.4, blue=[0, 2, 13, 20])
    assert table.show(0.8).throw(3, 4).kinds[0] == "check"


def test_a_piece_looked_for_beside_one_that_lies_across_a_line_may_have_been_knocked_off():
    near = Alternative("30", {"yellow": 1}, 0.3, "31"), Alternative("31", {"yellow": 1}, 0.3, "30")
    table = Watched(
        "green",
        setting=load_setting("wafu"),
        red=[7, 54, 56, 57],
        green=[0, 0, 1, 45],
        yellow=[5, 6, 24, 57],
        blue=[21, 21, 26, 57],
    )
    table.show(1.2, yellow=[5, 5, 24, 57], alternatives=near).throw(1, 1)
    table.move(red=[54, 56, 57], green=[0, 0, 2, 46])
    with_red = (
        Alternative("30", {"yellow": 2}, 0.3),
        Alternative("30", {"red": 1, "yellow": 1}, 0.3, "31"),
        Alternative("31", {"yellow": 1}, 0.3, "30"),
    )
    table.show(3.2, red=[31, 54, 56, 57], yellow=[5, 5, 24, 57], alternatives=with_red).throw(4, 5)
    assert table.kinds[-1] == "legal"
    assert table.referee.match.position[0] == (0, 54, 56, 57)


def test_a_piece_looked_for_under_its_partners_is_in_base_when_people_say_that_all_is_right():
    table = Watched(
        "yellow",
        setting=load_setting("masters_ludo"),
        red=[7, 7, 13, 57],
        green=[0, 1, 11, 57],
        yellow=[0, 0, 0, 10],
        blue=[1, 8, 18, 57],
    ).throw(4)
    table.move(yellow=[0, 0, 0, 14], blue=[8, 18, 57]).show(0.8, blue=[8, 18, 27, 57]).throw(3)
    table.move(blue=[11, 18, 57]).show(3.2, blue=[11, 18, 27, 57]).press("done").throw(5)
    assert table.kinds[:2] == ["throw_held", "check"]
    assert table.referee.match.position[3] == (0, 11, 18, 57)


def test_what_was_asked_about_when_a_board_was_called_may_be_put_back_and_the_play_made_anew():
    """Yellow slid 6 to 5 beside 13 to 14 and 16; blue moved 14 back to 13 beside a play, and undoes both."""
    table = Watched(
        "yellow",
        setting=load_setting("masters_uckers"),
        red=[0, 0, 0, 43],
        green=[0, 0, 0, 10],
        yellow=[6, 13, 13, 17],
        blue=[5, 5, 19, 33],
    )
    table.throw(1, 3).move(yellow=[5, 14, 16, 17]).show(1.2).throw(1, 2)
    table.move(yellow=[5, 13, 16, 17], blue=[5, 5, 19, 36]).show(3.2)
    assert table.kinds == ["throw_held", "illegal", "stood", "check", "legal"]
    table.move(yellow=[5, 14, 16, 17], blue=[5, 5, 22, 33]).show(3.2)
    assert table.kinds[5:] == ["check"]


def test_half_a_play_that_is_whole_only_if_the_one_before_was_another_from_beyond_a_line_is_asked_about():
    """Yellow came out and on to 6, beside one that stands near the line to 5; or out, and on to 10 from 5.
    Of 5 and 1 only 5 is played then, to 11; or 5 by the one, and 1 by the other.
    """
    near = on_the_line("yellow", 6, 5, 0.8)
    others = {"green": [1, 1, 26, 35], "blue": [1, 14, 26, 57]}
    table = Watched("yellow", setting=load_setting("wafu"), yellow=[0, 0, 1, 36], **others)
    table.throw(4, 1).move(yellow=[0, 0, 6, 36]).show(1.2, alternatives=near)
    table.throw(5, 4).move(blue=[1, 14, 35, 57]).show(1.2, alternatives=near)
    table.throw(1, 2).show(0.4, alternatives=near)
    table.throw(3, 4).move(green=[1, 1, 33, 35]).show(1.2, alternatives=near)
    table.throw(5, 6).move(yellow=[0, 6, 6, 36]).show(0.4).throw(5, 1).show(0.4)
    assert table.kinds == ["legal", "legal", "pass", "legal", "throw_held", "legal"]
    table.move(yellow=[0, 6, 11, 36]).show(4.0).throw(5, 6)
    assert table.kinds[6:] == ["check", "revised", "legal"]


def test_a_piece_near_a_line_that_is_counted_as_two_accuses_nobody_who_played_it_to_beyond():
    """Blue's third is in base, and is counted under the second, which is played by 3 and 1 to 7, near 8."""
    place = str(BOARD.square(BOARD.seat("blue"), 8))
    one = (*on_the_line("blue", 8, 7, 0.32), Alternative(place, {"blue": 1}, 0.3))
    near = tuple(replace(each, contents={"blue": 1}) if each.place == place else each for each in one)
    table = Watched("blue", blue=[0, 3, 57, 57]).throw(3, 1).move(blue=[0, 7, 57, 57])
    assert table.show(4.0, blue=[8, 8, 57, 57], alternatives=near).kinds == ["legal"]
    assert table.referee.match.position[3] == (0, 7, 57, 57)
    table = Watched("blue", blue=[0, 3, 57, 57]).throw(3, 1).move(blue=[0, 9, 57, 57])
    assert table.show(4.0, blue=[9, 9, 57, 57]).kinds == ["illegal"]


def test_a_long_search_reckons_hardly_more_than_the_boards_that_may_be_the_one_seen(monkeypatch):
    """Three throws lead to twenty-five thousand boards; nearly all of them differ from what is seen where
    none of the plays has moved anything.
    """
    reckoned = []
    cost = Reading.cost

    def counted(reading, position, record):
        reckoned.append(position)
        return cost(reading, position, record)

    monkeypatch.setattr(Reading, "cost", counted)
    pieces = {
        "red": [4, 17, 30, 0],
        "green": [3, 12, 26, 0],
        "yellow": [6, 14, 41, 0],
        "blue": [8, 22, 33, 0],
    }
    match = begin(SETTING, to_play="red", position=position_from(BOARD, pieces)).throw((6, 2)).match
    held = [ThrowMade(1.0, (6, 5)), ThrowMade(2.0, (4, 3)), ThrowMade(3.0, (5, 1))]
    # Yellow's, who has not thrown by then, has gone; and so has blue's, as no dice take it.
    shown = pieces | {"yellow": [6, 15, 41, 0], "blue": [8, 23, 34, 0]}
    seen = Sighting({colour: tuple(steps) for colour, steps in shown.items()}, (), (), False, (), 1.0, ())
    assert [*firsts_unseen(match, held, Reading(BOARD, seen))] == []
    assert 100 < len(reckoned) < 5000


@pytest.mark.parametrize("seed", range(20))
def test_no_board_that_has_the_same_at_a_place_costs_less_there_than_that_place_does_at_least(seed):
    chance = random.Random(seed)

    def moved(position, number):
        four = [list(pieces) for pieces in position]
        for _ in range(number):
            chance.choice(four)[chance.randrange(4)] = chance.choice([0, 57, *range(1, 57)])
        return tuple(tuple(sorted(pieces)) for pieces in four)

    def held(position, place):
        return {
            colour: sum(BOARD.place(seat, s) == place for s in pieces)
            for seat, (colour, pieces) in enumerate(zip(BOARD.seats, position, strict=True))
        }

    record = moved(all_in_base(BOARD), 9)
    seen = moved(record, 3)
    told = [
        Alternative(BOARD.place(seat, steps), contents, chance.uniform(0.5, 6.0))
        for seat, pieces in enumerate(moved(seen, 2))
        for steps in pieces
        for contents in ({}, {BOARD.seats[seat]: 1}, {BOARD.seats[seat]: 2})
        if chance.random() < 0.2
    ]
    by_colour = dict(zip(BOARD.seats, seen, strict=True))
    reading = Reading(BOARD, Sighting(by_colour, (), (), False, (), 1.0, tuple(told)))
    places = 0
    for _ in range(30):
        one, other = (moved(record, chance.randrange(4)) for _ in range(2))
        costs = reading.costs(other, record)
        for place, least in reading.least_costs(one).items():
            if held(one, place) == held(other, place):
                places += 1
                assert costs[place] >= least > 0
    assert places > 20


def test_a_piece_that_goes_back_once_its_play_has_counted_is_a_shift_though_the_play_before_was_in_doubt():
    """Nobody takes a play back from where the pieces were on record."""
    stack, heap = (BOARD.place(0, steps) for steps in (10, 13))
    fewer = Alternative(stack, {"red": 2}, 1.0), Alternative(heap, {"red": 1}, 1.0)
    table = Watched(red=[5, 10, 10, 13], green=[17, 0, 0, 0], yellow=[5, 29, 0, 0]).throw(3, 2)
    table.move(red=[7, 10, 13, 13]).show(1.2, alternatives=fewer).throw(5, 4)
    table.move(green=[26, 0, 0, 0]).show(1.2).throw(3, 2)
    table.move(yellow=[7, 32, 0, 0]).show(1.2).throw(1, 4)
    table.move(yellow=[5, 32, 0, 0]).show(4.0)
    assert table.kinds == ["legal", "legal", "legal", "pass", "timber_shift"]


def test_half_a_play_seen_for_seconds_is_no_whole_one_that_a_stack_hides_once_a_hand_has_been_there():
    """Green plays the 5 and leaves the 2. As the dice are picked up one of the two behind is not seen, which
    might have come upon the first.
    """
    stack = (Alternative(BOARD.place(1, 15), {"green": 2}, 1.73),)
    table = Watched(to_play="green", green=[12, 15, 15, 41], yellow=[43, 1, 0, 0]).throw(2, 5)
    table.move(green=[15, 15, 17, 41]).show(3.6).show(0.8, hand=True)
    table.show(1.2, green=[15, 17, 41], alternatives=stack).show(0.8).throw(1, 4).show(3.0)
    assert table.kinds == ["throw_held", "illegal", "stood"]
    # It is whole, though.
    table = Watched(to_play="green", green=[12, 15, 15, 41], yellow=[43, 1, 0, 0]).throw(2, 5)
    table.move(green=[15, 15, 17, 41]).show(3.6).move(green=[15, 17, 17, 41])
    table.show(1.2, green=[15, 17, 41], alternatives=stack).show(0.8)
    assert table.kinds == ["legal"]


def test_a_piece_that_was_not_seen_at_home_before_is_not_what_came_out_of_a_stack():
    """Red's last piece goes home and is swept up; then one of two that stood together is moved on by two."""
    table = Watched(red=[7, 7, 19, 47], green=[12, 12, 0, 0], blue=[5, 19, 0, 0]).throw(5, 5)
    table.move(red=[7, 7, 19, 57]).show(1.2, red=[7, 7, 19]).throw(5, 5)
    table.move(green=[17, 17, 0, 0]).show(1.2, red=[7, 7, 19])
    table.move(red=[7, 9, 19, 57]).show(4.0, red=[7, 9, 19])
    assert table.kinds == ["legal", "legal", "timber_shift"]
    assert "from the sixth square after red's doorstep to the eighth" in table.said[-1]


def test_a_piece_that_the_reader_says_may_be_there_has_not_vanished_when_another_is_shifted():
    missed = (Alternative(BOARD.place(0, 33), {"red": 1}, 0.7),)
    table = Watched(red=[26, 0, 0, 0], green=[5, 0, 0, 0]).throw(4, 3).move(red=[33, 0, 0, 0]).show(1.2)
    table.throw(1, 2).move(green=[8, 0, 0, 0]).show(1.2, red=[0, 0, 0], alternatives=missed)
    table.move(green=[11, 0, 0, 0]).show(4.0, red=[0, 0, 0], alternatives=missed)
    assert table.kinds == ["legal", "legal", "timber_shift"]


def test_a_piece_that_a_challenge_sent_to_base_and_that_comes_out_at_once_was_not_left_where_it_stood():
    table = Watched(to_play="blue", red=[16, 16, 0, 0], blue=[28, 57, 57, 57]).throw(6, 3)
    table.take(CallMade(table.t, Call("challenge")))
    table.throw(6, 2).throw(6, 1).move(red=[0, 0, 0, 0], blue=[29, 57, 57, 57]).show(0.2)
    table.move(red=[1, 0, 0, 0]).show(4.0)
    assert table.kinds[2:] == ["challenge_won", "timber_shift"]


def test_what_is_read_for_a_moment_between_two_looks_alike_is_no_doubt_of_a_wrong_board():
    """Green's piece comes out between turns; for two seconds it is read a square further."""
    table = Watched(green=[31, 0, 0, 0], yellow=[28, 0, 0, 0]).move(green=[1, 31, 0, 0]).show(1.2)
    there = (Alternative(BOARD.place(1, 1), {"green": 1}, 1.5),)
    table.show(1.8, green=[2, 31, 0, 0], alternatives=there).show(1.4).throw(2, 1)
    assert table.kinds == ["timber_shift", "stood", "pass"]


def test_more_pieces_than_there_are_read_for_a_moment_are_waited_for_on_a_wrong_board():
    table = Watched(blue=[3, 0, 0, 0]).move(green=[4, 0, 0, 0]).show(1.2)
    there = BOARD.steps_on(BOARD.seat("blue"), BOARD.square(BOARD.seat("green"), 4))
    table.show(2.0, green=[0, 0, 0], blue=[3, there, 0, 0, 0]).show(2.6)
    assert table.kinds == ["timber_shift"]


def test_a_stack_that_may_be_lower_the_reader_says_is_not_what_else_is_wrong_on_a_board():
    """Green knocks off a red piece, and two red ones are read as three; then a yellow piece comes out."""
    doubt = (Alternative(BOARD.place(0, 3), {"red": 2}, 0.7),)
    start = BOARD.steps_on(BOARD.seat("green"), BOARD.square(0, 26)) - 8
    before = {"red": [3, 3, 26, 49], "green": [start, 39, 41, 41], "yellow": [0, 0, 0, 17]}
    table = Watched(to_play="green", **before).throw(6, 2)
    table.move(red=[0, 3, 3, 49], green=[start + 8, 39, 41, 41])
    table.show(0.2, red=[3, 3, 3, 49], alternatives=doubt).move(yellow=[0, 0, 1, 17])
    table.show(4.0, red=[3, 3, 3, 49], alternatives=doubt)
    assert table.kinds == ["illegal"]
    there = "from base to yellow's doorstep"
    assert table.said == [f"Illegal. Besides the play, a yellow piece has moved {there}. Put it back."]


def test_a_piece_out_of_base_is_not_the_one_knocked_off_by_the_play_beside_it_that_stands_far_back():
    green_there = BOARD.steps_on(BOARD.seat("green"), BOARD.square(0, 27))
    table = Watched(to_play="green", red=[27, 0, 0, 0], green=[green_there - 5, 0, 0, 0]).throw(3, 2)
    table.move(green=[green_there, 0, 0, 0], red=[1, 0, 0, 0]).show(4.0)
    assert table.kinds == ["illegal"]
    there = "from base to red's doorstep"
    assert table.said == [f"Illegal. Besides the play, a red piece has moved {there}. Put it back."]


def test_whoever_corrects_a_play_to_one_of_dice_that_were_said_to_be_void_is_asked():
    """The dice before had been another side's; a slip of the hand has looked like a play of them."""
    table = Watched(red=[19, 21, 40, 57]).throw(5, 1).show(1.2).throw(1, 4)
    table.move(red=[20, 21, 45, 57]).show(0.8).move(red=[20, 21, 44, 57]).show(4.0)
    assert table.kinds == ["void", "legal", "check"]


@pytest.mark.parametrize(
    ("throw", "kinds"), [((), ["timber_shift"]), ((3, 2), ["pass", "out_of_step", "put_this_right"])]
)
def test_whoever_moves_where_nobody_has_thrown_since_a_play_is_called_though_whose_turn_it_is_is_in_doubt(
    throw, kinds
):
    """With dice that the next side could not play, they may have been another's."""
    table = Watched(red=[1, 3, 15, 0])
    table.referee = replace(table.referee, doubts=2)
    table.throw(5, 2).move(red=[3, 3, 20, 0]).show(1.2)
    if throw:
        table.throw(*throw)
    assert table.move(red=[3, 5, 20, 0]).show(4.0).kinds == ["legal", *kinds]


@pytest.mark.parametrize("rules", ["br4006", "wafu"])
@pytest.mark.parametrize(("moved", "kinds"), [(8, ["timber_shift"]), (7, ["out_of_step", "put_this_right"])])
def test_what_no_dice_make_is_called_though_whose_turn_it_is_is_in_doubt(moved, kinds, rules):
    """Out with a six, and on with another, is seven at most; also where pieces may go back."""
    table = Watched(setting=load_setting(rules), red=[1, 3, 15, 0])
    table.referee = replace(table.referee, doubts=2)
    table.throw(5, 2).move(red=[3, 3, 20, 0]).show(1.2).throw(3, 2)
    assert table.move(red=[3, 3, 20, moved]).show(4.0).kinds == ["legal", "pass", *kinds]


@pytest.mark.parametrize(("moved", "kinds"), [(8, ["timber_shift"]), (20, ["out_of_step", "put_this_right"])])
def test_what_no_dice_make_is_called_of_a_board_that_was_taken_as_it_stands_but_where_stacks_may_be_misread(
    moved, kinds
):
    table = Watched(to_play="green", red=[1, 3, 19, 0]).move(red=[1, 3, 20, 0]).show(4.0)
    table.throw(3, 2).move().show(1.2)
    table.referee = replace(table.referee, doubts=2)
    assert table.move(red=[1, 3, 20, moved]).show(4.0).kinds == ["timber_shift", "stood", "pass", *kinds]


def test_a_piece_that_the_dice_took_to_this_side_of_a_line_is_not_played_from_beyond_without_a_word():
    """A six brings it to the doorstep, where it is seen a bit beyond the line; a three then takes it to 5, as
    if from there.
    """
    table = Watched(to_play="green", setting=load_setting("western_ludo")).throw(6)
    across = on_the_line("green", 2, 1, 1.1)
    table.move(green=[0, 0, 0, 1]).show(2.8, green=[0, 0, 0, 2], alternatives=across).throw(3)
    table.move(green=[0, 0, 0, 5]).show(4.0)
    assert table.kinds == ["check", "legal", "check", "revised", "legal"]


def test_whoever_puts_back_what_was_called_though_it_stands_since_dice_were_thrown_is_asked():
    table = Watched(to_play="yellow", green=[12, 0, 0, 0]).move(green=[13, 0, 0, 0]).show(1.2).throw(1, 1)
    table.show(1.2)
    assert table.kinds == ["throw_held", "timber_shift", "stood", "pass"]
    assert table.move(green=[12, 0, 0, 0]).show(4.0).kinds[4:] == ["check"]


def test_whoever_puts_back_what_was_called_and_the_play_made_on_it_is_asked():
    table = Watched(to_play="yellow", yellow=[13, 0, 0, 0], blue=[3, 40, 0, 0])
    table.move(blue=[6, 40, 0, 0]).show(1.2).throw(2, 3).move(yellow=[18, 0, 0, 0]).show(1.2)
    assert table.kinds == ["throw_held", "timber_shift", "stood", "legal"]
    assert table.move(yellow=[13, 0, 0, 0], blue=[3, 40, 0, 0]).show(4.0).kinds[4:] == ["check"]


def test_out_of_step_dice_that_others_have_played_are_no_more_in_hand_once_the_board_is_left_as_it_stands():
    table = Watched(to_play="yellow", green=[17, 30, 0, 0], yellow=[5, 0, 0, 0])
    table.referee = replace(table.referee, doubts=1)
    table.throw(5, 4).move(green=[22, 34, 0, 0]).show(4.0).throw(3, 2)
    assert "out_of_step" in table.kinds and "void" not in table.kinds
    assert (table.referee.match.thrown, table.referee.match.to_play) == ((3, 2), BOARD.seat("yellow"))
    assert table.move(yellow=[10, 0, 0, 0]).show(1.2).kinds[-1] == "legal"


def test_a_called_piece_that_stands_near_the_line_to_where_it_came_from_may_be_played_from_there():
    """It was put right, but for the line: with no hand seen there, the reader has it still where it was."""
    across = on_the_line("green", 6, 7, 1.06)
    table = Watched(to_play="green", green=[7, 0, 0, 0]).move(green=[6, 0, 0, 0]).show(4.0)
    table.show(2.0, alternatives=across).throw(2, 6).move(green=[15, 0, 0, 0]).show(4.0)
    assert table.kinds == ["timber_shift", "stood", "revised", "legal"]


@pytest.mark.parametrize(("rest", "kinds"), [((), ["legal"]), ((5, 2), ["check", "throw_held", "legal"])])
def test_a_piece_on_its_neighbours_square_first_and_then_the_neighbour_on_its_is_misread_twice(rest, kinds):
    """Neither square was ever read as it is, but each of the two pieces was."""
    table = Watched(to_play="green", red=[0, 29, 57, 57], green=[17, 23, 23, 44], yellow=[0, 0, 0, 2])
    table.throw(3, 4).move(green=[21, 23, 26, 44]).show(2.0, red=[0, 28, 57, 57])
    table.show(1.2, yellow=[0, 0, 0, 3])
    if rest:
        table.throw(*rest)
    assert table.show(0.8).kinds == kinds


def test_a_piece_that_has_gone_unseen_while_another_came_out_of_base_may_be_anywhere():
    """Missed for long in the chute, from when people say that half a play is right as it stands, it counts as
    in base: nobody saw it there, from where the other one came just then.
    """
    table = Watched(to_play="blue", blue=[0, 54, 56, 57]).throw(2, 6).move(blue=[1, 54, 56, 57]).show(3.2)
    table.show(4.0, blue=[1, 54, 57]).throw(6, 6).press("done")
    table.move(blue=[13, 54, 56, 57]).show(1.2, blue=[13, 54, 57]).throw(6, 6)
    assert table.move(blue=[25, 54, 56, 57]).show(4.0).kinds[-2:] == ["legal", "check"]


def test_a_colour_that_has_come_home_unnoticed_may_have_thrown_the_six_that_lets_it_help():
    """Blue's last piece counts as in base, where nobody has seen it; now blue plays green's."""
    setting = load_setting("oldwiki")
    table = Watched(setting=setting, to_play="blue", blue=[57] * 4, green=[0, 23, 57, 57])
    record = begin(
        setting, to_play="blue", position=position_from(BOARD, table.pieces | {"blue": [0, 57, 57, 57]})
    )
    nobody, four, three = (0, 0), frozenset({("blue", 4)}), frozenset({("blue", 3)})
    away, accounted = (nobody, nobody, nobody, (1, 0)), frozenset({("blue 57", four, three)})
    table.referee = replace(table.referee, match=record, away=away, accounted=accounted, still=None)
    table.show(1.2).throw(6, 5).move(green=[1, 28, 57, 57]).show(4.0)
    assert table.kinds == ["revised", "legal"]


@pytest.mark.parametrize(
    ("is_played", "kinds"), [(True, ["throw_held", "legal", "legal"]), (False, ["throw_held", "void"])]
)
def test_dice_thrown_on_a_play_that_the_reader_calls_likely_wait_until_it_no_longer_errs(is_played, kinds):
    """It reads red's 20 where it stood, and says that it may stand where it was played to."""
    likely = (Alternative(str(BOARD.square(0, 27)), {"red": 1}, 1.5),)
    table = Watched(red=[10, 20, 57, 57], green=[30, 0, 0, 0]).throw(5, 2)
    if is_played:
        table.move(red=[10, 27, 57, 57]).show(0.8, red=[10, 20, 57, 57], alternatives=likely).throw(4, 3)
        table.move(green=[37, 0, 0, 0])
    else:
        table.move().show(0.8, alternatives=likely).throw(4, 3)
    assert table.show(2.8, alternatives=() if is_played else likely).kinds == kinds


def test_dice_thrown_on_a_board_that_nothing_shows_to_be_a_play_are_void_though_one_may_have_come_home():
    table = Watched(red=[10, 48, 57, 57], green=[30, 0, 0, 0]).throw(5, 4).move().show(0.8)
    assert table.throw(4, 3).kinds == ["void"]


def test_where_the_six_that_lets_a_colour_help_may_never_have_been_thrown_the_next_throw_is_not_too_early():
    """The dice were read as 6 and 3 first: red may have to wait for its six still, and not help yellow."""
    setting = load_setting("oldwiki")
    table = Watched(setting=setting, to_play="red", red=[57] * 4, green=[0, 23, 0, 0], yellow=[5, 0, 0, 0])
    waits = table.referee.match
    table.referee = replace(table.referee, match=waits.but(helping=frozenset({0})), guesses=(waits,))
    table.throw(5, 3).show(1.2).throw(4, 3).move(green=[0, 30, 0, 0]).show(1.2)
    assert table.kinds == ["revised", "legal"]


@pytest.mark.parametrize(
    ("thrown", "yellow", "kind"),
    [
        ((), [4, 9, 9, 11], "timber_shift"),
        ((), [3, 9, 11, 11], "check"),
        ((5, 2), [4, 9, 9, 11], "check"),
    ],
)
def test_what_is_shifted_beside_what_was_called_is_called_too_where_nobody_has_dice_to_play(
    thrown, yellow, kind
):
    """Not where it comes to a stack, of which pieces may have been miscounted."""
    pieces = {"red": [1, 0, 0, 0], "green": [5, 0, 0, 0], "yellow": [3, 9, 9, 11]}
    table = Watched(to_play="red", **pieces)
    if thrown:
        table.throw(*thrown)
    table.move(green=[6, 0, 0, 0]).show(4.0)
    assert table.move(yellow=yellow).show(4.0).kinds == ["timber_shift", kind]


def test_whoever_puts_right_what_was_called_and_all_that_was_played_since_to_what_the_dice_said_is_asked():
    """Blue had made the play of its dice; what else was moved then was taken for a play of the next ones."""
    table = Watched(to_play="blue", blue=[2, 9, 0, 0], red=[17, 0, 0, 0], green=[30, 0, 0, 0]).throw(4, 1)
    table.move(blue=[6, 10, 0, 0]).throw(3, 2).move(blue=[7, 10, 0, 0], red=[22, 0, 0, 0]).show(4.0)
    kinds = [*table.kinds]
    table.move(blue=[6, 10, 0, 0], red=[17, 0, 0, 0]).show(4.0)
    assert kinds == ["throw_held", "illegal", "stood", "legal"]
    assert table.kinds[4:] == ["check"]


def test_a_piece_that_is_taken_to_have_come_home_unseen_may_still_be_on_its_way():
    """Missed in the chute when people say that the board is right, it may be home by the 5; it is not."""
    table = Watched(to_play="blue", red=[12, 0, 0, 0], blue=[52, 0, 0, 0]).throw(5, 4)
    table.move().show(4.0, blue=[0, 0, 0]).press("done")
    assert table.referee.match.position[BOARD.seat("blue")] == (0, 0, 0, 57)
    table.move().show(1.2, blue=[0, 0, 0]).throw(3, 2)
    kinds = [*table.kinds]
    table.move(blue=[55, 0, 0, 0]).show(4.0)
    assert table.kinds[len(kinds) :] == ["check"]


def test_people_who_take_back_several_plays_are_asked():
    table = (
        Watched(red=[10, 20, 57, 57], green=[30, 0, 0, 0]).throw(5, 2).move(red=[15, 22, 57, 57]).show(1.2)
    )
    table.throw(4, 3).move(green=[37, 0, 0, 0]).show(1.2)
    assert table.move(red=[10, 20, 57, 57], green=[30, 0, 0, 0]).show(4.0).kinds == [
        "legal",
        "legal",
        "check",
    ]


def test_pieces_that_are_missed_in_turn_and_counted_under_one_that_is_never_seen_alone_are_misread():
    """The one that was played, then another, then only that: all the time two stand where one does."""
    table = Watched(to_play="blue", blue=[3, 7, 8, 50]).throw(2, 1).move(blue=[6, 7, 8, 50])
    table.show(1.2, blue=[7, 8, 50, 50]).show(0.8, blue=[7, 50, 50, 50]).show(0.8, blue=[6, 7, 50, 50])
    assert table.show(0.8).kinds == ["legal"]


def test_whoever_puts_the_only_piece_that_is_out_into_base_is_called_though_that_is_how_the_match_began():
    table = Watched(red=[0, 0, 0, 0]).throw(6, 5).move(red=[6, 0, 0, 0]).show(1.2).throw(3, 2).show(1.2)
    assert table.move(red=[0, 0, 0, 0]).show(4.0).kinds[-1] == "illegal"


def test_a_piece_looked_for_under_its_own_side_that_a_guess_counts_there_makes_no_blob_that_bars_the_way():
    """Knocked off, it lies nowhere; read as green's third on 9 it counts there once another is played on."""
    setting, maybe = load_setting("masters_uckers"), Alternative(str(BOARD.square(1, 9)), {"green": 2}, 0.3)
    pieces = {"red": [0, 8, 8, 10], "green": [9, 9, 11, 16], "yellow": [0, 1, 14, 14]}
    table = Watched(to_play="yellow", setting=setting, **pieces).throw(2, 3)
    table.move(green=[9, 9, 11], yellow=[0, 3, 14, 17]).show(4.0, green=[9, 9, 9, 11], alternatives=(maybe,))
    table.press("done").move().show(1.2, green=[9, 9, 9, 11]).throw(3, 2)
    table.throw(4, 4).move(red=[0, 8, 8, 18]).show(1.2, green=[9, 9, 9, 11])
    table.throw(2, 1).move(green=[9, 10, 13]).show(2.8, green=[9, 9, 10, 13])
    table.throw(3, 5).move(yellow=[0, 8, 17, 17]).show(1.2, green=[9, 9, 10, 13]).throw(5, 2)
    table.throw(3, 6).move(red=[4, 8, 8, 18]).show(1.2, green=[9, 9, 10, 13])
    before = [*table.kinds]
    table.throw(4, 5).move(red=[8, 8, 8, 23], green=[0, 9, 13]).show(4.0, green=[0, 9, 9, 13])
    assert table.kinds[len(before) :] == ["check"]


def test_a_piece_looked_for_under_its_own_side_is_on_its_way_to_base_also_where_nothing_else_goes_there():
    setting, pieces = load_setting("wafu"), {"red": [0, 6, 11, 28], "green": [0, 1, 1, 22]}
    pieces |= {"yellow": [0, 0, 22, 39], "blue": [13, 57, 57, 57]}
    table = Watched(to_play="red", setting=setting, **pieces).throw(3, 4)
    table.move(red=[0, 6, 11, 35], green=[0, 1, 1]).show(4.0, green=[0, 1, 1, 1]).press("done").throw(6, 4)
    table.move(green=[1, 1, 5]).show(2.4, green=[1, 1, 1, 5]).press("done").show(0.8, green=[1, 1, 1, 5])
    table.throw(4, 3).move(green=[1, 4, 9]).show(2.8, green=[1, 1, 4, 9])
    table.throw(4, 2).move(yellow=[0, 0, 26, 41], blue=[57, 57, 57]).show(4.0, green=[1, 1, 4, 9])
    assert table.kinds[-3:] == ["revised", "legal", "check"]


def test_dice_thrown_before_a_hand_came_have_been_played_by_it_though_the_play_before_was_seen_only_now():
    """Red's 1 is read where red had played to with the dice before, and may, the reader says, be played."""
    pieces = {"red": [10, 57, 57, 57], "green": [0, 6, 6, 14], "blue": [5, 5, 6, 52]}
    table = Watched(setting=load_setting("couk"), **pieces).throw(6, 6).move(red=[16, 57, 57, 57])
    table.show(0.4, green=[0, 5, 6, 14]).throw(1, 5).move(red=[17, 57, 57, 57])
    likely = (Alternative(str(BOARD.square(0, 17)), {"red": 1}, 0.3),)
    table.show(0.8, red=[16, 57, 57, 57], alternatives=likely).throw(2, 5)
    table.show(0.4, red=[16, 57, 57, 57], alternatives=likely).move(green=[0, 6, 6, 21]).show(4.0)
    assert not {"void", "illegal", "timber_shift"} & {*table.kinds}
    assert table.kinds.count("legal") == 3


def test_which_of_two_colours_lies_on_top_is_not_known_where_people_said_that_both_stand_there():
    """Green's 7 had been missed, and counted as in base: it was never moved, and red's came onto it."""
    setting, pieces = load_setting("wafu"), {"red": [0, 1, 9, 20], "green": [0, 0, 0, 3]}
    pieces |= {"yellow": [0, 7, 12, 24], "blue": [0, 0, 0, 22]}
    table = Watched(setting=setting, to_play="green", **pieces).move(green=[0, 0, 3, 7])
    table.show(4.0, confidence=0.4).press("done").throw(2, 1).move(green=[0, 0, 6, 7]).show(1.2).throw(3, 1)
    table.move(yellow=[0, 7, 12, 28]).show(1.2).throw(1, 2).move(blue=[0, 0, 0, 25]).show(1.2).throw(2, 4)
    table.move(red=[0, 3, 9, 24]).show(4.0)
    assert table.kinds == ["check", "trusted", *["legal"] * 4]


def test_a_call_made_before_dice_that_were_thrown_on_a_wrong_board_counts_on_the_board_as_it_stands():
    """Blue calls snake eyes and throws them, before green's shift beside yellow's play is called."""
    table = Watched(setting=load_setting("wafu"), to_play="yellow", yellow=[0, 0, 0, 2]).throw(4, 1)
    table.move(green=[0, 0, 0, 5], yellow=[0, 0, 0, 7]).show(0.8).press("call").throw(1, 1)
    table.show(2.0).move(blue=[1, 1, 1, 1]).show(4.0)
    assert table.kinds == ["throw_held", "illegal", "stood", "call_accepted", "snake_eyes"]


def test_what_looks_wrong_as_dice_are_thrown_is_kept_in_mind_though_another_piece_is_seen_nowhere():
    """Green's last may have come home; blue's stands a square back, and nobody is to blame for that yet."""
    table = Watched(to_play="green", green=[0, 0, 4, 52], yellow=[10, 10, 11, 57], blue=[0, 0, 0, 17])
    table.throw(6, 5).move(green=[0, 0, 10, 57], blue=[0, 0, 0, 16]).show(0.8, green=[0, 0, 10]).throw(6, 5)
    suspect = table.referee.suspect
    assert suspect is not None
    assert not suspect.boards
    assert [board[3] for board in suspect.excused] == [(0, 0, 0, 16)]


@pytest.mark.parametrize(("before", "kind"), [([1, 1, 9, 0], "illegal"), ([1, 1, 1, 9], "put_this_right")])
def test_what_is_moved_off_a_stack_is_called_once_a_board_was_taken_as_it_stands_if_that_stack_was_the_same(
    before, kind
):
    """Stacks are misread most: one that was taken to be another than before is in doubt."""
    table = Watched(red=[10, 20, 57, 57], green=before).throw(5, 2)
    table.move(red=[16, 20, 57, 57], green=[1, 1, 9, 0]).show(2.8, confidence=0.3).press("done")
    table.move().show(1.2).throw(4, 3).move(green=[1, 4, 16, 0]).show(3.2)
    assert table.kinds[:3] == ["check", "trusted", "stood"]
    assert table.kinds[-1] == kind


@pytest.mark.parametrize(
    ("red", "green", "undone"),
    [([3, 10, 57, 57], [5, 0, 0, 0], [1, 5, 0, 0]), ([5, 10, 57, 57], [6, 0, 0, 0], [1, 5, 0, 0])],
)
def test_what_is_shifted_once_that_which_was_called_has_been_put_right_is_called_too(red, green, undone):
    """Nobody has seen it put right by itself; but of what was wrong nothing is left."""
    table = Watched(red=[1, 9, 57, 57], green=[5, 0, 0, 0]).throw(4, 1).move(red=red, green=green).show(3.2)
    table.move(red=[5, 10, 57, 57], green=[5, 0, 0, 0]).show(0.4).move(green=undone)
    assert table.show(4.0).kinds == ["illegal", "illegal"]


def test_what_is_moved_beside_what_was_called_with_dice_thrown_since_is_asked_about():
    table = Watched(red=[1, 9, 57, 57], green=[5, 0, 0, 0]).throw(4, 1).move(red=[3, 10, 57, 57]).show(3.2)
    table.move(red=[5, 10, 57, 57]).show(0.4).throw(6, 3).move(green=[1, 5, 0, 0]).show(4.0)
    assert "illegal" not in table.kinds[1:]


def test_a_piece_looked_for_under_its_own_side_when_people_say_that_the_board_is_right_bars_nobodys_way():
    """Green's 16 was knocked off; asked about is another play than the dice, and what is seen is trusted."""
    setting, pieces = load_setting("masters_uckers"), {"red": [0, 8, 8, 10], "green": [9, 9, 11, 16]}
    table = Watched(to_play="yellow", setting=setting, **pieces, yellow=[0, 1, 14, 14]).throw(2, 3)
    table.move(green=[9, 9, 11], yellow=[0, 4, 14, 17]).show(4.0, green=[9, 9, 9, 11], confidence=0.3)
    table.press("done").move().show(1.2, green=[9, 9, 9, 11]).throw(3, 2)
    table.throw(4, 4).move(red=[0, 8, 8, 18]).show(1.2, green=[9, 9, 9, 11])
    table.throw(2, 1).move(green=[9, 10, 13]).show(2.8, green=[9, 9, 10, 13])
    table.throw(3, 5).move(yellow=[0, 9, 17, 17]).show(1.2, green=[9, 9, 10, 13]).throw(5, 2)
    table.throw(3, 6).move(red=[4, 8, 8, 18]).show(1.2, green=[9, 9, 10, 13])
    table.throw(4, 5).move(red=[8, 8, 8, 23], green=[0, 9, 13]).show(4.0, green=[0, 9, 9, 13])
    assert table.kinds[:3] == ["check", "trusted", "stood"]
    assert table.kinds[-2:] == ["legal", "check"]


def test_void_dice_that_fell_before_a_hand_made_the_play_make_nobody_elses_play_of_the_next_right_unasked():
    """Had they been thrown by yellow, who cannot move by them, the next were blue's, and not yellow's."""
    table = Watched(to_play="green", green=[20, 0, 0, 0], yellow=[55, 57, 57, 57], blue=[9, 0, 0, 0])
    table.throw(5, 3).move().show(2.4).throw(5, 4).show(2.4).move(green=[28, 0, 0, 0]).show(2.4)
    assert table.kinds == ["void", "legal"]
    assert table.throw(3, 2).move(blue=[14, 0, 0, 0]).show(4.0).kinds[2:] == ["check"]


def test_a_piece_put_back_into_base_that_is_looked_for_among_its_own_side_is_not_called_again():
    table = Watched(to_play="green", green=[0, 0, 4, 43], blue=[0, 0, 9, 10])
    table.move(blue=[0, 1, 9, 10]).show(3.2).move(blue=[0, 9, 10]).show(3.2, blue=[0, 9, 10, 10])
    assert table.kinds == ["timber_shift", "check"]


def test_a_piece_looked_for_among_its_own_side_that_was_played_on_since_excuses_nobody():
    table = Watched(to_play="green", red=[10, 20, 57, 57], green=[9, 9, 10, 13])
    table.referee = replace(table.referee, looked_for=frozenset({(1, 31)}))
    assert table.move(red=[12, 20, 57, 57]).show(4.0).kinds == ["timber_shift"]
