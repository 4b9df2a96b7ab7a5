"""Hours of closed days in ink, and the ratings whose figures are awaited."""

import django.db.models.deletion
from django.db import migrations, models

from pitboss.ink import never_changed

# Every total is the sum of its hours, and theo that of its wagers.
ADDS_UP = migrations.RunSQL(
    """
    CREATE FUNCTION tables_hours_add_up() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        sums record;
        by_wager jsonb;
    BEGIN
        SELECT coalesce(sum((value->>'open')::bigint), 0) AS opened,
               coalesce(sum((value->>'seats')::bigint), 0) AS seats,
               coalesce(sum((value->>'rated')::bigint), 0) AS rated,
               coalesce(sum((value->>'rounds')::bigint), 0) AS rounds,
               coalesce(sum((value->>'action')::bigint), 0) AS action,
               sum((value->>'labor')::bigint) AS labor
        INTO sums FROM jsonb_each(NEW.hours);
        SELECT coalesce(jsonb_object_agg(wager, cents), '{}') INTO by_wager FROM (
            SELECT part.key AS wager, sum(part.value::bigint) AS cents
            FROM jsonb_each(NEW.hours) AS hour, jsonb_each_text(hour.value->'theo') AS part
            GROUP BY part.key) AS summed;
        IF (sums.opened, sums.seats, sums.rated, sums.rounds, sums.action)
               IS DISTINCT FROM (NEW.open_seconds::numeric, NEW.seat_seconds::numeric,
                                 NEW.rated_seconds::numeric, NEW.rounds::numeric,
                                 NEW.action_cents::numeric)
           OR sums.labor IS DISTINCT FROM NEW.labor_cents::numeric
           OR by_wager <> NEW.theo
           OR NEW.theo_cents <> (SELECT coalesce(sum(value::bigint), 0)
                                 FROM jsonb_each_text(NEW.theo)) THEN
            RAISE EXCEPTION 'settled hours do not come to their totals'
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.revision > 0 AND NOT EXISTS (
            SELECT FROM tables_settledhours
            WHERE gaming_day = NEW.gaming_day AND table_id = NEW.table_id
              AND revision = NEW.revision - 1)
        OR NOT EXISTS (SELECT FROM pitboss_closedday WHERE gaming_day = NEW.gaming_day) THEN
            RAISE EXCEPTION 'hours are settled once their day is closed, one revision after another'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER add_up BEFORE INSERT ON tables_settledhours
        FOR EACH ROW EXECUTE FUNCTION tables_hours_add_up();
    """,
    """
    DROP TRIGGER add_up ON tables_settledhours;
    DROP FUNCTION tables_hours_add_up();
    """,
)
AWAITED = migrations.RunSQL(
    """
    INSERT INTO tables_figuresawaited (rating_id)
    SELECT rating.id FROM tables_playrating AS rating
    WHERE rating.ended_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM tables_ratingfigures AS figures WHERE figures.rating_id = rating.id)
    ORDER BY rating.id
    """,
    migrations.RunSQL.noop,
)


class Migration(migrations.Migration):
    dependencies = [
        ("pitboss", "0034_rounds_told"),
        ("tables", "0037_play_of_a_patron"),
    ]

    operations = [
        migrations.CreateModel(
            name="SettledHours",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("gaming_day", models.DateField()),
                ("revision", models.PositiveSmallIntegerField()),
                ("corrections", models.PositiveIntegerField()),
                ("pit", models.CharField(max_length=40)),
                ("hours", models.JSONField()),
                ("open_seconds", models.PositiveIntegerField()),
                ("seat_seconds", models.PositiveIntegerField()),
                ("rated_seconds", models.PositiveIntegerField()),
                ("rounds", models.PositiveIntegerField()),
                ("action_cents", models.PositiveBigIntegerField()),
                ("theo", models.JSONField()),
                ("theo_cents", models.BigIntegerField()),
                ("labor_cents", models.BigIntegerField(null=True)),
                ("settled_at", models.DateTimeField()),
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
                "verbose_name_plural": "settled hours",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("gaming_day", "table", "revision"),
                        name="hours_settled_once_a_revision",
                    ),
                ],
            },
        ),
        never_changed("tables_settledhours"),
        ADDS_UP,
        migrations.CreateModel(
            name="FiguresAwaited",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rating",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.playrating",
                    ),
                ),
            ],
            options={"verbose_name_plural": "figures awaited"},
        ),
        AWAITED,
        migrations.AddIndex(
            model_name="seatheld",
            index=models.Index(fields=["until"], name="seat_by_end"),
        ),
        migrations.AddIndex(
            model_name="ratingfigures",
            index=models.Index(
                condition=models.Q(("revision__gt", 0)), fields=["made_at"], name="figures_corrected"
            ),
        ),
    ]
