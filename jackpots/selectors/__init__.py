"""What screens and reports read of meters and jackpots."""
