"""The feed: the newest alone, one wake however much is published, one picture however many look."""

import threading
from dataclasses import replace

from tests.patience import HANGS_S
from uckers_table.web.feed import Feed, Snapshot, TableState

PLAYING = Snapshot(TableState.PLAYING)


def test_who_comes_late_takes_the_newest_and_is_woken_once():
    feed, woken = Feed(), []
    feed.wake_by(lambda: woken.append(feed))
    for t in range(3):
        feed.publish(replace(PLAYING, frame=t))
    assert woken == [feed]
    assert feed.latest() == replace(PLAYING, frame=2)
    feed.publish(replace(PLAYING, frame=9))
    assert woken == [feed, feed]
    assert feed.latest() == replace(PLAYING, frame=9)


def test_before_anything_is_published_the_table_is_idle():
    assert Feed().latest() == Snapshot(TableState.IDLE)


class Frames:
    """A camera whose pictures say what they show, and how often each was made."""

    def __init__(self):
        self.number, self.made = 1, []

    def jpeg(self, *, marked):
        self.made.append((self.number, marked))
        return b"marked" if marked else b"plain"


def test_a_picture_is_made_once_for_each_frame_and_kind_and_only_when_somebody_looks():
    frames = Frames()
    feed = Feed(lambda: frames)
    assert frames.made == []
    crowd = [threading.Thread(target=feed.picture, kwargs={"marked": True}) for _ in range(20)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join(HANGS_S)
    assert feed.picture(marked=True).jpeg == b"marked"
    assert feed.picture(marked=False).jpeg == b"plain"
    assert frames.made == [(1, True), (1, False)]
    frames.number = 2
    assert feed.picture(marked=True).number == 2
    assert frames.made == [(1, True), (1, False), (2, True)]


def test_without_a_camera_there_is_no_picture():
    assert Feed().picture(marked=False) is None
