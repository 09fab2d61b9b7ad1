"""Examples that nets learn from: taken by their numbers, put together, and how often each comes up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from uckers_table.vision.picture.arrays import Flags, Floats, Places
from uckers_table.vision.pieces.stack_net import Towers


class Examples:
    """A dataclass of arrays (N, …), and of `Towers`, that belong together."""

    def where(self, some: Places) -> Self:
        """Only those."""
        return type(self)(*(_where(values, some) for values in vars(self).values()))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """All of them, in order."""
        return cls(*map(_joined, zip(*(vars(part).values() for part in parts), strict=True)))


def _where(values: Any, some: Places) -> Any:
    return values.where(some) if isinstance(values, Towers) else values[some]


def _joined(parts: Sequence[Any]) -> Any:
    if not isinstance(parts[0], Towers):
        return np.concatenate(parts)
    return Towers(*map(np.concatenate, zip(*(vars(part).values() for part in parts), strict=True)))


def chances(kinds: Sequence[Flags], shares: Sequence[float], often: Floats | None = None) -> Floats:
    """How often each example (N,) is to come up, so that each kind (N,) has its share.

    Within a kind examples come up as `often` says, or alike. What no example is has no share.
    """
    often = np.ones(len(kinds[0])) if often is None else often
    out = np.zeros(len(often))
    for kind, share in zip(kinds, shares, strict=True):
        out[kind] = share * often[kind] / often[kind].sum()
    return np.asarray(out / out.sum())


def wrong_and_nats(log_odds: npt.NDArray[Any], holds: Flags) -> tuple[int, float]:
    """How many of these are told wrongly, and what they lose on the whole (nats)."""
    return int(((log_odds > 0) != holds).sum()), float(
        np.logaddexp(0, np.where(holds, -1, 1) * log_odds).mean()
    )
