"""Players' ratings: what a stay was worth, by exact fractions, and what may be done about it."""
