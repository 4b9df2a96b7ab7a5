"""The database refuses a role, a set-up or a setting without its done slip, signed by the book."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from psycopg import sql

from pitboss.flow_book_rows import book_rows
from pitboss.kinds.person import new_change, new_people
from pitboss.models import Person, Signature, Slip
from pitboss.rules.canonical import digest
from pitboss.rules.flows.house_flows import SETTING_CHANGE
from pitboss.rules.people.staffing import read_person
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.staffing import fields_of
from pitboss.services.verification import verify
from tests.databases import as_superuser
from tests.floor.cast import Cast
from tests.floor.house import change
from tests.floor.setups import set_up
from tests.pitboss import test_first_run as beginning
from tests.pitboss import test_staffing as staffing
from tests.rules.test_staffing import ANA
from tests.rules.test_table_setup import BJ_50

pytestmark = pytest.mark.django_db(transaction=True)


def end_rehearsal() -> None:
    """Let the database refuse what a casino's refuses. It is made anew for the next test."""
    name = sql.Identifier(str(connection.settings_dict["NAME"]))
    with as_superuser() as superuser:
        superuser.execute(sql.SQL("ALTER DATABASE {} RESET pitboss.rehearsal").format(name))


@pytest.fixture
def casino(cast: Cast) -> Cast:
    end_rehearsal()
    return cast


def as_the_site(statement: str, *values: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def raise_by_sql(person: Person, role: str) -> None:
    as_the_site(
        "UPDATE pitboss_person SET role = %s, version = version + 1 WHERE id = %s", role, person.pk
    )


def change_role(cast: Cast, person: Person, role: Role) -> None:
    person = Person.objects.get(pk=person.pk)
    fields = replace(fields_of(person), role=role)
    staffing.approve(cast, staffing.propose(cast, new_change(person, fields)))


def test_a_role_is_changed_by_its_slip_and_by_nothing_else(casino: Cast) -> None:
    with pytest.raises(DatabaseError, match="no done slip"):
        raise_by_sql(casino.dan, "supervisor")
    change_role(casino, casino.dan, Role.SUPERVISOR)
    assert Person.objects.get(pk=casino.dan.pk).role == "supervisor"
    change_role(casino, casino.dan, Role.DEALER)
    # The slip that raised them once raises them no second time.
    with pytest.raises(DatabaseError, match="no done slip"):
        raise_by_sql(casino.dan, "supervisor")
    assert verify().is_sound


def test_a_person_is_added_by_a_slip_and_by_nothing_else(casino: Cast) -> None:
    with pytest.raises(DatabaseError, match="no done slip"), transaction.atomic():
        Person.objects.create(
            badge="778", first_name="A", last_name="B", employee_number="E778", role="dealer"
        )
    ana = read_person(ANA)
    staffing.approve(casino, staffing.propose(casino, new_people([ana])))
    assert Person.objects.get(badge="777").role == "dealer"


def test_a_slip_that_waits_raises_nobody(casino: Cast) -> None:
    fields = replace(fields_of(casino.dan), role=Role.SUPERVISOR)
    staffing.propose(casino, new_change(casino.dan, fields))
    with pytest.raises(DatabaseError, match="no done slip"):
        raise_by_sql(casino.dan, "supervisor")


def test_the_first_two_managers_begin_a_house_without_a_slip() -> None:
    end_rehearsal()
    beginning.post()
    assert Person.objects.count() == 2
    with pytest.raises(DatabaseError, match="no done slip"), transaction.atomic():
        Person.objects.create(
            badge="903", first_name="A", last_name="B", employee_number="E9", role="shift_manager"
        )


def test_a_table_is_set_up_by_its_slip_and_by_nothing_else(casino: Cast) -> None:
    forge = "UPDATE pitboss_table SET setup = %s, version = version + 1 WHERE name = %s"
    with pytest.raises(DatabaseError, match="no done slip"):
        as_the_site(forge, '{"name": "BJ-11"}', "BJ-11")
    setup = set_up(casino, BJ_50).setup
    assert setup["name"] == "BJ-50"
    for other in (dict[str, Any](), setup | {"decks": 1}):
        with pytest.raises(DatabaseError, match="no done slip"):
            as_the_site(forge, json.dumps(other), "BJ-50")


def test_two_dealers_sign_no_setting_by_sql(cast: Cast) -> None:
    """The plan of a setting is the book's, and the book has no dealer in it."""
    value = change(cast, "people.idle_lock", "300")
    slip = Slip.objects.get(pk=value.slip_id)
    assert slip.kind == SETTING_CHANGE
    forged = Slip(
        **{
            field.attname: getattr(slip, field.attname)
            for field in Slip._meta.concrete_fields
            if field.attname not in ("id", "status", "number", "serial")
        },
        number=900_000,
        serial="HS-2026-900000",
    )
    forged.save()
    with pytest.raises(DatabaseError, match="the role is wrong"), transaction.atomic():
        Signature.objects.create(
            slip=forged,
            track="main",
            step="proposed",
            person=cast.dan,
            signed_as="D. Danson",
            role="dealer",
            device=cast.devices[Place.OFFICE],
            place="office",
            signed_at=house.now(),
            shown="{}",
            shown_hash=digest("{}"),
            reason="Ours.",
            request_id=uuid4(),
            request_hash="0" * 64,
        )


def test_the_book_in_the_database_is_that_of_the_rules() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT kind, position, step, is_always, follows FROM pitboss_flowstep"
            " ORDER BY kind, position"
        )
        stored = [(kind, at, json.loads(step), *rest) for kind, at, step, *rest in cursor]
    book = [(kind, at, json.loads(step), *rest) for kind, at, step, *rest in book_rows()]
    assert stored == sorted(book, key=lambda row: (row[0], row[1]))


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM pitboss_flowstep",
        "UPDATE pitboss_flowstep SET is_always = false",
        "INSERT INTO pitboss_flowstep VALUES ('setting_change', 99, '{}', false, '{}')",
        "CREATE OR REPLACE FUNCTION pitboss_is_rehearsal() RETURNS boolean LANGUAGE sql AS "
        "'SELECT true'",
    ],
)
def test_the_site_cannot_rewrite_the_book(statement: str) -> None:
    with pytest.raises(DatabaseError, match=r"permission denied|must be owner"):
        as_the_site(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER DATABASE {} SET pitboss.rehearsal = 'on'",
        "ALTER ROLE ALL IN DATABASE {} SET pitboss.rehearsal = 'on'",
        "ALTER ROLE CURRENT_USER IN DATABASE {} SET pitboss.rehearsal = 'on'",
        "SET pitboss.rehearsal = 'on'",
    ],
)
def test_the_site_cannot_pass_its_database_for_a_rehearsal(casino: Cast, statement: str) -> None:
    name = connection.ops.quote_name(connection.settings_dict["NAME"])
    with suppress(DatabaseError):
        as_the_site(statement.format(name))
    with pytest.raises(DatabaseError, match="no done slip"):
        raise_by_sql(casino.dan, "supervisor")
