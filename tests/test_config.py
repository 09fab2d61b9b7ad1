"""The configuration file: every key has a type, and what makes no sense is named."""

from pathlib import Path

import pytest

from uckers_table.announce.loudness import Loudness
from uckers_table.config import Config, SimulatorConfig, load_config, simulated_config
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
        ("tabel = 'x'", "'tabel'"),
        ("table = 5", "'table'"),
        ("table = 'x'\ncamera = 'eye'", "'eye'"),
        ("table = 'x'\nplayers = true", "'players'"),
        ("table = 'x'\nloudness = 'loud'", "'loudness' is 'loud'; known are quiet, calls, chatty"),
        ("table = 'x'\nloudness = 5", "'loudness'"),
        ("table = 'x'\n[simulator]\nspeed = 'fast'", "'simulator.speed'"),
        ("camera = 'webcam'", "'table' is missing"),
    ],
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
