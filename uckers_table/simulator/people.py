"""The people at a simulated table: their pace, what they hear of the referee, and what they answer.

The referee reaches them by the voice (`hear`) and by its devices alone. `log` holds the truth; it is for
tests and figures.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from uckers_table.game.match import Match, Step
from uckers_table.game.position import Position
from uckers_table.game.ruling import Ruling
from uckers_table.simulator.cheats import Cheat
from uckers_table.simulator.hands import TableTop
from uckers_table.simulator.interfaces import Word, word_of
from uckers_table.simulator.manners import Manners

HURRIED = 0.12
"""The part of their usual pauses that people in a hurry take."""
CALLED_OVER_S = 10.0
"""Seconds for which a question is left open for a call."""
LATE_S = 12.0
"""A call this many seconds after a cheat that was left to stand still means that cheat."""


@dataclass(frozen=True)
class Happening:
    """A line of the truth: `what` happened, at the time `t` of the simulated clock, and the board then.

    "throw" (`kind`: the dice, or the fault). "void": the throw just made came before the last was played.
    "play". "call" (`kind`: what is called). "heard" (`kind`: the sentence).
    "slip": a piece is set down wrong for a moment. "first_thought": a legal play that its player changes.
    "rigged", "turned_back": a die is turned by hand, and back.
    "dark", "leans_over": from now on nobody sees the board for a while.
    "cheat", then "called", "asked" or "stood" (`kind`: the kind of cheat). "put_right": it is taken back.
    "kicked": the board was kicked, and pieces slid. "accused" (`kind`: the sentence, which nobody deserved).
    "won" (`kind`: who).
    """

    t: float
    what: str
    kind: str
    position: Position


@dataclass(frozen=True)
class Planted:
    """A cheat as it was planted: when, of what kind, and the rules' ruling on that board."""

    t: float
    kind: str
    ruling: Ruling


class People:
    """Those who sit round a table top, and their match as it truly is.

    `press`: is told the name of every button that is pressed.
    `rng`: decides what they do; `moods` what they are like.
    """

    def __init__(
        self,
        match: Match,
        top: TableTop,
        press: Callable[[str], None],
        manners: Manners,
        rng: random.Random,
        moods: random.Random,
    ) -> None:
        self.log: list[Happening] = []
        self._match, self._top, self._press = match, top, press
        self._manners, self._rng = manners, rng
        self._paces = [moods.uniform(*manners.pace) for _ in range(match.board.arms)]
        self._is_deaf = moods.random() < manners.deaf
        self._hurries = False
        self._now = 0.0
        self._cheat: Cheat | None = None
        self._last_cheat_s = -LATE_S
        self._ears: deque[tuple[str, Word | None]] = deque()
        self._called = self._is_asked = self._is_asked_which = self._is_refused = False
        self._dice_are_refused = self._is_rigging_called = self._calls_over = False
        self._errands: list[tuple[float, str]] = []

    @property
    def match(self) -> Match:
        """The true match."""
        return self._match

    def now(self) -> float:
        """The simulated clock, in seconds."""
        return self._now

    def hear(self, sentence: str) -> None:
        """The players hear a sentence that was said aloud. Any thread may call this."""
        self.tell(sentence, word_of(sentence))

    def tell(self, sentence: str, word: Word | None) -> None:
        """The same, and this is what they understand, whatever the words. Any thread may call this."""
        self._ears.append((sentence, word))

    def _takes(self, least_s: float, most_s: float) -> float:
        """How many seconds the player whose throw it is takes for something."""
        taken = self._rng.uniform(least_s, most_s) if most_s > least_s else least_s
        return taken * self._paces[self._match.to_play] * (HURRIED if self._hurries else 1.0)

    def _feels(self, chance: float) -> bool:
        return chance > 0.0 and self._rng.random() < chance

    def _take(self, step: Step) -> None:
        self._match = step.match

    def _note(self, what: str, kind: str) -> None:
        self.log.append(Happening(self._now, what, kind, self._top.placed.position))

    def _listen(self) -> None:
        while self._ears:
            sentence, word = self._ears.popleft()
            self._note("heard", sentence)
            if word is Word.ACCUSED:
                if self._cheat is not None:
                    self._called = True
                elif self._now - self._last_cheat_s >= LATE_S:
                    self._note("accused", sentence)
                    self._answer("undo", 2.0)
            elif word is Word.DICE_REFUSED:
                self._dice_are_refused = True
            elif word is Word.DICE_TURNED:
                self._is_rigging_called = True
            elif word is Word.WHICH_CALL:
                self._is_asked_which = True
            elif word is Word.CALL_REFUSED:
                self._is_refused = True
            elif word is Word.CHECK and self._cheat is not None:
                self._is_asked = True
            elif word in (Word.CHECK, Word.OUT_OF_STEP):
                self._calls_over = self._feels(self._manners.calls_over)
                soon_s = 1.5 if word is Word.CHECK else 2.0
                self._answer("done", CALLED_OVER_S if self._calls_over else soon_s)

    def _answer(self, button: str, in_s: float) -> None:
        """Somebody will answer what the referee has said, unless they throw on."""
        if not self._feels(self._manners.throws_on):
            self._errands.append((self._now + in_s, button))

    def _run_errands(self) -> None:
        if self._is_asked_which:
            # Until "Which one?" is answered, the buttons are numbers.
            return
        due = [errand for errand in self._errands if errand[0] <= self._now]
        self._errands = [errand for errand in self._errands if errand[0] > self._now]
        for _, button in due:
            self._settle(button)

    def _settle(self, button: str) -> None:
        """Somebody presses undo or done, unless these people never do."""
        if not self._is_deaf:
            self._press(button)
