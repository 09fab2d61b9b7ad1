"""Dice in pictures of no known table: drawn here, so that the truth is known, and photographed by others.

The photographs are not part of the project; where they are at hand (UCKERS_TABLE_MATERIAL names the folder)
they are read as well.
"""

from __future__ import annotations

import io
import json
import os
import struct
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from uckers_table.commands.dice import dice_files
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.vision.dice.photo_dice import PhotoDie, read_dice
from uckers_table.vision.picture.files import load_picture

MATERIAL = os.environ.get("UCKERS_TABLE_MATERIAL")
BAR = 0.95
"""Of the photographs from above, so many must have every value right."""

SITES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
ASIDE = {1: (2, 3), 2: (3, 1), 3: (1, 2), 4: (2, 1), 5: (1, 3), 6: (3, 2)}
"""Two neighbouring faces of each; the others are what is left to seven."""
WHITE, RED, BLACK = (
    ((225, 235, 235), (30, 30, 30)),
    ((40, 40, 190), (235, 235, 235)),
    ((45, 45, 45), (40, 40, 170)),
)
"""Bodies and pips, BGR."""
FINE = 3
"""Drawn so many times larger than they are read."""


@dataclass(frozen=True)
class Drawn:
    """A die with an edge of so many pixels, which may lean."""

    value: int
    x_px: float
    y_px: float
    edge_px: float = 60.0
    turn_deg: float = 0.0
    paint: tuple[tuple[int, int, int], tuple[int, int, int]] = WHITE
    leaning_deg: float = 0.0
    pitch: float = 0.5
    """Of its pips, in halves of the edge."""


def table(size: tuple[int, int] = (640, 480), cloth: bool = False, seed: int = 0) -> np.ndarray:
    """A plain table, or a woven cloth of dark and bright threads, as large as drawings are."""
    rng = np.random.default_rng(seed)
    width, height = size[0] * FINE, size[1] * FINE
    if not cloth:
        return np.full((height, width, 3), (95, 120, 140), np.float32)
    threads = cv2.resize(
        rng.choice([40.0, 190.0], size=(size[1] // 6, size[0] // 9)).astype(np.float32),
        (width, height),
        interpolation=cv2.INTER_NEAREST,
    )
    return np.repeat(threads[..., None], 3, axis=2)


def draw(sheet: np.ndarray, dice: Sequence[Drawn], aside_deg: float = 0.0, seed: int = 0) -> np.ndarray:
    """The sheet with dice on it, seen from that far aside, as a camera of some noise takes it."""
    for die in dice:
        draw_die(sheet, die, aside_deg + die.leaning_deg)
    small = cv2.resize(sheet, None, fx=1 / FINE, fy=1 / FINE, interpolation=cv2.INTER_AREA)
    noisy = cv2.GaussianBlur(small, (0, 0), 0.7) + np.random.default_rng(seed).normal(0, 2.5, small.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def draw_die(sheet: np.ndarray, die: Drawn, aside_deg: float) -> None:
    one, other = ASIDE[die.value]
    turn, aside = np.radians(die.turn_deg), np.radians(aside_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    tip = np.array([[1, 0, 0], [0, np.cos(aside), -np.sin(aside)], [0, np.sin(aside), np.cos(aside)]])
    axes = (tip @ spin).T
    values = {(2, 1): die.value, (0, 1): one, (0, -1): 7 - one, (1, 1): other, (1, -1): 7 - other}
    body, pip = (np.array(colour, dtype=np.float64) for colour in die.paint)
    middle = np.array([die.x_px, die.y_px]) + 0.5

    def at(points: np.ndarray) -> np.ndarray:
        """Drawing's pixels of points in halves of the edge, the upper face's middle at the die's place."""
        seen = (points - axes[2])[..., :2] * die.edge_px / 2 + middle
        return np.rint(seen * FINE).astype(np.int32)

    for (k, sign), value in values.items():
        normal = axes[k] * sign
        if normal[2] <= 0:
            continue
        u, v = axes[(k + 1) % 3], axes[(k + 2) % 3]
        # All but the edges' rounding, which is as light as the face.
        corners = np.array([normal + a * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        light = 0.55 + 0.45 * normal[2]
        cv2.fillConvexPoly(sheet, at(corners), (body * light).tolist(), cv2.LINE_AA)
        round_ = np.linspace(0, 2 * np.pi, 24, endpoint=False)[:, None]
        for a, b in SITES[value]:
            rim = normal + die.pitch * (a * u + b * v) + 0.19 * (np.cos(round_) * u + np.sin(round_) * v)
            cv2.fillConvexPoly(sheet, at(rim), (pip * light).tolist(), cv2.LINE_AA)


def draw_eight(sheet: np.ndarray, x_px: float, y_px: float, long_px: float, turn_deg: float) -> None:
    """A playing card with two rows of four diamonds."""
    turn = np.radians(turn_deg)
    axes = long_px / 2 * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])

    def at(points: np.ndarray) -> np.ndarray:
        return np.rint((points @ axes + (x_px, y_px)) * FINE).astype(np.int32)

    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    cv2.fillConvexPoly(sheet, at(corners * (1, 0.7)), (235, 240, 240), cv2.LINE_AA)
    diamond = 0.085 * np.array([[-1, 0], [0, -1], [1, 0], [0, 1]])
    for column in (-0.57, -0.19, 0.19, 0.57):
        for row in (-0.28, 0.28):
            cv2.fillConvexPoly(sheet, at(diamond + np.array([column, row])), (40, 30, 180), cv2.LINE_AA)


def draw_base(sheet: np.ndarray, x_px: float, y_px: float, edge_px: float) -> None:
    """A red base of a painted board, red pieces on its white spots: from above, a red die with a four."""
    low, high = (np.rint((np.array([x_px, y_px]) + s * edge_px / 2) * FINE).astype(int) for s in (-1, 1))
    cv2.rectangle(sheet, low.tolist(), high.tolist(), (40, 30, 150), -1, cv2.LINE_AA)
    for a, b in SITES[4]:
        spot = np.array([x_px + a * edge_px / 4, y_px + b * edge_px / 4])
        cap = spot - 0.03 * edge_px
        for middle, radius, colour in ((spot, 0.10, (215, 225, 225)), (cap, 0.05, (50, 40, 175))):
            place = np.rint(middle * FINE).astype(int).tolist()
            cv2.circle(sheet, place, round(radius * edge_px * FINE), colour, -1, cv2.LINE_AA)


def told(dice: Sequence[PhotoDie]) -> list[tuple[int | None, str]]:
    return [(die.value, die.state) for die in dice]


@pytest.mark.parametrize("paint", [WHITE, RED, BLACK], ids=["white", "red", "black"])
@pytest.mark.parametrize("cloth", [False, True], ids=["plain", "cloth"])
def test_each_value_is_read_where_it_lies(paint, cloth):
    drawn = [
        Drawn(value, 110.3 + 200 * (k % 3), 120.8 + 220 * (k // 3), turn_deg=17.0 * value, paint=paint)
        for k, value in enumerate(range(1, 7))
    ]
    seen = read_dice(draw(table(cloth=cloth), drawn))
    assert sorted(told(seen)) == [(value, "flat") for value in range(1, 7)]
    for die in drawn:
        (found,) = (d for d in seen if d.value == die.value)
        assert np.hypot(found.x_px - die.x_px, found.y_px - die.y_px) < 1.0
        assert found.size_px == pytest.approx(die.edge_px, rel=0.15)


@pytest.mark.parametrize("aside_deg", [15.0, 28.0])
def test_sides_are_not_counted(aside_deg):
    drawn = [
        Drawn(value, 100 + 200 * (k % 3), 130 + 220 * (k // 3), turn_deg=25.0 + 40 * k)
        for k, value in enumerate(range(1, 7))
    ]
    seen = read_dice(draw(table(), drawn, aside_deg))
    assert sorted(told(seen)) == [(value, "flat") for value in range(1, 7)]


def test_a_small_die_may_have_its_two_pips_near_together():
    drawn = [Drawn(2, 200, 240, edge_px=20, pitch=0.3, paint=RED), Drawn(5, 440, 240, edge_px=20, paint=RED)]
    assert told(read_dice(draw(table(), drawn))) == [(2, "flat"), (5, "flat")]


def test_two_that_touch_are_two():
    drawn = [Drawn(5, 300, 240, turn_deg=0), Drawn(3, 361, 240, turn_deg=0)]
    assert told(read_dice(draw(table(), drawn))) == [(5, "flat"), (3, "flat")]


def test_a_large_picture_is_read_in_its_own_pixels():
    drawn = [Drawn(6, 200.0, 150.0, turn_deg=30), Drawn(2, 420.0, 300.0, turn_deg=70)]
    large = cv2.resize(draw(table(), drawn), None, fx=6, fy=6, interpolation=cv2.INTER_CUBIC)
    six, two = read_dice(large)
    assert told((six, two)) == [(6, "flat"), (2, "flat")]
    assert (six.x_px, six.y_px) == pytest.approx((200.5 * 6 - 0.5, 150.5 * 6 - 0.5), abs=6)
    assert (two.x_px, two.y_px) == pytest.approx((420.5 * 6 - 0.5, 300.5 * 6 - 0.5), abs=6)
    assert six.size_px == pytest.approx(360, rel=0.15)


def test_where_the_size_is_known_others_are_left_out():
    drawn = [Drawn(4, 160, 240, edge_px=60), Drawn(6, 450, 240, edge_px=100)]
    picture = draw(table(), drawn)
    assert told(read_dice(picture, edge_px=60.0)) == [(4, "flat")]
    assert told(read_dice(picture, edge_px=100.0)) == [(6, "flat")]


def test_one_that_leans_is_cocked_in_a_tray():
    drawn = [Drawn(4, 160, 240), Drawn(5, 450, 240, leaning_deg=42.0)]
    seen = read_dice(draw(table(), drawn), edge_px=60.0)
    assert told(seen) == [(4, "flat"), (None, "cocked")]


def test_nothing_is_read_where_there_is_nothing():
    assert read_dice(draw(table(), [])) == ()
    assert read_dice(draw(table(cloth=True), [])) == ()
    assert read_dice(np.zeros((480, 640, 3), np.uint8)) == ()
    assert read_dice(np.zeros((1, 1, 3), np.uint8)) == ()


@pytest.mark.parametrize("long_px", [70.0, 100.0, 140.0])
def test_the_pips_of_a_playing_card_are_no_dice(long_px):
    sheet = table()
    for k in range(6):
        draw_eight(sheet, 110 + 210 * (k % 3), 120 + 240 * (k // 3), long_px, turn_deg=4.0 + 31 * k)
    assert read_dice(draw(sheet, [])) == ()


def test_the_grain_of_a_wooden_disc_is_no_pips():
    sheet = table()
    cv2.circle(sheet, (320 * FINE, 240 * FINE), 15 * FINE, (190, 220, 240), -1, cv2.LINE_AA)
    for x in (315, 325):
        cv2.circle(sheet, (x * FINE, 240 * FINE), 3 * FINE, (165, 190, 208), -1, cv2.LINE_AA)
    assert read_dice(draw(sheet, [])) == ()


@pytest.mark.parametrize("edge_px", [110.0, 160.0])
def test_a_base_with_its_pieces_is_no_die(edge_px):
    sheet = table()
    draw_base(sheet, 320, 240, edge_px)
    assert read_dice(draw(sheet, [])) == ()


@pytest.mark.parametrize("seed", [1, 3, 7])
def test_a_board_is_no_die_though_its_bases_look_like_fours(seed):
    """Nor are the playing cards that lie beside it."""
    renderer = Renderer(Plan(Board(("red", "green", "yellow", "blue"))), look_for(seed), seed=seed)
    assert read_dice(renderer.empty) == ()
    assert read_dice(renderer.start) == ()


def test_pictures_are_read_one_object_a_line_and_bad_ones_named(tmp_path):
    cv2.imwrite(str(tmp_path / "two.png"), draw(table(), [Drawn(3, 200, 200), Drawn(6, 400, 300)]))
    cv2.imwrite(str(tmp_path / "whole.jpg"), draw(table(), []))
    jpeg = (tmp_path / "whole.jpg").read_bytes()
    (tmp_path / "torn.jpg").write_bytes(jpeg[: len(jpeg) // 2])
    (tmp_path / "words.jpg").write_text("no picture")
    (tmp_path / "nothing.jpg").touch()
    png = bytearray((tmp_path / "two.png").read_bytes())
    png[16:24] = struct.pack(">II", 100_000, 100_000)
    png[29:33] = struct.pack(">I", zlib.crc32(png[12:29]))
    (tmp_path / "endless.png").write_bytes(png)
    names = ["torn.jpg", "two.png", "words.jpg", "nothing.jpg", "endless.png", "none.jpg", "whole.jpg"]
    out, err = io.StringIO(), io.StringIO()
    assert dice_files([tmp_path / name for name in names], True, out, err) == 2
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["frame"] for line in lines] == [str(tmp_path / "two.png"), str(tmp_path / "whole.jpg")]
    assert [[(die["value"], die["state"]) for die in line["dice"]] for line in lines] == [
        [(3, "flat"), (6, "flat")],
        [],
    ]
    assert {*lines[0]["dice"][0]} == {"value", "state", "x_px", "y_px", "size_px"}
    complaints = err.getvalue().splitlines()
    bad = ["torn.jpg", "words.jpg", "nothing.jpg", "endless.png", "none.jpg"]
    assert [n for n, line in zip(bad, complaints, strict=True) if str(tmp_path / n) in line] == bad


def test_without_json_a_picture_is_a_line_for_people(tmp_path):
    cv2.imwrite(str(tmp_path / "two.png"), draw(table(), [Drawn(3, 200, 200), Drawn(6, 400, 300)]))
    cv2.imwrite(str(tmp_path / "bare.png"), draw(table(), []))
    out = io.StringIO()
    assert dice_files([tmp_path / "two.png", tmp_path / "bare.png"], False, out, io.StringIO()) == 0
    assert out.getvalue() == f"{tmp_path / 'two.png'}: 3  6\n{tmp_path / 'bare.png'}: no dice\n"


@pytest.mark.skipif(MATERIAL is None, reason="UCKERS_TABLE_MATERIAL names no folder with photographs of dice")
def test_photographs_from_above_are_read_right():
    folder = Path(MATERIAL) / "photos" / "dice"
    listed = json.loads((folder / "labels.json").read_text(encoding="utf-8"))["photos"]
    wanted = {p["file"]: Counter(p["values"]) for p in listed if p["view"] in ("overhead", "near-overhead")}
    read = {
        name: Counter(die.value for die in read_dice(load_picture(folder / name)) if die.state == "flat")
        for name in wanted
    }
    wrong = [name for name in wanted if read[name] != wanted[name]]
    assert len(wrong) <= (1 - BAR) * len(wanted), wrong


@pytest.mark.skipif(MATERIAL is None, reason="UCKERS_TABLE_MATERIAL names no folder with camera frames")
def test_no_die_is_found_on_photo_real_boards_without_any():
    frames = [
        frame
        for name in ("empty.jpg", "start.jpg")
        for folder in ("dev/S*", "match*")
        for frame in Path(MATERIAL).glob(f"frames/{folder}/{name}")
    ]
    assert frames
    assert [frame for frame in frames if read_dice(load_picture(frame))] == []
