"""A gaming day: where it begins and ends, what it won, and what is late for it."""
