"""Which part ended the last starts, and what that leaves out of the next."""

import json

import pytest

from uckers_table.errors import ConfigError, DeviceError
from uckers_table.machine.starts import FILE, MOST_FAILED, RUNTIME, Starts, blame_the_last, starts_kept_in

PARTS = ("match", "camera", "tower")


def died(folders, part):
    """A start that ends while a part is tried, with nobody left to say so."""
    Starts(folders, PARTS).begin(part)


@pytest.fixture
def card(tmp_path):
    return tmp_path / "record"


def test_the_part_that_three_starts_in_a_row_ended_in_is_left_out(card):
    for _ in range(MOST_FAILED):
        assert Starts([card], PARTS).left_out == frozenset()
        died([card], "camera")
    assert Starts([card], PARTS).left_out == {"camera"}
    # As long as nobody says that a start went well.
    assert Starts([card], PARTS).left_out == {"camera"}


def test_each_part_is_counted_for_itself_so_that_two_are_found(card):
    for part in ("camera", "match", "camera", "match", "camera"):
        died([card], part)
    assert Starts([card], PARTS).left_out == {"camera"}
    died([card], "match")
    assert Starts([card], PARTS).left_out == {"camera", "match"}


def test_a_part_that_has_held_or_failed_softly_is_not_left_out(card):
    for _ in range(MOST_FAILED):
        starts = Starts([card], PARTS)
        with starts.trying("tower"):
            pass
        with pytest.raises(DeviceError), starts.trying("camera"):
            raise DeviceError("no cable")
        starts.end("camera")
        starts.begin("match")
    assert Starts([card], PARTS).left_out == {"match"}


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ConfigError("key 'camera' is unknown")])
def test_what_people_end_or_wrote_is_no_part_s_fault(card, error):
    for _ in range(MOST_FAILED):
        with (
            pytest.raises((KeyboardInterrupt, SystemExit, ConfigError)),
            Starts([card], PARTS).trying("match"),
        ):
            raise error
    assert Starts([card], PARTS).left_out == frozenset()


def test_a_start_that_goes_well_forgets_and_gives_what_it_did_without_one_try(card):
    died([card], "tower")
    for _ in range(MOST_FAILED):
        died([card], "camera")
    Starts([card], PARTS).hold()
    assert Starts([card], PARTS).left_out == frozenset()
    died([card], "tower")
    assert Starts([card], PARTS).left_out == frozenset()
    died([card], "camera")
    assert Starts([card], PARTS).left_out == {"camera"}


def test_what_works_again_is_left_out_no_more(card):
    for _ in range(MOST_FAILED):
        died([card], "camera")
    starts = Starts([card], PARTS)
    starts.begin("camera")
    starts.regain("camera")
    assert starts.left_out == frozenset()
    died([card], "camera")
    assert Starts([card], PARTS).left_out == frozenset()


def test_a_part_that_cannot_be_left_out_is_not_counted(card):
    for _ in range(MOST_FAILED):
        died([card], "page")
    assert Starts([card], (*PARTS, "page")).left_out == frozenset()


def test_an_error_counts_only_until_the_start_has_held(card):
    for _ in range(MOST_FAILED):
        starts = Starts([card], PARTS)
        starts.run(["match", "camera"])
        starts.blame()
    late = Starts([card], PARTS)
    assert late.left_out == {"match"}
    late.run(["match", "camera"])
    late.hold()
    late.blame("camera")
    for _ in range(MOST_FAILED - 1):
        died([card], "camera")
    assert Starts([card], PARTS).left_out == frozenset()


def test_what_is_being_tried_is_likelier_than_what_runs(card):
    for _ in range(MOST_FAILED):
        starts = Starts([card], PARTS)
        starts.run(["match", "camera"])
        starts.begin("camera")
        starts.blame("match")
    assert Starts([card], PARTS).left_out == {"camera"}


@pytest.mark.parametrize(
    ("environment", "counts"),
    [
        ({"SERVICE_RESULT": "watchdog", "EXIT_STATUS": "ABRT"}, True),
        ({"SERVICE_RESULT": "oom-kill", "EXIT_STATUS": "KILL"}, True),
        ({"SERVICE_RESULT": "signal", "EXIT_STATUS": "SEGV"}, True),
        ({"SERVICE_RESULT": "signal", "EXIT_STATUS": "KILL"}, False),
        ({"SERVICE_RESULT": "success", "EXIT_STATUS": "0"}, False),
        ({}, False),
    ],
)
def test_how_the_service_ended_tells_its_own_fault_from_people_s(card, environment, counts):
    for _ in range(MOST_FAILED):
        Starts([card], PARTS).run(["match", "camera"])
        blame_the_last([card], environment)
    assert Starts([card], PARTS).left_out == ({"match"} if counts else frozenset())


def test_a_card_that_takes_nothing_stops_no_start_and_the_folder_in_memory_counts(tmp_path):
    card, memory = tmp_path / "full", tmp_path / "run"
    died([card], "tower")
    (card / FILE).with_suffix(".new").mkdir()
    folders = starts_kept_in(card, {RUNTIME: str(memory)})
    assert folders == (memory, card)
    for _ in range(MOST_FAILED):
        died(folders, "camera")
    assert Starts(folders, PARTS).left_out == {"camera"}
    nowhere = card / FILE
    for _ in range(MOST_FAILED):
        died([nowhere], "camera")
    assert Starts([nowhere], PARTS).left_out == frozenset()


def test_without_a_service_the_card_alone_is_used(card):
    assert starts_kept_in(card, {}) == (card,)
    assert starts_kept_in(card, {RUNTIME: "here"}) == (card,)
    assert starts_kept_in(card, {RUNTIME: "/run/a:/run/b"})[0].name == "a"


@pytest.mark.parametrize(
    "text",
    ["", "\0", "null", "[]", '{"serial": 1}', '{"serial": 1, "failed": 3, "trying": [], "running": []}'],
)
def test_a_file_that_cannot_be_read_counts_as_none(card, text):
    card.mkdir()
    (card / FILE).write_text(text)
    assert Starts([card], PARTS).left_out == frozenset()
    died([card], "camera")
    assert json.loads((card / FILE).read_text())["trying"] == ["camera"]
