"""Screens of tables: the board, a table, its counts and its dealers."""
