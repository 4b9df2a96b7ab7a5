"""Another amount on a meter: for a listed reason, proposed by one person, approved by another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.db.models import Q

from jackpots.kinds.of_a_meter import (
    APPROVERS,
    PARTS,
    PROPOSERS,
    READERS,
    back_to_meter,
    meter_of,
    of_meter,
    pending_refusals,
    pending_words,
    refusal_kept,
    waiting_refusals,
)
from jackpots.models import JackpotPayment, Meter
from jackpots.selectors.meters import meter_now
from jackpots.services.figures import balance_of, lock_meter, write_changes
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Pick, Words
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Step
from pitboss.rules.flows.house_flows import REFUSED
from pitboss.rules.payouts.meters import ADJUSTING, MICROCENTS, Cause, Change, adjustment_refusals
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.rules.settings.kinds import Amount
from pitboss.selectors.pending import pending_jackpots
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id
from tables.models import Round

_AMOUNT: Final = Amount(100, 100_000_000_000)
_CAUSES: Final = {cause.value: cause.words for cause in (*ADJUSTING, Cause.POSTED)}


def _amount_read(raising: Raising) -> Raising:
    """Return the amount that was entered, in cents. Raises Refused."""
    return replace(
        raising, given={**raising.given, "after_cents": _AMOUNT.read(raising.given["amount"])}
    )


def _drafted_amount(raising: Raising) -> NewSlip:
    """Draft another amount of a meter."""
    meter, cause = meter_of(raising), Cause(raising.given["cause"])
    before, after = balance_of(meter).shown_cents, raising.given["after_cents"]
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{meter} to {format_money(after)}",
            "says": [
                ["Meter", meter.name],
                ["Shows", format_money(before)],
                ["Shall show", format_money(after)],
                ["Cause", cause.words],
            ],
            "meter": meter.pk,
            "cause": cause.value,
            "before_cents": before,
            "after_cents": after,
        },
    )


def _amount_refusals(details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    """Return why a meter may not be set to an amount now: every reason."""
    meter = lock_meter(details["meter"])
    refusals = adjustment_refusals(
        meter.terms(),
        cause=Cause(details["cause"]),
        before_cents=details["before_cents"],
        after_cents=details["after_cents"],
        last_posted_at=_last_posted_at(meter),
        last_won_at=_last_won_at(meter),
        mid_game=_mid_game(meter),
        now=house.now(),
    )
    if not meter.is_posted:
        refusals += pending_refusals(meter)
    return refusals + waiting_refusals(METER_ADJUSTMENT.kind, own, details__meter=meter.pk)


def _last_posted_at(meter: Meter) -> datetime | None:
    """Return when the house last changed a posted amount; its start is no change."""
    last = meter.entries.filter(cause=Cause.POSTED.value).order_by("-number").first()
    return last.at if last else None


def _last_won_at(meter: Meter) -> datetime | None:
    """Return when any posted jackpot of this bet at these tables was last paid.

    A win of one of them lets the house post all of them anew (Bet Bigger rules, line 81).
    """
    tables = meter.links.filter(until=None).values("table")
    together = Meter.objects.filter(
        wager=meter.wager, links__until=None, links__table__in=tables
    ).values("pk")
    won = Q(jackpot__freeze__meter=meter) | Q(jackpot__freeze__meter__in=together)
    paid = JackpotPayment.objects.filter(won).order_by("-at").first()
    return paid.at if paid else None


def _mid_game(meter: Meter) -> list[str]:
    """Return the tables of a meter at which a game is under way, or held open by a jackpot."""
    linked = set(meter.links.filter(until=None).values_list("table_id", flat=True))
    pending = {str(slip.table) for slip in pending_jackpots() if slip.table_id in linked}
    rounds = Round.objects.filter(table__in=linked, ended_at=None)
    return sorted(pending.union(rounds.values_list("table__name", flat=True)))


def _meter_adjusted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Move a meter by what two people agreed on; what wagers added meanwhile stays on it."""
    refusals = _amount_refusals(slip.details, own=slip)
    if refusals:
        raise Refused(refusals)
    meter = lock_meter(slip.details["meter"])
    cause = Cause(slip.details["cause"])
    amount = (slip.details["after_cents"] - slip.details["before_cents"]) * MICROCENTS
    if balance_of(meter).shown_microcents + amount < 0:
        raise refuse(
            "meter_below_nothing", "The meter now has less than that. Decline this change."
        )
    into_reserve = -amount if cause in (Cause.RESERVE, Cause.OVER_MAXIMUM) else 0
    return list(
        write_changes(
            meter,
            [Change(cause, amount, into_reserve)],
            slip=slip,
            gaming_day=house.period_at(at).gaming_day,
            at=at,
        )
    )


def _amount_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Show what a meter shows now, and ask what it shall show and why."""
    meter, given = meter_of(raising), request.POST if refused else request.GET
    causes = (Cause.POSTED,) if meter.is_posted else ADJUSTING
    return "jackpots/meter_amount.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "meter": meter,
        "now_shown": meter_now(meter),
        "keyed": {name: given.get(name, "") for name in ("amount", "cause")},
        "causes": {cause.value: cause.words for cause in causes},
    }


METER_ADJUSTMENT = Kind(
    "meter_adjustment",
    title="Meter amount",
    series="JA",
    open_to=frozenset({*PROPOSERS, Role.ACCOUNTING}),
    lit_by="jackpots",
    at_a_table=False,
    desk="meters",
    is_change=True,
    begins=of_meter,
    asked=(
        Words(name="amount", label="New amount ($)", most=20),
        Pick(name="cause", label="Cause", choices=_CAUSES),
    ),
    becomes=_amount_read,
    drafted=_drafted_amount,
    refusals=lambda raising: _amount_refusals(raising.new().details),
    when_refused=refusal_kept,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=(*PROPOSERS, Role.ACCOUNTING),
            at=None,
            needs_reason=True,
            attests="I propose this amount for the meter, for the reason shown.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=APPROVERS,
            at=None,
            why=BY_ANOTHER,
            attests="I investigated the reason and approve this amount for the meter.",
            then="meter_adjusted",
        ),
    ),
    void=REFUSED,
    effects={"meter_adjusted": _meter_adjusted},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=Form(parts=PARTS, shows=Shows.FACTS, caption="Meters"),
    look=_amount_look,
    review=lambda raising, new: {
        "note": {
            "tone": "info",
            "bold": "What is wagered until it is approved stays on the meter.",
            "text": "",
        }
    },
    heading=lambda raising: f"Amount of {raising.given['meter']}",
    back=back_to_meter,
    raised=pending_words,
)
