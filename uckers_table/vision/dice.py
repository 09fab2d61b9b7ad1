"""Dice on and beside the board. (Being written by another engineer right now, together with live.py and
the speed of Reader.read: keep to pieces, stacks, strays, hands and calibration. `find_dice` will be called
from Reader.read at the end.)"""
