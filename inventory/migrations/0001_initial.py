"""Cheques and their ledger, cash, patrons and their credit, cards."""

import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import pitboss.create_models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("pitboss", "0001_initial")]

    operations = [
        pitboss.create_models.CreateModels(
            creations=[
                migrations.CreateModel(
                    name="CardSet",
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
                        ("number", models.CharField(max_length=12, unique=True)),
                        ("manufacturer", models.CharField(max_length=60)),
                        ("design", models.CharField(max_length=60)),
                        ("lot", models.CharField(max_length=30)),
                        (
                            "colour",
                            models.CharField(
                                choices=[
                                    ("red", "Red"),
                                    ("blue", "Blue"),
                                    ("green", "Green"),
                                    ("black", "Black"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("decks", models.PositiveSmallIntegerField()),
                        (
                            "receipt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="card_sets",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("colour__in", ["red", "blue", "green", "black"])
                                ),
                                name="card_set_colour_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("decks__gt", 0)), name="card_set_has_decks"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ExclusionCase",
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
                            "match",
                            models.CharField(
                                choices=[("hit", "Hit"), ("possible", "Possible")], max_length=8
                            ),
                        ),
                        (
                            "moment",
                            models.CharField(
                                choices=[
                                    ("patron_file", "Patron file"),
                                    ("cash", "Cash"),
                                    ("marker", "Marker"),
                                    ("debt", "Debt"),
                                    ("tax_form", "Tax form"),
                                    ("win", "Win"),
                                    ("payment", "Payment"),
                                    ("deposit", "Deposit"),
                                    ("withdrawal", "Withdrawal"),
                                    ("seat", "Seat"),
                                    ("comp", "Comp"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("gaming_day", models.DateField()),
                        ("opened_at", models.DateTimeField()),
                        (
                            "row",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases",
                                to="inventory.listrow",
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases",
                                to="inventory.patron",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("patron", "row"), name="one_case_a_patron_and_row"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("match__in", ["hit", "possible"])),
                                name="case_match_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "moment__in",
                                        [
                                            "patron_file",
                                            "cash",
                                            "marker",
                                            "debt",
                                            "tax_form",
                                            "win",
                                            "payment",
                                            "deposit",
                                            "withdrawal",
                                            "seat",
                                            "comp",
                                        ],
                                    )
                                ),
                                name="case_moment_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ListRow",
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
                            "list",
                            models.CharField(
                                choices=[
                                    ("self_exclusion", "Self exclusion"),
                                    ("state_exclusion", "State exclusion"),
                                    ("house_ban", "House ban"),
                                    ("trespass", "Trespass"),
                                    ("credit_suspension", "Credit suspension"),
                                    ("ofac", "Ofac"),
                                    ("minor", "Minor"),
                                ],
                                max_length=20,
                            ),
                        ),
                        ("external_id", models.CharField(max_length=40)),
                        ("last_name", models.CharField(max_length=120)),
                        ("first_name", models.CharField(blank=True, max_length=80)),
                        ("aliases", models.JSONField()),
                        ("born_on", models.DateField(null=True)),
                        ("ssn_index", models.CharField(blank=True, max_length=64)),
                        ("ssn_ends", models.CharField(blank=True, max_length=4)),
                        ("address", models.CharField(blank=True, max_length=300)),
                        ("description", models.CharField(blank=True, max_length=500)),
                        ("from_on", models.DateField(null=True)),
                        ("until_on", models.DateField(null=True)),
                        ("keys", models.JSONField()),
                        ("row_digest", models.CharField(max_length=64)),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rows",
                                to="inventory.listversion",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            django.contrib.postgres.indexes.GinIndex(
                                fields=["keys"], name="list_row_by_key"
                            ),
                            models.Index(
                                condition=models.Q(("ssn_index", ""), _negated=True),
                                fields=["ssn_index"],
                                name="list_row_by_ssn",
                            ),
                            models.Index(fields=["list", "external_id"], name="list_row_by_id"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "list__in",
                                        [
                                            "self_exclusion",
                                            "state_exclusion",
                                            "house_ban",
                                            "trespass",
                                            "credit_suspension",
                                            "ofac",
                                            "minor",
                                        ],
                                    )
                                ),
                                name="row_list_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CardMove",
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
                        ("sequence", models.PositiveIntegerField()),
                        (
                            "act",
                            models.CharField(
                                choices=[
                                    ("received", "Received"),
                                    ("vaulted", "Vaulted"),
                                    ("to_pit", "To pit"),
                                    ("put_back", "Put back"),
                                    ("to_table", "To table"),
                                    ("inspected", "Inspected"),
                                    ("card_replaced", "Card replaced"),
                                    ("swapped", "Swapped"),
                                    ("unused", "Unused"),
                                    ("removed", "Removed"),
                                    ("cancelled", "Cancelled"),
                                    ("bagged", "Bagged"),
                                    ("collected", "Collected"),
                                    ("destroyed", "Destroyed"),
                                    ("held", "Held"),
                                    ("released", "Released"),
                                    ("corrected", "Corrected"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "source",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("received", "Received"),
                                    ("vaulted", "Vaulted"),
                                    ("in_pit", "In pit"),
                                    ("spare", "Spare"),
                                    ("shuffler", "Shuffler"),
                                    ("in_play", "In play"),
                                    ("removed", "Removed"),
                                    ("bagged_uncancelled", "Bagged uncancelled"),
                                    ("collected_uncancelled", "Collected uncancelled"),
                                    ("cancelled", "Cancelled"),
                                    ("bagged", "Bagged"),
                                    ("collected", "Collected"),
                                    ("destroyed", "Destroyed"),
                                    ("held", "Held"),
                                ],
                                max_length=24,
                            ),
                        ),
                        (
                            "target",
                            models.CharField(
                                choices=[
                                    ("received", "Received"),
                                    ("vaulted", "Vaulted"),
                                    ("in_pit", "In pit"),
                                    ("spare", "Spare"),
                                    ("shuffler", "Shuffler"),
                                    ("in_play", "In play"),
                                    ("removed", "Removed"),
                                    ("bagged_uncancelled", "Bagged uncancelled"),
                                    ("collected_uncancelled", "Collected uncancelled"),
                                    ("cancelled", "Cancelled"),
                                    ("bagged", "Bagged"),
                                    ("collected", "Collected"),
                                    ("destroyed", "Destroyed"),
                                    ("held", "Held"),
                                ],
                                max_length=24,
                            ),
                        ),
                        ("seal", models.CharField(blank=True, max_length=20)),
                        ("bag", models.CharField(blank=True, max_length=20)),
                        ("counted", models.PositiveSmallIntegerField(null=True)),
                        ("at", models.DateTimeField()),
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
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="card_moves",
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
                        (
                            "card_set",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="moves",
                                to="inventory.cardset",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["card_set", "sequence"],
                        "indexes": [
                            models.Index(fields=["table", "at"], name="card_move_by_table"),
                            models.Index(fields=["at"], name="card_move_by_time"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("card_set", "sequence"), name="one_step_a_set_and_sequence"
                            ),
                            models.UniqueConstraint(
                                fields=("slip", "card_set", "act"), name="a_slip_moves_a_set_once"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("act", "vaulted")),
                                fields=("seal",),
                                name="a_seal_is_used_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("act", "bagged")),
                                fields=("bag",),
                                name="a_bag_is_used_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "act__in",
                                        [
                                            "received",
                                            "vaulted",
                                            "to_pit",
                                            "put_back",
                                            "to_table",
                                            "inspected",
                                            "card_replaced",
                                            "swapped",
                                            "unused",
                                            "removed",
                                            "cancelled",
                                            "bagged",
                                            "collected",
                                            "destroyed",
                                            "held",
                                            "released",
                                            "corrected",
                                        ],
                                    )
                                ),
                                name="card_act_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "target__in",
                                        [
                                            "received",
                                            "vaulted",
                                            "in_pit",
                                            "spare",
                                            "shuffler",
                                            "in_play",
                                            "removed",
                                            "bagged_uncancelled",
                                            "collected_uncancelled",
                                            "cancelled",
                                            "bagged",
                                            "collected",
                                            "destroyed",
                                            "held",
                                        ],
                                    )
                                ),
                                name="card_target_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        (
                                            "target__in",
                                            [
                                                "cancelled",
                                                "in_play",
                                                "removed",
                                                "shuffler",
                                                "spare",
                                            ],
                                        ),
                                        ("pit__isnull", False),
                                        ("table__isnull", False),
                                    ),
                                    models.Q(
                                        models.Q(
                                            (
                                                "target__in",
                                                [
                                                    "cancelled",
                                                    "in_play",
                                                    "removed",
                                                    "shuffler",
                                                    "spare",
                                                ],
                                            ),
                                            _negated=True,
                                        ),
                                        ("table", None),
                                    ),
                                    _connector="OR",
                                ),
                                name="cards_at_a_table_name_it",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "target__in",
                                        ["cancelled", "in_play", "removed", "shuffler", "spare"],
                                    ),
                                    models.Q(
                                        ("target__in", ["bagged", "bagged_uncancelled", "in_pit"]),
                                        ("pit__isnull", False),
                                    ),
                                    models.Q(
                                        models.Q(
                                            (
                                                "target__in",
                                                [
                                                    "bagged",
                                                    "bagged_uncancelled",
                                                    "cancelled",
                                                    "in_pit",
                                                    "in_play",
                                                    "removed",
                                                    "shuffler",
                                                    "spare",
                                                ],
                                            ),
                                            _negated=True,
                                        ),
                                        ("pit", None),
                                    ),
                                    _connector="OR",
                                ),
                                name="cards_in_a_pit_name_it",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("act", "bagged"), _negated=True),
                                    models.Q(("bag", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="bagged_cards_name_the_bag",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("act", "vaulted"), _negated=True),
                                    models.Q(("seal", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="vaulted_cards_name_the_seal",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CashEntry",
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
                                    ("buy_in", "Buy in"),
                                    ("marker_payment", "Marker payment"),
                                    ("cash_out", "Cash out"),
                                    ("marker_advance", "Marker advance"),
                                    ("jackpot", "Jackpot"),
                                    ("deposit", "Deposit"),
                                    ("withdrawal", "Withdrawal"),
                                    ("comp", "Comp"),
                                    ("wager", "Wager"),
                                    ("exchange_in", "Exchange in"),
                                    ("check_bought", "Check bought"),
                                    ("wire_out", "Wire out"),
                                    ("check_cashed", "Check cashed"),
                                    ("exchange_out", "Exchange out"),
                                    ("wire_in", "Wire in"),
                                    ("promotion", "Promotion"),
                                    ("foreign_in", "Foreign in"),
                                    ("foreign_out", "Foreign out"),
                                    ("other_in", "Other in"),
                                    ("other_out", "Other out"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "direction",
                            models.CharField(choices=[("in", "In"), ("out", "Out")], max_length=3),
                        ),
                        ("amount_cents", models.PositiveBigIntegerField()),
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
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("at", models.DateTimeField()),
                        ("signed_as", models.CharField(max_length=110)),
                        ("day_sum_cents", models.PositiveBigIntegerField()),
                        ("was_warned", models.BooleanField(default=False)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        ("request_id", models.UUIDField(null=True, unique=True)),
                        ("request_hash", models.CharField(blank=True, max_length=64)),
                        (
                            "device",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.device",
                            ),
                        ),
                        (
                            "keyed_by",
                            models.ForeignKey(
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
                                related_name="reversed_by",
                                to="inventory.cashentry",
                            ),
                        ),
                        (
                            "seconded_by",
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
                        (
                            "table",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.table",
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cash_entries",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "stranger",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cash_entries",
                                to="inventory.stranger",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "cash entries",
                        "indexes": [
                            models.Index(fields=["gaming_day", "id"], name="cash_by_day"),
                            models.Index(
                                fields=["patron", "gaming_day"], name="cash_by_patron_and_day"
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("amount_cents__gt", 0)),
                                name="cash_is_an_amount",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("patron__isnull", False), ("stranger", None)),
                                    models.Q(("patron", None), ("stranger__isnull", False)),
                                    _connector="OR",
                                ),
                                name="cash_is_somebodys",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("direction", "in"),
                                        (
                                            "kind__in",
                                            [
                                                "buy_in",
                                                "marker_payment",
                                                "deposit",
                                                "wager",
                                                "exchange_in",
                                                "check_bought",
                                                "wire_out",
                                                "foreign_in",
                                                "other_in",
                                            ],
                                        ),
                                    ),
                                    models.Q(
                                        ("direction", "out"),
                                        (
                                            "kind__in",
                                            [
                                                "cash_out",
                                                "marker_advance",
                                                "jackpot",
                                                "withdrawal",
                                                "comp",
                                                "check_cashed",
                                                "exchange_out",
                                                "wire_in",
                                                "promotion",
                                                "foreign_out",
                                                "other_out",
                                            ],
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="cash_goes_the_way_of_its_kind",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("place", "pit"), ("table__isnull", False)),
                                    models.Q(("place", "cage"), ("table", None)),
                                    _connector="OR",
                                ),
                                name="cash_of_a_table_is_of_the_pit",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        (
                                            "kind__in",
                                            [
                                                "marker_payment",
                                                "jackpot",
                                                "deposit",
                                                "withdrawal",
                                                "comp",
                                            ],
                                        ),
                                        _negated=True,
                                    ),
                                    ("slip__isnull", False),
                                    _connector="OR",
                                ),
                                name="cash_that_a_slip_moves_names_it",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("reason", ""), ("reverses", None), ("seconded_by", None)
                                    ),
                                    models.Q(
                                        ("reverses__isnull", False),
                                        ("seconded_by__isnull", False),
                                        ("slip__isnull", False),
                                        models.Q(("reason", ""), _negated=True),
                                        models.Q(
                                            ("seconded_by", models.F("keyed_by")), _negated=True
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_reversal_takes_a_slip_and_two_people",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("reverses", None)),
                                fields=("slip", "kind"),
                                name="cash_of_a_slip_is_logged_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CashTold",
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
                        ("words", models.CharField(max_length=50)),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="told",
                                to="inventory.cashentry",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "words of cash",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("words", ""), _negated=True),
                                name="told_cash_has_words",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ChequeTransfer",
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
                        ("denomination_cents", models.PositiveIntegerField()),
                        ("count", models.PositiveIntegerField()),
                        (
                            "source",
                            models.CharField(
                                choices=[
                                    ("cage", "Cage"),
                                    ("tray", "Tray"),
                                    ("carrier", "Carrier"),
                                    ("public", "Public"),
                                    ("variance", "Variance"),
                                    ("outside", "Outside"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "target",
                            models.CharField(
                                choices=[
                                    ("cage", "Cage"),
                                    ("tray", "Tray"),
                                    ("carrier", "Carrier"),
                                    ("public", "Public"),
                                    ("variance", "Variance"),
                                    ("outside", "Outside"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("tray_sequence", models.PositiveBigIntegerField(null=True)),
                        ("at", models.DateTimeField()),
                        (
                            "slip",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="transfers",
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
                                condition=models.Q(
                                    ("source", "cage"), ("target", "cage"), _connector="OR"
                                ),
                                fields=["id"],
                                name="transfer_of_the_cage",
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("source", "public"), ("target", "public"), _connector="OR"
                                ),
                                fields=["id"],
                                name="transfer_of_the_public",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("count__gt", 0)),
                                name="transfer_moves_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("source", models.F("target")), _negated=True),
                                name="transfer_goes_elsewhere",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "source__in",
                                        [
                                            "cage",
                                            "tray",
                                            "carrier",
                                            "public",
                                            "variance",
                                            "outside",
                                        ],
                                    )
                                ),
                                name="transfer_source_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "target__in",
                                        [
                                            "cage",
                                            "tray",
                                            "carrier",
                                            "public",
                                            "variance",
                                            "outside",
                                        ],
                                    )
                                ),
                                name="transfer_target_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        models.Q(
                                            ("source", "tray"), ("target", "tray"), _connector="OR"
                                        ),
                                        ("table__isnull", False),
                                        ("tray_sequence__isnull", False),
                                    ),
                                    models.Q(
                                        models.Q(("source", "tray"), _negated=True),
                                        models.Q(("target", "tray"), _negated=True),
                                        ("table", None),
                                        ("tray_sequence", None),
                                    ),
                                    _connector="OR",
                                ),
                                name="transfer_of_a_tray_names_it",
                            ),
                            models.UniqueConstraint(
                                fields=("table", "tray_sequence"),
                                name="one_transfer_a_tray_sequence",
                            ),
                            models.UniqueConstraint(
                                fields=("slip", "denomination_cents", "source", "target"),
                                name="a_slip_moves_its_cheques_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CtrBatch",
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
                        ("content_cipher", models.TextField()),
                        ("file_sha256", models.CharField(max_length=64)),
                        ("filing_on", models.DateField()),
                        ("made_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "made_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "ctr batches",
                    },
                ),
                migrations.CreateModel(
                    name="CtrForm",
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
                        ("content_cipher", models.TextField()),
                        ("content_hash", models.CharField(max_length=64)),
                        ("moves_digest", models.CharField(max_length=64)),
                        ("in_dollars", models.PositiveBigIntegerField()),
                        ("out_dollars", models.PositiveBigIntegerField()),
                        ("prior_bsa_id", models.CharField(blank=True, max_length=14)),
                        ("saved_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "saved_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "other",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.currencyreport",
                            ),
                        ),
                        (
                            "report",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="forms",
                                to="inventory.currencyreport",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("other", None),
                                    models.Q(("other", models.F("report")), _negated=True),
                                    _connector="OR",
                                ),
                                name="a_ctr_form_covers_two_reports_at_most",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("prior_bsa_id", ""),
                                    ("prior_bsa_id__regex", "^[0-9]{14}$"),
                                    _connector="OR",
                                ),
                                name="a_prior_bsa_id_has_14_digits",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CtrBatchForm",
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
                            "batch",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="forms",
                                to="inventory.ctrbatch",
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
                            "form",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="exported",
                                to="inventory.ctrform",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="CurrencyReport",
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
                        (
                            "direction",
                            models.CharField(choices=[("in", "In"), ("out", "Out")], max_length=3),
                        ),
                        ("sum_cents", models.PositiveBigIntegerField()),
                        ("limit_cents", models.PositiveBigIntegerField()),
                        ("due_on", models.DateField()),
                        ("opened_at", models.DateTimeField()),
                        (
                            "amends",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="amended_by",
                                to="inventory.currencyreport",
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="currency_reports",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "stranger",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="currency_reports",
                                to="inventory.stranger",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["gaming_day"], name="currency_report_by_day")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("patron__isnull", False), ("stranger", None)),
                                    models.Q(("patron", None), ("stranger__isnull", False)),
                                    _connector="OR",
                                ),
                                name="a_report_is_about_somebody",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("sum_cents__gt", models.F("limit_cents")),
                                    ("amends__isnull", False),
                                    _connector="OR",
                                ),
                                name="a_report_is_over_the_limit",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("amends", None)),
                                fields=("patron", "gaming_day", "direction"),
                                name="one_report_a_patron_day_and_way",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("amends", None)),
                                fields=("stranger", "gaming_day", "direction"),
                                name="one_report_a_stranger_day_and_way",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CurrencyReportClosing",
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
                            "outcome",
                            models.CharField(
                                choices=[("filed", "Filed"), ("not_due", "Not due")], max_length=8
                            ),
                        ),
                        ("filer", models.CharField(blank=True, max_length=80)),
                        ("filed_on", models.DateField(null=True)),
                        ("reference", models.CharField(blank=True, max_length=80)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        ("sum_cents", models.PositiveBigIntegerField()),
                        ("closed_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "closed_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "report",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="closing",
                                to="inventory.currencyreport",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("filed_on__isnull", False),
                                        ("outcome", "filed"),
                                        models.Q(("filer", ""), _negated=True),
                                        models.Q(("reference", ""), _negated=True),
                                    ),
                                    models.Q(
                                        ("filed_on", None),
                                        ("filer", ""),
                                        ("outcome", "not_due"),
                                        ("reference", ""),
                                        models.Q(("reason", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_closed_report_is_filed_or_explained",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("outcome__in", ["filed", "not_due"])),
                                name="report_outcome_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CtrFiling",
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
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="filings",
                                to="inventory.ctrform",
                            ),
                        ),
                        (
                            "closing",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="filing",
                                to="inventory.currencyreportclosing",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="CaseEnd",
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
                            "decision",
                            models.CharField(
                                choices=[("cleared", "Cleared"), ("confirmed", "Confirmed")],
                                max_length=10,
                            ),
                        ),
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
                            "case",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="end",
                                to="inventory.exclusioncase",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("decision__in", ["cleared", "confirmed"])),
                                name="case_decision_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ListUpload",
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
                            "list",
                            models.CharField(
                                choices=[
                                    ("self_exclusion", "Self exclusion"),
                                    ("state_exclusion", "State exclusion"),
                                    ("house_ban", "House ban"),
                                    ("trespass", "Trespass"),
                                    ("credit_suspension", "Credit suspension"),
                                    ("ofac", "Ofac"),
                                    ("minor", "Minor"),
                                ],
                                max_length=20,
                            ),
                        ),
                        ("content_cipher", models.TextField()),
                        ("content_hash", models.CharField(max_length=64)),
                        ("uploaded_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "uploaded_by",
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
                                    (
                                        "list__in",
                                        [
                                            "self_exclusion",
                                            "state_exclusion",
                                            "house_ban",
                                            "trespass",
                                            "credit_suspension",
                                            "ofac",
                                            "minor",
                                        ],
                                    )
                                ),
                                name="upload_list_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ListVersion",
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
                            "list",
                            models.CharField(
                                choices=[
                                    ("self_exclusion", "Self exclusion"),
                                    ("state_exclusion", "State exclusion"),
                                    ("house_ban", "House ban"),
                                    ("trespass", "Trespass"),
                                    ("credit_suspension", "Credit suspension"),
                                    ("ofac", "Ofac"),
                                    ("minor", "Minor"),
                                ],
                                max_length=20,
                            ),
                        ),
                        ("rows_count", models.PositiveIntegerField()),
                        ("added_count", models.PositiveIntegerField()),
                        ("changed_count", models.PositiveIntegerField()),
                        ("removed_count", models.PositiveIntegerField()),
                        ("imported_at", models.DateTimeField()),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "upload",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="version",
                                to="inventory.listupload",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["list", "-id"], name="list_version_latest")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "list__in",
                                        [
                                            "self_exclusion",
                                            "state_exclusion",
                                            "house_ban",
                                            "trespass",
                                            "credit_suspension",
                                            "ofac",
                                            "minor",
                                        ],
                                    )
                                ),
                                name="version_list_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ListRowEnd",
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
                            "row",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ended",
                                to="inventory.listrow",
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ends",
                                to="inventory.listversion",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Marker",
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
                        ("line_cents", models.PositiveBigIntegerField()),
                        ("over_line_cents", models.PositiveBigIntegerField(default=0)),
                        ("remaining_cents", models.PositiveBigIntegerField()),
                        ("issued_at", models.DateTimeField()),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="marker",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="markers",
                                to="inventory.patron",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(fields=["patron", "-id"], name="marker_by_patron")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("amount_cents__gt", 0)),
                                name="a_marker_lends_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("over_line_cents__lte", models.F("amount_cents"))
                                ),
                                name="a_marker_passes_the_line_by_no_more_than_itself",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MarkerEntry",
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
                                    ("paid", "Paid"),
                                    ("returned", "Returned"),
                                    ("voided", "Voided"),
                                    ("to_cage", "To cage"),
                                    ("to_pit", "To pit"),
                                    ("deposited", "Deposited"),
                                    ("replaced", "Replaced"),
                                    ("replaces", "Replaces"),
                                    ("written_off", "Written off"),
                                    ("recovered", "Recovered"),
                                    ("corrected", "Corrected"),
                                    ("reversed", "Reversed"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("amount_cents", models.PositiveBigIntegerField()),
                        ("cash_cents", models.PositiveBigIntegerField(default=0)),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
                        ("at", models.DateTimeField()),
                        (
                            "marker",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="inventory.marker",
                            ),
                        ),
                        (
                            "pit",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="pitboss.pit",
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
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(
                                fields=["pit", "gaming_day"], name="marker_entry_by_pit_and_day"
                            ),
                            models.Index(fields=["gaming_day", "move"], name="marker_entry_by_day"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "move__in",
                                        [
                                            "reserved",
                                            "issued",
                                            "paid",
                                            "returned",
                                            "voided",
                                            "to_cage",
                                            "to_pit",
                                            "deposited",
                                            "replaced",
                                            "replaces",
                                            "written_off",
                                            "recovered",
                                            "corrected",
                                            "reversed",
                                        ],
                                    )
                                ),
                                name="marker_entry_move_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount_cents__gt", 0)),
                                name="marker_entry_moves_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("cash_cents", 0),
                                    models.Q(
                                        ("cash_cents__lte", models.F("amount_cents")),
                                        ("move", "paid"),
                                    ),
                                    _connector="OR",
                                ),
                                name="only_a_payment_has_cash",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "move__in",
                                        [
                                            "paid",
                                            "returned",
                                            "deposited",
                                            "replaced",
                                            "written_off",
                                            "recovered",
                                            "reversed",
                                        ],
                                    ),
                                    ("pit__isnull", False),
                                    _connector="OR",
                                ),
                                name="a_marker_is_in_the_log_of_a_pit",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "reserved")),
                                fields=("marker",),
                                name="a_marker_is_reserved_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "issued")),
                                fields=("marker",),
                                name="a_marker_is_issued_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "voided")),
                                fields=("marker",),
                                name="a_marker_is_voided_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "replaced")),
                                fields=("marker",),
                                name="a_marker_is_replaced_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "replaces")),
                                fields=("marker",),
                                name="a_marker_is_replaces_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("move", "corrected")),
                                fields=("marker",),
                                name="a_marker_is_corrected_once",
                            ),
                            models.UniqueConstraint(
                                fields=("marker", "slip", "move"), name="a_slip_moves_a_marker_once"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Patron",
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
                        ("first_name", models.CharField(blank=True, max_length=40)),
                        ("middle_name", models.CharField(blank=True, max_length=40)),
                        ("last_name", models.CharField(max_length=120)),
                        ("is_entity", models.BooleanField(default=False)),
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
                                choices=[
                                    ("ssn", "Ssn"),
                                    ("itin", "Itin"),
                                    ("foreign", "Foreign"),
                                    ("ein", "Ein"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("tax_id_cipher", models.TextField(blank=True)),
                        ("tax_id_index", models.CharField(blank=True, max_length=64)),
                        ("tax_id_ends", models.CharField(blank=True, max_length=4)),
                        ("tax_country", models.CharField(default="US", max_length=2)),
                        ("language", models.CharField(blank=True, default="", max_length=5)),
                        ("added_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "added_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["last_name", "first_name", "id"],
                        "indexes": [
                            models.Index(
                                django.db.models.functions.text.Upper("last_name"),
                                django.db.models.functions.text.Upper("first_name"),
                                name="patron_by_name",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("tax_id_index", ""), _negated=True),
                                fields=("tax_id_index",),
                                name="a_tax_id_is_one_patron",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("player_card", ""), _negated=True),
                                fields=("player_card",),
                                name="a_player_card_is_one_patron",
                            ),
                            models.CheckConstraint(
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
                                        ("tax_id_kind__in", ["ssn", "itin", "foreign", "ein"]),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_tax_id_is_in_cipher_and_indexed",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ListCheck",
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
                            "moment",
                            models.CharField(
                                choices=[
                                    ("patron_file", "Patron file"),
                                    ("cash", "Cash"),
                                    ("marker", "Marker"),
                                    ("debt", "Debt"),
                                    ("tax_form", "Tax form"),
                                    ("win", "Win"),
                                    ("payment", "Payment"),
                                    ("deposit", "Deposit"),
                                    ("withdrawal", "Withdrawal"),
                                    ("seat", "Seat"),
                                    ("comp", "Comp"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("versions", models.JSONField()),
                        ("stopped", models.BooleanField(default=False)),
                        ("gaming_day", models.DateField()),
                        ("at", models.DateTimeField()),
                        (
                            "case",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="checks",
                                to="inventory.exclusioncase",
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
                            "table",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.table",
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
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["slip"], name="list_check_by_slip"),
                            models.Index(fields=["case", "-id"], name="list_check_by_case"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "moment__in",
                                        [
                                            "patron_file",
                                            "cash",
                                            "marker",
                                            "debt",
                                            "tax_form",
                                            "win",
                                            "payment",
                                            "deposit",
                                            "withdrawal",
                                            "seat",
                                            "comp",
                                        ],
                                    )
                                ),
                                name="check_moment_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("stopped", False), ("case__isnull", False), _connector="OR"
                                ),
                                name="only_a_case_stops",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DepositEntry",
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
                            "account",
                            models.CharField(
                                choices=[
                                    ("front_money", "Front money"),
                                    ("safekeeping", "Safekeeping"),
                                ],
                                max_length=12,
                            ),
                        ),
                        (
                            "move",
                            models.CharField(
                                choices=[
                                    ("deposited", "Deposited"),
                                    ("withdrawn", "Withdrawn"),
                                    ("paid_marker", "Paid marker"),
                                    ("drawn", "Drawn"),
                                    ("put_back", "Put back"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("amount_cents", models.PositiveBigIntegerField()),
                        ("usable_at", models.DateTimeField()),
                        ("gaming_day", models.DateField()),
                        ("shift", models.CharField(max_length=20)),
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
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="deposit_entries",
                                to="inventory.patron",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "deposit entries",
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(fields=["patron", "account"], name="deposit_by_patron")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("slip", "move"), name="a_slip_moves_a_deposit_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("account__in", ["front_money", "safekeeping"])),
                                name="deposit_account_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "move__in",
                                        [
                                            "deposited",
                                            "withdrawn",
                                            "paid_marker",
                                            "drawn",
                                            "put_back",
                                        ],
                                    )
                                ),
                                name="deposit_move_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount_cents__gt", 0)),
                                name="a_deposit_entry_moves_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("move__in", ["paid_marker", "drawn", "put_back"]),
                                        _negated=True,
                                    ),
                                    ("account", "front_money"),
                                    _connector="OR",
                                ),
                                name="only_front_money_is_played",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CollectionContact",
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
                            "how",
                            models.CharField(
                                choices=[
                                    ("phone", "Phone"),
                                    ("mail", "Mail"),
                                    ("email", "Email"),
                                    ("in_person", "In person"),
                                    ("attorney", "Attorney"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("says", models.CharField(max_length=500)),
                        ("next_on", models.DateField(null=True)),
                        ("at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "made_by",
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
                                related_name="collection_contacts",
                                to="inventory.patron",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(fields=["patron", "-id"], name="contact_by_patron")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("how__in", ["phone", "mail", "email", "in_person", "attorney"])
                                ),
                                name="contact_way_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("says", ""), _negated=True),
                                name="a_contact_says_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CashBehalf",
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
                        ("told_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "told_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="behalves",
                                to="inventory.cashentry",
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
                    ],
                    options={
                        "indexes": [models.Index(fields=["entry", "-id"], name="behalf_latest")],
                    },
                ),
                migrations.CreateModel(
                    name="PatronDocument",
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
                                    ("photo", "Photo"),
                                    ("signature", "Signature"),
                                    ("driving_licence", "Driving licence"),
                                    ("passport", "Passport"),
                                    ("state_id", "State id"),
                                    ("alien_card", "Alien card"),
                                    ("other_id", "Other id"),
                                    ("bank_account", "Bank account"),
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
                        "constraints": [
                            models.CheckConstraint(
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
                                            "bank_account",
                                        ],
                                    )
                                ),
                                name="patron_document_kind_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("number_cipher", ""), _negated=True),
                                    models.Q(("content_cipher", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="patron_document_holds_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CreditLine",
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
                                choices=[("permanent", "Permanent"), ("temporary", "Temporary")],
                                max_length=10,
                            ),
                        ),
                        ("amount_cents", models.PositiveBigIntegerField()),
                        ("holds_from", models.DateTimeField()),
                        ("holds_until", models.DateTimeField(null=True)),
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
                        (
                            "bank_account",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.patrondocument",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(
                                fields=["patron", "kind", "-id"], name="credit_line_latest"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["permanent", "temporary"])),
                                name="credit_line_kind_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("holds_until", None), ("kind", "permanent")),
                                    models.Q(
                                        ("holds_until__gt", models.F("holds_from")),
                                        ("kind", "temporary"),
                                    ),
                                    _connector="OR",
                                ),
                                name="only_a_temporary_line_ends",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PatronStanding",
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
                        "indexes": [models.Index(fields=["patron", "-id"], name="standing_latest")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("standing__in", ["clear", "suspended", "self_excluded"])
                                ),
                                name="patron_standing_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PaymentInstrument",
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
                            "means",
                            models.CharField(
                                choices=[
                                    ("personal_check", "Personal check"),
                                    ("cashiers_check", "Cashiers check"),
                                    ("money_order", "Money order"),
                                    ("travelers_check", "Travelers check"),
                                    ("wire", "Wire"),
                                    ("front_money", "Front money"),
                                    ("set_off", "Set off"),
                                ],
                                max_length=16,
                            ),
                        ),
                        ("amount_cents", models.PositiveBigIntegerField()),
                        ("issuer", models.CharField(blank=True, max_length=60)),
                        ("reference", models.CharField(blank=True, max_length=60)),
                        ("free_at", models.DateTimeField()),
                        ("at", models.DateTimeField()),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="instruments",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "slip",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="instrument",
                                to="pitboss.slip",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(fields=["patron", "free_at"], name="instrument_by_patron")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "means__in",
                                        [
                                            "personal_check",
                                            "cashiers_check",
                                            "money_order",
                                            "travelers_check",
                                            "wire",
                                            "front_money",
                                            "set_off",
                                        ],
                                    )
                                ),
                                name="payment_means_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount_cents__gt", 0)),
                                name="an_instrument_is_an_amount",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("means__in", ["front_money", "set_off"]),
                                    models.Q(
                                        models.Q(("issuer", ""), _negated=True),
                                        models.Q(("reference", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_check_or_wire_is_named",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("free_at__gte", models.F("at")),
                                        ("means", "personal_check"),
                                    ),
                                    ("free_at", models.F("at")),
                                    _connector="OR",
                                ),
                                name="only_a_personal_check_clears_later",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CheckDeposit",
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
                        ("attempt", models.PositiveSmallIntegerField()),
                        ("free_at", models.DateTimeField()),
                        ("at", models.DateTimeField()),
                        (
                            "slip",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bank_deposits",
                                to="pitboss.slip",
                            ),
                        ),
                        (
                            "marker",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bank_deposits",
                                to="inventory.marker",
                            ),
                        ),
                        (
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bank_deposits",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "instrument",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bank_deposits",
                                to="inventory.paymentinstrument",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(
                                fields=["patron", "free_at"], name="bank_deposit_by_patron"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("instrument__isnull", False), ("marker", None)),
                                    models.Q(("instrument", None), ("marker__isnull", False)),
                                    _connector="OR",
                                ),
                                name="a_bank_deposit_is_of_one_check",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount_cents__gt", 0)),
                                name="a_bank_deposit_is_an_amount",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("attempt__in", [1, 2])),
                                name="a_check_is_deposited_twice_at_most",
                            ),
                            models.UniqueConstraint(
                                fields=("marker", "attempt"),
                                name="a_marker_is_deposited_once_a_time",
                            ),
                            models.UniqueConstraint(
                                fields=("instrument", "attempt"),
                                name="an_instrument_is_deposited_once_a_time",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PublicBalance",
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
                        ("after_transfer", models.PositiveBigIntegerField()),
                        ("cheques", models.JSONField()),
                        ("at", models.DateTimeField()),
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
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("slip",), name="one_public_balance_a_slip"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReturnedCheck",
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
                            "instrument",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="returned",
                                to="inventory.paymentinstrument",
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
                    name="ReturnedDeposit",
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
                            "deposit",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="returned",
                                to="inventory.checkdeposit",
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
                    name="SamePatron",
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
                            "patron",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "same_as",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
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
                        "ordering": ["id"],
                        "indexes": [
                            models.Index(fields=["patron", "-id"], name="same_patron_latest")
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("same_as", None),
                                    models.Q(("same_as", models.F("patron")), _negated=True),
                                    _connector="OR",
                                ),
                                name="a_patron_is_the_same_as_another",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SarCase",
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
                        ("text_cipher", models.TextField()),
                        ("amount_cents", models.PositiveBigIntegerField()),
                        ("detected_on", models.DateField()),
                        ("has_suspect", models.BooleanField()),
                        ("due_on", models.DateField()),
                        ("opened_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "continues",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="continued_by",
                                to="inventory.sarcase",
                            ),
                        ),
                        (
                            "opened_by",
                            models.ForeignKey(
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
                                related_name="+",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "note",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.suspicionnote",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("text_cipher", ""), _negated=True),
                                name="a_sar_case_says_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("due_on__gt", models.F("detected_on"))),
                                name="a_sar_case_is_due_after_it_was_seen",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SarReading",
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
                        ("read_at", models.DateTimeField()),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="readings",
                                to="inventory.sarcase",
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
                ),
                migrations.CreateModel(
                    name="SarStep",
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
                                    ("written", "Written"),
                                    ("proposed", "Proposed"),
                                    ("agreed", "Agreed"),
                                    ("withdrawn", "Withdrawn"),
                                    ("reviewed", "Reviewed"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("text_cipher", models.TextField(blank=True)),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[("filed", "Filed"), ("not_filed", "Not filed")],
                                max_length=12,
                            ),
                        ),
                        ("bsa_id", models.CharField(blank=True, max_length=14)),
                        ("filed_on", models.DateField(null=True)),
                        ("review_on", models.DateField(null=True)),
                        ("taken_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "answers",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="answered_by",
                                to="inventory.sarstep",
                            ),
                        ),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="steps",
                                to="inventory.sarcase",
                            ),
                        ),
                        (
                            "taken_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "kind__in",
                                        ["written", "proposed", "agreed", "withdrawn", "reviewed"],
                                    )
                                ),
                                name="sar_step_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "proposed"), _negated=True),
                                    models.Q(
                                        ("bsa_id__regex", "^[0-9]{14}$"),
                                        ("filed_on__isnull", False),
                                        ("outcome", "filed"),
                                    ),
                                    models.Q(
                                        ("bsa_id", ""),
                                        ("outcome", "not_filed"),
                                        models.Q(("text_cipher", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_sar_proposal_is_complete",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("answers__isnull", False),
                                        ("kind__in", ["agreed", "withdrawn"]),
                                    ),
                                    models.Q(
                                        ("answers", None),
                                        ("kind__in", ["proposed", "written", "reviewed"]),
                                    ),
                                    _connector="OR",
                                ),
                                name="a_sar_answer_answers",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Stranger",
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
                        ("description", models.CharField(max_length=300)),
                        ("gaming_day", models.DateField()),
                        ("described_at", models.DateTimeField()),
                        (
                            "described_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["gaming_day"], name="stranger_by_day")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("description", ""), _negated=True),
                                name="a_stranger_is_described",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StrangerMatch",
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
                        ("reason", models.CharField(max_length=500)),
                        ("matched_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
                        (
                            "matched_by",
                            models.ForeignKey(
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
                                related_name="+",
                                to="inventory.patron",
                            ),
                        ),
                        (
                            "stranger",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="matches",
                                to="inventory.stranger",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["stranger", "-id"], name="match_latest")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("reason", ""), _negated=True),
                                name="a_match_says_why",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SuspicionNote",
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
                        ("text_cipher", models.TextField()),
                        ("gaming_day", models.DateField()),
                        ("written_at", models.DateTimeField()),
                        ("request_id", models.UUIDField(unique=True)),
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
                            "stranger",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="inventory.stranger",
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
                        (
                            "written_by",
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
                                condition=models.Q(("text_cipher", ""), _negated=True),
                                name="a_note_says_something",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("patron", None), ("stranger", None), _connector="OR"
                                ),
                                name="a_note_is_about_one_person_at_most",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="NoteReading",
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
                        ("read_at", models.DateTimeField()),
                        (
                            "read_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "note",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="readings",
                                to="inventory.suspicionnote",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="TrayCount",
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
                        ("tray_sequence", models.PositiveBigIntegerField()),
                        ("cheques", models.JSONField()),
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
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="counts",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["table", "-tray_sequence", "-id"], name="count_latest"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("slip",), name="one_tray_count_a_slip")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CageCount",
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
                        ("after_transfer", models.PositiveBigIntegerField()),
                        ("cheques", models.JSONField()),
                        ("at", models.DateTimeField()),
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
                        "constraints": [
                            models.UniqueConstraint(fields=("slip",), name="one_cage_count_a_slip")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CardPlace",
                    fields=[
                        (
                            "card_set",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                primary_key=True,
                                related_name="place",
                                serialize=False,
                                to="inventory.cardset",
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("received", "Received"),
                                    ("vaulted", "Vaulted"),
                                    ("in_pit", "In pit"),
                                    ("spare", "Spare"),
                                    ("shuffler", "Shuffler"),
                                    ("in_play", "In play"),
                                    ("removed", "Removed"),
                                    ("bagged_uncancelled", "Bagged uncancelled"),
                                    ("collected_uncancelled", "Collected uncancelled"),
                                    ("cancelled", "Cancelled"),
                                    ("bagged", "Bagged"),
                                    ("collected", "Collected"),
                                    ("destroyed", "Destroyed"),
                                    ("held", "Held"),
                                ],
                                max_length=24,
                            ),
                        ),
                        ("sequence", models.PositiveIntegerField()),
                        (
                            "colour",
                            models.CharField(
                                choices=[
                                    ("red", "Red"),
                                    ("blue", "Blue"),
                                    ("green", "Green"),
                                    ("black", "Black"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("seal", models.CharField(blank=True, max_length=20)),
                        ("bag", models.CharField(blank=True, max_length=20)),
                        ("since", models.DateTimeField()),
                        ("in_use_since", models.DateTimeField(null=True)),
                        ("is_inspected", models.BooleanField(default=False)),
                        (
                            "pit",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                to="pitboss.pit",
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cards_here",
                                to="pitboss.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["state"], name="card_place_by_state")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ["in_play", "shuffler", "spare"])),
                                fields=("table", "state"),
                                name="one_set_a_slot",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ["in_play", "shuffler", "spare"])),
                                fields=("table", "colour"),
                                name="sets_at_a_table_differ_in_colour",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
