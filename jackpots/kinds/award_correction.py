"""A finished jackpot or big win put right: where it was paid from, how much, and its envy.

A supervisor or accounting proposes it and the cage manager approves. What the tray did not pay goes
back into it, and the other way; paid more than it was owed is a receivable, less is a liability.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Self

from django.db import models

from inventory.models import ChequeTransfer, Holder
from inventory.services.ledger import lock_public
from jackpots.models import JackpotPayment, TaxForm
from jackpots.selectors.jackpots import PAID_FROM, source_words
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.day.late_papers import LATE_WINS
from pitboss.rules.day.win import PayoutSource
from pitboss.rules.floor.fields import Cheques, Money, Pick
from pitboss.rules.flows.corrections import AWARD_CORRECTION as CORRECTION_OF_AN_AWARD
from pitboss.rules.flows.corrections import award_refusals, parted
from pitboss.rules.flows.flows import Readers
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import AWARD_LIABILITY, AWARD_RECEIVABLE, open_exception
from pitboss.services.journal import plain_time
from pitboss.services.shown import stored_cheques
from pitboss.slips.correcting import (
    CHECKED,
    CorrectionForm,
    Line,
    checked,
    cheque_lines,
    cheques_asked,
    correcting_kind,
    correction_page,
    days_of,
    declined_by,
    details_of,
    facts_of,
    is_correction,
    original_of,
    promises_of,
    refusals_of,
    root_of,
    steps_of,
)
from pitboss.slips.kind import Look, Raising
from tables.selectors.tray_past import count_that_saw, counts_of, place_in_tray
from tables.services.restated import day_at, restated_days, win_lines
from tables.services.restating import Since, post_restated


@dataclass(frozen=True, slots=True)
class _Award:
    """What was paid on a win: from where, how much, in which cheques, and the envy beside it."""

    source: PayoutSource
    paid_cents: int
    owed_cents: int
    envy_cents: int
    cheques: Mapping[int, int]

    @classmethod
    def of(cls, slip: Slip) -> Self:
        """Return what a win, or its newest correction, says was paid."""
        if is_correction(slip):
            now = slip.details["award"]
            cheques = {int(cents): count for cents, count in now["cheques"].items()}
            return cls(
                PayoutSource(now["source"]),
                now["paid_cents"],
                now["owed_cents"],
                now["envy_cents"],
                cheques,
            )
        payment = JackpotPayment.objects.select_related("jackpot").get(jackpot__slip=slip)
        moved = ChequeTransfer.objects.filter(slip=slip, source=Holder.TRAY)
        cheques = dict(moved.values_list("denomination_cents", "count"))
        return cls(
            PayoutSource(payment.source),
            payment.award_cents,
            payment.award_cents,
            payment.jackpot.envy_cents,
            cheques,
        )

    @property
    def stored(self) -> dict[str, Any]:
        return {
            "source": self.source.value,
            "paid_cents": self.paid_cents,
            "owed_cents": self.owed_cents,
            "envy_cents": self.envy_cents,
            "cheques": stored_cheques(self.cheques),
        }

    def paid_from(self, source: PayoutSource) -> int:
        """Return what left a place: of the tray its cheques, of another what the win is worth."""
        if source is not self.source:
            return 0
        return total_cents(self.cheques) if source is PayoutSource.TRAY else self.paid_cents


def _payment_of(root: Slip) -> JackpotPayment:
    return JackpotPayment.objects.select_related("jackpot").get(jackpot__slip=root)


def _table_of(slip: Slip) -> Table:
    assert slip.table is not None, "a win is of a table"
    return slip.table


def _now(raising: Raising) -> _Award:
    given, was = raising.given, _Award.of(original_of(raising))
    source = PayoutSource(given.get("source", was.source.value))
    cheques = dict(raising.cheques) if source is PayoutSource.TRAY else {}
    paid = given.get("paid", was.paid_cents)
    return _Award(
        source=source,
        paid_cents=paid,
        owed_cents=given.get("owed", was.owed_cents),
        envy_cents=given.get("envy", was.envy_cents),
        cheques=cheques,
    )


def _lines(was: _Award, now: _Award) -> list[Line]:
    lines = [
        ("Paid from", source_words(was.source.value), source_words(now.source.value)),
        ("Paid", format_money(was.paid_cents), format_money(now.paid_cents)),
        ("Owed", format_money(was.owed_cents), format_money(now.owed_cents)),
        ("Envy", format_money(was.envy_cents), format_money(now.envy_cents)),
    ]
    if was.cheques or now.cheques:
        lines += cheque_lines(was.cheques, now.cheques)
    return lines


def _drafted(raising: Raising) -> NewSlip:
    original = original_of(raising)
    root, table = root_of(original), _table_of(original)
    was, now = _Award.of(original), _now(raising)
    payment, place = _payment_of(root), place_in_tray(root)
    days = restated_days(table, root, place) if place is not None else [day_at(table, payment.at)]
    tray = now.paid_from(PayoutSource.TRAY) - was.paid_from(PayoutSource.TRAY)
    return NewSlip(
        raising.kind.kind,
        table.pk,
        {},
        original.pk,
        details={
            **details_of(raising, _lines(was, now), days, win_lines(table, dict.fromkeys(days, 0))),
            "about": f"{root.serial}, {format_money(now.paid_cents)}",
            "table_id": table.pk,
            "tray_place": place,
            "true_time": plain_time(payment.at),
            "was": was.stored,
            "award": now.stored,
            "figures": {"jackpots": tray} if tray else {},
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    was, now = _Award.of(original_of(raising)), _now(raising)
    root = root_of(original_of(raising))
    payment = _payment_of(root)
    return [
        *refusals_of(raising, _lines(was, now)),
        *award_refusals(
            from_tray=now.source is PayoutSource.TRAY,
            paid_cents=now.paid_cents - payment.withheld_cents,
            cheques_cents=total_cents(now.cheques),
        ),
    ]


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Put back what the tray did not pay, or take what it did; say what is owed either way."""
    checked(slip, signature, at)
    assert slip.refers_to is not None, "a correction is of a finished slip"
    table, root = _table_of(slip), root_of(slip)
    was, now = _Award.of(slip.refers_to), _Award.of(slip)
    lock_public()
    count = (
        count_that_saw(table, root)
        if root.kind in LATE_WINS or place_in_tray(root) is not None
        else counts_of(table).filter(at__gte=_payment_of(root).at).first()
    )
    since = Since(count)
    more, less = parted(was.cheques, now.cheques)
    rows = [
        *post_restated(
            slip, more, Holder.TRAY, Holder.PUBLIC, since=since, signature=signature, at=at
        ),
        *post_restated(
            slip, less, Holder.PUBLIC, Holder.TRAY, since=since, signature=signature, at=at
        ),
    ]
    _say_what_is_owed(slip, root, now, at)
    return rows


def _say_what_is_owed(slip: Slip, root: Slip, now: _Award, at: datetime) -> None:
    """Ask the cage manager after what was paid too much or too little."""
    off = now.paid_cents - now.owed_cents
    if off:
        amount = format_money(abs(off))
        says = [
            f"{slip.serial}: {root.serial} paid {amount} more than it owed. "
            "Collect it from the winner, and record how."
            if off > 0
            else f"{slip.serial}: {root.serial} paid {amount} less than it owed. "
            "Pay it to the winner, and record how."
        ]
        if TaxForm.objects.filter(jackpot__slip=root).exists():
            says.append("Then correct the tax form.")
        open_exception(
            code=AWARD_RECEIVABLE if off > 0 else AWARD_LIABILITY,
            sentence=" ".join(says),
            details={"amount_cents": off},
            at=at,
            person=None,
            table=slip.table,
            slip=slip,
        )


_FIELDS: Final = (
    Pick(name="source", label="Paid from", choices=PAID_FROM),
    Money(name="paid", label="Paid ($)", is_needed=False, may_be_none=True),
    Money(name="owed", label="Owed ($)", is_needed=False, may_be_none=True),
    Money(name="envy", label="Envy ($)", is_needed=False, may_be_none=True),
)


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    original = original_of(raising)
    was = _Award.of(original)
    correction_form = CorrectionForm(
        about=f"Cheques the tray paid, {original.table}",
        approves="The cage manager approves it.",
        lines=cheques_asked(was.cheques),
        fields=_FIELDS,
        values={
            "source": was.source.value,
            "paid": format_money(was.paid_cents),
            "owed": format_money(was.owed_cents),
            "envy": format_money(was.envy_cents),
        },
    )
    return correction_page(request, raising, refused, correction_form)


AWARD_CORRECTION = correcting_kind(
    CORRECTION_OF_AN_AWARD,
    title="Payout correction",
    open_to=SUPERVISING | {Role.ACCOUNTING},
    lit_by="board",
    refers_to=(JACKPOT, BIG_WIN, *sorted(LATE_WINS), CORRECTION_OF_AN_AWARD),
    asked=(*_FIELDS, Cheques(name="cheques", label="Cheques", is_needed=False)),
    facts=lambda raising: facts_of(days_of(raising)),
    refusals=_refusals,
    drafted=_drafted,
    steps=steps_of((Role.SUPERVISOR, Role.ACCOUNTING), Role.CAGE_MANAGER, at=None),
    void=declined_by(Role.CAGE_MANAGER, Role.SUPERVISOR, Role.ACCOUNTING),
    at_end="award_correction_posted",
    effects={CHECKED: checked, "award_correction_posted": _posted},
    # As its win, but for the terminal: a dealer has no part in it.
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | WATCHING | KEEPING_BOOKS | {Role.COMPLIANCE},
        frozenset({Place.CAGE}),
    ),
    promises=promises_of(Role.CAGE_MANAGER, departments=2),
    look=_look,
    raised=lambda slip: f"{slip.serial} proposed. The cage manager approves it.",
)
