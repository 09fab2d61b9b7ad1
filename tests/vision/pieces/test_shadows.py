"""Shadows drawn in perspective, under a hard lamp and in soft light: who throws what the others throw."""

from types import SimpleNamespace

import numpy as np
import pytest

from uckers_table.vision.pieces.shadows import Shadows
from uckers_table.vision.pieces.shape import Shape, draw_disc
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

CAMERA = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
CANVAS = Canvas(610.0)
SHAPE = Shape(CAMERA, CANVAS, 17.0, 20.4)
PLAIN = [
    (x + 7.0 * (y % 3), y + 5.0 * (x % 4)) for x in (90.0, 230.0, 370.0, 510.0) for y in (100.0, 260.0, 420.0)
]
DOUBTFUL = [(160.0, 180.0), (300.0, 340.0), (440.0, 500.0), (455.0, 185.0)]
BARE = [(160.0, 340.0), (300.0, 180.0), (300.0, 500.0), (450.0, 340.0)]
LIGHTS = {"hard": ((900.0, 60.0, 660.0), 0.5, 0.0), "soft": ((-700.0, 500.0, 900.0), 0.85, 130.0)}
"""A lamp's place, what is left of the grey level in a piece's shadow, and how far the lamp reaches to each
side, mm.
"""
GREY = 90.0


def top_px(foot_mm):
    return SHAPE.top_px(np.array(foot_mm))


def stack_px(foot_mm, pieces):
    return CANVAS.px(CAMERA.lifted(np.array([foot_mm]), pieces * SHAPE.height_mm))[0]


def shadow_of(lamp_mm, feet, doubtful, high=1):
    """Where pieces hide a point of light, the doubtful ones so many on each other: 1 there, 0 elsewhere."""
    *beside_mm, above_mm = lamp_mm
    shadow = np.zeros((CANVAS.size, CANVAS.size), dtype=np.uint8)
    for foot in [*feet, *doubtful]:
        at, pieces = np.array(foot), high if foot in doubtful else 1
        for z in np.linspace(0.0, pieces * SHAPE.height_mm, 30 * pieces):
            place = at + (at - beside_mm) * z / (above_mm - z)
            draw_disc(shadow, CANVAS.px(place[None])[0], SHAPE.diameter_mm / 2)
    return shadow


def shown(light, noise=0.0, left=None, high=1, plain=PLAIN, doubtful=DOUBTFUL):
    """What is seen of a grey board where plain pieces stand, and doubtful ones so many on each other: half
    of it, if `left`, in a person's shadow that leaves so much.
    """
    (x_mm, y_mm, above_mm), shade, wide_mm = LIGHTS[light]
    parts = [(x_mm + part * wide_mm, y_mm + part * wide_mm, above_mm) for part in np.linspace(-1, 1, 5)]
    shadow = np.mean(
        [shadow_of(part, plain, doubtful, high) for part in parts[: 5 if wide_mm else 1]], axis=0
    )
    # Light is the 2.2nd power of grey levels.
    lit = (1 - (1 - shade**2.2) * shadow.astype(np.float32)) ** (1 / 2.2)
    owners, standing = (np.zeros(lit.shape, dtype=np.uint8) for _ in range(2))
    for foot in [*plain, *doubtful]:
        pieces = high if foot in doubtful else 1
        SHAPE.draw(standing, stack_px(foot, pieces), (pieces,))
    for foot in plain:
        SHAPE.draw(owners, top_px(foot), (1,))
    now = GREY * np.where(standing > 0, 1.0, lit)
    now = now + noise * np.random.default_rng(1).normal(size=(3, *now.shape))
    gain = np.ones_like(lit)
    if left is not None:
        gain[:, : CANVAS.size // 2] = left
    return SimpleNamespace(
        lit=now.astype(np.float32),
        board=SimpleNamespace(planes=np.full((3, *lit.shape), GREY, dtype=np.float32)),
        light=SimpleNamespace(layers=np.stack([1 / gain, np.zeros_like(gain)])),
    ), owners


def learned(seen, owners, plain=PLAIN):
    tops = np.array([top_px(foot) for foot in plain])
    return Shadows.learned(seen, tops, SHAPE, owners)


def looks(shadows, feet, clear=None):
    clear = shadows.clear if clear is None else clear
    return shadows.looks(np.array([top_px(foot) for foot in feet]), clear)


@pytest.mark.parametrize("noise", [0.0, 4.0], ids=["clean", "noisy"])
@pytest.mark.parametrize("light", LIGHTS)
def test_pieces_throw_the_shadow_that_the_others_throw_and_bare_board_none(light, noise):
    shadows = learned(*shown(light, noise))
    assert looks(shadows, DOUBTFUL).min() > 1.0
    assert looks(shadows, BARE).max() < -1.0


def test_in_a_persons_shadow_nothing_is_told():
    shadows = learned(*shown("hard", left=0.5))
    is_there = np.array(BARE)[:, 0] < CANVAS.mm(CANVAS.size / 2)
    told = looks(shadows, BARE)
    assert np.all(told[is_there] == 0)
    assert told[~is_there].max() < -1.0


def test_that_none_is_thrown_says_nothing_where_a_persons_shadow_ends():
    """There some of the lamps are hidden, and a piece throws a fainter one than those in the light."""
    shadows = learned(*shown("hard", left=0.5))
    middle = CANVAS.mm(CANVAS.size / 2)
    near, far = [(middle + 12.0, y) for _, y in BARE], [(middle + 60.0, y) for _, y in BARE]
    assert looks(shadows, near).min() >= 0.0
    assert looks(shadows, far).min() < -1.0
    there = [foot for foot in DOUBTFUL if foot[0] > middle]
    assert looks(shadows, there).min() > 1.0


def test_a_shadow_is_thrown_by_one_piece_alone():
    shadows = learned(*shown("hard"))
    beside = [(x + 3.0, y - 3.0) for x, y in DOUBTFUL]
    assert looks(shadows, beside).min() > 0.0
    clear = shadows.clear.copy()
    for foot in DOUBTFUL:
        shadows.take(top_px(foot), clear)
    assert looks(shadows, beside, clear).max() <= 0.0


def test_few_plain_pieces_tell_of_no_shadow_and_neither_does_light_that_throws_none():
    seen, owners = shown("hard")
    assert learned(seen, owners, PLAIN[:4]) is None
    seen.lit = seen.board.planes
    assert learned(seen, owners) is None


@pytest.mark.parametrize("foot", [(-40.0, -40.0), (650.0, 650.0), (305.0, 660.0)])
def test_tops_beside_the_board_are_looked_at_too(foot):
    assert looks(learned(*shown("hard")), [foot])[0] <= 0.0


def test_the_long_shadow_of_a_stack_is_no_other_pieces():
    lamp, _, _ = LIGHTS["hard"]
    shadows = learned(*shown("hard"))
    foot = np.array(BARE[1])
    for z in np.linspace(0.0, 3 * SHAPE.height_mm, 40):
        at = foot + (foot - lamp[:2]) * z / (lamp[2] - z)
        x, y = np.rint(CANVAS.px(at[None])[0] / 2).astype(int) + 24
        shadows.dark[y - 4 : y + 5, x - 4 : x + 5] = 0.7
    beyond = foot + (foot - lamp[:2]) * 1.2 * SHAPE.height_mm / (lamp[2] - SHAPE.height_mm)
    assert looks(shadows, [beyond])[0] > 1.0
    clear = shadows.clear.copy()
    shadows.take(top_px(foot), clear)
    assert looks(shadows, [beyond], clear)[0] <= 0.0


def test_the_faintest_shadows_tell_little(monkeypatch):
    monkeypatch.setitem(LIGHTS, "faint", ((900.0, 60.0, 660.0), 0.965, 0.0))
    shadows = learned(*shown("faint"))
    assert 0 < np.abs(looks(shadows, [*DOUBTFUL, *BARE])).max() < 1.5


@pytest.mark.parametrize("noise", [0.0, 4.0], ids=["clean", "noisy"])
@pytest.mark.parametrize(("light", "high"), [("hard", 1), ("hard", 2), ("hard", 3), ("soft", 1), ("soft", 2)])
def test_shadows_of_stacks_reach_farther_than_those_of_single_pieces(light, high, noise):
    seen, owners = shown(light, noise, high=high)
    tops = [*(top_px(foot) for foot in PLAIN), *(stack_px(foot, high) for foot in DOUBTFUL)]
    for top in tops[len(PLAIN) :]:
        SHAPE.draw(owners, top, (1,))
    shadows = learned(seen, owners)
    plain, doubtful = np.split(shadows.further(np.array(tops), len(tops), 4), [len(PLAIN)])
    assert doubtful[:, : high - 1].min(initial=1.0) > 0.5
    assert max(doubtful[:, high - 1].max(), plain[:, 0].max()) < 0


def test_what_a_low_lamp_throws_too_far_to_be_looked_at_says_nothing_against_a_third(monkeypatch):
    """Of three pieces' shadows the edges of the third's alone lie within 48 mm of the foot."""
    monkeypatch.setitem(LIGHTS, "low", ((1100.0, -60.0, 400.0), 0.5, 0.0))
    seen, owners = shown("low", 4.0, high=3)
    tops = [*(top_px(foot) for foot in PLAIN), *(stack_px(foot, 3) for foot in DOUBTFUL)]
    for top in tops[len(PLAIN) :]:
        SHAPE.draw(owners, top, (1,))
    doubtful = learned(seen, owners).further(np.array(tops), len(tops), 4)[len(PLAIN) :]
    assert doubtful[:, 0].min() > 0.5
    assert doubtful[:, 1].min() > -0.5


def test_where_no_plain_piece_stands_near_shadows_fall_as_the_lamps_have_it():
    plain = [(x, y) for x in (60.0, 130.0) for y in (60.0, 180.0, 300.0, 420.0, 540.0)]
    shadows = learned(*shown("hard", 2.0, plain=plain), plain)
    assert looks(shadows, DOUBTFUL[1:]).min() > 1.0
    assert looks(shadows, BARE[1:]).max() < -1.0


def test_what_stands_beside_plain_pieces_is_no_shadow_of_theirs():
    plain = [(x, y) for x in (90.0, 420.0) for y in (100.0, 230.0, 360.0, 490.0)]
    # As in the bases, a piece that is not known yet stands beside most that are.
    unknown = [(x, y + 42.0) for x, y in plain[:6]]
    seen, owners = shown("soft", plain=plain)
    standing = np.zeros_like(owners)
    for foot in unknown:
        SHAPE.draw(standing, top_px(foot), (1,))
    seen.lit[:, standing > 0] = 0.3 * GREY
    shadows = learned(seen, owners, plain)
    assert looks(shadows, DOUBTFUL).min() > 1.0


def test_what_darkens_the_board_round_some_pieces_is_not_the_shadow_of_others(monkeypatch):
    monkeypatch.setitem(LIGHTS, "faint", ((-700.0, 500.0, 900.0), 0.95, 130.0))
    seen, owners = shown("faint", 2.0)
    round_some = np.zeros_like(owners)
    for foot in PLAIN[:4]:
        draw_disc(round_some, CANVAS.px(np.array([foot]))[0], 60.0)
    seen.lit[:, (round_some > 0) & (owners == 0)] *= 0.9
    shadows = learned(seen, owners)
    assert shadows is None or looks(shadows, DOUBTFUL).min() > -0.5
