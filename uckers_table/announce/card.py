"""A rule set as a card for the underside of the board: one HTML page that needs nothing else, for printing.

Two columns on A4; a printer that scales to A3 or to the size of the board makes the lettering larger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from uckers_table.announce.rules_in_words import Difference, Edition, RuleLine, rule_warnings
from uckers_table.announce.rules_pages import legend
from uckers_table.announce.words import capital

_STYLE = """
@page { size: A4 portrait; margin: 9mm 10mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 6mm; max-width: 210mm; color: #111; background: #fff;
       font: 7.6pt/1.22 "Gill Sans", "Gill Sans MT", Carlito, Calibri, "Liberation Sans", sans-serif; }
header { border-bottom: 0.6mm solid #111; padding-bottom: 1.2mm; margin-bottom: 1.8mm; }
h1 { font-size: 17pt; line-height: 1; margin: 0; overflow-wrap: anywhere; }
header p { margin: 0.8mm 0 0; font-size: 8.4pt; }
main { columns: 2; column-gap: 6mm; }
h2 { font-size: 9pt; margin: 0 0 0.7mm; padding: 0.5mm 1.2mm; color: #fff; background: #14213d;
     break-after: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
section { margin-bottom: 1.8mm; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: flex; justify-content: space-between; gap: 2mm; padding: 0.25mm 0; break-inside: avoid;
     border-bottom: 0.1mm solid #ccc; }
li:last-child { border-bottom: 0; }
small { font-size: 6.6pt; color: #555; }
cite { flex: none; width: 21mm; text-align: right; font-style: normal; font-size: 6pt; color: #555; }
footer { border-top: 0.3mm solid #111; margin-top: 1.5mm; padding-top: 0.8mm; font-size: 6.4pt; color: #333; }
@media print { body { padding: 0; max-width: none; } }
"""


def card(edition: Edition, lines: Sequence[RuleLine]) -> str:
    """The page as HTML."""
    sections = "".join(
        _section(name, map(_whole, group)) for name, group in groupby(lines, lambda line: line.section)
    )
    known_by = f"<p>{escape(edition.known_by)}</p>\n" if edition.known_by else ""
    return _page(edition, known_by, sections, legend(line.source for line in lines))


def differences_card(left: Edition, right: Edition, found: Sequence[Difference]) -> str:
    """The right set as a page that says only what is different from the left one."""
    sections = "".join(
        _section(name, (_differing(left, each) for each in group))
        for name, group in groupby(unwarned(found), lambda difference: difference.section)
    )
    told = f"What is different from {left.name}" if found else f"Played as {left.name}, in every rule"
    return _page(right, f"<p>{escape(told)}</p>\n", sections, f"Small: {left.name}.")


def unwarned(found: Iterable[Difference]) -> Iterator[Difference]:
    """What differs without the warnings: these stand above all rules."""
    return (
        each for each in found if not any(line is not None and line.warns for line in (each.left, each.right))
    )


def in_its_place(line: RuleLine | None) -> str:
    """What a set says where another has a rule; that it has none, where it has none."""
    return line.text if line is not None else "no such rule."


def _page(edition: Edition, told: str, sections: str, foot: str) -> str:
    game = "Ludo" if edition.rules.dice_per_throw == 1 else "Uckers"
    minded = "".join(
        f"<p><strong>Mind: {escape(each)}</strong></p>\n" for each in rule_warnings(edition.rules)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{game}: {escape(edition.name)}</title>
<style>{_STYLE}</style>
</head>
<body>
<header>
<h1>{game}: {escape(edition.name)}</h1>
<p>{escape(edition.source)}</p>
{told}{minded}</header>
<main>
{sections}</main>
<footer>{escape(foot)}</footer>
</body>
</html>
"""


def _section(name: str, items: Iterable[str]) -> str:
    return f"<section>\n<h2>{escape(name)}</h2>\n<ul>\n{''.join(items)}</ul>\n</section>\n"


def _whole(line: RuleLine) -> str:
    return f"<li><span>{escape(line.text)}</span><cite>{escape(line.source)}</cite></li>\n"


def _differing(left: Edition, each: Difference) -> str:
    ours, theirs = (escape(in_its_place(line)) for line in (each.right, each.left))
    return f"<li><span>{capital(ours)}<br><small>{escape(left.name)}: {theirs}</small></span></li>\n"
