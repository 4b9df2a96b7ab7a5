"""Patrons: who they are, what they owe, their cash, and who may not play."""
