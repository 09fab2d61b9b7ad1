"""The page people open on a phone: it watches a feed, reads the record, hands commands to the table."""
