"""Programs for people who work on the eyes. No table needs them."""
