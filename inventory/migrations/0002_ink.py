"""The ledger is append-only: cheques that moved have moved; a correction is another transfer."""

from django.db import migrations

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [("inventory", "0001_initial"), ("pitboss", "0002_ink")]

    operations = [
        never_changed("inventory_chequetransfer"),
        never_changed("inventory_traycount"),
    ]
