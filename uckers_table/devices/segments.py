"""A sentence as the words and phrases of a pack, from which it can be put together. Text only: no sound.

What is written in digits is spoken in words, so "6" and "six" are one entry; "red's" is one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

_UNITS = (
    *("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


class Stop(IntEnum):
    """How long a speaker waits after a word."""

    NONE = 0
    COMMA = 1
    FULL = 2


@dataclass(frozen=True)
class Segment:
    """Words that are spoken in one go, in small letters. `is_known`: the pack has them as one entry."""

    words: str
    is_known: bool
    stop: Stop = Stop.NONE


_Tokens = tuple[tuple[str, Stop], ...]


class Pack:
    """The words and phrases that a mess records.

    >>> pack = Pack(["Timber shift", "red", "red's", "one", "6"])
    >>> [segment.words for segment in pack.segments("Timber shift. Red moved 6.")]
    ['timber shift', 'red', 'moved', 'six']
    """

    def __init__(self, phrases: Sequence[str]) -> None:
        self.phrases: dict[str, str] = {}
        """Each phrase by the name of its file, without the ending; the first of those that sound alike."""
        self._known = set[_Tokens]()
        for phrase in phrases:
            tokens = _tokens(phrase)
            self.phrases.setdefault(clip_name(_words(tokens)), phrase)
            self._known.add(_open_ended(tokens))
        self._longest = max(map(len, self._known), default=1)

    def segments(self, sentence: str) -> tuple[Segment, ...]:
        """The sentence in the fewest entries of the pack, the longest first; what it lacks, word by word.

        No entry reaches over a comma or a full stop that it does not have itself.
        """
        tokens = _tokens(sentence)
        # From the end on: what the rest costs (unknown words, segments), and how long its first segment is.
        best: list[tuple[tuple[int, int], int]] = [((0, 0), 0)] * (len(tokens) + 1)
        for at in reversed(range(len(tokens))):
            (unknown, segments), _ = best[at + 1]
            is_known = self._knows(tokens[at : at + 1])
            best[at] = (unknown + (not is_known), segments + 1), 1
            for length in range(2, min(self._longest, len(tokens) - at) + 1):
                (unknown, segments), _ = best[at + length]
                if self._knows(tokens[at : at + length]) and (unknown, segments + 1) <= best[at][0]:
                    best[at] = (unknown, segments + 1), length
        made, at = [], 0
        while at < len(tokens):
            some = tokens[at : at + best[at][1]]
            made.append(Segment(_words(some), self._knows(some), some[-1][1]))
            at += len(some)
        return tuple(made)

    def _knows(self, tokens: _Tokens) -> bool:
        return _open_ended(tokens) in self._known


def clip_name(phrase: str) -> str:
    """The name of a phrase's file, without its ending: "touch-wood" for "Touch wood."

    >>> clip_name("I can't see the board.")
    'i-cant-see-the-board'
    """
    return re.sub(r"[^a-z0-9]+", "-", phrase.lower().replace("'", "")).strip("-")


def _tokens(text: str) -> _Tokens:
    """Each word in small letters, and the stop that follows it: (("cocked", FULL), ("throw", NONE), …)."""
    found = re.findall(r"([a-z]+(?:'[a-z]+)*|\d+)([^a-z\d]*)", text.lower())
    tokens = [(word, _stop(between)) for word, between in found]
    return tuple(
        (part, stop if is_last else Stop.NONE)
        for word, stop in tokens
        for part, is_last in _parts(_number(int(word)) if word.isdigit() else word)
    )


def _parts(words: str) -> list[tuple[str, bool]]:
    parts = words.split()
    return [(part, number == len(parts)) for number, part in enumerate(parts, 1)]


def _stop(between: str) -> Stop:
    if re.search(r"[.?!](\s|$)", between):
        return Stop.FULL
    return Stop.COMMA if re.search(r"[,;:–]", between) else Stop.NONE


def _number(number: int) -> str:
    """A number as it is spoken, digit by digit from a hundred on: "six", "twenty one", "one two three"."""
    if number < len(_UNITS):
        return _UNITS[number]
    if number > 99:
        return " ".join(_UNITS[int(digit)] for digit in str(number))
    tens, units = divmod(number, 10)
    return f"{_TENS[tens]} {_UNITS[units]}" if units else _TENS[tens]


def _words(tokens: _Tokens) -> str:
    return " ".join(word for word, _ in tokens)


def _open_ended(tokens: _Tokens) -> _Tokens:
    """The same words, whatever follows them."""
    return (*tokens[:-1], (tokens[-1][0], Stop.NONE)) if tokens else ()
