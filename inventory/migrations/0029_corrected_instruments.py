"""A check, a wire or front money that paid the wrong markers pays nothing once it is corrected."""

from django.db import migrations

from pitboss.ink import altered

_UNCLEARED = [
    (
        "WHERE back.instrument_id = paid.id)",
        """WHERE back.instrument_id = paid.id)
            AND NOT EXISTS (
                SELECT FROM pitboss_slip AS corrected WHERE corrected.refers_to_id = paid.slip_id
                  AND corrected.kind = 'payment_correction' AND corrected.status = 'done')""",
    )
]
_SIGNED_FOR = [("'marker_payment_issued',", "'marker_payment_issued', 'payment_correction',")]
_HOLDS = [
    (
        "IF paper.kind = 'deposit_correction' THEN",
        "IF paper.kind IN ('deposit_correction', 'payment_correction') THEN",
    )
]


class Migration(migrations.Migration):
    dependencies = [("inventory", "0028_plural_names")]

    operations = [
        altered("inventory_uncleared_cents", _UNCLEARED),
        altered("inventory_instrument_is_signed_for", _SIGNED_FOR),
        altered("inventory_deposit_holds", _HOLDS),
    ]
