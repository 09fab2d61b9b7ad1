"""A simulated table: it renders frames, throws dice, plays and cheats."""
