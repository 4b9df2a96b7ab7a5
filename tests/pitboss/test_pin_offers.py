"""A PIN is offered by one, witnessed by another, and set by its person, who reads of it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from pitboss.models import Device, FloorException, JournalEntry, Person, PinEnrolment
from pitboss.rules.canonical import digest
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.exceptions import PIN_OFFERED, PIN_SET
from pitboss.services.pin_offers import Witness
from pitboss.services.pins import prove_pin
from tests.floor.cast import LOCKOUT, PASSWORD, Cast, ServerClock, add_person, pin_of, refused
from tests.floor.pins import NEW_PIN, give_pin, offer, release, set_with
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db

KEPT = ("act_refused",)


def signs_with(person: Person, pin: str) -> bool:
    try:
        device = Device.objects.get(name="office")
        return prove_pin(badge=person.badge, pin=pin, device=device, policy=LOCKOUT) == person
    except Refused:
        return False


def halves_for(cast: Cast, person: Person) -> tuple[str, str]:
    return offer(cast, person, cast.carol), release(cast, person, cast.alice)


def test_the_old_pin_holds_until_its_person_has_set_the_new_one(cast: Cast) -> None:
    halves = halves_for(cast, cast.dan)
    assert signs_with(cast.dan, pin_of("104"))
    set_with(cast, cast.dan, (f" {halves[0].lower()} ", halves[1].lower()), cast.alice)
    assert signs_with(cast.dan, NEW_PIN)
    assert not signs_with(cast.dan, pin_of("104"))
    done = PinEnrolment.objects.get()
    assert (done.offered_by, done.witness) == (cast.carol, cast.alice)
    with refused("code_unknown", journal=KEPT):
        set_with(cast, cast.dan, halves, cast.alice, old_secret=NEW_PIN)


def test_neither_half_is_stored_and_neither_opens_anything_alone(cast: Cast) -> None:
    first, second = halves_for(cast, cast.dan)
    assert first != second
    stored = PinEnrolment.objects.get()
    assert (stored.code_hash, stored.released_hash) == (digest(first), digest(second))
    for codes in ((first, first), (second, second), (second, first), (first, ""), ("", second)):
        with refused("code_unknown", journal=KEPT):
            set_with(cast, cast.dan, codes, cast.alice)


def test_an_offer_that_nobody_has_witnessed_sets_no_pin(cast: Cast) -> None:
    half = offer(cast, cast.dan, cast.carol)
    for second in ("", half):
        with refused("code_unknown", journal=KEPT):
            set_with(cast, cast.dan, (half, second), cast.alice)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"code": "00000000"}, "code_unknown"),
        ({"code": "\ud800"}, "code_unknown"),
        ({"code": None}, "code_unknown"),
        ({"witness_code": "\ud800"}, "code_unknown"),
        ({"witness_code": None}, "code_unknown"),
        ({"badge": "105", "old_secret": "105105"}, "code_unknown"),
        ({"badge": "\x00", "old_secret": ""}, "badge_malformed"),
        ({"badge": "999", "old_secret": ""}, "code_unknown"),
        ({"pin": "123456"}, "pin_guessable"),
        ({"pin": "12"}, "pin_malformed"),
        ({"password": "short"}, "password_weak"),
        ({"witness": Witness("101", "000000")}, "wrong_pin"),
        ({"witness": Witness("102", "102102")}, "wrong_witness"),
        ({"witness": Witness("103", "103103")}, "wrong_witness"),
        ({"witness": Witness("104", "104104")}, "wrong_witness"),
        ({"witness": Witness("\x00", "1")}, "badge_malformed"),
        ({"device": None}, "unknown_device"),
        ({"old_secret": ""}, "old_secret_missing"),
        ({"old_secret": "", "second": Witness("101", "101101")}, "wrong_witness"),
        ({"old_secret": "", "second": Witness("102", "102102")}, "wrong_witness"),
        ({"old_secret": "", "second": Witness("103", "103103")}, "wrong_witness"),
        ({"old_secret": "", "second": Witness("104", "104104")}, "wrong_witness"),
        ({"old_secret": "", "second": Witness("113", "113113")}, "wrong_witness"),
    ],
)
def test_a_pin_is_not_set_otherwise_and_the_attempt_is_journaled(
    cast: Cast, changed: dict[str, Any], code: str
) -> None:
    halves = halves_for(cast, cast.dan)
    journal = ("pin_wrong", "act_refused") if code == "wrong_pin" else KEPT
    with refused(code, journal=journal):
        set_with(cast, cast.dan, halves, cast.alice, **changed)
    assert signs_with(cast.dan, pin_of("104"))


def test_a_wrong_old_secret_is_counted_and_sets_nothing(cast: Cast) -> None:
    halves = halves_for(cast, cast.dan)
    with refused("wrong_pin", journal=("pin_wrong",)):
        set_with(cast, cast.dan, halves, cast.alice, old_secret="000000")
    with refused("wrong_password", journal=("password_wrong",)):
        set_with(cast, cast.dan, halves, cast.alice, old_secret="a guess")
    assert set_with(cast, cast.dan, halves, cast.alice, old_secret=PASSWORD) == cast.dan


def test_who_lost_both_secrets_is_vouched_for_by_two_departments(cast: Cast) -> None:
    halves = halves_for(cast, cast.dan)
    sybil = Witness("112", "112112")
    with refused("wrong_pin", journal=("pin_wrong",)):
        set_with(cast, cast.dan, halves, cast.alice, old_secret="", second=Witness("112", "000000"))
    set_with(cast, cast.dan, halves, cast.alice, old_secret="", second=sybil)
    assert PinEnrolment.objects.get().second_witness == cast.sybil
    assert signs_with(cast.dan, NEW_PIN)


def test_a_second_witness_who_may_not_work_vouches_for_nobody(cast: Cast) -> None:
    halves = halves_for(cast, cast.dan)
    Person.objects.filter(pk=cast.sybil.pk).update(licence_ends=date(2020, 1, 1))
    with refused("not_employed", journal=KEPT):
        set_with(cast, cast.dan, halves, cast.alice, old_secret="", second=Witness("112", "112112"))


def test_a_witness_who_may_not_work_witnesses_nothing(cast: Cast) -> None:
    halves = halves_for(cast, cast.dan)
    Person.objects.filter(pk=cast.alice.pk).update(licence_ends=date(2020, 1, 1))
    with refused("not_employed", journal=KEPT):
        set_with(cast, cast.dan, halves, cast.alice)


def test_an_offer_ends_with_its_time_or_with_the_next(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = halves_for(cast, cast.dan)
    server_clock.move(minutes=1)
    second = offer(cast, cast.dan, cast.heidi)
    with refused("code_unknown", journal=KEPT):
        set_with(cast, cast.dan, first, cast.alice)
    half = release(cast, cast.dan, cast.bob)
    server_clock.move(hours=12)
    with refused("code_unknown", journal=KEPT):
        set_with(cast, cast.dan, (second, half), cast.bob)
    with refused("no_offer", journal=KEPT):
        release(cast, cast.dan, cast.bob)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("dan", "own_pin"),
        ("dora", "wrong_role"),
        ("erin", "wrong_role"),
        ("olga", "wrong_role"),
        ("vera", "wrong_role"),
    ],
)
def test_a_pin_is_offered_only_by_who_has_a_say(cast: Cast, name: str, code: str) -> None:
    with refused(code, journal=KEPT):
        offer(cast, cast.dan, getattr(cast, name))


def test_a_pin_of_nobody_and_of_who_left_is_not_offered(cast: Cast) -> None:
    with refused("unknown_person", journal=KEPT):
        offer(cast, Person(pk=10**9), cast.heidi)
    Person.objects.filter(pk=cast.dan.pk).update(is_active=False)
    with refused("not_employed", journal=KEPT):
        offer(cast, cast.dan, cast.heidi)


def test_whoever_offers_does_not_witness(cast: Cast) -> None:
    half = offer(cast, cast.dan, cast.carol)
    with refused("wrong_witness", journal=KEPT):
        release(cast, cast.dan, cast.carol)
    with refused("wrong_witness", journal=KEPT):
        release(cast, cast.dan, cast.dan)
    # Not even one whose own half was taken over by the offerer.
    second = release(cast, cast.dan, cast.alice)
    with refused("wrong_witness", journal=KEPT):
        set_with(cast, cast.dan, (half, second), cast.carol)


def test_the_first_independent_people_get_their_pins_from_shift_managers_and_no_later_ones(
    cast: Cast,
) -> None:
    people = [cast.vera, cast.ruth, cast.petra, cast.judy]
    Person.objects.filter(pk__in=[person.pk for person in people]).update(pin_hash="")
    give_pin(cast, cast.ruth, cast.heidi, cast.mike, old_secret=PASSWORD)
    assert signs_with(cast.ruth, NEW_PIN)
    # A second PIN is a reset, and out of reach.
    with refused("wrong_role", journal=KEPT):
        offer(cast, cast.ruth, cast.heidi)
    give_pin(cast, cast.petra, cast.heidi, cast.mike, old_secret=PASSWORD)
    # Now there are two who give the others theirs.
    with refused("wrong_role", journal=KEPT):
        offer(cast, cast.judy, cast.heidi)
    half = offer(cast, cast.judy, cast.ruth, NEW_PIN)
    with refused("wrong_witness", journal=KEPT):
        release(cast, cast.judy, cast.mike)
    halves = half, release(cast, cast.judy, cast.petra, NEW_PIN)
    petra = Witness("119", NEW_PIN)
    set_with(cast, cast.judy, halves, cast.petra, witness=petra, old_secret=PASSWORD)


# ------------------------------------------------------------------ seen


def test_security_and_surveillance_read_of_both_acts_and_none_of_those_behind_them_explains_it(
    cast: Cast,
) -> None:
    from tests.pitboss.test_people import resolve

    give_pin(cast, cast.dan, cast.carol, cast.sybil)
    offered, was_set = FloorException.objects.order_by("pk")
    assert (offered.code, was_set.code) == (PIN_OFFERED, PIN_SET)
    assert was_set.sentence == (
        "D. Danson set a new PIN, offered by C. Carolson, witnessed by S. Sybilson."
    )
    for trouble in (offered, was_set):
        (wait,) = trouble.waits.all()
        assert set(wait.by) == {"security_manager", "surveillance"}
    with refused("signed_before", journal=KEPT):
        resolve(cast, was_set, badge="112", pin="112112")
    assert resolve(cast, was_set, badge="109", pin="109109").resolved_by == cast.ivan
    journal_entries = JournalEntry.objects.filter(kind__startswith="pin_").order_by("pk")
    assert list(journal_entries.values_list("kind", "person")) == [
        ("pin_offered", cast.carol.pk),
        ("pin_witnessed", cast.sybil.pk),
        ("pin_set", cast.sybil.pk),
    ]


def sign_in(cast: Cast, person: Person) -> tuple[Client, str]:
    client = Client()
    form = {"badge": person.badge, "password": PASSWORD}
    return client, client.post("/login/", form).headers["Location"]


def test_the_person_reads_of_an_offer_and_of_a_reset_at_the_next_sign_in(
    cast: Cast, server_clock: ServerClock
) -> None:
    assert sign_in(cast, cast.dan)[1] != "/me/"
    halves = halves_for(cast, cast.dan)
    client, where = sign_in(cast, cast.dan)
    assert where == "/me/"
    assert "A new PIN was offered for you by C. Carolson on May 1, 2026" in (
        words(client.get(where))
    )
    assert sign_in(cast, cast.dan)[1] != "/me/", "read once"
    server_clock.move(minutes=5)
    set_with(cast, cast.dan, halves, cast.alice)
    client, where = sign_in(cast, cast.dan)
    assert where == "/me/"
    page = words(client.get(where))
    assert "Your PIN was reset by C. Carolson on May 1, 2026 at 09:05." in page
    assert "If you didn’t ask for it, notify security." in page
    again = words(client.get("/me/"))
    assert "If you didn’t ask for it" not in again
    assert "PIN history" in again


# ------------------------------------------------------------------ by SQL, as the site


def sql(statement: str, *values: str | int) -> None:
    """Write as the site's role, past the site, with the version that the seal's trigger wants."""
    statement = statement.replace(" SET ", " SET version = version + 1, ")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def insert(person: Person, by: Person | None, **more: Any) -> PinEnrolment:
    now = house.now()
    with transaction.atomic():
        return PinEnrolment.objects.create(
            person=person,
            offered_by=by,
            code_hash=digest(f"{person.pk} {by and by.pk} {more}"),
            offered_at=now,
            expires_at=now + timedelta(hours=1),
            **more,
        )


def test_the_database_takes_no_offerer_as_witness(cast: Cast) -> None:
    row = insert(cast.dan, cast.carol)
    with pytest.raises(DatabaseError, match="offerer_and_witness_of_a_pin_differ"):
        sql(
            "UPDATE pitboss_pinenrolment SET witness_id = %s WHERE id = %s",
            cast.carol.pk,
            row.pk,
        )


@pytest.mark.parametrize(
    ("column", "name", "match"),
    [
        ("second_witness_id", "carol", "second_witness_of_a_pin_differs"),
        ("second_witness_id", "dan", "second_witness_of_a_pin_differs"),
        ("witness_id", "dan", "nobody_witnesses_their_own_pin"),
        ("person_id", "dora", "stays as it was made"),
        ("offered_by_id", "heidi", "stays as it was made"),
    ],
)
def test_the_database_keeps_the_people_of_an_offer_apart(
    cast: Cast, column: str, name: str, match: str
) -> None:
    row = insert(cast.dan, cast.carol)
    with pytest.raises(DatabaseError, match=match):
        sql(
            f"UPDATE pitboss_pinenrolment SET {column} = %s WHERE id = %s",
            getattr(cast, name).pk,
            row.pk,
        )


def test_the_database_sets_no_pin_without_a_witness(cast: Cast) -> None:
    row = insert(cast.dan, cast.carol)
    with pytest.raises(DatabaseError, match="pin_is_set_before_a_witness"):
        sql(
            "UPDATE pitboss_pinenrolment SET used_at = now() WHERE id = %s",
            row.pk,
        )
    with pytest.raises(DatabaseError, match="begins unused"):
        insert(cast.dora, cast.carol, witness=cast.alice, used_at=house.now(),
               released_at=house.now())  # fmt: skip


def test_the_database_makes_no_offer_longer_and_none_that_was_used_anew(cast: Cast) -> None:
    give_pin(cast, cast.dan, cast.carol, cast.alice)
    row = PinEnrolment.objects.get()
    with pytest.raises(DatabaseError, match="it was used"):
        sql(
            "UPDATE pitboss_pinenrolment SET used_at = NULL WHERE id = %s",
            row.pk,
        )
    other = insert(cast.dora, cast.carol)
    with pytest.raises(DatabaseError, match="not made longer"):
        sql(
            "UPDATE pitboss_pinenrolment SET expires_at = expires_at + '1 day'::interval "
            "WHERE id = %s",
            other.pk,
        )


def test_the_database_takes_no_offer_without_somebody_or_keys_behind_it(cast: Cast) -> None:
    for by, by_keys in ((None, False), (cast.carol, True)):
        with pytest.raises(DatabaseError, match="pin_offered_by_somebody_or_by_keys"):
            insert(cast.dan, by, by_keys=by_keys)


def test_the_database_lets_no_operations_rank_reach_an_independent_pin(cast: Cast) -> None:
    for person in (cast.ivan, cast.vera, cast.ruth, cast.petra, cast.olga, cast.judy):
        for by in (cast.heidi, cast.sybil, cast.trent, cast.carol):
            with pytest.raises(DatabaseError, match="operations do not reach"):
                insert(person, by)
    row = insert(cast.olga, cast.ruth)
    with pytest.raises(DatabaseError, match="operations do not reach"):
        sql(
            "UPDATE pitboss_pinenrolment SET witness_id = %s WHERE id = %s",
            cast.heidi.pk,
            row.pk,
        )


def test_the_database_takes_no_witness_of_the_own_department_but_in_the_pit(cast: Cast) -> None:
    row = insert(cast.erin, cast.heidi)
    with pytest.raises(DatabaseError, match="of the same department"):
        sql(
            "UPDATE pitboss_pinenrolment SET witness_id = %s WHERE id = %s",
            cast.trent.pk,
            row.pk,
        )
    row = insert(cast.dan, cast.heidi)
    sql(
        "UPDATE pitboss_pinenrolment SET witness_id = %s WHERE id = %s",
        cast.alice.pk,
        row.pk,
    )


def test_the_database_takes_nobody_who_left(cast: Cast) -> None:
    Person.objects.filter(pk=cast.carol.pk).update(is_active=False)
    with pytest.raises(DatabaseError, match="whoever left"):
        insert(cast.dan, cast.carol)


def test_the_database_knows_the_same_departments_as_the_rules(cast: Cast) -> None:
    from pitboss.rules.roles import INDEPENDENT, department

    with connection.cursor() as cursor:
        for one in Role:
            cursor.execute("SELECT pitboss_is_independent(%s)", [one.value])
            assert cursor.fetchone() == (one in INDEPENDENT,)
            for other in Role:
                cursor.execute(
                    "SELECT pitboss_department(%s) = pitboss_department(%s)",
                    [one.value, other.value],
                )
                assert cursor.fetchone() == (department(one) == department(other),)


@pytest.mark.parametrize(
    ("to", "role", "by"),
    [
        ("ivan", "surveillance_manager", "heidi"),
        ("dan", "supervisor", "vera"),
        ("dan", "pit_manager", "carol"),
        ("dan", "shift_manager", "heidi"),
        ("dan", "cashier", "heidi"),
    ],
)
def test_the_database_grants_no_rank_out_of_reach(cast: Cast, to: str, role: str, by: str) -> None:
    with pytest.raises(DatabaseError, match="refused"):
        sql(
            "INSERT INTO pitboss_actingrole (person_id, gaming_day, shift, role, granted_by_id,"
            " granted_at, version, seal) VALUES (%s, '2026-05-01', 'Day', %s, %s, now(), 1, 'x')",
            getattr(cast, to).pk,
            role,
            getattr(cast, by).pk,
        )


def test_two_witnesses_at_once_leave_one_half_that_works(cast: Cast) -> None:
    half = offer(cast, cast.dan, cast.carol)
    first, second = release(cast, cast.dan, cast.alice), release(cast, cast.dan, cast.bob)
    with refused("code_unknown", journal=KEPT):
        set_with(cast, cast.dan, (half, first), cast.alice)
    set_with(cast, cast.dan, (half, second), cast.bob)
    assert PinEnrolment.objects.get().witness == cast.bob


def test_a_pin_is_offered_and_witnessed_on_the_screens(cast: Cast) -> None:
    add_person("nina", "130", Role.SHIFT_MANAGER)
    office = signed_in(cast.carol, cast.devices[Place.OFFICE])
    assert "is with me and that I checked" in words(
        office.get(f"/people/{cast.dan.pk}/pin/witness")
    )
    carol = {"badge": "103", "pin": "103103", "request_id": str(uuid4())}
    shown = words(office.post(f"/people/{cast.dan.pk}/pin", carol))
    assert "First of two codes" in shown
    listed = words(office.get("/people/"))
    assert "PIN offered" in listed
    assert f"/people/{cast.dan.pk}/pin/witness" in listed
    assert f"/people/{cast.dan.pk}/pin/witness" in (words(office.get(f"/people/{cast.dan.pk}/")))
    assert office.post(f"/people/{cast.dan.pk}/pin/witness", carol).status_code == 403
    alice = {"badge": "101", "pin": "101101", "request_id": str(uuid4())}
    witnessed = office.post(f"/people/{cast.dan.pk}/pin/witness", alice)
    assert "Second of two codes" in words(witnessed)
