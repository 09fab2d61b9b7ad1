"""Phrases that are said again and again: what is worth speaking ahead, or recording in a mess's own voice.

Each is a whole sentence of what `sentences` and `accusations` say, up to its full stop.
"""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.announce.tower_sentences import TOWER_SENTENCES
from uckers_table.game.board import COLOURS

_ALWAYS = (
    *(
        "Illegal.",
        "Timber shift.",
        "Put it back.",
        "Put them back.",
        "Thank you.",
        "The board stands as it is.",
    ),
    *("Throw again.", "Cocked.", "Dropped.", "Off the IPS.", "That is two.", "That is three."),
    *("Dice as they lie, please.", "I can't read the dice.", "Check the dice."),
    *("One six wanted.", "Two sixes wanted.", "Three sixes wanted.", "Touch wood.", "No six."),
    *("Challenge won.", "Challenge lost.", "Sucked back.", "Suckback missed.", "Blown back."),
    *("Blowback missed.", "Snake eyes.", "Not yet."),
    *("Eight-piecer.", "Upboard?", "If so, press done.", "Which one?", "Press its number."),
    *("Check the board.", "I can't see the board.", "I can't find the board.", "I can see again."),
    *("It is too dark to see the board.", "I can't tell the colours.", "Press the buttons, or wait."),
    *("The board is not as I have it.", "Press done to take it as it stands.", "Taken as it stands."),
    *("My mistake.", "Taken back.", "Tower lost.", "Dice from the camera."),
    *("Tell me the dice.", "Tower back.", "Camera lost.", "Camera back.", "Match resumed."),
)
_EACH_COLOUR = ("{} starts.", "{} cannot move.", "{} challenges.", "{} must challenge.")


def fixed_phrases(seats: Sequence[str] = COLOURS) -> tuple[str, ...]:
    """The phrases that do not depend on where pieces stand, at a table with these colours; each once."""
    of_the_tower = [
        f"{part.rstrip('.')}." for words in TOWER_SENTENCES.values() for part in words.split(". ")
    ]
    of_colours = [each.format(seat.capitalize()) for seat in seats for each in _EACH_COLOUR]
    return tuple(dict.fromkeys([*_ALWAYS, *of_the_tower, *of_colours]))
