"""Drop boxes that wait, guesses at their cash, and numbers that are explained: the last two in ink."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [
        ("pitboss", "0003_days"),
        ("tables", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DropEstimate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("gaming_day", models.DateField()),
                ("shift", models.CharField(max_length=20)),
                ("cash_cents", models.PositiveBigIntegerField()),
                ("keyed_at", models.DateTimeField()),
                ("request_id", models.UUIDField(unique=True)),
                (
                    "keyed_by",
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
                    models.Index(fields=["table", "gaming_day"], name="estimate_by_table_and_day")
                ],
            },
        ),
        migrations.CreateModel(
            name="DropWait",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "lifted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drop_waits",
                        to="pitboss.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("lifted_at", None)),
                        fields=("table",),
                        name="one_drop_wait_a_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("lifted_at", None), ("lifted_by", None)),
                            models.Q(
                                ("lifted_at__gte", models.F("asked_at")),
                                ("lifted_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="drop_wait_is_lifted_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SerialExplanation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("series", models.CharField(max_length=4)),
                ("year", models.PositiveSmallIntegerField()),
                ("number", models.PositiveIntegerField()),
                ("reason", models.CharField(max_length=500)),
                ("explained_at", models.DateTimeField()),
                (
                    "explained_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("series", "year", "number"), name="one_explanation_a_number"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="explanation_says_why",
                    ),
                ],
            },
        ),
        never_changed("tables_dropestimate"),
        never_changed("tables_serialexplanation"),
    ]
