"""Rules kept by a name: whole or not at all, in any alphabet, and by no name that leads elsewhere."""

import errno
from unittest import mock

import pytest

from tests.ids import begins
from uckers_table.errors import InputError, RecordError
from uckers_table.game.rules import known_rules, load_rules
from uckers_table.record import kept_rules as kept
from uckers_table.record.kept_rules import (
    KEPT_RULES,
    MOST_KEPT,
    is_of_kept_rules,
    keep_rules,
    kept_files,
    kept_rules,
    take_rules_away,
)


def files(record):
    return sorted(each.name for each in (record / KEPT_RULES).iterdir())


def test_what_is_kept_is_such_a_file_as_anybody_may_write(tmp_path):
    options = {"var_g": True, "suckback_attempts": 1, "exit_throw": "1_or_6"}
    assert keep_rules(tmp_path, "Our mess", "br4006", options) == "Our mess"
    file = tmp_path / "rules" / "Our mess.toml"
    assert file.read_text().splitlines()[1:] == [
        'base = "br4006"',
        "",
        "[options]",
        "var_g = true",
        "suckback_attempts = 1",
        'exit_throw = "1_or_6"',
    ]
    ours, theirs = load_rules(str(file)), load_rules("br4006", options)
    assert [name for name in ours.__slots__ if getattr(ours, name) != getattr(theirs, name)] == ["name"]
    assert [(each.name, each.file, each.trouble) for each in kept_rules(tmp_path)] == [("Our mess", file, "")]


def test_a_set_on_top_of_one_that_is_kept_does_not_hang_on_it(tmp_path):
    keep_rules(tmp_path, "First", "wafu", {"var_a": True})
    first = str(kept_files(tmp_path)["First"])
    keep_rules(tmp_path, "Second", first, {"exit_throw": "1_or_6"})
    # On top of itself, too.
    keep_rules(tmp_path, "First", first, {"beer_fine": 1}, replaces=True)
    take_rules_away(tmp_path, "First")
    second = load_rules(str(kept_files(tmp_path)["Second"]))
    assert (second.intermediate_capture, second.exit_throw, second.beer_fine) == (True, "1_or_6", "off")


@pytest.mark.parametrize(
    "name",
    [
        "Ünser Møss",
        "Кают-компания",
        "海軍の食堂",
        "<b>bold & 'brave'",
        "-rf",
        "CON",
        pytest.param("🎲" * 40, id="forty dice"),
        "a.toml",
        "50%",
    ],
    ids=begins,
)
def test_a_name_has_any_alphabet(tmp_path, name):
    assert keep_rules(tmp_path, f"  {name} ", "wafu", {}) == name
    assert list(kept_files(tmp_path)) == [name]
    assert is_of_kept_rules(f"rules/{name}.toml")
    assert load_rules(str(kept_files(tmp_path)[name])).name == name
    take_rules_away(tmp_path, name)
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "../up",
        "a/b",
        "..",
        ".hidden",
        "a\\b",
        "nul\0",
        "a+b",
        "x" * 41,
        "\u202eover",
        "\ud800",
    ],
    ids=begins,
)
def test_no_name_leads_elsewhere_or_hides(tmp_path, name):
    with pytest.raises(InputError, match="a name"):
        keep_rules(tmp_path, name, "wafu", {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [*known_rules()[:2], "WAFU", "masters ludo"])
def test_a_set_of_the_program_keeps_its_name(tmp_path, name):
    with pytest.raises(InputError, match="comes with the program"):
        keep_rules(tmp_path, name, "br4006", {}, replaces=True)


def test_a_name_that_is_taken_is_replaced_only_if_somebody_says_so(tmp_path):
    keep_rules(tmp_path, "Our mess", "wafu", {})
    with pytest.raises(InputError, match="“Our mess” is kept already"):
        keep_rules(tmp_path, "our  MESS", "couk", {})
    assert load_rules(str(kept_files(tmp_path)["Our mess"])) == load_rules(
        str(kept_files(tmp_path)["Our mess"]), {"snake_eyes_out": True}
    )
    keep_rules(tmp_path, "our MESS", "couk", {}, replaces=True)
    assert files(tmp_path) == ["our MESS.toml"]
    assert 'base = "couk"' in kept_files(tmp_path)["our MESS"].read_text()


def test_rules_that_do_not_go_together_are_not_kept(tmp_path):
    with pytest.raises(InputError, match="var_g excludes var_d"):
        keep_rules(tmp_path, "Ours", "br4006", {"var_d": True, "var_g": True})
    assert list(tmp_path.iterdir()) == []


def test_no_more_are_kept_than_a_list_can_have(tmp_path):
    for number in range(MOST_KEPT):
        keep_rules(tmp_path, f"Set {number}", "wafu", {})
    with pytest.raises(InputError, match="take one away"):
        keep_rules(tmp_path, "One more", "wafu", {})
    keep_rules(tmp_path, "Set 7", "couk", {}, replaces=True)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_card_that_takes_nothing_leaves_what_was_there(tmp_path, number):
    keep_rules(tmp_path, "Ours", "wafu", {})
    before = kept_files(tmp_path)["Ours"].read_bytes()
    with (
        mock.patch("os.fsync", side_effect=OSError(number, "no")),
        pytest.raises(RecordError, match="“Ours” cannot be kept"),
    ):
        keep_rules(tmp_path, "Ours", "couk", {}, replaces=True)
    assert files(tmp_path) == ["Ours.toml"]
    assert kept_files(tmp_path)["Ours"].read_bytes() == before


def test_a_torn_file_is_named_and_can_be_taken_away(tmp_path):
    keep_rules(tmp_path, "Torn", "wafu", {"var_a": True})
    keep_rules(tmp_path, "Whole", "wafu", {})
    file = kept_files(tmp_path)["Torn"]
    file.write_bytes(file.read_bytes()[:-6])
    torn, whole = kept_rules(tmp_path)
    assert "is no TOML file" in torn.trouble
    assert whole.trouble == ""
    take_rules_away(tmp_path, "Torn")
    with pytest.raises(InputError, match="“Torn” is not kept any more"):
        take_rules_away(tmp_path, "Torn")
    assert list(kept_files(tmp_path)) == ["Whole"]


def test_what_is_no_set_in_the_folder_is_left_alone(tmp_path):
    keep_rules(tmp_path, "Ours", "wafu", {})
    for name in (".Ours.toml.part", "notes.txt", ".toml"):
        (tmp_path / KEPT_RULES / name).write_text("?")
    assert list(kept_files(tmp_path)) == ["Ours"]


def test_where_the_card_gives_no_list_that_is_said(tmp_path):
    keep_rules(tmp_path, "Ours", "wafu", {})
    with (
        mock.patch.object(kept.Path, "iterdir", side_effect=OSError(errno.EIO, "no")),
        pytest.raises(RecordError, match="cannot be read now"),
    ):
        kept_files(tmp_path)
