"""What surveillance may bookmark on its recordings: moments at tables, from the journal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from pitboss.models import JournalEntry, Table
from pitboss.rules.floor.incident_reports import INCIDENT_KINDS
from pitboss.rules.floor.table_events import house_event_of
from pitboss.selectors.journal_feed import entries_after
from pitboss.services import house

_INCIDENT: Final = "incident_saved"


def bookmarks_after(after: int) -> dict[str, Any]:
    """Return moments at tables in the order of the journal, each with the time it happened."""
    page = entries_after(after, "chain__table", "slip__table", now=house.now())
    names = dict(Table.objects.values_list("pk", "name"))
    return {
        "items": list(_items(page.entries, names)),
        "next": page.next,
        "is_whole": page.is_whole,
    }


def _items(entries: list[JournalEntry], names: dict[int, str]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        body = json.loads(entry.text)["body"]
        if entry.kind == _INCIDENT:
            about = {
                "event": "incident",
                "title": INCIDENT_KINDS[body["kind"]],
                "table": names[body["table"]],
                "seat": body["seat"],
            }
        else:
            found = house_event_of(entry.kind, body)
            table = _table_of(entry)
            if found is None or table is None:
                continue
            event = found[0].value
            title = event.replace("_", " ").capitalize()
            about = {"event": event, "title": title, "table": table, "seat": None}
        yield {
            "entry": entry.pk,
            "at": entry.at.isoformat(),
            "serial": entry.slip.serial if entry.slip else "",
            **about,
        }


def _table_of(entry: JournalEntry) -> str | None:
    """Return the table that an entry is about; none for one of the house alone."""
    table = entry.slip.table if entry.slip and entry.slip.table else entry.chain.table
    return table.name if table is not None else None
