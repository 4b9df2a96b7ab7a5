"""A marker payment that was wrong is taken back as it was applied, and applied as it should be."""

from django.db import migrations

from pitboss.ink import altered

_ORDER = [
    (
        "FILTER (WHERE entry.move = 'returned'), 0)",
        "FILTER (WHERE entry.move IN ('returned', 'reversed')), 0)",
    ),
    (
        "'marker_set_off', 'late_payment')",
        "'marker_set_off', 'late_payment', 'payment_correction')",
    ),
    (
        "AND (NEW.table_id IS NULL) <> coalesce(at_cage, false)",
        "AND (NEW.table_id IS NULL) <> coalesce(at_cage, false)"
        " AND paper.kind <> 'payment_correction'",
    ),
    (
        "WHEN NEW.move = 'returned' AND NEW.amount_cents > paid",
        """WHEN NEW.move = 'reversed' AND (paper.kind <> 'payment_correction'
                OR paper.status <> 'done') THEN 'its slip is no signed correction'
            WHEN NEW.move = 'reversed' AND NOT EXISTS (
                SELECT FROM inventory_markerentry AS entry
                WHERE entry.marker_id = lent.id AND entry.slip_id = paper.refers_to_id
                  AND entry.move = 'paid' AND entry.amount_cents = NEW.amount_cents)
                THEN 'no such payment is corrected'
            WHEN NEW.move = 'reversed' AND moves && ARRAY['deposited', 'replaced', 'written_off']
                THEN 'it has gone on'
            WHEN NEW.move = 'returned' AND NEW.amount_cents > paid""",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("inventory", "0014_currency_report_forms")]

    operations = [
        altered(
            "inventory_owed_cents",
            [
                (
                    "('reserved', 'returned', 'replaces')",
                    "('reserved', 'returned', 'reversed', 'replaces')",
                )
            ],
        ),
        altered("inventory_marker_entry_in_order", _ORDER),
        altered(
            "inventory_cash_entry_holds",
            [
                (
                    "paper.kind IS DISTINCT FROM 'cash_correction' OR",
                    "coalesce(paper.kind, '') NOT IN ('cash_correction', 'payment_correction') OR",
                )
            ],
        ),
    ]
