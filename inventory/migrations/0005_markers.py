"""Credit in ink: lines and markers as signed, never past the line, and given back once."""

from django.db import migrations

from pitboss.ink import never_changed

# What a patron may owe and owes, as the service reckons it: the newest permanent line, what the
# newest temporary one adds while it holds, and all that was reserved and neither voided nor paid.
RECKONED = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_line_cents(of_patron bigint, at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE AS $$
        SELECT coalesce(sum(line.amount_cents), 0)::bigint FROM (
            SELECT DISTINCT ON (kind) amount_cents, holds_until
            FROM inventory_creditline
            WHERE patron_id = of_patron AND holds_from <= at
            ORDER BY kind, id DESC
        ) AS line WHERE line.holds_until IS NULL OR at < line.holds_until
    $$;
    CREATE FUNCTION inventory_owed_cents(of_patron bigint) RETURNS bigint
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
    CREATE FUNCTION inventory_standing(of_patron bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
        SELECT coalesce((
            SELECT standing FROM inventory_patronstanding
            WHERE patron_id = of_patron ORDER BY id DESC LIMIT 1), 'clear')
    $$;
    """,
    """
    DROP FUNCTION inventory_line_cents(bigint, timestamptz);
    DROP FUNCTION inventory_owed_cents(bigint);
    DROP FUNCTION inventory_standing(bigint);
    """,
)


# Two pits must not lend one line twice, whatever writes the row: the patron is locked here as well.
WITHIN_THE_LINE = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_marker_within_the_line() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER within_the_line BEFORE INSERT ON inventory_marker
        FOR EACH ROW EXECUTE FUNCTION inventory_marker_within_the_line();
    """,
    """
    DROP TRIGGER within_the_line ON inventory_marker;
    DROP FUNCTION inventory_marker_within_the_line();
    """,
)


# A marker is reserved, then issued or voided; paid no further than it was lent; in one place.
IN_ORDER = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_marker_entry_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER in_order BEFORE INSERT ON inventory_markerentry
        FOR EACH ROW EXECUTE FUNCTION inventory_marker_entry_in_order();
    """,
    """
    DROP TRIGGER in_order ON inventory_markerentry;
    DROP FUNCTION inventory_marker_entry_in_order();
    """,
)


# A line and a standing say what their signed slip says.
SIGNED_FOR = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_credit_is_signed_for() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER signed_for BEFORE INSERT ON inventory_creditline
        FOR EACH ROW EXECUTE FUNCTION inventory_credit_is_signed_for();
    CREATE TRIGGER signed_for BEFORE INSERT ON inventory_patronstanding
        FOR EACH ROW EXECUTE FUNCTION inventory_credit_is_signed_for();
    """,
    """
    DROP TRIGGER signed_for ON inventory_creditline;
    DROP TRIGGER signed_for ON inventory_patronstanding;
    DROP FUNCTION inventory_credit_is_signed_for();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0004_cards")]

    operations = [
        never_changed("inventory_creditline"),
        never_changed("inventory_patrondocument"),
        never_changed("inventory_patronstanding"),
        never_changed("inventory_marker"),
        never_changed("inventory_markerentry"),
        RECKONED,
        WITHIN_THE_LINE,
        IN_ORDER,
        SIGNED_FOR,
    ]
