"""Dice on the board, beside it, in the tower's tray, and in any picture."""
