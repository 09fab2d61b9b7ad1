"""What throws and faulty dice do to a match (RULES 2.4 to 2.9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from uckers_table.game.bars import barred_out, what_bars
from uckers_table.game.board import BASE
from uckers_table.game.challenge import Challenge, after_throw, challengers, sixes_wanted, won_position
from uckers_table.game.events import Awaiting
from uckers_table.game.finish import honour_of_loss
from uckers_table.game.match import BroughtOut, Match, Step
from uckers_table.game.plays import NOTHING_MOVED, Lister, Offer
from uckers_table.game.ruling import Bar, Cause, Kind, Ruling
from uckers_table.game.situation import Situation
from uckers_table.game.snake_eyes import (
    all_back,
    all_out,
    colours_in_scope,
    has_any_in_base,
    opening_double,
)
from uckers_table.game.suckback import (
    SUCKBACK,
    after_attempt,
    calls_left,
    hits,
    still_called,
    those_moving_on,
    throws_again,
    visit_of,
    with_other_die,
    with_visit,
)
from uckers_table.game.turn import Attempt
from uckers_table.game.ways import SIX

FAULT_LIMIT = 3
"""Dice faults that bring the penalty (CO r12b, SUB b8, WIKI)."""

_BARRED = "an enemy blob bars the doorstep"


class Purpose(StrEnum):
    """What dice are thrown for."""

    START = "start"
    PLAY = "play"
    CHALLENGE = "challenge"
    SUCKBACK = "suckback"
    BLOWBACK = "blowback"
    GATE = "gate"
    """The six that lets a colour help its partner."""
    NOTHING = "nothing"
    """They come when none are awaited, and are void."""


def purpose(match: Match) -> Purpose:
    """What a throw is for that finds the match so (`playing.as_thrown_on`)."""
    if match.awaiting is Awaiting.THROW_OFF:
        return Purpose.START
    if match.awaiting is not Awaiting.THROW or match.wrong_board is not None:
        return Purpose.NOTHING
    attempt = match.turn.attempt
    if attempt is not None and still_called(match.position, attempt):
        return Purpose(attempt.kind)
    if match.challenge is not None:
        return Purpose.CHALLENGE
    return Purpose.PLAY if match.movers else Purpose.GATE


def good_throw(match: Match, dice: tuple[int, ...]) -> Step:
    """A good throw, when nothing is left to settle first (`playing.throw` does)."""
    if match.awaiting is not Awaiting.THROW:
        return _unawaited(match, dice)
    thrown = counted(match, dice)
    if match.turn.attempt is not None:
        if still_called(match.position, match.turn.attempt):
            return _throw_for_attempt(thrown, match.turn.attempt)
        thrown = thrown.with_turn(thrown.turn._replace(attempt=None))
    if match.challenge is not None:
        return _throw_for_challenge(thrown, match.challenge)
    if match.setting.punishes_runs and thrown.movers:
        thrown = _with_run(thrown)
        if why := _run_of_luck(thrown):
            return _go_lost_to_base(thrown, why)
    if match.rules.snake_eyes_out and _is_double(dice):
        step = _snake_eyes(match, thrown)
        if step is not None:
            return step
    return offered(thrown) if match.rules.extra_timing == "move_then_throw" else _laid_by(thrown)


def is_for_playing(match: Match, dice: tuple[int, ...]) -> bool:
    """Whether a throw by the side to play, if it has any piece to move, is to be played and nothing else."""
    turn = match.turn
    return (
        match.awaiting is Awaiting.THROW
        and not match.challenges
        and turn.attempt is None
        and not turn.called
        and match.wrong_board is None
        and dice in match.setting.played_at_once
    )


def _unawaited(match: Match, dice: tuple[int, ...]) -> Step:
    """A throw for start, or one that comes when something else is awaited."""
    if match.awaiting is Awaiting.OVER:
        return Step(match)
    if match.awaiting is Awaiting.THROW_OFF:
        return _throw_for_start(match, dice)
    if match.plays or match.must_challenge:
        return Step(match, (match.ruling(Kind.VOID, throw=match.thrown),))
    # The challenge that was open is declined.
    return _then(spent(match), lambda after: good_throw(after, dice))


def _then(step: Step, event: Callable[[Match], Step]) -> Step:
    """A step, and what an event does to the state after it."""
    after = event(step.match)
    return Step(after.match, step.rulings + after.rulings)


def _laid_by(match: Match) -> Step:
    """A throw where all of a turn are made first: it waits for the last (CO r6c; ruling A29)."""
    if not match.movers or _is_one_six_too_many(match):
        return offered(match.with_turn(match.turn._replace(unplayed=())))
    laid_by = match.with_turn(match.turn._replace(unplayed=(*match.turn.unplayed, match.thrown)))
    return Step(laid_by) if laid_by.extra else spent(laid_by)


def spent(match: Match, *rulings: Ruling) -> Step:
    """The throw in hand is done with, and so it was ruled: what comes next.

    A throw that was made before and has still to be played, the next throw that is owed, or the next side.
    """
    match = _with_another_try(match)
    unplayed = match.turn.unplayed
    if match.extra or not unplayed:
        return Step(match.throw_done(), rulings)
    in_hand = replace(match, thrown=unplayed[0], turn=match.turn._replace(unplayed=unplayed[1:]))
    return _then(Step(in_hand, rulings), offered)


def left(match: Match) -> Step:
    """A throw that could be played is left, where that is allowed (pass_allowed)."""
    return spent(match, match.ruling(Kind.LEGAL, throw=match.thrown, owed=match.extra))


def _is_double(dice: tuple[int, ...]) -> bool:
    return len(dice) == 2 and dice[0] == dice[1]


def _with_run(match: Match) -> Match:
    """The match with the doubles and the sixes of the turn counted: those of throws made to be played."""
    turn, dice = match.turn, match.thrown
    return match.with_turn(
        turn._replace(doubles=turn.doubles + _is_double(dice), sixes=turn.sixes + dice.count(SIX))
    )


def _run_of_luck(match: Match) -> str:
    """Why the throw in hand is one too lucky for its turn; empty where it is not."""
    rules, turn = match.rules, match.turn
    if rules.three_doubles_to_base and turn.doubles >= 3:
        return "three doubles"
    return "five sixes" if rules.five_sixes_to_base and turn.sixes >= 5 else ""


def _is_one_six_too_many(match: Match) -> bool:
    """Whether the throw in hand has the third six of a turn, and that costs the turn (WL p7; ruling A80)."""
    return match.rules.three_sixes_penalty == "lose_turn" and match.sixes == 3 and SIX in match.thrown


def offered(match: Match) -> Step:
    """The plays of the throw in hand; it is passed at once if it is good for nothing."""
    if _is_one_six_too_many(match):
        return _passed(replace(match, extra=0), why="the third six of a turn is not played")
    if match.barred:
        return _passed(match, match.barred, why=_BARRED)
    if not match.movers:
        return _throw_for_gate(match)
    offer = offer_of(match, match.situation, match.thrown)
    if not (offer.plays or offer.challengers):
        return _passed(match, what_bars(offer.lister, match.thrown))
    return Step(replace(match, awaiting=Awaiting.PLAY, offer=offer))


def offer_of(match: Match, situation: Situation, dice: tuple[int, ...]) -> Offer:
    """What a throw by the side to play allows."""
    rules = situation.setting.rules
    lister = Lister(situation)
    plays = lister.plays(dice)
    if match.visits:
        plays = those_moving_on(situation, plays, dice, match.visits)
    if plays and rules.pass_allowed:
        plays.append(NOTHING_MOVED)
    able = challengers(situation, match.turn, dice, lister.field) if lister.field.barriers else ()
    if able and rules.challenge_forced and not _has_use_for_six(lister, dice):
        return Offer(lister, (), able, must_challenge=True)
    return Offer(lister, tuple(plays), able)


def _has_use_for_six(lister: Lister, dice: tuple[int, ...]) -> bool:
    """Whether some plain play uses the six (SUB b4)."""
    return bool(lister.two_dice_plays(dice) or lister.one_die_plays(SIX))


def _passed(match: Match, bars: tuple[Bar, ...] = (), why: str = "") -> Step:
    """Nothing can move: the turn goes on, or on to the next side."""
    match = _with_another_try(match)
    cause = Cause(bars=bars, also_out=match.setting.also_out)
    ruling = match.ruling(Kind.PASS, throw=match.thrown, owed=match.extra, why=why, cause=cause)
    return spent(match.having_passed(), ruling)


def _with_another_try(match: Match) -> Match:
    """The match, with a throw owed if the side has had all its pieces in base or home all the turn, and has
    tries left (base_throws).
    """
    if match.extra or match.throws >= match.rules.base_throws:
        return match
    off, boards = {BASE, match.setting.board.home}, (match.turn.began, match.position)
    waits = all(off.issuperset(board[seat]) for board in boards for seat in match.movers)
    return replace(match, extra=1) if waits and match.movers else match


def counted(match: Match, dice: tuple[int, ...]) -> Match:
    """The match with a throw made: one owed throw is used up, what it earns is added."""
    setting, turn, side, owed = match.setting, match.turn, match.to_play, match.extra
    # What is in no table is the one die of a suckback.
    earned = setting.earned.get(dice, int(SIX in dice))
    opening = match.opening
    opens = turn.opening or side in opening.yet_to_throw
    thrown = match.copy()
    thrown.thrown = dice
    thrown.passed = None
    thrown.throws = match.throws + 1
    thrown.sixes = match.sixes + (SIX in dice)
    thrown.extra = owed - 1 + earned if owed else earned
    if opens or turn.called:
        thrown.turn = turn._replace(called="", opening=opens)
    if opens or opening.brought_out:
        thrown.opening = opening._replace(
            yet_to_throw=opening.yet_to_throw - {side},
            brought_out=tuple(out for out in opening.brought_out if out.side != side),
        )
    return thrown.with_faults(0) if setting.rules.dice_fault_run == "consecutive" else thrown


def _throw_for_gate(match: Match) -> Step:
    """A colour that is home throws for the six that lets it help (BR r11; ruling A55)."""
    ruling = match.ruling(Kind.GATE, throw=match.thrown)
    after = match.having_passed()
    if SIX in match.thrown:
        after = replace(after, helping=match.helping | {match.to_play})
    return Step(after.turn_done(), (ruling,))


def _throw_for_start(match: Match, dice: tuple[int, ...]) -> Step:
    """One throw of the throw-off; the last of a round decides, or leaves the leaders to throw again."""
    thrown = match.ruling(Kind.THROW_OFF, throw=dice)
    scores = (*match.scores, dice)
    if len(scores) < len(match.starters):
        return Step(replace(match, scores=scores, to_play=match.starters[len(scores)]), (thrown,))
    best = max(map(sum, scores))
    leaders = tuple(s for s, score in zip(match.starters, scores, strict=True) if sum(score) == best)
    if len(leaders) > 1 and match.rules.throw_off_tie == "rethrow_tied":
        tied = replace(match, starters=leaders, scores=(), to_play=leaders[0])
        return Step(tied, (thrown, tied.ruling(Kind.THROW_OFF, tied=leaders)))
    opening = match.opening._replace(is_thrown_off=True)
    started = replace(
        match, awaiting=Awaiting.THROW, to_play=leaders[0], starters=(), scores=(), opening=opening
    )
    rulings = (thrown, started.ruling(Kind.THROW_OFF, why="starts"))
    if not match.rules.throw_off_counts_as_turn:
        return Step(started, rulings)
    first = good_throw(started, scores[match.starters.index(leaders[0])])
    return Step(first.match, rulings + first.rulings)


def _snake_eyes(before: Match, match: Match) -> Step | None:
    """Snake eyes on the opening throw, or again on the next; None where they are an ordinary throw."""
    rules, side, double = match.rules, match.to_play, match.thrown[0]
    came_out = next((out for out in before.opening.brought_out if out.side == side), None)
    if came_out is not None and rules.snake_eyes_second_in and came_out.double == double:
        back = all_back(match.position, came_out.pieces)
        return None if back == match.position else _moved_by_snake_eyes(match.moved_to(back), before)
    is_called = before.turn.called == "snake_eyes" or before.opening.called_for_all
    if rules.snake_eyes_call != "not_needed" and not is_called:
        return None
    if double != opening_double(before) or not has_any_in_base(match.situation):
        return None
    after, pieces = all_out(match.situation)
    out = (BroughtOut(side, double, pieces),) if pieces else ()
    return _moved_by_snake_eyes(match.moved_to(after), before, out)


def _moved_by_snake_eyes(match: Match, before: Match, out: tuple[BroughtOut, ...] = ()) -> Step:
    """Snake eyes end the turn with nothing owed, barred or not (WIKI, OLD; ruling A15)."""
    barred = match.position == before.position
    honours = honour_of_loss(match.setting, before.position, match.position)
    bars = barred_out(match.situation, colours_in_scope(match.situation), match.thrown[0]) if barred else ()
    ruling = match.ruling(
        Kind.PASS if barred else Kind.SNAKE_EYES,
        throw=match.thrown,
        moves=match.moves_since(before),
        honours=honours,
        why=_BARRED if barred else "",
        cause=Cause(bars=bars) if barred else None,
    )
    match = match.having_passed(bars) if barred else match.with_honours(honours)
    if out:
        opening = match.opening
        match = replace(match, opening=opening._replace(brought_out=(*opening.brought_out, *out)))
    if not match.rules.snake_eyes_ends_turn:
        return spent(match, ruling)
    return Step(match.turn_done(), (ruling,))


def _throw_for_challenge(match: Match, challenge: Challenge) -> Step:
    """A throw of a challenge: every six counts, no six is a miss, if none is spared (BR r8c; A41)."""
    if SIX in match.thrown or challenge.spare:
        counted = after_throw(match.rules, challenge, match.thrown)
        others = tuple(each for each in match.challenges if each != challenge)
        return counted_challenge(replace(match, challenges=(*others, counted)), counted, Kind.CHALLENGE_THROW)
    wanted = sixes_wanted(match.setting, match.position, challenge)
    kept = match.rules.challenge_persistence == "until_settled"
    ruling = match.ruling(
        Kind.CHALLENGE_LOST, throw=match.thrown, wanted=wanted, count=challenge.sixes if kept else 0
    )
    if not kept:
        match = match.without(challenge)
    return Step(match.turn_done(), (ruling,))


def counted_challenge(match: Match, challenge: Challenge, kind: Kind) -> Step:
    """A challenge after a throw was counted: won, or so many sixes still wanted and another throw to come."""
    wanted = sixes_wanted(match.setting, match.position, challenge)
    if wanted > 0:
        going_on = replace(match, extra=1 + challenge.spare)
        ruling = going_on.ruling(
            kind,
            throw=match.thrown,
            wanted=wanted,
            owed=going_on.extra,
            touch_wood=wanted == 1 and match.rules.needle_touch_wood == "announce",
        )
        return Step(going_on, (ruling,))
    won = match.without(challenge).moved_to(won_position(match.setting, match.position, challenge))
    ruling = won.ruling(Kind.CHALLENGE_WON, throw=match.thrown, moves=won.moves_since(match))
    return Step(won.turn_done(), (ruling,))


def _throw_for_attempt(match: Match, attempt: Attempt) -> Step:
    """A throw for the number that a suckback or blowback called."""
    situation, rules = match.situation, match.rules
    is_hit = hits(rules, attempt, match.thrown)
    visit = visit_of(situation, attempt, match.visits)
    known = replace(visit, misses=visit.misses + (not is_hit))
    if not is_hit and throws_again(situation, known, match.thrown):
        again = replace(match, extra=1)
        return Step(
            replace(again, visits=with_visit(match.visits, visit, known))
            if rules.suckback_attempt_unit == "throw"
            else again
        )
    if is_hit:
        attempt = with_other_die(situation, attempt, match.thrown)
    after, blocked = after_attempt(situation, attempt, is_hit)
    known = replace(known, is_blocked=visit.is_blocked or blocked)
    moved = replace(match, visits=with_visit(match.visits, visit, known)).moved_to(after)
    honours = honour_of_loss(match.setting, match.position, after)
    won, lost = (
        (Kind.SUCKBACK_WON, Kind.SUCKBACK_LOST)
        if attempt.kind == SUCKBACK
        else (Kind.BLOWBACK_WON, Kind.BLOWBACK_LOST)
    )
    ruling = moved.ruling(
        won if is_hit else lost,
        throw=match.thrown,
        moves=moved.moves_since(match),
        wanted=attempt.number,
        tries_left=calls_left(moved.situation, known, moved.visits),
        honours=honours,
    )
    moved = moved.with_honours(honours)
    if is_hit and attempt.kind == SUCKBACK and not rules.suckback_hit_ends_turn:
        return spent(moved.with_turn(moved.turn._replace(attempt=None, moved=True)), ruling)
    return Step(moved.turn_done(), (ruling,))


def faulty_throw(match: Match, kind: Kind, *, deliberate: bool = False) -> Step:
    """Dropped or cocked dice: both are thrown again, and the third fault of those counted is punished.

    Dice judged to be dropped on purpose may cost the go (WIKI; ruling A72).
    """
    if match.awaiting is Awaiting.OVER:
        return Step(match)
    if match.awaiting is Awaiting.PLAY:
        if match.plays or match.must_challenge:
            return Step(match, (match.ruling(Kind.VOID, throw=match.thrown),))
        return _then(spent(match), lambda after: faulty_throw(after, kind, deliberate=deliberate))
    rules = match.rules
    is_off = kind is Kind.DROPPED and rules.dice_off_call == "off_the_ips"
    if match.awaiting is Awaiting.THROW_OFF:
        return Step(match, (match.ruling(kind, off_the_ips=is_off, deliberate=deliberate),))
    is_counted = rules.dice_fault_run != "none" and str(kind) in rules.dice_fault_kinds.split("+")
    count = match.faults[match.to_play] + 1 if is_counted else 0
    if count >= FAULT_LIMIT:
        return _penalty(match, count)
    if is_counted:
        match = match.with_faults(count)
    if deliberate and rules.dice_off_deliberate == "lose_go":
        return _go_lost(match, match.ruling(Kind.PENALTY, count=count, deliberate=True))
    return Step(match, (match.ruling(kind, count=count, off_the_ips=is_off, deliberate=deliberate),))


def _penalty(match: Match, count: int) -> Step:
    """The third fault: all to base, or the go is lost (CO r12b, SUB b8, WIKI; ruling A71)."""
    punished = match.with_faults(0)
    if match.rules.dice_fault_penalty == "all_to_base":
        punished = _all_to_base(punished)
    return _go_lost(punished, punished.ruling(Kind.PENALTY, count=count, moves=punished.moves_since(match)))


def _go_lost_to_base(match: Match, why: str) -> Step:
    """A run of luck is punished: the throw in hand moves nothing, all go to base, and the turn ends."""
    punished = _all_to_base(match)
    moves = punished.moves_since(match)
    return _go_lost(punished, punished.ruling(Kind.PENALTY, why=why, throw=match.thrown, moves=moves))


def _all_to_base(match: Match) -> Match:
    """The match with all the thrower's pieces in base; those at home are spared by some (penalty_scope)."""
    after = list(match.position)
    for seat in match.setting.owned[match.to_play]:
        spared = match.board.home if match.rules.penalty_scope == "not_home" else None
        after[seat] = tuple(sorted(s if s == spared else BASE for s in match.position[seat]))
    return match.moved_to(tuple(after))


def _go_lost(match: Match, ruling: Ruling) -> Step:
    """The turn passes, and with it goes a challenge that does not outlive it."""
    if match.challenge is not None and match.rules.challenge_persistence == "this_turn":
        match = match.without(match.challenge)
    return Step(match.turn_done(), (ruling,))
