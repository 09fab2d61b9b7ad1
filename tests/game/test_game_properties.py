"""What holds in any match, whatever is thrown, moved, called and left standing: tried on very many."""

from collections import Counter
from dataclasses import fields
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.game.house_rules import HOUSE_RULES
from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import begin
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Kind
from uckers_table.game.setting import load_setting
from uckers_table.simulator.players import throw_dice

SETTINGS = [
    *((rules, {}, None) for rules in known_rules()),
    ("br4006", {"var_a": True, "var_c": True, "var_d": True, "var_f": True}, None),
    ("br4006", {"var_b": True, "var_e": True, "var_g": True}, None),
    ("br4006", {"arms": 6, "var_g": True}, None),
    ("couk", {"arm_length": 8, "both_dice_forced": False}, 2),
    ("couk", {"two_player_turns": "per_colour"}, 2),
    ("wiki", {"blob_backward_on_double": True, "doorstep_position": "arm_end"}, 2),
    ("wafu", {"superblob_mobility": "frozen", "snake_eyes_scope": "own_and_partner"}, None),
    ("oldwiki_advanced", {"superblob_allowed": False, "timber_unchallenged": "never"}, 2),
    ("masters_uckers", {"extra_any_double": True, "challenge_from_mixed": True}, 2),
    ("couk", HOUSE_RULES, None),
]
EXAMPLES = settings(derandomize=True, max_examples=100)
SEEDS = st.integers(0, 2**32)
A_SETTING = st.sampled_from(SETTINGS).map(lambda s: load_setting(s[0], s[1], players=s[2]))
CALLED = ("challenge", "suckback", "blowback", "snake_eyes", "stand_up_finish")


def begun(setting, position, rng):
    """A match in full swing, the side to play taken by chance."""
    side = setting.board.seats[rng.choice(setting.sides)]
    return begin(setting, to_play=side, position=position, turns_taken=rng.randrange(2))


def throw(match, rng):
    """The match after an honest throw."""
    return playing.throw(match, throw_dice(rng, min(match.dice_wanted))).match


def as_it_is(match):
    """Every field of a state, for comparing it with itself later."""
    return [getattr(match, field.name) for field in fields(match)]


def neighbours(board, position, rng, number):
    """Boards like a position: one piece elsewhere, one sent back, or two displaced."""
    for _ in range(number):
        after = [list(four) for four in position]
        for _ in range(rng.choice((1, 1, 2))):
            four, piece = rng.choice(after), rng.randrange(4)
            near = four[piece] + rng.choice((-3, -2, -1, 1, 2, 3, 4, 5, 6, 7))
            four[piece] = rng.choice((BASE, min(max(near, BASE), board.home)))
        yield tuple(tuple(sorted(four)) for four in after)


def an_event(match, rng):
    """Something that may happen at a table, wise or not."""
    board, chance = match.board, rng.random()
    if match.wrong_board is not None and chance < 0.4:
        return playing.see(match, match.position)
    if chance < 0.05:
        return playing.fault(match, rng.choice(("cocked", "dropped")))
    if chance < 0.12:
        return playing.see(match, next(neighbours(board, rng.choice((match.position, *match.plays)), rng, 1)))
    if chance < 0.25:
        seat = rng.choice((None, *range(board.arms)))
        steps = None if seat is None else rng.choice((None, *match.position[seat]))
        target = rng.choice((None, *range(1, 7)))
        return playing.call(match, Call(rng.choice(CALLED), seat, steps, target, rng.random() < 0.2))
    if match.challengers and (match.must_challenge or chance < 0.6):
        return playing.call(match, Call("challenge", *rng.choice(match.challengers)))
    if match.awaiting is Awaiting.PLAY and match.plays and chance < 0.95:
        return playing.see(match, rng.choice(match.plays))
    return playing.throw(match, throw_dice(rng, match.rules.dice_per_throw))


@EXAMPLES
@given(A_SETTING, SEEDS)
def test_whatever_happens_pieces_are_conserved_and_states_do_not_change(crowded, setting, seed):
    rng, board = Random(seed), setting.board
    match = begun(setting, crowded(setting, rng), rng)
    for _ in range(60):
        before = as_it_is(match)
        step = an_event(match, rng)
        assert as_it_is(match) == before
        match = step.match
        assert len(match.position) == board.arms
        for four in match.position:
            assert list(four) == sorted(four)
            assert len(four) == 4
            assert all(-1 <= steps <= board.home for steps in four)
        assert len(set(match.plays)) == len(match.plays)
        assert match.extra >= 0
        assert match.plays == () or match.awaiting is Awaiting.PLAY
        assert (match.winner != ()) == (match.awaiting is Awaiting.OVER)
        if all(ruling.kind is Kind.CALL_REFUSED for ruling in step.rulings) and step.rulings:
            assert as_it_is(match) == before


@EXAMPLES
@given(A_SETTING, SEEDS)
def test_every_listed_play_is_legal(crowded, setting, seed):
    rng = Random(seed)
    match = throw(begun(setting, crowded(setting, rng), rng), rng)
    for play in match.plays:
        step = playing.see(match, play)
        if play == match.position:
            # VAR D can bring a piece back to where it stood: the board says nothing yet.
            continue
        assert step.rulings[-1].kind in (Kind.LEGAL, Kind.WON)
        assert step.match.position == play


@EXAMPLES
@given(A_SETTING, SEEDS)
def test_every_other_board_is_wrong_and_can_be_put_right(crowded, setting, seed):
    rng = Random(seed)
    match = throw(begun(setting, crowded(setting, rng), rng), rng)
    if match.awaiting is not Awaiting.PLAY or match.behind is not None:
        return
    grounds = (match.position, *match.plays)
    for board in neighbours(setting.board, rng.choice(grounds), rng, 6):
        if board in grounds:
            continue
        step = playing.see(match, board)
        (ruling,) = step.rulings
        assert ruling.kind in (Kind.ILLEGAL, Kind.TIMBER_SHIFT), board
        own = set(setting.teams[match.to_play])
        moved = {seat for seat, four in enumerate(board) if four != match.position[seat]}
        assert (ruling.kind is Kind.ILLEGAL) == bool(moved & own), board
        assert (ruling.kind is Kind.ILLEGAL) <= (ruling.reason is not None)
        assert (step.match.position, step.match.plays) == (match.position, match.plays)
        assert playing.see(step.match, board).rulings == ()
        right = playing.see(step.match, match.position)
        assert [each.kind for each in right.rulings] == [Kind.PUT_RIGHT]
        assert right.match == match


@EXAMPLES
@given(A_SETTING, SEEDS)
def test_a_play_moves_the_throwers_pieces_and_captures_enemies(crowded, setting, seed):
    rng = Random(seed)
    match = throw(begun(setting, crowded(setting, rng), rng), rng)
    for play in match.plays:
        for seat, (then, now) in enumerate(zip(match.position, play, strict=True)):
            if seat in setting.enemies[match.to_play]:
                gone, come = Counter(then) - Counter(now), Counter(now) - Counter(then)
                assert set(come) <= {BASE}
                assert gone.total() == come.total()
            elif seat not in match.movers:
                assert then == now


@EXAMPLES
@given(st.sampled_from(known_rules()), SEEDS)
def test_the_order_of_the_dice_makes_no_difference(crowded, rules, seed):
    rng, setting = Random(seed), load_setting(rules)
    match = begun(setting, crowded(setting, rng), rng)
    dice = throw_dice(rng, setting.rules.dice_per_throw)
    assert set(playing.throw(match, dice).match.plays) == set(playing.throw(match, dice[::-1]).match.plays)


@EXAMPLES
@given(st.sampled_from(known_rules()), SEEDS)
def test_the_board_turned_by_a_quarter_has_the_same_plays_turned(crowded, rules, seed):
    rng, setting = Random(seed), load_setting(rules)
    position, side = crowded(setting, rng), rng.randrange(4)
    dice = throw_dice(rng, setting.rules.dice_per_throw)

    def plays_of(side, position):
        match = begin(setting, to_play=setting.board.seats[side], position=position)
        return set(playing.throw(match, dice).match.plays)

    def turned(position):
        return (position[3], *position[:3])

    assert {turned(play) for play in plays_of(side, position)} == plays_of((side + 1) % 4, turned(position))


@EXAMPLES
@given(A_SETTING, SEEDS)
def test_halfway_is_neither_before_nor_after(crowded, setting, seed):
    rng = Random(seed)
    match = throw(begun(setting, crowded(setting, rng), rng), rng)
    assert match.position not in match.halfway
    assert not match.halfway & set(match.plays)
    own = match.setting.teams[match.to_play]
    for half in sorted(match.halfway)[:8]:
        # A piece may bounce back to where it stood, and only what the play knocks off be gone.
        moved = any(half[seat] != match.position[seat] for seat in own)
        assert playing.see(match, half).rulings[0].kind is (Kind.ILLEGAL if moved else Kind.TIMBER_SHIFT)


@pytest.mark.parametrize("dice", [1, 2])
def test_throws_show_all_faces_alike_and_the_dice_do_not_know_each_other(dice):
    rng, number = Random(6), 7200
    throws = Counter(throw_dice(rng, dice) for _ in range(number))
    cells = 6**dice
    assert len(throws) == cells
    expected = number / cells
    chi_squared = sum((count - expected) ** 2 / expected for count in throws.values())
    # The 99.9th percentiles of chi squared with 5 and with 35 degrees of freedom.
    assert chi_squared < {1: 20.5, 2: 66.6}[dice]
