"""The command line: one module a verb, each with `add` (its options) and `run` (what it does)."""
