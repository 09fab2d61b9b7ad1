"""The commands on the record, as somebody types them."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.record.simulated_matches import simulated_match
from tests.web.counting import all_counted
from uckers_table.commands.cli import main
from uckers_table.game.board import COLOURS, Board, Plan
from uckers_table.machine.moment import Moment
from uckers_table.record.board_picture import CELL_PX, BoardPainter
from uckers_table.record.exchange import to_json
from uckers_table.record.identity import identity_of
from uckers_table.record.library import Library
from uckers_table.record.match_record import Terms
from uckers_table.record.notation import to_text
from uckers_table.record.store import DATABASE, MatchStore
from uckers_table.web.figures import tables_of


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A record with one match."""
    folder = tmp_path_factory.mktemp("record")
    store = MatchStore(folder)
    store.take_in(simulated_match("br4006", "commands", throws=30, ends="upboard"))
    store.close()
    return folder


def run(capsys, *words):
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_exported_and_imported_is_the_same_match_under_the_next_number(kept, tmp_path, capsys, form):
    file = tmp_path / "match"
    assert run(capsys, "export", 1, "--format", form, "-o", file, "--record", kept) == (0, "", "")
    target = tmp_path / "elsewhere"
    (tmp_path / "other").write_text(to_text(simulated_match("br4006", "other", throws=3)))
    for number, each in enumerate((tmp_path / "other", file), start=1):
        status, out, _ = run(capsys, "import", each, "--record", target)
        assert (status, out.startswith(f"Match {number}: ")) == (0, True)
    ours, theirs = Library(kept).match(1), Library(target).match(2)
    assert theirs == replace(ours, summary=replace(ours.summary, number=2, identity=theirs.summary.identity))
    assert theirs.summary.identity == identity_of(ours)


@pytest.mark.parametrize("identity", ["", "0123456789abcdef" * 2], ids=["an older program's", "a new one's"])
def test_the_same_match_is_one_match_in_whatever_form_it_comes(kept, tmp_path, capsys, identity):
    record = tmp_path / "record"
    match = Library(kept).match(1)
    files = [tmp_path / name for name in ("match.txt", "match.json")]
    match = replace(match, summary=replace(match.summary, number=7, identity=identity))
    files[0].write_text(to_text(match))
    files[1].write_text(json.dumps(to_json(match)))
    said = [run(capsys, "import", file, "--record", record)[1] for file in (*files, *files)]
    assert said[0].startswith("Match 1: 3")
    assert said[1:] == ["Match 1 is that match already: nothing was taken in.\n"] * 3
    assert [each.number for each in Library(record).matches()] == [1]


def test_a_match_that_an_older_program_kept_here_is_not_taken_in_beside_itself(kept, tmp_path, capsys):
    record = shutil.copytree(kept, tmp_path / "record")
    run(capsys, "export", 1, "--format", "text", "-o", tmp_path / "match.txt", "--record", record)
    assert "[Identity" not in (tmp_path / "match.txt").read_text()
    assert run(capsys, "import", tmp_path / "match.txt", "--record", record)[1].startswith("Match 1 is that")


def test_an_old_match_that_makes_no_sense_keeps_no_other_from_being_taken_in(kept, tmp_path, capsys):
    record, file = shutil.copytree(kept, tmp_path / "record"), tmp_path / "match.txt"
    with closing(sqlite3.connect(record / DATABASE)) as database, database:
        database.execute("UPDATE throw SET dice = '[9'")
    file.write_text(to_text(simulated_match("br4006", "other", throws=3)))
    assert run(capsys, "import", file, "--record", record)[0] == 0
    assert Library(record).match(2).throws


def test_a_match_that_has_gone_on_since_takes_the_place_of_its_part(tmp_path, capsys):
    whole = simulated_match("br4006", "goes on", throws=30, ends="upboard")
    whole = replace(whole, summary=replace(whole.summary, identity="ab" * 16))
    part = replace(whole, summary=replace(whole.summary, winner=None), entries=whole.entries[:20])
    record, file = tmp_path / "record", tmp_path / "match.txt"
    said = []
    for match in (part, whole, part):
        file.write_text(to_text(match))
        said.append(run(capsys, "import", file, "--record", record)[1])
    assert said[1].startswith("Match 1 has gone on since it was taken in: ")
    assert said[2].startswith("Match 1 is that match already")
    assert Library(record).match(1).entries == whole.entries


def test_an_identity_that_is_none_is_not_taken_in(kept, tmp_path, capsys):
    file = tmp_path / "match.txt"
    file.write_text(to_text(Library(kept).match(1)).replace("[Match 1]", '[Match 1]\n[Identity "mine"]'))
    status, _, err = run(capsys, "import", file, "--record", tmp_path / "record")
    assert (status, err.count("\n")) == (2, 1)
    assert "'identity' is 'mine', which makes no sense" in err


def test_matches_lists_them(kept, tmp_path, capsys):
    status, out, _ = run(capsys, "matches", "--record", kept)
    heading, line = out.splitlines()
    assert status == 0
    assert line.split()[:3] == ["1", "date", "unknown"]
    assert line.endswith("green and blue won, eight piecer")
    assert len(line) < 110 > len(heading)
    _, out, _ = run(capsys, "matches", "--json", "--record", kept)
    assert json.loads(out)["winner"] == ["green", "blue"]
    status, out, err = run(capsys, "matches", "--record", tmp_path / "none")
    assert (status, out, "none: there is no record here" in err) == (2, "", True)
    assert not (tmp_path / "none").exists()
    status, out, _ = run(capsys, "matches", "--record", tmp_path)
    assert (status, out.startswith("No matches are kept")) == (0, True)
    assert not list(tmp_path.iterdir())


def test_show_tells_every_throw_and_ruling(kept, capsys):
    match = Library(kept).match(1)
    status, out, _ = run(capsys, "show", 1, "--record", kept)
    lines = out.splitlines()
    assert status == 0
    assert len([line for line in lines if " throws " in line]) >= len(match.throws)
    assert lines[-1].split()[0] == str(len(match.rulings))
    assert "Upboard, yellow" in lines[-1]
    assert 'Jones "the Wheel"' in out
    assert "(taken back)" in out
    _, out, _ = run(capsys, "show", 1, "--json", "--record", kept)
    assert len(json.loads(out)["entries"]) == len(match.entries)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", 7), "there is no match 7"),
        (("export", 7), "there is no match 7"),
        (("import", "/nowhere/match.txt"), "/nowhere/match.txt: No such file"),
        (("export", 1, "-o", "/nowhere/match.txt"), "/nowhere/match.txt: cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_2(kept, capsys, words, said):
    status, out, err = run(capsys, *words, "--record", kept)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_file_that_is_no_match_leaves_the_record_as_it_is(kept, tmp_path, capsys):
    copy = shutil.copytree(kept, tmp_path / "copy")
    before = Library(copy).matches()
    for content, said in ((b"\xff\xfe\x00", "no text"), (b"hello", ":1:"), (b"{}", "'format'")):
        (tmp_path / "file").write_bytes(content)
        status, _, err = run(capsys, "import", tmp_path / "file", "--record", copy)
        assert (status, err.count("\n")) == (2, 1)
        assert said in err
    assert Library(copy).matches() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["summary"]["terms"]["options"].update(arm_length=99), "arm_length cannot be 99"),
        (lambda d: d["summary"]["terms"].update(seats=["red", "red", "red", "red"]), "twice"),
        (lambda d: d["summary"].update(winner=["pink"]), "pink"),
        (lambda d: d["entries"][0].update(side="pink"), "entry 1: no 'pink' at this table"),
        (
            lambda d: d["entries"][1]["position"].update(red=[0, 0, 0, 99]),
            "entry 2: red cannot stand on step 99",
        ),
        (lambda d: d["entries"][1]["position"].update(red=[0]), "entry 2: red has 1 pieces"),
        (lambda d: d["entries"][1].update(to_play="pink"), "entry 2: no 'pink'"),
    ],
)
def test_a_match_on_a_board_that_cannot_be_is_not_taken_in(kept, tmp_path, capsys, change, said):
    _, out, _ = run(capsys, "export", 1, "--format", "json", "--record", kept)
    data = json.loads(out)
    change(data)
    (tmp_path / "match.json").write_text(json.dumps(data))
    status, _, err = run(capsys, "import", tmp_path / "match.json", "--record", tmp_path / "elsewhere")
    assert (status, err.count("\n")) == (2, 1)
    assert said in err
    assert not (tmp_path / "elsewhere").exists()


def test_a_match_under_rules_that_are_not_known_any_more_is_taken_in_and_shown(kept, tmp_path, capsys):
    _, out, _ = run(capsys, "export", 1, "--format", "json", "--record", kept)
    data = json.loads(out)
    data["summary"]["terms"].update(rules="forgotten", options={"var_z": True})
    (tmp_path / "match.json").write_text(json.dumps(data))
    elsewhere = tmp_path / "elsewhere"
    assert run(capsys, "import", tmp_path / "match.json", "--record", elsewhere)[0] == 0
    match = Library(elsewhere).match(1)
    assert match.summary.terms.values == Library(kept).match(1).summary.terms.values
    for form in ("text", "gif"):
        assert (
            run(capsys, "export", 1, "--format", form, "-o", tmp_path / form, "--record", elsewhere)[0] == 0
        )
    assert run(capsys, "import", tmp_path / "text", "--record", tmp_path / "third")[0] == 0
    assert Library(tmp_path / "third").match(1).entries == match.entries


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_a_film_shows_every_ruling_on_play(kept, tmp_path, capsys, form):
    file = tmp_path / f"match.{form}"
    assert run(capsys, "export", 1, "--format", form, "-o", file, "--record", kept) == (0, "", "")
    assert file.stat().st_size < 100_000
    with Image.open(file) as picture:
        assert (picture.format, picture.width) == (form.upper(), 360)
        assert picture.n_frames > 20
        picture.seek(picture.n_frames - 1)
        last = picture.convert("RGB").crop((0, 0, 360, 360))
    # What is packed as unchanged is: but for shades of edges, the last picture is the last position.
    # A piece left where it was would differ by the paint, 150 and more.
    match = Library(kept).match(1)
    painted = BoardPainter(Board()).picture(match.rulings[-1].position)
    assert max(high for _, high in ImageChops.difference(last, painted).getextrema()) < 100


def test_a_piece_is_painted_where_it_stands():
    painter = BoardPainter(Board())
    base = dict.fromkeys(COLOURS, (0, 0, 0, 0))
    moved = painter.picture(base | {"red": (0, 0, 0, 1)})
    changed = ImageChops.difference(painter.picture(base), moved).convert("L")
    cells = {
        (x // CELL_PX, y // CELL_PX)
        for x in range(moved.width)
        for y in range(moved.height)
        if changed.getpixel((x, y)) > 60
    }
    # Red's doorstep, and a spot in red's base, which lies at the top left.
    assert (1, 6) in cells
    assert {cell for cell in cells if max(cell) < 6} == cells - {(1, 6)} != set()


def test_pieces_of_several_colours_on_a_square_stay_within_it():
    painter = BoardPainter(Board())
    bare = dict.fromkeys(COLOURS, (0, 0, 0, 57))
    # Track square 9: red's tenth step, and the same square by the others' ways.
    mixed = {"red": (0, 0, 10, 57), "green": (0, 0, 49, 57), "yellow": (0, 0, 36, 57), "blue": (0, 0, 23, 57)}
    changed = ImageChops.difference(painter.picture(bare), painter.picture(mixed)).convert("L")
    square = [
        (x // CELL_PX, y // CELL_PX)
        for x in range(changed.width)
        for y in range(changed.height)
        if changed.getpixel((x, y)) > 60 and x // CELL_PX not in (1, 2, 3, 4, 10, 11, 12, 13)
    ]
    assert set(square) == {Plan().track_cells[9]}


def test_statistics_are_printed_for_people_and_for_programs(kept, tmp_path, capsys):
    status, out, _ = run(capsys, "statistics", "--record", kept)
    assert status == 0
    assert out.startswith("Players:\n  name ")
    assert "  1 match, " in out
    assert "The two dice together: Too few throws: " in out
    _, out, _ = run(capsys, "statistics", "--json", "--record", kept)
    assert sum(json.loads(out)["faces"]) > 40
    status, out, _ = run(capsys, "statistics", "--record", tmp_path)
    assert (status, out) == (0, "No such match is over yet; throws are counted once one is.\n")


def test_the_terminal_and_the_page_tell_the_same_of_the_same_matches(kept, tmp_path, capsys):
    record = tmp_path / "record"
    shutil.copytree(kept, record)
    with closing(MatchStore(record)) as store:
        # One more is under way, and one was left.
        store.begin_match(2, Terms("br4006"), Moment(None, "boot", 60.0))
        left = simulated_match("wafu", "left", throws=20)
        store.take_in(replace(left, summary=replace(left.summary, identity="f" * 32, winner=())))
    _, told, _ = run(capsys, "statistics", "--json", "--record", record)
    assert Library(record).counted() == {}, "whoever looks writes nothing into the record"
    shown = all_counted(Library(record)).statistics()
    assert json.loads(told) == json.loads(json.dumps(asdict(shown)))
    _, out, _ = run(capsys, "statistics", "--record", record)
    assert "  2 matches, 1 of them left, " in out
    for table in tables_of(shown):
        assert f"{table.title}:\n" in out
        assert all(cell in out for row in table.rows for cell in row)
        assert all(f"  {sentence}\n" in out for sentence in table.sentences)
    _, out, _ = run(capsys, "statistics", "--rules", "wafu", "--record", record)
    assert "  1 match, 1 of them left, " in out
    _, out, _ = run(capsys, "statistics", "--name", "somebody", "--record", record)
    assert out.startswith("No such match")
    status, out, err = run(capsys, "statistics", "--since", "today", "--record", record)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_the_back_of_the_board_is_printed_and_drawn(kept, tmp_path, capsys):
    status, out, _ = run(capsys, "honours", "--record", kept)
    assert (status, out) == (
        0,
        '    1  date unknown  Jones "the Wheel" and Yellow: upboarded, against Green and Ó Sé\n',
    )
    file = tmp_path / "back.svg"
    assert run(capsys, "honours", "-o", file, "--record", kept) == (0, "", "")
    assert "upboarded, against Green and Ó Sé" in file.read_text(encoding="utf-8")
    _, out, _ = run(capsys, "honours", "--record", tmp_path)
    assert out == "Nobody is on the back of the board.\n"


def test_a_damaged_record_is_recovered_from_its_recordings(tmp_path, capsys):
    recordings = Path(__file__).parents[1] / "recordings"
    shutil.copytree(recordings / "opening", tmp_path / "0003" / "recording")
    (tmp_path / "0004").mkdir()
    (tmp_path / "record.sqlite").write_bytes(b"\0" * 5000)
    status, out, _ = run(capsys, "recover", "--record", tmp_path)
    assert status == 0
    assert "It is kept as record-damaged-1.sqlite" in out
    assert out.splitlines()[1].startswith("Match 3: ")
    match = Library(tmp_path).match(3)
    replayed = [json.loads(line) for line in (recordings / "opening/expected.jsonl").read_text().splitlines()]
    assert {each["ruling"] for each in replayed} <= {each.ruling for each in match.rulings}
    _, out, _ = run(capsys, "recover", "--record", tmp_path)
    assert out == f"{tmp_path}: the record is sound.\n"
    assert Library(tmp_path).match(3) == match


@pytest.mark.parametrize(
    ("heading", "names", "begun"),
    [
        (
            '{"names": {"red": "Ó Sé"}, "title": "mess", "begun": '
            '{"date": "2026-03-01T20:15:00+00:00", "boot": "b", "since_boot_s": 90.5}}',
            {"red": "Ó Sé"},
            "2026-03-01T20:15:00+00:00",
        ),
        ('{"names": {"red": "Ó Sé"}, "title": "mess", "beg', {}, None),
        ("[]", {}, None),
    ],
)
def test_who_played_and_when_is_found_again_beside_the_recording(tmp_path, capsys, heading, names, begun):
    shutil.copytree(Path(__file__).parents[1] / "recordings/opening", tmp_path / "0003" / "recording")
    (tmp_path / "0003" / "heading.json").write_text(heading, encoding="utf-8")
    (tmp_path / "record.sqlite").write_bytes(b"\0" * 5000)
    assert run(capsys, "recover", "--record", tmp_path)[0] == 0
    found = Library(tmp_path).match(3).summary
    assert (dict(found.terms.names), found.begun) == (names, begun)


def test_a_recording_that_cannot_be_judged_again_is_said(tmp_path, capsys):
    folder = tmp_path / "0001" / "recording"
    folder.mkdir(parents=True)
    (folder / "recording.toml").write_text('rules = "br4006"')
    (folder / "events.jsonl").write_text('{"t": 1, "kind": "sneeze"}\n')
    (tmp_path / "record.sqlite").write_bytes(b"\0" * 5000)
    status, out, _ = run(capsys, "recover", "--record", tmp_path)
    assert status == 1
    assert "Match 1: " in out
    assert "sneeze" in out


@pytest.mark.parametrize("words", [("matches",), ("show", 1), ("recover",)])
def test_a_file_is_no_record(tmp_path, capsys, words):
    (tmp_path / "record").write_text("")
    status, out, err = run(capsys, *words, "--record", tmp_path / "record")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert str(tmp_path / "record") in err


def test_where_there_is_no_record_none_is_called_sound(tmp_path, capsys):
    status, out, err = run(capsys, "recover", "--record", tmp_path / "none")
    assert (status, out) == (2, "")
    assert "there is no record here" in err
