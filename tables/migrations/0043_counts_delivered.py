"""Files that counting machines deliver by themselves, in ink, and two scopes that write."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [
        ("pitboss", "0037_vacuum_by_rows"),
        ("tables", "0042_vacuum_by_rows"),
    ]

    operations = [
        migrations.CreateModel(
            name="CountDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("machine", models.CharField(blank=True, max_length=40)),
                ("name", models.CharField(max_length=120)),
                ("content", models.TextField()),
                ("size", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64, unique=True)),
                ("boxes", models.JSONField()),
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
                "indexes": [models.Index(fields=["at"], name="delivery_by_time")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("size__gt", 0), ("size__lte", 500_000)),
                        name="delivery_is_some_file",
                    )
                ],
            },
        ),
        never_changed("tables_countdelivery"),
        migrations.RemoveConstraint(
            model_name="systemcall",
            name="system_call_scope_known",
        ),
        migrations.AlterField(
            model_name="systemcall",
            name="scope",
            field=models.CharField(
                choices=[
                    ("ratings.read", "Ratings.read"),
                    ("comps.read", "Comps.read"),
                    ("comps.redeem", "Comps.redeem"),
                    ("patrons.write", "Patrons.write"),
                    ("ledger.read", "Ledger.read"),
                    ("staff.read", "Staff.read"),
                    ("bookmarks.read", "Bookmarks.read"),
                    ("counts.write", "Counts.write"),
                    ("staff.write", "Staff.write"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="systemcall",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "scope__in",
                        [
                            "ratings.read",
                            "comps.read",
                            "comps.redeem",
                            "patrons.write",
                            "ledger.read",
                            "staff.read",
                            "bookmarks.read",
                            "counts.write",
                            "staff.write",
                        ],
                    )
                ),
                name="system_call_scope_known",
            ),
        ),
        migrations.RemoveConstraint(
            model_name="systemscope",
            name="system_scope_known",
        ),
        migrations.AlterField(
            model_name="systemscope",
            name="scope",
            field=models.CharField(
                choices=[
                    ("ratings.read", "Ratings.read"),
                    ("comps.read", "Comps.read"),
                    ("comps.redeem", "Comps.redeem"),
                    ("patrons.write", "Patrons.write"),
                    ("ledger.read", "Ledger.read"),
                    ("staff.read", "Staff.read"),
                    ("bookmarks.read", "Bookmarks.read"),
                    ("counts.write", "Counts.write"),
                    ("staff.write", "Staff.write"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="systemscope",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "scope__in",
                        [
                            "ratings.read",
                            "comps.read",
                            "comps.redeem",
                            "patrons.write",
                            "ledger.read",
                            "staff.read",
                            "bookmarks.read",
                            "counts.write",
                            "staff.write",
                        ],
                    )
                ),
                name="system_scope_known",
            ),
        ),
    ]
