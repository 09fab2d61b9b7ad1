"""What calls do to a match (RULES 2.5 to 2.7; WIKI oth3, oth4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from uckers_table.errors import RulesError
from uckers_table.game.challenge import Challenge, spared
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.finish import EIGHT_PIECER, on_reverse, winners
from uckers_table.game.match import Match, Step
from uckers_table.game.plays import Lister
from uckers_table.game.ruling import Kind
from uckers_table.game.snake_eyes import is_untouched, opening_double
from uckers_table.game.suckback import BLOWBACK, SUCKBACK, called_attempt
from uckers_table.game.throws import counted_challenge, spent
from uckers_table.game.ways import SIX


def call(match: Match, called: Call) -> Step:
    """A call: accepted, or refused with a reason in a few words and nothing changed."""
    if called.kind not in _CALLS:
        raise RulesError(f"there is no call {called.kind!r}: calls are {', '.join(_CALLS)}")
    if match.awaiting is Awaiting.OVER:
        return _refused(match, "the match is over")
    return _CALLS[called.kind](match, called)


def _refused(match: Match, why: str) -> Step:
    return Step(match, (match.ruling(Kind.CALL_REFUSED, why=why),))


def _challenge(match: Match, called: Call) -> Step:
    able = match.challengers
    if called.seat is not None:
        able = tuple(p for p in able if p[0] == called.seat and called.steps in (None, p[1]))
    if match.wrong_board is not None:
        return _refused(match, "put the board right first")
    if match.awaiting is not Awaiting.PLAY or SIX not in match.thrown:
        why = "too late: a challenge is called before anything moves" if SIX in match.thrown else "no six"
        return _refused(match, why)
    if not able:
        return _refused(match, "not from there: that piece cannot challenge now")
    if len(able) > 1:
        return _refused(match, "say which: several pieces can challenge")
    seat, steps = able[0]
    twice = match.rules.challenge_opening_double_six == "counts_2" and match.thrown.count(SIX) == 2
    challenge = Challenge(
        side=match.to_play,
        seat=seat,
        steps=steps,
        onto=match.onto(seat, steps),
        sixes=2 if twice else 1,
        spare=spared(match.rules, match.thrown),
    )
    opened = replace(
        match,
        awaiting=Awaiting.THROW,
        offer=None,
        challenges=(*match.challenges, challenge),
    )
    return counted_challenge(opened, challenge, Kind.CHALLENGE)


def _suckback(match: Match, called: Call) -> Step:
    rules = match.rules
    if not (rules.suckback if called.kind == SUCKBACK else rules.blowback):
        return _refused(match, f"not under these rules: there is no {called.kind}")
    if not _before_throw(match):
        return _refused(match, f"not now: {called.kind} is called before the throw")
    if match.turn.unplayed:
        return _refused(match, "not now: the throws already made are played first")
    if called.kind == SUCKBACK and rules.suckback_timing == "next_turn" and match.throws:
        return _refused(match, "not now: suckback is called before the first throw of a turn")
    attempt = called_attempt(match.situation, called, match.visits)
    if isinstance(attempt, str):
        return _refused(match, attempt)
    what = f"{called.kind} {attempt.number}{', double' if attempt.double else ''}"
    accepted = match.with_turn(match.turn._replace(attempt=attempt))
    return Step(accepted, (match.ruling(Kind.CALL_ACCEPTED, why=what, wanted=attempt.number),))


def _snake_eyes(match: Match, called: Call) -> Step:
    if not match.rules.snake_eyes_out:
        return _refused(match, "not under these rules: there are no snake eyes")
    if match.rules.snake_eyes_call == "once_for_all":
        if match.opening.called_for_all:
            return _refused(match, "too late: snake eyes have been called, and for everybody")
        if not _before_throw(match) or not is_untouched(match):
            return _refused(match, "too late: snake eyes are called before anybody has thrown")
        accepted = replace(match, opening=match.opening._replace(called_for_all=True))
    elif not _before_throw(match) or opening_double(match) is None:
        return _refused(match, "not now: snake eyes are called before the opening throw")
    else:
        accepted = match.with_turn(match.turn._replace(called=called.kind))
    return Step(accepted, (match.ruling(Kind.CALL_ACCEPTED, why="snake eyes"),))


def _stand_up_finish(match: Match, called: Call) -> Step:
    """Accepted when one throw could win (WIKI oth4; ruling A78). A throw that can win then wins at once."""
    if not _before_throw(match):
        return _refused(match, "not now: a stand-up finish is called before the throw")
    if match.turn.unplayed:
        return _refused(match, "not now: the throws already made are played first")
    if not _could_win(match):
        return _refused(match, "not now: no one throw can win yet")
    accepted = match.with_turn(match.turn._replace(called=called.kind))
    return Step(accepted, (match.ruling(Kind.CALL_ACCEPTED, why="a stand-up finish"),))


def _colours(match: Match, called: Call) -> Step:
    """Who won the throw-off plays the colour that he chooses, and starts with it."""
    if not match.rules.throw_off_winner_chooses:
        return _refused(match, "not under these rules: nobody chooses colours")
    if not _before_throw(match) or not match.opening.is_thrown_off or not is_untouched(match):
        return _refused(match, "not now: colours are chosen between the throw-off and the first throw")
    if called.seat not in match.setting.sides:
        return _refused(match, "say which: the colour that starts")
    chosen = replace(match, to_play=called.seat)
    return Step(chosen, (chosen.ruling(Kind.CALL_ACCEPTED, why="colours"),))


def _decline(match: Match, called: Call) -> Step:
    """What need not be used is left: an extra throw (WL p6), a challenge, or under pass_allowed a throw."""
    rules = match.rules
    if match.wrong_board is not None:
        return _refused(match, "put the board right first")
    if match.awaiting is Awaiting.PLAY:
        if match.must_challenge:
            return _refused(match, "not now: the challenge must be made")
        if match.plays and not rules.pass_allowed:
            return _refused(match, "not now: a throw that can be played must be")
        what = "no play" if match.plays else "no challenge"
        accepted = match.ruling(Kind.CALL_ACCEPTED, why=what, throw=match.thrown, owed=match.extra)
        return spent(match if match.plays else match.having_passed(), accepted)
    if not _before_throw(match) or not match.extra:
        return _refused(match, "not now: there is nothing to decline")
    if rules.extra_mandatory:
        return _refused(match, "not under these rules: an extra throw must be made")
    return spent(replace(match, extra=0), match.ruling(Kind.CALL_ACCEPTED, why="no further throw"))


def _before_throw(match: Match) -> bool:
    """Whether a throw is awaited that is not already called for something."""
    return match.awaiting is Awaiting.THROW and match.challenge is None and match.turn.attempt is None


def _could_win(match: Match) -> bool:
    """Whether some throw, or some one die, has a play that wins."""
    lister = Lister(match.situation)
    dice = range(1, SIX + 1)
    if match.dice_due == 1 or match.rules.stand_up_reach == "one_die":
        plays = [play for die in dice for play in lister.one_die_plays(die)]
    else:
        plays = [play for high in dice for low in range(1, high + 1) for play in lister.plays((high, low))]
    return any(winners(match.setting, lister.after(play)) for play in plays)


def _upboard(match: Match, called: Call) -> Step:
    """The board tipped up: the match is lost, and in Uckers counts as eight-pieced (SUB b7, WIKI oth3)."""
    honours = (EIGHT_PIECER,) if match.setting.has_eights else ()
    loser = match.to_play if called.seat is None else called.seat
    over = replace(
        match,
        awaiting=Awaiting.OVER,
        offer=None,
        extra=0,
        winner=tuple(sorted(match.setting.enemies[loser])),
        honours=tuple(dict.fromkeys((*match.honours, *honours))),
    )
    ruling = over.ruling(
        Kind.UPBOARD,
        winner=over.winner,
        honours=honours,
        on_reverse=on_reverse(match.setting, over.winner, over.honours, upboard=True),
    )
    return Step(over, (replace(ruling, seat=loser),))


_CALLS: dict[str, Callable[[Match, Call], Step]] = {
    "challenge": _challenge,
    SUCKBACK: _suckback,
    BLOWBACK: _suckback,
    "snake_eyes": _snake_eyes,
    "stand_up_finish": _stand_up_finish,
    "colours": _colours,
    "decline": _decline,
    "upboard": _upboard,
}
