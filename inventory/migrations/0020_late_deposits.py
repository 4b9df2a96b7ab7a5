"""Deposits, withdrawals and draws that were signed on paper in an outage: done when compared."""

from django.db import migrations

from pitboss.ink import altered

_HOLDS = [
    (
        "WHEN 'drawn' THEN 'open' WHEN",
        "WHEN 'drawn' THEN CASE paper.kind WHEN 'late_draw' THEN 'done' ELSE 'open' END WHEN",
    ),
    (
        "WHEN 'deposited' THEN 'front_deposit'",
        "WHEN 'deposited' THEN CASE paper.kind"
        " WHEN 'late_deposit' THEN 'late_deposit' ELSE 'front_deposit' END",
    ),
    (
        "WHEN 'withdrawn' THEN 'front_withdrawal'",
        "WHEN 'withdrawn' THEN CASE paper.kind"
        " WHEN 'late_withdrawal' THEN 'late_withdrawal' ELSE 'front_withdrawal' END",
    ),
    (
        "ELSE 'front_draw' END",
        "WHEN 'drawn' THEN CASE paper.kind WHEN 'late_draw' THEN 'late_draw' ELSE 'front_draw' END"
        " ELSE 'front_draw' END",
    ),
    # The money was gone when it was entered.
    (
        "AND NEW.amount_cents > usable",
        "AND paper.kind NOT IN ('late_withdrawal', 'late_draw') AND NEW.amount_cents > usable",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("inventory", "0019_late_counts"), ("pitboss", "0028_outages")]

    operations = [altered("inventory_deposit_holds", _HOLDS)]
