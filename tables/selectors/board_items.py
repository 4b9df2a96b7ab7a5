"""What waits as the board says it: at the foot of a tile, and in the strip over the tiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.text import Truncator

from pitboss.models import Device, FloorException, Waiting
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.cheques.tray_counts import VARIANCE_STEPS
from pitboss.rules.floor.urgency import Urgency, in_order
from pitboss.rules.flows.reading import may_read
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.rules.settings.book import BOOK
from pitboss.selectors.slips import headline_of
from pitboss.selectors.waiting import is_done_here, rank_of
from pitboss.services import house
from pitboss.services.exceptions import FLOOR_REQUEST, PART_OFFERED, SIGN_TO_CHANGE
from tables.selectors.counts import LastCount

_LIMIT_SECONDS: int = BOOK["waiting.limit"].default * 60
_FOOT_CHARS = 44

_EXCEPTIONS = {
    FLOOR_REQUEST: "Request",
    "count_differs": "Count doesn’t match",
    "meter_differs": "Meter doesn’t match",
    "more_than_exists": "Too many cheques",
    "award_receivable": "Paid too much",
    "award_liability": "Paid too little",
    "marker_receivable": "Find the money",
    PART_OFFERED: "Part of a fill",
    "payout_differs": "Mismatch",
    "paid_twice": "Paid twice",
    "paid_without_approval": "Not approved",
    "supervisor_called": "Dealer calling",
    "regulator_notice": "Notify the regulator",
    "return_differs": "Return doesn’t match",
    SIGN_TO_CHANGE: "Change the sign",
    "tray_may_be_short": "Count the tray",
    "cheques_out_of_play": "Cheques out of play",
    "impressment_due": "Count its pieces",
    "foreign_at_table": "Other houses’ cheques",
    "tray_variance": "Variance",
    "variance_security": "Report variance",
    "variance_surveillance": "Report variance",
}
# What the table is asked for, where that is no request of its dealer.
_ASKED = {SIGN_TO_CHANGE: "Limits", PART_OFFERED: "Fill"}
# A shape and a word of its own for what a supervisor must see from across the pit.
_CALLING = {"kind": "call", "word": "Calling"}
_JACKPOT = {"kind": "jack", "word": "Jackpot"}
_NO_DEALER = {"kind": "nobody", "word": "No dealer"}


def item_of(
    wait: Waiting,
    table: str,
    held: Mapping[int, int] | None = None,
    role: Role = Role.SHIFT_MANAGER,
) -> dict[str, Any]:
    """Return one thing that waits at a table, with the way to it that a role may go."""
    urgency = rank_of(wait)
    tone = _tone(wait, urgency)
    item: dict[str, Any] = {
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "urgency": urgency,
        "tone": tone,
        "state": _state(wait, urgency, tone),
        "is_staffing": False,
        "is_written": wait.exception is not None,
    }
    if wait.exception is not None:
        return item | {
            "title": _EXCEPTIONS.get(wait.exception.code, "Explain"),
            # A tile keeps its size; the exception's own page has the whole sentence.
            "words": Truncator(_own_words(wait.exception, table)).chars(_FOOT_CHARS),
            "url": reverse("exception", args=[wait.exception.pk]),
        }
    assert wait.slip is not None
    title, words = headline_of(wait.slip), f"Waiting for {Role(wait.by[0]).label}"
    if wait.step == "locked":
        title, words = "Closing: tray not locked", "Lock the tray"
    if wait.step in VARIANCE_STEPS and held is not None:
        variance_cents = wait.slip.total_cents - total_cents(held)
        sign = "+" if variance_cents > 0 else ""
        by = sign + format_money(variance_cents) if variance_cents else "Colors don’t match"
        title, words = f"{wait.slip.title} {by}", f"on {Role(wait.by[0]).label}"
    reads = may_read(wait.slip.kind, role)
    url = reverse("slip", args=[wait.slip.serial]) if reads else reverse("table", args=[table])
    return item | {"title": title, "words": words, "url": url}


def without_names(item: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return an item without the words that people wrote, in which a patron can be named."""
    if item is None or not item["is_written"]:
        return item
    return item | {"words": "Unlock to read"}


def _tone(wait: Waiting, urgency: Urgency) -> str:
    if urgency is Urgency.JACKPOT:
        return "jack"
    if urgency is Urgency.TROUBLE or (wait.exception and urgency <= Urgency.PAYOUT):
        return "bad"
    return "wait"


def _state(wait: Waiting, urgency: Urgency, tone: str) -> dict[str, str]:
    if urgency is Urgency.CALL:
        return _CALLING
    if urgency is Urgency.JACKPOT:
        return _JACKPOT
    if wait.exception is not None:
        asked = _ASKED.get(wait.exception.code, "Request")
        return {"kind": tone, "word": "Exception" if tone == "bad" else asked}
    assert wait.slip is not None
    return {"kind": tone, "word": f"{wait.slip.title}"}


def _string_url(table: Any, role: Role) -> str:
    """Return where dealers are sent from; for the person who sends none, the table itself."""
    if role in SUPERVISING:
        return reverse("pit-dealers", args=[table.pit_id])
    return reverse("table", args=[table.name])


def no_dealer(table: Any, last: LastCount | None, role: Role) -> dict[str, Any]:
    """Return that no one deals at an open table; read by `tables_now`."""
    # A table that was opened without one has had none since its count.
    counted_at = last.at if last else house.now()
    return {
        "title": "Send a dealer",
        "words": "No one is dealing",
        "url": _string_url(table, role),
        "since": table.left_at or counted_at,
        "limit_seconds": _LIMIT_SECONDS,
        "urgency": Urgency.NO_DEALER,
        "tone": "nobody",
        "state": _NO_DEALER,
        "is_staffing": True,
        "is_written": False,
    }


def relief_due(
    table: Any, dealer: Mapping[str, Any], after_minutes: int, role: Role
) -> dict[str, Any]:
    """Return that a dealer has been at a table for longer than the house wants."""
    return {
        "title": "Relief due",
        "words": f"{dealer['name']}, {dealer['minutes']} min",
        # The pad of the person who comes in is one tap away; who else could come, one more.
        "url": reverse("dealer" if role in SUPERVISING else "table", args=[table.name]),
        "since": dealer["since"] + timedelta(minutes=after_minutes),
        "limit_seconds": _LIMIT_SECONDS,
        "urgency": Urgency.RELIEF,
        "tone": "wait",
        # The table itself is as it was: only someone is due there.
        "state": None,
        "is_staffing": True,
        "is_written": False,
    }


def _own_words(exception: FloorException, table: str) -> str:
    """Return what an exception says where its table and its title stand already."""
    # A request keeps what it asks, and a call what it is about; others name their table first.
    about = exception.details.get("asks") or exception.details.get("about")
    what: str = about or exception.sentence.removeprefix(f"{table}: ")
    return what[:1].upper() + what[1:]


def strip_of(
    *,
    of_pit: Iterable[Waiting],
    for_person: Sequence[Waiting],
    tiles: Iterable[Mapping[str, Any]],
    role: Role,
    device: Device | None,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what a person can do on this tablet now, and what waits for others or elsewhere.

    Both by urgency. The second is of this pit, and of whatever names the person and is done on
    another device.
    """
    here = {wait.pk for wait in for_person if is_done_here(wait, role, device)}
    waits = {wait.pk: wait for wait in (*of_pit, *for_person)}
    mine: list[dict[str, Any]] = []
    elsewhere: list[dict[str, Any]] = []
    for wait in waits.values():
        table = wait.table.name if wait.table else "House"
        item = item_of(wait, table, role=role) | {"table": table}
        if wait.pk in here and item["urgency"] is Urgency.CALL:
            assert wait.exception is not None
            item["answer_url"] = reverse("call-answer", args=[wait.exception.pk])
        (mine if wait.pk in here else elsewhere).append(item)
    staffs = role in SUPERVISING and device is not None and device.place == Place.PIT.value
    for tile in tiles:
        for item in tile["unstaffed"]:
            (mine if staffs else elsewhere).append(item | {"table": tile["name"]})
    for items in (mine, elsewhere):
        items.sort(key=lambda item: in_order(item["urgency"], item["since"]))
    return mine, elsewhere
