"""Stock the demo's trays through real fills, and leave some under way for each desk to sign."""

from __future__ import annotations

from inventory.card_demo import bring_cards, issue_cards, receive_cards
from inventory.demo_cash import import_the_lists, log_cash_of_the_day
from inventory.demo_credit import (
    bring_checks_to_the_bank,
    get_checks_back,
    lend_on_the_first_day,
)
from inventory.demo_patrons import file_patrons, leave_markers, lend_to_patrons
from inventory.kinds.cage_count import CAGE_COUNT
from inventory.kinds.credit import CREDIT
from inventory.kinds.fill import FILL
from inventory.kinds.house_cheques import HOUSE_RECEIPT
from inventory.selectors.cheques import cage_holding
from pitboss.demo import demo_crew, demo_device, demo_pen, demo_person, demo_signer
from pitboss.models import Device, Pit, Slip, Table
from pitboss.rules.cheques.cheques import combined
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before

__all__ = [
    "bring_cards",
    "bring_checks_to_the_bank",
    "bring_fills",
    "count_cage",
    "file_patrons",
    "get_checks_back",
    "import_the_lists",
    "issue_cards",
    "leave_markers",
    "leave_some_under_way",
    "lend_on_the_first_day",
    "lend_to_patrons",
    "log_cash_of_the_day",
    "receive_cards",
    "stock_cage",
    "stock_trays",
]

# The house owns this many times what its trays should hold together.
_TRAYS_OVER = 3
# How full each color of a tray is when the demo opens, in parts of a hundred, tray by tray.
_FULLNESS = (100, 95, 80, 100, 90, 70, 95)
# Which table has a fill or a credit under way, in which cheques, and which step is waited for.
_FILLS: tuple[tuple[str, dict[int, int], str], ...] = (
    ("BJ-34", {500_000: 4, 100_000: 20}, "top_signed"),
    ("BJ-33", {10_000: 20, 2_500: 80}, "carried"),
    ("BJ-15", {10_000: 20, 2_500: 60, 500: 80}, "agreed"),
    ("BJ-12", {2_500: 60, 500: 60}, "issued"),
)
_CREDITS: tuple[tuple[str, dict[int, int], str], ...] = (
    ("BJ-13", {50_000: 2, 10_000: 20}, "acknowledged"),
    ("BJ-35", {2_500: 80}, "matched"),
    ("BJ-38", {500: 60}, "carried"),
)
# Fills that came and were received earlier this evening.
_RECEIVED: tuple[tuple[str, dict[int, int]], ...] = (
    ("BJ-11", {2_500: 40, 500: 60}),
    ("BJ-31", {10_000: 20, 2_500: 60}),
)


def stock_cage() -> None:
    """Receive house cheques from the maker, enough for every tray and the cage itself."""
    pars = [table.par_cheques for table in Table.objects.all()]
    cheques = {cents: _TRAYS_OVER * count for cents, count in combined(*pars).items()}
    raising = HOUSE_RECEIPT.at(cheques=cheques)
    receipt = raise_kind(
        raising,
        pen=demo_pen(demo_person(Role.CASHIER), demo_device(Place.CAGE)),
        shown=shown_before(raising),
        reason="Blue Ridge Gaming, invoice 4471",
    )
    sign(
        slip_id=receipt.pk,
        step="taken_in",
        pen=demo_pen(demo_person(Role.SECURITY), demo_device(Place.CAGE)),
        shown=slip_shown(receipt),
        entry=Entry(counted=cheques),
    )


def count_cage() -> None:
    """Let two people count the cage in the morning: they find what the book says."""
    counted = cage_holding()
    raising = CAGE_COUNT.at(cheques=counted)
    slip = raise_kind(
        raising,
        pen=demo_pen(demo_person(Role.CASHIER), demo_device(Place.CAGE)),
        shown=shown_before(raising),
    )
    while (due := due_step(slip)) is not None:
        sign(
            slip_id=slip.pk,
            step=due.name,
            pen=demo_pen(demo_person(due.by[0], 1), demo_device(Place.CAGE)),
            shown=slip_shown(slip),
            entry=Entry(counted=counted),
        )
        slip = Slip.objects.get(pk=slip.pk)


def stock_trays(pit: Pit) -> None:
    """Bring every tray of a pit near its par by fills that the demo's people signed."""
    for index, table in enumerate(Table.objects.filter(pit=pit).select_related("pit")):
        cheques = {
            cents: count * _FULLNESS[(index + place) % len(_FULLNESS)] // 100
            for place, (cents, count) in enumerate(sorted(table.par_cheques.items()))
        }
        fill = _ask(FILL, table, {cents: count for cents, count in cheques.items() if count})
        _sign_until(fill, None)


def bring_fills(pit: Pit) -> None:
    """Bring the fills that some tables of a pit had earlier this evening."""
    tables = _tables_of(pit)
    for name, cheques in _RECEIVED:
        if name in tables:
            _sign_until(_ask(FILL, tables[name], cheques), None)


def leave_some_under_way(pit: Pit) -> None:
    """Leave some work for each desk: a fill or credit at every step that someone waits for."""
    tables = _tables_of(pit)
    for kind, errands in ((FILL, _FILLS), (CREDIT, _CREDITS)):
        for name, cheques, step in errands:
            if name in tables:
                _sign_until(_ask(kind, tables[name], cheques), step)


def _tables_of(pit: Pit) -> dict[str, Table]:
    return {table.name: table for table in Table.objects.filter(pit=pit).select_related("pit")}


def _ask(kind: Kind, table: Table, cheques: dict[int, int]) -> Slip:
    table.refresh_from_db()
    raising = kind.at(table, cheques)
    supervisor = demo_person(Role.SUPERVISOR, demo_crew(table.pit))
    pen = demo_pen(supervisor, _device(Place.PIT, table.pit))
    return raise_kind(raising, pen=pen, shown=shown_before(raising))


def _sign_until(slip: Slip, stop: str | None) -> None:
    """Let the demo's people sign a fill or credit up to a step, or to its end."""
    assert slip.table is not None
    crew = demo_crew(slip.table.pit)
    officer = demo_person(Role.SECURITY, crew)
    while (due := due_step(slip)) is not None and due.name != stop:
        place = due.at or Place.PIT
        sign(
            slip_id=slip.pk,
            step=due.name,
            track=Track.MAIN,
            pen=demo_pen(demo_signer(due.by[0], slip.table, crew), _device(place, slip.table.pit)),
            shown=slip_shown(slip),
            entry=Entry(counted=slip.cheques_by_cents, present_badge=officer.badge)
            if due.counts
            else Entry(),
        )
        slip = Slip.objects.select_related("table__pit").get(pk=slip.pk)


def _device(place: Place, pit: Pit) -> Device:
    return demo_device(place, pit if place == Place.PIT else None)
