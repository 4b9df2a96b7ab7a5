"""SQL that migrations use to make rows unchangeable: what is signed is in ink.

Plain triggers, so that the owner of the tables is refused as well as the site.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import migrations


def never_changed(table: str) -> migrations.RunSQL:
    """Return an operation after which no row of a table can be updated, deleted or truncated."""
    return migrations.RunSQL(
        f"""
        CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION pitboss_never_changed();
        CREATE TRIGGER never_emptied BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
        """,
        f"""
        DROP TRIGGER never_changed ON {table};
        DROP TRIGGER never_emptied ON {table};
        """,
    )


def vacuumed_by_rows(table: str) -> migrations.RunSQL:
    """Return an operation after which a table that only grows is vacuumed every 50,000 rows.

    Usually it is a fifth of the table: of five years, one year, in which no new row is known as
    visible to all or is in an index by time. What is in ink is frozen the first time that it is
    looked at, so that nothing is left for the day on which all of it would have to be.
    """
    return migrations.RunSQL(
        f"""
        ALTER TABLE {table} SET (
            autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
            autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000,
            autovacuum_freeze_min_age = 0);
        """,
        f"""
        ALTER TABLE {table} RESET (
            autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold,
            autovacuum_analyze_scale_factor, autovacuum_analyze_threshold,
            autovacuum_freeze_min_age);
        """,
    )


# A version rises by one with each change and never falls: whoever changes a row past the site has
# to leave a version that only the key could seal, and cannot put the old one back.
SEALED_FUNCTION = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.seal = '' THEN
            RAISE EXCEPTION '% % carries no seal', TG_TABLE_NAME, NEW.id
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF TG_OP = 'INSERT' THEN
            IF NEW.version <> 1 THEN
                RAISE EXCEPTION '% % begins with version 1', TG_TABLE_NAME, NEW.id
                    USING ERRCODE = 'restrict_violation';
            END IF;
        ELSIF to_jsonb(NEW) - coalesce(TG_ARGV, '{}') IS DISTINCT FROM
              to_jsonb(OLD) - coalesce(TG_ARGV, '{}')
              AND (NEW.id <> OLD.id OR NEW.version <> OLD.version + 1) THEN
            RAISE EXCEPTION '% % goes from version % to the next one',
                TG_TABLE_NAME, OLD.id, OLD.version USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    """,
    "DROP FUNCTION pitboss_sealed();",
)


def sealed(table: str, *pencil: str) -> migrations.RunSQL:
    """Return an operation after which rows of a table are sealed, and their versions only rise."""
    columns = ", ".join(f"'{column}'" for column in pencil)
    return migrations.RunSQL(
        f"""
        CREATE TRIGGER sealed BEFORE INSERT OR UPDATE ON {table}
            FOR EACH ROW EXECUTE FUNCTION pitboss_sealed({columns});
        """,
        f"DROP TRIGGER sealed ON {table};",
    )


def altered(function: str, changes: Sequence[tuple[str, str]]) -> migrations.RunSQL:
    """Return an operation that changes some words of a function and leaves the rest as it is.

    Several migrations may change one function: each changes only what it is about.
    """
    back = [(new, old) for old, new in changes]
    return migrations.RunSQL(_altered(function, changes), _altered(function, back))


def _altered(function: str, changes: Sequence[tuple[str, str]]) -> str:
    steps = "".join(
        f"""
        IF position($old${old}$old$ IN body) = 0 THEN
            RAISE EXCEPTION '{function} does not say what is changed';
        END IF;
        body := replace(body, $old${old}$old$, $new${new}$new$);"""
        for old, new in changes
    )
    return f"""
    DO $do$
    DECLARE
        body text := pg_get_functiondef('{function}'::regproc);
    BEGIN{steps}
        EXECUTE body;
    END $do$;
    """
