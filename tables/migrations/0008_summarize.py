"""Indexes by time take in new rows by themselves: a read of the last days stays short."""

from django.db import migrations

from pitboss.indexes import summarized


class Migration(migrations.Migration):
    dependencies = [("tables", "0007_pulled_boxes")]
    operations = [
        summarized("payoutcheck", "at", "check_by_time"),
        summarized("round", "started_at", "round_by_time"),
    ]
