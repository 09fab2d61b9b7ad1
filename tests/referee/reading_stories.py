"""Reads the stories of `tests/referee/stories` strictly: nonsense is an error that names file and story.

`tests/referee/stories/WRITING.md` says how one is written.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.referee.scripted import (
    PLACES_MM,
    die,
    match_of,
    may_be,
    near_line,
    setting_of,
    sightings_in,
)
from uckers_table.errors import RulesError
from uckers_table.game.board import COLOURS
from uckers_table.game.events import CALLS
from uckers_table.game.ruling import Kind
from uckers_table.game.setting import Setting
from uckers_table.referee.events import BUTTONS, DEVICE_STATES, DICE_SOURCES, FAULTS, NO_THROWS
from uckers_table.referee.rulings import NoticeKind
from uckers_table.sighting import DIE_STATES, TROUBLES, Alternative, SeenDie

STORIES = Path(__file__).parent / "stories"
CHAPTERS = (
    *("plays", "halves", "mended", "back", "asked", "trusted", "step", "shifts", "left", "early", "quick"),
    *("errors", "lines", "stacks", "unseen", "ucked", "calls", "blind", "resumed"),
    *("dice", "faults", "tower", "rereads", "turned", "again"),
)
"""The files, in the order in which a newcomer reads them."""
EVERY_S = 0.4
"""Seconds between two sightings, where neither the file nor the story says."""
LONGEST_ID = 80
"""Characters of a story's id at most."""

Values = Mapping[str, Any]

_LOOKING = ("every", "move", "dice", "trouble")
ACTIONS: Mapping[str, Sequence[str]] = {
    "see": (*_LOOKING, "confidence", "alternatives", "stray", *COLOURS),
    "hand": (*_LOOKING, "dice_in_view"),
    "throw": ("source",),
    "no_throw": (),
    "button": (),
    "call": (),
    "device": ("state",),
    "resumed": (),
    "correction": (),
    "wait": (),
    "due": (),
    "repeat": ("events",),
    "dice": ("source",),
    "move": (),
}
"""What an event can be, and what it may say besides. Where several are there, the first is what it is."""
EXPECTATIONS = (
    *("ruled", "said", "never", "after"),
    *("reason", "side", "moves", "asks", "about", "numbers", "readings"),
    *("position", "wrong_board", "behind", "to_play", "awaiting", "thrown", "held", "taken", "open"),
)
"""What may be expected after an event."""
_RULINGS = frozenset({*map(str, Kind), *map(str, NoticeKind)})
_KNOWN_VALUES: Mapping[str, Sequence[str]] = {
    "button": BUTTONS,
    "call": CALLS,
    "dice": FAULTS,
    "no_throw": NO_THROWS,
    "resumed": DICE_SOURCES,
    "state": DEVICE_STATES,
    "source": DICE_SOURCES,
}
_CHAPTER_KEYS = ("kind", "rule", "every", "story")
_STORY_KEYS = (
    *("name", "why", "rules", "options", "players", "dice", "every"),
    *("start", "lying", "alternatives", "events"),
)
_ALTERNATIVE_KEYS = ({"place", "contents", "cost"}, {"near_line", "read", "beyond", "cost"})


class StoryError(Exception):
    """A story that makes no sense. The message names the file and the story."""


@dataclass(frozen=True)
class Event:
    """One event: its `action`, the `values` that come with it, and what is `expected` after it."""

    number: int
    action: str
    values: Values
    expected: Values

    def __str__(self) -> str:
        return ", ".join(f"{key} = {value}" for key, value in self.values.items())


@dataclass(frozen=True)
class Story:
    """One story: how it starts, and its events. `why` is empty where its name says all."""

    file: str
    name: str
    why: str
    setting: Setting
    to_play: str | None
    pieces: Mapping[str, Sequence[int]]
    lying: tuple[SeenDie, ...]
    dice_from: str
    every: float
    alternatives: Mapping[str, tuple[Alternative, ...]]
    events: tuple[Event, ...]

    @property
    def id(self) -> str:
        """The name of its test."""
        return f"{self.file}: {self.name}"


@dataclass(frozen=True)
class Chapter:
    """The stories of one file: their `kind` in a few words, and the `rule` that they show."""

    file: str
    kind: str
    rule: str
    stories: tuple[Story, ...]


def read_all(folder: Path = STORIES) -> tuple[Chapter, ...]:
    """All chapters, in the order of CHAPTERS."""
    found = {path.stem for path in folder.glob("*.toml")}
    _check(found == {*CHAPTERS}, f"{sorted(found ^ {*CHAPTERS})}: the files are not those of CHAPTERS")
    return tuple(read_chapter(folder / f"{name}.toml") for name in CHAPTERS)


def read_chapter(path: Path) -> Chapter:
    """The stories of one file. StoryError for what makes no sense."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise StoryError(f"{path.name}: is no TOML file ({error})") from None
    for key in data:
        _check(key in _CHAPTER_KEYS, f"{path.name}: key {key!r} is not known")
    for key in ("kind", "rule", "story"):
        _check(bool(data.get(key)), f"{path.name}: has no {key!r}")
    stories = []
    for each in data["story"]:
        where = f"{path.name}: story {each.get('name', '')!r}"
        try:
            stories.append(_read_story(path.stem, each, data.get("every", EVERY_S)))
        except (StoryError, RulesError, TypeError, ValueError, KeyError) as error:
            raise StoryError(f"{where}: {error}") from None
    names = [story.name for story in stories]
    for name in names:
        _check(names.count(name) == 1, f"{path.name}: story {name!r} is there twice")
    return Chapter(path.stem, data["kind"], data["rule"], tuple(stories))


def die_of(text: str) -> SeenDie:
    """A die as a story writes it: "2 here", "? cocked there", "4 off_board beside", "6 130,200"."""
    value, *states, place = text.split()
    _check(len(states) <= 1 and {*states} <= {*DIE_STATES}, f"{text!r} is no die")
    x_mm, y_mm = PLACES_MM[place] if place in PLACES_MM else map(float, place.split(","))
    return die(None if value == "?" else int(value), (x_mm, y_mm), *states)


def _read_story(file: str, data: Values, every: float) -> Story:
    _check_keys(data, _STORY_KEYS)
    for key in ("name", "start", "events"):
        _check(data.get(key) not in (None, "", []), f"it has no {key!r}")
    every = data.get("every", every)
    events = tuple(_read_events(data["events"], every))
    _check(bool(events[-1].expected), "nothing is expected after its last event")
    pieces, options = dict(data["start"]), tuple(sorted(data.get("options", {}).items()))
    story = Story(
        file=file,
        name=data["name"],
        why=data.get("why", ""),
        setting=setting_of(data.get("rules", "br4006"), options, data.get("players")),
        to_play=pieces.pop("to_play", None),
        pieces=pieces,
        lying=tuple(map(die_of, data.get("lying", ()))),
        dice_from=data.get("dice", "tower"),
        every=every,
        alternatives={
            name: tuple(_read_alternatives(entries)) for name, entries in data.get("alternatives", {}).items()
        },
        events=events,
    )
    _check(len(story.id) <= LONGEST_ID, f"its id has {len(story.id)} characters, not {LONGEST_ID} at most")
    _check(not story.name.endswith("."), "its name ends with a full stop")
    _check(story.dice_from in DICE_SOURCES, f"no dice are read by {story.dice_from!r}")
    used = {event.values["alternatives"] for event in events if "alternatives" in event.values}
    _check(
        used == {*story.alternatives}, f"{sorted(used ^ {*story.alternatives})}: not described, or not used"
    )
    match_of(story.setting, story.to_play, **story.pieces)
    return story


def _read_events(entries: Sequence[Values], every: float) -> Iterator[Event]:
    for number, each in enumerate(entries, 1):
        try:
            yield _read_event(each, number, every)
        except (StoryError, TypeError, ValueError) as error:
            raise StoryError(f"event {number}: {error}") from None


def _read_event(data: Values, number: int, every: float) -> Event:
    action = next((each for each in ACTIONS if each in data), "")
    _check(bool(action), f"has none of {', '.join(ACTIONS)}")
    own = (action, *ACTIONS[action])
    _check_keys(data, (*own, *EXPECTATIONS))
    values = {key: value for key, value in data.items() if key in own}
    expected = {key: value for key, value in data.items() if key not in own}
    for kind in (*expected.get("ruled", ()), *expected.get("never", ())):
        _check(kind in _RULINGS, f"no ruling is called {kind!r}")
    for trouble in values.get("trouble", ()):
        _check(trouble in TROUBLES, f"no trouble is called {trouble!r}")
    for key, known in _KNOWN_VALUES.items():
        value = values.get(key)
        is_known = value is None or isinstance(value, list) or value in known
        _check(is_known, f"{key} = {value!r} is none of {', '.join(known)}")
    if isinstance(values.get("dice"), list):
        _check(action in ("see", "hand"), "dice lie there from an event with see or hand")
        values["dice"] = tuple(map(die_of, values["dice"]))
    if action in ("see", "hand"):
        sightings_in(values[action], values.get("every", every))
    if action == "repeat":
        values["events"] = tuple(_read_events(values["events"], every))
        has_none = not any(each.expected for each in values["events"])
        _check(has_none, "something is expected of what is repeated")
    return Event(number, action, values, expected)


def _read_alternatives(entries: Sequence[Values]) -> Iterator[Alternative]:
    for each in entries:
        is_known = any(set(each) - {"across"} == keys for keys in _ALTERNATIVE_KEYS)
        _check(is_known, f"alternatives: {dict(each)} makes no sense")
        if "near_line" in each:
            yield from near_line(each["near_line"], each["read"], each["beyond"], each["cost"])
        else:
            yield may_be(each["place"], each["contents"], each["cost"], each.get("across", ""))


def _check_keys(data: Values, known: Sequence[str]) -> None:
    for key in data:
        _check(key in known, f"key {key!r} is not known")


def _check(holds: bool, complaint: str) -> None:
    if not holds:
        raise StoryError(complaint)
