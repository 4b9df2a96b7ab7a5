"""Enter a hit on a tablet, where a table has no terminal: seat, bet, three cards, PIN."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from jackpots.models import MeterLink
from jackpots.services.jackpots import Entered, enter_jackpot, new_jackpot, to_correct
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.games import spoken
from pitboss.rules.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.jackpot_flows import JACKPOT
from pitboss.rules.jackpots import can_hit
from pitboss.rules.meters import MeterSource
from pitboss.rules.paytables import STAKES_CENTS
from pitboss.rules.refusal import Refused
from pitboss.rules.setting_kinds import Amount
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.services.table_changes import rules_in_force
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of

_FIELDS = ("seat", "wager", "stake", "card_1", "card_2", "up", "locked", "replaces")
_AMOUNT = Amount(1, 100_000_000_000)
_RANKS = "A23456789TJQK"
_SUITS = {"h": "♥", "d": "♦", "c": "♣", "s": "♠"}


@require_http_methods(["GET", "POST"])
@page("jackpot")
def jackpot_new(request: PitRequest, name: str) -> HttpResponse:
    """Key a hit; with ?look, see what it is and let the dealer sign."""
    table = get_object_or_404(Table.objects.select_related("pit"), name=name)
    given = request.POST if request.method == "POST" else request.GET
    keyed = {field: given.get(field, "")[:20] for field in _FIELDS}
    new: NewSlip | None = None
    refused: Refused | None = None
    if "look" in given:
        try:
            replaces = to_correct(keyed["replaces"], table)
            entered = _entered(given)
            new = new_jackpot(table, entered, replaces)
            if request.method == "POST":
                slip = enter_jackpot(
                    table=table,
                    entered=entered,
                    pen=pen_of(request),
                    shown=text(request.POST, "shown"),
                    replaces=replaces,
                )
                messages.success(request, f"{slip.serial} is pending. Call the supervisor.")
                return redirect("slip", serial=slip.serial)
        except Refused as error:
            refused = error
    return _render(request, table, keyed, new, refused)


def _entered(given: QueryDict) -> Entered:
    seat = given.get("seat", "")
    return Entered(
        seat=int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 3 else 0,
        wager=text(given, "wager"),
        player_cards=(text(given, "card_1"), text(given, "card_2")),
        dealer_cards=(text(given, "up"),),
        stake_cents=_cents(given, "stake"),
        locked_cents=_cents(given, "locked"),
    )


def _cents(given: QueryDict, name: str) -> int | None:
    return _AMOUNT.read(text(given, name)) if given.get(name, "").strip() else None


def _render(
    request: PitRequest,
    table: Table,
    keyed: dict[str, str],
    new: NewSlip | None,
    refused: Refused | None,
) -> HttpResponse:
    own = reverse("jackpot-new", args=[table.name])
    pad = None
    if new is not None:
        pad = pad_of(
            request,
            url=own,
            sentence=JACKPOT.steps[0].attests,
            button="Stop the meter",
            refused=refused,
            fields={**keyed, "look": "1"},
            shown=request_shown(new, table),
            refuse={"url": own, "label": "Key it again"},
        )
    offered = rules_in_force(table, request.house).side_bets
    bets = [wager for wager, bet in offered.items() if can_hit(bet.table(wager))]
    context: dict[str, Any] = {
        "heading": f"Jackpot at {table}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "table": table,
        "keyed": keyed,
        "seats": [str(seat) for seat in range(1, SEATS_AT_A_TABLE + 1)],
        "wagers": {wager: spoken(wager) for wager in bets},
        "asks_stake": any(len(STAKES_CENTS.get(wager, (0, 0))) != 1 for wager in bets),
        "asks_locked": MeterLink.objects.filter(
            table=table, until=None, meter__source=MeterSource.CONTROLLER.value
        ).exists(),
        "cards": [
            {"value": f"{rank}{suit}", "label": f"{rank.replace('T', '10')}{sign}"}
            for suit, sign in _SUITS.items()
            for rank in _RANKS
        ],
        "says": new.details["says"] if new else None,
        "about": new.details["about"] if new else "",
        "pad": pad,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "jackpots/enter.html", context, status=http_status(refused) if refused else 200
    )
