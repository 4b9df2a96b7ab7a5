"""Markers as checks: what is due, at the bank, returned and in collection, and how old it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Max, Q, Sum

from inventory.models import (
    GIVES_BACK,
    LENDS,
    TAKES,
    CheckDeposit,
    CollectionContact,
    CreditLine,
    Marker,
    MarkerEntry,
    MarkerMove,
    Patron,
    PaymentInstrument,
)
from inventory.selectors.credit import Outstanding, dated_on, outstanding
from inventory.selectors.deposits import due_day, standing_instruments
from inventory.selectors.patrons import account_of
from pitboss.models import Signature
from pitboss.rules.patrons.checks import Check
from pitboss.rules.patrons.payment_means import Means

# The step that put a marker, or a check that replaced others, into the world.
_OFFICER_STEPS = ("issued", "consolidated")


@dataclass(frozen=True, slots=True)
class CheckOwed:
    """One check that the house has, or has the debt of: a marker, or one that paid markers."""

    check: Check
    patron: Patron
    # What of which marker it is worth.
    parts: tuple[tuple[int, str, int], ...]
    marker: Marker | None = None
    instrument: PaymentInstrument | None = None
    # Who issued it.
    officer: str = ""
    where: str = "cage"

    @property
    def serial(self) -> str:
        return self.check.serial


def due_of(marker: Marker) -> date:
    """Return the last day to deposit a marker, as it was issued."""
    slip = marker.slip
    if told := slip.details.get("due_on"):
        return date.fromisoformat(told)
    # Of an earlier release, or of a correction: by what it is for.
    return due_day(marker.amount_cents, dated_on(marker), slip.raised_at)


def checks_owed(
    today: date, patron: Patron | None = None, *, until: date | None = None
) -> list[CheckOwed]:
    """Return every marker that is owed on as a check, the one that is due first first."""
    found = outstanding(today, patron, until=until)
    history = _histories([item.marker.pk for item in found], until)
    contacted = _contacted({item.marker.patron_id for item in found}, until)
    officers = _officers([item.marker.slip_id for item in found])
    nothing = _History()
    checks = []
    for item in found:
        past = history.get(item.marker.pk, nothing)
        last = contacted.get(item.marker.patron_id)
        checks.append(_owed(item, past, last, officers.get(item.marker.slip_id, "")))
    return sorted(checks, key=lambda check: (check.check.due_on, check.check.serial))


@dataclass(slots=True)
class _History:
    """How often a marker went to the bank and came back, and when last."""

    deposits: int = 0
    returns: int = 0
    is_replaced: bool = False
    returned_at: datetime | None = None


def _histories(markers: Sequence[int], until: date | None) -> dict[int, _History]:
    moves = [MarkerMove.DEPOSITED, MarkerMove.RETURNED]
    rows = MarkerEntry.objects.filter(marker__in=markers, move__in=moves).order_by("id")
    if until is not None:
        rows = rows.filter(gaming_day__lte=until)
    found: dict[int, _History] = {}
    for marker_id, move, at in rows.values_list("marker_id", "move", "at"):
        past = found.setdefault(marker_id, _History())
        if move == MarkerMove.DEPOSITED:
            past.deposits += 1
            continue
        if past.deposits == past.returns:
            # It was not at the bank itself: a check that had paid it was, in its place.
            past.is_replaced = True
            past.deposits += 1
        past.returns += 1
        past.returned_at = at
    return found


def _contacted(patrons: Iterable[int], until: date | None) -> dict[int, datetime]:
    rows = CollectionContact.objects.filter(patron__in=patrons)
    if until is not None:
        rows = rows.filter(at__date__lte=until)
    return dict(rows.values_list("patron").annotate(last=Max("at")).order_by())


def _officers(slips: Sequence[int]) -> dict[int, str]:
    rows = Signature.objects.filter(slip__in=slips, step__in=_OFFICER_STEPS, track="main")
    return {row.slip_id: str(row.person) for row in rows.select_related("person")}


def _owed(each: Outstanding, past: _History, contacted: datetime | None, officer: str) -> CheckOwed:
    slip = each.marker.slip
    is_contacted = bool(contacted and past.returned_at and contacted > past.returned_at)
    check = Check(
        serial=slip.serial,
        balance_cents=each.balance_cents,
        dated=dated_on(each.marker),
        due_on=due_of(each.marker),
        deposits=past.deposits,
        returns=past.returns,
        is_contacted=is_contacted,
        at_cage=each.at_cage,
        has_bank=_names_bank(each.marker),
        is_replaced=past.is_replaced,
    )
    parts = ((each.marker.pk, slip.serial, each.balance_cents),)
    return CheckOwed(
        check, each.marker.patron, parts, each.marker, officer=officer, where=each.where
    )


def _names_bank(marker: Marker) -> bool:
    """Tell whether a bank takes a marker; the paper of a corrected one is the patron's own."""
    told = marker.slip.details.get("bank")
    if told is not None:
        return bool(told)
    return account_of(marker.patron) is not None


def personal_checks(patron: Patron | None = None) -> list[CheckOwed]:
    """Return the personal checks that paid markers and are not at the bank: new, or returned."""
    rows = standing_instruments().filter(means=Means.PERSONAL_CHECK.value)
    if patron is not None:
        rows = rows.filter(patron=patron)
    # At the bank for the first time, or for the second and last.
    rows = rows.exclude(returned=None, bank_deposits__attempt=1).exclude(bank_deposits__attempt=2)
    found = list(rows.select_related("slip", "patron", "returned").distinct().order_by("id"))
    markers = Marker.objects.select_related("slip").in_bulk(
        {
            marker_id
            for payment_instrument in found
            for marker_id, _, _ in payment_instrument.slip.details["parts"]
        }
    )
    owed = {
        item.marker.pk: item.balance_cents
        for item in outstanding(date.min, patron)
        if item.marker.pk in markers
    }
    checks = [_paid_by(payment_instrument, markers, owed) for payment_instrument in found]
    return [check for check in checks if check is not None]


def _paid_by(
    instrument: PaymentInstrument, markers: Mapping[int, Marker], owed: Mapping[int, int]
) -> CheckOwed | None:
    parts = tuple((pk, serial, cents) for pk, serial, cents in instrument.slip.details["parts"])
    is_back = hasattr(instrument, "returned")
    if is_back and any(owed.get(pk, 0) < cents for pk, _, cents in parts):
        # Paid otherwise since: no one deposits it again.
        return None
    check = Check(
        serial=instrument.slip.serial,
        balance_cents=instrument.amount_cents,
        dated=instrument.slip.gaming_day,
        # It keeps the due day of what it replaced.
        due_on=min(due_of(markers[pk]) for pk, _, _ in parts),
        deposits=int(is_back),
        returns=int(is_back),
    )
    return CheckOwed(check, instrument.patron, parts, instrument=instrument)


def checks_at_hand(today: date, patron: Patron | None = None) -> list[CheckOwed]:
    """Return everything that could go to the bank or that a bank would not take, due first."""
    checks = [*checks_owed(today, patron), *personal_checks(patron)]
    return sorted(checks, key=lambda check: (check.check.due_on, check.check.serial))


def at_the_bank(deposits: Mapping[str, Any] | None = None) -> list[CheckDeposit]:
    """Return the checks of batches that did not come back, newest first."""
    rows = CheckDeposit.objects.filter(returned=None, **(deposits or {}))
    rows = rows.exclude(attempt=1, instrument__returned__isnull=False)
    return list(
        rows.select_related("marker__slip", "instrument__slip", "patron", "slip").order_by("-id")
    )


def serial_of(deposit: CheckDeposit) -> str:
    """Return the number by which a check that went to the bank is known."""
    paper = deposit.marker or deposit.instrument
    assert paper is not None, "a deposit is of one check"
    return paper.slip.serial


def parts_of(deposit: CheckDeposit) -> list[list[Any]]:
    """Return what of which marker a check that went to the bank was worth."""
    if deposit.marker is not None:
        return [[deposit.marker_id, serial_of(deposit), deposit.amount_cents]]
    assert deposit.instrument is not None, "a deposit is of one check"
    parts: list[list[Any]] = deposit.instrument.slip.details["parts"]
    return parts


def ledger_cents(until: date | None = None) -> int:
    """Return what all patrons owe, by the sums of the ledger alone. One query."""
    rows = MarkerEntry.objects.all()
    if until is not None:
        rows = rows.filter(gaming_day__lte=until)
    sums: Counter[str] = Counter()
    for move, cents in rows.values_list("move").annotate(sum=Sum("amount_cents")).order_by():
        sums[move] += cents
    taken = sum(sums[move] for move in TAKES if move is not MarkerMove.VOIDED)
    return sum(sums[m] for m in LENDS) - taken + sum(sums[m] for m in GIVES_BACK)


def written_off(
    until: date | None = None, patron: Patron | None = None
) -> list[tuple[Marker, int, int]]:
    """Return each marker of which something was written off: how much, and what was recovered."""
    asked = Q()
    if until is not None:
        asked &= Q(gaming_day__lte=until)
    if patron is not None:
        asked &= Q(marker__patron=patron)
    sums: dict[int, Counter[str]] = {}
    moves = [MarkerMove.WRITTEN_OFF, MarkerMove.RECOVERED]
    rows = MarkerEntry.objects.filter(asked, move__in=moves).values_list("marker", "move")
    for marker_id, move, cents in rows.annotate(sum=Sum("amount_cents")).order_by():
        sums.setdefault(marker_id, Counter())[move] += cents
    markers = Marker.objects.filter(pk__in=sums).select_related("slip", "patron").order_by("id")
    return [
        (marker, sums[marker.pk][MarkerMove.WRITTEN_OFF], sums[marker.pk][MarkerMove.RECOVERED])
        for marker in markers
    ]


def involved_in(marker: Marker) -> frozenset[int]:
    """Return everyone who granted, issued or collected the credit of a marker."""
    markers = {marker.pk, *(pk for pk, _, _ in marker.slip.details.get("replaced", ()))}
    slips = [
        *Marker.objects.filter(pk__in=markers).values_list("slip", flat=True),
        *CreditLine.objects.filter(
            patron=marker.patron_id, holds_from__lte=marker.issued_at
        ).values_list("slip", flat=True),
    ]
    signed = Signature.objects.filter(slip__in=slips).values_list("person", flat=True)
    collected = CollectionContact.objects.filter(patron=marker.patron_id)
    return frozenset(signed) | frozenset(collected.values_list("made_by", flat=True))


def last_paid_on(patron: Patron) -> date | None:
    """Return the day on which a patron last paid something on a marker."""
    rows = MarkerEntry.objects.filter(marker__patron=patron, move=MarkerMove.PAID)
    day: date | None = rows.aggregate(day=Max("gaming_day"))["day"]
    return day
