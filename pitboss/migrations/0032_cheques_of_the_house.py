"""Cheques of the house are rows of its settings; three people sign each of them."""

from django.db import migrations

# A row about a cheque is on a slip of its own kind, and no other row is; it names that very cheque,
# and a gaming day to come, so that what was in play yesterday was.
VALUE_IS_SIGNED = """
    CREATE OR REPLACE FUNCTION pitboss_setting_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        signers bigint;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT count(DISTINCT person_id) INTO signers FROM pitboss_signature
        WHERE slip_id = NEW.slip_id AND track = 'main';
        IF paper.details->>'key' = NEW.key AND paper.details ? 'value'
           AND pitboss_two_people_signed(NEW.slip_id, NEW.holds_from)
           AND (paper.kind = 'cheque_change' AND signers >= 3 AND NEW.key LIKE 'cheques.%'
                OR paper.kind = 'setting_change' AND NEW.key NOT LIKE 'cheques.%') THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'setting % refused: no slip signed by two people says this', NEW.key
            USING ERRCODE = 'restrict_violation';
    END $$;
"""

BEFORE = """
    CREATE OR REPLACE FUNCTION pitboss_setting_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
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
"""

# As in `pitboss/rules/flows/fresh_pins.py`; a test compares them. A change of the house's cheques is
# a change of the house, which a PIN that others have just set does not sign.
_FRESH_PIN = """
    CREATE OR REPLACE FUNCTION pitboss_fresh_pin_signs_little() RETURNS trigger
    LANGUAGE plpgsql AS $$
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
                          'access_review', 'build_approval', 'tax_line'%s)
           OR worth > pitboss_number_set('people.reset_pin_limit', NEW.signed_at, 100000) THEN
            RAISE EXCEPTION 'signature %% on slip %% refused: others have just set this PIN',
                NEW.step, paper.serial USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0031_push_addresses")]

    operations = [
        migrations.RunSQL(VALUE_IS_SIGNED, BEFORE),
        migrations.RunSQL(_FRESH_PIN % ", 'cheque_change'", _FRESH_PIN % ""),
    ]
