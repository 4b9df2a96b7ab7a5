"""Checks from their due day to the bank, back, to collection, and written off; front money played."""

from importlib import import_module

from django.db import migrations

from pitboss.ink import never_changed

_BEFORE = import_module("inventory.migrations.0009_credit_in_full")


def _instead_of(before: migrations.RunSQL, sql: str) -> migrations.RunSQL:
    """Return an operation that replaces functions, and puts those of the release before back."""
    return migrations.RunSQL(sql, f"{before.reverse_sql}\n{before.sql}")


# What is at the bank is not lent again until it has cleared; one check may replace several; what
# was written off is no longer owed.
LINE_WAITS = _instead_of(
    _BEFORE.LINE_WAITS,
    """
    CREATE OR REPLACE FUNCTION inventory_uncleared_cents(of_patron bigint, at_time timestamptz)
    RETURNS bigint LANGUAGE sql STABLE AS $$
        SELECT coalesce(sum(waits.amount_cents), 0)::bigint FROM (
            SELECT paid.amount_cents FROM inventory_paymentinstrument AS paid
            WHERE paid.patron_id = of_patron AND paid.free_at > at_time AND NOT EXISTS (
                SELECT FROM inventory_returnedcheck AS back WHERE back.instrument_id = paid.id)
            UNION ALL
            SELECT sent.amount_cents FROM inventory_checkdeposit AS sent
            WHERE sent.patron_id = of_patron AND sent.free_at > at_time AND NOT EXISTS (
                SELECT FROM inventory_returneddeposit AS back WHERE back.deposit_id = sent.id)
        ) AS waits
    $$;
    CREATE OR REPLACE FUNCTION inventory_owed_cents(of_patron bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
        SELECT coalesce(sum(CASE
            WHEN entry.move IN ('reserved', 'returned', 'replaces') THEN entry.amount_cents
            WHEN entry.move IN ('voided', 'paid', 'deposited', 'replaced', 'written_off')
                THEN -entry.amount_cents
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
            -- It lends nothing: what it replaces is given back for it.
            WHEN paper.kind = 'consolidation' AND paper.status = 'done'
                AND paper.details->>'patron' = NEW.patron_id::text
                AND paper.details->>'amount_cents' = NEW.amount_cents::text THEN NULL
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
        taken bigint;
        given_up bigint;
        at_cage boolean;
        problem text;
    BEGIN
        SELECT * INTO lent FROM inventory_marker WHERE id = NEW.marker_id;
        PERFORM FROM inventory_patron WHERE id = lent.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        -- What was paid or is at the bank, all that is no longer owed, and what nobody expects.
        SELECT coalesce(array_agg(entry.move::text), '{}'),
               coalesce(sum(entry.amount_cents)
                   FILTER (WHERE entry.move IN ('paid', 'deposited')), 0)
               - coalesce(sum(entry.amount_cents) FILTER (WHERE entry.move = 'returned'), 0),
               coalesce(sum(entry.amount_cents)
                   FILTER (WHERE entry.move IN ('paid', 'deposited', 'replaced', 'written_off')), 0)
               - coalesce(sum(entry.amount_cents) FILTER (WHERE entry.move = 'returned'), 0),
               coalesce(sum(entry.amount_cents) FILTER (WHERE entry.move = 'written_off'), 0)
               - coalesce(sum(entry.amount_cents) FILTER (WHERE entry.move = 'recovered'), 0)
          INTO moves, paid, taken, given_up
          FROM inventory_markerentry AS entry WHERE entry.marker_id = lent.id;
        SELECT entry.move <> 'to_pit' INTO at_cage FROM inventory_markerentry AS entry
         WHERE entry.marker_id = lent.id AND entry.move IN ('to_cage', 'to_pit', 'replaces')
         ORDER BY entry.id DESC LIMIT 1;
        problem := CASE
            WHEN NEW.move IN ('reserved', 'issued', 'voided', 'replaces')
                AND NEW.slip_id <> lent.slip_id THEN 'it is on another slip'
            WHEN NEW.move IN ('reserved', 'issued', 'voided', 'replaces')
                AND NEW.amount_cents <> lent.amount_cents THEN 'the amount is another'
            WHEN NEW.move = 'replaces' AND (paper.kind <> 'consolidation' OR paper.status <> 'done'
                OR moves <> '{}') THEN 'its slip is no signed consolidation'
            WHEN NEW.move = 'replaces' AND NEW.amount_cents <> (
                SELECT coalesce(sum(entry.amount_cents), 0) FROM inventory_markerentry AS entry
                WHERE entry.slip_id = NEW.slip_id AND entry.move = 'replaced')
                THEN 'it is not what it replaces'
            WHEN NEW.move NOT IN ('reserved', 'replaces')
                AND NOT moves && ARRAY['reserved', 'replaces'] THEN 'its line is not reserved'
            WHEN 'voided' = ANY (moves) THEN 'the marker is void'
            WHEN NEW.move = 'issued' AND (paper.status <> 'done' OR paper.kind <> 'marker')
                THEN 'not all have signed'
            WHEN NEW.move = 'issued' AND inventory_standing(lent.patron_id) <> 'clear'
                THEN 'the patron''s credit is stopped'
            WHEN NEW.move = 'voided' AND 'issued' = ANY (moves) THEN 'its cheques are out'
            WHEN NEW.move = 'voided' AND paper.status <> 'voided' THEN 'its slip is not void'
            WHEN NEW.move NOT IN ('reserved', 'issued', 'voided', 'replaces')
                AND NOT moves && ARRAY['issued', 'replaces'] THEN 'it was not issued'
            WHEN NEW.move = 'returned' AND (paper.status <> 'done'
                OR paper.kind <> 'check_return') THEN 'its slip is no signed return'
            WHEN NEW.move = 'returned' AND NEW.amount_cents > paid
                THEN 'more than was paid'
            WHEN NEW.move = 'paid' AND (paper.status <> 'done'
                OR paper.kind NOT IN ('marker_payment', 'marker_payment_cage',
                    'marker_payment_check', 'marker_payment_issued', 'marker_payment_wire',
                    'marker_payment_front', 'marker_set_off'))
                THEN 'its slip is no signed payment'
            WHEN NEW.move = 'deposited' AND (paper.status <> 'done'
                OR paper.kind <> 'check_deposit') THEN 'its slip is no signed batch'
            WHEN NEW.move = 'replaced' AND (paper.status <> 'done'
                OR paper.kind <> 'consolidation') THEN 'its slip is no signed consolidation'
            WHEN NEW.move = 'written_off' AND (paper.status <> 'done'
                OR paper.kind <> 'write_off' OR paper.details->>'marker' <> lent.id::text
                OR paper.details->>'amount_cents' <> NEW.amount_cents::text)
                THEN 'its slip is no signed write-off'
            WHEN NEW.move = 'recovered' AND (paper.status <> 'done'
                OR paper.kind <> 'marker_recovery' OR paper.details->>'marker' <> lent.id::text
                OR paper.details->>'amount_cents' <> NEW.amount_cents::text)
                THEN 'its slip is no signed recovery'
            WHEN NEW.move = 'recovered' AND NEW.amount_cents > given_up
                THEN 'more than was written off'
            WHEN NEW.move IN ('paid', 'deposited', 'replaced', 'written_off')
                AND taken + NEW.amount_cents > lent.amount_cents THEN 'more than was lent'
            WHEN NEW.move = 'replaced' AND moves && ARRAY['deposited', 'returned']
                THEN 'it was at the bank'
            WHEN NEW.move = 'replaced' AND taken + NEW.amount_cents <> lent.amount_cents
                THEN 'the balance is another'
            WHEN NEW.move IN ('paid', 'deposited', 'replaced', 'written_off')
                AND (NEW.table_id IS NULL) <> coalesce(at_cage, false)
                THEN 'it is not paid where it is'
            WHEN NEW.move IN ('to_cage', 'to_pit')
                AND NEW.amount_cents <> lent.amount_cents - taken THEN 'the balance is another'
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
)


# Front money is set aside at a table by the first signature, and given back when that is void.
DEPOSITS_HOLD = _instead_of(
    _BEFORE.DEPOSITS_HOLD,
    """
    CREATE OR REPLACE FUNCTION inventory_deposit_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        usable bigint;
        problem text;
    BEGIN
        PERFORM FROM inventory_patron WHERE id = NEW.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT coalesce(sum(CASE
                WHEN entry.move = 'put_back' THEN entry.amount_cents
                WHEN entry.move <> 'deposited' THEN -entry.amount_cents
                WHEN entry.usable_at <= NEW.at THEN entry.amount_cents
                ELSE 0 END), 0)
          INTO usable FROM inventory_depositentry AS entry
         WHERE entry.patron_id = NEW.patron_id AND entry.account = NEW.account;
        problem := CASE
            WHEN paper.status IS DISTINCT FROM CASE NEW.move
                    WHEN 'drawn' THEN 'open' WHEN 'put_back' THEN 'voided' ELSE 'done' END
                OR paper.kind IS DISTINCT FROM CASE NEW.move
                    WHEN 'deposited' THEN 'front_deposit'
                    WHEN 'withdrawn' THEN 'front_withdrawal'
                    WHEN 'paid_marker' THEN 'marker_payment_front'
                    ELSE 'front_draw' END THEN 'its slip is not signed by all'
            WHEN paper.details->>'patron' <> NEW.patron_id::text
                OR paper.details->>'amount_cents' <> NEW.amount_cents::text
                OR coalesce(paper.details->>'account', 'front_money') <> NEW.account
                THEN 'its slip does not say so'
            WHEN NEW.move NOT IN ('deposited', 'put_back') AND NEW.amount_cents > usable
                THEN 'only ' || usable || ' cents can be used'
            WHEN NEW.move = 'put_back' AND NOT EXISTS (
                SELECT FROM inventory_depositentry AS entry
                WHERE entry.slip_id = NEW.slip_id AND entry.move = 'drawn')
                THEN 'nothing was drawn on it'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'deposit % refused: %', paper.serial, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    """,
)


# What came back stops credit, and so does what is given up.
RETURNS_STOP = _instead_of(
    _BEFORE.RETURNS_STOP,
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
                OR paper.kind IN ('check_return', 'write_off') AND paper.status = 'done'
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
    CREATE OR REPLACE FUNCTION inventory_return_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            JOIN inventory_paymentinstrument AS instrument ON instrument.id = NEW.instrument_id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'check_return' AND paper.status = 'done'
              AND (paper.refers_to_id = instrument.slip_id OR EXISTS (
                  SELECT FROM inventory_checkdeposit AS sent
                  WHERE sent.slip_id = paper.refers_to_id AND sent.attempt = 1
                    AND sent.instrument_id = instrument.id
                    AND sent.id::text = paper.details->>'deposit'))) THEN
            RAISE EXCEPTION 'return refused: no signed slip says so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    """,
)


# A batch names each of its checks; what came back of it is entered by a signed return.
BATCHES = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_bank_deposit_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            JOIN pitboss_slip AS sent ON sent.id = coalesce(
                (SELECT slip_id FROM inventory_marker WHERE id = NEW.marker_id),
                (SELECT slip_id FROM inventory_paymentinstrument WHERE id = NEW.instrument_id))
            WHERE paper.id = NEW.slip_id AND paper.kind = 'check_deposit' AND paper.status = 'done'
              AND paper.details->'checks' @> jsonb_build_array(
                  jsonb_build_array(sent.serial, NEW.patron_id))) THEN
            RAISE EXCEPTION 'deposit refused: no signed batch names this check'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed_for BEFORE INSERT ON inventory_checkdeposit
        FOR EACH ROW EXECUTE FUNCTION inventory_bank_deposit_is_signed_for();
    CREATE FUNCTION inventory_returned_deposit_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            JOIN inventory_checkdeposit AS sent ON sent.id = NEW.deposit_id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'check_return' AND paper.status = 'done'
              AND paper.refers_to_id = sent.slip_id
              AND paper.details->>'deposit' = sent.id::text) THEN
            RAISE EXCEPTION 'return refused: no signed slip says so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed_for BEFORE INSERT ON inventory_returneddeposit
        FOR EACH ROW EXECUTE FUNCTION inventory_returned_deposit_is_signed_for();
    """,
    """
    DROP TRIGGER signed_for ON inventory_returneddeposit;
    DROP FUNCTION inventory_returned_deposit_is_signed_for();
    DROP TRIGGER signed_for ON inventory_checkdeposit;
    DROP FUNCTION inventory_bank_deposit_is_signed_for();
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0010_same_patrons"),
        ("pitboss", "0027_controller_and_collector"),
    ]

    operations = [
        never_changed("inventory_checkdeposit"),
        never_changed("inventory_returneddeposit"),
        never_changed("inventory_collectioncontact"),
        LINE_WAITS,
        DEPOSITS_HOLD,
        RETURNS_STOP,
        BATCHES,
    ]
