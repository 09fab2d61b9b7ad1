"""A rule set as a card for the underside of the board: one HTML page that needs nothing else, for printing.

Two columns on A4; a printer that scales to A3 or to the size of the board makes the lettering larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from uckers_table.announce.rules_in_words import Edition, RuleLine, rule_warnings
from uckers_table.announce.rules_pages import legend

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
cite { flex: none; width: 21mm; text-align: right; font-style: normal; font-size: 6pt; color: #555; }
footer { border-top: 0.3mm solid #111; margin-top: 1.5mm; padding-top: 0.8mm; font-size: 6.4pt; color: #333; }
@media print { body { padding: 0; max-width: none; } }
"""


def card(edition: Edition, lines: Sequence[RuleLine]) -> str:
    """The page as HTML."""
    sections = "".join(
        _section(name, tuple(group)) for name, group in groupby(lines, lambda line: line.section)
    )
    game = "Ludo" if edition.rules.dice_per_throw == 1 else "Uckers"
    known_by = f"<p>{escape(edition.known_by)}</p>\n" if edition.known_by else ""
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
{known_by}{minded}</header>
<main>
{sections}</main>
<footer>{escape(legend(line.source for line in lines))}</footer>
</body>
</html>
"""


def _section(name: str, lines: Sequence[RuleLine]) -> str:
    items = "".join(
        f"<li><span>{escape(line.text)}</span><cite>{escape(line.source)}</cite></li>\n" for line in lines
    )
    return f"<section>\n<h2>{escape(name)}</h2>\n<ul>\n{items}</ul>\n</section>\n"
