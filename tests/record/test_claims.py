"""One match, one who writes it: claims between processes, and how they end."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from uckers_table.errors import RecordError, UnreadError
from uckers_table.record.claims import claimed, is_claimed, refuse_while_claimed

HAVE_IT = """
import sys, time
from pathlib import Path
from uckers_table.record.claims import claimed
with claimed(Path(sys.argv[1])):
    print("mine", flush=True)
    time.sleep(10**6)
"""


@pytest.fixture
def match(tmp_path):
    folder = tmp_path / "0007"
    folder.mkdir()
    return folder


def test_while_one_has_a_match_no_other_gets_it(match):
    with claimed(match):
        assert is_claimed(match)
        with pytest.raises(RecordError, match="0007: a table is at this match"), claimed(match):
            raise AssertionError("two have it")
    assert not is_claimed(match)


def test_a_claim_goes_with_the_process_that_has_it_however_that_ends(match):
    with subprocess.Popen(
        [sys.executable, "-c", HAVE_IT, str(match)], stdout=subprocess.PIPE, env=os.environ
    ) as other:
        assert other.stdout.readline() == b"mine\n"
        assert is_claimed(match)
        other.send_signal(signal.SIGKILL)
    assert not is_claimed(match)


def test_any_match_that_somebody_has_is_named_and_none_is_no_reason_to_refuse(match):
    (match.parent / "0008").mkdir()
    (match.parent / "evidence").mkdir()
    refuse_while_claimed(match.parent)
    refuse_while_claimed(match.parent / "nowhere")
    with claimed(match), pytest.raises(RecordError, match="0007"):
        refuse_while_claimed(match.parent)


def test_where_there_is_nothing_to_lock_nobody_is_kept_out(tmp_path):
    with claimed(tmp_path / "0009"), claimed(tmp_path / "0009"):
        assert not is_claimed(tmp_path / "0009")


OPEN = Path("/proc/self/fd")


def refusing(call, times, number):
    """The call of the system fails so many times, and then does its work."""
    real, left = {"open": os.open, "flock": fcntl.flock}[call], iter([None] * times)

    def refused(*what, **how):
        if next(left, left) is None:
            raise OSError(number, os.strerror(number))
        return real(*what, **how)

    return mock.patch(f"uckers_table.record.claims.{'os' if call == 'open' else 'fcntl'}.{call}", refused)


@pytest.mark.parametrize("call", ["open", "flock"])
@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.ENOMEM, errno.EACCES])
def test_no_answer_is_no_proof_that_nobody_has_a_match(match, call, number):
    with refusing(call, 99, number):
        for ask in (is_claimed, lambda folder: refuse_while_claimed(folder.parent)):
            with pytest.raises(UnreadError, match=r"0007: cannot be read now \("):
                ask(match)
        with pytest.raises(UnreadError), claimed(match):
            raise AssertionError("it is had")
    assert not is_claimed(match)


@pytest.mark.parametrize("call", ["open", "flock"])
def test_what_fails_once_is_asked_again(match, call):
    with refusing(call, 1, errno.EIO), claimed(match):
        assert is_claimed(match)
    with claimed(match), refusing(call, 1, errno.EIO):
        assert is_claimed(match)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.EBADF])
def test_where_the_disk_knows_no_locks_nobody_is_kept_out(match, number):
    with refusing("flock", 99, number), claimed(match):
        assert not is_claimed(match)


def test_no_file_stays_open_after_a_claim_that_failed(match):
    before = [*OPEN.iterdir()]
    with refusing("flock", 99, errno.EIO), pytest.raises(UnreadError), claimed(match):
        pass
    with claimed(match), pytest.raises(RecordError), claimed(match):
        pass
    assert [*OPEN.iterdir()] == before
