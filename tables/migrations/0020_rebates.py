"""Loss rebates: agreed before play and settled once, each as its slip says."""

from django.db import migrations

from pitboss.ink import never_changed

SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION tables_rebate_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s ON s.slip_id = paper.id
            WHERE paper.id = NEW.slip_id AND s.track = 'main'
              AND CASE TG_TABLE_NAME
                WHEN 'tables_rebateagreement' THEN
                    paper.kind = 'rebate' AND s.step = 'agreed'
                    AND (paper.details->>'patron')::bigint
                        = (to_jsonb(NEW)->>'patron_id')::bigint
                    AND (paper.details->>'rate_bp')::bigint
                        = (to_jsonb(NEW)->>'rate_bp')::bigint
                ELSE
                    paper.kind = 'rebate_settlement' AND s.step = 'approved'
                    AND (paper.details->>'rebate_cents')::bigint
                        = (to_jsonb(NEW)->>'rebate_cents')::bigint
              END) THEN
            RAISE EXCEPTION '% refused: no slip signed for it says this', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed BEFORE INSERT ON tables_rebateagreement
        FOR EACH ROW EXECUTE FUNCTION tables_rebate_is_signed();
    CREATE TRIGGER signed BEFORE INSERT ON tables_rebatesettlement
        FOR EACH ROW EXECUTE FUNCTION tables_rebate_is_signed();
    """,
    """
    DROP TRIGGER signed ON tables_rebatesettlement;
    DROP TRIGGER signed ON tables_rebateagreement;
    DROP FUNCTION tables_rebate_is_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0019_evaluation_answers"),
        ("pitboss", "0022_hosts"),
        ("inventory", "0008_exclusion"),
    ]

    operations = [
        SIGNED,
        never_changed("tables_rebateagreement"),
        never_changed("tables_rebatesettlement"),
    ]
