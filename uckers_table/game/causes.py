"""What an illegal board is about: the blobs in the way, the pieces concerned, and the closest legal play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from uckers_table.game.board import BASE
from uckers_table.game.outlook import Outlook
from uckers_table.game.position import Position
from uckers_table.game.ruling import Hold, Move, moves_between
from uckers_table.game.situation import Situation
from uckers_table.game.turn import Piece

Blob = tuple[Piece, ...]
"""All pieces of a barrier."""


def blobs_on(situation: Situation, view: Outlook, squares: int) -> tuple[Blob, ...]:
    """The enemy blobs on some squares (as bits), square by square from the doorstep of the side to play."""
    bit = situation.setting.ways.bit
    blobs: dict[int, list[Piece]] = {}
    barring = {seat for mover in situation.movers for seat in situation.setting.barring[mover]}
    for seat in view.seats_in_order(barring - set(situation.movers)):
        for steps in situation.position[seat]:
            if bit[seat][steps] & squares:
                blobs.setdefault(bit[seat][steps], []).append((seat, steps))
    return tuple(tuple(blobs[square]) for square in sorted(blobs, key=view.squares))


def overshooting(moves: Sequence[Move], dice: Sequence[int], home: int) -> tuple[Piece, ...]:
    """The pieces that went home on more than they needed, as far as the dice tell them from the others."""
    going_home = [move for move in moves if move.end == home]
    unused = Counter((*dice, sum(dice)) if len(moves) == 1 else dice)
    unused -= Counter(move.end - move.start for move in moves if move.end != home)
    over = []
    for move in going_home:
        if unused[home - move.start] > 0:
            unused[home - move.start] -= 1
        else:
            over.append(move)
    return tuple((move.seat, move.start) for move in over or going_home)


def held_back(situation: Situation, moves: Sequence[Move]) -> tuple[Hold | None, tuple[Piece, ...]]:
    """The moved pieces that something beside dice and blobs keeps where they are, and what that is."""
    leaving = Counter((move.seat, move.start) for move in moves)
    held = {piece: hold_of(situation, piece, leaving[piece]) for piece in leaving}
    pieces = tuple(piece for piece, hold in held.items() if hold is not None)
    return (held[pieces[0]] if pieces else None), pieces


def hold_of(situation: Situation, piece: Piece, leaving: int) -> Hold | None:
    """What beside dice and blobs keeps a piece, or as many as would leave its square, from moving."""
    seat, steps = piece
    setting, rules = situation.setting, situation.setting.rules
    if steps == BASE:
        return Hold.LONE_PIECE if rules.single_piece_total_blocks_exit else None
    if steps == setting.board.home:
        return None
    if rules.superblob_mobility == "frozen" and situation.position[seat].count(steps) > 2:
        return Hold.SUPERBLOB
    is_partners = seat not in setting.owned[situation.side]
    if rules.partner_tube_frozen and is_partners and steps in setting.board.chute:
        return Hold.PARTNERS_CHUTE
    stack = dict(situation.stacks).get(setting.ways.bit[seat][steps], ())
    return Hold.UNDER_ANOTHER if set(stack[-leaving:]) - {seat} else None


def nearest(plays: Mapping[Position, tuple[Move, ...]], seen: Position, view: Outlook) -> tuple[Move, ...]:
    """Of the legal plays, by the board they lead to, the closest to the board as it stands; empty for none.

    The fewest pieces must be put elsewhere for it, and by the fewest squares. Of two alike, it is the one
    with the thrower's own pieces.
    """
    if not plays:
        return ()
    own = view.setting.owned[view.side]

    def rank(board: Position) -> tuple[int, int, int, Position]:
        others = sum(move.seat not in own for move in plays[board])
        return *_distance(seen, board), others, view.board(board)

    return plays[min(plays, key=rank)]


def _distance(seen: Position, board: Position) -> tuple[int, int]:
    """How many pieces stand elsewhere, and by how many steps in all; into base is no way at all."""
    moves = moves_between(seen, board)
    return len(moves), sum(abs(m.end - m.start) for m in moves if BASE not in (m.start, m.end))
