"""What is said of a board that does not follow: which rule it breaks, and what puts it right.

Everything said is a fact of the ruling; what cannot be told is left out rather than guessed. People hear the
fault and the remedy. Display and page add what was moved, and what was open instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from uckers_table.announce.counted import went_round
from uckers_table.announce.passes import HEARD, HOLDS
from uckers_table.announce.plays import play_in_words
from uckers_table.announce.words import (
    MOST_COUNTED,
    blobs_of,
    capital,
    colours,
    count,
    from_to,
    listed,
    name,
    pieces_of,
    place,
    squares_moved,
    the_dice_said,
    where,
)
from uckers_table.game.board import BASE, DOORSTEP, Board
from uckers_table.game.position import Position
from uckers_table.game.ruling import Cause, Hold, Kind, Move, Reason, Ruling, Slip, after_moves, moves_between
from uckers_table.game.turn import Piece
from uckers_table.game.ways import SIX

_PUT_BACK = (Reason.SINGLE_PIECE_SPLITS, Reason.SENT_BACK_UNEARNED, Reason.NOT_YOUR_PIECE)
"""Reasons whose pieces belong where they stood."""
_SENT_ON = (Reason.NOT_SENT_BACK, Reason.ONTO_BLOB)
"""Reasons whose pieces belong in base."""
_FORBID_ALL = (
    Reason.NO_SIX_TO_COME_OUT,
    Reason.THROUGH_BLOB,
    Reason.ONTO_BLOB,
    Reason.PAST_HOME,
    Reason.CANNOT_MOVE_NOW,
)
"""Reasons that say why a side that has passed cannot make a move."""


_HELD = "That piece cannot move."
"""What is heard where there is no time to say more."""


class Accusation(NamedTuple):
    """An accusation, sentence by sentence. An empty one is left out.

    `fault`: the rule that the board breaks. `remedy`: what hands have to do. `open`: the nearest play.
    `story`: what was moved and thrown, where the fault does not tell it.
    """

    title: str
    fault: str
    remedy: str = ""
    open: str = ""
    story: str = ""

    @property
    def aloud(self) -> str:
        """What people hear: "Illegal. It takes a six to come out." """
        return _in_a_row(self.title, self.fault, self.remedy)

    @property
    def shown(self) -> str:
        """What the display has room for under the title."""
        return _in_a_row(self.fault, self.remedy or self.open)

    @property
    def in_full(self) -> str:
        """What the page and the record have."""
        return _in_a_row(self.title, self.fault, self.remedy or self.open, self.story)


def accusation(ruling: Ruling, board: Board) -> Accusation:
    """The words for a ruling ILLEGAL or TIMBER_SHIFT. Nothing is to be done once dice were thrown on it."""
    said = _illegal(ruling, board) if ruling.kind is Kind.ILLEGAL else _timber_shift(ruling, board)
    return said._replace(remedy="", open="") if ruling.thrown_on else said


def _illegal(ruling: Ruling, board: Board) -> Accusation:
    fault = _fault(ruling, board)
    story = play_in_words(ruling, board) or f"The pieces moved; {the_dice_said(ruling.throw)}."
    if fault == _how_far(ruling, board) and len(walked(ruling.moves)) == len(ruling.moves):
        # It tells all that there is to tell.
        story = ""
    hold = ruling.cause.hold if ruling.cause is not None else None
    if hold is not None and fault == _HELD:
        story = f"{capital(HOLDS[hold])}. {story}"
    if fault == _and_more(ruling, board):
        # It tells the remedy, too.
        return Accusation("Illegal.", fault, story=story)
    return Accusation("Illegal.", fault, _remedy(ruling, board), _open(ruling, board), story)


def _timber_shift(ruling: Ruling, board: Board) -> Accusation:
    story = play_in_words(ruling, board)
    if ruling.reason in _FORBID_ALL:
        # The side has passed: what forbids the move is what it has to hear.
        fault = _fault(ruling, board)
        is_told = ruling.cause is None or not ruling.cause.also_out
        if ruling.reason is Reason.NO_SIX_TO_COME_OUT and is_told and SIX not in ruling.throw:
            out = dict.fromkeys(move.seat for move in ruling.moves if move.start == BASE)
            fault = f"No six: {board.seats[min(out)]} stays in base." if len(out) == 1 else fault
            if _is_smuggled(ruling.moves) and not ruling.thrown_on:
                fault = "No six."
        return Accusation("Timber shift.", fault, _where_back(ruling.moves, ruling, board), story=story)
    # Of one that was smuggled out the remedy says where it stands.
    is_told = _is_smuggled(ruling.moves) and not ruling.thrown_on
    fault = "" if is_told else f"{_stands(ruling.moves, board)}."
    turn = (
        f"It is not {board.seats[ruling.seat or 0]}'s turn." if ruling.reason is Reason.NOT_YOUR_TURN else ""
    )
    # Of one piece all has been told.
    story = _in_a_row(story if len(ruling.moves) > 1 else "", turn)
    return Accusation("Timber shift.", fault, _where_back(ruling.moves, ruling, board), story=story)


# ---------------------------------------------------------------------- the fault


def _fault(ruling: Ruling, board: Board) -> str:
    """Which rule the board breaks: "Red went through green's blob." """
    cause = ruling.cause or Cause()
    own = walked(ruling.moves)
    who = _who(board, own, ruling)
    match ruling.reason:
        case Reason.BOTH_DICE_OWED if cause.die is not None:
            article = "a" if ruling.throw.count(cause.die) == len(ruling.throw) else "the"
            return f"{who} still has {article} {cause.die} to play."
        case Reason.BOTH_DICE_OWED:
            return "Both dice must be played."
        case Reason.HIGHER_DIE_FIRST:
            return f"The {max(ruling.throw)} must be played."
        case Reason.NO_SIX_TO_COME_OUT:
            return _no_six(ruling, cause)
        case Reason.ONTO_BLOB if cause.pieces:
            return _landed_on(ruling, cause, board)
        case Reason.THROUGH_BLOB | Reason.ONTO_BLOB:
            did = "went through" if ruling.reason is Reason.THROUGH_BLOB else "landed on"
            by = capital(_colours_of(board, cause.by)) or who
            return f"{by} {did} {blobs_of(board, cause.blobs)}."
        case Reason.PAST_HOME if cause.pieces:
            needed = _needed(ruling, cause, board)
            home = [move for move in own if (move.seat, move.start) in cause.pieces]
            return f"{_who(board, home, ruling)} needs {needed} for home."
        case Reason.NOT_SENT_BACK if cause.pieces:
            return _landed_on(ruling, cause, board)
        case Reason.SINGLE_PIECE_SPLITS if cause.pieces:
            return f"{who} only passed {_colours_of(board, cause.pieces)}."
        case Reason.SENT_BACK_UNEARNED if cause.pieces:
            return _for_nothing(ruling, cause, board)
        case Reason.NOT_YOUR_PIECE if cause.hold is Hold.GATE:
            return f"{name(board, ruling.seat)} waits for a six."
        case Reason.NOT_YOUR_PIECE if cause.pieces:
            whose = _which(board, [seat for seat, _ in cause.pieces])
            return f"{name(board, ruling.seat)} moved {whose}."
        case Reason.CANNOT_MOVE_NOW:
            return _held(ruling, cause, board)
        case _ if knocked_off := _not_in_base(ruling):
            return _landed_on(ruling, replace(cause, pieces=knocked_off, blobs=()), board)
        case _ if told := _and_more(ruling, board):
            return told
        case Reason.WRONG_COUNT if cause.slip is Slip.DOORSTEP_COUNTED:
            return "The doorstep is where you come out; count from the next."
        case Reason.WRONG_COUNT if cause.slip is Slip.SIX_TWICE:
            return "The six was used twice."
        case _:
            return _otherwise(ruling, board)


def _no_six(ruling: Ruling, cause: Cause) -> str:
    thrown = [number for number in ruling.throw if number in (SIX, *cause.also_out)]
    if cause.slip is Slip.SIX_TWICE:
        return f"The {count(max(thrown))} was used twice."
    out = sum(move.start == BASE for move in walked(ruling.moves))
    if thrown and out != len(thrown):
        # Too many came out, or fewer than had to.
        return f"A {count(min(thrown))} brings one piece out."
    also = f" or a {listed([count(number) for number in cause.also_out])}" if cause.also_out else ""
    return f"It takes a six{also} to come out."


def _landed_on(ruling: Ruling, cause: Cause, board: Board) -> str:
    """Who landed on what, and that it belongs in base."""
    squares = {board.square(*piece) for piece in cause.pieces}
    if cause.others and {seat for seat, _ in cause.others} == {seat for seat, _ in cause.pieces}:
        return f"The wrong {_colours_of(board, cause.pieces)} was sent back."
    seats = {seat for seat, _ in cause.pieces}
    own = [move for move in walked(ruling.moves) if move.seat not in seats]
    there = [move for move in own if squares & _landings(move, board)]
    whom = blobs_of(board, cause.blobs) if cause.blobs else _colours_of(board, cause.pieces)
    goes = "goes" if len({seat for seat, _ in cause.pieces}) == 1 else "go"
    sent = "" if ruling.thrown_on else f"; {_colours_of(board, cause.pieces)} {goes} to base"
    if cause.others:
        sent = f", not on {_colours_of(board, cause.others)}"
    return f"{_who(board, there or own, ruling)} landed on {whom}{sent}."


def _for_nothing(ruling: Ruling, cause: Cause, board: Board) -> str:
    """Why nobody was to go to base: nobody landed there, or whoever stands there is safe."""
    landed = set().union(*(_landings(move, board) for move in walked(ruling.moves)))
    safe = [piece for piece in cause.pieces if board.square(*piece) in landed]
    others = [piece for piece in cause.pieces if piece not in safe]
    parts = []
    if others:
        sent = Counter(move.seat for move in ruling.moves if move.end == BASE)
        parts.append(f"nobody landed on {listed(_of_those_sent(others, sent, board))}")
    if safe:
        is_one = len({seat for seat, _ in safe}) == 1
        parts.append(f"{_colours_of(board, safe)} {'is' if is_one else 'are'} safe on that square")
    return f"{capital(listed(parts))}."


def _of_those_sent(pieces: Sequence[Piece], sent: Counter[int], board: Board) -> list[str]:
    """Whose pieces they are: "green", or "one of blue's pieces" where another was rightly sent back."""
    return [
        board.seats[seat] if number == sent[seat] else f"{count(number)} of {board.seats[seat]}'s pieces"
        for seat, number in Counter(seat for seat, _ in pieces).items()
    ]


def _landings(move: Move, board: Board) -> set[int]:
    """The squares on which a piece came down: where it stands, and the doorstep that it came out to."""
    steps = (DOORSTEP, move.end) if move.start == BASE != move.end else (move.end,)
    return {square for each in steps if (square := board.square(move.seat, each)) is not None}


def _not_in_base(ruling: Ruling) -> tuple[Piece, ...]:
    """The pieces that were knocked off and put elsewhere than in base, if that is all that is wrong."""
    nearest, more = (ruling.cause or Cause()).nearest, besides(ruling)
    sent = {move.seat: (move.seat, move.start) for move in nearest if move.end == BASE}
    is_all = bool(more) and all(move.start == BASE and move.seat in sent for move in more)
    return tuple(sent[move.seat] for move in more) if is_all else ()


def _otherwise(ruling: Ruling, board: Board) -> str:
    """How far pieces went, where that is all that is wrong: "Red moved 7; the dice said 6 and 2." """
    cause = ruling.cause or Cause()
    if cause.hold is Hold.BOUNCED:
        return f"{capital(HOLDS[cause.hold])}."
    if ruling.reason is Reason.UNREACHABLE and cause.blobs:
        are = "is" if len(cause.blobs) == 1 else "are"
        return f"{capital(blobs_of(board, cause.blobs))} {are} in the way."
    past = [each for each in walked(ruling.moves) if went_round(board, each.start, each.end, ruling.throw)]
    if past:
        return f"{_who(board, past, ruling)} went past {'its' if len(past) == 1 else 'their'} own chute."
    if told := _went_home(ruling, board) or _how_far(ruling, board):
        return told
    said, moves = the_dice_said(ruling.throw), ruling.moves
    if back := _backwards(ruling, board):
        return f"{_who(board, back, ruling)} moved backwards."
    if len(moves) == 1:
        (move,) = moves
        to = "" if move.end == board.home else "to "
        return f"{name(board, move.seat)} moved {to}{place(board, move.seat, move.end)}; {said}."
    return f"{capital(_which(board, [move.seat for move in moves])) or 'The pieces'} moved; {said}."


def _backwards(ruling: Ruling, board: Board) -> list[Move]:
    """The moves backwards by the thrower's side, where one piece must have gone back whichever went where.
    None that may have bounced off home (VAR D).
    """
    side, moves = ruling.seat or 0, walked(ruling.moves)
    thrown = (*ruling.throw, sum(ruling.throw))
    found: list[Move] = []
    for seat in dict.fromkeys((side, board.partner(side))):
        own = [move for move in moves if move.seat == seat]
        starts, ends = sorted(move.start for move in own), sorted(move.end for move in own)
        if any(end < start for start, end in zip(starts, ends, strict=True)):
            found += [move for move in own if move.end < move.start]
    return [move for move in found if 2 * board.home - move.start - move.end not in thrown]


def _how_far(ruling: Ruling, board: Board) -> str:
    """How far pieces went, and what was thrown. Empty where that does not tell all, or the dice show it."""
    numbers: list[int] = []
    for move in walked(ruling.moves):
        squares = squares_moved(move.start, move.end)
        numbers += [SIX] * (move.start == BASE) + [squares] * bool(squares)
    if Counter(numbers) <= Counter(ruling.throw) or numbers == [sum(ruling.throw)]:
        return ""
    moved = _moved(ruling, board)
    return f"{moved}; {the_dice_said(ruling.throw)}." if moved else ""


def _went_home(ruling: Ruling, board: Board) -> str:
    """Of one that went home on another number than it needed: "Red went home on 6; it needs 11." """
    own = walked(ruling.moves)
    home = [move for move in own if move.end == board.home and move.start != BASE]
    left = Counter(ruling.throw) - Counter(squares_moved(m.start, m.end) for m in own if m not in home)
    if len(home) != 1 or left.total() != len(ruling.throw) - len(own) + 1 or left.total() == 0:
        return ""
    (move,), on = home, sum(left.elements())
    needed = board.home - move.start
    # Of two that went, which came from where is a guess.
    if needed in (on, *left) or (needed > MOST_COUNTED and len(own) > 1):
        return ""
    return f"{name(board, move.seat)} went home on {on}; it needs {needed}."


def _and_more(ruling: Ruling, board: Board) -> str:
    """What was moved beside a whole play: "And green, three on from red's doorstep: put it one back." """
    more = besides(ruling)
    if not more:
        return ""
    if ruling.thrown_on:
        return f"And {_lowered(_stands(more, board))}."
    back = _where_back(more, ruling, board)
    return (
        f"And {_lowered(back)}"
        if _is_smuggled(more)
        else f"And {_lowered(_stands(more, board))}: {_lowered(back)}"
    )


def besides(ruling: Ruling) -> Sequence[Move]:
    """What was moved beside a whole play that was made; nothing where none can be told from the rest."""
    nearest = (ruling.cause or Cause()).nearest
    played, stands = (after_moves(ruling.position, moves) for moves in (nearest, ruling.moves))
    if not nearest or played is None or stands is None:
        return ()
    own = {move.seat for move in walked(nearest)}
    if not _changes(ruling.position, played, own) <= _changes(ruling.position, stands, own):
        # Part of the play was not made.
        return ()
    arms, side = len(ruling.position), ruling.seat or 0
    more = sorted(moves_between(played, stands), key=lambda move: (move.seat - side) % arms)
    ends = {(move.seat, move.end) for move in walked(nearest)}
    starts = {(move.seat, move.start) for move in walked(nearest) if move.start != BASE}
    # One brought out to the doorstep that another has just left came from base, not on from there.
    is_mixed = any(
        (move.seat, move.start) in ends or (move.start != BASE and (move.seat, move.end) in starts)
        for move in more
    )
    return () if is_mixed else more


def _changes(before: Position, after: Position, own: Collection[int]) -> Counter[tuple[int, int, bool]]:
    """What stands where it did not, and what no longer stands where it did: seat, steps, whether it came.

    Others' bases are left out: of a colour that is knocked off another piece may have come out.
    """
    return Counter(
        (seat, steps, has_come)
        for seat, (was, now) in enumerate(zip(before, after, strict=True))
        for has_come, more, fewer in ((True, now, was), (False, was, now))
        for steps in (Counter(more) - Counter(fewer)).elements()
        if steps != BASE or seat in own
    )


def _who(board: Board, moves: Sequence[Move], ruling: Ruling) -> str:
    """The colours that were moved, where that can be told; with two players that is not always the side's."""
    return colours(board, dict.fromkeys(move.seat for move in moves) or (ruling.seat,))


def _colours_of(board: Board, pieces: Iterable[Piece]) -> str:
    return listed([board.seats[seat] for seat in dict.fromkeys(seat for seat, _ in pieces)])


def _places_of(board: Board, cause: Cause) -> str:
    return listed([place(board, *piece) for piece in dict.fromkeys(cause.pieces)])


def _needed(ruling: Ruling, cause: Cause, board: Board) -> str:
    """What would bring pieces home: "exactly 3"; "another 3" where the one thrown moved another piece."""
    needed = [board.home - steps for _, steps in cause.pieces]
    is_used = set(needed) & set(ruling.throw)
    return f"{'another' if is_used else 'exactly'} {listed([str(number) for number in needed])}"


def _held(ruling: Ruling, cause: Cause, board: Board) -> str:
    """Why a piece cannot move though the dice fit it."""
    who, whose = name(board, ruling.seat), _colours_of(board, cause.pieces)
    match cause.hold:
        case Hold.CHALLENGE:
            return f"{who} must challenge."
        case Hold.MOVE_ON:
            return f"{capital(whose)} must move on from {_places_of(board, cause)}."
        case Hold.UNDER_ANOTHER:
            return "That piece lies under another."
        case Hold.PARTNERS_CHUTE:
            return f"{who} cannot move {whose} in the chute."
        case Hold.SUPERBLOB:
            seat, steps = cause.pieces[0]
            return f"A blob of {count(ruling.position[seat].count(steps))} does not move."
        case Hold.GATE:
            return f"{capital(whose)} {'helps next turn' if SIX in ruling.throw else 'waits for a six'}."
        case hold if hold in HEARD:
            return f"{capital(HOLDS[hold])}."
    return _HELD


def _moved(ruling: Ruling, board: Board) -> str:
    """How far whose pieces went: "Red moved 7", "Red came out and moved 3", "Red moved 5 and yellow 2".

    Empty where that does not tell all: somebody went back or to base, or so far on that nobody counts it, or
    another team's piece went on.
    """
    moves, side = walked(ruling.moves), ruling.seat or 0
    if not {move.seat for move in moves} <= {side, board.partner(side)}:
        return ""
    if not moves or any(
        move.end <= move.start or squares_moved(move.start, move.end) > MOST_COUNTED for move in moves
    ):
        return ""
    landed_on = {board.square(move.seat, move.end) for move in moves} - {None}
    if any(board.square(move.seat, move.start) not in landed_on for move in ruling.moves if move.end == BASE):
        return ""
    parts: list[str] = []
    for seat in dict.fromkeys(move.seat for move in moves):
        own = [move for move in moves if move.seat == seat]
        out = [move for move in own if move.start == BASE]
        if len(out) > 2:
            return ""
        came_out = "came out twice" if len(out) == 2 else "came out" if out else ""
        distances = [str(squares) for move in own if (squares := squares_moved(move.start, move.end))]
        moved = f"{'' if parts and not out else 'moved '}{listed(distances)}" if distances else ""
        # "Moved 5 and came out": another piece moved than the one that came out.
        is_other = out and not any(squares_moved(move.start, move.end) for move in out)
        done = (moved, came_out) if is_other else (came_out, moved)
        parts.append(f"{board.seats[seat]} {' and '.join(filter(None, done))}")
    return capital(listed(parts))


# ---------------------------------------------------------------------- what puts it right


def _remedy(ruling: Ruling, board: Board) -> str:
    """What hands have to do, where that is one thing: "Put it back." """
    cause = ruling.cause or Cause()
    if ruling.reason in _PUT_BACK and cause.pieces:
        back = [*cause.pieces, *cause.others]
        moved = [move for move in ruling.moves if (move.seat, move.start) in back]
        return _where_back(moved, ruling, board) if len(moved) == len(back) else put_back(back)
    if ruling.reason in _SENT_ON and cause.pieces:
        return ""
    if _not_in_base(ruling):
        return ""
    if more := besides(ruling):
        return _where_back(more, ruling, board)
    is_all = len(_backwards(ruling, board)) == len(walked(ruling.moves)) > 0
    return _where_back(ruling.moves, ruling, board) if is_all else ""


def _open(ruling: Ruling, board: Board) -> str:
    """The nearest play, where the rest has not said it."""
    cause = ruling.cause or Cause()
    moved, nearest = walked(ruling.moves), walked(cause.nearest)
    if ruling.reason in _SENT_ON and cause.pieces:
        return ""
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


_COUNTED = SIX
"""Nobody counts more squares than a die has: further on or back the square is told."""


def _where_back(moves: Sequence[Move], ruling: Ruling, board: Board) -> str:
    """How to put pieces back; of one also where to: "Put it two back." Of one out of base where it stands."""
    if len(moves) != 1:
        return put_back(moves)
    (move,) = moves
    if move.start == BASE:
        stands = after_moves(ruling.position, ruling.moves) or ruling.position
        is_one_of = stands[move.seat].count(move.end) > 1
        who = (
            f"One of {board.seats[move.seat]}'s pieces" if is_one_of else f"{name(board, move.seat)}'s piece"
        )
        return f"{who} {where(board, move.seat, move.end)} belongs in base."
    squares = squares_moved(move.start, move.end)
    if move.end == BASE or not 0 < abs(squares) <= _COUNTED:
        return f"Put it back {where(board, move.seat, move.start)}."
    return f"Put it {count(abs(squares))} {'back' if squares > 0 else 'on'}."


def _is_smuggled(moves: Sequence[Move]) -> bool:
    """Whether one piece was brought out of base, and nothing else was moved."""
    return len(moves) == 1 and moves[0].start == BASE


def _stands(moves: Sequence[Move], board: Board) -> str:
    """Which pieces were moved, by where they stand now: "Yellow, two on from green's doorstep"."""
    if len(moves) == 1:
        (move,) = moves
        who = name(board, move.seat)
        if move.end in (BASE, board.home):
            return f"{who} moved {'to base' if move.end == BASE else 'home'}"
        return f"{who}, {where(board, move.seat, move.end)}"
    return f"{capital(_which(board, [move.seat for move in moves])) or 'The pieces'} moved"


def _which(board: Board, seats: Sequence[int]) -> str:
    """Which pieces: "green and blue", one of each; "two green pieces and a blue piece"; of more how many."""
    if len(set(seats)) == len(seats):
        return listed([board.seats[seat] for seat in seats])
    if len(set(seats)) > 2:
        return f"{count(len(seats))} pieces"
    return pieces_of(board, seats)


def _lowered(words: str) -> str:
    return f"{words[:1].lower()}{words[1:]}"


def walked(moves: Sequence[Move]) -> list[Move]:
    """The moves without those that were sent to base."""
    return [move for move in moves if move.end != BASE]


def _distance(move: Move, throw: Sequence[int]) -> int | None:
    """How many squares a piece went on; None where the dice do not show that, as of one that bounced."""
    squares = squares_moved(move.start, move.end)
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
            ends = [from_to(board, seat, start, end) for end in dict.fromkeys(move.end for move in together)]
            parts.append(f"{whose or 'a piece '}{listed(ends)}")
        else:
            parts.append(f"{whose}{listed([str(d) for d in distances])} from {place(board, seat, start)}")
    return listed(parts)


def _out_of_base(move: Move, throw: Sequence[int]) -> str:
    on = _distance(move, throw)
    return f"a piece out of base{f' and on {on}' if on else ''}"


def _in_a_row(*parts: str) -> str:
    return " ".join(filter(None, parts))
