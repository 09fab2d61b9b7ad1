"""How sure the reader may say it is: lines through its odds that fit how often it was right.

Each line is fitted as J. Platt did (Probabilistic outputs for support vector machines, 1999): with targets a
little inside 0 and 1, so that few boards make nobody sure. All looks at one board weigh as much as one board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tools.reader.figures import Figures, is_board_right
from tools.reader.measure import Line

AT_LEAST = (-2.0, 0.0, 0.4, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0)
"""From which odds (nats) on each bin of the table counts, up to the next."""
_MOST = 12.0
"""Odds (nats) that count as no more than these: lines keep six digits of a confidence."""
AS_RECKONED = {"board": {"offset": 0.0, "slope": 1.0}, "alternative": {"offset": 0.0, "slope": 1.0}}
"""What a reader says that sets nothing right."""


def sureness_of(looks: Sequence[Line], said_by: Mapping[str, Mapping[str, float]]) -> Figures:
    """`sureness.toml` by these looks, whose reader set its odds right by `said_by`."""
    weight = Counter((look["table"], look["board"]) for look in looks)
    boards, alternatives = list[tuple[float, bool, float]](), list[tuple[float, bool, float]]()
    for look in looks:
        share = 1 / weight[look["table"], look["board"]]
        confidence = float(np.clip(look["confidence"], 1e-6, 1 - 1e-6))
        odds = _reckoned(float(np.log(confidence / (1 - confidence))), said_by["board"])
        boards.append((odds, is_board_right(look), share))
        for cost, is_true, _ in look["alternatives"]:
            alternatives.append((_reckoned(cost, said_by["alternative"]), not is_true, share))
    return {"board": _fitted(boards), "alternative": _fitted(alternatives)}


def _reckoned(nats: float, line: Mapping[str, float]) -> float:
    return min(_MOST, (nats - line["offset"]) / line["slope"])


def _fitted(seen: Sequence[tuple[float, bool, float]]) -> Figures:
    """The line through rows of odds (nats), whether what was claimed was right, and a weight. Without rows
    odds stay as they are reckoned.
    """
    odds, right, weight = np.array(seen, dtype=float).reshape(-1, 3).T
    offset, slope = _line(odds, right, weight)
    bins = np.maximum(0, np.searchsorted(AT_LEAST, odds, side="right") - 1)
    return {
        "offset": round(offset, 3),
        "slope": round(slope, 3),
        "at_least": list(AT_LEAST),
        "said": np.bincount(bins, minlength=len(AT_LEAST)).tolist(),
        "right": np.bincount(bins, right, len(AT_LEAST)).astype(int).tolist(),
    }


def _line(odds: Any, right: Any, weight: Any) -> tuple[float, float]:
    """Offset and slope that make the targets likeliest, by Newton's method."""
    good, bad = (weight * right).sum(), (weight * (1 - right)).sum()
    target = np.where(right > 0, (good + 1) / (good + 2), 1 / (bad + 2))
    known = np.stack([np.ones_like(odds), odds])
    line = np.array([0.0, 1.0])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-line @ known))
        bend = (known * weight * chance * (1 - chance)) @ known.T
        step = np.linalg.solve(bend + 1e-9 * np.eye(2), known @ (weight * (target - chance)))
        line += np.clip(step, -0.5, 0.5)
    return float(line[0]), float(line[1])
