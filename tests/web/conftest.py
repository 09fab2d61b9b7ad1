"""The page of a table that nobody sits at, served for real."""

import pytest

from tests.web.fakes import PIN, FakeLibrary, FakeTable
from uckers_table.web.app import Page
from uckers_table.web.gate import Gate
from uckers_table.web.server import PageServer


@pytest.fixture
def table():
    return FakeTable()


def serve(table, folder):
    return PageServer(Page(table.feed, table, FakeLibrary(folder), Gate(PIN)), 0, "127.0.0.1")


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
