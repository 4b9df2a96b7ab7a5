"""Webhooks of other systems, and the outbox that a trigger fills in the transaction of an act."""

from django.db import migrations

from pitboss.ink import sealed

# As in `pitboss/rules/floor/table_events.py`; a test compares them.
OUTBOX = migrations.RunSQL(
    """
    CREATE FUNCTION pitboss_to_the_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO pitboss_outboxevent (entry_id) VALUES (NEW.id);
        RETURN NULL;
    END $$;
    CREATE TRIGGER to_the_outbox AFTER INSERT ON pitboss_journalentry
        FOR EACH ROW WHEN (split_part(NEW.kind, '.', 1) IN (
            'big_win', 'closer', 'credit', 'day_close', 'fill', 'jackpot', 'live_change',
            'opener', 'table_change', 'mismatch_settled'))
        EXECUTE FUNCTION pitboss_to_the_outbox();
    """,
    """
    DROP TRIGGER to_the_outbox ON pitboss_journalentry;
    DROP FUNCTION pitboss_to_the_outbox();
    """,
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0028_outages")]

    operations = [
        sealed("pitboss_webhook", "failing_since"),
        OUTBOX,
    ]
