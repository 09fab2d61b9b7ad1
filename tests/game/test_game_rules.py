"""Rule sets as data: what is loaded, what the sets say, and what is refused."""

from dataclasses import replace

import pytest

from tests.ids import begins
from uckers_table.commands.cli import main
from uckers_table.errors import RulesError
from uckers_table.game.options import OPTIONS, SWITCHES, RuleSet
from uckers_table.game.rules import known_rules, load_rules
from uckers_table.game.setting import load_setting


def test_all_sets_load():
    assert known_rules() == (
        *("br4006", "couk", "couk_suckback", "house_ludo", "masters_ludo", "masters_uckers"),
        *("oldwiki", "oldwiki_advanced", "submariners", "wafu", "western_ludo", "wiki"),
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


def test_a_variation_that_a_set_below_switched_on_can_be_switched_off(tmp_path):
    path = tmp_path / "mess.toml"
    path.write_text('base = "couk"\n[options]\nvar_f = true\nvar_e = true\n')
    rules = load_rules(str(path), {"var_f": False})
    assert (rules.extra_for_double_six, rules.challenge_sixes) == (1, "X")


def test_a_step_on_after_a_miss_leaves_one_attempt():
    assert load_rules("oldwiki_advanced", {"suckback_miss": "advance"}).suckback_attempts == 1
    assert load_rules("br4006", {"var_g": True, "suckback_miss": "advance"}).suckback_attempts == 1


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("br4006", {"var_d": True, "var_g": True}, "var_g excludes var_d"),
        ("wafu", {"home_exact": "excess_allowed"}, "suckback needs home_exact = 'exact'"),
        ("wafu", {"suckback_attempts": 2}, "so suckback_attempts is 1, not 2"),
        ("br4006", {"suckback_miss": "advance", "suckback_attempts": "unlimited"}, "not 'unlimited'"),
        ("masters_ludo", {"var_c": True}, "var_c is a variation of rules with two dice"),
        ("br4006", {"var_c": True, "dice_per_throw": 1}, "var_c is a variation of rules with two dice"),
        ("br4006", {"challenge_double_six_spare": True}, "needs extra_for_double_six = 2"),
        ("br4006", {"suckback_both_dice": True, "suckback_dice": "one"}, "needs suckback_dice = 'two'"),
        (
            "br4006",
            {"throw_off_winner_chooses": True, "throw_off_counts_as_turn": True},
            "else he has no time to",
        ),
        ("masters_ludo", {"hex6_teams": "two_threes"}, "makes teams, and partner_seats = 'none' has none"),
    ],
)
def test_options_that_exclude_each_other_are_refused_with_the_reason(name, options, complaint):
    with pytest.raises(RulesError) as error:
        load_rules(name, options)
    assert str(error.value).startswith(f"{name}: ")
    assert complaint in str(error.value)


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
        ("[options]\nchallenge_sixes = 'X+2'", "challenge_sixes cannot be 'X+2'; it is 'X+1' or 'X'"),
        ("[options]\nsuckback = 1", "suckback cannot be 1; it is false or true"),
        ("[options", "is no TOML file"),
    ],
    ids=begins,
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


def test_the_geometry_is_not_the_rule_sets():
    setting = load_setting("br4006", {"arms": 6, "arm_length": 8, "doorstep_position": "arm_end"})
    assert (setting.board.arms, setting.board.track, setting.board.mouth, setting.players) == (6, 102, 102, 6)
    with pytest.raises(RulesError, match="arms belongs to the table, not to a rule set"):
        load_rules("br4006", {"arms": 6})


@pytest.mark.parametrize(
    ("options", "seats", "complaint"),
    [
        ({"arms": 6}, ("red", "green", "yellow", "blue"), "arms = 6 does not go with 4 seats"),
        ({"arm_length": True}, None, "arm_length cannot be true"),
        ({"doorstep_position": "left"}, None, "doorstep_position cannot be 'left'"),
    ],
)
def test_a_board_that_makes_no_sense_is_refused(options, seats, complaint):
    with pytest.raises(RulesError, match=complaint):
        load_setting("br4006", options, seats=seats)


# A mess's own files, and what cannot be used: through the command line, as a player meets it.

CASE = """[[scenario]]
name = "a case"
rules = "{rules}"
{more}
start = {{ to_play = "red", red = {red}, green = [0,0,0,0], yellow = [0,0,0,0], blue = [0,0,0,0] }}
events = [{{ throw = {throw} }}]
"""


def judged(tmp_path, capsys, *, rules="br4006", more="", red="[10,57,57,57]", throw="[6,6], extra = 1"):
    """The exit status and what stands on standard error when a case is judged."""
    path = tmp_path / "case.toml"
    path.write_text(CASE.format(rules=rules, more=more, red=red, throw=throw))
    return main(["judge", str(path)]), capsys.readouterr().err


def test_a_mess_has_its_rules_beside_its_cases(tmp_path, capsys):
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "wardroom.toml").write_text('base = "couk"\n[options]\nvar_f = true\n')
    (folder / "gunroom.toml").write_text('base = "wardroom.toml"\nsource = "the gunroom"\n')
    for rules in ("rules/wardroom.toml", "rules/gunroom.toml", str(folder / "gunroom.toml")):
        assert judged(tmp_path, capsys, rules=rules, throw="[6,6], extra = 2") == (0, "")
        assert judged(tmp_path, capsys, rules=rules, throw="[6,6], extra = 1")[0] == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('base = "wardroon.toml"', "'base': rule set {folder}/wardroon.toml: cannot be read"),
        ('base = "wafo"', "'base': there is no rule set 'wafo': did you mean 'wafu'?"),
        ("base = 1", "'base' must be the name of a rule set, not 1"),
        ("[options]\nvar_h = true", "there is no option 'var_h': did you mean"),
        ('[options]\nwin = "all"', "win is no switch, it is always so: the whole team home"),
        ("[options]\nplayer_count = 2", "player_count belongs to the table, not to a rule set"),
        ("[options]\nvar_d = true\nvar_g = true", "var_g excludes var_d"),
        ('base = "mess.toml"', "lies on top of itself"),
        ('base = "../rules/mess.toml"', "lies on top of itself"),
    ],
)
def test_what_is_wrong_in_a_messs_file_names_the_file(tmp_path, capsys, text, complaint):
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "mess.toml").write_text(text)
    status, said = judged(tmp_path, capsys, rules="rules/mess.toml")
    assert (status, said.count("\n")) == (2, 1)
    assert str(folder / "mess.toml") in said
    assert str(tmp_path / "case.toml") in said
    assert complaint.format(folder=folder) in said


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"more": "options = { challenge_sixs = 'X' }"}, "no option 'challenge_sixs': did you mean"),
        ({"more": "options = { var_d = true, var_g = true }"}, "var_g excludes var_d"),
        (
            {"more": "options = { exit_optional = false }"},
            "exit_optional cannot be false; it is true or 'forced'",
        ),
        ({"more": "players = 3"}, "3 players cannot sit at 4 seats"),
        ({"red": "[10,57,57,57,57]"}, "red has 5 pieces, not 4"),
        ({"throw": "[7,1]"}, "must be one or two dice showing 1 to 6, not [7, 1]"),
        ({"rules": "masters_ludo", "throw": "[3,4]"}, "[3, 4] is no throw: it takes one die"),
        ({"throw": '[6,1] }, { dice = "cocked", deliberate = true'}, "only dropped dice can be deliberate"),
        ({"throw": '[6,1] }, { dice = "dropped", deliberate = 1'}, "must be true or false, not 1"),
        ({"throw": "[6,1], deliberate = true"}, "key 'events[0].deliberate': is none of"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_status_2(tmp_path, capsys, change, complaint):
    status, said = judged(tmp_path, capsys, **change)
    assert (status, said.count("\n")) == (2, 1)
    assert complaint in said
    assert str(tmp_path / "case.toml") in said
