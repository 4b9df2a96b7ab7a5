"""Every write of what all apps share. Always in this order: lock, recognise a retry, judge, write."""
