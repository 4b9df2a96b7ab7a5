"""What a year's yield is summed from, in the index of settled hours: their rows are wide."""

from django.db import migrations, models

# An index is read by itself where its rows were vacuumed. The usual fifth of a table that only
# grows would leave the newest year of five out.
SOON = migrations.RunSQL(
    """
    ALTER TABLE tables_settledhours SET
        (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500)
    """,
    """
    ALTER TABLE tables_settledhours RESET
        (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold)
    """,
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0040_deposits_corrected_once")]

    operations = [
        migrations.RemoveConstraint(
            model_name="settledhours", name="hours_settled_once_a_revision"
        ),
        migrations.AddConstraint(
            model_name="settledhours",
            constraint=models.UniqueConstraint(
                fields=("gaming_day", "table", "revision"),
                include=(
                    "id",
                    "open_seconds",
                    "seat_seconds",
                    "rated_seconds",
                    "rounds",
                    "theo_cents",
                    "labor_cents",
                ),
                name="hours_settled_once_a_revision",
            ),
        ),
        SOON,
    ]
