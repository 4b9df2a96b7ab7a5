"""A sign that was changed at an open table, in ink: without it no rules begin there."""

from django.db import migrations

from pitboss.ink import never_changed

SIGN_IS_CHANGED = migrations.RunSQL(
    """
    CREATE FUNCTION tables_sign_is_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM pitboss_slip WHERE id = NEW.slip_id AND kind = 'table_live_change')
        AND NOT EXISTS (
            SELECT FROM tables_signchange AS sign
            WHERE sign.slip_id = NEW.slip_id AND sign.table_id = NEW.table_id
              AND sign.at <= NEW.from_at) THEN
            RAISE EXCEPTION 'rules of table % refused: its sign was not changed', NEW.table_id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sign_is_changed BEFORE INSERT ON pitboss_rulesversion
        FOR EACH ROW EXECUTE FUNCTION tables_sign_is_changed();

    CREATE FUNCTION tables_sign_says_a_slip() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip
            WHERE id = NEW.slip_id AND kind = 'table_live_change' AND status = 'done'
              AND table_id = NEW.table_id) THEN
            RAISE EXCEPTION 'sign of table % refused: no done slip says this', NEW.table_id
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sign_says_a_slip BEFORE INSERT ON tables_signchange
        FOR EACH ROW EXECUTE FUNCTION tables_sign_says_a_slip();
    """,
    """
    DROP TRIGGER sign_says_a_slip ON tables_signchange;
    DROP FUNCTION tables_sign_says_a_slip();
    DROP TRIGGER sign_is_changed ON pitboss_rulesversion;
    DROP FUNCTION tables_sign_is_changed();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0010_approvals"), ("pitboss", "0020_rules_versions")]

    operations = [
        SIGN_IS_CHANGED,
        never_changed("tables_signchange"),
    ]
