"""The whole table for days on end at a simulated mess, to see whether anything of it grows."""
