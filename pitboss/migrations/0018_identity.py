"""By what name the house's identity provider knows a person: signed by two, like a role."""

from django.db import migrations

# Of several slips about somebody the last one counts. Nothing but a slip binds a person, not even
# where people are put up for a rehearsal.
IDENTITY_IS_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_identity_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        signed_identity text;
    BEGIN
        SELECT coalesce(about.each->'is'->>'identity', '') INTO signed_identity
        FROM pitboss_slip AS paper
        CROSS JOIN jsonb_array_elements(paper.details->'people') AS about(each)
        WHERE paper.kind = 'person_change' AND paper.status = 'done'
          AND CASE TG_OP
                WHEN 'INSERT' THEN about.each->>'id' IS NULL
                    AND about.each->'is'->>'badge' = NEW.badge
                    AND about.each->'is'->>'employee_number' = NEW.employee_number
                ELSE (about.each->>'id')::bigint = NEW.id
              END
        ORDER BY (SELECT max(s.id) FROM pitboss_signature AS s WHERE s.slip_id = paper.id) DESC
        LIMIT 1;
        IF signed_identity IS DISTINCT FROM NEW.identity THEN
            RAISE EXCEPTION 'provider sign-in of person % refused: no done slip says this', NEW.badge
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER new_identity_is_signed BEFORE INSERT ON pitboss_person
        FOR EACH ROW WHEN (NEW.identity <> '')
        EXECUTE FUNCTION pitboss_identity_is_signed();
    CREATE TRIGGER identity_is_signed BEFORE UPDATE ON pitboss_person
        FOR EACH ROW WHEN (NEW.identity IS DISTINCT FROM OLD.identity)
        EXECUTE FUNCTION pitboss_identity_is_signed();
    """,
    """
    DROP TRIGGER new_identity_is_signed ON pitboss_person;
    DROP TRIGGER identity_is_signed ON pitboss_person;
    DROP FUNCTION pitboss_identity_is_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0017_compliance_chain")]

    operations = [
        IDENTITY_IS_SIGNED,
    ]
