"""The tip pool list: all envy of a time, from checks, rounds and taps, and from jackpots' slips."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from pitboss.models import Pit
from pitboss.rules.day.win import Paid, PayoutSource
from pitboss.rules.floor.records import TOKE_COUNT
from pitboss.services import house
from tables.models import EnvyLine, FloorEntry
from tables.services.envy import words_of
from tables.services.payouts import PaidOut, payouts_between, reads_payouts


@reads_payouts
def _envy(after: datetime, until: datetime) -> Iterator[PaidOut]:
    """Tell the win of tables, and the tip pool list, what the tray added to the tokes."""
    lines = EnvyLine.objects.filter(at__gt=after, at__lte=until).select_related("dealer")
    for line in lines.order_by("id"):
        taken_back = "reversed: " if line.reverses_id else ""
        yield PaidOut(
            line.table_id,
            "",
            f"{taken_back}{words_of(line)}",
            Paid.ENVY,
            PayoutSource.TRAY,
            line.amount_cents,
            line.at,
            dealer=str(line.dealer) if line.dealer else "",
            wager=line.wager,
            row=line.row,
        )


def tip_pool_list(first: date, last: date, shift: str | None) -> list[PaidOut]:
    """Return the envy of some gaming days, or of one shift of each, in the order of time."""
    began, _ = house.day_span(first)
    _, ended = house.day_span(last)
    paid = [payout for payout in payouts_between(began, ended) if payout.paid is Paid.ENVY]
    here = house.the_property()
    if shift is not None:
        paid = [paid_out for paid_out in paid if here.period_at(paid_out.at).shift == shift]
    return sorted(paid, key=lambda paid_out: paid_out.at)


def toke_counts(first: date, last: date, shift: str | None, pit: Pit | None) -> list[FloorEntry]:
    """Return the toke boxes that were counted on some gaming days, in the order of time."""
    counts = FloorEntry.objects.filter(kind=TOKE_COUNT, gaming_day__range=(first, last))
    if shift:
        counts = counts.filter(shift=shift)
    if pit is not None:
        counts = counts.filter(table__pit=pit)
    return list(counts.select_related("table").order_by("id"))
