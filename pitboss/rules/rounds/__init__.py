"""Rounds: told, settled, ended, proven and drilled."""
