"""`uckers-table rules`: every rule has words, every line its source, and a player recognises his game."""

import json
import re
from collections import Counter
from unittest import mock

import pytest

from tests.ids import begins
from uckers_table.announce.rules_in_words import (
    book,
    edition,
    known_sets,
    rule_choices,
    rule_differences,
    rule_lines,
    rule_warnings,
    spoken_value,
)
from uckers_table.announce.rules_pages import differences_page, rules_page
from uckers_table.commands.cli import main
from uckers_table.errors import RecordError
from uckers_table.game.fixed import FIXED
from uckers_table.game.options import COUNTED, OPTIONS
from uckers_table.game.rules import known_rules
from uckers_table.record.kept_rules import keep_rules, kept_files

ENTRIES = book().entries
OF_THE_TABLE = {"arms", "arm_length", "doorstep_position", "colour_order", "player_count"}


def said(typed, section):
    """A section's lines as pairs of words and source."""
    return [(line.text, line.source) for line in rule_lines(edition(typed)) if line.section == section]


def source_of(typed, option):
    """The source that a set's line on an option names."""
    (source,) = {line.source for line in rule_lines(edition(typed), unsaid=True) if line.option == option}
    return source


@pytest.mark.parametrize("option", sorted(OPTIONS))
def test_every_value_of_every_option_has_words_and_no_other_has(option):
    worded = {value for entry in ENTRIES if entry.option == option for value in entry.words}
    assert worded == {spoken_value(value) for value in OPTIONS[option]} | (
        {"any"} if option in COUNTED else set()
    )


def test_every_rule_without_a_choice_has_words():
    assert {rule for entry in ENTRIES for rule in entry.fixed} == set(FIXED) | OF_THE_TABLE


def test_conditions_ask_for_values_that_there_are():
    asked = {
        (option, value)
        for entry in ENTRIES
        for condition in (entry.section_when, *entry.when)
        for option, values in condition.items()
        for value in values
    }
    known = {(option, spoken_value(value)) for option, values in OPTIONS.items() for value in values}
    assert asked - known == set()


def test_sources_are_a_known_text_and_a_place_in_it():
    sources = [source for entry in ENTRIES for words in entry.words.values() for source in words.says]
    place = r"( (?!with|read|overruled)\S+)+"
    ruled = r"( (with ruling A\d\d|overruled by ruling A\d\d|read with \S+))?"
    form = re.compile(rf"({'|'.join(book().text_names)}){place}{ruled}")
    assert [source for source in sources if not form.fullmatch(source)] == []


def test_the_list_has_every_set_of_the_program():
    assert sorted(each.name for each in known_sets()) == sorted(known_rules())


@pytest.mark.parametrize("name", known_rules())
def test_no_set_says_the_same_thing_twice(name):
    counted = Counter(line.text for line in rule_lines(edition(name), unsaid=True))
    assert [text for text, times in counted.items() if times > 1] == []


# Whole sections, written out from the texts: a set is worth nothing if a player doesn't recognise it.


def test_a_wafu_recognises_his_start():
    assert said("wafu", "Starting") == [
        ("The rules are chosen before the throw-off, and hold to the end.", "silent; ruling A76"),
        ("Everybody throws both dice, in turn; the highest score starts.", "WIKI dice"),
        ("Those who tie for highest throw again, and only they.", "silent; ruling A09"),
        (
            "The winning throw is not played: whoever starts begins with a fresh one.",
            "silent; ruling A10",
        ),
        ("Turns go round clockwise.", "silent; as MU play"),
        (
            "Snake eyes, one and one at the very start, bring all your pieces out onto your doorstep.",
            "WIKI exit",
        ),
        ("Snake eyes count on your own first throw of the match only.", "WIKI exit"),
        ("Snake eyes must be called before you throw; afterwards is too late.", "WIKI exit"),
        ("Snake eyes bring out your own pieces, not your partner's.", "WIKI exit"),
        (
            "On snake eyes enemy pieces on your doorstep are knocked off and your partner's are joined; "
            "an enemy blob there keeps you all in.",
            "silent; ruling A16",
        ),
        ("Snake eyes again on your next throw, and all that came out go back in.", "WIKI exit"),
        ("Snake eyes end your turn, in or out; the double earns nothing.", "WIKI exit"),
    ]


def test_suckback_with_one_die():
    assert said("couk_suckback", "Suckback and blowback") == [
        (
            "Suckback: from an enemy's mouth you may call on a piece in his chute, to suck it back.",
            "SUCK call pos",
        ),
        ("To call suckback your piece must have stood on the mouth since an earlier turn.", "SUCK pos"),
        ("Call suckback before you throw, and say the number.", "SUCK play"),
        (
            "The number is how far up the chute the other piece stands: one for the first coloured square.",
            "SUCK play",
        ),
        ("Suckback is thrown with one die.", "SUCK play"),
        ("A suckback six that does not hit gives you no other throw.", "silent; our ruling"),
        ("A suckback hit sends the piece you called to its base, and no other.", "SUCK o1 n2"),
        ("After a suckback hit your piece goes one square on.", "SUCK o1"),
        ("After a suckback miss your piece goes one square on.", "SUCK o2"),
        ("You have one try at a suckback.", "SUCK o2"),
        (
            "Going one on, your piece knocks off or joins what it lands on. An enemy blob ahead keeps it "
            "where it is, and then it may not call again from there.",
            "SUCK *",
        ),
        ("In a suckback nothing else moves, and hit or miss your turn ends.", "SUCK o2 with ruling A63"),
        ("A blob in its chute can't be sucked back.", "SUCK n1"),
        (
            "You may call suckback out of a blob of your own, but not out of a mixi blob.",
            "silent; ruling A66",
        ),
        ("Where there is suckback, home takes the exact number.", "silent; as WIKI home"),
        ("There is no blowback.", "silent; ruling A67"),
    ]


def test_where_there_is_no_suckback_one_line_says_so():
    assert said("br4006", "Suckback and blowback") == [("There is no suckback.", "BR r10a")]


def test_ludo_knows_nothing_of_challenges():
    sections = {line.section for line in rule_lines(edition("masters_ludo"))}
    assert not sections & {"Blobs", "Challenging", "Mixi blobs", "Suckback and blowback"}
    words = " ".join(line.text.lower() for line in rule_lines(edition("masters_ludo")))
    assert re.findall(r"blob|challenge|snake|suckback|both dice|partner", words) == []


def test_what_a_house_rule_gives_no_other_line_takes_away():
    house = edition("masters_ludo+base_throws=3+capture_extra_throw=true+home_extra_throw=true")
    told = [line.text for line in rule_lines(house)]
    assert [text for text in told if re.search(r"\btries\b|\bearns?\b|throw a turn", text)] == [
        "With nothing on the board you have three tries to bring a piece out.",
        "A six earns another throw.",
        "Knocking somebody off earns another throw, on top of a six's.",
        "A piece brought home earns another throw, unless it is the last.",
    ]


# What can go wrong with a set.


@pytest.mark.parametrize("name", known_rules())
def test_no_set_of_this_program_needs_a_warning(name):
    assert rule_warnings(edition(name).rules) == ()


@pytest.mark.parametrize(
    ("typed", "is_warned"),
    [
        ("oldwiki+superblob_mobility=frozen", True),
        ("masters_ludo+superblob_mobility=frozen", True),
        # Nobody's third piece may join two.
        ("oldwiki+superblob_mobility=frozen+superblob_allowed=false+snake_eyes_out=false", False),
        # But snake eyes bring all four to one square.
        ("oldwiki+superblob_mobility=frozen+superblob_allowed=false", True),
    ],
    ids=begins,
)
def test_a_set_that_can_stand_still_warns_on_page_and_card(tmp_path, capsys, typed, is_warned):
    assert main(["rules", typed]) == 0
    head = capsys.readouterr().out.split("THE BOARD")[0]
    assert ("Mind:" in head) is is_warned
    file = tmp_path / "card.html"
    assert main(["rules", typed, "--card", str(file)]) == 0
    assert ("<strong>Mind: Three or more" in file.read_text()) is is_warned
    assert any(line.warns for line in rule_lines(edition(typed))) is is_warned


# Where a line comes from.


@pytest.mark.parametrize(
    ("typed", "option", "source"),
    [
        ("br4006", "challenge_opening_double_six", "BR r8c"),
        ("br4006", "throw_off_tie", "silent; ruling A09"),
        ("br4006", "penalty_scope", None),
        ("submariners", "high_die_order", "SUB b4"),
        ("submariners", "break_barrier_forced", "SUB b5, CO r8f with ruling A33"),
        ("submariners", "extra_any_double", "CO r6b"),
        ("wafu", "mixed_stack_order", "WIKI wafu3"),
        ("wiki", "mixed_stack_order", "silent; ruling A50"),
        ("masters_uckers", "challenge_persistence", "MU blob2"),
        ("couk+var_a", "intermediate_capture", "VAR A"),
        ("br4006+var_g", "suckback_attempts", "VAR G3"),
        ("br4006+var_g", "suckback_timing", "VAR G2"),
        ("br4006+snake_eyes_out=true", "snake_eyes_out", "house rule, as SUB b6"),
        ("br4006+throw_off_tie=first_thrower", "throw_off_tie", "house rule"),
        # Already so in the set: nothing was changed.
        ("br4006+throw_off_tie=rethrow_tied", "throw_off_tie", "silent; ruling A09"),
    ],
)
def test_the_source_is_that_of_the_value_in_force(typed, option, source):
    if source is None:
        assert option not in {line.option for line in rule_lines(edition(typed), unsaid=True)}
    else:
        assert source_of(typed, option) == source


def test_rules_that_a_variation_brings_with_it_are_its_own():
    found = dict(said("br4006+var_g", "Suckback and blowback"))
    assert found["Call suckback before you throw, and say the number."] == "VAR G2"


def test_a_mess_prints_its_own_rules(tmp_path):
    mess = tmp_path / "mess.toml"
    mess.write_text('base = "wafu"\nsource = "Four mess"\n[options]\nvar_a = true\nbeer_fine = 3\n')
    ours = edition(str(mess), ["exit_throw=1_or_6"])
    assert (ours.name, ours.source) == (
        "mess+exit_throw=1_or_6",
        "Four mess, on top of wafu, with variation A",
    )
    changed = {line.option: (line.text, line.source) for line in rule_lines(ours)}
    assert changed["beer_fine"] == (
        "The loser stands 3 crates of beer, and drinks them with the winner and guests.",
        "house rule, as SUB b7",
    )
    assert changed["exit_throw"][1] == "house rule, as ML var"
    assert changed["intermediate_capture"][1] == "VAR A"
    assert changed["mixed_stack_order"][1] == "WIKI wafu3"


# What can be chosen.


@pytest.mark.parametrize("name", known_rules())
def test_every_rule_that_can_be_chosen_has_its_values_in_different_words(name):
    one = edition(name)
    choices = rule_choices(one, one)
    assert [each.option for each in choices if len(set(each.words.values())) != len(each.words)] == []
    assert [each.option for each in choices if each.value not in each.words] == []
    said = {line.option: line.text for line in rule_lines(one, unsaid=True) if line.option}
    assert {each.option: each.words[each.value] for each in choices}.items() <= said.items()


def test_a_value_that_the_list_does_not_have_is_among_those_of_its_rule():
    (beer,) = (
        each
        for each in rule_choices(edition("br4006"), edition("br4006+beer_fine=3"))
        if each.option == "beer_fine"
    )
    assert (beer.usual, list(beer.words)) == ("off", ["off", 1, 3])
    assert beer.words[3].startswith("The loser stands 3 crates")


# What differs.


def test_what_differs_is_all_that_differs():
    found = rule_differences(edition("couk"), edition("couk+var_c"))
    assert [(each.left and each.left.text, each.right and each.right.text) for each in found] == [
        (
            "A total is stopped by an enemy blob anywhere on its way, half-way square included.",
            "A piece's total is stopped by an enemy blob anywhere on its way, half-way square included.",
        ),
        (
            "A blob never takes a blob by moving: only sixes shift one.",
            "Blob takes blob: on a double two pieces go together from your blob, one die each. If they land "
            "exactly on an enemy blob it goes to base, and yours stands there.",
        ),
        (None, "Blob takes blob from one to six squares off, as the double says."),
        (
            None,
            "Size does not matter to blob takes blob: two of your pieces go, and take two, three or four.",
        ),
        (
            None,
            "Blob takes blob is a move, not a challenge: you keep any throw that the double earned.",
        ),
        (
            "No blob jumps over a blob.",
            "Blob jumps blob: on a double big enough two pieces of your blob go over any enemy blobs in the "
            "way together.",
        ),
        (None, "A mixi blob never takes a blob."),
    ]


def test_the_usual_value_is_said_where_the_other_set_has_another():
    (found,) = rule_differences(edition("couk"), edition("couk+beer_fine=1"))
    assert found.left.text == "No beer is owed."


def test_ludo_against_uckers_keeps_each_section_together():
    sections = [each.section for each in rule_differences(edition("western_ludo"), edition("wafu"))]
    assert sections == sorted(sections, key=sections.index)


def test_side_by_side():
    left, right = edition("wiki"), edition("wiki+challenge_forced=true")
    assert differences_page(left, right, rule_differences(left, right), 60) == (
        "wiki                            wiki+challenge_forced=true\n"
        "Wikipedia, Uckers               Wikipedia, Uckers\n"
        "\n"
        "CHALLENGING\n"
        "You never have to challenge.    You must challenge if the\n"
        "[WIKI attack]                   six has no other use. [house\n"
        "                                rule, as SUB b4]\n"
        "\n"
        "SUB: uckers.co.uk, Submariners Rules; WIKI: Wikipedia,\n"
        "Uckers, with the WAFU rules.\n"
    )


# On paper.


@pytest.mark.parametrize("width", [40, 59, 60, 80, 100])
@pytest.mark.parametrize("name", known_rules())
def test_a_page_fits_its_width_in_plain_letters(name, width):
    one = edition(name)
    page = rules_page(one, rule_lines(one), width)
    assert max(map(len, page.splitlines())) <= width
    assert page.isascii()


def test_on_a_narrow_page_the_source_stands_behind_its_line():
    one = edition("masters_ludo")
    assert rules_page(one, rule_lines(one)[5:6], 59).split("WHOM\n")[1].split("\n\n")[0] == (
        "- One die is thrown. [ML equip]"
    )


def test_a_section_as_it_is_printed():
    one = edition("masters_ludo")
    found = [line for line in rule_lines(one) if line.section == "Extra throws"]
    assert rules_page(one, found, 80).split("EXTRA THROWS\n")[1].split("\n\n")[0] == (
        "- A six earns another throw.                              [ML play]\n"
        "- An extra throw is yours even if the six could not be    [ML play with ruling\n"
        "  used.                                                   A82]\n"
        "- Move first, then throw again.                           [silent; ruling A29]\n"
        "- An extra throw must be taken, like it or not.           [silent; ruling A28]\n"
        "- There is no limit: six after six goes on earning        [silent; ruling A80]\n"
        "  throws.\n"
        "- Knocking somebody off earns no throw.                   [silent; our ruling]"
    )


# The command.


def test_json_has_a_line_for_each_rule(capsys):
    assert main(["rules", "br4006", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {
        "section": "Challenging",
        "text": "You can't challenge with the throw that brought your piece up, only from the next one on. "
        "Move or attack, never both in one throw.",
        "option": "challenge_timing",
        "value": "next_throw",
        "warns": False,
        "source": "BR r8d",
    } in found
    assert {
        "section": "Getting out",
        "text": "A double six brings two out.",
        "option": None,
        "value": None,
        "warns": False,
        "source": "BR r4",
    } in found


def test_json_of_the_list_and_of_differences(capsys):
    assert main(["rules", "--json"]) == 0
    names = [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]
    assert names[0] == "br4006"
    assert main(["rules", "wiki", "wiki+challenge_forced=true", "--json"]) == 0
    (found,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (found["section"], found["left"]["value"], found["right"]["value"]) == ("Challenging", False, True)


def test_kept_rules_come_first_in_the_list_and_are_named_as_they_are_kept(tmp_path, capsys):
    keep_rules(tmp_path, "Our mess", "wafu", {"var_a": True})
    keep_rules(tmp_path, "Torn", "wafu", {})
    kept_files(tmp_path)["Torn"].write_text("base =")
    record = ["--record", str(tmp_path)]
    assert main(["rules", *record]) == 0
    assert capsys.readouterr().out.startswith(
        "Our mess\n    on top of wafu, with variation A; two dice. A set of"
    )
    assert main(["rules", "--json", *record]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["name"] for each in listed[:3]] == ["Our mess", "Torn", "br4006"]
    assert (listed[1]["source"], "no TOML file" in listed[1]["known_by"]) == ("cannot be read", True)
    assert main(["rules", "our mess+var_c", "wafu", *record]) == 0
    assert "Our mess+var_c" in capsys.readouterr().out.splitlines()[0]


def test_a_card_that_gives_no_kept_rules_keeps_nobody_from_those_of_the_program(tmp_path, capsys):
    fails = RecordError("rules: cannot be read now")
    with mock.patch("uckers_table.record.kept_rules.kept_files", side_effect=fails):
        assert main(["rules", "wafu", "--record", str(tmp_path)]) == 0
        assert main(["rules", "--record", str(tmp_path)]) != 0
    assert "cannot be read now" in capsys.readouterr().err


def test_a_card_needs_nothing_from_elsewhere_and_has_every_line(tmp_path):
    file = tmp_path / "card.html"
    assert main(["rules", "western_ludo", "--card", str(file)]) == 0
    page = file.read_text(encoding="utf-8")
    assert re.findall(r"https?:|src=|href=|url\(|@import", page) == []
    assert len(re.findall(r"<li>", page)) == len(rule_lines(edition("western_ludo")))
    assert "<h1>Ludo: western_ludo</h1>" in page


def test_a_card_of_two_says_what_is_different_in_the_second(tmp_path):
    file, mess = tmp_path / "card.html", tmp_path / "<mess>.toml"
    mess.write_text('base = "br4006"\n[options]\nchallenge_forced = true\nsuperblob_mobility = "frozen"\n')
    assert main(["rules", "br4006", str(mess), "--card", str(file)]) == 0
    page = file.read_text(encoding="utf-8")
    assert re.findall(r"https?:|src=|href=|url\(|@import|<mess>", page) == []
    assert "<p>What is different from br4006</p>" in page
    assert "<strong>Mind: Three or more on a square stay there" in page
    assert re.findall("<li>(.*)</li>", page) == [
        "<span>Three or more on a square can&#x27;t be moved.<br>"
        "<small>br4006: Pieces leave a blob one by one; a stack never moves as a whole.</small></span>",
        "<span>You must challenge if the six has no other use.<br>"
        "<small>br4006: You never have to challenge.</small></span>",
    ]
    assert main(["rules", "wafu", "br4006+var_c", "--card", str(file)]) == 0
    assert "<span>No such rule.<br><small>wafu: " in file.read_text(encoding="utf-8")
    assert main(["rules", "wafu", "wafu", "--card", str(file)]) == 0
    assert "Played as wafu, in every rule" in file.read_text(encoding="utf-8")


def test_a_card_shows_what_a_mess_wrote_as_text(tmp_path):
    mess = tmp_path / "mess.toml"
    mess.write_text('source = "<b>bold & brave</b>"\n')
    assert main(["rules", str(mess), "--card", str(tmp_path / "card.html")]) == 0
    assert "<p>&lt;b&gt;bold &amp; brave&lt;/b&gt;</p>" in (tmp_path / "card.html").read_text()


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["wafo"], "there is no rule set 'wafo': did you mean 'wafu'?"),
        (["wafu", "couck"], "there is no rule set 'couck': did you mean 'couk'?"),
        (["br4006+var_h"], "there is no option 'var_h': did you mean"),
        (["br4006", "--option", "suckbak"], "there is no option 'suckbak': did you mean 'suckback'?"),
        (["br4006+exit_throw=5"], "exit_throw cannot be 5"),
        (["br4006+var_d+var_g"], "var_g excludes var_d"),
        (["masters_ludo+var_a"], "var_a is a variation of rules with two dice"),
        (["nowhere.toml"], "nowhere.toml: cannot be read"),
        (["wafu", "couk", "wiki"], "3 names given"),
        (["wafu", "couk", "wiki", "--card", "card.html"], "--card is written for one rule set"),
        (["--card", "card.html"], "--card is written for one rule set"),
        (["wafu", "--card", "no/such/folder/card.html"], "cannot be written"),
    ],
)
def test_what_cannot_be_used_gets_one_line(tmp_path, monkeypatch, capsys, words, answer):
    monkeypatch.chdir(tmp_path)
    assert main(["rules", *words]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert answer in captured.err
    assert list(tmp_path.iterdir()) == []
