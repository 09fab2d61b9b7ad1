"""What the referee can say: kinds of ruling, reasons, and the facts behind each (FORMATS names them).

A ruling carries facts, not words: `uckers_table.announce.sentences` turns it into what a person hears.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from uckers_table.game.position import Position
from uckers_table.game.turn import Piece


class Kind(StrEnum):
    """The kinds of ruling."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    TIMBER_SHIFT = "timber_shift"
    PUT_RIGHT = "put_right"
    STOOD = "stood"
    PASS = "pass"
    CHALLENGE = "challenge"
    CHALLENGE_THROW = "challenge_throw"
    """A throw of a challenge that neither wins nor misses."""
    CHALLENGE_WON = "challenge_won"
    CHALLENGE_LOST = "challenge_lost"
    SUCKBACK_WON = "suckback_won"
    SUCKBACK_LOST = "suckback_lost"
    BLOWBACK_WON = "blowback_won"
    BLOWBACK_LOST = "blowback_lost"
    COCKED = "cocked"
    DROPPED = "dropped"
    PENALTY = "penalty"
    CALL_ACCEPTED = "call_accepted"
    CALL_REFUSED = "call_refused"
    SNAKE_EYES = "snake_eyes"
    GATE = "gate"
    """A throw made as a try for the six that lets a colour help its partner."""
    VOID = "void"
    """A throw made before the last one was played."""
    THROW_OFF = "throw_off"
    """A throw for start, or the end of it: the seat that starts."""
    UPBOARD = "upboard"
    WON = "won"


class Reason(StrEnum):
    """Why a board does not follow, in the order of RULES 2.10; or, for a call, why it is refused."""

    BOTH_DICE_OWED = "both_dice_owed"
    HIGHER_DIE_FIRST = "higher_die_first"
    NO_SIX_TO_COME_OUT = "no_six_to_come_out"
    THROUGH_BLOB = "through_blob"
    ONTO_BLOB = "onto_blob"
    PAST_HOME = "past_home"
    NOT_SENT_BACK = "not_sent_back"
    SINGLE_PIECE_SPLITS = "single_piece_splits"
    SENT_BACK_UNEARNED = "sent_back_unearned"
    NOT_YOUR_PIECE = "not_your_piece"
    NOT_YOUR_TURN = "not_your_turn"
    CANNOT_MOVE_NOW = "cannot_move_now"
    WRONG_COUNT = "wrong_count"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True)
class Move:
    """One piece's part of a change of the board: its seat and its steps before and after."""

    seat: int
    start: int
    end: int


def moves_between(before: Position, after: Position) -> tuple[Move, ...]:
    """The fewest moves of single pieces that lead from one board to another, by seat, lowest first."""
    moves: list[Move] = []
    for seat, (was, now) in enumerate(zip(before, after, strict=True)):
        if was == now:
            continue
        starts, ends = left_and_reached(was, now)
        moves += [Move(seat, *ways) for ways in zip(sorted(starts), sorted(ends), strict=True)]
    return tuple(moves)


def left_and_reached(before: Iterable[int], after: Iterable[int]) -> tuple[list[int], list[int]]:
    """The steps that a colour's pieces have left, and those that they have come to."""
    starts, ends = [], list(after)
    for steps in before:
        if steps in ends:
            ends.remove(steps)
        else:
            starts.append(steps)
    return starts, ends


def after_moves(before: Position, moves: Iterable[Move]) -> Position | None:
    """The board once single pieces have been moved on it; None where one does not stand where it starts."""
    pieces = [list(four) for four in before]
    for move in moves:
        if move.start not in pieces[move.seat]:
            return None
        pieces[move.seat].remove(move.start)
        pieces[move.seat].append(move.end)
    return tuple(tuple(sorted(four)) for four in pieces)


class Hold(StrEnum):
    """What keeps a piece from moving though the dice fit it."""

    CHALLENGE = "challenge"
    """A challenge is forced (SUB b4; ruling A42)."""
    MOVE_ON = "move_on"
    """Another piece has used up its suckbacks and must move on (VAR G3)."""
    UNDER_ANOTHER = "under_another"
    """It does not lie on top of its mixed square (WIKI wafu3, OLD adv2; ruling A50)."""
    PARTNERS_CHUTE = "partners_chute"
    """It stands in the chute of the partner whom the thrower helps (WIKI, OLD; ruling A56)."""
    SUPERBLOB = "superblob"
    """Three or more stand on its square (OLD adv1; ruling A32)."""
    LONE_PIECE = "lone_piece"
    """It is in base, and a lone piece on its way uses both dice (BR r5b; ruling A19)."""
    NO_ROOM = "no_room"
    """Two of its colour stand where it would come to, and a third may not (superblob_allowed)."""
    LOWER_DIE = "lower_die"
    """The lower die alone is lost where neither both nor the higher can be played (lower_die_fallback)."""
    SNAKE_EYES = "snake_eyes"
    """Snake eyes bring out those in base, or nobody where a blob bars them (WIKI, OLD; ruling A15)."""
    CAPTURED = "captured"
    """It knocked somebody off where it came out, and stops there (capturing_piece_stops)."""
    RULING = "ruling"
    """Pieces that a ruling moved are still to be put where it moved them."""
    ODD_PAIR = "odd_pair"
    """It stands as one of a pair, which goes half an even throw, and the throw is odd (WL p11; pair_move)."""
    GATE = "gate"
    """It is the partner's. Whoever is home throws a six first, and helps from the next turn on (BR r11)."""
    BOUNCED = "bounced"
    """It has bounced off home, and goes backwards until the turn ends (VAR D)."""


class Slip(StrEnum):
    """A wrong count that everybody knows."""

    DOORSTEP_COUNTED = "doorstep_counted"
    """A piece came out on a six and counted the doorstep as one."""
    SIX_TWICE = "six_twice"
    """One six both brought a piece out and walked it on."""


class Bar(NamedTuple):
    """Why one die cannot move one piece, where a throw is passed.

    `blob` is the first blob in the way, with all its pieces.
    """

    piece: Piece
    die: int
    reason: Reason
    blob: tuple[Piece, ...] = ()
    hold: Hold | None = None


@dataclass(frozen=True)
class Cause:
    """What the reason for an illegal board, or for a pass, is about, and what was open instead.

    Pieces are given by seat and the steps at which they stood on record. `pieces` were, by reason:

    PAST_HOME            put home on too much
    NOT_SENT_BACK        landed on, and still stand (so, with ONTO_BLOB, those of a blob rightly taken)
    SINGLE_PIECE_SPLITS  taken half-way
    SENT_BACK_UNEARNED   put in base though nobody landed on them
    NOT_YOUR_PIECE       moved for the partner
    CANNOT_MOVE_NOW      moved though held back; with Hold.MOVE_ON, those that must move; with Hold.GATE,
                         those that are home
    """

    pieces: tuple[Piece, ...] = ()
    blobs: tuple[tuple[Piece, ...], ...] = ()
    """The blobs passed or landed on, each with all its pieces; with UNREACHABLE, those in the way."""
    die: int | None = None
    """The die that is owed (HIGHER_DIE_FIRST) or was left unplayed (BOTH_DICE_OWED). None if it may have been
    either, or if it can no longer be played."""
    hold: Hold | None = None
    nearest: tuple[Move, ...] = ()
    """The legal play closest to the board as it stands. Empty if nothing could move."""
    is_only: bool = False
    """The nearest play was the only one."""
    only_challenge: bool = False
    """Nothing was open but a challenge."""
    also_out: tuple[int, ...] = ()
    """The numbers that bring a piece out beside a six (exit_throw)."""
    slip: Slip | None = None
    """How a WRONG_COUNT came about, where that is plain."""
    bars: tuple[Bar, ...] = ()
    """Why nothing can move: one for each piece and die, whichever die lay first."""
    others: tuple[Piece, ...] = ()
    """With NOT_SENT_BACK, those in base on whom nobody landed. With NOT_YOUR_PIECE, those that go back with
    the partner's: whom these knocked off, or all that moved if the rest is no part of a play."""
    by: tuple[Piece, ...] = ()
    """The pieces that passed the blobs, or landed on them."""


@dataclass(frozen=True)
class Ruling:
    """One ruling and the facts behind it."""

    kind: Kind
    seat: int | None
    """Whose throw or play it was; for a timber shift, the owner of the moved pieces."""
    position: Position
    """The board on record after the ruling. For STOOD it is the board that stood."""
    reason: Reason | None = None
    throw: tuple[int, ...] = ()
    """The throw concerned."""
    moves: tuple[Move, ...] = ()
    """What was moved, as far as it can be told."""
    owed: int = 0
    """The extra throws still to come."""
    wanted: int = 0
    """The sixes that a challenge still needs, or the number that a suckback wants."""
    count: int = 0
    """Which fault it is (2 for the second dropped), or the sixes that a challenge keeps after a miss."""
    why: str = ""
    """Why a call or a throw is refused, in a few plain words, with more to read after a colon. Of a pass that
    no piece explains, why nothing moves."""
    honours: tuple[str, ...] = ()
    winner: tuple[int, ...] = ()
    on_reverse: tuple[int, ...] = ()
    """The seats whose names go on the back of the board."""
    touch_wood: bool = False
    """One six is missing, and "Touch wood" is to be said."""
    off_the_ips: bool = False
    """The dice were dropped, and "Off the IPS" is to be said."""
    deliberate: bool = False
    """The dice were judged to be dropped on purpose."""
    unspoken: bool = False
    """Nobody is told of it. Nobody called what it is about, or it has been said with another."""
    thrown_on: bool = False
    """It is called only now, and the board stands: dice were thrown on it. So is the ruling that it stood."""
    alike: tuple[Position, ...] = ()
    """The boards of other plays that look just like the one ruled. Until something tells them apart, it may
    have been any of them."""
    tries_left: int | None = None
    """The calls that a suckback or blowback leaves. None where nobody counts."""
    cause: Cause | None = None
    """What an illegal board or a pass is about."""
    tied: tuple[int, ...] = ()
    """The seats that throw for start again."""
