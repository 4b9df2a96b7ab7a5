"""Rows that decide carry a seal: what SQL past the site changes decides nothing, and is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db import DatabaseError, connection, models, transaction
from django.test import Client

from pitboss.models import Device, FloorException, JournalEntry, Person, Table, sealed
from pitboss.models.sealed import (
    Sealed,
    SealedQuerySet,
    empty_texts,
    sealed_columns,
    sealed_models,
    take_altered,
)
from pitboss.rules.canonical import digest
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house, journal
from pitboss.services.devices import NewDevice, device_by_token, enrol_device
from pitboss.services.exceptions import open_exception
from pitboss.services.explaining import resolve_exception
from pitboss.services.people import grant_acting_role
from pitboss.services.pins import BOUND, peppered, prove_pin
from pitboss.services.row_seals import seal_unsealed, tell_of_altered
from pitboss.services.verification import Wrong, verify
from tests.floor.cast import LOCKOUT, SOME_CHEQUES, Cast, let_device_in, pin_of
from tests.tampering import Owner, found, tamper

pytestmark = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)


def as_the_site(sql: str, *values: Any) -> None:
    """Write past the services, as whoever took over the site's role would."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount > 0, "the test changes nothing"


def altered(row: models.Model) -> FloorException:
    """Return the exception that tells of a row."""
    return FloorException.objects.get(
        code="record_altered", details__model=row._meta.label, details__row=row.pk
    )


def prove(person: Person, cast: Cast) -> Person:
    return prove_pin(
        badge=person.badge,
        pin=pin_of(person.badge),
        device=cast.devices[Place.OFFICE],
        policy=LOCKOUT,
    )


@pytest.mark.parametrize("model", sealed_models(), ids=lambda model: model._meta.label)
def test_every_way_to_write_a_sealed_row_seals_it(model: type[Sealed]) -> None:
    assert isinstance(model._default_manager.get_queryset(), SealedQuerySet)
    columns = {field.attname for field in model._meta.concrete_fields}
    assert columns >= model.PENCIL, "a column in pencil that the model does not have"
    assert set(sealed_columns(model)) == columns - model.PENCIL - {"seal"}
    # A default that is new each time would never be left out.
    assert empty_texts(model) == empty_texts.__wrapped__(model)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgargs FROM pg_trigger WHERE tgname = 'sealed' AND tgenabled = 'O'"
            " AND tgrelid = %s::regclass",
            [model._meta.db_table],
        )
        ((arguments,),) = cursor.fetchall()
    assert {part.decode() for part in bytes(arguments).split(b"\0") if part} == model.PENCIL


def test_what_decides_is_sealed() -> None:
    labels = {model._meta.label for model in sealed_models()}
    assert labels >= {
        "pitboss.ActingRole",
        "pitboss.Device",
        "pitboss.DeviceEnrolment",
        "pitboss.FloorException",
        "pitboss.Person",
        "pitboss.PinEnrolment",
        "pitboss.Table",
    }


def test_each_way_of_the_orm_leaves_a_seal_that_fits(cast: Cast) -> None:
    dan = cast.dan
    assert dan.is_sealed()
    assert dan.version == 1

    dan.licence_number = "TG-1"
    dan.save()
    Person.objects.filter(pk=dan.pk).update(licence_number="TG-2", is_active=False)
    dan.refresh_from_db()
    dan.is_active = True
    Person.objects.bulk_update([dan], ["is_active"])
    made = Person.objects.bulk_create(
        [
            Person(
                badge=f"90{n}",
                first_name="A",
                last_name="B",
                employee_number=f"X{n}",
                role="dealer",
            )
            for n in range(2)
        ]
    )

    stored = Person.objects.get(pk=dan.pk)
    assert (stored.version, stored.licence_number, stored.is_active) == (4, "TG-2", True)
    assert all(person.is_sealed() for person in Person.objects.all())
    assert {person.version for person in made} == {1}


def test_what_is_in_pencil_moves_without_a_new_seal(cast: Cast) -> None:
    before = cast.table.seal
    Table.objects.filter(pk=cast.table.pk).update(tray_sequence=7)
    cast.table.refresh_from_db()
    assert (cast.table.seal, cast.table.version) == (before, 1)
    assert cast.table.is_sealed()


def test_saving_what_did_not_change_makes_no_new_version(cast: Cast) -> None:
    cast.dan.save()
    assert Person.objects.get(pk=cast.dan.pk).version == 1


def test_an_instant_given_as_text_is_sealed_as_the_instant(cast: Cast) -> None:
    Device.objects.filter(name="cage").update(revoked_at="2020-01-01T01:00+01:00")
    assert Device.objects.get(name="cage").is_sealed()


def test_what_was_slipped_in_is_not_sealed_along_with_a_later_change(cast: Cast) -> None:
    as_the_site(
        "UPDATE pitboss_person SET role = 'shift_manager', version = version + 1 WHERE id = %s",
        cast.dan.pk,
    )
    with pytest.raises(Refused) as refused, transaction.atomic():
        Person.objects.filter(pk=cast.dan.pk).update(licence_number="TG-9")
    assert refused.value.codes == ("record_altered",)
    assert not Person.objects.get(pk=cast.dan.pk).is_sealed()
    tell_of_altered()


def test_a_pin_hash_copied_from_another_person_proves_nobody(cast: Cast) -> None:
    as_the_site(
        "UPDATE pitboss_person SET pin_hash = (SELECT pin_hash FROM pitboss_person WHERE id = %s),"
        " version = version + 1 WHERE id = %s",
        cast.dan.pk,
        cast.heidi.pk,
    )
    with pytest.raises(Refused) as refused:
        prove_pin(
            badge=cast.heidi.badge,
            pin=pin_of(cast.dan.badge),
            device=cast.devices[Place.OFFICE],
            policy=LOCKOUT,
        )
    assert refused.value.codes == ("record_altered",)
    assert altered(cast.heidi).resolved_at is None


def test_an_exception_about_an_altered_row_waits_for_audit_and_surveillance(cast: Cast) -> None:
    as_the_site(
        "UPDATE pitboss_person SET role = 'cashier', version = version + 1 WHERE id = %s",
        cast.dan.pk,
    )
    for _ in range(2):
        with pytest.raises(Refused):
            prove(cast.dan, cast)
    assert altered(cast.dan).waits.get().by == ["auditor", "surveillance"]
    assert take_altered() == []


def test_a_role_raised_by_sql_signs_nothing(cast: Cast) -> None:
    fill = cast.ask(SOME_CHEQUES)
    as_the_site(
        "UPDATE pitboss_person SET role = 'cashier', version = version + 1 WHERE id = %s",
        cast.dan.pk,
    )
    with pytest.raises(Refused) as refused:
        cast.sign(fill, "issued", cast.dan, Place.CAGE)
    assert refused.value.codes == ("record_altered",)
    altered(cast.dan)
    entry = JournalEntry.objects.filter(kind="sign_refused").latest("id")
    assert "record_altered" in entry.text


def test_a_device_moved_by_sql_signs_nothing_and_is_told_of_at_once(cast: Cast) -> None:
    """Outside a request too: nothing comes after the act that would tell of it."""
    fill = cast.ask(SOME_CHEQUES)
    tablet = cast.devices[Place.OFFICE]
    as_the_site(
        "UPDATE pitboss_device SET place = 'cage', version = version + 1 WHERE id = %s", tablet.pk
    )
    with pytest.raises(Refused) as refused:
        cast.sign(fill, "issued", cast.erin, Place.OFFICE)
    assert refused.value.codes == ("record_altered",)
    assert altered(tablet).resolved_at is None
    assert take_altered() == []


def test_a_role_raised_after_the_pin_was_proven_signs_nothing(cast: Cast) -> None:
    """The row is read again under the locks of `sign`: that is the one that counts."""
    person = prove(cast.dan, cast)
    as_the_site(
        "UPDATE pitboss_person SET role = 'cashier', version = version + 1 WHERE id = %s",
        person.pk,
    )
    with pytest.raises(Refused) as refused:
        house.at_work(person.pk, cast.devices[Place.CAGE], house.period_at(house.now()))
    assert refused.value.codes == ("record_altered",)
    tell_of_altered()
    altered(cast.dan)


def test_what_was_raised_cannot_be_put_back(cast: Cast) -> None:
    """The version rises with every change, and only the site can seal the next one."""
    as_the_site(
        "UPDATE pitboss_person SET role = 'cashier', version = version + 1 WHERE id = %s",
        cast.dan.pk,
    )
    for version in ("version", "version - 1", "1"):
        with pytest.raises(DatabaseError, match="goes from version 2"), transaction.atomic():
            as_the_site(
                f"UPDATE pitboss_person SET role = 'dealer', version = {version} WHERE id = %s",
                cast.dan.pk,
            )
    as_the_site(
        "UPDATE pitboss_person SET role = 'dealer', version = version + 1 WHERE id = %s",
        cast.dan.pk,
    )
    with pytest.raises(Refused) as refused:
        prove(cast.dan, cast)
    assert refused.value.codes == ("record_altered",)


def test_a_change_that_keeps_its_version_is_refused_by_the_database(cast: Cast) -> None:
    for sql in (
        "UPDATE pitboss_person SET role = 'cashier'",
        "UPDATE pitboss_person SET id = id + 1000, version = version + 1",
        "UPDATE pitboss_person SET seal = '', version = version + 1",
        "UPDATE pitboss_device SET token_hash = 'x' || id",
        "UPDATE pitboss_table SET maximum_cents = 99999900",
    ):
        with pytest.raises(DatabaseError, match=r"version|no seal"), transaction.atomic():
            as_the_site(sql)


_INSERT_DEVICE = """
    INSERT INTO pitboss_device
        (name, place, token_hash, token_ends_at, old_token_hash, enrolled_at, version, seal)
    VALUES ('thief', 'cage', %s, now() + interval '1 day', '', now(), {version}, {seal})
"""


def test_a_device_without_a_seal_is_refused_by_the_database(cast: Cast) -> None:
    for version, seal in (("1", "''"), ("2", "'x:y'")):
        with pytest.raises(DatabaseError, match=r"no seal|version 1"), transaction.atomic():
            as_the_site(_INSERT_DEVICE.format(version=version, seal=seal), digest("stolen"))


@pytest.mark.parametrize(
    "seal",
    [
        "'journal-1:00'",
        "'none:00'",
        # That of another device.
        "(SELECT seal FROM pitboss_device WHERE name = 'cage')",
    ],
)
def test_an_inserted_device_opens_nothing(cast: Cast, seal: str) -> None:
    as_the_site(_INSERT_DEVICE.format(version="1", seal=seal), digest("stolen"))
    thief = Device.objects.get(name="thief")

    assert device_by_token("stolen") is None
    answer = Client().get("/api/v1/table", headers={"authorization": "Device stolen"})
    assert answer.status_code == 401
    altered(thief)


def test_a_device_whose_row_was_altered_signs_nothing(cast: Cast) -> None:
    fill = cast.ask(SOME_CHEQUES)
    cage = cast.devices[Place.CAGE]
    as_the_site(
        "UPDATE pitboss_device SET revoked_at = NULL, name = 'our own', version = version + 1"
        " WHERE id = %s",
        cage.pk,
    )
    with pytest.raises(Refused) as refused:
        cast.sign(fill, "issued", cast.erin, Place.CAGE)
    assert refused.value.codes == ("record_altered",)
    altered(cage)


@committed
def test_an_acting_role_that_sql_raised_counts_for_nothing(
    cast: Cast, owner_connection: Owner
) -> None:
    acting = grant_acting_role(
        person_id=cast.dan.pk,
        role=Role.SUPERVISOR,
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        device=cast.devices[Place.OFFICE],
    )
    sql = "UPDATE pitboss_actingrole SET role = 'pit_manager', version = version + 1 WHERE id = %s"
    with pytest.raises(DatabaseError, match="only ends"), transaction.atomic():
        as_the_site(sql, acting.pk)
    tamper(owner_connection, "pitboss_actingrole", sql, [acting.pk])
    now = house.period_at(house.now())
    for ask in (
        lambda: house.role_in(cast.dan, now),
        lambda: house.at_work(cast.dan.pk, None, now),
    ):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.codes == ("record_altered",)
    tell_of_altered()
    altered(acting)


def test_an_offer_of_a_device_that_sql_changed_lets_nothing_in(cast: Cast) -> None:
    new = NewDevice("New", Place.PIT, pit=cast.pit)
    code = let_device_in(cast, new, by=cast.heidi, second=cast.carol)
    as_the_site(
        "UPDATE pitboss_deviceenrolment SET place = 'cage', pit_id = NULL, version = version + 1"
    )
    with pytest.raises(Refused) as refused:
        enrol_device(code=code)
    assert refused.value.codes == ("record_altered",)
    assert not Device.objects.filter(name="New").exists()
    take_altered()


def test_a_table_set_up_by_sql_is_dealt_by_nobody(cast: Cast) -> None:
    as_the_site(
        """UPDATE pitboss_table SET setup = '{"trilux": "50"}', version = 2 WHERE id = %s""",
        cast.table.pk,
    )
    table = Table.objects.get(pk=cast.table.pk)
    with pytest.raises(Refused) as refused:
        rules_in_force(table, house.settings_at(house.now()))
    assert refused.value.codes == ("record_altered",)
    tell_of_altered()
    altered(table)


def test_someone_whose_row_was_altered_is_shown_the_door(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.alice)
    as_the_site(
        "UPDATE pitboss_person SET role = 'auditor', version = version + 1 WHERE id = %s",
        cast.alice.pk,
    )
    answer = client.get("/")
    assert (answer.status_code, answer["Location"]) == (302, "/login/")
    altered(cast.alice)


@committed
def test_what_was_altered_put_back_or_inserted_is_named_by_verification(cast: Cast) -> None:
    assert verify().is_sound
    as_the_site(
        "UPDATE pitboss_person SET role = 'cashier', version = version + 1 WHERE id = %s",
        cast.dan.pk,
    )
    as_the_site(
        "UPDATE pitboss_person SET role = 'dealer', version = version + 1 WHERE id = %s",
        cast.dan.pk,
    )
    as_the_site(_INSERT_DEVICE.format(version="1", seal="'journal-1:00'"), digest("stolen"))
    thief = Device.objects.get(name="thief")
    assert found(verify()) == {
        (Wrong.ROW_ALTERED, "person", cast.dan.pk),
        (Wrong.ROW_ALTERED, "device", thief.pk),
    }


@committed
def test_an_older_version_that_the_owner_put_back_is_named(
    cast: Cast, owner_connection: Owner
) -> None:
    """It was sealed once, and its seal fits: the journal knows of a newer one."""
    with transaction.atomic():
        Person.objects.filter(pk=cast.dan.pk).update(role="supervisor")
        journal.write(chain=journal.PEOPLE, kind="test", body={}, at=house.now())
    raised = Person.objects.get(pk=cast.dan.pk)
    with transaction.atomic():
        Person.objects.filter(pk=cast.dan.pk).update(role="dealer")
        journal.write(chain=journal.PEOPLE, kind="test", body={}, at=house.now())
    assert verify().is_sound

    tamper(
        owner_connection,
        "pitboss_person",
        "UPDATE pitboss_person SET role = %s, version = %s, seal = %s WHERE id = %s",
        [raised.role, raised.version, raised.seal, raised.pk],
    )
    assert Person.objects.get(pk=cast.dan.pk).is_sealed()
    assert found(verify()) == {(Wrong.ROW_SET_BACK, "person", cast.dan.pk)}


@committed
def test_a_row_written_outside_every_act_is_vouched_for_by_itself(cast: Cast) -> None:
    Person.objects.filter(pk=cast.dan.pk).update(licence_number="TG-9")
    entry = JournalEntry.objects.get(kind="row_written")
    assert entry.chain.name == journal.HOUSE
    assert verify().is_sound


@committed
def test_a_row_that_no_entry_vouches_for_is_named(
    cast: Cast, owner_connection: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if the site had died between the row and its entry.
    monkeypatch.setattr(sealed, "_VOUCHERS", [])
    Person.objects.filter(pk=cast.dan.pk).update(licence_number="TG-9")
    added = Device.objects.create(name="New", place="pit", token_hash="n", enrolled_at=house.now())
    assert found(verify()) == {
        (Wrong.ROW_CHANGED, "person", cast.dan.pk),
        (Wrong.ROW_INSERTED, "device", added.pk),
    }
    tamper(owner_connection, "pitboss_device", "DELETE FROM pitboss_device WHERE name = 'security'")
    security = cast.devices[Place.SECURITY].pk
    assert (Wrong.ROW_MISSING, "device", security) in found(verify())


@committed
def test_a_rollback_takes_what_was_to_be_vouched_for_away(cast: Cast) -> None:
    with transaction.atomic():
        with transaction.atomic():
            Person.objects.filter(pk=cast.dan.pk).update(licence_number="TG-9")
            transaction.set_rollback(True)
        journal.write(chain=journal.PEOPLE, kind="test", body={}, at=house.now())
    assert verify().is_sound


@committed
def test_rows_that_an_upgrade_finds_are_sealed_and_vouched_for(
    cast: Cast, owner_connection: Owner
) -> None:
    for table in ("pitboss_person", "pitboss_table"):
        tamper(owner_connection, table, f"UPDATE {table} SET seal = '', version = 0")
    assert not Person.objects.get(pk=cast.dan.pk).is_sealed()

    seal_unsealed(sender=apps.get_app_config("pitboss"), using="default")

    assert all(person.is_sealed() for person in Person.objects.all())
    assert verify().is_sound
    entry = JournalEntry.objects.filter(kind="rows_sealed").latest("id")
    assert f'"model":"pitboss.Person","rows":{Person.objects.count()}' in entry.text


def test_a_pin_hash_of_another_is_no_use_even_under_a_seal(cast: Cast) -> None:
    """A hash is bound to its person: who could seal a row could still not lend a PIN."""
    Person.objects.filter(pk=cast.heidi.pk).update(pin_hash=cast.dan.pin_hash)
    with pytest.raises(Refused) as refused:
        prove_pin(
            badge=cast.heidi.badge,
            pin=pin_of(cast.dan.badge),
            device=cast.devices[Place.OFFICE],
            policy=LOCKOUT,
        )
    assert refused.value.codes == ("wrong_pin",)


def test_a_pin_of_an_earlier_release_is_bound_when_it_is_next_proven(cast: Cast) -> None:
    old = make_password(peppered(pin_of(cast.dan.badge), None))
    Person.objects.filter(pk=cast.dan.pk).update(pin_hash=old)

    assert prove(cast.dan, cast).pin_hash.startswith(BOUND)
    assert JournalEntry.objects.filter(kind="pin_bound", person=cast.dan).count() == 1
    stored = Person.objects.get(pk=cast.dan.pk).pin_hash
    assert prove(cast.dan, cast).pin_hash == stored
    with pytest.raises(Refused):
        prove_pin(badge=cast.dan.badge, pin="918273", device=None, policy=LOCKOUT)


@committed
def test_an_exception_closed_in_anothers_name_is_named_and_stays_unanswered(cast: Cast) -> None:
    with transaction.atomic():
        trouble = open_exception(
            code="badge_locked", sentence="Locked.", details={}, at=house.now(), person=None
        )
    as_the_site(
        "UPDATE pitboss_floorexception SET resolved_at = now(), resolved_by_id = %s,"
        " resolution = 'All well.', version = version + 1 WHERE id = %s",
        cast.heidi.pk,
        trouble.pk,
    )
    assert found(verify()) == {(Wrong.ROW_ALTERED, "floor exception", trouble.pk)}
    with pytest.raises(Refused) as refused:
        resolve_exception(
            exception_id=trouble.pk,
            resolution="Unlocked.",
            badge=cast.heidi.badge,
            pin=pin_of(cast.heidi.badge),
            request_id=uuid4(),
            device=cast.devices[Place.OFFICE],
        )
    assert refused.value.codes == ("record_altered",)
    altered(trouble)


def test_rows_stay_sealed_when_the_key_rotates(cast: Cast, settings: Any) -> None:
    old = settings.KEYS
    settings.KEYS = replace(
        old,
        journal_key_name="journal-2",
        journal_keys={"journal-2": b"2" * 32, **old.journal_keys},
    )
    Person.objects.filter(pk=cast.dan.pk).update(licence_number="TG-9")
    dan, dora = (Person.objects.get(pk=person.pk) for person in (cast.dan, cast.dora))
    assert (dan.seal.split(":")[0], dora.seal.split(":")[0]) == ("journal-2", "journal-1")
    assert dan.is_sealed()
    assert dora.is_sealed()
    settings.KEYS = old
    assert not Person.objects.get(pk=cast.dan.pk).is_sealed()
