"""The demo's cash of the day: regulars, one stranger, and a sum that has passed the limit."""

from __future__ import annotations

from inventory.models import Patron, Stranger
from inventory.services.cash_log import Transaction, cash_shown, key_cash, outlook_of
from inventory.services.compliance import write_note
from inventory.services.patrons import add_patron
from pitboss.demo import demo_device, demo_pen, demo_person, demo_signer
from pitboss.models import Table
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.roles import Place, Role
from pitboss.services import house

_STRANGER = "Man, about 50, 6 ft, heavy, grey beard, red leather jacket"
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
