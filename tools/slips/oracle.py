"""Whether a sentence about a wrong board is true of the two boards and the dice.

It reads the sentence as a player hears it. It knows squares, dice and the legal boards. It must not know how
sentences are made: nothing of `uckers_table.announce` is imported here. What it cannot read counts as untrue.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

from uckers_table.game.board import BASE, CORNER, DOORSTEP
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ways import EXIT_DICE, SIX

_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_Piece = tuple[int, int]


@dataclass(frozen=True)
class Way:
    """One piece that left a place and came to another."""

    seat: int
    start: int
    end: int

    @property
    def squares(self) -> int:
        """How far it went: coming out to the doorstep is no way."""
        return self.end - {BASE: DOORSTEP, CORNER: BASE}.get(self.start, self.start)


@dataclass(frozen=True)
class Boards:
    """The board before, the board as it stands, the dice, and what the dice allowed.

    `match` is the match as it was judged. `due` is the match with the throw in hand: the same, or the one
    whose throw was passed.
    """

    match: Match
    due: Match
    after: Position

    @property
    def before(self) -> Position:
        return self.due.position

    @property
    def dice(self) -> tuple[int, ...]:
        return self.due.thrown

    @cached_property
    def exits(self) -> list[int]:
        """The dice that bring a piece out."""
        return [die for die in self.dice if die in EXIT_DICE[self.due.rules.exit_throw]]

    @cached_property
    def team(self) -> tuple[int, ...]:
        return self.due.setting.teams[self.due.to_play]

    @cached_property
    def gone(self) -> Counter[_Piece]:
        """The pieces of the other team that are in base now."""
        found: Counter[_Piece] = Counter()
        for seat in range(len(self.before)):
            if seat not in self.team:
                left, came = self.changes(seat)
                found.update((seat, steps) for steps in left if BASE in came)
        return found

    def changes(self, seat: int) -> tuple[list[int], list[int]]:
        """The places that a colour's pieces left, and those that they came to."""
        was, now = Counter(self.before[seat]), Counter(self.after[seat])
        return sorted((was - now).elements()), sorted((now - was).elements())

    @cached_property
    def changed(self) -> list[int]:
        """The colours that stand otherwise."""
        return [seat for seat, four in enumerate(self.before) if four != self.after[seat]]

    def ways(self, seats: Iterable[int]) -> Iterator[list[Way]]:
        """Every way in which pieces of these colours may have come to stand as they do."""
        by_seat = []
        for seat in dict.fromkeys(seats):
            left, came = self.changes(seat)
            orders = {tuple(zip(left, order, strict=True)) for order in permutations(came)}
            by_seat.append([[Way(seat, *each) for each in order] for order in sorted(orders)])
        for chosen in product(*by_seat):
            yield [way for ways in chosen for way in ways]

    def square(self, seat: int, steps: int) -> int | None:
        return self.due.board.square(seat, steps)

    def passed(self, way: Way) -> set[int]:
        """The squares that a piece went over."""
        first = max(way.start, BASE) + 1
        over = range(first, way.end) if way.end > way.start else range(way.end + 1, way.start)
        return {square for steps in over if (square := self.square(way.seat, steps)) is not None}

    def landed(self, way: Way, halves: Sequence[int] = ()) -> set[int]:
        """The squares that a piece came down on: where it stands, where it came out, and where it was after
        one of some numbers, if it went the total.
        """
        steps = {way.end} | ({DOORSTEP} if way.start == BASE else set())
        if way.start != BASE and way.squares == sum(self.dice):
            steps |= {way.start + half for half in halves}
        return {square for each in steps if (square := self.square(way.seat, each)) is not None}

    @cached_property
    def touches(self) -> list[tuple[int, ...]]:
        """By which die pieces that went the total may have come down half-way: in some rule sets, and where a
        mate went on from there, so that the board shows one piece.
        """
        mates = [steps for seat in self.team for steps in self.before[seat]]
        may = self.due.rules.intermediate_capture or len({*mates}) > 1
        return [(), *((die,) for die in self.dice)] if may and len(self.dice) > 1 else [()]

    def landings(self, ways: Sequence[Way], halves: Sequence[int] = ()) -> set[int]:
        """The squares that some pieces came down on."""
        return set().union(*(self.landed(way, self._real(way, halves)) for way in ways if way.end != BASE))

    def _real(self, way: Way, halves: Sequence[int]) -> list[int]:
        """The numbers after which a piece may have come down: by a rule, or on a mate that went on."""
        by_rule = self.due.rules.intermediate_capture
        return [half for half in halves if by_rule or way.start + half in self.before[way.seat]]

    def blobs(self, seats: Sequence[int]) -> set[int]:
        """The squares on which these colours had a blob, before anything was moved."""
        standing = [Counter(self.square(seat, steps) for steps in self.before[seat]) for seat in seats]
        squares = {square for each in standing for square in each if square is not None}
        rules = self.due.rules
        if not rules.mixed_blocks and rules.mixed_with_two_of_a_colour == "no_barrier":
            others = [seat for seat in range(len(self.before)) if seat not in seats]
            squares -= {self.square(seat, steps) for seat in others for steps in self.before[seat]}
        return {
            square
            for square in squares
            if all(each[square] for each in standing) and sum(each[square] for each in standing) > 1
        }

    def is_right(self, board: Position) -> bool:
        """Whether a board is legal, the one before, or on the way from it to a legal one."""
        return board in (self.before, self.match.position, *self.due.plays) or board in self.due.halfway

    def shown(self, ways: Sequence[Way], dice: Sequence[int]) -> bool:
        """Whether dice show how far pieces went, one each or all on one."""
        out = sum(way.start == BASE for way in ways)
        walked = Counter(way.squares for way in ways if way.squares)
        exits = [die for die in dice if die in EXIT_DICE[self.due.rules.exit_throw]]
        for spent in combinations(exits, out):
            left = Counter(dice) - Counter(spent)
            if walked <= left or walked == Counter([sum(left.elements())]):
                return True
        return False


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _WORDS.index(word.lower())


_BELONGS = r"((?:[Oo]ne of )?\w+'s pieces?) (.+) belongs in base"
"""What is said of a piece that was brought out of base: where it stands, and that it goes back."""


class Reading:
    """What one sentence claims, held against the boards. `faults`: what of it is untrue."""

    def __init__(self, said: str, boards: Boards) -> None:
        self.boards = boards
        self.said = said
        self.colours = boards.due.board.seats
        self.named: set[int] = set()
        """The colours of the pieces that "it" means."""
        self.faults: list[str] = []
        title, _, rest = said.partition(". ")
        is_due = _is_play_due(boards)
        if title != ("Illegal" if is_due else "Timber shift"):
            self.faults.append(f"title: {title}")
        sentences = [each.strip(". ") for each in rest.split(". ")]
        self.remedy = ""
        if len(sentences) > 1 and sentences[-1].startswith("Put"):
            self.remedy = sentences.pop()
        fault = "; ".join(sentences)
        if more := re.fullmatch(r"(And .+): (put .+)", fault):
            fault, self.remedy = more[1], more[2].capitalize()
        elif belongs := re.fullmatch(rf"(?:(.*); )?((?:And )?{_BELONGS})", fault, re.I):
            fault, self.remedy = belongs[1] or belongs[2], belongs[2]
        joint = r" and (?=(?:\w+ and )?\w+ (?:is|are) safe)"
        for part in re.split(joint, fault) if fault.startswith("Nobody landed") else [fault]:
            self._hold(part[:1].upper() + part[1:])
        if self.remedy == "Put them back" and not fault.startswith("And "):
            self.named = {*boards.changed}
        if self.remedy and not self._leads_right(self.remedy):
            self.faults.append(f"remedy: {self.remedy}")

    def _hold(self, fault: str) -> None:
        for pattern, check in _FAULTS:
            if found := re.fullmatch(pattern, fault):
                claims = [each or "" for each in found.groups()]
                self.named = self.named or {*self.seats(fault)} or {*self.boards.changed}
                if not check(self, *claims):
                    self.faults.append(f"{pattern}: {fault}")
                return
        self.faults.append(f"cannot read: {fault}")

    # ------------------------------------------------------------------ words

    def seats(self, words: str) -> list[int]:
        """The colours in some words, in their order."""
        names = re.findall(r"[a-z]+", words.lower())
        return [self.colours.index(name) for name in names if name in self.colours]

    def ways(self, seats: Iterable[int] | None = None) -> Iterator[list[Way]]:
        return self.boards.ways(self.boards.changed if seats is None else seats)

    def places(self, words: str, seat: int) -> set[int]:
        """The steps at which a colour's piece stands on a place that is told in words."""
        board = self.boards.due.board
        words = re.sub(r"^(on|in|at) ", "", words.strip())
        if words == "base":
            return {BASE}
        if words == "home":
            return {board.home}
        if found := re.fullmatch(r"(\w+) short of home", words):
            return {board.home - _number(found[1])}
        found = re.fullmatch(r"(?:(\w+) (on from|short of) )?(\w+)'s (doorstep|mouth)", words)
        if not found:
            return set()
        by = _number(found[1]) if found[1] else 0
        owner = self.colours.index(found[3])
        square = board.square(owner, DOORSTEP if found[4] == "doorstep" else board.mouth)
        assert square is not None
        square = (square + (by if found[2] == "on from" else -by)) % board.track
        return {
            steps for steps in (*range(1, board.mouth + 1), CORNER) if board.square(seat, steps) == square
        }

    def are_dice(self, words: str) -> bool:
        """Whether these are the dice that were thrown."""
        numbers = [_number(each) for each in re.findall(r"\d+", words)]
        return sorted(numbers * (2 if "double" in words else 1)) == sorted(self.boards.dice)

    # ------------------------------------------------------------------ what puts it right

    def _leads_right(self, remedy: str) -> bool:
        """Whether the board is right once hands have done so."""
        return any(map(self.boards.is_right, self._put_so(remedy)))

    def _put_so(self, remedy: str) -> Iterator[Position]:
        """The boards that hands make of a remedy: the pieces that "it" may mean are tried in turn."""
        moved = [(seat, steps) for seat in sorted(self.named) for steps in {*self.boards.changes(seat)[1]}]
        if remedy == "Put them back":
            for ways in self.ways(self.named):
                for number in range(2, len(ways) + 1):
                    for some in combinations(ways, number):
                        yield self._with([(way.seat, way.end, way.start) for way in some])
        elif found := re.fullmatch(r"Put it (\w+) (back|on)", remedy):
            if found[1] in _WORDS:
                by = _number(found[1]) * (-1 if found[2] == "back" else 1)
                for seat, steps in moved:
                    yield self._with([(seat, steps, steps + by)])
                    # On from the corner is the doorstep.
                    yield self._with([(seat, steps, CORNER)] if steps + by == BASE else [])
        elif remedy == "Put it back":
            for ways in self.ways(self.named):
                for way in ways:
                    yield self._with([(way.seat, way.end, way.start)])
        elif found := re.fullmatch(r"Put it back (.+)", remedy):
            for seat, came in moved:
                yield from (self._with([(seat, came, steps)]) for steps in self.places(found[1], seat))
        elif found := re.fullmatch(_BELONGS, remedy.removeprefix("And "), re.I):
            (seat,) = self.seats(found[1])
            yield from (self._with([(seat, steps, BASE)]) for steps in self.places(found[2], seat))

    def _with(self, moves: Sequence[tuple[int, int, int]]) -> Position:
        four = [list(each) for each in self.boards.after]
        for seat, start, end in moves:
            if start in four[seat]:
                four[seat].remove(start)
                four[seat].append(end)
        return tuple(tuple(sorted(each)) for each in four)

    def sent_to_base(self, seats: Iterable[int], squares: Iterable[int]) -> Position:
        """The board once all pieces of these colours on some squares are in base."""
        return tuple(
            tuple(
                sorted(
                    BASE if seat in seats and self.boards.square(seat, steps) in {*squares} else steps
                    for steps in four
                )
            )
            for seat, four in enumerate(self.boards.after)
        )


def _is_play_due(boards: Boards) -> bool:
    """Whether a play was due, and the side that was to make it moved something."""
    return boards.match.awaiting is Awaiting.PLAY and bool({*boards.team} & {*boards.changed})


def untrue(said: str, match: Match, after: Position) -> list[str]:
    """What is untrue of a sentence spoken on a board; empty if all of it is true."""
    due = match.passed if match.passed is not None and not match.plays else match
    return Reading(said, Boards(match, due, after)).faults


# ---------------------------------------------------------------------- what is claimed, sentence by sentence


def _still_has(reading: Reading, who: str, article: str, number: str) -> bool:
    boards, die = reading.boards, int(number)
    if boards.dice.count(die) == 0 or (article == "a") != (len(set(boards.dice)) == 1):
        return False
    if not {*reading.seats(who)} <= {boards.due.to_play} | ({*boards.team} & {*boards.changed}):
        return False
    return any(_is_one_move_on(reading, board, die) for board in boards.due.plays)


def _is_one_move_on(reading: Reading, board: Position, die: int) -> bool:
    """Whether a board is the one that stands after one more piece moved by a die, and what it knocked off."""
    rules, onward = reading.boards.due.rules, []
    for seat, four in enumerate(reading.boards.after):
        stands, then = Counter(four), Counter(board[seat])
        left, came = sorted((stands - then).elements()), sorted((then - stands).elements())
        if seat in reading.boards.team:
            onward += [Way(seat, *each) for each in zip(left, came, strict=True)]
        elif {*came} - {BASE}:
            return False
    if len(onward) != 1:
        return False
    (way,) = onward
    is_out = way.start == BASE and way.squares == 0 and die in reading.boards.exits
    return is_out or (way.start != BASE and way.squares == die) or rules.home_exact == "bounce"


def _both_dice(reading: Reading) -> bool:
    boards = reading.boards
    return any(
        boards.shown(ways, [die]) or boards.due.rules.home_exact == "bounce"
        for die in boards.dice
        for ways in reading.ways(set(boards.team) & {*boards.changed})
    )


def _must_be_played(reading: Reading, number: str) -> bool:
    boards = reading.boards
    lower = min(boards.dice)
    is_lower = boards.due.rules.home_exact == "bounce" or any(
        boards.shown(ways, [lower]) for ways in reading.ways(set(boards.team) & {*boards.changed})
    )
    return int(number) == max(boards.dice) and bool(boards.due.plays) and is_lower


def _came_out(reading: Reading, seats: Iterable[int]) -> int:
    boards = reading.boards
    return sum(max(boards.before[seat].count(BASE) - boards.after[seat].count(BASE), 0) for seat in seats)


def _takes_a_six(reading: Reading, also: str) -> bool:
    boards = reading.boards
    reading.named = {*boards.changed}
    other = {_number(also)} if also else set()
    is_told = other == EXIT_DICE[boards.due.rules.exit_throw] - {SIX}
    return is_told and not boards.exits and _came_out(reading, boards.team) > 0


def _brings_one(reading: Reading, number: str) -> bool:
    boards = reading.boards
    reading.named = {*boards.changed}
    if _number(number) not in boards.exits:
        return False
    return _came_out(reading, boards.team) > len(boards.exits) or _was_to_bring_out(reading)


def _was_to_bring_out(reading: Reading) -> bool:
    """Whether a die that has to bring a piece out moved another."""
    boards = reading.boards
    if boards.due.rules.exit_optional is True or not boards.due.plays:
        return False
    in_base = [
        sum(board[seat].count(BASE) for seat in boards.team)
        for board in (boards.before, boards.after, *boards.due.plays)
    ]
    owed = in_base[0] - max(in_base[2:])
    if in_base[0] - in_base[1] >= owed:
        return False
    rest = list((Counter(boards.dice) - Counter(boards.exits[:owed])).elements())
    return any(
        boards.shown(ways, boards.dice) and not boards.shown(ways, rest)
        for ways in reading.ways({*boards.team} & {*boards.changed})
    )


def _no_six(reading: Reading, who: str) -> bool:
    reading.named = {*reading.boards.changed}
    return SIX not in reading.boards.dice and _came_out(reading, reading.seats(who)) > 0


def _used_twice(reading: Reading, number: str) -> bool:
    boards, die = reading.boards, _number(number)
    if die not in boards.exits:
        return False
    for ways in reading.ways(set(boards.team) & {*boards.changed}):
        moved = [way for way in ways if way.end != BASE]
        if any(way.start == BASE for way in moved) and not boards.shown(moved, boards.dice):
            counted_from_base = [Way(w.seat, w.start, w.end + (w.start == BASE)) for w in moved]
            if boards.shown(moved, (*boards.dice, die)):
                return True
            if len(boards.dice) == 1 and boards.shown(counted_from_base, (*boards.dice, die)):
                return True
    return False


def _doorstep_counted(reading: Reading) -> bool:
    """One came out on a six, and the dice show the numbers if its doorstep is counted as one."""
    boards = reading.boards
    for ways in reading.ways(set(boards.team) & {*boards.changed}):
        out = [way for way in ways if way.start == BASE]
        walked = Counter(way.squares + (way.start == BASE) for way in ways)
        is_shown = walked <= Counter(boards.dice) or walked == Counter([sum(boards.dice)])
        if len(out) == 1 and out[0].squares and boards.exits and is_shown:
            return True
    return False


def _all_by_each(reading: Reading, who: str, is_met: Callable[[Way], set[int]], whose: str) -> bool:
    """Whether each colour that is named met one of the blobs, and each blob was met."""
    boards, movers = reading.boards, reading.seats(who)
    wanted = [
        (int(_number(number)) if number else 1, reading.seats(owners)) for number, owners in _blobs(whose)
    ]
    for ways in reading.ways(movers):
        met = [(way.seat, is_met(way)) for way in ways if way.end != BASE]
        every: set[int] = set().union(*(squares for _, squares in met))
        standing = set().union(*(boards.blobs(owners) for _, owners in wanted))
        if all(len(every & boards.blobs(owners)) == number for number, owners in wanted) and all(
            any(seat == mover and squares & standing for seat, squares in met) for mover in movers
        ):
            return True
    return False


def _blobs(whose: str) -> list[tuple[str, str]]:
    """ "two of red's blobs and yellow's": how many, and whose."""
    parts = re.split(r"(?<=blobs) and |(?<=blob) and |(?<=s), |(?<='s) and ", whose)
    found = [re.fullmatch(r"(?:(\w+) of )?((?:\w+ and )?\w+)'s(?: blobs?)?", part) for part in parts]
    return [(each[1] or "", each[2]) for each in found if each]


def _went_through(reading: Reading, who: str, whose: str) -> bool:
    return _all_by_each(reading, who, reading.boards.passed, whose)


def _landed_on_blob(reading: Reading, who: str, whose: str, goes: str) -> bool:
    boards = reading.boards
    if not _all_by_each(reading, who, boards.landed, whose):
        return False
    owners = reading.seats(whose)
    return not goes or (
        reading.seats(goes) == owners and boards.is_right(reading.sent_to_base(owners, boards.blobs(owners)))
    )


def _landed_on(reading: Reading, who: str, whom: str, goes: str, instead: str) -> bool:
    boards, movers, landed_on = reading.boards, reading.seats(who), reading.seats(whom)
    for ways, halves in product(reading.ways(movers), boards.touches):
        met = {seat: boards.landings([way for way in ways if way.seat == seat], halves) for seat in movers}
        every = set().union(*met.values())
        stood = {seat: {boards.square(seat, steps) for steps in boards.before[seat]} for seat in landed_on}
        if not all(every & stood[seat] for seat in landed_on):
            continue
        if not all(met[mover] & set().union(*stood.values()) for mover in movers):
            continue
        if goes and not (
            reading.seats(goes) == landed_on and _is_right_with_all_sent(reading, every, landed_on)
        ):
            continue
        if all(any(seat == each for each, _ in _unearned(reading, every)) for seat in reading.seats(instead)):
            return True
    return False


def _is_right_with_all_sent(reading: Reading, landed: set[int], seats: list[int]) -> bool:
    """Whether the board is right once those who were landed on are in base: where they stand, or were put."""
    boards = reading.boards
    if boards.is_right(reading.sent_to_base(seats, landed)):
        return True
    elsewhere = [(seat, steps) for seat in seats for steps in boards.changes(seat)[1] if steps != BASE]
    return any(
        boards.is_right(reading._with([(seat, steps, BASE) for seat, steps in some]))
        for number in range(1, len(elsewhere) + 1)
        for some in combinations(elsewhere, number)
    )


def _unearned(reading: Reading, landed: set[int]) -> list[_Piece]:
    """The pieces in base on whose squares nobody landed."""
    boards = reading.boards
    return [piece for piece in boards.gone.elements() if boards.square(*piece) not in landed]


def _own_landings(reading: Reading) -> Iterator[set[int]]:
    boards = reading.boards
    for ways, halves in product(reading.ways(set(boards.team) & {*boards.changed}), boards.touches):
        yield boards.landings(ways, halves)


def _wrong_one(reading: Reading, colour: str) -> bool:
    boards, (seat,) = reading.boards, reading.seats(colour)
    for landed in _own_landings(reading):
        stands = {boards.square(seat, steps) for steps in boards.after[seat]} - {None}
        if any(each == seat for each, _ in _unearned(reading, landed)) and stands & landed:
            return True
    return False


def _nobody_landed(reading: Reading, told: str) -> bool:
    """All of a colour that are in base, or so many of them, were landed on by nobody."""
    some = re.findall(rf"({'|'.join(_WORDS)}) of (\w+)'s pieces", told.lower())
    number_of = {reading.colours.index(colour): _number(number) for number, colour in some}
    for landed in _own_landings(reading):
        gone = Counter(seat for seat, _ in reading.boards.gone.elements())
        more = Counter(seat for seat, _ in _unearned(reading, landed))
        if all(
            0 < more[seat] == number_of[seat] < gone[seat]
            if seat in number_of
            else 0 < more[seat] == gone[seat]
            for seat in reading.seats(told)
        ):
            return True
    return False


def _safe(reading: Reading, colours: str) -> bool:
    boards, seats = reading.boards, reading.seats(colours)
    if boards.due.rules.safe_squares != "all_coloured":
        return False
    doorsteps = {boards.square(seat, DOORSTEP) for seat in range(len(boards.before))}
    return all(
        any(piece[0] == seat and boards.square(*piece) in doorsteps for piece in boards.gone)
        for seat in seats
    )


def _only_passed(reading: Reading, who: str, whom: str) -> bool:
    boards, movers, seats = reading.boards, reading.seats(who), reading.seats(whom)
    for ways in reading.ways(movers):
        passed = set().union(*(boards.passed(way) for way in ways))
        landed = set().union(*(boards.landed(way) for way in ways))
        over = [piece for piece in boards.gone if boards.square(*piece) in passed - landed]
        if {seat for seat, _ in over} == {*seats}:
            return True
    return False


def _needs(reading: Reading, who: str, how: str, numbers: str) -> bool:
    """A piece went home on what it did not need; "another" if what it needed moved another piece."""
    boards, needed = reading.boards, [int(each) for each in re.findall(r"\d+", numbers)]
    movers = reading.seats(who)
    for ways in reading.ways(set(boards.team) & {*boards.changed}):
        home = [way for way in ways if way.end == boards.due.board.home]
        over = [way for way in home if way.squares in needed and way.seat in movers]
        if not Counter(needed) <= Counter(way.squares for way in over):
            continue
        if {way.seat for way in over} != {*movers}:
            continue
        is_thrown = [number in boards.dice for number in needed]
        if how == "another" and all(is_thrown) and len(ways) > len(needed):
            return True
        if how == "exactly" and not any(is_thrown) and (len(ways) > 1 or needed != [sum(boards.dice)]):
            return True
    return False


def _not_your_piece(reading: Reading, who: str, whose: str) -> bool:
    boards = reading.boards
    moved = {*reading.seats(whose)}
    if reading.seats(who) != [boards.due.to_play] or not moved <= {*boards.team} - {*boards.due.movers}:
        return False
    reading.named = moved
    return _are_named(reading, whose, [seat for seat in boards.changed if seat in moved])


def _are_named(reading: Reading, words: str, seats: Sequence[int], before: Position | None = None) -> bool:
    """Whether some words tell which pieces of some colours were moved: "green and blue", "two red pieces"."""
    boards = reading.boards
    stood = boards.before if before is None else before
    moved = Counter({seat: (Counter(stood[seat]) - Counter(boards.after[seat])).total() for seat in seats})
    if found := re.fullmatch(r"(\w+) pieces", words.lower()):
        return _number(found[1]) == moved.total()
    told: Counter[int] = Counter()
    for number, colour in re.findall(r"(?:(an?|two|three|four) )?([a-z]+)", words.lower()):
        if colour in reading.colours:
            told[reading.colours.index(colour)] += _number(number) if number in _WORDS else 1
    return told == +moved


def _besides(reading: Reading, more: str) -> bool:
    """Whether a legal board and the pieces that are named make the board that stands."""
    boards = reading.boards
    for play in boards.due.plays:
        if found := re.fullmatch(_BELONGS, more, re.I):
            is_told = _smuggled(reading, found[1], found[2])
        else:
            is_told = _stands(reading, more, play)
        if is_told and reading.remedy and play in reading._put_so(reading.remedy):
            return True
    return False


def _stands(reading: Reading, words: str, before: Position) -> bool:
    """Whether pieces were moved since a board as some words tell, and nothing else."""
    boards = reading.boards
    differs = [seat for seat, four in enumerate(before) if four != boards.after[seat]]
    if found := re.fullmatch(r"(\w+) (moved to base|came out|moved home)", words, re.I):
        (seat,) = reading.seats(found[1])
        if differs != [seat]:
            return False
        left = [*(Counter(before[seat]) - Counter(boards.after[seat])).elements()]
        came = [*(Counter(boards.after[seat]) - Counter(before[seat])).elements()]
        done = {"moved to base": came == [BASE], "came out": left == [BASE]}
        return len(left) == 1 and done.get(found[2], came == [boards.due.board.home])
    if found := re.fullmatch(r"(.+) moved", words):
        if found[1].lower() == "the pieces":
            return True
        return _are_named(reading, found[1], differs, before)
    if found := re.fullmatch(r"(\w+), (.+)", words):
        (seat,) = reading.seats(found[1])
        came = [*(Counter(boards.after[seat]) - Counter(before[seat])).elements()]
        return differs == [seat] and len(came) == 1 and came[0] in reading.places(found[2], seat)
    return False


def _shift(reading: Reading, words: str) -> bool:
    if not reading.seats(words):
        reading.named = {*reading.boards.changed}
    return _stands(reading, words, reading.boards.match.position)


def _smuggled(reading: Reading, whose: str, place: str) -> bool:
    """Whether a piece of that colour has come out of base and stands there, one of some if so told."""
    boards, (seat,) = reading.boards, reading.seats(whose)
    steps = [each for each in reading.places(place, seat) if each in boards.after[seat]]
    left, _ = boards.changes(seat)
    is_one_of = any(boards.after[seat].count(each) > 1 for each in steps)
    return bool(steps) and BASE in left and whose.lower().startswith("one of") == is_one_of


def _no_six_thrown(reading: Reading) -> bool:
    return SIX not in reading.boards.dice and bool(reading.remedy)


def _went_home(reading: Reading, who: str, on: str, needs: str) -> bool:
    """One went home by the dice that the rest left over, and needs another number."""
    boards, (seat,) = reading.boards, reading.seats(who)
    for ways in reading.ways(set(boards.team) & {*boards.changed}):
        home = [way for way in ways if way.end == boards.due.board.home and way.seat == seat]
        rest = [way.squares for way in ways if way not in home]
        left = Counter(boards.dice) - Counter(rest)
        if len(home) == 1 and home[0].squares == int(needs) and Counter(rest) + left == Counter(boards.dice):
            return sum(left.elements()) == int(on) and int(needs) not in (int(on), *left)
    return False


def _in_the_way(reading: Reading, whose: str, verb: str) -> bool:
    boards = reading.boards
    owners = [reading.seats(each) for _, each in _blobs(whose)]
    for ways in reading.ways(set(boards.team) & {*boards.changed}):
        if not boards.shown(ways, boards.dice):
            continue
        met = set().union(*(boards.passed(way) | boards.landed(way) for way in ways))
        if all(met & boards.blobs(seats) for seats in owners):
            return True
    return False


def _past_chute(reading: Reading, who: str, whose: str) -> bool:
    """By a number that was thrown, past the mouth and on round the board."""
    boards = reading.boards
    numbers, board = {*boards.dice, sum(boards.dice)}, boards.due.board
    return any(
        {*reading.seats(who)}
        <= {
            way.seat
            for way in ways
            if BASE < way.end < way.start <= board.mouth and board.track + way.end - way.start in numbers
        }
        for ways in reading.ways(reading.seats(who))
    )


def _backwards(reading: Reading, who: str) -> bool:
    """However the pieces of these colours went, one of each went back."""
    return all(
        any(BASE < way.end < way.start for way in ways)
        for seat in reading.seats(who)
        for ways in reading.ways([seat])
    )


def _how_far(reading: Reading, told: str, dice: str) -> bool:
    boards = reading.boards
    if not reading.are_dice(dice):
        return False
    parts = re.split(rf"(?:^|, | and )(?=(?:{'|'.join(reading.colours)})\b)", told.lower())
    claims = {reading.seats(part)[0]: part for part in parts if part}
    for ways in reading.ways(boards.changed):
        walked = [way for way in ways if way.end != BASE]
        if {way.seat for way in walked} != {*claims}:
            continue
        if all(_is_so_far(part, [w for w in walked if w.seat == seat]) for seat, part in claims.items()):
            # It must not say what the dice said.
            return not boards.shown(walked, boards.dice)
    return False


def _is_so_far(part: str, ways: Sequence[Way]) -> bool:
    numbers = sorted(int(each) for each in re.findall(r"\d+", part))
    out = [way for way in ways if way.start == BASE]
    told = 2 if "came out twice" in part else int("came out" in part)
    is_other = re.search(r"moved .* came out", part)
    return (
        len(out) == told
        and sorted(way.squares for way in ways if way.squares) == numbers
        and not (is_other and any(way.squares for way in out))
        and not (told and numbers and not is_other and not any(way.squares for way in out))
    )


def _moved_to(reading: Reading, who: str, place: str, dice: str) -> bool:
    (seat,) = reading.seats(who)
    ends = reading.places(re.sub("^to ", "", place), seat)
    return reading.are_dice(dice) and any(end in ends for end in reading.boards.changes(seat)[1])


def _moved_at_all(reading: Reading, who: str, dice: str) -> bool:
    return reading.are_dice(dice) and _are_named(reading, who, reading.boards.changed)


def _must_challenge(reading: Reading, who: str) -> bool:
    return reading.boards.due.must_challenge


def _must_move_on(reading: Reading, whose: str, place: str) -> bool:
    (seat,) = reading.seats(whose)
    steps = reading.places(place, seat)
    return any(each in steps for each in reading.boards.before[seat]) and bool(reading.boards.due.visits)


def _not_in_the_chute(reading: Reading, who: str, whose: str) -> bool:
    boards, (seat,) = reading.boards, reading.seats(whose)
    left = boards.changes(seat)[0]
    return boards.due.rules.partner_tube_frozen and any(steps in boards.due.board.chute for steps in left)


def _superblob(reading: Reading, number: str) -> bool:
    boards = reading.boards
    return boards.due.rules.superblob_mobility == "frozen" and any(
        boards.before[seat].count(steps) == _number(number)
        for seat in boards.changed
        for steps in boards.changes(seat)[0]
    )


def _under_another(reading: Reading) -> bool:
    due = reading.boards.due
    return due.rules.mixed_stack_order == "top_first" and bool(due.stacks)


def _waits(reading: Reading, who: str) -> bool:
    """It is home, has just come home or thrown no six, and its partner's piece was moved."""
    boards, (seat,) = reading.boards, reading.seats(who)
    is_home = {*boards.after[seat]} == {boards.due.board.home} and seat == boards.due.to_play
    has_thrown = not boards.due.movers and SIX not in boards.dice
    return is_home and _mates_moved(reading) and (has_thrown or boards.before[seat] != boards.after[seat])


def _helps_later(reading: Reading, who: str) -> bool:
    """It threw its six for nothing but to help, and its partner's piece was moved."""
    boards = reading.boards
    is_side = reading.seats(who) == [boards.due.to_play]
    return is_side and not boards.due.movers and SIX in boards.dice and _mates_moved(reading)


def _mates_moved(reading: Reading) -> bool:
    """Whether a mate's piece was moved: it is the one that goes back."""
    boards = reading.boards
    reading.named = ({*boards.team} - {boards.due.to_play}) & {*boards.changed}
    return bool(reading.named)


def _lower_die_lost(reading: Reading) -> bool:
    return not reading.boards.due.rules.lower_die_fallback


def _bounced(reading: Reading) -> bool:
    return bool(reading.boards.due.turn.backing)


def _cannot_move(reading: Reading) -> bool:
    """It says nothing that could be untrue: that the board is wrong is the engine's word."""
    return True


def _told(reading: Reading, told: str, dice: str) -> bool:
    if found := re.fullmatch(r"(.+) moved", told):
        return _moved_at_all(reading, found[1], dice)
    if found := re.fullmatch(r"(\w+) moved (home|to .+)", told):
        return _moved_to(reading, found[1], found[2], dice)
    return _how_far(reading, told, dice)


_FAULTS: tuple[tuple[str, Callable[..., bool]], ...] = (
    (r"(.+) still has (a|the) (\d) to play", _still_has),
    (r"Both dice must be played", _both_dice),
    (r"The (\d) must be played", _must_be_played),
    (r"It takes a six(?: or a (\w+))? to come out", _takes_a_six),
    (r"A (\w+) brings one piece out", _brings_one),
    (r"No six: (\w+) stays in base", _no_six),
    (r"The (\w+) was used twice", _used_twice),
    (r"The doorstep is where you come out; count from the next", _doorstep_counted),
    (r"(.+) went through (.+)", _went_through),
    (r"(.+) landed on (.+ blobs?(?: and .+'s)?)(?:; (.+) goe?s? to base)?", _landed_on_blob),
    (r"The wrong (\w+) was sent back", _wrong_one),
    (r"Nobody landed on (.+)", _nobody_landed),
    (r"(.+) landed on ([^;,]+)(?:; (.+) goe?s? to base)?(?:, not on (.+))?", _landed_on),
    (r"(.+) (?:is|are) safe on that square", _safe),
    (r"(.+) only passed (.+)", _only_passed),
    (r"(.+) needs (exactly|another) (.+) for home", _needs),
    (r"And (.+)", _besides),
    (rf"{_BELONGS}", _smuggled),
    (r"No six", _no_six_thrown),
    (r"(\w+) went home on (\d+); it needs (\d+)", _went_home),
    (r"(.+) (?:is|are)() in the way", _in_the_way),
    (r"(.+) went past (its|their) own chute", _past_chute),
    (r"(.+) moved backwards", _backwards),
    (r"(.+(?:moved|came out).*); the (?:dice said|die showed) (.+)", _told),
    (r"(\w+) must challenge", _must_challenge),
    (r"(\w+) must move on from (.+)", _must_move_on),
    (r"(\w+) waits for a six", _waits),
    (r"(\w+) helps next turn", _helps_later),
    (r"The lower die alone is lost", _lower_die_lost),
    (r"That piece lies under another", _under_another),
    (r"That piece cannot move", _cannot_move),
    (r"A piece that bounced goes on backwards", _bounced),
    (r"(\w+) cannot move (\w+) in the chute", _not_in_the_chute),
    (r"A blob of (\w+) does not move", _superblob),
    (r"(\w+, .+|.+ moved(?: home| to base)?|\w+ came out)", _shift),
    (r"(\w+) moved (.+)", _not_your_piece),
)
"""The sentences of the referee as people hear them, and what each claims."""
