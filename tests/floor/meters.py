"""Meters in tests: tables that take their bets, and meters that two people started."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from jackpots.kinds.meter import METER_CHANGE
from jackpots.kinds.meter_amount import METER_ADJUSTMENT
from jackpots.models import Meter
from jackpots.services.contributions import contribute
from jackpots.services.figures import balance_of
from jackpots.services.meter_reading import read_meter
from pitboss.models import Person, Slip, Table
from pitboss.rules.payouts.meters import Cause, read_terms
from pitboss.rules.roles import Place
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast

SEVENS = {
    "name": "Blazing 7's",
    "bet": "blazing_7s:JACKPOT",
    "source": "pitboss",
    "start": "24,310.55",
    "reset": "10,000",
    "rate": "20%",
    "reserve": "2.5%",
    "maximum": "",
    "tables": "BJ-11 BJ-12",
}
MEGA = {
    "name": "MEGA",
    "bet": "lucky_ladies:MEGA",
    "source": "posted",
    "start": "50,000",
    "tables": "BJ-12",
}


def play(game: str, *tables: Table) -> None:
    """Let tables deal a game, within the limits that its rules allow."""
    most_cents = 1_000 if game == "bet_bigger" else 300_000
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(
        game=game, minimum_cents=min(2_500, most_cents), maximum_cents=most_cents
    )
    for table in tables:
        table.refresh_from_db()


def propose(
    cast: Cast,
    keyed: dict[str, str],
    meter: Meter | None = None,
    by: Person | None = None,
) -> Slip:
    about: dict[str, Any] = {"meter": meter} if meter else {}
    raising = METER_CHANGE.at(terms=read_terms(keyed), **about)
    return raise_kind(
        raising,
        reason="For the season.",
        pen=cast.pen(by or cast.carol, Place.OFFICE),
        shown=shown_before(raising),
    )


def approve(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    cast.sign(slip, "approved", by or cast.heidi, Place.OFFICE)


def start(cast: Cast, keyed: dict[str, str] = SEVENS, **change: str) -> Meter:
    """Start a meter that Carol proposes and Heidi approves."""
    keyed = keyed | change
    approve(cast, propose(cast, keyed))
    return Meter.objects.get(name=keyed["name"])


def sevens(cast: Cast, **change: Any) -> Meter:
    """Start a meter that both tables of the cast play for."""
    play("blazing_7s", cast.table, cast.other_table)
    return start(cast, **change)


def wager(table: Table, count: int = 1, key: str = "") -> list[Any]:
    """Take progressive wagers of one round."""
    return [*contribute(table_id=table.pk, wagers={"blazing_7s": count}, key=key or str(uuid4()))]


def adjust(
    cast: Cast,
    meter: Meter,
    cause: Cause,
    after_cents: int,
    *,
    by: Person | None = None,
) -> Slip:
    raising = METER_ADJUSTMENT.at(meter=meter, cause=cause.value, after_cents=after_cents)
    return raise_kind(
        raising,
        reason="Two of us looked.",
        pen=cast.pen(by or cast.ruth, Place.OFFICE),
        shown=shown_before(raising),
    )


def read(cast: Cast, meter: Meter, cents: int, by: Person | None = None) -> Any:
    pen = cast.pen(by or cast.ruth, Place.OFFICE)
    return read_meter(
        meter_id=meter.pk,
        read_cents=cents,
        badge=pen.badge,
        pin=pen.pin,
        request_id=pen.request_id,
        device=pen.device,
    )


def shows(meter: Meter) -> int:
    """Return what a meter shows, in cents."""
    return balance_of(meter).shown_cents
