"""The board: what every tablet of the pit looks at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator

from inventory.selectors.cheques import tray_holdings
from pitboss.models import FloorException, Person, Pit, Signature, Slip, Table, Waiting
from pitboss.rules.cheques import format_money, total_cents
from pitboss.rules.closing_notice import CLOSING, WORDS
from pitboss.rules.dead_tables import RECOUNT_AFTER_DAYS, Recount
from pitboss.rules.games_printed import GAMES
from pitboss.rules.gaming_day import Period
from pitboss.rules.jackpot_flows import JACKPOT
from pitboss.rules.roles import Role
from pitboss.rules.settings_book import BOOK
from pitboss.rules.tray_flows import (
    CLOSER,
    COUNT,
    OPENER,
    RECOUNT,
    SHIFT_COUNT,
    TRAY_COUNTS,
    VARIANCE_STEPS,
)
from pitboss.selectors.slips import heading_of
from pitboss.selectors.waiting import waiting_now
from pitboss.services import house
from pitboss.services.exceptions import FLOOR_REQUEST
from tables.selectors.counts import LastCount, last_count_of, recount_of_table, with_last_count
from tables.services.floor_log import last_closing_word

Cheques = dict[int, int]

_RELIEF_AFTER_MINUTES: int = BOOK["dealers.relief_after"].default
# A day and no more: a recount that is due today is late tomorrow.
_RECOUNT_LIMIT_SECONDS = 24 * 3600

_COUNTING = {
    OPENER.kind: "Opening",
    CLOSER.kind: "Closing",
    RECOUNT.kind: "Recount",
    COUNT.kind: "Count",
    SHIFT_COUNT.kind: "Count",
}
_TOLD_STEPS = VARIANCE_STEPS | {"top_signed", "locked"}


def tables_now(tables: Any) -> Any:
    """Add who deals at each table, and its last count, without a query a table."""
    dealing = FilteredRelation("dealings", condition=Q(dealings__ended_at=None))
    return with_last_count(tables).annotate(
        dealing=dealing,
        dealer_first_name=F("dealing__dealer__first_name"),
        dealer_last_name=F("dealing__dealer__last_name"),
        dealer_badge=F("dealing__dealer__badge"),
        dealt_since=F("dealing__began_at"),
        closing_word=Subquery(last_closing_word(OuterRef("pk")).values("kind")[:1]),
    )


def is_closing(table: Any) -> bool:
    """Tell whether a table read by `tables_now` closes after the shoe that is dealt."""
    return bool(table.is_open and table.closing_word == CLOSING)


def dealer_of(table: Any, relief_after_minutes: int) -> dict[str, Any] | None:
    """Return who deals at a table read by `tables_now`, since when, and whether relief is due."""
    if table.dealt_since is None:
        return None
    minutes = int((house.now() - table.dealt_since).total_seconds()) // 60
    return {
        "name": str(Person(first_name=table.dealer_first_name, last_name=table.dealer_last_name)),
        "badge": table.dealer_badge,
        "since": table.dealt_since,
        "minutes": minutes,
        "is_due": minutes >= relief_after_minutes,
    }


def tiles_of(
    pit: Pit, when: Period, relief_after_minutes: int = _RELIEF_AFTER_MINUTES
) -> list[dict[str, Any]]:
    """Return the tiles of a pit's tables. A fixed number of queries, however many tables."""
    tables = list(tables_now(pit.tables.all()))
    held = tray_holdings(tables)
    waits: dict[int, list[Waiting]] = defaultdict(list)
    held_jackpot = Signature.objects.filter(slip=OuterRef("slip"), step="held_witnessed")
    now = waiting_now().filter(table__pit=pit).select_related("slip", "exception")
    for wait in now.annotate(is_held=Exists(held_jackpot)):
        assert wait.table_id is not None
        waits[wait.table_id].append(wait)
    return [
        {
            **_tile(table, held[table.pk], waits[table.pk], when),
            "dealer": dealer_of(table, relief_after_minutes),
        }
        for table in tables
    ]


def _tile(table: Any, held: Cheques, waits: list[Waiting], when: Period) -> dict[str, Any]:
    # Trouble first, then whoever has waited longest.
    waits = sorted(waits, key=lambda wait: (not _is_trouble(wait), wait.since))
    first = waits[0] if waits else None
    counting = counting_of(waits)
    last = last_count_of(table)
    recount = recount_of_table(table, last, when.gaming_day)
    state, tone = state_of(table, counting), "" if table.is_open else "off"
    foot = _foot(first, table.name, held) if first else None
    if first is not None:
        tone = "bad" if _is_trouble(first) else "wait"
        if counting is None or first.exception_id:
            state = {"kind": tone, "word": _word(first)}
        if tone == "wait" and any(map(_is_pending, waits)):
            state, tone = _PENDING, "jack"
    elif recount != Recount.NOT_YET and last is not None:
        tone = "bad" if recount == Recount.OVERDUE else "wait"
        state = {"kind": tone, "word": f"Recount {recount.value}"}
        foot = _recount_foot(table, last, when)
    return {
        "name": table.name,
        "url": reverse("table", args=[table.name]),
        "state": state,
        "tone": tone,
        "is_open": table.is_open,
        "game": game_words(table),
        "limits": limits_words(table),
        "nobody": _nobody(table, last),
        "held": None if is_blind(counting) else held,
        "par": table.par_cheques,
        "waits": foot,
        "quiet": WORDS if is_closing(table) else _quiet(table, last),
    }


_PENDING = {"kind": "jack", "word": "PENDING"}


def _is_pending(wait: Any) -> bool:
    """Tell whether a jackpot waits that holds its round open; read by `tiles_of`."""
    is_jackpot = wait.slip is not None and wait.slip.kind == JACKPOT.kind
    return is_jackpot and not wait.is_held


def counting_of(waits: Sequence[Waiting]) -> Waiting | None:
    """Return the step at which a table's tray is being counted now, if it is."""
    return next((wait for wait in waits if wait.slip and wait.slip.kind in TRAY_COUNTS), None)


def is_blind(counting: Waiting | None) -> bool:
    """Tell whether a count is under way that must not know what the book says."""
    return counting is not None and counting.step not in _TOLD_STEPS


def state_of(table: Any, counting: Waiting | None, pending: Sequence[Slip] = ()) -> dict[str, str]:
    """Return how a table read by `tables_now` stands: a shape and a word."""
    if pending:
        return _PENDING
    if counting is not None and counting.slip is not None:
        return {"kind": "half", "word": _COUNTING[counting.slip.kind]}
    if is_closing(table):
        return {"kind": "half", "word": "Last shoe"}
    return {"kind": "open", "word": "Open"} if table.is_open else {"kind": "off", "word": "Closed"}


_EXCEPTIONS = {
    FLOOR_REQUEST: "Asks you",
    "count_differs": "Count differs",
    "meter_differs": "Meter differs",
    "more_than_exists": "Too many cheques",
    "payout_differs": "Payout differs",
    "supervisor_called": "Calls you",
    "regulator_notice": "Tell the regulator",
    "return_differs": "Return differs",
    "tray_variance": "Variance voided",
}
_FOOT_CHARS = 44


def _is_trouble(wait: Waiting) -> bool:
    if wait.exception is not None:
        return wait.exception.code != FLOOR_REQUEST
    return wait.step in VARIANCE_STEPS


def _nobody(table: Table, last: LastCount | None) -> str:
    if table.is_open:
        return "No dealer"
    if last is None:
        return "Never opened"
    return f"Tray locked {timezone.localtime(last.at):%H:%M}"


def _quiet(table: Table, last: LastCount | None) -> str:
    if not table.is_open and last is not None:
        return f"Opener equals {last.kind} {format_money(last.amount_cents)}"
    if last is not None:
        return f"Nothing waits · counted {timezone.localtime(last.at):%H:%M}"
    return "Nothing waits"


def _word(wait: Waiting) -> str:
    if wait.exception is not None:
        return "Asks" if wait.exception.code == FLOOR_REQUEST else "Exception"
    assert wait.slip is not None
    return f"{wait.slip.title}"


def _own_words(exception: FloorException, table: str) -> str:
    """Return what an exception says where its table and its title stand already."""
    for before in (" asks. ", " calls the supervisor: ", ": "):
        name, is_there, what = exception.sentence.partition(before)
        if is_there and name == table:
            return what[:1].upper() + what[1:]
    return exception.sentence


def _foot(wait: Waiting, table: str, held: Cheques | None = None) -> dict[str, Any]:
    if wait.exception is not None:
        return {
            "title": _EXCEPTIONS.get(wait.exception.code, "To explain"),
            # A tile keeps its size; the exception's own page has the whole sentence.
            "words": Truncator(_own_words(wait.exception, table)).chars(_FOOT_CHARS),
            "url": reverse("exception", args=[wait.exception.pk]),
            "since": wait.since,
            "limit_seconds": wait.limit_seconds,
        }
    assert wait.slip is not None
    title, words = heading_of(wait.slip), f"waits for {Role(wait.by[0]).label}"
    if wait.step == "locked":
        title, words = "Closing: not locked", "waits for the lock"
    if wait.step in VARIANCE_STEPS and held is not None:
        variance_cents = wait.slip.total_cents - total_cents(held)
        sign = "+" if variance_cents > 0 else ""
        by = sign + format_money(variance_cents) if variance_cents else "colours differ"
        title, words = f"{wait.slip.title} {by}", f"on {Role(wait.by[0]).label}"
    return {
        "title": title,
        "words": words,
        "url": reverse("slip", args=[wait.slip.serial]),
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
    }


def troubles_at(table: Table) -> list[dict[str, Any]]:
    """Return what somebody must answer for at a table, oldest first; what is asked, is not here."""
    waits = waiting_now().filter(table=table, exception__isnull=False)
    waits = waits.exclude(exception__code=FLOOR_REQUEST)
    return [
        {**_foot(wait, table.name), "words": wait.exception.sentence}
        for wait in waits.select_related("exception").order_by("since")
        if wait.exception is not None
    ]


def _recount_foot(table: Table, last: LastCount, when: Period) -> dict[str, Any]:
    days = (when.gaming_day - last.gaming_day).days
    return {
        "title": "Recount due",
        "words": f"closed {days} days, {format_money(last.amount_cents)}",
        "url": reverse("recount", args=[table.name]),
        "since": last.at + timedelta(days=RECOUNT_AFTER_DAYS),
        "limit_seconds": _RECOUNT_LIMIT_SECONDS,
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
        table = wait.table.name if wait.table else "House"
        strip.append(
            {
                **_foot(wait, table),
                "table": table,
                "tone": "bad" if _is_trouble(wait) else "wait",
            }
        )
    return strip
