"""Uckers itself: board, position, rules, plays, the match, scenario files. Standard library only."""
