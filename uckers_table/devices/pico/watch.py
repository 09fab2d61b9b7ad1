"""From beams and a reader's looks to throws: what counts as one, and everything that must not.

The same watch runs on the Pico, over the under-floor array, and on the host, over the tray camera.

    state     how it is entered                                    event      readout
    EMPTY     nothing lies there                                   -          -
    ROLLING   dice break the in-beam over an empty floor           begun      -
    LYING     all dice due lie still and flat                      throw      the throw
    COCKED    a die leans, lies on another, or is in doubt         cocked     Coc
    SHORT     all that went in came out, and fewer lie there       dropped    droP
    STUCK     a beam stays dark, or more went in than came out     jam        StuC
    UNLIFTED  dice break the in-beam while others lie there        lift       LIFt
    SPOILT    more than two dice, a coin, a finger                 spoilt     LIFt
    TURNED    a die that was read shows something else             handled    LIFt
    BLIND     the reader cannot see while dice roll                spoilt     LIFt

Every state but ROLLING ends when nothing lies there any more and the beams have come to rest: dice that fall
before that begin no throw. A value that was read is frozen: nothing read later changes it. ROLLING ends
without a word when fingers alone were in the in-beam.

A beam may fail. One that stays dark for long is no jam any more. An in-beam that does not see dice fall is
noticed when dice lie on a floor that was bare, where a camera saw no hand. Such dice are a throw once the
in-beam counts as blind, if the out-beam saw them come: hands alone make none.
"""

from uckers_table.devices.pico.beams import FAULT_MS

EMPTY, ROLLING, LYING, COCKED, SHORT = "EMPTY", "ROLLING", "LYING", "COCKED", "SHORT"
STUCK, UNLIFTED, SPOILT, TURNED, BLIND = "STUCK", "UNLIFTED", "SPOILT", "TURNED", "BLIND"

READOUT = {
    COCKED: "Coc",
    SHORT: "droP",
    STUCK: "StuC",
    UNLIFTED: "LIFt",
    SPOILT: "LIFt",
    TURNED: "LIFt",
    BLIND: "LIFt",
}

TRAY_STILL_MS, ARRAY_STILL_MS = 400, 300
"""A reading that has lasted so long is of dice that lie."""
DOUBT_MS = 1000
"""What would spoil a throw has to last longer than what makes it one."""
SHORT_MS = 1500
"""What lies there has lain so long, and the last break is so long ago: a floor is bare before it, too."""
MISSING_MS = 2000
"""So long after the last break dice that went in and did not come out are stuck."""
GONE_MS = 200
"""A floor seen empty for so long has been cleared."""
BLIND_MS = 3000
"""Dice that cannot be seen for so long are no throw."""
UNSEEN_MS = 2000
"""Dice that lie so long on a floor that was bare have come without the in-beam: it tells within a second."""
MISSED, MOST_MISSED = 2, 4
"""What a throw that the in-beam misses adds, and the sum from which it counts as blind; one that it sees
takes one away. So it is blind after two in a row, or three of five. One tells nothing: hands may be quick."""
COMES_MS = 2000
"""Dice are seen so soon before or after the out-beam has told of them, or it has told of others."""
STUCK_SHOWN_MS = 3000
"""For so long at least a jam is shown, also where nothing lies in sight."""
MAX_DICE = 2


class Watch:
    """Feed it, in milliseconds of a clock that never goes back; `take` its events. What the beams say is in
    the order of time and so are the looks, but either may come late.

    `counts_exactly` is for a reader that cannot see what else lies there: more than two breaks of the
    in-beam are then more than two dice. `dice_due` is how many make a throw.
    """

    def __init__(self, still_ms: int, counts_exactly: bool) -> None:
        self.state = EMPTY
        self.dice_due = MAX_DICE
        self.value: tuple[int, ...] = ()
        self._still_ms = still_ms
        self._counts_exactly = counts_exactly
        self._dice: tuple[int, ...] | None = None
        self._since_ms = 0
        self._bare_ms: int | None = None
        self._covered_ms: int | None = None
        self._doubt = "unsure"
        self._has_hand = False
        self._hand_looks = 0
        self._state_ms = 0
        self._ins = self._outs = 0
        self._is_passing = False
        self._last_ms = 0
        self._is_jammed = False
        self._jam_ms = 0
        self._jammed = ""
        self.dark_beam = ""
        self._missed = 0
        self._is_unexplained = self._has_been_bare = self._was_touched = False
        self._came_ms: int | None = None
        self._blind_ms: int | None = None
        self._events: list[tuple[int, tuple[object, ...]]] = []

    @property
    def text(self) -> str:
        """What the readout says of it."""
        if self.state == LYING:
            return " ".join([str(die) for die in self.value])
        return READOUT.get(self.state, "")

    @property
    def misses_dice(self) -> bool:
        """Whether the in-beam does not see dice fall."""
        return self._missed >= MOST_MISSED

    def take(self) -> list[tuple[int, tuple[object, ...]]]:
        """The events since the last time, each with when it happened: kind and fields as in the messages."""
        events, self._events = self._events, []
        return events

    def hear(self, now_ms: int, told: tuple[object, ...]) -> None:
        """What a `Passage` tells."""
        kind = told[0]
        if kind == "begun":
            self._is_passing = True
            self._begin(now_ms)
        elif kind == "ended":
            self._is_passing = False
            self._end(now_ms, int(str(told[1])), int(str(told[2])))
        elif kind == "jam":
            self._is_jammed, self._is_passing = True, False
            self._jammed, self._jam_ms = str(told[1]), now_ms
            self._go(now_ms, STUCK, "jam", told[1])
        elif kind == "freed":
            self._is_jammed, self.dark_beam = False, ""

    def without(self, beam: str) -> None:
        """A beam, "in" or "out", is dark for good: that is no jam, and the other one has to do."""
        self.dark_beam, self._is_jammed = beam, False

    def see(
        self, now_ms: int, dice: tuple[int, ...] | None, doubt: str = "unsure", hand: bool = False
    ) -> None:
        """What the reader sees: a value for each die, 0 where it has none for the reason in `doubt`; None
        while things move."""
        self._blind_ms = None
        self._has_hand = hand
        self._hand_looks = self._hand_looks + 1 if hand else self._hand_looks
        if dice != self._dice:
            self._since_ms = now_ms
        if dice != ():
            self._covered_ms = now_ms if self._covered_ms is None else self._covered_ms
        elif self._covered_ms is not None:
            # A floor that was never seen otherwise has been bare from the start.
            self._bare_ms, self._covered_ms = now_ms, None
        if dice == () and not hand:
            self._has_been_bare, self._was_touched = True, False
        self._was_touched = self._was_touched or hand
        self._dice, self._doubt = dice, doubt
        self.tick(now_ms)

    def blind(self, now_ms: int) -> None:
        """The reader sees nothing that can be trusted."""
        if self._blind_ms is None:
            self._blind_ms = now_ms
        self._dice = None
        if self.state == ROLLING and now_ms - self._blind_ms >= BLIND_MS:
            self._go(now_ms, BLIND, "spoilt", "blind")

    def abandon(self, now_ms: int) -> None:
        """The beams are lost: a throw under way is none, and what comes to lie there is explained by that."""
        self._is_jammed = self._is_passing = self._has_been_bare = self._is_unexplained = False
        if self.state == ROLLING:
            self._go(now_ms, SPOILT)

    def tick(self, now_ms: int) -> None:
        """Time passes."""
        if self._is_jammed and now_ms - self._jam_ms >= FAULT_MS:
            self.without(self._jammed)
        if self._dice is None or self._blind_ms is not None:
            return
        still_ms = now_ms - self._since_ms
        if self.state == ROLLING:
            self._judge(now_ms, self._dice, still_ms)
        elif not self._dice:
            is_shown = self.state != STUCK or now_ms - self._state_ms >= STUCK_SHOWN_MS
            is_free = not (self._has_hand or self._is_jammed or self._is_passing)
            if still_ms >= GONE_MS and is_free and is_shown:
                self._go(now_ms, EMPTY)
        elif self.state == EMPTY and still_ms >= self._still_ms:
            # Laid there by hand: no throw, and none may be thrown onto them.
            self.value = ()
            # Pockets see no hands, so they cannot tell.
            self._is_unexplained = self._has_been_bare and not self._was_touched and not self._counts_exactly
            self._go(now_ms, UNLIFTED)
        elif self.state == UNLIFTED and self._is_unexplained and still_ms >= self._still_ms:
            self._explain(now_ms, still_ms)
        elif self.state == LYING and still_ms >= DOUBT_MS and not self._has_hand:
            self._compare(now_ms, self._dice)

    def _explain(self, now_ms: int, still_ms: int) -> None:
        """Dice lie there that no hand has laid and the in-beam has not told of."""
        is_dark = self.dark_beam == "in"
        if self._was_touched:
            self._is_unexplained = False
        elif (self.misses_dice or is_dark) and self._have_come():
            self._is_unexplained = False
            self._ins = self._outs = self._hand_looks = 0
            self._last_ms = now_ms
            self._go(now_ms, ROLLING, "begun")
        elif still_ms >= UNSEEN_MS and not (self.misses_dice or is_dark):
            self._missed += MISSED
            # If that makes the in-beam blind these dice may be a throw yet.
            self._is_unexplained = self.misses_dice

    def _have_come(self) -> bool:
        """Whether the out-beam saw what lies there come."""
        if self._came_ms is None or self._covered_ms is None:
            return False
        return abs(self._came_ms - self._covered_ms) <= COMES_MS

    def _begin(self, now_ms: int) -> None:
        self._last_ms = now_ms
        self._missed = max(0, self._missed - 1)
        self._is_unexplained = False
        if self.state == ROLLING:
            return
        # Looks may have come before older news of the beams: the floor as it was then is what counts.
        was_bare = self._bare_ms is None or now_ms >= self._bare_ms
        was_free = self._covered_ms is None or now_ms <= self._covered_ms
        is_ready = was_free and self.state != STUCK and not self._has_hand
        if was_bare and (self.state == EMPTY or is_ready):
            self._ins = self._outs = self._hand_looks = 0
            self._go(now_ms, ROLLING, "begun")
        elif self.state != STUCK:
            self._go(now_ms, UNLIFTED, "lift")

    def _end(self, now_ms: int, ins: int, outs: int) -> None:
        if outs and not ins:
            self._came_ms = now_ms
        if self.state != ROLLING:
            return
        self._ins, self._outs = self._ins + ins, self._outs + outs
        self._last_ms = now_ms

    def _judge(self, now_ms: int, dice: tuple[int, ...], still_ms: int) -> None:
        if self._is_passing or self._has_hand or still_ms < self._still_ms:
            return
        too_many = self._counts_exactly and self._ins > MAX_DICE
        if len(dice) > MAX_DICE or too_many:
            self._go(now_ms, SPOILT, "spoilt", "crowd")
        elif self._hand_looks > 1:
            self._go(now_ms, SPOILT, "spoilt", "hand")
        elif 0 in dice:
            if still_ms >= DOUBT_MS:
                self._go(now_ms, COCKED, "cocked", self._doubt)
        elif len(dice) >= self.dice_due:
            self.value = dice
            self._go(now_ms, LYING, "throw", " ".join([str(die) for die in dice]))
        elif not (dice or self._ins or self._outs):
            # Fingers alone were in the in-beam, and have let nothing fall.
            if now_ms - self._last_ms >= MISSING_MS:
                self._go(now_ms, EMPTY)
        elif self._ins > self._outs:
            if now_ms - self._last_ms >= MISSING_MS:
                self._go(now_ms, STUCK, "jam", "between")
        elif min(still_ms, now_ms - self._last_ms) >= SHORT_MS:
            self._go(now_ms, SHORT, "dropped")

    def _compare(self, now_ms: int, dice: tuple[int, ...]) -> None:
        """Dice that are taken away one by one have not been turned; one in doubt may be as it was."""
        if 0 not in dice and len(dice) >= len(self.value) and sorted(dice) != sorted(self.value):
            self._go(now_ms, TURNED, "handled")

    def _go(self, now_ms: int, state: str, *event: object) -> None:
        self.state, self._state_ms = state, now_ms
        if event:
            self._events.append((now_ms, event))
