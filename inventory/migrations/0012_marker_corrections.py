"""A marker to the wrong patron or for a wrong amount is taken back once, and issued again."""

from django.db import migrations

from pitboss.ink import altered


class Migration(migrations.Migration):
    dependencies = [("inventory", "0011_credit_to_write_off")]

    operations = [
        altered(
            "inventory_owed_cents",
            [
                (
                    "('voided', 'paid', 'deposited', 'replaced', 'written_off')",
                    "('voided', 'paid', 'deposited', 'replaced', 'written_off', 'corrected')",
                )
            ],
        ),
        altered(
            "inventory_marker_within_the_line",
            [
                (
                    "paper.kind <> 'marker' OR paper.status <> 'open' THEN",
                    "(paper.kind, paper.status) NOT IN (('marker', 'open'), "
                    "('marker_correction', 'done')) THEN",
                )
            ],
        ),
        altered(
            "inventory_marker_entry_in_order",
            [
                (
                    "WHEN 'voided' = ANY (moves) THEN 'the marker is void'\n",
                    """WHEN 'voided' = ANY (moves) THEN 'the marker is void'
            WHEN 'corrected' = ANY (moves) THEN 'the marker is corrected'
            WHEN NEW.move = 'corrected' AND (paper.kind <> 'marker_correction'
                OR paper.status <> 'done' OR paper.refers_to_id <> lent.slip_id)
                THEN 'its slip is no signed correction'
            WHEN NEW.move = 'corrected' AND (taken <> 0 OR NEW.amount_cents <> lent.amount_cents)
                THEN 'some of it was paid'
""",
                ),
                (
                    "OR paper.kind <> 'marker')",
                    "OR paper.kind NOT IN ('marker', 'marker_correction'))",
                ),
            ],
        ),
    ]
