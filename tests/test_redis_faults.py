"""Redis fails: the floor goes on, and whoever asks is told so."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event

import pytest
from celery import Celery
from django.test import Client

from pitboss import rates
from pitboss.beat import OneBeat
from pitboss.live import of_pit, version
from pitboss.models import JournalAudit, Signature
from pitboss.rules.roles import Place
from pitboss.services import audits, house
from pitboss.timeouts import broker_options
from tables.models import Round
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in, signing, words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.redis_faults import FaultyRedis, faulty_redis
from tests.test_beat import await_true

__all__ = ["faulty_redis"]

pytestmark = pytest.mark.django_db(transaction=True)

TRAY = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
Fault = Callable[[FaultyRedis], None]
# What takes no message, however it comes about.
TAKES_NOTHING = [
    FaultyRedis.is_gone,
    FaultyRedis.is_hung,
    FaultyRedis.is_full,
    FaultyRedis.is_read_only,
]


@pytest.mark.parametrize("fault", [*TAKES_NOTHING, FaultyRedis.is_frozen, FaultyRedis.is_slow])
def test_signing_board_and_terminal_need_no_redis(
    fault: Fault, cast: Cast, faulty_redis: FaultyRedis
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    fill = cast.ask()
    cast.carry(fill)
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    terminal = TerminalClient(make_terminal(cast.table))
    alice = signed_in(cast.alice, cast)
    fault(faulty_redis)

    form = signing(words(alice.get(f"/slips/{fill.serial}/")), cast.alice)
    assert alice.post(f"/slips/{fill.serial}/sign/main/received", form).status_code == 302
    assert Signature.objects.filter(slip=fill, step="received").exists()
    shown = version(of_pit({"pit_id": cast.pit.pk}))
    assert alice.get(f"/board/{cast.pit.pk}/poll?v={shown}").status_code == 204
    assert alice.get(f"/board/{cast.pit.pk}/poll?v={shown - 1}").status_code == 200
    assert terminal.post("rounds", {}).status_code == 201
    assert Round.objects.count() == 1
    assert Client().get("/readyz").status_code == 200


@pytest.mark.parametrize("fault", [*TAKES_NOTHING, FaultyRedis.is_slow])
def test_a_terminal_that_runs_wild_is_held_off_all_the_same(
    fault: Fault, faulty_redis: FaultyRedis
) -> None:
    fault(faulty_redis)
    assert (
        sum(rates.take("wild", a_minute=60, at=1_000.0).wait_seconds == 0 for _ in range(70)) == 60
    )


@pytest.mark.parametrize("fault", TAKES_NOTHING)
def test_health_says_that_no_message_is_sent_and_that_slips_are_signed(
    fault: Fault, faulty_redis: FaultyRedis
) -> None:
    assert Client().get("/healthz?parts=broker").status_code == 200
    fault(faulty_redis)
    page = Client().get("/healthz?parts=broker", headers={"accept": "text/html"})
    assert page.status_code == 503
    assert "They are not sent. Slips can still be signed." in words(page)
    assert Client().get("/readyz").status_code == 200


@pytest.mark.parametrize("fault", TAKES_NOTHING)
def test_an_act_whose_message_is_not_taken_is_done_and_found_by_the_sweep(
    fault: Fault, cast: Cast, faulty_redis: FaultyRedis
) -> None:
    olga = signed_in(cast.olga, cast, Place.OFFICE)
    fault(faulty_redis)
    assert olga.post("/audit/verify").status_code == 302
    journal_audit = JournalAudit.objects.get()
    assert journal_audit.asked_by == cast.olga
    assert audits.audit_due(now=house.now()) == journal_audit.pk


def test_a_person_waits_a_second_for_redis_and_a_worker_longer_for_its_next_message() -> None:
    assert broker_options("web")["socket_timeout"] == 1
    assert broker_options("worker")["socket_timeout"] == 10


@pytest.mark.parametrize("fault", TAKES_NOTHING)
def test_a_beat_that_can_send_nothing_goes_on_and_sends_when_redis_is_back(
    fault: Fault, faulty_redis: FaultyRedis, tmp_path: Path
) -> None:
    app = Celery(
        broker=f"redis://127.0.0.1:{faulty_redis.proxy.port}/0",
        set_as_current=False,
        broker_transport_options=broker_options("web"),
        task_publish_retry_policy={"max_retries": 0},
        beat_schedule={"due": {"task": "due", "schedule": 0.0}},
    )
    fault(faulty_redis)
    is_over = Event()

    def run() -> None:
        beat = OneBeat(app=app, schedule_filename=str(tmp_path / "schedule"))
        try:
            while not is_over.wait(0.1):
                beat.tick()
        finally:
            beat.close()

    with ThreadPoolExecutor(1) as alone:
        running = alone.submit(run)
        try:
            # It looks a few times, and whatever it meets does not end it.
            assert not wait([running], timeout=1.5).done
            faulty_redis.heal()
            await_true(lambda: bool(faulty_redis.client.llen("celery")))
        finally:
            faulty_redis.heal()
            is_over.set()
        running.result(timeout=60)
