"""One match, one who writes it: claims between processes, and how they end."""

import os
import signal
import subprocess
import sys

import pytest

from uckers_table.errors import RecordError
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
