"""A tower's beam that fails: it stays dark, or does not see dice fall. What is said of it, and when.

Pure: times are arguments, in seconds of a clock that never goes back.
"""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.devices.pico.beams import FAULT_MS, WHERE

ASK_S = 5.0
"""How often a tower is asked what its beams read: what it told of them before a program began is gone."""
START_S = 5.0
"""A beam that is dark when it is first asked for, and so much later, was so before anybody threw."""

BEAM_FAILS = "A beam of the tower does not work. The page says what to try."
STAYS_DARK = (
    "The tower's {}-beam stays dark. Take out what is in its way. If nothing is, wipe it, and see that its "
    "two parts face each other."
)
MISSES_DICE = (
    "The tower's in-beam does not see the dice. Wipe it, shade it from the sun, and see that its two parts "
    "face each other. Until then dice count if the out-beam sees them and no hand is in the tray. Tell "
    "others on the page."
)


class DarkBeams:
    """What the beams of one connection read, each time that they were asked for."""

    def __init__(self) -> None:
        self._asked: float | None = None
        self._first: float | None = None
        self._last = 0.0
        self._since: dict[str, float] = {}

    def asks(self, now: float) -> bool:
        """Whether to ask for them now; asked once, not again for ASK_S."""
        if self._asked is not None and now - self._asked < ASK_S:
            return False
        self._asked = now
        return True

    def seen(self, levels: Sequence[int], now: float) -> None:
        """What they read: in-beam and out-beam, 1 for dark."""
        self._last = now
        self._first = now if self._first is None else self._first
        for name, is_dark in zip(WHERE, levels, strict=False):
            if is_dark:
                self._since.setdefault(name, now)
            else:
                self._since.pop(name, None)

    @property
    def stays_dark(self) -> str:
        """The beam, "in" or "out", that is dark for longer than a jam is; "" where none is."""
        for name, since in self._since.items():
            patience_s = START_S if since == self._first else FAULT_MS / 1000
            if self._last - since >= patience_s:
                return name
        return ""
