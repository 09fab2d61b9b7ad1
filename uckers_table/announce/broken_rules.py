"""Which rule an accusation rests on: its sentence and number, as the card of the mess's rules has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from uckers_table.announce.rules_in_words import Edition, RuleLine, rule_line
from uckers_table.game.ruling import Hold, Kind, Reason, Slip
from uckers_table.game.ways import SIX

_BY_REASON: Mapping[str, tuple[str, ...]] = {
    Reason.BOTH_DICE_OWED: ("both_dice_forced",),
    Reason.HIGHER_DIE_FIRST: ("high_die_priority",),
    Reason.NO_SIX_TO_COME_OUT: ("exit_throw",),
    Reason.THROUGH_BLOB: ("blob_blocks",),
    Reason.ONTO_BLOB: ("blob_blocks",),
    Reason.PAST_HOME: ("home_exact",),
    Reason.NOT_SENT_BACK: ("capture_optional",),
    Reason.SINGLE_PIECE_SPLITS: ("intermediate_capture",),
    Reason.SENT_BACK_UNEARNED: ("capture_single",),
    Reason.NOT_YOUR_PIECE: ("partner_help_starts", "dice_split"),
    Reason.NOT_YOUR_TURN: ("turn_order",),
    Reason.WRONG_COUNT: ("dice_split",),
    Reason.UNREACHABLE: ("dice_split",),
}
"""By the names of rules in `rules_in_words.toml`: the first of them that the set has."""
_BY_HOLD: Mapping[str, str] = {
    Hold.CHALLENGE: "challenge_forced",
    Hold.MOVE_ON: "suckback_attempts",
    Hold.UNDER_ANOTHER: "mixed_stack_order",
    Hold.PARTNERS_CHUTE: "partner_tube_frozen",
    Hold.SUPERBLOB: "superblob_mobility",
    Hold.LONE_PIECE: "single_piece_total_blocks_exit",
    Hold.NO_ROOM: "superblob_allowed",
    Hold.LOWER_DIE: "lower_die_fallback",
    Hold.SNAKE_EYES: "snake_eyes_doorstep_occupied",
    Hold.CAPTURED: "capturing_piece_stops",
    Hold.ODD_PAIR: "pair_move",
    Hold.GATE: "partner_gate",
    Hold.BOUNCED: "bounce_path",
}
"""That pieces are still to be put where a ruling moved them is no rule of any card."""
_BY_SLIP: Mapping[str, str] = {
    Slip.DOORSTEP_COUNTED: "exit_square",
    Slip.SIX_TWICE: "exit_spends_the_six",
}


def broken_rule(
    edition: Edition, kind: str, reason: str | None, throw: Sequence[int], hold: str = "", slip: str = ""
) -> RuleLine | None:
    """The rule that an accusation of a kind and reason rests on; None where the set's card has none.

    `hold` and `slip` as in the ruling's cause; older records lack them.
    """
    if hold:
        return rule_line(edition, [_BY_HOLD[hold]]) if hold in _BY_HOLD else None
    if slip:
        return rule_line(edition, [_BY_SLIP[slip]]) if slip in _BY_SLIP else None
    if reason is None:
        return rule_line(edition, ["timber_shifting"]) if kind == Kind.TIMBER_SHIFT else None
    if reason == Reason.NO_SIX_TO_COME_OUT and SIX in throw:
        # There was one, and it was spent.
        return rule_line(edition, [_BY_SLIP[Slip.SIX_TWICE]])
    return rule_line(edition, _BY_REASON.get(reason, ()))
