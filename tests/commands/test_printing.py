"""What a command that takes a while says meanwhile, on a terminal."""

import io
from functools import partial

from tests.patience import HANGS_S, until
from uckers_table.commands.printing import told_on
from uckers_table.foreign.words import ERASED, STAND_IN, PlainStream, printable
from uckers_table.machine.progress import Progress

AT_ONCE = (0.0, 0.001)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def is_said(step, out):
    return printable(step.in_words) in out.getvalue()


def say_all(out, *steps):
    """What is said of steps that each last until something was said of it."""
    with told_on(out, pace_s=AT_ONCE) as tell:
        for step in steps:
            tell(step)
            until(partial(is_said, step, out))
    return out.getvalue()


def test_a_log_has_none_of_it(monkeypatch):
    monkeypatch.setattr("uckers_table.commands.printing.Worker", None)
    out = io.StringIO()
    with told_on(out, pace_s=AT_ONCE) as tell:
        tell(Progress("Copying", 1, 40, "files"))
    assert out.getvalue() == ""


def test_a_terminal_has_one_line_which_is_gone_when_it_is_done():
    said = say_all(Terminal(), Progress("Copying", 1, 40, "files"), Progress("Finishing", 1, 2))
    assert said.split(ERASED) == ["", "Copying: 1 of 40 files (2%)", "Finishing (step 1 of 2)", ""]


def test_a_command_s_own_words_are_let_through_to_its_terminal():
    out = Terminal()
    said = say_all(PlainStream(out), Progress("Copying\x1b[2J", 1, 2))
    assert said == out.getvalue() == f"{ERASED}Copying{STAND_IN}[2J (step 1 of 2){ERASED}"


def test_what_is_done_at_once_says_nothing():
    for out in (io.StringIO(), Terminal()):
        with told_on(out, pace_s=(HANGS_S, HANGS_S)) as tell:
            tell(Progress("Copying", 1, 40, "files"))
        assert out.getvalue() == ""
