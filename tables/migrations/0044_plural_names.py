"""The names of several rows, as the records list them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0043_counts_delivered")]

    operations = [
        migrations.AlterModelOptions(
            name="boxtally",
            options={"verbose_name_plural": "box tallies"},
        ),
        migrations.AlterModelOptions(
            name="dropbox",
            options={"verbose_name_plural": "drop boxes"},
        ),
        migrations.AlterModelOptions(
            name="keytaken",
            options={"verbose_name_plural": "keys taken"},
        ),
        migrations.AlterModelOptions(
            name="mismatch",
            options={"verbose_name_plural": "mismatches"},
        ),
        migrations.AlterModelOptions(
            name="pulledbox",
            options={"verbose_name_plural": "pulled boxes"},
        ),
        migrations.AlterModelOptions(
            name="runwatch",
            options={"verbose_name_plural": "run watches"},
        ),
    ]
