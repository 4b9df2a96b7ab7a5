"""Counts of the cage, in ink like all the ledger."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [("inventory", "0002_ink")]

    operations = [
        migrations.CreateModel(
            name="CageCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("after_transfer", models.PositiveBigIntegerField()),
                ("cheques", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "slip",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.slip",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("slip",), name="one_cage_count_a_slip")
                ],
            },
        ),
        migrations.AddIndex(
            model_name="chequetransfer",
            index=models.Index(
                condition=models.Q(("source", "cage"), ("target", "cage"), _connector="OR"),
                fields=["id"],
                name="transfer_of_the_cage",
            ),
        ),
        never_changed("inventory_cagecount"),
    ]
