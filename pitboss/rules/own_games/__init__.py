"""Games of the house's own: one file each, with a `GAME`. Roulette and baccarat show how."""
