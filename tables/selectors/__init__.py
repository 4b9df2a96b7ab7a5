"""Reads of tables: the board, a table's past, and what its tray's counts say."""
