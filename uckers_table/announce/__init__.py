"""Rulings and state to words and pictures: sentences and OLED pages. Pure."""
