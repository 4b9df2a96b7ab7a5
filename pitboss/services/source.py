"""From which address the act under way comes. Every entry of the journal and every attempt has it.

It is set where a request begins and holds for its thread alone. An address decides no act of a
person, so it is no argument of one; what it does decide, the lock of a door, is handed on as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SOURCE: ContextVar[str] = ContextVar("source", default="")


def source() -> str:
    """Return the address that the act under way comes from; nothing for the house's own work."""
    return _SOURCE.get()


@contextmanager
def coming_from(address: str) -> Iterator[None]:
    """Have everything done meanwhile come from an address."""
    token = _SOURCE.set(address)
    try:
        yield
    finally:
        _SOURCE.reset(token)
