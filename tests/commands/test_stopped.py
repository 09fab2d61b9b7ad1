"""What people see when the referee has failed."""

from types import SimpleNamespace

import pytest

from uckers_table.announce.oled import draw
from uckers_table.commands import stopped
from uckers_table.commands.stopped import NOT_STARTED, STOPPED, show_stopped
from uckers_table.machine.messages import Message
from uckers_table.machine.starts import MOST_FAILED, Starts


@pytest.fixture
def shown(monkeypatch):
    """(chip, picture, whether it stays) of what was shown on displays that are closed again."""
    shown = []

    def openers(config, profile, clock, listener):
        display = SimpleNamespace(closed=False)

        def close():
            display.closed = True

        display.show = lambda picture, *, stays: shown.append((config.display, picture.tobytes(), stays))
        display.close = close
        return SimpleNamespace(display=lambda: display)

    monkeypatch.setattr(stopped, "openers", openers)
    return shown


@pytest.mark.parametrize("environment", [{}, {"SERVICE_RESULT": "watchdog"}, {"SERVICE_RESULT": "exit-code"}])
def test_a_referee_that_failed_is_said_to_come_back(tmp_path, shown, environment):
    path = tmp_path / "table.toml"
    path.write_text('display = "sh1106"\n')
    assert show_stopped(path, environment) == 0
    assert shown == [("sh1106", draw(STOPPED).tobytes(), True)]


def test_the_next_start_hears_of_a_loop_that_hung(tmp_path, shown):
    path = tmp_path / "table.toml"
    path.write_text(f'record = "{tmp_path / "record"}"\n')
    for _ in range(MOST_FAILED):
        Starts([tmp_path / "record"], ["match"]).run(["match"])
        show_stopped(path, {"SERVICE_RESULT": "watchdog"})
    assert Starts([tmp_path / "record"], ["match"]).left_out == {"match"}


def test_one_that_ended_in_good_order_has_said_what_there_was_to_say(tmp_path, shown):
    assert show_stopped(tmp_path / "table.toml", {"SERVICE_RESULT": "success"}) == 0
    assert shown == []


def test_a_configuration_that_cannot_be_used_is_named_with_its_line(tmp_path, shown):
    path = tmp_path / "table.toml"
    path.write_text('players = 4\ntabel = "x"\n')
    assert show_stopped(path, {"SERVICE_RESULT": "exit-code"}) == 0
    said = Message(NOT_STARTED, "table.toml:2: key 'tabel' is unknown; did you mean 'table'?")
    assert shown == [("ssd1309", draw(said).tobytes(), True)]


def test_rules_that_cannot_be_played_are_named_too(tmp_path, shown):
    path = tmp_path / "table.toml"
    path.write_text("players = 3\n")
    assert show_stopped(path, {"SERVICE_RESULT": "exit-code"}) == 0
    said = Message(
        NOT_STARTED, "table.toml: 3 players cannot sit at 4 seats: 'players' is 2 or 4 (ruling A06)"
    )
    assert shown == [("ssd1309", draw(said).tobytes(), True)]
