"""Drills that were answered: practice, kept as it was."""

from django.db import migrations

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [("tables", "0014_envy"), ("pitboss", "0020_rules_versions")]

    operations = [
        never_changed("tables_drillanswer"),
    ]
