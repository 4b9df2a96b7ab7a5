"""Which terminals report every round of their tables, as managers said."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0033_one_pin")]

    operations = [
        migrations.CreateModel(
            name="RoundsTold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("tells_every_round", models.BooleanField()),
                ("since", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds_told",
                        to="pitboss.device",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "rounds told",
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["device", "-id"], name="rounds_told_latest"),
                ],
            },
        ),
        never_changed("pitboss_roundstold"),
    ]
