"""Pieces of unknown colours in their bases, beside shadows with plainer edges than their own."""

import cv2
import numpy as np

from tests.vision.test_calibrate import in_order
from uckers_table.vision.calibrate import calibrate

RADIUS_MM = 10.2


def with_shadows(table, off_mm, left):
    """The start picture with a disc of shadow as large as a piece beside each of them."""
    out = table.renderer.start.astype(np.float32)
    height, width = out.shape[:2]
    shade = np.ones((height, width), np.float32)
    camera = table.profile.camera
    ring = np.linspace(0, 2 * np.pi, 60)
    for seat in range(4):
        for x, y in table.renderer.spots(seat):
            edge = np.column_stack(
                [x + off_mm[0] + RADIUS_MM * np.cos(ring), y + off_mm[1] + RADIUS_MM * np.sin(ring)]
            )
            cv2.fillPoly(shade, [np.rint(camera.project(edge)).astype(np.int32)], left)
    return (out * cv2.GaussianBlur(shade, (3, 3), 0.6)[..., None]).astype(np.uint8)


def test_a_shadow_is_no_piece(table):
    """Without the net the discs with the plainest edges were learned: the shadows."""
    for off_mm in ((22.0, 6.0), (-8.0, 22.0)):
        profile = calibrate(table.renderer.empty, with_shadows(table, off_mm, 0.3), table.profile.seats)
        for seat in range(4):
            np.testing.assert_allclose(
                in_order(profile.base_spots_mm[seat]), in_order(table.renderer.spots(seat)), atol=4.0
            )
