"""What tests of the cash log share: patrons on file, and cash as the pit and the cage log it."""

from __future__ import annotations

from datetime import date
from typing import Any

from inventory.kinds.cash_correction import CASH_CORRECTION
from inventory.models import CashEntry, CurrencyReportClosing, Patron, Stranger, StrangerMatch
from inventory.services.cash_log import (
    Transaction,
    cash_shown,
    key_cash,
    outlook_of,
)
from inventory.services.compliance import match_stranger
from inventory.services.currency_reports import close_report
from inventory.services.patrons import add_patron
from pitboss.models import Device, Person, Pit, Slip, Table
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.floor import add_table
from pitboss.services.signing import Pen
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast

RED_JACKET = "Man, 50s, about 6 ft, heavy, gray beard, red jacket"


def make_patron(cast: Cast, first_name: str = "Ana", last_name: str = "Ruiz") -> Patron:
    """Put a patron on file, without the papers that a report needs."""
    keyed = {"first_name": first_name, "last_name": last_name}
    return add_patron(keyed=keyed, pen=cast.pen(cast.alice))


def table_of_other_pit(cast: Cast) -> Table:
    """Return a table of the second pit."""
    return Table.objects.filter(name="BJ-21").first() or add_table(
        name="BJ-21",
        pit=Pit.objects.get(name="Pit 2"),
        game="classic",
        minimum_cents=2_500,
        maximum_cents=300_000,
        par={},
    )


def today() -> date:
    return house.period_at(house.now()).gaming_day


def transaction(cast: Cast, who: Patron | Stranger | str, dollars: int, **more: Any) -> Transaction:
    """Return cash about to be logged, at the first table unless told."""
    whose: dict[str, Any] = {"description": who}
    if isinstance(who, Patron):
        whose = {"patron": who}
    elif isinstance(who, Stranger):
        whose = {"stranger": who}
    facts = {"kind": CashKind.BUY_IN, "table": cast.table, "amount_cents": dollars * 100}
    return Transaction(**{**facts, **whose, **more})


def log(
    cast: Cast,
    who: Patron | Stranger | str,
    dollars: int,
    *,
    by: Person | None = None,
    pen: Pen | None = None,
    confirmed: bool = True,
    shown: str | None = None,
    **more: Any,
) -> CashEntry:
    """Log cash as Alice at her table, or as Erin at the cage where there is no table."""
    new = transaction(cast, who, dollars, **more)
    if pen is None:
        place = Place.PIT if new.table is not None else Place.CAGE
        pen = cast.pen(by or (cast.alice if new.table is not None else cast.erin), place)
    if shown is None:
        shown = cash_shown(new, today(), outlook_of(new, today()))
    return key_cash(new=new, confirmed=confirmed, pen=pen, shown=shown)


def log_elsewhere(cast: Cast, who: Patron | Stranger | str, dollars: int) -> CashEntry:
    """Log cash as Bob at a table of the other pit."""
    pen = pen_of_other_pit(cast)
    return log(cast, who, dollars, pen=pen, table=table_of_other_pit(cast))


def pen_of_other_pit(cast: Cast) -> Pen:
    pen = cast.pen(cast.bob)
    device: Device = cast.other_pit_tablet
    return Pen(pen.badge, pen.pin, device, pen.request_id)


def match(
    cast: Cast,
    stranger: Stranger,
    patron: Patron | None,
    *,
    by: Person | None = None,
    reason: str = "Showed a player card.",
    pen: Pen | None = None,
) -> StrangerMatch:
    """Say who a stranger was, as Alice, or as somebody else."""
    return match_stranger(
        stranger=stranger, patron=patron, reason=reason, pen=pen or cast.pen(by or cast.alice)
    )


def propose_back(cast: Cast, entry: CashEntry, by: Person | None = None) -> Slip:
    """Say that an entry is wrong, as Alice."""
    entry = CashEntry.objects.get(pk=entry.pk)
    wrong = CASH_CORRECTION.at(entry=entry)
    pen = cast.pen(by or cast.alice)
    return raise_kind(wrong, pen=pen, shown=shown_before(wrong), reason="For the wrong person.")


def take_back(cast: Cast, entry: CashEntry) -> CashEntry:
    """Reverse an entry: Alice says why, Carol approves."""
    slip = propose_back(cast, entry)
    cast.sign(slip, "approved", cast.carol)
    return CashEntry.objects.get(reverses=entry)


def close(
    cast: Cast, report_id: int, reason: str, *, by: Person | None = None, pen: Pen | None = None
) -> CurrencyReportClosing:
    """Close a report as not due, as Petra."""
    pen = pen or cast.pen(by or cast.petra, Place.OFFICE)
    return close_report(report_id=report_id, reason=reason, pen=pen)
