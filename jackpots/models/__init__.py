"""What jackpots keep: meters, what wagers add to them, and every change of what they show."""

from jackpots.models.meters import Meter, MeterContribution, MeterEntry, MeterLink, MeterReading

__all__ = ["Meter", "MeterContribution", "MeterEntry", "MeterLink", "MeterReading"]
