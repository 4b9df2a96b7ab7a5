"""Vacuum transfers of cheques by their new rows, not by a share of the years before."""

from django.db import migrations

from pitboss.ink import vacuumed_by_rows


class Migration(migrations.Migration):
    dependencies = [("inventory", "0026_corrected_checks_clear")]

    operations = [vacuumed_by_rows("inventory_chequetransfer")]
