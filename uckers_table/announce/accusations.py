"""What is said of a board that does not follow: what was moved, what was thrown, what was open.

Everything said is a fact of the ruling; what cannot be told is left out rather than guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from uckers_table.announce.words import (
    blobs_of,
    capital,
    colours,
    count,
    listed,
    name,
    pieces_in_words,
    pieces_of,
    place,
    the_dice_said,
    way,
)
from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board
from uckers_table.game.ruling import Cause, Hold, Move, Reason, Ruling, after_moves, moves_between
from uckers_table.game.ways import SIX

_PUT_BACK = (Reason.SINGLE_PIECE_SPLITS, Reason.SENT_BACK_UNEARNED, Reason.NOT_YOUR_PIECE)
"""Reasons whose pieces belong where they stood."""
_SENT_ON = (Reason.NOT_SENT_BACK, Reason.ONTO_BLOB)
"""Reasons whose pieces belong in base."""
_OVER = {Reason.THROUGH_BLOB: "through", Reason.ONTO_BLOB: "onto"}
MOST_COUNTED = 2 * SIX
"""Nobody counts at a glance how many squares a piece went on that went farther than any throw."""


def what_was_wrong(ruling: Ruling, board: Board) -> str:
    """What makes a board illegal, and what was thrown: "Red moved 7; the dice said 6 and 2." """
    cause = ruling.cause or Cause()
    said = the_dice_said(ruling.throw)
    own = walked(ruling.moves)
    who = _who(board, own, ruling)
    match ruling.reason:
        case Reason.BOTH_DICE_OWED:
            return f"{who} played only {_played(ruling.throw, cause.die)}; both dice can be played."
        case Reason.HIGHER_DIE_FIRST:
            return f"{who} played the {min(ruling.throw)}; the {max(ruling.throw)} must be played."
        case Reason.NO_SIX_TO_COME_OUT:
            out = [move for move in own if move.start == BASE]
            if SIX in ruling.throw:
                return f"{_who(board, out, ruling)} came out on the {min(ruling.throw)}; it takes a six."
            return f"{_who(board, out, ruling)} came out without a six; {said}."
        case Reason.ONTO_BLOB if cause.pieces:
            sent = "" if ruling.thrown_on else "; it goes to base"
            return f"{who} took {blobs_of(board, cause.blobs)}{sent}."
        case Reason.THROUGH_BLOB | Reason.ONTO_BLOB if not besides(ruling):
            moved = _moved(ruling, board, must_fit=True) or f"{who} moved"
            return f"{moved}{_over_blobs(ruling, cause, board)}; {said}."
        case Reason.PAST_HOME if needed := _needed(ruling, cause, board):
            home = [move for move in own if (move.seat, move.start) in cause.pieces]
            return f"{_who(board, home, ruling)} needed {needed} exactly for home; {said}."
        case Reason.NOT_SENT_BACK if cause.pieces:
            goes = "it goes" if len(cause.pieces) == 1 else "they go"
            squares = {board.square(*piece) for piece in cause.pieces}
            there = [move for move in own if board.square(move.seat, move.end) in squares]
            sent = "" if ruling.thrown_on else f"; {goes} to base"
            return f"{_who(board, there, ruling)} landed on {pieces_in_words(board, cause.pieces)}{sent}."
        case Reason.SINGLE_PIECE_SPLITS if cause.pieces:
            return f"{who} only passed {pieces_in_words(board, cause.pieces)}."
        case Reason.SENT_BACK_UNEARNED if cause.pieces:
            return f"Nobody landed on {pieces_in_words(board, cause.pieces)}."
        case Reason.NOT_YOUR_PIECE if cause.pieces:
            return f"{name(board, ruling.seat)} moved {pieces_of(board, [seat for seat, _ in cause.pieces])}."
        case Reason.CANNOT_MOVE_NOW:
            return f"{capital(_what_holds(ruling, cause, board))}."
        case _ if more := besides(ruling):
            moved = what_moved(more, board)
            return f"Besides the play, {moved[0].lower()}{moved[1:]}{_over_blobs(ruling, cause, board)}."
        case Reason.WRONG_COUNT | Reason.PAST_HOME if moved := _moved(ruling, board):
            return f"{moved}; {said}."
        case _:
            return f"{what_moved(_unthrown(ruling), board, follow=1)}; {said}."


def _unthrown(ruling: Ruling) -> Sequence[Move]:
    """What was moved, without what the dice show, where that leaves one piece: it is the one to speak of."""
    dice, others = Counter(ruling.throw), list[Move]()
    for move in ruling.moves:
        if move.end > move.start and dice[_squares(move)]:
            dice[_squares(move)] -= 1
        else:
            others.append(move)
    return others if len(others) == 1 and others[0].end != BASE else ruling.moves


def besides(ruling: Ruling) -> Sequence[Move]:
    """What was moved beside a whole play that was made; nothing where none can be told from the rest."""
    nearest = (ruling.cause or Cause()).nearest
    played, stands = (after_moves(ruling.position, moves) for moves in (nearest, ruling.moves))
    if not nearest or played is None or stands is None:
        return ()
    more = moves_between(played, stands)
    ends = {(move.seat, move.end) for move in walked(nearest)}
    starts = {(move.seat, move.start) for move in walked(nearest) if move.start != BASE}
    # One brought out to the doorstep that another has just left came from base, not on from there.
    is_mixed = any(
        (move.seat, move.start) in ends or (move.start != BASE and (move.seat, move.end) in starts)
        for move in more
    )
    return () if is_mixed else more


def _over_blobs(ruling: Ruling, cause: Cause, board: Board) -> str:
    """Which blobs were in the way: ", through red's blob"; empty where none was."""
    over = _OVER.get(ruling.reason) if ruling.reason else None
    return f", {over} {blobs_of(board, cause.blobs)}" if over else ""


def _who(board: Board, moves: Sequence[Move], ruling: Ruling) -> str:
    """The colours that were moved, where that can be told; with two players that is not always the side's."""
    return colours(board, dict.fromkeys(move.seat for move in moves) or (ruling.seat,))


def _needed(ruling: Ruling, cause: Cause, board: Board) -> str:
    """What would have brought pieces home; empty where it was thrown, and used for another piece."""
    needed = [board.home - steps for _, steps in cause.pieces]
    return "" if set(needed) & set(ruling.throw) else listed([str(number) for number in needed])


def _what_holds(ruling: Ruling, cause: Cause, board: Board) -> str:
    """Why a piece cannot move though the dice fit it."""
    who = name(board, ruling.seat)
    match cause.hold:
        case Hold.CHALLENGE:
            return f"{who} must challenge and cannot move"
        case Hold.MOVE_ON:
            return f"{pieces_in_words(board, cause.pieces)} must move on"
        case Hold.UNDER_ANOTHER:
            lies = "lies" if len(cause.pieces) == 1 else "lie"
            return f"{pieces_in_words(board, cause.pieces)} {lies} under another"
        case Hold.PARTNERS_CHUTE:
            return f"{who} cannot move {board.seats[cause.pieces[0][0]]}'s pieces in the chute"
        case Hold.SUPERBLOB:
            seat, steps = cause.pieces[0]
            return f"a blob of {count(ruling.position[seat].count(steps))} does not move"
    return f"{who}'s piece cannot move now"


def what_was_open(ruling: Ruling, board: Board) -> str:
    """What puts the board right, where the rest has not said it."""
    cause = ruling.cause or Cause()
    moved, nearest = walked(ruling.moves), walked(cause.nearest)
    if ruling.reason in _PUT_BACK:
        return put_back(cause.pieces)
    if ruling.reason in _SENT_ON and cause.pieces:
        return ""
    if more := besides(ruling):
        return put_back(more)
    if cause.only_challenge:
        return "" if cause.hold is Hold.CHALLENGE else "Only a challenge is open."
    if not nearest:
        return ""
    started = [(move.seat, move.start) for move in moved]
    if ruling.reason is Reason.WRONG_COUNT and started == [(move.seat, move.start) for move in nearest]:
        # The same pieces, moved by what the dice said: nobody needs that spelled out.
        return ""
    left = Counter(nearest) - Counter(moved)
    if ruling.reason is Reason.BOTH_DICE_OWED and left.total() == len(nearest) - len(moved):
        return f"Still to play: {_play(list(left), ruling, board)}."
    if len(nearest) == len(moved) == 1 and started == [(nearest[0].seat, nearest[0].start)]:
        distance = _distance(nearest[0], ruling.throw)
        if distance is not None and nearest[0].start != BASE:
            return f"That piece can {'only ' if cause.is_only else ''}move {distance}."
    return f"{'The only' if cause.is_only else 'Nearest'} play: {_play(nearest, ruling, board)}."


def put_back(pieces: Sequence[object]) -> str:
    """What to do with pieces that belong where they stood."""
    return f"Put {'it' if len(pieces) == 1 else 'them'} back."


def walked(moves: Sequence[Move]) -> list[Move]:
    """The moves without those that were sent to base."""
    return [move for move in moves if move.end != BASE]


def _played(throw: Sequence[int], left: int | None) -> str:
    """The die that was played when the other was left: "the 6", "one 4", "one die" where it is not known."""
    if left is None:
        return "one die"
    played = sum(throw) - left
    return f"one {played}" if played == left else f"the {played}"


def _moved(ruling: Ruling, board: Board, *, must_fit: bool = False) -> str:
    """How far whose pieces went: "Red moved 7", "Red came out and moved 3", "Red moved 5 and yellow 2".

    Empty where that says nothing: somebody went back, or so far on that nobody counts it, or, if it
    `must_fit`, by other numbers than thrown.
    """
    moves = walked(ruling.moves)
    if not moves or any(move.end <= move.start or _squares(move) > MOST_COUNTED for move in moves):
        return ""
    if must_fit and any(_distance(move, ruling.throw) is None for move in moves):
        return ""
    parts: list[str] = []
    for seat in dict.fromkeys(move.seat for move in moves):
        own = [move for move in moves if move.seat == seat]
        out = sum(move.start == BASE for move in own)
        came_out = {0: "", 1: "came out", 2: "brought two pieces out"}.get(out, "brought pieces out")
        distances = [str(squares) for move in own if (squares := _squares(move))]
        stopped = sum(move.start == BASE and not _squares(move) for move in own)
        is_other = 0 < out == stopped and len(distances) == 1
        by = f"{'another piece ' if is_other else ''}{listed(distances)}"
        onward = f"{'' if parts and not out else 'moved '}{by}" if distances else ""
        parts.append(f"{board.seats[seat]} {' and '.join(filter(None, (came_out, onward)))}")
    return capital(listed(parts))


def _squares(move: Move) -> int:
    """How many squares a piece went on; the doorstep it comes out to is none, and one from its corner."""
    return move.end - {BASE: DOORSTEP, CORNER: BASE}.get(move.start, move.start)


def _distance(move: Move, throw: Sequence[int]) -> int | None:
    """How many squares a piece went on; None where the dice do not show that, as of one that bounced."""
    squares = _squares(move)
    if len(throw) == 1 and move.start == BASE:
        return 0
    return squares if squares in (*throw, sum(throw)) or (squares == 0 and move.start == BASE) else None


def _play(moves: Sequence[Move], ruling: Ruling, board: Board) -> str:
    """A legal play: "5 and 4 from green's doorstep", "a piece out of base and on 3"."""
    out = [move for move in moves if move.start == BASE]
    parts = [_out_of_base(move, ruling.throw) for move in out]
    if len(out) > 1:
        parts = [f"{count(len(out))} pieces out of base"]
    for seat, start in dict.fromkeys((move.seat, move.start) for move in moves if move.start != BASE):
        together = [move for move in moves if (move.seat, move.start) == (seat, start)]
        distances = [_distance(move, ruling.throw) for move in together]
        whose = "" if seat == ruling.seat else f"{board.seats[seat]} "
        if None in distances:
            ends = [way(board, seat, start, end) for end in dict.fromkeys(move.end for move in together)]
            parts.append(f"{whose or 'a piece '}{listed(ends)}")
        else:
            parts.append(f"{whose}{listed([str(d) for d in distances])} from {place(board, seat, start)}")
    return listed(parts)


def _out_of_base(move: Move, throw: Sequence[int]) -> str:
    on = _distance(move, throw)
    return f"a piece out of base{f' and on {on}' if on else ''}"


def what_moved(moves: Sequence[Move], board: Board, *, follow: int = 2) -> str:
    """What went from where to where: "A yellow piece has moved from … to …".

    Of more than `follow` ways only how many pieces went: nobody keeps three ways in his head.
    """
    together = Counter(sorted(moves, key=lambda move: move.end == BASE))
    if len(together) > follow:
        return f"{capital(pieces_of(board, [move.seat for move in moves]))} have moved"
    parts: list[str] = []
    before = None
    for move, number in together.items():
        who = pieces_of(board, [move.seat] * number)
        if move.seat == before:
            who = "another" if number == 1 else f"{count(number)} others"
        went = f" {'has' if number == 1 else 'have'} moved"
        parts.append(f"{who}{'' if parts else went} {way(board, move.seat, move.start, move.end)}")
        before = move.seat
    return capital(listed(parts)) or "The pieces do not stand as they did"
