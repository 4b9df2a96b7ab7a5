"""The cash log on the screen: a day by pit, a person's day, and the multiple-transaction log."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from inventory.kinds.of_a_patron import new_patron_url
from inventory.models import CashEntry, CurrencyReport, Stranger
from inventory.selectors.cash_log import (
    DayPerson,
    PersonsDay,
    cash_of,
    entries_of,
    is_confirmed,
    latest_match,
    people_of,
    person_of,
    policy_of,
    reports_of,
    strangers_of,
    whose,
)
from inventory.selectors.patrons import patrons_at_hand, patrons_named
from inventory.services.compliance import match_stranger
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Pit
from pitboss.reports.wording import harmless, hundredths
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import new_url
from pitboss.views.forms import day_or_404, pen_of, text
from pitboss.views.pads import pad_of

CAGE = "cage"


@require_GET
@page("cash_log")
def cash_today(request: PitRequest) -> HttpResponse:
    """Go to the cash log of the gaming day."""
    return redirect("cash-day", day=request.period.gaming_day.isoformat())


@require_GET
@page("cash_log")
def cash_day(request: PitRequest, day: str) -> HttpResponse:
    """Show every entry of a gaming day, of all places or of one pit."""
    gaming_day = day_or_404(day)
    entries = list(entries_of(gaming_day))
    pits = list(Pit.objects.all())
    asked = request.GET.get("at", "")
    shown = [entry for entry in entries if _is_at(entry, asked)]
    own = reverse("cash-day", args=[gaming_day.isoformat()])
    context = {
        "heading": f"Cash log, {gaming_day:%a, %b %-d, %Y}",
        "day": gaming_day,
        "days": _days(gaming_day, request.period.gaming_day),
        "tabs": [
            {"label": "All", "url": own, "is_current": not asked},
            *(
                {
                    "label": pit.name,
                    "url": f"{own}?at={pit.pk}",
                    "is_current": asked == str(pit.pk),
                }
                for pit in pits
            ),
            {"label": "Cage", "url": f"{own}?at={CAGE}", "is_current": asked == CAGE},
        ],
        "rows": _rows(reversed(shown), gaming_day),
        "in_cents": _sum(shown, Direction.IN),
        "out_cents": _sum(shown, Direction.OUT),
        "people": len(people_of(gaming_day, shown)),
        "multiple_url": reverse("cash-multiple", args=[gaming_day.isoformat()]),
    }
    return render(request, "inventory/cash_day.html", context)


@require_GET
@page("cash_log")
def cash_multiple(request: PitRequest, day: str) -> HttpResponse:
    """Show each person whose cash of the day reached the log's amount, with every transaction."""
    gaming_day = day_or_404(day)
    people = [person for person in people_of(gaming_day) if person.is_logged]
    context = {
        "heading": f"Multiple-transaction log, {gaming_day:%a, %b %-d, %Y}",
        "back": _to_day(gaming_day),
        "day": gaming_day,
        "policy": policy_of(gaming_day),
        "people": [_card(person, gaming_day, request.role) for person in people],
        "csv_url": reverse("cash-multiple-csv", args=[gaming_day.isoformat()]),
    }
    return render(request, "inventory/cash_multiple.html", context)


_COLUMNS = ("gaming_day", "time", "who", "on_file", "kind", "direction", "dollars", "day_sum")


@require_GET
@page("cash_log")
def cash_multiple_csv(request: PitRequest, day: str) -> HttpResponse:
    """Send the multiple-transaction log as a table, one line a transaction."""
    gaming_day = day_or_404(day)
    response = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="mtl-{gaming_day}.csv"'},
    )
    out = csv.writer(response)
    out.writerow([*_COLUMNS, "where", "recorded_by", "slip", "reverses"])
    zone = house.the_property().zone
    for person in people_of(gaming_day):
        for entry in person.entries if person.is_logged else ():
            out.writerow(
                [
                    gaming_day.isoformat(),
                    f"{entry.at.astimezone(zone):%Y-%m-%d %H:%M:%S}",
                    harmless(person.who.name),
                    "yes" if person.who.is_known else "no",
                    entry.kind,
                    entry.direction,
                    hundredths(entry.signed_cents),
                    hundredths(entry.day_sum_cents),
                    str(entry.table or CAGE),
                    harmless(entry.signed_as),
                    entry.slip.serial if entry.slip else "",
                    entry.reverses_id or "",
                ]
            )
    return response


@require_GET
@page("cash_log")
def cash_person(request: PitRequest, day: str, who: str) -> HttpResponse:
    """Show one person's cash of a gaming day: both sums, and every entry behind them."""
    gaming_day, person = day_or_404(day), _person(who)
    entries = tuple(
        cash_of(person, gaming_day).select_related(
            "patron", "stranger", "table__pit", "slip", "reverses", "reversed_by"
        )
    )
    may_correct = may_open(request.role, "cash_correction")
    stranger = person.stranger
    match = latest_match(stranger) if stranger is not None else None
    today = PersonsDay(person, entries, policy_of(gaming_day))
    known_as = strangers_of(gaming_day).filter(patron_now=person.patron.pk) if person.patron else ()
    context = {
        "heading": person.name if person.is_known else "Unknown person",
        "back": _to_day(gaming_day),
        "day": gaming_day,
        "person": today,
        "stranger": stranger,
        "match": match,
        "known_as": list(known_as),
        "match_url": reverse("cash-match", args=[stranger.pk])
        if stranger is not None and may_open(request.role, "cash_match")
        else None,
        "note_url": f"{reverse('note-new')}?who={person.key}"
        if may_open(request.role, "note_new")
        else None,
        "reports": _reports(person, gaming_day, request.role),
        "may_correct": may_correct,
        "rows": _rows(reversed(entries), gaming_day, may_correct=may_correct),
    }
    return render(request, "inventory/cash_person.html", context)


@require_http_methods(["GET", "POST"])
@page("cash_match")
def cash_match(request: PitRequest, stranger_id: int) -> HttpResponse:
    """Say who a described person was: look the patron up, then sign."""
    stranger = get_object_or_404(Stranger, pk=stranger_id)
    stands = latest_match(stranger)
    find = request.GET.get("find", "")[:60].replace("\x00", "")
    chosen = request.POST.get("who") or request.GET.get("who", "")
    patron, parts, refused = None, chosen == "none", None
    try:
        named = person_of(chosen)
        patron = named.patron if named is not None and chosen.startswith("p") else None
        if request.method == "POST":
            if patron is None and not parts:
                raise refuse("unknown_patron", "Look up the patron, and choose them.")
            match_stranger(
                stranger=stranger,
                patron=patron,
                reason=text(request.POST, "reason"),
                pen=pen_of(request),
            )
            messages.success(request, f"Counted with {patron}." if patron else "Match removed.")
            return redirect(_person_url(whose(None, stranger), stranger.gaming_day))
    except Refused as error:
        refused = error
    own = reverse("cash-match", args=[stranger.pk])
    act = "cash_matched" if patron else ""
    if parts and stands is not None and stands.patron is not None:
        act = "cash_unmatched"
    context = {
        "heading": "Who it was",
        "back": {
            "url": _person_url(whose(None, stranger), stranger.gaming_day),
            "label": "Person",
        },
        "stranger": stranger,
        "stands": stands,
        "confirm_url": f"{own}?who=p{stands.patron_id}"
        if stands is not None
        and stands.patron_id is not None
        and stands.matched_by_id != request.user.pk
        and may_act_as(request.role, Role.PIT_MANAGER)
        and not is_confirmed(stranger)
        and request.period.gaming_day == stranger.gaming_day
        else "",
        "is_confirmed": is_confirmed(stranger),
        "own_url": own,
        "find": find,
        "found": list(patrons_named(find)) if find else patrons_at_hand(),
        "add_url": new_patron_url(request, f"{own}?who=p"),
        "may_part": stands is not None
        and stands.patron is not None
        and request.role == Role.COMPLIANCE,
        "patron": patron,
        "pad": pad_of(
            request,
            url=own,
            attested=attested_by(act),
            button="Sign that it is them" if patron else "Sign that it is not",
            refused=refused,
            badge=request.user.badge,
            inputs=({"name": "reason", "label": "By what you know it", "private": "yes"},),
            fields={"who": chosen},
        )
        if act
        else None,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/cash_match.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _person(key: str) -> DayPerson:
    """Return whom an address names, or answer that there is no one."""
    person = person_of(key)
    if person is None:
        raise Http404("Patron not found. Check the number.")
    return person


def _person_url(person: DayPerson, day: date) -> str:
    return reverse("cash-person", args=[day.isoformat(), person.key])


def _days(day: date, today: date) -> dict[str, Any]:
    """Return the way to the day before and, when it has come, the day after."""
    return {
        "before": reverse("cash-day", args=[(day - timedelta(days=1)).isoformat()]),
        "after": reverse("cash-day", args=[(day + timedelta(days=1)).isoformat()])
        if day < today
        else None,
    }


def _to_day(day: date) -> dict[str, str]:
    return {"url": reverse("cash-day", args=[day.isoformat()]), "label": "Cash log"}


def _is_at(entry: CashEntry, asked: str) -> bool:
    if not asked:
        return True
    if entry.table is None:
        return asked == CAGE
    return asked == str(entry.table.pit_id)


def _sum(entries: Iterable[CashEntry], direction: Direction) -> int:
    return sum(entry.signed_cents for entry in entries if entry.direction == direction.value)


def _rows(
    entries: Iterable[CashEntry], day: date, *, may_correct: bool = False
) -> list[dict[str, Any]]:
    """Return entries as a table shows them: in or out, what was taken back struck through."""
    rows = []
    for entry in entries:
        person = DayPerson(entry.patron) if entry.patron else DayPerson(None, entry.stranger)
        taken_back = getattr(entry, "reversed_by", None)
        rows.append(
            {
                "entry": entry,
                "kind": CashKind(entry.kind).label.capitalize(),
                "name": person.name,
                "is_known": person.is_known,
                "person_url": _person_url(person, day),
                "where": str(entry.table or "Cage"),
                "in_cents": entry.signed_cents if entry.direction == Direction.IN.value else None,
                "out_cents": entry.signed_cents if entry.direction == Direction.OUT.value else None,
                "taken_back": taken_back,
                "behalf_url": reverse("cash-behalf", args=[entry.pk])
                if may_correct and taken_back is None and entry.reverses_id is None
                else None,
                "take_back_url": new_url("cash_correction", entry=entry.pk)
                if may_correct and taken_back is None and entry.reverses_id is None
                else None,
            }
        )
    return rows


def _card(person: PersonsDay, day: date, role: Role) -> dict[str, Any]:
    return {
        "person": person,
        "url": _person_url(person.who, day),
        "rows": _rows(person.entries, day),
        "reports": _reports(person.who, day, role),
    }


def _report_url(report: CurrencyReport, role: Role) -> str | None:
    """Return the way to a report: for those who read it, or for the cage that completes it."""
    if may_open(role, "currency_report"):
        return reverse("currency-report", args=[report.pk])
    if may_open(role, "ctr_form") and not hasattr(report, "closing"):
        return reverse("ctr-form", args=[report.pk])
    return None


def _reports(person: DayPerson, day: date, role: Role) -> list[dict[str, Any]]:
    """Return the currency reports of a person's day, with a link for those who may open them."""
    return [
        {
            "report": report,
            "label": Direction(report.direction).label,
            "closing": getattr(report, "closing", None),
            "url": _report_url(report, role),
        }
        for direction in Direction
        for report in reports_of(person, day, direction)
    ]
