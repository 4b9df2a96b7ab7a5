"""Find what someone asks for: a slip by its number, a person, a table, a gaming day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from pitboss.confidential import without_compliance
from pitboss.models import JournalEntry, Person, Slip
from pitboss.rules.flows.reading import kinds_for
from pitboss.rules.roles import Role
from pitboss.services import house

SHOWN_MAX = 100


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for; all of it must fit."""

    number: str = ""
    person: str = ""
    table: str = ""
    day: date | None = None

    def __bool__(self) -> bool:
        return bool(self.number or self.person or self.table or self.day)


def find_slips(sought: Sought, role: Role) -> QuerySet[Slip]:
    """Return slips by part of their number, by who signed, by table and by day, newest first.

    Of kinds that the role reads: what is found can be opened.
    """
    slips = Slip.objects.filter(kind__in=kinds_for(role)).select_related("table").order_by("-id")
    if sought.number:
        slips = slips.filter(
            Q(serial__icontains=sought.number) | Q(details__paper_number=sought.number.upper())
        )
    if sought.table:
        slips = slips.filter(table__name__iexact=sought.table)
    if sought.day:
        slips = slips.filter(gaming_day=sought.day)
    if sought.person:
        slips = slips.filter(signatures__person__in=_people(sought.person)).distinct()
    return slips


def find_entries(sought: Sought) -> QuerySet[JournalEntry]:
    """Return what the journal has of it, refused attempts included, newest first."""
    entries = without_compliance(
        JournalEntry.objects.select_related("person", "slip", "chain__table").order_by("-id")
    )
    if sought.number:
        entries = entries.filter(slip__serial__icontains=sought.number)
    if sought.table:
        entries = entries.filter(chain__table__name__iexact=sought.table)
    if sought.day:
        began, ends = house.day_span(sought.day)
        entries = entries.filter(at__gte=began, at__lt=ends)
    if sought.person:
        entries = entries.filter(person__in=_people(sought.person))
    return entries


def _people(sought: str) -> list[int]:
    """Return who is meant by a badge, a license number or part of a name."""
    meant = Q(badge=sought) | Q(licence_number__iexact=sought)
    for word in sought.split():
        meant |= Q(last_name__icontains=word.strip(".,")) if len(word.strip(".,")) > 1 else Q()
    return list(Person.objects.filter(meant).values_list("pk", flat=True))
