"""The one way from a form to what a kind asks: the fields read it, say it, and draw themselves.

The fields are `pitboss.rules.floor.fields`, which read JSON as well and know nothing of a form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict

from pitboss.models import Table
from pitboss.rules.floor.fields import Count, Field
from pitboss.slips.counts import counted_of
from pitboss.views.forms import cheques_of, figures_of, text, text_in


def given_of(
    asks: Iterable[Field],
    post: QueryDict,
    table: Table | None = None,
    files: Mapping[str, Any] | None = None,
) -> dict[str, object]:
    """Return what a form gives to each field, empty ones left out. Raises Refused.

    A text may come as a file, which is called `<name>_file`.
    """
    given: dict[str, object] = {}
    for field in asks:
        if isinstance(field, Count):
            given[field.name] = counted_of(post, table, field.of)
        elif field.shape == "cheques":
            given[field.name] = {
                str(cents): count for cents, count in cheques_of(post, f"{field.name}_").items()
            }
        elif field.shape == "figures":
            given[field.name] = figures_of(post) or {}
        elif field.shape == "each":
            prefix = f"{field.name}_"
            named = [name for name in post if name.startswith(prefix)]
            given[field.name] = {name.removeprefix(prefix): text(post, name) for name in named}
        elif field.shape in ("seats", "several"):
            given[field.name] = post.getlist(field.name)
        elif field.shape == "text" and files and f"{field.name}_file" in files:
            given[field.name] = text_in(files[f"{field.name}_file"])
        elif field.name in post:
            given[field.name] = text(post, field.name)
    return given


def drawn(field: Field, given: Mapping[str, object]) -> dict[str, Any]:
    """Return a field as a page draws it, with what was entered."""
    value = given.get(field.name, "")
    chosen = [str(item) for item in value] if isinstance(value, list) else [str(value)]
    return {
        "name": field.name,
        "label": field.label,
        "hint": field.hint,
        "shape": field.shape,
        "is_needed": field.is_needed,
        "starts_empty": not field.is_needed or getattr(field, "starts_empty", False),
        "value": value,
        "most": getattr(field, "most", 20),
        "choices": [
            {"value": choice, "label": label, "is_chosen": choice in chosen}
            for choice, label in getattr(field, "choices", {}).items()
        ],
    }


# What a pad posts besides what was entered before it.
_OF_THE_PAD = frozenset(
    {"csrfmiddlewaretoken", "request_id", "badge", "pin", "shown", "reason", "seen", "pad", "lang"}
)


def kept(post: QueryDict) -> dict[str, str]:
    """Return what was entered on a form, to be posted again with the signature."""
    return {
        name: " ".join(post.getlist(name))
        for name in post
        if name not in _OF_THE_PAD and not name.startswith("said_")
    }
