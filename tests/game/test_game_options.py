"""Every option: none left out, each with its sources and with an effect; and what is always so."""

import re
from dataclasses import fields

import pytest

from uckers_table.errors import RulesError
from uckers_table.game.fixed import FIXED
from uckers_table.game.options import OPTIONS, RuleSet
from uckers_table.game.rules import load_rules

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
        "exit_optional single_piece_total_blocks_exit exit_barred_by_enemy_barrier exit_captures "
        "opening_tries_per_turn"
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
    "Knocking off": (
        "capture_single captured_goes_to capture_optional capture_bonus capture_mixed_all partner_immune"
    ),
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
}
"""Every question that the sources answer differently, or leave open, by chapter."""

TABLES_OWN = {"arms", "arm_length", "doorstep_position", "colour_order", "player_count"}
"""What is asked of the table and not of a rule set."""

SAID = re.compile(r"((BR|VAR|CO|SUB|SUCK|WIKI|OLD|MU|ML|WL)\b.*: |No source speaks of it).*\.$")


def every_name():
    return [name for chapter in NAMES.values() for name in chapter.split()]


def test_every_question_is_an_option_or_always_so_or_the_tables():
    names = every_name()
    assert len(names) == len(set(names)) == 211
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
