"""A net that learns: as `vision.nets` runs it, but that each layer's levels are normalized meanwhile.

Knows nothing of what nets see. It needs torch, which no table does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from uckers_table.vision.nets.net import Patches

DECAY = 1e-3
SAID_EVERY = 500
WARMING = 100
"""Steps until the rate is reached."""

Halves = Mapping[str, npt.NDArray[np.float16]]
"""Weights, by the names that `onnx_file` has for them."""


@dataclass(frozen=True)
class Layers:
    """A net's build: it sees patches of this shape (channels, rows, columns).

    Convolutions of 3 by 3 pixels with these `widths` and `strides`; a layer that is `inner` wide; one that
    says so many `outputs`.
    """

    sees: tuple[int, int, int]
    widths: tuple[int, ...]
    strides: tuple[int, ...]
    inner: int
    outputs: int


class ConvNet(nn.Module):
    """A net of these layers, while it learns."""

    def __init__(self, layers: Layers) -> None:
        super().__init__()
        built, (wide, rows, columns) = [], layers.sees
        for width, stride in zip(layers.widths, layers.strides, strict=True):
            conv = nn.Conv2d(wide, width, 3, stride=stride, padding=1, bias=False)
            built.append(nn.Sequential(conv, nn.BatchNorm2d(width), nn.ReLU()))
            wide, rows, columns = width, -(-rows // stride), -(-columns // stride)
        self.layers = nn.Sequential(*built)
        self.inner = nn.Linear(wide * rows * columns, layers.inner)
        self.outer = nn.Linear(layers.inner, layers.outputs)
        self.drop_many, self.drop_few = nn.Dropout(0.3), nn.Dropout(0.2)

    def forward(self, seen: Tensor) -> Tensor:
        """What it says (N, outputs) of patches (N, channels, rows, columns)."""
        flat = self.drop_many(self.layers(seen).flatten(1))
        return self.outer(self.drop_few(functional.relu(self.inner(flat))))

    def said(self, seen: Patches) -> npt.NDArray[np.float32]:
        """The same for who does not learn from it."""
        self.eval()
        with torch.no_grad():
            said = [self(torch.from_numpy(seen[k : k + 256])).numpy() for k in range(0, len(seen), 256)]
        self.train()
        return np.concatenate(said)

    def go_on_from(self, weights: Halves, seen: Tensor) -> None:
        """Takes these weights; its norms leave patches as these what they are."""
        known = {name: torch.from_numpy(values.astype(np.float32)) for name, values in weights.items()}
        with torch.no_grad():
            for k, (conv, norm, _) in enumerate(self.layers):
                conv.weight.copy_(known[f"conv{k}"])
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
        """What it has learned, norms folded into the convolutions."""
        self.eval()
        out: dict[str, Tensor] = {}
        for k, (conv, norm, _) in enumerate(self.layers):
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            out[f"conv{k}"] = conv.weight * scale[:, None, None, None]
            out[f"bias{k}"] = norm.bias - norm.running_mean * scale
        out |= {"inner": self.inner.weight, "inner_bias": self.inner.bias}
        out |= {"outer": self.outer.weight, "outer_bias": self.outer.bias}
        self.train()
        return {name: values.detach().numpy().astype(np.float16) for name, values in out.items()}


def learn(net: ConvNet, steps: int, rate: float, loss: Callable[[], Tensor], said: Callable[[], str]) -> None:
    """So many steps down the loss of ever new examples, the first ones at this rate. What is `said` of the
    net is printed now and then, and at the end.
    """
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=DECAY)
    losses = []
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, step / WARMING) * (1 + np.cos(np.pi * step / steps)) / 2 + 1e-5
        now = loss()
        optimizer.zero_grad()
        now.backward()
        optimizer.step()
        losses.append(now.item())
        if step % SAID_EVERY == 0 or step == steps:
            print(f"{step}: loss {np.mean(losses[-SAID_EVERY:]):.3f}; {said()}", flush=True)


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
