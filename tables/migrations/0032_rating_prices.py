"""How someone plays, front money of a stay, and bets that stray together."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed

_CASH_AND_MARKERS = """
        IF NEW.entry_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM inventory_cashentry AS cash
            JOIN tables_playrating AS rating ON rating.id = NEW.rating_id
            WHERE cash.id = NEW.entry_id AND cash.amount_cents = NEW.amount_cents
              AND cash.table_id = rating.table_id AND cash.direction = 'in')
        OR NEW.marker_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM inventory_marker AS lent
            JOIN tables_playrating AS rating ON rating.id = NEW.rating_id
            WHERE lent.id = NEW.marker_id AND lent.amount_cents = NEW.amount_cents
              AND lent.patron_id = rating.patron_id)
"""
_REFUSED = """
        THEN
            RAISE EXCEPTION 'money of a rating is that of the day'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
"""
FITS = migrations.RunSQL(
    f"""
    CREATE OR REPLACE FUNCTION tables_money_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {_CASH_AND_MARKERS}
        OR NEW.drawn_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM inventory_depositentry AS drawn
            JOIN pitboss_slip AS paper ON paper.id = drawn.slip_id
            JOIN tables_playrating AS rating ON rating.id = NEW.rating_id
            WHERE drawn.id = NEW.drawn_id AND drawn.amount_cents = NEW.amount_cents
              AND drawn.move = 'drawn' AND drawn.patron_id = rating.patron_id
              AND paper.status = 'done' AND paper.table_id = rating.table_id)
        {_REFUSED}
    CREATE FUNCTION tables_skill_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM tables_playrating
                       WHERE id = NEW.rating_id AND ended_at IS NULL AND began_at <= NEW.at) THEN
            RAISE EXCEPTION 'how someone plays is seen while they play'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fits BEFORE INSERT ON tables_skillseen
        FOR EACH ROW EXECUTE FUNCTION tables_skill_fits();
    """,
    f"""
    DROP TRIGGER fits ON tables_skillseen;
    DROP FUNCTION tables_skill_fits();
    CREATE OR REPLACE FUNCTION tables_money_fits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {_CASH_AND_MARKERS}
        {_REFUSED}
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0017_slip_first_credits"),
        ("pitboss", "0032_cheques_of_the_house"),
        ("tables", "0031_late_fills_corrected"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SkillSeen",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "level",
                    models.CharField(
                        choices=[("chart", "Chart"), ("usual", "Usual"), ("weak", "Weak")],
                        max_length=5,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("request_id", models.UUIDField(unique=True)),
                ("request_hash", models.CharField(max_length=64)),
            ],
            options={
                "verbose_name_plural": "skills seen",
            },
        ),
        migrations.RemoveConstraint(
            model_name="ratingmoney",
            name="rating_money_known",
        ),
        migrations.AddField(
            model_name="ratingfigures",
            name="crosses",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="ratingmoney",
            name="drawn",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="inventory.depositentry",
            ),
        ),
        migrations.AlterField(
            model_name="ratingmoney",
            name="kind",
            field=models.CharField(
                choices=[
                    ("cash", "Cash"),
                    ("marker", "Marker"),
                    ("front_money", "Front money"),
                    ("cheques", "Cheques"),
                    ("walked", "Walked"),
                    ("moved_on", "Moved on"),
                ],
                max_length=11,
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingmoney",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["cash", "marker", "front_money", "cheques", "walked", "moved_on"])
                ),
                name="rating_money_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingmoney",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "front_money"), ("drawn__isnull", False)),
                    models.Q(models.Q(("kind", "front_money"), _negated=True), ("drawn", None)),
                    _connector="OR",
                ),
                name="front_money_of_a_rating_was_drawn",
            ),
        ),
        migrations.AddField(
            model_name="skillseen",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="skillseen",
            name="device",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="pitboss.device"
            ),
        ),
        migrations.AddField(
            model_name="skillseen",
            name="rating",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="skills",
                to="tables.playrating",
            ),
        ),
        migrations.AddConstraint(
            model_name="skillseen",
            constraint=models.CheckConstraint(
                condition=models.Q(("level__in", ["chart", "usual", "weak"])), name="skill_known"
            ),
        ),
        never_changed("tables_skillseen"),
        FITS,
    ]
