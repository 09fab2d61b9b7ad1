"""Devices that a table does without: they take what they are given and never say anything."""

from __future__ import annotations

from PIL import Image

from uckers_table.devices.base import Frame, Listener


class NoCamera:
    """No camera over the board."""

    name, waits = "camera", False

    def read(self) -> Frame | None:
        """There is nothing to see, and never will be."""
        return None

    def close(self) -> None:
        """There is nothing to close."""


class NoTower:
    """No dice tower: dice are read elsewhere."""

    name = "tower"

    def listen(self, listener: Listener) -> None:
        """Nothing will ever be said."""

    def show(self, text: str) -> None:
        """There is no readout."""

    def expect(self, dice: int) -> None:
        """None are expected here."""

    def close(self) -> None:
        """There is nothing to close."""


class NoButtons:
    """No button box."""

    name = "buttons"

    def listen(self, listener: Listener) -> None:
        """Nothing will ever be pressed."""

    def light(self, names: frozenset[str]) -> None:
        """There are no lamps."""

    @property
    def down(self) -> frozenset[str]:
        """There are no buttons."""
        return frozenset()

    def close(self) -> None:
        """There is nothing to close."""


class NoDisplay:
    """No display."""

    name = "display"

    def show(self, picture: Image.Image, *, stays: bool = False) -> None:
        """Nobody sees it."""

    def close(self) -> None:
        """There is nothing to close."""
