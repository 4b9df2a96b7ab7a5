"""Open the demo's tables through real openers, with a dealer at each; nod to a few things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from inventory.selectors.cheques import tray_holdings
from pitboss.demo import demo_device, demo_pen, demo_person
from pitboss.models import Person, Slip, Table
from pitboss.rules.cheques import combined
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.services.shown import request_shown, slip_shown
from pitboss.services.signing import Entry, sign
from tables.services.floor_log import NewEntry, Tap, enter
from tables.services.trays import new_count, raise_count

# Opened and closed again, so that its next opener waits in the tray.
_CLOSED = "BJ-22"
# Three green short: both have signed, and the shift manager must look into it.
_SHORT, _MISSING = "BJ-40", {2_500: -3}

_NODS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("BJ-11", "buy_in", {"amount_cents": 60_000}),
    ("BJ-15", "cheque_change", {"taken": {"10000": 5}, "sent": {"2500": 20}}),
    ("BJ-13", "colour_up", {"taken": {"2500": 48}, "colour": "10000"}),
    ("BJ-11", "toke_box", {"cheques": {"10000": 1}}),
    ("BJ-12", "dealer_cut", {}),
    ("BJ-34", "standing", {"what": "buy_in", "up_to_cents": 100_000}),
)


def open_tables() -> None:
    """Open every table on what its tray holds; leave one closed, and one with a variance."""
    dealers = _dealers()
    tables = list(Table.objects.select_related("pit").order_by("name"))
    holdings = tray_holdings(tables)
    for table in tables:
        held = holdings[table.pk]
        dealer = next(dealers)
        counted = combined(held, _MISSING) if table.name == _SHORT else held
        _sign_on(_raise("opener", table, counted, dealer), stop="accepted")
        if table.name == _CLOSED:
            _sign_on(_raise("closer", table, counted, dealer), stop=None)


def _dealers() -> Iterator[Person]:
    yield from Person.objects.filter(role=Role.DEALER.value).order_by("badge")


def _raise(kind: str, table: Table, counted: Mapping[int, int], dealer: Person) -> Slip:
    table = Table.objects.select_related("pit").get(pk=table.pk)
    return raise_count(
        kind,
        table=table,
        counted=counted,
        pen=demo_pen(dealer, demo_device(Place.PIT, table.pit)),
        shown=request_shown(new_count(kind, table, counted), table),
    )


def _sign_on(slip: Slip, stop: str | None) -> None:
    """Let the demo's people sign a count up to a step, or to its end."""
    assert slip.table is not None
    while (due := due_step(slip)) is not None and due["name"] != stop:
        sign(
            slip_id=slip.pk,
            step=due["name"],
            pen=demo_pen(demo_person(Role(due["by"][0])), demo_device(Place.PIT, slip.table.pit)),
            shown=slip_shown(slip),
            entry=Entry(counted=slip.cheques_by_cents) if due["counts"] else Entry(),
        )
        slip = Slip.objects.select_related("table__pit").get(pk=slip.pk)


def log_nods() -> None:
    """Log what the demo's supervisor nodded to, by taps as on a floor."""
    tables = {table.name: table for table in Table.objects.select_related("pit")}
    supervisor = demo_person(Role.SUPERVISOR)
    for name, code, given in _NODS:
        table = tables[name]
        enter(
            table_id=table.pk,
            new=NewEntry(code, given),
            hand=Tap(supervisor, demo_device(Place.PIT, table.pit), uuid4()),
        )
