"""What the undo button means at this moment, and what the display shows of it: pure.

One press takes back what can be put back, and the next press puts it back (`AGAIN_S`). What is not so easily
made good is asked about first: then the next press, or the page, says yes. The page asks before everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from uckers_table.announce.taking_back import matter_in_words
from uckers_table.announce.words import capital
from uckers_table.game.board import Board
from uckers_table.machine.messages import Message
from uckers_table.referee.referee import Referee
from uckers_table.referee.taking_back import Matter, at_stake, throw_at_stake

AGAIN_S = 8.0
"""Seconds. For this long after something was taken back, the button puts it back. The sentence that says so
has 15 words: 6 s at the 150 words a minute of speech. Two more are for the way to the button."""
ASKED_S = 20.0
"""Seconds. For this long a question whether to take something back is shown. A phone is unlocked in less."""


@dataclass(frozen=True)
class AskingBack:
    """The `matter` that is asked about, or that was just taken back (`is_taken`); None for neither.

    It is shown until `until` (seconds of the match), or until something else is ruled.
    """

    matter: Matter | None = None
    is_taken: bool = False
    until: float = -inf

    @classmethod
    def asking(cls, matter: Matter, t: float) -> AskingBack:
        """People are asked whether to take this back, from `t` on (seconds of the match)."""
        return cls(matter, until=round(t + ASKED_S, 3))

    @classmethod
    def taken(cls, matter: Matter, t: float) -> AskingBack:
        """This was taken back at `t` (seconds of the match)."""
        return cls(matter, is_taken=True, until=round(t + AGAIN_S, 3))

    def is_shown(self, t: float, referee: Referee) -> bool:
        """Whether it still stands: nothing else was ruled, and people have not let it be."""
        if self.matter is None or t >= self.until:
            return False
        if self.is_taken:
            return bool(referee.undone) and referee.undone[-1].matter == self.matter
        return self.matter in (at_stake(referee), throw_at_stake(referee))

    def pressed(self, t: float, referee: Referee) -> tuple[AskingBack, str]:
        """What a press of undo makes of it, and the button that the referee hears. Empty if it hears none."""
        if self.is_shown(t, referee):
            return AskingBack(), "redo" if self.is_taken else _button(referee, self.matter)
        matter = at_stake(referee)
        if matter is not None and matter.asks_first:
            return AskingBack.asking(matter, t), ""
        return AskingBack(), "undo"

    def page(self, t: float, referee: Referee, board: Board) -> Message | None:
        """What the display shows of it; None for nothing."""
        if self.matter is None or not self.is_shown(t, referee):
            return None
        words = capital(matter_in_words(self.matter, board))
        if self.is_taken:
            return Message("TAKEN BACK", f"{words}. Press undo again to put it back.")
        return Message("TAKE BACK?", f"{words}? Press undo, or answer on the page.")


def found(referee: Referee, number: int) -> Matter | None:
    """The matter with this number, if it can be taken back now."""
    matters = (at_stake(referee), throw_at_stake(referee))
    return next((each for each in matters if each is not None and each.number == number), None)


def button_for(referee: Referee, number: int) -> str:
    """The button that takes the matter with this number back. Empty if it cannot be taken back now."""
    matter = found(referee, number)
    return _button(referee, matter) if matter is not None else ""


def _button(referee: Referee, matter: Matter | None) -> str:
    return "undo" if matter == at_stake(referee) else "undo_throw"
