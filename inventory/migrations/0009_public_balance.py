"""What the public held when a day was closed, in ink like all the ledger."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0008_cards"),
        ("pitboss", "0006_table_setup"),
    ]

    operations = [
        migrations.CreateModel(
            name="PublicBalance",
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
                    models.UniqueConstraint(fields=("slip",), name="one_public_balance_a_slip")
                ],
            },
        ),
        migrations.RemoveIndex(model_name="chequetransfer", name="transfer_of_the_public"),
        migrations.AddIndex(
            model_name="chequetransfer",
            index=models.Index(
                condition=models.Q(("source", "public"), ("target", "public"), _connector="OR"),
                fields=["id"],
                name="transfer_of_the_public",
            ),
        ),
        never_changed("inventory_publicbalance"),
    ]
