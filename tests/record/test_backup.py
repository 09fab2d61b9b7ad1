"""Backups: there and back, interrupted, damaged, refused."""

import errno
import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.record.simulated_matches import simulated_match
from uckers_table.commands.cli import main
from uckers_table.errors import InputError, RecordError
from uckers_table.record.backup import BACKUP, backup, read_manifest, restore, sticks
from uckers_table.record.kept_rules import keep_rules, kept_files, take_rules_away
from uckers_table.record.library import Library
from uckers_table.record.store import MatchStore, match_folder


def add_match(folder, seed="backup"):
    store = MatchStore(folder)
    number = store.take_in(simulated_match("br4006", seed, throws=12)).number
    frames = match_folder(folder, number) / "recording" / "frames"
    frames.mkdir(parents=True)
    (frames / "1.jpg").write_bytes(bytes([number]) * 1000)
    (frames.parent / "events.jsonl").write_text('{"t": 1}\n')
    store.close()


@pytest.fixture
def record(tmp_path):
    folder = tmp_path / "matches"
    add_match(folder)
    return folder


@pytest.fixture
def stick(tmp_path):
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def contents(folder):
    """All that a record holds: its matches, and its files but the database's own."""
    library = Library(folder)
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("record.sqlite")
    }
    return [library.match(each.number) for each in library.matches()], files


def on_stick(stick):
    return {path: path.read_bytes() for path in sorted(stick.rglob("*")) if path.is_file()}


def test_there_and_back_on_a_new_machine_is_the_same_record(record, stick, tmp_path):
    copied = backup(record, stick)
    assert (copied.matches, copied.files, copied.new) == (1, 3, 3)
    elsewhere = tmp_path / "new" / "matches"
    assert restore(stick, elsewhere).aside is None
    assert contents(elsewhere) == contents(record)


def test_only_what_is_new_is_copied_and_what_is_gone_goes(record, stick, tmp_path):
    backup(record, stick)
    add_match(record, "second")
    (record / "0001/recording/frames/1.jpg").unlink()
    copied = backup(record, stick)
    # The database, and the second match's frame; its events are the first's to the letter.
    assert (copied.files, copied.new) == (4, 2)
    names = {digest for digest, _ in read_manifest(stick).files.values()}
    assert {path.name for path in (stick / BACKUP / "files").glob("*/*")} == names
    assert backup(record, stick).new <= 1
    restore(stick, tmp_path / "back")
    assert contents(tmp_path / "back") == contents(record)


def test_a_backup_is_made_while_a_table_writes(record, stick, tmp_path):
    store = MatchStore(record)
    store._db.execute("BEGIN IMMEDIATE")
    store._db.execute("UPDATE match SET title = 'half done'")
    backup(record, stick)
    store._db.execute("ROLLBACK")
    store.close()
    restore(stick, tmp_path / "back")
    assert Library(tmp_path / "back").match(1).summary.terms.title == ""


@pytest.mark.parametrize("write", range(3))
def test_wherever_a_copy_is_interrupted_the_backup_before_it_is_whole(
    record, stick, tmp_path, monkeypatch, write
):
    backup(record, stick)
    before = contents(record)
    add_match(record, "second")
    calls, sync = [], os.fsync

    def gone(descriptor):
        calls.append(descriptor)
        if len(calls) == write + 1:
            raise OSError(errno.EIO, "Input/output error")
        sync(descriptor)

    monkeypatch.setattr("uckers_table.record.backup.os.fsync", gone)
    # The database, the second match's frame, the manifest: all that is new.
    with pytest.raises(RecordError, match="was it pulled out"):
        backup(record, stick)
    monkeypatch.setattr("uckers_table.record.backup.os.fsync", sync)
    restore(stick, tmp_path / "back")
    assert contents(tmp_path / "back") == before
    backup(record, stick)
    restore(stick, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(record)


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "no room left"), (errno.EROFS, "read-only"), (errno.ENODEV, "pulled out")],
)
def test_what_is_wrong_with_the_stick_is_one_line(record, stick, monkeypatch, capsys, number, said):
    def refuse(descriptor):
        raise OSError(number, "no")

    monkeypatch.setattr("uckers_table.record.backup.os.fsync", refuse)
    assert main(["backup", str(stick), "--record", str(record)]) == 2
    err = capsys.readouterr().err
    assert (err.count("\n"), said in err, str(stick) in err) == (1, True, True)


def test_what_was_written_is_read_again(record, stick, monkeypatch):
    monkeypatch.setattr("uckers_table.record.backup._forget_cached", lambda file: os.truncate(file.name, 3))
    with pytest.raises(RecordError, match="reads otherwise"):
        backup(record, stick)


def test_a_damaged_backup_is_not_put_back(record, stick, tmp_path):
    backup(record, stick)
    (digest, _) = read_manifest(stick).files["0001/recording/frames/1.jpg"]
    (stick / BACKUP / "files" / digest[:2] / digest).write_bytes(b"\1" * 999 + b"\2")
    before = contents(record)
    with pytest.raises(RecordError, match="is damaged; nothing was put back"):
        restore(stick, record)
    assert contents(record) == before
    with pytest.raises(RecordError, match="is damaged"):
        restore(stick, tmp_path / "new")
    assert {path.name for path in tmp_path.iterdir()} == {"matches", "stick"}
    (stick / BACKUP / "files" / digest[:2] / digest).unlink()
    with pytest.raises(RecordError, match="the backup is not whole"):
        restore(stick, tmp_path / "new")


def test_a_newer_record_is_not_overwritten_either_way(record, stick, tmp_path):
    shutil.copytree(record, tmp_path / "old")
    add_match(record, "second")
    backup(record, stick)
    before = on_stick(stick)
    with pytest.raises(RecordError, match="is newer"):
        backup(tmp_path / "old", stick)
    assert on_stick(stick) == before
    add_match(record, "third")
    with pytest.raises(RecordError, match="is newer: it has 3 matches"):
        restore(stick, record)
    kept = contents(record)
    copied = restore(stick, record, is_forced=True)
    assert len(Library(record).matches()) == 2
    assert contents(copied.aside) == kept


def test_another_tables_record_is_not_overwritten_either_way(record, stick, tmp_path):
    backup(record, stick)
    add_match(tmp_path / "other")
    for refused in (lambda: backup(tmp_path / "other", stick), lambda: restore(stick, tmp_path / "other")):
        with pytest.raises(RecordError, match="another record's"):
            refused()
    backup(tmp_path / "other", stick, is_forced=True)


def test_what_is_the_machines_own_stays_when_a_record_is_put_back(record, stick):
    backup(record, stick)
    (record / "network.json").write_text("secret")
    (record / "network.json").chmod(0o600)
    (record / "table.toml").write_text("as calibrated since")
    (record / "tray").mkdir()
    (record / "tray" / "1.jpg").write_bytes(b"dice")
    (record / "record-damaged-1.sqlite").write_bytes(b"of the record before")
    (record / "0001" / "note.txt").write_text("of the record before")
    copied = restore(stick, record)
    assert (record / "network.json").read_text() == "secret"
    assert (record / "network.json").stat().st_mode & 0o777 == 0o600
    assert (record / "table.toml").read_text() == "as calibrated since"
    assert (record / "tray" / "1.jpg").read_bytes() == b"dice"
    assert {path.name for path in record.iterdir()} == {
        *("0001", "network.json", "record.sqlite", "table.toml", "tray")
    }
    assert not (record / "0001" / "note.txt").exists()
    assert (copied.aside / "record-damaged-1.sqlite").exists()
    assert (copied.aside / "0001" / "note.txt").exists()


def test_kept_rules_go_with_the_record_and_come_back(record, stick):
    keep_rules(record, "Кают-компания", "wafu", {"var_a": True})
    keep_rules(record, "Both", "wafu", {})
    backup(record, stick)
    wanted = kept_files(record)["Кают-компания"].read_bytes()
    # A new card has none of them; one that went on has others since.
    restore(stick, record.with_name("new"))
    assert kept_files(record.with_name("new"))["Кают-компания"].read_bytes() == wanted
    take_rules_away(record, "Кают-компания")
    keep_rules(record, "Since", "couk", {})
    keep_rules(record, "Both", "couk", {}, replaces=True)
    restore(stick, record)
    assert list(kept_files(record)) == ["Both", "Since", "Кают-компания"]
    assert 'base = "wafu"' in kept_files(record)["Both"].read_text()


@pytest.mark.parametrize(
    "name", ["rules/../../up.toml", "rules/a/b.toml", "rules/.toml", "rules/x", "rules/.x.toml"]
)
def test_a_backup_brings_no_file_that_is_no_set_of_rules(record, stick, tmp_path, name):
    backup(record, stick)
    path = stick / BACKUP / "manifest.json"
    whole = json.loads(path.read_text())
    path.write_text(json.dumps(whole | {"files": whole["files"] | {name: ["a" * 64, 1]}}))
    with pytest.raises(InputError, match="is no file of a record"):
        restore(stick, tmp_path / "new")


def test_a_list_of_files_that_leads_out_of_the_record_is_refused(record, stick, tmp_path):
    backup(record, stick)
    path = stick / BACKUP / "manifest.json"
    whole = json.loads(path.read_text())
    for files in ({"../escaped": ["ab", 1]}, {"/etc/passwd": ["ab", 1]}, {"0001/a": ["ab", 1]}, {"a": 1}):
        path.write_text(json.dumps(whole | {"files": files}))
        with pytest.raises(InputError, match=r"manifest\.json"):
            restore(stick, tmp_path / "new")
    path.write_text("{")
    with pytest.raises(InputError, match="no list of a backup's files"):
        restore(stick, tmp_path / "new")


def test_what_is_no_stick_or_no_record_is_named(record, stick, tmp_path, capsys):
    for words, said in (
        (["backup", tmp_path / "none", "--record", record], "is the stick mounted"),
        (["backup", record / "0001", "--record", record], "lies in the record itself"),
        (["backup", stick, "--record", tmp_path / "none"], "there is no record here"),
        (["restore", stick, "--record", record], "manifest.json: No such file"),
        (["backup", stick, "--record", record / "record.sqlite"], "there is no record here"),
    ):
        assert main([str(word) for word in words]) == 2
        assert said in capsys.readouterr().err
    assert main(["backup", str(stick), "--record", str(record)]) == 0
    copied = sum(size for _, size in read_manifest(stick).files.values())
    said = f"1 match in 3 files, {copied / 1e6:.1f} MB; 3 of them new. Checked.\n"
    assert capsys.readouterr().out == said
    assert main(["restore", str(stick), "--record", str(record / "record.sqlite")]) == 2
    assert "record.sqlite: is no folder" in capsys.readouterr().err
    assert main(["restore", str(stick), "--record", str(record)]) == 0
    assert "matches-before-restore-1" in capsys.readouterr().out


def test_a_damaged_database_is_not_backed_up(record, stick):
    database = record / "record.sqlite"
    with sqlite3.connect(database) as opened:
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    opened.close()
    whole = bytearray(database.read_bytes())
    whole[4096 * 2 : 4096 * 5] = b"\xff" * 4096 * 3
    database.write_bytes(whole)
    with pytest.raises(RecordError):
        backup(record, stick)
    assert not (stick / BACKUP / "manifest.json").exists()


def test_sticks_are_devices_where_the_system_mounts_them(tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"
        "/dev/mmcblk0p1 /boot/firmware vfat rw 0 0\n"
        "/dev/sda1 /media/mess/RED\\040STICK vfat rw,nosuid 0 0\n"
        "tmpfs /mnt/scratch tmpfs ro,size=4k 0 0\n"
        "nas:/files /mnt/files nfs4 rw 0 0\n"
    )
    assert sticks(mounts) == [Path("/media/mess/RED STICK")]
    assert sticks(tmp_path / "none") == []
    assert all(str(place).startswith(("/media/", "/run/media/", "/mnt/")) for place in sticks())


def test_each_file_is_told_of_on_its_way_there_and_back(record, stick, tmp_path):
    there, back = [], []
    backup(record, stick, tell=there.append)
    assert [each.in_words for each in there] == ["Copying: 1 of 2 files", "Copying: 2 of 2 files"]
    restore(stick, tmp_path / "other", tell=back.append)
    assert [each.in_words for each in back] == [f"Putting back: {n} of 3 files" for n in (1, 2, 3)]
