"""How high the pieces are, on a rendered table whose pieces' height is known."""

import cv2
import numpy as np
import pytest

from uckers_table.vision.pieces.height import fit_height
from uckers_table.vision.pieces.shape import Shape, draw_disc
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

CAMERA = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
CANVAS = Canvas(610.0)
FEET = [np.array([x, y]) for x in (60.0, 140.0, 470.0, 550.0) for y in (60.0, 140.0, 470.0, 550.0)]

BARE = np.ones((CANVAS.size, CANVAS.size, 3), dtype=np.float32)


def lit_board(height_mm):
    """A flat white board with pieces of this height in its corners: dark, the rest lit as it was bare; as
    soft as pictures are.
    """
    shape = Shape(CAMERA, CANVAS, height_mm, 20.4)
    dark = np.zeros((CANVAS.size, CANVAS.size), dtype=np.uint8)
    for foot in FEET:
        for part in np.linspace(0, 1, 40):
            # A drawn disc has half a pixel more all round.
            radius = (1 - part) * 10.2 * CANVAS.px_per_mm + part * shape.top_radius_px - 0.5
            draw_disc(dark, (1 - part) * CANVAS.px(foot[None])[0] + part * shape.top_px(foot), radius)
    return cv2.GaussianBlur(np.where(dark[..., None] > 0, 0.3, BARE).astype(np.float32), (0, 0), 0.8)


@pytest.mark.parametrize("height_mm", [12.5, 14.7, 18.9])
@pytest.mark.parametrize("misled", [0, 5])
def test_the_height_that_most_feet_tell(height_mm, misled):
    """Tops are found where they are, whatever height is assumed; of some, highlights say otherwise."""
    tops = [Shape(CAMERA, CANVAS, height_mm, 20.4).top_px(foot) for foot in FEET]
    assumed = Shape(CAMERA, CANVAS, 16.0, 20.4)
    feet = [assumed.foot_mm(top + (4.0 if k < misled else 0.0)) for k, top in enumerate(tops)]
    found = fit_height(lit_board(height_mm), BARE, feet, assumed)
    assert found.height_mm == pytest.approx(height_mm, abs=1.0)


@pytest.mark.parametrize("height_mm", [13.5, 17.0])
def test_discs_found_too_far_out_make_pieces_no_higher(height_mm):
    """A top's far edge is rounded, so that discs placed by it lie half a millimetre off."""
    seen = Shape(CAMERA, CANVAS, height_mm, 20.4)
    assumed = Shape(CAMERA, CANVAS, 16.0, 20.4)
    tops = [top + seen.outward(top) * 0.5 * CANVAS.px_per_mm for top in map(seen.top_px, FEET)]
    found = fit_height(lit_board(height_mm), BARE, [assumed.foot_mm(top) for top in tops], assumed)
    assert found.height_mm == pytest.approx(height_mm, abs=1.0)


def test_pieces_whose_sides_cannot_be_seen_leave_the_height_as_it_was():
    shape = Shape(CAMERA, CANVAS, 16.0, 20.4)
    assert fit_height(lit_board(14.0), BARE, [np.array([305.0, 300.0])], shape) == shape


def test_the_height_of_a_rendered_tables_pieces(table):
    assert table.profile.piece_height_mm == pytest.approx(table.renderer.look.piece_height_mm, abs=2.0)
