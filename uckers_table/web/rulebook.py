"""What the page needs to know of rules and boards, whatever is being played: plain data, made when asked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from uckers_table.announce.card import in_its_place, unwarned
from uckers_table.announce.rules_in_words import (
    OWN_SET,
    Edition,
    RuleChoice,
    book,
    edition,
    known_sets,
    option_in_words,
    rule_choices,
    rule_differences,
    rule_lines,
    rule_warnings,
    spoken_value,
)
from uckers_table.announce.words import capital, place
from uckers_table.errors import RecordError, RulesError
from uckers_table.game.board import BASE, CORNER, DOORSTEP, PIECES, Board
from uckers_table.game.layout import INNER_BASE, Layout, Place, Point
from uckers_table.game.options import SWITCHES
from uckers_table.game.rules import goes_with
from uckers_table.record.kept_rules import kept_files

_Given = TypeVar("_Given", bound=Hashable)
_Told = TypeVar("_Told")
BOOK = "br4006"
"""The Navy's own book, from which others differ."""
SHOWN_OF_A_SWITCH = 3
"""Of what a variation changes. The page shows two sentences, and says that there are more."""


class OfferedRules(Mapping[str, str]):
    """The sets that can be played, by the name shown, and as they are loaded: a mess's own first, then ours.

    Its own are those that are kept in the record now, and the configuration's file, if there is one.
    """

    def __init__(self, own: str = "", record: Path | None = None) -> None:
        self._own, self._record = own, record

    def _now(self) -> dict[str, str]:
        ours = {known: known for known in book().known_by}
        configured = {Path(self._own).stem: self._own} if self._own.endswith(".toml") else {}
        # Of two that have one name the mess's own is meant.
        mess = configured | {name: str(file) for name, file in self.kept.items()}
        return mess | {name: loaded for name, loaded in ours.items() if name not in mess}

    @property
    def kept(self) -> dict[str, Path]:
        """Those that are kept in the record; none where the card does not give them."""
        try:
            return kept_files(self._record) if self._record is not None else {}
        except RecordError:
            return {}

    def __getitem__(self, name: str) -> str:
        return self._now()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())


def rules_list(offered: OfferedRules) -> list[dict[str, Any]]:
    """Each set in one line, a mess's own first, then those of the Navy."""
    known, kept = {each.name: each for each in known_sets()}, offered.kept
    listed: list[dict[str, Any]] = []
    for name, loaded in offered.items():
        line = {"name": name, "is_kept": name in kept, "source": "", "dice": 2, "trouble": ""}
        line["known_by"] = known[name].known_by if loaded in known else OWN_SET
        try:
            one = edition(loaded)
            line |= {"source": one.source, "dice": one.rules.dice_per_throw}
        except RulesError:
            line["trouble"] = "It cannot be read. `uckers-table rules` says why."
        listed.append(line)
    return listed


def _remembered(tell: Callable[[str, _Given], _Told]) -> Callable[[str, _Given], _Told]:
    """What is told of a loadable set: of ours from memory, of a mess's own anew, as its file may change."""
    remember = lru_cache(maxsize=32)(tell)

    def told(loaded: str, given: _Given) -> _Told:
        return (tell if loaded.endswith(".toml") else remember)(loaded, given)

    return told


@_remembered
def rules_for_page(loaded: str, name: str) -> dict[str, Any]:
    """A set in words, and what each of the usual variations would change of it."""
    base = edition(loaded)
    return {
        "name": name,
        "source": base.source,
        "lines": [
            {"section": line.section, "text": line.text, "source": line.source} for line in rule_lines(base)
        ],
        "switches": []
        if base.rules.dice_per_throw == 1
        else [_switch(loaded, switch) for switch in SWITCHES],
    }


@_remembered
def changed_rules(loaded: str, changed: tuple[str, ...]) -> dict[str, list[Any]]:
    """A set with switches and options changed, each as typed on a command line.

    `changes` says in words what the single options change of it, each with the option where one was chosen,
    and None where it follows from another. `warnings` say what can go wrong with it then.
    RulesError where there is no such option or value, or where some exclude each other.
    """
    played, without, options = edition(loaded, changed), *_usual(loaded, changed)
    said = [each.right for each in rule_differences(without, played)]
    changes = [
        {"option": line.option if line.option in options else None, "text": line.text}
        for line in said
        if line is not None and not line.warns
    ]
    # One that makes no sense beside the others counts as soon as it does.
    unsaid = options - {each["option"] for each in changes}
    changes += [
        {"option": each, "text": option_in_words(each, getattr(played.rules, each), played.rules)}
        for each in sorted(unsaid)
    ]
    return {"changes": changes, "warnings": list(rule_warnings(played.rules))}


@_remembered
def chosen_rules(loaded: str, changed: tuple[str, ...]) -> list[dict[str, Any]]:
    """All rules of a set that can be chosen, section by section, with switches and options changed.

    Each value is given with its words, and with whether it goes with the other rules.
    """
    played, without, _ = edition(loaded, changed), *_usual(loaded, changed)
    variations = [each.partition("=")[0] for each in changed if _is_switch(each)]

    def values(choice: RuleChoice) -> list[Any]:
        return [
            [value, words, goes_with(played.rules, choice.option, value, variations)]
            for value, words in choice.words.items()
        ]

    return [
        {
            "section": section,
            "rules": [
                {
                    "option": each.option,
                    "value": each.value,
                    "usual": each.usual,
                    "values": values(each),
                }
                for each in group
            ],
        }
        for section, group in groupby(rule_choices(without, played), lambda choice: choice.section)
    ]


@_remembered
def card_of_rules(loaded: str, changed: tuple[str, ...]) -> dict[str, Any]:
    """What is different from BR 4006 in a set as it is about to be played: for a card to print."""
    book, played = edition(BOOK), edition(loaded, changed)
    single = len({each.partition("=")[0] for each in changed} - SWITCHES.keys())
    own = f"with {single} rule{'s' if single > 1 else ''} changed" if single else ""
    found = unwarned(rule_differences(book, played))
    return {
        "source": ", ".join(filter(None, [played.source, own])),
        "sections": [
            {
                "section": section,
                "rules": [[capital(in_its_place(each.right)), in_its_place(each.left)] for each in group],
            }
            for section, group in groupby(found, lambda difference: difference.section)
        ],
        "warnings": list(rule_warnings(played.rules)),
    }


def _usual(loaded: str, changed: Iterable[str]) -> tuple[Edition, set[str]]:
    """A set with its switches alone, and the single options that are changed beside them."""
    switches = [each for each in changed if _is_switch(each)]
    return edition(loaded, switches), {each.partition("=")[0] for each in changed} - SWITCHES.keys()


def _is_switch(typed: str) -> bool:
    return typed.partition("=")[0] in SWITCHES


def _switch(loaded: str, switch: str) -> dict[str, Any]:
    """A variation, and what it changes of a set: as many sentences as tell whether there are more."""
    try:
        changed = rule_differences(edition(loaded), edition(loaded, [f"{switch}={spoken_value(True)}"]))
    except ValueError as error:
        return {"name": switch, "letter": switch[-1].upper(), "changes": [], "why_not": str(error)}
    words = [each.right.text for each in changed if each.right is not None][:SHOWN_OF_A_SWITCH]
    return {"name": switch, "letter": switch[-1].upper(), "changes": words, "why_not": ""}


def plan_address(board: Board) -> str:
    """Where the page finds the plan of a board."""
    query = {
        "seats": ",".join(board.seats),
        "arm_length": board.arm_length,
        "arm_end_doorstep": int(board.arm_end_doorstep),
    }
    return f"/api/plan?{urlencode(query, safe=',')}"


@lru_cache(maxsize=32)
def plan_of(board: Board) -> dict[str, Any]:
    """Where everything lies in a drawing of a board (`game.layout`), and what each place is called.

    A place is x, y and the angle at which what lies there is turned. `places` has for each colour those of
    each step, in base one a piece; `words` the place in words.
    """
    layout = Layout(board)
    between = [CORNER, *range(DOORSTEP, board.home)]
    return {
        "arms": board.arms,
        "home": board.home,
        "size": _rounded(layout.size),
        "edge": _polygon(layout.edge),
        "bases": [_polygon(layout.base(seat)) for seat in range(board.arms)],
        "inner_bases": [_polygon(layout.base(seat, INNER_BASE)) for seat in range(board.arms)],
        "base_middles": [_place(layout.base_middle(seat)) for seat in range(board.arms)],
        "homes": [_polygon(layout.home(seat)) for seat in range(board.arms)],
        "squares": [
            {"place": _place(place), "colour": board.seats[seat] if seat is not None else None}
            for place, seat in layout.squares
        ],
        "letters": dict(zip(board.seats, board.letters, strict=True)),
        "places": {
            colour: {
                str(BASE): [_place(layout.place(seat, BASE, number)) for number in range(PIECES)],
                **{str(step): _place(layout.place(seat, step)) for step in [*between, board.home]},
            }
            for seat, colour in enumerate(board.seats)
        },
        "words": {
            colour: {
                str(step): capital(place(board, seat, step).removeprefix("the "))
                for step in [BASE, *between, board.home]
            }
            for seat, colour in enumerate(board.seats)
        },
    }


def _place(place: Place) -> tuple[float, ...]:
    return _rounded((place.x, place.y, place.angle))


def _polygon(corners: Iterable[Point]) -> list[tuple[float, ...]]:
    return [_rounded(corner) for corner in corners]


def _rounded(numbers: Iterable[float]) -> tuple[float, ...]:
    """No longer than a screen shows, and without a negative zero."""
    return tuple(round(number, 3) + 0.0 for number in numbers)
