"""Kinds of slip by which the house changes itself, one module each."""
