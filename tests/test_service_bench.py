"""The bench of the service works: a service is started, a match begun on its page, refereed and watched."""

import sys
from pathlib import Path

import pytest

from tests.patience import HANGS_S
from uckers_table.record.library import Library

FOLDER = Path(__file__).parents[1] / "bench"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import service

    few_or_patient = {"FRAMES": 4, "SHOWN": 400, "WATCHED_S": 0.0, "STARTS": 1, "READY_S": HANGS_S}
    for name, value in few_or_patient.items():
        monkeypatch.setattr(service, name, value)
    yield service
    sys.modules.pop("service")


def test_a_service_is_refereeing_when_its_memory_is_looked_at(bench, tmp_path):
    bench.film(tmp_path)
    usual, most = bench.memory(tmp_path)
    assert 0 < usual <= most
    (match,) = Library(tmp_path / "record").matches()
    assert match.terms.rules == "br4006"
    # It was ended in the middle, and goes on at the next start.
    assert match.winner is None


def test_the_most_memory_is_no_less_than_any_look_told_though_the_kernels_mark_is(
    bench, tmp_path, monkeypatch
):
    monkeypatch.setattr(bench, "_memory_mb", lambda process, what: {"VmRSS": 178.0, "VmHWM": 177.9}[what])
    bench.film(tmp_path)
    assert bench.memory(tmp_path) == (178.0, 178.0)


def test_a_match_that_waited_goes_on_and_is_measured(bench, tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "WEEK_S", 3600.0)
    bench.film(tmp_path)
    bench.memory(tmp_path)
    longer, larger = bench.waited(tmp_path)
    assert longer > 0
    assert larger > 0


def test_a_start_is_measured_beside_an_import(bench):
    assert bench.start() > 0
