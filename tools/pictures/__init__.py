"""The pictures in README, docs and page, each made from the program as it is: `make pictures`.

A picture keeps a mark of what it was made from: the words that the program shows there, or the drawing.
Another machine's fonts change a picture and not its mark. `tests/tools/test_pictures.py` makes the words
again and says which picture is old. docs/endurance.png comes from an hour of `make soak`, and is left out.
"""
