"""A PIN is offered by one and witnessed by another; a house keeps those who can give one."""

from django.db import migrations

# As in `pitboss/rules/roles.py`; a test compares them.
DEPARTMENTS = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_department(role text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE
            WHEN role IN ('dealer', 'supervisor', 'pit_manager', 'shift_manager') THEN 'pit'
            WHEN role IN ('cashier', 'cage_manager') THEN 'cage'
            WHEN role IN ('security', 'security_manager') THEN 'security'
            WHEN role IN ('surveillance', 'surveillance_manager') THEN 'surveillance'
            ELSE role
        END
    $$;
    CREATE FUNCTION pitboss_is_independent(role text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
        SELECT role IN ('surveillance', 'surveillance_manager', 'accounting', 'compliance',
                        'auditor', 'administrator')
    $$;
    """,
    """
    DROP FUNCTION pitboss_department(text);
    DROP FUNCTION pitboss_is_independent(text);
    """,
)

# What an offer says stays so; a witness is of another department unless the PIN is of the pit, and
# operations reach no PIN of the independent departments but a first one.
PIN_IS_WITNESSED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_pin_is_witnessed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        whose pitboss_person;
        other pitboss_person;
        problem text;
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            IF (NEW.person_id, NEW.code_hash, NEW.offered_by_id, NEW.offered_at, NEW.by_keys)
               IS DISTINCT FROM
               (OLD.person_id, OLD.code_hash, OLD.offered_by_id, OLD.offered_at, OLD.by_keys)
            THEN
                problem := 'an offer stays as it was made';
            ELSIF OLD.used_at IS NOT NULL AND to_jsonb(NEW) - 'told_at' - 'version' - 'seal'
               IS DISTINCT FROM to_jsonb(OLD) - 'told_at' - 'version' - 'seal' THEN
                problem := 'it was used';
            ELSIF NEW.expires_at > OLD.expires_at THEN
                problem := 'it is not made longer';
            END IF;
        ELSIF NEW.used_at IS NOT NULL OR NEW.witness_id IS NOT NULL THEN
            problem := 'it begins unused and without a witness';
        END IF;
        SELECT * INTO whose FROM pitboss_person WHERE id = NEW.person_id;
        FOR other IN
            SELECT p.* FROM pitboss_person AS p
            WHERE TG_OP = 'INSERT' AND p.id = NEW.offered_by_id
               OR TG_OP = 'UPDATE' AND (
                    p.id = NEW.witness_id AND NEW.witness_id IS DISTINCT FROM OLD.witness_id
                    OR p.id = NEW.second_witness_id)
        LOOP
            IF pitboss_is_independent(whose.role) AND NOT pitboss_is_independent(other.role)
               AND whose.pin_hash <> '' THEN
                problem := 'operations do not reach this department';
            ELSIF NOT other.is_active THEN
                problem := 'whoever left gives no PIN';
            ELSIF other.id IS DISTINCT FROM NEW.offered_by_id
               AND pitboss_department(whose.role) <> 'pit'
               AND pitboss_department(whose.role) = pitboss_department(other.role) THEN
                problem := 'the witness is of the same department';
            END IF;
        END LOOP;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'PIN of % refused: %', NEW.person_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER pin_is_witnessed AFTER INSERT OR UPDATE ON pitboss_pinenrolment
        FOR EACH ROW EXECUTE FUNCTION pitboss_pin_is_witnessed();
    """,
    """
    DROP TRIGGER pin_is_witnessed ON pitboss_pinenrolment;
    DROP FUNCTION pitboss_pin_is_witnessed();
    """,
)

RANK_IS_GRANTED_WITHIN_REACH = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_rank_is_within_reach() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER rank_is_within_reach AFTER INSERT OR UPDATE ON pitboss_actingrole
        FOR EACH ROW EXECUTE FUNCTION pitboss_rank_is_within_reach();
    """,
    """
    DROP TRIGGER rank_is_within_reach ON pitboss_actingrole;
    DROP FUNCTION pitboss_rank_is_within_reach();
    """,
)

# Counted one act at a time, under the lock that the service takes as well.
TWO_SHIFT_MANAGERS_STAY = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_two_shift_managers_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.role = 'shift_manager' AND OLD.is_active AND OLD.pin_hash <> ''
           AND (TG_OP = 'DELETE'
                OR NOT (NEW.role = 'shift_manager' AND NEW.is_active AND NEW.pin_hash <> '')) THEN
            PERFORM pg_advisory_xact_lock(hashtextextended('staff', 0));
            IF (SELECT count(*) FROM pitboss_person
                WHERE role = 'shift_manager' AND is_active AND pin_hash <> '') < 2 THEN
                RAISE EXCEPTION 'fewer than two shift managers with a PIN would be left'
                    USING ERRCODE = 'restrict_violation';
            END IF;
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER two_shift_managers_stay AFTER UPDATE OR DELETE ON pitboss_person
        FOR EACH ROW EXECUTE FUNCTION pitboss_two_shift_managers_stay();
    """,
    """
    DROP TRIGGER two_shift_managers_stay ON pitboss_person;
    DROP FUNCTION pitboss_two_shift_managers_stay();
    """,
)

# As in `pitboss/rules/flows/fresh_pins.py`, with the defaults of the book; a test compares them.
FRESH_PIN_SIGNS_LITTLE = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_number_set(wanted text, at timestamptz, otherwise bigint)
    RETURNS bigint LANGUAGE sql STABLE AS $$
        SELECT coalesce((
            SELECT (paper.details->>'value')::bigint
            FROM pitboss_settingvalue AS kept JOIN pitboss_slip AS paper ON paper.id = kept.slip_id
            WHERE kept.key = wanted AND kept.holds_from <= at
            ORDER BY kept.holds_from DESC, kept.id DESC LIMIT 1), otherwise)
    $$;
    CREATE FUNCTION pitboss_fresh_pin_signs_little() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        reset_at timestamptz;
        paper pitboss_slip;
        worth bigint;
    BEGIN
        SELECT pin_by_others_at INTO reset_at FROM pitboss_person WHERE id = NEW.person_id;
        IF reset_at IS NULL OR NEW.signed_at >= reset_at
            + make_interval(hours => pitboss_number_set(
                'people.reset_pin_hours', NEW.signed_at, 24)::int) THEN
            RETURN NEW;
        END IF;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT greatest(paper.total_cents, max(said.cents)) INTO worth
        FROM (SELECT (value #>> '{}')::bigint AS cents FROM jsonb_each(paper.details)
              WHERE jsonb_typeof(value) = 'number'
                AND key IN ('amount_cents', 'award_cents', 'locked_cents', 'before_cents',
                            'after_cents')) AS said;
        IF paper.kind IN ('setting_change', 'person_change', 'person_leaves', 'limit_change',
                          'table_change', 'system_access', 'person_returns', 'leave_of_absence',
                          'access_review', 'build_approval', 'tax_line')
           OR worth > pitboss_number_set('people.reset_pin_limit', NEW.signed_at, 100000) THEN
            RAISE EXCEPTION 'signature % on slip % refused: others have just set this PIN',
                NEW.step, paper.serial USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fresh_pin_signs_little BEFORE INSERT ON pitboss_signature
        FOR EACH ROW EXECUTE FUNCTION pitboss_fresh_pin_signs_little();
    """,
    """
    DROP TRIGGER fresh_pin_signs_little ON pitboss_signature;
    DROP FUNCTION pitboss_fresh_pin_signs_little();
    DROP FUNCTION pitboss_number_set(text, timestamptz, bigint);
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0015_signed_by_the_book")]

    operations = [
        DEPARTMENTS,
        PIN_IS_WITNESSED,
        RANK_IS_GRANTED_WITHIN_REACH,
        TWO_SHIFT_MANAGERS_STAY,
        FRESH_PIN_SIGNS_LITTLE,
    ]
