"""What a house may set, with a date, by two people."""
