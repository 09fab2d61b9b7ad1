"""The dice tower as a whole, but for its pins: beams, lamp and sensors in, line, lamp and readout out."""

from uckers_table.devices.pico.array import FULL, Calibration, read_array
from uckers_table.devices.pico.beams import Passage
from uckers_table.devices.pico.line import Line
from uckers_table.devices.pico.watch import ARRAY_STILL_MS, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Save = Callable[[dict[str, object]], bool]

LAMP_LEAST = 1900
"""Converter counts across 4.7 Ω when the lamp is lit: its 60 mA give 5600; a third of that is no light to
read by. Both are reckoned, not measured."""
LAMP_SHARE = 0.66
"""Of the most that this lamp has drawn: with one of its two strips dead it draws half, and a supply that sags
by a volt leaves three quarters."""
LAMP_MS = 1000
LAMP_BEST_MS = 10000
"""What a lamp has never drawn less than for so long is what it draws."""
LAMP_NEWS = 1.05
"""So much more is kept; less would only wear the flash out."""
SENSE_MS = 1000
"""The array's reader is blind, or sees again, when it has been so for as long."""


def _forget(learnt: dict[str, object]) -> bool:
    """For a tower without flash."""
    return True


class Tower:
    """Call `tick` often. `lamp` says whether the tray lamp is to be lit, `shown` what the readout shows.

    `reader` is "tray", where the host reads the dice, or "array"; that one takes scans by `scan`. What it has
    learnt of array and lamp goes to `save`, and comes back by `load`. `save` gives whether it was kept. If
    not, the host is told `blind`; an array counts as unlearnt until it has kept a card.
    """

    def __init__(self, boot: str, reader: str, version: str, name: str, save: "Save" = _forget) -> None:
        self._save = save
        self.line = Line(boot, reader, version, name)
        self.passage = Passage()
        self.calibration = Calibration()
        self._watch = Watch(ARRAY_STILL_MS, True) if reader == "array" else None
        self._scan: list[list[int]] = []
        self._lamp_level = self._lamp_best = self._lamp_low = 0
        self._lamp_since_ms: int | None = None
        self._lamp = _Lasting(LAMP_MS)
        self._sense = _Lasting(SENSE_MS)
        self._has_kept_card = True

    def load(self, learnt: object) -> None:
        """Take what `save` once had; what is damaged counts as none."""
        self.calibration.load(learnt)
        best = learnt.get("lamp") if isinstance(learnt, dict) else None
        if isinstance(best, int) and 0 <= best <= FULL:
            self._lamp_best = best

    @property
    def lamp(self) -> bool:
        """Whether the tray lamp is to be lit."""
        return self.line.light == "on"

    def shown(self, now_ms: int) -> str:
        """What the readout is to show: trouble first, then what the host wants, then what was thrown."""
        if self.passage.is_stuck(now_ms):
            return "StuC"
        watch = self._watch
        if watch is not None and watch.state != "LYING" and watch.text:
            return watch.text
        if self.line.hears_host(now_ms) or watch is None:
            return self.line.text if self.line.hears_host(now_ms) else ""
        return watch.text

    def edge(self, beam: int, is_dark: bool, at_us: int) -> None:
        """A beam's receiver changed its level (beams.IN, OUT or STACK)."""
        self.passage.edge(beam, is_dark, at_us)

    def lamp_level(self, level: int, now_ms: int) -> None:
        """What the lamp's monitor reads, 0 to 65535."""
        self._lamp_level = level
        least = max(LAMP_LEAST, LAMP_SHARE * self._lamp_best)
        changed = self._lamp.to("dark" if self.lamp and level < least else "", now_ms)
        if changed is not None:
            self.line.tell(now_ms, changed or "lit")
        self._learn_lamp(level, now_ms)

    def _learn_lamp(self, level: int, now_ms: int) -> None:
        if self._lamp_since_ms is None or not self.lamp:
            self._lamp_low, self._lamp_since_ms = level, now_ms
        self._lamp_low = min(self._lamp_low, level)
        if now_ms - self._lamp_since_ms < LAMP_BEST_MS:
            return
        self._lamp_since_ms = None
        if self._lamp_low > LAMP_NEWS * self._lamp_best:
            self._lamp_best = self._lamp_low
            if not self._save(self._learnt()) and self._watch is None:
                # The array reads its dice without the lamp.
                self.line.tell(now_ms, "blind", "unlearnt")

    def _learnt(self) -> dict[str, object]:
        learnt: dict[str, object] = dict(self.calibration.to_json())
        learnt["lamp"] = self._lamp_best
        return learnt

    def scan(self, scan: list[list[int]], now_ms: int) -> None:
        """What the array reads; see `read_array`."""
        self._scan = scan
        if self._watch is None:
            return
        if self.line.learn is not None:
            self._learn_card(self.line.learn, scan, now_ms)
            self.line.learn = None
        dice, why = read_array(self.calibration, scan)
        if not self._has_kept_card:
            why = why or "unlearnt"
        changed = self._sense.to(why, now_ms)
        if changed is not None:
            self.line.tell(now_ms, "blind" if changed else "sees", *([changed] if changed else []))
        if why:
            self._watch.blind(now_ms)
        elif self.passage.is_stacked:
            self._watch.see(now_ms, (0, 0), "stacked")
        else:
            self._watch.see(now_ms, dice, "tilted")

    def _learn_card(self, shade: str, scan: list[list[int]], now_ms: int) -> None:
        self.calibration.learn(shade, scan)
        self._has_kept_card = self._save(self._learnt())
        if self._has_kept_card:
            self.line.tell(now_ms, "learnt", shade)
        else:
            # At once, and also where it was unlearnt before: somebody waits for the answer.
            self._sense.is_now("unlearnt")
            self.line.tell(now_ms, "blind", "unlearnt")

    def tick(self, now_us: int) -> None:
        """Time passes: the beams' news goes to the watch where there is one, else to the host."""
        now_ms = now_us // 1000
        self.passage.tick(now_us)
        for at_ms, told in self.passage.take():
            if self._watch is None:
                self.line.tell(at_ms, str(told[0]), *told[1:])
            else:
                if told[0] == "freed":
                    self.line.tell(at_ms, "freed")
                self._watch.hear(at_ms, told)
        if self._watch is not None:
            self._watch.dice_due = self.line.settings["dice"]
            self._watch.tick(now_ms)
            for at_ms, event in self._watch.take():
                self.line.tell(at_ms, str(event[0]), *event[1:])
        if self.line.dump is not None:
            self.line.answer(self._raw())

    def _raw(self) -> list[tuple[str, list[int]]]:
        dark = [int(beam.is_dark) for beam in self.passage.beams]
        parts = [("beams", dark), ("lamp", [self._lamp_level])]
        for pocket in range(len(self._scan)):
            parts.append(("pocket" + str(pocket), [max(0, level) for level in self._scan[pocket]]))
        return parts


class _Lasting:
    """A word that changes only when the new one has lasted."""

    def __init__(self, lasting_ms: int) -> None:
        self._lasting_ms = lasting_ms
        self._word = self._next = ""
        self._since_ms = 0

    def is_now(self, word: str) -> None:
        """It is this word at once."""
        self._word = self._next = word

    def to(self, word: str, now_ms: int) -> str | None:
        """The new word when it has changed, else None."""
        if word != self._next:
            self._next, self._since_ms = word, now_ms
        if word == self._word or now_ms - self._since_ms < self._lasting_ms:
            return None
        self._word = word
        return word
