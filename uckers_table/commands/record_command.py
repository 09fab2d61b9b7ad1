"""The commands on the record: list, show, export and import matches."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO, TextIO

from uckers_table.errors import InputError, RecordingError
from uckers_table.keeping.rebuilding import rebuild
from uckers_table.record.backup import Copied, backup, restore
from uckers_table.record.claims import refuse_while_claimed
from uckers_table.record.exchange import checked, from_json, to_csv, to_json
from uckers_table.record.honours import as_svg, beer_owed, honours_of
from uckers_table.record.library import Library
from uckers_table.record.match_record import TOLD, MatchRecord, MatchSummary, Ruled, Thrown
from uckers_table.record.mending import mend
from uckers_table.record.notation import to_text
from uckers_table.record.notation_reader import from_text
from uckers_table.record.statistics import Statistics, statistics_of
from uckers_table.record.store import DATABASE, MatchStore
from uckers_table.record.thinning import MEGABYTE

LARGEST_IMPORT = 64 * 2**20
"""Bytes; a whole evening is less than one of them in a hundred."""


def list_matches(folder: Path, *, json_lines: bool, out: TextIO) -> int:
    """A line a match, by number."""
    matches = Library(folder).matches()
    if json_lines:
        for summary in matches:
            print(json.dumps(asdict(summary), ensure_ascii=False), file=out)
    elif not matches:
        print(f"No matches are kept in {folder}.", file=out)
    else:
        print(f"{'match':>5}  {'begun':<16}  {'rules':<16}  {'lasted':>7}  {'throws':>6}  result", file=out)
        for each in matches:
            rules = each.terms.title or each.terms.rules
            print(
                f"{each.number:>5}  {_date(each):<16}  {rules:<16.16}  {_clock(each.lasted_s):>7}"
                f"  {each.throws:>6}  {_result(each)}",
                file=out,
            )
    return 0


def show_match(folder: Path, number: int, *, json_lines: bool, out: TextIO) -> int:
    """A match in words: who and what, and every throw and ruling, each ruling with its number."""
    match = Library(folder).match(number)
    if json_lines:
        print(json.dumps(to_json(match), ensure_ascii=False), file=out)
    else:
        print("\n".join([*_about(match), "", *_told(match)]), file=out)
    return 0


def export_match(folder: Path, number: int, kind: str, target: Path | None, out: TextIO) -> int:
    """Write a match to a file, whole or not at all, or to standard output."""
    match = Library(folder).match(number)
    content = _in_format(match, kind)
    if target is not None:
        write_whole(target, content)
    elif kind != "gif":
        out.write(content.decode("utf-8"))
    else:
        binary: BinaryIO | None = getattr(out, "buffer", None)
        if out.isatty() or binary is None:
            raise InputError("a film is no text: name a file for it, as in -o match.gif")
        binary.write(content)
    return 0


def _in_format(match: MatchRecord, kind: str) -> bytes:
    match kind:
        case "text":
            return to_text(match).encode("utf-8")
        case "json":
            return (json.dumps(to_json(match), ensure_ascii=False, indent=1) + "\n").encode("utf-8")
        case "csv":
            return to_csv(match).encode("utf-8")
        case _:
            from uckers_table.record.film import film

            return film(match)


def import_match(folder: Path, source: Path, out: TextIO) -> int:
    """Take a match from a file in either form into the record, under a number of its own."""
    try:
        if source.stat().st_size > LARGEST_IMPORT:
            raise InputError(f"{source}: is too large for a match")
        text = source.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}; name a file that `export` wrote") from None
    except UnicodeDecodeError:
        raise InputError(f"{source}: is no text in UTF-8; name a file that `export` wrote") from None
    read = from_json if text.lstrip().startswith("{") else from_text
    match = checked(read(text, str(source)), str(source))
    with closing(MatchStore(folder)) as store:
        number = store.add_match(match)
    print(f"Match {number}: {len(match.throws)} throws, {len(match.rulings)} rulings.", file=out)
    return 0


def recover(folder: Path, out: TextIO) -> int:
    """Mend a damaged record, and judge again the recordings of matches whose rulings are not in it.

    1 if there was a recording that cannot be judged again. RecordError while a table is at a match,
    InputError where there is no record.
    """
    if not (folder / DATABASE).exists():
        raise InputError(f"{folder}: there is no record here; name its folder with --record")
    refuse_while_claimed(folder)
    done = mend(folder)
    print(f"{done}." if done else f"{folder}: the record is sound.", file=out)
    library = Library(folder)
    last, is_whole = library.last_played(), True
    for summary in library.matches():
        match = library.match(summary.number)
        if match.rulings or not match.recording:
            continue
        try:
            # The last match may be the one that a table goes on with.
            entries = rebuild(folder, summary.number, is_over=summary.number != last)
        except RecordingError as error:
            print(f"Match {summary.number}: {error}", file=out)
            is_whole = False
            continue
        print(f"Match {summary.number}: {entries} entries from its recording.", file=out)
    return 0 if is_whole else 1


def back_up(folder: Path, stick: Path, *, is_forced: bool, out: TextIO) -> int:
    """Copy the record to a stick, and say what there is on it."""
    copied = backup(folder, stick, is_forced=is_forced)
    size = f"{copied.size / MEGABYTE:.1f} MB"
    print(
        f"{_held(copied)}, {size}; {copied.new} of them new. Checked.",
        file=out,
    )
    return 0


def put_back(stick: Path, folder: Path, *, is_forced: bool, out: TextIO) -> int:
    """Put a backup in the record's place."""
    copied = restore(stick, folder, is_forced=is_forced)
    print(f"{_held(copied)} are back in {folder}. Checked.", file=out)
    if copied.aside is not None:
        print(f"What was there before lies in {copied.aside}.", file=out)
    return 0


def print_statistics(folder: Path, *, json_lines: bool, out: TextIO) -> int:
    """What can be counted in all the matches of a record, and what is to be thought of the dice."""
    library = Library(folder)
    counted = statistics_of(library.match(each.number) for each in library.matches())
    if json_lines:
        print(json.dumps(asdict(counted), ensure_ascii=False), file=out)
    else:
        print("\n".join(_statistics_lines(counted)), file=out)
    return 0


def _statistics_lines(counted: Statistics) -> Iterator[str]:
    number, throws = _some(counted.matches, "match", "matches"), _some(counted.throws, "throw")
    faults = f"{_some(counted.faults, 'time')} cocked or dropped"
    overruled = _some(counted.overruled, "time")
    yield f"{number}, {throws}, {faults}; the referee was overruled {overruled}."
    heading = f"{'won':>7}  throws  sixes  doubles  caught  stood  sent back  luck"
    for title, tallies in (("side", counted.sides), ("player", counted.players)):
        if tallies:
            yield ""
            yield f"{title:<16}{heading}"
        for each in tallies:
            won = f"{each.won}/{each.matches}"
            yield (
                f"{each.who:<16.16}{won:>7}  {each.throws:>6}  {each.sixes:>5}  {each.doubles:>7}"
                f"  {each.caught:>6}  {each.stood:>5}  {each.sent_back:>9}  {each.luck_in_words}"
            )
    if counted.throws:
        yield ""
        yield "The dice (nothing tells the two apart, so they are taken together):"
        yield "  ".join(f"{face}: {count}" for face, count in enumerate(counted.faces, start=1))
        for test in counted.tests:
            p = "" if test.p is None else f"  (p = {test.p:.3g})"
            yield f"{test.name.capitalize()}: {test.says}{p}"


def print_honours(folder: Path, target: Path | None, out: TextIO) -> int:
    """The back of the board, printed; or drawn, into a file."""
    library = Library(folder)
    honours = honours_of(library.match(each.number) for each in library.matches())
    if target is not None:
        write_whole(target, as_svg(honours).encode("utf-8"))
        return 0
    for honour in honours:
        losers, winners = " and ".join(honour.losers), " and ".join(honour.winners)
        when = honour.date or "date unknown"
        print(f"{honour.match:>5}  {when:<12}  {losers}: {honour.words} by {winners}", file=out)
    if not honours:
        print("Nobody is on the back of the board.", file=out)
    for who, crates in beer_owed(honours).items():
        print(f"{who} owes {crates} {'crate' if crates == 1 else 'crates'} of beer.", file=out)
    return 0


def write_whole(target: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole or not at all; InputError when it cannot be written."""
    beside = target.with_name(f".{target.name}.part")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise InputError(f"{target}: cannot be written ({error.strerror}); name another file") from None


def _about(match: MatchRecord) -> Iterator[str]:
    summary, terms = match.summary, match.summary.terms
    date = _date(summary) + (" (as a phone told)" if summary.clock == TOLD else "")
    yield f"Match {summary.number}, {date}: {terms.title or terms.rules}, {terms.players} players"
    if terms.options:
        yield "Options:  " + ", ".join(f"{name} = {value}" for name, value in sorted(terms.options.items()))
    names = terms.names
    seats = [f"{colour} ({names[colour]})" if colour in names else colour for colour in terms.seats]
    yield f"Seats:    {', '.join(seats)}; {match.started or 'nobody'} started"
    yield f"Result:   {_result(summary)}, after {_clock(summary.lasted_s)}"
    stood = f"{_some(len(match.stood), 'board')} stood that did not follow"
    yield f"Throws:   {summary.throws}; {stood}; {_some(len(match.overruled), 'ruling')} taken back"
    if match.recording:
        yield f"Judge it again: uckers-table replay {match.recording} (in the record's folder)"


def _told(match: MatchRecord) -> Iterator[str]:
    number = 0
    for entry in match.entries:
        when = f"{_clock(entry.t):>7}  {entry.side or '':<7}"
        if isinstance(entry, Thrown):
            what = " and ".join(map(str, entry.dice)) or entry.state
            purpose = f" for {entry.purpose}" if entry.purpose not in ("", "play") else ""
            yield f"       {when} throws {what}{purpose}"
        elif isinstance(entry, Ruled):
            number += 1
            moves = ", ".join(f"{move.colour} {move.start} → {move.end}" for move in entry.moves)
            gone = " (taken back)" if number in match.overruled else ""
            kept = "; ".join(_picture_line(match, number))
            told = " · ".join(filter(None, [entry.ruling.replace("_", " ") + gone, moves, entry.say, kept]))
            yield f"{number:>5}  {when} {told}"
        else:
            yield f"       {when} calls {entry.call.replace('_', ' ')}"


def _picture_line(match: MatchRecord, number: int) -> Iterator[str]:
    pictures = match.pictures.get(number, ())
    there = sum(not picture.removed for picture in pictures)
    if there:
        yield f"{there} pictures"
    for why in sorted({picture.removed for picture in pictures if picture.removed}):
        yield f"{sum(picture.removed == why for picture in pictures)} pictures removed {why}"


def _date(summary: MatchSummary) -> str:
    return summary.begun[:16].replace("T", " ") if summary.begun else "date unknown"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def _some(number: int, what: str, whats: str = "") -> str:
    """So many of a thing; `whats` are several where that takes more than an s."""
    return f"{number} {what}" if number == 1 else f"{number} {whats or f'{what}s'}"


def _held(copied: Copied) -> str:
    return f"{_some(copied.matches, 'match', 'matches')} in {_some(copied.files, 'file')}"


def _result(summary: MatchSummary) -> str:
    if summary.winner is None:
        return "not finished"
    if not summary.winner:
        return "left"
    honours = "".join(f", {honour.replace('_', ' ')}" for honour in summary.honours)
    return f"{' and '.join(summary.winner)} won{honours}"
