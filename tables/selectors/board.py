"""The board: what every tablet of the pit looks at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Case, F, FilteredRelation, OuterRef, Q, Subquery, When
from django.urls import reverse
from django.utils import timezone

from inventory.selectors.cheques import tray_holdings
from pitboss.models import Person, Pit, Slip, Table, Waiting
from pitboss.rules.cheques.cheques import (
    format_money,
    low_colours,
    suggest_to_par,
    total_cents,
)
from pitboss.rules.cheques.tray_counts import (
    CLOSER,
    COUNT,
    OPENER,
    RECOUNT,
    SHIFT_COUNT,
    TRAY_COUNTS,
    VARIANCE_STEPS,
)
from pitboss.rules.day.dead_tables import RECOUNT_AFTER_DAYS, Recount
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.floor.closing_notice import CLOSING, WORDS
from pitboss.rules.floor.urgency import Urgency, in_order
from pitboss.rules.games.tracked import TABLE_GAMES, has_cards
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.roles import SUPERVISING, Role
from pitboss.rules.settings.book import BOOK
from pitboss.selectors.waiting import waiting_in, waiting_now
from pitboss.services import house
from pitboss.services.exceptions import FLOOR_REQUEST
from pitboss.slips.addresses import SUGGESTED, new_url
from tables.models import Dealing
from tables.selectors.board_items import item_of, no_dealer, relief_due
from tables.selectors.counts import LastCount, last_count_of, recount_of_table, with_last_count
from tables.selectors.live_changes import limits_now, to_come, with_limits
from tables.selectors.ratings import seats_taken
from tables.selectors.win_estimates import SoFar
from tables.services.floor_log import last_closing_word
from tables.services.rating_facts import SEATS

Cheques = dict[int, int]

_RELIEF_AFTER_MINUTES: int = BOOK["dealers.relief_after"].default
# A day and no more: a recount that is due today is late tomorrow.
_RECOUNT_LIMIT_SECONDS = 24 * 3600

_COUNTING = {
    OPENER: "Opening",
    CLOSER: "Closing",
    RECOUNT: "Recount",
    COUNT: "Count",
    SHIFT_COUNT: "Count",
}
_TOLD_STEPS = VARIANCE_STEPS | {"top_signed", "locked"}


def tables_now(tables: Any) -> Any:
    """Add who deals at each table, and its last count, without a query a table."""
    dealing = FilteredRelation("dealings", condition=Q(dealings__ended_at=None))
    return with_limits(with_last_count(tables)).annotate(
        dealing=dealing,
        dealer_first_name=F("dealing__dealer__first_name"),
        dealer_last_name=F("dealing__dealer__last_name"),
        dealer_badge=F("dealing__dealer__badge"),
        dealt_since=F("dealing__began_at"),
        seats_taken=seats_taken(OuterRef("pk")),
        closing_word=Subquery(last_closing_word(OuterRef("pk")).values("kind")[:1]),
        # Asked only where no one deals: a table has thousands of these behind it.
        left_at=Case(
            When(is_open=True, dealing=None, then=Subquery(_last_dealing().values("ended_at")[:1]))
        ),
    )


def _last_dealing() -> Any:
    return Dealing.objects.filter(table=OuterRef("pk"), ended_at__isnull=False).order_by(
        "-ended_at"
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
    pit: Pit,
    when: Period,
    relief_after_minutes: int = _RELIEF_AFTER_MINUTES,
    role: Role = Role.SHIFT_MANAGER,
    waits: Sequence[Waiting] | None = None,
    won: Callable[[Sequence[Table]], Mapping[int, SoFar | None]] | None = None,
) -> list[dict[str, Any]]:
    """Return the tiles of a pit's tables, as one role sees them.

    A fixed number of queries, however many tables: one less where the caller has read the waits.
    Who may see what tables have won asks for it by `won`.
    """
    tables = list(tables_now(pit.tables.all()))
    wins = won(tables) if won is not None else {}
    held = tray_holdings(tables)
    at_tables: dict[int | None, list[Waiting]] = defaultdict(list)
    for wait in waiting_in(pit) if waits is None else waits:
        at_tables[wait.table_id].append(wait)
    return [
        _tile(
            table,
            held[table.pk],
            at_tables[table.pk],
            when,
            role,
            dealer_of(table, relief_after_minutes),
            relief_after_minutes,
        )
        | {"won": wins.get(table.pk), "shows_win": won is not None}
        for table in tables
    ]


def _tile(
    table: Any,
    held: Cheques,
    waits: list[Waiting],
    when: Period,
    role: Role,
    dealer: dict[str, Any] | None,
    relief_after_minutes: int,
) -> dict[str, Any]:
    counting = counting_of(waits)
    last = last_count_of(table)
    recount = recount_of_table(table, last, when.gaming_day)
    items = [item_of(wait, table.name, held, role) for wait in waits]
    state, tone = state_of(table, counting), "" if table.is_open else "off"
    if dealer is None and table.is_open and counting is None:
        items.append(no_dealer(table, last, role))
    elif dealer is not None and dealer["is_due"]:
        items.append(relief_due(table, dealer, relief_after_minutes, role))
    if not items and recount != Recount.NOT_YET and last is not None:
        items.append(_recount_item(table, last, when, is_late=recount == Recount.OVERDUE))
        state = {"kind": items[0]["tone"], "word": f"Recount {recount.value}"}
    items.sort(key=lambda item: in_order(item["urgency"], item["since"]))
    first = items[0] if items else None
    if first is not None:
        tone = first["tone"]
        if first["state"] and (counting is None or first["urgency"] <= Urgency.TROUBLE):
            state = first["state"]
        if first["urgency"] is Urgency.JACKPOT and any(map(_is_pending, waits)):
            state = _PENDING
    return {
        "name": table.name,
        "url": reverse("table", args=[table.name]),
        "state": state,
        "tone": tone,
        "is_open": table.is_open,
        "game": game_words(table),
        "limits": limits_words(table),
        "seats": {"taken": table.seats_taken or 0, "of": SEATS} if table.is_open else None,
        "nobody": _nobody(table, last),
        "dealer": dealer,
        "held": None if is_blind(counting) else held,
        "par": table.par_cheques,
        "waits": first,
        "more": len(items) - 1 if items else 0,
        # Of the table itself, and so in no one's inbox.
        "unstaffed": [item for item in items if item["is_staffing"]],
        "fill": _fill(table, held, role) if first is None else None,
        "quiet": WORDS if is_closing(table) else _coming(table) or _quiet(table, last),
    }


_PENDING = {"kind": "jack", "word": "PENDING"}


def _is_pending(wait: Any) -> bool:
    """Tell whether a jackpot waits that holds its round open; read by `tiles_of`."""
    is_jackpot = wait.slip is not None and wait.slip.kind == JACKPOT
    return is_jackpot and "held_witnessed" not in wait.signed_steps


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


def _nobody(table: Table, last: LastCount | None) -> str:
    if table.is_open:
        return "No dealer"
    if last is None:
        return "Never opened"
    return f"Tray locked {timezone.localtime(last.at):%H:%M}"


def _coming(table: Any) -> str:
    """Say which limits are signed for a table and when they begin."""
    coming = to_come(table)
    return f"{coming.sign}: {coming.words[:1].lower()}{coming.words[1:]}" if coming else ""


def _fill(table: Any, held: Cheques, role: Role) -> dict[str, str] | None:
    """Return the way to the fill that an open table is low enough for, for who requests fills."""
    if not table.is_open or is_closing(table) or role not in SUPERVISING:
        return None
    if not low_colours(held, table.par_cheques):
        return None
    missing = suggest_to_par(held, table.par_cheques)
    if not missing:
        return None
    return {
        "amount": format_money(total_cents(missing)),
        "url": new_url("fill", table=table.name, **{SUGGESTED: 1}),
    }


def _quiet(table: Table, last: LastCount | None) -> str:
    if not table.is_open and last is not None:
        return f"Opener must match {last.kind}: {format_money(last.amount_cents)}"
    if last is not None:
        return f"No open items · counted {timezone.localtime(last.at):%H:%M}"
    return "No open items"


def troubles_at(table: Table) -> list[dict[str, Any]]:
    """Return what someone must answer for at a table, oldest first; what is asked, is not here."""
    waits = waiting_now().filter(table=table, exception__isnull=False)
    waits = waits.exclude(exception__code=FLOOR_REQUEST)
    return [
        {**item_of(wait, table.name), "words": wait.exception.sentence}
        for wait in waits.select_related("exception").order_by("since")
        if wait.exception is not None
    ]


def _recount_item(table: Table, last: LastCount, when: Period, *, is_late: bool) -> dict[str, Any]:
    days = (when.gaming_day - last.gaming_day).days
    return {
        "title": "Recount due",
        "words": f"closed {days} days, {format_money(last.amount_cents)}",
        "url": new_url("recount", table=table.name),
        "since": last.at + timedelta(days=RECOUNT_AFTER_DAYS),
        "limit_seconds": _RECOUNT_LIMIT_SECONDS,
        "urgency": Urgency.SLIP,
        "tone": "bad" if is_late else "wait",
        "state": None,
        "is_staffing": False,
        "is_written": False,
    }


def game_words(table: Table) -> str:
    """Return the game of a table as the board says it."""
    game = TABLE_GAMES[table.game]
    name = game.name.removesuffix(" blackjack").removesuffix(" Blackjack")
    if not has_cards(game):
        return name
    return f"{name} · {table.decks} deck{'' if table.decks == 1 else 's'}"


def limits_words(table: Any) -> str:
    """Return the limits of a table: “$25–3,000”."""
    least_cents, most_cents = limits_now(table)
    return f"{format_money(least_cents)}–{format_money(most_cents)[1:]}"
