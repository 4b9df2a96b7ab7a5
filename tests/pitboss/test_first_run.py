"""A property begins with two managers, once, by a code that only the server prints."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from pitboss.kinds.person import PERSON_KIND, new_people
from pitboss.kinds.table_change import TABLE_SETUP
from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, JournalEntry, Person, Property, Slip, Table
from pitboss.rules.people.staffing import read_person
from pitboss.rules.roles import Place, Role
from pitboss.selectors.first_steps import first_steps
from pitboss.services import house
from pitboss.services.devices import (
    NewDevice,
    device_by_token,
    enrol_device,
    let_in,
    offer_device,
)
from pitboss.services.first_run import first_run_code
from pitboss.services.pin_offers import Wanted, Witness, offer_pin, set_pin, witness_pin
from pitboss.services.shown import request_shown, slip_shown
from pitboss.services.signing import Entry, Pen, sign
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.opener import OPENER
from tests.floor.cast import Cast, everything
from tests.floor.house import change
from tests.floor.tablets import words
from tests.rules.test_staffing import ANA
from tests.rules.test_table_setup import BJ_50
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
PINS = {"1": "739218", "2": "640275"}
FORM = {
    "name": "Harbour House",
    "time_zone": "America/Chicago",
    "device_name": "Office desk",
    **{
        f"{name}_{number}": value
        for number, badge in (("1", "901"), ("2", "902"))
        for name, value in {
            "badge": badge,
            "first_name": "Hana" if number == "1" else "Ivo",
            "last_name": "Kral",
            "employee_number": f"E{badge}",
            "licence_number": f"TG-{badge}",
            "licence_ends": "2099-12-31",
            "pin": PINS[number],
            "pin_again": PINS[number],
            "password": "green felt and brass",
        }.items()
    },
}


def post(**changes: str) -> tuple[Client, Any]:
    client = Client()
    return client, client.post("/setup/", {"code": first_run_code(), **FORM, **changes})


def test_the_server_prints_the_code_until_the_property_has_begun() -> None:
    printed = StringIO()
    call_command("first_run", stdout=printed)
    assert first_run_code() in printed.getvalue()
    post()
    with pytest.raises(CommandError):
        call_command("first_run")


def test_whoever_comes_to_an_empty_house_is_sent_to_begin_it() -> None:
    assert Client().get("/login/")["Location"] == "/setup/"
    assert "Set up your property" in words(Client().get("/setup/"))


def test_two_managers_begin_a_property_and_sign_in_on_its_first_device() -> None:
    client, answer = post()
    assert answer["Location"] == "/login/"
    assert Property.objects.get().name == "Harbour House"
    assert list(Person.objects.order_by("badge").values_list("badge", "role")) == [
        ("901", "shift_manager"),
        ("902", "shift_manager"),
    ]
    device = device_by_token(client.cookies[DEVICE_COOKIE].value)
    assert device is not None
    assert device.place == "office"
    assert JournalEntry.objects.get().kind == "property_begun"
    signed = client.post("/login/", {"badge": "901", "password": "green felt and brass"})
    assert signed.status_code == 302
    assert client.get("/house/").status_code == 200
    assert client.get("/setup/").status_code == 404
    assert post()[1].status_code == 404
    assert verify().is_sound


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"code": "000000000000"}, "isn’t the code"),
        ({"name": " "}, "Enter a property name"),
        ({"time_zone": "Mars/Olympus"}, "Choose the time zone"),
        ({"device_name": ""}, "Enter a device name"),
        ({"badge_2": "901"}, "have the same badge"),
        ({"employee_number_2": "E901"}, "have the same employee number"),
        ({"first_name_1": ""}, "Manager 1: Enter the first name"),
        ({"pin_1": "123456", "pin_again_1": "123456"}, "easy to guess"),
        ({"pin_again_2": "111111"}, "Manager 2: the two PINs don’t match"),
        ({"password_2": ""}, "Manager 2: Choose a password"),
        ({"password_2": "short"}, "Manager 2: This password is too short"),
    ],
)
def test_each_wrong_answer_is_told_and_nothing_begins(changes: dict[str, str], code: str) -> None:
    before = everything(())
    _, answer = post(**changes)
    assert answer.status_code == 422
    assert code in words(answer)
    assert everything(()) == before


def test_a_property_that_stands_has_no_first_run(cast: Cast) -> None:
    assert Client().get("/setup/").status_code == 404
    assert Client().get("/login/").status_code == 200


def test_from_nothing_to_the_first_opened_table() -> None:
    """Each step by the services that the screens call, signed by the first two and who they add."""
    client, _ = post()
    office = device_by_token(client.cookies[DEVICE_COOKIE].value)

    def pen(badge: str, pin: str, device: Device | None) -> Pen:
        return Pen(badge, pin, device, uuid4())

    def approved(slip: Slip) -> None:
        sign(
            slip_id=slip.pk,
            step="approved",
            pen=pen("902", PINS["2"], office),
            shown=slip_shown(slip),
        )

    people = new_people(
        [
            read_person(ANA),
            read_person({**ANA, "badge": "778", "employee_number": "E778", "role": "supervisor"}),
        ]
    )
    approved(
        raise_kind(
            replace(PERSON_KIND.at(), draft=people),
            reason="First.",
            pen=pen("901", PINS["1"], office),
            shown=request_shown(people, None),
        )
    )
    setup = TABLE_SETUP.at(set={**BJ_50, "cards": "none"})
    approved(
        raise_kind(
            setup,
            reason="First.",
            pen=pen("901", PINS["1"], office),
            shown=shown_before(setup),
        )
    )
    table = Table.objects.get(name="BJ-50")
    new = NewDevice("Pit 3 tablet", Place.PIT, table.pit)
    offer = offer_device(new=new, badge="901", pin=PINS["1"], device=office)
    code = let_in(offer_id=offer.pk, badge="902", pin=PINS["2"], device=office)
    tablet, _ = enrol_device(code=code)
    for badge, pin in (("777", "582917"), ("778", "402861")):
        person = Person.objects.get(badge=badge)
        first = offer_pin(person_id=person.pk, badge="901", pin=PINS["1"], device=office)
        second = witness_pin(person_id=person.pk, badge="902", pin=PINS["2"], device=office)
        set_pin(
            Wanted(badge, first, second, pin, password="green felt and brass"),
            witness=Witness("902", PINS["2"]),
            device=office,
        )
    table.refresh_from_db()
    raising = OPENER.at(table)
    opener = raise_kind(raising, pen=pen("777", "582917", tablet), shown=shown_before(raising))
    sign(
        slip_id=opener.pk,
        step="verified",
        pen=pen("778", "402861", tablet),
        shown=slip_shown(opener),
        entry=Entry(counted={}),
    )
    assert Table.objects.get(name="BJ-50").is_open
    assert verify().is_sound


def test_the_office_is_led_from_step_to_step_and_only_where_it_may_go(cast: Cast) -> None:
    Person.objects.filter(role="cashier").update(is_active=False)
    Person.objects.filter(badge=cast.dan.badge).update(pin_hash="")
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    assert client.get("/")["Location"] == "/house/first-steps/"
    assert signed_in(cast.carol, cast.devices[Place.PIT]).get("/")["Location"] == "/board/"
    steps = {step["title"]: step for step in first_steps(Role.PIT_MANAGER)}
    assert "Still missing: cashier." in steps["People"]["text"]
    assert "1 without a PIN." in steps["PINs"]["text"]
    assert [title for title, step in steps.items() if step["is_next"]] == ["People"]
    assert [title for title, step in steps.items() if not step["url"]] == ["House cheques"]
    assert not steps["Settings"]["is_done"]
    assert steps["Cards"]["is_done"]
    Table.objects.filter(name="BJ-11").update(setup={"name": "BJ-11"})
    assert not {step["title"]: step for step in first_steps(Role.PIT_MANAGER)}["Cards"]["is_done"]
    change(cast, "people.idle_lock", "240")
    assert first_steps(Role.PIT_MANAGER)[1]["is_done"]
    Device.objects.filter(place="cage").update(revoked_at=house.now())
    steps = {step["title"]: step for step in first_steps(Role.AUDITOR)}
    assert steps["Devices"]["text"].startswith("Add one for the cage.")
    assert not steps["Devices"]["url"]


def test_a_house_that_has_opened_goes_its_daily_way(cast: Cast) -> None:
    cast.deliver(cast.ask({2_500: 20}))
    cast.open_table({2_500: 20})
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    assert client.get("/")["Location"] == "/board/"
    assert "No table was opened yet" not in words(client.get("/house/"))
    assert "The house is open." in words(client.get("/house/first-steps/"))
