"""Players' ratings: each ends once, a seat has one player, and figures are never changed."""

from django.db import migrations

from pitboss.ink import never_changed, sealed

FITS = migrations.RunSQL(
    """
    CREATE FUNCTION tables_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'UPDATE' THEN
            RAISE EXCEPTION '% is never removed', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF to_jsonb(OLD) ->> TG_ARGV[0] IS NOT NULL
           OR to_jsonb(NEW) ->> TG_ARGV[0] IS NULL
           OR to_jsonb(NEW) - TG_ARGV::text[] IS DISTINCT FROM to_jsonb(OLD) - TG_ARGV::text[] THEN
            RAISE EXCEPTION '% % ends once, and nothing else of it changes', TG_TABLE_NAME, OLD.id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER ends_once BEFORE UPDATE OR DELETE ON tables_playrating FOR EACH ROW
        EXECUTE FUNCTION tables_ends_once(
            'ended_at', 'end', 'ended_by_id', 'is_signed', 'guess_cents', 'version', 'seal');
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_playrating
        FOR EACH STATEMENT EXECUTE FUNCTION tables_ends_once();
    CREATE TRIGGER ends_once BEFORE UPDATE OR DELETE ON tables_seatheld FOR EACH ROW
        EXECUTE FUNCTION tables_ends_once('until', 'version', 'seal');
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_seatheld
        FOR EACH STATEMENT EXECUTE FUNCTION tables_ends_once();
    CREATE TRIGGER ends_once BEFORE UPDATE OR DELETE ON tables_away FOR EACH ROW
        EXECUTE FUNCTION tables_ends_once('until', 'version', 'seal');
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tables_away
        FOR EACH STATEMENT EXECUTE FUNCTION tables_ends_once();

    CREATE FUNCTION tables_rating_may_begin() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER may_begin BEFORE INSERT ON tables_playrating
        FOR EACH ROW EXECUTE FUNCTION tables_rating_may_begin();

    CREATE FUNCTION tables_seat_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM tables_seatheld
            WHERE table_id = NEW.table_id AND seat = NEW.seat
              AND (until IS NULL OR until > NEW.from_at)) THEN
            RAISE EXCEPTION 'this seat was taken then' USING ERRCODE = 'unique_violation';
        END IF;
        IF NEW.rating_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM tables_playrating
            WHERE id = NEW.rating_id AND table_id = NEW.table_id AND ended_at IS NULL
              AND began_at <= NEW.from_at) THEN
            RAISE EXCEPTION 'a seat belongs to a stay at its own table'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_seatheld
        FOR EACH ROW EXECUTE FUNCTION tables_seat_fits();

    CREATE FUNCTION tables_rating_leaves_seats() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.ended_at IS NOT NULL AND (
            EXISTS (SELECT FROM tables_seatheld WHERE rating_id = NEW.id
                    AND (until IS NULL OR until > NEW.ended_at))
            OR EXISTS (SELECT FROM tables_away WHERE rating_id = NEW.id
                       AND (until IS NULL OR until > NEW.ended_at))
            OR EXISTS (SELECT FROM tables_look WHERE rating_id = NEW.id AND at > NEW.ended_at))
        THEN
            RAISE EXCEPTION 'what was seen of a stay lies within it'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER leaves_seats AFTER UPDATE ON tables_playrating
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION tables_rating_leaves_seats();

    CREATE FUNCTION tables_within_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moment timestamptz := coalesce(
            (to_jsonb(NEW) ->> 'at')::timestamptz, (to_jsonb(NEW) ->> 'from_at')::timestamptz);
    BEGIN
        IF NOT EXISTS (
            SELECT FROM tables_playrating
            WHERE id = NEW.rating_id AND began_at <= moment AND ended_at IS NULL)
        OR EXISTS (
            SELECT FROM tables_away
            WHERE rating_id = NEW.rating_id AND from_at <= moment
              AND (until IS NULL OR until > moment)) THEN
            RAISE EXCEPTION 'outside the stay, or while the player was away'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER within_stay BEFORE INSERT ON tables_look
        FOR EACH ROW EXECUTE FUNCTION tables_within_stay();
    CREATE TRIGGER within_stay BEFORE INSERT ON tables_away
        FOR EACH ROW EXECUTE FUNCTION tables_within_stay();

    CREATE FUNCTION tables_money_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.entry_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM inventory_cashentry AS cash
            JOIN tables_playrating AS rating ON rating.id = NEW.rating_id
            WHERE cash.id = NEW.entry_id AND cash.amount_cents = NEW.amount_cents
              AND cash.table_id = rating.table_id AND cash.direction = 'in')
        OR NEW.marker_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM inventory_marker AS lent
            JOIN tables_playrating AS rating ON rating.id = NEW.rating_id
            WHERE lent.id = NEW.marker_id AND lent.amount_cents = NEW.amount_cents
              AND lent.patron_id = rating.patron_id) THEN
            RAISE EXCEPTION 'money of a rating is that of the day'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_ratingmoney
        FOR EACH ROW EXECUTE FUNCTION tables_money_fits();

    CREATE FUNCTION tables_figures_follow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM tables_playrating
                       WHERE id = NEW.rating_id AND ended_at IS NOT NULL)
        OR NEW.revision > 0 AND NOT EXISTS (
            SELECT FROM tables_ratingfigures
            WHERE rating_id = NEW.rating_id AND revision = NEW.revision - 1) THEN
            RAISE EXCEPTION 'figures follow the end, and each other'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER follow BEFORE INSERT ON tables_ratingfigures
        FOR EACH ROW EXECUTE FUNCTION tables_figures_follow();
    """,
    """
    DROP TRIGGER follow ON tables_ratingfigures;
    DROP TRIGGER fits ON tables_ratingmoney;
    DROP TRIGGER within_stay ON tables_away;
    DROP TRIGGER within_stay ON tables_look;
    DROP TRIGGER leaves_seats ON tables_playrating;
    DROP TRIGGER fits ON tables_seatheld;
    DROP TRIGGER may_begin ON tables_playrating;
    DROP TRIGGER ends_once ON tables_away;
    DROP TRIGGER ends_once ON tables_seatheld;
    DROP TRIGGER ends_once ON tables_playrating;
    DROP TRIGGER never_emptied ON tables_away;
    DROP TRIGGER never_emptied ON tables_seatheld;
    DROP TRIGGER never_emptied ON tables_playrating;
    DROP FUNCTION tables_figures_follow();
    DROP FUNCTION tables_money_fits();
    DROP FUNCTION tables_within_stay();
    DROP FUNCTION tables_rating_leaves_seats();
    DROP FUNCTION tables_seat_fits();
    DROP FUNCTION tables_rating_may_begin();
    DROP FUNCTION tables_ends_once();
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0012_drop_corrections"),
        ("pitboss", "0019_beside"),
        ("inventory", "0007_patron_seals"),
    ]

    operations = [
        FITS,
        sealed("tables_playrating"),
        sealed("tables_seatheld"),
        sealed("tables_away"),
        never_changed("tables_look"),
        never_changed("tables_ratingmoney"),
        never_changed("tables_ratingfigures"),
        never_changed("tables_mainedge"),
    ]
