"""Slips on positions of matches and on random ones, and what is said of each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from tools.slips.kinds import OUT_OF_TURN, SLIPS
from tools.slips.oracle import untrue
from uckers_table.announce.sentences import sentence
from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match, begin
from uckers_table.game.position import Position
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Kind
from uckers_table.game.setting import Setting, load_setting
from uckers_table.simulator.players import choose_call, choose_play, throw_dice

_STOOD = 0.05
"""How often a wrong board of a match is left to stand."""
_NEARLY_HOME = 0.1
"""How often the side to throw has three pieces home, or all: it waits for its partner, or soon will."""
_THROWS = 40
"""So many throws of a match, or random positions, are looked at before the next setting is."""
_MORE = (
    ("br4006", {"var_a": True, "var_c": True, "var_d": True, "var_f": True}),
    ("br4006", {"var_b": True, "var_e": True, "var_g": True}),
    ("br4006", {"arms": 6}),
    ("br4006", {"exit_optional": "forced"}),
    ("house_ludo", {"exit_optional": "forced"}),
)
"""Settings beside every shipped rule set."""


class Tried(NamedTuple):
    """A slip of a kind, made in a match: the wrong board, why it is wrong, what was said of it, and what of
    that is untrue.
    """

    kind: str
    match: Match
    board: Position
    reason: str
    said: str
    untrue: list[str]


def tried_settings() -> list[Setting]:
    """Every shipped rule set with four players and with two, and a few more."""
    shipped = [load_setting(name, players=players) for name in known_rules() for players in (4, 2)]
    return shipped + [load_setting(name, options) for name, options in _MORE]


def tried(seed: str) -> Iterator[Tried]:
    """Slips without end; the same for the same seed."""
    rng = random.Random(seed)
    every = tried_settings()
    while True:
        for setting in every:
            yield from _in_a_match(setting, rng)
            yield from _anywhere(setting, rng)


def _in_a_match(setting: Setting, rng: random.Random) -> Iterator[Tried]:
    side = setting.board.seats[rng.choice(setting.sides)]
    match = begin(setting, to_play=side, position=_random_position(setting, rng, 0.0), turns_taken=1)
    for _ in range(_THROWS):
        match = _called(match, rng)
        match = _called(playing.throw(match, throw_dice(rng, match.dice_due)).match, rng)
        # Hands put where they belong the pieces that a ruling has moved.
        match = playing.see(match, match.position).match if match.behind is not None else match
        if match.awaiting is Awaiting.OVER:
            return
        wrong = _slip(match, rng)
        if wrong is not None:
            yield wrong
        if match.awaiting is Awaiting.PLAY and match.plays:
            is_left = wrong is not None and rng.random() < _STOOD
            match = playing.see(match, wrong.board if wrong and is_left else choose_play(match, rng)).match


def _called(match: Match, rng: random.Random) -> Match:
    """The match after what the side to play calls, if anything."""
    call = choose_call(match, rng)
    return match if call is None else playing.call(match, call).match


def _anywhere(setting: Setting, rng: random.Random) -> Iterator[Tried]:
    for _ in range(_THROWS):
        side = setting.board.seats[rng.choice(setting.sides)]
        position = _random_position(setting, rng, rng.choice((0.0, 0.0, 0.3)))
        if rng.random() < _NEARLY_HOME:
            seat, home = setting.board.seat(side), setting.board.home
            nearly = (rng.choice((*setting.board.chute, home)), home, home, home)
            position = (*position[:seat], nearly, *position[seat + 1 :])
        match = begin(setting, to_play=side, position=position, turns_taken=1)
        wrong = _slip(playing.throw(match, throw_dice(rng, match.dice_due)).match, rng)
        if wrong is not None:
            yield wrong


def _slip(match: Match, rng: random.Random) -> Tried | None:
    """A slip of a kind taken by chance; None where hands can make none that is wrong."""
    due, ways = match, SLIPS
    if match.awaiting is Awaiting.THROW:
        due, ways = (match.passed, SLIPS) if match.passed is not None else (match, OUT_OF_TURN)
    for kind in rng.sample(sorted(ways), len(ways)):
        boards = sorted({*ways[kind](due, rng)} - {match.position, *match.plays})
        if not boards:
            continue
        board = rng.choice(boards)
        for ruling in playing.see(match, board).rulings:
            if ruling.kind in (Kind.ILLEGAL, Kind.TIMBER_SHIFT):
                said = sentence(ruling, match.board)
                reason = ruling.kind.value if ruling.reason is None else ruling.reason.value
                return Tried(kind, match, board, reason, said, untrue(said, match, board))
    return None


def _random_position(setting: Setting, rng: random.Random, shared: float) -> Position:
    """Pieces crowded together, so that blobs and single pieces meet; enemies share a square so often."""
    board, crowd = setting.board, rng.randrange(setting.board.track)
    holders: dict[int, int] = {}
    position = []
    for seat in range(board.arms):
        four: list[int] = []
        while len(four) < 4:
            chance = rng.random()
            if four and chance < 0.3:
                steps = rng.choice(four)
            elif chance < 0.45:
                steps = BASE
            elif chance < 0.55:
                steps = rng.choice((board.home, *board.chute))
            else:
                steps = max(BASE, board.steps_on(seat, (crowd + rng.randrange(14)) % board.track))
            square, team = board.square(seat, steps), min(setting.teams[seat])
            is_free = square is None or holders.setdefault(square, team) == team or rng.random() < shared
            four.append(steps if is_free else BASE)
        position.append(tuple(sorted(four)))
    return tuple(position)
