"""Open items: everything that is not finished now, for whom it waits, and since when."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.urls import reverse

from inventory.reports.cards import in_use_too_long
from inventory.selectors.credit import Outstanding, outstanding
from pitboss.models import Slip, Waiting
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.roles import Role
from pitboss.selectors.waiting import waiting_now
from pitboss.services import house
from tables.services.open_items import OpenItem, open_items

KEY, PAGE = "open-items", "days"

_ITEMS = (
    Column("what", "What"),
    Column("slip", "Slip", Shape.CODE),
    Column("waits_for", "Waiting for"),
    Column("since", "Since", Shape.TIME),
    Column("minutes", "Minutes", Shape.MINUTES),
    Column("carried", "May be carried over", is_minor=True),
)
_MARKERS = (
    Column("slip", "Slip", Shape.CODE),
    Column("where", "Where"),
    Column("days", "Days", Shape.COUNT),
    Column("owed", "Owed", Shape.MONEY),
)
_KINDS = {
    "slip_open": "Slips",
    "box_uncounted": "Boxes",
    "exception_open": "Not explained",
    "drop_waits": "Drop teams",
    "serial_unexplained": "Missing numbers",
}


@report(
    key=KEY,
    title="Open items",
    group=Group.PAPERS,
    says="Everything that isn’t finished now: who it is waiting for, and since when.",
    page=PAGE,
    asked=ReportScope(is_now=True),
)
def open_now(choice: ReportChoice) -> Report:
    """Return what is open. A fixed number of queries, however much that is."""
    now = house.now()
    items = open_items(choice.last)
    kinds = Counter(item.code for item in items)
    if choice.of:
        items = [item for item in items if _KINDS[item.code] == choice.of]
    waits = _waits()
    serials = {
        slip.pk: slip.serial
        for slip in Slip.objects.filter(pk__in=[item.slip_id for item in items if item.slip_id])
    }
    not_finished = Section(
        "Not finished",
        _ITEMS,
        tuple(_item(item, waits[_key(item)], serials, now) for item in items),
        "Nothing is open.",
    )
    if choice.of:
        return Report((not_finished,))
    owed = outstanding(choice.last)
    every_marker = Link(reverse("markers"), "markers")
    return Report(
        (
            not_finished,
            Section(
                "Markers outstanding",
                _MARKERS,
                tuple(_marker(item) for item in owed),
                "Nothing is owed on a marker.",
                row_of("Sum", "", "", sum(item.balance_cents for item in owed), opens=every_marker)
                if owed
                else None,
            ),
            in_use_too_long(),
        ),
        finding=Finding(Tone.WAIT, f"Open now: {len(items)}.")
        if items
        else Finding(Tone.GOOD, "Nothing is open."),
        chart=Chart(
            "Open now",
            Shape.COUNT,
            tuple(
                Bar(title, kinds[code], link=report_link(KEY, PAGE, choice, of=title))
                for code, title in _KINDS.items()
                if kinds[code]
            ),
        ),
    )


def _waits() -> defaultdict[tuple[int | None, int | None], list[Waiting]]:
    waits: defaultdict[tuple[int | None, int | None], list[Waiting]] = defaultdict(list)
    for wait in waiting_now():
        waits[wait.slip_id, wait.exception_id].append(wait)
    return waits


def _key(item: OpenItem) -> tuple[int | None, int | None]:
    return item.slip_id, item.exception_id


def _item(item: OpenItem, waits: Sequence[Waiting], serials: dict[int, str], now: datetime) -> Row:
    slip = slip_cell(serials.get(item.slip_id) if item.slip_id else None)
    if item.exception_id:
        url = reverse("exception", args=[item.exception_id])
        slip = Cell("Explain", Link(url, "exception"))
    first = waits[0] if waits else None
    is_late = first is not None and (now - first.since).total_seconds() > first.limit_seconds
    return row_of(
        item.sentence,
        slip,
        ", ".join(" or ".join(Role(value).label for value in wait.by) for wait in waits) or None,
        first.since if first else None,
        int((now - first.since).total_seconds()) if first else None,
        "yes" if item.can_be_carried else "no",
        tone=Tone.BAD if is_late else Tone.PLAIN,
        opens=slip.link,
    )


def _marker(each: Outstanding) -> Row:
    return row_of(
        slip_cell(each.marker.slip.serial),
        each.where,
        each.age_days,
        each.balance_cents,
        opens=slip_link(each.marker.slip.serial),
    )
