"""What a patron may owe, and does: sums over the ledger of markers, read under their lock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse

from inventory.models import (
    CreditLine,
    Marker,
    MarkerEntry,
    MarkerMove,
    Patron,
    PatronStanding,
)
from inventory.selectors.deposits import uncleared_cents
from pitboss.models import Pit
from pitboss.rules.patrons.credit_line import Credit, LineGranted, Owed, line_cents
from pitboss.rules.patrons.patrons import Standing
from pitboss.services import house

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

_TAKES = [MarkerMove.VOIDED, MarkerMove.PAID]


def granted_lines(patron: Patron, now: datetime) -> dict[str, CreditLine]:
    """Return the newest line of each kind that has begun."""
    lines = (
        CreditLine.objects.filter(patron=patron, holds_from__lte=now)
        .order_by("kind", "-id")
        .distinct("kind")
        .select_related("slip", "bank_account")
    )
    return {line.kind: line for line in lines}


def credit_of(patron: Patron, now: datetime) -> Credit:
    """Return what a patron may owe and owes. Lock them first, where it decides something."""
    lines = granted_lines(patron, now)
    sums = MarkerEntry.objects.filter(marker__patron=patron).aggregate(
        reserved=_sum(MarkerMove.RESERVED),
        issued=_sum(MarkerMove.ISSUED),
        voided=_sum(MarkerMove.VOIDED),
        paid=_sum(MarkerMove.PAID),
        returned=_sum(MarkerMove.RETURNED),
    )
    return Credit(
        line_cents=line_cents(
            _granted(lines.get(CreditLine.Kind.PERMANENT)),
            _granted(lines.get(CreditLine.Kind.TEMPORARY)),
            now,
        ),
        outstanding_cents=sums["issued"] - sums["paid"] + sums["returned"],
        reserved_cents=sums["reserved"] - sums["issued"] - sums["voided"],
        standing=standing_of(patron),
        uncleared_cents=uncleared_cents(patron, now),
    )


def over_line_cents(patron: Patron) -> int:
    """Return by how much the patron's markers pass the line on somebody's authority."""
    markers = with_balance(Marker.objects.filter(patron=patron, over_line_cents__gt=0))
    return sum(min(marker.over_line_cents, marker.balance_cents) for marker in markers)


def standing_of(patron: Patron) -> Standing:
    """Return whether a patron may be lent to: what the newest row says."""
    newest = PatronStanding.objects.filter(patron=patron).order_by("-id").first()
    return Standing(newest.standing) if newest else Standing.CLEAR


def _granted(line: CreditLine | None) -> LineGranted | None:
    if line is None:
        return None
    return LineGranted(line.amount_cents, line.holds_from, line.holds_until)


def _sum(move: MarkerMove) -> Coalesce:
    return Coalesce(Sum("amount_cents", filter=Q(move=move)), 0)


class _Reckoned(TypedDict):
    """What is annotated to a marker."""

    balance_cents: int
    out_since: datetime | None
    last_move: str | None
    recalled_to: int | None


def with_balance(markers: QuerySet[Marker]) -> QuerySet[WithAnnotations[Marker, _Reckoned]]:
    """Annotate markers with what is owed on each, whether it is out, and where its original is."""
    entries = MarkerEntry.objects.filter(marker=OuterRef("pk")).order_by()
    taken = entries.filter(move__in=_TAKES).values("marker").annotate(sum=Sum("amount_cents"))
    back = (
        entries.filter(move=MarkerMove.RETURNED).values("marker").annotate(sum=Sum("amount_cents"))
    )
    moved = entries.filter(move__in=[MarkerMove.TO_CAGE, MarkerMove.TO_PIT]).order_by("-id")
    return markers.annotate(
        balance_cents=F("amount_cents")
        - Coalesce(Subquery(taken.values("sum")), 0)
        + Coalesce(Subquery(back.values("sum")), 0),
        out_since=Subquery(entries.filter(move=MarkerMove.ISSUED).values("at")[:1]),
        last_move=Subquery(moved.values("move")[:1]),
        recalled_to=Subquery(moved.values("pit")[:1]),
    )


@dataclass(frozen=True, slots=True)
class Outstanding:
    """One marker whose cheques are out and not all paid back."""

    marker: Marker
    balance_cents: int
    pit: Pit
    at_cage: bool
    # Gaming days since it was issued.
    age_days: int

    @property
    def where(self) -> str:
        return "cage" if self.at_cage else str(self.pit)

    @property
    def owed(self) -> Owed:
        slip = self.marker.slip
        return Owed(
            self.marker.pk, slip.serial, self.balance_cents, slip.gaming_day, self.marker.pk
        )


def outstanding(today: date, patron: Patron | None = None) -> list[Outstanding]:
    """Return every marker that is owed on, newest first. Two queries."""
    markers = with_balance(Marker.objects.exclude(entries__move=MarkerMove.VOIDED)).filter(
        balance_cents__gt=0, out_since__isnull=False
    )
    if patron is not None:
        markers = markers.filter(patron=patron)
    pits = {pit.pk: pit for pit in Pit.objects.all()}
    return [
        _outstanding(marker, pits, today)
        for marker in markers.select_related("slip__table__pit", "patron").order_by("-id")
    ]


def _outstanding(
    marker: WithAnnotations[Marker, _Reckoned], pits: Mapping[int, Pit], today: date
) -> Outstanding:
    assert marker.slip.table is not None, "a marker is issued at a table"
    pit = pits[marker.recalled_to] if marker.recalled_to else marker.slip.table.pit
    return Outstanding(
        marker=marker,
        balance_cents=marker.balance_cents,
        pit=pit,
        at_cage=marker.last_move == MarkerMove.TO_CAGE,
        age_days=(today - marker.slip.gaming_day).days,
    )


def markers_to_sign(patron: Patron) -> QuerySet[Marker]:
    """Return the patron's markers that reserve the line and are not yet paid out."""
    ended = [MarkerMove.ISSUED, MarkerMove.VOIDED]
    return Marker.objects.filter(patron=patron).exclude(entries__move__in=ended)


@dataclass(frozen=True, slots=True)
class Pile:
    """Markers that belong together: of a pit, of a patron, of an age."""

    name: str
    count: int
    balance_cents: int


# How old a marker is, from this many gaming days on; the last bank draft takes about a month.
AGES = ((0, "today"), (1, "1 to 7 days"), (8, "8 to 30 days"), (31, "over 30 days"))


def piles(markers: Iterable[Outstanding]) -> dict[str, list[Pile]]:
    """Return what is outstanding by place, by patron and by age, the largest first."""
    markers = list(markers)
    by_age = _piled((_age_of(each.age_days), each) for each in markers)
    order = [name for _, name in AGES]
    return {
        "place": _largest_first(_piled((each.where, each) for each in markers)),
        "patron": _largest_first(_piled((str(each.marker.patron), each) for each in markers)),
        "age": sorted(by_age, key=lambda pile: order.index(pile.name)),
    }


def _age_of(days: int) -> str:
    return [name for least, name in AGES if days >= least][-1] if days >= 0 else AGES[0][1]


def _piled(named: Iterable[tuple[str, Outstanding]]) -> list[Pile]:
    sums: dict[str, list[int]] = {}
    for name, each in named:
        pile = sums.setdefault(name, [0, 0])
        pile[0] += 1
        pile[1] += each.balance_cents
    return [Pile(name, count, cents) for name, (count, cents) in sums.items()]


def _largest_first(found: list[Pile]) -> list[Pile]:
    return sorted(found, key=lambda pile: (-pile.balance_cents, pile.name))


def found_of(patron: Patron) -> dict[str, Any]:
    """Return a patron as lists and panels show them."""
    credit = credit_of(patron, house.now())
    return {
        "patron": patron,
        "credit": credit,
        "is_clear": credit.standing == Standing.CLEAR,
        "standing": credit.standing.label,
        "url": reverse("patron", args=[patron.pk]),
    }
