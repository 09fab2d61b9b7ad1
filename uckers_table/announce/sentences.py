"""What a person hears: one level sentence for each ruling. Pure wording; nothing here decides anything.

All wording of the voice is here, what is said of boards that do not follow in `accusations`, and what
squares and pieces are called in `words`: a mess that wants other words need look nowhere else. Rulings
that are plain play (a legal board, a throw put down) have no sentence: most of the time the referee is
silent. Who wants to hear more, or less, sets the `loudness`.
"""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.announce.accusations import put_back, walked, what_moved, what_was_open, what_was_wrong
from uckers_table.announce.taking_back import matter_in_words, what_stays
from uckers_table.announce.words import (
    capital,
    colours,
    count,
    listed,
    name,
    origin,
    pieces_of,
    place,
    place_in_words,
    throw_in_words,
    way,
    where,
)
from uckers_table.game.board import BASE, Board
from uckers_table.game.events import Call
from uckers_table.game.open_calls import numbered
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.ways import SIX
from uckers_table.referee.putting_right import Misplaced
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind

_HONOURS = {
    "eight_piecer": "Eight-piecer",
    "in_harbour": "Eight piece in harbour",
    "dicking_midgame": "Eight-piece dicking",
}


def sentence(ruling: Ruling, board: Board) -> str:
    """The sentence for a ruling of the game; empty where nothing is said."""
    who = name(board, ruling.seat)
    match ruling.kind:
        case Kind.LEGAL:
            return _honours(ruling)
        case Kind.ILLEGAL:
            to_do = "" if ruling.thrown_on else what_was_open(ruling, board)
            return _spoken("Illegal.", what_was_wrong(ruling, board), to_do)
        case Kind.TIMBER_SHIFT:
            to_do = "" if ruling.thrown_on else put_back(ruling.moves)
            return _spoken("Timber shift.", f"{what_moved(ruling.moves, board)}.", to_do)
        case Kind.PUT_RIGHT:
            return "Thank you."
        case Kind.STOOD:
            return _spoken("The board stands as it is.", _honours(ruling))
        case Kind.PASS:
            return f"{who} cannot move.{' Throw again.' if ruling.owed else ''}"
        case Kind.VOID:
            waiting = ruling.why or f"{who} has {throw_in_words(ruling.throw)} in hand"
            return f"Not yet. {capital(waiting)}."
        case Kind.THROW_OFF:
            return _throw_off(ruling, who, board)
        case Kind.COCKED | Kind.DROPPED:
            return _fault(ruling)
        case Kind.PENALTY:
            return _penalty(ruling, board, who)
        case Kind.UPBOARD:
            names = _names(ruling, board)
            return f"Upboard by {who.lower()}{f': {names}' if names else ''}."
        case Kind.WON:
            won = f"{colours(board, ruling.winner)} {'have' if len(ruling.winner) > 1 else 'has'} won."
            return _spoken(won, _honours(ruling, _names(ruling, board)))
        case _:
            return _call_sentence(ruling, board, who)


def _call_sentence(ruling: Ruling, board: Board, who: str) -> str:
    match ruling.kind:
        case Kind.CHALLENGE:
            return _spoken(f"{who} challenges.", _sixes(ruling))
        case Kind.CHALLENGE_THROW:
            return _sixes(ruling)
        case Kind.CHALLENGE_WON:
            return _spoken("Challenge won.", _after_call(ruling, board))
        case Kind.CHALLENGE_LOST:
            return "No six. " + (_sixes(ruling) if ruling.count else "Challenge lost.")
        case Kind.CALL_ACCEPTED:
            return _ACCEPTED.get(ruling.why, "{who} calls {what}.").format(who=who, what=ruling.why)
        case Kind.CALL_REFUSED:
            return f"Refused: {ruling.why}." if ruling.why else "Refused."
        case Kind.SUCKBACK_WON:
            return _spoken("Sucked back.", _after_call(ruling, board))
        case Kind.SUCKBACK_LOST:
            return _spoken("Suckback missed.", _after_call(ruling, board) or _tries(ruling))
        case Kind.BLOWBACK_WON:
            return _spoken("Blown back.", _after_call(ruling, board))
        case Kind.BLOWBACK_LOST:
            return _spoken("Blowback missed.", _tries(ruling))
        case Kind.SNAKE_EYES:
            return _snake_eyes(ruling, board)
        case Kind.GATE:
            six = SIX in ruling.throw
            return f"{who} has the six and helps next turn." if six else f"{who} waits for a six to help."
        case _:
            return ""


_ACCEPTED = {
    "a stand-up finish": "{who} stands up for the finish.",
    "no play": "{who} leaves the throw.",
    "no challenge": "{who} leaves the challenge.",
    "no further throw": "{who} throws no more.",
}
"""Calls that are not simply named."""


def throw_sentence(board: Board, seat: int, dice: tuple[int, ...]) -> str:
    """A throw read out: "Red throws 6 and 3." """
    return f"{name(board, seat)} throws {throw_in_words(dice)}."


def blob_sentence(ruling: Ruling, board: Board) -> str:
    """The blobs that a play has made, not those that it moved on: "Red makes a blob on green's doorstep."

    Empty where there is none, or where the play may have been another.
    """
    if ruling.alike:
        return ""
    made = []
    for seat, steps in dict.fromkeys((move.seat, move.end) for move in ruling.moves):
        starts = [move.start for move in ruling.moves if (move.seat, move.end) == (seat, steps)]
        number = ruling.position[seat].count(steps)
        # A blob that is moved comes from one square; pieces from base never stood together.
        together = number - len(starts) + starts.count(BASE) + len(set(starts) - {BASE})
        if board.square(seat, steps) is not None and together > 1:
            what = "a blob" if number == 2 else f"a blob of {count(number)}"
            made.append(f"{name(board, seat)} makes {what} on {place(board, seat, steps)}.")
    return _spoken(*made)


def owed_sentence(ruling: Ruling) -> str:
    """The throws that a side still has after a play: "One more throw." """
    if not ruling.owed:
        return ""
    return f"{capital(count(ruling.owed))} more {'throw' if ruling.owed == 1 else 'throws'}."


def _throw_off(ruling: Ruling, who: str, board: Board) -> str:
    if ruling.tied:
        return f"{colours(board, ruling.tied)} throw again."
    if ruling.why == "starts":
        return f"{who} starts."
    return f"{who} throws {sum(ruling.throw)} for start." if ruling.throw else ""


def _fault(ruling: Ruling) -> str:
    if ruling.count > 1:
        return f"{ruling.kind.capitalize()}. That is {count(ruling.count)}."
    return f"{'Off the IPS' if ruling.off_the_ips else ruling.kind.capitalize()}. Throw again."


def _penalty(ruling: Ruling, board: Board, who: str) -> str:
    if ruling.deliberate:
        return f"Dropped on purpose. {who} loses the go."
    third = f"That is {count(ruling.count)}."
    seats = list(dict.fromkeys(move.seat for move in ruling.moves))
    if not seats:
        return f"{third} {who} loses the go."
    whose = listed([f"{board.seats[seat]}'s" for seat in seats])
    if any(ruling.position[seat].count(board.home) for seat in seats):
        return f"{third} {capital(whose)} pieces go back to base, but not those at home."
    return f"{third} All {whose} pieces go back to base."


def _sixes(ruling: Ruling) -> str:
    """What a challenge still wants: "Two sixes wanted.", "One six wanted. Touch wood." """
    wanted = f"{capital(count(ruling.wanted))} {'six' if ruling.wanted == 1 else 'sixes'} wanted."
    return f"{wanted} Touch wood." if ruling.touch_wood else wanted


def _tries(ruling: Ruling) -> str:
    """How many more calls a miss leaves, once they come to an end."""
    if ruling.tries_left is None:
        return ""
    return f"{capital(count(ruling.tries_left))} {'try' if ruling.tries_left == 1 else 'tries'} left."


def _snake_eyes(ruling: Ruling, board: Board) -> str:
    out = list(dict.fromkeys(move.seat for move in ruling.moves if move.start == BASE))
    if out:
        comes = f"{colours(board, out)} {'comes' if len(out) == 1 else 'come'} out."
        return _spoken("Snake eyes.", comes, _after_call(ruling, board))
    back = list(dict.fromkeys(move.seat for move in ruling.moves))
    return f"Snake eyes again. {colours(board, back)} {'go' if len(back) > 1 else 'goes'} back in."


def _after_call(ruling: Ruling, board: Board) -> str:
    """What a ruling did to the pieces, for hands to do: "Red's blob goes to base, blue goes one on." """
    back = [move for move in ruling.moves if move.end == BASE]
    parts = []
    for seat in dict.fromkeys(move.seat for move in back):
        number = sum(move.seat == seat for move in back)
        what = {1: "piece", 2: "blob"}.get(number, f"blob of {count(number)}")
        parts.append(f"{board.seats[seat]}'s {what} goes to base")
    if ruling.kind in (Kind.SUCKBACK_WON, Kind.SUCKBACK_LOST):
        parts += [f"{board.seats[move.seat]} goes one on" for move in walked(ruling.moves)]
    return f"{capital(listed(parts))}." if parts else ""


def _honours(ruling: Ruling, more: str = "") -> str:
    """What an end or a loss is called, and what comes of it: "Eight-piecer." """
    called = ", ".join(_HONOURS[honour] for honour in ruling.honours if honour in _HONOURS)
    return f"{called}{f': {more}' if more else ''}." if called else ""


def _names(ruling: Ruling, board: Board) -> str:
    """Who is written on the board's back, if anybody is."""
    names = listed([board.seats[seat] for seat in ruling.on_reverse])
    go = "goes" if len(ruling.on_reverse) == 1 else "go"
    return f"{names} {go} on the back of the board" if names else ""


def _spoken(*parts: str) -> str:
    """Sentences one after the other, those left out that are empty."""
    return " ".join(filter(None, parts))


_TROUBLES = {
    "too_dark": "It is too dark to see the board.",
    "colours_indistinct": "I can't tell the colours. Press the buttons, or wait.",
    "board_not_found": "I can't find the board.",
}


def notice_sentence(notice: Notice, board: Board) -> str:
    """The sentence for what the referee says of itself and of the table; empty where nothing is said."""
    match notice.kind:
        case NoticeKind.CANNOT_SEE:
            return _TROUBLES.get(notice.about, "I can't see the board.")
        case NoticeKind.SEES_AGAIN:
            return "I can see again."
        case NoticeKind.CHECK:
            where = " and ".join(place_in_words(board, each) for each in notice.places)
            return f"Check {'the dice' if notice == CHECK_DICE else where or 'the board'}."
        case NoticeKind.MUST_CHALLENGE:
            return f"{notice.about.capitalize()} must challenge."
        case NoticeKind.UPBOARD:
            return "Upboard? If so, press done."
        case NoticeKind.WHICH_CALL:
            return f"Which one? Press its number{_choices(notice.calls, board)}."
        case NoticeKind.OUT_OF_STEP:
            return f"{_out_of_step(*notice.numbers)} Press done to take it as it stands."
        case NoticeKind.PUT_THIS_RIGHT if notice.piece is not None:
            return _spoken(f"To put it right, {_put_right(notice.piece, board)}.", _left(*notice.numbers))
        case NoticeKind.BACK_IN_STEP:
            return "Thank you. The board is as I have it."
        case NoticeKind.TRUSTED:
            return "Taken as it stands."
        case NoticeKind.TAKEN_BACK:
            return _taken_back(notice, board)
        case NoticeKind.PUT_BACK if notice.matter is not None:
            return _spoken(f"Put back: {matter_in_words(notice.matter, board)}.", f"{_whose(notice)}.")
        case NoticeKind.RESUMED:
            some = f"{count(notice.owed)} throw{'s' if notice.owed > 1 else ''} owed" if notice.owed else ""
            return f"Match resumed. {', '.join(filter(None, (_whose(notice), some)))}."
        case NoticeKind.DEVICE_LOST:
            instead = "Tell me the dice." if notice.is_by_hand else "Dice from the camera."
            return _spoken(f"{notice.about.capitalize()} lost.", instead if notice.about == "tower" else "")
        case NoticeKind.DEVICE_BACK:
            return f"{notice.about.capitalize()} back."
        case NoticeKind.DICE_TURNED:
            return "Dice as they lie, please."
        case NoticeKind.DICE_DIFFER:
            return (
                f"Two readings: {listed([_reading(*reading) for reading in notice.readings])}. Throw again."
            )
        case NoticeKind.DICE_UNREAD:
            return "I can't read the dice. Throw again."
        case NoticeKind.DICE_REREAD:
            return f"I misread the dice. They say {throw_in_words(notice.numbers)}."
        case NoticeKind.WRONG_DICE:
            seen, wanted = map(_dice, notice.numbers)
            return f"{capital(seen)}. Throw again with {wanted}."
        case _:
            return ""


def _taken_back(notice: Notice, board: Board) -> str:
    """What was taken back. Only an accusation was the referee's own mistake."""
    whose, matter = f"{_whose(notice)}.", notice.matter
    if matter is None or matter.is_accusation:
        return _spoken("My mistake. Taken back.", whose)
    is_in_hand = [throw.dice for _, throw in matter.stays] == [notice.numbers]
    stays = "" if is_in_hand else what_stays(matter, board)
    return _spoken(f"Taken back: {matter_in_words(matter, board)}.", whose, stays)


def _put_right(piece: Misplaced, board: Board) -> str:
    """What hands have to do: "move a red piece from green's doorstep to the fifth square after it"."""
    what = pieces_of(board, [piece.seat])
    if piece.stands is None:
        return f"put {what} {where(board, piece.seat, piece.belongs)}"
    return f"move {what} {way(board, piece.seat, piece.stands, piece.belongs)}"


def _out_of_step(pieces: int = 0) -> str:
    """What is wrong with the board as a whole; so many pieces, if anybody has counted them."""
    if not pieces:
        return "The board is not as I have it."
    if pieces == 1:
        return "One piece is not where I left it."
    return f"{capital(count(pieces))} pieces are not where I left them."


def _whose(notice: Notice) -> str:
    """Whose turn it is, and with what: "Red to throw", "Red has 6 and 3 in hand"."""
    now = f"has {throw_in_words(notice.numbers)} in hand" if notice.numbers else "to throw"
    return f"{notice.about.capitalize()} {now}"


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
    what = _OFFERED.get(call.kind, call.kind.replace("_", " "))
    number = "" if call.target is None else str(call.target)
    from_where = (
        "" if call.seat is None or call.steps is None else f"from {origin(board, call.seat, call.steps)}"
    )
    return _spoken(what, number, "double" if call.double else "", from_where)


def _left(pieces: int) -> str:
    """How many pieces are to be put right after this one."""
    return f"{capital(count(pieces))} more after it." if pieces else ""


def _reading(source: str, shown: tuple[int, ...] | Kind) -> str:
    """Who read the dice, and how: "the tower 6 and 3", "the camera cocked"."""
    return f"the {source} {shown.value if isinstance(shown, Kind) else throw_in_words(shown)}"


def _dice(number: int) -> str:
    return f"{count(number)} {'die' if number == 1 else 'dice'}"


def say(ruling: Ruling | Notice, board: Board) -> str:
    """The sentence for whatever the referee puts out; empty for a ruling that stays unspoken."""
    if ruling.unspoken:
        return ""
    return notice_sentence(ruling, board) if isinstance(ruling, Notice) else sentence(ruling, board)
