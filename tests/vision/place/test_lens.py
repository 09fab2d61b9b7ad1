"""Camera profiles: the published views, as focal lengths worked out by hand."""

from pathlib import Path

import numpy as np
import pytest

from tests.ids import begins
from uckers_table.errors import ProfileError
from uckers_table.vision.place.lens import lens_of, published_lens, usual_lens, wide_lens

CAMERAS = Path(__file__).parents[3] / "calibration" / "cameras"


@pytest.mark.parametrize(
    ("camera", "width", "height", "focal_px"),
    [
        ("module-3", 2304, 1296, 1774),  # 1152 / tan 33°
        ("module-3", 1536, 864, 1774),  # the same binning, cropped
        ("module-3", 1280, 720, 986),  # a size that is no mode: the full view
        ("module-3", 1296, 2304, 1774),  # upright
        ("module-2", 1640, 1232, 1359),  # 820 / tan 31.1°
        ("ai-camera", 2028, 1520, 1561),  # 1014 / tan 33°
        ("hq-6mm", 2028, 1520, 1948),  # 1014 / tan 27.5°
    ],
)
def test_published_views(camera, width, height, focal_px):
    lens = published_lens(CAMERAS / f"{camera}.toml", width, height)
    assert (lens.focal_px, lens.k1) == (pytest.approx(focal_px, abs=1.5), 0.0)


@pytest.mark.parametrize(("width", "height"), [(2304, 1296), (1296, 2304)])
def test_a_wide_lens_shows_both_of_its_published_views(width, height):
    lens = published_lens(CAMERAS / "module-3-wide.toml", width, height)
    for degrees, half_px in ((102, 1152), (67, 648)):
        tangent = np.tan(np.radians(degrees / 2))
        assert lens.focal_px * tangent * (1 + lens.k1 * tangent**2) == pytest.approx(half_px)
    assert lens.k1 < -0.03
    known = wide_lens(width, height)
    assert known.focal_px == pytest.approx(lens.focal_px, rel=0.001)
    assert known.k1 == pytest.approx(lens.k1, abs=0.001)


def test_only_a_wide_module_says_which_lens_it_has():
    for model in ("imx708_wide", "imx708_wide_noir"):
        assert lens_of(model, 2304, 1296) == wide_lens(2304, 1296)
    for model in ("imx708", "imx708_noir", "imx219", "imx477", ""):
        assert lens_of(model, 2304, 1296) is None


def test_the_usual_lens_is_a_module_3s():
    published = published_lens(CAMERAS / "module-3.toml", 2304, 1296)
    assert usual_lens(2304, 1296).focal_px == pytest.approx(published.focal_px, rel=0.001)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("view_deg = ", "no camera profile"),
        ("name = 'x'", "key 'view_deg' is missing"),
        ("view_deg = '66'", "key 'view_deg' is '66', no number"),
        ("view_deg = 660", "key 'view_deg' is 660"),
        ("view_deg = 66\nview_down_deg = 1", "key 'view_down_deg' is 1"),
        ("view_deg = 66\nmodes = 3", "key 'modes' makes no sense"),
        ("view_deg = 66\n[[modes]]\nwidth = 64\nheight = 48\nshare = 2.0", "key 'modes.share' is 2"),
    ],
    ids=begins,
)
def test_what_is_wrong_in_a_camera_profile_is_said(tmp_path, text, said):
    path = tmp_path / "camera.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProfileError, match=said) as caught:
        published_lens(path, 64, 48)
    assert str(path) in str(caught.value)


def test_a_camera_profile_that_is_not_there(tmp_path):
    with pytest.raises(ProfileError, match="cannot be read"):
        published_lens(tmp_path / "none.toml", 64, 48)
