"""Kinds of slip that move cheques and cards: one module each, found when the site starts."""
