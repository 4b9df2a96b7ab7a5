"""Roulette: the wheel and layout, every bet of single and double zero, and exact odds."""
