"""Dates from a phone, for matches of a machine whose clock nobody set."""

from contextlib import closing
from datetime import UTC, datetime

import pytest

from uckers_table.errors import InputError
from uckers_table.keeping.dating import Dating
from uckers_table.machine.moment import Moment
from uckers_table.record.library import Library
from uckers_table.record.match_record import Terms
from uckers_table.record.store import MatchStore

TEN = datetime(2026, 5, 1, 22, 0, tzinfo=UTC).timestamp()


def begin(folder, since_boot_s):
    with closing(MatchStore(folder)) as store:
        terms = Terms("br4006", {}, {}, seats=("red", "green"))
        store.begin_match(store.new_number(), terms, Moment(None, "now", since_boot_s), recording="r")


def begun(folder):
    return [match.begun for match in Library(folder).matches()]


class Machine:
    """A machine that was started some while ago, and whose clock is right or not."""

    def __init__(self, folder, since_boot_s, *, is_right=False):
        self.since_boot_s, self.is_right = since_boot_s, is_right
        self.dating = Dating(
            folder,
            now=lambda: Moment(None, "now", self.since_boot_s),
            is_clock_right=lambda: self.is_right,
        )


def test_what_a_phone_tells_dates_this_match_and_those_after_it(tmp_path):
    machine = Machine(tmp_path, 7200.0)
    begin(tmp_path, 3600.0)
    assert not machine.dating.is_known
    machine.dating.be_told(TEN)
    assert machine.dating.is_known
    begin(tmp_path, 9000.0)
    machine.since_boot_s = 9060.0
    assert begun(tmp_path) == ["2026-05-01T21:00:00+00:00", None]
    machine.dating.date_matches()
    assert begun(tmp_path) == ["2026-05-01T21:00:00+00:00", "2026-05-01T22:30:00+00:00"]


def test_a_machine_that_knows_the_date_needs_no_phone(tmp_path):
    machine = Machine(tmp_path, 7200.0, is_right=True)
    begin(tmp_path, 3600.0)
    assert machine.dating.is_known
    machine.dating.be_told(TEN)
    assert begun(tmp_path) == [None]


@pytest.mark.parametrize(
    ("unix_s", "named"),
    [
        (0.0, "01 January 1970"),
        (TEN * 100, "7603"),
        (4.2e9, "2103"),
        (float("nan"), "nan is no time"),
        (float("inf"), "inf is no time"),
    ],
)
def test_a_phone_that_cannot_be_right_is_not_believed(tmp_path, unix_s, named):
    machine = Machine(tmp_path, 7200.0)
    with pytest.raises(InputError, match=named):
        machine.dating.be_told(unix_s)
    assert not machine.dating.is_known


def test_a_record_that_takes_nothing_now_is_dated_later(tmp_path):
    machine = Machine(tmp_path, 7200.0)
    begin(tmp_path, 3600.0)
    database = Library(tmp_path).path
    aside = database.rename(tmp_path / "aside")
    database.mkdir()
    machine.dating.be_told(TEN)
    database.rmdir()
    aside.rename(database)
    machine.dating.date_matches()
    assert begun(tmp_path) == ["2026-05-01T21:00:00+00:00"]
