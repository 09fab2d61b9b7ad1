"""A second referee, which weighs a few histories. The table does not run on it yet."""
