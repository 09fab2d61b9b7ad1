"""What the disk refuses waits, in order, and is written once it is taken."""

import pytest

from uckers_table.errors import RecordError
from uckers_table.record import backlog
from uckers_table.record.backlog import Backlog


class Disk:
    """Takes what is written, or refuses it."""

    def __init__(self):
        self.written, self.asked, self.is_full = [], 0, False

    def write(self, what):
        self.asked += 1
        if self.is_full:
            raise RecordError("the disk is full")
        self.written.append(what)


@pytest.fixture
def disk():
    return Disk()


@pytest.fixture
def clock(monkeypatch):
    """The time by which a disk is tried again."""
    now = [100.0]
    monkeypatch.setattr(backlog, "monotonic", lambda: now[0])
    return now


def test_writes_are_done_at_once_while_the_disk_takes_them(disk):
    waiting = Backlog()
    for k in range(3):
        waiting.do(lambda k=k: disk.write(k))
    assert (disk.written, waiting.trouble) == ([0, 1, 2], "")


def test_what_is_refused_waits_in_order_and_is_written_once(disk, clock):
    waiting, disk.is_full = Backlog(), True
    for k in range(5):
        waiting.do(lambda k=k: disk.write(k))
    # The disk is not asked again with every write.
    assert (disk.asked, waiting.trouble) == (1, "the disk is full")
    disk.is_full = False
    waiting.do(lambda: disk.write(5))
    assert disk.written == []
    clock[0] += backlog.RETRY_S
    waiting.do(lambda: disk.write(6))
    assert (disk.written, waiting.trouble) == ([0, 1, 2, 3, 4, 5, 6], "")
    waiting.do(lambda: disk.write(7))
    assert disk.written[-1] == 7


def test_a_disk_is_tried_again_by_the_clock_that_is_given(disk):
    now = [0.0]
    waiting, disk.is_full = Backlog(lambda: now[0]), True
    waiting.do(lambda: disk.write(0))
    disk.is_full = False
    for now[0], written in ((backlog.RETRY_S - 0.1, []), (backlog.RETRY_S, [0, 1, 2])):
        waiting.do(lambda: disk.write(len(disk.written)))
        assert disk.written == written


def test_what_is_refused_while_it_is_caught_up_with_waits_on(disk, clock):
    waiting, disk.is_full = Backlog(), True
    for k in range(3):
        waiting.do(lambda k=k: disk.write(k))
    disk.is_full = False
    take = disk.write

    def fills_up(what):
        take(what)
        disk.is_full = what == 1

    disk.write = fills_up
    waiting.retry()
    assert (disk.written, waiting.trouble) == ([0, 1], "the disk is full")
    disk.is_full = False
    waiting.retry()
    assert (disk.written, waiting.trouble) == ([0, 1, 2], "")


def test_of_more_than_can_wait_the_first_are_kept_without_a_hole_and_it_is_said(disk, clock, monkeypatch):
    monkeypatch.setattr(backlog, "MOST", 3)
    waiting, disk.is_full = Backlog(), True
    for k in range(5):
        waiting.do(lambda k=k: disk.write(k))
    disk.is_full = False
    waiting.retry()
    waiting.do(lambda: disk.write(9))
    assert disk.written == [0, 1, 2]
    assert waiting.trouble == "the disk refused for too long: what came after that is not kept"


def test_what_is_no_trouble_of_the_disk_is_not_kept_back(disk):
    waiting = Backlog()
    with pytest.raises(ZeroDivisionError):
        waiting.do(lambda: 1 / 0)
    waiting.do(lambda: disk.write(1))
    assert disk.written == [1]
