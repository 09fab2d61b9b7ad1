"""Runs the whole table for simulated days at a simulated mess, and tells whether anything of it grows."""
