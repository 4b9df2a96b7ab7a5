"""A fill or a credit that was entered late is corrected like any other."""

from django.db import migrations

from pitboss.ink import altered

_CORRECTED = [
    (
        "corrected.kind IN ('fill', 'credit', 'fill_correction')",
        "corrected.kind IN ('fill', 'credit', 'late_fill', 'late_credit', 'fill_correction')",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("tables", "0030_counting_machines")]

    operations = [altered("inventory_late_is_signed", _CORRECTED)]
