"""Give compliance a chain of its own: who wrote to it is told in no other."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def add_chain(apps: Any, schema_editor: Any) -> None:
    apps.get_model("pitboss", "JournalChain").objects.get_or_create(name="compliance")


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0016_pin_offers")]

    operations = [
        migrations.RunPython(add_chain, migrations.RunPython.noop),
    ]
