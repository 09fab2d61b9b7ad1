"""The under-floor array: nine reflective sensors below each pocket, on the 3 × 3 grid of a die's pips.

Each sensor is weighed against what it saw over a white and over a black card. A pocket that shows neither an
empty floor nor one of the nine pictures that a flat die can give is refused: dirt on one sensor must not turn
a four into a six, and no face is ever guessed.
"""

POCKETS = 2
SENSORS = 9
PIP, WHITE = 0.35, 0.65
"""Below is a pip, above is none; between is neither. Black and white are 0 and 1."""
BEYOND = 0.35
"""So far below black or above white is no level that the cards gave."""
LEAST_CONTRAST = 0.08
"""Of the converter's range: with less between the cards, a sensor is dead."""
REFERENCE_DRIFT = 0.3
"""A reference patch may have changed so much of the contrast it had when the cards were learnt."""
MOST_AMBIENT = 0.5
"""Of the converter's range, with all emitters out: sunlight hides what emitters add."""
FULL = 65535
CENTRE = 4

FACES = {
    1: ("....o....",),
    2: ("o.......o", "..o...o.."),
    3: ("o...o...o", "..o.o.o.."),
    4: ("o.o...o.o",),
    5: ("o.o.o.o.o",),
    6: ("o.oo.oo.o", "ooo...ooo"),
}
"""Each face in its quarter turns, row by row, as the sensors lie."""


class Calibration:
    """What each sensor of each pocket gives over the white and the black card, then its white and dark
    references while the white card lay there: converter counts, 0 to 65535."""

    def __init__(self) -> None:
        self.white: list[list[int]] = []
        self.black: list[list[int]] = []
        self.references: list[list[int]] = []

    @property
    def is_complete(self) -> bool:
        """Whether both cards have been learnt."""
        return bool(self.white) and bool(self.black)

    def learn(self, shade: str, scan: list[list[int]]) -> None:
        """Take a scan (as `read_array` takes them) over the white or the black card in both pockets."""
        levels = [list(pocket[:SENSORS]) for pocket in scan]
        if shade == "white":
            self.white = levels
            self.references = [list(pocket[SENSORS : SENSORS + 2]) for pocket in scan]
        else:
            self.black = levels

    def to_json(self) -> dict[str, list[list[int]]]:
        """As it is kept in the Pico's flash."""
        return {"white": self.white, "black": self.black, "references": self.references}

    def load(self, data: object) -> bool:
        """Take what was kept; False, and nothing taken, for what is damaged."""
        if not isinstance(data, dict):
            return False
        kept = []
        for name, size in (("white", SENSORS), ("black", SENSORS), ("references", 2)):
            pockets = data.get(name)
            if not isinstance(pockets, list) or len(pockets) not in (0, POCKETS):
                return False
            for pocket in pockets:
                if not isinstance(pocket, list) or len(pocket) != size:
                    return False
                if not all(isinstance(level, int) and -FULL <= level <= FULL for level in pocket):
                    return False
            kept.append(pockets)
        if bool(kept[0]) != bool(kept[2]):
            return False
        self.white, self.black, self.references = kept
        return True


def read_array(calibration: Calibration, scan: list[list[int]]) -> tuple[tuple[int, ...], str]:
    """The dice in the pockets, 0 for one that shows no face, and why the reader is blind ("" when it sees).

    A scan has, for each pocket, nine levels (lit less unlit), the white and the dark reference's, and the
    ambient level.
    """
    if not calibration.is_complete:
        return (), "unlearnt"
    dice = []
    for pocket in range(POCKETS):
        levels, white, black = scan[pocket], calibration.white[pocket], calibration.black[pocket]
        why = _blindness(levels, calibration.references[pocket], white, black)
        if why:
            return (), why
        face = face_of([_share(levels[k], white[k], black[k]) for k in range(SENSORS)])
        if face is not None:
            dice.append(face)
    return tuple(dice), ""


def face_of(shares: list[float | None]) -> int | None:
    """The face that nine shares of white show (None: a dead sensor); 0 for none, None for an empty pocket."""
    picture = ""
    for share in shares:
        if share is None:
            picture += "?"
        elif not -BEYOND <= share <= 1 + BEYOND or PIP < share < WHITE:
            return 0
        else:
            picture += "o" if share <= PIP else "."
    if "." not in picture:
        return None
    faces = [face for face in FACES if any(_alike(picture, known) for known in FACES[face])]
    return faces[0] if len(faces) == 1 else 0


def _alike(picture: str, known: str) -> bool:
    return all(picture[k] in ("?", known[k]) for k in range(SENSORS))


def _share(level: int, white: int, black: int) -> float | None:
    contrast = white - black
    return (level - black) / contrast if contrast >= LEAST_CONTRAST * FULL else None


def _blindness(levels: list[int], references: list[int], white: list[int], black: list[int]) -> str:
    if _share(0, white[CENTRE], black[CENTRE]) is None:
        # No other sensor can stand in for the centre: 2 and 3, and 4 and 5, would look alike.
        return "sensor"
    if levels[SENSORS + 2] > MOST_AMBIENT * FULL:
        return "ambient"
    margin = max(LEAST_CONTRAST * FULL, REFERENCE_DRIFT * (references[0] - references[1]))
    for k, sense in ((0, "white"), (1, "dark")):
        if abs(levels[SENSORS + k] - references[k]) > margin:
            return sense
    return ""
