"""Shifts that were handed over, each by a slip that two shift managers signed."""

from django.db import migrations

from pitboss.ink import never_changed

SHIFTS_ARE_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_shift_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS slip
            WHERE slip.id = NEW.slip_id AND slip.kind = 'shift_close' AND slip.status = 'done'
              AND slip.details->>'gaming_day' = to_char(NEW.gaming_day, 'YYYY-MM-DD')
              AND slip.details->>'shift' = NEW.shift
        ) THEN
            RAISE EXCEPTION 'the % shift of % is handed over by no signed slip',
                NEW.shift, NEW.gaming_day USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER shift_is_signed BEFORE INSERT ON pitboss_closedshift
        FOR EACH ROW EXECUTE FUNCTION pitboss_shift_is_signed();
    """,
    """
    DROP TRIGGER shift_is_signed ON pitboss_closedshift;
    DROP FUNCTION pitboss_shift_is_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0004_settings")]

    operations = [
        never_changed("pitboss_closedshift"),
        SHIFTS_ARE_SIGNED,
    ]
