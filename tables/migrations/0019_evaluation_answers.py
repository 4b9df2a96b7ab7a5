"""What dealers answer to their evaluations: once, in ink, and only to their own."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0018_drop_runs_and_count_sessions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="EvaluationAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
        migrations.AddIndex(
            model_name="floorentry",
            index=models.Index(
                condition=models.Q(("kind", "evaluation")),
                fields=["-id"],
                name="evaluations_newest",
            ),
        ),
        never_changed("tables_evaluationanswer"),
        migrations.RunSQL(
            """
            CREATE FUNCTION tables_own_evaluation() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NOT EXISTS (
                    SELECT 1 FROM tables_floorentry entry JOIN pitboss_person dealer
                        ON dealer.badge = entry.facts ->> 'badge'
                    WHERE entry.id = NEW.entry_id AND entry.kind = 'evaluation'
                        AND dealer.id = NEW.dealer_id
                ) THEN
                    RAISE EXCEPTION 'only the dealer answers an evaluation'
                        USING ERRCODE = 'check_violation';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER own_evaluation BEFORE INSERT ON tables_evaluationanswer
                FOR EACH ROW EXECUTE FUNCTION tables_own_evaluation();
            """,
            """
            DROP TRIGGER own_evaluation ON tables_evaluationanswer;
            DROP FUNCTION tables_own_evaluation();
            """,
        ),
    ]
