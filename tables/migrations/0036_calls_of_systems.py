"""What other systems of the house call, and three scopes more."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("pitboss", "0032_cheques_of_the_house"),
        ("tables", "0035_told_twice"),
    ]

    operations = [
        migrations.CreateModel(
            name="SystemCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("ratings.read", "Ratings.read"),
                            ("comps.read", "Comps.read"),
                            ("comps.redeem", "Comps.redeem"),
                            ("patrons.write", "Patrons.write"),
                            ("ledger.read", "Ledger.read"),
                            ("staff.read", "Staff.read"),
                            ("bookmarks.read", "Bookmarks.read"),
                        ],
                        max_length=16,
                    ),
                ),
                ("method", models.CharField(max_length=8)),
                ("status", models.PositiveSmallIntegerField()),
                ("code", models.CharField(blank=True, max_length=40)),
                ("number", models.CharField(max_length=32)),
                ("at", models.DateTimeField()),
            ],
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
                        ],
                    )
                ),
                name="system_scope_known",
            ),
        ),
        migrations.AddField(
            model_name="systemcall",
            name="device",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="pitboss.device"
            ),
        ),
        migrations.AddIndex(
            model_name="systemcall",
            index=models.Index(fields=["device", "-id"], name="system_call_latest"),
        ),
        migrations.AddIndex(
            model_name="systemcall",
            index=models.Index(fields=["at"], name="system_call_by_age"),
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
                        ],
                    )
                ),
                name="system_call_scope_known",
            ),
        ),
    ]
