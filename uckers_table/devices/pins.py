"""Which pin does what: the one place that wiring, documents and programs read.

Numbers are the Raspberry Pi's GPIO (Broadcom) numbers. The file stays in the part of Python that
MicroPython shares.
"""

BUTTONS = {
    "done": 5,
    "undo": 6,
    "accept": 7,
    "challenge": 8,
    "suckback": 16,
    "timber_shifting": 17,
    "cocked_dropped": 26,
}
"""A button closes its pin to ground. The four used most are on pins that the Pi pulls up while it starts."""

NUMBERED = ("done", "undo", "accept", "challenge", "suckback", "timber_shifting")
"""While a number is asked these mean 1 to 6, in this order."""

DICE_BUTTON = "cocked_dropped"
"""Dice that do not count; and, where neither tower nor camera reads them, what they show."""

SWITCHES_OFF = "undo"
"""Held for three seconds, this button switches the table off in good order."""

READMITS = "cocked_dropped"
"""Held for three seconds, this button has the PIN said, and every phone may try it again."""

HELD = (SWITCHES_OFF, READMITS)
"""The buttons that mean something else when they are held; so they count as pressed when they come up."""

LAMPS = {
    "done": 9,
    "undo": 10,
    "accept": 11,
    "challenge": 12,
    "suckback": 13,
    "timber_shifting": 24,
    "cocked_dropped": 25,
}
"""A lamp lights when its pin is high, through a ULN2803A. These pins are pulled down at start: dark."""

DISPLAY = {"SDA": 2, "SCL": 3}
"""The display's I²C lead, bus 1; on a Pi 4 the clock chip is on it too."""

KEPT = {
    4: "sound board, mute",
    14: "console",
    15: "console",
    18: "sound board",
    19: "sound board",
    20: "sound board",
    21: "sound board",
    22: "power failing, from a UPS",
    23: "relay of the board's light",
    27: "spare",
}
"""Pins that nothing here uses and that are kept for what may be added."""
