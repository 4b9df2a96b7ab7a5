"""Reads that join: what waits for whom, and how a slip stands."""
