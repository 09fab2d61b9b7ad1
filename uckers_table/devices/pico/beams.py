"""What the tower's beams say: dice going in, coming out, and stuck on the way.

Beams are triggers and counts, never values: two dice may pass as one break, and a tumbling die as two.
"""

FILTER_US = 1000
"""A die at 1.4 to 2.2 m/s darkens a beam for 7 to 11 ms; what is shorter, dark or light, is noise."""
QUIET_MS = 300
"""Beams light for so long: what fell has passed."""
STUCK_MS = 500
"""A beam dark for so long has a die, or something else, in it."""

IN, OUT, STACK = 0, 1, 2
WHERE = ("in", "out")


class Beam:
    """One beam, filtered."""

    def __init__(self) -> None:
        self.is_dark = False
        self.since_ms = 0
        self._raw_dark = False
        self._raw_since_us = 0

    def edge(self, is_dark: bool, at_us: int) -> bool:
        """The receiver's level changed at a time; True when that made out that the beam has been broken."""
        broken = self.settle(at_us)
        if is_dark != self._raw_dark:
            self._raw_dark, self._raw_since_us = is_dark, at_us
        return broken

    def settle(self, now_us: int) -> bool:
        """Believe a level that has lasted; True when the beam has been broken."""
        if self._raw_dark == self.is_dark or now_us - self._raw_since_us < FILTER_US:
            return False
        self.is_dark, self.since_ms = self._raw_dark, self._raw_since_us // 1000
        return self.is_dark


class Passage:
    """The beams that dice pass. `take` gives what they told since: ("begun",), ("ended", in, out), ("jam",
    where) and ("freed",), in order, each with when it happened.

    A passage goes from the first break until the beams have been light for QUIET_MS. One of the out-beam
    alone is a die that comes late: it ends without having begun.
    """

    def __init__(self) -> None:
        self.beams = (Beam(), Beam(), Beam())
        self.is_jammed = False
        self._counts = [0, 0]
        self._is_passing = self._has_begun = False
        self._last_ms = 0
        self._told: list[tuple[int, tuple[object, ...]]] = []

    @property
    def is_stacked(self) -> bool:
        """Whether something is in the beam across the pockets."""
        return self.beams[STACK].is_dark

    def edge(self, beam: int, is_dark: bool, at_us: int) -> None:
        """A receiver's level changed."""
        if self.beams[beam].edge(is_dark, at_us):
            self._broken(beam)

    def tick(self, now_us: int) -> None:
        """Time passes."""
        now_ms = now_us // 1000
        for which in (IN, OUT, STACK):
            if self.beams[which].settle(now_us):
                self._broken(which)
        dark = [which for which in (IN, OUT) if self.beams[which].is_dark]
        light_ms = now_ms - max(self.beams[IN].since_ms, self.beams[OUT].since_ms)
        if self.is_jammed:
            if not dark and light_ms >= STUCK_MS:
                self.is_jammed = False
                self._told.append((now_ms, ("freed",)))
            return
        for which in dark:
            if now_ms - self.beams[which].since_ms >= STUCK_MS:
                self.is_jammed, self._is_passing = True, False
                self._told.append((now_ms, ("jam", WHERE[which])))
                return
        if self._is_passing and not dark and light_ms >= QUIET_MS:
            self._is_passing = False
            self._told.append((self._last_ms, ("ended", self._counts[IN], self._counts[OUT])))

    def take(self) -> list[tuple[int, tuple[object, ...]]]:
        """What was told since the last time."""
        told, self._told = self._told, []
        return told

    def _broken(self, which: int) -> None:
        if which == STACK or self.is_jammed:
            return
        if not self._is_passing:
            self._is_passing, self._has_begun = True, False
            self._counts = [0, 0]
        if which == IN and not self._has_begun:
            # What came out before this belongs to the throw before, or was a finger.
            self._has_begun = True
            self._counts = [0, 0]
            self._told.append((self.beams[IN].since_ms, ("begun",)))
        self._counts[which] += 1
        self._last_ms = self.beams[which].since_ms
