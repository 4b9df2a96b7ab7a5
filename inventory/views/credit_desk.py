"""The credit desk: what is due, returned and in collection, each with its next act."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from inventory.models import CollectionContact, Patron
from inventory.selectors.checks import (
    CheckOwed,
    at_the_bank,
    checks_at_hand,
    checks_owed,
    serial_of,
)
from inventory.services.collecting import log_contact
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.checks import CheckState, bank_refusals
from pitboss.rules.patrons.collecting import SAYS_MAX, ContactBy
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house
from pitboss.slips.addresses import new_url
from pitboss.views.forms import pen_of, request_id_after, text

# So many that did not come back are shown; a batch’s own slip has them all.
_AT_THE_BANK_MAX = 20


@require_GET
@page("credit_desk")
def credit_desk(request: PitRequest) -> HttpResponse:
    """Show what is due today or late, what came back, what is collected, and what comes next."""
    today = request.period.gaming_day
    rows = check_rows(request, checks_at_hand(today))
    due = [row for row in rows if row["is_held"] and row["is_due"]]
    later = [row for row in rows if row["is_held"] and not row["is_due"]]
    context = {
        "heading": "Credit",
        "groups": [
            {
                "name": "Due",
                "rows": due,
                "nothing": "Nothing is due today.",
                "says": "Deposit these by today. A red row is past its due day.",
            },
            {
                "name": "Returned",
                "rows": [row for row in rows if row["state"] is CheckState.RETURNED],
                "nothing": "No returned checks.",
                "says": "A check goes to the bank once more, or to collection.",
            },
            {
                "name": "In collection",
                "rows": [row for row in rows if row["state"] is CheckState.IN_COLLECTION],
                "nothing": "Nothing is in collection.",
                "says": "",
            },
            {"name": "Not due yet", "rows": later, "nothing": "Nothing else is owed.", "says": ""},
        ],
        "batches": Slip.objects.filter(kind="check_deposit", status=SlipStatus.OPEN).order_by("id"),
        "bank": _bank_rows(request),
        "due_cents": sum(row["owed"].check.balance_cents for row in due),
        "acts": _acts(request),
    }
    return render(request, "inventory/credit_desk.html", context)


def _acts(request: PitRequest) -> list[dict[str, str]]:
    acts = [
        ("check_deposit", "Checks to the bank…", new_url("check_deposit")),
        ("consolidation", "Consolidate…", new_url("consolidation")),
        ("marker_payment_mail", "List mail payment…", new_url("marker_payment_mail")),
        ("patrons", "Patrons", reverse("patrons")),
        ("reports", "Aging", reverse("report", args=["aging"])),
    ]
    return [
        {"label": label, "url": url} for name, label, url in acts if may_open(request.role, name)
    ]


def check_rows(request: PitRequest, checks: Iterable[CheckOwed]) -> list[dict[str, Any]]:
    """Return checks as pages list them: due when, how late, and what comes next."""
    return [_row(request, check, request.period.gaming_day) for check in checks]


def _row(request: PitRequest, each: CheckOwed, today: date) -> dict[str, Any]:
    check = each.check
    is_held = check.state is CheckState.HELD
    return {
        "owed": each,
        "state": check.state,
        "is_held": is_held,
        "is_due": check.due_on <= today,
        "is_late": is_held and check.due_on < today,
        "late_days": (today - check.due_on).days,
        "next": _next_acts(request, each),
        "what": "Personal check" if each.instrument else "Marker",
    }


def _next_acts(request: PitRequest, each: CheckOwed) -> list[dict[str, str]]:
    """Return what comes next for a check, as far as this role does it."""
    check, acts = each.check, []
    if not check.at_cage:
        acts.append(("marker_transfer", "Send to the cage…", new_url("marker_transfer")))
    elif not bank_refusals(check):
        label = "Redeposit…" if check.returns else "Deposit…"
        acts.append(("check_deposit", label, new_url("check_deposit")))
    if check.state is not CheckState.HELD and each.marker is not None:
        contact = reverse("contact-new", args=[each.patron.pk])
        acts.append(("collection", "Log a contact…", contact))
        acts.append(("write_off", "Settle or write off…", new_url("write_off", of=each.serial)))
    return [
        {"label": label, "url": url} for name, label, url in acts if may_open(request.role, name)
    ]


def _bank_rows(request: PitRequest) -> list[dict[str, Any]]:
    may_return = may_open(request.role, "check_return")
    return [
        {
            "serial": serial_of(check_deposit),
            "deposit": check_deposit,
            "url": new_url("check_return", of=check_deposit.slip.serial, check=check_deposit.pk)
            if may_return
            else "",
        }
        for check_deposit in at_the_bank({"free_at__gt": house.now()})[:_AT_THE_BANK_MAX]
    ]


@require_http_methods(["GET", "POST"])
@page("collection")
def contact_new(request: PitRequest, patron_id: int) -> HttpResponse:
    """Log that a patron was asked for what they owe."""
    patron = get_object_or_404(Patron, pk=patron_id)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            log_contact(
                patron=patron,
                how=text(request.POST, "how"),
                says=text(request.POST, "says"),
                next_on=_day(request),
                person=request.user,
                device=request.device,
                request_id=pen_of(request).request_id,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"Contact with {patron} logged.")
            return redirect("patron", patron_id=patron.pk)
    context = {
        "heading": f"Contact with {patron}",
        "back": {"label": str(patron), "url": reverse("patron", args=[patron.pk])},
        "url": reverse("contact-new", args=[patron.pk]),
        "request_id": request_id_after(refused, request.POST),
        "ways": [
            {"value": contact_by.value, "label": contact_by.label} for contact_by in ContactBy
        ],
        "keyed": {name: request.POST.get(name, "") for name in ("how", "says", "next_on")},
        "says_max": SAYS_MAX,
        "contacts": contacts_of(patron),
        "checks": [
            check_owed
            for check_owed in checks_owed(request.period.gaming_day, patron)
            if check_owed.check.state is not CheckState.HELD
        ],
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/contact_new.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def contacts_of(patron: Patron) -> list[dict[str, Any]]:
    """Return the newest contacts with a patron about what they owe."""
    rows = CollectionContact.objects.filter(patron=patron).select_related("made_by")[:20]
    return [{"contact": row, "how": ContactBy(row.how).label} for row in rows]


def _day(request: PitRequest) -> date | None:
    told = text(request.POST, "next_on").strip()
    try:
        return date.fromisoformat(told) if told else None
    except ValueError:
        raise refuse("date_malformed", "Write the date as 2030-12-31.") from None
