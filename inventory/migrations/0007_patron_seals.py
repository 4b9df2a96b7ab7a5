"""Seals on patrons: a cipher, a card or a name put there by SQL decides nothing."""

from django.db import migrations

from pitboss.ink import sealed


class Migration(migrations.Migration):
    dependencies = [("inventory", "0006_late_papers"), ("pitboss", "0007_row_seals")]

    operations = [
        sealed("inventory_patron"),
    ]
