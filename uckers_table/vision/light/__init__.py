"""The light on the board, and what each square of it shows in that light."""
