"""A fill that is shipped in parts ends by the two fills that carry all of its cheques."""

from django.db import migrations

# As in 0026_canceled_requests, and one more way to be voided.
_IN_INK = """
    CREATE OR REPLACE FUNCTION pitboss_slip_in_ink() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF to_jsonb(NEW) - 'status' IS DISTINCT FROM to_jsonb(OLD) - 'status' THEN
            RAISE EXCEPTION 'slip % is written in ink', OLD.serial
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.status = OLD.status THEN
            RETURN NEW;
        END IF;
        IF NOT (OLD.status = 'open' AND NEW.status IN ('done', 'voided', 'returning', 'withheld')
                OR OLD.status = 'returning' AND NEW.status = 'returned') THEN
            RAISE EXCEPTION 'slip % cannot go from % to %', OLD.serial, OLD.status, NEW.status
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.status = 'voided' AND NEW.kind IN ('fill', 'credit') AND EXISTS (
            SELECT FROM pitboss_slip AS back JOIN pitboss_signature AS s ON s.slip_id = back.id
            WHERE back.refers_to_id = NEW.id AND back.kind = 'request_cancellation'
              AND s.step = 'canceled' AND s.role IN ('supervisor', 'pit_manager', 'shift_manager')
        ) AND NOT EXISTS (
            SELECT FROM pitboss_signature AS s
            WHERE s.slip_id = NEW.id AND s.step NOT IN ('requested', 'top_signed')
        ) THEN
            RETURN NEW;
        END IF;
@PARTS@        IF NEW.status IN ('done', 'voided') AND EXISTS (
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
        IF NEW.status = 'withheld' AND NOT EXISTS (
            SELECT FROM pitboss_slip AS receipt
            WHERE receipt.refers_to_id = NEW.id AND receipt.kind = 'withheld_win'
              AND receipt.status = 'done'
        ) THEN
            RAISE EXCEPTION 'slip % cannot be withheld: no signed receipt refers to it',
                OLD.serial USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
"""
# Its parts are two, are signed by whoever signed it, and hold together what it holds: no cheque more,
# none less.
_PARTS = """
        IF NEW.status = 'voided' AND NEW.kind = 'fill' AND 2 = (
            SELECT count(*) FROM pitboss_slip AS part
            JOIN pitboss_signature AS s ON s.slip_id = part.id AND s.step = 'requested'
            JOIN pitboss_signature AS asked ON asked.slip_id = NEW.id AND asked.step = 'requested'
            WHERE part.refers_to_id = NEW.id AND part.kind = 'fill' AND part.status = 'open'
              AND part.details->>'part_of' = NEW.serial AND s.person_id = asked.person_id
              AND part.total_cents > 0
        ) AND NOT EXISTS (
            SELECT FROM pitboss_signature AS s
            WHERE s.slip_id = NEW.id AND s.step NOT IN ('requested', 'top_signed')
        ) AND NEW.cheques = (
            SELECT jsonb_object_agg(cents, together) FROM (
                SELECT line.key AS cents, sum(line.value::bigint) AS together
                FROM pitboss_slip AS part, jsonb_each_text(part.cheques) AS line
                WHERE part.refers_to_id = NEW.id AND part.details->>'part_of' = NEW.serial
                GROUP BY line.key) AS summed
        ) THEN
            RETURN NEW;
        END IF;
"""


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0029_webhooks")]

    operations = [
        migrations.RunSQL(_IN_INK.replace("@PARTS@", _PARTS), _IN_INK.replace("@PARTS@", "")),
    ]
