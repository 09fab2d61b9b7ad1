"""How figures move with a price: every price can be named, is changed for a match, and is back after it."""

import pytest

from tools.prices import _line, _match, every_price, main, multiplied
from uckers_table.referee import prices
from uckers_table.trial.figures import TrialFigures
from uckers_table.trial.weighing import MatchAccount


def test_every_price_and_every_row_has_a_name():
    names = {*every_price()}
    assert {"ACCUSE", "ASK", "READER.short", "FRAMES.far", "PERSON.moved", "UNWATCHED.True"} <= names


@pytest.mark.parametrize("name", ["ACCUSE", "MOST", "READER.short", "PERSON.moved", "UNWATCHED.True"])
def test_a_price_is_multiplied_for_a_while(name):
    table, _, key = name.partition(".")

    def value():
        found = getattr(prices, table)
        return next(price for row, price in found.items() if str(row) == key) if key else found

    before = value()
    with multiplied(name, 0.5):
        halved = value()
    assert value() == before
    assert halved == (tuple(each / 2 for each in before) if isinstance(before, tuple) else before / 2)


def test_a_price_that_there_is_not_gets_one_line(capsys):
    assert main(["READER.shorts"]) == 2
    said = capsys.readouterr().err
    assert "READER.shorts" in said
    assert said.count("\n") == 1


def test_a_law_that_there_is_not_gets_one_line(capsys):
    assert main(["ACCUSE", "--errors", "often", "--jobs", "1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_where_a_person_s_doing_is_dearer_fewer_cheats_are_called():
    usual, dearer = (_match("PERSON.moved", by, "measured", 3, 0) for by in (1.0, 2.0))
    assert _called(dearer) < _called(usual)


def _called(account):
    return sum(called for called, *_ in account.cheats.values())


def test_a_line_names_the_price_its_factor_and_the_figures():
    account = MatchAccount(plays=60, false_accusations=1, cheats={"slide": [2, 1, 0]}, questions=3)
    assert _line("ACCUSE", 2.0, TrialFigures.of([account])) == "| ACCUSE | × 2 | 60 | 1 | 2 / 1 / 0 | 3 |"


def test_how_many_errors_stay_is_a_price_like_any_other():
    usual = prices.lasting(60.0)
    with multiplied("STAYS", 2.0):
        assert prices.lasting(60.0) < usual
