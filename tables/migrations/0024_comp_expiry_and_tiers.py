"""Comps expire; a person with two files is one; loyalty systems tell tiers and hosts."""

from django.db import migrations

from pitboss.ink import never_changed

FITS = migrations.RunSQL(
    """
    CREATE OR REPLACE FUNCTION tables_is_related(of_person bigint, of_patron bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
        SELECT EXISTS (
            SELECT FROM inventory_same_patrons(of_patron) AS file(id)
            WHERE NOT (SELECT ended FROM tables_relation
                       WHERE person_id = of_person AND patron_id = file.id
                       ORDER BY id DESC LIMIT 1))
    $$;
    CREATE OR REPLACE FUNCTION tables_comp_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        given bigint;
        problem text;
    BEGIN
        PERFORM FROM inventory_patron
        WHERE id IN (SELECT inventory_same_patrons(NEW.patron_id))
        ORDER BY id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT coalesce(sum(value_cents - coalesce((
            SELECT amount_cents FROM tables_compentry
            WHERE comp_id = other.id AND move = 'expired'), 0)), 0)
        INTO given FROM tables_comp AS other
        WHERE other.patron_id IN (SELECT inventory_same_patrons(NEW.patron_id))
          AND other.trip_began >= NEW.trip_began
          AND NOT EXISTS (SELECT FROM tables_compentry
                          WHERE comp_id = other.id AND move = 'voided');
        problem := CASE
            WHEN inventory_standing(NEW.patron_id) = 'self_excluded' THEN 'the patron is barred'
            WHEN tables_is_related(NEW.issuer_id, NEW.patron_id) THEN 'the issuer is related'
            WHEN paper.kind NOT IN ('comp', 'cash_comp')
                 OR (paper.kind = 'cash_comp') <> (NEW.kind = 'cash')
                 OR (paper.details->>'patron')::bigint <> NEW.patron_id
                 OR (paper.details->>'amount_cents')::bigint <> NEW.value_cents
                 THEN 'its slip says something else'
            WHEN given <> NEW.given_cents THEN 'something was given since'
            WHEN NEW.value_cents > NEW.earned_cents - given AND NOT EXISTS (
                SELECT FROM jsonb_array_elements(paper.plan) AS planned(step)
                WHERE planned.step->>'name' IN ('authorized', 'senior_authorized'))
                 THEN 'it is over what is left, and its slip asks for no authority'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'comp of % refused: %', NEW.patron_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION tables_comp_entry_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        given tables_comp;
        moves text[];
        redeemed bigint;
        problem text;
    BEGIN
        SELECT * INTO given FROM tables_comp WHERE id = NEW.comp_id;
        PERFORM FROM inventory_patron
        WHERE id IN (SELECT inventory_same_patrons(given.patron_id))
        ORDER BY id FOR NO KEY UPDATE;
        SELECT coalesce(array_agg(move), '{}'),
               coalesce(sum(amount_cents) FILTER (WHERE move = 'redeemed'), 0)
        INTO moves, redeemed FROM tables_compentry WHERE comp_id = NEW.comp_id;
        problem := CASE
            WHEN 'voided' = ANY (moves) THEN 'it is void'
            WHEN 'expired' = ANY (moves) THEN 'it has expired'
            WHEN NEW.move = 'expired' AND NOT 'issued' = ANY (moves) THEN 'it is not issued'
            WHEN NEW.move = 'expired' AND NEW.amount_cents <> given.value_cents - redeemed
                 THEN 'it is not what is left'
            WHEN NEW.move = 'expired' AND inventory_standing(given.patron_id) = 'self_excluded'
                 THEN 'it is frozen'
            WHEN NEW.move NOT IN ('redeemed', 'expired') AND NEW.amount_cents <> given.value_cents
                 THEN 'it is another amount'
            WHEN NEW.move <> 'reserved' AND NOT 'reserved' = ANY (moves) THEN 'it is not reserved'
            WHEN NEW.move = 'issued' AND tables_lacks_authority(given.slip_id)
                 THEN 'no one authorized it'
            WHEN NEW.move = 'redeemed' AND NOT 'issued' = ANY (moves) THEN 'it is not issued'
            WHEN NEW.move = 'redeemed' AND redeemed + NEW.amount_cents > given.value_cents
                 THEN 'it is more than its value'
            WHEN NEW.move = 'redeemed' AND inventory_standing(given.patron_id) = 'self_excluded'
                 THEN 'the patron is barred'
            WHEN NEW.move = 'voided' AND redeemed > 0 THEN 'it was redeemed'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'comp % cannot be %: %', NEW.comp_id, NEW.move, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION tables_signed_about_a_patron() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        last_signed bigint;
    BEGIN
        -- A loyalty system assigns hosts by the scope that two people granted it.
        IF TG_ARGV[0] = 'patron_host' AND NEW.slip_id IS NULL AND (
            SELECT granted FROM tables_systemscope
            WHERE device_id = (to_jsonb(NEW)->>'device_id')::bigint AND scope = 'patrons.write'
            ORDER BY id DESC LIMIT 1) THEN
            RETURN NEW;
        END IF;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT person_id INTO last_signed FROM pitboss_signature
        WHERE slip_id = NEW.slip_id AND track = 'main' AND step = TG_ARGV[1];
        IF paper.kind IS DISTINCT FROM TG_ARGV[0] OR (paper.details->>'patron')::bigint <> NEW.patron_id
           OR last_signed IS NULL
           OR TG_ARGV[0] = 'points_by_hand'
              AND (paper.details->>'points')::bigint
                  <> (to_jsonb(NEW)->>'points')::bigint
           OR TG_ARGV[0] = 'relation'
              AND ((paper.details->>'person')::bigint <> (to_jsonb(NEW)->>'person_id')::bigint
                   OR last_signed = (to_jsonb(NEW)->>'person_id')::bigint) THEN
            RAISE EXCEPTION '% refused: no slip signed for it says this', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION tables_rating_may_begin() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT (SELECT is_open FROM pitboss_table WHERE id = NEW.table_id) THEN
            RAISE EXCEPTION 'no one plays at a closed table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.patron_id IS NULL THEN
            RETURN NEW;
        END IF;
        PERFORM FROM inventory_patron WHERE id IN (SELECT inventory_same_patrons(NEW.patron_id))
        ORDER BY id FOR NO KEY UPDATE;
        IF inventory_standing(NEW.patron_id) = 'self_excluded' THEN
            RAISE EXCEPTION 'who is excluded is not rated' USING ERRCODE = 'restrict_violation';
        END IF;
        -- Of one file a constraint says the same.
        IF EXISTS (
            SELECT FROM tables_playrating
            WHERE ended_at IS NULL AND patron_id <> NEW.patron_id
              AND patron_id IN (SELECT inventory_same_patrons(NEW.patron_id))) THEN
            RAISE EXCEPTION 'this person is rated on another file'
                USING ERRCODE = 'unique_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE FUNCTION tables_told_by_a_system() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT coalesce((
            SELECT granted FROM tables_systemscope
            WHERE device_id = NEW.device_id AND scope = 'patrons.write'
            ORDER BY id DESC LIMIT 1), false) THEN
            RAISE EXCEPTION 'this system was not granted to write patrons'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER told BEFORE INSERT ON tables_patrontier
        FOR EACH ROW EXECUTE FUNCTION tables_told_by_a_system();
    """,
    """
    DROP TRIGGER told ON tables_patrontier;
    DROP FUNCTION tables_told_by_a_system();
    CREATE OR REPLACE FUNCTION tables_is_related(of_person bigint, of_patron bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
        SELECT coalesce((
            SELECT NOT ended FROM tables_relation
            WHERE person_id = of_person AND patron_id = of_patron ORDER BY id DESC LIMIT 1), false)
    $$;
    CREATE OR REPLACE FUNCTION tables_comp_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        given bigint;
        problem text;
    BEGIN
        PERFORM FROM inventory_patron WHERE id = NEW.patron_id FOR NO KEY UPDATE;
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT coalesce(sum(value_cents), 0) INTO given FROM tables_comp AS other
        WHERE other.patron_id = NEW.patron_id AND other.trip_began >= NEW.trip_began
          AND NOT EXISTS (SELECT FROM tables_compentry
                          WHERE comp_id = other.id AND move = 'voided');
        problem := CASE
            WHEN inventory_standing(NEW.patron_id) = 'self_excluded' THEN 'the patron is barred'
            WHEN tables_is_related(NEW.issuer_id, NEW.patron_id) THEN 'the issuer is related'
            WHEN paper.kind NOT IN ('comp', 'cash_comp')
                 OR (paper.kind = 'cash_comp') <> (NEW.kind = 'cash')
                 OR (paper.details->>'patron')::bigint <> NEW.patron_id
                 OR (paper.details->>'amount_cents')::bigint <> NEW.value_cents
                 THEN 'its slip says something else'
            WHEN given <> NEW.given_cents THEN 'something was given since'
            WHEN NEW.value_cents > NEW.earned_cents - given AND NOT EXISTS (
                SELECT FROM jsonb_array_elements(paper.plan) AS planned(step)
                WHERE planned.step->>'name' IN ('authorized', 'senior_authorized'))
                 THEN 'it is over what is left, and its slip asks for no authority'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'comp of % refused: %', NEW.patron_id, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION tables_comp_entry_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        given tables_comp;
        moves text[];
        redeemed bigint;
        problem text;
    BEGIN
        SELECT * INTO given FROM tables_comp WHERE id = NEW.comp_id;
        PERFORM FROM inventory_patron WHERE id = given.patron_id FOR NO KEY UPDATE;
        SELECT coalesce(array_agg(move), '{}'),
               coalesce(sum(amount_cents) FILTER (WHERE move = 'redeemed'), 0)
        INTO moves, redeemed FROM tables_compentry WHERE comp_id = NEW.comp_id;
        problem := CASE
            WHEN 'voided' = ANY (moves) THEN 'it is void'
            WHEN NEW.move <> 'redeemed' AND NEW.amount_cents <> given.value_cents
                 THEN 'it is another amount'
            WHEN NEW.move <> 'reserved' AND NOT 'reserved' = ANY (moves) THEN 'it is not reserved'
            WHEN NEW.move = 'issued' AND tables_lacks_authority(given.slip_id)
                 THEN 'no one authorized it'
            WHEN NEW.move = 'redeemed' AND NOT 'issued' = ANY (moves) THEN 'it is not issued'
            WHEN NEW.move = 'redeemed' AND redeemed + NEW.amount_cents > given.value_cents
                 THEN 'it is more than its value'
            WHEN NEW.move = 'redeemed' AND inventory_standing(given.patron_id) = 'self_excluded'
                 THEN 'the patron is barred'
            WHEN NEW.move = 'voided' AND redeemed > 0 THEN 'it was redeemed'
        END;
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION 'comp % cannot be %: %', NEW.comp_id, NEW.move, problem
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION tables_signed_about_a_patron() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        paper pitboss_slip;
        last_signed bigint;
    BEGIN
        SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
        SELECT person_id INTO last_signed FROM pitboss_signature
        WHERE slip_id = NEW.slip_id AND track = 'main' AND step = TG_ARGV[1];
        IF paper.kind <> TG_ARGV[0] OR (paper.details->>'patron')::bigint <> NEW.patron_id
           OR last_signed IS NULL
           OR TG_ARGV[0] = 'points_by_hand'
              AND (paper.details->>'points')::bigint
                  <> (to_jsonb(NEW)->>'points')::bigint
           OR TG_ARGV[0] = 'relation'
              AND ((paper.details->>'person')::bigint <> (to_jsonb(NEW)->>'person_id')::bigint
                   OR last_signed = (to_jsonb(NEW)->>'person_id')::bigint) THEN
            RAISE EXCEPTION '% refused: no slip signed for it says this', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION tables_rating_may_begin() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT (SELECT is_open FROM pitboss_table WHERE id = NEW.table_id) THEN
            RAISE EXCEPTION 'no one plays at a closed table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF 'self_excluded' = (SELECT standing FROM inventory_patronstanding
                              WHERE patron_id = NEW.patron_id ORDER BY id DESC LIMIT 1) THEN
            RAISE EXCEPTION 'who is excluded is not rated' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0023_rating_audit"),
        ("pitboss", "0024_dual_rates"),
        ("inventory", "0010_same_patrons"),
    ]

    operations = [
        FITS,
        never_changed("tables_patrontier"),
    ]
