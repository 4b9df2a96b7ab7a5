"""Baccarat: punto banco with its third-card table, its bets, and exact odds by enumeration."""
