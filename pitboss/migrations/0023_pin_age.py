"""PINs in ink, and none that is too old under a slip that was begun after its end."""

from django.db import migrations

from pitboss.ink import never_changed

# As in `pitboss/rules/people/pin_age.py`, with the default of the book; a test compares them.
OLD_PIN_SIGNS_NOTHING_NEW = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_old_pin_signs_nothing_new() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        days bigint := pitboss_number_set('people.pin_days', NEW.signed_at, 90);
        ends timestamptz;
        begun timestamptz;
    BEGIN
        SELECT pin_set_at + make_interval(days => days::int) INTO ends
        FROM pitboss_person WHERE id = NEW.person_id;
        SELECT raised_at INTO begun FROM pitboss_slip WHERE id = NEW.slip_id;
        IF days > 0 AND NEW.signed_at >= ends AND begun >= ends THEN
            RAISE EXCEPTION 'signature % refused: this PIN is too old', NEW.step
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER old_pin_signs_nothing_new BEFORE INSERT ON pitboss_signature
        FOR EACH ROW EXECUTE FUNCTION pitboss_old_pin_signs_nothing_new();
    """,
    """
    DROP TRIGGER old_pin_signs_nothing_new ON pitboss_signature;
    DROP FUNCTION pitboss_old_pin_signs_nothing_new();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0022_hosts")]

    operations = [
        never_changed("pitboss_usedpin"),
        OLD_PIN_SIGNS_NOTHING_NEW,
    ]
