"""A table that is not there: it renders frames, throws dice, plays and cheats."""
