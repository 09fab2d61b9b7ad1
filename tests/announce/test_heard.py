"""The default voice is understood: a speech recogniser that knows all that can be said writes down rulings.

What can be said is `referee.gram`, beside this file. Listening takes a minute; it is left out where flite or
pocketsphinx is not installed.
"""

import random
import re
import shutil
import wave
from collections import defaultdict
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from uckers_table.announce.phrases import fixed_phrases
from uckers_table.announce.sentences import say
from uckers_table.config import Config
from uckers_table.devices.speech import PROGRAMS, Speech
from uckers_table.game.board import Board
from uckers_table.game.position import all_in_base
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.referee.rulings import Notice, NoticeKind

GRAMMAR = (Path(__file__).parent / "referee.gram").read_text(encoding="utf-8")
RULINGS, UNDERSTOOD = 200, 0.95
RATE = 16000
UNITS = (
    *(
        "no",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty")
PRONOUNCED = {
    "red's": "R EH D Z",
    "yellow's": "Y EH L OW Z",
    "suckback": "S AH K B AE K",
    "blowback": "B L OW B AE K",
    "upboard": "AH P B AO R D",
    "dicking": "D IH K IH NG",
    "piecer": "P IY S ER",
}
"""Words that the recogniser's dictionary does not have, in its own letters for sounds."""


def heard_words(sentence):
    """The words of a sentence as they are heard: "6" as "six", "IPS" as three letters, no stops."""

    def spelled(digits):
        number = int(digits[0])
        return (
            UNITS[number] if number < 20 else f"{TENS[number // 10]} {UNITS[number % 10]}".removesuffix(" no")
        )

    text = re.sub(r"\d+", spelled, sentence.replace("IPS", "i p s").replace("-", " "))
    return re.sub(r"[^a-z' ]", "", text.lower()).split()


class Sayable:
    """A grammar without loops as the smallest automaton: recognisers are slow on the many ways that list
    rules give them through one sentence.

    `arcs` has, for each state, the words that may follow and the state after each; 0 is the last state.
    """

    def __init__(self, grammar):
        rules = re.sub(r"//.*", "", grammar)
        self._rules = {
            name: re.findall(r"<\w+>|[()|\[\]]|[\w']+", body)
            for name, body in re.findall(r"<(\w+)>\s*=\s*(.*?);", rules, re.DOTALL)
        }
        # First with many ways through: for each state where words lead, and where nothing leads.
        self._words, self._silently = [], []
        start, end = self._state(), self._state()
        self._one_of(self._rules["said"], 0, start, end)
        self._end = end
        self._numbers, self.arcs = {frozenset(): 0}, {0: {}}
        self.start = self._merged({start}, {})

    def _state(self):
        self._words.append([])
        self._silently.append([])
        return len(self._words) - 1

    def _one_of(self, tokens, at, start, end):
        """Read alternatives from a place in the tokens on; the place after them."""
        at = self._in_a_row(tokens, at, start, end)
        while at < len(tokens) and tokens[at] == "|":
            at = self._in_a_row(tokens, at + 1, start, end)
        return at

    def _in_a_row(self, tokens, at, here, end):
        while at < len(tokens) and tokens[at] not in "|)]":
            token, there = tokens[at], self._state()
            if token in "([":
                at = self._one_of(tokens, at + 1, here, there)
                if token == "[":
                    self._silently[here].append(there)
            elif token.startswith("<"):
                self._one_of(self._rules[token[1:-1]], 0, here, there)
            else:
                self._words[here].append((token, there))
            here, at = there, at + 1
        self._silently[here].append(end)
        return at

    def _merged(self, states, known):
        """The number of the one state that stands for several, the same for all with the same futures."""
        todo, states = list(states), set(states)
        while todo:
            new = [state for state in self._silently[todo.pop()] if state not in states]
            todo += new
            states.update(new)
        states = frozenset(states)
        if states not in known:
            follow = defaultdict(set)
            for state in states:
                for word, there in self._words[state]:
                    follow[word].add(there)
            arcs = {word: self._merged(there, known) for word, there in follow.items()}
            # Nothing but the last state has the end in it and leads nowhere.
            future = frozenset(arcs.items()) | ({"end"} if self._end in states and arcs else set())
            number = self._numbers.setdefault(future, len(self._numbers))
            self.arcs[number] = arcs
            if "end" in future:
                self.arcs[number][None] = 0
            known[states] = number
        return known[states]

    def holds(self, words):
        """Whether these words, in this order, can be said."""
        state = self.start
        for word in words:
            if word not in self.arcs[state]:
                return False
            state = self.arcs[state][word]
        return state == 0 or None in self.arcs[state]


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
    for words in ("Illegal.", "Red moved 7.", "The die said 6 and 2.", "Illegal. Red moved 7. Thank you."):
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


@pytest.fixture(scope="module")
def listener(sayable):
    """Writes down what it hears in a WAV file, as words in a row."""
    pocketsphinx = pytest.importorskip("pocketsphinx")
    decoder = pocketsphinx.Decoder(samprate=RATE, loglevel="FATAL")
    for word, sounds in PRONOUNCED.items():
        decoder.add_word(word, sounds, False)
    known = {word for arcs in sayable.arcs.values() for word in arcs if word is not None}
    assert [word for word in sorted(known) if decoder.lookup_word(word) is None] == []
    arcs = [
        (state, there, 1.0) if word is None else (state, there, 1.0, word)
        for state, follow in sayable.arcs.items()
        for word, there in follow.items()
    ]
    decoder.add_fsg("referee", decoder.create_fsg("referee", sayable.start, 0, arcs))
    decoder.activate_search("referee")

    def listen(wav):
        decoder.start_utt()
        decoder.process_raw(samples(wav).tobytes(), full_utt=True)
        decoder.end_utt()
        return decoder.hyp().hypstr if decoder.hyp() is not None else ""

    return listen


def samples(wav):
    """A WAV file's samples at the recogniser's rate, with a little silence before and after."""
    with wave.open(BytesIO(wav)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        sound = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    return np.concatenate([np.zeros(RATE // 5, np.int16), sound, np.zeros(RATE // 2, np.int16)])


@pytest.mark.timeout(900)
def test_the_default_voice_is_understood_word_for_word(said_at_random, listener):
    voice = Config().voice
    if shutil.which(PROGRAMS[voice][0]) is None:
        pytest.skip(f"{PROGRAMS[voice][0]} is not installed")
    speech, chosen = Speech(voice), random.Random(7)
    accusations = [*said_at_random[Kind.ILLEGAL], *said_at_random[Kind.TIMBER_SHIFT]]
    others = [kind for kind in said_at_random if kind not in (Kind.ILLEGAL, Kind.TIMBER_SHIFT)]
    # Half are accusations, which have to be understood and are the longest; the rest is of all other kinds.
    said = [chosen.choice(accusations) for _ in range(RULINGS // 2)]
    said += [chosen.choice(said_at_random[chosen.choice(others)]) for _ in range(RULINGS - len(said))]
    missed = {}
    for sentence in said:
        heard = listener(b"".join(speech.sounds(sentence)))
        if heard != " ".join(heard_words(sentence)):
            missed[sentence] = heard
    print(f"{voice}: {RULINGS - len(missed)} of {RULINGS} rulings word for word")
    assert RULINGS - len(missed) >= UNDERSTOOD * RULINGS, missed
