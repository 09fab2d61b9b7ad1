"""The program's log: in the journal where systemd runs it, otherwise on standard error; quiet by default.

Who logs something gives facts beside the words (`extra=facts(match=3)`), and the journal keeps them as fields
of their own: `journalctl -t uckers-table UCKERS_MATCH=3`.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir
from traceback import format_exception

from uckers_table.foreign.words import PlainStream
from uckers_table.machine.files import is_there, size_of

LOGGER = "uckers_table"
LEVELS = ("debug", "info", "warning", "error")
JOURNAL = Path("/run/systemd/journal/socket")
"""Where the journal takes entries (systemd's "Native Journal Protocol")."""
FAILURES, MOST_FAILURES = "failures.log", 2**20
"""Where tracebacks are kept that no journal takes, and how many bytes of them before it begins anew."""
_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
"""The levels as syslog numbers them."""


def facts(**fields: object) -> Mapping[str, object]:
    """What is known beside the words of an entry: names are letters and underscores."""
    return {"facts": fields}


def keep_traceback(error: BaseException, journal: Path = JOURNAL) -> str:
    """Keep where and why the program failed, for who mends it. Where that is, in a few words for people."""
    if is_service(journal):
        handler = _JournalHandler(journal)
        failed = (type(error), error, error.__traceback__)
        handler.emit(logging.LogRecord(LOGGER, logging.ERROR, __file__, 0, "%s", (repr(error),), failed))
        handler.close()
        return "`journalctl -t uckers-table` has the traceback"
    told = (
        f"{datetime.now().astimezone().isoformat(timespec='seconds')}\n{''.join(format_exception(error))}\n"
    )
    for folder in (_state_folder, lambda: Path(gettempdir()) / f"uckers-table-{os.getuid()}"):
        # RuntimeError: this user has no home.
        with suppress(OSError, RuntimeError):
            return f"the traceback is in {_append(folder() / FAILURES, told)}"
    return "the traceback could not be kept anywhere"


def _state_folder() -> Path:
    """Where a user's programs keep what they know beyond a run (XDG Base Directory Specification)."""
    given = os.environ.get("XDG_STATE_HOME", "")
    return (Path(given) if given else Path("~/.local/state").expanduser()) / "uckers-table"


def _append(path: Path, text: str) -> Path:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    is_full = size_of(path) > MOST_FAILURES
    how = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | (os.O_TRUNC if is_full else os.O_APPEND)
    with os.fdopen(os.open(path, how, 0o600), "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return path


def is_service(journal: Path = JOURNAL) -> bool:
    """Whether systemd runs this process and takes its log."""
    return "JOURNAL_STREAM" in os.environ and is_there(journal)


def log_as(level: str, journal: Path = JOURNAL) -> None:
    """Log what is at least so important, from now on, wherever this process's log belongs."""
    logger = logging.getLogger(LOGGER)
    to_journal = is_service(journal)
    # An entry may quote whatever file is at fault: it commands no terminal.
    handler = _JournalHandler(journal) if to_journal else logging.StreamHandler(PlainStream(sys.stderr))
    if not to_journal:
        handler.setFormatter(_PlainFormatter("%(levelname)s: %(message)s"))
    for old in logger.handlers[:]:
        logger.removeHandler(old)
        old.close()
    logger.addHandler(handler)
    logger.setLevel(level.upper())
    logger.propagate = False


class _PlainFormatter(logging.Formatter):
    """Words, and the facts after them."""

    def format(self, record: logging.LogRecord) -> str:
        known = getattr(record, "facts", {})
        return " ".join([super().format(record), *(f"{name}={value}" for name, value in known.items())])


class _JournalHandler(logging.Handler):
    """Hands entries to the journal, one a datagram; what it does not take is nobody's loss but the log's."""

    def __init__(self, journal: Path) -> None:
        super().__init__()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._journal = str(journal)

    def emit(self, record: logging.LogRecord) -> None:
        fields = {
            "MESSAGE": self.format(record),
            "PRIORITY": _PRIORITIES.get(record.levelno, 5),
            "SYSLOG_IDENTIFIER": "uckers-table",
            "LOGGER": record.name,
            "CODE_FILE": record.pathname,
            "CODE_LINE": record.lineno,
        }
        known = getattr(record, "facts", {})
        fields |= {f"UCKERS_{name.upper()}": value for name, value in known.items()}
        try:
            self._socket.sendto(b"".join(_field(*field) for field in fields.items()), self._journal)
        except OSError:
            return

    def close(self) -> None:
        self._socket.close()
        super().close()


def _field(name: str, value: object) -> bytes:
    """A field as the journal takes it: lines of text are told with their length."""
    data = str(value).encode(errors="replace")
    if b"\n" not in data:
        return name.encode() + b"=" + data + b"\n"
    return name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"
