"""What a still board most likely is, among all the boards that nobody is to blame for. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from math import inf
from operator import itemgetter

from uckers_table.game import playing
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind
from uckers_table.referee.catching_up import lagging, on_the_way
from uckers_table.referee.matching import Reading, Window

FITS = 2.0
"""Nats (see `matching`). A board that costs no more than this is the same: the reader itself called it
likely."""
DOUBT = 5.0
"""Nats. If an innocent explanation costs less than this, nobody is accused: the referee asks instead."""
DOUBTS = 7.0
"""Nats. Nobody is accused either if an innocent explanation costs less than this in all, and less than DOUBT
at each place. A piece that walked on leaves one square clearly empty and another clearly taken. That is 4
nats each if the reader is not quite sure of either."""


class Found(Enum):
    """What a still board turns out to be."""

    RECORD = auto()
    """The board on record."""
    LEGAL = auto()
    """A legal play of the throw in hand."""
    HALF = auto()
    """Half a legal play."""
    HALF_IN_DOUBT = auto()
    """It may be half a legal play, but does not fit well enough."""
    CALLED = auto()
    """The wrong board that was called already."""
    PLAYED_ON = auto()
    """A play of the throw in hand, or half of one, made on the called board, which was left as it is."""
    ON_ITS_WAY = auto()
    """What a ruling moved is still being moved, or a called board is being put right piece by piece."""
    DOUBTFUL = auto()
    """It may be an innocent board, but does not fit well enough."""
    WRONG = auto()
    """No innocent board explains it."""


def explained(
    match: Match, reading: Reading | Window, *, was_reached_over: bool
) -> tuple[Found, Position | None]:
    """The best innocent explanation of a reading, and the board by it; WRONG and None if there is none.

    `was_reached_over` is true if a hand has been over the board since it last agreed with the record. If
    none has, a board that fits the record is the record.
    """
    record = match.position
    if (not was_reached_over or match.wrong_board is not None) and reading.cost(record, record) <= FITS:
        # Nobody touched it, or a called board has been put back.
        return Found.RECORD, record
    found, position = min(_innocent(match), key=lambda each: reading.cost(each[1], record))
    cost = reading.cost(position, record)
    if found in (Found.ON_ITS_WAY, Found.HALF) and cost > 0 and match.awaiting is Awaiting.PLAY:
        best, play = likeliest_play(match, reading)
        # The piece still to be moved is not seen either, so nothing tells that the play is not whole. A last
        # piece that is seen nowhere has more likely come home than got behind another.
        if best <= FITS and (
            found is Found.ON_ITS_WAY or playing.see(match, play).match.awaiting is Awaiting.OVER
        ):
            return Found.LEGAL, play
    if cost <= FITS:
        return found, position
    # Doubts at several places may be one misreading: a piece too few here is a piece too many there. That
    # does not hold for a piece that is seen nowhere.
    is_clear = reading.clearest(position, record) >= DOUBT or reading.vanished(record)
    if cost >= (DOUBT if is_clear else DOUBTS):
        return Found.WRONG, None
    # Nothing would be said about a board on its way, so nothing is asked about it either.
    if found is Found.ON_ITS_WAY:
        return found, position
    return (Found.HALF_IN_DOUBT if found is Found.HALF else Found.DOUBTFUL), position


def likeliest_play(match: Match, reading: Reading | Window) -> tuple[float, Position]:
    """The cost (nats) of the play of the throw in hand that fits best, and that play: the first of several.

    With no play, the cost is infinite, and the board is the one on record.
    """
    costs = ((reading.cost(play, match.position), play) for play in match.plays)
    return min(costs, key=itemgetter(0), default=(inf, match.position))


def after_shift(match: Match) -> Match | None:
    """The match if a called shift is left as it stands, and the throw in hand is still to be played.

    None if no shift has been called, or no throw is in hand.
    """
    if match.wrong_board is None or match.wrong_kind is not Kind.TIMBER_SHIFT:
        return None
    return playing.placed(match, match.wrong_board).match if match.awaiting is Awaiting.PLAY else None


def _innocent(match: Match) -> Iterator[tuple[Found, Position]]:
    """The boards that nobody is to blame for. Of two that fit alike, the likelier comes first."""
    yield Found.RECORD, match.position
    if match.awaiting is Awaiting.PLAY:
        yield from ((Found.LEGAL, play) for play in match.plays)
        yield from ((Found.HALF, half) for half in match.halfway)
    if match.wrong_board is not None:
        yield Found.CALLED, match.wrong_board
        yield from ((Found.ON_ITS_WAY, board) for board in on_the_way(match.wrong_board, match.position))
        if (left := after_shift(match)) is not None:
            yield from ((Found.PLAYED_ON, board) for board in (*left.plays, *left.halfway))
    if match.behind is not None:
        yield from ((Found.ON_ITS_WAY, board) for board in on_the_way(match.behind, match.position))
        for played in (*match.plays, *match.halfway):
            yield from ((Found.ON_ITS_WAY, board) for board in lagging(match.behind, match.position, played))
