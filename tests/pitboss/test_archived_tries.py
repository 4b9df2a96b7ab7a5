"""Tries at PINs go once archived and old enough; the last right one of a badge stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import Error, connection, transaction

from pitboss.models import Attempt, JournalEntry
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.archived_tries import remove_archived_tries
from pitboss.services.archives import archive_month
from pitboss.services.verification import verify
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day

pytestmark = pytest.mark.django_db(transaction=True)
MONTH = "2019-05"
RIGHT, WRONG = Attempt.Outcome.RIGHT, Attempt.Outcome.UNPROVEN


@pytest.fixture
def years_ago(server_clock: ServerClock) -> ServerClock:
    """Begin in May of 2019: the database itself keeps what is not a year old by its own clock."""
    server_clock.now = datetime(2019, 5, 3, 13, tzinfo=UTC)
    return server_clock


@pytest.fixture
def archived(years_ago: ServerClock, cast: Cast, tmp_path: Path) -> Path:
    """A day of tries, in a month that is archived."""
    cast.deliver(cast.ask())
    day = house.period_at(house.now()).gaming_day
    for outcome in (WRONG, RIGHT, WRONG):
        years_ago.move(minutes=1)
        Attempt.objects.create(badge="999", kind=Attempt.Kind.PIN, at=house.now(), outcome=outcome)
    years_ago.move(days=32)
    close_the_day(cast, day)
    archive_month(MONTH, tmp_path)
    return tmp_path


def of_badge() -> list[str]:
    return list(
        Attempt.objects.filter(badge="999").order_by("at").values_list("outcome", flat=True)
    )


def test_old_tries_go_once_they_are_archived_but_for_the_last_right_one(
    archived: Path, years_ago: ServerClock
) -> None:
    assert remove_archived_tries(archived, now=house.now()) == []
    years_ago.move(days=1_826)
    said = StringIO()
    call_command("remove_archived", str(archived), stdout=said)
    assert said.getvalue().startswith("2019-05: ")
    assert of_badge() == [RIGHT]
    body = JournalEntry.objects.get(kind="archived_tries_removed").text
    assert '"month":"2019-05"' in body
    # The files and the database are one chain as before.
    assert verify(archives=archived).is_sound
    said = StringIO()
    call_command("remove_archived", str(archived), stdout=said)
    assert said.getvalue() == "Nothing is old enough and archived.\n"


def test_what_the_file_does_not_have_as_it_is_stays(archived: Path, years_ago: ServerClock) -> None:
    later = Attempt.objects.filter(badge="999").latest("at")
    later.source = "10.0.0.9"
    later.save()
    Attempt.objects.create(badge="998", kind=Attempt.Kind.PIN, at=later.at, outcome=WRONG)
    years_ago.move(days=1_826)
    (removed,) = remove_archived_tries(archived, now=house.now())
    assert removed.rows > 0
    assert of_badge() == [RIGHT, WRONG]
    assert Attempt.objects.filter(badge="998").exists()


def test_nothing_goes_where_the_file_is_gone_or_changed(
    archived: Path, years_ago: ServerClock
) -> None:
    years_ago.move(days=1_826)
    path = archived / "pitboss-2019-05.archive"
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    for _ in range(2):
        with pytest.raises(Refused, match="doesn’t prove what it contains"):
            remove_archived_tries(archived, now=house.now())
        path.unlink(missing_ok=True)
    assert of_badge() == [WRONG, RIGHT, WRONG]


def test_the_database_keeps_what_is_not_a_year_old(cast: Cast) -> None:
    young = Attempt.objects.create(
        badge="999",
        kind=Attempt.Kind.PIN,
        at=datetime.now(UTC) - timedelta(days=364),
    )
    with (
        pytest.raises(Error, match="is not a year old"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM pitboss_attempt WHERE id = %s", [young.pk])
    assert Attempt.objects.filter(pk=young.pk).exists()
