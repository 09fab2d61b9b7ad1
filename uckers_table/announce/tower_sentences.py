"""What is said of dice in the tower that are no throw, and of its lamp and reader."""

TOWER_SENTENCES = {
    "jam": "A die is stuck in the tower. No throw.",
    "lift": "Lift the dice out first. No throw.",
    "crowd": "Too much in the tray. Lift the dice and throw again.",
    "hand": "Hands off until the dice are read. Throw again.",
    "handled": "A die in the tower was turned. The throw stays as it was read.",
    "cocked": "Cocked in the tower. Throw again.",
    "dark": "The lamp of the tower has failed.",
    "lit": "The lamp of the tower is back.",
    "blind": "The tower can not see the dice. Throw again.",
    "sees": "The tower sees the dice again.",
}
"""By why there is no throw. None of it is anybody's fault."""
