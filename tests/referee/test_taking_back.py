"""Taking back and putting back, in any match: nothing is lost, and what is said is what changes."""

import random
from dataclasses import replace

import pytest

from tests.referee.scripted import BOARD, Table, setting_of
from uckers_table.announce.taking_back import matter_in_words, question, what_stays
from uckers_table.game.events import Awaiting
from uckers_table.game.match import begin
from uckers_table.game.open_calls import open_calls
from uckers_table.referee.camera_watch import CameraWatch
from uckers_table.referee.events import (
    ButtonPressed,
    CallMade,
    Correction,
    DiceFault,
    Played,
    Resumed,
    ThrowMade,
    event_from_json,
    event_to_json,
)
from uckers_table.referee.referee import Referee
from uckers_table.referee.taking_back import ACCUSATIONS, ActKind, at_stake, throw_at_stake
from uckers_table.trial.watched import Errors, events_of_match

RED = (10, 20, 57, 57)
SOURCES = ("tower", "camera", "buttons")


def a_match(rules, seed, events=60):
    """A table without a camera after so many random events of a match."""
    dice = random.Random(seed)
    table = Table(setting=setting_of(rules), dice_from="buttons", to_play=None)
    # Nobody looks: what people tell is all that is known.
    table.referee = replace(table.referee, watch=CameraWatch())
    for _ in range(events):
        match = table.match
        if match.awaiting is Awaiting.OVER:
            break
        calls = open_calls(match)
        if calls and dice.random() < 0.5:
            table.tell(CallMade, dice.choice(calls))
        elif match.awaiting is Awaiting.PLAY and match.plays:
            table.tell(Played, dice.choice(sorted(match.plays)))
        elif dice.random() < 0.05:
            table.tell(DiceFault, "dropped", "buttons")
        elif dice.random() < 0.05 and match.awaiting is Awaiting.THROW:
            table.tell(Correction, match.position)
        else:
            values = tuple(dice.choices(range(1, 7), k=min(match.dice_wanted)))
            table.tell(ThrowMade, values, dice.choice(SOURCES))
    return table


def read_since(table, matter):
    """The throws that tower or camera read since a matter, as the acts tell them."""
    acts = [each for each in table.referee.history if each.number > matter.number]
    return [each.told for each in acts if each.kind is ActKind.THROW]


def taken_back(table):
    """What was taken back last."""
    return next(each.ruling for each in reversed(table.ruled) if each.ruling.kind == "taken_back").matter


@pytest.mark.parametrize("rules", ["br4006", "wafu", "submariners", "masters_ludo"])
@pytest.mark.parametrize("seed", range(12))
def test_undo_and_redo_leave_the_match_as_it_was(rules, seed):
    table = a_match(rules, seed, events=20 + 5 * seed)
    was, steps = table.referee, 0
    while at_stake(table.referee) is not None:
        table.press("undo")
        steps += 1
    assert table.kinds.count("taken_back") == steps > 0
    for _ in range(steps):
        assert table.press("redo").kinds[-1] == "put_back"
    now = table.referee
    assert (now.match, now.history, now.held, now.undone) == (was.match, was.history, was.held, ())
    assert table.press("redo").kinds[-1] == "call_refused"


@pytest.mark.parametrize("seed", range(12))
def test_what_is_at_stake_is_what_goes_and_what_was_read_stays(seed):
    table = a_match("wafu", seed, events=20 + 5 * seed)
    while (matter := at_stake(table.referee)) is not None:
        since, before = read_since(table, matter), len(table.referee.held)
        act = next(each for each in table.referee.history if each.number == matter.number)
        table.press("undo")
        assert taken_back(table) == matter
        stays = [told for _, told in matter.stays]
        assert [told for told in since if told not in matter.goes] == stays
        retaken = [each.told for each in table.referee.history if each.number > matter.number]
        held = table.referee.held[: len(table.referee.held) - before]
        assert [*retaken, *held] == stays
        if not retaken:
            assert table.match == act.before


def test_a_throw_that_was_read_while_something_was_taken_back_is_kept_by_redo():
    table = Table(red=RED, green=(5, 30, 0, 0))
    table.throw(5, 2).hand(red=(15, 22, 57, 57)).see(1.2).press("undo")
    table.hand(0.4).throw(6, 3)
    assert [each.dice for each in table.referee.held] == [(6, 3)]
    table.press("redo").see(1.2)
    assert (table.match.thrown, table.position("red")) == ((6, 3), [15, 22, 57, 57])


def said_of(table, which=at_stake):
    matter = which(table.referee)
    return matter_in_words(matter, table.board), what_stays(matter, table.board)


def test_each_matter_is_named_in_a_few_words():
    table = Table(red=RED, green=(5, 30, 0, 0))
    assert at_stake(table.referee) is throw_at_stake(table.referee) is None
    table.throw(5, 2)
    assert at_stake(table.referee) is None
    assert said_of(table, throw_at_stake) == ("red's 5 and 2", "")
    table.hand(red=(16, 22, 57, 57)).see(3.2)
    assert said_of(table) == ("that red's play was illegal", "")
    table.hand(red=(15, 22, 57, 57)).see(1.2)
    assert said_of(table) == ("red's play, 5 and 2", "")
    assert question(at_stake(table.referee), table.board) == "Take back: red's play, 5 and 2?"
    table.throw(6, 4)
    assert said_of(table) == ("red's play, 5 and 2", "Green keeps 6 and 4.")
    table.hand(green=(11, 34, 0, 0)).see(1.2).hand(yellow=(7, 0, 0, 0)).see(3.2)
    assert said_of(table) == ("that timber shift", "")
    table.press("trust_board")
    assert said_of(table) == ("the board as it was taken", "")


def test_dice_that_a_person_told_are_named_and_asked_about_first():
    table = Table(red=RED, dice_from="buttons").throw(6, 4, source="buttons")
    assert said_of(table) == ("red's 6 and 4", "")
    assert at_stake(table.referee).asks_first
    table.hand(red=(16, 24, 57, 57)).see(1.2)
    assert not at_stake(table.referee).asks_first


def test_the_end_of_a_match_is_asked_about_first():
    table = Table(red=RED).throw(5, 2).hand(red=(15, 22, 57, 57)).see(1.2)
    assert not at_stake(table.referee).asks_first
    table.call("upboard")
    assert table.match.awaiting is Awaiting.OVER
    assert at_stake(table.referee).asks_first
    assert said_of(table) == ("green's upboard, and the end of the match", "")


def stood_up(*dice):
    """Red needs four to win, stands up, throws and walks away: the piece stays where it is."""
    table = Table(red=(53, 57, 57, 57), yellow=(57, 57, 57, 57), green=(5, 30, 0, 0))
    return table.call("stand_up_finish").throw(*dice).see(6.0)


def test_a_finish_standing_up_wins_with_the_throw_and_accuses_nobody():
    table = stood_up(4, 1)
    assert (table.kinds, table.match.awaiting) == (["call_accepted", "won"], Awaiting.OVER)
    assert table.position("red") == [57, 57, 57, 57]
    table.hand(red=(0, 0, 0, 0)).see(6.0)
    assert table.kinds == ["call_accepted", "won"]


def test_a_finish_standing_up_is_taken_back_as_its_call_or_as_its_throw():
    table = stood_up(4, 1)
    assert said_of(table) == ("red's stand up finish, and the end of the match", "Red keeps 4 and 1.")
    assert said_of(table, throw_at_stake) == ("red's 4 and 1, and the end of the match", "")
    table.press("undo").hand(red=(57, 57, 57, 57)).see(1.2)
    assert (table.kinds[-1], table.match.awaiting) == ("won", Awaiting.OVER)
    misread = stood_up(4, 1).press("undo_throw")
    assert (misread.match.awaiting, misread.match.turn.called) == (Awaiting.THROW, "stand_up_finish")
    misread.throw(2, 1).hand(red=(56, 57, 57, 57)).see(1.2)
    assert (misread.kinds[-1], misread.match.to_play) == ("legal", 1)


def test_dice_read_by_a_camera_and_taken_back_are_dice_that_were_misread():
    for source, misread in (("camera", 1), ("tower", 0)):
        table = Table(red=RED, dice_from=source)
        table.tell(ThrowMade, (5, 2), source).press("undo_throw")
        assert (table.match.awaiting, table.referee.histories[0].reader.misread) == (Awaiting.THROW, misread)


def test_a_board_that_people_tell_leaves_what_is_known_of_the_reader():
    table = Table(red=RED).throw(5, 2).hand(red=(16, 22, 57, 57)).see(3.6)
    known = table.referee.histories[0].reader
    table.press("trust_board")
    assert (table.kinds, known.plays) == (["illegal", "trusted", "stood"], 1)
    assert table.referee.histories[0].reader == known


def test_what_was_before_a_time_in_which_nobody_watched_is_asked_about_first():
    table = Table(red=RED).throw(5, 2).hand(red=(15, 22, 57, 57)).see(1.2)
    table.tell(Resumed, "tower")
    assert at_stake(table.referee).asks_first
    assert said_of(table) == ("red's play, 5 and 2", "")


def test_only_a_withdrawn_accusation_is_a_mistake():
    table = Table(red=RED).throw(5, 2).hand(red=(16, 22, 57, 57)).see(3.6).press("undo")
    assert taken_back(table).is_accusation
    table.press("redo").hand(red=(15, 22, 57, 57)).see(1.2).press("undo")
    assert not taken_back(table).is_accusation


@pytest.mark.parametrize("name", ["undo", "undo_throw", "redo"])
def test_a_press_is_kept_in_a_recording(name):
    pressed = ButtonPressed(1.5, name)
    ground = Table().match.position
    assert event_from_json(event_to_json(pressed, BOARD), BOARD, ground) == pressed


def accusations(setting, events):
    """What is called in a match: its kind, and whose pieces moved to where."""
    referee, called = Referee(begin(setting)), []
    for event in events:
        response = referee.handle(event)
        referee = response.referee
        called += [timed.ruling for timed in response.rulings if timed.ruling.kind in ACCUSATIONS]
    return {(move.seat, move.end) for ruling in called for move in ruling.moves}, referee.match.position


def test_needless_undos_accuse_nobody_and_leave_the_match_in_step():
    setting = setting_of("couk_suckback")
    events = events_of_match(setting, Errors("uniform:2"), "undo2")[:9000]
    dice, pressed = random.Random(2), []
    for event in events:
        pressed.append(event)
        if isinstance(event, ThrowMade) and dice.random() < 0.2:
            pressed.append(ButtonPressed(event.t, "undo"))
    assert len(pressed) - len(events) > 10
    called, position = accusations(setting, events)
    assert accusations(setting, pressed) == (called, position)
    assert called


@pytest.mark.parametrize("rules", ["couk", "br4006"])
def test_cocked_dice_told_by_hand_are_taken_back_before_the_play_they_followed(rules):
    table = Table(setting=setting_of(rules), red=[0, 0, 5, 20]).throw(5, 4)
    table.hand(0.8).see(3.2, red=[0, 0, 9, 25]).fault("cocked", source="buttons")
    assert table.kinds == ["legal", "cocked"]
    assert matter_in_words(at_stake(table.referee), BOARD) == "green's cocked dice"
    table.press("undo")
    assert (table.match.position[0], table.match.awaiting) == ((0, 0, 9, 25), Awaiting.THROW)
    assert matter_in_words(at_stake(table.referee), BOARD) == "red's play, 5 and 4"


def test_a_die_that_the_tower_read_as_cocked_stays_a_fact():
    table = Table(setting=setting_of("couk"), red=[0, 0, 5, 20]).throw(5, 4)
    table.hand(0.8).see(3.2, red=[0, 0, 9, 25]).fault("cocked")
    assert matter_in_words(at_stake(table.referee), BOARD) == "red's play, 5 and 4"
