"""The command line: arguments in, exit status out. What a verb does stands in the module of its name.

Exit statuses: 0 done (and all holds), 1 judged and not all holds, 2 the input cannot be used, or the program
is at fault; from `run` 78 where the configuration cannot be used.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from difflib import get_close_matches
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NoReturn

from uckers_table import __version__
from uckers_table.commands.status import UNUSABLE, one_line
from uckers_table.errors import UckersTableError
from uckers_table.foreign.words import PlainStream, printable
from uckers_table.machine.journal import keep_traceback

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs as _SubParsers
else:
    _SubParsers = argparse._SubParsersAction

VERBS = (
    *("run", "demo", "config"),
    *("photo", "calibrate", "read", "dice"),
    *("judge", "rules", "replay"),
    *("matches", "show", "export", "import", "statistics", "honours", "recover", "backup", "restore"),
    *("pin", "doctor", "report", "upkeep", "network", "stopped", "clips", "tower"),
    *("trial", "soak"),
)
"""As `--help` lists them. Each has a module here; Python's own words have an underscore behind."""


DRAWING = ("run", "demo", "trial", "soak")
"""Those that move a terminal's cursor themselves."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the process's exit status. Without `argv` it is the program's own, to end with."""
    status = _status_of(sys.argv[1:] if argv is None else argv)
    if argv is None and threading.active_count() > 1:
        # One that hangs in a driver, or answers a page, or was not waited for because somebody interrupted
        # that. Python would wait for some of them for ever. Where one is in OpenCV as the interpreter ends,
        # the process would abort.
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(status)
    return status


def _status_of(argv: Sequence[str]) -> int:
    try:
        if not argv:
            parser().print_help()
            return 0
        # Only the verb that is asked for is loaded: the eyes alone take seconds on a Pi.
        arguments = parser([word for word in argv[:1] if word in VERBS] or VERBS).parse_args(argv)
        with _plain_output(arguments.command):
            return int(arguments.run(arguments))
    except UckersTableError as error:
        print(f"uckers-table: {one_line(error)}", file=sys.stderr)
        return UNUSABLE
    except PermissionError as error:
        # As of a record that is the table's own user's.
        said = f"{error.filename or 'a file'}: {error.strerror}"
        print(f"uckers-table: {printable(said)}; try with sudo", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        # Whoever read our output has seen enough (`uckers-table replay … | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        # Nobody at a table can do anything with a traceback, and who mends the program needs it.
        what = f"{' '.join(argv[:1])}: {type(error).__name__}: {one_line(error)}"
        said = f"{printable(what)}: that is a fault of this program; {keep_traceback(error)}"
        print(f"uckers-table: {said}", file=sys.stderr)
        return UNUSABLE


@contextmanager
def _plain_output(verb: str) -> Iterator[None]:
    """While it lasts, what is printed commands no terminal, whoever wrote it; a verb that draws may."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that lacks a character is shown its number.
            stream.reconfigure(errors="backslashreplace")
    if verb in DRAWING:
        yield
        return
    with redirect_stdout(PlainStream(sys.stdout)), redirect_stderr(PlainStream(sys.stderr)):
        yield


def parser(verbs: Sequence[str] = VERBS) -> argparse.ArgumentParser:
    """The command line with these verbs."""
    whole = _Parser(prog="uckers-table", description="A referee for Uckers on a real board.")
    whole.add_argument("--version", action="version", version=f"uckers-table {__version__}")
    added = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for verb in verbs:
        import_module(f"uckers_table.commands.{verb}{'_' if iskeyword(verb) else ''}").add(added)
    return whole


class _Help(argparse.HelpFormatter):
    """Says with every option what it is when it is left out, unless its line says so itself."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        said, default = action.help, action.default
        if (
            not said
            or "default" in said
            or default is None
            or default is False
            or default in ([], argparse.SUPPRESS)
        ):
            return said
        return (
            f"{said} (default: {default:g})" if isinstance(default, float) else f"{said} (default: {default})"
        )


class _Words(_SubParsers):
    """The verbs, or a verb's own words. Each heads its page of help with its line of the list."""

    def add_parser(self, name: str, **given: Any) -> argparse.ArgumentParser:
        line = str(given["help"])
        given.setdefault("description", f"{line[:1].upper()}{line[1:]}.")
        return super().add_parser(name, **given)


class _Parser(argparse.ArgumentParser):
    """One whose complaints are one line, as all others are, and say what may have been meant."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"formatter_class": _Help} | given)
        self.register("action", "parsers", _Words)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = list(map(str, action.choices))
        near = get_close_matches(str(value), known, 1)
        meant = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"
        is_word = isinstance(action, _Words)
        raise argparse.ArgumentError(None if is_word else action, f"there is no '{value}'; {meant}")

    def error(self, message: str) -> NoReturn:
        joint = " " if message.endswith("?") else "; "
        self.exit(UNUSABLE, f"{self.prog}: {message}{joint}`{self.prog} --help` tells what there is\n")
