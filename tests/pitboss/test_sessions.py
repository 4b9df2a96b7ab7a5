"""Sessions: bound to their device, locked when idle by the server itself, listed and ended."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, JournalEntry, Person, Visit
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from pitboss.services.visits import end_visits
from tests.floor.cast import PASSWORD, Cast, ServerClock, pin_of, refused
from tests.floor.house import change
from tests.floor.tablets import words

pytestmark = pytest.mark.django_db


def sign_in(person: Person, device: Device | None) -> Client:
    client = Client()
    if device is not None:
        client.cookies[DEVICE_COOKIE] = device.name
    client.post(reverse("login"), {"badge": person.badge, "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("sessions")).status_code == 200


def test_a_session_opens_nothing_on_another_device(cast: Cast) -> None:
    client = sign_in(cast.alice, cast.devices[Place.PIT])
    for elsewhere in (None, cast.devices[Place.OFFICE]):
        thief = Client()
        name = settings.SESSION_COOKIE_NAME
        thief.cookies[name] = client.cookies[name].value
        if elsewhere is not None:
            thief.cookies[DEVICE_COOKIE] = elsewhere.name
        assert thief.get(reverse("board")).headers["Location"].startswith(reverse("login"))
        # Whoever tries it ends it: somebody has the key who should not.
        assert not is_in(client)
        client = sign_in(cast.alice, cast.devices[Place.PIT])


def test_an_idle_session_is_locked_by_the_server_alone(
    cast: Cast, server_clock: ServerClock
) -> None:
    client = sign_in(cast.alice, cast.devices[Place.PIT])
    board = reverse("inbox")
    page = client.get(board)
    poll = page.context["poll_url"]
    for _ in range(4):
        server_clock.move(seconds=60)
        assert client.post(reverse("awake")).status_code == 204
        assert client.get(board).status_code == 200
    # What the page asks by itself keeps nothing open.
    server_clock.move(seconds=100)
    assert client.get(poll).status_code in (200, 204)
    server_clock.move(seconds=36)
    assert client.get(poll).headers["HX-Redirect"] == reverse("home")
    assert client.get(board).headers["Location"] == reverse("lock")
    assert client.post(reverse("awake")).headers["Location"] == reverse("lock")
    opened = client.post(reverse("unlock"), {"pin": pin_of(cast.alice.badge)})
    assert opened.headers["Location"] == board
    assert client.get(board).status_code == 200


def test_news_on_a_poll_keeps_nothing_open(cast: Cast, server_clock: ServerClock) -> None:
    client = sign_in(cast.alice, cast.devices[Place.PIT])
    board = reverse("pit-board", args=[cast.pit.pk])
    client.get(board)
    poll = reverse("pit-board-poll", args=[cast.pit.pk])
    server_clock.move(seconds=100)
    assert client.get(poll, {"v": "none"}).status_code == 200
    server_clock.move(seconds=36)
    assert client.get(poll, {"v": "none"}).headers["HX-Refresh"] == "true"
    assert client.get(reverse("inbox")).headers["Location"] == reverse("lock")


def test_an_idle_board_of_the_pit_stays_readable_and_only_acts_need_the_pin(
    cast: Cast, server_clock: ServerClock
) -> None:
    client = sign_in(cast.alice, cast.devices[Place.PIT])
    board = reverse("pit-board", args=[cast.pit.pk])
    open_exception(
        code="supervisor_called",
        sentence="BJ-11 calls the supervisor: patron Moreau disputes.",
        details={},
        at=house.now(),
        person=None,
        table=cast.table,
    )
    assert "Moreau" in client.get(board).content.decode()
    # The page locks itself, and stays.
    assert client.post(reverse("lock"), {"next": board}).headers["Location"] == board
    page = client.get(board).content.decode()
    assert "Calling" in page
    assert "Unlock to read" in page
    assert "Moreau" not in page
    assert 'id="lock"' not in page
    poll = client.get(board).context["poll_url"]
    assert client.get(poll).status_code == 204
    news = client.get(reverse("pit-board-poll", args=[cast.pit.pk]), {"v": "none"})
    assert "Calling" in news.content.decode()
    assert "Moreau" not in news.content.decode()
    # Anything else asks for the PIN, which leads to what was tapped.
    table = reverse("table", args=["BJ-11"])
    assert client.get(table).headers["Location"] == reverse("lock")
    assert client.post(reverse("awake")).headers["Location"] == reverse("lock")
    opened = client.post(reverse("unlock"), {"pin": pin_of(cast.alice.badge)})
    assert opened.headers["Location"] == table
    assert "Moreau" in client.get(board).content.decode()
    # Idle by the server's own clock, without the page's script.
    server_clock.move(seconds=136)
    assert "Unlock to read" in client.get(board).content.decode()


def test_a_house_can_have_idle_boards_locked_and_a_hand_always_locks(cast: Cast) -> None:
    client = sign_in(cast.alice, cast.devices[Place.PIT])
    board = reverse("pit-board", args=[cast.pit.pk])
    locked = client.post(reverse("lock"), {"next": board, "by_hand": "1"})
    assert locked.headers["Location"] == reverse("lock")
    assert client.get(board).headers["Location"] == reverse("lock")
    client.post(reverse("unlock"), {"pin": pin_of(cast.alice.badge)})
    change(cast, "people.idle_pit", "lock")
    assert client.post(reverse("lock"), {"next": board}).headers["Location"] == reverse("lock")
    assert client.get(board).headers["Location"] == reverse("lock")


def test_a_session_ends_twelve_hours_after_it_began_however_busy(
    cast: Cast, server_clock: ServerClock
) -> None:
    client = sign_in(cast.alice, cast.devices[Place.PIT])
    for _ in range(11):
        server_clock.move(hours=1)
        client.post(reverse("unlock"), {"pin": pin_of(cast.alice.badge)})
        assert is_in(client)
    server_clock.move(hours=1)
    assert client.get(reverse("sessions")).headers["Location"].startswith(reverse("login"))


def test_everyone_sees_and_ends_their_own_sessions(cast: Cast) -> None:
    here = sign_in(cast.alice, cast.devices[Place.PIT])
    there = sign_in(cast.alice, cast.devices[Place.OFFICE])
    sign_in(cast.erin, cast.devices[Place.CAGE])
    page = words(here.get(reverse("sessions")))
    assert page.count('name="visit"') == 2
    assert "this session" in page
    assert "End all sessions" not in page
    visit = Visit.objects.get(device=cast.devices[Place.OFFICE])
    here.post(reverse("session-end"), {"visit": visit.pk})
    assert not is_in(there)
    assert is_in(here)
    here.post(reverse("session-end"), {"all": "own"})
    assert not is_in(here)
    assert JournalEntry.objects.filter(kind="session_ended", person=cast.alice).count() == 2


def test_nobody_ends_anothers_session_but_security_and_it(cast: Cast) -> None:
    hers = sign_in(cast.erin, cast.devices[Place.CAGE])
    his = sign_in(cast.dan, cast.devices[Place.PIT])
    visit = Visit.objects.get(person=cast.erin)
    answer = his.post(reverse("session-end"), {"visit": visit.pk})
    assert answer.status_code == 403
    assert is_in(hers)
    for form in ({"all": "house"}, {"visit": "x"}):
        assert his.post(reverse("session-end"), form).status_code in (302, 403)
        assert is_in(hers)
    with refused("wrong_role", journal=[]):
        end_visits(visit_id=visit.pk, of=None, actor=cast.carol, device=None)
    for actor in (cast.frank, cast.judy):
        client = sign_in(actor, None)
        assert "E. Erinson" in words(client.get(reverse("sessions")))
        client.post(reverse("session-end"), {"visit": visit.pk})
        assert not is_in(hers)
        hers = sign_in(cast.erin, cast.devices[Place.CAGE])
        visit = Visit.objects.get(person=cast.erin, ended_at=None)
    client.post(reverse("session-end"), {"all": "house"})
    assert not is_in(hers)
    assert not Session.objects.exists()


def test_no_row_holds_the_key_of_a_session(cast: Cast) -> None:
    client = sign_in(cast.alice, cast.devices[Place.PIT])
    key = client.session.session_key
    assert key
    assert Visit.objects.get().session_hash != key
    assert not Visit.objects.filter(session_hash__contains=key).exists()
