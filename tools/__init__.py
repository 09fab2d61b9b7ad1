"""Programs for people who work on the eyes, or on the pictures in the docs. No table needs them."""
