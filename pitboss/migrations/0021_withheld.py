"""Withheld wins: a slip ends so by the receipt that two have signed about it, and no other way."""

from django.db import migrations

# As in 0002_ink, and one more way to end.
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
        IF NOT (OLD.status = 'open' AND NEW.status IN ('done', 'voided', 'returning'@WITHHELD@)
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
@RECEIPT@        RETURN NEW;
    END $$;
"""
_RECEIPT = """
        IF NEW.status = 'withheld' AND NOT EXISTS (
            SELECT FROM pitboss_slip AS receipt
            WHERE receipt.refers_to_id = NEW.id AND receipt.kind = 'withheld_win'
              AND receipt.status = 'done'
        ) THEN
            RAISE EXCEPTION 'slip % cannot be withheld: no signed receipt refers to it',
                OLD.serial USING ERRCODE = 'restrict_violation';
        END IF;
"""
_STATUSES = ["open", "returning", "done", "voided", "returned"]


def _function(withheld: str, receipt: str) -> str:
    return _IN_INK.replace("@WITHHELD@", withheld).replace("@RECEIPT@", receipt)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0020_rules_versions")]

    operations = [
        migrations.RunSQL(_function(", 'withheld'", _RECEIPT), _function("", "")),
    ]
