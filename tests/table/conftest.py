"""The tables of these tests may be slow. What the same pictures show they learn once."""

from unittest import mock

import pytest

from tests.calibrated import calibrated, found
from tests.patience import unhurried_table


@pytest.fixture(scope="module", autouse=True)
def _unhurried():
    with unhurried_table():
        yield


@pytest.fixture(scope="module", autouse=True)
def _pictures_are_learned_once():
    learns = {"calibrate": calibrated, "find_board": found}
    with mock.patch.multiple("uckers_table.table.calibrating", **learns):
        yield
