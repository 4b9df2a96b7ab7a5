"""The names of several rows, as the records list them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("inventory", "0027_vacuum_by_rows")]

    operations = [
        migrations.AlterModelOptions(
            name="cashbehalf",
            options={"verbose_name_plural": "cash on behalf of others"},
        ),
        migrations.AlterModelOptions(
            name="markerentry",
            options={"ordering": ["id"], "verbose_name_plural": "marker entries"},
        ),
        migrations.AlterModelOptions(
            name="strangermatch",
            options={"verbose_name_plural": "stranger matches"},
        ),
    ]
