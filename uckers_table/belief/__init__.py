"""The table's referee: it weighs a few histories of what may have happened."""
