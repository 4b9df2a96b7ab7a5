"""Jackpots in tests: hands that hit, and the people who carry them to their payment."""

from __future__ import annotations

from typing import Any

from jackpots.kinds.jackpot import JACKPOT_KIND
from jackpots.models import Jackpot, JackpotFigure, Meter
from jackpots.services.hits import newest_figure
from jackpots.services.jackpots import Entered
from pitboss.models import Person, Slip, Table
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry, Pen
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast
from tests.floor.meters import sevens

SUITED = ("7h", "7h")
COLOURED = ("7h", "7d")
MIXED = ("7h", "7c")
UP = ("7h",)
REVIEWED = Entry(said={"review": "CAM 2-11A 21:41"})
TRAY = {100_000: 4, 10_000: 40, 2_500: 100, 500: 100}


def open_tables(cast: Cast, **terms: str) -> Meter:
    """Start a meter at both tables, open the first on a full tray, and deal at the other."""
    meter = sevens(cast, **terms)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.open_other_table()
    return meter


def entered(cards: tuple[str, str] = SUITED, seat: int = 3, **more: Any) -> Entered:
    return Entered(
        **{
            "seat": seat,
            "wager": "blazing_7s",
            "player_cards": cards,
            "dealer_cards": UP,
            **more,
        }
    )


def hit(
    cast: Cast,
    cards: tuple[str, str] = SUITED,
    seat: int = 3,
    *,
    table: Table | None = None,
    by: Person | None = None,
    pen: Pen | None = None,
    replaces: Slip | None = None,
    **more: Any,
) -> Slip:
    """Enter a hit at a table as Dan, or as somebody else."""
    table = Table.objects.get(pk=(table or cast.table).pk)
    what = entered(cards, seat, **more)
    raising = JACKPOT_KIND.at(table, original=replaces, entered=what)
    return raise_kind(
        raising,
        pen=pen or cast.pen(by or cast.dan),
        shown=shown_before(raising),
    )


def verify_hand(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    cast.sign(slip, "verified", by or cast.alice)


def confirm(cast: Cast, slip: Slip) -> None:
    cast.sign(slip, "confirmed", cast.ivan, Place.SURVEILLANCE, entry=REVIEWED)


def release(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    fixed = any(step["name"] == "pending_cleared" for step in slip.plan)
    step = "pending_cleared" if fixed else "jackpot_released"
    cast.sign(slip, step, by or cast.heidi)


def reviewed(cast: Cast, slip: Slip) -> None:
    verify_hand(cast, slip)
    confirm(cast, slip)


def released(cast: Cast, slip: Slip) -> None:
    reviewed(cast, slip)
    release(cast, slip)


def pay(cast: Cast, slip: Slip, source: str = "cage", by: Person | None = None, **more: Any) -> Any:
    entry = Entry(said={"source": source}, **more)
    return cast.sign(slip, "paid", by or cast.alice, entry=entry)


def reject(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    """Reject a hit as Bob, with Carol agreeing."""
    reason = Entry(reason="The third seven is a diamond.")
    cast.sign(slip, "rejected", by or cast.bob, entry=reason, track=Track.VOID)
    cast.sign(slip, "reject_agreed", cast.carol, track=Track.VOID)


def hold(cast: Cast, slip: Slip, held_for: str = "no_id") -> None:
    entry = Entry(reason="Passport at the hotel.", said={"held_for": held_for})
    cast.sign(slip, "held", cast.heidi, entry=entry, track=Track.RELIEF)
    cast.sign(slip, "held_witnessed", cast.frank, track=Track.RELIEF)


def award(slip: Slip) -> int:
    """Return what a jackpot is owed."""
    return newest_figure(Jackpot.objects.get(slip=slip)).award_cents


def figures(slip: Slip) -> list[int]:
    """Return every figure that a jackpot ever had."""
    found = JackpotFigure.objects.filter(jackpot__slip=slip).order_by("number")
    return list(found.values_list("award_cents", flat=True))
