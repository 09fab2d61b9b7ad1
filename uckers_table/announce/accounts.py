"""What may have happened, where somebody is accused or people are asked: for whoever wants to know why."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

from uckers_table.announce.plays import play_in_words
from uckers_table.announce.words import capital, from_to, listed, pieces_of, where
from uckers_table.game.board import BASE, Board
from uckers_table.game.position import by_colour
from uckers_table.game.ruling import Kind, Move, Ruling
from uckers_table.referee.looks import NOBODY, NOWHERE, Mismatch
from uckers_table.referee.rulings import Account, Assumed, StoryPart

MOST_NATS = 30.0
"""Odds beyond this are told as this: nobody weighs them any more."""
_PLAIN = {
    StoryPart.HALF: "The rest of the play was left.",
    StoryPart.KICKED: "The board was kicked.",
    StoryPart.ACROSS: "A piece on a line was counted on its other side.",
    StoryPart.LOST: "Nobody knows how the board came to this.",
    StoryPart.DICE: "The dice were misread.",
    StoryPart.FOR_START: "The dice for start were misread.",
    StoryPart.UNNOTICED: "A throw was taken for dice that were put back.",
    StoryPart.UNSEEN: "A throw that moved nothing was not seen.",
    StoryPart.OUT_OF_TURN: "The dice before these were thrown out of turn.",
}


def story_lines(accounts: Sequence[Account], board: Board) -> list[dict[str, Any]]:
    """The accounts of a ruling with the keys that FORMATS gives each of its `stories`."""
    return [
        {
            "say": story_in_words(account, board),
            "position": by_colour(board, account.position),
            "guilty": account.is_guilty,
            "odds": float(f"{exp(min(account.nats, MOST_NATS)):.3g}"),
        }
        for account in accounts
    ]


def story_in_words(account: Account, board: Board) -> str:
    """What happened by an account, a sentence for each part of it."""
    said = dict.fromkeys(_part_in_words(part, board) for part in account.assumed)
    return " ".join(filter(None, said)) or "Nothing else was moved, and all was read as it stands."


def _part_in_words(part: Assumed, board: Board) -> str:
    match part.what:
        case StoryPart.PLAYED:
            moves = tuple(Move(*piece) for piece in part.pieces)
            side = next((move.seat for move in moves if move.end != BASE), None)
            # Nobody knows here how all the others stood.
            return play_in_words(Ruling(Kind.STOOD, side, ((),) * board.arms, moves=moves), board)
        case StoryPart.DONE if part.pieces:
            return f"Somebody {listed([_done(piece, board) for piece in part.pieces])}."
        case StoryPart.MISREAD:
            return " ".join(_misread(piece, board) for piece in part.pieces)
        case plain:
            return _PLAIN.get(plain, "")


def _done(piece: Mismatch, board: Board) -> str:
    seat, start, end = piece
    who = pieces_of(board, [seat])
    if end == NOWHERE:
        return f"took {who} {where(board, seat, start)} off the board"
    if start == BASE:
        return f"put {who} out {where(board, seat, end)}"
    if end == BASE:
        return f"put {who} {where(board, seat, start)} back in base"
    return f"moved {who} {from_to(board, seat, start, end)}"


def _misread(piece: Mismatch, board: Board) -> str:
    seat, start, end = piece
    who = pieces_of(board, [seat])
    if start == NOBODY:
        return f"The camera sees {who} {where(board, seat, end)}, and there is none."
    seen = "does not see it" if end == NOWHERE else f"sees it {where(board, seat, end)}"
    return f"{capital(who)} stands {where(board, seat, start)}, and the camera {seen}."
