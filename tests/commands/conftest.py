"""What the tests of verbs that look at pictures share."""

from unittest import mock

import pytest

from tests.calibrated import calibrated
from tests.rendered_table import table as table


@pytest.fixture(scope="module", autouse=True)
def _pictures_are_learned_once():
    with mock.patch("uckers_table.commands.calibrate.calibrate", calibrated):
        yield
