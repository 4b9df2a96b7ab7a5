"""The door: who gets in, who is put out at once, and what a tablet keeps to itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, FloorException, JournalEntry, Person, PinEnrolment, Visit
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.devices import NewDevice
from tests.floor.cast import PASSWORD, Cast, let_device_in, pin_of
from tests.floor.pins import offer, release
from tests.floor.tablets import words

pytestmark = pytest.mark.django_db


def browser_of(device: Device | None) -> Client:
    client = Client()
    if device is not None:
        Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
        client.cookies[DEVICE_COOKIE] = device.name
    return client


def log_in(client: Client, person: Person, password: str = PASSWORD) -> int:
    form = {"badge": person.badge, "password": password}
    return client.post(reverse("login"), form).status_code


def test_badge_and_password_open_the_door_to_where_the_device_stands(cast: Cast) -> None:
    client = browser_of(cast.devices[Place.CAGE])
    response = client.post(
        reverse("login"), {"badge": cast.erin.badge, "password": PASSWORD}, follow=True
    )
    assert response.redirect_chain[-1][0] == reverse("cage")
    assert JournalEntry.objects.filter(kind="logged_in", person=cast.erin).exists()


def test_everyone_begins_where_their_work_is(cast: Cast) -> None:
    begins = {
        (cast.ivan, Place.SURVEILLANCE): "surveillance",
        (cast.paul, Place.OFFICE): "count-room",
        (cast.alice, Place.PIT): "board",
        (cast.hugo, Place.OFFICE): "hosts",
    }
    for (person, place), page in begins.items():
        client = browser_of(cast.devices[place])
        log_in(client, person)
        assert client.get(reverse("home")).headers["Location"] == reverse(page), person


def test_a_wrong_password_says_how_many_tries_are_left_and_locks_after_five(cast: Cast) -> None:
    client = browser_of(cast.devices[Place.PIT])
    form = {"badge": cast.alice.badge, "password": "wrong"}
    answers = [client.post(reverse("login"), form) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [422] * 5
    assert "4 tries left" in words(answers[0])
    assert log_in(client, cast.alice) == 403
    assert FloorException.objects.filter(code="badge_locked").count() == 1


def test_the_door_never_leads_to_another_site(cast: Cast) -> None:
    client = browser_of(None)
    form = {"badge": cast.alice.badge, "password": PASSWORD, "next": "https://evil.example/"}
    response = client.post(reverse("login"), form)
    assert response.headers["Location"] == "/"


def test_a54_whoever_left_is_put_out_at_the_next_request_of_an_open_session(cast: Cast) -> None:
    client = browser_of(cast.devices[Place.PIT])
    log_in(client, cast.alice)
    board = reverse("pit-board", args=[cast.pit.pk])
    assert client.get(board).status_code == 200
    Person.objects.filter(pk=cast.alice.pk).update(is_active=False)
    assert client.get(board).headers["Location"].startswith(reverse("login"))
    poll = client.get(reverse("pit-board-poll", args=[cast.pit.pk]), {"v": "0"})
    assert poll.headers["HX-Redirect"] == reverse("home")
    refused = client.post(reverse("login"), {"badge": cast.alice.badge, "password": PASSWORD})
    assert refused.status_code == 403
    assert "no longer works here" in words(refused)


def test_a54_a_licence_holds_to_the_end_of_the_gaming_day(cast: Cast) -> None:
    client = browser_of(cast.devices[Place.PIT])
    log_in(client, cast.alice)
    today = house.period_at(house.now()).gaming_day
    board = reverse("pit-board", args=[cast.pit.pk])
    Person.objects.filter(pk=cast.alice.pk).update(licence_ends=today)
    assert client.get(board).status_code == 200
    Person.objects.filter(pk=cast.alice.pk).update(licence_ends=today - timedelta(days=1))
    assert client.get(board).headers["Location"] == reverse("login")
    assert log_in(browser_of(None), cast.alice) == 403


def test_changing_person_leaves_nothing_of_the_one_before(cast: Cast) -> None:
    client = browser_of(cast.devices[Place.PIT])
    log_in(client, cast.alice)
    before = client.session.session_key
    client.session["draft"] = "hers"
    log_in(client, cast.bob)
    assert client.session.session_key != before
    assert "draft" not in client.session
    assert list(Visit.objects.filter(ended_at=None).values_list("person", flat=True)) == [
        cast.bob.pk
    ]


def test_a55_one_badge_on_two_tablets_is_flagged(cast: Cast) -> None:
    log_in(browser_of(cast.devices[Place.PIT]), cast.alice)
    assert not FloorException.objects.exists()
    log_in(browser_of(cast.devices[Place.OFFICE]), cast.alice)
    assert FloorException.objects.get().code == "badge_on_two_devices"


def test_a_locked_tablet_shows_nothing_and_opens_by_the_pin_of_its_person(cast: Cast) -> None:
    client = browser_of(cast.devices[Place.PIT])
    log_in(client, cast.alice)
    board = reverse("pit-board", args=[cast.pit.pk])
    where = f"{board}?now=1"
    assert f'name="next" value="{where}"' in words(client.get(where))
    client.post(reverse("lock"), {"next": where, "by_hand": "1"})
    assert client.get(board).headers["Location"] == reverse("lock")
    assert client.get(reverse("pit-board-poll", args=[cast.pit.pk])).status_code == 204
    assert client.post(reverse("unlock"), {"pin": "000000"}).status_code == 422
    assert client.get(board).status_code == 302
    opened = client.post(reverse("unlock"), {"pin": pin_of(cast.alice.badge)})
    assert opened.headers["Location"] == where
    assert client.get(board).status_code == 200
    # It leads nowhere but to a page of the house.
    locked = client.post(reverse("lock"), {"next": "https://elsewhere.example/"})
    assert locked.headers["Location"] == reverse("lock")
    opened = client.post(reverse("unlock"), {"pin": pin_of(cast.alice.badge)})
    assert opened.headers["Location"] == reverse("home")


def test_a_pin_is_set_by_its_person_before_a_witness(cast: Cast) -> None:
    form = {
        "person_badge": cast.dan.badge,
        "code": offer(cast, cast.dan, cast.carol),
        "witness_code": release(cast, cast.dan, cast.alice),
        "old_secret": pin_of(cast.dan.badge),
        "new_pin": "402795",
        "new_pin_again": "402795",
        "badge": cast.alice.badge,
        "pin": pin_of(cast.alice.badge),
    }
    client = browser_of(cast.devices[Place.OFFICE])
    other = client.post(reverse("pin-enrol"), {**form, "new_pin_again": "402796"})
    assert other.status_code == 422
    assert client.post(reverse("pin-enrol"), form).status_code == 302
    assert PinEnrolment.objects.get().witness == cast.alice
    assert client.post(reverse("pin-enrol"), form).status_code == 422, "a code works once"


def test_a_device_is_let_in_by_a_managers_code_once(cast: Cast) -> None:
    new = NewDevice("P1-07", Place.PIT, cast.pit)
    code = let_device_in(cast, new, by=cast.carol, second=cast.alice)
    client = Client()
    response = client.post(reverse("device-enrol"), {"code": code.lower()})
    assert response.status_code == 302
    assert response.cookies[DEVICE_COOKIE]["httponly"]
    token = response.cookies[DEVICE_COOKIE].value
    assert Device.objects.get(name="P1-07").token_hash == digest(token)
    assert Client().post(reverse("device-enrol"), {"code": code}).status_code == 422


def test_a_device_that_was_put_out_is_unknown_at_once(cast: Cast) -> None:
    device = cast.devices[Place.CAGE]
    client = browser_of(device)
    log_in(client, cast.trent)
    client.post(reverse("device-revoke", args=[device.pk]))
    slip = cast.ask()
    page = client.get(reverse("slip", args=[slip.serial]))
    assert page.headers["Location"].startswith(reverse("login"))


def test_an_administrator_sees_people_and_devices_and_no_slip(cast: Cast) -> None:
    client = browser_of(None)
    log_in(client, cast.judy)
    assert cast.judy.role == Role.ADMINISTRATOR
    assert client.get(reverse("people")).status_code == 200
    assert client.get(reverse("inbox")).status_code == 403


def test_a_quiet_poll_costs_two_queries(cast: Cast, django_assert_num_queries: object) -> None:
    client = browser_of(cast.devices[Place.PIT])
    log_in(client, cast.alice)
    url = reverse("pit-board-poll", args=[cast.pit.pk])
    page = client.get(reverse("pit-board", args=[cast.pit.pk]))
    version = page.context["poll_url"].partition("v=")[2]
    with django_assert_num_queries(2):  # type: ignore[operator]
        assert client.get(url, {"v": version}).status_code == 204
    cast.ask()
    news = client.get(url, {"v": version})
    assert news.status_code == 200
    assert 'id="t-BJ-11"' in words(news)
