"""Nothing is written off by those alone who granted, issued or collected that credit."""

from django.db import migrations

INDEPENDENT = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_write_off_is_independent() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        lent inventory_marker;
        replaced jsonb;
    BEGIN
        SELECT * INTO lent FROM inventory_marker WHERE id = NEW.marker_id;
        SELECT coalesce(details->'replaced', '[]'::jsonb) INTO replaced
          FROM pitboss_slip WHERE id = lent.slip_id;
        IF NOT EXISTS (
            SELECT FROM pitboss_signature AS own
            WHERE own.slip_id = NEW.slip_id AND NOT EXISTS (
                SELECT FROM pitboss_signature AS part
                WHERE part.person_id = own.person_id AND part.slip_id IN (
                    SELECT slip_id FROM inventory_marker
                    WHERE id = lent.id OR id IN (
                        SELECT (each->>0)::bigint FROM jsonb_array_elements(replaced) AS each)
                    UNION ALL
                    SELECT slip_id FROM inventory_creditline
                    WHERE patron_id = lent.patron_id AND holds_from <= lent.issued_at)
            ) AND NOT EXISTS (
                SELECT FROM inventory_collectioncontact
                WHERE patron_id = lent.patron_id AND made_by_id = own.person_id)) THEN
            RAISE EXCEPTION 'marker % cannot be written off: everyone had a part in it', lent.id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER independent BEFORE INSERT ON inventory_markerentry
        FOR EACH ROW WHEN (NEW.move = 'written_off')
        EXECUTE FUNCTION inventory_write_off_is_independent();
    """,
    """
    DROP TRIGGER independent ON inventory_markerentry;
    DROP FUNCTION inventory_write_off_is_independent();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0022_payments_by_mail")]

    operations = [INDEPENDENT]
