"""How each device is, as it has said itself."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from uckers_table.config import ABSENT, BACKENDS, Config
from uckers_table.devices.base import (
    Back,
    Cocked,
    DeviceEvent,
    Dropped,
    Lost,
    NoThrow,
    Remark,
    ThrowRead,
)
from uckers_table.machine.journal import facts
from uckers_table.table.left_out import CAMERA
from uckers_table.table.refereeing import Refereeing
from uckers_table.web.feed import DeviceLine

LOG = logging.getLogger(__name__)


OVER: Mapping[str, str] = {"dark": "lit", "blind": "sees", "jam": ""}
"""What may be wrong with a tower that answers, and the word by which it says that this is over (`NoThrow`). A
jam is over with the next dice."""


class DeviceStates:
    """Which devices are lost, and what there is to say of those that answer. For the table's loop."""

    def __init__(self) -> None:
        self._lost: dict[str, str] = {}
        self._remarks: dict[str, str] = {}
        self.tower_faults: frozenset[str] = frozenset()
        """What is wrong with a tower that answers, as the keys of OVER."""

    def hear(self, news: DeviceEvent) -> None:
        """A device has said something; whether it is lost or back, or a remark, is kept and logged."""
        match news:
            case Lost(name, why):
                self._lost[name] = why
                LOG.warning("%s lost: %s", name, why, extra=facts(device=name))
            case Back(name):
                self._lost.pop(name, None)
                LOG.warning("%s back", name, extra=facts(device=name))
            case Remark(name, line) if line != self._remarks.get(name, ""):
                self._remarks[name] = line
                LOG.warning("%s: %s", name, line or "all is well again", extra=facts(device=name))
            case NoThrow() | ThrowRead() | Cocked() | Dropped():
                self._hear_tower(news)

    def _hear_tower(self, news: NoThrow | ThrowRead | Cocked | Dropped) -> None:
        why = news.why if isinstance(news, NoThrow) else ""
        over = {fault for fault, word in OVER.items() if word == why}
        if why not in OVER.values():
            # Dice were dealt with: so none is stuck.
            over.add("jam")
        self.tower_faults = (self.tower_faults - over) | ({why} & OVER.keys())

    def is_lost(self, name: str) -> bool:
        """Whether the device of that name is lost."""
        return name in self._lost

    def why_lost(self, name: str) -> str:
        """Why the device of that name is lost, in a line; empty where it is not."""
        return self._lost.get(name, "")

    def tell(self, match: Refereeing, now: float) -> None:
        """Tell a match that begins, or is looked at again, what its devices said before."""
        for name, why in self._lost.items():
            match.deal_with(now, Lost(name, why))
        for name, line in self._remarks.items():
            match.deal_with(now, Remark(name, line))

    def lines(self, config: Config, *, is_calibrated: bool) -> tuple[DeviceLine, ...]:
        """How each device is that the configuration names; `is_calibrated` says it of the camera."""
        return tuple(
            DeviceLine(name, "none", True)
            if getattr(config, name) in ABSENT
            else DeviceLine(name, "lost", False, self._lost[name])
            if name in self._lost
            else DeviceLine(name, "not calibrated", False, "Show it the table: calibrate on the page.")
            if name == CAMERA and not is_calibrated
            else DeviceLine(name, "works", True, self._remarks.get(name, ""))
            for name in BACKENDS
        )
