"""Histories: what may have happened up to the last throw or ruling, each with its price.

`History.honest` says where the pieces may stand since, if everybody is honest. `taking` says what becomes
of a history by dice or a call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

from uckers_table.game import judging, playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match, Step
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Move, Ruling, after_moves, moves_between
from uckers_table.game.throws import offered, purpose
from uckers_table.referee import prices
from uckers_table.referee.events import CallMade, DiceFault, DiceOrCall, ThrowMade
from uckers_table.referee.looks import NOBODY, UNTRIED, LongLook, Mismatch, Misread, TrackRecord
from uckers_table.referee.rulings import Account, Assumed, StoryPart, Taken
from uckers_table.referee.taking_back import ACCUSATIONS, Act, seen_kind, told_kind

GUILT = ACCUSATIONS
"""Rulings that accuse somebody."""
_SETTLES = frozenset({Kind.LEGAL, Kind.PUT_RIGHT, Kind.WON})
_MOST_LAGGING = 4
"""Of more pieces than this that a ruling moved, either all or none have been moved on the board."""
MOST_ACCOUNTS = 4
"""So many accounts are kept of what may have happened."""


@dataclass(frozen=True)
class HonestBoard:
    """Where honest people may have put the pieces, and what it costs (nats).

    - `kind`: "none" (nothing played), "play", "half" (of a play), "right" (put right), "kicked" (slid), or
      one of the next three.
    - "caught up": what a ruling moved is moved.
    - "across": a piece near a line is counted on its other side.
    - "lost": nobody knows how it came to this.
    - `match`: the match in which it was played, if not the history's.
    - `shown`: the board that the rules are to judge, if any.
    - `said`: what is ruled before it.
    """

    kind: str
    board: Position
    nats: float = 0.0
    match: Match | None = None
    shown: Position | None = None
    said: tuple[Ruling, ...] = ()

    @property
    def rank(self) -> tuple[bool, float, bool]:
        """Which of two ways to one board is told, the least: of equal ones that which is over."""
        return self.kind == "half", self.nats, self.shown is None


@dataclass(frozen=True)
class HistoryAct(Act):
    """An act of a history. `place`: how many of the history's unsaid rulings came before it. `was`: what may
    have happened before it. `board`: where the pieces stood after it. `is_void`: it changed nothing.
    """

    place: int = 0
    is_void: bool = False
    was: tuple[History, ...] = ()
    board: Position = ()

    @classmethod
    def heard(cls, root: History, told: DiceOrCall, took: Taken, *, is_void: bool) -> HistoryAct:
        """Dice or a call that a history takes."""
        return cls(
            *(told_kind(told), root.match, told.t),
            seat=took.seat,
            told=told,
            purpose=took.purpose,
            place=took.place,
            is_void=is_void,
            was=(root,),
            board=root.board,
        )

    @classmethod
    def seen(cls, root: History, before: Match, rulings: Sequence[Ruling], board: Position) -> HistoryAct:
        """What was done on the board, by what it was ruled to be."""
        accused = next((ruling.kind for ruling in rulings if ruling.kind in GUILT), None)
        return cls(
            *(seen_kind(rulings), before),
            seat=before.to_play,
            accused=accused,
            place=len(root.unsaid),
            was=(root,),
            board=board,
        )

    @property
    def taken(self) -> Taken | None:
        """The dice or the call that were taken by it, if any."""
        if self.told is None or self.seat is None:
            return None
        return Taken(self.seat, self.told, self.place, self.purpose)


@dataclass(frozen=True)
class History:
    """What may have happened up to the last throw or ruling.

    `board`: where the pieces truly stand. `nats`: what it costs. `known`: what the reader has misread since
    then. `reader`: how it has done so far. `unsaid`: the rulings that nobody has heard. `deeds`: what was
    done, told or called since. `before`: the match before the last play, while that may be changed. `over`:
    the same once the next dice have been thrown: the play is over. `thrown_from`: the match before the dice
    in hand. `strain`: how much had to be assumed of late (nats).
    `forked`: another history is on record. `because`: what it is made of of late, each part with its price.
    """

    match: Match
    board: Position
    nats: float = 0.0
    known: frozenset[Mismatch] = frozenset()
    once: frozenset[Mismatch] = frozenset()
    reader: TrackRecord = UNTRIED
    unsaid: tuple[Ruling, ...] = ()
    deeds: tuple[HistoryAct, ...] = ()
    before: Match | None = None
    over: Match | None = None
    thrown_from: Match | None = None
    strain: float = 0.0
    forked: bool = False
    because: tuple[Assumed, ...] = ()

    @property
    def misread(self) -> Misread:
        """What the reader is known to misread."""
        return Misread(self.known, self.once, self.reader.trust, self.board if self.reader.plays else ())

    def remembering(self, misread: Iterable[Mismatch]) -> History:
        """The same, and the reader has once misread this. What is of a piece that has moved is forgotten."""
        misread = {*misread}
        errors = self.reader.errors + len(misread - self.once)
        stands, out = self.board, (BASE, self.match.board.home)
        kept = (
            each
            for each in self.once | misread
            if each.start in out or (each.start != NOBODY and each.start in stands[each.seat])
        )
        return replace(self, once=frozenset(kept), reader=self.reader._replace(errors=errors))

    def seen_again(self, look: LongLook) -> History:
        """The same after a look of which nothing was to be said. What is read rightly now is not known."""
        lasting = frozenset(look.last.reading.mismatches(self.board, self.known))
        misread = look.passing(self.board, self.known) | (self.known - lasting)
        return replace(self, known=self.known & lasting).remembering(misread)

    def as_said(self) -> History:
        """The same once people have heard of it."""
        return replace(self, unsaid=(), deeds=(), forked=False)

    def having_heard(self, other: History) -> History:
        """The same once people have heard of another: what was said of that need not be said again."""
        heard = {_told(each) for each in other.unsaid}
        # What was called, and stands, has been spoken of, whatever it was.
        stood = (n for n, each in enumerate(self.unsaid) if each.kind is Kind.STOOD and _told(each) in heard)
        spoken_of = max(stood, default=0)
        unsaid = (
            replace(each, unspoken=True)
            if n < spoken_of or (each.kind not in GUILT and _told(each) in heard)
            else each
            for n, each in enumerate(self.unsaid)
        )
        return replace(self, forked=True, deeds=(), unsaid=(*unsaid,))

    @property
    def is_guilty(self) -> bool:
        """Whether somebody would have to be accused for it."""
        return self.accused is not None

    @property
    def accused(self) -> Ruling | None:
        """The first accusation that is still to be said."""
        unsaid = self.unsaid[self.stale :]
        return next((each for each in unsaid if each.kind in GUILT and not each.unspoken), None)

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
            *(match.faults, match.opening, match.starters, match.scores),
            *(self.board, self.is_guilty),
        )

    @cached_property
    def honest(self) -> tuple[HonestBoard, ...]:
        """Where honest people may have put the pieces since: each board once, at its least price."""
        best: dict[tuple[Position, bool], HonestBoard] = {}
        for each in self._honest():
            key = each.board, each.board == self.board and each.kind == "play"
            other = best.setdefault(key, each)
            if each.rank < other.rank:
                best[key] = each
        return tuple(best.values())

    def _honest(self) -> Iterator[HonestBoard]:
        match = self.match
        yield HonestBoard("none", self.board)
        # What a ruling moved may still stand where it was; so may what was taken back.
        lagging = moves_between(match.position, self.board) if match.wrong_board is None else ()
        for left in _some_of(lagging) if lagging else ():
            board = after_moves(match.position, left)
            if board is not None and board != self.board:
                is_caught_up = match.behind is not None and not left
                shown = match.position if is_caught_up else None
                yield HonestBoard("caught up" if is_caught_up else "none", board, 0.0, match, shown)
        if match.wrong_board is not None:
            yield HonestBoard("right", match.position, 0.0, match, match.position)
            yield from _on_its_way(match, match.wrong_board)
            stood = playing.placed(match, match.wrong_board)
            if stood.match.awaiting is Awaiting.PLAY:
                for each in _plays(self, stood.match, prices.LET_STAND, ()):
                    yield replace(each, said=stood.rulings)
        if match.awaiting is Awaiting.PLAY:
            yield from _plays(self, match, 0.0, lagging)
            for other in _by_order(match):
                yield from _plays(self, other, prices.ORDER, lagging)
        if self.before is not None and match.awaiting is Awaiting.THROW:
            others = _plays(self, self.before, prices.SWAP, ())
            yield from (each for each in others if each.board != self.board)
            yield HonestBoard("half", self.before.position, prices.SWAP, self.before)


def _told(ruling: Ruling) -> tuple[Kind, int | None, tuple[int, ...]]:
    return ruling.kind, ruling.seat, ruling.throw


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


def _plays(root: History, match: Match, nats: float, lagging: tuple[Move, ...]) -> Iterator[HonestBoard]:
    for board in match.plays:
        if board == match.position:
            continue
        for left in _some_of(lagging):
            stands = after_moves(board, left)
            if stands is not None:
                again = prices.PLAYED_AFTER_ALL if stands == root.board else 0.0
                yield HonestBoard("play", stands, nats + again, match, board)
    for board in match.halfway:
        yield HonestBoard("half", board, nats + prices.HALF, match)


def _some_of(moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    sizes = range(len(moves) + 1) if len(moves) <= _MOST_LAGGING else (0, len(moves))
    for size in sizes:
        yield from combinations(moves, size)


def taking(root: History, told: DiceOrCall) -> Iterator[History]:
    """What becomes of a history by dice or a call: mostly one; more where they may mean different things."""
    match = root.match
    is_wrong = match.wrong_board is not None and root.board != match.position
    if is_wrong and not isinstance(told, DiceFault):
        # Of what was called some may have been put right. What is left stands when dice are thrown.
        match = replace(match, wrong_board=root.board)
        root = replace(root, match=match)
        if isinstance(told, ThrowMade) and match.wrong_kind is Kind.ILLEGAL:
            yield from _if_void_on_a_wrong_board(root, told)
    thrower = playing.as_thrown_on(match)
    took, reader = Taken(thrower.to_play, told, len(root.unsaid), purpose(thrower)), root.reader
    if _are_moved_away(root, told):
        yield root
        root = replace(root, nats=root.nats + prices.SAME_AGAIN)
    match told:
        case ThrowMade():
            if len(told.dice) not in match.dice_wanted:
                yield replace(root, nats=root.nats + prices.AGAIN)
                return
            step = playing.throw(match, told.dice)
            if told.source == "camera":
                reader = root.reader._replace(dice=root.reader.dice + len(told.dice))
        case DiceFault():
            step = playing.fault(match, told.kind, deliberate=told.deliberate)
        case CallMade():
            seat = match.to_play if told.call.seat is None else told.call.seat
            took = Taken(seat, told, len(root.unsaid))
            step = _called(match, told.call)
    kinds = {ruling.kind for ruling in step.rulings}
    is_void, is_refused = Kind.VOID in kinds, Kind.CALL_REFUSED in kinds
    is_again = any(ruling.kind is Kind.VOID for ruling in root.unsaid)
    void = (prices.VOID_AGAIN if is_again else prices.VOID) * is_void
    nats = root.nats + void + prices.AGAIN * is_refused
    # What a person told can be taken back, even dice on which nothing hangs.
    is_told = isinstance(told, DiceFault) and told.source == "buttons" and not is_void
    heard = HistoryAct.heard(root, told, took, is_void=step.match == match and not is_told)
    deeds = (*root.deeds, heard)
    # Dice that nobody was to throw may lie about as they like.
    said = () if is_void and isinstance(told, DiceFault) else step.rulings
    unsaid = (*root.unsaid, *said)
    after = replace(root, match=step.match, nats=nats, reader=reader, unsaid=unsaid, deeds=deeds)
    if is_void or is_refused:
        yield replace(after, strain=root.strain + void)
    else:
        yield replace(after, before=None, over=root.before, thrown_from=match)
    is_for_start = match.awaiting is Awaiting.THROW_OFF and step.match.awaiting is Awaiting.THROW
    if is_for_start and isinstance(told, ThrowMade) and told.source == "camera":
        yield from _if_another_starts(after)
    if is_void and root.thrown_from is not None:
        yield from _if_thrown_out_of_turn(root, root.thrown_from, told)


def _called(match: Match, call: Call) -> Step:
    """What becomes of a call. One before the next throw lets a wrong board stand, as that throw would."""
    step = playing.call(match, call)
    if match.wrong_board is None or match.rules.timber_unchallenged == "never":
        return step
    stood = judging.stood(match, match.wrong_board)
    then = playing.call(stood.match, call)
    if stood.match.awaiting is not Awaiting.THROW or any(r.kind is Kind.CALL_REFUSED for r in then.rulings):
        return step
    return Step(then.match, (*stood.rulings, *then.rulings))


def _if_void_on_a_wrong_board(root: History, told: DiceOrCall) -> Iterator[History]:
    """What was ruled illegal was no play. It is let stand, the dice in hand are still to be played on it, and
    these are void.
    """
    match = root.match
    stood = judging.stood(replace(match, wrong_kind=Kind.TIMBER_SHIFT), root.board)
    if stood.match.awaiting is Awaiting.PLAY and match.rules.timber_unchallenged != "never":
        nats, unsaid = root.nats + prices.LET_STAND, (*root.unsaid, *stood.rulings)
        yield from taking(replace(root, match=stood.match, nats=nats, unsaid=unsaid), told)


def _if_another_starts(after: History) -> Iterator[History]:
    """The dice for start were misread, and another side begins."""
    match, nats = after.match, after.reader.die
    because = (*after.because, Assumed(StoryPart.FOR_START, nats))
    for _ in range(len(match.setting.sides) - 1):
        match = match.turn_done()
        yield replace(after, match=match, nats=after.nats + nats, because=because)


def _are_moved_away(root: History, told: DiceOrCall) -> bool:
    """Whether dice may be those in hand, read once more: moved out of the way, or told by a person before."""
    if not isinstance(told, ThrowMade) or told.source != "camera":
        return False
    is_unplayed = root.match.awaiting is Awaiting.PLAY and root.board == root.match.position
    return is_unplayed and sorted(told.dice) == sorted(root.match.thrown)


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
        because=(*root.because, Assumed(StoryPart.OUT_OF_TURN, prices.TURN)),
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


def accounts(chosen: History, others: Iterable[History]) -> tuple[Account, ...]:
    """What may have happened, where this history is spoken of: that first, and the likeliest innocent one
    among the others.
    """
    found = [chosen]
    for each in sorted(others, key=lambda each: each.nats):
        if all((each.board, each.because) != (other.board, other.because) for other in found):
            found.append(each)
    innocent = next((n for n, each in enumerate(found) if not each.is_guilty), 0)
    kept = [*found[: MOST_ACCOUNTS - 1], *found[max(innocent, MOST_ACCOUNTS - 1) :][:1]]
    common = set.intersection(*({*each.because} for each in kept)) if len(kept) > 1 else set()
    return tuple(
        Account(
            each.board,
            each.is_guilty,
            each.nats - chosen.nats,
            _own(each.because, common),
        )
        for each in kept
    )


def _own(because: tuple[Assumed, ...], common: Collection[Assumed]) -> tuple[Assumed, ...]:
    """What is not common to all. What is older than all that is common others may have had too."""
    oldest = next((n for n, part in enumerate(because) if part in common), 0)
    return tuple(part for part in because[oldest:] if part not in common)
