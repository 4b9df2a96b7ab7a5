"""Closed gaming days, into which the database lets no slip, and what each kind of slip does once."""

from django.db import migrations

from pitboss.ink import never_changed

# A day is closed by a slip that both shift managers signed, and nothing is written into it after.
DAYS_STAY_CLOSED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_day_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS slip
            WHERE slip.id = NEW.slip_id AND slip.kind = 'day_close' AND slip.status = 'done'
              AND slip.details->>'gaming_day' = to_char(NEW.gaming_day, 'YYYY-MM-DD')
        ) THEN
            RAISE EXCEPTION 'gaming day % is closed by no signed slip', NEW.gaming_day
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER day_is_signed BEFORE INSERT ON pitboss_closedday
        FOR EACH ROW EXECUTE FUNCTION pitboss_day_is_signed();
    CREATE FUNCTION pitboss_day_is_open() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM pitboss_closedday WHERE gaming_day = NEW.gaming_day) THEN
            RAISE EXCEPTION 'slip % is of gaming day %, which is closed',
                NEW.serial, NEW.gaming_day USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER day_is_open BEFORE INSERT ON pitboss_slip
        FOR EACH ROW EXECUTE FUNCTION pitboss_day_is_open();
    """,
    """
    DROP TRIGGER day_is_open ON pitboss_slip;
    DROP FUNCTION pitboss_day_is_open();
    DROP TRIGGER day_is_signed ON pitboss_closedday;
    DROP FUNCTION pitboss_day_is_signed();
    """,
)


# Whoever verifies money keyed the same figures as whoever counted it.
FIGURES_AGREE = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_figures_agree() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM pitboss_slip AS slip, jsonb_array_elements(slip.plan) AS planned(step)
            WHERE slip.id = NEW.slip_id AND planned.step->>'track' = NEW.track
              AND planned.step->>'name' = NEW.step AND (planned.step->>'figures')::boolean
              AND NEW.facts->'figures' IS DISTINCT FROM slip.details->'figures'
        ) THEN
            RAISE EXCEPTION 'signature % refused: the figures differ', NEW.step
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER figures_agree BEFORE INSERT ON pitboss_signature
        FOR EACH ROW EXECUTE FUNCTION pitboss_figures_agree();
    """,
    """
    DROP TRIGGER figures_agree ON pitboss_signature;
    DROP FUNCTION pitboss_figures_agree();
    """,
)


# A box is pulled once on a count and counted once, and a paper of an outage is keyed once.
ONCE = migrations.RunSQL(
    """
    CREATE UNIQUE INDEX one_pull_a_count ON pitboss_slip ((details->>'count'))
        WHERE kind = 'drop_pull' AND status <> 'voided';
    CREATE UNIQUE INDEX one_count_a_box ON pitboss_slip ((details->>'pull'))
        WHERE kind = 'drop_count' AND status <> 'voided';
    CREATE UNIQUE INDEX one_entry_a_paper ON pitboss_slip ((details->>'paper_number'))
        WHERE kind IN ('late_fill', 'late_credit', 'correction') AND status <> 'voided';
    """,
    """
    DROP INDEX one_pull_a_count;
    DROP INDEX one_count_a_box;
    DROP INDEX one_entry_a_paper;
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0002_ink")]

    operations = [
        never_changed("pitboss_closedday"),
        never_changed("pitboss_carriedover"),
        DAYS_STAY_CLOSED,
        FIGURES_AGREE,
        ONCE,
    ]
