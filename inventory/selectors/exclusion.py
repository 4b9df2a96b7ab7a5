"""Who of the lists a patron may be, what stands against them, and the cases that wait."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Max, Q, QuerySet

from inventory.models import (
    CaseEnd,
    ExclusionCase,
    ListRow,
    ListVersion,
    Patron,
    PatronStanding,
)
from inventory.selectors.patrons import files_of
from pitboss.rules.patrons.exclusion import (
    CaseDecision,
    ListKind,
    Match,
    Moment,
    Name,
    Someone,
    applies,
    is_stale,
    match_of,
    sought_keys,
)
from pitboss.rules.patrons.exclusion_lists import FROM_ANOTHER
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.patrons.shared_lists import prefix_of, source_in
from pitboss.services import house


@dataclass(frozen=True, slots=True)
class ListMatch:
    """A row of a list that a patron is like."""

    row: ListRow
    match: Match


def newest_versions() -> dict[str, int]:
    """Return the newest version of each list that was ever imported, other properties' apart."""
    versions = ListVersion.objects.order_by().values("list", "slip__details__source")
    return {
        " ".join(filter(None, (each["list"], each["slip__details__source"]))): each["newest"]
        for each in versions.annotate(newest=Max("pk")).order_by("list", "slip__details__source")
    }


def source_of(version: ListVersion) -> str:
    """Return which property a version is from, as the house calls it; empty for the own list."""
    return str(version.slip.details.get("source", ""))


def title_of(kind: ListKind, source: str) -> str:
    """Return what a list is called: the own one by its kind, another's with its property."""
    return f"{kind.label} of {source}" if source else kind.label


def list_of(row: ListRow) -> str:
    """Return what the list of a row is called, with the property that it is from."""
    return title_of(ListKind(row.list), source_in(row.external_id))


def standing_rows(kind: ListKind | None = None) -> QuerySet[ListRow]:
    """Return the rows of the lists as they count now."""
    rows = ListRow.objects.filter(ended=None)
    return rows if kind is None else rows.filter(list=kind.value)


def rows_from(kind: ListKind, source: str) -> QuerySet[ListRow]:
    """Return the rows of a list as they count now, from one property; "" for the own list."""
    rows = standing_rows(kind)
    if source:
        return rows.filter(external_id__startswith=prefix_of(source))
    return rows.exclude(external_id__startswith=FROM_ANOTHER)


def in_effect(day: date) -> QuerySet[ListRow]:
    """Return the rows of the lists that hold on a day."""
    begun, not_over = Q(from_on=None) | Q(from_on__lte=day), Q(until_on=None) | Q(until_on__gte=day)
    return standing_rows().filter(begun, not_over)


def matches_of(patron: Patron, day: date) -> list[ListMatch]:
    """Return every row in effect on a day that a patron is like, surest first."""
    who = _patron_as_compared(patron)
    by_name = Q(keys__has_any_keys=sorted(sought_keys(who.names[0])))
    if who.born_on is not None:
        # Someone of another year is no match by name: a common name would bring hundreds to read.
        near = Q(born_on=None) | Q(born_on__year=who.born_on.year)
        by_name &= near | Q(ssn_ends=who.tax_id_ends) if who.tax_id_ends else near
    sought = by_name | Q(ssn_index=patron.tax_id_index) if patron.tax_id_index else by_name
    found = [
        ListMatch(row, match)
        for row in in_effect(day).filter(sought).order_by("pk")
        if (match := match_of(who, _row_as_compared(row))) is not None
    ]
    return sorted(found, key=lambda each: each.match is not Match.HIT)


def _patron_as_compared(patron: Patron) -> Someone:
    return Someone(
        (Name.of(patron.first_name, patron.last_name),),
        patron.born_on,
        patron.tax_id_index,
        patron.tax_id_ends,
    )


def _row_as_compared(row: ListRow) -> Someone:
    names = (Name.of(row.first_name, row.last_name), *map(Name.whole, row.aliases))
    return Someone(names, row.born_on, row.ssn_index, row.ssn_ends)


def stops_of(patron: Patron, moment: Moment, day: date) -> list[ListMatch]:
    """Return what stands against an act: rows that two people have not found to be another."""
    found = [each for each in matches_of(patron, day) if applies(ListKind(each.row.list), moment)]
    if not found:
        return []
    cleared = set(
        CaseEnd.objects.filter(
            case__patron=patron,
            case__row__in=[each.row.pk for each in found],
            decision=CaseDecision.CLEARED.value,
        ).values_list("case__row", flat=True)
    )
    return [each for each in found if each.row.pk not in cleared]


def barred_since(patron_id: int, day: date) -> datetime | None:
    """Return since when a person may not play: self-excluded, or confirmed to be on a list."""
    files = files_of(patron_id)
    newest = PatronStanding.objects.filter(patron__in=files).order_by("patron_id", "-id")
    since = [
        row.since
        for row in newest.distinct("patron_id")
        if row.standing == Standing.SELF_EXCLUDED.value
    ]
    kinds = [kind.value for kind in ListKind if applies(kind, Moment.SEAT)]
    confirmed = CaseEnd.objects.filter(
        case__patron__in=files,
        case__row__in=in_effect(day).filter(list__in=kinds),
        decision=CaseDecision.CONFIRMED.value,
    )
    return min([*since, *confirmed.values_list("at", flat=True)], default=None)


def open_cases() -> QuerySet[ExclusionCase]:
    """Return the cases that no one has decided, oldest first."""
    return ExclusionCase.objects.filter(end=None).select_related("patron", "row").order_by("pk")


def decision_of(case: ExclusionCase) -> CaseDecision | None:
    """Return what two people found out about a case."""
    end = CaseEnd.objects.filter(case=case).first()
    return CaseDecision(end.decision) if end is not None else None


def lists_now() -> list[dict[str, Any]]:
    """Return each list with its newest version, and then those of other properties."""
    newest = ListVersion.objects.select_related("slip").in_bulk(newest_versions().values())
    by_list = {(each.list, source_of(each)): each for each in newest.values()}
    shared = sorted((source, name) for name, source in by_list if source)
    known = [*((kind, "") for kind in ListKind), *((ListKind(name), each) for each, name in shared)]
    return [
        {
            "kind": kind,
            "source": source,
            "label": title_of(kind, source),
            "version": by_list.get((kind.value, source)),
        }
        for kind, source in known
    ]


@dataclass(frozen=True, slots=True)
class ListAge:
    """When a list was imported last, and whether that is too long ago."""

    kind: ListKind
    source: str
    version: int
    imported_on: date
    is_stale: bool

    @property
    def label(self) -> str:
        return title_of(self.kind, self.source)


def list_ages() -> list[ListAge]:
    """Return the age of each list in use, the oldest first."""
    now, zone = house.now(), house.the_property().zone
    stale_after = house.settings_at(now)["exclusion.stale_after"]
    today = now.astimezone(zone).date()
    versions = ListVersion.objects.select_related("slip").in_bulk(newest_versions().values())
    days = [(each, each.imported_at.astimezone(zone).date()) for each in versions.values()]
    ages = [
        ListAge(
            ListKind(each.list),
            source_of(each),
            each.pk,
            day,
            is_stale(day, today, stale_after),
        )
        for each, day in days
    ]
    return sorted(ages, key=lambda age: age.imported_on)


def oldest_list() -> ListAge | None:
    """Return the list that was imported longest ago."""
    return next(iter(list_ages()), None)
