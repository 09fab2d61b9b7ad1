"""The live reader at a rendered table: what a cold read says, without the work where nothing changed."""

import numpy as np
import pytest

from uckers_table.game.board import Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Hand, Piece, Scene
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.live import LiveReader, board_window
from uckers_table.vision.reader import Reader

PLAN = Plan()


@pytest.fixture(scope="module")
def renderer():
    return Renderer(PLAN, look_for(2), seed=2)


@pytest.fixture(scope="module")
def profile(renderer):
    return calibrate(renderer.empty, renderer.start, PLAN.board.seats)


@pytest.fixture
def reads(monkeypatch):
    """How often a frame was read in full."""
    counted, read = [], Reader.read

    def counting(reader, picture):
        counted.append(picture)
        return read(reader, picture)

    monkeypatch.setattr(Reader, "read", counting)
    return counted


def at(seat, steps, grain=0):
    return Piece(seat, steps, *PLAN.centre_mm(PLAN.cell(seat, steps)), grain=grain)


def noisy(picture, seed):
    """The same view once more, with the sensor's noise drawn anew."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_a_frame_that_shows_nothing_new_is_not_read_again(renderer, profile, reads):
    live, picture = LiveReader(profile), renderer.frame(Scene((at(0, 10), at(2, 20))))
    first = live.see(picture)
    assert all(live.see(noisy(picture, seed)) == first for seed in range(5))
    assert len(reads) == 1


def test_a_piece_that_moved_is_seen_at_once_and_as_a_cold_read_sees_it(renderer, profile):
    live = LiveReader(profile)
    live.see(renderer.frame(Scene((at(0, 10),))))
    picture = renderer.frame(Scene((at(0, 11),)))
    sighting = live.see(picture)
    assert sighting.pieces["red"] == (11,)
    assert sighting == Reader(profile).read(picture)


def test_an_arm_that_comes_in_is_a_hand_without_a_full_read(renderer, profile, reads):
    live = LiveReader(profile)
    live.see(renderer.frame(Scene((at(0, 10),))))
    sighting = live.see(renderer.frame(Scene((at(0, 10),), hands=(Hand(305.0, 400.0, 90.0),))))
    assert (sighting.hand, len(reads)) == (True, 1)


@pytest.mark.parametrize("tip_mm", [(305.0, 400.0), (305.0, 560.0), (305.0, 600.0), (305.0, 620.0)])
def test_a_hand_that_has_gone_is_gone_by_whatever_way(renderer, profile, tip_mm):
    live, board = LiveReader(profile), (at(0, 10),)
    clear = renderer.frame(Scene(board))
    live.see(clear)
    live.see(renderer.frame(Scene(board, hands=(Hand(*tip_mm, 90.0),))))
    gone = live.see(noisy(clear, 1))
    assert (gone.hand, gone.pieces["red"]) == (False, (10,))


def test_a_hand_read_at_the_rim_does_not_outlast_itself(renderer, profile):
    live, board = LiveReader(profile), (at(0, 10),)
    clear = renderer.frame(Scene(board))
    live.see(clear)
    # As when a small hand was read in full, and then withdrew without changing anything on the board.
    live._sighting = live._reader.read(renderer.frame(Scene(board, hands=(Hand(305.0, 400.0, 90.0),))))
    assert live._sighting.hand
    assert not live.see(noisy(clear, 1)).hand


def test_the_window_is_the_board_with_its_margin(profile):
    rows, columns = board_window(profile)
    wide_rows, wide_columns = board_window(profile, 40.0)
    assert wide_rows.start < rows.start < rows.stop < wide_rows.stop
    assert wide_columns.start < columns.start < columns.stop < wide_columns.stop
