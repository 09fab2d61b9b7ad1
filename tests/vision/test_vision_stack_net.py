"""What stands under a top: a net tells it by the side that shows, whatever paint it stands on."""

import numpy as np
import pytest

from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Piece, Scene
from uckers_table.vision import stack_net
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.pieces import Stack
from uckers_table.vision.reader import Reader
from uckers_table.vision.stack_net import (
    FURTHER,
    HIGHEST,
    LEAST,
    LONG,
    OUTPUTS,
    SHARE,
    WIDE,
    Towers,
    features,
    under,
)

SEATS = ("red", "green", "yellow", "blue")
PLAN = Plan(Board(SEATS))
ALONG = stack_net.FIRST_MM + (np.arange(LONG) + 0.5) / stack_net.PX_PER_MM
ACROSS = (np.arange(WIDE) + 0.5 - WIDE / 2) / stack_net.PX_PER_MM
PAINT, PARTNER = np.array([0.1, 0.2, 0.8]), np.array([0.1, 0.7, 0.7])


def tower(others: list[tuple[float, float]] | None = None, lean_mm: float = 5.0) -> Towers:
    """A top of one paint on white board, its partner's below it."""
    now = np.ones((1, 3, LONG, WIDE), dtype=np.float32)
    now[:, :, ALONG < 10.2] = PAINT[:, None, None]
    now[:, :, ALONG > 20] = PARTNER[:, None, None]
    beside = np.full((1, stack_net.OTHERS, 2), np.inf)
    for k, other in enumerate(others or []):
        beside[0, k] = other
    return Towers(
        now, np.ones_like(now), PAINT[None], PARTNER[None], np.array([lean_mm]), np.array([10.2]), beside
    )


def test_what_is_seen_is_told_by_paint_and_by_how_many_sides_down_it_is():
    own, partner, down = features(tower())[0, 6:9]
    middle = WIDE // 2
    top, far = int(np.abs(ALONG).argmin()), int(np.abs(ALONG - 22).argmin())
    assert own[top, middle] == pytest.approx(-1, abs=1e-3)
    assert partner[far, middle] == pytest.approx(-1, abs=1e-3)
    assert own[far, middle] > 0
    # Two of the channel's units are a piece's side: one below the rim of a top 20.4 mm wide, 5 mm further.
    assert down[int(np.abs(ALONG - 15.2).argmin()), middle] == pytest.approx(0.5, abs=0.1)
    # The rim is round; and where less of a side shows the same place is more sides down.
    just_below = int(np.abs(ALONG - 12).argmin())
    assert down[just_below, middle - 8] > down[just_below, middle]
    assert features(tower(lean_mm=2.5))[0, 8][just_below, middle] == pytest.approx(
        2 * down[just_below, middle]
    )


def test_points_of_other_tops_are_marked():
    assert not features(tower())[0, 9].any()
    is_other = features(tower([(20.0, 4.0), (np.inf, np.inf)]))[0, 9] > 0
    along, across = np.nonzero(is_other)
    assert ALONG[along].mean() == pytest.approx(20.0, abs=0.5)
    assert is_other.sum() == pytest.approx(np.pi * 10.2**2 * stack_net.PX_PER_MM**2, rel=0.25)
    assert ACROSS[across].mean() > 2


def test_what_is_said_of_heights_and_colours_becomes_a_likelihood_of_each_further_piece():
    said = np.zeros((2, OUTPUTS))
    said[0, :HIGHEST] = 0.0, 3.0, 1.0, -20.0
    said[0, HIGHEST] = 4.0
    own, partner = under(said)[0].T
    assert partner[0] == pytest.approx(3.0 * SHARE, abs=0.05)
    assert own[0] == pytest.approx(3.0 * SHARE - 4.0, abs=0.05)
    assert own[1] == partner[1] == pytest.approx(-2.0 * SHARE - np.log(2))
    # Four are as unlikely against two as anything is.
    assert own[2] == pytest.approx(LEAST + 2.0 * SHARE - np.log(2))


def test_a_single_piece_is_no_stack_of_four_however_many_are_missing():
    """What tells one from two hardly tells two from four."""
    said = np.zeros((1, OUTPUTS))
    said[0, :HIGHEST] = 5.0, 1.0, -2.0, -2.0
    second, third, fourth = under(said)[0].max(axis=1)
    assert second == pytest.approx(-4.0 * SHARE - np.log(2))
    assert max(third, fourth) < -FURTHER


@pytest.mark.parametrize("seed", [41, 42])
def test_simulated_stacks_are_told_wherever_they_stand(seed):
    """Singles, and two and three on each other, of one colour and of both partners', all over the track."""
    renderer = Renderer(PLAN, look_for(seed), seed=seed)
    reader = Reader(calibrate(renderer.empty, renderer.start, SEATS))
    cells, right, wrong_colours, asked = PLAN.track_cells, 0, 0, 0
    for turn in range(4):
        stood = {}
        for seat, tall in enumerate((2, 3, 1, 1)):
            members = [seat] * tall if turn % 2 else [seat, (seat + 2) % 4, seat][:tall]
            stood[cells[(turn * 19 + seat * 23 + seed) % len(cells)]] = members
        pieces = [
            Piece(seat, 1, *PLAN.centre_mm(cell), level, 7 * level + seat)
            for cell, members in stood.items()
            for level, seat in enumerate(members)
        ]
        found = reader.look(renderer.frame(Scene(tuple(pieces)))).stacks
        for cell, members in stood.items():
            top = nearest(found, PLAN.centre_mm(cell))
            right += top.colour == members[-1] and top.pieces == len(members)
            for seat, likely in zip(members[-2::-1], top.under, strict=False):
                others = max(likely[other] for other in range(4) if other != seat)
                wrong_colours += others > likely[seat] + 1
            asked += 1
    assert right >= asked - 1
    assert wrong_colours <= 1


def nearest(found: tuple[Stack, ...], at: tuple[float, float]) -> Stack:
    return min(
        (top for top in found if top.is_claimed), key=lambda top: np.hypot(top.x_mm - at[0], top.y_mm - at[1])
    )


def test_how_high_a_stack_is_is_told_by_all_its_pieces_together():
    """What tells three from two pieces may tell two from one less."""
    sure, no = (4.0, -5.0), (-3.0, -5.0)
    assert Stack(0, 0.0, 0.0, 5.0, (no, no, no)).pieces == 1
    assert Stack(0, 0.0, 0.0, 5.0, (sure, no, no)).pieces == 2
    assert Stack(0, 0.0, 0.0, 5.0, ((-0.5, -5.0), sure, no)).pieces == 3
