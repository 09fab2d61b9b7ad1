"""Rule sets as data: what is loaded, what the sets say, and what is refused."""

from dataclasses import replace

import pytest

from uckers_table.errors import RulesError
from uckers_table.game.options import OPTIONS, SWITCHES, RuleSet
from uckers_table.game.rules import known_rules, load_rules
from uckers_table.game.setting import load_setting


def test_all_sets_load():
    assert known_rules() == (
        *("br4006", "couk", "couk_suckback", "masters_ludo", "masters_uckers", "oldwiki"),
        *("oldwiki_advanced", "submariners", "wafu", "western_ludo", "wiki"),
    )
    for name in known_rules():
        assert load_rules(name).name == name


def test_the_basic_rules_are_the_defaults():
    assert load_rules("br4006") == replace(RuleSet(), name="br4006")


def test_a_set_lies_on_top_of_another():
    couk, submariners = load_rules("couk"), load_rules("submariners")
    assert couk.extra_any_double and submariners.extra_any_double
    assert (couk.dice_fault_kinds, submariners.dice_fault_kinds) == ("dropped", "dropped+cocked")


def test_a_single_option_beats_the_variation_that_holds_it():
    rules = load_rules("br4006", {"suckback_attempts": "unlimited", "var_g": True})
    assert (rules.suckback, rules.suckback_attempts, rules.suckback_hit_advance) == (True, "unlimited", 1)


def test_a_variation_switched_off_changes_nothing():
    assert load_rules("wafu", {"var_g": False}) == load_rules("wafu")


def test_every_variation_names_options_and_values_that_exist():
    for name, values in SWITCHES.items():
        for option, value in values.items():
            assert value in OPTIONS[option], (name, option)


def test_somebodys_own_file(tmp_path):
    path = tmp_path / "hms_example.toml"
    path.write_text('base = "couk"\nsource = "the mess"\n[options]\nvar_f = true\n')
    rules = load_rules(str(path))
    assert (rules.name, rules.extra_any_double, rules.extra_for_double_six) == ("hms_example", True, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('base = "nothing"', "there is no rule set 'nothing': known are br4006,"),
        ("colour = 1", "key 'colour' is none of base, options, source"),
        ("options = 1", "'options' must be a table"),
        ("[options]\nchallenge_sixs = 'X'", "no option 'challenge_sixs': did you mean 'challenge_sixes'?"),
        ("[options]\nchallenge_sixes = 'X+2'", "challenge_sixes cannot be 'X+2'; it is one of 'X+1', 'X'"),
        ("[options]\nsuckback = 1", "suckback cannot be 1; it is one of False, True"),
        ("[options", "is no TOML file"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path, text, complaint):
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(RulesError) as error:
        load_rules(str(path))
    assert complaint in str(error.value)


def test_a_set_on_top_of_itself_is_refused(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(f'base = "{path}"')
    with pytest.raises(RulesError, match="lies on top of itself"):
        load_rules(str(path))


def test_an_absent_file_is_refused(tmp_path):
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules(str(tmp_path / "absent.toml"))


def test_bouncing_and_suckback_exclude_each_other():
    with pytest.raises(RulesError, match="var_g excludes var_d"):
        load_rules("br4006", {"var_d": True, "var_g": True})


def test_the_geometry_is_not_the_rule_sets():
    setting = load_setting("br4006", {"arms": 6, "arm_length": 8, "doorstep_position": "arm_end"})
    assert (setting.board.arms, setting.board.track, setting.board.mouth, setting.players) == (6, 102, 102, 6)
    with pytest.raises(RulesError, match="arms belongs to the table, not to a rule set"):
        load_rules("br4006", {"arms": 6})


@pytest.mark.parametrize(
    ("options", "seats", "complaint"),
    [
        ({"arms": 6}, ("red", "green", "yellow", "blue"), "arms = 6 does not go with 4 seats"),
        ({"arm_length": True}, None, "arm_length cannot be True"),
        ({"doorstep_position": "left"}, None, "doorstep_position cannot be 'left'"),
    ],
)
def test_a_board_that_makes_no_sense_is_refused(options, seats, complaint):
    with pytest.raises(RulesError, match=complaint):
        load_setting("br4006", options, seats=seats)
