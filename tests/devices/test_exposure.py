"""What a camera is locked at: the arithmetic of light and flicker, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uckers_table.devices.exposure import (
    FRAME_US,
    LONG_US,
    exposures,
    libcamera_controls,
    locked_exposure,
    measured_settings,
)
from uckers_table.errors import InputError
from uckers_table.vision.settings import SETTINGS


@pytest.mark.parametrize(
    ("exposure_us", "gain", "mains_hz", "locked"),
    [
        # 33 ms at twice the gain is 66 ms of light: 50 ms, which suits both mains, at 1.32.
        (33_000, 2.0, 50, (50_000, 1.32, 10_000)),
        (33_000, 2.0, 60, (50_000, 1.32, 1e6 / 120)),
        # 24 ms: two periods at 50 Hz are 20, at 60 Hz two are 16.7.
        (24_000, 1.0, 50, (20_000, 1.2, 10_000)),
        (24_000, 1.0, 60, (2e6 / 120, 1.44, 1e6 / 120)),
        (10_000, 1.0, 50, (10_000, 1.0, 10_000)),
        # Daylight through a scuttle: nothing flickers, and no period would do.
        (2_000, 1.0, 50, (2_000, 1.0, 0.0)),
        # Darker than 50 ms at a gain of eight.
        (60_000, 10.0, 50, (100_000, 6.0, 10_000)),
    ],
)
def test_exposures_by_hand(exposure_us, gain, mains_hz, locked):
    assert locked_exposure(exposure_us, gain, mains_hz=mains_hz) == pytest.approx(locked)


@given(st.floats(100, 120_000), st.floats(1, 16), st.sampled_from([50, 60]))
def test_as_much_light_comes_in_and_no_bands(exposure_us, gain, mains_hz):
    locked_us, locked_gain, period_us = locked_exposure(exposure_us, gain, mains_hz=mains_hz)
    assert locked_us * locked_gain == pytest.approx(exposure_us * gain)
    assert locked_us <= FRAME_US
    assert locked_gain >= 1.0
    if period_us:
        periods = locked_us / period_us
        assert periods == pytest.approx(round(periods))
    else:
        assert locked_us < 1e6 / (2 * mains_hz)


def test_fifty_milliseconds_suit_both():
    assert LONG_US % 10_000 == 0
    assert pytest.approx(6) == LONG_US / (1e6 / 120)


def test_no_other_mains():
    with pytest.raises(InputError, match=r"the mains frequency is 400 Hz; it is 50 or 60"):
        locked_exposure(1000, 1, mains_hz=400)


METADATA = {
    "ExposureTime": 33_000,
    "AnalogueGain": 2.0,
    "ColourGains": (2.25, 1.5),
    "LensPosition": 1.0912345,
    "SensorTimestamp": 1,
}


def test_what_was_measured_becomes_a_profiles_settings_and_then_the_cameras_controls():
    settings = measured_settings(METADATA)
    assert settings == {
        "exposure_us": 50_000.0,
        "gain": 1.32,
        "flicker_period_us": 10_000.0,
        "red_gain": 2.25,
        "blue_gain": 1.5,
        "lens_position": 1.0912,
    }
    assert set(settings) == set(SETTINGS)
    assert libcamera_controls(settings) == {
        "FrameDurationLimits": (100_000, 100_000),
        "AeEnable": False,
        "ExposureTime": 50_000,
        "AnalogueGain": 1.32,
        "AwbEnable": False,
        "ColourGains": (2.25, 1.5),
        "AfMode": 0,
        "LensPosition": 1.0912,
    }


@pytest.mark.parametrize(("mains_hz", "periods"), [(50, 5), (60, 6)])
def test_exposures_to_try_are_even_with_the_lamps_as_long_as_they_can_be(mains_hz, periods):
    period_us = 500_000 / mains_hz
    tried = exposures(mains_hz=mains_hz)
    assert tried[:periods] == [(period_us * n, period_us) for n in range(periods, 0, -1)]
    assert tried[periods:] == [(period_us / n, 0.0) for n in (2, 4, 8, 16)]
    assert round(tried[0][0]) == 50_000


def test_a_module_without_a_lens_to_move_or_colours_is_not_asked_for_them():
    settings = measured_settings({"ExposureTime": 20_000, "AnalogueGain": 1.0})
    assert settings == {"exposure_us": 20_000.0, "gain": 1.0, "flicker_period_us": 10_000.0}
    assert libcamera_controls(settings).keys() == {
        "FrameDurationLimits",
        "AeEnable",
        "ExposureTime",
        "AnalogueGain",
    }
    assert libcamera_controls({}) == {"FrameDurationLimits": (100_000, 100_000)}
