"""Pieces and stacks: tops, shadows, heights, who stands where, and what is none of the game's."""
