"""Rule sets as people type them on the command line."""

import pytest

from uckers_table.errors import RulesError
from uckers_table.game.rules import load_rules, origin_of
from uckers_table.game.typed_rules import typed_rules


@pytest.mark.parametrize(
    ("typed", "name", "options"),
    [
        ("wafu", "wafu", {}),
        ("br4006+var_c+var_g", "br4006", {"var_c": True, "var_g": True}),
        ("br4006+var_c=false", "br4006", {"var_c": False}),
        # The values 6 of two options: a word in one, a number nowhere.
        ("couk+exit_throw=6+doorstep_extra_sixes=2", "couk", {"exit_throw": "6", "doorstep_extra_sixes": 2}),
        ("couk+suckback_attempts=unlimited", "couk", {"suckback_attempts": "unlimited"}),
        ("our+own.toml+var_a", "our+own.toml", {"var_a": True}),
        ("mess.toml", "mess.toml", {}),
        ("couk+nonsense=17", "couk", {"nonsense": 17}),
    ],
)
def test_a_name_and_what_is_changed_on_it(typed, name, options):
    assert typed_rules(typed) == (name, options)


def test_options_said_apart_come_last():
    assert typed_rules("couk+home_exact=bounce", ["home_exact=exact", "var_e"]) == (
        "couk",
        {"home_exact": "exact", "var_e": True},
    )


def test_a_name_that_nearly_fits_gets_a_suggestion():
    with pytest.raises(RulesError, match="no rule set 'waffu': did you mean 'wafu'"):
        load_rules("waffu")


def test_where_a_set_comes_from_and_what_it_lies_on(tmp_path):
    mess = tmp_path / "mess.toml"
    mess.write_text('base = "wafu"\nsource = "the mess of HMS Nowhere"\n[options]\nvar_a = true\n')
    alone = tmp_path / "alone.toml"
    alone.write_text("[options]\nvar_a = true\n")
    assert origin_of("submariners") == ("uckers.co.uk, Submariners Rules", "submariners")
    assert origin_of(str(mess)) == ("the mess of HMS Nowhere", "wafu")
    assert origin_of(str(alone)) == ("", None)
