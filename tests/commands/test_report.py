"""What goes into a report, and what does not."""

import io
import zipfile

import pytest

from uckers_table.commands.report import write_report
from uckers_table.errors import InputError


@pytest.fixture
def table(tmp_path):
    """A configuration with a match in its record, which has pictures."""
    from contextlib import closing

    from uckers_table.machine.moment import Moment
    from uckers_table.record.match_record import Terms
    from uckers_table.record.store import MatchStore

    record = tmp_path / "matches"
    with closing(MatchStore(record)) as store:
        number = store.new_number()
        terms = Terms("br4006", seats=("red", "green", "yellow", "blue"), names={"red": "Nobody Special"})
        store.begin_match(number, terms, Moment(None, "", 0.0), recording="0001/recording")
    recording = record / "0001/recording"
    (recording / "frames").mkdir(parents=True)
    (recording / "frames/000001.000.jpg").write_bytes(b"a hand")
    (recording / "events.jsonl").write_text('{"t": 1.0}\n')
    (recording / "table.toml").write_text('seats = []\n[bare]\njpeg = "cGljdHVyZQ=="\n')
    config = tmp_path / "config.toml"
    config.write_text(f'camera = "none"\nrecord = "{record}"\nnames = {{ red = "Nobody Special" }}\n')
    return config


def contents(path):
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_a_report_has_what_mending_needs_and_nothing_of_people(table, tmp_path):
    out = io.StringIO()
    assert write_report(tmp_path / "report.zip", table, pictures=False, out=out) == 0
    report = contents(tmp_path / "report.zip")
    assert set(report) == {
        *("about.txt", "configuration.txt", "health.txt", "log.txt", "matches.txt"),
        *("recording/events.jsonl", "recording/table.toml"),
    }
    assert b"numpy 1." in report["about.txt"] or b"numpy 2." in report["about.txt"]
    assert 'camera = "none"' in report["configuration.txt"].decode()
    assert f"{table}:1" in report["configuration.txt"].decode()
    assert b"number=1" in report["matches.txt"]
    assert report["recording/table.toml"] == b"seats = []\n"
    assert b"Nobody" not in b"".join(report.values())
    assert "without pictures" in out.getvalue()


def test_pictures_go_in_when_they_are_asked_for(table, tmp_path):
    write_report(tmp_path / "report.zip", table, pictures=True, out=io.StringIO())
    report = contents(tmp_path / "report.zip")
    assert report["recording/frames/000001.000.jpg"] == b"a hand"
    assert b"cGlj" in report["recording/table.toml"]


def test_a_broken_configuration_is_what_the_report_is_about(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text("tabel = 1\n")
    write_report(tmp_path / "report.zip", config, pictures=False, out=io.StringIO())
    assert b"config.toml:1: key 'tabel' is unknown" in contents(tmp_path / "report.zip")["configuration.txt"]


def test_nothing_is_written_over(table, tmp_path):
    (tmp_path / "report.zip").write_bytes(b"an earlier one")
    with pytest.raises(InputError, match="is there already"):
        write_report(tmp_path / "report.zip", table, pictures=False, out=io.StringIO())
    assert (tmp_path / "report.zip").read_bytes() == b"an earlier one"
    with pytest.raises(InputError, match="cannot be written"):
        write_report(tmp_path / "no/report.zip", table, pictures=False, out=io.StringIO())
