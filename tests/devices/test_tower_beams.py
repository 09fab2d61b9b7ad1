"""Beams: what is a break, what is noise, what is stuck."""

import pytest

from uckers_table.devices.pico.beams import FAULT_MS, HELD_MS, IN, OUT, STACK, STUCK_MS, Passage


class Fall:
    """Edges with their times, ticked every 5 ms between."""

    def __init__(self):
        self.passage, self.us, self.told = Passage(), 1_000_000, []

    def wait(self, ms):
        for _ in range(round(ms / 5)):
            self.us += 5000
            self.passage.tick(self.us)
            self.told += [told for _, told in self.passage.take()]

    def dark(self, beam, us):
        self.passage.edge(beam, True, self.us)
        self.us += us
        self.passage.edge(beam, False, self.us)
        self.wait(10)


def test_two_dice_in_and_out():
    fall = Fall()
    for beam in (IN, IN, OUT, OUT):
        fall.dark(beam, 8000)
    fall.wait(400)
    assert fall.told == [("begun",), ("ended", 2, 2)]


def test_what_is_shorter_than_a_millisecond_is_noise():
    fall = Fall()
    for _ in range(50):
        fall.dark(IN, 900)
    fall.wait(1000)
    assert fall.told == []


def test_a_gap_shorter_than_a_millisecond_is_within_one_die():
    fall = Fall()
    fall.passage.edge(IN, True, fall.us)
    for _ in range(3):
        fall.us += 2000
        fall.passage.edge(IN, False, fall.us)
        fall.us += 500
        fall.passage.edge(IN, True, fall.us)
    fall.dark(IN, 2000)
    fall.wait(400)
    assert fall.told == [("begun",), ("ended", 1, 0)]


def test_a_beam_that_stays_dark_is_a_jam_once_until_it_is_free():
    fall = Fall()
    fall.passage.edge(OUT, True, fall.us)
    fall.wait(490)
    assert fall.told == []
    fall.wait(5000)
    assert fall.told == [("jam", "out")]
    fall.passage.edge(OUT, False, fall.us)
    fall.wait(400)
    assert fall.told == [("jam", "out")]
    fall.wait(200)
    assert fall.told == [("jam", "out"), ("freed",)]
    fall.dark(IN, 8000)
    fall.wait(400)
    assert fall.told[2:] == [("begun",), ("ended", 1, 0)]


@pytest.mark.parametrize("held_ms", [HELD_MS, 500, STUCK_MS - 100])
def test_fingers_in_the_in_beam_are_no_dice_and_no_jam(held_ms):
    fall = Fall()
    fall.dark(IN, held_ms * 1000)
    fall.wait(3000)
    assert fall.told == [("begun",), ("ended", 0, 0)]
    # The next throw is counted as ever.
    for beam in (IN, IN, OUT, OUT):
        fall.dark(beam, 8000)
    fall.wait(400)
    assert fall.told[2:] == [("begun",), ("ended", 2, 2)]


def test_a_beam_has_to_be_dark_for_two_seconds_to_be_a_jam():
    for beam, before in ((IN, [("begun",)]), (OUT, [])):
        fall = Fall()
        fall.passage.edge(beam, True, fall.us)
        fall.wait(1990)
        assert fall.told == before
        fall.wait(20)
        assert [told[0] for told in fall.told[len(before) :]] == ["jam"]


def test_what_is_held_counts_beside_dice_that_fall():
    fall = Fall()
    fall.dark(IN, 300_000)
    fall.dark(IN, 8000)
    fall.dark(OUT, 8000)
    fall.wait(400)
    assert fall.told == [("begun",), ("ended", 2, 1)]


def test_a_die_that_slides_through_is_a_die():
    fall = Fall()
    fall.dark(IN, (HELD_MS - 10) * 1000)
    fall.wait(400)
    assert fall.told == [("begun",), ("ended", 1, 0)]


@pytest.mark.parametrize(
    ("jammed", "where", "told"),
    [(IN, "in", [("ended", 0, 2)]), (OUT, "out", [("begun",), ("ended", 2, 0)])],
)
def test_while_one_beam_is_dark_the_other_goes_on(jammed, where, told):
    fall = Fall()
    fall.passage.edge(jammed, True, fall.us)
    fall.wait(STUCK_MS + 50)
    fall.told.clear()
    for _ in range(2):
        fall.dark(1 - jammed, 8000)
    fall.wait(400)
    assert fall.told == told
    assert fall.passage.is_stuck(fall.us // 1000)
    fall.wait(FAULT_MS)
    # Nobody is told of a stuck die any more, and it is a dark beam still.
    assert not fall.passage.is_stuck(fall.us // 1000)
    assert fall.passage.is_jammed
    fall.passage.edge(jammed, False, fall.us)
    fall.wait(600)
    assert fall.told[len(told) :] == [("freed",)]


def test_a_late_die_ends_a_passage_that_never_began():
    fall = Fall()
    fall.dark(OUT, 8000)
    fall.wait(400)
    assert fall.told == [("ended", 0, 1)]


def test_a_throw_begins_at_the_in_beam_though_the_out_beam_was_just_broken():
    fall = Fall()
    fall.dark(OUT, 8000)
    fall.wait(100)
    for beam in (IN, IN, OUT, OUT):
        fall.dark(beam, 8000)
    fall.wait(400)
    assert fall.told == [("begun",), ("ended", 2, 2)]


def test_the_beam_across_the_pockets_is_a_level_and_no_jam():
    fall = Fall()
    fall.passage.edge(STACK, True, fall.us)
    fall.wait(2000)
    assert (fall.passage.is_stacked, fall.told) == (True, [])


def test_a_passage_is_told_when_it_happened():
    fall = Fall()
    begun_ms = fall.us // 1000
    fall.passage.edge(IN, True, fall.us)
    fall.passage.edge(IN, False, fall.us + 8000)
    fall.us += 400_000
    fall.passage.tick(fall.us)
    assert fall.passage.take() == [(begun_ms, ("begun",)), (begun_ms, ("ended", 1, 0))]
