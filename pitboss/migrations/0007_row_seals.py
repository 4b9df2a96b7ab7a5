"""Seals on rows that decide and change. Rows that are there are sealed when migrations are through."""

from django.db import migrations, models

from pitboss.ink import SEALED_FUNCTION, sealed

# What moves for other reasons than that somebody decided it.
PENCIL = {
    "actingrole": [],
    "device": ["last_seen_at"],
    "deviceenrolment": [],
    "floorexception": [],
    "person": ["last_login"],
    "pinenrolment": [],
    "table": ["is_open", "tray_sequence"],
}


def columns(model):
    return [
        migrations.AddField(
            model_name=model, name="version", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name=model,
            name="seal",
            field=models.CharField(default="", editable=False, max_length=160),
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0006_journal_heads")]

    operations = [
        *(operation for model in PENCIL for operation in columns(model)),
        SEALED_FUNCTION,
        *(sealed(f"pitboss_{model}", *pencil) for model, pencil in PENCIL.items()),
    ]
