"""Programs that play sound, and how they are ended."""

from __future__ import annotations

import subprocess
from contextlib import suppress

KILLED_S = 2.0
"""A player that is killed ends at once, unless it hangs in the sound card's driver."""


def leave_behind(player: subprocess.Popen[bytes]) -> None:
    """Kill a player, and do not wait for one that hangs in its driver."""
    player.kill()
    with suppress(subprocess.TimeoutExpired):
        player.wait(KILLED_S)
    for pipe in (player.stdin, player.stdout, player.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
