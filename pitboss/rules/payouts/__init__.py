"""Payouts: whether one is right, who controls it, and what large ones need."""
