"""The card refuses any call of the system, once or from then on. The table referees, and says so.

strace makes the calls fail, in the process of a whole table. `make torture` has more of them fail: FAILURES
is how many.
"""

import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace

import pytest

from tests import warmed
from tests.keeping.test_resume import check_replays, first_lacking, go_on, recorded
from tests.patience import HANGS_S
from tests.power import is_strace_here
from tests.power import recorded as called
from tests.record.simulated_matches import simulated_match
from uckers_table.commands.recover import recover
from uckers_table.config import simulated_config
from uckers_table.errors import RecordError
from uckers_table.keeping.resume import FAULT, pick_up
from uckers_table.machine.health import read_health, warnings
from uckers_table.machine.pin import SESSIONS
from uckers_table.record.backup import holding_of
from uckers_table.record.library import Library
from uckers_table.record.mending import mend
from uckers_table.record.recording import EVENTS, SETTINGS
from uckers_table.record.store import DATABASE, MatchStore

FAILURES = int(os.environ.get("FAILURES", "14"))
SEED, LINES = 7, 40
REASONS = ("ENOSPC", "EIO", "EROFS")
CALLS = ("write", "pwrite64", "fsync", "fdatasync", "rename", "openat", "mkdir")
"""How a table uses its card."""


def command(folder, lines=LINES):
    """A table that plays in a folder."""
    return [sys.executable, "-m", "tests.table_to_kill", str(folder), str(SEED), str(lines)]


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory):
    """With a card that takes everything: what is told, how often each call is made, and the files."""
    folder = tmp_path_factory.mktemp("unharmed")
    calls = called(command(folder), folder, folder.with_suffix(".log"))
    printed = b"".join(call.data for call in calls if call.what == "told").decode()
    # The index of the log is memory.
    on_card = [call for call in calls if call.what != "told" and not call.path.endswith("-shm")]
    paths = {call.path.removeprefix(str(folder)) for call in on_card}
    return printed, Counter(call.name for call in on_card), paths


def failures():
    """What fails: a call, why, after which part of all of its kind, and whether all later ones do too."""
    draw = random.Random(1)
    some = [
        ("write", "ENOSPC", 0.0, True),
        ("pwrite64", "EIO", 0.3, True),
        ("fsync", "EIO", 0.3, False),
        ("fdatasync", "EROFS", 0.5, False),
        ("write", "ENOSPC", 0.4, False),
        *((call, reason, 0.0, False) for call in CALLS for reason in draw.sample(REASONS, 1)),
    ]
    others = [
        (draw.choice(CALLS), draw.choice(REASONS), draw.random() ** 2, draw.random() < 0.3)
        for _ in range(FAILURES)
    ]
    return [*some, *others][:FAILURES]


@pytest.mark.skipif(not is_strace_here(), reason="strace is not here, or may not trace")
@pytest.mark.parametrize(("call", "reason", "part", "lasts"), failures())
@pytest.mark.timeout(HANGS_S * 2)
def test_whatever_the_card_refuses_the_table_referees(tmp_path, unharmed, call, reason, part, lasts):
    printed, calls, paths = unharmed
    folder = tmp_path / "record"
    folder.mkdir()
    number = 1 + int(part * (calls[call] - 1))
    failing = f"inject={call}:error={reason}:when={number}{'+' * lasts}"
    watched = [word for path in paths for word in ("-P", f"{folder}{path}")]
    only = ["-e", f"trace={call}", "-e", failing]
    trace = ["strace", "-f", "--seccomp-bpf", "-o", str(tmp_path / "log"), *watched, *only]
    table = subprocess.run([*trace, *command(folder)], capture_output=True, text=True, check=False)
    assert table.returncode == 0, table.stderr[-2000:]
    told, as_ever = (
        [tuple(line.split()) for line in text.splitlines() if not line.endswith(FAULT)]
        for text in (table.stdout, printed)
    )
    assert told[: len(as_ever) - 5] == as_ever[: len(told)][: len(as_ever) - 5]
    assert len(told) >= len(as_ever) - 5
    assert "(INJECTED)" in (tmp_path / "log").read_text(), "nothing failed"
    if not lasts or FAULT not in table.stdout:
        # Where nobody was told that something is not kept, all is.
        heard = [(float(t), what) for t, what in told]
        assert first_lacking(recorded(folder, 1), heard) is None, "told and not on record"
        check_replays(folder, 1)
    # What is there is of use: a table goes on with it, and takes nothing back.
    begun = Library(folder).last_played()
    before = recorded(folder, begun) if begun else []
    said = go_on(replace(simulated_config(seed=9, cheats=5), record=folder, resumes=True), 2)
    assert any("resumed" in line for line in said) == bool(begun)
    assert recorded(folder, begun or Library(folder).last_played())[: len(before)] == before
    picked_up = pick_up(folder)
    assert picked_up.doubt == picked_up.left_out == ""


# ---------------------------------------------------------------------- a start that cannot read

EVENTS_FILE, SETTINGS_FILE, HEADING_FILE = (
    f"0001/recording/{EVENTS}",
    f"0001/recording/{SETTINGS}",
    "0001/heading.json",
)
READS = (
    *(("pread64", DATABASE), ("pread64", f"{DATABASE}-wal"), ("openat", DATABASE), ("newfstatat", DATABASE)),
    *(("read", each) for each in (EVENTS_FILE, SETTINGS_FILE, HEADING_FILE)),
    *(("openat", each) for each in (EVENTS_FILE, SETTINGS_FILE, HEADING_FILE, "0001", "")),
    *(("newfstatat", each) for each in ("", "0001", SESSIONS)),
    ("getdents64", ""),
)
"""How a start reads its record: a call, and the file or folder."""


def start(folder):
    """A table with a page that starts, is looked at, and is switched off."""
    return [sys.executable, "-m", "tests.table_to_start", str(folder)]


@pytest.fixture(scope="module")
def left_off(tmp_path_factory):
    """A record with a match that is on and one from elsewhere; how a start goes, and how often it reads."""
    folder = tmp_path_factory.mktemp("left_off") / "record"
    played(folder, 20)
    imported = replace(simulated_match("br4006", "left off", throws=12), recording="")
    with closing(MatchStore(folder)) as store:
        assert store.take_in(imported).number == 2
    copy = shutil.copytree(folder, folder.with_name("copy"))
    log = folder.with_name("log")
    names = ",".join(sorted({call for call, _ in READS}))
    trace = ["strace", "-f", "--seccomp-bpf", "-y", "-o", str(log), "-e", f"trace={names}"]
    started = subprocess.run([*trace, *start(copy)], capture_output=True, text=True, check=True)
    made = re.findall(rf'^(\d+) +(\w+)\(.*?{copy}(?:/([^">]*))?[">]', log.read_text(errors="replace"), re.M)
    calls = Counter()
    for (_, *call), times in Counter(made).items():
        # strace counts the calls of each thread for itself.
        calls[tuple(call)] = max(calls[tuple(call)], times)
    return folder, json.loads(started.stdout), calls


def reads():
    """What a start cannot read: a call on a file, after which part of all, and whether all later ones fail
    too.
    """
    draw = random.Random(2)
    some = [
        # Of the check at the start, and of the search for the last match.
        ("pread64", DATABASE, 0.1, False),
        ("pread64", DATABASE, 0.3, False),
        ("pread64", DATABASE, 0.1, True),
        ("read", EVENTS_FILE, 0.0, True),
        ("newfstatat", SESSIONS, 0.5, False),
        ("newfstatat", SESSIONS, 0.0, True),
    ]
    every = [(*each, lasts) for each in READS for lasts in (False, True)]
    drawn = [each for _ in range(-(-FAILURES // len(every))) for each in draw.sample(every, len(every))]
    return [*some, *((*each, round(draw.random() ** 2, 2), lasts) for *each, lasts in drawn)][:FAILURES]


@pytest.mark.skipif(not is_strace_here(), reason="strace is not here, or may not trace")
@pytest.mark.parametrize(("call", "file", "part", "lasts"), reads())
@pytest.mark.timeout(HANGS_S * 2)
def test_whatever_a_start_cannot_read_no_match_is_closed(tmp_path, left_off, call, file, part, lasts):
    whole, as_ever, calls = left_off
    if not calls[call, file]:
        pytest.skip("on this system a start reads otherwise")
    folder = shutil.copytree(whole, tmp_path / "record")
    # How often the page looks for those who are in is a matter of time.
    number = 1 if file == SESSIONS else 1 + int(part * (calls[call, file] - 1))
    failing = f"inject={call}:error=EIO:when={number}{'+' * lasts}"
    log = tmp_path / "log"
    injecting = ["-P", str(folder / file), "-e", f"trace={call}", "-e", failing]
    trace = ["strace", "-f", "--seccomp-bpf", "-o", str(log), *injecting]
    started = subprocess.run([*trace, *start(folder)], capture_output=True, text=True, check=False)
    assert started.returncode == 0, started.stderr[-2000:]
    assert started.stdout, started.stderr[-2000:]
    assert "(INJECTED)" in log.read_text(), "nothing failed"
    told = json.loads(started.stdout)
    if lasts and told["state"] != "playing":
        # Who cannot look at the match offers it.
        assert told["offers"] == ["match"]
    else:
        assert told["state"] == as_ever["state"]
        assert told["rulings"] == as_ever["rulings"]
    # Nothing was believed of the files: the next start finds all as it was.
    assert holding_of(folder).identity == holding_of(whole).identity
    assert sorted(folder.glob("record-damaged*")) == []
    assert mend(folder) == ""
    assert pick_up(folder).number == 1
    assert Library(folder).match(2) == Library(whole).match(2)
    kept = [Library(each).match(1) for each in (folder, whole)]
    assert kept[0].summary.winner is None
    assert kept[0].rulings[: len(kept[1].rulings)] == kept[1].rulings


# ---------------------------------------------------------------------- whole cards


@pytest.fixture
def card(tmp_path):
    """A file system of half a megabyte, and what mounts it anew with other options."""
    place = tmp_path / "card"
    place.mkdir()

    def mount(*options):
        return subprocess.run(["mount", *options, place], capture_output=True, check=False).returncode == 0

    if not mount("-t", "tmpfs", "-o", "size=500k", "card"):
        pytest.skip("only who may mount can fill a file system of his own")
    yield place, lambda options: mount("-o", f"remount,{options}")
    subprocess.run(["umount", place], check=True)


def played(folder, lines):
    """What a table tells in so many lines, less the lines on the card."""
    table = warmed.run("tests.table_to_kill", folder, SEED, lines)
    assert table.returncode == 0, table.stderr[-2000:]
    return [line for line in table.stdout.splitlines() if not line.endswith(FAULT)], table.stderr


def fill(place):
    """Fill a card to the last byte."""
    with (place / "full").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(512))


def test_a_card_that_fills_up_in_a_match_is_called_full_and_the_match_goes_on(card, tmp_path):
    place, remount = card
    as_ever, _ = played(tmp_path / "elsewhere", 150)
    told, said = played(place / "record", 150)
    assert told[:140] == as_ever[:140]
    assert "the card is full: back it up, and clear it" in said
    assert remount("size=50m")
    before = recorded(place / "record", 1)
    played(place / "record", 5)
    assert recorded(place / "record", 1)[: len(before)] == before
    check_replays(place / "record", 1)


def test_a_table_starts_on_a_card_that_is_full(card):
    place, _ = card
    fill(place)
    told, said = played(place / "record", 20)
    assert len(told) > 10
    assert "the card is full: back it up, and clear it" in said


def test_a_table_starts_where_its_match_breaks_off_and_the_card_is_full(card):
    place, _ = card
    folder = place / "record"
    played(folder, 20)
    events = folder / "0001/recording" / EVENTS
    events.write_text(f"torn\n{events.read_text()}")
    fill(place)
    told, said = played(folder, 20)
    assert len(told) > 10
    assert "the card is full: back it up, and clear it" in said
    assert Library(folder).matches()[0].winner is None


def test_a_table_goes_on_on_a_card_that_became_read_only_and_calls_it_that(card):
    place, remount = card
    folder = place / "record"
    with closing(warmed.Program("tests.table_to_kill", folder, SEED, LINES)) as table:
        for _ in range(20):
            table.stdout.readline()
    before = recorded(folder, 1)
    assert remount("ro")
    told, said = played(folder, 20)
    assert told[0].endswith("resumed")
    assert "the card is read-only" in said
    assert "full" not in said
    assert "judged again" not in said
    assert recorded(folder, 1) == before
    title = warnings(read_health(folder))[0].title
    assert title == "CARD READ-ONLY"
    with pytest.raises(RecordError, match="the card is read-only"):
        recover(folder, io.StringIO())
    assert remount("rw,size=50m")
    played(folder, 5)
    check_replays(folder, 1)
