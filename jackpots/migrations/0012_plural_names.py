"""The names of several rows, as the records list them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0011_late_wins")]

    operations = [
        migrations.AlterModelOptions(
            name="meterentry",
            options={"verbose_name_plural": "meter entries"},
        ),
    ]
