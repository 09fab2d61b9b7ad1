"""The word pack: the words and phrases from which everything that is said aloud can be put together.

A mess records each of them once, and hears its own voice in every sentence. "6" and "six" are one recording.
Colours are recorded twice, as "red" and as "red's".
"""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.announce.tower_sentences import TOWER_ALOUD
from uckers_table.game.board import COLOURS

_NUMBERS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_JOINS = (
    "a",
    "and",
    "or",
    "the",
    "in",
    "at",
    "on",
    "double",
    "piece",
    "pieces",
    "blob",
    "blob of",
    "doubles",
    "sixes",
    "of",
    "dice",
    "die",
)
_PLACES = ("doorstep", "mouth", "base", "home", "on from", "short of")
_ACCUSATIONS = (
    *("illegal", "timber shift", "put it back", "put them back", "put it", "back", "twice"),
    *("moved", "moved to", "moved backwards", "came out"),
    *("went through", "landed on", "nobody landed on", "only passed", "besides the play"),
    *("goes to base", "go to base", "stays in base", "the dice said", "the die showed"),
    *("it takes a six", "to come out", "a six brings one piece out", "the six was used", "no six"),
    *("the doorstep is where you come out", "count from the next", "both dice", "must be played"),
    *("still has", "to play", "needs", "exactly", "another", "for home", "cannot move"),
    *("must challenge", "must move on from", "that piece", "lies under", "does not move", "in the chute"),
)
_PLAY = (
    *(
        "throws",
        "for start",
        "starts",
        "throw again",
        "more throw",
        "more throws",
        "not yet",
        "has",
        "in hand",
    ),
    *("to throw", "thank you", "the board stands as it is", "put the board right first"),
)
_DICE = (
    *("cocked", "dropped", "off the IPS", "that is", "dropped on purpose", "loses the go", "all"),
    *("dice as they lie, please", "two readings", "I can't read the dice"),
)
_CALLS = (
    *(
        "calls",
        "challenge",
        "won",
        "lost",
        "six wanted",
        "sixes wanted",
        "touch wood",
        "suckback",
        "blowback",
    ),
    *(
        "sucked back",
        "blown back",
        "missed",
        "goes one on",
        "left",
        "snake eyes",
        "again",
        "all out",
        "all in",
    ),
    *(
        "stands up for the finish",
        "leaves it",
        "refused",
        "too late",
        "not from there",
        "say which",
        "say the number",
        "not now",
        "not that number",
        "not under these rules",
        "the match is over",
        "the throw is to be played first",
        "helps next turn",
        "waits for",
    ),
)
_END = (
    "has won",
    "have won",
    "eight-piecer",
    "eight piece",
    "in harbour",
    "dicking",
    "on the back of the board",
)
_ITSELF = (
    *(
        "check",
        "the board",
        "I can't see the board",
        "I can't find the board",
        "I can't tell the colours",
        "it is too dark",
    ),
    *("I can see again", "press the buttons, or wait", "upboard", "press done", "to take it as it stands"),
    *("which one? Press its number", "is not where I left it", "are not where I left them", "belongs"),
    *("my mistake", "taken back", "it counts", "match resumed", "tower", "camera", "buttons", "display"),
    *("dice from the camera", "tell me the dice"),
)


def word_pack(seats: Sequence[str] = COLOURS) -> tuple[str, ...]:
    """All words and phrases of the pack, at a table with these colours; each once, in the order to record."""
    colours = [word for seat in seats for word in (seat, f"{seat}'s")]
    of_the_tower = [part.rstrip(".") for words in TOWER_ALOUD.values() for part in words.split(". ")]
    themes = (
        _NUMBERS,
        colours,
        _JOINS,
        _PLACES,
        _ACCUSATIONS,
        _PLAY,
        _DICE,
        _CALLS,
        _END,
        _ITSELF,
        of_the_tower,
    )
    return tuple({word.lower(): word for theme in themes for word in theme}.values())


def fixed_phrases(seats: Sequence[str] = COLOURS) -> tuple[str, ...]:
    """Parts of sentences that are said again and again, up to their full stops: worth speaking ahead."""
    always = (
        *("Illegal.", "Timber shift.", "Put it back.", "Put them back.", "Thank you.", "Throw again."),
        *("It takes a six to come out.", "Cocked.", "Dropped.", "That is two.", "That is three."),
        *(
            "One six wanted.",
            "Two sixes wanted.",
            "Touch wood.",
            "No six.",
            "Challenge won.",
            "Challenge lost.",
        ),
        *("My mistake.", "Taken back.", "Dice as they lie, please.", "Check the board."),
    )
    of_colours = [f"{seat.capitalize()} {does}." for seat in seats for does in ("starts", "calls challenge")]
    return (*always, *of_colours)
