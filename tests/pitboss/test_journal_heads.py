"""The head of a chain goes one entry on at a time, to an entry that is there, and never back."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, transaction
from django.db.models import F, QuerySet

from pitboss.models import JournalChain, JournalEntry
from pitboss.services import house, journal
from tests.floor.cast import Cast

pytestmark = pytest.mark.django_db


def chains(cast: Cast) -> QuerySet[JournalChain]:
    """Return the chain of the table at which a fill was asked for, as a queryset."""
    cast.ask()
    return JournalChain.objects.filter(name=journal.chain_of(cast.table, journal.CAGE))


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("goes from", {"head_number": F("head_number") - 1}),
        ("goes from", {"head_number": F("head_number") + 2}),
        ("goes from", {"head_link": "0" * 64}),
        ("is no entry of it", {"head_number": F("head_number") + 1}),
        ("keeps its name", {"name": "another"}),
        ("keeps its name", {"table": None}),
    ],
)
def test_the_site_moves_a_head_one_entry_on_and_no_other_way(
    cast: Cast, words: str, change: dict[str, Any]
) -> None:
    chain = chains(cast)
    with pytest.raises(DatabaseError, match=words), transaction.atomic():
        chain.update(**change)


def test_a_head_has_the_link_of_its_entry(cast: Cast) -> None:
    chain = chains(cast)
    number = chain.get().head_number + 1
    JournalEntry.objects.create(
        chain=chain.get(), number=number, at=house.now(), kind="x", text="{}", link="1" * 64
    )
    with pytest.raises(DatabaseError, match="is no entry of it"), transaction.atomic():
        chain.update(head_number=number, head_link="2" * 64)
    assert chain.update(head_number=number, head_link="1" * 64) == 1


def test_a_chain_begins_with_no_entry(db: None) -> None:
    with pytest.raises(DatabaseError, match="begins with no entry"), transaction.atomic():
        JournalChain.objects.create(name="mine", head_number=7, head_link="0" * 64)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "statement", ["DELETE FROM pitboss_journalchain", "TRUNCATE pitboss_journalchain CASCADE"]
)
def test_not_even_the_owner_deletes_a_chain(
    transactional_db: None,
    owner_connection: psycopg.Connection[tuple[object, ...]],
    statement: str,
) -> None:
    with pytest.raises(psycopg.errors.RestrictViolation, match="never changed"):
        owner_connection.execute(statement)
