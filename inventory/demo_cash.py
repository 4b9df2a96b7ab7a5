"""The demo's desk of compliance: cash of the day, a sum over the limit, and a case of a list."""

from __future__ import annotations

from uuid import uuid4

from inventory.kinds.exclusion_list import LIST_IMPORT
from inventory.models import Patron, Stranger
from inventory.services.cash_log import Transaction, cash_shown, key_cash, outlook_of
from inventory.services.compliance import write_note
from inventory.services.exclusion_lists import upload_list
from inventory.services.patrons import add_patron
from pitboss.demo import demo_device, demo_pen, demo_person, demo_signer
from pitboss.models import Table
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.patrons.exclusion_lists import COLUMNS
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.slips.raising import raise_kind, shown_before

_STRANGER = "Man, about 50, 6 ft, heavy, gray beard, red leather jacket"
# Made up, each as a row of its file.
_LISTS = {
    ListKind.SELF_EXCLUSION: (
        "SX-1041,Okoro,Benedict,,1969-02-11,,,,2026-01-15,",
        "SX-1042,Vargas,Leon,,,,,tall and gray,2026-03-02,",
    ),
    ListKind.HOUSE_BAN: ("HB-17,Stroud,Calvin,Cal Stroud,1988-09-30,,,past posting,2026-02-20,",),
}
_NOTE = "Asked twice how much cash he can change before his name goes on a form."


def log_cash_of_the_day() -> None:
    """Log what the demo's people brought and took today, through the same services as a floor's."""
    june = _patron("June", "Castellan")
    mateo = _patron("Mateo", "Ferreira")
    tables = {table.name: table for table in Table.objects.select_related("pit")}
    _log(tables["BJ-34"], CashKind.BUY_IN, 6_000, patron=june)
    _log(tables["BJ-12"], CashKind.BUY_IN, 5_000, patron=june)
    _log(None, CashKind.CASH_OUT, 3_400, patron=june)
    _log(tables["BJ-13"], CashKind.BUY_IN, 2_500, patron=mateo)
    _log(tables["BJ-33"], CashKind.BUY_IN, 6_000, patron=mateo)
    _log(tables["BJ-11"], CashKind.BUY_IN, 1_800, description=_STRANGER)
    _log(tables["BJ-15"], CashKind.BUY_IN, 1_700, stranger=Stranger.objects.get())
    write_note(
        text=_NOTE,
        table=tables["BJ-15"],
        pen=demo_pen(
            demo_signer(Role.DEALER, tables["BJ-15"]), demo_device(Place.PIT, tables["BJ-15"].pit)
        ),
    )


def import_the_lists() -> None:
    """Put two lists in force; then someone comes who is like a person on one of them."""
    compliance, office = demo_person(Role.COMPLIANCE), demo_device(Place.OFFICE)
    for kind, rows in _LISTS.items():
        content = "\n".join([",".join(COLUMNS), *rows]).encode()
        brought = LIST_IMPORT.at(
            upload=upload_list(
                kind=kind,
                content=content,
                person=compliance,
                device=office,
                request_id=uuid4(),
            )
        )
        raise_kind(brought, pen=demo_pen(compliance, office), shown=shown_before(brought))
    # Only written down, so nothing is stopped yet: the case waits for security and compliance.
    _patron("Leon", "Varga")


def _patron(first_name: str, last_name: str) -> Patron:
    found = Patron.objects.filter(first_name=first_name, last_name=last_name).first()
    return found or add_patron(
        keyed={"first_name": first_name, "last_name": last_name},
        pen=demo_pen(demo_person(Role.CASHIER), demo_device(Place.CAGE)),
    )


def _log(
    table: Table | None,
    kind: CashKind,
    dollars: int,
    *,
    patron: Patron | None = None,
    stranger: Stranger | None = None,
    description: str = "",
) -> None:
    new = Transaction(
        kind=kind,
        amount_cents=dollars * 100,
        table=table,
        patron=patron,
        stranger=stranger,
        description=description,
    )
    day = house.period_at(house.now()).gaming_day
    in_pit = table is not None
    key_cash(
        new=new,
        confirmed=True,
        pen=demo_pen(
            demo_person(Role.SUPERVISOR if in_pit else Role.CASHIER),
            demo_device(Place.PIT, table.pit) if table else demo_device(Place.CAGE),
        ),
        shown=cash_shown(new, day, outlook_of(new, day)),
    )
