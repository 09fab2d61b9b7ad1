"""What holds for all tests: the time that something takes is no error, only a hang is."""

from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

from tests.patience import HANGS_S, unhurried

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def _threads_may_end_late():
    with unhurried("uckers_table.machine.threads.STOP_WAIT_S"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _commands_may_take_long():
    """A command says how far it has got only where it takes long; here it says what it says in the end."""
    with mock.patch("uckers_table.commands.printing.IN_A_LOG", (HANGS_S, HANGS_S)):
        yield
