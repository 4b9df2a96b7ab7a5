"""The screens of meters and jackpots."""
