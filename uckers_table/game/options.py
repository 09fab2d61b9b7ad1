"""Every option that a rule set may choose, with its values and who says what.

A `RuleSet` is plain data: the engine reads its fields and never asks which set it came from. Each option
says what it does and what each source says about it, with the place in brackets. Sources: BR = BR 4006,
Basic Rules; VAR = the variations printed after them; CO = uckers.co.uk; SUB = its Submariners Rules; SUCK =
its Suckback page; WIKI = Wikipedia, Uckers (WAFU rules included); OLD = an older text of that page; MU, ML =
Masters Games, Uckers and Ludo; WL = the western Ludo list. "Ruling A.." numbers the decisions taken where
sources are silent or clash; a source that is not named is silent.

Rules that no source lets a mess choose are in `uckers_table.game.fixed`. The geometry of the board (`arms`,
`arm_length`, `doorstep_position`, the seats and how many play) belongs to the table, not to a rule set: see
`uckers_table.game.setting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

Value = bool | int | str
"""What an option can be set to."""


def option(values: tuple[Any, ...], does: str, says: str, *, and_more: bool = False) -> Any:
    """An option: its values, the default first; what it does; what the sources say.

    `and_more` lets the option be any whole number from the last value on.
    """
    return field(
        default=values[0], metadata={"values": values, "does": does, "says": says, "and_more": and_more}
    )


def switch(default: bool, does: str, says: str) -> bool:
    """An option that is true or false."""
    value: bool = option((default, not default), does, says)
    return value


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The value of every option. `name` is for people; the engine never reads it."""

    name: str = "unnamed"

    # Board, pieces, seats

    partner_seats: str = option(
        ("opposite", "none"),
        "Who plays together: seats k and k+2, or every man for himself.",
        "BR: diagonally opposite (r2); CO: diagonally opposite (r2); opposite (intro); WIKI: "
        "opposite (players); OLD: opposite (players); bases diagonal (note); MU: opposite (intro); "
        "ML: none, every man for himself (win); WL: partners, seat unsaid (p3); ruling A05.",
    )
    two_player_turns: str = option(
        ("combined", "per_colour"),
        "Two players use one throw on all eight pieces, or their seats take turns as four do.",
        "No source speaks of it; ruling A07.",
    )
    hex6_teams: str = option(
        ("three_pairs", "two_threes", "singles"),
        "Six arms: pairs k and k+3, threes k, k+2 and k+4 (a colour that is home helps the next of "
        "its team clockwise that is not), or nobody together.",
        "No source speaks of it; ruling A08.",
    )
    dice_per_throw: int = option(
        (2, 1),
        "How many dice a throw is.",
        "BR, CO: 2 (r1); SUCK: 1 for a suckback only (play); WIKI, OLD: 2 (dice); MU: 2 (equip); ML: "
        "1 (equip); WL: 1 (p1).",
    )
    safe_squares: str = option(
        ("chute_only", "all_coloured"),
        "Where nobody is captured or barred: the chutes, or the doorsteps too.",
        "BR, CO: lane only (r10a); WIKI: tube, unless WAFU (home); OLD: tube, unless wafoo (home); "
        "ML: home column (equip); WL: every non-white square: no eating, no blocking (p10); ruling "
        "A81.",
    )

    # Opening

    throw_off_tie: str = option(
        ("rethrow_tied", "first_thrower"),
        "Tied leaders alone throw again, or the first of them starts.",
        "No source speaks of it; ruling A09.",
    )
    throw_off_winner_chooses: bool = switch(
        False,
        "Whether who wins the throw-off chooses the colour that he plays, and starts with it: he says so "
        "before the first throw (the call `colours`). Names stay with the colours that they were given to.",
        "No source speaks of it; a house rule: red and yellow, or green and blue.",
    )
    throw_off_counts_as_turn: bool = switch(
        False,
        "Whether the winning throw is played, instead of a fresh one.",
        "BR: highest score plays first (r3); CO: highest scorer has the first throw, so a fresh "
        "throw (r3); ruling A10.",
    )
    snake_eyes_out: bool = switch(
        False,
        "Whether 1-1 at the opening brings all of a player's pieces out.",
        "SUB: true, called pretty standard (b6); WIKI: true, 'out all bits' (exit); OLD: true, all "
        "bits out / all bits in (exit); ruling A11.",
    )
    snake_eyes_window: str = option(
        ("own_first_throw", "own_first_turn", "first_throw_of_game", "double_of_turn"),
        "Which throw is the opening one: a side's first, any of its first turn, or the very first of "
        "the match. With double_of_turn it is double n on any throw of a side's n-th turn: one and one on "
        "the first, two and two on the second, up to the sixth.",
        "SUB: first turn of the game (b6); WIKI, OLD: very first throw (exit); ruling A12.",
    )
    snake_eyes_call: str = option(
        ("not_needed", "before_throw", "once_for_all"),
        "Whether it only counts if called before that throw, or if anybody called it, for all, before the "
        "first throw of the match.",
        "SUB: none mentioned (b6); WIKI: none; WAFU: must be called before the first roll, never "
        "afterwards (exit); OLD: none mentioned (exit); ruling A13.",
    )
    snake_eyes_scope: str = option(
        ("own", "own_and_partner"),
        "Whose pieces come out.",
        "SUB: own (b6); WIKI: own, possibly partner's by local rule; WAFU: own only (exit); OLD: own "
        "(exit); ruling A14.",
    )
    snake_eyes_ends_turn: bool = switch(
        True,
        "Whether the next player then plays, nothing being owed.",
        "CO: silent, but r6b alone would give a throw for the double; WIKI, OLD: next player plays "
        "(exit); ruling A15.",
    )
    snake_eyes_second_in: bool = switch(
        True,
        "Whether 1-1 again on the next throw sends back in those who came out.",
        "SUB: second turn 1-1 again: all back in (b6); WIKI, OLD: second throw 1-1 again: all back (exit).",
    )
    snake_eyes_doorstep_occupied: str = option(
        ("capture_single", "always_out"),
        "As by any exit a single or mixed enemy is captured, a partner joined and all barred by an "
        "enemy barrier; or out whatever stands there, a barrier being sent back.",
        "No source speaks of it; ruling A16.",
    )

    # Leaving base

    exit_throw: str = option(
        ("6", "1_or_6"),
        "What brings a piece out.",
        "BR, CO: 6 (r4); SUB: six brings fresh bits out (b3); WIKI, OLD: 6 (exit); MU: 6, the only "
        "way (start); ML: 6 (play); 1 or 6 for young children (var); WL: 6 (p4).",
    )
    exit_square: str = option(
        ("doorstep", "step_6"),
        "Where a piece comes out.",
        "BR, CO: doorstep (r4); WIKI, OLD: doorstep (exit); MU: first square (start); ML: "
        "contradicts itself: first square, yet moves six counting the start square (play); WL: "
        "leaves the box, square unsaid (p4); ruling A17.",
    )
    exit_other_die: str = option(
        ("any_piece", "same_piece"),
        "What the other die is for after an exit: any piece, or that piece or another exit only.",
        "BR: the piece, under r5 (r4); CO: this or another piece (r4); WIKI, OLD: general split rule "
        "(split); MU: second piece or total, general rule (play); ruling A18.",
    )
    exit_other_die_forced: bool = switch(
        True,
        "Whether, a piece having come out, the other die must be played if it can be.",
        "BR, CO: 'can be used' (r4); OLD: true: both numbers if usable (high).",
    )
    exit_optional: bool | str = option(
        (True, "forced"),
        "Whether a six may be played otherwise, or must bring a piece out if it can.",
        "BR, CO: 'required', not forced (r4); SUB: choice of fresh bits or another move (b3); MU: "
        "option (start).",
    )
    single_piece_total_blocks_exit: bool = switch(
        False,
        "Whether a lone piece between base and home must move the total, so that nobody comes out.",
        "BR, CO: true by the letter of r5b; MU: false: a six always gives the option (start); ruling A19.",
    )
    exit_captures: bool = switch(
        True,
        "Whether coming out captures on the doorstep, or enemies there stay and share it.",
        "BR, CO: by r7; WIKI, OLD, MU: by cap; ML: by play; WL: false: start square is not white (p8, p10).",
    )

    # Moving and using the dice

    intermediate_capture: bool = switch(
        False,
        "Whether a piece may go die by die, in either order, capturing where it touches down.",
        "BR, CO: false, except through r5d (r5b); VAR: true (A); MU: false: piece does not stop "
        "there (play); ruling A21.",
    )
    lower_die_fallback: bool = switch(
        True,
        "Whether the lower die is played if neither both nor the higher can be.",
        "BR: implied: no move only if neither die serves (r5d); CO: implied (r5d); WIKI: implied: "
        "preference only (high); OLD: implied (high); MU: implied: forfeited only if no piece can "
        "move (play); ruling A22.",
    )
    both_dice_forced: bool = switch(
        True,
        "Whether both dice must be used if they can be, or the higher alone is enough.",
        "BR, CO: 'may' (r5c); WIKI: only the higher-die preference (high); OLD: true (high); MU: "
        "silent on leaving one unused; ruling A23.",
    )
    capturing_piece_stops: bool = switch(
        False,
        "Whether a piece that has captured with one die may not go on with the other: one that captures by "
        "coming out stays on its doorstep, and nobody captures half-way.",
        "No source speaks of it; a house rule.",
    )
    high_die_order: str = option(
        ("free", "high_first"),
        "Whether the higher die is played first where the order makes a difference.",
        "SUB: high_first: the 2 may not be played before the 6 (b4); ruling A24.",
    )
    pass_allowed: bool = switch(
        False,
        "Whether a throw that could be played may be left.",
        "BR: false: must even break a barrier (r8f); CO: false (r8f); SUB: false: forced to split "
        "(b5); WIKI: hinted (ips); OLD: false (high); MU: forfeit only if nothing can move (play); "
        "ML: turn passes only if nothing can move (play); ruling A25.",
    )
    blob_backward_on_double: bool = switch(
        False,
        "Whether two of a blob may go back together on a double.",
        "WIKI: true in some rule sets; from the square before the bottom of the chute it may go in (oth6).",
    )
    blob_backward_entry: str = option(
        ("at_or_behind_mouth", "mouth"),
        "How far back it may go past its doorstep: anywhere, or to its corner or exactly its mouth "
        "and no further.",
        "WIKI: the square just before the bottom of the chute (oth6); ruling A54.",
    )
    pair_move: bool = switch(
        False,
        "Whether two pieces of a colour on a square may go half an even throw each, barred by nothing.",
        "WL: true: two tokens may go as a pair on an even roll (p11).",
    )
    pair_distance: str = option(
        ("half", "full"),
        "How far the two of a pair go: half the throw each, or all of it.",
        "WL: not said (p11); ruling A79.",
    )

    # Extra throws

    extra_for_double_six: int = option(
        (1, 2),
        "The extra throws that a double six earns.",
        "BR: 1 (r6); VAR: 2 (F); CO: 1 (r6a); SUB: turn need not end after blob takes blob with it "
        "(b1); MU: 1 (extra); ruling A27.",
    )
    extra_any_double: bool = switch(
        False,
        "Whether any other double earns a throw too.",
        "CO: true, save when removing a barrier (r6b); ruling A26.",
    )
    three_sixes_penalty: str = option(
        ("none", "lose_turn"),
        "Whether the third six of a turn moves nothing and ends it.",
        "WL: lose_turn (p7); ruling A80.",
    )
    three_doubles_to_base: bool = switch(
        False,
        "Whether the third double of a turn moves nothing, sends the thrower's pieces to base and ends the "
        "turn. Throws for a challenge or a suckback are not counted.",
        "No source speaks of it; a house rule.",
    )
    five_sixes_to_base: bool = switch(
        False,
        "Whether the fifth six of a turn does so, a double six being two. Throws for a challenge or a "
        "suckback are not counted.",
        "No source speaks of it; a house rule.",
    )
    extra_timing: str = option(
        ("move_then_throw", "throw_all_first"),
        "Each throw is played before the next is made; or all are made first, then played in that order.",
        "CO: at once, moved by r5 (r6c); SUB: move seen before the free go (b5); ruling A29.",
    )
    extra_mandatory: bool = switch(
        True,
        "Whether an extra throw must be made, or may be declined.",
        "BR: 'receives' (r6); CO: to be taken (r6c); MU: 'gives' (extra); WL: false: may (p6); ruling A28.",
    )
    base_throws: int = option(
        (1, 3),
        "The throws of a turn in which a side may try for what brings out, while all its pieces are in base "
        "or home.",
        "No source speaks of it; a house rule.",
    )
    capture_extra_throw: bool = switch(
        False,
        "Whether a play that knocks somebody off earns a throw too.",
        "No source speaks of it; a house rule.",
    )
    home_extra_throw: bool = switch(
        False,
        "Whether a play that brings a piece home earns a throw too.",
        "No source speaks of it; a house rule.",
    )
    finish_extra_throw: str = option(
        ("lapses", "gate"),
        "What was owed when a colour's last piece came home lapses, or one throw is made as a try "
        "for the gate six.",
        "BR: waits for his next turn (r11); CO: waits (r11); ruling A30.",
    )

    # Knocking off

    partner_immune: bool = switch(
        True,
        "Whether partners mix, or are captured like enemies (a player's own two colours never are).",
        "BR: true: mixes (r9); CO: true (r9); WIKI, OLD: true (mixi); MU: true (cap); ML: false: no "
        "partners (play); WL: true: only opponents (p8).",
    )

    # Barriers (blobs)

    blob_min: int = option(
        (2, 1),
        "How many pieces of a colour make a barrier.",
        "BR, CO: 2 or more (r8a); WIKI, OLD: landing on own colour (blob); MU: 'one or more', a slip "
        "(blob); ML: landing on own colour (play); WL: more than one (p9); ruling A31.",
    )
    blob_blocks: str = option(
        ("opponents_only", "all_others"),
        "Whom a blob stops: opponents, or the partner too (a player's own two colours never stop "
        "each other).",
        "BR: opponents, not partner (r8a); CO: same (r8a); WIKI: opponents; friends may pass (blob); "
        "OLD: opponents; you and partner may pass (blob); MU: opponents, not partner (blob); ML: any "
        "opposing piece (play); WL: opponents (p9).",
    )
    superblob_allowed: bool = switch(
        True,
        "Whether a third piece of a colour may join a square.",
        "BR: triple, quadruple exist (r8b); CO: same (r8b); SUB: bigger than double exists, immune "
        "to blob takes blob (b1); WIKI: any X (blob); OLD: an optional rule: more than two (adv1); "
        "MU: three exists (blob3); ruling A32.",
    )
    superblob_mobility: str = option(
        ("pieces_singly", "frozen"),
        "Whether three or more on a square leave singly, or do not move.",
        "OLD: cannot be moved around the board (adv1); ruling A32.",
    )
    break_barrier_forced: bool = switch(
        True,
        "Whether a blob breaks when a die can be used no other way, or only if no other piece moves at all.",
        "BR: if unable to move another piece (r8f); CO: if unable (r8f); SUB: forced to split (b5); "
        "ruling A33.",
    )
    blob_takes_blob: bool = switch(
        False,
        "Whether two of a blob may take a blob on a double that lands exactly.",
        "BR, CO: false; VAR: true with a double that lands exactly (C); SUB: true (b1); WIKI: true: "
        "landing a blob on a blob (blob); OLD: false: only sixes (blob); MU: false: only the listed "
        "way (blob); ruling A34.",
    )
    btb_distance: str = option(
        ("1-6", "adjacent"),
        "How far away the blob taken may stand: as the double says, or on the very next square.",
        "VAR: behind, score decides (C); SUB: 1 to 6 squares (b1); ruling A35.",
    )
    btb_size: str = option(
        ("any", "double_v_double"),
        "Which blobs take which: any any, or exactly two exactly two.",
        "VAR: any, by silence (C); SUB: double_v_double (b1); ruling A35.",
    )
    blob_jump: str = option(
        ("off", "any", "adjacent"),
        "Whether two of a blob may jump blobs on a double: none, any number, or the one on the very "
        "next square.",
        "VAR: any, on a double big enough (C); WIKI: adjacent friendly blob (blob); OLD: off (blob); "
        "ruling A36.",
    )

    # Challenging (sixing off)

    challenge_timing: str = option(
        ("next_throw", "next_turn", "start_of_turn"),
        "Since when the challenger stands there: before the throw, before the turn, or now if "
        "nothing has been moved in the turn.",
        "BR, CO: next_throw (r8d); SUB: start_of_turn: no piece moved yet (b2-b4); WIKI, OLD: "
        "next_turn: not the same go (attack); MU: next_throw (blob2); ruling A39.",
    )
    challenge_opening_double_six: str = option(
        ("counts_1", "counts_2"),
        "What a double six counts in the throw that calls.",
        "BR, CO: counts_1 (r8c); OLD: counts_2 by its call for a double six (call); MU: counts_1 "
        "(blob2); ruling A40.",
    )
    challenge_sixes: str = option(
        ("X+1", "X"),
        "The sixes for a barrier of X pieces, the calling one included.",
        "BR: X+1: 3, 4, 5 (r8b); VAR: X: one less (E); CO: X+1 (r8b); WIKI: X+1 (blob); OLD: X+1 "
        "(blob, adv1); MU: call plus X (blob3); ruling A45.",
    )
    challenge_double_six_spare: bool = switch(
        False,
        "Whether a double six in a challenge, its calling throw included, gives a spare throw, so "
        "that one later throw without a six is forgiven (only with extra_for_double_six = 2).",
        "No source speaks of it.",
    )
    challenge_persistence: str = option(
        ("this_turn", "until_settled"),
        "Whether a miss loses the count, or the challenger keeps it and is locked to the challenge.",
        "BR: unclear: other values barred after challenging (r8c); CO: unclear (r8c); SUB: this_turn "
        "(b3); OLD: in a row (adv1); MU: until captured or reduced to one (blob2); ruling A41.",
    )
    challenge_forced: bool = switch(
        False,
        "Whether it must be called when the six has no other use.",
        "SUB: true (b4); ruling A42.",
    )
    challenge_from_mixed: bool = switch(
        False,
        "Whether a piece on a mixed square may challenge.",
        "BR, CO: false (r9); VAR: true (B); SUB: non-mixed only (b3); WIKI, OLD: false (mixi); MU: "
        "false (mixed); ruling A37.",
    )
    doorstep_extra_sixes: int = option(
        (1, 0, 2),
        "The sixes more where a doorstep is concerned.",
        "BR, CO: 1 (r8e); VAR: one less in total (E); WIKI: 1: X+2 (blob); OLD: X+2 'and' one to "
        "leave: 1, or 2 (blob); MU: 1 (door); ruling A47.",
    )
    doorstep_extra_scope: str = option(
        ("from_base", "own_doorstep_barrier", "any_doorstep"),
        "Where they are asked: from base, against a barrier on its own colour's doorstep, or against "
        "one on any doorstep.",
        "BR, CO: from_base (r8e); WIKI: blob on its own colour doorstep, and leaving base (blob); "
        "OLD: blob on your doorstep (blob); MU: from_base (door); ruling A46.",
    )
    challenge_behind_but_off_path: str = option(
        ("refused", "allowed"),
        "Whether a piece on its mouth may challenge a barrier on its own corner square, and win that square.",
        "No source speaks of it; ruling A43.",
    )
    needle_touch_wood: str = option(
        ("announce", "off"),
        "Whether touch wood is said when one six is missing.",
        "OLD: defenders say it, touching the board, when one six remains (call).",
    )

    # Mixed blobs

    mixed_blocks: bool = switch(
        False,
        "Whether two enemies of whatever colours bar.",
        "BR, CO: false (r9); WIKI: false (mixi); WAFU part hints at use as a blob (wafu3); OLD: "
        "false (mixi); advanced part same hint (adv2); MU: not a one-colour barrier (blob); WL: two "
        "opponents of any colour block (p9); ruling A49.",
    )
    mixed_with_two_of_a_colour: str = option(
        ("no_barrier", "barrier"),
        "Whether two of one enemy colour bar though another colour shares their square.",
        "BR: loses any value as a block (r9); CO: same (r9); WIKI, OLD: equals a single piece "
        "(mixi); ruling A49.",
    )
    mixed_stack_order: str = option(
        ("free", "top_first"),
        "Whether only the top piece may leave a mixed square.",
        "WIKI: top_first (wafu3); OLD: top_first (adv2); ruling A50.",
    )

    # Chute and home

    home_exact: str = option(
        ("exact", "excess_allowed", "bounce"),
        "What brings a piece home: the exact number, that or more, or the rest is walked back.",
        "BR, CO: exact (r10b); VAR: bounce (D); exact (G note); WIKI: exact (home); WAFU 'also' "
        "exact, as if others need not (home); OLD: exact (home); MU, ML: exact (win); ruling A51 and "
        "A68.",
    )
    last_piece_one_die: bool = switch(
        True,
        "Whether the last piece may always go home on exactly one die, which makes a difference "
        "where lower_die_fallback is off and where pieces bounce.",
        "BR, CO: true (r10b); VAR: true (D); MU: largest die rule only (play); ruling A52.",
    )
    last_piece_meaning: str = option(
        ("colour", "team"),
        "Whose last piece that is.",
        "BR, CO: 'his last piece' (r10b).",
    )

    last_piece_dice: str = option(
        ("usual", "one_in_chute"),
        "How many dice are thrown when only one piece is left to be moved: as ever, or one as long as it "
        "stands in its chute.",
        "No source speaks of it; a house rule.",
    )

    # Suckback and blowback

    suckback: bool = switch(
        False,
        "Whether a piece in its chute may be sucked back.",
        "BR, CO: false (r10a); VAR: true (G); SUCK: true (call); WIKI: WAFU: on (wafu1); OLD: "
        "advanced: on (adv1); MU, ML: false.",
    )
    suckback_timing: str = option(
        ("next_turn", "next_throw"),
        "When it may be called: before a turn's first throw, or before any, the piece standing there.",
        "VAR: next throw (G2); SUCK: in place the turn before (pos); WIKI: next go (wafu1); OLD: "
        "next go (adv1); ruling A60.",
    )
    suckback_count: str = option(
        ("inclusive", "between"),
        "The number called: the target's place in the chute, or the squares strictly between.",
        "VAR: squares between the pieces (G2); SUCK: from the end of the chute, own square included "
        "(play); WIKI: spaces up the pipe (wafu1); OLD: spaces in on the last line (adv1); ruling "
        "A59.",
    )
    suckback_dice: str = option(
        ("two", "one"),
        "Thrown for with two dice (either or their sum), or with one.",
        "VAR: two, either or sum (G2); SUCK: one die (play); WIKI: two, either or sum (wafu1); OLD: "
        "two, either or sum (adv1); ruling A58.",
    )
    suckback_six_bonus: bool = switch(
        False,
        "Whether a throw with a six that misses is thrown again within the attempt.",
        "VAR: another throw (G2).",
    )
    suckback_attempts: int | str = option(
        ("unlimited", 1, 2),
        "How many misses from one square.",
        "VAR: 2, then must move on (G3); SUCK: 1: a miss moves the piece off (o2); WIKI: 1: a miss "
        "moves the piece off (wafu1); ruling A61.",
    )
    suckback_attempt_unit: str = option(
        ("turn", "throw"),
        "What counts as a miss: a turn with its bonus throws, or every throw of it.",
        "VAR: unsaid (G2, G3); ruling A61.",
    )
    suckback_hit_advance: int = option(
        (0, 1),
        "How many squares the challenger goes on after a hit.",
        "VAR: 1 (G4); SUCK: 1, whatever was thrown (o1); ruling A63.",
    )
    suckback_miss: str = option(
        ("stay", "advance"),
        "Whether the challenger stays after a miss, or goes one square on.",
        "VAR: stay, until two attempts are used (G3, G8); SUCK: advance 1 and turn ends (o2); WIKI: "
        "advance 1 (wafu1); ruling A62.",
    )
    suckback_hit_ends_turn: bool = switch(
        True,
        "Whether a hit ends the turn, or leaves it what the throw earned.",
        "SUCK: said for a miss only (o2); ruling A63.",
    )
    suckback_chute_blob: str = option(
        ("immune", "needs_double", "pair_needs_double"),
        "A blob in its chute cannot be called, or must be called as a double; or two must, and three or more "
        "cannot be called.",
        "VAR: needs a double (G9); SUCK: immune (n1); ruling A65.",
    )
    suckback_past_blob: bool = switch(
        True,
        "Whether a piece may be called on that stands beyond a blob in its chute.",
        "No source speaks of it; a house rule has it that nobody reaches over a blob.",
    )
    suckback_both_dice: bool = switch(
        False,
        "Whether both dice suck: one showing the number called, a single piece in the same chute at the "
        "other's number goes to base too (only with suckback_dice = two).",
        "No source speaks of it; a house rule.",
    )
    suckback_double_meaning: str = option(
        ("shows_number", "any_double"),
        "What hits when a double was called: both dice showing the number, or any double.",
        "VAR: unsaid (G9); ruling A65.",
    )
    suckback_from_mixed: bool = switch(
        False,
        "Whether a piece on a mixed square may call.",
        "No source speaks of it; ruling A66.",
    )
    blowback: bool = switch(
        False,
        "Whether a piece in its chute may strike first at an enemy on its mouth.",
        "VAR: true (G5); WIKI: WAFU: on (wafu2); OLD: named only (intro).",
    )
    blowback_attempts: int | str = option(
        (2, "unlimited"),
        "How many against one threat.",
        "VAR: 2 (G7); ruling A67.",
    )

    # Helping the partner, winning

    partner_gate_two_player: bool = switch(
        False,
        "Whether two players with a turn a colour need the gate six.",
        "No source speaks of it; ruling A07.",
    )
    partner_tube_frozen: bool = switch(
        False,
        "Whether the helper may not move pieces in his partner's chute.",
        "WIKI, OLD: true (home); ruling A56.",
    )
    partner_calls_allowed: bool = switch(
        True,
        "Whether the helper may call challenges and suckbacks for his partner's pieces.",
        "No source speaks of it.",
    )

    # Handling the dice

    dice_off_edge: str = option(
        ("table", "board"),
        "Off what dice are dropped (for whoever reads the dice; the engine is told).",
        "CO: table (r12a); SUB: board (b8); WIKI: board, the 'IPS' (ips); ruling A69.",
    )
    dice_off_call: str = option(
        ("off_the_ips", "none"),
        "What is said of dice off the board.",
        "WIKI: called by the others (ips).",
    )
    dice_fault_run: str = option(
        ("none", "consecutive", "per_game"),
        "How faults add up: not at all, in a row, or over the game.",
        "CO: in a row (r12b); SUB: back to back (b8); WIKI: within the game (ips); ruling A70.",
    )
    dice_fault_kinds: str = option(
        ("dropped", "dropped+cocked"),
        "Which faults are counted.",
        "CO: dropped only (r12b); SUB: cocked or off the board (b8); WIKI: off the board (ips); ruling A70.",
    )
    dice_fault_penalty: str = option(
        ("all_to_base", "lose_go"),
        "What the third brings, beside the end of the turn.",
        "CO: all pieces to the beginning (r12b); SUB: all pieces to base (b8); WIKI: from losing the "
        "go to all pieces 'home' (ips); ruling A71.",
    )
    penalty_scope: str = option(
        ("all_four", "not_home"),
        "Which pieces go to base.",
        "CO: 'all his pieces' (r12b); SUB: 'all' (b8); WIKI: 'all pieces' (ips); ruling A71.",
    )
    dice_on_pieces: str = option(
        ("good", "fault"),
        "What dice are that knock a piece over or off its square: good, and the piece is put back, or a "
        "fault as dropped dice are (for whoever reads the dice; the engine is told).",
        "No source speaks of it; a house rule.",
    )
    dice_off_deliberate: str = option(
        ("lose_go", "rethrow"),
        "What dice dropped on purpose cost, if they are judged to be.",
        "WIKI: no re-roll if judged deliberate, e.g. to dodge moving a blob or mixing (ips); ruling A72.",
    )

    # Honours, calls and conduct

    name_on_reverse: str = option(
        ("eight_piecer", "in_harbour"),
        "Which win puts the losers' names on the back of the board, beside an upboard.",
        "SUB: for 8 pieced and upboard (b7); WIKI: for in harbour (intro); for upboarding (oth3); "
        "OLD: usually when 8 pieced (aim); ruling A74.",
    )
    beer_fine: int | str = option(
        ("off", 1),
        "The crates that a name on the back costs: off, or any number, kept for the record.",
        "SUB: one crate in submarines; loser drinks it with winner and guests (b7).",
        and_more=True,
    )
    exhibition: bool = switch(
        False,
        "Whether the match was declared an exhibition: no name, no fine.",
        "SUB: must be declared before the start (b7).",
    )
    timber_caller: str = option(
        ("referee", "players"),
        "Who calls timber shifting (for whoever speaks; the engine rules all the same).",
        "WIKI: players only (oth2); ruling A75.",
    )
    timber_unchallenged: str = option(
        ("stands", "never"),
        "Whether a wrong board stands once the next throw is made.",
        "SUB: only if caught and proven (b9); WIKI: not cheating unless caught (oth2); ruling A75.",
    )
    stand_up_reach: str = option(
        ("one_throw", "one_die"),
        "From where one may stand up: what one throw could win, or one die.",
        "WIKI: possible from one dice throw (oth4); ruling A78.",
    )
    rules_agreement: str = option(
        ("vote", "never", "silent_preset"),
        "How the rules are settled: shown and locked before the throw-off, never shown until a "
        "ruling needs it, or taken as read (for whoever shows them; the engine takes the set as "
        "given).",
        "BR: vote on variations before a competition (vote); SUB: never discuss or agree (b10); MU: "
        "house rules prevail (footer); ruling A76.",
    )


OPTIONS: Mapping[str, tuple[Value, ...]] = {
    each.name: each.metadata["values"] for each in fields(RuleSet) if each.name != "name"
}
"""The values that each option may take, its default first."""

COUNTED = frozenset(each.name for each in fields(RuleSet) if each.metadata.get("and_more"))
"""The options that may also be any whole number above their last value."""

SWITCHES: Mapping[str, Mapping[str, Value]] = {
    "var_a": {"intermediate_capture": True},
    "var_b": {"challenge_from_mixed": True},
    "var_c": {"blob_takes_blob": True, "btb_size": "any", "blob_jump": "any"},
    "var_d": {"home_exact": "bounce"},
    "var_e": {"challenge_sixes": "X"},
    "var_f": {"extra_for_double_six": 2},
    "var_g": {
        "suckback": True,
        "suckback_timing": "next_throw",
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
