"""Stories: each history, with where the pieces have gone since, weighed against what the camera shows.

For each honest board the mismatches to what is read are listed once. All of them made by the reader is the
innocent story. Any of them made by a person is a guilty one. So no list of cheats is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf, log

from uckers_table.game import playing
from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match, Step
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, Move, after_moves, moves_between
from uckers_table.referee import prices
from uckers_table.referee.events import DiceFault, ThrowMade
from uckers_table.referee.histories import GUILT, History, HistoryAct, HonestBoard, taking
from uckers_table.referee.looks import NOBODY, NOWHERE, PRICELESS, LongLook, Mismatch, ReadBoard
from uckers_table.referee.rulings import Assumed, StoryPart

AS_HOME = 6
"""A piece that is gone from as near as this to its chute is more likely put home than taken off."""
MOST_GONE = 2
"""Nobody takes more pieces than this off the board at once."""
_TRIED = 8
"""So many honest boards are weighed for a history: those that the last reading fits best …"""
_TRIED_TO = prices.KEEP + 4.0
"""… and none that fits it worse than the best by so much (nats)."""
_LEFT_OF_A_DROPPED = DiceFault(0.0, Kind.DROPPED.value, "camera")
"""What too few dice are that were not noticed."""
_PARTS = {
    **dict.fromkeys(("play", "half"), StoryPart.PLAYED),
    **{part.value: part for part in (StoryPart.KICKED, StoryPart.ACROSS, StoryPart.LOST)},
}
"""What is told of a way, by its kind."""
_KEPT_BECAUSE = 6
"""So many assumptions of a history are remembered: the last ones."""


@dataclass(frozen=True)
class Story:
    """A history, and where the pieces have gone since.

    `way`: what honest people did. `board`: where the pieces stand. `nats`: what it costs. `blame`: what
    somebody did that no rule allows. `is_left`: it is half a play, and no more will come. `charge`: what of
    the price is the blame.
    """

    root: History
    way: HonestBoard
    board: Position
    nats: float
    blame: tuple[Mismatch, ...] = ()
    is_left: bool = False
    charge: float = 0.0

    @property
    def blames(self) -> bool:
        """Whether somebody did wrong since the last throw or ruling."""
        return bool(self.blame) or self.is_left

    @property
    def is_guilty(self) -> bool:
        """Whether somebody would have to be accused for it."""
        return self.blames or self.root.is_guilty

    @property
    def is_new(self) -> bool:
        """Whether there is something to rule."""
        return bool(self.blame) or self.way.shown is not None

    def is_like(self, other: Story) -> bool:
        """Whether both have the same play made, and nobody blamed for it."""
        same = (self.way.kind, self.way.shown) == (other.way.kind, other.way.shown)
        return same and not self.blames

    def as_history(self, look: LongLook | None, *, agreed: bool = False) -> History:
        """The history that it comes to. `agreed`: people say that the board is right, whatever it is."""
        root, way = self.root, self.way
        match, board = way.match or root.match, self.board
        earlier = root.unsaid
        if agreed:
            earlier = tuple(replace(each, unspoken=True) for each in earlier if each.kind not in GUILT)
        cost = self.nats - root.nats
        step = self._ruled(match, agreed=agreed)
        made = (*way.said, *step.rulings) if self.is_new else step.rulings
        # That a ruling's pieces have been moved is no news.
        is_late = match.behind is not None
        rulings = tuple(each for each in made if each.kind is not Kind.LEGAL or each.moves or not is_late)
        before = root.before
        if way.shown is not None or self.is_left:
            # A play that nobody has seen is not seen to be changed.
            is_play = way.kind in ("play", "across") and look is not None
            before = match if is_play and not self.blames else None
        strain = root.strain
        if way.kind == "lost":
            strain = prices.most_strain()
        elif self.is_new:
            assumed = max(0.0, cost - prices.IS_ASSUMED) * (prices.BLAMED if self.blame else 1.0)
            strain = prices.FADES * strain + assumed
        known = root.known
        if look is not None:
            known = frozenset(look.last.reading.mismatches(board, root.known))
        misread = known | look.passing(board, root.known, root.board) if look is not None else known
        grown = replace(
            root,
            match=step.match,
            board=board,
            nats=self.nats + self._aged(look),
            known=known,
            unsaid=(*earlier, *rulings),
            deeds=(*root.deeds, HistoryAct.seen(root, match, rulings, board)) if rulings else root.deeds,
            before=before if step.match.awaiting is Awaiting.THROW else None,
            because=(*root.because, *self._parts(look))[-_KEPT_BECAUSE:],
            strain=strain,
            reader=root.reader._replace(plays=root.reader.plays + self.is_new),
            over=None if self.is_new else root.over,
        )
        return grown.remembering(misread)

    def _parts(self, look: LongLook | None) -> Iterator[Assumed]:
        """What is told of it, where somebody asks what may have happened."""
        root, way, part = self.root, self.way, _PARTS.get(self.way.kind)
        moved = _moved(root.board, way.board)
        done = []
        for blamed in self.blame:
            # A piece that was played on to the wrong square went there at once.
            played = next((each for each in moved if (each.seat, each.end) == blamed[:2]), None)
            if played is not None:
                moved.remove(played)
                blamed = blamed._replace(start=played.start)
            if blamed.start != blamed.end:
                done.append(blamed)
        if part is not None and (moved or part is not StoryPart.PLAYED):
            yield Assumed(part, way.nats, (*moved,))
        if self.blames:
            yield Assumed(StoryPart.HALF if self.is_left else StoryPart.DONE, self.charge, (*done,))
        errors = look.last.reading.further(self.board, root.known) if look is not None else ()
        if errors:
            yield Assumed(StoryPart.MISREAD, self.nats - root.nats - way.nats - self.charge, (*errors,))

    def _aged(self, look: LongLook | None) -> float:
        """What it costs that errors have outlasted another throw (nats): those beside which nothing is
        told."""
        if look is None or self.is_new:
            return 0.0
        reading = look.last.reading
        lasting = (
            each for each in reading.mismatches(self.board, self.root.known) if each in self.root.known
        )
        untold = [each for each in lasting if reading.told_price(each, self.board) is None]
        return sum(prices.AGES_UNSEEN if each.end == NOWHERE else prices.AGES for each in untold)

    def _ruled(self, match: Match, *, agreed: bool) -> Step:
        """What the rules say of it."""
        if not self.blames:
            step = Step(match) if self.way.shown is None else playing.see(match, self.way.shown)
            if self.way.kind == "across":
                step = Step(playing.corrected(step.match, self.board).match, step.rulings)
            return step
        step = playing.see(match, self.board)
        if not agreed:
            return step
        step = playing.placed(step.match, self.board)
        # That nobody is to blame is said already; what the board is called by it is not.
        return Step(step.match, tuple(replace(each, unspoken=not each.honours) for each in step.rulings))


def _moved(before: Position, after: Position) -> list[Mismatch]:
    """The pieces that were moved between two boards."""
    return [Mismatch(each.seat, each.start, each.end) for each in moves_between(before, after)]


@dataclass(frozen=True)
class Circumstances:
    """How people came to what a look shows.

    `touched`: a hand was over the board. `is_over`: nobody is playing any more. `is_done`: whoever is to play
    has said so. `unwatched`: what it costs that people played on unseen (nats), None while somebody watched.
    `other_dice`: what else the dice in hand may show, with the price. It is asked where nothing else
    explains a board. `unnoticed`: what dice show that may have been thrown. `is_thrown_on`: dice fall now.
    """

    touched: bool
    is_over: bool = False
    is_done: bool = False
    unwatched: float | None = None
    other_dice: Mapping[tuple[int, ...], float] = field(default_factory=dict)
    unnoticed: tuple[tuple[int, ...], ...] = ()
    is_thrown_on: bool = False


def stories(roots: Sequence[History], look: LongLook, t: float, told: Circumstances) -> list[Story]:
    """Where the pieces may stand by each history at a time, likeliest first."""
    found: list[Story] = []
    for root in roots:
        found += _stories_of(root, look, t, told, _least(found) + prices.KEEP)
    is_explained = _least(each for each in found if not each.is_guilty) <= prices.SURE
    # Of dice by which nothing was played no board says what they showed, nor that they were thrown.
    if not is_explained or told.is_thrown_on:
        innocent = next((root for root in roots if not root.is_guilty), roots[0])
        others: list[History] = []
        for likely in (roots[0], innocent) if innocent is not roots[0] else roots[:1]:
            others += _by_other_dice(likely, told.other_dice)
        for root in roots:
            others += by_unnoticed_dice(root, told.unnoticed)
        for root in others:
            found += _stories_of(root, look, t, told, _least(found) + prices.KEEP)
    is_lost = _least(each for each in found if not each.blame) > prices.LEAST_LOST
    if told.unwatched is not None or is_lost:
        found += _lost(min(found, key=lambda each: (not each.blame, each.nats)), look, told.unwatched)
    found.sort(key=lambda each: each.nats)
    kept = [each for each in found[: 2 * prices.MOST] if each.nats <= found[0].nats + prices.KEEP]
    if all(each.is_guilty for each in kept):
        # Whoever is accused may see what else might have been.
        kept += [each for each in found if not each.is_guilty][:1]
    return kept


def _least(found: Iterable[Story]) -> float:
    return min((each.nats for each in found), default=PRICELESS)


def _by_other_dice(root: History, other_dice: Mapping[tuple[int, ...], float]) -> Iterator[History]:
    """The histories in which the last dice show something else."""
    before = root.thrown_from
    if before is None or root.match.wrong_board is not None:
        return
    for dice, nats in other_dice.items():
        because = (*root.because, Assumed(StoryPart.DICE, nats))
        reader = root.reader._replace(dice=root.reader.dice - len(dice), misread=root.reader.misread + 1)
        meant = replace(root, match=before, nats=root.nats + nats, reader=reader, because=because)
        for history in taking(meant, ThrowMade(0.0, dice, "camera")):
            if history.nats < meant.nats + prices.AGAIN:
                yield history


def by_unnoticed_dice(root: History, unnoticed: Iterable[tuple[int, ...]]) -> Iterator[History]:
    """The histories in which dice that were taken to be put back had been thrown."""
    if root.match.awaiting is Awaiting.PLAY:
        return
    for dice in unnoticed:
        because = (*root.because, Assumed(StoryPart.UNNOTICED, prices.UNNOTICED))
        meant = replace(root, nats=root.nats + prices.UNNOTICED, because=because)
        is_whole = len(dice) in root.match.dice_wanted
        yield from taking(meant, ThrowMade(0.0, dice, "camera") if is_whole else _LEFT_OF_A_DROPPED)


def _stories_of(root: History, look: LongLook, t: float, told: Circumstances, most: float) -> Iterator[Story]:
    """The stories of a history: honest boards as misread, and the same with some of it a person's doing.
    What would be dearer than `most` (nats) is not looked into.
    """
    if root.nats >= most:
        return
    last, touched = look.last.reading, told.touched
    tried = []
    for way in root.honest:
        errors = last.further(way.board, root.known)
        unseen = 0.0 if touched or way.board == root.board else prices.UNSEEN_HAND
        tried.append((way.nats + last.total(way.board, root.misread) + unseen, way, errors))
    tried.sort(key=lambda each: each[0])
    honest = {way.board for way in root.honest}
    cost = _SinceTheHand(root, look, t, touched)
    # What somebody did may have been read for long, and misread just now.
    longest = max(look.runs[:-1], key=lambda run: run.until - run.since, default=look.last).reading
    read_before = [longest] if longest.seen != last.seen else []
    guilty: dict[Position, Story] = {}
    kicked: dict[Position, Story] = {}
    for least, way, errors in tried[:_TRIED]:
        if least > tried[0][0] + _TRIED_TO:
            break
        is_left = (
            told.is_over and way.kind == "half" and way.match is not None and way.board != way.match.position
        )
        is_needless = told.is_done and way.kind == "none" and root.match.awaiting is Awaiting.PLAY
        nats = root.nats + way.nats + prices.AGAIN * is_needless
        further = prices.PERSON["half"] if is_left else 0.0
        total = nats + further + cost.of(way.board)
        story = Story(root, way, way.board, total, is_left=is_left, charge=further)
        most = min(most, story.nats + prices.KEEP)
        yield story
        yield from _counted_across(root, way, last, cost)
        earlier = [each.further(way.board, root.known) for each in read_before]
        done = [(blame, each) for each in (errors, *earlier) for blame in _blames(each)]
        for blame, errors in done:
            charge = _persons(root, way, blame)
            if nats + charge > most:
                continue
            knocked_off = _knocked_off(root, blame, errors)
            board = after_moves(way.board, [_as_done(root, each) for each in (*blame, *knocked_off)])
            if board is None or board in honest:
                continue
            total = nats + charge + cost.of(board)
            story = Story(root, way, board, total, blame, charge=charge)
            if board not in guilty or total < guilty[board].nats:
                guilty[board] = story
            if not touched and not knocked_off and _may_be_kicked(root, story):
                kicked[board] = Story(root, HonestBoard("kicked", board), board, total)
    for story in _swapped(root, look, cost):
        if story.board not in honest and story.nats < guilty.get(story.board, story).nats + prices.A_MOMENT:
            guilty[story.board] = story
    yield from (*guilty.values(), *kicked.values())


def _counted_across(root: History, way: HonestBoard, last: ReadBoard, cost: _SinceTheHand) -> Iterator[Story]:
    """The same with a piece that lies near a line counted on its other side: nobody's fault."""
    if not last.lines or way.kind not in ("none", "play") or root.match.wrong_board is not None:
        return
    for mismatch, told in last.lying_near(way.board):
        board = after_moves(way.board, [Move(*mismatch)])
        if board is not None:
            nats = way.nats + prices.COUNTED_ACROSS + told
            other = HonestBoard("across", board, nats, way.match, way.shown)
            seen = cost.of(board) if way.kind == "play" else cost.since_ever(board)
            yield Story(root, other, board, root.nats + nats + seen)


def _swapped(root: History, look: LongLook, cost: _SinceTheHand) -> Iterator[Story]:
    """The last play, once it was over, changed for another of the same dice, or taken back, at once."""
    if root.over is None or root.match.wrong_board is not None:
        return
    reading, charge = look.last.reading, prices.PERSON["swapped"]
    as_it_was = len(reading.mismatches(root.board, root.known))
    for board in (*root.over.plays, root.over.position):
        if len(reading.mismatches(board, root.known)) < as_it_was:
            blame = (*_moved(root.board, board),)
            nats = root.nats + charge + cost.of(board)
            yield Story(root, HonestBoard("none", root.board), board, nats, blame, charge=charge)


def _may_be_kicked(root: History, story: Story) -> bool:
    """Whether a kick of the board may have moved the pieces, where nobody saw a hand."""
    off = {BASE, root.match.board.home, NOWHERE}
    slid = all(not off & {start, end} and abs(end - start) <= prices.SLID for _, start, end in story.blame)
    return slid and story.way.board == root.board


class _SinceTheHand:
    """The price of a board: as it was since the hand, or changed meanwhile by a hand that nobody saw."""

    def __init__(self, root: History, look: LongLook, t: float, touched: bool) -> None:
        self._root, self._look, self._t, self._touched = root, look, t, touched
        runs = look.runs
        self._splits = [
            (look.cost(root.board, root.misread, runs[n].since, runs[:n]), runs[n:])
            for n in range(1, len(runs))
        ]

    def since_ever(self, board: Position) -> float:
        """What it costs that the pieces have stood so all the time (nats)."""
        return self._look.cost(board, self._root.misread, self._t)

    def of(self, board: Position) -> float:
        """What it costs that the pieces stand so now (nats)."""
        look, known, t = self._look, self._root.misread, self._t
        whole = self.since_ever(board)
        if board == self._root.board:
            return whole
        if not self._splits:
            return whole if self._touched else prices.UNSEEN_HAND + whole
        least = whole if self._touched else inf
        for was, since in self._splits:
            if prices.UNSEEN_HAND + was < least:
                least = min(least, prices.UNSEEN_HAND + was + look.cost(board, known, t, since))
        return least


def _blames(errors: list[Mismatch]) -> Iterator[tuple[Mismatch, ...]]:
    """What of it a person may have done."""
    moved = [each for each in errors if each.start != NOBODY]
    if sum(each.end == NOWHERE for each in moved) > MOST_GONE:
        moved = [each for each in moved if each.end != NOWHERE]
    for size in range(1, min(3, len(moved)) + 1):
        yield from combinations(moved, size)


def _knocked_off(root: History, blame: tuple[Mismatch, ...], errors: list[Mismatch]) -> list[Mismatch]:
    """The pieces that somebody landed on, and that are read there no more: they went to base by it."""
    board, teams = root.match.board, root.match.setting.teams
    team = {seat: n for n, seats in enumerate(teams) for seat in seats}
    landed = {(board.place(each.seat, each.end), team[each.seat]) for each in blame if each.end != NOWHERE}
    gone = [each for each in errors if each not in blame and each.start not in (NOBODY, BASE, board.home)]
    return [
        Mismatch(each.seat, each.start, BASE)
        for each in gone
        if any(place == board.place(each.seat, each.start) and by != team[each.seat] for place, by in landed)
    ]


def _as_done(root: History, mismatch: Mismatch) -> Move:
    """A mismatch as a person made it."""
    board = root.match.board
    out = board.home if mismatch.start > board.mouth - AS_HOME else BASE
    return Move(mismatch.seat, mismatch.start, out if mismatch.end == NOWHERE else mismatch.end)


def _persons(root: History, way: HonestBoard, blame: tuple[Mismatch, ...]) -> float:
    """What it costs that a person did this (nats)."""
    each = [_did(root, way, mismatch) for mismatch in blame]
    return sum(each) - (len(each) - 1) * (prices.PERSON["moved"] - prices.FURTHER)


def _did(root: History, way: HonestBoard, mismatch: Mismatch) -> float:
    """The same of one piece."""
    doing = _doing(root, way, mismatch)
    if doing == "counted":
        # One too far, or too short, of each piece that is played.
        played = sum(move.end > move.start for move in moves_between(root.board, way.board))
        return prices.PERSON[doing] + log(2 * max(1, played))
    # A piece may also have been taken far.
    is_on_the_way = {mismatch.start, mismatch.end}.isdisjoint((BASE, root.match.board.home, NOWHERE))
    further = prices.BY_STEP * max(0, abs(mismatch.end - mismatch.start) - prices.NEAR) * is_on_the_way
    return prices.PERSON[doing] + min(prices.FARTHEST, further)


def _doing(root: History, way: HonestBoard, mismatch: Mismatch) -> str:
    """The row of PERSON that prices it."""
    seat, start, end = mismatch
    out = (BASE, root.match.board.home)
    if _as_done(root, mismatch).end == BASE:
        return "removed"
    if start == root.match.board.home:
        return "fetched"
    if start in out and end in root.board[seat] and end not in way.board[seat]:
        return "left"
    if start in out or end in out or end == NOWHERE:
        return "put"
    is_played = way.kind == "play" and way.board[seat].count(start) > root.board[seat].count(start)
    return "counted" if is_played and abs(end - start) == 1 else "moved"


def _lost(likely: Story, look: LongLook, unwatched: float | None) -> Iterator[Story]:
    """The same board without the blame, and each side's turn in turn: what is known after a power cut."""
    root, board, nats = likely.root, likely.board, likely.nats - likely.charge
    if not likely.blame:
        errors = look.last.reading.further(root.board, root.known)
        if sum(each.end == NOWHERE for each in errors) > MOST_GONE:
            return
        seen = after_moves(root.board, [_as_done(root, each) for each in errors if each.start != NOBODY])
        if seen is None or (seen == root.board and unwatched is None):
            return
        board, nats = seen, root.nats
    nats += max(prices.LEAST_LOST, prices.LOST - root.strain) if unwatched is None else unwatched
    match = playing.corrected(root.match.uncalled, board).match
    # If nothing tells whose turn it is, it is that of the record.
    others = len(match.setting.sides) - (match.awaiting is not Awaiting.PLAY)
    yield Story(root, HonestBoard("lost", board, 0.0, match), board, nats)
    for _ in range(others):
        match = match.turn_done()
        yield Story(root, HonestBoard("lost", board, 0.0, match), board, nats)
