"""The lengths of written lines, as `python -m tools.lines` prints them."""

import random

from tools.lines import lines_of, main
from uckers_table.game.ruling import Kind


def test_lengths_are_printed_and_lines_to_read(capsys):
    assert main(["--matches", "2", "--rules", "couk", "masters_ludo", "--read", "3"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in out[-3:]] == ["passes", "plays", "wrong boards"]
    assert [line for line in out if line.startswith("couk, ")] != []
    assert out.index("couk, plays:") < out.index("masters_ludo, plays:")


def test_a_match_has_plays_passes_and_wrong_boards():
    lines = [*lines_of("couk", 4, random.Random(1))]
    assert {Kind.LEGAL, Kind.PASS, Kind.ILLEGAL, Kind.WON} <= {ruling.kind for ruling, _ in lines}
    assert all(line.endswith(".") for _, line in lines)
