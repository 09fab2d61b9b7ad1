"""The table as a program: set up, run until its evening ends, and what there is to say of it then."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TextIO

from uckers_table.announce.rules_in_words import rule_warnings
from uckers_table.config import Config, with_own_settings
from uckers_table.errors import ConfigError
from uckers_table.machine.heap import share_heaps
from uckers_table.machine.journal import log_as
from uckers_table.machine.notify import Supervisor
from uckers_table.machine.starts import ANEW, Starts, starts_kept_in
from uckers_table.table.inbox import Inbox
from uckers_table.table.left_out import parts_to_count, started_without
from uckers_table.table.loop import Table
from uckers_table.table.news import News
from uckers_table.table.parts import build_parts, first_match
from uckers_table.table.refereeing import Outcome
from uckers_table.table.serving import OpenPage, open_page
from uckers_table.table.views import PlainView, View

if TYPE_CHECKING:
    from uckers_table.simulator.people import Happening

LEAST_COLUMNS, LEAST_ROWS = 80, 24
"""A terminal that is smaller has no room for the screen."""
_CHEATS = {
    "padded": "counts too long",
    "trimmed": "counts too short",
    "wrong_side": "pieces of others",
    "timber_shift": "timber shifts",
}
"""What the demo's kinds of cheating are called."""


def run_table(config: Config, *, out: TextIO) -> int:
    """Referee the table that a configuration describes, and say where everything is. The exit status.

    KeyboardInterrupt, when all is closed and said, where an interrupt has ended it (or at once by a second).
    RulesError, before anything is set up or said, when the match that it asks for makes no sense.
    """
    share_heaps()
    log_as(config.log)
    config, trouble = with_own_settings(config)
    if trouble:
        print(trouble, file=out, flush=True)
    for warning in rule_warnings(first_match(config).rules):
        print(f"Mind the rules: {warning}", file=out, flush=True)
    if config.camera == "simulated":
        print(
            "Setting up the simulated table and calibrating it from two of its pictures …",
            file=out,
            flush=True,
        )
    inbox = Inbox[News]()
    supervisor = Supervisor(os.environ)
    starts = Starts(starts_kept_in(config.record, os.environ), parts_to_count(config))
    for part in sorted(starts.left_out):
        print(started_without(part).sentence, file=out, flush=True)
    parts = build_parts(config, inbox.post, starts=starts)
    with ExitStack() as closing:
        page = open_page(config, inbox, closing, out)
        # At a table that nobody sits at, somebody has to begin.
        begins = page.invitation is None or config.camera == "simulated"
        view = view_for(out, headless=config.headless, page=page)
        supervisor.starting()
        table = Table(
            config, parts, inbox, view, page=page, begins=begins, supervisor=supervisor, starts=starts
        )
        is_interrupted = closing.enter_context(_ended_by_signals(inbox))
        outcome = table.run()
    if outcome is not None:
        print("\n".join([*_summary(outcome), *_score(parts.truth())]), file=out, flush=True)
    if table.is_switched_off and config.switch_off:
        _switch_off(config.switch_off)
    if is_interrupted():
        raise KeyboardInterrupt
    return ANEW if table.starts_anew else 0


def view_for(out: TextIO, *, headless: bool, page: OpenPage | None = None) -> View:
    """A screen on a terminal that is large enough, with the way to the page; plain lines anywhere else."""
    if headless or not out.isatty():
        return PlainView(out)
    # Only here: a service draws no screen.
    from rich.console import Console

    from uckers_table.table.terminal import TerminalView

    console = Console(file=out)
    if not console.is_terminal or console.width < LEAST_COLUMNS or console.height < LEAST_ROWS:
        return PlainView(out)
    return TerminalView(console, page.in_a_line if page is not None else str)


@contextmanager
def _ended_by_signals(inbox: Inbox[News]) -> Iterator[Callable[[], bool]]:
    """While this lasts, SIGTERM or SIGINT ends the table in good order; its match goes on at the next start.

    Gives whether it was SIGINT. A second one is a KeyboardInterrupt wherever the program is.
    """
    came = set[int]()

    def end(number: int, _: object) -> None:
        came.add(number)
        if number == signal.SIGINT:
            signal.signal(number, signal.default_int_handler)
        inbox.interject(None)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield lambda: signal.SIGINT in came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _switch_off(command: str) -> None:
    """Run the command that switches the machine off, now that everything is on the card."""
    try:
        subprocess.run(shlex.split(command), check=True, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise ConfigError(
            f"the machine was not switched off ({error}): 'switch_off' is {command!r}; may this user do that?"
        ) from None


def _summary(outcome: Outcome) -> list[str]:
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
    return lines


def _score(truth: Sequence[Happening]) -> list[str]:
    """What became of the cheats that people tried at a simulated table; nothing of a real one."""
    if not truth:
        return []
    # Only here: a service plays with nobody.
    from uckers_table.simulator.score import ASKED, CAUGHT, MISSED, accused_wrongly, cheat_score

    score = cheat_score(truth)
    every = sum(score.values(), Counter[str]())
    if not every.total():
        return ["Cheats:     none was tried"]
    fates = {CAUGHT: "caught", ASKED: "asked about", MISSED: "missed"}
    said = (f"{every[fate]} {words}" for fate, words in fates.items() if every[fate] or fate == CAUGHT)
    kinds = (f"{_CHEATS.get(kind, kind)} {one[CAUGHT]} of {one.total()}" for kind, one in score.items())
    wrongly = accused_wrongly(truth)
    innocent = f"accused {'once' if wrongly == 1 else f'{wrongly} times'}" if wrongly else "never accused"
    return [
        f"Cheats:     {every.total()} tried: {', '.join(said)}; who played fair was {innocent}",
        f"            caught by kind: {', '.join(kinds)}",
    ]
