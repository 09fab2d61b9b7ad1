"""Throw after throw, however fast, with a slow line and a slow camera: each is told once, as it lies.

Beams, dice and hands follow a script of their own; the tower's end of the beams and the host's judge are the
real ones, and see what they would, when they would.
"""

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from uckers_table.devices.base import Cocked, Dropped, NoThrow, ThrowRead
from uckers_table.devices.pico.beams import IN, OUT, QUIET_MS, Passage
from uckers_table.devices.tower_judges import TrayJudge
from uckers_table.devices.tower_link import Told

BREAK_MS, LOOK_MS, TICK_MS = 8, 100, 5


@dataclass(frozen=True)
class Look:
    dice: tuple[int, ...] | None = ()
    doubt: str = "tilted"
    hand: bool = False
    blind: bool = False


die = st.integers(1, 6)
throws = st.fixed_dictionaries(
    {
        "lies": st.one_of(
            st.tuples(die, die), st.tuples(die, st.just(0)), st.tuples(die), st.tuples(die, die, die)
        ),
        "apart": st.integers(0, 150),
        "falls": st.integers(200, 400),
        "rolls": st.integers(300, 900),
        "read": st.integers(1700, 4000),
        "hand": st.integers(300, 800),
        "sleeve": st.booleans(),
        "bare": st.integers(0, 3000),
    }
)
"""Milliseconds: between the dice, through the tower, over the tray, until they are picked up, of picking up,
and until the next throw. A sleeve may break the in-beam as the hand goes."""


class Evening:
    """What happens when, and what the host makes of it. `line_ms` is how late what the tower tells comes,
    in turn, and `eye_ms` how old a look is when it is seen."""

    def __init__(self, line_ms, eye_ms, beams=(IN, OUT)):
        self.line_ms, self.eye_ms, self.now_ms, self.beams = line_ms, eye_ms, 2000, beams
        self.edges, self.looks = [], [(0, Look())]

    def throw(self, lies, apart, falls, rolls, read, hand, sleeve, bare):
        for beam, at in ((IN, self.now_ms), (OUT, self.now_ms + falls)):
            for number in range(max(2, len(lies))):
                start = at + number * max(apart, 2 * BREAK_MS)
                self.edges += [(start, beam, True), (start + BREAK_MS, beam, False)]
        self._then(falls, Look(None))
        self._then(rolls + 2 * apart + 2 * BREAK_MS, Look(lies))
        self._then(read, Look(None, hand=True))
        self._then(hand, Look())
        if sleeve:
            self.edges += [(self.now_ms - 20, IN, True), (self.now_ms - 10, IN, False)]
        # Long enough for the camera to have seen that nothing lies there, and for the beams to rest.
        self.now_ms += bare + max(self.eye_ms + LOOK_MS, QUIET_MS + 2 * TICK_MS)

    def _then(self, ms, look):
        self.now_ms += ms
        self.looks.append((self.now_ms, look))

    def news(self):
        """All that the host makes of it."""
        passage, out, told, arrives_ms = Passage(), [], [], 0
        self.judge = judge = TrayJudge("3fa9c1d2", 0.0)
        edges = sorted((edge for edge in self.edges if edge[1] in self.beams), key=lambda edge: edge[0])
        for t in range(0, self.now_ms + 3000, TICK_MS):
            while edges and edges[0][0] <= t:
                at, beam, is_dark = edges.pop(0)
                passage.edge(beam, is_dark, at * 1000)
            passage.tick(t * 1000)
            for at, event in passage.take():
                # In the order of its numbers, each when it gets through.
                arrives_ms = max(arrives_ms, t + self.line_ms[len(told) % len(self.line_ms)])
                told.append((arrives_ms, at, event))
            for number, (arrives, at, event) in enumerate(told, start=1):
                if arrives == t or (arrives < t and arrives > t - TICK_MS):
                    out += judge.hear(Told(event[0], tuple(map(str, event[1:])), at / 1000, number))
            if t % LOOK_MS == 0:
                look = [look for at, look in self.looks if at <= t - self.eye_ms] or [Look()]
                out += judge.see(look[-1], t / 1000)
        return out


def meant(lies, sleeve, **_):
    """What a throw that comes to lie so is."""
    fault = NoThrow("crowd") if len(lies) > 2 else Cocked() if 0 in lies else None
    thrown = fault or (ThrowRead(lies) if len(lies) == 2 else Dropped())
    return [thrown, NoThrow("lift")] if sleeve else [thrown]


@settings(max_examples=100)
@given(
    st.lists(throws, min_size=1, max_size=4),
    st.lists(st.integers(0, 1200), min_size=1),
    st.integers(0, 500),
)
def test_each_throw_is_told_once_as_it_lies(evening, line_ms, eye_ms):
    played = Evening(line_ms, eye_ms)
    for throw in evening:
        played.throw(**throw)
    assert played.news() == [news for throw in evening for news in meant(**throw)]


long_throws = throws.map(lambda throw: {**throw, "read": throw["read"] + 4000, "sleeve": False})
"""Dice that lie until somebody wonders why nothing is said."""


@settings(max_examples=50)
@given(
    st.lists(long_throws, min_size=2, max_size=4),
    st.lists(st.integers(0, 1200), min_size=1),
    st.integers(0, 500),
)
def test_with_a_dead_in_beam_all_but_the_first_throw_are_told_once(evening, line_ms, eye_ms):
    played = Evening(line_ms, eye_ms, beams=(OUT,))
    for throw in evening:
        played.throw(**throw)
    news = played.news()
    assert news == [news for throw in evening[1:] for news in meant(**throw)]
    assert played.judge.misses_dice
    told = [each.told for each in news if isinstance(each, ThrowRead)]
    assert len(set(told)) == len(told)


@settings(max_examples=30)
@given(st.lists(long_throws, min_size=2, max_size=4), st.lists(st.integers(0, 1200), min_size=1))
def test_with_both_beams_dead_nothing_is_a_throw_and_that_is_known(evening, line_ms):
    played = Evening(line_ms, 0, beams=())
    for throw in evening:
        played.throw(**throw)
    assert (played.news(), played.judge.misses_dice) == ([], True)


@settings(max_examples=50)
@given(
    st.lists(throws, min_size=1, max_size=4),
    st.lists(st.integers(0, 1200), min_size=1),
    st.integers(0, 500),
)
def test_beams_that_work_are_never_doubted(evening, line_ms, eye_ms):
    played = Evening(line_ms, eye_ms)
    for throw in evening:
        played.throw(**throw)
    played.news()
    assert not played.judge.misses_dice
