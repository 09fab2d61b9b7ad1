"""What the table consists of: the configuration file, and the simulated configuration that the demo runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from uckers_table.announce.loudness import Loudness
from uckers_table.errors import ConfigError
from uckers_table.foreign.documents import text_of, toml_from
from uckers_table.foreign.words import as_typed
from uckers_table.game.board import COLOURS
from uckers_table.game.typed_rules import typed_rules
from uckers_table.machine.files import is_there
from uckers_table.machine.journal import LEVELS
from uckers_table.referee.events import DICE_SOURCES

BACKENDS: Mapping[str, tuple[str, ...]] = {
    "camera": ("simulated", "picamera2", "webcam", "folder", "none"),
    "tower": ("simulated", "serial", "none"),
    "buttons": ("simulated", "gpio", "none"),
    "display": ("ssd1309", "ssd1306", "sh1106", "picture", "none"),
    "voice": ("awb", "flite", "espeak", "silent"),
}
"""The backends that each device can have; nothing is ever simulated unless the configuration says so."""
ABSENT = ("none", "silent")
"""Those of a device that is not there."""

TOWER_COCKED = ("again", "fault")
"""What a die is that the tower leaves tilted: thrown again and nobody's fault, or a fault as on the board."""

MAINS_HZ = (50, 60)

RANGES: Mapping[str, tuple[float, float]] = {
    "volume": (0, 100),
    "page_port": (0, 65535),
    "pictures_mb": (10, 10_000_000),
    "pictures_days": (0, 100_000),
    "tray_px_mm": (0.5, 50.0),
}
"""The least and the most of the numbers that have them."""

NAMES: Mapping[type, str] = {
    str: "a word in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list in brackets",
    dict: "a table",
}
"""What people call the types of TOML."""

MACHINE_FILE = Path("/etc/uckers-table.toml")
"""Where a machine that is a table has its configuration."""

SET_ON_PAGE = (
    *("camera", "camera_source", "mains_hz", "dice", "tower", "tower_cocked", "tray_camera", "tray_px_mm"),
    *("tray_settings", "buttons", "display", "voice", "volume", "sound_card", "sound_stays_open"),
)
"""The keys that the page sets. It keeps them in a file of the table's own, read over the configuration."""
OWN_FILE = "set-on-page.toml"
"""That file's name, beside the record."""

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


class MatchWanted(Protocol):
    """What is to be played, by whom, and who starts, as the configuration's keys of the same names."""

    @property
    def rules(self) -> str:
        """A rule set's name, or a file."""

    @property
    def options(self) -> Mapping[str, Any]:
        """What is played otherwise."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours, clockwise."""

    @property
    def names(self) -> Mapping[str, str]:
        """Players by colour."""

    @property
    def to_play(self) -> str | None:
        """The colour that starts; None to throw for it."""


@dataclass(frozen=True)
class Config:
    """One table, by the keys of its file: what each means stands there (`default_config.toml`)."""

    rules: str = "br4006"
    options: Mapping[str, Any] = field(default_factory=dict)
    players: int = 4
    seats: tuple[str, ...] = COLOURS
    names: Mapping[str, str] = field(default_factory=dict)
    to_play: str | None = None
    camera: str = "picamera2"
    camera_source: str = ""
    mains_hz: int = 50
    table: Path | None = None
    dice: str = "tower"
    tower: str = "serial"
    tower_port: str = "auto"
    tower_cocked: str = "again"
    tray_camera: str = ""
    tray_px_mm: float = 4.3
    tray_settings: Path | None = None
    buttons: str = "gpio"
    display: str = "ssd1309"
    voice: str = "awb"
    volume: int = 100
    sound_card: str = ""
    sound_stays_open: bool = False
    clips: Path | None = None
    loudness: Loudness = Loudness.CALLS
    record: Path = Path("matches")
    pictures_mb: int = 2000
    pictures_days: int = 0
    page_port: int = 8080
    resumes: bool = True
    headless: bool = False
    log: str = "warning"
    switch_off: str = ""
    simulator: SimulatorConfig = field(default_factory=SimulatorConfig)

    def with_match(self, wanted: MatchWanted) -> Config:
        """The same table, with another match to be played at it."""
        return replace(
            self,
            rules=wanted.rules,
            options=dict(wanted.options),
            players=wanted.players,
            seats=wanted.seats,
            names=dict(wanted.names),
            to_play=wanted.to_play,
        )


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
    least, most = RANGES["page_port"]
    if not least <= page_port <= most:
        raise ConfigError(f"--page is {page_port}; it is a port, {least} to {most}, 0 for no page")
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
    """The configuration in a TOML file, or the default one.

    ConfigError names the file, and the line and key of what makes no sense.
    """
    if path is None:
        return Config()
    text, data = _toml(path)
    return _where_it_stands(path, text, lambda: _config(data))


def with_own_settings(config: Config) -> tuple[Config, str]:
    """A configuration with what the page has set over it, and a line of why that does not count.

    The line is empty where all is well, and where the page has set nothing. A simulated table stays one.
    """
    if config.camera == "simulated":
        return config, ""
    path = config.record / OWN_FILE
    try:
        if not is_there(path):
            return config, ""
        text, data = _toml(path)
        return _where_it_stands(path, text, lambda: with_settings(config, data)), ""
    except ConfigError as error:
        return config, f"{error}; nothing that the page has set counts"
    except OSError as error:
        return config, f"{path}: {error.strerror}; nothing that the page has set counts"


def with_settings(config: Config, data: Mapping[str, Any]) -> Config:
    """A configuration with some of the keys of SET_ON_PAGE otherwise; ConfigError for what makes no sense."""
    for key in data:
        if key not in SET_ON_PAGE:
            raise ConfigError(f"key '{key}' is not set on the page; those are {', '.join(SET_ON_PAGE)}", key)
    return _consistent(replace(config, **_values_of(data)))


def _toml(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a file and what it says; ConfigError where that cannot be had."""
    try:
        text = text_of(path)
        return text, toml_from(text)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; give the path of a configuration file") from None
    except ValueError as error:
        raise ConfigError(f"{path}: not TOML ({error})") from None


def _where_it_stands(path: Path, text: str, read: Callable[[], Config]) -> Config:
    """What `read` makes of a file; a ConfigError of it names the file and its line."""
    try:
        return read()
    except ConfigError as error:
        line = line_of(text, error.key)
        where = f"{path}:{line}" if line is not None else f"{path}"
        raise ConfigError(f"{where}: {error}", error.key) from None


def found_config() -> Path | None:
    """The configuration file of this machine, where nobody names another; None where there is none."""
    return MACHINE_FILE if is_there(MACHINE_FILE) else None


def default_file() -> str:
    """The commented configuration to start from, in which everything is as it is when it is left out."""
    return (files("uckers_table") / "default_config.toml").read_text(encoding="utf-8")


def line_of(text: str, key: str) -> int | None:
    """The line (from 1) of a TOML file that gives a key, dotted where it is in a table; None for none.

    >>> line_of("rules = 'wafu'\\n[simulator]\\nseed = 7", "simulator.seed")
    3
    >>> line_of("options = { var_a = true }", "options.var_a")
    1
    """
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[+\s*([\w.]+)\s*\]", line):
            table = f"{header[1]}."
        elif given := re.match(r"\s*([\w.]+)\s*=", line):
            here = table + given[1]
            if here == key or (key.startswith(f"{here}.") and key.removeprefix(f"{here}.") in line):
                return number
    return None


def _config(data: Mapping[str, Any]) -> Config:
    values = _values_of(data)
    eyes = "buttons" if values.get("camera") == "none" else "camera"
    values.setdefault("dice", eyes if values.get("tower") == "none" else "tower")
    return _consistent(Config(**values))


def _values_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a file gives, each as the configuration has it; ConfigError for what none of them can be."""
    values = _checked(data, Config(), "")
    for device, known in BACKENDS.items():
        if values.get(device, known[0]) not in known:
            raise ConfigError(f"key '{device}' is {values[device]!r}; known are {', '.join(known)}", device)
    if "loudness" in values:
        values["loudness"] = _loudness(values["loudness"])
    if "simulator" in values:
        simulator = _checked(values["simulator"], SimulatorConfig(), "simulator.")
        values["simulator"] = SimulatorConfig(**simulator)
    for key in ("table", "record", "clips", "tray_settings"):
        if key in values:
            values[key] = Path(values[key])
    if "seats" in values:
        values["seats"] = tuple(values["seats"])
    return values


def _consistent(config: Config) -> Config:
    """The configuration, whose values all make sense, and go together. ConfigError otherwise."""
    if config.mains_hz not in MAINS_HZ:
        raise ConfigError(f"key 'mains_hz' is {config.mains_hz}; known are 50 and 60", "mains_hz")
    if config.tower_cocked not in TOWER_COCKED:
        raise ConfigError(
            f"key 'tower_cocked' is {config.tower_cocked!r}; known are {', '.join(TOWER_COCKED)}",
            "tower_cocked",
        )
    if config.log not in LEVELS:
        raise ConfigError(f"key 'log' is {config.log!r}; known are {', '.join(LEVELS)}", "log")
    for key, (least, most) in RANGES.items():
        if not least <= getattr(config, key) <= most:
            raise ConfigError(f"key '{key}' is {getattr(config, key)}; it goes from {least} to {most}", key)
    _check_dice(config)
    for colour, name in config.names.items():
        if colour not in config.seats or not isinstance(name, str):
            raise ConfigError(
                f"key 'names.{colour}' is {name!r}; name the player of one of the seats", f"names.{colour}"
            )
    if config.camera == "none" and not config.page_port:
        raise ConfigError(
            "key 'page_port' is 0, but 'camera' is 'none'; plays are then told on the page only", "page_port"
        )
    if config.camera not in ("simulated", "none") and config.table is None and not config.page_port:
        raise ConfigError("key 'table' is missing; name the profile that `uckers-table calibrate` wrote")
    return config


def _loudness(level: str) -> Loudness:
    try:
        return Loudness(level)
    except ValueError:
        raise ConfigError(
            f"key 'loudness' is {level!r}; known are {', '.join(Loudness)}", "loudness"
        ) from None


def _check_dice(config: Config) -> None:
    """ConfigError where nothing could tell what the dice show."""
    if config.dice not in DICE_SOURCES:
        raise ConfigError(f"key 'dice' is {config.dice!r}; known are {', '.join(DICE_SOURCES)}", "dice")
    if config.dice in ("tower", "both") and config.tower == "none":
        raise ConfigError(
            f"key 'dice' is {config.dice!r}, but 'tower' is 'none'; name one, or let 'dice' be 'camera'",
            "dice",
        )
    if config.dice in ("camera", "both") and config.camera == "none":
        raise ConfigError(
            f"key 'dice' is {config.dice!r}, but 'camera' is 'none'; let 'dice' be 'tower' or 'buttons'",
            "dice",
        )
    if config.camera == "simulated" and (
        config.dice == "buttons" or (config.dice == "camera") != (config.tower == "none")
    ):
        raise ConfigError(
            "at the simulated table 'dice' is 'tower' or 'both', or it is 'camera' and 'tower' is 'none'",
            "dice",
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
            near = get_close_matches(key, kinds, 1)
            meant = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(sorted(kinds))}"
            raise ConfigError(f"key '{prefix}{key}' is unknown; {meant}", prefix + key)
        if not isinstance(value, kinds[key]) or (isinstance(value, bool) and bool not in kinds[key]):
            raise ConfigError(
                f"key '{prefix}{key}' is {as_typed(value)}, not {NAMES[kinds[key][-1]]}", prefix + key
            )
    return dict(data)
