"""The page on which a slip is raised: what it will say, and the pad for its first signature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.flows.book import FLOWS, proved_by_signing
from pitboss.rules.refusal import Refused
from pitboss.selectors.slips import lines_of, says_of, sign_words
from pitboss.selectors.teaching import taught_with
from pitboss.services.pads import attested_first
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.views.pads import pad_of, read_on


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
    panel: Mapping[str, Any] | None = None,
    facts: Sequence[dict[str, str]] = (),
    colours: Iterable[int] = (),
    refused: Refused | None = None,
    inputs: tuple[dict[str, str], ...] = (),
    badge: str = "",
    refuse: Mapping[str, str] | None = None,
    note: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Show a slip about to be raised, and the pad for its first signature.

    `refuse` is the way to say no; back to where one came from, unless told. `note` is what should
    be read before it is signed: {tone, bold, text}.
    """
    flow = FLOWS[new.kind]
    step = flow.steps[0]
    own = [{"name": "Table", "value": f"{table}, {table.pit}"}] if table is not None else []
    draft = Slip(kind=new.kind, cheques={str(cents): n for cents, n in new.cheques.items()})
    slip = {
        "title": flow.title,
        "number": "",
        "facts": [
            *own,
            {"name": "Gaming day", "value": f"{request.period.gaming_day:%a, %b %-d, %Y}"},
            {"name": "Shift", "value": request.period.shift},
            *facts,
        ],
        "lines": lines_of(draft, colours=colours),
        "total_cents": total_cents(new.cheques),
        "total_count": sum(new.cheques.values()),
        "says": says_of(Slip(details=dict(new.details))),
        "steps": [],
        "panel": panel,
        "note": note,
    }
    context = {
        "heading": heading,
        "back": back,
        "slip": slip,
        "taught": taught_with(new.kind, table),
        "pad": pad_of(
            request,
            passkey="prove" if proved_by_signing(new.kind) else "",
            url=url,
            attested=attested_first(flow),
            says=list(read_on(slip)),
            button=sign_words(step.roles, step.do),
            refused=refused,
            badge=badge,
            inputs=inputs,
            shown=request_shown(new, table),
            fields=fields,
            is_posted=request.method == "POST",
            refuse=dict(refuse or {"url": back["url"], "label": "Not now"}),
        ),
        "refusals": refused.refusals if refused else (),
        "quicker": bool(refused and "stale_screen" in refused.codes),
    }
    return render(
        request, "inventory/slip.html", context, status=http_status(refused) if refused else 200
    )
