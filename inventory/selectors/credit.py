"""What a patron may owe, and does: sums over the ledger of markers, read under their lock."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse

from inventory.models import (
    GIVES_BACK,
    LENDS,
    TAKES,
    CreditLine,
    Marker,
    MarkerEntry,
    MarkerMove,
    Patron,
    PatronStanding,
)
from inventory.selectors.deposits import uncleared_cents
from inventory.selectors.patrons import files_of
from pitboss.models import Pit, Slip
from pitboss.rules.flows.corrections import MARKER_CORRECTION, PAYMENT_CORRECTION
from pitboss.rules.patrons.credit_line import Credit, LineGranted, Owed, line_cents
from pitboss.rules.patrons.patrons import Standing
from pitboss.services import house

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

# Where an original is: the cage keeps a check that replaced others.
_MOVES = (MarkerMove.TO_CAGE, MarkerMove.TO_PIT, MarkerMove.REPLACES)


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
        lent=_sum(*LENDS),
        taken=_sum(*(move for move in TAKES if move is not MarkerMove.VOIDED)),
        returned=_sum(*GIVES_BACK),
    )
    return Credit(
        line_cents=line_cents(
            _granted(lines.get(CreditLine.Kind.PERMANENT)),
            _granted(lines.get(CreditLine.Kind.TEMPORARY)),
            now,
        ),
        outstanding_cents=sums["lent"] - sums["taken"] + sums["returned"],
        reserved_cents=sums["reserved"] - sums["issued"] - sums["voided"],
        standing=standing_of(patron),
        uncleared_cents=uncleared_cents(patron, now),
    )


def over_line_cents(patron: Patron) -> int:
    """Return by how much the patron's markers pass the line on someone's authority."""
    markers = with_balance(Marker.objects.filter(patron=patron, over_line_cents__gt=0))
    return sum(min(marker.over_line_cents, marker.balance_cents) for marker in markers)


def standing_of(patron: Patron) -> Standing:
    """Return whether a patron may be lent to: what the newest row says.

    Anyone who is self-excluded on one file is so on all of them.
    """
    rows = PatronStanding.objects.filter(patron__in=files_of(patron.pk))
    newest = rows.order_by("patron_id", "-id").distinct("patron_id")
    standings = {row.patron_id: Standing(row.standing) for row in newest}
    if Standing.SELF_EXCLUDED in standings.values():
        return Standing.SELF_EXCLUDED
    return standings.get(patron.pk, Standing.CLEAR)


def _granted(line: CreditLine | None) -> LineGranted | None:
    if line is None:
        return None
    return LineGranted(line.amount_cents, line.holds_from, line.holds_until)


def _sum(*moves: MarkerMove) -> Coalesce:
    return Coalesce(Sum("amount_cents", filter=Q(move__in=moves)), 0)


class _Reckoned(TypedDict):
    """What is annotated to a marker."""

    balance_cents: int
    out_since: datetime | None
    last_move: str | None
    recalled_to: int | None


if TYPE_CHECKING:
    WithBalance = WithAnnotations[Marker, _Reckoned]


def with_balance(
    markers: QuerySet[Marker], until: date | None = None
) -> QuerySet[WithAnnotations[Marker, _Reckoned]]:
    """Annotate markers with what is owed on each, whether it is out, and where its original is.

    `until` is the last gaming day that counts; none for as it is now.
    """
    entries = MarkerEntry.objects.filter(marker=OuterRef("pk")).order_by()
    if until is not None:
        entries = entries.filter(gaming_day__lte=until)
    taken = entries.filter(move__in=TAKES).values("marker").annotate(sum=Sum("amount_cents"))
    back = entries.filter(move__in=GIVES_BACK).values("marker").annotate(sum=Sum("amount_cents"))
    moved = entries.filter(move__in=_MOVES).order_by("-id")
    return markers.annotate(
        balance_cents=F("amount_cents")
        - Coalesce(Subquery(taken.values("sum")), 0)
        + Coalesce(Subquery(back.values("sum")), 0),
        out_since=Subquery(entries.filter(move__in=LENDS).values("at")[:1]),
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
    def issued_where(self) -> str:
        """Return the table that issued it; a check that replaced others comes from the cage."""
        return str(self.marker.slip.table or "cage")

    @property
    def owed(self) -> Owed:
        slip = self.marker.slip
        return Owed(
            self.marker.pk, slip.serial, self.balance_cents, dated_on(self.marker), self.marker.pk
        )


def outstanding(
    today: date, patron: Patron | None = None, *, until: date | None = None
) -> list[Outstanding]:
    """Return every marker that is owed on, newest first, now or as a day ended. Two queries."""
    markers = with_balance(Marker.objects.exclude(entries__move=MarkerMove.VOIDED), until).filter(
        balance_cents__gt=0, out_since__isnull=False
    )
    if patron is not None:
        markers = markers.filter(patron=patron)
    pits = {pit.pk: pit for pit in Pit.objects.all()}
    return [
        _outstanding(marker, pits, today)
        for marker in markers.select_related("slip__table__pit", "patron").order_by("-id")
    ]


def as_they_lie(keys: Iterable[int], today: date) -> dict[int, Outstanding]:
    """Return markers by their number with what is owed on each, paid in full or not."""
    pits = {pit.pk: pit for pit in Pit.objects.all()}
    markers = with_balance(Marker.objects.filter(pk__in=list(keys)))
    return {
        marker.pk: _outstanding(marker, pits, today)
        for marker in markers.select_related("slip__table__pit", "patron")
    }


def dated_on(marker: Marker) -> date:
    """Return the gaming day of a marker; of one that was corrected, that of the first."""
    dated = marker.slip.details.get("dated")
    return date.fromisoformat(dated) if dated else marker.slip.gaming_day


def _outstanding(
    marker: WithAnnotations[Marker, _Reckoned], pits: Mapping[int, Pit], today: date
) -> Outstanding:
    if marker.recalled_to:
        pit = pits[marker.recalled_to]
    else:
        assert marker.slip.table is not None, "a marker is issued at a table"
        pit = marker.slip.table.pit
    return Outstanding(
        marker=marker,
        balance_cents=marker.balance_cents,
        pit=pit,
        at_cage=marker.last_move in (MarkerMove.TO_CAGE, MarkerMove.REPLACES),
        age_days=(today - dated_on(marker)).days,
    )


@dataclass(frozen=True, slots=True)
class Restated:
    """What was corrected, as the statement of a patron shows it: with both slips."""

    slip: str
    correction: str
    on: date
    # What the patron owes more by it, or less.
    change_cents: int


def corrections_of(patron: Patron) -> list[Restated]:
    """Return what corrections took off a patron's markers and put on them, newest first."""
    taken = MarkerEntry.objects.filter(marker__patron=patron, move=MarkerMove.CORRECTED)
    given = Marker.objects.filter(patron=patron, slip__kind=MARKER_CORRECTION)
    found = [
        (
            marker_entry.slip,
            marker_entry.marker.slip.serial,
            marker_entry.gaming_day,
            -marker_entry.amount_cents,
        )
        for marker_entry in taken.select_related("slip", "marker__slip")
    ]
    found += [
        (marker.slip, marker.slip.details["corrects"], marker.slip.gaming_day, marker.amount_cents)
        for marker in given.select_related("slip")
    ]
    found += _corrected_payments(patron)
    return [
        Restated(corrected, slip.serial, day, cents)
        for slip, corrected, day, cents in sorted(found, key=lambda row: -row[0].pk)
    ]


def _corrected_payments(patron: Patron) -> list[tuple[Slip, str, date, int]]:
    """Return what corrections of payments put back on a patron's markers, less what they took."""
    entries = MarkerEntry.objects.filter(
        marker__patron=patron, slip__kind=PAYMENT_CORRECTION
    ).select_related("slip")
    changes: dict[Slip, int] = defaultdict(int)
    for entry in entries:
        changes[entry.slip] += (
            entry.amount_cents if entry.move in GIVES_BACK else -entry.amount_cents
        )
    return [
        (slip, slip.details["corrects"], slip.gaming_day, cents) for slip, cents in changes.items()
    ]


def markers_to_sign(patron: Patron) -> QuerySet[Marker]:
    """Return the patron's markers that reserve the line and are not yet paid out."""
    ended = [*LENDS, MarkerMove.VOIDED]
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
    by_age = _piled((_age_of(marker.age_days), marker) for marker in markers)
    order = [name for _, name in AGES]
    return {
        "place": _largest_first(_piled((marker.where, marker) for marker in markers)),
        "patron": _largest_first(_piled((str(marker.marker.patron), marker) for marker in markers)),
        "age": sorted(by_age, key=lambda pile: order.index(pile.name)),
    }


def _age_of(days: int) -> str:
    return [name for least, name in AGES if days >= least][-1] if days >= 0 else AGES[0][1]


def _piled(named: Iterable[tuple[str, Outstanding]]) -> list[Pile]:
    sums: dict[str, list[int]] = {}
    for name, item in named:
        pile = sums.setdefault(name, [0, 0])
        pile[0] += 1
        pile[1] += item.balance_cents
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
