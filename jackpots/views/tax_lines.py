"""Tax lines: which hold, and those that come with Pitboss and no one confirmed."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from jackpots.kinds.tax_line import KIND
from jackpots.models import TaxLine
from jackpots.services.tax_papers import day_of
from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.money import percent
from pitboss.rules.tax import lines
from pitboss.rules.tax.lines import SHIPPED, lines_on
from pitboss.services import house
from pitboss.slips.addresses import new_url


@require_GET
@page("tax_lines")
def tax_lines(request: PitRequest) -> HttpResponse:
    """Show every line that was approved, newest first, and what may be proposed."""
    today = day_of(house.now())
    rows = list(TaxLine.objects.select_related("slip").order_by("-id"))
    held = lines_on([row.as_rule() for row in reversed(rows)], today).values()
    may = may_open(request.role, KIND)
    context = {
        "heading": "Tax lines",
        "back": {"url": reverse("tax-register"), "label": "Tax forms"},
        "rows": [
            {"row": row, "rate": percent(row.basis_points), "is_held": row.as_rule() in held}
            for row in rows
        ],
        "pending": Slip.objects.filter(kind=KIND, status=SlipStatus.OPEN.value).order_by("id"),
        "shipped": [
            {"line": line, "rate": percent(line.basis_points), "url": _url(line) if may else ""}
            for line in SHIPPED
        ],
        "new_url": new_url(KIND) if may else "",
    }
    return render(request, "jackpots/tax_lines.html", context)


def _url(line: lines.TaxLineTerms) -> str:
    """Return where a shipped line is proposed, its fields filled in but for who confirms it."""
    given: dict[str, Any] = {
        "level": line.level.value,
        "place": line.place,
        "rate": percent(line.basis_points).removesuffix("%"),
        "trigger": line.trigger.value,
        "base": line.base.value,
        "who": line.who.value,
        "paid_from": line.paid_from.isoformat(),
        "source": line.source,
    }
    return new_url(KIND, **given)
