"""Snake eyes on one's first throw: all out; and again on the second: all back in (RULES 2.6)."""

from __future__ import annotations

from uckers_table.game.board import BASE, DOORSTEP
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.situation import Situation
from uckers_table.game.survey import survey
from uckers_table.game.turn import Piece
from uckers_table.game.ways import SIX


def opening_double(match: Match) -> int | None:
    """The number that a double must show to bring all out with the throw to come (ruling A12).

    That is one, for snake eyes, on the throws of snake_eyes_window; or on any throw of a side's n-th turn n.
    None where no double does.
    """
    is_first = match.to_play in match.opening.yet_to_throw
    match match.rules.snake_eyes_window:
        case "own_first_turn":
            counts = is_first or match.turn.opening
        case "first_throw_of_game":
            counts = is_first and is_untouched(match)
        case "double_of_turn":
            number = match.opening.turns[match.to_play] + 1
            return number if number <= SIX else None
        case _:
            counts = is_first
    return 1 if counts else None


def is_untouched(match: Match) -> bool:
    """Whether nobody has thrown yet, the throw-off left out."""
    return len(match.opening.yet_to_throw) == len(match.setting.sides)


def colours_in_scope(situation: Situation) -> tuple[int, ...]:
    """The colours that a side's snake eyes bring out (ruling A14)."""
    setting = situation.setting
    if setting.rules.snake_eyes_scope == "own_and_partner":
        return setting.teams[situation.side]
    return setting.owned[situation.side]


def has_any_in_base(situation: Situation) -> bool:
    """Whether there is anybody to bring out."""
    return any(BASE in situation.position[seat] for seat in colours_in_scope(situation))


def all_out(situation: Situation) -> tuple[Position, tuple[Piece, ...]]:
    """The board with all pieces in base on their doorsteps, those barred left in; and how many came out.

    Enemies on a doorstep are captured as by any exit. A barrier on it bars all four (ruling A16). Where they
    always come out, a barrier too is sent back (snake_eyes_doorstep_occupied).
    """
    setting, bit = situation.setting, situation.setting.ways.bit
    always = setting.rules.snake_eyes_doorstep_occupied == "always_out"
    colours = colours_in_scope(situation)
    field = survey(situation)
    pieces = [list(four) for four in situation.position]
    out = []
    for seat in colours:
        doorstep = bit[seat][DOORSTEP]
        in_base = situation.position[seat].count(BASE)
        if not in_base or (doorstep & field.barriers and not always):
            continue
        pieces[seat] = [DOORSTEP if steps == BASE else steps for steps in pieces[seat]]
        if setting.rules.exit_captures:
            for enemy in set(setting.captured[seat]) - set(colours):
                pieces[enemy] = [
                    BASE if bit[enemy][steps] & doorstep & field.enemies else steps for steps in pieces[enemy]
                ]
        out.append((seat, in_base))
    return tuple(tuple(sorted(four)) for four in pieces), tuple(out)


def all_back(position: Position, brought_out: tuple[Piece, ...]) -> Position:
    """The board with those who came out, as far as they still stand there, in base again."""
    pieces = [list(four) for four in position]
    for seat, number in brought_out:
        for _ in range(min(number, pieces[seat].count(DOORSTEP))):
            pieces[seat][pieces[seat].index(DOORSTEP)] = BASE
    return tuple(tuple(sorted(four)) for four in pieces)
