"""A simulated table: four players, a board, dice and a clock of its own.

The world lives by its own simulated clock. Asking it for the next camera frame moves it on. What people do is
a script, one step after the other. What they do to devices (a throw in the tower, a button) happens at its
simulated time, before the frame that would show it.

What the people hear of the referee, and what they answer, is in `people`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from math import inf

import numpy as np

from uckers_table.devices.base import BgrImage, Frame
from uckers_table.devices.pins import NUMBERED
from uckers_table.game import playing
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match
from uckers_table.game.open_calls import numbered, open_calls
from uckers_table.game.position import Position
from uckers_table.game.ruling import Kind, after_moves, moves_between
from uckers_table.simulator.cheats import (
    Cheat,
    crooked_play,
    late_swap,
    nearly_back,
    shaken,
    slip,
    timber_shift,
)
from uckers_table.simulator.hands import TableTop, Wait
from uckers_table.simulator.interfaces import Painter, TowerPort
from uckers_table.simulator.manners import ORDINARY, Manners
from uckers_table.simulator.people import People, Planted
from uckers_table.simulator.placing import PlacedPieces, player_deg, thrown_on_board
from uckers_table.simulator.players import choose_call, choose_play, dice_due, throw_dice
from uckers_table.simulator.scene import Hand, Scene

BUSY_FRAME_S = 0.4
IDLE_FRAME_S = 0.5
"""Seconds between frames: while something moves or has just moved, and while nothing does."""
SETTLED_S = 1.5
"""Seconds after the last change during which frames keep coming at the busy rate."""
PATIENCE_S = 6.0
"""Seconds that players wait after a cheat for somebody to speak, before they carry on."""
DAWDLING = 0.3
"""The chance that pieces which a ruling moved stay where they are until the next play is made."""
LISTEN_S = 0.25
"""Seconds between two moments at which waiting players listen."""
EPILOGUE_S = 5.0
"""Seconds for which the board is still shown after the match is won."""
COCKED, DROPPED = 0.012, 0.006
"""The chances that dice land cocked, or on the floor: one throw in 80, and one in 160."""
AGAIN = 0.35
"""The chance that a fault happens to the next throw too: ships roll, and sleeves stay long."""
CHEAT_CHANCE = 0.05
"""The chance that a cheat still to be planted is planted at the next opportunity."""
READ_S = 3.6
"""Seconds for which everybody looks at dice on the board and listens, even in a hurry."""
SLIP_S = 0.3, 1.0
"""Seconds for which a piece that was set down wrong stands before its player puts it right: the least and the
most.
"""
SECOND_THOUGHT_S = 1.5, 4.0
"""Seconds for which a play stands that its player then changes: the least and the most."""
UNSEEN_S = 8.0, 20.0
"""Seconds for which the board is dark, or an arm lies over it: the least and the most."""
WRONG_BACK_S = 2.0, 8.0
"""Seconds for which a piece that was put back stays one square off: the least and the most."""
KICKED_S = 1.0, 4.0
"""Seconds until somebody reaches over a board that was kicked."""
MOST_KICKED, FAR_KICKED = 4, 2
"""The most pieces that slide when the board is kicked, and the most squares."""


class SimulatedTable(People):
    """Four players round a board that a painter shows. The same seed gives the same evening.

    `match`: the match that they play, from its beginning or from where it stands.
    `tower`: None if dice are thrown on the board.
    `press`: is told the name of every button that is pressed.
    `cheats`: how many they try to plant. `manners`: how they behave otherwise.
    `cover_lens`: frames are black.
    `dice_are_seen`: dice from the tower come to lie on the board too.
    `max_throws`: they stop after this many throws, or once the match is won.
    """

    def __init__(
        self,
        match: Match,
        painter: Painter,
        tower: TowerPort | None,
        press: Callable[[str], None],
        *,
        seed: int | str = 0,
        cheats: int = 0,
        cover_lens: bool = False,
        max_throws: int | None = None,
        manners: Manners = ORDINARY,
        dice_are_seen: bool = False,
    ) -> None:
        rng = random.Random(f"table {seed}")
        spots = [painter.spots(seat) for seat in range(match.board.arms)]
        placed = PlacedPieces(painter.plan, spots, random.Random(f"places {seed}"))
        _set_up(placed, match)
        top = TableTop(
            placed, rng, manners.across, manners.across_twice, manners.leaves_knocked, manners.wrong_base
        )
        super().__init__(match, top, press, manners, rng, random.Random(f"moods {seed}"))
        self.planted: list[Planted] = []
        self.over = False
        self._painter, self._tower, self._dice_are_seen = painter, tower, dice_are_seen
        self._throws_left, self._cheats_left = max_throws, cheats
        self._top.is_dark = cover_lens
        self._unseen_until = inf if cover_lens else 0.0
        self._due = self._last_frame = self._changed = 0.0
        self._scene = self._top.scene
        self._played_in: Match | None = None
        self._is_thrown_for = False
        self._last_fault = ""
        self._life = self._evening()

    @property
    def scene(self) -> Scene:
        """What stands, lies and reaches over the board now."""
        return self._scene

    @property
    def empty(self) -> BgrImage:
        """The bare board, to calibrate from. The lens is not covered yet."""
        return self._painter.empty

    @property
    def start(self) -> BgrImage:
        """All pieces in their bases, to calibrate from. The lens is not covered yet."""
        return self._painter.start

    def advance(self) -> Frame | None:
        """Lives on until the next camera frame and gives it; None once the evening is over."""
        busy = bool(self._top.scene.hands) or self._now - self._changed < SETTLED_S
        at = self._last_frame + (BUSY_FRAME_S if busy else IDLE_FRAME_S)
        self._listen()
        while self._due <= at:
            self._now = max(self._now, self._due)
            self._run_errands()
            try:
                self._due += next(self._life)
            except StopIteration:
                return None
            self._listen()
        self._now = self._last_frame = at
        self._run_errands()
        return Frame(at, self._picture())

    def _picture(self) -> BgrImage:
        if self._now >= self._unseen_until:
            self._top.leaning, self._top.is_dark = None, False
        scene = self._top.scene
        if scene != self._scene:
            self._scene, self._changed = scene, self._now
        picture = self._painter.frame(scene)
        return np.zeros_like(picture) if scene.is_dark else picture

    def _evening(self) -> Wait:
        yield 2.5
        while self._match.awaiting is not Awaiting.OVER and self._throws_left != 0:
            if self._match.awaiting is Awaiting.PLAY and self._match.wrong_board is None:
                yield from self._play()
            else:
                yield from self._between_turns()
                thrower = self._match.to_play
                yield from self._call()
                if self._match.to_play == thrower:
                    yield from self._throw()
        if self._match.awaiting is Awaiting.OVER:
            self._note("won", ", ".join(self._match.board.seats[seat] for seat in self._match.winner))
        self.over = True
        yield EPILOGUE_S

    def _throw(self) -> Wait:
        if self._throws_left is not None:
            self._throws_left -= 1
        yield from self._top.pick_up_dice(self._thrower())
        yield self._takes(1.0, 2.2)
        self._last_fault = fault = self._fault()
        if fault:
            yield from self._faulty_throw(fault)
            return
        dice = throw_dice(self._rng, dice_due(self._match))
        yield self._takes(1.5, 1.5)
        is_told = self._tower is not None and self._tower.throw(dice)
        if self._dice_are_seen or not is_told:
            # Dice that the tower cannot tell the referee are laid on the board as they fell, for all to see.
            yield from self._show_dice(dice)
        thrown = playing.throw(self._match, dice)
        self._note("throw", " ".join(map(str, dice)))
        if any(ruling.kind is Kind.VOID for ruling in thrown.rulings):
            self._note("void", "")
        self._take(thrown)
        yield self._takes(0.6, 0.6)
        yield from self._catch_up()

    def _thrower(self) -> int:
        """Who takes up the dice: the side to play, or by mistake whoever played last. They count as well."""
        due, last = self._match.to_play, self._played_in
        self._is_thrown_for = (
            last is not None
            and self._match.awaiting is Awaiting.THROW
            and last.to_play != due
            and self._feels(self._manners.throws_again)
        )
        return last.to_play if last is not None and self._is_thrown_for else due

    def _show_dice(self, dice: tuple[int, ...]) -> Wait:
        """Dice come to lie on the board. If the referee refuses them, they happen to fall the same again."""
        self._dice_are_refused = False
        self._lay_dice(dice)
        yield READ_S
        while self._dice_are_refused:
            self._dice_are_refused = False
            yield from self._top.pick_up_dice(self._match.to_play)
            yield 1.0
            self._lay_dice(dice)
            yield READ_S

    def _fault(self) -> str:
        """What goes wrong with the next throw: "cocked", "dropped", or mostly nothing ("")."""
        luck = self._rng.random()
        if self._last_fault and luck < AGAIN:
            return self._last_fault
        return "cocked" if luck < COCKED else "dropped" if luck < COCKED + DROPPED else ""

    def _faulty_throw(self, kind: str) -> Wait:
        yield 1.5
        if self._tower is not None and not _is_told(self._tower, kind):
            return
        if self._tower is None or self._dice_are_seen:
            dice = throw_dice(self._rng, dice_due(self._match))
            self._lay_dice(dice if kind == "cocked" else dice[1:], cocked=kind == "cocked")
            yield READ_S
        self._note("throw", kind)
        self._take(playing.fault(self._match, kind))
        yield 1.5
        yield from self._catch_up()

    def _lay_dice(self, dice: tuple[int, ...], *, cocked: bool = False) -> None:
        pieces = self._top.placed.pieces
        self._top.dice = thrown_on_board(self._painter.plan, pieces, dice, self._rng, cocked=cocked)

    def _play(self) -> Wait:
        yield self._takes(1.0, 3.0)
        if (yield from self._call()):
            return
        match = self._match
        if match.plays and (self._is_thrown_for or self._feels(self._manners.eager)):
            yield from self._throw()
            return
        if not match.plays:
            # To throw on is to decline an open challenge.
            yield from self._throw()
            return
        if self._top.dice and self._feels(self._manners.rigs):
            yield from self._rig()
        if self._played_in is not None and self._feels(self._manners.swaps_late):
            swap = late_swap(match, self._played_in, self._rng)
            if swap is not None:
                yield from self._swap(swap, self._played_in.to_play)
                return
        if self._tempted():
            cheat = crooked_play(match, self._rng, self._manners.crooked)
            if cheat is not None:
                self._cheats_left -= 1
                yield from self._try_it(cheat)
                return
        play = choose_play(match, self._rng)
        if play == match.position:
            # The play moves no piece, so nothing would be seen. The player throws on.
            yield from self._throw()
            return
        yield from self._play_honestly(play)

    def _rig(self) -> Wait:
        """The player turns a die. He turns it back when somebody says so, or when he has thought again."""
        number, seat = self._rng.randrange(len(self._top.dice)), self._match.to_play
        thrown = self._top.dice[number].value
        shown = self._rng.choice([value for value in range(1, 7) if value != thrown])
        yield from self._top.turn_die(number, shown, seat)
        self._note("rigged", "")
        self._is_rigging_called, waited = False, 0.0
        while waited < PATIENCE_S and not self._is_rigging_called:
            yield LISTEN_S
            waited += LISTEN_S
        yield 1.0
        yield from self._top.turn_die(number, thrown, seat)
        self._note("turned_back", "")
        yield 1.0

    def _call(self, *, at_once: bool = False) -> Generator[float, None, bool]:
        """A player may call something that is open now. Whether he does, and is not refused."""
        match = self._match
        at_once |= self._calls_over and bool(self._errands)
        call = choose_call(match, self._rng, at_once=at_once)
        if call is None:
            return False
        self._is_asked_which = self._is_refused = False
        self._press("challenge" if match.awaiting is Awaiting.PLAY else "suckback")
        yield 1.0
        if self._is_asked_which:
            self._is_asked_which = False
            choices = numbered(open_calls(match))
            self._press(NUMBERED[next(number for number in choices if choices[number] == call) - 1])
            yield 1.0
        if self._is_refused:
            return False
        self._calls_over = False
        self._note("call", call.kind)
        self._take(playing.call(match, call))
        return True

    def _play_honestly(self, play: Position) -> Wait:
        before_others = self._played_before_others(play)
        if before_others is not None:
            yield from self._top.put_as(before_others, self._match.to_play)
            yield self._rng.uniform(1.0, 4.0)
        elif self._feels(self._manners.slips):
            yield from self._slip(play)
        elif self._feels(self._manners.changes_mind):
            yield from self._think_again(play)
        yield from self._top.put_as(play, self._match.to_play, self._match.halfway)
        self._played_in = self._match
        self._note("play", "")
        self._take(playing.see(self._match, play))
        self._hurries = self._feels(self._manners.hurry_goes_on if self._hurries else self._manners.hurry)
        for button, chance in (("done", self._manners.says_done), ("undo", self._manners.says_undo)):
            if self._feels(chance):
                yield self._takes(0.2, 1.0)
                self._settle(button)
        yield self._takes(1.0, 1.8)
        yield from self._catch_up()
        self._hide()

    def _hide(self) -> None:
        """The light may go out, or somebody lean over the board."""
        is_leant, is_dark = self._feels(self._manners.leans_over), self._feels(self._manners.dark)
        if not (is_leant or is_dark):
            return
        if is_leant:
            middle = self._painter.plan.side_mm / 2
            self._top.leaning = Hand(middle, middle, player_deg(self._match.to_play))
        self._top.is_dark |= is_dark
        self._unseen_until = max(self._unseen_until, self._now + self._rng.uniform(*UNSEEN_S))
        self._note("dark" if is_dark else "leans_over", "")

    def _think_again(self, play: Position) -> Wait:
        """The player makes another legal play first, and takes his hand away."""
        match = self._match
        others = [
            each
            for each in sorted(match.plays)
            if each not in (play, match.position)
            and playing.see(match, each).match.awaiting is not Awaiting.OVER
        ]
        if others:
            yield from self._top.put_as(self._rng.choice(others), match.to_play, match.halfway)
            self._note("first_thought", "")
            yield self._rng.uniform(*SECOND_THOUGHT_S)

    def _slip(self, play: Position) -> Wait:
        """The player puts a piece down wrong, and sees it himself."""
        wrong = slip(self._match, play, self._rng)
        if wrong is not None:
            yield from self._top.put_as(wrong, self._match.to_play)
            self._note("slip", "")
            yield self._rng.uniform(*SLIP_S)

    def _played_before_others(self, play: Position) -> Position | None:
        """The board with a play made, while what a ruling moved still waits; None if nothing waits."""
        standing = self._top.placed.position
        if self._match.behind is None or standing in (self._match.position, self._match.wrong_board):
            return None
        return after_moves(standing, moves_between(self._match.position, play))

    def _catch_up(self) -> Wait:
        """The player whose throw it is moves what a ruling moved on record, now or later."""
        if self._match.behind is not None and self._rng.random() < DAWDLING:
            return
        yield from self._top.put_as(self._match.position, self._match.to_play)
        self._take(playing.see(self._match, self._match.position))

    def _between_turns(self) -> Wait:
        if self._feels(self._manners.kicks):
            yield from self._kick()
        if self._tempted():
            played_from = self._played_in.position if self._played_in is not None else None
            cheat = timber_shift(self._match, self._rng, self._manners.shifts, played_from)
            if cheat is not None:
                self._cheats_left -= 1
                yield from self._try_it(cheat)

    def _kick(self) -> Wait:
        """Somebody kicks the board: a few pieces slide. Whoever is to throw puts them back."""
        stood, placed = self._top.placed.position, self._top.placed
        slid = shaken(self._match, stood, self._rng, MOST_KICKED, FAR_KICKED)
        for move in moves_between(stood, slid):
            piece = placed.find(move.seat, move.start)
            placed.take(piece)
            placed.put(piece, move.end)
        self._note("kicked", "")
        yield self._rng.uniform(*KICKED_S)
        yield from self._top.put_as(stood, self._match.to_play)
        self._note("put_right", "")
        yield self._rng.uniform(1.8, 2.5)

    def _tempted(self) -> bool:
        return self._cheats_left > 0 and self._rng.random() < CHEAT_CHANCE

    def _swap(self, swap: Cheat, by: int) -> Wait:
        """Those who played last swap their play. If it stands, the dice in hand are played from there."""
        yield from self._try_it(swap, by)
        if self._match.wrong_board is not None:
            self._take(playing.placed(self._match, self._match.wrong_board))

    def _try_it(self, cheat: Cheat, by: int | None = None) -> Wait:
        """Plants a cheat. It is put right if it is called out; play goes on if nobody says anything.

        `by`: whose cheat it is, if neither theirs who are to play, nor anybody's.
        """
        before, culprit = self._match, self._rng.randrange(self._match.board.arms)
        if before.awaiting is Awaiting.PLAY:
            culprit = before.to_play if by is None else by
        # A piece on a line may be an honest play that was put down badly.
        yield from self._top.put_as(cheat.position, culprit, clearly=True)
        self._cheat, self._last_cheat_s = cheat, self._now
        self._called = self._is_asked = False
        self._note("cheat", cheat.kind)
        seen = playing.see(before, cheat.position)
        self.planted.append(Planted(self._now, cheat.kind, seen.rulings[-1]))
        self._take(seen)
        self._hurries = self._feels(self._manners.hurry)
        patience, waited = self._takes(PATIENCE_S, PATIENCE_S), 0.0
        while waited < patience and not (self._called or self._is_asked):
            yield LISTEN_S
            waited += LISTEN_S
        is_heard, self._cheat = self._called or self._is_asked, None
        self._last_cheat_s = self._now
        self._note("called" if self._called else "asked" if self._is_asked else "stood", cheat.kind)
        if is_heard and self._feels(self._manners.calls_over):
            yield 1.0
            yield from self._call(at_once=True)
        if is_heard and self._feels(self._manners.plays_on):
            return
        if not self._called and self._is_asked and self._feels(self._manners.leaves_it):
            yield 1.5
            self._settle("done")
            yield self._rng.uniform(1.0, 1.8)
        elif is_heard:
            yield from self._put_right(before, culprit)

    def _put_right(self, before: Match, culprit: int) -> Wait:
        yield self._rng.uniform(0.8, 1.8)
        if before.awaiting is Awaiting.PLAY and self._rng.random() < 0.5:
            yield from self._play_honestly(choose_play(before, self._rng))
            return
        is_wrong = self._feels(self._manners.puts_back_wrong)
        if is_wrong and (wrong := nearly_back(before, self._top.placed.position, self._rng)) is not None:
            yield from self._top.put_as(wrong, culprit)
            self._note("slip", "")
            yield self._rng.uniform(*WRONG_BACK_S)
        yield from self._top.put_as(before.position, culprit)
        self._note("put_right", "")
        self._take(playing.see(self._match, before.position))
        yield self._rng.uniform(1.8, 2.5)


def _set_up(placed: PlacedPieces, match: Match) -> None:
    """Puts the pieces where they stand in a match that goes on, rightly or wrongly."""
    for move in moves_between(placed.position, match.wrong_board or match.position):
        piece = placed.find(move.seat, move.start)
        placed.take(piece)
        placed.put(piece, move.end)


def _is_told(tower: TowerPort, fault: str) -> bool:
    """Tells the tower's host of a fault. Whether the host could be told."""
    return tower.cocked() if fault == "cocked" else tower.dropped()
