"""A finished slip is corrected in one line, by people who signed nothing that it corrects."""

from django.db import migrations

KINDS = """'fill_correction', 'count_correction', 'marker_correction', 'payment_correction',
            'award_correction', 'card_correction'"""
RESTATING = """'fill_correction', 'count_correction', 'marker_correction', 'payment_correction',
            'award_correction'"""

ONCE = migrations.RunSQL(
    f"""
    CREATE UNIQUE INDEX one_correction_a_document ON pitboss_slip (refers_to_id)
        WHERE kind IN ({KINDS}) AND status <> 'voided';
    CREATE INDEX corrections_of_a_table ON pitboss_slip (table_id, gaming_day)
        WHERE kind IN ({RESTATING});
    CREATE INDEX corrections_of_a_tray_count ON pitboss_slip (((details->>'of_count')::bigint))
        WHERE kind = 'count_correction';
    """,
    """
    DROP INDEX one_correction_a_document;
    DROP INDEX corrections_of_a_table;
    DROP INDEX corrections_of_a_tray_count;
    """,
)

# At the end of the transaction, so that the service says why first. It looks at the slip that is
# corrected and at all that that one corrects, back to the document at the beginning.
OTHERS = migrations.RunSQL(
    f"""
    CREATE FUNCTION tables_others_correct() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    BEGIN
        IF NEW.track = 'main' AND EXISTS (
            WITH RECURSIVE corrected AS (
                SELECT refers_to_id AS id FROM pitboss_slip
                WHERE id = NEW.slip_id AND kind IN ({KINDS})
                UNION
                SELECT slip.refers_to_id FROM corrected
                JOIN pitboss_slip AS slip ON slip.id = corrected.id
                WHERE slip.kind IN ({KINDS})
            )
            SELECT FROM corrected JOIN pitboss_signature AS signed ON signed.slip_id = corrected.id
            WHERE signed.person_id = NEW.person_id
        ) THEN
            RAISE EXCEPTION 'they signed what this corrects' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER others_correct AFTER INSERT ON pitboss_signature
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION tables_others_correct();
    """,
    """
    DROP TRIGGER others_correct ON pitboss_signature;
    DROP FUNCTION tables_others_correct();
    """,
)

# Cage and tray touch on a late paper, and on the correction of a fill or a credit.
_SIGNED = """
    CREATE OR REPLACE FUNCTION inventory_late_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {corrects}
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
"""
_CORRECTS = """
        IF EXISTS (
            SELECT FROM pitboss_slip AS paper
            JOIN pitboss_slip AS corrected ON corrected.id = paper.refers_to_id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'fill_correction'
              AND corrected.kind IN ('fill', 'credit', 'fill_correction')
              AND corrected.status = 'done'
              AND (SELECT count(DISTINCT person_id) > 1
                      AND bool_or(role = 'shift_manager' AND step = 'approved')
                   FROM pitboss_signature WHERE slip_id = paper.id AND track = 'main')
        ) THEN
            RETURN NEW;
        END IF;
"""
CAGE_AND_TRAY = migrations.RunSQL(_SIGNED.format(corrects=_CORRECTS), _SIGNED.format(corrects=""))


class Migration(migrations.Migration):
    dependencies = [("tables", "0020_rebates"), ("inventory", "0012_marker_corrections")]

    operations = [
        ONCE,
        OTHERS,
        CAGE_AND_TRAY,
    ]
