"""Quote a value that came from outside in a message: short, and safe whatever it is."""

from __future__ import annotations

_LONGEST = 40


def quoted(value: object) -> str:
    """Quote a plain value, cut short; of anything else only name the kind.

    Nested lists are never written out: a deep one would exhaust the stack.

    >>> quoted("Qh"), quoted(None), quoted([[1]])
    ("'Qh'", 'None', 'a list')
    >>> quoted(10**5000)
    'a huge number'
    """
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…")
    if isinstance(value, int) and abs(value) >= 10**18:
        return "a huge number"
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "a list"
    return "an object"
