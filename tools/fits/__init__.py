"""What `python -m tools.fit` fits: a module for each net or regression, and what they have in common."""
