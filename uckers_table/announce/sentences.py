"""What a person hears: one level sentence for each ruling. Pure wording; nothing here decides anything.

All wording of the voice is here, what is said of boards that do not follow in `accusations`, and what
squares and pieces are called in `words`: a mess that wants other words need look nowhere else. Rulings
that are plain play (a legal board, a throw put down) have no sentence: most of the time the referee is
silent. Who wants to hear more, or less, sets the `loudness`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from uckers_table.announce.accusations import accusation, walked
from uckers_table.announce.passes import why_nothing_moves
from uckers_table.announce.plays import blobs_made
from uckers_table.announce.words import (
    MOST_COUNTED,
    capital,
    colours,
    count,
    listed,
    name,
    place_in_words,
    the_dice_said,
    throw_in_words,
    where,
)
from uckers_table.game.board import BASE, Board
from uckers_table.game.events import Call
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.ways import SIX
from uckers_table.referee.rulings import CHECK_DICE, Misplaced, Notice, NoticeKind

_HONOURS = {
    "eight_piecer": "Eight-piecer",
    "in_harbour": "Eight piece in harbour",
    "dicking_midgame": "Eight-piece dicking",
}

_AS_IT_IS = "The board stands as it is."


def sentence(ruling: Ruling, board: Board) -> str:
    """The sentence for a ruling of the game; empty where nothing is said."""
    who = name(board, ruling.seat)
    match ruling.kind:
        case Kind.LEGAL:
            return _honours(ruling)
        case Kind.ILLEGAL | Kind.TIMBER_SHIFT:
            return accusation(ruling, board).aloud
        case Kind.PUT_RIGHT:
            return "Thank you."
        case Kind.STOOD:
            stands = "Too late, it stands." if ruling.thrown_on else _AS_IT_IS
            return _spoken(stands, _honours(ruling))
        case Kind.PASS:
            return passed_sentence(ruling, who, why_nothing_moves(ruling, board))
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
            return _spoken(f"Upboard, {who.lower()}.", names)
        case Kind.WON:
            won = f"{colours(board, ruling.winner)} {'have' if len(ruling.winner) > 1 else 'has'} won."
            return _spoken(won, _honours(ruling), _names(ruling, board))
        case _:
            return _call_sentence(ruling, board, who)


def passed_sentence(ruling: Ruling, who: str, why: str) -> str:
    """Nobody can move: "Red cannot move: blocked by green's blob." """
    return f"{who} cannot move{f': {why}' if why else ''}.{' Throw again.' if ruling.owed else ''}"


def _call_sentence(ruling: Ruling, board: Board, who: str) -> str:
    match ruling.kind:
        case Kind.CHALLENGE:
            return _spoken(f"{who} calls challenge.", _sixes(ruling))
        case Kind.CHALLENGE_THROW:
            return _sixes(ruling)
        case Kind.CHALLENGE_WON:
            return _spoken("Challenge won.", _after_call(ruling, board))
        case Kind.CHALLENGE_LOST:
            return "No six. " + (_sixes(ruling) if ruling.count else "Challenge lost.")
        case Kind.CALL_ACCEPTED:
            return _ACCEPTED.get(ruling.why, "{who} calls {what}.").format(who=who, what=ruling.why)
        case Kind.CALL_REFUSED:
            # What follows a colon is for whoever reads it.
            return f"Refused: {ruling.why.partition(':')[0]}." if ruling.why else "Refused."
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
            return f"{who} helps next turn." if six else f"{who} waits for a six."
        case _:
            return ""


_ACCEPTED = {
    "a stand-up finish": "{who} stands up for the finish.",
    "no play": "{who} leaves it.",
    "no challenge": "{who} leaves it.",
    "no further throw": "{who} leaves it.",
    "colours": "{who} starts.",
}
"""Calls that are not simply named."""


def throw_sentence(board: Board, seat: int, dice: tuple[int, ...]) -> str:
    """A throw read out: "Red throws 6 and 3." """
    return f"{name(board, seat)} throws {throw_in_words(dice)}."


def blob_sentence(ruling: Ruling, board: Board) -> str:
    """The blobs that a play has made, not those that it moved on: "Red blob on green's doorstep."

    Empty where there is none, or where the play may have been another.
    """
    if ruling.alike:
        return ""
    made = []
    for (seat, steps), number in blobs_made(ruling, board).items():
        what = "blob" if number == 2 else f"blob of {count(number)}"
        made.append(f"{name(board, seat)} {what} {where(board, seat, steps)}.")
    return _spoken(*made)


def owed_sentence(ruling: Ruling) -> str:
    """The throws that a side still has after a play: "One more throw." """
    return more_throws(ruling.owed)


def more_throws(number: int) -> str:
    """Throws still to come: "Two more throws." Empty for none."""
    return f"{capital(count(number))} more {'throw' if number == 1 else 'throws'}." if number else ""


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
    third = f"{capital(ruling.why)}." if ruling.why else f"That is {count(ruling.count)}."
    seats = list(dict.fromkeys(move.seat for move in ruling.moves))
    if not seats:
        return f"{third} {who} loses the go."
    whose = listed([f"{board.seats[seat]}'s" for seat in seats])
    # Where those at home are spared, people know it from their rules.
    is_all = not any(ruling.position[seat].count(board.home) for seat in seats)
    return f"{third} {f'All {whose}' if is_all else capital(whose)} pieces go to base."


def _sixes(ruling: Ruling) -> str:
    """What a challenge still wants: "Two sixes wanted.", "One six wanted. Touch wood." """
    wanted = f"{capital(count(ruling.wanted))} {'six' if ruling.wanted == 1 else 'sixes'} wanted."
    return f"{wanted} Touch wood." if ruling.touch_wood else wanted


def _tries(ruling: Ruling) -> str:
    """How many more calls a miss leaves, once they come to an end."""
    if ruling.tries_left is None:
        return ""
    return f"{capital(count(ruling.tries_left))} left." if ruling.tries_left else "That is all."


def _snake_eyes(ruling: Ruling, board: Board) -> str:
    double = max(ruling.throw, default=1)
    called = "Snake eyes" if double == 1 else f"Double {count(double)}"
    if any(move.start == BASE for move in ruling.moves):
        return _spoken(f"{called}: all out.", _after_call(ruling, board))
    return f"{called} again: all in."


def _after_call(ruling: Ruling, board: Board) -> str:
    """What a ruling did to the pieces, for hands to do: "Red's blob goes to base, blue goes one on." """
    back = [move for move in ruling.moves if move.end == BASE]
    parts = []
    for seat in dict.fromkeys(move.seat for move in back):
        starts = [move.start for move in back if move.seat == seat]
        number = len(starts)
        if len(set(starts)) > 1:
            parts.append(f"{count(number)} of {board.seats[seat]}'s pieces go to base")
            continue
        what = {1: "piece", 2: "blob"}.get(number, f"blob of {count(number)}")
        parts.append(f"{board.seats[seat]}'s {what} goes to base")
    if ruling.kind in (Kind.SUCKBACK_WON, Kind.SUCKBACK_LOST):
        parts += [f"{board.seats[move.seat]} goes one on" for move in walked(ruling.moves)]
    return f"{capital(listed(parts))}." if parts else ""


def _honours(ruling: Ruling) -> str:
    """What an end or a loss is called: "Eight-piecer." """
    return _spoken(*(f"{_HONOURS[honour]}." for honour in ruling.honours if honour in _HONOURS))


def _names(ruling: Ruling, board: Board) -> str:
    """Who is written on the board's back, if anybody is."""
    names = colours(board, ruling.on_reverse)
    return f"{names} on the back of the board." if names else ""


def _spoken(*parts: str) -> str:
    """Sentences one after the other, those left out that are empty."""
    return " ".join(filter(None, parts))


_TROUBLES = {
    "too_dark": "It is too dark.",
    "board_not_found": "I can't find the board.",
    "colours_indistinct": "I can't tell the colours. Press the buttons, or wait.",
}


def notice_sentence(notice: Notice, board: Board) -> str:
    """The sentence for what the referee says of itself and of the table; empty where nothing is said."""
    match notice.kind:
        case NoticeKind.CANNOT_SEE:
            return _TROUBLES.get(notice.about, "I can't see the board.")
        case NoticeKind.SEES_AGAIN:
            return "I can see again."
        case NoticeKind.CHECK:
            places = " and ".join(_in_turn(board, notice.places))
            return f"Check {'the dice' if notice == CHECK_DICE else places or 'the board'}."
        case NoticeKind.MUST_CHALLENGE:
            return f"{notice.about.capitalize()} must challenge."
        case NoticeKind.CHALLENGE_MEANT:
            return "Is that a challenge? Press it."
        case NoticeKind.UPBOARD:
            return "Upboard? Press done."
        case NoticeKind.WHICH_CALL:
            what = "Upboard? " if is_upboard(notice.calls) else ""
            return f"{what}Which one? Press its number."
        case NoticeKind.OUT_OF_STEP:
            return f"{_out_of_step(*notice.numbers)} Press done to take it as it stands."
        case NoticeKind.PUT_THIS_RIGHT if notice.piece is not None:
            return f"{_belongs(notice.piece, board)}."
        case NoticeKind.BACK_IN_STEP:
            return "Thank you."
        case NoticeKind.TRUSTED:
            return _AS_IT_IS
        case NoticeKind.TAKEN_BACK if notice.matter is not None and not notice.matter.is_accusation:
            return _spoken("Taken back.", f"{whose_turn(notice)}.")
        case NoticeKind.TAKEN_BACK:
            return _spoken("My mistake. Taken back.", f"{whose_turn(notice)}.")
        case NoticeKind.PUT_BACK:
            return _spoken("It counts.", f"{whose_turn(notice)}.")
        case NoticeKind.RESUMED:
            return _spoken("Match resumed.", f"{whose_turn(notice)}.", more_throws(notice.owed))
        case NoticeKind.DEVICE_LOST:
            instead = "Tell me the dice." if notice.is_by_hand else "Dice from the camera."
            return _spoken(f"{notice.about.capitalize()} lost.", instead if notice.about == "tower" else "")
        case NoticeKind.DEVICE_BACK:
            return f"{notice.about.capitalize()} back."
        case _:
            return _of_dice(notice)


def which_is_meant(calls: Collection[Call]) -> str:
    """What the number of one of these calls answers, as it is shown."""
    return "Whose upboard?" if is_upboard(calls) else "Which one?"


def is_upboard(calls: Collection[Call]) -> bool:
    """Whether it is asked who tipped the board up."""
    return any(call.kind == "upboard" for call in calls)


def _in_turn(board: Board, places: Sequence[str]) -> Iterator[str]:
    """Places in words; of two side by side the further one first, and "the square before it"."""
    if len(places) == 2:
        for before, after in (places, places[::-1]):
            if _follows(board, before, after):
                yield from (place_in_words(board, after), "the square before it")
                return
    yield from (place_in_words(board, each) for each in places)


def _follows(board: Board, before: str, after: str) -> bool:
    """Whether one place of a sighting is the square after another, on the track or in a chute."""
    (colour, _, one), (same, _, next_one) = before.rpartition(" "), after.rpartition(" ")
    if colour != same:
        return False
    if not colour:
        return (int(next_one) - int(one)) % board.track == 1
    return int(next_one) - int(one) == 1 and {int(one), int(next_one)} <= {*board.chute}


def _of_dice(notice: Notice) -> str:
    """What the referee says of how it reads the dice."""
    match notice.kind:
        case NoticeKind.DICE_TURNED:
            return "Dice as they lie, please."
        case NoticeKind.DICE_DIFFER:
            return "Two readings. Throw again."
        case NoticeKind.DICE_UNREAD:
            return "I can't read the dice. Throw again."
        case NoticeKind.DICE_REREAD:
            return f"My mistake. {capital(the_dice_said(notice.numbers))}."
        case NoticeKind.WRONG_DICE:
            number = notice.numbers[0]
            return f"{capital(count(number))} {'die' if number == 1 else 'dice'}. Throw again."
        case _:
            return ""


def _belongs(piece: Misplaced, board: Board) -> str:
    """Which piece belongs where: "Red, on green's doorstep, belongs on red's mouth"."""
    who, belongs = name(board, piece.seat), f"belongs {where(board, piece.seat, piece.belongs)}"
    if piece.stands is None:
        return f"{who} {belongs}"
    return f"{who}, {where(board, piece.seat, piece.stands)}, {belongs}"


def _out_of_step(pieces: int = 0) -> str:
    """What is wrong with the board as a whole; so many pieces, if anybody has counted them."""
    if pieces == 1:
        return "One piece is not where I left it."
    some = count(pieces).capitalize() if 0 < pieces <= MOST_COUNTED else ""
    return capital(f"{some} pieces are not where I left them.".strip())


def whose_turn(notice: Notice) -> str:
    """Whose turn it is, and with what: "Red to throw", "Red has 6 and 3 in hand". The match may be over."""
    if not notice.about:
        return "The match is over"
    now = f"has {throw_in_words(notice.numbers)} in hand" if notice.numbers else "to throw"
    return f"{notice.about.capitalize()} {now}"


def say(ruling: Ruling | Notice, board: Board) -> str:
    """The sentence for whatever the referee puts out; empty for a ruling that stays unspoken."""
    if ruling.unspoken:
        return ""
    return notice_sentence(ruling, board) if isinstance(ruling, Notice) else sentence(ruling, board)
