"""Events in, rulings and deadlines out: what was seen against what was legal. Pure."""
