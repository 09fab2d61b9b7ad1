"""A simulated mess: people come, play match after match and go, and meanwhile things go wrong.

Its camera moves it on. Everything happens between two frames, by the simulated clock.
"""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator

from uckers_table.devices.base import Frame
from uckers_table.devices.simulated_buttons import SimulatedButtons
from uckers_table.devices.simulated_tower import SimulatedTower
from uckers_table.errors import DeviceError, UckersTableError
from uckers_table.game.board import COLOURS
from uckers_table.simulator.evening import SimulatedEvening
from uckers_table.simulator.world import IDLE_FRAME_S
from uckers_table.soak.devices import SoakPanel, Speaker
from uckers_table.soak.eyes import SparingPainter
from uckers_table.soak.light import SoakLight
from uckers_table.soak.meter import MeteredInbox
from uckers_table.soak.plan import Deed, SoakEvent
from uckers_table.soak.visitors import Visitors
from uckers_table.table.lobby import BEGIN
from uckers_table.table.loop import ANSWER_MEANT_S

AWAY_FRAME_S = 5.0
"""Seconds between frames while nobody is at the table. Nothing is to be seen there then."""
CAMERA_TRY_S = 2.0
"""Simulated seconds that pass with each look for a lost camera."""
PAUSE_S = 60.0
"""Seconds between two matches."""
MOST_MESSAGES = 4
"""How many messages may stand on the display when somebody wants to begin."""
WATCHING = 20
"""The people who open the page at a visit."""
NOTICE_S = 60.0
"""Real seconds that the table may take to notice a cable. What a cable tells is told at once."""
RULES = ("br4006", "wafu", "couk")
"""The rule sets that are played, in turn."""
BY_LIGHT = ("dark", "red")
"""Lights in which nobody plays."""


class Mess:
    """Implements `devices.base.Camera`. It lives on with each frame that it is asked for, until `end_s`.

    `events`: what happens, in order.
    `every_s`: the simulated seconds between samples.
    `pause`: is told before each frame how many simulated seconds it comes after the one before.
    `done`: how often each deed was done, by the deed and what it was done to.
    """

    name = "camera"
    waits = True

    def __init__(
        self,
        evening: SimulatedEvening,
        events: Iterator[SoakEvent],
        *,
        end_s: float,
        every_s: float,
        inbox: MeteredInbox,
        sample: Callable[[float], None],
        tower: SimulatedTower,
        buttons: SimulatedButtons,
        panel: SoakPanel,
        speaker: Speaker,
        painter: SparingPainter,
        pause: Callable[[float], None],
    ) -> None:
        self._evening, self._events, self._end_s, self._every_s = evening, events, end_s, every_s
        self._inbox, self._sample, self._pause = inbox, sample, pause
        self._tower, self._buttons, self._panel, self._speaker = tower, buttons, panel, speaker
        self._painter = painter
        self.visitors: Visitors | None = None
        self.done = Counter[tuple[Deed, str]]()
        self.answers = Counter[str]()
        self.refused_starts = 0
        self.matches = 1
        """The matches that were begun. The table begins the first by itself."""
        self._next = next(events)
        self._sampled = 0.0
        self._light, self.light = SoakLight(), "day"
        self._are_here = False
        self._camera_is_out = False
        self._to_find = list[str]()
        self._idle_since: float | None = None
        self._files = resource.getrlimit(resource.RLIMIT_FSIZE)
        self._is_closed = False

    def read(self) -> Frame | None:
        """The next frame; None at the end. Raises DeviceError while the camera's cable is out.

        If the mess itself goes wrong, UckersTableError ends the table's evening.
        """
        try:
            return self._read()
        except UckersTableError:
            raise
        except Exception as error:
            raise UckersTableError(f"the soak itself failed: {error!r}") from error

    def _read(self) -> Frame | None:
        now = self._evening.now()
        if self._is_closed or now >= self._end_s:
            return None
        while self._next.t <= now:
            self._do(self._next)
            self._next = next(self._events)
        self._find_what_was_noticed()
        self._play_on(now)
        if now >= self._sampled + self._every_s:
            self._sampled = now
            self._sample(now)
        if self._camera_is_out:
            self._evening.wait(CAMERA_TRY_S)
            self._pause(CAMERA_TRY_S)
            raise DeviceError("the camera's cable is out")
        frame = self._frame()
        if frame is None:
            return None
        self._pause(frame.t - now)
        if not self._painter.is_painting:
            return frame
        return Frame(frame.t, self._light.on(frame.image, self.light, frame.t))

    def close(self) -> None:
        """Gives no more frames, and leaves the process as it was found. Safe to call twice."""
        self._is_closed = True
        self._let_card(take=True)
        if self.visitors is not None:
            self.visitors.close()

    def _frame(self) -> Frame | None:
        if not self._are_here:
            return self._evening.wait(AWAY_FRAME_S)
        if not self._evening.is_playing or self.light in BY_LIGHT:
            return self._evening.wait(IDLE_FRAME_S)
        return self._evening.advance()

    # ------------------------------------------------------------------ what happens

    def _do(self, event: SoakEvent) -> None:
        match event.deed:
            case Deed.COME | Deed.LEAVE:
                self._are_here, self._idle_since = event.deed is Deed.COME, None
            case Deed.LOSE:
                self._pull(event.what)
            case Deed.FIND:
                self._to_find.append(event.what)
            case Deed.LIGHT:
                self.light = event.what
            case Deed.PAINT:
                self._painter.is_painting = bool(event.what)
            case Deed.FILL | Deed.CLEAR:
                self._let_card(take=event.deed is Deed.CLEAR)
            case Deed.VISIT | Deed.GO:
                self._ask(watch=WATCHING if event.deed is Deed.VISIT else 0)
            case Deed.READ:
                self.answers.update(self._ask(read=True))
        self.done[event.deed, event.what] += 1

    def _pull(self, device: str) -> None:
        match device:
            case "tower":
                self._tower.cut()
                # The line tells that at once. Waiting for it keeps one order of events for each seed.
                self._until(lambda: self._inbox.is_lost("tower"))
            case "camera":
                self._camera_is_out = True
            case "display":
                self._panel.is_out = True
            case "voice":
                self._speaker.pull()

    def _find_what_was_noticed(self) -> None:
        for device in [each for each in self._to_find if self._inbox.is_lost(each)]:
            self._to_find.remove(device)
            match device:
                case "tower":
                    self._tower.plug()
                    self._until(lambda: not self._inbox.is_lost("tower"))
                case "camera":
                    self._camera_is_out = False
                case "display":
                    self._panel.is_out = False
                case "voice":
                    self._speaker.put_in()

    def _let_card(self, *, take: bool) -> None:
        """Has the system refuse whatever this process writes to a file, or take it again."""
        _, most = self._files
        resource.setrlimit(resource.RLIMIT_FSIZE, self._files if take else (0, most))

    def _until(self, is_so: Callable[[], bool]) -> None:
        """Waits for what the table is about to notice. UckersTableError if it does not notice in time."""
        give_up = time.monotonic() + NOTICE_S
        while not is_so() and not self._is_closed:
            if time.monotonic() > give_up:
                raise UckersTableError("the table does not notice that its tower was lost, or is back")
            time.sleep(0.001)

    def _ask(self, **what: object) -> dict[str, int]:
        """Has the visitors do something. Their answer, if it is a dictionary."""
        answer = self.visitors.ask(**what) if self.visitors is not None else {}
        return answer if isinstance(answer, dict) else {}

    # ------------------------------------------------------------------ match after match

    def _play_on(self, now: float) -> None:
        """Begins the next match once one is over: by the page and by the button, in turn."""
        if not self._are_here or self._evening.is_playing:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = now
        elif now >= self._idle_since + PAUSE_S:
            # For the players the match is over. If the referee thinks otherwise, they give it up.
            if self._ask(do="leave").get("is_done"):
                # Nobody begins the next in the same moment. A press may still answer what was asked in it.
                self._idle_since = now - PAUSE_S + ANSWER_MEANT_S + IDLE_FRAME_S
                return
            self._idle_since = now
            if self.matches % 2:
                rules = RULES[self.matches // 2 % len(RULES)]
                self._ask(
                    do="start",
                    rules=rules,
                    options={},
                    players=4,
                    seats=list(COLOURS),
                    names={},
                    loudness="chatty",
                )
            else:
                self._press_begin()
            if self._evening.is_playing:
                self.matches += 1
            else:
                self.refused_starts += 1

    def _press_begin(self) -> None:
        """A press answers a message that stands on the display; the next one begins the match."""
        for _ in range(MOST_MESSAGES + 1):
            if not self._evening.is_playing:
                self._buttons.press(BEGIN)
