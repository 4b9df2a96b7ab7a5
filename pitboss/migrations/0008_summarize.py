"""Indexes by time take in new rows by themselves: a read of the last days stays short."""

from django.db import migrations

from pitboss.indexes import summarized


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0007_row_seals")]
    operations = [
        summarized("journalentry", "at", "entry_by_time"),
    ]
