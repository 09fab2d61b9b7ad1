"""The tool that fits nets: its data make sense, and what is missing is said with how to make it."""

import json
from pathlib import Path

import numpy as np
import pytest

from tools import fit
from tools.fits.data import LABELLED, load, named
from tools.fits.examples import chances
from tools.fits.tops import logistic
from tools.fits.watching import put_in_place
from uckers_table.errors import InputError
from uckers_table.vision.nets import net as nets

DATA = load()
CARD = (Path(nets.__file__).parent / "README.md").read_text(encoding="utf-8")
STAGES = [
    pytest.param(name, number, id=f"{name} {number}")
    for name, of in DATA.fits.items()
    for number in range(1, len(of.stages) + 1)
]


@pytest.mark.parametrize(("name", "number"), STAGES)
def test_no_table_that_a_net_is_scored_by_was_learned_before(name, number):
    stages = DATA.fits[name].stages[:number]
    learned = {table for stage in stages for source in stage.learned for table in source.tables}
    assert not learned & set(stages[-1].held)


@pytest.mark.parametrize(("name", "number"), STAGES)
def test_the_parts_of_each_step_s_examples_make_a_whole(name, number):
    stage = DATA.fits[name].stages[number - 1]
    assert sum(source.part for source in stage.learned) == pytest.approx(1)
    assert all(bool(source.tables) != bool(source.simulated) for source in stage.learned)


def test_the_card_has_each_file_of_a_net_and_the_score_of_each_fit():
    files = sorted(path.name for path in Path(nets.__file__).parent.glob("*.onnx"))
    assert len(files) == len(DATA.fits)
    assert all(CARD.count(f"| `{file}` |") == 2 for file in files)
    assert all(f"`{name}`" in CARD or f"tools.fit {name}" in CARD for name in DATA.fits)


def test_a_run_of_names_stands_for_all_of_its_tables():
    assert named(["D9009-D9011", "S1", "E10009-E10010"]) == (
        *("D9009", "D9010", "D9011"),
        "S1",
        *("E10009", "E10010"),
    )


def test_missing_tables_are_named_with_the_command_that_renders_them(tmp_path, capsys):
    (tmp_path / "E9801").mkdir()
    (tmp_path / "E9801" / "labels.json").write_text("{}")
    learn = ["--learn", "E9802", "D9001", "S1", "E9801", "E301", "E9803"]
    assert fit.main(["height", "--tables", str(tmp_path), *learn]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"missing in {tmp_path}: python -m tools.tables {tmp_path} E301",
        f"missing in {tmp_path}: python -m tools.tables {tmp_path} D9001 --full-of dice --count 6",
        f"missing in {tmp_path}: python -m tools.tables {tmp_path} E9802 E9803 --full-of towers --count 4",
    ]


def test_a_data_file_without_what_it_must_have_is_refused(tmp_path):
    (tmp_path / "data.toml").write_text(
        'rendered = []\n[[dice.stages]]\nrate = 1\nheld = ["S1"]\nlearned = []'
    )
    with pytest.raises(InputError, match=r"data.toml: 'steps' is missing"):
        load(tmp_path / "data.toml")


@pytest.mark.parametrize("table", ["S1", "S2", "S3", "S4"])
def test_a_clone_has_the_labelled_tables_whole(table):
    folder = DATA.folders([table], Path("nowhere"))[0]
    frames = json.loads((folder / "labels.json").read_text(encoding="utf-8"))["frames"]
    files = [frame["file"] for frame in frames]
    assert files[:2] == ["empty.jpg", "start.jpg"]
    assert sorted(files) == sorted(path.name for path in folder.glob("*.jpg"))


def test_the_labelled_tables_take_no_more_than_15_mb():
    assert sum(path.stat().st_size for path in LABELLED.rglob("*")) < 15e6


def test_kinds_come_up_as_their_shares_say_and_those_that_are_not_there_never():
    is_top = np.array([True, True, False, False, False])
    often = np.array([1.0, 3.0, 1.0, 1.0, 2.0])
    assert chances([is_top, ~is_top], [0.5, 0.5], often) == pytest.approx([1 / 8, 3 / 8, 1 / 8, 1 / 8, 1 / 4])
    none = np.zeros(5, dtype=bool)
    assert chances([is_top | ~is_top, none], [0.5, 0.5]) == pytest.approx(np.full(5, 1 / 5))


def test_a_logistic_regression_finds_the_weights_that_drew_its_examples():
    draw = np.random.default_rng(1)
    looks = draw.normal(2.0, 3.0, (20_000, 2))
    log_odds = looks @ [1.0, -0.5] + 0.7
    weights, bias = logistic(looks, draw.random(20_000) < 1 / (1 + np.exp(-log_odds)))
    assert [*weights, bias] == pytest.approx([1.0, -0.5, 0.7], abs=0.1)


def test_what_the_reader_no_longer_has_is_not_put_in_its_place():
    class Reader:
        def look(self):
            return "before"

    put_in_place(Reader, look=lambda reader: "noted")
    assert Reader().look() == "noted"
    with pytest.raises(InputError, match="Reader has no find"):
        put_in_place(Reader, find=lambda reader: None)
