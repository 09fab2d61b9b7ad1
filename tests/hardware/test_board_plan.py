"""The paint plan: every square where the game has it, at full size, and the files are those of today."""

import re
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from hardware.__main__ import A4_MM, drawings
from hardware.board_plan import MARGIN_MM, paint_plan, tile_plan
from uckers_table.game.board import Plan
from uckers_table.simulator.look import BOARD_PAINTS, WHITE_PAINT, WOODS

DRAWINGS = Path(__file__).parents[2] / "hardware" / "drawings"
SVG = "{http://www.w3.org/2000/svg}"
NAMES = {"#{:02x}{:02x}{:02x}".format(*BOARD_PAINTS[c][0]): c for c in ("red", "green", "yellow", "blue")}
NAMES |= {
    "#{:02x}{:02x}{:02x}".format(*WHITE_PAINT): "white",
    "#{:02x}{:02x}{:02x}".format(*WOODS[0]): "wood",
}


def shapes(svg):
    """The filled shapes in the order they are painted: (name of the paint, test for a point)."""
    for element in ElementTree.fromstring(svg):
        paint = NAMES.get(element.get("fill"))
        if paint is None:
            continue
        if element.tag == SVG + "circle":
            x, y, r = (float(element.get(key)) for key in ("cx", "cy", "r"))
            yield paint, lambda px, py, x=x, y=y, r=r: (px - x) ** 2 + (py - y) ** 2 < r * r
        elif element.tag == SVG + "polygon":
            points = np.array([p.split(",") for p in element.get("points").split()], np.float32)
            yield paint, lambda px, py, points=points: cv2.pointPolygonTest(points, (px, py), False) > 0


def paint_at(painted, x_mm, y_mm):
    return [name for name, covers in painted if covers(x_mm + MARGIN_MM, y_mm + MARGIN_MM)][-1]


@pytest.fixture(scope="module")
def painted():
    return list(shapes(paint_plan(Plan()).svg()))


def expected(column, row):
    """What a square of an Uckers board is painted, by hand, a quarter turn at a time."""
    colours = ("red", "green", "yellow", "blue")
    for colour in colours:
        if (column, row) == (1, 6) or (row == 7 and 1 <= column <= 5):
            return colour
        if 0 <= column <= 5 and 6 <= row <= 8:
            return "white"
        column, row = row, 14 - column
    return None


CROSS = [(c, r) for c in range(15) for r in range(15) if (6 <= c <= 8) != (6 <= r <= 8)]


@pytest.mark.parametrize("cell", CROSS)
def test_each_square_has_its_paint(painted, cell):
    column, row = cell
    assert paint_at(painted, 5 + 40 * column + 20, 5 + 40 * row + 20) == expected(column, row)


@pytest.mark.parametrize(
    ("x", "y", "paint"),
    [
        (260, 305, "red"),
        (305, 260, "green"),
        (350, 305, "yellow"),
        (305, 350, "blue"),
        (125, 125, "red"),
        (485, 125, "green"),
        (485, 485, "yellow"),
        (125, 485, "blue"),
        (80, 80, "white"),
        (170, 80, "white"),
        (530, 530, "white"),
        (20, 20, "wood"),
        (125, 230, "wood"),
        (2, 300, "wood"),
    ],
)
def test_home_bases_spots_and_wood(painted, x, y, paint):
    assert paint_at(painted, x, y) == paint


def test_the_board_is_drawn_at_full_size():
    root = ElementTree.fromstring(paint_plan(Plan()).svg())
    width, height = root.get("width"), root.get("height")
    assert root.get("viewBox") == f"0 0 {width.removesuffix('mm')} {height.removesuffix('mm')}"
    board = next(e for e in root if NAMES.get(e.get("fill")) == "wood")
    points = np.array([p.split(",") for p in board.get("points").split()], float)
    assert np.ptp(points, axis=0) == pytest.approx([610.0, 610.0])


@pytest.mark.parametrize("name", sorted(drawings()))
def test_the_drawing_in_the_folder_is_the_one_of_today(name):
    assert (DRAWINGS / f"{name}.svg").read_text(encoding="utf-8") == drawings()[name].svg()


@pytest.mark.parametrize("name", sorted(drawings()))
def test_each_pdf_has_its_drawings_size(name):
    sheet = drawings()[name]
    assert pages(DRAWINGS / f"{name}.pdf") == [
        (pytest.approx(sheet.width_mm), pytest.approx(sheet.height_mm))
    ]


def pages(path):
    """The pages' sizes in millimetres."""
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", path.read_bytes())
    return [(float(w) * 25.4 / 72, float(h) * 25.4 / 72) for w, h in boxes]


def test_tiles_cover_the_board(tmp_path):
    columns, rows = tile_plan(Plan()).write_tiles(tmp_path / "tiles.pdf", A4_MM, 10.0)
    assert columns * 190 >= 610
    assert rows * 277 >= 610
    a4 = [pytest.approx(A4_MM, abs=0.01)] * (columns * rows)
    assert pages(tmp_path / "tiles.pdf") == a4
    assert pages(DRAWINGS / "board-tiles-a4.pdf") == a4
