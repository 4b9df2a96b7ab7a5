"""The blind audit: which ratings are drawn, and what surveillance saw of each on video."""

from django.db import migrations

from pitboss.ink import never_changed

FITS = migrations.RunSQL(
    """
    CREATE FUNCTION tables_draw_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM tables_ratingfigures AS figures
            JOIN pitboss_journalseal AS seal ON seal.id = NEW.seal_id
            WHERE figures.rating_id = NEW.rating_id AND figures.revision = 0
              AND figures.made_at <= seal.at) THEN
            RAISE EXCEPTION 'a rating is drawn by a seal after its figures'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_ratingdraw
        FOR EACH ROW EXECUTE FUNCTION tables_draw_fits();

    CREATE FUNCTION tables_watcher_rated_nothing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM tables_ratingdraw AS draw
            JOIN tables_playrating AS rating ON rating.id = draw.rating_id
            WHERE draw.id = NEW.draw_id
              AND (NEW.officer_id IN (rating.began_by_id, rating.ended_by_id)
                   OR EXISTS (SELECT FROM tables_look
                              WHERE rating_id = rating.id AND by_id = NEW.officer_id))) THEN
            RAISE EXCEPTION 'who rated a player does not watch the rating'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_ratingseen
        FOR EACH ROW EXECUTE FUNCTION tables_watcher_rated_nothing();
    """,
    """
    DROP TRIGGER fits ON tables_ratingseen;
    DROP TRIGGER fits ON tables_ratingdraw;
    DROP FUNCTION tables_watcher_rated_nothing();
    DROP FUNCTION tables_draw_fits();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0022_keys"), ("pitboss", "0024_dual_rates")]

    operations = [
        FITS,
        never_changed("tables_ratingdraw"),
        never_changed("tables_ratingseen"),
    ]
