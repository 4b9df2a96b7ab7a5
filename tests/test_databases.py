"""What the suite promises each test about its database."""

from __future__ import annotations

import psycopg
import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone


def who() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        return str(cursor.fetchone()[0])


@pytest.mark.django_db
def test_a_test_sees_the_database_as_the_site_does() -> None:
    assert who() == "pitboss_site"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["first", "second"])
def test_what_a_test_commits_is_gone_in_the_next(time: str) -> None:
    assert not Session.objects.exists()
    Session.objects.create(session_key=time, session_data="", expire_date=timezone.now())


def test_the_owner_sees_what_the_site_committed(
    owner_connection: psycopg.Connection[tuple[object, ...]],
) -> None:
    Session.objects.create(session_key="seen", session_data="", expire_date=timezone.now())
    rows = owner_connection.execute("SELECT current_user, session_key FROM django_session")
    assert rows.fetchall() == [("pitboss_owner", "seen")]


@pytest.mark.django_db
def test_every_index_by_time_takes_in_new_rows_by_itself() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reloptions FROM pg_class JOIN pg_am ON pg_am.oid = relam "
            "WHERE amname = 'brin' ORDER BY relname"
        )
        indexes = dict(cursor.fetchall())
    assert set(indexes) >= {"check_by_time", "entry_by_time", "round_by_time"}
    assert all(options == ["autosummarize=on"] for options in indexes.values()), indexes


@pytest.mark.django_db
def test_what_only_grows_is_vacuumed_by_rows_however_many_years_are_there() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND reloptions @> %s ORDER BY 1",
            [
                [
                    "autovacuum_vacuum_insert_scale_factor=0",
                    "autovacuum_vacuum_insert_threshold=50000",
                    "autovacuum_analyze_threshold=50000",
                    "autovacuum_freeze_min_age=0",
                ]
            ],
        )
        assert [name for (name,) in cursor.fetchall()] == [
            "inventory_chequetransfer",
            "pitboss_journalentry",
            "pitboss_signature",
            "tables_look",
            "tables_payoutcheck",
            "tables_payoutconfirmation",
        ]
