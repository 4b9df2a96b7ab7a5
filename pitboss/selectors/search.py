"""Search everywhere: each group of things is found by a function that its own app registers.

Which role is asked decides which groups are looked in at all. What a role may not open is neither
found nor counted, so that an answer does not even tell that something exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.urls import reverse
from django.utils.text import slugify

from pitboss.models import Person, Slip, Table
from pitboss.rules.book.glossary import GLOSSARY
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.reading import kinds_for
from pitboss.rules.roles import Role
from pitboss.rules.settings.book import BOOK
from pitboss.selectors.manual import found_in_manual
from pitboss.selectors.slips import headline_of
from pitboss.services import house

FOUND_MAX: Final = 6
# One more than is shown, to know that there are more.
ASKED_MAX: Final = FOUND_MAX + 1
SOUGHT_MAX: Final = 60
# A number alone is looked for in so many years: older slips are found by their whole number.
_YEARS: Final = 3


@dataclass(frozen=True, slots=True)
class FoundThing:
    """One thing that was found, and the way to it."""

    title: str
    words: str
    url: str
    # Nothing else can be meant: a scan of it opens it.
    is_exact: bool = False


Find = Callable[[str, Role], Iterable[FoundThing]]


@dataclass(frozen=True, slots=True)
class FoundGroup:
    """A group of things that are found together, open to the person who may open its page."""

    title: str
    icon: str
    page: str
    find: Find


GROUPS: list[FoundGroup] = []


def found_as(title: str, *, icon: str, page: str) -> Callable[[Find], Find]:
    """Register what finds the things of a group, in the order of registering."""

    def register(find: Find) -> Find:
        GROUPS.append(FoundGroup(title, icon, page, find))
        return find

    return register


@found_as("Tables", icon="board", page="table")
def tables(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find tables by part of their name."""
    found = Table.objects.filter(name__icontains=sought).select_related("pit").order_by("name")
    for table in found[:ASKED_MAX]:
        state = "open" if table.is_open else "closed"
        yield FoundThing(
            table.name,
            f"{table.pit} · {state}",
            reverse("table", args=[table.name]),
            is_exact=table.name.casefold() == sought.casefold(),
        )


@found_as("Slips", icon="fill", page="slip")
def slips(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find slips by number: whole, its beginning, or the running number alone, newest first."""
    number = sought.upper()
    kinds = kinds_for(role)
    meant = Q(serial__startswith=number) if "-" in number else Q()
    if number.isascii() and number.isdigit() and len(number) < 10:
        this_year = house.period_at(house.now()).gaming_day.year
        meant = Q(
            series__in={FLOWS[kind].series for kind in kinds},
            year__in=range(this_year - _YEARS + 1, this_year + 1),
            number=int(number),
        )
    if not meant:
        return
    found = Slip.objects.filter(meant, kind__in=kinds).select_related("table").order_by("-id")
    for slip in found[:ASKED_MAX]:
        about = f"{headline_of(slip)} · {slip.table or 'House'} · {slip.gaming_day:%b %-d, %Y}"
        yield FoundThing(
            slip.serial,
            about,
            reverse("slip", args=[slip.serial]),
            is_exact=slip.serial == number,
        )


@found_as("People", icon="person", page="people")
def people(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find people by badge, license number or the start of their names."""
    meant = Q(badge=sought) | Q(licence_number__iexact=sought)
    named = Q()
    for word in sought.split():
        named &= Q(last_name__istartswith=word) | Q(first_name__istartswith=word)
    found = Person.objects.filter(meant | named, is_active=True).order_by("last_name", "badge")
    for person in found[:ASKED_MAX]:
        yield FoundThing(
            f"{person.first_name} {person.last_name}",
            f"{Role(person.role).label.capitalize()} · badge {person.badge}",
            reverse("person-edit", args=[person.pk]),
            is_exact=person.badge == sought,
        )


@found_as("Settings", icon="house", page="house")
def settings(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find settings of the house by the words of their title, or by their key."""
    words = sought.casefold().split()
    found = [
        setting
        for setting in BOOK.values()
        if all(
            word in f"{setting.title} {setting.subject} {setting.key}".casefold() for word in words
        )
    ]
    for setting in found[:ASKED_MAX]:
        yield FoundThing(setting.title, setting.subject, reverse("setting", args=[setting.key]))


@found_as("Manual", icon="help", page="own")
def manual_parts(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find parts of the manual by the words of their headings."""
    words = sought.casefold().split()
    found = [
        part
        for part in found_in_manual(sought)
        if all(word in part.title.casefold() for word in words)
    ]
    for part in found[:ASKED_MAX]:
        yield FoundThing(part.title, part.snippet(words), part.url)


@found_as("Floor terms", icon="help", page="own")
def terms(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find terms of the floor by their names."""
    words = sought.casefold().split()
    for term in [term for term in GLOSSARY if term.has(words)][:ASKED_MAX]:
        yield FoundThing(term.name, term.meaning, f"{reverse('glossary')}#{slugify(term.name)}")
