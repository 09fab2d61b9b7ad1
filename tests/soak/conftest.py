"""The table that is soaked may be slow."""

import pytest

from tests.patience import unhurried_table


@pytest.fixture(scope="module", autouse=True)
def _unhurried():
    with unhurried_table():
        yield
