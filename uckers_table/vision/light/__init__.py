"""The light on the board: how it has changed, what the varnish mirrors, and what each square shows in it."""
