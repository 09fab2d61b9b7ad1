"""What counts as called, asked about, missed and false, by short evenings worked out by hand."""

from uckers_table.game.events import Awaiting
from uckers_table.game.position import position_from
from uckers_table.game.ruling import Kind, Move, Ruling
from uckers_table.game.setting import load_setting
from uckers_table.referee.rulings import Notice, TimedRuling
from uckers_table.simulator.people import Happening, Planted
from uckers_table.trial.weighing import Heard, weigh

BOARD = load_setting("br4006").board
RED, GREEN = BOARD.seat("red"), BOARD.seat("green")
BASES = {"red": [0] * 4, "green": [0] * 4, "yellow": [0] * 4, "blue": [0] * 4}


class Evening:
    """Truth and rulings by the second, from a board where red stands at 10 and 20, green at 5."""

    def __init__(self):
        self.log, self.planted, self.rulings = [], [], []
        self.pieces = BASES | {"red": [10, 20, 0, 0], "green": [5, 0, 0, 0]}
        self.happens(1, "play")

    def board(self, **pieces):
        return position_from(BOARD, self.pieces | pieces)

    def happens(self, t, what, kind="", **pieces):
        self.pieces |= pieces
        self.log.append(Happening(t, what, kind, self.board()))
        return self

    def cheat(self, t, *moves, kind=Kind.TIMBER_SHIFT, **pieces):
        stood = self.board()
        self.happens(t, "cheat", kind.value, **pieces)
        self.planted.append(Planted(t, kind.value, Ruling(kind, moves[0].seat, stood, moves=moves)))
        return self

    def hear(self, t, ruling, **record):
        position = self.board(**record)
        self.rulings.append(Heard(TimedRuling(t, ruling, position, RED, Awaiting.THROW), t - 1))
        return self

    def call(self, t, *moves, kind=Kind.TIMBER_SHIFT, **record):
        return self.hear(t, Ruling(kind, moves[0].seat, self.board(**record), moves=moves), **record)

    def ask(self, t, *places):
        return self.hear(t, Notice.check(places), red=[10, 20, 0, 0])

    @property
    def fates(self):
        """How many cheats were called, asked about and missed, and false accusations."""
        account = weigh(BOARD, self.log, self.planted, self.rulings)
        return *map(sum, zip(*account.cheats.values(), strict=True)), account.false_accusations


SHIFT = Move(RED, 10, 12)
WAS = {"red": [10, 20, 0, 0]}


def shifted():
    return Evening().cheat(10, SHIFT, red=[12, 20, 0, 0])


def test_a_cheat_is_called_or_missed_and_an_accusation_that_means_none_is_false():
    assert shifted().call(12, SHIFT, **WAS).fates == (1, 0, 0, 0)
    assert shifted().fates == (0, 0, 1, 0)
    assert shifted().call(9, SHIFT, **WAS).fates == (0, 0, 1, 1)
    innocent = shifted().happens(14, "called", "timber_shift").happens(15, "put_right", **WAS)
    assert innocent.call(40, Move(GREEN, 5, 6)).fates == (0, 0, 1, 1)


def test_whoever_is_accused_of_putting_right_what_was_called_is_accused_falsely():
    """Not as long as it is not put right: then more than it may be named, a moment after it was let stand."""
    back = Move(RED, 12, 10)
    called = shifted().call(12, SHIFT, **WAS).happens(14, "called", "timber_shift")
    put_right = called.happens(15, "put_right", **WAS)
    assert put_right.call(17, back, red=[12, 20, 0, 0]).fates == (1, 0, 0, 1)
    called = shifted().call(12, SHIFT, **WAS).happens(14, "called", "timber_shift")
    moved = called.happens(15, "play", green=[6, 0, 0, 0])
    assert moved.call(17, SHIFT, Move(GREEN, 5, 7), green=[5, 0, 0, 0], **WAS).fates == (1, 0, 0, 0)
    asked = shifted().ask(12, BOARD.place(RED, 12)).happens(13, "asked").happens(15, "put_right", **WAS)
    played = asked.happens(17, "play", green=[6, 0, 0, 0])
    assert played.call(19, Move(GREEN, 5, 6), green=[5, 0, 0, 0]).fates == (0, 1, 0, 1)


def test_a_question_is_about_a_cheat_if_it_names_its_place_or_all_of_the_board():
    there, elsewhere = BOARD.place(RED, 12), BOARD.place(GREEN, 5)
    assert shifted().happens(13, "stood").ask(30, there).fates == (0, 1, 0, 0)
    assert shifted().happens(13, "stood").ask(30).fates == (0, 1, 0, 0)
    assert shifted().happens(13, "stood").ask(30, elsewhere).fates == (0, 0, 1, 0)


def test_what_is_on_record_as_a_cheat_left_it_is_asked_about_no_more():
    """A play of the referee's that has the piece where it truly is settles it; one that has not does not."""
    for record, fates in (([12, 20, 0, 0], (0, 0, 1, 0)), ([11, 20, 0, 0], (0, 1, 0, 0))):
        evening = (
            shifted().happens(13, "stood").hear(14, Ruling(Kind.LEGAL, RED, Evening().board()), red=record)
        )
        assert evening.ask(30, BOARD.place(RED, 12)).fates == fates


def test_a_cheat_moved_on_is_called_by_one_move_and_asked_about_in_place():
    taken_off = {"red": [0, 20, 0, 0], "green": [9, 0, 0, 0]}
    gone = shifted().happens(11, "stood").happens(30, "play", **taken_off)
    assert gone.call(32, Move(RED, 10, 0), Move(GREEN, 5, 9), kind=Kind.ILLEGAL).fates == (1, 0, 0, 0)
    for asked, fates in ((17, (0, 1, 0, 0)), (12, (0, 0, 1, 0))):
        moved_on = shifted().happens(11, "stood").happens(30, "play", red=[17, 20, 0, 0])
        assert moved_on.ask(32, BOARD.place(RED, asked)).fates == fates


def test_two_cheats_with_one_piece_are_both_called_by_its_move_from_first_to_last():
    evening = shifted().happens(11, "stood").cheat(20, Move(RED, 12, 14), red=[14, 20, 0, 0])
    # The referee takes green to stand elsewhere, so that the board it shows by that is not as it is.
    evening.happens(21, "stood").call(40, Move(RED, 10, 14), red=[10, 20, 0, 0], green=[6, 0, 0, 0])
    assert evening.fates == (2, 0, 0, 0)


def test_a_piece_moved_back_after_its_play_is_called_by_what_is_left_of_the_play():
    """Red plays from 10 to 17, and moves back to 15; before the referee says so others have cheated."""
    evening = Evening().happens(5, "play", red=[17, 20, 0, 0]).cheat(8, Move(RED, 17, 15), red=[15, 20, 0, 0])
    evening.happens(9, "stood").cheat(10, Move(GREEN, 5, 6), green=[6, 0, 0, 0]).happens(11, "called")
    half = evening.call(12, Move(RED, 10, 15), kind=Kind.ILLEGAL, red=[10, 20, 0, 0], green=[5, 0, 0, 0])
    assert half.fates == (2, 0, 0, 0)


def test_whoever_changes_his_mind_before_the_next_throw_is_accused_falsely():
    evening = Evening().happens(5, "first_thought", red=[17, 20, 0, 0])
    evening.happens(8, "play", red=[10, 27, 0, 0])
    back = evening.call(10, Move(RED, 17, 10), Move(RED, 20, 27), red=[17, 20, 0, 0])
    assert back.fates == (1,)


def test_whoever_swaps_a_play_after_the_next_throw_is_accused_rightly():
    evening = Evening().happens(5, "play", red=[17, 20, 0, 0])
    swap = Move(RED, 17, 10), Move(RED, 20, 27)
    evening.cheat(8, *swap, red=[10, 27, 0, 0])
    assert evening.call(10, *swap, red=[17, 20, 0, 0]).fates == (1, 0, 0, 0)
