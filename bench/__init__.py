"""Measurements, run by `python -m bench`. A module here that has a `run` is a bench."""
