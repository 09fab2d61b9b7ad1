"""Calls made by buttons: taken where one is open, asked about where several are, refused where none is."""

import pytest

from uckers_table.announce.in_full import in_full
from uckers_table.announce.sentences import say
from uckers_table.errors import RulesError
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import begin
from uckers_table.game.position import position_from
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import (
    ButtonPressed,
    CallMade,
    DeviceChanged,
    Seen,
    ThrowMade,
    event_from_json,
    event_to_json,
)
from uckers_table.referee.referee import Referee
from uckers_table.sighting import Sighting

# Red's 12 is green's mouth; green's chute goes from 52 to 56.
PREY = {"red": [12, 0, 0, 0], "green": [53, 55, 0, 0]}


class Box:
    """A referee and the buttons in front of it, a second apart unless told otherwise."""

    def __init__(self, rules, to_play="red", options=None, **pieces):
        setting = load_setting(rules, options)
        position = position_from(setting.board, pieces)
        self.referee = Referee(begin(setting, to_play=to_play, position=position, turns_taken=1))
        self.t, self.heard = 0.0, []

    def take(self, make, *values, wait=1.0):
        self.t += wait
        response = self.referee.handle(make(self.t, *values))
        self.referee = response.referee
        self.heard += [timed.ruling for timed in response.rulings]
        return self

    def press(self, name):
        return self.take(ButtonPressed, name)

    def throw(self, *dice):
        return self.take(ThrowMade, dice)

    @property
    def kinds(self):
        return [ruling.kind.value for ruling in self.heard]

    @property
    def attempt(self):
        return self.referee.match.turn.attempt


def test_the_call_button_makes_the_only_call_there_is():
    box = Box("wafu", red=[12, 0, 0, 0], green=[53, 0, 0, 0]).press("call")
    assert box.kinds == ["call_accepted"]
    assert (box.attempt.kind, box.attempt.piece, box.attempt.number) == ("suckback", (0, 12), 2)


def test_of_several_the_number_decides():
    box = Box("wafu", **PREY).press("call")
    assert (box.kinds, box.attempt) == (["which_call"], None)
    # The number called is the button's.
    assert say(box.heard[0], box.referee.match.board) == "Which one? Press its number."
    box.press("4").throw(4, 1)
    assert box.kinds == ["which_call", "call_accepted", "suckback_won"]
    assert box.referee.match.position[1] == (0, 0, 0, 53)
    assert box.referee.choices == ()


def test_a_number_that_is_not_offered_is_refused_and_the_question_stays():
    box = Box("wafu", **PREY).press("call").press("3")
    assert box.kinds == ["which_call", "call_refused"]
    assert box.press("2").attempt.number == 2


def test_a_number_that_nobody_asked_for_is_refused():
    assert Box("wafu", **PREY).press("4").kinds == ["call_refused"]


def test_a_throw_before_the_number_was_said_is_a_plain_throw():
    box = Box("wafu", **PREY).press("call").throw(4, 1)
    assert (box.kinds, box.referee.match.awaiting) == (["which_call"], Awaiting.PLAY)
    assert box.press("4").kinds == ["which_call", "call_refused"]


def test_where_nothing_can_be_called_the_button_says_so():
    box = Box("br4006", red=[12, 0, 0, 0], green=[53, 0, 0, 0]).press("call")
    assert [ruling.why for ruling in box.heard] == ["not now: there is nothing to call before this throw"]


def test_the_call_button_is_no_challenge():
    box = Box("br4006", red=[15, 0, 0, 0], green=[3, 3, 0, 0]).throw(6, 3).press("call")
    assert box.kinds == ["call_refused"]
    assert box.take(CallMade, Call("challenge")).kinds == ["call_refused", "challenge"]


def test_which_piece_challenges_is_asked_and_not_guessed():
    # Green's 40 is red's doorstep, its 3 red's 16: one challenger in base, one on the track.
    box = Box("br4006", red=[15, 0, 0, 0], green=[3, 3, 40, 40]).throw(6, 3)
    box.take(CallMade, Call("challenge"))
    assert (box.kinds, box.referee.match.challenge) == (["which_call"], None)
    assert in_full(box.heard[-1], box.referee.match.board) == (
        "Which one? Press its number: 1 from red's base, 2 from one on from green's doorstep."
    )
    chosen = box.referee.choices[1]
    box.press("2")
    assert box.kinds == ["which_call", "challenge"]
    challenge = box.referee.match.challenge
    assert (challenge.seat, challenge.steps) == (chosen.seat, chosen.steps)


def test_a_call_that_names_its_piece_is_not_asked_about():
    box = Box("br4006", red=[15, 0, 0, 0], green=[3, 3, 40, 40]).throw(6, 3)
    box.take(CallMade, Call("challenge", 0, 0))
    assert box.kinds == ["challenge"]
    assert box.referee.match.challenge.steps == 0


def test_a_number_called_aloud_needs_no_question():
    box = Box("wafu", **PREY).take(CallMade, Call("suckback", target=4))
    assert (box.kinds, box.attempt.number) == (["call_accepted"], 4)


def test_a_play_ends_the_question():
    box = Box("br4006", red=[15, 0, 0, 0], green=[3, 3, 40, 40]).throw(6, 3)
    box.take(CallMade, Call("challenge"))
    # Past no blob: the six brings nobody out, as green bars the doorstep; 15 is barred by the blob on 16.
    assert box.referee.match.plays == ()
    box.throw(5, 4)
    assert (box.referee.choices, box.referee.match.to_play) == ((), 1)


def played_by_blue(t, *looks):
    """Blue has thrown 2 and 1 in front of red's suckback, and his piece is seen at the steps of each look, a
    tenth of a second apart; then somebody presses the button for calls.
    """
    box = Box("wafu", to_play="blue", blue=[10, 0, 0, 0], red=[12, 0, 0, 0], green=[53, 0, 0, 0]).throw(2, 1)
    box.t = t
    box.take(Seen, Sighting({}, hand=True), wait=0.1)
    for steps in looks:
        look(box, steps)
    box.take(ButtonPressed, "call", wait=0.05)
    return box


def look(box, steps, confidence=1.0):
    seats = box.referee.match.board.seats
    pieces = dict(zip(seats, ((0, 0, 0, 12), (0, 0, 0, 53), (0,) * 4, (0, 0, 0, steps)), strict=True))
    return box.take(Seen, Sighting(pieces, confidence=confidence), wait=0.1)


def test_a_call_comes_after_the_play_that_was_seen_just_before_it():
    box = played_by_blue(1.0, 13, 13)
    assert box.kinds == ["legal", "call_accepted"]
    assert box.attempt.piece == (0, 12)


@pytest.mark.parametrize("looks", [(13,), (13, 13, 14), (13, 14, 14)])
def test_a_call_says_that_the_play_is_over_which_was_seen_shortly_or_is_misread(looks):
    box = played_by_blue(1.0, *looks)
    assert box.kinds == ["legal", "call_accepted"]
    for _ in range(4):
        look(box, 13)
    assert box.kinds == ["legal", "call_accepted"]
    assert box.attempt.piece == (0, 12)


def called_under_a_hand(*steps):
    """The button for calls is pressed while blue's hand is over the board; then his piece is seen at each
    of the steps for three seconds, with a hand between.
    """
    box = played_by_blue(1.0, 10, 10)
    box.heard.clear()
    hand = Sighting({}, hand=True)
    box.take(Seen, hand, wait=0.1).take(ButtonPressed, "call", wait=0.1)
    for each in steps:
        box.take(Seen, hand, wait=0.1)
        for _ in range(30):
            look(box, each)
    return box


def test_a_call_while_the_hand_that_plays_is_over_the_board_waits_for_the_play():
    assert called_under_a_hand().kinds == ["throw_held"]
    box = called_under_a_hand(13)
    assert box.kinds == ["throw_held", "legal", "call_accepted"]
    assert box.attempt.piece == (0, 12)


def test_a_call_under_a_hand_that_plays_nothing_is_refused_when_it_has_gone():
    box = called_under_a_hand(10)
    assert box.kinds == ["throw_held", "call_refused"]
    assert box.heard[-1].why == "the throw is to be played first"


def test_a_call_in_the_middle_of_a_play_accuses_nobody_of_half_of_it():
    assert called_under_a_hand(11).kinds == ["throw_held"]
    assert called_under_a_hand(11, 13).kinds == ["throw_held", "legal", "call_accepted"]


def test_a_call_under_the_hand_that_moves_wrongly_is_refused_once_that_was_called():
    box = called_under_a_hand(14)
    assert box.kinds == ["throw_held", "illegal", "call_refused"]
    assert box.heard[-1].why == "put the board right first"


def test_without_a_camera_no_call_waits_for_the_board():
    box = played_by_blue(1.0, 10, 10)
    box.heard.clear()
    box.take(Seen, Sighting({}, hand=True)).take(DeviceChanged, "camera", "lost").press("call")
    assert box.kinds == ["device_lost", "call_refused"]


@pytest.mark.parametrize("looks", [(10, 10), (11, 11), (12,)])
def test_a_call_before_a_throw_that_is_still_to_be_played_says_so(looks):
    box = played_by_blue(1.0, *looks)
    assert [in_full(ruling, box.referee.match.board) for ruling in box.heard] == [
        "Refused: the throw is to be played first."
    ]


def test_a_call_on_a_wrong_board_lets_it_stand_once_it_was_called():
    box = played_by_blue(1.0, 14, 14)
    for _ in range(35):
        look(box, 14)
    assert [in_full(ruling, box.referee.match.board) for ruling in box.heard] == [
        "",
        "Illegal. Blue moved 4; the dice said 2 and 1.",
        "Too late, it stands.",
        "Red calls suckback 2.",
    ]


def test_a_call_on_a_board_asked_about_is_taken_once_people_confirm_it():
    box = called_under_a_hand()
    for _ in range(30):
        look(box, 14, confidence=0.3)
    box.press("done")
    assert box.kinds == ["throw_held", "check", "trusted", "stood", "call_accepted"]
    assert box.attempt.piece == (0, 12)


def test_undo_takes_a_call_back():
    box = Box("wafu", **PREY).press("call").press("4").press("undo")
    assert (box.attempt, box.kinds[-1]) == (None, "taken_back")


def test_numbers_are_kept_in_a_recording():
    box = Box("wafu", **PREY)
    board, position = box.referee.match.board, box.referee.match.position
    for event in (ButtonPressed(1.0, "call"), ButtonPressed(2.0, "4")):
        assert event_from_json(event_to_json(event, board), board, position) == event


def test_a_blowback_sends_the_attacker_back_and_the_board_catches_up_without_a_word():
    box = Box("wafu", to_play="green", **PREY).press("call").press("2").throw(2, 5)
    assert box.kinds == ["which_call", "call_accepted", "blowback_won"]
    board = box.referee.match.board
    for red in ((0, 0, 0, 12), (0, 0, 0, 12), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)):
        seen = dict(zip(board.seats, (red, (0, 0, 53, 55), (0,) * 4, (0,) * 4), strict=True))
        box.take(Seen, Sighting(seen))
    assert box.kinds[3:] == []
    assert box.referee.match.behind is None


def test_a_challenge_that_is_forced_is_said_when_the_throw_falls():
    box = Box("submariners", "blue", red=[16, 16, 0, 0], blue=[28, 56, 57, 57]).throw(6, 5)
    assert [ruling.kind.value for ruling in box.heard] == ["must_challenge"]
    assert say(box.heard[0], box.referee.match.board) == "Blue must challenge."
    free = Box("submariners", "blue", {"challenge_forced": False}, red=[16, 16, 0, 0], blue=[28, 56, 57, 57])
    assert free.throw(6, 5).heard == []


def test_dice_dropped_on_purpose_cost_the_go_where_the_rule_set_says_so():
    box = Box("wiki", red=[12, 0, 0, 0])
    line = {"t": 1.0, "kind": "dropped", "source": "buttons", "deliberate": True}
    fault = event_from_json(line, box.referee.match.board, box.referee.match.position)
    assert event_to_json(fault, box.referee.match.board) == line
    box.take(lambda t: fault)
    assert (box.kinds, box.referee.match.to_play) == (["penalty"], 1)
    with pytest.raises(RulesError, match="'deliberate'"):
        event_from_json(line | {"kind": "cocked"}, box.referee.match.board, box.referee.match.position)


def test_a_call_made_while_nothing_can_be_seen_is_taken_when_it_can():
    box = Box("wafu", red=[12, 0, 0, 0], green=[53, 0, 0, 0])
    away = Sighting(dict.fromkeys(("red", "green", "yellow", "blue"), ()), trouble=("board_not_found",))
    for _ in range(3):
        box.take(Seen, away)
    assert box.press("call").kinds == ["cannot_see"]
    again = Sighting({"red": (0, 0, 0, 12), "green": (0, 0, 0, 53), "yellow": (0,) * 4, "blue": (0,) * 4})
    box.take(Seen, again).take(Seen, again)
    assert box.kinds == ["cannot_see", "sees_again", "call_accepted"]
