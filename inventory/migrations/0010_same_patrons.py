"""Patrons on file twice: one file points to the other, as compliance approved."""

from django.db import migrations

from pitboss.ink import never_changed

SAME = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_patron_root(of_patron bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
        SELECT coalesce((
            SELECT same_as_id FROM inventory_samepatron
            WHERE patron_id = of_patron ORDER BY id DESC LIMIT 1), of_patron)
    $$;
    -- Every file of one person: the one that others point to, and those that do now.
    CREATE FUNCTION inventory_same_patrons(of_patron bigint) RETURNS SETOF bigint
    LANGUAGE sql STABLE ROWS 2 AS $$
        SELECT inventory_patron_root(of_patron)
        UNION
        SELECT joined.patron_id FROM inventory_samepatron AS joined
        WHERE joined.same_as_id = inventory_patron_root(of_patron)
          AND inventory_patron_root(joined.patron_id) = joined.same_as_id
    $$;
    -- Whoever is self-excluded on one file is so on all of them.
    CREATE OR REPLACE FUNCTION inventory_standing(of_patron bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
        SELECT CASE WHEN EXISTS (
            SELECT FROM inventory_same_patrons(of_patron) AS file(id)
            WHERE 'self_excluded' = (
                SELECT standing FROM inventory_patronstanding
                WHERE patron_id = file.id ORDER BY id DESC LIMIT 1))
        THEN 'self_excluded'
        ELSE coalesce((
            SELECT standing FROM inventory_patronstanding
            WHERE patron_id = of_patron ORDER BY id DESC LIMIT 1), 'clear') END
    $$;
    CREATE FUNCTION inventory_joined_by_two() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s ON s.slip_id = paper.id
            WHERE paper.id = NEW.slip_id AND paper.kind = 'same_patron'
              AND (paper.details->>'patron')::bigint = NEW.patron_id
              AND (paper.details->>'same_as')::bigint IS NOT DISTINCT FROM NEW.same_as_id
              AND s.track = 'main' AND s.step = 'approved') THEN
            RAISE EXCEPTION 'files are joined by a slip that two signed'
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.same_as_id IS NOT NULL AND (
            inventory_patron_root(NEW.same_as_id) <> NEW.same_as_id
            OR (SELECT count(*) FROM inventory_same_patrons(NEW.patron_id)) > 1) THEN
            RAISE EXCEPTION 'a file points to one that points nowhere'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER joined_by_two BEFORE INSERT ON inventory_samepatron
        FOR EACH ROW EXECUTE FUNCTION inventory_joined_by_two();
    """,
    """
    DROP TRIGGER joined_by_two ON inventory_samepatron;
    DROP FUNCTION inventory_joined_by_two();
    CREATE OR REPLACE FUNCTION inventory_standing(of_patron bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
        SELECT coalesce((
            SELECT standing FROM inventory_patronstanding
            WHERE patron_id = of_patron ORDER BY id DESC LIMIT 1), 'clear')
    $$;
    DROP FUNCTION inventory_same_patrons(bigint);
    DROP FUNCTION inventory_patron_root(bigint);
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0009_credit_in_full"), ("pitboss", "0024_dual_rates")]

    operations = [
        SAME,
        never_changed("inventory_samepatron"),
    ]
