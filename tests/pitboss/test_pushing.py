"""Notifications: for one's own visit, of what the inbox shows as one's own, once, unreadable."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.db import connection
from django.urls import reverse
from joserfc import jwt
from joserfc.jwk import ECKey

from pitboss import web_push
from pitboss.models import (
    Device,
    FloorException,
    JournalEntry,
    Person,
    PushAddress,
    PushSent,
    Table,
    Visit,
)
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house, pushing
from pitboss.services.exceptions import open_exception
from pitboss.services.people import begin_visit, end_visit
from pitboss.services.visits import SESSION_LASTS
from tables.services.calls import SUPERVISOR_CALLED
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.tablets import signed_in, words
from tests.races import at_once, hold_before
from tests.webhook_receiver import Receiver, receiver

pytestmark = pytest.mark.django_db
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
KEY = ec.generate_private_key(ec.SECP256R1())


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def text_of(some: bytes) -> str:
    return urlsafe_b64encode(some).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def opened(body: bytes) -> dict[str, Any]:
    """Read a message as the browser does that it was encrypted for."""
    salt, size, theirs = body[:16], body[20], body[21:86]
    assert size == len(theirs)
    shared = KEY.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    )
    info = b"WebPush: info\0" + point_of(KEY) + theirs
    both = HKDF(SHA256(), 32, salt=bytes_of(AUTH), info=info).derive(shared)
    key = HKDF(SHA256(), 16, salt=salt, info=b"Content-Encoding: aes128gcm\0").derive(both)
    nonce = HKDF(SHA256(), 12, salt=salt, info=b"Content-Encoding: nonce\0").derive(both)
    plain = AESGCM(key).decrypt(nonce, body[86:], None)
    assert plain.endswith(b"\x02")
    told: dict[str, Any] = json.loads(plain[:-1])
    return told


@pytest.fixture
def maker(settings: Any) -> Iterator[Receiver]:
    """The service of a browser's maker, near enough to be listened to."""
    settings.PUSH_CONTACT = "mailto:it@casino.example"
    settings.PUSH_SERVICES = settings.WEBHOOK_HOSTS = frozenset({"127.0.0.1"})
    with receiver() as state:
        state.answers = 201
        yield state


def visit(cast: Cast, person: Person, place: Place = Place.PIT) -> str:
    session_key = f"session of {person.badge}"
    begin_visit(person=person, device=cast.devices[place], session_key=session_key)
    return session_key


def turn_on(cast: Cast, person: Person, endpoint: str, **more: Any) -> None:
    keyed = {"endpoint": endpoint, "p256dh": text_of(point_of(KEY)), "auth": AUTH, **more}
    pushing.turn_on(**keyed, person=person, device=cast.devices[Place.PIT])


def reached(cast: Cast, maker: Receiver, person: Person, place: Place = Place.PIT) -> None:
    turn_on(cast, person, maker.url, session_key=visit(cast, person, place))


def call(cast: Cast, table: Table | None = None) -> FloorException:
    table = table or cast.table
    return open_exception(
        code=SUPERVISOR_CALLED,
        sentence=f"{table} calls the supervisor: Ms. Ruiz disputes $5,000.",
        details={},
        at=house.now(),
        person=None,
        table=table,
    )


def send() -> int:
    return pushing.send_due(now=house.now())


def test_the_example_of_the_standard_comes_out_to_the_byte() -> None:
    browser = web_push.Browser(
        "https://push.example.net/",
        bytes_of(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        ),
        bytes_of(AUTH),
    )
    own = ec.derive_private_key(
        int.from_bytes(bytes_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"),
        ec.SECP256R1(),
    )
    body = web_push.seal(
        b"When I grow up, I want to be a watermelon",
        browser,
        own=own,
        salt=bytes_of("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert text_of(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
        "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
        "lcy4a-fN"
    )


def test_a_call_is_told_once_in_two_words_that_only_the_browser_can_read(
    cast: Cast, maker: Receiver
) -> None:
    reached(cast, maker, cast.alice)
    assert send() == 0
    called = call(cast)
    assert (send(), send()) == (1, 0)
    ((headers, body),) = maker.came
    assert b"BJ-11" not in body
    (wait,) = called.waits.all()
    assert opened(body) == {"title": "BJ-11 calls", "tag": str(wait.pk), "url": "/inbox/"}
    assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "180")
    scheme, _, rest = headers["Authorization"].partition(" ")
    token, key = (part.partition("=")[2] for part in rest.split(", "))
    assert (scheme, key) == ("vapid", web_push.house_key())
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(key))
    claims = jwt.decode(token, ECKey.import_key(point), algorithms=["ES256"]).claims
    assert claims["aud"] == f"http://127.0.0.1:{maker.port}"
    assert claims["sub"] == "mailto:it@casino.example"
    assert 0 < claims["exp"] - house.now().timestamp() <= 3600


def test_only_what_is_ones_own_to_do_and_cannot_wait_is_told(cast: Cast, maker: Receiver) -> None:
    call(cast)
    reached(cast, maker, cast.alice)
    reached(cast, maker, cast.erin, Place.CAGE)
    assert send() == 0, "what waited before is on the screen already"
    open_exception(
        code="badge_locked", sentence="A badge is locked.", details={}, at=house.now(), person=None
    )
    cast.open_table({})
    cast.ask()
    assert send() == 0, "a slip can wait until someone looks"
    call(cast, cast.other_table)
    assert send() == 1
    ((_, body),) = maker.came
    assert opened(body)["title"] == "BJ-12 calls"


def test_it_ends_with_the_visit(cast: Cast, maker: Receiver, server_clock: ServerClock) -> None:
    reached(cast, maker, cast.alice)
    end_visit(person=cast.alice, device=cast.devices[Place.PIT])
    call(cast)
    assert send() == 0
    pushing.sweep(now=house.now())
    assert not PushAddress.objects.exists()
    reached(cast, maker, cast.bob)
    server_clock.move(seconds=int(SESSION_LASTS.total_seconds()) + 1)
    call(cast)
    assert send() == 0
    pushing.sweep(now=house.now())
    assert not PushAddress.objects.exists()
    assert not PushSent.objects.exists()


def test_one_turns_it_off_again(cast: Cast, maker: Receiver) -> None:
    session_key = visit(cast, cast.alice)
    device = cast.devices[Place.PIT]
    turn_on(cast, cast.alice, maker.url, session_key=session_key)
    turn_on(cast, cast.alice, f"{maker.url}&again=1", session_key=session_key)
    assert PushAddress.objects.get().endpoint.endswith("again=1")
    for _ in range(2):
        pushing.turn_off(session_key=session_key, person=cast.alice, device=device)
    call(cast)
    assert send() == 0
    entries = JournalEntry.objects.filter(kind__startswith="push_").order_by("pk")
    assert list(entries.values_list("kind", "person")) == [
        ("push_on", cast.alice.pk),
        ("push_off", cast.alice.pk),
    ]


@pytest.mark.parametrize(("answer", "stays"), [(410, False), (404, False), (500, True)])
def test_a_browser_that_is_gone_is_forgotten_and_a_fault_of_the_service_is_not(
    cast: Cast, maker: Receiver, answer: int, stays: bool
) -> None:
    reached(cast, maker, cast.alice)
    call(cast)
    maker.answers = answer
    assert send() == 0
    assert PushAddress.objects.exists() is stays
    assert send() == 0
    assert len(maker.came) == 1, "it is not tried again: the inbox has it"


def test_a_service_that_is_not_reached_stops_nobody(cast: Cast, maker: Receiver) -> None:
    reached(cast, maker, cast.alice)
    second = Device.objects.create(
        name="Pit 1 phone",
        place=Place.PIT.value,
        pit=cast.pit,
        token_hash=digest("Pit 1 phone"),
        token_ends_at=house.now() + timedelta(days=1),
        enrolled_at=house.now(),
    )
    begin_visit(person=cast.bob, device=second, session_key="second")
    turn_on(cast, cast.bob, "http://127.0.0.1:9/", session_key="second")
    call(cast)
    assert send() == 1
    assert PushSent.objects.count() == 2


def test_who_is_not_signed_in_here_turns_nothing_on(cast: Cast, maker: Receiver) -> None:
    session_key = visit(cast, cast.alice)
    for person, key in ((cast.bob, session_key), (cast.alice, "another"), (cast.alice, None)):
        with refused("signed_out", journal=()):
            turn_on(cast, person, maker.url, session_key=key)
    end_visit(person=cast.alice, device=cast.devices[Place.PIT])
    with refused("signed_out", journal=()):
        turn_on(cast, cast.alice, maker.url, session_key=session_key)
    assert not PushAddress.objects.exists()


def test_what_is_no_address_is_refused(cast: Cast, maker: Receiver, settings: Any) -> None:
    session_key = visit(cast, cast.alice)
    with refused("push_service_unknown", journal=()):
        turn_on(cast, cast.alice, "https://evil.example/", session_key=session_key)
    off_the_curve = text_of(b"\x04" + b"\x01" * 64)
    with refused("push_keys_malformed", journal=()):
        turn_on(cast, cast.alice, maker.url, session_key=session_key, p256dh=off_the_curve)
    settings.PUSH_CONTACT = ""
    with refused("push_is_off", journal=()):
        turn_on(cast, cast.alice, maker.url, session_key=session_key)
    assert send() == 0


@pytest.mark.django_db(transaction=True)
def test_two_workers_tell_a_browser_once(
    cast: Cast, maker: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached(cast, maker, cast.alice)
    call(cast)
    hold_before(monkeypatch, pushing, "waiting_for")
    assert sorted(at_once(send, send)) == [0, 1]
    assert len(maker.came) == 1


def test_the_switch_stands_in_the_inbox_where_the_house_sends(
    cast: Cast, maker: Receiver, settings: Any
) -> None:
    client = signed_in(cast.alice, cast)
    begin_visit(
        person=cast.alice,
        device=cast.devices[Place.PIT],
        session_key=client.session.session_key or "",
    )
    inbox = reverse("inbox")
    page = words(client.get(inbox))
    assert f'data-push-key="{web_push.house_key()}"' in page
    assert 'data-is-on="no"' in page
    keyed = {"endpoint": maker.url, "p256dh": text_of(point_of(KEY)), "auth": AUTH}
    answer = client.post(reverse("push-on"), keyed)
    assert answer.json() == {"words": "Notifications are on until you sign out."}
    assert 'data-is-on="yes"' in words(client.get(inbox))
    assert PushAddress.objects.get().visit == Visit.objects.get(person=cast.alice)
    refusal = client.post(reverse("push-on"), {**keyed, "endpoint": "https://evil.example/"})
    assert refusal.status_code == 422
    assert "isn’t one that the house uses" in refusal.json()["words"]
    assert client.post(reverse("push-off")).json() == {"words": "Notifications are off."}
    assert 'data-is-on="no"' in words(client.get(inbox))
    settings.PUSH_CONTACT = ""
    assert "data-push-key" not in words(client.get(inbox))


def test_the_worker_is_sent_to_anyone_from_the_root(cast: Cast) -> None:
    answer = signed_in(cast.alice, cast).get("/worker.js")
    assert answer["Content-Type"] == "text/javascript"
    assert b"showNotification" in answer.content


def test_the_database_tells_of_one_thing_once(cast: Cast, maker: Receiver) -> None:
    reached(cast, maker, cast.alice)
    call(cast)
    send()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pitboss_pushsent GROUP BY address_id, waiting_id")
        assert {count for (count,) in cursor.fetchall()} == {1}
