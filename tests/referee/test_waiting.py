"""A match that waits: the same sighting for hours changes nothing, and costs nothing."""

import io
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from math import isclose
from pathlib import Path
from pkgutil import iter_modules

import pytest

import uckers_table.referee
from uckers_table.errors import RulesError
from uckers_table.game.board import COLOURS, Board
from uckers_table.game.position import all_in_base
from uckers_table.keeping.replay import recorded_match, with_frames_read
from uckers_table.record.recording import open_recording
from uckers_table.referee import rest
from uckers_table.referee.events import Seen, event_from_json, event_to_json
from uckers_table.referee.referee import Referee
from uckers_table.sighting import SeenDie, Sighting

RECORDINGS = Path(__file__).parents[1] / "recordings"
BOARD = Board()
START = all_in_base(BOARD)


def told(response):
    return [(timed.t, timed.ruling) for timed in response.rulings]


def judged(events, referee):
    """The referee after events, and all that it ruled."""
    said = []
    for event in events:
        response = referee.handle(event)
        referee, said = response.referee, said + told(response)
    return referee, said


def with_waits(events, waits):
    """The events, and before some of them sightings like the last one: (seconds, sightings a second) each."""
    gained, last = 0.0, None
    for number, event in enumerate(events):
        wait = waits.get(number)
        if wait is not None and last is not None:
            lasts_s, a_second = wait
            yield Seen(
                round(last.t + gained + 1 / a_second, 3),
                last.sighting,
                int(lasts_s * a_second),
                round(last.t + gained + lasts_s, 3),
            )
            gained = round(gained + lasts_s, 3)
        yield replace(event, t=round(event.t + gained, 3))
        last = event if isinstance(event, Seen) else None


def one_by_one(events):
    for event in events:
        if isinstance(event, Seen):
            yield from (Seen(t, event.sighting) for t in event.moments)
        else:
            yield event


def are_alike(one, other):
    """Whether two values are the same but for the last digit of a sum."""
    if is_dataclass(one) and type(one) is type(other):
        return all(are_alike(getattr(one, f.name), getattr(other, f.name)) for f in fields(one) if f.compare)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(are_alike, one, other))
    return isclose(one, other) if isinstance(one, float) else one == other


FOLDERS = [
    *(RECORDINGS / name for name in ("opening", "dice_on_the_board")),
    *sorted(each.parent for each in (Path(__file__).parent / "cases").glob("*/events.jsonl")),
]


def recorded(folder):
    recording = open_recording(folder)
    match = recorded_match(recording)
    lines = recording.events(match.board, match.position, io.StringIO())
    return Referee(match, recording.settings.dice), list(with_frames_read(recording, lines))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_wait_at_any_moment_leaves_what_all_its_sightings_would_leave(folder, monkeypatch):
    referee, events = recorded(folder)
    waits = dict.fromkeys(range(3, len(events), 17), (30.0, 4))
    waited = list(with_waits(events, waits))
    assert any(isinstance(event, Seen) and event.times > 1 for event in waited)
    together, said_together = judged(waited, referee)
    alone, said_alone = judged(one_by_one(waited), referee)
    monkeypatch.setattr(rest, "REST_S", float("inf"))
    looked_at, said = judged(one_by_one(waited), referee)
    assert said_together == said_alone == said
    assert together == alone
    assert are_alike(together, looked_at)


def scene(**seen):
    return Sighting(dict.fromkeys(COLOURS, (0, 0, 0, 0)), **seen)


SCENES = {
    "the board": scene(),
    "a hand": scene(hand=True),
    "the dark": scene(trouble=("too_dark",)),
    "no board": scene(trouble=("board_not_found",)),
    "dice": scene(dice=(SeenDie(6, "flat", 100.0, 20.0), SeenDie(2, "flat", 160.0, 20.0))),
    "dice and a hand": scene(hand=True, dice=(SeenDie(6, "flat", 100.0, 20.0),)),
}


@pytest.mark.parametrize("dice", ["tower", "camera"])
@pytest.mark.parametrize("name", SCENES)
def test_a_week_of_the_same_is_one_event(name, dice, monkeypatch):
    referee, events = recorded(RECORDINGS / "opening")
    began, _ = judged(events[:60], replace(referee, dice_from=dice))
    t, week = round(events[59].t + 1, 3), 7 * 24 * 3600
    handled = []
    taken = Referee._taken

    def counted(self, event):
        handled.append(event)
        assert len(handled) < 200, "so many were looked at one by one"
        return taken(self, event)

    monkeypatch.setattr(Referee, "_taken", counted)
    _, said = judged([Seen(t, SCENES[name], week * 5 + 1, t + week)], began)
    monkeypatch.setattr(Referee, "_taken", taken)
    monkeypatch.setattr(rest, "REST_S", float("inf"))
    _, said_in_minutes = judged((Seen(round(t + n / 5, 3), SCENES[name]) for n in range(300 * 5)), began)
    assert said == said_in_minutes


def test_nothing_that_the_referee_waits_for_takes_longer_than_rest():
    waits = {
        f"{module.name}.{name}": value
        for module in iter_modules(uckers_table.referee.__path__)
        for name, value in vars(import_module(f"uckers_table.referee.{module.name}")).items()
        if name.endswith("_S")
    }
    assert len(waits) > 15
    longest = {name: max(value) if isinstance(value, tuple) else value for name, value in waits.items()}
    assert max(longest.values()) <= rest.REST_S


@pytest.mark.parametrize(
    ("until", "times", "named"),
    [(4.0, 5, "until"), (100.0, 5, "until"), (9.0, 1, "times"), (9.0, 2.5, "times"), (9.0, 10**9, "times")],
)
def test_sightings_together_that_make_no_sense_are_refused(until, times, named):
    line = event_to_json(Seen(5.0, scene()), BOARD) | {"until": until, "times": times}
    with pytest.raises(RulesError, match=f"'{named}'"):
        event_from_json(line, BOARD, START)


def test_sightings_together_come_back_as_they_were_written():
    seen = Seen(5.0, scene(), 3000, 604.8)
    assert event_from_json(event_to_json(seen, BOARD), BOARD, START) == seen
