"""Seals on patrons: a cipher, a card or a name put there by SQL decides nothing."""

from django.db import migrations, models

from pitboss.ink import sealed


class Migration(migrations.Migration):
    dependencies = [("inventory", "0006_late_papers"), ("pitboss", "0007_row_seals")]

    operations = [
        migrations.AddField(
            model_name="patron", name="version", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="patron",
            name="seal",
            field=models.CharField(default="", editable=False, max_length=160),
        ),
        sealed("inventory_patron"),
    ]
