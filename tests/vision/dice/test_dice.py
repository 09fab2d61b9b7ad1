"""Dice in simulated frames: the scene's own values are the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from tests.vision.simulated_camera import camera_of
from uckers_table.devices.base import BgrImage
from uckers_table.game.board import Board, Plan
from uckers_table.sighting import SeenDie
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Scene, WoodenPiece
from uckers_table.vision.dice.claims import FoundDice, TopsSeen
from uckers_table.vision.dice.dice import DiceFinder, Shown
from uckers_table.vision.dice.faces import DIE_MM, Face, confirmed
from uckers_table.vision.dice.lean import by_stance
from uckers_table.vision.dice.spots import Smoothed, Spots, find_spots
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.place.camera import CameraModel

PLAN = Plan(Board(("red", "green", "yellow", "blue")))
WHITE_DICE, RED_DICE = 4, 6
"""Seeds of tables: white dice with black pips, red ones with white pips."""
NEAR_MM = 1.0
"""Dice are found within half a pixel; a square is 40 mm."""

Said = list[tuple[int | None, str]]
NO_TOPS = TopsSeen.none()
LONE = CameraModel(240, 120, 1840.0, 119.5, 59.5, 0.0, (0.0, 0.0, 0.0), (-60.0, -30.0, 920.0))
"""Looks straight down on a grey board of 120 mm by 60, two pixels a millimetre."""
RED, WHITE = (40, 40, 190), (245, 245, 245)
FAINT_PIP = (67, 67, 194)


@cache
def table(seed: int) -> tuple[Renderer, CameraModel, DiceFinder]:
    renderer = Renderer(PLAN, look_for(seed), size=(1536, 864), seed=seed)
    camera = camera_of(renderer)
    return renderer, camera, DiceFinder(renderer.empty, camera, PLAN.side_mm)


def found(seed: int, dice: Sequence[Die], pieces: Sequence[WoodenPiece] = ()) -> FoundDice:
    renderer, camera, finder = table(seed)
    return finder.find(Halves(renderer.frame(Scene(tuple(pieces), tuple(dice)))), camera)


def said(
    dice: FoundDice, tops_mm: Sequence[tuple[float, float]] = (), side_mm: float = 0.0, odds: float = 8.0
) -> Said:
    """Value and state of all dice clear of pieces of these log-odds, whose feet are seen so far to the right,
    left to right.
    """
    tops = np.array(tops_mm, dtype=np.float64).reshape(-1, 2)
    seen = dice.clear_of(TopsSeen(tops, tops + np.array([side_mm, 0.0]), 10.2, np.full(len(tops), odds)))
    return [(die.value, die.state) for die in sorted(seen, key=lambda die: die.x_mm)]


@pytest.mark.parametrize("seed", [WHITE_DICE, RED_DICE])
@pytest.mark.parametrize("value", range(1, 7))
def test_every_face_is_read_at_its_place(seed: int, value: int) -> None:
    other = Die(5, 440.0, 470.0, 71.0)
    # Of a red two at the usual place neither net nor stance can tell whether it leans.
    x, y = (240.0, 210.0) if (seed, value) == (RED_DICE, 2) else (120.0, 130.0)
    (first, second) = sorted(
        found(seed, [Die(value, x, y, 17.0 * value), other]).clear_of(NO_TOPS),
        key=lambda die: die.x_mm,
    )
    assert [(d.value, d.state) for d in (first, second)] == [(value, "flat"), (5, "flat")]
    assert np.hypot(first.x_mm - x, first.y_mm - y) < NEAR_MM
    assert np.hypot(second.x_mm - 440.0, second.y_mm - 470.0) < NEAR_MM


@pytest.mark.parametrize("seed", [WHITE_DICE, RED_DICE])
def test_dice_that_touch_are_two(seed: int) -> None:
    assert said(found(seed, [Die(6, 300.0, 80.0, 0.0), Die(3, 316.5, 81.0, 2.0)])) == [
        (6, "flat"),
        (3, "flat"),
    ]


@pytest.mark.parametrize("seed", [WHITE_DICE, RED_DICE])
@pytest.mark.parametrize("value", [4, 5, 6])
def test_a_die_that_leans_has_no_value(seed: int, value: int) -> None:
    leaning = Die(value, 180.0, 480.0, 40.0, tilt_deg=30.0, lean_deg=0.0, state="cocked")
    assert said(found(seed, [leaning, Die(4, 420.0, 100.0, 12.0)])) == [(None, "cocked"), (4, "flat")]


def test_a_die_that_leans_and_shows_its_face_whole_has_no_value() -> None:
    leaning = Die(3, 180.0, 480.0, 40.0, tilt_deg=22.0, lean_deg=0.0, state="cocked")
    dice = found(3, [leaning, Die(4, 420.0, 100.0, 12.0)])
    assert said(dice) == [(None, "cocked"), (4, "flat")]
    (cocked,) = (die for die in dice.sure if die.state == "cocked")
    assert said(dice, [(cocked.x_mm, cocked.y_mm)]) == [(None, "cocked"), (4, "flat")], "it leans on a piece"


@pytest.mark.parametrize(
    ("beyond_mm", "contrast", "is_old", "leans"),
    [
        (12.0, 0.35, False, True),
        (12.0, 0.7, False, False),
        (8.0, 0.35, False, False),
        (12.0, 0.35, True, False),
    ],
)
def test_a_pip_of_its_side_shows_that_a_die_leans(
    beyond_mm: float, contrast: float, is_old: bool, leans: bool
) -> None:
    """Not one of another die, nor one that a die shows that lies flat, nor a line of a moved board."""
    _, camera, finder = table(WHITE_DICE)
    one = Face(180.0, 480.0, 0.0, 4.0, 1, contrast=0.8, colour=(190.0, 205.0, 215.0))
    places = np.array([(180.0, 480.0), (180.0 - beyond_mm, 482.0)])
    px = camera.project(np.column_stack([places, np.full(2, -DIE_MM)]))
    around = np.array([one.colour, (120.0, 130.0, 136.0)])
    spots = Spots(px, np.array([True, True]), np.array([0.8, contrast]), around, np.array([False, is_old]))
    assert finder._shows_side(camera, one, [one], spots, places) == leans


@pytest.mark.parametrize(("third_mm", "leans"), [(8.0, True), (20.0, False)])
def test_plain_pips_of_its_side_show_that_a_die_leans_where_none_lie_farther_away(
    third_mm: float, leans: bool
) -> None:
    """A die that leans on this one shows pips in plain sight too, but those of its upper face lie beyond."""
    _, camera, finder = table(WHITE_DICE)
    two = Face(180.0, 480.0, 0.0, 4.0, 2, contrast=0.8, colour=(190.0, 205.0, 215.0))
    places = np.array([(168.0, 476.0), (168.0, 484.0), (180.0 - third_mm, 480.0)])
    px = camera.project(np.column_stack([places, np.full(3, -DIE_MM)]))
    around = np.tile((120.0, 130.0, 136.0), (3, 1))
    spots = Spots(px, np.full(3, True), np.full(3, 0.7), around, np.full(3, False))
    assert finder._shows_side(camera, two, [two], spots, places) == leans


def test_a_die_beside_the_board_has_its_value() -> None:
    # The simulator knows the board's plane only; 12 mm lower a die looks 1 % smaller.
    assert said(found(WHITE_DICE, [Die(4, 240.0, 630.0, 20.0), Die(6, 420.0, 100.0, 12.0)])) == [
        (4, "off_board"),
        (6, "flat"),
    ]


@pytest.mark.parametrize("seed", range(4, 8))
def test_bare_boards_and_pieces_are_no_dice(seed: int) -> None:
    renderer, camera, finder = table(seed)
    tops = camera.grounded(
        camera.lifted(
            [spot for seat in range(4) for spot in renderer.spots(seat)], renderer.look.piece_height_mm
        ),
        16.0,
    )
    assert said(finder.find(Halves(renderer.empty), camera)) == []
    assert said(finder.find(Halves(renderer.start), camera), [(float(x), float(y)) for x, y in tops]) == []


@pytest.mark.parametrize(
    ("state", "likely", "counts"), [("cocked", False, False), ("cocked", True, True), ("flat", False, True)]
)
def test_lights_mirrored_in_what_is_rather_a_piece_are_no_die_that_leans(
    state: str, likely: bool, counts: bool
) -> None:
    """A top that is too doubtful to be claimed may stand for a missing piece."""
    die, at = SeenDie(2 if state == "flat" else None, state, 40.0, 30.0), np.array([[41.0, 33.0]])
    dice = FoundDice((), (die,), (die,) if likely else ())
    top = TopsSeen(at, at, 10.2, np.array([-0.3]))
    assert dice.clear_of(NO_TOPS) == dice.clear_of(NO_TOPS, NO_TOPS) == (die,)
    assert dice.clear_of(NO_TOPS, top) == ((die,) if counts else ())


def test_doubtful_dice_do_not_count_on_a_piece() -> None:
    renderer, camera, finder = table(WHITE_DICE)
    lying = Die(6, 180.0, 480.0, 40.0, 30.0, 0.0, "cocked"), Die(4, 420.0, 100.0, 12.0)
    dice = finder.by_pips(Halves(renderer.frame(Scene((), lying))), camera).dice
    (leaning,) = dice.doubtful
    assert said(dice, [(leaning.x_mm + 5.0, leaning.y_mm), (420.0, 100.0)]) == [(4, "flat")]
    beyond = [(leaning.x_mm - 30.0, leaning.y_mm)]
    assert said(dice, beyond) == [(None, "cocked"), (4, "flat")]
    assert said(dice, beyond, side_mm=12.0) == [(None, "cocked"), (4, "flat")], "it leans beside a stack"
    assert said(dice, beyond, side_mm=24.0) == [(4, "flat")], "it is a stack's side"


@pytest.mark.parametrize(
    ("face", "pips", "leaning"),
    [
        ((90, 90, 220), (245, 245, 245), [None]),
        ((90, 90, 220), (0, 0, 0), []),
        ((90, 90, 220), (180, 180, 235), [None]),
        ((150, 40, 220), (180, 80, 225), []),
    ],
    ids=["alike", "dark pips", "fainter", "fainter and of another colour"],
)
def test_one_that_leans_looks_like_one_that_lies_flat(
    face: tuple[int, int, int], pips: tuple[int, int, int], leaning: list[None]
) -> None:
    camera = LONE
    red, white = (90, 90, 220), WHITE
    bare = np.full((120, 240, 3), 150, dtype=np.uint8)
    picture = bare.copy()
    cv2.rectangle(picture, (174, 44), (206, 76), red, -1)
    for dx, dy in ((-8, -8), (8, 8), (-8, 8), (8, -8), (0, 0)):
        cv2.circle(picture, (190 + dx, 60 + dy), 3, white, -1)
    cv2.rectangle(picture, (44, 44), (76, 76), face, -1)
    for x, y in ((52, 50), (54, 62), (66, 71)):
        cv2.circle(picture, (x, y), 3, pips, -1)
    dice = DiceFinder(bare, camera, 120.0).by_pips(Halves(picture), camera).dice
    assert [die.value for die in dice.sure] == [5]
    assert [die.value for die in dice.doubtful] == leaning


def test_a_die_that_leans_in_a_shadow_is_one_of_those_that_lie_in_the_light() -> None:
    renderer, camera, finder = table(WHITE_DICE)
    leaning, flat = Die(6, 180.0, 480.0, 40.0, 30.0, 0.0, "cocked"), Die(4, 420.0, 100.0, 12.0)
    picture = renderer.frame(Scene((), (leaning, flat))).copy()
    x, y = np.rint(camera.project([(180.0, 480.0)])[0]).astype(int)
    shaded = np.s_[y - 60 : y + 60, x - 60 : x + 60]
    picture[shaded] = (picture[shaded] * 0.45).astype(np.uint8)
    assert said(finder.find(Halves(picture), camera)) == [(None, "cocked"), (4, "flat")]


def with_a_five() -> tuple[BgrImage, BgrImage]:
    """A bare board, and a red five on it."""
    bare = np.full((120, 240, 3), 150, dtype=np.uint8)
    picture = bare.copy()
    cv2.rectangle(picture, (174, 44), (206, 76), RED, -1)
    for dx, dy in ((-8, -8), (8, 8), (-8, 8), (8, -8), (0, 0)):
        cv2.circle(picture, (190 + dx, 60 + dy), 3, WHITE, -1)
    return bare, picture


@pytest.mark.parametrize(("left", "says"), [(1.0, [(2, "flat")]), (0.5, [(2, "flat")]), (0.2, [])])
def test_one_in_a_shadow_goes_with_one_in_the_light(left: float, says: Said) -> None:
    bare, picture = with_a_five()
    face, pips = ((round(left * c[0]), round(left * c[1]), round(left * c[2])) for c in (RED, WHITE))
    cv2.rectangle(picture, (44, 44), (76, 76), face, -1)
    for x, y in ((52, 52), (68, 68)):
        cv2.circle(picture, (x, y), 3, pips, -1)
    assert said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice) == [*says, (5, "flat")]


@pytest.mark.parametrize(("grey", "edge_px", "read"), [(85, 16, True), (68, 16, False), (85, 13, False)])
def test_a_two_whose_edge_and_face_show_whole_needs_no_other_die(grey: int, edge_px: int, read: bool) -> None:
    """In a shadow or a lamp's image its pips stand out little; but a piece's top has no such edge."""
    bare = np.full((120, 240, 3), 150, dtype=np.uint8)
    picture = bare.copy()
    cv2.rectangle(picture, (60 - edge_px, 60 - edge_px), (60 + edge_px, 60 + edge_px), (48, 48, 130), -1)
    for x, y in ((52, 52), (68, 68)):
        cv2.circle(picture, (x, y), 3, (grey, grey, 150), -1)
    dice = DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice
    assert said(dice) == ([(2, "flat")] if read else [])
    assert not dice.sure, "on a piece it may be that piece's highlights"


def test_pips_in_another_light_than_the_sure_dies_are_pips_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those of a die that leans one alone may be lit like the die in plain sight: that is no one."""
    bare, picture = with_a_five()
    picture[(picture == RED).all(axis=2)] = (75, 74, 166)
    for start, face in ((44, (32, 30, 117)), (68, (24, 16, 90))):
        cv2.rectangle(picture, (start, 44), (start + 24, 76), face, -1)
        cv2.circle(picture, (60 if start == 44 else 77, 60), 3, WHITE, -1)

    def seen(guess: Face, *others: Any) -> Face | None:
        return replace(guess, sure=False) if guess.value == 1 else confirmed(guess, *others)

    monkeypatch.setattr("uckers_table.vision.dice.dice.confirmed", seen)
    monkeypatch.setattr("uckers_table.vision.dice.dice.leaning", lambda *_: -20.0)
    dice = said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice)
    assert dice == [(None, "cocked"), (5, "flat")]


@pytest.mark.parametrize(("pip", "read"), [(10, True), (17, False)])
def test_a_one_in_the_deepest_shadow_goes_with_a_die_in_the_light_if_it_shows_whole(
    pip: int, read: bool
) -> None:
    """There its pip has little contrast, however dark it is."""
    bare = np.full((120, 240, 3), 60, dtype=np.uint8)
    picture = bare.copy()
    bare[:, 120:], picture[:, 120:] = 90, 90
    for left, face, dark, pips in ((174, 150, 20, ((-8, -8), (8, 8), (0, 0))), (44, 46, pip, ((0, 0),))):
        cv2.rectangle(picture, (left, 44), (left + 32, 76), (face,) * 3, -1)
        for dx, dy in pips:
            cv2.circle(picture, (left + 16 + dx, 60 + dy), 3, (dark,) * 3, -1)
    dice = said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice)
    assert dice == [(1, "flat")] * read + [(3, "flat")]


def vouched_for(
    monkeypatch: pytest.MonkeyPatch,
    pips_px: Sequence[int],
    leans_by: float,
    pip: tuple[int, int, int] = WHITE,
) -> Shown:
    """A five, and a die with pips along a diagonal that only that vouches for, and that leans by so much."""
    bare, picture = with_a_five()
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    for x in pips_px:
        cv2.circle(picture, (x, x), 3, pip, -1)

    def seen(guess: Face, patch: Any, white: float, lenient: bool = False) -> Face | None:
        return confirmed(guess, patch, white, lenient) if lenient or guess.value == 5 else None

    def leaning(scene: Any, face: Face, *_: Any) -> float:
        return leans_by if face.value == len(pips_px) else -50.0

    monkeypatch.setattr("uckers_table.vision.dice.dice.confirmed", seen)
    monkeypatch.setattr("uckers_table.vision.dice.dice.leaning", leaning)
    return DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE)


@pytest.mark.parametrize(("pips_px", "is_faint"), [((52, 60, 68), False), ((60,), False), ((60,), True)])
def test_how_a_die_lies_that_another_vouches_for_all_of_it_tells(
    monkeypatch: pytest.MonkeyPatch, pips_px: tuple[int, ...], is_faint: bool
) -> None:
    """It is looked at whole as well, though it is found only once the other die is."""
    shown = vouched_for(monkeypatch, pips_px, 50.0, FAINT_PIP if is_faint else WHITE)
    nats = {die.value: leans for die, leans in shown.leans.items()}
    assert nats == {len(pips_px): by_stance(50.0), 5: by_stance(-50.0)}


def test_a_one_that_another_die_vouches_for_leans_if_all_of_it_looks_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its sides are lit otherwise, or hidden: no pips of theirs show that it does."""
    dice = vouched_for(monkeypatch, (60,), 214.0).dice
    assert said(dice) == [(None, "cocked"), (5, "flat")]
    assert [die.value for die in dice.sure] == [5], "on a piece it may be that piece's mark"


@pytest.mark.parametrize("flat", [1, 2])
def test_a_lamp_in_the_middle_of_a_top_is_no_third_die_that_leans_with_its_one_up(
    flat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Edge and face of an enamelled red top show as a die's do, and no more is seen of one that leans."""
    bare, picture = with_a_five()
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    cv2.circle(picture, (60, 60), 3, WHITE, -1)
    if flat > 1:
        picture[44:77, 110:143] = picture[44:77, 174:207]
    monkeypatch.setattr(
        "uckers_table.vision.dice.dice.leaning", lambda scene, face, *_: 175.0 if face.value == 1 else -50.0
    )
    dice = DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice
    leans = [(None, "cocked")] if flat == 1 else []
    assert said(dice) == leans + [(5, "flat")] * flat


@pytest.mark.parametrize(("left", "says"), [(0.4, [(3, "flat")]), (1.0, [])])
def test_a_die_in_the_deepest_shadow_is_read_though_as_dark_as_cloth(left: float, says: Said) -> None:
    """So much light is left there: of something as dark in the light it would be no die."""
    bare = np.full((120, 240, 3), 240, dtype=np.uint8)
    picture = np.full_like(bare, round(240 * left))
    cv2.rectangle(picture, (44, 44), (76, 76), (60, 60, 60), -1)
    for x in (52, 60, 68):
        cv2.circle(picture, (x, x), 3, (20, 20, 20), -1)
    finder = DiceFinder(bare, LONE, 120.0)
    assert said(finder.by_pips(Halves(picture), LONE, lit=lambda px: np.full(len(px), left)).dice) == says


def test_a_red_die_that_mirrors_a_strip_all_over_goes_with_one_that_does_not() -> None:
    """It is pink, and its pip stands out less: of a die in another colour that would be none."""

    def says(face: tuple[int, int, int]) -> Said:
        bare, picture = with_a_five()
        cv2.rectangle(picture, (44, 44), (76, 76), face, -1)
        cv2.circle(picture, (60, 60), 3, (230, 230, 230), -1)
        return said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice)

    blue, green, red = (round(255 * ((0.75 * c / 255) ** 2.2 + 0.2) ** (1 / 2.2)) for c in RED)
    assert says((blue, green, red)) == [(1, "flat"), (5, "flat")]
    assert says((green, red, blue)) == [(5, "flat")]


def test_a_red_die_goes_with_one_that_mirrors_a_strip_all_over() -> None:
    """Where that is the surest, too: its five pips are."""

    def says(face: tuple[int, ...]) -> Said:
        bare, picture = with_a_five()
        picture[(picture == RED).all(axis=2)] = face
        # On paint of its own colour it shows too little of its edge for a die for itself.
        bare[:, 65:120], picture[:, 65:120] = RED, RED
        cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
        for x in (52, 60, 68):
            cv2.circle(picture, (x, x), 3, WHITE, -1)
        return said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice)

    blue, green, red = (round(255 * (0.9 * (c / 255) ** 2.2 + 0.2) ** (1 / 2.2)) for c in RED)
    assert says((blue, green, red)) == [(3, "flat"), (5, "flat")]
    assert says((red, green, blue)) == [(5, "flat")]


@pytest.mark.parametrize(("contrast", "agrees"), [(0.7, True), (0.36, False)])
def test_what_goes_with_a_die_that_mirrors_a_lamp_has_plain_pips(contrast: float, agrees: bool) -> None:
    """In the dark, noise on brown wood is a white die's face without the lamp, with one faint pip."""
    bare, _ = with_a_five()
    pink = [255 * (0.9 * (c / 255) ** 2.2 + 0.2) ** (1 / 2.2) for c in RED]
    five = Face(95.0, 30.0, 0.0, 4.0, 5, score=6.0, dark=False, contrast=0.47)
    one = Face(30.0, 30.0, 0.0, 4.0, 1, score=3.0, dark=False, contrast=contrast, sure=False)
    places = np.array([(95.0, 30.0), (30.0, 30.0)])
    around, contrasts = np.array([pink, RED], dtype=np.float64), np.array([0.47, contrast])
    spots = Spots(2 * places, np.zeros(2, dtype=bool), contrasts, around, np.zeros(2, dtype=bool))
    agreed = DiceFinder(bare, LONE, 120.0)._agreed([five, one], spots, places)
    assert [face.value for face in agreed] == ([5, 1] if agrees else [5])


@pytest.mark.parametrize(
    ("pitch_px", "leans", "read"), [(7.7, -20.0, 3), (7.7, 100.0, None), (7.4, -20.0, None)]
)
def test_the_whole_die_tells_whether_a_few_pips_a_little_nearer_lean(
    monkeypatch: pytest.MonkeyPatch, pitch_px: float, leans: float, read: int | None
) -> None:
    """Those of the surest die, under a lamp, may be seen too far apart as well."""
    bare, picture = with_a_five()
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    for step in (-pitch_px, 0.0, pitch_px):
        at = round((60 + step) * 16)
        cv2.circle(picture, (at, at), 48, WHITE, -1, cv2.LINE_AA, 4)
    monkeypatch.setattr(
        "uckers_table.vision.dice.dice.leaning", lambda scene, face, *_: leans if face.value == 3 else -50.0
    )
    dice = said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice)
    assert dice == [(read, "cocked" if read is None else "flat"), (5, "flat")]


@pytest.mark.parametrize(
    ("value", "lights", "read"),
    [
        (1, [(7, 14)], True),
        (3, [(3, -14)], True),
        (3, [(3, -14), (14, -4)], False),
        (3, [(2, -9)], False),
    ],
)
def test_a_lamp_mirrored_in_the_rounded_edge_of_a_die_is_no_pip_too_many(
    value: int, lights: Sequence[tuple[int, int]], read: bool
) -> None:
    """One on each edge, or one nearer to the middle, may be pips of a die that leans."""
    bare, picture = (np.minimum(seen, (245, 60, 245)).astype(np.uint8) for seen in with_a_five())
    picture[(picture[..., 1] == 60) & (picture[..., 2] == 245)] = WHITE
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    for step in (0,) if value == 1 else (-8, 0, 8):
        cv2.circle(picture, (60 + step, 60 + step), 3, WHITE, -1)
    for x, y in lights:
        cv2.circle(picture, (60 + x, 60 + y), 2, (150, 150, 220), -1)
    dice = said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice)
    assert ((value, "flat") in dice) == read


@pytest.mark.parametrize(("leans", "values"), [(-25.0, [6, 5]), (-5.0, [5])])
def test_faint_pips_off_the_grid_are_a_flat_dies_if_all_of_it_looks_so(
    monkeypatch: pytest.MonkeyPatch, leans: float, values: list[int]
) -> None:
    """A lamp is mirrored all over a red six, so that its pips are faint, and seen nearer together one way."""
    bare, picture = with_a_five()
    cv2.rectangle(picture, (44, 44), (76, 76), (145, 145, 210), -1)
    for x in (-8.0, 8.0):
        for y, aside in ((-8.4, 0.0), (0.0, 0.8), (8.4, 0.0)):
            at = round((60 + x + aside) * 16), round((60 + y) * 16)
            cv2.circle(picture, at, 48, (205, 205, 230), -1, cv2.LINE_AA, 4)
    monkeypatch.setattr(
        "uckers_table.vision.dice.dice.leaning", lambda scene, face, *_: leans if face.value == 6 else -50.0
    )
    dice = DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice
    assert [value for value, state in said(dice) if state == "flat"] == values


def test_a_die_that_leans_is_no_measure_of_how_far_apart_others_pips_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its own, seen aslant, are too near together; but for those on its sides."""

    def says(two_px: int) -> Said:
        bare = np.full((120, 240, 3), 150, dtype=np.uint8)
        picture = bare.copy()
        for x, sites in ((190, ((-7, -7), (7, 7), (-7, 7), (7, -7), (0, 0))), (two_px, ((-8, -8), (8, 8)))):
            cv2.rectangle(picture, (x - 16, 44), (x + 16, 76), RED, -1)
            for dx, dy in sites:
                cv2.circle(picture, (x + dx, 60 + dy), 3, WHITE, -1)
        return said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice)

    assert says(60) == [(None, "cocked"), (5, "flat")]
    leans = "uckers_table.vision.dice.dice.leaning"
    monkeypatch.setattr(leans, lambda scene, face, *_: 100.0 if face.value == 5 else -50.0)
    assert says(60) == [(2, "flat"), (None, "cocked")]
    assert says(156) == [(None, "cocked")]


@pytest.mark.parametrize(
    ("aside_px", "read"), [(0.0, (3, "flat")), (0.65, (3, "flat")), (2.5, (None, "cocked"))]
)
def test_the_middle_of_a_three_may_be_seen_a_little_aside(aside_px: float, read: tuple[int, str]) -> None:
    bare, picture = with_a_five()
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    for x, y in ((52.0, 52.0), (60.0 + aside_px, 60.0 - aside_px), (68.0, 68.0)):
        cv2.circle(picture, (round(x * 16), round(y * 16)), 48, WHITE, -1, cv2.LINE_AA, 4)
    assert said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice) == [read, (5, "flat")]


@pytest.mark.parametrize(("shown", "read"), [(1.9, (1, "flat")), (1.6, (None, "cocked"))])
def test_a_one_and_a_pip_of_its_side_are_no_two(
    monkeypatch: pytest.MonkeyPatch, shown: float, read: tuple[int | None, str]
) -> None:
    """The face that the picture bears out better is the upper one; a two with its pips so near leans."""
    bare, picture = with_a_five()
    cv2.rectangle(picture, (40, 44), (92, 76), RED, -1)
    for x, y in ((60, 60), (81, 60)):
        cv2.circle(picture, (x, y), 3, WHITE, -1)

    def confirmed(guess: Face, *_: object) -> Face | None:
        if guess.value == 1 and guess.x_mm > 35.0:
            return None
        return replace(guess, score=guess.score + (shown if guess.value == 1 else 1.7), sure=True)

    monkeypatch.setattr("uckers_table.vision.dice.dice.confirmed", confirmed)
    monkeypatch.setattr(DiceFinder, "_leans", lambda *_: False)
    assert said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice) == [read, (5, "flat")]


def test_one_that_leans_is_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is faint is looked for once more, and beside the surest die alone it may not show how it leans."""
    bare, picture = with_a_five()
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    for x, y in ((52, 52), (68, 68)):
        cv2.circle(picture, (x, y), 3, WHITE, -1)
    monkeypatch.setattr(DiceFinder, "_leans", lambda *args: args[3].value == 2 and len(args[4]) > 1)
    assert said(DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice) == [
        (None, "cocked"),
        (5, "flat"),
    ]


@pytest.mark.parametrize(("apart_px", "is_sure"), [(10, True), (5, False)])
def test_highlights_lie_nearer_together_than_pips(apart_px: int, is_sure: bool) -> None:
    bare, picture = with_a_five()
    cv2.rectangle(picture, (46, 44), (76, 76), RED, -1)
    for x, y in ((52, 50), (52, 60), (52, 70), (66, 50), (66, 50 + apart_px)):
        cv2.circle(picture, (x, y), 2, WHITE, -1)
    dice = DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice
    assert [die.state for die in (dice.sure if is_sure else dice.doubtful)][-1] == "cocked"


@pytest.mark.parametrize(
    ("pips", "grey"),
    [(((52, 50), (54, 62), (66, 71)), 245), (((60, 60),), 245), (((52, 52), (68, 68)), 78)],
    ids=["leaning", "one up", "faint two"],
)
def test_plain_pips_are_a_die_where_no_top_is_plain(pips: Sequence[tuple[int, int]], grey: int) -> None:
    bare, picture = with_a_five()
    if len(pips) == 1:
        # Paint of its own colour hides some of its edge.
        cv2.rectangle(bare, (24, 24), (60, 96), RED, -1)
        cv2.rectangle(picture, (24, 24), (60, 96), RED, -1)
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    for x, y in pips:
        cv2.circle(picture, (x, y), 3, (grey, grey, max(grey, 190)), -1)
    dice = DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice
    (die,) = dice.likely
    at = np.array([[die.x_mm + 3.0, die.y_mm]])
    poor, plain = (TopsSeen(at, at, 10.2, np.array([odds])) for odds in (2.0, 6.0))
    assert [die in dice.clear_of(tops) for tops in (NO_TOPS, poor, plain)] == [True, True, False]
    assert [dice.taken_for(tops) for tops in (NO_TOPS, poor, plain)] == [(), (die,), ()]


@pytest.mark.parametrize("flat", [1, 2])
def test_what_looks_like_a_third_die_is_none(flat: int) -> None:
    """Lamps in the rim and the middle of an enamelled top look like the pips of one that leans."""
    bare, picture = with_a_five()
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    for x, y in ((52, 50), (54, 62), (66, 71)):
        cv2.circle(picture, (x, y), 3, WHITE, -1)
    if flat > 1:
        picture[44:77, 110:143] = picture[44:77, 174:207]
    dice = DiceFinder(bare, LONE, 120.0).by_pips(Halves(picture), LONE).dice
    assert [die.value for die in dice.sure] == [5] * flat
    assert len(dice.doubtful) == len(dice.likely) == (flat == 1)


def test_pips_on_both_faces_of_a_leaning_die_are_no_highlights_of_a_piece() -> None:
    camera = LONE
    red, dark, white = RED, (16, 16, 76), WHITE
    bare = np.full((120, 240, 3), 150, dtype=np.uint8)
    picture = bare.copy()
    cv2.rectangle(picture, (174, 44), (206, 76), red, -1)
    for dx, dy in ((-8, -8), (8, 8), (-8, 8), (8, -8), (0, 0)):
        cv2.circle(picture, (190 + dx, 60 + dy), 3, white, -1)
    # One face in the light, the other in its own shadow; pips too near together for a face that lies flat.
    cv2.rectangle(picture, (46, 44), (60, 76), red, -1)
    cv2.rectangle(picture, (60, 44), (76, 76), dark, -1)
    for x, y in ((52, 50), (52, 60), (52, 70), (66, 50), (66, 62), (66, 71)):
        cv2.circle(picture, (x, y), 3, white, -1)
    dice = DiceFinder(bare, camera, 120.0).by_pips(Halves(picture), camera).dice
    (cocked,) = (die for die in dice.sure if die.state == "cocked")
    assert said(dice, [(cocked.x_mm, cocked.y_mm)]) == [(None, "cocked"), (5, "flat")]


def test_a_frame_shifted_with_its_camera_reads_the_same() -> None:
    renderer, camera, finder = table(WHITE_DICE)
    picture = renderer.frame(Scene((), (Die(5, 300.0, 90.0, 30.0), Die(2, 140.0, 500.0, 60.0))))
    bumped = np.roll(picture, (4, -6), axis=(0, 1))
    moved = CameraModel(
        camera.width, camera.height, camera.focal_px, camera.cx_px - 6, camera.cy_px + 4, camera.k1,
        camera.rvec, camera.t_mm,
    )  # fmt: skip
    assert (
        said(finder.find(Halves(bumped), moved))
        == said(finder.find(Halves(picture), camera))
        == [(2, "flat"), (5, "flat")]
    )


@pytest.mark.parametrize(
    ("moved_mm", "flat"),
    [
        (((0.0, -0.2), (0.0, 0.2), (0.0, 0.0), (0.0, 0.2), (0.0, -0.2)), [5]),
        (((0.0, 0.3), (0.0, -0.3), (0.0, 0.4), (0.0, -0.3), (0.0, 0.3)), [5]),
        (((0.2, 0.0), (-0.2, 0.0), (0.0, 0.0), (0.2, 0.0), (-0.2, 0.0)), []),
    ],
    ids=["each its own way", "farther", "nearer together one way"],
)
def test_pips_off_the_grid_are_a_leaning_dies_if_they_are_nearer_together_one_way(
    moved_mm: Sequence[tuple[float, float]], flat: list[int]
) -> None:
    assert flat_fives(moved_mm) == flat


def flat_fives(moved_mm: Sequence[tuple[float, float]]) -> list[int | None]:
    """What is read of a five seen from above, its pips moved so far: the values of flat dice."""
    camera = CameraModel(120, 120, 1840.0, 59.5, 59.5, 0.0, (0.0, 0.0, 0.0), (-30.0, -30.0, 920.0))
    fine = np.full((960, 960, 3), 90, dtype=np.uint8)
    bare = fine[::8, ::8].copy()
    cv2.rectangle(fine, (352, 352), (608, 608), (235, 235, 235), -1)
    for (x, y), (dx, dy) in zip(((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), moved_mm, strict=True):
        at = round(480 + 66 * x + 16 * dx), round(480 + 66 * y + 16 * dy)
        cv2.circle(fine, at, 24, (20, 20, 20), -1)
    picture = np.asarray(cv2.resize(fine, (120, 120), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    dice = DiceFinder(bare, camera, 60.0).by_pips(Halves(picture), camera).dice
    return [die.value for die in dice.sure if die.state == "flat"]


@pytest.mark.parametrize(("leans", "flat"), [(-25.0, [5]), (-5.0, []), (15.0, [])])
def test_a_die_whose_pips_lie_off_the_grid_is_flat_if_all_of_it_looks_so(
    monkeypatch: pytest.MonkeyPatch, leans: float, flat: list[int]
) -> None:
    monkeypatch.setattr("uckers_table.vision.dice.dice.leaning", lambda *_: leans)
    squeezed = ((0.2, 0.0), (-0.2, 0.0), (0.0, 0.0), (0.2, 0.0), (-0.2, 0.0))
    assert flat_fives(squeezed) == flat


def _drawn(shape: Callable[[BgrImage], None]) -> BgrImage:
    picture = np.full((120, 120, 3), 200, dtype=np.uint8)
    shape(picture)
    return picture


def test_spots_are_what_is_new_and_of_a_pips_size() -> None:
    camera = CameraModel(120, 120, 1840.0, 59.5, 59.5, 0.0, (0.0, 0.0, 0.0), (-30.0, -30.0, 920.0))

    def board(picture: BgrImage) -> None:
        cv2.circle(picture, (30, 30), 3, (20, 20, 20), -1)

    def scene(picture: BgrImage) -> None:
        board(picture)
        cv2.circle(picture, (80, 50), 3, (20, 20, 20), -1)
        cv2.rectangle(picture, (0, 90), (120, 120), (20, 20, 20), -1)

    bare = Smoothed.of(Halves(_drawn(board)), camera.px_per_mm)
    now = Smoothed.of(Halves(_drawn(scene)), camera.px_per_mm)
    spots = find_spots(now, camera, bare, camera, lambda px: np.ones(len(px), dtype=bool))
    assert spots.dark.tolist() == [True]
    assert np.allclose(spots.px, [[80.0, 50.0]], atol=0.3)
    assert np.allclose(spots.around, 200.0, atol=3.0)


@pytest.mark.parametrize(("line", "is_old"), [(228, True), (238, False)])
def test_a_painted_line_that_glare_drowned_is_no_spot_where_a_shadow_brings_it_out(
    line: int, is_old: bool
) -> None:
    """In light the paint is darker by 0.13 of a full pixel, or 0.06, and the shaded spot by 0.08."""
    camera = CameraModel(120, 120, 1840.0, 59.5, 59.5, 0.0, (0.0, 0.0, 0.0), (-30.0, -30.0, 920.0))

    def shown(level: int, spot: int) -> Smoothed:
        picture = np.full((120, 120, 3), level, dtype=np.uint8)
        cv2.circle(picture, (60, 60), 3, (spot, spot, spot), -1)
        return Smoothed.of(Halves(picture), camera.px_per_mm)

    spots = find_spots(
        shown(95, 55), camera, shown(245, line), camera, lambda px: np.ones(len(px), dtype=bool)
    )
    assert len(spots.px) == (not is_old)


@pytest.mark.parametrize("is_moved", [False, True])
@pytest.mark.parametrize(("is_die", "spots"), [(True, [[60, 60]]), (False, [])])
def test_a_pip_is_one_where_a_painted_line_was(is_moved: bool, is_die: bool, spots: list[list[int]]) -> None:
    """The line runs on from there, and is hidden all round the pip; where nothing lies on it, it is none."""
    camera = CameraModel(120, 120, 1840.0, 59.5, 59.5, 0.0, (0.0, 0.0, 0.0), (-30.0, -30.0, 920.0))

    def line(picture: BgrImage) -> None:
        cv2.rectangle(picture, (57, 0), (62, 120), (20, 20, 20), -1)
        picture[:, 63:] = 110

    def scene(picture: BgrImage) -> None:
        line(picture)
        picture[:] = picture // 2
        if is_die:
            cv2.rectangle(picture, (44, 44), (76, 76), (130, 130, 130), -1)
            cv2.circle(picture, (60, 60), 3, (20, 20, 20), -1)

    bare = Smoothed.of(Halves(_drawn(line)), camera.px_per_mm)
    now = Smoothed.of(Halves(_drawn(scene)), camera.px_per_mm)
    seen_by = replace(camera, cx_px=camera.cx_px + 30.0) if is_moved else camera
    if is_moved:
        now = Smoothed.of(Halves(np.roll(now.picture, 30, axis=1)), camera.px_per_mm)
        spots = [[x + 30, y] for x, y in spots]
    found = find_spots(now, seen_by, bare, camera, lambda px: np.ones(len(px), dtype=bool))
    px = found.px[found.contrast > 0.5]
    assert np.rint(px).astype(int).tolist() == spots


def test_a_white_face_and_its_dark_pips_may_come_to_the_level_of_the_board() -> None:
    camera = CameraModel(120, 120, 1840.0, 59.5, 59.5, 0.0, (0.0, 0.0, 0.0), (-30.0, -30.0, 920.0))
    pips = [[52, 52], [68, 52], [52, 68], [68, 68]]

    def die(picture: BgrImage) -> None:
        cv2.rectangle(picture, (44, 44), (76, 76), (255, 255, 255), -1)
        for x, y in pips:
            cv2.circle(picture, (x, y), 3, (65, 65, 65), -1)

    bare = Smoothed.of(Halves(_drawn(lambda picture: None)), camera.px_per_mm)
    now = Smoothed.of(Halves(_drawn(die)), camera.px_per_mm)
    beside = [now.wide[y // 2, x // 2] for x, y in pips]
    assert np.allclose(beside, 200.0, atol=8.0), "the level round a pip, the pip with it, is the board's"
    spots = find_spots(now, camera, bare, camera, lambda px: np.ones(len(px), dtype=bool))
    assert sorted(np.rint(spots.px).astype(int).tolist()) == sorted(pips)


@pytest.mark.parametrize(("beside", "flat"), [((5, 3), [3, 5]), ((3,), [])])
def test_paint_of_a_dies_own_colour_hides_its_edge_where_another_die_vouches_for_it(
    beside: Sequence[int], flat: list[int]
) -> None:
    camera = LONE
    red, white = RED, WHITE
    slope = [(-8, -8), (0, 0), (8, 8)]
    pips = {3: slope, 5: [*slope, (-8, 8), (8, -8)]}

    def drawn(values: Sequence[int]) -> BgrImage:
        picture = np.full((120, 240, 3), 150, dtype=np.uint8)
        picture[:, 64:140] = red
        for value in values:
            x, y = (60, 60) if value == 3 else (190, 60)
            cv2.rectangle(picture, (x - 16, y - 16), (x + 16, y + 16), red, -1)
            for dx, dy in pips[value]:
                cv2.circle(picture, (x + dx, y + dy), 3, white, -1)
        return picture

    dice = DiceFinder(drawn(()), camera, 120.0).by_pips(Halves(drawn(beside)), camera).dice
    assert sorted(die.value for die in dice.sure if die.value) == flat


def test_dice_are_looked_for_only_where_something_may_have_changed() -> None:
    renderer, camera, finder = table(WHITE_DICE)
    picture = renderer.frame(Scene((), (Die(5, 300.0, 90.0, 30.0), Die(2, 140.0, 500.0, 60.0))))
    near = camera.project([(300.0, 90.0)])[0]
    dice = finder.find(Halves(picture), camera, lambda px: np.linalg.norm(px - near, axis=1) < 60)
    assert said(dice) == [(5, "flat")]


def test_noise_moves_pips_little() -> None:
    rng, per_mm, size = np.random.default_rng(5), 1.82, 440
    places = np.array([(x, y) for x in range(40, 400, 40) for y in range(40, 400, 40)], dtype=np.float64)
    places += rng.uniform(-0.5, 0.5, places.shape)
    finer = np.full((4 * size, 4 * size), 150, dtype=np.uint8)
    for at in np.rint((places + 0.5) * 64 - 8).astype(int):
        cv2.circle(finer, at.tolist(), round(1.75 * per_mm * 64), (30,), -1, cv2.LINE_AA, 4)
    grey = cv2.resize(finer, (size, size), interpolation=cv2.INTER_AREA).astype(np.float64)
    clean = cv2.GaussianBlur(grey, (0, 0), 0.7)[..., None].repeat(3, axis=2)
    noise = cv2.GaussianBlur(rng.normal(0.0, 12.0, clean.shape), (0, 0), 0.6)
    now, bare = (
        Smoothed.of(Halves(np.clip(seen, 0, 255).astype(np.uint8)), per_mm)
        for seen in (clean + noise, np.full_like(clean, 150))
    )
    camera = cast(CameraModel, SimpleNamespace(px_per_mm=per_mm))
    spots = find_spots(now, camera, bare, camera, lambda px: np.ones(len(px), dtype=bool))
    off_mm = np.linalg.norm(spots.px[:, None] - places, axis=2).min(axis=0) / per_mm
    assert len(spots.px) == len(places)
    # Where pips stand out most alone is 0.092 mm off.
    assert np.sqrt((off_mm**2).mean()) < 0.075


def test_a_line_beside_where_a_moved_board_had_it_may_be_old() -> None:
    per_mm = 1.82

    def picture(*dots: tuple[int, int]) -> Smoothed:
        seen = np.full((200, 200, 3), 150, dtype=np.uint8)
        for dot in dots:
            cv2.circle(seen, dot, 3, (30, 30, 30), -1, cv2.LINE_AA)
        return Smoothed.of(Halves(cv2.GaussianBlur(seen, (0, 0), 0.7)), per_mm)

    def camera(shift: float) -> CameraModel:
        there = np.array([shift, 0.0])
        seen = SimpleNamespace(px_per_mm=per_mm, unproject=lambda px: px - there, project=lambda p: p + there)
        return cast(CameraModel, seen)

    now, bare = picture((60, 60), (140, 60)), picture((123, 60))
    first, moved = camera(0.0), camera(20.0)
    spots = find_spots(now, moved, bare, first, lambda px: np.ones(len(px), dtype=bool))
    may_be_old = {round(float(x)): bool(old) for (x, _), old in zip(spots.px, spots.may_be_old, strict=True)}
    assert may_be_old == {60: False, 140: True}
    spots = find_spots(now, first, bare, first, lambda px: np.ones(len(px), dtype=bool))
    assert not spots.may_be_old.any()


@pytest.mark.parametrize(("value", "lamp_px"), [(3, (67, 53)), (4, (60, 60)), (5, (60, 60))])
def test_a_lamp_mirrored_in_a_red_die_hides_no_value(value: int, lamp_px: tuple[int, int]) -> None:
    """Its image is as bright as pips, and the same in all channels of light; a five's middle pip drowns."""
    sites = {3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8)}[value]
    bare = np.full((120, 240, 3), 150, dtype=np.uint8)
    picture = bare.copy()
    cv2.rectangle(picture, (44, 44), (76, 76), RED, -1)
    for site in sites:
        cv2.circle(picture, (60 + 8 * (site % 3 - 1), 60 + 8 * (site // 3 - 1)), 3, WHITE, -1)
    y, x = np.mgrid[:120, :240]
    on_face = (np.maximum(np.abs(x - 60), np.abs(y - 60)) <= 16)[..., None]
    away = np.hypot(x - lamp_px[0], y - lamp_px[1])
    lamp = 0.4 * np.exp(-(away**2) / (2 * 9.0**2))[..., None] * on_face
    mirrored = 255 * np.clip((picture / 255.0) ** 2.2 + lamp, 0, 1) ** (1 / 2.2)
    dice = DiceFinder(bare, LONE, 120.0).by_pips(Halves(mirrored.astype(np.uint8)), LONE).dice
    assert said(dice) == [(value, "flat")]
