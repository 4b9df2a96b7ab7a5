"""Payout checks are too many for the journal; the digest of their day vouches for each."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest

from pitboss.models import DayDigest, JournalAudit, JournalEntry
from pitboss.rules.roles import Place
from pitboss.services import house, seals
from pitboss.services.verification import Wrong, verify
from pitboss.tasks import digest_days, find_audits
from tables.models import PayoutCheck, PayoutConfirmation
from tests.floor.cast import Cast, ServerClock
from tests.tampering import found, tamper

pytestmark = pytest.mark.django_db(transaction=True)

Owner = psycopg.Connection[tuple[object, ...]]
CHECK = "tables_payoutcheck"


def check(cast: Cast, cents: int = 1_500) -> PayoutCheck:
    """Let a payout be checked now."""
    return PayoutCheck.objects.create(
        table=cast.table,
        terminal=cast.devices[Place.PIT],
        dealer=cast.dan,
        at=house.now(),
        wager="main",
        verdict="right",
        stake_cents=1_000,
        paid_cents=cents,
        payable_cents=cents,
        claim={"wager": "main", "cards": ["AS", "KD"]},
        answer={"verdict": "right"},
    )


@pytest.fixture
def two_days(cast: Cast, server_clock: ServerClock) -> list[PayoutCheck]:
    """Check payouts on two gaming days, with an idle one between, and digest them."""
    checks = [check(cast), check(cast)]
    PayoutConfirmation.objects.create(check_of=checks[0], at=house.now(), paid_cents=1_500)
    server_clock.move(days=2)
    checks.append(check(cast, 3_000))
    digest_days.delay()
    server_clock.move(days=1)
    digest_days.delay()
    digest_days.delay()
    return checks


def digests() -> list[tuple[str, int]]:
    rows = DayDigest.objects.order_by("label", "gaming_day")
    return [(row.label, row.rows) for row in rows]


def codes() -> list[tuple[Wrong, str]]:
    return [(code, where) for code, where, _ in sorted(found(verify()))]


def test_each_day_that_is_over_has_one_digest_that_the_journal_vouches_for(
    two_days: list[PayoutCheck],
) -> None:
    assert digests() == [
        *(("tables.PayoutCheck", rows) for rows in (2, 0, 1)),
        *(("tables.PayoutConfirmation", rows) for rows in (1, 0, 0)),
    ]
    assert JournalEntry.objects.filter(kind="day_digested").count() == 6
    for label in {"tables.PayoutCheck", "tables.PayoutConfirmation"}:
        spans = list(DayDigest.objects.filter(label=label).order_by("gaming_day"))
        assert [one.ended_at for one in spans[:-1]] == [other.began_at for other in spans[1:]]
    assert verify().is_sound


def test_a_check_of_today_waits_for_the_end_of_its_day(cast: Cast) -> None:
    check(cast)
    digest_days.delay()
    assert digests() == []
    assert verify().is_sound


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE tables_payoutcheck SET paid_cents = 1, payable_cents = 1 WHERE id = %s",
        """UPDATE tables_payoutcheck SET claim = '{"wager": "other"}' WHERE id = %s""",
        "UPDATE tables_payoutcheck SET at = at + interval '1 microsecond' WHERE id = %s",
        "UPDATE tables_payoutcheck SET dealer_id = NULL WHERE id = %s",
    ],
)
def test_a_check_that_was_changed_is_found(
    two_days: list[PayoutCheck], owner_connection: Owner, sql: str
) -> None:
    tamper(owner_connection, CHECK, sql, [two_days[1].pk])
    assert codes() == [(Wrong.DIGEST_DIFFERS, "payout check")]


def test_a_check_deleted_or_put_into_a_day_that_is_over_is_found(
    cast: Cast, two_days: list[PayoutCheck], owner_connection: Owner
) -> None:
    tamper(
        owner_connection, CHECK, "DELETE FROM tables_payoutcheck WHERE id = %s", [two_days[1].pk]
    )
    assert codes() == [(Wrong.DIGEST_DIFFERS, "payout check")]


@pytest.mark.parametrize("days", [1.5, 30])
def test_a_check_dated_back_is_found(
    cast: Cast, two_days: list[PayoutCheck], server_clock: ServerClock, days: float
) -> None:
    server_clock.move(days=-days)
    check(cast)
    server_clock.move(days=days)
    assert codes() == [(Wrong.DIGEST_DIFFERS, "payout check")]


def test_a_day_that_nobody_digested_is_named(cast: Cast, server_clock: ServerClock) -> None:
    check(cast)
    server_clock.move(days=2, hours=1)
    assert codes() == [], "a house that has just begun to digest has time"
    seals.write_seal(now=house.now())
    server_clock.move(days=2, hours=1)
    assert codes() == [(Wrong.DIGEST_DIFFERS, "payout check")]


def test_whoever_verifies_everything_has_the_days_digested_first(
    cast: Cast, server_clock: ServerClock
) -> None:
    check(cast)
    seals.write_seal(now=house.now())
    server_clock.move(days=3)
    find_audits()
    assert digests()[0] == ("tables.PayoutCheck", 1)
    assert JournalAudit.objects.get().findings_total == 0


def test_a_digest_that_was_changed_is_found(
    two_days: list[PayoutCheck], owner_connection: Owner
) -> None:
    tamper(
        owner_connection,
        "pitboss_daydigest",
        "UPDATE pitboss_daydigest SET rows = 7 WHERE gaming_day = %s AND rows = 2",
        [house.period_at(two_days[0].at).gaming_day],
    )
    assert (Wrong.ROW_CHANGED, "day digest") in codes()


def test_the_first_check_of_a_house_that_digests_begins_its_days(
    cast: Cast, server_clock: ServerClock
) -> None:
    check(cast)
    server_clock.move(days=40)
    digest_days.delay()
    assert digests()[0] == ("tables.PayoutCheck", 1)
    assert verify().is_sound
    assert DayDigest.objects.latest("gaming_day").ended_at > house.now() - timedelta(days=2)
