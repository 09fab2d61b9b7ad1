"""A play as people say it: "Green 6-5: one out, one to five on; red ucked."

The dice first, the higher one in front. Then what came where: out, home, into the chute, to a blob. Then what
that does not tell: blobs broken, and who was ucked. A square without a colour is one of the piece's own. Who
was ucked stood where the piece that is named last stands now, unless the square is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from uckers_table.announce.words import count, listed, name, place
from uckers_table.game.board import BASE, DOORSTEP, Board
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Move, Ruling, after_moves


@dataclass(frozen=True)
class Group:
    """Pieces of one colour that came to one place, all of them out of base or none: `starts` are the steps
    at which they stood.
    """

    seat: int
    starts: tuple[int, ...]
    end: int

    @property
    def is_out(self) -> bool:
        """Whether they came out of base."""
        return BASE in self.starts

    @property
    def is_together(self) -> bool:
        """Whether they stood together and moved on together."""
        return len(self.starts) > 1 and len({*self.starts}) == 1 and not self.is_out

    @property
    def is_back(self) -> bool:
        """Whether they went backwards."""
        return max(self.starts) > self.end


def groups_of(moves: Iterable[Move]) -> list[Group]:
    """What was moved, and not to base, by where it came to."""
    starts: dict[tuple[int, int, bool], list[int]] = {}
    for move in moves:
        if move.end != BASE:
            starts.setdefault((move.seat, move.end, move.start == BASE), []).append(move.start)
    return [Group(seat, tuple(several), end) for (seat, end, _), several in starts.items()]


_PLAYED = (Kind.LEGAL, Kind.WON)
"""Rulings on what was rightly played."""
_WRONG = (Kind.ILLEGAL, Kind.TIMBER_SHIFT)
"""Rulings whose position is the board before their moves."""


def _boards_of(ruling: Ruling) -> tuple[Position, Position]:
    """The boards before and after the moves of a ruling. Both empty where the moves do not tell them."""
    known, moves = ruling.position, ruling.moves
    is_wrong = ruling.kind in _WRONG
    if not is_wrong:
        moves = tuple(Move(move.seat, move.end, move.start) for move in moves)
    found = after_moves(known, moves)
    if found is None:
        return ((),) * len(known), ((),) * len(known)
    return (known, found) if is_wrong else (found, known)


def blobs_made(ruling: Ruling, board: Board) -> dict[tuple[int, int], int]:
    """The blobs of one colour that a play has made, not those that it moved on: seat and steps, how many."""
    made = {}
    _, after = _boards_of(ruling)
    for group in groups_of(ruling.moves):
        number = after[group.seat].count(group.end)
        is_moved_on = group.is_together and number == len(group.starts)
        if number > 1 and not is_moved_on and board.square(group.seat, group.end) is not None:
            made[group.seat, group.end] = number
    return made


def play_in_words(ruling: Ruling, board: Board) -> str:
    """Whose play it was, with which dice, and what was played; empty if nothing was moved.

    Of a timber shift without dice: they are somebody else's, or not for this.
    """
    if not ruling.moves:
        return ""
    throw = ruling.throw if ruling.kind is not Kind.TIMBER_SHIFT else ()
    dice = "-".join(str(die) for die in sorted(throw, reverse=True))
    who = " ".join(filter(None, (name(board, ruling.seat), dice)))
    return f"{who}: {_Play(ruling, board).in_words()}."


def who_was_ucked(ruling: Ruling, board: Board) -> str:
    """Whom a play sent back, in a few words: "red ucked", "red and blue ucked". Empty if nobody."""
    return _Play(ruling, board).who_was_ucked()


class _Play:
    """One play, and what is asked of it to tell it."""

    def __init__(self, ruling: Ruling, board: Board) -> None:
        self.board, self.side = board, ruling.seat
        self.before, self.after = _boards_of(ruling)
        self.is_ludo = len(ruling.throw) == 1
        """One die was thrown. The rules' card says "ucked" and "mixi blob" of two dice only."""
        self.moves = ruling.moves
        self.blobs = blobs_made(ruling, board)
        self.sent = [move for move in ruling.moves if move.end == BASE and move.seat != self.side]
        self._landed_on = {board.square(move.seat, move.start) for move in self.sent} - {None}
        # Of what was no play nobody knows whether hands put them there.
        self.is_play = ruling.kind in _PLAYED
        self._verb = "ucked" if self.is_play and not self.is_ludo else "sent back"
        self.groups = sorted(groups_of(ruling.moves), key=self._order)

    def in_words(self) -> str:
        went = [self._part(group) for group in self.groups]
        if back := sum(move.end == BASE for move in self.moves) - len(self.sent):
            went.append(f"{count(back)} back to base")
        return "; ".join(filter(None, (", ".join(went), *self._broken(), self._ucked())))

    def _order(self, group: Group) -> tuple[bool, bool, bool, int]:
        """Own pieces first, and those that came out. Those that landed on somebody last."""
        return self._square(group) in self._landed_on, group.seat != self.side, not group.is_out, group.end

    # ------------------------------------------------------------------ what came where

    def _part(self, group: Group) -> str:
        whose = "" if group.seat == self.side else f"{self.board.seats[group.seat]} "
        number = len(group.starts)
        some = f"{count(number)} {whose}"
        if group.end == self.board.home:
            return f"{some}home"
        if group.end in self.board.chute:
            way = "up" if group.starts[0] in self.board.chute else "into"
            back = "back down" if group.is_back else way
            return f"{some}{back} the chute to {place(self.board, group.seat, group.end)}"
        spot, blob = self._named(group.seat, group.end), self._blob(group)
        beside = f" beside {with_}" if (with_ := listed(self._others(group))) else ""
        if group.is_out:
            on = "" if group.end == DOORSTEP else f" and {count(group.end - DOORSTEP)} on"
            return f"{some}out{on}{f' for a {blob}' if blob else ''}{beside}"
        back = "back " if group.is_back else ""
        if blob:
            return f"a {whose}{blob} {back}{_at(spot)}{beside}"
        if group.is_together and group.starts[0] not in self.after[group.seat]:
            return f"the {whose}blob {back}to {spot}{beside}"
        is_alone = number == len(self.groups) == 1 and not whose
        return f"{'' if is_alone else some}{back}to {spot}{beside}"

    def _blob(self, group: Group) -> str:
        """What a group has made: "blob", "blob of three", "mixi blob"; empty if nothing, or if it moved."""
        if self._is_mixi(self.after, group.seat, group.end):
            return "mixi blob"
        number = self.blobs.get((group.seat, group.end), 0)
        return {0: "", 2: "blob"}.get(number, f"blob of {count(number)}")

    def _others(self, group: Group) -> list[str]:
        """The colours beside which a group stands by the rules, and makes no mixi blob."""
        if not self.is_play or self._is_mixi(self.after, group.seat, group.end):
            return []
        standing = self._standing(self.after, self._square(group))
        return [self.board.seats[seat] for seat in standing if seat != group.seat]

    def _is_mixi(self, position: Position, seat: int, steps: int) -> bool:
        square = self.board.square(seat, steps)
        mates = {seat, self.board.partner(seat)}
        return not self.is_ludo and square is not None and {*self._standing(position, square)} == mates

    def _standing(self, position: Position, square: int | None) -> Counter[int]:
        """How many of which seats stand on a square."""
        board = self.board
        return Counter(
            seat
            for seat, four in enumerate(position)
            for steps in four
            if square is not None and board.square(seat, steps) == square
        )

    def _square(self, group: Group) -> int | None:
        return self.board.square(group.seat, group.end)

    def _named(self, seat: int | None, steps: int) -> str:
        """A square, short: "five on" from the side's own doorstep, "just past blue's doorstep"."""
        told = place(self.board, seat or 0, steps)
        told = told.replace("one on from", "just past").replace("one short of", "just short of")
        if seat is None or seat != self.side:
            return told
        own = f"{self.board.seats[seat]}'s "
        return told.replace(f" from {own}doorstep", "").replace(own, "the ")

    # ------------------------------------------------------------------ what was broken, and who was ucked

    def _broken(self) -> Iterator[str]:
        """Blobs of which one piece is left, or of which the pieces went different ways."""
        told = set[int | None]()
        for seat, steps in dict.fromkeys((move.seat, move.start) for move in self.moves if move.end != BASE):
            square = self.board.square(seat, steps)
            if square is not None and square not in told and self._is_broken(seat, steps):
                mixi = "mixi " if self._is_mixi(self.before, seat, steps) else ""
                yield f"{mixi}blob broken {_at(self._named(seat, steps))}"
            told.add(square)

    def _is_broken(self, seat: int, steps: int) -> bool:
        square = self.board.square(seat, steps)
        was, now = (self._standing(position, square) for position in (self.before, self.after))
        if self._is_mixi(self.before, seat, steps):
            mates = (seat, self.board.partner(seat))
            return not self._is_mixi(self.after, seat, steps) and max(now[each] for each in mates) < 2
        has_moved_on = any(
            group.is_together and (group.seat, group.starts) == (seat, (steps,) * was[seat])
            for group in self.groups
        )
        is_blob = now[seat] > 1 or self._is_mixi(self.after, seat, steps)
        return was[seat] > 1 and not is_blob and not has_moved_on

    def _ucked(self) -> str:
        """Who was sent to base, and where, unless it was where those that are named last stand now."""
        whom = self._whom_by_spot()
        first, landings = next(iter(whom.values()), ""), [self._square(group) for group in self.groups]
        if len(whom) == 1 and self._landed_on and self._landed_on == {*landings[-1:]}:
            return f"{first} {self._verb}"
        if len(landings) == 2 and len({*whom.values()}) == 1 and self._landed_on == {*landings}:
            return f"{first} {self._verb} on both squares"
        return listed([f"{who} {self._verb} {_at(spot)}" for spot, who in whom.items()])

    def who_was_ucked(self) -> str:
        """The same, and not where: "red and blue ucked"."""
        return f"{listed([*self._whom_by_spot().values()])} {self._verb}" if self.sent else ""

    def _whom_by_spot(self) -> dict[str, str]:
        """Where somebody was sent to base, and who."""
        by_spot: dict[str, Counter[int]] = {}
        for move in self.sent:
            by_spot.setdefault(self._spot_of(move), Counter())[move.seat] += 1
        return {
            spot: listed([self._whom(*each) for each in seats.items()]) for spot, seats in by_spot.items()
        }

    def _whom(self, seat: int, number: int) -> str:
        """Whose piece, or how many of whose: "red", "red's blob"."""
        colour = self.board.seats[seat]
        return {1: colour, 2: f"{colour}'s blob"}.get(number, f"{colour}'s blob of {count(number)}")

    def _spot_of(self, move: Move) -> str:
        """Where a piece stood, told as the side tells it."""
        square = self.board.square(move.seat, move.start)
        if square is None or self.side is None:
            return place(self.board, move.seat, move.start)
        return self._named(self.side, self.board.steps_on(self.side, square))


def _at(spot: str) -> str:
    """ "on the doorstep", "at two short of blue's mouth", "just past the doorstep"."""
    if spot.startswith("just "):
        return spot
    is_counted = spot == "home" or spot.endswith(" on") or " from " in spot or " of " in spot
    return f"{'at' if is_counted else 'on'} {spot}"
