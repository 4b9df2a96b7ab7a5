"""Rows that are read and written by plain SQL are those that the models read and write."""

from __future__ import annotations

import pytest
from django.db import connection, models

from inventory.models import ChequeTransfer, TrayCount
from pitboss.models import (
    Attempt,
    Device,
    JournalChain,
    JournalEntry,
    Person,
    Signature,
    Slip,
    Table,
    Waiting,
)
from pitboss.models.plain import attnames, columns, in_one_trip, inserting, inserting_all, read_row
from pitboss.rules.roles import Place, Role
from pitboss.selectors.waiting import count_waiting_for, is_for_you, waiting_for
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from tests.floor.cast import Cast

pytestmark = pytest.mark.django_db
CHEQUES = {10_000: 20, 2_500: 40}


def values_of(row: models.Model) -> dict[str, object]:
    return {name: getattr(row, name) for name in attnames(type(row))}


@pytest.mark.parametrize(
    "model",
    [Attempt, ChequeTransfer, Device, JournalChain, JournalEntry, Person, Signature, Slip, Table,
     TrayCount],
)  # fmt: skip
def test_a_row_is_read_as_its_model_reads_it(cast: Cast, model: type[models.Model]) -> None:
    cast.deliver(cast.ask(CHEQUES))
    cast.open_table(CHEQUES)
    expected = list(model._default_manager.order_by("pk"))
    assert expected

    sentence = f"SELECT {columns(model, 'row')} FROM {model._meta.db_table} AS row ORDER BY row.id"
    (found,) = in_one_trip((sentence, ()))

    rows = [read_row(model, pair) for pair in found]
    assert [values_of(row) for row in rows if row] == [values_of(row) for row in expected]


def test_columns_that_are_named_in_any_order_go_where_they_belong(cast: Cast) -> None:
    names = ("serial", "table_id", "kind", "id")
    fill = cast.ask(CHEQUES)
    sentence = f"SELECT {columns(Slip, 'slip', names)} FROM pitboss_slip AS slip"
    (rows,) = in_one_trip((sentence, ()))

    slip = read_row(Slip, rows[0], names)

    assert slip is not None
    assert [(slip.serial, slip.kind, slip.table_id, slip.pk)] == [
        (fill.serial, "fill", cast.table.pk, fill.pk)
    ]
    assert slip.get_deferred_fields() == set(attnames(Slip)) - set(names)


def test_an_outer_join_that_found_nothing_is_no_row(cast: Cast) -> None:
    assert read_row(Slip, [None] * len(attnames(Slip))) is None


def test_rows_are_stored_in_their_order_and_each_gets_its_id(cast: Cast) -> None:
    tries = [
        Attempt(badge=badge, device=cast.devices[Place.PIT], kind="pin", at=house.now())
        for badge in ("101", "104", "102")
    ]

    (made,) = in_one_trip(inserting_all(tries))

    by_id = Attempt.objects.in_bulk([row_id for (row_id,) in made])
    assert [by_id[row_id].badge for (row_id,) in made] == ["101", "104", "102"]
    assert {attempt.outcome for attempt in by_id.values()} == {"unproven"}


def test_a_row_that_carries_a_seal_is_not_stored_past_it(cast: Cast) -> None:
    with pytest.raises(AssertionError, match="sealed by its own save"):
        inserting(Table(name="BJ-99"))


def test_a_statement_sees_what_the_one_before_it_in_the_same_trip_wrote(cast: Cast) -> None:
    text, values = inserting(Attempt(badge="101", kind="pin", at=house.now()))

    _, ((count,),) = in_one_trip((text, values), ("SELECT count(*) FROM pitboss_attempt", ()))

    assert count == 1
    assert connection.in_atomic_block


def test_the_badge_of_every_page_counts_what_the_inbox_lists(cast: Cast) -> None:
    """The badge asks in plain SQL of its own; for each person on each device they must agree."""
    cast.carry(cast.ask(CHEQUES))
    slip = cast.ask(CHEQUES)
    Waiting.objects.filter(slip=slip).update(escalated_to=[Role.SHIFT_MANAGER.value])
    for person in (cast.heidi, cast.frank):
        open_exception(
            code="badge_locked",
            sentence="Three wrong PINs.",
            details={"badge": person.badge},
            at=house.now(),
            person=person,
        )
    counts: set[int] = set()
    for person in cast.people:
        role = Role(person.role)
        for device in (*cast.devices.values(), cast.other_pit_tablet, None):
            listed = [w for w in waiting_for(person, role) if is_for_you(w, role, device)]
            assert count_waiting_for(person, role, device) == len(listed), f"{person}, {device}"
            counts.add(len(listed))
    assert len(counts) > 2, f"too little waits to tell: {counts}"
