"""What became of the cheats of an evening, counted from the people's own account, and told at its end."""

import pytest

from uckers_table.game.board import Plan
from uckers_table.game.match import begin
from uckers_table.game.setting import load_setting
from uckers_table.simulator.interfaces import Unpainted, Word
from uckers_table.simulator.people import Happening
from uckers_table.simulator.score import accused_wrongly, cheat_score
from uckers_table.simulator.world import SimulatedTable
from uckers_table.table.running import _score


def evening(word, cheats, monkeypatch):
    """The log of people who cheat, and hear this word of each cheat; with None, nothing."""
    monkeypatch.setattr("uckers_table.simulator.world.CHEAT_CHANCE", 0.25)
    people = SimulatedTable(
        begin(load_setting("br4006")),
        Unpainted(Plan()),
        None,
        lambda button: None,
        seed=5,
        cheats=cheats,
        max_throws=80,
    )
    told = 0
    while people.advance() is not None:
        if word is not None and len(people.planted) > told:
            told = len(people.planted)
            people.tell("Something is said.", word)
    return people


@pytest.mark.parametrize(
    ("word", "fate"), [(Word.ACCUSED, "called"), (Word.CHECK, "asked"), (None, "stood")], ids=str
)
def test_each_cheat_is_counted_once_by_what_was_said_of_it(word, fate, monkeypatch):
    people = evening(word, 5, monkeypatch)
    score = cheat_score(people.log)
    assert len(people.planted) == 5
    assert {kind: counts[fate] for kind, counts in score.items()} == {
        kind: sum(each.kind == kind for each in people.planted) for kind in score
    }
    assert sum(counts.total() for counts in score.values()) == 5
    assert accused_wrongly(people.log) == 0


def log(*entries):
    return [Happening(0.0, what, kind, ()) for what, kind in entries]


FAIR = log(("throw", "6 3"), ("play", ""))
CHEATS = log(
    *(("cheat", "padded"), ("called", "padded"), ("cheat", "timber_shift"), ("asked", "timber_shift")),
    *(("cheat", "padded"), ("stood", "padded"), ("cheat", "timber_shift"), ("called", "timber_shift")),
)


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        ([], []),
        (FAIR, ["Cheats:     none was tried"]),
        (
            FAIR + CHEATS,
            [
                "Cheats:     4 tried: 2 caught, 1 asked about, 1 missed; who played fair was never accused",
                "            caught by kind: counts too long 1 of 2, timber shifts 1 of 2",
            ],
        ),
        (
            log(("accused", "Illegal."), ("cheat", "wrong_side"), ("called", "wrong_side")),
            [
                "Cheats:     1 tried: 1 caught; who played fair was accused once",
                "            caught by kind: pieces of others 1 of 1",
            ],
        ),
        # The match ended while nobody had said anything yet.
        (
            log(("cheat", "trimmed")),
            [
                "Cheats:     1 tried: 0 caught, 1 missed; who played fair was never accused",
                "            caught by kind: counts too short 0 of 1",
            ],
        ),
    ],
    ids=["real table", "fair", "all kinds", "wrongly", "under way"],
)
def test_the_score_is_told_in_two_lines(truth, told):
    assert _score(truth) == told
