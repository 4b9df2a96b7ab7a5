"""Flows: who signs what, proven, and who reads it."""
