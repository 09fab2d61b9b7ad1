"""What messes play and no source has, all at once."""

HOUSE_RULES = {
    "snake_eyes_out": True,
    "snake_eyes_window": "double_of_turn",
    "snake_eyes_call": "once_for_all",
    "three_doubles_to_base": True,
    "five_sixes_to_base": True,
    "capturing_piece_stops": True,
    "last_piece_dice": "one_in_chute",
    "suckback": True,
    "suckback_chute_blob": "pair_needs_double",
    "suckback_past_blob": False,
    "suckback_both_dice": True,
}
