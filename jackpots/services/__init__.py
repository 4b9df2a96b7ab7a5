"""Every write of meters and jackpots."""
