"""The cash log read: whose cash it was, what a day came to, and which reports wait."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When

from inventory.models import (
    CashBehalf,
    CashEntry,
    CurrencyReport,
    Patron,
    Stranger,
    StrangerMatch,
    SuspicionNote,
)
from inventory.selectors.patrons import files_of, identity_documents, roots_of
from pitboss.rules.patrons.cash_log import CashPolicy, Direction
from pitboss.services import house

_SIGNED = Case(When(reverses=None, then=F("amount_cents")), default=-F("amount_cents"))


@dataclass(frozen=True, slots=True)
class DayPerson:
    """One person of a gaming day: a patron with every stranger who was known to be them, or one.

    Both are given once a stranger was matched; then the patron's sums take the stranger's in.
    """

    patron: Patron | None = None
    stranger: Stranger | None = None

    @property
    def key(self) -> str:
        """What the person is called in an address."""
        if self.patron is not None:
            return f"p{self.patron.pk}"
        assert self.stranger is not None
        return f"s{self.stranger.pk}"

    @property
    def name(self) -> str:
        return self.patron.full_name if self.patron is not None else str(self.stranger)

    @property
    def is_known(self) -> bool:
        return self.patron is not None


def patron_of(stranger: Stranger) -> Patron | None:
    """Return who a stranger turned out to be, as far as anyone has said."""
    match = latest_match(stranger)
    return match.patron if match is not None else None


def is_confirmed(stranger: Stranger) -> bool:
    """Tell whether two have signed the match that stands: play follows it then, as cash did."""
    newest = [stranger_match.patron_id for stranger_match in stranger.matches.order_by("-id")[:2]]
    return len(newest) == 2 and None not in newest and newest[0] == newest[1]


def latest_match(stranger: Stranger) -> StrangerMatch | None:
    """Return the match that holds of a stranger."""
    return stranger.matches.select_related("patron", "matched_by").order_by("-id").first()


def whose(patron: Patron | None, stranger: Stranger | None) -> DayPerson:
    """Return whose sums an entry belongs to."""
    if stranger is not None:
        return DayPerson(patron_of(stranger), stranger)
    return DayPerson(patron)


def person_of(key: str) -> DayPerson | None:
    """Return whom a key in an address or a form names: p7 is a patron, s7 a stranger."""
    kind, number = key[:1], key[1:]
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        return None
    if kind == "p":
        patron = Patron.objects.filter(pk=int(number)).first()
        return DayPerson(patron) if patron is not None else None
    stranger = Stranger.objects.filter(pk=int(number)).first() if kind == "s" else None
    return whose(None, stranger) if stranger is not None else None


def cash_of(who: DayPerson, day: date) -> QuerySet[CashEntry]:
    """Return a person's entries of a gaming day, reversals among them, in their order."""
    entries = CashEntry.objects.filter(gaming_day=day)
    mine = _is(who, day)
    if who.patron is not None:
        behalf = behalves_of(day).filter(patron__in=files_of(who.patron.pk)).values("entry")
        mine |= Q(pk__in=behalf) | Q(reverses__in=behalf)
    return entries.filter(mine).order_by("id")


def behalves_of(day: date) -> QuerySet[CashBehalf]:
    """Return on whose behalf cash of a gaming day was, as far as it was not the person's own."""
    later = CashBehalf.objects.filter(entry=OuterRef("entry"), pk__gt=OuterRef("pk"))
    return CashBehalf.objects.filter(
        ~Exists(later), entry__gaming_day=day, patron__isnull=False
    ).select_related("patron")


def _is(who: DayPerson, day: date) -> Q:
    """Return the condition that a row is of this person."""
    if who.patron is None:
        return Q(stranger=who.stranger)
    files = files_of(who.patron.pk)
    known_as = strangers_of(day).filter(patron_now__in=files)
    return Q(patron__in=files) | Q(stranger__in=known_as.values("pk"))


def strangers_of(day: date) -> QuerySet[Any]:
    """Return who was described in a gaming day, each with the patron they are known to be now."""
    newest = StrangerMatch.objects.filter(stranger=OuterRef("pk")).order_by("-id")
    return Stranger.objects.filter(gaming_day=day).annotate(
        patron_now=Subquery(newest.values("patron")[:1])
    )


def day_sum(who: DayPerson, day: date, direction: Direction) -> int:
    """Return what a person's cash of a gaming day comes to, one way."""
    found = cash_of(who, day).filter(direction=direction.value).order_by()
    return int(found.aggregate(sum=Sum(_SIGNED))["sum"] or 0)


def policy_of(day: date) -> CashPolicy:
    """Return the amounts by which a gaming day's cash is watched."""
    return house.the_property().settings_of(day).cash_policy


def reports_of(who: DayPerson, day: date, direction: Direction) -> QuerySet[CurrencyReport]:
    """Return a person's currency reports of a gaming day, one way, oldest first."""
    found = CurrencyReport.objects.filter(gaming_day=day, direction=direction.value)
    return found.filter(_is(who, day)).select_related("closing").order_by("id")


@dataclass(frozen=True, slots=True)
class PersonsDay:
    """One person's cash of one gaming day."""

    who: DayPerson
    entries: tuple[CashEntry, ...]
    policy: CashPolicy

    @property
    def in_cents(self) -> int:
        return self._sum(Direction.IN)

    @property
    def out_cents(self) -> int:
        return self._sum(Direction.OUT)

    def _sum(self, direction: Direction) -> int:
        return sum(
            entry.signed_cents for entry in self.entries if entry.direction == direction.value
        )

    @property
    def is_logged(self) -> bool:
        """Whether the day stands in the multiple-transaction log."""
        return any(map(self.policy.is_logged, (self.in_cents, self.out_cents)))

    @property
    def is_reported(self) -> bool:
        return any(map(self.policy.is_reported, (self.in_cents, self.out_cents)))


def people_of(day: date, entries: Iterable[CashEntry] | None = None) -> list[PersonsDay]:
    """Return everyone whose cash was logged in a gaming day, those with the most first.

    A stranger who was matched is counted with the patron, cash on someone's behalf with both, and
    who is on file twice as one. Six queries, however many people.
    """
    policy = policy_of(day)
    known_as = {stranger.pk: stranger.patron_now for stranger in strangers_of(day)}
    patrons = Patron.objects.in_bulk({pk for pk in known_as.values() if pk is not None})
    behalves = {behalf.entry_id: behalf.patron for behalf in behalves_of(day)}
    logged = list(entries_of(day) if entries is None else entries)
    files = {cash_entry.patron_id for cash_entry in logged}
    files |= {behalf.pk for behalf in behalves.values() if behalf is not None}
    roots = roots_of({pk for pk in (*files, *patrons) if pk is not None})
    grouped: dict[str, tuple[DayPerson, list[CashEntry]]] = {}
    for entry in logged:
        patron = entry.patron
        if entry.stranger_id is not None:
            patron = patrons.get(known_as[entry.stranger_id] or 0)
        people = [patron, behalves.get(entry.reverses_id or entry.pk)]
        owners = [
            DayPerson(roots.get(person.pk, person)) for person in people if person is not None
        ]
        if patron is None:
            owners.append(DayPerson(None, entry.stranger))
        for day_person in {one.key: one for one in owners}.values():
            grouped.setdefault(day_person.key, (day_person, []))[1].append(entry)
    days = [PersonsDay(who, tuple(rows), policy) for who, rows in grouped.values()]
    return sorted(
        days,
        key=lambda persons_day: (
            -max(persons_day.in_cents, persons_day.out_cents),
            persons_day.who.name,
        ),
    )


def entries_of(day: date) -> QuerySet[CashEntry]:
    """Return every entry of a gaming day, in the order in which they were logged."""
    return (
        CashEntry.objects.filter(gaming_day=day)
        .select_related(
            "patron", "stranger", "table__pit", "keyed_by", "slip", "reverses", "reversed_by"
        )
        .order_by("id")
    )


def open_reports() -> QuerySet[CurrencyReport]:
    """Return the currency reports that no one has closed, whatever is due first on top."""
    return (
        CurrencyReport.objects.filter(closing=None)
        .select_related("patron", "stranger", "amends")
        .order_by("due_on", "id")
    )


def known_and_missing(who: DayPerson) -> tuple[list[str], list[str]]:
    """Return what a currency report needs of a person: what is on file, and what is not."""
    patron = who.patron
    today = house.period_at(house.now()).gaming_day
    wanted = {
        "name": patron is not None,
        "address": patron is not None and bool(patron.street and patron.city),
        "date of birth": patron is not None and patron.born_on is not None,
        "tax ID": patron is not None and bool(patron.tax_id_kind),
        "ID document": patron is not None and identity_documents(patron, today).exists(),
    }
    known = [name for name, is_known in wanted.items() if is_known]
    return known, [name for name in wanted if name not in known]


def closed_reports() -> QuerySet[CurrencyReport]:
    """Return the currency reports that were closed, the last one first."""
    return (
        CurrencyReport.objects.filter(closing__isnull=False)
        .select_related("patron", "stranger", "amends", "closing__closed_by")
        .order_by("-closing__id")
    )


def notes_of_desk() -> QuerySet[SuspicionNote]:
    """Return the notes on suspicious activity, newest first, with how often each was read."""
    return (
        SuspicionNote.objects.select_related("table", "written_by")
        .annotate(read_count=Count("readings"))
        .order_by("-id")
    )
