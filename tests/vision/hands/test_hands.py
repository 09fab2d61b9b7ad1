"""What reaches over the board: hands, and never the end of the picture."""

import cv2
import numpy as np
import pytest

from uckers_table.vision.hands.hands import Strange, cores, lines, reaching
from uckers_table.vision.hands.rim import WITH_CORE_MM, crossing
from uckers_table.vision.light.appearance import SensorNoise, evidence
from uckers_table.vision.light.light import BareBoard, light_change, softened, white_light
from uckers_table.vision.place.flat import Canvas, Laying

COLOURS = np.array([(0.1, 0.1, 0.8), (0.1, 0.8, 0.1)], np.float32)
EDGE_MM = 30.0
"""How far beside the board the picture of the bare board ends."""


def seen_in(now, bare, canvas, plan):
    board = BareBoard(softened(bare, canvas), white_light(bare, canvas, plan))
    soft, light = softened(now, canvas), light_change(now, board)
    return evidence(soft, board, COLOURS, SensorNoise.between(soft, board, light), light)


def over_board(seen, canvas):
    return reaching(seen, canvas, Strange.of(seen, canvas))


@pytest.mark.parametrize("is_hand", [True, False])
def test_a_dark_sleeve_is_how_a_hand_comes_in(table, is_hand):
    plan = table.profile.plan
    canvas = Canvas(plan.side_mm)
    bare = Laying.of(table.profile.camera, canvas).lay(table.renderer.empty)
    x, y = canvas.grid_mm
    now = np.where(((np.abs(y - 305) < 60) & (x < 130))[..., None], bare * 0.4, bare)
    if is_hand:
        now = np.where(((np.abs(y - 305) < 35) & (np.abs(x - 160) < 35))[..., None], (70, 90, 140), now)
    mask = over_board(seen_in(now.astype(np.uint8), bare, canvas, plan), canvas)
    assert (mask is not None) == is_hand


def test_the_end_of_a_picture_is_no_hand_after_the_board_was_moved(table):
    plan = table.profile.plan
    canvas = Canvas(plan.side_mm)
    flat = Laying.of(table.profile.camera, canvas).lay(table.renderer.empty)

    def ending(beside_mm):
        out = flat.copy()
        out[:, : round((canvas.margin_mm - beside_mm) * canvas.px_per_mm)] = 0
        return out

    bare, now = ending(EDGE_MM), ending(0.0)
    # A lamp is mirrored beside it.
    middle, beyond = canvas.size // 2, round(canvas.margin_mm * canvas.px_per_mm)
    now[middle - 60 : middle + 60, beyond : beyond + 60] = np.minimum(
        now[middle - 60 : middle + 60, beyond : beyond + 60].astype(int) + 60, 255
    )
    assert over_board(seen_in(now, bare, canvas, plan), canvas) is None


def test_the_edge_of_a_persons_shadow_is_no_hand_though_it_is_sharp(table):
    """Under a low lamp the light along the board's edge is half as much again as windows of 56 mm tell."""
    plan = table.profile.plan
    canvas = Canvas(plan.side_mm)
    bare = Laying.of(table.profile.camera, canvas).lay(table.renderer.empty)
    x, y = canvas.grid_mm
    left = np.where(x > 300, np.where(y > plan.side_mm - EDGE_MM, 0.56, 0.37), 1.0)[..., None]
    seen = seen_in(np.rint(bare * left).astype(np.uint8), bare, canvas, plan)
    at_edge = (x > 350) & (x < 560) & (y > plan.side_mm - EDGE_MM + 4) & (y < plan.side_mm - 4)
    assert seen.strange[at_edge[::2, ::2]].max() < 0
    assert over_board(seen, canvas) is None
    # What is brighter than any light near by is no bare board.
    bright = np.where((x > 300) & (x < 420) & (y > 420) & (y < 460), 1.5, left[..., 0])[..., None]
    seen = seen_in(np.minimum(np.rint(bare * bright), 255).astype(np.uint8), bare, canvas, plan)
    inside = (x > 330) & (x < 400) & (y > 428) & (y < 452)
    assert np.median(seen.strange[inside[::2, ::2]]) > 1


def test_an_arm_nearly_of_the_tables_colour_needs_a_hand_at_its_end(table, monkeypatch):
    """It hides as much of the board's edge as two stacks may, and of the table no more than a shadow."""
    plan, reader = table.profile.plan, table.reader
    canvas = reader.canvas
    bare = Laying.of(table.profile.camera, canvas).lay(table.renderer.empty)
    x, y = canvas.grid_mm
    hand = (np.abs(y - 305) < 35) & (np.abs(x - 90) < 35)
    wood = np.median(bare[(np.abs(y - 305) < 100) & (x > -16) & (x < -8)], axis=0)

    def seen_with_arm(wide_mm):
        arm = np.abs(y - 305) < wide_mm / 2
        now = np.where((arm & (x < 0))[..., None], bare * 0.86, bare)
        now = np.where((arm & (x > 0) & (x < 60))[..., None], 0.86 * wood, now)
        return seen_in(np.where(hand[..., None], (70, 90, 140), now).astype(np.uint8), bare, canvas, plan)

    def over_edge(seen, *least_mm):
        board = seen.board.squares.softened
        return crossing(seen.squares, board, Canvas(plan.side_mm, 0.5), *least_mm)

    assert over_edge(seen_with_arm(40.0), WITH_CORE_MM) is None
    seen = seen_with_arm(66.0)
    core = cores(canvas, Strange.of(seen, canvas))
    assert core is not None and core[hand].mean() > 0.5
    assert over_board(seen, canvas) is None and over_edge(seen) is None
    mask = reader._hand(seen, seen.now)
    assert mask is not None and mask[hand].mean() > 0.9
    for other in (None, core[::-1, ::-1]):
        monkeypatch.setattr("uckers_table.vision.reader.cores", lambda *_, other=other: other)
        # By rules alone: the net sees this hand, too.
        assert reader._reaching(seen, seen.now) is None


@pytest.mark.parametrize("thing", ["nothing", "pieces", "hand"])
def test_a_dark_hand_in_a_shadow_as_dark_is_seen_by_the_lines_that_it_covers(table, thing, monkeypatch):
    """Light is told by what most of a window shows: where a hand fills it, that is a shadow as dark as it."""
    # Where a lamp's image beside the board is gone, its edge tells nothing; nor is anything strange where a
    # hand as dark as that fills the windows by which light is told.
    for finder in ("crossing", "reaching", "cores"):
        monkeypatch.setattr(f"uckers_table.vision.reader.{finder}", lambda *_: None)
    plan, reader = table.profile.plan, table.reader
    canvas = reader.canvas
    bare = Laying.of(table.profile.camera, canvas).lay(table.renderer.empty)
    x, y = canvas.grid_mm
    # A person's shadow over the board's left half and the table there.
    left = 0.36 + 0.64 / (1 + np.exp(-(x - 350) / 8))
    now = bare * left[..., None]
    skin = 0.18 * np.median(bare[(np.abs(y - 305) < 20) & (np.abs(x - 25) < 15)], axis=0)
    hand = (x < 230) & (np.abs(y - 315 + 0.1 * x) < 80)
    if thing == "hand":
        now = np.where(hand[..., None], skin, now)
    if thing == "pieces":
        for column in range(4):
            for row in range(3):
                disc = np.hypot(x - 16 - 36 * column, y - 269 - 36 * row) < 13
                now = np.where(disc[..., None], skin, now)
    noise = np.random.default_rng(1).normal(0, 2, now.shape)
    seen = seen_in(np.clip(now + noise, 0, 255).astype(np.uint8), bare, canvas, plan)
    mask = reader._hand(seen, seen.now)
    assert (mask is not None) == (thing == "hand")
    if mask is not None:
        assert mask[hand & (x > 0)].mean() > 0.7 and not mask[:, (x > 260).ravel()].any()


def test_lines_are_told_where_rounding_leaves_less_than_nothing(table, monkeypatch):
    """As it does beyond a picture's end."""
    plan, canvas = table.profile.plan, table.reader.canvas
    bare = Laying.of(table.profile.camera, canvas).lay(table.renderer.empty)
    now = bare.copy()
    now[-100:] = 0
    seen, blur = seen_in(now, bare, canvas, plan), cv2.blur
    monkeypatch.setattr(cv2, "blur", lambda picture, window: blur(picture, window) - 1e-6)
    with np.errstate(invalid="raise"):
        lined, lost, _ = lines(seen, canvas)
    assert lined.any() and not lost[: canvas.size // 2 - 70].any()
