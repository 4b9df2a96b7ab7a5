"""Devices are let in by two people, and their tokens end and give way to new ones."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, DeviceEnrolment, JournalEntry, Person, Visit
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.devices import (
    NewDevice,
    device_by_token,
    enrol_device,
    let_in,
    offer_device,
    revoke_device,
    unlock_device,
)
from pitboss.services.pins import prove_pin
from tests.floor.cast import (
    LOCKOUT,
    PASSWORD,
    Cast,
    ServerClock,
    let_device_in,
    pin_of,
    refused,
)
from tests.floor.tablets import signing, words

pytestmark = pytest.mark.django_db

TABLET = NewDevice("Cage 9", Place.CAGE)


def asked(cast: Cast, by: Person, new: NewDevice = TABLET) -> DeviceEnrolment:
    office = cast.devices[Place.OFFICE]
    return offer_device(new=new, badge=by.badge, pin=pin_of(by.badge), device=office)


def let(cast: Cast, offer: DeviceEnrolment, second: Person, pin: str = "") -> str:
    office = cast.devices[Place.OFFICE]
    pin = pin or pin_of(second.badge)
    return let_in(offer_id=offer.pk, badge=second.badge, pin=pin, device=office)


def test_two_people_let_a_device_in_and_both_are_kept(cast: Cast) -> None:
    code = let(cast, asked(cast, cast.heidi), cast.erin)
    device, _ = enrol_device(code=code)
    assert (device.enrolled_by, device.let_in_by) == (cast.heidi, cast.erin)
    assert device.token_ends_at == device.enrolled_at + timedelta(days=90)
    kinds = ["device_offered", "device_let_in", "device_enrolled"]
    written = JournalEntry.objects.order_by("id").values_list("kind", flat=True)
    assert list(written)[-3:] == kinds


def test_one_person_gets_no_code_alone(cast: Cast) -> None:
    offer = asked(cast, cast.trent)
    assert offer.code_hash is None
    with refused("signed_before", journal=["act_refused"]):
        let(cast, offer, cast.trent)


def test_two_people_of_other_departments_let_nothing_in(cast: Cast) -> None:
    offer = asked(cast, cast.heidi)
    with refused("not_of_the_place", journal=["act_refused"]):
        let(cast, offer, cast.sybil)


def test_a_wrong_pin_lets_nothing_in(cast: Cast) -> None:
    offer = asked(cast, cast.heidi)
    with refused("wrong_pin", journal=["pin_wrong", "act_refused"]):
        let(cast, offer, cast.erin, pin="000000")


def test_a_device_that_is_not_enrolled_lets_no_other_in(cast: Cast) -> None:
    with refused("unknown_device", journal=["act_refused"]):
        offer_device(new=TABLET, badge="108", pin=pin_of("108"), device=None)


def test_what_was_asked_for_is_signed_once_and_in_time(
    cast: Cast, server_clock: ServerClock
) -> None:
    offer = asked(cast, cast.heidi)
    let(cast, offer, cast.erin)
    with refused("offer_over", journal=["act_refused"]):
        let(cast, offer, cast.trent)
    late = asked(cast, cast.heidi)
    server_clock.move(hours=12)
    with refused("offer_over", journal=["act_refused"]):
        let(cast, late, cast.erin)


def test_the_database_refuses_a_code_of_one_person(cast: Cast) -> None:
    offer = asked(cast, cast.trent)
    for second in (None, cast.trent):
        with pytest.raises(IntegrityError, match="two_people"), transaction.atomic():
            DeviceEnrolment.objects.filter(pk=offer.pk).update(code_hash="x", let_in_by=second)


def test_a_token_ends_after_the_days_of_the_house(cast: Cast, server_clock: ServerClock) -> None:
    device, token = enrol_device(code=let_device_in(cast, TABLET, by=cast.heidi, second=cast.erin))
    server_clock.move(days=90, seconds=-1)
    assert device_by_token(token) == device
    server_clock.move(seconds=1)
    assert device_by_token(token) is None
    api = Client(headers={"authorization": f"Device {token}"})
    assert api.post("/api/v1/token").status_code == 401


def browser_with(token: str, person: Person) -> Client:
    client = Client()
    client.cookies[DEVICE_COOKIE] = token
    client.post(reverse("login"), {"badge": person.badge, "password": PASSWORD})
    return client


def test_a_tablet_gets_a_new_token_by_itself_and_the_old_one_ends(
    cast: Cast, server_clock: ServerClock
) -> None:
    device, old = enrol_device(code=let_device_in(cast, TABLET, by=cast.heidi, second=cast.erin))
    server_clock.move(days=7)
    client = browser_with(old, cast.erin)
    assert client.cookies[DEVICE_COOKIE].value == old
    cage = reverse("cage")
    new = client.get(cage).cookies[DEVICE_COOKIE].value
    assert new != old
    # Until the new one is used, both open the door: an answer may be lost on its way.
    assert device_by_token(old) == device
    assert client.get(cage).status_code == 200
    assert device_by_token(old) == device, "what was on its way still arrives"
    server_clock.move(minutes=1)
    assert device_by_token(old) is None
    assert device_by_token(new) == device
    thief = Client()
    name = settings.SESSION_COOKIE_NAME
    thief.cookies[name] = client.cookies[name].value
    thief.cookies[DEVICE_COOKIE] = old
    assert thief.get(cage).headers["Location"].startswith(reverse("login"))


def test_a_program_asks_for_its_next_token(cast: Cast, server_clock: ServerClock) -> None:
    new = NewDevice("Terminal 9", Place.PIT, table=cast.table)
    device, old = enrol_device(code=let_device_in(cast, new, by=cast.carol, second=cast.alice))
    answer = Client(headers={"authorization": f"Device {old}"}).post("/api/v1/token")
    assert answer.status_code == 201
    token = answer.json()["token"]
    terminal = Client(headers={"authorization": f"Device {token}"})
    assert terminal.get("/api/v1/table").status_code == 200
    server_clock.move(minutes=1)
    assert device_by_token(old) is None
    assert device_by_token(token) == device
    kinds = JournalEntry.objects.order_by("id").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["token_next", "token_rotated"]


def test_a_device_that_is_put_out_takes_its_sessions_with_it(cast: Cast) -> None:
    device = cast.devices[Place.CAGE]
    client = browser_with(device.name, cast.erin)
    assert client.get(reverse("cage")).status_code == 200
    revoke_device(device_id=device.pk, actor=cast.heidi)
    assert not Visit.objects.filter(ended_at=None).exists()
    assert client.get(reverse("cage")).headers["Location"].startswith(reverse("login"))


def test_the_last_device_is_not_put_out(cast: Cast) -> None:
    office = cast.devices[Place.OFFICE]
    Device.objects.exclude(pk=office.pk).update(revoked_at=house.now())
    with refused("last_device", journal=[]):
        revoke_device(device_id=office.pk, actor=cast.heidi)


def test_security_or_a_shift_manager_unlocks_a_device_on_another(
    cast: Cast, server_clock: ServerClock
) -> None:
    tablet, desk = cast.devices[Place.PIT], cast.devices[Place.SECURITY]
    for badge in range(101, 113):
        with pytest.raises(Exception, match="PIN"):
            prove_pin(badge=str(badge), pin="000000", device=tablet, policy=LOCKOUT)
    with refused("wrong_role", journal=["act_refused"]):
        unlock_device(device_id=tablet.pk, badge="104", pin=pin_of("104"), device=desk)
    with refused("door_locked", journal=["act_refused"]):
        unlock_device(device_id=tablet.pk, badge="107", pin=pin_of("107"), device=tablet)
    unlock_device(device_id=tablet.pk, badge="107", pin=pin_of("107"), device=desk)
    assert prove_pin(badge="119", pin=pin_of("119"), device=tablet, policy=LOCKOUT) == cast.petra


def test_the_pages_ask_two_people_and_show_the_code_once(cast: Cast) -> None:
    client = browser_with(cast.devices[Place.OFFICE].name, cast.heidi)
    page = words(client.get(reverse("devices")))
    form = signing(page, cast.heidi, name="Cage 9", place="cage")
    second = client.post(reverse("devices"), form).headers["Location"]
    assert "Cage 9" in words(client.get(reverse("devices")))
    page = words(client.get(second))
    refusal = client.post(second, signing(page, cast.heidi))
    assert "Two people must add a device" in words(refusal)
    answer = client.post(second, signing(page, cast.erin))
    assert 'class="big mono"' in words(answer)
    assert "signed before" in words(client.post(second, signing(page, cast.trent)))
