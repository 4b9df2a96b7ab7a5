"""Meters under load: many tables wager while hits freeze, are rejected and paid, to the cent."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from django.db.models import Max, Min, Sum

from jackpots.kinds import jackpot as jackpot_kind
from jackpots.models import Jackpot, JackpotPayment, Meter, MeterContribution, MeterFreeze
from jackpots.services import contributions as contributions_service
from jackpots.services.contributions import roll_up
from jackpots.services.figures import balance_of
from jackpots.services.hits import newest_figure
from pitboss.models import JournalEntry, Table
from pitboss.rules.payouts.meters import MICROCENTS, Cause
from pitboss.services.floor import add_table
from pitboss.services.verification import verify
from tests.floor.cast import PAR, Cast
from tests.floor.jackpots import COLOURED, MIXED, SUITED, award, hit, pay, reject, released
from tests.floor.meters import SEVENS, approve, propose, sevens, shows, wager
from tests.races import at_once, while_held

pytestmark = pytest.mark.django_db(transaction=True)
TABLES = 50
ROUNDS = 6
TELLERS = 10


def fifty_tables(cast: Cast) -> list[Table]:
    """Add tables that deal Blazing 7's, all open."""
    for number in range(TABLES):
        add_table(
            name=f"S-{number:02}",
            pit=cast.pit,
            game="blazing_7s",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par=PAR,
        )
    tables = Table.objects.filter(name__startswith="S-")
    tables.update(is_open=True)
    return list(tables)


def tell(tables: Sequence[Table], seed: int) -> int:
    """Take some wagers at each table, in a random order; return how many."""
    chance = random.Random(seed)
    taken = 0
    for number in range(ROUNDS):
        for table in chance.sample(list(tables), len(tables)):
            count = chance.randint(1, 7)
            taken += len(wager(table, count, key=f"{seed} {number}")) and count
    return taken


def play_hits(cast: Cast, tables: Sequence[Table]) -> None:
    """Enter hits at several tables while they wager; reject some, pay the others."""
    for number, table in enumerate(tables[:9]):
        cards = (COLOURED, SUITED, MIXED)[number % 3]
        slip = hit(cast, cards, table=table, by=cast.dan)
        if number % 2 or cards is SUITED:
            reject(cast, slip)
        else:
            released(cast, slip)
            pay(cast, slip, by=cast.bob if cards is MIXED else cast.alice)


def keep_rolling(meter: Meter) -> None:
    for _ in range(20):
        roll_up(meter_id=meter.pk)


def test_fifty_tables_wager_while_jackpots_freeze_are_rejected_and_paid(cast: Cast) -> None:
    tables = fifty_tables(cast)
    names = " ".join(table.name for table in tables)
    approve(cast, propose(cast, SEVENS | {"start": "5,000", "reset": "1,000", "tables": names}))
    meter = Meter.objects.get()
    share = TABLES // TELLERS
    acts: list[Callable[[], Any]] = [
        partial(tell, tables[place * share : (place + 1) * share], place)
        for place in range(TELLERS)
    ]
    results = at_once(*acts, partial(play_hits, cast, tables), partial(keep_rolling, meter))
    wagers = sum(results[:TELLERS])
    assert results[TELLERS:] == [None, None]
    roll_up(meter_id=meter.pk)

    # Every wager is on the meter once, at its rate.
    added = meter.contributions.aggregate(
        wagers=Sum("wagers"), amount=Sum("amount_microcents"), reserve=Sum("reserve_microcents")
    )
    assert added["wagers"] == wagers
    assert added["amount"] == wagers * 500 * 200_000
    # What stands is what began, plus wagers, less what was won, plus what was seeded again.
    won = sum(
        newest_figure(jackpot).award_cents
        for jackpot in Jackpot.objects.filter(freeze__isnull=False).exclude(slip__status="voided")
    )
    seeded = meter.entries.filter(
        cause__in=[Cause.SEEDED.value, Cause.SEED_RECOVERY.value]
    ).aggregate(sum=Sum("amount_microcents"))["sum"]
    now = balance_of(meter)
    start_microcents = 500_000 * MICROCENTS
    assert now.shown_microcents == (
        start_microcents + added["amount"] - won * MICROCENTS + (seeded or 0)
    )
    assert now.reserve_microcents == added["reserve"] - (seeded or 0)
    paid = JackpotPayment.objects.filter(jackpot__freeze__isnull=False)
    assert sum(jackpot_payment.paid_cents for jackpot_payment in paid) == won
    no_freeze_missed_a_wager(meter)
    # The test opened them without their openers, which verification would name.
    Table.objects.filter(name__startswith="S-").update(is_open=False)
    assert verify().is_sound


def no_freeze_missed_a_wager(meter: Meter) -> None:
    """Demand that each wager before a freeze was on the frozen meter, and none after it."""
    for epoch, freeze in enumerate(MeterFreeze.objects.filter(meter=meter).order_by("pk"), 1):
        before = MeterContribution.objects.filter(meter=meter, epoch__lt=epoch)
        after = MeterContribution.objects.filter(meter=meter, epoch__gte=epoch)
        last = before.aggregate(last=Max("pk"))["last"] or 0
        first = after.aggregate(first=Min("pk"))["first"] or last + 1
        rolled = meter.entries.filter(freeze=freeze).order_by("number").first()
        assert rolled is not None
        assert last <= rolled.contributions_through < first


@pytest.mark.parametrize("is_wager_first", [True, False])
def test_a_wager_and_a_freeze_at_the_same_instant_are_one_before_the_other(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, is_wager_first: bool
) -> None:
    meter = sevens(cast)
    Table.objects.update(is_open=True)
    wagers, hits = lambda: wager(cast.other_table, 3), lambda: hit(cast, SUITED)
    if is_wager_first:
        rows, slip = while_held(
            monkeypatch, contributions_service, "add_contributions", wagers, hits
        )
    else:
        slip, rows = while_held(monkeypatch, jackpot_kind, "freeze_meter", hits, wagers)
    (contribution,) = rows
    assert (contribution.epoch == 0) == is_wager_first
    assert award(slip) == 2_431_055 + (300 if is_wager_first else 0)
    assert shows(meter) == 1_000_000 + (0 if is_wager_first else 300)


def test_two_hits_at_two_tables_at_once_freeze_one_after_the_other(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    meter = sevens(cast)
    Table.objects.update(is_open=True)
    slips = while_held(
        monkeypatch,
        jackpot_kind,
        "freeze_meter",
        lambda: hit(cast, SUITED),
        lambda: hit(cast, SUITED, table=cast.other_table, by=cast.dora),
    )
    assert [award(slip) for slip in slips] == [2_431_055, 1_000_000]
    assert shows(meter) == 1_000_000


def test_one_entry_sent_twice_at_once_is_one_jackpot(cast: Cast) -> None:
    sevens(cast)
    Table.objects.update(is_open=True)
    pen = cast.pen(cast.dan)
    results = at_once(lambda: hit(cast, MIXED, pen=pen).pk, lambda: hit(cast, MIXED, pen=pen).pk)
    assert Jackpot.objects.count() == 1
    assert JournalEntry.objects.filter(kind="jackpot.entered").count() == 1
    assert len({result for result in results if isinstance(result, int)}) == 1
