"""Cage and tray touch only on a late paper that cage, security and the pit's managers signed."""

from django.db import migrations

# Ordinary fills and credits go by way of whoever carries them; only a late paper goes straight.
LATE_IS_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_late_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            WHERE paper.id = NEW.slip_id
              AND paper.kind IN ('late_fill', 'late_credit', 'correction')
        ) OR (
            SELECT count(DISTINCT person_id) < 4
                OR bool_or(role IN ('cashier', 'cage_manager') AND place = 'cage') IS NOT TRUE
                OR bool_or(role IN ('security', 'security_manager')) IS NOT TRUE
                OR bool_or(role IN ('pit_manager', 'shift_manager')) IS NOT TRUE
            FROM pitboss_signature
            WHERE slip_id = NEW.slip_id AND track = 'main'
        ) THEN
            RAISE EXCEPTION 'cage and tray: pit, cage and security sign for what was on paper'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER late_is_signed BEFORE INSERT ON inventory_chequetransfer
        FOR EACH ROW
        WHEN (NEW.source = 'cage' AND NEW.target = 'tray'
            OR NEW.source = 'tray' AND NEW.target = 'cage')
        EXECUTE FUNCTION inventory_late_is_signed();
    """,
    """
    DROP TRIGGER late_is_signed ON inventory_chequetransfer;
    DROP FUNCTION inventory_late_is_signed();
    """,
)

# Looked at when all is written: where a count lies between, the opposite of the paper is too.
LATE_WITHIN_THE_TRAY = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_late_within_the_tray() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        counted record;
        own bigint;
        held bigint;
    BEGIN
        SELECT tray_sequence, (cheques->>NEW.denomination_cents::text)::bigint AS number
        INTO counted FROM inventory_traycount WHERE table_id = NEW.table_id
        ORDER BY tray_sequence DESC, id DESC LIMIT 1;
        SELECT coalesce(counted.number, 0) + sum(CASE target WHEN 'tray' THEN count ELSE -count END),
               sum(CASE target WHEN 'tray' THEN count ELSE -count END) FILTER (
                   WHERE slip_id = NEW.slip_id)
        INTO held, own FROM inventory_chequetransfer
        WHERE table_id = NEW.table_id AND denomination_cents = NEW.denomination_cents
          AND tray_sequence > coalesce(counted.tray_sequence, 0);
        -- What the table had won is in no slip; a count of the cage since then must have found it.
        IF own < 0 AND held < 0 AND NOT EXISTS (
            SELECT FROM inventory_chequetransfer AS found
            JOIN pitboss_slip AS count ON count.id = found.slip_id AND count.kind = 'cage_count'
            JOIN pitboss_slip AS paper ON paper.id = NEW.slip_id
            WHERE found.target = 'cage' AND found.denomination_cents = NEW.denomination_cents
              AND count.raised_at > (paper.details->>'true_time')::timestamptz)
        THEN
            RAISE EXCEPTION 'a late paper takes more out of a tray than it held'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER late_within_the_tray AFTER INSERT ON inventory_chequetransfer
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.source = 'tray' AND NEW.target = 'cage')
        EXECUTE FUNCTION inventory_late_within_the_tray();
    """,
    """
    DROP TRIGGER late_within_the_tray ON inventory_chequetransfer;
    DROP FUNCTION inventory_late_within_the_tray();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0005_markers")]

    operations = [
        LATE_IS_SIGNED,
        LATE_WITHIN_THE_TRAY,
    ]
