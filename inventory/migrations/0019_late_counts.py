"""Counts that were made on paper: signed by two, at the time on the form, and no start of a tray."""

from django.db import migrations

from pitboss.ink import altered

# What a tray held is counted from the last count made on the site, as the site does.
_FROM_THE_SITE = [
    (
        "FROM inventory_traycount WHERE table_id = NEW.table_id",
        "FROM inventory_traycount WHERE table_id = NEW.table_id AND NOT EXISTS ("
        "SELECT FROM pitboss_slip AS paper"
        " WHERE paper.id = slip_id AND paper.kind LIKE 'late%')",
    ),
]
SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_late_count_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper record;
    BEGIN
        SELECT kind, cheques, table_id, details->>'true_time' AS true_time INTO paper
        FROM pitboss_slip WHERE id = NEW.slip_id;
        IF paper.kind LIKE 'late%' AND (
            paper.table_id <> NEW.table_id
            OR paper.true_time::timestamptz <> NEW.at
            OR (SELECT count(DISTINCT person_id) < 2
                    OR bool_or(step = 'keyed') IS NOT TRUE
                    OR bool_or(step = 'approved' AND role IN ('pit_manager', 'shift_manager'))
                        IS NOT TRUE
                FROM pitboss_signature WHERE slip_id = NEW.slip_id AND track = 'main')
        ) THEN
            RAISE EXCEPTION 'a count on paper: entered and approved by two, at its own time'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER late_count_is_signed BEFORE INSERT ON inventory_traycount
        FOR EACH ROW EXECUTE FUNCTION inventory_late_count_is_signed();
    """,
    """
    DROP TRIGGER late_count_is_signed ON inventory_traycount;
    DROP FUNCTION inventory_late_count_is_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0018_cheque_sets"), ("pitboss", "0028_outages")]

    operations = [altered("inventory_late_within_the_tray", _FROM_THE_SITE), SIGNED]
