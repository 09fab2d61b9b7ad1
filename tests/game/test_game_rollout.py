"""Playing matches out: what a rollout does is what the judge does, whatever the rules."""

import ast
import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from tests.game.house_rules import HOUSE_RULES
from uckers_table import game
from uckers_table.game import playing
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import begin
from uckers_table.game.rollout import play_throw
from uckers_table.game.rules import known_rules
from uckers_table.game.setting import load_setting

GAME = Path(game.__file__).parent
TWO_PLAYERS = "br4006", {"two_player_turns": "combined"}, 2
# Bouncing is left out: a board does not always tell the judge which piece has bounced.
VARIATIONS = [
    ("couk", {"var_a": True, "var_c": True, "var_f": True}, 4),
    ("wafu", {"var_e": True, "challenge_forced": True}, 4),
    ("br4006", {"extra_timing": "throw_all_first", "finish_extra_throw": "gate"}, 4),
    ("oldwiki", {"pass_allowed": True, "superblob_mobility": "frozen"}, 4),
    ("submariners", {"arms": 6}, 6),
    ("couk", HOUSE_RULES, 4),
]


@pytest.mark.parametrize(
    ("rules", "options", "players"),
    [*((name, {}, 4) for name in known_rules()), TWO_PLAYERS, *VARIATIONS],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_rollout_and_the_judge_come_to_the_same_match(rules, options, players):
    setting = load_setting(rules, options, players=players)
    rolled = judged = begin(setting, to_play="red")
    throws = {number: list(product(range(1, 7), repeat=number)) for number in (1, 2)}
    chance = random.Random(f"{rules} {options}")
    for _ in range(400):
        if rolled.awaiting is Awaiting.OVER:
            break
        dice = chance.choice(throws[min(rolled.dice_wanted)])
        seed, wants = chance.random(), chance.random() < 0.5
        rolled = play_throw(
            rolled,
            dice,
            lambda plays, seed=seed: plays[int(seed * len(plays))],
            lambda pieces, wants=wants: pieces[0] if wants else None,
        )
        judged = playing.throw(judged, dice).match
        while judged.offer is not None:
            challengers = judged.challengers
            if challengers and (wants or judged.must_challenge):
                judged = playing.call(judged, Call("challenge", *challengers[0])).match
            elif judged.offer.plays:
                play = judged.offer.plays[int(seed * len(judged.offer.plays))]
                judged = left_or_seen(judged, play)
            else:
                judged = playing.call(judged, Call("decline")).match
        # What the board has still to catch up with is nothing to a rollout, which no board follows.
        assert replace(rolled, behind=None, thrown=()) == replace(judged, behind=None, thrown=())
        assert sum(map(len, rolled.position)) == 4 * setting.board.arms


def left_or_seen(match, play):
    """The match when a player has left the throw, or has played it and the board was seen."""
    if not play:
        return playing.call(match, Call("decline")).match
    return playing.see(match, match.offer.lister.after(play)).match


def test_only_who_copies_a_match_writes_to_it():
    """In the game's modules: an object that writes to itself aside, the one name written to is a copy's."""
    written = set()
    for path in GAME.glob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef) or function.name == "copy":
                continue
            nodes = list(ast.walk(function))
            copies = {
                ast.unparse(node.targets[0])
                for node in nodes
                if isinstance(node, ast.Assign) and ast.unparse(node.value).endswith(".copy()")
            }
            written |= {
                f"{path.stem}.{function.name}: {ast.unparse(node)}"
                for node in nodes
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
                if ast.unparse(node.value) not in {"self", *copies}
            }
    assert written == set()


def test_a_match_is_copied_whole_and_the_first_stays_as_it_was():
    match = begin(load_setting("wafu"), to_play="red", turns_taken=1)
    again = match.copy()
    assert again == match
    assert again is not match
    again.extra = 2
    assert (again.extra, match.extra) == (2, 0)
    assert match.with_turn(match.turn._replace(moved=True)).turn.moved
    assert not match.turn.moved
