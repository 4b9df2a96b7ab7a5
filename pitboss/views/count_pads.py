"""The count pad's context, one way for every screen that counts, and what was keyed on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from pitboss.rules.counting import CountBy, read_colour, read_count
from pitboss.rules.refusal import Refusal
from pitboss.views.forms import new_request_id

_PARTS = ("stacks", "odd", "cheques", "dollars")
# Longer than any count; what is keyed beyond it is not shown again.
_KEYED_MAX = 12
# What is wrong with one colour stands in its row.
_IN_A_ROW = frozenset({"not_counted", "bad_count", "bad_amount", "not_a_multiple"})


def keyed_of(post: QueryDict) -> dict[str, str]:
    """Return the fields of a pad as they were keyed."""
    return {name: value for name, value in post.items() if isinstance(value, str)}


def counted_of(keyed: Mapping[str, str], colours: Sequence[int]) -> dict[int, int]:
    """Return what was counted on a pad, by stacks, cheques or dollars. Raises Refused."""
    return read_count(keyed.get("by", ""), colours, keyed)


def count_pad_of(
    *,
    url: str,
    keep: str,
    colours: Sequence[int],
    note: str,
    keyed: Mapping[str, str],
    fields: Mapping[str, str] | None = None,
    more: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return a pad for a blind count, with all that was keyed and what is wrong in each row."""
    by = keyed.get("by", "")
    return {
        "url": url,
        "request_id": new_request_id(),
        "keep": keep,
        "by": by if by in list(CountBy) else CountBy.STACKS.value,
        "rows": [_row(cents, by, keyed) for cents in colours],
        "button": "Done, sign",
        "note": note,
        "fields": fields or {},
        "more": more,
    }


def _row(cents: int, by: str, keyed: Mapping[str, str]) -> dict[str, Any]:
    read = read_colour(CountBy(by), cents, keyed) if by in list(CountBy) else 0
    return {
        "cents": cents,
        **{part: keyed.get(f"{part}_{cents}", "")[:_KEYED_MAX] for part in _PARTS},
        "error": read.message if isinstance(read, Refusal) else "",
    }


def beyond_rows(refusals: Iterable[Refusal]) -> list[Refusal]:
    """Return the reasons that no row of a pad gives."""
    return [each for each in refusals if each.code not in _IN_A_ROW]
