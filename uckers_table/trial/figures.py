"""The sums over many matches, and the table that is published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from uckers_table.trial.weighing import FATES, MatchAccount

REFUSED = "tables that could not be calibrated"


@dataclass(frozen=True)
class TrialFigures:
    """The sums over some matches."""

    matches: int
    plays: int
    misjudged: int
    false_accusations: int
    inexact: int
    cheats: Mapping[str, tuple[int, ...]]
    """By kind: called, asked, missed."""
    questions: int
    lost_throws: int
    ended_in_step: int
    refused: int
    """Tables whose pictures the reader refused: no match was played there."""
    ruling_s: tuple[float, float]
    """Median and longest, from stillness to the ruling of a legal play."""
    call_s: tuple[float, float]
    """… and to the accusation of a cheat."""
    accusation_words: tuple[int, int, int]
    """How many words are heard: the median, nine in ten have no more, the longest."""

    @classmethod
    def of(cls, accounts: Iterable[MatchAccount]) -> TrialFigures:
        """The sums of these matches."""
        all_of = list(accounts)
        kinds = sorted({kind for account in all_of for kind in account.cheats})
        none = (0,) * len(FATES)
        cheats = {
            kind: tuple(map(sum, zip(*(each.cheats.get(kind, none) for each in all_of), strict=True)))
            for kind in kinds
        }
        return cls(
            len(all_of),
            sum(each.plays for each in all_of),
            sum(each.misjudged for each in all_of),
            sum(each.false_accusations for each in all_of),
            sum(each.inexact for each in all_of),
            cheats,
            sum(each.questions for each in all_of),
            sum(each.lost_throws for each in all_of),
            sum(each.in_step for each in all_of),
            sum(each.refused for each in all_of),
            _spread([s for each in all_of for s in each.ruling_s]),
            _spread([s for each in all_of for s in each.call_s]),
            _lengths([words for each in all_of for words in each.accusation_words]),
        )

    def fates(self) -> tuple[int, ...]:
        """Called, asked and missed, of all kinds together."""
        return tuple(map(sum, zip(*self.cheats.values(), strict=True))) if self.cheats else (0,) * len(FATES)

    def to_json(self) -> dict[str, Any]:
        """The figures by the names that FORMATS gives them, and more."""
        return {
            "matches": self.matches,
            "plays": self.plays,
            "false_accusations": self.false_accusations,
            "cheats": {kind: list(fates) for kind, fates in self.cheats.items()},
            "questions": self.questions,
            "ended_in_step": self.ended_in_step,
            "ruling_s": _pair(self.ruling_s),
            "accusation_s": _pair(self.call_s),
            "accusation_words": dict(
                zip(("median", "nine_in_ten", "max"), self.accusation_words, strict=True)
            ),
            "misjudged": self.misjudged,
            "called_inexactly": self.inexact,
            "lost_throws": self.lost_throws,
            "refused": self.refused,
        }


def _spread(seconds: list[float]) -> tuple[float, float]:
    return (median(seconds), max(seconds)) if seconds else (0.0, 0.0)


def _lengths(words: list[int]) -> tuple[int, int, int]:
    ordered = sorted(words) or [0]
    at = [int(share * (len(ordered) - 1)) for share in (0.5, 0.9, 1.0)]
    return ordered[at[0]], ordered[at[1]], ordered[at[2]]


def _pair(spread: tuple[float, float]) -> dict[str, float]:
    return {"median": round(spread[0], 2), "max": round(spread[1], 2)}


def trial_table(columns: Mapping[str, TrialFigures]) -> str:
    """The figures side by side, in Markdown: a column for each name."""
    kinds = sorted({kind for figures in columns.values() for kind in figures.cheats})
    rows: dict[str, Callable[[TrialFigures], str]] = {
        "matches": lambda f: str(f.matches),
        REFUSED: lambda f: str(f.refused),
        "plays": lambda f: str(f.plays),
        "**false accusations**": lambda f: str(f.false_accusations),
        "plays misjudged": lambda f: str(f.misjudged),
        "throws lost": lambda f: str(f.lost_throws),
        "questions": lambda f: f"{f.questions}{_one_in(f.plays, f.questions)}",
        "matches that ended in step": lambda f: f"{f.ended_in_step} of {f.matches}",
        "from stillness to ruling, median and longest": lambda f: "{:.1f} s, {:.1f} s".format(*f.ruling_s),
        "from stillness to accusation": lambda f: "{:.1f} s, {:.1f} s".format(*f.call_s),
        "words of an accusation: median, nine in ten, longest": lambda f: "{}, {}, {}".format(
            *f.accusation_words
        ),
        "calls that named more or less than the cheat": lambda f: str(f.inexact),
        "**cheats called / asked about / missed**": lambda f: _fates(f.fates()),
    }
    if not any(figures.refused for figures in columns.values()):
        del rows[REFUSED]
    lines = [["", *columns], ["---"] * (len(columns) + 1)]
    lines += [[name, *map(row, columns.values())] for name, row in rows.items()]
    for kind in kinds:
        lines.append([kind.replace("_", " "), *(_fates(f.cheats.get(kind, ())) for f in columns.values())])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cases_table(cases: Mapping[str, TrialFigures]) -> str:
    """The figures that matter most, in Markdown: a row for each name."""
    head = ("", "matches", "plays", "**false accusations**", "called / asked about / missed")
    lines = [[*head, "questions", "plays misjudged", "in step"], ["---"] * (len(head) + 3)]
    for name, f in cases.items():
        counts = map(str, (f.matches, f.plays, f.false_accusations))
        rest = map(str, (f.questions, f.misjudged, f.ended_in_step))
        lines.append([name, *counts, _fates(f.fates()), *rest])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _one_in(plays: int, questions: int) -> str:
    return f" (one in {plays / questions:.0f} plays)" if questions else ""


def _fates(fates: Iterable[int]) -> str:
    return " / ".join(map(str, fates)) or "–"
