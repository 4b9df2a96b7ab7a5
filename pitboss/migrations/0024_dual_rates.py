"""Acting roles by time: several a shift, never two at once, and an acting shift manager by two."""

from django.db import migrations

# As in 0016_pin_offers, and more: a pit manager lifts dealers, and somebody stands in for a shift
# manager who names them, or whom two departments name.
_WITHIN_REACH = """
    CREATE OR REPLACE FUNCTION pitboss_rank_is_within_reach() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        whose text;
        granters text[];
        is_allowed boolean;
    BEGIN
        SELECT role INTO whose FROM pitboss_person WHERE id = NEW.person_id;
        SELECT array_agg(roles.role) INTO granters FROM (
            SELECT role FROM pitboss_person WHERE id = NEW.granted_by_id
            UNION ALL
            SELECT role FROM pitboss_actingrole
            WHERE person_id = NEW.granted_by_id AND gaming_day = NEW.gaming_day
              AND shift = NEW.shift AND id <> NEW.id) AS roles;
        is_allowed := pitboss_department(NEW.role) = pitboss_department(whose) AND CASE
            WHEN pitboss_is_independent(whose) THEN EXISTS (
                SELECT FROM unnest(granters) AS granter
                WHERE pitboss_department(granter) = 'surveillance')
            WHEN NEW.role = 'shift_manager' THEN whose = 'pit_manager' AND (
                'shift_manager' = ANY (granters) OR EXISTS (
                    SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s
                      ON s.slip_id = paper.id
                    WHERE paper.id = NEW.named_on_id AND paper.kind = 'acting_manager'
                    HAVING count(DISTINCT pitboss_department(s.role)) >= 2))
            WHEN 'shift_manager' = ANY (granters) THEN true
            ELSE 'pit_manager' = ANY (granters) AND whose IN ('dealer', 'supervisor')
                 AND NEW.role IN ('dealer', 'supervisor') END;
        IF NOT is_allowed THEN
            RAISE EXCEPTION 'rank of % for % by a % refused', NEW.role, NEW.person_id, granters
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
"""
_BEFORE = """
    CREATE OR REPLACE FUNCTION pitboss_rank_is_within_reach() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        whose text;
        granter text;
    BEGIN
        SELECT role INTO whose FROM pitboss_person WHERE id = NEW.person_id;
        SELECT role INTO granter FROM pitboss_person WHERE id = NEW.granted_by_id;
        IF pitboss_department(NEW.role) <> pitboss_department(whose) OR NEW.role = 'shift_manager'
           OR (CASE WHEN pitboss_is_independent(whose)
                    THEN pitboss_department(granter) <> 'surveillance'
                    ELSE granter <> 'shift_manager' END)
        THEN
            RAISE EXCEPTION 'rank of % for % by a % refused', NEW.role, NEW.person_id, granter
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
"""

ONE_AT_A_TIME = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_one_acting_role_at_a_time() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' AND (
            OLD.ended_at IS NOT NULL
            OR to_jsonb(NEW) - 'ended_at' - 'ended_by_id' - 'version' - 'seal'
               IS DISTINCT FROM to_jsonb(OLD) - 'ended_at' - 'ended_by_id' - 'version' - 'seal')
        THEN
            RAISE EXCEPTION 'acting role % only ends, once', OLD.id
                USING ERRCODE = 'restrict_violation';
        END IF;
        -- The service holds the person; whoever writes past it waits here.
        PERFORM pg_advisory_xact_lock(hashtext('one_acting_role_at_a_time'), NEW.person_id::integer);
        IF EXISTS (
            SELECT FROM pitboss_actingrole AS other
            WHERE other.person_id = NEW.person_id AND other.id <> NEW.id
              AND other.gaming_day = NEW.gaming_day AND other.shift = NEW.shift
              AND other.granted_at < coalesce(least(NEW.until, NEW.ended_at), 'infinity')
              AND NEW.granted_at < coalesce(least(other.until, other.ended_at), 'infinity'))
        THEN
            RAISE EXCEPTION 'one_acting_role_at_a_time: person % acts in another role then', NEW.person_id
                USING ERRCODE = 'restrict_violation', CONSTRAINT = 'one_acting_role_at_a_time';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER one_acting_role_at_a_time BEFORE INSERT OR UPDATE ON pitboss_actingrole
        FOR EACH ROW EXECUTE FUNCTION pitboss_one_acting_role_at_a_time();
    """,
    """
    DROP TRIGGER one_acting_role_at_a_time ON pitboss_actingrole;
    DROP FUNCTION pitboss_one_acting_role_at_a_time();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0023_pin_age")]

    operations = [
        migrations.RunSQL(_WITHIN_REACH, _BEFORE),
        ONE_AT_A_TIME,
    ]
