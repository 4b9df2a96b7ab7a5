"""Cheques on the screen: fills, credits, the desks that serve them, and the cage's own slips."""
