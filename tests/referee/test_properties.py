"""What holds whatever happens: no event makes the referee raise, and no piece is lost."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.scripted import BOARD, SETTING, Table, setting_of, sighting_of
from uckers_table.game.events import Call
from uckers_table.game.match import begin
from uckers_table.referee.events import (
    ButtonPressed,
    CallMade,
    Correction,
    DeviceChanged,
    DiceFault,
    Seen,
    ThrowMade,
    ThrowVoid,
)
from uckers_table.referee.referee import Referee
from uckers_table.sighting import SeenDie, Sighting, Stray

STEPS = st.lists(st.integers(-1, 57), max_size=5).map(tuple)
SIGHTINGS = st.builds(
    Sighting,
    st.fixed_dictionaries(dict.fromkeys(BOARD.seats, STEPS)),
    hand=st.booleans(),
    trouble=st.sampled_from([(), ("too_dark",), ("board_moved",)]),
)
POSITIONS = st.lists(st.lists(st.integers(0, 57), min_size=4, max_size=4), min_size=4, max_size=4).map(
    lambda seats: tuple(tuple(sorted(pieces)) for pieces in seats)
)
EVENTS = st.one_of(
    st.builds(Seen, st.just(0.0), SIGHTINGS),
    st.builds(ThrowMade, st.just(0.0), st.tuples(st.integers(1, 6), st.integers(1, 6))),
    st.builds(DiceFault, st.just(0.0), st.sampled_from(["cocked", "dropped"])),
    st.builds(
        CallMade,
        st.just(0.0),
        st.builds(Call, st.sampled_from(["challenge", "stand_up_finish", "suckback", "upboard"])),
    ),
    st.builds(
        ButtonPressed,
        st.just(0.0),
        st.sampled_from(["done", "undo", "timber_shifting", "trust_board", "accept"]),
    ),
    st.builds(
        DeviceChanged, st.just(0.0), st.sampled_from(["camera", "tower"]), st.sampled_from(["lost", "back"])
    ),
    st.builds(Correction, st.just(0.0), POSITIONS),
)


@settings(max_examples=150)
@given(st.lists(st.tuples(EVENTS, st.integers(1, 4), st.floats(0, 3)), max_size=25))
def test_no_events_make_the_referee_raise_or_lose_a_piece(events):
    referee, t = Referee(begin(SETTING)), 0.0
    for event, times, gap in events:
        for _ in range(times):
            t += gap
            referee = referee.handle(replace(event, t=t)).referee
            assert [len(pieces) for pieces in referee.match.position] == [4, 4, 4, 4]


ANY_DIE = st.builds(
    SeenDie,
    st.sampled_from([None, 1, 2, 3, 6]),
    st.sampled_from(["flat", "flat", "flat", "cocked", "off_board"]),
    st.sampled_from([100.0, 108.0, 300.0, 640.0]),
    st.sampled_from([80.0, 200.0]),
)
ANY_LOOK = st.builds(
    lambda dice, red, hand, stray: (tuple(dice), red, hand, stray),
    st.lists(ANY_DIE, max_size=3),
    st.sampled_from([(0, 0, 0, 5), (0, 0, 0, 8), (0, 0, 1, 5), ()]),
    st.sampled_from([False, False, False, True]),
    st.sampled_from([(), (), (Stray(None, (11, 3)),)]),
)
ANY_NEWS = st.sampled_from(
    [
        ThrowMade(0.0, (6, 2)),
        ThrowMade(0.0, (4,), "buttons"),
        DiceFault(0.0, "dropped"),
        ButtonPressed(0.0, "undo"),
        ButtonPressed(0.0, "done"),
        DeviceChanged(0.0, "tower", "lost"),
        DeviceChanged(0.0, "camera", "back"),
        ThrowVoid(0.0, "cocked"),
    ]
)


@settings(max_examples=60)
@given(
    st.sampled_from(["camera", "both", "tower"]),
    st.sampled_from(["br4006", "submariners", "couk_suckback", "masters_ludo"]),
    st.lists(st.tuples(st.sampled_from([0.0, 0.3, 0.3, 0.3, 3.0]), ANY_LOOK | ANY_NEWS), max_size=40),
)
def test_nothing_that_dice_may_do_confuses_the_referee(dice_from, rules, events):
    table = Table(setting=setting_of(rules), dice_from=dice_from, every=0.3, red=[0, 0, 0, 5])
    for after_s, event in events:
        table.wait(after_s)
        if isinstance(event, tuple):
            dice, red, hand, stray = event
            seen = sighting_of(table.pieces | {"red": red}, dice=dice, hand=hand, stray=stray)
            table.take(Seen(table.t, seen))
        else:
            table.take(replace(event, t=table.t))
    assert [len(pieces) for pieces in table.match.position] == [4] * 4
    assert all(timed.t <= table.t for timed in table.ruled)
