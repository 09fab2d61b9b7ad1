"""The match record (SQLite and evidence pictures) and recordings that can be replayed."""
