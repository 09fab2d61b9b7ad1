"""What the tests of the eyes share."""

import cv2
import pytest

from tests.rendered_table import table as table


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    cv2.setNumThreads(1)
