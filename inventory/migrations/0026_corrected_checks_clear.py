"""What a correction takes of a check that has not cleared takes nothing that can be used before."""

from django.db import migrations

from pitboss.ink import altered

_LOWERED = [
    (
        "WHEN entry.move NOT IN ('deposited', 'raised') THEN",
        "WHEN entry.move = 'lowered' AND entry.usable_at > NEW.at THEN 0\n"
        "                WHEN entry.move NOT IN ('deposited', 'raised') THEN",
    )
]


class Migration(migrations.Migration):
    dependencies = [("inventory", "0025_deposit_corrections")]

    operations = [altered("inventory_deposit_holds", _LOWERED)]
