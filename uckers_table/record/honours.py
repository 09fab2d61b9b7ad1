"""The back of the board: whose names stand there, for what, by whom and when, and the beer that is owed.

`honours_of` takes it out of the matches that were kept, `as_svg` draws it to be looked at or printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from uckers_table.game.finish import EIGHT_PIECER, IN_HARBOUR
from uckers_table.record.match_record import MatchRecord
from uckers_table.record.people import person_of, spellings

UPBOARD = "upboard"
WORDS = {IN_HARBOUR: "eight-pieced in harbour", EIGHT_PIECER: "eight-pieced", UPBOARD: "upboarded"}


@dataclass(frozen=True)
class Honour:
    """Names that went on the back of the board: `losers` for `what`, by the `winners`.

    Who was named is named, others are their colour. `date` is None where it is not known: `match` says which
    came first. `crates` are owed by the losers, one after the other.
    """

    match: int
    date: str | None
    what: str
    losers: tuple[str, ...]
    winners: tuple[str, ...]
    crates: int = 0

    @property
    def words(self) -> str:
        """What it was, as it stands on the board."""
        return WORDS.get(self.what, self.what.replace("_", " "))

    @property
    def told(self) -> str:
        """As it stands on the board after the losers' names. It is they who upboarded."""
        return f"{self.words}{', against' if self.what == UPBOARD else ' by'} {' and '.join(self.winners)}"


def honours_of(matches: Iterable[MatchRecord]) -> tuple[Honour, ...]:
    """The back of the board, in the order of the matches."""
    return tuple(honour for match in matches if (honour := _honour(match)) is not None)


def _honour(match: MatchRecord) -> Honour | None:
    summary, on_reverse = match.summary, match.on_reverse
    if not on_reverse:
        return None
    # An upboard counts as eight-pieced, but it is remembered for what it was.
    what = UPBOARD if match.upboard else IN_HARBOUR if IN_HARBOUR in summary.honours else EIGHT_PIECER
    fine = summary.terms.values.get("beer_fine", "off")
    losers = _people(match, on_reverse)
    crates = fine * len(losers) if type(fine) is int else 0
    return Honour(
        summary.number,
        (summary.begun or "")[:10] or None,
        what,
        losers,
        _people(match, summary.winner or ()),
        crates,
    )


def _people(match: MatchRecord, colours: Sequence[str]) -> tuple[str, ...]:
    """Who sat there, each once: with two players one sits at two colours."""
    names = match.summary.terms.names
    people = [names.get(colour) or colour.capitalize() for colour in colours]
    # Of several ways to write a name, the first.
    return tuple({person_of(each): each for each in reversed(people)}.values())[::-1]


def beer_owed(honours: Iterable[Honour]) -> dict[str, int]:
    """The crates that each of them owes, most first; a name counts for one person, however it is written."""
    kept = [*honours]
    names = spellings(loser for honour in kept for loser in honour.losers)
    owed = Counter[str]()
    for honour in kept:
        for loser in honour.losers:
            owed[names.get(person_of(loser), loser)] += honour.crates // len(honour.losers)
    return {who: crates for who, crates in owed.most_common() if crates}


WIDTH, MARGIN, TOP, LINE = 800, 56, 140, 54
"""In units of the drawing; a line is an honour."""
LONGEST_NAMES = 34
"""Letters of names that fit into their column."""
LONGEST_TOLD = LONGEST_NAMES + len(f"{WORDS[IN_HARBOUR]} by ")
"""Letters of what is told of them, in smaller letters."""


def as_svg(honours: Sequence[Honour]) -> str:
    """The back of the board as a drawing, which is also fit to be printed. Names are only text in it."""
    owed = beer_owed(honours)
    height = max(TOP + LINE * (max(1, len(honours)) + 2) + (LINE if owed else 0), 566)
    rows = [_row(honour, TOP + LINE * (k + 1)) for k, honour in enumerate(honours)]
    if not rows:
        rows = [_text(WIDTH / 2, TOP + LINE, "Nobody yet.", "name", anchor="middle")]
    beer = ", ".join(f"{who} {crates}" for who, crates in owed.items())
    foot = f"Crates of beer owed: {beer}" if owed else ""
    drawn = "\n".join(rows)
    svg = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
    frame = f'x="16" y="16" width="{WIDTH - 32}" height="{height - 32}"'
    return f"""<svg {svg} role="img" font-family="serif">
<title>The back of the board</title>
<rect width="{WIDTH}" height="{height}" fill="#e8d3a4"/>
<g stroke="#d9bd84" stroke-width="2">
{_grain(height)}
</g>
<rect {frame} fill="none" stroke="#3b2a18" stroke-width="3"/>
<g fill="#3b2a18">
{_text(WIDTH / 2, 78, "THE BACK OF THE BOARD", "head", anchor="middle")}
{_text(WIDTH / 2, 112, "May they never be forgotten", "small", anchor="middle")}
{drawn}
{_text(MARGIN, height - 44, foot, "small")}
</g>
</svg>
"""


_SIZES = {"head": 36, "name": 22, "small": 17}


def _row(honour: Honour, y: float) -> str:
    losers = _cut(" and ".join(honour.losers), LONGEST_NAMES)
    when = honour.date or f"match {honour.match}"
    return "\n".join(
        (
            _text(MARGIN, y, losers, "name"),
            _text(MARGIN, y + 18, _cut(honour.told, LONGEST_TOLD), "small"),
            _text(WIDTH - MARGIN, y, when, "small", anchor="end"),
        )
    )


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _grain(height: float) -> str:
    return "\n".join(
        f'<path d="M0 {y} q {WIDTH / 4} {9 - y % 18} {WIDTH / 2} 0 t {WIDTH / 2} 0" fill="none"/>'
        for y in range(30, int(height), 37)
    )


def _text(x: float, y: float, text: str, size: str, *, anchor: str = "start") -> str:
    if not text:
        return ""
    place = f'x="{x:g}" y="{y:g}" font-size="{_SIZES[size]}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(text, quote=False)}</text>"
