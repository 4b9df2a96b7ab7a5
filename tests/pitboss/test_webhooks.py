"""Webhooks: asked for by two people, told once an act is committed, ended when no one answers."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from pitboss import outgoing
from pitboss.models import JournalEntry, OutboxEvent, Person, Webhook, WebhookDelivery
from pitboss.rules.floor.table_events import OUTBOX_KINDS, OUTBOX_SLIPS
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.roles import Place
from pitboss.services import house, webhook_sending, webhooks
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.tablets import signed_in, words
from tests.races import at_once
from tests.webhook_receiver import Receiver, receiver

pytestmark = pytest.mark.django_db
ACT_REFUSED = ("act_refused",)


@pytest.fixture
def other(settings: Any) -> Iterator[Receiver]:
    """A system inside the house, which the operator has listed."""
    settings.WEBHOOK_HOSTS = frozenset({"127.0.0.1"})
    with receiver() as state:
        yield state


def by(cast: Cast, person: Person) -> dict[str, Any]:
    pin = pin_of(person.badge)
    return {"badge": person.badge, "pin": pin, "device": cast.devices[Place.OFFICE]}


def asked(cast: Cast, url: str, *events: str) -> tuple[Webhook, str]:
    return webhooks.ask_webhook(
        name="Ledger",
        url=url,
        events=events or ("fill_on_the_way", "table_opened"),
        **by(cast, cast.judy),
    )


def switched_on(cast: Cast, url: str, *events: str) -> tuple[Webhook, str]:
    webhook, secret = asked(cast, url, *events)
    return webhooks.switch_on(webhook_id=webhook.pk, **by(cast, cast.heidi)), secret


def send() -> None:
    webhook_sending.send_due(now=house.now())


def test_an_event_is_sent_signed_once_its_act_is_committed(cast: Cast, other: Receiver) -> None:
    webhook, secret = switched_on(cast, other.url)
    cast.open_table({})
    slip = cast.ask()
    cast.carry(slip)
    send()
    send()
    assert [event["event"] for event in other.events] == ["table_opened", "fill_on_the_way"]
    told = other.events[1]
    assert (told["table"], told["serial"]) == (cast.table.name, slip.serial)
    entry = JournalEntry.objects.get(pk=told["id"])
    assert entry.kind == "fill.carried"
    headers, body = other.came[1]
    at, signature = (part.partition("=")[2] for part in headers["Pitboss-Signature"].split(","))
    expected = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(signature, expected)
    assert headers["Pitboss-Event"] == "fill_on_the_way"
    assert secret not in str(Webhook.objects.filter(pk=webhook.pk).values())
    assert all(row.taken_at for row in webhook.deliveries.all())


def test_two_people_switch_it_on_and_the_database_knows(cast: Cast, other: Receiver) -> None:
    webhook, _ = asked(cast, other.url)
    with refused("same_person", journal=ACT_REFUSED):
        webhooks.switch_on(webhook_id=webhook.pk, **by(cast, cast.judy))
    with refused("wrong_role", journal=ACT_REFUSED):
        webhooks.switch_on(webhook_id=webhook.pk, **by(cast, cast.alice))
    webhook.is_on, webhook.switched_on_by = True, cast.judy
    with pytest.raises(DatabaseError, match="second_person"), transaction.atomic():
        webhook.save()
    webhooks.switch_on(webhook_id=webhook.pk, **by(cast, cast.heidi))
    with refused("webhook_is_on", journal=ACT_REFUSED):
        webhooks.switch_on(webhook_id=webhook.pk, **by(cast, cast.mike))
    webhooks.switch_off(webhook_id=webhook.pk, **by(cast, cast.judy))
    with refused("webhook_is_off", journal=ACT_REFUSED):
        webhooks.switch_off(webhook_id=webhook.pk, **by(cast, cast.judy))
    with refused("unknown_webhook", journal=ACT_REFUSED):
        webhooks.switch_off(webhook_id=webhook.pk + 1, **by(cast, cast.judy))


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://10.0.0.7/in", "url_not_public"),
        ("https://[64:ff9b::a00:7]/in", "url_not_public"),
        ("http://example.com/in", "url_not_https"),
        ("nonsense", "url_malformed"),
    ],
)
def test_no_address_inside_is_taken_that_nobody_listed(cast: Cast, url: str, code: str) -> None:
    codes = {"url_not_https", code} if url.startswith("http://10") else {code}
    with refused(*sorted(codes), journal=ACT_REFUSED):
        asked(cast, url)


def test_a_name_is_taken_once_and_events_are_those_that_exist(cast: Cast, other: Receiver) -> None:
    asked(cast, other.url)
    with refused("name_taken", journal=ACT_REFUSED):
        asked(cast, other.url)
    with refused("events_unknown", "name_taken", journal=ACT_REFUSED):
        asked(cast, other.url, "no_such_event")


def test_a_name_is_judged_by_the_address_that_is_called(
    cast: Cast, other: Receiver, settings: Any
) -> None:
    switched_on(cast, other.url)
    cast.open_table({})
    # The operator has taken it off the list: its address is looked at again with each call.
    settings.WEBHOOK_HOSTS = frozenset()
    send()
    assert other.came == []
    delivery = WebhookDelivery.objects.get()
    assert delivery.said == "The host leads to an address that isn’t public"
    with pytest.raises(outgoing.NotSent, match="public"):
        outgoing.post(f"http://localhost:{other.port}/", b"", {}, listed=())


def test_a_receiver_that_drips_holds_nobody(
    other: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    other.drips = True
    monkeypatch.setattr(outgoing, "WHOLE_SECONDS", 0.3)
    with pytest.raises(outgoing.NotSent, match="No answer in time"):
        outgoing.post(other.url, b"{}", {"Content-Length": "2"}, listed=["127.0.0.1"])


def test_a_redirect_is_not_followed(cast: Cast, other: Receiver) -> None:
    switched_on(cast, other.url)
    other.answers, other.location = 307, f"http://127.0.0.1:{other.port}/elsewhere"
    cast.open_table({})
    send()
    assert len(other.came) == 1
    delivery = WebhookDelivery.objects.get()
    assert (delivery.said, delivery.taken_at) == ("307", None)


def test_what_is_not_taken_is_tried_later_and_at_last_switched_off(
    cast: Cast, other: Receiver, server_clock: ServerClock
) -> None:
    webhook, _ = switched_on(cast, other.url)
    other.answers = 500
    cast.open_table({})
    send()
    send()
    assert len(other.came) == 1, "not tried again before its time"
    server_clock.move(seconds=11)
    send()
    assert len(other.came) == 2
    for _ in range(12):
        server_clock.move(hours=3)
        send()
    webhook.refresh_from_db()
    assert (webhook.is_on, webhook.died) == (False, True)
    assert JournalEntry.objects.filter(kind="webhook_died").count() == 1
    came = len(other.came)
    server_clock.move(hours=12)
    send()
    assert len(other.came) == came
    # What had waited is sent when it is switched on again.
    other.answers = 200
    webhooks.switch_on(webhook_id=webhook.pk, **by(cast, cast.heidi))
    send()
    assert len(other.came) == came + 1
    webhook.refresh_from_db()
    assert (webhook.failing_since, webhook.died) == (None, False)


def test_nobody_there_is_a_failure_like_another(cast: Cast, other: Receiver) -> None:
    switched_on(cast, "http://127.0.0.1:1/in")
    cast.open_table({})
    send()
    assert WebhookDelivery.objects.get().said == "Connection refused"


def test_an_event_is_sent_again_when_somebody_asks(cast: Cast, other: Receiver) -> None:
    webhook, _ = switched_on(cast, other.url)
    cast.open_table({})
    send()
    delivery = webhook.deliveries.get()
    webhooks.send_again(delivery_id=delivery.pk, **by(cast, cast.judy))
    send()
    assert len(other.came) == 2
    assert other.came[0][1] == other.came[1][1]
    webhooks.switch_off(webhook_id=webhook.pk, **by(cast, cast.judy))
    with refused("webhook_is_off", journal=ACT_REFUSED):
        webhooks.send_again(delivery_id=delivery.pk, **by(cast, cast.judy))
    with refused("unknown_delivery", journal=ACT_REFUSED):
        webhooks.send_again(delivery_id=delivery.pk + 1, **by(cast, cast.judy))


def test_after_a_new_secret_both_sign_for_a_day(
    cast: Cast, other: Receiver, server_clock: ServerClock
) -> None:
    webhook, first = switched_on(cast, other.url)
    second = webhooks.renew_secret(webhook_id=webhook.pk, **by(cast, cast.judy))
    webhook.refresh_from_db()
    assert webhooks.secrets_of(webhook, house.now()) == [second, first]
    server_clock.move(hours=25)
    assert webhooks.secrets_of(webhook, house.now()) == [second]


def test_nothing_is_sent_to_an_address_that_was_changed_past_the_site(
    cast: Cast, other: Receiver
) -> None:
    webhook, _ = switched_on(cast, "http://127.0.0.1:1/in")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pitboss_webhook SET url = %s, version = version + 1 WHERE id = %s",
            [other.url, webhook.pk],
        )
    cast.open_table({})
    send()
    assert other.came == []


def test_a_webhook_that_is_off_is_told_nothing_and_a_month_is_kept(
    cast: Cast, other: Receiver, server_clock: ServerClock
) -> None:
    webhook, _ = asked(cast, other.url)
    cast.open_table({})
    send()
    assert not webhook.deliveries.exists()
    assert not OutboxEvent.objects.filter(handed_at=None).exists()
    webhook_sending.sweep(now=house.now())
    assert OutboxEvent.objects.exists()
    webhook_sending.sweep(now=house.now() + timedelta(days=31))
    assert not OutboxEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_act_that_is_committed_while_a_webhook_is_switched_on_is_told(
    cast: Cast, other: Receiver
) -> None:
    webhook, _ = asked(cast, other.url)
    meet = Barrier(2, timeout=60)

    def act() -> None:
        with transaction.atomic():
            cast_open = OutboxEvent.objects.count()
            _write_opened(cast)
            assert OutboxEvent.objects.count() == cast_open + 1
            # Written, not committed: meanwhile the webhook is switched on, and all is handed out.
            meet.wait()
            meet.wait()

    def switch() -> None:
        meet.wait()
        webhooks.switch_on(webhook_id=webhook.pk, **by(cast, cast.heidi))
        send()
        meet.wait()

    at_once(act, switch)
    assert other.came == []
    send()
    assert [event["event"] for event in other.events] == ["table_opened"]


def _write_opened(cast: Cast) -> None:
    """Write an opener's last entry, in the caller's transaction."""
    from pitboss.services import journal

    journal.write(
        chain=journal.chain_of(cast.table, journal.HOUSE),
        kind="opener.verified",
        body={"serial": "O-2026-000001", "status": "done"},
        at=house.now(),
    )


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_an_event_once(cast: Cast, other: Receiver) -> None:
    switched_on(cast, other.url)
    for _ in range(5):
        _write_opened(cast)
    at_once(send, send)
    assert sorted(event["id"] for event in other.events) == sorted(
        OutboxEvent.objects.values_list("entry_id", flat=True)
    )


def test_the_database_keeps_what_the_rules_tell() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = 'to_the_outbox'"
        )
        (body,) = cursor.fetchone()
    assert {part for part in body.split("'")[1::2] if part != "."} == {*OUTBOX_SLIPS, *OUTBOX_KINDS}


def test_what_the_outbox_keeps_by_a_slip_is_a_kind_of_slip() -> None:
    assert set(OUTBOX_SLIPS) <= FLOWS.keys()


def test_the_screen_asks_shows_the_secret_once_and_lists_what_was_sent(
    cast: Cast, other: Receiver
) -> None:
    client = signed_in(cast.judy, cast, Place.OFFICE)
    page = client.get(reverse("webhooks"))
    assert "No webhooks yet" in words(page)
    posted = client.post(
        reverse("webhooks"),
        {
            "name": "Ledger",
            "url": other.url,
            "events": ["table_opened"],
            "badge": cast.judy.badge,
            "pin": pin_of(cast.judy.badge),
            "request_id": page.context["pad"]["request_id"],
        },
    )
    assert posted.status_code == 200
    assert "whsec_" in words(posted)
    webhook = Webhook.objects.get()
    second = signed_in(cast.heidi, cast, Place.OFFICE)
    switch = reverse("webhook-switch", args=[webhook.pk])
    sent = {
        "badge": cast.heidi.badge,
        "pin": pin_of(cast.heidi.badge),
        "request_id": second.get(switch).context["pad"]["request_id"],
    }
    assert second.post(switch, sent).status_code == 302
    cast.open_table({})
    send()
    shown = words(client.get(reverse("webhook", args=[webhook.pk])))
    assert "Table opened" in shown
    assert "204" in shown
    assert "whsec_" not in shown
    again = reverse("webhook-again", args=[webhook.deliveries.get().pk])
    sent["request_id"] = second.get(again).context["pad"]["request_id"]
    assert second.post(again, sent).status_code == 302
    secret = reverse("webhook-secret", args=[webhook.pk])
    sent["request_id"] = second.get(secret).context["pad"]["request_id"]
    assert "whsec_" in words(second.post(secret, sent))
    wrong = second.post(secret, {**sent, "pin": "000000"})
    assert wrong.status_code in (403, 409, 422)
