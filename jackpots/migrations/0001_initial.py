"""Meters, jackpots, big wins, tax forms."""

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import pitboss.create_models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("pitboss", "0001_initial"),
        ("inventory", "0001_initial"),
        ("tables", "0001_initial"),
    ]

    operations = [
        pitboss.create_models.CreateModels(
            creations=[
                migrations.CreateModel(
                    name="Meter",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("seal", models.CharField(default="", editable=False, max_length=160)),
                        ("name", models.CharField(max_length=40, unique=True)),
                        ("wager", models.CharField(max_length=24)),
                        ("level", models.CharField(max_length=12)),
                        (
                            "source",
                            models.CharField(
                                choices=[
                                    ("controller", "Controller"),
                                    ("pitboss", "Pitboss"),
                                    ("posted", "Posted"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("start_cents", models.PositiveBigIntegerField()),
                        ("reset_cents", models.PositiveBigIntegerField()),
                        ("rate_ppm", models.PositiveIntegerField()),
                        ("reserve_ppm", models.PositiveIntegerField()),
                        ("maximum_cents", models.PositiveBigIntegerField(null=True)),
                        ("epoch", models.PositiveIntegerField(default=0)),
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
                        "ordering": ["wager", "name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("source__in", ["controller", "pitboss", "posted"])
                                ),
                                name="meter_source_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "rate_ppm__lte",
                                        django.db.models.expressions.CombinedExpression(
                                            models.Value(1000000), "-", models.F("reserve_ppm")
                                        ),
                                    )
                                ),
                                name="meter_takes_no_more_than_the_wager",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MeterContribution",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("epoch", models.PositiveIntegerField()),
                        ("wagers", models.SmallIntegerField()),
                        ("wager_cents", models.PositiveIntegerField()),
                        ("amount_microcents", models.BigIntegerField()),
                        ("reserve_microcents", models.BigIntegerField()),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        ("key", models.CharField(max_length=80)),
                        (
                            "meter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="contributions",
                                to="jackpots.meter",
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
                            models.Index(fields=["meter", "id"], name="contribution_of_meter"),
                            models.Index(
                                fields=["meter", "gaming_day"], name="contribution_by_day"
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("meter", "key"), name="a_round_contributes_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("amount_microcents__gte", 0),
                                        ("reserve_microcents__gte", 0),
                                        ("wagers__gt", 0),
                                    ),
                                    models.Q(
                                        ("amount_microcents__lte", 0),
                                        ("key__endswith", ":back"),
                                        ("reserve_microcents__lte", 0),
                                        ("wagers__lt", 0),
                                    ),
                                    _connector="OR",
                                ),
                                name="contribution_adds_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MeterFreeze",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("round_key", models.CharField(blank=True, max_length=80)),
                        ("at", models.DateTimeField()),
                        (
                            "meter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="freezes",
                                to="jackpots.meter",
                            ),
                        ),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
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
                ),
                migrations.CreateModel(
                    name="MeterEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        (
                            "cause",
                            models.CharField(
                                choices=[
                                    ("started", "Started"),
                                    ("contributed", "Contributed"),
                                    ("won", "Won"),
                                    ("restored", "Restored"),
                                    ("seeded", "Seeded"),
                                    ("seed_recovery", "Seed recovery"),
                                    ("read", "Read"),
                                    ("correction", "Correction"),
                                    ("malfunction", "Malfunction"),
                                    ("over_maximum", "Over maximum"),
                                    ("reserve", "Reserve"),
                                    ("posted", "Posted"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("amount_microcents", models.BigIntegerField()),
                        ("reserve_microcents", models.BigIntegerField(default=0)),
                        ("balance_microcents", models.BigIntegerField()),
                        ("reserve_balance_microcents", models.BigIntegerField()),
                        ("contributions_through", models.PositiveBigIntegerField()),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "meter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="jackpots.meter",
                            ),
                        ),
                        (
                            "slip",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "freeze",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="jackpots.meterfreeze",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["meter", "gaming_day"], name="meter_entry_by_day")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("meter", "number"), name="meter_entry_number_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "cause__in",
                                        [
                                            "started",
                                            "contributed",
                                            "won",
                                            "restored",
                                            "seeded",
                                            "seed_recovery",
                                            "read",
                                            "correction",
                                            "malfunction",
                                            "over_maximum",
                                            "reserve",
                                            "posted",
                                        ],
                                    )
                                ),
                                name="meter_cause_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("amount_microcents__gte", 0),
                                    models.Q(
                                        (
                                            "cause__in",
                                            [
                                                "malfunction",
                                                "over_maximum",
                                                "posted",
                                                "reserve",
                                                "seed_recovery",
                                                "won",
                                            ],
                                        ),
                                        ("slip__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="meter_falls_for_a_listed_reason",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("balance_microcents__gte", 0)),
                                name="meter_is_never_below_nothing",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Jackpot",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("wager", models.CharField(max_length=24)),
                        ("paytable", models.JSONField()),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("stake_cents", models.PositiveIntegerField()),
                        ("player_cards", models.JSONField()),
                        ("dealer_cards", models.JSONField()),
                        ("category", models.CharField(max_length=40)),
                        ("level", models.CharField(blank=True, max_length=12)),
                        ("percent", models.PositiveSmallIntegerField()),
                        ("envy_cents", models.PositiveIntegerField()),
                        ("raise_cents", models.PositiveBigIntegerField(default=0)),
                        ("returned_cents", models.PositiveBigIntegerField(default=0)),
                        ("round_key", models.CharField(blank=True, default="", max_length=80)),
                        (
                            "check_of",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tables.payoutcheck",
                            ),
                        ),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="jackpot",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "freeze",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="jackpots",
                                to="jackpots.meterfreeze",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("freeze__isnull", True), ("percent", 0)),
                                    models.Q(("freeze__isnull", False), ("percent__gt", 0)),
                                    _connector="OR",
                                ),
                                name="jackpot_of_a_meter_has_a_freeze",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FrozenAmount",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("amount_microcents", models.BigIntegerField()),
                        ("at", models.DateTimeField()),
                        (
                            "slip",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "freeze",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="amounts",
                                to="jackpots.meterfreeze",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("freeze", "number"), name="frozen_amount_number_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount_microcents__gte", 0)),
                                name="frozen_amount_is_not_below_nothing",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MeterLink",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("seal", models.CharField(default="", editable=False, max_length=160)),
                        ("wager", models.CharField(max_length=24)),
                        ("level", models.CharField(max_length=12)),
                        ("since", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        (
                            "meter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="links",
                                to="jackpots.meter",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="meter_links",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("until", None)),
                                fields=("table", "wager", "level"),
                                name="a_table_plays_for_one_meter_a_level",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MeterReading",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("read_cents", models.PositiveBigIntegerField()),
                        ("expected_cents", models.PositiveBigIntegerField()),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "meter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="readings",
                                to="jackpots.meter",
                            ),
                        ),
                        (
                            "read_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["meter", "gaming_day"], name="meter_reading_by_day"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TaxForm",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "form",
                            models.CharField(
                                choices=[("W-2G", "W-2g"), ("1042-S", "1042-s")], max_length=8
                            ),
                        ),
                        (
                            "issue",
                            models.CharField(
                                choices=[
                                    ("original", "Original"),
                                    ("corrected", "Corrected"),
                                    ("void", "Void"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField(default=0)),
                        ("account", models.CharField(max_length=20)),
                        ("tax_year", models.PositiveSmallIntegerField()),
                        ("paid_on", models.DateField()),
                        ("won_on", models.DateField()),
                        (
                            "withholding",
                            models.CharField(
                                choices=[
                                    ("none", "None"),
                                    ("regular", "Regular"),
                                    ("backup", "Backup"),
                                    ("nonresident", "Nonresident"),
                                    ("ask", "Ask"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("reportable_cents", models.PositiveBigIntegerField()),
                        ("federal_cents", models.PositiveBigIntegerField()),
                        ("state", models.CharField(blank=True, max_length=2)),
                        ("state_cents", models.PositiveBigIntegerField(default=0)),
                        ("locality", models.CharField(blank=True, default="", max_length=40)),
                        ("local_cents", models.PositiveBigIntegerField(default=0)),
                        ("boxes", models.JSONField()),
                        ("number_ciphers", models.JSONField()),
                        ("tin_ends", models.CharField(blank=True, max_length=4)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "jackpot",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="tax_forms",
                                to="jackpots.jackpot",
                            ),
                        ),
                        (
                            "papers",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "replaces",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="replaced_by",
                                to="jackpots.taxform",
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
                        "indexes": [
                            models.Index(fields=["tax_year", "form", "id"], name="tax_form_by_year")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("form__in", ["W-2G", "1042-S"])),
                                name="tax_form_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("issue__in", ["original", "corrected", "void"])
                                ),
                                name="tax_issue_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "tax_year",
                                        django.db.models.functions.datetime.ExtractYear("paid_on"),
                                    )
                                ),
                                name="tax_year_is_that_of_the_payment",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("issue", "original"),
                                        ("number", 0),
                                        ("reason", ""),
                                        ("replaces", None),
                                    ),
                                    models.Q(
                                        models.Q(("issue", "original"), _negated=True),
                                        ("number__gt", 0),
                                        ("replaces__isnull", False),
                                        models.Q(("reason", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_later_tax_form_says_what_it_replaces_and_why",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("form", "W-2G"),
                                    models.Q(("state", ""), ("state_cents", 0)),
                                    _connector="OR",
                                ),
                                name="only_a_w2g_has_a_state_line",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("form", "W-2G"),
                                    models.Q(("local_cents", 0), ("locality", "")),
                                    _connector="OR",
                                ),
                                name="only_a_w2g_has_a_local_line",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("issue", "original")),
                                fields=("jackpot", "patron"),
                                name="one_tax_form_a_winner",
                            ),
                            models.UniqueConstraint(
                                fields=("account", "number"), name="tax_form_number_once"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TaxLine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("place", models.CharField(max_length=40)),
                        (
                            "level",
                            models.CharField(
                                choices=[("state", "State"), ("local", "Local")], max_length=8
                            ),
                        ),
                        ("basis_points", models.PositiveIntegerField()),
                        (
                            "trigger",
                            models.CharField(
                                choices=[
                                    ("federal_withholding", "Federal withholding"),
                                    ("any_w2g", "Any w2g"),
                                    ("own_amount", "Own amount"),
                                    ("own_ratio", "Own ratio"),
                                ],
                                max_length=20,
                            ),
                        ),
                        (
                            "base",
                            models.CharField(
                                choices=[("net", "Net"), ("gross", "Gross")], max_length=8
                            ),
                        ),
                        (
                            "who",
                            models.CharField(
                                choices=[
                                    ("all", "All"),
                                    ("residents", "Residents"),
                                    ("nonresidents", "Nonresidents"),
                                ],
                                max_length=14,
                            ),
                        ),
                        ("threshold", models.PositiveBigIntegerField(default=0)),
                        ("payer_number", models.CharField(blank=True, max_length=20)),
                        ("paid_from", models.DateField()),
                        ("paid_until", models.DateField(blank=True, null=True)),
                        ("source", models.CharField(max_length=200)),
                        ("confirmed_by", models.CharField(max_length=80)),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("level__in", ["state", "local"])),
                                name="tax_line_level_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("confirmed_by", ""), _negated=True),
                                name="tax_line_is_confirmed",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("basis_points__lte", 5000)),
                                name="tax_line_rate_in_range",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("paid_until", None),
                                    ("paid_until__gte", models.F("paid_from")),
                                    _connector="OR",
                                ),
                                name="tax_line_ends_after_it_began",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TaxPdf",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "audience",
                            models.CharField(
                                choices=[("winner", "Winner"), ("payer", "Payer")], max_length=8
                            ),
                        ),
                        ("content_cipher", models.TextField()),
                        ("content_hash", models.CharField(max_length=64)),
                        ("drawn_at", models.DateTimeField()),
                        (
                            "form",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pdfs",
                                to="jackpots.taxform",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("audience__in", ["winner", "payer"])),
                                name="tax_audience_known",
                            ),
                            models.UniqueConstraint(
                                fields=("form", "audience"), name="tax_form_is_drawn_once"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WithheldWin",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("amount_cents", models.PositiveBigIntegerField()),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="withheld",
                                to="inventory.exclusioncase",
                            ),
                        ),
                        (
                            "jackpot",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="withheld",
                                to="jackpots.jackpot",
                            ),
                        ),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="WithheldEnd",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "ending",
                            models.CharField(
                                choices=[
                                    ("forfeited", "Forfeited"),
                                    ("returned", "Returned"),
                                    ("blocked", "Blocked"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("to", models.CharField(blank=True, max_length=120)),
                        ("at", models.DateTimeField()),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "withheld",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="end",
                                to="jackpots.withheldwin",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ending__in", ["forfeited", "returned", "blocked"])
                                ),
                                name="withheld_ending_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("ending", "forfeited"), models.Q(("to", ""), _negated=True)
                                    ),
                                    models.Q(
                                        models.Q(("ending", "forfeited"), _negated=True), ("to", "")
                                    ),
                                    _connector="OR",
                                ),
                                name="only_the_forfeited_goes_to_others",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="JackpotFigure",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("award_cents", models.PositiveBigIntegerField()),
                        ("frozen_cents", models.PositiveBigIntegerField(null=True)),
                        (
                            "because",
                            models.CharField(
                                choices=[
                                    ("entered", "Entered"),
                                    ("another_hit", "Another hit"),
                                    ("hit_rejected", "Hit rejected"),
                                    ("earlier_rejected", "Earlier rejected"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("working", models.TextField()),
                        ("at", models.DateTimeField()),
                        (
                            "jackpot",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="figures",
                                to="jackpots.jackpot",
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
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("jackpot", "number"), name="jackpot_figure_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "because__in",
                                        [
                                            "entered",
                                            "another_hit",
                                            "hit_rejected",
                                            "earlier_rejected",
                                        ],
                                    )
                                ),
                                name="jackpot_figure_reason_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="JackpotPayment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "source",
                            models.CharField(
                                choices=[
                                    ("tray", "Tray"),
                                    ("cage", "Cage"),
                                    ("bank_cheque", "Bank cheque"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("award_cents", models.PositiveBigIntegerField()),
                        ("withheld_cents", models.PositiveBigIntegerField(default=0)),
                        ("breakage_cents", models.IntegerField(default=0)),
                        ("paid_cents", models.PositiveBigIntegerField()),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "jackpot",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="payment",
                                to="jackpots.jackpot",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("source__in", ["tray", "cage", "bank_cheque"])),
                                name="jackpot_payment_source_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "award_cents",
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("paid_cents"),
                                                "+",
                                                models.F("withheld_cents"),
                                            ),
                                            "+",
                                            models.F("breakage_cents"),
                                        ),
                                    )
                                ),
                                name="jackpot_pays_what_it_is_owed",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
