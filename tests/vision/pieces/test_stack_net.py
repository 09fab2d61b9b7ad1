"""What stands under a top: a net tells it by the side that shows, whatever paint it stands on."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tests.calibrated import calibrated
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Scene, WoodenPiece
from uckers_table.vision.pieces import stack_net
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.stack_net import (
    COARSE,
    FINE,
    FURTHER,
    HIGHEST,
    LEAST,
    OUTPUTS,
    SHARE,
    TopWindow,
    Towers,
    features,
    under,
)
from uckers_table.vision.reader import Reader

SEATS = ("red", "green", "yellow", "blue")
PLAN = Plan(Board(SEATS))
EACH = pytest.mark.parametrize("window", [COARSE, FINE], ids=["coarse", "fine"])
PAINT, PARTNER = np.array([0.1, 0.2, 0.8]), np.array([0.1, 0.7, 0.7])


def tower(window: TopWindow, others: list[tuple[float, float]] | None = None, lean_mm: float = 5.0) -> Towers:
    """A top of one paint on white board, its partner's below it."""
    now = np.ones((1, 3, window.long, window.wide), dtype=np.float32)
    now[:, :, window.along_mm < 10.2] = PAINT[:, None, None]
    now[:, :, window.along_mm > 20] = PARTNER[:, None, None]
    beside = np.full((1, stack_net.OTHERS, 2), np.inf)
    for k, other in enumerate(others or []):
        beside[0, k] = other
    return Towers(
        now, np.ones_like(now), PAINT[None], PARTNER[None], np.array([lean_mm]), np.array([10.2]), beside
    )


def nearest_to(mm: float, pixels_mm: np.ndarray) -> int:
    return int(np.abs(pixels_mm - mm).argmin())


@EACH
def test_what_is_seen_is_told_by_paint_and_by_how_many_sides_down_it_is(window):
    own, partner, down = features(tower(window), window)[0, 6:9]
    middle = window.wide // 2
    top, far = (nearest_to(mm, window.along_mm) for mm in (0, 22))
    assert own[top, middle] == pytest.approx(-1, abs=1e-3)
    assert partner[far, middle] == pytest.approx(-1, abs=1e-3)
    assert own[far, middle] > 0
    # Two of the channel's units are a piece's side: one below the rim of a top 20.4 mm wide, 5 mm further.
    assert down[nearest_to(15.2, window.along_mm), middle] == pytest.approx(0.5, abs=0.1)
    # The rim is round; and where less of a side shows the same place is more sides down.
    just_below, aside = nearest_to(12, window.along_mm), nearest_to(-6.5, window.across_mm)
    assert down[just_below, aside] > down[just_below, middle]
    leaning_less = features(tower(window, lean_mm=2.5), window)[0, 8]
    assert leaning_less[just_below, middle] == pytest.approx(2 * down[just_below, middle])


@EACH
def test_points_of_other_tops_are_marked(window):
    assert not features(tower(window), window)[0, 9].any()
    is_other = features(tower(window, [(20.0, 4.0), (np.inf, np.inf)]), window)[0, 9] > 0
    along, across = np.nonzero(is_other)
    assert window.along_mm[along].mean() == pytest.approx(20.0, abs=0.5)
    assert is_other.sum() == pytest.approx(np.pi * 10.2**2 * window.px_per_mm**2, rel=0.25)
    assert window.across_mm[across].mean() > 2


@pytest.mark.parametrize(("px_per_mm", "one_and_two"), [(1.8, (1.0, 3.0)), (1.2, (4.0, 0.0))])
def test_what_the_nets_say_that_see_as_finely_as_the_picture_is_weighed_together(
    monkeypatch, px_per_mm, one_and_two
):
    seen = set()

    class Says:
        def __init__(self, height: int) -> None:
            self.height = height

        def say(self, patches: np.ndarray) -> np.ndarray:
            seen.add(patches.shape[2:])
            out = np.zeros((len(patches), OUTPUTS))
            out[:, self.height - 1] = 4.0
            return out

    monkeypatch.setattr(stack_net, "_NETS", {COARSE: Says(1), FINE: Says(2)})
    monkeypatch.setattr(stack_net, "_WEIGHTS", {COARSE: 0.25, FINE: 0.75})
    monkeypatch.setattr(stack_net, "towers", lambda *args: tower(args[-1]))
    scene = cast(Any, SimpleNamespace(camera=SimpleNamespace(px_per_mm=px_per_mm)))
    tops, nothing = np.zeros((6, 2)), cast(Any, None)
    weighed = np.zeros((6, OUTPUTS))
    weighed[:, :2] = one_and_two
    said = stack_net.say_of_tops(scene, nothing, nothing, tops, np.zeros(6, dtype=np.intp), nothing, tops)
    assert said == pytest.approx(under(weighed))
    assert seen == {
        (window.long, window.wide) for window in ((COARSE, FINE) if px_per_mm > 1.5 else (COARSE,))
    }


def test_heights_and_colours_become_a_likelihood_of_each_further_piece():
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
    reader = Reader(calibrated(renderer.empty, renderer.start, SEATS))
    cells, right, wrong_colours, asked = PLAN.track_cells, 0, 0, 0
    for turn in range(4):
        stood = {}
        for seat, tall in enumerate((2, 3, 1, 1)):
            members = [seat] * tall if turn % 2 else [seat, (seat + 2) % 4, seat][:tall]
            stood[cells[(turn * 19 + seat * 23 + seed) % len(cells)]] = members
        pieces = [
            WoodenPiece(seat, 1, *PLAN.centre_mm(cell), level, 7 * level + seat)
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
