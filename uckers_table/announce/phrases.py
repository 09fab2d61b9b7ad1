"""The word pack: the words and phrases from which everything that is said aloud can be put together.

A mess records each of them once, and hears its own voice in every sentence. "6" and "six" are one recording.
Colours are recorded twice, as "red" and as "red's".
"""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.announce.tower_sentences import TOWER_ALOUD
from uckers_table.announce.words import MOST_COUNTED, count
from uckers_table.game.board import COLOURS

_NUMBERS = tuple(count(number) for number in range(1, MOST_COUNTED + 1))
_OFTEN = """
    illegal | timber shift | put it back | put it | back | came out | moved
    the dice said | it takes a six | to come out | still has | to play | must be played | goes to base
    needs | exactly | for home | doorstep | mouth | home | on from | short of | on | a | and | the
    double | piece | blob | dice | throws | for start | starts | throw again | not yet | has | in hand
    thank you | the board stands as it is | cocked | dropped | off the IPS | that is
    dice as they lie, please | my mistake | calls | challenge | sixes | wanted | touch wood
    no | lost | in | base | belongs | waits for | helps next turn | stands up for the finish | snake eyes
    check | taken back | the board | won | have won
"""
"""With numbers and colours they make 97 of 100 sentences that are heard at a table that tells its calls, in
the matches of `uckers-table trial --matches 4 --seed 5`."""
_SELDOM = """
    or | at | of | to | die | pieces | doubles | twice | another | all | again
    left | put them back | moved backwards | went through | landed on | nobody landed on
    only passed | is that a challenge? press it | go to base | stays in base | the die showed
    brings one piece out | the six was used | both dice
    the doorstep is where you come out | count from the next | cannot move | blocked by | must challenge
    must move on from | that piece | lies under | does not move | in the chute | more | throw
    put the board right first | dropped on purpose | loses the go
    two readings | I can't read the dice | suckback | blowback | sucked back | blown back | missed
    goes one on | all out | leaves it | refused | too late | it stands | went home on | it
    not from there | say which | say the number | not now | not that number | not under these rules
    the match is over | the throw is to be played first | eight-piecer | in harbour | dicking | upboard
    I can't see the board | I can't find the board | I can't tell the colours
    it is too dark | I can see again | press the buttons, or wait | press done | to take it as it stands
    the square before it | which one? Press its number | is not where I left it | are not where I left them
    it counts | match resumed | tower | camera | buttons | display | dice from the camera
    tell me the dice | the lower die alone is lost | an odd throw moves no pair
"""


def word_pack(seats: Sequence[str] = COLOURS) -> tuple[str, ...]:
    """All words and phrases of the pack at a table with these colours, each once, those said often first."""
    of_the_tower = [part.rstrip(".") for words in TOWER_ALOUD.values() for part in words.split(". ")]
    every = (*said_often(seats), *_listed(_SELDOM), *of_the_tower)
    once = dict[str, str]()
    for word in every:
        once.setdefault(word.lower(), word)
    return tuple(once.values())


def said_often(seats: Sequence[str] = COLOURS) -> tuple[str, ...]:
    """The part of the pack that is worth recording first."""
    colours = (word for seat in seats for word in (seat, f"{seat}'s"))
    return (*_NUMBERS, *colours, *_listed(_OFTEN))


def _listed(table: str) -> list[str]:
    return [word.strip() for line in table.strip().splitlines() for word in line.split("|")]


def fixed_phrases(seats: Sequence[str] = COLOURS) -> tuple[str, ...]:
    """Parts of sentences that are said again and again, up to their full stops: worth speaking ahead."""
    always = (
        *(
            "Illegal.",
            "Timber shift.",
            "Put it one back.",
            "Put it two back.",
            "Put them back.",
            "Thank you.",
            "Throw again.",
        ),
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
