"""Every sentence, at every loudness, can be put together from the word pack."""

from collections import Counter

from uckers_table.announce.phrases import word_pack
from uckers_table.commands.clips import examples
from uckers_table.devices.segments import Pack
from uckers_table.game.board import COLOURS

PACK = Pack(word_pack())
SELDOM = (
    *("A six brings one piece out.", "The six was used twice.", "Both dice must be played."),
    *("The doorstep is where you come out; count from the next.", "Red only passed blue."),
    *("No six: red stays in base.", "Red must move on from green's mouth.", "That piece lies under another."),
    *("A blob of three does not move.", "That piece cannot move.", "Red cannot move yellow in the chute."),
    *(
        "Red moved to green's mouth; the dice said 6 and 2.",
        "Not yet. Put the board right first.",
        "Dropped on purpose. Red loses the go.",
    ),
    *("Snake eyes again: all in.", "Eight-piece dicking.", "Eight piece in harbour.", "Tell me the dice."),
    *("Red cannot move: no six, and no 3 for home.", "Red needs another 3 for home."),
    *("Red went home on 6; it needs 11.", "Check green's doorstep and the square before it."),
    *("Too late, it stands.", "One of green's pieces on green's doorstep belongs in base."),
    *("Three doubles. All red's pieces go to base.", "Five sixes.", "Nobody landed on blue. Put it back."),
    *("Nobody landed on one of blue's pieces. Put it back.", "Five pieces moved; the dice said 6 and 2."),
    *("Challenge won. Two of red's pieces go to base.", "Red has won. Eight-piecer.", "Double two: all out."),
    *(
        "Refused: say the number.",
        "Refused: say which.",
        "Refused: not that number.",
        "Refused: the match is over.",
    ),
    *("Refused: the throw is to be played first.", "Refused: put the board right first."),
    *("Green and blue go to base.", "Red calls suckback 3, double.", "Suckback missed. That is all."),
    *("Blown back. Red's piece goes to base.", "Red cannot move: blocked by green and blue."),
    *(
        "Red cannot move: blocked by blue's blob, and the lower die alone is lost.",
        "An odd throw moves no pair.",
        "Is that a challenge? Press it.",
        "One piece is not where I left it.",
        "Not yet. One die to throw.",
        "Not yet. Two dice to throw.",
    ),
)
"""What matches at random hardly ever come to."""


def test_all_that_is_said_can_be_put_together(said_at_random):
    said = [words for several in said_at_random.values() for words in several]
    assert len(said) > 1000
    lacking = {
        sentence: segment.words
        for sentence in (*said, *SELDOM, *examples(COLOURS))
        for segment in PACK.segments(sentence)
        if not segment.is_known
    }
    assert lacking == {}


def test_nothing_is_recorded_in_vain(said_at_random):
    said = [words for several in said_at_random.values() for words in several]
    used = Counter(segment.words for sentence in (*said, *SELDOM) for segment in PACK.segments(sentence))
    spoken = {words for phrase in PACK.phrases.values() for (words,) in [_whole(phrase)] if words not in used}
    assert spoken == set()


def test_the_pack_is_small_enough_to_record_at_a_sitting():
    # Some hundred and eighty lines of a second or two.
    assert len(PACK.phrases) <= 180
    assert max(len(phrase.split()) for phrase in PACK.phrases.values()) <= 9


def test_other_colours_are_recorded_for_other_tables():
    pack = word_pack(("orange", "green", "white", "black"))
    assert {"orange", "orange's", "black's"} <= set(pack)
    assert "red" not in pack


def _whole(phrase):
    return [segment.words for segment in PACK.segments(phrase)]
