"""A table at which everything is real but the pixels: tower, buttons, referee, voice, record.

The camera's frames are empty, and the reader is told what stands on the simulated board. `Parts` as
`build_parts` gives them, and the people at the table; `unpainted` wires them while it lasts.
"""

from contextlib import contextmanager
from unittest import mock

import numpy as np

from uckers_table.devices.absent import NoDisplay
from uckers_table.devices.dice_tower import SerialDiceTower
from uckers_table.devices.simulated_buttons import SimulatedButtons
from uckers_table.devices.simulated_tower import SimulatedTower
from uckers_table.devices.voice import SilentVoice
from uckers_table.game.board import Plan
from uckers_table.machine.clock import SimulatedClock
from uckers_table.sighting import Sighting
from uckers_table.simulator.camera import SimulatedCamera
from uckers_table.simulator.evening import SimulatedEvening
from uckers_table.simulator.interfaces import Unpainted
from uckers_table.simulator.world import SimulatedTable
from uckers_table.table.parts import Parts, first_match


class NoProfile:
    """What a reader that is told has to know."""

    def __init__(self, seats):
        self.seats = seats

    def save(self, path):
        path.write_text("")


class UnpaintedTable:
    """The parts of a table, and the `world` of the match that is played at it: the truth."""

    strange = None

    def __init__(self, config):
        self.world = None
        self._read = {}, 0
        self._tower, self._buttons = SimulatedTower(), SimulatedButtons()
        painter = Unpainted(Plan(first_match(config).board))

        def seat(match, number):
            seed = config.simulator.seed + number
            self.world = SimulatedTable(
                match, painter, self._tower, self._buttons.press, seed=seed, cheats=config.simulator.cheats
            )
            return self.world

        evening = SimulatedEvening(seat, np.zeros((8, 8, 3), np.uint8), goes_on=config.page_port > 0)
        self.parts = Parts(
            camera=SimulatedCamera(evening),
            tower=SerialDiceTower(lambda: self._tower.port),
            buttons=self._buttons,
            display=NoDisplay(),
            voice=SilentVoice(evening.hear),
            clock=SimulatedClock(evening.now),
            profile=NoProfile(config.seats),
            simulated_tower=self._tower,
            sit_down=evening.sit_down,
        )

    def see(self, image):
        """What stands on the simulated board, as a perfect reader would see it."""
        board, scene = self.world.match.board, self.world.scene
        pieces = dict(zip(board.seats, scene.steps(board.arms), strict=True))
        before, readings = self._read
        if pieces != before:
            self._read = pieces, readings + 1
        return Sighting(pieces, hand=bool(scene.hands), reading=self._read[1])

    def read_again(self, places):
        """A perfect reader reads the same once more."""
        self._read = {}, self._read[1]


@contextmanager
def unpainted(config):
    """A table for a configuration, as long as this lasts."""
    table = UnpaintedTable(config)
    with (
        mock.patch("uckers_table.table.watcher.LiveReader", lambda profile: table),
        mock.patch("uckers_table.table.refereeing.board_window", lambda profile, margin_mm: np.s_[:, :]),
        # Nothing is painted, so that there is nothing to mark and keep.
        mock.patch("uckers_table.keeping.keeper.Keeper.keep_pictures", lambda *arguments: ""),
        mock.patch("uckers_table.devices.simulated_tower.TICK_S", 0.001),
    ):
        yield table
