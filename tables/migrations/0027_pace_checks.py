"""Find the pace checks of some weeks without reading the whole floor log."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0026_compartments")]

    operations = [
        migrations.AddIndex(
            model_name="floorentry",
            index=models.Index(
                condition=models.Q(("kind", "pace_check")),
                fields=["at"],
                name="pace_checks_by_time",
            ),
        ),
    ]
