"""A posted count of a box is corrected in one line, by people who did not sign what they correct."""

from django.db import migrations

ONCE = migrations.RunSQL(
    """
    CREATE UNIQUE INDEX one_correction_a_count ON pitboss_slip (refers_to_id)
        WHERE kind = 'drop_correction' AND status <> 'voided';
    CREATE INDEX corrections_of_a_box ON pitboss_slip ((details->>'pull'))
        WHERE kind = 'drop_correction';
    """,
    """
    DROP INDEX one_correction_a_count;
    DROP INDEX corrections_of_a_box;
    """,
)

# At the end of the transaction, so that the service says why first. It looks at the slip that is
# corrected and at the count at the beginning.
OTHERS = migrations.RunSQL(
    """
    CREATE FUNCTION tables_correct_what_others_signed() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        corrected bigint;
        box text;
    BEGIN
        IF NEW.track <> 'main' THEN
            RETURN NULL;
        END IF;
        SELECT refers_to_id, details->>'pull' INTO corrected, box
        FROM pitboss_slip WHERE id = NEW.slip_id AND kind = 'drop_correction';
        IF corrected IS NOT NULL AND EXISTS (
            SELECT FROM pitboss_signature AS signed
            JOIN pitboss_slip AS slip ON slip.id = signed.slip_id
            WHERE signed.person_id = NEW.person_id AND (
                slip.id = corrected
                OR (slip.kind = 'drop_count' AND slip.status <> 'voided'
                    AND slip.details->>'pull' = box)
            )
        ) THEN
            RAISE EXCEPTION 'they signed what this corrects' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER others_correct_a_count AFTER INSERT ON pitboss_signature
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION tables_correct_what_others_signed();
    """,
    """
    DROP TRIGGER others_correct_a_count ON pitboss_signature;
    DROP FUNCTION tables_correct_what_others_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0011_live_changes"), ("pitboss", "0020_rules_versions")]

    operations = [
        ONCE,
        OTHERS,
    ]
