"""What is said of wrong boards is true: random slips, an oracle for each sentence, and the oracle itself."""

import ast
import re
from itertools import islice
from pathlib import Path

import pytest

from tools.slips import kinds, oracle
from tools.slips.__main__ import figures_of, heard_in, lengths_of, main
from tools.slips.kinds import OUT_OF_TURN, SLIPS
from tools.slips.oracle import untrue
from tools.slips.tried import tried, tried_settings
from uckers_table.game import playing
from uckers_table.game.match import begin
from uckers_table.game.position import position_from
from uckers_table.game.rules import known_rules
from uckers_table.game.setting import load_setting


@pytest.fixture(scope="module")
def heard():
    """Two parts of what `python -m tools.slips` hears. One goes once through every rule set."""
    return [each for part in (0, 1) for each in heard_in(67, part, 2500)]


def test_no_sentence_is_untrue(heard):
    assert [(each.said, each.untrue, each.where) for each in heard if each.untrue] == []


def test_sentences_are_short(heard):
    middle, most, longest = lengths_of([each.said for each in heard])
    assert (middle <= 10, most <= 14, longest <= 20) == (True, True, True)


def test_every_kind_of_slip_happens_under_every_rule_set(heard):
    assert {each.kind for each in heard} == {*SLIPS, *OUT_OF_TURN}
    assert {each.where.partition(",")[0] for each in heard} == {*known_rules()}
    assert {setting.rules.name for setting in tried_settings()} == {*known_rules()}


def test_the_oracle_knows_nothing_of_how_sentences_are_made():
    for module in (oracle, kinds):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not [name for name in names if "announce" in name]


def stands(dice, before, after, rules="br4006", to_play="red", players=None, **options):
    """A match with a throw in hand, and a board that somebody made of it."""
    setting = load_setting(rules, options, players=players)
    match = begin(setting, to_play=to_play, position=position_from(setting.board, before), turns_taken=1)
    match = playing.throw(match, dice).match
    return match, position_from(setting.board, after, match.position)


COUNTED = stands((6, 2), {"red": (10, 20, 57, 57)}, {"red": (17, 20, 57, 57)})
HALF = stands((6, 2), {"red": (10, 20, 57, 57)}, {"red": (16, 20, 57, 57)})
THROUGH = stands((5, 4), {"red": (10, 30, 57, 57), "blue": (26, 26, 0, 0)}, {"red": (19, 30, 57, 57)})
LEFT = stands((5, 2), {"red": (10, 57, 57, 57), "blue": (30, 0, 0, 0)}, {"red": (17, 57, 57, 57)})
UNEARNED = stands(
    (5, 2),
    {"red": (10, 57, 57, 57), "blue": (20, 0, 0, 0)},
    {"red": (17, 57, 57, 57), "blue": (0, 0, 0, 0)},
)
MATES = stands((5, 2), {"red": (10, 20, 57, 57), "yellow": (7, 0, 0, 0)}, {"yellow": (14, 0, 0, 0)})
HOME = stands((5, 4), {"red": (20, 55, 57, 57)}, {"red": (24, 57, 57, 57)})
OUT = stands((5, 2), {"red": (0, 10, 57, 57)}, {"red": (1, 12, 57, 57)})
BESIDES = stands(
    (5, 2),
    {"red": (10, 57, 57, 57), "blue": (20, 0, 0, 0)},
    {"red": (17, 57, 57, 57), "blue": (22, 0, 0, 0)},
)
KEPT_IN = stands((6, 2), {"red": (0, 10, 57, 57)}, {"red": (0, 16, 57, 57)}, exit_optional="forced")
BACK = stands((5, 2), {"red": (10, 57, 57, 57)}, {"red": (5, 57, 57, 57)})


@pytest.mark.parametrize(
    ("board", "true", "false"),
    [
        (
            COUNTED,
            "Illegal. Red moved 7; the dice said 6 and 2.",
            [
                "Timber shift. Red moved 7; the dice said 6 and 2.",
                "Illegal. Red moved 8; the dice said 6 and 2.",
                "Illegal. Red moved 7; the dice said 6 and 1.",
                "Illegal. Yellow moved 7; the dice said 6 and 2.",
                "Illegal. Red moved 7 and 2; the dice said 6 and 2.",
                "Illegal. Red came out and moved 7; the dice said 6 and 2.",
                "Illegal. It takes a six to come out.",
                "Illegal. Red still has the 2 to play.",
                "Illegal. Red went through blue's blob.",
                "Illegal. Nobody knows.",
            ],
        ),
        (
            HALF,
            "Illegal. Red still has the 2 to play.",
            [
                "Illegal. Red still has the 6 to play.",
                "Illegal. Red still has a 2 to play.",
                "Illegal. A six brings one piece out.",
                "Illegal. Green still has the 2 to play.",
                "Illegal. Red moved 6; the dice said 6 and 2.",
            ],
        ),
        (
            THROUGH,
            "Illegal. Red went through blue's blob.",
            [
                "Illegal. Red went through green's blob.",
                "Illegal. Red and yellow went through blue's blob.",
                "Illegal. Red went through two of blue's blobs.",
                "Illegal. Red landed on blue's blob.",
                "Illegal. Red went through blue's blob. Put it two back.",
            ],
        ),
        (
            LEFT,
            "Illegal. Red landed on blue; blue goes to base.",
            [
                "Illegal. Red landed on green; green goes to base.",
                "Illegal. Yellow landed on blue; blue goes to base.",
                "Illegal. The wrong blue was sent back.",
                "Illegal. Nobody landed on blue. Put it back.",
            ],
        ),
        (
            UNEARNED,
            "Illegal. Nobody landed on blue. Put it back.",
            [
                "Illegal. Nobody landed on green. Put it back.",
                "Illegal. Nobody landed on blue. Put it two back.",
                "Illegal. Nobody landed on one of blue's pieces. Put it back.",
                "Illegal. Red landed on blue; blue goes to base.",
                "Illegal. Blue is safe on that square. Put it back.",
            ],
        ),
        (
            MATES,
            "Illegal. Red moved yellow. Put it back.",
            [
                "Illegal. Red moved blue. Put it back.",
                "Illegal. Red moved yellow. Put it five back.",
                "Illegal. Red moved two yellow pieces. Put them back.",
            ],
        ),
        (
            HOME,
            "Illegal. Red needs exactly 2 for home.",
            [
                "Illegal. Red needs exactly 3 for home.",
                "Illegal. Red needs another 2 for home.",
                "Illegal. Green needs exactly 2 for home.",
            ],
        ),
        (
            OUT,
            "Illegal. It takes a six to come out.",
            [
                "Illegal. It takes a six or a one to come out.",
                "Illegal. A six brings one piece out.",
                "Illegal. The six was used twice.",
                "Illegal. The doorstep is where you come out; count from the next.",
            ],
        ),
        (
            BESIDES,
            "Illegal. And blue, three short of green's mouth: put it two back.",
            [
                "Illegal. And blue, four short of green's mouth: put it two back.",
                "Illegal. And blue, three short of green's mouth: put it three back.",
                "Illegal. And blue, three short of green's mouth.",
                "Illegal. And red, three short of green's mouth: put it two back.",
            ],
        ),
        (
            KEPT_IN,
            "Illegal. A six brings one piece out.",
            [
                "Illegal. A two brings one piece out.",
                "Illegal. It takes a six to come out.",
                "Illegal. Red still has the 2 to play.",
                "Illegal. The six was used twice.",
            ],
        ),
        (
            BACK,
            "Illegal. Red moved backwards. Put it five on.",
            [
                "Illegal. Red moved backwards. Put it five back.",
                "Illegal. Blue moved backwards. Put it five on.",
                "Illegal. Red went past its own chute.",
            ],
        ),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
def test_the_oracle_tells_true_from_untrue(board, true, false):
    assert untrue(true, *board) == []
    assert [said for said in false if not untrue(said, *board)] == []


def test_the_oracle_notices_nearly_every_sentence_with_a_number_changed():
    # Some of them stay true: a piece put one square farther may stand on another legal board.
    changed = noticed = 0
    for each in islice(tried("numbers"), 400):
        for number in re.finditer(r"\b[1-8]\b", each.said):
            told = f"{each.said[: number.start()]}{int(number[0]) + 1}{each.said[number.end() :]}"
            changed += 1
            noticed += bool(untrue(told, each.match, each.board))
    assert changed > 300
    assert noticed >= 0.97 * changed


def test_figures_tell_untrue_sentences_by_kind(heard):
    wrong = heard[0]._replace(untrue=["a claim"])
    told = [*figures_of([wrong, *heard[1:]])]
    assert told[1:3] == ["1 untrue sentences", f"  {wrong.kind}: 1"]


def test_the_command_prints_figures_and_sentences_to_read(capsys):
    assert main(["--slips", "40", "--seed", "3", "--read", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "0 untrue sentences"
    assert lines[2].startswith("words a sentence: median ")
    assert "wrong_count:" in lines
