"""Every write of what all apps share, always in one order: lock, know a retry, judge, write."""
