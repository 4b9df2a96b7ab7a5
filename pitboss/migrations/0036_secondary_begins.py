"""A secondary set of value cheques has none below what the house says."""

from django.db import migrations

SECONDARY_BEGINS = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_secondary_begins() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        comes boolean;
        rank text;
        floor_cents bigint;
    BEGIN
        SELECT (paper.details->'value'->>'in_play')::boolean INTO comes
        FROM pitboss_slip AS paper WHERE paper.id = NEW.slip_id;
        SELECT paper.details->'value'->>'rank' INTO rank
        FROM pitboss_settingvalue AS value JOIN pitboss_slip AS paper ON paper.id = value.slip_id
        WHERE value.key = 'cheques.set.' || split_part(NEW.key, '.', 2)
        ORDER BY value.id DESC LIMIT 1;
        SELECT (paper.details->>'value')::bigint INTO floor_cents
        FROM pitboss_settingvalue AS value JOIN pitboss_slip AS paper ON paper.id = value.slip_id
        WHERE value.key = 'sets.secondary_from' AND value.holds_from <= NEW.holds_from
        ORDER BY value.holds_from DESC, value.id DESC LIMIT 1;
        IF comes AND rank = 'secondary'
           AND split_part(NEW.key, '.', 3)::bigint < coalesce(floor_cents, 2500) THEN
            RAISE EXCEPTION 'cheque % refused: a secondary set begins higher', NEW.key
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER secondary_begins BEFORE INSERT ON pitboss_settingvalue
        FOR EACH ROW WHEN (NEW.key ~ '^cheques[.][1-4][.][0-9]+$')
        EXECUTE FUNCTION pitboss_secondary_begins();
    """,
    """
    DROP TRIGGER secondary_begins ON pitboss_settingvalue;
    DROP FUNCTION pitboss_secondary_begins();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0035_limits_told")]

    operations = [SECONDARY_BEGINS]
