"""The day's cash, in ink: what was logged stays, and is taken back only by another entry."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed

# Past the service too: a stranger is known by their description on one gaming day alone, and an
# entry is taken back whole, once, on a slip that two people signed about this very entry.
ENTRY_HOLDS = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_cash_entry_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        original inventory_cashentry;
        paper pitboss_slip;
        described_on date;
    BEGIN
        IF NEW.stranger_id IS NOT NULL THEN
            SELECT gaming_day INTO described_on FROM inventory_stranger
            WHERE id = NEW.stranger_id;
            IF described_on IS DISTINCT FROM NEW.gaming_day THEN
                RAISE EXCEPTION 'cash refused: its stranger was described on another gaming day'
                    USING ERRCODE = 'restrict_violation';
            END IF;
        END IF;
        IF NEW.reverses_id IS NOT NULL THEN
            SELECT * INTO original FROM inventory_cashentry WHERE id = NEW.reverses_id;
            SELECT * INTO paper FROM pitboss_slip WHERE id = NEW.slip_id;
            IF original.reverses_id IS NOT NULL
               OR (original.kind, original.amount_cents, original.patron_id, original.stranger_id,
                   original.table_id, original.gaming_day)
                  IS DISTINCT FROM (NEW.kind, NEW.amount_cents, NEW.patron_id, NEW.stranger_id,
                                    NEW.table_id, NEW.gaming_day) THEN
                RAISE EXCEPTION 'reversal refused: it is not of an entry like this'
                    USING ERRCODE = 'restrict_violation';
            END IF;
            IF paper.kind IS DISTINCT FROM 'cash_correction' OR paper.status <> 'done'
               OR (paper.details->>'entry')::bigint IS DISTINCT FROM NEW.reverses_id THEN
                RAISE EXCEPTION 'reversal refused: no slip signed by two people says this'
                    USING ERRCODE = 'restrict_violation';
            END IF;
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER cash_entry_holds BEFORE INSERT ON inventory_cashentry
        FOR EACH ROW EXECUTE FUNCTION inventory_cash_entry_holds();
    """,
    """
    DROP TRIGGER cash_entry_holds ON inventory_cashentry;
    DROP FUNCTION inventory_cash_entry_holds();
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0006_patrons"),
        ("pitboss", "0006_table_setup"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Stranger",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
        ),
        migrations.CreateModel(
            name="CurrencyReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
        ),
        migrations.CreateModel(
            name="CashEntry",
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
                            ("buy_in", "Buy in"),
                            ("marker_payment", "Marker payment"),
                            ("cash_out", "Cash out"),
                            ("marker_advance", "Marker advance"),
                            ("jackpot", "Jackpot"),
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
                    "patron",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_entries",
                        to="inventory.patron",
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
                        null=True, on_delete=django.db.models.deletion.PROTECT, to="pitboss.table"
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
            },
        ),
        migrations.CreateModel(
            name="StrangerMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
        ),
        migrations.CreateModel(
            name="SuspicionNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                        null=True, on_delete=django.db.models.deletion.PROTECT, to="pitboss.table"
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
        ),
        migrations.CreateModel(
            name="NoteReading",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
            name="CurrencyReportClosing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
        migrations.AddIndex(
            model_name="stranger",
            index=models.Index(fields=["gaming_day"], name="stranger_by_day"),
        ),
        migrations.AddConstraint(
            model_name="stranger",
            constraint=models.CheckConstraint(
                condition=models.Q(("description", ""), _negated=True),
                name="a_stranger_is_described",
            ),
        ),
        migrations.AddIndex(
            model_name="currencyreport",
            index=models.Index(fields=["gaming_day"], name="currency_report_by_day"),
        ),
        migrations.AddConstraint(
            model_name="currencyreport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("patron__isnull", False), ("stranger", None)),
                    models.Q(("patron", None), ("stranger__isnull", False)),
                    _connector="OR",
                ),
                name="a_report_is_about_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="currencyreport",
            constraint=models.CheckConstraint(
                condition=models.Q(("sum_cents__gt", models.F("limit_cents"))),
                name="a_report_is_over_the_limit",
            ),
        ),
        migrations.AddConstraint(
            model_name="currencyreport",
            constraint=models.UniqueConstraint(
                condition=models.Q(("amends", None)),
                fields=("patron", "gaming_day", "direction"),
                name="one_report_a_patron_day_and_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="currencyreport",
            constraint=models.UniqueConstraint(
                condition=models.Q(("amends", None)),
                fields=("stranger", "gaming_day", "direction"),
                name="one_report_a_stranger_day_and_way",
            ),
        ),
        migrations.AddIndex(
            model_name="cashentry",
            index=models.Index(fields=["gaming_day", "id"], name="cash_by_day"),
        ),
        migrations.AddIndex(
            model_name="cashentry",
            index=models.Index(fields=["patron", "gaming_day"], name="cash_by_patron_and_day"),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount_cents__gt", 0)), name="cash_is_an_amount"
            ),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("patron__isnull", False), ("stranger", None)),
                    models.Q(("patron", None), ("stranger__isnull", False)),
                    _connector="OR",
                ),
                name="cash_is_somebodys",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("direction", "in"), ("kind__in", ["buy_in", "marker_payment"])),
                    models.Q(
                        ("direction", "out"),
                        ("kind__in", ["cash_out", "marker_advance", "jackpot"]),
                    ),
                    _connector="OR",
                ),
                name="cash_goes_the_way_of_its_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("place", "pit"), ("table__isnull", False)),
                    models.Q(("place", "cage"), ("table", None)),
                    _connector="OR",
                ),
                name="cash_of_a_table_is_of_the_pit",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["marker_payment", "jackpot"]), _negated=True),
                    ("slip__isnull", False),
                    _connector="OR",
                ),
                name="cash_that_a_slip_moves_names_it",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reason", ""), ("reverses", None), ("seconded_by", None)),
                    models.Q(
                        ("reverses__isnull", False),
                        ("seconded_by__isnull", False),
                        ("slip__isnull", False),
                        models.Q(("reason", ""), _negated=True),
                        models.Q(("seconded_by", models.F("keyed_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="a_reversal_takes_a_slip_and_two_people",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reverses", None)),
                fields=("slip", "kind"),
                name="cash_of_a_slip_is_logged_once",
            ),
        ),
        migrations.AddIndex(
            model_name="strangermatch",
            index=models.Index(fields=["stranger", "-id"], name="match_latest"),
        ),
        migrations.AddConstraint(
            model_name="strangermatch",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="a_match_says_why"
            ),
        ),
        migrations.AddConstraint(
            model_name="suspicionnote",
            constraint=models.CheckConstraint(
                condition=models.Q(("text_cipher", ""), _negated=True), name="a_note_says_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="suspicionnote",
            constraint=models.CheckConstraint(
                condition=models.Q(("patron", None), ("stranger", None), _connector="OR"),
                name="a_note_is_about_one_person_at_most",
            ),
        ),
        ENTRY_HOLDS,
        never_changed("inventory_cashentry"),
        never_changed("inventory_currencyreport"),
        never_changed("inventory_currencyreportclosing"),
        never_changed("inventory_notereading"),
        never_changed("inventory_stranger"),
        never_changed("inventory_strangermatch"),
        never_changed("inventory_suspicionnote"),
    ]
