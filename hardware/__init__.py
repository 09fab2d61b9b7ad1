"""What to build, drawn: every drawing, wiring diagram and printed part, made from the program's own numbers.

`python -m hardware` makes all files of this folder anew; nothing here is needed to run a table.
"""
