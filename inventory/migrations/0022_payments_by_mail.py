"""Payments by mail: listed by accounting, received by the cage."""

from django.db import migrations

from pitboss.ink import altered

_WITH_MAIL = [
    ("'marker_payment_issued',", "'marker_payment_issued', 'marker_payment_mail',"),
]


class Migration(migrations.Migration):
    dependencies = [("inventory", "0021_bank_accounts")]

    operations = [
        altered("inventory_marker_entry_in_order", _WITH_MAIL),
        altered("inventory_instrument_is_signed_for", _WITH_MAIL),
    ]
