"""Every option that a rule set may choose, with its values and who says what.

A `RuleSet` is plain data: the engine reads its fields and never asks which set it came from. Sources are
abbreviated: BR = BR 4006, Basic Rules; VAR = the variations printed after them; CO = uckers.co.uk; SUB =
its Submariners Rules; SUCK = its Suckback page; WIKI = Wikipedia, Uckers (WAFU rules included); OLD = an
older text of that page; MU, ML = Masters Games, Uckers and Ludo; WL = the western Ludo list. "Ruling A.."
numbers the decisions taken where sources are silent or clash.

The geometry of the board (`arms`, `arm_length`, `doorstep_position`) belongs to the table, not to a rule
set: see `uckers_table.game.setting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from uckers_table.errors import RulesError

Value = bool | int | str
"""What an option can be set to."""


def option(default: Any, *others: Any, says: str) -> Any:
    """An option: its default, its other values, and what the sources say."""
    return field(default=default, metadata={"values": (default, *others), "says": says})


def switch(default: bool, says: str) -> bool:
    """An option that is true or false."""
    value: bool = option(default, not default, says=says)
    return value


@dataclass(frozen=True)
class RuleSet:
    """The value of every option. `name` is for people; the engine never reads it."""

    name: str = "unnamed"

    dice_per_throw: int = option(
        2, 1, says="two in Uckers (BR r1, CO r1, WIKI, OLD, MU); one in Ludo (ML, WL p1)"
    )
    partner_seats: str = option(
        "opposite", "none", says="partners sit opposite (BR r2, CO r2, WIKI, OLD, MU); none in ML"
    )
    two_player_turns: str = option(
        "combined",
        "per_colour",
        says="one throw is used on all eight pieces, or the seats take turns (ruling A07)",
    )

    throw_off_tie: str = option(
        "rethrow_tied", "first_thrower", says="tied leaders alone throw again (ruling A09)"
    )
    throw_off_counts_as_turn: bool = switch(False, "the leader throws afresh (CO r3; ruling A10)")
    snake_eyes_out: bool = switch(
        False, "1-1 on one's first throw brings all out (SUB b6, WIKI, OLD; ruling A11)"
    )
    snake_eyes_call: str = option(
        "not_needed", "before_throw", says="must be called before it (WAFU; ruling A13)"
    )
    snake_eyes_scope: str = option(
        "own", "own_and_partner", says="own pieces (SUB b6, WAFU, OLD), the partner's by local rule (WIKI)"
    )
    snake_eyes_ends_turn: bool = switch(True, "the next player plays (WIKI, OLD; ruling A15)")
    snake_eyes_second_in: bool = switch(
        True, "1-1 again on the second throw: all back in (SUB b6, WIKI, OLD)"
    )

    exit_throw: str = option(
        "6", "1_or_6", says="a six (BR r4, CO r4, WIKI, OLD, MU, ML, WL); also a one for young children (ML)"
    )
    exit_square: str = option(
        "doorstep", "step_6", says="the doorstep (BR r4, CO r4, MU); six squares on (ML; ruling A17)"
    )
    exit_other_die: str = option(
        "any_piece",
        "same_piece",
        says="the other die goes to this or another piece (CO r4); to the piece (BR r4; ruling A18)",
    )
    single_piece_total_blocks_exit: bool = switch(
        False, "a lone piece must move the total, so nobody comes out (BR r5b; ruling A19)"
    )

    intermediate_capture: bool = switch(
        False, "a piece may go die by die, capturing half-way (VAR A; ruling A21)"
    )
    lower_die_fallback: bool = switch(
        True, "the lower die is played if the higher cannot be (BR r5d; ruling A22)"
    )
    last_piece_one_die: bool = switch(
        True, "a colour's last piece may go home on one die (BR r10b; ruling A52)"
    )
    both_dice_forced: bool = switch(True, "both dice must be used if they can be (OLD; ruling A23)")
    high_die_order: str = option(
        "free", "high_first", says="the higher die is played first (SUB b4; ruling A24)"
    )
    blob_backward_on_double: bool = switch(False, "a blob may go back on a double (WIKI oth6; ruling A54)")
    pair_distance: str = option("half", "full", says="half each, else 'even' has no purpose (ruling A79)")
    pair_move: bool = switch(False, "two tokens may go half an even throw each (WL p11-p13; ruling A79)")

    extra_for_double_six: int = option(1, 2, says="one (BR r6, CO r6a, MU; ruling A27); two (VAR F)")
    extra_any_double: bool = switch(False, "any double earns a throw (CO r6b; ruling A26)")
    extra_mandatory: bool = switch(True, "an extra throw is to be taken (CO r6c); may be (WL p6; ruling A28)")
    three_sixes_penalty: str = option(
        "none", "lose_turn", says="the third six moves nothing and ends the turn (WL p7; ruling A80)"
    )
    finish_extra_throw: str = option(
        "lapses", "gate", says="what was owed lapses when a colour is home (BR r11; ruling A30)"
    )

    partner_immune: bool = switch(
        True, "partners are not captured (BR r9, CO r9, WIKI, OLD, MU); they are in ML"
    )
    safe_squares: str = option(
        "chute_only", "all_coloured", says="doorsteps are safe too (WL p10; ruling A81)"
    )
    blob_blocks: str = option(
        "opponents_only", "all_others", says="a blob stops opponents (BR r8a); any other colour (ML)"
    )

    mixed_blocks: bool = switch(
        False, "two enemies of any colours bar (WL p9); a mixed blob never (BR r9; ruling A49)"
    )
    superblob_allowed: bool = switch(
        True, "three and four may share a square (BR r8b, CO r8b; OLD adv1; ruling A32)"
    )
    superblob_mobility: str = option(
        "pieces_singly", "frozen", says="they leave singly; do not move at all (OLD adv1; ruling A32)"
    )
    break_barrier_forced: bool = switch(
        True, "a blob breaks if the throw can be used no other way (BR r8f; ruling A33)"
    )
    blob_takes_blob: bool = switch(False, "a blob takes a blob on a double (VAR C, SUB b1, WIKI; ruling A34)")
    btb_size: str = option(
        "any", "double_v_double", says="any size (VAR C); a pair takes a pair (SUB b1; ruling A35)"
    )
    blob_jump: str = option(
        "off",
        "any",
        "adjacent",
        says="a blob jumps blobs on a double (VAR C); the next one only (WIKI; ruling A36)",
    )

    challenge_timing: str = option(
        "next_throw", "next_turn", "start_of_turn", says="BR r8d, CO r8d, MU; WIKI, OLD; SUB b2 (ruling A39)"
    )
    challenge_opening_double_six: str = option(
        "counts_1", "counts_2", says="once (BR r8c, CO r8c, MU); twice (OLD; ruling A40)"
    )
    challenge_sixes: str = option(
        "X+1", "X", says="X+1 in all (BR r8b, CO r8b, WIKI, OLD, MU; ruling A45); one less (VAR E)"
    )
    challenge_persistence: str = option(
        "this_turn", "until_settled", says="a miss loses the count (SUB b3); keeps it (MU; ruling A41)"
    )
    challenge_forced: bool = switch(False, "must be made if the six has no other use (SUB b4; ruling A42)")
    challenge_from_mixed: bool = switch(
        False, "from a mixed blob (VAR B); not (BR r9, CO r9, SUB b3, WIKI, OLD, MU)"
    )
    challenge_from_base: bool = switch(
        True, "a blob on one's doorstep may be challenged from base (BR r8e, CO r8e)"
    )
    doorstep_extra_sixes: int = option(1, 0, 2, says="sixes more from base (BR r8e, CO r8e, MU; ruling A47)")

    mixed_stack_order: str = option(
        "free", "top_first", says="only the top piece may leave a mixed square (WAFU, OLD adv2; ruling A50)"
    )
    home_exact: str = option(
        "exact", "excess_allowed", "bounce", says="exact (BR r10b, CO r10b); bouncing (VAR D; ruling A53)"
    )

    suckback: bool = switch(False, "the chute is open to suckback (VAR G, SUCK, WAFU, OLD adv1)")
    suckback_timing: str = option("next_turn", "next_throw", says="WIKI, OLD, SUCK; VAR G2 (ruling A60)")
    suckback_dice: str = option(
        "two", "one", says="either die or the sum (VAR G2, WIKI, OLD); one die (SUCK; ruling A58)"
    )
    suckback_six_bonus: bool = switch(False, "a six that misses throws again (VAR G2)")
    suckback_attempts: int | str = option(
        "unlimited", 1, 2, says="two (VAR G3), one (SUCK o2, WIKI), unsaid (OLD; ruling A61)"
    )
    suckback_miss: str = option(
        "stay", "advance", says="stays (VAR G3); one square on (SUCK o2, WIKI; ruling A62)"
    )
    suckback_hit_advance: int = option(
        0, 1, says="squares gone on after a hit: one (VAR G4, SUCK o1; ruling A63)"
    )
    suckback_chute_blob: str = option(
        "immune", "needs_double", says="immune (SUCK n1); a double (VAR G9; ruling A65)"
    )
    suckback_from_mixed: bool = switch(False, "as for challenges (ruling A66)")
    blowback: bool = switch(False, "the threatened piece may strike first (VAR G5, WAFU; ruling A67)")
    blowback_attempts: int | str = option(2, "unlimited", says="two (VAR G7)")

    partner_gate_two_player: bool = switch(
        False, "two players with a turn a colour have no gate (ruling A07)"
    )
    partner_tube_frozen: bool = switch(
        False, "the helper may not move in his partner's chute (WIKI, OLD; ruling A56)"
    )
    partner_calls_allowed: bool = switch(True, "the helper may call for his partner's pieces")

    dice_off_edge: str = option(
        "table", "board", says="dropped off the table (CO r12a); off the board (SUB b8, WIKI; ruling A69)"
    )
    dice_fault_run: str = option("none", "consecutive", "per_game", says="CO r12b, SUB b8; WIKI (ruling A70)")
    dice_fault_kinds: str = option("dropped", "dropped+cocked", says="CO r12b; SUB b8 (ruling A70)")
    dice_fault_penalty: str = option("all_to_base", "lose_go", says="CO r12b, SUB b8; WIKI (ruling A71)")
    penalty_scope: str = option("all_four", "not_home", says="'all his pieces' (CO r12b; ruling A71)")

    timber_caller: str = option(
        "referee", "players", says="the referee calls it aloud; players only (WIKI oth2; ruling A75)"
    )
    timber_unchallenged: str = option(
        "stands", "never", says="stands once the next throw is made (SUB b9, WIKI oth2)"
    )
    stand_up_reach: str = option(
        "one_throw", "one_die", says="possible from one throw (WIKI oth4; ruling A78)"
    )
    name_on_reverse: str = option("eight_piecer", "in_harbour", says="SUB b7, OLD; WIKI (ruling A74)")
    exhibition: bool = switch(False, "declared before the start: no name on the board (SUB b7)")
    needle_touch_wood: str = option("announce", "off", says="when one six is needed (OLD, call)")
    rules_agreement: str = option(
        "silent_preset", "vote", "never", says="BR vote; SUB b10; MU footer (ruling A76)"
    )

    @cached_property
    def may_hold_back(self) -> bool:
        """Whether any rule keeps a piece that the dice fit from moving."""
        return self.superblob_mobility == "frozen" or self.partner_tube_frozen


OPTIONS: Mapping[str, tuple[Value, ...]] = {
    each.name: each.metadata["values"] for each in fields(RuleSet) if each.name != "name"
}
"""The values that each option may take, its default first."""

SWITCHES: Mapping[str, Mapping[str, Value]] = {
    "var_a": {"intermediate_capture": True},
    "var_b": {"challenge_from_mixed": True},
    "var_c": {"blob_takes_blob": True, "btb_size": "any", "blob_jump": "any"},
    "var_d": {"home_exact": "bounce"},
    "var_e": {"challenge_sixes": "X"},
    "var_f": {"extra_for_double_six": 2},
    "var_g": {
        "suckback": True,
        "suckback_dice": "two",
        "suckback_attempts": 2,
        "suckback_six_bonus": True,
        "suckback_miss": "stay",
        "suckback_hit_advance": 1,
        "suckback_chute_blob": "needs_double",
        "blowback": True,
        "blowback_attempts": 2,
    },
}
"""The variations printed after BR 4006, each a handful of options."""


def check_option(name: str, value: object, where: str) -> Value:
    """The value, if the option takes it; RulesError says what it does take."""
    if name in SWITCHES:
        allowed: tuple[Value, ...] = (True, False)
    elif name in OPTIONS:
        allowed = OPTIONS[name]
    else:
        close = get_close_matches(name, [*OPTIONS, *SWITCHES], 1)
        hint = f": did you mean {close[0]!r}?" if close else ""
        raise RulesError(f"{where}: there is no option {name!r}{hint}")
    for one in allowed:
        # 1 == True in Python, and a rule set that writes 1 for true is not what it means to be.
        if type(one) is type(value) and one == value:
            return one
    raise RulesError(f"{where}: {name} cannot be {value!r}; it is one of {', '.join(map(repr, allowed))}")
