"""What the page needs to know of rules and boards, whatever is being played: plain data, made when asked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from uckers_table.announce.rules_in_words import differences, edition, known_sets, lines, spoken
from uckers_table.announce.words import capital, place
from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board, Plan
from uckers_table.game.options import OPTIONS, SWITCHES


def offered_rules(own: str = "") -> dict[str, str]:
    """The sets that can be played, by the name shown: ours, and a mess's `own` file if there is one."""
    names = {known.name: known.name for known in known_sets()}
    return names | ({Path(own).stem: own} if own.endswith(".toml") else {})


def rules_list(offered: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each set in one line, those of the Navy first."""
    known = {each.name: each for each in known_sets()}
    listed = []
    for name, loaded in offered.items():
        one = edition(loaded)
        listed.append(
            {
                "name": name,
                "source": one.source,
                "dice": one.rules.dice_per_throw,
                "known_by": known[name].known_by if name in known else "A set of this mess's own.",
            }
        )
    return listed


@lru_cache(maxsize=32)
def rules_page(name: str, loaded: str) -> dict[str, Any]:
    """A set in words, and what each of the usual variations would change of it."""
    base = edition(loaded)
    return {
        "name": name,
        "source": base.source,
        "lines": [
            {"section": line.section, "text": line.text, "source": line.source} for line in lines(base)
        ],
        "switches": []
        if base.rules.dice_per_throw == 1
        else [_switch(loaded, switch) for switch in SWITCHES],
        "options": [
            {"name": option, "value": getattr(base.rules, option), "values": list(values)}
            for option, values in OPTIONS.items()
        ],
    }


def _switch(loaded: str, switch: str) -> dict[str, Any]:
    """A variation, and in words what it changes of a set."""
    try:
        changed = differences(edition(loaded), edition(loaded, [f"{switch}={spoken(True)}"]))
    except ValueError as error:
        return {"name": switch, "letter": switch[-1].upper(), "changes": [], "why_not": str(error)}
    words = [each.right.text for each in changed if each.right is not None]
    return {"name": switch, "letter": switch[-1].upper(), "changes": words, "why_not": ""}


@lru_cache(maxsize=32)
def plan_of(seats: tuple[str, ...]) -> dict[str, Any]:
    """Where everything lies on the plan of four arms, in cells, and what each place is called.

    `cells` has for each colour the cell of each step, `words` the place in words; `bases` four spots a seat.
    """
    board = Board(seats)
    plan = Plan(board)
    steps = [CORNER, *range(DOORSTEP, board.home)]
    low, high = board.arm_length / 2 - 0.9, board.arm_length / 2 + 0.9
    corner = [
        (low - 0.5, low - 0.5),
        (high - 0.5, low - 0.5),
        (high - 0.5, high - 0.5),
        (low - 0.5, high - 0.5),
    ]
    return {
        "cells": plan.cells,
        "arm": board.arm_length,
        "home": board.home,
        "mouth": board.mouth,
        "track": plan.track_cells,
        "doorsteps": [board.square(seat, DOORSTEP) for seat in range(board.arms)],
        "chutes": [[plan.chute_cell(seat, steps) for steps in board.chute] for seat in range(board.arms)],
        "bases": [[_turned(plan, spot, seat) for spot in corner] for seat in range(board.arms)],
        "homes": [
            _turned(plan, (board.arm_length + 0.15, board.arm_length + 1.0), seat) for seat in range(4)
        ],
        "steps": {
            colour: {str(step): plan.cell(seat, step) for step in steps} for seat, colour in enumerate(seats)
        },
        "words": {
            colour: {
                str(step): capital(place(board, seat, step).removeprefix("the "))
                for step in [BASE, *steps, board.home]
            }
            for seat, colour in enumerate(seats)
        },
    }


def _turned(plan: Plan, spot: tuple[float, float], quarters: int) -> tuple[float, float]:
    """A point of the plan in cells (middles are whole numbers) after so many quarter turns, clockwise."""
    x, y = spot
    for _ in range(quarters):
        x, y = plan.cells - 1 - y, x
    return round(x, 2), round(y, 2)
