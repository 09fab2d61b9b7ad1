"""Histories: what may have happened up to the last throw or ruling, each with its price.

`History.honest` says where the pieces may stand since, if everybody is honest. `taking` says what becomes
of a history by dice or a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

from uckers_table.belief import prices
from uckers_table.belief.looks import NOBODY, Mismatch, Misread
from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Move, Ruling, after_moves, moves_between
from uckers_table.game.throws import offered, purpose
from uckers_table.referee.events import CallMade, DiceFault, ThrowMade
from uckers_table.referee.telling import Taken

GUILT = frozenset({Kind.ILLEGAL, Kind.TIMBER_SHIFT})
"""Rulings that accuse somebody."""
_SETTLES = frozenset({Kind.LEGAL, Kind.PUT_RIGHT, Kind.WON})
_MOST_LAGGING = 4
"""Of more pieces than this that a ruling moved, either all or none have been moved on the board."""
DiceOrCall = ThrowMade | DiceFault | CallMade


@dataclass(frozen=True)
class HonestBoard:
    """Where honest people may have put the pieces, and what it costs (nats).

    `kind`: "none" (nothing played), "play", "half" (of a play), "right" (put right), "kicked" (slid),
    "caught up" (what a ruling moved is moved), "lost" (nobody knows how it came to this). `match`: the
    match in which it was played, if not the history's. `shown`: the board that the rules are to judge, if
    any.
    """

    kind: str
    board: Position
    nats: float = 0.0
    match: Match | None = None
    shown: Position | None = None


@dataclass(frozen=True)
class History:
    """What may have happened up to the last throw or ruling.

    `board`: where the pieces truly stand. `nats`: what it costs. `known`: what the reader has misread since
    then. `unsaid`: the rulings that nobody has heard. `took`: the dice and calls since, each with how many
    of those came before it. `before`: the match before the last play, while that may be changed.
    `thrown_from`: the match before the dice in hand. `strain`: how much had to be assumed of late (nats).
    `forked`: another history is on record. `because`: the assumptions, each with its price.
    """

    match: Match
    board: Position
    nats: float = 0.0
    known: frozenset[Mismatch] = frozenset()
    once: frozenset[Mismatch] = frozenset()
    errors: float = 0.0
    plays: int = 0
    unsaid: tuple[Ruling, ...] = ()
    took: tuple[Taken, ...] = ()
    before: Match | None = None
    thrown_from: Match | None = None
    strain: float = 0.0
    forked: bool = False
    because: tuple[tuple[str, float], ...] = ()

    @property
    def misread(self) -> Misread:
        """What the reader is known to misread."""
        return Misread(self.known, self.once, prices.trust(self.errors, self.plays))

    def remembering(self, misread: Iterable[Mismatch]) -> History:
        """The same, and the reader has once misread this. What is of a piece that has moved is forgotten."""
        misread = {*misread}
        errors = self.errors + len(misread - self.once)
        stands, out = self.board, (BASE, self.match.board.home)
        kept = (
            each
            for each in self.once | misread
            if each.start in out or (each.start != NOBODY and each.start in stands[each.seat])
        )
        return replace(self, once=frozenset(kept), errors=errors)

    @property
    def is_guilty(self) -> bool:
        """Whether somebody would have to be accused for it."""
        return any(ruling.kind in GUILT and not ruling.unspoken for ruling in self.unsaid[self.stale :])

    @property
    def stale(self) -> int:
        """How many of the unsaid rulings are old: a play was made on them, or the wrong was put right."""
        settled = [n for n, ruling in enumerate(self.unsaid) if ruling.kind in _SETTLES]
        if not settled:
            return 0
        last = settled[-1]
        # Without a throw between, whoever did wrong has put it right before anybody spoke.
        stood = any(ruling.kind is Kind.STOOD for ruling in self.unsaid[:last])
        is_over = self.unsaid[last].kind is Kind.PUT_RIGHT or len(settled) > 1 or not stood
        return last if is_over else 0

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Histories of one key are the same from now on."""
        match = self.match
        return (
            *(match.position, match.awaiting, match.to_play, match.thrown, match.extra, match.throws),
            *(match.sixes, match.wrong_board, match.challenges, match.visits, match.helping, match.turn),
            *(self.board, self.is_guilty),
        )

    @cached_property
    def honest(self) -> tuple[HonestBoard, ...]:
        """Where honest people may have put the pieces since: each board once, at its least price."""
        best: dict[Position, HonestBoard] = {}
        for each in self._honest():
            other = best.setdefault(each.board, each)
            if (each.kind == "half", each.nats) < (other.kind == "half", other.nats):
                best[each.board] = each
        return tuple(best.values())

    def _honest(self) -> Iterator[HonestBoard]:
        match = self.match
        yield HonestBoard("none", self.board)
        lagging = moves_between(match.position, self.board) if match.behind is not None else ()
        for left in _some_of(lagging):
            board = after_moves(match.position, left)
            if board is not None and board != self.board:
                caught_up = None if left else match.position
                yield HonestBoard("none" if left else "caught up", board, 0.0, match, caught_up)
        if match.wrong_board is not None:
            yield HonestBoard("right", match.position, 0.0, match, match.position)
            yield from _on_its_way(match, match.wrong_board)
        if match.awaiting is Awaiting.PLAY:
            yield from _plays(match, 0.0, lagging)
            for other in _by_order(match):
                yield from _plays(other, prices.ORDER, lagging)
        if self.before is not None and match.awaiting is Awaiting.THROW:
            yield from _plays(self.before, prices.SWAP, ())
            yield HonestBoard("half", self.before.position, prices.SWAP, self.before)


def _on_its_way(match: Match, wrong: Position) -> Iterator[HonestBoard]:
    """Boards that are being put right: some pieces are back, or some squares off their places."""
    moves = moves_between(wrong, match.position)
    if len(moves) > _MOST_LAGGING:
        return
    for moved in product(*(_put_back(match, move) for move in moves)):
        board = after_moves(wrong, [move for move, _ in moved if move.start != move.end])
        if board is not None and board not in (wrong, match.position):
            yield HonestBoard("none", board, sum(nats for _, nats in moved))


def _put_back(match: Match, move: Move) -> Iterator[tuple[Move, float]]:
    """Where a piece may stand that is to be put back: left, put right, or put down off its place."""
    yield Move(move.seat, move.start, move.start), 0.0
    yield move, 0.0
    for steps in range(move.end - prices.SLID, move.end + prices.SLID + 1):
        if BASE < steps < match.board.home and steps not in (move.start, move.end):
            yield Move(move.seat, move.start, steps), prices.PUT_BACK_WRONG


def _by_order(match: Match) -> Iterator[Match]:
    """The match if a piece of which nobody knows what lies on it lies under, or on top."""
    setting, position = match.setting, match.position
    if setting.rules.mixed_stack_order == "free":
        return
    bit, held = setting.ways.bit, dict[int, list[int]]()
    for seat, pieces in enumerate(position):
        for steps in pieces:
            held.setdefault(bit[seat][steps], []).append(seat)
    for square, seats in held.items():
        if square and len(set(seats)) > 1 and square not in dict(match.stacks):
            for top in set(seats):
                order = (*(seat for seat in seats if seat != top), *(seat for seat in seats if seat == top))
                other = offered(replace(match, stacks=(*match.stacks, (square, order)))).match
                if other.awaiting is Awaiting.PLAY:
                    yield other


def _plays(match: Match, nats: float, lagging: tuple[Move, ...]) -> Iterator[HonestBoard]:
    for board in match.plays:
        if board == match.position:
            continue
        for left in _some_of(lagging):
            stands = after_moves(board, left)
            if stands is not None:
                yield HonestBoard("play", stands, nats, match, board)
    for board in match.halfway:
        yield HonestBoard("half", board, nats + prices.HALF, match)


def _some_of(moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    sizes = range(len(moves) + 1) if len(moves) <= _MOST_LAGGING else (0, len(moves))
    for size in sizes:
        yield from combinations(moves, size)


def taking(root: History, told: DiceOrCall) -> Iterator[History]:
    """What becomes of a history by dice or a call: mostly one; more where they may mean different things."""
    match, thrower = root.match, playing.as_thrown_on(root.match)
    took = Taken(thrower.to_play, told, len(root.unsaid), purpose(thrower))
    match told:
        case ThrowMade():
            if len(told.dice) not in match.dice_wanted:
                yield replace(root, nats=root.nats + prices.AGAIN)
                return
            step = playing.throw(match, told.dice)
        case DiceFault():
            step = playing.fault(match, told.kind, deliberate=told.deliberate)
        case CallMade():
            seat = match.to_play if told.call.seat is None else told.call.seat
            took = Taken(seat, told, len(root.unsaid))
            step = playing.call(match, told.call)
    kinds = {ruling.kind for ruling in step.rulings}
    is_void, is_refused = Kind.VOID in kinds, Kind.CALL_REFUSED in kinds
    nats = root.nats + prices.VOID * is_void + prices.AGAIN * is_refused
    unsaid, all_taken = (*root.unsaid, *step.rulings), (*root.took, took)
    after = replace(root, match=step.match, nats=nats, unsaid=unsaid, took=all_taken)
    if is_void or is_refused:
        yield replace(after, strain=root.strain + prices.VOID * is_void)
    else:
        yield replace(after, before=None, thrown_from=match)
    if is_void and root.thrown_from is not None:
        yield from _if_thrown_out_of_turn(root, root.thrown_from, told)


def _if_thrown_out_of_turn(root: History, before: Match, told: DiceOrCall) -> Iterator[History]:
    """These dice are good, and those that the record has in hand were not. What was done by them stands."""
    stands = before
    if before.position != root.board:
        stands = playing.corrected(before.uncalled, root.board).match
    meant = replace(
        root,
        match=stands,
        nats=root.nats + prices.TURN,
        thrown_from=None,
        strain=root.strain + prices.TURN,
        because=(*root.because, ("the dice before were void", prices.TURN)),
    )
    yield from taking(meant, told)


def likeliest(histories: Iterable[History]) -> tuple[History, ...]:
    """The likeliest, equals merged, the first at no price."""
    best: dict[object, History] = {}
    for history in sorted(histories, key=lambda each: each.nats):
        best.setdefault(history.key, history)
    kept = [*best.values()]
    least = kept[0].nats
    return tuple(
        replace(each, nats=each.nats - least)
        for each in kept[: prices.MOST]
        if each.nats <= least + prices.KEEP
    )
