"""How a rating ends: by a supervisor, or by itself when the table closes, the day turns, the player
is barred or no one has seen a bet for long. What it came to is written with its end, as far as it
is known then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import models, transaction
from django.db.models import Q

from inventory.models import CashEntry, DepositEntry, DepositMove, Marker
from inventory.selectors.exclusion import barred_since
from pitboss.models import Device, Person, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.gaming_day import day_start
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.ratings.stay import close
from pitboss.rules.refusal import refuse
from pitboss.services import house, journal
from pitboss.services.exceptions import EXCLUDED_AT_TABLE, EXCLUDED_WATCHED, open_exception
from pitboss.services.locks import lock_table
from tables.models import (
    Away,
    FiguresAwaited,
    MoneyKind,
    PlayRating,
    RatingMoney,
    SeatHeld,
    StayEnd,
)
from tables.services.rating_facts import closed_since, instant_of, signs_of
from tables.services.rating_worth import Worth, figures_of, worth_of


def finish(
    rating: PlayRating,
    table: Table,
    at: datetime,
    end: StayEnd,
    *,
    now: datetime,
    person: Person | None = None,
    device: Device | None = None,
    is_signed: bool = False,
    guess_cents: int | None = None,
    money: Sequence[RatingMoney] = (),
) -> Worth:
    """Write the end of a rating, its money and its figures. Its table is locked. Raises Refused."""
    at = _not_before_signs(rating, at)
    _let_go(rating, at)
    rows: list[models.Model] = [*money, *_days_money(rating, at)]
    for row in rows:
        row.save()
    rating.guess_cents = guess_cents
    worth = worth_of(rating, at, rows_of_money(rating))
    # What ends by itself asks no one.
    if device is not None and not is_signed and end is StayEnd.LEFT:
        _demand_signature(worth, now)
    rating.ended_at, rating.end = at, end.value
    rating.ended_by, rating.is_signed = person, is_signed
    rating.save(update_fields=["ended_at", "end", "ended_by", "is_signed", "guess_cents"])
    if worth.is_complete:
        figures = figures_of(rating, worth, now)
        figures.save()
        rows.append(figures)
    else:
        FiguresAwaited.objects.create(rating=rating)
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="rating_ended",
        body={"rating": rating.pk, "end": end.value, "looks": rating.looks.count()},
        at=now,
        person=person,
        device=device,
        rows=rows,
    )
    return worth


def _not_before_signs(rating: PlayRating, at: datetime) -> datetime:
    """Return when a stay ends: ends are found in whole seconds, and nothing seen lies after one."""
    seen = [
        at,
        *rating.looks.values_list("at", flat=True),
        *SeatHeld.objects.filter(rating=rating).values_list("until", flat=True),
        *Away.objects.filter(rating=rating).values_list("until", flat=True),
    ]
    return max(moment for moment in seen if moment is not None)


def _let_go(rating: PlayRating, at: datetime) -> None:
    """Free the seats of a stay, and end its absence, no later than it ends."""
    for held in SeatHeld.objects.filter(rating=rating, until=None):
        held.until = max(at, held.from_at)
        held.save(update_fields=["until"])
    for away in Away.objects.filter(rating=rating, until=None):
        away.until = max(at, away.from_at)
        away.save(update_fields=["until"])


def _demand_signature(worth: Worth, now: datetime) -> None:
    """Refuse a tap where the end of a stay is signed. Raises Refused."""
    in_force = house.settings_at(now)
    average = half_up(worth.average) if worth.average is not None else 0
    theo = worth.theo.cents if worth.theo is not None else 0
    if average >= in_force["rating.signed_average"] or theo >= in_force["rating.signed_theo"]:
        raise refuse(
            "signature_needed",
            f"This stay averaged {format_money(average)}. Sign its end with badge and PIN.",
        )


def _days_money(rating: PlayRating, at: datetime) -> list[RatingMoney]:
    """Return the day's cash, markers and front money of a stay that no other rating has."""
    whose = Q(patron=rating.patron_id) if rating.patron_id else Q(stranger=rating.stranger_id)
    cash = CashEntry.objects.filter(
        whose,
        table=rating.table_id,
        kind=CashKind.BUY_IN.value,
        reverses=None,
        reversed_by=None,
        at__range=(rating.began_at, at),
    ).exclude(pk__in=RatingMoney.objects.filter(entry__isnull=False).values("entry"))
    found = [
        RatingMoney(
            rating=rating,
            kind=MoneyKind.CASH,
            amount_cents=cash_entry.amount_cents,
            entry=cash_entry,
            at=cash_entry.at,
        )
        for cash_entry in cash.order_by("id")
    ]
    if rating.patron_id is None:
        return found
    lent = Marker.objects.filter(
        patron=rating.patron_id,
        slip__table=rating.table_id,
        issued_at__range=(rating.began_at, at),
        entries__move="issued",
    ).exclude(pk__in=RatingMoney.objects.filter(marker__isnull=False).values("marker"))
    found += [
        RatingMoney(
            rating=rating,
            kind=MoneyKind.MARKER,
            amount_cents=marker.amount_cents,
            marker=marker,
            at=marker.issued_at,
        )
        for marker in lent.order_by("id").distinct()
    ]
    drawn = DepositEntry.objects.filter(
        patron=rating.patron_id,
        move=DepositMove.DRAWN.value,
        slip__table=rating.table_id,
        slip__status=SlipStatus.DONE.value,
        at__range=(rating.began_at, at),
    ).exclude(pk__in=RatingMoney.objects.filter(drawn__isnull=False).values("drawn"))
    found += [
        RatingMoney(
            rating=rating,
            kind=MoneyKind.FRONT_MONEY,
            amount_cents=deposit_entry.amount_cents,
            drawn=deposit_entry,
            at=deposit_entry.at,
        )
        for deposit_entry in drawn.order_by("id")
    ]
    return found


def rows_of_money(rating: PlayRating) -> list[RatingMoney]:
    """Return what a player brought and left with."""
    return list(RatingMoney.objects.filter(rating=rating).order_by("id"))


def end_due_at(table: Table, now: datetime) -> int:
    """End what ends by itself at a table; return how many. The table is locked."""
    stays = PlayRating.objects.filter(table=table, ended_at=None).order_by("id")
    count = sum(_end_if_due(rating, table, now) for rating in stays)
    if not table.is_open:
        for held in SeatHeld.objects.filter(table=table, rating=None, until=None):
            held.until = now
            held.save(update_fields=["until"])
    return count


def _end_if_due(rating: PlayRating, table: Table, now: datetime) -> bool:
    clock = house.the_property().clock_at(now)
    turned = day_start(clock, house.period_at(now).gaming_day)
    closed = closed_since(table, rating.began_at, now)
    day = house.period_at(now).gaming_day
    barred = barred_since(rating.patron_id, day) if rating.patron_id is not None else None
    ended = close(signs_of(rating, now, house.settings_at(now), closed=closed, barred=barred))
    if ended.at is not None and ended.end is not None:
        seat = SeatHeld.objects.filter(rating=rating, until=None).order_by("seat").first()
        finish(rating, table, instant_of(rating, ended.at), StayEnd(ended.end), now=now)
        if ended.end == StayEnd.BARRED.value and seat is not None:
            tell_security(table, seat.seat, rating.patron_id, now=now)
        return True
    if rating.began_at < turned <= now:
        _turn_day(rating, table, turned, now)
        return True
    return False


def tell_security(
    table: Table,
    seat: int,
    patron_id: int | None,
    *,
    now: datetime,
    person: Person | None = None,
) -> None:
    """Put someone who may not play on the lists of security and compliance. The table is locked."""
    for code in (EXCLUDED_AT_TABLE, EXCLUDED_WATCHED):
        open_exception(
            code=code,
            sentence=f"{table}: a person who may not play is at seat {seat}. Do not deal.",
            details={"seat": seat, "patron": patron_id},
            at=now,
            person=person,
            table=table,
        )


def _turn_day(rating: PlayRating, table: Table, turned: datetime, now: datetime) -> None:
    """Cut a stay where the gaming day turns; the next rating goes on from it."""
    seats = list(SeatHeld.objects.filter(rating=rating, until=None).values_list("seat", flat=True))
    seen = rating.looks.filter(at__gt=turned).exists()
    at = now if seen else turned
    away = Away.objects.filter(rating=rating, until=None).exists()
    finish(rating, table, at, StayEnd.DAY_TURNED, now=now)
    when = house.period_at(now)
    rows = PlayRating.objects.create(
        table=table,
        patron=rating.patron,
        stranger=rating.stranger,
        declined_name=rating.declined_name,
        began_at=at,
        by_card=rating.by_card,
        gaming_day=when.gaming_day,
        shift=when.shift,
        continues=rating,
    )
    for seat in seats:
        SeatHeld.objects.create(table=table, seat=seat, rating=rows, from_at=at)
    if away:
        Away.objects.create(rating=rows, from_at=at)
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="rating_goes_on",
        body={"rating": rows.pk, "from": rating.pk},
        at=now,
    )


def end_due() -> int:
    """End every rating that ends by itself, table by table; return how many."""
    open_now = PlayRating.objects.filter(ended_at=None).values_list("table", flat=True)
    return sum(_end_due_at(table_id) for table_id in sorted(set(open_now)))


@transaction.atomic(durable=True)
def _end_due_at(table_id: int) -> int:
    table = lock_table(table_id)
    return end_due_at(table, house.now())


def write_due_figures(most: int = 200) -> int:
    """Write the figures of ended ratings that waited for an edge; return how many."""
    keys = FiguresAwaited.objects.order_by("id").values_list("rating", "rating__table")[:most]
    return sum(_write_figures(rating_id, table_id) for rating_id, table_id in keys)


@transaction.atomic(durable=True)
def _write_figures(rating_id: int, table_id: int) -> bool:
    table = lock_table(table_id)
    rating = PlayRating.objects.get(pk=rating_id)
    rating.require_seal()
    assert rating.ended_at is not None, "only what has ended has figures"
    worth = worth_of(rating, rating.ended_at, rows_of_money(rating))
    if not worth.is_complete or rating.figures.exists():
        return False
    FiguresAwaited.objects.filter(rating=rating).delete()
    now = house.now()
    figures = figures_of(rating, worth, now)
    figures.save()
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="rating_figures",
        body={"rating": rating.pk},
        at=now,
        rows=[figures],
    )
    return True
