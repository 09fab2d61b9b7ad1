"""The eight digits of the readout, as a MAX7219 takes them: two bytes a command, register and value."""

DIGITS = 8
_SEGMENTS = {
    " ": "", "-": "g", "_": "d", "=": "dg", "?": "abeg",
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg",
    "5": "acdfg", "6": "acdefg", "7": "abc", "8": "abcdefg", "9": "abcdfg",
    "A": "abcefg", "B": "cdefg", "C": "adef", "D": "bcdeg", "E": "adefg", "F": "aefg", "G": "acdef",
    "H": "bcefg", "I": "ef", "J": "bcde", "K": "acefg", "L": "def", "M": "aceg", "N": "ceg", "O": "abcdef",
    "P": "abefg", "Q": "abcfg", "R": "eg", "S": "acdfg", "T": "defg", "U": "bcdef", "V": "cde", "W": "bdfg",
    "X": "bcefg", "Y": "bcdfg", "Z": "abdeg", "c": "deg", "h": "cefg", "i": "c", "o": "cdeg", "u": "cde",
}  # fmt: skip
"""Segment a is the top, then clockwise to f, g is the middle; small letters that are not here look like the
capital ones."""
_BITS = {"a": 0x40, "b": 0x20, "c": 0x10, "d": 0x08, "e": 0x04, "f": 0x02, "g": 0x01}

_NO_DECODING, _INTENSITY, _SCAN_LIMIT, _RUNNING, _TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F


def segments(char: str) -> int:
    """The byte that lights a character, segment a in bit 6; nothing for one that cannot be shown."""
    names = _SEGMENTS.get(char, _SEGMENTS.get(char.upper(), ""))
    return sum([_BITS[name] for name in names])


def commands(text: str, bright: int) -> list[bytes]:
    """All that the chip has to be told to show a text, from whatever state a spike has left it in.

    `bright` is 0 to 3 sixteenths.
    """
    out = [
        bytes((_TEST, 0)),
        bytes((_NO_DECODING, 0)),
        bytes((_SCAN_LIMIT, DIGITS - 1)),
        bytes((_INTENSITY, bright)),
    ]
    for place in range(DIGITS):
        # Register 8 is the leftmost digit.
        out.append(bytes((DIGITS - place, segments(text[place]) if place < len(text) else 0)))
    out.append(bytes((_RUNNING, 1)))
    return out
