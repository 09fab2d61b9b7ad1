"""A noisy match's events, as recorded: judged again after a restart, and torn, doubled and shuffled."""

import random
from dataclasses import replace

import pytest

from uckers_table.game.match import begin
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import Due, event_from_json, event_to_json
from uckers_table.referee.referee import Referee
from uckers_table.trial import watched

SETTING = load_setting("submariners")
MANY = 2500


class EnoughHeardError(Exception):
    """Enough was recorded."""


@pytest.fixture(scope="module")
def lines():
    """The recorded events of a match's beginning, read with three times the usual noise."""
    heard = []

    class Recorded(watched._Watch):
        def _handle(self, event):
            if len(heard) == MANY:
                raise EnoughHeardError
            heard.append(event_to_json(event, SETTING.board))
            super()._handle(event)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watched, "_Watch", Recorded)
        with pytest.raises(EnoughHeardError):
            watched.watched_match(SETTING, watched.Errors("uniform:2", 3.0), "recorded", camera_dice=True)
    return heard


def judged(referee, lines, *, live=False):
    """What is ruled on these lines, and the referee after them; `live` asks it when it wants to be asked."""
    ruled = []
    for line in lines:
        event = event_from_json(line, SETTING.board, referee.match.position)
        events = [event]
        if live and referee.deadline is not None and referee.deadline <= event.t:
            events.insert(0, Due(referee.deadline))
        for each in events:
            response = referee.handle(each)
            referee = response.referee
            ruled += response.rulings
    return ruled, referee


def new_referee():
    return Referee(begin(SETTING), dice_from="camera")


@pytest.fixture(scope="module")
def unbroken(lines):
    """What is ruled where nobody restarts the referee, and the referee after it."""
    return judged(new_referee(), lines, live=True)


@pytest.mark.parametrize("cut", [17, 400, 1111, 2023])
def test_a_referee_restarted_from_its_recorded_events_goes_on_with_the_same_rulings(lines, unbroken, cut):
    ruled, after = unbroken
    before, restarted = judged(new_referee(), lines[:cut])
    later, after_restart = judged(restarted, lines[cut:], live=True)
    assert len(ruled) > 20
    assert before + later == ruled
    assert after_restart == after


@pytest.mark.parametrize("seed", range(4))
def test_events_missing_doubled_or_out_of_order_lose_no_piece_and_raise_nothing(lines, seed):
    rng = random.Random(seed)
    referee, t = new_referee(), 0.0
    begun = rng.randrange(len(lines) // 2)
    for start in range(begun, begun + 600, 6):
        few = [line for line in lines[start : start + 6] for _ in range(rng.choice((0, 1, 1, 1, 2)))]
        rng.shuffle(few)
        for line in few:
            t += rng.choice((0.0, 0.3, 0.5, 4.0))
            event = replace(event_from_json(line, SETTING.board, referee.match.position), t=t)
            referee = referee.handle(event).referee
            assert [len(pieces) for pieces in referee.match.position] == [4, 4, 4, 4]
