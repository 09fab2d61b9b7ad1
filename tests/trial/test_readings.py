"""A reader that errs by the law of readings: what it misreads, for how long, and what it tells beside it."""

import random
from dataclasses import replace

import pytest

from uckers_table.game.board import BASE, Plan
from uckers_table.game.setting import load_setting
from uckers_table.sighting import Stray
from uckers_table.simulator.scene import Die, Hand, Scene, WoodenPiece
from uckers_table.trial import places
from uckers_table.trial.law import Law, Way, measured
from uckers_table.trial.readings import MeasuredEyes

BOARD = load_setting("br4006").board
PLAN = Plan(BOARD)
RED, YELLOW = BOARD.seat("red"), BOARD.seat("yellow")
HAND = (Hand(305.0, 560.0, 90.0),)
NEVER = Law({}, ((1.0, 1),), ((1.0, 1.0),), 0.0, 0.0, 0.0, (), 0.0, ((0.9, 1.0, 9),), ((0.4, 0.6, 1),))


def erring(thing, name, chances=((1.0, 1),), ever=1.0, told=0.0, costs=(), **more):
    """A law by which one thing is misread in one way."""
    way = Way(ever, told, costs, 0.0, ())
    return replace(NEVER, ways={thing: {name: way}}, chances=chances, **more)


@pytest.fixture(autouse=True)
def _all_that_err_do(monkeypatch):
    monkeypatch.setattr("uckers_table.trial.readings.MOST", 1.0)


def eyes(law, times=1.0, seed=3):
    return MeasuredEyes(PLAN, law, random.Random(seed), times)


def piece(steps, seat=RED, grain=0, level=0, off_mm=0.0):
    column, row = PLAN.cell(seat, steps) or (1, 1)
    return WoodenPiece(seat, steps, 25.0 + 40.0 * column, 25.0 + 40.0 * row + off_mm, level, grain)


ALONE = Scene((piece(10),))
BLOB = Scene((piece(20, YELLOW, 1), piece(20, YELLOW, 2, level=1)))


def reds(seen):
    return seen.pieces["red"]


def test_nothing_is_misread_by_a_reader_that_never_errs():
    looking, scene = eyes(NEVER), Scene((*ALONE.pieces, *BLOB.pieces))
    seen = [looking.see(scene, t / 4) for t in range(40)]
    assert [(s.pieces["red"], s.pieces["yellow"], s.alternatives) for s in seen] == [
        ((10,), (20, 20), ())
    ] * 40
    assert {s.reading for s in seen} == {1}
    assert all(0.9 <= s.confidence <= 1.0 for s in seen)


def test_what_is_always_misread_stays_so_for_ever_and_is_one_reading():
    looking = eyes(erring("single", "unseen", told=1.0, costs=(0.7,)))
    seen = [looking.see(ALONE, t * 10.0) for t in range(100)]
    assert {reds(s) for s in seen} == {()}
    assert {s.reading for s in seen} == {1}
    assert [(a.place, dict(a.contents), a.cost) for a in seen[0].alternatives] == [("9", {"red": 1}, 0.7)]
    assert 0.4 <= seen[0].confidence <= 0.6


def test_a_marginal_place_is_drawn_anew_by_each_reading_and_by_nothing_else():
    looking, reaching = eyes(erring("single", "unseen", ((0.5, 1),))), replace(ALONE, hands=HAND)
    by_reading = {}
    for tick in range(400):
        seen = looking.see(reaching if tick % 10 == 9 else ALONE, tick / 4)
        assert seen.hand == (tick % 10 == 9)
        if not seen.hand:
            by_reading.setdefault(seen.reading, set()).add(reds(seen))
    assert len(by_reading) == 40
    assert all(len(seen) == 1 for seen in by_reading.values())
    unseen = sum(seen == {()} for seen in by_reading.values())
    assert 10 < unseen < 30


def test_a_camera_that_trembles_draws_readings_by_itself():
    looking = eyes(replace(NEVER, readings_a_minute=15.0))
    readings = [looking.see(ALONE, t / 4).reading for t in range(2400)]
    assert readings[-1] == pytest.approx(150, rel=0.3)


def test_places_that_are_read_again_are_drawn_anew_and_the_rest_stays():
    law = erring("single", "unseen", ((0.5, 1),))
    looking = eyes(law)
    scene = Scene((piece(10), *(piece(12, seat, grain=seat + 1) for seat in range(4) if seat != RED)))
    before, changed = looking.see(scene, 0.0), set()
    for tick in range(1, 40):
        looking.read_again(["9"])
        seen = looking.see(scene, tick / 4)
        assert (seen.anew, seen.reading) == (("9",), tick + 1)
        assert {**seen.pieces, "red": ()} == {**before.pieces, "red": ()}
        changed.add(10 in reds(seen))
    assert changed == {True, False}


def test_a_piece_that_is_missed_may_be_one_error_in_two_places():
    scene = Scene((*ALONE.pieces, *BLOB.pieces))
    law = replace(erring("single", "unseen"), elsewhere=1.0)
    seen = eyes(law).see(scene, 0.0)
    assert seen.pieces["yellow"] == (20, 20)
    assert reds(seen) == (BOARD.steps_on(RED, BOARD.square(YELLOW, 20)),)


@pytest.mark.parametrize(
    ("thing", "name", "scene", "expected"),
    [
        ("stack", "fewer", BLOB, {"yellow": (20,)}),
        ("stack", "unseen", BLOB, {}),
        ("stack", "more", BLOB, {"yellow": (20, 20, 20)}),
        ("group", "fewer", Scene((piece(10), piece(10, grain=1, off_mm=12.0))), {"red": (10,)}),
        ("base", "fewer", Scene((piece(BASE), piece(BASE, grain=1))), {"red": (BASE,)}),
        ("home", "more", Scene((piece(BOARD.home),)), {"red": (BOARD.home,) * 2}),
    ],
)
def test_each_way_of_misreading(thing, name, scene, expected):
    seen = eyes(erring(thing, name)).see(scene, 0.0)
    assert {colour: steps for colour, steps in seen.pieces.items() if steps} == expected


def test_a_colour_never_has_more_than_four():
    scene = Scene(tuple(piece(steps, grain=steps) for steps in (10, 12, 14, 16)))
    for law in (erring("single", "more"), erring("empty", "invented")):
        seen = eyes(law).see(scene, 0.0)
        assert reds(seen) == (10, 12, 14, 16)
        assert all(len(steps) <= 4 for steps in seen.pieces.values())


def test_only_a_piece_near_a_line_is_read_beyond_it():
    law = erring("single", "beyond_a_line")
    assert reds(eyes(law).see(ALONE, 0.0)) == (10,)
    near = Scene((piece(10, off_mm=-17.0),))
    seen = reds(eyes(law).see(near, 0.0))
    assert len(seen) == 1 and seen != (10,)


def test_a_piece_off_the_board_may_be_read_among_its_side(monkeypatch):
    monkeypatch.setattr(places, "FLOWN", 1.0)
    others = (piece(1, grain=5), *BLOB.pieces)
    under = BOARD.steps_on(RED, BOARD.square(YELLOW, 20))
    for share, expected in ((0.0, (1,)), (1.0, (1, under))):
        looking = eyes(replace(NEVER, lifted_elsewhere=share))
        looking.see(Scene((piece(10), *others)), 0.0)
        assert reds(looking.see(Scene((piece(BASE), *others)), 0.5)) == expected
        assert reds(looking.see(Scene((piece(BASE), *others)), 200.0)) == (BASE, 1)


def test_a_missing_piece_is_told_where_its_side_stands_and_only_then():
    law = replace(NEVER, more_offered=1.0, more_offered_at=(0.4,))
    three = tuple(piece(steps, grain=steps) for steps in (10, 12, 14))
    told = eyes(law).see(Scene(three), 0.0).alternatives
    assert {(a.place, a.contents["red"], a.cost) for a in told} == {
        ("9", 2, 0.4),
        ("11", 2, 0.4),
        ("13", 2, 0.4),
    }
    assert eyes(law).see(Scene((*three, piece(16, grain=4))), 0.0).alternatives == ()


@pytest.mark.parametrize(
    ("state", "name", "expected"),
    [
        ("flat", "unseen", set()),
        ("flat", "cocked", {"cocked"}),
        ("cocked", "flat", {"flat"}),
        ("off_board", "on_board", {"flat"}),
    ],
)
def test_dice_are_misread(state, name, expected):
    thing = {"flat": "die"}.get(state, state)
    die = Die(5, 100.0, 100.0, 0.0, state=state)
    seen = eyes(erring(thing, name)).see(Scene(dice=(die,)), 0.0)
    assert {d.state for d in seen.dice} == expected
    assert eyes(NEVER).see(Scene(dice=(die,)), 0.0).dice[0].value == 5


def test_a_place_errs_as_often_as_was_measured():
    looking = eyes(erring("single", "unseen", ((0.25, 1), (0.75, 1)), ever=0.2))
    unseen = sum(not reds(looking.see(Scene((piece(1 + k % 40),)), k / 4)) for k in range(3000))
    assert unseen / 3000 == pytest.approx(0.2 * 0.5, rel=0.2)


def test_dice_are_misread_on_as_many_tables_as_were_seen_to_and_often_there():
    law = replace(NEVER, ways={"die": {"value": Way(0.2, 0.0, (), 0.0, (), tables=0.25)}})
    seen = [
        sum(looking.see(Scene(dice=(Die(5, k, 1.0, 0.0),)), k).dice[0].value != 5 for k in range(40))
        for looking in (eyes(law, seed=seed) for seed in range(60))
    ]
    assert 8 < sum(number > 0 for number in seen) < 24
    assert min(number for number in seen if number) > 24


def test_more_noise_is_more_errors_up_to_a_share(monkeypatch):
    monkeypatch.setattr("uckers_table.trial.readings.MOST", 0.7)
    for times, share in ((0.0, 0.0), (2.0, 0.4), (9.0, 0.7)):
        looking = eyes(erring("single", "unseen", ever=0.2), times)
        unseen = sum(not reds(looking.see(Scene((piece(1 + k % 40),)), k / 4)) for k in range(1000))
        assert unseen / 1000 == pytest.approx(share, abs=0.06)


def test_some_tables_are_misread_and_others_are_not():
    law = erring("single", "unseen", tables=((0.0, 1.0), (1.0, 3.0)))
    seen = [reds(eyes(law, seed=seed).see(ALONE, 0.0)) for seed in range(100)]
    assert {*seen} == {(), (10,)}
    assert 60 < seen.count(()) < 90


WAY = {"of": 100, "wrong": 0, "told": 0, "offered": 0}
SECTION = {
    "boards": {"of": 10},
    "single": {
        "unseen": WAY
        | {"wrong": 6, "tables": 2, "told": 3, "costs": [0.5], "offered": 20, "offered_at": [1.0, 2.0]},
        "more": WAY | {"wrong": 6},
    },
    "together": {
        "places_wrong_at_looks": [2, 0, 0, 2],
        "ends_of_one_piece": 4,
        "tables": [[9, 3.0], [0, 6.0], [1, 0.0]],
    },
    "lifts": {"of": 50, "elsewhere": 5, "squares": 200, "offered": 50, "offered_at": [0.4]},
    "live": {"firm": {"readings": 1, "seconds": 60}, "trembling": {"readings": 3, "seconds": 60}},
    "sureness": {"confidence": {"at_least": [0.0, 0.5], "said": [3, 5], "right": [1, 4]}},
}


def test_the_law_by_a_section_worked_out_by_hand():
    law = Law.of(SECTION)
    # Of four places that erred two did at one look of four, two always: 0.625 of the time.
    assert law.chances == ((0.25, 2), (1.0, 2))
    # Two pieces were read at another place: a third of those missed, and a third of those too many.
    assert law.elsewhere == pytest.approx(2 / 6)
    assert law.ways["single"]["unseen"] == Way(
        pytest.approx(0.06 / 0.625), 0.5, (0.5,), 0.2, (1.0, 2.0), 2 / 3
    )
    assert law.ways["single"]["more"].ever == pytest.approx(0.06 / 0.625 * 4 / 6)
    assert law.tables == ((3.0, 3.0), (0.0, 6.0))
    assert (law.lifted_elsewhere, law.more_offered, law.more_offered_at) == (0.1, 0.25, (0.4,))
    assert law.readings_a_minute == 2.0
    assert law.sure_when_right == ((0.0, 0.5, 1), (0.5, 1.0, 4))
    assert law.sure_when_wrong == ((0.0, 0.5, 2), (0.5, 1.0, 1))


def test_what_was_measured_has_all_that_a_law_needs():
    law = measured()
    assert {
        "single",
        "group",
        "stack",
        "empty",
        "base",
        "home",
        "home_stack",
        "die",
        "cocked",
    } <= law.ways.keys()
    assert all(0 < chance <= 1 for chance, _ in law.chances)
    assert any(number for _, _, number in law.sure_when_right)


def test_a_dark_table_is_too_dark_to_read_and_is_read_anew_in_the_light():
    looking = eyes(NEVER)
    seen = [looking.see(scene, t) for t, scene in enumerate((ALONE, replace(ALONE, is_dark=True), ALONE))]
    assert [(reds(s), s.hand, s.trouble) for s in seen] == [
        ((10,), False, ()),
        ((), False, ("too_dark",)),
        ((10,), False, ()),
    ]
    assert [s.reading for s in seen] == [1, 1, 2]


def test_a_piece_in_another_base_is_a_stray_there_and_at_no_place_of_its_own():
    abroad = replace(piece(BASE), x_mm=25.0 + 40.0 * 13)
    cell = PLAN.cell_at(abroad.x_mm, abroad.y_mm)
    assert PLAN.base_of(cell) not in (None, RED)
    seen = eyes(NEVER).see(Scene((*BLOB.pieces, abroad)), 0.0)
    assert (reds(seen), seen.stray) == ((), (Stray("red", cell),))
