"""Seals on meters and on the tables that play for them."""

from django.db import migrations

from pitboss.ink import sealed


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0004_tax"), ("pitboss", "0007_row_seals")]

    operations = [
        sealed("jackpots_meter", "epoch"),
        sealed("jackpots_meterlink"),
    ]
