"""Stories: where the pieces may stand, weighed against what the camera shows of small boards.

What a story costs is not tested here. Which story is likelier is.
"""

from dataclasses import replace
from math import exp

import pytest

from tests.referee.scripted import BOARD, match_of, may_be, near_line, sighting_of
from uckers_table.game import playing
from uckers_table.game.events import Awaiting
from uckers_table.game.position import position_from
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee import prices
from uckers_table.referee.events import ThrowMade
from uckers_table.referee.histories import History, taking
from uckers_table.referee.looks import NOWHERE, LongLook, Mismatch, ReadBoard
from uckers_table.referee.rulings import StoryPart
from uckers_table.referee.stories import Circumstances, stories
from uckers_table.sighting import LEAST_COST, Alternative

RED, GREEN, YELLOW, BLUE = range(4)
IN_BASE = dict.fromkeys(BOARD.seats, (0, 0, 0, 0))
TWO_OUT = (10, 20, 57, 57)
LEGAL, WRONG = (15, 22, 57, 57), (16, 22, 57, 57)
"""With 5 and 2 on 10 and 20, the first is a play. In the second a piece went 6."""
EVERY_S, SEEN_S = 0.1, 5.0


def board_of(**pieces):
    return position_from(BOARD, pieces)


def between_throws(**pieces):
    match = match_of(**pieces)
    return History(match, match.position)


def in_hand(*dice, **pieces):
    match = match_of(**pieces)
    return History(playing.throw(match, dice).match, match.position, thrown_from=match)


def look_at(*boards, alternatives=()):
    """A look that shows each board for SEEN_S. Colours left out are in base."""
    look = None
    for pieces in boards:
        reading = ReadBoard.of(BOARD, sighting_of(IN_BASE | pieces, alternatives=tuple(alternatives)))
        for _ in range(round(SEEN_S / EVERY_S)):
            t = 0.0 if look is None else look.last.until + EVERY_S
            look = LongLook.first(t, reading) if look is None else look.then(t, reading)
    return look


def told_of(*roots, seen, alternatives=(), touched=True, **circumstances):
    """The stories of histories, after a look."""
    look = seen if isinstance(seen, LongLook) else look_at(seen, alternatives=alternatives)
    return stories(roots, look, look.last.until, Circumstances(touched, **circumstances))


def innocent(found):
    return next((each for each in found if not each.is_guilty), None)


def guilty(found):
    return next((each for each in found if each.is_guilty), None)


def lost_ones(found):
    return [each for each in found if each.way.kind == "lost"]


# ---- honest people


@pytest.mark.parametrize("red", [(15, 22, 57, 57), (12, 25, 57, 57), (17, 20, 57, 57), (10, 27, 57, 57)])
def test_an_honest_play_that_is_seen_leads(red):
    first = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": red})[0]
    assert (first.way.kind, first.board, first.blames) == ("play", board_of(red=red), False)


def test_a_board_that_nobody_touched_stands_as_it_stood():
    first = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": TWO_OUT}, touched=False)[0]
    assert (first.way.kind, first.board, first.is_new) == ("none", board_of(red=TWO_OUT), False)


def test_half_a_play_is_innocent_while_people_play():
    first = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": (15, 20, 57, 57)})[0]
    assert (first.way.kind, first.is_guilty) == ("half", False)


def test_half_a_play_is_a_wrong_once_nobody_plays_any_more():
    first = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": (15, 20, 57, 57)}, is_over=True)[0]
    assert first.is_left
    assert first.is_guilty


def test_a_piece_that_was_knocked_off_and_is_in_base_is_honest():
    """Red 15 is the square of green 2."""
    root = in_hand(5, 2, red=TWO_OUT, green=(2, 0, 0, 0))
    first = told_of(root, seen={"red": LEGAL})[0]
    assert (first.board, first.is_guilty) == (board_of(red=LEGAL), False)


def test_a_play_made_with_no_hand_near_is_dearer_than_after_a_hand():
    root = in_hand(5, 2, red=TWO_OUT)
    after_a_hand, out_of_nowhere = (told_of(root, seen={"red": LEGAL}, touched=t)[0] for t in (True, False))
    assert after_a_hand.board == out_of_nowhere.board == board_of(red=LEGAL)
    assert after_a_hand.nats < out_of_nowhere.nats


def test_a_play_made_while_the_camera_looked_on_still_leads():
    seen = look_at({"red": TWO_OUT}, {"red": LEGAL})
    first = told_of(in_hand(5, 2, red=TWO_OUT), seen=seen)[0]
    assert (first.board, first.is_guilty) == (board_of(red=LEGAL), False)


def test_the_likelier_history_has_the_likelier_story():
    """In one history red is to play 5 and 2, in the other 6 and 2."""
    dearer, likely = replace(in_hand(5, 2, red=TWO_OUT), nats=2.0), in_hand(6, 2, red=TWO_OUT)
    assert told_of(likely, dearer, seen={"red": WRONG})[0].root is likely
    assert told_of(likely, dearer, seen={"red": LEGAL})[0].root is dearer


# ---- who did wrong


def test_a_piece_moved_too_far_is_somebodys_doing_and_is_named():
    found = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": WRONG})
    assert found[0].is_guilty
    assert found[0].board == board_of(red=WRONG)
    assert found[0].blame == (Mismatch(RED, 15, 16),)


def test_a_piece_moved_when_no_play_was_due_is_named():
    found = told_of(
        between_throws(red=TWO_OUT, yellow=(8, 9, 0, 0)), seen={"red": TWO_OUT, "yellow": (8, 12, 0, 0)}
    )
    assert found[0].blame == (Mismatch(YELLOW, 9, 12),)


def test_a_piece_that_was_knocked_off_and_still_stands_is_named():
    root = in_hand(5, 2, red=TWO_OUT, green=(2, 0, 0, 0))
    found = told_of(root, seen={"red": LEGAL, "green": (2, 0, 0, 0)})
    assert found[0].blame == (Mismatch(GREEN, 0, 2),)
    assert found[0].board == board_of(red=LEGAL, green=(2, 0, 0, 0))


def test_two_pieces_moved_wrong_are_both_named():
    root = between_throws(red=TWO_OUT, yellow=(8, 20, 0, 0))
    found = told_of(root, seen={"red": TWO_OUT, "yellow": (12, 26, 0, 0)})
    assert set(found[0].blame) == {Mismatch(YELLOW, 8, 12), Mismatch(YELLOW, 20, 26)}


def test_whoever_cheats_twice_is_likelier_than_two_cheats():
    root = between_throws(red=TWO_OUT, yellow=(8, 20, 0, 0))
    once = told_of(root, seen={"red": TWO_OUT, "yellow": (12, 20, 0, 0)})[0]
    twice = told_of(root, seen={"red": TWO_OUT, "yellow": (12, 26, 0, 0)})[0]
    assert once.nats < twice.nats < 2 * once.nats


def test_no_story_blames_anybody_for_an_honest_board():
    for red in (LEGAL, TWO_OUT, (15, 20, 57, 57)):
        found = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": red})
        assert all(each.board != board_of(red=red) for each in found if each.blame)


def test_what_the_charge_is_comes_on_top_of_an_honest_board():
    accused = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": WRONG})[0]
    honest = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": LEGAL})[0]
    assert accused.charge > 0
    assert accused.nats - accused.charge == pytest.approx(honest.nats)


def test_a_play_counted_one_off_is_likelier_than_a_piece_moved():
    """5 and 2 are played by two pieces, or both by one. Each may be counted one too far or too short."""
    seen = (WRONG, (18, 20, 57, 57), (15, 25, 57, 57))
    told = [told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": red}) for red in seen]
    by_two, by_one, moved = (next(each for each in found if each.blame).charge for found in told)
    assert by_one < by_two < moved
    assert exp(by_two - by_one) == pytest.approx(2.0)


# ---- what the reader did wrong


def test_a_misreading_that_the_reader_offers_itself_is_innocent():
    offered = near_line("red", 16, 15, LEAST_COST)
    found = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": WRONG}, alternatives=offered)
    assert (found[0].board, found[0].is_guilty) == (board_of(red=LEGAL), False)
    assert guilty(found).blame == (Mismatch(RED, 15, 16),)


def test_the_better_a_misreading_fits_the_picture_the_likelier_is_innocence():
    root = in_hand(5, 2, red=TWO_OUT)

    def doubt(*offered):
        found = told_of(root, seen={"red": WRONG}, alternatives=offered)
        return innocent(found).nats - guilty(found).nats

    well, badly = near_line("red", 16, 15, LEAST_COST), near_line("red", 16, 15, 4.0)
    assert doubt(*well) < doubt(*badly) < doubt()


def test_a_piece_near_a_line_may_be_counted_on_its_other_side():
    offered = near_line("red", 22, 23, LEAST_COST)
    across = [
        each
        for each in told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": LEGAL}, alternatives=offered)
        if each.way.kind == "across" and each.way.shown == board_of(red=LEGAL)
    ]
    assert [each.board for each in across] == [board_of(red=(15, 23, 57, 57))]
    grown = across[0].as_history(None)
    assert not grown.is_guilty and [ruling.kind for ruling in grown.unsaid] == [Kind.LEGAL]
    assert grown.match.position == grown.board == across[0].board


def test_that_another_place_may_hold_a_piece_excuses_nobody():
    elsewhere = may_be("red 30", {"red": 1}, LEAST_COST)
    root = in_hand(5, 2, red=TWO_OUT)
    found = told_of(root, seen={"red": WRONG}, alternatives=[elsewhere])
    assert found[0].blame == (Mismatch(RED, 15, 16),)


def test_a_piece_that_was_misread_already_costs_nothing():
    """Yellow's on 9 was not seen when the last throw was made."""
    known = frozenset({Mismatch(YELLOW, 9, NOWHERE)})
    root = replace(between_throws(red=TWO_OUT, yellow=(8, 9, 0, 0)), known=known)
    first = told_of(root, seen={"red": TWO_OUT, "yellow": (8, 0, 0)})[0]
    assert first.board == root.board
    assert not first.is_guilty
    assert first.nats == root.nats


def test_a_piece_that_is_misread_only_now_costs_something():
    root = between_throws(red=TWO_OUT, yellow=(8, 9, 0, 0))
    found = told_of(root, seen={"red": TWO_OUT, "yellow": (8, 0, 0)})
    assert innocent(found).nats > root.nats


def test_a_piece_that_was_misread_already_is_nobodys_doing_beside_a_cheat():
    known = frozenset({Mismatch(YELLOW, 9, NOWHERE)})
    root = replace(in_hand(5, 2, red=TWO_OUT, yellow=(8, 9, 0, 0)), known=known)
    found = told_of(root, seen={"red": WRONG, "yellow": (8, 0, 0)})
    assert found[0].blame == (Mismatch(RED, 15, 16),)
    assert found[0].board == board_of(red=WRONG, yellow=(8, 9, 0, 0))
    assert all(blamed.seat == RED for each in found for blamed in each.blame)


def test_other_dice_explain_a_board_that_nothing_else_does():
    """The board is right by 6 and 2."""
    root = in_hand(5, 2, red=TWO_OUT)
    other = {(6, 2): 0.5, (5, 3): 0.5}
    first = told_of(root, seen={"red": WRONG}, other_dice=other)[0]
    assert (first.is_guilty, first.board) == (False, board_of(red=WRONG))
    assert first.way.match.thrown == (6, 2)


def test_other_dice_are_no_story_of_a_board_that_fits_the_dice_as_told():
    found = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": LEGAL}, other_dice={(6, 2): 0.5})
    assert {each.way.match.thrown for each in found if each.way.match} == {(5, 2)}


# ---- nobody knows how it came to this


def test_where_an_honest_play_fits_nothing_is_lost():
    assert lost_ones(told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": LEGAL})) == []


def test_where_nothing_fits_the_record_may_be_lost_and_any_side_may_be_to_throw():
    pieces = {"red": TWO_OUT, "yellow": (8, 12, 0, 0)}
    lost = lost_ones(told_of(between_throws(red=TWO_OUT, yellow=(8, 9, 0, 0)), seen=pieces))
    assert {each.way.match.to_play for each in lost} == {RED, GREEN, YELLOW, BLUE}
    for each in lost:
        assert not each.is_guilty
        assert each.board == each.way.match.position == board_of(**pieces)
        assert each.way.match.awaiting is Awaiting.THROW


def test_where_nothing_fits_dice_in_hand_may_still_be_played_on_the_board_as_it_is():
    lost = lost_ones(told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": WRONG}))
    (still,) = (each.way.match for each in lost if each.way.match.awaiting is Awaiting.PLAY)
    assert (still.to_play, still.thrown, still.position) == (RED, (5, 2), board_of(red=WRONG))


def test_that_the_record_is_lost_is_less_likely_than_a_plain_cheat():
    found = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": WRONG})
    assert found[0].blame
    assert all(each.nats > found[0].nats for each in lost_ones(found))


def test_the_more_was_assumed_of_late_the_likelier_the_record_is_lost():
    plain = in_hand(5, 2, red=TWO_OUT)
    strained = replace(plain, strain=prices.LOST - prices.LEAST_LOST)
    sure, unsure = (lost_ones(told_of(root, seen={"red": WRONG}))[0].nats for root in (plain, strained))
    assert unsure < sure


def test_where_nobody_watched_people_may_have_played_on():
    root = between_throws(red=TWO_OUT, yellow=(8, 9, 0, 0))
    found = told_of(root, seen={"red": (12, 20, 57, 57), "yellow": (8, 9, 0, 0)}, unwatched=0.5)
    assert found[0].way.kind == "lost"
    assert not found[0].is_guilty


def test_pieces_swept_off_the_board_accuse_nobody_of_all_of_it():
    root = between_throws(red=(10, 20, 30, 40), yellow=(8, 9, 15, 16))
    for each in told_of(root, seen={"red": (0, 0, 0), "yellow": ()}):
        assert sum(blamed.end == NOWHERE for blamed in each.blame) == 0


# ---- which stories are kept


def test_stories_come_likeliest_first_and_none_is_far_dearer_than_the_first():
    found = told_of(in_hand(5, 2, red=TWO_OUT), seen={"red": WRONG})
    prices_of = [each.nats for each in found]
    assert prices_of == sorted(prices_of)
    assert prices_of[-1] <= prices_of[0] + prices.KEEP


# ---- what history a story comes to


def test_an_honest_play_comes_to_a_history_in_which_the_next_side_throws():
    root, seen = in_hand(5, 2, red=TWO_OUT), look_at({"red": LEGAL})
    after = told_of(root, seen=seen)[0].as_history(seen)
    assert after.board == after.match.position == board_of(red=LEGAL)
    assert (after.match.awaiting, after.match.to_play) == (Awaiting.THROW, GREEN)
    assert [ruling.kind for ruling in after.unsaid] == [Kind.LEGAL]
    assert after.before == root.match
    assert after.known == frozenset()
    assert [(part.what, part.pieces) for part in after.because] == [
        (StoryPart.PLAYED, (Mismatch(RED, 10, 15), Mismatch(RED, 20, 22)))
    ]


def test_half_a_play_comes_to_a_history_in_which_the_rest_is_still_to_come():
    root, seen = in_hand(5, 2, red=TWO_OUT), look_at({"red": (15, 20, 57, 57)})
    after = told_of(root, seen=seen)[0].as_history(seen)
    assert after.match == root.match
    assert after.unsaid == ()
    assert after.board == board_of(red=(15, 20, 57, 57))


def test_a_wrong_comes_to_a_history_with_an_accusation_to_be_said():
    seen = look_at({"red": WRONG})
    after = told_of(in_hand(5, 2, red=TWO_OUT), seen=seen)[0].as_history(seen)
    assert after.is_guilty
    assert [(ruling.kind, ruling.seat) for ruling in after.unsaid] == [(Kind.ILLEGAL, RED)]
    assert after.match.wrong_board == after.board == board_of(red=WRONG)
    assert (after.match.awaiting, after.match.to_play) == (Awaiting.PLAY, RED)
    assert after.before is None
    assert [(part.what, part.pieces) for part in after.because] == [
        (StoryPart.PLAYED, (Mismatch(RED, 20, 22),)),
        (StoryPart.DONE, (Mismatch(RED, 10, 16),)),
    ]


def test_half_a_play_that_is_left_so_comes_to_an_accusation():
    seen = look_at({"red": (15, 20, 57, 57)})
    after = told_of(in_hand(5, 2, red=TWO_OUT), seen=seen, is_over=True)[0].as_history(seen)
    assert [ruling.kind for ruling in after.unsaid] == [Kind.ILLEGAL]


def test_a_wrong_that_people_agree_to_loses_its_blame_and_stands():
    seen = look_at({"red": WRONG})
    after = told_of(in_hand(5, 2, red=TWO_OUT), seen=seen)[0].as_history(seen, agreed=True)
    assert not after.is_guilty
    assert all(ruling.unspoken for ruling in after.unsaid)
    assert not {Kind.ILLEGAL, Kind.TIMBER_SHIFT} & {ruling.kind for ruling in after.unsaid}
    assert after.match.position == after.board == board_of(red=WRONG)
    assert after.match.wrong_board is None
    assert (after.match.awaiting, after.match.to_play) == (Awaiting.THROW, GREEN)


def test_a_shift_that_people_agree_to_leaves_the_same_side_to_throw():
    seen = look_at({"red": TWO_OUT, "yellow": (8, 12, 0, 0)})
    found = told_of(between_throws(red=TWO_OUT, yellow=(8, 9, 0, 0)), seen=seen)
    after = found[0].as_history(seen, agreed=True)
    assert not after.is_guilty
    assert after.match.position == board_of(red=TWO_OUT, yellow=(8, 12, 0, 0))
    assert (after.match.awaiting, after.match.to_play) == (Awaiting.THROW, RED)


def test_what_people_agree_to_ends_older_accusations_too():
    older = tuple(Ruling(kind, YELLOW, board_of(red=TWO_OUT)) for kind in (Kind.TIMBER_SHIFT, Kind.STOOD))
    root, seen = replace(in_hand(5, 2, red=TWO_OUT), unsaid=older), look_at({"red": LEGAL})
    story = told_of(root, seen=seen)[0]
    assert story.as_history(seen).is_guilty
    agreed = story.as_history(seen, agreed=True)
    assert not agreed.is_guilty
    assert [ruling.kind for ruling in agreed.unsaid] == [Kind.STOOD, Kind.LEGAL]
    assert [ruling.unspoken for ruling in agreed.unsaid] == [True, False]


def test_what_is_misread_of_the_board_is_known_from_then_on():
    seen = look_at({"red": WRONG}, alternatives=near_line("red", 16, 15, LEAST_COST))
    after = told_of(in_hand(5, 2, red=TWO_OUT), seen=seen)[0].as_history(seen)
    assert after.board == board_of(red=LEGAL)
    assert after.known == {Mismatch(RED, 15, 16)}
    assert after.strain > 0


def test_without_a_look_what_is_known_to_be_misread_stays():
    known = frozenset({Mismatch(YELLOW, 9, NOWHERE)})
    root = replace(in_hand(5, 2, red=TWO_OUT, yellow=(8, 9, 0, 0)), known=known)
    seen = look_at({"red": LEGAL, "yellow": (8, 0, 0)})
    assert told_of(root, seen=seen)[0].as_history(None).known == known


def test_what_had_to_be_assumed_counts_less_after_a_play_that_needs_no_assumption():
    root, seen = replace(in_hand(5, 2, red=TWO_OUT), strain=4.0), look_at({"red": LEGAL})
    after = told_of(root, seen=seen)[0].as_history(seen)
    assert 0 < after.strain < 4.0


def aged(mismatch, *, told=()):
    """What it costs that a mismatch outlasts a throw of nothing else."""
    root = replace(between_throws(red=TWO_OUT, yellow=(8, 9, 0, 0)), known=frozenset({mismatch}))
    seen = {"red": TWO_OUT, "yellow": tuple(s for s in (8, 9, 0, 0) if s != mismatch.start)}
    if mismatch.end != NOWHERE:
        seen["yellow"] = (*seen["yellow"], mismatch.end)
    reading = ReadBoard.of(BOARD, sighting_of(seen, alternatives=told))
    first = stories([root], LongLook.first(0.0, reading), 1.0, Circumstances(touched=False))[0]
    assert first.board == root.board
    return first.as_history(LongLook.first(0.0, reading)).nats


def test_an_error_costs_more_with_each_throw_unless_the_truth_is_told():
    unseen, elsewhere = Mismatch(YELLOW, 9, NOWHERE), Mismatch(YELLOW, 9, 12)
    assert 0.0 < aged(unseen) < aged(elsewhere)
    told = Alternative(BOARD.place(YELLOW, 9), {"yellow": 1}, 1.0)
    assert aged(elsewhere, told=(told,)) == 0.0


def test_pieces_that_slid_with_no_hand_near_may_have_been_kicked():
    root, slid = between_throws(red=TWO_OUT), {"red": (11, 18, 57, 57)}
    kicked = [each for each in told_of(root, seen=slid, touched=False) if each.way.kind == "kicked"]
    assert kicked[0].board == board_of(**slid)
    assert not kicked[0].is_guilty
    assert not [each for each in told_of(root, seen=slid) if each.way.kind == "kicked"]


def test_a_kick_is_thought_of_where_half_a_play_taken_back_is_the_same():
    """With 3 and 1 red's 10 and 20 went to 13 and 21. Then they lie on 12 and 20, and nobody was there."""
    match = playing.throw(match_of(red=TWO_OUT), (3, 1)).match
    played = playing.see(match, board_of(red=(13, 21, 57, 57))).match
    root = History(played, played.position, before=match)
    found = told_of(root, seen={"red": (12, 20, 57, 57)}, touched=False)
    kicked = [each.board for each in found if each.way.kind == "kicked"]
    assert board_of(red=(12, 20, 57, 57)) in kicked


def over_by(*dice, **pieces):
    """A history in which red has played 5 and 2 as LEGAL, and green has thrown these."""
    match = playing.throw(match_of(red=TWO_OUT, **pieces), (5, 2)).match
    played = playing.see(match, board_of(red=LEGAL, **pieces)).match
    (after,) = taking(History(played, played.position, before=match), ThrowMade(0.0, dice))
    return after


def test_a_play_changed_after_the_next_throw_is_one_thing_done_wrong():
    """Both red pieces stand otherwise, as the other play of 5 and 2 has them."""
    root = over_by(4, 3, green=(5, 0, 0, 0))
    (guilty, *_) = told_of(root, seen={"red": (12, 25, 57, 57), "green": (5, 0, 0, 0)})
    assert len(guilty.blame) == 2
    assert guilty.charge == prices.PERSON["swapped"]
    (other, *_) = told_of(root, seen={"red": (11, 25, 57, 57), "green": (5, 0, 0, 0)})
    assert other.charge > prices.PERSON["swapped"]


def test_a_play_made_on_the_next_throw_is_over_for_good():
    root = over_by(4, 3, green=(5, 0, 0, 0))
    (played, *_) = told_of(root, seen={"red": LEGAL, "green": (12, 0, 0, 0)})
    assert played.way.kind == "play"
    assert played.as_history(None).over is None


def test_a_piece_that_went_far_or_left_its_base_was_not_kicked():
    root = between_throws(red=TWO_OUT, green=(5, 0, 0, 0))
    for far in ({"red": (10, 30, 57, 57)}, {"red": TWO_OUT, "green": (5, 1, 0, 0)}):
        seen = {"green": (5, 0, 0, 0)} | far
        assert not [each for each in told_of(root, seen=seen, touched=False) if each.way.kind == "kicked"]


def test_dice_that_were_taken_to_be_put_back_may_have_been_thrown():
    root = between_throws(red=TWO_OUT)
    assert told_of(root, seen={"red": LEGAL})[0].is_guilty
    first = told_of(root, seen={"red": LEGAL}, unnoticed=((5, 2),))[0]
    assert (first.way.kind, first.is_guilty) == ("play", False)


def test_a_throw_that_could_not_be_played_may_have_been_misread():
    """With nothing out, 3 and 4 move nothing. Had one of them been a six, red would have thrown again."""
    passed = History(playing.throw(match_of(), (3, 4)).match, board_of(), thrown_from=match_of())
    other = {(6, 4): 6.0}
    without = told_of(passed, seen={}, other_dice=other)
    thrown_on = told_of(passed, seen={}, other_dice=other, is_thrown_on=True)
    assert not [each for each in without if each.root.match.thrown == (6, 4)]
    assert [each for each in thrown_on if each.root.match.thrown == (6, 4)]


def test_a_piece_that_is_taken_far_is_dearer_than_one_that_is_moved_a_little():
    root = between_throws(red=TWO_OUT)
    near, far = (guilty(told_of(root, seen={"red": (10, 20 + by, 57, 57)})) for by in (4, 30))
    assert near.charge < far.charge
