"""What throws and faulty dice do to a match (RULES 2.4 to 2.9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from uckers_table.game.board import BASE
from uckers_table.game.challenge import Challenge, sixes_wanted, won_position
from uckers_table.game.events import Awaiting, Step
from uckers_table.game.plays import Lister, legal_boards
from uckers_table.game.ruling import Kind
from uckers_table.game.snake_eyes import SNAKE_EYES, BroughtOut, all_back, all_out, has_any_in_base
from uckers_table.game.suckback import (
    SUCKBACK,
    after_attempt,
    hits,
    must_move_on,
    throws_again,
    visit_of,
)
from uckers_table.game.turn import Attempt
from uckers_table.game.ways import SIX

if TYPE_CHECKING:
    from uckers_table.game.match import Match

FAULT_LIMIT = 3
"""Dice faults that bring the penalty (CO r12b, SUB b8, WIKI)."""


def throw(match: Match, dice: tuple[int, ...]) -> Step:
    """A good throw."""
    match match.awaiting:
        case Awaiting.OVER:
            return Step(match)
        case Awaiting.THROW_OFF:
            return _throw_for_start(match, dice)
        case Awaiting.PLAY:
            if match.plays or match.must_challenge:
                return Step(match, (match.ruling(Kind.VOID, throw=match.thrown),))
            # The challenge that was open is declined: the throw in hand is spent.
            return throw(match.throw_done(), dice)
    thrown = _counted(match, dice)
    if match.turn.attempt is not None:
        return _throw_for_attempt(thrown, match.turn.attempt)
    if match.challenge is not None:
        return _throw_for_challenge(thrown, match.challenge)
    if not match.movers:
        return _throw_for_gate(thrown)
    if dice == SNAKE_EYES and match.rules.snake_eyes_out:
        step = _snake_eyes(match, thrown)
        if step is not None:
            return step
    return offered(thrown)


def offered(match: Match) -> Step:
    """The plays of the throw in hand; it is passed at once if it is good for nothing."""
    rules = match.rules
    if rules.three_sixes_penalty == "lose_turn" and match.turn.sixes == 3 and SIX in match.thrown:
        return _passed(match.but(extra=0))
    boards = legal_boards(match.situation, match.thrown)
    if match.visits:
        bound = must_move_on(match.situation, match.visits)
        moving = {b: p for b, p in boards.items() if any((move.seat, move.start) in bound for move in p)}
        boards = moving or boards
    ready = match.but(awaiting=Awaiting.PLAY, plays=tuple(boards))
    if ready.challengers:
        forced = rules.challenge_forced and not _has_use_for_six(Lister(match.situation), match.thrown)
        return Step(ready.but(plays=(), must_challenge=True) if forced else ready)
    return Step(ready) if boards else _passed(match)


def _has_use_for_six(lister: Lister, dice: tuple[int, ...]) -> bool:
    """Whether some plain play uses the six (SUB b4)."""
    return bool(lister.two_dice_plays(dice) or lister.one_die_plays(SIX))


def _passed(match: Match) -> Step:
    """Nothing can move: the turn goes on, or on to the next side."""
    return Step(match.throw_done(), (match.ruling(Kind.PASS, throw=match.thrown, owed=match.extra),))


def _counted(match: Match, dice: tuple[int, ...]) -> Match:
    """The state with a throw in hand: one owed throw used up, what it earns added."""
    side, turn = match.to_play, match.turn
    if side in match.yet_to_throw or match.brought_out:
        match = match.but(
            yet_to_throw=match.yet_to_throw - {side},
            brought_out=tuple(entry for entry in match.brought_out if entry[0] != side),
        )
    faults = match.with_faults(0) if match.rules.dice_fault_run == "consecutive" else match.faults
    return match.but(
        thrown=dice,
        turn=turn._replace(throws=turn.throws + 1, sixes=turn.sixes + (SIX in dice), snake_eyes_called=False),
        extra=max(0, match.extra - 1) + _earned(match, dice),
        faults=faults,
    )


def _earned(match: Match, dice: tuple[int, ...]) -> int:
    """The extra throws that a throw earns (BR r6, CO r6; rulings A26, A27)."""
    double = len(dice) == 2 and dice[0] == dice[1]
    if SIX in dice:
        return match.rules.extra_for_double_six if double else 1
    return 1 if double and match.rules.extra_any_double else 0


def _throw_for_gate(match: Match) -> Step:
    """A colour that is home throws for the six that lets it help (BR r11; ruling A55)."""
    ruling = match.ruling(Kind.GATE, throw=match.thrown)
    if SIX in match.thrown:
        match = match.but(helping=match.helping | {match.to_play})
    return Step(match.turn_done(), (ruling,))


def _throw_for_start(match: Match, dice: tuple[int, ...]) -> Step:
    """One throw of the throw-off; the last of a round decides, or leaves the leaders to throw again."""
    thrown = match.ruling(Kind.THROW_OFF, throw=dice)
    scores = (*match.scores, dice)
    if len(scores) < len(match.starters):
        return Step(match.but(scores=scores, to_play=match.starters[len(scores)]), (thrown,))
    best = max(map(sum, scores))
    leaders = tuple(s for s, score in zip(match.starters, scores, strict=True) if sum(score) == best)
    if len(leaders) > 1 and match.rules.throw_off_tie == "rethrow_tied":
        tied = match.but(starters=leaders, scores=(), to_play=leaders[0])
        return Step(tied, (thrown, tied.ruling(Kind.THROW_OFF, why="tie")))
    started = match.but(awaiting=Awaiting.THROW, to_play=leaders[0], starters=(), scores=())
    rulings = (thrown, started.ruling(Kind.THROW_OFF, why="starts"))
    if not match.rules.throw_off_counts_as_turn:
        return Step(started, rulings)
    first = throw(started, scores[match.starters.index(leaders[0])])
    return Step(first.match, rulings + first.rulings)


def _snake_eyes(before: Match, match: Match) -> Step | None:
    """Snake eyes on the first throw, or again on the second; None where they are an ordinary throw."""
    rules, side = match.rules, match.to_play
    came_out = next((out for entry, out in before.brought_out if entry == side), None)
    if came_out is not None and rules.snake_eyes_second_in:
        back = all_back(match.position, came_out)
        return None if back == match.position else _moved_by_snake_eyes(match.moved_to(back), before)
    called = rules.snake_eyes_call == "not_needed" or before.turn.snake_eyes_called
    if side not in before.yet_to_throw or not called or not has_any_in_base(match.situation):
        return None
    after, out = all_out(match.situation)
    return _moved_by_snake_eyes(match.moved_to(after), before, out)


def _moved_by_snake_eyes(match: Match, before: Match, out: BroughtOut = ()) -> Step:
    """Snake eyes end the turn with nothing owed, barred or not (WIKI, OLD; ruling A15)."""
    barred = match.position == before.position
    ruling = match.ruling(
        Kind.PASS if barred else Kind.SNAKE_EYES, throw=match.thrown, moves=match.moves_since(before)
    )
    if out:
        match = match.but(brought_out=(*match.brought_out, (match.to_play, out)))
    done = match.turn_done() if match.rules.snake_eyes_ends_turn else match.throw_done()
    return Step(done, (ruling,))


def _throw_for_challenge(match: Match, challenge: Challenge) -> Step:
    """A throw of a challenge: every six counts, no six is a miss (BR r8c; ruling A41)."""
    match = match.but(extra=1)
    if SIX in match.thrown:
        counted = replace(challenge, sixes=challenge.sixes + match.thrown.count(SIX))
        others = tuple(each for each in match.challenges if each != challenge)
        return counted_challenge(match.but(challenges=(*others, counted)), counted, Kind.CHALLENGE_THROW)
    wanted = sixes_wanted(match.setting, match.position, challenge)
    ruling = match.ruling(Kind.CHALLENGE_LOST, throw=match.thrown, wanted=wanted)
    if match.rules.challenge_persistence == "this_turn":
        match = match.without(challenge)
    return Step(match.turn_done(), (ruling,))


def counted_challenge(match: Match, challenge: Challenge, kind: Kind) -> Step:
    """A challenge after a six was counted: won, or so many still wanted."""
    wanted = sixes_wanted(match.setting, match.position, challenge)
    if wanted > 0:
        return Step(match, (match.ruling(kind, throw=match.thrown, wanted=wanted, owed=1),))
    won = match.without(challenge).moved_to(won_position(match.setting, match.position, challenge))
    ruling = won.ruling(Kind.CHALLENGE_WON, throw=match.thrown, moves=won.moves_since(match))
    return Step(won.turn_done(), (ruling,))


def _throw_for_attempt(match: Match, attempt: Attempt) -> Step:
    """A throw for the number that a suckback or blowback called."""
    situation = match.situation
    is_hit = hits(attempt, match.thrown, match.rules.suckback_dice == "one")
    if not is_hit and throws_again(situation, attempt, match.thrown):
        return Step(match.but(extra=1))
    visit = visit_of(situation, attempt, match.visits)
    after, blocked = after_attempt(situation, attempt, is_hit)
    known = replace(visit, misses=visit.misses + (not is_hit), is_blocked=visit.is_blocked or blocked)
    visits = (*(each for each in match.visits if each != visit), known)
    moved = match.but(visits=visits).moved_to(after)
    won, lost = (
        (Kind.SUCKBACK_WON, Kind.SUCKBACK_LOST)
        if attempt.kind == SUCKBACK
        else (Kind.BLOWBACK_WON, Kind.BLOWBACK_LOST)
    )
    ruling = moved.ruling(
        won if is_hit else lost, throw=match.thrown, moves=moved.moves_since(match), wanted=attempt.number
    )
    return Step(moved.turn_done(), (ruling,))


def fault(match: Match, kind: Kind) -> Step:
    """Dropped or cocked dice: both are thrown again, and the third fault of those counted is punished."""
    if match.awaiting is Awaiting.OVER:
        return Step(match)
    if match.awaiting is Awaiting.PLAY:
        if match.plays or match.must_challenge:
            return Step(match, (match.ruling(Kind.VOID, throw=match.thrown),))
        return fault(match.throw_done(), kind)
    rules = match.rules
    is_counted = rules.dice_fault_run != "none" and str(kind) in rules.dice_fault_kinds.split("+")
    if not is_counted or match.awaiting is Awaiting.THROW_OFF:
        return Step(match, (match.ruling(kind),))
    count = match.faults[match.to_play] + 1
    if count < FAULT_LIMIT:
        return Step(match.but(faults=match.with_faults(count)), (match.ruling(kind, count=count),))
    return _penalty(match, count)


def _penalty(match: Match, count: int) -> Step:
    """The third fault: all to base, or the go is lost (CO r12b, SUB b8, WIKI; ruling A71)."""
    after = list(match.position)
    if match.rules.dice_fault_penalty == "all_to_base":
        for seat in match.setting.owned(match.to_play):
            spared = match.board.home if match.rules.penalty_scope == "not_home" else None
            after[seat] = tuple(sorted(s if s == spared else BASE for s in match.position[seat]))
    punished = match.but(faults=match.with_faults(0)).moved_to(tuple(after))
    if match.challenge is not None and match.rules.challenge_persistence == "this_turn":
        punished = punished.without(match.challenge)
    ruling = punished.ruling(Kind.PENALTY, count=count, moves=punished.moves_since(match))
    return Step(punished.turn_done(), (ruling,))
