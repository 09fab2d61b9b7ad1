"""What the tower's beams say: dice going in, coming out, and stuck on the way.

Beams are triggers and counts, never values: two dice may pass as one break, and a tumbling die as two.
"""

FILTER_US = 1000
"""A die at 1.4 to 2.2 m/s darkens a beam for 7 to 11 ms; what is shorter, dark or light, is noise."""
QUIET_MS = 300
"""Beams light for so long: what fell has passed."""
STUCK_MS = 2000
"""A beam dark for so long has something stuck in it. Fingers that push dice in are there for half a second,
hands that hold dice for one; a die that is stuck stays."""
HELD_MS = 100
"""What is in a beam for so long is held: a die that falls is gone after 7 to 11 ms, one that slides after
some tens."""
FAULT_MS = 30000
"""A beam dark for so long is at fault: whoever heard that a die is stuck has looked by now."""
FREED_MS = 500
"""Beams light for so long are free again."""

IN, OUT, STACK = 0, 1, 2
WHERE = ("in", "out")


class Beam:
    """One beam, filtered."""

    def __init__(self) -> None:
        self.is_dark = False
        self.since_ms = 0
        self.was_dark_ms = 0
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
        since_ms = self._raw_since_us // 1000
        if self.is_dark:
            self.was_dark_ms = since_ms - self.since_ms
        self.is_dark, self.since_ms = self._raw_dark, since_ms
        return self.is_dark


class Passage:
    """The beams that dice pass. `take` gives what they told since: ("begun",), ("ended", in, out), ("jam",
    where) and ("freed",), in order, each with when it happened.

    A passage goes from the first break until the beams have been light for QUIET_MS. One of the out-beam
    alone is a die that comes late: it ends without having begun. Breaks of the in-beam by what is held
    count only beside one by a die that falls: fingers alone are no dice. While one beam is jammed the other
    goes on.
    """

    def __init__(self) -> None:
        self.beams = (Beam(), Beam(), Beam())
        self.is_jammed = False
        self._jammed, self._jammed_ms = IN, 0
        self._counts = [0, 0]
        self._are_held = False
        self._is_passing = self._has_begun = False
        self._last_ms = 0
        self._told: list[tuple[int, tuple[object, ...]]] = []

    @property
    def is_stacked(self) -> bool:
        """Whether something is in the beam across the pockets."""
        return self.beams[STACK].is_dark

    def is_stuck(self, now_ms: int) -> bool:
        """Whether something has been stuck for less than FAULT_MS: after that a beam is at fault."""
        return self.is_jammed and now_ms - self._jammed_ms < FAULT_MS

    def edge(self, beam: int, is_dark: bool, at_us: int) -> None:
        """A receiver's level changed."""
        self._settled(beam, self.beams[beam].edge(is_dark, at_us))

    def tick(self, now_us: int) -> None:
        """Time passes."""
        now_ms = now_us // 1000
        for which in (IN, OUT, STACK):
            self._settled(which, self.beams[which].settle(now_us))
        if self.is_jammed:
            jammed = self.beams[self._jammed]
            if not jammed.is_dark and now_ms - jammed.since_ms >= FREED_MS:
                self.is_jammed = False
                self._told.append((now_ms, ("freed",)))
        else:
            self._find_jam(now_ms)
        passed = [self.beams[which] for which in (IN, OUT) if not (self.is_jammed and which == self._jammed)]
        light_ms = min([-1 if beam.is_dark else now_ms - beam.since_ms for beam in passed])
        if self._is_passing and light_ms >= QUIET_MS:
            self._is_passing = False
            ins = 0 if self._are_held else self._counts[IN]
            self._told.append((self._last_ms, ("ended", ins, self._counts[OUT])))

    def take(self) -> list[tuple[int, tuple[object, ...]]]:
        """What was told since the last time."""
        told, self._told = self._told, []
        return told

    def _find_jam(self, now_ms: int) -> None:
        for which in (IN, OUT):
            if self.beams[which].is_dark and now_ms - self.beams[which].since_ms >= STUCK_MS:
                self.is_jammed, self._is_passing = True, False
                self._jammed, self._jammed_ms = which, now_ms
                self._told.append((now_ms, ("jam", WHERE[which])))
                return

    def _settled(self, which: int, is_broken: bool) -> None:
        """A beam may have been broken, or be light again."""
        beam = self.beams[which]
        if is_broken:
            self._broken(which)
        elif which == IN and not beam.is_dark:
            self._are_held = self._are_held and beam.was_dark_ms >= HELD_MS

    def _broken(self, which: int) -> None:
        if which == STACK or (self.is_jammed and which == self._jammed):
            return
        if not self._is_passing:
            self._is_passing, self._has_begun = True, False
            self._counts = [0, 0]
        if which == IN and not self._has_begun:
            # What came out before this belongs to the throw before, or was a finger.
            self._has_begun = self._are_held = True
            self._counts = [0, 0]
            self._told.append((self.beams[IN].since_ms, ("begun",)))
        self._counts[which] += 1
        self._last_ms = self.beams[which].since_ms
