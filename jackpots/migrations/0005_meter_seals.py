"""Seals on meters and on the tables that play for them."""

from django.db import migrations, models

from pitboss.ink import sealed


def columns(model):
    return [
        migrations.AddField(
            model_name=model, name="version", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name=model,
            name="seal",
            field=models.CharField(default="", editable=False, max_length=160),
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0004_tax"), ("pitboss", "0007_row_seals")]

    operations = [
        *columns("meter"),
        *columns("meterlink"),
        sealed("jackpots_meter", "epoch"),
        sealed("jackpots_meterlink"),
    ]
