"""Every option: none left out, each with its sources and with an effect; and what is always so."""

import re
import tomllib
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from uckers_table.errors import RulesError
from uckers_table.game import playing
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.fixed import FIXED
from uckers_table.game.match import begin
from uckers_table.game.options import OPTIONS, RuleSet
from uckers_table.game.position import position_from
from uckers_table.game.rules import load_rules
from uckers_table.game.scenario import judge_files
from uckers_table.game.setting import load_setting

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("own_options_*.toml"))

NAMES = {
    "Board, pieces, seats": (
        "arms arm_length home_column_length doorstep_position colour_order partner_seats team_colours "
        "player_count two_player_colours two_player_turns hex6_teams pieces_per_colour dice_per_throw "
        "travel_direction turn_order laps chute_entry safe_squares"
    ),
    "Opening": (
        "first_player throw_off_tie throw_off_counts_as_turn start_position snake_eyes_out "
        "snake_eyes_window snake_eyes_call snake_eyes_scope snake_eyes_ends_turn snake_eyes_second_in "
        "snake_eyes_doorstep_occupied"
    ),
    "Leaving base": (
        "exit_throw exit_square exit_spends_the_six exit_other_die exit_other_die_forced double_six_exit "
        "exit_optional single_piece_total_blocks_exit exit_barred_by_enemy_barrier exit_captures"
    ),
    "Moving and using the dice": (
        "dice_split single_piece_total single_piece_meaning intermediate_capture "
        "intermediate_barrier_blocks total_blocked_fallback lower_die_fallback fallback_causes unused_die "
        "both_dice_forced high_die_priority high_die_order high_die_into_mixed pass_allowed "
        "pass_over_singles land_on_own land_on_partner blob_backward_on_double blob_backward_entry "
        "pair_move pair_distance pair_captures_all pair_never_blocked"
    ),
    "Extra throws": (
        "extra_for_six extra_for_double_six extra_any_double extra_if_six_unusable extra_chain "
        "three_sixes_penalty extra_timing extra_mandatory extra_after_barrier_removed "
        "extra_after_missed_challenge extra_after_blob_takes_blob finish_extra_throw extra_from_gate_six"
    ),
    "Knocking off": ("capture_single captured_goes_to capture_optional capture_mixed_all partner_immune"),
    "Barriers (blobs)": (
        "blob_min blob_one_colour_only blob_blocks blob_blocks_passing_and_landing own_blob_passable "
        "superblob_allowed superblob_mobility break_barrier_forced break_barrier_voluntary "
        "blob_takes_blob btb_needs_double btb_distance btb_size btb_other_barrier_between btb_result "
        "btb_turn_goes_on blob_jump blob_jump_needs_double"
    ),
    "Challenging (sixing off)": (
        "challenge_from challenge_timing challenge_call challenge_call_moment challenge_uncalled_six "
        "challenge_opening_second_die challenge_opening_double_six challenge_sixes "
        "challenge_later_double_six challenge_double_six_spare challenge_other_values "
        "challenge_throws_continue challenge_miss challenge_persistence challenge_lapses_if_reduced "
        "challenge_success_move challenge_success_ends_turn challenge_surplus_six move_or_attack "
        "challenge_forced challenge_from_own_blob challenge_from_mixed challenge_from_base "
        "doorstep_extra_sixes doorstep_extra_scope doorstep_first_six challenge_behind_but_off_path "
        "needle_touch_wood"
    ),
    "Mixed blobs": (
        "mixed_definition mixed_blocks mixed_with_two_of_a_colour mixed_captured_as_single "
        "mixed_stack_order mixed_ends_when_one_colour"
    ),
    "Chute and home": (
        "chute_safe home_exact last_piece_one_die last_piece_meaning bounce_path bounce_turn_round "
        "bounce_extra_throws bounce_barriers bounce_captures"
    ),
    "Suckback and blowback": (
        "suckback suckback_position suckback_timing suckback_call suckback_count suckback_dice "
        "suckback_six_bonus suckback_attempts suckback_attempt_unit suckback_hit suckback_hit_advance "
        "suckback_miss suckback_hit_ends_turn suckback_ahead_blocked suckback_step_lands "
        "suckback_nominate suckback_chute_blob suckback_double_meaning suckback_from_mixed "
        "suckback_no_other_move blowback blowback_when blowback_number blowback_dice blowback_hit "
        "blowback_attempts blowback_no_other_move blowback_double suckback_requires_exact_home"
    ),
    "Helping the partner, winning": (
        "partner_gate partner_help_starts partner_gate_two_player partner_pieces_moved_by "
        "partner_tube_frozen partner_calls_allowed win"
    ),
    "Handling the dice": (
        "dice_off_action dice_off_moment dice_off_edge dice_off_call dice_fault_limit dice_fault_run "
        "dice_fault_kinds dice_fault_penalty penalty_scope dice_off_deliberate cocked_definition "
        "cocked_action"
    ),
    "Honours, calls and conduct": (
        "honour_eight_piecer honour_in_harbour honour_dicking_midgame name_on_reverse name_entry "
        "beer_fine exhibition upboarding leaving_uncovered abandon_by_consent timber_shifting "
        "timber_forms timber_caller timber_remedy timber_unchallenged stand_up_finish stand_up_reach "
        "rules_flip_ends_game rules_agreement overboard"
    ),
    "What messes play and no source has": (
        "throw_off_winner_chooses capturing_piece_stops three_doubles_to_base five_sixes_to_base "
        "base_throws capture_extra_throw home_extra_throw "
        "last_piece_dice suckback_past_blob suckback_both_dice dice_on_pieces"
    ),
}
"""Every question that the sources answer differently, or leave open, by chapter; and those of house rules."""

TABLES_OWN = {"arms", "arm_length", "doorstep_position", "colour_order", "player_count"}
"""What is asked of the table and not of a rule set."""

SAID = re.compile(r"((BR|VAR|CO|SUB|SUCK|WIKI|OLD|MU|ML|WL)\b.*: |No source speaks of it).*\.$")


def every_name():
    return [name for chapter in NAMES.values() for name in chapter.split()]


def test_every_question_is_an_option_or_always_so_or_the_tables():
    names = every_name()
    assert len(names) == len(set(names)) == 220
    answered = [*OPTIONS, *FIXED, *TABLES_OWN]
    assert len(answered) == len(set(answered))
    assert set(answered) == set(names)


def test_every_option_says_what_it_does_and_who_says_what():
    for each in fields(RuleSet):
        if each.name != "name":
            assert each.metadata["does"].endswith(".")
            says = each.metadata["says"]
            assert SAID.match(says), (each.name, says)


def test_everything_that_is_always_so_says_why():
    for name, fixed in FIXED.items():
        assert fixed.value and fixed.why.endswith("."), name
        assert SAID.match(fixed.says), name


@pytest.mark.parametrize("name", FIXED)
def test_what_is_always_so_is_no_switch(name):
    with pytest.raises(RulesError) as error:
        load_rules("br4006", {name: True})
    assert f"{name} is no switch, it is always so: {FIXED[name].value}" in str(error.value)
    assert FIXED[name].says.rstrip(".") in str(error.value)
    assert "\n" not in str(error.value)


# What each option does. A case in the files own_options_* is named "option = value: what happens", and
# sets that value; under another value of the option it must come out differently.

SAID_ONLY = {
    *("dice_off_edge", "timber_caller", "rules_agreement", "dice_on_pieces"),
    *("dice_off_call", "needle_touch_wood", "name_on_reverse", "exhibition", "beer_fine"),
}
"""Options that change no play: kept for those who read dice, speak or write the record (tested below)."""


@cache
def cases():
    """The cases, as (option, value, text of the case with VALUE where the value stands)."""
    found = []
    for path in SCENARIOS:
        for text in path.read_text(encoding="utf-8").split("[[scenario]]")[1:]:
            case = tomllib.loads(text)
            option = case["name"].partition(" = ")[0]
            value = case["options"][option]
            written = f"options = {{ {option} = {_toml(value)}"
            assert text.count(written) == 1, case["name"]
            found.append((option, value, text.replace(written, f"options = {{ {option} = VALUE")))
    return found


def _toml(value):
    return (
        str(value).lower()
        if isinstance(value, bool)
        else f'"{value}"'
        if isinstance(value, str)
        else str(value)
    )


class _Nowhere:
    def writelines(self, lines):
        """Drops them."""


def holds(folder, text, value):
    """Whether every expectation of a case holds under a value of its option."""
    path = folder / "case.toml"
    path.write_text("[[scenario]]" + text.replace("VALUE", _toml(value)), encoding="utf-8")
    try:
        return judge_files([path], True, _Nowhere(), lambda ruling, board: "") == 0
    except RulesError:
        return False


def test_every_option_that_changes_play_has_a_case_for_each_of_its_values():
    wanted = {(option, _toml(v)) for option in set(OPTIONS) - SAID_ONLY for v in OPTIONS[option]}
    assert {(option, _toml(value)) for option, value, _ in cases()} == wanted


@pytest.mark.parametrize("option", sorted(set(OPTIONS) - SAID_ONLY))
def test_every_value_of_an_option_makes_a_difference(option, tmp_path):
    own = [(value, text) for each, value, text in cases() if each == option]
    for value, text in own:
        assert holds(tmp_path, text, value)
    for value in OPTIONS[option]:
        for other in OPTIONS[option]:
            told_apart = any(not holds(tmp_path, text, other) for v, text in own if _toml(v) == _toml(value))
            assert told_apart or value == other, f"no case of {value!r} fails under {other!r}"


# Options that change what is said or written down.


def at(to_play="red", options=None, **colours):
    setting = load_setting("br4006", options)
    return begin(setting, to_play=to_play, position=position_from(setting.board, colours))


@pytest.mark.parametrize(("value", "said"), [("announce", True), ("off", False)])
def test_touch_wood_is_said_when_one_six_is_missing(value, said):
    match = at(options={"needle_touch_wood": value}, red=(13, 57, 57, 57), green=(1, 1, 57, 57))
    two_missing = playing.call(playing.throw(match, (6, 1)).match, Call("challenge"))
    one_missing = playing.throw(two_missing.match, (6, 1))
    assert [(r.wanted, r.touch_wood) for r in two_missing.rulings] == [(2, False)]
    assert [(r.wanted, r.touch_wood) for r in one_missing.rulings] == [(1, said)]


@pytest.mark.parametrize(("value", "said"), [("off_the_ips", True), ("none", False)])
def test_dropped_dice_are_off_the_ips_where_that_is_said(value, said):
    match = at(options={"dice_off_call": value})
    assert [r.off_the_ips for r in playing.fault(match, "dropped").rulings] == [said]
    assert [r.off_the_ips for r in playing.fault(match, "cocked").rulings] == [False]


HOME = (57, 57, 57, 57)


def won(options, green):
    """The ruling that ends a match which yellow wins with its last piece, green standing as given."""
    match = at("yellow", options, red=HOME, yellow=(57, 57, 57, 54), green=green)
    (ruling,) = playing.see(
        playing.throw(match, (2, 1)).match, position_from(match.board, {"yellow": HOME}, match.position)
    ).rulings
    return ruling


@pytest.mark.parametrize(
    ("options", "green", "names"),
    [
        ({}, (0, 0, 0, 0), (1, 3)),
        ({}, (20, 0, 0, 0), (1, 3)),
        ({}, (57, 0, 0, 0), ()),
        ({"name_on_reverse": "in_harbour"}, (0, 0, 0, 0), (1, 3)),
        ({"name_on_reverse": "in_harbour"}, (20, 0, 0, 0), ()),
        ({"exhibition": True}, (0, 0, 0, 0), ()),
    ],
)
def test_whose_names_go_on_the_back_of_the_board(options, green, names):
    assert won(options, green).on_reverse == names


@pytest.mark.parametrize(
    ("options", "names"),
    [({}, (0, 2)), ({"name_on_reverse": "in_harbour"}, (0, 2)), ({"exhibition": True}, ())],
)
def test_an_upboard_puts_the_names_of_those_who_did_it_there(options, names):
    (ruling,) = playing.call(at("red", options, green=(57, 0, 0, 0)), Call("upboard")).rulings
    assert (ruling.on_reverse, ruling.winner) == (names, (1, 3))


def test_a_team_of_three_that_is_upboarded_wins_and_the_other_three_are_named():
    setting = load_setting("br4006", {"arms": 6, "hex6_teams": "two_threes"})
    step = playing.call(begin(setting, to_play="white"), Call("upboard"))
    assert (step.match.winner, step.rulings[0].on_reverse) == ((1, 3, 5), (0, 2, 4))


def test_three_colours_lose_their_twelve_at_once():
    setting = load_setting("br4006", {"arms": 6, "hex6_teams": "two_threes"})
    # Square 20: red 21, yellow 73, white 47 (from doorsteps 0, 26 and 52); green, two behind, stands on 6.
    start = {"red": [21] * 4, "yellow": [73] * 4, "white": [47] * 4, "green": [6, 0, 0, 0]}
    match = begin(setting, to_play="green", position=position_from(setting.board, start))
    thrown = playing.throw(match, (1, 1)).match
    after = position_from(setting.board, {"green": [8, 0, 0, 0]})
    step = playing.see(thrown, after)
    assert (step.rulings[0].honours, step.match.position) == (("dicking_midgame",), after)


@pytest.mark.parametrize("crates", ["off", 1, 2, 12])
def test_a_fine_is_any_whole_number_of_crates(crates):
    assert load_rules("submariners", {"beer_fine": crates}).beer_fine == crates


@pytest.mark.parametrize("crates", [0, -1, True, "two", 1.5])
def test_a_fine_is_nothing_else(crates):
    with pytest.raises(RulesError, match=r"beer_fine cannot be .* it is 'off', 1 or any number above"):
        load_rules("submariners", {"beer_fine": crates})


def test_cocked_dice_are_never_deliberate():
    with pytest.raises(RulesError, match="only dropped dice can be deliberate"):
        playing.fault(at(), "cocked", deliberate=True)


def test_a_match_without_a_go_to_lose_throws_again():
    match = begin(load_setting("br4006"))
    step = playing.fault(match, "dropped", deliberate=True)
    assert (str(step.rulings[0].kind), step.match.awaiting, step.match) == (
        "dropped",
        Awaiting.THROW_OFF,
        match,
    )
