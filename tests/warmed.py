"""Programs in processes of their own that need not import everything anew: forked from one that has.

To import a table takes longer than most of what is looked at then. In everything else such a process is as
`python -m MODULE ARGUMENTS` starts it: it has its own environment, can be killed, and ends as Python ends.

    python -m tests.warmed SOCKET

The last is how the process that has imported everything is started. SOCKET is the descriptor on which it is
asked: a module, its arguments, and what it prints to.
"""

import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from functools import cache
from importlib import import_module
from types import SimpleNamespace

from tests.patience import HANGS_S

PROGRAMS = ("tests.table_that_fails", "tests.table_that_hangs", "tests.table_to_kill")
"""Whatever these need is imported once."""
LATER = ("uckers_table.web.server", "uvicorn.protocols.http.h11_impl", "uckers_table.announce.oled")
"""What a table imports when it runs."""
LONGEST = 1 << 17
"""Bytes of a request: most of them are the environment."""


class Program:
    """A program that runs. `stdout` has what it prints; `stderr` is where it prints errors to."""

    def __init__(self, module, *arguments, env=None, stdout=None, stderr=sys.__stderr__):
        read, write = (None, stdout.fileno()) if stdout else os.pipe()
        self.stdout = None if stdout else os.fdopen(read)
        told, tell = os.pipe()
        self._told = os.fdopen(told)
        request = {"module": module, "arguments": [*map(str, arguments)], "env": dict(env or os.environ)}
        try:
            _, line = _warm()
            with suppress(BrokenPipeError):
                socket.send_fds(line, [json.dumps(request).encode()], [write, stderr.fileno(), tell])
        finally:
            os.close(tell)
            if not stdout:
                os.close(write)
        self._pid, self.returncode = int(self._told.readline()), None

    def wait(self):
        """How it ended, as `subprocess` tells it."""
        if self.returncode is None:
            assert select.select([self._told], [], [], HANGS_S)[0], "it does not end"
            self.returncode = int(self._told.readline())
        return self.returncode

    def send_signal(self, what):
        """Send it a signal, unless it has ended."""
        if self.returncode is None and not select.select([self._told], [], [], 0)[0]:
            os.kill(self._pid, what)

    def close(self):
        """Kill it, if it still runs."""
        self.send_signal(signal.SIGKILL)
        self.wait()
        self._told.close()
        if self.stdout:
            self.stdout.close()


def run(module, *arguments, env=None):
    """Run a program to its end: its `returncode`, `stdout` and `stderr`, as `subprocess.run` tells them."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        with closing(Program(module, *arguments, env=env, stdout=out, stderr=err)) as program:
            status = program.wait()
        out.seek(0)
        err.seek(0)
        return SimpleNamespace(returncode=status, stdout=out.read(), stderr=err.read())


@cache
def _warm():
    """The process that has imported everything, and the socket on which it is asked."""
    line, its_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its_end:
        command = [sys.executable, "-m", "tests.warmed", str(its_end.fileno())]
        server = subprocess.Popen(command, pass_fds=[its_end.fileno()], stdin=subprocess.DEVNULL)
    return server, line


def end():
    """End the process that has imported everything, if there is one."""
    if _warm.cache_info().currsize:
        server, line = _warm()
        line.close()
        server.wait(HANGS_S)
        _warm.cache_clear()


def serve(line):
    """Run what is asked for, until nobody can ask any more. Returns in the program's own process."""
    for module in (*PROGRAMS, *LATER):
        import_module(module)
    for module in PROGRAMS:
        del sys.modules[module]
    # Nobody waits for the processes that wait for the programs.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, files, _, _ = socket.recv_fds(line, LONGEST, 3)
        if not request:
            os._exit(0)
        if not os.fork():
            line.close()
            if _is_program(*files):
                return json.loads(request)
        for file in files:
            os.close(file)


def _is_program(out, err, tell):
    """True in the program, which prints to these. The process that waits for it tells how it ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if not pid:
        os.dup2(out, 1)
        os.dup2(err, 2)
    os.close(out)
    os.close(err)
    if pid:
        os.write(tell, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(tell, b"%d\n" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    os.close(tell)
    return True


def main(descriptor):
    """Serve; and be the program that was asked for."""
    asked = serve(socket.socket(fileno=descriptor))
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv[1:] = asked["arguments"]
    runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
