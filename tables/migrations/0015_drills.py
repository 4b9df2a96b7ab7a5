"""Drills that were answered: practice, kept as it was."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [
        ("pitboss", "0020_rules_versions"),
        ("tables", "0014_envy"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DrillAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveBigIntegerField()),
                ("wager", models.CharField(max_length=24)),
                ("stake_cents", models.PositiveBigIntegerField()),
                ("owed_cents", models.PositiveBigIntegerField()),
                ("answered_cents", models.PositiveBigIntegerField()),
                ("is_right", models.BooleanField()),
                ("milliseconds", models.PositiveIntegerField()),
                ("gaming_day", models.DateField()),
                ("at", models.DateTimeField()),
                ("request_id", models.UUIDField(unique=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.table",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["person", "-id"], name="drill_by_person"),
                    models.Index(fields=["gaming_day"], name="drill_by_day"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("answered_cents", models.F("owed_cents")), ("is_right", True)
                            ),
                            models.Q(
                                ("is_right", False),
                                models.Q(("answered_cents", models.F("owed_cents")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_drill_is_right_or_not",
                    )
                ],
            },
        ),
        never_changed("tables_drillanswer"),
    ]
