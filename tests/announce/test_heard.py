"""The default voice is understood: a speech recogniser that knows all that can be said writes down rulings.

What can be said is `referee.gram`, beside this file. Listening is a minute's work that all processors share;
it is left out where flite or pocketsphinx is not installed.
"""

import os
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.announce.listening import Sayable, heard_of, heard_words, some_of
from uckers_table.announce.phrases import fixed_phrases
from uckers_table.announce.sentences import say
from uckers_table.config import Config
from uckers_table.devices.speech import PROGRAMS
from uckers_table.game.board import Board
from uckers_table.game.position import all_in_base
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.rulings import Notice, NoticeKind

GRAMMAR = (Path(__file__).parent / "referee.gram").read_text(encoding="utf-8")
RULINGS, UNDERSTOOD = 200, 0.95
LISTENERS = os.cpu_count() or 1


@pytest.fixture(scope="module")
def sayable():
    return Sayable(GRAMMAR)


def test_the_grammar_is_read_as_it_is_written():
    small = Sayable(
        "public <said> = one [of <colour>] (six | sixes) [<colour>];  <colour> = red | green; // x"
    )
    yes = ["one six", "one of red sixes", "one of green six red", "one sixes green"]
    no = ["one", "one of six", "one six six", "of red six", "one six red green", ""]
    assert [words for words in yes + no if small.holds(words.split())] == yes
    assert len(small.arcs) == 6


def test_everything_that_is_said_is_in_the_grammar(said_at_random, sayable):
    said = [words for several in said_at_random.values() for words in several]
    assert len(said) > 1000
    assert [words for words in said if not sayable.holds(heard_words(words))] == []


def test_what_is_not_said_is_not_in_the_grammar(sayable):
    for words in ("Illegal.", "Red moved 7.", "The die showed 6 and 2.", "Illegal. Red moved 7. Thank you."):
        assert not sayable.holds(heard_words(words))


def test_the_fixed_phrases_are_said(said_at_random):
    said = [words for several in said_at_random.values() for words in several]
    # Seldom at random.
    position = all_in_base(Board())
    said += [say(Ruling(Kind.CHALLENGE, seat, position, wanted=2), Board()) for seat in range(4)]
    said.append(say(Ruling(Kind.LEGAL, 0, position, honours=("eight_piecer",)), Board()))
    said.append(say(Notice(NoticeKind.DEVICE_LOST, "tower", is_by_hand=True), Board()))
    parts = {part for words in said for part in re.split(r"(?<=[.?]) ", words)}
    assert [phrase for phrase in fixed_phrases() if phrase not in parts] == []


def test_the_default_voice_is_understood_word_for_word(said_at_random):
    voice = Config().voice
    if shutil.which(PROGRAMS[voice][0]) is None:
        pytest.skip(f"{PROGRAMS[voice][0]} is not installed")
    pytest.importorskip("pocketsphinx")
    said = some_of(said_at_random, RULINGS)
    shares, heard = [said[number::LISTENERS] for number in range(LISTENERS)], {}
    with ProcessPoolExecutor(LISTENERS, get_context("spawn")) as listeners:
        for share, words in zip(
            shares, listeners.map(partial(heard_of, voice, GRAMMAR), shares), strict=True
        ):
            heard |= zip(share, words, strict=True)
    missed = {
        sentence: words for sentence, words in heard.items() if words != " ".join(heard_words(sentence))
    }
    print(f"{voice}: {RULINGS - len(missed)} of {RULINGS} rulings word for word")
    assert RULINGS - len(missed) >= UNDERSTOOD * RULINGS, missed
