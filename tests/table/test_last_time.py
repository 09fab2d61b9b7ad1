"""What was played last time is offered when the table comes up again."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.patience import HANGS_S
from tests.table.test_table_without_camera import CONFIG, DONE, Kept
from uckers_table.announce.loudness import Loudness
from uckers_table.devices.base import Pressed
from uckers_table.machine.messages import Invitation
from uckers_table.record.library import Library
from uckers_table.table.desk import TableDesk
from uckers_table.table.inbox import Inbox
from uckers_table.table.last_time import LAST_TIME, LastTime
from uckers_table.table.loop import Table
from uckers_table.table.parts import build_parts
from uckers_table.table.serving import OpenPage
from uckers_table.web.commands import LeaveMatch, SetLoudness, StartMatch, SwitchOff

TONIGHT = replace(
    CONFIG,
    rules="submariners",
    options={"var_a": True},
    players=2,
    names={"red": "Ó Sé"},
    to_play="green",
    loudness=Loudness.CHATTY,
)


@pytest.fixture
def kept(tmp_path):
    """Where TONIGHT has been kept by a table whose file says CONFIG."""
    LastTime(replace(CONFIG, record=tmp_path)).keep(TONIGHT)
    return tmp_path


def offered(folder, configured=CONFIG, *, seats_are_fixed=False):
    here = replace(configured, record=folder)
    return replace(LastTime(here).offered(here, seats_are_fixed=seats_are_fixed), record=CONFIG.record)


def test_what_was_played_is_offered_and_nothing_else_of_that_table(kept):
    assert offered(kept) == TONIGHT
    louder = replace(CONFIG, volume=90)
    assert offered(kept, louder) == replace(TONIGHT, volume=90)


def test_when_the_file_says_something_else_by_now_it_counts(kept):
    changed = replace(CONFIG, rules="wafu")
    assert offered(kept, changed) == changed


def test_seats_that_the_camera_has_not_learned_are_not_offered(tmp_path):
    turned = replace(TONIGHT, seats=("green", "yellow", "blue", "red"))
    LastTime(replace(CONFIG, record=tmp_path)).keep(turned)
    assert offered(tmp_path) == turned
    assert offered(tmp_path, seats_are_fixed=True) == CONFIG


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:-30],
        lambda text: "[]",
        lambda text: text.replace("submariners", "nobody's"),
        lambda text: text.replace('"chatty"', '"deafening"'),
        lambda text: text.replace('"players": 2', '"players": "two"'),
        lambda text: text.replace('"rules": "submariners"', '"rule": "submariners"'),
    ],
)
def test_a_file_that_makes_no_sense_offers_nothing(kept, spoil):
    path = kept / LAST_TIME
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    assert offered(kept) == CONFIG


def test_a_card_that_takes_nothing_stops_no_match(tmp_path):
    (tmp_path / "file").touch()
    LastTime(replace(CONFIG, record=tmp_path / "file")).keep(TONIGHT)


@contextmanager
def idle(folder):
    """A table that waits for somebody to begin a match: what its page does, and its inbox."""
    config, inbox = replace(CONFIG, record=folder), Inbox()
    page = OpenPage(invitation=Invitation("http://table.local:8080", "123456"))
    table = Table(config, build_parts(config, inbox.post), inbox, Kept(), page=page, begins=False)
    with ThreadPoolExecutor(1) as thread:
        ending, do = thread.submit(table.run), TableDesk(inbox).do
        try:
            yield do, inbox
        finally:
            do(SwitchOff())
            ending.result(timeout=HANGS_S)


def test_a_table_that_comes_up_again_offers_it_again(tmp_path):
    with idle(tmp_path) as (do, _):
        start = StartMatch("wafu", {}, 4, names={"red": "Ó Sé"}, loudness=Loudness.QUIET)
        assert [do(start), do(SetLoudness(Loudness.CHATTY)), do(LeaveMatch())] == [DONE] * 3
    with idle(tmp_path) as (do, inbox):
        # One button begins what is offered.
        inbox.post(Pressed("done"))
        assert do(LeaveMatch()) == DONE
    terms = Library(tmp_path).match(2).summary.terms
    assert (terms.rules, terms.names) == ("wafu", {"red": "Ó Sé"})
