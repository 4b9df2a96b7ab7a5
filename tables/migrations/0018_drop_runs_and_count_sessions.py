"""Drop boxes with tags, the runs on which they are pulled, and sessions in which they are counted."""

from django.db import migrations

from pitboss.ink import never_changed

# A box is pulled on a run that is under way, before surveillance and a supervisor of the pit.
PULLED_BEFORE_EYES = migrations.RunSQL(
    """
    CREATE FUNCTION tables_run_is_seen() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        problem text;
    BEGIN
        problem := CASE
            WHEN NOT EXISTS (
                SELECT FROM pitboss_slip AS run WHERE run.id = NEW.run_id
                  AND run.kind = 'drop_run' AND run.status = 'open' AND NOT EXISTS (
                    SELECT FROM pitboss_signature AS s
                    WHERE s.slip_id = run.id AND s.step = 'ended'))
                THEN 'the run is not under way'
            WHEN NEW.pull_id IS NULL THEN NULL
            WHEN NOT EXISTS (SELECT FROM tables_runwatch AS watch WHERE watch.run_id = NEW.run_id)
                THEN 'surveillance does not watch'
            WHEN NOT EXISTS (
                SELECT FROM tables_runpit AS joined
                JOIN pitboss_table AS stop ON stop.pit_id = joined.pit_id
                WHERE joined.run_id = NEW.run_id AND stop.id = NEW.table_id)
                THEN 'no supervisor has joined for its pit'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'stop of run % refused: %', NEW.run_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER run_is_seen BEFORE INSERT ON tables_runstop
        FOR EACH ROW EXECUTE FUNCTION tables_run_is_seen();
    """,
    """
    DROP TRIGGER run_is_seen ON tables_runstop;
    DROP FUNCTION tables_run_is_seen();
    """,
)

# A second count is another member's and finds what the newest first one found.
COUNTED_TWICE = migrations.RunSQL(
    """
    CREATE FUNCTION tables_tally_holds() RETURNS trigger
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        earlier tables_boxtally;
        problem text;
    BEGIN
        SELECT * INTO earlier FROM tables_boxtally AS tally
        WHERE tally.session_id = NEW.session_id AND tally.pull_id = NEW.pull_id AND tally.turn = 1
        ORDER BY tally.id DESC LIMIT 1;
        problem := CASE
            WHEN NOT EXISTS (
                SELECT FROM pitboss_slip AS session
                JOIN pitboss_slip AS pull ON pull.id = NEW.pull_id
                WHERE session.id = NEW.session_id AND session.kind = 'count_session'
                  AND session.status = 'open' AND session.details->'pulls' ? pull.serial
                  AND NOT EXISTS (
                    SELECT FROM pitboss_signature AS s
                    WHERE s.slip_id = session.id AND s.step = 'closed'))
                THEN 'no open session counts this box'
            WHEN NOT EXISTS (
                SELECT FROM pitboss_signature AS s
                WHERE s.slip_id = NEW.session_id AND s.person_id = NEW.person_id
                  AND s.step IN ('opened', 'joined', 'joined_third'))
                THEN 'they are no member of the session'
            WHEN NEW.turn = 1 THEN NULL
            WHEN earlier.id IS NULL THEN 'there is no first count'
            WHEN earlier.person_id = NEW.person_id THEN 'they counted first'
            WHEN earlier.figures <> NEW.figures THEN 'the counts differ'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'count of box % refused: %', NEW.pull_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER tally_holds BEFORE INSERT ON tables_boxtally
        FOR EACH ROW EXECUTE FUNCTION tables_tally_holds();
    """,
    """
    DROP TRIGGER tally_holds ON tables_boxtally;
    DROP FUNCTION tables_tally_holds();
    """,
)

# As before, and whoever signed the session in which the box was counted.
OTHERS = """
    CREATE OR REPLACE FUNCTION tables_correct_what_others_signed() RETURNS trigger
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
                    AND slip.details->>'pull' = box)%s
            )
        ) THEN
            RAISE EXCEPTION 'they signed what this corrects' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NULL;
    END $$;
"""
OR_THE_SESSION = """
                OR (slip.kind = 'count_session' AND slip.serial = (
                    SELECT count.details->>'session' FROM pitboss_slip AS count
                    WHERE count.kind = 'drop_count' AND count.status <> 'voided'
                      AND count.details->>'pull' = box))"""
NO_MEMBER_CORRECTS = migrations.RunSQL(OTHERS % OR_THE_SESSION, OTHERS % "")


class Migration(migrations.Migration):
    dependencies = [("tables", "0017_comps"), ("pitboss", "0021_withheld")]

    operations = [
        never_changed("tables_runwatch"),
        never_changed("tables_runpit"),
        never_changed("tables_runstop"),
        never_changed("tables_boxtally"),
        never_changed("tables_countfile"),
        never_changed("tables_roommove"),
        PULLED_BEFORE_EYES,
        COUNTED_TWICE,
        NO_MEMBER_CORRECTS,
    ]
