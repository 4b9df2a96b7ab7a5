"""Wagers, settled: one case in, one verdict out."""
