"""Pieces and stacks: tops, shadows, heights, who stands where, and what does not belong to the game."""
