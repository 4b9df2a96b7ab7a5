"""Games as a table deals them: their rules, their options, and what may be bet and decided."""
