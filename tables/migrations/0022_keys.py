"""Sensitive keys in ink, and the keys of release and contents in no one hand."""

from django.db import migrations

from pitboss.ink import never_changed

# As in `pitboss/rules/floor/keys.py`. The service holds the person; whoever writes past it waits.
KEPT_APART = migrations.RunSQL(
    """
    CREATE FUNCTION tables_keys_kept_apart() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('keys_kept_apart'), NEW.person_id::integer);
        IF EXISTS (
            SELECT FROM tables_keytaken AS other
            WHERE other.person_id = NEW.person_id AND other.gaming_day = NEW.gaming_day
              AND other.key = CASE NEW.key WHEN 'release' THEN 'contents' ELSE 'release' END)
        THEN
            RAISE EXCEPTION 'key % refused: person % had its counterpart', NEW.key, NEW.person_id
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.key = 'contents' AND NOT EXISTS (
            SELECT FROM pitboss_slip WHERE kind = 'count_session' AND status = 'open')
        THEN
            RAISE EXCEPTION 'key contents refused: no count session is open'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER keys_kept_apart BEFORE INSERT ON tables_keytaken
        FOR EACH ROW WHEN (NEW.key IN ('release', 'contents'))
        EXECUTE FUNCTION tables_keys_kept_apart();
    """,
    """
    DROP TRIGGER keys_kept_apart ON tables_keytaken;
    DROP FUNCTION tables_keys_kept_apart();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0021_corrections"), ("pitboss", "0025_accounts")]

    operations = [
        never_changed("tables_keytaken"),
        KEPT_APART,
    ]
