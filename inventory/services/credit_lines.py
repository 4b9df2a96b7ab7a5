"""A patron's line: granted by two, stopped by one at once, restored by two."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models

from inventory.models import CreditLine, Patron, PatronDocument, PatronStanding
from inventory.selectors.credit import standing_of
from inventory.selectors.patrons import identity_documents, newest_document
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip
from pitboss.rules.cheques import format_money
from pitboss.rules.credit_line import AMOUNT_MAX_CENTS
from pitboss.rules.flows import Flow, SlipStatus
from pitboss.rules.patron_flows import CREDIT_LINE, CREDIT_RESTORE, CREDIT_STOP
from pitboss.rules.patrons import DocumentKind, Standing
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.journal import plain_time
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip, set_status


def new_line(
    patron: Patron, *, kind: CreditLine.Kind, amount_cents: int, holds_until: datetime | None = None
) -> NewSlip:
    """Return a line about to be proposed; it holds from when it is approved."""
    account = newest_document(patron, DocumentKind.BANK_ACCOUNT)
    says = [
        ["Patron", patron.full_name],
        ["Line", f"{format_money(amount_cents)}, {kind.value}"],
    ]
    if holds_until is not None:
        local = holds_until.astimezone(house.the_property().zone)
        says.append(["Ends", f"{local:%a %d %b %Y, %H:%M}"])
    says.append(["Bank", f"{account.issuer} …{account.number_ends}" if account else "none on file"])
    return NewSlip(
        CREDIT_LINE.kind,
        None,
        {},
        details={
            "about": f"{patron}, {format_money(amount_cents)}",
            "says": says,
            "patron": patron.pk,
            "line": kind.value,
            "amount_cents": amount_cents,
            "holds_until": plain_time(holds_until) if holds_until else None,
            "bank_account": account.pk if account else None,
        },
    )


def propose_line(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Propose a line for a patron, signed by the cage. Raises Refused."""
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(_line_refusals(new.details)),
        entry=Entry(reason=reason),
    )


def _line_refusals(details: Mapping[str, Any]) -> list[Refusal]:
    patron = lock_patron(details["patron"])
    now = house.now()
    refusals = [*_open_refusals(CREDIT_LINE, patron), *_ends_refusals(details, now)]
    if not 0 <= details["amount_cents"] <= AMOUNT_MAX_CENTS:
        refusals.append(Refusal("bad_amount", "A line is $0 or more. Key it again."))
    if not identity_documents(patron, house.period_at(now).gaming_day).exists():
        refusals.append(
            Refusal("no_identity", f"No valid ID of {patron} is on file. Add one first.")
        )
    if not patron.address_lines:
        refusals.append(Refusal("no_address", f"Key the address of {patron} first."))
    return refusals


def _ends_refusals(details: Mapping[str, Any], now: datetime) -> list[Refusal]:
    ends = _time(details["holds_until"])
    if details["line"] == CreditLine.Kind.PERMANENT:
        if ends is not None:
            return [Refusal("line_ends", "A permanent line has no end. Propose a temporary one.")]
        return []
    if ends is None or ends <= now:
        return [Refusal("line_ends", "Say until when a temporary line holds: a time ahead.")]
    return []


def _open_refusals(flow: Flow, patron: Patron) -> list[Refusal]:
    waiting = Slip.objects.filter(
        kind=flow.kind, status=SlipStatus.OPEN, details__patron=patron.pk
    ).first()
    if waiting is None:
        return []
    return [Refusal("already_proposed", f"{waiting} waits for {patron}. Sign or refuse it first.")]


@effect("credit_line_granted")
def _credit_line_granted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let an approved line hold. Raises Refused when its end has come meanwhile."""
    details = slip.details
    patron = lock_patron(details["patron"])
    ends = _time(details["holds_until"])
    if ends is not None and ends <= at:
        raise refuse("line_ends", "The end of this line is past. Refuse it, and propose another.")
    account = PatronDocument.objects.filter(pk=details["bank_account"]).first()
    return [
        CreditLine.objects.create(
            patron=patron,
            kind=details["line"],
            amount_cents=details["amount_cents"],
            holds_from=at,
            holds_until=ends,
            bank_account=account,
            slip=slip,
        )
    ]


def new_stop(patron: Patron, standing: Standing) -> NewSlip:
    """Return the stop of a patron's credit, about to be signed."""
    return _standing_slip(CREDIT_STOP, patron, standing)


def stop_credit(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Lend a patron nothing any more, from this signature on. Raises Refused."""

    def judge(_: object, __: object) -> Judgement:
        patron = lock_patron(new.details["patron"])
        refusals = _open_refusals(CREDIT_STOP, patron)
        if new.details["standing"] == Standing.CLEAR:
            refusals.append(Refusal("standing_unknown", "Say how the patron's credit is stopped."))
        if standing_of(patron) == new.details["standing"]:
            refusals.append(
                Refusal("nothing_changes", f"{patron} is {standing_of(patron).label} already.")
            )
        return Judgement(refusals)

    return raise_slip(new, pen=pen, shown=shown, judge=judge, entry=Entry(reason=reason))


def new_restore(patron: Patron) -> NewSlip:
    """Return the end of a stop, about to be proposed."""
    return _standing_slip(CREDIT_RESTORE, patron, Standing.CLEAR)


def restore_credit(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Propose that a patron may be lent to again. Raises Refused."""

    def judge(_: object, __: object) -> Judgement:
        patron = lock_patron(new.details["patron"])
        refusals = _open_refusals(CREDIT_RESTORE, patron)
        if standing_of(patron) == Standing.CLEAR:
            refusals.append(Refusal("nothing_changes", f"The credit of {patron} is not stopped."))
        return Judgement(refusals)

    return raise_slip(new, pen=pen, shown=shown, judge=judge, entry=Entry(reason=reason))


def _standing_slip(flow: Flow, patron: Patron, standing: Standing) -> NewSlip:
    return NewSlip(
        flow.kind,
        None,
        {},
        details={
            "about": f"{patron}, {standing.label}",
            "says": [["Patron", patron.full_name], ["From now on", standing.label]],
            "patron": patron.pk,
            "standing": standing.value,
        },
    )


@effect("credit_stopped")
def _credit_stopped(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [_stands(slip, Standing(slip.details["standing"]), at)]


@effect("credit_stop_taken_back")
def _stop_taken_back(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the patron stand as they stood before this stop."""
    lock_patron(slip.details["patron"])
    set_status(slip, SlipStatus.VOIDED)
    own = PatronStanding.objects.get(slip=slip)
    newest = PatronStanding.objects.filter(patron=own.patron_id).order_by("-id")[0]
    if newest.pk != own.pk:
        raise Refused(
            [Refusal("standing_changed", "Something newer stands on file. This stays as it is.")]
        )
    before = PatronStanding.objects.filter(patron=own.patron_id, pk__lt=own.pk).first()
    return [_stands(slip, Standing(before.standing) if before else Standing.CLEAR, at)]


@effect("credit_restored")
def _credit_restored(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [_stands(slip, Standing.CLEAR, at)]


def _stands(slip: Slip, standing: Standing, at: datetime) -> PatronStanding:
    patron = lock_patron(slip.details["patron"])
    return PatronStanding.objects.create(
        patron=patron, standing=standing.value, since=at, slip=slip
    )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
