"""The seats of a table on the supervisor's tablet: two taps seat a player, two taps note a bet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from inventory.kinds.of_a_patron import new_patron_url
from inventory.models import Patron
from inventory.selectors.patrons import patron_of_card, patrons_named
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.cheques.cheques import format_money, read_money
from pitboss.rules.ratings.theo import Skill
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import id_of
from pitboss.views.forms import cheques_of, new_request_id, pen_of, request_id_after, text
from pitboss.views.pads import pad_of
from tables.models import PlayRating, SeatHeld
from tables.selectors.ratings import name_of, seat_panel
from tables.services.floor_log import Tap
from tables.services.looks import see
from tables.services.rating_facts import SEATS
from tables.services.rating_skill import see_skill
from tables.services.ratings import (
    Leaving,
    Who,
    come_back,
    free_seat,
    leave,
    move,
    sit_down,
    step_away,
    take_seat,
)

_SIGNATURE = "signature_needed"
# A field of the count of what a player walked with, before its color.
_COUNTED = "counted_"
# What the page of a seat asks for, one at a time.
_ASKS = ("search", "unknown", "look", "left", "move", "add")
# Acts whose refusal is best answered where more can be entered.
_ASKED_AFTER = {"card": "search", "left": "left", "look": "look", "move": "move"}


@require_http_methods(["GET", "POST"])
@page("seat")
def seat(request: PitRequest, name: str, number: int) -> HttpResponse:
    """Take one tap at a seat, or ask for what a tap cannot say."""
    table = get_object_or_404(Table.objects.select_related("pit"), name=name)
    if not 1 <= number <= SEATS:
        raise Http404("Seat not found.")
    if request.method == "GET":
        return _page(request, table, number, request.GET.get("do", ""))
    act = request.POST.get("act", "")
    try:
        if act not in _ACTS:
            raise refuse("unknown_act", "Choose what happened at the seat.")
        said = _ACTS[act](request, table, number)
    except Refused as refused:
        return _page(request, table, number, _ASKED_AFTER.get(act, ""), refused)
    messages.success(request, said)
    return redirect("table", name=name)


def _page(
    request: PitRequest, table: Table, number: int, do: str, refused: Refused | None = None
) -> HttpResponse:
    now = house.now()
    panel = seat_panel(table, number, now, request.house)
    find = (request.POST.get("find") or request.GET.get("find", ""))[:80].strip()
    own = reverse("seat", args=[table.name, number])
    context: dict[str, Any] = {
        "heading": f"{table} seat {number}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "seat": panel,
        "do": do if do in _ASKS else "",
        "find": find,
        "found": _found(request, find),
        "add_url": new_patron_url(request, f"{own}?do=search&who="),
        "request_id": request_id_after(refused, request.POST) if refused else new_request_id(),
        "refusals": refused.refusals if refused else (),
        "posted": request.POST,
        # Every color that the table may hold: a player may walk with what they brought.
        "count_lines": [
            {"cents": cents, "value": request.POST.get(f"{_COUNTED}{cents}", "")}
            for cents in house.cheques_now().begun_at(table.name)
        ],
    }
    if refused is not None and _SIGNATURE in refused.codes:
        context["pad"] = pad_of(
            request,
            url=own,
            attested=attested_by("rating_end", table=table),
            button="Sign the end",
            refused=refused,
            badge=request.user.badge,
            fields={"act": "left", **_kept(request.POST)},
        )
    status = http_status(refused) if refused else 200
    return render(request, "tables/seat.html", context, status=status)


def _found(request: PitRequest, find: str) -> list[Patron]:
    """Return whom a search found, or who was just put on file."""
    if find:
        return list(patrons_named(find))
    new = id_of(request.GET, "who")
    return list(Patron.objects.filter(pk=new)) if new is not None else []


def _kept(posted: QueryDict) -> dict[str, str]:
    said = ("seen", "guess", "sign")
    return {
        name: value
        for name in posted
        if (name in said or name.startswith(_COUNTED)) and (value := text(posted, name))
    }


def _tap(request: PitRequest) -> Tap:
    return Tap(request.user, request.device, pen_of(request).request_id)


def _rating(table: Table, number: int) -> PlayRating:
    """Return the rating that holds a seat now. Raises Refused."""
    held = _held(table, number)
    if held.rating is None:
        raise refuse("not_rated", f"Seat {number} isn’t rated. Seat the player first.")
    return held.rating


def _held(table: Table, number: int) -> SeatHeld:
    held = (
        SeatHeld.objects.filter(table=table, seat=number, until=None)
        .select_related("rating__patron", "rating__stranger")
        .first()
    )
    if held is None:
        raise refuse("seat_empty", f"Seat {number} is empty now. Review the table.")
    return held


def _money(request: PitRequest, name: str, what: str) -> int | None:
    """Return an amount that was entered; none where the field was left empty. Raises Refused."""
    keyed = text(request.POST, name).strip()
    if not keyed:
        return None
    cents = read_money(keyed)
    if cents is None:
        raise refuse("amount_malformed", f"{what} isn’t valid. Enter dollars, like 1,250.")
    return cents


def _ago(request: PitRequest) -> int:
    keyed = request.POST.get("ago", "0")
    return int(keyed) if keyed in ("0", "5", "10") else 0


def _sit(request: PitRequest, table: Table, number: int, who: Who) -> str:
    held = sit_down(
        table_id=table.pk, seat=number, who=who, hand=_tap(request), minutes_ago=_ago(request)
    )
    assert held.rating is not None, "who sits down is rated"
    return f"{name_of(held.rating)} is rated at seat {number}."


def _by_card(request: PitRequest, table: Table, number: int) -> str:
    card = text(request.POST, "find").strip()
    patron = patron_of_card(card)
    if patron is None:
        raise refuse(
            "unknown_card",
            "Card not found. Choose the patron from the list, or search.",
        )
    return _sit(request, table, number, Who(patron_id=patron.pk, by_card=True))


def _patron(request: PitRequest, table: Table, number: int) -> str:
    keyed = request.POST.get("patron", "")
    if not keyed.isdecimal() or len(keyed) > 12:
        raise refuse("unknown_patron", "Patron not found. Look them up again.")
    return _sit(request, table, number, Who(patron_id=int(keyed)))


def _declined(request: PitRequest, table: Table, number: int) -> str:
    return _sit(request, table, number, Who(declined=True))


def _unknown(request: PitRequest, table: Table, number: int) -> str:
    return _sit(request, table, number, Who(description=text(request.POST, "description")))


def _taken(request: PitRequest, table: Table, number: int) -> str:
    take_seat(table_id=table.pk, seat=number, hand=_tap(request))
    return f"Seat {number} is taken."


def _free(request: PitRequest, table: Table, number: int) -> str:
    free_seat(seat_id=_held(table, number).pk, hand=_tap(request))
    return f"Seat {number} is free."


def _look(request: PitRequest, table: Table, number: int) -> str:
    cents = request.POST.get("bet_cents", "")
    bet = int(cents) if cents.isdecimal() and len(cents) < 12 else None
    if bet is None:
        bet = _money(request, "bet", "The bet")
    if bet is None:
        raise refuse("amount_malformed", "Enter the bet in dollars, like 25.")
    side = {
        key.removeprefix("side_"): amount
        for key in request.POST
        if key.startswith("side_") and (amount := _money(request, key, "The side bet"))
    }
    rating = _rating(table, number)
    see(rating_id=rating.pk, bet_cents=bet, hand=_tap(request), side=side)
    return f"Look saved: {name_of(rating)}, {format_money(bet)}."


def _left(request: PitRequest, table: Table, number: int) -> str:
    rating = _rating(table, number)
    leaving = Leaving(
        cheques=_walked(request.POST),
        at_last_sign=request.POST.get("sign") == "last",
        guess_cents=_money(request, "guess", "The bet"),
    )
    hand = pen_of(request) if request.POST.get("pin") else _tap(request)
    ended = leave(rating_id=rating.pk, hand=hand, leaving=leaving)
    return f"{name_of(rating)} left {table}. The rating ended at {_time(ended)}."


def _walked(posted: QueryDict) -> dict[int, int] | None:
    """Return what a player walked with, by color; none where no one saw it. Raises Refused."""
    if posted.get("seen") != "yes":
        return None
    keyed = [name for name in posted if name.startswith(_COUNTED) and text(posted, name).strip()]
    if not keyed:
        raise refuse(
            "walked_missing",
            "Enter the cheques, 0 if the player left with none, or choose “Not seen”.",
        )
    return cheques_of(posted, _COUNTED)


def _time(rating: PlayRating) -> str:
    assert rating.ended_at is not None, "it has ended"
    return f"{rating.ended_at.astimezone(house.the_property().zone):%H:%M}"


def _away(request: PitRequest, table: Table, number: int) -> str:
    rating = _rating(table, number)
    step_away(rating_id=rating.pk, hand=_tap(request))
    return f"{name_of(rating)} is away."


def _back(request: PitRequest, table: Table, number: int) -> str:
    rating = _rating(table, number)
    come_back(rating_id=rating.pk, hand=_tap(request))
    return f"{name_of(rating)} is back."


def _skill(request: PitRequest, table: Table, number: int) -> str:
    rating = _rating(table, number)
    try:
        level = Skill(request.POST.get("level", ""))
    except ValueError:
        raise refuse("unknown_skill", "Choose how the player plays.") from None
    see_skill(rating_id=rating.pk, level=level, hand=_tap(request))
    return f"Saved: {name_of(rating)} plays {_PLAYS[level]}."


_PLAYS = {Skill.CHART: "by the chart", Skill.USUAL: "as usual", Skill.WEAK: "weakly"}


def _seat_number(request: PitRequest) -> int:
    keyed = request.POST.get("to_seat", "")
    return int(keyed) if keyed.isdecimal() and len(keyed) < 3 else 0


def _move(request: PitRequest, table: Table, number: int) -> str:
    rating = _rating(table, number)
    there = Table.objects.filter(name=request.POST.get("to_table", "")).first()
    if there is None:
        raise refuse("unknown_table", "Table not found. Choose one from the list.")
    seat_number = _seat_number(request)
    move(
        rating_id=rating.pk,
        to_table_id=there.pk,
        seat=seat_number,
        hand=_tap(request),
        cheques_cents=_money(request, "cheques", "The amount") or 0,
    )
    return f"{name_of(rating)} moved to {there}, seat {seat_number}."


def _add(request: PitRequest, table: Table, number: int) -> str:
    rating = _rating(table, number)
    more = _seat_number(request)
    sit_down(
        table_id=table.pk,
        seat=more,
        who=Who(patron_id=rating.patron_id, stranger_id=rating.stranger_id),
        hand=_tap(request),
    )
    return f"{name_of(rating)} plays seat {more} too."


_ACTS: dict[str, Callable[[PitRequest, Table, int], str]] = {
    "add": _add,
    "away": _away,
    "back": _back,
    "card": _by_card,
    "declined": _declined,
    "free": _free,
    "left": _left,
    "look": _look,
    "move": _move,
    "patron": _patron,
    "skill": _skill,
    "taken": _taken,
    "unknown": _unknown,
}
