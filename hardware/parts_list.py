"""The bill of materials: `parts.csv` is the source, `parts.md` the page made from it."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

PARTS_CSV = Path(__file__).parent / "parts.csv"


@dataclass(frozen=True)
class Line:
    """One part: `gbp` is as written ("60", "4 each", "with the print", ""), `price_gbp` what it adds."""

    group: str
    part: str
    quantity: int
    look_for: str
    instead: str
    gbp: str

    @property
    def price_gbp(self) -> int:
        """The price of all of them in pounds; 0 where it is in another line's or not known."""
        number, _, each = self.gbp.partition(" ")
        return int(number) * (self.quantity if each == "each" else 1) if number.isdigit() else 0


def read_parts(path: Path = PARTS_CSV) -> tuple[Line, ...]:
    """The list, in order."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Line(row["group"], row["part"], int(row["quantity"]), row["look for"], row["instead"], row["gbp"])
            for row in csv.DictReader(file)
        )


def parts_page(parts: Iterable[Line]) -> str:
    """The list as a page, group by group."""
    parts = tuple(parts)
    out = [
        "# Bill of materials",
        "",
        "Made by `python -m hardware` from [parts.csv](parts.csv): change that, not this page. Prices are",
        "rough retail figures that nobody has checked; together about "
        f"£{sum(line.price_gbp for line in parts)}. Where a price is in",
        "another line's, it says which.",
    ]
    for group, lines in groupby(parts, key=lambda line: line.group):
        some = tuple(lines)
        price = sum(line.price_gbp for line in some)
        out += [
            "",
            f"## {group}: about £{price}" if price else f"## {group}",
            "",
            "| | Part | Look for | Instead | £ |",
            "|---|---|---|---|---|",
            *(f"| {x.quantity} | {x.part} | {x.look_for} | {x.instead} | {x.gbp} |" for x in some),
        ]
    return "\n".join(out) + "\n"
