"""How a round ended, each part that was told of it, and the key of one that was sent whole."""

from django.db import migrations, models
from django.db.models import F, Q

OUTCOMES = ["settled", "partly_settled", "unverified", "aborted"]


class Migration(migrations.Migration):
    dependencies = [("tables", "0008_summarize")]

    operations = [
        migrations.RemoveConstraint(model_name="round", name="round_that_ended_is_settled"),
        migrations.AddField(
            model_name="round", name="key", field=models.UUIDField(null=True)
        ),
        migrations.AddField(
            model_name="round", name="request_id", field=models.UUIDField(null=True)
        ),
        migrations.AddField(
            model_name="round", name="parts", field=models.JSONField(default=list)
        ),
        # Every round that has ended until now was settled. It is in ink, so the column comes with
        # that word, and the rounds that are open lose it.
        migrations.AddField(
            model_name="round",
            name="outcome",
            field=models.CharField(
                blank=True,
                choices=[(each, each.replace("_", " ").capitalize()) for each in OUTCOMES],
                default="settled",
                max_length=14,
            ),
        ),
        migrations.RunSQL(
            """
            UPDATE tables_round SET outcome = '', parts = jsonb_build_array(jsonb_build_object(
                'number', 1, 'part', 'earlier', 'told', log, 'at', started_at))
            WHERE ended_at IS NULL
            """,
            migrations.RunSQL.noop,
        ),
        migrations.AlterField(
            model_name="round",
            name="outcome",
            field=models.CharField(
                blank=True,
                choices=[(each, each.replace("_", " ").capitalize()) for each in OUTCOMES],
                default="",
                max_length=14,
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(fields=("table", "key"), name="one_round_a_key"),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                name="round_that_ended_has_an_outcome",
                condition=Q(ended_at=None, outcome="", verdict=None)
                | (
                    Q(ended_at__gte=F("started_at"), verdict__isnull=False)
                    & Q(outcome__in=OUTCOMES)
                ),
            ),
        ),
    ]
