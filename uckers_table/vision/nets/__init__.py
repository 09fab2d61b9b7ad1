"""The small nets: their weights, and what runs them."""
