"""What the database refuses by itself, to whoever writes past the services."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, connection, models, transaction

from inventory.models import ChequeTransfer, PublicBalance, TrayCount
from pitboss.grants import APPEND_ONLY
from pitboss.models import (
    ActingRole,
    Device,
    DeviceEnrolment,
    FloorException,
    JournalEntry,
    Person,
    PinEnrolment,
    Property,
    SeriesCounter,
    Signature,
    Slip,
    SlipPrint,
    Table,
    Waiting,
)
from pitboss.rules.canonical import digest
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from tests.floor.cast import Cast

pytestmark = pytest.mark.django_db


def refused_by_the_database(words: str, act: Callable[[], Any]) -> None:
    with pytest.raises(DatabaseError, match=words), transaction.atomic():
        act()


def forge(cast: Cast, slip: Slip, **changed: Any) -> Callable[[], Any]:
    """Return an insert, past the service, of the dealer's signature with some values changed."""
    values: dict[str, Any] = {
        "slip": slip,
        "track": "main",
        "step": "agreed",
        "person": cast.dan,
        "signed_as": "D. Danson TG-104",
        "role": "dealer",
        "device": cast.devices[Place.PIT],
        "place": "pit",
        "signed_at": house.now(),
        "shown": "{}",
        "shown_hash": digest("{}"),
        "counted": slip.cheques,
        "facts": {"present": cast.frank.badge},
        "request_id": uuid4(),
        "request_hash": "",
    }
    return lambda: Signature.objects.bulk_create([Signature(**(values | changed))])


@pytest.fixture
def carried(cast: Cast) -> Slip:
    fill = cast.ask()
    cast.carry(fill)
    return Slip.objects.get(pk=fill.pk)


def test_a_signature_that_follows_the_plan_may_be_written(cast: Cast, carried: Slip) -> None:
    forge(cast, carried)()


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("out of order", lambda cast: {"step": "received", "person": cast.bob}),
        ("out of order", lambda cast: {"step": "carried", "person": cast.grace}),
        ("out of order", lambda cast: {"step": "blessed"}),
        ("role is wrong", lambda cast: {"role": "supervisor", "person": cast.bob}),
        ("role is wrong", lambda cast: {"role": "administrator", "person": cast.judy}),
        ("does not have this role", lambda cast: {"person": cast.bob}),
        ("place is wrong", lambda cast: {"place": "cage", "device": cast.devices[Place.CAGE]}),
        ("not of this place", lambda cast: {"device": cast.devices[Place.CAGE]}),
        ("count differs", lambda cast: {"counted": {"2500": 80}}),
        ("count differs", lambda cast: {"counted": None}),
        ("officer who carries", lambda cast: {"facts": {"present": "107"}}),
        ("officer who carries", lambda cast: {"facts": {}}),
        ("hash", lambda cast: {"shown": "something else"}),
        ("under way", lambda cast: {
            "track": "void", "step": "voided", "role": "cage_manager", "person": cast.trent,
            "place": "cage", "device": cast.devices[Place.CAGE], "reason": "Because.",
        }),
        ("reason is missing", lambda cast: {
            "track": "relief", "step": "relieved", "role": "shift_manager", "person": cast.heidi,
        }),
    ],
)  # fmt: skip
def test_a_signature_that_does_not_follow_the_plan_is_refused(
    cast: Cast, carried: Slip, words: str, change: Callable[[Cast], dict[str, Any]]
) -> None:
    refused_by_the_database(words, forge(cast, carried, **change(cast)))


def test_nobody_signs_twice_past_the_service(cast: Cast, carried: Slip) -> None:
    Person.objects.filter(pk=cast.erin.pk).update(role="dealer")
    refused_by_the_database("signed before", forge(cast, carried, person=cast.erin))


def test_whoever_was_let_go_signs_nothing_past_the_service(cast: Cast, carried: Slip) -> None:
    Person.objects.filter(pk=cast.dan.pk).update(is_active=False)
    refused_by_the_database("does not have this role", forge(cast, carried))


def test_a_device_that_was_put_out_signs_nothing_past_the_service(
    cast: Cast, carried: Slip
) -> None:
    Device.objects.filter(pk=cast.devices[Place.PIT].pk).update(revoked_at=house.now())
    refused_by_the_database("not of this place", forge(cast, carried))


def test_a_finished_slip_takes_no_signature_past_the_service(cast: Cast) -> None:
    fill = cast.ask()
    cast.void(fill)
    refused_by_the_database("is voided", forge(cast, fill))


def test_a_slip_being_voided_goes_nowhere_past_the_service(cast: Cast) -> None:
    fill = cast.ask()
    cast.issue(fill)
    entry = Entry(reason="Because.")
    cast.sign(fill, "voided", cast.erin, Place.CAGE, entry=entry, track=Track.VOID)
    at_the_cage = {"place": "cage", "device": cast.devices[Place.CAGE]}
    carries = {"step": "carried", "person": cast.frank, "role": "security", **at_the_cage}
    refused_by_the_database("way out was begun", forge(cast, fill, **carries))


def test_only_the_officer_who_carries_brings_a_fill_back_past_the_service(
    cast: Cast, carried: Slip
) -> None:
    back = cast.send_back(carried)
    carries = {"step": "carried_back", "role": "security", "counted": None}
    refused_by_the_database("another officer", forge(cast, back, person=cast.grace, **carries))
    cast.relieve(back)
    refused_by_the_database("another officer", forge(cast, back, person=cast.frank, **carries))
    forge(cast, back, person=cast.grace, **carries)()


def test_a_count_that_is_to_be_recorded_cannot_be_left_out(cast: Cast, carried: Slip) -> None:
    back = cast.send_back(carried)
    cast.sign(back, "carried_back", cast.frank)
    counts = {"step": "counted_in", "role": "cashier", "person": cast.erin, "place": "cage"}
    where = {"device": cast.devices[Place.CAGE], "counted": None}
    refused_by_the_database("count is missing", forge(cast, back, **counts, **where))


def test_a53_no_row_holds_an_administrators_signature(cast: Cast) -> None:
    """Nor is there a slip whose plan, forged, would allow it."""
    fill = cast.ask()
    plan = [step | {"roles": ["administrator"], "name": "blessed"} for step in fill.plan[:1]]
    fields = {f.attname: getattr(fill, f.attname) for f in Slip._meta.concrete_fields}
    forged = Slip(**(fields | {"id": None, "plan": plan, "number": 99, "serial": "F-99"}))
    refused_by_the_database("another plan", lambda: forged.save(force_insert=True))
    due = fill.plan[1]["name"]
    refused_by_the_database(
        "the role is wrong", forge(cast, fill, step=due, person=cast.judy, role="administrator")
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_constraint WHERE conname = 'administrators_sign_nothing'")
        assert cursor.rowcount == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("done", "a signature is missing"),
        ("voided", "a signature is missing"),
        ("returning", "no signed return"),
        ("returned", "cannot go from open to returned"),
        ("lost", "cannot go from open to lost"),
    ],
)
def test_a_status_moves_only_with_its_signatures(cast: Cast, status: str, words: str) -> None:
    fill = cast.ask()
    refused_by_the_database(words, lambda: Slip.objects.filter(pk=fill.pk).update(status=status))


def test_a_finished_slip_is_never_opened_again(cast: Cast) -> None:
    fill = cast.ask()
    cast.deliver(fill)
    rows = Slip.objects.filter(pk=fill.pk)
    for status in ("open", "voided", "returning"):
        refused_by_the_database("cannot go from done", partial(rows.update, status=status))


def test_a_returning_slip_is_returned_only_when_it_was_counted_in(
    cast: Cast, carried: Slip
) -> None:
    cast.send_back(carried)
    rows = Slip.objects.filter(pk=carried.pk)
    refused_by_the_database("no signed return", lambda: rows.update(status="returned"))


def test_a_slip_begins_open(cast: Cast) -> None:
    fill = cast.ask()
    fill.pk, fill.number, fill.serial, fill.status = None, 9, "F-9", "done"
    refused_by_the_database("begins open", lambda: fill.save(force_insert=True))


@pytest.mark.parametrize(
    "change",
    [
        {"cheques": {"2500": 1}},
        {"total_cents": 1},
        {"number": 7},
        {"serial": "F-7"},
        {"gaming_day": "2020-01-01"},
        {"plan": []},
        {"reason": "Because."},
        {"table_id": None},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_slip_is_written_in_ink(cast: Cast, change: dict[str, Any]) -> None:
    fill = cast.ask()
    refused_by_the_database(
        "written in ink", lambda: Slip.objects.filter(pk=fill.pk).update(**change)
    )


def test_a_slips_status_may_be_written_as_it_is(cast: Cast) -> None:
    fill = cast.ask()
    assert Slip.objects.filter(pk=fill.pk).update(status="open") == 1


INKED: list[type[models.Model]] = [
    Signature,
    JournalEntry,
    ChequeTransfer,
    SlipPrint,
    TrayCount,
    PublicBalance,
]


def write_one_of_each(cast: Cast) -> Slip:
    fill = cast.ask()
    cast.deliver(fill)
    SlipPrint.objects.create(slip=fill, copy=1, printed_by=cast.erin, printed_at=house.now())
    TrayCount.objects.create(
        table=cast.table, slip=fill, tray_sequence=2, cheques={}, at=house.now()
    )
    PublicBalance.objects.create(slip=fill, after_transfer=0, cheques={}, at=house.now())
    return fill


@pytest.mark.parametrize("model", [*INKED, Slip], ids=lambda model: model.__name__)
def test_the_site_may_neither_delete_nor_empty_what_is_signed(
    cast: Cast, model: type[models.Model]
) -> None:
    write_one_of_each(cast)
    table = model._meta.db_table

    def run(statement: str) -> Callable[[], Any]:
        return lambda: connection.cursor().execute(statement)

    refused_by_the_database("permission denied", run(f"DELETE FROM {table}"))
    refused_by_the_database("permission denied", run(f"TRUNCATE {table} CASCADE"))
    if model is not Slip:
        refused_by_the_database("permission denied", run(f"UPDATE {table} SET id = id"))


@pytest.mark.django_db(transaction=True)
def test_the_owner_is_refused_by_the_triggers(
    cast: Cast, owner_connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    write_one_of_each(cast)
    models_kept: list[type[models.Model]] = [*INKED, Slip]
    for model in models_kept:
        table = model._meta.db_table
        for statement in (f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
            with pytest.raises(psycopg.errors.RestrictViolation, match="never changed"):
                owner_connection.execute(statement)
        if model is not Slip:
            with pytest.raises(psycopg.errors.RestrictViolation, match="never changed"):
                owner_connection.execute(f"UPDATE {table} SET id = id")


@pytest.mark.django_db
@pytest.mark.parametrize("label", sorted(APPEND_ONLY))
def test_whatever_is_written_once_has_the_triggers_that_keep_the_owner_away(label: str) -> None:
    """Of most of these no test has a row at hand that the owner could try to change."""
    table = apps.get_model(label)._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger"
            " WHERE tgenabled = 'O' AND tgrelid = %s::regclass",
            [table],
        )
        triggers = {definition for (definition,) in cursor.fetchall()}
    for when, item in (
        ("never_changed BEFORE DELETE OR UPDATE", "ROW"),
        ("never_emptied BEFORE TRUNCATE", "STATEMENT"),
    ):
        made = f"CREATE TRIGGER {when} ON public.{table} FOR EACH {item}"
        assert f"{made} EXECUTE FUNCTION pitboss_never_changed()" in triggers


def person_row(cast: Cast, **changed: Any) -> Person:
    values = {"badge": "999", "employee_number": "E999", "role": "dealer"}
    return Person(first_name="X", last_name="Y", **(values | changed))


def transfer(cast: Cast, slip: Slip, **changed: Any) -> ChequeTransfer:
    values: dict[str, Any] = {
        "slip": slip,
        "denomination_cents": 100,
        "count": 1,
        "source": "cage",
        "target": "carrier",
        "at": house.now(),
    }
    return ChequeTransfer(**(values | changed))


Rows = Callable[[Cast, Slip], list[models.Model]]
CONSTRAINTS: list[tuple[str, Rows]] = [
    ("there_is_one_property", lambda cast, slip: [Property(pk=2, name="Another")]),
    ("person_role_known", lambda cast, slip: [person_row(cast, role="king")]),
    ("badge", lambda cast, slip: [person_row(cast, badge="101")]),
    ("employee_number", lambda cast, slip: [person_row(cast, employee_number="E101")]),
    ("table_limits_in_order", lambda cast, slip: [
        Table(name="X", pit=cast.pit, game="", minimum_cents=500, maximum_cents=100)]),
    ("table_limits_in_order", lambda cast, slip: [
        Table(name="X", pit=cast.pit, game="", minimum_cents=0, maximum_cents=100)]),
    ("device_place_known", lambda cast, slip: [
        Device(name="X", place="roof", token_hash="x", enrolled_at=house.now())]),
    ("device_only_of_the_pit_has_a_pit", lambda cast, slip: [
        Device(name="X", place="cage", pit=cast.pit, token_hash="x", enrolled_at=house.now())]),
    ("code_hash", lambda cast, slip: [
        DeviceEnrolment(name="X", place="cage", code_hash="x", offered_by=cast.heidi,
                        let_in_by=cast.dan,
                        offered_at=house.now(), expires_at=house.now()) for _ in range(2)]),
    ("one_counter_a_series_and_year", lambda cast, slip: [
        SeriesCounter(series="F", year=slip.year)]),
    ("one_acting_role_at_a_time", lambda cast, slip: [
        ActingRole(person=cast.dan, gaming_day=slip.gaming_day, shift="Day", role=role,
                   granted_by=cast.heidi, granted_at=house.now())
        for role in ("supervisor", "pit_manager")]),
    ("nobody_grants_themselves_a_role", lambda cast, slip: [
        ActingRole(person=cast.heidi, gaming_day=slip.gaming_day, shift="Day", role="dealer",
                   granted_by=cast.heidi, granted_at=house.now())]),
    ("acting_role_ends_after_it_began", lambda cast, slip: [
        ActingRole(person=cast.dan, gaming_day=slip.gaming_day, shift="Day", role="supervisor",
                   granted_by=cast.heidi, granted_at=house.now(),
                   until=house.now() - timedelta(hours=1))]),
    ("who_ended_an_acting_role_is_known", lambda cast, slip: [
        ActingRole(person=cast.dan, gaming_day=slip.gaming_day, shift="Day", role="supervisor",
                   granted_by=cast.heidi, granted_at=house.now(),
                   ended_at=house.now() + timedelta(hours=1))]),
    ("acting_role_known", lambda cast, slip: [
        ActingRole(person=cast.dan, gaming_day=slip.gaming_day, shift="Day", role="king",
                   granted_by=cast.heidi, granted_at=house.now())]),
    ("nobody_offers_themselves_a_pin", lambda cast, slip: [
        PinEnrolment(person=cast.dan, code_hash="x", offered_by=cast.dan, offered_at=house.now(),
                     expires_at=house.now())]),
    ("nobody_witnesses_their_own_pin", lambda cast, slip: [
        PinEnrolment(person=cast.dan, code_hash="x", offered_by=cast.heidi, witness=cast.dan,
                     offered_at=house.now(), expires_at=house.now())]),
    ("resolved_is_signed_and_explained", lambda cast, slip: [
        FloorException(code="x", sentence="x", gaming_day=slip.gaming_day, shift="Day",
                       opened_at=house.now(), resolved_at=house.now())]),
    ("resolved_is_signed_and_explained", lambda cast, slip: [
        FloorException(code="x", sentence="x", gaming_day=slip.gaming_day, shift="Day",
                       opened_at=house.now(), resolution="Fine.")]),
    ("waiting_on_one_thing", lambda cast, slip: [
        Waiting(step="x", by=["dealer"], since=house.now())]),
    ("one_print_a_copy_number", lambda cast, slip: [
        SlipPrint(slip=slip, copy=1, printed_by=cast.erin, printed_at=house.now())
        for _ in range(2)]),
    ("transfer_moves_something", lambda cast, slip: [transfer(cast, slip, count=0)]),
    ("transfer_goes_elsewhere", lambda cast, slip: [transfer(cast, slip, target="cage")]),
    ("transfer_source_known", lambda cast, slip: [transfer(cast, slip, source="pocket")]),
    ("transfer_target_known", lambda cast, slip: [transfer(cast, slip, target="pocket")]),
    ("transfer_of_a_tray_names_it", lambda cast, slip: [
        transfer(cast, slip, source="public", target="tray")]),
    ("transfer_of_a_tray_names_it", lambda cast, slip: [
        transfer(cast, slip, table=cast.table, tray_sequence=1)]),
    ("one_transfer_a_tray_sequence", lambda cast, slip: [
        transfer(cast, slip, source="public", target="tray", table=cast.table, tray_sequence=1,
                 denomination_cents=cents) for cents in (100, 500)]),
    ("a_slip_moves_its_cheques_once", lambda cast, slip: [transfer(cast, slip)] * 2),
    ("one_tray_count_a_slip", lambda cast, slip: [
        TrayCount(table=cast.table, slip=slip, tray_sequence=n, cheques={}, at=house.now())
        for n in (0, 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rows"), CONSTRAINTS, ids=[name for name, _ in CONSTRAINTS])
def test_the_database_refuses_rows_that_cannot_be(cast: Cast, name: str, rows: Rows) -> None:
    slip = cast.ask()
    made = rows(cast, slip)
    refused_by_the_database(name, lambda: type(made[0])._default_manager.bulk_create(made))


def test_a18_a_number_and_a_request_are_used_once(cast: Cast) -> None:
    first, second = cast.ask(), cast.ask()
    fields = {f.attname: getattr(first, f.attname) for f in Slip._meta.concrete_fields}
    again = Slip(**(fields | {"id": None, "serial": "F-other"}))
    refused_by_the_database("slip_number_used_once", lambda: again.save(force_insert=True))
    again = Slip(**(fields | {"id": None, "number": 99}))
    refused_by_the_database("serial", lambda: again.save(force_insert=True))
    issued = cast.sign(first, "issued", cast.erin, Place.CAGE)
    at_the_cage = {"place": "cage", "device": cast.devices[Place.CAGE], "counted": None}
    by_trent = {"step": "issued", "person": cast.trent, "role": "cage_manager", **at_the_cage}
    with pytest.raises(IntegrityError, match="request_id"), transaction.atomic():
        forge(cast, second, request_id=issued.request_id, **by_trent)()
