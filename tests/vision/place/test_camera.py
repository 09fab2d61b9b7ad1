"""The camera model: known projections, there and back again, and fits that find what made the points."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from uckers_table.vision.place.camera import CameraModel, fit, from_homography
from uckers_table.vision.place.lens import wide_lens

LEVEL = CameraModel(1000, 800, 900.0, 499.5, 399.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 900.0))
TILTED = CameraModel(2304, 1296, 1774.0, 1160.0, 650.0, -0.03, (0.12, -0.05, 1.6), (300.0, -280.0, 960.0))
BENT = replace(TILTED, k1=-0.09, k2=0.03)
WIDE = CameraModel(
    2304, 1296, 990.0, 1146.0, 655.0, -0.05, (0.03, -0.05, 0.02), (-300.0, -310.0, 520.0), k2=-0.012
)
"""A camera half as high, whose lens bends the board's corners by 4 %."""
GRID = np.stack(np.meshgrid(np.linspace(0, 610, 6), np.linspace(0, 610, 6)), axis=-1).reshape(-1, 2)


def test_a_level_camera_sees_a_millimetre_as_a_pixel():
    seen = LEVEL.project([(305, 305), (405, 305), (305, 205)])
    np.testing.assert_allclose(seen, [(499.5, 399.5), (599.5, 399.5), (499.5, 299.5)])


def test_a_point_ten_percent_nearer_looks_ten_percent_farther_out():
    assert LEVEL.swell(90.0) == pytest.approx(900 / 810)
    np.testing.assert_allclose(LEVEL.lifted([(405.0, 305.0)], 90.0), [(305 + 100 * 900 / 810, 305)])


def test_projection_is_that_of_opencv():
    points = np.column_stack([GRID, np.linspace(-40, 0, len(GRID))])
    k = np.array([[TILTED.focal_px, 0, TILTED.cx_px], [0, TILTED.focal_px, TILTED.cy_px], [0, 0, 1]])
    for camera in (TILTED, BENT):
        bend = np.array([camera.k1, camera.k2, 0.0, 0.0])
        expected, _ = cv2.projectPoints(points, np.array(TILTED.rvec), np.array(TILTED.t_mm), k, bend)
        np.testing.assert_allclose(camera.project(points), expected[:, 0], atol=1e-6)


@pytest.mark.parametrize("height_mm", [0.0, 18.0, 54.0])
def test_pixels_go_back_to_the_height_they_came_from(height_mm):
    points = np.column_stack([GRID, np.full(len(GRID), -height_mm)])
    for camera in (TILTED, BENT, WIDE):
        np.testing.assert_allclose(camera.unproject(camera.project(points), height_mm), GRID, atol=1e-3)


def test_lifting_is_seeing_a_raised_point_on_the_board():
    raised = TILTED.project(np.column_stack([GRID, np.full(len(GRID), -18.0)]))
    np.testing.assert_allclose(TILTED.unproject(raised), TILTED.lifted(GRID, 18.0), atol=1e-4)
    np.testing.assert_allclose(TILTED.grounded(TILTED.lifted(GRID, 18.0), 18.0), GRID, atol=1e-9)
    heights = np.linspace(0.0, 54.0, len(GRID))
    each = [TILTED.lifted(at[None], height)[0] for at, height in zip(GRID, heights.tolist(), strict=True)]
    np.testing.assert_allclose(TILTED.lifted(GRID, heights[:, None]), each)
    np.testing.assert_allclose(TILTED.grounded(np.array(each), heights[:, None]), GRID, atol=1e-9)


def test_maps_sample_the_middles_of_their_squares():
    x, y = BENT.maps(100.0, 200.0, 40.0, 30.0, 2.0)
    assert x.shape == y.shape == (60, 80)
    expected = BENT.project([(100.25, 200.25), (100.25 + 79 / 2, 200.25 + 59 / 2)])
    np.testing.assert_allclose([(x[0, 0], y[0, 0]), (x[-1, -1], y[-1, -1])], expected, atol=1e-2)


def test_a_fit_finds_the_camera_that_made_the_points():
    start = from_homography(
        np.asarray(cv2.findHomography(GRID, TILTED.project(GRID))[0], dtype=np.float64), 2304, 1296
    )
    found = fit(start, GRID, TILTED.project(GRID), sigma_px=0.1, lens=True)
    assert np.abs(found.project(GRID) - TILTED.project(GRID)).max() < 0.1
    assert np.abs(found.centre_mm - TILTED.centre_mm).max() < 12


def test_a_wide_lens_is_measured_and_not_assumed():
    start = from_homography(
        np.asarray(cv2.findHomography(GRID, WIDE.project(GRID))[0], dtype=np.float64),
        2304,
        1296,
        wide_lens(2304, 1296),
    )
    seen = WIDE.project(GRID)
    assert np.abs(start.project(GRID) - seen).max() > 8
    found = fit(start, GRID, seen, sigma_px=0.1, lens=True)
    assert np.abs(found.project(GRID) - seen).max() < 0.1
    assert np.abs(found.centre_mm - WIDE.centre_mm).max() < 25


def test_a_few_wrong_points_do_not_pull_a_fit_away():
    seen = TILTED.project(GRID)
    seen[::7] += 25.0
    moved = TILTED.moved(np.array(TILTED.rvec) + 0.004, np.array(TILTED.t_mm) + 3.0)
    found = fit(moved, GRID, seen, sigma_px=0.3, lens=False)
    assert np.abs(found.project(GRID) - TILTED.project(GRID)).max() < 1.0


def test_points_that_tell_of_no_pose_leave_the_camera_where_it_was():
    unmeasured = np.zeros_like(GRID)
    assert fit(TILTED, GRID, TILTED.project(GRID) + 3, 0.3, lens=False, directions=unmeasured) == TILTED
