"""How high the pieces are, on a rendered table whose pieces' height is known."""

import numpy as np
import pytest

from uckers_table.vision.camera import Camera
from uckers_table.vision.flat import Canvas
from uckers_table.vision.height import fit_height
from uckers_table.vision.shape import Shape, draw_disc

CAMERA = Camera(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
CANVAS = Canvas(610.0)
FEET = [np.array([x, y]) for x in (60.0, 140.0, 470.0, 550.0) for y in (60.0, 140.0, 470.0, 550.0)]


def lit_board(height_mm):
    """The light on the flat board with pieces of this height in its corners: dark, the rest lit."""
    shape = Shape(CAMERA, CANVAS, height_mm, 20.4)
    dark = np.zeros((CANVAS.size, CANVAS.size), dtype=np.uint8)
    for foot in FEET:
        for part in np.linspace(0, 1, 40):
            # A drawn disc has half a pixel more all round.
            draw_disc(dark, (1 - part) * CANVAS.px(foot[None])[0] + part * shape.top_px(foot), 9.95)
    return np.where(dark > 0, 0.3, 1.0).astype(np.float32)


@pytest.mark.parametrize("height_mm", [12.5, 14.7, 18.9])
@pytest.mark.parametrize("misled", [0, 5])
def test_the_height_that_most_feet_tell(height_mm, misled):
    """Tops are found where they are, whatever height is assumed; of some, highlights say otherwise."""
    tops = [Shape(CAMERA, CANVAS, height_mm, 20.4).top_px(foot) for foot in FEET]
    assumed = Shape(CAMERA, CANVAS, 16.0, 20.4)
    feet = [assumed.foot_mm(top + (4.0 if k < misled else 0.0)) for k, top in enumerate(tops)]
    found = fit_height(lit_board(height_mm), feet, assumed)
    assert found.height_mm == pytest.approx(height_mm, abs=1.0)


def test_pieces_whose_sides_cannot_be_seen_leave_the_height_as_it_was():
    shape = Shape(CAMERA, CANVAS, 16.0, 20.4)
    assert fit_height(lit_board(14.0), [np.array([305.0, 300.0])], shape) == shape


def test_the_height_of_a_rendered_tables_pieces(table):
    assert table.profile.piece_height_mm == pytest.approx(table.renderer.look.piece_height_mm, abs=2.0)
