"""That the rules cases can fail: one rule is broken at a time, and a case named here must notice.

Most rules are broken by giving an option another value than the case is judged under, or by judging the
case under a neighbouring rule set: `broken_rules.toml` lists these. Where a rule is no option, one public
function is made to forget it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from uckers_table.errors import RulesError
from uckers_table.game import finish, judging, playing, plays, scenario_file, throws
from uckers_table.game.match import Step
from uckers_table.game.options import OPTIONS
from uckers_table.game.plays import Licence, Lister
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Kind
from uckers_table.game.scenario import judge
from uckers_table.game.scenario_file import read_scenarios
from uckers_table.game.setting import Setting, load_setting
from uckers_table.game.survey import survey

SCENARIOS = Path(__file__).parent.parent / "scenarios"
HEADING = "[[scenario]]\n"


def cases_by_name():
    """The text of every case by its name; names that stand twice are left out."""
    texts = [
        HEADING + text
        for path in sorted(SCENARIOS.glob("*.toml"))
        for text in path.read_text(encoding="utf-8").split(HEADING)[1:]
    ]
    names = [json.loads(re.search(r'^name = (".*")$', text, re.M)[1]) for text in texts]
    seen = Counter(names)
    return {name: text for name, text in zip(names, texts, strict=True) if seen[name] == 1}


CASES = cases_by_name()
BROKEN = tomllib.loads(Path(__file__).with_name("broken_rules.toml").read_text(encoding="utf-8"))


def failures(path):
    """What of a file's one case is not as expected, or what makes no sense any more under other rules."""
    (scenario,) = read_scenarios(path)
    try:
        judged = [*judge(scenario, lambda ruling, board: "")]
    except RulesError as error:
        return [str(error)]
    return [(found.index, found.failed) for found in judged if found.failed]


@pytest.fixture
def case(tmp_path):
    """A case by its name, in a file of its own."""

    def alone(name):
        path = tmp_path / "case.toml"
        path.write_text(CASES[name], encoding="utf-8")
        return path

    return alone


def judge_under(monkeypatch, rules=None, options: Mapping[str, object] | None = None):
    """Every case from here on is judged under other rules, or with options changed."""

    def other_setting(name, given=None, **geometry):
        return load_setting(rules or name, {**(given or {}), **(options or {})}, **geometry)

    monkeypatch.setattr(scenario_file, "load_setting", other_setting)


def changes(broken):
    """The options that are changed, and to what."""
    return ", ".join(f"{name} = {value}" for name, value in broken.items() if name != "case")


@pytest.mark.parametrize("broken", BROKEN["options"], ids=changes)
def test_a_case_notices_that_an_option_has_changed(monkeypatch, case, broken):
    path = case(broken["case"])
    assert failures(path) == []
    judge_under(monkeypatch, options={name: value for name, value in broken.items() if name != "case"})
    assert failures(path) != []


@pytest.mark.parametrize(
    "broken", BROKEN["neighbours"], ids=lambda broken: f"{broken['rules']}, {broken['under']}"
)
def test_a_rule_set_is_told_from_its_neighbour(monkeypatch, case, broken):
    path = case(broken["case"])
    assert f'rules = "{broken["rules"]}"' in CASES[broken["case"]]
    assert failures(path) == []
    judge_under(monkeypatch, rules=broken["under"])
    assert failures(path) != []


def test_every_option_that_cases_can_tell_is_broken():
    # What is said, kept in the record, or looked after by the referee and the table.
    untold = {"needle_touch_wood", "dice_off_call", "name_on_reverse", "beer_fine", "exhibition"}
    elsewhere = {"dice_off_edge", "timber_caller", "rules_agreement", "dice_on_pieces"}
    broken = {name for each in BROKEN["options"] for name in each if name != "case"}
    assert set(OPTIONS) - broken == untold | elsewhere


def test_every_rule_set_is_told_from_some_neighbour():
    assert {broken["rules"] for broken in BROKEN["neighbours"]} == set(known_rules())


# Rules that are no option: one function forgets one of them.


@dataclass(frozen=True)
class Forgetful:
    """What the engine is made to forget, how, and the case that must notice."""

    what: str
    breaks: Callable[[pytest.MonkeyPatch], None]
    name: str


def licensed(**licence):
    """The listing of plays allows what it only allows itself to explain an illegal board."""

    granted = Licence(**licence)
    return lambda patch: patch.setattr(throws, "Lister", lambda situation: Lister(situation, granted))


def surveyed(**blind):
    """The listing of plays does not see some of the pieces on the track."""
    return lambda patch: patch.setattr(plays, "survey", lambda here: survey(here)._replace(**blind))


def either_die(patch):
    """The lower die may be chosen though the higher can be played."""
    listed = Lister.plays

    def lax(self, dice):
        one_alone = len(dice) == 2 and not self.two_dice_plays(dice)
        return listed(self, dice) + (self.one_die_plays(min(dice)) if one_alone else [])

    patch.setattr(Lister, "plays", lax)


def no_throw_earned(patch):
    """No throw earns another."""
    good_throw = throws.good_throw
    patch.setattr(throws, "good_throw", lambda match, dice: poorer(good_throw(match, dice)))


def poorer(step):
    return Step(replace(step.match, extra=0), step.rulings) if step.match.awaiting == "play" else step


def turn_kept(patch):
    """Who wins a challenge throws on."""
    counted = throws.counted_challenge

    def greedy(match, challenge, kind):
        step = counted(match, challenge, kind)
        won = step.rulings[-1].kind is Kind.CHALLENGE_WON
        return Step(replace(step.match, to_play=match.to_play, extra=1), step.rulings) if won else step

    patch.setattr(throws, "counted_challenge", greedy)


def barrier_spared(patch):
    """A challenge that is won sends nobody to base."""
    won = throws.won_position
    patch.setattr(
        throws,
        "won_position",
        lambda setting, position, challenge: tuple(
            won(setting, position, challenge)[seat] if seat == challenge.seat else pieces
            for seat, pieces in enumerate(position)
        ),
    )


def honours_forgotten(which):
    """The end, or a loss, has no name."""
    return lambda patch: patch.setattr(judging, which, lambda *_: ())


def won_by_one(setting, position):
    """The match is won as soon as one colour is home."""
    return next((team for team in setting.teams if setting.is_home(position, team[0])), ())


def every_loss_is_dicking(setting, before, after):
    """One piece lost is enough for a dicking."""
    lost = any(0 in now and 0 not in then for then, now in zip(before, after, strict=True))
    return (finish.DICKING_MIDGAME,) if lost else ()


def always(kind):
    """Every board that does not follow is ruled in one way."""
    see = playing.see

    def hasty(match, position):
        step = see(match, position)
        wrong = (Kind.ILLEGAL, Kind.TIMBER_SHIFT)
        return Step(step.match, tuple(replace(r, kind=kind) if r.kind in wrong else r for r in step.rulings))

    return lambda patch: patch.setattr(playing, "see", hasty)


def nobodys_turn(patch):
    """Whose the pieces of a timber shift are is not looked at."""
    see = playing.see

    def careless(match, position):
        step = see(match, position)
        return Step(step.match, tuple(replace(ruling, reason=None) for ruling in step.rulings))

    patch.setattr(playing, "see", careless)


def silent_on(kind):
    """One kind of ruling is swallowed."""
    see = playing.see

    def mute(match, position):
        step = see(match, position)
        return Step(step.match, tuple(ruling for ruling in step.rulings if ruling.kind is not kind))

    return lambda patch: patch.setattr(playing, "see", mute)


FORGETFUL = [
    Forgetful("a six to come out", licensed(any_die_exits=True), "no six, nobody comes out"),
    Forgetful("blobs stop those who pass", licensed(pass_barriers=True), "a piece jumps an enemy blob"),
    Forgetful(
        "blobs stop those who land",
        licensed(land_on_barriers=True),
        "a blob stops an enemy landing and passing",
    ),
    Forgetful("home takes the exact score", licensed(past_home=True), "home with a die that is too high"),
    Forgetful(
        "the total is one move", licensed(splits=True), "the total knocks nobody off on the half-way square"
    ),
    Forgetful(
        "what lies under waits", licensed(unheld=True), "only the top piece of a mixed stack may leave (wafu)"
    ),
    Forgetful(
        "landing knocks off",
        surveyed(enemies=0),
        "landing on a lone enemy sends it to base, and earns nothing",
    ),
    Forgetful(
        "a blob keeps one in base",
        surveyed(barriers=0),
        "an enemy blob on the doorstep keeps everybody in; the throw is only good for a challenge",
    ),
    Forgetful("the higher die first", either_die, "either die could be played but not both: the higher one"),
    Forgetful("a six earns a throw", no_throw_earned, "a six earns one throw (br4006)"),
    Forgetful("a challenge won ends the turn", turn_kept, "a six too many is forfeited"),
    Forgetful(
        "a challenge won sends the blob back", barrier_spared, "from one's own blob one piece goes forward"
    ),
    Forgetful(
        "the gate",
        lambda patch: patch.setattr(Setting, "has_gate", False),
        "the gate: no six, then a six, which moves nothing and earns nothing",
    ),
    Forgetful(
        "it takes both colours to win",
        lambda patch: patch.setattr(judging, "winners", won_by_one),
        "one colour home is no win for the pair",
    ),
    Forgetful(
        "the honours of the end",
        honours_forgotten("honour_of_win"),
        "eight in harbour: all the opponents' pieces are in base",
    ),
    Forgetful(
        "an eight-piecer",
        honours_forgotten("honour_of_win"),
        "an eight-piecer: none of the opponents' pieces is home",
    ),
    Forgetful(
        "a dicking in mid-game",
        honours_forgotten("honour_of_loss"),
        "a mixed blob of eight is lost in one landing, and play goes on",
    ),
    Forgetful(
        "that a dicking takes all eight",
        lambda patch: patch.setattr(judging, "honour_of_loss", every_loss_is_dicking),
        "seven sent back at once are no dicking",
    ),
    Forgetful(
        "that the third fault is the last",
        lambda patch: patch.setattr(throws, "FAULT_LIMIT", 4),
        "three dropped in a row send the pieces back (couk)",
    ),
    Forgetful(
        "that two faults are two",
        lambda patch: patch.setattr(throws, "FAULT_LIMIT", 2),
        "three dropped in a row send the pieces back (couk)",
    ),
    Forgetful(
        "a timber shift is no play",
        always(Kind.ILLEGAL),
        "an opponent's piece moved while red has a throw to play",
    ),
    Forgetful(
        "the partner's piece is no timber",
        always(Kind.TIMBER_SHIFT),
        "the partner's piece moved with one's own throw",
    ),
    Forgetful("whose turn it is", nobodys_turn, "the piece was moved by another than the one to throw"),
    Forgetful("to see a board put right", silent_on(Kind.PUT_RIGHT), "six and two moved on a five and a two"),
]


@pytest.mark.parametrize("forgetful", FORGETFUL, ids=lambda forgetful: forgetful.what)
def test_a_case_notices_that_a_rule_is_forgotten(monkeypatch, case, forgetful):
    path = case(forgetful.name)
    assert failures(path) == []
    forgetful.breaks(monkeypatch)
    assert failures(path) != []
