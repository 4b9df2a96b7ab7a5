"""Vacuum journal entries and signatures by their new rows, not by a share of the years before."""

from django.db import migrations

from pitboss.ink import vacuumed_by_rows


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0036_secondary_begins")]

    operations = [
        vacuumed_by_rows("pitboss_journalentry"),
        vacuumed_by_rows("pitboss_signature"),
    ]
