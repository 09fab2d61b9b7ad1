"""Pictures for a dispute over the tower's dice: as they lay when they were read, and as they lie now."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import cv2

from uckers_table.devices.base import BgrImage

MOST = 40
"""Pictures that are kept; the oldest go."""


class TrayPictures:
    """Keeps them in a folder, or, without one, nowhere; a card that takes none is no reason to stop."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._read: BgrImage | None = None

    def read(self, picture: BgrImage | None) -> None:
        """The dice were read in this picture."""
        self._read = picture

    def turned(self, picture: BgrImage | None) -> None:
        """Those dice show something else in this one: both are written."""
        if self._folder is None:
            return
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%S")
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            for what, each in (("read", self._read), ("turned", picture)):
                if each is not None:
                    _, packed = cv2.imencode(".jpg", each)
                    (self._folder / f"{when}-{what}.jpg").write_bytes(packed.tobytes())
            for old in sorted(self._folder.glob("*.jpg"))[:-MOST]:
                old.unlink()
