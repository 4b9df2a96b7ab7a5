"""The count pad, one for every kind that asks for a count: what it shows, and what is read off it.

A count is entered by stacks, cheques or dollars. What it came to goes with the signature as
`cheques_<cents>`, the colors that were found empty too, and back to the pad to be changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.cheques.cheques import BY_CENTS, STACK_CHEQUES, ordered
from pitboss.rules.cheques.counting import CountBy, read_colour, read_count
from pitboss.rules.cheques.keys import SetKind, kind_of
from pitboss.rules.floor.fields import Count
from pitboss.rules.refusal import Refusal, Refused
from pitboss.selectors.teaching import taught_with
from pitboss.services import house
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import cheques_of, new_request_id

_PARTS = ("stacks", "odd", "cheques", "dollars")
# Longer than any count; what is keyed beyond it is not shown again.
_KEYED_MAX = 12
# What is wrong with one color stands in its row.
_IN_A_ROW = frozenset({"not_counted", "bad_count", "bad_amount", "not_a_multiple"})
_ALL = {"colours": "all"}


def asks_a_count(kind: Kind) -> bool:
    """Tell whether a kind of slip is made of a count."""
    return any(isinstance(field, Count) for field in kind.asked)


def _of(kind: Kind) -> SetKind | None:
    """Return of which kind of set a kind of slip is a count; none where all is counted."""
    return next((field.of for field in kind.asked if isinstance(field, Count)), None)


def counted_of(post: QueryDict, table: Table | None, of: SetKind | None = None) -> dict[int, int]:
    """Return what was counted: on the pad, or carried with the signature. Raises Refused."""
    if "by" not in post:
        return cheques_of(post)
    return read_count(post.get("by", ""), _colours(table, post, of), _keyed(post))


def carried(raising: Raising, post: QueryDict) -> dict[str, str]:
    """Return what goes with the signature of a count: how many of each colour."""
    colours = ordered({*_colours(raising.table, post, _of(raising.kind)), *raising.cheques})
    counts = {f"cheques_{cents}": str(raising.cheques.get(cents, 0)) for cents in colours}
    return counts | (_ALL if _has_all(post) else {})


def count_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page of a count: the pad, or only why there is nothing to count now."""
    post = request.POST if request.method == "POST" else request.GET
    is_kept_from = refused is not None and request.method == "GET"
    return "pitboss/count_new.html", {
        "chip": {"kind": "half", "word": raising.kind.title} if raising.table else None,
        "count": None if is_kept_from else _pad(raising, post),
        "refusals": _beyond_rows(refused.refusals) if refused else (),
        "ahead": () if is_kept_from else raising.kind.ahead(raising),
        "taught": taught_with(raising.kind.kind, raising.table),
    }


def _pad(raising: Raising, given: QueryDict) -> dict[str, Any]:
    """Return a pad for a blind count, with all that was keyed and what is wrong in each row."""
    keyed = _keyed(given) if "by" in given else _handed_back(given)
    table = raising.table
    colours = _colours(table, given, _of(raising.kind))
    by = keyed.get("by", "")
    has_all = table is None or _has_all(given) or not table.par
    return {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "keep": f"count-{raising.kind.kind}{f'-{table}' if table else ''}",
        "by": by if by in list(CountBy) else CountBy.STACKS.value,
        "rows": [_row(cents, by, keyed) for cents in colours],
        "button": "Review and sign",
        "note": next((field.hint for field in raising.kind.asked if isinstance(field, Count)), ""),
        "fields": _ALL if has_all else {},
        "more": None
        if has_all
        else {"url": own_url(raising, **_ALL), "label": "Other denominations…"},
    }


def _has_all(given: QueryDict) -> bool:
    return given.get("colours") == "all"


def _colours(table: Table | None, given: QueryDict, of: SetKind | None) -> list[int]:
    """Return the colors of the pad: those of the table's par, or every one that may lie there.

    Never those that the book says are there: the pad would tell what to find. The cage has what
    the maker delivered for a day to come, and what was redeemed after it went out of play.
    """
    if table is None:
        return [key for key in ordered(BY_CENTS) if of in (None, kind_of(key))]
    if not table.par or _has_all(given):
        return list(house.cheques_now().begun_at(table.name))
    return ordered(table.par_cheques)


def _keyed(post: QueryDict) -> dict[str, str]:
    """Return the fields of a pad as they were keyed."""
    return {name: value for name, value in post.items() if isinstance(value, str)}


def _handed_back(query: QueryDict) -> dict[str, str]:
    """Return the fields of a count that goes back to the pad to be keyed again."""
    keyed: dict[str, str] = {}
    for cents in BY_CENTS:
        value = query.get(f"cheques_{cents}", "")
        if value.isascii() and value.isdigit() and len(value) < 7:
            full, odd = divmod(int(value), STACK_CHEQUES)
            keyed |= {f"stacks_{cents}": str(full), f"odd_{cents}": str(odd)}
    return keyed


def _row(cents: int, by: str, keyed: Mapping[str, str]) -> dict[str, Any]:
    read = read_colour(CountBy(by), cents, keyed) if by in list(CountBy) else 0
    return {
        "cents": cents,
        **{part: keyed.get(f"{part}_{cents}", "")[:_KEYED_MAX] for part in _PARTS},
        "error": read.message if isinstance(read, Refusal) else "",
    }


def _beyond_rows(refusals: Iterable[Refusal]) -> Sequence[Refusal]:
    """Return the reasons that no row of a pad gives."""
    return [refusal for refusal in refusals if refusal.code not in _IN_A_ROW]
