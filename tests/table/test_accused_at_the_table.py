"""What somebody is accused of, from the referee to the page and into the record."""

from dataclasses import replace

from tests.table.test_asking_back import PLAY, PLAYED, RED
from tests.table.test_asking_back import evening as evening
from tests.table.test_table_faults import at_page
from uckers_table.game.ruling import Move
from uckers_table.record.library import Library
from uckers_table.web.feed import OpenAccusation

BEFORE = replace(PLAYED, pieces=PLAYED.pieces | {"red": RED})
WRONG = replace(PLAYED, pieces=PLAYED.pieces | {"red": (16, 20, 57, 57)})
"""Red's piece on ten went six on, and the dice said five and two."""


def test_the_page_is_told_what_is_to_be_put_right_and_where_the_dice_went(evening, tmp_path, monkeypatch):
    # The table of this evening has no camera whose picture could be marked.
    monkeypatch.setattr("uckers_table.keeping.gallery.mark_moves", lambda image, *_: image)
    wrong = [(2.0 + each / 5, WRONG) for each in range(20)]
    right = [(6.5 + each / 5, BEFORE) for each in range(10)]
    table = evening(
        *PLAY[:2], (1.5, replace(WRONG, hand=True)), *wrong, (6.2, replace(WRONG, hand=True)), *right
    )
    told = []
    publish = table.page.feed.publish
    table.page.feed.publish = lambda snapshot: (told.append(snapshot.accused), publish(snapshot))
    at_page(table, [], begins=True)
    assert table.ruled() == ["illegal", "put_right"]
    accused = OpenAccusation(1, (Move(0, 10, 16),), (5, 2), ((0, 12), (0, 15), (0, 17)))
    assert [*dict.fromkeys(told)] == [None, accused]
    assert told[-1] is None
    (illegal, _) = Library(tmp_path).match(1).rulings
    assert illegal.facts["legal"] == [{"colour": "red", "steps": steps} for steps in (12, 15, 17)]
    assert [(move.colour, move.start, move.end) for move in illegal.moves] == [("red", 10, 16)]
