"""Guessers at the doors: strangers, sprayers, and what they leave behind."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Attempt, Device, FloorException, JournalEntry, StrayAttempt, Visit
from pitboss.rules.canonical import digest
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.attempts import forgive, sweep_strays
from pitboss.services.pins import prove_password, prove_pin
from pitboss.services.source import coming_from
from tests.floor.cast import LOCKOUT, PASSWORD, Cast, ServerClock, pin_of, refused
from tests.floor.tablets import words

pytestmark = pytest.mark.django_db

STRANGER = "203.0.113.9"
# A PIN that somebody types where the badge belongs.
TYPED = "481602"


@pytest.fixture
def stranger() -> Iterator[None]:
    with coming_from(STRANGER):
        yield


def try_pin(badge: str, device: Device | None, pin: str = "000000") -> str:
    try:
        prove_pin(badge=badge, pin=pin, device=device, policy=LOCKOUT)
    except Refused as refused:
        return refused.codes[0]
    return "right"


def try_password(badge: str, device: Device | None, password: str = "wrong") -> str:
    try:
        prove_password(badge=badge, password=password, device=device, policy=LOCKOUT)
    except Refused as refused:
        return str(refused)
    return "right"


def browser_of(device: Device | None) -> Client:
    client = Client()
    if device is not None:
        Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
        client.cookies[DEVICE_COOKIE] = device.name
    return client


def test_no_pin_is_looked_at_on_a_device_that_is_not_enrolled(cast: Cast) -> None:
    for pin in (pin_of("101"), "000000"):
        with refused("unknown_device", journal=[]):
            prove_pin(badge="101", pin=pin, device=None, policy=LOCKOUT)
    out = cast.devices[Place.CAGE]
    out.revoked_at = out.enrolled_at
    assert try_pin("101", out, pin_of("101")) == "unknown_device"
    assert not Attempt.objects.exists()


def test_the_page_for_pins_says_one_thing_to_a_stranger_whatever_is_sent(cast: Cast) -> None:
    stranger = browser_of(None)
    answers = set()
    for badge, pin in (("101", pin_of("101")), ("101", "000000"), ("999", "000000")):
        form = {"person_badge": "104", "code": "0", "badge": badge, "pin": pin}
        form |= {"new_pin": "402795", "new_pin_again": "402795"}
        answer = stranger.post(reverse("pin-enrol"), form)
        answers.add((answer.status_code, "isn’t enrolled" in words(answer)))
    assert answers == {(403, True)}
    assert stranger.get(reverse("pin-enrol")).status_code == 403
    assert not Attempt.objects.exists()


def test_the_door_tells_no_stranger_an_unknown_badge_from_a_wrong_password(
    cast: Cast, server_clock: ServerClock, stranger: None
) -> None:
    known = [try_password("104", None) for _ in range(6)]
    unknown = [try_password("999", None) for _ in range(6)]
    assert known[:5] == unknown[:5]
    assert known[0] == "Badge or password is wrong. 4 tries left."
    assert known[5].replace("104", "999") == unknown[5]


def test_a_stranger_locks_nobody_on_an_enrolled_device(
    cast: Cast, server_clock: ServerClock
) -> None:
    tablet = cast.devices[Place.PIT]
    for address in ("203.0.113.1", "203.0.113.2", "203.0.113.3"):
        with coming_from(address):
            for _ in range(6):
                try_password("104", None)
    with coming_from("203.0.113.4"):
        assert "is locked" in try_password("104", None, PASSWORD)
    assert try_password("104", tablet, PASSWORD) == "right"
    assert try_pin("104", tablet, pin_of("104")) == "right"


def test_one_password_against_many_badges_locks_the_address_and_is_told(
    cast: Cast, server_clock: ServerClock, stranger: None
) -> None:
    said = [try_password(str(badge), None) for badge in range(101, 114)]
    assert all(item.startswith("Badge or password is wrong.") for item in said[:12])
    assert said[12].startswith("This machine is locked")
    floor_exception = FloorException.objects.get(code="many_badges_tried")
    assert floor_exception.details == {"device": None, "source": STRANGER}
    assert floor_exception.waits.get().by == ["security_manager", "shift_manager"]
    with coming_from("203.0.113.10"):
        assert try_password("119", None, PASSWORD) == "right"
    server_clock.move(minutes=15)
    assert try_password("119", None, PASSWORD) == "right"


def test_one_pin_against_many_badges_locks_the_device_and_is_told(
    cast: Cast, server_clock: ServerClock
) -> None:
    tablet = cast.devices[Place.PIT]
    assert [try_pin(str(badge), tablet) for badge in range(101, 113)] == ["wrong_pin"] * 12
    assert try_pin("119", tablet, pin_of("119")) == "door_locked"
    assert FloorException.objects.get().details == {"device": tablet.name}
    assert try_pin("119", cast.devices[Place.CAGE], pin_of("119")) == "right"
    forgive(device=tablet)
    assert try_pin("119", tablet, pin_of("119")) == "right"


def test_badges_that_nobody_has_count_at_the_door_too(
    cast: Cast, server_clock: ServerClock
) -> None:
    tablet = cast.devices[Place.PIT]
    assert [try_pin(str(badge), tablet) for badge in range(901, 913)] == ["unknown_badge"] * 12
    assert try_pin("119", tablet, pin_of("119")) == "door_locked"
    forgive(device=tablet)
    assert try_pin("119", tablet, pin_of("119")) == "right"


def test_people_who_mistype_and_then_get_it_right_lock_no_device(
    cast: Cast, server_clock: ServerClock
) -> None:
    tablet = cast.devices[Place.PIT]
    for badge in map(str, range(101, 117)):
        assert try_pin(badge, tablet) == "wrong_pin"
        assert try_pin(badge, tablet, pin_of(badge)) == "right"


def test_a_pin_typed_as_a_badge_stays_nowhere(cast: Cast, server_clock: ServerClock) -> None:
    tablet = cast.devices[Place.PIT]
    for _ in range(6):
        try_pin(TYPED, tablet)
    with pytest.raises(Refused):
        cast.ask(pen=cast.pen(type(cast.alice)(badge=TYPED)))
    client = browser_of(tablet)
    client.post(reverse("login"), {"badge": TYPED, "password": "104"})
    assert JournalEntry.objects.filter(kind="sign_refused").exists()
    assert FloorException.objects.filter(code="badge_locked").exists()
    assert StrayAttempt.objects.exists()
    assert TYPED not in _everything()
    wrong = JournalEntry.objects.filter(kind="pin_wrong").first()
    assert wrong is not None
    body = json.loads(wrong.text)["body"]
    assert body == {"badge": "unknown, 6 characters", "known": False, "tries_left": 4}


def _everything() -> str:
    """Return every row of every table as text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        rows = []
        for table in tables:
            cursor.execute(f'SELECT kept::text FROM "{table}" kept')
            rows += [row for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def test_tries_with_unknown_badges_are_swept_after_the_hours_of_the_house(
    cast: Cast, server_clock: ServerClock
) -> None:
    try_pin(TYPED, cast.devices[Place.PIT])
    server_clock.move(hours=24)
    assert sweep_strays(now=server_clock.now) == 0
    server_clock.move(seconds=1)
    assert sweep_strays(now=server_clock.now) == 1
    assert JournalEntry.objects.filter(kind="pin_wrong").exists()


def test_the_address_is_kept_on_attempts_visits_and_the_journal(cast: Cast) -> None:
    client = Client(REMOTE_ADDR="198.51.100.7", HTTP_X_FORWARDED_FOR="6.6.6.6")
    client.post(reverse("login"), {"badge": "101", "password": PASSWORD})
    assert Attempt.objects.get().source == "198.51.100.7"
    assert Visit.objects.get().source == "198.51.100.7"
    entry = JournalEntry.objects.get(kind="logged_in")
    assert json.loads(entry.text)["from"] == "198.51.100.7"


def test_a_locked_screen_of_a_stranger_opens_by_password_and_asks_for_no_pin(cast: Cast) -> None:
    client = browser_of(None)
    client.post(reverse("login"), {"badge": "101", "password": PASSWORD})
    client.post(reverse("lock"), {"next": "/"})
    page = words(client.get(reverse("lock")))
    assert 'name="password"' in page
    assert 'name="pin"' not in page
    assert client.post(reverse("unlock"), {"pin": pin_of("101")}).status_code == 422
    assert client.post(reverse("unlock"), {"password": PASSWORD}).status_code == 302
