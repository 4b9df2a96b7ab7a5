"""What another system reads of the journal: every entry once, also one that is stored late."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from pitboss.models import JournalEntry
from pitboss.selectors import journal_feed
from pitboss.selectors.journal_feed import SETTLED_AFTER, entries_after
from pitboss.services import house, journal
from tests.floor.cast import Cast, ServerClock

pytestmark = pytest.mark.django_db


def note(chain: str, kind: str) -> JournalEntry:
    return journal.write(chain=chain, kind=kind, body={}, at=house.now())


def kinds_after(after: int) -> list[str]:
    return [entry.kind for entry in entries_after(after, now=house.now()).entries]


@pytest.mark.django_db(transaction=True)
def test_an_entry_that_is_stored_late_is_read_before_those_with_higher_numbers(cast: Cast) -> None:
    first = note(journal.HOUSE, "first")
    is_written, may_commit = threading.Event(), threading.Event()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                note(journal.chain_of(cast.table, journal.HOUSE), "slow")
                is_written.set()
                assert may_commit.wait(30)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(write_slowly)
        assert is_written.wait(30)
        note(journal.HOUSE, "quick")
        page = entries_after(first.pk, now=house.now())
        may_commit.set()
        slow.result(30)
    assert (page.entries, page.next, page.is_whole) == ([], first.pk, True)
    assert kinds_after(page.next) == ["slow", "quick"]


def test_a_number_that_was_never_stored_is_passed_once_no_transaction_can_have_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = note(journal.HOUSE, "first")
    with transaction.atomic():
        note(journal.HOUSE, "lost")
        transaction.set_rollback(True)
    note(journal.HOUSE, "second")
    assert kinds_after(first.pk) == []
    assert kinds_after(first.pk - 1) == ["first"]
    server_clock.move(seconds=SETTLED_AFTER.total_seconds())
    assert kinds_after(first.pk) == ["second"]


def test_a_long_journal_is_read_page_by_page(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_feed, "READ_MAX", 2)
    start = note(journal.HOUSE, "start").pk
    for number in range(3):
        note(journal.HOUSE, f"entry_{number}")
    page = entries_after(start, now=house.now())
    assert ([entry.kind for entry in page.entries], page.is_whole) == (
        ["entry_0", "entry_1"],
        False,
    )
    rest = entries_after(page.next, now=house.now())
    assert ([entry.kind for entry in rest.entries], rest.is_whole) == (["entry_2"], True)
    assert entries_after(rest.next, now=house.now()).next == rest.next
