"""Which rule an accusation rests on, by hand from the cards that `uckers-table rules` prints."""

import pytest

from uckers_table.announce.broken_rules import _BY_HOLD, _BY_REASON, _BY_SLIP, broken_rule
from uckers_table.announce.rules_in_words import edition, rule_lines
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Hold, Kind, Reason, Slip


@pytest.mark.parametrize(
    ("rules", "options", "broken", "begins", "source"),
    [
        ("br4006", (), (Reason.WRONG_COUNT, (6, 2)), "Use the dice on two pieces", "BR r5b r5c"),
        ("br4006", (), (Reason.NO_SIX_TO_COME_OUT, (5, 2)), "It takes a six", "BR r4"),
        ("br4006", (), (Reason.NO_SIX_TO_COME_OUT, (6, 2)), "Coming out spends the six", "BR r4"),
        ("submariners", (), (Reason.THROUGH_BLOB, (6, 2)), "No enemy may land on a blob", "CO r8a"),
        ("couk", (), (Reason.PAST_HOME, (6, 2)), "Home takes the exact number", "CO r10b"),
        (
            "submariners",
            (),
            (Reason.HIGHER_DIE_FIRST, (6, 2)),
            "If only one die can be used",
            "SUB b4, CO r5d",
        ),
        ("masters_ludo", (), (Reason.WRONG_COUNT, (4,)), "Move any one of your pieces", "ML play"),
        (
            "br4006",
            ("home_exact=excess_allowed",),
            (Reason.PAST_HOME, (6, 2)),
            "Home takes the exact",
            "house rule",
        ),
        (
            "br4006",
            ("var_a",),
            (Reason.SINGLE_PIECE_SPLITS, (6, 2)),
            "One piece on both dice may go",
            "VAR A",
        ),
    ],
)
def test_the_rule_is_that_of_the_mess_s_own_card(rules, options, broken, begins, source):
    reason, throw = broken
    line = broken_rule(edition(rules, options), Kind.ILLEGAL, reason, throw)
    assert line.text.startswith(begins)
    assert line.source == source
    assert line in rule_lines(edition(rules, options))


def test_what_kept_a_piece_and_a_count_that_everybody_knows_have_rules_of_their_own():
    played = edition("submariners")
    forced = broken_rule(played, Kind.ILLEGAL, Reason.CANNOT_MOVE_NOW, (6, 2), hold=Hold.CHALLENGE)
    assert (forced.text, forced.source) == ("You must challenge if the six has no other use.", "SUB b4")
    doorstep = broken_rule(played, Kind.ILLEGAL, Reason.WRONG_COUNT, (6, 2), slip=Slip.DOORSTEP_COUNTED)
    assert doorstep.text == "A piece comes out onto your doorstep."
    assert broken_rule(played, Kind.ILLEGAL, Reason.CANNOT_MOVE_NOW, (6, 2), hold=Hold.RULING) is None
    assert broken_rule(played, Kind.ILLEGAL, Reason.CANNOT_MOVE_NOW, (6, 2)) is None
    assert broken_rule(played, Kind.ILLEGAL, "of a newer program", (6, 2), hold="newer") is None


def test_a_timber_shift_has_its_rule_and_one_out_of_turn_another():
    played = edition("submariners")
    assert broken_rule(played, Kind.TIMBER_SHIFT, None, ()).source == "SUB b9"
    shifted = broken_rule(played, Kind.TIMBER_SHIFT, Reason.NOT_YOUR_TURN, (6, 2))
    assert shifted.text == "Turns go round clockwise."


@pytest.mark.parametrize("rules", known_rules())
@pytest.mark.parametrize("reason", _BY_REASON)
def test_each_set_has_a_sentence_for_each_reason(rules, reason):
    if edition(rules).rules.dice_per_throw == 2:
        assert broken_rule(edition(rules), Kind.ILLEGAL, reason, (5, 2)) is not None


def test_every_hold_and_slip_leads_to_a_rule():
    assert {*Hold} - {*_BY_HOLD} == {Hold.RULING}
    assert {*Slip} == {*_BY_SLIP}
    played = [*map(edition, known_rules()), edition("br4006", ["home_exact=bounce"])]
    for hold in _BY_HOLD:
        assert any(broken_rule(each, Kind.ILLEGAL, "any", (6, 2), hold=hold) for each in played), hold
