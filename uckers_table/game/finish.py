"""The win and its honours (RULES 2.8; BR r12; ruling A73)."""

from __future__ import annotations

from uckers_table.game.board import BASE, PIECES
from uckers_table.game.position import Position
from uckers_table.game.setting import Setting

EIGHT_PIECER = "eight_piecer"
IN_HARBOUR = "in_harbour"
DICKING_MIDGAME = "dicking_midgame"

ALL_IN_BASE = (BASE,) * PIECES


def winners(setting: Setting, position: Position) -> tuple[int, ...]:
    """The seats of the team that has all its pieces home; empty while nobody has."""
    for team in setting.teams:
        if all(setting.is_home(position, seat) for seat in team):
            return tuple(sorted(team))
    return ()


def honour_of_win(setting: Setting, position: Position, winner: tuple[int, ...]) -> tuple[str, ...]:
    """What the win is called, if anything: nobody of the others home, or all of them in base."""
    others = [pieces for seat, pieces in enumerate(position) if seat not in winner]
    if any(setting.board.home in pieces for pieces in others):
        return ()
    if all(pieces == ALL_IN_BASE for pieces in others):
        return (IN_HARBOUR,)
    return (EIGHT_PIECER,)


def honour_of_loss(setting: Setting, before: Position, after: Position) -> tuple[str, ...]:
    """The honour of having sent all eight of a team to base at once."""
    for team in setting.teams:
        if (
            after[team[0]] == after[team[-1]] == ALL_IN_BASE
            and len(team) > 1
            and not any(BASE in before[seat] for seat in team)
        ):
            return (DICKING_MIDGAME,)
    return ()
