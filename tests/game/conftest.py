"""Positions for tests that try many."""

import pytest

from uckers_table.game.board import BASE


@pytest.fixture(scope="session")
def crowded():
    """Makes positions from a setting and a source of chance (`random_position`)."""
    return random_position


def random_position(setting, rng, shared=0.0):
    """Pieces crowded together, so that blobs, captures and mixed squares meet.

    `shared` is how often enemies share one: a board on which somebody was not sent back may have been left.
    """
    board, crowd = setting.board, rng.randrange(setting.board.track)
    holders, position = {}, []
    for seat in range(board.arms):
        team, four = min(setting.teams[seat]), []
        while len(four) < 4:
            steps = random_steps(board, seat, crowd, four, rng)
            square = board.square(seat, steps)
            is_free = square is None or holders.setdefault(square, team) == team or rng.random() < shared
            four.append(steps if is_free else BASE)
        position.append(tuple(sorted(four)))
    return tuple(position)


def random_steps(board, seat, crowd, mates, rng):
    """Where one piece might stand: with a mate, in base, home, in its chute, or near the crowd."""
    kind = rng.random()
    if mates and kind < 0.35:
        return rng.choice(mates)
    if kind < 0.5:
        return BASE
    if kind < 0.58:
        return board.home
    if kind < 0.68:
        return rng.choice(board.chute)
    return max(BASE, board.steps_on(seat, (crowd + rng.randrange(12)) % board.track))
