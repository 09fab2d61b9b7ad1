"""Tells the stories of `tests/referee/stories` at a scripted table, and lists them.

This prints the list, the folder's README:

    python -m tests.referee.telling_stories > tests/referee/stories/README.md
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.referee.reading_stories import Chapter, Event, Story, Values, read_all
from tests.referee.scripted import Table, place_of
from uckers_table.announce.sentences import say
from uckers_table.game.board import COLOURS
from uckers_table.game.match import Match
from uckers_table.game.position import Position, position_from
from uckers_table.referee.events import Correction, DeviceChanged, Due, Resumed, ThrowMade, ThrowVoid
from uckers_table.referee.referee import Referee
from uckers_table.referee.rulings import TimedRuling
from uckers_table.sighting import Stray

_HEAD = """# Stories: what the referee owes

Each story says what happened at a table, what the referee must make of it, and why. Together they are its
specification. [WRITING.md](WRITING.md) says how one is written. They are told by

```sh
.venv/bin/pytest tests/referee/test_told_stories.py
```

This page is made from them by `python -m tests.referee.telling_stories`.
"""


def tell(story: Story, referee: Callable[[Match, str], Any] = Referee) -> None:
    """Let everything happen. AssertionError, with all that happened, where something else was expected."""
    telling = Telling(story, referee)
    for event in story.events:
        telling.tell(event)


def index(chapters: Sequence[Chapter]) -> str:
    """The README of the stories' folder."""
    lines = [_HEAD]
    for chapter in chapters:
        lines.append(f"- [{chapter.kind}](#{_anchor(chapter.kind)}): {len(chapter.stories)} stories")
    for chapter in chapters:
        lines += ["", f"## {chapter.kind}", "", chapter.rule, f"[{chapter.file}.toml]({chapter.file}.toml)"]
        lines += ["", *(f"- **{each.name}.** {each.why}".rstrip() for each in chapter.stories)]
    return "\n".join(lines) + "\n"


def _anchor(heading: str) -> str:
    kept = [letter for letter in heading.lower().replace(" ", "-") if letter.isalnum() or letter == "-"]
    return "".join(kept)


class Telling:
    """A story that is being told, at its `table`."""

    def __init__(self, story: Story, referee: Callable[[Match, str], Any] = Referee) -> None:
        self.alternatives = story.alternatives
        self.table = Table(
            story.to_play,
            referee=referee,
            setting=story.setting,
            dice_from=story.dice_from,
            every=story.every,
            lying=story.lying,
            **story.pieces,
        )
        self.ruled_before = 0
        """So many rulings have been dealt with by expectations."""
        self.taken_before = 0
        """So many throws, faults and calls have been."""
        self.first_seen = 0.0
        """When the first sighting of the latest event came."""
        self.happened: list[str] = []

    def tell(self, event: Event) -> None:
        """Let an event happen, and compare what is expected after it with what is so."""
        before = len(self.table.ruled)
        self.first_seen = self.table.t + event.values.get("every", self.table.every)
        self.do(event)
        ruled = ", ".join(timed.ruling.kind.value for timed in self.table.ruled[before:])
        self.happened.append(f"{event.number:4d}  {event}" + (f"  ->  {ruled}" if ruled else ""))
        found = {key: FOUND[key](self, expected) for key, expected in event.expected.items()}
        wrong = [
            f"{key}: expected {expected}, found {found[key]}"
            for key, expected in event.expected.items()
            if found[key] != expected
        ]
        if wrong:
            raise AssertionError("\n".join([f"after event {event.number}:", *wrong, "", *self.happened]))
        if {"ruled", "said"} & {*event.expected}:
            self.ruled_before = len(self.table.ruled)
        if "taken" in event.expected:
            self.taken_before = len(self.table.taken)

    def do(self, event: Event) -> None:
        """Let an event happen."""
        table, values, value = self.table, event.values, event.values[event.action]
        if isinstance(values.get("dice"), tuple):
            table.lie(*values["dice"])
        table.move(**values.get("move", {}))
        looking = {key: values[key] for key in ("every", "trouble") if key in values}
        match event.action:
            case "see":
                seen = {key: values[key] for key in ("confidence", *COLOURS) if key in values}
                alternatives = self.alternatives.get(values.get("alternatives", ""), ())
                stray = [_stray(each) for each in values.get("stray", ())]
                table.see(value, **looking, **seen, alternatives=alternatives, stray=stray)
            case "hand":
                table.hand(value, **looking, hides_dice=not values.get("dice_in_view", False))
            case "throw":
                table.throw(*value, source=values.get("source", "tower"))
            case "dice":
                table.fault(value, values.get("source", "tower"))
            case "no_throw":
                table.tell(ThrowVoid, value)
            case "button":
                table.press(value)
            case "call":
                table.call(value)
            case "device":
                table.tell(DeviceChanged, value, values["state"])
            case "resumed":
                table.tell(Resumed, value)
            case "correction":
                table.tell(Correction, position_from(table.board, value, table.match.position))
            case "wait":
                table.wait(value)
            case "due":
                table.take(Due(table.t + value))
            case "repeat":
                for _ in range(value):
                    for each in values["events"]:
                        self.do(each)

    @property
    def news(self) -> Sequence[TimedRuling]:
        """The rulings since the last event with `ruled` or `said`, or since the start."""
        return self.table.ruled[self.ruled_before :]

    def latest(self, name: str) -> Any:
        """What the latest of these says under a name."""
        value = getattr(self.news[-1].ruling, name, None) if self.news else None
        return list(value) if isinstance(value, tuple) else value

    def asked(self, expected: Sequence[str]) -> list[str]:
        """The places of the latest question, by the names that are expected, as far as they are."""
        names = {place_of(each): each for each in expected}
        return [names.get(place, place) for place in self.latest("places") or [self.latest("about")]]

    def after(self, expected: Sequence[float]) -> Any:
        """What is expected, if the first ruling came so long after the first sighting of the event."""
        if not self.news:
            return None
        least, most = expected
        after_s = round(self.news[0].t - self.first_seen, 3)
        return expected if least <= after_s <= most else after_s

    def open(self, _: str) -> str:
        """What waits for players to answer, as it is said; empty where nothing does."""
        point = self.table.referee.open_point
        return say(point, self.table.board) if point is not None else ""

    def pieces(self, position: Position | None, expected: Any) -> Any:
        """The colours of a position that are asked for; False where there is no position."""
        if position is None:
            return False
        return {colour: list(position[self.table.board.seat(colour)]) for colour in expected or COLOURS}

    def colour(self, seat: int | None) -> str | None:
        """Whose seat it is."""
        return None if seat is None else self.table.board.seats[seat]


FOUND: Mapping[str, Callable[[Telling, Any], Any]] = {
    "ruled": lambda told, _: [timed.ruling.kind.value for timed in told.news],
    "said": lambda told, _: [words for timed in told.news if (words := say(timed.ruling, told.table.board))],
    "never": lambda told, expected: [kind for kind in expected if kind not in told.table.kinds],
    "after": Telling.after,
    "reason": lambda told, _: told.latest("reason"),
    "side": lambda told, _: told.colour(told.latest("seat")),
    "moves": lambda told, _: [
        f"{told.colour(move.seat)} {move.start} to {move.end}" for move in told.latest("moves") or ()
    ],
    "asks": Telling.asked,
    "about": lambda told, _: told.latest("about"),
    "numbers": lambda told, _: told.latest("numbers"),
    "readings": lambda told, _: [[who, list(dice)] for who, dice in told.latest("readings") or ()],
    "position": lambda told, expected: told.pieces(told.table.match.position, expected),
    "wrong_board": lambda told, expected: told.pieces(told.table.match.wrong_board, expected),
    "behind": lambda told, _: told.table.match.behind is not None,
    "to_play": lambda told, _: told.colour(told.table.match.to_play),
    "awaiting": lambda told, _: told.table.match.awaiting.value,
    "thrown": lambda told, _: list(told.table.match.thrown),
    "held": lambda told, _: [
        list(each.dice) for each in told.table.referee.held if isinstance(each, ThrowMade)
    ],
    "taken": lambda told, _: [
        list(each) if isinstance(each, tuple) else each for each in told.table.taken[told.taken_before :]
    ],
    "open": Telling.open,
}
"""What is so after an event, for each of EXPECTATIONS."""


def _stray(told: Values) -> Stray:
    column, row = told["cell"]
    return Stray(told.get("colour"), (column, row))


if __name__ == "__main__":
    print(index(read_all()), end="")
