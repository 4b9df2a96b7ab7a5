"""The one text of a column and of a row: what is hashed, vouched for and sealed is this text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from pitboss.rules.canonical import canonical, digest


def plain_time(at: datetime) -> str:
    """Return the one text of an instant: in UTC, to the microsecond."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def plain_digest(texts: Iterable[str]) -> str:
    """Return the hash of columns given as texts: "-" for none, "+" and its text for a value.

    They are joined by NUL, which no text in the database can hold, so that nothing can move
    from one column into its neighbor unseen.
    """
    return digest("\x00".join(texts))


def marked(value: Any) -> str:
    """Return a column's value as text, none told apart from an empty one."""
    return "-" if value is None else f"+{_plain(value)}"


def _plain(value: Any) -> str:
    """Return one text for one column value, the same before it is stored and after."""
    if isinstance(value, datetime):
        return plain_time(value)
    if isinstance(value, dict | list):
        return canonical(value)
    if isinstance(value, date | UUID | bool | int | str):
        return str(value)
    raise TypeError(f"no plain text for {type(value).__name__}")
