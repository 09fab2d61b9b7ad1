"""A warmed program is one in a process of its own: it begins anew, can be killed, and tells how it ends."""

import os
import signal
import sys
from contextlib import closing

import pytest

from tests import warmed

PROGRAM = """
import atexit, os, signal, sys
atexit.register(lambda: print("ended"))
print(__name__, sys.argv[1:], os.environ.get("WARM"), sys.modules.setdefault("seen_before", None), flush=True)
how = sys.argv[1]
if how == "wait":
    signal.pause()
if how == "segv":
    os.kill(os.getpid(), signal.SIGSEGV)
if how == "raise":
    raise RuntimeError("broken")
sys.exit(int(how))
"""


@pytest.fixture(scope="module", autouse=True)
def program(tmp_path_factory):
    """Where the program of these tests is found."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "warmed_to_end.py").write_text(PROGRAM)
    usual = os.environ.get("PYTHONPATH", "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(folder), usual))))
        # Whoever was warmed before does not know of the folder.
        warmed.end()
        yield
    warmed.end()


def begun(how, warm=None):
    return f"__main__ ['{how}'] {warm} None\n"


@pytest.mark.parametrize(("how", "status"), [("0", 0), ("9", 9), ("raise", 1)])
def test_a_program_ends_as_python_ends(how, status):
    done = warmed.run("warmed_to_end", how)
    assert (done.returncode, done.stdout) == (status, f"{begun(how)}ended\n")
    assert ("RuntimeError: broken" in done.stderr) == (how == "raise")


def test_a_signal_that_ends_it_is_told_and_each_begins_anew_in_its_own_environment():
    dead, *others = (
        warmed.run("warmed_to_end", how, env=os.environ | {"WARM": "1"}) for how in ("segv", "0", "0")
    )
    assert (dead.returncode, dead.stdout) == (-signal.SIGSEGV, begun("segv", 1))
    assert [other.stdout for other in others] == [f"{begun(0, 1)}ended\n"] * 2


@pytest.mark.parametrize("what", [signal.SIGKILL, signal.SIGTERM])
def test_a_signal_reaches_it(what):
    with closing(warmed.Program("warmed_to_end", "wait")) as waiting:
        assert waiting.stdout.readline() == begun("wait")
        waiting.send_signal(what)
        assert waiting.wait() == -what
        waiting.send_signal(what)


def test_one_that_is_closed_is_over():
    waiting = warmed.Program("warmed_to_end", "wait", stderr=sys.__stderr__)
    waiting.stdout.readline()
    waiting.close()
    assert waiting.returncode == -signal.SIGKILL
