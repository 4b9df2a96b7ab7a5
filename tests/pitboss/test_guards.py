"""Verification checks its own guards: what the migrations made still stands, and nothing more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import psycopg
import pytest
from django.db import connection

from pitboss.models import GuardSheet
from pitboss.services import house, seals
from pitboss.services.verification import Wrong, verify
from tests.databases import PROJECT, database_url

pytestmark = pytest.mark.django_db(transaction=True)

Owner = psycopg.Connection[tuple[object, ...]]

# What the owner does by SQL, what verification says of it, and how it is undone.
ALTERED = {
    "a trigger off": (
        "ALTER TABLE pitboss_slip DISABLE TRIGGER slip_in_ink",
        "trigger pitboss_slip.slip_in_ink is not as the migrations made it.",
    ),
    "a trigger only for replicas": (
        "ALTER TABLE pitboss_slip ENABLE REPLICA TRIGGER slip_in_ink",
        "trigger pitboss_slip.slip_in_ink is not as the migrations made it.",
    ),
    "a trigger that never fires": (
        "CREATE OR REPLACE TRIGGER begins_open BEFORE INSERT ON pitboss_slip FOR EACH ROW "
        "WHEN (false) EXECUTE FUNCTION pitboss_slip_begins_open()",
        "definition of trigger pitboss_slip.begins_open is not as the migrations made it.",
    ),
    "a trigger gone": (
        "DROP TRIGGER never_changed ON pitboss_journalentry",
        "trigger pitboss_journalentry.never_changed is gone.",
    ),
    "a trigger more": (
        "CREATE TRIGGER a_first BEFORE INSERT ON pitboss_slip FOR EACH ROW "
        "EXECUTE FUNCTION pitboss_slip_begins_open()",
        "trigger pitboss_slip.a_first was added.",
    ),
    "a function's body": (
        "CREATE OR REPLACE FUNCTION pitboss_never_changed() RETURNS trigger LANGUAGE plpgsql "
        "AS $$ BEGIN RETURN NEW; END $$",
        "function pitboss_never_changed() is not as the migrations made it.",
    ),
    "a function in place of a built-in one": (
        "CREATE FUNCTION now_and_then() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'",
        "function now_and_then() was added.",
    ),
    "a grant more": (
        "GRANT DELETE ON pitboss_signature TO {site}",
        "grant relation pitboss_signature to the site is not as the migrations made it.",
    ),
    "a grant of one column": (
        "GRANT UPDATE (serial) ON pitboss_slip TO PUBLIC",
        "grant column pitboss_slip.serial to everyone was added.",
    ),
    "a grant less": (
        "REVOKE INSERT ON pitboss_journalentry FROM {site}",
        "grant relation pitboss_journalentry to the site is not as the migrations made it.",
    ),
    "a constraint gone": (
        "ALTER TABLE pitboss_journalentry DROP CONSTRAINT one_entry_a_number",
        "constraint pitboss_journalentry.one_entry_a_number is gone.",
    ),
    "foreign keys unchecked": (
        "ALTER TABLE pitboss_slip DROP CONSTRAINT {slip_table_key}",
        "constraint pitboss_slip.{slip_table_key} is gone.",
    ),
    "a rule": (
        "CREATE RULE nothing AS ON INSERT TO pitboss_attempt DO INSTEAD NOTHING",
        "rule pitboss_attempt.nothing was added.",
    ),
}


def sentences() -> list[str]:
    return [
        finding.sentence for finding in verify().findings if finding.code is Wrong.GUARD_DIFFERS
    ]


def filled_in(text: str, owner: Owner) -> str:
    row = owner.execute(
        "SELECT conname FROM pg_constraint WHERE conrelid = 'pitboss_slip'::regclass "
        "AND contype = 'f' AND conname LIKE '%table_id%'"
    ).fetchone()
    assert row is not None
    return text.replace("{site}", "pitboss_site").replace("{slip_table_key}", str(row[0]))


@pytest.mark.parametrize("what", ALTERED)
def test_a_guard_that_the_owner_altered_is_named(owner_connection: Owner, what: str) -> None:
    sql, sentence = (filled_in(text, owner_connection) for text in ALTERED[what])
    assert sentences() == []
    owner_connection.execute(sql)
    assert sentence in sentences()


def test_rights_of_the_sites_role_and_settings_of_the_database_are_guards(
    owner_connection: Owner,
) -> None:
    name = str(connection.settings_dict["NAME"])
    with psycopg.connect(database_url("SUPERUSER", name), autocommit=True) as superuser:
        superuser.execute(
            f"ALTER ROLE pitboss_site IN DATABASE {name} SET session_replication_role = replica"
        )
        superuser.execute("GRANT pg_write_all_data TO pitboss_site")
        try:
            assert sentences() == [
                "role the site is not as the migrations made it.",
                "setting of a role session_replication_role was added.",
            ]
        finally:
            superuser.execute("REVOKE pg_write_all_data FROM pitboss_site")
            superuser.execute(
                f"ALTER ROLE pitboss_site IN DATABASE {name} RESET session_replication_role"
            )
    assert sentences() == []


def migrate() -> None:
    """Migrate as the owner, as an upgrade would; there is nothing to migrate."""
    url = database_url("OWNER", str(connection.settings_dict["NAME"]))
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=PROJECT,
        env=os.environ | {"DATABASE_URL": url},
        check=True,
    )


def test_migrating_again_takes_nothing_over_that_was_altered_by_hand(
    owner_connection: Owner,
) -> None:
    migrate()
    assert GuardSheet.objects.count() == 1, "nothing changed, so nothing is written"
    owner_connection.execute("ALTER TABLE pitboss_slip DISABLE TRIGGER slip_in_ink")
    owner_connection.execute("GRANT DELETE ON pitboss_signature TO pitboss_site")
    migrate()
    # The grant is made anew by every migration; that it had been altered is kept.
    said = sentences()
    assert "trigger pitboss_slip.slip_in_ink is not as the migrations made it." in said
    assert any(
        item.startswith("Before the migration of ") and "pitboss_signature to the site" in item
        for item in said
    )


def test_a_sheet_cannot_be_written_without_the_key(owner_connection: Owner) -> None:
    owner_connection.execute("ALTER TABLE pitboss_slip DISABLE TRIGGER slip_in_ink")
    sheet = GuardSheet.objects.get()
    body = json.loads(sheet.text)
    body["guards"].pop("trigger pitboss_slip.slip_in_ink")
    owner_connection.execute(
        "INSERT INTO pitboss_guardsheet (number, at, text, key_name, link) "
        "VALUES (2, now(), %s, %s, %s)",
        [json.dumps(body), sheet.key_name, "0" * 64],
    )
    assert sentences() == [
        "It was changed, or was not made with the key, or a sheet before it is gone."
    ]


def test_a_sheet_that_a_seal_saw_cannot_go(owner_connection: Owner) -> None:
    seals.write_seal(now=house.now())
    owner_connection.execute("ALTER TABLE pitboss_guardsheet DISABLE TRIGGER USER")
    owner_connection.execute("DELETE FROM pitboss_guardsheet")
    owner_connection.execute("ALTER TABLE pitboss_guardsheet ENABLE TRIGGER USER")
    assert sentences() == ["It is missing: run migrate as the owner."]
    migrate()
    assert GuardSheet.objects.count() == 1
    assert sentences() == ["A seal saw a sheet that is gone: the guards were set back."]


def test_two_databases_of_one_release_have_the_same_guards() -> None:
    """So an auditor can compare a house with a fresh database of the same release."""
    body: dict[str, Any] = json.loads(GuardSheet.objects.get().text)
    kinds = {name.split(" ")[0] for name in body["guards"]}
    assert {"trigger", "function", "constraint", "grant", "relation", "role"} <= kinds
    assert not any("pitboss_owner" in name for name in body["guards"])
