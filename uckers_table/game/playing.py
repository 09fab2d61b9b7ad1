"""Playing a match: what each event does to it. The way in for everybody outside this package.

Every event's function takes a match and returns a `Step`: the match after it and the rulings it caused, in
order. Nothing is ever changed in place, so a caller can ask what a board *would* be by calling `see` and
looking at the rulings of a step it does not take.

Dice first settle what was left on the board; that is here. What throws, calls and boards do is written in
`throws`, `calls` and `judging`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from uckers_table.errors import RulesError
from uckers_table.game import judging, throws
from uckers_table.game.calls import call
from uckers_table.game.events import Awaiting
from uckers_table.game.judging import corrected, placed, see
from uckers_table.game.match import Match, Step
from uckers_table.game.ruling import Kind
from uckers_table.game.ways import SIX

__all__ = ["as_thrown_on", "call", "corrected", "fault", "placed", "see", "throw", "throw_off"]


def throw(match: Match, dice: Sequence[int]) -> Step:
    """A good throw by the seat that is to play (in the throw-off: for start).

    RulesError for impossible dice.
    """
    thrown = _checked(match, dice)
    if match.wrong_board is None and match.offer is None:
        return _thrown(match, thrown)
    return _settled_first(match, lambda settled: _thrown(settled, thrown))


def _thrown(match: Match, dice: tuple[int, ...]) -> Step:
    """A good throw. Who has stood up for the finish has walked away: it wins at once if it can.

    The board that the dice settled may ask for another number of them: then they are void.
    """
    if match.awaiting is Awaiting.THROW and len(dice) not in match.dice_wanted:
        why = f"{'one die' if match.dice_due == 1 else 'two dice'} to throw"
        return Step(match, (match.ruling(Kind.VOID, throw=match.thrown, why=why),))
    step = throws.good_throw(match, dice)
    return judging.finished_standing(step) if match.turn.called == "stand_up_finish" else step


def throw_off(match: Match, round_of_throws: Mapping[int, Sequence[int]]) -> Step:
    """A whole round of the throw-off at once, by seat; RulesError when others throw than are due."""
    due = match.starters[len(match.scores) :]
    if match.awaiting is not Awaiting.THROW_OFF or set(round_of_throws) != set(due):
        seats = ", ".join(match.board.seats[seat] for seat in due) or "nobody"
        raise RulesError(f"it is for {seats} to throw for start, and for nobody else")
    step = Step(match)
    for seat in due:
        thrown = throw(step.match, round_of_throws[seat])
        step = Step(thrown.match, step.rulings + thrown.rulings)
    return step


def fault(match: Match, kind: str, *, deliberate: bool = False) -> Step:
    """Dice 'cocked' or 'dropped', the latter on purpose if players judge so."""
    if kind not in (Kind.COCKED, Kind.DROPPED):
        raise RulesError(f"dice are 'cocked' or 'dropped', not {kind!r}")
    if deliberate and kind != Kind.DROPPED:
        raise RulesError("only dropped dice can be deliberate, not cocked ones")
    return _settled_first(
        match, lambda settled: throws.faulty_throw(settled, Kind(kind), deliberate=deliberate)
    )


def as_thrown_on(match: Match) -> Match:
    """The match as dice find it that are thrown now: what was left is settled, what was open declined."""
    found = _settled_first(match, Step).match
    is_declined = found.awaiting is Awaiting.PLAY and not (found.plays or found.must_challenge)
    return throws.spent(found).match if is_declined else found


def _checked(match: Match, dice: Sequence[int]) -> tuple[int, ...]:
    thrown, sizes = tuple(dice), match.dice_wanted
    if len(thrown) in sizes and all(type(die) is int and 1 <= die <= SIX for die in thrown):
        return thrown
    number = "one die" if sizes == {1} else f"{' or '.join(map(str, sorted(sizes)))} dice"
    raise RulesError(f"{list(dice)} is no throw: it takes {number} showing 1 to 6")


def _settled_first(match: Match, event: Callable[[Match], Step]) -> Step:
    """An event of the dice, which first settles what was left as it stands."""
    if match.wrong_board is not None:
        if match.rules.timber_unchallenged == "never":
            why = "put the board right first"
            return Step(match, (match.ruling(Kind.VOID, throw=match.thrown, why=why),))
        before = judging.stood(match, match.wrong_board)
    elif match.position in match.plays:
        # A play that leaves the board as it was (VAR D) is made by throwing on, and so is a throw left.
        is_left = match.rules.pass_allowed
        before = throws.left(match) if is_left else judging.played(match, match.position, Kind.LEGAL)
    else:
        return event(match)
    after = event(before.match)
    return Step(after.match, before.rulings + after.rulings)
