"""The database, too, refuses that two who were rated at once are one, and a match confirmed alone."""

from django.db import migrations

ONE_PERSON = migrations.RunSQL(
    """
    -- Who was rated as one of these files, or under a description that is matched to one of them.
    CREATE FUNCTION tables_stays_of(of_patron bigint)
    RETURNS TABLE (id bigint, began_at timestamptz, ended_at timestamptz)
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
        SELECT rating.id, rating.began_at, rating.ended_at FROM tables_playrating AS rating
        WHERE (rating.patron_id IN (SELECT inventory_same_patrons(of_patron))
               OR (SELECT patron_id FROM inventory_strangermatch AS matched
                   WHERE matched.stranger_id = rating.stranger_id ORDER BY matched.id DESC LIMIT 1)
                  IN (SELECT inventory_same_patrons(of_patron)))
          AND NOT EXISTS (SELECT FROM tables_ratingfigures AS figures
                          WHERE figures.rating_id = rating.id AND figures.is_void)
    $$;
    CREATE FUNCTION tables_not_rated_at_once() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    BEGIN
        IF TG_TABLE_NAME = 'inventory_samepatron' THEN
            IF (to_jsonb(NEW) ->> 'same_as_id') IS NOT NULL AND EXISTS (
                SELECT FROM tables_stays_of((to_jsonb(NEW) ->> 'patron_id')::bigint) AS one
                JOIN tables_stays_of((to_jsonb(NEW) ->> 'same_as_id')::bigint) AS other
                  ON one.id <> other.id
                 AND one.began_at < coalesce(other.ended_at, 'infinity')
                 AND other.began_at < coalesce(one.ended_at, 'infinity')) THEN
                RAISE EXCEPTION 'who was rated at the same time is not one person'
                    USING ERRCODE = 'restrict_violation';
            END IF;
        ELSIF (to_jsonb(NEW) ->> 'patron_id') IS NOT NULL AND EXISTS (
            SELECT FROM tables_stays_of((to_jsonb(NEW) ->> 'patron_id')::bigint) AS one
            JOIN tables_playrating AS other
              ON other.stranger_id = (to_jsonb(NEW) ->> 'stranger_id')::bigint
             AND one.id <> other.id
             AND one.began_at < coalesce(other.ended_at, 'infinity')
             AND other.began_at < coalesce(one.ended_at, 'infinity')
            WHERE NOT EXISTS (SELECT FROM tables_ratingfigures AS figures
                              WHERE figures.rating_id = other.id AND figures.is_void)) THEN
            RAISE EXCEPTION 'who was rated at the same time is not one person'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER not_rated_at_once BEFORE INSERT ON inventory_samepatron
        FOR EACH ROW EXECUTE FUNCTION tables_not_rated_at_once();
    CREATE TRIGGER not_rated_at_once BEFORE INSERT ON inventory_strangermatch
        FOR EACH ROW EXECUTE FUNCTION tables_not_rated_at_once();

    -- A second signature on a match makes play follow it: another person's, a manager of the pit's,
    -- and before the day of the description is closed.
    CREATE FUNCTION tables_confirmed_by_another() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        last inventory_strangermatch;
    BEGIN
        SELECT * INTO last FROM inventory_strangermatch
        WHERE stranger_id = NEW.stranger_id ORDER BY id DESC LIMIT 1;
        IF NOT FOUND OR NEW.patron_id IS DISTINCT FROM last.patron_id THEN
            RETURN NEW;
        END IF;
        IF NEW.patron_id IS NULL OR last.matched_by_id = NEW.matched_by_id
        OR last.patron_id IS NOT DISTINCT FROM (
            SELECT patron_id FROM inventory_strangermatch
            WHERE stranger_id = NEW.stranger_id AND id < last.id ORDER BY id DESC LIMIT 1)
        OR NOT EXISTS (
            SELECT FROM pitboss_person AS person WHERE person.id = NEW.matched_by_id
              AND (person.role IN ('pit_manager', 'shift_manager') OR EXISTS (
                   SELECT FROM pitboss_actingrole AS acting
                   WHERE acting.person_id = person.id
                     AND acting.role IN ('pit_manager', 'shift_manager')
                     AND acting.ended_at IS NULL)))
        OR EXISTS (
            SELECT FROM inventory_stranger AS stranger
            WHERE stranger.id = NEW.stranger_id AND (
                -- However late a gaming day begins, and however far west.
                NEW.matched_at >= (stranger.gaming_day::timestamp AT TIME ZONE 'UTC')
                                  + interval '48 hours'
                OR EXISTS (SELECT FROM pitboss_closedday AS closed
                           WHERE closed.gaming_day = stranger.gaming_day))) THEN
            RAISE EXCEPTION 'a match is confirmed once, by another manager, on its day'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER confirmed_by_another BEFORE INSERT ON inventory_strangermatch
        FOR EACH ROW EXECUTE FUNCTION tables_confirmed_by_another();
    """,
    """
    DROP TRIGGER confirmed_by_another ON inventory_strangermatch;
    DROP TRIGGER not_rated_at_once ON inventory_strangermatch;
    DROP TRIGGER not_rated_at_once ON inventory_samepatron;
    DROP FUNCTION tables_confirmed_by_another();
    DROP FUNCTION tables_not_rated_at_once();
    DROP FUNCTION tables_stays_of(bigint);
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0032_rating_prices"),
        ("inventory", "0017_slip_first_credits"),
        ("pitboss", "0032_cheques_of_the_house"),
    ]

    operations = [ONE_PERSON]
