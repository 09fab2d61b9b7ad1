"""Dice looked at a second time: what a net knows of whole dice, where pips and edges do not tell."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest

from tests.vision.simulated_camera import camera_of
from uckers_table.game.board import Board, Plan
from uckers_table.sighting import SeenDie
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Scene, WoodenPiece
from uckers_table.vision.dice import claims, second_look
from uckers_table.vision.dice import dice as dice_module
from uckers_table.vision.dice.claims import FoundDice, TopsSeen
from uckers_table.vision.dice.dice import DiceFinder, Shown
from uckers_table.vision.dice.dice_net import LEANS, NONE, say_closely, say_of_places
from uckers_table.vision.dice.lean import OFF_GRID, by_stance
from uckers_table.vision.dice.second_look import SecondLook, weighed, with_unseen
from uckers_table.vision.dice.spots import Smoothed
from uckers_table.vision.dice.stance import SeenScene as Look
from uckers_table.vision.picture.arrays import Floats
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.place.camera import CameraModel

PLAN = Plan(Board(("red", "green", "yellow", "blue")))
DIE_MM = 16.0
DARK = (20, 20, 20)


def table(seed: int) -> tuple[Renderer, CameraModel]:
    """A simulated table, and the camera above it."""
    renderer = Renderer(PLAN, look_for(seed), size=(1536, 864), seed=seed)
    return renderer, camera_of(renderer)


def said(dice: FoundDice) -> list[tuple[int | None, str]]:
    return [(die.value, die.state) for die in sorted(dice.sure + dice.doubtful, key=lambda die: die.x_mm)]


@pytest.mark.parametrize("seed", [2, 4, 5])
def test_a_five_is_one_though_its_middle_pip_lies_where_the_board_has_a_knot(seed: int) -> None:
    renderer, camera = table(seed)
    five, three = Die(5, 300.0, 150.0, 20.0), Die(3, 440.0, 470.0, 71.0)
    picture, bare = renderer.frame(Scene(dice=(five, three))), renderer.empty.copy()
    ((x, y),) = camera.project([[five.x_mm, five.y_mm, -DIE_MM]])
    cv2.circle(bare, (round(float(x)), round(float(y))), 2, DARK, -1, cv2.LINE_AA)
    finder = DiceFinder(bare, camera, PLAN.side_mm)
    # What is so dark on the bare board too is no pip, and a four with a pip too many is none.
    assert (5, "flat") not in said(finder.by_pips(Halves(picture), camera).dice)
    assert said(finder.find(Halves(picture), camera)) == [(5, "flat"), (3, "flat")]


@pytest.mark.parametrize("seed", range(20, 24))
def test_the_net_takes_nothing_from_what_pips_show_rightly(seed: int) -> None:
    renderer, camera = table(seed)
    finder = DiceFinder(renderer.empty, camera, PLAN.side_mm)
    right = 0
    for value in range(1, 7):
        flat = Die(value, 150.0, 250.0 + 40 * value, 13.0 * value)
        leaning = Die(value, 420.0, 300.0, 30.0, 25.0, 30.0, "cocked")
        piece = WoodenPiece(1, 1, 420 - 19 * float(np.cos(np.pi / 6)), 300 - 19 * float(np.sin(np.pi / 6)))
        picture = Halves(renderer.frame(Scene((piece,), (flat, leaning))))
        truth = [(value, "flat"), (None, "cocked")]
        is_right = said(finder.find(picture, camera)) == truth
        assert is_right or said(finder.by_pips(picture, camera).dice) != truth
        right += is_right
    # A six of one of these tables lies off the grid, so that it seems to lean.
    assert right >= 5


def weighed_by_net(dice: FoundDice, stance: float = 0.0) -> FoundDice:
    """What the net leaves of dice. Flat ones have this stance (nats). Pips of others fit no flat face."""
    some = (*dice.sure, *dice.doubtful)
    leans = {die: OFF_GRID if die.value is None else by_stance(stance) for die in some}
    return weighed(dice, cast(Look, None), lambda at: DIE_MM, leans)


FLAT, COCKED = SeenDie(3, "flat", 100.0, 100.0), SeenDie(None, "cocked", 100.0, 100.0)
UNTOLD = (None, "flat")
"""What is said of a die that is seen, but not read."""


def found_to_be(none: float, what: int = LEANS) -> SecondLook:
    """What is none with this log-probability, and that otherwise."""
    odds = np.full(8, -30.0)
    odds[[NONE, what]] = none, np.log(-np.expm1(none))
    return SecondLook(np.array([50.0, 60.0]), odds, False)


@pytest.mark.parametrize(
    ("value", "state", "none", "kept"),
    [
        (1, "flat", -0.01, 0),
        (1, "flat", -2.5, 1),
        (2, "flat", -0.01, 0),
        (2, "flat", -2.5, 1),
        (3, "flat", -0.01, 1),
        (None, "cocked", -0.01, 0),
    ],
)
def test_a_one_a_two_or_a_lean_that_looks_like_no_die_is_none_however_plain_its_pips(
    monkeypatch: pytest.MonkeyPatch, value: int | None, state: str, none: float, kept: int
) -> None:
    """A piece has a mark in the middle of its top, and highlights."""
    monkeypatch.setattr(second_look, "closely", lambda scene, at, height: [found_to_be(none)] * len(at))
    die = replace(FLAT, value=value, state=state)
    assert len(weighed_by_net(FoundDice((die,), ())).sure) == kept


@pytest.mark.parametrize(
    ("none", "kept", "proved"),
    [(-0.01, 0, 0), (-0.4, 1, 0), (-2.5, 1, 0), (-6.0, 1, 1)],
    ids=["none", "hardly one", "one", "proved"],
)
def test_what_is_doubtful_is_dropped_or_proved(
    monkeypatch: pytest.MonkeyPatch, none: float, kept: int, proved: int
) -> None:
    flat = found_to_be(none, what=3)
    monkeypatch.setattr(second_look, "closely", lambda scene, at, height: [flat] * len(at))
    plain = SeenDie(4, "flat", 200.0, 100.0)
    again = weighed_by_net(FoundDice((plain,), (FLAT,)))
    assert again == FoundDice((plain,), (FLAT,) * kept, (FLAT,) * proved, (FLAT,) * proved)


def torn(leans: float, value: int = 5) -> SecondLook:
    """What leans by so many nats, or lies flat with that value."""
    odds = np.full(8, -30.0)
    odds[[value, LEANS]] = -np.logaddexp(0, leans), -np.logaddexp(0, -leans)
    return SecondLook(np.array([101.0, 100.0]), odds, False)


@pytest.mark.parametrize(
    ("leans", "told"),
    [(4.0, (None, "cocked")), (0.5, UNTOLD), (-2.0, UNTOLD), (-6.0, (5, "flat"))],
    ids=["leaning", "torn", "hardly flat", "flat"],
)
def test_a_die_that_the_net_alone_sees_lies_there_though_nobody_can_tell_how(
    monkeypatch: pytest.MonkeyPatch, leans: float, told: tuple[int | None, str]
) -> None:
    """If nothing were said of it, one die would be missing: it would be taken for one that was dropped."""
    monkeypatch.setattr(second_look, "dice_elsewhere", lambda *_: [torn(leans)])
    found = with_unseen(FoundDice((), ()), cast(Look, None), np.empty((0, 2)), lambda at: DIE_MM)
    assert said(found) == [told]


@pytest.mark.parametrize(("other", "value"), [(0.1, 5), (0.2, None)])
def test_a_flat_die_that_the_net_alone_sees_has_a_value_only_if_one_is_likely(
    monkeypatch: pytest.MonkeyPatch, other: float, value: int | None
) -> None:
    """A wrong value may accuse somebody. `other` is the chance that it shows another."""
    odds = np.full(8, -30.0)
    odds[[5, 2]] = np.log([1 - other, other])
    flat = SecondLook(np.array([101.0, 100.0]), odds, False)
    monkeypatch.setattr(second_look, "dice_elsewhere", lambda *_: [flat])
    found = with_unseen(FoundDice((), ()), cast(Look, None), np.empty((0, 2)), lambda at: DIE_MM)
    assert said(found) == [(value, "flat")]


@pytest.mark.parametrize(
    ("none", "doubtful", "proved"),
    [(-6.0, 1, 1), (-2.5, 1, 0), (-1.5, 0, 0)],
    ids=["proved", "likely", "hardly"],
)
def test_a_die_that_the_net_alone_sees_counts_by_how_sure_it_is(
    monkeypatch: pytest.MonkeyPatch, none: float, doubtful: int, proved: int
) -> None:
    monkeypatch.setattr(second_look, "dice_elsewhere", lambda *_: [found_to_be(none)])
    again = with_unseen(FoundDice((), ()), cast(Look, None), np.empty((0, 2)), lambda at: DIE_MM)
    die = (SeenDie(None, "cocked", 50.0, 60.0),)
    assert again == FoundDice((), die * doubtful, likely=die * proved, proved=die * proved)


def test_the_net_is_asked_where_no_plain_piece_and_no_two_dice_are(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Floats] = []

    def elsewhere(scene: Look, spots_mm: Floats, *_: object) -> list[SecondLook]:
        asked.append(spots_mm)
        return []

    monkeypatch.setattr(second_look, "dice_elsewhere", elsewhere)
    renderer, camera = table(4)
    finder = DiceFinder(renderer.empty, camera, PLAN.side_mm)
    pips = np.array([(100.0, 100.0), (110.0, 100.0), (130.0, 100.0)])
    at = np.array([(105.0, 100.0)])

    def looked(sure: tuple[SeenDie, ...], odds: float) -> None:
        shown = Shown(FoundDice(sure, ()), cast(Look, None), pips)
        finder.with_unseen(shown, TopsSeen(at, at, 10.2, np.array([odds])))

    looked((FLAT,), 8.0)
    looked((FLAT,), 1.0)
    looked((FLAT, COCKED), 8.0)
    assert [len(spots) for spots in asked] == [1, 3]


@pytest.mark.parametrize(("pieces", "counts"), [(1, True), (2, True), (4, False)])
def test_a_proved_die_leans_on_a_piece_and_is_no_gap_between_many(pieces: int, counts: bool) -> None:
    away = 10.2 * np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)])
    feet = (np.array([COCKED.x_mm, COCKED.y_mm]) + away)[:pieces]
    tops = TopsSeen(feet, feet, 10.2, np.full(pieces, 8.0))
    doubtful = FoundDice((), (COCKED,), likely=(COCKED,))
    assert replace(doubtful, proved=(COCKED,)).clear_of(tops) == (COCKED,) * counts
    # The same die, if the net has nothing to say of it, is a highlight of any that it lies so near to.
    assert doubtful.clear_of(TopsSeen(feet * 1.02, feet, 14.5, tops.odds)) == ()


def looking_down(picture: Floats) -> Look:
    """A picture of the bare board, too, from a metre above its middle; a pixel is 1.2 mm."""
    half = (len(picture) - 1) / 2
    camera = CameraModel(
        len(picture), len(picture), 830.0, half, half, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 1000.0)
    )
    smoothed = Smoothed.of(Halves(picture.astype(np.uint8)), 1.2)
    return Look(smoothed, camera, smoothed, camera, 200.0)


def test_wherever_on_the_board_it_lies_a_die_is_the_same_one() -> None:
    """Turned round the lens's foot point the net sees it alike, and in a mirror a closer look does."""
    picture = np.random.default_rng(3).integers(0, 255, (400, 400, 3)).astype(np.float64)
    place, height = np.array([[70.0, 30.0]]), [DIE_MM]
    scene, turned = looking_down(picture), looking_down(np.rot90(picture, -1).copy())
    mirrored = looking_down(picture[:, ::-1].copy())
    once, whole = say_of_places(scene, place, height), say_closely(scene, place, height)

    def close(a: Floats, b: Floats) -> None:
        assert a == pytest.approx(b, abs=0.02)

    # What was at (x, y) from the foot point is at (-y, x) in the one, at (-x, y) in the other.
    there = say_of_places(turned, place[:, ::-1] * [-1, 1], height)
    close(there.odds, once.odds)
    close(there.off, once.off[:, ::-1] * [-1, 1])
    other = place * [-1, 1]
    close(say_closely(mirrored, other, height).odds, whole.odds)
    close(say_closely(mirrored, other, height).off, whole.off * [-1, 1])
    # Once alone, the two differ: what is the same is so by looking in a mirror as well.
    assert np.abs(say_of_places(mirrored, other, height).odds - once.odds).max() > 0.1


@pytest.mark.parametrize(
    ("die", "is_proved", "off_mm", "is_die"),
    [
        (FLAT, True, 3.0, True),
        (FLAT, False, 3.0, False),
        (FLAT, True, 14.0, False),
        (COCKED, True, 3.0, False),
    ],
    ids=["proved", "likely", "beside", "leaning on it"],
)
def test_a_plain_top_is_a_proved_die_that_lies_flat_just_there(
    die: SeenDie, is_proved: bool, off_mm: float, is_die: bool
) -> None:
    at = np.array([[die.x_mm + off_mm, die.y_mm]])
    dice = FoundDice((), (die,), likely=(die,), proved=(die,) * is_proved)
    assert dice.taken_for(TopsSeen(at, at, 10.2, np.array([6.7]))) == (die,) * is_die


def test_a_die_that_leans_lies_where_the_net_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pips of its sides, and a lamp mirrored in the piece it leans on, put its middle on that piece."""
    seen = found_to_be(-5.0)
    monkeypatch.setattr(second_look, "closely", lambda scene, at, height: [seen] * len(at))
    assert weighed_by_net(FoundDice((COCKED,), ())).sure == (replace(COCKED, x_mm=50.0, y_mm=60.0),)
    unsure = found_to_be(-1.0)
    monkeypatch.setattr(second_look, "closely", lambda scene, at, height: [unsure] * len(at))
    assert weighed_by_net(FoundDice((COCKED,), ())).sure == (COCKED,)


BESIDE = replace(FLAT, state="off_board")


@pytest.mark.parametrize(
    ("die", "leans", "is_beside", "told"),
    [
        (FLAT, 6.0, False, (None, "cocked")),
        (FLAT, 4.0, False, UNTOLD),
        (FLAT, 0.5, False, UNTOLD),
        (FLAT, -0.5, False, (3, "flat")),
        (BESIDE, 6.0, True, (None, "cocked")),
        (BESIDE, 0.5, True, UNTOLD),
        (BESIDE, -0.5, True, (3, "off_board")),
        (COCKED, 1.0, False, (None, "cocked")),
        (COCKED, -0.5, False, (None, "cocked")),
        (COCKED, -2.4, False, UNTOLD),
        (COCKED, -5.0, False, UNTOLD),
        (COCKED, -6.5, False, (5, "flat")),
        (COCKED, -6.5, True, (5, "off_board")),
    ],
)
def test_whether_a_die_leans_pips_and_net_tell_together_or_nobody_does(
    monkeypatch: pytest.MonkeyPatch, die: SeenDie, leans: float, is_beside: bool, told: tuple[int, str]
) -> None:
    """What value a flat die shows its pips tell: the net takes it for a five."""
    seen = replace(torn(leans), is_beside=is_beside)
    monkeypatch.setattr(second_look, "closely", lambda scene, at, height: [seen] * len(at))
    for dice in FoundDice((die,), ()), FoundDice((), (die,)):
        assert said(weighed_by_net(dice)) == [told]


@pytest.mark.parametrize(
    ("stance", "leans", "told"),
    [
        (-20.0, -1.0, (3, "flat")),
        (20.0, 0.0, UNTOLD),
        (20.0, -3.0, (3, "flat")),
        (80.0, -2.0, UNTOLD),
        (80.0, 2.0, (None, "cocked")),
        (300.0, -5.0, (3, "flat")),
    ],
)
def test_a_stance_counts_for_what_it_is_worth(
    monkeypatch: pytest.MonkeyPatch, stance: float, leans: float, told: tuple[int | None, str]
) -> None:
    """Its points err together: twice as many nats tell hardly more."""
    monkeypatch.setattr(second_look, "closely", lambda scene, at, height: [torn(leans)] * len(at))
    assert said(weighed_by_net(FoundDice((FLAT,), ()), stance)) == [told]


@pytest.mark.parametrize(("apart_mm", "told"), [(20.0, (3, "flat")), (40.0, UNTOLD)])
def test_a_die_on_which_another_leans_may_look_as_if_it_leaned(
    monkeypatch: pytest.MonkeyPatch, apart_mm: float, told: tuple[int | None, str]
) -> None:
    under, on_it = replace(torn(0.5), middle=np.array([100.0, 100.0])), torn(4.0)
    on_it = replace(on_it, middle=np.array([100.0 + apart_mm, 100.0]))
    monkeypatch.setattr(second_look, "closely", lambda scene, at, height: [under, on_it])
    first, second = weighed_by_net(FoundDice((FLAT, replace(COCKED, x_mm=130.0)), ()), 26.0).sure
    assert ((first.value, first.state), second.state) == (told, "cocked")


@pytest.mark.parametrize(("apart_mm", "count"), [(6.0, 1), (13.9, 1), (15.0, 2)])
def test_two_faces_of_a_die_that_leans_are_one(
    monkeypatch: pytest.MonkeyPatch, apart_mm: float, count: int
) -> None:
    """And it lies where the surer of both is."""
    places_mm = 100.0, 100.0 + apart_mm
    unsure, sure = (
        replace(found_to_be(none), middle=np.array([x, 100.0]))
        for none, x in zip((-3.5, -6.0), places_mm, strict=True)
    )
    dice = FoundDice((), (replace(COCKED, x_mm=90.0), COCKED))
    monkeypatch.setattr(second_look, "closely", lambda scene, at, height: [unsure, sure][: len(at)])
    again = weighed_by_net(dice)
    assert tuple(die.x_mm for die in again.doubtful) == places_mm[-count:]
    assert len(again.proved) == len(again.likely) == count


@pytest.mark.parametrize(("apart_mm", "count"), [(12.7, 1), (13.9, 1), (15.0, 2)])
@pytest.mark.parametrize("is_proved", [False, True])
def test_what_the_net_alone_sees_is_no_second_face_of_a_die_that_leans(
    monkeypatch: pytest.MonkeyPatch, apart_mm: float, count: int, is_proved: bool
) -> None:
    """One that is known before is one of it, unless that is proved."""
    new = replace(found_to_be(-6.0), middle=np.array([100.0 + apart_mm, 100.0]))
    monkeypatch.setattr(second_look, "dice_elsewhere", lambda *where: [new])
    known = FoundDice((), (COCKED,), proved=(COCKED,) * is_proved)
    more = with_unseen(known, cast(Look, None), np.empty((0, 2)), lambda at: DIE_MM).doubtful
    both = 100.0, 100.0 + apart_mm
    assert [die.x_mm for die in more] == list(both if count == 2 else both[:1] if is_proved else both[1:])


def test_a_doubtful_one_is_no_die_where_as_many_as_are_thrown_are_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    renderer, camera = table(4)
    pieces = (
        WoodenPiece(0, 10, 300.0, 200.0),
        WoodenPiece(1, 10, 340.0, 300.0),
        WoodenPiece(2, 3, 200.0, 330.0),
    )
    ones = [Die(1, x, y, 40.0) for x, y in ((400.0, 400.0), (150.0, 150.0), (250.0, 450.0))]
    picture = Halves(renderer.frame(Scene(pieces, tuple(ones))))
    finder = DiceFinder(renderer.empty, camera, PLAN.side_mm)
    shown = finder.by_pips(picture, camera).dice
    assert shown.sure and shown.doubtful
    for module in (claims, dice_module):
        monkeypatch.setattr(module, "THROWN", len(shown.sure))
    assert said(finder.seen(picture, camera).dice) == said(FoundDice(shown.sure, ()))
