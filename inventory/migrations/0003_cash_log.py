"""The day's cash, in ink: what was logged stays, and is taken back only by another entry."""

from django.db import migrations

from pitboss.ink import never_changed

# Past the service too: a stranger is known by their description on one gaming day alone, and an
# entry is taken back whole, once, on a slip that two people signed about this very entry.
ENTRY_HOLDS = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_cash_entry_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        original inventory_cashentry;
        paper pitboss_slip;
        described_on date;
    BEGIN
        IF NEW.stranger_id IS NOT NULL THEN
            SELECT gaming_day INTO described_on FROM inventory_stranger
            WHERE id = NEW.stranger_id;
            IF described_on IS DISTINCT FROM NEW.gaming_day THEN
                RAISE EXCEPTION 'cash refused: its stranger was described on another gaming day'
                    USING ERRCODE = 'restrict_violation';
            END IF;
        END IF;
        IF NEW.reverses_id IS NOT NULL THEN
            SELECT * INTO original FROM inventory_cashentry WHERE id = NEW.reverses_id;
            SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
            IF original.reverses_id IS NOT NULL
               OR (original.kind, original.amount_cents, original.patron_id, original.stranger_id,
                   original.table_id, original.gaming_day)
                  IS DISTINCT FROM (NEW.kind, NEW.amount_cents, NEW.patron_id, NEW.stranger_id,
                                    NEW.table_id, NEW.gaming_day) THEN
                RAISE EXCEPTION 'reversal refused: it is not of an entry like this'
                    USING ERRCODE = 'restrict_violation';
            END IF;
            IF paper.kind IS DISTINCT FROM 'cash_correction' OR paper.status <> 'done'
               OR (paper.details->>'entry')::bigint IS DISTINCT FROM NEW.reverses_id THEN
                RAISE EXCEPTION 'reversal refused: no slip signed by two people says this'
                    USING ERRCODE = 'restrict_violation';
            END IF;
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER cash_entry_holds BEFORE INSERT ON inventory_cashentry
        FOR EACH ROW EXECUTE FUNCTION inventory_cash_entry_holds();
    """,
    """
    DROP TRIGGER cash_entry_holds ON inventory_cashentry;
    DROP FUNCTION inventory_cash_entry_holds();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("inventory", "0002_ledger")]

    operations = [
        ENTRY_HOLDS,
        never_changed("inventory_cashentry"),
        never_changed("inventory_currencyreport"),
        never_changed("inventory_currencyreportclosing"),
        never_changed("inventory_notereading"),
        never_changed("inventory_stranger"),
        never_changed("inventory_strangermatch"),
        never_changed("inventory_suspicionnote"),
    ]
