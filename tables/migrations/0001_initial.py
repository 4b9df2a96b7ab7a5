"""Counts, drop, gaming days, rounds and payouts, the floor log, ratings and comps."""

import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

import pitboss.create_models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("pitboss", "0001_initial"), ("inventory", "0001_initial")]

    operations = [
        pitboss.create_models.CreateModels(
            creations=[
                migrations.CreateModel(
                    name="MainEdge",
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
                        ("digest", models.CharField(max_length=64, unique=True)),
                        ("rules", models.JSONField()),
                        ("edge", models.TextField()),
                        ("ppm", models.IntegerField()),
                        ("made_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Comp",
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
                            "kind",
                            models.CharField(
                                choices=[
                                    ("meal", "Meal"),
                                    ("room", "Room"),
                                    ("show", "Show"),
                                    ("travel", "Travel"),
                                    ("gift", "Gift"),
                                    ("cash", "Cash"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("value_cents", models.PositiveBigIntegerField()),
                        (
                            "valued_by",
                            models.CharField(
                                choices=[("retail", "Retail"), ("cost", "Cost")], max_length=6
                            ),
                        ),
                        ("trip_began", models.DateField()),
                        ("earned_cents", models.PositiveBigIntegerField()),
                        ("given_cents", models.PositiveBigIntegerField()),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "issuer",
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
                                related_name="comps",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="comp",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(fields=["patron", "-trip_began"], name="comp_by_trip"),
                            models.Index(fields=["gaming_day", "patron"], name="comp_by_day"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("kind__in", ["meal", "room", "show", "travel", "gift", "cash"])
                                ),
                                name="comp_kind_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("valued_by__in", ["retail", "cost"])),
                                name="comp_valued_by_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("value_cents__gt", 0)),
                                name="a_comp_gives_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("trip_began__lte", models.F("gaming_day"))),
                                name="a_comp_is_drawn_on_a_trip_that_began",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CompEntry",
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
                            "move",
                            models.CharField(
                                choices=[
                                    ("reserved", "Reserved"),
                                    ("issued", "Issued"),
                                    ("redeemed", "Redeemed"),
                                    ("voided", "Voided"),
                                    ("expired", "Expired"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("amount_cents", models.PositiveBigIntegerField()),
                        ("outlet", models.CharField(blank=True, default="", max_length=60)),
                        ("request_id", models.UUIDField(null=True, unique=True)),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "comp",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="tables.comp",
                            ),
                        ),
                        (
                            "device",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
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
                    ],
                    options={
                        "verbose_name_plural": "comp entries",
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(fields=["gaming_day", "move"], name="comp_entry_by_day")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "move__in",
                                        ["reserved", "issued", "redeemed", "voided", "expired"],
                                    )
                                ),
                                name="comp_move_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount_cents__gt", 0)),
                                name="a_comp_entry_moves_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("move", "redeemed"),
                                        models.Q(("outlet", ""), _negated=True),
                                    ),
                                    models.Q(
                                        models.Q(("move", "redeemed"), _negated=True),
                                        ("outlet", ""),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_comp_is_redeemed_somewhere",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("request_id", None), ("slip__isnull", False)),
                                    models.Q(
                                        ("device__isnull", False),
                                        ("move", "redeemed"),
                                        ("request_id__isnull", False),
                                    ),
                                    models.Q(
                                        ("device", None),
                                        ("move", "expired"),
                                        ("request_id", None),
                                        ("slip", None),
                                    ),
                                    _connector="OR",
                                ),
                                name="only_a_redemption_has_no_slip",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "reserved")),
                                fields=("comp",),
                                name="a_comp_is_reserved_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "issued")),
                                fields=("comp",),
                                name="a_comp_is_issued_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "voided")),
                                fields=("comp",),
                                name="a_comp_is_voided_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "expired")),
                                fields=("comp",),
                                name="a_comp_is_expired_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CountFile",
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
                        ("name", models.CharField(max_length=120)),
                        ("size", models.PositiveIntegerField()),
                        ("sha256", models.CharField(max_length=64, unique=True)),
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
                            "session",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="count_files",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="BoxTally",
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
                        ("turn", models.PositiveSmallIntegerField()),
                        ("figures", models.JSONField()),
                        ("documents", models.JSONField(default=list)),
                        ("unreadable", models.PositiveSmallIntegerField(default=0)),
                        ("at", models.DateTimeField()),
                        ("request_id", models.UUIDField()),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "pull",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "session",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="tallies",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "file",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tables.countfile",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["session", "pull"], name="tally_by_session_and_box"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("request_id", "pull"), name="one_tally_a_request"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("turn", 2)),
                                fields=("session", "pull"),
                                name="one_second_count_a_box",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("turn__in", [1, 2])),
                                name="tally_is_first_or_second",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Dealing",
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
                        ("began_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "dealer",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="dealings",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="dealings",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["ended_at"], name="dealing_by_end")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at", None)),
                                fields=("table",),
                                name="one_dealer_a_table",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at", None)),
                                fields=("dealer",),
                                name="one_table_a_dealer",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ended_at", None),
                                    ("ended_at__gte", models.F("began_at")),
                                    _connector="OR",
                                ),
                                name="dealing_ends_after_it_began",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DrillAnswer",
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
                                        ("answered_cents", models.F("owed_cents")),
                                        ("is_right", True),
                                    ),
                                    models.Q(
                                        ("is_right", False),
                                        models.Q(
                                            ("answered_cents", models.F("owed_cents")),
                                            _negated=True,
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_drill_is_right_or_not",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DropBox",
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
                        ("tag", models.CharField(max_length=20, unique=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("regular", "Regular"), ("emergency", "Emergency")],
                                default="regular",
                                max_length=12,
                            ),
                        ),
                        (
                            "place",
                            models.CharField(
                                choices=[
                                    ("store", "Store"),
                                    ("trolley", "Trolley"),
                                    ("table", "Table"),
                                    ("count_room", "Count room"),
                                ],
                                default="store",
                                max_length=12,
                            ),
                        ),
                        (
                            "table",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="drop_box",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["regular", "emergency"])),
                                name="drop_box_kind_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("place__in", ["store", "trolley", "table", "count_room"])
                                ),
                                name="drop_box_place_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("place", "table"), ("table__isnull", False)),
                                    models.Q(
                                        models.Q(("place", "table"), _negated=True), ("table", None)
                                    ),
                                    _connector="OR",
                                ),
                                name="drop_box_is_on_a_table_or_elsewhere",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DropEstimate",
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
                            models.Index(
                                fields=["table", "gaming_day"], name="estimate_by_table_and_day"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DropWait",
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
                    name="FloorEntry",
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
                        ("kind", models.CharField(max_length=40)),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("at", models.DateTimeField()),
                        (
                            "outcome",
                            models.CharField(
                                choices=[
                                    ("granted", "Granted"),
                                    ("declined", "Declined"),
                                    ("noted", "Noted"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("facts", models.JSONField(default=dict)),
                        ("title", models.CharField(max_length=60)),
                        ("sentence", models.CharField(max_length=500)),
                        ("reason", models.CharField(blank=True, max_length=200)),
                        ("amount_cents", models.PositiveBigIntegerField(null=True)),
                        ("sends", models.JSONField(default=dict)),
                        ("signed_as", models.CharField(max_length=110)),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("dealer", "Dealer"),
                                    ("supervisor", "Supervisor"),
                                    ("pit_manager", "Pit manager"),
                                    ("shift_manager", "Shift manager"),
                                    ("cashier", "Cashier"),
                                    ("cage_manager", "Cage manager"),
                                    ("security", "Security"),
                                    ("security_manager", "Security manager"),
                                    ("surveillance", "Surveillance"),
                                    ("surveillance_manager", "Surveillance manager"),
                                    ("count_team", "Count team"),
                                    ("host", "Host"),
                                    ("host_manager", "Host manager"),
                                    ("accounting", "Accounting"),
                                    ("controller", "Controller"),
                                    ("collector", "Collector"),
                                    ("compliance", "Compliance"),
                                    ("auditor", "Auditor"),
                                    ("administrator", "Administrator"),
                                ],
                                max_length=24,
                            ),
                        ),
                        ("needs_signature", models.BooleanField(default=False)),
                        ("is_signed", models.BooleanField(default=False)),
                        ("request_id", models.UUIDField(unique=True)),
                        ("request_hash", models.CharField(max_length=64)),
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
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.patron",
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
                        (
                            "under",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="covers",
                                to="tables.floorentry",
                            ),
                        ),
                        (
                            "answers",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="answer",
                                to="tables.floorrequest",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "floor entries",
                        "indexes": [
                            models.Index(
                                fields=["gaming_day", "shift", "id"], name="floor_log_by_shift"
                            ),
                            models.Index(fields=["table", "-id"], name="floor_log_by_table"),
                            models.Index(
                                condition=models.Q(("kind", "evaluation")),
                                fields=["-id"],
                                name="evaluations_newest",
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("kind__in", ["closing_notice", "closing_withdrawn"])
                                ),
                                fields=["table", "-id"],
                                name="closing_notice_by_table",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("outcome__in", ["granted", "declined", "noted"])
                                ),
                                name="floor_outcome_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("sentence", ""), _negated=True),
                                name="floor_entry_says_what",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("outcome", "declined"), ("reason", ""), _connector="XOR"
                                ),
                                name="a_no_says_why",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("needs_signature", False),
                                    ("is_signed", True),
                                    ("outcome", "declined"),
                                    _connector="OR",
                                ),
                                name="signed_where_it_must_be",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("under", None),
                                    models.Q(
                                        ("answers__isnull", False),
                                        ("is_signed", False),
                                        ("outcome", "granted"),
                                    ),
                                    _connector="OR",
                                ),
                                name="standing_grants_what_was_asked",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="EvaluationAnswer",
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
                        ("words", models.CharField(max_length=500)),
                        ("at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "dealer",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="evaluation_answer",
                                to="tables.floorentry",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("words", ""), _negated=True),
                                name="evaluation_answer_has_words",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FloorRequest",
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
                        ("kind", models.CharField(max_length=40)),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("at", models.DateTimeField()),
                        ("facts", models.JSONField(default=dict)),
                        ("sentence", models.CharField(max_length=500)),
                        (
                            "dealer",
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
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                        (
                            "terminal",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["table", "-id"], name="floor_request_by_table")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("sentence", ""), _negated=True),
                                name="floor_request_says_what",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Incident",
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
                        ("kind", models.CharField(max_length=20)),
                        ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("at", models.DateTimeField()),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("request_id", models.UUIDField(unique=True)),
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
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
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
                        "indexes": [models.Index(fields=["-at"], name="incident_by_time")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "kind__in",
                                        [
                                            "past_posting",
                                            "capping",
                                            "pinching",
                                            "marked_cards",
                                            "device",
                                            "collusion",
                                            "theft",
                                            "counterfeit_cheque",
                                            "abusive",
                                            "trespass",
                                            "minor",
                                            "excluded",
                                            "injury",
                                            "shoe",
                                            "shuffler",
                                            "sensor",
                                            "chain",
                                            "fire",
                                        ],
                                    )
                                ),
                                name="incident_kind_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="IncidentReport",
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
                            "incident",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="report",
                                to="tables.incident",
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
                    name="KeyLoan",
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
                        ("key", models.CharField(max_length=20)),
                        (
                            "pit",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.pit",
                            ),
                        ),
                        (
                            "returned",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tables.floorentry",
                            ),
                        ),
                        (
                            "taken",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tables.floorentry",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "key__in",
                                        [
                                            "tray_lids",
                                            "card_cabinet",
                                            "shufflers",
                                            "toke_boxes",
                                            "podium",
                                        ],
                                    )
                                ),
                                name="pit_key_known",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("returned", None)),
                                fields=("pit", "key"),
                                name="keys_in_one_hand",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="KeyTaken",
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
                        ("key", models.CharField(max_length=20)),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "slip",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="keys_taken",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["person", "gaming_day"], name="key_by_person_and_day"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "key__in",
                                        [
                                            "release",
                                            "contents",
                                            "trolley",
                                            "count_door",
                                            "count_lock",
                                            "card_store",
                                            "card_lock",
                                            "progressive",
                                            "server_room",
                                            "lids",
                                            "stand",
                                            "shuffler",
                                            "toke_box",
                                        ],
                                    )
                                ),
                                name="sensitive_key_known",
                            ),
                            models.UniqueConstraint(
                                fields=("slip", "person"), name="key_taken_once_by_each"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Mismatch",
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
                        ("at", models.DateTimeField()),
                        ("owed_cents", models.PositiveBigIntegerField(null=True)),
                        ("paid_cents", models.PositiveBigIntegerField()),
                        ("take_back", models.JSONField()),
                        ("add", models.JSONField()),
                        (
                            "dealer",
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
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                        (
                            "confirmation",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="mismatch",
                                to="tables.payoutconfirmation",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["at"], name="mismatch_by_time")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("owed_cents", None),
                                    models.Q(("owed_cents", models.F("paid_cents")), _negated=True),
                                    _connector="OR",
                                ),
                                name="a_mismatch_differs",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MismatchSettlement",
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
                            "way",
                            models.CharField(
                                choices=[("corrected", "Corrected"), ("overridden", "Overridden")],
                                max_length=10,
                            ),
                        ),
                        ("stands_cents", models.PositiveBigIntegerField()),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        ("settled_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "mismatch",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="settlement",
                                to="tables.mismatch",
                            ),
                        ),
                        (
                            "settled_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("way__in", ["corrected", "overridden"])),
                                name="settled_in_a_known_way",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("way", "corrected"),
                                    models.Q(("reason", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="an_override_says_why",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PatronHost",
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
                        ("since", models.DateTimeField()),
                        (
                            "device",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "host",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="hosts",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "slip",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(fields=["patron", "-id"], name="host_latest"),
                            models.Index(fields=["host", "-id"], name="host_patrons"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("device", None), ("slip__isnull", False)),
                                    models.Q(("device__isnull", False), ("slip", None)),
                                    _connector="OR",
                                ),
                                name="a_host_is_assigned_by_a_slip_or_a_system",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PatronTier",
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
                        ("tier", models.CharField(max_length=30)),
                        ("since", models.DateTimeField()),
                        (
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="tiers",
                                to="inventory.patron",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "indexes": [models.Index(fields=["patron", "-id"], name="tier_latest")],
                    },
                ),
                migrations.CreateModel(
                    name="PayoutCheck",
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
                        ("at", models.DateTimeField()),
                        ("keyed_at", models.DateTimeField(null=True)),
                        ("wager", models.CharField(max_length=24)),
                        (
                            "verdict",
                            models.CharField(
                                choices=[
                                    ("right", "Right"),
                                    ("overpaid", "Overpaid"),
                                    ("underpaid", "Underpaid"),
                                    ("cannot_verify", "Cannot verify"),
                                ],
                                max_length=13,
                            ),
                        ),
                        ("stake_cents", models.PositiveBigIntegerField()),
                        ("paid_cents", models.PositiveBigIntegerField()),
                        ("payable_cents", models.PositiveBigIntegerField(null=True)),
                        ("claim", models.JSONField()),
                        ("answer", models.JSONField()),
                        (
                            "corrects",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tables.payoutcheck",
                            ),
                        ),
                        (
                            "dealer",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                        (
                            "terminal",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            django.contrib.postgres.indexes.BrinIndex(
                                autosummarize=True, fields=["at"], name="check_by_time"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "verdict__in",
                                        ["right", "overpaid", "underpaid", "cannot_verify"],
                                    )
                                ),
                                name="check_verdict_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("payable_cents", models.F("paid_cents")),
                                        ("verdict", "right"),
                                    ),
                                    models.Q(
                                        ("payable_cents__lt", models.F("paid_cents")),
                                        ("verdict", "overpaid"),
                                    ),
                                    models.Q(
                                        ("payable_cents__gt", models.F("paid_cents")),
                                        ("verdict", "underpaid"),
                                    ),
                                    models.Q(("payable_cents", None), ("verdict", "cannot_verify")),
                                    _connector="OR",
                                ),
                                name="check_says_what_it_found",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("corrects__isnull", False)),
                                fields=("corrects",),
                                name="a_check_is_corrected_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PayoutConfirmation",
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
                        ("at", models.DateTimeField()),
                        ("keyed_at", models.DateTimeField(null=True)),
                        ("paid_cents", models.PositiveBigIntegerField()),
                        (
                            "check_of",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="confirmation",
                                to="tables.payoutcheck",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PayoutWord",
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
                        ("at", models.DateTimeField()),
                        (
                            "approval",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tables.floorentry",
                            ),
                        ),
                        (
                            "confirmation",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="word",
                                to="tables.payoutconfirmation",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PlayRating",
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
                        ("declined_name", models.BooleanField(default=False)),
                        ("began_at", models.DateTimeField()),
                        ("by_card", models.BooleanField(default=False)),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "end",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("left", "Left"),
                                    ("moved", "Moved"),
                                    ("table_closed", "Table closed"),
                                    ("unattended", "Unattended"),
                                    ("day_turned", "Day turned"),
                                ],
                                default="",
                                max_length=12,
                            ),
                        ),
                        ("is_signed", models.BooleanField(default=False)),
                        ("guess_cents", models.PositiveBigIntegerField(null=True)),
                        (
                            "began_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "continues",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="continued_by",
                                to="tables.playrating",
                            ),
                        ),
                        (
                            "device",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "ended_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ratings",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "stranger",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ratings",
                                to="inventory.stranger",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["table", "-began_at"], name="rating_by_table"),
                            models.Index(fields=["gaming_day", "table"], name="rating_by_day"),
                            models.Index(
                                condition=models.Q(("ended_at", None)),
                                fields=["table"],
                                name="rating_open_by_table",
                            ),
                            models.Index(fields=["ended_at"], name="rating_by_end"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("patron__isnull", False), ("stranger", None)),
                                    models.Q(("patron", None), ("stranger__isnull", False)),
                                    _connector="OR",
                                ),
                                name="a_rating_is_of_one_person",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at", None)),
                                fields=("patron",),
                                name="one_open_rating_a_patron",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at", None)),
                                fields=("stranger",),
                                name="one_open_rating_a_stranger",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("end", ""),
                                        ("ended_at", None),
                                        ("ended_by", None),
                                        ("is_signed", False),
                                    ),
                                    models.Q(
                                        ("ended_at__gte", models.F("began_at")),
                                        (
                                            "end__in",
                                            [
                                                "left",
                                                "moved",
                                                "table_closed",
                                                "unattended",
                                                "day_turned",
                                            ],
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_rating_ends_after_it_began",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("is_signed", False),
                                    ("ended_by__isnull", False),
                                    _connector="OR",
                                ),
                                name="a_signed_end_has_its_signer",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Look",
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
                        ("at", models.DateTimeField()),
                        ("bet_cents", models.PositiveBigIntegerField()),
                        ("seats", models.PositiveSmallIntegerField()),
                        ("side", models.JSONField(default=dict)),
                        ("prompted", models.BooleanField(default=False)),
                        ("request_id", models.UUIDField(unique=True)),
                        ("request_hash", models.CharField(max_length=64)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "rating",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="looks",
                                to="tables.playrating",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["rating", "-at"], name="look_by_rating")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("bet_cents__gt", 0)), name="a_look_sees_a_bet"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("seats__gte", 1)), name="a_look_is_of_seats"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Away",
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
                        ("from_at", models.DateTimeField()),
                        ("until", models.DateTimeField(null=True)),
                        (
                            "rating",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="absences",
                                to="tables.playrating",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "absences",
                        "indexes": [
                            models.Index(fields=["rating", "-from_at"], name="absence_by_rating")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("until", None)),
                                fields=("rating",),
                                name="one_absence_at_a_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("until", None),
                                    ("until__gte", models.F("from_at")),
                                    _connector="OR",
                                ),
                                name="back_after_away",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PointsEntry",
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
                        ("points", models.BigIntegerField()),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="points",
                                to="inventory.patron",
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
                    options={
                        "verbose_name_plural": "points entries",
                        "ordering": ["id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("points", 0), _negated=True),
                                name="points_change_something",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PulledBox",
                    fields=[
                        (
                            "pull",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                primary_key=True,
                                related_name="pulled_box",
                                serialize=False,
                                to="pitboss.slip",
                            ),
                        ),
                        ("waits", models.BooleanField()),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("waits", True)),
                                fields=["pull"],
                                name="box_that_waits",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingDraw",
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
                        ("digest", models.CharField(max_length=64)),
                        ("drawn_at", models.DateTimeField()),
                        (
                            "rating",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="draw",
                                to="tables.playrating",
                            ),
                        ),
                        (
                            "seal",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.journalseal",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                    },
                ),
                migrations.CreateModel(
                    name="RatingFigures",
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
                        ("revision", models.PositiveSmallIntegerField()),
                        ("made_at", models.DateTimeField()),
                        ("seconds", models.PositiveIntegerField()),
                        (
                            "basis",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("told", "Told"),
                                    ("looked", "Looked"),
                                    ("guessed", "Guessed"),
                                ],
                                default="",
                                max_length=7,
                            ),
                        ),
                        (
                            "pace_basis",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("counted", "Counted"),
                                    ("own", "Own"),
                                    ("table", "Table"),
                                ],
                                default="",
                                max_length=7,
                            ),
                        ),
                        ("looks", models.PositiveSmallIntegerField(default=0)),
                        ("average", models.CharField(blank=True, default="", max_length=80)),
                        ("decisions", models.CharField(blank=True, default="", max_length=80)),
                        ("action", models.JSONField(default=dict)),
                        ("squares", models.JSONField(default=dict)),
                        ("edges", models.JSONField(default=dict)),
                        ("skill_bp", models.PositiveSmallIntegerField(default=0)),
                        ("theo", models.TextField(blank=True, default="")),
                        ("theo_cents", models.BigIntegerField(null=True)),
                        ("low_cents", models.BigIntegerField(null=True)),
                        ("high_cents", models.BigIntegerField(null=True)),
                        ("result_cents", models.BigIntegerField(null=True)),
                        ("is_void", models.BooleanField(default=False)),
                        (
                            "rating",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="figures",
                                to="tables.playrating",
                            ),
                        ),
                        (
                            "slip",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "rating figures",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("rating", "revision"), name="one_figure_a_revision"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("is_void", False), ("revision", 0), ("slip", None)),
                                    models.Q(("revision__gt", 0), ("slip__isnull", False)),
                                    _connector="OR",
                                ),
                                name="a_revision_has_its_slip",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("high_cents", None),
                                        ("low_cents", None),
                                        ("theo", ""),
                                        ("theo_cents", None),
                                    ),
                                    models.Q(
                                        models.Q(("theo", ""), _negated=True),
                                        ("high_cents__gte", models.F("theo_cents")),
                                        ("low_cents__lte", models.F("theo_cents")),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_theo_has_its_range",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("is_void", False),
                                    models.Q(("result_cents", None), ("theo", "")),
                                    _connector="OR",
                                ),
                                name="a_void_rating_counts_nothing",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingMoney",
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
                            "kind",
                            models.CharField(
                                choices=[
                                    ("cash", "Cash"),
                                    ("marker", "Marker"),
                                    ("cheques", "Cheques"),
                                    ("walked", "Walked"),
                                    ("moved_on", "Moved on"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("amount_cents", models.PositiveBigIntegerField()),
                        ("at", models.DateTimeField()),
                        (
                            "entry",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.cashentry",
                            ),
                        ),
                        (
                            "marker",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.marker",
                            ),
                        ),
                        (
                            "rating",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="money",
                                to="tables.playrating",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "rating money",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "kind__in",
                                        ["cash", "marker", "cheques", "walked", "moved_on"],
                                    )
                                ),
                                name="rating_money_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "cash"), ("entry__isnull", False)),
                                    models.Q(
                                        models.Q(("kind", "cash"), _negated=True), ("entry", None)
                                    ),
                                    _connector="OR",
                                ),
                                name="cash_of_a_rating_is_the_days_cash",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "marker"), ("marker__isnull", False)),
                                    models.Q(
                                        models.Q(("kind", "marker"), _negated=True),
                                        ("marker", None),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_marker_of_a_rating_is_a_marker",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("kind", "walked")),
                                fields=("rating",),
                                name="walked_with_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingSeen",
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
                        ("seconds", models.PositiveIntegerField()),
                        ("average_cents", models.PositiveBigIntegerField()),
                        ("rated_seconds", models.PositiveIntegerField()),
                        ("rated_average_cents", models.PositiveBigIntegerField()),
                        ("differs_bp", models.BigIntegerField(null=True)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("agrees", "Agrees"),
                                    ("differs", "Differs"),
                                    ("not_there", "Not there"),
                                ],
                                max_length=9,
                            ),
                        ),
                        ("request_id", models.UUIDField(unique=True)),
                        ("at", models.DateTimeField()),
                        (
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "draw",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seen",
                                to="tables.ratingdraw",
                            ),
                        ),
                        (
                            "officer",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "ratings seen",
                        "ordering": ["-id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("state__in", ["agrees", "differs", "not_there"])
                                ),
                                name="rating_seen_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("average_cents", 0),
                                        ("differs_bp", None),
                                        ("seconds", 0),
                                        ("state", "not_there"),
                                    ),
                                    models.Q(
                                        models.Q(("state", "not_there"), _negated=True),
                                        ("average_cents__gt", 0),
                                        ("differs_bp__isnull", False),
                                        ("seconds__gt", 0),
                                    ),
                                    _connector="OR",
                                ),
                                name="who_was_not_there_played_nothing",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RebateAgreement",
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
                        ("rate_bp", models.PositiveSmallIntegerField()),
                        ("least_loss_cents", models.PositiveBigIntegerField()),
                        ("most_cents", models.PositiveBigIntegerField(null=True)),
                        ("least_decisions", models.PositiveIntegerField()),
                        ("signed_at", models.DateTimeField()),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rebates",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rebate",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(fields=["patron", "-id"], name="rebate_by_patron")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("rate_bp__gt", 0), ("rate_bp__lte", 5000)),
                                name="a_rebate_is_a_share",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RebateSettlement",
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
                        ("loss_cents", models.BigIntegerField()),
                        ("rebate_cents", models.PositiveBigIntegerField()),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "agreement",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="settlement",
                                to="tables.rebateagreement",
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
                    options={
                        "ordering": ["-id"],
                    },
                ),
                migrations.CreateModel(
                    name="Relation",
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
                        ("ended", models.BooleanField(default=False)),
                        ("since", models.DateTimeField()),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="relations",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
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
                    options={
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(fields=["patron", "person", "-id"], name="relation_latest")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RoomMove",
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
                        ("is_back", models.BooleanField()),
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
                            "session",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="room_moves",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Round",
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
                        ("started_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("key", models.UUIDField(null=True)),
                        ("request_id", models.UUIDField(null=True)),
                        ("log", models.JSONField()),
                        ("parts", models.JSONField(default=list)),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("settled", "Settled"),
                                    ("partly_settled", "Partly settled"),
                                    ("unverified", "Unverified"),
                                    ("aborted", "Aborted"),
                                ],
                                default="",
                                max_length=14,
                            ),
                        ),
                        ("verdict", models.JSONField(null=True)),
                        (
                            "dealer",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                        (
                            "terminal",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["table", "started_at"], name="round_by_table_and_time"
                            ),
                            django.contrib.postgres.indexes.BrinIndex(
                                autosummarize=True, fields=["started_at"], name="round_by_time"
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at", None)),
                                fields=("table",),
                                name="one_open_round_a_table",
                            ),
                            models.UniqueConstraint(
                                fields=("table", "key"), name="one_round_a_key"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("ended_at", None), ("outcome", ""), ("verdict", None)
                                    ),
                                    models.Q(
                                        ("ended_at__gte", models.F("started_at")),
                                        ("verdict__isnull", False),
                                        (
                                            "outcome__in",
                                            ["settled", "partly_settled", "unverified", "aborted"],
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="round_that_ended_has_an_outcome",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="EnvyLine",
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
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("at", models.DateTimeField()),
                        ("wager", models.CharField(max_length=24)),
                        ("row", models.CharField(max_length=40)),
                        ("seat", models.PositiveSmallIntegerField(null=True)),
                        ("amount_cents", models.IntegerField()),
                        (
                            "dealer",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "reverses",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reversal",
                                to="tables.envyline",
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
                        (
                            "terminal",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "check_of",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="envy",
                                to="tables.payoutcheck",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="envy",
                                to="tables.round",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["gaming_day", "shift", "id"], name="envy_by_shift"
                            ),
                            models.Index(fields=["table", "at"], name="envy_by_table"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("amount_cents__gt", 0), ("reverses", None)),
                                    models.Q(("amount_cents__lt", 0), ("reverses__isnull", False)),
                                    _connector="OR",
                                ),
                                name="envy_is_paid_or_taken_back",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("check_of", None), ("round", None), _connector="OR"
                                ),
                                name="envy_of_a_check_or_a_round",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("reverses", None)),
                                fields=("check_of",),
                                name="one_envy_a_check",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RunPit",
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
                        ("at", models.DateTimeField()),
                        ("shown", models.TextField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "pit",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.pit",
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="run_pits",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="RunStop",
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
                        ("old_tag", models.CharField(blank=True, max_length=20)),
                        ("new_tag", models.CharField(blank=True, max_length=20)),
                        ("reason", models.CharField(blank=True, max_length=120)),
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
                            "pull",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="run_stop",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="run_stops",
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
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("run", "table"), name="one_stop_a_table_and_run"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("pull__isnull", False),
                                        ("reason", ""),
                                        models.Q(("old_tag", ""), _negated=True),
                                        models.Q(("new_tag", ""), _negated=True),
                                    ),
                                    models.Q(
                                        ("new_tag", ""),
                                        ("old_tag", ""),
                                        ("pull", None),
                                        models.Q(("reason", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="run_stop_is_a_pull_or_a_reason",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RunWatch",
                    fields=[
                        (
                            "run",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                primary_key=True,
                                related_name="run_watch",
                                serialize=False,
                                to="pitboss.slip",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="SeatHeld",
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
                        ("seat", models.PositiveSmallIntegerField()),
                        ("from_at", models.DateTimeField()),
                        ("until", models.DateTimeField(null=True)),
                        ("request_id", models.UUIDField(null=True, unique=True)),
                        ("request_hash", models.CharField(blank=True, default="", max_length=64)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "rating",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seats",
                                to="tables.playrating",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "seats held",
                        "indexes": [
                            models.Index(fields=["table", "seat", "-from_at"], name="seat_by_table")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("seat__gte", 1)), name="a_seat_has_a_number"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("until", None)),
                                fields=("table", "seat"),
                                name="one_player_a_seat",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("until", None),
                                    ("until__gte", models.F("from_at")),
                                    _connector="OR",
                                ),
                                name="a_seat_is_free_after_it_was_taken",
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
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                migrations.CreateModel(
                    name="SettledWin",
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
                        ("gaming_day", models.DateField()),
                        ("revision", models.PositiveSmallIntegerField()),
                        ("pit", models.CharField(max_length=40)),
                        ("game", models.CharField(max_length=40)),
                        ("opening_cents", models.BigIntegerField()),
                        ("closing_cents", models.BigIntegerField()),
                        ("fills_cents", models.BigIntegerField()),
                        ("credits_cents", models.BigIntegerField()),
                        ("markers_cents", models.BigIntegerField()),
                        ("marker_payments_cents", models.BigIntegerField()),
                        ("marker_cash_cents", models.BigIntegerField(default=0)),
                        ("drop_cents", models.PositiveBigIntegerField()),
                        ("jackpots_cents", models.BigIntegerField()),
                        ("estimated_cents", models.BigIntegerField(null=True)),
                        ("win_cents", models.BigIntegerField()),
                        ("settled_at", models.DateTimeField()),
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
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("gaming_day", "table", "revision"),
                                name="win_settled_once_a_revision",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "win_cents",
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                django.db.models.expressions.CombinedExpression(
                                                    django.db.models.expressions.CombinedExpression(
                                                        django.db.models.expressions.CombinedExpression(
                                                            django.db.models.expressions.CombinedExpression(
                                                                models.F("closing_cents"),
                                                                "+",
                                                                models.F("credits_cents"),
                                                            ),
                                                            "+",
                                                            models.F("drop_cents"),
                                                        ),
                                                        "+",
                                                        models.F("markers_cents"),
                                                    ),
                                                    "-",
                                                    models.F("opening_cents"),
                                                ),
                                                "-",
                                                models.F("fills_cents"),
                                            ),
                                            "-",
                                            models.F("marker_payments_cents"),
                                        ),
                                    )
                                ),
                                name="settled_win_adds_up",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ShoeMark",
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
                            "mark",
                            models.CharField(
                                choices=[
                                    ("shuffle", "Shuffle"),
                                    ("deal", "Deal"),
                                    ("stop", "Stop"),
                                ],
                                max_length=7,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("decks", models.PositiveSmallIntegerField()),
                        ("seconds", models.PositiveIntegerField(null=True)),
                        ("request_id", models.UUIDField(null=True, unique=True)),
                        (
                            "by",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "dealer",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "device",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["table", "-id"], name="shoe_mark_by_table"),
                            models.Index(
                                condition=models.Q(("seconds", None), _negated=True),
                                fields=["dealer", "at"],
                                name="shoe_time_by_dealer",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("mark__in", ["shuffle", "deal", "stop"])),
                                name="shoe_mark_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("seconds", None),
                                    models.Q(
                                        ("dealer__isnull", False), ("mark__in", ["shuffle", "deal"])
                                    ),
                                    _connector="OR",
                                ),
                                name="only_a_dealer_takes_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("by", None), ("request_id", None)),
                                    models.Q(("by__isnull", False), ("request_id__isnull", False)),
                                    _connector="OR",
                                ),
                                name="a_tap_has_its_form",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SignChange",
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
                        ("at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        ("seats", models.JSONField(default=list)),
                        (
                            "by",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "device",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
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
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["table", "-id"], name="sign_change_by_table")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StringCall",
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
                            "call",
                            models.CharField(
                                choices=[
                                    ("join", "Join"),
                                    ("relieve", "Relieve"),
                                    ("leave", "Leave"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("at", models.DateTimeField()),
                        (
                            "called_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "dealer",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "pit",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.pit",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["gaming_day", "shift", "pit"], name="call_by_shift"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("call__in", ["join", "relieve", "leave"])),
                                name="string_call_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("call", "relieve"), ("table__isnull", False)),
                                    models.Q(
                                        models.Q(("call", "relieve"), _negated=True),
                                        ("table", None),
                                    ),
                                    _connector="OR",
                                ),
                                name="only_a_relief_names_a_table",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("called_by", models.F("dealer")), _negated=True
                                ),
                                name="nobody_calls_themselves",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SystemScope",
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
                            "scope",
                            models.CharField(
                                choices=[
                                    ("ratings.read", "Ratings.read"),
                                    ("comps.read", "Comps.read"),
                                    ("comps.redeem", "Comps.redeem"),
                                    ("patrons.write", "Patrons.write"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("granted", models.BooleanField()),
                        ("since", models.DateTimeField()),
                        (
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
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
                    options={
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(fields=["device", "scope", "-id"], name="scope_latest")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "scope__in",
                                        [
                                            "ratings.read",
                                            "comps.read",
                                            "comps.redeem",
                                            "patrons.write",
                                        ],
                                    )
                                ),
                                name="system_scope_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TableOrder",
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
                            "kind",
                            models.CharField(
                                choices=[("ruling", "Ruling"), ("flat_bet", "Flat bet")],
                                max_length=8,
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField(null=True)),
                        ("facts", models.JSONField()),
                        ("began_at", models.DateTimeField()),
                        ("holds_until", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "end",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("hand_over", "Hand over"),
                                    ("shoe_over", "Shoe over"),
                                    ("lifted", "Lifted"),
                                    ("table_closed", "Table closed"),
                                ],
                                max_length=12,
                            ),
                        ),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tables.floorentry",
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
                            models.Index(
                                condition=models.Q(("ended_at", None)),
                                fields=["table"],
                                name="order_standing",
                            ),
                            models.Index(
                                fields=["table", "began_at"], name="order_by_table_and_time"
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["ruling", "flat_bet"])),
                                name="order_kind_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("end", ""), ("ended_at", None)),
                                    models.Q(
                                        ("ended_at__gte", models.F("began_at")),
                                        ("ended_at__isnull", False),
                                        (
                                            "end__in",
                                            ["hand_over", "shoe_over", "lifted", "table_closed"],
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="order_ends_after_it_began_and_says_why",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "flat_bet"), _negated=True),
                                    ("seat__isnull", False),
                                    _connector="OR",
                                ),
                                name="flat_bet_is_of_a_seat",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at", None), ("kind", "flat_bet")),
                                fields=("table", "seat"),
                                name="one_flat_bet_a_seat",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AdviceTaken",
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
                        ("what", models.CharField(max_length=60)),
                        ("sentence", models.CharField(max_length=200)),
                        ("working", models.JSONField()),
                        (
                            "answer",
                            models.CharField(
                                choices=[("done", "Done"), ("not_now", "Not now")], max_length=8
                            ),
                        ),
                        ("reason", models.CharField(blank=True, default="", max_length=200)),
                        ("request_id", models.UUIDField(unique=True)),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
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
                                related_name="+",
                                to="pitboss.device",
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
                        "verbose_name_plural": "advice taken",
                        "indexes": [
                            models.Index(fields=["gaming_day", "table"], name="advice_by_day")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("answer__in", ["done", "not_now"])),
                                name="advice_answer_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("answer", "done"),
                                    models.Q(("reason", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="not_now_has_its_reason",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
