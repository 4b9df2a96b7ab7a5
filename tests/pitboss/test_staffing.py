"""People come, change and go by the signatures of two managers; who must go is out at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from pitboss.access import pages
from pitboss.kinds.person import PERSON_KIND, new_change, new_people
from pitboss.kinds.person_leaves import PERSON_LEAVES
from pitboss.models import Person, Slip
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.people.staffing import PersonFields, read_person
from pitboss.rules.roles import Place, Role, roles_that_may_act_as
from pitboss.selectors.powers import matrix
from pitboss.services.shown import request_shown
from pitboss.services.signing import Entry
from pitboss.services.staffing import fields_of
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.house import change
from tests.floor.pins import offer, release, set_with
from tests.floor.tablets import words
from tests.rules.test_staffing import ANA, HEADING, line
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def propose(cast: Cast, new: Any, by: Person | None = None) -> Slip:
    raising = replace(PERSON_KIND.at(), draft=new)
    return raise_kind(
        raising,
        reason="Hired.",
        pen=cast.pen(by or cast.carol, Place.OFFICE),
        shown=shown_before(raising),
    )


def approve(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    cast.sign(slip, "approved", by or cast.heidi, Place.OFFICE)


def leaves(cast: Cast, person: Person, by: Person) -> Slip:
    raising = PERSON_LEAVES.at(person=person)
    return raise_kind(
        raising,
        reason="Took cheques.",
        pen=cast.pen(by, Place.OFFICE),
        shown=shown_before(raising),
    )


def as_role(role: Role) -> PersonFields:
    return replace(read_person(ANA), role=role)


def test_a_new_person_starts_without_pin_and_password_and_sets_both(cast: Cast) -> None:
    slip = propose(cast, new_people([read_person(ANA)]))
    assert not Person.objects.filter(badge="777").exists()
    approve(cast, slip)
    ana = Person.objects.get(badge="777")
    assert (ana.role, ana.pin_hash, ana.password) == ("dealer", "", "")
    halves = offer(cast, ana, cast.carol), release(cast, ana, cast.alice)
    for password, wrong in (("", "password_missing"), ("short", "password_weak")):
        with refused(wrong, journal=("act_refused",)):
            set_with(cast, ana, halves, cast.alice, old_secret="", password=password)
    set_with(cast, ana, halves, cast.alice, old_secret="", password="green felt and brass")
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
    assert slip.details["says"] == [["License", "TG-900, instead of TG-104"]]
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
    back: dict[str, Any] = {"entry": Entry(reason="It was another."), "track": Track.VOID}
    with refused("signed_before"):
        cast.sign(slip, "taken_back", cast.carol, Place.OFFICE, **back)
    cast.sign(slip, "taken_back", cast.heidi, Place.OFFICE, **back)
    cast.ask()
    assert verify().is_sound


def test_nobody_puts_themselves_or_a_higher_rank_out(cast: Cast) -> None:
    add_person("nina", "130", Role.SHIFT_MANAGER)
    with refused("own_papers"):
        leaves(cast, cast.heidi, cast.heidi)
    with refused("wrong_role"):
        leaves(cast, cast.heidi, cast.carol)


def test_people_are_searched_and_reminded_of(cast: Cast, server_clock: ServerClock) -> None:
    ends = server_clock.now.date() + timedelta(days=30)
    Person.objects.filter(pk=cast.dan.pk).update(licence_ends=ends)
    Person.objects.filter(pk=cast.dora.pk).update(licence_ends=ends + timedelta(days=1))
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    found = words(client.get("/people/", {"q": "dan 104"}))
    assert "Danson" in found
    assert "Alison" not in found
    assert found.count("Ends soon") == 1
    assert "Ends soon" not in words(client.get("/people/", {"q": "dora"}))


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
        return words(page)

    assert "Your license expires in 30 days, May 31, 2026." in inbox(cast.alice)
    assert "Licenses to renew" not in inbox(cast.alice)
    assert "Your license expires today" in inbox(cast.erin)
    pit = inbox(cast.carol)
    assert "Your license" not in pit
    assert "TG-101 expires in 30 days" in pit
    assert f"{cast.dan.licence_number} expired Apr 30, 2026" in pit
    assert cast.erin.licence_number not in pit
    assert "expires today" in inbox(cast.trent)
    assert "Dorason" not in inbox(cast.heidi)
    # Two managers renew it, and nobody is reminded any more.
    change(cast, "people.licence_reminder", "29")
    assert "TG-101" not in inbox(cast.carol)
    assert "Your license" not in inbox(cast.alice)


def test_the_pad_says_that_a_licence_ends_before_the_pin_is_keyed(
    cast: Cast, server_clock: ServerClock
) -> None:
    tomorrow = server_clock.now.date() + timedelta(days=1)
    Person.objects.filter(pk=cast.dan.pk).update(licence_ends=tomorrow)
    client = signed_in(cast.alice, cast.devices[Place.PIT])
    said = words(client.get("/badge/", {"badge": cast.dan.badge}))
    assert "License expires tomorrow, May 2, 2026" in said
    assert "License expires" not in words(client.get("/badge/", {"badge": cast.bob.badge}))


def test_the_list_of_people_shows_only_those_whose_licence_ends(
    cast: Cast, server_clock: ServerClock
) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    assert "Licenses expiring" not in words(client.get("/people/"))
    Person.objects.filter(pk=cast.dan.pk).update(licence_ends=server_clock.now.date())
    assert "Licenses expiring: 1" in words(client.get("/people/"))
    only = words(client.get("/people/?ending=1"))
    assert "Danson" in only
    assert "Aliceson" not in only


def test_a_person_is_added_on_the_screens(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    keyed = {f"new_{column}": value for column, value in ANA.items()}
    address = "/slips/new/person_change/"
    assert address in words(client.get("/people/new/"))
    assert client.post(address, keyed | {"new_role": "x"}).status_code == 422
    looked = client.post(address, keyed)
    assert "Ana Ruiz" in words(looked)
    pen = cast.pen(cast.carol, Place.OFFICE)
    signing = {"badge": pen.badge, "pin": pen.pin, "request_id": str(pen.request_id)}
    shown = {"shown": request_shown(new_people([read_person(ANA)]), None), "reason": "Hired."}
    assert client.post("/people/propose", keyed)["Location"] == f"{address}?"
    assert client.post(address, keyed | signing | shown | {"pin": "0"}).status_code == 422
    answer = client.post(address, keyed | signing | shown)
    slip = Slip.objects.get(kind="person_change")
    assert answer["Location"] == f"/slips/{slip.serial}/"
    assert client.get(f"/people/{cast.dan.pk}/").status_code == 200
    taken = client.post(f"{address}?person={cast.dan.pk}", keyed | {"new_badge": "101"})
    assert "badge 101" in words(taken)


def test_a_list_is_looked_at_before_it_is_signed(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    good = client.post("/slips/new/person_change/?by=list", {"list": f"{HEADING}\n{line()}\n"})
    assert "Ana Ruiz" in words(good)
    wrong = client.post(
        "/slips/new/person_change/?by=list", {"list": f"{HEADING}\n{line(role='x')}\n"}
    )
    assert wrong.status_code == 422
    assert "Line 2" in words(wrong)
    assert not Slip.objects.exists()


def test_a_file_is_imported_like_a_list_and_one_that_is_no_text_is_refused(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    list_ = f"{HEADING}\n{line()}"

    def sent(content: bytes) -> Any:
        file = SimpleUploadedFile("p.csv", content)
        return client.post("/slips/new/person_change/?by=list", {"list_file": file, "list": ""})

    looked = sent(b"\xef\xbb\xbf" + list_.encode())
    assert looked.status_code == 200
    assert "I know these people" in words(looked)
    no_text = sent(b"\xff\xfe\x00P")
    assert no_text.status_code == 422
    assert "isn’t UTF-8 text" in words(no_text)
    too_long = sent(list_.encode() + b"x" * 20_001)
    assert too_long.status_code == 422
    assert not Slip.objects.exists()


def test_who_may_do_what_names_every_step_and_every_page_for_every_role(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    everybody = words(client.get("/people/roles/"))
    *slips, opened = matrix()
    signed = [row for group in slips for row in group["rows"]]
    steps = [s for flow in FLOWS.values() for s in (*flow.steps, *flow.void, *flow.relief)]
    for row, step in zip(signed, steps, strict=True):
        assert row["title"] in everybody
        able = {role for wanted in step.roles for role in roles_that_may_act_as(wanted)}
        assert row["may"] == [role in able for role in Role], step.name
    for row, allowed in zip(opened["rows"], pages().values(), strict=True):
        assert row["may"] == [role in allowed for role in Role]
    assert everybody.count(">may<") == sum(sum(row["may"]) for row in [*signed, *opened["rows"]])
    dealer = words(client.get("/people/roles/?role=dealer"))
    assert "Agreed" in dealer
    assert "Top-signed" not in dealer
    assert "Signs no slip." in words(client.get("/people/roles/?role=administrator"))
