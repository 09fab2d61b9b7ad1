"""The page of a table that nobody sits at, served for real."""

import pytest

from tests.web.fakes import FakeTable, serve


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
