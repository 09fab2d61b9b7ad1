"""What the referee makes of doubts that it carries. They are put into it by hand: a match takes long to."""

from dataclasses import replace

import pytest

from tests.referee.scripted import BOARD, Table, match_of, near_line, setting_of
from uckers_table.game import playing
from uckers_table.referee.stillness import Flicker


def doubting(number=1, to_play="red", **setup):
    """A table where so many plays are still to be seen until the record is sure."""
    table = Table(to_play, **setup)
    table.referee = replace(table.referee, doubts=number)
    return table


def guessing(table, *matches):
    """The same table, where one of these may have happened instead."""
    table.referee = replace(table.referee, guesses=matches)
    return table


# ---------------------------------------------------------------- whose turn it is


def test_half_a_play_is_called_though_the_turn_was_in_doubt():
    """Whoever moves his own pieces by one of the dice in hand, from where they were seen, has that turn."""
    table = doubting(red=[10, 20, 57, 57]).throw(5, 2).hand(red=[15, 20, 57, 57]).see(3.2).throw(4, 3)
    assert table.kinds[:2] == ["illegal", "stood"]


def test_a_shift_beside_a_play_is_called_though_the_turn_was_in_doubt():
    """Whoever plays the dice in hand, whole and with own pieces, has that turn. Nobody plays green's so."""
    table = doubting(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).throw(5, 2)
    assert table.hand(red=[15, 22, 57, 57], green=[7, 0, 0, 0]).see(3.2).kinds == ["illegal"]


@pytest.mark.parametrize(
    ("rules", "ruled"),
    [("br4006", "timber_shift"), ("couk_suckback", "out_of_step"), ("wafu", "out_of_step")],
)
def test_a_piece_moved_back_is_called_though_the_turn_is_in_doubt(rules, ruled):
    """Not where pieces may go back by the rules: with suckback, called or not."""
    table = doubting(setting=setting_of(rules), red=[10, 20, 57, 57], green=[5, 0, 0, 0])
    assert table.hand(green=[4, 0, 0, 0]).see(3.2).kinds[0] == ruled


def test_a_piece_moved_on_is_asked_about_while_the_turn_is_in_doubt():
    table = doubting(red=[10, 20, 57, 57], green=[5, 0, 0, 0]).hand(green=[8, 0, 0, 0]).see(3.2)
    assert "timber_shift" not in table.kinds
    assert table.referee.is_out_of_step


@pytest.mark.parametrize(
    ("throw", "ruled"), [((), ["timber_shift"]), ((3, 2), ["pass", "out_of_step", "put_this_right"])]
)
def test_a_move_before_any_throw_is_called_though_the_turn_is_in_doubt(throw, ruled):
    """Dice that the next side could not play may have been another side's."""
    table = doubting(2, red=[1, 3, 15, 0]).throw(5, 2).hand(red=[3, 3, 20, 0]).see(1.2)
    if throw:
        table.throw(*throw)
    assert table.hand(red=[3, 5, 20, 0]).see(4.0).kinds == ["legal", *ruled]


@pytest.mark.parametrize("rules", ["br4006", "wafu"])
@pytest.mark.parametrize(("to", "ruled"), [(8, ["timber_shift"]), (7, ["out_of_step", "put_this_right"])])
def test_what_no_dice_make_is_called_though_the_turn_is_in_doubt(to, ruled, rules):
    """Out with a six and on with another is seven at most, also where pieces may go back."""
    table = doubting(2, setting=setting_of(rules), red=[1, 3, 15, 0])
    table.throw(5, 2).hand(red=[3, 3, 20, 0]).see(1.2).throw(3, 2)
    assert table.hand(red=[3, 3, 20, to]).see(4.0).kinds == ["legal", "pass", *ruled]


@pytest.mark.parametrize(("to", "ruled"), [(8, ["timber_shift"]), (20, ["out_of_step", "put_this_right"])])
def test_what_no_dice_make_is_called_unless_a_stack_may_be_misread(to, ruled):
    table = Table("green", red=[1, 3, 19, 0]).hand(red=[1, 3, 20, 0]).see(4.0).throw(3, 2).hand().see(1.2)
    table.referee = replace(table.referee, doubts=2)
    table.hand(red=[1, 3, 20, to]).see(4.0)
    assert table.kinds == ["timber_shift", "stood", "pass", *ruled]


def test_the_partners_pieces_alone_do_not_tell_whose_turn_it_is():
    """Blue, all home, helps: green might have played the same in its own turn."""
    table = Table("blue", setting=setting_of("couk"), blue=[57] * 4, green=[26, 57, 57, 57])
    table.throw(6, 4).see(1.2).throw(4, 3).see(1.2)
    table.referee = replace(table.referee, doubts=2)
    table.throw(4, 3).hand(green=[33, 57, 57, 57]).see(1.6).throw(2, 1).see(1.2)
    assert (table.kinds, table.referee.doubts) == (["gate", "pass", "legal", "pass"], 1)
    table.throw(4, 5).hand(green=[42, 57, 57, 57]).see(2.0)
    assert (table.kinds[4:], table.referee.doubts) == (["legal"], 1)


def test_a_six_that_lets_somebody_help_is_in_doubt_with_the_turn():
    """Blue may not help yet: with 5 and 6 it may from then on, and the next throw is red's."""
    home = {"red": [4, 31, 57, 57], "green": [56, 57, 57, 57], "blue": [57] * 4}
    table = doubting(to_play="blue", **home).throw(6, 2).see(1.2)
    table.throw(2, 1).hand(red=[7, 31, 57, 57]).see(1.2).throw(4, 2).see(1.2).throw(2, 3).see(1.2)
    assert (table.kinds, table.referee.doubts) == (["gate", "legal", "pass", "pass"], 0)
    table.throw(5, 6).see(1.2).throw(4, 3).hand(red=[14, 31, 57, 57]).see(2.8)
    assert table.kinds[4:] == ["pass", "pass", "revised", "legal"]
    assert table.match.to_play == BOARD.seat("green")


def test_a_play_only_supposed_to_be_made_does_not_tell_whose_turn_it_is():
    """People have said that the board is right, on which nothing was played, and throw again."""
    table = Table(red=[10, 20, 57, 57], green=[5, 30, 57, 57]).throw(5, 2).see(1.2)
    forgiven = table.referee.still.reading.key
    table.referee = replace(table.referee, doubts=1, forgiven=forgiven)
    assert table.throw(3, 1).kinds == ["legal"]
    assert table.referee.doubts == 1


def test_dice_that_others_played_are_not_in_hand_once_the_board_stands():
    table = doubting(to_play="yellow", green=[17, 30, 0, 0], yellow=[5, 0, 0, 0])
    table.throw(5, 4).hand(green=[22, 34, 0, 0]).see(4.0).throw(3, 2)
    assert "out_of_step" in table.kinds
    assert "void" not in table.kinds
    assert (table.match.thrown, table.match.to_play) == ((3, 2), BOARD.seat("yellow"))
    assert table.hand(yellow=[10, 0, 0, 0]).see(1.2).kinds[-1] == "legal"


# ---------------------------------------------------------------- what else may have happened


@pytest.mark.parametrize(
    ("beside", "ruled"), [({"yellow": [5, 0, 0, 0]}, "illegal"), ({"green": [4, 0, 7, 0]}, "out_of_step")]
)
def test_only_a_lone_shift_is_called_after_a_board_was_taken(beside, ruled):
    """Of a stack one was missed or seen too much just when people said that all is right."""
    table = Table(red=[10, 20, 57, 57], green=[4, 0, 0, 0], yellow=[3, 0, 0, 0]).hand(green=[4, 4, 0, 0])
    table.see(2.8, confidence=0.3).press("done").throw(1, 1).see(0.8)
    table.referee = replace(table.referee, guesses=(), turns=())
    assert (table.kinds, table.referee.doubts) == (["check", "trusted"], 1)
    assert ruled in table.hand(red=[10, 22, 57, 57], **beside).see(3.2).kinds


def test_a_board_that_fits_a_guess_does_not_become_a_play_by_an_error():
    """The dice were 2 and 1, taken for double 1. So it fits until the piece is read one square short."""
    table = Table("blue", blue=[3, 0, 0, 0]).throw(1, 1)
    guessing(table, playing.throw(match_of(to_play="blue", blue=[3, 0, 0, 0]), (2, 1)).match)
    table.hand(blue=[6, 0, 0, 0]).throw(3, 1).see(1.2).see(0.8, blue=[5, 0, 0, 0])
    assert table.kinds == ["throw_held"]


def test_what_stands_may_have_been_a_play_of_another_side():
    table = guessing(Table(), match_of(to_play="yellow"))
    table.throw(6, 5).hand(green=[1, 0, 0, 0], yellow=[6, 0, 0, 0]).see(2.8)
    table.hand(green=[0, 0, 0, 0]).see(1.2).throw(4, 3)
    assert table.kinds == ["illegal", "stood", "pass"]
    assert table.hand(yellow=[13, 0, 0, 0]).see(3.2).kinds[3:] == ["revised", "legal"]


def test_a_shift_that_makes_a_play_on_the_board_before_a_call_is_asked_about():
    """Green's piece is shifted back and called when dice are thrown. They are played, and one is shifted."""
    table = Table("green", green=[1, 1, 18, 20])
    # A doubt from before has come to the same as the record.
    guessing(table, table.match).hand(green=[1, 1, 17, 20]).see(1.6).throw(6, 1).see(0.8)
    assert table.kinds == ["throw_held", "timber_shift", "stood"]
    table.hand(green=[1, 1, 18, 26]).see(0.4).hand(green=[1, 2, 18, 26]).see(3.2)
    assert table.kinds[3:] == ["check", "revised", "legal"]
    assert table.said[-1] == "Check one on from green's doorstep."


def test_a_colour_home_unnoticed_may_have_thrown_the_six_that_lets_it_help():
    """Blue's last piece counts as in base, where nobody has seen it. Now blue plays green's."""
    setting = setting_of("oldwiki")
    table = Table("blue", setting=setting, blue=[57] * 4, green=[0, 23, 57, 57])
    record = match_of(setting, "blue", blue=[0, 57, 57, 57], green=[0, 23, 57, 57])
    nobody, four, three = (0, 0), frozenset({("blue", 4)}), frozenset({("blue", 3)})
    away, accounted = (nobody, nobody, nobody, (1, 0)), frozenset({("blue 57", four, three)})
    table.referee = replace(table.referee, match=record, away=away, accounted=accounted, still=None)
    table.see(1.2).throw(6, 5).hand(green=[1, 28, 57, 57]).see(4.0)
    assert table.kinds == ["revised", "legal"]


def test_a_throw_is_not_too_early_if_the_six_that_lets_it_help_may_be_missing():
    """The dice were read as 6 and 3 first. Red may have to wait for its six still, and not help yellow."""
    pieces = {"red": [57] * 4, "green": [0, 23, 0, 0], "yellow": [5, 0, 0, 0]}
    table = Table(setting=setting_of("oldwiki"), **pieces)
    waits = table.match
    table.referee = replace(table.referee, match=replace(waits, helping=frozenset({0})), guesses=(waits,))
    table.throw(5, 3).see(1.2).throw(4, 3).hand(green=[0, 30, 0, 0]).see(1.2)
    assert table.kinds == ["revised", "legal"]


def test_a_piece_looked_for_among_its_own_and_played_on_since_excuses_nobody():
    table = Table("green", red=[10, 20, 57, 57], green=[9, 9, 10, 13])
    table.referee = replace(table.referee, looked_for=frozenset({(1, 31)}))
    assert table.hand(red=[12, 20, 57, 57]).see(4.0).kinds == ["timber_shift"]


def test_void_dice_accuse_nobody_where_a_piece_stands_near_a_line():
    """Blue's play of 2, to just across the line, is not seen before yellow throws and plays."""
    across, home = near_line("blue", 40, 41, 1.05), {"red": [57] * 4, "green": [57] * 4}
    setting = setting_of("western_ludo", players=2)
    table = Table("green", setting=setting, yellow=[47, 50, 57, 57], blue=[39, 57, 57, 57], **home)
    table.throw(2).hand().see(0.8).throw(3).hand(yellow=[50, 50, 57, 57], blue=[40, 57, 57, 57])
    assert table.see(4.0, alternatives=across).kinds == ["void", "check"]
    # Whoever throws on says that the board is right. Where that piece stands is as doubtful as before.
    assert table.throw(5).kinds[2:] == ["trusted", "stood"]
    assert table.referee.on_lines == ((3, 40, 41),)
    table.see(0.4, alternatives=across).hand(blue=[46, 57, 57, 57])
    assert table.see(4.0).kinds[4:] == ["check"]


# ---------------------------------------------------------------- how sure the record is, and the reader


def test_a_board_that_is_a_play_only_at_its_kindest_leaves_the_record_in_doubt():
    """Two errors of the reader's in a row: each piece was read in its place, but never both at once."""
    table = Table(red=[10, 20, 57, 57]).throw(5, 2).hand(red=[15, 22, 57, 57])
    table.see(1.6, red=[16, 22, 57, 57]).see(1.2, red=[15, 23, 57, 57]).throw(4, 1)
    assert (table.kinds, table.referee.doubts) == (["legal", "pass"], 2)


def test_void_dice_taken_for_good_leave_the_record_in_doubt():
    """A piece set down a square too far makes them look good, and stays there as the next dice are thrown."""
    pieces = {"red": [0, 20, 57, 57], "yellow": [17, 43, 57, 57], "green": [20, 30, 0, 0]}
    table = Table(setting=setting_of("submariners", players=2), **pieces).throw(1, 6).see(1.2).throw(1, 2)
    table.hand(red=[2, 20, 57, 57], yellow=[18, 43, 57, 57]).see(3.2)
    assert (table.kinds, table.referee.doubts) == (["void", "legal", "check"], 2)
    assert "illegal" not in table.throw(3, 1).kinds


@pytest.mark.parametrize(("confidence", "is_suspect"), [(0.4, False), (0.5, True)])
def test_a_reader_that_is_sure_of_nothing_makes_nothing_suspect(confidence, is_suspect):
    table = Table().throw(6, 2).hand(red=[2, 0, 0, 0]).see(0.4, confidence=confidence).throw(2, 6)
    assert table.kinds == ["throw_held"]
    assert (table.referee.suspect is not None) is is_suspect


def test_what_looks_wrong_at_the_throw_is_kept_though_a_piece_is_seen_nowhere():
    """Green's last may have come home. Blue's stands a square back, and nobody is to blame for that yet."""
    table = Table("green", green=[0, 0, 4, 52], yellow=[10, 10, 11, 57], blue=[0, 0, 0, 17]).throw(6, 5)
    table.hand(green=[0, 0, 10, 57], blue=[0, 0, 0, 16]).see(0.8, green=[0, 0, 10]).throw(6, 5)
    suspect = table.referee.suspect
    assert suspect is not None
    assert not suspect.boards
    assert [board[3] for board in suspect.excused] == [(0, 0, 0, 16)]


@pytest.mark.parametrize(("dice_from", "ruled"), [("tower", ["illegal"]), ("camera", ["check"])])
def test_a_reader_that_errs_that_often_reads_dice_no_better(dice_from, ruled):
    table = Table(red=[10, 20, 57, 57])
    table.referee = replace(table.referee, dice_from=dice_from, flicker=Flicker(0.09, 400))
    assert table.throw(5, 2).hand(red=[16, 22, 57, 57]).see(3.2).kinds == ruled
