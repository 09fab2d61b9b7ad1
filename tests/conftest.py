"""What holds for all tests: the time that something takes is no error, only a hang is."""

import os
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

from tests import warmed
from tests.calibrated import calibrated
from tests.painted_once import painted_once
from tests.patience import HANGS_S, USUAL_S, unhurried

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Where a wait may take longer, so may a whole test. What pytest-timeout is told itself counts first."""
    if config.option.timeout is None and "PYTEST_TIMEOUT" not in os.environ:
        config.option.timeout = float(config.getini("timeout")) * HANGS_S / USUAL_S


@pytest.fixture(scope="session", autouse=True)
def _threads_may_end_late():
    with unhurried("uckers_table.machine.threads.CLOSE_ALL_S", "uckers_table.machine.threads.STOP_WAIT_S"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_are_learned_once():
    """Tables that are set up within a test. Tests of `calibrate` itself call it themselves."""
    with mock.patch("uckers_table.vision.calibrate.calibrate", calibrated):
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_are_painted_once():
    """Tests of the paint itself have it painted anew."""
    with mock.patch("uckers_table.simulator.render.Renderer._paint_table", painted_once):
        yield


@pytest.fixture(scope="session", autouse=True)
def _warmed_programs_are_forked_from_one_that_ends():
    yield
    warmed.end()
