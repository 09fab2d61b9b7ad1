"""What anybody on the network may ask for without a PIN takes little of the referee's memory."""

import http.client
import json
import pickle
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from tests.patience import HANGS_S
from tests.web.fakes import FakeLibrary
from uckers_table.web.filming import MOST_RESIDENT, PROGRAM

RULINGS = 400
"""A long match; an evening's has 385."""
MOST_MORE = 48 * 2**20
"""Bytes that the page may take more than before. The service has 196 MB to its first limit."""
WEIGHED = """
import pathlib, runpy, sys
try:
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], None, "__main__")
finally:
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    print(*[line.split()[1] for line in lines if line.startswith("VmHWM")], file=sys.stderr)
"""
"""Runs a module; the last thing on standard error is the most memory that it has taken, in kB."""


def peak(process):
    """The most memory (bytes) that a process has taken so far."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


@contextmanager
def page(folder):
    """A page in a process of its own: that process, its port, and the addresses that need no PIN."""
    command = [sys.executable, "-m", "tests.web.page_to_weigh", str(folder), str(RULINGS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process.pid, *json.loads(process.stdout.readline())
        process.stdin.close()


def status(port, path):
    """What a page answers; of one that goes on for ever the first part is read."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS_S)) as line:
        line.request("GET", path)
        answer = line.getresponse()
        if path == "/api/feed":
            answer.readline()
        else:
            answer.read()
        return answer.status


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_whatever_is_looked_at_without_a_pin_takes_little_memory(tmp_path):
    with page(tmp_path) as (process, port, paths):
        assert {"/", "/api/feed", "/api/statistics", "/api/matches/7/export/gif"} <= set(paths)
        assert status(port, "/") == 200
        # What is loaded once, and kept, is not counted: the first answer to each is.
        before, answers = peak(process), []

        def ask():
            answers.extend(status(port, path) for path in paths)

        asking = [Thread(target=ask) for _ in range(3)]
        for each in asking:
            each.start()
        for each in asking:
            each.join()
        assert peak(process) - before < MOST_MORE
    # A plan is of a board that is named.
    assert len(answers) == 3 * len(paths)
    assert set(answers) <= {200, 400, 404}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize(("form", "head"), [("gif", b"GIF89a"), ("webp", b"RIFF")], ids=["gif", "webp"])
def test_drawing_a_film_takes_as_much_memory_however_long_the_match_is(tmp_path, form, head):
    match = FakeLibrary(tmp_path).record
    taken = []
    for times in (1, RULINGS // 2):
        long = replace(match, entries=match.entries[:-1] * times + match.entries[-1:])
        done = subprocess.run(
            [PROGRAM[0], "-c", WEIGHED, PROGRAM[-1], form],
            input=pickle.dumps(long),
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout[: len(head)]) == (0, head), done.stderr
        taken.append(int(done.stderr.split()[-1]) * 1024)
    assert max(taken) < 1.2 * min(taken) < MOST_RESIDENT / 2
