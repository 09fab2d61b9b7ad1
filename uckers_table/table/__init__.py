"""The table at work: the loop, and what serves it while it runs."""
