"""Vacuum looks, payout checks, and confirmations by their new rows, however many years there are."""

from django.db import migrations

from pitboss.ink import vacuumed_by_rows


class Migration(migrations.Migration):
    dependencies = [("tables", "0041_hours_in_their_index")]

    operations = [
        vacuumed_by_rows("tables_look"),
        vacuumed_by_rows("tables_payoutcheck"),
        vacuumed_by_rows("tables_payoutconfirmation"),
    ]
