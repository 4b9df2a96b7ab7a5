"""What if? A supervisor asks for a verdict, now or as the rules stood then. Nothing is stored."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.games.eligibility import RAISE_MULTIPLE_MAX
from pitboss.rules.games.games import TableRules, spoken
from pitboss.rules.games.tracked import module_of
from pitboss.rules.payouts.check import PayoutVerdict, TableTerms, Verdict
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.settings.kinds import Amount
from pitboss.rules.wagers.bet_bigger import SPOTS
from pitboss.rules.wagers.played import HAND, played_extra
from pitboss.selectors.table_rules import rules_in_force
from pitboss.slips.addresses import row_id
from tables.services.checks import what_if

_MONEY = Amount(0, 10_000_000_000)
_SAYS = {
    Verdict.RIGHT: ("open", "Right"),
    Verdict.OVERPAID: ("bad", "Overpaid"),
    Verdict.UNDERPAID: ("bad", "Underpaid"),
    Verdict.CANNOT_VERIFY: ("wait", "Cannot verify"),
}


@require_GET
@page("what_if")
def asked(request: PitRequest, name: str) -> HttpResponse:
    """Show the form, and the verdict on what was asked; the address says all of it."""
    table = get_object_or_404(Table.objects.select_related("pit"), name=name)
    context: dict[str, Any] = {
        "heading": f"What if, at {table}",
        "back": {"url": reverse("table", args=[name]), "label": table.name},
        "url": reverse("what-if", args=[name]),
        "keyed": request.GET,
    }
    status = 200
    try:
        rules = rules_in_force(table, request.house)
        context["wagers"] = _wagers(request, rules)
        context |= _module(request.GET, rules)
        context |= _plays(request.GET, {wager["value"] for wager in context["wagers"]})
        if request.GET.get("wager"):
            verdict = what_if(table=table, keyed=_claim(request.GET), at=_at(request.GET))
            context["found"] = _found(verdict)
    except Refused as refused:
        context["refusals"], status = refused.refusals, http_status(refused)
    return render(request, "tables/what_if.html", context, status=status)


def _module(keyed: QueryDict, rules: TableRules) -> dict[str, Any]:
    """Return what is asked of the bets of a game that is a module, in place of plays."""
    module = module_of(rules)
    if module is None:
        return {}
    return {
        "bets": [
            {
                "value": bet_rule.id,
                "label": bet_rule.name,
                "is_chosen": bet_rule.id == keyed.get("bet"),
            }
            for bet_rule in module.offered(rules.blackjack_pays)
        ],
        "has_result": "result" in module.asks,
    }


def _wagers(request: PitRequest, rules: TableRules) -> list[dict[str, Any]]:
    terms = TableTerms.of(rules)
    chosen = request.GET.get("wager")
    return [
        {"value": wager, "label": spoken(wager), "is_chosen": wager == chosen}
        for wager in terms.paytables
    ]


def _plays(keyed: QueryDict, wagers: Collection[str]) -> dict[str, Any]:
    """Return what can be said of how a hand was played, for the wagers of the table."""
    spots = {spot: f"{spot} spot" for spot in SPOTS} if "bet_bigger" in wagers else {}
    played, times = keyed.getlist("played"), keyed.get("raise", "")
    raises = range(1, RAISE_MULTIPLE_MAX + 1) if "raise_the_roof" in wagers else ()
    return {
        "plays": [
            {"value": value, "label": label, "is_chosen": value in played}
            for value, label in {**spots, **HAND}.items()
        ],
        "raises": [{"value": item, "is_chosen": str(item) == times} for item in raises],
    }


def _raise_times(keyed: QueryDict) -> int:
    times = keyed.get("raise", "")
    return int(times) if times.isascii() and times.isdigit() and len(times) == 1 else 0


def _claim(keyed: QueryDict) -> dict[str, Any]:
    """Return what was keyed as a terminal would send it. Raises Refused."""
    dealer = keyed.get("dealer_cards", "").split()
    wager, stake_cents = keyed.get("wager", ""), _MONEY.read(keyed.get("stake", "")) or 0
    claim: dict[str, Any] = {
        "wager": wager,
        "stake_cents": stake_cents,
        "paid_cents": _MONEY.read(keyed.get("paid", "") or "0"),
        "player_cards": [_card(part) for part in keyed.get("player_cards", "").split()],
    }
    if seat := keyed.get("seat", ""):
        claim["seat"] = row_id(seat) or 0
    if len(dealer) == 1:
        claim["dealer_up"] = _card(dealer[0])
    elif dealer:
        claim["dealer_cards"] = [_card(item) for item in dealer]
    extra = played_extra(
        wager, stake_cents, played=keyed.getlist("played"), raise_times=_raise_times(keyed)
    )
    if keyed.get("bet"):
        extra = _bet(keyed)
    if extra:
        claim["extra"] = extra
    return claim


def _bet(keyed: QueryDict) -> dict[str, Any]:
    """Return the bet of a game that is a module, with what it names."""
    fields: dict[str, Any] = {"bet": keyed["bet"]}
    if numbers := keyed.get("numbers", "").replace(",", " ").split():
        fields["numbers"] = numbers
    if which := row_id(keyed.get("which", "")):
        fields["which"] = which
    if result := keyed.get("result", "").strip():
        fields["result"] = result
    return fields


def _card(keyed: str) -> str:
    """Return a card as the rules write it, whatever case it was keyed in: 10h and TH are Th."""
    keyed = keyed.replace("10", "T")
    return f"{keyed[:1].upper()}{keyed[1:].lower()}"


def _at(keyed: QueryDict) -> Any:
    written = keyed.get("at", "")
    if not written:
        return None
    try:
        at = parse_datetime(written)
    except ValueError:
        at = None
    if at is None:
        raise refuse("bad_time", "Enter a day and a time, or leave it blank for now.")
    return at if at.tzinfo else timezone.make_aware(at)


def _found(verdict: PayoutVerdict) -> dict[str, Any]:
    kind, word = _SAYS[verdict.verdict]
    difference_cents = verdict.difference_cents
    if difference_cents:
        word = f"{word} by {format_money(abs(difference_cents))}"
    cheques = verdict.cut.cheques if verdict.cut else {}
    return {
        "kind": kind,
        "word": word,
        "verdict": verdict,
        "rule": verdict.settlement.rule if verdict.settlement else "",
        "lines": [
            {
                "cents": cents,
                "count": count,
                "amount_cents": worth_of(cents) * count,
                "counted": None,
            }
            for cents, count in cheques.items()
        ],
        "total_cents": total_cents(cheques),
        "total_count": sum(cheques.values()),
    }
