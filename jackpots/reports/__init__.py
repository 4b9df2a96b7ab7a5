"""What jackpots report at the desk: meters."""
