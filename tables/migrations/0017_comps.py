"""Comps, points by hand, hosts and relations, each on its slip; answers to advice."""

from django.db import migrations

from pitboss.ink import never_changed

FITS = migrations.RunSQL(
    """
    CREATE FUNCTION tables_is_related(of_person bigint, of_patron bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
        SELECT coalesce((
            SELECT NOT ended FROM tables_relation
            WHERE person_id = of_person AND patron_id = of_patron ORDER BY id DESC LIMIT 1), false)
    $$;
    CREATE FUNCTION tables_lacks_authority(of_slip bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
        SELECT EXISTS (
            SELECT FROM pitboss_slip AS paper, jsonb_array_elements(paper.plan) AS planned(step)
            WHERE paper.id = of_slip AND planned.step->>'track' = 'main'
              AND planned.step->>'name' IN ('authorized', 'senior_authorized')
              AND NOT EXISTS (
                SELECT FROM pitboss_signature AS s
                WHERE s.slip_id = paper.id AND s.track = 'main'
                  AND s.step = planned.step->>'name'))
    $$;

    -- Two who spend one balance at once must not both, whatever writes the row.
    CREATE FUNCTION tables_comp_fits() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER fits BEFORE INSERT ON tables_comp
        FOR EACH ROW EXECUTE FUNCTION tables_comp_fits();

    CREATE FUNCTION tables_comp_entry_fits() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER fits BEFORE INSERT ON tables_compentry
        FOR EACH ROW EXECUTE FUNCTION tables_comp_entry_fits();

    CREATE FUNCTION tables_signed_about_a_patron() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER signed BEFORE INSERT ON tables_pointsentry FOR EACH ROW
        EXECUTE FUNCTION tables_signed_about_a_patron('points_by_hand', 'approved');
    CREATE TRIGGER signed BEFORE INSERT ON tables_patronhost FOR EACH ROW
        EXECUTE FUNCTION tables_signed_about_a_patron('patron_host', 'assigned');
    CREATE TRIGGER signed BEFORE INSERT ON tables_relation FOR EACH ROW
        EXECUTE FUNCTION tables_signed_about_a_patron('relation', 'confirmed');

    CREATE FUNCTION tables_scope_is_signed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s ON s.slip_id = paper.id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'system_access'
              AND (paper.details->>'device')::bigint = NEW.device_id
              AND paper.details->>'scope' = NEW.scope
              AND (paper.details->>'granted')::boolean = NEW.granted
              AND s.track = 'main' AND s.step = 'approved') THEN
            RAISE EXCEPTION 'scope refused: no slip signed for it says this'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER signed BEFORE INSERT ON tables_systemscope FOR EACH ROW
        EXECUTE FUNCTION tables_scope_is_signed();

    CREATE FUNCTION tables_rated_by_no_relative() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.patron_id IS NOT NULL AND tables_is_related(NEW.began_by_id, NEW.patron_id) THEN
            RAISE EXCEPTION 'a patron is not rated by a relative'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER by_no_relative BEFORE INSERT ON tables_playrating
        FOR EACH ROW EXECUTE FUNCTION tables_rated_by_no_relative();
    """,
    """
    DROP TRIGGER by_no_relative ON tables_playrating;
    DROP TRIGGER signed ON tables_systemscope;
    DROP TRIGGER signed ON tables_relation;
    DROP TRIGGER signed ON tables_patronhost;
    DROP TRIGGER signed ON tables_pointsentry;
    DROP TRIGGER fits ON tables_compentry;
    DROP TRIGGER fits ON tables_comp;
    DROP FUNCTION tables_rated_by_no_relative();
    DROP FUNCTION tables_scope_is_signed();
    DROP FUNCTION tables_signed_about_a_patron();
    DROP FUNCTION tables_comp_entry_fits();
    DROP FUNCTION tables_comp_fits();
    DROP FUNCTION tables_lacks_authority(bigint);
    DROP FUNCTION tables_is_related(bigint, bigint);
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0015_drills"),
        ("pitboss", "0022_hosts"),
        ("inventory", "0008_exclusion"),
    ]

    operations = [
        FITS,
        never_changed("tables_comp"),
        never_changed("tables_compentry"),
        never_changed("tables_pointsentry"),
        never_changed("tables_patronhost"),
        never_changed("tables_relation"),
        never_changed("tables_advicetaken"),
        never_changed("tables_systemscope"),
    ]
