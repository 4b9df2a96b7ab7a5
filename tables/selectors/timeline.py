"""What happened at a table, as its journal tells it."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from pitboss.models import JournalChain, JournalEntry, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.standards import Mark, clock_words
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.roles import WATCHING, Role
from pitboss.selectors.slips import headline_of, step_title
from pitboss.services.exceptions import FLOOR_REQUEST
from tables.selectors.rating_audits import draws_waiting

_TONES = {"sign_refused": "bad", "exception_opened": "bad"}
# One for every round that is dealt, no event of the table; and what its exception tells already.
_UNTOLD = (
    "meter.contributed",
    "round_ended",
    "payout_mismatch",
    # The seats show them.
    "look",
    "skill_seen",
    "rating_figures",
    "rating_goes_on",
    "seat_taken",
    "seat_freed",
)

_OF_SEATS = {
    "rating_began": "Player sat down",
    "rating_ended": "Rating ended",
    "seat_added": "Player took another seat",
    "seat_changed": "Player changed seats",
    "stepped_away": "Player away",
    "came_back": "Player back",
}


def timeline_of(
    table: Table, reader: Role, limit: int = 30, until: datetime | None = None
) -> list[dict[str, Any]]:
    """Return what happened at a table, newest first; until an instant that passed, if told.

    Where surveillance reads, the ratings that it has still to watch on video are left out.
    """
    entries = (
        # By the chain's own id: its newest entries are then read from the end of one index.
        JournalEntry.objects.filter(chain=JournalChain.objects.filter(table=table).values("pk")[:1])
        .exclude(kind__in=_UNTOLD)
        .select_related("person", "slip")
        .order_by("-number")
    )
    if until is not None:
        entries = entries.filter(at__lte=until)
    blind: set[int] = set()
    if reader in WATCHING:
        drawn = draws_waiting().filter(rating__table=table)
        blind = set(drawn.values_list("rating", flat=True))
    events = []
    for entry in entries[:limit]:
        body = json.loads(entry.text)["body"]
        if blind and _rating_of(entry, body) in blind:
            continue
        if entry.kind == "exception_opened" and body["code"] == FLOOR_REQUEST:
            continue  # Told by the request itself.
        title, words = _told(entry, body)
        events.append(
            {"at": entry.at, "title": title, "words": words, "tone": _TONES.get(entry.kind, "")}
        )
    return events


def _rating_of(entry: JournalEntry, body: dict[str, Any]) -> int | None:
    """Return the rating that an entry, or the slip that it is about, tells of."""
    about = body.get("rating")
    if about is None and entry.slip is not None:
        about = entry.slip.details.get("rating")
    return about if isinstance(about, int) else None


def _told(entry: JournalEntry, body: dict[str, Any]) -> tuple[str, str]:
    # What no one did the site did by itself: it told the next rank, for one.
    who = f"badge {body['badge']}" if "badge" in body else "automatically"
    who = str(entry.person or who)
    if entry.kind == "sign_refused":
        return "Signature refused", f"{who}: {', '.join(body['codes']).replace('_', ' ')}"
    if entry.kind == "exception_opened":
        return "Exception", body["sentence"]
    if entry.kind == "exception_resolved":
        return "Explained", f"{who}: {body['resolution']}"
    if entry.kind == "mismatch_settled":
        return f"Payout {body['way']}", who
    if entry.kind in ("envy_paid", "envy_reversed"):
        return ("Envy" if entry.kind == "envy_paid" else "Envy reversed"), body["says"]
    if entry.kind == "tapped_in":
        return f"{who} in", f"{body['relieves']} out" if body["relieves"] else "no dealer before"
    if entry.kind == "floor_asked":
        return "Request", body["sentence"]
    if entry.kind == "floor_withdrawn":
        return "Request withdrawn", f"{body['sentence']} By {who}"
    if entry.kind == "floor_logged":
        sentence = f"{body['outcome']} by {who}" if body["outcome"] != "noted" else who
        return body["title"], f"{body['sentence']} {sentence[0].upper()}{sentence[1:]}"
    if entry.kind == "cash_logged":
        amount = format_money(body["amount_cents"])
        return f"{CashKind(body['kind']).label.capitalize()} {amount}", who
    if entry.kind == "shoe_marked":
        what = "the shuffle" if body["mark"] == Mark.DEAL else "the shoe"
        took = body["seconds"]
        return Mark(body["mark"]).label, f"{what} took {clock_words(took)}" if took else ""
    if entry.kind in _OF_SEATS:
        where = f"seat {body['seat']}, " if "seat" in body else ""
        return _OF_SEATS[entry.kind], f"{where}{who}"
    if entry.kind == "rating_refused":
        return "Rating not allowed", f"{who}: {', '.join(body['codes']).replace('_', ' ')}"
    if entry.kind == "tapped_out":
        return f"{who} out", ""
    if entry.slip is not None and "." in entry.kind:
        step = entry.kind.partition(".")[2]
        return f"{headline_of(entry.slip)}: {step_title(entry.slip.kind, step).lower()}", who
    return entry.kind.replace("_", " ").capitalize(), who
