"""What HR says of people, in ink."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0037_vacuum_by_rows")]

    operations = [
        migrations.CreateModel(
            name="StaffWord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("employee_number", models.CharField(max_length=20)),
                ("is_employed", models.BooleanField()),
                ("fields", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.device",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["employee_number", "-id"], name="staff_word_latest")
                ],
            },
        ),
        never_changed("pitboss_staffword"),
    ]
