"""The book of reports: each is one function that someone registers, and no view of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum, unique

from pitboss.access import PAGES, may_open
from pitboss.reports.report import Report, ReportChoice, ReportScope
from pitboss.rules.roles import Role

Make = Callable[[ReportChoice], Report]


@unique
class Group(StrEnum):
    """Under which heading the desk lists a report, in this order."""

    GAMES = "Games and win"
    PAPERS = "Slips and trays"
    PEOPLE = "People and changes"
    PLAY = "Payouts, cards and meters"


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One report of the book: who may read it is said by a page of `pitboss.access`."""

    key: str
    title: str
    group: Group
    says: str
    page: str
    make: Make
    asked: ReportScope = field(default_factory=ReportScope)
    # The entry of the journal that each printing leaves; empty for none.
    noted: str = ""


BOOK: dict[str, ReportEntry] = {}


def report(
    *,
    key: str,
    title: str,
    group: Group,
    says: str,
    page: str,
    asked: ReportScope | None = None,
    noted: str = "",
) -> Callable[[Make], Make]:
    """Register a function as what makes a report."""
    assert page in PAGES, f"{page} is no page"

    def register(make: Make) -> Make:
        assert key not in BOOK, f"two reports are called {key}"
        BOOK[key] = ReportEntry(key, title, group, says, page, make, asked or ReportScope(), noted)
        return make

    return register


def readable_by(role: Role) -> dict[Group, list[ReportEntry]]:
    """Return the reports that a role may read, by group, each group in the order of titles."""
    entries = sorted(BOOK.values(), key=lambda entry: entry.title)
    groups = {
        group: [entry for entry in entries if entry.group is group and may_open(role, entry.page)]
        for group in Group
    }
    return {group: found for group, found in groups.items() if found}
