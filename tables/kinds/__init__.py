"""Kinds of slip that a table has: one module each, found when the site starts."""
