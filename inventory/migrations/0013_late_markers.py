"""Markers and payments that were written on paper in an outage: owed, whatever the line says now."""

from django.db import migrations

from pitboss.ink import altered

_LINE = [
    (
        "('marker_correction', 'done')) THEN",
        "('marker_correction', 'done'), ('late_marker', 'done')) THEN",
    ),
    (
        "WHEN inventory_standing(NEW.patron_id) <> 'clear' THEN",
        "WHEN inventory_standing(NEW.patron_id) <> 'clear' AND paper.kind = 'marker' THEN",
    ),
    (
        "WHEN NEW.over_line_cents > 0\n",
        "WHEN NEW.over_line_cents > 0 AND paper.kind = 'marker'\n",
    ),
]
_ORDER = [
    ("('marker', 'marker_correction'))", "('marker', 'marker_correction', 'late_marker'))"),
    (
        "WHEN NEW.move = 'issued' AND inventory_standing(lent.patron_id) <> 'clear'\n",
        "WHEN NEW.move = 'issued' AND inventory_standing(lent.patron_id) <> 'clear'"
        " AND paper.kind = 'marker'\n",
    ),
    (
        "'marker_payment_front', 'marker_set_off')",
        "'marker_payment_front', 'marker_set_off', 'late_payment')",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("inventory", "0012_marker_corrections"), ("pitboss", "0028_outages")]

    operations = [
        altered("inventory_marker_within_the_line", _LINE),
        altered("inventory_marker_entry_in_order", _ORDER),
    ]
