"""Whatever reaches over the board."""
