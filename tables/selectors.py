"""The board and a table's page: what every tablet of the pit looks at."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from inventory.selectors import tray_holdings
from pitboss.models import JournalEntry, Pit, Table, Waiting
from pitboss.rules.cheques import format_money
from pitboss.rules.games_printed import GAMES
from pitboss.selectors.slips import TITLES, heading_of
from pitboss.selectors.waiting import LIMIT_SECONDS, waiting_now

# An entry of the journal, as the timeline tells it.
_TONES = {"sign_refused": "bad", "exception_opened": "bad"}


def tiles_of(pit: Pit, only: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Return the tiles of a pit's tables. A fixed number of queries, however many tables."""
    tables = list(pit.tables.all() if only is None else pit.tables.filter(pk__in=only))
    held = tray_holdings(tables)
    waits: dict[int, list[Waiting]] = defaultdict(list)
    for wait in waiting_now().filter(table__in=tables).select_related("slip", "exception"):
        assert wait.table_id is not None
        waits[wait.table_id].append(wait)
    return [_tile(table, held[table.pk], waits[table.pk]) for table in tables]


def _tile(table: Table, held: dict[int, int], waits: list[Waiting]) -> dict[str, Any]:
    # Trouble first, then whoever has waited longest.
    waits = sorted(waits, key=lambda wait: (wait.exception_id is None, wait.since))
    first = waits[0] if waits else None
    state, tone = {"kind": "open", "word": "Open"}, ""
    if not table.is_open:
        state, tone = {"kind": "off", "word": "Closed"}, "off"
    if first is not None:
        tone = "bad" if first.exception_id else "wait"
        state = {"kind": tone, "word": _word(first)}
    return {
        "name": table.name,
        "url": reverse("table", args=[table.name]),
        "state": state,
        "tone": tone,
        "game": game_words(table),
        "limits": limits_words(table),
        "dealer": None,
        "nobody": f"Tray {format_money(sum(c * n for c, n in held.items()))}",
        "win_cents": None,
        "held": held,
        "par": table.par_cheques,
        "seats": None,
        "waits": _foot(first) if first else None,
        "quiet": "Nothing waits",
    }


def _word(wait: Waiting) -> str:
    if wait.exception is not None:
        return "Exception"
    assert wait.slip is not None
    return f"{wait.slip.title}"


def _foot(wait: Waiting) -> dict[str, Any]:
    if wait.exception is not None:
        return {
            "title": "To explain",
            "words": wait.exception.sentence,
            "url": reverse("exception", args=[wait.exception.pk]),
            "since": wait.since,
            "limit_seconds": LIMIT_SECONDS,
        }
    assert wait.slip is not None
    return {
        "title": heading_of(wait.slip),
        "words": f"waits: {TITLES[wait.step].lower()}",
        "url": reverse("slip", args=[wait.slip.serial]),
        "since": wait.since,
        "limit_seconds": LIMIT_SECONDS,
    }


def game_words(table: Table) -> str:
    """Return the game of a table as the board says it."""
    name = GAMES[table.game].name.removesuffix(" blackjack").removesuffix(" Blackjack")
    return f"{name} · {table.decks} decks"


def limits_words(table: Table) -> str:
    """Return the limits of a table: “$25–3,000”."""
    return f"{format_money(table.minimum_cents)}–{format_money(table.maximum_cents)[1:]}"


def mine_of(waits: Sequence[Waiting]) -> list[dict[str, Any]]:
    """Return the strip over the board: what waits for this person, longest first."""
    strip = []
    for wait in waits:
        foot = _foot(wait)
        strip.append(
            {
                **foot,
                "table": wait.table.name if wait.table else "House",
                "tone": "bad" if wait.exception_id else "wait",
            }
        )
    return strip


def timeline_of(table: Table, limit: int = 30) -> list[dict[str, Any]]:
    """Return what happened at a table, newest first, as its journal tells it."""
    entries = (
        JournalEntry.objects.filter(chain__table=table)
        .select_related("person", "slip")
        .order_by("-number")[:limit]
    )
    events = []
    for entry in entries:
        body = json.loads(entry.text)["body"]
        title, words = _told(entry, body)
        events.append(
            {"at": entry.at, "title": title, "words": words, "tone": _TONES.get(entry.kind, "")}
        )
    return events


def _told(entry: JournalEntry, body: dict[str, Any]) -> tuple[str, str]:
    who = str(entry.person) if entry.person else f"badge {body.get('badge', '?')}"
    if entry.kind == "sign_refused":
        return "Signature refused", f"{who}: {', '.join(body['codes']).replace('_', ' ')}"
    if entry.kind == "exception_opened":
        return "Exception", body["sentence"]
    if entry.kind == "exception_resolved":
        return "Explained", f"{who}: {body['resolution']}"
    if entry.slip is not None and "." in entry.kind:
        step = entry.kind.partition(".")[2]
        return f"{heading_of(entry.slip)}: {TITLES.get(step, step).lower()}", who
    return entry.kind.replace("_", " ").capitalize(), who
