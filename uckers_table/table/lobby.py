"""Choosing a match by the buttons alone, on the display: pure, one press after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from uckers_table.announce.loudness import Loudness
from uckers_table.announce.rules_in_words import known_sets
from uckers_table.config import Config
from uckers_table.game.board import COLOURS
from uckers_table.game.options import SWITCHES
from uckers_table.game.setting import GEOMETRY
from uckers_table.machine.messages import Message

BEGIN, FURTHER, BACK = "done", "accept", "undo"
"""Begins the match that is chosen; asks for the next thing; leaves all as it was."""
PIN = "undo"
"""Has the PIN said aloud, while nothing is asked."""
OTHER, ONE_BEFORE = "challenge", "suckback"
"""Change what is asked."""
_THROW_FOR_IT = "throw for it"
_LOUDNESS = {
    Loudness.QUIET: "quiet: faults and questions.",
    Loudness.CALLS: "calls: what is called, too.",
    Loudness.CHATTY: "chatty: throws and blobs, too.",
}


@dataclass(frozen=True)
class _Item:
    """Something to choose: its title, what there is to choose from, each in words, how it stands in a
    configuration, and that with another choice.
    """

    title: str
    choices: Mapping[Any, str]
    now: Callable[[Config], Any]
    chosen: Callable[[Config, Any], Config]


@dataclass(frozen=True)
class Lobby:
    """How far somebody has got: `config` is what would be played, `asked` which item is asked, None for none.

    `before` is how it was before anything was chosen. `own` are a mess's own sets, names by files.
    """

    config: Config
    asked: int | None = None
    before: Config | None = None
    own: Mapping[str, str] = field(default_factory=dict)

    def pressed(self, button: str) -> Lobby:
        """What a press makes of it; a button that means nothing here changes nothing."""
        if button == FURTHER:
            asked = 0 if self.asked is None else (self.asked + 1) % len(self._items)
            return replace(self, asked=asked, before=self.before or self.config)
        if self.asked is None:
            return self
        if button == BACK:
            return Lobby(self.before or self.config, own=self.own)
        if button in (OTHER, ONE_BEFORE):
            item = self._items[self.asked]
            choices: Sequence[Any] = list(item.choices)
            here = item.now(self.config)
            step = 1 if button == OTHER else -1
            place = (choices.index(here) + step) % len(choices) if here in choices else 0
            return replace(self, config=item.chosen(self.config, choices[place]))
        return self

    @property
    def _items(self) -> tuple[_Item, ...]:
        return _items(self.config, self.own)

    def chosen(self, config: Config) -> Config:
        """A configuration with the match that is chosen here."""
        return replace(config.with_match(self.config), loudness=self.config.loudness)

    @property
    def lamps(self) -> frozenset[str]:
        """The buttons that mean something."""
        return frozenset({BEGIN, FURTHER, *((BACK, OTHER, ONE_BEFORE) if self.asked is not None else ())})

    def page(self) -> Message | None:
        """What the display asks; None while nothing is asked."""
        if self.asked is None:
            return None
        item = self._items[self.asked]
        here = item.now(self.config)
        return Message(item.title, item.choices.get(here, f"{here}"))


def _items(config: Config, own: Mapping[str, str]) -> tuple[_Item, ...]:
    """All there is to choose, in order."""
    ours = {known.name: f"{known.name}: {_in_short(known.known_by)}" for known in known_sets()}
    sets = {file: f"{name}: this mess's own." for file, name in own.items()} | ours
    return (
        _Item("RULES", sets, lambda config: config.rules, _with_rules),
        *(_variation(switch) for switch in SWITCHES),
        _Item(
            "PLAYERS",
            {4: "4, two against two.", 2: "2, each with two colours."}
            if len(config.seats) == len(COLOURS)
            else {len(config.seats): f"{len(config.seats)}, one a colour."},
            lambda config: config.players,
            lambda config, players: replace(config, players=players),
        ),
        _Item(
            "WHO STARTS",
            {None: _THROW_FOR_IT, **{seat: seat for seat in config.seats}},
            lambda config: config.to_play,
            lambda config, seat: replace(config, to_play=seat),
        ),
        _Item(
            "SAY",
            _LOUDNESS,
            lambda config: config.loudness,
            lambda config, loudness: replace(config, loudness=loudness),
        ),
    )


def _in_short(known_by: str) -> str:
    """What a set is known by, as far as a display has room: up to the first stop."""
    return f"{re.split('[.,:;]', known_by, maxsplit=1)[0]}."


def _with_rules(config: Config, rules: str) -> Config:
    """Another rule set on the same board, without what was changed in the one before."""
    board = {name: value for name, value in config.options.items() if name in GEOMETRY}
    return replace(config, rules=rules, options=board)


def _variation(switch: str) -> _Item:
    def chosen(config: Config, is_on: bool) -> Config:
        others = {name: value for name, value in config.options.items() if name != switch}
        return replace(config, options=others | ({switch: True} if is_on else {}))

    return _Item(
        f"VARIATION {switch[-1].upper()}",
        {False: "off", True: "on"},
        lambda config: bool(config.options.get(switch)),
        chosen,
    )
