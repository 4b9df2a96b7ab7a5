"""A signature by a tap follows one by PIN: of the same person, on the same device and slip."""

from django.db import migrations, models

# The service sees the session. What can be seen here is seen again: that the signature it follows
# is the last one, and that the PIN at the start of the chain is not older than any house may set.
FOLLOWS = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_follows_own_signature() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        last pitboss_signature;
        root pitboss_signature;
        paper pitboss_slip;
        due jsonb;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT * INTO last FROM pitboss_signature WHERE slip_id = NEW.slip_id
            ORDER BY id DESC LIMIT 1;
        root := last;
        WHILE root.facts ? 'follows' LOOP
            SELECT * INTO root FROM pitboss_signature
            WHERE id = (root.facts->>'follows')::bigint AND slip_id = NEW.slip_id;
        END LOOP;
        SELECT step INTO due FROM jsonb_array_elements(paper.plan) AS planned(step)
        WHERE step->>'track' = NEW.track AND step->>'name' = NEW.step;
        IF last.id IS NULL OR root.id IS NULL
           OR jsonb_typeof(NEW.facts->'follows') IS DISTINCT FROM 'number'
           OR (NEW.facts->>'follows')::bigint <> last.id
           OR last.person_id <> NEW.person_id OR last.device_id <> NEW.device_id
           OR root.person_id <> NEW.person_id OR root.device_id <> NEW.device_id
           OR NEW.signed_at < root.signed_at
           OR NEW.signed_at > root.signed_at + interval '300 seconds'
           OR coalesce((due->>'drawn')::boolean, false) THEN
            RAISE EXCEPTION 'signature % on slip % refused: it follows no signature by PIN',
                NEW.step, paper.serial USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER follows_own_signature BEFORE INSERT ON pitboss_signature
        FOR EACH ROW WHEN (NEW.facts ? 'follows')
        EXECUTE FUNCTION pitboss_follows_own_signature();
    -- Used once, whoever gets in between.
    CREATE UNIQUE INDEX signature_followed_once ON pitboss_signature (((facts->>'follows')::bigint))
        WHERE facts ? 'follows';
    """,
    """
    DROP INDEX signature_followed_once;
    DROP TRIGGER follows_own_signature ON pitboss_signature;
    DROP FUNCTION pitboss_follows_own_signature();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0032_cheques_of_the_house")]

    operations = [
        FOLLOWS,
        migrations.AddIndex("visit", models.Index(fields=["began_at"], name="visit_lately")),
    ]
