"""What simulated players throw, play and call. Their dice are honest."""

from __future__ import annotations

import random
from itertools import product
from statistics import fmean

from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Call
from uckers_table.game.match import Match
from uckers_table.game.open_calls import numbered, open_calls
from uckers_table.game.position import Position
from uckers_table.game.ruling import moves_between

CAPTURE, OUT_OF_BASE, BLOB, HOME = 55.0, 18.0, 9.0, 25.0
"""What a player likes, in steps of progress: an enemy sent back, a piece out, a blob formed, a piece home."""
AMBUSH = 10.0
"""What it is worth, in steps, to stand right behind an enemy's blob, or at the mouth of a chute with prey in
it.
"""
WHIM = 6.0
"""The standard deviation of a player's mood, in steps."""
DARING = 0.5
"""The chance that an open challenge is taken up, or a finish stood up for."""
SHYNESS = 0.03
"""The chance that an extra throw is declined where the rules allow it."""
TURN = 8.0
"""What the turn is worth, in steps, that a suckback or a blowback uses up."""


def dice_due(match: Match) -> int:
    """How many dice the player whose throw it is takes up."""
    return match.dice_due


def throw_dice(rng: random.Random, dice: int) -> tuple[int, ...]:
    """This many honest dice."""
    return tuple(rng.randint(1, 6) for _ in range(dice))


def choose_play(match: Match, rng: random.Random) -> Position:
    """The play that looks best to the side whose throw it is, give or take its mood."""
    # Sorted, so that a seed gives the same evening in whatever order plays are listed.
    return max(sorted(match.plays), key=lambda play: worth(match, play) + rng.gauss(0.0, WHIM))


def worth(match: Match, play: Position) -> float:
    """What a play gains whoever moves forward, and how much better its pieces then stand, in steps."""
    score = gain(match, play)
    for move in moves_between(match.position, play):
        if move.end != BASE:
            score += _standing(match, play, move.seat, move.end)
            score -= _standing(match, match.position, move.seat, move.start)
    return score


def gain(match: Match, after: Position) -> float:
    """How much better a board is than the one on record for whoever moved forward, in steps."""
    score = 0.0
    for move in moves_between(match.position, after):
        if move.end == BASE:
            score += CAPTURE + 0.3 * move.start
        else:
            score += move.end - max(move.start, BASE)
            score += OUT_OF_BASE * (move.start == BASE) + HOME * (move.end == match.board.home)
    return score


def _standing(match: Match, position: Position, seat: int, steps: int) -> float:
    """What it is worth, in steps, for a piece to stand where it does."""
    in_blob = match.board.square(seat, steps) is not None and position[seat].count(steps) > 1
    return BLOB * in_blob + AMBUSH * _lies_in_wait(match, position, seat, steps)


def _lies_in_wait(match: Match, position: Position, seat: int, steps: int) -> bool:
    """Whether a piece on the track stands where a challenge or a suckback may become possible."""
    board, square = match.board, match.board.square(seat, steps)
    if square is None or match.rules.dice_per_throw == 1:
        return False
    ahead = (square + 1) % board.track
    for enemy in match.setting.enemies[seat]:
        if sum(board.square(enemy, each) == ahead for each in position[enemy]) > 1:
            return True
        if match.rules.suckback and board.square(enemy, board.mouth) == square:
            return any(each in board.chute for each in position[enemy])
    return False


def choose_call(match: Match, rng: random.Random, *, at_once: bool = False) -> Call | None:
    """What the player calls, with the throw in hand or before the next one; None for nothing.

    `at_once`: any call will do that is open. Nobody ever tips up the board.
    """
    calls = list(numbered(open_calls(match)).values())
    if not calls:
        return None
    call = rng.choice(calls)
    if at_once:
        return call
    match call.kind:
        case "challenge":
            return call if not match.plays or rng.random() < DARING else None
        case "snake_eyes":
            return call
        case "stand_up_finish":
            return call if rng.random() < DARING else None
        case "colours":
            return None
        case "decline":
            return call if rng.random() < SHYNESS else None
    hopes = {each: prospect(match, each) + rng.gauss(0.0, WHIM) for each in calls}
    best = max(calls, key=hopes.__getitem__)
    return best if hopes[best] > 0.0 else None


def prospect(match: Match, call: Call) -> float:
    """How much better the board is, on average over all throws, for a call that uses up
    the turn: in steps.
    """
    called = playing.call(match, call).match
    throws = product(range(1, 7), repeat=dice_due(called))
    after = (playing.throw(called, dice).match.position for dice in throws)
    return fmean(gain(match, position) for position in after) - TURN
