"""A record, a backup or a match that somebody else wrote: what it says is never done, and shown with care."""

import csv
import io
import json
import os
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from tests.record.simulated_matches import simulated_match
from tests.web.counting import all_counted
from uckers_table.commands.cli import main
from uckers_table.errors import InputError, RecordError, SenselessError
from uckers_table.foreign.words import STAND_IN
from uckers_table.record.backup import BACKUP, MANIFEST, backup, read_manifest, restore
from uckers_table.record.exchange import to_csv, to_json
from uckers_table.record.library import Library
from uckers_table.record.store import DATABASE, MatchStore
from uckers_table.record.thinning import Budget, thin
from uckers_table.web.recorded import list_shown

NAMED = "0001/evidence/000001-illegal-after.jpg"
MATCH = simulated_match("br4006", "strangers", throws=12)


@pytest.fixture
def record(tmp_path):
    """A record whose match has two pictures, and the secrets of its machine beside it."""
    folder = tmp_path / "record"
    with closing(MatchStore(folder)) as store:
        assert store.take_in(MATCH).number == 1
        store.add_picture(1, 1, "after", NAMED, 700_000, 1.0)
        store.add_picture(1, 1, "frame", "0001/recording/frames/00001.000.jpg", 700_000, 1.0)
    for file in (
        NAMED,
        "0001/recording/frames/00001.000.jpg",
        "0002/evidence/x.jpg",
        "0001/recording/events.jsonl",
    ):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(b"x" * 700_000)
    for secret in ("page.pin", "network.json", "../beside.jpg"):
        (folder / secret).write_text("secret")
    return folder


def change(record, sql, *values):
    with closing(sqlite3.connect(record / DATABASE)) as database:
        database.execute(sql, values)
        database.commit()


def run(capsys, *words):
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


# ---------------------------------------------------------------------- paths

ELSEWHERE = (
    *("page.pin", "network.json", "record.sqlite", "../beside.jpg", "/etc/passwd", "0002/evidence/x.jpg"),
    *(
        "0001/evidence/../../page.pin",
        "0001/recording/events.jsonl",
        "0001/evidence/link.jpg",
        "0001/evidence",
    ),
    *("0001/evidence//etc/passwd", "0001\\evidence\\x.jpg", "0001/evidence/a\0.jpg"),
)


@pytest.mark.parametrize("file", ELSEWHERE, ids=repr)
def test_what_a_record_names_elsewhere_is_neither_handed_out_nor_removed(record, file):
    (record / "0001" / "evidence" / "link.jpg").symlink_to(record / "page.pin")
    change(record, "UPDATE picture SET file = ?, bytes = 10000000", file)
    library = Library(record)
    with pytest.raises(InputError, match=r"is no picture|not inside|NUL"):
        library.evidence_file(1, 1, "after")
    assert library.frames_around(1, 1) == []
    there = sorted(path for path in record.parent.rglob("*"))
    with closing(MatchStore(record)) as store:
        assert thin(store, Budget(0), None, short=10**9) == 0
    assert sorted(
        path for path in record.parent.rglob("*") if not path.name.startswith("record.sqlite-")
    ) == [path for path in there if not path.name.startswith("record.sqlite-")]


def test_a_match_s_own_pictures_are_handed_out_and_go(record):
    library = Library(record)
    assert library.evidence_file(1, 1, "after") == record / NAMED
    assert [each.file.name for each in library.frames_around(1, 1)] == ["00001.000.jpg"]
    with closing(MatchStore(record)) as store:
        assert thin(store, Budget(1), None, short=0) == 1
    assert not (record / NAMED).exists()


def test_the_recording_of_a_match_is_looked_for_in_the_record_alone(record, tmp_path, capsys):
    (tmp_path / "config.toml").write_text(f'record = "{record}"\ncamera = "simulated"\n')
    for recording in ("..", "", "/etc"):
        change(record, "UPDATE match SET recording = ?", recording)
        target = tmp_path / f"report{len(recording)}.zip"
        status, out, _ = run(capsys, "report", target, "--config", tmp_path / "config.toml")
        assert status == 0
        assert "page.pin" not in out and "beside" not in out


# ---------------------------------------------------------------------- backups


@pytest.fixture
def stick(record, tmp_path):
    backup(record, tmp_path)
    return tmp_path


def rewritten(stick, alter):
    manifest = stick / BACKUP / MANIFEST
    data = json.loads(manifest.read_text())
    alter(data)
    manifest.write_text(json.dumps(data))


def entry(data):
    return data["files"][NAMED]


@pytest.mark.parametrize(
    "alter",
    [
        lambda data: entry(data).__setitem__(0, "/dev/zero"),
        lambda data: entry(data).__setitem__(0, "../../../secret"),
        lambda data: entry(data).__setitem__(0, "A" * 64),
        lambda data: entry(data).__setitem__(0, "٣" * 64),
        lambda data: entry(data).__setitem__(1, -1),
        lambda data: entry(data).__setitem__(1, 1.5),
        lambda data: entry(data).__setitem__(1, True),
        lambda data: entry(data).append(1),
        lambda data: data["files"].update({"page.pin": entry(data)}),
        lambda data: data["files"].update({"record.sqlite-wal": entry(data)}),
        lambda data: data["files"].update({"a\0b": entry(data)}),
        lambda data: data["files"].update({"0001/\ud800": entry(data)}),
        lambda data: data["files"].update({"²/x": entry(data)}),
        lambda data: data["files"].pop(DATABASE),
        lambda data: data["holding"].update(identity=5),
        lambda data: data["holding"].update(matches=-1),
    ],
    ids=range(16),
)
def test_a_manifest_that_no_backup_wrote_is_refused(stick, alter):
    rewritten(stick, alter)
    with pytest.raises(InputError, match="is no list of a backup's files"):
        read_manifest(stick)


def test_a_manifest_that_names_a_file_twice_is_refused(stick):
    manifest = stick / BACKUP / MANIFEST
    manifest.write_text(manifest.read_text().replace('"files": {', '"files": {"record.sqlite": ["", 1], '))
    with pytest.raises(InputError, match="given twice"):
        read_manifest(stick)


@pytest.mark.parametrize(
    "name", ["../x", "0001/../../x", "0001/..", "/tmp/x", "0001\\x", "0001/a//../../../x"]
)
def test_nothing_is_put_back_outside_of_the_record(stick, name):
    rewritten(stick, lambda data: data["files"].update({name: entry(data)}))
    with pytest.raises((InputError, RecordError)):
        restore(stick, stick / "new" / "record")
    assert not (stick / "new" / "record").exists()


def content_of(stick, file):
    digest = json.loads((stick / BACKUP / MANIFEST).read_text())["files"][file][0]
    return stick / BACKUP / "files" / digest[:2] / digest


@pytest.mark.parametrize("kind", ["endless", "pipe", "longer", "shorter", "gone"])
def test_of_a_content_no_more_is_read_than_was_said(stick, kind):
    content = content_of(stick, NAMED)
    size = content.stat().st_size
    content.unlink()
    match kind:
        case "endless":
            content.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(content)
        case "longer" | "shorter":
            content.touch()
            os.truncate(content, size + 1 if kind == "longer" else size - 1)
    with pytest.raises(RecordError, match=r"not whole|is damaged"):
        restore(stick, stick / "new")
    assert not (stick / "new").exists()


def test_a_database_with_more_than_tables_is_not_put_back(record, tmp_path):
    change(record, "CREATE TRIGGER gone AFTER INSERT ON ruling BEGIN DELETE FROM match; END")
    (tmp_path / "stick").mkdir()
    backup(record, tmp_path / "stick")
    with pytest.raises(RecordError, match="gone"):
        restore(tmp_path / "stick", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_backup_leaves_out_what_it_could_not_put_back(record, tmp_path):
    (record / "0001" / "out").symlink_to(record.parent / "beside.jpg")
    (record / "0001" / "a\\b").write_text("x")
    (tmp_path / "stick").mkdir()
    backup(record, tmp_path / "stick")
    restore(tmp_path / "stick", tmp_path / "new")
    assert not {path.name for path in (tmp_path / "new").rglob("*")} & {"out", "a\\b"}


# ---------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("match", "names", "null"),
        ("match", "names", '{"red": 5}'),
        ("match", "seats", "[5]"),
        ("match", "begun", "yesterday"),
        ("match", "players", "many"),
        ("match", "winner", "[[]]"),
        ("ruling", "t", "soon"),
        ("ruling", "t", -5.0),
        ("ruling", "position", "[]"),
        ("ruling", "position", '{"red": ["x"]}'),
        ("ruling", "moves", "[[1]]"),
        ("ruling", "facts", '{"on_reverse": 5}'),
        ("ruling", "facts", '{"a": 1, "a": 2}'),
        ("ruling", "kind", "\x1b[2J"),
        ("ruling", "say", b"\xff"),
        ("throw", "dice", "[1e999]"),
        ("picture", "t", "x"),
    ],
)
def test_a_record_that_makes_no_sense_gets_a_line(record, capsys, table, column, value):
    change(record, f"UPDATE {table} SET {column} = ?", value)
    for words in (("show", 1), ("export", 1, "--format", "json")):
        status, out, err = run(capsys, *words, "--record", record)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "match 1 makes no sense" in err
    # What is counted over all matches goes on without it.
    for verb in ("statistics", "honours"):
        status, _, err = run(capsys, verb, "--record", record)
        assert (status, err) == (0, "")


def test_a_column_whose_name_is_no_text_gets_a_line(record, capsys):
    database = (record / DATABASE).read_bytes()
    (record / DATABASE).write_bytes(database.replace(b"title TEXT", b"tit\xa0e TEXT"))
    status, out, err = run(capsys, "matches", "--record", record)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "cannot be read" in err


def test_a_date_that_is_none_makes_no_picture_too_old(record):
    change(record, "UPDATE match SET begun = 'yesterday'")
    from datetime import UTC, datetime

    with closing(MatchStore(record)) as store:
        assert thin(store, Budget(10**6, days=1), datetime(2026, 1, 1, tzinfo=UTC), short=0) == 0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data["summary"]["terms"].update(names=None), "'names' is None"),
        (lambda data: data["summary"]["terms"].update(names={"red": ["x"]}), "'names'"),
        (lambda data: data["summary"].update(lasted_s="nan"), "'lasted_s' is nan"),
        (lambda data: data["entries"][0].update(t="inf"), "'t' is inf"),
        (lambda data: data["entries"][0].update(t=-1), "'t' is -1.0"),
        (lambda data: data["entries"][0].update(side=5), "5"),
        (lambda data: data["entries"][0].update(kind=["x"]), "entry 1"),
        (lambda data: data["summary"].update(begun="soon"), "is no date"),
        (lambda data: data["summary"]["terms"].update(rules=5), "'rules'"),
        (lambda data: data["summary"]["terms"].update(options={"a": {"b": "\x1b"}}), "'options'"),
    ],
    ids=range(10),
)
def test_a_match_that_makes_no_sense_is_not_taken_in(tmp_path, capsys, change, why):
    data = json.loads(json.dumps(to_json(MATCH)))
    change(data)
    (tmp_path / "match.json").write_text(json.dumps(data))
    status, out, err = run(capsys, "import", tmp_path / "match.json", "--record", tmp_path / "record")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert why in err
    assert "match.json" in err


def test_a_key_given_twice_is_not_taken_in(tmp_path, capsys):
    text = json.dumps(to_json(MATCH)).replace('"summary": {', '"summary": {"number": 3, ', 1)
    (tmp_path / "match.json").write_text(text)
    status, _, err = run(capsys, "import", tmp_path / "match.json", "--record", tmp_path / "record")
    assert (status, err.count("\n")) == (2, 1)
    assert "'number' is given twice" in err


def test_sentences_and_names_of_strangers_command_no_terminal_and_no_spreadsheet(tmp_path, capsys):
    hostile = "=cmd|' /C calc'!A1\x1b[2J\x9b31m\u202e\r\n"
    terms = replace(MATCH.summary.terms, names={"red": hostile, "green": "+1"}, title=hostile)
    entries = tuple(replace(each, say=hostile) if hasattr(each, "say") else each for each in MATCH.entries)
    match = replace(MATCH, summary=replace(MATCH.summary, terms=terms), entries=entries)
    (tmp_path / "match.json").write_text(json.dumps(to_json(match)))
    record = tmp_path / "record"
    assert run(capsys, "import", tmp_path / "match.json", "--record", record)[0] == 0
    forms = [("export", 1, "--format", form) for form in ("text", "json", "csv")]
    for words in (("show", 1), ("show", 1, "--json"), ("matches",), ("statistics",), ("honours",), *forms):
        status, out, err = run(capsys, *words, "--record", record)
        assert (status, err) == (0, "")
        assert not set(out) & set("\x1b\x9b\u202e\r")
    told = Library(record).match(1)
    assert told.summary.terms.names["red"] == hostile.translate(
        dict.fromkeys(map(ord, "\x1b\x9b\u202e\r\n"), STAND_IN)
    )
    cells = [cell for row in csv.reader(io.StringIO(to_csv(told))) for cell in row]
    assert any(cell.startswith("'=cmd") for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_a_text_of_quotes_without_end_is_told_at_once(tmp_path, capsys):
    """Each of its quotes could begin the sentence: looked at one by one, a million would take a day."""
    (tmp_path / "match.txt").write_text('"' + '\\"' * 500_000)
    status, _, err = run(capsys, "import", tmp_path / "match.txt", "--record", tmp_path / "record")
    assert (status, err.count("\n")) == (2, 1)
    assert "a quoted sentence has no end" in err


@pytest.mark.parametrize("time", ["9" * 400, "9" * 5000])
def test_a_time_of_hundreds_of_digits_is_no_time(tmp_path, capsys, time):
    text = (
        '[Format "uckers-table match 1"]\n[Seats "red" "green" "yellow" "blue"]\n'
        + f"{time}:00 red throws 6-3\n"
    )
    (tmp_path / "match.txt").write_text(text)
    status, _, err = run(capsys, "import", tmp_path / "match.txt", "--record", tmp_path / "record")
    assert (status, err.count("\n")) == (2, 1)
    assert "a line begins with its time" in err


# ---------------------------------------------------------------------- one row that makes no sense


@pytest.fixture
def one_senseless(tmp_path):
    """A record of three matches. What the second says of its players makes no sense."""
    folder = tmp_path / "record"
    with closing(MatchStore(folder)) as store:
        for number in range(3):
            store.take_in(simulated_match("br4006", f"senseless {number}", throws=12))
    change(folder, "UPDATE match SET names = ? WHERE id = 2", '{"red": 5}')
    return folder


def test_one_senseless_row_is_one_match_that_cannot_be_read(one_senseless, capsys):
    library = Library(one_senseless)
    assert [each.number for each in library.matches()] == [1, 3]
    assert library.senseless() == [2]
    assert [each.summary.number for each in library.sound_matches()] == [1, 3]
    with pytest.raises(SenselessError, match="match 2 makes no sense"):
        library.match(2)
    status, out, _ = run(capsys, "matches", "--record", one_senseless)
    assert (status, [line.split()[0] for line in out.splitlines()]) == (0, ["match", "1", "3", "2"])
    assert out.splitlines()[-1].endswith("2  cannot be read")
    for verb in ("statistics", "honours"):
        assert run(capsys, verb, "--record", one_senseless)[0] == 0
    status, out, _ = run(capsys, "recover", "--record", one_senseless)
    assert (status, out.splitlines()[-1]) == (1, "Match 2: cannot be read. The others are as ever.")


def test_entries_that_make_no_sense_are_left_out_of_what_is_counted(one_senseless):
    change(one_senseless, "UPDATE match SET winner = '[]'")
    change(one_senseless, "UPDATE ruling SET facts = '[' WHERE match_id = 1")
    library = Library(one_senseless)
    assert [each.summary.number for each in library.sound_matches()] == [3]
    counted = all_counted(library)
    assert counted.statistics().matches == 1
    assert counted.honours() == ()
    assert [each["number"] for each in list_shown(library)] == [3, 2, 1]
    assert list_shown(library)[1] == {"number": 2, "cannot_be_read": True}
