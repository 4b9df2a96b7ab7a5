"""What stands at the head of every report: what it is of, who took it, and the newest seal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from pitboss.build import this_build
from pitboss.models import JournalSeal
from pitboss.reports.book import ReportEntry
from pitboss.reports.report import ReportChoice
from pitboss.rules.day.zone_names import zone_name
from pitboss.services import house
from pitboss.standby import read_from


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a report, the same on a screen, on paper and in a file."""

    house: str
    title: str
    of: str
    taken_at: datetime
    taken_by: str
    seal_number: int | None
    seal_at: datetime | None
    # The whole link: paper that names it anchors the database.
    seal_link: str
    zone: ZoneInfo
    # The program that made it.
    build: str = ""
    # Of when it is, where the house reads its reports from a standby.
    read_words: str = ""

    @property
    def taken_words(self) -> str:
        here = self.taken_at.astimezone(self.zone)
        return f"{here:%a, %b %-d, %Y, %H:%M:%S} {zone_name(here)} by {self.taken_by}"

    @property
    def seal_words(self) -> str:
        if self.seal_number is None or self.seal_at is None:
            return "none yet"
        here = self.seal_at.astimezone(self.zone)
        return f"{self.seal_number} of {here:%Y-%m-%d %H:%M:%S} {zone_name(here)}, {self.seal_link}"

    def lines(self) -> list[tuple[str, str]]:
        """Return the head line by line, as a file begins with it."""
        return [
            ("house", self.house),
            ("report", self.title),
            ("of", self.of),
            ("taken", self.taken_words),
            ("newest seal", self.seal_words),
            ("program", self.build),
            *([("read", self.read_words)] if self.read_words else []),
        ]


def heading_of(entry: ReportEntry, choice: ReportChoice, taken_by: str) -> Heading:
    """Return the head of a report. Two queries: the property and its newest seal."""
    the_property = house.the_property()
    source = read_from()
    seal = JournalSeal.objects.order_by("-number").first()
    return Heading(
        house=the_property.name,
        title=entry.title,
        of=choice_words(entry, choice),
        taken_at=house.now(),
        taken_by=taken_by,
        seal_number=seal.number if seal else None,
        seal_at=seal.at if seal else None,
        seal_link=seal.link if seal else "",
        zone=the_property.zone,
        build=this_build().words,
        read_words=source.words(the_property.zone) if source else "",
    )


def choice_words(entry: ReportEntry, choice: ReportChoice) -> str:
    """Return what was asked for, in words."""
    if entry.asked.is_now:
        time = "now"
    elif choice.is_one_day:
        time = f"{choice.last:%a, %b %-d, %Y}"
    else:
        time = f"{choice.first:%b %-d, %Y} to {choice.last:%b %-d, %Y}"
    parts = [time]
    if choice.shift:
        parts.append(f"{choice.shift} shift")
    if choice.pit:
        parts.append(choice.pit.name)
    if choice.by:
        parts.append(entry.asked.ways[choice.by].lower())
    if choice.of:
        parts.append(choice.of)
    return ", ".join(parts)
