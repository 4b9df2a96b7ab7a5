"""Hits are in ink: one a seat, paid once, what they are owed; and no meter changes under them."""

from django.db import migrations

from pitboss.ink import never_changed

# The same as `is_pending` of the rules.
PENDING = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_is_pending(paper pitboss_slip) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT paper.kind = 'jackpot' AND paper.status = 'open'
           AND NOT EXISTS (SELECT FROM pitboss_signature AS s
                           WHERE s.slip_id = paper.id AND s.step = 'held_witnessed')
           AND NOT (paper.details->>'ends_round' = 'released' AND EXISTS (
                SELECT FROM pitboss_signature AS s WHERE s.slip_id = paper.id
                  AND s.step IN ('jackpot_released', 'pending_cleared')))
    $$;
    """,
    "DROP FUNCTION jackpots_is_pending(pitboss_slip);",
)


ONE_A_SEAT = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_one_a_seat() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM jackpots_jackpot AS other
            JOIN pitboss_slip AS paper ON paper.id = other.slip_id
            WHERE paper.table_id = (SELECT table_id FROM pitboss_slip WHERE id = NEW.slip_id)
              AND other.seat = NEW.seat AND other.wager = NEW.wager
              AND jackpots_is_pending(paper)) THEN
            RAISE EXCEPTION 'a jackpot is pending for seat %', NEW.seat
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER one_a_seat BEFORE INSERT ON jackpots_jackpot
        FOR EACH ROW EXECUTE FUNCTION jackpots_one_a_seat();
    """,
    """
    DROP TRIGGER one_a_seat ON jackpots_jackpot;
    DROP FUNCTION jackpots_one_a_seat();
    """,
)


# Released figures stay; and a payment is of a jackpot whose every signature stands.
FIGURES = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_figure_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM jackpots_jackpot AS hit
                   JOIN pitboss_slip AS paper ON paper.id = hit.slip_id
                   LEFT JOIN pitboss_signature AS s ON s.slip_id = paper.id
                     AND s.step IN ('jackpot_released', 'pending_cleared')
                   WHERE hit.id = NEW.jackpot_id AND (s.id IS NOT NULL OR paper.status <> 'open'))
        THEN
            RAISE EXCEPTION 'the figure of a jackpot is final once it is released'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER figure_moves BEFORE INSERT ON jackpots_jackpotfigure
        FOR EACH ROW EXECUTE FUNCTION jackpots_figure_moves();

    CREATE FUNCTION jackpots_payment_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM jackpots_jackpot AS hit
                       JOIN pitboss_slip AS paper ON paper.id = hit.slip_id
                       JOIN pitboss_signature AS s ON s.slip_id = paper.id AND s.step = 'paid'
                       WHERE hit.id = NEW.jackpot_id AND paper.status = 'done'
                         AND s.facts->'said'->>'source' = NEW.source) THEN
            RAISE EXCEPTION 'nobody signed that this jackpot was paid so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.award_cents <> (SELECT award_cents FROM jackpots_jackpotfigure
                               WHERE jackpot_id = NEW.jackpot_id ORDER BY number DESC LIMIT 1) THEN
            RAISE EXCEPTION 'this is not what the jackpot is owed'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER payment_is_signed BEFORE INSERT ON jackpots_jackpotpayment
        FOR EACH ROW EXECUTE FUNCTION jackpots_payment_is_signed();
    """,
    """
    DROP TRIGGER payment_is_signed ON jackpots_jackpotpayment;
    DROP FUNCTION jackpots_payment_is_signed();
    DROP TRIGGER figure_moves ON jackpots_jackpotfigure;
    DROP FUNCTION jackpots_figure_moves();
    """,
)


UNDER_A_HIT = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_meter_is_pending(meter bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT EXISTS (
            SELECT FROM jackpots_meterfreeze AS stopped
            JOIN jackpots_jackpot AS hit ON hit.freeze_id = stopped.id
            JOIN pitboss_slip AS paper ON paper.id = hit.slip_id
            WHERE stopped.meter_id = meter AND jackpots_is_pending(paper))
    $$;
    CREATE FUNCTION jackpots_nothing_under_a_hit() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        meter bigint;
    BEGIN
        IF TG_TABLE_NAME = 'jackpots_meter' THEN
            IF to_jsonb(NEW) - 'epoch' IS NOT DISTINCT FROM to_jsonb(OLD) - 'epoch' THEN
                RETURN NEW;
            END IF;
            meter := NEW.id;
        ELSIF NEW.cause NOT IN ('correction', 'malfunction', 'over_maximum', 'reserve', 'posted') THEN
            RETURN NEW;
        ELSE
            meter := NEW.meter_id;
        END IF;
        IF jackpots_meter_is_pending(meter) THEN
            RAISE EXCEPTION 'a jackpot is pending on meter %', meter
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER nothing_under_a_hit BEFORE UPDATE ON jackpots_meter
        FOR EACH ROW EXECUTE FUNCTION jackpots_nothing_under_a_hit();
    CREATE TRIGGER nothing_under_a_hit BEFORE INSERT ON jackpots_meterentry
        FOR EACH ROW EXECUTE FUNCTION jackpots_nothing_under_a_hit();
    """,
    """
    DROP TRIGGER nothing_under_a_hit ON jackpots_meterentry;
    DROP TRIGGER nothing_under_a_hit ON jackpots_meter;
    DROP FUNCTION jackpots_nothing_under_a_hit();
    DROP FUNCTION jackpots_meter_is_pending(bigint);
    """,
)


# A step that asks for something is not signed without an answer.
ANSWERS = migrations.RunSQL(
    """
    CREATE FUNCTION jackpots_answers_what_is_asked() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM pitboss_slip AS paper,
                 jsonb_array_elements(paper.plan) AS planned(step),
                 jsonb_array_elements_text(coalesce(planned.step->'asks', '[]')) AS asked(name)
            WHERE paper.id = NEW.slip_id AND planned.step->>'track' = NEW.track
              AND planned.step->>'name' = NEW.step
              AND coalesce(NEW.facts->'said'->>asked.name, '') = '') THEN
            RAISE EXCEPTION 'signature % refused: what it asks for is missing', NEW.step
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER answers_what_is_asked BEFORE INSERT ON pitboss_signature
        FOR EACH ROW EXECUTE FUNCTION jackpots_answers_what_is_asked();
    """,
    """
    DROP TRIGGER answers_what_is_asked ON pitboss_signature;
    DROP FUNCTION jackpots_answers_what_is_asked();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0002_meters")]

    operations = [
        never_changed("jackpots_meterfreeze"),
        never_changed("jackpots_frozenamount"),
        never_changed("jackpots_jackpot"),
        never_changed("jackpots_jackpotfigure"),
        never_changed("jackpots_jackpotpayment"),
        PENDING,
        ONE_A_SEAT,
        FIGURES,
        UNDER_A_HIT,
        ANSWERS,
    ]
