"""Hands, sleeves and anything else that reaches over the board."""
