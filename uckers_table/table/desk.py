"""What people ask of the table from its page: handed in through the inbox, like everything else."""

from __future__ import annotations

import time
from concurrent.futures import TimeoutError as TooLong
from math import inf, isfinite

from uckers_table.announce.words import throw_in_words
from uckers_table.devices.base import Pressed
from uckers_table.errors import InputError
from uckers_table.game.events import Awaiting
from uckers_table.referee.events import (
    ButtonPressed,
    CallMade,
    Correction,
    DiceFault,
    Event,
    Played,
    ThrowMade,
)
from uckers_table.referee.referee import Referee
from uckers_table.table.asking_back import button_for
from uckers_table.table.inbox import Inbox
from uckers_table.table.news import Asked, News, event_of
from uckers_table.web.commands import (
    Answer,
    Command,
    Correct,
    EnterFault,
    EnterPlay,
    EnterThrow,
    MakeCall,
    Press,
    PutBack,
    TakeBack,
)

ANSWER_S = 5.0
"""How long the page waits at most for what the table has begun."""

TAKEN_LATE = "It is taken. The card is slow: the table goes on once the card has it."
"""What is told of a press that was taken and is not kept yet."""
BY_HAND = "buttons"
"""The `source` of dice that a person read, whether pressed or entered on the page."""


class TableDesk:
    """Implements `web.commands.Desk`: each command waits its turn among what the devices say."""

    def __init__(self, inbox: Inbox[News]) -> None:
        self._inbox = inbox

    def do(self, command: Command, *, of: str = "", within_s: float = inf) -> Answer:
        """Have a command carried out, and say what became of it.

        The table drops what it does not come to in time: what nobody waits for any more is not done.
        """
        asked = Asked(command, of, time.monotonic() + within_s)
        self._inbox.post(asked)
        try:
            return asked.answer.result(timeout=ANSWER_S + (within_s if isfinite(within_s) else 0.0))
        except TooLong:
            if asked.taken.is_set():
                return Answer(True, TAKEN_LATE)
            return Answer(False, "The table has not answered; look at what it shows, and try again.")


def event_asked_for(t: float, command: Command, referee: Referee) -> Event:
    """What a command about the match in hand means to its referee.

    InputError where it makes no sense now, or is not about the match.
    """
    match = referee.match
    is_over = match.awaiting is Awaiting.OVER
    match command:
        case EnterThrow() | EnterFault() | EnterPlay() | MakeCall() if is_over:
            raise InputError("the match is over; undo takes its last ruling back")
        case EnterThrow(dice):
            if any(not 1 <= die <= 6 for die in dice):
                raise InputError(f"{list(dice)} are no dice; each shows 1 to 6")
            if len(dice) not in match.dice_wanted:
                raise InputError(f"{len(dice)} dice; a throw takes {match.dice_due} now")
            if match.owes_a_play and "camera" in referee.lost | referee.without:
                in_hand = throw_in_words(match.thrown)
                raise InputError(
                    f"{match.board.seats[match.to_play]} has {in_hand} in hand: enter the play first"
                )
            return ThrowMade(t, dice, BY_HAND)
        case EnterFault(kind, deliberate):
            return DiceFault(t, kind, BY_HAND, deliberate)
        case EnterPlay(position):
            return Played(t, position)
        case Press(name):
            return event_of(t, Pressed(name))
        case TakeBack(number):
            button = button_for(referee, number)
            if not button:
                raise InputError("something else has happened meanwhile; look again at what is taken back")
            return ButtonPressed(t, button)
        case PutBack():
            return ButtonPressed(t, "redo")
        case MakeCall(call):
            return CallMade(t, call)
        case Correct(position):
            return Correction(t, position)
        case _:
            raise InputError(f"{command} is not for the match in hand")
