"""The rules that no rule set chooses: each with its value, its sources and why it is not a switch.

Most of them have one value because no source knows another; some follow from an option. A rule set that
names one of them is refused and told so. Sources are abbreviated as in `uckers_table.game.options`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Fixed(NamedTuple):
    """A rule that is always so: its value in words, what the sources say, and why nobody may switch it."""

    value: str
    says: str
    why: str


FIXED: Mapping[str, Fixed] = {
    # Board, pieces, seats
    "home_column_length": Fixed(
        "one square less than the arm",
        "VAR: arm_length-1: there is a landable square in line with the lane (G1); CO: arm_length-1: "
        "one square lies below the coloured ones (intro); SUCK: arm_length-1: an uncoloured square "
        "closes the chute (pos); WIKI: arm_length-1: opponents can land on the end of the pipe "
        "(wafu1); OLD: arm_length-1: as WIKI (adv1); ML: unclear: the middle column is the home "
        "column, end square not excepted (equip); ruling A02.",
        "The circuit needs the uncoloured square below the chute, and so does suckback.",
    ),
    "team_colours": Fixed(
        "whoever sit opposite",
        "CO: RY v GB (intro); WIKI, OLD: RY v GB (players); WL: RY v BG (p3).",
        "The order of the seats says which colours those are.",
    ),
    "two_player_colours": Fixed(
        "two opposite colours each",
        "CO: each takes two opposite colours (intro); WIKI, OLD: same (players).",
        "The colours of one team are one player's.",
    ),
    "pieces_per_colour": Fixed(
        "4",
        "BR: 16 in all (r1); CO: 8 per team (intro, r14); WIKI: 4 (intro); OLD: 4 (intro); 8 per "
        "team (home); MU: 4; 8 per team (win); ML: 4 (equip); WL: 16 in all, four each (p1, p2).",
        "Every text has sixteen on a board of four colours.",
    ),
    "travel_direction": Fixed(
        "clockwise",
        "BR: clockwise (r5a); CO: clockwise (intro, r5a); MU, ML: clockwise (play).",
        "No text knows another.",
    ),
    "turn_order": Fixed(
        "clockwise",
        "BR, CO: 'in turn' only (r3); WIKI, OLD: 'next player' only (exit, take); MU, ML: clockwise (play).",
        "No text knows another.",
    ),
    "laps": Fixed(
        "one, then the own chute",
        "BR: round the board to the centre (r5a); CO: once round to the square below the coloured "
        "ones, then up (intro); WIKI, OLD: round the board (intro); MU: after the circuit, up the "
        "home column (win); ML: same (win); WL: round the board to the home triangle (p2).",
        "No text knows another.",
    ),
    "chute_entry": Fixed(
        "the own colour only",
        "BR: own lane implied (r10a); CO: own centre home (r5a); MU: by reference (equip); ML: other "
        "colours cannot land in it (equip).",
        "No text lets anybody else in.",
    ),
    # Opening
    "first_player": Fixed(
        "the highest throw",
        "BR: highest of both dice, each in turn (r3); CO: same (r3); WIKI, OLD: highest throw "
        "(dice); MU: highest of two dice (play); ML: highest of one die (play).",
        "No text knows another way; ties and what the throw counts for are options.",
    ),
    "start_position": Fixed(
        "all in base",
        "BR, CO: implied (r4); WIKI, OLD: implied (exit); MU: implied (start); ML: four pieces on "
        "the start circle (equip); WL: start box (p2, p4).",
        "No text knows another; what else is agreed can be given as a start.",
    ),
    # Leaving base
    "exit_spends_the_six": Fixed(
        "true",
        "BR: true: only the second die advances (r4); CO: true (r4); MU: true: start a piece instead "
        "of moving one (start); ML: see exit_square (play).",
        "Coming out is what the six is used for; only the other die advances.",
    ),
    "double_six_exit": Fixed(
        "up to 2",
        "BR, CO: 2 (r4); MU: 2 (start).",
        "Each six brings one piece out.",
    ),
    "exit_barred_by_enemy_barrier": Fixed(
        "true",
        "BR: true: must be challenged from base (r8e); CO: true (r8e); WIKI, OLD: true (blob); MU: "
        "true (door).",
        "A barrier bars landing, and coming out is a landing.",
    ),
    # Moving and using the dice
    "dice_split": Fixed(
        "one die each, or the total on one piece",
        "BR: yes with two pieces (r5c); VAR: also split on one piece (A); CO: yes (r5c); WIKI, OLD: "
        "yes (split); MU: yes, exactly these two ways (play).",
        "The only two ways; going die by die is the option intermediate_capture.",
    ),
    "single_piece_total": Fixed(
        "the total at once",
        "BR: must, if only one on the board (r5b); VAR: need not (A); CO: must (r5b); WIKI, OLD: "
        "must move the sum (split); MU: must, if only one left and possible (play).",
        "What need not be so is the option intermediate_capture.",
    ),
    "single_piece_meaning": Fixed(
        "no special test",
        "BR, CO: one on the board (r5b); WIKI, OLD: moving a single piece only (split); MU: one left "
        "(play); ruling A20.",
        "A total is one uninterrupted move, whatever else stands where, so every wording comes to the same.",
    ),
    "intermediate_barrier_blocks": Fixed(
        "true",
        "BR, CO: by r8a, r5d; WIKI, OLD: no jumping (blob); MU: cannot be passed or landed on "
        "(blob); ML: same (play); WL: same on white squares (p9).",
        "A barrier bars the way wherever on it a piece would pass.",
    ),
    "total_blocked_fallback": Fixed(
        "the higher die alone",
        "BR, CO: highest if possible (r5d); SUB: biggest first where possible (b4); WIKI: higher "
        "preferred (high); OLD: higher obligatory if usable (high); MU: largest of the two if "
        "possible (play).",
        "No text prefers the lower; whether it serves at all is the option lower_die_fallback.",
    ),
    "fallback_causes": Fixed(
        "any",
        "BR: barrier or nearness to home (r5d); CO: same (r5d); MU: any reason (play).",
        "What keeps both dice from being used makes no difference to what follows.",
    ),
    "unused_die": Fixed(
        "forfeited",
        "BR, CO: no move (r5d); SUB: ignored (b4); MU: forfeited (play).",
        "No text keeps a die for later.",
    ),
    "high_die_priority": Fixed(
        "true",
        "BR, CO: true when blocked (r5d); SUB: true, always first where possible (b4); WIKI: true if "
        "only one die can be played (high); OLD: true (high); MU: true for a lone piece (play).",
        "Of two dice that cannot both be played no text plays the lower.",
    ),
    "high_die_into_mixed": Fixed(
        "forced",
        "WIKI: hinted: avoiding a mix is called cheating (ips); OLD: forced (high); ruling A25.",
        "As any play; leaving a throw is the option pass_allowed.",
    ),
    "pass_over_singles": Fixed(
        "free",
        "No source speaks of it.",
        "No text bars it, and only blobs are said to stop anybody.",
    ),
    "land_on_own": Fixed(
        "forms a blob",
        "BR, CO: r8a; WIKI, OLD, MU: blob; ML: block (play); WL: two tokens (p9, p11).",
        "No text knows another.",
    ),
    "land_on_partner": Fixed(
        "forms a mixed blob",
        "BR, CO: r9; WIKI, OLD: mixi; MU: cap; ML: captures it (play); WL: nothing said; only "
        "opponents are eaten (p8).",
        "Being captured instead is the option partner_immune.",
    ),
    "pair_captures_all": Fixed(
        "true",
        "WL: all enemy tokens on a white square (p12).",
        "Comes with pair_move.",
    ),
    "pair_never_blocked": Fixed(
        "true",
        "WL: true (p13).",
        "Comes with pair_move.",
    ),
    # Extra throws
    "extra_for_six": Fixed(
        "one throw",
        "BR: one (r6); CO: one (r6a); SUB: free throw (b4, b5); WIKI: extra turn (dice); OLD: "
        "another go (dice); MU: one more throw of both dice (extra); ML: another turn (play); WL: "
        "may roll again (p6).",
        "Every text gives it; its sources differ only on doubles, which are options.",
    ),
    "extra_if_six_unusable": Fixed(
        "true",
        "BR, CO: true (r5d); SUB: true (b5); MU: true (extra); ruling A82.",
        "What a throw earns does not depend on what can be moved with it.",
    ),
    "extra_chain": Fixed(
        "unlimited",
        "SUB: several throws may move several pieces (b2); MU: and so on (extra); WL: cut at three "
        "sixes (p7).",
        "A limit is the option three_sixes_penalty.",
    ),
    "extra_after_barrier_removed": Fixed(
        "none",
        "BR: none (r6, r8c); CO: none (r6a, r6b, r8c); SUB: none (b3); WIKI, OLD: next player "
        "(take); MU: none (extra, blob4).",
        "A challenge won ends the turn.",
    ),
    "extra_after_missed_challenge": Fixed(
        "none",
        "SUB: turn over (b3).",
        "A miss ends the turn.",
    ),
    "extra_after_blob_takes_blob": Fixed(
        "as after any throw",
        "SUB: kept with a double six (b1).",
        "It is a play and no challenge.",
    ),
    "extra_from_gate_six": Fixed(
        "none",
        "BR, CO: waits again (r11); WIKI, OLD: next turn (home); MU: next turn onwards (win); ruling A55.",
        "The six opens the gate and is spent on that.",
    ),
    # Knocking off
    "capture_single": Fixed(
        "on landing",
        "BR, CO: r7; WIKI, OLD, MU: cap; ML: any other colour (play); WL: on a white square (p8).",
        "No text knows another way.",
    ),
    "captured_goes_to": Fixed(
        "base",
        "BR, CO: base, starts again (r7); WIKI, OLD: base (cap); MU: start circle (cap); ML: start "
        "circle (play); WL: start box (p8).",
        "No text knows another.",
    ),
    "capture_optional": Fixed(
        "false",
        "No source speaks of it.",
        "No text gives a choice.",
    ),
    "capture_mixed_all": Fixed(
        "true",
        "BR, CO: true (r9); WIKI, OLD: true (mixi); MU: true (cap).",
        "A mixed square counts as a single piece.",
    ),
    # Barriers (blobs)
    "blob_one_colour_only": Fixed(
        "true",
        "BR, CO: 'a player has' (r8a); SUB: two bits of one colour (b1); WIKI, OLD, MU: same colour "
        "(blob); ML: same colour (play); WL: any opponents (p9).",
        "Two colours are mixed; that they bar is the option mixed_blocks.",
    ),
    "blob_blocks_passing_and_landing": Fixed(
        "both",
        "BR, CO: blocks movement (r8a); WIKI, OLD: no jump (blob); MU: neither passed nor landed on "
        "(blob); ML: same (play); WL: same (p9).",
        "No text parts the two.",
    ),
    "own_blob_passable": Fixed(
        "true",
        "BR, CO: implied (r8a); WIKI: friendly may (blob); OLD: you may (blob).",
        "No text has a blob stop its owner.",
    ),
    "break_barrier_voluntary": Fixed(
        "true",
        "No source speaks of it.",
        "No text forbids to break one's own blob.",
    ),
    "btb_needs_double": Fixed(
        "true",
        "VAR: true (C); SUB: true (b1).",
        "Two pieces go the same way together with nothing but a double.",
    ),
    "btb_other_barrier_between": Fixed(
        "blocks",
        "No source speaks of it; ruling A38.",
        "Blobs bar the way as ever; jumping them is the option blob_jump.",
    ),
    "btb_result": Fixed(
        "the attackers stay together on the square",
        "VAR: knocks off (C); SUB: stay as a blob (b1); WIKI: destroys (blob).",
        "No text says otherwise.",
    ),
    "btb_turn_goes_on": Fixed(
        "true",
        "SUB: true: a move, not a challenge (b1).",
        "It is a play and no challenge.",
    ),
    "blob_jump_needs_double": Fixed(
        "true",
        "VAR: true (C).",
        "Two pieces go the same way together with nothing but a double.",
    ),
    # Challenging (sixing off)
    "challenge_from": Fixed(
        "the square directly behind",
        "BR, CO: immediately behind (r8b); SUB: one square behind (b3); WIKI, OLD: adjacent (blob); "
        "MU: square before (blob1); ruling A44.",
        "The winner goes forward onto the square.",
    ),
    "challenge_call": Fixed(
        "Challenge",
        "BR: shout Challenge (r8b); CO: say Challenge (r8b); SUB: state it (b3); OLD: usual call: "
        "once, or twice, your (colour) (call); MU: say Challenge (blob2).",
        "A button has no wording; two calls for a double six are the option challenge_opening_double_six.",
    ),
    "challenge_call_moment": Fixed(
        "after the six shows, before anything moves",
        "BR: six and shout (r8b); CO: six and say (r8b); SUB: after throwing a six (b3); OLD: after "
        "the six (call); MU: six and say (blob2).",
        "No text knows another.",
    ),
    "challenge_uncalled_six": Fixed(
        "a plain throw",
        "SUB: other uses allowed but right forgone (b3); ruling A48.",
        "Calling is a choice, unless challenge_forced.",
    ),
    "challenge_opening_second_die": Fixed(
        "void",
        "BR, CO: void, even a six (r8c); SUB: ignored (b4); MU: forfeited, even a six (blob2).",
        "What a second six counts is the option challenge_opening_double_six.",
    ),
    "challenge_later_double_six": Fixed(
        "counts 2",
        "BR, CO: 2 (r8c); MU: 2 (blob3).",
        "Every six of a later throw is thrown for the challenge.",
    ),
    "challenge_other_values": Fixed(
        "void",
        "BR: cannot advance any other piece (r8c); CO: cannot (r8c); SUB: turn is the challenge "
        "(b3); MU: cannot until settled (blob2).",
        "Throws of a challenge move nothing.",
    ),
    "challenge_throws_continue": Fixed(
        "while each throw shows a six",
        "BR: by r6; CO: by r6a; OLD: run of sixes (call); MU: extra throw after the call (blob2).",
        "A six earns the next throw, as ever.",
    ),
    "challenge_miss": Fixed(
        "the turn ends, nothing moves",
        "SUB: turn over (b3); MU: locked until settled (blob2).",
        "Follows from challenge_persistence, which says what becomes of the count.",
    ),
    "challenge_lapses_if_reduced": Fixed(
        "true",
        "MU: true (blob2).",
        "One piece is no barrier; only means something with challenge_persistence = 'until_settled'.",
    ),
    "challenge_success_move": Fixed(
        "the challenger goes onto the square",
        "BR, CO: r8b; WIKI, OLD: take; MU: blob4.",
        "No text knows another.",
    ),
    "challenge_success_ends_turn": Fixed(
        "true",
        "BR: true, however many sixes (r8c); CO: true (r8c); SUB: true (b1, b3); WIKI, OLD: true "
        "(take); MU: true (blob4).",
        "No text lets the turn go on.",
    ),
    "challenge_surplus_six": Fixed(
        "forfeited",
        "BR, CO: turn ended (r8c); MU: forfeited (blob4).",
        "The turn has ended.",
    ),
    "move_or_attack": Fixed(
        "never both in one throw",
        "BR, CO: r8d; SUB: never both in one turn (b2); WIKI, OLD: never both in one go (attack); MU: blob2.",
        "How long the one bars the other is the option challenge_timing.",
    ),
    "challenge_from_own_blob": Fixed(
        "true, one piece goes forward",
        "SUB: true, splits it (b1, b3); WIKI, OLD: single attacking piece moves (take).",
        "No text wants the challenger alone.",
    ),
    "challenge_from_base": Fixed(
        "true",
        "BR, CO: true (r8e); WIKI, OLD: true (blob); MU: true (door).",
        "Every text that speaks of it has it.",
    ),
    "doorstep_first_six": Fixed(
        "is the call",
        "BR: r8e, then r8c; CO: r8e (cites r9c by slip); MU: call first (door).",
        "No text asks for a six to come out first.",
    ),
    # Mixed blobs
    "mixed_definition": Fixed(
        "two partners' colours, or one player's two, on one square",
        "BR, CO: r9; WIKI, OLD: partner's or own other colour (mixi); MU: cap.",
        "No text knows another.",
    ),
    "mixed_captured_as_single": Fixed(
        "true",
        "BR, CO: r9; WIKI, OLD: mixi; MU: cap.",
        "No text knows another.",
    ),
    "mixed_ends_when_one_colour": Fixed(
        "true",
        "WIKI: true (wafu3); OLD: true (adv2).",
        "It is what stands there that counts.",
    ),
    # Chute and home
    "chute_safe": Fixed(
        "true, but for suckback",
        "BR, CO: true (r10a); VAR: open to suckback (G); SUCK: open to suckback (call); WIKI: true; "
        "WAFU open (home, wafu1); OLD: true; advanced open (home, adv1); MU: by board (equip); ML: "
        "true (equip); WL: true (p10).",
        "Follows from suckback, which says whether it is called at all.",
    ),
    "bounce_path": Fixed(
        "to home, then back down the chute and the track",
        "VAR: D; ruling A53.",
        "The one text that bounces says so.",
    ),
    "bounce_turn_round": Fixed(
        "forward on the next turn; at its own doorstep forward at once",
        "VAR: D; ruling A53.",
        "The one text that bounces says so.",
    ),
    "bounce_extra_throws": Fixed(
        "still backwards in the same turn",
        "VAR: until the turn is completed (D); ruling A53.",
        "The one text that bounces says so.",
    ),
    "bounce_barriers": Fixed(
        "apply in reverse",
        "VAR: D; ruling A53.",
        "The one text that bounces says so.",
    ),
    "bounce_captures": Fixed(
        "true",
        "No source speaks of it; ruling A53.",
        "Landing is landing, whichever way the piece goes.",
    ),
    # Suckback and blowback
    "suckback_position": Fixed(
        "the target's mouth square",
        "VAR: directly in line with the lane (G1); SUCK: uncoloured square at the end of the chute "
        "(pos); WIKI: end of the pipe (wafu1); OLD: end of the last line (adv1).",
        "No text knows another.",
    ),
    "suckback_call": Fixed(
        "before the throw, with the number",
        "VAR: call, number defined (G2); SUCK: 'suckback #', agree the number first (play); WIKI: "
        "declare (wafu1); OLD: declare (adv1).",
        "No text knows another.",
    ),
    "suckback_hit": Fixed(
        "the target goes to its base",
        "VAR: G2; SUCK: 'home' meaning base (o1); WIKI: wafu1; OLD: adv1.",
        "No text knows another.",
    ),
    "suckback_ahead_blocked": Fixed(
        "stays, with no further call from there",
        "SUCK: may stay, cannot challenge again (*); ruling A64.",
        "The one text that speaks of it says so.",
    ),
    "suckback_step_lands": Fixed(
        "captures and mixes as ever",
        "No source speaks of it.",
        "A step is a landing.",
    ),
    "suckback_nominate": Fixed(
        "the named piece only",
        "VAR: 'the piece' (G2); SUCK: one may be named, only it can go (n2).",
        "No text has it otherwise; what the other die may take is the option suckback_both_dice.",
    ),
    "suckback_no_other_move": Fixed(
        "true",
        "VAR: true (G8); SUCK: turn ends on a miss (o2); WIKI: one square only (wafu1).",
        "The throw is thrown for the call.",
    ),
    "blowback_when": Fixed(
        "in his own turn, while threatened",
        "VAR: when his turn comes (G5); WIKI: while still exposed (wafu2); ruling A67.",
        "No text knows another.",
    ),
    "blowback_number": Fixed(
        "the suckback's",
        "VAR: unsaid (G5); WIKI: exact spaces between the two (wafu2); ruling A67.",
        "It is called the reverse of a suckback.",
    ),
    "blowback_dice": Fixed(
        "the suckback's",
        "VAR: unsaid (G6); WIKI: exact number rolled (wafu2); ruling A67.",
        "It is called the reverse of a suckback.",
    ),
    "blowback_hit": Fixed(
        "the attacker goes to base, the defender stays",
        "VAR: to base (G6); WIKI: to the start (wafu2); ruling A67.",
        "No text moves the defender.",
    ),
    "blowback_no_other_move": Fixed(
        "true",
        "VAR: true (G8); ruling A67.",
        "The throw is thrown for the call; hit or miss, the turn ends.",
    ),
    "blowback_double": Fixed(
        "both dice show the number",
        "VAR: double if a blob is involved (G9); ruling A67.",
        "It takes one to blow a blob back.",
    ),
    "suckback_requires_exact_home": Fixed(
        "true",
        "VAR: true (G note); WIKI: exact out (home).",
        "A set with suckback and any other home_exact is refused.",
    ),
    # Helping the partner, winning
    "partner_gate": Fixed(
        "a six on a later turn",
        "BR: six, next turn (r11); CO: same (r11); WIKI, OLD: six (home); MU: six (win).",
        "No text knows another; two players may do without (partner_gate_two_player).",
    ),
    "partner_help_starts": Fixed(
        "the turn after the six",
        "BR, CO: next turn (r11); WIKI, OLD: next turn (home); MU: next turn onwards (win).",
        "No text knows another.",
    ),
    "partner_pieces_moved_by": Fixed(
        "the thrower chooses; the partner keeps his own turns",
        "BR: throws for the partner's pieces (r11); CO: throws to help (r11); WIKI, OLD: rolls for "
        "and moves them as well (home); MU: that player moves them (win); ruling A57.",
        "No text takes the partner's turns away.",
    ),
    "win": Fixed(
        "the whole team home",
        "BR: eight (r12); CO: eight (intro, r14); WIKI: all pieces before the opponent (intro); OLD: "
        "eight (home); MU: eight (win); ML: one player, four (win); WL: four tokens home (p2).",
        "Follows from partner_seats: a team of one wins with its four.",
    ),
    # Handling the dice
    "dice_off_action": Fixed(
        "both are thrown again",
        "CO: re-throw (r12a); SUB: full re-throw (b8); WIKI: re-roll may be allowed (ips).",
        "Every text that speaks of it; what more it costs are options.",
    ),
    "dice_off_moment": Fixed(
        "before coming to rest",
        "CO: before coming to rest (r12a).",
        "No text knows another.",
    ),
    "dice_fault_limit": Fixed(
        "3",
        "CO: 3 (r12b); SUB: 3 (b8); WIKI: 3 (ips).",
        "No text knows another number.",
    ),
    "cocked_definition": Fixed(
        "a die that does not lie flat",
        "CO: bottom face not flat, e.g. leaning on a piece (r13); SUB: lands unevenly from ship's roll (b8).",
        "No text knows another.",
    ),
    "cocked_action": Fixed(
        "neither counts, both are thrown again",
        "CO: both (r13); SUB: full re-throw, never the bad one alone (b8).",
        "No text knows another.",
    ),
    # Honours, calls and conduct
    "honour_eight_piecer": Fixed(
        "all home, no opponent home",
        "SUB: 8 pieced (b7); WIKI: 8 piecer (intro); OLD: 8 piece (aim); ruling A73.",
        "A name for what happened, whatever the rules.",
    ),
    "honour_in_harbour": Fixed(
        "all home, all opponents in base; named instead of eight_piecer",
        "WIKI: 8 piece in harbour, or eight-piece dicking (intro); OLD: 8 piece in harbour (aim); "
        "ruling A73.",
        "A name for what happened, whatever the rules.",
    ),
    "honour_dicking_midgame": Fixed(
        "one loss sends all the pieces of a team to base; play goes on",
        "WIKI: all pieces sent home, e.g. a mixed blob of eight (8p); ruling A73.",
        "A name for what happened, whatever the rules.",
    ),
    "name_entry": Fixed(
        "the loser writes name, date and victor",
        "SUB: b7; WIKI: name (intro); OLD: name (aim).",
        "Done with a pen; the record says whose names.",
    ),
    "upboarding": Fixed(
        "lost, and recorded as eight-pieced",
        "SUB: unsportsmanlike, as 8 pieced (b7); WIKI: pieces onto the floor, as 8 pieced (oth3).",
        "No text lets it pass.",
    ),
    "leaving_uncovered": Fixed(
        "an upboard",
        "SUB: b9.",
        "People say so; the table calls it as an upboard.",
    ),
    "abandon_by_consent": Fixed(
        "no result",
        "SUB: all agree (b9).",
        "The match is simply left.",
    ),
    "timber_shifting": Fixed(
        "illegal only if caught",
        "SUB: caught and proven (b9); WIKI: caught (oth2).",
        "It is ruled when it is seen; until when is the option timber_unchallenged.",
    ),
    "timber_forms": Fixed(
        "a wrong count, a piece moved unseen, the wrong side's piece",
        "SUB: trimming, adding, moving bits unseen (b9).",
        "Every board that does not follow is one of these.",
    ),
    "timber_remedy": Fixed(
        "the piece goes back to its place",
        "WIKI: oth2.",
        "The position on record stays until it does.",
    ),
    "stand_up_finish": Fixed(
        "true",
        "WIKI: oth4.",
        "A miss costs nothing, so nobody needs to switch it off.",
    ),
    "rules_flip_ends_game": Fixed(
        "true",
        "WIKI: game over when the board is flipped to check (oth5); ruling A77.",
        "The match is simply left; out of spite it is an upboard.",
    ),
    "overboard": Fixed(
        "forbidden",
        "BR: e4.",
        "A foul that people see; the piece starts again from base.",
    ),
}
