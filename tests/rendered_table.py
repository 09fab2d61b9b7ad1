"""A rendered table, calibrated once: costly, and read-only. For `conftest` files that offer it."""

from dataclasses import dataclass

import pytest

from tests.calibrated import calibrated
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Reader


@dataclass(frozen=True)
class Table:
    renderer: Renderer
    profile: TableProfile
    reader: Reader


@pytest.fixture(scope="module")
def table():
    """A side lamp and a board whose seats go round the other way."""
    plan = Plan(Board(("red", "blue", "yellow", "green")))
    renderer = Renderer(plan, look_for(1), size=(1536, 864), seed=1)
    profile = calibrated(renderer.empty, renderer.start, plan.board.seats)
    return Table(renderer, profile, Reader(profile))
