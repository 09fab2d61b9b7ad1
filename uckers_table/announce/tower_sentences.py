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
"""What is read, by why there is no throw. None of it is anybody's fault."""
TOWER_ALOUD = {
    "jam": "A die is stuck.",
    "lift": "Lift the dice out first.",
    "crowd": "Too much in the tray. Throw again.",
    "hand": "Hands off. Throw again.",
    "handled": "Dice as they lie, please.",
    "cocked": "Cocked. Throw again.",
    "dark": "Lamp lost.",
    "lit": "Lamp back.",
    "blind": "I can't read the dice. Throw again.",
    "sees": "Tower back.",
}
"""What is heard of the same."""
