"""HR says who joins, changes and leaves, over a real socket; only two managers make it so."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from pitboss.kinds.person import new_change, new_people
from pitboss.models import FloorException, JournalEntry, Person, StaffWord
from pitboss.rules.flows.flows import Track
from pitboss.rules.people.staffing import read_person
from pitboss.rules.roles import Place, Role
from pitboss.services.signing import Entry
from pitboss.services.staffing import fields_of
from tests.floor.cast import Cast, add_person, refused
from tests.floor.tablets import signed_in, words
from tests.other_systems import OtherSystem, grant, system_at
from tests.pitboss.test_people import resolve
from tests.pitboss.test_staffing import approve, leaves, propose

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = {"first_name": "Ana", "last_name": "Ruiz"}
JOINER = {
    **NAMES,
    "is_employed": True,
    "badge": "777",
    "role": "dealer",
    "licence_number": "TG-777",
    "licence_ends": "2027-12-31",
}
ANA = {**JOINER, "employee_number": "E777"}


@pytest.fixture
def hr(cast: Cast, live_server: LiveServer) -> OtherSystem:
    system = system_at(live_server.url, cast)
    grant(cast, "staff.write")
    return system


def say(hr: OtherSystem, number: str, said: dict[str, Any]) -> tuple[int, Any]:
    status, text, _ = hr.call("PUT", f"staff/{number}", said)
    return status, json.loads(text)


def of(person: Person, **other: Any) -> dict[str, Any]:
    names = {"first_name": person.first_name, "last_name": person.last_name}
    return {**names, "is_employed": True, **other}


def notices() -> list[FloorException]:
    found = FloorException.objects.filter(code__startswith="staff_", resolved_at=None)
    return list(found.order_by("id"))


def test_a_joiner_becomes_a_filled_in_form_and_is_added_by_two_alone(
    cast: Cast, hr: OtherSystem
) -> None:
    status, told = say(hr, "E777", JOINER)
    assert status == 200
    assert told == {"employee_number": "E777", "state": "waiting", "differs": ["is_employed"]}
    # HR's word grants nothing.
    assert not Person.objects.filter(employee_number="E777").exists()
    (notice,) = notices()
    assert notice.details["managers"] == ["pit_manager", "shift_manager"]
    carol = signed_in(cast.carol, cast, Place.OFFICE)
    assert "HR: Ana Ruiz (E777) joins." in words(carol.get(reverse("inbox")))
    assert "HR: Ana Ruiz" not in words(
        signed_in(cast.trent, cast, Place.CAGE).get(reverse("inbox"))
    )
    page = carol.get(reverse("exception", args=[notice.pk]))
    act = page.context["told"]["act"]
    form = carol.get(act["url"]).context["keyed"]
    assert {name: form[f"new_{name}"] for name in JOINER if name != "is_employed"} == {
        name: value for name, value in JOINER.items() if name != "is_employed"
    }
    assert form["new_employee_number"] == "E777"
    slip = propose(cast, new_people([read_person({k: str(v) for k, v in ANA.items()})]))
    assert notices() == [notice]
    approve(cast, slip)
    assert notices() == []
    closed = FloorException.objects.get(pk=notice.pk)
    assert (closed.resolved_by, closed.resolution) == (cast.heidi, f"Done on {slip.serial}.")
    assert say(hr, "E777", JOINER) == (
        200,
        {"employee_number": "E777", "state": "on_file", "differs": []},
    )
    assert StaffWord.objects.count() == 1
    assert JournalEntry.objects.filter(kind="staff_told").count() == 1


def test_a_leavers_notice_is_urgent_and_closes_when_the_access_is_removed(
    cast: Cast, hr: OtherSystem
) -> None:
    number = cast.dan.employee_number
    say(hr, cast.bob.employee_number, of(cast.bob, licence_number="TG-900"))
    assert say(hr, number, of(cast.dan, is_employed=False))[1]["state"] == "waiting"
    assert Person.objects.get(pk=cast.dan.pk).is_active
    change, leaver = notices()
    assert leaver.code == "staff_left"
    assert leaver.waits.get().limit_seconds == 15 * 60
    carol = signed_in(cast.carol, cast, Place.OFFICE)
    items = carol.get(reverse("inbox")).context["items"]
    # Before the change of papers, though that came first.
    shown = [item["title"] for item in items if item["title"].startswith("HR:")]
    assert ["left" in shown[0], "changed" in shown[1]] == [True, True]
    page = carol.get(reverse("exception", args=[leaver.pk]))
    assert page.context["told"]["act"]["url"].endswith(f"person_leaves/?person={cast.dan.pk}")
    slip = leaves(cast, cast.dan, cast.carol)
    assert notices() == [change]
    # Reversed as an error: HR still says that he left.
    why = Entry(reason="Another Dan.")
    cast.sign(slip, "taken_back", cast.heidi, Place.OFFICE, entry=why, track=Track.VOID)
    assert [each.code for each in notices()] == ["staff_differs", "staff_left"]


def test_a_change_is_compared_with_what_is_on_file_and_closes_when_it_is_the_same(
    cast: Cast, hr: OtherSystem
) -> None:
    number = cast.dan.employee_number
    same = of(cast.dan, badge=cast.dan.badge, role="dealer")
    assert say(hr, number, same)[1]["state"] == "on_file"
    assert notices() == []
    said = of(cast.dan, licence_number="TG-900", licence_ends="2028-01-31")
    assert say(hr, number, said)[1]["differs"] == ["licence_number", "licence_ends"]
    (notice,) = notices()
    page = words(
        signed_in(cast.carol, cast, Place.OFFICE).get(reverse("exception", args=[notice.pk]))
    )
    assert 'TG-900 <span class="small dim">on file: TG-104</span>' in page
    assert 'Jan 31, 2028 <span class="small dim">on file: ' in page
    # Half of it is not all of it.
    half = replace(fields_of(cast.dan), licence_number="TG-900")
    approve(cast, propose(cast, new_change(cast.dan, half)))
    assert notices() == [notice]
    dan = Person.objects.get(pk=cast.dan.pk)
    whole = read_person({**fields_of(dan).stored(), "licence_ends": "2028-01-31"})
    approve(cast, propose(cast, new_change(dan, whole)))
    assert notices() == []
    assert say(hr, number, said)[1]["state"] == "on_file"


def test_a_word_that_hr_takes_back_is_read_by_a_manager(cast: Cast, hr: OtherSystem) -> None:
    number = cast.dan.employee_number
    say(hr, number, of(cast.dan, is_employed=False))
    say(hr, number, of(cast.dan))
    (notice,) = notices()
    page = signed_in(cast.carol, cast, Place.OFFICE).get(reverse("exception", args=[notice.pk]))
    assert "HR and the file say the same now." in words(page)
    assert page.context["told"]["act"] is None
    with refused("wrong_role", journal=["act_refused"]):
        resolve(cast, notice, badge=cast.trent.badge, pin="113113")
    resolve(cast, notice, badge=cast.carol.badge, pin="103103")
    assert notices() == []


def test_a_word_that_was_signed_off_as_wrong_is_no_notice_again_when_it_is_repeated(
    cast: Cast, hr: OtherSystem
) -> None:
    said = of(cast.dan, licence_number="TG-900")
    say(hr, cast.dan.employee_number, said)
    (notice,) = notices()
    resolve(cast, notice)
    assert say(hr, cast.dan.employee_number, said)[1]["state"] == "waiting"
    assert notices() == []
    say(hr, cast.dan.employee_number, {**said, "licence_number": "TG-901"})
    assert len(notices()) == 1


def test_nobody_signs_off_what_hr_says_of_themselves(cast: Cast, hr: OtherSystem) -> None:
    say(hr, cast.heidi.employee_number, of(cast.heidi, is_employed=False))
    (notice,) = notices()
    with refused("signed_before", journal=["act_refused"]):
        resolve(cast, notice, badge=cast.heidi.badge, pin="108108")


@pytest.mark.parametrize(
    ("number", "said", "code"),
    [
        ("E777", {**NAMES}, "required"),
        ("E777", {"is_employed": False}, "required"),
        ("E777", {**JOINER, "pin": "1"}, "unknown_field"),
        ("E777", {**JOINER, "role": "king"}, "invalid_choice"),
        ("E777", {**JOINER, "badge": "7 7"}, "badge_malformed"),
        ("E777", {**JOINER, "licence_ends": "soon"}, "invalid"),
        ("E" * 21, JOINER, "number_malformed"),
        ("E777", {**JOINER, "first_name": "A\tb"}, "text_too_long"),
    ],
)
def test_what_hr_may_not_say_is_refused(
    cast: Cast, hr: OtherSystem, number: str, said: dict[str, Any], code: str
) -> None:
    status, problem = say(hr, number, said)
    assert (status, problem["refusals"][0]["code"]) == (422, code)
    assert not StaffWord.objects.exists()
    assert notices() == []


def test_hr_needs_its_scope_and_no_word_of_it_is_changed(
    cast: Cast, live_server: LiveServer
) -> None:
    system = system_at(live_server.url, cast)
    grant(cast, "staff.read")
    assert say(system, "E777", JOINER)[0] == 403
    assert system.call("PUT", "staff/E777", JOINER)[0] == 403
    grant(cast, "staff.write")
    # Someone who was never here left: there is nothing to do.
    assert say(system, "E9", {**NAMES, "is_employed": False})[1]["state"] == "on_file"
    row = StaffWord.objects.get()
    row.is_employed = True
    with pytest.raises(DatabaseError), transaction.atomic():
        row.save()
    assert notices() == []


def test_who_watches_the_floor_is_put_before_those_who_watch_too(
    cast: Cast, hr: OtherSystem
) -> None:
    add_person("wanda", "131", Role.AUDITOR)
    say(hr, "E131", {"first_name": "Wanda", "last_name": "W", "is_employed": False})
    (notice,) = notices()
    assert set(notice.details["managers"]) == {"surveillance_manager", "accounting", "compliance"}
