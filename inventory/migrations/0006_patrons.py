"""Patrons and their credit: what was filed or granted is in ink, their names and cards are not."""

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0005_own_tray"),
        ("pitboss", "0006_table_setup"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Patron",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_name", models.CharField(max_length=40)),
                ("middle_name", models.CharField(blank=True, max_length=40)),
                ("last_name", models.CharField(max_length=40)),
                ("name_suffix", models.CharField(blank=True, max_length=10)),
                ("street", models.CharField(blank=True, max_length=80)),
                ("street_more", models.CharField(blank=True, max_length=80)),
                ("city", models.CharField(blank=True, max_length=60)),
                ("region", models.CharField(blank=True, max_length=40)),
                ("postal_code", models.CharField(blank=True, max_length=16)),
                ("country", models.CharField(default="US", max_length=2)),
                ("born_on", models.DateField(blank=True, null=True)),
                ("player_card", models.CharField(blank=True, max_length=20)),
                (
                    "tax_id_kind",
                    models.CharField(
                        blank=True,
                        choices=[("ssn", "Ssn"), ("itin", "Itin"), ("foreign", "Foreign")],
                        max_length=8,
                    ),
                ),
                ("tax_id_cipher", models.TextField(blank=True)),
                ("tax_id_index", models.CharField(blank=True, max_length=64)),
                ("tax_id_ends", models.CharField(blank=True, max_length=4)),
                ("tax_country", models.CharField(default="US", max_length=2)),
                ("added_at", models.DateTimeField()),
                ("request_id", models.UUIDField(unique=True)),
                (
                    "added_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["last_name", "first_name", "id"],
            },
        ),
        migrations.CreateModel(
            name="CreditLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("permanent", "Permanent"), ("temporary", "Temporary")],
                        max_length=10,
                    ),
                ),
                ("amount_cents", models.PositiveBigIntegerField()),
                ("holds_from", models.DateTimeField()),
                ("holds_until", models.DateTimeField(null=True)),
                ("bank", models.CharField(blank=True, max_length=80)),
                ("account_cipher", models.TextField(blank=True)),
                ("account_ends", models.CharField(blank=True, max_length=4)),
                (
                    "slip",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="pitboss.slip",
                    ),
                ),
                (
                    "patron",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="credit_lines",
                        to="inventory.patron",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="PatronDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("photo", "Photo"),
                            ("signature", "Signature"),
                            ("driving_licence", "Driving licence"),
                            ("passport", "Passport"),
                            ("state_id", "State id"),
                            ("alien_card", "Alien card"),
                            ("other_id", "Other id"),
                        ],
                        max_length=16,
                    ),
                ),
                ("number_cipher", models.TextField(blank=True)),
                ("number_ends", models.CharField(blank=True, max_length=4)),
                ("issuer", models.CharField(blank=True, max_length=60)),
                ("expires_on", models.DateField(blank=True, null=True)),
                ("media_type", models.CharField(blank=True, max_length=20)),
                ("content_cipher", models.TextField(blank=True)),
                ("added_at", models.DateTimeField()),
                ("request_id", models.UUIDField(unique=True)),
                (
                    "added_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "patron",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="documents",
                        to="inventory.patron",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="PatronStanding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "standing",
                    models.CharField(
                        choices=[
                            ("clear", "Clear"),
                            ("suspended", "Suspended"),
                            ("self_excluded", "Self excluded"),
                        ],
                        max_length=16,
                    ),
                ),
                ("since", models.DateTimeField()),
                (
                    "patron",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="standings",
                        to="inventory.patron",
                    ),
                ),
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
                "ordering": ["-id"],
            },
        ),
        migrations.AddIndex(
            model_name="patron",
            index=models.Index(
                django.db.models.functions.text.Upper("last_name"),
                django.db.models.functions.text.Upper("first_name"),
                name="patron_by_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="patron",
            constraint=models.UniqueConstraint(
                condition=models.Q(("tax_id_index", ""), _negated=True),
                fields=("tax_id_index",),
                name="a_tax_id_is_one_patron",
            ),
        ),
        migrations.AddConstraint(
            model_name="patron",
            constraint=models.UniqueConstraint(
                condition=models.Q(("player_card", ""), _negated=True),
                fields=("player_card",),
                name="a_player_card_is_one_patron",
            ),
        ),
        migrations.AddConstraint(
            model_name="patron",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("tax_id_cipher", ""),
                        ("tax_id_ends", ""),
                        ("tax_id_index", ""),
                        ("tax_id_kind", ""),
                    ),
                    models.Q(
                        models.Q(("tax_id_cipher", ""), _negated=True),
                        models.Q(("tax_id_index", ""), _negated=True),
                        ("tax_id_kind__in", ["ssn", "itin", "foreign"]),
                    ),
                    _connector="OR",
                ),
                name="a_tax_id_is_in_cipher_and_indexed",
            ),
        ),
        migrations.AddIndex(
            model_name="creditline",
            index=models.Index(fields=["patron", "kind", "-id"], name="credit_line_latest"),
        ),
        migrations.AddConstraint(
            model_name="creditline",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["permanent", "temporary"])),
                name="credit_line_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="creditline",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("holds_until", None), ("kind", "permanent")),
                    models.Q(("holds_until__gt", models.F("holds_from")), ("kind", "temporary")),
                    _connector="OR",
                ),
                name="only_a_temporary_line_ends",
            ),
        ),
        migrations.AddConstraint(
            model_name="patrondocument",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "photo",
                            "signature",
                            "driving_licence",
                            "passport",
                            "state_id",
                            "alien_card",
                            "other_id",
                        ],
                    )
                ),
                name="patron_document_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="patrondocument",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("number_cipher", ""), _negated=True),
                    models.Q(("content_cipher", ""), _negated=True),
                    _connector="OR",
                ),
                name="patron_document_holds_something",
            ),
        ),
        migrations.AddIndex(
            model_name="patronstanding",
            index=models.Index(fields=["patron", "-id"], name="standing_latest"),
        ),
        migrations.AddConstraint(
            model_name="patronstanding",
            constraint=models.CheckConstraint(
                condition=models.Q(("standing__in", ["clear", "suspended", "self_excluded"])),
                name="patron_standing_known",
            ),
        ),
        never_changed("inventory_creditline"),
        never_changed("inventory_patrondocument"),
        never_changed("inventory_patronstanding"),
    ]
