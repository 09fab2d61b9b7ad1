"""A WireViz diagram, put together part by part and written as its YAML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import yaml

Join = tuple[int | str, str, int | str]
"""(pin at the one end, colour of the wire, pin at the other)."""


class Diagram:
    """One WireViz diagram, being put together."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._connectors: dict[str, dict[str, Any]] = {}
        self._cables: dict[str, dict[str, Any]] = {}
        self._connections: list[list[dict[str, list[int | str]]]] = []

    def part(self, name: str, kind: str, pins: Sequence[tuple[int | str, str]], **more: Any) -> None:
        """A part with the pins that are used: (number, label) each."""
        self._connectors[name] = {
            "type": kind,
            **more,
            "pins": [number for number, _ in pins],
            "pinlabels": [label for _, label in pins],
            "show_pincount": False,
        }

    def lead(self, name: str, one: str, other: str, joins: Iterable[Join], **more: Any) -> None:
        """Wires from the pins of one part to those of another."""
        joins = list(joins)
        self._cables[name] = {**more, "colors": [colour for _, colour, _ in joins], "show_wirecount": False}
        wires: list[int | str] = list(range(1, len(joins) + 1))
        self._connections.append(
            [{one: [a for a, _, _ in joins]}, {name: wires}, {other: [b for _, _, b in joins]}]
        )

    def source(self) -> str:
        """The diagram as WireViz's YAML."""
        tree = {
            "metadata": {"title": self._title},
            "options": {"fontname": "Helvetica", "bgcolor": "WH", "color_mode": "full"},
            "connectors": self._connectors,
            "cables": self._cables,
            "connections": self._connections,
        }
        head = f"# {self._title}. Made by `python -m hardware` from the pin files: change those, not this.\n"
        return head + str(yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=100))
