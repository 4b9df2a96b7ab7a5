"""Log cash: say whose, for what and how much, look at the person's day, then sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from inventory.kinds.of_a_patron import new_patron_url
from inventory.selectors.cash_log import people_of, person_of, whose
from inventory.selectors.patrons import patrons_named
from inventory.services.cash_log import Transaction, cash_shown, key_cash, outlook_of
from inventory.services.compliance import write_note
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.patrons.cash_log import (
    AMOUNT_MAX_CENTS,
    DESCRIPTION_MAX,
    FOREIGN,
    KEYED_AT,
    TELLS,
    TOLD_MAX,
    CashKind,
    CashLevel,
    amount_refusals,
    declined_words,
    description_refusals,
    told_refusals,
)
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Place
from pitboss.rules.settings.kinds import Amount
from pitboss.services.pads import attested_by
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of
from pitboss.views.raising import table_named

_AMOUNT = Amount(1, AMOUNT_MAX_CENTS)
# What is asked of the person who takes the day over the limit.
_ANOTHERS = "anothers"
_BEHALVES = {"own": "Their own", _ANOTHERS: "Someone else’s"}
# As many as fit beside the form; anyone else is looked up.
_OFFERED_MAX = 8
_TONES = {
    CashLevel.NEAR: "wait",
    CashLevel.CROSSES: "bad",
    CashLevel.OVER: "bad",
    CashLevel.LOGGED: "info",
}


@require_http_methods(["GET", "POST"])
@page("cash")
def cash_new(request: PitRequest, name: str) -> HttpResponse:
    """Say whose cash it is at a table; posted, look at the day with it. It stores nothing."""
    return _form(request, table_named(name))


@require_POST
@page("cash")
def cash_sign(request: PitRequest, name: str) -> HttpResponse:
    """Log cash at a table with the badge and PIN on the pad."""
    return _sign(request, table_named(name))


@require_http_methods(["GET", "POST"])
@page("cage_cash")
def cage_cash_new(request: PitRequest) -> HttpResponse:
    """Say whose cash it is at the window; posted, look at the day with it. It stores nothing."""
    return _form(request, None)


@require_POST
@page("cage_cash")
def cage_cash_sign(request: PitRequest) -> HttpResponse:
    """Log cash at the window with the badge and PIN on the pad."""
    return _sign(request, None)


def _form(request: PitRequest, table: Table | None) -> HttpResponse:
    if request.method == "GET":
        return _render_form(request, table)
    try:
        new = _transaction(request.POST, table)
    except Refused as refused:
        return _render_form(request, table, refused)
    return _render_pad(request, new)


def _sign(request: PitRequest, table: Table | None) -> HttpResponse:
    try:
        new = _transaction(request.POST, table)
    except Refused as refused:
        return _render_form(request, table, refused)
    is_warned = text(request.POST, "seen") == "yes"
    behalf = text(request.POST, "behalf")
    try:
        if is_warned and behalf not in _BEHALVES:
            raise refuse("behalf_missing", "Ask on whose behalf it is, and choose the answer.")
        entry = key_cash(
            new=new,
            confirmed=is_warned,
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        return _render_pad(request, new, refused)
    who = whose(entry.patron, entry.stranger)
    messages.success(
        request,
        f"{CashKind(entry.kind).label.capitalize()} {format_money(entry.amount_cents)} logged. "
        f"{who.name}: {format_money(entry.day_sum_cents)} {entry.direction} today.",
    )
    if behalf == _ANOTHERS:
        return redirect("cash-behalf", entry_id=entry.pk)
    return redirect("table", name=table.name) if table is not None else redirect("cage")


def _transaction(posted: QueryDict, table: Table | None) -> Transaction:
    """Return what was keyed, with whoever it was looked up. Raises Refused with every reason."""
    place = Place.PIT if table is not None else Place.CAGE
    refusals: list[Refusal] = []
    amount_cents = 0
    kind = next(
        (cash_kind for cash_kind in _kinds(place) if cash_kind.value == text(posted, "kind")), None
    )
    if kind is None:
        refusals.append(Refusal("kind_missing", "Choose what the cash is for."))
    try:
        amount_cents = _AMOUNT.read(text(posted, "amount")) or 0
    except Refused:
        refusals += amount_refusals(0)
    who: dict[str, Any] = {}
    try:
        who = _whose(posted)
    except Refused as refused:
        refusals += refused.refusals
    if refusals or kind is None:
        raise Refused(refusals)
    told = text(posted, "told").strip() if kind in TELLS else ""
    told = told.upper() if kind in FOREIGN else told
    wrong = told_refusals(kind, told)
    if wrong:
        raise Refused(wrong)
    return Transaction(kind=kind, amount_cents=amount_cents, table=table, told=told, **who)


def _whose(posted: QueryDict) -> dict[str, Any]:
    """Return the one patron, stranger or description that was chosen or keyed. Raises Refused."""
    find, description = text(posted, "find").strip(), text(posted, "description").strip()
    chosen = text(posted, "who")
    if find and description:
        raise refuse("who_twice", "Enter a name or a description, not both.")
    if description:
        refusals = description_refusals(description)
        if refusals:
            raise Refused(refusals)
        return {"description": description}
    if find and not chosen:
        found = list(patrons_named(find)[:2])
        if not found:
            raise refuse("unknown_patron", f"No patron on file is called {find}. Describe them.")
        if len(found) > 1:
            raise refuse("who_unclear", f"Several patrons are called {find}. Choose one of them.")
        return {"patron": found[0]}
    person = person_of(chosen)
    if person is None:
        raise refuse("who_missing", "Choose a patron on file, or enter a description.")
    # A stranger stays one in the log, no matter who they turned out to be.
    return {"stranger": person.stranger} if person.stranger else {"patron": person.patron}


def _kinds(place: Place) -> list[CashKind]:
    return [kind for kind, places in KEYED_AT.items() if place in places]


def _render_form(
    request: PitRequest, table: Table | None, refused: Refused | None = None
) -> HttpResponse:
    posted = request.POST if request.method == "POST" else request.GET
    place = Place.PIT if table is not None else Place.CAGE
    find = posted.get("find", "")[:60].replace("\x00", "")
    found = list(patrons_named(find)) if find else []
    people = [] if found else people_of(request.period.gaming_day)[:_OFFERED_MAX]
    chosen = posted.get("who", "")
    own = reverse("cash-new", args=[table.name]) if table else reverse("cage-cash")
    if chosen.startswith("p") and not found:
        # Someone who was just put on file leads the list.
        new = person_of(chosen)
        found = [new.patron] if new is not None and new.patron is not None else []
    context = {
        "heading": f"Cash at {table}" if table else "Cash at the window",
        "back": _back(table),
        "url": own,
        "log_url": reverse("cash-day", args=[request.period.gaming_day.isoformat()]),
        "note_url": reverse("note-new") + (f"?table={table.name}" if table else ""),
        "kinds": [
            {
                "value": kind.value,
                "label": kind.label.capitalize(),
                "is_current": kind.value == (posted.get("kind") or CashKind.BUY_IN.value),
            }
            for kind in _kinds(place)
        ],
        "found": [
            {
                "key": f"p{patron.pk}",
                "name": patron.full_name,
                "words": ", ".join(filter(None, (patron.player_card, patron.city))),
                "is_current": chosen == f"p{patron.pk}",
            }
            for patron in found
        ],
        "people": [
            {
                "key": person.who.key,
                "name": person.who.name,
                "is_known": person.who.is_known,
                "in_cents": person.in_cents,
                "out_cents": person.out_cents,
                "is_current": chosen == person.who.key,
            }
            for person in people
        ],
        "find": find,
        "amount": posted.get("amount", "")[:20],
        "add_url": new_patron_url(request, f"{own}?who=p"),
        "tells": place == Place.CAGE,
        "told": posted.get("told", "")[:TOLD_MAX],
        "description": posted.get("description", "")[:DESCRIPTION_MAX],
        "description_max": DESCRIPTION_MAX,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "inventory/cash_new.html", context, status=http_status(refused) if refused else 200
    )


def _render_pad(
    request: PitRequest, new: Transaction, refused: Refused | None = None
) -> HttpResponse:
    """Show what the transaction makes of the person's day, and the pad."""
    table, day = new.table, request.period.gaming_day
    outlook = outlook_of(new, day)
    name = new.description or whose(new.patron, new.stranger).name
    fields = {
        "kind": new.kind.value,
        "amount": _AMOUNT.text(new.amount_cents),
        "description": new.description,
        "told": new.told,
        "who": (f"p{new.patron.pk}" if new.patron else "")
        or (f"s{new.stranger.pk}" if new.stranger else ""),
    }
    is_stale = refused is not None and "stale_screen" in refused.codes
    context = {
        "heading": f"{new.kind.label.capitalize()} {format_money(new.amount_cents)}",
        "back": {
            "url": reverse("cash-new", args=[table.name]) if table else reverse("cage-cash"),
            "label": "Cash",
        },
        "name": name,
        "is_known": not new.is_described,
        "where": f"{table}, {table.pit}" if table else "Cage",
        "kind": new.kind.label.capitalize(),
        "outlook": outlook,
        "tone": _TONES.get(outlook.level, ""),
        "pad": pad_of(
            request,
            url=reverse("cash-sign", args=[table.name]) if table else reverse("cage-cash-sign"),
            attested=attested_by(
                "log_cash", amount=format_money(new.amount_cents), kind=new.kind.label
            ),
            button="Log it",
            refused=refused,
            badge=request.user.badge,
            shown=cash_shown(new, day, outlook),
            fields={key: value for key, value in fields.items() if value},
            confirm={
                "name": "seen",
                "label": "I reviewed the warning, and the ID was collected or requested.",
            }
            if outlook.needs_confirmation
            else None,
            select={
                "name": "behalf",
                "label": "Whose cash it is",
                "choices": [
                    {
                        "value": value,
                        "label": label,
                        "is_chosen": request.POST.get("behalf") == value,
                    }
                    for value, label in _BEHALVES.items()
                ],
            }
            if outlook.needs_confirmation
            else None,
            refuse={"url": _refused_url(new, fields), "label": "ID refused…"}
            if outlook.needs_confirmation
            else {"url": _back(table)["url"], "label": "Not now"},
        ),
        "refusals": refused.refusals if refused else (),
        "quicker": is_stale,
    }
    return render(
        request,
        "inventory/cash_sign.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _refused_url(new: Transaction, fields: Mapping[str, str]) -> str:
    """Return where cash is declined because the patron refused what the report asks."""
    table = {"table": new.table.name} if new.table else {}
    return f"{reverse('cash-refused')}?{urlencode({**table, **fields})}"


@require_http_methods(["GET", "POST"])
@page("cash_refused")
def cash_refused(request: PitRequest) -> HttpResponse:
    """Decline cash whose owner refused to be identified: nothing is logged, compliance is told."""
    given = request.POST if request.method == "POST" else request.GET
    name = text(given, "table")
    table = table_named(name) if name else None
    try:
        new = _transaction(given, table)
    except Refused as error:
        return _render_form(request, table, error)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            write_note(
                text=declined_words(new.kind, new.amount_cents, new.description),
                pen=pen_of(request),
                table=table,
                patron=new.patron,
                stranger=new.stranger,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, "Declined. Return the cash. No cheques.")
            return redirect(_back(table)["url"])
    keep = ("table", "kind", "amount", "who", "description", "told")
    context = {
        "heading": "ID refused",
        "back": _back(table),
        "name": new.description or whose(new.patron, new.stranger).name,
        "kind": new.kind.label,
        "amount_cents": new.amount_cents,
        "pad": pad_of(
            request,
            url=reverse("cash-refused"),
            attested=attested_by("cash_id_refused"),
            button="Decline the cash",
            refused=refused,
            badge=request.user.badge,
            fields={item: text(given, item) for item in keep if text(given, item)},
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/cash_refused.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _back(table: Table | None) -> dict[str, str]:
    if table is None:
        return {"url": reverse("cage"), "label": "Cage"}
    return {"url": reverse("table", args=[table.name]), "label": table.name}
