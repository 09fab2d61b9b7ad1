"""What the record keeps of an accusation, beside what was said."""

from tests.record.simulated_matches import simulated_match


def test_an_illegal_play_keeps_where_the_dice_took_its_pieces():
    rulings = [
        ruled
        for rules in ("br4006", "submariners", "couk")
        for ruled in simulated_match(rules, "notation", throws=60, ends="upboard").rulings
    ]
    accused = [each for each in rulings if each.ruling == "illegal" and not each.facts.get("thrown_on")]
    kept = [each for each in accused if each.facts["legal"]]
    assert len(kept) > 5
    for ruled in kept:
        ways = {*ruled.throw, sum(ruled.throw)}
        for place in ruled.facts["legal"]:
            starts = [move.start for move in ruled.moves if move.colour == place["colour"]]
            # Out of base takes a six, and the doorstep is the first square.
            reach = {start + way for start in starts for way in ways if start} | {
                1 + way - 6 for way in ways if 0 in starts and 6 in ruled.throw and way >= 6
            }
            assert place["steps"] in reach, ruled
    assert all("legal" not in each.facts for each in rulings if each.ruling != "illegal")
