"""The PIN of the page, kept for `uckers-table pin` where only the table's own user can read it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from uckers_table.errors import InputError, RecordError
from uckers_table.foreign.documents import bytes_of, json_from
from uckers_table.machine import moment
from uckers_table.machine.files import make_folder, remove, what_to_try, write_whole
from uckers_table.machine.messages import Invitation

FILE = "page.pin"
SESSIONS = "page.sessions"
"""Beside it: who is in. Whoever takes it away puts everybody out."""
SPOKEN = "The PIN is {}."


@contextmanager
def kept_pin(record: Path, invitation: Invitation) -> Iterator[Callable[[Invitation], None]]:
    """Keep the PIN beside the record as long as this lasts. RecordError where it cannot be kept.

    Gives what keeps another in its place.
    """
    path = record / FILE
    _keep(path, invitation)
    try:
        yield lambda now: _keep(path, now)
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _keep(path: Path, invitation: Invitation) -> None:
    told = {
        "address": invitation.address,
        "pin": invitation.pin,
        "pid": os.getpid(),
        "boot": moment.now().boot,
    }
    try:
        make_folder(path.parent)
        write_whole(path, json.dumps(told), mode=0o600)
    except OSError as error:
        hint = what_to_try(path.parent, error.errno)
        raise RecordError(f"{path}: the PIN cannot be kept ({error.strerror}); {hint}") from None


def print_pin(record: Path, out: TextIO) -> int:
    """Print the PIN of the table that is running, and its page's address. The exit status.

    InputError when none is running, or it is somebody else's.
    """
    path = record / FILE
    try:
        told = json_from(bytes_of(path))
        is_running = told["boot"] == moment.now().boot and _is_running(int(told["pid"]))
        line = f"{told['pin']}  {told['address']}"
    except FileNotFoundError:
        is_running = False
    except PermissionError:
        raise InputError(f"{path}: is for the table's own user to read; try with sudo") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); start the table again") from None
    if not is_running:
        raise InputError(f"no table with a page is running whose record is {record}; name its --config")
    print(line, file=out)
    return 0


def put_out(record: Path, out: TextIO) -> int:
    """Put everybody out who is in on the page; a table that is running then makes a new PIN. The exit status.

    InputError where this user may not.
    """
    path = record / SESSIONS
    try:
        remove(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be removed ({error.strerror}); try with sudo") from None
    print("Nobody is in any more. A table that is running has a new PIN within five seconds.", file=out)
    return 0


def spoken_pin(pin: str) -> str:
    """The PIN, to be said aloud digit by digit."""
    return SPOKEN.format(", ".join(pin))


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # It is there, and somebody else's.
        return True
    return True
