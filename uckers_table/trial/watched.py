"""One simulated match, watched by a referee: what it ruled, beside what really happened."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from uckers_table.announce.sentences import say
from uckers_table.devices.base import Frame
from uckers_table.devices.pins import NUMBERED
from uckers_table.errors import CalibrationError
from uckers_table.game.board import Plan
from uckers_table.game.events import CALLS, Awaiting, Call
from uckers_table.game.match import Match, begin
from uckers_table.game.ruling import Kind
from uckers_table.game.setting import Setting
from uckers_table.referee.events import ButtonPressed, CallMade, DiceFault, Event, Seen, ThrowMade
from uckers_table.referee.referee import Referee
from uckers_table.referee.rulings import NoticeKind
from uckers_table.sighting import Sighting
from uckers_table.simulator.cheats import CROOKED, SHIFTS
from uckers_table.simulator.interfaces import Painter, Unpainted, Word
from uckers_table.simulator.manners import Manners
from uckers_table.simulator.scene import Scene
from uckers_table.simulator.world import SimulatedTable
from uckers_table.trial.eyes import NoisyEyes
from uckers_table.trial.law import measured
from uckers_table.trial.noise import Lasting, Noise
from uckers_table.trial.readings import MeasuredEyes
from uckers_table.trial.weighing import Heard, LogLine, MatchAccount, Who, weigh

RENDERED_PX = 1536, 864
"""The size of the demo's pictures."""
CHEATS = 8
"""Cheats that are tried in a match."""
LIVELY = Manners(
    pace=(0.4, 1.6),
    hurry=0.06,
    slips=0.03,
    across=0.005,
    eager=0.004,
    rigs=0.005,
    says_done=0.03,
    leaves_it=0.3,
    crooked=tuple(CROOKED),
    shifts=tuple(SHIFTS),
)
"""People as they are at a table late in the evening."""
UNRULY = replace(
    LIVELY,
    changes_mind=0.01,
    across_twice=0.001,
    throws_again=0.003,
    says_undo=0.01,
    kicks=0.001,
    plays_on=0.1,
    puts_back_wrong=0.1,
    swaps_late=0.002,
    throws_on=0.1,
    calls_over=0.1,
    leans_over=0.003,
    dark=0.002,
    leaves_knocked=0.05,
    wrong_base=0.02,
    deaf=0.1,
)
"""The same, when they don't do as the referee says. Nobody has counted how often: the shares are guessed."""


WORDS: Mapping[Kind | NoticeKind, Word] = {
    Kind.ILLEGAL: Word.ACCUSED,
    Kind.TIMBER_SHIFT: Word.ACCUSED,
    Kind.COCKED: Word.DICE_REFUSED,
    Kind.DROPPED: Word.DICE_REFUSED,
    Kind.CALL_REFUSED: Word.CALL_REFUSED,
    NoticeKind.DICE_UNREAD: Word.DICE_REFUSED,
    NoticeKind.DICE_TURNED: Word.DICE_TURNED,
    NoticeKind.WHICH_CALL: Word.WHICH_CALL,
    NoticeKind.CHECK: Word.CHECK,
    NoticeKind.OUT_OF_STEP: Word.OUT_OF_STEP,
}
"""What people understand of the rulings that they do something upon, whatever is said."""
MEASURED = "measured"
"""What `--errors` calls the law of the real reader. All others are invented."""


@dataclass(frozen=True)
class Errors:
    """How a reader errs: the name of a law, and how many times as much as by that law."""

    law: str = MEASURED
    times: float = 1.0

    def eyes(self, plan: Plan, seed: str) -> NoisyEyes | MeasuredEyes:
        """A reader that errs so. InputError if there is no such law."""
        rng = random.Random(f"eyes {seed}")
        if self.law == MEASURED:
            return MeasuredEyes(plan, measured(), rng, self.times)
        return NoisyEyes(plan, Noise(self.times, lasting=Lasting.named(self.law)), rng)


class _Reads(NamedTuple):
    """How a frame is read, of which the scene is the truth; and how places are read again, if they are."""

    see: Callable[[Frame, Scene], Sighting]
    again: Callable[[Iterable[str]], None] = lambda places: None


def watched_match(
    setting: Setting,
    errors: Errors,
    seed: str,
    *,
    camera_dice: bool = False,
    manners: Manners = LIVELY,
) -> MatchAccount:
    """A whole match under a setting, read with errors, and what the referee made of it.

    Dice go down a tower, or with `camera_dice` are thrown on the board and read there.
    """
    plan = Plan(setting.board)
    watch = _Watch(begin(setting), _reads(plan, errors, seed), camera_dice, manners)
    return watch.run(Unpainted(plan), seed)


def events_of_match(setting: Setting, errors: Errors, seed: str) -> tuple[Event, ...]:
    """All events of such a match, as the referee is told them."""
    plan = Plan(setting.board)
    watch = _Recording(begin(setting), _reads(plan, errors, seed), camera_dice=False)
    watch.run(Unpainted(plan), seed)
    return tuple(watch.events)


def _reads(plan: Plan, errors: Errors, seed: str) -> _Reads:
    eyes = errors.eyes(plan, seed)
    return _Reads(lambda frame, scene: eyes.see(scene, frame.t), eyes.read_again)


def rendered_match(setting: Setting, seed: int, manners: Manners = LIVELY) -> MatchAccount:
    """A whole match played as in `watched_match`, painted frame by frame and read from the pixels.

    The reader may refuse the table's pictures. Then no match is played, and the account says so.
    """
    from uckers_table.simulator.look import look_for
    from uckers_table.simulator.render import Renderer
    from uckers_table.vision.calibrate import calibrate
    from uckers_table.vision.live import LiveReader

    renderer = Renderer(Plan(setting.board), look_for(seed), size=RENDERED_PX, seed=seed)
    try:
        reader = LiveReader(calibrate(renderer.empty, renderer.start, setting.board.seats))
    except CalibrationError as error:
        return MatchAccount(refused=True, said=[LogLine(0.0, Who.JUDGE, f"!! refused: {error}")])
    reads = _Reads(lambda frame, scene: reader.see(frame.image), reader.read_again)
    watch = _Watch(begin(setting), reads, False, manners)
    return watch.run(renderer, str(seed))


class _Watch:
    """A referee at a simulated table, with its tower and its button box."""

    world: SimulatedTable

    def __init__(self, match: Match, look: _Reads, camera_dice: bool, manners: Manners = LIVELY) -> None:
        self.referee = Referee(match, "camera" if camera_dice else "tower")
        self._look, self._camera_dice, self._manners = look, camera_dice, manners
        self._ruled: list[Heard] = []
        self._still_since = 0.0

    def throw(self, dice: tuple[int, ...]) -> bool:
        """Dice go into the tower."""
        self._handle(ThrowMade(self.world.now(), dice))
        return True

    def cocked(self) -> bool:
        """One lies tilted."""
        self._handle(DiceFault(self.world.now(), "cocked"))
        return True

    def dropped(self) -> bool:
        """One does not come to rest in the tower."""
        self._handle(DiceFault(self.world.now(), "dropped"))
        return True

    def press(self, name: str) -> None:
        """A button of the box."""
        t = self.world.now()
        if self.referee.choices and name in NUMBERED:
            self._handle(ButtonPressed(t, str(NUMBERED.index(name) + 1)))
        elif name == "suckback":
            self._handle(ButtonPressed(t, "call"))
        elif name in CALLS:
            self._handle(CallMade(t, Call(name)))
        else:
            self._handle(ButtonPressed(t, name))

    def run(self, painter: Painter, seed: str) -> MatchAccount:
        """The match to its end, and what the referee made of it."""
        self.world = SimulatedTable(
            self.referee.match,
            painter,
            None if self._camera_dice else self,
            self.press,
            seed=seed,
            cheats=CHEATS,
            manners=self._manners,
        )
        scene = Scene()
        while (frame := self.world.advance()) is not None:
            if self.world.scene != scene:
                scene, self._still_since = self.world.scene, frame.t
            self._handle(Seen(frame.t, self._look.see(frame, scene)))
        world = self.world
        return weigh(world.match.board, world.log, world.planted, self._ruled, in_step=self._is_in_step())

    def _is_in_step(self) -> bool:
        """Whether the match is over, and the referee has it so."""
        truth, held = self.world.match, self.referee.match
        is_over = self.world.over and truth.awaiting is Awaiting.OVER
        return is_over and (truth.position, truth.winner) == (held.position, held.winner)

    def _handle(self, event: Event) -> None:
        response = self.referee.handle(event)
        self.referee = response.referee
        if response.read_again:
            self._look.again(response.read_again)
        for timed in response.rulings:
            self._ruled.append(Heard(timed, self._still_since))
            sentence = say(timed.ruling, self.referee.match.board)
            if sentence:
                self.world.tell(sentence, WORDS.get(timed.ruling.kind))


class _Recording(_Watch):
    """The same, and it keeps what the referee is told."""

    def __init__(self, match: Match, look: _Reads, camera_dice: bool) -> None:
        super().__init__(match, look, camera_dice)
        self.events: list[Event] = []

    def _handle(self, event: Event) -> None:
        self.events.append(event)
        super()._handle(event)
