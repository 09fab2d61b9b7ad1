"""A story that makes no sense is refused, and one that does not come out as expected fails."""

import pytest

from tests.referee.reading_stories import EXPECTATIONS, StoryError, read_chapter
from tests.referee.telling_stories import FOUND, tell

HEAD = 'kind = "Plays"\nrule = "A play is legal."\n'
NAME = '[[story]]\nname = "A piece goes too far"\n'
START = 'start = { to_play = "red", red = [10, 20, 57, 57] }\n'
EVENTS = 'events = [{ throw = [5, 2] }, { see = 0.4, ruled = ["legal"] }]\n'
STORY = NAME + START + EVENTS


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('kind = "Plays"\n' + STORY, "has no 'rule'"),
        (HEAD, "has no 'story'"),
        (HEAD + "[[story", "is no TOML file"),
        (HEAD + "seconds = 3\n" + STORY, "key 'seconds' is not known"),
        (HEAD + STORY + STORY, "story 'A piece goes too far' is there twice"),
    ],
    ids=["no rule", "no story", "no TOML", "a key of the file", "a story told twice"],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path, text, complaint):
    assert refusal(tmp_path, text).startswith(f"plays.toml: {complaint}")


NONSENSE = [
    ("start", "dices = 2\nstart", "key 'dices' is not known"),
    (START, "", "it has no 'start'"),
    ("10, 20", "10, 60", "red cannot stand on step 60"),
    ('"red"', '"pink"', "no 'pink' at this table"),
    ("start", 'rules = "chess"\nstart', "there is no rule set 'chess'"),
    ("start", 'dice = "cook"\nstart', "no dice are read by 'cook'"),
    ("start", "alternatives.near = [{ near = 1 }]\nstart", "alternatives: {'near': 1} makes no sense"),
    ("ruled", "rules", "event 2: key 'rules' is not known"),
    ("see", "saw", "event 2: has none of see, hand"),
    (', ruled = ["legal"]', "", "nothing is expected after its last event"),
    ("0.4", "0.5", "event 2: 0.5 s is no whole number of sightings"),
    ('["legal"]', '["lawful"]', "event 2: no ruling is called 'lawful'"),
    ("throw = [5, 2]", 'button = "go"', "event 1: button = 'go' is none of done"),
    ("see = 0.4", 'see = 0.4, trouble = ["fog"]', "event 2: no trouble is called 'fog'"),
    ("see = 0.4", 'see = 0.4, dice = ["2 over there"]', "event 2: '2 over there' is no die"),
    ("see = 0.4", 'see = 0.4, alternatives = "near"', "['near']: not described, or not used"),
]
"""What is replaced in STORY, what by, and the complaint about it."""


@pytest.mark.parametrize(("right", "wrong", "complaint"), NONSENSE, ids=[each[2] for each in NONSENSE])
def test_a_story_that_makes_no_sense_is_refused(tmp_path, right, wrong, complaint):
    assert right in STORY
    text = HEAD + NAME + (START + EVENTS).replace(right, wrong, 1)
    assert refusal(tmp_path, text).startswith(f"plays.toml: story 'A piece goes too far': {complaint}")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("A piece" * 20, "its id has 147 characters"), ("A piece.", "its name ends")],
    ids=["too long", "with a full stop"],
)
def test_a_story_with_a_bad_name_is_refused(tmp_path, name, complaint):
    text = HEAD + f'[[story]]\nname = "{name}"\n' + START + EVENTS
    assert refusal(tmp_path, text).startswith(f"plays.toml: story '{name}': {complaint}")


def refusal(folder, text):
    path = folder / "plays.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StoryError) as refused:
        read_chapter(path)
    return str(refused.value)


def test_all_expectations_can_be_found():
    assert {*FOUND} == {*EXPECTATIONS}


SHIFT = """
start = { to_play = "red", red = [10, 20, 57, 57] }
events = [{ hand = 0.8, move = { green = [1, 0, 0, 0] } }, { see = 4.0, EXPECTED }]
"""
QUESTION = """
start = { to_play = "red", red = [10, 20, 57, 57], green = [5, 0, 0, 0] }
events = [{ hand = 0.8 }, { see = 6.0, green = [0, 0, 0], EXPECTED }]
"""
SAID = "Timber shift. Green's piece on green's doorstep belongs in base."


@pytest.mark.parametrize(
    ("events", "key", "right", "wrong"),
    [
        (SHIFT, "ruled", '["timber_shift"]', '["illegal"]'),
        (SHIFT, "said", f'["{SAID}"]', "[]"),
        (SHIFT, "never", '["illegal"]', '["timber_shift"]'),
        (SHIFT, "after", "[1.5, 3.5]", "[0.0, 0.5]"),
        (SHIFT, "reason", '"not_your_turn"', '"wrong_count"'),
        (SHIFT, "side", '"green"', '"red"'),
        (SHIFT, "moves", '["green 0 to 1"]', '["green 0 to 2"]'),
        (SHIFT, "position", "{ green = [0, 0, 0, 0] }", "{ green = [0, 0, 0, 1] }"),
        (SHIFT, "wrong_board", "{ green = [0, 0, 0, 1] }", "false"),
        (SHIFT, "behind", "false", "true"),
        (SHIFT, "to_play", '"red"', '"green"'),
        (SHIFT, "awaiting", '"throw"', '"play"'),
        (SHIFT, "thrown", "[]", "[5, 2]"),
        (SHIFT, "held", "[]", "[[5, 2]]"),
        (SHIFT, "taken", "[]", "[[5, 2]]"),
        (SHIFT, "open", f'"{SAID}"', '""'),
        (QUESTION, "asks", '["green 5"]', '["green 6"]'),
        (QUESTION, "about", '"17"', '"18"'),
        (QUESTION, "numbers", "[]", "[3, 2]"),
        (QUESTION, "readings", "[]", '[["tower", [2, 1]]]'),
    ],
    ids=lambda value: value if value in EXPECTATIONS else "",
)
def test_an_expectation_holds_or_fails(tmp_path, events, key, right, wrong):
    path = tmp_path / "plays.toml"
    for value in (right, wrong):
        path.write_text(HEAD + NAME + events.replace("EXPECTED", f"{key} = {value}"), encoding="utf-8")
        (story,) = read_chapter(path).stories
        if value == right:
            tell(story)
        else:
            with pytest.raises(AssertionError, match=f"{key}: expected"):
                tell(story)


def test_a_failure_shows_what_happened(tmp_path):
    path = tmp_path / "plays.toml"
    path.write_text(HEAD + NAME + SHIFT.replace("EXPECTED", "ruled = []"), encoding="utf-8")
    (story,) = read_chapter(path).stories
    with pytest.raises(AssertionError) as failed:
        tell(story)
    assert str(failed.value).splitlines() == [
        "after event 2:",
        "ruled: expected [], found ['timber_shift']",
        "",
        "   1  hand = 0.8, move = {'green': [1, 0, 0, 0]}",
        "   2  see = 4.0  ->  timber_shift",
    ]
