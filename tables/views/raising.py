"""The page on which a slip without a count pad of its own is raised: what it says, and the pad."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.dateparse import parse_datetime

from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques import total_cents
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.refusal import Refused
from pitboss.selectors.slips import lines_of
from pitboss.services import house
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.views.pads import pad_of


def table_named(name: str) -> Table:
    """Return a table with its pit, or answer that there is none."""
    return get_object_or_404(Table.objects.select_related("pit"), name=name)


def raise_page(
    request: PitRequest,
    new: NewSlip,
    table: Table | None,
    *,
    heading: str,
    url: str,
    fields: Mapping[str, Any],
    back: Mapping[str, str],
    panel: Mapping[str, Any] | None,
    refused: Refused | None = None,
    inputs: tuple[dict[str, str], ...] = (),
    badge: str = "",
) -> HttpResponse:
    """Show a slip about to be raised, and the pad for its first signature."""
    flow = FLOWS[new.kind]
    step = flow.steps[0]
    facts = [
        {"name": "Gaming day", "value": f"{request.period.gaming_day:%a %d %b %Y}"},
        {"name": "Shift", "value": request.period.shift},
    ]
    if table is not None:
        facts.insert(0, {"name": "Table", "value": f"{table}, {table.pit}"})
    draft = Slip(kind=new.kind, cheques={str(cents): n for cents, n in new.cheques.items()})
    context = {
        "heading": heading,
        "back": back,
        "slip": {
            "title": flow.title,
            "number": "",
            "facts": facts,
            "lines": lines_of(draft),
            "total_cents": total_cents(new.cheques),
            "total_count": sum(new.cheques.values()),
            "steps": [],
            "panel": panel,
        },
        "pad": pad_of(
            request,
            url=url,
            sentence=step.attests,
            button=f"Sign as {' or '.join(role.label for role in step.roles)}",
            refused=refused,
            badge=badge,
            inputs=inputs,
            shown=request_shown(new, table),
            fields=fields,
            refuse={"url": back["url"], "label": "Not now"},
        ),
        "refusals": refused.refusals if refused else (),
        "quicker": bool(refused and "stale_screen" in refused.codes),
    }
    return render(
        request, "inventory/slip.html", context, status=http_status(refused) if refused else 200
    )


def local_instant(keyed: str) -> datetime | None:
    """Return the instant of a date and time keyed by the property's clock, or None.

    Of an hour that comes twice the first is meant; who means the other keys it with its offset.
    """
    try:
        at = parse_datetime(keyed.strip()) if len(keyed) <= 40 else None
    except ValueError:
        return None
    if at is None:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=house.the_property().zone)
    return at.astimezone(UTC)
