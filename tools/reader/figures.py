"""Counts lines: how often each kind is wrong, wrong again and told, and how long errors stay."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np

from tools.reader.likeness import SURE, likeness
from tools.reader.measure import CAMERAS, Line
from tools.reader.wrong import KINDS, is_of_pieces

Figures = dict[str, Any]
"""A table of errors.toml: numbers, lists of numbers, and tables of such."""

CONFIDENCES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
"""From which confidence on each bin counts, up to the next."""
COSTS = (0.3, 0.5, 1.0, 2.0, 3.0, 5.0)
"""From which cost (nats) on each bin counts, up to the next."""
AFTER_S = (0.5, 1.0, 2.0, 4.0, 8.0)


def figures(lines: Sequence[Line]) -> Figures:
    """All that these lines say; parts that were not measured are left out."""
    by_part = defaultdict[str, list[Line]](list)
    for line in lines:
        by_part[line["part"]].append(line)
    out: Figures = {}
    if looks := by_part["looks"]:
        out |= {"boards": boards(looks), **kinds(looks), "together": together(looks)}
        out |= {"likeness": likeness(_by_board(looks).values()), "sureness": sureness(looks)}
    if lifts := by_part["lifts"]:
        out["lifts"] = lifted(lifts)
    if plays := by_part["plays"]:
        out["plays"] = played(plays)
    if live := by_part["live"]:
        out["live"] = {name: watched([x for x in live if x["key"] == name]) for name in CAMERAS}
    return out


def is_board_right(look: Line) -> bool:
    """Whether all pieces were read where they stand."""
    return not any(is_of_pieces(wrong["kind"]) for wrong in look["wrong"])


def boards(looks: Sequence[Line]) -> Figures:
    """How many boards there are, and how many were wrong at the first look, at some and at all."""
    right = [[is_board_right(look) for look in board] for board in _by_board(looks).values()]
    return {
        "of": len(right),
        "looks": len(looks),
        "wrong_at_first": sum(not board[0] for board in right),
        "wrong_at_some": sum(not all(board) for board in right),
        "wrong_at_all": sum(not any(board) for board in right),
    }


def kinds(looks: Sequence[Line]) -> Figures:
    """Each kind of error, by thing and way."""
    things = Counter[str]()
    found = defaultdict[str, list[tuple[Line, Line]]](list)
    again, pairs, offered = Counter[str](), Counter[str](), defaultdict[str, list[float]](list)
    for board in _by_board(looks).values():
        wrong_at = [{wrong["place"] for wrong in look["wrong"]} for look in board]
        for number, look in enumerate(board):
            things.update(look["of"])
            for cost, _, kind in look["alternatives"]:
                offered[kind].append(cost)
            for wrong in look["wrong"]:
                kind, others = wrong["kind"], wrong_at[:number] + wrong_at[number + 1 :]
                found[kind].append((wrong, look))
                pairs[kind] += len(others)
                again[kind] += sum(wrong["place"] in other for other in others)
    out: Figures = {thing: {} for thing in KINDS}
    for thing, ways in KINDS.items():
        for way in ways:
            kind = f"{thing}.{way}"
            costs = [wrong["cost"] for wrong, _ in found[kind] if wrong["cost"] is not None]
            out[thing][way] = {
                "of": things[thing],
                "wrong": len(found[kind]),
                "again": again[kind],
                "pairs": pairs[kind],
                "told": len(costs),
                **({"costs": _spread(costs)} if costs else {}),
                "offered": len(offered[kind]),
                **({"offered_at": _spread(offered[kind])} if offered[kind] else {}),
                "sure": sum(look["confidence"] >= SURE for _, look in found[kind]),
                "tables": len({look["table"] for _, look in found[kind]}),
            }
    return out


def _spread(costs: Sequence[float]) -> list[float]:
    """The middle of each fifth of these costs (nats)."""
    return [round(float(cost), 2) for cost in np.quantile(costs, (0.1, 0.3, 0.5, 0.7, 0.9))]


def together(looks: Sequence[Line]) -> Figures:
    """How errors of pieces hang together, and at how many looks of a board a wrong place is wrong."""
    wrong = [[w for w in look["wrong"] if is_of_pieces(w["kind"])] for look in looks]
    at_looks = Counter[tuple[str, str, str]]()
    for look, places in zip(looks, wrong, strict=True):
        at_looks.update((look["table"], look["board"], each["place"]) for each in places)
    most = max(len(board) for board in _by_board(looks).values())
    spread = Counter(at_looks.values())
    return {
        "looks_wrong": sum(map(bool, wrong)),
        "with_two_or_more": sum(len(places) > 1 for places in wrong),
        "places_wrong": sum(map(len, wrong)),
        "ends_of_one_piece": sum(bool(each["other"]) for places in wrong for each in places),
        "places_wrong_at_looks": [spread[number] for number in range(1, most + 1)],
        "tables": _by_table(looks, wrong),
    }


def _by_table(looks: Sequence[Line], wrong: Sequence[Sequence[Mapping[str, Any]]]) -> list[list[float]]:
    """For each table its wrong places, and how many there would be if all tables were misread alike."""
    things, errors = Counter[str](), Counter[str]()
    for look, places in zip(looks, wrong, strict=True):
        things.update(look["of"])
        errors.update(each["kind"].split(".")[0] for each in places)
    out = dict[str, list[float]]()
    for look, places in zip(looks, wrong, strict=True):
        of = out.setdefault(look["table"], [0, 0.0])
        of[0] += len(places)
        of[1] += sum(number * errors[thing] / max(1, things[thing]) for thing, number in look["of"].items())
    return [[number, round(expected, 2)] for _, (number, expected) in sorted(out.items())]


def sureness(looks: Sequence[Line]) -> Figures:
    """Said confidence against right boards, and the cost of alternatives against how often they are true."""
    said = [(look["confidence"], is_board_right(look)) for look in looks]
    told = [(cost, is_true) for look in looks for cost, is_true, _ in look["alternatives"]]
    confidence, cost = _in_bins(said, CONFIDENCES), _in_bins(told, COSTS)
    return {
        "confidence": {"at_least": list(CONFIDENCES), "said": confidence[0], "right": confidence[1]},
        "cost": {"at_least": list(COSTS), "told": cost[0], "true": cost[1]},
    }


def _in_bins(values: Iterable[tuple[float, bool]], starts: Sequence[float]) -> tuple[list[int], list[int]]:
    """How many values each bin has, and how many of them hold."""
    all_, true = [0] * len(starts), [0] * len(starts)
    for value, holds in values:
        number = max(0, sum(value >= start for start in starts) - 1)
        all_[number] += 1
        true[number] += holds
    return all_, true


def lifted(lifts: Sequence[Line]) -> Figures:
    """How many of the lifted pieces were put elsewhere. `told`: the truth is told at all places of it."""
    put = [line for line in lifts if line["elsewhere"]]
    costs = [[each["cost"] for each in line["elsewhere"]] for line in put]
    told = [max(each) for each in costs if None not in each]
    more = [cost for line in lifts for cost, _, kind in line["alternatives"] if kind.endswith(".more")]
    return {
        "of": len(lifts),
        "squares": sum(line["side"] for line in lifts),
        "offered": len(more),
        **({"offered_at": _spread(more)} if more else {}),
        "elsewhere": len(put),
        "told": len(told),
        **({"cost": round(median(told), 2)} if told else {}),
        "sure": sum(line["confidence"] >= SURE for line in put),
        "tables": len({line["table"] for line in put}),
    }


def played(plays: Sequence[Line]) -> Figures:
    """Wrong places elsewhere that a play (with equal grain) or fresh grain (without a play) brings or takes,
    and how often the play's own squares are wrong.
    """
    out = Counter[str]({"of": len(plays)})
    for line in plays:
        elsewhere = {
            name: {w["place"] for w in line[name] if is_of_pieces(w["kind"])} - {*line["squares"]}
            for name in ("before", "again", "after")
        }
        for cause, name in (("play", "after"), ("grain", "again")):
            out[f"come_by_{cause}"] += len(elsewhere[name] - elsewhere["before"])
            out[f"gone_by_{cause}"] += len(elsewhere["before"] - elsewhere[name])
        for name in ("before", "after"):
            out[f"wrong_at_its_squares_{name}"] += any(w["place"] in line["squares"] for w in line[name])
    return dict(out)


def watched(live: Sequence[Line]) -> Figures:
    """How often the live reader reads an untouched board anew, and how long what it has wrong stays so."""
    spells = [
        (kind, began_s == 0, (line["seconds"] if ended_s is None else ended_s) - began_s, ended_s is not None)
        for line in live
        for kind, _, began_s, ended_s in line["spells"]
        if is_of_pieces(kind)
    ]
    out = {name: sum(line[name] for line in live) for name in ("seconds", "readings", "frames", "hands")}
    return {
        **out,
        "errors_at_first": sum(is_first for _, is_first, _, _ in spells),
        "errors_begun_later": sum(not is_first for _, is_first, _, _ in spells),
        "after_s": list(AFTER_S),
        "still_there": [sum(lasted >= after for _, _, lasted, _ in spells) for after in AFTER_S],
        "watched_so_long": [
            sum(lasted >= after or ended for _, _, lasted, ended in spells) for after in AFTER_S
        ],
    }


def _by_board(looks: Iterable[Line]) -> dict[tuple[str, str], list[Line]]:
    """The looks at each board, in order."""
    out = defaultdict[tuple[str, str], list[Line]](list)
    for look in sorted(looks, key=_order):
        out[look["table"], look["board"]].append(look)
    return dict(out)


def _order(look: Line) -> tuple[str, str, int]:
    return look["table"], look["board"], int(look["key"])
