"""Pitboss behind PgBouncer that gives each transaction another connection."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO

import pytest
from django.db import connection, connections, transaction
from django.test import Client

from pitboss.models import BeatLease, Signature, Slip
from pitboss.patience import patient
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exports import export_day
from pitboss.services.verification import verify
from pitboss.tasks import beat_heart, write_seal
from tables.reports import game
from tests.faults import held
from tests.floor.cast import Cast
from tests.floor.payouts import checked, open_with_terminal
from tests.floor.tablets import signed_in, signing, words
from tests.pooled import Pool, pool
from tests.test_beat import Clock, make_clock, ticks

__all__ = ["make_clock", "pool"]

pytestmark = pytest.mark.django_db(transaction=True)


def limits() -> dict[str, str]:
    """Return the limits of the connection that the pool gives out next."""
    shown = {}
    with transaction.atomic(), connection.cursor() as cursor:
        for name in ("statement_timeout", "lock_timeout", "transaction_timeout"):
            cursor.execute(f"SHOW {name}")
            shown[name] = cursor.fetchone()[0]
    return shown


def limit_of_another(name: str) -> str:
    """Return a limit as somebody else finds it, on whatever connection the pool has left."""
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute(f"SHOW {name}")
            return str(cursor.fetchone()[0])
    finally:
        other.close()


USUAL = {"statement_timeout": "10s", "lock_timeout": "3s", "transaction_timeout": "30s"}


def test_a_fill_is_signed_to_its_end_and_a_form_sent_twice_signs_once(
    cast: Cast, pool: Pool
) -> None:
    pool()
    fill = cast.ask()
    cast.carry(fill)
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    alice = signed_in(cast.alice, cast)
    form = signing(words(alice.get(f"/slips/{fill.serial}/")), cast.alice)
    for _ in range(2):
        assert alice.post(f"/slips/{fill.serial}/sign/main/received", form).status_code == 302
    assert Signature.objects.filter(step="received").count() == 1


def test_health_is_as_it_is_without_a_pool(cast: Cast, pool: Pool) -> None:
    pool()
    beat_heart.delay()
    write_seal.delay()
    BeatLease.objects.create(holder="pit", until=house.now() + timedelta(seconds=30))
    for path in ("/readyz", "/healthz"):
        answer = Client().get(path)
        assert (answer.status_code, answer.json()["status"]) == (200, "ok"), answer.content
    with held("LOCK TABLE pitboss_requestmark"):
        answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["signing"] == {"status": "down", "why": "busy"}


def test_of_two_beats_behind_one_connection_one_sends(
    make_clock: Callable[[str], Clock], pool: Pool
) -> None:
    pool(1)
    first, second = make_clock("first"), make_clock("second")
    assert ticks(first) > 0
    assert ticks(second) == 0
    first.close()
    assert ticks(second) > 0


def test_the_longer_limits_of_a_report_reach_nobody_else(cast: Cast, pool: Pool) -> None:
    pool(2)
    with patient():
        assert limits()["statement_timeout"] == "1min"
        assert limit_of_another("statement_timeout") == "10s"
    assert limits() == USUAL
    manager = signed_in(cast.heidi, cast, Place.OFFICE)
    assert manager.get(f"/reports/{game.KEY}/").status_code == 200
    assert limits() == USUAL


def test_naming_a_busy_table_leaves_no_shorter_limit_on_the_other_connection(
    cast: Cast, pool: Pool
) -> None:
    # While one connection waits for the table, its name is read on the other.
    pool(2)
    with (
        held("SELECT FROM pitboss_table WHERE id = %s FOR UPDATE", cast.table.pk),
        pytest.raises(Refused, match=f"{cast.table.name} is busy"),
    ):
        cast.ask()
    with transaction.atomic():
        assert limits() == USUAL
        assert limit_of_another("lock_timeout") == "3s"


def test_the_record_is_verified_and_a_day_is_exported(cast: Cast, pool: Pool) -> None:
    cast.deliver(cast.ask())
    write_seal.delay()
    pool()
    assert not verify().findings
    archive = BytesIO()
    day = Slip.objects.latest("pk").gaming_day
    assert export_day(day=day, person=cast.alice, device=None, to=archive)
    assert limits() == USUAL


def prepared() -> int:
    """Return how many statements the server keeps the plan of, on this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        return int(cursor.fetchone()[0])


def test_payouts_are_checked_behind_a_pool_where_no_plan_is_kept(cast: Cast, pool: Pool) -> None:
    terminal = open_with_terminal(cast)
    checked(terminal)
    # Who calls, and the check with its answer.
    assert prepared() == 2
    pool()
    for _ in range(6):
        checked(terminal)
        assert prepared() == 0


@pytest.mark.parametrize("more", ["", "ignore_startup_parameters = options"])
def test_a_pool_without_limits_is_not_ready_and_says_why(pool: Pool, more: str) -> None:
    pool(limits="", more=more, is_told=not more)
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"]["why"] == "no_limits"
    page = words(Client().get("/healthz", headers={"accept": "text/html"}))
    assert "It answers, but has no limits. Set them at the pooler." in page
