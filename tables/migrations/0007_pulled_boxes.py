"""Which boxes wait to be counted, kept beside the slips that say so."""

from django.db import migrations

# The site reads the table alone: what waits is decided here, by the slips, and by nobody else.
KEEP = migrations.RunSQL(
    """
    CREATE FUNCTION tables_box_waits(box bigint) RETURNS boolean
        LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
        SELECT pull.status = 'done' AND NOT EXISTS (
            SELECT FROM pitboss_slip AS counted
            WHERE counted.kind = 'drop_count' AND counted.status <> 'voided'
                AND counted.details->>'pull' = pull.serial
        )
        FROM pitboss_slip AS pull WHERE pull.id = box
    $$;
    CREATE FUNCTION tables_keep_boxes() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
        box bigint := NEW.id;
    BEGIN
        IF NEW.kind = 'drop_count' THEN
            SELECT id INTO box FROM pitboss_slip
            WHERE serial = NEW.details->>'pull' AND kind = 'drop_pull';
        END IF;
        IF box IS NOT NULL THEN
            INSERT INTO tables_pulledbox (pull_id, waits) VALUES (box, tables_box_waits(box))
            ON CONFLICT (pull_id) DO UPDATE SET waits = EXCLUDED.waits;
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER boxes_are_kept AFTER INSERT OR UPDATE ON pitboss_slip
        FOR EACH ROW WHEN (NEW.kind IN ('drop_pull', 'drop_count'))
        EXECUTE FUNCTION tables_keep_boxes();
    """,
    """
    DROP TRIGGER boxes_are_kept ON pitboss_slip;
    DROP FUNCTION tables_keep_boxes();
    DROP FUNCTION tables_box_waits(bigint);
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0006_mismatches"), ("pitboss", "0006_journal_heads")]

    operations = [
        KEEP,
    ]
