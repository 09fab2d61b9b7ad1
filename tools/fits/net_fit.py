"""The fit of a net, stage by stage. Each net's own module says what it sees, and what it should have said.

It needs torch, which no table does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from tools.fits.data import Stage
from tools.fits.examples import Examples
from tools.fits.learning import ConvNet, Halves, Layers, learn
from uckers_table.errors import InputError
from uckers_table.vision.nets.net import Patches
from uckers_table.vision.picture.arrays import Floats

Some = TypeVar("Some", bound=Examples)
"""Examples, as each fit has them."""

Says = Callable[[Patches], npt.NDArray[Any]]
"""What a net says (N, outputs) of patches."""

Folders = Callable[[Iterable[str]], Sequence[Path]]
"""Where tables of these names are."""

BATCHES_OF_NORMS = 4
"""By so many batches a net that goes on learns the levels of its layers."""


class NetFit(ABC, Generic[Some]):
    """What is particular to the fit of one net."""

    file: str
    """Of its weights, in `uckers_table/vision/nets`."""
    kind: type[Some]
    layers: Layers
    at_once: ClassVar[int]
    """Examples of each step."""
    favoured: ClassVar[Floats | float] = 0.0
    """How much more often what each output stands for comes up than it does in truth (nats)."""

    def __init__(self) -> None:
        self.draw = np.random.default_rng(0)

    @abstractmethod
    def of_table(self, folder: Path) -> Iterable[Some]:
        """The examples of a labelled table, frame by frame."""

    @abstractmethod
    def of_simulated(self, seed: int) -> Iterable[Some]:
        """Those of a table of the simulator's."""

    @abstractmethod
    def chances(self, some: Some) -> Floats:
        """How often each example comes up (N,)."""

    @abstractmethod
    def described(self, some: Some) -> str:
        """How many they are, and of what."""

    @abstractmethod
    def altered(self, some: Some) -> Tensor:
        """What the net sees of examples, as another table might show them."""

    @abstractmethod
    def loss(self, net: ConvNet, some: Some) -> Tensor:
        """How badly the net tells examples, as another table might show them."""

    @abstractmethod
    def scored(self, says: Says, held: Some) -> str:
        """How many of those held back it tells rightly."""


def use_threads(count: int) -> None:
    """Lets torch use so many."""
    torch.set_num_threads(count)


def fit_stage(fit: NetFit[Some], stage: Stage, folders: Folders, earlier: Halves) -> Halves:
    """The weights after a stage, which goes on from `earlier` ones if there are any."""
    torch.manual_seed(0)
    held = _examples(fit, folders(stage.held))
    known = [
        (_examples(fit, folders(source.tables), source.simulated), round(source.part * fit.at_once))
        for source in stage.learned
    ]
    print("; ".join(fit.described(some) for some, _ in known), flush=True)
    net, each = ConvNet(fit.layers), _drawn(fit, known)
    if earlier:
        net.go_on_from(earlier, torch.cat([fit.altered(next(each)) for _ in range(BATCHES_OF_NORMS)]))
        _favour(net, fit.favoured)
    learn(
        net,
        stage.steps,
        stage.rate,
        lambda: fit.loss(net, next(each)),
        lambda: f"held back: {fit.scored(net.said, held)}",
    )
    _favour(net, -np.asarray(fit.favoured))
    return _some_of_the_way(earlier, net.weights(), stage.kept)


def score(fit: NetFit[Some], stage: Stage, folders: Folders, says: Says) -> str:
    """How many examples of the tables that a stage held back a net tells rightly."""
    return fit.scored(says, _examples(fit, folders(stage.held)))


def farthest_apart(fit: NetFit[Some], weights: Halves, says: Says) -> float:
    """How far what a net says (of a simulated table) is at most off what torch makes of its weights."""
    seen = fit.altered(next(_drawn(fit, [(_examples(fit, [], 1), fit.at_once)])))
    net = ConvNet(fit.layers)
    net.go_on_from(weights, seen)
    patches = seen.numpy()
    return float(np.abs(net.said(patches) - says(patches)).max())


def _examples(fit: NetFit[Some], tables: Iterable[Path], simulated: int = 0) -> Some:
    parts = chain(map(fit.of_table, tables), map(fit.of_simulated, range(simulated)))
    some = [one for part in parts for one in part]
    if not some:
        raise InputError("there is nothing to learn, or to be scored by, on the tables named")
    return fit.kind.joined(some)


def _drawn(fit: NetFit[Some], known: Sequence[tuple[Some, int]]) -> Iterator[Some]:
    """Examples for step after step, so many of each source."""
    chances = [fit.chances(some) for some, _ in known]
    while True:
        yield fit.kind.joined(
            [
                some.where(fit.draw.choice(len(chance), count, p=chance))
                for (some, count), chance in zip(known, chances, strict=True)
            ]
        )


def _favour(net: ConvNet, nats: Floats | float) -> None:
    with torch.no_grad():
        net.outer.bias += torch.from_numpy(np.asarray(nats, dtype=np.float32))


def _some_of_the_way(earlier: Halves, fitted: Halves, kept: float) -> Halves:
    """What lies so far on the way from earlier weights to fitted ones.

    Halfway between two a net often tells what neither has learned better than both.
    """
    if not earlier:
        return fitted
    return {
        name: (earlier[name] + kept * (values - earlier[name].astype(np.float64))).astype(np.float16)
        for name, values in fitted.items()
    }
