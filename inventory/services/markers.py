"""Markers: lent at a table from a line that is reserved under the patron's lock, or voided."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from django.db import models

from inventory.models import Holder, Marker, MarkerEntry, MarkerMove, Patron
from inventory.selectors.cheques import tray_holding
from inventory.selectors.credit import credit_of, granted_lines, over_line_cents
from inventory.selectors.patrons import identity_documents, newest_document
from inventory.services.errands import closing_refusals
from inventory.services.ledger import move_cheques
from inventory.services.patrons import lock_patron
from pitboss.models import Person, Signature, Slip, Table
from pitboss.rules.buy_ins import PLENTY, cut_buy_in
from pitboss.rules.cheques import total_cents
from pitboss.rules.credit_line import (
    Credit,
    IssueFacts,
    amount_refusals,
    completion_refusals,
    issue_refusals,
)
from pitboss.rules.cutting import TrayShort
from pitboss.rules.flows import PlanFacts, SlipStatus
from pitboss.rules.marker_flows import MARKER
from pitboss.rules.patrons import DocumentKind
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.hands import matches_id
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip, set_status


def cut_of(table: Table, amount_cents: int) -> dict[int, int]:
    """Return the cheques of a marker, cut as a buy-in is. Raises Refused.

    The tray wins between counts, so the ledger's word is a wish: where it has too little, the cut
    is the house's guide, and the dealer who cannot make it says so before signing.
    """
    refusals = amount_refusals(amount_cents, {1: amount_cents})
    if refusals:
        raise Refused(refusals)
    options = house.settings_at(house.now()).cut_options
    for tray in (tray_holding(table), PLENTY):
        with suppress(TrayShort):
            cut = cut_buy_in(
                amount_cents=amount_cents,
                tray=tray,
                table_minimum_cents=table.minimum_cents,
                options=options,
            )
            return dict(cut.cheques)
    raise AssertionError("a tray that has plenty is never short")


def new_marker(
    table: Table,
    patron: Patron,
    cheques: Mapping[int, int],
    *,
    credit: Credit,
    asks_authority: bool = False,
) -> NewSlip:
    """Return a marker about to be issued, with the line as the supervisor is shown it."""
    amount_cents = total_cents(cheques)
    account = newest_document(patron, DocumentKind.BANK_ACCOUNT)
    return NewSlip(
        MARKER.kind,
        table.pk,
        cheques,
        details={
            "patron": patron.pk,
            "patron_name": patron.full_name,
            "player_card": patron.player_card,
            "bank": f"{account.issuer} …{account.number_ends}" if account else "",
            "amount_cents": amount_cents,
            "line_cents": credit.line_cents,
            "remaining_cents": credit.remaining_cents,
            "over_line_cents": credit.over_line_cents(amount_cents) if asks_authority else 0,
        },
    )


def issue_marker(new: NewSlip, *, pen: Pen, shown: str) -> Slip:
    """Issue a marker, signed by a supervisor, and reserve the patron's line. Raises Refused.

    Above the line it waits for somebody's authority; below, for the patron's own signature.
    """

    def judge(table: Table | None, _: object) -> Judgement:
        assert table is not None, "a marker is issued at a table"
        patron = lock_patron(new.details["patron"])
        return Judgement(
            marker_refusals(new, table, patron, pen.badge),
            PlanFacts(new.cheques, over_line=bool(new.details["over_line_cents"])),
        )

    return raise_slip(new, pen=pen, shown=shown, judge=judge)


def marker_refusals(new: NewSlip, table: Table, patron: Patron, badge: str) -> list[Refusal]:
    """Return why this marker may not be issued by whoever has this badge, now."""
    now = house.now()
    details = new.details
    credit = credit_of(patron, now)
    extender = Person.objects.filter(badge=badge).first()
    granting = [line.slip_id for line in granted_lines(patron, now).values()]
    facts = IssueFacts(
        patron=str(patron),
        credit=credit,
        amount_cents=details["amount_cents"],
        cheques=new.cheques,
        shown_remaining_cents=details["remaining_cents"],
        asks_authority=bool(details["over_line_cents"]),
        has_identity=identity_documents(patron, house.period_at(now).gaming_day).exists(),
        granted_by_extender=Signature.objects.filter(slip__in=granting, person=extender).exists(),
    )
    return [*closing_refusals(table), *issue_refusals(facts)]


@effect("line_reserved")
def _line_reserved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the amount off the line at once: no other pit can lend it while this one is signed."""
    patron = lock_patron(slip.details["patron"])
    credit = credit_of(patron, at)
    marker = Marker.objects.create(
        slip=slip,
        patron=patron,
        amount_cents=slip.total_cents,
        line_cents=credit.line_cents,
        over_line_cents=credit.over_line_cents(slip.total_cents),
        remaining_cents=max(0, credit.remaining_cents - slip.total_cents),
        issued_at=at,
    )
    return [marker, _entry(marker, MarkerMove.RESERVED, slip, at)]


@matches_id(MARKER.kind)
def _id_on_file(slip: Slip, document_id: int) -> str:
    """Return a valid ID of the marker's patron in words, or nothing when it is no such one."""
    today = house.period_at(house.now()).gaming_day
    patron = Patron.objects.get(pk=slip.details["patron"])
    document = identity_documents(patron, today).filter(pk=document_id).first()
    return str(document) if document else ""


@effect("marker_paid_out")
def _marker_paid_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Send the cheques to the patron, unless their credit was stopped or lowered meanwhile."""
    marker = marker_of(slip)
    patron = lock_patron(marker.patron_id)
    credit = credit_of(patron, at)
    refusals = completion_refusals(str(patron), credit, over_line_cents(patron))
    if refusals:
        raise Refused(refusals)
    transfers = move_cheques(
        slip=slip,
        cheques=slip.cheques_by_cents,
        source=Holder.TRAY,
        target=Holder.PUBLIC,
        at=at,
    )
    return [*transfers, _entry(marker, MarkerMove.ISSUED, slip, at)]


@effect("marker_voided")
def _marker_voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Give the line back. The number stays used, and so does the row: once."""
    marker = marker_of(slip)
    lock_patron(marker.patron_id)
    set_status(slip, SlipStatus.VOIDED)
    return [_entry(marker, MarkerMove.VOIDED, slip, at)]


def marker_of(slip: Slip) -> Marker:
    """Return the marker that a slip is. Raises Refused."""
    marker = Marker.objects.filter(slip=slip).select_related("slip__table__pit").first()
    if marker is None:
        raise refuse("unknown_marker", f"{slip.serial} is no marker. Look at the list again.")
    return marker


def _entry(marker: Marker, move: MarkerMove, slip: Slip, at: datetime) -> MarkerEntry:
    """Write what happened to a whole marker in the log of the pit that issued it.

    A marker belongs to the day on which it was asked for; a void to the day it is signed.
    """
    assert slip.table is not None, "a marker is issued at a table"
    day, shift = slip.gaming_day, slip.shift
    if move == MarkerMove.VOIDED:
        when = house.period_at(at)
        day, shift = when.gaming_day, when.shift
    return MarkerEntry.objects.create(
        marker=marker,
        move=move.value,
        amount_cents=marker.amount_cents,
        pit=slip.table.pit,
        table=slip.table,
        slip=slip,
        gaming_day=day,
        shift=shift,
        at=at,
    )
