"""Keep a win apart that is not paid to someone on a list, and see what becomes of it."""

from __future__ import annotations

from datetime import datetime

from django.db import models

from jackpots.models import Jackpot, WithheldEnd, WithheldWin
from jackpots.services.hits import newest_figure
from jackpots.services.tax_papers import close_due
from jackpots.services.winners import confirmed_case
from pitboss.models import Person, Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.exclusion import Ending, ListKind, ending_refusals
from pitboss.rules.refusal import Refusal
from pitboss.services import house
from pitboss.services.standing import end_waits, set_status


def withhold(slip: Slip, receipt: Slip, person: Person, at: datetime) -> list[models.Model]:
    """End a win as withheld: it has left its meter or table and lies apart, and pays no one."""
    jackpot = Jackpot.objects.get(slip=slip)
    case = confirmed_case(slip)
    assert case is not None, "a win is withheld by a case that was confirmed"
    case.require_seal()
    set_status(slip, SlipStatus.WITHHELD)
    end_waits(slip, at)
    close_due(slip, person, f"Withheld on {receipt.serial}.", at)
    return [
        WithheldWin.objects.create(
            jackpot=jackpot,
            case=case,
            amount_cents=newest_figure(jackpot).award_cents,
            slip=receipt,
            gaming_day=house.period_at(at).gaming_day,
            at=at,
        )
    ]


def ending_of(withheld: WithheldWin, ending: Ending, to: str) -> list[Refusal]:
    """Return why withheld winnings may not end so."""
    if WithheldEnd.objects.filter(withheld=withheld).exists():
        return [
            Refusal(
                "already_ended", "These winnings already have an outcome. Nothing more is needed."
            )
        ]
    return ending_refusals(ListKind(withheld.case.row.list), ending, to)


def in_the_place() -> models.QuerySet[WithheldWin]:
    """Return what lies in the place called withheld, oldest first, what is blocked too."""
    return (
        WithheldWin.objects.exclude(end__ending__in=[Ending.FORFEITED, Ending.RETURNED])
        .select_related("jackpot__slip__table", "case__patron", "case__row", "slip")
        .order_by("pk")
    )
