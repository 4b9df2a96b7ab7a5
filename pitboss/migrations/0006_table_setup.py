"""How a table is set up, as two people approved it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0005_wait_limit")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="cards",
            field=models.CharField(
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
        migrations.AddField(
            model_name="table",
            name="setup",
            field=models.JSONField(default=dict),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(("cards__in", ["shuffler", "continuous", "hand", "none"])),
                name="table_cards_known",
            ),
        ),
    ]
