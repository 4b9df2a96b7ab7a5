"""Deposits and instruments in ink: markers paid in every way, never past the line or a deposit."""

from django.db import migrations

from pitboss.ink import never_changed

# What was paid by checks that the bank may still return is not lent again.
LINE_WAITS = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_uncleared_cents(of_patron bigint, at_time timestamptz)
    RETURNS bigint LANGUAGE sql STABLE AS $$
        SELECT coalesce(sum(amount_cents), 0)::bigint FROM inventory_paymentinstrument
        WHERE patron_id = of_patron AND free_at > at_time AND NOT EXISTS (
            SELECT FROM inventory_returnedcheck AS back
            WHERE back.instrument_id = inventory_paymentinstrument.id)
    $$;
    CREATE OR REPLACE FUNCTION inventory_owed_cents(of_patron bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
        SELECT coalesce(sum(CASE entry.move
            WHEN 'reserved' THEN entry.amount_cents
            WHEN 'returned' THEN entry.amount_cents
            WHEN 'voided' THEN -entry.amount_cents
            WHEN 'paid' THEN -entry.amount_cents
            ELSE 0 END), 0)::bigint
        FROM inventory_markerentry AS entry
        JOIN inventory_marker AS marker ON marker.id = entry.marker_id
        WHERE marker.patron_id = of_patron
    $$;
    CREATE OR REPLACE FUNCTION inventory_marker_within_the_line() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        line bigint;
        remains bigint;
        problem text;
    BEGIN
        PERFORM FROM inventory_patron WHERE id = NEW.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        line := inventory_line_cents(NEW.patron_id, NEW.issued_at);
        remains := greatest(0, line - inventory_owed_cents(NEW.patron_id)
            - inventory_uncleared_cents(NEW.patron_id, NEW.issued_at));
        problem := CASE
            WHEN paper.kind <> 'marker' OR paper.status <> 'open' THEN 'its slip is no open marker'
            WHEN paper.total_cents <> NEW.amount_cents
                OR paper.details->>'patron' <> NEW.patron_id::text
                THEN 'its slip says otherwise'
            WHEN inventory_standing(NEW.patron_id) <> 'clear' THEN 'the patron''s credit is stopped'
            WHEN NEW.line_cents <> line THEN 'the line is another'
            WHEN NEW.amount_cents - NEW.over_line_cents > remains
                THEN 'only ' || remains || ' cents of the line remain'
            WHEN NEW.over_line_cents > 0
                AND NOT paper.plan @> '[{"name": "authorised", "track": "main"}]'
                THEN 'nobody is asked to authorise it'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'marker % refused: %', paper.serial, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION inventory_marker_entry_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        lent inventory_marker;
        paper pitboss_slip;
        moves text[];
        paid bigint;
        at_cage boolean;
        problem text;
    BEGIN
        SELECT * INTO lent FROM inventory_marker WHERE id = NEW.marker_id;
        PERFORM FROM inventory_patron WHERE id = lent.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT coalesce(array_agg(entry.move::text), '{}'),
               coalesce(sum(entry.amount_cents) FILTER (WHERE entry.move = 'paid'), 0)
               - coalesce(sum(entry.amount_cents) FILTER (WHERE entry.move = 'returned'), 0)
          INTO moves, paid
          FROM inventory_markerentry AS entry WHERE entry.marker_id = lent.id;
        SELECT entry.move = 'to_cage' INTO at_cage FROM inventory_markerentry AS entry
         WHERE entry.marker_id = lent.id AND entry.move IN ('to_cage', 'to_pit')
         ORDER BY entry.id DESC LIMIT 1;
        problem := CASE
            WHEN NEW.move IN ('reserved', 'issued', 'voided') AND NEW.slip_id <> lent.slip_id
                THEN 'it is on another slip'
            WHEN NEW.move IN ('reserved', 'issued', 'voided')
                AND NEW.amount_cents <> lent.amount_cents THEN 'the amount is another'
            WHEN NEW.move <> 'reserved' AND NOT 'reserved' = ANY (moves)
                THEN 'its line is not reserved'
            WHEN 'voided' = ANY (moves) THEN 'the marker is void'
            WHEN NEW.move = 'issued' AND paper.status <> 'done' THEN 'not all have signed'
            WHEN NEW.move = 'issued' AND inventory_standing(lent.patron_id) <> 'clear'
                THEN 'the patron''s credit is stopped'
            WHEN NEW.move = 'voided' AND 'issued' = ANY (moves) THEN 'its cheques are out'
            WHEN NEW.move = 'voided' AND paper.status <> 'voided' THEN 'its slip is not void'
            WHEN NEW.move IN ('paid', 'returned', 'to_cage', 'to_pit')
                AND NOT 'issued' = ANY (moves) THEN 'it was not issued'
            WHEN NEW.move = 'returned' AND (paper.status <> 'done'
                OR paper.kind <> 'check_return') THEN 'its slip is no signed return'
            WHEN NEW.move = 'returned' AND NEW.amount_cents > paid
                THEN 'more than was paid'
            WHEN NEW.move = 'paid' AND (paper.status <> 'done'
                OR paper.kind NOT IN ('marker_payment', 'marker_payment_cage',
                    'marker_payment_check', 'marker_payment_issued', 'marker_payment_wire',
                    'marker_payment_front', 'marker_set_off'))
                THEN 'its slip is no signed payment'
            WHEN NEW.move = 'paid' AND paid + NEW.amount_cents > lent.amount_cents
                THEN 'more than was lent'
            WHEN NEW.move = 'paid' AND (NEW.table_id IS NULL) <> coalesce(at_cage, false)
                THEN 'it is not paid where it is'
            WHEN NEW.move IN ('to_cage', 'to_pit')
                AND NEW.amount_cents <> lent.amount_cents - paid THEN 'the balance is another'
            WHEN NEW.move IN ('to_cage', 'to_pit') AND (paper.status <> 'done'
                OR paper.kind <> CASE NEW.move
                    WHEN 'to_cage' THEN 'marker_transfer' ELSE 'marker_recall' END)
                THEN 'its slip is no signed transfer'
            WHEN NEW.move IN ('to_cage', 'to_pit')
                AND coalesce(at_cage, false) = (NEW.move = 'to_cage') THEN 'it is there already'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'marker % cannot be %: %', lent.id, NEW.move, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    """,
    """
    CREATE OR REPLACE FUNCTION inventory_owed_cents(of_patron bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
        SELECT coalesce(sum(CASE entry.move
            WHEN 'reserved' THEN entry.amount_cents
            WHEN 'voided' THEN -entry.amount_cents
            WHEN 'paid' THEN -entry.amount_cents
            ELSE 0 END), 0)::bigint
        FROM inventory_markerentry AS entry
        JOIN inventory_marker AS marker ON marker.id = entry.marker_id
        WHERE marker.patron_id = of_patron
    $$;
    CREATE OR REPLACE FUNCTION inventory_marker_within_the_line() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        line bigint;
        remains bigint;
        problem text;
    BEGIN
        PERFORM FROM inventory_patron WHERE id = NEW.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        line := inventory_line_cents(NEW.patron_id, NEW.issued_at);
        remains := greatest(0, line - inventory_owed_cents(NEW.patron_id));
        problem := CASE
            WHEN paper.kind <> 'marker' OR paper.status <> 'open' THEN 'its slip is no open marker'
            WHEN paper.total_cents <> NEW.amount_cents
                OR paper.details->>'patron' <> NEW.patron_id::text
                THEN 'its slip says otherwise'
            WHEN inventory_standing(NEW.patron_id) <> 'clear' THEN 'the patron''s credit is stopped'
            WHEN NEW.line_cents <> line THEN 'the line is another'
            WHEN NEW.amount_cents - NEW.over_line_cents > remains
                THEN 'only ' || remains || ' cents of the line remain'
            WHEN NEW.over_line_cents > 0
                AND NOT paper.plan @> '[{"name": "authorised", "track": "main"}]'
                THEN 'nobody is asked to authorise it'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'marker % refused: %', paper.serial, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION inventory_marker_entry_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        lent inventory_marker;
        paper pitboss_slip;
        moves text[];
        paid bigint;
        at_cage boolean;
        problem text;
    BEGIN
        SELECT * INTO lent FROM inventory_marker WHERE id = NEW.marker_id;
        PERFORM FROM inventory_patron WHERE id = lent.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT coalesce(array_agg(entry.move::text), '{}'),
               coalesce(sum(entry.amount_cents) FILTER (WHERE entry.move = 'paid'), 0)
          INTO moves, paid
          FROM inventory_markerentry AS entry WHERE entry.marker_id = lent.id;
        SELECT entry.move = 'to_cage' INTO at_cage FROM inventory_markerentry AS entry
         WHERE entry.marker_id = lent.id AND entry.move IN ('to_cage', 'to_pit')
         ORDER BY entry.id DESC LIMIT 1;
        problem := CASE
            WHEN NEW.move IN ('reserved', 'issued', 'voided') AND NEW.slip_id <> lent.slip_id
                THEN 'it is on another slip'
            WHEN NEW.move IN ('reserved', 'issued', 'voided')
                AND NEW.amount_cents <> lent.amount_cents THEN 'the amount is another'
            WHEN NEW.move <> 'reserved' AND NOT 'reserved' = ANY (moves)
                THEN 'its line is not reserved'
            WHEN 'voided' = ANY (moves) THEN 'the marker is void'
            WHEN NEW.move = 'issued' AND paper.status <> 'done' THEN 'not all have signed'
            WHEN NEW.move = 'issued' AND inventory_standing(lent.patron_id) <> 'clear'
                THEN 'the patron''s credit is stopped'
            WHEN NEW.move = 'voided' AND 'issued' = ANY (moves) THEN 'its cheques are out'
            WHEN NEW.move = 'voided' AND paper.status <> 'voided' THEN 'its slip is not void'
            WHEN NEW.move IN ('paid', 'to_cage', 'to_pit') AND NOT 'issued' = ANY (moves)
                THEN 'it was not issued'
            WHEN NEW.move = 'paid' AND (paper.status <> 'done'
                OR paper.kind NOT IN ('marker_payment', 'marker_payment_cage'))
                THEN 'its slip is no signed payment'
            WHEN NEW.move = 'paid' AND paid + NEW.amount_cents > lent.amount_cents
                THEN 'more than was lent'
            WHEN NEW.move = 'paid' AND (NEW.table_id IS NULL) <> coalesce(at_cage, false)
                THEN 'it is not paid where it is'
            WHEN NEW.move IN ('to_cage', 'to_pit')
                AND NEW.amount_cents <> lent.amount_cents - paid THEN 'the balance is another'
            WHEN NEW.move IN ('to_cage', 'to_pit') AND (paper.status <> 'done'
                OR paper.kind <> CASE NEW.move
                    WHEN 'to_cage' THEN 'marker_transfer' ELSE 'marker_recall' END)
                THEN 'its slip is no signed transfer'
            WHEN NEW.move IN ('to_cage', 'to_pit')
                AND coalesce(at_cage, false) = (NEW.move = 'to_cage') THEN 'it is there already'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'marker % cannot be %: %', lent.id, NEW.move, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    DROP FUNCTION inventory_uncleared_cents(bigint, timestamptz);
    """,
)


# Past the service too: a deposit says what its signed slip says, and nobody takes out more than is
# there to use. Both rows of a payment from front money are written under the patron's lock.
DEPOSITS_HOLD = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_deposit_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        usable bigint;
        problem text;
    BEGIN
        PERFORM FROM inventory_patron WHERE id = NEW.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT coalesce(sum(CASE WHEN entry.move = 'deposited'
                THEN CASE WHEN entry.usable_at <= NEW.at THEN entry.amount_cents ELSE 0 END
                ELSE -entry.amount_cents END), 0)
          INTO usable FROM inventory_depositentry AS entry
         WHERE entry.patron_id = NEW.patron_id AND entry.account = NEW.account;
        problem := CASE
            WHEN paper.status <> 'done' OR paper.kind IS DISTINCT FROM CASE NEW.move
                WHEN 'deposited' THEN 'front_deposit'
                WHEN 'withdrawn' THEN 'front_withdrawal'
                ELSE 'marker_payment_front' END THEN 'its slip is not signed by all'
            WHEN paper.details->>'patron' <> NEW.patron_id::text
                OR paper.details->>'amount_cents' <> NEW.amount_cents::text
                OR coalesce(paper.details->>'account', 'front_money') <> NEW.account
                THEN 'its slip does not say so'
            WHEN NEW.move <> 'deposited' AND NEW.amount_cents > usable
                THEN 'only ' || usable || ' cents can be used'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'deposit % refused: %', paper.serial, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER deposit_holds BEFORE INSERT ON inventory_depositentry
        FOR EACH ROW EXECUTE FUNCTION inventory_deposit_holds();

    CREATE FUNCTION inventory_instrument_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            WHERE paper.id = NEW.slip_id AND paper.status = 'done'
              AND paper.kind IN ('marker_payment_check', 'marker_payment_issued',
                  'marker_payment_wire', 'marker_payment_front', 'marker_set_off')
              AND paper.details->>'patron' = NEW.patron_id::text
              AND paper.details->>'means' = NEW.means
              AND paper.details->>'amount_cents' = NEW.amount_cents::text) THEN
            RAISE EXCEPTION 'payment refused: no slip that all have signed says so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER instrument_is_signed_for BEFORE INSERT ON inventory_paymentinstrument
        FOR EACH ROW EXECUTE FUNCTION inventory_instrument_is_signed_for();
    """,
    """
    DROP TRIGGER instrument_is_signed_for ON inventory_paymentinstrument;
    DROP FUNCTION inventory_instrument_is_signed_for();
    DROP TRIGGER deposit_holds ON inventory_depositentry;
    DROP FUNCTION inventory_deposit_holds();
    """,
)


# A check that came back stops the credit of whoever wrote it, in the same transaction.
RETURNS_STOP = migrations.RunSQL(
    """
    CREATE OR REPLACE FUNCTION inventory_credit_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        entry jsonb := to_jsonb(NEW);
        fits boolean;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        fits := paper.details->>'patron' = NEW.patron_id::text AND CASE TG_TABLE_NAME
            WHEN 'inventory_creditline' THEN
                paper.kind = 'credit_line' AND paper.status = 'done'
                AND paper.details->>'amount_cents' = entry->>'amount_cents'
                AND paper.details->>'line' = entry->>'kind'
            WHEN 'inventory_patronstanding' THEN
                paper.kind = 'credit_stop' AND paper.status = 'open'
                    AND paper.details->>'standing' = entry->>'standing'
                OR paper.kind = 'check_return' AND paper.status = 'done'
                    AND entry->>'standing' = 'suspended'
                OR paper.kind = 'credit_stop' AND paper.status = 'voided'
                OR paper.kind = 'credit_restore' AND paper.status = 'done'
                    AND entry->>'standing' = 'clear'
            END;
        IF NOT coalesce(fits, false) THEN
            RAISE EXCEPTION '% refused: slip % does not say so', TG_TABLE_NAME, paper.serial
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE FUNCTION inventory_return_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            JOIN inventory_paymentinstrument AS instrument ON instrument.id = NEW.instrument_id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'check_return' AND paper.status = 'done'
              AND paper.refers_to_id = instrument.slip_id) THEN
            RAISE EXCEPTION 'return refused: no signed slip says so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER return_is_signed_for BEFORE INSERT ON inventory_returnedcheck
        FOR EACH ROW EXECUTE FUNCTION inventory_return_is_signed_for();
    """,
    """
    DROP TRIGGER return_is_signed_for ON inventory_returnedcheck;
    DROP FUNCTION inventory_return_is_signed_for();
    CREATE OR REPLACE FUNCTION inventory_credit_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        entry jsonb := to_jsonb(NEW);
        fits boolean;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        fits := paper.details->>'patron' = NEW.patron_id::text AND CASE TG_TABLE_NAME
            WHEN 'inventory_creditline' THEN
                paper.kind = 'credit_line' AND paper.status = 'done'
                AND paper.details->>'amount_cents' = entry->>'amount_cents'
                AND paper.details->>'line' = entry->>'kind'
            WHEN 'inventory_patronstanding' THEN
                paper.kind = 'credit_stop' AND paper.status = 'open'
                    AND paper.details->>'standing' = entry->>'standing'
                OR paper.kind = 'credit_stop' AND paper.status = 'voided'
                OR paper.kind = 'credit_restore' AND paper.status = 'done'
                    AND entry->>'standing' = 'clear'
            END;
        IF NOT coalesce(fits, false) THEN
            RAISE EXCEPTION '% refused: slip % does not say so', TG_TABLE_NAME, paper.serial
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0008_exclusion"), ("pitboss", "0021_withheld")]

    operations = [
        never_changed("inventory_depositentry"),
        never_changed("inventory_paymentinstrument"),
        never_changed("inventory_returnedcheck"),
        LINE_WAITS,
        DEPOSITS_HOLD,
        RETURNS_STOP,
    ]
