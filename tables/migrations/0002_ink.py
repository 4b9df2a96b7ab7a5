"""What was guessed, explained, checked, won, marked or called on the floor stays as it was written."""

from django.db import migrations

from pitboss.ink import never_changed


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial"), ("pitboss", "0006_journal_heads")]

    operations = [
        never_changed("tables_dropestimate"),
        never_changed("tables_payoutcheck"),
        never_changed("tables_serialexplanation"),
        never_changed("tables_settledwin"),
        never_changed("tables_shoemark"),
        never_changed("tables_stringcall"),
    ]
