"""A page whose port another program has: that is said, no match begins by itself, and it is served later."""

import http.client
import io
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from tests.patience import HANGS_S, until
from tests.table.test_table_without_camera import CONFIG, Kept
from uckers_table.machine.pin import FILE
from uckers_table.record.library import Library
from uckers_table.table import serving
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table
from uckers_table.table.news import Asked
from uckers_table.table.parts import build_parts
from uckers_table.table.serving import open_page
from uckers_table.web.commands import SwitchOff


class Panel:
    """A display that keeps the words that it was shown last."""

    def __init__(self):
        self.shown = []

    def show(self, picture, *, stays=False):
        self.shown.append(picture.tobytes())

    def close(self):
        pass


def answers(port):
    """Whether the page is there."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS_S)) as line:
        line.request("GET", "/api/me")
        return line.getresponse().status == 200


@pytest.fixture
def taken():
    """A socket that has a port, as another program would."""
    with socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True) as other:
        yield other


def test_a_port_that_is_taken_is_said_and_had_later_and_no_match_begins(taken, tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "RETRY_S", 0.01)
    port, out, inbox = taken.getsockname()[1], io.StringIO(), Inbox()
    config = replace(CONFIG, record=tmp_path, page_port=port)
    parts = build_parts(config, inbox.post)
    parts.display = panel = Panel()
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        page = open_page(config, inbox, stack, out)
        begins = page.invitation is None
        table = Table(config, parts, inbox, Kept(), page=page, begins=begins)
        running = pool.submit(table.run)
        told = until(lambda: page.feed.latest().reminders)
        assert (told[0].title, str(port) in told[0].sentence) == ("NO PAGE YET", True)
        assert page.feed.latest().screen[0] == "NO PAGE YET"
        assert f"No page: the page cannot be served on port {port}" in out.getvalue()
        # It is another program's until it is served: so is the PIN that is kept.
        assert not (tmp_path / FILE).exists()
        before = len(panel.shown)
        taken.close()
        until(lambda: not page.feed.latest().reminders)
        assert answers(port)
        assert (tmp_path / FILE).exists()
        assert len(panel.shown) > before
        off = Asked(SwitchOff())
        inbox.post(off)
        assert off.answer.result(HANGS_S).is_done
        assert running.result(HANGS_S) is None
    assert Library(tmp_path).matches() == []
    assert not (tmp_path / FILE).exists()


def test_a_table_that_waits_for_its_port_ends_as_any_other(taken, tmp_path):
    with ExitStack() as stack:
        page = open_page(
            replace(CONFIG, record=tmp_path, page_port=taken.getsockname()[1]), Inbox(), stack, io.StringIO()
        )
        assert page.trouble
        assert page.invitation.pin in page.in_a_line()
