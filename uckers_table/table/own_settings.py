"""What the page has set of the table: kept in one file beside the record, over the configuration.

Whoever stands at the table decides, so the page wins over the configuration's file, and `uckers-table config`
says of each key where it is from. A file that makes no sense counts as none, and that is said in a line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from uckers_table.config import OWN_FILE, Config, with_own_settings, with_settings
from uckers_table.devices.cameras import plugged_in
from uckers_table.devices.sound_cards import cards_there
from uckers_table.errors import ConfigError, InputError
from uckers_table.foreign.documents import toml_of
from uckers_table.machine.files import is_there, make_folder, refusals_said, remove, write_whole
from uckers_table.vision.settings import write_settings
from uckers_table.web.commands import CHOICES, DEVICE_NAMES, NUMBERS
from uckers_table.web.feed import TableSettings

TRAY_SETTINGS = "tray-settings.toml"
"""What the tray's camera was locked at from the page, beside the record."""
HEAD = "# What the page has set of this table, over the configuration. Without this file that counts alone."
FIXED = "This table is simulated: it has no devices that could be chosen."
AFTER_A_START = frozenset({"camera", "camera_source"})
"""The keys that count from the next start on. The others are taken while the table runs."""
DEVICE_OF: Mapping[str, str] = {
    **dict.fromkeys(("tower", "tray_camera", "tray_px_mm", "tray_settings"), "tower"),
    **dict.fromkeys(("voice", "volume", "sound_card", "sound_stays_open"), "voice"),
    "buttons": "buttons",
    "display": "display",
}
"""The device that is opened anew for a key."""
_SHOWN = (*CHOICES, *NUMBERS, *DEVICE_NAMES)


class OwnSettings:
    """The file and what it says; `config` is in force at the start. For the table's loop."""

    def __init__(self, config: Config) -> None:
        self._path = config.record / OWN_FILE
        _, self.trouble = with_own_settings(config)
        self._own: dict[str, Any] = {}
        self._is_simulated = config.camera == "simulated"
        if not (self.trouble or self._is_simulated) and is_there(self._path):
            try:
                self._own = toml_of(self._path)
            except (OSError, ValueError) as error:
                # The card gave it a moment ago, and does not now.
                self.trouble = f"{self._path}: cannot be read ({error})"
        self._forgotten = frozenset[str]()
        self._cameras: tuple[str, ...] = ()
        self._cards: tuple[str, ...] = ()
        self.look()

    def look(self) -> None:
        """See which USB cameras and sound cards are plugged in."""
        if not self._is_simulated:
            self._cameras, self._cards = plugged_in(), cards_there()

    def choose(self, config: Config, values: Mapping[str, Any]) -> Config:
        """The configuration with these keys set, which is kept for the next start too.

        InputError for what makes no sense at this table, RecordError where the card does not take it.
        """
        if self._is_simulated:
            raise InputError(FIXED)
        for key in DEVICE_NAMES:
            named = values.get(key, "")
            if named and named not in (*self._cameras, *self._cards, getattr(config, key)):
                raise InputError(f"nothing is plugged in that is called {named}")
        # What waits for the next start goes with what is chosen, though the table runs without it.
        then = replace(config, **{key: self._own[key] for key in self._waiting_at(config)})
        values = {**values, **_dice_then(then, values)}
        try:
            with_settings(then, values)
            running = _running(config, values)
        except ConfigError as error:
            raise InputError(str(error)) from None
        self._keep({**self._own, **values})
        return running

    def _waiting_at(self, config: Config) -> frozenset[str]:
        """The keys that were set and that this running table has otherwise, until its next start."""
        waiting = {*AFTER_A_START, "dice"} & self._own.keys()
        return frozenset(key for key in waiting if self._own[key] != getattr(config, key))

    def waits(self, config: Config, values: Mapping[str, Any]) -> bool:
        """Whether any of these keys counts from the next start on only."""
        return bool(self._waiting_at(config) & values.keys())

    def keep_tray(self, config: Config, settings: Mapping[str, float]) -> Config:
        """The configuration with a tray camera that is locked at these settings, which are kept."""
        path = self._path.with_name(TRAY_SETTINGS)
        with refusals_said(path, "the tray’s settings cannot be kept"):
            make_folder(path.parent)
            write_settings(settings, path)
        self._keep({**self._own, "tray_settings": str(path)})
        return replace(config, tray_settings=path)

    def forget(self) -> None:
        """Forget all that the page has set, from the next start on. RecordError where the card keeps it."""
        with refusals_said(self._path, "it cannot be forgotten"):
            remove(self._path)
        self._forgotten |= self._own.keys()
        self._own, self.trouble = {}, ""

    def _keep(self, own: Mapping[str, Any]) -> None:
        lines = [f"{key} = {json.dumps(own[key], ensure_ascii=False)}" for key in sorted(own)]
        with refusals_said(self._path, "what the page sets cannot be kept"):
            make_folder(self._path.parent)
            write_whole(self._path, "\n".join([HEAD, *lines]) + "\n")
        self._own, self.trouble = dict(own), ""

    def shown(self, config: Config) -> TableSettings:
        """What the page shows of it."""
        waiting = self._waiting_at(config)
        return TableSettings(
            values={key: self._own[key] if key in waiting else getattr(config, key) for key in _SHOWN},
            own=tuple(sorted(self._own)),
            waiting=tuple(sorted(waiting | (self._forgotten - self._own.keys()))),
            cameras=self._cameras,
            cards=self._cards,
            trouble=self.trouble,
            fixed=FIXED if self._is_simulated else "",
        )


def devices_of(values: Mapping[str, Any]) -> frozenset[str]:
    """The devices that are opened anew for these keys."""
    return frozenset(DEVICE_OF[key] for key in values if key in DEVICE_OF)


def _running(config: Config, values: Mapping[str, Any]) -> Config:
    """The configuration of the table as it runs on: its camera, and who reads dice by it, wait."""
    now = {key: value for key, value in values.items() if key not in AFTER_A_START}
    try:
        return with_settings(config, now)
    except ConfigError:
        return with_settings(config, {key: value for key, value in now.items() if key != "dice"})


def _dice_then(config: Config, values: Mapping[str, Any]) -> dict[str, str]:
    """Who reads the dice, where that follows from what is chosen: a tower that is there reads them."""
    if "dice" in values or not {"tower", "camera"} & values.keys():
        return {}
    tower, camera = values.get("tower", config.tower), values.get("camera", config.camera)
    if "tower" in values and tower != "none":
        return {"dice": "tower"}
    if tower == "none" and config.dice in ("tower", "both"):
        return {"dice": "buttons" if camera == "none" else "camera"}
    if camera == "none" and config.dice in ("camera", "both"):
        return {"dice": "buttons" if tower == "none" else "tower"}
    return {}
