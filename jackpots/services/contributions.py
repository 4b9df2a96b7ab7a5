"""Contributions: what wagers add to meters, side by side at every table, rolled up each minute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import models, transaction

from jackpots.models import BACK, Meter, MeterContribution, MeterEntry, MeterLink
from jackpots.services.figures import lock_meter, roll_in, share_meter
from pitboss.models import Table
from pitboss.rules.payouts.meters import contribution_of, stake_of
from pitboss.services import house, journal
from pitboss.services.locks import lock_table
from pitboss.services.side_wagers import hears_of_side_wagers, hears_of_stakes_returned

# No table has more betting sensors than this.
SENSORS_MAX = 9


@hears_of_side_wagers
def add_contributions(
    table: Table, wagers: Mapping[str, int], key: str, at: datetime
) -> list[models.Model]:
    """Give the meters of a table their part of a round's wagers. The table is locked.

    A round that was told before adds nothing. Returns the rows, for the journal to vouch for.
    """
    links = list(
        MeterLink.objects.filter(
            table=table,
            until=None,
            wager__in=[wager for wager, count in wagers.items() if count],
            meter__rate_ppm__gt=0,
        ).order_by("meter_id")
    )
    if not links:
        return []
    gaming_day = house.period_at(at).gaming_day
    rows: list[models.Model] = []
    for link in links:
        link.require_seal()
        share_meter(link.meter_id)
        meter = Meter.objects.get(pk=link.meter_id)
        meter.require_seal()
        if MeterContribution.objects.filter(meter=meter, key=key).exists():
            continue
        count, stake_cents = wagers[link.wager], stake_of(link.wager)
        parts = contribution_of(
            count * stake_cents, rate_ppm=meter.rate_ppm, reserve_ppm=meter.reserve_ppm
        )
        rows.append(
            MeterContribution.objects.create(
                meter=meter,
                table=table,
                epoch=meter.epoch,
                wagers=count,
                wager_cents=stake_cents,
                amount_microcents=parts.amount_microcents,
                reserve_microcents=parts.reserve_microcents,
                gaming_day=gaming_day,
                at=at,
                key=key,
            )
        )
    return rows


@hears_of_stakes_returned
def take_back_contributions(table: Table, key: str, at: datetime) -> list[models.Model]:
    """Take from the meters what a round gave them, once, since its stakes went back.

    The table is locked. Returns the rows, for the journal to vouch for.
    """
    gaming_day = house.period_at(at).gaming_day
    rows: list[models.Model] = []
    given = MeterContribution.objects.filter(table=table, key=key).order_by("meter_id")
    for meter_contribution in given.select_related("meter"):
        share_meter(meter_contribution.meter_id)
        meter_contribution.meter.require_seal()
        back = f"{key}{BACK}"
        if MeterContribution.objects.filter(meter=meter_contribution.meter, key=back).exists():
            continue
        rows.append(
            MeterContribution.objects.create(
                meter=meter_contribution.meter,
                table=table,
                epoch=meter_contribution.meter.epoch,
                wagers=-meter_contribution.wagers,
                wager_cents=meter_contribution.wager_cents,
                amount_microcents=-meter_contribution.amount_microcents,
                reserve_microcents=-meter_contribution.reserve_microcents,
                gaming_day=gaming_day,
                at=at,
                key=back,
            )
        )
    return rows


@transaction.atomic(durable=True)
def contribute(*, table_id: int, wagers: Mapping[str, int], key: str) -> Sequence[models.Model]:
    """Take the wagers of a round that is told of by itself, with an entry in its table's journal.

    Told twice under one key, a round adds once.
    """
    table = lock_table(table_id)
    now = house.now()
    rows = add_contributions(table, wagers, f"table:{table.pk}:{key}", now)
    if rows:
        journal.write(
            chain=journal.chain_of(table, journal.METERS),
            kind="meter.contributed",
            body={"wagers": dict(wagers), "key": key},
            at=now,
            rows=rows,
        )
    return rows


@transaction.atomic(durable=True)
def roll_up(*, meter_id: int) -> MeterEntry | None:
    """Write what wagers added to a meter since its last entry, in the journal of meters."""
    meter = lock_meter(meter_id)
    now = house.now()
    entry = roll_in(meter, gaming_day=house.period_at(now).gaming_day, at=now)
    if entry is not None:
        journal.write(
            chain=journal.METERS,
            kind="meter.rolled_up",
            body={
                "meter": meter.name,
                "balance_microcents": entry.balance_microcents,
                "contributions_through": entry.contributions_through,
            },
            at=now,
            rows=[entry],
        )
    return entry


def roll_up_all() -> int:
    """Roll every meter up, each by itself; return how many had wagers."""
    ids = Meter.objects.order_by("pk").values_list("pk", flat=True)
    return sum(roll_up(meter_id=meter_id) is not None for meter_id in ids)
