"""The configuration file: every key has a type, and what makes no sense is named."""

import dataclasses
import io
import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.ids import begins
from uckers_table.announce.loudness import Loudness
from uckers_table.commands.config import print_config
from uckers_table.config import (
    BACKENDS,
    Config,
    SimulatorConfig,
    default_file,
    line_of,
    load_config,
    simulated_config,
)
from uckers_table.errors import ConfigError


def load(tmp_path, text):
    path = tmp_path / "table.toml"
    path.write_text(text)
    return load_config(path)


def test_what_a_file_says_replaces_the_defaults(tmp_path):
    config = load(
        tmp_path,
        """
        table = "mine.toml"
        camera = "webcam"
        seats = ["red", "blue", "yellow", "green"]
        to_play = "blue"
        options = { var_a = true }
        [simulator]
        seed = 7
        speed = 20
        """,
    )
    assert config == Config(
        table=Path("mine.toml"),
        camera="webcam",
        seats=("red", "blue", "yellow", "green"),
        to_play="blue",
        options={"var_a": True},
        simulator=SimulatorConfig(seed=7, speed=20),
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("table = ", "not TOML"),
        ("tabel = 'x'", ":1: key 'tabel' is unknown; did you mean 'table'?"),
        ("table = 5", "'table'"),
        ("table = 'x'\ncamera = 'eye'", "'eye'"),
        ("table = 'x'\nplayers = true", ":2: key 'players' is true, not a whole number"),
        ("table = 'x'\nvolume = 101", ":2: key 'volume' is 101; it goes from 0 to 100"),
        ("table = 'x'\n\nnames = { mauve = 'Jack' }", ":3: key 'names.mauve'"),
        ("table = 'x'\n[names]\nred = 5", ":3: key 'names.red'"),
        ("table = 'x'\ndice = 'both'\ntower = 'none'", ":2: key 'dice'"),
        ("table = 'x'\nloudness = 'loud'", "'loudness' is 'loud'; known are quiet, calls, chatty"),
        ("table = 'x'\nloudness = 5", "'loudness'"),
        ("table = 'x'\nmains_hz = 55", "'mains_hz' is 55; known are 50 and 60"),
        ("table = 'x'\n[simulator]\nspeed = 'fast'", ":3: key 'simulator.speed' is 'fast', not a number"),
        ("camera = 'webcam'\npage_port = 0", "'table' is missing"),
    ],
    ids=begins,
)
def test_what_makes_no_sense_is_named_with_its_file(tmp_path, text, named):
    with pytest.raises(ConfigError) as raised:
        load(tmp_path, text)
    assert "table.toml" in str(raised.value)
    assert named in str(raised.value)


@pytest.mark.parametrize("level", Loudness)
def test_how_much_is_said_can_be_chosen(tmp_path, level):
    assert load(tmp_path, f'table = "t.toml"\nloudness = "{level}"').loudness is level
    assert simulated_config(seed=1, loudness=level).loudness is level


def test_a_device_is_simulated_only_where_the_configuration_says_so():
    default = Config()
    assert "simulated" not in (default.camera, default.tower, default.buttons)
    simulated = simulated_config(seed=3, cheats=2, cover_lens=True)
    assert (simulated.camera, simulated.tower, simulated.buttons) == ("simulated",) * 3
    assert (simulated.simulator.seed, simulated.simulator.cheats) == (3, 2)
    assert simulated.simulator.throws > 0
    assert (simulated.rules, simulated.options, simulated.players) == ("br4006", {}, 4)


def test_the_demo_plays_the_rules_that_are_typed():
    config = simulated_config(seed=1, rules="couk+var_a", options=["suckback_attempts=2"], players=2)
    assert (config.rules, config.players) == ("couk", 2)
    assert config.options == {"var_a": True, "suckback_attempts": 2}


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ('table = "t.toml"', "tower"),
        ('table = "t.toml"\ntower = "none"', "camera"),
        ('table = "t.toml"\ndice = "both"', "both"),
        ('table = "t.toml"\ntower = "none"\ndice = "buttons"', "buttons"),
    ],
)
def test_the_dice_are_read_by_the_tower_or_where_there_is_none_by_the_camera(tmp_path, text, dice):
    assert load(tmp_path, text).dice == dice


@pytest.mark.parametrize(
    "text",
    [
        'table = "t.toml"\ndice = "dog"',
        'table = "t.toml"\ndice = "both"\ntower = "none"',
        'camera = "simulated"\ntower = "simulated"\ndice = "camera"',
    ],
)
def test_dice_that_nothing_could_read_are_refused(tmp_path, text):
    with pytest.raises(ConfigError, match="'dice'"):
        load(tmp_path, text)


# ---------------------------------------------------------------------- the file, and what is in force


def uncommented():
    """The commented file with every key in force."""
    lines = [re.sub(r"^# (?=\[|\w+ = )", "", line) for line in default_file().splitlines()]
    return tomllib.loads("\n".join(lines))


def test_the_commented_file_changes_nothing_and_has_every_key_as_it_is_when_left_out():
    assert tomllib.loads(default_file()) == {}
    given = uncommented()
    simulator = given.pop("simulator")
    assert simulator == dataclasses.asdict(SimulatorConfig())
    assert set(given) == {known.name for known in dataclasses.fields(Config)} - {"simulator"}
    usual = Config()
    # What has no value when it is left out has an example there.
    examples = {key for key in given if getattr(usual, key) is None}
    assert examples == {"to_play", "table", "clips", "tray_settings"}
    for key in set(given) - examples:
        value = getattr(usual, key)
        assert given[key] == (list(value) if isinstance(value, tuple) else type(given[key])(value))


def test_the_commented_file_names_every_backend():
    for known in BACKENDS.values():
        assert all(f'"{backend}"' in default_file() for backend in known)


def test_keys_are_found_in_their_lines():
    text = "rules = 'wafu'\n# rules = 'x'\noptions.var_a = true\n\n[simulator]\n  seed = 7\n"
    assert [line_of(text, key) for key in ("rules", "options.var_a", "simulator.seed", "seed", "dice")] == [
        *(1, 3, 6, None, None)
    ]


def test_what_is_in_force_is_shown_with_where_it_is_from(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text("table = 'x'\ntower = 'none'\n\n[simulator]\nseed = 7\n")
    out = io.StringIO()
    assert print_config(path, default=False, json_lines=True, out=out) == 0
    shown = {line["key"]: line for line in map(json.loads, out.getvalue().splitlines())}
    assert shown["tower"] == {"key": "tower", "value": '"none"', "origin": f"{path}:2"}
    assert shown["simulator.seed"] == {"key": "simulator.seed", "value": "7", "origin": f"{path}:5"}
    assert shown["dice"] == {
        "key": "dice", "value": '"camera"', "origin": "follows from the devices that there are"
    }  # fmt: skip
    assert shown["volume"]["origin"] == "default"
    assert len(shown) == len(dataclasses.fields(Config)) - 1 + len(dataclasses.fields(SimulatorConfig))
