"""Snapshots as the scripts take them: what they read, and nothing encoded twice."""

import json
from dataclasses import replace

from tests.web.fakes import FakeTable
from uckers_table.game.events import Call
from uckers_table.sighting import SeenDie, Sighting
from uckers_table.web import commands
from uckers_table.web.feed import LastSeen, OpenCall, Snapshot, TableState
from uckers_table.web.shown import as_object, parts_of

IDLE = Snapshot(TableState.IDLE)


def shown(snapshot):
    return json.loads(as_object(parts_of(snapshot, IDLE, {})))


def test_a_play_is_told_by_its_moves_and_the_board_after_it():
    table = FakeTable()
    table.do(commands.StartMatch("br4006", to_play="green"))
    table.do(commands.EnterThrow((6, 3)))
    seen = shown(table.feed.latest())
    assert (seen["to_play"], seen["throw"]) == ("green", [6, 3])
    after = {"red": [0] * 4, "green": [0, 0, 0, 4], "yellow": [0] * 4, "blue": [0] * 4}
    assert seen["plays"] == [{"moves": [{"colour": "green", "from": 0, "to": 4}], "position": after}]


def test_a_call_is_offered_as_it_is_to_be_asked_for():
    call = OpenCall(Call("suckback", 1, 25, 3), "suckback 3")
    snapshot = replace(IDLE, calls=(call,))
    piece = {"colour": "green", "steps": 25}
    assert shown(snapshot)["calls"] == [
        {
            "words": "suckback 3",
            "is_forced": False,
            "call": "suckback",
            "double": False,
            "target": 3,
            "piece": piece,
        }
    ]


def test_where_a_mess_keeps_its_rules_is_not_told():
    snapshot = replace(IDLE, rules="/home/mess/ours.toml", options={"var_c": True})
    assert (shown(snapshot)["rules"], shown(snapshot)["options"]) == ("ours", {"var_c": True})


def test_what_is_seen_is_told_by_colour():
    sighting = Sighting({"red": (0, 4)}, dice=(SeenDie(6, "flat", 1.0, 2.0),), trouble=("blurred",))
    seen = shown(replace(IDLE, seen=LastSeen(sighting, 2)))["seen"]
    assert (seen["pieces"], seen["found"], seen["of"]) == ({"red": [0, 4]}, 2, 16)
    assert (seen["dice"][0]["value"], seen["trouble"]) == (6, ["blurred"])


def test_a_table_that_shows_nothing_yet_shows_that():
    nothing = shown(IDLE)
    assert nothing["state"] == "idle"
    assert [nothing[part] for part in ("match", "position", "to_play", "seen")] == [None] * 4


def test_only_what_has_changed_is_encoded_anew():
    table = FakeTable()
    table.do(commands.StartMatch("br4006", to_play="green"))
    before = table.feed.latest()
    parts = parts_of(before, IDLE, {})
    later = parts_of(replace(before, frame=9, owed="1 more"), before, parts)
    assert {name for name in parts if later[name] is not parts[name]} == {"frame", "owed"}
    assert as_object(later, ["frame", "owed"]) == '{"frame":9,"owed":"1 more"}'
