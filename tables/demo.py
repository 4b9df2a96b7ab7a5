"""The demo's tables at work: opened by real openers, counted, their boxes pulled and counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Sum

from inventory.models import CashEntry, ChequeTransfer, Holder
from inventory.selectors.cheques import WORTH_CENTS, tray_holding, tray_holdings
from pitboss.demo import (
    PIN,
    RELIEF_A_PIT,
    demo_crew,
    demo_dealer,
    demo_device,
    demo_pen,
    demo_person,
)
from pitboss.demo_clock import let_time_pass
from pitboss.models import Person, Pit, Slip, Table
from pitboss.rules.cheques.cheques import combined
from pitboss.rules.drop.figures import BILLS_CENTS, DOCUMENTS
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.services import house
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.slips.kind import the_kind
from pitboss.slips.plan import PlannedStep
from pitboss.slips.raising import raise_kind, shown_before
from tables.demo_history import write_history
from tables.demo_nods import log_nods
from tables.demo_players import (
    leave_comps,
    look_at_everyone,
    seat_players,
    seat_regulars,
)
from tables.demo_terminals import ask_from, call_from, check_payouts, mispay, put_terminals
from tables.kinds.drop_count import DROP_COUNT
from tables.kinds.drop_pull import DROP_PULL
from tables.kinds.handover import DAY_CLOSE
from tables.selectors.box_papers import copies_expected
from tables.services.days import oldest_open_day
from tables.services.dealers import tap_in
from tables.services.drops import boxes_to_count, estimate_drop
from tables.services.open_items import open_items
from tables.services.settling import settle_due_days

__all__ = [
    "call_supervisors",
    "check_payouts",
    "close_the_day",
    "count_boxes",
    "count_the_evening",
    "early_tables",
    "end_the_night",
    "evening_tables",
    "hand_the_day_over",
    "leave_comps",
    "log_nods",
    "look_at_everyone",
    "open_early_tables",
    "open_now",
    "open_tables",
    "put_terminals",
    "relieve_dealers",
    "seat_players",
    "seat_regulars",
    "write_history",
]

# Open round the clock since the demo's first day: they have a history.
EARLY = ("BJ-11", "BJ-13", "BJ-15", "BJ-17", "BJ-31", "BJ-33", "BJ-35", "BJ-37")
# Opened and closed again, so that its next opener waits in the tray.
_CLOSED = "BJ-22"
# Three green short: both have signed, and the shift manager must look into it.
_SHORT, _MISSING = "BJ-40", {2_500: -3}
_CALLS = {"BJ-18": "Bets on two spots, one player"}
# Paid wrong just now; the supervisor has the proof.
_MISPAID = ("BJ-13",)
# What a terminal asks its supervisor for, and waits for.
_ASKS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "BJ-17": ("buy_in", {"amount_cents": 40_000}),
}
# What a night takes out of a tray, and brings back into it, in turn.
_NIGHTS: tuple[Mapping[int, int], ...] = (
    {50_000: -4, 10_000: -20, 2_500: -45, 500: -30},
    {50_000: 2, 10_000: -12, 2_500: -30, 500: 10},
    {50_000: -1, 10_000: -16, 2_500: -25, 500: 5},
)
# So many of each color stay in a tray, whatever the night.
_LEFT_MIN = 20


def early_tables(pit: Pit) -> list[Table]:
    """Return the tables of a pit that stay open round the clock."""
    return list(Table.objects.filter(pit=pit, name__in=EARLY).select_related("pit"))


def evening_tables(pit: Pit) -> list[Table]:
    """Return the tables of a pit that open for the evening."""
    return list(Table.objects.filter(pit=pit).exclude(name__in=EARLY).select_related("pit"))


def open_now(pit: Pit) -> list[Table]:
    """Return the tables of a pit that are open."""
    return list(Table.objects.filter(pit=pit, is_open=True).select_related("pit"))


def open_early_tables(pit: Pit) -> None:
    """Open the tables of a pit that stay open round the clock."""
    _open(early_tables(pit))


def open_tables(pit: Pit) -> None:
    """Open the others on what their trays hold; leave one closed, and one with a variance."""
    _open(evening_tables(pit))


def _open(tables: Iterable[Table]) -> None:
    tables = list(tables)
    holdings = tray_holdings(tables)
    for table in tables:
        counted = combined(holdings[table.pk], _MISSING if table.name == _SHORT else {})
        dealer = demo_dealer(table)
        _sign_on(_raise("opener", table, counted, dealer), stop="accepted")
        if table.name == _CLOSED:
            _sign_on(_raise("closer", table, counted, dealer), stop=None)


def relieve_dealers(pit: Pit) -> None:
    """Let every dealer of a pit be relieved, as a string of relief does.

    Who comes from a break relieves the first tables, and their dealers the next ones; the last of
    them go on a break.
    """
    tables = open_now(pit)
    first = Table.objects.count() + demo_crew(pit) * RELIEF_A_PIT
    rested = [demo_person(Role.DEALER, first + which) for which in range(RELIEF_A_PIT)]
    for table, dealer in zip(tables, [*rested, *map(demo_dealer, tables)], strict=False):
        tap_in(
            table_id=table.pk,
            badge=dealer.badge,
            pin=PIN,
            device=demo_device(Place.PIT, pit),
        )
        let_time_pass()


def end_the_night(pit: Pit, night: int) -> None:
    """Count the trays of a pit before the day turns, and pull their boxes."""
    moved = _NIGHTS[night % len(_NIGHTS)]
    for table in early_tables(pit):
        held = tray_holding(table)
        counted = combined(
            held, {cents: n for cents, n in moved.items() if held.get(cents, 0) + n >= _LEFT_MIN}
        )
        _sign_on(_raise("count", table, counted, demo_dealer(table)), stop=None)
        _pull(table)


def _pull(table: Table) -> None:
    table = Table.objects.select_related("pit").get(pk=table.pk)
    clock = f"{house.now().astimezone(house.the_property().zone):%H:%M}"
    box = DROP_PULL.at(table, new_box=f"{table.name} B", told_at=clock)
    pen = demo_pen(
        demo_person(Role.SECURITY, demo_crew(table.pit)), demo_device(Place.PIT, table.pit)
    )
    _sign_on(raise_kind(box, pen=pen, shown=shown_before(box)), stop=None)


def count_boxes(*, leave: Sequence[str] = (), not_posted: Sequence[str] = ()) -> None:
    """Count what lies in the boxes that came in; leave some for the count team and accounting."""
    office = demo_device(Place.OFFICE)
    for pull in boxes_to_count().exclude(table__name__in=leave).select_related("table"):
        documents = [copy.code for copy in copies_expected([pull])[pull.serial]]
        figures = {**_bills_of(pull), DOCUMENTS: len(documents)}
        count = DROP_COUNT.at(original=pull, figures=figures, documents=documents)
        pen = demo_pen(demo_person(Role.COUNT_TEAM), office)
        slip = raise_kind(count, pen=pen, shown=shown_before(count))
        sign(
            slip_id=slip.pk,
            step="verified",
            pen=demo_pen(demo_person(Role.COUNT_TEAM, 1), office),
            shown=slip_shown(slip),
            entry=Entry(figures=slip.details["figures"]),
        )
        if pull.details["box"] not in not_posted:
            sign(
                slip_id=slip.pk,
                step="posted",
                pen=demo_pen(demo_person(Role.ACCOUNTING), office),
                shown=slip_shown(Slip.objects.get(pk=slip.pk)),
            )


def _bills_of(pull: Slip) -> dict[str, int]:
    """Return the cash of a night: what left the tray, and what the house held of the drop."""
    assert pull.table is not None
    held_percent = random.Random(pull.serial).randint(9, 24)
    left = max(0, _left_the_tray(pull)) * 100 // (100 - held_percent)
    bills = {}
    for cents in BILLS_CENTS:
        share = left * (62 if cents > 2_000 else 80) // 100 // cents * cents
        bills[f"cash_{cents}"] = share
        left -= share
    return bills


def _left_the_tray(pull: Slip) -> int:
    """Return what went from a tray to the public on the day of a pull, less what came back."""
    moved = ChequeTransfer.objects.filter(table=pull.table, slip__gaming_day=pull.gaming_day)
    worth = Sum(WORTH_CENTS, default=0)
    return int(
        moved.filter(target=Holder.PUBLIC).aggregate(cents=worth)["cents"]
        - moved.filter(source=Holder.PUBLIC).aggregate(cents=worth)["cents"]
    )


def count_the_evening(pit: Pit) -> None:
    """Let the supervisor of a pit key what each box may hold by now, and have each tray counted."""
    today = house.period_at(house.now()).gaming_day
    for table in open_now(pit):
        dice = random.Random(table.name)
        logged = Counter[str]()
        for entry in CashEntry.objects.filter(table=table, gaming_day=today):
            logged[entry.kind] += entry.amount_cents
        bought_in_cents = dice.randrange(40, 110) * 2_000 + logged[CashKind.BUY_IN]
        estimate_drop(
            table=table,
            cash_cents=bought_in_cents + logged[CashKind.MARKER_PAYMENT],
            pen=demo_pen(
                demo_person(Role.SUPERVISOR, demo_crew(pit)), demo_device(Place.PIT, table.pit)
            ),
        )
        sold_cents = bought_in_cents * (100 - dice.randint(-12, 38)) // 100
        counted = _sold(tray_holding(table), sold_cents)
        _sign_on(_raise("count", table, counted, demo_dealer(table)), stop=None)


def _sold(held: Mapping[int, int], cents: int) -> dict[int, int]:
    """Return a tray after cheques for an amount went over the table: half in black, if it can."""
    left = dict(held)
    for colour, share in ((10_000, 2), (2_500, 1), (500, 1), (10_000, 1), (50_000, 1)):
        gone = min(left.get(colour, 0), cents // share // colour)
        if gone:
            left[colour] -= gone
            cents -= gone * colour
    return left


def call_supervisors(pit: Pit) -> None:
    """Let tables of the pit call, ask for an approval, or have paid something wrong."""
    for table in open_now(pit):
        if table.name in _CALLS:
            call_from(table, _CALLS[table.name])
        if table.name in _ASKS:
            ask_from(table, *_ASKS[table.name])
        if table.name in _MISPAID:
            mispay(table)


def close_the_day() -> None:
    """Let two shift managers close the oldest day that is open, with nothing left in it."""
    slip = hand_the_day_over()
    sign(
        slip_id=slip.pk,
        step=str(_due(slip).name),
        pen=demo_pen(demo_person(Role.SHIFT_MANAGER, 1), demo_device(Place.OFFICE)),
        shown=slip_shown(slip),
    )
    settle_due_days()


def hand_the_day_over() -> Slip:
    """Let a shift manager hand the oldest open day over: it waits for the one who takes it."""
    day = oldest_open_day()
    assert day is not None, "the demo has slips of earlier days"
    carry = [item.key for item in open_items(day)]
    close = DAY_CLOSE.at(day=day.isoformat(), carry=carry)
    pen = demo_pen(demo_person(Role.SHIFT_MANAGER), demo_device(Place.OFFICE))
    return raise_kind(close, pen=pen, shown=shown_before(close))


def _raise(kind: str, table: Table, counted: Mapping[int, int], dealer: Person) -> Slip:
    table = Table.objects.select_related("pit").get(pk=table.pk)
    raising = the_kind(kind).at(table, counted)
    pen = demo_pen(dealer, demo_device(Place.PIT, table.pit))
    return raise_kind(raising, pen=pen, shown=shown_before(raising))


def _due(slip: Slip) -> PlannedStep:
    due = due_step(slip)
    assert due is not None, f"{slip} waits for somebody"
    return due


def _sign_on(slip: Slip, stop: str | None) -> None:
    """Let the demo's people sign a count or a pull up to a step, or to its end."""
    assert slip.table is not None
    while (due := due_step(slip)) is not None and due.name != stop:
        role = due.by[0]
        sign(
            slip_id=slip.pk,
            step=due.name,
            pen=demo_pen(
                demo_person(role, demo_crew(slip.table.pit)), demo_device(Place.PIT, slip.table.pit)
            ),
            shown=slip_shown(slip),
            entry=Entry(counted=slip.cheques_by_cents) if due.counts else Entry(),
        )
        slip = Slip.objects.select_related("table__pit").get(pk=slip.pk)
