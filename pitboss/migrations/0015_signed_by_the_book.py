"""A plan is that of its flow, and no role and no set-up comes to be without its done slip."""

from django.db import migrations

FLOW_BOOK = migrations.RunSQL(
    """
    CREATE TABLE pitboss_flowstep (
        kind text NOT NULL,
        position integer NOT NULL,
        step jsonb NOT NULL,
        is_always boolean NOT NULL,
        follows text[] NOT NULL,
        PRIMARY KEY (kind, position)
    );
    """,
    "DROP TABLE pitboss_flowstep;",
)

# Whoever writes a slip past the service could name the signers themselves: two dealers for a
# setting. So each planned step must be one of the book's, in its order, and none that the flow always
# has may be left out.
PLAN_FOLLOWS_THE_BOOK = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_plan_follows_the_book() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        positions integer[];
    BEGIN
        SELECT array_agg(book.position ORDER BY planned.number) INTO positions
        FROM jsonb_array_elements(NEW.plan) WITH ORDINALITY AS planned(step, number)
        LEFT JOIN pitboss_flowstep AS book
          ON book.kind = NEW.kind
         AND book.step = planned.step - '{attests,blind,then}'::text[]
         AND array_position(book.follows, planned.step->>'then') IS NOT NULL;
        IF positions IS NULL OR array_position(positions, NULL) IS NOT NULL
           OR positions <> ARRAY(SELECT DISTINCT unnest(positions) ORDER BY 1)
           OR EXISTS (
                SELECT FROM pitboss_flowstep AS book
                WHERE book.kind = NEW.kind AND book.is_always AND book.position <> ALL (positions))
        THEN
            RAISE EXCEPTION 'slip % has another plan than its flow', NEW.serial
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER plan_follows_the_book BEFORE INSERT ON pitboss_slip
        FOR EACH ROW EXECUTE FUNCTION pitboss_plan_follows_the_book();
    """,
    """
    DROP TRIGGER plan_follows_the_book ON pitboss_slip;
    DROP FUNCTION pitboss_plan_follows_the_book();
    """,
)

# Demo and tests put people and tables up by themselves. That a database is theirs stands in a setting
# of the database itself, which only its owner can make; a casino's database has none.
REHEARSAL = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_is_rehearsal() RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT EXISTS (
            SELECT FROM pg_catalog.pg_db_role_setting AS made
            JOIN pg_catalog.pg_database AS here ON here.oid = made.setdatabase
            WHERE here.datname = current_database() AND made.setrole = 0
              AND 'pitboss.rehearsal=on' = ANY (made.setconfig))
    $$;
    """,
    "DROP FUNCTION pitboss_is_rehearsal();",
)

# The first two managers begin a property; everybody after them is on a slip. Of several slips about
# somebody the last one counts: an old one raises nobody again.
ROLE_IS_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_role_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        signed_role text;
    BEGIN
        IF pitboss_is_rehearsal() THEN
            RETURN NEW;
        END IF;
        IF TG_OP = 'INSERT' AND NEW.role = 'shift_manager'
           AND (SELECT count(*) FROM pitboss_person) < 2 THEN
            RETURN NEW;
        END IF;
        SELECT about.each->'is'->>'role' INTO signed_role
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
        IF signed_role IS DISTINCT FROM NEW.role THEN
            RAISE EXCEPTION 'role % of person % refused: no done slip says this', NEW.role, NEW.badge
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER new_role_is_signed BEFORE INSERT ON pitboss_person
        FOR EACH ROW EXECUTE FUNCTION pitboss_role_is_signed();
    CREATE TRIGGER role_is_signed BEFORE UPDATE ON pitboss_person
        FOR EACH ROW WHEN (NEW.role IS DISTINCT FROM OLD.role)
        EXECUTE FUNCTION pitboss_role_is_signed();
    """,
    """
    DROP TRIGGER new_role_is_signed ON pitboss_person;
    DROP TRIGGER role_is_signed ON pitboss_person;
    DROP FUNCTION pitboss_role_is_signed();
    """,
)

# A table is set up as the last slip about it says; until there is one, it stands on its game's print.
SETUP_IS_SIGNED = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_setup_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        signed_setup jsonb;
    BEGIN
        IF pitboss_is_rehearsal() THEN
            RETURN NEW;
        END IF;
        SELECT paper.details->'is' INTO signed_setup
        FROM pitboss_slip AS paper
        WHERE paper.kind = 'table_change' AND paper.status = 'done'
          AND ((paper.details->>'table')::bigint = NEW.id
               OR paper.details->'is'->>'name' = NEW.name)
        ORDER BY (SELECT max(s.id) FROM pitboss_signature AS s WHERE s.slip_id = paper.id) DESC
        LIMIT 1;
        IF NEW.setup IS DISTINCT FROM signed_setup THEN
            RAISE EXCEPTION 'set-up of table % refused: no done slip says this', NEW.name
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER new_setup_is_signed BEFORE INSERT ON pitboss_table
        FOR EACH ROW WHEN (NEW.setup <> '{}'::jsonb)
        EXECUTE FUNCTION pitboss_setup_is_signed();
    CREATE TRIGGER setup_is_signed BEFORE UPDATE ON pitboss_table
        FOR EACH ROW WHEN (NEW.setup IS DISTINCT FROM OLD.setup)
        EXECUTE FUNCTION pitboss_setup_is_signed();
    """,
    """
    DROP TRIGGER new_setup_is_signed ON pitboss_table;
    DROP TRIGGER setup_is_signed ON pitboss_table;
    DROP FUNCTION pitboss_setup_is_signed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0014_watching")]

    operations = [
        FLOW_BOOK,
        PLAN_FOLLOWS_THE_BOOK,
        REHEARSAL,
        ROLE_IS_SIGNED,
        SETUP_IS_SIGNED,
    ]
