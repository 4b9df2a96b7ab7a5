"""The count pad's context, one way for every screen that counts, and what was keyed on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from pitboss.middleware import PitRequest
from pitboss.rules.counting import read_count
from pitboss.rules.refusal import Refused
from pitboss.views.forms import new_request_id

_PARTS = ("stacks", "odd", "cheques", "dollars")
# Longer than any count; what is keyed beyond it is not shown again.
_KEYED_MAX = 12


def counted_of(post: QueryDict, colours: Sequence[int]) -> dict[int, int]:
    """Return what was counted on a pad, by stacks, cheques or dollars. Raises Refused."""
    return read_count(
        post.get("by", "stacks"), colours, {name: str(value) for name, value in post.items()}
    )


def count_pad_of(
    request: PitRequest,
    *,
    url: str,
    keep: str,
    colours: Sequence[int],
    button: str,
    note: str,
    refused: Refused | None = None,
) -> dict[str, Any]:
    """Return a pad for a blind count; after a refusal with all that was keyed."""
    posted = request.POST if refused is not None else QueryDict()
    return {
        "url": url,
        "request_id": new_request_id(),
        "keep": keep,
        "by": posted.get("by", "stacks"),
        "rows": [
            {
                "cents": cents,
                **{part: posted.get(f"{part}_{cents}", "")[:_KEYED_MAX] for part in _PARTS},
            }
            for cents in colours
        ],
        "button": button,
        "note": note,
    }
