"""The desk of a group of houses: reads what each states of its closed days, and proves it.

It has a database, keys and people of its own, and nothing of a house: no floor, no patron, no slip.
"""
