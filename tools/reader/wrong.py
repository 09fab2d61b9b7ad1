"""What is wrong with a sighting of a board, by kind, against what truly stands there.

A kind is a thing and a way: "single.unseen" is a single piece that was not read. Things are a `single` piece
on a square, a `group` side by side on one, a `stack` on one, an `empty` square, a `base`, a `home`, a
`home_stack` (a home where pieces stand on others), a flat `die`, a die that leans (`cocked`), a die that lies
`off_board`, and the `board` as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist

from tools.reader.tables import Die, Stand
from uckers_table.game.board import BASE, Cell, Plan
from uckers_table.sighting import SeenDie, Sighting

_AT_SQUARES = ("unseen", "fewer", "more", "colour")
KINDS = {
    "single": ("unseen", "more", "colour", "beyond_a_line"),
    "group": _AT_SQUARES,
    "stack": _AT_SQUARES,
    "empty": ("invented", "beyond_a_line"),
    "base": ("fewer", "more", "colour"),
    "home": ("fewer", "more", "colour"),
    "home_stack": ("fewer", "more", "colour"),
    "die": ("value", "unseen", "cocked"),
    "cocked": ("flat", "unseen"),
    "off_board": ("on_board",),
    "board": ("astray", "thing_seen", "die_invented", "hand_seen", "unreadable"),
}
"""Each thing, and the ways in which it can be wrong."""

UNREAD = "board.hand_seen", "board.unreadable"
"""Kinds of a board of which nothing was read."""

_HARDLY_SHOWS, _DIE_SHOWS = 0.15, 0.5
"""A lone piece that shows less is not judged, nor its square; nor is a die that shows less."""
_NEXT_MM = 58.0
"""Middles of squares that touch at a side or a corner are nearer than this."""
_DIE_MM = 14.0
"""How far off a die may be seen."""
_STILL_READ = {"board_moved", "occluded"}

Held = Mapping[str, Counter[str]]
"""Pieces by colour, by the name of the place where they stand."""


@dataclass(frozen=True)
class Wrong:
    """One place that is read wrongly. `cost` (nats): the truth's among the alternatives, None if not told.
    `other`: where this place's piece was read, or where the piece read here truly stands.
    """

    kind: str
    place: str
    want: Mapping[str, int]
    got: Mapping[str, int]
    cost: float | None = None
    other: str = ""


def is_of_pieces(kind: str) -> bool:
    """Whether it makes the board wrong: dice and things that are none of the game's do not."""
    return not kind.startswith(("die.", "cocked.", "off_board.", "board.die", "board.thing"))


class Truth:
    """What stands and lies on a board, by place."""

    def __init__(self, plan: Plan, stand: Stand) -> None:
        self._plan, self._dice = plan, stand.dice
        self._held: dict[str, Counter[str]] = {}
        self._astray: Counter[tuple[str | None, Cell | None]] = Counter()
        stacked, hidden = set[str](), set[str]()
        for piece in stand.pieces:
            seat = plan.board.seat(piece.colour)
            steps = {"base": BASE, "home": plan.board.home, "floor": None}.get(
                piece.place, plan.steps_by_cell[seat].get(piece.cell or (-1, -1))
            )
            if steps is None:
                self._astray[piece.colour, piece.cell] += 1
                continue
            place = plan.board.place(seat, steps)
            self._held.setdefault(place, Counter())[piece.colour] += 1
            if piece.level:
                stacked.add(place)
            elif piece.visible < _HARDLY_SHOWS:
                hidden.add(place)
        self._stacked, self._hidden = stacked, hidden - stacked

    @property
    def to_misread(self) -> dict[str, int]:
        """How many of each thing there are."""
        homes = [f"{colour} {steps}" for colour in self._plan.board.seats for steps in self._pens]
        squares = len(self._plan.track_cells) + len(self._plan.board.chute) * len(self._plan.board.seats)
        things = Counter(self._thing(place) for place in {*self._held, *homes} - self._hidden)
        things["empty"] = squares - sum(place not in homes for place in self._held)
        things["board"] = 1
        things.update(thing for die in self._dice if (thing := _die_thing(die)))
        return {thing: things[thing] for thing in KINDS}

    def wrong(self, seen: Sighting) -> list[Wrong]:
        """All that a sighting of it has wrong. If it was not read at all, that alone."""
        if seen.hand:
            return [Wrong(UNREAD[0], "board", {}, {})]
        if set(seen.trouble) - _STILL_READ:
            return [Wrong(UNREAD[1], "board", {}, {})]
        return [*self._places(seen), *self._strays(seen), *self._dice_wrong(seen.dice)]

    def alternatives(self, seen: Sighting) -> list[tuple[float, bool, str]]:
        """What each alternative costs (nats), whether it is the truth, and what kind of error it would be if
        it were read. That is empty at places that are read wrongly already. Hidden squares are left out, and
        what lies beyond lines.
        """
        read, out = read_places(self._plan, seen.pieces), []
        for each in seen.alternatives:
            place, told = each.place, Counter(each.contents)
            is_known = place[:1].isdigit() or place.split(" ")[0] in self._plan.board.seats
            if not is_known or place in self._hidden:
                continue
            want, got = self._held.get(place, Counter()), read.get(place, Counter())
            kind = self._kind(place, want, told) if want == got and not each.across else ""
            out.append((round(each.cost, 2), told == want, kind))
        return out

    def squares_of_side(self, colour: str) -> int:
        """How many squares hold pieces of a colour or of its partner's."""
        board = self._plan.board
        side = {colour, board.seats[board.partner(board.seat(colour))]}
        pens = tuple(f" {steps}" for steps in self._pens)
        return sum(
            bool(side & held.keys()) and not place.endswith(pens) for place, held in self._held.items()
        )

    @property
    def _pens(self) -> tuple[int, int]:
        return BASE, self._plan.board.home

    def _thing(self, place: str) -> str:
        if place.endswith(f" {BASE}"):
            return "base"
        if place.endswith(f" {self._plan.board.home}"):
            return "home_stack" if place in self._stacked else "home"
        if place not in self._held:
            return "empty"
        if place in self._stacked:
            return "stack"
        return "single" if self._held[place].total() == 1 else "group"

    def _places(self, seen: Sighting) -> list[Wrong]:
        read = read_places(self._plan, seen.pieces)
        out = []
        for place in sorted(self._held.keys() | read.keys()):
            want, got = self._held.get(place, Counter()), read.get(place, Counter())
            if want == got or place in self._hidden:
                continue
            costs = [a.cost for a in seen.alternatives if a.place == place and Counter(a.contents) == want]
            kind = self._kind(place, want, got)
            out.append(Wrong(kind, place, dict(want), dict(got), round(min(costs), 2) if costs else None))
        return list(self._paired(out))

    def _kind(self, place: str, want: Counter[str], got: Counter[str]) -> str:
        """What is wrong if a place is read so."""
        thing = self._thing(place)
        if thing == "empty":
            return "empty.invented"
        if want.total() == got.total():
            return f"{thing}.colour"
        if got.total() > want.total():
            return f"{thing}.more"
        return f"{thing}.{'unseen' if not got and thing in ('single', 'group', 'stack') else 'fewer'}"

    def _paired(self, wrong: Sequence[Wrong]) -> Iterator[Wrong]:
        """The same, each with the other end of its piece: a piece missing here that is too many there."""
        other: dict[str, str] = {}
        for lost in wrong:
            for found in wrong:
                gone, come = Counter(lost.want) - Counter(lost.got), Counter(found.got) - Counter(found.want)
                if lost is not found and gone & come and lost.place not in other and found.place not in other:
                    other[lost.place], other[found.place] = found.place, lost.place
        for each in wrong:
            there = other.get(each.place, "")
            kind = each.kind
            if kind in ("single.unseen", "empty.invented") and are_next(self._plan, each.place, there):
                kind = f"{kind.split('.')[0]}.beyond_a_line"
            yield replace(each, kind=kind, other=there)

    def _strays(self, seen: Sighting) -> Iterator[Wrong]:
        """Pieces read astray that are not, and things that are no pieces. A true stray may go unread."""
        read = Counter((stray.colour, stray.cell) for stray in seen.stray)
        for (colour, cell), number in (read - self._astray).items():
            kind = "board.astray" if colour else "board.thing_seen"
            yield Wrong(kind, f"astray {colour} {cell}", {}, {str(colour): number})

    def _dice_wrong(self, seen: Sequence[SeenDie]) -> Iterator[Wrong]:
        known = set[SeenDie]()
        for number, die in enumerate(self._dice):
            there = [d for d in seen if dist((d.x_mm, d.y_mm), die.xy_mm) < _DIE_MM]
            known.update(there)
            thing = _die_thing(die)
            way = _die_way(die, there) if thing else ""
            if way:
                got = dict(Counter(f"{d.state} {d.value}" for d in there))
                yield Wrong(f"{thing}.{way}", f"die {number}", {f"{die.state} {die.value}": 1}, got)
        for d in seen:
            if d not in known:
                at = f"die at {round(d.x_mm, -1):.0f},{round(d.y_mm, -1):.0f}"
                yield Wrong("board.die_invented", at, {}, {f"{d.state} {d.value}": 1})


def _die_thing(die: Die) -> str:
    """The thing that a die is; nothing if it is not judged."""
    if die.visible < _DIE_SHOWS:
        return ""
    return {"flat": "die", "cocked": "cocked", "off_board": "off_board"}.get(die.state, "")


def _die_way(die: Die, there: Sequence[SeenDie]) -> str:
    """How a die is wrong, by what was read where it lies; nothing if it is right."""
    states = {d.state for d in there}
    if die.state == "off_board":
        return "on_board" if states - {"off_board"} else ""
    if not there:
        return "unseen"
    if die.state == "cocked":
        return "" if states == {"cocked"} else "flat"
    if [(d.value, d.state) for d in there] == [(die.value, "flat")]:
        return ""
    return "cocked" if states == {"cocked"} else "value"


def read_places(plan: Plan, pieces: Mapping[str, Sequence[int]]) -> Held:
    """Pieces by place, out of steps by colour."""
    held: dict[str, Counter[str]] = {}
    for colour, steps_of in pieces.items():
        for steps in steps_of:
            place = plan.board.place(plan.board.seat(colour), steps)
            held.setdefault(place, Counter())[colour] += 1
    return held


def are_next(plan: Plan, place: str, other: str) -> bool:
    """Whether two squares touch. Bases and homes touch nothing."""
    here, there = middle_mm(plan, place), middle_mm(plan, other)
    return here is not None and there is not None and dist(here, there) < _NEXT_MM


def middle_mm(plan: Plan, place: str) -> tuple[float, float] | None:
    """The middle of a square on the plan; None for bases, homes and what is astray."""
    colour, _, steps = place.rpartition(" ")
    if place.isdigit():
        return plan.centre_mm(plan.track_cells[int(steps)])
    if colour not in plan.board.seats or int(steps) not in plan.board.chute:
        return None
    return plan.centre_mm(plan.chute_cell(plan.board.seat(colour), int(steps)))
