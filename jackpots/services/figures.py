"""What a meter shows: its lock, its balance, and the one way in which that changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection, transaction
from django.db.models import Count, Max, Sum

from jackpots.models import Meter, MeterContribution, MeterEntry, MeterFreeze
from pitboss.models import Slip
from pitboss.rules.payouts.meters import Cause, Change, Contribution, in_cents, rolled_up
from pitboss.rules.refusal import refuse


def share_meter(meter_id: int) -> None:
    """Hold off who freezes, rolls up, or adjusts a meter, beside everyone who contributes."""
    _advisory("pg_advisory_xact_lock_shared", meter_id)


def lock_meter(meter_id: int) -> Meter:
    """Hold a meter alone. Slips and tables come first; series, ledger and journal after."""
    _advisory("pg_advisory_xact_lock", meter_id)
    meter = Meter.objects.filter(pk=meter_id).first()
    if meter is None:
        raise refuse("unknown_meter", "Meter not found. Check the list.")
    meter.require_seal()
    return meter


def _advisory(function: str, meter_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [f"meter:{meter_id}"])


@dataclass(frozen=True, slots=True)
class MeterBalance:
    """What a meter shows and holds in reserve, with what wagers added since its last entry."""

    shown_microcents: int
    reserve_microcents: int
    number: int
    contributions_through: int

    @property
    def shown_cents(self) -> int:
        return in_cents(self.shown_microcents)

    @property
    def reserve_cents(self) -> int:
        return in_cents(self.reserve_microcents)


NOTHING = MeterBalance(0, 0, 0, 0)


def balance_of(meter: Meter) -> MeterBalance:
    """Return what a meter shows at this instant, contributions not yet rolled up included."""
    written = written_balance(meter)
    parts, _, _ = _pending(meter, written)
    added = rolled_up(written.shown_microcents, parts, meter.maximum_cents)
    return MeterBalance(
        written.shown_microcents + added.amount_microcents,
        written.reserve_microcents + added.reserve_microcents,
        written.number,
        written.contributions_through,
    )


def written_balance(meter: Meter) -> MeterBalance:
    """Return the figures after a meter's last entry."""
    last = meter.entries.order_by("-number").first()
    if last is None:
        return NOTHING
    return MeterBalance(
        last.balance_microcents,
        last.reserve_balance_microcents,
        last.number,
        last.contributions_through,
    )


def _pending(meter: Meter, written: MeterBalance) -> tuple[Contribution, int, int]:
    """Return what contributions after a balance add, how many they are, and the last of them.

    A contribution gets its number while the lock is shared, and a roll-up sees all below its own:
    what comes later has a higher one.
    """
    found = MeterContribution.objects.filter(
        meter=meter, pk__gt=written.contributions_through
    ).aggregate(
        amount=Sum("amount_microcents"),
        reserve=Sum("reserve_microcents"),
        count=Count("pk"),
        last=Max("pk"),
    )
    parts = Contribution(int(found["amount"] or 0), int(found["reserve"] or 0))
    return parts, found["count"], found["last"] or written.contributions_through


@transaction.atomic(savepoint=False)
def roll_in(meter: Meter, *, gaming_day: date, at: datetime) -> MeterEntry | None:
    """Write what wagers added as one entry; none when they added nothing. The meter is locked."""
    written = written_balance(meter)
    parts, count, last = _pending(meter, written)
    if not count:
        return None
    added = rolled_up(written.shown_microcents, parts, meter.maximum_cents)
    return MeterEntry.objects.create(
        meter=meter,
        number=written.number + 1,
        cause=Cause.CONTRIBUTED.value,
        amount_microcents=added.amount_microcents,
        reserve_microcents=added.reserve_microcents,
        balance_microcents=written.shown_microcents + added.amount_microcents,
        reserve_balance_microcents=written.reserve_microcents + added.reserve_microcents,
        contributions_through=last,
        gaming_day=gaming_day,
        at=at,
    )


@transaction.atomic(savepoint=False)
def write_changes(
    meter: Meter,
    changes: Iterable[Change],
    *,
    slip: Slip,
    gaming_day: date,
    at: datetime,
    freeze: MeterFreeze | None = None,
) -> list[MeterEntry]:
    """Write changes of a meter that a slip stands for, after all that wagers added.

    The meter is locked. Returns the entries, for the journal to vouch for.
    """
    rolled = roll_in(meter, gaming_day=gaming_day, at=at)
    entries = [rolled] if rolled is not None else []
    written = written_balance(meter)
    number = written.number
    shown, reserve = written.shown_microcents, written.reserve_microcents
    for change in changes:
        number += 1
        shown += change.amount_microcents
        reserve += change.reserve_microcents
        entries.append(
            MeterEntry.objects.create(
                meter=meter,
                number=number,
                cause=change.cause.value,
                amount_microcents=change.amount_microcents,
                reserve_microcents=change.reserve_microcents,
                balance_microcents=shown,
                reserve_balance_microcents=reserve,
                contributions_through=written.contributions_through,
                slip=slip,
                freeze=freeze,
                gaming_day=gaming_day,
                at=at,
            )
        )
    return entries
