"""The power goes. Whatever the card holds then, the match goes on, and no ruling that was told is lost.

A kill leaves what the system has in memory, a power cut does not. `tests.power` works out what the card may
hold at each call of the system. `make torture` looks at more moments: CUTS is how many. Where the machine
mounts images of file systems, a real ext4 is shut down as well, EXT4_CUTS times.
"""

import fcntl
import io
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from unittest import mock

import pytest

from tests import warmed
from tests.keeping.test_resume import StoppedError, Until, first_lacking
from tests.patience import HANGS_S
from tests.power import WAYS, Card, is_strace_here, recorded
from tests.unpainted import unpainted
from uckers_table.commands.recover import recover
from uckers_table.config import simulated_config
from uckers_table.keeping.gallery import Gallery
from uckers_table.keeping.resume import pick_up
from uckers_table.record.heading import UNDATED
from uckers_table.record.library import Library
from uckers_table.record.recording import go_on_with, open_recording
from uckers_table.record.store import DATABASE, MatchStore
from uckers_table.record.thinning import Budget
from uckers_table.referee.referee import Referee
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table

CUTS = int(os.environ.get("CUTS", "60"))
EXT4_CUTS = int(os.environ.get("EXT4_CUTS", "3"))
FIRST_CALLS = 150
"""Of a match: until its recording is begun."""
GOES_ON_EVERY = 20
"""At one cut in so many a whole table goes on with the match."""
SHUTDOWN, NO_LOG_FLUSH = 0x8004587D, 2
"""EXT4_IOC_SHUTDOWN, and its flag for a power cut (fs/ext4/ext4.h)."""


def told_in(printed):
    """The rulings of which people were told, (t, kind), as `tests.table_to_kill` prints them."""
    whole = printed.decode().rpartition("\n")[0].splitlines()
    return [(float(t), kind) for t, kind in (line.split() for line in whole)]


def judging_once():
    """`Referee.handle` for recordings that begin alike: what one of them led to need not be judged again.

    What a referee makes of an event is a matter of the two alone. A new referee is known by all that it
    holds, any other as the very one that an event led to.
    """
    handle, first, after = Referee.handle, {}, {}

    def judged(referee, event):
        if id(referee) not in after:
            referee = first.setdefault(repr(referee), referee)
        _, known = after.setdefault(id(referee), (referee, {}))
        response = known.get(heard := repr(event))
        if response is None:
            response = known[heard] = handle(referee, event)
            after.setdefault(id(response.referee), (response.referee, {}))
        return response

    return judged


def check_goes_on(folder, told):
    """The match in a folder goes on, or is won, and nobody was told what is not on record then."""
    matches = Library(folder).matches()
    if not told and not matches:
        return
    rulings = {match.number: Library(folder).match(match.number).rulings for match in matches}
    assert all(match.winner for match in matches[:-1]), "a match is closed, and nobody has won"
    if matches[-1].winner is None:
        picked_up = pick_up(folder)
        assert picked_up.doubt == ""
        go_on_with(picked_up.recording, picked_up.judged).close()
        # What is left is a recording like any other.
        match, warned = picked_up.referee.match, io.StringIO()
        recording = open_recording(picked_up.recording.folder)
        assert len(list(recording.events(match.board, match.position, warned))) == picked_up.judged
        assert warned.getvalue() == ""
        rulings[picked_up.number] = picked_up.rulings
    on_record = [(ruled.t, ruled.ruling) for number in sorted(rulings) for ruled in rulings[number]]
    assert first_lacking(on_record, told) is None, "told and not on record"


def go_on(folder):
    """A table goes on with the match for two lines."""
    config = replace(simulated_config(seed=9, cheats=5), record=folder, resumes=True)
    view = Until(2)
    try:
        with unpainted(config) as around:
            Table(config, around.parts, Inbox(), view).run()
    except StoppedError:
        pass
    return view.said


@pytest.mark.timeout(HANGS_S * max(1, CUTS // 60))
@pytest.mark.skipif(not is_strace_here(), reason="strace is not here, or may not trace")
def test_a_match_goes_on_after_a_power_cut_at_any_call_of_the_system(tmp_path):
    played, cut = tmp_path / "played", tmp_path / "cut"
    played.mkdir()
    card, printed, draw = Card(played), b"", random.Random(7)
    calls = recorded(
        [sys.executable, "-m", "tests.table_to_kill", str(played), "7"], played, tmp_path / "log"
    )
    writes = [place for place, call in enumerate(calls) if call.what != "told"]
    first = writes[: FIRST_CALLS : max(1, FIRST_CALLS * 2 // CUTS)]
    cuts = {*first, *draw.sample(writes[FIRST_CALLS:], CUTS - len(first))}
    looked_at, handle = 0, judging_once()
    for place, call in enumerate(calls):
        if call.what == "told":
            printed += call.data
            continue
        card.do(call)
        if place not in cuts:
            continue
        for way in WAYS:
            card.lay_out(cut, way, draw)
            try:
                with mock.patch.object(Referee, "handle", handle):
                    check_goes_on(cut, told_in(printed))
                if looked_at % GOES_ON_EVERY == 0:
                    go_on(cut)
                    check_goes_on(cut, told_in(printed))
            except Exception as error:
                raise AssertionError(f"{way} at call {place}, {call.what} {call.path}: {error}") from error
            looked_at += 1
    card.lay_out(cut, "most", draw)
    assert shutil.which("diff") is None or not subprocess.run(["diff", "-r", played, cut]).returncode


@pytest.mark.skipif(not is_strace_here(), reason="strace is not here, or may not trace")
def test_a_power_cut_while_a_damaged_record_is_mended_loses_no_match(tmp_path):
    folder, cut, draw = tmp_path / "record", tmp_path / "cut", random.Random(7)
    for _ in range(2):
        assert warmed.run("tests.table_to_kill", folder, 7, 8).returncode == 0
        with closing(MatchStore(folder)) as store:
            store.end_match(Library(folder).last_played(), UNDATED, t=1.0, winner=(), honours=())
    database = folder / DATABASE
    database.write_bytes(bytes(100) + database.read_bytes()[100:])
    card = Card(folder)
    mending = [sys.executable, "-m", "uckers_table", "recover", "--record", str(folder)]
    for call in recorded(mending, folder, tmp_path / "log"):
        if call.what == "told":
            continue
        card.do(call)
        if call.what in ("open", "write", "sync", "size") and draw.random() > CUTS / 1000:
            continue
        for way in WAYS:
            card.lay_out(cut, way, draw)
            recover(cut, io.StringIO())
            assert [len(Library(cut).match(number).rulings) for number in (1, 2)] == [8, 8], (way, call)


def pictures_named(folder):
    """The pictures of the first match that its record names."""
    with closing(MatchStore(folder)) as store:
        return store.pictures_of(1)


def pictures_lying(folder):
    """The pictures that lie in a record's folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*.jpg")}


@pytest.mark.skipif(not is_strace_here(), reason="strace is not here, or may not trace")
def test_a_picture_that_was_shown_is_there_after_a_power_cut_and_none_is_unnamed(tmp_path):
    kept, cut, draw = tmp_path / "kept", tmp_path / "cut", random.Random(7)
    kept.mkdir()
    card, told = Card(kept), []
    calls = recorded([sys.executable, "-m", "tests.gallery_to_cut", str(kept)], kept, tmp_path / "log")
    begun = next(place for place, call in enumerate(calls) if call.path.endswith(".jpg"))
    places = [place for place, call in enumerate(calls) if place >= begun and call.what != "told"]
    cuts = set(draw.sample(places, min(len(places), CUTS // 2)))
    for place, call in enumerate(calls):
        if call.what == "told":
            told += call.data.decode().split()
            continue
        card.do(call)
        if place not in cuts:
            continue
        for way in WAYS:
            card.lay_out(cut, way, draw)
            where, named = f"{way} at call {place}, {call.what} {call.path}", pictures_named(cut)
            assert named.issuperset(told), f"{where}: shown, and not on record"
            assert all((cut / file).read_bytes() == (kept / file).read_bytes() for file in named), where
            # The match goes on: what was written and not named is named, or goes.
            Gallery(cut, 1, Budget()).close()
            lying = {file for file in pictures_lying(cut) if "/recording/" not in file}
            assert lying <= pictures_named(cut), f"{where}: on the card, and not on record"
            assert all((cut / file).read_bytes() == (kept / file).read_bytes() for file in lying), where
    assert len(told) == len(pictures_lying(kept)) > 40


@pytest.fixture
def ext4(tmp_path):
    """An empty ext4 file system of its own, mounted."""
    image, place = tmp_path / "card", tmp_path / "mounted"
    place.mkdir()
    image.write_bytes(b"")
    os.truncate(image, 64 * 2**20)
    try:
        subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True, capture_output=True)
        subprocess.run(["mount", "-o", "loop", image, place], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("only who may mount images of file systems can cut their power")
    yield image, place
    subprocess.run(["umount", place], check=True)


@pytest.mark.parametrize("cut", range(EXT4_CUTS))
def test_a_match_goes_on_after_a_power_cut_of_a_real_ext4(ext4, cut):
    image, place = ext4
    draw = random.Random(cut)
    folder = place / "record"
    told = ""
    with closing(warmed.Program("tests.table_to_kill", folder, cut)) as table:
        for _ in range(draw.choice([1, 2, 5, draw.randint(6, 100)])):
            told += table.stdout.readline()
        card = os.open(place, os.O_RDONLY)
        fcntl.ioctl(card, SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        os.close(card)
        table.send_signal(signal.SIGKILL)
    subprocess.run(["umount", place], check=True)
    subprocess.run(["mount", "-o", "loop", image, place], check=True)
    check_goes_on(folder, told_in(told.encode()))
    assert any("resumed" in line for line in go_on(folder))
