"""What the table consists of: the configuration file, and the simulated configuration that the demo runs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from uckers_table.announce.loudness import Loudness
from uckers_table.errors import ConfigError
from uckers_table.game.board import COLOURS
from uckers_table.game.typed_rules import typed_rules
from uckers_table.referee.events import DICE_SOURCES

BACKENDS: Mapping[str, tuple[str, ...]] = {
    "camera": ("simulated", "picamera2", "webcam", "folder"),
    "tower": ("simulated", "serial", "none"),
    "buttons": ("simulated", "gpio", "none"),
    "display": ("ssd1309", "ssd1306", "sh1106", "picture", "none"),
    "voice": ("flite", "espeak", "silent"),
}
"""The backends that each device can have. A device that is not there is 'none'; nothing is ever simulated
unless the configuration says so."""


TOWER_COCKED = ("again", "fault")
"""What a die is that the tower leaves tilted: thrown again and nobody's fault, or a fault as on the board."""

COVERED_THROWS = 12
"""How many throws people make at a simulated table whose camera is covered, before they give up."""


@dataclass(frozen=True)
class SimulatorConfig:
    """The table that is not there. `speed` is how many times faster than life it may run; after so many
    `throws` its players leave, 0 means that they play to the end.
    """

    seed: int = 44
    speed: float = 200.0
    cheats: int = 4
    cover_lens: bool = False
    throws: int = 0
    width: int = 1536
    height: int = 864


@dataclass(frozen=True)
class Config:
    """One table. `table` is the profile that `calibrate` wrote (the simulated table learns its own). `names`
    are the players', by colour. `page_port` is where the table's page is served on the network; 0 is no page,
    and one match is refereed, no more. A table that `resumes` goes on, when it starts, with a match that was
    neither finished nor left.

    `dice` says who reads them: "tower", "camera", "both" of these, one checking the other, or "buttons". In
    a file that leaves it out it is the tower, or the camera where there is no tower. `tower_port` is "auto"
    for the tower that is plugged in, or its port; `tower_cocked` says whether a die that the tower leaves
    tilted is thrown "again" and nobody's fault, or a "fault"; `tray_camera` is the number or path of the
    camera over the tower's tray, if it has one, and `tray_px_mm` its scale. `loudness` is how much people are
    told: "quiet", "calls" or "chatty"; it changes nothing of what is ruled. `volume` is how loud
    that is said, 0 to 100; `sound_card` is part of the card's name, none the first USB card; `clips` is a
    folder of the mess's own recordings (`uckers-table clips` makes one). `switch_off` is the command that
    follows when a player holds the button for it, none to end the program only.
    """

    rules: str = "br4006"
    options: Mapping[str, Any] = field(default_factory=dict)
    players: int = 4
    seats: tuple[str, ...] = COLOURS
    names: Mapping[str, str] = field(default_factory=dict)
    to_play: str | None = None
    camera: str = "picamera2"
    camera_source: str = ""
    table: Path | None = None
    dice: str = "tower"
    tower: str = "serial"
    tower_port: str = "auto"
    tower_cocked: str = "again"
    tray_camera: str = ""
    tray_px_mm: float = 4.3
    buttons: str = "gpio"
    display: str = "ssd1309"
    voice: str = "flite"
    volume: int = 100
    sound_card: str = ""
    clips: Path | None = None
    loudness: Loudness = Loudness.CALLS
    record: Path = Path("matches")
    page_port: int = 8080
    resumes: bool = True
    headless: bool = False
    switch_off: str = ""
    simulator: SimulatorConfig = field(default_factory=SimulatorConfig)


def simulated_config(
    *,
    seed: int,
    rules: str = "br4006",
    options: Sequence[str] = (),
    players: int = 4,
    speed: float | None = None,
    cheats: int | None = None,
    cover_lens: bool = False,
    headless: bool = False,
    dice: str = "tower",
    loudness: Loudness = Loudness.CALLS,
    page_port: int = 0,
) -> Config:
    """The configuration of the demo: the product, with a table that is simulated and nothing else changed.

    `rules` and `options` are as people type them; whether there are such rules is for the match to say.
    """
    name, changed = typed_rules(rules, options)
    # Under a covered lens nobody is told anything, so nobody would ever win: a few throws show it.
    simulator = SimulatorConfig(seed=seed, cover_lens=cover_lens, throws=COVERED_THROWS if cover_lens else 0)
    if speed is not None:
        if not speed > 0:
            raise ConfigError(f"--speed is {speed}; it is how many times faster than life, above 0")
        simulator = replace(simulator, speed=speed)
    if cheats is not None:
        if cheats < 0:
            raise ConfigError(f"--cheats is {cheats}; it is how many times the players cheat, 0 or more")
        simulator = replace(simulator, cheats=cheats)
    return Config(
        rules=name,
        options=changed,
        players=players,
        camera="simulated",
        dice=dice,
        tower="none" if dice == "camera" else "simulated",
        # The players of the simulated table take a die cocked by the tower as a fault.
        tower_cocked="fault",
        buttons="simulated",
        display="picture",
        voice="silent",
        loudness=loudness,
        headless=headless,
        page_port=page_port,
        # The same seed gives the same match, whatever was played before.
        resumes=False,
        simulator=simulator,
    )


def load_config(path: Path | None) -> Config:
    """The configuration in a TOML file, or the default one; ConfigError names the key that makes no sense."""
    if path is None:
        return Config()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; give the path of a configuration file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML ({error})") from None
    try:
        return _config(data)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _config(data: Mapping[str, Any]) -> Config:
    values = _checked(data, Config(), "")
    for device, known in BACKENDS.items():
        if values.get(device, known[0]) not in known:
            raise ConfigError(f"key '{device}' is {values[device]!r}; known are {', '.join(known)}")
    if "loudness" in values:
        values["loudness"] = _loudness(values["loudness"])
    if "simulator" in values:
        simulator = _checked(values["simulator"], SimulatorConfig(), "simulator.")
        values["simulator"] = SimulatorConfig(**simulator)
    for key in ("table", "record", "clips"):
        if key in values:
            values[key] = Path(values[key])
    if "seats" in values:
        values["seats"] = tuple(values["seats"])
    values.setdefault("dice", "camera" if values.get("tower") == "none" else "tower")
    config = Config(**values)
    if config.tower_cocked not in TOWER_COCKED:
        raise ConfigError(
            f"key 'tower_cocked' is {config.tower_cocked!r}; known are {', '.join(TOWER_COCKED)}"
        )
    _check_dice(config)
    for colour, name in config.names.items():
        if colour not in config.seats or not isinstance(name, str):
            raise ConfigError(f"key 'names.{colour}' is {name!r}; name the player of one of the seats")
    if config.camera != "simulated" and config.table is None:
        raise ConfigError("key 'table' is missing; name the profile that `uckers-table calibrate` wrote")
    return config


def _loudness(level: str) -> Loudness:
    try:
        return Loudness(level)
    except ValueError:
        raise ConfigError(f"key 'loudness' is {level!r}; known are {', '.join(Loudness)}") from None


def _check_dice(config: Config) -> None:
    """ConfigError where nothing could tell what the dice show."""
    if config.dice not in DICE_SOURCES:
        raise ConfigError(f"key 'dice' is {config.dice!r}; known are {', '.join(DICE_SOURCES)}")
    if config.dice in ("tower", "both") and config.tower == "none":
        raise ConfigError(
            f"key 'dice' is {config.dice!r}, but 'tower' is 'none'; name one, or let 'dice' be 'camera'"
        )
    if config.camera == "simulated" and (
        config.dice == "buttons" or (config.dice == "camera") != (config.tower == "none")
    ):
        raise ConfigError(
            "at the simulated table 'dice' is 'tower' or 'both', or it is 'camera' and 'tower' is 'none'"
        )


def _checked(data: Mapping[str, Any], default: Config | SimulatorConfig, prefix: str) -> dict[str, Any]:
    """The values of a table of the file, each of the type that its default has."""
    kinds: dict[str, tuple[type, ...]] = {}
    for known in fields(default):
        value = getattr(default, known.name)
        kinds[known.name] = {
            Path: (str,),
            type(None): (str,),
            tuple: (list,),
            float: (int, float),
            Loudness: (str,),
            SimulatorConfig: (dict,),
        }.get(type(value) if not isinstance(value, Path) else Path, (type(value),))
    for key, value in data.items():
        if key not in kinds:
            raise ConfigError(f"key '{prefix}{key}' is unknown; known are {', '.join(sorted(kinds))}")
        if not isinstance(value, kinds[key]) or (isinstance(value, bool) and bool not in kinds[key]):
            raise ConfigError(f"key '{prefix}{key}' is {value!r}, not a {kinds[key][0].__name__}")
    return dict(data)
