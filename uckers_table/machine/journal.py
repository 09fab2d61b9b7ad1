"""The program's log: in the journal where systemd runs it, otherwise on standard error; quiet by default.

Who logs something gives facts beside the words (`extra=facts(match=3)`), and the journal keeps them as fields
of their own: `journalctl -t uckers-table UCKERS_MATCH=3`.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from pathlib import Path

LOGGER = "uckers_table"
LEVELS = ("debug", "info", "warning", "error")
JOURNAL = Path("/run/systemd/journal/socket")
"""Where the journal takes entries (systemd's "Native Journal Protocol")."""
_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
"""The levels as syslog numbers them."""


def facts(**fields: object) -> Mapping[str, object]:
    """What is known beside the words of an entry: names are letters and underscores."""
    return {"facts": fields}


def log_as(level: str, journal: Path = JOURNAL) -> None:
    """Log what is at least so important, from now on, wherever this process's log belongs."""
    logger = logging.getLogger(LOGGER)
    is_service = "JOURNAL_STREAM" in os.environ and journal.exists()
    handler = _JournalHandler(journal) if is_service else logging.StreamHandler()
    if not is_service:
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
