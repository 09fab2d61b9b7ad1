"""Dice told by the buttons: what each press leads to."""

import pytest

from uckers_table.devices.pins import BUTTONS, DICE_BUTTON, NUMBERED
from uckers_table.machine.messages import Message
from uckers_table.table.dice_by_hand import COCKED, DiceByHand

ONE, TWO, THREE, FOUR, FIVE, SIX = NUMBERED


def pressed(*buttons, dice=2):
    """What is complete after each press."""
    by_hand, completed = DiceByHand(), []
    for button in buttons:
        by_hand, complete = by_hand.pressed(button, dice)
        completed.append(complete)
    return completed


@pytest.mark.parametrize(
    ("buttons", "completed"),
    [
        ((DICE_BUTTON, SIX, THREE), [None, None, (6, 3)]),
        ((DICE_BUTTON, FIVE, FIVE), [None, None, (5, 5)]),
        ((DICE_BUTTON, DICE_BUTTON), [None, COCKED]),
        # Wrong: once more from the beginning.
        ((DICE_BUTTON, SIX, DICE_BUTTON, ONE, TWO), [None, None, None, None, (1, 2)]),
        # After a throw, and before one, the buttons are themselves again.
        ((DICE_BUTTON, SIX, THREE, FOUR), [None, None, (6, 3), None]),
        ((SIX, THREE), [None, None]),
        ((DICE_BUTTON, DICE_BUTTON, SIX), [None, COCKED, None]),
    ],
)
def test_what_the_presses_tell(buttons, completed):
    assert pressed(*buttons) == completed


def test_a_throw_of_one_die_takes_one_number():
    assert pressed(DICE_BUTTON, FOUR, dice=1) == [None, (4,)]


def test_the_lamps_and_the_page_show_what_is_asked():
    nothing = DiceByHand()
    assert (nothing.lamps, nothing.page()) == (frozenset(), None)
    asked, _ = nothing.pressed(DICE_BUTTON, 2)
    assert asked.lamps == frozenset(BUTTONS)
    assert asked.page() == Message(
        "WHAT DICE?", "Press each die's number. If they were cocked, press dice again."
    )
    half, _ = asked.pressed(SIX, 2)
    assert half.page() == Message("WHAT DICE?", "6 and? Wrong: press dice again.")
