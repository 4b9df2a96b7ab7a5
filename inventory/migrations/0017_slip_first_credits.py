"""Where the cage prints the slip of a credit first, no cheque of it leaves the table before that."""

from django.db import migrations

PRINTED_FIRST = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_credit_is_printed_first() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM pitboss_slip AS paper
            WHERE paper.id = NEW.slip_id AND paper.details @> '{"printed_first": true}'
        ) AND NOT EXISTS (
            SELECT FROM pitboss_slipprint AS printed WHERE printed.slip_id = NEW.slip_id
        ) THEN
            RAISE EXCEPTION 'the slip is not printed' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER credit_is_printed_first BEFORE INSERT ON inventory_chequetransfer
        FOR EACH ROW WHEN (NEW.source = 'tray' AND NEW.target = 'carrier')
        EXECUTE FUNCTION inventory_credit_is_printed_first();
    """,
    """
    DROP TRIGGER credit_is_printed_first ON inventory_chequetransfer;
    DROP FUNCTION inventory_credit_is_printed_first();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0016_card_corrections")]

    operations = [PRINTED_FIRST]
