"""Closed days as they are stated to a group, in ink, and two scopes more."""

from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [
        ("pitboss", "0040_tries_archived"),
        ("tables", "0044_plural_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="DayStatement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(unique=True)),
                ("gaming_day", models.DateField()),
                ("version", models.PositiveSmallIntegerField()),
                ("settled_to", models.BigIntegerField()),
                ("text", models.TextField()),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("key_mark", models.CharField(max_length=16)),
                ("signature", models.CharField(max_length=128)),
                ("stated_at", models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="systemcall",
            name="system_call_scope_known",
        ),
        migrations.RemoveConstraint(
            model_name="systemscope",
            name="system_scope_known",
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
                    ("group.read", "Group.read"),
                    ("lists.read", "Lists.read"),
                ],
                max_length=16,
            ),
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
                    ("group.read", "Group.read"),
                    ("lists.read", "Lists.read"),
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
                            "group.read",
                            "lists.read",
                        ],
                    )
                ),
                name="system_call_scope_known",
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
                            "group.read",
                            "lists.read",
                        ],
                    )
                ),
                name="system_scope_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="daystatement",
            constraint=models.UniqueConstraint(
                fields=("gaming_day", "version"), name="day_stated_once_a_version"
            ),
        ),
        migrations.AddConstraint(
            model_name="daystatement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("number__gt", 0),
                    ("version__gt", 0),
                    models.Q(("signature", ""), _negated=True),
                    ("text__contains", '"format":"pitboss.statement/1"'),
                ),
                name="a_statement_is_numbered_and_signed",
            ),
        ),
        never_changed("tables_daystatement"),
    ]
