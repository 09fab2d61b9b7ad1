"""A match is chosen with the button box and the display alone."""

import pytest

from uckers_table.announce.loudness import Loudness
from uckers_table.announce.oled import draw, letters
from uckers_table.config import Config
from uckers_table.devices.pins import BUTTONS
from uckers_table.game.board import COLOURS
from uckers_table.game.rules import known_rules
from uckers_table.game.setting import SIX_COLOURS, load_setting
from uckers_table.machine.messages import Message
from uckers_table.table.lobby import Lobby

IDLE = Lobby(Config())


def press(lobby, *buttons):
    for button in buttons:
        lobby = lobby.pressed(button)
    return lobby


def further(times):
    return ["accept"] * times


def test_nothing_is_asked_until_somebody_wants_to_choose():
    assert (IDLE.page(), IDLE.lamps) == (None, {"done", "accept"})
    assert press(IDLE, "challenge", "suckback", "undo", "timber_shifting") == IDLE


def test_rules_players_start_and_loudness_are_chosen_one_after_the_other():
    lobby = press(IDLE, "accept")
    assert lobby.page().title == "RULES"
    assert lobby.page().sentence.startswith("br4006: ")
    lobby = press(lobby, "challenge")
    assert lobby.config.rules == "couk"
    lobby = press(lobby, *further(3), "challenge")
    assert (lobby.page(), lobby.config.options) == (Message("VARIATION C", "on"), {"var_c": True})
    lobby = press(lobby, *further(5), "challenge")
    assert (lobby.page().title, lobby.config.players) == ("PLAYERS", 2)
    lobby = press(lobby, "accept", "challenge", "challenge")
    assert (lobby.page(), lobby.config.to_play) == (Message("WHO STARTS", "green"), "green")
    lobby = press(lobby, "accept", "suckback")
    assert (lobby.page().title, lobby.config.loudness) == ("SAY", Loudness.QUIET)
    assert press(lobby, "accept").page().title == "RULES"


def test_one_button_goes_on_and_one_goes_back_and_round():
    lobby = press(IDLE, "accept")
    seen = []
    for _ in known_rules():
        seen.append(lobby.config.rules)
        lobby = lobby.pressed("challenge")
    assert sorted(seen) == sorted(known_rules())
    assert lobby.config.rules == seen[0]
    assert press(lobby, "suckback").config.rules == seen[-1]


def test_other_rules_forget_what_was_changed_in_those_before():
    lobby = press(IDLE, *further(2), "challenge")
    assert lobby.config.options == {"var_a": True}
    lobby = press(lobby, "challenge")
    assert lobby.config.options == {}
    lobby = press(IDLE, *further(2), "challenge", *further(10), "challenge")
    assert (lobby.page().title, lobby.config.options) == ("RULES", {})


def test_undo_leaves_all_as_it_was():
    own = Lobby(Config(rules="ours.toml", options={"suckback": True}))
    chosen = press(own, "accept", "challenge", *further(8), "challenge")
    assert chosen.config != own.config
    assert press(chosen, "undo") == own


def test_a_messs_own_rules_are_shown_as_they_are_called():
    lobby = press(Lobby(Config(rules="ours.toml")), "accept")
    assert lobby.page() == Message("RULES", "ours.toml")
    assert press(lobby, "challenge").config.rules == known_rules()[0]


@pytest.mark.parametrize("presses", range(12))
def test_every_page_fits_the_display_and_every_lamp_is_a_button(presses):
    lobby = press(IDLE, *further(presses + 1))
    for _ in range(12):
        lobby = lobby.pressed("challenge")
        assert "..." not in " ".join(text for text, _ in letters(lobby.page()))
        draw(lobby.page())
        assert lobby.lamps <= set(BUTTONS)
        load_setting(lobby.config.rules, lobby.config.options, seats=COLOURS, players=lobby.config.players)


def test_a_board_of_six_arms_stays_one_and_takes_six_players():
    config = Config(camera="none", seats=SIX_COLOURS, players=6, options={"arm_length": 4, "var_a": True})
    lobby = press(Lobby(config), "accept", "challenge")
    assert lobby.config.rules != config.rules
    assert lobby.config.options == {"arm_length": 4}
    while lobby.page().title != "PLAYERS":
        lobby = press(lobby, "accept")
    assert press(lobby, "challenge").config.players == 6
    assert press(lobby, "challenge").page().sentence == "6, one a colour."
