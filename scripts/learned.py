"""What the fits of the package's nets have in common: a net as `vision.nets` runs it, pictures in
other light, and learning step by step.

It needs torch, which nothing else here does: pip install torch.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ImportError:
    sys.exit(f"{sys.argv[0]}: torch is missing: pip install torch")

Some = TypeVar("Some")
"""Examples, as each fit has them."""

DECAY = 1e-3
SAID_EVERY = 500


def asked(
    description: str | None, *, may_go_on: bool = False, may_be_fine: bool = False
) -> argparse.Namespace:
    """What the command line asks of a fit, which may go on from an earlier one's weights, or be of a net that
    sees more finely; torch is ready to do so, alike each time.
    """
    ap = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("tables", nargs="+", type=Path)
    ap.add_argument("--held", nargs="+", type=Path, required=True, help="tables only to be told")
    ap.add_argument("--simulated", type=int, default=10, help="tables of the simulator besides (%(default)s)")
    ap.add_argument("--steps", type=int, default=6000)
    ap.add_argument("--rate", type=float, default=2e-3, help="of the first steps (%(default)s)")
    if may_go_on:
        ap.add_argument("--go-on-from", type=Path, help="weights of an earlier fit, to begin with")
        ap.add_argument(
            "--share", type=float, default=1.0, help="of the way from those to keep (%(default)s)"
        )
    if may_be_fine:
        ap.add_argument("--fine", action="store_true", help="the net that sees more finely")
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--out", type=Path, required=True)
    args = ap.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(args.threads)
    return args


def known(
    args: argparse.Namespace,
    of_table: Callable[[Path], Iterable[Some]],
    of_simulated: Callable[[int], Iterable[Some]],
    joined: Callable[[list[Some]], Some],
    at_once: int,
    easy: int,
) -> tuple[Some, list[tuple[Some, int]]]:
    """Examples held back; and those to learn, with how many at once: `easy` ones are of simulated tables."""

    def of(parts: Iterable[Iterable[Some]]) -> Some:
        return joined([one for part in parts for one in part])

    held, rendered = (of(map(of_table, some)) for some in (args.held, args.tables))
    if not args.simulated:
        return held, [(rendered, at_once)]
    return held, [(rendered, at_once - easy), (of(map(of_simulated, range(args.simulated))), easy)]


def mixed(each: Sequence[Iterator[Some]], joined: Callable[[list[Some]], Some]) -> Iterator[Some]:
    """What is drawn from several sources, together."""
    while True:
        yield joined([next(one) for one in each])


class ConvNet(nn.Module):
    """As `vision.nets` runs it, but that each layer's levels are normalized while it learns.

    It sees patches of `shape` (channels, rows, columns); its convolutions have these `widths` and `strides`,
    the layer after them is `inner` wide, and the last says so many `outputs`.
    """

    def __init__(
        self,
        shape: tuple[int, int, int],
        widths: Sequence[int],
        strides: Sequence[int],
        inner: int,
        outputs: int,
    ) -> None:
        super().__init__()
        layers, (wide, rows, columns) = [], shape
        for width, stride in zip(widths, strides, strict=True):
            conv = nn.Conv2d(wide, width, 3, stride=stride, padding=1, bias=False)
            layers.append(nn.Sequential(conv, nn.BatchNorm2d(width), nn.ReLU()))
            wide, rows, columns = width, -(-rows // stride), -(-columns // stride)
        self.layers = nn.Sequential(*layers)
        self.inner = nn.Linear(wide * rows * columns, inner)
        self.outer = nn.Linear(inner, outputs)
        self.drop_many, self.drop_few = nn.Dropout(0.3), nn.Dropout(0.2)

    def forward(self, seen: Tensor) -> Tensor:
        """What it says (N, outputs) of patches (N, channels, rows, columns)."""
        flat = self.drop_many(self.layers(seen).flatten(1))
        return self.outer(self.drop_few(functional.relu(self.inner(flat))))

    def said(self, seen: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The same for who does not learn from it."""
        self.eval()
        with torch.no_grad():
            said = [self(torch.from_numpy(seen[k : k + 256])).numpy() for k in range(0, len(seen), 256)]
        self.train()
        return np.concatenate(said)

    def go_on_from(self, file: Path, seen: Tensor) -> None:
        """Takes the weights that were saved in a file; its norms leave patches as these what they are."""
        with np.load(file) as saved:
            known = {name: torch.from_numpy(saved[name].astype(np.float32)) for name in saved.files}
        with torch.no_grad():
            for k, (conv, norm, _) in enumerate(self.layers):
                conv.weight.copy_(known[f"conv{k}"].reshape(conv.weight.shape))
                seen = conv(seen)
                mean, spread = seen.mean((0, 2, 3)), seen.var((0, 2, 3))
                norm.running_mean.copy_(mean)
                norm.running_var.copy_(spread)
                norm.weight.copy_(torch.sqrt(spread + norm.eps))
                norm.bias.copy_(known[f"bias{k}"] + mean)
                seen = functional.relu(seen + known[f"bias{k}"][:, None, None])
            for layer, name in ((self.inner, "inner"), (self.outer, "outer")):
                layer.weight.copy_(known[name])
                layer.bias.copy_(known[f"{name}_bias"])

    def weights(self) -> dict[str, npt.NDArray[np.float16]]:
        """By the names that `uckers_table.vision.nets.net` knows, norms folded into the convolutions."""
        self.eval()
        out: dict[str, Tensor] = {}
        for k, (conv, norm, _) in enumerate(self.layers):
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            out[f"conv{k}"] = (conv.weight * scale[:, None, None, None]).flatten(1)
            out[f"bias{k}"] = norm.bias - norm.running_mean * scale
        out |= {"inner": self.inner.weight, "inner_bias": self.inner.bias}
        out |= {"outer": self.outer.weight, "outer_bias": self.outer.bias}
        return {name: values.detach().numpy().astype(np.float16) for name, values in out.items()}

    def save(self, file: Path) -> None:
        """Writes them as `uckers_table.vision.nets.net` reads them."""
        np.savez(file, **self.weights())


def keep(net: ConvNet, args: argparse.Namespace) -> None:
    """Saves what was fitted; or of a fit that went on what lies the asked share of the way from the earlier
    weights to it: halfway between two, a net often tells what neither has learned better than both.
    """
    kept = net.weights()
    if args.go_on_from:
        with np.load(args.go_on_from) as earlier:
            for name, fitted in kept.items():
                way = fitted - earlier[name].astype(np.float64)
                kept[name] = (earlier[name] + args.share * way).astype(np.float16)
    np.savez(args.out, **kept)


class OtherLight:
    """Other light for `count` patches (N, 3, …), and another camera: of another `balance`, level and
    `gradation`, channels swapped, paler; the picture besides in shadow, noisy, blurred or sharpened.
    """

    def __init__(self, count: int, balance: float, deepest: float, gradation: float = 0.0) -> None:
        self._count, self._deepest = count, deepest
        self._gamma = torch.exp((self._drawn() - 0.5) * gradation)
        spread = (self._drawn(3) - 0.5) * balance, (self._drawn() - 0.5) * balance
        self._gain = torch.exp(spread[0] + spread[1])
        swapped = torch.rand(count, 1) < 0.5
        self._order = torch.where(swapped, torch.rand(count, 3).argsort(1), torch.arange(3))
        self._pale = self._drawn() < 0.15

    def _drawn(self, *shape: int) -> Tensor:
        return torch.rand(self._count, *shape)[(...,) + (None,) * (3 - len(shape))]

    def on(self, colours: Tensor) -> Tensor:
        """What was always there, in it."""
        lit = colours * self._gain
        lit = lit.gather(1, self._order[:, :, None, None].expand_as(lit))
        lit = torch.where(self._pale, 0.4 * lit + 0.6 * lit.mean(1, keepdim=True), lit)
        return lit.clamp(min=0) ** self._gamma

    def seen(self, colours: Tensor) -> Tensor:
        """A picture in it."""
        shadow = torch.where(self._drawn() < 0.3, torch.exp(-self._deepest * self._drawn()), torch.ones(()))
        now = self.on(colours) * shadow
        now = now + self._drawn() ** 2 * 0.035 * torch.randn_like(now)
        blurred = functional.avg_pool2d(now, 3, 1, 1, count_include_pad=False)
        way = self._drawn()
        sharp = now + self._drawn() * (now - blurred)
        return torch.where(way < 0.25, (now + blurred) / 2, torch.where(way > 0.75, sharp, now))


def learn(
    net: ConvNet, loss: Callable[[], Tensor], args: argparse.Namespace, said: Callable[[], str]
) -> None:
    """So many steps down the loss of ever new examples, at such a rate; what is `said` of it is printed
    meanwhile.
    """
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=DECAY)
    losses = []
    for step in range(1, args.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min(1, step / 100) * (1 + np.cos(np.pi * step / args.steps)) / 2 + 1e-5
        now = loss()
        optimizer.zero_grad()
        now.backward()
        optimizer.step()
        losses.append(now.item())
        if step % SAID_EVERY == 0:
            print(f"{step}: loss {np.mean(losses[-SAID_EVERY:]):.3f}; {said()}", flush=True)
