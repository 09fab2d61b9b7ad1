"""What holds for all tests: the time that something takes is no error, only a hang is."""

import pytest
from hypothesis import HealthCheck, settings

from tests.patience import unhurried

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def _threads_may_end_late():
    with unhurried("uckers_table.machine.threads.STOP_WAIT_S"):
        yield
