"""What happens on the floor beside slips: the floor log, relief, and what waits."""
