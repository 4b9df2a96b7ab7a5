"""People come, change and go by the signatures of two managers; who must go is out at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from pitboss.access import PAGES
from pitboss.models import Person, Slip
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.flows import SlipStatus, Track
from pitboss.rules.roles import Place, Role, roles_that_may_act_as
from pitboss.rules.staffing import PersonFields, read_person
from pitboss.selectors.powers import matrix
from pitboss.services.people import offer_pin, set_pin
from pitboss.services.shown import request_shown
from pitboss.services.signing import Entry
from pitboss.services.staffing import (
    fields_of,
    new_change,
    new_leaving,
    new_people,
    propose_people,
    put_out,
)
from pitboss.services.verification import verify
from tests.cast import Cast, ServerClock, pin_of, refused
from tests.changing import change
from tests.rules.test_staffing import ANA, HEADING, line
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def propose(cast: Cast, new: Any, by: Person | None = None) -> Slip:
    return propose_people(
        new,
        reason="Hired.",
        pen=cast.pen(by or cast.carol, Place.OFFICE),
        shown=request_shown(new, None),
    )


def approve(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    cast.sign(slip, "approved", by or cast.heidi, Place.OFFICE)


def leaves(cast: Cast, person: Person, by: Person) -> Slip:
    return put_out(
        person,
        reason="Took cheques.",
        pen=cast.pen(by, Place.OFFICE),
        shown=request_shown(new_leaving(person), None),
    )


def as_role(role: Role) -> PersonFields:
    return replace(read_person(ANA), role=role)


def test_a_new_person_starts_without_pin_and_password_and_sets_both(cast: Cast) -> None:
    slip = propose(cast, new_people([read_person(ANA)]))
    assert not Person.objects.filter(badge="777").exists()
    approve(cast, slip)
    ana = Person.objects.get(badge="777")
    assert (ana.role, ana.pin_hash, ana.password) == ("dealer", "", "")
    code = offer_pin(person_id=ana.pk, actor=cast.carol, device=None)
    keyed = {
        "badge": "777",
        "code": code,
        "pin": "739218",
        "witness_badge": cast.alice.badge,
        "witness_pin": pin_of(cast.alice.badge),
        "device": cast.devices[Place.PIT],
    }
    for password, wrong in (("", "password_missing"), ("short", "password_weak")):
        with refused(wrong, journal=("act_refused",)):
            set_pin(**keyed, password=password)
    set_pin(**keyed, password="green felt and brass")
    ana.refresh_from_db()
    assert ana.check_password("green felt and brass")
    assert verify().is_sound


def test_nobody_is_added_by_one_manager_alone(cast: Cast) -> None:
    slip = propose(cast, new_people([read_person(ANA)]), by=cast.heidi)
    with refused("signed_before"):
        approve(cast, slip, by=cast.heidi)


@pytest.mark.parametrize(
    ("who", "role", "code"),
    [
        ("alice", Role.DEALER, "wrong_role"),
        ("judy", Role.DEALER, "administrators_sign_nothing"),
        ("carol", Role.CASHIER, "wrong_role"),
        ("carol", Role.PIT_MANAGER, "wrong_role"),
        ("trent", Role.SECURITY, "wrong_role"),
    ],
)
def test_a_manager_proposes_for_the_own_department_only(
    cast: Cast, who: str, role: Role, code: str
) -> None:
    with refused(code):
        propose(cast, new_people([as_role(role)]), by=getattr(cast, who))


def test_a_promotion_is_signed_by_who_has_a_say_over_the_new_role_too(cast: Cast) -> None:
    changed = replace(fields_of(cast.alice), role=Role.PIT_MANAGER)
    with refused("wrong_role"):
        propose(cast, new_change(cast.alice, changed))
    slip = propose(cast, new_change(cast.alice, changed), by=cast.heidi)
    with refused("wrong_role"):
        approve(cast, slip, by=cast.carol)
    assert Person.objects.get(pk=cast.alice.pk).role == "supervisor"


def test_nobody_signs_changes_about_themselves(cast: Cast) -> None:
    changed = replace(fields_of(cast.heidi), licence_number="TG-900")
    with refused("own_papers"):
        propose(cast, new_change(cast.heidi, changed), by=cast.heidi)


def test_a_licence_is_renewed_and_the_slip_says_from_what(cast: Cast) -> None:
    changed = replace(fields_of(cast.dan), licence_number="TG-900")
    slip = propose(cast, new_change(cast.dan, changed))
    assert slip.details["says"] == [["Licence", "TG-900, instead of TG-104"]]
    approve(cast, slip)
    assert Person.objects.get(pk=cast.dan.pk).licence_number == "TG-900"


def test_a_change_of_what_was_changed_meanwhile_is_refused(cast: Cast) -> None:
    changed = replace(fields_of(cast.dan), licence_number="TG-900")
    slip = propose(cast, new_change(cast.dan, changed))
    Person.objects.filter(pk=cast.dan.pk).update(licence_number="TG-555")
    with refused("person_changed"):
        approve(cast, slip)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, "nothing_changes"),
        ({"badge": "101"}, "badge_taken"),
        ({"employee_number": "E101"}, "employee_number_taken"),
    ],
)
def test_what_belongs_to_somebody_else_is_refused(
    cast: Cast, change: dict[str, Any], code: str
) -> None:
    with refused(code):
        propose(cast, new_change(cast.dan, replace(fields_of(cast.dan), **change)))


def test_an_import_comes_whole_or_not_at_all(cast: Cast) -> None:
    two = [read_person(ANA), replace(read_person(ANA), badge="778", employee_number="E778")]
    slip = propose(cast, new_people(two))
    Person.objects.filter(pk=cast.dora.pk).update(badge="778")
    with refused("badge_taken"):
        approve(cast, slip)
    assert not Person.objects.filter(badge="777").exists()
    Person.objects.filter(pk=cast.dora.pk).update(badge="114")
    approve(cast, slip)
    assert Person.objects.filter(badge__in=["777", "778"]).count() == 2


def test_who_must_go_signs_nothing_from_that_moment(cast: Cast) -> None:
    slip = leaves(cast, cast.alice, cast.carol)
    with refused("not_employed"):
        cast.ask()
    cast.sign(slip, "confirmed", cast.heidi, Place.OFFICE)
    slip.refresh_from_db()
    assert slip.status == SlipStatus.DONE
    with refused("already_out"):
        leaves(cast, cast.alice, cast.carol)


def test_another_manager_takes_somebody_back(cast: Cast) -> None:
    slip = leaves(cast, cast.alice, cast.carol)
    back = {"entry": Entry(reason="It was another."), "track": Track.VOID}
    with refused("signed_before"):
        cast.sign(slip, "taken_back", cast.carol, Place.OFFICE, **back)
    cast.sign(slip, "taken_back", cast.heidi, Place.OFFICE, **back)
    assert cast.ask()
    assert verify().is_sound


def test_nobody_puts_themselves_or_a_higher_rank_out(cast: Cast) -> None:
    with refused("own_papers"):
        leaves(cast, cast.heidi, cast.heidi)
    with refused("wrong_role"):
        leaves(cast, cast.heidi, cast.carol)


def test_people_are_searched_and_reminded_of(cast: Cast, server_clock: ServerClock) -> None:
    ends = server_clock.now.date() + timedelta(days=30)
    Person.objects.filter(pk=cast.dan.pk).update(licence_ends=ends)
    Person.objects.filter(pk=cast.dora.pk).update(licence_ends=ends + timedelta(days=1))
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    found = client.get("/people/", {"q": "dan 104"}).content.decode()
    assert "Danson" in found
    assert "Alison" not in found
    assert found.count("Ends soon") == 1
    assert "Ends soon" not in client.get("/people/", {"q": "dora"}).content.decode()


def test_a_licence_that_ends_reminds_its_owner_and_whoever_renews_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    today = server_clock.now.date()
    Person.objects.filter(pk=cast.alice.pk).update(licence_ends=today + timedelta(days=30))
    Person.objects.filter(pk=cast.erin.pk).update(licence_ends=today)
    Person.objects.filter(pk=cast.dan.pk).update(licence_ends=today - timedelta(days=1))
    Person.objects.filter(pk=cast.dora.pk).update(licence_ends=today, is_active=False)

    def inbox(person: Person) -> str:
        page = signed_in(person, cast.devices[Place.OFFICE]).get("/inbox/")
        return page.content.decode()

    assert "Your licence ends in 30 days, on 31 May 2026." in inbox(cast.alice)
    assert "Licences to renew" not in inbox(cast.alice)
    assert "Your licence ends today" in inbox(cast.erin)
    pit = inbox(cast.carol)
    assert "Your licence" not in pit
    assert "TG-101 ends in 30 days" in pit
    assert f"{cast.dan.licence_number} ended on 30 Apr 2026" in pit
    assert cast.erin.licence_number not in pit
    assert "ends today" in inbox(cast.trent)
    assert "Dorason" not in inbox(cast.heidi)
    # Two managers renew it, and nobody is reminded any more.
    change(cast, "people.licence_reminder", "29")
    assert "TG-101" not in inbox(cast.carol)
    assert "Your licence" not in inbox(cast.alice)


def test_the_pad_says_that_a_licence_ends_before_the_pin_is_keyed(
    cast: Cast, server_clock: ServerClock
) -> None:
    tomorrow = server_clock.now.date() + timedelta(days=1)
    Person.objects.filter(pk=cast.dan.pk).update(licence_ends=tomorrow)
    client = signed_in(cast.alice, cast.devices[Place.PIT])
    said = client.get("/badge/", {"badge": cast.dan.badge}).content.decode()
    assert "Licence ends tomorrow, on 02 May 2026" in said
    assert "Licence ends" not in client.get("/badge/", {"badge": cast.bob.badge}).content.decode()


def test_the_list_of_people_shows_only_those_whose_licence_ends(
    cast: Cast, server_clock: ServerClock
) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    assert "Licences that end" not in client.get("/people/").content.decode()
    Person.objects.filter(pk=cast.dan.pk).update(licence_ends=server_clock.now.date())
    assert "Licences that end: 1" in client.get("/people/").content.decode()
    only = client.get("/people/?ending=1").content.decode()
    assert "Danson" in only
    assert "Aliceson" not in only


def test_a_person_is_added_on_the_screens(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    keyed = {f"new_{column}": value for column, value in ANA.items()}
    assert client.get("/people/new/", keyed | {"new_role": "x"}).status_code == 422
    looked = client.get("/people/new/", keyed)
    assert "Ana Ruiz" in looked.content.decode()
    pen = cast.pen(cast.carol, Place.OFFICE)
    signing = {"badge": pen.badge, "pin": pen.pin, "request_id": str(pen.request_id)}
    shown = {"shown": request_shown(new_people([read_person(ANA)]), None), "reason": "Hired."}
    assert client.post("/people/propose", keyed | signing | shown | {"pin": "0"}).status_code == 422
    answer = client.post("/people/propose", keyed | signing | shown)
    slip = Slip.objects.get(kind="person_change")
    assert answer["Location"] == f"/slips/{slip.serial}/"
    assert client.get(f"/people/{cast.dan.pk}/").status_code == 200
    assert (
        "badge 101"
        in client.get(f"/people/{cast.dan.pk}/", keyed | {"new_badge": "101"}).content.decode()
    )


def test_a_list_is_looked_at_before_it_is_signed(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    good = client.post("/people/import/", {"list": f"{HEADING}\n{line()}\n"})
    assert "Ana Ruiz" in good.content.decode()
    wrong = client.post("/people/import/", {"list": f"{HEADING}\n{line(role='x')}\n"})
    assert wrong.status_code == 422
    assert "Line 2" in wrong.content.decode()
    assert not Slip.objects.exists()


def test_a_file_is_imported_like_a_list_and_one_that_is_no_text_is_refused(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    list_ = f"{HEADING}\n{line()}"

    def sent(content: bytes) -> Any:
        return client.post("/people/import/", {"file": SimpleUploadedFile("p.csv", content)})

    looked = sent(b"\xef\xbb\xbf" + list_.encode())
    assert looked.status_code == 200
    assert "I know these people" in looked.content.decode()
    no_text = sent(b"\xff\xfe\x00P")
    assert no_text.status_code == 422
    assert "no text in UTF-8" in no_text.content.decode()
    too_long = sent(list_.encode() + b"x" * 20_001)
    assert too_long.status_code == 422
    assert not Slip.objects.exists()


def test_who_may_do_what_names_every_step_and_every_page_for_every_role(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    everybody = client.get("/people/roles/").content.decode()
    *slips, pages = matrix()
    signed = [row for group in slips for row in group["rows"]]
    steps = [s for flow in FLOWS.values() for s in (*flow.steps, *flow.void, *flow.relief)]
    for row, step in zip(signed, steps, strict=True):
        assert row["title"] in everybody
        able = {role for wanted in step.roles for role in roles_that_may_act_as(wanted)}
        assert row["may"] == [role in able for role in Role], step.name
    for row, allowed in zip(pages["rows"], PAGES.values(), strict=True):
        assert row["may"] == [role in allowed for role in Role]
    assert everybody.count(">may<") == sum(sum(row["may"]) for row in [*signed, *pages["rows"]])
    dealer = client.get("/people/roles/?role=dealer").content.decode()
    assert "Agreed" in dealer
    assert "Top-signed" not in dealer
    assert "Signs no slip." in client.get("/people/roles/?role=administrator").content.decode()
