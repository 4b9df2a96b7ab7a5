"""Settled wins say what of the marker payments was cash: the statistical drop leaves it out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0015_drills")]

    operations = [
        migrations.AddField("settledwin", "marker_cash_cents", models.BigIntegerField(default=0)),
    ]
