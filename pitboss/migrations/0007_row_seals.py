"""Seals on rows that decide and change. Rows that are there are sealed when migrations are through."""

from django.db import migrations

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


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0006_journal_heads")]

    operations = [
        SEALED_FUNCTION,
        *(sealed(f"pitboss_{model}", *pencil) for model, pencil in PENCIL.items()),
    ]
