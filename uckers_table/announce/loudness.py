"""How much is said and shown: three levels, and for each thing the level from which on people are told of it.

The levels change nothing of what is ruled, recorded or judged again. `SPOKEN_FROM` is the whole custom: a
mess that wants to hear more, or less, of something moves its line. What is said then is worded in
`sentences`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from uckers_table.announce.sentences import blob_sentence, owed_sentence, say
from uckers_table.game.board import Board
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.rulings import Notice, NoticeKind


class Loudness(StrEnum):
    """How much people want to be told, each level all of the one before."""

    QUIET = "quiet"
    """Accusations, questions, faults of dice, what cannot be seen, and who has won."""
    CALLS = "calls"
    """Also what is called, what comes of it, and what players have to know to go on."""
    CHATTY = "chatty"
    """Also what everybody could see: throws, blobs made, what is still to be thrown."""


class Aside(StrEnum):
    """What is no ruling, and can be said all the same."""

    THROW = "throw"
    """The dice, read out as they are taken."""
    BLOB = "blob"
    """A blob made by the play that was just recognised."""
    OWED = "owed"
    """The throws that the side still has after that play."""


Sayable = Kind | NoticeKind | Aside

_QUIET, _CALLS, _CHATTY = Loudness

SPOKEN_FROM: Mapping[Sayable, Loudness] = {
    # Accusations.
    Kind.ILLEGAL: _QUIET,
    Kind.TIMBER_SHIFT: _QUIET,
    # Questions, and the referee's own confusion with the two ways out of it.
    NoticeKind.CHECK: _QUIET,
    NoticeKind.UPBOARD: _QUIET,
    NoticeKind.WHICH_CALL: _QUIET,
    NoticeKind.OUT_OF_STEP: _QUIET,
    NoticeKind.PUT_THIS_RIGHT: _QUIET,
    # Faults of dice, and dice that count otherwise than they seem to.
    Kind.COCKED: _QUIET,
    Kind.DROPPED: _QUIET,
    Kind.PENALTY: _QUIET,
    NoticeKind.DICE_TURNED: _QUIET,
    NoticeKind.DICE_DIFFER: _QUIET,
    NoticeKind.DICE_UNREAD: _QUIET,
    NoticeKind.DICE_REREAD: _QUIET,
    NoticeKind.WRONG_DICE: _QUIET,
    # What cannot be seen: a lost camera or tower sees nothing either.
    NoticeKind.CANNOT_SEE: _QUIET,
    NoticeKind.DEVICE_LOST: _QUIET,
    # Nobody may have seen the light go out.
    NoticeKind.RESUMED: _QUIET,
    # Who has won, also by the other side's upboard.
    Kind.WON: _QUIET,
    Kind.UPBOARD: _QUIET,
    # What is called, and what comes of it.
    Kind.CHALLENGE: _CALLS,
    Kind.CHALLENGE_THROW: _CALLS,
    Kind.CHALLENGE_WON: _CALLS,
    Kind.CHALLENGE_LOST: _CALLS,
    Kind.SUCKBACK_WON: _CALLS,
    Kind.SUCKBACK_LOST: _CALLS,
    Kind.BLOWBACK_WON: _CALLS,
    Kind.BLOWBACK_LOST: _CALLS,
    Kind.SNAKE_EYES: _CALLS,
    Kind.CALL_ACCEPTED: _CALLS,
    Kind.CALL_REFUSED: _CALLS,
    NoticeKind.MUST_CHALLENGE: _CALLS,
    NoticeKind.CHALLENGE_MEANT: _CALLS,
    # How the turn goes on; of a legal play there is nothing to say but its honours.
    Kind.THROW_OFF: _CALLS,
    Kind.LEGAL: _CALLS,
    Kind.VOID: _CALLS,
    Kind.GATE: _CALLS,
    Kind.PUT_RIGHT: _CALLS,
    Kind.STOOD: _CALLS,
    NoticeKind.TRUSTED: _CALLS,
    NoticeKind.BACK_IN_STEP: _CALLS,
    NoticeKind.TAKEN_BACK: _CALLS,
    NoticeKind.PUT_BACK: _CALLS,
    NoticeKind.REVISED: _CALLS,
    NoticeKind.SEES_AGAIN: _CALLS,
    NoticeKind.DEVICE_BACK: _CALLS,
    # What everybody could see.
    Kind.PASS: _CHATTY,
    NoticeKind.THROW_HELD: _CHATTY,
    Aside.THROW: _CHATTY,
    Aside.BLOB: _CHATTY,
    Aside.OWED: _CHATTY,
}
"""From which level on each thing is spoken. What has no sentence is shown, and not spoken."""
SHOWN_FROM: Mapping[Sayable, Loudness] = {**SPOKEN_FROM, Kind.PASS: _CALLS}
"""From which level on each thing is shown: why nobody can move, before it is worth hearing."""


def is_told(what: Sayable, loudness: Loudness) -> bool:
    """Whether people are shown a thing at this level."""
    return _reaches(SHOWN_FROM[what], loudness)


def _reaches(level: Loudness, loudness: Loudness) -> bool:
    levels = list(Loudness)
    return levels.index(level) <= levels.index(loudness)


def spoken(ruling: Ruling | Notice, board: Board, loudness: Loudness) -> str:
    """What is said of a ruling or notice at this level; empty where that is nothing."""
    if not _reaches(SPOKEN_FROM[ruling.kind], loudness):
        return ""
    if ruling.kind is NoticeKind.DICE_REREAD and is_told(Aside.THROW, loudness):
        # They have been read out as they were misread.
        ruling = replace(ruling, unspoken=False)
    words = [say(ruling, board)]
    if isinstance(ruling, Ruling) and ruling.kind is Kind.LEGAL:
        words += [blob_sentence(ruling, board)] if is_told(Aside.BLOB, loudness) else []
        words += [owed_sentence(ruling)] if is_told(Aside.OWED, loudness) else []
    return " ".join(filter(None, words))
