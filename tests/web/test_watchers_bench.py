"""The bench of the page's watchers works: a table played at with a crowd and without, in turn."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

FILE = Path(__file__).parents[2] / "bench" / "watchers.py"


def test_a_crowd_comes_and_goes_while_a_match_is_played(monkeypatch):
    spec = spec_from_file_location("watchers_bench", FILE)
    bench = module_from_spec(spec)
    spec.loader.exec_module(bench)
    for name, few in {"WATCHERS": 5, "SLICES": 1, "EVENTS": 3, "PAUSE_S": 0.0}.items():
        monkeypatch.setattr(bench, name, few)
    assert bench.watched() > 0
