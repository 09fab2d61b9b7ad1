"""Builds what the configuration names: each device's backend, and the profile the camera is read by.

Each real backend is imported only when the configuration asks for it. A device that is asked for and not
there is an error that says so; it never turns into a simulated one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uckers_table.config import Config, SimulatorConfig
from uckers_table.devices.absent import NoButtons, NoCamera, NoDisplay, NoTower
from uckers_table.devices.awaited import (
    AwaitedButtons,
    AwaitedCamera,
    AwaitedDisplay,
    AwaitedTower,
    AwaitedVoice,
)
from uckers_table.devices.base import (
    ButtonBox,
    Camera,
    DiceTower,
    Display,
    Listener,
    Lost,
    Remark,
    SomeDevice,
    Voice,
)
from uckers_table.devices.live import LiveCamera
from uckers_table.devices.voice import SilentVoice
from uckers_table.errors import ConfigError, DeviceError, InputError, ProfileError, RulesError
from uckers_table.game.board import COLOURS, Board
from uckers_table.game.match import Match, begin
from uckers_table.game.setting import load_setting
from uckers_table.machine.clock import Clock, SimulatedClock, WallClock
from uckers_table.machine.files import is_there
from uckers_table.machine.starts import Starts
from uckers_table.machine.threads import close_all
from uckers_table.record.recording import PROFILE
from uckers_table.table.left_out import CAMERA, NOT_TRIED, LeftOut
from uckers_table.vision.profile import TableProfile
from uckers_table.web.commands import StartMatch

if TYPE_CHECKING:
    from uckers_table.devices.simulated_tower import SimulatedTower
    from uckers_table.devices.tray_eye import TrayEye
    from uckers_table.simulator.interfaces import Painter
    from uckers_table.simulator.people import Happening
    from uckers_table.simulator.render import Renderer
    from uckers_table.vision.live import Eyes

LOG = logging.getLogger(__name__)

TOWER_MEMORY = "tower.json"
"""What is remembered of the dice tower, beside the record."""
TRAY_PICTURES = "tray"
"""The folder, there too, of pictures of dice that were turned after they were read."""
WEBCAM_PICTURE = (1920, 1080)
"""Asked of a USB camera that was never shown the table."""
IDLE_S = 0.1
"""How often a simulated table is looked at while nobody plays, in seconds of the real clock."""
MOST_HASTE = 200.0
"""So many times sooner at most lost devices of a simulated table are looked for: life may be faster still."""


StandIn = Callable[[Callable[[], SomeDevice], str, Listener], SomeDevice]
"""Makes what stands in for a device, by what opens it and why that failed, and looks for it."""


@dataclass
class Parts:
    """Everything around one table. `simulated_tower` is the far end of the cable where none is real.

    `profile` is None at a table without a camera, and at one that its camera was never shown. `sit_down` is
    told each match that is begun, `lay_out` each picture that is to be taken to calibrate from: the people at
    a simulated table then play, or lay it out. `eyes` gives what reads the camera's frames by a profile; None
    for the reader of pixels. `left_out` are the devices, but for the camera, that the start does without.
    `truth` is what has happened at a simulated table by its people's own account; nothing at a real one.
    """

    camera: Camera
    tower: DiceTower
    buttons: ButtonBox
    display: Display
    voice: Voice
    clock: Clock
    profile: TableProfile | None
    simulated_tower: SimulatedTower | None = None
    sit_down: Callable[[Match], None] = lambda match: None
    lay_out: Callable[[str], None] = lambda what: None
    eyes: Callable[[TableProfile], Eyes] | None = None
    left_out: Mapping[str, LeftOut[Any]] = field(default_factory=dict)
    truth: Callable[[], Sequence[Happening]] = tuple

    def close(self) -> None:
        """Close every device, also when one of them fails to close or hangs."""
        with ExitStack() as stack:
            if self.simulated_tower is not None:
                stack.callback(self.simulated_tower.close)
            close_all(
                {
                    "camera": self.camera.close,
                    "tower": self.tower.close,
                    "buttons": self.buttons.close,
                    "display": self.display.close,
                    "voice": self.voice.close,
                }
            )


def first_match(config: Config) -> Match:
    """The match that a configuration asks for, not yet begun; RulesError when it makes no sense.

    At a table without a camera any board will do.
    """
    setting = load_setting(config.rules, config.options, seats=config.seats, players=config.players)
    is_usual = len(config.seats) == len(COLOURS) and setting.board == Board(config.seats)
    if config.camera != "none" and not is_usual:
        raise RulesError(
            "the camera knows boards of four arms of six squares only: leave out arms, arm_length, "
            "doorstep_position and further seats"
        )
    return begin(setting, to_play=config.to_play)


def seated(config: Config, seats: tuple[str, ...]) -> Config:
    """A configuration for a board with these seats; of colours that do not sit there it says nothing."""
    if seats == config.seats:
        return config
    return replace(
        config,
        seats=seats,
        names={colour: name for colour, name in config.names.items() if colour in seats},
        to_play=config.to_play if config.to_play in seats else None,
    )


def asked_for(config: Config, wanted: StartMatch, profile: TableProfile | None) -> Config:
    """The configuration with another match; InputError where the camera knows other seats."""
    if profile is not None and wanted.seats != config.seats:
        raise InputError(
            f"the camera has learned the seats {', '.join(config.seats)}, clockwise; calibrate for others"
        )
    return replace(config.with_match(wanted), loudness=wanted.loudness)


def check_config(config: Config, path: Path | None) -> None:
    """InputError for a configuration, read from `path`, that makes no sense whatever devices there are."""
    try:
        first_match(config)
    except RulesError as error:
        raise ConfigError(f"{path}: {error}" if path is not None else str(error)) from None
    if config.camera != "simulated":
        _profile(config)


def build_parts(
    config: Config,
    listener: Listener,
    *,
    paint: Callable[[Renderer], Painter] | None = None,
    starts: Starts | None = None,
) -> Parts:
    """Open every device; DeviceError names the one that is not there and what to try.

    A table with a page does without such a one until it is there, and says so on the page. `listener` is told
    of those, of what `starts` leaves out, and when a display or a voice is lost and back. What makes no sense
    in the configuration is said before any device is opened, and nothing stays open when one of them cannot
    be. `paint` gives what shows a simulated table, of its renderer; left out, that is the renderer itself.
    """
    match = first_match(config)
    if config.camera == "simulated":
        return _simulated_parts(config, match, paint)
    profile, clock = _profile(config), WallClock()
    doors, starts = openers(config, profile, clock, listener), starts or Starts()
    left_out: dict[str, LeftOut[Any]] = {}
    with ExitStack() as opened:

        def there(part: str, open_it: Callable[[], SomeDevice], awaited: StandIn[SomeDevice]) -> SomeDevice:
            """The device, or one that stands in for it while it is looked for."""
            if part in starts.left_out:
                left_out[part] = LeftOut(part, open_it, starts)
                return opened.enter_context(closing(awaited(left_out[part].open, NOT_TRIED, listener)))
            try:
                with starts.trying(part):
                    return opened.enter_context(closing(open_it()))
            except DeviceError as error:
                if not config.page_port:
                    raise
                starts.end(part)
                return opened.enter_context(closing(awaited(open_it, str(error), listener)))

        def camera() -> Camera:
            if CAMERA in starts.left_out:
                # Whoever watches is not sent to look through it until it is tried again.
                listener(Lost(CAMERA, NOT_TRIED))
                return opened.enter_context(closing(AwaitedCamera(doors.camera)))
            return there(CAMERA, doors.camera, await_camera)

        def await_camera(open_it: Callable[[], Camera], why: str, listener: Listener) -> Camera:
            if config.camera == "folder":
                raise DeviceError(why)
            return AwaitedCamera(open_it)

        parts = Parts(
            camera=camera(),
            tower=there("tower", doors.tower, AwaitedTower),
            buttons=there("buttons", doors.buttons, AwaitedButtons),
            display=there("display", doors.display, AwaitedDisplay),
            voice=there("voice", doors.voice, AwaitedVoice),
            clock=clock,
            profile=profile,
            left_out=left_out,
        )
        opened.pop_all()
    return parts


def profile_file(config: Config) -> Path:
    """Where the table's profile is, or will be once its camera has been shown the table."""
    return config.table if config.table is not None else config.record / PROFILE


def _profile(config: Config) -> TableProfile | None:
    path = profile_file(config)
    if config.camera == "none" or (config.page_port and not is_there(path)):
        return None
    try:
        return TableProfile.load(path)
    except ProfileError as error:
        # A table with a page can be shown to the camera there, as one that never was.
        if not config.page_port:
            raise
        LOG.error("the calibration cannot be used: %s", error)
        return None


@dataclass(frozen=True)
class Openers:
    """How each device that a configuration names is opened; DeviceError from those that are not there."""

    camera: Callable[[], Camera]
    tower: Callable[[], DiceTower]
    buttons: Callable[[], ButtonBox]
    display: Callable[[], Display]
    voice: Callable[[], Voice]


def openers(config: Config, profile: TableProfile | None, clock: Clock, listener: Listener) -> Openers:
    """For whoever opens devices one by one. Without a profile the camera chooses for itself."""
    return Openers(
        camera=lambda: _camera(config, clock, profile),
        tower=lambda: _tower(config),
        buttons=lambda: _buttons(config),
        display=lambda: _display(config, listener),
        voice=lambda: _voice(config, listener),
    )


def _camera(config: Config, clock: Clock, profile: TableProfile | None) -> Camera:
    match config.camera:
        case "picamera2":
            from uckers_table.devices.pi_camera import Picamera2Camera

            settings, size = _locked_at(profile)
            return LiveCamera.opened(lambda: Picamera2Camera(settings=settings, size=size, clock=clock.now))
        case "webcam":
            from uckers_table.devices.cameras import WebcamCamera

            settings, size = _locked_at(profile)
            source, seen = config.camera_source or 0, size or WEBCAM_PICTURE
            return LiveCamera.opened(
                lambda: WebcamCamera(source, size=seen, settings=settings, clock=clock.now)
            )
        case "none":
            return NoCamera()
        case _:
            from uckers_table.devices.cameras import FolderCamera

            return FolderCamera(Path(config.camera_source))


def _locked_at(profile: TableProfile | None) -> tuple[Mapping[str, float] | None, tuple[int, int] | None]:
    """The camera's settings, and the size of its pictures; None for what it chooses itself."""
    if profile is None:
        return None, None
    return profile.settings, (profile.camera.width, profile.camera.height)


def _tower(config: Config) -> DiceTower:
    if config.tower == "none":
        return NoTower()
    from uckers_table.devices.dice_tower import SerialDiceTower

    eye = _tray_eye(config) if config.tray_camera else None
    return SerialDiceTower(
        config.tower_port,
        eye=eye,
        pictures=config.record / TRAY_PICTURES,
        memory=config.record / TOWER_MEMORY,
    )


def _tray_eye(config: Config) -> TrayEye:
    """The camera over the tower's tray, and the reader of its pictures."""
    from uckers_table.devices.cameras import WebcamCamera
    from uckers_table.devices.tray_eye import TRAY_PICTURE, TrayEye
    from uckers_table.vision.dice.tray import TrayReader
    from uckers_table.vision.settings import read_settings

    settings = read_settings(config.tray_settings) if config.tray_settings is not None else {}
    return TrayEye(
        lambda: WebcamCamera(config.tray_camera, name="tray camera", size=TRAY_PICTURE, settings=settings),
        TrayReader(config.tray_px_mm).see,
    )


def _buttons(config: Config) -> ButtonBox:
    if config.buttons == "none":
        return NoButtons()
    from uckers_table.devices.buttons import GpioButtonBox

    return GpioButtonBox()


def _display(config: Config, listener: Listener) -> Display:
    if config.display == "none":
        return NoDisplay()
    from uckers_table.devices.display import LumaDisplay

    return LumaDisplay(chip=config.display, listener=listener)


def _voice(config: Config, listener: Listener) -> Voice:
    if config.voice == "silent":
        return SilentVoice()
    from uckers_table.announce.phrases import fixed_phrases, word_pack
    from uckers_table.devices.speech import Speech
    from uckers_table.devices.voice import SpokenVoice

    pack = word_pack(config.seats)
    try:
        speech = Speech(config.voice, clips=config.clips, pack=pack, volume=config.volume)
        trouble = speech.trouble
    except InputError as error:
        # A folder on a stick that is not plugged in keeps no table from speaking.
        speech, trouble = Speech(config.voice, volume=config.volume), f"{error}; the computer speaks"
    listener(Remark("voice", trouble))
    return SpokenVoice(
        speech,
        card=config.sound_card,
        phrases=pack if speech.has_pack else fixed_phrases(config.seats),
        stays_open=config.sound_stays_open,
        listener=listener,
    )


def _simulated_parts(config: Config, match: Match, paint: Callable[[Renderer], Painter] | None) -> Parts:
    """The table that is not there, reached through the same devices as a real one."""
    from uckers_table.devices.dice_tower import SerialDiceTower
    from uckers_table.devices.display import PictureDisplay
    from uckers_table.devices.simulated_buttons import SimulatedButtons
    from uckers_table.devices.simulated_tower import SimulatedTower
    from uckers_table.simulator.camera import SimulatedCamera
    from uckers_table.simulator.evening import SimulatedEvening
    from uckers_table.simulator.world import SimulatedTable
    from uckers_table.vision.calibrate import calibrate

    simulator = config.simulator
    renderer = _renderer(simulator, match.board)
    profile = calibrate(renderer.empty, renderer.start, match.board.seats)
    painter: Painter = paint(renderer) if paint is not None else renderer
    has_tower = config.tower != "none"
    haste = min(simulator.speed, MOST_HASTE)
    with ExitStack() as opened:
        port = opened.enter_context(closing(SimulatedTower())) if has_tower else None
        buttons = opened.enter_context(closing(SimulatedButtons()))

        def seat(match: Match, number: int) -> SimulatedTable:
            return SimulatedTable(
                match,
                painter,
                port,
                buttons.press,
                seed=simulator.seed + number,
                cheats=simulator.cheats,
                cover_lens=simulator.cover_lens,
                max_throws=simulator.throws or None,
                dice_are_seen=config.dice != "tower",
            )

        evening = SimulatedEvening(
            seat,
            renderer.start,
            bare=renderer.empty,
            goes_on=config.page_port > 0,
            rest=lambda: time.sleep(IDLE_S),
        )
        parts = Parts(
            camera=SimulatedCamera(evening, Pacer(simulator.speed)),
            tower=SerialDiceTower(lambda: port.port, haste=haste) if port is not None else NoTower(),
            buttons=buttons,
            display=PictureDisplay(),
            voice=SilentVoice(evening.hear),
            clock=SimulatedClock(evening.now, haste),
            profile=profile,
            simulated_tower=port,
            sit_down=evening.sit_down,
            lay_out=evening.lay_out,
            truth=lambda: evening.log,
        )
        opened.pop_all()
    return parts


def _renderer(simulator: SimulatorConfig, board: Board) -> Renderer:
    """What shows the simulated table."""
    from uckers_table.game.board import Plan
    from uckers_table.simulator.look import look_for
    from uckers_table.simulator.render import Renderer

    return Renderer(
        Plan(board),
        look_for(simulator.seed),
        size=(simulator.width, simulator.height),
        seed=simulator.seed,
    )


class Pacer:
    """Holds a simulated table back to so many times the speed of life."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._due = time.monotonic()

    def __call__(self, simulated_s: float) -> None:
        """Wait until so much simulated time may have passed; a slow machine is not made to catch up."""
        now = time.monotonic()
        self._due = max(self._due + simulated_s / self._speed, now)
        time.sleep(self._due - now)
