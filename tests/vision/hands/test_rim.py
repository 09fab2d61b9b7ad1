"""What reaches in over the board's edge, in simulated frames: every hand, and nothing but hands."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.simulated_camera import camera_of
from uckers_table.devices.base import BgrImage
from uckers_table.game.board import Plan
from uckers_table.simulator.look import Lamp, look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Hand, Scene, WoodenPiece
from uckers_table.vision.hands.rim import _Strip, crossing
from uckers_table.vision.place.flat import Canvas, Laying

PLAN = Plan()
CANVAS = Canvas(PLAN.side_mm, 0.5)
BAIZE, LAMP, STEEL, DARK, DIM = 0, 1, 2, 141421363, 161803
"""Tables: strips over baize, one hard lamp over planks, a window over grey steel, and two of dark wood in dim
light, where people with dark skin sit.
"""
SKINS = {"pale": (226, 178, 148), "brown": (150, 102, 74), "dark": (104, 70, 52)}
SLEEVES = {"black": (30, 30, 34), "white": (226, 221, 205), "orange": (220, 110, 30)}
EDGE = [(25.0 + 40 * c, 25.0 + 40 * r) for c, r in ((6, 0), (7, 0), (8, 14), (0, 7), (14, 6), (14, 7))]
STACKS = tuple(WoodenPiece(0, 1, x, y, level) for x, y in EDGE for level in range(3))


@cache
def table(
    seed: int, skin: str = "", sleeve: str = "", lamp: Lamp | None = None
) -> tuple[Renderer, Laying, BgrImage]:
    """A table's renderer, how its pictures are laid flat, and its bare board so; under one lamp, if given."""
    look = look_for(seed)
    look = look if lamp is None else replace(look, lights=(lamp,))
    paints = {**SKINS, **SLEEVES, "wood": look.wood}
    look = replace(look, skin=paints.get(skin, look.skin), sleeve=paints.get(sleeve, look.sleeve))
    renderer = Renderer(PLAN, look, size=(960, 540), seed=seed)
    laying = Laying.of(camera_of(renderer), CANVAS)
    return renderer, laying, laying.lay(renderer.empty)


def hidden(seed: int, scene: Scene, skin: str = "", sleeve: str = ""):
    renderer, laying, bare = table(seed, skin, sleeve)
    return crossing(laying.lay(renderer.frame(scene)), bare, CANVAS)


def at(mask, x_mm: float, y_mm: float) -> bool:
    x, y = np.rint(CANVAS.px([(x_mm, y_mm)])[0]).astype(int)
    return bool(mask[y, x])


@pytest.mark.parametrize(
    ("skin", "sleeve", "seed"),
    [
        ("pale", "wood", BAIZE),
        ("wood", "wood", BAIZE),
        ("dark", "black", BAIZE),
        ("brown", "white", STEEL),
        ("wood", "orange", STEEL),
    ],
)
def test_a_hand_is_found_whatever_its_skin_and_sleeve(skin: str, sleeve: str, seed: int) -> None:
    mask = hidden(seed, Scene(STACKS, hands=(Hand(150.0, 300.0, 180.0),)), skin, sleeve)
    assert mask is not None
    assert (at(mask, 60.0, 300.0), at(mask, 300.0, 300.0)) == (True, False)


@pytest.mark.parametrize(
    "hand",
    [Hand(150.0, 25.0, 270.0), Hand(585.0, 150.0, 0.0), Hand(25.0, 460.0, 180.0)],
    ids=["top", "right", "left"],
)
def test_finger_tips_just_over_the_edge_are_a_hand(hand: Hand) -> None:
    assert hidden(BAIZE, Scene(STACKS, hands=(hand,)), "dark", "black") is not None


@pytest.mark.parametrize(
    "hand",
    [
        Hand(169.0, 168.0, 195.0),
        Hand(64.0, 269.0, 181.0),
        Hand(76.0, 265.0, 189.0),
        Hand(441.0, 166.0, 262.0),
    ],
)
def test_a_hand_as_dark_as_the_table_that_it_comes_from_is_a_hand(hand: Hand) -> None:
    assert hidden(DARK, Scene(STACKS, hands=(hand,))) is not None


@pytest.mark.parametrize(
    "hand", [Hand(22.0, 307.0, 189.0), Hand(552.0, 51.0, 283.0), Hand(20.0, 295.0, 172.0)]
)
def test_finger_tips_as_dark_as_the_table_are_a_hand(hand: Hand) -> None:
    assert hidden(DIM, Scene(STACKS, hands=(hand,))) is not None


@pytest.mark.parametrize("seed", [BAIZE, LAMP, STEEL, DARK, DIM])
def test_stacks_and_dice_at_the_edge_are_no_hand(seed: int) -> None:
    dice = (Die(3, 250.0, 7.0, 20.0), Die(5, 300.0, 625.0, 40.0, state="off_board"))
    assert hidden(seed, Scene(STACKS, dice)) is None


@pytest.mark.parametrize("seed", [BAIZE, STEEL, DARK, DIM])
def test_stacks_side_by_side_that_throw_shadows_over_the_edge_are_no_hand(seed: int) -> None:
    renderer, laying, bare = table(seed, lamp=Lamp(-300.0, -220.0, 500.0, 0.65, 3.0))
    stacks = Scene(tuple(WoodenPiece(0, 1, x, 585.0, level) for x in (305.0, 345.0) for level in range(3)))
    assert crossing(laying.lay(renderer.frame(stacks)), bare, CANVAS) is None


@pytest.mark.parametrize(("mirrored", "is_shaded"), [(0.0, True), (0.2, True), (0.8, False)])
def test_the_table_may_lie_in_shadow_where_a_lamp_is_mirrored_in_a_little_of_it(
    mirrored: float, is_shaded: bool
) -> None:
    """A side lamp's light falls off along the edge, as what is mirrored does."""
    bare = np.full((100, 3), 60.0, np.float32)
    dull = bare - 10 * (np.arange(100) < 100 * mirrored)[:, None]
    strip = _Strip(0.7 * bare, bare, np.ones(100, dtype=bool), dull.astype(np.float32))
    assert strip.is_shaded(slice(0, 100), 0.6) == is_shaded


def test_a_strip_with_little_but_a_lamps_image_is_told_by_the_others() -> None:
    is_lamp = (np.abs(np.arange(100) - 50) < 15)[:, None]
    bare = np.where(is_lamp, np.float32(120.0), np.float32(40.0)) * np.ones(3, np.float32)
    everywhere, in_lamp = np.ones(100, dtype=bool), is_lamp[:, 0]
    strips = [_Strip(bare, bare, known, bare) for known in (everywhere, in_lamp)]
    for strip in _Strip.dulled(strips):
        assert np.allclose(strip.dull[in_lamp], 40.0, atol=1.0)


@pytest.mark.parametrize("soft_mm", [1.0, 30.0])
@pytest.mark.parametrize("share", [0.4, 0.75])
@pytest.mark.parametrize("seed", [BAIZE, STEEL, DARK, DIM])
def test_a_shadow_that_falls_in_over_the_edge_is_no_hand(seed: int, soft_mm: float, share: float) -> None:
    renderer, laying, bare = table(seed)
    shadow = np.zeros(renderer.empty.shape[:2], np.float32)
    cv2.ellipse(shadow, (250, 170), (275, 100), 20.0, 0.0, 360.0, 1.0, -1)
    shade = 1 - (1 - share) * cv2.GaussianBlur(shadow, (0, 0), soft_mm)[..., None]
    shaded = np.clip(renderer.frame(Scene(STACKS)) * shade, 0, 255).astype(np.uint8)
    assert crossing(laying.lay(shaded), bare, CANVAS) is None


@pytest.mark.parametrize("seed", [BAIZE, STEEL, DARK, DIM])
def test_a_shadow_along_the_edge_that_misses_the_lower_table_is_no_hand(seed: int) -> None:
    """Under a low lamp a shadow falls farther aside on the table than on the board, which is higher."""
    _, _, bare = table(seed)
    x, y = CANVAS.grid_mm
    on_board = (np.abs(x - PLAN.side_mm / 2) < 305.0) & (np.abs(y - PLAN.side_mm / 2) < 305.0)
    shadow = (np.hypot(x - 305.0, y - 20.0) < 120.0) & on_board
    shaded = np.where(shadow[..., None], bare * 0.42, bare).astype(np.uint8)
    assert crossing(shaded, bare, CANVAS) is None


@pytest.mark.parametrize(
    ("left", "explains"),
    [((0.32, 0.31, 0.31), True), ((0.31, 0.31, 0.37), False), ((0.2, 0.2, 0.2), False)],
    ids=["alike", "of another hue", "black"],
)
def test_wood_may_lie_in_a_deeper_shadow_than_pale_paint_does(
    left: tuple[float, float, float], explains: bool
) -> None:
    """If that takes as much of each channel: of pale paint 0.46 is left."""
    wood = np.full((100, 3), (90.0, 130.0, 170.0), np.float32)
    strip = _Strip(np.array(left, np.float32) * wood, wood, np.ones(100, dtype=bool), wood)
    assert strip.in_shadow(slice(0, 100), 0.46).all() == explains


@pytest.mark.parametrize("seed", [DARK, DIM])
@pytest.mark.parametrize(
    "hand", [Hand(22.0, 307.0, 189.0), Hand(552.0, 51.0, 283.0), Hand(20.0, 295.0, 172.0)]
)
def test_dark_fingers_over_a_dark_table_are_a_hand_in_noise_too(hand: Hand, seed: int) -> None:
    """It leaves as much of a step everywhere as a fifth of theirs."""
    renderer, laying, bare = table(seed)
    held = laying.lay(renderer.frame(Scene(STACKS, hands=(hand,))))
    noise = np.random.default_rng(7).normal(size=held.shape)
    noise = cv2.GaussianBlur(noise, (0, 0), 3.0)
    noisy = np.clip(held + 10.0 / noise.std() * noise, 0, 255).astype(np.uint8)
    assert crossing(noisy, bare, CANVAS) is not None
    still = np.clip(bare + 10.0 / noise.std() * noise, 0, 255).astype(np.uint8)
    assert crossing(still, bare, CANVAS) is None


@pytest.mark.parametrize("white", [(255.0, 255.0, 255.0), (175.0, 220.0, 255.0)], ids=["white", "warm"])
@pytest.mark.parametrize("seed", [STEEL, DARK])
def test_a_lamp_mirrored_beside_the_board_and_gone_in_a_shadow_is_no_hand(
    seed: int, white: tuple[float, float, float]
) -> None:
    """A lamp's image has the lamp's own colour, as white paint has: BGR."""
    renderer, laying, bare = table(seed)
    colour = np.array(white) / 255
    x, y = CANVAS.grid_mm
    beside = np.maximum(np.abs(x - PLAN.side_mm / 2), np.abs(y - PLAN.side_mm / 2)) > PLAN.side_mm / 2
    lamp = 180.0 * np.exp(-((x - 640.0) ** 2 + (y - 300.0) ** 2) / (2 * 70.0**2)) * beside
    covered = np.clip((150.0 - np.hypot(x - 640.0, y - 200.0)) / 40.0, 0.0, 1.0)

    def mirroring(share: np.ndarray, left: np.ndarray) -> BgrImage:
        """A share of the bare board's grey levels, and as much of the lamp as is left, added as light."""
        light = (bare * share[..., None]) ** 2.2 + (lamp[..., None] ** 2.2) * left[..., None]
        return np.clip(colour * light ** (1 / 2.2), 0, 255).astype(np.uint8)

    glossy = mirroring(np.ones_like(lamp), np.ones_like(lamp))
    shaded = mirroring(1 - 0.5 * covered, 1 - covered)
    assert crossing(shaded, glossy, CANVAS) is None
    held = laying.lay(renderer.frame(Scene(STACKS, hands=(Hand(450.0, 300.0, 0.0),))))
    held = (colour * held).astype(np.uint8)
    as_before = np.abs(held.astype(int) - colour * bare).max(axis=2, keepdims=True) < 12
    assert crossing(np.where(as_before, glossy, held), glossy, CANVAS) is not None


def test_what_lies_beside_the_board_is_no_hand() -> None:
    renderer, laying, bare = table(BAIZE)
    cluttered = renderer.frame(Scene(STACKS)).copy()
    corners = renderer.view.project(
        [(x, y, 0.0) for x, y in ((100, 618), (240, 618), (240, 660), (100, 660))]
    )
    cv2.fillConvexPoly(cluttered, np.rint(corners).astype(np.int32), (225, 228, 230))
    assert crossing(laying.lay(cluttered), bare, CANVAS) is None
