"""One match on disk: kept as it is played, judged again, and taken up where it was left."""
