"""The verdict on a look: what is ruled, what is asked, and what waits. The stories are made by hand."""

from dataclasses import replace

from tests.referee.scripted import BOARD, match_of, sighting_of
from uckers_table.game import playing
from uckers_table.game.position import position_from
from uckers_table.game.ruling import Kind, Move, Ruling
from uckers_table.referee import prices
from uckers_table.referee.camera_watch import CameraWatch
from uckers_table.referee.histories import History, HonestBoard
from uckers_table.referee.looks import NOWHERE, Mismatch, ReadBoard
from uckers_table.referee.stories import Story
from uckers_table.referee.verdict import NOT_YET, Balance, Judgement, judged_look

RED, GREEN, YELLOW, BLUE = range(4)
MATCH = playing.throw(match_of(red=[10, 20, 57, 57]), (5, 2)).match
ROOT = History(MATCH, MATCH.position)
EVERY_S = 0.1
MOMENT_S = 0.05
LATE_S = 100.0
CLEARLY = prices.ACCUSE + 1.0
"""So much dearer is the honest story that somebody is to be accused."""
A_LITTLE = (prices.ASK + prices.ACCUSE) / 2
"""So much dearer is it that people are to be asked."""
NOT_AT_ALL = prices.ASK - 1.0
"""So much dearer (less than nothing) is it that nobody is to be asked."""


def board_of(*red):
    return position_from(BOARD, {"red": list(red)})


LEGAL, OTHER, WRONG = board_of(15, 22, 57, 57), board_of(17, 20, 57, 57), board_of(16, 22, 57, 57)
TOO_FAR = Mismatch(RED, 15, 16)


def played(nats=0.0, board=LEGAL, root=ROOT):
    """A story in which a legal play was made."""
    return Story(root, HonestBoard("play", board, 0.0, MATCH, board), board, nats)


def unmoved(nats=0.0, root=ROOT):
    """A story in which nothing was moved."""
    return Story(root, HonestBoard("none", root.board), root.board, nats)


def cheated(nats=0.0, board=WRONG, blame=TOO_FAR):
    """A story in which somebody moved a piece as no rule allows."""
    return Story(ROOT, HonestBoard("play", LEGAL, 0.0, MATCH, LEGAL), board, nats, (blame,), charge=nats)


def half(nats=0.0):
    """A story in which one die was played, and the other will not be."""
    board = board_of(15, 20, 57, 57)
    return Story(ROOT, HonestBoard("half", board, 0.0, MATCH), board, nats, is_left=True)


def seen(seconds, *, touched=True, times=None):
    """A board that has been seen for so long, and the time now."""
    watch, reading = CameraWatch(touched=touched), ReadBoard.of(BOARD, sighting_of({"red": WRONG[RED]}))
    times = max(2, round(seconds / EVERY_S)) if times is None else times
    for n in range(times):
        watch = watch.sees(n * seconds / times, reading)
    return watch, seconds


def judged(*found, after, asked=(), at_once=False, touched=True, times=None):
    """What is done upon stories once the board has been still for so many seconds."""
    watch, t = seen(after, touched=touched, times=times)
    likeliest_first = sorted(found, key=lambda each: each.nats)
    return judged_look(likeliest_first, watch, asked, t, at_once=at_once)


# ---- the balance


def test_the_balance_is_between_the_likeliest_of_each_kind():
    stories = [unmoved(0.0), cheated(1.0), played(2.0), half(3.0)]
    assert Balance.of(stories) == Balance(stories[0], stories[1])
    assert Balance.of(stories).odds == -1.0


def test_the_odds_are_how_much_dearer_innocence_is():
    assert Balance(played(7.0), cheated(2.0)).odds == 5.0


def test_where_nobody_can_be_innocent_nothing_is_dearer_than_innocence():
    assert Balance.of([cheated(2.0)]).odds > prices.ACCUSE
    assert Balance.of([played(2.0)]).odds < prices.ASK


def test_where_there_are_no_stories_nothing_is_to_be_asked():
    assert not Balance.of([]).is_in_doubt
    assert Balance.of([]).odds == 0.0


def test_between_asking_and_accusing_people_are_in_doubt():
    assert Balance(played(A_LITTLE), cheated()).is_in_doubt
    assert not Balance(played(CLEARLY), cheated()).is_in_doubt
    assert not Balance(played(NOT_AT_ALL + 9), cheated(9.0)).is_in_doubt


def test_a_wrong_of_before_the_last_throw_is_asked_about_where_its_piece_is():
    wrong = Ruling(Kind.ILLEGAL, RED, ROOT.board, moves=(Move(RED, 10, 13),))
    old = played(root=replace(ROOT, unsaid=(wrong,)))
    balance = Balance(played(A_LITTLE), old)
    assert balance.is_in_doubt
    assert not balance.is_of_now
    assert balance.question()[0].places == (BOARD.place(RED, 15),)


def test_nobody_is_asked_about_a_wrong_of_before_the_last_throw_that_is_put_right():
    wrong = Ruling(Kind.ILLEGAL, RED, ROOT.board, moves=(Move(RED, 10, 13),))
    old = unmoved(root=replace(ROOT, unsaid=(wrong,)))
    assert old.is_guilty
    assert not Balance(unmoved(A_LITTLE), old).is_in_doubt


def test_half_a_play_that_is_left_so_is_something_to_ask_about():
    assert Balance(played(A_LITTLE), half()).is_in_doubt


def test_a_question_names_where_the_piece_now_stands_and_the_honest_board_first():
    question, boards = Balance(played(1.0), cheated()).question()
    assert question.places == (BOARD.place(RED, 16),)
    assert boards == (LEGAL, WRONG)


def test_a_question_about_a_piece_that_is_gone_names_where_it_stood():
    gone = cheated(board=board_of(0, 22, 57, 57), blame=Mismatch(RED, 15, NOWHERE))
    question, _ = Balance(played(1.0), gone).question()
    assert question.places == (BOARD.place(RED, 15),)


def test_a_question_about_half_a_play_names_the_piece_that_was_moved():
    question, boards = Balance(played(1.0), half()).question()
    assert question.places == (BOARD.place(RED, 15),)
    assert boards == (LEGAL, board_of(15, 20, 57, 57))


# ---- nothing to say


def test_while_nothing_is_seen_nothing_is_judged():
    hidden = CameraWatch().hand(1.0)
    assert judged_look([cheated()], hidden, (), LATE_S, at_once=True) == NOT_YET


def test_where_nothing_was_moved_nothing_is_ruled():
    judgement = judged(unmoved(), after=prices.SETTLED_S)
    assert judgement == Judgement(is_settled=True)


def test_where_the_record_was_another_history_an_unmoved_board_is_ruled_on():
    story = unmoved(root=replace(ROOT, forked=True))
    assert judged(story, after=prices.SETTLED_S).rules == story


def test_where_something_is_still_unsaid_an_unmoved_board_is_ruled_on():
    story = unmoved(root=replace(ROOT, unsaid=(Ruling(Kind.PASS, RED, ROOT.board),)))
    assert judged(story, after=prices.SETTLED_S).rules == story


# ---- a plain play


def test_a_plain_play_is_ruled_as_soon_as_the_board_is_still():
    assert judged(played(), after=prices.LEGAL_S + MOMENT_S) == Judgement(rules=played())


def test_no_play_is_ruled_before_the_board_is_still():
    assert judged(played(), after=prices.LEGAL_S - MOMENT_S) == NOT_YET
    assert judged(played(), after=prices.LEGAL_S - MOMENT_S, at_once=True) == NOT_YET


def test_no_play_is_ruled_upon_a_single_sighting():
    assert judged(played(), after=prices.SETTLED_S, times=1) == NOT_YET


def test_a_play_that_leads_by_enough_is_plain():
    rival = played(prices.SURE, OTHER)
    assert judged(played(), rival, after=prices.LEGAL_S + MOMENT_S).rules == played()


def test_a_play_in_doubt_waits_until_errors_mostly_end():
    rival = played(prices.SURE / 2, OTHER)
    assert judged(played(), rival, after=prices.LEGAL_S + MOMENT_S) == NOT_YET
    assert judged(played(), rival, after=prices.SETTLED_S - MOMENT_S) == NOT_YET
    assert judged(played(), rival, after=prices.SETTLED_S + MOMENT_S).rules == played()


def test_a_play_in_doubt_is_ruled_when_somebody_wants_to_know():
    rival = played(prices.SURE / 2, OTHER)
    assert judged(played(), rival, after=prices.LEGAL_S + MOMENT_S, at_once=True).rules == played()


def test_an_unlikely_cheat_keeps_no_play_waiting():
    found = played(), cheated(max(prices.SURE, -prices.ASK) + 1.0)
    assert judged(*found, after=prices.LEGAL_S + MOMENT_S).rules == played()


def test_a_history_with_an_older_wrong_that_shows_the_same_play_is_no_rival():
    guilty_root = replace(ROOT, unsaid=(Ruling(Kind.ILLEGAL, RED, ROOT.board),))
    same = played(prices.SURE / 2 + max(0.0, -prices.ASK), root=guilty_root)
    assert judged(played(), same, after=prices.LEGAL_S + MOMENT_S).rules == played()


# ---- an accusation


def test_who_is_plainly_guilty_is_accused_when_that_is_due_and_not_before():
    found = cheated(), played(CLEARLY)
    assert judged(*found, after=prices.ACCUSE_S - MOMENT_S) == NOT_YET
    assert judged(*found, after=prices.ACCUSE_S + MOMENT_S) == Judgement(rules=cheated())


def test_wanting_to_know_brings_no_accusation_before_it_is_due():
    found = cheated(), played(CLEARLY)
    assert judged(*found, after=prices.ACCUSE_S - MOMENT_S, at_once=True) == NOT_YET


def test_while_somebody_is_plainly_guilty_no_play_is_ruled():
    assert judged(cheated(), played(CLEARLY), after=prices.SETTLED_S + MOMENT_S, times=2) == NOT_YET


def test_too_few_sightings_accuse_nobody():
    found = cheated(), played(CLEARLY)
    assert judged(*found, after=LATE_S, times=prices.FIRM_TIMES - 1) == NOT_YET
    assert judged(*found, after=LATE_S, times=prices.FIRM_TIMES).rules == cheated()


def changing(*, touched, changed_at, now):
    """A look whose reading has changed once with no hand near, and the time now."""
    watch = CameraWatch(touched=touched)
    other, last = (ReadBoard.of(BOARD, sighting_of({"red": board[RED]})) for board in (OTHER, WRONG))
    for n in range(round(now / EVERY_S) + 1):
        t = n * EVERY_S
        watch = watch.sees(t, other if t < changed_at else last)
    return watch


def test_a_board_that_was_read_otherwise_just_now_accuses_nobody():
    found = [cheated(), played(CLEARLY)]
    now = prices.ACCUSE_S + 1.0
    fresh = changing(touched=True, changed_at=now - prices.FIRM_S / 2, now=now)
    firm = changing(touched=True, changed_at=now - prices.FIRM_S - 2 * EVERY_S, now=now)
    assert judged_look(found, fresh, (), now) == NOT_YET
    assert judged_look(found, firm, (), now).rules == cheated()


def test_after_a_hand_the_wait_counts_from_the_hand_and_else_from_the_change():
    found = [cheated(), played(CLEARLY)]
    changed_at = 10.0
    now = changed_at + (prices.FIRM_S + prices.ACCUSE_S) / 2
    assert judged_look(found, changing(touched=True, changed_at=changed_at, now=now), (), now).rules
    untouched = changing(touched=False, changed_at=changed_at, now=now)
    assert judged_look(found, untouched, (), now) == NOT_YET


def test_what_people_were_asked_about_is_never_called_by_time_alone():
    found = cheated(), played(CLEARLY)
    assert judged(*found, after=LATE_S, asked=(LEGAL, WRONG)) == NOT_YET
    assert judged(*found, after=LATE_S, asked=(LEGAL, OTHER)).rules == cheated()


def test_half_a_play_is_called_at_once_when_the_player_says_that_he_is_done():
    found = half(), played(prices.AT_ONCE)
    assert judged(*found, after=MOMENT_S, at_once=True) == Judgement(rules=half())
    assert judged(*found, after=MOMENT_S) == NOT_YET


def test_half_a_play_that_may_be_a_whole_one_is_not_called_at_once():
    found = half(), played(prices.AT_ONCE - 0.5)
    assert judged(*found, after=MOMENT_S, at_once=True).rules is None


# ---- a question


def test_in_doubt_people_are_asked_when_that_is_due_and_not_before():
    found = cheated(), played(A_LITTLE)
    assert judged(*found, after=prices.ASK_S - MOMENT_S) == NOT_YET
    assert judged(*found, after=prices.ASK_S + MOMENT_S) == Judgement(asks=Balance(found[1], found[0]))


def test_in_doubt_no_play_is_ruled_even_when_somebody_wants_to_know():
    found = cheated(), played(A_LITTLE)
    assert judged(*found, after=prices.SETTLED_S + MOMENT_S, at_once=True) == NOT_YET


def test_where_innocence_is_likely_enough_people_are_not_asked():
    found = played(), cheated(-NOT_AT_ALL)
    assert judged(*found, after=prices.ASK_S + MOMENT_S) == Judgement(rules=played())
