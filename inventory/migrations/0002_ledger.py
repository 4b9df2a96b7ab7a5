"""The ledger is append-only: cheques that moved have moved; a correction is another transfer."""

from django.db import migrations

from pitboss.ink import never_changed

# A slip moves cheques of its own table's tray: there is no way from one tray to another.
OWN_TRAY = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_own_tray() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.table_id IS NOT NULL AND NEW.table_id IS DISTINCT FROM
            (SELECT table_id FROM pitboss_slip WHERE id = NEW.slip_id)
        THEN
            RAISE EXCEPTION 'a slip moves the cheques of its own table'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER own_tray BEFORE INSERT ON inventory_chequetransfer
        FOR EACH ROW EXECUTE FUNCTION inventory_own_tray();
    """,
    """
    DROP TRIGGER own_tray ON inventory_chequetransfer;
    DROP FUNCTION inventory_own_tray();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0001_initial"), ("pitboss", "0006_journal_heads")]

    operations = [
        never_changed("inventory_chequetransfer"),
        never_changed("inventory_traycount"),
        never_changed("inventory_cagecount"),
        never_changed("inventory_publicbalance"),
        OWN_TRAY,
    ]
