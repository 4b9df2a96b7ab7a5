"""The rules of the house: pure functions over plain values, with no Django, no clock and no I/O."""
