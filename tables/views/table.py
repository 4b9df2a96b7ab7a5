"""A table's page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from inventory.selectors.cheques import cheques_on_the_way, tray_holding
from pitboss.access import may_open, opens_slip, page
from pitboss.live import of_table, poll_url, polled
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import BY_CENTS, format_money, ordered, total_cents
from pitboss.rules.cheques.tray_counts import CLOSER, COUNT, OPENER, RECOUNT, SHIFT_COUNT
from pitboss.rules.day.dead_tables import Recount
from pitboss.rules.day.late_papers import LATE_FILL
from pitboss.rules.drop.figures import DROP_PULL
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.games.live_changes import LIVE_CHANGE
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.selectors.pending import pending_of
from pitboss.selectors.slips import due_step, headline_of, role_words, steps_of
from pitboss.services import house
from pitboss.slips.addresses import new_url
from pitboss.views.forms import new_request_id
from tables.selectors.board import (
    counting_of,
    dealer_of,
    game_words,
    is_blind,
    limits_words,
    state_of,
    tables_now,
    troubles_at,
)
from tables.selectors.counts import LastCount, last_count_of, recount_of_table
from tables.selectors.floor_log import asked_of
from tables.selectors.live_changes import kept_at, to_come
from tables.selectors.orders import orders_standing
from tables.selectors.ratings import seat_panel, seats_at
from tables.selectors.timeline import timeline_of
from tables.services.drops import pull_refusals
from tables.services.trays import count_refusals, under_way_at


@require_GET
@page("table")
def table(request: PitRequest, name: str) -> HttpResponse:
    """Show one table: its open slips, its tray, what can be started and what happened."""
    context = _table(request, name)
    asked = request.GET.get("seat", "")
    if context["may_rate"] and asked.isdecimal() and len(asked) < 3:
        table = Table.objects.select_related("pit").get(name=name)
        context["seat"] = seat_panel(table, int(asked), house.now(), request.house)
        context["request_id"] = new_request_id()
    return render(request, "tables/table.html", context)


@require_GET
@polled(of_table)
@page("table")
def table_poll(request: PitRequest, name: str) -> HttpResponse:
    """Send a table's page again when something happened at it."""
    return render(request, "tables/_table_poll.html", _table(request, name))


def _table(request: PitRequest, name: str) -> dict[str, Any]:
    # The version is read before the rest: an act in between is news at the next poll.
    poll = poll_url(reverse("table-poll", args=[name]), of_table({"name": name}))
    table = tables_now(Table.objects.select_related("pit")).filter(name=name).first()
    if table is None:
        raise Http404("Table not found.")
    slips = list(
        Slip.objects.filter(table=table, status__in=[SlipStatus.OPEN, SlipStatus.RETURNING])
        .prefetch_related("signatures", "waits__slip")
        .order_by("id")
    )
    waits = [wait for slip in slips for wait in slip.waits.all() if wait.until is None]
    counting = counting_of(waits)
    last = last_count_of(table)
    held = tray_holding(table)
    return {
        "table": {
            "name": table.name,
            "state": state_of(table, counting, pending_of(slips)),
            "facts": _facts(table, None if is_blind(counting) else last, request),
        },
        "kept": {
            "seats": kept_at(table),
            "url": reverse("seat-leaves", args=[table.name]),
            "request_id": new_request_id(),
            "may_end": may_open(request.role, "sign_changed"),
        },
        **asked_of(table),
        "slips": [_slip_row(slip, request) for slip in slips],
        "troubles": troubles_at(table),
        "tray": {
            "held": held,
            # Taken from players since the last count and given out again: no one has counted them.
            "below": [BY_CENTS[cents].name for cents in ordered(held) if held[cents] < 0],
            "coming": cheques_on_the_way(table),
            "total_cents": total_cents(held),
            "par_cents": total_cents(table.par_cheques),
            "counted_at": last.at if last else None,
            # A count that is under way must not read here what it should find.
            "counting": counting.slip.serial if counting and counting.slip else None,
            "is_blind": is_blind(counting),
        },
        "seats": seats_at(table, house.now(), request.house) if table.is_open else [],
        "may_rate": may_open(request.role, "seat"),
        "acts": _acts(request, table, last),
        "events": timeline_of(table, request.role),
        "back": {"url": reverse("pit-board", args=[table.pit_id]), "label": table.pit.name},
        "poll_url": poll,
    }


def _facts(table: Table, last: LastCount | None, request: PitRequest) -> list[dict[str, Any]]:
    facts = [
        {"name": "Limits", "value": limits_words(table)},
        {"name": "Game", "value": game_words(table)},
    ]
    coming = to_come(table)
    if coming is not None:
        value = f"{coming.sign} · {coming.words}"
        facts.insert(1, {"name": "Coming", "value": value, "tone": "late"})
    dealer = dealer_of(table, request.house["dealers.relief_after"])
    if table.is_open:
        facts.append(
            {
                "name": "Dealer",
                "value": f"{dealer['name']} · {dealer['minutes']} min" if dealer else "nobody",
                "tone": "late" if dealer and dealer["is_due"] else "",
            }
        )
    elif last is not None:
        facts.append(
            {
                "name": f"Last {last.kind}",
                "value": f"{format_money(last.amount_cents)} on {last.gaming_day:%b %-d}",
            }
        )
    facts += [
        {"name": "Ordered", "value": entry.title, "tone": "late"}
        for entry in orders_standing(table)
    ]
    recount = recount_of_table(table, last, request.period.gaming_day)
    if recount != Recount.NOT_YET:
        tone = "late" if recount == Recount.OVERDUE else ""
        facts.append({"name": "Recount", "value": recount.value, "tone": tone})
    return facts


def _slip_row(slip: Slip, request: PitRequest) -> dict[str, Any]:
    due = due_step(slip)
    wait = next((waiting for waiting in slip.waits.all() if waiting.until is None), None)
    steps = steps_of(slip)
    is_stopped = any(step["state"] == "stopped" for step in steps)
    return {
        "id": slip.serial,
        "title": headline_of(slip),
        "number": slip.serial,
        "steps": steps,
        "since": wait.since if wait else slip.raised_at,
        "limit_seconds": wait.limit_seconds if wait else None,
        "waits_for": f"on {role_words(due)}" if due else slip.status,
        "tone": "bad" if is_stopped or slip.status == SlipStatus.RETURNING.value else "",
        "act": {
            "url": reverse("slip", args=[slip.serial]),
            "label": "Review and sign" if due and due.at in (None, "pit") else "Open",
            "is_next": bool(due and due.at == "pit"),
        }
        if opens_slip(request, slip)
        else None,
    }


# What can be started at an open and at a closed table: label, icon, address, its page, words.
# Without an address the page is a kind of slip, raised where all are.
_Act = tuple[str, str, str, str, str]
_LIMITS: _Act = ("Limits", "limits", "", LIVE_CHANGE, "change them")
_CHEQUES: tuple[_Act, ...] = (
    ("Fill", "fill", "", "fill", "to par"),
    ("Credit", "credit", "", "credit", "to the cage"),
)
_MARKERS: tuple[_Act, ...] = (
    ("Marker", "marker", "", "marker", "to a patron"),
    ("Payment", "pay", "", "marker_payment", "pay a marker"),
    ("Draw", "pay", "", "front_draw", "front money"),
)
_COUNTS: dict[bool, tuple[_Act, ...]] = {
    True: (
        ("Count", "count", "", COUNT, "mid-shift"),
        ("New shift", "shift", "", SHIFT_COUNT, "count at shift change"),
        ("Close", "lock", "", CLOSER, "and lock"),
    ),
    False: (
        ("Open", "open", "", OPENER, "count the tray"),
        ("Recount", "count", "", RECOUNT, "stays closed"),
    ),
}
_JACKPOT: _Act = ("Jackpot", "jackpot", "", JACKPOT, "stop the meter")
_BIG_WIN: _Act = ("Big win", "pay", "", BIG_WIN, "on a slip")
_FLOOR: _Act = ("Floor log", "check", "floor-choose", "floor_note", "approvals, notes")
_DEALER: _Act = ("Dealer", "dealer", "dealer", "dealer", "tap in or out")
_INCIDENT: _Act = ("Incident", "warn", "incident-new", "incident", "three taps")
_SHOE: _Act = ("Shoe", "shift", "shoe", "shoe", "time it")
_DROP: _Act = ("Drop", "box", "", DROP_PULL, "pull the box")
# Never refused: what happened on paper is keyed whatever the table does now, and win is read.
_PAPERS: tuple[_Act, ...] = (
    ("Cards", "cards", "table-cards", "cards", "slots, bags"),
    ("Cash", "pay", "cash-new", "cash", "log a buy-in"),
    ("Late entry", "print", "", LATE_FILL, "from a paper slip"),
    ("Win", "audit", "table-win", "win", "and the drop"),
    ("What if", "count", "what-if", "what_if", "test a payout"),
    ("Payouts", "pay", "table-payouts", "payouts", "accuracy"),
)
# A tile has room for a few words; the act's own page gives the whole sentence.
_SHORT = {
    "table_open": "Already open",
    "table_closed": "Table is closed",
    "count_under_way": "Count in progress",
    "slips_open": "Open slip",
    "pull_under_way": "Box being pulled",
    "already_pulled": "Box already pulled",
    "nothing_to_pull": "Not opened since last pull",
}


def _acts(request: PitRequest, table: Table, last: LastCount | None) -> list[dict[str, Any]]:
    """Return what can be started; what cannot stays in its place, with the reason."""
    under_way = under_way_at(table)
    shut = "" if table.is_open else _SHORT["table_closed"]
    acts = []
    for act in _CHEQUES:
        # A tray that was never counted is stocked before its table opens for the first time.
        acts.append(_act(request, table, act, shut if last is not None else ""))
    acts.extend(_act(request, table, act, shut) for act in _MARKERS)
    for act in _COUNTS[table.is_open]:
        refusals = count_refusals(act[3], table, under_way)
        acts.append(_act(request, table, act, _SHORT[refusals[0].code] if refusals else ""))
    acts.append(_act(request, table, _FLOOR, ""))
    acts.append(_act(request, table, _INCIDENT, ""))
    acts.append(_act(request, table, _DEALER, shut))
    acts.append(_act(request, table, _SHOE, shut))
    acts.append(_act(request, table, _JACKPOT, shut))
    acts.append(_act(request, table, _BIG_WIN, shut))
    # An open table's tray is counted first; the page of the box leads there, and lifts a wait.
    led = _ON_ITS_PAGE if table.is_open else frozenset()
    stops = [refusal.code for refusal in pull_refusals(table) if refusal.code not in led]
    acts.append(_act(request, table, _DROP, _SHORT[stops[0]] if stops else ""))
    # A few times a day, and by pit managers alone.
    acts.append(_act(request, table, _LIMITS, shut))
    acts.extend(_act(request, table, act, "") for act in _PAPERS)
    return acts


_ON_ITS_PAGE = frozenset({"count_first", "hand_is_on", "already_pulled"})


def _act(request: PitRequest, table: Table, act: _Act, refusal: str) -> dict[str, Any]:
    label, icon, address, page_name, words = act
    if not may_open(request.role, page_name):
        refusal = "Pit managers only" if page_name == LIVE_CHANGE else "Supervisors only"
    return {
        "label": label,
        "icon": icon,
        "url": reverse(address, args=[table.name])
        if address
        else new_url(page_name, table=table.name),
        "words": words,
        "refusal": refusal,
    }
