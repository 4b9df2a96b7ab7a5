"""What is signed stays as it is, and four eyes are kept by the database too."""

from django.db import migrations

from pitboss.ink import never_changed

DESKS = ["cage", "cards", "people", "meters", "house"]


def make_desk_chains(apps, schema_editor):
    chain = apps.get_model("pitboss", "JournalChain")
    chain.objects.bulk_create(chain(name=name) for name in DESKS)


def drop_desk_chains(apps, schema_editor):
    apps.get_model("pitboss", "JournalChain").objects.filter(name__in=DESKS).delete()


NEVER_CHANGED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'rows of % are never changed: % refused', TG_TABLE_NAME, TG_OP
            USING ERRCODE = 'restrict_violation';
    END $$;
    """,
    "DROP FUNCTION pitboss_never_changed();",
)


# A slip is written in ink but for its status, which only moves on, and only when the signatures that
# stand for it are there.
SLIP_IN_INK = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_slip_in_ink() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF to_jsonb(NEW) - 'status' IS DISTINCT FROM to_jsonb(OLD) - 'status' THEN
            RAISE EXCEPTION 'slip % is written in ink', OLD.serial
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.status = OLD.status THEN
            RETURN NEW;
        END IF;
        IF NOT (OLD.status = 'open' AND NEW.status IN ('done', 'voided', 'returning')
                OR OLD.status = 'returning' AND NEW.status = 'returned') THEN
            RAISE EXCEPTION 'slip % cannot go from % to %', OLD.serial, OLD.status, NEW.status
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.status IN ('done', 'voided') AND EXISTS (
            SELECT FROM jsonb_array_elements(NEW.plan) AS planned(step)
            WHERE planned.step->>'track'
                  = CASE NEW.status WHEN 'done' THEN 'main' ELSE 'void' END
              AND NOT EXISTS (
                SELECT FROM pitboss_signature AS s
                WHERE s.slip_id = NEW.id AND s.track = planned.step->>'track'
                  AND s.step = planned.step->>'name')
        ) THEN
            RAISE EXCEPTION 'slip % cannot be %: a signature is missing', OLD.serial, NEW.status
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.status IN ('returning', 'returned') AND NOT EXISTS (
            SELECT FROM pitboss_slip AS back JOIN pitboss_signature AS s ON s.slip_id = back.id
            WHERE back.refers_to_id = NEW.id AND back.kind = NEW.kind || '_return'
              AND (NEW.status = 'returning' OR s.step = 'counted_in')
        ) THEN
            RAISE EXCEPTION 'slip % cannot be %: no signed return refers to it',
                OLD.serial, NEW.status USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE FUNCTION pitboss_slip_begins_open() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.status <> 'open' THEN
            RAISE EXCEPTION 'slip % begins open, not %', NEW.serial, NEW.status
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER begins_open BEFORE INSERT ON pitboss_slip
        FOR EACH ROW EXECUTE FUNCTION pitboss_slip_begins_open();
    CREATE TRIGGER slip_in_ink BEFORE UPDATE ON pitboss_slip
        FOR EACH ROW EXECUTE FUNCTION pitboss_slip_in_ink();
    CREATE TRIGGER never_deleted BEFORE DELETE ON pitboss_slip
        FOR EACH ROW EXECUTE FUNCTION pitboss_never_changed();
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON pitboss_slip
        FOR EACH STATEMENT EXECUTE FUNCTION pitboss_never_changed();
    """,
    """
    DROP TRIGGER begins_open ON pitboss_slip;
    DROP FUNCTION pitboss_slip_begins_open();
    DROP TRIGGER slip_in_ink ON pitboss_slip;
    DROP TRIGGER never_deleted ON pitboss_slip;
    DROP TRIGGER never_emptied ON pitboss_slip;
    DROP FUNCTION pitboss_slip_in_ink();
    """,
)


# The plan of a slip says who signs in which order. Whoever writes a signature past the service is
# held to it all the same.
SIGNATURE_FOLLOWS_THE_PLAN = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_signature_follows_the_plan() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        due jsonb;
        carrier bigint;
        problem text;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id FOR NO KEY UPDATE;
        SELECT planned.step INTO due
        FROM jsonb_array_elements(paper.plan) WITH ORDINALITY AS planned(step, position)
        WHERE planned.step->>'track' = NEW.track AND NOT EXISTS (
            SELECT FROM pitboss_signature AS s
            WHERE s.slip_id = NEW.slip_id AND s.track = NEW.track
              AND s.step = planned.step->>'name')
        ORDER BY planned.position LIMIT 1;

        -- Who has the cheques in hand: the last to take them over, else who carried them off.
        SELECT s.person_id INTO carrier
        FROM pitboss_signature AS s
        WHERE s.step IN ('carried', 'taken_over')
          AND (s.slip_id = paper.id OR paper.kind LIKE '%%\\_return' AND s.slip_id = paper.refers_to_id)
        ORDER BY s.slip_id = paper.id DESC, s.step = 'taken_over' DESC LIMIT 1;

        problem := CASE
            WHEN paper.status <> 'open' THEN 'the slip is ' || paper.status
            WHEN due IS NULL OR due->>'name' <> NEW.step THEN 'it is out of order'
            WHEN NEW.track = 'main' AND EXISTS (
                SELECT FROM jsonb_array_elements(paper.plan) AS planned(step)
                JOIN pitboss_signature AS begun
                  ON begun.slip_id = paper.id AND begun.track = planned.step->>'track'
                WHERE begun.track <> 'main' AND NOT EXISTS (
                    SELECT FROM pitboss_signature AS s
                    WHERE s.slip_id = paper.id AND s.track = begun.track
                      AND s.step = planned.step->>'name'))
                THEN 'a way out was begun'
            WHEN NOT due->'roles' ? NEW.role THEN 'the role is wrong'
            WHEN NOT EXISTS (
                SELECT FROM pitboss_person AS p
                WHERE p.id = NEW.person_id AND p.is_active AND (p.role = NEW.role OR EXISTS (
                    SELECT FROM pitboss_actingrole AS a
                    WHERE a.person_id = p.id AND a.role = NEW.role)))
                THEN 'the person does not have this role'
            WHEN due->>'at' IS NOT NULL AND due->>'at' <> NEW.place THEN 'the place is wrong'
            WHEN NOT EXISTS (
                SELECT FROM pitboss_device AS d
                WHERE d.id = NEW.device_id AND d.place = NEW.place AND d.revoked_at IS NULL)
                THEN 'the device is not of this place'
            WHEN EXISTS (
                SELECT FROM pitboss_signature AS s
                WHERE s.slip_id = NEW.slip_id AND s.person_id = NEW.person_id
                  AND NOT coalesce(due->'may_repeat' ? s.step, false)
                  AND (due->>'same_as' IS NULL OR s.step <> 'taken_over'))
                THEN 'this person has signed before'
            WHEN due->>'same_as' IS NOT NULL AND NEW.person_id IS DISTINCT FROM carrier
                THEN 'another officer carries the cheques'
            WHEN due->>'in_presence_of' IS NOT NULL AND NOT EXISTS (
                SELECT FROM pitboss_person AS p
                WHERE p.id = carrier AND p.badge = NEW.facts->>'present')
                THEN 'the officer who carries the cheques is not there'
            WHEN (due->>'counts')::boolean AND NEW.counted IS DISTINCT FROM paper.cheques
                THEN 'the count differs'
            WHEN (due->>'records')::boolean AND NEW.counted IS NULL THEN 'the count is missing'
            WHEN (due->>'needs_reason')::boolean AND NEW.reason = '' THEN 'the reason is missing'
            WHEN (due->>'drawn')::boolean AND (
                coalesce(jsonb_array_length(NEW.facts->'drawn'->'strokes'), 0) = 0
                OR coalesce(NEW.facts->'drawn'->>'matched_with', '') = '')
                THEN 'the patron has not signed and been matched'
            WHEN NEW.track = 'void' AND EXISTS (
                SELECT FROM jsonb_array_elements(paper.plan) AS planned(step)
                JOIN pitboss_signature AS s
                  ON s.slip_id = paper.id AND s.step = planned.step->>'name'
                WHERE (planned.step->>'dispatches')::boolean)
                THEN 'the cheques are under way'
            WHEN NEW.shown_hash <> encode(sha256(convert_to(NEW.shown, 'UTF8')), 'hex')
                THEN 'its hash is not that of what was shown'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'signature % on slip % refused: %', NEW.step, paper.serial, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER follows_the_plan BEFORE INSERT ON pitboss_signature
        FOR EACH ROW EXECUTE FUNCTION pitboss_signature_follows_the_plan();
    """,
    """
    DROP TRIGGER follows_the_plan ON pitboss_signature;
    DROP FUNCTION pitboss_signature_follows_the_plan();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0001_initial")]

    operations = [
        migrations.RunPython(make_desk_chains, drop_desk_chains, elidable=False),
        NEVER_CHANGED,
        SLIP_IN_INK,
        SIGNATURE_FOLLOWS_THE_PLAN,
        never_changed("pitboss_signature"),
        never_changed("pitboss_slipprint"),
        never_changed("pitboss_journalentry"),
        never_changed("pitboss_journalseal"),
    ]
