"""Limits of an open table: the outbox keeps the slip under its own name, and the change of sign."""

from django.db import migrations

KEPT = """
    CREATE OR REPLACE TRIGGER to_the_outbox AFTER INSERT ON pitboss_journalentry
        FOR EACH ROW WHEN (split_part(NEW.kind, '.', 1) IN (%s))
        EXECUTE FUNCTION pitboss_to_the_outbox();
"""
BEFORE = (
    "'big_win', 'closer', 'credit', 'day_close', 'fill', 'jackpot', 'live_change',"
    " 'opener', 'table_change', 'mismatch_settled'"
)
# As in `pitboss/rules/floor/table_events.py`; a test compares them.
NOW = (
    "'big_win', 'closer', 'credit', 'day_close', 'fill', 'jackpot', 'table_live_change',"
    " 'opener', 'table_change', 'mismatch_settled', 'sign_changed'"
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0034_rounds_told")]

    operations = [migrations.RunSQL(KEPT % NOW, KEPT % BEFORE)]
