"""What people must know: it stays until somebody answers it, or until it is so no more."""

import threading
from dataclasses import replace

import pytest

from tests.patience import HANGS_S
from tests.table.test_table_faults import START, Evening, at_page
from uckers_table.announce.oled import Headline, draw, letters
from uckers_table.devices.base import Pressed, ThrowRead
from uckers_table.errors import ProfileError
from uckers_table.game.board import COLOURS
from uckers_table.game.match import begin
from uckers_table.game.setting import load_setting
from uckers_table.machine.health import Health, warnings
from uckers_table.machine.messages import Invitation, Message, Reminder
from uckers_table.machine.starts import MOST_FAILED, Starts
from uckers_table.record.library import Library
from uckers_table.referee.events import ThrowMade
from uckers_table.referee.referee import Referee
from uckers_table.table.left_out import DEVICES, between_matches, broken_off, started_without
from uckers_table.table.loop import Table
from uckers_table.table.news import Asked, Steady
from uckers_table.table.reminders import Reminders
from uckers_table.table.serving import OpenPage
from uckers_table.web.commands import Answer, Dismiss, LeaveMatch, StartMatch, TryAgain
from uckers_table.web.feed import TableState


def titles(reminders):
    return [each.title for each in reminders.waiting]


ONE, OTHER = Message("ONE", "It has happened."), Message("OTHER", "It is so.")


def test_a_warning_takes_no_message_away_nor_the_other_way_round():
    reminders = Reminders()
    reminders.warn("health", [OTHER])
    reminders.tell(ONE)
    reminders.tell(ONE)
    assert titles(reminders) == ["ONE", "OTHER"]
    reminders.warn("health", ())
    assert titles(reminders) == ["ONE"]
    reminders.warn("health", [OTHER])
    reminders.see(reminders.first.number)
    assert titles(reminders) == ["OTHER"]


def test_a_warning_that_was_seen_is_news_only_when_it_has_gone_and_comes_again():
    reminders = Reminders()
    reminders.warn("health", [OTHER])
    reminders.see(reminders.first.number)
    reminders.warn("health", [OTHER])
    assert reminders.first is None
    reminders.warn("health", ())
    reminders.warn("health", [OTHER])
    assert titles(reminders) == ["OTHER"]


def test_what_one_source_says_leaves_that_of_another_as_it_is():
    reminders = Reminders()
    reminders.warn("health", [OTHER])
    reminders.warn("camera", [ONE], offer="camera")
    reminders.warn("health", ())
    assert [(each.title, each.offer) for each in reminders.waiting] == [("ONE", "camera")]


def test_a_second_answer_to_a_message_answers_no_other():
    reminders = Reminders()
    reminders.tell(ONE)
    number = reminders.first.number
    for _ in range(2):
        reminders.see(number)
        reminders.tell(OTHER)
    assert titles(reminders) == ["OTHER"]


NO_BACKUP = Message("NO BACKUP", "/media/stick: it is read-only.")
WELL = Health(temperature_c=50.0)


@pytest.fixture
def evening(tmp_path, monkeypatch):
    return lambda *steps: Evening(tmp_path, monkeypatch, steps)


def pictured(table):
    """What the display shows from now on, in order."""
    shown = []
    table.parts.display.show = lambda picture, *, stays=False: shown.append(picture.tobytes())
    return shown


def in_order(shown, *messages):
    """Which of some messages were on the display, each for as long as no other was."""
    titles = {draw(message).tobytes(): message.title for message in messages}
    return [titles[each] for each in shown if each in titles]


@pytest.fixture
def library(evening):
    """A record with a match whose recording breaks off before its only ruling."""
    first = evening((0.5, ThrowRead((6, 4))), (1.0, START))
    first.run()
    assert first.ruled() == ["throw_off"]
    events = first.config.record / "0001/recording/events.jsonl"
    events.write_text("torn\n" + events.read_text())
    return Library(first.config.record)


def test_a_match_that_breaks_off_is_offered_until_somebody_answers(library, evening):
    seen = []
    table = evening(
        *((0.5, replace(WELL, temperature_c=40.0 + each)) for each in range(3)),
        (1.0, lambda: seen.append(table.page.feed.latest())),
        (1.5, Pressed("undo")),
        (2.0, START),
    )
    at_page(table, [])
    assert seen[0].screen[0] == "CAN'T GO ON"
    assert [(each.message, each.offer) for each in seen[0].reminders] == [(broken_off(1), "match")]
    # The press has answered, and nothing else: the match waits, and the page goes on offering it.
    last = table.page.feed.latest()
    assert (last.screen[-1], [each.offer for each in last.reminders]) == ("123456", ["match"])
    assert table.said == []
    assert [match.winner for match in library.matches()] == [None]


@pytest.mark.parametrize("answer", [Pressed("done"), TryAgain("match")])
def test_a_match_that_breaks_off_goes_on_from_its_last_ruling_if_people_want_that(library, evening, answer):
    before = library.match(1)
    asked = answer if isinstance(answer, Pressed) else Asked(answer)
    at_page(table := evening((0.5, WELL), (1.0, asked), (1.1, until_judged), (4.0, START)), [])
    assert any(said.startswith("Match resumed. ") for said in table.said)
    assert [match.winner for match in library.matches()] == [None]
    after = library.match(1)
    assert after.rulings[: len(before.rulings)] == before.rulings
    assert after.recording == "0001/recording-2"


def test_another_match_ends_the_offer_of_one_that_breaks_off(library, evening):
    table = evening((0.5, WELL), (4.0, START))
    start = StartMatch("br4006", to_play="red")
    _, answers = at_page(table, [(1.0, start)])
    assert answers == [Answer(True)]
    assert table.page.feed.latest().reminders == ()
    assert [match.number for match in library.matches()] == [1, 2]


def test_of_two_messages_neither_is_lost_and_a_warning_hides_none(evening):
    low = Health(is_under_voltage=True)
    table = evening(
        *((0.5, NO_BACKUP), (0.6, low), (0.7, replace(NO_BACKUP, sentence="It is full.")), (0.8, WELL)),
        *((0.9, low), (1.0, Pressed("done")), (1.1, Pressed("done")), (1.2, Pressed("done")), (1.5, START)),
    )
    shown = pictured(table)
    outcome, _ = at_page(table, [])
    full, warning = replace(NO_BACKUP, sentence="It is full."), warnings(low)[0]
    assert in_order(shown, NO_BACKUP, full, warning) == ["NO BACKUP", "NO BACKUP", "LOW POWER"]
    # Each press answered one of them, and began no match.
    assert outcome is None


def test_a_message_that_comes_in_a_match_is_on_the_page_until_it_is_answered_there(evening):
    throw = (0.6, ThrowRead((6, 3)))
    table = evening((0.5, NO_BACKUP), throw, (0.7, Pressed("done")), (1.0, WELL), (2.0, START))
    shown = pictured(table)
    told = []
    table.camera.steps.append((2.5, lambda: told.append(table.page.feed.latest())))
    start = StartMatch("br4006", to_play="red")
    _, answers = at_page(table, [(0.4, start), (3.0, Dismiss(1)), (3.5, LeaveMatch())])
    assert answers == [Answer(True)] * 3
    assert [each.message for each in told[0].reminders] == [NO_BACKUP]
    assert told[0].screen[0] == "RED"
    # On the display it gave way to the throw.
    assert in_order(shown, NO_BACKUP, Headline("RED", "6 and 3", "1 more throw")) == ["NO BACKUP", "RED"]
    assert table.page.feed.latest().reminders == ()


def test_once_it_is_answered_the_match_is_on_the_display_again(evening):
    table = evening((0.5, NO_BACKUP), (1.0, WELL), (2.0, START))
    shown = pictured(table)
    at_page(table, [(0.4, StartMatch("br4006", to_play="red")), (1.5, Dismiss(1))])
    assert in_order(shown, NO_BACKUP, Headline("RED", "to throw"))[-2:] == ["NO BACKUP", "RED"]


def test_what_cannot_be_recorded_is_said_while_it_is_so_and_when_the_match_is_over(evening, monkeypatch):
    why, told = [""], []
    monkeypatch.setattr("uckers_table.keeping.keeper.Keeper.trouble", property(lambda keeper: why[0]))

    def look():
        told.append([(each.title, each.sentence) for each in table.page.feed.latest().reminders])

    def card(is_full):
        why[0] = "the card is full" if is_full else ""

    steps = []
    for t, is_full in ((1.0, True), (2.0, False), (3.0, True)):
        # What is shown of one thing is out when the next is taken.
        throw = [(t + 0.2, ThrowRead((6, 3))), (t + 0.3, WELL), (t + 0.4, look)]
        steps += [(t, lambda is_full=is_full: card(is_full)), *throw]
    table = evening(*steps, (5.0, lambda: card(False)), (5.5, WELL))
    at_page(table, [(0.4, StartMatch("br4006", to_play="red")), (4.0, LeaveMatch())])
    look()
    full = ("NOT RECORDED", "Rulings are not recorded: the card is full")
    assert told == [[full], [], [full], [full]]


def test_no_message_hides_what_the_match_asks(evening, monkeypatch):
    position = tuple((0, 0, 5, 20 + 2 * seat) for seat in range(4))
    match = begin(load_setting("br4006", {}, seats=COLOURS, players=4), to_play="red", position=position)
    monkeypatch.setattr("uckers_table.table.loop.first_match", lambda config: match)
    board = replace(START, pieces=dict(zip(COLOURS, position, strict=True)))
    bare = replace(START, pieces=dict.fromkeys(COLOURS, ()))
    seen = ((t / 2, board if t < 4 else bare) for t in range(1, 11))
    table = evening(*seen, (6.0, NO_BACKUP), (6.5, bare))
    shown = pictured(table)
    at_page(table, [], begins=True)
    last = table.page.feed.latest()
    assert last.screen[0] == "UPBOARD?"
    assert [each.message for each in last.reminders] == [NO_BACKUP]
    assert in_order(shown, NO_BACKUP) == []


# ---------------------------------------------------------------------- what a start did without


def left_without(table, part):
    """The table's next start does without a part."""
    for _ in range(MOST_FAILED):
        Starts([table.config.record], [part]).begin(part)
    return Starts([table.config.record], [part])


def run_without(table, starts):
    """Run it with a page, and no match unless it goes on with one."""
    page = OpenPage(invitation=Invitation("http://table.local:8080", "123456"))
    Table(table.config, table.parts, table.inbox, table.view, page=page, begins=False, starts=starts).run()
    return page.feed.latest()


def pressed_at(evening, button):
    """What is on the page after a button was pressed at the display's word of a match that was left out."""
    first = evening((0.5, START), (1.0, START))
    first.run()
    table = evening((0.5, Pressed(button)), (1.0, START))
    table.camera.steps.insert(1, (0.6, until_judged))
    return run_without(table, left_without(table, "match"))


def until_judged():
    """Wait until the old match has been judged, if it is."""
    for thread in threading.enumerate():
        if thread.name == "taking up the match":
            thread.join(HANGS_S)


def test_a_button_tries_again_what_the_start_did_without(evening):
    last = pressed_at(evening, "done")
    assert (last.match, last.state, last.reminders) == (1, TableState.PLAYING, ())


def test_any_other_button_has_seen_it_and_the_page_goes_on_offering_it(evening):
    last = pressed_at(evening, "undo")
    assert (last.match, [each.offer for each in last.reminders]) == (None, ["match"])
    assert last.screen[-1] == "123456"


def test_a_new_match_is_the_end_of_the_offer(evening):
    first = evening((0.5, START), (1.0, START))
    first.run()
    table = evening((0.5, Asked(StartMatch("br4006"))), (1.0, START))
    last = run_without(table, left_without(table, "match"))
    assert (last.match, last.reminders) == (2, ())
    assert Library(table.config.record).unfinished() == [1, 2]


@pytest.mark.parametrize(
    ("steps", "part"),
    [
        ([(0.5, START), (1.0, ProfileError("the picture is 8 × 8"))], "camera"),
        ([(0.5, START), (1.0, ThrowRead((6, 4)))], "match"),
    ],
)
def test_an_error_that_ends_a_table_that_has_just_started_counts(evening, monkeypatch, steps, part):
    def stumble(referee, event):
        if isinstance(event, ThrowMade):
            raise ZeroDivisionError
        return handle(referee, event)

    handle = Referee.handle
    monkeypatch.setattr(Referee, "handle", stumble)
    for _ in range(MOST_FAILED):
        table = evening(*steps)
        table.config = replace(table.config, resumes=False)
        starts = Starts([table.config.record], ["camera", "match"])
        assert starts.left_out == frozenset()
        with pytest.raises((ProfileError, ZeroDivisionError)):
            Table(table.config, table.parts, table.inbox, table.view, starts=starts).run()
    assert Starts([table.config.record], ["camera", "match"]).left_out == {part}


def test_a_table_that_has_run_for_a_while_has_started_well(evening):
    table = evening((0.5, START), (1.0, Steady()), (1.5, ProfileError("the picture is 8 × 8")))
    for _ in range(MOST_FAILED - 1):
        Starts([table.config.record], ["camera"]).begin("camera")
    with pytest.raises(ProfileError):
        run_without(table, Starts([table.config.record], ["camera"]))
    Starts([table.config.record], ["camera"]).begin("camera")
    assert Starts([table.config.record], ["camera"]).left_out == frozenset()


@pytest.mark.parametrize(
    "told", [started_without(part) for part in ("match", *DEVICES, "camera")] + [broken_off(9999)]
)
def test_the_display_has_room_for_what_the_start_did_without(told):
    said = between_matches(Reminder(1, told.title, told.sentence, "camera"))
    shown = letters(said)
    assert " ".join(text for text, _ in shown[1:]) == said.sentence
    assert shown[0][0] == said.title
