"""`uckers-table import`: takes a match into the record that was exported elsewhere."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.commands.options import add_record, own_record_of
from uckers_table.commands.printing import told_on
from uckers_table.errors import InputError
from uckers_table.foreign.documents import text_of
from uckers_table.machine.progress import Progress
from uckers_table.record.checking import on_a_board
from uckers_table.record.exchange import from_json
from uckers_table.record.identity import identify_all, identity_of
from uckers_table.record.match_record import MatchRecord
from uckers_table.record.notation_reader import from_text
from uckers_table.record.store import MatchStore, TakenIn

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("import", help="take a match into the record that was exported elsewhere")
    parser.add_argument("file", type=Path, metavar="FILE", help="a match as text or JSON")
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Take the match in. The exit status."""
    return import_match(own_record_of(arguments), arguments.file, out=sys.stdout)


def import_match(folder: Path, source: Path, out: TextIO) -> int:
    """Take a match from a file in either form into the record, under a number of its own.

    One that is there already is not taken in again.
    """
    with told_on(sys.stderr) as tell:
        tell(Progress("Reading the file", 1, 3))
        read = _match_in(source)
        tell(Progress("Playing it through on a board", 2, 3))
        match = on_a_board(read, str(source))
        match = replace(match, summary=replace(match.summary, identity=identity_of(match)))
        tell(Progress("Putting it on record", 3, 3))
        identify_all(folder)
        with closing(MatchStore(folder)) as store:
            taken = store.take_in(match)
    print(_said(taken, match), file=out)
    return 0


def _match_in(source: Path) -> MatchRecord:
    """The match in a file, as it says itself; InputError names the file that has none."""
    try:
        text = text_of(source)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}; name a file that `export` wrote") from None
    except UnicodeDecodeError:
        raise InputError(f"{source}: is no text in UTF-8; name a file that `export` wrote") from None
    read = from_json if text.lstrip().startswith("{") else from_text
    return read(text, str(source))


def _said(taken: TakenIn, match: MatchRecord) -> str:
    """What became of the match, in a line."""
    holds = f"{len(match.throws)} throws, {len(match.rulings)} rulings"
    if not taken.is_new:
        return f"Match {taken.number} is that match already: nothing was taken in."
    if taken.is_known:
        return f"Match {taken.number} has gone on since it was taken in: {holds} now."
    return f"Match {taken.number}: {holds}."
