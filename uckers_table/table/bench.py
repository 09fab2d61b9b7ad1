"""All that the page sets up beside matches and calibration: what is well, what is tried out, what is set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from threading import Event

from uckers_table.announce.oled import Screen
from uckers_table.config import Config
from uckers_table.devices.base import Back, DeviceEvent, Listener, TellingTower
from uckers_table.errors import InputError, RecordError
from uckers_table.machine.messages import Message
from uckers_table.machine.threads import Worker, close_all, unless_stopped
from uckers_table.sighting import Sighting
from uckers_table.table.device_states import DeviceStates
from uckers_table.table.examining import RunningTable, examine_running
from uckers_table.table.first_card import CardFacts, first_card
from uckers_table.table.news import BenchNews, Examined, Reopened, Ticked, TrayLocked, TrayMeasured
from uckers_table.table.own_settings import OwnSettings, devices_of
from uckers_table.table.parts import Parts, profile_file
from uckers_table.table.reopening import Reopening
from uckers_table.table.trying_out import Trials
from uckers_table.web.commands import Answer, AsConfigured, Choose, Examine, SettingUp, SoundHeard, TryOut
from uckers_table.web.feed import CardLine, DeviceLine, FindingLine, Shot, TryingOut

NOT_NOW = "a match is on: do that between matches"
FORGOTTEN = "From the next start on the configuration alone counts."
AT_NEXT_START = "Kept. It counts from the next start on."
DEVICE_TRIED = {"tray": "tower"}
"""The device that a trial needs, where it has another name: the tray's camera is opened with the tower."""
MEASURED = "the tray’s scale is {:g} pixels a millimetre, and is kept"
EXAMINING = "The table is being examined."
TRAY_KEPT = "the tray’s camera is locked, and will be at each start"
NOT_TAKEN = "this camera takes no settings: its picture may change by itself. Use another if dice are misread"


class Bench:
    """For the table's loop. `tell` and `hand_over` bring news into it: a tower's throws are handed over. With
    `draw_anew` the devices show what is theirs again.
    """

    def __init__(
        self,
        config: Config,
        parts: Parts,
        tell: Callable[[DeviceEvent | BenchNews], None],
        hand_over: Listener,
        states: DeviceStates,
        draw_anew: Callable[[], None],
    ) -> None:
        self.config = config
        """The configuration in force; whoever changes it otherwise says so here."""
        self._parts, self._states, self._draw_anew = parts, states, draw_anew
        self._tell, self._hand_over = tell, hand_over
        self.settings = OwnSettings(config)
        self._trials = Trials(parts, tell, draw_anew)
        self._reopening = Reopening(parts, tell, tell)
        self._examining: Worker | None = None
        self._examined = RunningTable(config.record, None, (), ())
        self.findings: tuple[FindingLine, ...] = ()
        """What the last examination found."""

    # ------------------------------------------------------------------ what comes in

    def takes(self, news: object) -> bool:
        """Whether what a device says belongs to what is being tried out, and to nothing else."""
        return isinstance(news, DeviceEvent) and self._trials.takes(news)

    def hear(self, news: BenchNews) -> None:
        """Time has passed, or something that was begun here has ended."""
        match news:
            case Ticked():
                self._trials.tick()
            case Examined():
                self._examining, self.findings = None, news.findings
            case TrayLocked():
                self._trials.worked(self._kept(news))
            case TrayMeasured():
                self._trials.worked(self._measured(news))
            case Reopened():
                self._reopening.settle(news)
                if news.is_well and self._states.is_lost(news.name):
                    self._states.hear(Back(news.name))
                if news.name == "tower":
                    self._parts.tower.listen(self._hand_over)
                elif news.name == "buttons":
                    self._parts.buttons.listen(self._tell)
                self._draw_anew()

    def _kept(self, news: TrayLocked) -> str:
        """Keep what the tray's camera is locked at; what became of that, in a line."""
        if not news.settings:
            return news.why or NOT_TAKEN
        try:
            self.config = self.settings.keep_tray(self.config, news.settings)
        except RecordError as error:
            return str(error)
        return TRAY_KEPT

    def _measured(self, news: TrayMeasured) -> str:
        """Go by the tray's scale as it was measured; what became of that, in a line."""
        if news.why:
            return news.why
        px_mm = round(news.px_mm, 2)
        try:
            self._choose({"tray_px_mm": px_mm}, is_playing=False)
        except (InputError, RecordError) as error:
            return str(error)
        return MEASURED.format(px_mm)

    def do(self, command: SettingUp, *, is_playing: bool) -> Answer:
        """Do what somebody asks for. InputError where it makes no sense now."""
        match command:
            case SoundHeard(is_heard):
                self._trials.is_heard = is_heard
            case TryOut():
                if is_playing:
                    raise InputError(NOT_NOW)
                why = self._states.why_lost(DEVICE_TRIED.get(command.device, command.device))
                if why:
                    raise InputError(why)
                return self._trials.begin(command, mains_hz=self.config.mains_hz)
            case Examine():
                return self._examine()
            case AsConfigured():
                self.settings.forget()
                return Answer(True, FORGOTTEN)
            case Choose(values):
                return self._choose(values, is_playing=is_playing)
        return Answer(True)

    def _choose(self, values: Mapping[str, object], *, is_playing: bool) -> Answer:
        devices = devices_of(values)
        # A match's display, lamps and dice are its own; its voice may be another at any time.
        if is_playing and devices - {"voice"}:
            raise InputError(NOT_NOW)
        for name in devices:
            self._reopening.check(name)
        self.config = self.settings.choose(self.config, values)
        self._trials.end()
        for name in devices:
            self._reopening.begin(name, self.config)
        return Answer(True, AT_NEXT_START if self.settings.waits(self.config, values) else "")

    def _examine(self) -> Answer:
        if self._examining is not None:
            raise InputError("the table is being examined; wait for it")
        tower = self._parts.tower
        reads = tower.reads if isinstance(tower, TellingTower) else None
        table = replace(self._examined, reads=reads, down=self._parts.buttons.down)

        def examine(stopping: Event) -> None:
            look, found = unless_stopped(stopping), list[FindingLine]()
            for each in examine_running(table, datetime.now(UTC)):
                look()
                found.append(FindingLine(**asdict(each)))
            self._tell(Examined(tuple(found)))

        self._examining = Worker("examining", examine)
        return Answer(True, EXAMINING)

    def end_trials(self) -> None:
        """A match begins: the devices are its own."""
        self._trials.end()

    def close(self) -> None:
        """End what was begun here, once nobody takes news any more. Safe to call twice."""
        closers = {"trying out": self._trials.close, "devices’ opening": self._reopening.close}
        if self._examining is not None:
            closers["examination"] = self._examining.stop
        close_all(closers)

    # ------------------------------------------------------------------ what goes out

    @property
    def warnings(self) -> tuple[Message, ...]:
        """What people must know: that what the page had set does not count."""
        return (Message("SETTINGS", self.settings.trouble),) if self.settings.trouble else ()

    @property
    def screen(self) -> Screen | None:
        """What the display shows while it is tried out; None while it is not."""
        return self._trials.screen

    @property
    def trying_out(self) -> TryingOut:
        """What is being tried out."""
        return self._trials.shown()

    @property
    def tray_shots(self) -> tuple[Callable[[], Shot | None], Callable[[], Shot | None]]:
        """What gives the newest picture of the tray, and the one in which a test throw was read."""
        return partial(self._trials.tray, read=False), partial(self._trials.tray, read=True)

    def card(
        self, devices: Sequence[DeviceLine], seen: Sighting | None, frames_a_second: float
    ) -> tuple[CardLine, ...]:
        """The first card, of what devices and camera say now."""
        config, profile = self.config, self._parts.profile
        facts = CardFacts(
            config.dice,
            seen,
            self._states.tower_faults,
            self._trials.is_heard,
            self._trials.are_pressed,
            bool(config.tray_camera) and config.tray_settings is None,
        )
        card = first_card(devices, facts)
        self._examined = RunningTable(
            config.record,
            profile_file(config) if config.camera not in ("none", "simulated") else None,
            devices,
            card,
            frames_a_second,
            profile is None or bool(profile.settings) or self._parts.camera.waits,
        )
        return card
