"""Accounts in ink: suspended, on leave, and back by two signatures."""

from django.db import migrations

from pitboss.ink import never_changed

# Whoever comes back, and days of leave: by a slip about that person, signed by two.
BY_TWO = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_account_by_two() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN pitboss_signature AS s ON s.slip_id = paper.id
            WHERE paper.id = NEW.slip_id AND s.track = 'main'
              AND paper.kind = CASE NEW.step WHEN 'leave' THEN 'leave_of_absence'
                                             ELSE 'person_returns' END
              AND (paper.details->>'person')::bigint = NEW.person_id
            HAVING count(DISTINCT s.person_id) >= 2)
        THEN
            RAISE EXCEPTION 'account of % refused: two people sign for its %', NEW.person_id, NEW.step
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER account_by_two BEFORE INSERT ON pitboss_accountevent
        FOR EACH ROW WHEN (NEW.step = 'leave' OR (NEW.step = 'restored' AND NEW.slip_id IS NOT NULL))
        EXECUTE FUNCTION pitboss_account_by_two();
    """,
    """
    DROP TRIGGER account_by_two ON pitboss_accountevent;
    DROP FUNCTION pitboss_account_by_two();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0024_dual_rates")]

    operations = [
        never_changed("pitboss_accountevent"),
        BY_TWO,
    ]
