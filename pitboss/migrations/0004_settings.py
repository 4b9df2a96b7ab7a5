"""Values of the house and limits of one person: dated, each on a slip that two people signed."""

from django.db import migrations

from pitboss.ink import never_changed

# Whoever writes past the service can give a slip a plan of their own, so the plan is not asked: two
# people must have signed, their paper must say what is written, and it does not reach back: what
# held yesterday held.
TWO_PEOPLE_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_two_people_signed(paper_id bigint, holds_from timestamptz)
    RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT paper.status = 'done' AND count(DISTINCT s.person_id) >= 2
           AND holds_from
               = coalesce((paper.details->>'holds_from')::timestamptz, max(s.signed_at))
           AND holds_from >= max(s.signed_at)
        FROM pitboss_slip AS paper
        JOIN pitboss_signature AS s ON s.slip_id = paper.id AND s.track = 'main'
        WHERE paper.id = paper_id
        GROUP BY paper.id
    $$;
    """,
    "DROP FUNCTION pitboss_two_people_signed(bigint, timestamptz);",
)

VALUE_IS_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_setting_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        IF paper.kind = 'setting_change' AND paper.details->>'key' = NEW.key
           AND paper.details ? 'value'
           AND pitboss_two_people_signed(NEW.slip_id, NEW.holds_from) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'setting % refused: no slip signed by two people says this', NEW.key
            USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER setting_is_signed BEFORE INSERT ON pitboss_settingvalue
        FOR EACH ROW EXECUTE FUNCTION pitboss_setting_is_signed();
    """,
    """
    DROP TRIGGER setting_is_signed ON pitboss_settingvalue;
    DROP FUNCTION pitboss_setting_is_signed();
    """,
)

LIMIT_IS_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_limit_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        IF paper.kind = 'limit_change' AND paper.details->>'kind' = NEW.kind
           AND (paper.details->>'person')::bigint = NEW.person_id
           AND (paper.details->>'most_cents')::bigint IS NOT DISTINCT FROM NEW.most_cents
           AND pitboss_two_people_signed(NEW.slip_id, NEW.holds_from) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'limit of % refused: no slip signed by two people says this', NEW.person_id
            USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER limit_is_signed BEFORE INSERT ON pitboss_personlimit
        FOR EACH ROW EXECUTE FUNCTION pitboss_limit_is_signed();
    """,
    """
    DROP TRIGGER limit_is_signed ON pitboss_personlimit;
    DROP FUNCTION pitboss_limit_is_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0003_days")]

    operations = [
        TWO_PEOPLE_SIGNED,
        VALUE_IS_SIGNED,
        LIMIT_IS_SIGNED,
        never_changed("pitboss_settingvalue"),
        never_changed("pitboss_personlimit"),
    ]
