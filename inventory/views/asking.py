"""What fills, credits and the cage's slips share: choose the cheques, then sign for the slip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from inventory.selectors.cheques import tray_holding
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques import (
    BY_CENTS,
    BY_THE_UNIT_FROM_CENTS,
    STACK_CHEQUES,
    format_money,
    needs_top_sign,
    ordered,
    total_cents,
)
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.flows import Flow
from pitboss.rules.refusal import Refused
from pitboss.selectors.slips import lines_of
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.views.forms import new_request_id
from pitboss.views.pads import pad_of


def table_named(name: str) -> Table:
    """Return a table with its pit, or answer that there is none."""
    return get_object_or_404(Table.objects.select_related("pit"), name=name)


def replaced_by_this(request: PitRequest, flow: Flow) -> Slip | None:
    """Return the slip that came back and that the new one replaces, if the address names one."""
    serial = request.POST.get("replaces") or request.GET.get("replaces")
    return get_object_or_404(Slip, serial=serial, kind=flow.kind) if serial else None


def keyed_cheques(fields: QueryDict) -> dict[int, int]:
    """Return what can be shown of a refused form, or of an address that proposes cheques."""
    keyed = {}
    for cents in BY_CENTS:
        value = fields.get(f"cheques_{cents}", "").strip()
        if value.isascii() and value.isdigit() and len(value) < 7:
            keyed[cents] = int(value)
    return keyed


@dataclass(frozen=True, slots=True)
class Asking:
    """How one kind of slip is asked for at a table."""

    flow: Flow
    # Where it is chosen and where it is signed, by the names of their addresses.
    new_url: str
    sign_url: str
    # 1 when cheques come into the tray, -1 when they leave it.
    sign: int
    verb: str
    # With {} where the amount goes.
    button: str
    starts: tuple[tuple[str, str], ...]


def ask_page(
    request: PitRequest,
    asking: Asking,
    table: Table,
    asked: Mapping[int, int],
    replaces: Slip | None,
    refused: Refused | None = None,
) -> HttpResponse:
    """Show the tray's colours, to choose from."""
    held = tray_holding(table)
    own = reverse(asking.new_url, args=[table.name])
    start = request.GET.get("start", "par")
    top_sign_from = request.house["approval.top_sign_from"]
    context = {
        "heading": f"{asking.flow.title} for {table.name}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "ask": {
            "url": f"{own}?replaces={replaces.serial}" if replaces else own,
            "request_id": new_request_id(),
            "keep": f"{asking.flow.kind}-{table.name}",
            "sign": asking.sign,
            "verb": asking.verb,
            "button": asking.button,
            "starts": [
                {"label": label, "url": f"{own}?start={key}", "is_current": start == key}
                for key, label in asking.starts
            ],
            "rows": [
                {
                    "cents": cents,
                    "held": held.get(cents, 0),
                    "par": table.par_cheques.get(cents, 0),
                    "asked": asked.get(cents, 0),
                    "step": 1 if cents >= BY_THE_UNIT_FROM_CENTS else STACK_CHEQUES,
                    "most": None,
                }
                for cents in ordered(table.par_cheques.keys() | asked.keys() | held.keys())
            ],
            "total_cents": total_cents(asked),
            "tray_cents": total_cents(held),
            "button_text": asking.button.format(format_money(total_cents(asked))),
            "facts": [
                {
                    "name": "Top-sign",
                    "value": "pit manager"
                    if needs_top_sign(asked, top_sign_from)
                    else f"not below {format_money(top_sign_from)} cheques",
                }
            ],
            "note": _ask_note(asking, held, asked, replaces),
        },
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "inventory/fill_new.html", context, status=http_status(refused) if refused else 200
    )


def _ask_note(
    asking: Asking, held: Mapping[int, int], asked: Mapping[int, int], replaces: Slip | None
) -> str | None:
    if replaces is not None:
        return f"Replaces {replaces.serial}, which went back."
    beyond = [BY_CENTS[cents].name for cents in ordered(asked) if asked[cents] > held.get(cents, 0)]
    if asking.sign < 0 and beyond:
        # The tray wins between counts, so this is no reason to refuse.
        return f"More than the ledger has in the tray: {', '.join(beyond)}. The dealer proves it."
    return None


def raise_page(
    request: PitRequest,
    new: NewSlip,
    table: Table | None,
    *,
    heading: str,
    url: str,
    fields: Mapping[str, Any],
    back: Mapping[str, str],
    refused: Refused | None = None,
    inputs: tuple[dict[str, str], ...] = (),
) -> HttpResponse:
    """Show a slip about to be raised, and the pad for its first signature."""
    flow = FLOWS[new.kind]
    step = flow.steps[0]
    draft = Slip(kind=new.kind, cheques={str(c): n for c, n in new.cheques.items()})
    facts = [
        {"name": "Gaming day", "value": f"{request.period.gaming_day:%a %d %b %Y}"},
        {"name": "Shift", "value": request.period.shift},
    ]
    if table is not None:
        facts.insert(0, {"name": "Table", "value": f"{table}, {table.pit}"})
    context = {
        "heading": heading,
        "back": back,
        "slip": {
            "title": flow.title,
            "number": "number comes with the signature",
            "facts": facts,
            "lines": lines_of(draft),
            "total_cents": total_cents(new.cheques),
            "total_count": sum(new.cheques.values()),
            "steps": [],
        },
        "pad": pad_of(
            request,
            url=url,
            sentence=step.attests,
            button=f"Sign as {step.roles[0].label}",
            refused=refused,
            badge=request.user.badge,
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


def fields_of(cheques: Mapping[int, int], replaces: Slip | None = None) -> dict[str, Any]:
    """Return the hidden fields that carry cheques from the choice to the signature."""
    fields: dict[str, Any] = {f"cheques_{cents}": count for cents, count in cheques.items()}
    if replaces is not None:
        fields["replaces"] = replaces.serial
    return fields
