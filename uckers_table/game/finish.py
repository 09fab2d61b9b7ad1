"""The win and its honours (RULES 2.8; BR r12; ruling A73)."""

from __future__ import annotations

from collections.abc import Collection

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
    """What the win is called, if anything: nobody of the others home, or all of them in base.

    Only where a team has eight to lose: neither in Ludo nor of a colour that plays alone.
    """
    if not setting.has_eights:
        return ()
    others = [pieces for seat, pieces in enumerate(position) if seat not in winner]
    if any(setting.board.home in pieces for pieces in others):
        return ()
    if all(pieces == ALL_IN_BASE for pieces in others):
        return (IN_HARBOUR,)
    return (EIGHT_PIECER,)


def honour_of_loss(setting: Setting, before: Position, after: Position) -> tuple[str, ...]:
    """The honour of having sent all the pieces of a team to base at once: eight, of a team of three twelve.

    A colour that plays alone cannot lose eight, and Ludo knows no such honour.
    """
    if after.count(ALL_IN_BASE) < 2 or not setting.has_eights:
        return ()
    for team in setting.teams:
        if all(after[seat] == ALL_IN_BASE and BASE not in before[seat] for seat in team):
            return (DICKING_MIDGAME,)
    return ()


def on_reverse(
    setting: Setting, winner: Collection[int], honours: Collection[str], *, upboard: bool = False
) -> tuple[int, ...]:
    """The seats whose names go on the back of the board: the losers' (SUB b7, WIKI, OLD; ruling A74).

    None in an exhibition or in Ludo, nor where the honours of the win are not enough; an upboard always is.
    """
    enough = {IN_HARBOUR} if setting.rules.name_on_reverse == "in_harbour" else {IN_HARBOUR, EIGHT_PIECER}
    if (
        setting.rules.exhibition
        or setting.rules.dice_per_throw == 1
        or not (upboard or enough & set(honours))
    ):
        return ()
    return tuple(seat for seat in range(setting.board.arms) if seat not in winner)
