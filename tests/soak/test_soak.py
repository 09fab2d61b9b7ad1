"""A whole table at a simulated mess for a while, where everything goes wrong once; how growth is judged."""

import io
import json
import resource
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from uckers_table.record.library import Library
from uckers_table.soak import figures, picture
from uckers_table.soak import run as command
from uckers_table.soak.devices import SoakPanel
from uckers_table.soak.light import SoakLight
from uckers_table.soak.meter import Sample, handles
from uckers_table.soak.plan import Deed, Routine
from uckers_table.soak.run import run_soak, soak

# luma.oled 3.16 calls it; it goes with Pillow 14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
WATCHES, WATCH_S = 2, 420.0
DEVICES = ("tower", "camera", "display", "voice")


@pytest.fixture(scope="module")
def soaked(tmp_path_factory):
    """Two watches of seven minutes, the second of them painted, and the record of it."""
    record = tmp_path_factory.mktemp("soak")
    before = handles(), resource.getrlimit(resource.RLIMIT_FSIZE)
    plan = Routine(WATCH_S, played=0.95, painted=WATCHES)
    found = soak(WATCHES * WATCH_S / 3600, 1e9, record, seed=3, plan=plan, throws=9, samples=80)
    return found, record, before


def test_match_after_match_is_played_and_all_of_them_are_on_record(soaked):
    found, record, _ = soaked
    matches = Library(record).matches()
    assert found.counts["matches begun"] == len(matches) >= 4
    assert found.counts["matches refused"] == 0
    assert all(match.rulings > 0 and match.winner is not None for match in matches[:-1])
    assert found.counts["rulings on record"] == sum(match.rulings for match in matches)


def test_every_device_is_lost_and_comes_back(soaked):
    counts = soaked[0].counts
    assert {name: counts[f"{name} lost"] for name in DEVICES} == {
        "tower": 2 * WATCHES,
        "camera": WATCHES,
        "display": WATCHES,
        "voice": WATCHES,
    }
    assert all(counts[f"{name} back"] == counts[f"{name} lost"] for name in DEVICES)


def test_the_referee_says_what_the_light_and_the_card_kept_it_from(soaked):
    found, record, _ = soaked
    rulings = [
        ruling
        for match in Library(record).matches()
        for ruling in Library(record).match(match.number).rulings
    ]
    reasons = [(ruling.ruling, ruling.say) for ruling in rulings]
    assert found.counts["times the card took nothing"] == WATCHES
    assert sum(say.startswith("Rulings are not recorded") for _, say in reasons) >= WATCHES
    assert sum(say == "Rulings are recorded again." for _, say in reasons) >= WATCHES
    assert any("too dark" in say for _, say in reasons)
    assert any("colours" in say for _, say in reasons)


def test_the_page_is_visited_and_answers(soaked):
    counts = soaked[0].counts
    assert counts["times the page was visited"] == WATCHES
    assert counts["answers of the page"] > 20
    assert counts["answers that were errors"] == 0


def test_neither_handles_nor_threads_grow_and_all_are_given_back(soaked):
    found, _, (handles_before, files_before) = soaked
    assert len(found.samples) > 70
    second, last = found.samples[20:40], found.samples[60:]
    for of in (lambda sample: sample.handles, lambda sample: sample.threads):
        # One that is never given back is in every sample after it. Pictures being written and visits of
        # the page add to many of them, and lost devices take from one or two: so the third least of each.
        assert sorted(map(of, last))[2] <= sorted(map(of, second))[2]
    assert handles() <= handles_before
    assert resource.getrlimit(resource.RLIMIT_FSIZE) == files_before


def test_every_ruling_is_measured_beside_a_yardstick(soaked):
    found = soaked[0]
    assert sum(len(sample.rulings) for sample in found.samples) > 30
    assert all(sample.remap_ms > 0 and min(sample.rulings, default=1) > 0 for sample in found.samples)


def synthetic(**of_last):
    """A hundred samples of a table that stays as it is, but for what its last quarter is given."""
    usual = Sample(0.0, 200.0, 24, 15, (2.0, 3.0, 4.0), 1.5)
    return figures.SoakFigures(
        100.0,
        3600.0,
        1,
        tuple(
            replace(usual, t=3600.0 * (hour + 1), **(of_last if hour >= 75 else {})) for hour in range(100)
        ),
        {"matches begun": 7},
    )


def test_what_stays_as_it_is_holds():
    found = synthetic()
    assert found.holds
    assert [verdict.ratio for verdict in found.verdicts] == [1.0] * 4
    assert found.faster == 100.0


@pytest.mark.parametrize(
    ("name", "of_last", "holds"),
    [
        ("memory", {"memory_mb": 203.9}, True),
        ("memory", {"memory_mb": 204.1}, False),
        ("handles", {"handles": 25}, False),
        ("threads", {"threads": 16}, False),
        ("ruling", {"rulings": (3.2, 3.25, 3.2)}, True),
        ("ruling", {"rulings": (3.4, 3.4, 3.4)}, False),
        # Against a machine that became as much slower itself.
        ("ruling", {"rulings": (3.4, 3.4, 3.4), "remap_ms": 1.7}, True),
        # What was not measured does not hold.
        ("ruling", {"rulings": ()}, False),
    ],
)
def test_what_grows_is_said_and_does_not_hold(name, of_last, holds):
    found = synthetic(**of_last)
    assert {verdict.name for verdict in found.verdicts if not verdict.holds} == (set() if holds else {name})
    assert ("**grows**" in figures.soak_table(found)) is not holds
    assert found.to_json()["last_over_second"][name]["ok"] is holds


def test_the_exit_status_says_whether_anything_grew(monkeypatch, tmp_path):
    for found, status in ((synthetic(), 0), (synthetic(handles=30), 1)):
        monkeypatch.setattr(command, "soak", lambda *_, found=found, **__: found)
        out, file = io.StringIO(), tmp_path / f"{status}.png"
        options = {"seed": 1, "painted": 1, "record": None, "file": file, "err": io.StringIO()}
        assert run_soak(100, 1, json_lines=True, out=out, **options) == status
        assert json.loads(out.getvalue())["happened"] == {"matches begun": 7}
        with Image.open(file) as drawn:
            assert drawn.size == picture.draw_figures(found).size


def test_what_was_measured_is_drawn():
    calm, grown = (np.asarray(picture.draw_figures(each)) for each in (synthetic(), synthetic(handles=60)))
    assert (calm != 255).any()
    assert (calm != grown).any()


def test_in_every_watch_everything_goes_wrong_and_is_put_right():
    plan, seen = Routine(painted=7), []
    for event in plan.events(seed=5):
        if event.t >= 28 * plan.watch_s:
            break
        seen.append(event)
    assert seen == sorted(seen, key=lambda event: event.t)
    for deed, undone in ((Deed.LOSE, Deed.FIND), (Deed.FILL, Deed.CLEAR), (Deed.VISIT, Deed.GO)):
        counts = [sum(event.deed is each for event in seen) for each in (deed, undone)]
        assert counts[0] == counts[1] >= 28
    painted = [event.t for event in seen if event.deed is Deed.PAINT and event.what]
    # One in each quarter of a week, so that its quarters can be compared.
    assert [int(t // (7 * plan.watch_s)) for t in painted] == [0, 1, 2, 3]


def test_a_picture_is_made_anew_only_for_another_light_or_another_picture():
    light, image = SoakLight(), np.full((4, 4, 3), 200, np.uint8)
    noon, night = 12 * 3600.0, 0.0
    by_day = light.on(image, "day", noon)
    assert by_day.tolist() == image.tolist()
    assert light.on(image, "day", noon + 0.5) is by_day
    red = light.on(image, "red", noon)
    assert red[0, 0].tolist() == [4, 6, 110]
    assert light.on(image, "day", night)[0, 0].max() < 200
    assert light.on(image + 1, "day", noon)[0, 0].tolist() == [201, 201, 201]


def test_a_panel_whose_lead_is_out_does_not_answer():
    panel, before = SoakPanel(), handles()
    bus = panel.open_bus()
    bus.data([0])
    panel.is_out = True
    with pytest.raises(OSError, match="Remote I/O"):
        bus.command(0xE3)
    assert (panel.pictures, handles() - before) == (1, 1)
    bus.cleanup()
    assert handles() == before
