"""What is read on page, display and record: the whole of a ruling, with what there is no time to say aloud.

Where nothing is added here, what is read is what is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.announce.accusations import accusation
from uckers_table.announce.passes import why_nothing_moves
from uckers_table.announce.plays import play_in_words
from uckers_table.announce.sentences import notice_sentence, passed_sentence, sentence, whose_turn
from uckers_table.announce.taking_back import matter_in_words, what_stays
from uckers_table.announce.words import (
    capital,
    colours,
    count,
    from_to,
    listed,
    name,
    origin,
    pieces_of,
    throw_in_words,
    where,
)
from uckers_table.game.board import BASE, Board
from uckers_table.game.events import Call
from uckers_table.game.open_calls import numbered
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.rulings import Misplaced, Notice, NoticeKind


def in_full(ruling: Ruling | Notice, board: Board) -> str:
    """A ruling's or notice's whole text, whatever the loudness; of a play also what was played.

    Of a ruling that stays unspoken, only what was played.
    """
    if isinstance(ruling, Notice):
        return "" if ruling.unspoken else _notice(ruling, board)
    if ruling.unspoken:
        return play_in_words(ruling, board)
    played = play_in_words(ruling, board) if ruling.kind in (Kind.LEGAL, Kind.WON) else ""
    return " ".join(filter(None, (played, _ruling(ruling, board))))


def _ruling(ruling: Ruling, board: Board) -> str:
    match ruling.kind:
        case Kind.ILLEGAL | Kind.TIMBER_SHIFT:
            return accusation(ruling, board).in_full
        case Kind.PASS:
            why = why_nothing_moves(ruling, board, places=True)
            return passed_sentence(ruling, name(board, ruling.seat), why)
        case Kind.CALL_REFUSED if ruling.why:
            heard, _, read = ruling.why.partition(": ")
            return f"Refused: {read or heard}."
        case Kind.SNAKE_EYES:
            return f"{sentence(ruling, board)} {_snake_eyes(ruling, board)}"
        case _:
            return sentence(ruling, board)


def _snake_eyes(ruling: Ruling, board: Board) -> str:
    out = list(dict.fromkeys(move.seat for move in ruling.moves if move.start == BASE))
    if out:
        return f"{colours(board, out)} {'comes' if len(out) == 1 else 'come'} out."
    back = list(dict.fromkeys(move.seat for move in ruling.moves))
    return f"{colours(board, back)} {'goes' if len(back) == 1 else 'go'} back in."


def _notice(notice: Notice, board: Board) -> str:
    match notice.kind:
        case NoticeKind.WHICH_CALL:
            return f"{notice_sentence(notice, board).removesuffix('.')}{_choices(notice.calls, board)}."
        case NoticeKind.PUT_THIS_RIGHT if notice.piece is not None:
            more = f" {capital(count(notice.numbers[0]))} more after it." if any(notice.numbers) else ""
            return f"To put it right, {_put_right(notice.piece, board)}.{more}"
        case NoticeKind.BACK_IN_STEP:
            return "Thank you. The board is as I have it."
        case NoticeKind.TRUSTED:
            return "The board is taken as it stands."
        case NoticeKind.REVISED:
            return "I had it wrong. The record is mended."
        case NoticeKind.TAKEN_BACK if notice.matter is not None and not notice.matter.is_accusation:
            return _taken_back(notice, board)
        case NoticeKind.PUT_BACK if notice.matter is not None:
            return f"Put back: {matter_in_words(notice.matter, board)}. {whose_turn(notice)}."
        case NoticeKind.DICE_DIFFER:
            readings = listed([_reading(*reading) for reading in notice.readings])
            return f"Two readings: {readings}. Throw again."
        case NoticeKind.DICE_REREAD:
            return f"I misread the dice. They say {throw_in_words(notice.numbers)}."
        case NoticeKind.WRONG_DICE:
            seen, wanted = map(_dice, notice.numbers)
            return f"{capital(seen)}. Throw again with {wanted}."
        case _:
            return notice_sentence(notice, board)


def _taken_back(notice: Notice, board: Board) -> str:
    """What was taken back, whose turn it is, and which throws stay."""
    matter = notice.matter
    assert matter is not None
    is_in_hand = [throw.dice for _, throw in matter.stays] == [notice.numbers]
    stays = "" if is_in_hand else what_stays(matter, board)
    parts = (f"Taken back: {matter_in_words(matter, board)}.", f"{whose_turn(notice)}.", stays)
    return " ".join(filter(None, parts))


def _put_right(piece: Misplaced, board: Board) -> str:
    """What hands have to do: "move a red piece from green's doorstep to red's mouth"."""
    what = pieces_of(board, [piece.seat])
    if piece.stands is None:
        return f"put {what} {where(board, piece.seat, piece.belongs)}"
    return f"move {what} {from_to(board, piece.seat, piece.stands, piece.belongs)}"


def _choices(calls: Sequence[Call], board: Board) -> str:
    """Which number is which call, where that is not the number called: ": 1 from red's base, 2 from …"."""
    by_number = numbered(calls)
    if all(call.target == number for number, call in by_number.items()):
        return ""
    return ": " + ", ".join(f"{number} {_called(call, board)}" for number, call in by_number.items())


_OFFERED = {"challenge": "", "stand_up_finish": "a stand-up finish", "decline": "no further throw"}
"""Calls that are not offered by their names."""


def _called(call: Call, board: Board) -> str:
    """A call by what tells it from others: "from red's base", "suckback 3 from green's mouth"."""
    if call.kind == "colours" and call.seat is not None:
        return f"{board.seats[call.seat]} starts"
    if call.kind == "upboard" and call.seat is not None:
        return board.seats[call.seat]
    what = _OFFERED.get(call.kind, call.kind.replace("_", " "))
    number = "" if call.target is None else str(call.target)
    from_where = (
        "" if call.seat is None or call.steps is None else f"from {origin(board, call.seat, call.steps)}"
    )
    return " ".join(filter(None, (what, number, "double" if call.double else "", from_where)))


def _reading(source: str, shown: tuple[int, ...] | Kind) -> str:
    """Who read the dice, and how: "the tower 6 and 3", "the camera cocked"."""
    return f"the {source} {shown.value if isinstance(shown, Kind) else throw_in_words(shown)}"


def _dice(number: int) -> str:
    return f"{count(number)} {'die' if number == 1 else 'dice'}"
