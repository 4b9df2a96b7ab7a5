"""Every write about a table: its counts, its opening and closing, and who deals at it."""
