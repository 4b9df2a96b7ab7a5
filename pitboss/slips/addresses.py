"""Where slips are raised: one address for all kinds, which names the table and the other slip."""

from __future__ import annotations

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from pitboss.slips.kind import Raising

# Asks for the pad of what a kind of slip suggests, with nothing chosen before.
SUGGESTED = "suggested"


def new_url(kind: str, /, **named: str | int) -> str:
    """Return where a slip of a kind is raised: at a table, of another slip, with what it begins."""
    query = urlencode({name: value for name, value in named.items() if value})
    address = reverse("slip-new", args=[kind])
    return f"{address}?{query}" if query else address


def own_url(raising: Raising, /, **more: str | int) -> str:
    """Return where a slip about to be raised is raised; no field says table or other slip."""
    table = raising.table.name if raising.table and raising.kind.at_a_table else ""
    of = raising.original.serial if raising.original else ""
    return new_url(raising.kind.kind, **{**more, "table": table, "of": of, **raising.named})


def id_of(asked: QueryDict, name: str) -> int | None:
    """Return the number of a row that an address or a form names; none where it names no such."""
    return row_id(asked.get(name, ""))


def row_id(given: str) -> int | None:
    """Return the number of a row; none for what no column of numbers holds.

    >>> row_id("17"), row_id("²"), row_id("9" * 19), row_id("-1"), row_id("")
    (17, None, None, None, None)
    """
    return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else None
