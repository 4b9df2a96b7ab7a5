"""What all apps share: floor, staff, slips and signatures, journal, settings."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import pitboss.create_models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        pitboss.create_models.CreateModels(
            creations=[
                migrations.CreateModel(
                    name="GuardSheet",
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
                        ("number", models.PositiveIntegerField(unique=True)),
                        ("at", models.DateTimeField()),
                        ("text", models.TextField()),
                        ("key_name", models.CharField(max_length=40)),
                        ("link", models.CharField(max_length=64)),
                    ],
                ),
                migrations.CreateModel(
                    name="JournalChain",
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
                        ("name", models.CharField(max_length=40, unique=True)),
                        ("head_number", models.PositiveBigIntegerField(default=0)),
                        ("head_link", models.CharField(blank=True, max_length=64)),
                        ("head_at", models.DateTimeField(null=True)),
                        (
                            "table",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.table",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="JournalSeal",
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
                        ("number", models.PositiveBigIntegerField(unique=True)),
                        ("at", models.DateTimeField()),
                        ("text", models.TextField()),
                        ("key_name", models.CharField(max_length=40)),
                        ("link", models.CharField(max_length=64)),
                    ],
                ),
                migrations.CreateModel(
                    name="PaperForm",
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
                        ("code", models.CharField(max_length=2)),
                        ("number", models.PositiveIntegerField()),
                        (
                            "pack",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="forms",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("code", "number"), name="one_form_a_number"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("code__regex", "^[A-Z]{2}$"),
                                    ("number__gte", 1),
                                    ("number__lte", 999999),
                                ),
                                name="form_number_fits_the_form",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Pit",
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
                        ("name", models.CharField(max_length=40, unique=True)),
                    ],
                    options={
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="WorkerHeartbeat",
                    fields=[
                        (
                            "name",
                            models.CharField(max_length=40, primary_key=True, serialize=False),
                        ),
                        ("beat_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Person",
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
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        (
                            "last_login",
                            models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                        ),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("seal", models.CharField(default="", editable=False, max_length=160)),
                        ("badge", models.CharField(max_length=12, unique=True)),
                        ("first_name", models.CharField(max_length=40)),
                        ("last_name", models.CharField(max_length=40)),
                        ("licence_number", models.CharField(blank=True, max_length=20)),
                        ("licence_ends", models.DateField(blank=True, null=True)),
                        ("employee_number", models.CharField(max_length=20, unique=True)),
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
                        ("is_active", models.BooleanField(default=True)),
                        ("pin_hash", models.CharField(blank=True, max_length=160)),
                        ("pin_set_at", models.DateTimeField(blank=True, null=True)),
                        ("pin_by_others_at", models.DateTimeField(blank=True, null=True)),
                        ("identity", models.CharField(blank=True, default="", max_length=512)),
                        ("language", models.CharField(blank=True, default="", max_length=5)),
                    ],
                    options={
                        "verbose_name_plural": "people",
                        "ordering": ["last_name", "first_name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "role__in",
                                        [
                                            "dealer",
                                            "supervisor",
                                            "pit_manager",
                                            "shift_manager",
                                            "cashier",
                                            "cage_manager",
                                            "security",
                                            "security_manager",
                                            "surveillance",
                                            "surveillance_manager",
                                            "count_team",
                                            "host",
                                            "host_manager",
                                            "accounting",
                                            "controller",
                                            "collector",
                                            "compliance",
                                            "auditor",
                                            "administrator",
                                        ],
                                    )
                                ),
                                name="person_role_known",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("identity", ""), _negated=True),
                                fields=("identity",),
                                name="one_person_an_identity",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BeatLease",
                    fields=[
                        (
                            "id",
                            models.PositiveSmallIntegerField(
                                default=1, primary_key=True, serialize=False
                            ),
                        ),
                        ("holder", models.CharField(max_length=80)),
                        ("until", models.DateTimeField()),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("id", 1)), name="one_beat_lease"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DayDigest",
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
                        ("label", models.CharField(max_length=60)),
                        ("gaming_day", models.DateField()),
                        ("began_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField()),
                        ("rows", models.PositiveBigIntegerField()),
                        ("digest", models.CharField(max_length=64)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("label", "gaming_day"), name="one_digest_a_day"
                            ),
                            models.UniqueConstraint(
                                fields=("label", "began_at"), name="digests_do_not_overlap"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("began_at__lt", models.F("ended_at"))),
                                name="digest_has_a_span",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Device",
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
                        (
                            "place",
                            models.CharField(
                                choices=[
                                    ("pit", "Pit"),
                                    ("cage", "Cage"),
                                    ("security", "Security"),
                                    ("surveillance", "Surveillance"),
                                    ("office", "Office"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("token_hash", models.CharField(max_length=64, unique=True)),
                        ("token_made_at", models.DateTimeField(null=True)),
                        ("token_ends_at", models.DateTimeField(null=True)),
                        (
                            "next_token_hash",
                            models.CharField(blank=True, max_length=64, null=True, unique=True),
                        ),
                        ("next_token_at", models.DateTimeField(blank=True, null=True)),
                        ("old_token_hash", models.CharField(blank=True, max_length=64)),
                        ("old_token_until", models.DateTimeField(blank=True, null=True)),
                        ("enrolled_at", models.DateTimeField()),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                        ("last_seen_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "enrolled_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "let_in_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "pit",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.pit",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="terminals",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "place__in",
                                        ["pit", "cage", "security", "surveillance", "office"],
                                    )
                                ),
                                name="device_place_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("pit", None), ("place", "pit"), _connector="OR"
                                ),
                                name="device_only_of_the_pit_has_a_pit",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("table", None),
                                    models.Q(("pit", None), ("place", "pit")),
                                    _connector="OR",
                                ),
                                name="terminal_stands_at_its_table_alone",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("let_in_by", None),
                                    models.Q(("let_in_by", models.F("enrolled_by")), _negated=True),
                                    _connector="OR",
                                ),
                                name="device_let_in_by_two",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="JournalEntry",
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
                        ("at", models.DateTimeField()),
                        ("kind", models.CharField(max_length=40)),
                        ("text", models.TextField()),
                        ("key_name", models.CharField(max_length=40)),
                        ("link", models.CharField(max_length=64)),
                        (
                            "chain",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="pitboss.journalchain",
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
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
                        "verbose_name_plural": "journal entries",
                        "indexes": [
                            models.Index(fields=["slip"], name="entry_by_slip"),
                            django.contrib.postgres.indexes.BrinIndex(
                                autosummarize=True, fields=["at"], name="entry_by_time"
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("chain", "number"), name="one_entry_a_number"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OutboxEvent",
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
                        ("handed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="outbox_event",
                                to="pitboss.journalentry",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("handed_at", None)),
                                fields=["id"],
                                name="outbox_to_hand",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PaperFormEnd",
                    fields=[
                        (
                            "form",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                primary_key=True,
                                related_name="end",
                                serialize=False,
                                to="pitboss.paperform",
                            ),
                        ),
                        (
                            "how",
                            models.CharField(
                                choices=[
                                    ("entered", "Entered"),
                                    ("void", "Void"),
                                    ("unused", "Unused"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "slip",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="form_ends",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("how__in", ["entered", "void", "unused"])),
                                name="form_end_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PaperPicture",
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
                        ("content_type", models.CharField(max_length=20)),
                        ("content_cipher", models.TextField()),
                        ("sha256", models.CharField(max_length=64)),
                        ("at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "form",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pictures",
                                to="pitboss.paperform",
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
                    ],
                ),
                migrations.CreateModel(
                    name="Passkey",
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
                        ("name", models.CharField(max_length=40)),
                        ("credential_id", models.CharField(max_length=1400, unique=True)),
                        ("public_key", models.TextField()),
                        ("sign_count", models.PositiveBigIntegerField()),
                        ("added_at", models.DateTimeField()),
                        ("removed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="passkeys",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("removed_at", None),
                                    ("removed_at__gte", models.F("added_at")),
                                    _connector="OR",
                                ),
                                name="passkey_removed_after_it_came",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PasskeyChallenge",
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
                        ("challenge", models.CharField(max_length=64, unique=True)),
                        ("act_hash", models.CharField(max_length=64)),
                        ("made_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "person",
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
                                condition=models.Q(
                                    ("used_at", None),
                                    ("used_at__gte", models.F("made_at")),
                                    _connector="OR",
                                ),
                                name="challenge_used_after_it_was_made",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PinEnrolment",
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
                        ("code_hash", models.CharField(max_length=64, unique=True)),
                        ("offered_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField()),
                        ("by_keys", models.BooleanField(default=False)),
                        ("released_at", models.DateTimeField(blank=True, null=True)),
                        ("released_hash", models.CharField(blank=True, max_length=64)),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                        ("told_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "offered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pin_enrolments",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "second_witness",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "witness",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("offered_by", models.F("person")), _negated=True
                                ),
                                name="nobody_offers_themselves_a_pin",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("witness", None),
                                    models.Q(("witness", models.F("person")), _negated=True),
                                    _connector="OR",
                                ),
                                name="nobody_witnesses_their_own_pin",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("witness", None),
                                    models.Q(("witness", models.F("offered_by")), _negated=True),
                                    _connector="OR",
                                ),
                                name="offerer_and_witness_of_a_pin_differ",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("second_witness", None),
                                    models.Q(
                                        models.Q(
                                            ("second_witness", models.F("person")), _negated=True
                                        ),
                                        models.Q(
                                            ("second_witness", models.F("offered_by")),
                                            _negated=True,
                                        ),
                                        models.Q(
                                            ("second_witness", models.F("witness")), _negated=True
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="second_witness_of_a_pin_differs",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("by_keys", True), ("offered_by", None)),
                                    models.Q(("by_keys", False), ("offered_by__isnull", False)),
                                    _connector="OR",
                                ),
                                name="pin_offered_by_somebody_or_by_keys",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("used_at", None),
                                    ("by_keys", True),
                                    models.Q(
                                        ("released_at__isnull", False), ("witness__isnull", False)
                                    ),
                                    _connector="OR",
                                ),
                                name="pin_is_set_before_a_witness",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Property",
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
                        ("name", models.CharField(max_length=80)),
                        ("time_zone", models.CharField(default="America/New_York", max_length=64)),
                        ("is_demo", models.BooleanField(default=False)),
                    ],
                    options={
                        "verbose_name_plural": "properties",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("id", 1)), name="there_is_one_property"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RequestMark",
                    fields=[
                        ("request_id", models.UUIDField(primary_key=True, serialize=False)),
                        ("is_given_up", models.BooleanField()),
                        ("at", models.DateTimeField()),
                        (
                            "device",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["at"], name="request_mark_by_age")],
                    },
                ),
                migrations.CreateModel(
                    name="SealingState",
                    fields=[
                        (
                            "id",
                            models.PositiveSmallIntegerField(
                                default=1, primary_key=True, serialize=False
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        ("tried_at", models.DateTimeField()),
                        ("went_well_at", models.DateTimeField(null=True)),
                        ("trouble", models.CharField(blank=True, max_length=500)),
                        ("file_bytes", models.PositiveBigIntegerField(default=0)),
                        ("copied_seal", models.PositiveBigIntegerField(null=True)),
                        ("logged_seal", models.PositiveBigIntegerField(null=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("id", 1)), name="one_sealing_state"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SeriesCounter",
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
                        ("last_number", models.PositiveIntegerField(default=0)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("series", "year"), name="one_counter_a_series_and_year"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Slip",
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
                        ("kind", models.CharField(max_length=24)),
                        ("series", models.CharField(max_length=4)),
                        ("year", models.PositiveSmallIntegerField()),
                        ("number", models.PositiveIntegerField()),
                        ("serial", models.CharField(max_length=20, unique=True)),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("raised_at", models.DateTimeField()),
                        ("cheques", models.JSONField(default=dict)),
                        ("total_cents", models.PositiveBigIntegerField()),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        ("details", models.JSONField(default=dict)),
                        ("tray_sequence", models.PositiveBigIntegerField(null=True)),
                        ("plan", models.JSONField()),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Open"),
                                    ("returning", "Returning"),
                                    ("done", "Done"),
                                    ("voided", "Voided"),
                                    ("returned", "Returned"),
                                    ("withheld", "Withheld"),
                                ],
                                default="open",
                                max_length=12,
                            ),
                        ),
                        (
                            "refers_to",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="referred_by",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="slips",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ["open", "returning"])),
                                fields=["table"],
                                name="slip_under_way",
                            ),
                            models.Index(
                                fields=["table", "gaming_day"], name="slip_by_table_and_day"
                            ),
                            models.Index(
                                fields=["gaming_day", "kind"], name="slip_by_day_and_kind"
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("series", "year", "number"), name="slip_number_used_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "status__in",
                                        [
                                            "open",
                                            "returning",
                                            "done",
                                            "voided",
                                            "returned",
                                            "withheld",
                                        ],
                                    )
                                ),
                                name="slip_status_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Signature",
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
                            "track",
                            models.CharField(
                                choices=[("main", "Main"), ("void", "Void"), ("relief", "Relief")],
                                max_length=8,
                            ),
                        ),
                        ("step", models.CharField(max_length=24)),
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
                        (
                            "place",
                            models.CharField(
                                choices=[
                                    ("pit", "Pit"),
                                    ("cage", "Cage"),
                                    ("security", "Security"),
                                    ("surveillance", "Surveillance"),
                                    ("office", "Office"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("signed_at", models.DateTimeField()),
                        ("shown", models.TextField()),
                        ("shown_hash", models.CharField(max_length=64)),
                        ("counted", models.JSONField(null=True)),
                        ("facts", models.JSONField(default=dict)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        ("request_id", models.UUIDField(unique=True)),
                        ("request_hash", models.CharField(max_length=64)),
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
                            "slip",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="signatures",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("slip", "track", "step"), name="step_signed_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "role__in",
                                        [
                                            "dealer",
                                            "supervisor",
                                            "pit_manager",
                                            "shift_manager",
                                            "cashier",
                                            "cage_manager",
                                            "security",
                                            "security_manager",
                                            "surveillance",
                                            "surveillance_manager",
                                            "count_team",
                                            "host",
                                            "host_manager",
                                            "accounting",
                                            "controller",
                                            "collector",
                                            "compliance",
                                            "auditor",
                                            "administrator",
                                        ],
                                    )
                                ),
                                name="signature_role_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("track__in", ["main", "void", "relief"])),
                                name="signature_track_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("role", "administrator"), _negated=True),
                                name="administrators_sign_nothing",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SettingValue",
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
                        ("key", models.CharField(max_length=60)),
                        ("holds_from", models.DateTimeField()),
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
                    },
                ),
                migrations.CreateModel(
                    name="PersonLimit",
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
                        ("most_cents", models.PositiveBigIntegerField(null=True)),
                        ("holds_from", models.DateTimeField()),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="limits",
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
                    },
                ),
                migrations.CreateModel(
                    name="FloorException",
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
                        ("code", models.CharField(max_length=40)),
                        ("sentence", models.CharField(max_length=500)),
                        ("details", models.JSONField(default=dict)),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("opened_at", models.DateTimeField()),
                        ("resolved_at", models.DateTimeField(blank=True, null=True)),
                        ("resolution", models.CharField(blank=True, max_length=500)),
                        (
                            "opened_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "resolved_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "slip",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("resolved_at", None)),
                                fields=["opened_at"],
                                name="exception_open",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("resolution", ""),
                                        ("resolved_at", None),
                                        ("resolved_by", None),
                                    ),
                                    models.Q(
                                        ("resolved_at__isnull", False),
                                        ("resolved_by__isnull", False),
                                        models.Q(("resolution", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="resolved_is_signed_and_explained",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ClosedShift",
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
                        ("closed_at", models.DateTimeField()),
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
                        "ordering": ["-closed_at"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("gaming_day", "shift"), name="shift_closed_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ClosedDay",
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
                        ("gaming_day", models.DateField(unique=True)),
                        ("closed_at", models.DateTimeField()),
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
                        "ordering": ["-gaming_day"],
                    },
                ),
                migrations.CreateModel(
                    name="CarriedOver",
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
                        ("sentence", models.CharField(max_length=500)),
                        (
                            "accepted_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "closed_day",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="carried",
                                to="pitboss.closedday",
                            ),
                        ),
                        (
                            "closed_shift",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="carried",
                                to="pitboss.closedshift",
                            ),
                        ),
                        (
                            "exception",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.floorexception",
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
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("exception", None), ("slip__isnull", False)),
                                    models.Q(("exception__isnull", False), ("slip", None)),
                                    _connector="OR",
                                ),
                                name="carried_over_names_one_thing",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("closed_day__isnull", False), ("closed_shift", None)),
                                    models.Q(("closed_day", None), ("closed_shift__isnull", False)),
                                    _connector="OR",
                                ),
                                name="carried_over_at_one_handover",
                            ),
                            models.UniqueConstraint(
                                fields=("closed_shift", "slip"),
                                name="slip_carried_over_once_a_shift",
                            ),
                            models.UniqueConstraint(
                                fields=("closed_shift", "exception"),
                                name="exception_carried_over_once_a_shift",
                            ),
                            models.UniqueConstraint(
                                fields=("closed_day", "slip"), name="slip_carried_over_once"
                            ),
                            models.UniqueConstraint(
                                fields=("closed_day", "exception"),
                                name="exception_carried_over_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ActingRole",
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
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
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
                        ("granted_at", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "ended_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "granted_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="acting_roles",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "named_on",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("until", None),
                                        ("until__gt", models.F("granted_at")),
                                        _connector="OR",
                                    ),
                                    models.Q(
                                        ("ended_at", None),
                                        ("ended_at__gte", models.F("granted_at")),
                                        _connector="OR",
                                    ),
                                ),
                                name="acting_role_ends_after_it_began",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ended_at", None), ("ended_by", None)),
                                    models.Q(
                                        ("ended_at__isnull", False), ("ended_by__isnull", False)
                                    ),
                                    _connector="OR",
                                ),
                                name="who_ended_an_acting_role_is_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("granted_by", models.F("person")), _negated=True
                                ),
                                name="nobody_grants_themselves_a_role",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "role__in",
                                        [
                                            "dealer",
                                            "supervisor",
                                            "pit_manager",
                                            "shift_manager",
                                            "cashier",
                                            "cage_manager",
                                            "security",
                                            "security_manager",
                                            "surveillance",
                                            "surveillance_manager",
                                            "count_team",
                                            "host",
                                            "host_manager",
                                            "accounting",
                                            "controller",
                                            "collector",
                                            "compliance",
                                            "auditor",
                                            "administrator",
                                        ],
                                    )
                                ),
                                name="acting_role_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AccountEvent",
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
                            "step",
                            models.CharField(
                                choices=[
                                    ("known", "Known"),
                                    ("leave", "Leave"),
                                    ("suspended", "Suspended"),
                                    ("removed", "Removed"),
                                    ("restored", "Restored"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "why",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("unused", "Unused"),
                                    ("never_used", "Never used"),
                                    ("on_leave", "On leave"),
                                    ("reviewed", "Reviewed"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("first", models.DateField(blank=True, null=True)),
                        ("last", models.DateField(blank=True, null=True)),
                        ("at", models.DateTimeField()),
                        (
                            "person",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="account_events",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "slip",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["person", "-id"], name="account_latest")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "step__in",
                                        ["known", "leave", "suspended", "removed", "restored"],
                                    )
                                ),
                                name="account_step_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("step__in", ["suspended", "removed"]), _negated=True),
                                    ("why__in", ["unused", "never_used", "on_leave", "reviewed"]),
                                    _connector="OR",
                                ),
                                name="account_stops_for_a_reason",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("first", None),
                                        ("last", None),
                                        models.Q(("step", "leave"), _negated=True),
                                    ),
                                    models.Q(
                                        ("last__gte", models.F("first")),
                                        ("slip__isnull", False),
                                        ("step", "leave"),
                                    ),
                                    _connector="OR",
                                ),
                                name="account_leave_has_its_days",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("step", "restored"), _negated=True),
                                    ("slip__isnull", False),
                                    ("why", "on_leave"),
                                    _connector="OR",
                                ),
                                name="account_is_restored_by_a_slip_or_after_leave",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("step", "known")),
                                fields=("person",),
                                name="account_known_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SlipPrint",
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
                        ("copy", models.PositiveSmallIntegerField()),
                        ("printed_at", models.DateTimeField()),
                        (
                            "printed_by",
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
                                related_name="prints",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("slip", "copy"), name="one_print_a_copy_number"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StoredAnswer",
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
                        ("key", models.CharField(max_length=64)),
                        ("request_hash", models.CharField(max_length=64)),
                        ("status", models.PositiveSmallIntegerField()),
                        ("answer", models.TextField()),
                        ("at", models.DateTimeField()),
                        (
                            "device",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["at"], name="answer_by_age")],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("device", "key"), name="one_answer_a_key"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StrayAttempt",
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
                        ("mark", models.CharField(max_length=64)),
                        ("source", models.CharField(blank=True, max_length=45)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("pin", "Pin"), ("password", "Password")], max_length=10
                            ),
                        ),
                        ("is_forgiven", models.BooleanField(default=False)),
                        ("at", models.DateTimeField()),
                        (
                            "device",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.device",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["-at"], name="stray_by_time")],
                    },
                ),
                migrations.CreateModel(
                    name="Table",
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
                        ("name", models.CharField(max_length=12, unique=True)),
                        ("game", models.CharField(max_length=40)),
                        ("decks", models.PositiveSmallIntegerField(default=6)),
                        ("minimum_cents", models.PositiveBigIntegerField()),
                        ("maximum_cents", models.PositiveBigIntegerField()),
                        ("par", models.JSONField(default=dict)),
                        (
                            "cards",
                            models.CharField(
                                choices=[
                                    ("shuffler", "Shuffler"),
                                    ("continuous", "Continuous"),
                                    ("hand", "Hand"),
                                    ("none", "None"),
                                ],
                                default="shuffler",
                                max_length=12,
                            ),
                        ),
                        ("setup", models.JSONField(default=dict)),
                        ("is_open", models.BooleanField(default=False)),
                        ("tray_sequence", models.PositiveBigIntegerField(default=0)),
                        (
                            "pit",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="tables",
                                to="pitboss.pit",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("maximum_cents__gte", models.F("minimum_cents")),
                                    ("minimum_cents__gt", 0),
                                ),
                                name="table_limits_in_order",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("cards__in", ["shuffler", "continuous", "hand", "none"])
                                ),
                                name="table_cards_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RulesVersion",
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
                        ("from_at", models.DateTimeField()),
                        ("kept", models.JSONField(default=dict)),
                        (
                            "slip",
                            models.ForeignKey(
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
                                related_name="rules_versions",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["table", "-id"], name="rules_version_by_table")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DeviceEnrolment",
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
                        (
                            "code_hash",
                            models.CharField(blank=True, max_length=64, null=True, unique=True),
                        ),
                        ("name", models.CharField(max_length=40)),
                        (
                            "place",
                            models.CharField(
                                choices=[
                                    ("pit", "Pit"),
                                    ("cage", "Cage"),
                                    ("security", "Security"),
                                    ("surveillance", "Surveillance"),
                                    ("office", "Office"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "offered_as",
                            models.CharField(
                                blank=True,
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
                        ("offered_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "let_in_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "offered_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "renews",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "pit",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.pit",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("code_hash", None),
                                    models.Q(
                                        ("let_in_by__isnull", False),
                                        models.Q(
                                            ("let_in_by", models.F("offered_by")), _negated=True
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="code_of_a_device_takes_two_people",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="UsedPin",
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
                        ("pin_hash", models.CharField(max_length=160)),
                        ("set_at", models.DateTimeField()),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="used_pins",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["person", "-id"], name="used_pin_latest")],
                    },
                ),
                migrations.CreateModel(
                    name="Visit",
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
                        ("source", models.CharField(blank=True, max_length=45)),
                        ("session_hash", models.CharField(blank=True, max_length=64)),
                        ("began_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "device",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="visits",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("ended_at", None)),
                                fields=["person"],
                                name="visit_under_way",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Waiting",
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
                        ("step", models.CharField(max_length=24)),
                        (
                            "by",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.CharField(max_length=24), size=None
                            ),
                        ),
                        (
                            "place",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("pit", "Pit"),
                                    ("cage", "Cage"),
                                    ("security", "Security"),
                                    ("surveillance", "Surveillance"),
                                    ("office", "Office"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        ("limit_seconds", models.PositiveIntegerField(default=300)),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        (
                            "escalated_to",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.CharField(max_length=24), default=list, size=None
                            ),
                        ),
                        ("escalated_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "exception",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="waits",
                                to="pitboss.floorexception",
                            ),
                        ),
                        (
                            "pit",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.pit",
                            ),
                        ),
                        (
                            "slip",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="waits",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("until", None)),
                                fields=["since"],
                                name="waiting_now",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("exception", None), ("slip__isnull", False)),
                                    models.Q(("exception__isnull", False), ("slip", None)),
                                    _connector="OR",
                                ),
                                name="waiting_on_one_thing",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Webhook",
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
                        ("url", models.CharField(max_length=300)),
                        (
                            "events",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.CharField(max_length=30), size=None
                            ),
                        ),
                        ("secret_cipher", models.TextField()),
                        ("old_secret_cipher", models.TextField(blank=True)),
                        ("old_secret_until", models.DateTimeField(blank=True, null=True)),
                        ("asked_at", models.DateTimeField()),
                        ("is_on", models.BooleanField(default=False)),
                        ("switched_at", models.DateTimeField(blank=True, null=True)),
                        ("failing_since", models.DateTimeField(blank=True, null=True)),
                        ("died", models.BooleanField(default=False)),
                        (
                            "asked_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "switched_on_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("is_on", False),
                                    models.Q(
                                        ("switched_on_by__isnull", False),
                                        models.Q(
                                            ("switched_on_by", models.F("asked_by")), _negated=True
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_webhook_is_switched_on_by_a_second_person",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WebhookDelivery",
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
                        ("name", models.CharField(max_length=30)),
                        ("body", models.TextField()),
                        ("tries", models.PositiveIntegerField(default=0)),
                        ("next_at", models.DateTimeField(blank=True, null=True)),
                        ("tried_at", models.DateTimeField(blank=True, null=True)),
                        ("taken_at", models.DateTimeField(blank=True, null=True)),
                        ("said", models.CharField(blank=True, max_length=120)),
                        (
                            "event",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="pitboss.outboxevent",
                            ),
                        ),
                        (
                            "webhook",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="deliveries",
                                to="pitboss.webhook",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "webhook deliveries",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("next_at__isnull", False)),
                                fields=["webhook", "next_at"],
                                name="delivery_due",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("webhook", "event"), name="one_delivery_a_webhook"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Attempt",
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
                        ("badge", models.CharField(max_length=12)),
                        ("source", models.CharField(blank=True, max_length=45)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("pin", "Pin"), ("password", "Password")], max_length=10
                            ),
                        ),
                        (
                            "outcome",
                            models.CharField(
                                choices=[
                                    ("unproven", "Unproven"),
                                    ("right", "Right"),
                                    ("forgiven", "Forgiven"),
                                ],
                                default="unproven",
                                max_length=10,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "device",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.device",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["badge", "-at"], name="attempt_by_badge"),
                            models.Index(fields=["device", "-at"], name="attempt_by_device"),
                            models.Index(
                                condition=models.Q(("device", None)),
                                fields=["source", "-at"],
                                name="attempt_by_source",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="JournalAudit",
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
                                    ("asked", "asked for"),
                                    ("nightly", "whole, each night"),
                                    ("hourly", "what is new, each hour"),
                                ],
                                default="asked",
                                max_length=8,
                            ),
                        ),
                        ("asked_at", models.DateTimeField()),
                        ("began_at", models.DateTimeField(null=True)),
                        ("heard_at", models.DateTimeField(null=True)),
                        ("doing", models.CharField(blank=True, max_length=60)),
                        ("done", models.PositiveBigIntegerField(default=0)),
                        ("total", models.PositiveBigIntegerField(default=0)),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("looked_at", models.CharField(blank=True, max_length=200)),
                        ("findings", models.JSONField(default=list)),
                        ("findings_total", models.PositiveBigIntegerField(default=0)),
                        ("position", models.TextField(blank=True)),
                        ("key_name", models.CharField(blank=True, max_length=40)),
                        ("mark", models.CharField(blank=True, max_length=64)),
                        (
                            "asked_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at", None)),
                                fields=("ended_at",),
                                name="one_audit_under_way",
                                nulls_distinct=False,
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
