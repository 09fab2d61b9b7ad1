"""Words that strangers wrote, where they could do something: on a terminal, and in a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TextIO

_UNSHOWN = (
    # Controls: they move the cursor, set colours and titles, or end a line. Then halves of characters.
    "\x00-\x1f\x7f-\x9f\ud800-\udfff"
    # What turns the direction of writing, so that a line reads other than it is; line ends of Unicode's own.
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
)
_IN_WORDS = re.compile(f"[{_UNSHOWN}]")
_IN_LINES = re.compile(rf"(?!\n)[{_UNSHOWN}]")
STAND_IN = "\ufffd"
"""What is shown in their place."""
ERASED = "\r\x1b[K"
"""Takes back what stands in a terminal's line."""
_FORMULA = ("=", "+", "-", "@")


def printable(words: str) -> str:
    """Words of one line, with STAND_IN for whatever a terminal or a reader would take for something else."""
    # Nearly all words are printable, and asking takes a tenth of the time.
    return words if words.isprintable() else _IN_WORDS.sub(STAND_IN, words)


def cell(words: str) -> str:
    """Words for a table that a spreadsheet opens: never a formula, whatever they begin with.

    >>> cell("=1+1"), cell("red throws 6")
    ("'=1+1", 'red throws 6')
    """
    shown = printable(words)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown


def as_typed(value: object) -> str:
    """A value as people type it into a file: true and false, and words in quotes.

    >>> as_typed(True), as_typed("X"), as_typed(3)
    ('true', "'X'", '3')
    """
    return str(value).lower() if isinstance(value, bool) else repr(value)


class PlainStream:
    """A stream for text, to which lines go and nothing that would command a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write it, with STAND_IN for what is not shown; how many characters were given."""
        self._stream.write(_IN_LINES.sub(STAND_IN, text))
        return len(text)

    def rewrite(self, line: str) -> None:
        """Have this in the terminal's line instead of what stands there: no more than this is commanded."""
        self._stream.write(f"{ERASED}{printable(line)}")
        self._stream.flush()

    def writelines(self, lines: Iterable[str]) -> None:
        """Write them one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
