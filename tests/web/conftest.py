"""The page of a table that nobody sits at, served for real."""

import pytest

from tests.patience import unhurried
from tests.web.fakes import FakeTable, serve


@pytest.fixture(scope="module", autouse=True)
def _unhurried():
    """A slow machine exceeds the limits of server and desk in good order."""
    server = ("REQUEST_S", "TAKEN_S", "KEPT_S", "STOP_S")
    with unhurried(
        *(f"uckers_table.web.server.{name}" for name in server),
        "uckers_table.web.guard.BODY_S",
        "uckers_table.web.watching.STUCK_S",
        "uckers_table.web.app.DESK_S",
        "uckers_table.web.app.PRESS_S",
        "uckers_table.table.desk.ANSWER_S",
    ):
        yield


@pytest.fixture
def table():
    return FakeTable()


@pytest.fixture
def server(table, tmp_path):
    server = serve(table, tmp_path)
    yield server
    server.close()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory):
    """For those who change nothing, and guess no PIN."""
    server = serve(FakeTable(), tmp_path_factory.mktemp("record"))
    yield server
    server.close()


@pytest.fixture(scope="module")
def chromium():
    # Only here: tests without a browser need no Playwright.
    from tests.web.browsing import chromium_open

    with chromium_open() as browser:
        yield browser


@pytest.fixture
def phone(chromium, server):
    """A phone's page of the table."""
    from tests.web.browsing import phone_at

    with phone_at(chromium, server.port) as page:
        yield page
