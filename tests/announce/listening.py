"""A speech recogniser that knows all that the referee can say, and nothing else."""

import random
import re
import wave
from collections import defaultdict
from io import BytesIO

import numpy as np

from uckers_table.devices.speech import Speech
from uckers_table.game.ruling import Kind

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
BRITISH = {
    "after": "AE F T AH",
    "another": "AH N AH DH AH",
    "are": "AA",
    "backwards": "B AE K W AH D Z",
    "before": "B IH F AO",
    "belongs": "B IH L AA NG Z",
    "board": "B AO D",
    "can't": "K AA N T",
    "challenge": "CH AE L IH N JH",
    "challenges": "CH AE L IH N JH IH Z",
    "colours": "K AH L AH Z",
    "dark": "D AA K",
    "doorstep": "D AO S T EH P",
    "for": "F AO",
    "four": "F AO",
    "fourth": "F AO TH",
    "from": "F R AA M",
    "further": "F ER DH AH",
    "harbour": "HH AA B AH",
    "lost": "L AA S T",
    "more": "M AO",
    "number": "N AH M B AH",
    "of": "AA V",
    "off": "AA F",
    "one": "W AA N",
    "or": "AO",
    "others": "AH DH AH Z",
    "piecer": "P IY S AH",
    "resumed": "R IH Z Y UW M D",
    "short": "SH AO T",
    "square": "S K W EH AH",
    "start": "S T AA T",
    "starts": "S T AA T S",
    "timber": "T IH M B AH",
    "under": "AH N D AH",
    "upboard": "AH P B AO D",
    "wanted": "W AA N T IH D",
    "where": "W EH AH",
}
"""Words as the British say them, which the recogniser's American dictionary lacks: it takes either way.

From espeak-ng's phonemes (`espeak-ng -q --ipa -v en-gb WORD`), each the nearest of the recogniser's.
"""


def some_of(said, number):
    """Some sentences of what is said of each kind of ruling, always the same.

    Half are accusations, which have to be understood and are the longest; the rest is of all other kinds.
    """
    chosen = random.Random(7)
    accusations = [*said[Kind.ILLEGAL], *said[Kind.TIMBER_SHIFT]]
    others = [kind for kind in said if kind not in (Kind.ILLEGAL, Kind.TIMBER_SHIFT)]
    some = [chosen.choice(accusations) for _ in range(number // 2)]
    return some + [chosen.choice(said[chosen.choice(others)]) for _ in range(number - len(some))]


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


def listener(sayable):
    """A function that writes down what it hears in a WAV file, as words in a row."""
    import pocketsphinx

    decoder = pocketsphinx.Decoder(samprate=RATE, loglevel="FATAL")
    for word, sounds in PRONOUNCED.items():
        decoder.add_word(word, sounds, False)
    for word, sounds in BRITISH.items():
        number = next(each for each in range(2, 9) if decoder.lookup_word(f"{word}({each})") is None)
        decoder.add_word(f"{word}({number})", sounds, False)
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
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        sound, rate = np.frombuffer(file.readframes(10**7), np.int16), file.getframerate()
    if rate != RATE:
        length = len(sound) * RATE // rate
        there = np.fft.irfft(np.fft.rfft(sound)[: length // 2 + 1], length) * length / len(sound)
        sound = np.clip(there, -32768, 32767).astype(np.int16)
    return np.concatenate([np.zeros(RATE // 5, np.int16), sound, np.zeros(RATE // 2, np.int16)])


def heard_of(voice, grammar, sentences):
    """What is heard of each sentence said in a voice; for a process of its own, since it holds the lock."""
    speech, listen = Speech(voice), listener(Sayable(grammar))
    return [listen(b"".join(speech.sounds(sentence))) for sentence in sentences]
