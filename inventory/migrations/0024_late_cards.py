"""Cards that moved on paper: on their late slip, once a manager has compared it."""

from django.db import migrations

from pitboss.ink import altered

_SIGNED = [
    (
        "AND paper.kind LIKE 'card\\_%')",
        "AND (paper.kind LIKE 'card\\_%'"
        " OR paper.kind LIKE 'late\\_card%' AND paper.status = 'done'))",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("inventory", "0023_independent_write_offs")]

    operations = [altered("inventory_card_step_follows_the_life", _SIGNED)]
