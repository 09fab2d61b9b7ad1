"""The table at work: one queue, one loop, one match after the other.

Every device has a thread that puts what it has to say into the queue; the loop takes it off in order and
gives it to the match that is on. What goes to people never blocks it.

Where the table is simulated, or read from pictures, its source waits until each thing has been dealt with,
so that the same seed gives the same match on any machine.
"""

from __future__ import annotations

import shlex
import subprocess
from contextlib import ExitStack
from typing import TextIO

from uckers_table.announce.oled import Notice, draw
from uckers_table.config import Config
from uckers_table.devices.base import DeviceEvent, Held
from uckers_table.errors import ConfigError, UckersTableError
from uckers_table.inbox import Inbox
from uckers_table.news import Look, News
from uckers_table.parts import Parts, build_parts, first_match
from uckers_table.referee.referee import Referee
from uckers_table.refereeing import Outcome, Refereeing
from uckers_table.terminal import View, view_for
from uckers_table.watcher import Watcher

SWITCHING_OFF = Notice("SWITCHING OFF", "The match is kept. Pull the plug when the green light is out.")


class Table:
    """One table. Build it, `run` it once, and it closes what it was given.

    What it was given is closed also when it cannot be built. RecordError when the record cannot be kept;
    ProfileError when the camera's pictures do not fit the profile.
    """

    def __init__(self, config: Config, parts: Parts, inbox: Inbox[News], view: View) -> None:
        self._parts, self._inbox = parts, inbox
        self._clock = parts.clock
        self.is_switched_off = False
        with ExitStack() as closing:
            closing.callback(view.close)
            closing.callback(parts.close)
            referee = Referee(first_match(config), dice_from=config.dice)
            self._watcher = Watcher(parts.camera, parts.profile, inbox)
            self._refereeing = Refereeing(config, referee, parts, view, begun=0.0)
            closing.callback(self._refereeing.close)
            self._closing = closing.pop_all()

    def run(self) -> Outcome:
        """Referee until the match is over, the camera's source ends, or somebody interrupts."""
        parts = self._parts
        with self._closing as closing:
            closing.callback(self._leave)
            self._inbox.open(self._clock, patient=parts.camera.waits)
            parts.tower.listen(self._inbox.post)
            parts.buttons.listen(self._inbox.post)
            self._watcher.start()
            self._loop()
        return self._refereeing.outcome

    def _leave(self) -> None:
        self._inbox.close()
        self._watcher.stop()

    def _loop(self) -> None:
        refereeing = self._refereeing
        now = self._clock.now()
        while not (self.is_switched_off or refereeing.is_over(now)):
            due = refereeing.due
            letter = self._inbox.take(self._clock.wait_s(due) if due is not None else None)
            now = letter.t if letter is not None else self._clock.now()
            if letter is None:
                refereeing.fall_due(now)
                continue
            try:
                if letter.content is None:
                    return
                self._deal_with(now, letter.content)
            finally:
                letter.dealt_with.set()

    def _deal_with(self, now: float, news: DeviceEvent | Look | UckersTableError) -> None:
        if isinstance(news, UckersTableError):
            raise news
        if isinstance(news, Held):
            self.is_switched_off = True
            self._parts.display.show(draw(SWITCHING_OFF), stays=True)
            return
        self._refereeing.deal_with(now, news)


def run_table(config: Config, *, out: TextIO) -> int:
    """Referee the table that a configuration describes, and say where everything is. The exit status.

    RulesError, before anything is set up or said, when the match that it asks for makes no sense.
    """
    first_match(config)
    if config.camera == "simulated":
        print(
            "Setting up the simulated table and calibrating it from two of its pictures …",
            file=out,
            flush=True,
        )
    inbox = Inbox[News]()
    parts = build_parts(config, inbox.post)
    table = Table(config, parts, inbox, view_for(out, headless=config.headless))
    outcome = table.run()
    print(_summary(outcome), file=out, flush=True)
    if table.is_switched_off and config.switch_off:
        _switch_off(config.switch_off)
    return 0


def _switch_off(command: str) -> None:
    """Run the command that switches the machine off, now that everything is on the card."""
    try:
        subprocess.run(shlex.split(command), check=True, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise ConfigError(
            f"the machine was not switched off ({error}): 'switch_off' is {command!r}; may this user do that?"
        ) from None


def _summary(outcome: Outcome) -> str:
    if outcome.winner:
        result = f"{' and '.join(outcome.winner).capitalize()} won."
    else:
        result = "No result: the match was not finished."
    lines = [
        " ".join([result, *(honour.replace("_", " ").capitalize() + "." for honour in outcome.honours)]),
        f"Rulings:    {outcome.rulings}",
        f"Record:     {outcome.record} (match {outcome.match_id})",
        f"Recording:  {outcome.recording}",
        f"            judge it again: uckers-table replay {outcome.recording}",
    ]
    if outcome.evidence:
        lines.append(f"Evidence:   {len(outcome.evidence)} pictures in {outcome.evidence[0].parent}")
    return "\n".join(lines)
