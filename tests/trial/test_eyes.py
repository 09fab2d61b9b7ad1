"""The eyes of a trial: how long a piece is not seen, and where one that was knocked off is looked for."""

import random
from dataclasses import replace

import pytest

from uckers_table.game.board import BASE, Plan
from uckers_table.game.setting import load_setting
from uckers_table.sighting import Stray
from uckers_table.simulator.scene import Hand, Scene, WoodenPiece
from uckers_table.trial import places
from uckers_table.trial.eyes import NoisyEyes
from uckers_table.trial.noise import Noise

BOARD = load_setting("br4006").board
PLAN = Plan(BOARD)
QUIET = Noise(misread=0.0, off_by_one=0.0, bump=0.0, stays=0.0, looked_for=0.0)
RED = BOARD.seat("red")


def piece(steps, *, seat=RED, grain=0, level=0):
    column, row = PLAN.cell(seat, steps) or (1, 1)
    return WoodenPiece(seat, steps, 25.0 + 40.0 * column, 25.0 + 40.0 * row, level, grain)


def eyes(noise):
    return NoisyEyes(PLAN, noise, random.Random(3))


def times_unseen(noise, scene, pieces):
    """For how long, in seconds each, fewer of red's pieces were seen than there are."""
    looking, spans, was = eyes(noise), [], None
    for tick in range(20_000):
        t = tick / 4
        is_less = len(looking.see(scene, t).pieces["red"]) < pieces
        if is_less and was is None:
            was = t
        if not is_less and was is not None:
            spans.append(t - was)
            was = None
    return spans


def test_what_is_read_alike_is_one_reading_and_anything_else_another():
    looking, here, there = eyes(QUIET), Scene((piece(10),)), Scene((piece(11),))
    reaching = replace(there, hands=(Hand(305.0, 560.0, 90.0),))
    scenes = (here, here, there, there, reaching, there, here)
    seen = [looking.see(scene, tick / 4) for tick, scene in enumerate(scenes)]
    assert [s.reading for s in seen] == [1, 1, 2, 2, 2, 2, 3]
    assert [s.pieces["red"] for s in seen] == [(10,), (10,), (11,), (11,), (), (11,), (10,)]


@pytest.mark.parametrize(
    ("noise", "scene"),
    [
        (replace(QUIET, misread=0.05), Scene((piece(10),))),
        (replace(QUIET, off_by_one=0.05), Scene((piece(10), piece(10, grain=1, level=1)))),
    ],
    ids=["alone", "in a stack"],
)
def test_a_missed_piece_is_seen_again_in_two_seconds_or_not_for_minutes(noise, scene):
    number = len(scene.pieces)
    short = times_unseen(noise, scene, number)
    assert len(short) > 20
    assert max(short) <= 2.25
    lasting = times_unseen(replace(noise, stays=1.0), scene, number)
    assert sum(seconds > 2.25 for seconds in lasting) > 20
    assert 60.0 < max(lasting) <= 180.25


def test_a_piece_that_is_not_seen_for_minutes_is_looked_at_anew_when_it_is_moved():
    looking = eyes(replace(QUIET, misread=0.5, stays=1.0))
    t = 0.0
    while looking.see(Scene((piece(10),)), t).pieces["red"]:
        t += 0.25
    seen = [looking.see(Scene((piece(steps),)), t + 0.25 * steps).pieces["red"] for steps in range(11, 40)]
    assert (11,) in seen or (12,) in seen


def test_a_piece_knocked_off_and_flown_is_taken_to_be_where_most_of_its_side_stand(monkeypatch):
    monkeypatch.setattr(places, "FLOWN", 1.0)
    yellow = BOARD.seat("yellow")
    blob = (piece(20, seat=yellow, grain=2), piece(20, seat=yellow, grain=3, level=1))
    alone = piece(30, grain=1)
    stands, gone = Scene((piece(10), alone, *blob)), Scene((piece(BASE), alone, *blob))
    for share, reds in ((0.0, (30,)), (1.0, tuple(sorted((30, _as_red(yellow, 20)))))):
        looking = eyes(replace(QUIET, looked_for=share, most=1.0))
        looking.see(stands, 0.0)
        assert looking.see(gone, 0.5).pieces["red"] == reds
        assert looking.see(gone, 200.0).pieces["red"] == (BASE, 30)


def test_a_dark_table_is_too_dark_to_read_until_there_is_light_again():
    looking, lit = eyes(QUIET), Scene((piece(10),))
    seen = [looking.see(scene, tick / 4) for tick, scene in enumerate((lit, replace(lit, is_dark=True), lit))]
    assert [(s.pieces["red"], s.trouble) for s in seen] == [((10,), ()), ((), ("too_dark",)), ((10,), ())]


def test_a_piece_in_another_base_is_a_stray_there():
    column, row = PLAN.cell_at(25.0 + 40.0 * 13, 25.0 + 40.0)
    abroad = replace(piece(BASE), x_mm=25.0 + 40.0 * column, y_mm=25.0 + 40.0 * row)
    assert PLAN.base_of((column, row)) not in (None, RED)
    seen = eyes(QUIET).see(Scene((piece(10, grain=1), abroad)), 0.0)
    assert (seen.pieces["red"], seen.stray) == ((10,), (Stray("red", (column, row)),))
    assert eyes(QUIET).see(Scene((piece(BASE),)), 0.0).pieces["red"] == (BASE,)


def _as_red(seat, steps):
    return BOARD.steps_on(RED, BOARD.square(seat, steps))
