"""Matches, records and backups from elsewhere, mangled: taken in and shown, or refused in a line.

Whatever they say, no file is read, written or removed but those of the record's matches.
"""

import copy
import csv
import io
import json
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.fuzz.mangling import (
    EXTREMES,
    chances,
    fuzzed,
    mangled,
    said_in_one_line,
    with_numbers_changed,
    with_value_changed,
)
from tests.record.simulated_matches import simulated_match
from tests.web.counting import all_counted
from uckers_table.errors import UckersTableError
from uckers_table.record.backup import BACKUP, MANIFEST, backup
from uckers_table.record.exchange import to_json
from uckers_table.record.film import film
from uckers_table.record.honours import as_svg
from uckers_table.record.library import Library
from uckers_table.record.match_record import EVIDENCE
from uckers_table.record.notation import to_text
from uckers_table.record.store import DATABASE, MatchStore
from uckers_table.record.thinning import Budget
from uckers_table.record.upkeep import look_after
from uckers_table.web.recorded import (
    EXPORTS,
    honours_shown,
    match_shown,
    statistics_shown,
    summary_shown,
)

MATCH = simulated_match("br4006", "fuzz", throws=12, ends="upboard")
SECRET = "page.pin"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def filled(record):
    """A record with a match that has pictures, and what the machine keeps beside it."""
    with closing(MatchStore(emptied(record))) as store:
        number = store.take_in(MATCH).number
        for folder in ("evidence", "recording/frames"):
            (record / "0001" / folder).mkdir(parents=True)
        for what in EVIDENCE:
            file = f"0001/evidence/000001-illegal-{what}.jpg"
            (record / file).write_bytes(b"x" * 1000)
            store.add_picture(number, 1, what, file, 1000, 1.0)
        frame = "0001/recording/frames/00001.000.jpg"
        (record / frame).write_bytes(b"x" * 1000)
        store.add_picture(number, 1, "frame", frame, 1000, 1.0)
    all_counted(Library(record))
    (record / SECRET).write_text("secret")
    (record.parent / "beside.txt").write_text("secret")
    return record


def shown(record):
    """Everything that is told of a record: by the commands, and by the page."""
    said_in_one_line("matches", "--record", record)
    said_in_one_line("matches", "--json", "--record", record)
    said_in_one_line("statistics", "--record", record)
    said_in_one_line("honours", "--record", record)
    said_in_one_line("show", 1, "--record", record)
    said_in_one_line("show", 1, "--json", "--record", record)
    for form in ("text", "json"):
        said_in_one_line("export", 1, "--format", form, "--record", record)
    table = said_in_one_line("export", 1, "--format", "csv", "--record", record)
    cells = [cell for row in csv.reader(io.StringIO(table)) for cell in row]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@"))]
    library = Library(record)
    with suppress(UckersTableError):
        json.dumps([summary_shown(each) for each in library.matches()], allow_nan=False).encode()
    with suppress(UckersTableError):
        counted = all_counted(library)
        told = statistics_shown(counted.statistics(), counted.choices()), honours_shown(counted.honours())
        json.dumps(told, allow_nan=False).encode()
        as_svg(counted.honours())
    with suppress(UckersTableError):
        match = library.match(1)
        json.dumps(match_shown(match), allow_nan=False).encode()
        for _, export in EXPORTS.values():
            with suppress(UckersTableError):
                # A film is drawn in a process of its own, by this.
                (export or film)(match)
        for what in (*EVIDENCE, "frame"):
            with suppress(UckersTableError):
                assert_a_picture(library.evidence_file(1, 1, what), record)
        for frame in library.frames_around(1, 1):
            assert_a_picture(frame.file, record)


def assert_a_picture(file, record):
    folder = file.resolve().relative_to(record.resolve()).parent
    assert str(folder) in ("0001/evidence", "0001/recording/frames")


def imported(folder, content):
    (folder / "match").write_bytes(content)
    record = emptied(folder / "imported")
    said_in_one_line("import", folder / "match", "--record", record)
    if (record / DATABASE).exists():
        shown(record)


@fuzzed(40, chance=chances)
def test_a_mangled_match_as_json_is_taken_in_or_refused_in_a_line(folder, chance):
    data = with_value_changed(json.loads(json.dumps(to_json(MATCH))), chance)
    text = json.dumps(data).encode()
    imported(folder, text if chance.random() < 0.8 else mangled(text, chance))


@fuzzed(40, chance=chances)
def test_a_mangled_match_as_text_is_taken_in_or_refused_in_a_line(folder, chance):
    text = to_text(MATCH)
    if chance.random() < 0.5:
        text = with_numbers_changed(text, chance).encode(errors="surrogatepass")
    else:
        text = mangled(text.encode(), chance)
    imported(folder, text)


@fuzzed(60, chance=chances)
def test_a_record_with_hostile_rows_is_shown_and_loses_only_its_pictures(folder, chance):
    record = filled(folder / "record")
    with closing(sqlite3.connect(record / DATABASE)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        tables = ("match", "ruling", "throw", "picture", "call", "record", "counted")
        for _ in range(chance.choice((1, 1, 3))):
            table = chance.choice(tables)
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            column = chance.choice(columns)
            rows = database.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
            if rows:
                row, value = chance.choice(rows)
                with suppress(sqlite3.Error, OverflowError, UnicodeEncodeError):
                    database.execute(
                        f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (hostile(value, chance), row)
                    )
        database.commit()
    shown(record)
    before = {path for path in folder.rglob("*") if path.is_file()}
    with suppress(UckersTableError):
        look_after(record, io.StringIO(), Budget(0, 1))
    gone = before - {path for path in folder.rglob("*") if path.is_file()}
    assert all(path.suffix == ".jpg" and "0001" in path.parts for path in gone), gone


def hostile(value, chance):
    """What a row may hold where it held `value`: JSON with a value changed, or anything."""
    if isinstance(value, str) and value[:1] in ("[", "{") and chance.random() < 0.7:
        return json.dumps(with_value_changed(json.loads(value), chance))
    extreme = chance.choice(EXTREMES)
    if isinstance(extreme, list | dict):
        return json.dumps(extreme)
    return extreme if chance.random() < 0.8 else str(extreme).encode(errors="surrogatepass")


@fuzzed(30, chance=chances)
def test_a_mangled_record_is_shown_or_refused_in_a_line(folder, chance):
    record = filled(folder / "record")
    (record / DATABASE).write_bytes(mangled((record / DATABASE).read_bytes(), chance))
    shown(record)
    with suppress(UckersTableError):
        look_after(record, io.StringIO(), Budget(0, 1))
    assert (record / SECRET).read_text() == "secret"


@pytest.fixture(scope="module")
def stick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stick")
    backup(filled(folder / "record"), folder)
    return folder


@fuzzed(60, chance=chances)
def test_a_mangled_backup_is_restored_into_the_record_or_refused(folder, stick, chance):
    other = folder / "stick"
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(stick / BACKUP, other / BACKUP)
    manifest = other / BACKUP / MANIFEST
    data = json.loads(manifest.read_text())
    match chance.randrange(4):
        case 0:
            manifest.write_bytes(mangled(manifest.read_bytes(), chance))
        case 1:
            content = chance.choice(sorted((other / BACKUP / "files").glob("*/*")))
            content.write_bytes(mangled(content.read_bytes(), chance))
        case _:
            manifest.write_text(json.dumps(with_value_changed(copy.deepcopy(data), chance)))
    around = emptied(folder / "around")
    (around / "beside.txt").write_text("secret")
    said_in_one_line("restore", other, "--record", around / "record")
    written = {path.relative_to(around) for path in around.rglob("*") if path.is_file()}
    assert {path.parts[0] for path in written} <= {"beside.txt", "record"}
    inside = {Path(*path.parts[1:]) for path in written if path.parts[0] == "record"}
    assert all(path.parts[0].isdecimal() or path.name.startswith(DATABASE) for path in inside), inside
    if inside:
        shown(around / "record")
