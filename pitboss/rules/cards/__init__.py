"""Playing cards, and the life of a set of them."""
