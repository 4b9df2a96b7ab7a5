"""By which set-up a table was dealt from when on, in ink, on a slip that is signed through."""

from django.db import migrations

from pitboss.ink import never_changed

VERSION_IS_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_version_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            JOIN pitboss_table AS at ON at.id = NEW.table_id
            WHERE paper.id = NEW.slip_id AND paper.status = 'done'
              AND paper.kind IN ('table_change', 'table_live_change')
              AND paper.details->'is'->>'name' = at.name) THEN
            RAISE EXCEPTION 'rules of table % refused: no done slip says this', NEW.table_id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER version_is_signed BEFORE INSERT ON pitboss_rulesversion
        FOR EACH ROW EXECUTE FUNCTION pitboss_version_is_signed();
    """,
    """
    DROP TRIGGER version_is_signed ON pitboss_rulesversion;
    DROP FUNCTION pitboss_version_is_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0019_beside")]

    operations = [
        VERSION_IS_SIGNED,
        never_changed("pitboss_rulesversion"),
    ]
