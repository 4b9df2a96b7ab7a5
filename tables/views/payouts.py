"""How payouts were made, for coaching: of everyone, of one table, and a dealer's own."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.models import Person, Table
from pitboss.rules.refusal import Refused
from pitboss.views.forms import day_of, pen_of, text
from tables.selectors.evaluations import evaluations_of
from tables.selectors.mismatches import newest_wrong
from tables.selectors.payout_stats import PayoutStats, payout_stats
from tables.services.evaluations import answer_evaluation
from tables.views.pace import weeks_shown

# A week unless asked for more; a month is as much as one page is asked for.
_DAYS = 7
_DAYS_MAX = 31
# The newest payouts that went wrong, each with its proof.
_PROOFS = 30


@require_GET
@page("payouts")
def payouts(request: PitRequest) -> HttpResponse:
    """Show how payouts were made, by dealer, wager and table."""
    dealer = Person.objects.filter(badge=request.GET.get("dealer", "")).first()
    back = {"url": reverse("board"), "label": "Board"}
    heading = f"Payouts of {dealer}" if dealer else "Payouts"
    context = {
        "heading": heading,
        "back": back,
        "badge": dealer.badge if dealer else "",
        "pace_url": reverse("pace") if may_open(request.role, "pace") else None,
    }
    return _shown(request, reverse("payouts"), context, dealer=dealer)


@require_GET
@page("payouts")
def table_payouts(request: PitRequest, name: str) -> HttpResponse:
    """Show how payouts were made at one table."""
    table = get_object_or_404(Table, name=name)
    back = {"url": reverse("table", args=[name]), "label": name}
    context = {"heading": f"Payouts at {table}", "back": back}
    return _shown(request, reverse("table-payouts", args=[name]), context, table=table)


@require_GET
@page("own_payouts")
def own_payouts(request: PitRequest) -> HttpResponse:
    """Show a dealer their own payouts, and no one else's."""
    context = {"heading": "My payouts", "is_own": True}
    return _shown(request, reverse("own-payouts"), context, dealer=request.user)


@require_POST
@page("own_payouts")
def evaluation_answer(request: PitRequest, entry_id: int) -> HttpResponse:
    """Store what a dealer says to one of their own evaluations."""
    try:
        answer_evaluation(
            dealer=request.user,
            device=request.device,
            entry_id=entry_id,
            words=text(request.POST, "words"),
            request_id=pen_of(request).request_id,
        )
    except Refused as refused:
        for refusal in refused.refusals:
            messages.error(request, refusal.message)
    else:
        messages.success(request, "Answer saved. Supervisors can read it.")
    return redirect("own-payouts")


def _shown(
    request: PitRequest,
    url: str,
    context: dict[str, Any],
    *,
    dealer: Person | None = None,
    table: Table | None = None,
) -> HttpResponse:
    first, last = _days(request)
    stats = payout_stats(first, last, dealer=dealer, table=table)
    wrong = newest_wrong(first, last, most=_PROOFS, dealer=dealer, table=table)
    if dealer is not None:
        is_own = bool(context.get("is_own"))
        context = {
            **context,
            "pace": weeks_shown(dealer),
            "evaluations": evaluations_of(dealer, is_own=is_own),
        }
    shown = {"url": url, "stats": stats, "groups": _groups(stats, dealer, table), "wrong": wrong}
    return render(request, "tables/payouts.html", {**shown, **context})


def _groups(stats: PayoutStats, dealer: Person | None, table: Table | None) -> list[dict[str, Any]]:
    """Return the readings of the figures that say something; of one dealer, not by dealer."""
    groups: list[dict[str, Any]] = [{"title": "Wager", "rows": stats.wagers}]
    if dealer is None:
        groups.insert(0, {"title": "Dealer", "rows": stats.dealers, "is_dealers": True})
    if table is None:
        groups.append({"title": "Table", "rows": stats.tables})
    return groups


def _days(request: PitRequest) -> tuple[date, date]:
    """Return the gaming days asked for, the last week unless told, a month at most."""
    last = min(day_of(request.GET, "to") or request.period.gaming_day, request.period.gaming_day)
    first = day_of(request.GET, "from") or last - timedelta(days=_DAYS - 1)
    return max(min(first, last), last - timedelta(days=_DAYS_MAX - 1)), last
