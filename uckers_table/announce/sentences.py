"""What a person hears: one level sentence for each ruling. Pure wording; nothing here decides anything.

All wording of the voice is in this module, so that a mess that wants other words looks in one place.
Rulings that are plain play (a legal board, a throw put down) have no sentence: most of the time the
referee is silent.
"""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board
from uckers_table.game.ruling import Kind, Move, Reason, Ruling
from uckers_table.referee.rulings import Notice, NoticeKind

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = (
    *("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
)
_HONOURS = {
    "eight_piecer": "Eight-piecer",
    "in_harbour": "Eight piece in harbour",
    "dicking_midgame": "Eight-piece dicking",
}


def sentence(ruling: Ruling, board: Board) -> str:
    """The sentence for a ruling of the game; empty where nothing is said."""
    who = name(board, ruling.seat)
    match ruling.kind:
        case Kind.ILLEGAL:
            return f"Illegal. {_what_was_wrong(ruling, board)}"
        case Kind.TIMBER_SHIFT:
            return _timber_shift(ruling, board)
        case Kind.PUT_RIGHT:
            return "Thank you."
        case Kind.STOOD:
            return "The board stands as it is."
        case Kind.PASS:
            return f"{who} cannot move."
        case Kind.VOID:
            return f"Not yet. {who} has a throw to play."
        case Kind.THROW_OFF:
            return _throw_off(ruling, who)
        case Kind.COCKED:
            return "Cocked. Throw again."
        case Kind.DROPPED:
            return f"Dropped. That is {count(ruling.count)}." if ruling.count > 1 else "Dropped. Throw again."
        case Kind.PENALTY:
            return _penalty(ruling, who)
        case Kind.UPBOARD:
            return "Upboard."
        case Kind.WON:
            return _won(ruling, board)
        case _:
            return _call_sentence(ruling, board, who)


def _call_sentence(ruling: Ruling, board: Board, who: str) -> str:
    match ruling.kind:
        case Kind.CHALLENGE:
            return f"{who} challenges. {_sixes(ruling.wanted)}"
        case Kind.CHALLENGE_THROW:
            return f"{_sixes(ruling.wanted)}{' Touch wood.' if ruling.wanted == 1 else ''}"
        case Kind.CHALLENGE_WON:
            return _with_losses("Challenge won.", ruling, board)
        case Kind.CHALLENGE_LOST:
            return "No six. Challenge lost."
        case Kind.CALL_ACCEPTED:
            return f"{who} calls {ruling.why}." if ruling.why else f"{who}'s call is good."
        case Kind.CALL_REFUSED:
            return f"Refused: {ruling.why}." if ruling.why else "Refused."
        case Kind.SUCKBACK_WON:
            return _with_losses("Sucked back.", ruling, board)
        case Kind.SUCKBACK_LOST:
            return "Suckback missed."
        case Kind.BLOWBACK_WON:
            return _with_losses("Blown back.", ruling, board)
        case Kind.BLOWBACK_LOST:
            return "Blowback missed."
        case Kind.SNAKE_EYES:
            out = any(move.end == DOORSTEP for move in ruling.moves)
            return f"Snake eyes. {who} {'comes out' if out else 'goes back in'}."
        case Kind.GATE:
            six = 6 in ruling.throw
            return f"{who} has the six and helps next turn." if six else f"{who} waits for a six to help."
        case _:
            return ""


def _what_was_wrong(ruling: Ruling, board: Board) -> str:
    who = name(board, ruling.seat)
    threw = throw_in_words(ruling.throw)
    moved = _distances(ruling.moves, ruling.seat)
    match ruling.reason:
        case Reason.BOTH_DICE_OWED:
            return f"{who} played one die; both dice can be played: {threw}."
        case Reason.HIGHER_DIE_FIRST:
            return f"{who} played the lower die; the higher can be played: {threw}."
        case Reason.NO_SIX_TO_COME_OUT:
            return f"{who} came out without a six; the dice said {threw}."
        case Reason.THROUGH_BLOB:
            return f"{who} moved {moved or 'a piece'} through a blob; the dice said {threw}."
        case Reason.ONTO_BLOB:
            return f"{who} landed on a blob; the dice said {threw}."
        case Reason.PAST_HOME:
            return f"{who} went home on too much; it must be exact. The dice said {threw}."
        case Reason.NOT_SENT_BACK:
            return f"{who} landed on a piece that still stands; it goes back to base."
        case Reason.SINGLE_PIECE_SPLITS:
            return f"{who} took a piece on the way; one piece moves the total of {threw} at once."
        case Reason.SENT_BACK_UNEARNED:
            back = [m for m in ruling.moves if m.seat != ruling.seat and m.end == BASE]
            whose = name(board, back[0].seat).lower() if back else "another"
            return f"Nobody sent {whose} back; put the piece where it was."
        case Reason.NOT_YOUR_PIECE:
            others = [board.seats[m.seat] for m in ruling.moves if m.seat != ruling.seat]
            return f"{who} moved {'a ' + others[0] if others else 'another'} piece."
        case Reason.CANNOT_MOVE_NOW:
            return f"{who}'s piece cannot move now."
        case Reason.WRONG_COUNT if moved:
            return f"{who} moved {moved}; the dice said {threw}."
        case _:
            return f"{who} cannot come to this board with {threw}."


def _timber_shift(ruling: Ruling, board: Board) -> str:
    if not ruling.moves:
        return "Timber shift. Put it back."
    parts = [
        f"a {board.seats[move.seat]} piece has moved from {place(board, move.seat, move.start)}"
        f" to {_shorter(board, move)}"
        for move in ruling.moves
    ]
    text = " and ".join(parts)
    return f"Timber shift. {text[0].upper()}{text[1:]}. Put {'it' if len(parts) == 1 else 'them'} back."


def _shorter(board: Board, move: Move) -> str:
    """The square a piece went to; only "the eleventh" where it is counted from the same doorstep."""
    start, end = _counted(board, move.seat, move.start), _counted(board, move.seat, move.end)
    if start and end and start[0] == end[0]:
        return f"the {ordinal(end[1])}"
    return place(board, move.seat, move.end)


def place(board: Board, seat: int, steps: int) -> str:
    """A square in words that a player can point at: "the ninth square after green's doorstep"."""
    if steps == BASE:
        return "base"
    if steps >= board.home:
        return "home"
    if steps == board.mouth:
        return f"{board.seats[seat]}'s mouth"
    if steps in board.chute:
        return f"the {ordinal(steps - board.mouth)} square of {board.seats[seat]}'s chute"
    counted = _counted(board, seat, steps)
    assert counted is not None
    owner, after = counted
    doorstep = f"{board.seats[owner]}'s doorstep"
    return doorstep if after == 0 else f"the {ordinal(after)} square after {doorstep}"


def _counted(board: Board, seat: int, steps: int) -> tuple[int, int] | None:
    """The doorstep (its seat) at or before a shared square, and how many squares after it; None elsewhere."""
    if steps != CORNER and not 1 <= steps < board.mouth:
        return None
    square = board.square(seat, steps)
    assert square is not None
    return divmod(square, board.squares_per_seat)


def _throw_off(ruling: Ruling, who: str) -> str:
    if ruling.why == "tie":
        return "A tie. They throw again."
    if ruling.why == "starts":
        return f"{who} starts."
    return f"{who} throws {sum(ruling.throw)} for start." if ruling.throw else ""


def _penalty(ruling: Ruling, who: str) -> str:
    if ruling.moves:
        return f"That is {count(ruling.count or 3)}. All {who.lower()}'s pieces go back to base."
    return f"That is {count(ruling.count or 3)}. {who} loses the go."


def _won(ruling: Ruling, board: Board) -> str:
    winners = [board.seats[seat] for seat in ruling.winner]
    text = f"{' and '.join(winners).capitalize()} {'have' if len(winners) > 1 else 'has'} won."
    return " ".join([text, *(f"{_HONOURS[honour]}." for honour in ruling.honours if honour in _HONOURS)])


def _with_losses(words: str, ruling: Ruling, board: Board) -> str:
    """The words, and whose pieces the ruling sent to base: "Red's blob goes to base." """
    back = [move for move in ruling.moves if move.end == BASE and move.start != BASE]
    if not back:
        return words
    return f"{words} {name(board, back[0].seat)}'s {'blob' if len(back) > 1 else 'piece'} goes to base."


def _sixes(wanted: int) -> str:
    return f"{count(wanted).capitalize()} {'six' if wanted == 1 else 'sixes'} wanted."


def _distances(moves: Sequence[Move], seat: int | None) -> str:
    """How far the mover's pieces went: "7", or "5 and 3"; empty where that says nothing."""
    own = [move.end - move.start for move in moves if move.seat == seat and move.end != move.start]
    return " and ".join(str(distance) for distance in own) if own and all(d > 0 for d in own) else ""


def throw_in_words(throw: Sequence[int]) -> str:
    """A throw as it is read out: "6 and 2", "double 4", "5"."""
    if len(throw) == 2 and throw[0] == throw[1]:
        return f"double {throw[0]}"
    return " and ".join(str(die) for die in throw)


def name(board: Board, seat: int | None) -> str:
    """A colour at the beginning of a sentence."""
    return board.seats[seat].capitalize() if seat is not None else "Nobody"


def count(number: int) -> str:
    """A small number as a word."""
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)


def ordinal(number: int) -> str:
    """A small ordinal as a word."""
    return _ORDINALS[number] if 0 < number < len(_ORDINALS) else f"{number}th"


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
            where = place_in_words(board, notice.about)
            return f"Check {where}." if where else "Check the board."
        case NoticeKind.WHICH_CALL:
            return "Which one? Press its number."
        case NoticeKind.OUT_OF_STEP:
            return "The board is not as I have it. Press done to take it as it stands."
        case NoticeKind.TRUSTED:
            return "Taken as it stands."
        case NoticeKind.TAKEN_BACK:
            return "My mistake. Taken back."
        case NoticeKind.DEVICE_LOST:
            return f"{notice.about.capitalize()} lost."
        case NoticeKind.DEVICE_BACK:
            return f"{notice.about.capitalize()} back."
        case NoticeKind.THROW_HELD:
            return ""


def say(ruling: Ruling | Notice, board: Board) -> str:
    """The sentence for whatever the referee puts out."""
    return notice_sentence(ruling, board) if isinstance(ruling, Notice) else sentence(ruling, board)


def place_in_words(board: Board, place_name: str) -> str:
    """A place of a sighting ("15", "red 53") in words; empty for none."""
    if not place_name:
        return ""
    colour, _, steps = place_name.rpartition(" ")
    if colour:
        where = place(board, board.seat(colour), int(steps))
        return f"{colour}'s {where}" if where in ("base", "home") else where
    seat, after = divmod(int(place_name), board.squares_per_seat)
    return place(board, seat, after + 1)
